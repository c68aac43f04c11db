use super::{InvalidMesh, Triangle, TriangleMesh, Vec2};
use crate::invalid::positive;
use crate::{Grid, ModelError, Vec3};

impl TriangleMesh {
    /// The cells of a grid as quads, between its particles.
    ///
    /// # Errors
    /// A spacing that leaves them without area.
    pub fn of_grid(grid: &Grid) -> Result<TriangleMesh, ModelError> {
        let side = |particles: usize| (particles - 1) as f64 * grid.spacing();
        let points = Points::new(grid.nx(), grid.ny(), side(grid.nx()), side(grid.ny()))?;
        let cut = |(i, j): (usize, usize)| {
            let [a, b, c, d] = points.around(i, j);
            [[a, b, c], [a, c, d]]
        };
        let corners: Vec<[usize; 3]> = points.cells().flat_map(cut).collect();
        let faces = vec![2; corners.len() / 2];
        Ok(points.mesh(grid.flat(), corners)?.with_faces(faces))
    }

    /// A sheet of `nx` x `ny` particles, `width` x `height` \[m\], each cell cut in two along diagonals that alternate.
    ///
    /// It lies in the plane z = 0, its warp along x, its weft along y; the particles are those of [`Grid`]: row by row.
    ///
    /// # Errors
    /// Fewer than 2 or more than [`Grid::LIMIT`] particles a side, more than [`TriangleMesh::LIMIT`] in all, a width or height
    /// that is not a finite number above zero or that leaves triangles without area.
    pub fn regular(nx: usize, ny: usize, width: f64, height: f64) -> Result<TriangleMesh, ModelError> {
        let points = Points::new(nx, ny, width, height)?;
        let cut = |(i, j): (usize, usize)| {
            let [a, b, c, d] = points.around(i, j);
            if (i + j) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
        };
        let corners = points.cells().flat_map(cut).collect();
        points.mesh(points.corners().collect(), corners)
    }

    /// A sheet as [`TriangleMesh::regular`] lays it, with a particle in the centre of every cell, which is cut into four
    /// triangles; the centres come after the `nx` x `ny` others, cell by cell. The flag of Parks & Forsyth has 6 x 11 such points
    /// on 1 m x 1 m.
    ///
    /// # Errors
    /// As [`TriangleMesh::regular`].
    pub fn centred(nx: usize, ny: usize, width: f64, height: f64) -> Result<TriangleMesh, ModelError> {
        let points = Points::new(nx, ny, width, height)?;
        let (particles, limit) = (nx * ny + (nx - 1) * (ny - 1), TriangleMesh::LIMIT);
        if particles > limit {
            return Err(ModelError::Mesh(InvalidMesh::TooManyParticles { particles, limit }));
        }
        let centres = points.cells().map(|(i, j)| points.at(i as f64 + 0.5, j as f64 + 0.5));
        let cut = |(cell, (i, j)): (usize, (usize, usize))| {
            let ([a, b, c, d], m) = (points.around(i, j), nx * ny + cell);
            [[a, b, m], [b, c, m], [c, d, m], [d, a, m]]
        };
        let corners = points.cells().enumerate().flat_map(cut).collect();
        points.mesh(points.corners().chain(centres).collect(), corners)
    }

