use std::collections::BTreeMap;

use cloth::Vec3;
use cloth::triangles::Vec2;

use crate::{Model, Surface};

/// A rigid body as a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    /// Its corners \[m\].
    pub vertices: Vec<[f64; 3]>,
    /// Corners of each face, counter-clockwise seen from outside.
    pub faces: Vec<Vec<usize>>,
}

/// What other programs draw of cloth, but for its positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Corners of each face, counter-clockwise seen from the front: cells of a grid, or triangles.
    pub faces: Vec<Vec<usize>>,
    /// A texture coordinate for each corner of each face, from 0 to 1 along the longer side of the cloth as it was cut.
    pub texture: Vec<Vec<[f64; 2]>>,
    /// Warp and weft, or the edges of triangles, each once, with their lengths in the cloth as it was cut \[m\].
    pub edges: Vec<([usize; 2], f64)>,
}

impl Look {
    /// How cloth looks.
    pub fn of(model: &Model) -> Look {
        let (faces, material): (Vec<Vec<usize>>, Vec<Vec<Vec2>>) = match model.surface() {
            Surface::Grid(grid) => {
                let cells = (1..grid.ny()).flat_map(|j| (1..grid.nx()).map(move |i| (i, j)));
                let corners = |(i, j): (usize, usize)| [(i - 1, j - 1), (i, j - 1), (i, j), (i - 1, j)];
                let place = |(i, j): (usize, usize)| grid.spacing() * Vec2::new(i as f64, j as f64);
                let faces = cells.clone().map(|cell| corners(cell).map(|(i, j)| grid.index(i, j)).to_vec()).collect();
                (faces, cells.map(|cell| corners(cell).map(place).to_vec()).collect())
            }
            Surface::Triangles(mesh) => {
                mesh.triangles().iter().map(|face| (face.corners.to_vec(), face.material.to_vec())).unzip()
            }
        };
        Look { texture: texture(&material), edges: edges(&faces, &material), faces }
    }

    /// How much longer than at rest the longest edge at each particle is, (l - L) / L, and 0 where none is longer; shape \[particles\].
    pub fn stretch(&self, x: &[Vec3]) -> Vec<f64> {
        let mut stretch = vec![0.0; x.len()];
        for &([i, j], length) in &self.edges {
            let found = (x[j] - x[i]).norm() / length - 1.0;
            stretch[i] = found.max(stretch[i]);
            stretch[j] = found.max(stretch[j]);
        }
        stretch
    }
}

/// Material coordinates in units of the longer side of the box that they lie in.
fn texture(material: &[Vec<Vec2>]) -> Vec<Vec<[f64; 2]>> {
    let all = || material.iter().flatten();
    let low = all().fold(Vec2::repeat(f64::INFINITY), |low, at| low.inf(at));
    let high = all().fold(Vec2::repeat(f64::NEG_INFINITY), |high, at| high.sup(at));
    let side = (high - low).max();
    let place = |at: &Vec2| [(at.x - low.x) / side, (at.y - low.y) / side];
    material.iter().map(|face| face.iter().map(place).collect()).collect()
}

fn edges(faces: &[Vec<usize>], material: &[Vec<Vec2>]) -> Vec<([usize; 2], f64)> {
    let mut lengths = BTreeMap::new();
    for (face, material) in faces.iter().zip(material) {
        for (k, &i) in face.iter().enumerate() {
            let next = (k + 1) % face.len();
            let j = face[next];
            lengths.entry([i.min(j), i.max(j)]).or_insert((material[next] - material[k]).norm());
        }
    }
    lengths.into_iter().collect()
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
        let look = Look::of(&cloth.into());
        assert_eq!(look.faces, [[0, 1, 4, 3], [1, 2, 5, 4]]);
        assert_eq!(look.texture[1], [[0.5, 0.0], [1.0, 0.0], [1.0, 0.5], [0.5, 0.5]]);
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
        assert_eq!((look.faces.len(), look.edges.len()), (8, edges));
    }
}
