//! The residual of the equation of motion after the first and after the last iteration of fast projection, figure 3.

use cloth::inextensible::{FastProjection, Step, residual_of_motion};
use kit::prelude::*;

use super::drape_run::Forces;
use super::garment::{Dance, FRAMES, Task};
use super::residual_verdicts;
use super::scenes::Scene;

ranges!(ResidualRanges {
    //! Scenes and steps.
    /// Particles a side.
    side: Side,
    /// Steps a second of the coarsest runs, a multiple of 30.
    rate: Count,
    /// How often the step is halved.
    halvings: Whole<1, 10>,
    /// Simulated time \[s\].
    duration: Positive,
    /// Permissible strain \[-\].
    strain: Positive,
    /// Linear systems a step may take.
    solves: Count,
    /// Edges around a leg of the trousers, 8 to 2000.
    around: Whole<8, 2000>,
    /// Friction of their cloth on the figure \[-\].
    friction: NonNegative,
});

row! {
    /// A frame of a run, or why there are no more of it.
    pub struct ResidualRow {
        /// swing: a sheet held along one edge, without solids; drape: a sheet falling over a sphere; garment: trousers on a
        /// figure that dances
        pub scene: String,
        /// steps a second
        pub rate: u32,
        /// why the last step ended; a run in which one does not converge has no further frames, as one that is refused
        pub status: Status,
        /// when the run ended early, or why it was refused
        pub reason: Option<String>,
        /// frame of 1/30 s, from one; 0 of a run that was refused
        pub frame: u32,
        /// particles that collisions moved, over the frame's steps
        pub touched: u64,
        /// most iterations of a step of the frame
        pub iterations: u64,
        /// largest residual abs(F) after the first iteration, over particles and steps of the frame; none where the run ended
        /// \[m\]
        pub first: Option<f64>,
        /// the same after the last iteration \[m\]
        pub last: Option<f64>,
    }
}

/// The scenes, by name.
pub const SWING: &str = "swing";
pub const DRAPE: &str = "drape";
pub const GARMENT: &str = "garment";
const SCENES: [&str; 3] = [SWING, DRAPE, GARMENT];

/// A scene at a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    scene: &'static str,
    rate: u32,
}

/// A scene under way.
enum Moving {
    Sheet { scene: Box<Scene>, forces: ForwardBackwardEuler, filter: Box<Filter>, state: State, dt: f64, shown: FilmRecorder },
    Dance(Box<Dance>),
}

impl Moving {
    fn new(ranges: &ResidualRanges, run: Run) -> Result<Moving, ModelError> {
        let ResidualRanges { side, strain, solves, around, friction, .. } = ranges;
        let side = side.get() as usize;
        let scene = match run.scene {
            GARMENT => {
                let task = Task { strain: strain.get(), elastic: Forces::Explicit, substeps: (run.rate / FRAMES).max(1) };
                let dance = Dance::new(around.get() as usize, friction.get(), task, solves.get().into())?;
                return Ok(Moving::Dance(Box::new(dance)));
            }
            SWING => Scene::held(side)?,
            _ => Scene::drape(side)?,
        };
        let limits = Limits::new(strain.get(), solves.get().into())?;
        let forces = ForwardBackwardEuler::new(scene.constraints.particle_count());
        let filter = scene.filter(Box::new(FastProjection::new(scene.constraints.clone(), limits)));
        let state = scene.start.clone();
        let shown = FilmRecorder::new((ranges.duration.get() * f64::from(run.rate)).round() as u64);
        let (scene, filter) = (Box::new(scene), Box::new(filter));
        Ok(Moving::Sheet { scene, forces, filter, state, dt: 1.0 / f64::from(run.rate), shown })
    }

    fn step(&mut self) {
        match self {
            Moving::Sheet { scene, forces, filter, state, dt, shown } => {
                if filter.step(forces, &scene.net, *dt, state).is_ok() {
                    shown.step(&scene.net, state);
                }
            }
            Moving::Dance(dance) => {
                dance.step();
            }
        }
    }

    fn filter(&self) -> &Filter {
        match self {
            Moving::Sheet { filter, .. } => filter,
            Moving::Dance(dance) => &dance.filter,
        }
    }

    fn state(&self) -> &State {
        match self {
            Moving::Sheet { state, .. } => state,
            Moving::Dance(dance) => &dance.state,
        }
    }
}

/// All runs.
pub struct Residuals(pub ResidualRanges);

impl Residuals {
    fn rates(&self) -> Vec<u32> {
        (0..=self.0.halvings.get()).map(|halving| self.0.rate.get() << halving.min(16)).collect()
    }