    /// A disk of triangles whose angles are all above 44° in the plane z = 0, about the origin: a particle in the middle, then ring by ring, 6 k of
    /// them on ring k of `rings`, the last of which has that `radius` \[m\].
    ///
    /// # Errors
    /// No ring, more than [`TriangleMesh::LIMIT`] particles, or a radius that is not a finite number above zero.
    pub fn disk(rings: usize, radius: f64) -> Result<TriangleMesh, ModelError> {
        positive("the radius of a disk", radius)?;
        positive("the number of rings", rings as f64)?;
        let (particles, limit) =
            (rings.saturating_add(1).saturating_mul(rings).saturating_mul(3).saturating_add(1), TriangleMesh::LIMIT);
        if particles > limit {
            return Err(ModelError::Mesh(InvalidMesh::TooManyParticles { particles, limit }));
        }
        let place = |ring: usize, k: usize| {
            let (sin, cos) = libm::sincos(std::f64::consts::TAU * k as f64 / (6 * ring) as f64);
            radius * ring as f64 / rings as f64 * Vec3::new(cos, sin, 0.0)
        };
        let rim = (1..=rings).flat_map(|ring| (0..6 * ring).map(move |k| place(ring, k)));
        let positions: Vec<Vec3> = std::iter::once(Vec3::zeros()).chain(rim).collect();
        let index = |ring: usize, k: usize| if ring == 0 { 0 } else { 1 + 3 * ring * (ring - 1) + k % (6 * ring) };
        let mut corners = Vec::with_capacity(6 * rings * rings);
        for ring in 1..=rings {
            for (sextant, k) in (0..6).flat_map(|sextant| (0..ring).map(move |k| (sextant, k))) {
                let (outer, inner) = (sextant * ring + k, sextant * (ring - 1) + k);
                corners.push([index(ring - 1, inner), index(ring, outer), index(ring, outer + 1)]);
                if k + 1 < ring {
                    corners.push([index(ring - 1, inner), index(ring, outer + 1), index(ring - 1, inner + 1)]);
                }
            }
        }
        let material = |corner: usize| positions[corner].xy();
        let triangles = corners.into_iter().map(|corners| Triangle { corners, material: corners.map(material) }).collect();
        TriangleMesh::new(positions, triangles).map_err(ModelError::Mesh)
    }
}

/// The points of a grid, some width and height apart.
#[derive(Clone, Copy)]
struct Points {
    nx: usize,
    ny: usize,
    width: f64,
    height: f64,
}

impl Points {
    fn new(nx: usize, ny: usize, width: f64, height: f64) -> Result<Points, ModelError> {
        let limit = Grid::LIMIT;
        if !(2..=limit).contains(&nx) || !(2..=limit).contains(&ny) {
            return Err(ModelError::GridSize { nx, ny, limit });
        }
        positive("the width of a mesh", width)?;
        positive("the height of a mesh", height)?;
        Ok(Points { nx, ny, width, height })
    }

    /// The point in column `i` and row `j`, or between columns and rows \[m\].
    fn at(&self, i: f64, j: f64) -> Vec3 {
        Vec3::new(i / (self.nx - 1) as f64 * self.width, j / (self.ny - 1) as f64 * self.height, 0.0)
    }

    /// The points, row by row \[m\].
    fn corners(self) -> impl Iterator<Item = Vec3> {
        (0..self.ny).flat_map(move |j| (0..self.nx).map(move |i| self.at(i as f64, j as f64)))
    }

