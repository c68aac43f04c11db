//! The sweep over rho_inf.

use kit::prelude::*;

use super::flag::{Begin, CONVERGED, Scheme, Setting};
use super::runs::{Case, FlagRow, Listed, SettingList};

ranges!(LimitRanges {
    //! The paper's flag by generalized-alpha with every rho_inf, one Newton step and converged, and started at rest.
    /// rho_inf \[-\].
    limits: List<Limit>,
    /// Time steps \[s\].
    steps: List<Positive>,
});

/// A high-frequency dissipation limit, from 0 to 1.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(transparent)]
pub struct Limit(f64);

impl Limit {
    /// The number itself.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Limit {
    type Error = String;

    fn try_from(value: f64) -> Result<Limit, String> {
        if (0.0..=1.0).contains(&value) { Ok(Limit(value)) } else { Err(format!("must be from 0 to 1, not {value}")) }
    }
}

numbers!(Limit);

impl SettingList for LimitRanges {
    const NAME: &'static str = "limits";
    const ABOUT: &'static str =
        "the paper's flag by generalized-alpha over rho_inf, with one Newton step and converged, and started at rest";

    fn cases(&self, base: Setting) -> Vec<Case> {
        let mut cases = vec![];
        for (newton, start) in [(Newton::Once, Begin::Flat), (CONVERGED, Begin::Flat), (Newton::Once, Begin::Resting)] {
            for step in self.steps.values() {
                let runs = self.limits.values().iter().map(|limit| (Scheme::GeneralizedAlpha(limit.0), step.get()));
                cases.push((Setting { newton, start, ..base }, runs.collect()));
            }
        }
        cases
    }
}

/// Rates and work over rho_inf.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.without_sets::<Listed<LimitRanges>>()?;
    let steps: Vec<f64> = distinct(rows.iter().map(|row| row.step));
    let layers = |pick: &dyn Fn(&FlagRow) -> Option<f64>| {
        let mut layers = vec![];
        for (k, (start, newton)) in [("resting", "once"), ("flat", "once"), ("flat", "converged")].iter().enumerate() {
            for (s, &step) in steps.iter().enumerate() {
                let mine = rows.iter().filter(|row| row.start == *start && row.newton == *newton && row.step == step);
                let points: Vec<[f64; 2]> = mine.filter_map(|row| Some([row.rho_inf?, pick(row)?])).collect();
                let (dash, marker) = if s == 0 { (Dash::Solid, Marker::Circle) } else { (Dash::Dashed, Marker::OpenCircle) };
                let label = format!("{start} start, Newton {newton}, {step} s");
                let [line, marks] = Layer::marked_line(label, Palette::series(k), points);
                layers.extend([line.dash(dash), marks.marker(marker)]);
            }
        }
        layers
    };
    let rate = layers(&|row| row.rate.filter(|rate| *rate > 0.0));
    let work = layers(&|row| row.is_finished().then(|| row.iterations as f64 / row.steps as f64));
    let x = || Axis::linear("rho_inf").range(-0.02, 1.02);
    let caption = "What the paper leaves open. A place without a point is a run that blew up, or one that gains energy.";
    let panels = vec![
        Panel::new(x(), Axis::log("decay rate of the energy [1/s]"), rate).legend_outside(),
        Panel::new(x(), Axis::linear("iterations of conjugate gradients a step"), work).legend_outside(),
    ];
    Ok(Figure::new("limits", "Decay and work over rho_inf", caption, panels))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Listed { flag: ranges.flag.clone(), list: ranges.limits.clone() }).plot("limits", chart).checked(check_list(
        "flag.duration",
        ranges.flag.duration,
        &ranges.limits.steps,
    ))
}
