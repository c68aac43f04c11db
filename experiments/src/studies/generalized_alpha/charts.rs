//! The charts, each from its tables alone.

use chart::{Axis, Color, Corner, Dash, Direction, Figure, Layer, Palette, Panel};
use lab::judge::statistics::median;
use lab::prelude::*;

use super::decay_verdicts::PUBLISHED;
use super::lists::{Limits, Map};
use super::orders::{OrderRow, Orders};
use super::radii::{Radii, RadiusRow};
use super::runs::{FlagRow, Listed, Settings};
use super::select::{Pair, Paper, pairs};
use super::swings::Swings;
use super::systems::{SystemRow, Systems};
use crate::published::{Curve, PARKS};

/// A scheme with its rho_inf in words.
pub fn named(scheme: &str, limit: Option<f64>) -> String {
    let words = match scheme {
        "backward-euler" => "backward Euler",
        "implicit-midpoint" => "midpoint",
        "bdf2" => "BDF2",
        "rk4" => "reference",
        _ => "generalized-alpha",
    };
    limit.map_or_else(|| words.into(), |limit| format!("{words}, rho_inf = {limit}"))
}

/// Colour of a scheme where the two are compared.
pub fn color(scheme: &str) -> Color {
    match scheme {
        "backward-euler" => Palette::BLUE,
        "rk4" => Palette::BLACK,
        _ => Palette::VERMILLION,
    }
}

pub fn outside(mut panel: Panel) -> Panel {
    panel.legend = Corner::Outside;
    panel
}

/// Figure 1: radii over omega dt.
pub fn radii(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Radii>()?;
    let runs: Vec<&[Row<RadiusRow>]> = rows.chunk_by(|a, b| a.set == b.set).collect();
    let line = |color: Color, run: &[Row<RadiusRow>]| {
        let points = run.iter().map(|row| [row.row.omega_dt, row.row.theory]).collect();
        let RadiusRow { scheme, rho_inf, .. } = &run[0].row;
        Layer::line(named(scheme, *rho_inf), color, points)
    };
    let dots = |color: Color, run: &[Row<RadiusRow>]| {
        let points = run.iter().step_by(8).map(|row| [row.row.omega_dt, row.row.measured]).collect();
        Layer::points("", color, points)
    };
    let published = |run: &&&[Row<RadiusRow>]| run[0].row.scheme == "backward-euler" || run[0].row.rho_inf == Some(0.0);
    let axes = |label: &str| (Axis::log("omega dt"), Axis::linear(label.to_string()).range(0.0, 1.05));
    let of_paper = runs.iter().filter(published).flat_map(|run| {
        let color = color(&run[0].row.scheme);
        [line(color, run), dots(color, run)]
    });
    let all = runs.iter().enumerate().map(|(k, run)| {
        let dash = if k >= 7 { Dash::Dashed } else { Dash::Solid };
        line(Palette::series(k), run).dash(dash)
    });
    let (x, y) = axes("spectral radius");
    let first = Panel::new(x, y, of_paper.collect()).titled("as figure 1: lines theory, dots measured");
    let of = |scheme: &str, limit: Option<f64>| {
        runs.iter().find(|run| run[0].row.scheme == scheme && run[0].row.rho_inf == limit).copied().unwrap_or_default()
    };
    let pairs = of("generalized-alpha", Some(0.0)).iter().zip(of("backward-euler", None));
    let ratio = pairs.map(|(alpha, euler)| [alpha.row.omega_dt, alpha.row.measured / euler.row.measured]).collect();
    let at_most = Curve::new(PARKS, "1", "ratio of radii at most");
    let label = format!("{}: at times a factor of four", at_most.label());
    let mut layers = vec![
        Layer::rule("", Palette::GREY, Direction::Horizontal, 1.0),
        Layer::line("measured", color("generalized-alpha"), ratio),
    ];
    layers.extend(at_most.rules(Direction::Horizontal, |ratio| ratio).into_iter().map(|rule| rule.labelled(label.clone())));
    let (x, y) = (Axis::log("omega dt"), Axis::linear("radius of generalized-alpha over that of backward Euler"));
    let ratios = Panel::new(x, y, layers).titled("rho_inf = 0 over backward Euler");
    let (x, y) = axes("spectral radius");
    let second = Panel::new(x, y, all.collect()).titled("every scheme");
    Ok(Figure::new(
        "radii",
        "Spectral radius on an undamped oscillator",
        "Largest eigenvalue of a step over omega dt; a radius of one keeps the energy of a frequency, zero removes it.",
        vec![outside(first), outside(ratios), outside(second)],
    ))
}

