//! The values of expressions over rows of a table.

use std::sync::Arc;

use thiserror::Error;

use super::expression::{Expression, Operator};
use super::frame::{Column, Frame};
use super::function::{Function, truth};

/// The value of an expression: one for all rows, or one each.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Number(f64),
    Text(Arc<str>),
    Numbers(Vec<f64>),
    Texts(Vec<Arc<str>>),
}

/// Rows of a frame that an expression is evaluated over.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    pub frame: &'a Frame,
    /// Places of the rows, which may repeat.
    pub rows: &'a [usize],
    /// Rows of the frame by name.
    pub named: &'a [(&'a str, usize)],
}

/// Why an expression has no value.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum Valueless {
    #[error("no column `{column}`; there are {known}")]
    NoColumn { column: String, known: String },
    #[error("no row is named `{row}`")]
    NoRow { row: String },
    #[error("`{part}` is a text where a number is wanted")]
    Text { part: String },
    #[error("`{part}` is a number where a text is wanted")]
    Number { part: String },
    #[error(
        "a case has {rows} rows with several values of `{part}`: name one with `rows`, or take min, max, mean, first or last of them"
    )]
    Several { part: String, rows: usize },
}

impl Value {
    fn at(&self, k: usize) -> Value {
        match self {
            Value::Numbers(numbers) => Value::Number(numbers[k]),
            Value::Texts(texts) => Value::Text(Arc::clone(&texts[k])),
            one => one.clone(),
        }
    }

    /// As a key that tells values apart, and as the name of a stratum.
    pub fn word(&self) -> String {
        match self {
            Value::Number(number) => number.to_string(),
            Value::Text(text) => text.to_string(),
            Value::Numbers(_) | Value::Texts(_) => String::new(),
        }
    }
}

