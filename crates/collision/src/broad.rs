//! Which vertices and faces, and which edges, may meet within a step: those whose boxes do.

use crate::continuous::SLACK;
use crate::surface::NONE;
use crate::{Bounds, Closest, Impact, Motion, Surface, Tree, Vec3, edge_edge, of_edges, of_vertex, vertex_face};

/// Four particles that may meet.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Pair {
    /// A vertex, and the corners of a face.
    VertexFace([u32; 4]),
    /// The ends of two edges.
    EdgeEdge([u32; 4]),
}

impl Pair {
    /// Its particles.
    pub fn particles(self) -> [u32; 4] {
        let (Pair::VertexFace(particles) | Pair::EdgeEdge(particles)) = self;
        particles
    }

    /// Its closest points at places x \[m\], shape \[particle_count\].
    pub fn closest(self, x: &[Vec3]) -> Closest {
        let places = self.particles().map(|particle| x[particle as usize]);
        match self {
            Pair::VertexFace(_) => of_vertex(&places),
            Pair::EdgeEdge(_) => of_edges(&places),
        }
    }

    /// When it comes within `thickness` \[m\], as in [`vertex_face`] and [`edge_edge`].
    pub fn impact(self, start: &[Vec3], end: &[Vec3], thickness: f64) -> Option<Impact> {
        let motion = self.motion(start, end);
        match self {
            Pair::VertexFace(_) => vertex_face(&motion, thickness),
            Pair::EdgeEdge(_) => edge_edge(&motion, thickness),
        }
    }

    /// How its particles move.
    pub fn motion(self, start: &[Vec3], end: &[Vec3]) -> Motion {
        let of = |x: &[Vec3]| self.particles().map(|particle| x[particle as usize]);
        Motion { start: of(start), end: of(end) }
    }
}

/// A face over a step: the plane beside it, and where it lies across that at both ends.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Slab {
    /// Of length one; zero where the face has no area.
    normal: Vec3,
    /// Least and largest places of its corners along the normal \[m\].
    ends: [[f64; 2]; 2],
}

impl Slab {
    const NONE: Slab = Slab { normal: Vec3::new(0.0, 0.0, 0.0), ends: [[0.0; 2]; 2] };

