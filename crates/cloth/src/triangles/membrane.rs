use super::{Triangle, Vec2};
use crate::{Elastic, Mat3, Terms, Vec3};

/// A triangle as it stretches and shears in its plane \[Baraff & Witkin 1998\]: positions are linear on it, with the slopes
/// w_u = sum of a_i x_i along the warp and w_v = sum of b_i x_i along the weft.
///
/// Slopes of positions \[-\] and of velocities \[1/s\] come as \[along warp, along weft\]. A force that belongs to slopes \[J\] acts with
/// a_i and b_i times its two parts on the corners.
#[derive(Clone, Debug)]
pub(super) struct Membrane {
    /// Ascending, so that each of their pairs is.
    pub corners: [usize; 3],
    /// a, area as it was cut \[m²\].
    pub area: f64,
    /// a_i \[1/m\].
    pub warp: [f64; 3],
    /// b_i \[1/m\].
    pub weft: [f64; 3],
}

/// The pairs of corners, in which blocks above the diagonal are ordered.
pub(super) const PAIRS: [(usize, usize); 3] = [(0, 1), (0, 2), (1, 2)];

/// A symmetric matrix over slopes, in blocks of 3x3.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlopeBlocks {
    pub warp: Mat3,
    /// Row of the warp, column of the weft; the other one is its transpose.
    pub across: Mat3,
    pub weft: Mat3,
}

impl SlopeBlocks {
    pub fn zeros() -> SlopeBlocks {
        SlopeBlocks { warp: Mat3::zeros(), across: Mat3::zeros(), weft: Mat3::zeros() }
    }

    /// Adds `factor` times another matrix.
    pub fn add_scaled(&mut self, factor: f64, other: &SlopeBlocks) {
        self.warp += factor * other.warp;
        self.across += factor * other.across;
        self.weft += factor * other.weft;
    }

    /// Its product with slopes.
    pub fn multiply(&self, [warp, weft]: [Vec3; 2]) -> [Vec3; 2] {
        [self.warp * warp + self.across * weft, self.across.tr_mul(&warp) + self.weft * weft]
    }
}

/// Derivatives of a force that belongs to slopes.
#[derive(Clone, Copy, Debug)]
pub(super) struct MembraneJacobian {
    /// By the slopes of positions \[J\].
    pub position: SlopeBlocks,
    /// By the slopes of velocities \[J s\].
    pub velocity: SlopeBlocks,
}

impl Membrane {
    /// Of a triangle whose area is above zero.
    pub fn new(triangle: &Triangle) -> Membrane {
        let mut order = [0, 1, 2];
        order.sort_unstable_by_key(|k| triangle.corners[*k]);
        let [p, q, r]: [Vec2; 3] = order.map(|k| triangle.material[k]);
        let twice = (q - p).perp(&(r - p)); // negative where sorting turned the triangle, which the weights do not mind
        let warp = [q.y - r.y, r.y - p.y, p.y - q.y].map(|side| side / twice);
        let weft = [r.x - q.x, p.x - r.x, q.x - p.x].map(|side| side / twice);
        Membrane { corners: order.map(|k| triangle.corners[k]), area: triangle.area(), warp, weft }
    }

    /// \[sum of a_i², sum of b_i²\] \[1/m²\].
    pub fn squares(&self) -> [f64; 2] {
        [self.warp, self.weft].map(|weights| weights.iter().map(|weight| weight * weight).sum())
    }

    /// \[w_u, w_v\] of a field, shape \[particle_count\].
    #[inline]
    pub fn slopes(&self, field: &[Vec3]) -> [Vec3; 2] {
        let [p, q, r] = self.corners.map(|corner| field[corner]);
        [self.warp, self.weft].map(|weights| weights[0] * p + weights[1] * q + weights[2] * r)
    }

    /// Adds a force that belongs to slopes to `f`, shape \[particle_count\].
    #[inline]
    pub fn add_force(&self, [warp, weft]: [Vec3; 2], f: &mut [Vec3]) {
        for (k, corner) in self.corners.into_iter().enumerate() {
            f[corner] += self.warp[k] * warp + self.weft[k] * weft;
        }
    }

    /// The block of two corners of a matrix over slopes.
    #[inline]
    pub fn block(&self, (i, j): (usize, usize), blocks: &SlopeBlocks) -> Mat3 {
        self.warp[i] * self.warp[j] * blocks.warp
            + self.warp[i] * self.weft[j] * blocks.across
            + self.weft[i] * self.warp[j] * blocks.across.transpose()
            + self.weft[i] * self.weft[j] * blocks.weft
    }

    /// 1/2 k/a C² of C = a (abs(w) - 1) \[J\] \[Parks & Forsyth 2002, eq. 4\], over warp and weft.
    pub fn stretch_energy(&self, elastic: [Elastic; 2], w: [Vec3; 2]) -> f64 {
        let energy = |k: usize| {
            let strain = w[k].norm() - 1.0;
            0.5 * elastic[k].stiffness * self.area * strain * strain
        };
        energy(0) + energy(1)
    }

