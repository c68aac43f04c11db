use std::ops::Range;

use super::TearLimits;
use crate::inextensible::Edge;
use crate::triangles::TriangleMesh;
use crate::{Memory, ModelError, State, Vec3};

/// A mesh that opens where its edges are too long, in one step after another.
///
/// In a step the edges beyond their limits are taken from the worst one on, by |x| over (1 + tau) L, ties by index. A particle at
/// an end of the edge is split along the plane through it normal to the edge: the faces around it whose middle lies on the side of the
/// edge go with a copy, the others stay. Mass goes with the faces that bring it, position and velocity are copied: mass, linear and
/// angular momentum and kinetic energy do not change. Faces stay whole, quads too.
///
/// - Of the two ends the one on the weaker seam is split, or else one on a border, where the tip of a tear lies, or else the first.
/// - A particle whose faces all lie on one side is not split, and the other end is tried.
/// - A held particle is not split: its pin clasps all cloth around it. Beside it the cloth tears at the other end.
/// - No edge tears that ends at a particle split in this step: it may not be too long any more. So none is split twice in a step.
/// - A particle of a seam that was split has no seam any more.
#[derive(Clone, Debug)]
pub struct Tearing {
    limits: TearLimits,
    /// The sides of faces.
    edges: Vec<Limited>,
    /// The particle of the whole mesh that each particle is or is a copy of.
    origins: Vec<usize>,
    /// The particle that each further particle was split from.
    parents: Vec<usize>,
}

/// An edge and the length at which it tears.
#[derive(Clone, Copy, Debug)]
struct Limited {
    ends: [usize; 2],
    /// (1 + tau) L at either end \[m\].
    longest: [f64; 2],
}

impl Limited {
    /// |x| over (1 + tau) L at the weaker end \[-\].
    fn excess(&self, x: &[Vec3]) -> f64 {
        let [i, j] = self.ends;
        (x[j] - x[i]).norm() / self.longest[0].min(self.longest[1])
    }

    /// Its ends at which it may tear, as they are tried, each with the direction to the other one \[m\].
    fn tears(&self, x: &[Vec3], borders: &[bool]) -> impl Iterator<Item = (usize, Vec3)> {
        let ([i, j], [at_i, at_j]) = (self.ends, self.longest);
        let d = x[j] - x[i];
        let order = at_j.total_cmp(&at_i).then(borders[j].cmp(&borders[i]).reverse());
        let tried = if order.is_lt() { [(j, -d, at_j), (i, d, at_i)] } else { [(i, d, at_i), (j, -d, at_j)] };
        tried.into_iter().filter(move |(_, _, longest)| d.norm() > *longest).map(|(end, d, _)| (end, d))
    }
}

/// What a tear made of a mesh.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The mesh with its triangles in their order, and copies behind all other particles.
    pub mesh: TriangleMesh,
    /// The particle that each copy was split from.
    pub parents: Vec<usize>,
}

impl Opening {
    /// Adds the copies to a state, where their parents are and as fast.
    pub fn carry(&self, state: &mut State) {
        for &parent in &self.parents {
            state.x.push(state.x[parent]);
            state.v.push(state.v[parent]);
        }
    }
}

impl Tearing {
    /// Of a whole `mesh`.
    pub fn new(mesh: &TriangleMesh, limits: TearLimits) -> Tearing {
        let origins: Vec<usize> = (0..mesh.particle_count()).collect();
        Tearing { edges: edges(mesh, &limits, &origins), limits, origins, parents: vec![] }
    }

    /// The particle of the whole mesh that each particle is or is a copy of, shape \[particle_count\].
    pub fn origins(&self) -> &[usize] {
        &self.origins
    }

    /// The particle that each particle behind those of the whole mesh was split from, which comes before it.
    pub fn parents(&self) -> &[usize] {
        &self.parents
    }

    /// Writes down, or reads back, what was opened of a `mesh`, which is whole where it is read; read, the open mesh.
    ///
    /// # Errors
    /// Words that are not of an opening of this mesh.
    pub fn remember(&mut self, mesh: &TriangleMesh, memory: &mut Memory) -> Result<Option<TriangleMesh>, ModelError> {
        let mut corners: Vec<usize> = mesh.triangles().iter().flat_map(|triangle| triangle.corners).collect();
        memory.indices(&mut self.parents);
        memory.indices(&mut corners);
        if !memory.is_read() {
            return Ok(None);
        }
        let whole = self.origins.len();
        let is_before = |(k, parent): (usize, &usize)| *parent < whole + k;
        let (corners, rest) = corners.as_chunks::<3>();
        if corners.len() != mesh.triangles().len() || !rest.is_empty() || !self.parents.iter().enumerate().all(is_before) {
            return Err(ModelError::Memory);
        }
        let opened = mesh.opened(&self.parents, corners.to_vec()).map_err(|_| ModelError::Memory)?;
        for &parent in &self.parents {
            let origin = self.origins[parent];
            self.limits.release(origin);
            self.origins.push(origin);
        }
        self.edges = edges(&opened, &self.limits, &self.origins);
        Ok(Some(opened))
    }

    /// Whether an edge is too long at positions `x` \[m\].
    pub fn exceeds(&self, x: &[Vec3]) -> bool {
        self.edges.iter().any(|edge| edge.excess(x) > 1.0)
    }

