//! What is varied in the printed scene.

use cloth::implicit::{DiagonalKind, PreconditionerKind};
use kit::prelude::*;

use super::bending::Bending;
use super::fall::{Damping, Fall, LATE, newton_name, plainly, preconditioner_name, start_name, terms_name, to};
use super::perturbed::Perturbed;
use super::runs::{RunRow, row, weight};
use super::scene::{COLORS, NO_DAMPING, SceneRanges};
use super::trio::{DAMPINGS, EARLY_LOSS, LATE_LOSS, LOSS, Measure, OSCILLATION, Ratio, measure, trios};

ranges!(ReadingRanges {
    //! What is varied in the printed scene.
    /// c \[1/s\], under both readings of the stopping rule.
    tolerances: List<NonNegative>,
    /// dt \[s\], with the tolerance of the scene and with the tight one.
    steps: List<Positive>,
    /// n, for a sheet of the same size.
    sides: List<Side>,
    /// kd of plain damping \[N s/m\].
    plain: List<NonNegative>,
    /// kd of projected damping \[N s/m\].
    projected: List<NonNegative>,
    /// kb \[N/m\].
    bends: List<NonNegative>,
    /// Change of velocity at which Newton's method ends \[m/s\].
    newton_tolerance: Positive,
    /// Most iterations of Newton's method.
    newton_limit: Count,
    /// n of the converged runs and of those one step that they are compared with.
    newton_side: Side,
});

/// The printed scene under other readings.
pub struct Readings {
    pub scene: SceneRanges,
    /// What is varied.
    pub ranges: ReadingRanges,
}

/// A run with the words that it goes by.
#[derive(Clone, Debug)]
pub struct Reading {
    reading: &'static str,
    value: String,
    fall: Fall,
}

impl Readings {
    /// The scene's sheet with another number of particles a side.
    fn resized(&self, fall: Fall, side: Side) -> Fall {
        let side = side.get() as usize;
        let length = fall.spacing * (fall.side - 1) as f64;
        Fall { side, spacing: length / (side - 1) as f64, ..fall }
    }

    fn all(&self) -> Vec<Reading> {
        let (scene, ranges) = (&self.scene, &self.ranges);
        let (settings, tight) = (scene.settings(), scene.tight_settings());
        let mut all = vec![];
        let mut three = |reading, value: String, settings: Settings, change: &dyn Fn(Fall) -> Fall| {
            for damping in scene.dampings() {
                all.push(Reading { reading, value: value.clone(), fall: change(scene.fall(damping, settings)) });
            }
        };
        for c in ranges.tolerances.values() {
            three("tol² = c dt", format!("c = {}", plainly(c.get())), to(Tolerance::RootOfStep(c.get())), &|fall| fall);
        }
        for c in ranges.tolerances.values() {
            three("tol = c dt", format!("c = {}", plainly(c.get())), to(Tolerance::Step(c.get())), &|fall| fall);
        }
        for start in [Start::Corrected, Start::Original] {
            // A-Block is CP where all constraints are pins
            for kind in [
                PreconditionerKind::None,
                PreconditionerKind::BlockDiagonal(DiagonalKind::Diagonal),
                PreconditionerKind::BlockDiagonal(DiagonalKind::Constrained),
            ] {
                let (mut other, value) = (settings, format!("{}, {}", start_name(start), preconditioner_name(kind)));
                if let Solver::ConjugateGradients(gradients) = &mut other.solver {
                    (gradients.preconditioner, gradients.start) = (kind, start);
                }
                three("solver", value, other, &|fall| fall);
            }
        }
        for step in ranges.steps.values() {
            let step = step.get();
            three("step", format!("{step} s"), settings, &|fall| Fall { step, ..fall });
            three("tight, step", format!("{step} s"), tight, &|fall| Fall { step, ..fall });
        }
        for side in ranges.sides.values() {
            three("side", format!("{}", side.get()), settings, &|fall| self.resized(fall, *side));
        }
        for bend in ranges.bends.values() {
            let bend = bend.get();
            three("kb", format!("{bend} N/m"), settings, &|fall| Fall { bend, ..fall });
        }
        for terms in [Terms::DampingByPosition, Terms::Exact] {
            three("derivatives", terms_name(terms).into(), Settings { terms, ..settings }, &|fall| fall);
        }
        let converged = Newton::Converged { tolerance: ranges.newton_tolerance.get(), limit: ranges.newton_limit.get() as usize };
        for newton in [Newton::Once, converged] {
            let settings = Settings { newton, ..tight };
            three("Newton", newton_name(newton).into(), settings, &|fall| self.resized(fall, ranges.newton_side));
        }
        let plain = ranges.plain.values().iter().map(|kd| Damping::Plain(kd.get()));
        let projected = ranges.projected.values().iter().map(|kd| Damping::Projected(kd.get()));
        for damping in plain.chain(projected) {
            let value = format!("{} N s/m", damping.coefficient());
            for (reading, settings) in [("coefficient", settings), ("tight, coefficient", tight)] {
                all.push(Reading { reading, value: value.clone(), fall: scene.fall(damping, settings) });
            }
        }
        all
    }
}

impl Group for Readings {
    const NAME: &'static str = "readings";
    const ABOUT: &'static str =
        "the printed scene with other tolerances, steps, meshes, coefficients and derivatives, a run a row";
    type Case = Reading;
    type Row = RunRow;

    fn listed(&self) -> Vec<Self::Case> {
        self.all()
    }

    fn kin(&self, case: &Reading) -> u64 {
        weight(&case.fall)
    }

    fn measure(&self, Reading { reading, value, fall }: &Reading) -> Vec<RunRow> {
        vec![row(reading, value, fall, self.scene.energy_margin.get())]
    }
}

