use std::mem::swap;

use super::cg::{Delta, Preconditioner, Problem};
use super::{GridBlockDiagonal, GridCg, GridOperator, GridSingle};
use crate::{ConstrainedSystem, Settings, SolveReport, Vec3};

/// What a correction makes of rᵀ P⁻¹ r, or less where the stopping rule is met before. Less than that and the residual in single
/// precision is no longer that of the system; more, and there are more corrections than need be.
const TARGET: f64 = 1e-4;

/// What a correction must make of it, at least.
const LEAST: f64 = 0.25;

/// The share of what the stopping rule allows that the last correction aims at, since it does not hit it exactly.
const MARGIN: f64 = 0.8;

/// The work of a solve in single precision with refinement in double precision, and how it ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RefinementReport {
    /// The whole: iterations and products of both precisions.
    pub total: SolveReport,
    /// Iterations in single precision.
    pub single_iterations: usize,
    /// Corrections that they made; each takes a product in double precision.
    pub corrections: usize,
    /// Whether the solve went on in double precision alone.
    pub fell_back: bool,
}

impl GridCg {
    /// Solves a system as [`GridCg::solve`] does, to the same tolerance in double precision, but with iterations in single
    /// precision: half the bytes and twice the lanes. Same bits on every instruction set; allocates nothing.
    ///
    /// Iterative refinement: r = S (b - A x) in double precision; c with S A c = r by some iterations with A, P⁻¹, S and all
    /// vectors rounded, r in units of the power of two below its largest number; x += S c. Where rounding keeps a correction from
    /// halving the residual, or a number does not fit, the solve goes on in double precision from the best x.
    ///
    /// # Panics
    /// As [`GridCg::solve`] does, and where the shape of `single` differs.
    pub fn solve_in_single(
        &mut self,
        system: &ConstrainedSystem<'_, GridOperator>,
        x: &mut [Vec3],
        preconditioner: &GridBlockDiagonal,
        single: &mut GridSingle,
        settings: &Settings,
    ) -> RefinementReport {
        let blocks = Preconditioner::Blocks(preconditioner);
        let mut problem = Problem { operator: system.operator, preconditioner: blocks, cycles: 0 };
        let mut progress = self.begin(system, x, &mut problem, settings);
        assert_eq!(single.shape(), system.operator.shape(), "shapes of the operator and of what is kept in single precision");
        let mut corrections = 0;
        if progress.stop(settings).is_none() {
            single.round(problem.operator, preconditioner.inverses(), &self.vectors);
        }
        while progress.stop(settings).is_none() {
            let delta = progress.delta.own;
            let allowed = settings.tolerance_squared * progress.b_delta.own / delta;
            let limit = settings.iteration_limit - progress.iterations;
            let correction = single.correct(&self.vectors, TARGET.max(MARGIN * allowed), limit);
            progress.iterations += correction.iterations;
            progress.products += correction.products;
            if correction.iterations == 0 {
                break;
            }
            corrections += 1;
            single.add(&correction, &mut self.vectors);
            progress.delta = self.residual(system, &mut problem);
            progress.products += 1;
            swap(&mut self.vectors.x, &mut self.vectors.p); // x is the corrected one, p the old one
            let improved = progress.delta.own < delta; // not where it is no number
            if !improved {
                progress.delta = self.residual(system, &mut problem);
                progress.products += 1;
                swap(&mut self.vectors.x, &mut self.vectors.p);
                self.vectors.p.clear();
            }
            if progress.delta.own > LEAST * delta {
                break;
            }
        }
        let single_iterations = progress.iterations;
        let fell_back = progress.stop(settings).is_none();
        let total = self.go_on(system, x, problem, settings, progress).total;
        RefinementReport { total, single_iterations, corrections, fell_back }
    }

    /// r = S (b - A p), h = S P⁻¹ r; gives rᵀ h.
    fn residual(&mut self, system: &ConstrainedSystem<'_, GridOperator>, problem: &mut Problem<'_>) -> Delta {
        self.vectors.project_to_residual(system.constraints, system.b); // S b
        self.vectors.multiply(problem.operator);
        self.precondition(problem, 1.0)
    }
}
