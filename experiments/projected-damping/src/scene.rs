//! The printed scene: energies over time with three dampings, and what the sheet looks like.

use kit::prelude::*;

use super::fall::{Damping, Fall, LATE, WINDOW, exact, solver_name, to};
use super::oscillation::Trend;
use super::trio::{Series, series};

/// s = |x|/L from which bending is a line, unless another law is asked for \[-\].
pub const LINE_FROM: f64 = 0.9;

ranges!(SceneRanges {
    //! The printed scene.
    /// n, particles a side.
    side: Side,
    /// h \[m\].
    spacing: Positive,
    /// rho \[kg/m²\].
    density: Positive,
    /// ks of stretch and of shear \[N/m\].
    stiffness: NonNegative,
    /// kb \[N/m\].
    bend: NonNegative,
    /// dt \[s\].
    step: Positive,
    /// kd of plain damping \[N s/m\].
    plain: NonNegative,
    /// kd of projected damping \[N s/m\].
    projected: NonNegative,
    /// c of tol = c dt, and of tol² = c dt \[1/s\].
    tolerance: NonNegative,
    /// tol of runs whose solver makes no noise \[-\].
    tight_tolerance: NonNegative,
    /// Gain of energy over the largest gravitational drop so far that counts as a rise \[-\].
    energy_margin: NonNegative,
});

impl SceneRanges {
    /// The three dampings.
    pub fn dampings(&self) -> [Damping; 3] {
        [Damping::None, Damping::Plain(self.plain.get()), Damping::Projected(self.projected.get())]
    }

    /// The scene with a damping and settings of the integrator.
    pub fn fall(&self, damping: Damping, settings: Settings) -> Fall {
        Fall {
            side: self.side.get() as usize,
            spacing: self.spacing.get(),
            density: self.density.get(),
            stiffness: [self.stiffness.get(); 2],
            bend: self.bend.get(),
            line_from: LINE_FROM,
            damping,
            step: self.step.get(),
            time_scale: 1.0,
            settings,
            bends_explicitly: false,
            heights: vec![],
        }
    }

    /// The settings of the thesis, its tolerance read as tol = c dt.
    pub fn settings(&self) -> Settings {
        to(Tolerance::Step(self.tolerance.get()))
    }

    /// Settings with the tolerance as printed, tol² = c dt.
    pub fn printed_settings(&self) -> Settings {
        to(Tolerance::RootOfStep(self.tolerance.get()))
    }

    /// Settings with a solver that makes no noise.
    pub fn tight_settings(&self) -> Settings {
        to(Tolerance::Fixed(self.tight_tolerance.get()))
    }

    /// Tolerances under which random starts are judged, the one that carries the verdicts first.
    pub fn readings_of_tolerance(&self) -> [Settings; 3] {
        [self.settings(), self.printed_settings(), self.tight_settings()]
    }
}

/// The main group: energies over time, a set a damping and solver.
pub struct EnergiesInTime(pub SceneRanges);

row! {
    /// Energies after a step.
    pub struct EnergyRow {
        /// none, plain or projected
        pub damping: String,
        /// kd of stretch and shear springs \[N s/m\]
        pub coefficient: f64,
        /// stopping rule of conjugate gradients, or exact: sparse Cholesky
        pub solver: String,
        /// steps so far
        pub step: u64,
        /// time simulated \[s\]
        pub time: f64,
        /// energy of motion \[J\]
        pub kinetic: Option<f64>,
        /// -m g·x, zero for the horizontal sheet \[J\]
        pub gravitational: Option<f64>,
        /// energy of the springs to the nearest neighbours \[J\]
        pub stretch: Option<f64>,
        /// energy of the springs to the diagonal neighbours \[J\]
        pub shear: Option<f64>,
        /// energy of the springs to the second neighbours \[J\]
        pub bend: Option<f64>,
        /// sum of stretch, shear and bend \[J\]
        pub internal: Option<f64>,
        /// sum of all energies \[J\]
        pub total: Option<f64>,
        /// iterations of conjugate gradients in this step
        pub iterations: u64,
        /// finished, or not converged in this step; from where it holds on: gains energy or not finite
        pub status: Status,
        /// what went wrong in this step
        pub reason: Option<String>,
    }
}

impl Group for EnergiesInTime {
    const NAME: &'static str = "energies";
    const ABOUT: &'static str = "energies of the printed scene after every step, with three dampings and three solvers";
    const SAMPLED: bool = false;
    type Case = Fall;
    type Row = EnergyRow;

