//! What to take: for each scene, size and accuracy the contestant that comes there in the least time, and in real time the most
//! accurate one.

use kit::prelude::*;
use race::ladder::SAMPLES;
use race::ranking::SURE;

use super::references::{ReferenceRow, References};
use super::runs::{RunRow, Runs};
use super::scenes::Kind;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wanted {
    /// An error of at most so much, in the least time.
    Within(f64),
    /// A second of cloth in a second, with the least error.
    RealTime,
}

/// What the tables answer.
pub const WANTED: [Wanted; 4] = [Wanted::Within(0.01), Wanted::Within(1e-3), Wanted::Within(1e-4), Wanted::RealTime];

impl Wanted {
    /// In words.
    pub fn words(self) -> String {
        match self {
            Wanted::Within(error) => format!("within {} %", short_percent(error)),
            Wanted::RealTime => "in real time".into(),
        }
    }
}

/// A share as a number of percent without trailing zeros.
fn short_percent(share: f64) -> String {
    let percent = 100.0 * share;
    format!("{percent}").chars().take(6).collect()
}

/// The error that counts in real time as long as the reference can tell it, and the largest one that is worth anything \[-\].
const CRUDE: f64 = 0.01;
const WORTH: f64 = 0.05;
/// Contestants that are within this of the best one's time in some draw, or of its error in real time, are as good.
const AS_GOOD: f64 = 1.1;

/// A run with its time.
#[derive(Clone, Debug)]
pub struct Timed {
    pub row: RunRow,
    /// Median, fastest and slowest time over that which the cloth moves \[-\].
    pub seconds: Option<[f64; 3]>,
}

/// A scene at a size, all of its draws.
#[derive(Clone, Debug)]
pub struct Situation {
    pub kind: Kind,
    pub side: u64,
    pub particles: u64,
    pub draws: Vec<Draws>,
}

/// What was measured of a draw.
#[derive(Clone, Debug, Default)]
pub struct Draws {
    pub runs: Vec<Timed>,
    /// The errors that the reference may have itself, up to each time of comparison \[-\]; none where there is no reference.
    pub estimates: Option<[f64; 4]>,
}

/// Who is best, and how good.
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    pub contestant: String,
    /// The step that most draws take \[s\].
    pub step: f64,
    /// Median over draws of what it takes, with the least and the most: seconds for a second of cloth, or in real time its error.
    pub cost: [f64; 3],
}

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The best one, and those that are as good.
    Take(Best, Vec<Best>),
    /// Nobody comes there, the nearest one with its error.
    Nobody(Option<(String, f64)>),
    /// The reference is not known so well, but to this.
    Unknown(Option<f64>),
}

/// All situations, each cloth from its smallest size on.
pub fn situations(results: &Results) -> Result<Vec<Situation>, ResultsError> {
    // what cannot come first was not timed alone
    let (times, among) = (seconds::<Runs>(results)?, results.times_among_others(Runs::NAME)?);
    let references: Vec<ReferenceRow> = results.rows::<References>()?.into_iter().map(|row| row.row).collect();
    let timed = results.rows::<Runs>()?.into_iter().map(|Row { set, row, .. }| {
        let alone = times.get(&set).cloned();
        let times = alone.or_else(|| among.get(&set).map(|seconds| vec![*seconds])).filter(|_| row.is_timed());
        let over = |seconds: f64| seconds / row.duration;
        let seconds = times.and_then(|times| {
            let [low, high] = extremes(&times)?;
            Some([median(&times)?, low, high].map(over))
        });
        ((row.scene.clone(), row.side), Timed { row, seconds })
    });
    let of = |((scene, side), runs): ((String, u64), Vec<Timed>)| {
        let kind = Kind::ALL.into_iter().find(|kind| kind.label() == scene)?;
        let particles = runs.iter().map(|run| run.row.particles).max().unwrap_or_default();
        let draws = grouped(runs.into_iter().map(|run| (run.row.draw, run))).into_iter().map(|(draw, runs)| {
            let is_ours = |row: &&ReferenceRow| row.scene == scene && row.side == side && row.draw == draw;
            Draws { runs, estimates: references.iter().filter(is_ours).find_map(|row| row.estimates.all()) }
        });
        Some(Situation { kind, side, particles, draws: draws.collect() })
    };
    let mut all: Vec<Situation> = grouped(timed).into_iter().filter_map(of).collect();
    all.sort_by_key(|known| (Kind::ALL.iter().position(|kind| *kind == known.kind), known.side));
    Ok(all)
}

