//! One part of growing length: numbers, operations, times.

use cloth::inextensible::{Division, Edge, ImpulseStrips, Step, StripSettings};
use kit::prelude::*;

use super::scene::RunRow;
use super::time_charts::marked;
use super::time_verdicts::{is_few, reading};
use super::verdicts::{steps_where, usual, word};

ranges!(LinearRanges {
    //! Lengths, and how often each is solved.
    /// Edges of the part.
    edges: List<Whole<2, 10_000>>,
    /// Edges that are projected in all, the part being projected so many times.
    projected: Count,
    /// Measurements of each.
    repeats: Count,
});

/// How a part is solved.
pub const KINDS: [&str; 2] = ["tridiagonal", "tree"];

row! {
    /// A part.
    pub struct PartRow {
        /// tridiagonal, or as a tree by algorithms 1 and 2
        pub kind: String,
        /// n, edges of the part
        pub edges: usize,
        /// numbers of its factor
        pub entries: u64,
        /// floating-point operations of a factorisation, nominal
        pub factor: u64,
        /// the same of a solve
        pub solve: u64,
        /// how often it is projected, by one factorisation and one solve
        pub projections: u64,
        /// largest abs(strain) after a projection, of 1 % before
        pub after: f64,
    }
}

/// Parts by both solvers.
#[derive(Clone)]
pub struct Linear(pub LinearRanges);

impl Group for Linear {
    const NAME: &'static str = "linear";
    const ABOUT: &'static str = "one free strip of growing length by both solvers: their times stand in timings.csv";
    const SAMPLED: bool = false;
    type Case = (usize, usize);
    type Row = PartRow;

    fn sets(&self) -> u64 {
        (KINDS.len() * self.0.edges.values().len()) as u64
    }

