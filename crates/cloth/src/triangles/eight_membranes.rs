use linsolve::lanes::{Eight, dot, plus};

use super::eights::{self, Blocks, LANES, Vectors};
use super::membrane::{Membrane, PAIRS};
use crate::{Terms, Vec3};

/// Eight triangles at a time: the forces of [`Membrane`] without damping, and their derivatives, to the same bits.
#[derive(Clone, Debug)]
pub(super) struct EightMembranes {
    /// Triangles, 1 to 8; further lanes repeat the last one.
    pub count: usize,
    /// By corner.
    pub corners: [[u32; LANES]; 3],
    area: [f64; LANES],
    /// a_i \[1/m\] by corner.
    warp: [[f64; LANES]; 3],
    /// b_i \[1/m\] by corner.
    weft: [[f64; LANES]; 3],
}

/// Stiffness \[N/m\] of warp, weft and shear.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stiffness {
    pub stretch: [f64; 2],
    pub shear: f64,
}

/// What a batch adds to a linear system, lane by lane.
#[derive(Clone, Debug)]
pub(super) struct LinearMembranes {
    /// h (f + K w) of the corners.
    pub impulse: [[[f64; LANES]; 3]; 3],
    /// -h g K at the corners.
    pub diagonal: [[[f64; LANES]; 9]; 3],
    /// -h g K between them, in the order of [`PAIRS`].
    pub above: [[[f64; LANES]; 9]; 3],
}

impl LinearMembranes {
    pub fn zeros() -> LinearMembranes {
        LinearMembranes { impulse: [[[0.0; LANES]; 3]; 3], diagonal: [[[0.0; LANES]; 9]; 3], above: [[[0.0; LANES]; 9]; 3] }
    }
}

impl EightMembranes {
    /// All of them in batches.
    pub fn batches(membranes: &[Membrane]) -> Vec<EightMembranes> {
        let batch = |batch: &[Membrane]| {
            let lane = |lane: usize| &batch[lane.min(batch.len() - 1)];
            let weights = |of: fn(&Membrane) -> [f64; 3]| [0, 1, 2].map(|k: usize| std::array::from_fn(|l| of(lane(l))[k]));
            EightMembranes {
                count: batch.len(),
                corners: [0, 1, 2].map(|k: usize| std::array::from_fn(|l| lane(l).corners[k] as u32)),
                area: std::array::from_fn(|l| lane(l).area),
                warp: weights(|membrane| membrane.warp),
                weft: weights(|membrane| membrane.weft),
            }
        };
        membranes.chunks(LANES).map(batch).collect()
    }

    /// \[w_u, w_v\] of a field, shape \[particle_count\].
    #[inline(always)]
    fn slopes<E: Eight>(&self, field: &[Vec3]) -> [Vectors<E>; 2] {
        let corners = [
            eights::gathered::<E>(field, &self.corners[0]),
            eights::gathered::<E>(field, &self.corners[1]),
            eights::gathered::<E>(field, &self.corners[2]),
        ];
        [slope(eights::loaded(&self.warp), corners), slope(eights::loaded(&self.weft), corners)]
    }

    /// The force on a corner of one that belongs to slopes.
    #[inline(always)]
    fn on_corner<E: Eight>(&self, corner: usize, [warp, weft]: [Vectors<E>; 2]) -> Vectors<E> {
        let (a, b) = (E::load(&self.warp[corner]), E::load(&self.weft[corner]));
        plus(eights::scaled(a, warp), eights::scaled(b, weft))
    }

    /// As [`Membrane::stretch_force`], for one direction n with abs(w).
    #[inline(always)]
    fn stretch_force<E: Eight>(&self, stiffness: f64, n: Vectors<E>, length: E) -> Vectors<E> {
        let force = -E::load(&self.area) * (E::splat(stiffness) * (length - E::splat(1.0)));
        let acts = length.reaching(E::splat(f64::from_bits(1))); // abs(w) > 0
        let force = eights::scaled(force, n);
        [force[0].kept(acts), force[1].kept(acts), force[2].kept(acts)]
    }

    /// As [`Membrane::shear_force`].
    #[inline(always)]
    fn shear_force<E: Eight>(&self, stiffness: f64, [warp, weft]: [Vectors<E>; 2]) -> [Vectors<E>; 2] {
        let force = -E::load(&self.area) * (E::splat(stiffness) * dot(warp, weft));
        [eights::scaled(force, weft), eights::scaled(force, warp)]
    }

    /// As [`Membrane::stretch_jacobian`] by positions, for one direction n with abs(w).
    #[inline(always)]
    fn stretch_jacobian<E: Eight>(&self, stiffness: f64, n: Vectors<E>, length: E, terms: Terms) -> Blocks<E> {
        let (zero, one) = (E::splat(0.0), E::splat(1.0));
        let relative = one - one / length;
        let transverse = if terms == Terms::Exact { relative } else { relative.max(zero) };
        let factor = -E::load(&self.area) * E::splat(stiffness);
        let none = zero.reaching(length);
        let mut jacobian = eights::outer(n, n);
        for row in 0..3 {
            for column in 0..3 {
                let along = jacobian[row][column];
                let rest = if row == column { one - along } else { zero - along };
                jacobian[row][column] = (factor * (along + transverse * rest)).replaced(none, zero);
            }
        }
        jacobian
    }

