//! What a reader of the thesis would want to know.

use kit::prelude::*;

use super::assumptions::{AS_PRINTED, BEND_LAWS, BENDING_IMPLICIT, CONVERGED};
use super::differences::{by_reading, change, differences, most, pairs, runs};
use super::ratios::{describe_ratios, iteration_ratios};
use super::runs::RunRow;
use super::stability::{Stability, StabilityRow};

/// What comes of springs that switch, in words: runs that are unstable though their control is not, and whether bending explains
/// them.
fn switching(results: &Results) -> Result<String, ResultsError> {
    let rows = results.rows::<Stability>()?;
    let is_stable = |row: &Row<StabilityRow>| row.row.status == Status::Stable;
    let controlled: Vec<&[Row<StabilityRow>]> = rows.chunks_exact(3).filter(|run| is_stable(&run[2])).collect();
    let unstable: Vec<_> = controlled.iter().filter(|run| !is_stable(&run[0])).collect();
    // neither explicit bending nor the scheme without switching is to blame for these
    let others: Vec<String> = unstable
        .iter()
        .filter(|run| run[0].row.bending_number <= 1.0 || !is_stable(&run[1]))
        .map(|run| {
            let StabilityRow { schedule, configuration, bending_number, .. } = &run[0].row;
            let mended = if is_stable(&run[1]) { "stable" } else { "unstable as well" };
            let (set, bending_number) = (run[0].set, short(*bending_number));
            format!(
                "set {set} ({configuration}, {schedule} steps, bending number {bending_number}, {mended} with bending implicit)"
            )
        })
        .collect();
    let counted = format!("of the {} runs whose fully implicit control is stable", controlled.len());
    let start = format!("Where springs switch between explicit and implicit, AIMEX is unstable in {} {counted}", unstable.len());
    Ok(match (unstable.len(), others.len()) {
        (0, _) => {
            format!("Springs that switch between explicit and implicit do no harm here: {counted} none is unstable by AIMEX.")
        }
        (_, 0) => format!(
            "{start}, always with a bending number above 1 and never with bending implicit: it is explicit bending that harms, not \
             switching."
        ),
        (_, left) => format!("{start}, and explicit bending does not explain {left} of these: {}.", others.join("; ")),
    })
}

/// Which sets of the main group do not finish, and by which scheme, in words.
fn unfinished(rows: &[RunRow]) -> String {
    let alone = |row: &&RunRow| row.status == Status::AimexUnstable;
    let count = |status: Status| rows.iter().filter(|row| row.status == status).count();
    let bending = rows.iter().filter(alone).filter(|row| row.sheet.bending_number > 1.0).count();
    let (sets, lost) = (rows.len(), rows.iter().filter(|row| !row.is_finished()).count());
    let (alone, both, implicit) =
        (rows.iter().filter(alone).count(), count(Status::BothUnstable), count(Status::ImplicitUnstable));
    format!(
        "Of the {sets} sets under constant steps {lost} do not finish: AIMEX alone is unstable in {alone}, {bending} of them with a \
         bending number 32.1 kb dt²/m above 1, both schemes in {both}, the implicit one alone in {implicit}."
    )
}

/// Share of the sets that finish which differ by less than a tenth of h, in words.
fn small(rows: &[RunRow]) -> String {
    let most = most();
    share(&differences(rows), |difference| *difference < most).map_or_else(|| "none".into(), percent)
}

/// Whether another law of bending near rest changes how many sets differ by little, beyond the interval of the change, in words.
fn bend_laws(laws: &[(&str, Option<String>)]) -> String {
    let changed: Vec<String> =
        laws.iter().filter_map(|(name, change)| Some(format!("{} with {name}", change.as_ref()?))).collect();
    match (laws.is_empty(), changed.is_empty()) {
        (true, _) => String::new(),
        (_, true) => {
            "Among the laws of bending near rest that were tried, no change is found; the thesis says that it is linear, and no \
             more."
                .into()
        }
        (_, false) => format!(
            "How many do depends on the law of bending near rest, of which the thesis says that it is linear, and no more: {}.",
            changed.join(", ")
        ),
    }
}

/// What the reading of the tolerance changes, in words.
fn tolerances(compared: &[Compared<RunRow>]) -> String {
    let of = |name: &str| compared.iter().find(|compared| compared.name == name);
    let (Some(printed), Some(converged)) = (of(AS_PRINTED), of(CONVERGED)) else { return String::new() };
    let lost = |rows: &[RunRow]| format!("{} of {}", rows.iter().filter(|row| !row.is_finished()).count(), rows.len());
    let ratios = |rows: &[RunRow]| format!("({})", describe_ratios(&iteration_ratios(rows)));
    let (lost_usual, lost_printed, lost_converged) = (lost(&printed.usual), lost(&printed.rows), lost(&converged.rows));
    let (splittings, usual, printed, converged) =
        (Treatment::ALL.map(Treatment::name).join("; "), ratios(&printed.usual), ratios(&printed.rows), ratios(&converged.rows));
    format!(
        "Of the first sets {lost_usual} are lost with tol = c dt, {lost_printed} with tol² = c dt as printed, {lost_converged} with \
         systems solved to 1e-8. On them the ratios of CG iterations ({splittings}) are {usual} with tol = c dt, {printed} as printed, \
         {converged} solved to 1e-8."
    )
}

/// What a reader of the thesis would want to know.
pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let rows = runs(results)?;
    let compared = by_reading(results)?;
    let laws = compared.iter().filter(|compared| BEND_LAWS.contains(&compared.name.as_str()));
    let laws: Vec<(&str, Option<String>)> = laws.map(|law| (law.name.as_str(), change(&law.name, &pairs(law)))).collect();
    let middle = median(&differences(&rows)).ok_or_else(|| too_few("no set finished"))?;
    let implicit = compared.iter().find(|compared| compared.name == BENDING_IMPLICIT);
    let bending = implicit.map_or_else(String::new, |compared| {
        let (explicit, implicit, laws) = (small(&compared.usual), small(&compared.rows), bend_laws(&laws));
        format!(" It is explicit bending that sets the schemes apart, not the adaptive splitting: of the first sets {explicit} differ by \
                 less than a tenth with bending explicit, {implicit} with bending implicit in AIMEX too. {laws}")
    });
    let passed = rows.iter().filter(|row| row.passed > 0).count();
    let (switching, unfinished) = (switching(results)?, unfinished(&rows));
    let (small, middle, tolerances) = (small(&rows), short(middle), tolerances(&compared));
    Ok(format!(
        "{switching} {unfinished} Of those that finish, {small} differ by less than a tenth of the mesh spacing from the implicit scheme, \
         and the median difference is {middle} h.{bending} In {passed} sets some particle passes a solid within a step.\n\n\
         The iteration counts of conjugate gradients hardly change as long as one family stays implicit, as the thesis says. With \
         everything explicit AIMEX needs one iteration a step; its ratio then tells how few the implicit scheme needs at such small \
         steps, which depends on the tolerance. {tolerances}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_the_laws_of_bending_follows_from_their_changes() {
        let none = [(BEND_LAWS[0], None), (BEND_LAWS[1], None)];
        assert!(bend_laws(&none).contains("no change is found"));
        let changed = bend_laws(&[none[0].clone(), (BEND_LAWS[1], Some("80.0 % in place of 40.0 %".into()))]);
        assert!(
            changed.contains("depends on the law")
                && changed.ends_with("more: 80.0 % in place of 40.0 % with bending a line from 0.7 L.")
        );
        assert_eq!(bend_laws(&[]), "");
    }
}