impl Scope<'_> {
    /// The value of an expression.
    ///
    /// # Errors
    /// [`Valueless`].
    pub fn value(&self, of: &Expression) -> Result<Value, Valueless> {
        Ok(match of {
            Expression::Number(number) => Value::Number(*number),
            Expression::Text(text) => Value::Text(text.as_str().into()),
            Expression::Missing => Value::Number(f64::NAN),
            Expression::Column(name) => match self.column(name)?.chosen(self.rows) {
                Column::Numbers(numbers) => Value::Numbers(numbers),
                Column::Texts(texts) => Value::Texts(texts),
            },
            Expression::OfRow(row, name) => {
                let place = self.named.iter().find(|(named, _)| named == row);
                let place = place.ok_or_else(|| Valueless::NoRow { row: row.clone() })?.1;
                match self.column(name)? {
                    Column::Numbers(numbers) => Value::Number(numbers[place]),
                    Column::Texts(texts) => Value::Text(Arc::clone(&texts[place])),
                }
            }
            Expression::Not(of) => map(self.number(of)?, |holds| if holds.is_nan() { holds } else { 1.0 - holds }),
            Expression::Minus(of) => map(self.number(of)?, |number| -number),
            Expression::Both(operator, both) => self.both(*operator, &both[0], &both[1])?,
            Expression::Call(function, arguments, filter) => self.call(*function, arguments, filter.as_deref())?,
        })
    }

    /// The value of an expression, which must be one for all rows.
    ///
    /// # Errors
    /// [`Valueless`].
    pub fn one(&self, of: &Expression) -> Result<Value, Valueless> {
        let value = self.value(of)?;
        let is_one = match &value {
            Value::Numbers(numbers) => numbers.windows(2).all(|pair| pair[0] == pair[1] || pair[0].is_nan() && pair[1].is_nan()),
            Value::Texts(texts) => texts.windows(2).all(|pair| pair[0] == pair[1]),
            _ => true,
        };
        match (is_one, self.rows.len()) {
            (false, rows) => Err(Valueless::Several { part: of.to_string(), rows }),
            (true, 0) if matches!(value, Value::Numbers(_) | Value::Texts(_)) => Ok(Value::Number(f64::NAN)),
            _ => Ok(value.at(0)),
        }
    }

    /// The number that an expression gives for all rows; NaN where it is missing.
    ///
    /// # Errors
    /// [`Valueless`].
    pub fn one_number(&self, of: &Expression) -> Result<f64, Valueless> {
        match self.one(of)? {
            Value::Number(number) => Ok(number),
            _ => Err(Valueless::Text { part: of.to_string() }),
        }
    }

    /// The rows for which an expression holds.
    ///
    /// # Errors
    /// [`Valueless`].
    pub fn rows_with(&self, holds: &Expression) -> Result<Vec<usize>, Valueless> {
        if let Expression::Column(name) = holds
            && let Column::Numbers(flags) = self.column(name)?
        {
            return Ok(self.rows.iter().copied().filter(|row| flags[*row] == 1.0).collect());
        }
        let flags = self.column_of(holds)?;
        Ok(self.rows.iter().zip(flags).filter(|(_, flag)| *flag == 1.0).map(|(row, _)| *row).collect())
    }

    /// The value of an expression in each row, as words that tell values apart.
    ///
    /// # Errors
    /// [`Valueless`].
    pub fn words(&self, of: &Expression) -> Result<Vec<String>, Valueless> {
        let value = self.value(of)?;
        Ok((0..self.rows.len()).map(|k| value.at(k).word()).collect())
    }

    fn column(&self, name: &str) -> Result<&Column, Valueless> {
        let unknown = || Valueless::NoColumn { column: name.into(), known: self.frame.names() };
        self.frame.column(name).ok_or_else(unknown)
    }

    fn number(&self, of: &Expression) -> Result<Value, Valueless> {
        match self.value(of)? {
            Value::Text(_) | Value::Texts(_) => Err(Valueless::Text { part: of.to_string() }),
            number => Ok(number),
        }
    }

    /// The value of an expression as a column of numbers.
    ///
    /// # Errors
    /// [`Valueless`].
    pub fn column_of(&self, of: &Expression) -> Result<Vec<f64>, Valueless> {
        Ok(match self.number(of)? {
            Value::Numbers(numbers) => numbers,
            Value::Number(number) => vec![number; self.rows.len()],
            Value::Text(_) | Value::Texts(_) => vec![],
        })
    }

    fn both(&self, operator: Operator, left: &Expression, right: &Expression) -> Result<Value, Valueless> {
        let is_text = |value: &Value| matches!(value, Value::Text(_) | Value::Texts(_));
        if matches!(operator, Operator::Equal | Operator::Unequal | Operator::Contains) {
            let (a, b) = (self.value(left)?, self.value(right)?);
            if is_text(&a) || is_text(&b) || operator == Operator::Contains {
                for (value, part) in [(&a, left), (&b, right)] {
                    // a column of empty cells alone may be one of texts
                    let is_empty = match value {
                        Value::Number(number) => number.is_nan(),
                        Value::Numbers(numbers) => numbers.iter().all(|number| number.is_nan()),
                        _ => true,
                    };
                    if !is_empty {
                        return Err(Valueless::Number { part: part.to_string() });
                    }
                }
                let holds = |a: &str, b: &str| match operator {
                    Operator::Equal => a == b,
                    Operator::Unequal => a != b,
                    _ => a.contains(b),
                };
                return Ok(self.of_texts(&a, &b, |a, b| truth(holds(a, b))));
            }
        }
        let (a, b) = (self.number(left)?, self.number(right)?);
        let of = numbers_by(operator);
        Ok(match (a, b) {
            (Value::Number(a), Value::Number(b)) => Value::Number(of(a, b)),
            (Value::Numbers(a), Value::Number(b)) => Value::Numbers(a.iter().map(|a| of(*a, b)).collect()),
            (Value::Number(a), Value::Numbers(b)) => Value::Numbers(b.iter().map(|b| of(a, *b)).collect()),
            (Value::Numbers(a), Value::Numbers(b)) => Value::Numbers(a.iter().zip(&b).map(|(a, b)| of(*a, *b)).collect()),
            _ => Value::Number(f64::NAN),
        })
    }

    fn of_texts(&self, a: &Value, b: &Value, of: impl Fn(&str, &str) -> f64) -> Value {
        fn text(value: &Value, k: usize) -> &str {
            match value {
                Value::Text(text) => text,
                Value::Texts(texts) => &texts[k],
                _ => "",
            }
        }
        let is_one = |value: &Value| matches!(value, Value::Text(_) | Value::Number(_));
        if is_one(a) && is_one(b) {
            return Value::Number(of(text(a, 0), text(b, 0)));
        }
        Value::Numbers((0..self.rows.len()).map(|k| of(text(a, k), text(b, k))).collect())
    }

    fn call(&self, function: Function, arguments: &[Expression], filter: Option<&Expression>) -> Result<Value, Valueless> {
        let rows = match filter {
            Some(filter) => &self.rows_with(filter)?,
            None => self.rows,
        };
        let scope = Scope { rows, ..*self };
        if let (Function::First | Function::Last | Function::Only | Function::Has, [of]) = (function, arguments) {
            match scope.value(of)? {
                Value::Texts(texts) if function == Function::Has => {
                    return Ok(Value::Numbers(texts.iter().map(|text| truth(!text.is_empty())).collect()));
                }
                Value::Text(text) if function == Function::Has => return Ok(Value::Number(truth(!text.is_empty()))),
                Value::Texts(texts) => {
                    let chosen = match function {
                        Function::First => texts.first(),
                        Function::Last => texts.last(),
                        _ => texts.first().filter(|first| texts.iter().all(|text| text == *first)),
                    };
                    return Ok(Value::Text(chosen.map_or_else(|| "".into(), Arc::clone)));
                }
                Value::Text(text) => return Ok(Value::Text(text)),
                Value::Number(_) | Value::Numbers(_) => {}
            }
        }
        if function.is_over_rows() {
            let columns: Vec<Vec<f64>> = arguments.iter().map(|of| scope.column_of(of)).collect::<Result<_, _>>()?;
            return Ok(Value::Number(function.over_rows(&columns)));
        }
        let values: Vec<Value> = arguments.iter().map(|of| scope.number(of)).collect::<Result<_, _>>()?;
        // one value of one each stays one, so that named rows of a case stay so; the share of `top` is one for all rows
        let length = values.iter().find_map(|value| if let Value::Numbers(numbers) = value { Some(numbers.len()) } else { None });
        let columns: Vec<Vec<f64>> = values
            .into_iter()
            .map(|value| match value {
                Value::Numbers(numbers) => numbers,
                Value::Number(number) => vec![number; length.unwrap_or(1)],
                Value::Text(_) | Value::Texts(_) => vec![],
            })
            .collect();
        let each = function.of_each(&columns);
        Ok(if length.is_some() { Value::Numbers(each) } else { Value::Number(each.first().copied().unwrap_or(f64::NAN)) })
    }
}

