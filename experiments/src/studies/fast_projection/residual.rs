//! The residual of the equation of motion after the first and after the last iteration of fast projection, figure 3.

use cloth::inextensible::{ConstraintMethod, FastProjection, Limits, Step, residual_of_motion};
use cloth::integrators::{Filtered, ForwardBackwardEuler, Integrator};
use cloth::quantity::Positive;
use cloth::{Invalid, Vec3};
use lab::chart::{Axis, Corner, Dash, Figure, Layer, Palette, Panel};
use lab::claims::{Finding, Reading, Verdict};
use lab::report::{short, short_within};
use lab::results::{Results, ResultsError, Row};
use lab::statistics::{PowerLaw, median, power_law};
use lab::streams::ChaCha8Rng;
use lab::{Column, Group};
use serde::{Deserialize, Serialize};

use super::scenes::{REFUSED, Scene};
use crate::ranges::{Count, Side, Whole};

/// Scenes and steps.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ResidualRanges {
    /// Particles a side.
    pub side: Side,
    /// Steps a second of the coarsest runs, a multiple of 30.
    pub rate: Count,
    /// How often the step is halved.
    pub halvings: Whole<1, 10>,
    /// Simulated time \[s\].
    pub duration: Positive,
    /// Permissible strain \[-\].
    pub strain: Positive,
    /// Linear systems a step may take.
    pub solves: Count,
}

/// A frame of a run, or why there are no more of it.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct ResidualRow {
    pub scene: String,
    pub rate: u32,
    pub status: String,
    pub reason: Option<String>,
    pub frame: u32,
    pub touched: u64,
    pub iterations: u64,
    pub first: Option<f64>,
    pub last: Option<f64>,
}

const COLUMNS: &[Column] = &[
    Column::text("scene", "swing: a sheet held along one edge, without solids; drape: a sheet falling over a sphere"),
    Column::integer("rate", "steps a second"),
    Column::text(
        "status",
        "why the last step ended; a run in which one does not converge has no further frames, as one that is refused",
    ),
    Column::text("reason", "when the run ended early, or why it was refused"),
    Column::integer("frame", "frame of 1/30 s, from one; 0 of a run that was refused"),
    Column::integer("touched", "particles that collisions moved, over the frame's steps"),
    Column::integer("iterations", "most iterations of a step of the frame"),
    Column::number(
        "first",
        "m",
        "largest residual abs(F) after the first iteration, over particles and steps of the frame; none where the run ended",
    ),
    Column::number("last", "m", "the same after the last iteration"),
];

/// The scenes, by name.
const SWING: &str = "swing";
const DRAPE: &str = "drape";
const SCENES: [&str; 2] = [SWING, DRAPE];

/// Frames a second.
const FRAMES: u32 = 30;

/// A scene at a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    scene: &'static str,
    rate: u32,
}

/// All runs.
pub struct Residuals(pub ResidualRanges);

impl Residuals {
    fn rates(&self) -> Vec<u32> {
        (0..=self.0.halvings.get()).map(|halving| self.0.rate.get() << halving.min(16)).collect()
    }

    fn rows(&self, run: Run) -> Vec<ResidualRow> {
        let mut rows = vec![];
        if let Err(invalid) = self.follow(run, &mut rows) {
            rows.push(ResidualRow { reason: Some(invalid.to_string()), ..ResidualRow::begin(run) });
        }
        rows
    }

    /// Adds the frames of a run to `rows`, and where it ended if that was early.
    ///
    /// # Errors
    /// A scene or a bound that means nothing.
    fn follow(&self, run: Run, rows: &mut Vec<ResidualRow>) -> Result<(), Invalid> {
        let ResidualRanges { side, duration, strain, solves, .. } = &self.0;
        let side = side.get() as usize;
        let scene = if run.scene == SWING { Scene::held(side) } else { Scene::drape(side) }?;
        let constraints = &scene.constraints;
        let limits = Limits::new(strain.get(), solves.get().into())?;
        let once = Limits::new(strain.get(), 1)?;
        let [mut first, mut whole] = [once, limits].map(|limits| FastProjection::new(constraints.clone(), limits));
        let forces = ForwardBackwardEuler::new(constraints.particle_count());
        let mut filtered = Filtered::new(Box::new(forces), Box::new(FastProjection::new(constraints.clone(), limits)));
        if let Some(collisions) = scene.collisions.clone() {
            filtered = filtered.with_collisions(collisions);
        }
        let mut state = scene.start.clone();
        let (mut start, mut x) = (state.x.clone(), state.x.clone());
        let mut residual = vec![Vec3::zeros(); x.len()];
        let dt = 1.0 / f64::from(run.rate);
        for frame in 1..=(duration.get() * f64::from(FRAMES)).round() as u32 {
            let mut row = ResidualRow { frame, ..ResidualRow::begin(run) };
            let mut largest = [0.0_f64; 2];
            for _ in 0..run.rate / FRAMES {
                start.copy_from_slice(&state.x);
                filtered.step(&scene.net, dt, &mut state);
                row.status = filtered.last().stop.name().into();
                if !filtered.converged() {
                    row.reason = Some(format!("after {} steps", filtered.filter_work().steps));
                    rows.push(row);
                    return Ok(());
                }
                let step = Step { dt, start: &start, candidate: filtered.candidate() };
                let mut after = |method: &mut FastProjection| {
                    x.copy_from_slice(step.candidate);
                    method.project(&step, &mut x);
                    residual_of_motion(constraints, step.candidate, &x, method.multipliers(), &mut residual)
                };
                largest = [largest[0].max(after(&mut first)), largest[1].max(after(&mut whole))];
                row.iterations = row.iterations.max(filtered.last().iterations);
                row.touched += filtered.touched();
            }
            let [first, last] = largest.map(Some);
            rows.push(ResidualRow { first, last, ..row });
        }
        Ok(())
    }
}

