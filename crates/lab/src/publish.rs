//! Putting finished results in their place: tables, charts, verdicts, checksums, provenance.

use std::fs;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::chart::ChartError;
use crate::claims::{Finding, Judged, claims_csv};
use crate::files::{FileError, read_text, write_whole};
use crate::identity::sha256;
use crate::provenance::Provenance;
use crate::results::{ResultsError, SUMS, SUMS_OF_TIMES, Staged, datapackage_json, table_csv, timings_csv};
use crate::run::{Measured, RunError, groups};
use crate::sample::Sample;
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
    /// A file that is no result of the study, where one would be written.
    #[error("{} is there, and is not a result of the study {study}; move it away, or choose another --out", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The study.
        study: &'static str,
    },
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

/// The files beside the tables, all of which a folder of results has.
const BESIDE: [&str; 7] = [CLAIMS, CLAIMS_OF_TIMES, "datapackage.json", "timings.csv", "run.json", SUMS, SUMS_OF_TIMES];

/// Says that files are getting their names; while it is there, they are ours whatever they are.
const PUBLISHING: &str = ".publishing";

/// Refuses places where a file of somebody else has the name of a result: one that stands in no SHA256SUMS of the study, in a folder
/// without its record of a run, or is a table besides.
///
/// # Errors
/// [`PublishError::Foreign`] with the first one.
pub fn check_foreign(study: &Study, places: &Places) -> Result<(), PublishError> {
    let record = read_text(&places.results.join("run.json")).ok().and_then(|text| Provenance::parse(&text));
    let is_ours = record.is_some_and(|run| run.identity.study == study.name);
    if places.results.join(PUBLISHING).exists() {
        return Ok(());
    }
    let sums = read_text(&places.results.join(SUMS)).unwrap_or_default();
    let listed = |name: &str| is_ours && sums.lines().any(|line| line.split_once("  ").is_some_and(|(_, file)| file == name));
    let tables = study.groups.iter().map(|group| study.file_of(group.name())).filter(|table| !listed(table));
    let mut targets: Vec<PathBuf> = tables.map(|table| places.results.join(table)).collect();
    if !is_ours {
        targets.extend(BESIDE.iter().map(|file| places.results.join(file)));
        let charts = study.plots.iter().flat_map(|plot| ["svg", "csv"].map(|kind| format!("{}.{kind}", plot.name)));
        targets.extend(charts.map(|chart| places.plots.join(chart)));
    }
    // a dangling link is somebody's too
    match targets.into_iter().find(|path| path.symlink_metadata().is_ok()) {
        Some(path) => Err(PublishError::Foreign { path, study: study.name }),
        None => Ok(()),
    }
}

