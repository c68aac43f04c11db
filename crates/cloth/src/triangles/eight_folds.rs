use linsolve::lanes::{Eight, dot, minus, plus};

use super::Hinge;
use super::eight_angles::angle;
use super::eights::{self, Blocks, LANES, Vectors};
use super::fold::{self, COLLAPSED};
use crate::{Terms, Vec3};

/// Eight hinges at a time: the forces of a [`Fold`](super::fold::Fold) without damping, and their derivatives, to the same bits.
#[derive(Clone, Debug)]
pub(super) struct EightFolds {
    /// Hinges, 1 to 8; further lanes repeat the last one.
    pub count: usize,
    /// In the order of [`fold::particles`].
    pub particles: [[u32; LANES]; 4],
}

/// What a batch adds to a linear system, lane by lane.
#[derive(Clone, Debug)]
pub(super) struct LinearFolds {
    /// A bit for each lane: whether its hinge acts.
    pub sound: u8,
    /// h (f + K w) of the particles.
    pub impulse: [[[f64; LANES]; 3]; 4],
    /// -h g K at the particles.
    pub diagonal: [[[f64; LANES]; 9]; 4],
    /// -h g K between them, in the order of [`fold::PAIRS`].
    pub above: [[[f64; LANES]; 9]; 6],
}

impl LinearFolds {
    pub fn zeros() -> LinearFolds {
        LinearFolds { sound: 0, impulse: [[[0.0; LANES]; 3]; 4], diagonal: [[[0.0; LANES]; 9]; 4], above: [[[0.0; LANES]; 9]; 6] }
    }
}

/// Eight folds, as [`Fold`](super::fold::Fold).
struct Folded<E> {
    angle: E,
    gradient: [Vectors<E>; 4],
    length: E,
    along: Vectors<E>,
    sides: [Side<E>; 2],
    /// A bit for each lane: whether neither triangle has collapsed.
    sound: u8,
}

/// One triangle of each hinge.
#[derive(Clone, Copy)]
struct Side<E> {
    normal: Vectors<E>,
    across: Vectors<E>,
    height: E,
    foot: E,
    sound: u8,
}

impl<E: Eight> Side<E> {
    /// With the normal e x `side`, or the opposite one where it is `turned`.
    #[inline(always)]
    fn new(e: Vectors<E>, side: Vectors<E>, turned: bool, square: E, length: E, along: Vectors<E>) -> Side<E> {
        let normal = eights::cross(e, side);
        let normal = if turned { eights::negative(normal) } else { normal };
        let twice = eights::norm(normal);
        let normal = eights::divided(normal, twice);
        let least = E::splat(COLLAPSED) * (square + dot(side, side));
        let across = eights::cross(normal, along);
        Side {
            normal,
            across: if turned { eights::negative(across) } else { across },
            height: twice / length,
            foot: dot(side, e) / square,
            sound: twice.reaching(least) & !least.reaching(twice), // twice > least
        }
    }
}

impl<E: Eight> Folded<E> {
    #[inline(always)]
    fn new(x: [Vectors<E>; 4]) -> Folded<E> {
        let (e, p, q) = (minus(x[1], x[0]), minus(x[2], x[0]), minus(x[3], x[0]));
        let square = dot(e, e);
        let length = square.sqrt();
        let along = eights::divided(e, length);
        let sides = [Side::new(e, p, false, square, length, along), Side::new(e, q, true, square, length, along)];
        let (n, m) = (sides[0].normal, sides[1].normal);
        let angle = angle(dot(eights::cross(n, m), along), dot(n, m));
        let wings =
            [eights::divided(eights::negative(n), sides[0].height), eights::divided(eights::negative(m), sides[1].height)];
        let end = plus(eights::scaled(sides[0].foot, wings[0]), eights::scaled(sides[1].foot, wings[1]));
        let gradient = [minus(minus(end, wings[0]), wings[1]), eights::negative(end), wings[0], wings[1]];
        Folded { angle, gradient, length, along, sides, sound: sides[0].sound & sides[1].sound }
    }

