//! A minimum by L-BFGS \[Nocedal & Wright 2006, 7.2\], of what comes with its slopes.

use std::cell::RefCell;
use std::fmt;
use std::path::PathBuf;

use argmin::core::{CostFunction, Error, Executor, Gradient};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use cloth::adjoint::NoGradient;
use lab::files::FileError;

use crate::table::Table;

/// Pairs of steps and slopes that L-BFGS remembers.
const MEMORY: usize = 10;

/// The search has converged where slopes have fallen to this share of those that it began with \[-\], or a step gains no more than
/// rounding.
const SLOPE: f64 = 1e-10;
const GAIN: f64 = 1e-14;

/// How often a search begins anew, with a step a tenth as long, where a run that it tried has no gradient.
const RETRIES: u32 = 6;

/// A value with its slopes, or why there is none.
pub type Valued = Result<(f64, Vec<f64>), NoGradient>;

/// A search.
pub struct Search {
    /// Most iterations.
    pub iterations: u32,
    /// Most runs with their gradients.
    pub runs: u64,
    /// The search ends at a value at or below this \[-\]; values are at or above zero.
    pub enough: f64,
    /// Where it begins.
    pub start: Vec<f64>,
}

/// A point that the search came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reached {
    /// Runs with their gradients so far.
    pub runs: u64,
    /// Its value \[-\].
    pub value: f64,
    /// Largest slope.
    pub slope: f64,
}

/// What a search came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Where the value is least.
    pub point: Vec<f64>,
    /// The start, and each point that was better than those before it.
    pub course: Vec<Reached>,
    /// Runs with their gradients.
    pub runs: u64,
    /// Why the search could go no farther, where a run has no gradient.
    pub obstacle: Option<NoGradient>,
}

/// What is minimised while it is: values and slopes at points are asked for apart, and found together.
struct Minimised<E, T> {
    evaluate: E,
    tell: T,
    runs: u64,
    limit: u64,
    last: Option<(Vec<f64>, f64, Vec<f64>)>,
    best: (Vec<f64>, f64),
    course: Vec<Reached>,
    obstacle: Option<NoGradient>,
}

fn minimised<E, T>(evaluate: E, start: &[f64], limit: u64, tell: T) -> RefCell<Minimised<E, T>> {
    let best = (start.to_vec(), f64::INFINITY);
    RefCell::new(Minimised { evaluate, tell, runs: 0, limit, last: None, best, course: vec![], obstacle: None })
}

impl<E: FnMut(&[f64]) -> Valued, T: Fn()> Minimised<E, T> {
    /// Whether there is no run left for a point.
    fn is_spent(&self, point: &[f64]) -> bool {
        self.runs >= self.limit && self.last.as_ref().is_none_or(|(known, ..)| known != point)
    }

    /// The value and the slopes at a point.
    fn at(&mut self, point: &[f64]) -> Valued {
        if let Some((known, value, slopes)) = &self.last
            && known == point
        {
            return Ok((*value, slopes.clone()));
        }
        self.runs += 1;
        let (value, slopes) = (self.evaluate)(point).inspect_err(|none| self.obstacle = Some(none.clone()))?;
        if self.course.is_empty() || value < self.best.1 {
            if !self.course.is_empty() {
                (self.tell)();
            }
            let slope = slopes.iter().fold(0.0, |largest: f64, slope| largest.max(slope.abs()));
            self.course.push(Reached { runs: self.runs, value, slope });
            self.best = (point.to_vec(), value);
        }
        self.last = Some((point.to_vec(), value, slopes.clone()));
        Ok((value, slopes))
    }
}

/// What is minimised, over its first value, by points from an origin in a unit: the first step then is where a line through the
/// first value and slope comes to zero.
struct Scaled<'a, E, T> {
    minimised: &'a RefCell<Minimised<E, T>>,
    origin: Vec<f64>,
    unit: f64,
    first: f64,
}

