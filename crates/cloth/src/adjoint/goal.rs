use crate::Vec3;

/// Where particles are wanted at the end of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyFrame {
    /// The number of steps that were taken then, from 1 on.
    pub step: usize,
    /// Particles and their places x* \[m\].
    pub places: Vec<(usize, Vec3)>,
    /// w, of the squares of all distances \[1/m²\], >= 0.
    pub weight: f64,
}

impl KeyFrame {
    /// w/2 |x - x*|² \[-\].
    pub(super) fn value(&self, x: &[Vec3]) -> f64 {
        0.5 * self.weight * self.square(x)
    }

    /// Adds w (x - x*) to `lambda` \[1/m\].
    pub(super) fn add_slope(&self, x: &[Vec3], lambda: &mut [Vec3]) {
        for &(particle, place) in &self.places {
            lambda[particle] += self.weight * (x[particle] - place);
        }
    }

    /// |x - x*|² \[m²\].
    pub fn square(&self, x: &[Vec3]) -> f64 {
        self.places.iter().fold(0.0, |sum, (particle, place)| sum + (x[*particle] - place).norm_squared())
    }
}

/// What is wanted of a run: phi = sum over key frames w/2 |x_n - x*_n|² + r/2 |u|² \[-\].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Goal {
    /// In any order.
    pub keyframes: Vec<KeyFrame>,
    /// r, what force costs \[1/N²\], >= 0.
    pub effort: f64,
}

impl Goal {
    /// r/2 |u|² \[-\].
    pub(super) fn effort_of(&self, u: &[Vec3]) -> f64 {
        0.5 * self.effort * u.iter().fold(0.0, |sum, u| sum + u.norm_squared())
    }

    /// The key frames at a number of steps.
    pub(super) fn at(&self, step: usize) -> impl Iterator<Item = &KeyFrame> {
        self.keyframes.iter().filter(move |keyframe| keyframe.step == step)
    }
}
