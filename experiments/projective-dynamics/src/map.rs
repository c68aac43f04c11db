//! Who is faster, by size and numerical stiffness.

use kit::prelude::*;

use super::sheets::{Kind, LENGTH, Sheet};
use super::solved::Solved;
use super::solvers::Way;
use super::times::{GOALS, Goal, TimeRow, again, row_of, timed};

ranges!(MapRanges {
    //! Sheets of springs that act both ways, caught at one moment of their fall.
    /// Particles a side.
    sides: List<Side>,
    /// kappa = dt² k / m \[-\].
    kappas: List<Positive>,
    /// Areal density \[kg/m²\].
    density: Positive,
    /// dt \[s\].
    step: Positive,
    /// Time of the fall after which they are caught \[s\].
    caught: Positive,
    /// Most iterations of projective dynamics; Newton has a twentieth of them.
    most: Count,
    /// Measurements of each.
    repeats: Count,
});

/// Sheets by size and stiffness, each by every way to every goal.
pub struct Map {
    ranges: MapRanges,
    solved: Solved,
}

impl Map {
    fn sheets(&self) -> Vec<Sheet> {
        let MapRanges { sides, kappas, density, step, caught, .. } = &self.ranges;
        let sheet = |side: usize, kappa: f64| {
            let (density, step, caught) = (density.get(), step.get(), caught.get());
            let mass = density * LENGTH * LENGTH / (side * side) as f64;
            Sheet { kind: Kind::TwoSided, side, density, stiffness: kappa * mass / (step * step), step, caught }
        };
        let mut sheets = vec![];
        for side in sides.values() {
            sheets.extend(kappas.values().iter().map(|kappa| sheet(side.get() as usize, kappa.get())));
        }
        sheets
    }
}

impl Group for Map {
    const NAME: &'static str = "map";
    const ABOUT: &'static str = "a step of sheets by size and stiffness, by every way to five goals: times stand in timings.csv";
    const SAMPLED: bool = false;
    type Case = (u64, Sheet, Way, Goal);
    type Row = TimeRow;

    fn listed(&self) -> Vec<Self::Case> {
        let mut cases = vec![];
        for (scene, sheet) in (0..).zip(self.sheets()) {
            for goal in GOALS {
                cases.extend(Way::ALL.map(|way| (scene, sheet, way, goal)));
            }
        }
        cases
    }

    fn repeats(&self) -> u32 {
        self.ranges.repeats.get()
    }

    fn enough(&self) -> f64 {
        0.1
    }

    fn kin(&self, (_, sheet, ..): &Self::Case) -> u64 {
        sheet.side as u64
    }

    fn measure(&self, (scene, sheet, way, goal): &Self::Case) -> Vec<TimeRow> {
        vec![row_of(sheet, *way, *goal, &self.solved.course(*scene, sheet, *way))]
    }

    fn repeat(&self, (scene, sheet, ..): &Self::Case, known: &[TimeRow]) -> Vec<TimeRow> {
        again(&self.solved, *scene, sheet, known);
        known.to_vec()
    }
}

/// Bins of the time of projective dynamics over that of Newton, from light to dark.
const BINS: [(f64, &str); 6] =
    [(0.25, "below 1/4"), (0.5, "1/4 to 1/2"), (1.0, "1/2 to 1"), (2.0, "1 to 2"), (8.0, "2 to 8"), (f64::INFINITY, "above 8")];

/// The map, by the fastest way of either side.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let (rows, medians) = (results.rows::<Map>()?, median_seconds::<Map>(results)?);
    let sheets = timed(&rows, &medians);
    let (sides, kappas) =
        (distinct(sheets.iter().map(|sheet| sheet.made.side)), grades(rows.iter().map(|row| row.row.made.kappa)));
    let panel = |goal: Goal| {
        let mut cells: Vec<(Option<f64>, bool, [f64; 2])> = vec![];
        for (i, &side) in sides.iter().enumerate() {
            for (j, &kappa) in kappas.iter().enumerate() {
                let here =
                    sheets.iter().find(|sheet| sheet.goal == goal && sheet.made.side == side && grade(sheet.made.kappa) == kappa);
                let ways = Way::ALL.into_iter().filter(|way| way.is_projective());
                let ratios =
                    here.into_iter().flat_map(|sheet| ways.clone().map(|way| (sheet.over_newton(way), sheet.reaches(way))));
                let best = ratios
                    .filter_map(|(ratio, reached)| Some((ratio?, reached)))
                    .reduce(|a, b| if (b.1, -b.0) > (a.1, -a.0) { b } else { a });
                cells.push((best.map(|best| best.0), best.is_some_and(|best| best.1), [i as f64 + 1.0, j as f64 + 1.0]));
            }
        }
        let bin = |ratio: f64| BINS.iter().position(|(to, _)| ratio < *to).unwrap_or(BINS.len() - 1);
        let within = |k: usize| {
            cells.iter().filter(move |(ratio, ..)| ratio.is_some_and(|ratio| bin(ratio) == k)).map(|cell| cell.2).collect()
        };
        let mut layers: Vec<Layer> = (BINS.iter().zip(Palette::SCALE).enumerate())
            .map(|(k, ((_, name), color))| Layer::cells(*name, color, [1.0, 1.0], within(k)))
            .collect();
        let number = |(ratio, reached, centre): &(Option<f64>, bool, [f64; 2])| {
            let number = match (ratio, reached) {
                (None, _) => "none".into(),
                (Some(ratio), true) => short(*ratio),
                (Some(ratio), false) => format!("> {}", short(*ratio)),
            };
            (*centre, number)
        };
        layers.push(Layer::texts(cells.iter().map(number).collect()));
        let x = Axis::categories("particles a side", sides.iter().map(usize::to_string).collect::<Vec<_>>());
        let y = Axis::categories("kappa = dt² k / m", kappas.iter().map(|kappa| format!("1e{kappa}")).collect::<Vec<_>>());
        Panel::new(x, y, layers).titled(goal.words())
    };
    let caption = "Time of the fastest way of projective dynamics over that of the fastest Newton to the same distance from the converged step, or energy, \
                   one sheet a place; more than a number where none of its ways gets there in the most iterations, none where Newton does not.";
    let figure = Figure::new("map", "Who is faster, by size and stiffness", caption, GOALS.map(panel).into());
    Ok(Figure { of_times: true, columns: 3, ..figure.with_one_legend().with_one_y() })
}

/// The power of ten next to a stiffness.
fn grade(kappa: f64) -> i32 {
    libm::log10(kappa).round() as i32
}

fn grades(kappas: impl Iterator<Item = f64>) -> Vec<i32> {
    distinct(kappas.map(grade))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let map = ranges.map.clone();
    let solved = Solved::new(map.most.get() as usize);
    Topic::of(Map { ranges: map, solved }).plot("map", chart)
}
