//! Lengths over many steps: fast projection against constraints linearised at the start of each step.

use cloth::inextensible::{Limits, Method};
use cloth::integrators::{Filtered, ForwardBackwardEuler, Integrator};
use cloth::quantity::Positive;
use lab::chart::{Axis, Corner, Dash, Direction, Figure, Layer, Palette, Panel};
use lab::claims::{Finding, Reading, Verdict};
use lab::report::short;
use lab::results::{Results, ResultsError, Row};
use lab::streams::ChaCha8Rng;
use lab::{Column, Group};
use serde::{Deserialize, Serialize};

use super::moving_verdicts::percent;
use super::scenes::Scene;
use crate::ranges::{Count, List, Side};

/// Scenes and steps.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DriftRanges {
    /// Particles of the chain.
    pub vertices: Side,
    /// Particles a side of the sheet.
    pub side: Side,
    /// Steps a second, multiples of ten.
    pub rates: List<Count>,
    /// Simulated time \[s\].
    pub duration: Positive,
    /// Permissible strain \[-\].
    pub strain: Positive,
    /// Linear systems a step may take.
    pub solves: Count,
}

/// A tenth of a second of a run.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct DriftRow {
    pub scene: String,
    pub rate: u32,
    pub method: String,
    pub tenth: u32,
    pub strain: f64,
    pub gain: f64,
    pub bound: f64,
}

const COLUMNS: &[Column] = &[
    Column::text("scene", "chain: held at one end; sheet: held along one edge"),
    Column::integer("rate", "steps a second"),
    Column::text("method", "the method"),
    Column::integer(
        "tenth",
        "tenth of a second, from one; none after a state that is not finite or a step that could not be solved",
    ),
    Column::number("strain", "-", "largest strain of an edge in any of its steps"),
    Column::number("gain", "m", "energy gained since the start at its end, over the weight"),
    Column::number("bound", "-", "permissible strain"),
];

const CHAIN: &str = "chain";
const SHEET: &str = "sheet";
const METHODS: [Method; 2] = [Method::FastProjection, Method::Linearised];

/// A method on a scene at a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    scene: &'static str,
    rate: u32,
    method: Method,
}

/// All runs.
pub struct Drift(pub DriftRanges);

impl Drift {
    fn runs(&self) -> Vec<Run> {
        let mut runs = vec![];
        for scene in [CHAIN, SHEET] {
            for rate in self.0.rates.values() {
                runs.extend(METHODS.map(|method| Run { scene, rate: rate.get(), method }));
            }
        }
        runs
    }

    fn rows(&self, run: Run) -> Option<Vec<DriftRow>> {
        let DriftRanges { vertices, side, duration, strain, solves, .. } = &self.0;
        let scene = match run.scene {
            CHAIN => Scene::chain(vertices.get() as usize),
            _ => Scene::held(side.get() as usize),
        };
        let scene = scene.ok()?;
        let limits = Limits::new(strain.get(), solves.get().into()).ok()?;
        let forces = ForwardBackwardEuler::new(scene.constraints.particle_count());
        let mut filtered = Filtered::new(Box::new(forces), run.method.build(scene.constraints.clone(), limits));
        let mut state = scene.start.clone();
        let mut rows = vec![];
        for tenth in 1..=(10.0 * duration.get()).round() as u32 {
            let mut largest: f64 = 0.0;
            for _ in 0..run.rate / 10 {
                filtered.step(&scene.net, 1.0 / f64::from(run.rate), &mut state);
                let gain = scene.gain(&state);
                if !filtered.last().stop.is_usable() || !gain.is_finite() {
                    return Some(rows);
                }
                largest = largest.max(scene.constraints.largest_strain(&state.x));
            }
            let (scene_name, method) = (run.scene.into(), run.method.name().into());
            let gain = scene.gain(&state);
            rows.push(DriftRow { scene: scene_name, rate: run.rate, method, tenth, strain: largest, gain, bound: strain.get() });
        }
        Some(rows)
    }
}

impl Group for Drift {
    const NAME: &'static str = "drift";
    const ABOUT: &'static str =
        "strain over many steps by fast projection and by constraints linearised at the start of each step";
    const COLUMNS: &'static [Column] = COLUMNS;
    const SAMPLED: bool = false;
    type Case = Run;
    type Row = DriftRow;

    fn sets(&self) -> u64 {
        self.runs().len() as u64
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> Run {
        self.runs()[set as usize]
    }

    fn kin(&self, run: &Run) -> u64 {
        run.rate.into()
    }

    fn measure_block(&self, runs: &[Run], done: &mut dyn FnMut(usize, Vec<DriftRow>)) {
        for (k, run) in runs.iter().enumerate() {
            done(k, self.rows(*run).unwrap_or_default());
        }
    }
}

/// The two methods in one scene at one step.
struct Pair<'a> {
    scene: &'a str,
    rate: u32,
    projection: Vec<&'a DriftRow>,
    linearised: Vec<&'a DriftRow>,
}

