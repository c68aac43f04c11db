use std::sync::atomic::{AtomicU64, Ordering};

use crate::Vec3;

/// Positions or velocities of all particles, which threads read and write by turns: who writes to a particle is for [`Team`] to
/// arrange, whose rounds begin and end with what was written before.
///
/// Numbers are atomics, which need no lock. They are loaded one by one: on one thread a step takes some percent longer than with
/// plain ones.
///
/// [`Team`]: super::team::Team
#[derive(Debug)]
pub(super) struct Field(Vec<[AtomicU64; 3]>);

impl Field {
    /// Zeros.
    pub fn new(particle_count: usize) -> Field {
        Field((0..particle_count).map(|_| Default::default()).collect())
    }

    /// Takes those of all particles.
    pub fn set(&self, y: &[Vec3]) {
        y.iter().enumerate().for_each(|(particle, y)| self.put(particle, y));
    }

    /// Gives those of all particles.
    pub fn give(&self, y: &mut [Vec3]) {
        y.iter_mut().enumerate().for_each(|(particle, y)| *y = self.get(particle));
    }

    #[inline(always)]
    pub fn get(&self, particle: usize) -> Vec3 {
        let [x, y, z] = &self.0[particle];
        let number = |bits: &AtomicU64| f64::from_bits(bits.load(Ordering::Relaxed));
        Vec3::new(number(x), number(y), number(z))
    }

    /// Overwrites that of a particle.
    #[inline(always)]
    pub fn put(&self, particle: usize, y: &Vec3) {
        for (here, number) in self.0[particle].iter().zip(y) {
            here.store(number.to_bits(), Ordering::Relaxed);
        }
    }
}

impl Clone for Field {
    fn clone(&self) -> Field {
        let copy = Field::new(self.0.len());
        (0..self.0.len()).for_each(|particle| copy.put(particle, &self.get(particle)));
        copy
    }
}
