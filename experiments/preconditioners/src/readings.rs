//! The first sheets under other readings of the tolerance and in other contact, and sheets of another base seed.

use kit::prelude::*;

use super::charts::bar;
use super::samples::rows_of;
use super::scenes::{CONVERGED, FIRST, FRICTIONLESS, PINNED, ROOT, Reading, SLIDING, STEP, STICKING, Scene};
use super::systems::{SystemRanges, SystemRow, Systems, row};

ranges!(ReadingRanges {
    //! How many of the first sets are run under each other reading of the tolerance.
    /// tol² = c dt.
    root: Count,
    /// Solved to 1e-8.
    converged: Count,
    /// tol = c dt against the first residual.
    first: Count,
    /// Sticking contact, tol = c dt.
    sticking: Count,
    /// No friction, tol = c dt.
    frictionless: Count,
    /// Pinned and in sliding contact, tol = c dt, from another base seed.
    seeds: Count,
});

/// The first sets of the main group under other readings of the tolerance, and in sticking contact.
pub struct Readings(pub SystemRanges, pub ReadingRanges);
/// A sheet, and under which readings it is run.
#[derive(Clone, Debug)]
pub struct ReadingCase {
    sheet: Sheet,
    runs: Vec<(Scene, Reading)>,
}

impl Group for Readings {
    const NAME: &'static str = "readings";
    const ABOUT: &'static str = "the first sets of the main group under other readings of the tolerance, and in other contact";
    const SCENES: &'static str = Systems::NAME;
    type Case = ReadingCase;
    type Row = SystemRow;

    fn sets(&self) -> u64 {
        let ReadingRanges { root, converged, first, sticking, frictionless, .. } = &self.1;
        [root, converged, first, sticking, frictionless].into_iter().map(|count| u64::from(count.get())).max().unwrap_or(0)
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> ReadingCase {
        let ReadingRanges { root, converged, first, sticking, frictionless, .. } = &self.1;
        let wanted = |count: &Count| set < u64::from(count.get());
        let readings = [(root, ROOT), (converged, CONVERGED), (first, FIRST)].into_iter().filter(|(count, _)| wanted(count));
        let mut runs: Vec<(Scene, Reading)> =
            readings.flat_map(|(_, reading)| [PINNED, SLIDING].map(|scene| (scene, reading))).collect();
        runs.extend(wanted(sticking).then_some((STICKING, STEP)));
        runs.extend(wanted(frictionless).then_some((FRICTIONLESS, STEP)));
        ReadingCase { sheet: Sheet::of_length(&self.0.lists, Configuration::Corners, stream), runs }
    }

    fn kin(&self, case: &ReadingCase) -> u64 {
        case.sheet.weight().saturating_mul(case.runs.len() as u64)
    }

    fn parts(&self, case: &ReadingCase) -> usize {
        case.runs.len()
    }

    fn measure_part(&self, ReadingCase { sheet, runs }: &ReadingCase, part: usize) -> Vec<SystemRow> {
        let (scene, reading) = &runs[part];
        vec![row(sheet, scene, reading, self.0.duration.get())]
    }
}

impl Reseeded for Systems {
    const SEEDS: &'static str = "seeds";
    const ABOUT_SEEDS: &'static str = "sheets drawn from another base seed, pinned and sliding, otherwise as in the main group";
}

/// The readings of the tolerance that sheets on the sphere are run under.
pub const READINGS: [Reading; 4] = [ROOT, STEP, FIRST, CONVERGED];
/// Particles a side of sheets of one size.
const SIZES: [(usize, usize); 4] = [(5, 20), (25, 40), (45, 60), (65, 80)];
/// Their marks in a chart.
const MARKERS: [Marker; 4] = [Marker::Circle, Marker::Square, Marker::Triangle, Marker::Diamond];
/// Sheets that are lost under each reading of the tolerance.
pub fn lost(results: &Results) -> Result<Figure, ResultsError> {
    let mut panels = vec![];
    for scene in [PINNED, SLIDING] {
        let mut layers = vec![];
        for (k, reading) in READINGS.iter().enumerate() {
            let rows = rows_of(results, &scene, reading)?;
            let share = |low: usize, high: usize| {
                share_of(rows.iter().filter(|row| (low..=high).contains(&row.side)).map(|row| !row.is_finished()))
            };
            let place = |group: usize| group as f64 + 1.0 + 0.15 * (k as f64 - 1.5);
            let bars = SIZES.iter().enumerate().filter_map(|(group, size)| bar(place(group), &share(size.0, size.1)?)).collect();
            layers.push(Layer::error_bars(reading.name, Palette::series(k), bars).marker(MARKERS[k]));
        }
        let y = Axis::linear("share of sheets that are lost").range(0.0, 1.0);
        panels.push(
            Panel::new(Axis::categories("particles a side", SIZES.map(|(low, high)| format!("{low} to {high}"))), y, layers)
                .titled(scene.name)
                .legend_outside(),
        );
    }
    let caption = "A sheet is lost where any of its runs, without preconditioner, with A-Block or with CP, gains more energy than a fall \
                   by its length or ends in numbers that are not finite; shares of sheets by size, with 95 % intervals. The thesis calls \
                   its results stable.";
    Ok(Figure::new("lost", "Sheets that gain energy or come apart, by reading of the tolerance", caption, panels))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let others = SystemRanges { sets: ranges.readings.seeds, ..ranges.systems.clone() };
    Topic::of(Readings(ranges.systems.clone(), ranges.readings.clone()))
        .table(Seeds(Systems(others)))
        .plot("lost", lost)
        .places(&[("lost", 1)])
}
