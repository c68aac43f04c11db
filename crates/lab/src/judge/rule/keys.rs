//! The keys that say which cases count and what is held against what, at a claim, at one of its numbers or in a view of it.

use std::collections::BTreeMap;

use thiserror::Error;
use toml::Value;

use super::bound::{Bound, Ends};
use super::expression::{Expression, Operator};
use super::scope::Valueless;

/// A rule that cannot be read or followed: the claim, the key, and what is wrong.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("{claim}: {place}{problem}")]
pub struct RuleError {
    pub claim: String,
    /// The key, with words behind it; empty where it is all of the rule.
    pub place: String,
    pub problem: String,
}

/// A number that a case has, or a statistic over cases has.
#[derive(Clone, Debug, PartialEq)]
pub enum Statistic {
    Median,
    Mean,
    Share,
    Max,
    Min,
    Count,
    /// From the least to the greatest: all cases have to meet a bound.
    Range,
    /// An expression over cases, in which `x` is the quantity of each.
    Of(Expression),
}

/// Statistics by their words.
const STATISTICS: [(&str, Statistic); 7] = [
    ("median", Statistic::Median),
    ("mean", Statistic::Mean),
    ("share", Statistic::Share),
    ("max", Statistic::Max),
    ("min", Statistic::Min),
    ("count", Statistic::Count),
    ("range", Statistic::Range),
];

/// Something said once, or by stratum.
#[derive(Clone, Debug, PartialEq)]
pub enum ByStratum<T> {
    All(T),
    Each(BTreeMap<String, T>),
}

/// Values that a lost case may have come to.
#[derive(Clone, Debug, PartialEq)]
pub enum Lost {
    /// It does not count.
    Out,
    /// Anything between these.
    Between([f64; 2]),
}

/// Declares the keys: each with its type, what reads it, and what it means.
macro_rules! keys {
    ($($key:ident: $type:ty = $read:ident, $meaning:literal;)*) => {
        /// Keys of a claim, a number or a view; those of a number win over those of its claim, those of a view over both.
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct Keys {
            $(#[doc = $meaning] pub $key: Option<$type>,)*
        }

        /// Keys with their meanings.
        pub const KEYS: [(&str, &str); [$(stringify!($key)),*].len()] = [$((stringify!($key), $meaning)),*];

        impl Keys {
            /// Takes its keys out of a table.
            ///
            /// # Errors
            /// A key with a value that is none of it.
            pub fn take(table: &mut toml::Table) -> Result<Keys, (&'static str, String)> {
                Ok(Keys {
                    $($key: match table.remove(stringify!($key)) {
                        Some(value) => Some($read(value).map_err(|problem| (stringify!($key), problem))?),
                        None => None,
                    },)*
                })
            }

            /// These, and those of `below` that they do not say; both filters hold.
            pub fn over(&self, below: &Keys) -> Keys {
                let filter = match (&below.filter, &self.filter) {
                    (Some(one), Some(other)) => {
                        Some(Expression::Both(Operator::And, Box::new([one.clone(), other.clone()])))
                    }
                    (one, other) => other.clone().or_else(|| one.clone()),
                };
                Keys { filter, ..Keys { $($key: self.$key.clone().or_else(|| below.$key.clone()),)* } }
            }
        }
    };
}

keys! {
    table: Vec<String> = names, "the table, or a list of tables, one below the other; `cases` is the main one";
    filter: Expression = expression, "rows that count";
    case: Vec<Expression> = expressions, "what a case is: rows for which these agree, each row by itself if nothing is said";
    rows: BTreeMap<String, Expression> = named, "rows of a case by name, as `a.error`; a case without one of them is none";
    include: Expression = expression, "cases that count";
    finished: Expression = expression, "whether a case came to its end; others are lost";
    quantity: BTreeMap<String, Expression> = quantities, "the number of a case, `x`, or several by name";
    statistic: Statistic = statistic, "the statistic over cases: median, mean, share, max, min, count, range or an expression";
    strata: Vec<Expression> = expressions, "what cases are told apart by: each stratum has to hold";
    any_stratum: bool = truth, "whether one stratum is enough";
    published: ByStratum<[f64; 2]> = published, "the published number, or its two ends; by stratum where they differ";
    size: ByStratum<Bound> = bounds, "the bound of what is published; `none` takes that of the rule away";
    direction: ByStratum<Bound> = bounds, "the bound of its direction";
    ours: ByStratum<Bound> = bounds, "a bound of our own on how strong it is";
    lost: Lost = lost, "between which numbers a case that was lost may lie, anywhere if nothing is said; `out`, in a reading alone, leaves it out";
    censored: Expression = expression, "whether the quantity of a case is a lower bound of it";
    error: Expression = expression, "by how much the quantity of a case may be off";
    between: [Expression; 2] = pair, "the least and the greatest that the quantity of a case may be";
    cluster: Expression = expression, "what cases that depend on each other share";
    exact: bool = truth, "whether the number has no spread: nothing was sampled";
}

fn text(value: Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text),
        other => Err(format!("a text is wanted, not {}", other.type_str())),
    }
}

fn truth(value: Value) -> Result<bool, String> {
    value.as_bool().ok_or_else(|| format!("true or false is wanted, not {}", value.type_str()))
}

