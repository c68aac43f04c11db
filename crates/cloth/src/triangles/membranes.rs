use linsolve::lanes::{Arithmetic, Lanes, Vector, dot, minus, plus, scaled};

use super::blocks::{self, Blocks, StoredVectors, Vectors};
use super::elements::{Added, Point};
use super::{Fabric, Triangle, Vec2, Weighting};
use crate::{Elastic, Terms, Vec3};

/// W triangles at a time as they stretch and shear in their planes \[Baraff & Witkin 1998\]: positions are linear on each, with the
/// slopes w_u = sum of a_i x_i along the warp and w_v = sum of b_i x_i along the weft.
///
/// Slopes of positions \[-\] and of velocities \[1/s\] come as \[along warp, along weft\]. A force that belongs to slopes \[J\]
/// acts with a_i and b_i times its two parts on the corners. A symmetric matrix over slopes comes as \[block of the warp, block in
/// the row of the warp and the column of the weft, block of the weft\].
#[derive(Clone, Debug)]
pub(super) struct Membranes<const W: usize> {
    /// Triangles, 1 to W; further lanes repeat the last one.
    pub count: usize,
    /// Ascending, so that each of their pairs is.
    pub corners: [[u32; W]; 3],
    /// a, area as it was cut \[m²\], or a² as printed \[m⁴\]: see [`Weighting`].
    weight: [f64; W],
    /// a_i \[1/m\].
    warp: [[f64; W]; 3],
    /// b_i \[1/m\].
    weft: [[f64; W]; 3],
}

/// One triangle.
pub(super) type Membrane = Membranes<1>;

/// The pairs of corners, in which blocks above the diagonal are ordered.
pub(super) const PAIRS: [(usize, usize); 3] = [(0, 1), (0, 2), (1, 2)];

impl Membrane {
    /// Of a triangle whose area is above zero.
    pub fn new(triangle: &Triangle, weighting: Weighting) -> Membrane {
        let mut order = [0, 1, 2];
        order.sort_unstable_by_key(|k| triangle.corners[*k]);
        let [p, q, r]: [Vec2; 3] = order.map(|k| triangle.material[k]);
        let twice = (q - p).perp(&(r - p)); // negative where sorting turned the triangle, which the weights do not mind
        let warp = [q.y - r.y, r.y - p.y, p.y - q.y].map(|side| [side / twice]);
        let weft = [r.x - q.x, p.x - r.x, q.x - p.x].map(|side| [side / twice]);
        let weight = [weighting.of(triangle.area())];
        Membranes { count: 1, corners: order.map(|k| [triangle.corners[k] as u32]), weight, warp, weft }
    }

    /// Its corners.
    pub fn particles(&self) -> [usize; 3] {
        self.corners.map(|[corner]| corner as usize)
    }

    /// a sum of a_i², a sum of b_i² \[-\].
    pub fn sizes(&self) -> [f64; 2] {
        let [a] = self.weight;
        [self.warp, self.weft].map(|weights| a * weights.iter().map(|[weight]| weight * weight).sum::<f64>())
    }

    /// Adds the curvature of 1/2 k a |w - d|² along warp and weft, d fixed: -k a a_i a_j of each pair, the weights' sum being zero.
    pub fn add_curvatures(&self, [warp, weft]: [f64; 2], add: &mut dyn FnMut(usize, usize, f64)) {
        let corners = self.particles();
        for (i, j) in PAIRS {
            let along = |k: f64, weights: &[[f64; 1]; 3]| -k * self.weight[0] * weights[i][0] * weights[j][0];
            add(corners[i], corners[j], along(warp, &self.warp) + along(weft, &self.weft));
        }
    }

    /// \[w_u, w_v\] of a field, shape \[particle_count\].
    pub fn slopes(&self, field: &[Vec3]) -> [Vec3; 2] {
        self.slopes_in_lanes(field).map(|w| Vec3::from(w.map(|Vector([coordinate])| coordinate)))
    }

    /// a Σ a_i² / m_i and a Σ b_i² / m_i \[1/kg\], by which an impulse of tension along the warp and the weft changes w, for 1 / m of a
    /// particle.
    pub fn mobility(&self, gives: impl Fn(usize) -> f64) -> [f64; 2] {
        [&self.warp, &self.weft].map(|of| {
            let corners = self.particles().into_iter().zip(of);
            corners.map(|(i, weight)| self.weight[0] * weight[0] * weight[0] * gives(i)).sum()
        })
    }