    fn repeats(&self) -> u32 {
        self.0.repeats.get()
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> Self::Case {
        let set = set as usize;
        (set % KINDS.len(), self.0.edges.values()[set / KINDS.len()].get() as usize)
    }

    fn measure(&self, &(kind, edges): &Self::Case) -> Vec<PartRow> {
        vec![measure(kind, edges, u64::from(self.0.projected.get()))]
    }
}

/// A wavy strip, 1 % too long.
fn measure(kind: usize, count: usize, projected: u64) -> PartRow {
    let at = |k: usize| 1.01 * Vec3::new(0.8 * k as f64, 0.6 * (k % 2) as f64, 0.0);
    let candidate: Vec<Vec3> = (0..=count).map(at).collect();
    let edges: Vec<Edge> = (0..count).map(|i| Edge { i, j: i + 1, rest: 1.0 }).collect();
    let (masses, held) = (vec![1.0; count + 1], vec![false; count + 1]);
    let constraints = EdgeConstraints::new(&edges, &masses, &held).expect("edges of a strip are valid");
    let division = if KINDS[kind] == "tree" { Division::Forests } else { Division::Strips { nx: count + 1 } };
    let settings = StripSettings { division, directions: Directions::Preview, velocities: None, schedule: Schedule::Serial };
    let limits = Limits::new(Limits::SMALLEST_STRAIN, 1).expect("the smallest strain is in range");
    let mut method = ImpulseStrips::new(constraints, limits, settings);
    let projections = projected.div_ceil(count as u64);
    let mut x = candidate.clone();
    let mut after = 0.0;
    for _ in 0..projections {
        x.copy_from_slice(&candidate);
        after = method.project(&Step { dt: 1.0, start: &candidate, candidate: &candidate }, &mut x).after;
    }
    let sum = |of: fn(&cloth::inextensible::PartWork) -> u64| method.parts().map(|part| of(&part)).sum();
    PartRow {
        kind: KINDS[kind].into(),
        edges: count,
        entries: sum(|part| part.entries),
        factor: sum(|part| part.factor),
        solve: sum(|part| part.solve),
        projections,
        after,
    }
}

/// Seconds of a projection of a part, one a repeat, by its kind: edges and times.
fn part_seconds(results: &Results, kind: &str) -> Result<Vec<(f64, Vec<f64>)>, ResultsError> {
    let times = results.times("linear")?;
    let of = |row: Row<PartRow>| {
        let seconds = times.iter().filter(|time| time.set == row.set);
        (row.row.edges as f64, seconds.map(|time| time.seconds / row.row.projections as f64).collect())
    };
    let rows = results.rows::<Linear>()?.into_iter().filter(|row| row.row.kind == kind);
    Ok(rows.map(of).collect())
}

/// What is counted of a part.
pub type Counted = fn(&PartRow) -> u64;
/// Operations or numbers of parts, by their kind.
pub fn part_counts(results: &Results, kind: &str, count: Counted) -> Result<Vec<[f64; 2]>, ResultsError> {
    let parts = results.without_sets::<Linear>()?.into_iter().filter(|row| row.kind == kind);
    Ok(parts.map(|row| [row.edges as f64, count(&row) as f64]).collect())
}

/// Fewest edges of the parts whose times are fitted: what a call costs whatever the part weighs on shorter ones.
const LONG: f64 = 100.0;
/// The exponents of times, a power law a repeat, over parts of at least `least` edges.
fn exponents(parts: &[(f64, Vec<f64>)], least: f64) -> Vec<f64> {
    let long: Vec<&(f64, Vec<f64>)> = parts.iter().filter(|(edges, _)| *edges >= least).collect();
    let repeats = long.iter().map(|(_, seconds)| seconds.len()).min().unwrap_or(0);
    let law = |k: usize| power_law("repeat", &long.iter().map(|(edges, seconds)| [*edges, seconds[k]]).collect::<Vec<_>>());
    (0..repeats).filter_map(law).map(|law| law.exponent).collect()
}

/// D-LINEAR.
pub fn linear(results: &Results) -> Result<Finding, ResultsError> {
    let (mut readings, mut counts_hold, mut times_hold) = (vec![], Answer::Yes, Answer::Yes);
    let mut first = None;
    for kind in KINDS {
        let counts: [(&str, Counted); 2] = [("operations", |row| row.factor + row.solve), ("numbers", |row| row.entries)];
        for (name, count) in counts {
            let points = part_counts(results, kind, count)?;
            let law = power_law(name, &points);
            counts_hold = counts_hold
                .and(law.map_or(Answer::Open, |law| Estimate::exact(law.exponent, points.len()).lies_within(0.95, 1.05)));
            readings.push(reading(format!("{kind}, {name}"), exponent(law.map(|law| law.exponent))));
        }
        let parts = part_seconds(results, kind)?;
        let time = Estimate::median(&exponents(&parts, LONG));
        let holds = time.map_or(Answer::Open, |time| time.lies_within(0.9, 1.1));
        times_hold = times_hold.and(holds);
        let words = time.map_or_else(|| "-".into(), |time| format!("n to the power {}", time));
        readings.push(Reading::new(format!("{kind}, time"), words, verdict(holds, Answer::No)));
        let all = Estimate::median(&exponents(&parts, 0.0));
        let holds = all.map_or(Answer::Open, |time| time.lies_within(0.9, 1.1));
        let words = all.map_or_else(|| "-".into(), |time| format!("n to the power {}", time));
        readings.push(Reading::new(format!("{kind}, time, short parts too"), words, verdict(holds, Answer::No)));
        first = first.or(time);
    }
    let full = |row: &RunRow| usual(row) && !is_few(row) && row.is_within();
    let whole: Vec<[f64; 2]> = steps_where(results, full)?
        .iter()
        .map(|row| [(2 * row.side * (row.side - 1)) as f64, row.operations / row.iterations])
        .filter(|point| point[1].is_finite())
        .collect();
    let whole = power_law("sheets", &whole).map(|law: PowerLaw| law.exponent);
    readings.push(reading("an iteration over a whole sheet, operations by its edges", exponent(whole)));
    let time = first.ok_or_else(|| too_few("fewer than two parts were timed"))?;
    let measured = format!("time of a strip grows as n to the power {}", word(Some(time.value)));
    let reason = "operations and numbers are exact; times are of this machine, an exponent a repeat, with the interval of their order \
                  statistics. A solver whose operations grow faster than n would overturn it";
    Ok(Finding::new(verdict(counts_hold.and(times_hold), counts_hold), measured, reason)
        .rests_on(&time)
        .form(Form::Number)
        .readings(readings))
}

/// An exponent in words.
fn exponent(exponent: Option<f64>) -> String {
    exponent.map_or_else(|| "-".into(), |exponent| format!("n to the power {}", word(Some(exponent))))
}

/// Operations and numbers of one part.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let order = Curve::new(BENDER, "", "exponent of time and space of an acyclic part against n");
    let panel = |label: &str, count: Counted| -> Result<Panel, ResultsError> {
        let mut layers = vec![];
        for (k, kind) in KINDS.iter().enumerate() {
            let points = part_counts(results, kind, count)?;
            if let ([first, .., last], 0) = (&points[..], k) {
                let lines = order.power_law(*first, [first[0], last[0]]);
                layers.extend(lines.into_iter().map(|line| line.labelled(format!("{}: O(n), height ours", order.label()))));
            }
            layers.extend(marked(*kind, Palette::series(k), points));
        }
        Ok(Panel::new(Axis::log("n, edges of the part").whole_numbers(), Axis::log(label), layers).legend_outside())
    };
    let caption = "A free strip, by its tridiagonal matrix and as a tree by algorithms 1 and 2; the published O(n) through the shortest strip.";
    let panels = vec![
        panel("operations of a factorisation and a solve", |row| row.factor + row.solve)?,
        panel("numbers of the factor", |row| row.entries)?,
    ];
    Ok(Figure::new("linear", "Work and space of one acyclic part", caption, panels))
}

