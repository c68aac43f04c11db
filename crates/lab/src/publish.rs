//! Putting finished results in their place: tables, charts, verdicts, checksums, provenance.

use std::path::Path;

use thiserror::Error;

use crate::chart::ChartError;
use crate::claims::{Finding, Judged, claims_csv};
use crate::files::{FileError, read_text, write_whole};
use crate::provenance::Provenance;
use crate::results::{ResultsError, Staged, datapackage_json, table_csv, timings_csv};
use crate::run::{Measured, RunError, groups};
use crate::study::Study;

/// Why results could not be published.
#[derive(Debug, Error)]
pub enum PublishError {
    /// A file that cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Results that cannot be read back.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// A chart that cannot be drawn.
    #[error("the chart {name}: {error}")]
    Chart {
        /// Its name.
        name: &'static str,
        /// Why.
        error: ChartError,
    },
    /// A group that the study does not have.
    #[error(transparent)]
    Group(#[from] RunError),
}

/// Where results go.
pub struct Places<'a> {
    /// Folder of tables, verdicts and checksums.
    pub results: &'a Path,
    /// Folder of charts.
    pub plots: &'a Path,
    /// The folder of charts as seen from that of results, ending in `/`.
    pub plots_from_results: &'a str,
}

/// The file of verdicts that depend on neither time nor machine.
pub const CLAIMS: &str = "claims.csv";

/// The file of verdicts that rest on times.
pub const CLAIMS_OF_TIMES: &str = "claims-of-times.csv";

