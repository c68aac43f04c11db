//! Verdicts on the relaxed patch and on the garment. Their criteria stand in `claims/*.toml` and were fixed before the runs.

use lab::judge::statistics::median;
use lab::prelude::*;

use super::garment::{Garment, GarmentRow, GarmentTimes};
use super::relaxed::{AT_REST, PatchRow, Patches, Relaxed, RelaxedRow};
use super::samples::{same, seconds};

/// A strain in percent, also where it is far below one.
pub fn percent(strain: f64) -> String {
    format!("{} %", short(100.0 * strain))
}

/// G-RELAX: the distance of lowest points up to which patches are alike, in sides.
const ALIKE: f64 = 0.01;

/// G-RELAX.
pub fn relaxed(results: &Results) -> Result<Finding, ResultsError> {
    let patches = results.rows::<Patches>()?;
    let swung = results.rows::<Relaxed>()?;
    at_rest(&patches, &swung)
}

/// Whether the patch at 1 % is like the finest one and that at 10 % is not, and whether it is at least nearer; open where one is missing.
fn alike(lowest: &[(f64, f64)]) -> [Answer; 2] {
    let finest = lowest.iter().min_by(|a, b| a.0.total_cmp(&b.0));
    let away = |strain: f64| {
        let found = lowest.iter().find(|(at, _)| same(*at, strain))?;
        Some((found.1 - finest?.1).abs())
    };
    match away(0.01).zip(away(0.1)).filter(|_| finest.is_some_and(|finest| finest.0 < 0.01)) {
        None => [Answer::Open; 2],
        Some((one, ten)) => {
            let near = Estimate::exact(one, 1).lies_below(ALIKE);
            let far = Answer::from(ten > ALIKE);
            [near.and(far), far.and(Answer::from(one < ten))]
        }
    }
}

fn at_rest(patches: &[Row<PatchRow>], swung: &[Row<RelaxedRow>]) -> Result<Finding, ResultsError> {
    let patches: Vec<&PatchRow> = patches.chunk_by(|a, b| a.set == b.set).map(|patch| &patch[0].row).collect();
    let rest = |row: &&&PatchRow| row.status == AT_REST;
    let lowest: Vec<(f64, f64)> = patches.iter().filter(rest).filter_map(|row| Some((row.strain, row.lowest?))).collect();
    if lowest.is_empty() {
        return Err(ResultsError::TooFew("no patch came to rest".into()));
    }
    let [holds, direction] = alike(&lowest);
    let finest = lowest.iter().map(|(strain, _)| *strain).fold(f64::INFINITY, f64::min);
    let words = |pick: &dyn Fn(&PatchRow) -> String| {
        patches.iter().map(|row| format!("{} at {}", pick(row), percent(row.strain))).collect::<Vec<_>>().join(", ")
    };
    let by_projection = |name: &str, pick: fn(&RelaxedRow) -> Option<f64>| {
        let ended = swung.iter().filter(|row| row.row.status == "converged");
        let lowest: Vec<(f64, f64)> = ended.filter_map(|row| Some((row.row.strain, pick(&row.row)?))).collect();
        let [holds, direction] = alike(&lowest);
        let words = swung.iter().map(|row| format!("{} at {}", word(pick(&row.row), short), percent(row.row.strain)));
        Reading::new(name, words.collect::<Vec<_>>().join(", "), verdict(holds, direction))
    };
    let moves = swung.iter().map(|row| format!("{} at {}", word(row.row.kinetic, short), percent(row.row.strain)));
    let reading = |name: &str, measured: String| Reading::new(name, measured, None);
    let lost = patches.len() - lowest.len();
    let one = lowest.iter().find(|(strain, _)| same(*strain, 0.01)).zip(lowest.iter().find(|(strain, _)| same(*strain, finest)));
    Ok(Finding::new(
        verdict(holds, direction),
        format!("lowest points below the pins at rest {} m", words(&|row| word(row.lowest, short))),
        format!(
            "named patches, compared with that at {}; {lost} of {} did not come to rest. Another pattern of strain at the same largest one, as \
             of strain limiting, could overturn it",
            percent(finest),
            patches.len()
        ),
    )
    .value(one.map(|(one, finest)| (one.1 - finest.1).abs()))
    .cases(lowest.len())
    .left_out(lost)
    .readings(vec![
            reading("stiffness of the springs [N/m]", words(&|row| word(row.stiffness, short))),
            reading("largest speed at rest [m/s]", words(&|row| word(row.speed, short))),
            by_projection("fast projection at that permissible strain, pins 0.98 m apart, mean of the last second [m]", |row| {
                row.lowest
            }),
            by_projection("the same, the lowest in the last second [m]", |row| row.most),
            by_projection("the same, the highest in the last second [m]", |row| row.least),
            reading("largest kinetic energy in the last second there [J]", moves.collect::<Vec<_>>().join(", ")),
        ]))
}

