//! How linear systems are solved, as it is written: the section `solver`.

use cloth::implicit::{ConjugateGradients, Precision, Solver, Tolerance};
use cloth::quantity::Positive;
use linsolve::{Decompose, PreconditionerKind, Start};
use serde::Deserialize;
use toml::Spanned;

use super::range::Count;

/// The solvers by name.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum SolverSection {
    ConjugateGradients(GradientsSection),
    Direct {},
}

/// What is left out is as in [`Solver::default`].
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct GradientsSection {
    tolerance: Option<Positive>,
    rule: Option<RuleName>,
    preconditioner: Option<PreconditionerName>,
    start: Option<StartName>,
    iteration_limit: Option<Count>,
    decompose: Option<bool>,
    precision: Option<Spanned<Precision>>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
struct PreconditionerName(PreconditionerKind);

impl TryFrom<String> for PreconditionerName {
    type Error = String;
    fn try_from(name: String) -> Result<PreconditionerName, String> {
        PreconditionerKind::all().find(|kind| kind.name() == name).map(PreconditionerName).ok_or(name)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum StartName {
    Original,
    Corrected,
    FirstResidual,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RuleName {
    Step,
    RootOfStep,
    Fixed,
}

/// c of the stopping rule, or tol itself, where a scene gives none: that of [`Solver::default`].
const TOLERANCE: f64 = 0.01;

impl SolverSection {
    /// In which precision it iterates; where single is asked for, with the place in the text.
    pub fn precision(&self) -> (Precision, Option<usize>) {
        let SolverSection::ConjugateGradients(GradientsSection { precision: Some(named), .. }) = self else {
            return (Precision::Double, None);
        };
        let precision = *named.get_ref();
        (precision, (precision == Precision::Single).then_some(named.span().start))
    }

    /// The solver.
    pub fn solver(self) -> Solver {
        let SolverSection::ConjugateGradients(section) = self else { return Solver::Direct };
        let mut gradients = ConjugateGradients::default();
        let ConjugateGradients { tolerance, preconditioner, start, iteration_limit, decompose } = &mut gradients;
        let number = section.tolerance.map_or(TOLERANCE, Positive::get);
        *tolerance = match section.rule {
            None | Some(RuleName::Step) => Tolerance::Step(number),
            Some(RuleName::RootOfStep) => Tolerance::RootOfStep(number),
            Some(RuleName::Fixed) => Tolerance::Fixed(number),
        };
        *preconditioner = section.preconditioner.map_or(*preconditioner, |PreconditionerName(kind)| kind);
        *start = match section.start {
            None => *start,
            Some(StartName::Original) => Start::Original,
            Some(StartName::Corrected) => Start::Corrected,
            Some(StartName::FirstResidual) => Start::FirstResidual,
        };
        *iteration_limit = section.iteration_limit.map_or(*iteration_limit, |Count(limit)| limit as usize);
        *decompose = section.decompose.unwrap_or(false).then_some(Decompose::Serial);
        Solver::ConjugateGradients(gradients)
    }
}