    /// Adds the frames of a run to `rows`, and where it ended if that was early.
    ///
    /// # Errors
    /// A scene or a bound that means nothing.
    fn follow(&self, run: Run, rows: &mut Vec<ResidualRow>) -> Result<(), ModelError> {
        let ResidualRanges { duration, strain, solves, .. } = &self.0;
        let mut moving = Moving::new(&self.0, run)?;
        let constraints = moving.filter().method().constraints().clone();
        let limits = [1, solves.get().into()].map(|most| Limits::new(strain.get(), most));
        let [once, whole] = limits;
        let (mut first, mut whole) =
            (FastProjection::new(constraints.clone(), once?), FastProjection::new(constraints.clone(), whole?));
        let (mut start, mut x) = (moving.state().x.clone(), moving.state().x.clone());
        let mut residual = vec![Vec3::zeros(); x.len()];
        let dt = 1.0 / f64::from(run.rate);
        for frame in 1..=(duration.get() * f64::from(FRAMES)).round() as u32 {
            let mut row = ResidualRow { frame, ..ResidualRow::begin(run) };
            let mut largest = [0.0_f64; 2];
            for _ in 0..run.rate / FRAMES {
                start.copy_from_slice(&moving.state().x);
                moving.step();
                let filter = moving.filter();
                row.status = filter.last().stop.into();
                if !filter.converged() {
                    row.reason = Some(format!("after {} steps", filter.filter_work().steps));
                    rows.push(row);
                    return Ok(());
                }
                let step = Step { dt, start: &start, candidate: filter.candidate() };
                let mut after = |method: &mut FastProjection| {
                    x.copy_from_slice(step.candidate);
                    method.project(&step, &mut x);
                    residual_of_motion(&constraints, step.candidate, &x, method.multipliers(), &mut residual)
                };
                largest = [largest[0].max(after(&mut first)), largest[1].max(after(&mut whole))];
                row.iterations = row.iterations.max(filter.last().iterations);
                row.touched += filter.touched();
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
        ResidualRow { scene: run.scene.into(), rate: run.rate, status: Status::Refused, ..ResidualRow::default() }
    }

    /// The residuals of a frame that has one.
    fn residuals(&self) -> Option<[f64; 2]> {
        Some([self.first.filter(|first| *first > 0.0)?, self.last?])
    }
}

impl Group for Residuals {
    const NAME: &'static str = "residual";
    const ABOUT: &'static str = "residual of the equation of motion after the first and the last iteration of fast projection";
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

    fn measure(&self, &run: &Run) -> Vec<ResidualRow> {
        let mut rows = vec![];
        if let Err(invalid) = self.follow(run, &mut rows) {
            rows.push(ResidualRow { reason: Some(invalid.to_string()), ..ResidualRow::begin(run) });
        }
        rows
    }
}

/// After which iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum After {
    First,
    Last,
}

impl After {
    pub fn of(self, [first, last]: [f64; 2]) -> f64 {
        match self {
            After::First => first,
            After::Last => last,
        }
    }
}

/// A statistic over the frames of each rate of a scene against the step \[s, m\], where frames are more than none.
pub fn by_step(rows: &[Row<ResidualRow>], scene: &str, of: impl Fn(&[[f64; 2]]) -> Option<f64>) -> Vec<[f64; 2]> {
    let rates: Vec<u32> = distinct(rows.iter().filter(|row| row.row.scene == scene).map(|row| row.row.rate));
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

/// The residual over time, as figure 3, and against the step.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Residuals>()?;
    let coarsest = rows.iter().map(|row| row.row.rate).min().unwrap_or(0);
    let mut panels = vec![];
    let curves = [
        (After::Last, "after the last iteration", Palette::series(0), Dash::Solid, Marker::Circle),
        (After::First, "after the first iteration", Palette::series(1), Dash::Dashed, Marker::OpenSquare),
    ];
    for scene in SCENES {
        let over_time = |(after, label, color, dash, marker): (After, &str, Color, Dash, Marker)| {
            let frames = rows.iter().map(|row| &row.row).filter(|row| row.scene == scene && row.rate == coarsest);
            let points = frames.filter_map(|row| {
                let residual = after.of([row.first?, row.last?]);
                (residual > 0.0).then(|| [f64::from(row.frame) / f64::from(FRAMES), residual])
            });
            let [line, marks] = Layer::marked_line(label, color, points.collect());
            [line.dash(dash), marks.marker(marker)]
        };
        let (x, y) = (Axis::linear("time [s]"), Axis::log("residual [m]"));
        let layers = curves.into_iter().flat_map(over_time).collect();
        panels.push(Panel::new(x, y, layers).titled(format!("{scene}, {coarsest} steps a second")));
        let against_step = |(after, label, color, dash, marker): (After, &str, Color, Dash, Marker)| {
            let [line, marks] = Layer::marked_line(label, color, medians(&rows, scene, after));
            [line.dash(dash), marks.marker(marker)]
        };
        let mut layers: Vec<Layer> = curves.into_iter().flat_map(against_step).collect();
        if let Some([dt, residual]) = medians(&rows, scene, After::Last).last().copied() {
            let steps = medians(&rows, scene, After::Last);
            let ends = [dt, steps[0][0]];
            let order = Curve::new(GOLDENTHAL, "3", "exponent of the residual against the step after the last iteration");
            let least = Claimed::of("G-RESIDUAL", "after the last iteration").published();
            let label = format!("{}: order {least} at least, height ours", order.label());
            layers.extend(order.power_law([dt, residual], ends).into_iter().map(|line| line.labelled(label.clone())));
            let fourth = ends.map(|step| [step, residual * libm::pow(step / dt, 4.0)]);
            layers.push(Layer::line("order 4", Palette::BLACK, fourth.to_vec()).dash(Dash::DashDot));
        }
        panels.push(
            Panel::new(Axis::log("step [s]"), Axis::log("median of frames [m]"), layers).titled(format!("{scene}, by step")),
        );
    }
    let caption = "Largest residual over the particles and the steps of a frame, as figure 3 of the paper, and the median of the frames against the step.";
    let figure = Figure::new("residual", "Residual of the equation of motion under fast projection", caption, panels);
    Ok(Figure { columns: 2, ..figure.with_one_legend() })
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let ResidualRanges { duration, rate, halvings, .. } = &ranges.residual;
    let checked = check_rates("residual.duration", duration.get(), [rate.get() << halvings.get()]);
    Topic::of(Residuals(ranges.residual.clone()))
        .plot("residual", chart)
        .derive(Derived::new("orders", residual_verdicts::orders))
        .checked(checked)
}
