//! What the papers give of their figures and tables in numbers, and how that is drawn beside what was measured.

use std::sync::LazyLock;

use chart::{Dash, Direction, Layer, Marker, Palette};
use lab::judge::citation::Citation;
use lab::judge::claims::Ledger;
use lab::judge::published::{Picture, Place, PublishedError, Value, name_of, read};

use crate::Failure;

/// A paper, or exact solutions, by the name of its ledger, its short citation, what it gives in numbers, and its ledger.
struct Paper {
    name: &'static str,
    citation: &'static str,
    values: &'static str,
    claims: &'static str,
}

macro_rules! paper {
    ($name:literal, $citation:literal) => {
        Paper {
            name: $name,
            citation: $citation,
            values: include_str!(concat!("../../published/", $name, ".csv")),
            claims: include_str!(concat!("../../claims/", $name, ".toml")),
        }
    };
}

const PAPERS: [Paper; 6] = [
    paper!("boxerman-2003", "Boxerman 2003"),
    paper!("goldenthal-2007", "Goldenthal 2007"),
    paper!("bender-2008", "Bender 2008"),
    paper!("parks-2002", "Parks 2002"),
    paper!("stuyck-2018", "Stuyck 2018"),
    paper!("nature", "exact solutions"),
];

/// The short citation of a paper, by the name of its ledger.
pub fn citation_of(paper: &str) -> &str {
    PAPERS.iter().find(|known| known.name == paper).map_or(paper, |known| known.citation)
}

/// The ledgers, read once.
static LEDGERS: LazyLock<Result<Vec<Ledger>, String>> = LazyLock::new(|| {
    let ledgers = PAPERS.iter().map(|paper| Ledger::parse(paper.name, paper.claims));
    ledgers.collect::<Result<_, _>>().map_err(|error| error.to_string())
});

/// The ledgers of all papers and of exact solutions.
///
/// # Errors
/// A ledger that cannot be read.
pub fn ledgers() -> Result<&'static [Ledger], Failure> {
    LEDGERS.as_ref().map(Vec::as_slice).map_err(|error| Failure::Internal(error.clone()))
}

const CITATION: &str = include_str!("../../../CITATION.cff");

/// What this work wants to be cited as.
///
/// # Errors
/// A citation without one of its lines.
pub fn citation() -> Result<Citation, Failure> {
    Citation::parse(CITATION).map_err(|error| Failure::Internal(error.to_string()))
}

const PLACES: &str = include_str!("../../published/places.csv");

/// The sections of the papers.
///
/// # Errors
/// A list that cannot be read.
pub fn sections() -> Result<Vec<Place>, Failure> {
    read("places.csv", PLACES).map_err(|error| Failure::Internal(error.to_string()))
}

const PICTURES: &str = include_str!("../../published/figures.csv");

/// Every figure and table of the papers.
///
/// # Errors
/// A list that cannot be read.
pub fn pictures() -> Result<Vec<Picture>, Failure> {
    read("figures.csv", PICTURES).map_err(|error| Failure::Internal(error.to_string()))
}

fn values(paper: &Paper) -> Result<Vec<Value>, PublishedError> {
    read(paper.name, paper.values)
}

/// Name of the ledger of the thesis.
pub const BOXERMAN: &str = "boxerman-2003";
/// Name of the ledger of fast projection.
pub const GOLDENTHAL: &str = "goldenthal-2007";
/// Name of the ledger of impulse strips.
pub const BENDER: &str = "bender-2008";
/// Name of the ledger of generalized-alpha.
pub const PARKS: &str = "parks-2002";
/// Name of the ledger of the textbook.
pub const STUYCK: &str = "stuyck-2018";

/// A curve of a figure or table, as far as its paper gives it in numbers.
#[derive(Clone, Copy, Debug)]
pub struct Curve<'a> {
    /// Name of the paper's ledger.
    pub paper: &'a str,
    /// Number of the figure or table.
    pub figure: &'a str,
    /// Its name in the table of the paper.
    pub name: &'a str,
}

