use linsolve::BlockPattern;

use super::Voxels;
use crate::stability::numerical_stiffness;
use crate::{DampingForm, Elastic, System, Vec3, damping};

/// The spring that keeps two particles of cloth apart: f = ks (d - |x|) away from each other while they are nearer than d, with
/// the plain damper kd.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RepulsionLaw {
    /// d \[m\], > 0: nearer particles repel.
    pub distance: f64,
    /// ks and kd of a pair, where the step allows them.
    pub spring: Elastic,
    /// Largest numerical stiffness of a pair \[-\], > 0: see [`RepulsionLaw::softened`].
    pub limit: f64,
}

impl RepulsionLaw {
    /// For a mesh of `spacing` h \[m\]: d = 0.6 h \[Boxerman 2003, 3.4.2\]. The thesis gives no stiffness: 1000 N/m and 0.1 N s/m
    /// are assumptions, and so is the limit 0.2, which its adaptive splitting has for explicit springs.
    pub fn of_mesh(spacing: f64) -> RepulsionLaw {
        RepulsionLaw { distance: 0.6 * spacing, spring: Elastic { stiffness: 1000.0, damping: 0.1 }, limit: 0.2 }
    }

    /// ks and kd of a pair in a step of `dt` \[s\], `mass` \[kg\] the smaller one of the two: both are multiplied by limit / kappa
    /// where the numerical stiffness kappa = dt/m (ks dt + 2 kd) \[Boxerman 2003, eq. 4.8\] is above the limit.
    ///
    /// Where no particle is in more than p pairs, FB Euler is stable for 2 p kappa <= 4, so for ten pairs each at 0.2.
    pub fn softened(&self, dt: f64, mass: f64) -> Elastic {
        let factor = (self.limit / numerical_stiffness(dt, mass, self.spring)).min(1.0);
        Elastic { stiffness: factor * self.spring.stiffness, damping: factor * self.spring.damping }
    }

    /// Force \[N\] on particle i for `x` = x_j - x_i and `v` = v_j - v_i, |x| < d, of the given spring. Two particles at the same
    /// place have no direction: there is damping only.
    pub fn force(&self, spring: Elastic, x: Vec3, v: Vec3) -> Vec3 {
        let length = x.norm();
        let push = if length > 0.0 { spring.stiffness * (length - self.distance) / length * x } else { Vec3::zeros() };
        push + damping(DampingForm::Plain, spring.damping, x, v)
    }

    /// Energy \[J\] of a pair `length` \[m\] apart, the integral of its force: 1/2 ks (d - |x|)².
    pub fn energy(&self, spring: Elastic, length: f64) -> f64 {
        let depth = (self.distance - length).max(0.0);
        0.5 * spring.stiffness * depth * depth
    }
}

/// Repulsion of cloth by itself: every two particles that come near each other, unless a spring of the mesh joins them \[Boxerman
/// 2003, 3.4.2\].
///
/// Its forces are explicit, whatever the scheme makes of the springs: pairs come and go, while the pattern of the linear systems
/// stays. So they are limited by the step, and join no components of a decomposed system. The thesis has them implicit where
/// necessary.
///
/// It is between particles only, and friction is what the dampers give: a particle passes unhindered through the middle of a cell
/// of four, 0.71 h from each, and a folded layer under its own weight settles between the particles of the layer below it.
#[derive(Clone, Debug)]
pub struct Repulsion {
    law: RepulsionLaw,
    /// Joined by springs.
    neighbours: BlockPattern,
    voxels: Voxels,
    pair_count: usize,
}

impl Repulsion {
    /// For a system of the particles and couplings of `system`.
    pub fn new(system: &dyn System, law: RepulsionLaw) -> Repulsion {
        let count = system.particle_count();
        Repulsion { law, neighbours: BlockPattern::new(count, &system.pairs()), voxels: Voxels::new(count), pair_count: 0 }
    }

    /// The law of a pair.
    pub fn law(&self) -> &RepulsionLaw {
        &self.law
    }

    /// Pairs that repelled each other when forces were last asked for.
    pub fn pair_count(&self) -> usize {
        self.pair_count
    }

    /// Calls `found(i, j)` once for every pair nearer than d that no spring joins.
    pub fn each_pair(&mut self, x: &[Vec3], mut found: impl FnMut(usize, usize)) {
        let Repulsion { law, neighbours, voxels, .. } = self;
        voxels.each_pair(x, law.distance, |i, j| {
            if !neighbours.above(i.min(j)).any(|neighbour| neighbour == i.max(j)) {
                found(i, j);
            }
        });
    }

    /// Energy of all pairs in a step of `dt` \[s\] \[J\]; shapes \[particle_count\], masses \[kg\].
    pub fn energy(&mut self, dt: f64, masses: &[f64], x: &[Vec3]) -> f64 {
        let (law, mut sum) = (self.law, 0.0);
        self.each_pair(x, |i, j| {
            sum += law.energy(law.softened(dt, masses[i].min(masses[j])), (x[j] - x[i]).norm());
        });
        sum
    }

    /// Adds to `f` \[N\] the forces of all pairs in a step of `dt` \[s\]; all shapes \[particle_count\], masses \[kg\].
    pub fn add_forces(&mut self, dt: f64, masses: &[f64], x: &[Vec3], v: &[Vec3], f: &mut [Vec3]) {
        let law = self.law;
        let mut pair_count = 0;
        self.each_pair(x, |i, j| {
            let spring = law.softened(dt, masses[i].min(masses[j]));
            let force = law.force(spring, x[j] - x[i], v[j] - v[i]);
            f[i] += force;
            f[j] -= force;
            pair_count += 1;
        });
        self.pair_count = pair_count;
    }
}