    fn of(face: [u32; 3], ways: [&[Vec3]; 2]) -> Slab {
        let [a, b, c] = face.map(|corner| ways[0][corner as usize] + ways[1][corner as usize]);
        let normal = (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_default();
        Slab { normal, ends: ways.map(|x| span(face, x, &normal)) }
    }

    /// Whether another face is more than `least` \[m\] off, on one side over the whole step.
    #[inline]
    fn is_off(&self, face: [u32; 3], ways: [&[Vec3]; 2], least: f64) -> bool {
        are_apart(self.ends, ways.map(|x| span(face, x, &self.normal)), least)
    }
}

/// Least and largest places along a normal.
#[inline]
fn span<const N: usize>(particles: [u32; N], x: &[Vec3], normal: &Vec3) -> [f64; 2] {
    let first = normal.dot(&x[particles[0] as usize]);
    particles[1..].iter().fold([first; 2], |[low, high], particle| {
        let place = normal.dot(&x[*particle as usize]);
        [low.min(place), high.max(place)]
    })
}

/// Whether two spans are more than `least` apart, the same one beyond the other at both ends: gaps change linearly between.
#[inline]
fn are_apart(one: [[f64; 2]; 2], other: [[f64; 2]; 2], least: f64) -> bool {
    (one[0][0] - other[0][1] > least && one[1][0] - other[1][1] > least)
        || (other[0][0] - one[0][1] > least && other[1][0] - one[1][1] > least)
}

/// Whether a plane across the line between their middles keeps two bodies more than `least` \[m\] apart over the whole step. It
/// does so with neighbours in a sheet, whose boxes touch without end.
#[inline]
fn are_kept_apart<const A: usize, const B: usize>(one: [u32; A], other: [u32; B], ways: [&[Vec3]; 2], least: f64) -> bool {
    let along = |particle: &u32| ways[0][*particle as usize] + ways[1][*particle as usize];
    let normal = one.iter().map(along).sum::<Vec3>() / A as f64 - other.iter().map(along).sum::<Vec3>() / B as f64;
    let [one, other] = [ways.map(|x| span(one, x, &normal)), ways.map(|x| span(other, x, &normal))];
    are_apart(one, other, least * normal.norm())
}

/// The pairs of a surface that may meet, found by a tree over its faces.
#[derive(Clone, Debug)]
pub struct Candidates {
    surface: Surface,
    tree: Tree,
    /// Boxes over the step: of faces, of vertices, of edges.
    faces: Vec<Bounds>,
    vertices: Vec<Bounds>,
    edges: Vec<Bounds>,
    slabs: Vec<Slab>,
    pairs: Vec<Pair>,
}

impl Candidates {
    /// None yet, with a tree for the places x \[m\], shape \[particle_count\]: better for places near these than for others.
    pub fn new(surface: Surface, x: &[Vec3]) -> Candidates {
        let boxes = |of: &[[u32; 3]]| -> Vec<Bounds> {
            of.iter().map(|corners| Bounds::of(corners.iter().map(|corner| &x[*corner as usize]), 0.0)).collect()
        };
        let faces = boxes(surface.faces());
        let (vertices, edges) = (vec![Bounds::NONE; x.len()], vec![Bounds::NONE; surface.edges().len()]);
        let slabs = vec![Slab::NONE; faces.len()];
        Candidates { tree: Tree::new(&faces), surface, faces, vertices, edges, slabs, pairs: vec![] }
    }

