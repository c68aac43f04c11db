//! What bend springs do to folds, and how far other springs move hanging cloth. S-BEND-FOLDS.

use kit::prelude::*;

use super::drapes::{
    BASE, DrapeRow, Drapes, HEM_BY_MASS, HEM_BY_TRIPLE_MASS, NO_BEND, ONE_DIAGONAL, STIFF_BEND, STIFF_SHEAR, VARIANTS,
};

/// Sheets, each with its variants.
pub struct Sheets(Vec<Row<DrapeRow>>);

impl Sheets {
    /// From the results.
    pub fn of(results: &Results) -> Result<Sheets, ResultsError> {
        Ok(Sheets(results.rows::<Drapes>()?))
    }

    fn sheets(&self) -> impl Iterator<Item = &[Row<DrapeRow>]> {
        self.0.chunk_by(|a, b| a.set == b.set)
    }

    /// A value of a variant of each sheet that has one.
    fn values(&self, variant: &str, of: impl Fn(&DrapeRow) -> Option<f64>) -> Vec<f64> {
        self.0.iter().filter(|row| row.row.variant == variant).filter_map(|row| of(&row.row)).collect()
    }

    fn median(&self, variant: &str, of: impl Fn(&DrapeRow) -> Option<f64>) -> Option<Estimate> {
        Estimate::median(&self.values(variant, of))
    }

    /// Values of two variants of one sheet put together.
    pub fn paired(&self, [one, other]: [&str; 2], of: impl Fn(&DrapeRow, &DrapeRow) -> Option<f64>) -> Vec<f64> {
        let named = |sheet: &'_ [Row<DrapeRow>], name: &str| sheet.iter().position(|row| row.row.variant == name);
        self.sheets().filter_map(|sheet| of(&sheet[named(sheet, one)?].row, &sheet[named(sheet, other)?].row)).collect()
    }

    /// How many runs are not finished, and what came of them.
    fn lost(&self) -> String {
        left_out(self.0.iter().map(|row| row.row.status))
    }

    fn count(&self) -> usize {
        self.sheets().count()
    }
}

/// Distances of the sheets with a choice from those with another.
pub struct Distances {
    /// What is compared.
    pub words: String,
    /// A distance a sheet \[m\].
    pub sheets: Vec<f64>,
    /// Whether the median is held against [`DRAMATIC`].
    pub is_held: bool,
}

/// Distances from the base, then those from opposite choices that are judged, for the chart.
pub fn distances(results: &Results) -> Result<Vec<Distances>, ResultsError> {
    let sheets = Sheets::of(results)?;
    let from_base = VARIANTS[1..].iter().map(|(variant, _)| Distances {
        words: (*variant).to_owned(),
        sheets: sheets.values(variant, |row| row.from_base),
        is_held: *variant == ONE_DIAGONAL,
    });
    let judged = VARIANTS.iter().filter(|(variant, _)| [STIFF_SHEAR, HEM_BY_MASS, HEM_BY_TRIPLE_MASS].contains(variant));
    let from_partner = judged.map(|(variant, partner)| Distances {
        words: format!("{variant} to {partner}"),
        sheets: sheets.values(variant, |row| row.from_partner),
        is_held: *variant == STIFF_SHEAR,
    });
    Ok(from_base.chain(from_partner).collect())
}

fn none() -> ResultsError {
    too_few("no sheet came to rest")
}

/// Mean distance that is dramatic \[m\], on sheets of 1 m.
pub const DRAMATIC: f64 = 0.05;
/// S-BEND-FOLDS.
pub fn folds(results: &Results) -> Result<Finding, ResultsError> {
    let sheets = Sheets::of(results)?;
    let ratio = |pair: [&str; 2]| Estimate::median(&sheets.paired(pair, |a, b| Some(a.fold? / b.fold?)));
    let main = ratio([STIFF_BEND, NO_BEND]).ok_or_else(none)?;
    let angles = |variant: &str| sheets.median(variant, |row| row.fold).map_or("none".into(), |fold| fold.to_string());
    let others = [
        ("the base against no bend springs", ratio([BASE, NO_BEND])),
        ("ten times the stiffness against the base", ratio([STIFF_BEND, BASE])),
        ("one diagonal in each cell against both", ratio([ONE_DIAGONAL, BASE])),
    ];
    let mut readings = readings(others, Estimate::to_string, |_| None);
    let measured = format!("ten times {}, base {}, none {}", angles(STIFF_BEND), angles(BASE), angles(NO_BEND));
    readings.push(Reading::new("median angle between neighbouring cells in rad", measured, None));
    let measured =
        format!("folds turn {} times as much with ten times the bending stiffness as without bend springs, in the median", main);
    let reason = format!(
        "the book says that folds result from bending and that springs to every other particle are a way to model it, not \
         what stiffer ones do to folds; with all springs {}; sheets with so few cells hardly fold: a statement of how folds \
         change, and finer sheets, would make it a claim to be judged",
        sheets.lost()
    );
    Ok(Finding::new(Verdict::Underspecified, measured, reason)
        .rests_on(&main)
        .left_out(sheets.count() - main.cases)
        .readings(readings))
}

/// Least distance between shapes that is shown \[m\].
const LEAST_DISTANCE: f64 = 1e-4;
/// How far other springs move hanging cloth.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let distances = distances(results)?;
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
    let caption = "Sheets of 1 m hung from two corners: how far particles are from where they hang with the base's springs, in the mean. \
                   The first column is the base itself from a start that differs by a micrometre: what lies about as high tells nothing \
                   of springs. The last columns are distances between two choices, which shear and hems are judged by. Distances below \
                   1e-4 m are drawn there.";
    Ok(Figure::new("springs", "Shapes at rest with other springs, hems and connections", caption, vec![panel]))
}
