//! Scenes of the swing as verdicts see them: how far each run is from its reference, and how far that may be trusted.

use kit::prelude::*;
use lab::judge::statistics::median_interval;

use super::runs::FlagRow;

/// Runs of a scene: both schemes at the small and at the large step, the reference, and its check.
pub struct Scene<'a> {
    pub euler: [&'a FlagRow; 2],
    pub alpha: [&'a FlagRow; 2],
    reference: &'a FlagRow,
    check: &'a FlagRow,
}

/// What is read off a swing.
pub type Quantity = fn(&FlagRow) -> Option<f64>;

/// Both of them.
pub const QUANTITIES: [(&str, Quantity); 2] = [("period", |row| row.period), ("amplitude", |row| row.swing)];

/// How far a reference may be from its check where it is sure of a swing, in period and in amplitude \[-\].
pub const SURE: f64 = 0.1;

impl Scene<'_> {
    /// Those of a set; none where a run blew up or the reference does not swing.
    fn of(set: &[Row<FlagRow>]) -> Option<Scene<'_>> {
        let runs = |scheme: &str| -> Vec<&FlagRow> {
            let mut mine: Vec<&FlagRow> = set.iter().map(|row| &row.row).filter(|row| row.scheme == scheme).collect();
            mine.sort_by(|a, b| a.step.total_cmp(&b.step));
            mine
        };
        let pair = |scheme: &str| match runs(scheme)[..] {
            [small, .., large] => Some([small, large]),
            _ => None,
        };
        let ([reference, check], [euler, alpha]) = (pair("rk4")?, [pair("backward-euler")?, pair("generalized-alpha")?]);
        let whole = set.iter().all(|row| row.row.is_finished()) && reference.period.is_some();
        whole.then_some(Scene { euler, alpha, reference, check })
    }

    /// How far a run is from the reference, over that; one for a run that does not swing.
    fn error(&self, row: &FlagRow, pick: Quantity) -> f64 {
        pick(row).zip(pick(self.reference)).map_or(1.0, |(measured, exact)| (measured / exact - 1.0).abs())
    }

    /// How far the reference is from its check.
    pub fn own(&self, pick: Quantity) -> f64 {
        self.error(self.check, pick)
    }

    /// Whether the reference is within [`SURE`] of its check.
    pub fn is_sure(&self) -> bool {
        QUANTITIES.iter().all(|(_, pick)| self.own(*pick) <= SURE)
    }

    /// Amplitude of a run over that of the reference; zero for a run that does not swing.
    pub fn share(&self, row: &FlagRow) -> f64 {
        row.swing.zip(self.reference.swing).map_or(0.0, |(swing, exact)| swing / exact)
    }
}

/// The scenes of a table, and how many have no reference or lost a run.
pub fn scenes(rows: &[Row<FlagRow>]) -> (Vec<Scene<'_>>, usize) {
    let all: Vec<Option<Scene<'_>>> = rows.chunk_by(|a, b| a.set == b.set).map(Scene::of).collect();
    let lost = all.iter().filter(|scene| scene.is_none()).count();
    (all.into_iter().flatten().collect(), lost)
}

/// Errors of both schemes in a scene, and that of its reference.
#[derive(Clone, Copy, Debug)]
pub struct Errors {
    pub euler: f64,
    pub alpha: f64,
    /// How far the reference is from its check.
    own: f64,
}

impl Errors {
    /// Of a quantity, backward Euler and generalized-alpha each at its small step (0) or its large one (1).
    pub fn of<'a>(scenes: impl IntoIterator<Item = &'a Scene<'a>>, [euler, alpha]: [usize; 2], pick: Quantity) -> Vec<Errors> {
        let of = |scene: &Scene<'_>| Errors {
            euler: scene.error(scene.euler[euler], pick),
            alpha: scene.error(scene.alpha[alpha], pick),
            own: scene.own(pick),
        };
        scenes.into_iter().map(of).collect()
    }

    /// Whether the reference's own error does not exceed both that are compared.
    fn is_settled(&self) -> bool {
        self.own <= self.euler.max(self.alpha)
    }

    /// By how much generalized-alpha is nearer to the reference.
    fn gain(&self) -> f64 {
        self.euler - self.alpha
    }
}

/// The scenes of a comparison whose reference is settled, and the number of the others.
pub fn settled(all: &[Errors]) -> (Vec<Errors>, usize) {
    let kept: Vec<Errors> = all.iter().copied().filter(Errors::is_settled).collect();
    let left_out = all.len() - kept.len();
    (kept, left_out)
}

/// By how much generalized-alpha is nearer in the median.
pub fn gain(errors: &[Errors]) -> Option<Estimate> {
    uncertain(&errors.iter().map(|errors| [errors.gain(), errors.own]).collect::<Vec<_>>())
}

/// Scenes, one by one, in which generalized-alpha is nearer, is further, or cannot be told.
pub fn one_by_one(errors: &[Errors]) -> String {
    let count = |takes: &dyn Fn(&Errors) -> bool| errors.iter().filter(|errors| takes(errors)).count();
    let [nearer, further] = [count(&|errors| errors.gain() > errors.own), count(&|errors| errors.gain() < -errors.own)];
    format!("nearer in {nearer}, further in {further}, not told in {}", errors.len() - nearer - further)
}

/// A median over scenes whose values are uncertain themselves: its interval is widened by that.
pub fn uncertain(values: &[[f64; 2]]) -> Option<Estimate> {
    let moved = |by: f64| values.iter().map(|[value, own]| value + by * own).collect::<Vec<_>>();
    let ends = median_interval(&moved(-1.0)).zip(median_interval(&moved(1.0)));
    let interval = ends.map(|(low, high)| Interval { low: low.low, high: high.high });
    Some(Estimate { value: median(&moved(0.0))?, interval, cases: values.len() })
}

#[cfg(test)]
mod tests {
    use lab::judge::criterion::Answer;

    use super::*;

    #[test]
    fn a_difference_within_what_the_reference_is_sure_of_is_open() {
        let above_zero = |values: &[[f64; 2]]| uncertain(values).unwrap().lies_above(0.0);
        let sure: Vec<[f64; 2]> = (1..10).map(|k| [0.01 * f64::from(k), 0.001]).collect();
        assert_eq!(above_zero(&sure), Answer::Yes);
        let unsure: Vec<[f64; 2]> = sure.iter().map(|[value, _]| [*value, 0.05]).collect();
        assert_eq!(above_zero(&unsure), Answer::Open);
        assert_eq!(above_zero(&sure[..5]), Answer::Open, "too few");
    }

    #[test]
    fn a_reference_is_settled_up_to_the_larger_error() {
        let errors = |own: f64| Errors { euler: 0.3, alpha: 0.1, own };
        let (kept, left_out) = settled(&[errors(0.05), errors(0.2), errors(0.3), errors(0.31)]);
        assert_eq!((kept.len(), left_out), (3, 1));
        assert_eq!(one_by_one(&kept), "nearer in 1, further in 0, not told in 2");
    }
}
