//! Pairs that belong to faces with a particle in common: the same in every step, as the mesh does not change.

use crate::Surface;

/// A vertex and a face, or two edges, without a particle in common, whose faces have one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Neighbours {
    /// Numbers of a particle and a face.
    pub vertex_face: Vec<[u32; 2]>,
    /// Numbers of two edges.
    pub edge_edge: Vec<[u32; 2]>,
}

impl Neighbours {
    /// Those of a surface, of whose particles `around` tells the faces.
    pub fn of(surface: &Surface, around: &[Vec<u32>]) -> Neighbours {
        let (mut found, mut beside) = (Neighbours::default(), vec![]);
        for (one, corners) in (0..).zip(surface.faces()) {
            beside.clear();
            beside.extend(corners.iter().flat_map(|corner| &around[*corner as usize]).filter(|other| **other > one));
            beside.sort_unstable();
            beside.dedup();
            beside.iter().for_each(|other| found.add(surface, one, *other));
        }
        found
    }

    fn add(&mut self, surface: &Surface, one: u32, other: u32) {
        for (own, across) in [(one, other), (other, one)] {
            let face = surface.faces()[across as usize];
            self.vertex_face
                .extend(surface.vertices_of(own).iter().filter(|vertex| !face.contains(vertex)).map(|vertex| [*vertex, across]));
        }
        for edge in surface.edges_of(one) {
            let ends = surface.edges()[edge as usize];
            let free =
                surface.edges_of(other).filter(|other| !surface.edges()[*other as usize].iter().any(|end| ends.contains(end)));
            self.edge_edge.extend(free.map(|other| [edge, other]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad::tests::grid;

    #[test]
    fn they_are_those_whose_faces_share_a_particle() {
        let surface = Surface::new(grid(6), 36).unwrap();
        let found = Neighbours::of(&surface, &surface.around());
        let apart = |a: &[u32], b: &[u32]| a.iter().all(|k| !b.contains(k));
        let count = surface.faces().len() as u32;
        let face = |face: u32| surface.faces()[face as usize];
        let edge = |edge: u32| surface.edges()[edge as usize];
        let [mut vertex_face, mut edge_edge] = [vec![], vec![]];
        for (one, other) in (0..count).flat_map(|one| (0..count).map(move |other| (one, other))) {
            if one == other || apart(&face(one), &face(other)) {
                continue;
            }
            vertex_face.extend(surface.vertices_of(one).iter().filter(|k| apart(&[**k], &face(other))).map(|k| [*k, other]));
            if one < other {
                let edges = surface.edges_of(one).flat_map(|one| surface.edges_of(other).map(move |other| [one, other]));
                edge_edge.extend(edges.filter(|[one, other]| apart(&edge(*one), &edge(*other))));
            }
        }
        let sorted = |mut pairs: Vec<[u32; 2]>| {
            pairs.sort_unstable();
            pairs
        };
        assert_eq!(sorted(found.vertex_face), sorted(vertex_face));
        assert_eq!(sorted(found.edge_edge), sorted(edge_edge));
    }
}
