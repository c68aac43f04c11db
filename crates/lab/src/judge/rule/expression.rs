//! Expressions over the columns of a table: what they are, how they are read and how they are written.

use std::fmt;

use thiserror::Error;

use super::function::Function;

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    Number(f64),
    Text(String),
    /// A value that is not there.
    Missing,
    /// A column.
    Column(String),
    /// A column of one of the named rows of a case.
    OfRow(String, String),
    Not(Box<Expression>),
    Minus(Box<Expression>),
    Both(Operator, Box<[Expression; 2]>),
    /// A function of expressions, over the rows for which the last one holds, if there is one.
    Call(Function, Vec<Expression>, Option<Box<Expression>>),
}

/// A sign between two expressions.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Operator {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Contains,
    Else,
    Plus,
    Minus,
    Times,
    Over,
    FloorOver,
    Modulo,
    Power,
}

/// Operators with their signs, in levels: what stands further down binds more tightly. Comparisons do not follow one another.
const LEVELS: [&[(&str, Operator)]; 6] = [
    &[("or", Operator::Or)],
    &[("and", Operator::And)],
    &[
        ("==", Operator::Equal),
        ("!=", Operator::Unequal),
        ("<=", Operator::AtMost),
        (">=", Operator::AtLeast),
        ("<", Operator::Less),
        (">", Operator::Greater),
        ("~", Operator::Contains),
    ],
    &[("else", Operator::Else)],
    &[("+", Operator::Plus), ("-", Operator::Minus)],
    &[("//", Operator::FloorOver), ("*", Operator::Times), ("/", Operator::Over), ("%", Operator::Modulo)],
];
/// Level of comparisons, with a `not` before them; those of a minus before what it turns, of powers, and of what needs no brackets.
const COMPARED: usize = 2;
const SIGNED: usize = LEVELS.len();
const POWER: usize = SIGNED + 1;
const ATOM: usize = SIGNED + 2;
const POWER_SIGN: &str = "^";

/// Expressions within expressions, and words and signs, that one may have.
const DEEPEST: usize = 64;
const LONGEST: usize = 1000;

/// An expression that cannot be read.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("`{text}`: {reason}")]
pub struct Unreadable {
    text: String,
    reason: String,
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number(f64),
    Text(String),
    Word(String),
    Sign(&'static str),
}

const SIGNS: [&str; 20] =
    ["<=", ">=", "==", "!=", "//", "<", ">", "~", "+", "-", "*", "/", "%", "^", "(", ")", ",", "|", ".", "="];

impl Operator {
    fn sign(self) -> &'static str {
        LEVELS.iter().copied().flatten().find(|(_, operator)| *operator == self).map_or(POWER_SIGN, |(sign, _)| sign)
    }

    fn level(self) -> usize {
        LEVELS.iter().position(|level| level.iter().any(|(_, operator)| *operator == self)).unwrap_or(POWER)
    }
}

impl Expression {
    /// True where its value in a row is of that row alone.
    pub fn is_by_row(&self) -> bool {
        match self {
            Expression::Number(_) | Expression::Text(_) | Expression::Missing | Expression::Column(_) => true,
            Expression::OfRow(..) => false,
            Expression::Not(of) | Expression::Minus(of) => of.is_by_row(),
            Expression::Both(_, both) => both.iter().all(Expression::is_by_row),
            Expression::Call(function, arguments, filter) => {
                let is_of_others = function.is_over_rows() || *function == Function::Top;
                !is_of_others && filter.is_none() && arguments.iter().all(Expression::is_by_row)
            }
        }
    }

    /// Reads an expression.
    ///
    /// # Errors
    /// Text that is none.
    pub fn read(text: &str) -> Result<Expression, Unreadable> {
        let [one] = &mut Self::read_list(text)?[..] else {
            return Err(Unreadable { text: text.into(), reason: "one expression is wanted, without a comma".into() });
        };
        Ok(std::mem::replace(one, Expression::Missing))
    }

