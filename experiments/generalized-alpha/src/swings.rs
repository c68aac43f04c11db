//! Random scenes of the swing, each with its reference: both schemes at both steps beside Runge-Kutta runs.

use kit::method_colors::color;
use kit::prelude::*;

use super::flag::{Begin, Flags, Scheme, Setting};
use super::runs::{FlagRow, Runs, compared, rows};
use super::select::named;
use super::settings::between;

ranges!(SwingRanges {
    //! What scenes are drawn from, and their runs.
    /// Number of scenes.
    sets: Count,
    /// Number of those that are drawn from another base seed.
    seeds: Count,
    /// Y \[N/m\]; this and the amplitude are drawn evenly in their logarithm.
    stiffness: Ends,
    /// Amplitude of the driven corners \[m\].
    amplitude: Ends,
    /// Time steps \[s\].
    steps: List<Positive>,
    /// Step of the reference, which is checked by twice of it \[s\].
    reference: Positive,
});

/// Stiffness and amplitude drawn, started at rest a micrometre aside.
#[derive(Clone)]
pub struct Swings {
    pub flag: Flags,
    pub ranges: SwingRanges,
}

impl Swings {
    fn draw(&self, set: u64, stream: &mut ChaCha8Rng) -> Setting {
        Setting {
            stiffness: between(self.ranges.stiffness, stream),
            amplitude: between(self.ranges.amplitude, stream),
            start: Begin::Resting,
            nudge: set as u32 + 1,
            ..self.flag.setting()
        }
    }

    /// Both schemes at both steps, the reference, and its check.
    fn runs(&self) -> Runs {
        let references = [1.0, 2.0].map(|times| (Scheme::Rk4, times * self.ranges.reference.get()));
        compared(self.ranges.steps.values()).into_iter().chain(references).collect()
    }
}

impl Group for Swings {
    const NAME: &'static str = "swings";
    const ABOUT: &'static str = "random stiffness and amplitude, started at rest a micrometre aside, by both schemes at both steps and by a reference with its check";
    type Case = Setting;
    type Row = FlagRow;

    fn sets(&self) -> u64 {
        self.ranges.sets.get().into()
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Setting {
        self.draw(set, stream)
    }

    fn measure(&self, setting: &Setting) -> Vec<FlagRow> {
        rows(&self.flag, setting, &self.runs())
    }
}

impl Reseeded for Swings {
    const SEEDS: &'static str = "swing-seeds";
    const ABOUT_SEEDS: &'static str = "scenes of the swing drawn from another base seed, otherwise as in their group";
}

/// Errors below this are drawn as this \[-\].
const LEAST_ERROR: f64 = 1e-4;

/// Errors of the swing over drawn scenes.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Swings>()?;
    let sets: Vec<&[Row<FlagRow>]> = rows.chunk_by(|a, b| a.set == b.set).collect();
    let kinds = distinct(rows.iter().filter(|row| row.row.scheme == "rk4").map(|row| row.row.step));
    let steps = distinct(rows.iter().filter(|row| row.row.scheme != "rk4").map(|row| row.row.step));
    let panel = |quantity: &str, pick: fn(&FlagRow) -> Option<f64>| {
        let run = |set: &[Row<FlagRow>], scheme: &str, step: f64| {
            set.iter().map(|row| &row.row).find(|row| row.scheme == scheme && row.step == step).cloned()
        };
        let points = |scheme: &str, step: f64| -> Vec<[f64; 2]> {
            let of = |set: &&[Row<FlagRow>]| {
                let exact = pick(&run(set, "rk4", *kinds.first()?)?)?;
                let row = run(set, scheme, step).filter(FlagRow::is_finished)?;
                Some(pick(&row).map_or(1.0, |measured| (measured / exact - 1.0).abs()).max(LEAST_ERROR))
            };
            let mut errors: Vec<f64> = sets.iter().filter_map(of).collect();
            errors.sort_by(f64::total_cmp);
            let count = errors.len() as f64;
            errors.into_iter().zip(1..).map(|(error, place)| [error, f64::from(place) / count]).collect()
        };
        let mut layers = vec![];
        if let Some(check) = kinds.last() {
            layers.push(Layer::line("the reference's own", Palette::BLACK, points("rk4", *check)).dash(Dash::Dotted));
        }
        for scheme in ["backward-euler", "generalized-alpha"] {
            for (dash, &step) in [Dash::Solid, Dash::Dashed].into_iter().zip(&steps) {
                let name = format!("{}, {step} s", named(scheme, None));
                layers.push(Layer::line(name, color(scheme), points(scheme, step)).dash(dash));
            }
        }
        let x = Axis::log(format!("error of the {quantity} over the reference's"));
        Panel::new(x, Axis::linear("share of scenes with no larger error").range(0.0, 1.0), layers)
            .titled(quantity)
            .legend_outside()
    };
    let caption = "Period and amplitude of the lower edge's swing over the last 8 s, started at rest. A run that no longer swings has an error of one.";
    let panels = vec![panel("period", |row| row.period), panel("amplitude", |row| row.swing)];
    Ok(Figure::new("errors", "Errors of the swing against a reference over drawn scenes", caption, panels))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let swings = Swings { flag: ranges.flag.clone(), ranges: ranges.swings.clone() };
    let fewer = SwingRanges { sets: swings.ranges.seeds, ..swings.ranges.clone() };
    let (duration, SwingRanges { steps, reference, .. }) = (ranges.flag.duration, &ranges.swings);
    Topic::of(swings.clone())
        .table(Seeds(Swings { ranges: fewer, ..swings }))
        .plot("errors", chart)
        .checked(check_list("flag.duration", duration, steps).and(check_steps("flag.duration", duration.get(), reference.get())))
}
