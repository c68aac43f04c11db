//! What a rule comes to, from tables alone.

use super::bound::{Bound, Ends, Side};
use super::cases::{Cases, NoCases};
use super::entry::{Kind, Number, Rule, View};
use super::found::{Found, Spread, found};
use super::keys::{ByStratum, Keys, RuleError};
use super::tables::Tables;
use super::verdict::{Answers, agreed, all, any};
use crate::judge::criterion::Answer;
use crate::judge::statistics::Miss;
use crate::results::ResultsError;
use rayon::prelude::*;
use thiserror::Error;

/// Why a rule comes to nothing.
#[derive(Debug, Error)]
pub enum NoOutcome {
    /// The rule is wrong.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// The tables are.
    #[error(transparent)]
    Results(#[from] ResultsError),
}

/// A number of a rule in a stratum.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberFound {
    pub called: String,
    /// The stratum of its cases; empty where there are none.
    pub stratum: String,
    pub found: Found,
    /// The published number, or its ends.
    pub published: Option<[f64; 2]>,
    pub answers: Answers,
    /// Ends of the bounds of both.
    pub ends: Ends,
    /// The answer to the bound of our own.
    pub ours: Option<Answer>,
    /// Numbers beside which an answer stays open that its own interval would give.
    pub one_of: Option<usize>,
}

/// A view of a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    pub name: String,
    pub numbers: Vec<NumberFound>,
    pub answers: Answers,
}

/// The meaning of the views of a judgement.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Views {
    /// The rule as it stands.
    One,
    /// Forms of what is claimed, as printed first.
    Variants,
    /// Values of an unstated setting.
    Settings,
}

/// All that a rule comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    pub kind: Views,
    /// Place of the view whose numbers are told first.
    pub deciding: usize,
    /// The rule as it stands; its variants, or its settings, where it has some.
    pub views: Vec<Outcome>,
    pub answers: Answers,
    /// The setting that decides, where it does.
    pub decided_by: Option<String>,
}

impl Rule {
    /// The judgement by tables.
    ///
    /// # Errors
    /// [`NoOutcome`].
    pub fn judge(&self, claim: &str, tables: &Tables) -> Result<Judgement, NoOutcome> {
        let of = |view: &View| self.outcome(claim, view, tables);
        if !self.variants.is_empty() {
            let views = self.variants.iter().map(of).collect::<Result<Vec<_>, _>>()?;
            // the first form that holds, else the last one
            let deciding = views.iter().position(|view| view.answers.verdict().holds()).unwrap_or(views.len() - 1);
            let answers = views[deciding].answers;
            return Ok(Judgement { kind: Views::Variants, deciding, views, answers, decided_by: None });
        }
        let Some(unstated) = &self.unstated else {
            let view = of(&View::default())?;
            return Ok(Judgement { kind: Views::One, deciding: 0, answers: view.answers, views: vec![view], decided_by: None });
        };
        let mut views = match &self.settings[..] {
            [] => vec![of(&View::default())?],
            settings => settings.iter().map(of).collect::<Result<Vec<_>, _>>()?,
        };
        if self.strata_are_settings {
            views = views.iter().flat_map(Outcome::by_stratum).collect();
        }
        if views.is_empty() {
            return Err(ResultsError::TooFew(format!("no case counts for {claim}")).into());
        }
        let answers = Answers {
            direction: agreed(views.iter().map(|view| view.answers.direction)),
            size: agreed(views.iter().map(|view| view.answers.size)),
        };
        let differs = views.iter().any(|view| view.answers != views[0].answers);
        Ok(Judgement { kind: Views::Settings, deciding: 0, views, answers, decided_by: differs.then(|| unstated.clone()) })
    }

