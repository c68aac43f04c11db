use super::InvalidMesh;
use crate::Vec3;
use crate::sets::Sets;

/// A vector in the plane of the cloth: along the warp, along the weft \[m\].
pub type Vec2 = nalgebra::Vector2<f64>;

/// A triangle of cloth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    /// Its corners, counter-clockwise seen from its front.
    pub corners: [usize; 3],
    /// Where its corners are in the cloth as it was cut \[m\].
    pub material: [Vec2; 3],
}

impl Triangle {
    /// Area of the cloth as it was cut \[m²\].
    pub fn area(&self) -> f64 {
        let [a, b, c] = self.material;
        0.5 * (b - a).perp(&(c - a)).abs()
    }
}

/// An edge between two triangles, about which the cloth bends.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Hinge {
    /// The edge, in the direction in which it runs round its first triangle.
    pub edge: [usize; 2],
    /// The third corner of the first triangle and that of the second one.
    pub wings: [usize; 2],
    /// The first triangle and the second one, ascending.
    pub triangles: [usize; 2],
}

/// Particles joined by triangles: a surface with or without borders, in one piece or several. Triangles may be fans over faces of
/// more corners, see [`TriangleMesh::with_faces`].
#[derive(Clone, Debug, PartialEq)]
pub struct TriangleMesh {
    positions: Vec<Vec3>,
    triangles: Vec<Triangle>,
    edges: Vec<[usize; 2]>,
    hinges: Vec<Hinge>,
    /// Triangles of each face, one behind the other.
    pub(super) fans: Vec<usize>,
}

/// Least height of a triangle over its longest edge \[-\].
const LEAST_HEIGHT: f64 = 1e-8;

impl TriangleMesh {
    /// Most particles of a mesh.
    pub const LIMIT: usize = 10_000_000;

    /// The mesh of `triangles` between particles at `positions` \[m\]. Whether the material coordinates of a triangle run with its
    /// corners or against them does not matter.
    ///
    /// # Errors
    /// No triangle, more than [`TriangleMesh::LIMIT`] particles, numbers that are not finite, a triangle without three particles
    /// of the mesh or without area in the material, an edge of more than two triangles, two triangles that run round their edge in
    /// the same direction or have the same corners, a particle without a triangle.
    pub fn new(positions: Vec<Vec3>, triangles: Vec<Triangle>) -> Result<TriangleMesh, InvalidMesh> {
        let particles = positions.len();
        if particles > TriangleMesh::LIMIT {
            return Err(InvalidMesh::TooManyParticles { particles, limit: TriangleMesh::LIMIT });
        }
        if triangles.is_empty() {
            return Err(InvalidMesh::Empty);
        }
        if let Some(particle) = positions.iter().position(|x| !x.iter().all(|q| q.is_finite())) {
            return Err(InvalidMesh::Position { particle });
        }
        let mut joined = vec![false; particles];
        for (triangle, whole) in triangles.iter().enumerate() {
            check(triangle, whole, particles)?;
            whole.corners.iter().for_each(|&corner| joined[corner] = true);
        }
        if let Some(particle) = joined.iter().position(|joined| !joined) {
            return Err(InvalidMesh::Loose { particle });
        }
        let (edges, hinges) = edges_and_hinges(&triangles)?;
        let fans = vec![1; triangles.len()];
        Ok(TriangleMesh { positions, triangles, edges, hinges, fans })
    }

    /// This mesh with a copy of each of `parents` behind its particles, in their order, which may be copies too, and with its
    /// triangles between `corners`; faces stay what they are.
    ///
    /// # Errors
    /// As [`TriangleMesh::new`].
    pub fn opened(&self, parents: &[usize], corners: Vec<[usize; 3]>) -> Result<TriangleMesh, InvalidMesh> {
        let mut positions = self.positions.clone();
        for &parent in parents {
            positions.push(positions[parent]);
        }
        let triangles = self.triangles.iter().zip(corners).map(|(triangle, corners)| Triangle { corners, ..*triangle }).collect();
        Ok(TriangleMesh { fans: self.fans.clone(), ..TriangleMesh::new(positions, triangles)? })
    }

    /// Where the particles are at the start \[m\].
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// In the order in which they were given.
    pub fn triangles(&self) -> &[Triangle] {
        &self.triangles
    }

    /// The edges, each once, ends ascending.
    pub fn edges(&self) -> &[[usize; 2]] {
        &self.edges
    }

    /// The edges between two triangles.
    pub fn hinges(&self) -> &[Hinge] {
        &self.hinges
    }

