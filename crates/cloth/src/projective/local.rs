use linsolve::lanes::InstructionSet;

use crate::{GridSprings, State, System, Terms, Vec3};

/// The local step: forces that draw every coupling to what it is projected on, those of a sheet eight at a time.
pub(crate) struct Local {
    springs: Option<GridSprings>,
    /// Which springs are left out: none.
    left_out: Vec<bool>,
    set: InstructionSet,
}

impl Local {
    /// For the couplings of `system`.
    pub fn new(system: &dyn System) -> Local {
        Local {
            springs: system.sheet().and_then(|cloth| GridSprings::new(cloth, Terms::Filtered)),
            left_out: vec![false; system.coupling_count()],
            set: InstructionSet::best(),
        }
    }

    /// Overwrites `a` \[m/s²\] with M⁻¹ f(x, v), zero where a particle is held.
    pub fn accelerate(&mut self, system: &dyn System, state: &State, a: &mut [Vec3]) {
        let (Some(springs), Some(cloth)) = (&mut self.springs, system.sheet()) else {
            return system.accelerate(&state.x, &state.v, a);
        };
        a.fill(Vec3::zeros());
        springs.add_explicit_forces(cloth, state, &self.left_out, self.set, a);
        let air = cloth.material().air;
        for (((a, v), m), pinned) in a.iter_mut().zip(&state.v).zip(system.masses()).zip(system.pinned()) {
            *a = if *pinned { Vec3::zeros() } else { (*a - air * v) / *m };
        }
    }
}
