//! A rule and what it comes to, in words.

use super::entry::{Reading, Rule, View};
use super::expression::{Expression, Operator};
use super::frame::Column;
use super::keys::{ByStratum, Keys, Lost, Statistic};
use super::outcome::{Judgement, NoOutcome, NumberFound, Outcome, Views};
use super::scope::Scope;
use super::tables::{Tables, Times};
use crate::judge::words::short;
use crate::results::ResultsError;

/// Columns of a line.
const WIDTH: usize = 100;

impl Rule {
    /// The rule in words, a line for each number.
    pub fn in_words(&self) -> String {
        let mut words = String::new();
        for number in &self.numbers {
            let keys = self.keys_of(number, &View::default());
            line(&mut words, "  ", &format!("{}: {}", number.called, number_in_words(&keys)));
        }
        let mut views = |what: &str, all: &[View]| {
            for view in all {
                line(&mut words, "  ", &format!("{what} \"{}\": {}", view.name, self.view_in_words(view)));
            }
        };
        views("variant", &self.variants);
        views(&self.unstated.as_deref().map_or(String::new(), |unstated| format!("{unstated} is not stated;")), &self.settings);
        if let Some(needed) = self.directions {
            line(&mut words, "  ", &format!("numbers that have to meet their direction: {needed}"));
        }
        if self.one_stratum {
            line(&mut words, "  ", "one stratum in which all numbers hold is enough");
        }
        words
    }

    fn view_in_words(&self, view: &View) -> String {
        let mut parts = keys_in_words(&view.keys);
        for (called, keys) in &view.numbers {
            parts.push(format!("{called} with {}", keys_in_words(keys).join(", ")));
        }
        if parts.is_empty() { "as it stands".into() } else { parts.join("; ") }
    }

    /// Its readings with what they come to; those whose tables are not there, and those without a case, are none.
    ///
    /// # Errors
    /// As [`Rule::judge`].
    pub fn readings(&self, claim: &str, tables: &Tables) -> Result<Vec<Outcome>, NoOutcome> {
        let is_missing = |error: &NoOutcome| matches!(error, NoOutcome::Results(ResultsError::Missing { .. }));
        let mut outcomes = vec![];
        for reading in &self.readings {
            let views = match reading {
                Reading::View(view) => Ok(vec![view.clone()]),
                Reading::Each(column, view) => self.each(column, view, tables),
            };
            let of = |views: Vec<View>| views.iter().map(|view| self.outcome(claim, view, tables)).collect::<Result<Vec<_>, _>>();
            match views.and_then(of) {
                Ok(told) => outcomes.extend(told),
                Err(error) if is_missing(&error) => {}
                Err(error) => return Err(error),
            }
        }
        // the filters of the rule may leave nothing of a value
        outcomes.retain(|outcome| outcome.numbers.iter().any(|number| number.found.estimate.cases > 0));
        Ok(outcomes)
    }

    /// A view for each value of a column, in the order of the table.
    fn each(&self, column: &str, view: &View, tables: &Tables) -> Result<Vec<View>, NoOutcome> {
        let keys = view.keys.over(&self.keys);
        let table = keys.table.as_ref().and_then(|tables| tables.first()).map_or("cases", String::as_str);
        let frame = tables.frame(table, Times::Absent)?;
        let rows: Vec<usize> = (0..frame.row_count()).collect();
        let of = Expression::Column(column.into());
        let words = Scope { frame: &frame, rows: &rows, named: &[] }.words(&of);
        let mut values: Vec<String> = vec![];
        for word in words.unwrap_or_default() {
            if !values.contains(&word) {
                values.push(word);
            }
        }
        let is_text = matches!(frame.column(column), Some(Column::Texts(_)));
        let view_of = |value: String| {
            let literal = match value.parse() {
                Ok(number) if !is_text => Expression::Number(number),
                _ => Expression::Text(value.clone()),
            };
            let filter = Some(Expression::Both(Operator::Equal, Box::new([of.clone(), literal])));
            let keys = Keys { filter, ..Keys::default() }.over(&view.keys);
            let name = if view.name.is_empty() { format!("{column} {value}") } else { format!("{}, {value}", view.name) };
            View { name, keys, numbers: view.numbers.clone() }
        };
        Ok(values.into_iter().map(view_of).collect())
    }
}

