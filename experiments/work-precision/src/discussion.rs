//! Which integrator to take for which error.

use kit::prelude::*;

use super::methods::{Method, methods};
use super::samples::{Sample, SceneRuns, scenes};

/// Errors over the length of a scene that a reader may want \[-\].
const WANTED: [f64; 4] = [0.1, 0.01, 1e-3, 1e-4];

/// An error counts in an observed order if it is this much larger than that of the reference \[-\], and small enough to be in the
/// asymptotic range.
const ABOVE_REFERENCE: f64 = 10.0;
const ASYMPTOTIC: f64 = 0.02;

/// The cheapest run of each method that reaches an error, cheapest first.
fn cheapest(scene: &SceneRuns, wanted: f64, cost: fn(&Sample) -> Option<f64>) -> Vec<(f64, &Sample)> {
    let mut best: Vec<(f64, &Sample)> = vec![];
    for method in methods() {
        let reaching = scene.of(method.name).filter(|run| run.row.error.is_some_and(|error| error <= wanted));
        let costs = reaching.filter_map(|run| Some((cost(run)?, run)));
        best.extend(costs.min_by(|a, b| a.0.total_cmp(&b.0)));
    }
    best.sort_by(|a, b| a.0.total_cmp(&b.0));
    best
}

/// The cheapest run and the first one of another scheme, in words; schemes that did the same, to the last bit, are one.
fn choice(scene: &SceneRuns, wanted: f64, cost: fn(&Sample) -> Option<f64>) -> [String; 2] {
    let best = cheapest(scene, wanted, cost);
    let Some((least, first)) = best.first() else { return ["none".into(), "none".into()] };
    let next = best.iter().find(|(_, run)| run.scheme() != first.scheme() && run.row.error != first.row.error);
    let next = next.map_or("none".into(), |(cost, run)| format!("{} ({} times)", run.row.method, short(cost / least)));
    [format!("{}, 1/{} s", first.row.method, (1.0 / first.row.step).round()), next]
}

/// Which integrator to take for which error.
fn choices(scenes: &[SceneRuns]) -> String {
    let mut lines = vec![];
    for scene in scenes {
        for wanted in WANTED {
            let [work, next] = choice(scene, wanted, |run| Some(run.row.work));
            let [time, later] = choice(scene, wanted, |run| run.seconds);
            lines.push(vec![scene.scene.clone(), format!("{} %", short(100.0 * wanted)), work, next, time, later]);
        }
    }
    table(&["scene", "error", "least work", "next", "least time", "next"], lines)
}

/// The order that the two finest steps in the asymptotic range show.
fn order(scene: &SceneRuns, method: &str) -> Option<f64> {
    let errors = scene.of(method).filter_map(|run| Some((run.row.step, run.row.error?)));
    let range = (ABOVE_REFERENCE * scene.uncertainty?)..=ASYMPTOTIC;
    let within: Vec<(f64, f64)> = errors.filter(|(_, error)| range.contains(error)).collect();
    let [.., (coarse, coarse_error), (fine, fine_error)] = within.as_slice() else { return None };
    Some(libm::log(coarse_error / fine_error) / libm::log(coarse / fine))
}

/// The coarsest step from which no finer one is lost.
fn stable_from(scene: &SceneRuns, method: &str) -> Option<f64> {
    let runs: Vec<&Sample> = scene.runs.iter().filter(|run| run.row.method == method).collect();
    let after = runs.iter().rposition(|run| is_lost(run)).map_or(0, |last| last + 1);
    runs.get(after).map(|run| run.row.step)
}

/// Whether a run gained energy or ended in numbers that are not finite.
fn is_lost(run: &Sample) -> bool {
    [Status::GainsEnergy, Status::NotFinite].contains(&run.row.status)
}

/// Observed orders, and the steps from which on runs are stable.
fn orders(scenes: &[SceneRuns]) -> String {
    let names = scenes.iter().map(|scene| scene.scene.as_str());
    let heads: Vec<&str> = ["method", "order"].into_iter().chain(names).collect();
    let line = |method: Method| {
        let cell = |scene: &SceneRuns| {
            if !scene.runs.iter().any(|run| run.row.method == method.name) {
                return "-".to_owned();
            }
            let order = order(scene, method.name).map_or("-".to_owned(), |order| format!("{order:.1}"));
            let from = stable_from(scene, method.name);
            from.map_or("none stable".to_owned(), |step| format!("{order}, 1/{} s", (1.0 / step).round()))
        };
        [method.name.into(), method.order().to_string()].into_iter().chain(scenes.iter().map(cell)).collect()
    };
    table(&heads, methods().map(line))
}

/// How far a reference is from its checks at worst, and at how many times one failed.
fn uncertainty(scene: &SceneRuns) -> String {
    let worst = scene.uncertainty.map_or_else(|| "unknown".into(), |worst| format!("{worst:.0e}"));
    let failed = if scene.unchecked > 0 { format!(" ({} comparisons failed)", scene.unchecked) } else { String::new() };
    format!("{} {worst}{failed}", scene.scene)
}

/// In plain words, from the results.
pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let scenes = scenes(results)?;
    let count = |status: Status| scenes.iter().flat_map(|scene| &scene.runs).filter(|run| run.row.status == status).count();
    let uncertainties: Vec<String> = scenes.iter().map(uncertainty).collect();
    let refused = match count(Status::Refused) {
        0 => String::new(),
        refused => format!(" {refused} were refused."),
    };
    let (choices, asymptotic, orders) = (choices(&scenes), percent(ASYMPTOTIC), orders(&scenes));
    let (runs, gains, not_finite, costly) = (
        scenes.iter().map(|scene| scene.runs.len()).sum::<usize>(),
        count(Status::GainsEnergy),
        count(Status::NotFinite),
        count(Status::CostsMore),
    );
    let far = scenes.iter().flat_map(|scene| &scene.runs).filter(|run| run.row.is_finished() && run.row.error.is_none()).count();
    let worst = uncertainties.join(", ");
    Ok(format!(
        "Which integrator to take for which error: the cheapest run over all steps of 2^-k s, and the cheapest one of another scheme, with its cost \
         over the least. The error is the distance of particles to the reference over the length of the scene. *Exact* and *converged* say \
         how a scheme solves its step: one linearisation with the filtered Jacobian if nothing is said.\n\n{choices}\n\n\
         Orders as the two finest steps show them whose errors lie between ten times that of the reference and {asymptotic}, and the step \
         from which all finer ones are stable:\n\n{orders}\n\n\
         Of {runs} runs {gains} gained energy, {not_finite} were not finite and {costly} were given up since they cost more than the \
         budget: these are left out. {far} came to their end farther than a length from the reference, and have no error.{refused} \
         References differ from their checks by, at worst: {worst}. All forces are smooth but for those of the slack sheet, the thesis' \
         model: its springs and dampers are switched on and off, which is why schemes of high order gain less there. Contacts switch too \
         and are left out: the ball of the drape pushes back smoothly. These sheets are small, which explicit schemes like; what to take for cloth of \
         the sizes that people use, the study `which-integrator` tells."
    ))
}