    /// d theta / dx · y.
    #[inline(always)]
    fn slope(&self, y: [Vectors<E>; 4]) -> E {
        let g = self.gradient;
        dot(g[0], y[0]) + dot(g[1], y[1]) + dot(g[2], y[2]) + dot(g[3], y[3])
    }

    #[inline(always)]
    fn hessian(&self) -> Hessian<E> {
        let Folded { length, along, sides: [first, second], .. } = *self;
        let half = E::splat(0.5) / (length * length);
        let (first, second) = (first.hessian(along, length, half), second.hessian(along, length, half));
        Hessian { edge: eights::sum(first.0, second.0), mixed: [first.1, second.1], wings: [first.2, second.2] }
    }
}

impl<E: Eight> Side<E> {
    /// Its part of theta_ee, theta_pe and theta_pp; `half` is 1 / 2 l².
    #[inline(always)]
    fn hessian(self, along: Vectors<E>, length: E, half: E) -> (Blocks<E>, Blocks<E>, Blocks<E>) {
        let Side { normal, across, height, foot, .. } = self;
        let turned = eights::outer(normal, across);
        let turned = eights::sum(turned, eights::transposed(turned)); // N
        let per_area = height * length;
        let sheared = eights::outer(along, normal);
        let sheared =
            [eights::divided(sheared[0], per_area), eights::divided(sheared[1], per_area), eights::divided(sheared[2], per_area)];
        let square = E::splat(1.0) / (height * height);
        let wing = eights::scaled_block(square, turned);
        let mixed = eights::difference(sheared, eights::scaled_block(foot, wing));
        let symmetric = eights::sum(sheared, eights::transposed(sheared));
        let edge =
            eights::difference(eights::scaled_block(foot * foot * square + half, turned), eights::scaled_block(foot, symmetric));
        (edge, mixed, wing)
    }
}

/// Second derivatives of theta, as those of a [`Fold`](super::fold::Fold).
struct Hessian<E> {
    edge: Blocks<E>,
    mixed: [Blocks<E>; 2],
    wings: [Blocks<E>; 2],
}

impl<E: Eight> Hessian<E> {
    #[inline(always)]
    fn multiply(&self, y: [Vectors<E>; 4]) -> [Vectors<E>; 4] {
        let (e, p, q) = (minus(y[1], y[0]), minus(y[2], y[0]), minus(y[3], y[0]));
        let end = plus(eights::multiply(self.edge, e), eights::multiply_transposed(self.mixed[0], p));
        let end = plus(end, eights::multiply_transposed(self.mixed[1], q));
        let p = plus(eights::multiply(self.mixed[0], e), eights::multiply(self.wings[0], p));
        let q = plus(eights::multiply(self.mixed[1], e), eights::multiply(self.wings[1], q));
        [eights::negative(plus(plus(end, p), q)), end, p, q]
    }

    /// `factor` times itself at the particles and, but for the wings, which it does not couple, between them.
    #[inline(always)]
    fn scaled(&self, factor: E) -> ([Blocks<E>; 4], [Blocks<E>; 5]) {
        let edge = eights::scaled_block(factor, self.edge);
        let (p, q) = (eights::scaled_block(factor, self.mixed[0]), eights::scaled_block(factor, self.mixed[1]));
        let wings = [eights::scaled_block(factor, self.wings[0]), eights::scaled_block(factor, self.wings[1])];
        let (row_p, row_q) = (eights::transposed(p), eights::transposed(q));
        let first = [
            eights::negative_block(eights::sum(eights::sum(edge, p), q)),
            eights::negative_block(eights::sum(row_p, wings[0])),
            eights::negative_block(eights::sum(row_q, wings[1])),
        ]; // rows sum to zero
        let corner = eights::negative_block(eights::sum(eights::sum(first[0], first[1]), first[2]));
        ([corner, edge, wings[0], wings[1]], [first[0], first[1], first[2], row_p, row_q])
    }
}