impl<E: FnMut(&[f64]) -> Valued, T: Fn()> Scaled<'_, E, T> {
    fn at(&self, z: &[f64]) -> Result<(f64, Vec<f64>), Error> {
        let point: Vec<f64> = self.origin.iter().zip(z).map(|(origin, z)| origin + self.unit * z).collect();
        let mut minimised = self.minimised.borrow_mut();
        if minimised.is_spent(&point) { Err(Error::msg("no run is left")) } else { Ok(minimised.at(&point)?) }
    }
}

impl<E: FnMut(&[f64]) -> Valued, T: Fn()> CostFunction for Scaled<'_, E, T> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, z: &Vec<f64>) -> Result<f64, Error> {
        Ok(self.at(z)?.0 / self.first)
    }
}

impl<E: FnMut(&[f64]) -> Valued, T: Fn()> Gradient for Scaled<'_, E, T> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, z: &Vec<f64>) -> Result<Vec<f64>, Error> {
        Ok(self.at(z)?.1.iter().map(|slope| self.unit * slope / self.first).collect())
    }
}

impl Search {
    /// From zeros, as many as there are `numbers`, in as many runs as it takes.
    pub fn of(iterations: u32, numbers: usize) -> Search {
        Search { iterations, runs: u64::MAX, enough: 0.0, start: vec![0.0; numbers] }
    }

    /// Minimises what `evaluate` gives with its slopes, and calls `tell` at each better point. Where a run that is tried has no
    /// gradient, the search goes on from the best point with shorter steps.
    ///
    /// # Errors
    /// The start has no gradient.
    pub fn minimise(self, evaluate: impl FnMut(&[f64]) -> Valued, tell: impl Fn()) -> Result<Found, NoGradient> {
        let Search { iterations, runs, enough, start } = self;
        let evaluate = minimised(evaluate, &start, runs, tell);
        evaluate.borrow_mut().at(&start)?;
        let mut shorter = 1.0;
        for _ in 0..=RETRIES {
            evaluate.borrow_mut().obstacle = None;
            let origin = evaluate.borrow().best.0.clone();
            if evaluate.borrow().is_spent(&origin) {
                break;
            }
            let (first, slopes) = evaluate.borrow_mut().at(&origin)?;
            let size = slopes.iter().fold(0.0, |sum: f64, slope| sum + slope * slope).sqrt();
            let left = u64::from(iterations).saturating_sub(evaluate.borrow().course.len() as u64 - 1);
            if !(first > enough && size > 0.0) || left == 0 {
                break;
            }
            let scaled = Scaled { minimised: &evaluate, unit: shorter * first / size, first, origin };
            let start = vec![0.0; scaled.origin.len()];
            let solver = LBFGS::new(MoreThuenteLineSearch::new(), MEMORY).with_tolerance_grad(shorter * SLOPE);
            let Ok(solver) = solver.and_then(|solver| solver.with_tolerance_cost(GAIN)) else { break }; // they are above zero
            let target = enough / first;
            let executor = Executor::new(scaled, solver).timer(false);
            let run = executor.configure(|state| state.param(start).max_iters(left).target_cost(target)).run();
            if run.is_ok() || evaluate.borrow().obstacle.is_none() {
                break; // it has converged, has no runs left, or rounding leaves no line to search
            }
            shorter *= 0.1;
        }
        let Minimised { runs, best, course, obstacle, .. } = evaluate.into_inner();
        Ok(Found { point: best.0, course, runs, obstacle })
    }
}

impl Found {
    /// The first value and the least one \[-\].
    pub fn values(&self) -> [f64; 2] {
        let of = |reached: Option<&Reached>| reached.map_or(f64::NAN, |reached| reached.value);
        [of(self.course.first()), of(self.course.last())]
    }