/// The order that the paper gives of what a panel shows, through the end of a measured line.
fn published_order(title: &str, measured: &[[f64; 2]]) -> Vec<Layer> {
    let name = format!("order in {title}");
    let curve = Curve::new(PARKS, "", &name);
    let mut points = measured.to_vec();
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let (Some(order), [finest, .., coarsest]) = (curve.number(), &points[..]) else { return vec![] };
    let label = format!("{}: order {order}, height ours", curve.label());
    curve.power_law(*coarsest, [finest[0], coarsest[0]]).into_iter().map(|line| line.labelled(label.clone())).collect()
}

/// Errors over the step.
pub fn orders(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Orders>()?;
    let runs: Vec<&[Row<OrderRow>]> =
        rows.chunk_by(|a, b| a.set == b.set).filter(|run| run[0].row.newton == "converged").collect();
    let panel = |title: &str, unit: &str, pick: fn(&OrderRow) -> Option<f64>| {
        let points = |run: &[Row<OrderRow>]| -> Vec<[f64; 2]> {
            run.iter().filter_map(|row| Some([row.row.step, pick(&row.row)?])).collect()
        };
        let layers = runs.iter().enumerate().filter_map(|(k, run)| {
            let points = points(run);
            let OrderRow { scheme, rho_inf, .. } = &run[0].row;
            let dash = if k >= 7 { Dash::Dashed } else { Dash::Solid };
            (!points.is_empty()).then(|| Layer::line(named(scheme, *rho_inf), Palette::series(k), points).dash(dash))
        });
        let mut layers: Vec<Layer> = layers.collect();
        let of_paper = runs.iter().find(|run| run[0].row.scheme == "generalized-alpha" && run[0].row.rho_inf == Some(0.0));
        layers.extend(of_paper.into_iter().flat_map(|run| published_order(title, &points(run))));
        outside(Panel::new(Axis::log("dt [s]"), Axis::log(format!("largest error [{unit}]")), layers).titled(title))
    };
    Ok(Figure::new(
        "orders",
        "Errors over the step, Newton converged",
        "A swinging chain of springs against a much finer Runge-Kutta run: slopes are orders. The paper gives orders of generalized-alpha and no \
         heights: the grey lines meet that of rho_inf = 0 at its largest step.",
        vec![
            panel("positions", "m", |row| row.position),
            panel("velocities", "m/s", |row| row.velocity),
            panel("accelerations", "m/s²", |row| row.acceleration),
        ],
    ))
}

/// Rates over the step, with theory for one mode.
pub fn steps(results: &Results) -> Result<Figure, ResultsError> {
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
    let mut layers = vec![
        Layer::line("backward Euler", Palette::BLUE, euler.clone()),
        Layer::points("", Palette::BLUE, euler.clone()),
        Layer::line("generalized-alpha", Palette::VERMILLION, alpha.clone()),
        Layer::points("", Palette::VERMILLION, alpha),
    ];
    layers.extend(["backward Euler", "generalized-alpha"].into_iter().flat_map(published));
    if let Some(period) = paper.references("resting").first().and_then(|row| row.period) {
        let omega = std::f64::consts::TAU / period;
        let theory = |rate: &dyn Fn(f64) -> f64| euler.iter().map(|point| [point[0], rate(point[0])]).collect::<Vec<_>>();
        let square = omega * omega;
        layers.push(
            Layer::line("backward Euler, one mode", Palette::BLUE, theory(&|dt| libm::log(1.0 + square * dt * dt) / dt))
                .dash(Dash::Dotted),
        );
        let steep = theory(&|dt| square * square * dt * dt * dt);
        layers.push(Layer::line("generalized-alpha, one mode", Palette::VERMILLION, steep).dash(Dash::Dotted));
    }
    let panel = Panel::new(Axis::log("dt [s]"), Axis::log("decay rate of the energy [1/s]"), layers);
    Ok(Figure::new(
        "steps",
        "Decay rate over the step",
        "Of the tuned scene, which was chosen for its rates: measured, published, and in theory for one mode with the period of the swing. What \
         generalized-alpha loses is in the higher modes.",
        vec![outside(panel)],
    ))
}

