//! The charts of the study, each from its tables alone.

use kit::prelude::*;

use super::assumptions::{AS_PRINTED, CONVERGED, GROUND, SCENES, Scene, USUAL};
use super::changes::{by_reading, changes, in_scene};
use super::runs::{Counting, RunRow};

/// A value for each size of sheet: n and the mean of what the sets that finished give.
fn by_size(rows: &[RunRow], value: impl Fn(&RunRow) -> Option<f64>) -> Vec<[f64; 2]> {
    let sides: Vec<usize> = distinct(rows.iter().map(|row| row.sheet.side));
    let of = |side: usize| {
        let rows = rows.iter().filter(|row| row.sheet.side == side && row.is_finished());
        Some([(side * side) as f64, mean(&rows.filter_map(&value).collect::<Vec<_>>())?])
    };
    sides.into_iter().filter_map(of).collect()
}

/// A panel for each scene.
pub fn panels(results: &Results, panel: impl Fn(&Scene, Vec<RunRow>) -> Panel) -> Result<Vec<Panel>, ResultsError> {
    SCENES.iter().map(|scene| Ok(panel(scene, in_scene(results, scene)?).titled(scene.name))).collect()
}

pub fn particles() -> Axis {
    Axis::log("n, particles")
}

/// Figure 6.9: RV count against n.
pub fn counts(results: &Results) -> Result<Figure, ResultsError> {
    let panel = |scene: &Scene, rows: Vec<RunRow>| {
        let of = |count: fn(&RunRow) -> u64| by_size(&rows, |row| Some(count(row) as f64).filter(|count| *count > 0.0));
        let free = of(|row| row.full_free_rows);
        let mut layers = vec![
            Layer::line("full, all rows", Palette::BLACK, of(|row| row.full_rows)),
            Layer::points("full, without fully constrained rows", Palette::ORANGE, free).marker(Marker::OpenCircle),
            Layer::line("decomposing", Palette::BLUE, of(|row| row.decomposed_rows)),
        ];
        if scene.configuration == Configuration::OffCentreSphere {
            let from = Curve::new(BOXERMAN, "6.9", "particles from which decomposing pays");
            let label = format!("{}: decomposing pays from about here on", from.label());
            layers.extend(from.rules(Direction::Vertical, |n| n).into_iter().map(|rule| rule.labelled(label.clone())));
        }
        Panel::new(particles(), Axis::log("RV count of a run"), layers)
    };
    let title = "Figure 6.9: rows multiplied by vectors, against the number of particles";
    let caption =
        "Means over the sets of each size that finished. A fully constrained row needs no product in the decomposing solver.";
    let figure = Figure::new("rv-count", title, caption, panels(results, panel)?);
    Ok(Figure { columns: 2, ..figure.with_one_y().with_one_legend() })
}

/// Figure 6.10: ratio of the RV counts against n.
pub fn ratios(results: &Results) -> Result<Figure, ResultsError> {
    let panel = |scene: &Scene, rows: Vec<RunRow>| {
        let finished = rows.iter().filter(|row| row.is_finished());
        let sets = finished.filter_map(|row| Some([row.particles() as f64, row.ratio(Counting::AllRows)?]));
        let mut layers = vec![];
        match scene.configuration {
            Configuration::OffCentreSphere => {
                layers.extend(Curve::new(BOXERMAN, "6.10", "ratio of RV counts above 700 particles").lines(|point| point));
            }
            Configuration::Corners => {
                let name = "RV count of the decomposing solver where nothing decomposes, over full, less one";
                let change = Curve::new(BOXERMAN, "", name);
                layers.extend(change.rules(Direction::Horizontal, |percent| 1.0 + 0.01 * percent));
            }
            _ => {}
        }
        layers.extend([
            Layer::rule("", Palette::GREY, Direction::Horizontal, 1.0),
            Layer::points("sets", Palette::SKY, sets.collect::<Vec<_>>()).marker(Marker::OpenCircle),
            Layer::line("mean", Palette::BLUE, by_size(&rows, |row| row.ratio(Counting::AllRows))),
            Layer::line(
                "mean, without fully constrained rows",
                Palette::ORANGE,
                by_size(&rows, |row| row.ratio(Counting::FreeRows)),
            ),
        ]);
        Panel::new(particles(), Axis::linear("RV count, decomposing / full").range(0.0, 1.3), layers)
    };
    let caption = "Each set by the ratio of its RV counts over one second, on the ground until it rests; the orange line leaves fully constrained rows out of the full count too.";
    let panels = panels(results, panel)?;
    let figure = Figure::new("ratio", "Figure 6.10: what decomposing saves, against the number of particles", caption, panels);
    Ok(Figure { columns: 2, ..figure.with_one_legend() })
}

/// A colour for each scene.
const SCENE_COLORS: [Color; 4] = [Palette::BLACK, Palette::SKY, Palette::BLUE, Palette::VERMILLION];

