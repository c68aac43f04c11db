//! One part of growing length: numbers, operations, times.

use cloth::Vec3;
use cloth::inextensible::{
    ConstraintMethod, Directions, Division, Edge, EdgeConstraints, ImpulseStrips, Limits, Schedule, Step, StripSettings,
};
use lab::prelude::*;

use crate::ranges::{Count, List, Whole};

/// Lengths, and how often each is solved.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LinearRanges {
    /// Edges of the part.
    pub edges: List<Whole<2, 10_000>>,
    /// Edges that are projected in all, the part being projected so many times.
    pub projected: Count,
    /// Measurements of each.
    pub repeats: Count,
}

/// How a part is solved.
pub const KINDS: [&str; 2] = ["tridiagonal", "tree"];

row! {
    /// A part.
    #[derive(Clone, Debug, PartialEq)]
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