    /// Reads expressions with commas between them.
    ///
    /// # Errors
    /// Text that holds none.
    pub fn read_list(text: &str) -> Result<Vec<Expression>, Unreadable> {
        let refused = |reason| Unreadable { text: text.into(), reason };
        let tokens = tokens(text).map_err(refused)?;
        let mut reader = Reader { tokens: &tokens, at: 0, depth: 0 };
        reader.all().map_err(refused)
    }

    /// Calls `each` for it and all of its parts.
    pub fn walk(&self, each: &mut dyn FnMut(&Expression)) {
        each(self);
        match self {
            Expression::Not(of) | Expression::Minus(of) => of.walk(each),
            Expression::Both(_, both) => both.iter().for_each(|one| one.walk(each)),
            Expression::Call(_, arguments, filter) => {
                arguments.iter().chain(filter.as_deref()).for_each(|one| one.walk(each));
            }
            _ => {}
        }
    }

    /// True where it names a column, of a named row or of its own.
    pub fn names(&self, column: &str) -> bool {
        let mut found = false;
        self.walk(&mut |part| {
            found |= matches!(part, Expression::Column(name) | Expression::OfRow(_, name) if name == column);
        });
        found
    }

    fn level(&self) -> usize {
        match self {
            Expression::Both(operator, _) => operator.level(),
            Expression::Not(_) => COMPARED,
            Expression::Minus(_) => SIGNED,
            _ => ATOM,
        }
    }
}

/// As [`Expression::read`] reads it, with no more brackets than are needed.
impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let within = |f: &mut fmt::Formatter<'_>, of: &Expression, least: usize| {
            if of.level() < least { write!(f, "({of})") } else { write!(f, "{of}") }
        };
        match self {
            Expression::Number(value) => write!(f, "{value:?}"),
            Expression::Text(text) => write!(f, "'{text}'"),
            Expression::Missing => f.write_str("missing"),
            Expression::Column(name) => f.write_str(name),
            Expression::OfRow(row, column) => write!(f, "{row}.{column}"),
            Expression::Not(of) => {
                f.write_str("not ")?;
                within(f, of, COMPARED)
            }
            Expression::Minus(of) => {
                f.write_str("-")?;
                within(f, of, SIGNED)
            }
            Expression::Both(operator, both) => {
                let level = operator.level();
                // comparisons and `else` do not follow one another, powers are read from the right, all others from the left
                let [left, right] = match (operator, level) {
                    (Operator::Power, _) => [ATOM, SIGNED],
                    (Operator::Else, _) | (_, COMPARED) => [level + 1, level + 1],
                    _ => [level, level + 1],
                };
                within(f, &both[0], left)?;
                write!(f, " {} ", operator.sign())?;
                within(f, &both[1], right)
            }
            Expression::Call(function, arguments, filter) => {
                write!(f, "{}(", function.name())?;
                for (k, argument) in arguments.iter().enumerate() {
                    write!(f, "{}{argument}", if k > 0 { ", " } else { "" })?;
                }
                if let Some(filter) = filter {
                    write!(f, " | {filter}")?;
                }
                f.write_str(")")
            }
        }
    }
}

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut tokens = vec![];
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = |of: fn(char) -> bool| rest.find(|c| !of(c)).unwrap_or(rest.len());
        let (token, used) = if first.is_ascii_digit() {
            let used = number_length(rest);
            let value = rest[..used].parse().map_err(|_| format!("`{}` is no number", &rest[..used]))?;
            (Token::Number(value), used)
        } else if let Some(quoted) = rest.strip_prefix('\'') {
            let end = quoted.find('\'').ok_or("a ' is not closed")?;
            (Token::Text(quoted[..end].into()), end + 2)
        } else if first.is_ascii_alphabetic() || first == '_' {
            let used = length(|c| c.is_ascii_alphanumeric() || c == '_');
            (Token::Word(rest[..used].into()), used)
        } else {
            let sign = SIGNS.into_iter().find(|sign| rest.starts_with(sign));
            let sign = sign.ok_or_else(|| format!("nothing is understood at `{}`", rest.chars().take(12).collect::<String>()))?;
            (Token::Sign(sign), sign.len())
        };
        tokens.push(token);
        if tokens.len() > LONGEST {
            return Err(format!("it has more than {LONGEST} words and signs"));
        }
        rest = rest[used..].trim_start();
    }
    Ok(tokens)
}

