//! The paper's flag by both schemes, either Hessian and converged Newton steps, and by the reference.

use kit::method_colors::color;
use kit::prelude::*;

use super::flag::{Begin, CONVERGED, Scheme, Setting};
use super::runs::{Case, Listed, SettingList, compared};
use super::select::Paper;

ranges!(PaperRanges {
    //! The paper's flag by both schemes, either Hessian and converged Newton steps, and by the reference.
    /// The steps of the paper \[s\].
    steps: List<Positive>,
    /// Further steps, with one Newton step and the exact Hessian \[s\].
    further: List<Positive>,
    /// Steps of the reference, the finest first \[s\].
    reference: List<Positive>,
});

impl SettingList for PaperRanges {
    const NAME: &'static str = "paper";
    const ABOUT: &'static str = "the tuned flag by both schemes, by either Hessian and converged Newton steps, at further steps, started at rest, and by the reference";

    fn cases(&self, base: Setting) -> Vec<Case> {
        let varied = |terms, newton| (Setting { terms, newton, ..base }, compared(self.steps.values()));
        let (_, mut usual) = varied(Terms::Exact, Newton::Once);
        usual.extend(compared(self.further.values()));
        let reference: Vec<(Scheme, f64)> = self.reference.values().iter().map(|step| (Scheme::Rk4, step.get())).collect();
        let mut at_rest = compared(self.steps.values());
        at_rest.extend(reference.clone());
        usual.extend(reference);
        vec![
            (base, usual),
            (Setting { start: Begin::Resting, ..base }, at_rest),
            varied(Terms::Exact, CONVERGED),
            varied(Terms::Filtered, Newton::Once),
        ]
    }
}

/// Rates over the step, with theory for one mode.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let paper = Paper::read(results)?;
    let of = |scheme: &str| -> Vec<[f64; 2]> {
        let mine = paper
            .rows
            .iter()
            .filter(|row| row.scheme == scheme && row.start == "flat" && row.hessian == "exact" && row.newton == "once");
        let mut points: Vec<[f64; 2]> = mine.filter_map(|row| Some([row.step, row.rate.filter(|rate| *rate > 0.0)?])).collect();
        points.sort_by(|a, b| a[0].total_cmp(&b[0]));
        points
    };
    let (euler, alpha) = (of("backward-euler"), of("generalized-alpha"));
    let published = |scheme: &str| Curve::new(PARKS, "2", &format!("decay rate of {scheme}")).marks(|point| point);
    let curve = |name: &str, points: Vec<[f64; 2]>| Layer::marked_line(name, color(name), points);
    let mut layers = [curve("backward Euler", euler.clone()), curve("generalized-alpha", alpha)].concat();
    layers.extend(["backward Euler", "generalized-alpha"].into_iter().flat_map(published));
    if let Some(period) = paper.references("resting").first().and_then(|row| row.period) {
        let omega = std::f64::consts::TAU / period;
        let theory = |rate: &dyn Fn(f64) -> f64| euler.iter().map(|point| [point[0], rate(point[0])]).collect::<Vec<_>>();
        let square = omega * omega;
        layers.push(
            Layer::line(
                "backward Euler, one mode",
                color("backward Euler"),
                theory(&|dt| libm::log(1.0 + square * dt * dt) / dt),
            )
            .dash(Dash::Dotted),
        );
        let steep = theory(&|dt| square * square * dt * dt * dt);
        layers.push(Layer::line("generalized-alpha, one mode", color("generalized-alpha"), steep).dash(Dash::Dotted));
    }
    let panel = Panel::new(Axis::log("dt [s]"), Axis::log("decay rate of the energy [1/s]"), layers);
    let caption = "Of the tuned scene, which was chosen for its rates: measured, published, and in theory for one mode with the period of \
                   the swing. What generalized-alpha loses is in the higher modes.";
    Ok(Figure::new("steps", "Decay rate over the step", caption, vec![panel.legend_outside()]))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let PaperRanges { steps, further, reference } = &ranges.paper;
    let checked = [steps, further, reference].into_iter().map(|steps| check_list("flag.duration", ranges.flag.duration, steps));
    Topic::of(Listed { flag: ranges.flag.clone(), list: ranges.paper.clone() })
        .plot("steps", chart)
        .places(&[("steps", -2)])
        .checked(checked.collect())
}