/// An expression with its parts by row as columns of a table that has them: resamples of its rows choose from these, and work nothing
/// out again.
pub fn prepared(of: &Expression, frame: Frame) -> (Expression, Frame) {
    let rows: Vec<usize> = (0..frame.row_count()).collect();
    let mut columns = vec![];
    let scope = Scope { frame: &frame, rows: &rows, named: &[] };
    let of = scope.with_columns(of, &mut columns);
    let more = columns.into_iter().map(|(name, column)| (name, Column::Numbers(column)));
    (of, more.fold(frame.clone(), |frame, (name, column)| frame.with(&name, column)))
}

impl Scope<'_> {
    /// An expression that reads parts by row from columns.
    fn with_columns(&self, of: &Expression, columns: &mut Vec<(String, Vec<f64>)>) -> Expression {
        let mut within = |part: &Expression| self.with_columns(part, columns);
        match of {
            Expression::Not(part) => Expression::Not(Box::new(within(part))),
            Expression::Minus(part) => Expression::Minus(Box::new(within(part))),
            Expression::Both(operator, both) => Expression::Both(*operator, Box::new([within(&both[0]), within(&both[1])])),
            // the power law is the line of the logarithms, which each row has once
            Expression::Call(Function::Exponent, arguments, filter) => {
                let logarithm = |of: &Expression| Expression::Call(Function::Ln, vec![of.clone()], None);
                let arguments = arguments.iter().map(logarithm).collect();
                within(&Expression::Call(Function::Slope, arguments, filter.clone()))
            }
            Expression::Call(function, arguments, filter) if function.is_over_rows() => {
                let mut as_column = |part: &Expression| {
                    let is_worth_it = part.is_by_row() && !matches!(part, Expression::Column(_));
                    let Some(column) = is_worth_it.then(|| self.column_of(part).ok()).flatten() else { return part.clone() };
                    let name = format!("#{}", columns.len());
                    columns.push((name.clone(), column));
                    Expression::Column(name)
                };
                let arguments = arguments.iter().map(&mut as_column).collect();
                Expression::Call(*function, arguments, filter.as_deref().map(|filter| Box::new(as_column(filter))))
            }
            other => other.clone(),
        }
    }
}