    /// The outcome of a view.
    ///
    /// # Errors
    /// [`NoOutcome`].
    pub fn outcome(&self, claim: &str, view: &View, tables: &Tables) -> Result<Outcome, NoOutcome> {
        let keys: Vec<Keys> = self.numbers.iter().map(|number| self.keys_of(number, view)).collect();
        let find = |k: usize, miss: Miss| self.number(claim, &self.numbers[k], &keys[k], tables, miss);
        let mut of_each = (0..keys.len()).into_par_iter().map(|k| find(k, Miss::ONE)).collect::<Result<Vec<_>, _>>()?;
        for side in Side::ALL {
            self.as_one_of_several(&mut of_each, &keys, side, find)?;
        }
        let mut numbers: Vec<NumberFound> = vec![];
        let mut joined: Vec<Answers> = vec![];
        for (keys, found) in keys.iter().zip(of_each) {
            let join = if keys.any_stratum == Some(true) { any } else { all };
            let of = |answer: fn(&NumberFound) -> Option<Answer>, bound: bool| {
                if found.is_empty() { bound.then_some(Answer::Open) } else { join(found.iter().map(answer).collect::<Vec<_>>()) }
            };
            let answers = Answers {
                direction: of(|number| number.answers.direction, keys.direction.is_some()),
                size: of(|number| number.answers.size, keys.size.is_some()),
            };
            joined.push(answers);
            numbers.extend(found);
        }
        let answers = if self.one_stratum { in_one_stratum(&numbers) } else { self.joined(&joined) };
        let answers = Answers { size: answers.size.map(|size| if self.machine { Answer::Open } else { size }), ..answers };
        Ok(Outcome { name: view.name.clone(), numbers, answers })
    }

    /// Holds an answer that decides alone against an interval which all of `k` such numbers miss with 5 % at most: one of them would
    /// too often decide by chance. Misses decide alone, and what is met where one stratum is enough.
    fn as_one_of_several(
        &self,
        found: &mut [Vec<NumberFound>],
        keys: &[Keys],
        side: Side,
        find: impl Fn(usize, Miss) -> Result<Vec<NumberFound>, NoOutcome>,
    ) -> Result<(), NoOutcome> {
        let answer = |number: &NumberFound| *{ number.answers }.of(side);
        let count = found.iter().flatten().filter(|number| answer(number).is_some()).count();
        if count < 2 {
            return Ok(());
        }
        for (k, found) in found.iter_mut().enumerate() {
            let one_is_enough = self.one_stratum || keys[k].any_stratum == Some(true);
            let decides = |number: &NumberFound| {
                let decides = answer(number) == Some(Answer::No) || one_is_enough && answer(number) == Some(Answer::Yes);
                decides && number.found.has_spread()
            };
            if !found.iter().any(decides) {
                continue;
            }
            for (number, firm) in found.iter_mut().zip(find(k, Miss::of_each(count))?) {
                if decides(number) && answer(number) != answer(&firm) {
                    *number.answers.of(side) = answer(&firm);
                    number.one_of = Some(count);
                }
            }
        }
        Ok(())
    }

    fn joined(&self, numbers: &[Answers]) -> Answers {
        let directions = || numbers.iter().map(|answers| answers.direction);
        let direction = match self.directions {
            None => all(directions()),
            Some(needed) => {
                let count = |what: Answer| directions().filter(|answer| *answer == Some(what)).count();
                let possible = directions().flatten().count();
                Some(match () {
                    () if count(Answer::Yes) >= needed => Answer::Yes,
                    () if count(Answer::No) > possible.saturating_sub(needed) => Answer::No,
                    () => Answer::Open,
                })
            }
        };
        Answers { direction, size: all(numbers.iter().map(|answers| answers.size)) }
    }

