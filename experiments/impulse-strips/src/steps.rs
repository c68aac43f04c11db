//! Iterations, work and strains of hanging sheets.

use kit::method_colors::color;
use kit::prelude::*;

use super::listed::{Listed, SheetList};
use super::rivals::{Rivals, WAYS};
use super::scene::{Hanging, LENGTH, RunRow, STRIPS, Size, Tolerance, Way, is_usual, usual};
use super::time_charts::{marked, name, tolerances};

ranges!(StepRanges {
    //! Sizes, tolerances and what else is varied.
    /// Grids.
    sizes: List<Size>,
    /// Permissible strains.
    tolerances: List<Tolerance>,
    /// Most iterations a step.
    iterations: Count,
    /// The tolerance at which the rest is varied, one thing at a time.
    tolerance: Tolerance,
    /// The largest grid with which it is.
    largest: Side,
    /// Other sides of the sheet \[m\].
    lengths: List<Positive>,
    /// Other angles of the arc that it starts as \[rad\].
    arcs: List<Positive>,
    /// Few iterations a step: the limit and the tolerance.
    few: Few,
    /// Permissible strains below those of the paper.
    finer: List<Tolerance>,
    /// The largest grid that has them.
    finest: Side,
});

ranges!(Few {
    //! Few iterations a step.
    #![derive(Copy)]
    /// Most iterations a step.
    iterations: Count,
    /// Permissible strain.
    tolerance: Tolerance,
});

impl StepRanges {
    fn runs(&self, size: Size) -> Vec<Hanging> {
        let usual = |tolerance: Tolerance| Hanging::usual(size, tolerance, self.iterations);
        let mut runs: Vec<Hanging> = self.tolerances.values().iter().map(|tolerance| usual(*tolerance)).collect();
        let varied = usual(self.tolerance);
        let frozen = Hanging { way: Way::Strips(Directions::Frozen), ..varied };
        runs.extend([frozen, Hanging { velocities: true, ..frozen }]);
        let few = Hanging { iterations: self.few.iterations, ..usual(self.few.tolerance) };
        runs.push(few);
        runs.extend(self.lengths.values().iter().map(|length| Hanging { length: length.get(), ..few }));
        if size.side.get() <= self.finest.get() {
            let printed = |tolerance: &Tolerance| Hanging { way: frozen.way, ..usual(*tolerance) };
            runs.extend(self.finer.values().iter().flat_map(|tolerance| [usual(*tolerance), printed(tolerance)]));
        }
        if size.side.get() <= self.largest.get() {
            runs.push(Hanging { velocities: true, ..varied });
            runs.extend(self.lengths.values().iter().map(|length| Hanging { length: length.get(), ..varied }));
            runs.extend(self.arcs.values().iter().map(|arc| Hanging { arc: arc.get(), ..varied }));
        }
        runs
    }
}

/// Hanging sheets; runs of one size share their pushes.
pub type Steps = Listed<StepRanges>;

impl SheetList for StepRanges {
    const NAME: &'static str = "steps";
    const ABOUT: &'static str =
        "hanging sheets by grid, tolerance, directions, velocity pass, size, slack and limit of iterations";

    fn all(&self) -> Vec<(u64, Hanging)> {
        let sizes = (0..).zip(self.sizes.values());
        sizes.flat_map(|(place, size)| self.runs(*size).into_iter().map(move |run| (place, run))).collect()
    }
}

/// Iterations by grid.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let runs = results.without_sets::<Steps>()?;
    let rivals = results.without_sets::<Rivals>()?;
    let most = runs.iter().map(|row| row.limit).max().unwrap_or(0);
    let of = |rows: &[RunRow], wanted: &dyn Fn(&RunRow) -> bool| -> Vec<[f64; 2]> {
        let rows = rows.iter().filter(|row| row.strain.is_some() && row.iterations > 0.0 && wanted(row));
        rows.map(|row| [row.side as f64, row.iterations]).collect()
    };
    let axes = || (Axis::log("n, particles a side").whole_numbers(), Axis::log("iterations a step, mean"));
    let mut layers = vec![];
    for (k, tolerance) in tolerances(runs.iter().filter(|row| usual(row) && row.limit == most)).into_iter().enumerate() {
        let points = of(&runs, &|row| usual(row) && row.limit == most && row.tolerance == tolerance);
        layers.extend(marked(name(tolerance), Palette::series(k), points));
    }
    let (x, y) = axes();
    let mut by_tolerance = Panel::new(x, y, layers).titled("strips");
    let varied = runs.iter().find(|row| row.limit == most && !row.is_sized(LENGTH, row.arc)).map_or(0.01, |row| row.tolerance);
    let strips = |row: &RunRow| row.method == STRIPS.name() && row.limit == most && row.tolerance == varied;
    let mut layers = vec![];
    layers.extend(marked("1 m, arc of 0.5 rad", Palette::BLACK, of(&runs, &|row| strips(row) && usual(row))));
    layers.extend(marked("velocities too", Palette::GREY, of(&runs, &|row| strips(row) && row.velocities)));
    let mut others: Vec<(String, f64, f64)> = vec![];
    for row in runs.iter().filter(|row| strips(row) && !usual(row) && !row.velocities) {
        let (length, arc) = (row.length, row.arc);
        let label = if row.is_sized(LENGTH, arc) { format!("arc of {arc} rad") } else { format!("{length} m") };
        if others.iter().all(|(known, _, _)| *known != label) {
            others.push((label, length, arc));
        }
    }
    for (k, (label, length, arc)) in others.into_iter().enumerate() {
        layers.extend(marked(
            label,
            Palette::series(k),
            of(&runs, &|row| strips(row) && row.is_sized(length, arc) && !row.velocities),
        ));
    }
    let (x, y) = axes();
    let mut variants = Panel::new(x, y, layers).titled(format!("strips, {}", name(varied)));
    let mut layers = vec![];
    for way in &WAYS {
        let is_way = |row: &RunRow| row.method == way.name() && is_usual(row.length);
        layers.extend(marked(way.name(), color(way.name()), of(&rivals, &is_way)));
    }
    if let Some(limit) = rivals.first().map(|row| row.limit) {
        layers.push(Layer::rule("limit", Palette::GREY, Direction::Horizontal, f64::from(limit)));
    }
    let (x, y) = axes();
    let mut divisions = Panel::new(x, y, layers).titled("against other divisions");
    for panel in [&mut by_tolerance, &mut variants, &mut divisions] {
        panel.legend = Corner::Outside;
    }
    let caption = "A hanging sheet with steps of 1/30 s; an iteration solves all rows and all columns once, or sweeps over all edges \
                   once. Steps that exhaust the limit of iterations count with it. Runs that fail are not drawn.";
    Ok(Figure::new("iterations", "Iterations a step by grid", caption, vec![by_tolerance, variants, divisions]))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Listed(ranges.steps.clone())).plot("iterations", chart)
}
