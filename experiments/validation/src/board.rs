//! Methods and cases: what each came to, at its finest and from mesh to mesh.

use kit::prelude::*;

/// What a method came to in a case.
pub struct Entry {
    /// The case, as the board names it.
    pub case: &'static str,
    /// The law of bending, the scheme, the constraint method; and what it was used on.
    pub method: String,
    /// Largest error of the finest run \[-\]; none where it came to no answer.
    pub error: Option<f64>,
    /// Power of the size of elements, or of the step, with which errors fall; none where that cannot be told.
    pub order: Option<f64>,
    /// Largest error that passes \[-\].
    pub bound: f64,
}

impl Entry {
    /// Whether its finest error is within the bound.
    pub fn passes(&self) -> bool {
        self.error.is_some_and(|error| error <= self.bound)
    }

    /// Why it does not pass, in a few words.
    pub fn lack(&self) -> String {
        let off = |error| format!("{} off, where {} passes", in_percent(error), in_percent(self.bound));
        self.error.map_or_else(|| "not at rest".into(), off)
    }
}

/// Errors of a method from mesh to mesh.
pub struct Rungs<M> {
    pub method: M,
    /// Elements, and the largest error over all loads \[-\]; none where one did not come to rest.
    pub errors: Vec<(u32, Option<f64>)>,
}

impl<M: ToString> Rungs<M> {
    /// The finest mesh.
    pub fn finest(&self) -> Option<f64> {
        self.errors.last().and_then(|(_, error)| *error)
    }

    /// Power of h between the last two.
    pub fn order(&self) -> Option<f64> {
        let points: Option<Vec<[f64; 2]>> =
            self.errors.iter().map(|(count, error)| Some([1.0 / f64::from(*count), (*error)?])).collect();
        order(&points?)
    }

    /// What it came to in a case, whose largest error stands in the ledger.
    pub fn entry(&self, case: &'static str, largest: Claimed) -> Entry {
        Entry { case, method: self.method.to_string(), error: self.finest(), order: self.order(), bound: bound(largest) }
    }
}

/// Largest value of a number of a claim that passes \[-\].
pub fn bound(error: Claimed) -> f64 {
    error.size().map_or(f64::NAN, |[_, most]| most)
}

/// A line across a panel at it.
pub fn bound_line(error: Claimed) -> Layer {
    let bound = bound(error);
    Layer::rule(format!("passes: {}", in_percent(bound)), Palette::GREY, Direction::Horizontal, bound)
}

/// An error in per cent, to three digits.
pub fn in_percent(error: f64) -> String {
    format!("{} %", short(100.0 * error))
}

/// The board as a table.
pub fn board(entries: &[Entry]) -> TextTable {
    let heads = ["case", "method", "passes", "finest error", "bound", "order"];
    let lines = entries.iter().map(|entry| {
        vec![
            entry.case.into(),
            entry.method.clone(),
            if entry.passes() { "yes" } else { "no" }.into(),
            entry.error.map_or_else(|| "none".into(), in_percent),
            in_percent(entry.bound),
            entry.order.map_or_else(String::new, |order| format!("{order:.1}")),
        ]
    });
    TextTable::new(&heads, lines)
}

/// Power of h between the last two of points (h, error), finest last; none where an error is at rounding, or missing.
pub fn order(points: &[[f64; 2]]) -> Option<f64> {
    let [.., [coarse, above], [fine, below]] = points else { return None };
    let order = libm::log(above / below) / libm::log(coarse / fine);
    (*below > 1e-9 && order.is_finite()).then_some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_those_of_the_finest_pair() {
        let squares = [[0.4, 7.0], [0.2, 0.04], [0.1, 0.01]];
        assert!((order(&squares).unwrap() - 2.0).abs() < 1e-12);
        assert_eq!((order(&squares[..1]), order(&[[0.2, 1e-8], [0.1, 1e-10]])), (None, None));
        let entry = Entry { case: "roll-up", method: "none".into(), error: Some(0.004), order: None, bound: 0.005 };
        assert!(entry.passes() && !Entry { error: None, ..entry }.passes());
    }
}
