//! What a reader of the thesis would want to know of preconditioners.

use kit::prelude::*;

use super::charts::EXPONENTS;
use super::samples::{Counts, Part, counts_of, denominators, exponent, median_of, of, rows_of};
use super::scenes::{CONVERGED, FIRST, FRICTIONLESS, PINNED, ROOT, SLIDING, STEP, Scene};

/// What a reader of the thesis would want to know.
pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let fitted = |sample: &[Counts]| {
        let both = exponent("none", sample, |counts| counts.none).zip(exponent("CP", sample, |counts| counts.cp));
        both.map_or_else(|| "none".into(), |(none, cp)| format!("{} and {}", short(none.value), short(cp.value)))
    };
    let saved =
        |sample: &[Counts]| median_of(sample, Counts::saving).map_or_else(|| "none".into(), |saving| percent(saving.value));
    let blocks = |scene: &Scene, part: Part| -> Result<String, ResultsError> {
        let sample = counts_of(&rows_of(results, scene, &STEP)?, part);
        Ok(median_of(&sample, Counts::blocks).map_or_else(|| "none".into(), |estimate| short(estimate.value)))
    };
    let mut lines = vec![];
    for other in [STEP, ROOT, CONVERGED, FIRST] {
        let [pinned, sliding] = [rows_of(results, &PINNED, &other)?, rows_of(results, &SLIDING, &other)?];
        let samples = [counts_of(&pinned, Part::Whole), counts_of(&sliding, Part::Whole)];
        let (name, sheets, exponents) = (other.in_words(), of(pinned.len()), fitted(&samples[1]));
        let (of_pinned, of_sliding) = (saved(&samples[0]), saved(&samples[1]));
        let (pinned, sliding) = (denominators(&pinned), denominators(&sliding));
        lines.push(format!("- {name}, {sheets}: exponents of n on the sphere {exponents}; CP saves {of_pinned} of the iterations of \
                            pinned sheets and {of_sliding} on the sphere; of the pinned, {pinned}; of those on the sphere, {sliding}"));
    }
    let (order, lines) = (super::order::summary(results)?, lines.join("\n"));
    let (sliding, late) = (blocks(&SLIDING, Part::Whole)?, blocks(&SLIDING, Part::Late)?);
    let (frictionless, late_frictionless) = (blocks(&FRICTIONLESS, Part::Whole)?, blocks(&FRICTIONLESS, Part::Late)?);
    let multigrid = super::multigrid::summary(results)?;
    let [of_none, of_cp] = EXPONENTS.map(Claimed::published);
    Ok(format!(
        "What the thesis says of iteration counts hangs on its tolerance, \"tol² = ck\" with the step k. It says of this rule \
         that it maintains the order of accuracy of the scheme and gave stable results at c = 0.01. The order with which errors fall \
         with the step, in the median over pinned sheets with 95 % intervals, is this:\n\n{order}\n\
         The whole error is mostly that of the scheme, so that the first column hardly tells the readings apart; the second one does. \
         Of stability, the sheets that each reading loses are counted below and drawn by size: there tol = c dt and its square \
         root, to which the formula comes to the letter, part ways. The reading under which the results are stable carries the \
         verdicts.\n\n{lines}\n\n\
         Published are exponents of {of_none} and {of_cp}. On pinned sheets CP is A-Block, since every particle is free or fixed. \
         Where particles slide, runs by A-Block take {sliding} times the iterations of runs without preconditioner with Coulomb \
         friction, {late} times in their second half, and {frictionless} and {late_frictionless} times without friction.\n\n{multigrid}"
    ))
}
