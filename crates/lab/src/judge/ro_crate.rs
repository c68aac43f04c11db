//! Results as a Process Run Crate (RO-Crate 1.1): what was run, from what, by which program, and every file that came of it.
//!
//! The crate is the folder of the results of all studies. Charts lie outside of it and can be drawn from it; they are named with their
//! checksums, as works beside the crate. Equal files give equal bytes; an entity is a line.

use std::path::Path;

use serde_json::{Value, json};

use crate::files::{FileError, LARGEST, read_bytes};
use crate::judge::citation::Citation;
use crate::judge::claims::{Kind, Ledger};
use crate::judge::report::Report;
use crate::judge::report::section::Section;
use crate::measure::identity::sha256;
use crate::places::{BESIDE, CLAIMS};
use crate::provenance::Provenance;
use crate::study::Study;

/// The description of the crate, in the folder of results.
pub const RO_CRATE: &str = "ro-crate-metadata.json";

/// How every description begins, by which it is told from files of somebody else.
pub(crate) const CRATE_BEGINS: &str = concat!(
    "{\"@context\":[\"https://w3id.org/ro/crate/1.1/context\",{\"sha256\":\"http://schema.org/sha256\"}],\"@graph\":[\n",
    "{\"@id\":\"ro-crate-metadata.json\",\"@type\":\"CreativeWork\",\"about\":{\"@id\":\"./\"},",
    "\"conformsTo\":{\"@id\":\"https://w3id.org/ro/crate/1.1\"},\"description\":\"Written from these results by clothlab report\"}"
);

const PROCESS_RUN: &str = "https://w3id.org/ro/wfrun/process/0.5";
const DATA_PACKAGE: &str = "https://specs.frictionlessdata.io/data-package/";
const AUTHORS: &str = "#authors";

impl Report<'_> {
    /// The description of the results of all studies that were measured, whose files are there. `beside` are files of the folder itself,
    /// each with what it holds.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn ro_crate(&self, sections: &[Section], work: &Citation, beside: &[(&str, &str)]) -> Result<String, FileError> {
        let results = self.root.join("results");
        let (mut parts, mut mentions, mut entities) = (vec![], vec![], vec![]);
        let mut published = String::new();
        for section in sections {
            let Some(run) = &section.provenance else { continue };
            let folder = Folder { report: self, results: &results, study: section.study(), run };
            parts.push(format!("{}/", section.study().name));
            mentions.push(folder.id("run"));
            folder.describe(&mut entities)?;
            published = published.max(run.end.get(..10).unwrap_or_default().to_owned());
        }
        for (file, holds) in beside {
            // what covers this description cannot stand in it with a checksum
            let path = results.join(file);
            entities.push(if *file == CLAIMS { described(&path, file, file, holds)? } else { named(file, file, holds) });
            parts.push((*file).to_owned());
        }
        let mut head = vec![json!({
            "@id": "./", "@type": "Dataset", "author": id(AUTHORS), "citation": ids(self.papers(|_| true)), "conformsTo": id(PROCESS_RUN),
            "datePublished": published, "description": self.in_a_sentence(), "hasPart": ids(parts), "keywords": work.keywords.join(", "),
            "license": id(&license(work)), "mentions": ids(mentions), "name": work.title, "publisher": id(AUTHORS), "version": work.version,
        })];
        head.push(json!({"@id": PROCESS_RUN, "@type": "CreativeWork", "name": "Process Run Crate", "version": "0.5"}));
        head.push(json!({"@id": DATA_PACKAGE, "@type": "CreativeWork", "name": "Frictionless Data Package", "version": "1"}));
        let licence = format!("The {} license", work.license);
        head.push(
            json!({"@id": license(work), "@type": "CreativeWork", "description": "as in the file LICENSE", "name": licence}),
        );
        head.push(json!({"@id": AUTHORS, "@type": "Organization", "name": work.authors.join(", ")}));
        for ledger in self.ledgers.iter().filter(|ledger| ledger.kind == Kind::Published) {
            head.push(json!({"@id": paper(ledger), "@type": "ScholarlyArticle", "alternateName": ledger.paper, "name": ledger.citation}));
        }
        let lines: Vec<String> = head.iter().chain(&entities).map(Value::to_string).collect();
        Ok(format!("{CRATE_BEGINS},\n{}\n]}}\n", lines.join(",\n")))
    }

    /// Papers with a claim that is wanted.
    fn papers(&self, wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let published = self.ledgers.iter().filter(|ledger| ledger.kind == Kind::Published);
        published.filter(|ledger| ledger.claims.iter().any(|claim| wanted(&claim.study))).map(paper).collect()
    }
}

