use crate::{Mat3, Vec3};

/// Vertices of a mesh that changes its shape: samples at equal distances of time, straight ways between them, and rest before the
/// first and after the last.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequence {
    /// Time of the first sample, and from one to the next \[s\].
    start: f64,
    every: f64,
    vertices: usize,
    /// Shape \[samples, vertices\], in the coordinates of a file.
    samples: Vec<[f32; 3]>,
    /// From there to metres: linear x + at.
    linear: Mat3,
    at: Vec3,
}

impl Sequence {
    /// Of a mesh with so many `vertices`, whose samples, shape \[samples, vertices\], begin at `start` \[s\] and are `every` \[s\]
    /// apart.
    ///
    /// # Panics
    /// Where there is no whole sample, or `every` is not above zero.
    pub fn new([start, every]: [f64; 2], vertices: usize, samples: Vec<[f32; 3]>) -> Sequence {
        assert!(every > 0.0, "samples follow each other in time");
        assert!(vertices > 0 && !samples.is_empty() && samples.len().is_multiple_of(vertices), "samples are whole");
        Sequence { start, every, vertices, samples, linear: Mat3::identity(), at: Vec3::zeros() }
    }

    /// With its coordinates x at linear x + at \[m\].
    pub fn placed(self, linear: Mat3, at: Vec3) -> Sequence {
        Sequence { linear, at, ..self }
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.vertices
    }

    /// Number of samples.
    pub fn sample_count(&self) -> usize {
        self.samples.len() / self.vertices
    }

    /// The times of its samples \[s\].
    pub fn times(&self) -> impl Iterator<Item = f64> + '_ {
        (0..self.sample_count()).map(|k| self.start + k as f64 * self.every)
    }

    /// The vertices at time `t` \[s\], in metres.
    pub fn places(&self, t: f64) -> impl Iterator<Item = Vec3> + '_ {
        let last = self.sample_count() - 1;
        let passed = ((t - self.start) / self.every).clamp(0.0, last as f64);
        let before = (passed as usize).min(last);
        let share = passed - before as f64;
        let sample = |k: usize| &self.samples[k * self.vertices..(k + 1) * self.vertices];
        let place = |x: &[f32; 3]| Vec3::new(x[0].into(), x[1].into(), x[2].into());
        sample(before).iter().zip(sample((before + 1).min(last))).map(move |(from, to)| {
            let (from, to) = (place(from), place(to));
            self.linear * (from + share * (to - from)) + self.at
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_at_between_and_beyond_samples_by_hand() {
        let samples = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 2.0], [1.0, 4.0, 2.0], [0.0; 3], [1.0; 3]];
        let sequence = Sequence::new([0.5, 0.25], 2, samples).placed(0.5 * Mat3::identity(), Vec3::x());
        assert_eq!((sequence.vertex_count(), sequence.sample_count()), (2, 3));
        for (t, expected) in [
            (-1.0, [Vec3::x(), Vec3::new(1.5, 0.0, 0.0)]),
            (0.5, [Vec3::x(), Vec3::new(1.5, 0.0, 0.0)]),
            (0.5625, [Vec3::new(1.0, 0.0, 0.25), Vec3::new(1.5, 0.5, 0.25)]),
            (0.75, [Vec3::new(1.0, 0.0, 1.0), Vec3::new(1.5, 2.0, 1.0)]),
            (1.0, [Vec3::x(), Vec3::new(1.5, 0.5, 0.5)]),
            (9.0, [Vec3::x(), Vec3::new(1.5, 0.5, 0.5)]),
        ] {
            assert_eq!(sequence.places(t).collect::<Vec<_>>(), expected, "{t}");
        }
    }
}