impl<'a> Curve<'a> {
    pub const fn new(paper: &'a str, figure: &'a str, name: &'a str) -> Curve<'a> {
        Curve { paper, figure, name }
    }

    /// What the paper gives of it, in the order of its table; nothing of a curve that it does not have, which a test refuses.
    pub fn values(self) -> Vec<Value> {
        let paper = PAPERS.iter().find(|paper| paper.name == self.paper);
        let mut values = paper.and_then(|paper| values(paper).ok()).unwrap_or_default();
        values.retain(|value| value.figure == self.figure && value.curve == self.name);
        values
    }

    /// Its first number, the middle of a range.
    pub fn number(self) -> Option<f64> {
        self.values().first().map(|value| value.y.middle())
    }

    /// Entry in the legend.
    pub fn label(self) -> String {
        let citation = citation_of(self.paper);
        let place = match self.figure {
            "" => self.values().first().map_or_else(String::new, |value| value.place.clone()),
            figure => name_of(figure),
        };
        format!("published ({citation}, {place})")
    }

    /// A mark at an x of the chart with the number, `scaled` to its units, where the paper gives no x that is one.
    pub fn mark(self, x: f64, scaled: impl Fn(f64) -> f64) -> Option<Layer> {
        let points = vec![[x, scaled(self.number()?)]];
        Some(Layer::points(self.label(), Palette::GREY, points).marker(Marker::OpenDiamond))
    }

    /// A band across the panel over a range, `scaled` to its units.
    pub fn band(self, axis: Direction, scaled: impl Fn(f64) -> f64) -> Option<Layer> {
        let range = self.values().first()?.y;
        Some(Layer::band(self.label(), Palette::GREY, axis, scaled(range.low), scaled(range.high)))
    }

    /// Exponential decays at the rate of each number that holds for one x, from a point to a later time: papers give rates, and no
    /// heights.
    pub fn decay(self, x: f64, [from, height]: [f64; 2], to: f64) -> Vec<Layer> {
        let values = self.values().into_iter().filter(|value| value.x.is_some_and(|at| at.low <= x && x <= at.high));
        let line = |value: Value| {
            let end = height * libm::exp(-value.y.middle() * (to - from));
            Layer::line(self.label(), Palette::GREY, vec![[from, height], [to, end]]).dash(Dash::Dotted)
        };
        values.map(line).collect()
    }

    /// A mark at each number that has one x, `scaled` to the units of a chart; its range, where it is one, as a bar.
    pub fn marks(self, scaled: impl Fn([f64; 2]) -> [f64; 2]) -> Vec<Layer> {
        let (mut points, mut bars) = (vec![], vec![]);
        for value in self.values() {
            let Some(x) = value.x else { continue };
            let [x, y] = scaled([x.middle(), value.y.middle()]);
            points.push([x, y]);
            if value.y.low < value.y.high {
                bars.push([x, y, scaled([x, value.y.low])[1], scaled([x, value.y.high])[1]]);
            }
        }
        let mut layers = vec![Layer::points(self.label(), Palette::GREY, points).marker(Marker::OpenDiamond)];
        if !bars.is_empty() {
            layers.push(Layer::error_bars(self.label(), Palette::GREY, bars));
        }
        layers
    }

    /// A line over the range of x that each number is given for, `scaled` to the units of a chart; two of them for a range.
    pub fn lines(self, scaled: impl Fn([f64; 2]) -> [f64; 2]) -> Vec<Layer> {
        let mut layers = vec![];
        for value in self.values() {
            let Some(x) = value.x else { continue };
            for y in ends(&value) {
                let line = vec![scaled([x.low, y]), scaled([x.high, y])];
                layers.push(Layer::line(self.label(), Palette::GREY, line).dash(Dash::Dashed));
            }
        }
        layers
    }

    /// A line across the panel at each number, `scaled` to the units of a chart; two of them for a range.
    pub fn rules(self, axis: Direction, scaled: impl Fn(f64) -> f64) -> Vec<Layer> {
        let at: Vec<f64> = self.values().iter().flat_map(ends).collect();
        at.into_iter().map(|at| Layer::rule(self.label(), Palette::GREY, axis, scaled(at))).collect()
    }

    /// A power law of the number as exponent through a point, from one x to another: papers give slopes, and no heights.
    pub fn power_law(self, [x, y]: [f64; 2], [from, to]: [f64; 2]) -> Vec<Layer> {
        let law = |exponent: f64, at: f64| [at, y * libm::pow(at / x, exponent)];
        let line = |exponent: f64| vec![law(exponent, from), law(exponent, to)];
        let exponents: Vec<f64> = self.values().iter().flat_map(ends).collect();
        exponents.into_iter().map(|k| Layer::line(self.label(), Palette::GREY, line(k)).dash(Dash::Dotted)).collect()
    }
}

/// The ends of a range, or the number alone.
fn ends(value: &Value) -> Vec<f64> {
    let (low, high) = (value.y.low, value.y.high);
    if low < high { vec![low, high] } else { vec![low] }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use lab::judge::claims::Kind;

    use super::*;

    #[test]
    fn every_number_has_a_place_in_its_paper() {
        let (places, pictures) = (sections().unwrap(), pictures().unwrap());
        for paper in &PAPERS {
            let values = values(paper).unwrap();
            assert!(values.len() > 5, "{}", paper.name);
            let is_figure = |figure: &str| pictures.iter().any(|known| known.paper == paper.name && known.figure == figure);
            for value in &values {
                let Value { figure, curve, place, .. } = value;
                let is_section = places.iter().any(|known| known.paper == paper.name && known.place == *place);
                let of_figure = place.strip_prefix("fig ").unwrap_or(place);
                // a caption may be that of two parts
                let is_caption = is_figure(of_figure) || is_figure(&format!("{of_figure}a"));
                assert!(is_section || is_caption, "{}: {place}", paper.name);
                assert!(figure.is_empty() || is_figure(figure), "{}: figure {figure}", paper.name);
                assert!(!curve.is_empty() && !value.y_unit.is_empty() && value.x.is_some() != value.x_unit.is_empty(), "{curve}");
            }
            let keys: BTreeSet<String> =
                values.iter().map(|value| format!("{} {} {:?}", value.figure, value.curve, value.x)).collect();
            assert_eq!(keys.len(), values.len(), "{}: a number stands twice", paper.name);
        }
    }

    #[test]
    fn the_ledger_of_exact_solutions_holds_criteria_and_all_others_published_claims() {
        let ledgers = ledgers().unwrap();
        let (criteria, published): (Vec<&Ledger>, Vec<&Ledger>) =
            ledgers.iter().partition(|ledger| ledger.kind == Kind::Criteria);
        assert_eq!(criteria.iter().map(|ledger| ledger.paper.as_str()).collect::<Vec<_>>(), ["Exact solutions"]);
        assert!(published.iter().all(|ledger| ledger.kind == Kind::Published) && published.len() == PAPERS.len() - 1);
        assert!(ledgers.iter().all(|ledger| !ledger.finding.is_empty()), "a line of the first screen for each");
    }

    #[test]
    fn curves_become_layers() {
        let law = Curve::new("boxerman-2003", "5.7", "exponent with CP");
        let [Layer::Line { label, points, .. }] = &law.power_law([100.0, 10.0], [25.0, 6400.0])[..] else { panic!("one line") };
        assert_eq!(label, "published (Boxerman 2003, fig. 5.7)");
        let slope = libm::log(points[1][1] / points[0][1]) / libm::log(points[1][0] / points[0][0]);
        assert!((slope - 0.436).abs() < 1e-12 && points[0][0] == 25.0 && points[1][0] == 6400.0);
        let band = Curve::new("boxerman-2003", "5.6", "ratio of A-Block and of CP to none");
        assert_eq!(band.lines(|point| point).len(), 2);
        let rates = Curve::new("parks-2002", "2", "decay rate of backward Euler");
        let [Layer::Points { points, .. }] = &rates.marks(|[x, y]| [1e3 * x, y])[..] else { panic!("points") };
        assert_eq!(points, &[[5.0, 0.069], [30.0, 0.358]]);
        let [Layer::Line { points, .. }] = &rates.decay(0.03, [30.0, 2.0], 40.0)[..] else { panic!("one line") };
        assert!((points[1][1] - 2.0 * libm::exp(-3.58)).abs() < 1e-12 && rates.decay(0.01, [30.0, 2.0], 40.0).is_empty());
        assert!(Curve::new("parks-2002", "2", "none").values().is_empty());
        let five = Curve::new(BENDER, "", "real time over time, at most five iterations");
        let Some(Layer::Points { label, points, .. }) = five.mark(50.0, |ratio| 2.0 * ratio) else { panic!("a mark") };
        assert_eq!((label.as_str(), &points[..]), ("published (Bender 2008, 4)", &[[50.0, 2.0]][..]));
    }
}