    /// Writes the course as a table.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, path: PathBuf) -> Result<(), FileError> {
        let mut table = Table::create(path, &["improvement", "runs", "objective", "largest_slope"])?;
        for (improvement, Reached { runs, value, slope }) in self.course.iter().enumerate() {
            table.add((improvement, runs, value, slope))?;
        }
        table.finish()
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let ([first, last], better) = (self.values().map(words_of), self.course.len().saturating_sub(1));
        write!(f, "objective {last}, {first} at first: {better} improvements in {} runs with their gradients", self.runs)?;
        match &self.obstacle {
            Some(obstacle) => write!(f, "\nwarning: the search ended where a run that it tried has no gradient: {obstacle}"),
            None => Ok(()),
        }
    }
}

/// A number in a few digits.
pub fn words_of(value: f64) -> String {
    rounded(value, 4)
}

/// A number with at most so many `places`.
pub fn rounded(value: f64, places: usize) -> String {
    if value == 0.0 || (1e-3..1e6).contains(&value.abs()) {
        let rounded = format!("{value:.places$}");
        rounded.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        format!("{value:.*e}", places - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rosenbrock's valley from its usual start, as far as `|x|` stays below a bound.
    fn valley(bound: f64) -> Found {
        let search = Search { start: vec![-1.2, 1.0], ..Search::of(200, 2) };
        let evaluate = |x: &[f64]| {
            let (a, b) = (1.0 - x[0], x[1] - x[0] * x[0]);
            let slopes = vec![-2.0 * a - 400.0 * x[0] * b, 200.0 * b];
            if x[0].abs() < bound { Ok((a * a + 100.0 * b * b, slopes)) } else { Err(NoGradient::BlewUp { step: 1 }) }
        };
        search.minimise(evaluate, || {}).expect("a start")
    }

    #[test]
    fn the_valley_is_followed_to_its_end() {
        let found = valley(f64::INFINITY);
        assert!(found.point.iter().all(|x| (x - 1.0).abs() < 1e-5), "{found:?}");
        assert!((found.values()[0] - 24.2).abs() < 1e-12 && found.values()[1] < 1e-10 && found.runs < 100, "{found}");
        assert!(found.course.windows(2).all(|pair| pair[1].value < pair[0].value && pair[1].runs > pair[0].runs));
        assert_eq!(found, valley(f64::INFINITY), "once more");
    }

    #[test]
    fn a_search_goes_on_where_a_point_has_no_value() {
        let found = valley(1.201);
        assert!(found.point.iter().all(|x| (x - 1.0).abs() < 1e-4), "{found:?}");
    }

    #[test]
    fn a_search_ends_where_it_has_enough_or_no_run_is_left() {
        let bowl = |x: &[f64]| {
            let [a, b] = [x[0] * x[0], x[1] * x[1]];
            Ok((a + 9.0 * b + b * b, vec![2.0 * x[0], (18.0 + 4.0 * b) * x[1]]))
        };
        let search = || Search { start: vec![3.0, 2.0], ..Search::of(200, 2) };
        let whole = search().minimise(bowl, || {}).expect("a start");
        let enough = Search { enough: 1e-3, ..search() }.minimise(bowl, || {}).expect("a start");
        assert!(enough.values()[1] <= 1e-3 && enough.runs < whole.runs && whole.values()[1] < 1e-9, "{enough}\n{whole}");
        let spent = Search { runs: 3, ..search() }.minimise(bowl, || {}).expect("a start");
        assert_eq!((spent.runs, &spent.course[..]), (3, &whole.course[..spent.course.len()]));
        assert!(spent.obstacle.is_none() && whole.runs > 3);
    }

    #[test]
    fn a_start_without_a_value_is_refused() {
        let refused = Search::of(3, 1).minimise(|_| Err(NoGradient::NotConverged { step: 2 }), || {});
        assert_eq!(refused, Err(NoGradient::NotConverged { step: 2 }));
    }

    #[test]
    fn numbers_in_words() {
        assert_eq!([0.0, 0.25, 12.0, 1e-5, -3.0e7].map(words_of), ["0", "0.25", "12", "1.000e-5", "-3.000e7"]);
    }
}
