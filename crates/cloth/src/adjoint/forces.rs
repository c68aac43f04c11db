use std::ops::Range;

use thiserror::Error;

use crate::Vec3;

/// Where and when a run is forced: on some particles, by forces that are constant over intervals of steps. The forces u \[N\]
/// themselves come apart, shape \[interval\]\[particle\].
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Forces {
    particles: Vec<usize>,
    intervals: Vec<Range<usize>>,
}

/// Intervals that leave open which force acts.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[allow(missing_docs)] // messages say what their numbers are
pub enum InvalidForces {
    /// Nothing in an interval, or no interval after the one before.
    #[error("interval {interval} of the forces has no step, or begins before the end of the one before it")]
    Interval { interval: usize },
    /// A particle that is named twice.
    #[error("particle {particle} is forced twice")]
    Twice { particle: usize },
}

impl Forces {
    /// On `particles`, over `intervals` of steps, which are counted from zero.
    ///
    /// # Errors
    /// Intervals that are empty, overlap or do not ascend; a particle named twice.
    pub fn new(particles: Vec<usize>, intervals: Vec<Range<usize>>) -> Result<Forces, InvalidForces> {
        let mut end = 0;
        for (interval, steps) in intervals.iter().enumerate() {
            if steps.start < end || steps.is_empty() {
                return Err(InvalidForces::Interval { interval });
            }
            end = steps.end;
        }
        let mut sorted = particles.clone();
        sorted.sort_unstable();
        match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(InvalidForces::Twice { particle: pair[0] }),
            None => Ok(Forces { particles, intervals }),
        }
    }

    /// The particles that are forced.
    pub fn particles(&self) -> &[usize] {
        &self.particles
    }

    /// The steps over which each force is constant.
    pub fn intervals(&self) -> &[Range<usize>] {
        &self.intervals
    }

    /// Number of forces, a vector each.
    pub fn count(&self) -> usize {
        self.particles.len() * self.intervals.len()
    }

    /// The forces that act in a step; none between intervals.
    pub(super) fn acting(&self, step: usize) -> Range<usize> {
        let interval = self.intervals.partition_point(|steps| steps.end <= step);
        match self.intervals.get(interval) {
            Some(steps) if steps.contains(&step) => interval * self.particles.len()..(interval + 1) * self.particles.len(),
            _ => 0..0,
        }
    }

    /// Overwrites `field` \[N\], shape \[particle_count\], with the forces `u` of a step.
    ///
    /// # Panics
    /// Where there are not [`Forces::count`] forces.
    pub fn fill(&self, step: usize, u: &[Vec3], field: &mut [Vec3]) {
        assert_eq!(u.len(), self.count(), "forces");
        field.fill(Vec3::zeros());
        for (&particle, u) in self.particles.iter().zip(&u[self.acting(step)]) {
            field[particle] = *u;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forces_act_in_their_intervals_only() {
        let forces = Forces::new(vec![2, 0], vec![1..3, 3..4, 6..8]).unwrap();
        let u: Vec<Vec3> = (0..6).map(|k| f64::from(k) * Vec3::x()).collect();
        let at = |step| {
            let mut field = vec![Vec3::y(); 3];
            forces.fill(step, &u, &mut field);
            field.iter().map(|f| f.x).collect::<Vec<_>>()
        };
        assert_eq!((at(0), at(1), at(2)), (vec![0.0; 3], vec![1.0, 0.0, 0.0], vec![1.0, 0.0, 0.0]));
        assert_eq!((at(3), at(4), at(7), at(8)), (vec![3.0, 0.0, 2.0], vec![0.0; 3], vec![5.0, 0.0, 4.0], vec![0.0; 3]));
    }

    #[test]
    #[allow(clippy::single_range_in_vec_init, reason = "one interval")]
    fn mistakes_are_refused() {
        assert_eq!(Forces::new(vec![1, 0, 1], vec![]), Err(InvalidForces::Twice { particle: 1 }));
        for (intervals, interval) in [(vec![0..2, 1..3], 1), (vec![2..2], 0), (vec![3..4, 0..1], 1)] {
            assert_eq!(Forces::new(vec![0], intervals), Err(InvalidForces::Interval { interval }));
        }
    }
}
