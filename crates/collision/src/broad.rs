//! Which vertices and faces, and which edges, may meet within a step: those whose boxes do.

use std::ops::ControlFlow;

use linsolve::lanes::{InstructionSet, Kernel, Lanes};

use crate::apart::{EdgesAndEdges, Particles, VerticesAndFaces, keep_near};
use crate::bounds::{Bounds, Frame, Rough};
use crate::continuous::SLACK;
use crate::halves::halves;
use crate::kept::Kept;
use crate::neighbours::Neighbours;
use crate::patches::Patches;
use crate::{Closest, Impact, Motion, Surface, Tree, Vec3, edge_edge, of_edges, of_vertex, vertex_face};

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

/// Boxes over a step in single precision.
#[derive(Clone, Debug)]
struct Boxes {
    vertices: Vec<Rough>,
    edges: Vec<Rough>,
    faces: Vec<Rough>,
}

impl Boxes {
    #[inline(always)]
    fn place(&mut self, surface: &Surface, ways: [&[Vec3]; 2], beyond: f64, frame: &Frame) {
        let Boxes { vertices, edges, faces } = self;
        for (own, (from, to)) in vertices.iter_mut().zip(ways[0].iter().zip(ways[1])) {
            *own = Rough::of(&Bounds::of([from, to], beyond), frame);
        }
        for (own, ends) in edges.iter_mut().zip(surface.edges()) {
            *own = vertices[ends[0] as usize].with(&vertices[ends[1] as usize]);
        }
        for (own, corners) in faces.iter_mut().zip(surface.faces()) {
            let [a, b, c] = corners.map(|corner| &vertices[corner as usize]);
            *own = a.with(b).with(c);
        }
    }
}

/// The pairs of a surface that may meet, found by a tree over its faces.
#[derive(Clone, Debug)]
pub struct Candidates {
    surface: Surface,
    neighbours: Neighbours,
    tree: Tree,
    patches: Patches,
    boxes: Boxes,
    /// Faces without a particle in common, vertices and faces, edges, whose boxes meet.
    face_face: Kept,
    vertex_face: Kept,
    edge_edge: Kept,
    pairs: Vec<Pair>,
}

impl Candidates {
    /// None yet.
    pub fn new(surface: Surface) -> Candidates {
        let around = surface.around();
        let tree = Tree::of_halves(halves(&surface, &around));
        Candidates {
            neighbours: Neighbours::of(&surface, &around),
            patches: Patches::new(&surface, &around, tree.leaves()),
            boxes: Boxes {
                vertices: vec![Rough::NONE; surface.particle_count()],
                edges: vec![Rough::NONE; surface.edges().len()],
                faces: vec![Rough::NONE; surface.faces().len()],
            },
            surface,
            tree,
            face_face: Kept::default(),
            vertex_face: Kept::default(),
            edge_edge: Kept::default(),
            pairs: vec![],
        }
    }

    /// Whose pairs these are.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// Finds the pairs that may come within `thickness` \[m\] of each other on straight ways from `start` to `end` \[m\], shapes
    /// \[particle_count\]; none of them shares a particle. Which they are, and their order, depends on the surface and these
    /// numbers alone.
    pub fn find(&mut self, start: &[Vec3], end: &[Vec3], thickness: f64) -> &[Pair] {
        _ = self.find_on(InstructionSet::best(), [start, end], thickness, usize::MAX);
        &self.pairs
    }

    /// As [`Candidates::find`], but none where the boxes of more than `most` faces, vertices and faces, or edges meet: neither memory
    /// nor time grows further then.
    pub fn find_at_most(&mut self, most: usize, start: &[Vec3], end: &[Vec3], thickness: f64) -> Option<&[Pair]> {
        let found = self.find_on(InstructionSet::best(), [start, end], thickness, most);
        found.is_continue().then_some(&self.pairs)
    }