    /// 1/2 k/a C² of C = a (abs(w) - 1) \[J\] \[Parks & Forsyth 2002, eq. 4\], over warp and weft. The paper prints C²/2; see
    /// [`Weighting`].
    pub fn stretch_energy(&self, [warp, weft]: [Elastic; 2], w: [Vec3; 2]) -> f64 {
        let energy = |elastic: Elastic, w: Vec3| {
            let strain = w.norm() - 1.0;
            0.5 * elastic.stiffness * self.weight[0] * strain * strain
        };
        energy(warp, w[0]) + energy(weft, w[1])
    }

    /// 1/2 k/a C² of C = a w_u·w_v \[J\] \[Parks & Forsyth 2002, eq. 5\], printed as C²/2: see [`Weighting`].
    pub fn shear_energy(&self, elastic: Elastic, [warp, weft]: [Vec3; 2]) -> f64 {
        let shear = warp.dot(&weft);
        0.5 * elastic.stiffness * self.weight[0] * shear * shear
    }

    /// Adds Kᵀ q to `by_position` and Dᵀ q to `by_velocity`, exactly: for a condition C of the slopes w with energy k a C²/2 and a
    /// damper kd, f·q = -a (k C + kd C') (dC q), whose slopes are -a ((k dC·q) dC + (k C + kd C') d²C q + kd (dC·q) d²C w') by
    /// w, and -a kd (dC·q) dC by w'.
    pub fn add_transposed(
        &self,
        fabric: &Fabric,
        x: &[Vec3],
        v: &[Vec3],
        q: &[Vec3],
        by_position: &mut [Vec3],
        by_velocity: &mut [Vec3],
    ) {
        let (w, rate, q) = (self.slopes(x), self.slopes(v), self.slopes(q));
        let [mut position, mut velocity] = [[Vec3::zeros(); 2]; 2];
        for (k, elastic) in fabric.stretch().into_iter().enumerate() {
            let length = w[k].norm();
            if length > 0.0 {
                let n = w[k] / length; // dC of C = |w| - 1
                let bent = |y: Vec3| (y - n.dot(&y) * n) / length; // d²C y
                let pull = elastic.stiffness * (length - 1.0) + elastic.damping * n.dot(&rate[k]);
                let along = n.dot(&q[k]);
                position[k] += elastic.stiffness * along * n + pull * bent(q[k]) + elastic.damping * along * bent(rate[k]);
                velocity[k] += elastic.damping * along * n;
            }
        }
        let Elastic { stiffness, damping } = fabric.shear;
        let turned = [w[1], w[0]]; // dC of C = w_u·w_v; d²C swaps the two slopes
        let along = turned[0].dot(&q[0]) + turned[1].dot(&q[1]);
        let pull = stiffness * w[0].dot(&w[1]) + damping * (turned[0].dot(&rate[0]) + turned[1].dot(&rate[1]));
        for k in 0..2 {
            position[k] += stiffness * along * turned[k] + pull * q[1 - k] + damping * along * rate[1 - k];
            velocity[k] += damping * along * turned[k];
        }
        for (k, corner) in self.particles().into_iter().enumerate() {
            let [a, b] = [self.warp[k][0], self.weft[k][0]].map(|weight| -self.weight[0] * weight);
            by_position[corner] += a * position[0] + b * position[1];
            by_velocity[corner] += a * velocity[0] + b * velocity[1];
        }
    }
}

/// Slopes of positions and, where `damped`, of velocities.
#[derive(Clone, Copy)]
struct Slopes<E> {
    w: [Vectors<E>; 2],
    rate: [Vectors<E>; 2],
    damped: bool,
}

impl<E: Copy> Slopes<E> {
    /// The rate in one direction, where there is any damping.
    #[inline(always)]
    fn rate(self, k: usize) -> (Vectors<E>, bool) {
        (self.rate[k], self.damped)
    }
}

