use crate::{System, Vec3};

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

    fn add_explicit_forces(&self, implicit: &[bool], x: &[Vec3], v: &[Vec3], f: &mut [Vec3]) {
        self.system.add_explicit_forces(implicit, x, v, f);
        f.iter_mut().zip(self.forces).for_each(|(f, u)| *f += u);
    }

    // not its sheet: linear systems on that grid would leave the forces out
    crate::pass_on! {
        system: largest_stretch, strain_energy, unforeseen_strain, masses, pinned, guides, resistance, coupling_count, pairs,
        choices_follow, choose_implicit, joined_by, add_linearised, add_curvatures,
        potential, triangles
    }
}
