//! What does it take that the mesh changes: steps without a tear, and steps before each of which everything is made anew as after
//! one.

use cloth::tearing::{TearLimits, Tearing};
use kit::prelude::*;

use super::sheets::{Load, Sheet, Weave};
use super::torn::{Torn, Way};

ranges!(CostRanges {
    //! Sheets and steps.
    /// Particles a side.
    sides: List<Side>,
    /// dt \[s\].
    step: Positive,
    /// Steps that are timed together.
    steps: Count,
    /// Measurements of each.
    repeats: Count,
});

words! {
    /// What comes before a step.
    pub enum Before {
        /// Nothing: the cloth has no limits.
        Nothing = "nothing",
        /// All sides are looked at, and none is too long.
        Look = "a look at all sides",
        /// The net and the scheme are made anew, with the pattern of its linear systems.
        Anew = "net and scheme made anew",
        /// A particle is split first, so that the mesh is made anew as well.
        Tear = "a tear, and all made anew",
    }
}

words! {
    /// How linear systems are solved.
    pub enum Solved {
        Gradients = "conjugate gradients",
        Direct = "sparse Cholesky",
    }
}

/// The sheet that steps are taken of, which hangs by its upper side and does not tear by itself.
const SHEET: Sheet =
    Sheet { load: Load::Weight, side: 2, density: 0.2, allowed: 0.2, overload: 0.3, shear: 0.5, bend: 0.02, held: 1.0, seed: 1 };

/// How far a particle is drawn so that one side is too long \[h\].
const DRAWN: f64 = 0.5;

row! {
    /// Steps of a sheet.
    pub struct CostRow {
        /// nothing, a look at all sides, net and scheme made anew, a tear and all made anew
        pub before: Before,
        /// conjugate gradients, sparse Cholesky
        pub solved: Solved,
        /// particles a side
        pub side: usize,
        /// steps
        pub steps: u32,
        /// linear systems that were solved
        pub solves: u64,
        /// iterations of conjugate gradients
        pub iterations: u64,
        /// times that a scheme was made
        pub schemes: u64,
        /// particles that were split
        pub split: usize,
    }
}

/// Steps, a set for each sheet, solver and what comes before.
pub struct Costs(pub CostRanges);

/// What is timed.
#[derive(Clone, Copy, Debug)]
pub struct Timed {
    before: Before,
    solved: Solved,
    side: usize,
}

/// Positions at which one side is too long: one that ends at a particle of its own for each step, which is drawn to the right by
/// more than sides may be stretched, and by less than makes those above and below it too long.
fn pulled(sheet: &Sheet, x: &[Vec3], step: usize) -> Vec<Vec3> {
    let a_row = (sheet.side / 2 - 2).max(1);
    let (row, column) = (2 + 2 * (step / a_row), 2 + 2 * (step % a_row));
    let mut pulled = x.to_vec();
    pulled[row.min(sheet.side - 2) * sheet.side + column] += DRAWN / (sheet.side - 1) as f64 * Vec3::x();
    pulled
}

impl Costs {
    fn row(&self, &Timed { before, solved, side }: &Timed) -> Option<CostRow> {
        let (sheet, steps, dt) = (Sheet { side, ..SHEET }, self.0.steps.get(), self.0.step.get());
        let solver = if solved == Solved::Direct { Solver::Direct } else { Solver::default() };
        let settings = Settings { solver, ..Settings::default() };
        let Torn { mut mesh, mut net, mut state, mut scheme, .. } = sheet.torn(Weave::All, Way::Whole, settings).ok()?;
        let (weaving, mut tearing) = (sheet.weaving(Weave::All), Tearing::new(&mesh, TearLimits::new(sheet.limit()).ok()?));
        let (mut work, mut schemes) = (Work::default(), 1);
        for step in 0..steps {
            match before {
                Before::Nothing | Before::Anew => (),
                Before::Look => {
                    std::hint::black_box(tearing.exceeds(&state.x));
                }
                Before::Tear => {
                    let opening = tearing.tear(&mesh, net.pinned(), &pulled(&sheet, &state.x, step as usize))?;
                    opening.carry(&mut state);
                    mesh = opening.mesh;
                }
            }
            if matches!(before, Before::Anew | Before::Tear) {
                net = weaving.net(&mesh).ok()?;
                work += scheme.work();
                scheme = BackwardEuler::new(&net, settings);
                schemes += 1;
            }
            scheme.step(&net, dt, &mut state);
        }
        work += scheme.work();
        let Work { solves, iterations, .. } = work;
        Some(CostRow { before, solved, side, steps, solves, iterations, schemes, split: tearing.parents().len() })
    }

