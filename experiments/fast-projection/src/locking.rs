//! What inextensible edges leave free: quads against triangles, by counting and by the rank of the gradient.

use cloth::inextensible::{Edge, rank_of_gradient};
use kit::prelude::*;

ranges!(LockingRanges {
    //! Sheets.
    /// Particles a side; the rank is by a dense decomposition.
    sides: List<Whole<2, 30>>,
    /// Singular values at or below this share of the largest count as zero.
    tolerance: Positive,
});

row! {
    /// A mesh in a shape.
    pub struct LockingRow {
        /// quads: edges of warp and weft; triangles: and one diagonal of each quad
        pub mesh: String,
        /// flat, or bent to a doubly curved surface
        pub shape: String,
        /// particles a side
        pub side: usize,
        /// particles, none held
        pub particles: usize,
        /// three for each particle
        pub coordinates: usize,
        /// inextensible edges, at the lengths that they have in this shape
        pub edges: usize,
        /// rank of grad C
        pub rank: usize,
        /// degrees of freedom left besides the six of rigid motions: coordinates less rank less six
        pub free: usize,
        /// particles whose motion along z changes no length to first order
        pub normal: usize,
    }
}

/// All meshes and shapes of a side.
pub struct Locking(pub LockingRanges);

const MESHES: [&str; 2] = ["quads", "triangles"];
const SHAPES: [&str; 2] = ["flat", "bent"];

/// A doubly curved surface of 1 m without symmetries.
fn bent(x: &Vec3) -> Vec3 {
    let (u, v) = (x.x, x.y);
    Vec3::new(u, v, 0.4 * u * u + 0.3 * v * v + 0.1 * u * v + 0.05 * u * u * v)
}

impl Locking {
    fn row(&self, mesh: &str, shape: &str, side: usize) -> Option<LockingRow> {
        let grid = Grid::new(side, side, 1.0 / (side - 1) as f64).ok()?;
        let flat = grid.flat();
        let x: Vec<Vec3> = if shape == "bent" { flat.iter().map(bent).collect() } else { flat };
        let mut pairs: Vec<(usize, usize)> = EdgeConstraints::edges_of_grid(&grid).iter().map(|edge| (edge.i, edge.j)).collect();
        if mesh == "triangles" {
            let corners = (0..side * (side - 1)).filter(|k| (k + 1) % side > 0);
            pairs.extend(corners.map(|k| (k, k + side + 1)));
        }
        let edges: Vec<Edge> = pairs.iter().map(|&(i, j)| Edge { i, j, rest: (x[j] - x[i]).norm() }).collect();
        let particles = side * side;
        let constraints = EdgeConstraints::new(&edges, &vec![1.0; particles], &vec![false; particles]).ok()?;
        let rank = rank_of_gradient(&constraints, &x, self.0.tolerance.get());
        let mut normal = vec![true; particles];
        for edge in constraints.edges() {
            let flat = edge.gradient(&x).z.abs() <= self.0.tolerance.get();
            normal[edge.i] &= flat;
            normal[edge.j] &= flat;
        }
        Some(LockingRow {
            mesh: mesh.into(),
            shape: shape.into(),
            side,
            particles,
            coordinates: 3 * particles,
            edges: constraints.edges().len(),
            rank,
            free: (3 * particles).saturating_sub(rank + 6),
            normal: normal.iter().filter(|normal| **normal).count(),
        })
    }
}

impl Group for Locking {
    const NAME: &'static str = "locking";
    const ABOUT: &'static str = "degrees of freedom that inextensible edges of quads and of triangles leave";
    type Case = usize;
    type Row = LockingRow;

    fn listed(&self) -> Vec<Self::Case> {
        self.0.sides.values().iter().map(|value| value.get() as usize).collect()
    }

    fn kin(&self, side: &usize) -> u64 {
        *side as u64
    }

    fn measure(&self, side: &usize) -> Vec<LockingRow> {
        let all = MESHES.iter().flat_map(|mesh| SHAPES.iter().map(move |shape| (mesh, shape)));
        all.filter_map(|(mesh, shape)| self.row(mesh, shape, *side)).collect()
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Locking(ranges.locking.clone()))
}