fn number(value: &Value) -> Result<f64, String> {
    let number = value.as_float().or_else(|| value.as_integer().map(|number| number as f64));
    number.filter(|number| !number.is_nan()).ok_or_else(|| format!("a number is wanted, not {}", value.type_str()))
}

fn ends(value: &Value) -> Result<[f64; 2], String> {
    let Some(list) = value.as_array() else { return number(value).map(|number| [number; 2]) };
    match &list[..] {
        [low, high] if number(low)? <= number(high)? => Ok([number(low)?, number(high)?]),
        _ => Err("two numbers are wanted, the smaller first".into()),
    }
}

fn names(value: Value) -> Result<Vec<String>, String> {
    match value {
        Value::Array(list) => list.into_iter().map(text).collect(),
        one => text(one).map(|name| vec![name]),
    }
}

fn expression(value: Value) -> Result<Expression, String> {
    Expression::read(&text(value)?).map_err(|error| error.to_string())
}

fn expressions(value: Value) -> Result<Vec<Expression>, String> {
    Expression::read_list(&text(value)?).map_err(|error| error.to_string())
}

fn pair(value: Value) -> Result<[Expression; 2], String> {
    expressions(value)?.try_into().map_err(|_| "two expressions are wanted, the least and the greatest".into())
}

fn named(value: Value) -> Result<BTreeMap<String, Expression>, String> {
    match value {
        Value::Table(table) => table.into_iter().map(|(name, value)| Ok((name, expression(value)?))).collect(),
        other => Err(format!("a table of names is wanted, not {}", other.type_str())),
    }
}

fn quantities(value: Value) -> Result<BTreeMap<String, Expression>, String> {
    if value.is_table() { named(value) } else { Ok(BTreeMap::from([("x".into(), expression(value)?)])) }
}

fn statistic(value: Value) -> Result<Statistic, String> {
    let text = text(value)?;
    if let Some((_, statistic)) = STATISTICS.iter().find(|(word, _)| *word == text.trim()) {
        return Ok(statistic.clone());
    }
    match Expression::read(&text).map_err(|error| error.to_string())? {
        Expression::Column(word) => {
            let all = STATISTICS.map(|(word, _)| word).join(", ");
            Err(format!("there is no statistic `{word}`; there are {all}, and expressions like `mean(x | side > 20)`"))
        }
        expression => Ok(Statistic::Of(expression)),
    }
}

fn by_stratum<T>(value: Value, read: impl Fn(&Value) -> Result<T, String>) -> Result<ByStratum<T>, String> {
    match value {
        Value::Table(table) => {
            let each = table.iter().map(|(stratum, value)| Ok((stratum.clone(), read(value)?)));
            each.collect::<Result<_, String>>().map(ByStratum::Each)
        }
        one => read(&one).map(ByStratum::All),
    }
}

fn published(value: Value) -> Result<ByStratum<[f64; 2]>, String> {
    by_stratum(value, ends)
}

fn bounds(value: Value) -> Result<ByStratum<Bound>, String> {
    if value.as_str() == Some("none") {
        return Ok(ByStratum::Each(BTreeMap::new()));
    }
    by_stratum(value, |value| Bound::read(&text(value.clone())?).map_err(|error| error.to_string()))
}

fn lost(value: Value) -> Result<Lost, String> {
    if value.as_str() == Some("out") { Ok(Lost::Out) } else { ends(&value).map(Lost::Between) }
}

impl<T> ByStratum<T> {
    /// The value of a stratum.
    pub fn of(&self, stratum: &str) -> Option<&T> {
        match self {
            ByStratum::All(one) => Some(one),
            ByStratum::Each(each) => each.get(stratum),
        }
    }

    /// All that is said.
    pub fn values(&self) -> Vec<&T> {
        match self {
            ByStratum::All(one) => vec![one],
            ByStratum::Each(each) => each.values().collect(),
        }
    }
}

impl Keys {
    /// The published range of a stratum.
    pub fn published_of(&self, stratum: &str) -> Option<[f64; 2]> {
        self.published.as_ref()?.of(stratum).copied()
    }

    /// Ends of its bounds in a stratum.
    pub fn ends(&self, stratum: &str) -> Ends {
        let of = |bounds: &Option<ByStratum<Bound>>| bounds.as_ref()?.of(stratum)?.ends(self.published_of(stratum));
        Ends { direction: of(&self.direction), size: of(&self.size) }
    }

    /// Calls `each` for every expression.
    pub fn walk(&self, each: &mut dyn FnMut(&Expression)) {
        let single = [&self.filter, &self.include, &self.finished, &self.censored, &self.error, &self.cluster];
        single.into_iter().flatten().for_each(|expression| expression.walk(each));
        let lists = [&self.case, &self.strata];
        lists.into_iter().flatten().flatten().for_each(|expression| expression.walk(each));
        self.between.iter().flatten().for_each(|expression| expression.walk(each));
        let maps = [&self.rows, &self.quantity];
        maps.into_iter().flatten().flat_map(BTreeMap::values).for_each(|expression| expression.walk(each));
        if let Some(Statistic::Of(expression)) = &self.statistic {
            expression.walk(each);
        }
    }
}

impl RuleError {
    /// An expression of a key without a value.
    pub fn valueless(claim: &str, key: &str, why: &Valueless) -> RuleError {
        RuleError { claim: claim.into(), place: format!("`{key}`: "), problem: why.to_string() }
    }
}