    /// Finds the pairs, unless there are more than `most` of boxes.
    fn find_on(&mut self, set: InstructionSet, ways: [&[Vec3]; 2], thickness: f64, most: usize) -> ControlFlow<()> {
        let all = Bounds::of(ways[0].iter().chain(ways[1]), 0.0);
        let size = all.low.into_iter().chain(all.high).map(f64::abs).fold(0.0, f64::max);
        // each of two boxes takes half of what continuous tests call near, whose slack is of a way that is at most 4 sqrt(3) times
        // this size
        let beyond = 0.5 * thickness + 3.5 * SLACK * size;
        set.run(Find { candidates: self, ways, beyond, frame: Frame::about(&all), most })?;
        let Candidates { surface, vertex_face, edge_edge, pairs, .. } = self;
        let exact = |particles: &[u32]| Bounds::of(particles.iter().flat_map(|k| ways.map(|x| &x[*k as usize])), beyond);
        let meet = |pair: &[u32; 4], first: usize| exact(&pair[..first]).meets(&exact(&pair[first..]));
        let vertex_face = vertex_face.iter().map(|pair| VerticesAndFaces(surface.faces()).particles(pair));
        let edge_edge = edge_edge.iter().map(|pair| EdgesAndEdges(surface.edges()).particles(pair));
        pairs.clear();
        pairs.extend(vertex_face.filter(|pair| meet(pair, 1)).map(Pair::VertexFace));
        pairs.extend(edge_edge.filter(|pair| meet(pair, 2)).map(Pair::EdgeEdge));
        ControlFlow::Continue(())
    }

    /// Adds neighbours whose boxes meet.
    #[inline(always)]
    fn meet_neighbours(&mut self) {
        let boxes = &self.boxes;
        for &pair @ [vertex, face] in &self.neighbours.vertex_face {
            let limits = boxes.faces[face as usize].limits();
            self.vertex_face.offer(pair, boxes.vertices[vertex as usize].meets(&limits));
        }
        for &pair @ [one, other] in &self.neighbours.edge_edge {
            let limits = boxes.edges[other as usize].limits();
            self.edge_edge.offer(pair, boxes.edges[one as usize].meets(&limits));
        }
    }

    /// Adds what meets by its boxes of faces without a particle in common, unless there are more than `most` of them.
    #[inline(always)]
    fn meet_others(&mut self, least: f64, most: usize) -> ControlFlow<()> {
        let Candidates { surface, tree, patches, boxes, face_face, vertex_face, edge_edge, .. } = self;
        face_face.clear();
        let but = |one: usize, other: usize| patches.apart_or_sharing(one, other, least);
        let within = |count: usize| if count > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        tree.pairs_but(but, |one, other| {
            face_face.offer([one, other], true);
            within(face_face.count())
        })?;
        for [one, other] in face_face.iter() {
            for (own, across) in [(one, other), (other, one)] {
                let limits = boxes.faces[*across as usize].limits();
                for &vertex in surface.vertices_of(*own) {
                    vertex_face.offer([vertex, *across], boxes.vertices[vertex as usize].meets(&limits));
                }
            }
            for edge in surface.edges_of(*one) {
                let limits = boxes.edges[edge as usize].limits();
                for against in surface.edges_of(*other) {
                    edge_edge.offer([edge, against], boxes.edges[against as usize].meets(&limits));
                }
            }
            within(vertex_face.count().max(edge_edge.count()))?;
        }
        ControlFlow::Continue(())
    }
}

/// What of the search is compiled for each instruction set.
struct Find<'a> {
    candidates: &'a mut Candidates,
    ways: [&'a [Vec3]; 2],
    /// How much larger than what they hold boxes are \[m\].
    beyond: f64,
    frame: Frame,
    /// Most pairs of boxes.
    most: usize,
}

