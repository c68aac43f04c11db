//! The cases that a number rests on, out of tables.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use thiserror::Error;

use super::expression::Expression;
use super::frame::{Column, Frame};
use super::keys::Keys;
use super::scope::{Scope, Valueless};
use super::tables::{Tables, Times};
use crate::results::ResultsError;

/// Why there are no cases.
#[derive(Debug, Error)]
pub enum NoCases {
    #[error("`{key}`: {why}")]
    Valueless { key: &'static str, why: Valueless },
    #[error(transparent)]
    Results(#[from] ResultsError),
}

/// A case: what its rows come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Its first row in the frame.
    pub row: usize,
    /// The stratum that it belongs to.
    pub stratum: String,
    /// Its numbers in the order of their names, NaN where it was lost.
    pub quantities: Vec<f64>,
    /// Error of these, to both sides.
    pub error: f64,
    /// The least and the greatest that the first of them may be, where they are said and known.
    pub between: Option<[f64; 2]>,
    /// True where they are lower bounds.
    pub censored: bool,
    /// The cluster of those that it depends on.
    pub cluster: Option<String>,
}

/// Cases with their rows.
#[derive(Clone, Debug)]
pub struct Cases {
    pub frame: Frame,
    /// Names of the quantities.
    pub names: Vec<String>,
    pub all: Vec<Case>,
}

impl Case {
    /// True without a number.
    pub fn is_lost(&self) -> bool {
        self.quantities.iter().any(|quantity| quantity.is_nan())
    }
}

impl Cases {
    /// The cases that keys ask for.
    ///
    /// # Errors
    /// [`NoCases`].
    pub fn of(keys: &Keys, tables: &Tables) -> Result<Cases, NoCases> {
        let frame = frame(keys, tables)?;
        let all: Vec<usize> = (0..frame.row_count()).collect();
        let filtered = match &keys.filter {
            Some(filter) if frame.row_count() > 0 => {
                Scope { frame: &frame, rows: &all, named: &[] }.rows_with(filter).map_err(|why| valueless("filter", why))?
            }
            _ => all,
        };
        let frame = frame.chosen(&filtered);
        let one = BTreeMap::from([("x".to_owned(), Expression::Number(1.0))]);
        let quantities = keys.quantity.as_ref().unwrap_or(&one);
        let mut cases = vec![];
        for rows in groups(keys, &frame)? {
            cases.extend(case(keys, quantities, &frame, &rows)?);
        }
        Ok(Cases { names: quantities.keys().cloned().collect(), all: cases, frame })
    }
}

fn valueless(key: &'static str, why: Valueless) -> NoCases {
    NoCases::Valueless { key, why }
}

/// The tables that keys name, one below the other, with times where these are asked for.
fn frame(keys: &Keys, tables: &Tables) -> Result<Arc<Frame>, NoCases> {
    let mut times = Times::Absent;
    keys.walk(&mut |expression| {
        if let Expression::Column(name) | Expression::OfRow(_, name) = expression {
            times = times.max(match name.as_str() {
                "seconds" => Times::Median,
                "repeat" => Times::Each,
                _ => Times::Absent,
            });
        }
    });
    let main = ["cases".to_owned()];
    let names = keys.table.as_deref().unwrap_or(&main);
    let frames: Vec<Arc<Frame>> = names.iter().map(|table| tables.frame(table, times)).collect::<Result<_, _>>()?;
    match &frames[..] {
        [one] => Ok(Arc::clone(one)),
        several => Ok(Arc::new(several.iter().fold(Frame::default(), |all, frame| all.below((**frame).clone())))),
    }
}

/// Rows by case, in the order in which cases first appear.
fn groups(keys: &Keys, frame: &Frame) -> Result<Vec<Vec<usize>>, NoCases> {
    let all: Vec<usize> = (0..frame.row_count()).collect();
    let set = [Expression::Column("set".into())];
    let by = match (&keys.case, &keys.rows) {
        (Some(case), _) => case.as_slice(),
        (None, Some(_)) => &set,
        (None, None) => return Ok(all.into_iter().map(|row| vec![row]).collect()),
    };
    if all.is_empty() {
        return Ok(vec![]);
    }
    let scope = Scope { frame, rows: &all, named: &[] };
    let values = by.iter().map(|of| scope.words(of)).collect::<Result<Vec<_>, _>>().map_err(|why| valueless("case", why))?;
    let mut places: HashMap<Vec<&str>, usize> = HashMap::new();
    let mut groups: Vec<Vec<usize>> = vec![];
    for row in all {
        let key: Vec<&str> = values.iter().map(|column| column[row].as_str()).collect();
        let place = *places.entry(key).or_insert(groups.len());
        if place == groups.len() {
            groups.push(vec![]);
        }
        groups[place].push(row);
    }
    Ok(groups)
}

/// The case of some rows, if it is one.
fn case(keys: &Keys, quantities: &BTreeMap<String, Expression>, frame: &Frame, rows: &[usize]) -> Result<Option<Case>, NoCases> {
    let whole = Scope { frame, rows, named: &[] };
    let mut named: Vec<(&str, usize)> = vec![];
    for (name, holds) in keys.rows.iter().flatten() {
        match whole.rows_with(holds).map_err(|why| valueless("rows", why))?.first() {
            Some(row) => named.push((name, *row)),
            None => return Ok(None),
        }
    }
    let scope = Scope { named: &named, ..whole };
    let number = |key: &'static str, of: &Expression| scope.one_number(of).map_err(|why| valueless(key, why));
    if let Some(include) = &keys.include
        && number("include", include)? != 1.0
    {
        return Ok(None);
    }
    let is_finished = match &keys.finished {
        None => true,
        Some(finished) => {
            let places: Vec<usize> = named.iter().map(|(_, row)| *row).collect();
            let mut of_rows = false;
            finished.walk(&mut |part| of_rows |= matches!(part, Expression::OfRow(..)));
            // where rows are named each of these, unless the expression names them itself
            let rows = if places.is_empty() || of_rows { rows } else { &places };
            let held = Scope { rows, ..scope }.column_of(finished).map_err(|why| valueless("finished", why))?;
            held.iter().all(|flag| *flag == 1.0)
        }
    };
    let mut values = vec![f64::NAN; quantities.len()];
    if is_finished {
        for (value, of) in values.iter_mut().zip(quantities.values()) {
            *value = number("quantity", of)?;
        }
    }
    let is_lost = values.iter().any(|value| value.is_nan());
    let of_known = |key, of: &Option<Expression>| match of {
        Some(of) if !is_lost => number(key, of).map(|value| if value.is_nan() { 0.0 } else { value }),
        _ => Ok(0.0),
    };
    let between = match &keys.between {
        Some([low, high]) if !is_lost => Some([number("between", low)?, number("between", high)?]),
        _ => None,
    };
    let first = Scope { rows: &rows[..1], ..scope };
    let word = |key, of: &Expression| first.one(of).map(|value| value.word()).map_err(|why| valueless(key, why));
    let strata = keys.strata.iter().flatten().map(|of| word("strata", of)).collect::<Result<Vec<_>, _>>()?;
    Ok(Some(Case {
        row: rows[0],
        stratum: strata.join(", "),
        quantities: values,
        error: of_known("error", &keys.error)?,
        between: between.filter(|ends| ends.iter().all(|end| !end.is_nan())),
        censored: of_known("censored", &keys.censored)? == 1.0,
        cluster: keys.cluster.as_ref().map(|of| word("cluster", of)).transpose()?,
    }))
}

impl Cases {
    /// Some of the cases as a table: the first row of each, with its quantities by `quantity(case, k)`, the first of which is `x` too.
    pub fn table(&self, cases: &[&Case], quantity: impl Fn(usize, usize) -> f64) -> Frame {
        let rows: Vec<usize> = cases.iter().map(|case| case.row).collect();
        let mut frame = self.frame.chosen(&rows);
        for (k, name) in self.names.iter().enumerate() {
            let column = Column::Numbers((0..cases.len()).map(|case| quantity(case, k)).collect());
            if k == 0 {
                frame = frame.with("x", column.clone());
            }
            frame = frame.with(name, column);
        }
        frame
    }
}
