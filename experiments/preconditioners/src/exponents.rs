//! How iterations grow with the number of particles. B-ORDER.

use kit::prelude::*;

use super::samples::{Counts, Part, counts_of, exponent, exponent_gap, main_counts, rows};
use super::scenes::{SLIDING, STEP};
use super::systems::Systems;
use super::verdicts::{denominators, elsewhere, large, parts, shown};

/// Exponents that the thesis gives, of none and of CP \[Boxerman 2003, fig. 5.7\].
pub const PUBLISHED_EXPONENTS: [f64; 2] = [0.512, 0.436];

/// Exponents of none and of CP, with that by which the former is larger.
pub(super) fn exponents(sample: &[Counts]) -> Option<([Estimate; 2], Estimate)> {
    let both = [exponent("none", sample, |counts| counts.none)?, exponent("CP", sample, |counts| counts.cp)?];
    Some((both, exponent_gap("exponents", sample)?))
}

pub(super) fn judged_exponents(sample: &[Counts]) -> Option<(Estimate, String, Verdict)> {
    let ([none, cp], gap) = exponents(sample)?;
    let pairs = [none, cp].into_iter().zip(PUBLISHED_EXPONENTS);
    let met = Answer::all(pairs.map(|(exponent, published)| exponent.lies_within(published - 0.05, published + 0.05)));
    let measured = format!("{}; {}; difference {}", shown(&none), shown(&cp), shown(&gap));
    Some((none, measured, verdict(met, gap.lies_above(0.0))))
}

/// B-ORDER.
pub fn order(results: &Results) -> Result<Finding, ResultsError> {
    let described = |sample: &[Counts]| judged_exponents(sample).map(|(_, measured, verdict)| (measured, verdict));
    let table = rows::<Systems>(results, &SLIDING, &STEP)?;
    let sample = counts_of(&table, Part::Whole);
    let (none, measured, verdict) =
        judged_exponents(&sample).ok_or_else(|| too_few("no sheets of different size on the sphere"))?;
    let whole: Vec<Counts> = sample.iter().map(|counts| Counts { solves: 1.0, ..*counts }).collect();
    let mut readings = parts(
        &[
            ("iterations of a whole run instead of a solve".to_owned(), whole),
            ("second half of the run".to_owned(), main_counts(results, &SLIDING, Part::Late)?),
            ("20 x 20 particles and more".to_owned(), large(&sample, 20.0)),
        ],
        &described,
    );
    readings.extend(super::order::both_tolerances(results)?);
    readings.extend(elsewhere(results, &SLIDING, Part::Whole, &described)?);
    let reason = format!(
        "exponents of none, then of CP; value and interval are those of none; {}; they follow the tolerance: a looser one ends a \
         solve long before its iterations grow with the square root of n",
        denominators(&table)
    );
    Ok(Finding::new(verdict, measured, reason)
        .rests_on(&none)
        .cases(sample.len())
        .left_out(table.len() - sample.len())
        .readings(readings))
}
