use std::collections::HashSet;

use super::{Hinge, Triangle, TriangleMesh, Vec2};
use crate::inextensible::Edge;

/// A face of a mesh: the fan of triangles that it is cut into, one for a triangle, two for a quad.
#[derive(Clone, Copy, Debug)]
pub struct Face<'a>(&'a [Triangle]);

impl Face<'_> {
    /// Its corners, counter-clockwise seen from its front.
    pub fn corners(&self) -> impl Iterator<Item = usize> {
        let [first, second, _] = self.0[0].corners;
        [first, second].into_iter().chain(self.0.iter().map(|triangle| triangle.corners[2]))
    }

    /// Number of its corners, >= 3.
    pub fn corner_count(&self) -> usize {
        self.0.len() + 2
    }

    /// Area of the cloth as it was cut \[m²\].
    pub fn area(&self) -> f64 {
        self.0.iter().map(Triangle::area).sum()
    }

    /// Where a corner is in the cloth as it was cut \[m\].
    fn material(&self, corner: usize) -> Vec2 {
        let of = |triangle: &Triangle| Some(triangle.material[triangle.corners.iter().position(|&at| at == corner)?]);
        self.0.iter().find_map(of).unwrap_or_default()
    }

    /// The corner before `corner`, or the one behind it.
    fn beside(&self, corner: usize, behind: bool) -> usize {
        let corners: Vec<usize> = self.corners().collect();
        let at = corners.iter().position(|&other| other == corner).unwrap_or(0);
        corners[(at + if behind { 1 } else { corners.len() - 1 }) % corners.len()]
    }
}

/// Two particles of a spring, and how far apart they are in the cloth as it was cut \[m\].
pub(super) type Span = (usize, usize, f64);

impl TriangleMesh {
    /// This mesh with its triangles as fans over faces of so many triangles each, which stand one behind the other and share their
    /// first corner. Every triangle is a face without.
    ///
    /// # Panics
    /// Where the fans are not those of all triangles.
    pub fn with_faces(mut self, fans: Vec<usize>) -> TriangleMesh {
        assert_eq!(fans.iter().sum::<usize>(), self.triangles().len(), "triangles");
        assert!(fans.iter().all(|triangles| *triangles > 0), "a face without triangles");
        self.fans = fans;
        self
    }

    /// Its faces in the order of their triangles.
    pub fn faces(&self) -> impl Iterator<Item = Face<'_>> {
        let mut first = 0;
        self.fans.iter().map(move |count| {
            first += count;
            Face(&self.triangles()[first - count..first])
        })
    }

    /// Whether some face has more than three corners.
    pub fn has_quads(&self) -> bool {
        self.fans.iter().any(|triangles| *triangles > 1)
    }

    /// The edges along the sides of faces, which are the warp and the weft of quads, in the order of
    /// [`TriangleMesh::edges`]: not those within a face. Each is as long as the cloth was cut.
    pub fn sides(&self) -> Vec<Edge> {
        let within = self.within();
        let edges = self.edges().iter().zip(self.edge_lengths());
        edges.filter(|(edge, _)| !within.contains(*edge)).map(|(&[i, j], rest)| Edge { i, j, rest }).collect()
    }

    /// The edges within faces, ends ascending.
    fn within(&self) -> HashSet<[usize; 2]> {
        let of = |face: Face<'_>| {
            let [hub, ..] = face.0[0].corners;
            let spokes = face.0[1..].iter().map(move |triangle| triangle.corners[1]);
            spokes.map(move |rim| [hub.min(rim), hub.max(rim)]).collect::<Vec<[usize; 2]>>()
        };
        self.faces().flat_map(of).collect()
    }

    /// What shear changes: in each face the edges of its fan, and what lies across them; in a quad both diagonals.
    pub(super) fn diagonals(&self) -> Vec<Span> {
        let within = self.within();
        let edges = self.edges().iter().zip(self.edge_lengths());
        let along = edges.filter(|(edge, _)| within.contains(*edge)).map(|(&[i, j], rest)| (i, j, rest));
        let across = self.folds().filter(|(_, _, is_within)| *is_within).map(|(hinge, ..)| self.wings(hinge));
        along.chain(across).collect()
    }

    /// What bending changes: across each side of two faces what is next to its ends, which is the third corner of a triangle, and
    /// of a quad the particle with which a row goes on. Rows that two sides have in common are here once. Faces of more corners are
    /// as their triangles are.
    pub(super) fn rows(&self) -> Vec<Span> {
        let (mut rows, mut seen) = (Vec::with_capacity(self.hinges().len()), HashSet::new());
        for (hinge, [first, second], _) in self.folds().filter(|(_, _, is_within)| !is_within) {
            let corners = [first.corner_count(), second.corner_count()];
            if corners == [3, 3] || corners.iter().any(|count| *count > 4) {
                rows.push(self.wings(hinge));
                continue;
            }
            // the edge runs round the first face in its direction, and round the second one against it
            for end in [0, 1] {
                let [i, j] = [first.beside(hinge.edge[end], end == 1), second.beside(hinge.edge[end], end == 0)];
                if i != j && seen.insert([i.min(j), i.max(j)]) {
                    rows.push(across(hinge, [first, second], [i, j]));
                }
            }
        }
        rows
    }

    /// Between the wings of a hinge.
    fn wings(&self, hinge: &Hinge) -> Span {
        across(hinge, hinge.triangles.map(|triangle| Face(&self.triangles()[triangle..=triangle])), hinge.wings)
    }

    /// The hinges with the faces of their triangles, and whether these are one face.
    fn folds(&self) -> impl Iterator<Item = (&Hinge, [Face<'_>; 2], bool)> {
        let faces: Vec<Face<'_>> = self.faces().collect();
        let of: Vec<usize> = self.fans.iter().enumerate().flat_map(|(face, &count)| std::iter::repeat_n(face, count)).collect();
        self.hinges().iter().map(move |hinge| {
            let [first, second] = hinge.triangles.map(|triangle| of[triangle]);
            (hinge, [faces[first], faces[second]], first == second)
        })
    }
}

/// Between a corner of the first and one of the second face at a hinge, when both are laid flat as they were cut, the middles of
/// their edges one on the other.
fn across(hinge: &Hinge, faces: [Face<'_>; 2], wings: [usize; 2]) -> Span {
    let [first, second] = [0, 1].map(|side| {
        let face = faces[side];
        let (begin, end, wing) = (face.material(hinge.edge[0]), face.material(hinge.edge[1]), face.material(wings[side]));
        let (along, out) = ((end - begin).normalize(), wing - 0.5 * (begin + end));
        Vec2::new(along.dot(&out), along.perp(&out).abs()) // along the edge from its middle, and away from it
    });
    (wings[0], wings[1], libm::hypot(first.x - second.x, first.y + second.y))
}