/// What a run of a draw costs where it is what is wanted, by its error up to one of the times of comparison; less is better.
fn cost(run: &Timed, wanted: Wanted, times: usize) -> Option<f64> {
    let [seconds, ..] = run.seconds?;
    let error = run.row.errors.until(times)?;
    match wanted {
        Wanted::Within(most) => Some(seconds).filter(|_| error <= most),
        Wanted::RealTime => Some(error).filter(|error| seconds <= 1.0 && *error <= WORTH),
    }
}

impl Situation {
    /// Names of those that have runs.
    pub fn contestants(&self) -> Vec<&str> {
        let runs = self.draws.iter().flat_map(|draw| &draw.runs);
        first_of_each(runs.map(|run| run.row.contestant.as_str()))
    }

    /// The errors that the reference may have, the worst of all draws; none where a draw has none.
    pub fn estimates(&self) -> Option<[f64; 4]> {
        let worse = |worst: [f64; 4], draw: &Draws| {
            let mine = draw.estimates?;
            Some(std::array::from_fn(|k| mine[k].max(worst[k])))
        };
        self.draws.iter().try_fold([0.0; 4], worse)
    }

    /// Times of comparison, from the first on, up to which the reference tells what is wanted, real time as an error of 1 %.
    pub fn times(&self, wanted: Wanted) -> usize {
        let error = if let Wanted::Within(error) = wanted { error } else { CRUDE };
        self.estimates().map_or(0, |all| all.iter().take_while(|estimate| SURE * **estimate <= error).count())
    }

    /// What a contestant costs at its best step, draw by draw; none where it does not come there in one of them.
    pub fn costs(&self, contestant: &str, wanted: Wanted) -> Option<Vec<(f64, &RunRow)>> {
        let times = self.times(wanted);
        let at_best = |draw: &'_ Draws| {
            let mine = (0..draw.runs.len()).filter(|k| draw.runs[*k].row.contestant == contestant);
            let costs = mine.filter_map(|k| Some((cost(&draw.runs[k], wanted, times)?, k)));
            costs.min_by(|a, b| a.0.total_cmp(&b.0))
        };
        self.draws.iter().map(|draw| at_best(draw).map(|(cost, k)| (cost, &draw.runs[k].row))).collect()
    }

    /// A contestant at its best.
    pub fn best_of(&self, contestant: &str, wanted: Wanted) -> Option<Best> {
        let costs = self.costs(contestant, wanted)?;
        let values: Vec<f64> = costs.iter().map(|(cost, _)| *cost).collect();
        let [low, high] = extremes(&values)?;
        let steps: Vec<f64> = costs.iter().map(|(_, row)| row.step).collect();
        let step = distinct(steps.clone()).into_iter().max_by_key(|step| steps.iter().filter(|other| *other == step).count())?;
        Some(Best { contestant: contestant.into(), step, cost: [median(&values)?, low, high] })
    }

    /// What to take.
    pub fn answer(&self, wanted: Wanted) -> Answer {
        let times = self.times(wanted);
        let Some(estimate) = self.estimates().filter(|_| times > 0).map(|all| all[times - 1]) else {
            return Answer::Unknown(self.estimates().map(|all| all[0]));
        };
        let mut all: Vec<Best> = self.contestants().into_iter().filter_map(|name| self.best_of(name, wanted)).collect();
        all.sort_by(|a, b| a.cost[0].total_cmp(&b.cost[0]));
        if all.is_empty() {
            return Answer::Nobody(self.nearest(times).filter(|_| wanted != Wanted::RealTime));
        }
        let best = all.remove(0);
        let firsts = self.costs(&best.contestant, wanted).unwrap_or_default();
        let floor = |cost: f64| if wanted == Wanted::RealTime { cost.max(estimate) } else { cost };
        let is_as_good = |other: &Best| {
            let costs = self.costs(&other.contestant, wanted).unwrap_or_default();
            costs.iter().zip(&firsts).any(|((theirs, _), (ours, _))| floor(*theirs) <= AS_GOOD * floor(*ours))
        };
        let as_good = all.into_iter().filter(is_as_good).collect();
        Answer::Take(best, as_good)
    }

    /// The contestant that comes nearest in the draw in which it is worst, with its error there.
    fn nearest(&self, times: usize) -> Option<(String, f64)> {
        let worst_of = |contestant: &str| {
            let nearest = |draw: &Draws| {
                let mine = draw.runs.iter().filter(|run| run.row.contestant == contestant);
                mine.filter_map(|run| run.row.errors.until(times)).min_by(f64::total_cmp)
            };
            self.draws.iter().map(nearest).try_fold(0.0, |worst: f64, error| Some(worst.max(error?)))
        };
        let all = self.contestants().into_iter().filter_map(|name| Some((name.to_owned(), worst_of(name)?)));
        all.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Up to when, where that is not the end, in words.
    pub fn until(&self, wanted: Wanted) -> String {
        let times = self.times(wanted);
        let duration = self.draws.iter().flat_map(|draw| &draw.runs).map(|run| run.row.duration).next().unwrap_or_default();
        if times == SAMPLES as usize {
            String::new()
        } else {
            format!(", up to {} s", short(duration * times as f64 / SAMPLES as f64))
        }
    }
}

