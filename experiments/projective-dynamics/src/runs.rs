//! Whole simulations with some iterations a step.

use cloth::integrators::{Iterations, ProjectiveDynamics};
use cloth::projective::Acceleration;
use kit::prelude::*;

use super::sheets::{Kind, LENGTH, Made, Sheet, Sheets};
use super::solved::Kept;

ranges!(RunRanges {
    //! Sheets that fall from where they are held.
    /// Number of sheets.
    scenes: Count,
    /// What they are drawn from.
    sheets: Sheets,
    /// Simulated time \[s\].
    duration: Positive,
    /// Measurements of each run for its time.
    repeats: Count,
});

words! {
    /// How every step is solved.
    pub enum Means {
        /// One linearisation, conjugate gradients to the default tolerance: the implicit integration of chapter 5.
        Once = "one Newton step",
        Two = "2 iterations",
        Five = "5 iterations",
        /// As many as the paper shows.
        Ten = "10 iterations",
        Twenty = "20 iterations",
        Fifty = "50 iterations",
        TenChebyshev = "10, Chebyshev",
        TenQuasiNewton = "10, L-BFGS",
        OnceLoosely = "one Newton step, to a tenth",
        OnceTightly = "one Newton step, to 1e-6",
        OnceDirectly = "one Newton step, directly",
    }
}

const MEANS: u64 = Means::ALL.len() as u64;

impl Means {
    fn integrator(self, cloth: &dyn System) -> Box<dyn Integrator> {
        let iterations = |limit, acceleration| -> Box<dyn Integrator> {
            Box::new(ProjectiveDynamics::new(cloth, Iterations { limit, tolerance: None, acceleration }))
        };
        let once =
            |solver| -> Box<dyn Integrator> { Box::new(BackwardEuler::new(cloth, Settings { solver, ..Settings::default() })) };
        let to = |tolerance| Solver::ConjugateGradients(ConjugateGradients::to(Tolerance::Fixed(tolerance)));
        match self {
            Means::Once => once(Solver::default()),
            Means::OnceLoosely => once(to(0.1)),
            Means::OnceTightly => once(to(1e-6)),
            Means::OnceDirectly => once(Solver::Direct),
            Means::Two => iterations(2, Acceleration::None),
            Means::Five => iterations(5, Acceleration::None),
            Means::Ten => iterations(10, Acceleration::None),
            Means::Twenty => iterations(20, Acceleration::None),
            Means::Fifty => iterations(50, Acceleration::None),
            Means::TenChebyshev => iterations(10, Acceleration::Chebyshev { rho: 0.9 }),
            Means::TenQuasiNewton => iterations(10, Acceleration::QuasiNewton { pairs: 5 }),
        }
    }
}

row! {
    /// A sheet by one of the means.
    pub struct RunRow {
        /// the sheet
        pub made: Made,
        /// one Newton step, or so many iterations of projective dynamics
        pub means: Means,
        /// steps taken
        pub steps: u64,
        /// finished, or not finite
        pub status: Status,
        /// distance to the run of converged steps at the end, rms over particles, over the side
        pub apart: Option<f64>,
        /// strain of the longest spring at the end, (l - L)/L
        pub strain: Option<f64>,
        /// that of the run of converged steps
        pub converged_strain: Option<f64>,
    }
}

/// Sheets, each by all means.
pub struct Runs {
    ranges: RunRanges,
    /// Where converged steps lead, scene by scene.
    converged: Kept<u64, Option<State>>,
}

/// Change of velocities at which a step has converged \[m/s\].
const CONVERGED: f64 = 1e-8;

impl Runs {
    fn steps(&self, sheet: &Sheet) -> u64 {
        (self.ranges.duration.get() / sheet.step).round() as u64
    }