    /// What is timed, sheet by sheet.
    fn timed(&self) -> Vec<Timed> {
        let sides = self.0.sides.values().iter().flat_map(|side| Solved::ALL.map(|solved| (side.get() as usize, solved)));
        sides.flat_map(|(side, solved)| Before::ALL.map(|before| Timed { before, solved, side })).collect()
    }
}

impl Group for Costs {
    const NAME: &'static str = "costs";
    const ABOUT: &'static str =
        "steps of a sheet, before each of which it is torn or made anew: their times stand in timings.csv";
    type Case = Timed;
    type Row = CostRow;

    fn listed(&self) -> Vec<Timed> {
        self.timed()
    }

    fn repeats(&self) -> u32 {
        self.0.repeats.get()
    }

    fn kin(&self, timed: &Timed) -> u64 {
        timed.side as u64
    }

    fn measure(&self, timed: &Timed) -> Vec<CostRow> {
        self.row(timed).into_iter().collect()
    }
}

/// Median times of a step \[s\], by sheet and solver in the order of the table, in the order of [`Before`].
fn of_a_step(results: &Results) -> Result<Vec<(usize, Solved, [f64; 4])>, ResultsError> {
    let (rows, seconds) = (results.rows::<Costs>()?, median_seconds::<Costs>(results)?);
    let timed =
        rows.iter().filter_map(|row| Some(((row.row.side, row.row.solved), seconds.get(&row.set)? / f64::from(row.row.steps))));
    let of = |((side, solved), times): (_, Vec<f64>)| Some((side, solved, times.try_into().ok()?));
    Ok(grouped(timed).into_iter().filter_map(of).collect())
}

/// What is told of times: a line for each sheet and solver.
pub fn told(results: &Results) -> Result<String, ResultsError> {
    let heads = ["sheet", "systems", "a step [ms]", "and a look", "and all made anew", "and a tear"];
    let lines = of_a_step(results)?.into_iter().map(|(side, solved, [nothing, others @ ..])| {
        let times = others.map(|time| format!("{:.2} times", time / nothing));
        let first = [format!("{side} x {side}"), solved.to_string(), format!("{:.3}", 1e3 * nothing)];
        first.into_iter().chain(times).collect()
    });
    Ok(table(&heads, lines))
}

fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let times = of_a_step(results)?;
    let panel = |solved: Solved| {
        let layers = Before::ALL.iter().enumerate().map(|(k, before)| {
            let of = times.iter().filter(|(_, own, _)| *own == solved);
            let mut points: Vec<[f64; 2]> = of.map(|(side, _, times)| [(side * side) as f64, times[k]]).collect();
            points.sort_by(|a, b| a[0].total_cmp(&b[0]));
            Layer::line(before.name(), Palette::series(k), points)
        });
        let axes = (Axis::log("particles"), Axis::log("time of a step [s]"));
        Panel::new(axes.0, axes.1, layers.collect()).titled(solved.name()).legend_outside()
    };
    let caption = "Time of a step of backward Euler of a sheet that hangs, and of what comes before it: medians of the repeats. One thread.";
    let figure = Figure::new("costs", "What it takes that the mesh changes", caption, Solved::ALL.map(panel).into());
    Ok(Figure { columns: 2, of_times: true, ..figure.with_one_legend() })
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Costs(ranges.costs.clone())).plot("costs", chart)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_is_torn_once_and_everything_made_anew() {
        let costs = Costs(kit::ranges::stated("sides = [11]\nstep = 0.002\nsteps = 6\nrepeats = 1"));
        for solved in Solved::ALL {
            let [nothing, look, anew, tear] = Before::ALL.map(|before| costs.row(&Timed { before, solved, side: 11 }).unwrap());
            assert_eq!([nothing.schemes, look.schemes, anew.schemes, tear.schemes], [1, 1, 7, 7]);
            assert_eq!([nothing.split, look.split, anew.split, tear.split], [0, 0, 0, 6]);
            assert_eq!((nothing.solves, nothing.iterations), (look.solves, look.iterations));
            assert!(tear.solves == 6 && (solved == Solved::Direct) == (tear.iterations == 0));
        }
    }
}