/// What a claim came to, by its id.
pub type Findings = Vec<(&'static str, Finding)>;

/// Writes everything that follows from measured groups of a sample; all files get their names together at the end.
///
/// # Errors
/// The first that occurs; what was there before is then as it was, but where a chart cannot be drawn: everything else is published then.
pub fn publish(
    study: &Study,
    sample: &Sample,
    measured: &[Measured],
    provenance: &Provenance,
    places: &Places,
) -> Result<Findings, PublishError> {
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
    for (file, text) in verdicts(study, sample, &findings) {
        staged.write(file, text)?;
    }
    covered.push(CLAIMS.into());
    let Drawn { charts, covered: drawn, failed } = draw(study, &results, places.plots)?;
    let sums = staged.sums("", &covered)? + &charts.sums(places.plots_from_results, &drawn)?;
    staged.write("run.json", provenance.json())?;
    let rest = |staged: &Staged, covered: &[String]| -> Vec<String> {
        staged.names().iter().filter(|name| !covered.contains(name)).cloned().collect()
    };
    let of_times =
        staged.sums("", &rest(&staged, &covered))? + &charts.sums(places.plots_from_results, &rest(&charts, &drawn))?;
    staged.write(SUMS, sums)?;
    staged.write(SUMS_OF_TIMES, of_times)?;
    let former = [SUMS, SUMS_OF_TIMES].map(|sums| read_text(&places.results.join(sums)).unwrap_or_default()).concat();
    let former = || former.lines().filter_map(|line| line.split_once("  ")).map(|(_, file)| file);
    let publishing = places.results.join(PUBLISHING);
    write_whole(&publishing, study.name.as_bytes())?;
    charts.publish(former().filter_map(|file| file.strip_prefix(places.plots_from_results)))?;
    staged.publish(former().filter(|file| !file.contains('/')))?;
    fs::remove_file(&publishing).map_err(|source| FileError::write(&publishing, source))?;
    failed.map_or(Ok(findings), Err)
}

/// Draws the charts of finished results anew, and renews their checksums; the tables and theirs stay as they are.
///
/// # Errors
/// The first that occurs; results without SHA256SUMS among them.
pub fn redraw(study: &Study, places: &Places) -> Result<(), PublishError> {
    let Drawn { charts, covered: drawn, failed } = draw(study, &study.results(places.results), places.plots)?;
    let of_times: Vec<String> = charts.names().iter().filter(|name| !drawn.contains(name)).cloned().collect();
    let mut staged = Staged::new(places.results)?;
    let mut former_charts = vec![];
    for (name, charts_of) in [(SUMS, &drawn), (SUMS_OF_TIMES, &of_times)] {
        let former = sums_of(places.results, name)?;
        let chart = |line: &str| Some(line.split_once("  ")?.1.strip_prefix(places.plots_from_results)?.to_owned());
        let others: String = former.lines().filter(|line| chart(line).is_none()).map(|line| format!("{line}\n")).collect();
        let sums = others + &charts.sums(places.plots_from_results, charts_of)?;
        if !sums.is_empty() {
            staged.write(name, sums)?;
        }
        former_charts.extend(former.lines().filter_map(chart));
    }
    charts.publish(former_charts.iter().map(String::as_str))?;
    staged.publish(std::iter::empty())?;
    failed.map_or(Ok(()), Err)
}

/// Puts findings from a sample in place of the verdicts of finished results, and renews their checksums; everything else stays as it is.
///
/// # Errors
/// The first that occurs; results without SHA256SUMS among them.
pub fn renew_verdicts(study: &Study, sample: &Sample, findings: &Findings, results: &Path) -> Result<(), PublishError> {
    let mut staged = Staged::new(results)?;
    for (file, text) in verdicts(study, sample, findings) {
        staged.write(file, text)?;
    }
    for (name, verdicts) in [(SUMS, CLAIMS), (SUMS_OF_TIMES, CLAIMS_OF_TIMES)] {
        let renewed = staged.sums("", &[verdicts.into()])?;
        let is_theirs = |line: &str| line.split_once("  ").is_some_and(|(_, file)| file == verdicts);
        let former = sums_of(results, name)?;
        let sums = former.lines().map(|line| if is_theirs(line) { renewed.clone() } else { format!("{line}\n") });
        staged.write(name, sums.collect::<String>())?;
    }
    Ok(staged.publish(std::iter::empty())?)
}

/// Checksums of finished results. Those of times may be missing, in results of a former version: they are made of what is there.
fn sums_of(results: &Path, name: &str) -> Result<String, ResultsError> {
    let path = results.join(name);
    if name == SUMS_OF_TIMES && !path.exists() {
        let files = ["timings.csv", CLAIMS_OF_TIMES, "run.json"].map(|file| (file, fs::read(results.join(file))));
        let line = |(file, bytes): (&str, std::io::Result<Vec<u8>>)| Some(format!("{}  {file}\n", sha256(bytes.ok()?)));
        return Ok(files.into_iter().filter_map(line).collect());
    }
    read_text(&path).map_err(|error| ResultsError::Unreadable { path, reason: error.to_string() })
}

/// The files of verdicts from a sample with their texts.
pub fn verdicts(study: &Study, sample: &Sample, findings: &Findings) -> [(&'static str, String); 2] {
    let of_times = |claim| study.judges.iter().any(|judge| judge.claim == claim && judge.of_times);
    [(CLAIMS, false), (CLAIMS_OF_TIMES, true)].map(|(file, times)| {
        let told = findings.iter().filter(|(claim, _)| of_times(*claim) == times);
        let lines: Vec<Judged> = told.map(|(claim, finding)| Judged::new(claim, study.name, finding, sample)).collect();
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

/// Charts that were drawn.
pub struct Drawn {
    /// Their files.
    pub charts: Staged,
    /// Names of those that do not depend on times.
    pub covered: Vec<String>,
    /// The first that could not be drawn; the others are there all the same.
    pub failed: Option<PublishError>,
}

/// Draws every chart of which the groups were measured.
///
/// # Errors
/// Tables that cannot be read, a folder that cannot be written.
pub fn draw(study: &Study, results: &crate::results::Results, folder: &Path) -> Result<Drawn, PublishError> {
    let mut drawn = Drawn { charts: Staged::new(folder)?, covered: vec![], failed: None };
    for plot in &study.plots {
        let figure = match (plot.draw)(results) {
            Ok(figure) => figure,
            Err(ResultsError::Missing { .. } | ResultsError::TooFew(_)) => continue,
            Err(error) => return Err(error.into()),
        };
        let files = match figure.svg().and_then(|svg| Ok([("svg", svg), ("csv", figure.points_csv()?)])) {
            Ok(files) => files,
            Err(error) => {
                drawn.failed.get_or_insert(PublishError::Chart { name: plot.name, error });
                continue;
            }
        };
        for (kind, text) in files {
            let file = format!("{}.{kind}", plot.name);
            drawn.charts.write(&file, text)?;
            if !figure.of_times {
                drawn.covered.push(file);
            }
        }
    }
    Ok(drawn)
}

#[cfg(test)]
mod tests {
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
        let table = format!("{}  cases.csv\n", sha256(b"set\n0\n"));
        fs::write(folder.path().join("SHA256SUMS"), format!("{table}0  plots/gone.svg\n0  plots/line.svg\n")).unwrap();
        redraw(&study, &Places { results: folder.path(), plots: &plots, plots_from_results: "plots/" }).unwrap();
        let sums = read_text(&folder.path().join("SHA256SUMS")).unwrap();
        assert!(sums.starts_with(&table), "{sums}");
        let (files, mismatches) = verify(folder.path()).unwrap();
        assert_eq!((files, mismatches), (3, vec![]), "{sums}");
        assert!(!plots.join("gone.svg").exists());
    }
}