    /// Opens `mesh`, as this left it last, at positions `x` \[m\]; none where nothing tears, which allocates nothing.
    ///
    /// # Panics
    /// Where `mesh`, `pinned` and `x` differ in their numbers of particles.
    pub fn tear(&mut self, mesh: &TriangleMesh, pinned: &[bool], x: &[Vec3]) -> Option<Opening> {
        assert!(
            self.origins.len() == mesh.particle_count() && pinned.len() == x.len() && x.len() == self.origins.len(),
            "particles"
        );
        let excess = |edge: &Limited| edge.excess(x);
        let mut torn: Vec<(f64, usize)> = self.edges.iter().map(excess).zip(0..).filter(|(excess, _)| *excess > 1.0).collect();
        if torn.is_empty() {
            return None;
        }
        torn.sort_unstable_by(|(one, k), (other, l)| other.total_cmp(one).then(k.cmp(l)));
        let (borders, mut cut) = (borders(mesh), Cut::new(mesh, x));
        for (_, edge) in torn {
            let edge = &self.edges[edge];
            if !edge.ends.iter().any(|end| cut.split[*end]) {
                edge.tears(x, &borders).any(|(end, normal)| !pinned[end] && cut.split(end, normal));
            }
        }
        let opening = cut.opening()?;
        for &parent in &opening.parents {
            let origin = self.origins[parent];
            self.limits.release(origin);
            self.origins.push(origin);
            self.parents.push(parent);
        }
        self.edges = edges(&opening.mesh, &self.limits, &self.origins);
        Some(opening)
    }
}

/// The sides of the faces of a mesh with their limits.
fn edges(mesh: &TriangleMesh, limits: &TearLimits, origins: &[usize]) -> Vec<Limited> {
    let limited = |Edge { i, j, rest }| {
        let of = [origins[i], origins[j]];
        Limited { ends: [i, j], longest: [limits.at(of[0], of[1]) * rest, limits.at(of[1], of[0]) * rest] } // (1 + tau) L
    };
    mesh.sides().into_iter().map(limited).collect()
}

/// Which particles lie on a border: at an edge of one triangle only.
fn borders(mesh: &TriangleMesh) -> Vec<bool> {
    let mut open = vec![0_i64; mesh.particle_count()];
    mesh.edges().iter().flatten().for_each(|&end| open[end] += 1);
    mesh.hinges().iter().flat_map(|hinge| hinge.edge).for_each(|end| open[end] -= 1);
    open.into_iter().map(|open| open > 0).collect()
}

/// A mesh while particles of it are split.
struct Cut<'a> {
    mesh: &'a TriangleMesh,
    /// Middles of the faces \[m\].
    middles: Vec<Vec3>,
    x: &'a [Vec3],
    /// The triangles of each face.
    triangles: Vec<Range<usize>>,
    /// Faces around the particles, one particle after the other, and where those of each begin.
    around: Vec<usize>,
    begins: Vec<usize>,
    /// Corners of the triangles as they become.
    corners: Vec<[usize; 3]>,
    parents: Vec<usize>,
    /// Which particles were split.
    split: Vec<bool>,
}

impl<'a> Cut<'a> {
    fn new(mesh: &'a TriangleMesh, x: &'a [Vec3]) -> Cut<'a> {
        let (mut middles, mut triangles, mut begins, mut behind) = (vec![], vec![], vec![0; x.len() + 1], 0);
        for face in mesh.faces() {
            let sum = face.corners().fold(Vec3::zeros(), |sum, corner| sum + x[corner]);
            middles.push(sum / face.corner_count() as f64);
            triangles.push(behind..behind + face.corner_count() - 2);
            behind += face.corner_count() - 2;
            face.corners().for_each(|corner| begins[corner + 1] += 1);
        }
        (0..x.len()).for_each(|k| begins[k + 1] += begins[k]);
        let (mut around, mut next) = (vec![0; begins[x.len()]], begins.clone());
        for (number, face) in mesh.faces().enumerate() {
            for corner in face.corners() {
                around[next[corner]] = number;
                next[corner] += 1;
            }
        }
        let corners = mesh.triangles().iter().map(|triangle| triangle.corners).collect();
        Cut { mesh, middles, x, triangles, around, begins, corners, parents: vec![], split: vec![false; x.len()] }
    }

    /// Splits a particle along the plane through it with a `normal`, on whose side a copy takes the faces; whether it has faces on
    /// both sides.
    fn split(&mut self, particle: usize, normal: Vec3) -> bool {
        let faces = &self.around[self.begins[particle]..self.begins[particle + 1]];
        let is_beyond = |face: usize| normal.dot(&(self.middles[face] - self.x[particle])) >= 0.0;
        let beyond = faces.iter().filter(|face| is_beyond(**face)).count();
        let copy = self.x.len() + self.parents.len();
        if beyond == 0 || beyond == faces.len() || copy >= TriangleMesh::LIMIT {
            return false;
        }
        for &face in faces.iter().filter(|face| is_beyond(**face)) {
            let corners = self.corners[self.triangles[face].clone()].iter_mut().flatten();
            corners.filter(|corner| **corner == particle).for_each(|corner| *corner = copy);
        }
        self.parents.push(particle);
        self.split[particle] = true;
        true
    }

    /// What came of it; none where nothing was split.
    fn opening(self) -> Option<Opening> {
        if self.parents.is_empty() {
            return None;
        }
        let mesh = self.mesh.opened(&self.parents, self.corners).ok()?; // a split joins nothing: there is no edge of more triangles
        Some(Opening { mesh, parents: self.parents })
    }
}
