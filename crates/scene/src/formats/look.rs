use std::sync::Arc;

use cloth::Vec3;
use cloth::contact::{RigidMotion, Sequence};
use cloth::triangles::Vec2;

use cloth::run::{Model, Surface};

/// A body as a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Its corners, before it is moved \[m\].
    pub vertices: Vec<[f64; 3]>,
    /// Corners of each face, counter-clockwise seen from outside.
    pub faces: Vec<Vec<u32>>,
    /// Its corners from time to time, as many, where it changes its shape.
    pub shapes: Option<Arc<Sequence>>,
    /// How it moves.
    pub motion: RigidMotion,
}

impl Body {
    /// Whether it is ever elsewhere, or of another shape.
    pub fn moves(&self) -> bool {
        self.shapes.is_some() || self.motion != RigidMotion::STILL
    }

    /// Its corners at time `t` \[s\], in metres.
    pub fn places(&self, t: f64) -> Vec<Vec3> {
        let pose = self.motion.pose(t);
        match &self.shapes {
            Some(shapes) => shapes.places(t).map(|x| pose.moved(x)).collect(),
            None => self.vertices.iter().map(|&x| pose.moved(x.into())).collect(),
        }
    }
}

/// What other programs draw of cloth, but for its positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Corners of a face: 4 of the cells of a grid, 3 of triangles.
    pub corners: usize,
    /// Corners of each face, counter-clockwise seen from the front; shape \[faces, corners\].
    pub faces: Vec<u32>,
    /// Warp and weft, or the edges of triangles, each once, with their lengths in the cloth as it was cut \[m\].
    pub edges: Vec<([u32; 2], f64)>,
}

impl Look {
    /// How cloth looks.
    pub fn of(model: &Model) -> Look {
        Look::of_surface(model.surface())
    }

    /// How cloth with such faces looks.
    pub fn of_surface(surface: Surface) -> Look {
        let (mut faces, mut edges) = (vec![], vec![]);
        let corners = each_face(surface, |face| {
            for (k, &(i, from)) in face.iter().enumerate() {
                let (j, to) = face[(k + 1) % face.len()];
                faces.push(i as u32);
                edges.push(([i.min(j) as u32, i.max(j) as u32], (to - from).norm()));
            }
        });
        edges.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        edges.dedup_by_key(|(ends, _)| *ends);
        Look { corners, faces, edges }
    }

    /// The corners of one face after the other.
    pub fn faces(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.faces.chunks_exact(self.corners)
    }

    /// How much longer than at rest the longest edge at each particle is, (l - L) / L, and 0 where none is longer; shape
    /// \[particles\].
    pub fn stretch(&self, x: &[Vec3]) -> Vec<f64> {
        let mut stretch = vec![0.0; x.len()];
        for &(ends, length) in &self.edges {
            let [i, j] = ends.map(|end| end as usize);
            let found = (x[j] - x[i]).norm() / length - 1.0;
            stretch[i] = found.max(stretch[i]);
            stretch[j] = found.max(stretch[j]);
        }
        stretch
    }
}

/// A texture coordinate for each corner of each face, in the order of [`Look::faces`]: from 0 to 1 along the longer side of the
/// cloth as it was cut.
pub fn texture(model: &Model) -> Vec<[f64; 2]> {
    let mut material = vec![];
    each_face(model.surface(), |face| material.extend(face.iter().map(|(_, at)| *at)));
    let low = material.iter().fold(Vec2::repeat(f64::INFINITY), |low, at| low.inf(at));
    let high = material.iter().fold(Vec2::repeat(f64::NEG_INFINITY), |high, at| high.sup(at));
    let side = (high - low).max();
    material.iter().map(|at| [(at.x - low.x) / side, (at.y - low.y) / side]).collect()
}

/// Shows each face, its corners with their places in the cloth as it was cut \[m\]; how many corners a face has.
fn each_face(surface: Surface, mut show: impl FnMut(&[(usize, Vec2)])) -> usize {
    match surface {
        Surface::Grid(grid) => {
            let place = |i: usize, j: usize| (grid.index(i, j), grid.spacing() * Vec2::new(i as f64, j as f64));
            for j in 1..grid.ny() {
                for i in 1..grid.nx() {
                    show(&[place(i - 1, j - 1), place(i, j - 1), place(i, j), place(i - 1, j)]);
                }
            }
            4
        }
        Surface::Triangles(mesh) => {
            for face in mesh.triangles() {
                show(&[0, 1, 2].map(|k| (face.corners[k], face.material[k])));
            }
            3
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cloth::triangles::{TriangleCloth, TriangleMesh};
    use cloth::{Cloth, Grid, Material};

    #[test]
    fn a_grid_has_its_cells_its_sides_and_one_texture() {
        let cloth = Cloth::new(Grid::new(3, 2, 0.5).unwrap(), Material::default(), &[]).unwrap();
        let flat = cloth.grid().flat();
        let model = cloth.into();
        let look = Look::of(&model);
        assert_eq!(look.faces().collect::<Vec<_>>(), [[0, 1, 4, 3], [1, 2, 5, 4]]);
        assert_eq!(texture(&model)[4..], [[0.5, 0.0], [1.0, 0.0], [1.0, 0.5], [0.5, 0.5]]);
        assert_eq!(look.edges.len(), 7);
        assert!(look.edges.iter().all(|(_, length)| *length == 0.5));
        let pulled: Vec<Vec3> = flat.iter().map(|x| Vec3::new(1.2 * x.x, 0.9 * x.y, 0.0)).collect();
        assert!(look.stretch(&pulled).iter().all(|stretch| (stretch - 0.2).abs() < 1e-12));
        assert_eq!(look.stretch(&flat.iter().map(|x| 0.5 * x).collect::<Vec<_>>()), [0.0; 6]);
    }

    #[test]
    fn triangles_have_their_edges_once() {
        let mesh = TriangleMesh::regular(3, 3, 1.0, 1.0).unwrap();
        let edges = mesh.edges().len();
        let cloth = TriangleCloth::new(mesh, cloth::triangles::Fabric::default(), &[]);
        let look = Look::of(&Model::Continuum(cloth.unwrap()));
        assert_eq!((look.faces().len(), look.edges.len()), (8, edges));
    }
}
