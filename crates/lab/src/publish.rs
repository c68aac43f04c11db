//! Putting finished results in their place: tables, charts, verdicts, checksums, provenance.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use rayon::prelude::*;

use crate::files::{FileError, LARGEST, read_bytes, read_text, remove_file, write_whole};
use crate::foreign::{charts_of, check_charts, listed};
pub use crate::foreign::{check_foreign, check_reports};
use crate::judge::claims::Finding;
use crate::judge::judged::{Judged, NumberLine, claims_csv, numbers_csv};
use crate::judge::sample::Sample;
use crate::measure::run::{Measured, groups};
use crate::places::{BESIDE, NUMBERS_OF_CLAIMS};
pub use crate::places::{CLAIMS, CLAIMS_OF_TIMES, PUBLISHING, Places, PublishError, VERDICTS};
use crate::provenance::Provenance;
use crate::results::{Results, ResultsError};
use crate::staged::Staged;
use crate::study::{Judge, Study};
use crate::sums::{SUMS, SUMS_OF_TIMES, sum_line, without};
use crate::tables::{datapackage_json, table_csv, timings_csv};

/// Adds checksums of reports, of one study in the folder of its results, to those that tell damage.
///
/// # Errors
/// A file that cannot be read or written.
pub fn cover_reports(results: &Path, reports: &[&str]) -> Result<(), PublishError> {
    let mut sums = without(&sums_of(results, SUMS_OF_TIMES)?, |file| reports.contains(&file));
    for report in reports {
        sums += &sum_line(read_bytes(&results.join(report), LARGEST)?, report);
    }
    Ok(write_whole(&results.join(SUMS_OF_TIMES), sums.as_bytes())?)
}

/// What a claim came to, by its id.
pub type Findings = Vec<(&'static str, Finding)>;

/// Writes everything that follows from measured groups of a sample; all files get their names together at the end.
///
/// # Errors
/// The first that occurs; what was there before is then as it was, but where a chart cannot be drawn or a claim cannot be judged:
/// everything else is published then.
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
    let results = study.results(&staged.staged());
    staged.write("timings.csv", timings_csv(measured))?;
    let (findings, unjudged) = judge_each(study, sample, &results);
    for (file, text) in verdicts(study, sample, &findings) {
        staged.write(file, text)?;
    }
    covered.extend(VERDICTS[0].map(String::from));
    let Drawn { charts, covered: drawn, failed } = draw(study, &results, places.plots)?;
    let sums = staged.sums("", &covered)? + &charts.sums(places.plots_from_results, &drawn)?;
    let names = charts.names().iter().map(|name| format!("{}{name}", places.plots_from_results)).collect();
    staged.write("run.json", Provenance { charts: Some(names), ..provenance.clone() }.json())?;
    let rest = |staged: &Staged, covered: &[String]| -> Vec<String> {
        staged.names().iter().filter(|name| !covered.contains(name)).cloned().collect()
    };
    let of_times =
        staged.sums("", &rest(&staged, &covered))? + &charts.sums(places.plots_from_results, &rest(&charts, &drawn))?;
    staged.write(SUMS, sums)?;
    staged.write(SUMS_OF_TIMES, of_times)?;
    let former = listed(places.results);
    let publishing = places.results.join(PUBLISHING);
    write_whole(&publishing, study.name.as_bytes())?;
    charts.publish(former_charts(study, places, &former))?;
    staged.publish(former.iter().map(String::as_str).filter(|file| is_of(study, file)))?;
    remove_file(&publishing)?;
    unjudged.or(failed).map_or(Ok(findings), Err)
}

/// Whether a name is that of a table of a study or of what lies beside it: whatever else is listed somewhere is not ours to remove.
fn is_of(study: &Study, file: &str) -> bool {
    BESIDE.contains(&file) || study.groups.iter().any(|group| study.file_of(group.name()) == file)
}

/// The charts of a study among the files that were listed.
fn former_charts<'a>(study: &Study, places: &Places, former: &'a [String]) -> impl Iterator<Item = &'a str> {
    let charts: Vec<String> = charts_of(study).collect();
    let prefix = places.plots_from_results.to_owned();
    former
        .iter()
        .filter_map(move |file| file.strip_prefix(prefix.as_str()).filter(|file| charts.iter().any(|chart| chart == file)))
}

