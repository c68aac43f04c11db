use super::{Bend, Hinge};
use crate::{Mat3, Terms, Vec3};

/// Below this ratio of twice a triangle's area to the squares of its sides, the triangle has collapsed and its hinge does not act.
pub(super) const COLLAPSED: f64 = 1e-9;

/// The pairs of a hinge's particles, in which blocks above the diagonal are ordered.
pub(super) const PAIRS: [(usize, usize); 6] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];

/// The particles of a hinge: ends of the edge, then the wings.
pub(super) fn particles(&Hinge { edge, wings, .. }: &Hinge) -> [usize; 4] {
    [edge[0], edge[1], wings[0], wings[1]]
}

/// A hinge as it is folded: the signed angle theta between the normals of its triangles, cos theta = n_1·n_2
/// \[Parks & Forsyth 2002, eq. 6\], negative where the wings are
/// folded to the front. Derivatives after Tamstorf & Grinspun 2013,
/// by the edge e = x_1 - x_0 and the sides p = x_2 - x_0 and q = x_3 - x_0.
#[derive(Clone, Debug)]
pub(super) struct Fold {
    /// theta, from -pi to pi.
    pub angle: f64,
    /// d theta / dx of the four particles \[1/m\].
    pub gradient: [Vec3; 4],
    /// abs(e) \[m\].
    length: f64,
    /// e / abs(e).
    along: Vec3,
    sides: [Side; 2],
}

/// One triangle of a hinge.
#[derive(Clone, Copy, Debug)]
struct Side {
    /// n, its unit normal.
    normal: Vec3,
    /// b, in its plane, across the edge and towards its wing, of length one.
    across: Vec3,
    /// h, distance of the wing from the edge \[m\].
    height: f64,
    /// t, where the wing's foot is on the edge: 0 and 1 at its ends.
    foot: f64,
}

/// Second derivatives of theta by e, p and q \[1/m²\]; those by p and q vanish.
struct Hessian {
    edge: Mat3,
    /// Rows of p and of q, columns of e.
    mixed: [Mat3; 2],
    wings: [Mat3; 2],
}

/// A symmetric matrix over the particles of a hinge, in blocks of 3x3.
pub(super) struct FoldBlocks {
    pub diagonal: [Mat3; 4],
    /// In the order of [`PAIRS`].
    pub above: [Mat3; 6],
}

impl Fold {
    /// Of the hinge between particles at `x`; none where a triangle has collapsed.
    #[inline]
    pub fn new(x: [Vec3; 4]) -> Option<Fold> {
        let (e, p, q) = (x[1] - x[0], x[2] - x[0], x[3] - x[0]);
        let square = e.norm_squared();
        let length = square.sqrt();
        let along = e / length;
        let side = |side: Vec3, sign: f64| {
            let normal = sign * e.cross(&side);
            let twice = normal.norm();
            let normal = normal / twice;
            let sound = twice > COLLAPSED * (square + side.norm_squared());
            let across = sign * normal.cross(&along);
            sound.then(|| Side { normal, across, height: twice / length, foot: side.dot(&e) / square })
        };
        let sides = [side(p, 1.0)?, side(q, -1.0)?]; // n_1 = e x p, n_2 = q x e
        let [n, m] = sides.map(|side| side.normal);
        let angle = libm::atan2(n.cross(&m).dot(&along), n.dot(&m));
        let wings = sides.map(|side| -side.normal / side.height); // -n / h
        let end = sides[0].foot * wings[0] + sides[1].foot * wings[1];
        let gradient = [end - wings[0] - wings[1], -end, wings[0], wings[1]];
        Some(Fold { angle, gradient, length, along, sides })
    }

    /// d theta / dx · y: the angle's rate, where y are velocities.
    #[inline]
    pub fn slope(&self, y: &[Vec3; 4]) -> f64 {
        (0..4).map(|k| self.gradient[k].dot(&y[k])).sum()
    }

    /// Energy 1/2 kb theta² \[J\].
    pub fn energy(&self, bend: Bend) -> f64 {
        0.5 * bend.stiffness * self.angle * self.angle
    }

    /// What the force on a particle is over its gradient, for velocities v: -(kb theta + kd theta') \[J\].
    #[inline]
    pub fn moment(&self, bend: Bend, v: &[Vec3; 4]) -> f64 {
        let damped = if bend.damping > 0.0 { bend.damping * self.slope(v) } else { 0.0 };
        -(bend.stiffness * self.angle + damped)
    }

