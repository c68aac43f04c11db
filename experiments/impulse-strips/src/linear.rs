//! One part of growing length: numbers, operations, times.

use cloth::inextensible::{Division, Edge, ImpulseStrips, Step, StripSettings};
use kit::prelude::*;

use super::time_charts::marked;

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
        .places(&[("linear", 2), ("linear-times", 2)])
}
