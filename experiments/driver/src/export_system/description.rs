use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use cloth::implicit::{ConjugateGradients, Precision, PreconditionerKind, SolvedSystem, Solver, Start, Tolerance};
use kit::Failure;
use scene::Scene;
use serde::Serialize;

use super::FILES;

/// What system.toml says of a system.
#[derive(Serialize)]
pub(super) struct Description {
    scene: String,
    integrator: &'static str,
    step: u64,
    systems_of_the_step: u64,
    dt: f64,
    particles: usize,
    block_size: usize,
    unknowns: usize,
    degrees_of_freedom: usize,
    solver: SolverTable,
}

/// How this program solved it.
#[derive(Serialize)]
struct SolverTable {
    method: &'static str,
    #[serde(flatten)]
    gradients: Option<Gradients>,
    solved: bool,
}

/// Settings of conjugate gradients, and what they took.
#[derive(Serialize)]
struct Gradients {
    preconditioner: &'static str,
    /// Of additive Schwarz.
    #[serde(skip_serializing_if = "Option::is_none")]
    part_rows: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    part_overlap: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    part_coarse: Option<bool>,
    start: &'static str,
    tolerance: f64,
    rule: &'static str,
    tolerance_squared: f64,
    /// What the estimate of eᵀ A e was to come down to \[kg m²/s²\], if anything.
    error: Option<f64>,
    iteration_limit: usize,
    decompose: bool,
    precision: &'static str,
    iterations: u64,
    products: u64,
    /// By iterations in single precision.
    #[serde(skip_serializing_if = "Option::is_none")]
    corrections: Option<u64>,
    /// Of multigrid.
    #[serde(skip_serializing_if = "Option::is_none")]
    cycles: Option<u64>,
    /// Whether it was preconditioned by aggregation, where the matrix decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    aggregated: Option<bool>,
}

const HEAD: &str = "\
# The linear system that a step of a simulation of cloth ended with. Its solution x [m/s] is added to the velocities of all
# particles at which forces were linearised:
#
#     S A x = S b,  (I - S) x = (I - S) z,  A = M - h D - h g K        [Boxerman 2003, eqs. 4.11, 5.2]
#
# M are the masses, D and K the derivatives of the implicit forces by velocities and by positions, h and g weights of the
# scheme: dt under backward Euler. S projects onto the motion that is free, z is what is prescribed of the other. The same in one
# system that is symmetric, and positive definite where A is on the range of S:
#
#     (S A S + I - S) x = S (b - A (I - S) z) + (I - S) z
#
# Unknown 3 i + q, from 0, is coordinate q of particle i: blocks of 3 x 3. Rows of A and b that S takes out are written as they
# are. Files are in the Matrix Market format; numbers have all their digits.
#
# Conjugate gradients end where rᵀ P⁻¹ r <= tol² cᵀ P⁻¹ c, with the preconditioner P, the residual r = S (b - A x), tol =
# tolerance dt by the rule `step`, tol² = tolerance dt by `root-of-step`, tol = tolerance by `fixed`, and c = S (b - A (I - S) z) from the
# corrected start x = S x_prev + (I - S) z, x_prev = 0 without its file, the residual there from `first-residual`, or c = S b from the
# original start, x = z.

";

impl Description {
    /// Of the last one of the `systems` systems of a step.
    pub fn new(path: &Path, scene: &Scene, step: u64, solver: &Solver, solved: &SolvedSystem, systems: u64) -> Description {
        let constraints = solved.system.constraints();
        let work = &solved.work;
        let (method, gradients) = match *solver {
            Solver::Direct => ("direct", None),
            Solver::ConjugateGradients(gradients) => {
                let ConjugateGradients { tolerance, preconditioner, start, iteration_limit, decompose, .. } = gradients;
                let (rule, number) = match tolerance {
                    Tolerance::Step(c) => ("step", c),
                    Tolerance::RootOfStep(c) => ("root-of-step", c),
                    Tolerance::Fixed(tol) => ("fixed", tol),
                    Tolerance::Strain(strain) => ("strain", strain),
                };
                let precision = scene.scheme.settings().map_or(Precision::Double, |settings| settings.precision);
                let parts = if let PreconditionerKind::Schwarz(parts) = preconditioner { Some(parts) } else { None };
                let gradients = Gradients {
                    preconditioner: preconditioner.name(),
                    part_rows: parts.map(|parts| parts.rows),
                    part_overlap: parts.map(|parts| parts.overlap),
                    part_coarse: parts.map(|parts| parts.coarse),
                    start: match start {
                        Start::Original => "original",
                        Start::Corrected => "corrected",
                        Start::FirstResidual => "first-residual",
                    },
                    tolerance: number,
                    rule,
                    tolerance_squared: tolerance.squared(solved.dt),
                    error: solved.error,
                    iteration_limit,
                    decompose: decompose.is_some(),
                    precision: match precision {
                        Precision::Double => "double",
                        Precision::Single => "single",
                    },
                    iterations: work.iterations,
                    products: work.products,
                    corrections: (precision == Precision::Single).then_some(work.corrections),
                    cycles: matches!(preconditioner, PreconditionerKind::Multigrid | PreconditionerKind::Automatic)
                        .then_some(work.cycles),
                    aggregated: (preconditioner == PreconditionerKind::Automatic).then_some(work.aggregated > 0),
                };
                ("conjugate-gradients", Some(gradients))
            }
        };
        Description {
            scene: path.display().to_string(),
            integrator: scene.scheme.name(),
            step,
            systems_of_the_step: systems,
            dt: solved.dt,
            particles: constraints.len(),
            block_size: 3,
            unknowns: 3 * constraints.len(),
            degrees_of_freedom: constraints.iter().map(|constraint| constraint.ndof()).sum(),
            solver: SolverTable { method, gradients, solved: work.limited + work.indefinite + work.not_finite == 0 },
        }
    }

    /// The text of system.toml beside the named files.
    ///
    /// # Errors
    /// [`Failure::Internal`] where this is no TOML.
    pub fn text(&self, files: &[&'static str]) -> Result<String, Failure> {
        #[derive(Serialize)]
        struct Document<'a> {
            #[serde(flatten)]
            description: &'a Description,
            files: BTreeMap<&'static str, &'static str>,
        }
        let files = FILES.into_iter().filter(|(name, _)| files.contains(name)).collect();
        let table = toml::to_string(&Document { description: self, files });
        Ok(HEAD.to_owned() + &table.map_err(|error| Failure::Internal(error.to_string()))?)
    }
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Description { step, integrator, unknowns, degrees_of_freedom, particles, solver, .. } = self;
        write!(
            f,
            "step {step} of {integrator}: {particles} particles, {unknowns} unknowns, {degrees_of_freedom} of them free; "
        )?;
        match &solver.gradients {
            Some(Gradients { iterations, corrections, .. }) => {
                write!(f, "{iterations} iterations of conjugate gradients")?;
                if let Some(corrections) = corrections {
                    write!(f, " in single precision, {corrections} corrections in double")?;
                }
            }
            None => write!(f, "solved directly")?,
        }
        if solver.solved { Ok(()) } else { write!(f, "\nwarning: this program did not solve it") }
    }
}