/// The published time of a frame \[s\] of the trousers.
const PUBLISHED: f64 = 9.0;

/// A number in words, none where there is none.
pub fn word(value: Option<f64>, words: fn(f64) -> String) -> String {
    value.map_or_else(|| "none".into(), words)
}

/// What became of the waist in a run.
struct Worn<'a> {
    first: &'a GarmentRow,
    lowest: Option<f64>,
    largest: Option<f64>,
    largest_collided: Option<f64>,
    went: bool,
}

impl Worn<'_> {
    fn words(&self) -> String {
        let GarmentRow { strain, elastic, substeps, .. } = self.first;
        let end = if self.went { "" } else { ", and ends early" };
        format!("{} m at {}, {elastic}, {substeps} steps a frame{end}", word(self.lowest, short), percent(*strain))
    }

    fn is_up(&self) -> bool {
        self.went && self.lowest.is_some_and(|lowest| lowest > 0.0)
    }
}

/// Every run; one has gone through where it has all frames and every step converged.
fn worn(rows: &[Row<GarmentRow>]) -> Vec<Worn<'_>> {
    let frames = rows.iter().map(|row| row.row.frame).max().unwrap_or(0);
    let of = |run: &'_ [Row<GarmentRow>]| {
        let most = |pick: fn(&GarmentRow) -> Option<f64>| run.iter().filter_map(|row| pick(&row.row)).reduce(f64::max);
        let whole = run.last().is_some_and(|row| row.row.frame == frames);
        let went = whole && run.iter().all(|row| row.row.status == "converged" && row.row.missed == 0);
        (
            most(|row| row.waist.map(|waist| -waist)).map(|most| -most),
            most(|row| row.largest),
            most(|row| row.largest_collided),
            went,
        )
    };
    let runs = rows.chunk_by(|a, b| a.set == b.set);
    runs.map(|run| {
        let (lowest, largest, largest_collided, went) = of(run);
        Worn { first: &run[0].row, lowest, largest, largest_collided, went }
    })
    .collect()
}

