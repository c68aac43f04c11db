//! Meshes of a square of 1 m.

use cloth::triangles::{InvalidMesh, Triangle, TriangleMesh, Vec2};
use kit::prelude::*;
use spade::{DelaunayTriangulation, Point2, Triangulation};

words! {
    /// How a square is cut into faces.
    pub enum Faces {
        /// Squares, row by row.
        Grid = "grid",
        /// Triangles between points that lie anywhere \[Delaunay 1934\].
        Triangles = "triangles",
    }
}

/// Side of a sheet \[m\].
pub const LENGTH: f64 = 1.0;
/// How far every other row of points inside lies beside the rows next to it, so that triangles have sides of about one length, and
/// how far points may lie beside their places, along x and y \[h\].
const STAGGER: f64 = 0.5;
const JITTER: f64 = 0.25;

impl Faces {
    /// The mesh of a square with `side` points a side; those inside are drawn for triangles.
    ///
    /// # Errors
    /// A side that is none.
    pub fn mesh(self, side: usize, stream: &mut ChaCha8Rng) -> Result<TriangleMesh, ModelError> {
        let grid = Grid::new(side, side, LENGTH / (side - 1) as f64)?;
        match self {
            Faces::Grid => TriangleMesh::of_grid(&grid),
            Faces::Triangles => between(&scattered(&grid, stream)).map_err(ModelError::Mesh),
        }
    }
}

/// Points of a grid, those inside moved.
fn scattered(grid: &Grid, stream: &mut ChaCha8Rng) -> Vec<Vec2> {
    let (side, h) = (grid.nx(), grid.spacing());
    let last = side - 1;
    let point = |k: usize| {
        let at = [k % side, k / side].map(|q| q as f64 / last as f64 * LENGTH); // ends exactly at the side
        let is_inside = [k % side, k / side].iter().all(|q| (1..last).contains(q));
        let beside = if (k / side).is_multiple_of(2) { -0.5 * STAGGER } else { 0.5 * STAGGER };
        let moved = [beside, 0.0].map(|beside| h * (beside + JITTER * stream.random_range(-1.0..1.0)));
        let moved = if is_inside { moved } else { [0.0; 2] };
        Vec2::new(at[0] + moved[0], at[1] + moved[1])
    };
    (0..side * side).map(point).collect()
}

/// The Delaunay mesh between points.
fn between(points: &[Vec2]) -> Result<TriangleMesh, InvalidMesh> {
    let delaunay =
        DelaunayTriangulation::<Point2<f64>>::bulk_load_stable(points.iter().map(|at| Point2::new(at.x, at.y)).collect());
    let delaunay = delaunay.map_err(|_| InvalidMesh::Empty)?; // never: finite numbers
    let mut corners: Vec<[usize; 3]> = delaunay.inner_faces().map(|face| face.vertices().map(|corner| corner.index())).collect();
    corners.sort_unstable();
    let triangle = |corners: [usize; 3]| Triangle { corners, material: corners.map(|corner| points[corner]) };
    let positions = points.iter().map(|at| Vec3::new(at.x, at.y, 0.0)).collect();
    TriangleMesh::new(positions, corners.into_iter().map(triangle).collect())
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn triangles_cover_the_square_and_are_those_of_their_stream() {
        let mesh = |seed: u64| Faces::Triangles.mesh(9, &mut ChaCha8Rng::seed_from_u64(seed)).unwrap();
        let area: f64 = mesh(1).triangles().iter().map(Triangle::area).sum();
        assert!((area - LENGTH * LENGTH).abs() < 1e-12);
        assert_eq!((mesh(1).particle_count(), mesh(1).triangles().len(), mesh(1).pieces()), (81, 2 * 64, 1));
        assert!(mesh(1) == mesh(1) && mesh(1) != mesh(2));
        assert_eq!(
            mesh(1).borders(),
            (0..81).filter(|k| [0, 8].contains(&(k % 9)) || [0, 8].contains(&(k / 9))).collect::<Vec<_>>()
        );
    }

    #[test]
    fn no_point_lies_within_the_circle_of_a_triangle() {
        let mesh = Faces::Triangles.mesh(6, &mut ChaCha8Rng::seed_from_u64(3)).unwrap();
        for Triangle { corners, material: [a, b, c] } in mesh.triangles() {
            for (k, x) in mesh.positions().iter().enumerate().filter(|(k, _)| !corners.contains(k)) {
                let [a, b, c] = [a, b, c].map(|corner| corner - Vec2::new(x.x, x.y));
                let inside = a.norm_squared() * b.perp(&c) + b.norm_squared() * c.perp(&a) + c.norm_squared() * a.perp(&b);
                assert!(inside * (b - a).perp(&(c - a)) <= 1e-12, "{k} in {corners:?}");
            }
        }
    }
}
