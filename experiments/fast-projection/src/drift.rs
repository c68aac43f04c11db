//! Lengths over many steps: fast projection against constraints linearised at the start of each step.

use cloth::inextensible::{Feedback, FilterStop, MethodKind};
use kit::prelude::*;

pub use super::swings::SwingRanges;
use super::swings::{CHAIN, SHEET};

row! {
    /// A tenth of a second of a run, or why there are no more of it.
    pub struct DriftRow {
        /// chain: held at one end; sheet: held along one edge
        pub scene: String,
        /// steps a second
        pub rate: u32,
        /// the method
        pub method: String,
        /// why the method ended in its last step; a run that it ends has no further rows, as one that is refused
        pub status: Status,
        /// when the run ended early, or why it was refused
        pub reason: Option<String>,
        /// tenth of a second, from one; 0 of a run that was refused
        pub tenth: u32,
        /// largest strain of an edge in any of its steps; none where the run ended
        pub strain: Option<f64>,
        /// energy gained since the start at its end, over the weight; none where the run ended \[m\]
        pub gain: Option<f64>,
        /// permissible strain
        pub bound: f64,
    }
}

const METHODS: [MethodKind; 2] = [MethodKind::FastProjection, MethodKind::Linearised];

/// Linearised on accelerations, without and with feedback \[Witkin, Gleicher & Welch 1990\].
const ON_ACCELERATIONS: [&str; 2] = ["linearised-accelerations without feedback", "linearised-accelerations"];

/// A method by its name in the tables.
fn named(method: MethodKind) -> &'static str {
    if method == MethodKind::Accelerations(Feedback::NONE) { ON_ACCELERATIONS[0] } else { method.name() }
}

/// A method on a scene at a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    scene: &'static str,
    rate: u32,
    method: MethodKind,
}

/// All runs.
pub struct Drift(pub SwingRanges);

impl Drift {
    fn runs(&self, methods: [MethodKind; 2]) -> Vec<Run> {
        let mut runs = vec![];
        for scene in [CHAIN, SHEET] {
            for rate in self.0.rates.values() {
                runs.extend(methods.map(|method| Run { scene, rate: rate.get(), method }));
            }
        }
        runs
    }

    /// The row of a run before its first tenth.
    fn begin(&self, run: Run) -> DriftRow {
        DriftRow {
            scene: run.scene.into(),
            rate: run.rate,
            method: named(run.method).into(),
            status: Status::Refused,
            bound: self.0.strain.get(),
            ..DriftRow::default()
        }
    }

    /// Adds the tenths of a run to `rows`, and where it ended if that was early.
    ///
    /// # Errors
    /// A scene or a bound that means nothing.
    fn follow(&self, run: Run, rows: &mut Vec<DriftRow>) -> Result<(), ModelError> {
        let SwingRanges { duration, .. } = &self.0;
        let (scene, limits) = (self.0.scene(run.scene)?, self.0.limits()?);
        let mut forces = ForwardBackwardEuler::new(scene.constraints.particle_count());
        let mut filter = Filter::new(run.method.build(scene.constraints.clone(), limits));
        let (mut state, mut shown) =
            (scene.start.clone(), FilmRecorder::new((duration.get() * f64::from(run.rate)).round() as u64));
        for tenth in 1..=(10.0 * duration.get()).round() as u32 {
            let mut row = DriftRow { tenth, ..self.begin(run) };
            let mut largest: f64 = 0.0;
            for _ in 0..run.rate / 10 {
                let ended = filter.step(&mut forces, &scene.net, 1.0 / f64::from(run.rate), &mut state);
                let is_finite = ended.is_ok() && scene.gain(&state).is_finite();
                let stop = if is_finite { filter.last().stop } else { FilterStop::NotFinite };
                row.status = stop.into();
                if is_finite {
                    shown.step(&scene.net, &state);
                }
                if !stop.is_usable() {
                    row.reason = Some(format!("after {} steps", filter.filter_work().steps));
                    rows.push(row);
                    return Ok(());
                }
                largest = largest.max(scene.constraints.largest_strain(&state.x));
            }
            rows.push(DriftRow { strain: Some(largest), gain: Some(scene.gain(&state)), ..row });
        }
        Ok(())
    }
}

impl Group for Drift {
    const NAME: &'static str = "drift";
    const ABOUT: &'static str =
        "strain over many steps by fast projection and by constraints linearised at the start of each step";
    type Case = Run;
    type Row = DriftRow;

