//! What is judged of cloth hung with other springs. S-SHEAR-LOOK, S-CONNECT, S-BEND-FOLDS, S-HEM, S-MINIMUM.

use lab::Group;
use lab::claims::{Finding, Reading};
use lab::criterion::{Answer, Estimate, verdict};
use lab::report::{percent, short, short_within};
use lab::results::{Results, ResultsError, Row};

use super::drapes::{
    BASE, DOUBLE_HEM, DrapeRow, HEM_BY_MASS, HEM_BY_TRIPLE_MASS, NO_BEND, NO_DIAGONAL, ONE_DIAGONAL, PERTURBED, SOFT_SHEAR,
    STIFF_BEND, STIFF_SHEAR, STIFF_STRETCH, Seeds, TRIPLE_HEM, VARIANTS,
};

/// Sheets, each with its variants.
pub struct Sheets(Vec<Row<DrapeRow>>);

impl Sheets {
    /// From the results.
    pub fn of(results: &Results) -> Result<Sheets, ResultsError> {
        Ok(Sheets(results.rows("drapes")?))
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
    ResultsError::TooFew("no sheet came to rest".into())
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
    let words_of = |estimate: &Estimate| short_within(estimate.value, estimate.interval);
    let reading = |(name, estimate): (&str, Option<Estimate>)| {
        let estimate = estimate?;
        Some(Reading { name: name.into(), measured: words_of(&estimate), verdict: Some(judged(&estimate)) })
    };
    let mut readings: Vec<Reading> = others.into_iter().filter_map(reading).collect();
    readings.push(Reading {
        name: "the base from a start perturbed by a micrometre".into(),
        measured: words_of(&perturbed),
        verdict: None,
    });
    Ok(Finding {
        verdict: judged(&main),
        measured: format!("{} of the side {words}, in the median", words_of(&main)),
        value: Some(main.value),
        interval: main.interval,
        cases: main.cases,
        left_out: sheets.count() - main.cases,
        reason: reason.into(),
        readings,
    })
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
    let most = base(NO_DIAGONAL).map_or("unknown".into(), |distance| short_within(distance.value, distance.interval));
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
    Sheets::of(results)?.folds().ok_or_else(none)
}

impl Sheets {
    /// Whether bend springs leave fewer folds; none where no sheet came to rest.
    fn folds(&self) -> Option<Finding> {
        let ratio = |pair: [&str; 2]| Estimate::median(&self.paired(pair, |a, b| Some(a.fold? / b.fold?)));
        let judged = |ratio: &Estimate| verdict(ratio.lies_below(1.0), Answer::No);
        let main = ratio([STIFF_BEND, NO_BEND])?;
        let angles = |variant: &str| {
            self.median(variant, |row| row.fold).map_or("none".into(), |fold| short_within(fold.value, fold.interval))
        };
        let others = [
            ("the base against no bend springs", [BASE, NO_BEND], true),
            ("ten times the stiffness against the base", [STIFF_BEND, BASE], true),
            ("one diagonal in each cell against both", [ONE_DIAGONAL, BASE], false),
            ("the base from a start perturbed by a micrometre", [PERTURBED, BASE], false),
        ];
        let reading = |(name, pair, is_judged): (&str, [&str; 2], bool)| {
            let ratio = ratio(pair)?;
            let verdict = is_judged.then(|| judged(&ratio));
            Some(Reading { name: name.into(), measured: short_within(ratio.value, ratio.interval), verdict })
        };
        let mut readings: Vec<Reading> = others.into_iter().filter_map(reading).collect();
        readings.push(Reading {
            name: "median angle between neighbouring cells in rad".into(),
            measured: format!("ten times {}, base {}, none {}", angles(STIFF_BEND), angles(BASE), angles(NO_BEND)),
            verdict: None,
        });
        Some(Finding {
            verdict: judged(&main),
            measured: format!(
                "folds turn {} times as much with ten times the bending stiffness as without bend springs, in the median",
                short_within(main.value, main.interval)
            ),
            value: Some(main.value),
            interval: main.interval,
            cases: main.cases,
            left_out: self.count() - main.cases,
            reason:
                "the sign alone is judged, since the book gives no size; sheets with so few cells hardly fold, and finer ones, \
                     whose folds bend springs smooth, could overturn it"
                    .into(),
            readings,
        })
    }
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
    let others = Sheets(results.rows(Seeds::NAME)?);
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
    let reading = |(name, ratio): (String, Option<Estimate>)| {
        let ratio = ratio?;
        let measured = format!("{} over {} sheets", short_within(ratio.value, ratio.interval), ratio.cases);
        Some(Reading { name, measured, verdict: Some(judged(&ratio)) })
    };
    let mut readings: Vec<Reading> = variants.into_iter().filter_map(reading).collect();
    readings.push(Reading {
        name: "median distances in m".into(),
        measured: format!(
            "no hem to represented {}, by mass to represented {}, perturbed start {}",
            short(represented),
            short(by_mass),
            short(perturbed)
        ),
        verdict: None,
    });
    Ok(Finding {
        verdict: judged(&ratio),
        measured: format!(
            "a hem by mass is {} times as far from a represented hem as no hem is, in the median",
            short_within(ratio.value, ratio.interval)
        ),
        value: Some(ratio.value),
        interval: ratio.interval,
        cases: ratio.cases,
        left_out: sheets.count() - ratio.cases,
        reason: "both hems double the mass of the outermost cells, the represented one their springs too; a seam that is \
                 stiffer than two layers of cloth would overturn it"
            .into(),
        readings,
    })
}

/// S-MINIMUM.
pub fn minimum(results: &Results) -> Result<Finding, ResultsError> {
    let sheets = Sheets::of(results)?;
    let share = |variant: &str, strictness: f64, tries: bool| {
        let rests = |row: &DrapeRow| {
            let lost = row.lost.is_some_and(|lost| lost > 0.0);
            lost && row.residual.is_some_and(|residual| residual < strictness) && (!tries || row.lower == 0)
        };
        let all: Vec<f64> = sheets.values(variant, |row| Some(f64::from(u8::from(rests(row)))));
        Estimate::share(all.iter().filter(|holds| **holds > 0.0).count(), all.len())
    };
    let judged = |share: &Estimate| verdict(share.lies_above(0.9), share.lies_above(0.5));
    let main = share(BASE, 0.01, true).ok_or_else(none)?;
    let others = [
        ("residual forces below 10 % of a particle's weight", share(BASE, 0.1, true)),
        ("without perturbations", share(BASE, 0.01, false)),
        ("without bend springs", share(NO_BEND, 0.01, true)),
        ("ten times as stiff in shear", share(STIFF_SHEAR, 0.01, true)),
    ];
    let reading = |(name, share): (&str, Option<Estimate>)| {
        let share = share?;
        Some(Reading { name: name.into(), measured: percent(share.value), verdict: Some(judged(&share)) })
    };
    Ok(Finding {
        verdict: judged(&main),
        measured: format!("{} of the sheets end in a minimum", percent(main.value)),
        value: Some(main.value),
        interval: main.interval,
        cases: main.cases,
        left_out: 0,
        reason: "minima are local ones; a sheet that still moves at the end counts against the claim; one that is lower when \
                 perturbed would overturn it"
            .into(),
        readings: others.into_iter().filter_map(reading).collect(),
    })
}

#[cfg(test)]
mod tests {
    use lab::claims::Verdict;