/// Words in lines of at most [`WIDTH`], those behind the first a little further in.
fn line(words: &mut String, indent: &str, text: &str) {
    let mut length = indent.len();
    words.push_str(indent);
    for (k, word) in text.split(' ').enumerate() {
        let more = 1 + word.chars().count();
        if k > 0 && length + more > WIDTH {
            words.push('\n');
            words.push_str(indent);
            words.push_str("   ");
            length = indent.len() + 3;
        } else if k > 0 {
            words.push(' ');
        }
        words.push_str(word);
        length += more;
    }
    words.push('\n');
}

fn number_in_words(keys: &Keys) -> String {
    let statistic = match &keys.statistic {
        None => "value, or median,".into(),
        Some(Statistic::Of(expression)) => expression.to_string(),
        Some(other) => format!("{other:?}").to_lowercase(),
    };
    let mut parts = vec![];
    if let Some(quantity) = &keys.quantity {
        parts.extend(quantity.iter().map(|(name, of)| if name == "x" { of.to_string() } else { format!("{name} = {of}") }));
    }
    let mut words = format!("{statistic} of {}", if parts.is_empty() { "1".into() } else { parts.join(", ") });
    let others = keys_in_words(&Keys { quantity: None, statistic: None, ..keys.clone() });
    if !others.is_empty() {
        words += &format!("; {}", others.join("; "));
    }
    words
}

fn keys_in_words(keys: &Keys) -> Vec<String> {
    let list = |all: &[Expression]| all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let mut parts = vec![];
    let mut push = |words: Option<String>| parts.extend(words);
    push(keys.quantity.as_ref().map(|all| all.values().map(ToString::to_string).collect::<Vec<_>>().join(", ")));
    push(keys.statistic.as_ref().map(|statistic| match statistic {
        Statistic::Of(expression) => expression.to_string(),
        other => format!("{other:?}").to_lowercase(),
    }));
    push(keys.table.as_ref().map(|tables| format!("table {}", tables.join(" and "))));
    push(keys.filter.as_ref().map(|filter| format!("where {filter}")));
    push(keys.case.as_ref().map(|case| format!("a case is a {}", list(case))));
    push(keys.rows.as_ref().map(|rows| {
        let rows: Vec<String> = rows.iter().map(|(name, holds)| format!("{name} where {holds}")).collect();
        format!("rows {}", rows.join(", "))
    }));
    push(keys.include.as_ref().map(|include| format!("only cases with {include}")));
    push(keys.finished.as_ref().map(|finished| format!("lost unless {finished}")));
    push(keys.lost.as_ref().map(|lost| match lost {
        Lost::Out => "lost cases do not count".into(),
        Lost::Between([low, high]) => format!("a lost case lies between {low} and {high}"),
    }));
    push(keys.censored.as_ref().map(|censored| format!("at least so much where {censored}")));
    push(keys.error.as_ref().map(|error| format!("off by at most {error}")));
    push(keys.between.as_ref().map(|[low, high]| format!("between {low} and {high}")));
    push(keys.cluster.as_ref().map(|cluster| format!("cases depend on each other within {cluster}")));
    push(keys.strata.as_ref().map(|strata| format!("by {}", list(strata))));
    push(keys.any_stratum.filter(|any| *any).map(|_| "one of these is enough".into()));
    for (name, bounds) in [("size", &keys.size), ("direction", &keys.direction), ("our own bound", &keys.ours)] {
        push(bounds.as_ref().map(|bounds| match bounds {
            ByStratum::All(bound) => format!("{name} {bound}"),
            ByStratum::Each(each) => {
                let each: Vec<String> = each.iter().map(|(stratum, bound)| format!("{bound} of {stratum}")).collect();
                format!("{name} {}", each.join(", "))
            }
        }));
    }
    parts
}

/// Heads of a table of numbers.
pub const NUMBER_HEADS: [&str; 6] = ["number", "measured", "cases", "published", "direction", "size"];

/// A published number as it is printed, or its two ends.
fn published_in_words([low, high]: [f64; 2]) -> String {
    if low == high { low.to_string() } else { format!("{low} to {high}") }
}