    fn listed(&self) -> Vec<Self::Case> {
        self.runs(METHODS)
    }

    fn kin(&self, run: &Run) -> u64 {
        run.rate.into()
    }

    fn measure(&self, &run: &Run) -> Vec<DriftRow> {
        let mut rows = vec![];
        if let Err(invalid) = self.follow(run, &mut rows) {
            rows.push(DriftRow { reason: Some(invalid.to_string()), ..self.begin(run) });
        }
        rows
    }
}

/// Constraints on accelerations in place of velocities.
pub struct Accelerated(pub SwingRanges);

impl Accelerated {
    fn drift(&self) -> Drift {
        Drift(self.0.clone())
    }
}

impl Group for Accelerated {
    const NAME: &'static str = "drift-accelerations";
    const ABOUT: &'static str =
        "the scenes of the group drift by constraints linearised on accelerations, with and without feedback";
    type Case = Run;
    type Row = DriftRow;

    fn listed(&self) -> Vec<Self::Case> {
        self.drift().runs([Feedback::NONE, Feedback::default()].map(MethodKind::Accelerations))
    }

    fn kin(&self, run: &Run) -> u64 {
        run.rate.into()
    }

    fn measure(&self, run: &Run) -> Vec<DriftRow> {
        self.drift().measure(run)
    }
}

/// Strain over time.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Drift>()?;
    let rows: Vec<&DriftRow> = rows.iter().map(|row| &row.row).collect();
    let panel = |scene: &str| {
        let here = || rows.iter().filter(|row| row.scene == scene);
        let mut layers = vec![];
        for (k, rate) in distinct(here().map(|row| row.rate)).into_iter().enumerate() {
            for (name, method, dash) in [("linearised", METHODS[1], Dash::Solid), ("fast projection", METHODS[0], Dash::Dashed)] {
                let run = here().filter(|row| row.rate == rate && row.method == method.name());
                let points = run.filter_map(|row| Some([0.1 * f64::from(row.tenth), row.strain.filter(|strain| *strain > 0.0)?]));
                layers
                    .push(Layer::line(format!("{name}, {rate} steps a second"), Palette::series(k), points.collect()).dash(dash));
            }
        }
        if let Some(row) = rows.first() {
            layers.push(Layer::rule("permissible", Palette::GREY, Direction::Horizontal, row.bound));
        }
        Panel::new(Axis::linear("time [s]"), Axis::log("largest strain"), layers).titled(scene).legend_outside()
    };
    let caption =
        "Largest strain in each tenth of a second, by constraints linearised at the start of each step and by fast projection.";
    let panels = [CHAIN, SHEET].into_iter().filter(|scene| rows.iter().any(|row| row.scene == *scene)).map(panel).collect();
    Ok(Figure::new("drift", "Strain over time", caption, panels))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let SwingRanges { duration, rates, .. } = &ranges.drift;
    let checked = check_rates("drift.duration", duration.get(), rates.values().iter().map(|rate| rate.get()));
    Topic::of(Drift(ranges.drift.clone())).table(Accelerated(ranges.drift.clone())).plot("drift", chart).checked(checked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_on_accelerations_drift_less_with_feedback() {
        let ranges: SwingRanges = kit::ranges::stated(
            r#"
            vertices = 6
            side = 5
            rates = [240]
            duration = 1.0
            strain = 0.001
            solves = 30
        "#,
        );
        let rows = |measured: Vec<DriftRow>| measured.into_iter().map(|row| Row { set: 0, row });
        let (drift, accelerated) = (Drift(ranges.clone()), Accelerated(ranges));
        let velocities: Vec<_> = drift.listed().iter().flat_map(|run| rows(drift.measure(run))).collect();
        let accelerations: Vec<_> = accelerated.listed().iter().flat_map(|run| rows(accelerated.measure(run))).collect();
        let ends = |rows: &[Row<DriftRow>], scene: &str, name: &str| {
            let last = rows.iter().rfind(|row| row.row.scene == scene && row.row.method == name);
            last.and_then(|row| row.row.strain).unwrap()
        };
        for scene in [CHAIN, SHEET] {
            let [free, fed] = ON_ACCELERATIONS.map(|name| ends(&accelerations, scene, name));
            let linearised = ends(&velocities, scene, MethodKind::Linearised.name());
            assert!((free / linearised - 1.0).abs() < 1e-8, "from rest they are one without feedback: {free} {linearised}");
            assert!(fed < 0.5 * free && fed > 1e-3, "{scene}: {fed} {free}");
        }
    }
}