/// Draws the charts of finished results anew, and renews their checksums; the tables and theirs stay as they are.
///
/// # Errors
/// The first that occurs; results without SHA256SUMS among them.
pub fn redraw(study: &Study, places: &Places) -> Result<(), PublishError> {
    let listed = listed(places.results);
    check_charts(study, places, &listed)?;
    let Drawn { charts, covered: drawn, failed } = draw(study, &study.results(places.results), places.plots)?;
    let of_times: Vec<String> = charts.names().iter().filter(|name| !drawn.contains(name)).cloned().collect();
    let mut staged = Staged::new(places.results)?;
    for (name, charts_of) in [(SUMS, &drawn), (SUMS_OF_TIMES, &of_times)] {
        let others = without(&sums_of(places.results, name)?, |file| file.starts_with(places.plots_from_results));
        let sums = others + &charts.sums(places.plots_from_results, charts_of)?;
        if !sums.is_empty() {
            staged.write(name, sums)?;
        }
    }
    charts.publish(former_charts(study, places, &listed))?;
    staged.publish(std::iter::empty())?;
    failed.map_or(Ok(()), Err)
}

/// Puts findings from a sample in place of the verdicts of finished results, and renews their checksums; everything else stays as
/// it is.
///
/// # Errors
/// The first that occurs; results without SHA256SUMS among them.
pub fn renew_verdicts(study: &Study, sample: &Sample, findings: &Findings, results: &Path) -> Result<(), PublishError> {
    // former versions wrote no numbers of claims; where there are no checksums at all nothing is known to be another's
    let listed = listed(results);
    let is_there = |file: &str| results.join(file).symlink_metadata().is_ok();
    let is_foreign = |(sums, file): &(&str, &str)| listed.iter().all(|known| known != file) && is_there(file) && is_there(sums);
    if let Some((_, file)) = [SUMS, SUMS_OF_TIMES].into_iter().zip(NUMBERS_OF_CLAIMS).find(is_foreign) {
        return Err(PublishError::Foreign { path: results.join(file), study: study.name });
    }
    let mut staged = Staged::new(results)?;
    for (file, text) in verdicts(study, sample, findings) {
        staged.write(file, text)?;
    }
    for (name, [verdicts, numbers]) in [SUMS, SUMS_OF_TIMES].into_iter().zip(VERDICTS) {
        let renewed = staged.sums("", &[verdicts.into(), numbers.into()])?;
        let is_of = |line: &str, of: &str| line.split_once("  ").is_some_and(|(_, file)| file == of);
        let former = sums_of(results, name)?;
        let others = former.lines().filter(|line| !is_of(line, numbers));
        let sums = others.map(|line| if is_of(line, verdicts) { renewed.clone() } else { format!("{line}\n") });
        staged.write(name, sums.collect::<String>())?;
    }
    Ok(staged.publish(std::iter::empty())?)
}

/// Checksums of finished results. Those of times may be missing, in results of a former version: they are made of what is there.
fn sums_of(results: &Path, name: &str) -> Result<String, ResultsError> {
    let path = results.join(name);
    if name == SUMS_OF_TIMES && !path.exists() {
        let files = ["timings.csv", CLAIMS_OF_TIMES, "run.json"].map(|file| (file, read_bytes(&results.join(file), LARGEST)));
        let line = |(file, bytes): (&str, Result<Vec<u8>, FileError>)| Some(sum_line(bytes.ok()?, file));
        return Ok(files.into_iter().filter_map(line).collect());
    }
    read_text(&path).map_err(|error| ResultsError::Unreadable { path, reason: error.to_string() })
}

