//! What a rule comes to as the finding of its claim.
//!
//! The words of a claim, `measured` and `reason`, have places for numbers in braces: `{saving.percent}` is the number called `saving` as a
//! share. The fields are `value`, `whole` for a count, `percent`, `value-within` and `percent-within` for the number with its interval, `low`, `high`, `cases` and
//! `lost`. A stratum stands in brackets, `{time[implicit/explicit].value}`; without one all are told, one after the other. A view stands before a
//! colon, `{as printed: whole.percent}`.

use super::entry::Rule;
use super::outcome::{Judgement, NoOutcome, NumberFound, Outcome, Views};
use super::tables::Tables;
use super::verdict::Answers;
use crate::judge::claims::{Claim, Finding, Reading, Verdict};
use crate::judge::criterion::Estimate;
use crate::judge::statistics::Interval;
use crate::judge::words::{percent, percent_within, short};
use crate::results::ResultsError;

/// Words in place of a number that is not there.
const NOT_MEASURED: &str = "(not measured)";

impl From<NoOutcome> for ResultsError {
    fn from(error: NoOutcome) -> ResultsError {
        match error {
            NoOutcome::Rule(rule) => ResultsError::Rule(rule),
            NoOutcome::Results(results) => results,
        }
    }
}

/// The finding of a claim by its rule.
///
/// # Errors
/// Tables that are not there, a rule that they cannot be held against, too few cases.
pub fn find(claim: &Claim, rule: &Rule, tables: &Tables) -> Result<Finding, ResultsError> {
    let judgement = rule.judge(&claim.id, tables)?;
    told(claim, &judgement, &rule.readings(&claim.id, tables)?)
}

/// The finding of a judgement and its readings.
///
/// # Errors
/// Too few cases.
pub fn told(claim: &Claim, judgement: &Judgement, readings: &[Outcome]) -> Result<Finding, ResultsError> {
    let numbers: Vec<(String, NumberFound)> =
        judgement.views.iter().flat_map(|view| view.numbers.iter().map(|number| (view.name.clone(), number.clone()))).collect();
    if numbers.iter().all(|(_, number)| number.found.estimate.cases + number.found.lost == 0) {
        return Err(ResultsError::TooFew(format!("no case counts for {}", claim.id)));
    }
    let auto = || numbers.iter().map(|(view, number)| in_words(view, number)).collect::<Vec<_>>().join("; ");
    let measured = claim.measured.as_ref().map_or_else(auto, |words| filled(words, &numbers));
    let reason = claim.reason.as_ref().map_or_else(|| judgement.verdict(), |words| filled(words, &numbers));
    let readings = readings.iter().filter_map(as_reading).collect();
    let mut finding = Finding::new(of_judgement(judgement), measured, reason).readings(readings);
    let deciding = &judgement.views[judgement.deciding];
    let is_known = |number: &&NumberFound| !number.found.estimate.value.is_nan();
    let judged = deciding.numbers.iter().filter(is_known).find(|number| number.is_judged());
    if let Some(main) = judged.or_else(|| deciding.numbers.iter().find(is_known)) {
        let is_interval = |ends: &Interval| ends.low != ends.high && !main.found.is_range;
        let interval = main.found.estimate.interval.filter(is_interval);
        finding = finding.rests_on(&Estimate { interval, ..main.found.estimate }).left_out(main.found.lost);
    }
    Ok(Finding { answers: Some(judgement.answers), numbers, ..finding })
}

fn in_words(view: &str, number: &NumberFound) -> String {
    if view.is_empty() { number.in_words() } else { format!("{view}, {}", number.in_words()) }
}

fn as_reading(outcome: &Outcome) -> Option<Reading> {
    // numbers without a bound say nothing of a verdict
    let is_told = |number: &&NumberFound| number.is_judged() || outcome.numbers.iter().all(|number| !number.is_judged());
    let told = outcome.numbers.iter().filter(|number| number.found.estimate.cases > 0).filter(is_told);
    let known: Vec<String> = told.map(NumberFound::in_words).collect();
    let is_judged = outcome.answers != Answers::default();
    (!known.is_empty()).then(|| Reading::new(&outcome.name, known.join("; "), is_judged.then(|| outcome.answers.verdict())))
}

/// The verdict of all views: as printed, or as corrected; open where a setting decides.
fn of_judgement(judgement: &Judgement) -> Verdict {
    let agreed = judgement.answers.verdict();
    match judgement.kind {
        Views::Settings if judgement.decided_by.is_some() => Verdict::SettingDecides,
        Views::Variants if agreed.holds() && judgement.deciding > 0 => Verdict::ReproducedAsCorrected,
        _ => agreed,
    }
}

/// Words with their numbers.
pub fn filled(words: &str, numbers: &[(String, NumberFound)]) -> String {
    let (mut text, mut rest) = (String::new(), words);
    while let Some((before, (place, after))) =
        rest.split_once('{').and_then(|(before, after)| Some((before, after.split_once('}')?)))
    {
        text += before;
        text += &number_at(place, numbers).unwrap_or_else(|| NOT_MEASURED.into());
        rest = after;
    }
    text + rest
}

/// The words at a place; none where there is no such number or field.
pub fn number_at(place: &str, numbers: &[(String, NumberFound)]) -> Option<String> {
    let (view, place) = match place.split_once(": ") {
        Some((view, place)) => (Some(view), place),
        None => (None, place),
    };
    let (subject, field) = place.rsplit_once('.')?;
    let (called, stratum) = match subject.split_once('[') {
        Some((called, stratum)) => (called, Some(stratum.strip_suffix(']')?)),
        None => (subject, None),
    };
    let is_meant = |(of, number): &&(String, NumberFound)| {
        view.is_none_or(|view| view == of) && number.called == called && stratum.is_none_or(|stratum| stratum == number.stratum)
    };
    let meant: Vec<&NumberFound> = numbers.iter().filter(is_meant).map(|(_, number)| number).collect();
    let told = |number: &&NumberFound| {
        let words = field_of(number, field)?;
        Some(if meant.len() > 1 && stratum.is_none() && !number.stratum.is_empty() {
            format!("{}: {words}", number.stratum)
        } else {
            words
        })
    };
    let words: Vec<String> = meant.iter().map(told).collect::<Option<_>>()?;
    (!words.is_empty()).then(|| words.join("; "))
}

fn field_of(number: &NumberFound, field: &str) -> Option<String> {
    let estimate = &number.found.estimate;
    match field {
        "cases" => return Some(estimate.cases.to_string()),
        "lost" => return Some(number.found.lost.to_string()),
        _ => {}
    }
    let value = if estimate.value.is_nan() { return Some(NOT_MEASURED.into()) } else { estimate.value };
    let interval = estimate.interval.filter(|ends| ends.low != ends.high && ends.low.is_finite() && ends.high.is_finite());
    Some(match field {
        "value" => short(value),
        "value-within" => number.value_in_words(),
        "whole" => format!("{value:.0}"),
        "percent" => percent(value),
        "percent-within" => percent_within(value, interval),
        "low" => short(estimate.interval?.low),
        "high" => short(estimate.interval?.high),
        _ => return None,
    })
}
