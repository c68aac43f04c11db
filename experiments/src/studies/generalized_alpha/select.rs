//! What charts and verdicts read from the tables.

use lab::report::{percent, short};
use lab::results::{Results, ResultsError, Row};
use lab::statistics::{median, power_law, quantile};

use super::orders::OrderRow;
use super::runs::FlagRow;

/// Runs of the paper's flag.
pub struct Paper {
    pub rows: Vec<FlagRow>,
    steps: Vec<f64>,
}

impl Paper {
    /// All of them. The steps of the paper are those at which Newton was converged too.
    pub fn read(results: &Results) -> Result<Paper, ResultsError> {
        let rows: Vec<FlagRow> = results.rows("paper")?.into_iter().map(|row| row.row).collect();
        let mut steps: Vec<f64> = rows.iter().filter(|row| row.newton == "converged").map(|row| row.step).collect();
        steps.sort_by(f64::total_cmp);
        steps.dedup();
        Ok(Paper { rows, steps })
    }

    /// The paper's small step (0) or large one (1) \[s\].
    pub fn step(&self, which: usize) -> Result<f64, ResultsError> {
        self.steps.get(which).copied().ok_or_else(|| ResultsError::TooFew("fewer than two steps".into()))
    }

    /// Backward Euler and generalized-alpha at one of the two steps from the flat start.
    pub fn pair(&self, which: usize, hessian: &str, newton: &str) -> Result<[&FlagRow; 2], ResultsError> {
        self.pair_from("flat", which, hessian, newton)
    }

    /// The same, started at rest, with the exact Hessian and one Newton step.
    pub fn pair_at_rest(&self, which: usize) -> Result<[&FlagRow; 2], ResultsError> {
        self.pair_from("resting", which, "exact", "once")
    }

    fn pair_from(&self, start: &str, which: usize, hessian: &str, newton: &str) -> Result<[&FlagRow; 2], ResultsError> {
        let step = self.step(which)?;
        let find = |scheme: &str| {
            let alike = |row: &FlagRow| row.step == step && row.start == start && row.hessian == hessian && row.newton == newton;
            let mine = |row: &&FlagRow| row.scheme == scheme && alike(row);
            self.rows.iter().find(mine)
        };
        match (find("backward-euler"), find("generalized-alpha")) {
            (Some(euler), Some(alpha)) => Ok([euler, alpha]),
            _ => Err(ResultsError::TooFew(format!("no runs of both schemes at {step} s"))),
        }
    }

    /// Reference runs from a start, the finest first.
    pub fn references(&self, start: &str) -> Vec<&FlagRow> {
        let mut rows: Vec<&FlagRow> = self.rows.iter().filter(|row| row.scheme == "rk4" && row.start == start).collect();
        rows.sort_by(|a, b| a.step.total_cmp(&b.step));
        rows
    }
}

/// Rates of both schemes; none where one has none.
pub fn rates_of(euler: &FlagRow, alpha: &FlagRow) -> Option<[f64; 2]> {
    Some([euler.rate?, alpha.rate?])
}

/// Both rates and their ratio in words.
pub fn ratio_words(euler: &FlagRow, alpha: &FlagRow) -> String {
    match rates_of(euler, alpha) {
        Some([a, b]) => format!("{} and {}, a ratio of {}", short(a), short(b), short(a / b)),
        None => format!("backward Euler {}, generalized-alpha {}", euler.status, alpha.status),
    }
}

/// A setting with both schemes at a step, as far as they came to their end.
pub struct Pair<'a> {
    pub euler: &'a FlagRow,
    pub alpha: &'a FlagRow,
}

impl Pair<'_> {
    /// Rate of backward Euler over that of generalized-alpha; none where a run blew up or gains energy.
    pub fn ratio(&self) -> Option<f64> {
        let [euler, alpha] = rates_of(self.euler, self.alpha)?;
        (euler > 0.0 && alpha > 0.0).then(|| euler / alpha)
    }
}