    /// Overwrites `forces` with those on the corners at positions `x` \[N\]: of stretch, and of shear.
    #[inline(always)]
    pub fn forces<E: Eight>(&self, stiffness: Stiffness, x: &[Vec3], forces: &mut [[[[f64; LANES]; 3]; 3]; 2]) {
        let w = self.slopes::<E>(x);
        let mut stretch = w;
        for k in 0..2 {
            let length = eights::norm(w[k]);
            stretch[k] = self.stretch_force(stiffness.stretch[k], eights::divided(w[k], length), length);
        }
        let shear = self.shear_force(stiffness.shear, w);
        for corner in 0..3 {
            eights::store(self.on_corner(corner, stretch), &mut forces[0][corner]);
            eights::store(self.on_corner(corner, shear), &mut forces[1][corner]);
        }
    }

    /// Overwrites `linear` with stretch and shear, linearised at positions x and followed along the way from there.
    #[inline(always)]
    pub fn linearise<E: Eight>(
        &self,
        stiffness: Stiffness,
        [x, way]: [&[Vec3]; 2],
        [h, g]: [f64; 2],
        terms: Terms,
        linear: &mut LinearMembranes,
    ) {
        let (w, way) = (self.slopes::<E>(x), self.slopes::<E>(way));
        let (h, by_position) = (E::splat(h), E::splat(-h * g));
        let mut impulse = w;
        let mut along = [eights::outer(w[0], w[0]); 2];
        for k in 0..2 {
            let length = eights::norm(w[k]);
            let n = eights::divided(w[k], length);
            let jacobian = self.stretch_jacobian(stiffness.stretch[k], n, length, terms);
            let force = self.stretch_force(stiffness.stretch[k], n, length);
            impulse[k] = eights::scaled(h, plus(force, eights::multiply(jacobian, way[k]))); // h (f + K w)
            along[k] = eights::scaled_block(by_position, jacobian); // -h g K
        }

        let [u, v] = w;
        let area = E::load(&self.area) * E::splat(stiffness.shear);
        let warp = eights::scaled_block(-area, eights::outer(v, v));
        let weft = eights::scaled_block(-area, eights::outer(u, u));
        let mut across = eights::scaled_block(-area, eights::outer(v, u));
        if terms == Terms::Exact {
            let angle = area * dot(u, v);
            for q in 0..3 {
                across[q][q] = across[q][q] - angle; // -k a (w_u·w_v) d²(w_u·w_v)
            }
        }
        let force = self.shear_force(stiffness.shear, w);
        let further = plus(eights::multiply(warp, way[0]), eights::multiply(across, way[1]));
        impulse[0] = plus(impulse[0], eights::scaled(h, plus(force[0], further)));
        let further = plus(eights::multiply_transposed(across, way[0]), eights::multiply(weft, way[1]));
        impulse[1] = plus(impulse[1], eights::scaled(h, plus(force[1], further)));
        for corner in 0..3 {
            eights::store(self.on_corner(corner, impulse), &mut linear.impulse[corner]);
        }

        let warp = eights::sum(along[0], eights::scaled_block(by_position, warp));
        let weft = eights::sum(along[1], eights::scaled_block(by_position, weft));
        let across = eights::scaled_block(by_position, across);
        for corner in 0..3 {
            eights::store_blocks(self.block((corner, corner), warp, across, weft), &mut linear.diagonal[corner]);
        }
        for (pair, above) in PAIRS.into_iter().zip(&mut linear.above) {
            eights::store_blocks(self.block(pair, warp, across, weft), above);
        }
    }

    /// As [`Membrane::block`].
    #[inline(always)]
    fn block<E: Eight>(&self, (i, j): (usize, usize), warp: Blocks<E>, across: Blocks<E>, weft: Blocks<E>) -> Blocks<E> {
        let (warp_i, warp_j) = (E::load(&self.warp[i]), E::load(&self.warp[j]));
        let (weft_i, weft_j) = (E::load(&self.weft[i]), E::load(&self.weft[j]));
        let sum = eights::scaled_block(warp_i * warp_j, warp);
        let sum = eights::sum(sum, eights::scaled_block(warp_i * weft_j, across));
        let sum = eights::sum(sum, eights::scaled_block(weft_i * warp_j, eights::transposed(across)));
        eights::sum(sum, eights::scaled_block(weft_i * weft_j, weft))
    }
}

/// The slope of a field with the given vectors at the corners.
#[inline(always)]
fn slope<E: Eight>(weights: [E; 3], [p, q, r]: [Vectors<E>; 3]) -> Vectors<E> {
    plus(plus(eights::scaled(weights[0], p), eights::scaled(weights[1], q)), eights::scaled(weights[2], r))
}
