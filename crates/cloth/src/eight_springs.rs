use linsolve::lanes::{Eight, Kernel, dot, minus, plus, scaled};

use crate::triangles::blocks;
use crate::{DampingForm, Stiffening, Vec3};

/// Springs in a row, most of which follow one law, and their dampers.
pub(crate) trait Springs {
    /// How many there are.
    fn count(&self) -> usize;

    /// Both ends of a spring, and its rest length \[m\], stiffness \[N/m\] and damping \[N s/m\].
    fn spring(&self, k: usize) -> ([usize; 2], [f64; 3]);

    /// How they are damped.
    fn damping(&self) -> DampingForm;

    /// Their second slope.
    fn stiffening(&self) -> Option<Stiffening>;

    /// |x| / L from which those act that act in extension only \[-\].
    fn acts_from(&self) -> f64;

    /// Which are of which kind, of eight springs from `first` on.
    fn kinds(&self, first: usize) -> Kinds;

    /// Force \[N\] of a spring and its damper on its first particle.
    fn force(&self, k: usize, x: &[Vec3], v: &[Vec3]) -> Vec3;
}

/// Kinds of eight springs, a bit a spring.
pub(crate) struct Kinds {
    /// The second slope is theirs too.
    pub stiffen: u8,
    /// They act in compression as in extension.
    pub both_ways: u8,
    /// They have a law of their own, by which they act where they are shorter than at rest.
    pub own: u8,
}

/// Adds the forces of springs to `f` \[N\], of all or of those whose flag is `those`: eight at a time in the order of the springs, to the
/// bits of one at a time.
pub(crate) struct EightSprings<'a, S> {
    pub springs: &'a S,
    pub flags: Option<(&'a [bool], bool)>,
    pub x: &'a [Vec3],
    pub v: &'a [Vec3],
    pub f: &'a mut [Vec3],
}

impl<S: Springs> Kernel for EightSprings<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let EightSprings { springs, flags, x, v, f } = self;
        let zero = E::splat(0.0);
        let (damping, stiffening, acts_from) = (springs.damping(), springs.stiffening(), E::splat(springs.acts_from()));
        let mut forces = [[0.0; 8]; 3];
        for first in (0..springs.count()).step_by(8) {
            let count = (springs.count() - first).min(8);
            // further lanes repeat the last spring
            let (mut ends, mut rest, mut ks, mut kd) = ([[0; 8]; 2], [0.0; 8], [0.0; 8], [0.0; 8]);
            for lane in 0..8 {
                let ([i, j], constants) = springs.spring(first + lane.min(count - 1));
                (ends[0][lane], ends[1][lane]) = (i as u32, j as u32);
                [rest[lane], ks[lane], kd[lane]] = constants;
            }
            let is_damped = kd != [0.0; 8];
            let Kinds { stiffen, both_ways, own } = springs.kinds(first);
            let (rest, ks, kd) = (E::load(&rest), E::load(&ks), E::load(&kd));
            let d = minus(blocks::gathered::<8, E>(x, &ends[1]), blocks::gathered(x, &ends[0]));
            let square = dot(d, d);
            let length = square.sqrt();
            let extension = length - rest;
            let mut tension = ks * extension;
            if let Some(stiffening) = stiffening {
                let (factor, knee) = (E::splat(stiffening.factor), E::splat(stiffening.strain) * rest);
                let beyond = extension.reaching(knee) & !knee.reaching(extension) & stiffen;
                tension = tension.replaced(beyond, ks * knee + factor * ks * (extension - knee));
            }
            let mut force = scaled(tension / length, d); // ks (|d| - L) d/|d|
            if is_damped {
                let relative = minus(blocks::gathered(v, &ends[1]), blocks::gathered(v, &ends[0]));
                let damping = match damping {
                    DampingForm::Plain => scaled(kd, relative),
                    DampingForm::Projected => {
                        let along = dot(relative, d);
                        scaled(kd * (zero.replaced(along.reaching(zero), along) / square), d)
                    }
                };
                force = plus(force, damping);
            }
            blocks::store(force, &mut forces);
            let directed = length.reaching(zero) & !zero.reaching(length);
            let shorter = !length.reaching(rest); // also where it is NaN
            let (acts, alone) = (length.reaching(rest * acts_from) | both_ways, own & shorter | !own & !directed);
            for lane in 0..count {
                let (k, bit) = (first + lane, 1 << lane);
                if flags.is_some_and(|(flags, those)| flags[k] != those) {
                    continue;
                }
                let force = match (alone & bit != 0, acts & !own & bit != 0) {
                    (true, _) => springs.force(k, x, v),
                    (false, true) => blocks::vector(&forces, lane),
                    (false, false) => continue,
                };
                f[ends[0][lane] as usize] += force;
                f[ends[1][lane] as usize] -= force;
            }
        }
    }
}