/// Bins of the ratio of rates, with their colours.
const BINS: [(f64, &str, Color); 6] = [
    (1.0, "below 1", Palette::BLACK),
    (2.0, "1 to 2", Palette::YELLOW),
    (4.0, "2 to 4", Palette::ORANGE),
    (8.0, "4 to 8", Palette::VERMILLION),
    (16.0, "8 to 16", Palette::PURPLE),
    (f64::INFINITY, "above 16", Palette::BLUE),
];

/// Ascending values of something, each once.
fn ladder(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    values
}

/// The map of the axes on which the ratio hangs: its median over starts at each place.
pub fn map(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Listed<Map>>()?;
    let pairs = pairs(&rows);
    let of = |pick: fn(&FlagRow) -> f64| ladder(pairs.iter().map(|pair| pick(pair.euler)));
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
        let bin = |ratio: f64| BINS.iter().position(|(to, _, _)| ratio < *to).unwrap_or(BINS.len() - 1);
        let within = |takes: &dyn Fn(Option<f64>) -> bool| {
            cells.iter().filter(|(ratio, _)| takes(*ratio)).map(|(_, centre)| *centre).collect::<Vec<_>>()
        };
        let mut layers: Vec<Layer> = (BINS.iter().enumerate())
            .map(|(k, (_, name, color))| {
                Layer::cells(*name, *color, [1.0, 1.0], within(&|ratio| ratio.is_some_and(|ratio| bin(ratio) == k)))
            })
            .collect();
        layers.push(Layer::cells("no run has a ratio", Palette::GREY, [1.0, 1.0], within(&|ratio| ratio.is_none())));
        let names = |values: &[f64]| values.iter().map(f64::to_string).collect::<Vec<_>>();
        let x = Axis::categories("stiffness [N/m]", names(&stiffness));
        let y = Axis::categories("amplitude [m]", names(&amplitude));
        outside(Panel::new(x, y, layers).titled(format!("{step} s")))
    };
    let mut panels: Vec<Panel> = steps.iter().map(|&step| panel(step)).collect();
    let last = panels.len().saturating_sub(1);
    for panel in &mut panels[..last] {
        panel.legend = Corner::None; // all have that of the last one
    }
    Ok(Figure {
        columns: 2,
        ..Figure::new(
            "map",
            "Decay of backward Euler over that of generalized-alpha, place by place",
            "Ratio of the rates round the tuned flag, of 10 N/m and 0.01 m: medians over starts a micrometre aside, exact Hessian, one Newton \
             step. The paper's rates have ratios of 8.6 at the small step and 4.5 at the large one.",
            panels,
        )
    })
}

/// Drawn scenes beside the published ratio.
pub fn settings(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Settings>()?;
    let pairs = pairs(&rows);
    let steps = ladder(pairs.iter().map(|pair| pair.euler.step));
    let ends =
        pairs.iter().map(|pair| pair.euler.stiffness).fold([f64::INFINITY, 0.0_f64], |[low, high], y| [low.min(y), high.max(y)]);
    let kinds = [("exact", "flat"), ("exact", "resting"), ("filtered", "flat"), ("filtered", "resting")];
    let panel = |(which, &step): (usize, &f64)| {
        let here = || pairs.iter().filter(move |pair| pair.euler.step == step);
        let mut layers: Vec<Layer> = (kinds.iter().enumerate())
            .map(|(k, (hessian, start))| {
                let mine = here().filter(|pair| pair.euler.hessian == *hessian && pair.euler.start == *start);
                let points = mine.filter_map(|pair| Some([pair.euler.stiffness, pair.ratio()?])).collect();
                Layer::points(format!("{hessian} Hessian, {start} start"), Palette::series(k), points)
            })
            .collect();
        let across = |name: &str, color: Color, height: f64| Layer::line(name, color, ends.map(|y| [y, height]).to_vec());
        if let Some([euler, alpha]) = PUBLISHED.get(which) {
            layers.push(across("published", Palette::GREY, euler / alpha));
        }
        if let Some(middle) = median(&here().filter_map(Pair::ratio).collect::<Vec<_>>()) {
            layers.push(across("median", Palette::BLACK, middle).dash(Dash::Dashed));
        }
        let (x, y) = (Axis::log("stiffness [N/m]"), Axis::log("rate of backward Euler over that of generalized-alpha"));
        outside(Panel::new(x, y, layers).titled(format!("dt = {step} s")))
    };
    Ok(Figure::new(
        "settings",
        "Drawn scenes of the flag",
        "Ratio of the decay rates where both runs came to their end and lose energy; the claims are judged by the median over all of them.",
        steps.iter().enumerate().map(panel).collect(),
    ))
}

