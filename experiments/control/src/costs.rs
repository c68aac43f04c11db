//! What a gradient by the adjoint state takes beside a run, by the number of parameters, timed alone and in turn.

use cloth::adjoint::{Adjoint, KeyFrame, NoGradient};
use kit::prelude::*;

use super::sheets::{LENGTH, Made, Sheet, Sheets, free};

ranges!(CostRanges {
    //! Sheets and measurements.
    /// Number of sheets.
    sheets_of_each: Count,
    /// What they are drawn from.
    sheets: Sheets,
    /// Numbers that are looked for, about.
    parameters: List<Count>,
    /// Measurements of each.
    repeats: Count,
});

words! {
    /// What is timed.
    pub enum Task {
        /// A run.
        Run = "run",
        /// A run with its gradient, all states kept.
        Gradient = "run and gradient",
        /// A run with its gradient, states between some that are kept computed again.
        Again = "run and gradient, states computed again",
    }
}

row! {
    /// A sheet with a number of parameters.
    pub struct CostRow {
        /// run; run and gradient; run and gradient, states computed again
        pub task: Task,
        /// springs on a grid, springs on triangles, or a continuum
        pub made: Made,
        /// particles a side
        pub side: usize,
        /// numbers by which is differentiated
        pub parameters: usize,
        /// steps of the run
        pub steps: usize,
        /// finished, or refused: a step does not converge
        pub status: Status,
        /// matrices factored, by the way back in time too
        pub factorisations: u64,
        /// solves by their factors on the way back
        pub solves: u64,
        /// steps taken anew
        pub again: u64,
    }
}

/// Sheets with numbers of parameters, each by every task.
pub struct Costs(pub CostRanges);

/// Forces over the weights of their particles \[-\].
const FORCE: f64 = 0.1;

impl Costs {
    /// A task, of a number of parameters about as large as asked for.
    fn row(&self, sheet: &Sheet, parameters: usize, task: Task) -> CostRow {
        let row = CostRow { task, made: sheet.made, side: sheet.side, steps: sheet.steps, ..CostRow::default() };
        let refused = |row: CostRow| CostRow { status: Status::Refused, ..row };
        self.measured(sheet, parameters, row.clone()).unwrap_or_else(|_| refused(row))
    }

    fn measured(&self, sheet: &Sheet, parameters: usize, row: CostRow) -> Result<CostRow, NoGradient> {
        let model = sheet.model()?;
        let (free, masses, rest) = (free(&model), model.system().masses(), model.rest());
        let intervals = parameters.div_ceil(3 * free.len()).min(sheet.steps);
        let count = (parameters / (3 * intervals)).clamp(1, free.len());
        let particles: Vec<usize> = (0..count).map(|k| free[k * free.len() / count]).collect();
        let wave = |k: usize, particle: usize| {
            let k = k as f64;
            FORCE * GRAVITY * masses[particle] * Vec3::new(libm::sin(k), libm::cos(3.0 * k), libm::sin(7.0 * k))
        };
        let of_interval = |interval: usize| particles.iter().map(move |particle| (interval, *particle));
        let u: Vec<Vec3> = (0..intervals).flat_map(of_interval).enumerate().map(|(k, (_, i))| wave(k, i)).collect();
        let places = free.iter().map(|particle| (*particle, rest[*particle] + 0.25 * LENGTH * Vec3::z())).collect();
        let keyframes = vec![KeyFrame { step: sheet.steps, places, weight: 1.0 }];
        let forces = sheet.forces(particles.clone(), intervals).unwrap_or_default();
        let mut wanted = sheet.task(&model, forces, keyframes, 0.0);
        if row.task == Task::Again {
            wanted.keep_every = sheet.steps.isqrt();
        }
        let mut adjoint = Adjoint::new(model.differentiable(), wanted)?;
        let cost = match row.task {
            Task::Run => adjoint.run(model.differentiable(), &u, |_| {}).map(|_| cloth::adjoint::Cost::default())?,
            Task::Gradient | Task::Again => adjoint.gradient(model.differentiable(), &u)?.cost,
        };
        Ok(CostRow {
            parameters: 3 * u.len(),
            status: Status::Finished,
            factorisations: adjoint.work().solves + cost.factorisations,
            solves: cost.solves,
            again: cost.steps_again,
            ..row
        })
    }
}

impl Group for Costs {
    const NAME: &'static str = "costs";
    const ABOUT: &'static str = "runs with and without their gradients, a set a task: their times stand in timings.csv";
    const SAMPLED: bool = false;
    type Case = (Sheet, usize, Task);
    type Row = CostRow;

    fn sets(&self) -> u64 {
        let counts = self.0.parameters.values().len() as u64;
        Task::ALL.len() as u64 * counts * u64::from(self.0.sheets_of_each.get())
    }

    fn repeats(&self) -> u32 {
        self.0.repeats.get()
    }

