//! The charts of multigrid against CP.

use chart::{Axis, Dash, Figure, Layer, Marker, Palette, Panel};
use lab::judge::statistics::median;
use lab::prelude::*;

use super::multigrid::{Hold, METHODS, Multigrid, MultigridRow};

const PARTICLES: &str = "n, number of particles";

/// A panel a hold: a value of every row over the number of particles, a line for each method and kappa.
fn panels(rows: &[Row<MultigridRow>], label: &str, value: impl Fn(&Row<MultigridRow>) -> Option<f64>) -> Vec<Panel> {
    let mut kappas: Vec<f64> = rows.iter().map(|row| row.row.kappa).collect();
    kappas.sort_by(f64::total_cmp);
    kappas.dedup();
    let panel = |hold: Hold| {
        let mut layers = vec![];
        for (k, kappa) in kappas.iter().enumerate() {
            for (method, dash, marker) in
                [(METHODS[0].name, Dash::Dashed, Marker::OpenCircle), (METHODS[1].name, Dash::Solid, Marker::Circle)]
            {
                let of = rows.iter().filter(|row| {
                    let MultigridRow { hold: held, method: by, kappa: at, .. } = &row.row;
                    held == hold.name() && by == method && at == kappa
                });
                let points = of.filter_map(|row| Some([(row.row.side * row.row.side) as f64, value(row)?])).collect::<Vec<_>>();
                let color = Palette::series(k);
                layers.push(Layer::line(format!("{method}, kappa {kappa}"), color, points.clone()).dash(dash));
                layers.push(Layer::points("", color, points).marker(marker));
            }
        }
        Panel::new(Axis::log(PARTICLES), Axis::log(label), layers).titled(hold.name())
    };
    Hold::ALL.into_iter().map(panel).collect()
}

/// Iterations a solve by size.
pub fn iterations(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Multigrid>()?;
    let a_solve = |row: &Row<MultigridRow>| {
        let MultigridRow { iterations, solves, .. } = row.row;
        (iterations > 0 && solves > 0).then(|| iterations as f64 / solves as f64)
    };
    Ok(Figure::new(
        "multigrid",
        "Iterations by multigrid and by CP",
        "Sheets of a metre to a relative tolerance of 10⁻⁶: taut between two edges, hanging from two corners, sliding on a sphere. Where cycles stall, \
         CP goes on from the iterate that they reached, and its iterations are counted too.",
        panels(&rows, "CG iterations a solve", a_solve),
    ))
}

/// Times of a step by size.
pub fn times(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Multigrid>()?;
    let times = results.times("multigrid")?;
    let of_step = |row: &Row<MultigridRow>| {
        let seconds: Vec<f64> = times.iter().filter(|time| time.set == row.set).map(|time| time.seconds).collect();
        let solves = row.row.solves;
        median(&seconds).filter(|_| solves > 0).map(|seconds| 1e3 * seconds / solves as f64)
    };
    let caption = "The same runs by the time of a step, everything included: assembly, contact, the hierarchy of multigrid and the solve. Medians, measured \
                   alone and in turn on one machine.";
    let panels = panels(&rows, "time of a step  [ms]", of_step);
    Ok(Figure { of_times: true, ..Figure::new("multigrid-times", "Times by multigrid and by CP", caption, panels) })
}
