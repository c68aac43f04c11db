//! The results of one study on one side, read and checked.

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use lab::files::read_text;
use lab::judge::judged::Judged;
use lab::provenance::Provenance;
pub use lab::results::Timing;
use serde::Deserialize;

use crate::Mistake;
use crate::contents::Files;
use crate::table::{Field, Table};

#[derive(Clone, Debug)]
pub struct StudyResults {
    /// Identity, machine, counts.
    pub provenance: Provenance,
    /// Tables by file.
    pub tables: BTreeMap<String, Rc<Table>>,
    /// Verdicts that rest on rows.
    pub claims: Vec<Judged>,
    /// Verdicts that rest on times.
    pub claims_of_times: Vec<Judged>,
    /// Times of cases.
    pub timings: Rc<Vec<Timing>>,
}

/// `datapackage.json`, as far as it is needed.
#[derive(Deserialize)]
struct Package {
    resources: Vec<Resource>,
}

#[derive(Deserialize)]
struct Resource {
    name: String,
    path: String,
    schema: Schema,
}

#[derive(Deserialize)]
struct Schema {
    fields: Vec<Field>,
}

impl StudyResults {
    /// How many sets of a group were measured, where fewer than `before` were asked for: by `--sets`, or another profile.
    pub fn smaller_sample(&self, before: &StudyResults, group: &str) -> Option<u64> {
        let cases = |of: &StudyResults| of.provenance.groups.iter().find(|count| count.group == group).map(|count| count.cases);
        let asked = self.provenance.arguments.iter().any(|argument| argument == "--sets" || argument.starts_with("--sets="));
        let (new, old) = (cases(self)?, cases(before)?);
        let is_smaller = new < old && (asked || self.provenance.profile != before.provenance.profile);
        is_smaller.then_some(new as u64)
    }

    /// Time of all its cases \[s\].
    pub fn seconds(&self) -> f64 {
        self.timings.iter().filter(|timing| timing.repeat == 0).map(|timing| timing.seconds).sum()
    }

    /// The machine, as far as times depend on it.
    pub fn machine(&self) -> String {
        let machine = &self.provenance.machine;
        format!("{}, {} cores, {} threads, {}", machine.cpu, machine.cores, self.provenance.threads, machine.instruction_set)
    }

    /// The study whose results a folder holds.
    pub fn name_in(folder: &Path) -> Result<String, Mistake> {
        let path = folder.join("run.json");
        let run: Provenance = described(&path.display().to_string(), read_text(&path)?.as_bytes())?;
        Ok(run.identity.study)
    }

    /// Reads the files of a study; `place` names their folder.
    pub fn parse(place: &str, files: &Files, times: bool) -> Result<StudyResults, Mistake> {
        let in_place = |file: &str| format!("{place}/{file}");
        let damaged = |file: &str, reason: String| Mistake::Damaged { place: in_place(file), reason };
        let file = |name: &str| files.get(name).ok_or_else(|| damaged(name, "the file is missing".into()));
        let provenance: Provenance = described(&in_place("run.json"), &file("run.json")?.bytes)?;
        let package: Package = described(&in_place("datapackage.json"), &file("datapackage.json")?.bytes)?;
        let mut tables = BTreeMap::new();
        for Resource { name, path, schema } in package.resources {
            let table = file(&path)?.table(&name, &in_place(&path), schema.fields)?;
            let expected = provenance.groups.iter().find(|group| group.group == name).map(|group| group.rows);
            if let Some(expected) = expected.filter(|expected| *expected != table.row_count()) {
                let reason = format!("{} rows, but run.json says {expected}: the table is incomplete", table.row_count());
                return Err(damaged(&path, reason));
            }
            tables.insert(path, table);
        }
        verify(place, files)?;
        let claims = |name: &str| match files.get(name) {
            Some(contents) => lines(&in_place(name), &contents.bytes),
            None => Ok(vec![]),
        };
        let mut results =
            StudyResults { provenance, tables, claims: claims("claims.csv")?, claims_of_times: vec![], timings: Rc::default() };
        if times {
            results.claims_of_times = claims("claims-of-times.csv")?;
            results.timings = file("timings.csv")?.timings(|bytes| timings(&in_place("timings.csv"), bytes))?;
        }
        Ok(results)
    }
}

fn timings(place: &str, bytes: &[u8]) -> Result<Vec<Timing>, Mistake> {
    let header = String::from_utf8_lossy(bytes);
    let header: Vec<&str> = header.lines().next().unwrap_or_default().split(',').collect();
    match ["group", "set", "repeat", "seconds"].into_iter().find(|column| !header.contains(column)) {
        None => lines(place, bytes),
        Some(column) => {
            let reason = format!("the column `{column}` is missing; --counts-only does without");
            Err(Mistake::Version { place: place.into(), reason })
        }
    }
}

/// JSON of this version: text that is none is damaged, other keys are those of another version.
fn described<T: serde::de::DeserializeOwned>(place: &str, bytes: &[u8]) -> Result<T, Mistake> {
    let json: serde_json::Value = serde_json::from_slice(bytes)
        .map_err(|error| Mistake::Damaged { place: place.into(), reason: format!("no JSON: {error}") })?;
    serde_json::from_value(json).map_err(|error| Mistake::Version { place: place.into(), reason: error.to_string() })
}

/// The lines of a table with fixed columns.
pub fn lines<T: serde::de::DeserializeOwned>(place: &str, bytes: &[u8]) -> Result<Vec<T>, Mistake> {
    if !bytes.is_empty() && bytes.last() != Some(&b'\n') {
        return Err(Mistake::Damaged { place: place.into(), reason: "the last line is cut off".into() });
    }
    let read = csv::Reader::from_reader(bytes).deserialize().collect::<Result<_, _>>();
    read.map_err(|error| Mistake::Damaged { place: place.into(), reason: error.to_string().replace('\n', " ") })
}

/// Compares the tables with SHA256SUMS; charts lie elsewhere.
fn verify(place: &str, files: &Files) -> Result<(), Mistake> {
    let name = "SHA256SUMS";
    let damaged = |file: &str, reason: &str| Mistake::Damaged { place: format!("{place}/{file}"), reason: reason.into() };
    let sums = &files.get(name).ok_or_else(|| damaged(name, "the file is missing"))?.bytes;
    if sums.trim_ascii().is_empty() {
        return Err(damaged(name, "it covers no file"));
    }
    for line in String::from_utf8_lossy(sums).lines() {
        let (sum, file) = line.split_once("  ").ok_or_else(|| damaged(name, "a line is no checksum"))?;
        if file.contains('/') {
            continue;
        }
        let contents = files.get(file).ok_or_else(|| damaged(file, "SHA256SUMS names the file, but it is missing"))?;
        if contents.sum() != sum {
            return Err(damaged(file, "the file is not what SHA256SUMS says"));
        }
    }
    Ok(())
}