    /// Whose pairs these are.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// Finds the pairs that may come within `thickness` \[m\] of each other on straight ways from `start` to `end` \[m\], shapes
    /// \[particle_count\]; none of them shares a particle. Their order depends on the surface and these places alone.
    pub fn find(&mut self, start: &[Vec3], end: &[Vec3], thickness: f64) -> &[Pair] {
        let size = start.iter().chain(end).map(|x| x.amax()).fold(0.0, f64::max);
        // each of two boxes takes half of what continuous tests call near, whose slack is of a way that is at most 4 sqrt(3) times
        // this size
        let beyond = 0.5 * thickness + 3.5 * SLACK * size;
        let (ways, least) = ([start, end], 2.0 * beyond);
        for (own, (from, to)) in self.vertices.iter_mut().zip(start.iter().zip(end)) {
            *own = Bounds::of([from, to], beyond);
        }
        for (own, ends) in self.edges.iter_mut().zip(self.surface.edges()) {
            *own = self.vertices[ends[0] as usize].with(&self.vertices[ends[1] as usize]);
        }
        for (own, corners) in self.faces.iter_mut().zip(self.surface.faces()) {
            let [a, b, c] = corners.map(|corner| &self.vertices[corner as usize]);
            *own = a.with(b).with(c);
        }
        for (own, corners) in self.slabs.iter_mut().zip(self.surface.faces()) {
            *own = Slab::of(*corners, ways);
        }
        self.tree.refit(&self.faces);
        let Candidates { surface, tree, faces, vertices, edges, slabs, pairs } = self;
        pairs.clear();
        tree.pairs(|one, other| {
            let both = [one, other].map(|face| surface.faces()[face as usize]);
            let [mine, theirs] = [one, other].map(|face| &slabs[face as usize]);
            let share = both[0].iter().any(|corner| both[1].contains(corner)); // these are not apart as a whole
            if !share
                && (mine.is_off(both[1], ways, least)
                    || are_kept_apart(both[0], both[1], ways, least)
                    || theirs.is_off(both[0], ways, least))
            {
                return;
            }
            for (own, across) in [(one, other), (other, one)].map(|(a, b)| (a as usize, b as usize)) {
                let (corners, face) = (surface.faces()[own], surface.faces()[across]);
                for k in (0..3).filter(|&k| surface.vertices_of[own][k]) {
                    let near = || vertices[corners[k] as usize].meets(&faces[across]);
                    if !face.contains(&corners[k]) && near() && !are_kept_apart([corners[k]], face, ways, least) {
                        pairs.push(Pair::VertexFace([corners[k], face[0], face[1], face[2]]));
                    }
                }
            }
            let [mine, theirs] = [one, other].map(|face| surface.edges_of[face as usize]);
            for edge in mine.into_iter().filter(|edge| *edge != NONE) {
                let [a, b] = surface.edges()[edge as usize];
                for against in theirs.into_iter().filter(|edge| *edge != NONE) {
                    let ends = surface.edges()[against as usize];
                    let near = || edges[edge as usize].meets(&edges[against as usize]);
                    if !ends.contains(&a) && !ends.contains(&b) && near() && !are_kept_apart([a, b], ends, ways, least) {
                        pairs.push(Pair::EdgeEdge([a, b, ends[0], ends[1]]));
                    }
                }
            }
        });
        &self.pairs
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A grid of n x n particles as triangles.
    pub(crate) fn grid(n: u32) -> Vec<[u32; 3]> {
        let cells = (0..n - 1).flat_map(|j| (0..n - 1).map(move |i| j * n + i));
        cells.flat_map(|k| [[k, k + 1, k + n], [k + 1, k + n + 1, k + n]]).collect()
    }

    fn places(count: usize) -> impl Strategy<Value = Vec<Vec3>> {
        prop::collection::vec(prop::array::uniform3(-1.0..1.0).prop_map(Vec3::from), count)
    }

    proptest! {
        #[test]
        fn candidates_are_those_of_all_against_all_but_for_what_a_plane_keeps_apart(
            start in places(25),
            end in places(25),
            thickness in 0.0..0.3,
        ) {
            let surface = Surface::new(grid(5), 25).unwrap();
            let beyond = |points: &[u32]| {
                let of = |x: &[Vec3]| points.iter().map(|&k| x[k as usize]).collect::<Vec<Vec3>>();
                let size = start.iter().chain(&end).map(|x| x.amax()).fold(0.0, f64::max);
                Bounds::of(of(&start).iter().chain(&of(&end)), 0.5 * thickness + 3.5 * SLACK * size)
            };
            let mut expected = vec![];
            for face in surface.faces() {
                for vertex in (0..25).filter(|vertex| !face.contains(vertex)) {
                    if beyond(&[vertex]).meets(&beyond(face)) {
                        expected.push(Pair::VertexFace([vertex, face[0], face[1], face[2]]));
                    }
                }
            }
            let edges = surface.edges();
            for (k, one) in edges.iter().enumerate() {
                for other in &edges[k + 1..] {
                    if !one.iter().any(|end| other.contains(end)) && beyond(one).meets(&beyond(other)) {
                        let (low, high) = (one.min(other), one.max(other));
                        expected.push(Pair::EdgeEdge([low[0], low[1], high[0], high[1]]));
                    }
                }
            }
            let mut candidates = Candidates::new(surface, &start);
            let sorted = |pair: &Pair| match *pair {
                Pair::EdgeEdge([a, b, c, d]) if [c, d] < [a, b] => Pair::EdgeEdge([c, d, a, b]),
                other => other,
            };
            let mut found: Vec<Pair> = candidates.find(&start, &end, thickness).iter().map(sorted).collect();
            found.sort_unstable();
            expected.sort_unstable();
            let missing: Vec<Pair> = expected.iter().filter(|pair| found.binary_search(pair).is_err()).copied().collect();
            prop_assert!(found.iter().all(|pair| expected.binary_search(pair).is_ok()));
            for pair in missing {
                prop_assert_eq!(pair.impact(&start, &end, thickness), None, "{:?}", pair);
            }
        }
    }
}
