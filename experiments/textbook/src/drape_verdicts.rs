//! What is judged of cloth hung with other springs. S-SHEAR-LOOK, S-CONNECT, S-BEND-FOLDS, S-HEM, S-MINIMUM.

use kit::prelude::*;

use super::drapes::{
    BASE, DOUBLE_HEM, DrapeRow, Drapes, HEM_BY_MASS, HEM_BY_TRIPLE_MASS, NO_BEND, NO_DIAGONAL, ONE_DIAGONAL, PERTURBED,
    SOFT_SHEAR, STIFF_BEND, STIFF_SHEAR, STIFF_STRETCH, TRIPLE_HEM, VARIANTS,
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
    pub fn values(&self, variant: &str, of: impl Fn(&DrapeRow) -> Option<f64>) -> Vec<f64> {
        self.0.iter().filter(|row| row.row.variant == variant).filter_map(|row| of(&row.row)).collect()
    }

    fn median(&self, variant: &str, of: impl Fn(&DrapeRow) -> Option<f64>) -> Option<Estimate> {
        Estimate::median(&self.values(variant, of))
    }

    /// Values of two variants of one sheet put together.
    fn paired(&self, [one, other]: [&str; 2], of: impl Fn(&DrapeRow, &DrapeRow) -> Option<f64>) -> Vec<f64> {
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
/// Mean distance that is an effect \[m\].
const EFFECT: f64 = 0.01;

/// Whether shapes depend on a choice: a distance, judged beside that of a perturbed start.
fn look(
    sheets: &Sheets,
    main: Option<Estimate>,
    [words, reason]: [&str; 2],
    others: Vec<(&str, Option<Estimate>)>,
) -> Result<Finding, ResultsError> {
    let main = main.ok_or_else(none)?;
    let perturbed = sheets.median(PERTURBED, |row| row.from_base).ok_or_else(none)?;
    let judged = |distance: &Estimate| {
        let beyond = Answer::from(distance.value > perturbed.value);
        verdict(distance.lies_above(DRAMATIC).and(beyond), distance.lies_above(EFFECT).and(beyond))
    };
    let mut readings = readings(others, Estimate::to_string, judged);
    readings.push(Reading::new("the base from a start perturbed by a micrometre", perturbed.to_string(), None));
    let measured = format!("{main} of the side {words}, in the median");
    let reason = format!("{reason}; with all springs {}", sheets.lost());
    Ok(Finding::new(judged(&main), measured, reason).rests_on(&main).left_out(sheets.count() - main.cases).readings(readings))
}

/// S-SHEAR-LOOK.
pub fn shear(results: &Results) -> Result<Finding, ResultsError> {
    let sheets = Sheets::of(results)?;
    let partner = |variant: &str| sheets.median(variant, |row| row.from_partner);
    let base = |variant: &str| sheets.median(variant, |row| row.from_base);
    let others = vec![
        ("ten times the shear stiffness against the base", base(STIFF_SHEAR)),
        ("a tenth of it against the base", base(SOFT_SHEAR)),
        ("ten times the stretch stiffness against a tenth", partner(STIFF_STRETCH)),
        ("ten times the bend stiffness against no bend springs", partner(STIFF_BEND)),
    ];
    let words = [
        "between ten times and a tenth of the shear stiffness",
        "dramatic is read as a mean distance of 5 % of the side in shapes at rest; what wrinkles do in motion is not judged; \
         cloth that is held so that it need not shear would overturn it",
    ];
    look(&sheets, partner(STIFF_SHEAR), words, others)
}

/// S-CONNECT.
pub fn connections(results: &Results) -> Result<Finding, ResultsError> {
    let sheets = Sheets::of(results)?;
    let base = |variant: &str| sheets.median(variant, |row| row.from_base);
    let most = base(NO_DIAGONAL).map_or("unknown".into(), |distance| distance.to_string());
    let others = vec![
        ("no diagonal against both", base(NO_DIAGONAL)),
        ("no bend springs", base(NO_BEND)),
        ("no diagonal against one", sheets.median(NO_DIAGONAL, |row| row.from_partner)),
    ];
    let reason = format!(
        "profound is read as a mean distance of 5 % of the side in shapes at rest; one diagonal in place of two is the mildest \
         choice, and decides: without diagonals the distance is {most}, which would meet the criterion where it exceeds 0.05; \
         the book does not say which choices it means; springs that are stiffened where others are left out, so that the \
         continuum keeps its stiffness, could overturn it"
    );
    look(&sheets, base(ONE_DIAGONAL), ["between both diagonals and one", &reason], others)
}

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

/// Share of the distance that no hem keeps from a represented one, which a hem by mass keeps; median over sheets for which `holds`.
fn left(sheets: &Sheets, [by_mass, represented]: [&str; 2], holds: impl Fn(&DrapeRow) -> bool) -> Option<Estimate> {
    let ratio =
        |mass: &DrapeRow, represented: &DrapeRow| Some(mass.from_partner? / represented.from_base?).filter(|_| holds(mass));
    Estimate::median(&sheets.paired([by_mass, represented], ratio))
}

/// Areal density that divides light cloth from heavy \[kg/m²\].
const MIDDLE: f64 = 0.16;

/// S-HEM.
pub fn hem(results: &Results) -> Result<Finding, ResultsError> {
    let sheets = Sheets::of(results)?;
    let others = Sheets(results.rows::<Seeds<Drapes>>()?);
    let double = [HEM_BY_MASS, DOUBLE_HEM];
    let ratio = left(&sheets, double, |_| true).ok_or_else(none)?;
    let judged = |ratio: &Estimate| verdict(ratio.lies_below(0.5), ratio.lies_below(1.0));
    let distance = |variant: &str, of: fn(&DrapeRow) -> Option<f64>| sheets.median(variant, of).map_or(f64::NAN, |d| d.value);
    let (by_mass, represented) = (distance(HEM_BY_MASS, |row| row.from_partner), distance(DOUBLE_HEM, |row| row.from_base));
    let perturbed = distance(PERTURBED, |row| row.from_base);
    let variants = [
        ("a hem of three layers".to_owned(), left(&sheets, [HEM_BY_TRIPLE_MASS, TRIPLE_HEM], |_| true)),
        (format!("cloth of up to {MIDDLE} kg/m²"), left(&sheets, double, |row| row.density <= MIDDLE)),
        (format!("cloth of more than {MIDDLE} kg/m²"), left(&sheets, double, |row| row.density > MIDDLE)),
        ("other sheets, from another base seed".into(), left(&others, double, |_| true)),
    ];
    let mut readings = readings(variants, |ratio| format!("{} over {} sheets", ratio, ratio.cases), judged);
    let [represented, by_mass, perturbed] = [represented, by_mass, perturbed].map(short);
    let measured = format!("no hem to represented {represented}, by mass to represented {by_mass}, perturbed start {perturbed}");
    readings.push(Reading::new("median distances in m", measured, None));
    let measured = format!("a hem by mass is {} times as far from a represented hem as no hem is, in the median", ratio);
    let reason = format!(
        "both hems double the mass of the outermost cells, the represented one their springs too; with all springs {}; a seam \
         that is stiffer than two layers of cloth would overturn it",
        sheets.lost()
    );
    Ok(Finding::new(judged(&ratio), measured, reason).rests_on(&ratio).left_out(sheets.count() - ratio.cases).readings(readings))
}

/// S-MINIMUM.
pub fn minimum(results: &Results) -> Result<Finding, ResultsError> {
    let sheets = Sheets::of(results)?;
    let share = |variant: &str, strictness: f64, tries: bool| {
        let rests = |row: &DrapeRow| {
            let lost = row.lost.is_some_and(|lost| lost > 0.0);
            lost && row.residual.is_some_and(|residual| residual < strictness) && (!tries || row.lower == 0)
        };
        share_of(sheets.0.iter().filter(|row| row.row.variant == variant).map(|row| rests(&row.row)))
    };
    let judged = |share: &Estimate| verdict(share.lies_above(0.9), share.lies_above(0.5));
    let main = share(BASE, 0.01, true).ok_or_else(none)?;
    let others = [
        ("residual forces below 10 % of a particle's weight", share(BASE, 0.1, true)),
        ("without perturbations", share(BASE, 0.01, false)),
        ("without bend springs", share(NO_BEND, 0.01, true)),
        ("ten times as stiff in shear", share(STIFF_SHEAR, 0.01, true)),
    ];
    let measured = format!("{} of the sheets end in a minimum", percent(main.value));
    let (lost, all) = (main.cases - sheets.values(BASE, |row| row.lost).len(), main.cases);
    let reason = format!(
        "minima are local ones; a sheet that still moves at the end, or does not finish, counts against the claim, and of those \
         with the base's springs {lost} of {all} do not finish; one that is lower when perturbed would overturn it"
    );
    Ok(Finding::new(judged(&main), measured, reason).rests_on(&main).form(Form::Percent).readings(readings(
        others,
        |share| percent(share.value),
        judged,
    )))
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
