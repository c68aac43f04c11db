//! The charts of the study, each from its tables alone.

use chart::{Axis, Color, Corner, Figure, Layer, Marker, Palette, Panel};
use lab::judge::statistics::median;
use lab::prelude::*;

use super::damping::{self, Damping, DampingRow};
use super::drape_verdicts::{self, DRAMATIC, Distances};
use super::implicit::{Implicit, RATES};

/// Least distance that is shown \[m\].
const LEAST: f64 = 1e-8;

/// Least distance between shapes that is shown \[m\].
const LEAST_DISTANCE: f64 = 1e-4;

/// How far other springs move hanging cloth.
pub fn springs(results: &Results) -> Result<Figure, ResultsError> {
    let distances = drape_verdicts::distances(results)?;
    let at = |k: usize| (k + 1) as f64;
    let shown = |distance: f64| distance.max(LEAST_DISTANCE);
    let each = |(k, of): (usize, &Distances)| of.sheets.iter().map(|d| [at(k), shown(*d)]).collect::<Vec<_>>();
    let points = distances.iter().enumerate().flat_map(each).collect();
    let medians = distances.iter().enumerate().filter_map(|(k, of)| Some([at(k), shown(median(&of.sheets)?)])).collect();
    // across the columns that are judged by it alone
    let across = |k: usize| vec![[at(k) - 0.4, DRAMATIC], [at(k) + 0.4, DRAMATIC]];
    let held = |k: usize| Layer::line("5 % of the side, where the median is held against it", Palette::BLACK, across(k));
    let mut layers = vec![
        Layer::points("a sheet", Palette::SKY, points).marker(Marker::OpenCircle),
        Layer::points("median", Palette::VERMILLION, medians).marker(Marker::Diamond),
    ];
    layers.extend(distances.iter().enumerate().filter(|(_, of)| of.is_held).map(|(k, _)| held(k)));
    let names = distances.iter().map(|of| of.words.clone());
    let panel =
        Panel::new(Axis::categories("", names), Axis::log("mean distance of particles  [m]").range(LEAST_DISTANCE, 1.0), layers)
            .legend_outside();
    Ok(Figure::new(
        "springs",
        "Shapes at rest with other springs, hems and connections",
        "Sheets of 1 m hung from two corners: how far particles are from where they hang with the base's springs, in the mean. \
         The first column is the base itself from a start that differs by a micrometre: what lies about as high tells nothing \
         of springs. The last columns are distances between two choices, which shear and hems are judged by. Distances below \
         1e-4 m are drawn there.",
        vec![panel],
    ))
}

const UNROLLING: &str = "unrolling";

type Value = fn(&DampingRow, &DampingRow) -> Option<f64>;

/// What plain and projected dampers do.
pub fn damping(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Damping>()?;
    let ratios = damping::ratios(&rows);
    let kinds: [(&str, Color, Marker); 2] =
        [(damping::PLAIN, Palette::VERMILLION, Marker::Circle), (damping::PROJECTED, Palette::BLUE, Marker::OpenCircle)];
    let panel = |(title, label, value): (&str, &str, Value)| {
        let is_of_unrolling = title == UNROLLING;
        let mut layers = vec![];
        for (form, color, marker) in kinds {
            let of = |ratio: &f64| damping::of(&rows, form, *ratio, value);
            let points = ratios.iter().flat_map(|ratio| of(ratio).into_iter().map(move |value| [*ratio, value])).collect();
            let medians = ratios.iter().filter_map(|ratio| Some([*ratio, median(&of(ratio))?])).collect();
            layers.push(Layer::points(form, color, points).marker(marker));
            // in every panel, since all have the legend of the last one
            let bound =
                |damped: &DampingRow, undamped: &DampingRow| value(damped, undamped).filter(|_| is_of_unrolling && damped.rolled);
            let bounds = ratios
                .iter()
                .flat_map(|ratio| damping::of(&rows, form, *ratio, bound).into_iter().map(move |value| [*ratio, value]));
            let label = format!("{form}, not unrolled at the end: a lower bound");
            layers.push(Layer::points(label, color, bounds.collect()).marker(Marker::Cross));
            layers.push(Layer::line(format!("{form}, median"), color, medians));
        }
        let mut panel =
            Panel::new(Axis::log("damping over critical damping of a spring"), Axis::linear(label), layers).titled(title);
        panel.legend = Corner::None;
        panel
    };
    let panels: [(&str, &str, Value); 3] = [
        ("rigid rotation", "angular momentum lost in a turn", |damped, _| damped.momentum),
        (UNROLLING, "time over that without damping", |damped, undamped| Some(damped.unrolled? / undamped.unrolled?)),
        ("falling from two corners", "time over that without damping", |damped, undamped| {
            Some(damped.fallen? / undamped.fallen?)
        }),
    ];
    let mut panels: Vec<Panel> = panels.into_iter().map(panel).collect();
    if let Some(last) = panels.last_mut() {
        last.legend = Corner::Outside;
    }
    Ok(Figure {
        columns: 2,
        ..Figure::new(
            "damping",
            "Plain and projected damping",
            "Sheets that turn freely for a second, that unroll freely from an arc of 2 rad, and that fall from two corners; a \
             cross is a sheet that had not unrolled half way at the end, so that its time is a lower bound. Plain dampers \
             resist all three, projected ones act along springs that elongate.",
            panels,
        )
    })
}

/// One Newton step against many, by the error of the time step.
pub fn newton(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Implicit>()?;
    let markers = [Marker::Circle, Marker::OpenCircle, Marker::Triangle];
    let mut layers: Vec<Layer> = vec![];
    for (k, (rate, marker)) in RATES.into_iter().zip(markers).enumerate() {
        let converged = rows.iter().filter(|row| row.row.rate == rate && row.row.newton == "converged");
        let points = converged.filter_map(|row| Some([row.row.error?.max(LEAST), row.row.apart?.max(LEAST)])).collect();
        layers.push(Layer::points(format!("steps of 1/{rate} s"), Palette::series(k), points).marker(marker));
    }
    layers.push(Layer::line("as far as the error", Palette::GREY, vec![[1e-5, 1e-5], [1.0, 1.0]]));
    let x = Axis::log("error of converged steps  [m]").range(1e-5, 1.0);
    let panel = Panel::new(x, Axis::log("distance of one Newton step from them  [m]").range(1e-7, 1.0), layers).legend_outside();
    Ok(Figure::new(
        "newton",
        "One Newton step against converged ones",
        "Backward Euler on springs of triangles: the distance between one Newton step and converged ones after half a second, \
         against the error of the converged ones. Below the line linearising once costs less accuracy than the time step itself.",
        vec![panel],
    ))
}
