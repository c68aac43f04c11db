use linsolve::lanes::{Arithmetic, Lanes, Vector, dot, minus, plus, scaled};

use super::angle::angle;
use super::blocks::{self, Blocks, StoredVectors, Vectors};
use super::elements::{Added, Point};
use super::{Bend, Hinge};
use crate::{Terms, Vec3};

/// Below this ratio of twice a triangle's area to the squares of its sides, the triangle has collapsed and its hinge does not act.
const COLLAPSED: f64 = 1e-9;

/// The pairs of a hinge's particles, in which blocks above the diagonal are ordered.
pub(super) const PAIRS: [(usize, usize); 6] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];

/// The particles of a hinge: ends of the edge, then the wings.
pub(super) fn particles(&Hinge { edge, wings, .. }: &Hinge) -> [usize; 4] {
    [edge[0], edge[1], wings[0], wings[1]]
}

/// W hinges at a time.
#[derive(Clone, Debug)]
pub(super) struct Folds<const W: usize> {
    /// Hinges, 1 to W; further lanes repeat the last one.
    pub count: usize,
    /// In the order of [`particles`].
    pub particles: [[u32; W]; 4],
    /// What the stiffness and the damping of each are multiplied by \[-\].
    pub factors: [f64; W],
}

/// Hinges as they are folded: the signed angle theta between the normals of two triangles, cos theta = n_1·n_2
/// \[Parks & Forsyth 2002, eq. 6\], negative where the wings are folded to the front. Derivatives after Tamstorf & Grinspun 2013,
/// by the edge e = x_1 - x_0 and the sides p = x_2 - x_0 and q = x_3 - x_0.
pub(super) struct Folded<E> {
    /// theta, from -pi to pi.
    pub angle: E,
    /// d theta / dx of the four particles \[1/m\].
    pub gradient: [Vectors<E>; 4],
    /// A bit for each lane: whether neither triangle has collapsed.
    pub sound: u8,
    /// abs(e) \[m\].
    length: E,
    /// e / abs(e).
    along: Vectors<E>,
    sides: [Side<E>; 2],
}

/// One triangle of each hinge.
#[derive(Clone, Copy)]
struct Side<E> {
    /// n, its unit normal.
    normal: Vectors<E>,
    /// b, in its plane, across the edge and towards its wing, of length one.
    across: Vectors<E>,
    /// h, distance of the wing from the edge \[m\].
    height: E,
    /// t, where the wing's foot is on the edge: 0 and 1 at its ends.
    foot: E,
    sound: u8,
}

/// Second derivatives of theta by e, p and q \[1/m²\]; those by p and q vanish.
struct Hessian<E> {
    edge: Blocks<E>,
    /// Rows of p and of q, columns of e.
    mixed: [Blocks<E>; 2],
    wings: [Blocks<E>; 2],
}

impl<const W: usize> Folds<W> {
    /// Hinges with their factors, in batches.
    pub fn batches(hinges: &[(&Hinge, f64)]) -> Vec<Folds<W>> {
        let batch = |batch: &[(&Hinge, f64)]| {
            let lane = |lane: usize| batch[lane.min(batch.len() - 1)];
            let particles = [0, 1, 2, 3].map(|k: usize| std::array::from_fn(|l| particles(lane(l).0)[k] as u32));
            Folds { count: batch.len(), particles, factors: std::array::from_fn(|l| lane(l).1) }
        };
        hinges.chunks(W).map(batch).collect()
    }

    /// kb and kd of its hinges.
    #[inline(always)]
    fn elastic<E: Lanes<W, Number = f64>>(&self, bend: Bend) -> [E; 2] {
        let factors = E::load(&self.factors);
        [E::splat(bend.stiffness) * factors, E::splat(bend.damping) * factors]
    }

    #[inline(always)]
    fn gathered<E: Lanes<W, Number = f64>>(&self, field: &[Vec3]) -> [Vectors<E>; 4] {
        let [a, b, c, d] = &self.particles;
        [blocks::gathered(field, a), blocks::gathered(field, b), blocks::gathered(field, c), blocks::gathered(field, d)]
    }

    /// How they are folded at positions `x`.
    #[inline(always)]
    pub fn folded<E: Lanes<W, Number = f64>>(&self, x: &[Vec3]) -> Folded<E> {
        Folded::new(self.gathered(x))
    }