    /// c_i \[1/m\] of the ends of a hinge's edge and of its wings: of flat cloth, whose particles leave its plane by z_i, it folds by
    /// the angle Σ c_i z_i. Their sum is zero.
    pub fn flat_gradient(&self, hinge: &Hinge) -> [f64; 4] {
        let mut gradient = [0.0; 4];
        for (k, (triangle, wing)) in hinge.triangles.into_iter().zip(hinge.wings).enumerate() {
            let Triangle { corners, material } = &self.triangles[triangle];
            let place = |particle| corners.iter().position(|corner| *corner == particle).map_or(Vec2::zeros(), |k| material[k]);
            let [begin, end, wing] = [hinge.edge[0], hinge.edge[1], wing].map(place);
            let (edge, side) = (end - begin, wing - begin);
            let height = edge.perp(&side).abs() / edge.norm();
            let foot = edge.dot(&side) / edge.norm_squared(); // where the wing's foot is on the edge: 0 and 1 at its ends
            gradient[0] -= (1.0 - foot) / height;
            gradient[1] -= foot / height;
            gradient[2 + k] = 1.0 / height;
        }
        gradient
    }

    /// |e|²/A \[-\] of a hinge at rest, A the area of both of its triangles: what a rigidity D \[N m\] is multiplied by, so that the
    /// energy of its fold is D/2 |e|²/A theta². A cylinder then has the energy of D on equilateral triangles, and elsewhere along
    /// some of their edges: on right-angled ones up to half of it more where its axis crosses them.
    pub fn slenderness(&self, hinge: &Hinge) -> f64 {
        let [first, second] = hinge.triangles.map(|triangle| &self.triangles[triangle]);
        let place =
            |particle| first.corners.iter().position(|corner| *corner == particle).map_or(Vec2::zeros(), |k| first.material[k]);
        (place(hinge.edge[1]) - place(hinge.edge[0])).norm_squared() / (first.area() + second.area())
    }

    /// Particles, each a corner of some triangle.
    pub fn particle_count(&self) -> usize {
        self.positions.len()
    }

    /// Number of pieces that no triangle joins.
    pub fn pieces(&self) -> usize {
        let mut pieces = Sets::new(self.particle_count());
        self.particle_count() - self.edges.iter().filter(|[i, j]| pieces.join(*i, *j)).count()
    }

    /// The piece of each particle, by its lowest particle, shape \[particle_count\]; `sewn` pairs of particles join pieces as edges do.
    pub fn piece_of(&self, sewn: &[[usize; 2]]) -> Vec<usize> {
        let mut pieces = Sets::new(self.particle_count());
        for [i, j] in self.edges.iter().chain(sewn) {
            pieces.join(*i, *j);
        }
        (0..self.particle_count()).map(|particle| pieces.root(particle)).collect()
    }
}

/// Refuses what is no triangle between `particles` particles.
fn check(triangle: usize, whole: &Triangle, particles: usize) -> Result<(), InvalidMesh> {
    let Triangle { corners, material: [a, b, c] } = *whole;
    for (k, &corner) in corners.iter().enumerate() {
        if corner >= particles {
            return Err(InvalidMesh::Corner { triangle, corner, particles });
        }
        if corners[..k].contains(&corner) {
            return Err(InvalidMesh::Repeated { triangle, particle: corner });
        }
    }
    let longest = (b - a).norm_squared().max((c - b).norm_squared()).max((a - c).norm_squared());
    let has_area = longest.is_finite() && 2.0 * whole.area() > LEAST_HEIGHT * longest; // not so for numbers that are not finite
    if has_area { Ok(()) } else { Err(InvalidMesh::Degenerate { triangle, corners }) }
}