    /// The end of a run by converged steps; none where one does not converge.
    fn converged(&self, sheet: &Sheet) -> Option<State> {
        let (cloth, mut state) = sheet.cloth().ok()?;
        let newton = Newton::Descending { tolerance: CONVERGED, limit: 500 };
        let settings = Settings { solver: Solver::Direct, newton, ..Settings::default() };
        let mut scheme = BackwardEuler::new(&*cloth, settings);
        (0..self.steps(sheet)).for_each(|_| scheme.step(&*cloth, sheet.step, &mut state));
        (state.is_finite() && scheme.work().newton_limited == 0).then_some(state)
    }

    /// A run to its end.
    fn run(&self, sheet: &Sheet, means: Means) -> Result<(Box<dyn System + Send + Sync>, State), ModelError> {
        let (cloth, mut state) = sheet.cloth()?;
        let mut scheme = means.integrator(&*cloth);
        let mut shown = FilmRecorder::new(self.steps(sheet));
        for _ in 0..self.steps(sheet) {
            scheme.step(&*cloth, sheet.step, &mut state);
            shown.step(&*cloth, &state);
        }
        drop(scheme);
        Ok((cloth, state))
    }
}

impl Group for Runs {
    const NAME: &'static str = "runs";
    const ABOUT: &'static str =
        "sheets that fall from two corners, with some iterations a step: how far from converged steps they end";
    const SAMPLED: bool = false;
    type Case = (u64, Sheet, Means);
    type Row = RunRow;

    fn sets(&self) -> u64 {
        MEANS * u64::from(self.ranges.scenes.get())
    }

    fn repeats(&self) -> u32 {
        self.ranges.repeats.get()
    }

    fn enough(&self) -> f64 {
        0.1
    }

    fn scene(&self, set: u64) -> u64 {
        set / MEANS
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Self::Case {
        let scene = self.scene(set);
        (scene, Sheet::draw(&self.ranges.sheets, scene, stream), Means::ALL[(set % MEANS) as usize])
    }

    fn kin(&self, (_, sheet, _): &Self::Case) -> u64 {
        sheet.side as u64
    }

    fn measure(&self, (scene, sheet, means): &Self::Case) -> Vec<RunRow> {
        let Ok((cloth, state)) = self.run(sheet, *means) else { return vec![] };
        let converged = self.converged.get(*scene, || self.converged(sheet));
        let converged = converged.get().and_then(Option::as_ref);
        let is_finite = state.is_finite();
        let strain = |state: &State| finite(cloth.largest_stretch(&state.x) - 1.0);
        let apart = |end: &State| {
            let squares = end.x.iter().zip(&state.x).map(|(a, b)| (a - b).norm_squared());
            finite((squares.sum::<f64>() / state.x.len() as f64).sqrt() / LENGTH)
        };
        vec![RunRow {
            made: sheet.into(),
            means: *means,
            steps: self.steps(sheet),
            status: (if is_finite { Status::Finished } else { Status::NotFinite }),
            apart: converged.filter(|_| is_finite).and_then(apart),
            strain: if is_finite { strain(&state) } else { None },
            converged_strain: converged.and_then(strain),
        }]
    }

    /// The run alone.
    fn repeat(&self, (_, sheet, means): &Self::Case, known: &[RunRow]) -> Vec<RunRow> {
        let _end = std::hint::black_box(self.run(sheet, *means));
        known.to_vec()
    }
}

/// A sheet by all means: what each took \[s\], and how far apart it ended.
struct Run<'a> {
    made: &'a Made,
    means: Vec<(Means, f64, Option<f64>)>,
}

impl Run<'_> {
    fn of(&self, wanted: Means) -> Option<&(Means, f64, Option<f64>)> {
        self.means.iter().find(|(means, ..)| *means == wanted)
    }
}