    /// Overwrites `forces` with those on the particles at positions `x` and velocities `v` \[N\]; a bit for each lane, whether its
    /// hinge acts.
    #[inline(always)]
    pub fn forces<E: Lanes<W, Number = f64>>(
        &self,
        bend: Bend,
        x: &[Vec3],
        v: Option<&[Vec3]>,
        forces: &mut [StoredVectors<W>; 4],
    ) -> u8 {
        let (folded, [kb, kd]) = (self.folded::<E>(x), self.elastic::<E>(bend));
        let mut moment = kb * folded.angle;
        if let Some(v) = v {
            moment = moment + kd * folded.slope(self.gathered(v));
        }
        for k in 0..4 {
            blocks::store(scaled(-moment, folded.gradient[k]), &mut forces[k]);
        }
        folded.sound
    }

    /// Overwrites `added` with bending; a bit for each lane, whether its hinge acts.
    ///
    /// Filtered, K is -kb d theta d thetaᵀ. The derivative of damping by position is made symmetric, also in [`Terms::Exact`],
    /// since matrices are.
    #[inline(always)]
    pub fn linearise<E: Lanes<W, Number = f64>>(&self, bend: Bend, at: &Point, added: &mut Added<W, 4, 6>) -> u8 {
        let folded = self.folded::<E>(at.x);
        let way = self.gathered::<E>(at.way);
        let gradient = folded.gradient;
        let (by_position, [kb, kd]) = (E::splat(at.factors[0]), self.elastic::<E>(bend));
        let mut moment = -(kb * folded.angle); // -(kb theta + kd theta')
        let mut curved = if at.terms == Terms::Exact { moment } else { E::splat(-0.0) }; // what d²theta is multiplied by
        let mut square = by_position * kb;
        if let Some(v) = at.v {
            let damped = kd * folded.slope(self.gathered(v));
            (moment, curved) = (moment - damped, curved - damped);
            square = square + E::splat(at.factors[1]) * kd;
        }
        let along = -kb * folded.slope(way);
        let mut product = gradient;
        let mut squared = gradient;
        for k in 0..4 {
            product[k] = scaled(along, gradient[k]); // -kb dtheta dthetaᵀ w
            squared[k] = scaled(-square, gradient[k]);
        }
        let mut further = None; // of second derivatives: at the particles, between them, and d²theta v
        let half = E::splat(-0.5) * kd;
        if at.terms == Terms::Exact || at.v.is_some() && at.terms != Terms::Filtered {
            let hessian = folded.hessian();
            let turned = hessian.multiply(way);
            for k in 0..4 {
                product[k] = plus(product[k], scaled(curved, turned[k]));
            }
            let (diagonal, above) = hessian.scaled(by_position * curved);
            // symmetric part of -kd dtheta (d²theta v)ᵀ
            let mut turning = gradient;
            if let Some(v) = at.v {
                turning = hessian.multiply(self.gathered(v));
                let (along, across) = (folded.slope(way), slope(turning, way));
                for k in 0..4 {
                    let mixed = plus(scaled(across, gradient[k]), scaled(along, turning[k]));
                    product[k] = plus(product[k], scaled(half, mixed));
                }
            }
            further = Some((diagonal, above, turning));
        }
        for k in 0..4 {
            let mut block = blocks::outer(squared[k], gradient[k]);
            if let Some((diagonal, _, turning)) = &further {
                block = plus(block, diagonal[k]);
                if at.v.is_some() {
                    block = plus(block, blocks::symmetric(by_position * half, blocks::outer(gradient[k], turning[k])));
                }
            }
            blocks::store_blocks(block, &mut added.diagonal[k]);
        }
        for k in 0..6 {
            let (i, j) = PAIRS[k];
            let mut block = blocks::outer(squared[i], gradient[j]);
            if let Some((_, above, turning)) = &further {
                if k < 5 {
                    block = plus(block, above[k]);
                }
                if at.v.is_some() {
                    let mixed = plus(blocks::outer(gradient[i], turning[j]), blocks::outer(turning[i], gradient[j]));
                    block = plus(block, scaled(by_position * half, mixed));
                }
            }
            blocks::store_blocks(block, &mut added.above[k]);
        }
        for k in 0..4 {
            let impulse = scaled(E::splat(at.h), plus(scaled(moment, gradient[k]), product[k])); // h (f + K w)
            blocks::store(impulse, &mut added.impulse[k]);
        }
        folded.sound
    }
}