/// G-SCENE.
pub fn scene(results: &Results) -> Result<Finding, ResultsError> {
    let rows = results.rows::<Garment>()?;
    let worn = worn(&rows);
    let finest = worn.iter().map(|run| run.first.substeps).max().unwrap_or(0);
    let at = |strain: f64| -> Vec<&Worn<'_>> {
        worn.iter().filter(|run| run.first.substeps == finest && same(run.first.strain, strain)).collect()
    };
    let (one, ten) = (at(0.01), at(0.1));
    let timed = results.rows::<GarmentTimes>()?;
    let medians = seconds(results, "garment-times")?;
    let mut times = vec![];
    for run in timed.chunk_by(|a, b| a.set == b.set) {
        let row = &run[0].row;
        let went = run.iter().all(|row| row.row.waist.is_some());
        if let Some(time) = medians.get(&run[0].set).filter(|_| went) {
            times.push((row, time / run.len() as f64));
        }
    }
    let slowest = times.iter().filter(|(row, _)| same(row.strain, 0.01)).map(|(_, time)| *time).fold(0.0, f64::max);
    if one.is_empty() || ten.is_empty() || slowest == 0.0 {
        return Err(ResultsError::TooFew("no trousers at 10 % and at 1 %".into()));
    }
    let up = one.iter().all(|run| run.is_up());
    let least = |runs: &[&Worn<'_>]| runs.iter().filter_map(|run| run.lowest).reduce(f64::min);
    let waists = |runs: &[&Worn<'_>]| runs.iter().map(|run| run.words()).collect::<Vec<_>>().join("; ");
    let all: Vec<&Worn<'_>> = worn.iter().collect();
    let strains = |pick: fn(&Worn<'_>) -> Option<f64>| {
        let words = |run: &Worn<'_>| {
            let GarmentRow { strain, elastic, substeps, .. } = run.first;
            format!("{} at {}, {elastic}, {substeps} steps a frame", word(pick(run), percent), percent(*strain))
        };
        worn.iter().map(words).collect::<Vec<_>>().join("; ")
    };
    let frame = |elastic: &str| {
        let factorisations =
            rows.iter().filter(|row| row.row.elastic == elastic && row.row.substeps == finest && same(row.row.strain, 0.01));
        let counts: Vec<f64> = factorisations.map(|row| row.row.factorisations as f64).collect();
        median(&counts).map_or_else(|| "none".into(), |count| format!("{} {elastic}", short(count)))
    };
    let reading = |name: &str, measured: String, verdict| Reading::new(name, measured, verdict);
    let deeper = least(&one).zip(least(&ten)).is_some_and(|(one, ten)| one > ten);
    let drops = verdict(Answer::from(up && deeper), Answer::No);
    let per_frame = times.iter().map(|(row, time)| format!("{} at {}, {}", short(*time), percent(row.strain), row.elastic));
    let without = worn.iter().filter(|run| run.lowest.is_none()).count();
    Ok(Finding::new(
        if up && slowest <= PUBLISHED { Verdict::HardwareBound } else { Verdict::NotReproduced },
        format!("{} s a frame at 1 % with {} vertices", short(slowest), rows[0].row.vertices),
        format!(
            "the waist is never less than {} m above the middle of the hips at 1 %, and {} m at 10 %, with {finest} steps a frame, in named runs; \
             seconds are those of this machine. A figure with narrower hips, or trousers that do not hold, would overturn it",
            word(least(&one), short),
            word(least(&ten), short)
        ),
    )
    .value(slowest)
    .cases(worn.len() - without)
    .left_out(without)
    .readings(vec![
            reading("seconds a frame over the first frames", per_frame.collect::<Vec<_>>().join("; "), None),
            reading(
                "at 1 % the waist stays above the hips, at 10 % it sinks deeper",
                waists(&[one.clone(), ten].concat()),
                Some(drops),
            ),
            reading("lowest waist of every run", waists(&all), None),
            reading("factorisations in the median frame at 1 %", [frame("implicit"), frame("explicit")].join(", "), None),
            reading("largest strain before collisions, at the ends of frames", strains(|run| run.largest), None),
            reading("largest strain after collisions, at the ends of frames", strains(|run| run.largest_collided), None),
        ]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patches_are_compared_with_the_finest() {
        assert_eq!(alike(&[(0.1, 1.10), (0.01, 1.015), (0.001, 1.01)]), [Answer::Yes, Answer::Yes]);
        assert_eq!(alike(&[(0.1, 1.10), (0.01, 1.03), (0.001, 1.01)]), [Answer::No, Answer::Yes]);
        assert_eq!(alike(&[(0.1, 1.012), (0.01, 1.011), (0.001, 1.01)]), [Answer::No, Answer::No]);
        assert_eq!(alike(&[(0.1, 1.10), (0.01, 1.01)]), [Answer::Open; 2], "nothing finer");
        assert_eq!(alike(&[]), [Answer::Open; 2]);
    }
}