fn paper(ledger: &Ledger) -> String {
    format!("#{}", ledger.paper.to_lowercase().replace(' ', "-"))
}

fn license(work: &Citation) -> String {
    format!("https://spdx.org/licenses/{}", work.license)
}

fn id(name: &str) -> Value {
    json!({"@id": name})
}

/// Of one thing itself, of others a list, as the compact form has them.
fn ids(names: impl IntoIterator<Item = String>) -> Value {
    let mut ids: Vec<Value> = names.into_iter().map(|name| id(&name)).collect();
    if ids.len() == 1 { ids.remove(0) } else { ids.into() }
}

/// What a file is, by the end of its name.
fn format_of(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, kind)| kind) {
        Some("csv") => "text/csv",
        Some("json") => "application/json",
        Some("md") => "text/markdown",
        Some("svg") => "image/svg+xml",
        _ => "text/plain",
    }
}

/// A file of the crate whose contents are not looked at.
fn named(id: &str, name: &str, holds: &str) -> Value {
    json!({"@id": id, "@type": "File", "description": holds, "encodingFormat": format_of(id), "name": name})
}

/// A file of the crate with its size and checksum.
fn described(path: &Path, id: &str, name: &str, holds: &str) -> Result<Value, FileError> {
    let bytes = read_bytes(path, LARGEST)?;
    let (mut entity, size) = (named(id, name, holds), bytes.len().to_string());
    entity["contentSize"] = size.into();
    entity["sha256"] = sha256(&bytes).into();
    Ok(entity)
}

/// What lies beside the tables of a study.
fn about(file: &str) -> &'static str {
    match file {
        "claims.csv" => "verdicts on claims that depend on neither time nor machine",
        "claims-of-times.csv" => "verdicts on claims that rest on times",
        "claims-numbers.csv" => "numbers behind the verdicts",
        "claims-numbers-of-times.csv" => "numbers behind the verdicts that rest on times",
        "datapackage.json" => "what each table and column means, with its type and unit",
        "timings.csv" => "the time of every case",
        "run.json" => "the record of the run: commit, compiler, machine, arguments, times",
        "SHA256SUMS" => "checksums of what depends on neither time nor machine, charts included",
        "SHA256SUMS-of-times" => "checksums of the rest",
        _ => "the part of the report on this study",
    }
}

/// The results of a study.
struct Folder<'a> {
    report: &'a Report<'a>,
    results: &'a Path,
    study: &'a Study,
    run: &'a Provenance,
}