impl NumberFound {
    /// Its value with its interval, or its range.
    pub fn value_in_words(&self) -> String {
        let estimate = &self.found.estimate;
        let range = |[low, high]: [f64; 2]| match () {
            () if low == high => short(low),
            () if high == f64::INFINITY => format!("{} or more", short(low)),
            () if low == f64::NEG_INFINITY => format!("{} or less", short(high)),
            () => format!("{} to {}", short(low), short(high)),
        };
        match (estimate.value.is_nan(), estimate.interval) {
            (true, _) => "nothing measured".into(),
            (_, None) => format!("{} (no interval)", short(estimate.value)),
            (_, Some(ends)) if self.found.is_range => range([ends.low, ends.high]),
            (_, Some(ends)) if ends.low == ends.high => short(estimate.value),
            (_, Some(ends)) if ends.low.is_infinite() && ends.high.is_infinite() => {
                format!("{} (may be anything)", short(estimate.value))
            }
            (_, Some(ends)) => format!("{} (95 %: {})", short(estimate.value), range([ends.low, ends.high])),
        }
    }

    /// Cells of a table, under [`NUMBER_HEADS`], of a number of a view.
    pub fn cells(&self, view: &str) -> [String; 6] {
        let name = [view, &self.called, &self.stratum].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
        let cases = match (self.found.estimate.cases, self.found.lost) {
            (cases, 0) => cases.to_string(),
            (cases, lost) => format!("{cases}, {lost} lost"),
        };
        let published = self.published.map_or_else(String::new, published_in_words);
        let ours = self.ours.map(|ours| format!("our own bound {}", ours.word()));
        let direction = self.answers.direction.map(|_| self.answers.direction_word().to_owned());
        let size = self.answers.size.map(|_| self.answers.size_word().to_owned());
        [name, self.value_in_words(), cases, published, direction.unwrap_or_default(), size.or(ours).unwrap_or_default()]
    }

    /// The number in words: its value, its interval, its cases, and what is published.
    pub fn in_words(&self) -> String {
        let estimate = &self.found.estimate;
        let stratum = if self.stratum.is_empty() { String::new() } else { format!(", {}", self.stratum) };
        let value = self.value_in_words();
        let cases = if estimate.cases == 1 { "1 case".into() } else { format!("{} cases", estimate.cases) };
        let lost = if self.found.lost > 0 { format!(", {} lost", self.found.lost) } else { String::new() };
        let published = self.published.map_or_else(String::new, |ends| format!("; published {}", published_in_words(ends)));
        format!("{}{stratum}: {value} of {cases}{lost}{published}", self.called)
    }
}

impl Outcome {
    fn lines(&self, words: &mut String, indent: &str) {
        for number in &self.numbers {
            let answers = &number.answers;
            let mut told = vec![];
            if answers.direction.is_some() {
                told.push(format!("direction {}", answers.direction_word()));
            }
            if answers.size.is_some() {
                told.push(format!("size {}", answers.size_word()));
            }
            if let Some(ours) = number.ours {
                told.push(format!("our own bound {}", ours.word()));
            }
            if let Some(count) = number.one_of {
                told.push(format!("firm by itself, and open as one of {count}"));
            }
            let told = if told.is_empty() { String::new() } else { format!("; {}", told.join(", ")) };
            line(words, indent, &format!("{}{told}", number.in_words()));
        }
    }
}

impl Judgement {
    /// The verdict: what is displayed of both answers, with the variants, or the setting that decides.
    pub fn verdict(&self) -> String {
        if self.kind == Views::Variants {
            let views: Vec<String> = self.views.iter().map(|view| format!("{}: {}", view.name, view.answers.verdict())).collect();
            return views.join("; ");
        }
        match &self.decided_by {
            Some(setting) => format!("open: {setting} decides"),
            None => self.answers.verdict().to_string(),
        }
    }

    /// Both answers and all numbers, a line each.
    pub fn in_words(&self) -> String {
        let mut words = String::new();
        let answers = format!("direction {}; size {}", self.answers.direction_word(), self.answers.size_word());
        line(&mut words, "", &format!("{} ({answers})", self.verdict()));
        for view in &self.views {
            let indent = if self.views.len() > 1 {
                line(&mut words, "  ", &format!("{}: {}", view.name, view.answers.verdict()));
                "    "
            } else {
                "  "
            };
            view.lines(&mut words, indent);
        }
        words
    }
}

/// Readings in words.
pub fn readings_in_words(readings: &[Outcome]) -> String {
    let mut words = String::new();
    for reading in readings {
        let numbers: Vec<String> = reading.numbers.iter().map(NumberFound::in_words).collect();
        line(&mut words, "  ", &format!("{}: {}: {}", reading.name, reading.answers.verdict(), numbers.join("; ")));
    }
    words
}
