//! A mesh of triangles, whose vertices and edges each belong to one face.

use std::collections::HashMap;

use thiserror::Error;

/// Why triangles are no surface that collisions can be found on.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[allow(missing_docs)] // messages say what their numbers are
pub enum Unfit {
    /// A corner that is no particle.
    #[error("face {face} has the corner {corner}, but there are {particles} particles, counted from 0")]
    Corner { face: usize, corner: usize, particles: usize },
    /// A corner twice in a face.
    #[error("face {face} has the particle {particle} twice")]
    Repeated { face: usize, particle: usize },
    /// A face without an area.
    #[error("face {face} has no area")]
    Degenerate { face: usize },
    /// An edge of three faces or more.
    #[error("faces {first}, {second} and {third} share the edge from {from} to {to}; two may")]
    NonManifold { from: usize, to: usize, first: usize, second: usize, third: usize },
    /// NaN or an infinity.
    #[error("particle {particle} has no place")]
    Place { particle: usize },
    /// Faces that pass through each other.
    #[error("faces {first} and {second} pass through each other")]
    Crossing { first: usize, second: usize },
}

/// Faces, their edges, and which face each vertex and each edge belongs to: the first that has it, so that a pair is found once
/// \[Curtis, Tamstorf & Manocha 2008\].
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    particles: usize,
    faces: Vec<[u32; 3]>,
    edges: Vec<[u32; 2]>,
    /// Vertices, face by face; each face begins at a number, as do its edges.
    vertices: Vec<u32>,
    first_vertex_of: Vec<u32>,
    first_edge_of: Vec<u32>,
}

impl Surface {
    /// The surface of faces between so many particles.
    ///
    /// # Errors
    /// A corner that is no particle or twice in its face, an edge of more than two faces.
    pub fn new(faces: Vec<[u32; 3]>, particles: usize) -> Result<Surface, Unfit> {
        let mut known = HashMap::new(); // an edge, and the faces that have it
        let mut met = vec![false; particles];
        let (mut edges, mut vertices) = (vec![], vec![]);
        let (mut first_vertex_of, mut first_edge_of) = (vec![0], vec![0]);
        for (face, corners) in faces.iter().enumerate() {
            for k in 0..3 {
                let [corner, next] = [corners[k], corners[(k + 1) % 3]];
                if corner as usize >= particles {
                    return Err(Unfit::Corner { face, corner: corner as usize, particles });
                }
                if corner == next {
                    return Err(Unfit::Repeated { face, particle: corner as usize });
                }
                if !std::mem::replace(&mut met[corner as usize], true) {
                    vertices.push(corner);
                }
                let ends = [corner.min(next), corner.max(next)];
                let of: &mut Vec<usize> = known.entry(ends).or_default();
                if let &mut [first, second] = of.as_mut_slice() {
                    let [from, to] = ends.map(|end| end as usize);
                    return Err(Unfit::NonManifold { from, to, first, second, third: face });
                }
                if of.is_empty() {
                    edges.push(ends);
                }
                of.push(face);
            }
            first_vertex_of.push(vertices.len() as u32);
            first_edge_of.push(edges.len() as u32);
        }
        Ok(Surface { particles, faces, edges, vertices, first_vertex_of, first_edge_of })
    }

    /// Corners of each face.
    pub fn faces(&self) -> &[[u32; 3]] {
        &self.faces
    }

    /// Ends of each edge, each once.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// Faces around each particle, in the order of their numbers.
    pub(crate) fn around(&self) -> Vec<Vec<u32>> {
        let mut around = vec![vec![]; self.particles];
        for (face, corners) in (0..).zip(&self.faces) {
            corners.iter().for_each(|corner| around[*corner as usize].push(face));
        }
        around
    }

    /// Vertices that belong to a face.
    #[inline(always)]
    pub(crate) fn vertices_of(&self, face: u32) -> &[u32] {
        let [from, to] = [face, face + 1].map(|face| self.first_vertex_of[face as usize] as usize);
        &self.vertices[from..to]
    }

    /// Edges that belong to a face, which are numbered in its order.
    #[inline(always)]
    pub(crate) fn edges_of(&self, face: u32) -> std::ops::Range<u32> {
        self.first_edge_of[face as usize]..self.first_edge_of[face as usize + 1]
    }

    /// Number of particles, those in no face included.
    pub fn particle_count(&self) -> usize {
        self.particles
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vec3;

    #[test]
    fn vertices_and_edges_have_one_owner() {
        let surface = Surface::new(vec![[0, 1, 2], [2, 1, 3]], 5).unwrap();
        assert_eq!(surface.edges(), [[0, 1], [1, 2], [0, 2], [1, 3], [2, 3]]);
        assert_eq!([0, 1].map(|face| surface.vertices_of(face)), [&[0, 1, 2][..], &[3]]);
        assert_eq!([0, 1].map(|face| surface.edges_of(face)), [0..3, 3..5]);
        assert_eq!(surface.around(), [&[0][..], &[0, 1], &[0, 1], &[1], &[]]);
    }

    #[test]
    fn what_is_no_surface_is_refused_with_its_place() {
        let refused = |faces: &[[u32; 3]]| Surface::new(faces.to_vec(), 5).unwrap_err();
        assert_eq!(refused(&[[0, 1, 2], [3, 4, 5]]), Unfit::Corner { face: 1, corner: 5, particles: 5 });
        assert_eq!(refused(&[[0, 1, 1]]), Unfit::Repeated { face: 0, particle: 1 });
        let shared = Unfit::NonManifold { from: 0, to: 1, first: 0, second: 1, third: 2 };
        assert_eq!(refused(&[[0, 1, 2], [1, 0, 3], [0, 1, 4]]), shared);

        let surface = Surface::new(vec![[0, 1, 2], [3, 4, 5]], 6).unwrap();
        let flat = [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
        let across = [[0.5, -1.0], [0.5, 1.0], [0.5, 0.0]].map(|[x, z]| Vec3::new(x, 0.5, z));
        let checked = |y: f64, z: f64| {
            let across = across.map(|x| x + Vec3::new(0.0, y, 0.0));
            surface.check(&[flat[0], flat[1], flat[2], across[0], across[1], across[2] + Vec3::new(0.0, 0.0, z)])
        };
        assert_eq!(checked(0.0, 0.0), Err(Unfit::Degenerate { face: 1 }));
        assert_eq!(checked(0.0, f64::NAN), Err(Unfit::Place { particle: 5 }));
        let sheet = |y: f64| {
            let [a, b, c] = [[0.5, -1.0], [0.5, 1.0], [0.9, 0.0]].map(|[x, z]| Vec3::new(x, y, z));
            surface.check(&[flat[0], flat[1], flat[2], a, b, c])
        };
        assert_eq!(sheet(0.5), Err(Unfit::Crossing { first: 0, second: 1 }));
        assert_eq!(sheet(5.0), Ok(()));
    }
}