impl Folds<1> {
    /// Energy at positions `x` \[J\].
    pub fn energy(&self, bend: Bend, x: &[Vec3]) -> f64 {
        let [Vector([kb]), _] = self.elastic::<Vector<1>>(bend);
        self.folded::<Vector<1>>(x).energy(kb)
    }

    /// Adds Kᵀ q to `by_position` and Dᵀ q to `by_velocity`, exactly: f·q = -(kb theta + kd theta') (dtheta·q) has the slopes
    /// -(kb (dtheta·q) dtheta + (kb theta + kd theta') d²theta q + kd (dtheta·q) d²theta v) by positions, and
    /// -kd (dtheta·q) dtheta by velocities.
    pub fn add_transposed(
        &self,
        bend: Bend,
        x: &[Vec3],
        v: &[Vec3],
        q: &[Vec3],
        by_position: &mut [Vec3],
        by_velocity: &mut [Vec3],
    ) {
        let folded = self.folded::<Vector<1>>(x);
        if folded.sound == 0 {
            return;
        }
        let (v, q) = (self.gathered::<Vector<1>>(v), self.gathered::<Vector<1>>(q));
        let hessian = folded.hessian();
        let (bent, turning) = (hessian.multiply(q), hessian.multiply(v));
        let [Vector([angle]), Vector([rate]), Vector([along])] = [folded.angle, folded.slope(v), folded.slope(q)];
        let [kb, kd] = self.elastic::<Vector<1>>(bend).map(|Vector([elastic])| elastic);
        let moment = kb * angle + kd * rate;
        let of = |vectors: Vectors<Vector<1>>| Vec3::from(vectors.map(|Vector([coordinate])| coordinate));
        for (k, [particle]) in self.particles.into_iter().enumerate() {
            let gradient = along * of(folded.gradient[k]);
            let curved = moment * of(bent[k]) + kd * along * of(turning[k]);
            by_position[particle as usize] -= kb * gradient + curved;
            by_velocity[particle as usize] -= kd * gradient;
        }
    }
}

/// Sum of a_k·b_k.
#[inline(always)]
fn slope<E: Arithmetic>(a: [Vectors<E>; 4], b: [Vectors<E>; 4]) -> E {
    dot(a[0], b[0]) + dot(a[1], b[1]) + dot(a[2], b[2]) + dot(a[3], b[3])
}

impl Folded<Vector<1>> {
    /// Energy 1/2 kb theta² \[J\] of one hinge of stiffness kb \[J\]; none where a triangle has collapsed.
    pub fn energy(&self, kb: f64) -> f64 {
        let Vector([angle]) = self.angle;
        if self.sound == 1 { 0.5 * kb * angle * angle } else { 0.0 }
    }
}

impl<E> Folded<E> {
    #[inline(always)]
    fn new<const W: usize>(x: [Vectors<E>; 4]) -> Folded<E>
    where
        E: Lanes<W, Number = f64>,
    {
        let (e, p, q) = (minus(x[1], x[0]), minus(x[2], x[0]), minus(x[3], x[0]));
        let square = dot(e, e);
        let length = square.sqrt();
        let along = blocks::divided(e, length);
        let sides = [Side::new(e, p, false, square, length, along), Side::new(e, q, true, square, length, along)]; // n_1 = e x p, n_2 = q x e
        let (n, m) = (sides[0].normal, sides[1].normal);
        let angle = angle(dot(blocks::cross(n, m), along), dot(n, m));
        let wings =
            [blocks::divided(blocks::negative(n), sides[0].height), blocks::divided(blocks::negative(m), sides[1].height)]; // -n / h
        let end = plus(scaled(sides[0].foot, wings[0]), scaled(sides[1].foot, wings[1]));
        let gradient = [minus(minus(end, wings[0]), wings[1]), blocks::negative(end), wings[0], wings[1]];
        Folded { angle, gradient, length, along, sides, sound: sides[0].sound & sides[1].sound }
    }

    /// d theta / dx · y: the angle's rate, where y are velocities.
    #[inline(always)]
    fn slope(&self, y: [Vectors<E>; 4]) -> E
    where
        E: Arithmetic,
    {
        slope(self.gradient, y)
    }