/// The edges, each once, ends ascending, and those between two triangles.
fn edges_and_hinges(triangles: &[Triangle]) -> Result<(Vec<[usize; 2]>, Vec<Hinge>), InvalidMesh> {
    // each side of each triangle: the ends ascending, the triangle, the corner at which it begins
    let mut sides: Vec<([usize; 2], usize, usize)> = Vec::with_capacity(3 * triangles.len());
    for (triangle, Triangle { corners, .. }) in triangles.iter().enumerate() {
        for k in 0..3 {
            let (i, j) = (corners[k], corners[(k + 1) % 3]);
            sides.push(([i.min(j), i.max(j)], triangle, k));
        }
    }
    sides.sort_unstable();
    let side = |&(_, triangle, k): &([usize; 2], usize, usize)| {
        let corners = triangles[triangle].corners;
        ([corners[k], corners[(k + 1) % 3]], corners[(k + 2) % 3]) // as it runs round its triangle, and what is opposite
    };
    let (mut edges, mut hinges) = (Vec::new(), Vec::new());
    for same in sides.chunk_by(|one, other| one.0 == other.0) {
        let edge = same[0].0;
        edges.push(edge);
        match same {
            [] | [_] => {}
            [first, second] => {
                let pair = [first.1, second.1];
                let ((edge_of_first, wing), (edge_of_second, other)) = (side(first), side(second));
                if wing == other {
                    return Err(InvalidMesh::Doubled { triangles: pair });
                }
                if edge_of_first == edge_of_second {
                    return Err(InvalidMesh::Orientation { edge, triangles: pair });
                }
                hinges.push(Hinge { edge: edge_of_first, wings: [wing, other], triangles: pair });
            }
            [first, second, third, ..] => {
                return Err(InvalidMesh::NonManifold { edge, triangles: [first.1, second.1, third.1] });
            }
        }
    }
    Ok((edges, hinges))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Triangles between particles on the unit circle of the plane z = 0, their material coordinates a triangle of any kind.
    fn mesh(particles: usize, corners: &[[usize; 3]]) -> Result<TriangleMesh, InvalidMesh> {
        let material = [Vec2::zeros(), Vec2::x(), Vec2::y()];
        let around = |k: usize| Vec3::new(libm::cos(k as f64), libm::sin(k as f64), 0.0);
        let triangles = corners.iter().map(|&corners| Triangle { corners, material }).collect();
        TriangleMesh::new((0..particles).map(around).collect(), triangles)
    }

    #[test]
    fn edges_are_sorted_and_a_hinge_runs_round_its_first_triangle() {
        let mesh = mesh(4, &[[0, 2, 1], [2, 0, 3]]).unwrap();
        assert_eq!(mesh.edges(), [[0, 1], [0, 2], [0, 3], [1, 2], [2, 3]]);
        assert_eq!(mesh.hinges(), [Hinge { edge: [0, 2], wings: [1, 3], triangles: [0, 1] }]);
        assert_eq!(mesh.pieces(), 1);
    }

    #[test]
    fn pieces_are_counted() {
        assert_eq!(mesh(9, &[[6, 7, 8], [0, 1, 2], [3, 4, 5]]).unwrap().pieces(), 3);
        assert_eq!(mesh(7, &[[6, 3, 5], [0, 1, 2], [2, 3, 4]]).unwrap().pieces(), 1); // joined in single particles
        let apart = mesh(9, &[[6, 7, 8], [0, 1, 2], [3, 4, 5]]).unwrap();
        assert_eq!(apart.piece_of(&[]), [0, 0, 0, 3, 3, 3, 6, 6, 6]);
        assert_eq!(apart.piece_of(&[[8, 4]]), [0, 0, 0, 3, 3, 3, 3, 3, 3]);
    }

    #[test]
    fn what_is_no_mesh_is_refused_by_name() {
        let refused = |particles, corners: &[[usize; 3]]| mesh(particles, corners).unwrap_err();
        assert_eq!(refused(3, &[]), InvalidMesh::Empty);
        assert_eq!(refused(3, &[[0, 1, 3]]), InvalidMesh::Corner { triangle: 0, corner: 3, particles: 3 });
        assert_eq!(refused(4, &[[0, 1, 2], [2, 3, 2]]), InvalidMesh::Repeated { triangle: 1, particle: 2 });
        assert_eq!(refused(4, &[[0, 1, 3]]), InvalidMesh::Loose { particle: 2 });
        let fins = refused(5, &[[0, 1, 2], [1, 0, 3], [0, 1, 4]]);
        assert_eq!(fins, InvalidMesh::NonManifold { edge: [0, 1], triangles: [0, 1, 2] });
        assert_eq!((fins.triangle(), fins.particle()), (Some(2), None));
        let turned = refused(4, &[[0, 1, 2], [0, 1, 3]]);
        assert_eq!(turned, InvalidMesh::Orientation { edge: [0, 1], triangles: [0, 1] });
        assert_eq!(refused(3, &[[0, 1, 2], [0, 2, 1]]), InvalidMesh::Doubled { triangles: [0, 1] });
        assert_eq!(refused(3, &[[0, 1, 2], [0, 1, 2]]), InvalidMesh::Doubled { triangles: [0, 1] });
        let limit = TriangleMesh::LIMIT;
        let many = TriangleMesh::new(vec![Vec3::zeros(); limit + 1], vec![]).unwrap_err();
        assert_eq!(many, InvalidMesh::TooManyParticles { particles: limit + 1, limit });
    }

    #[test]
    fn numbers_without_meaning_and_triangles_without_area_are_refused() {
        let new = |x: f64, material: [Vec2; 3]| {
            let positions = vec![Vec3::zeros(), Vec3::new(x, 0.0, 0.0), Vec3::y()];
            TriangleMesh::new(positions, vec![Triangle { corners: [0, 1, 2], material }])
        };
        let degenerate = Err(InvalidMesh::Degenerate { triangle: 0, corners: [0, 1, 2] });
        let high = |height: f64| [Vec2::zeros(), Vec2::new(0.5, height), Vec2::x()];
        assert_eq!(new(f64::NAN, high(1.0)), Err(InvalidMesh::Position { particle: 1 }));
        for height in [0.0, 1e-9, -1e-9, f64::NAN, f64::INFINITY, 1e200] {
            assert_eq!(new(1.0, high(height)), degenerate, "{height}");
        }
        for height in [1e-7, -1e-7, 1.0, 1e6] {
            assert!(new(1.0, high(height)).is_ok(), "{height}");
        }
        let small = high(1.0).map(|q| 1e-6 * q);
        assert!(new(1.0, small).is_ok() && new(1.0, small.map(|q| 1e-200 * q)) == degenerate);
    }
}