fn runs<'a>(rows: &'a [Row<RunRow>], medians: &HashMap<u64, f64>) -> Vec<Run<'a>> {
    let sheets = rows.chunk_by(|a, b| a.set / MEANS == b.set / MEANS);
    let of = |sheet: &'a [Row<RunRow>]| {
        let finished = sheet.iter().filter(|row| row.row.status == Status::Finished);
        let means: Vec<_> = finished.filter_map(|row| Some((row.row.means, *medians.get(&row.set)?, row.row.apart))).collect();
        let is_whole =
            means.iter().any(|(means, ..)| *means == Means::Once) && means.iter().any(|(means, ..)| *means == Means::Ten);
        is_whole.then_some(Run { made: &sheet.first()?.row.made, means })
    };
    sheets.filter_map(of).collect()
}

/// Time with ten and with two iterations a step over that with one Newton step, in words.
pub fn times(results: &Results) -> Result<String, ResultsError> {
    let (rows, medians) = (results.rows::<Runs>()?, median_seconds::<Runs>(results)?);
    let runs = runs(&rows, &medians);
    let words = |means: Means| {
        let two_sided = runs.iter().filter(|run| run.made.kind == Kind::TwoSided);
        let ratios: Vec<f64> = two_sided.filter_map(|run| Some(run.of(means)?.1 / run.of(Means::Once)?.1)).collect();
        let (ratio, less) = (Estimate::median(&ratios)?, share_of(ratios.iter().map(|ratio| *ratio < 1.0))?);
        let (share, sheets) = (less.percent(), less.cases);
        Some(format!("{ratio} times the time of one Newton step in the median, less on {share} of {sheets} sheets"))
    };
    let none = || too_few("no sheet of springs that act both ways was timed");
    Ok(format!("ten iterations {}; two {}", words(Means::Ten).ok_or_else(none)?, words(Means::Two).ok_or_else(none)?))
}

/// Time and distance to converged steps, medians over sheets.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let (rows, medians) = (results.rows::<Runs>()?, median_seconds::<Runs>(results)?);
    let runs = runs(&rows, &medians);
    let panel = |kind: Kind| {
        let mut layers = vec![];
        for (k, means) in Means::ALL.into_iter().enumerate() {
            let of = |run: &Run<'_>| {
                let once = run.of(Means::Once)?.1;
                let &(_, seconds, apart) = run.of(means)?;
                Some([seconds / once, apart?.max(LEAST)])
            };
            let points: Vec<[f64; 2]> = runs.iter().filter(|run| run.made.kind == kind).filter_map(of).collect();
            let [times, distances] = [0, 1].map(|axis| points.iter().map(|point| point[axis]).collect::<Vec<f64>>());
            let [low, middle, high] = [0.25, 0.5, 0.75].map(|p| quantile(&distances, p));
            if let (Some(time), Some(low), Some(middle), Some(high)) = (median(&times), low, middle, high) {
                layers.push(Layer::error_bars(means.name(), Palette::series(k), vec![[time, middle, low, high]]));
            }
        }
        let x = Axis::log("time over that of one Newton step");
        Panel::new(x, Axis::log("distance from converged steps at the end, over the side"), layers).titled(kind.name())
    };
    let kinds = first_of_each(runs.iter().map(|run| run.made.kind));
    let caption = "Runs that fall from two corners, against the run of converged steps: medians over sheets of the distance at the end and of \
                   time, bars hold half of the sheets. Further to the left is faster, further down better.";
    let figure =
        Figure::new("runs", "Whole simulations: how fast, and how good", caption, kinds.into_iter().map(panel).collect());
    Ok(Figure { of_times: true, columns: 3, ..figure.with_one_legend().with_one_y() })
}

/// Least distance that is shown, over the side \[-\].
const LEAST: f64 = 1e-6;

pub fn topic(ranges: &super::Ranges) -> Topic {
    let RunRanges { duration, sheets, .. } = &ranges.runs;
    let checked = check_list("runs.duration", *duration, &sheets.step);
    let runs = Runs { ranges: ranges.runs.clone(), converged: Kept::new() };
    Topic::of(runs).plot("runs", chart).checked(checked)
}
