//! Which integrator to take, with the evidence behind each answer.

use kit::prelude::*;

use super::decision::{Answer, Best, Situation, WANTED, Wanted, first_page, situations};
use super::scenes::Kind;

/// Contestants that are named behind an answer.
const NAMED: usize = 2;

/// A contestant with what it costs.
fn told(best: &Best, wanted: Wanted) -> String {
    let [cost, low, high] = best.cost;
    let (scale, unit) = if wanted == Wanted::RealTime { (100.0, "%") } else { (1.0, "s/s") };
    let range = if low < high { format!(" ({} to {})", short(scale * low), short(scale * high)) } else { String::new() };
    format!("{}, {} ms: {} {unit}{range}", best.contestant, short(1e3 * best.step), short(scale * cost))
}

/// A line for what is wanted of a situation: the best, and those behind.
fn line(situation: &Situation, wanted: Wanted) -> Vec<String> {
    let (best, behind) = match situation.answer(wanted) {
        Answer::Take(best, _) => {
            let names = situation.contestants();
            let mut others: Vec<Best> = names.into_iter().filter_map(|name| situation.best_of(name, wanted)).collect();
            others.retain(|other| other.contestant != best.contestant);
            others.sort_by(|a, b| a.cost[0].total_cmp(&b.cost[0]));
            let behind: Vec<String> = others.iter().take(NAMED).map(|other| told(other, wanted)).collect();
            (told(&best, wanted), if behind.is_empty() { "nobody".into() } else { behind.join("; ") })
        }
        Answer::Nobody(nearest) => {
            let nearest = nearest.map_or_else(String::new, |(name, error)| format!("{name}: error {}", short(error)));
            ("nobody".into(), nearest)
        }
        Answer::Unknown(_) => ("cannot be told".into(), String::new()),
    };
    let times = situation.times(wanted);
    let estimate = situation.estimates().map_or_else(|| "no reference".into(), |all| short(all[times.max(1) - 1]));
    let estimate = format!("{estimate}{}", if times > 0 { situation.until(wanted) } else { String::new() });
    let Situation { kind, side, particles, draws, .. } = situation;
    let size = if *kind == Kind::Trousers { format!("{particles} particles") } else { side.to_string() };
    vec![kind.label().into(), size, draws.len().to_string(), estimate, wanted.words(), best, behind]
}

/// In plain words, from the results.
pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let situations = situations(results)?;
    let runs = || situations.iter().flat_map(|situation| &situation.draws).flat_map(|draw| &draw.runs);
    let count = |status: Status| runs().filter(|run| run.row.status == status).count();
    let heads = ["cloth", "a side", "draws", "reference known to", "wanted", "best", "behind it"];
    let lines = situations.iter().flat_map(|situation| WANTED.map(|wanted| line(situation, wanted)));
    let (first, evidence) = (first_page(results)?, table(&heads, lines));
    let (all, gains, not_finite, costly, refused) =
        (runs().count(), count(Status::GainsEnergy), count(Status::NotFinite), count(Status::CostsMore), count(Status::Refused));
    Ok(format!(
        "{first}\n\nThe evidence. *s/s* are seconds on one thread for a second of cloth: the median over draws of stiffness and density, each of which \
         is multiplied by a half to two, and from the least to the most of them. Linear systems are solved as where a scene says nothing: until no \
         strain is left wrong by more than 1 %. *converged* and *line search* iterate Newton's method; xpbd has the compliance of \
         the springs that it stands for and counts its own as small steps; other constraint methods do not stretch at all, which is an error that no \
         step mends.\n\n{evidence}\n\n\
         Of {all} runs {gains} gained energy, {not_finite} were not finite, {costly} were given up since they cost more than the budget and {refused} \
         were refused: these are left out. Most of the first two are explicit ones at steps beyond their bound. As good is what takes at most a tenth \
         more time in some draw, and in real time what has at most a tenth more error. All contestants meet solids by positions, since not all have the \
         other way; contacts that close and open make errors of first order by any scheme. A machine with other caches, or more threads, may \
         decide closer races otherwise; what is settled by factors will stay."
    ))
}
