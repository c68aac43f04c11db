//! The functions of expressions: each with what it gives, and an example that a test computes.

use crate::judge::statistics::{line, mean, median, quantile};

/// Functions with their names, arguments, meanings and examples, in the columns of [`EXAMPLE`].
macro_rules! functions {
    ($($function:ident $name:literal $arguments:literal $kind:ident: $meaning:literal, $example:literal = $value:expr;)*) => {
        /// A function of columns.
        #[derive(Clone, Copy, Debug, Eq, PartialEq)]
        pub enum Function {
            $(#[doc = $meaning] $function,)*
        }

        impl Function {
            /// All, in their order.
            pub const ALL: [Function; [$($name),*].len()] = [$(Function::$function),*];

            /// Its name in expressions.
            pub fn name(self) -> &'static str {
                match self { $(Function::$function => $name,)* }
            }

            /// How many arguments it takes.
            pub fn arguments(self) -> usize {
                match self { $(Function::$function => $arguments,)* }
            }

            /// Meaning, as a part of a sentence.
            pub fn meaning(self) -> &'static str {
                match self { $(Function::$function => $meaning,)* }
            }

            /// An expression in the columns of [`EXAMPLE`], and its value there.
            pub fn example(self) -> (&'static str, f64) {
                match self { $(Function::$function => ($example, $value),)* }
            }

            /// Whether it makes one value of all rows, which `|` can choose from; else it takes each row by itself.
            pub fn is_over_rows(self) -> bool {
                match self { $(Function::$function => functions!(@ $kind),)* }
            }
        }
    };
    (@ rows) => { true };
    (@ each) => { false };
}

/// Columns in which examples stand: a ladder of errors by number of elements, with one row that was lost.
pub const EXAMPLE: &str = "n,error,scheme,ok\n10,0.08,euler,true\n20,0.02,euler,true\n40,0.005,alpha,true\n40,,alpha,false\n";

functions! {
    Min "min" 1 rows: "the least value", "min(error)" = 0.005;
    Max "max" 1 rows: "the greatest value", "max(error | scheme == 'alpha')" = 0.005;
    Mean "mean" 1 rows: "the arithmetic mean", "mean(error)" = 0.035;
    Median "median" 1 rows: "the median", "median(error)" = 0.02;
    Sum "sum" 1 rows: "the sum", "sum(n)" = 110.0;
    Quantile "quantile" 2 rows: "the quantile of a share, by linear interpolation", "quantile(error, 0.75)" = 0.05;
    Variation "cv" 1 rows: "the coefficient of variation: standard deviation over mean", "cv(n | n < 40)" = 0.471_404_520_791_031_7;
    Count "count" 1 rows: "the number of rows for which something holds", "count(n >= 20)" = 3.0;
    Rows "rows" 1 rows: "the number of rows", "rows(n | ok)" = 3.0;
    Share "share" 1 rows: "the share of rows for which something holds, among those that can tell", "share(error < 0.05)" = 2.0 / 3.0;
    All "all" 1 rows: "whether something holds in every row that can tell", "all(error < 0.1)" = 1.0;
    Any "any" 1 rows: "whether something holds in a row", "any(not ok)" = 1.0;
    First "first" 1 rows: "the value of the first row", "first(n)" = 10.0;
    Last "last" 1 rows: "the value of the last row", "last(n)" = 40.0;
    Only "only" 1 rows: "the value that all rows share; missing where they differ", "only(n | scheme == 'alpha')" = 40.0;
    Slope "slope" 2 rows: "the slope of the line of least squares, of y over x", "slope(n, 3 * n + 1)" = 3.0;
    Exponent "exponent" 2 rows: "the exponent of the power law of least squares in the logarithms, of y over x", "exponent(n, 1 / n^2)" = -2.0;
    Finest "finest" 2 rows: "the greatest error on the finest rung of a ladder, missing where one is", "finest(n, error | ok)" = 0.005;
    Coarsest "coarsest" 2 rows: "the greatest error on the coarsest rung", "coarsest(n, error)" = 0.08;
    Order "order" 2 rows: "the order of convergence between the two finest rungs", "order(n, error | ok)" = 2.0;
    Rises "rises" 2 rows: "whether no row is less than the one before it, but for a share of slack", "rises(n, 0)" = 1.0;
    Falls "falls" 2 rows: "whether no row is more than the one before it, but for a share of slack", "falls(error, 0 | ok)" = 1.0;
    Concordance "concordance" 3 rows: "the share of pairs in which the one with the greater y has the greater x, of those whose x differ by a factor", "concordance(1 / n, error, 1.1 | ok)" = 1.0;
    Abs "abs" 1 each: "the magnitude", "min(abs(n - 30))" = 10.0;
    Ln "ln" 1 each: "the natural logarithm", "first(ln(n / 10))" = 0.0;
    Log10 "log10" 1 each: "the logarithm to base 10", "first(log10(n))" = 1.0;
    Exp "exp" 1 each: "the exponential", "first(exp(n - 10))" = 1.0;
    Sqrt "sqrt" 1 each: "the square root", "last(sqrt(n - 4))" = 6.0;
    Ceil "ceil" 1 each: "the next whole number above", "first(ceil(error))" = 1.0;
    Floor "floor" 1 each: "the next whole number below", "first(floor(n / 3))" = 3.0;
    Has "has" 1 each: "whether there is a value", "count(has(error))" = 3.0;
    If "if" 3 each: "the second argument where the first holds, else the third", "sum(if(ok, n, 0))" = 70.0;
    Top "top" 2 each: "whether a value is among the greatest, up to a share of the rows", "min(n | top(n, 0.5))" = 40.0;
}

