//! Strain that a linear system does not foresee: springs turn, and slack ones come taut.

use crate::Vec3;

/// A spring on its way through a step of a linearised scheme.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turned {
    /// From end to end where it is linearised \[m\].
    pub from: Vec3,
    /// Where the step leads it \[m\].
    pub to: Vec3,
    /// L \[m\], > 0.
    pub rest: f64,
    /// Whether it acts where it is linearised.
    pub acts: bool,
    /// Whether it acts when it is short.
    pub pushes: bool,
}

impl Turned {
    /// False where its strain is foreseen to `enough` \[-\]: by the square of the way of its ends against each other, since all that is
    /// across is within that, or because what is slack comes no further.
    #[inline]
    pub fn is_far(&self, enough: f64) -> bool {
        let Turned { from, to, rest, acts, .. } = *self;
        let square = rest * rest;
        match acts {
            true => (to - from).norm_squared() > enough * square,
            false => to.norm_squared() > (1.0 + enough) * (1.0 + enough) * square,
        }
    }

    /// Strain \[-\] that it has in the end and that its linearisation does not, (|d'| - d'·d/|d|) / L, or from where it is slack on the
    /// whole of it; the share of it that the spring takes back within the step, kappa / (1 + kappa) for
    /// kappa = h g k (1/m_i + 1/m_j) \[-\].
    pub fn strain(&self, kappa: f64) -> f64 {
        let Turned { from, to, rest, acts, pushes } = *self;
        let length = from.norm();
        let foreseen = if acts && length > 0.0 { to.dot(&from) / length } else { rest };
        let reached = to.norm();
        let [reached, foreseen] = if pushes { [reached, foreseen] } else { [reached, foreseen].map(|length| length.max(rest)) };
        (reached - foreseen).max(0.0) / rest * kappa / (1.0 + kappa)
    }
}

/// Springs of a system, all of which push when they are short or none, on their way through a step.
pub(crate) struct Springs<'a> {
    /// m \[kg\], and which of the particles are held, shape \[particle_count\].
    pub masses: &'a [f64],
    pub pinned: &'a [bool],
    pub pushes: bool,
    /// Places where they are linearised and where the step leads them \[m\], shape \[particle_count\].
    pub x: &'a [Vec3],
    pub next: &'a [Vec3],
}

impl Springs<'_> {
    /// The largest of [`Turned::strain`] over springs of those ends, L \[m\] and k \[N/m\]; zero where it is at most `enough` \[-\]
    /// beyond doubt.
    pub fn largest(&self, hg: f64, enough: f64, springs: impl Iterator<Item = ([usize; 2], f64, f64)>) -> f64 {
        let &Springs { masses, pinned, pushes, x, next } = self;
        let mut most: f64 = 0.0;
        for ([i, j], rest, stiffness) in springs {
            let from = x[j] - x[i];
            let acts = pushes || from.norm_squared() >= rest * rest;
            let turned = Turned { from, to: next[j] - next[i], rest, acts, pushes };
            if turned.is_far(enough) {
                let gives: f64 = [i, j].into_iter().filter(|i| !pinned[*i]).map(|i| 1.0 / masses[i]).sum();
                most = most.max(turned.strain(hg * stiffness * gives));
            }
        }
        most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_by_hand() {
        // a spring of 2 m, taut by a half, whose end goes 4 m across
        let turned = Turned { from: 3.0 * Vec3::x(), to: Vec3::new(3.0, 4.0, 0.0), rest: 2.0, acts: true, pushes: false };
        assert!(turned.is_far(0.01) && (turned.strain(1.0) - 0.5 * (5.0 - 3.0) / 2.0).abs() < 1e-15);
        // a longer way along itself is foreseen
        let along = Turned { to: 9.0 * Vec3::x(), ..turned };
        assert!(along.is_far(0.01) && along.strain(1.0) == 0.0);
        // one that is slack where it is linearised has no force, and is taut by a quarter
        let slack = Turned { from: Vec3::x(), to: 2.5 * Vec3::x(), acts: false, ..turned };
        assert!((slack.strain(3.0) - 0.75 * 0.25).abs() < 1e-15);
        assert_eq!(Turned { to: 1.9 * Vec3::x(), ..slack }.strain(3.0), 0.0);
    }

    #[test]
    fn what_is_not_far_is_foreseen() {
        let enough = 0.01;
        for k in 0..2000 {
            let [a, b, c] = [7.1, 3.3, 1.7].map(|rate| libm::sin(rate * f64::from(k)));
            let rest = 1.5 + a;
            for acts in [false, true] {
                let from = rest * Vec3::new(if acts { 1.0 + 0.1 * b.abs() } else { 0.5 + 0.5 * b.abs() }, 0.0, 0.0);
                let size = rest * if acts { 0.1 } else { 0.01 };
                let way = size * (1.0 + 0.2 * c) * Vec3::new(b, c, a).normalize();
                for pushes in [false, true] {
                    let turned = Turned { from, to: from + way, rest, acts, pushes };
                    assert!(turned.is_far(enough) || turned.strain(1e9) <= enough * (1.0 + 1e-9), "{turned:?}");
                }
            }
        }
    }
}