/// Loss and oscillation over the coefficient.
pub fn coefficients(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Readings>()?;
    let runs: Vec<&RunRow> = rows.iter().map(|row| &row.row).collect();
    let mut tolerances = trios(&rows).into_iter().filter(|([first, ..], _)| first.reading == "tol = c dt");
    let undamped = tolerances.next_back().and_then(|(_, trio)| trio.runs[0].ok());
    let panel = |label: &str, value: fn(&Measure) -> f64, late: bool| {
        let mut layers = vec![];
        if let Some(undamped) = undamped.as_ref().map(value) {
            if late {
                layers.extend(LOSS.direction_band(Direction::Horizontal, |ratio| ratio * undamped));
            }
            layers.push(Layer::rule(NO_DAMPING, COLORS[0], Direction::Horizontal, undamped));
        }
        for (k, damping) in DAMPINGS.iter().enumerate().skip(1) {
            for (reading, tight) in [("tight, coefficient", true), ("coefficient", false)] {
                let of = |row: &&&RunRow| row.reading == reading && row.damping == *damping;
                let mut points: Vec<[f64; 2]> =
                    runs.iter().filter(of).filter_map(|row| Some([row.coefficient, value(&measure(row).ok()?)])).collect();
                points.sort_by(|a, b| a[0].total_cmp(&b[0]));
                if tight {
                    layers.push(Layer::line(format!("{damping}, tight solves"), COLORS[k], points));
                } else {
                    let marker = if k == 1 { Marker::OpenTriangle } else { Marker::OpenCircle };
                    layers.push(Layer::points(format!("{damping}, tol = c dt"), COLORS[k], points).marker(marker));
                }
            }
        }
        let y = if late { Axis::linear(label) } else { Axis::log(label) };
        Panel::new(Axis::log("damping coefficient  kd  [N s/m]"), y, layers).legend_outside()
    };
    let caption = "The printed scene with other coefficients. Where a run gains energy or did not converge there is no point. Plain \
                   damping beyond 1 N s/m loses less again, since the sheet hardly falls.";
    let panels = vec![
        panel("energy lost at 2 s  [J]", |run| run.late, true),
        panel("rms of the high-passed internal energy  [J]", |run| run.oscillation, false),
    ];
    Ok(Figure::new("coefficients", "Loss and oscillation over the damping coefficient", caption, panels))
}

/// What the claims compare, under every reading.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Readings>()?;
    let [perturbed, bending]: [Vec<Row<RunRow>>; 2] = [results.rows::<Perturbed>()?, results.rows::<Bending>()?];
    let mut starts: BTreeMap<String, Vec<[Measure; 3]>> = BTreeMap::new();
    for ([first, ..], trio) in trios(&perturbed) {
        starts.entry(format!("starts, {}", first.solver)).or_default().extend(trio.finished());
    }
    for ([first, ..], trio) in trios(&bending) {
        starts.entry(format!("starts, bending: {}", first.value)).or_default().extend(trio.finished());
    }
    let trios: Vec<_> = trios(&rows).into_iter().map(|(_, trio)| trio).collect();
    let mut names: Vec<String> = trios.iter().map(|trio| trio.name.clone()).collect();
    names.extend(starts.keys().cloned());
    let panel = |label: &str, color: Color, value: Ratio, criterion: Option<Layer>| {
        let points = trios.iter().enumerate().filter_map(|(k, trio)| Some([k as f64 + 1.0, value(&trio.finished()?)]));
        let bars = starts.values().enumerate().filter_map(|(k, runs)| {
            let values: Vec<f64> = runs.iter().map(value).collect();
            Some([(trios.len() + k) as f64 + 1.0, median(&values)?, quantile(&values, 0.0)?, quantile(&values, 1.0)?])
        });
        let mut layers: Vec<Layer> = criterion.into_iter().map(|band| band.labelled("criterion")).collect();
        layers.extend([
            Layer::rule("as without damping", Palette::GREY, Direction::Horizontal, 1.0).dash(Dash::Dotted),
            Layer::points("measured", color, points.collect()),
            Layer::error_bars("median and extremes", Palette::BLACK, bars.collect()),
        ]);
        Panel::new(Axis::categories("", names.clone()), Axis::log(label), layers).legend_outside()
    };
    let ours =
        |number: Claimed| Some(Layer::band("criterion", Palette::SKY, Direction::Horizontal, number.ours()?, f64::INFINITY));
    let [oscillation, early] = [Claimed::of("B-DAMP-NONE", "oscillation"), Claimed::of("B-DAMP-PLAIN", "loss")].map(ours);
    let caption = "Each reading changes one thing in the printed scene. Where one of the three runs gains energy, is not finite or did \
                   not converge there is no point. Bars: starts whose particles lie a little above or below the plane.";
    let panels = vec![
        panel("oscillation, none / projected  [–]", COLORS[0], OSCILLATION, oscillation),
        panel("loss at 0.5 s, plain / none  [–]", COLORS[1], EARLY_LOSS, early),
        panel(
            "loss at 2 s, projected / none  [–]",
            COLORS[2],
            LATE_LOSS,
            LOSS.direction_band(Direction::Horizontal, |ratio| ratio),
        ),
    ];
    let mut figure = Figure::new("readings", "How the comparisons move with solver, step, mesh and scheme", caption, panels);
    figure.columns = 1;
    Ok(figure)
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let steps = ranges.readings.steps.values().iter();
    let checked = steps.map(|step| check_steps("readings.steps", LATE, step.get()));
    Topic::of(Readings { scene: ranges.scene.clone(), ranges: ranges.readings.clone() })
        .plot("coefficients", coefficients)
        .plot("readings", chart)
        .checked(checked.collect())
}