    /// Column and row of each cell, row by row.
    fn cells(self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.ny - 1).flat_map(move |j| (0..self.nx - 1).map(move |i| (i, j)))
    }

    /// Indices of the points around a cell, counter-clockwise from its lower left.
    fn around(&self, i: usize, j: usize) -> [usize; 4] {
        let a = j * self.nx + i;
        [a, a + 1, a + 1 + self.nx, a + self.nx]
    }

    /// The mesh between flat `positions`.
    fn mesh(&self, positions: Vec<Vec3>, corners: Vec<[usize; 3]>) -> Result<TriangleMesh, ModelError> {
        let material = |corner: usize| Vec2::new(positions[corner].x, positions[corner].y);
        let triangles = corners.into_iter().map(|corners| Triangle { corners, material: corners.map(material) }).collect();
        TriangleMesh::new(positions, triangles).map_err(ModelError::Mesh)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of particles, triangles, edges and hinges.
    fn counts(mesh: &TriangleMesh) -> [usize; 4] {
        [mesh.particle_count(), mesh.triangles().len(), mesh.edges().len(), mesh.hinges().len()]
    }

    /// Whether each triangle looks along z, and lies in the material as in space.
    fn is_flat(mesh: &TriangleMesh) -> bool {
        mesh.triangles().iter().all(|Triangle { corners, material: [a, b, c] }| {
            let same = corners.iter().zip([a, b, c]).all(|(&i, q)| mesh.positions()[i] == Vec3::new(q.x, q.y, 0.0));
            same && (b - a).perp(&(c - a)) > 0.0
        })
    }

    #[test]
    fn the_flag_of_parks_has_116_points_200_triangles_and_285_hinges() {
        let flag = TriangleMesh::centred(6, 11, 1.0, 1.0).unwrap();
        assert_eq!(counts(&flag), [116, 200, 315, 285]);
        assert!(is_flat(&flag));
        assert_eq!(flag.positions()[5], Vec3::new(1.0, 0.0, 0.0));
        assert_eq!(flag.positions()[60], Vec3::new(0.0, 1.0, 0.0));
        assert!((flag.positions()[66] - Vec3::new(0.1, 0.05, 0.0)).norm() < 1e-15);
        let area: f64 = flag.triangles().iter().map(Triangle::area).sum();
        assert!((area - 1.0).abs() < 1e-14, "{area}");
    }

    #[test]
    fn the_diagonals_of_a_regular_sheet_alternate() {
        let sheet = TriangleMesh::regular(3, 3, 2.0, 4.0).unwrap();
        assert_eq!(counts(&sheet), [9, 8, 16, 8]);
        assert!(is_flat(&sheet));
        let diagonals = [[0, 4], [2, 4], [4, 6], [4, 8]];
        assert!(diagonals.iter().all(|diagonal| sheet.edges().contains(diagonal)), "{:?}", sheet.edges());
        assert!(sheet.triangles().iter().all(|triangle| triangle.area() == 1.0));
    }

    #[test]
    fn a_disk_has_rings_of_triangles_none_of_which_is_thin() {
        let disk = TriangleMesh::disk(3, 0.3).unwrap();
        assert_eq!(counts(&disk), [37, 54, 90, 72]);
        assert!(is_flat(&disk));
        assert!(disk.positions()[19..].iter().all(|x| (x.norm() - 0.3).abs() < 1e-15));
        assert!((disk.positions()[1] - Vec3::new(0.1, 0.0, 0.0)).norm() < 1e-15);
        let fine = TriangleMesh::disk(40, 1.0).unwrap();
        let area: f64 = fine.triangles().iter().map(Triangle::area).sum();
        assert!((area / std::f64::consts::PI - 1.0).abs() < 2e-4, "{area}");
        // from equilateral ones in the middle of a sextant to those with a right angle along its sides
        let smallest = |triangle: &Triangle| {
            let [a, b, c] = triangle.material;
            [(a, b, c), (b, c, a), (c, a, b)]
                .map(|(a, b, c)| (b - a).angle(&(c - a)).to_degrees())
                .into_iter()
                .fold(180.0, f64::min)
        };
        let angles: Vec<f64> = fine.triangles().iter().map(smallest).collect();
        let [least, most] = [angles.iter().copied().fold(180.0, f64::min), angles.iter().copied().fold(0.0, f64::max)];
        assert!(least > 44.0 && most > 56.0, "{least}, {most}");
        assert!(TriangleMesh::disk(0, 1.0).is_err() && TriangleMesh::disk(3, f64::NAN).is_err());
    }

    #[test]
    fn a_mesh_of_a_million_triangles_is_built() {
        let sheet = TriangleMesh::regular(709, 709, 1.0, 1.0).unwrap();
        let (cells, border) = (708 * 708, 4 * 708);
        assert_eq!(counts(&sheet), [709 * 709, 2 * cells, (6 * cells + border) / 2, (6 * cells - border) / 2]);
        assert_eq!(sheet.pieces(), 1);
    }

    #[test]
    fn sizes_are_checked() {
        let limit = Grid::LIMIT;
        assert_eq!(TriangleMesh::regular(1, 5, 1.0, 1.0), Err(ModelError::GridSize { nx: 1, ny: 5, limit }));
        assert_eq!(TriangleMesh::centred(5, limit + 1, 1.0, 1.0), Err(ModelError::GridSize { nx: 5, ny: limit + 1, limit }));
        let many = TriangleMesh::centred(limit, limit, 1.0, 1.0);
        assert!(matches!(many, Err(ModelError::Mesh(InvalidMesh::TooManyParticles { particles: 17_994_001, .. }))), "{many:?}");
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(TriangleMesh::regular(3, 3, bad, 1.0), Err(ModelError::OutOfRange { .. })), "{bad}");
            assert!(matches!(TriangleMesh::centred(3, 3, 1.0, bad), Err(ModelError::OutOfRange { .. })), "{bad}");
        }
        let thin = TriangleMesh::regular(3, 3, 1e-9, 1.0);
        assert!(matches!(thin, Err(ModelError::Mesh(InvalidMesh::Degenerate { triangle: 0, .. }))), "{thin:?}");
    }
}