    /// Force of stretch and its damping at slopes `w` with the rates `rate`. A triangle without any extent along the warp has no force
    /// along it, for want of a direction; nor along the weft.
    #[inline]
    pub fn stretch_force(&self, elastic: [Elastic; 2], w: [Vec3; 2], rate: [Vec3; 2]) -> [Vec3; 2] {
        let force = |k: usize| {
            let (Elastic { stiffness, damping }, length) = (elastic[k], w[k].norm());
            if length > 0.0 {
                let n = w[k] / length;
                -self.area * (stiffness * (length - 1.0) + damping * n.dot(&rate[k])) * n // -(k C + kd C') / a dC/dw, dC/dw = a n
            } else {
                Vec3::zeros()
            }
        };
        [force(0), force(1)]
    }

    /// Derivatives of [`Membrane::stretch_force`]. Filtered, the part across n is dropped where the triangle is compressed.
    /// The derivative of damping by position is made symmetric, also in [`Terms::Exact`], since matrices are.
    #[inline]
    pub fn stretch_jacobian(&self, elastic: [Elastic; 2], w: [Vec3; 2], rate: [Vec3; 2], terms: Terms) -> MembraneJacobian {
        let blocks = |k: usize| {
            let (Elastic { stiffness, damping }, length) = (elastic[k], w[k].norm());
            if length <= 0.0 {
                return [Mat3::zeros(); 2];
            }
            let n = w[k] / length;
            let along = n * n.transpose();
            let rest = Mat3::identity() - along;
            let relative = 1.0 - 1.0 / length;
            let transverse = if terms == Terms::Exact { relative } else { relative.max(0.0) };
            let mut position = -self.area * stiffness * (along + transverse * rest); // -k a (n nᵀ + (1 - 1/|w|) (I - n nᵀ))
            if terms != Terms::Filtered && damping > 0.0 {
                let turning = rest * rate[k] / length; // n'
                let mixed = n * turning.transpose();
                let rate = n.dot(&rate[k]);
                // symmetric part of -kd a (n n'ᵀ + (n·w') (I - n nᵀ) / |w|)
                position -= self.area * damping * (0.5 * (mixed + mixed.transpose()) + rate / length * rest);
            }
            [position, -self.area * damping * along]
        };
        let ([warp, warp_rate], [weft, weft_rate]) = (blocks(0), blocks(1));
        let across = Mat3::zeros();
        MembraneJacobian {
            position: SlopeBlocks { warp, across, weft },
            velocity: SlopeBlocks { warp: warp_rate, across, weft: weft_rate },
        }
    }

    /// 1/2 k/a C² of C = a w_u·w_v \[J\] \[Parks & Forsyth 2002, eq. 5\].
    pub fn shear_energy(&self, elastic: Elastic, [warp, weft]: [Vec3; 2]) -> f64 {
        let shear = warp.dot(&weft);
        0.5 * elastic.stiffness * self.area * shear * shear
    }

    /// Force of shear and its damping at slopes w with given rates.
    #[inline]
    pub fn shear_force(&self, elastic: Elastic, [warp, weft]: [Vec3; 2], rate: [Vec3; 2]) -> [Vec3; 2] {
        let shear_rate = rate[0].dot(&weft) + warp.dot(&rate[1]);
        let force = -self.area * (elastic.stiffness * warp.dot(&weft) + elastic.damping * shear_rate);
        [force * weft, force * warp] // -(k C + kd C') / a dC/dw, dC/dw_u = a w_v, dC/dw_v = a w_u
    }

    /// Derivatives of [`Membrane::shear_force`]. Filtered, only the part of dC/dw (dC/dw)ᵀ stays. The derivative of damping by
    /// position is made symmetric, also in [`Terms::Exact`], since matrices are.
    #[inline]
    pub fn shear_jacobian(&self, elastic: Elastic, [u, v]: [Vec3; 2], rate: [Vec3; 2], terms: Terms) -> MembraneJacobian {
        let squares = SlopeBlocks { warp: v * v.transpose(), across: v * u.transpose(), weft: u * u.transpose() };
        let (stiffness, damping) = (self.area * elastic.stiffness, self.area * elastic.damping);
        let (mut position, mut velocity) = (SlopeBlocks::zeros(), SlopeBlocks::zeros());
        position.add_scaled(-stiffness, &squares);
        velocity.add_scaled(-damping, &squares);
        if terms == Terms::Exact {
            position.across -= stiffness * u.dot(&v) * Mat3::identity(); // -k a (w_u·w_v) d²(w_u·w_v)
        }
        if terms != Terms::Filtered && damping > 0.0 {
            let symmetric = |a: Vec3, b: Vec3| 0.5 * (a * b.transpose() + b * a.transpose());
            let shear_rate = rate[0].dot(&v) + u.dot(&rate[1]);
            // symmetric part of -kd a (dC dC'ᵀ + C' d²C) / a²
            position.warp -= damping * symmetric(v, rate[1]);
            position.weft -= damping * symmetric(u, rate[0]);
            position.across -=
                damping * (0.5 * (v * rate[0].transpose() + rate[1] * u.transpose()) + shear_rate * Mat3::identity());
        }
        MembraneJacobian { position, velocity }
    }
}
