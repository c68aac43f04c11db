//! How linear systems are solved, as it is written: the section `solver`.

use cloth::implicit::{ConjugateGradients, Precision, Solver, Tolerance};
use cloth::quantity::Positive;
use linsolve::{Decompose, Parts, PreconditionerKind, Start};
use serde::Deserialize;
use toml::Spanned;

use super::key::{Key, Takes, named, one_of, section};
use super::range::{Count, PartOverlap, PartRows};
use super::section::Bare;

/// The solvers by name.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum SolverSection {
    Automatic(AutomaticSection),
    ConjugateGradients(GradientsSection),
    Direct {},
}

section! {
    /// What is left out is as in [`Solver::automatic`].
    #[derive(Default)]
    pub(super) struct AutomaticSection = "a section" {
        strain: Option<Positive>,
    }
}

section! {
    /// What is left out is as in [`Solver::default`].
    #[derive(Default)]
    pub(super) struct GradientsSection = "a section" {
        tolerance: Option<Positive>,
        rule: Option<RuleName>,
        preconditioner: Option<PreconditionerName>,
        part_rows: Option<Spanned<PartRows>>,
        part_overlap: Option<Spanned<PartOverlap>>,
        part_coarse: Option<Spanned<bool>>,
        start: Option<StartName>,
        iteration_limit: Option<Count>,
        decompose: Option<bool>,
        precision: Option<Spanned<Precision>>,
    }
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

impl Takes for SolverSection {
    fn words() -> String {
        "one section like [solver.conjugate-gradients]".to_owned()
    }

    fn keys() -> Vec<Key> {
        vec![
            Key::of::<AutomaticSection>("automatic"),
            Key::of::<GradientsSection>("conjugate-gradients"),
            Key::of::<Bare>("direct"),
        ]
    }
}

impl Takes for PreconditionerName {
    fn words() -> String {
        one_of(PreconditionerKind::all().map(PreconditionerKind::name))
    }
}

named!(RuleName, StartName, Precision);

impl SolverSection {
    /// In which precision it iterates; where single is asked for, with the place in the text.
    pub fn precision(&self) -> (Precision, Option<usize>) {
        let SolverSection::ConjugateGradients(GradientsSection { precision: Some(named), .. }) = self else {
            return (Precision::Double, None);
        };
        let precision = *named.get_ref();
        (precision, (precision == Precision::Single).then_some(named.span().start))
    }

    /// A key of the parts of additive Schwarz, with its place, that asks for unusual ones beside another preconditioner.
    pub fn unused_parts(&self) -> Option<(usize, &'static str)> {
        let SolverSection::ConjugateGradients(section) = self else { return None };
        if let Some(PreconditionerName(PreconditionerKind::Schwarz(_))) = section.preconditioner {
            return None;
        }
        let usual = Parts::default();
        let rows = section.part_rows.as_ref().filter(|rows| rows.get_ref().0 != usual.rows);
        let overlap = section.part_overlap.as_ref().filter(|overlap| overlap.get_ref().0 != usual.overlap);
        let rows = rows.map(|rows| (rows.span().start, "part_rows"));
        let coarse = section.part_coarse.as_ref().filter(|coarse| *coarse.get_ref() != usual.coarse);
        let overlap = overlap.map(|overlap| (overlap.span().start, "part_overlap"));
        rows.or(overlap).or(coarse.map(|coarse| (coarse.span().start, "part_coarse")))
    }

    /// The solver.
    pub fn solver(self) -> Solver {
        let section = match self {
            SolverSection::Automatic(AutomaticSection { strain }) => {
                let strain = strain.map_or(ConjugateGradients::STRAIN, Positive::get);
                return Solver::ConjugateGradients(ConjugateGradients::automatic(strain));
            }
            SolverSection::ConjugateGradients(section) => section,
            SolverSection::Direct {} => return Solver::Direct,
        };
        let mut gradients = ConjugateGradients { momentum: true, ..ConjugateGradients::default() };
        let ConjugateGradients { tolerance, preconditioner, start, iteration_limit, decompose, .. } = &mut gradients;
        let number = section.tolerance.map_or(TOLERANCE, Positive::get);
        *tolerance = match section.rule {
            None | Some(RuleName::Step) => Tolerance::Step(number),
            Some(RuleName::RootOfStep) => Tolerance::RootOfStep(number),
            Some(RuleName::Fixed) => Tolerance::Fixed(number),
        };
        *preconditioner = section.preconditioner.map_or(*preconditioner, |PreconditionerName(kind)| kind);
        if let PreconditionerKind::Schwarz(Parts { rows, overlap, coarse }) = preconditioner {
            *rows = section.part_rows.map_or(*rows, |rows| rows.into_inner().0);
            *overlap = section.part_overlap.map_or(*overlap, |overlap| overlap.into_inner().0);
            *coarse = section.part_coarse.map_or(*coarse, Spanned::into_inner);
        }
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