impl Folder<'_> {
    /// Name of something of this study that is no file.
    fn id(&self, what: &str) -> String {
        format!("#{}-{what}", self.study.name)
    }

    /// Adds its folder, files, program, inputs and run.
    fn describe(&self, entities: &mut Vec<Value>) -> Result<(), FileError> {
        let Folder { report, study, run, .. } = self;
        let folder = self.results.join(study.name);
        let within = |file: &str| format!("{}/{file}", study.name);
        let (mut files, mut tables) = (vec![], vec![]);
        for count in &run.groups {
            let file = study.file_of(&count.group);
            let about = study.groups.iter().find(|group| group.name() == count.group).map_or("", |group| group.about());
            files.push(described(&folder.join(&file), &within(&file), &count.group, about)?);
            tables.push(within(&file));
        }
        for file in BESIDE.into_iter().chain(["REPORT.md"]).filter(|file| folder.join(file).exists()) {
            let mut entity = described(&folder.join(file), &within(file), file, about(file))?;
            if file == "datapackage.json" {
                entity["about"] = ids(tables.clone());
                entity["conformsTo"] = id(DATA_PACKAGE);
            }
            files.push(entity);
        }
        let of_file = |entity: &Value| entity["@id"].as_str().unwrap_or_default().to_owned();
        let parts: Vec<String> = files.iter().map(of_file).collect();
        entities.push(json!({
            "@id": within(""), "@type": "Dataset", "citation": ids(report.papers(|of| of == study.name)), "description": study.about,
            "hasPart": ids(parts.clone()), "name": study.title,
        }));
        let charts = self.charts(&folder)?;
        let of_run = parts.into_iter().filter(|part| !part.ends_with("REPORT.md")).chain(charts.iter().map(of_file));
        let of_run: Vec<String> = of_run.collect();
        entities.extend(files);
        entities.extend(charts);
        let inputs = self.inputs();
        entities.push(json!({
            "@id": self.id("run"), "@type": "CreateAction", "actionStatus": "http://schema.org/CompletedActionStatus",
            "description": self.told(), "endTime": zoned(&run.end), "instrument": id(&self.id("program")),
            "name": format!("The study {}, measured", study.name), "object": ids(inputs.iter().map(of_file)), "result": ids(of_run),
            "startTime": zoned(&run.start),
        }));
        entities.push(self.program());
        entities.extend(inputs);
        Ok(())
    }

    /// Its charts, which lie outside of the crate.
    fn charts(&self, folder: &Path) -> Result<Vec<Value>, FileError> {
        let files = self.run.charts.iter().flatten();
        let charts = files.map(|file| {
            let name = file.rsplit_once('/').map_or(file.as_str(), |(_, name)| name);
            let at = file.trim_start_matches("../");
            let holds = if name.ends_with(".csv") { "the points of a chart" } else { "a chart" };
            let holds = format!("{holds}, beside this crate: {at} of the checkout; `clothlab plot` draws it from the tables");
            let mut entity = described(&folder.join(file), &format!("#{at}"), name, &holds)?;
            entity["@type"] = "CreativeWork".into();
            Ok(entity)
        });
        charts.collect()
    }

    /// The program that measured it, by its commit.
    fn program(&self) -> Value {
        let (name, sources) = (self.study.name, &self.run.sources);
        let version = match (&sources.commit, sources.dirty) {
            (Some(commit), Some(true)) => format!("{commit}, with uncommitted changes"),
            (Some(commit), _) => commit.clone(),
            (None, _) => "of an unknown commit".into(),
        };
        let mut program = json!({
            "@id": self.id("program"), "@type": "SoftwareApplication", "author": id(AUTHORS),
            "description": format!("built by {}, {}", sources.compiler, sources.flags), "name": name, "softwareVersion": version,
        });
        if let (Some(commit), Some(false)) = (&sources.commit, sources.dirty) {
            // the intrinsic identifier of a revision, whether or not it was archived
            program["identifier"] = format!("swh:1:rev:{commit}").into();
        }
        program
    }

    /// What its rows depend on.
    fn inputs(&self) -> Vec<Value> {
        let identity = &self.run.identity;
        let value = |what, name: String, value: &str| json!({"@id": self.id(what), "@type": "PropertyValue", "name": name, "value": value});
        let hash = |what, name: &str, sum: &str| {
            let mut entity = value(what, name.into(), sum);
            entity["propertyID"] = "SHA-256".into();
            entity
        };
        vec![
            hash("ranges", &format!("sample sizes and ranges, of the profile {}", self.run.profile), &identity.ranges),
            value("seed", "base seed of the random sets".into(), &identity.seed.to_string()),
            hash("code", "sources, compiler and flags that decide the rows", &identity.code),
            hash("lock", "Cargo.lock, the versions of all dependencies", &self.run.sources.lock),
        ]
    }

    /// How it was run.
    fn told(&self) -> String {
        let Provenance { arguments, threads, machine, seconds, .. } = self.run;
        let (threads, plural) = (*threads, if *threads == 1 { "" } else { "s" });
        format!(
            "`clothlab {}` on {threads} thread{plural} of {} ({}), in {seconds:.1} s",
            arguments.join(" "),
            machine.cpu,
            machine.instruction_set
        )
    }
}

/// A time with its zone as digits.
fn zoned(time: &str) -> String {
    time.strip_suffix('Z').map_or_else(|| time.to_owned(), |time| format!("{time}+00:00"))
}