    fn scene(&self, set: u64) -> u64 {
        set / (Task::ALL.len() * self.0.parameters.values().len()) as u64
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Self::Case {
        let (tasks, counts) = (Task::ALL.len(), self.0.parameters.values());
        let count = counts[set as usize / tasks % counts.len()].get() as usize;
        (Sheet::draw(&self.0.sheets, stream), count, Task::ALL[set as usize % tasks])
    }

    fn kin(&self, (sheet, ..): &Self::Case) -> u64 {
        sheet.side as u64
    }

    fn measure(&self, (sheet, count, task): &Self::Case) -> Vec<CostRow> {
        vec![self.row(sheet, *count, *task)]
    }
}

/// A sheet with a number of parameters of which all tasks are finished: the time of a gradient over that of a run \[-\], states
/// kept and computed again.
struct Ratio {
    parameters: usize,
    seconds: [f64; 2],
}

fn timed(results: &Results) -> Result<Vec<Ratio>, ResultsError> {
    let (rows, medians) = (results.rows::<Costs>()?, median_seconds::<Costs>(results)?);
    let tasks = Task::ALL.len() as u64;
    let of = |set: &[Row<CostRow>]| {
        let [run, gradient, again] = Task::ALL.map(|task| {
            let row = set.iter().find(|row| row.row.task == task && row.row.status == Status::Finished)?;
            medians.get(&row.set).copied()
        });
        let (run, others) = (run?, [gradient?, again?]);
        Some(Ratio { parameters: set.first()?.row.parameters, seconds: others.map(|seconds| seconds / run) })
    };
    Ok(rows.chunk_by(|a, b| a.set / tasks == b.set / tasks).filter_map(of).collect())
}

/// What a gradient takes at the largest number of parameters, and how that grows with it, in words.
pub fn growth(results: &Results) -> Result<String, ResultsError> {
    let ratios = timed(results)?;
    let none = || too_few("no gradient was timed");
    let largest = ratios.iter().map(|ratio| ratio.parameters).max().ok_or_else(none)?;
    let last: Vec<f64> = ratios.iter().filter(|ratio| 2 * ratio.parameters > largest).map(|ratio| ratio.seconds[0]).collect();
    let most = Estimate::median(&last).ok_or_else(none)?;
    let points: Vec<[f64; 2]> = ratios.iter().map(|ratio| [ratio.parameters as f64, ratio.seconds[0]]).collect();
    let law = power_law("gradient", &points).ok_or_else(none)?;
    let exponent = Estimate { value: law.exponent, interval: law.interval, cases: points.len() };
    Ok(format!("{most} runs at the largest number of parameters, grows with it to the power of {exponent}"))
}

/// Time of a gradient in runs, against the parameters, and that by differences.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let ratios = timed(results)?;
    let names = ["adjoint state", "adjoint state, states computed again"];
    let layers = names.into_iter().enumerate().map(|(k, name)| {
        let points = ratios.iter().map(|ratio| [ratio.parameters as f64, ratio.seconds[k]]).collect();
        Layer::points(name, Palette::series(k), points)
    });
    let [fewest, most] = extent(ratios.iter().map(|ratio| ratio.parameters as f64));
    let differences = vec![[fewest, fewest + 1.0], [most, most + 1.0]];
    let differences = Layer::line("differences: a run each and one more", Palette::GREY, differences).dash(Dash::Dashed);
    let layers = layers.chain([differences]).collect();
    let panel = Panel::new(Axis::log("parameters"), Axis::log("time of a run and its gradient [runs]"), layers);
    let caption = "Time of a run with its gradient over that of the run alone: medians of repeats, a point a sheet; one thread.";
    let figure =
        Figure::new("costs", "What a gradient takes, by its number of parameters", caption, vec![panel.legend_outside()]);
    Ok(Figure { of_times: true, ..figure })
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Costs(ranges.costs.clone())).plot("costs", chart)
}

#[cfg(test)]
mod tests {
    use super::super::sheets::tests::SHEET;
    use super::*;

    fn costs() -> Costs {
        let text = "sheets_of_each = 1\nparameters = [10]\nrepeats = 1\n[sheets]\nmade = ['springs on a grid']\nside = [5]\n\
                    density = [0.1, 0.2]\nstiffness = [50.0, 60.0]\nshear = [0.3, 0.5]\ndamping = [5e-4, 6e-4]\nstep = 0.02\nsteps = 12\n";
        Costs(kit::ranges::stated(text))
    }

    #[test]
    fn the_way_back_factors_a_matrix_a_step_whatever_the_parameters() {
        for made in Made::ALL {
            let sheet = Sheet { made, ..SHEET };
            let row = |parameters, task| costs().row(&sheet, parameters, task);
            for (asked, given) in [(10, 9), (60, 60), (100, 96), (100_000, 720)] {
                let [run, gradient, again] = Task::ALL.map(|task| row(asked, task));
                assert!(run.status == Status::Finished && (run.parameters, run.steps) == (given, 12), "{run:?}");
                assert_eq!((gradient.factorisations - run.factorisations, gradient.again), (12, 0), "{made}");
                assert_eq!(again.again, 12, "all steps but those from a state that is kept, which are taken too");
            }
        }
    }
}