/// Times of one part.
pub fn linear_times(results: &Results) -> Result<Figure, ResultsError> {
    let mut layers = vec![];
    for (k, kind) in KINDS.iter().enumerate() {
        let parts = part_seconds(results, kind)?;
        let bars = parts.iter().filter_map(|(edges, seconds)| bar_of_repeats(*edges, seconds)).collect();
        layers.extend(Layer::line_with_bars(*kind, Palette::series(k), bars));
    }
    let panel =
        Panel::new(Axis::log("n, edges of the part").whole_numbers(), Axis::log("seconds a projection"), layers).legend_outside();
    let caption = "One factorisation and one solve of a free strip with all that a projection does besides; medians of the repeats, with the fastest and the slowest.";
    Ok(Figure { of_times: true, ..Figure::new("linear-times", "Time of one acyclic part", caption, vec![panel]) })
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Linear(ranges.linear.clone()))
        .plot("linear", chart)
        .plot("linear-times", linear_times)
        .judge_of_times("D-LINEAR", linear)
        .places(&[("linear", 2), ("linear-times", 2), ("D-LINEAR", -4)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_parts_do_not_bend_the_exponent_of_long_ones() {
        let time = |edges: f64| (edges, vec![1e-6 + 1e-8 * edges, 2e-6 + 1e-8 * edges]);
        let parts: Vec<(f64, Vec<f64>)> = [10.0, 30.0, 1000.0, 10_000.0, 100_000.0].map(time).into();
        let (long, all) = (exponents(&parts, 1000.0), exponents(&parts, 0.0));
        assert!(long.len() == 2 && long.iter().all(|e| (e - 1.0).abs() < 0.05), "{long:?}");
        assert!(all.iter().all(|e| *e < 0.9), "{all:?}");
    }
}