/// A name without its variant.
pub fn plain(name: &str) -> &str {
    name.split(',').next().unwrap_or(name)
}

/// An answer in a cell: who, with which step, at what price.
pub fn in_a_cell(situation: &Situation, wanted: Wanted) -> String {
    match situation.answer(wanted) {
        Answer::Take(best, as_good) => {
            let others: Vec<&str> = first_of_each(as_good.iter().map(|other| plain(&other.contestant)));
            let others: Vec<&str> = others.into_iter().filter(|other| *other != plain(&best.contestant)).collect();
            let more = match others.len() {
                0 => String::new(),
                1 | 2 => format!("; as good: {}", others.join(", ")),
                count => format!("; as good: {} and {} more", others[0], count - 1),
            };
            let price = match wanted {
                Wanted::Within(_) => format!("{} s/s", short(best.cost[0])),
                Wanted::RealTime => {
                    let times = situation.times(wanted);
                    let estimate = situation.estimates().filter(|_| times > 0).map_or(0.0, |all| all[times - 1]);
                    let below = if best.cost[0] < estimate { "below " } else { "" };
                    format!("{below}{} %", short(100.0 * best.cost[0].max(estimate)))
                }
            };
            let until = situation.until(wanted);
            format!("{}, {} ms: {price}{until}{more}", plain(&best.contestant), short(1e3 * best.step))
        }
        Answer::Nobody(Some((name, error))) => format!("nobody; {} comes to {} %", plain(&name), short(100.0 * error)),
        Answer::Nobody(None) if wanted == Wanted::RealTime => format!("nobody within {} %", short_percent(WORTH)),
        Answer::Nobody(None) if situation.draws.len() > 1 => "nobody: none ended within its budget in every draw".into(),
        Answer::Nobody(None) => "nobody: no run ended within its budget".into(),
        Answer::Unknown(Some(estimate)) => format!("cannot be told: the reference is known to {} %", short(100.0 * estimate)),
        Answer::Unknown(None) => "cannot be told".into(),
    }
}

/// What stands on the first page of the report: the accuracies that cloth is asked for, and real time.
const ON_THE_FIRST_PAGE: [Wanted; 3] = [Wanted::Within(0.01), Wanted::Within(1e-3), Wanted::RealTime];

