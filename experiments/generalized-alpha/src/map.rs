//! Stiffness and amplitude crossed, by both schemes at both steps from several starts a micrometre aside.

use kit::prelude::*;

use super::flag::Setting;
use super::runs::{Case, FlagRow, Listed, SettingList, compared};
use super::select::{Pair, RATIOS, pairs};

ranges!(MapRanges {
    //! Stiffness and amplitude crossed, by both schemes at both steps from several starts a micrometre aside.
    /// Y \[N/m\].
    stiffness: List<Positive>,
    /// Amplitudes of the driven corners \[m\].
    amplitude: List<Positive>,
    /// Starts of each place.
    nudges: Count,
    /// Time steps \[s\].
    steps: List<Positive>,
});

impl SettingList for MapRanges {
    const NAME: &'static str = "map";
    const ABOUT: &'static str = "stiffness and amplitude crossed round the tuned flag, by both schemes at both steps from several starts a micrometre aside";

    fn cases(&self, base: Setting) -> Vec<Case> {
        let mut cases = vec![];
        for stiffness in self.stiffness.values() {
            for amplitude in self.amplitude.values() {
                let (stiffness, amplitude) = (stiffness.get(), amplitude.get());
                let starts = (1..=self.nudges.get()).map(|nudge| Setting { stiffness, amplitude, nudge, ..base });
                cases.extend(starts.map(|setting| (setting, compared(self.steps.values()))));
            }
        }
        cases
    }
}

/// Bins of the ratio of rates, from light to dark.
const BINS: [(f64, &str); 6] =
    [(1.0, "below 1"), (2.0, "1 to 2"), (4.0, "2 to 4"), (8.0, "4 to 8"), (16.0, "8 to 16"), (f64::INFINITY, "above 16")];

/// The map of the axes on which the ratio hangs: its median over starts at each place.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Listed<MapRanges>>()?;
    let pairs = pairs(&rows);
    let of = |pick: fn(&FlagRow) -> f64| distinct(pairs.iter().map(|pair| pick(pair.euler)));
    let (stiffness, amplitude, steps) = (of(|row| row.stiffness), of(|row| row.amplitude), of(|row| row.step));
    let panel = |step: f64| {
        let ratio = |stiffness: f64, amplitude: f64| {
            let here = |pair: &&Pair<'_>| {
                pair.euler.step == step && pair.euler.stiffness == stiffness && pair.euler.amplitude == amplitude
            };
            median(&pairs.iter().filter(here).filter_map(Pair::ratio).collect::<Vec<_>>())
        };
        let mut cells: Vec<(Option<f64>, [f64; 2])> = vec![];
        for (i, &across) in stiffness.iter().enumerate() {
            for (j, &up) in amplitude.iter().enumerate() {
                cells.push((ratio(across, up), [i as f64 + 1.0, j as f64 + 1.0]));
            }
        }
        let bin = |ratio: f64| BINS.iter().position(|(to, _)| ratio < *to).unwrap_or(BINS.len() - 1);
        let within = |takes: &dyn Fn(Option<f64>) -> bool| {
            cells.iter().filter(|(ratio, _)| takes(*ratio)).map(|(_, centre)| *centre).collect::<Vec<_>>()
        };
        let mut layers: Vec<Layer> = (BINS.iter().zip(Palette::SCALE).enumerate())
            .map(|(k, ((_, name), color))| {
                Layer::cells(*name, color, [1.0, 1.0], within(&|ratio| ratio.is_some_and(|ratio| bin(ratio) == k)))
            })
            .collect();
        let number = |(ratio, centre): &(Option<f64>, [f64; 2])| (*centre, ratio.map_or("none".into(), short));
        layers.push(Layer::texts(cells.iter().map(number).collect()));
        let names = |values: &[f64]| values.iter().map(f64::to_string).collect::<Vec<_>>();
        let x = Axis::categories("stiffness [N/m]", names(&stiffness));
        let y = Axis::categories("amplitude [m]", names(&amplitude));
        Panel::new(x, y, layers).titled(format!("{step} s"))
    };
    let [small, large] = RATIOS.map(Claimed::published);
    let caption = format!(
        "Ratio of the rates round the tuned flag, of 10 N/m and 0.01 m: medians over starts a micrometre aside, exact Hessian, one Newton \
         step; none where no run has a ratio. The paper's rates have ratios of {small:.1} at the small step and {large:.1} at the large \
         one."
    );
    let panels = steps.into_iter().map(panel).collect();
    let figure = Figure::new("map", "Decay of backward Euler over that of generalized-alpha, place by place", caption, panels);
    Ok(Figure { columns: 2, ..figure.with_one_legend() })
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let checked = check_list("flag.duration", ranges.flag.duration, &ranges.map.steps);
    Topic::of(Listed { flag: ranges.flag.clone(), list: ranges.map.clone() }).plot("map", chart).checked(checked)
}