    fn number(
        &self,
        claim: &str,
        number: &Number,
        keys: &Keys,
        tables: &Tables,
        miss: Miss,
    ) -> Result<Vec<NumberFound>, NoOutcome> {
        let place = |key: &str| format!("number `{}`, `{key}`: ", number.called);
        let wrong = |key: &str, problem: String| RuleError { claim: claim.into(), place: place(key), problem };
        let cases = Cases::of(keys, tables).map_err(|why| match why {
            NoCases::Valueless { key, why } => NoOutcome::Rule(wrong(key, why.to_string())),
            NoCases::Results(error) => NoOutcome::Results(error),
        })?;
        let is_listed = |table: &String| !tables.is_sampled(table);
        let tables_of = keys.table.clone().unwrap_or_else(|| vec!["cases".into()]);
        let repeats = keys.case.iter().flatten().any(|expression| expression.names("repeat"));
        let is_exact = keys.exact.unwrap_or_else(|| {
            !repeats && (matches!(self.kind, Kind::Check | Kind::Criterion) || tables_of.iter().all(is_listed))
        });
        let stream = format!("{claim}/{}", number.called);
        let found =
            found(keys, &cases, Spread { is_exact, stream: &stream, miss }).map_err(|why| wrong("statistic", why.to_string()))?;
        let told = |(stratum, found): (String, Found)| {
            let published = keys.published_of(&stratum);
            let answer = |key: &str, bounds: &Option<ByStratum<Bound>>| -> Result<Option<Answer>, NoOutcome> {
                let Some(bound) = bounds.as_ref().and_then(|bounds| bounds.of(&stratum)) else { return Ok(None) };
                if bound.needs_published() && published.is_none() {
                    return Err(wrong(key, format!("nothing is published for `{stratum}` of `strata`")).into());
                }
                let answer = bound.answer(&found.estimate, published);
                // every case has to meet the bound of a range: one that does not is enough
                Ok(Some(if found.is_range && answer == Answer::Open { Answer::No } else { answer }))
            };
            let answers = Answers { direction: answer("direction", &keys.direction)?, size: answer("size", &keys.size)? };
            let ours = answer("ours", &keys.ours)?;
            let ends = keys.ends(&stratum);
            Ok(NumberFound { called: number.called.clone(), stratum, found, published, answers, ends, ours, one_of: None })
        };
        found.into_iter().map(told).collect()
    }
}

impl NumberFound {
    /// True with a bound on it.
    pub fn is_judged(&self) -> bool {
        self.answers != Answers::default() || self.ours.is_some()
    }
}

/// Strata of numbers, in the order in which they first appear.
fn strata(numbers: &[NumberFound]) -> Vec<&str> {
    let mut strata: Vec<&str> = vec![];
    for number in numbers {
        if !strata.contains(&number.stratum.as_str()) {
            strata.push(&number.stratum);
        }
    }
    strata
}

/// The answers by the stratum that meets most.
fn in_one_stratum(numbers: &[NumberFound]) -> Answers {
    let by_stratum = |of: fn(&NumberFound) -> Option<Answer>| {
        let strata = strata(numbers);
        let each = strata.into_iter().map(|stratum| all(numbers.iter().filter(|number| number.stratum == stratum).map(of)));
        any(each.collect::<Vec<_>>())
    };
    Answers { direction: by_stratum(|number| number.answers.direction), size: by_stratum(|number| number.answers.size) }
}

impl Outcome {
    /// Each of its strata as an outcome; numbers without strata are of each.
    fn by_stratum(&self) -> Vec<Outcome> {
        let of = |stratum: &str| {
            let is_of = |number: &&NumberFound| number.stratum == stratum || number.stratum.is_empty();
            let numbers: Vec<NumberFound> = self.numbers.iter().filter(is_of).cloned().collect();
            let answers = Answers {
                direction: all(numbers.iter().map(|number| number.answers.direction)),
                size: all(numbers.iter().map(|number| number.answers.size)),
            };
            let name = if self.name.is_empty() { stratum.to_owned() } else { format!("{}, {stratum}", self.name) };
            Outcome { name, answers, numbers }
        };
        strata(&self.numbers).into_iter().filter(|stratum| !stratum.is_empty()).map(of).collect()
    }
}