fn map(value: Value, of: impl Fn(f64) -> f64) -> Value {
    match value {
        Value::Number(number) => Value::Number(of(number)),
        Value::Numbers(numbers) => Value::Numbers(numbers.into_iter().map(of).collect()),
        text => text,
    }
}

/// Share by which equal numbers may differ: of factors that were printed and read again.
const ROUNDING: f64 = 1e-12;

/// An operator of numbers; missing where it cannot tell, or where what comes out is no number.
fn numbers_by(operator: Operator) -> fn(f64, f64) -> f64 {
    fn told(a: f64, b: f64, holds: bool) -> f64 {
        if a.is_nan() || b.is_nan() { f64::NAN } else { truth(holds) }
    }
    fn finite(value: f64) -> f64 {
        if value.is_finite() { value } else { f64::NAN }
    }
    fn equal(a: f64, b: f64) -> bool {
        a == b || (a - b).abs() <= ROUNDING * b.abs()
    }
    match operator {
        Operator::Or => |a, b| if a == 1.0 || b == 1.0 { 1.0 } else { told(a, b, false) },
        Operator::And => |a, b| if a == 0.0 || b == 0.0 { 0.0 } else { told(a, b, true) },
        Operator::Equal => |a, b| told(a, b, equal(a, b)),
        Operator::Unequal => |a, b| told(a, b, !equal(a, b)),
        Operator::Less => |a, b| told(a, b, a < b),
        Operator::AtMost => |a, b| told(a, b, a <= b),
        Operator::Greater => |a, b| told(a, b, a > b),
        Operator::AtLeast => |a, b| told(a, b, a >= b),
        Operator::Else => |a, b| if a.is_nan() { b } else { a },
        Operator::Plus => |a, b| finite(a + b),
        Operator::Minus => |a, b| finite(a - b),
        Operator::Times => |a, b| finite(a * b),
        Operator::Over => |a, b| finite(a / b),
        Operator::FloorOver => |a, b| finite((a / b).floor()),
        Operator::Modulo => |a, b| finite(a - (a / b).floor() * b),
        Operator::Power => |a, b| finite(if b == 2.0 { a * a } else { libm::pow(a, b) }),
        Operator::Contains => |_, _| f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::super::function::EXAMPLE;
    use super::*;

    fn example() -> Frame {
        let mut reader = csv::Reader::from_reader(EXAMPLE.as_bytes());
        let names: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        let column = |k: usize| Column::of_cells(rows.iter().map(move |row| &row[k]));
        Frame::of(names.into_iter().enumerate().map(|(k, name)| (name, column(k))))
    }

    fn value(text: &str) -> Result<Value, String> {
        let frame = example();
        let rows: Vec<usize> = (0..frame.row_count()).collect();
        let scope = Scope { frame: &frame, rows: &rows, named: &[("coarse", 0), ("fine", 2)] };
        scope.value(&Expression::read(text).map_err(|error| error.to_string())?).map_err(|error| error.to_string())
    }

    #[test]
    fn each_function_gives_what_its_example_says() {
        for function in Function::ALL {
            let (text, expected) = function.example();
            assert!(text.contains(&format!("{}(", function.name())), "{text}");
            match value(text) {
                Ok(Value::Number(found)) => assert!((found - expected).abs() < 1e-12, "{text} is {found}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    #[test]
    fn what_is_missing_stays_so_unless_another_value_is_named() {
        assert_eq!(value("sum(error else 1)"), Ok(Value::Number(0.08 + 0.02 + 0.005 + 1.0)));
        assert_eq!(value("count(error > 0)"), Ok(Value::Number(3.0)));
        assert_eq!(value("count(not (error > 0))"), Ok(Value::Number(0.0)));
        assert_eq!(value("count(error > 0 or not ok)"), Ok(Value::Number(4.0)));
        assert_eq!(value("count(error > 0 and ok)"), Ok(Value::Number(3.0)));
        assert_eq!(value("has(1 / 0)"), Ok(Value::Number(0.0)));
        assert_eq!(value("rows(n | error > 1)"), Ok(Value::Number(0.0)));
        assert_eq!(value("has(max(n | error > 1))"), Ok(Value::Number(0.0)));
        assert_eq!(value("only(scheme | ok and n > 20) == 'alpha'"), Ok(Value::Number(1.0)));
        assert_eq!(value("only(scheme) == ''"), Ok(Value::Number(1.0)), "they differ");
        assert_eq!(value("count(scheme ~ 'eul')"), Ok(Value::Number(2.0)));
    }

    #[test]
    fn what_is_prepared_has_the_values_that_it_had() {
        let frame = example();
        for text in [
            "exponent(n^2, error | ok) - 1",
            "exponent(n - 20, error)",
            "-mean(ln(error) | scheme == 'euler') / (2 * sum(n))",
            "min(n | top(n, 0.5))",
            "only(scheme | ok and n > 20) == 'alpha' and count(has(error)) == 3",
            "max(if(ok, n, 0)) - n",
        ] {
            let of = Expression::read(text).unwrap();
            let (prepared, wider) = prepared(&of, frame.clone());
            for rows in [&[0, 1, 2, 3][..], &[2, 2, 0], &[3]] {
                let scope = |frame| Scope { frame, rows, named: &[] };
                let as_text = |value: Result<Value, Valueless>| format!("{value:?}");
                assert_eq!(as_text(scope(&wider).value(&prepared)), as_text(scope(&frame).value(&of)), "{text}");
            }
        }
        let (of, _) = prepared(&Expression::read("exponent(n^2, error | ok)").unwrap(), frame);
        assert_eq!(of.to_string(), "slope(#0, #1 | ok)");
    }

    #[test]
    fn arithmetic_by_hand() {
        assert_eq!(value("coarse.error / fine.error"), Ok(Value::Number(0.08 / 0.005)));
        assert_eq!(value("7 // 2 + 7 % 2 + -7 // 2 + -7 % 2"), Ok(Value::Number(3.0 + 1.0 - 4.0 + 1.0)));
        assert_eq!(value("2^3^2 - 3^2"), Ok(Value::Number(503.0)));
        assert_eq!(value("0.1 + 0.2 == 0.3"), Ok(Value::Number(1.0)));
        assert_eq!(value("first(n == 10) and not (1 > 2)"), Ok(Value::Number(1.0)));
        assert_eq!(value("if(fine.ok, fine.scheme == 'alpha', missing)"), Ok(Value::Number(1.0)));
    }

    #[test]
    fn what_has_no_value_says_why() {
        for (text, reason) in [
            ("eror", "no column `eror`; there are error, n, ok, scheme"),
            ("middle.error", "no row is named `middle`"),
            ("scheme + 1", "`scheme` is a text where a number is wanted"),
            ("n == 'euler'", "`n` is a number where a text is wanted"),
            ("mean(scheme)", "`scheme` is a text where a number is wanted"),
            ("if(scheme, 1, 0)", "`scheme` is a text where a number is wanted"),
        ] {
            assert_eq!(value(text), Err(reason.into()));
        }
        let frame = example();
        let scope = Scope { frame: &frame, rows: &[0, 1], named: &[] };
        let read = |text: &str| Expression::read(text).unwrap();
        assert!(
            scope.one(&read("n")).unwrap_err().to_string().starts_with("a case has 2 rows with several values of `n`: name one")
        );
        assert_eq!(scope.one(&read("scheme")).unwrap().word(), "euler");
        assert_eq!(Scope { rows: &[], ..scope }.one(&read("n")).unwrap().word(), "NaN");
    }
}
