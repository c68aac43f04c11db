//! What charts and the discussion read from the tables.

use kit::prelude::*;

use super::paper::PaperRanges;
use super::runs::{FlagRow, Listed};

/// Rate of backward Euler over that of generalized-alpha at the small and the large step.
pub const RATIOS: [Claimed<'static>; 2] =
    [Claimed::of("P-DECAY-005", "ratio of rates"), Claimed::of("P-DECAY-03", "ratio of rates")];

/// The published rate of a scheme at a step \[s\], in 1/s.
pub fn published_rate(scheme: &str, step: f64) -> Option<f64> {
    let values = Curve::new(PARKS, "2", &format!("decay rate of {scheme}")).values();
    values.into_iter().find(|value| value.x.is_some_and(|at| at.middle() == step)).map(|value| value.y.middle())
}

/// Runs of the tuned flag.
pub struct Paper {
    pub rows: Vec<FlagRow>,
    steps: Vec<f64>,
}

impl Paper {
    /// All of them. The steps of the paper are those at which Newton was converged too.
    pub fn read(results: &Results) -> Result<Paper, ResultsError> {
        let rows = results.without_sets::<Listed<PaperRanges>>()?;
        let steps: Vec<f64> = distinct(rows.iter().filter(|row| row.newton == "converged").map(|row| row.step));
        Ok(Paper { rows, steps })
    }

    /// The paper's small step (0) or large one (1) \[s\].
    pub fn step(&self, which: usize) -> Result<f64, ResultsError> {
        self.steps.get(which).copied().ok_or_else(|| too_few("fewer than two steps"))
    }

    /// Backward Euler and generalized-alpha at one of the two steps from the flat start.
    pub fn pair(&self, which: usize, hessian: &str, newton: &str) -> Result<Pair<'_>, ResultsError> {
        self.pair_from("flat", which, hessian, newton)
    }

    /// Both schemes, started at rest, with the exact Hessian and one Newton step.
    pub fn pair_at_rest(&self, which: usize) -> Result<Pair<'_>, ResultsError> {
        self.pair_from("resting", which, "exact", "once")
    }

    fn pair_from(&self, start: &str, which: usize, hessian: &str, newton: &str) -> Result<Pair<'_>, ResultsError> {
        let step = self.step(which)?;
        let find = |scheme: &str| {
            let alike = |row: &FlagRow| row.step == step && row.start == start && row.hessian == hessian && row.newton == newton;
            let mine = |row: &&FlagRow| row.scheme == scheme && alike(row);
            self.rows.iter().find(mine)
        };
        match (find("backward-euler"), find("generalized-alpha")) {
            (Some(euler), Some(alpha)) => Ok(Pair { euler, alpha }),
            _ => Err(too_few(format!("no runs of both schemes at {step} s"))),
        }
    }

    /// Reference runs from a start, the finest first.
    pub fn references(&self, start: &str) -> Vec<&FlagRow> {
        let mut rows: Vec<&FlagRow> = self.rows.iter().filter(|row| row.scheme == "rk4" && row.start == start).collect();
        rows.sort_by(|a, b| a.step.total_cmp(&b.step));
        rows
    }
}

/// Runs of both schemes in one setting at a step.
pub struct Pair<'a> {
    pub euler: &'a FlagRow,
    pub alpha: &'a FlagRow,
}

impl Pair<'_> {
    /// Rate of backward Euler over that of generalized-alpha; none where a run blew up or does not lose energy.
    pub fn ratio(&self) -> Option<f64> {
        let [euler, alpha] = [self.euler.rate?, self.alpha.rate?];
        (euler > 0.0 && alpha > 0.0).then(|| euler / alpha)
    }
}

/// Pairs of a table, in its order: the rows of a set are of one setting.
pub fn pairs(rows: &[Row<FlagRow>]) -> Vec<Pair<'_>> {
    let of_set = |set: &'_ [Row<FlagRow>]| -> Vec<(usize, usize)> {
        let of = |scheme: &'static str| (0..set.len()).filter(move |&k| set[k].row.scheme == scheme);
        let partner = |k: usize| of("generalized-alpha").find(|&other| set[other].row.step == set[k].row.step);
        of("backward-euler").filter_map(|k| Some((k, partner(k)?))).collect()
    };
    let sets = rows.chunk_by(|a, b| a.set == b.set);
    sets.flat_map(|set| of_set(set).into_iter().map(|(k, other)| Pair { euler: &set[k].row, alpha: &set[other].row })).collect()
}

/// A scheme with its rho_inf in words.
pub fn named(scheme: &str, limit: Option<f64>) -> String {
    let words = match scheme {
        "backward-euler" => "backward Euler",
        "implicit-midpoint" => "midpoint",
        "bdf2" => "BDF2",
        "rk4" => "reference",
        _ => "generalized-alpha",
    };
    limit.map_or_else(|| words.into(), |limit| format!("{words}, rho_inf = {limit}"))
}