impl EightFolds {
    /// All hinges in batches.
    pub fn batches(hinges: &[Hinge]) -> Vec<EightFolds> {
        let batch = |batch: &[Hinge]| {
            let lane = |lane: usize| fold::particles(&batch[lane.min(batch.len() - 1)]);
            let particles = [0, 1, 2, 3].map(|k: usize| std::array::from_fn(|l| lane(l)[k] as u32));
            EightFolds { count: batch.len(), particles }
        };
        hinges.chunks(LANES).map(batch).collect()
    }

    #[inline(always)]
    fn gathered<E: Eight>(&self, field: &[Vec3]) -> [Vectors<E>; 4] {
        let [a, b, c, d] = &self.particles;
        [eights::gathered(field, a), eights::gathered(field, b), eights::gathered(field, c), eights::gathered(field, d)]
    }

    /// Overwrites `forces` with those on the particles at positions `x` \[N\]; a bit for each lane, whether its hinge acts.
    #[inline(always)]
    pub fn forces<E: Eight>(&self, stiffness: f64, x: &[Vec3], forces: &mut [[[f64; LANES]; 3]; 4]) -> u8 {
        let folded = Folded::<E>::new(self.gathered(x));
        let moment = -(E::splat(stiffness) * folded.angle);
        for k in 0..4 {
            eights::store(eights::scaled(moment, folded.gradient[k]), &mut forces[k]);
        }
        folded.sound
    }

    /// Overwrites `linear` with bending, linearised at positions x and followed along the way from there.
    #[inline(always)]
    pub fn linearise<E: Eight>(
        &self,
        stiffness: f64,
        [x, way]: [&[Vec3]; 2],
        [h, g]: [f64; 2],
        terms: Terms,
        linear: &mut LinearFolds,
    ) {
        let folded = Folded::<E>::new(self.gathered(x));
        let way = self.gathered::<E>(way);
        let gradient = folded.gradient;
        let (by_position, kb) = (E::splat(-h * g), E::splat(stiffness));
        let elastic = kb * folded.angle;
        let along = -kb * folded.slope(way);
        let square = -(by_position * kb);
        let mut product = gradient;
        let mut scaled = gradient;
        for k in 0..4 {
            product[k] = eights::scaled(along, gradient[k]); // -kb dtheta dthetaᵀ w
            scaled[k] = eights::scaled(square, gradient[k]);
        }
        if terms == Terms::Exact {
            let hessian = folded.hessian();
            let curved = -elastic; // -kb theta d²theta
            let turned = hessian.multiply(way);
            for k in 0..4 {
                product[k] = plus(product[k], eights::scaled(curved, turned[k]));
            }
            let (diagonal, above) = hessian.scaled(by_position * curved);
            for k in 0..4 {
                let block = eights::sum(eights::outer(scaled[k], gradient[k]), diagonal[k]);
                eights::store_blocks(block, &mut linear.diagonal[k]);
            }
            for k in 0..5 {
                let (i, j) = fold::PAIRS[k];
                eights::store_blocks(eights::sum(eights::outer(scaled[i], gradient[j]), above[k]), &mut linear.above[k]);
            }
            eights::store_blocks(eights::outer(scaled[2], gradient[3]), &mut linear.above[5]);
        } else {
            for k in 0..4 {
                eights::store_blocks(eights::outer(scaled[k], gradient[k]), &mut linear.diagonal[k]);
            }
            for k in 0..6 {
                let (i, j) = fold::PAIRS[k];
                eights::store_blocks(eights::outer(scaled[i], gradient[j]), &mut linear.above[k]);
            }
        }
        let (h, moment) = (E::splat(h), -elastic);
        for k in 0..4 {
            let impulse = eights::scaled(h, plus(eights::scaled(moment, gradient[k]), product[k])); // h (f + K w)
            eights::store(impulse, &mut linear.impulse[k]);
        }
        linear.sound = folded.sound;
    }
}
