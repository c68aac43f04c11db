use std::cell::Cell;

use crate::{System, Vec3};

/// A system that counts the evaluations of all its forces; those of a part of them are in the work of a scheme.
pub struct Counted<'a> {
    system: &'a dyn System,
    evaluations: Cell<u64>,
}

impl<'a> Counted<'a> {
    /// Counts from zero.
    pub fn new(system: &'a dyn System) -> Counted<'a> {
        Counted { system, evaluations: Cell::new(0) }
    }

    /// Evaluations so far.
    pub fn evaluations(&self) -> u64 {
        self.evaluations.get()
    }
}

impl System for Counted<'_> {
    fn accelerate(&self, x: &[Vec3], v: &[Vec3], a: &mut [Vec3]) {
        self.evaluations.set(self.evaluations.get() + 1);
        self.system.accelerate(x, v, a);
    }

    crate::pass_on! {
        system: largest_stretch, strain_energy, unforeseen_strain, masses, pinned, guides, resistance, coupling_count, pairs,
        choices_follow, choose_implicit, joined_by, add_explicit_forces,
        add_linearised, add_curvatures, potential, sheet, triangles
    }
}