/// What a claim came to, by its id.
pub type Findings = Vec<(&'static str, Finding)>;

/// Writes everything that follows from measured groups; all files get their names together at the end.
///
/// # Errors
/// The first that occurs; what was there before is then as it was.
pub fn publish(study: &Study, measured: &[Measured], provenance: &Provenance, places: &Places) -> Result<Findings, PublishError> {
    let mut staged = Staged::new(places.results)?;
    let mut covered = vec![];
    let mut tables = vec![];
    for group in measured {
        let table = groups(study, Some(group.group))?[0];
        let file = study.file_of(group.group);
        staged.write(&file, table_csv(table, group))?;
        covered.push(file);
        tables.push(table);
    }
    staged.write("datapackage.json", datapackage_json(study, &tables))?;
    covered.push("datapackage.json".into());
    let results = staged.results(study);
    staged.write("timings.csv", timings_csv(measured))?;
    let findings = judge(study, &results)?;
    for (file, text) in verdicts(study, &findings) {
        staged.write(file, text)?;
    }
    covered.push(CLAIMS.into());
    let (charts, drawn) = draw(study, &results, places.plots)?;
    let sums = staged.sums("", &covered)? + &charts.sums(places.plots_from_results, &drawn)?;
    staged.write("SHA256SUMS", sums)?;
    staged.write("run.json", provenance.json())?;
    let former = read_text(&places.results.join("SHA256SUMS")).unwrap_or_default();
    let former = || former.lines().filter_map(|line| line.split_once("  ")).map(|(_, file)| file);
    charts.publish(former().filter_map(|file| file.strip_prefix(places.plots_from_results)))?;
    staged.publish(former().filter(|file| !file.contains('/')))?;
    Ok(findings)
}

/// Draws the charts of finished results anew, and renews their checksums; the tables and theirs stay as they are.
///
/// # Errors
/// The first that occurs; results without SHA256SUMS among them.
pub fn redraw(study: &Study, places: &Places) -> Result<(), PublishError> {
    let (charts, drawn) = draw(study, &study.results(places.results), places.plots)?;
    let path = places.results.join("SHA256SUMS");
    let former = sums_of(places.results)?;
    let chart = |line: &str| Some(line.split_once("  ")?.1.strip_prefix(places.plots_from_results)?.to_owned());
    let tables: String = former.lines().filter(|line| chart(line).is_none()).map(|line| format!("{line}\n")).collect();
    let sums = tables + &charts.sums(places.plots_from_results, &drawn)?;
    let former: Vec<String> = former.lines().filter_map(chart).collect();
    charts.publish(former.iter().map(String::as_str))?;
    Ok(write_whole(&path, sums.as_bytes())?)
}

/// Puts findings in place of the verdicts of finished results, and renews their checksum; everything else stays as it is.
///
/// # Errors
/// The first that occurs; results without SHA256SUMS among them.
pub fn renew_verdicts(study: &Study, findings: &Findings, results: &Path) -> Result<(), PublishError> {
    let former = sums_of(results)?;
    let mut staged = Staged::new(results)?;
    for (file, text) in verdicts(study, findings) {
        staged.write(file, text)?;
    }
    let renewed = staged.sums("", &[CLAIMS.into()])?;
    let is_theirs = |line: &str| line.split_once("  ").is_some_and(|(_, file)| file == CLAIMS);
    let sums = former.lines().map(|line| if is_theirs(line) { renewed.clone() } else { format!("{line}\n") });
    staged.write("SHA256SUMS", sums.collect::<String>())?;
    Ok(staged.publish(std::iter::empty())?)
}

/// The checksums of finished results.
fn sums_of(results: &Path) -> Result<String, ResultsError> {
    let path = results.join("SHA256SUMS");
    read_text(&path).map_err(|error| ResultsError::Unreadable { path, reason: error.to_string() })
}

/// The files of verdicts with their texts.
pub fn verdicts(study: &Study, findings: &Findings) -> [(&'static str, String); 2] {
    let of_times = |claim| study.judges.iter().any(|judge| judge.claim == claim && judge.of_times);
    [(CLAIMS, false), (CLAIMS_OF_TIMES, true)].map(|(file, times)| {
        let told = findings.iter().filter(|(claim, _)| of_times(*claim) == times);
        let lines: Vec<Judged> = told.map(|(claim, finding)| Judged::new(claim, study.name, finding)).collect();
        (file, claims_csv(&lines))
    })
}

/// Judges every claim of which the groups were measured.
///
/// # Errors
/// Tables that cannot be read.
pub fn judge(study: &Study, results: &crate::results::Results) -> Result<Findings, ResultsError> {
    let mut findings = vec![];
    for judge in &study.judges {
        match (judge.judge)(results) {
            Ok(finding) => findings.push((judge.claim, finding)),
            Err(ResultsError::Missing { .. } | ResultsError::TooFew(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(findings)
}

/// Draws every chart of which the groups were measured; the names of the files that do not depend on times.
///
/// # Errors
/// Tables that cannot be read, charts that cannot be drawn, a folder that cannot be written.
pub fn draw(study: &Study, results: &crate::results::Results, folder: &Path) -> Result<(Staged, Vec<String>), PublishError> {
    let mut staged = Staged::new(folder)?;
    let mut covered = vec![];
    for plot in &study.plots {
        let figure = match (plot.draw)(results) {
            Ok(figure) => figure,
            Err(ResultsError::Missing { .. } | ResultsError::TooFew(_)) => continue,
            Err(error) => return Err(error.into()),
        };
        let chart = |error| PublishError::Chart { name: plot.name, error };
        let files = [("svg", figure.svg().map_err(chart)?), ("csv", figure.points_csv().map_err(chart)?)];
        for (kind, text) in files {
            let file = format!("{}.{kind}", plot.name);
            staged.write(&file, text)?;
            if !figure.of_times {
                covered.push(file);
            }
        }
    }
    Ok((staged, covered))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::chart::{Axis, Figure, Layer, Palette, Panel};
    use crate::results::verify;
    use crate::study::Plot;

    fn line(_: &crate::results::Results) -> Result<Figure, ResultsError> {
        let points = vec![[0.0, 0.0], [1.0, 2.0]];
        let panel = Panel::new(Axis::linear("x"), Axis::linear("y"), vec![Layer::line("", Palette::BLUE, points)]);
        Ok(Figure::new("line", "", "", vec![panel]))
    }

    #[test]
    fn charts_drawn_anew_have_new_checksums_and_tables_keep_theirs() {
        let study = Study { plots: vec![Plot { name: "line", draw: line }], ..Study::of_groups(vec![]) };
        let folder = tempfile::tempdir().unwrap();
        let plots = folder.path().join("plots");
        fs::create_dir(&plots).unwrap();
        fs::write(folder.path().join("cases.csv"), "set\n0\n").unwrap();
        fs::write(plots.join("gone.svg"), "former").unwrap();
        let table = format!("{}  cases.csv\n", crate::identity::sha256(b"set\n0\n"));
        fs::write(folder.path().join("SHA256SUMS"), format!("{table}0  plots/gone.svg\n0  plots/line.svg\n")).unwrap();
        redraw(&study, &Places { results: folder.path(), plots: &plots, plots_from_results: "plots/" }).unwrap();
        let sums = read_text(&folder.path().join("SHA256SUMS")).unwrap();
        assert!(sums.starts_with(&table), "{sums}");
        let (files, mismatches) = verify(folder.path()).unwrap();
        assert_eq!((files, mismatches), (3, vec![]), "{sums}");
        assert!(!plots.join("gone.svg").exists());
    }
}