/// How the ratio is distributed, in all scenes and on the ground.
pub fn distribution(results: &Results) -> Result<Figure, ResultsError> {
    let axes = || (Axis::linear("RV count, decomposing / full").range(0.0, 1.2), Axis::linear("share of sets").range(0.0, 1.0));
    let ratios = |rows: &[RunRow], counting| changes(rows, counting).into_iter().map(|change| 1.0 + change);
    let mut layers = vec![];
    for (scene, color) in SCENES.iter().zip(SCENE_COLORS) {
        let rows = in_scene(results, scene)?;
        layers.push(Layer::line(scene.name, color, cumulative(ratios(&rows, Counting::AllRows))));
    }
    let (x, y) = axes();
    let mut scenes = Panel::new(x, y, layers).titled("scenes, all rows");
    let rows = in_scene(results, &GROUND)?;
    let tenths = rows.iter().filter(|row| row.is_finished()).filter_map(|row| row.best_tenth);
    let (x, y) = axes();
    let [typical, best] = [Claimed::of("B-DEC-FALL", "rows"), Claimed::of("B-DEC-FALL", "best tenth of a fall")];
    let [least, most] = typical.range().unwrap_or([f64::NAN; 2]).map(|change| 1.0 + change);
    let [typical, at_times] = [(typical, "typical"), (best, "at times")].map(|(of, when)| format!("{}: {when}", of.label()));
    let layers = vec![
        Layer::band(typical, Palette::GREY, Direction::Vertical, least, most),
        Layer::rule(at_times, Palette::GREY, Direction::Vertical, 1.0 + best.published()),
        Layer::line("all rows", Palette::VERMILLION, cumulative(ratios(&rows, Counting::AllRows))),
        Layer::line("without fully constrained rows", Palette::ORANGE, cumulative(ratios(&rows, Counting::FreeRows))),
        Layer::line("best tenth of the run, all rows", Palette::PURPLE, cumulative(tenths)),
    ];
    let mut ground = Panel::new(x, y, layers).titled("ground");
    (scenes.legend, ground.legend) = (Corner::Outside, Corner::Outside);
    let caption = "Share of the sets that finished whose RV count stays below a part of that of the full solver.";
    Ok(Figure::new("distribution", "How many sets save how much", caption, vec![scenes, ground]))
}

/// Mean change under each reading, in each scene.
pub fn readings(results: &Results) -> Result<Figure, ResultsError> {
    let panel = |scene: &Scene| -> Result<Panel, ResultsError> {
        let mut readings = by_reading(results, scene)?;
        if let Some(usual) = readings.first().map(|compared| compared.usual.clone()) {
            readings.insert(0, Compared { name: USUAL.name.into(), rows: usual, usual: vec![] });
        }
        let bars = |counting, shift: f64| {
            let bars = readings.iter().enumerate().filter_map(|(k, Compared { rows, .. })| {
                let sample: Vec<f64> = changes(rows, counting).iter().map(|change| 1.0 + change).collect();
                Some(Estimate::median(&sample)?.bar((k + 1) as f64 + shift))
            });
            bars.collect::<Vec<_>>()
        };
        let names = readings.iter().map(|compared| compared.name.clone());
        let x = Axis::categories("", names);
        let layers = vec![
            Layer::rule("", Palette::GREY, Direction::Horizontal, 1.0),
            Layer::error_bars("all rows", Palette::BLUE, bars(Counting::AllRows, -0.1)),
            Layer::error_bars("without fully constrained rows", Palette::ORANGE, bars(Counting::FreeRows, 0.1)),
        ];
        let panel = Panel::new(x, Axis::linear("RV count, decomposing / full").range(0.0, 1.2), layers).legend_outside();
        Ok(panel.titled(scene.name))
    };
    let caption = "Medians over the first sets of the main group with 95 % intervals; one assumption is varied at a time.";
    let panels = SCENES.iter().map(panel).collect::<Result<_, _>>()?;
    let figure = Figure::new("readings", "What decomposing saves under other assumptions", caption, panels);
    Ok(Figure { columns: 2, ..figure })
}

/// What the reading of the tolerance changes: runs that are lost, and what decomposing saves.
pub fn tolerance(results: &Results) -> Result<Figure, ResultsError> {
    let names = [USUAL.name, AS_PRINTED, CONVERGED];
    let (mut lost, mut saved) = (vec![], vec![Layer::rule("", Palette::GREY, Direction::Horizontal, 0.0)]);
    for (k, (scene, color)) in SCENES.iter().zip(SCENE_COLORS).enumerate() {
        let readings = by_reading(results, scene)?;
        let found = |name: &str| readings.iter().find(|compared| compared.name == name);
        let of = |name: &str| match name == USUAL.name {
            true => found(AS_PRINTED).map(|compared| &compared.usual),
            false => found(name).map(|compared| &compared.rows),
        };
        let at = |place: usize| place as f64 + 1.0 + 0.12 * (k as f64 - 1.5);
        let shares = names.iter().enumerate().filter_map(|(place, name)| {
            let rows = of(name)?;
            Some(share_of(rows.iter().map(|row| !row.is_finished()))?.bar(at(place)))
        });
        lost.push(Layer::error_bars(scene.name, color, shares.collect::<Vec<_>>()));
        let medians = names
            .iter()
            .enumerate()
            .filter_map(|(place, name)| Some(Estimate::median(&changes(of(name)?, Counting::AllRows))?.bar(at(place))));
        saved.push(Layer::error_bars(scene.name, color, medians.collect::<Vec<_>>()));
    }
    let axis = || Axis::categories("", ["tol = c dt", "tol² = c dt", "tol = 1e-8"]);
    let mut lost =
        Panel::new(axis(), Axis::linear("share of sets that are lost").range(0.0, 1.0), lost).titled("runs that gain energy");
    let mut saved = Panel::new(axis(), Axis::linear("change of the RV count"), saved).titled("what decomposing saves");
    (lost.legend, saved.legend) = (Corner::Outside, Corner::Outside);
    let caption = "The first sets by conjugate gradients to tol = c dt, to tol² = c dt as printed, c = 0.01, and to 1e-8: the share of \
                   sets of which either solver gains energy, and the median change of the RV count over the others, each with its 95 % \
                   interval.";
    Ok(Figure::new("tolerance", "What the reading of the tolerance changes", caption, vec![lost, saved]))
}
