//! Bursts at small steps: fast projection in every step, and beyond the bound alone, as the paper's algorithm 1 is printed.

use cloth::inextensible::{FilterStop, MethodKind};
use kit::prelude::*;

pub use super::swings::SwingRanges;
use super::swings::{CHAIN, SHEET};

row! {
    /// A swing without air, whose energy nothing but the method changes.
    pub struct BurstRow {
        /// chain: held at one end; sheet: held along one edge
        pub scene: String,
        /// steps a second
        pub rate: u32,
        /// which steps are projected: every step, or beyond the bound alone
        pub projected: String,
        /// why the method ended in its last step; refused: means nothing
        pub status: Status,
        /// when the run ended early, or why it was refused
        pub reason: Option<String>,
        /// steps taken
        pub steps: u64,
        /// steps that were corrected
        pub corrected: u64,
        /// largest energy gained since the start after any step, over the weight; none where the run ended early \[m\]
        pub most: Option<f64>,
        /// energy gained since the start at the end, over the weight; none where the run ended early \[m\]
        pub gain: Option<f64>,
        /// largest strain of an edge after any step; none where the run ended early
        pub strain: Option<f64>,
        /// permissible strain
        pub bound: f64,
    }
}

/// Which steps are projected.
const EVERY: &str = "every step";
const BEYOND: &str = "beyond the bound alone";

/// A scene at a step, under a reading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Swing {
    scene: &'static str,
    rate: u32,
    projected: &'static str,
}

/// All swings.
pub struct Bursts(pub SwingRanges);

impl Bursts {
    /// The row of a swing before its first step.
    fn begin(&self, swing: Swing) -> BurstRow {
        BurstRow {
            scene: swing.scene.into(),
            rate: swing.rate,
            projected: swing.projected.into(),
            status: Status::Refused,
            bound: self.0.strain.get(),
            ..BurstRow::default()
        }
    }

    /// What comes of a swing.
    ///
    /// # Errors
    /// A scene or a bound that means nothing.
    fn swung(&self, swing: Swing) -> Result<BurstRow, ModelError> {
        let (mut scene, limits) = (self.0.scene(swing.scene)?, self.0.limits()?);
        scene.net.air = 0.0;
        let limits = if swing.projected == EVERY { limits.in_every_step() } else { limits };
        let mut forces = ForwardBackwardEuler::new(scene.constraints.particle_count());
        let mut filter = Filter::new(MethodKind::FastProjection.build(scene.constraints.clone(), limits));
        let steps = (self.0.duration.get() * f64::from(swing.rate)).round() as u64;
        let (mut state, mut shown) = (scene.start.clone(), FilmRecorder::new(steps));
        let (mut row, mut most, mut largest) = (self.begin(swing), f64::NEG_INFINITY, 0.0_f64);
        for step in 1..=steps {
            let ended = filter.step(&mut forces, &scene.net, 1.0 / f64::from(swing.rate), &mut state);
            let is_finite = ended.is_ok() && scene.gain(&state).is_finite();
            let stop = if is_finite { filter.last().stop } else { FilterStop::NotFinite };
            row.steps = step;
            row.corrected += u64::from(filter.last().iterations > 0);
            row.status = stop.into();
            if !stop.is_usable() {
                row.reason = Some(format!("after {step} steps"));
                return Ok(row);
            }
            shown.step(&scene.net, &state);
            most = most.max(scene.gain(&state));
            largest = largest.max(scene.constraints.largest_strain(&state.x));
        }
        Ok(BurstRow { most: Some(most), gain: Some(scene.gain(&state)), strain: Some(largest), ..row })
    }
}

impl Group for Bursts {
    const NAME: &'static str = "bursts";
    const ABOUT: &'static str = "energy that swings gain by fast projection in every step, and beyond the bound alone";
    type Case = Swing;
    type Row = BurstRow;

    fn listed(&self) -> Vec<Swing> {
        let rates = self.0.rates.values().iter().map(|rate| rate.get());
        let of = |scene| rates.clone().flat_map(move |rate| [EVERY, BEYOND].map(|projected| Swing { scene, rate, projected }));
        [CHAIN, SHEET].into_iter().flat_map(of).collect()
    }