/// Bytes of the number that a text begins with.
fn number_length(text: &str) -> usize {
    let digits = |from: usize| from + text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut end = digits(0);
    if text[end..].starts_with('.') && digits(end + 1) > end + 1 {
        end = digits(end + 1);
    }
    if text[end..].starts_with(['e', 'E']) {
        let sign = usize::from(text[end + 1..].starts_with(['+', '-']));
        if digits(end + 1 + sign) > end + 1 + sign {
            end = digits(end + 1 + sign);
        }
    }
    end
}

struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn all(&mut self) -> Result<Vec<Expression>, String> {
        let mut all = vec![self.level(0)?];
        while self.take(",") {
            all.push(self.level(0)?);
        }
        match self.tokens.get(self.at) {
            None => Ok(all),
            Some(_) => Err("more follows than an expression".into()),
        }
    }

    /// Takes the next token where it is this sign or word.
    fn take(&mut self, what: &str) -> bool {
        let found = match self.tokens.get(self.at) {
            Some(Token::Sign(sign)) => *sign == what,
            Some(Token::Word(word)) => word == what,
            _ => false,
        };
        self.at += usize::from(found);
        found
    }

    fn need(&mut self, what: &str) -> Result<(), String> {
        if self.take(what) { Ok(()) } else { Err(format!("`{what}` is missing")) }
    }

    fn level(&mut self, level: usize) -> Result<Expression, String> {
        let Some(operators) = LEVELS.get(level) else { return self.signed() };
        if level == COMPARED && self.take("not") {
            return self.deeper(|reader| Ok(Expression::Not(Box::new(reader.level(COMPARED)?))));
        }
        let mut left = self.level(level + 1)?;
        while let Some((_, operator)) = operators.iter().find(|(sign, _)| self.take(sign)) {
            let right = self.level(level + 1)?;
            left = Expression::Both(*operator, Box::new([left, right]));
            if level == COMPARED || *operator == Operator::Else {
                break;
            }
        }
        Ok(left)
    }

    /// Reads what lies deeper, as long as that is not too deep to be followed.
    fn deeper(&mut self, read: impl FnOnce(&mut Self) -> Result<Expression, String>) -> Result<Expression, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("it is nested more than {DEEPEST} deep"));
        }
        let read = read(self);
        self.depth -= 1;
        read
    }

    fn signed(&mut self) -> Result<Expression, String> {
        if self.take("-") {
            return self.deeper(|reader| Ok(Expression::Minus(Box::new(reader.signed()?))));
        }
        let base = self.atom()?;
        if !self.take(POWER_SIGN) {
            return Ok(base);
        }
        let exponent = self.deeper(Reader::signed)?;
        Ok(Expression::Both(Operator::Power, Box::new([base, exponent])))
    }

    fn atom(&mut self) -> Result<Expression, String> {
        if self.take("(") {
            let inner = self.deeper(|reader| reader.level(0))?;
            self.need(")")?;
            return Ok(inner);
        }
        let token = self.tokens.get(self.at).ok_or("it ends too early")?;
        self.at += 1;
        match token {
            Token::Number(value) => Ok(Expression::Number(*value)),
            Token::Text(text) => Ok(Expression::Text(text.clone())),
            Token::Sign(sign) => Err(format!("`{sign}` is out of place")),
            Token::Word(word) => match word.as_str() {
                "true" => Ok(Expression::Number(1.0)),
                "false" => Ok(Expression::Number(0.0)),
                "inf" => Ok(Expression::Number(f64::INFINITY)),
                "missing" => Ok(Expression::Missing),
                "and" | "or" | "not" | "else" => Err(format!("`{word}` is out of place")),
                _ if self.take("(") => self.call(word),
                _ if self.take(".") => match self.tokens.get(self.at) {
                    Some(Token::Word(column)) => {
                        self.at += 1;
                        Ok(Expression::OfRow(word.clone(), column.clone()))
                    }
                    _ => Err(format!("a column is missing behind `{word}.`")),
                },
                _ => Ok(Expression::Column(word.clone())),
            },
        }
    }

    /// The arguments of a function whose bracket is open.
    fn call(&mut self, name: &str) -> Result<Expression, String> {
        let function = Function::named(name).ok_or_else(|| {
            let all = Function::ALL.map(Function::name).join(", ");
            format!("there is no function `{name}`; there are {all}")
        })?;
        let mut arguments = vec![];
        let mut filter = None;
        self.deeper(|reader| {
            arguments.push(reader.level(0)?);
            while reader.take(",") {
                arguments.push(reader.level(0)?);
            }
            if reader.take("|") {
                filter = Some(Box::new(reader.level(0)?));
            }
            Ok(Expression::Missing)
        })?;
        self.need(")")?;
        let wanted = function.arguments();
        if arguments.len() != wanted {
            return Err(format!("{name} takes {wanted} arguments, not {}", arguments.len()));
        }
        if filter.is_some() && !function.is_over_rows() {
            return Err(format!("{name} takes each row by itself and no `|`"));
        }
        Ok(Expression::Call(function, arguments, filter))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_binds_more_tightly_is_read_first_and_written_without_brackets() {
        for text in [
            "a + b * c ^ 2.0",
            "(a + b) * c",
            "a - (b - c)",
            "a - b - c",
            "not a == 'x' and b or c",
            "not (a and b)",
            "-(a + b) / c",
            "-a ^ 2.0",
            "(-a) ^ -2.0",
            "a ^ b ^ c",
            "(a ^ b) ^ c",
            "a / b else 1.0",
            "(a else b) + c",
            "a + b else c - d < 3.0",
            "side // 2.0 % 3.0",
            "max(abs(x - 1.0) | side > 20.0 and scheme ~ 'alpha')",
            "cp.seconds / none.seconds - 1.0",
            "if(has(a), a, missing)",
            "quantile(x, 0.1)",
            "x < inf",
            "1e-9 + 1e300",
        ] {
            let read = Expression::read(text).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(read.to_string(), text);
        }
        let same = |one: &str, other: &str| assert_eq!(Expression::read(one).unwrap(), Expression::read(other).unwrap());
        same("1-cp/none", "1 - (cp / none)");
        same("a<b and c>d", "(a < b) and (c > d)");
        same("-a^2", "-(a^2)");
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, reason) in [
            ("a + ", "it ends too early"),
            ("a b", "more follows than an expression"),
            ("(a", "`)` is missing"),
            ("a / / b", "`/` is out of place"),
            ("'a", "a ' is not closed"),
            ("a # b", "nothing is understood at `# b`"),
            ("medain(a)", "there is no function `medain`; there are"),
            ("quantile(a)", "quantile takes 2 arguments, not 1"),
            ("abs(a | b)", "abs takes each row by itself and no `|`"),
            ("a, b", "one expression is wanted"),
            ("p.", "a column is missing behind `p.`"),
            ("a < b < c", "more follows than an expression"),
        ] {
            let message = Expression::read(text).unwrap_err().to_string();
            assert!(message.starts_with(&format!("`{text}`: {reason}")), "{message}");
        }
        let deep = "(".repeat(100) + "a" + &")".repeat(100);
        assert!(Expression::read(&deep).unwrap_err().to_string().ends_with("deep"));
        assert!(Expression::read(&"-".repeat(100_000)).is_err() && Expression::read(&"not ".repeat(100_000)).is_err());
        assert_eq!(
            Expression::read_list("set // 2, f(x)").unwrap_err().reason.split(';').next(),
            Some("there is no function `f`")
        );
        assert_eq!(Expression::read_list("set // 2, cut").unwrap().len(), 2);
    }
}