/// The decision table of the report's first page, as Markdown: a line a cloth and what is wanted, a column a size of sheets; what is no
/// square stands where its number of particles is nearest.
///
/// # Errors
/// Results that cannot be read.
pub fn first_page(results: &Results) -> Result<String, ResultsError> {
    let situations = situations(results)?;
    let is_square = |known: &&Situation| known.particles == known.side * known.side;
    let sides = distinct(situations.iter().filter(is_square).map(|known| known.side));
    let away = |known: &Situation, side: u64| {
        let ratio = known.particles.max(1) as f64 / (side * side) as f64;
        ratio.max(1.0 / ratio)
    };
    let column = |known: &Situation| {
        let nearest = sides.iter().copied().min_by(|a, b| away(known, *a).total_cmp(&away(known, *b)));
        nearest.unwrap_or_default()
    };
    let heads: Vec<String> = sides.iter().map(|side| format!("{side} a side")).collect();
    let heads: Vec<&str> = ["cloth", "wanted"].into_iter().chain(heads.iter().map(String::as_str)).collect();
    let mut lines = vec![];
    for kind in Kind::ALL {
        let mine: Vec<&Situation> = situations.iter().filter(|situation| situation.kind == kind).collect();
        for (k, wanted) in ON_THE_FIRST_PAGE.into_iter().enumerate().filter(|_| !mine.is_empty()) {
            let about = if k == 0 { format!(" ({})", kind.in_words()) } else { String::new() };
            let cells = sides.iter().map(|side| {
                let at = mine.iter().find(|situation| column(situation) == *side);
                at.map_or("-".into(), |situation| in_a_cell(situation, wanted))
            });
            lines.push([format!("{}{about}", kind.label()), wanted.words()].into_iter().chain(cells).collect());
        }
    }
    let others: Vec<String> = situations
        .iter()
        .filter(|known| !is_square(known))
        .map(|known| format!("{} of {} particles", known.kind.label(), known.particles))
        .collect();
    let others = match others.as_slice() {
        [] => String::new(),
        others => format!(" What is no square stands where its number of particles is nearest: {}.", others.join(", ")),
    };
    Ok(format!(
        "{}\n\nA cell names who is best, its step and, at an accuracy, the seconds that a second of cloth takes on one thread, in real time the \
         error. Errors are distances to a converged reference over the size of the cloth; where the reference tells them up to some time only, they count up \
         to then.{others} As good is what is within a tenth of the best in some draw of the material. `clothlab race` answers the same for a scene of your own.",
        table(&heads, lines)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use race::rows::Errors;

    fn timed(contestant: &str, step: f64, error: f64, seconds: f64) -> Timed {
        let errors = Errors { error_1: Some(error), error_2: Some(error), error_3: Some(error), error_4: Some(2.0 * error) };
        let row = RunRow { contestant: contestant.into(), step, status: Status::Finished, errors, ..RunRow::default() };
        Timed { row, seconds: Some([seconds; 3]) }
    }

    fn situation(draws: Vec<Vec<Timed>>, estimate: f64) -> Situation {
        let estimates = Some([estimate, estimate, estimate, 1.0]); // the end is lost
        let draws = draws.into_iter().map(|runs| Draws { runs, estimates }).collect();
        Situation { kind: Kind::SoftSheet, side: 11, particles: 121, draws }
    }

    #[test]
    fn the_fastest_that_reaches_the_error_in_every_draw_is_taken() {
        let draws = vec![
            vec![timed("a", 0.1, 5e-3, 1.0), timed("a", 0.05, 5e-4, 3.0), timed("b", 0.1, 5e-4, 2.0), timed("c", 0.1, 5e-3, 0.5)],
            vec![timed("a", 0.1, 5e-3, 2.0), timed("a", 0.05, 5e-4, 3.0), timed("b", 0.1, 5e-4, 2.1), timed("c", 0.1, 0.5, 0.5)],
        ];
        let known = situation(draws, 1e-5);
        let Answer::Take(best, as_good) = known.answer(Wanted::Within(0.01)) else { panic!() };
        assert_eq!((best.contestant.as_str(), best.step, best.cost), ("a", 0.1, [1.5, 1.0, 2.0]), "c misses a draw");
        assert_eq!(as_good.iter().map(|best| best.contestant.as_str()).collect::<Vec<_>>(), ["b"], "in one draw it is");
        let Answer::Take(best, as_good) = known.answer(Wanted::Within(1e-3)) else { panic!() };
        assert_eq!((best.contestant.as_str(), as_good.len()), ("b", 0));
        assert_eq!(known.answer(Wanted::Within(1e-4)), Answer::Nobody(Some(("a".into(), 5e-4))));
        let draws = vec![
            vec![timed("a", 0.1, 5e-4, 1.0), timed("b", 0.1, 1e-6, 1.0), timed("c", 0.1, 1e-6, 1.0)],
            vec![timed("a", 0.1, 3e-4, 1.0), timed("b", 0.1, 0.2, 1.0)],
        ];
        let nobody = Answer::Nobody(Some(("a".into(), 5e-4)));
        assert_eq!(
            situation(draws, 1e-5).answer(Wanted::Within(1e-4)),
            nobody,
            "c is lost in a draw, b comes nearer in one only"
        );
        let lost = Timed { row: RunRow { contestant: "a".into(), ..RunRow::default() }, seconds: None };
        let twice = situation(vec![vec![lost.clone()], vec![timed("a", 0.1, 1e-6, 1.0)]], 1e-5);
        assert_eq!(in_a_cell(&twice, Wanted::Within(0.01)), "nobody: none ended within its budget in every draw");
        let lost = situation(vec![vec![lost]], 1e-5);
        assert_eq!(in_a_cell(&lost, Wanted::Within(0.01)), "nobody: no run ended within its budget");
        assert_eq!(in_a_cell(&lost, Wanted::RealTime), "nobody within 5 %");
    }

    #[test]
    fn nothing_is_ranked_that_the_reference_cannot_tell() {
        let runs = vec![timed("a", 0.1, 5e-3, 1.0)];
        assert_eq!(situation(vec![runs.clone()], 6e-3).answer(Wanted::Within(0.01)), Answer::Unknown(Some(6e-3)));
        let mut unknown = situation(vec![runs], 0.0);
        unknown.draws[0].estimates = None;
        assert_eq!(unknown.answer(Wanted::Within(0.01)), Answer::Unknown(None));
    }

    #[test]
    fn in_real_time_the_most_accurate_is_taken() {
        let runs = vec![timed("a", 0.1, 5e-3, 0.5), timed("a", 0.05, 1e-4, 1.2), timed("b", 0.1, 2e-3, 0.9)];
        let Answer::Take(best, as_good) = situation(vec![runs], 1e-5).answer(Wanted::RealTime) else { panic!() };
        assert_eq!((best.contestant.as_str(), best.cost[0], as_good.len()), ("b", 2e-3, 0));
    }
}
