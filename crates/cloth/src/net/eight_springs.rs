use linsolve::lanes::{Eight, Kernel, dot, minus, plus, scaled};

use super::{Net, NetSpring, SLACK};
use crate::Vec3;
use crate::spring::{damping_of_eight, tension_of_eight};
use crate::triangles::blocks;

/// Adds the forces of the springs of a net to `f` \[N\], of all or of those whose flag is `those`: eight at a time in the order of the
/// springs, to the bits of one at a time.
pub(super) struct EightSprings<'a> {
    pub net: &'a Net,
    pub flags: Option<(&'a [bool], bool)>,
    pub x: &'a [Vec3],
    pub v: &'a [Vec3],
    pub f: &'a mut [Vec3],
}

impl Kernel for EightSprings<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let EightSprings { net, flags, x, v, f } = self;
        let zero = E::splat(0.0);
        let damped = net.springs.iter().any(|spring| spring.elastic.damping > 0.0);
        let mut forces = [[0.0; 8]; 3];
        for first in (0..net.springs.len()).step_by(8) {
            let springs = &net.springs[first..net.springs.len().min(first + 8)];
            // further lanes repeat the last spring
            let (mut ends, mut rest, mut ks, mut kd) = ([[0; 8]; 2], [0.0; 8], [0.0; 8], [0.0; 8]);
            for lane in 0..8 {
                let NetSpring { i, j, rest: length, elastic } = springs[lane.min(springs.len() - 1)];
                (ends[0][lane], ends[1][lane], rest[lane]) = (i as u32, j as u32, length);
                (ks[lane], kd[lane]) = (elastic.stiffness, elastic.damping);
            }
            let (rest, ks, kd) = (E::load(&rest), E::load(&ks), E::load(&kd));
            let d = minus(blocks::gathered::<8, E>(x, &ends[1]), blocks::gathered(x, &ends[0]));
            let square = dot(d, d);
            let length = square.sqrt();
            let extension = length - rest;
            let tension = tension_of_eight(ks, rest, extension, net.stiffening, below(net.ends[1], first));
            let mut force = scaled(tension / length, d); // ks (|d| - L) d/|d|
            if damped {
                let relative = minus(blocks::gathered(v, &ends[1]), blocks::gathered(v, &ends[0]));
                force = plus(force, damping_of_eight(net.damping, kd, d, square, relative));
            }
            blocks::store(force, &mut forces);
            let acts =
                length.reaching(rest * E::splat(1.0 - SLACK)) | if net.compression { 0xff } else { !below(net.ends[1], first) };
            let directed = length.reaching(zero) & !zero.reaching(length);
            for lane in 0..springs.len() {
                let k = first + lane;
                if flags.is_some_and(|(flags, those)| flags[k] != those) {
                    continue;
                }
                let force = match (directed >> lane & 1 == 1, acts >> lane & 1 == 1) {
                    (true, true) => blocks::vector(&forces, lane),
                    (true, false) => continue,
                    (false, _) => net.force(k, x, v),
                };
                f[ends[0][lane] as usize] += force;
                f[ends[1][lane] as usize] -= force;
            }
        }
    }
}

/// A bit for each of eight springs from `first` on: whether it comes before `end`.
#[inline(always)]
fn below(end: usize, first: usize) -> u8 {
    let count = end.saturating_sub(first).min(8);
    ((1u16 << count) - 1) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DampingForm, Elastic, Stiffening};
    use linsolve::lanes::InstructionSet;

    #[test]
    fn eight_springs_give_the_bits_of_one_at_a_time() {
        let wave = |k: usize, shift: f64| {
            let k = k as f64;
            Vec3::new(libm::sin(3.1 * k + shift), libm::cos(5.3 * k), libm::sin(7.7 * k * k - shift))
        };
        let mut x: Vec<Vec3> = (0..23).map(|k| wave(k, 0.2)).collect();
        x[8] = x[9]; // a spring without a direction
        let v: Vec<Vec3> = (0..23).map(|k| wave(k, 0.9)).collect();
        let spring = |k: usize, kd: f64| NetSpring {
            i: k % 22,
            j: k % 22 + 1,
            rest: 0.3 + 0.05 * k as f64,
            elastic: Elastic { stiffness: 10.0 + k as f64, damping: kd },
        };
        let flags: Vec<bool> = (0..43).map(|k| k % 3 == 0).collect();
        for kd in [0.0, 0.4] {
            let families = [0..19, 19..30, 30..43].map(|of| of.map(|k| spring(k, kd)).collect());
            for (compression, damping, knee) in [(true, DampingForm::Plain, 0.0), (false, DampingForm::Projected, 0.2)] {
                let mut net = Net::of_families(vec![1.0; 23], vec![false; 23], families.clone(), compression).unwrap();
                net.damping = damping;
                net.stiffening = (knee > 0.0).then_some(Stiffening { strain: knee, factor: 3.0 });
                for flags in [None, Some((&flags[..], true)), Some((&flags[..], false))] {
                    let mut expected = vec![Vec3::zeros(); 23];
                    let those = (0..43).filter(|k| flags.is_none_or(|(flags, those)| flags[*k] == those));
                    for k in those {
                        let (force, NetSpring { i, j, .. }) = (net.force(k, &x, &v), net.springs[k]);
                        expected[i] += force;
                        expected[j] -= force;
                    }
                    for set in InstructionSet::supported() {
                        let mut f = vec![Vec3::zeros(); 23];
                        set.run(EightSprings { net: &net, flags, x: &x, v: &v, f: &mut f });
                        let bits = |f: &[Vec3]| f.iter().flatten().map(|number| number.to_bits()).collect::<Vec<_>>();
                        assert_eq!(bits(&f), bits(&expected), "{set}, {compression}, {kd}");
                    }
                }
            }
        }
    }
}