/// 1 where something holds, 0 where it does not.
pub(super) fn truth(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

/// Largest error of each rung of a ladder, coarsest first; missing where one of them is.
fn rungs(sizes: &[f64], errors: &[f64]) -> Vec<[f64; 2]> {
    let mut order: Vec<usize> = (0..sizes.len()).filter(|k| !sizes[*k].is_nan()).collect();
    order.sort_by(|a, b| sizes[*a].total_cmp(&sizes[*b]));
    let mut rungs: Vec<[f64; 2]> = vec![];
    for k in order {
        match rungs.last_mut() {
            Some([size, worst]) if *size == sizes[k] => {
                *worst = if worst.is_nan() || errors[k].is_nan() { f64::NAN } else { worst.max(errors[k]) };
            }
            _ => rungs.push([sizes[k], errors[k]]),
        }
    }
    rungs
}

impl Function {
    /// The one of a name.
    pub fn named(name: &str) -> Option<Function> {
        Function::ALL.into_iter().find(|function| function.name() == name)
    }

    /// Its value over rows: each argument is a column, those behind the columns are equal in all rows. NaN is what is missing.
    pub(super) fn over_rows(self, columns: &[Vec<f64>]) -> f64 {
        let x = columns[0].as_slice();
        let known = || x.iter().copied().filter(|value| !value.is_nan());
        let second = || columns.get(1).map_or(&[][..], Vec::as_slice);
        let number = |k: usize| columns.get(k).and_then(|column| column.first()).copied().unwrap_or(f64::NAN);
        let found = match self {
            Function::Min => known().reduce(f64::min),
            Function::Max => known().reduce(f64::max),
            Function::Mean | Function::Share => known().next().map(|_| known().sum::<f64>() / known().count() as f64),
            Function::Median => median(&known().collect::<Vec<_>>()),
            Function::Sum => known().reduce(|a, b| a + b),
            Function::Quantile => Some(number(1)).filter(|p| !p.is_nan()).and_then(|p| quantile(&known().collect::<Vec<_>>(), p)),
            Function::Variation => variation(x),
            Function::Count => Some(x.iter().filter(|value| **value == 1.0).count() as f64),
            Function::Rows => Some(x.len() as f64),
            Function::All => known().next().map(|_| truth(known().all(|value| value == 1.0))),
            Function::Any => Some(truth(x.contains(&1.0))),
            Function::First => x.first().copied(),
            Function::Last => x.last().copied(),
            Function::Only => x.first().copied().filter(|first| x.iter().all(|value| value == first)),
            Function::Slope => slope(x.iter().zip(second()).map(|(x, y)| [*x, *y])),
            Function::Exponent => {
                let positive = x.iter().zip(second()).filter(|(x, y)| **x > 0.0 && **y > 0.0);
                slope(positive.map(|(x, y)| [libm::log(*x), libm::log(*y)]))
            }
            Function::Finest => rungs(x, second()).last().map(|rung| rung[1]),
            Function::Coarsest => rungs(x, second()).first().map(|rung| rung[1]),
            Function::Order => match rungs(x, second())[..] {
                [.., [coarse, more], [fine, less]] => Some(libm::log(more / less) / libm::log(fine / coarse)),
                _ => None,
            },
            Function::Rises => monotone(x, |one, next| next >= (1.0 - number(1)) * one),
            Function::Falls => monotone(x, |one, next| next <= (1.0 + number(1)) * one),
            Function::Concordance => concordance(x, second(), number(2)),
            _ => None,
        };
        found.unwrap_or(f64::NAN)
    }

    /// Its values row by row; columns have the same length.
    pub(super) fn of_each(self, columns: &[Vec<f64>]) -> Vec<f64> {
        let x = &columns[0];
        let each = |of: fn(f64) -> f64| x.iter().map(|x| of(*x)).map(|y| if y.is_finite() { y } else { f64::NAN }).collect();
        match self {
            Function::Abs => each(f64::abs),
            Function::Ln => each(libm::log),
            Function::Log10 => each(libm::log10),
            Function::Exp => each(libm::exp),
            Function::Sqrt => each(f64::sqrt),
            Function::Ceil => each(f64::ceil),
            Function::Floor => each(f64::floor),
            Function::Has => x.iter().map(|x| truth(!x.is_nan())).collect(),
            Function::If => {
                let chosen = |k: usize| match x[k] {
                    holds if holds.is_nan() => f64::NAN,
                    holds => columns[if holds == 1.0 { 1 } else { 2 }][k],
                };
                (0..x.len()).map(chosen).collect()
            }
            Function::Top => {
                let share = columns[1].first().copied().unwrap_or(0.0);
                let mut order: Vec<usize> = (0..x.len()).filter(|k| !x[*k].is_nan()).collect();
                let count = (share * x.len() as f64) as usize;
                if count < order.len() {
                    // of equal values the first ones
                    order.select_nth_unstable_by(count, |a, b| x[*b].total_cmp(&x[*a]).then(a.cmp(b)));
                    order.truncate(count);
                }
                let mut top = vec![0.0; x.len()];
                order.iter().for_each(|k| top[*k] = 1.0);
                top
            }
            _ => vec![f64::NAN; x.len()],
        }
    }
}

fn slope(points: impl Iterator<Item = [f64; 2]>) -> Option<f64> {
    let points: Vec<[f64; 2]> = points.filter(|point| point.iter().all(|q| !q.is_nan())).collect();
    let differ = points.iter().any(|[x, _]| *x != points[0][0]); // the mean of equal ones may be off by its rounding
    Some(line(&points).filter(|_| differ)?.slope)
}

fn variation(values: &[f64]) -> Option<f64> {
    let middle = mean(values).filter(|_| values.len() > 1)?;
    let squares: f64 = values.iter().map(|value| (value - middle) * (value - middle)).sum();
    Some((squares / (values.len() - 1) as f64).sqrt() / middle)
}

fn monotone(values: &[f64], holds: impl Fn(f64, f64) -> bool) -> Option<f64> {
    let is_known = !values.iter().any(|value| value.is_nan());
    is_known.then(|| truth(values.windows(2).all(|pair| holds(pair[0], pair[1]))))
}

fn concordance(x: &[f64], y: &[f64], factor: f64) -> Option<f64> {
    let pairs = (0..x.len()).flat_map(|i| (0..x.len()).map(move |j| (i, j)));
    let agree: Vec<f64> = pairs.filter(|(i, j)| x[*j] > factor * x[*i]).map(|(i, j)| truth(y[j] > y[i])).collect();
    mean(&agree)
}
