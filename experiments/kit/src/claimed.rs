//! The numbers of claims in charts and sentences, out of the ledgers: none stands in code a second time.

use chart::{Direction, Layer, Palette};
use lab::judge::claims::Claim;
use lab::judge::rule::bound::Ends;
use lab::judge::rule::keys::Keys;

use crate::published::ledgers;

/// A number that a claim rests on, by the id of the claim and the name of the number.
#[derive(Clone, Copy, Debug)]
pub struct Claimed<'a> {
    claim: &'a str,
    number: &'a str,
    stratum: &'a str,
}

impl<'a> Claimed<'a> {
    pub const fn of(claim: &'a str, number: &'a str) -> Claimed<'a> {
        Claimed { claim, number, stratum: "" }
    }

    /// The same in a stratum of its cases.
    pub const fn stratum(self, stratum: &'a str) -> Claimed<'a> {
        Claimed { stratum, ..self }
    }

    /// The claim with the name of its ledger; none that a test has not refused.
    fn found(self) -> Option<(&'static str, &'static Claim)> {
        let all = ledgers().ok()?.iter().flat_map(|ledger| ledger.claims.iter().map(move |claim| (ledger, claim)));
        all.filter(|(_, claim)| claim.id == self.claim).map(|(ledger, claim)| (ledger.paper.as_str(), claim)).next()
    }

    /// Keys of its rule.
    pub fn keys(self) -> Option<Keys> {
        self.found()?.1.rule().ok()??.keys_of_number(self.number)
    }

    /// The published range.
    pub fn range(self) -> Option<[f64; 2]> {
        self.keys()?.published_of(self.stratum)
    }

    /// The published number, the middle of a range; not a number where nothing is.
    pub fn published(self) -> f64 {
        self.range().map_or(f64::NAN, |[low, high]| 0.5 * (low + high))
    }

    /// Ends of both bounds.
    pub fn ends(self) -> Ends {
        self.keys().map_or_else(Ends::default, |keys| keys.ends(self.stratum))
    }

    /// Ends of the bound of its size.
    pub fn size(self) -> Option<[f64; 2]> {
        self.ends().size
    }

    /// The bound of its direction, where it has one end.
    pub fn direction(self) -> Option<f64> {
        one_end(self.ends().direction?)
    }

    /// Our own bound on how strong it is, where it has one end.
    pub fn ours(self) -> Option<f64> {
        one_end(self.keys()?.ours?.of(self.stratum)?.ends(self.range())?)
    }

    /// Entry in the legend.
    pub fn label(self) -> String {
        self.found().map_or_else(String::new, |(paper, claim)| format!("published ({paper}, {})", claim.place))
    }

    /// A line across the panel at each end of what is published.
    pub fn rules(self, axis: Direction) -> Vec<Layer> {
        let [low, high] = self.range().unwrap_or([f64::NAN; 2]);
        let ends = if low == high { vec![low] } else { vec![low, high] };
        ends.into_iter().filter(|end| end.is_finite()).map(|end| Layer::rule(self.label(), Palette::GREY, axis, end)).collect()
    }

    /// A band over what is published.
    pub fn band(self, axis: Direction) -> Option<Layer> {
        self.range().map(|[low, high]| Layer::band(self.label(), Palette::GREY, axis, low, high))
    }

    /// A band over the sizes that would meet the claim.
    pub fn size_band(self, axis: Direction) -> Option<Layer> {
        let [low, high] = self.size()?;
        Some(Layer::band(format!("size of {}, {}", self.claim, self.number), Palette::SKY, axis, low, high))
    }

    /// A band over the numbers that would meet its direction, `scaled` to the units of a chart.
    pub fn direction_band(self, axis: Direction, scaled: impl Fn(f64) -> f64) -> Option<Layer> {
        let [low, high] = self.ends().direction?.map(scaled);
        Some(Layer::band(format!("direction of {}, {}", self.claim, self.number), Palette::SKY, axis, low, high))
    }
}

/// The finite end of a bound that has one.
fn one_end(ends: [f64; 2]) -> Option<f64> {
    let mut finite = ends.into_iter().filter(|end| end.is_finite());
    finite.next().filter(|end| finite.all(|other| other == *end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_that_of_the_ledger() {
        let ratio = Claimed::of("B-AIMEX-CG", "iterations").stratum("explicit/explicit");
        assert_eq!((ratio.range(), ratio.direction()), (Some([0.47; 2]), Some(1.0)));
        assert_eq!(ratio.label(), "published (Boxerman 2003, table 4.1)");
        let [low, high] = ratio.size().unwrap();
        assert!((low - 0.37).abs() < 1e-12 && (high - 0.57).abs() < 1e-12);
        assert_eq!(ratio.rules(Direction::Vertical).len(), 1);
        assert_eq!(Claimed::of("B-TOTAL", "speed-up").rules(Direction::Vertical).len(), 2);
        assert_eq!(Claimed::of("B-DAMP-NONE", "oscillation").ours(), Some(2.0));
        assert_eq!(Claimed::of("B-DAMP-PROJ", "loss").direction(), None, "it has two ends");
        let Some(Layer::Band { from, to, .. }) =
            Claimed::of("B-DAMP-PROJ", "loss").direction_band(Direction::Vertical, |x| 10.0 * x)
        else {
            panic!("a band")
        };
        assert_eq!((from, to), (8.0, 12.0));
        assert!(Claimed::of("B-TOTAL", "none").published().is_nan() && Claimed::of("none", "none").label().is_empty());
    }
}