    fn sets(&self) -> u64 {
        3 * self.0.dampings().len() as u64
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> Fall {
        let dampings = self.0.dampings();
        let solvers = [self.0.settings(), self.0.printed_settings(), exact()];
        let set = set as usize;
        self.0.fall(dampings[set % dampings.len()], solvers[set / dampings.len() % solvers.len()])
    }

    fn measure(&self, fall: &Fall) -> Vec<EnergyRow> {
        let mut rows = vec![];
        let blank = |step: u64| EnergyRow {
            damping: fall.damping.name().into(),
            coefficient: fall.damping.coefficient(),
            solver: solver_name(&fall.settings),
            step,
            time: step as f64 * fall.step,
            ..EnergyRow::default()
        };
        let ran = fall.run(|moment| {
            let energies = &moment.energies;
            let finite = energies.total().is_finite();
            let value = |energy: f64| finite.then_some(energy);
            rows.push(EnergyRow {
                kinetic: value(energies.kinetic),
                gravitational: value(energies.gravitational),
                stretch: value(energies.stretch),
                shear: value(energies.shear),
                bend: value(energies.bend),
                internal: value(energies.internal()),
                total: value(energies.total()),
                iterations: moment.iterations,
                status: moment.status(),
                reason: moment.reason(),
                ..blank(moment.step)
            });
        });
        if let Err(refusal) = ran {
            rows.push(EnergyRow { status: Status::Refused, reason: Some(refusal.to_string()), ..blank(0) });
        }
        rows
    }
}

/// Colours of the three dampings.
pub const COLORS: [Color; 3] = [Palette::BLUE, Palette::VERMILLION, Palette::GREEN];
pub const NO_DAMPING: &str = "no damping";
/// Smallest and largest, a twentieth wider.
fn extent(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let [low, high] = values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| [value.min(low), value.max(high)]);
    if low > high {
        return [0.0, 1.0];
    }
    [low - 0.05 * (high - low), high + 0.05 * (high - low)]
}

/// A damping with its coefficient, in words.
pub fn title(damping: &str, coefficient: f64) -> String {
    match damping {
        "none" => NO_DAMPING.into(),
        _ => format!("{damping} damping, kd = {coefficient} N s/m"),
    }
}

/// An energy of a row.
type Energy = fn(&EnergyRow) -> Option<f64>;
const PARTS: [(&str, Energy); 4] = [
    ("kinetic", |row| row.kinetic),
    ("internal", |row| row.internal),
    ("gravitational", |row| row.gravitational),
    ("total", |row| row.total),
];

const INTERNAL: [(&str, Energy); 3] = [("stretch", |row| row.stretch), ("shear", |row| row.shear), ("bend", |row| row.bend)];
fn over_time(series: &Series, energy: Energy) -> Vec<[f64; 2]> {
    series.rows.iter().filter_map(|row| Some([row.time, energy(row)?])).collect()
}

/// Figures 4.4 to 4.6 of the thesis: energies over time, a row a damping.
pub fn energies(results: &Results) -> Result<Figure, ResultsError> {
    let series = series(results)?;
    let printed = &series[..series.len().min(3)];
    let mut panels = vec![];
    let ends = |energies: &[(&str, Energy)]| {
        extent(printed.iter().flat_map(|run| energies.iter().flat_map(|(_, energy)| run.rows.iter().filter_map(energy))))
    };
    let (all, inside) = (ends(&PARTS), ends(&INTERNAL));
    for run in printed {
        let coefficient = run.rows.first().map_or(0.0, |row| row.coefficient);
        let panel = |energies: &[(&str, Energy)], [low, high]: [f64; 2], title: String| {
            let layers = energies.iter().enumerate().map(|(k, (name, energy))| {
                let color = if *name == "total" { Palette::BLACK } else { Palette::series(k) };
                Layer::line(*name, color, over_time(run, *energy))
            });
            let axes = [Axis::linear("time  [s]"), Axis::linear("energy  [J]").range(low, high)];
            let [x, y] = axes;
            Panel::new(x, y, layers.collect()).titled(title)
        };
        let left = panel(&PARTS, all, title(&run.damping, coefficient)).legend_outside();
        let right = panel(&INTERNAL, inside, format!("{}: internal", title(&run.damping, coefficient))).legend_outside();
        panels.extend([left, right]);
    }
    let solver = printed.first().map_or("", |run| run.solver.as_str());
    let caption = format!(
        "Figures 4.4 to 4.6 of the thesis, a row each: all energies at the left, those of the springs at the right, each column on equal axes. \
         Solved with {solver}."
    );
    let mut figure = Figure::new("energies", "Energies of the falling sheet", caption, panels);
    figure.columns = 2;
    Ok(figure)
}

/// The high-passed internal energy, a panel a solver.
pub fn oscillation(results: &Results) -> Result<Figure, ResultsError> {
    let series = series(results)?;
    let passed: Vec<Vec<[f64; 2]>> = series.iter().map(|run| run.oscillation(WINDOW, Trend::Average)).collect();
    let [low, high] = extent(passed.iter().flatten().map(|point| point[1]));
    let panels = series.chunks(3).zip(passed.chunks(3)).map(|(runs, passed)| {
        let layers = runs.iter().zip(passed).enumerate().map(|(k, (run, points))| {
            let coefficient = run.rows.first().map_or(0.0, |row| row.coefficient);
            Layer::line(title(&run.damping, coefficient), COLORS[k % COLORS.len()], points.clone())
        });
        let y = Axis::linear("high-passed internal energy  [J]").range(low, high);
        Panel::new(Axis::linear("time  [s]"), y, layers.collect()).titled(runs[0].solver.clone()).legend_outside()
    });
    let caption = format!(
        "Internal energy minus its centred average over {WINDOW} s, with both readings of the tolerance of the thesis and with exact solves."
    );
    Ok(Figure::new("oscillation", "Oscillation of the internal energy", caption, panels.collect()))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(EnergiesInTime(ranges.scene.clone()))
        .plot("energies", energies)
        .plot("oscillation", oscillation)
        .checked(check_steps("scene.step", LATE, ranges.scene.step.get()))
}