    #[inline(always)]
    fn hessian<const W: usize>(&self) -> Hessian<E>
    where
        E: Lanes<W, Number = f64>,
    {
        let Folded { length, along, sides: [first, second], .. } = *self;
        let half = E::splat(0.5) / (length * length);
        let (first, second) = (first.hessian(along, length, half), second.hessian(along, length, half));
        Hessian { edge: plus(first.0, second.0), mixed: [first.1, second.1], wings: [first.2, second.2] }
    }
}

impl<E> Side<E> {
    /// With the normal e x `side`, or the opposite one where it is `turned`.
    #[inline(always)]
    fn new<const W: usize>(e: Vectors<E>, side: Vectors<E>, turned: bool, square: E, length: E, along: Vectors<E>) -> Side<E>
    where
        E: Lanes<W, Number = f64>,
    {
        let normal = blocks::cross(e, side);
        let normal = if turned { blocks::negative(normal) } else { normal };
        let twice = dot(normal, normal).sqrt();
        let normal = blocks::divided(normal, twice);
        let least = E::splat(COLLAPSED) * (square + dot(side, side));
        let across = blocks::cross(normal, along);
        Side {
            normal,
            across: if turned { blocks::negative(across) } else { across },
            height: twice / length,
            foot: dot(side, e) / square,
            sound: twice.reaching(least) & !least.reaching(twice), // twice > least
        }
    }

    /// Its part of theta_ee, theta_pe and theta_pp; `half` is 1 / 2 l². With N = n bᵀ + b nᵀ and Q = n eᵀ + e nᵀ (e of length one)
    /// of each triangle: theta_pp = N / h², theta_pe = e nᵀ / (h l) - t N / h², theta_ee = sum of (t² / h² + 1 / 2 l²) N - t Q /
    /// (h l).
    #[inline(always)]
    fn hessian<const W: usize>(self, along: Vectors<E>, length: E, half: E) -> (Blocks<E>, Blocks<E>, Blocks<E>)
    where
        E: Lanes<W, Number = f64>,
    {
        let Side { normal, across, height, foot, .. } = self;
        let turned = blocks::outer(normal, across);
        let turned = plus(turned, blocks::transposed(turned)); // N
        let per_area = height * length;
        let sheared = blocks::divided(blocks::outer(along, normal), per_area);
        let square = E::splat(1.0) / (height * height);
        let wing = scaled(square, turned);
        let mixed = minus(sheared, scaled(foot, wing));
        let symmetric = plus(sheared, blocks::transposed(sheared));
        let edge = minus(scaled(foot * foot * square + half, turned), scaled(foot, symmetric));
        (edge, mixed, wing)
    }
}

impl<E: Arithmetic> Hessian<E> {
    /// Its product with a field of the four particles.
    #[inline(always)]
    fn multiply(&self, y: [Vectors<E>; 4]) -> [Vectors<E>; 4] {
        let (e, p, q) = (minus(y[1], y[0]), minus(y[2], y[0]), minus(y[3], y[0]));
        let end = plus(blocks::multiply(self.edge, e), blocks::multiply_transposed(self.mixed[0], p));
        let end = plus(end, blocks::multiply_transposed(self.mixed[1], q));
        let p = plus(blocks::multiply(self.mixed[0], e), blocks::multiply(self.wings[0], p));
        let q = plus(blocks::multiply(self.mixed[1], e), blocks::multiply(self.wings[1], q));
        [blocks::negative(plus(plus(end, p), q)), end, p, q]
    }

    /// `factor` times itself at the particles and, but for the wings, which it does not couple, between them.
    #[inline(always)]
    fn scaled(&self, factor: E) -> ([Blocks<E>; 4], [Blocks<E>; 5]) {
        let edge = scaled(factor, self.edge);
        let (p, q) = (scaled(factor, self.mixed[0]), scaled(factor, self.mixed[1]));
        let wings = [scaled(factor, self.wings[0]), scaled(factor, self.wings[1])];
        let (row_p, row_q) = (blocks::transposed(p), blocks::transposed(q));
        let first = [
            blocks::negative(plus(plus(edge, p), q)),
            blocks::negative(plus(row_p, wings[0])),
            blocks::negative(plus(row_q, wings[1])),
        ]; // rows sum to zero
        let corner = blocks::negative(plus(plus(first[0], first[1]), first[2]));
        ([corner, edge, wings[0], wings[1]], [first[0], first[1], first[2], row_p, row_q])
    }
}