impl ResidualRow {
    /// Of a run before its first frame.
    fn begin(run: Run) -> ResidualRow {
        ResidualRow {
            scene: run.scene.into(),
            rate: run.rate,
            status: REFUSED.into(),
            reason: None,
            frame: 0,
            touched: 0,
            iterations: 0,
            first: None,
            last: None,
        }
    }

    /// The residuals of a frame that has one.
    fn residuals(&self) -> Option<[f64; 2]> {
        Some([self.first.filter(|first| *first > 0.0)?, self.last?])
    }
}

impl Group for Residuals {
    const NAME: &'static str = "residual";
    const ABOUT: &'static str = "residual of the equation of motion after the first and the last iteration of fast projection";
    const COLUMNS: &'static [Column] = COLUMNS;
    const SAMPLED: bool = false;
    type Case = Run;
    type Row = ResidualRow;

    fn sets(&self) -> u64 {
        (SCENES.len() * self.rates().len()) as u64
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> Run {
        let rates = self.rates();
        let set = set as usize;
        Run { scene: SCENES[set / rates.len()], rate: rates[set % rates.len()] }
    }

    fn kin(&self, run: &Run) -> u64 {
        run.rate.into()
    }

    fn measure_block(&self, runs: &[Run], done: &mut dyn FnMut(usize, Vec<ResidualRow>)) {
        for (k, run) in runs.iter().enumerate() {
            done(k, self.rows(*run));
        }
    }
}

/// After which iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
enum After {
    First,
    Last,
}

impl After {
    fn of(self, [first, last]: [f64; 2]) -> f64 {
        match self {
            After::First => first,
            After::Last => last,
        }
    }
}

/// A statistic over the frames of each rate of a scene against the step \[s, m\], where frames are more than none.
fn by_step(rows: &[Row<ResidualRow>], scene: &str, of: impl Fn(&[[f64; 2]]) -> Option<f64>) -> Vec<[f64; 2]> {
    let mut rates: Vec<u32> = rows.iter().filter(|row| row.row.scene == scene).map(|row| row.row.rate).collect();
    rates.sort_unstable();
    rates.dedup();
    let point = |rate: &u32| {
        let here = rows.iter().filter(|row| row.row.scene == scene && row.row.rate == *rate);
        let frames: Vec<[f64; 2]> = here.filter_map(|row| row.row.residuals()).collect();
        Some([1.0 / f64::from(*rate), of(&frames)?])
    };
    rates.iter().filter_map(point).collect()
}

fn medians(rows: &[Row<ResidualRow>], scene: &str, after: After) -> Vec<[f64; 2]> {
    by_step(rows, scene, |frames| median(&frames.iter().map(|frame| after.of(*frame)).collect::<Vec<_>>()))
}

fn law(name: &str, points: &[[f64; 2]]) -> Result<PowerLaw, ResultsError> {
    power_law(name, points).ok_or_else(|| ResultsError::TooFew(format!("fewer than two steps of the {name}")))
}

/// Least order that counts as two, and what the last iteration may lose.
const SECOND: f64 = 1.8;
const LOSS: f64 = 0.2;

/// G-RESIDUAL.
pub fn residual(results: &Results) -> Result<Finding, ResultsError> {
    let rows: Vec<Row<ResidualRow>> = results.rows("residual")?;
    let mut laws = vec![];
    for scene in SCENES {
        let of = |after| law(scene, &medians(&rows, scene, after));
        laws.push([of(After::First)?, of(After::Last)?]);
    }
    let least = laws.iter().flatten().map(|law| law.exponent).fold(f64::INFINITY, f64::min);
    let kept = laws.iter().all(|[first, last]| last.exponent >= first.exponent - LOSS);
    let verdict = match () {
        () if least >= SECOND && kept => Verdict::Reproduced,
        () if least >= 1.0 => Verdict::DirectionOnly,
        () => Verdict::NotReproduced,
    };
    let words = |[first, last]: &[PowerLaw; 2]| {
        format!(
            "{} after the first iteration, {} after the last",
            short_within(first.exponent, first.interval),
            short_within(last.exponent, last.interval)
        )
    };
    let mut readings = vec![];
    for (scene, laws) in SCENES.iter().zip(&laws) {
        readings.push(Reading { name: format!("the {scene}, order of the median frame"), measured: words(laws), verdict: None });
        let worst = |after: After| {
            law(scene, &by_step(&rows, scene, |frames| frames.iter().map(|frame| after.of(*frame)).reduce(f64::max)))
        };
        if let (Ok(first), Ok(last)) = (worst(After::First), worst(After::Last)) {
            readings.push(Reading {
                name: format!("the {scene}, order of the worst frame"),
                measured: words(&[first, last]),
                verdict: None,
            });
        }
        let ratio = by_step(&rows, scene, |frames| median(&frames.iter().map(|[first, last]| last / first).collect::<Vec<_>>()));
        let ratio = ratio.iter().map(|[dt, ratio]| format!("{} at {} steps a second", short(*ratio), short(1.0 / dt)));
        readings.push(Reading {
            name: format!("the {scene}, last over first iteration"),
            measured: ratio.collect::<Vec<_>>().join(", "),
            verdict: None,
        });
    }
    for (name, collides) in [("frames with collisions", true), ("frames without", false)] {
        let alike: Vec<Row<ResidualRow>> = rows.iter().filter(|row| (row.row.touched > 0) == collides).cloned().collect();
        let of = |after| law(DRAPE, &medians(&alike, DRAPE, after));
        let measured = match (of(After::First), of(After::Last)) {
            (Ok(first), Ok(last)) => words(&[first, last]),
            _ => "fewer than two steps".into(),
        };
        readings.push(Reading { name: format!("the {DRAPE}, order of the median of {name}"), measured, verdict: None });
    }
    let frames = rows.iter().filter(|row| row.row.residuals().is_some()).count();
    let [swing, drape] = [&laws[0], &laws[1]].map(words);
    Ok(Finding {
        verdict,
        measured: format!("orders in the step: of the swing {swing}; of the drape {drape}"),
        value: Some(least),
        interval: None,
        cases: frames,
        left_out: rows.len() - frames,
        reason: "the value is the least of the four exponents; frames without a residual are left out".into(),
        readings,
    })
}

/// The residual over time, as figure 3, and against the step.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows: Vec<Row<ResidualRow>> = results.rows("residual")?;
    let coarsest = rows.iter().map(|row| row.row.rate).min().unwrap_or(0);
    let mut panels = vec![];
    let curves = [
        (After::First, "after the first iteration", Palette::series(1), Dash::Dashed),
        (After::Last, "after the last iteration", Palette::series(0), Dash::Solid),
    ];
    for scene in SCENES {
        let over_time = |(after, label, color, dash): (After, &str, _, Dash)| {
            let frames = rows.iter().map(|row| &row.row).filter(|row| row.scene == scene && row.rate == coarsest);
            let points = frames.filter_map(|row| {
                let residual = after.of([row.first?, row.last?]);
                (residual > 0.0).then(|| [f64::from(row.frame) / f64::from(FRAMES), residual])
            });
            Layer::line(label, color, points.collect()).dash(dash)
        };
        let axes = [Axis::linear("time [s]"), Axis::log("residual [m]")];
        let [x, y] = axes;
        let mut panel = Panel::new(x, y, curves.map(over_time).into()).titled(format!("{scene}, {coarsest} steps a second"));
        panel.legend = Corner::Outside;
        panels.push(panel);
        let against_step = |(after, label, color, dash): (After, &str, _, Dash)| {
            let points = medians(&rows, scene, after);
            [Layer::line(label, color, points.clone()).dash(dash), Layer::points("", color, points)]
        };
        let mut layers: Vec<Layer> = curves.into_iter().flat_map(against_step).collect();
        if let Some([dt, residual]) = medians(&rows, scene, After::Last).last().copied() {
            let steps = medians(&rows, scene, After::Last);
            let slope = |order: i32| {
                let at = |[step, _]: &[f64; 2]| [*step, residual * libm::pow(step / dt, f64::from(order))];
                steps.iter().map(at).collect::<Vec<_>>()
            };
            layers.push(Layer::line("order 2", Palette::GREY, slope(2)).dash(Dash::Dashed));
            layers.push(Layer::line("order 4", Palette::GREY, slope(4)));
        }
        let mut panel =
            Panel::new(Axis::log("step [s]"), Axis::log("median of frames [m]"), layers).titled(format!("{scene}, by step"));
        panel.legend = Corner::Outside;
        panels.push(panel);
    }
    let figure = Figure::new(
        "residual",
        "Residual of the equation of motion under fast projection",
        "Largest residual over the particles and the steps of a frame, as figure 3 of the paper, and the median of the frames against the step.",
        panels,
    );
    Ok(Figure { columns: 2, ..figure })
}