    fn kin(&self, swing: &Swing) -> u64 {
        swing.rate.into()
    }

    fn measure(&self, &swing: &Swing) -> Vec<BurstRow> {
        let refused = |invalid: ModelError| BurstRow { reason: Some(invalid.to_string()), ..self.begin(swing) };
        vec![self.swung(swing).unwrap_or_else(refused)]
    }
}

/// Rows of a scene under a reading, in the order of their steps.
fn of<'a>(rows: &'a [BurstRow], scene: &'a str, projected: &'a str) -> impl Iterator<Item = &'a BurstRow> {
    rows.iter().filter(move |row| row.scene == scene && row.projected == projected)
}

/// Scenes and readings that there are rows of.
fn courses(rows: &[BurstRow]) -> impl Iterator<Item = (&'static str, &'static str)> {
    let all = [CHAIN, SHEET].into_iter().flat_map(|scene| [EVERY, BEYOND].map(|projected| (scene, projected)));
    all.filter(|(scene, projected)| of(rows, scene, projected).next().is_some())
}

/// Energies gained, in words.
pub fn words(results: &Results) -> Result<String, ResultsError> {
    let rows = results.without_sets::<Bursts>()?;
    let course = |(scene, projected): (&str, &str)| {
        let gained: Vec<String> =
            of(&rows, scene, projected).map(|row| format!("{} at {} steps a second", gain(row), row.rate)).collect();
        format!("{scene}, {projected}: {}", gained.join(", "))
    };
    Ok(courses(&rows).map(course).collect::<Vec<_>>().join("; "))
}

fn gain(row: &BurstRow) -> String {
    row.most.map_or_else(|| row.status.to_string(), |most| format!("{} m", short(most)))
}

/// Energy gained by the number of steps.
fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.without_sets::<Bursts>()?;
    let panel = |scene: &'static str| {
        let layer = |(projected, color): (&'static str, Color)| {
            let points = of(&rows, scene, projected).filter_map(|row| Some([f64::from(row.rate), row.most?]));
            Layer::line(projected, color, points.collect())
        };
        let layers = [(EVERY, Palette::BLUE), (BEYOND, Palette::VERMILLION)].map(layer).into();
        Panel::new(Axis::log("steps a second"), Axis::linear("largest energy gained, over the weight [m]"), layers)
            .titled(scene)
            .legend_outside()
    };
    let caption = "Largest energy that a swing without air gains since its start, by fast projection in every step and beyond the \
                   permissible strain alone. Nothing should be gained.";
    let panels = [CHAIN, SHEET].into_iter().filter(|scene| rows.iter().any(|row| row.scene == *scene)).map(panel).collect();
    Ok(Figure::new("bursts", "Energy gained by the two readings of algorithm 1", caption, panels))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let SwingRanges { duration, rates, .. } = &ranges.bursts;
    let checked = check_rates("bursts.duration", duration.get(), rates.values().iter().map(|rate| rate.get()));
    Topic::of(Bursts(ranges.bursts.clone())).plot("bursts", chart).checked(checked)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bursts() -> Bursts {
        let ranges = r#"
            vertices = 6
            side = 6
            rates = [240, 7680]
            duration = 0.4
            strain = 0.01
            solves = 50
        "#;
        Bursts(kit::ranges::stated(ranges))
    }

    /// Short steps gain energy where the strain gathers, and keep it where each of them is corrected.
    #[test]
    fn strain_that_gathers_gains_energy_in_short_steps() {
        let bursts = bursts();
        let row = |projected: &'static str| bursts.swung(Swing { scene: SHEET, rate: 7680, projected }).unwrap();
        let [every, beyond] = [EVERY, BEYOND].map(row);
        assert!(every.corrected == every.steps && 2 * beyond.corrected < beyond.steps, "{every:?} {beyond:?}");
        assert!(every.most.unwrap() < 1e-3 && beyond.most.unwrap() > 1.0, "{every:?} {beyond:?}");
        assert!([every, beyond].iter().all(|row| row.strain.unwrap() <= 0.01));
    }
}
