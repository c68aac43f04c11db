//! Lengths over many steps: fast projection against constraints linearised at the start of each step.

use cloth::inextensible::{Feedback, FilterStop, MethodKind};
use kit::prelude::*;

use super::bursts;
use super::samples::percent;
use super::scenes::Scene;

ranges!(DriftRanges {
    //! Scenes and steps.
    /// Particles of the chain.
    vertices: Side,
    /// Particles a side of the sheet.
    side: Side,
    /// Steps a second, multiples of ten.
    rates: List<Count>,
    /// Simulated time \[s\].
    duration: Positive,
    /// Permissible strain \[-\].
    strain: Positive,
    /// Linear systems a step may take.
    solves: Count,
});

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

const CHAIN: &str = "chain";
const SHEET: &str = "sheet";
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
pub struct Drift(pub DriftRanges);

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
        let DriftRanges { vertices, side, duration, strain, solves, .. } = &self.0;
        let scene = match run.scene {
            CHAIN => Scene::chain(vertices.get() as usize)?,
            _ => Scene::held(side.get() as usize)?,
        };
        let limits = Limits::new(strain.get(), solves.get().into())?;
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
pub struct Accelerated(pub DriftRanges);

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

/// The two methods in one scene at one step.
struct Pair<'a> {
    scene: &'a str,
    rate: u32,
    bound: f64,
    projection: Vec<Tenth>,
    linearised: Vec<Tenth>,
    /// Where they ended early.
    ended: Vec<&'a DriftRow>,
}

/// A tenth of a second that a run came to the end of.
struct Tenth {
    tenth: u32,
    strain: f64,
    gain: f64,
}

impl DriftRow {
    fn seen(&self) -> Option<Tenth> {
        Some(Tenth { tenth: self.tenth, strain: self.strain?, gain: self.gain? })
    }
}