    use super::*;

    #[test]
    fn stiffer_bend_springs_can_leave_fewer_folds_or_more() {
        let row = |variant: &str, fold: Option<f64>| DrapeRow {
            variant: variant.into(),
            side: 7,
            density: 0.1,
            stiffness: 100.0,
            bend: 1.0,
            finite: fold.is_some(),
            from_base: None,
            from_partner: None,
            fold,
            lowest: None,
            residual: None,
            lost: None,
            lower: 0,
        };
        let found = |ratio: &dyn Fn(u64) -> f64| {
            let sheet = |set: u64| {
                let rows =
                    [row(NO_BEND, Some(0.1)), row(STIFF_BEND, Some(0.1 * ratio(set))), row(BASE, (set > 0).then_some(0.1))];
                rows.map(|row| Row { set, row })
            };
            Sheets((0..12).flat_map(sheet).collect()).folds().unwrap()
        };
        let fewer = found(&|set| 0.8 + 0.01 * set as f64);
        assert_eq!((fewer.verdict, fewer.cases, fewer.left_out), (Verdict::Reproduced, 12, 0));
        assert_eq!(found(&|set| 1.01 + 0.01 * set as f64).verdict, Verdict::NotReproduced);
        assert_eq!(found(&|set| 0.95 + 0.01 * set as f64).verdict, Verdict::Inconclusive);
        let base = fewer.readings.iter().find(|reading| reading.name.starts_with("ten times the stiffness")).unwrap();
        assert_eq!(base.verdict, Some(Verdict::Reproduced));
        assert_eq!(Sheets(vec![]).folds(), None);
    }
}