/// A bit for each of eight springs from `first` on: whether it comes before `end`.
#[inline(always)]
pub(crate) fn below(end: usize, first: usize) -> u8 {
    let count = end.saturating_sub(first).min(8);
    ((1u16 << count) - 1) as u8
}

#[cfg(test)]
mod tests {
    use linsolve::lanes::InstructionSet;

    use super::*;
    use crate::{Cloth, Elastic, Grid, Material};

    #[test]
    fn eight_springs_of_a_sheet_give_the_bits_of_one_at_a_time() {
        let (nx, ny) = (7, 5);
        let wave = |k: usize, shift: f64| {
            let k = k as f64;
            0.05 * Vec3::new(libm::sin(3.1 * k + shift), libm::cos(5.3 * k), libm::sin(7.7 * k * k - shift))
        };
        let elastic = |stiffness: f64, damping: f64| Elastic { stiffness, damping };
        for (compression, damping, knee, kd, flat) in [
            (false, DampingForm::Projected, 0.2, 0.3, false),
            (true, DampingForm::Plain, 0.0, 0.3, false),
            (false, DampingForm::Plain, 0.0, 0.0, true),
            (true, DampingForm::Projected, 0.1, 0.0, true),
        ] {
            let material = Material {
                stretch: elastic(100.0, kd),
                shear: elastic(30.0, 0.5 * kd),
                bend: 0.7,
                damping,
                compression,
                stiffening: (knee > 0.0).then_some(Stiffening { strain: knee, factor: 3.0 }),
                ..Material::default()
            };
            let cloth = Cloth::new(Grid::new(nx, ny, 0.1).unwrap(), material, &[]).unwrap();
            let mut x = cloth.at_rest().x;
            if !flat {
                x.iter_mut().enumerate().for_each(|(k, x)| *x += wave(k, 0.2));
                x[9] = x[10]; // a spring without a direction
            }
            let v: Vec<Vec3> = (0..nx * ny).map(|k| wave(k, 0.9)).collect();
            let flags: Vec<bool> = (0..cloth.springs().len()).map(|k| k % 3 == 0).collect();
            for flags in [None, Some((&flags[..], true)), Some((&flags[..], false))] {
                let mut expected = vec![Vec3::zeros(); nx * ny];
                for (k, spring) in cloth.springs().iter().enumerate() {
                    if flags.is_none_or(|(flags, those)| flags[k] == those) {
                        let force = cloth.spring_force(spring, &x, &v);
                        expected[spring.i] += force;
                        expected[spring.j] -= force;
                    }
                }
                assert!(flat || expected.iter().all(|f| f.norm() > 1e-3));
                for set in InstructionSet::supported() {
                    let mut f = vec![Vec3::zeros(); nx * ny];
                    set.run(EightSprings { springs: &cloth, flags, x: &x, v: &v, f: &mut f });
                    let bits = |f: &[Vec3]| f.iter().flatten().map(|number| number.to_bits()).collect::<Vec<_>>();
                    assert_eq!(bits(&f), bits(&expected), "{set}, {compression}, {kd}");
                }
            }
        }
    }
}
