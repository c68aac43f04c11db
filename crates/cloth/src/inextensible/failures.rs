use super::{Edge, EdgeConstraints};
use crate::Vec3;

/// The configurations in which constraint directions at the start of a step fail \[Goldenthal 2007, fig. 2, after Barth et al.
/// 1994\]: edges of 1 m in a plane, equal masses of 1 kg.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FailureCase {
    /// An edge whose free end leaves so far aside that nothing along its old direction makes it short again: no real root, though
    /// the matrix of Newton's method is regular.
    NoRoot,
    /// An edge that turns by a right angle.
    RightAngle,
    /// Two edges of three free particles, to where the determinant is zero; with the first one held it is not.
    ThreeFree,
    /// A corner between two anchors, to where its edges are one line: dependent constraints at the end of the step.
    LineAtTheEnd,
    /// The other way round: dependent constraints at the start.
    LineAtTheStart,
}

impl FailureCase {
    /// Every one that is known.
    pub const ALL: [FailureCase; 5] = [
        FailureCase::NoRoot,
        FailureCase::RightAngle,
        FailureCase::ThreeFree,
        FailureCase::LineAtTheEnd,
        FailureCase::LineAtTheStart,
    ];

    /// Its name in the paper, with what sets two of the same name apart.
    pub fn name(self) -> &'static str {
        match self {
            FailureCase::NoRoot => "Q1",
            FailureCase::RightAngle => "Q2",
            FailureCase::ThreeFree => "Q2, three free",
            FailureCase::LineAtTheEnd => "Q3",
            FailureCase::LineAtTheStart => "Q4",
        }
    }

    /// Positions at the start of the step and where it leads without constraints \[m\].
    pub fn step(self) -> [Vec<Vec3>; 2] {
        let points = |points: &[[f64; 2]]| points.iter().map(|[x, y]| Vec3::new(*x, *y, 0.0)).collect();
        let anchored = |y: f64| points(&[[-0.8, 0.0], [0.0, y], [0.8, 0.0]]);
        match self {
            FailureCase::NoRoot => [points(&[[0.0, 0.0], [1.0, 0.0]]), points(&[[0.0, 0.0], [0.2, 1.5]])],
            FailureCase::RightAngle => [points(&[[0.0, 0.0], [1.0, 0.0]]), points(&[[0.0, 0.0], [0.0, 0.8]])],
            FailureCase::ThreeFree => {
                [points(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]), points(&[[0.0, 0.0], [0.5, 1.0], [1.5, 1.5]])]
            }
            FailureCase::LineAtTheEnd => [anchored(0.6), anchored(0.0)],
            FailureCase::LineAtTheStart => [anchored(0.0), anchored(0.3)],
        }
    }

    /// Where this fraction of the step leads \[m\].
    pub fn candidate(self, fraction: f64) -> Vec<Vec3> {
        let [start, end] = self.step();
        start.iter().zip(end).map(|(start, end)| start + fraction * (end - start)).collect()
    }

    /// Its edges; `held` are the particles that cannot move, by default the first of an edge and both anchors.
    pub fn constraints(self, held: Option<&[usize]>) -> EdgeConstraints {
        let held = held.unwrap_or(match self {
            FailureCase::NoRoot | FailureCase::RightAngle => &[0],
            FailureCase::ThreeFree => &[],
            FailureCase::LineAtTheEnd | FailureCase::LineAtTheStart => &[0, 2],
        });
        let particles = self.step()[0].len();
        let edges: Vec<Edge> = (1..particles).map(|j| Edge { i: j - 1, j, rest: 1.0 }).collect();
        let pinned: Vec<bool> = (0..particles).map(|particle| held.contains(&particle)).collect();
        EdgeConstraints::new(&edges, &vec![1.0; particles], &pinned).expect("edges of a chain")
    }
}
