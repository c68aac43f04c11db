//! The results of one study on one side, read and checked.

use std::collections::BTreeMap;
use std::path::Path;

use lab::files::read_text;
use lab::judge::judged::Judged;
use lab::measure::identity::sha256;
use lab::provenance::Provenance;
pub use lab::results::Timing;
use serde::Deserialize;

use crate::Mistake;
use crate::git::Files;
use crate::table::{Field, Table};

#[derive(Clone, Debug)]
pub struct StudyResults {
    /// Identity, machine, counts.
    pub provenance: Provenance,
    /// Tables by file.
    pub tables: BTreeMap<String, Table>,
    /// Verdicts that rest on rows.
    pub claims: Vec<Judged>,
    /// Verdicts that rest on times.
    pub claims_of_times: Vec<Judged>,
    /// Times of cases.
    pub timings: Vec<Timing>,
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
        let provenance: Provenance = described(&in_place("run.json"), file("run.json")?)?;
        let package: Package = described(&in_place("datapackage.json"), file("datapackage.json")?)?;
        let mut tables = BTreeMap::new();
        for Resource { name, path, schema } in package.resources {
            let table = Table::parse(&name, &in_place(&path), file(&path)?, schema.fields)?;
            let expected = provenance.groups.iter().find(|group| group.group == name).map(|group| group.rows);
            if let Some(expected) = expected.filter(|expected| *expected != table.row_count()) {
                let reason = format!("{} rows, but run.json says {expected}: the table is incomplete", table.row_count());
                return Err(damaged(&path, reason));
            }
            tables.insert(path, table);
        }
        verify(place, files)?;
        let claims = |name: &str| match files.get(name) {
            Some(bytes) => lines(&in_place(name), bytes),
            None => Ok(vec![]),
        };
        let mut results =
            StudyResults { provenance, tables, claims: claims("claims.csv")?, claims_of_times: vec![], timings: vec![] };
        if times {
            results.claims_of_times = claims("claims-of-times.csv")?;
            let timings = file("timings.csv")?;
            let header = String::from_utf8_lossy(timings);
            let header: Vec<&str> = header.lines().next().unwrap_or_default().split(',').collect();
            if let Some(column) = ["group", "set", "repeat", "seconds"].into_iter().find(|column| !header.contains(column)) {
                let reason = format!("the column `{column}` is missing; --counts-only does without");
                return Err(Mistake::Version { place: in_place("timings.csv"), reason });
            }
            results.timings = lines(&in_place("timings.csv"), timings)?;
        }
        Ok(results)
    }
}

/// JSON of this version: text that is none is damaged, other keys are those of another version.
fn described<T: serde::de::DeserializeOwned>(place: &str, bytes: &[u8]) -> Result<T, Mistake> {
    let json: serde_json::Value = serde_json::from_slice(bytes)
        .map_err(|error| Mistake::Damaged { place: place.into(), reason: format!("no JSON: {error}") })?;
    serde_json::from_value(json).map_err(|error| Mistake::Version { place: place.into(), reason: error.to_string() })
}

/// The lines of a table with fixed columns.
fn lines<T: serde::de::DeserializeOwned>(place: &str, bytes: &[u8]) -> Result<Vec<T>, Mistake> {
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
    let sums = files.get(name).ok_or_else(|| damaged(name, "the file is missing"))?;
    if sums.trim_ascii().is_empty() {
        return Err(damaged(name, "it covers no file"));
    }
    for line in String::from_utf8_lossy(sums).lines() {
        let (sum, file) = line.split_once("  ").ok_or_else(|| damaged(name, "a line is no checksum"))?;
        if file.contains('/') {
            continue;
        }
        let bytes = files.get(file).ok_or_else(|| damaged(file, "SHA256SUMS names the file, but it is missing"))?;
        if sha256(bytes) != sum {
            return Err(damaged(file, "the file is not what SHA256SUMS says"));
        }
    }
    Ok(())
}