impl<const W: usize> Membranes<W> {
    /// All of them in batches.
    pub fn batches(membranes: &[Membrane]) -> Vec<Membranes<W>> {
        let batch = |batch: &[Membrane]| {
            let lane = |lane: usize| &batch[lane.min(batch.len() - 1)];
            let weights =
                |of: fn(&Membrane) -> [[f64; 1]; 3]| [0, 1, 2].map(|k: usize| std::array::from_fn(|l| of(lane(l))[k][0]));
            Membranes {
                count: batch.len(),
                corners: [0, 1, 2].map(|k: usize| std::array::from_fn(|l| lane(l).corners[k][0])),
                weight: std::array::from_fn(|l| lane(l).weight[0]),
                warp: weights(|membrane| membrane.warp),
                weft: weights(|membrane| membrane.weft),
            }
        };
        membranes.chunks(W).map(batch).collect()
    }

    /// Overwrites `forces` with those on the corners at positions `x` and velocities `v` \[N\]: of stretch, and of shear, where
    /// they act.
    #[inline(always)]
    pub fn forces<E: Lanes<W, Number = f64>>(
        &self,
        fabric: &Fabric,
        [stretches, shears]: [bool; 2],
        x: &[Vec3],
        v: Option<&[Vec3]>,
        forces: &mut [[StoredVectors<W>; 3]; 2],
    ) {
        let slopes = self.slopes_and_rates::<E>(x, v);
        if stretches {
            let mut stretch = slopes.w;
            for k in 0..2 {
                let length = dot(slopes.w[k], slopes.w[k]).sqrt();
                stretch[k] =
                    self.stretch_force(fabric.stretch()[k], blocks::divided(slopes.w[k], length), length, slopes.rate(k));
            }
            for corner in 0..3 {
                blocks::store(self.on_corner(corner, stretch), &mut forces[0][corner]);
            }
        }
        if shears {
            let shear = self.shear_force(fabric.shear, slopes);
            for corner in 0..3 {
                blocks::store(self.on_corner(corner, shear), &mut forces[1][corner]);
            }
        }
    }

    /// Overwrites `added` with stretch and shear, where they act.
    #[inline(always)]
    pub fn linearise<E: Lanes<W, Number = f64>>(
        &self,
        fabric: &Fabric,
        [stretches, shears]: [bool; 2],
        at: &Point,
        added: &mut Added<W, 3, 3>,
    ) {
        let (slopes, way) = (self.slopes_and_rates::<E>(at.x, at.v), self.slopes_in_lanes::<E>(at.way));
        let (h, by_position, by_velocity) = (E::splat(at.h), E::splat(at.factors[0]), E::splat(at.factors[1]));
        let mut impulse = [[E::splat(0.0); 3]; 2];
        let mut along = [[E::splat(0.0); 9]; 2];
        let mut across = along[0];
        if stretches {
            for k in 0..2 {
                let length = dot(slopes.w[k], slopes.w[k]).sqrt();
                let n = blocks::divided(slopes.w[k], length);
                let [position, velocity] = self.stretch_derivatives(fabric.stretch()[k], n, length, slopes.rate(k), at.terms);
                let force = self.stretch_force(fabric.stretch()[k], n, length, slopes.rate(k));
                impulse[k] = scaled(h, plus(force, blocks::multiply(position, way[k]))); // h (f + K w)
                along[k] = scaled(by_position, position); // -h D - h g K
                if slopes.damped {
                    along[k] = plus(along[k], scaled(by_velocity, velocity));
                }
            }
        }
        if shears {
            let [[warp, beside, weft], velocity] = self.shear_derivatives(fabric.shear, slopes, at.terms);
            let force = self.shear_force(fabric.shear, slopes);
            let further = plus(blocks::multiply(warp, way[0]), blocks::multiply(beside, way[1]));
            impulse[0] = plus(impulse[0], scaled(h, plus(force[0], further)));
            let further = plus(blocks::multiply_transposed(beside, way[0]), blocks::multiply(weft, way[1]));
            impulse[1] = plus(impulse[1], scaled(h, plus(force[1], further)));
            along[0] = plus(along[0], scaled(by_position, warp));
            along[1] = plus(along[1], scaled(by_position, weft));
            across = scaled(by_position, beside);
            if slopes.damped {
                along[0] = plus(along[0], scaled(by_velocity, velocity[0]));
                across = plus(across, scaled(by_velocity, velocity[1]));
                along[1] = plus(along[1], scaled(by_velocity, velocity[2]));
            }
        }
        let slope_blocks = [along[0], across, along[1]];
        for corner in 0..3 {
            blocks::store(self.on_corner(corner, impulse), &mut added.impulse[corner]);
            blocks::store_blocks(self.block((corner, corner), slope_blocks), &mut added.diagonal[corner]);
        }
        for (pair, above) in PAIRS.into_iter().zip(&mut added.above) {
            blocks::store_blocks(self.block(pair, slope_blocks), above);
        }
    }