    /// For the force f with its derivatives K by position and D by velocity: K y, and `by_position` K + `by_velocity` D.
    ///
    /// Filtered, K is -kb d theta d thetaᵀ. The derivative of damping by position is made symmetric, also in [`Terms::Exact`],
    /// since matrices are.
    #[inline]
    pub fn jacobian(
        &self,
        bend: Bend,
        v: &[Vec3; 4],
        y: &[Vec3; 4],
        terms: Terms,
        (by_position, by_velocity): (f64, f64),
    ) -> ([Vec3; 4], FoldBlocks) {
        let g = &self.gradient;
        let along = -bend.stiffness * self.slope(y);
        let mut product = g.map(|g| along * g); // -kb dtheta dthetaᵀ y
        let square = -(by_position * bend.stiffness + by_velocity * bend.damping);
        let scaled = g.map(|g| square * g);
        let mut blocks = FoldBlocks {
            diagonal: [0, 1, 2, 3].map(|i| scaled[i] * g[i].transpose()),
            above: PAIRS.map(|(i, j)| scaled[i] * g[j].transpose()),
        };
        let damped = terms != Terms::Filtered && bend.damping > 0.0;
        if terms == Terms::Exact || damped {
            let hessian = self.hessian();
            let elastic = if terms == Terms::Exact { bend.stiffness * self.angle } else { 0.0 };
            let curved = -elastic - if damped { bend.damping * self.slope(v) } else { 0.0 }; // -(kb theta + kd theta') d²theta
            let turned = hessian.multiply(y);
            (0..4).for_each(|i| product[i] += curved * turned[i]);
            hessian.add_to(by_position * curved, &mut blocks);
            if damped {
                // symmetric part of -kd dtheta (d²theta v)ᵀ
                let (u, half) = (hessian.multiply(v), -0.5 * bend.damping);
                let (along, across) = (self.slope(y), (0..4).map(|k| u[k].dot(&y[k])).sum::<f64>());
                (0..4).for_each(|i| product[i] += half * (across * g[i] + along * u[i]));
                let half = by_position * half;
                let mixed = |i: usize, j: usize| half * (g[i] * u[j].transpose() + u[i] * g[j].transpose());
                (0..4).for_each(|i| blocks.diagonal[i] += mixed(i, i));
                (0..6).for_each(|k| blocks.above[k] += mixed(PAIRS[k].0, PAIRS[k].1));
            }
        }
        (product, blocks)
    }

    /// With N = n bᵀ + b nᵀ and Q = n eᵀ + e nᵀ (e of length one) of each triangle: theta_pp = N / h²,
    /// theta_pe = e nᵀ / (h l) - t N / h², theta_ee = sum of (t² / h² + 1 / 2 l²) N - t Q / (h l).
    #[inline]
    fn hessian(&self) -> Hessian {
        let mut edge = Mat3::zeros();
        let mut mixed = [Mat3::zeros(); 2];
        let mut wings = [Mat3::zeros(); 2];
        for (k, &Side { normal, across, height, foot }) in self.sides.iter().enumerate() {
            let turned = normal * across.transpose();
            let turned = turned + turned.transpose(); // N
            let sheared = self.along * normal.transpose() / (height * self.length);
            let square = 1.0 / (height * height);
            wings[k] = square * turned;
            mixed[k] = sheared - foot * wings[k];
            edge += (foot * foot * square + 0.5 / (self.length * self.length)) * turned - foot * (sheared + sheared.transpose());
        }
        Hessian { edge, mixed, wings }
    }
}

impl Hessian {
    /// Its product with a field of the four particles.
    #[inline]
    fn multiply(&self, y: &[Vec3; 4]) -> [Vec3; 4] {
        let (e, wings) = (y[1] - y[0], [y[2] - y[0], y[3] - y[0]]);
        let end = self.edge * e + self.mixed[0].tr_mul(&wings[0]) + self.mixed[1].tr_mul(&wings[1]);
        let wings = [0, 1].map(|k: usize| self.mixed[k] * e + self.wings[k] * wings[k]);
        [-(end + wings[0] + wings[1]), end, wings[0], wings[1]]
    }

    /// Adds `factor` times itself.
    #[inline]
    fn add_to(&self, factor: f64, blocks: &mut FoldBlocks) {
        let edge = factor * self.edge;
        let [p, q] = self.mixed.map(|block| factor * block);
        let wings = self.wings.map(|block| factor * block);
        let (row_p, row_q) = (p.transpose(), q.transpose());
        let first = [-(edge + p + q), -(row_p + wings[0]), -(row_q + wings[1])]; // rows sum to zero
        blocks.diagonal[0] -= first[0] + first[1] + first[2];
        blocks.diagonal[1] += edge;
        blocks.diagonal[2] += wings[0];
        blocks.diagonal[3] += wings[1];
        (0..3).for_each(|k| blocks.above[k] += first[k]);
        blocks.above[3] += row_p;
        blocks.above[4] += row_q;
    }
}