fn pairs(rows: &[Row<DriftRow>]) -> Vec<Pair<'_>> {
    let mut pairs: Vec<Pair<'_>> = vec![];
    for row in rows.iter().map(|row| &row.row) {
        if !pairs.iter().any(|pair| pair.scene == row.scene && pair.rate == row.rate) {
            pairs.push(Pair { scene: &row.scene, rate: row.rate, projection: vec![], linearised: vec![] });
        }
        for pair in pairs.iter_mut().filter(|pair| pair.scene == row.scene && pair.rate == row.rate) {
            match row.method == Method::Linearised.name() {
                true => pair.linearised.push(row),
                false => pair.projection.push(row),
            }
        }
    }
    pairs
}

impl Pair<'_> {
    /// Strain of linearised constraints after a tenth of their time and at their end.
    fn drift(&self) -> Option<[f64; 2]> {
        let early = self.linearised.get(self.linearised.len().div_ceil(10).saturating_sub(1))?;
        Some([early.strain, self.linearised.last()?.strain])
    }

    fn holds(&self) -> bool {
        let kept = !self.projection.is_empty() && self.projection.iter().all(|row| row.strain <= row.bound);
        let bound = self.projection.first().map_or(f64::INFINITY, |row| row.bound);
        kept && self.projection.len() >= self.linearised.len()
            && self.drift().is_some_and(|[early, end]| end > early && end > bound)
    }
}

/// G-DRIFT.
pub fn drift(results: &Results) -> Result<Finding, ResultsError> {
    let rows: Vec<Row<DriftRow>> = results.rows("drift")?;
    let pairs = pairs(&rows);
    let held = pairs.iter().filter(|pair| pair.holds()).count();
    let verdict = match () {
        () if pairs.is_empty() => return Err(ResultsError::TooFew("no run has a row".into())),
        () if held == pairs.len() => Verdict::Reproduced,
        () if 2 * held > pairs.len() => Verdict::DirectionOnly,
        () => Verdict::NotReproduced,
    };
    let ends: Vec<f64> = pairs.iter().filter_map(|pair| Some(pair.drift()?[1])).collect();
    let of_projection = pairs.iter().flat_map(|pair| &pair.projection).map(|row| row.strain).fold(0.0, f64::max);
    let largest = ends.iter().copied().fold(0.0, f64::max);
    let reading = |pair: &Pair<'_>| Reading {
        name: format!("{} at {} steps a second", pair.scene, pair.rate),
        measured: match pair.drift() {
            None => "linearised constraints have no tenth of a second".into(),
            Some([early, end]) => format!(
                "linearised {} after a tenth of {} s, {} at their end, energy gained {} m; fast projection at most {}",
                percent(early),
                short(0.1 * pair.linearised.len() as f64),
                percent(end),
                pair.linearised.last().map_or_else(|| "none".into(), |row| short(row.gain)),
                percent(pair.projection.iter().map(|row| row.strain).fold(0.0, f64::max))
            ),
        },
        verdict: None,
    };
    Ok(Finding {
        verdict,
        measured: format!(
            "strain at the end up to {} by linearised constraints, never above {} by fast projection",
            percent(largest),
            percent(of_projection)
        ),
        value: Some(largest),
        interval: None,
        cases: pairs.len(),
        left_out: 0,
        reason: "one run for each scene and step, exact, so without an interval".into(),
        readings: pairs.iter().map(reading).collect(),
    })
}

/// Strain over time.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows: Vec<Row<DriftRow>> = results.rows("drift")?;
    let pairs = pairs(&rows);
    let panel = |scene: &str| {
        let mut layers = vec![];
        for (k, pair) in pairs.iter().filter(|pair| pair.scene == scene).enumerate() {
            for (name, rows, dash) in
                [("linearised", &pair.linearised, Dash::Solid), ("fast projection", &pair.projection, Dash::Dashed)]
            {
                let points =
                    rows.iter().filter(|row| row.strain > 0.0).map(|row| [0.1 * f64::from(row.tenth), row.strain]).collect();
                layers.push(Layer::line(format!("{name}, {} steps a second", pair.rate), Palette::series(k), points).dash(dash));
            }
        }
        if let Some(row) = rows.first() {
            layers.push(Layer::rule("permissible", Palette::GREY, Direction::Horizontal, row.row.bound));
        }
        let mut panel = Panel::new(Axis::linear("time [s]"), Axis::log("largest strain"), layers).titled(scene);
        panel.legend = Corner::Outside;
        panel
    };
    Ok(Figure::new(
        "drift",
        "Strain over time",
        "Largest strain in each tenth of a second, by constraints linearised at the start of each step and by fast projection.",
        [CHAIN, SHEET].into_iter().filter(|scene| pairs.iter().any(|pair| pair.scene == *scene)).map(panel).collect(),
    ))
}