    /// \[w_u, w_v\] of a field, shape \[particle_count\].
    #[inline(always)]
    fn slopes_in_lanes<E: Lanes<W, Number = f64>>(&self, field: &[Vec3]) -> [Vectors<E>; 2] {
        let corners = [
            blocks::gathered::<W, E>(field, &self.corners[0]),
            blocks::gathered::<W, E>(field, &self.corners[1]),
            blocks::gathered::<W, E>(field, &self.corners[2]),
        ];
        [slope(blocks::loaded(&self.warp), corners), slope(blocks::loaded(&self.weft), corners)]
    }

    #[inline(always)]
    fn slopes_and_rates<E: Lanes<W, Number = f64>>(&self, x: &[Vec3], v: Option<&[Vec3]>) -> Slopes<E> {
        let w = self.slopes_in_lanes(x);
        match v {
            Some(v) => Slopes { w, rate: self.slopes_in_lanes(v), damped: true },
            None => Slopes { w, rate: w, damped: false },
        }
    }

    /// The force on a corner of one that belongs to slopes.
    #[inline(always)]
    fn on_corner<E: Lanes<W, Number = f64>>(&self, corner: usize, [warp, weft]: [Vectors<E>; 2]) -> Vectors<E> {
        let (a, b) = (E::load(&self.warp[corner]), E::load(&self.weft[corner]));
        plus(scaled(a, warp), scaled(b, weft))
    }

    /// Force of stretch and its damping along one direction n = w / abs(w). A triangle without any extent along it has no force,
    /// for want of a direction.
    #[inline(always)]
    fn stretch_force<E: Lanes<W, Number = f64>>(
        &self,
        elastic: Elastic,
        n: Vectors<E>,
        length: E,
        (rate, damped): (Vectors<E>, bool),
    ) -> Vectors<E> {
        let mut pull = E::splat(elastic.stiffness) * (length - E::splat(1.0));
        if damped {
            pull = pull + E::splat(elastic.damping) * dot(n, rate);
        }
        let force = scaled(-E::load(&self.weight) * pull, n); // -(k C + kd C') / a dC/dw, dC/dw = a n
        let acts = length.reaching(E::splat(f64::from_bits(1))); // abs(w) > 0
        [force[0].kept(acts), force[1].kept(acts), force[2].kept(acts)]
    }

    /// Derivatives of that force by positions \[J\] and by velocities \[J s\]. Filtered, the part across n is dropped where the
    /// triangle is compressed. The derivative of damping by position is made symmetric, also in [`Terms::Exact`], since matrices
    /// are.
    #[inline(always)]
    fn stretch_derivatives<E: Lanes<W, Number = f64>>(
        &self,
        elastic: Elastic,
        n: Vectors<E>,
        length: E,
        (rate, damped): (Vectors<E>, bool),
        terms: Terms,
    ) -> [Blocks<E>; 2] {
        let (zero, one) = (E::splat(0.0), E::splat(1.0));
        let relative = one - one / length;
        let transverse = if terms == Terms::Exact { relative } else { relative.max(zero) };
        let along = blocks::outer(n, n);
        let mut rest = along;
        for q in 0..9 {
            rest[q] = if q % 4 == 0 { one - along[q] } else { zero - along[q] }; // I - n nᵀ
        }
        let factor = -E::load(&self.weight) * E::splat(elastic.stiffness);
        // -k a (n nᵀ + (1 - 1/|w|) (I - n nᵀ))
        let mut position = scaled(factor, plus(along, scaled(transverse, rest)));
        let mut velocity = [zero; 9];
        let none = zero.reaching(length);
        if damped {
            let damping = E::load(&self.weight) * E::splat(elastic.damping);
            if terms != Terms::Filtered {
                let turning = blocks::divided(blocks::multiply(rest, rate), length); // n'
                let mixed = blocks::symmetric(E::splat(0.5), blocks::outer(n, turning));
                // symmetric part of -kd a (n n'ᵀ + (n·w') (I - n nᵀ) / |w|)
                let bent = plus(mixed, scaled(dot(n, rate) / length, rest));
                position = minus(position, scaled(damping, bent));
            }
            velocity = blocks::replaced(scaled(-damping, along), none, zero);
        }
        [blocks::replaced(position, none, zero), velocity]
    }

