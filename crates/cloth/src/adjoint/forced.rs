use linsolve::{BlockRows, Constraint};

use crate::implicit::Splitting;
use crate::triangles::TriangleMesh;
use crate::{Linearisation, Potential, State, System, Vec3};

/// A system under further forces on its particles, which depend neither on positions nor on velocities.
pub struct Forced<'a> {
    /// What they act on.
    pub system: &'a dyn System,
    /// u \[N\], shape \[particle_count\].
    pub forces: &'a [Vec3],
}

impl System for Forced<'_> {
    fn accelerate(&self, x: &[Vec3], v: &[Vec3], a: &mut [Vec3]) {
        self.system.accelerate(x, v, a);
        for (((a, u), m), pinned) in a.iter_mut().zip(self.forces).zip(self.masses()).zip(self.pinned()) {
            if !pinned {
                *a += u / *m;
            }
        }
    }

    fn largest_stretch(&self, x: &[Vec3]) -> f64 {
        self.system.largest_stretch(x)
    }

    fn masses(&self) -> &[f64] {
        self.system.masses()
    }

    fn pinned(&self) -> &[bool] {
        self.system.pinned()
    }

    fn coupling_count(&self) -> usize {
        self.system.coupling_count()
    }

    fn pairs(&self) -> Vec<(usize, usize)> {
        self.system.pairs()
    }

    fn choose_implicit(&self, splitting: &Splitting, dt: f64, state: &State, implicit: &mut [bool]) {
        self.system.choose_implicit(splitting, dt, state, implicit);
    }

    fn joined_by(&self, coupling: usize, x: &[Vec3]) -> Option<(usize, usize)> {
        self.system.joined_by(coupling, x)
    }

    fn add_explicit_forces(&self, implicit: &[bool], x: &[Vec3], v: &[Vec3], f: &mut [Vec3]) {
        self.system.add_explicit_forces(implicit, x, v, f);
        f.iter_mut().zip(self.forces).for_each(|(f, u)| *f += u);
    }

    fn add_linearised(&self, at: &Linearisation, implicit: &[bool], a: &mut BlockRows, b: &mut [Vec3]) {
        self.system.add_linearised(at, implicit, a, b);
    }

    fn guides(&self) -> &[(usize, Constraint)] {
        self.system.guides()
    }

    fn add_curvatures(&self, h: f64, add: &mut dyn FnMut(usize, usize, f64)) {
        self.system.add_curvatures(h, add);
    }

    fn potential(&self, x: &[Vec3], v: &[Vec3]) -> Option<Potential> {
        self.system.potential(x, v)
    }

    fn triangles(&self) -> Option<&TriangleMesh> {
        self.system.triangles()
    }
}