/// The files of verdicts from a sample, and of the numbers behind them, with their texts.
pub fn verdicts(study: &Study, sample: &Sample, findings: &Findings) -> Vec<(&'static str, String)> {
    let of_times = |claim| study.judges.iter().any(|judge| judge.claim == claim && judge.of_times);
    let files = |(times, [claims, numbers]): (bool, [&'static str; 2])| {
        let told = || findings.iter().filter(move |(claim, _)| of_times(*claim) == times);
        let lines: Vec<Judged> = told().map(|(claim, finding)| Judged::new(claim, study.name, finding, sample)).collect();
        let of_claims: Vec<NumberLine> = told().flat_map(|(claim, finding)| NumberLine::all(claim, finding)).collect();
        [(claims, claims_csv(&lines)), (numbers, numbers_csv(&of_claims))]
    };
    [false, true].into_iter().zip(VERDICTS).flat_map(files).collect()
}

/// Judges every claim of which the groups were measured, and which a sample can decide.
///
/// # Errors
/// The first claim that cannot be judged.
pub fn judge(study: &Study, sample: &Sample, results: &Results) -> Result<Findings, PublishError> {
    let (findings, failed) = judge_each(study, sample, results);
    failed.map_or(Ok(findings), Err)
}

/// Judges every claim of which the groups were measured, and which a sample can decide; the first that cannot be judged keeps none
/// of the others.
fn judge_each(study: &Study, sample: &Sample, results: &Results) -> (Findings, Option<PublishError>) {
    let (mut findings, mut failed) = (vec![], None);
    let is_left = |claim: &str| *sample == Sample::Short && study.short.full_size_alone.iter().any(|left| left == claim);
    // further readings and seeds say how far a verdict hangs on them; it is decided without
    let results = results.without(study.short.left_out());
    let judges: Vec<&Judge> = study.judges.iter().filter(|judge| !is_left(judge.claim)).collect();
    let judged: Vec<_> =
        judges.par_iter().map(|judge| (judge.claim, catch_unwind(AssertUnwindSafe(|| (judge.judge)(&results))))).collect();
    for (claim, judged) in judged {
        match judged {
            Ok(Ok(finding)) => findings.push((claim, finding)),
            Ok(Err(ResultsError::Missing { .. } | ResultsError::TooFew(_))) => {}
            Ok(Err(error)) => _ = failed.get_or_insert(PublishError::Judge { claim, error }),
            Err(_) => _ = failed.get_or_insert(PublishError::Panicked { what: format!("the judge of {claim}") }),
        }
    }
    (findings, failed)
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
/// A folder that cannot be written.
pub fn draw(study: &Study, results: &Results, folder: &Path) -> Result<Drawn, PublishError> {
    let mut drawn = Drawn { charts: Staged::new(folder)?, covered: vec![], failed: None };
    for plot in &study.plots {
        let name = plot.name;
        let files = catch_unwind(AssertUnwindSafe(|| {
            let figure = (plot.draw)(results)?;
            let files = figure.svg().and_then(|svg| Ok([("svg", svg), ("csv", figure.points_csv()?)]));
            Ok((figure.of_times, files.map_err(|error| PublishError::Chart { name, error })?))
        }));
        let (of_times, files) = match files.unwrap_or_else(|_| Err(PublishError::Panicked { what: format!("the chart {name}") }))
        {
            Ok(drawn) => drawn,
            Err(PublishError::Results(ResultsError::Missing { .. } | ResultsError::TooFew(_))) => continue,
            Err(error) => {
                drawn.failed.get_or_insert(error);
                continue;
            }
        };
        for (kind, text) in files {
            let file = format!("{name}.{kind}");
            drawn.charts.write(&file, text)?;
            if !of_times {
                drawn.covered.push(file);
            }
        }
    }
    Ok(drawn)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::*;
    use crate::judge::claims::Verdict;
    use crate::measure::identity::sha256;
    use crate::study::{Judge, Plot};
    use crate::sums::verify;
    use chart::{Axis, Figure, Layer, Palette, Panel};

    fn line(_: &Results) -> Result<Figure, ResultsError> {
        figure(2.0)
    }

    /// A line up to `y`; none can be drawn to below zero.
    fn figure(y: f64) -> Result<Figure, ResultsError> {
        let points = vec![[0.0, 0.0], [1.0, y]];
        let panel = Panel::new(Axis::linear("x"), Axis::linear("y").range(0.0, y), vec![Layer::line("", Palette::BLUE, points)]);
        Ok(Figure::new("line", "", "", vec![panel]))
    }

    fn missing(results: &Results) -> Result<Figure, ResultsError> {
        results.times("nothing").and_then(|_| line(results))
    }

    fn unreadable<T>(_: &Results) -> Result<T, ResultsError> {
        Err(ResultsError::Unreadable { path: "a.csv".into(), reason: "a reason".into() })
    }

    fn panics<T>(_: &Results) -> Result<T, ResultsError> {
        panic!("as it should")
    }

    fn found(_: &Results) -> Result<Finding, ResultsError> {
        Ok(Finding::new(Verdict::Reproduced, "a number", "").cases(1))
    }

    /// A folder for results of a study without groups.
    struct Place {
        folder: tempfile::TempDir,
        plots: PathBuf,
    }

    impl Place {
        fn new() -> Place {
            let folder = tempfile::tempdir().unwrap();
            let plots = folder.path().join("plots");
            Place { folder, plots }
        }

        fn places(&self) -> Places<'_> {
            Places { results: self.folder.path(), plots: &self.plots, plots_from_results: "plots/" }
        }

        fn publish(&self, study: &Study) -> Result<Findings, PublishError> {
            publish(study, &Sample::Published, &[], &Provenance::default(), &self.places())
        }
    }

    #[test]
    fn charts_drawn_anew_have_new_checksums_and_tables_keep_theirs() {
        let plots = [("gone", missing as fn(&_) -> _), ("line", line)];
        let plots = plots.into_iter().map(|(name, draw)| Plot::new(name, draw)).collect();
        let study = Study { plots, ..Study::of_groups(vec![]) };
        let place = Place::new();
        let folder = place.folder.path();
        fs::create_dir(&place.plots).unwrap();
        for (file, text) in
            [("cases.csv", "set\n0\n"), ("plots/gone.svg", "former"), ("plots/mine.svg", "mine"), ("mine", "mine")]
        {
            fs::write(folder.join(file), text).unwrap();
        }
        let table = format!("{}  cases.csv\n", sha256(b"set\n0\n"));
        let others = "0  plots/gone.svg\n0  plots/line.svg\n0  plots/line.csv\n0  plots/mine.svg\n0  plots/../mine\n";
        fs::write(folder.join("SHA256SUMS"), format!("{table}{others}")).unwrap();
        redraw(&study, &place.places()).unwrap();
        let sums = read_text(&folder.join("SHA256SUMS")).unwrap();
        assert!(sums.starts_with(&table), "{sums}");
        assert!(!place.plots.join("gone.svg").exists());
        // what is listed is not ours for that
        assert!(place.plots.join("mine.svg").exists() && folder.join("mine").exists());
        for file in ["plots/mine.svg", "mine"] {
            fs::remove_file(folder.join(file)).unwrap();
        }
        let (files, mismatches) = verify(folder);
        assert_eq!((files, mismatches), (3, vec![]), "{sums}");
    }

    #[test]
    fn a_chart_or_a_judge_that_fails_keeps_nothing_else_from_being_published() {
        type Fails<T> = fn(&Results) -> Result<T, ResultsError>;
        let chart = |draw: Fails<Figure>| Study {
            plots: vec![Plot::new("bad", draw), Plot::new("line", line)],
            ..Study::of_groups(vec![])
        };
        let claim = |judge: Fails<Finding>| {
            let judges = vec![Judge::of_counts("BAD", judge), Judge::of_counts("GOOD", found)];
            Study { judges, plots: vec![Plot::new("line", line)], ..Study::of_groups(vec![]) }
        };
        for (study, said) in [
            (chart(|_| figure(-1.0)), "the chart bad: "),
            (chart(unreadable), "a.csv: a reason"),
            (chart(panics), "the chart bad panicked"),
            (claim(unreadable), "the claim BAD: a.csv: a reason"),
            (claim(panics), "the judge of BAD panicked"),
        ] {
            let place = Place::new();
            let told = place.publish(&study).unwrap_err().to_string();
            assert!(told.starts_with(said), "{told}");
            assert_eq!(verify(place.folder.path()).1, [], "{said}");
            assert!(place.plots.join("line.svg").exists(), "{said}");
            let verdicts = read_text(&place.folder.path().join(CLAIMS)).unwrap();
            assert_eq!(verdicts.contains("GOOD"), !study.judges.is_empty(), "{verdicts}");
        }
    }
}