impl Kernel for Find<'_> {
    type Output = ControlFlow<()>;

    /// Its loops are over arrays, whatever the lanes.
    #[inline(always)]
    fn run<E: Lanes<Number = f64>>(self) -> ControlFlow<()> {
        let Find { candidates, ways, beyond, frame, most } = self;
        let least = 2.0 * beyond;
        candidates.boxes.place(&candidates.surface, ways, beyond, &frame);
        candidates.tree.refit_with(|face| candidates.boxes.faces[face as usize]);
        candidates.patches.place(ways);
        candidates.vertex_face.clear();
        candidates.edge_edge.clear();
        candidates.meet_neighbours();
        candidates.meet_others(least, most)?;
        let Candidates { surface, vertex_face, edge_edge, .. } = candidates;
        keep_near(vertex_face, VerticesAndFaces(surface.faces()), ways, least);
        keep_near(edge_edge, EdgesAndEdges(surface.edges()), ways, least);
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
pub(crate) mod tests {
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
            slow in prop_oneof![Just(1.0), 0.0..0.1],
            scale in prop_oneof![Just(1.0), Just(1e-12), Just(1e6)],
            offset in prop_oneof![Just(0.0), Just(1e3)],
        ) {
            let moved = |x: Vec<Vec3>| -> Vec<Vec3> { x.into_iter().map(|x| scale * (x + offset * Vec3::y())).collect() };
            let end = start.iter().zip(end).map(|(start, end)| start + slow * (end - start)).collect();
            let (start, end, thickness) = (moved(start), moved(end), scale * thickness);
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
            let mut candidates = Candidates::new(surface);
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

    #[test]
    fn every_instruction_set_finds_the_same_pairs_in_the_same_order() {
        let n = 30;
        let rolled = |k: u32, turn: f64| {
            let (sin, cos) = libm::sincos(turn * f64::from(k % n));
            let radius = 1.0 + 0.002 * f64::from(k % n);
            Vec3::new(radius * cos, radius * sin, 0.1 * f64::from(k / n))
        };
        let ways = [0.5, 0.51].map(|turn| (0..n * n).map(|k| rolled(k, turn)).collect::<Vec<Vec3>>());
        let mut candidates = Candidates::new(Surface::new(grid(n), (n * n) as usize).unwrap());
        let expected = candidates.find(&ways[0], &ways[1], 0.01).to_vec();
        assert!(expected.len() > 100 && expected.iter().any(|pair| matches!(pair, Pair::VertexFace(_))), "{}", expected.len());
        for set in InstructionSet::supported() {
            _ = candidates.find_on(set, [&ways[0], &ways[1]], 0.01, usize::MAX);
            assert_eq!(candidates.pairs, expected, "{set:?}");
        }
    }

    #[test]
    fn what_is_crowded_takes_no_more_memory_than_it_may() {
        let n = 30;
        let flat: Vec<Vec3> = (0..n * n).map(|k| Vec3::new(f64::from(k % n), f64::from(k / n), 0.0)).collect();
        let through = flat.iter().map(|x| Vec3::new(14.0, 14.0, 5.0) - 0.5 * x).collect::<Vec<Vec3>>();
        let mut candidates = Candidates::new(Surface::new(grid(n), (n * n) as usize).unwrap());
        let most = 20 * flat.len();
        assert!(candidates.find_at_most(most, &flat, &flat, 0.01).is_some_and(<[Pair]>::is_empty));
        assert!(candidates.find_at_most(most, &flat, &through, 0.01).is_none());
        let kept = [&candidates.face_face, &candidates.vertex_face, &candidates.edge_edge].map(Kept::count);
        assert!(kept.iter().all(|count| *count <= most + 64), "{kept:?}"); // of one leaf beside another
        let all = candidates.find(&flat, &through, 0.01).len();
        assert!(candidates.face_face.count() > 5 * most && all > most, "{all}");
    }

    /// A vertex that passes below a face, whose boxes meet in single precision in any case.
    #[test]
    fn exact_boxes_have_the_last_word() {
        let thickness = 0.01;
        let touching = thickness + 7.0 * SLACK * 10.0;
        for (height, meets) in [(touching - 1e-12, true), (touching + 1e-12, false)] {
            let at = |x: f64| {
                let moving = [[x, 0.0, 0.0], [x, -1.0, 0.0], [x, -1.0, 0.5]];
                let still = [[3.0, height, -1.0], [3.0, height, 1.0], [3.5, height, 0.0]];
                moving.into_iter().chain(still).map(Vec3::from).collect::<Vec<Vec3>>()
            };
            let mut candidates = Candidates::new(Surface::new(vec![[0, 1, 2], [3, 4, 5]], 6).unwrap());
            let found = candidates.find(&at(0.0), &at(10.0), thickness);
            assert_eq!(found.contains(&Pair::VertexFace([0, 3, 4, 5])), meets, "{height}: {found:?}");
        }
    }
}
