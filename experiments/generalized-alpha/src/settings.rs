//! Random settings of the flag: whatever the paper leaves open is drawn.

use kit::prelude::*;

use super::flag::{Begin, Flags, HESSIANS, Setting};
use super::runs::{FlagRow, compared, rows};
use super::select::{Pair, RATIOS, pairs};

ranges!(SettingRanges {
    //! Random settings of the flag.
    /// Number of settings.
    sets: Count,
    /// Number of those that are drawn from another base seed.
    seeds: Count,
    /// Y \[N/m\]; this and what follows is drawn evenly in its logarithm.
    stiffness: Ends,
    /// Stiffness of shear over Y \[-\].
    shear: Ends,
    /// Stiffness of a hinge \[J\].
    bend: Ends,
    /// Side of the square flag \[m\].
    side: Ends,
    /// Amplitude of the driven corners \[m\].
    amplitude: Ends,
    /// Time steps \[s\].
    steps: List<Positive>,
});

/// Random settings by both schemes at the paper's steps: whatever the paper leaves open is drawn, Hessian and first state too.
#[derive(Clone)]
pub struct Settings {
    pub flag: Flags,
    pub ranges: SettingRanges,
}

impl Settings {
    fn draw(&self, set: u64, stream: &mut ChaCha8Rng) -> Setting {
        let SettingRanges { stiffness, shear, bend, side, amplitude, .. } = &self.ranges;
        Setting {
            terms: HESSIANS[stream.random_range(0..HESSIANS.len())],
            start: Begin::ALL[stream.random_range(0..Begin::ALL.len())],
            stiffness: between(*stiffness, stream),
            shear: between(*shear, stream),
            bend: between(*bend, stream),
            side: between(*side, stream),
            amplitude: between(*amplitude, stream),
            nudge: set as u32 + 1,
            ..self.flag.setting()
        }
    }
}

/// A number drawn evenly in its logarithm.
pub fn between(ends: Ends, stream: &mut ChaCha8Rng) -> f64 {
    let [low, high] = ends.get().map(libm::log);
    libm::exp(low + (high - low) * stream.random::<f64>())
}

impl Group for Settings {
    const NAME: &'static str = "settings";
    const ABOUT: &'static str = "random settings of the driven flag by both schemes at both steps";
    type Case = Setting;
    type Row = FlagRow;

    fn sets(&self) -> u64 {
        self.ranges.sets.get().into()
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Setting {
        self.draw(set, stream)
    }

    fn measure(&self, setting: &Setting) -> Vec<FlagRow> {
        rows(&self.flag, setting, &compared(self.ranges.steps.values()))
    }
}

impl Reseeded for Settings {
    const SEEDS: &'static str = "seeds";
    const ABOUT_SEEDS: &'static str = "random settings drawn from another base seed, otherwise as in the main group";
}

/// Drawn scenes beside the published ratio.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Settings>()?;
    let pairs = pairs(&rows);
    let steps = distinct(pairs.iter().map(|pair| pair.euler.step));
    let ends =
        pairs.iter().map(|pair| pair.euler.stiffness).fold([f64::INFINITY, 0.0_f64], |[low, high], y| [low.min(y), high.max(y)]);
    let kinds = [("exact", "flat"), ("exact", "resting"), ("filtered", "flat"), ("filtered", "resting")];
    let panel = |(which, &step): (usize, &f64)| {
        let here = || pairs.iter().filter(move |pair| pair.euler.step == step);
        let mut layers: Vec<Layer> = (kinds.iter().enumerate())
            .map(|(k, (hessian, start))| {
                let mine = here().filter(|pair| pair.euler.hessian == *hessian && pair.euler.start == *start);
                let points = mine.filter_map(|pair| Some([pair.euler.stiffness, pair.ratio()?])).collect();
                let marker = if *start == "flat" { Marker::Circle } else { Marker::OpenCircle };
                Layer::points(format!("{hessian} Hessian, {start} start"), Palette::series(k), points).marker(marker)
            })
            .collect();
        let across = |name: String, color: Color, height: f64| Layer::line(name, color, ends.map(|y| [y, height]).to_vec());
        layers.extend(RATIOS.get(which).map(|ratio| across(ratio.label(), Palette::GREY, ratio.published())));
        if let Some(middle) = median(&here().filter_map(Pair::ratio).collect::<Vec<_>>()) {
            layers.push(across("median".into(), Palette::BLACK, middle).dash(Dash::Dashed));
        }
        let (x, y) = (Axis::log("stiffness [N/m]"), Axis::log("rate of backward Euler over that of generalized-alpha"));
        Panel::new(x, y, layers).titled(format!("dt = {step} s")).legend_outside()
    };
    let caption = "Ratio of the decay rates where both runs came to their end and lose energy; the claims are judged by the median over all of them.";
    Ok(Figure::new("settings", "Drawn scenes of the flag", caption, steps.iter().enumerate().map(panel).collect()).with_one_y())
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let settings = Settings { flag: ranges.flag.clone(), ranges: ranges.settings.clone() };
    let fewer = SettingRanges { sets: settings.ranges.seeds, ..settings.ranges.clone() };
    let checked = check_list("flag.duration", ranges.flag.duration, &ranges.settings.steps);
    Topic::of(settings.clone()).table(Seeds(Settings { ranges: fewer, ..settings })).plot("settings", chart).checked(checked)
}
