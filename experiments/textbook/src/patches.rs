//! Square pieces of cloth of 1 m, cut into triangles at random.

use cloth::triangles::{Triangle, TriangleMesh, Vec2};
use kit::prelude::*;

/// Largest move of a point over the width of a cell \[-\]: no triangle turns over.
const MOVE: f64 = 0.3;

/// How a piece is cut.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch {
    /// Points a side.
    side: usize,
    /// Moves of the points along warp and weft over the largest one; those on the border move along it.
    moves: Vec<[f64; 2]>,
    /// Which diagonal each cell has.
    rising: Vec<bool>,
}

impl Patch {
    /// Any cut of a piece with so many points a side.
    pub fn draw(side: usize, stream: &mut ChaCha8Rng) -> Patch {
        let mut within = || {
            let (radius, angle) = (stream.random::<f64>().sqrt(), std::f64::consts::TAU * stream.random::<f64>());
            [radius * libm::cos(angle), radius * libm::sin(angle)]
        };
        Patch {
            side,
            moves: (0..side * side).map(|_| within()).collect(),
            rising: (0..(side - 1) * (side - 1)).map(|_| stream.random()).collect(),
        }
    }

    /// Points a side.
    pub fn side(&self) -> usize {
        self.side
    }

    /// The points \[m\].
    fn points(&self) -> Vec<Vec2> {
        let (n, h) = (self.side, 1.0 / (self.side - 1) as f64);
        let free = |q: usize| if q == 0 || q == n - 1 { 0.0 } else { MOVE * h };
        let at = |(k, [a, b]): (usize, &[f64; 2])| {
            let (i, j) = (k % n, k / n);
            Vec2::new(i as f64 * h + free(i) * a, j as f64 * h + free(j) * b)
        };
        self.moves.iter().enumerate().map(at).collect()
    }

    /// The piece in the plane z = 0.
    ///
    /// # Errors
    /// None: a corner is 0.7 of a cell from the side opposite to it, and both ends of that move by less than half of this.
    pub fn mesh(&self) -> Result<TriangleMesh, ModelError> {
        let (n, points) = (self.side, self.points());
        let cut = |(cell, rising): (usize, &bool)| {
            let a = cell / (n - 1) * n + cell % (n - 1);
            let [b, c, d] = [a + 1, a + 1 + n, a + n];
            if *rising { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
        };
        let corners = self.rising.iter().enumerate().flat_map(cut);
        let triangles = corners.map(|corners| Triangle { corners, material: corners.map(|k| points[k]) }).collect();
        let positions = points.iter().map(|x| Vec3::new(x.x, x.y, 0.0)).collect();
        TriangleMesh::new(positions, triangles).map_err(ModelError::Mesh)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_cover_the_square_and_differ() {
        let mut stream = lab::measure::streams::stream("textbook", "patches", 1, 0);
        let meshes: Vec<TriangleMesh> = (0..200).map(|_| Patch::draw(5, &mut stream).mesh().unwrap()).collect();
        for mesh in &meshes {
            assert_eq!((mesh.particle_count(), mesh.triangles().len()), (25, 32));
            assert!(mesh.triangles().iter().all(|triangle| triangle.area() > 0.1 / 32.0), "none is turned over, or nearly flat");
            assert!((mesh.triangles().iter().map(Triangle::area).sum::<f64>() - 1.0).abs() < 1e-14);
            assert!(mesh.positions()[24] == Vec3::new(1.0, 1.0, 0.0) && mesh.positions()[3].y == 0.0);
        }
        assert!(meshes[0].edges() != meshes[1].edges() && meshes[0].positions()[12] != meshes[1].positions()[12]);
    }
}
