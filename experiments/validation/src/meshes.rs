//! Strips along x as triangles, between straight borders.

use cloth::triangles::{InvalidMesh, Triangle, TriangleMesh, Vec2};
use kit::prelude::*;
use rand::SeedableRng;
use spade::{DelaunayTriangulation, Point2, Triangulation};

words! {
    /// How a strip is cut.
    pub enum Cut {
        /// Squares of springs, not cut at all.
        Squares = "squares",
        Left = "diagonals to the left",
        Right = "diagonals to the right",
        Alternating = "diagonals that alternate",
        /// Equilateral triangles that are turned by 15 degrees.
        Equilateral = "equilateral, turned",
        /// Squares along either diagonal, turned by 30 degrees.
        Turned = "squares, turned",
        /// Triangles of any shape: equilateral ones whose corners are moved at random.
        Scattered = "scattered",
    }
}

/// How far corners are moved at random along either axis \[h\], and what that is drawn from.
const MOVED: f64 = 0.25;
const SEED: u64 = 1;

/// Columns of particles that a strip has at least, `h` apart, the first at x = 0, and rows, `across` of them a width apart.
#[derive(Clone, Copy)]
pub struct Lattice {
    pub columns: usize,
    pub rows: usize,
    /// Between columns \[m\].
    pub h: f64,
    /// Between rows \[m\].
    pub across: f64,
}

impl Lattice {
    /// The mesh. Where its lattice is turned the first two columns, which are held, the last one and the outermost rows stay, and
    /// particles of one more lattice of spacing h lie between them.
    ///
    /// # Errors
    /// Triangles without area.
    pub fn cut(&self, cut: Cut) -> Result<TriangleMesh, InvalidMesh> {
        match cut {
            Cut::Equilateral => self.between_borders(15.0, [0.5, libm::sqrt(0.75)], 0.0),
            Cut::Turned => self.between_borders(30.0, [0.0, 1.0], 0.0),
            Cut::Scattered => self.between_borders(0.0, [0.5, libm::sqrt(0.75)], MOVED),
            Cut::Squares | Cut::Left | Cut::Right | Cut::Alternating => self.by_cells(cut),
        }
    }

    fn by_cells(&self, cut: Cut) -> Result<TriangleMesh, InvalidMesh> {
        let Lattice { columns, rows, h, across } = *self;
        let points: Vec<Vec2> =
            (0..rows).flat_map(|j| (0..columns).map(move |i| Vec2::new(i as f64 * h, j as f64 * across))).collect();
        let cell = |(i, j): (usize, usize)| {
            let a = j * columns + i;
            let [b, c, d] = [a + 1, a + 1 + columns, a + columns];
            let to_right = match cut {
                Cut::Left => false,
                Cut::Alternating => (i + j).is_multiple_of(2),
                _ => true,
            };
            if to_right { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
        };
        let cells = (0..rows - 1).flat_map(|j| (0..columns - 1).map(move |i| (i, j)));
        mesh(&points, cells.flat_map(cell))
    }

    /// A lattice of spacing h, turned by an angle \[degrees\], whose rows are shifted by the first of `row` and apart by the second
    /// \[h\], and whose points are `moved` by up to so much along either axis \[h\].
    fn between_borders(&self, degrees: f64, row: [f64; 2], moved: f64) -> Result<TriangleMesh, InvalidMesh> {
        let Lattice { columns, rows, h, across } = *self;
        let (length, width) = ((columns - 1) as f64 * h, (rows - 1) as f64 * across);
        let column = |i: usize| (0..rows).map(move |j| Vec2::new(i as f64 * h, j as f64 * across));
        let mut points: Vec<Vec2> = [0, 1, columns - 1].into_iter().flat_map(column).collect();
        points.extend((2..columns - 1).flat_map(|i| [0.0, width].map(|y| Vec2::new(i as f64 * h, y))));
        let (sine, cosine) = libm::sincos(degrees.to_radians());
        let reach = libm::ceil((length + width) / h) as i64 * 2;
        let lattice = (-reach..=reach).flat_map(|j| (-reach..=reach).map(move |i| (i, j)));
        let mut stream = ChaCha8Rng::seed_from_u64(SEED);
        let turned = lattice.map(|(i, j)| {
            let [by_u, by_v] = [0, 1].map(|_| moved * stream.random_range(-1.0..=1.0));
            let [u, v] = [h * (i as f64 + row[0] * j as f64 + by_u), h * (row[1] * j as f64 + by_v)];
            Vec2::new(cosine * u - sine * v, sine * u + cosine * v)
        });
        let margin = 0.5 * h;
        points.extend(turned.filter(|at| at.x > h + margin && at.x < length - margin && at.y > margin && at.y < width - margin));
        let delaunay =
            DelaunayTriangulation::<Point2<f64>>::bulk_load_stable(points.iter().map(|at| Point2::new(at.x, at.y)).collect());
        let delaunay = delaunay.map_err(|_| InvalidMesh::Empty)?; // never: finite numbers
        let mut corners: Vec<[usize; 3]> =
            delaunay.inner_faces().map(|face| face.vertices().map(|corner| corner.index())).collect();
        corners.sort_unstable();
        mesh(&points, corners)
    }
}

/// A mesh whose warp is `angle` away from x \[rad\].
///
/// # Errors
/// None that the mesh did not have.
pub fn woven(mesh: &TriangleMesh, angle: f64) -> Result<TriangleMesh, InvalidMesh> {
    let (sine, cosine) = libm::sincos(angle);
    let of = |x: Vec2| Vec2::new(cosine * x.x + sine * x.y, cosine * x.y - sine * x.x);
    let triangle = |triangle: &Triangle| Triangle { material: triangle.material.map(of), ..*triangle };
    TriangleMesh::new(mesh.positions().to_vec(), mesh.triangles().iter().map(triangle).collect())
}

fn mesh(points: &[Vec2], corners: impl IntoIterator<Item = [usize; 3]>) -> Result<TriangleMesh, InvalidMesh> {
    let triangle = |corners: [usize; 3]| Triangle { corners, material: corners.map(|corner| points[corner]) };
    let positions = points.iter().map(|at| Vec3::new(at.x, at.y, 0.0)).collect();
    TriangleMesh::new(positions, corners.into_iter().map(triangle).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cut_covers_the_strip() {
        let lattice = Lattice { columns: 12, rows: 4, h: 0.1, across: 0.1 };
        for cut in Cut::ALL {
            let mesh = lattice.cut(cut).unwrap();
            let area: f64 = mesh.triangles().iter().map(Triangle::area).sum();
            assert!((area - 1.1 * 0.3).abs() < 1e-12 && mesh.pieces() == 1, "{cut}: {area}");
        }
        let [left, right] = [Cut::Left, Cut::Right].map(|cut| lattice.cut(cut).unwrap());
        assert!(left.edges().contains(&[1, 12]) && right.edges().contains(&[0, 13]));
    }
}
