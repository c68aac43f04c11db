use super::tile::SymmetricTile;
use super::vectors::Vectors;
use super::{GridOperator, GridShape, LANES};
use crate::Vec3;

/// Factor by which rᵀ P⁻¹ r may exceed what the iteration made of it: beyond, rounding has spoilt the direction too.
const SPOILT: f64 = 2.0;

/// What [`GridCg::solve_in_single`](super::GridCg::solve_in_single) keeps in single precision: A, P⁻¹ and S, and the vectors of
/// conjugate gradients for corrections of x.
#[derive(Debug)]
pub struct GridSingle {
    operator: GridOperator<f32>,
    /// P⁻¹, shape \[tiles\].
    inverses: Vec<SymmetricTile<f32>>,
    vectors: Vectors<f32>,
    /// None before the first correction.
    last: Option<Last>,
}

/// How the iteration ended that a correction took.
#[derive(Clone, Copy, Debug)]
struct Last {
    /// Of its vectors.
    scale: f64,
    /// rᵀ P⁻¹ r of its vectors.
    delta: f64,
    /// rᵀ P⁻¹ r before its last iteration.
    delta_old: f64,
}

/// A correction c = scale (x + alpha p), of which the vectors stay where they are.
pub(super) struct Correction {
    scale: f64,
    alpha: f64,
    /// Iterations that it took.
    pub iterations: usize,
    /// Products that it took.
    pub products: usize,
}

impl GridSingle {
    /// Memory for systems of a shape.
    pub fn new(shape: GridShape) -> GridSingle {
        GridSingle {
            operator: GridOperator::zero(shape),
            inverses: vec![SymmetricTile::ZERO; shape.tiles()],
            vectors: Vectors::new(shape),
            last: None,
        }
    }

    /// Its rows.
    pub fn shape(&self) -> GridShape {
        self.operator.shape()
    }

    /// Takes A, P⁻¹ and S of another system.
    pub(super) fn round(&mut self, operator: &GridOperator, inverses: &[SymmetricTile], double: &Vectors) {
        self.operator.round(operator);
        for (rounded, inverse) in self.inverses.iter_mut().zip(inverses) {
            rounded.round(inverse);
        }
        self.vectors.constrained.round(&double.constrained);
        self.vectors.p.clear();
        self.last = None;
    }

    /// Iterates on A c = r until rᵀ P⁻¹ r has fallen to `target` of what it was, with r of `double`, but at most `limit` times, or
    /// until a number does not fit.
    ///
    /// The first direction of a further correction continues the last one, as if r had only been computed more accurately
    /// \[Clark et al. 2010\]; where each correction starts anew, a solve takes up to 30 % more iterations.
    pub(super) fn correct(&mut self, double: &Vectors, target: f64, limit: usize) -> Correction {
        let GridSingle { operator, inverses, vectors, last } = self;
        let scale = vectors.r.round(&double.r);
        vectors.h.clear();
        vectors.x.clear();
        let mut delta = vectors.precondition(operator, inverses, 0.0);
        let (mut alpha, mut beta) = (0.0, last.map_or(0.0, |last| last.beta(delta, scale)));
        let goal = target * delta;
        let (mut iterations, mut products) = (0, 0);
        while iterations < limit && delta > goal {
            let curvature = vectors.move_along(operator, alpha, beta);
            alpha = 0.0;
            products += 1;
            if !(curvature > 0.0 && curvature.is_finite()) {
                break;
            }
            iterations += 1;
            alpha = delta / curvature;
            let delta_old = delta;
            delta = vectors.precondition(operator, inverses, alpha);
            beta = delta / delta_old;
            *last = Some(Last { scale, delta, delta_old });
        }
        Correction { scale, alpha, iterations, products }
    }

    /// Overwrites p of `double` by x + S c.
    pub(super) fn add(&self, &Correction { scale, alpha, .. }: &Correction, double: &mut Vectors) {
        let Vectors { constrained, x, p: sums, .. } = double;
        let mut sums = sums.arrays_mut();
        let (own, direction) = (self.vectors.x.arrays(), self.vectors.p.arrays());
        for q in 0..3 {
            for ((sum, &own), &direction) in sums[q].iter_mut().zip(own[q]).zip(direction[q]) {
                *sum = scale * (f64::from(own) + alpha * f64::from(direction));
            }
        }
        for (number, projection) in &constrained.tiles {
            for (lane, row) in (number * LANES..).take(LANES).enumerate() {
                let projected = projection.block(lane) * Vec3::new(sums[0][row], sums[1][row], sums[2][row]);
                (0..3).for_each(|q| sums[q][row] = projected[q]);
            }
        }
        for (sums, x) in sums.into_iter().zip(x.arrays()) {
            for (sum, x) in sums.iter_mut().zip(x) {
                *sum += x;
            }
        }
    }
}

impl Last {
    /// beta of an iteration that goes on with vectors of another scale; p is still of the last one.
    fn beta(self, delta: f64, scale: f64) -> f64 {
        let ratio = self.scale / scale;
        if delta > SPOILT * self.delta * (ratio * ratio) {
            return 0.0;
        }
        delta / (self.delta_old * ratio) // delta / (ratio² delta_old), times ratio for p
    }
}