/// Neighbouring runs of one setting at a step by both schemes.
pub fn pairs(rows: &[Row<FlagRow>]) -> Vec<Pair<'_>> {
    let alike = |a: &FlagRow, b: &FlagRow| {
        a.step == b.step
            && a.stiffness == b.stiffness
            && a.amplitude == b.amplitude
            && a.hessian == b.hessian
            && a.newton == b.newton
    };
    let of = |scheme: &'static str| rows.iter().map(|row| &row.row).filter(move |row| row.scheme == scheme);
    let partner = |euler: &FlagRow| of("generalized-alpha").find(|alpha| alike(euler, alpha));
    of("backward-euler").filter_map(|euler| partner(euler).map(|alpha| Pair { euler, alpha })).collect()
}

/// Ratios of rates over random settings in words.
pub fn settings_words(results: &Results, step: f64) -> Result<String, ResultsError> {
    let rows: Vec<Row<FlagRow>> = results.rows("settings")?;
    let pairs: Vec<Pair<'_>> = pairs(&rows).into_iter().filter(|pair| pair.euler.step == step).collect();
    let ratios: Vec<f64> = pairs.iter().filter_map(Pair::ratio).collect();
    let (Some(middle), Some(low), Some(high)) = (median(&ratios), quantile(&ratios, 0.1), quantile(&ratios, 0.9)) else {
        return Ok("none has a ratio".into());
    };
    let faster = ratios.iter().filter(|ratio| **ratio > 1.0).count();
    Ok(format!(
        "a ratio of {} in the median of {}, 10 % below {} and 10 % above {}; above one in {}; {} without",
        short(middle),
        ratios.len(),
        short(low),
        short(high),
        percent(faster as f64 / ratios.len() as f64),
        pairs.len() - ratios.len()
    ))
}

/// Rates of backward Euler and of generalized-alpha over starts a micrometre aside at a step \[1/s\], as far as there are any.
pub fn nudged_rates(results: &Results, step: f64) -> Result<[Vec<f64>; 2], ResultsError> {
    let rows: Vec<Row<FlagRow>> = results.rows("nudges")?;
    let of = |scheme: &str| {
        let mine = rows.iter().filter(|row| row.row.scheme == scheme && row.row.step == step);
        mine.filter_map(|row| row.row.rate).collect()
    };
    Ok([of("backward-euler"), of("generalized-alpha")])
}

/// Measured exponents of a scheme.
pub struct Order {
    pub scheme: String,
    pub rho_inf: Option<f64>,
    pub newton: String,
    pub position: f64,
    pub velocity: f64,
    pub acceleration: Option<f64>,
    /// Steps without an error.
    pub failed: usize,
}

/// Exponents of every scheme, from the finer half of its steps that have errors, or the name of a scheme of which these are fewer
/// than two.
pub fn orders(results: &Results) -> Result<Vec<Result<Order, String>>, ResultsError> {
    let rows: Vec<Row<OrderRow>> = results.rows("orders")?;
    let exponent = |runs: &[Row<OrderRow>], pick: &dyn Fn(&OrderRow) -> Option<f64>| {
        let mut points: Vec<[f64; 2]> = runs.iter().filter_map(|row| Some([row.row.step, pick(&row.row)?])).collect();
        points.sort_by(|a, b| a[0].total_cmp(&b[0]));
        points.truncate(points.len().div_ceil(2).max(2));
        power_law("generalized-alpha orders", &points).map(|law| law.exponent)
    };
    let order = |runs: &[Row<OrderRow>]| {
        let OrderRow { scheme, rho_inf, newton, .. } = &runs[0].row;
        Some(Order {
            scheme: scheme.clone(),
            rho_inf: *rho_inf,
            newton: newton.clone(),
            position: exponent(runs, &|row| row.position)?,
            velocity: exponent(runs, &|row| row.velocity)?,
            acceleration: exponent(runs, &|row| row.acceleration),
            failed: runs.iter().filter(|row| row.row.position.is_none()).count(),
        })
    };
    let of = |runs: &[Row<OrderRow>]| order(runs).ok_or_else(|| runs[0].row.scheme.clone());
    Ok(rows.chunk_by(|a, b| a.set == b.set).map(of).collect())
}