    /// Force of shear and its damping.
    #[inline(always)]
    fn shear_force<E: Lanes<W, Number = f64>>(&self, elastic: Elastic, slopes: Slopes<E>) -> [Vectors<E>; 2] {
        let ([u, v], rate) = (slopes.w, slopes.rate);
        let mut pull = E::splat(elastic.stiffness) * dot(u, v);
        if slopes.damped {
            pull = pull + E::splat(elastic.damping) * (dot(rate[0], v) + dot(u, rate[1]));
        }
        let force = -E::load(&self.weight) * pull;
        [scaled(force, v), scaled(force, u)] // -(k C + kd C') / a dC/dw, dC/dw_u = a w_v, dC/dw_v = a w_u
    }

    /// Derivatives of that force by positions \[J\] and by velocities \[J s\]. Filtered, only the part of dC/dw (dC/dw)ᵀ stays. The
    /// derivative of damping by position is made symmetric, also in [`Terms::Exact`], since matrices are.
    #[inline(always)]
    fn shear_derivatives<E: Lanes<W, Number = f64>>(
        &self,
        elastic: Elastic,
        slopes: Slopes<E>,
        terms: Terms,
    ) -> [[Blocks<E>; 3]; 2] {
        let ([u, v], rate) = (slopes.w, slopes.rate);
        let squares = [blocks::outer(v, v), blocks::outer(v, u), blocks::outer(u, u)];
        let stiffness = E::load(&self.weight) * E::splat(elastic.stiffness);
        let mut position = squares;
        let mut velocity = squares;
        for k in 0..3 {
            position[k] = scaled(-stiffness, squares[k]);
        }
        if terms == Terms::Exact {
            let angle = stiffness * dot(u, v);
            for q in 0..3 {
                position[1][4 * q] = position[1][4 * q] - angle; // -k a (w_u·w_v) d²(w_u·w_v)
            }
        }
        if slopes.damped {
            let damping = E::load(&self.weight) * E::splat(elastic.damping);
            if terms != Terms::Filtered {
                // symmetric part of -kd a (dC dC'ᵀ + C' d²C) / a²
                let half = E::splat(0.5);
                let beside = plus(blocks::outer(v, rate[0]), blocks::outer(rate[1], u));
                let mut bent = [
                    blocks::symmetric(half, blocks::outer(v, rate[1])),
                    scaled(half, beside),
                    blocks::symmetric(half, blocks::outer(u, rate[0])),
                ];
                let shear_rate = dot(rate[0], v) + dot(u, rate[1]);
                for q in 0..3 {
                    bent[1][4 * q] = bent[1][4 * q] + shear_rate;
                }
                for k in 0..3 {
                    position[k] = minus(position[k], scaled(damping, bent[k]));
                }
            }
            for k in 0..3 {
                velocity[k] = scaled(-damping, squares[k]);
            }
        }
        [position, velocity]
    }

    /// The block of two corners of a matrix over slopes.
    #[inline(always)]
    fn block<E: Lanes<W, Number = f64>>(&self, (i, j): (usize, usize), [warp, across, weft]: [Blocks<E>; 3]) -> Blocks<E> {
        let (warp_i, warp_j) = (E::load(&self.warp[i]), E::load(&self.warp[j]));
        let (weft_i, weft_j) = (E::load(&self.weft[i]), E::load(&self.weft[j]));
        let sum = scaled(warp_i * warp_j, warp);
        let sum = plus(sum, scaled(warp_i * weft_j, across));
        let sum = plus(sum, scaled(weft_i * warp_j, blocks::transposed(across)));
        plus(sum, scaled(weft_i * weft_j, weft))
    }
}

/// The slope of a field with the given vectors at the corners.
#[inline(always)]
fn slope<E: Arithmetic>(weights: [E; 3], [p, q, r]: [Vectors<E>; 3]) -> Vectors<E> {
    plus(plus(scaled(weights[0], p), scaled(weights[1], q)), scaled(weights[2], r))
}
