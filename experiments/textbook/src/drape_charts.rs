//! How far other springs move hanging cloth, for the chart and the discussion.

use kit::prelude::*;

use super::drapes::{DrapeRow, Drapes, HEM_BY_MASS, HEM_BY_TRIPLE_MASS, ONE_DIAGONAL, STIFF_SHEAR, VARIANTS};

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

    /// Values of two variants of one sheet put together.
    pub fn paired(&self, [one, other]: [&str; 2], of: impl Fn(&DrapeRow, &DrapeRow) -> Option<f64>) -> Vec<f64> {
        let named = |sheet: &'_ [Row<DrapeRow>], name: &str| sheet.iter().position(|row| row.row.variant == name);
        self.sheets().filter_map(|sheet| of(&sheet[named(sheet, one)?].row, &sheet[named(sheet, other)?].row)).collect()
    }
}

/// Distances of the sheets with a choice from those with another.
struct Distances {
    /// What is compared.
    words: String,
    /// A distance a sheet \[m\].
    sheets: Vec<f64>,
    /// Bound of the median \[m\], on sheets of 1 m.
    bound: Option<f64>,
}

/// Distances from the base, then those from opposite choices that are judged, for the chart.
fn distances(results: &Results) -> Result<Vec<Distances>, ResultsError> {
    let sheets = Sheets::of(results)?;
    let from_base = VARIANTS[1..].iter().map(|(variant, _)| Distances {
        words: (*variant).to_owned(),
        sheets: sheets.values(variant, |row| row.from_base),
        bound: Claimed::of("S-CONNECT", "distance").ours().filter(|_| *variant == ONE_DIAGONAL),
    });
    let judged = VARIANTS.iter().filter(|(variant, _)| [STIFF_SHEAR, HEM_BY_MASS, HEM_BY_TRIPLE_MASS].contains(variant));
    let from_partner = judged.map(|(variant, partner)| Distances {
        words: format!("{variant} to {partner}"),
        sheets: sheets.values(variant, |row| row.from_partner),
        bound: Claimed::of("S-SHEAR-LOOK", "distance").ours().filter(|_| *variant == STIFF_SHEAR),
    });
    Ok(from_base.chain(from_partner).collect())
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
    let across = |(k, of): (usize, &Distances)| {
        let bound = of.bound?;
        let label = format!("{:.0} % of the side, where the median is held against it", 100.0 * bound);
        Some(Layer::line(label, Palette::BLACK, vec![[at(k) - 0.4, bound], [at(k) + 0.4, bound]]))
    };
    let mut layers = vec![
        Layer::points("a sheet", Palette::SKY, points).marker(Marker::OpenCircle),
        Layer::points("median", Palette::VERMILLION, medians).marker(Marker::Diamond),
    ];
    layers.extend(distances.iter().enumerate().filter_map(across));
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