/// Errors of the swing over drawn scenes.
pub fn errors(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Swings>()?;
    let sets: Vec<&[Row<FlagRow>]> = rows.chunk_by(|a, b| a.set == b.set).collect();
    let kinds = ladder(rows.iter().filter(|row| row.row.scheme == "rk4").map(|row| row.row.step));
    let steps = ladder(rows.iter().filter(|row| row.row.scheme != "rk4").map(|row| row.row.step));
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
        outside(Panel::new(x, Axis::linear("share of scenes with no larger error").range(0.0, 1.0), layers).titled(quantity))
    };
    Ok(Figure::new(
        "errors",
        "Errors of the swing against a reference over drawn scenes",
        "Period and amplitude of the lower edge's swing over the last 8 s, started at rest. A run that no longer swings has an error of one.",
        vec![panel("period", |row| row.period), panel("amplitude", |row| row.swing)],
    ))
}

/// Errors below this are drawn as this \[-\].
const LEAST_ERROR: f64 = 1e-4;

/// Rates and work over rho_inf.
pub fn limits(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.without_sets::<Listed<Limits>>()?;
    let mut steps: Vec<f64> = rows.iter().map(|row| row.step).collect();
    steps.sort_by(f64::total_cmp);
    steps.dedup();
    let layers = |pick: &dyn Fn(&FlagRow) -> Option<f64>| {
        let mut layers = vec![];
        for (k, (start, newton)) in [("resting", "once"), ("flat", "once"), ("flat", "converged")].iter().enumerate() {
            for (s, &step) in steps.iter().enumerate() {
                let mine = rows.iter().filter(|row| row.start == *start && row.newton == *newton && row.step == step);
                let points: Vec<[f64; 2]> = mine.filter_map(|row| Some([row.rho_inf?, pick(row)?])).collect();
                let dash = if s == 0 { Dash::Solid } else { Dash::Dashed };
                layers.push(
                    Layer::line(format!("{start} start, Newton {newton}, {step} s"), Palette::series(k), points.clone())
                        .dash(dash),
                );
                layers.push(Layer::points("", Palette::series(k), points));
            }
        }
        layers
    };
    let rate = layers(&|row| row.rate.filter(|rate| *rate > 0.0));
    let work = layers(&|row| row.is_finished().then(|| row.iterations as f64 / row.steps as f64));
    let x = || Axis::linear("rho_inf").range(-0.02, 1.02);
    Ok(Figure::new(
        "limits",
        "Decay and work over rho_inf",
        "What the paper leaves open. A place without a point is a run that blew up, or one that gains energy.",
        vec![
            outside(Panel::new(x(), Axis::log("decay rate of the energy [1/s]"), rate)),
            outside(Panel::new(x(), Axis::linear("iterations of conjugate gradients a step"), work)),
        ],
    ))
}

/// Condition of the systems over time.
pub fn systems(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Systems>()?;
    let coarse = rows.iter().map(|row| row.row.step).fold(0.0, f64::max);
    let panel = |title: &str, pick: fn(&SystemRow) -> Option<f64>| {
        let layers = rows.chunk_by(|a, b| a.set == b.set).map(|run| {
            let SystemRow { scheme, step, .. } = &run[0].row;
            let points = run.iter().filter_map(|row| Some([row.row.time, pick(&row.row)?])).collect();
            let dash = if *step == coarse { Dash::Dashed } else { Dash::Solid };
            Layer::line(format!("{}, {step} s", named(scheme, None)), color(scheme), points).dash(dash)
        });
        outside(Panel::new(Axis::linear("time [s]"), Axis::log("condition number"), layers.collect()).titled(title))
    };
    Ok(Figure::new(
        "systems",
        "Condition of the linear systems",
        "Largest over smallest eigenvalue of the systems that both schemes solve, without a preconditioner and with constrained blocks.",
        vec![panel("as they are", |row| row.condition), panel("with constrained blocks", |row| row.condition_blocks)],
    ))
}