/// Pairs of fast projection and of what is `linearised`.
fn pairs<'a>(rows: &'a [Row<DriftRow>], linearised: &str) -> Vec<Pair<'a>> {
    let mut pairs: Vec<Pair<'_>> = vec![];
    for row in rows.iter().map(|row| &row.row) {
        if !pairs.iter().any(|pair| pair.scene == row.scene && pair.rate == row.rate) {
            let (scene, rate, bound) = (&row.scene, row.rate, row.bound);
            pairs.push(Pair { scene, rate, bound, projection: vec![], linearised: vec![], ended: vec![] });
        }
        for pair in pairs.iter_mut().filter(|pair| pair.scene == row.scene && pair.rate == row.rate) {
            match row.seen() {
                None => pair.ended.push(row),
                Some(seen) if row.method == linearised => pair.linearised.push(seen),
                Some(seen) => pair.projection.push(seen),
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
        let kept = !self.projection.is_empty() && self.projection.iter().all(|row| row.strain <= self.bound);
        kept && self.projection.len() >= self.linearised.len()
            && self.drift().is_some_and(|[early, end]| end > early && end > self.bound)
    }

    /// Which runs ended early and why, in words.
    fn ended(&self) -> String {
        let words = |row: &&DriftRow| {
            let reason = row.reason.as_deref().unwrap_or_default();
            format!("; {} ended early: {} {reason}", row.method, row.status)
        };
        self.ended.iter().map(words).collect()
    }
}

/// Verdict on pairs.
fn judged(pairs: &[Pair<'_>]) -> Verdict {
    let held = pairs.iter().filter(|pair| pair.holds()).count();
    verdict(Answer::from(held == pairs.len()), Answer::from(2 * held > pairs.len()))
}

/// The claim with constraints on accelerations in place of velocities.
fn by_accelerations(drift: &[Row<DriftRow>], accelerated: &[Row<DriftRow>], name: &str) -> Reading {
    let projection = drift.iter().filter(|row| row.row.method == MethodKind::FastProjection.name());
    let rows: Vec<_> = projection.chain(accelerated.iter().filter(|row| row.row.method == name)).cloned().collect();
    let pairs = pairs(&rows, name);
    let words = |pair: &Pair<'_>| {
        let strains = pair.drift().map_or_else(
            || "no tenth of a second".into(),
            |[early, end]| format!("{} after a tenth, {} at the end", percent(early), percent(end)),
        );
        format!("{} at {} steps a second {strains}{}", pair.scene, pair.rate, pair.ended())
    };
    Reading::new(name, pairs.iter().map(words).collect::<Vec<_>>().join(", "), judged(&pairs))
}

/// G-DRIFT.
pub fn drift(results: &Results) -> Result<Finding, ResultsError> {
    let rows = results.rows::<Drift>()?;
    let pairs = pairs(&rows, MethodKind::Linearised.name());
    let accelerated = results.rows::<Accelerated>()?;
    let ends: Vec<f64> = pairs.iter().filter_map(|pair| Some(pair.drift()?[1])).collect();
    if ends.is_empty() {
        return Err(too_few("no run has a tenth of a second"));
    }
    let of_projection = pairs.iter().flat_map(|pair| &pair.projection).map(|row| row.strain).fold(0.0, f64::max);
    let largest = ends.iter().copied().fold(0.0, f64::max);
    let reading = |pair: &Pair<'_>| {
        let measured = match pair.drift() {
            None => "linearised constraints have no tenth of a second".into(),
            Some([early, end]) => format!(
                "linearised {} after a tenth of {} s, {} at their end, energy gained {} m; fast projection at most {}",
                percent(early),
                short(0.1 * pair.linearised.len() as f64),
                percent(end),
                pair.linearised.last().map_or_else(|| "none".into(), |row| short(row.gain)),
                percent(pair.projection.iter().map(|row| row.strain).fold(0.0, f64::max))
            ),
        } + &pair.ended();
        Reading::new(format!("{} at {} steps a second", pair.scene, pair.rate), measured, None)
    };
    let [linearised, projected] = [largest, of_projection].map(percent);
    let measured = format!(
        "strain at the end up to {linearised} by constraints linearised on velocities, never above {projected} by fast projection"
    );
    let reason = match pairs.iter().map(|pair| pair.ended.len()).sum::<usize>() {
        0 => {
            "one named run for each scene and step; a scene in which what is linearised leaves no strain would overturn it".into()
        }
        ended => format!(
            "one named run for each scene and step, by each method; {ended} of them ended early and count where they came to"
        ),
    };
    Ok(Finding::new(judged(&pairs), measured, reason).value(largest).cases(pairs.len()).readings(
        pairs
            .iter()
            .map(reading)
            .chain(ON_ACCELERATIONS.map(|name| by_accelerations(&rows, &accelerated, name)))
            .chain(bursts::strains(results)?)
            .collect(),
    ))
}

/// Strain over time.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Drift>()?;
    let pairs = pairs(&rows, MethodKind::Linearised.name());
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
        Panel::new(Axis::linear("time [s]"), Axis::log("largest strain"), layers).titled(scene).legend_outside()
    };
    let caption =
        "Largest strain in each tenth of a second, by constraints linearised at the start of each step and by fast projection.";
    let panels = [CHAIN, SHEET].into_iter().filter(|scene| pairs.iter().any(|pair| pair.scene == *scene)).map(panel).collect();
    Ok(Figure::new("drift", "Strain over time", caption, panels))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let DriftRanges { duration, rates, .. } = &ranges.drift;
    let checked = check_rates("drift.duration", duration.get(), rates.values().iter().map(|rate| rate.get()));
    Topic::of(Drift(ranges.drift.clone()))
        .table(Accelerated(ranges.drift.clone()))
        .plot("drift", chart)
        .judge("G-DRIFT", drift)
        .checked(checked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_on_accelerations_are_judged_beside_those_on_velocities() {
        let ranges: DriftRanges = kit::ranges::stated(
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
        let readings = ON_ACCELERATIONS.map(|name| by_accelerations(&velocities, &accelerations, name));
        assert!(readings.iter().all(|reading| reading.verdict == Some(Verdict::Reproduced)), "{readings:?}");
    }
}
