//! How a scene is integrated, as it is written: the sections `integrator` and `adaptive_steps`.

use serde::Deserialize;
use serde::de::VariantAccess;
use toml::Spanned;

use super::key::{Key, named, section};
use super::range::{Count, Dissipation, Iterations, Pairs, Radius, Stretch};
use super::section::{Bare, Choice, Keyed, Listed, Plain};
use super::{Scheme, StretchLimit};
use cloth::Terms;
use cloth::implicit::{Cuts, Newton, Precision, Settings, Solver, Splitting};
use cloth::integrators::{self, Bdf2, BogackiShampine, DissipationLimit, ImplicitMidpoint, IntegratorEntry};
use cloth::projective::Acceleration;
use cloth::quantity::{NonNegative, Positive};
use cloth::run::Adaptation;

/// The schemes by name.
pub(super) type IntegratorSection = Listed<PlainScheme, OwnKeys>;

/// A scheme of the registry; an explicit one has no keys.
pub(super) struct PlainScheme(&'static IntegratorEntry, ImplicitSection);

impl Plain for PlainScheme {
    const KEY: &'static str = "integrator";
    type Entry = &'static IntegratorEntry;

    fn keys() -> Vec<Key> {
        let key = |entry: &'static IntegratorEntry| match entry.is_implicit() {
            true => Key::of::<ImplicitSection>(entry.name),
            false => Key::of::<Bare>(entry.name),
        };
        integrators::entries().map(key).collect()
    }

    fn find(name: &str) -> Option<&'static IntegratorEntry> {
        integrators::entries().find(|entry| entry.name == name)
    }

    fn read<'de, A: VariantAccess<'de>>(entry: &'static IntegratorEntry, section: A) -> Result<PlainScheme, A::Error> {
        let keys = match entry.is_implicit() {
            true => section.newtype_variant::<Keyed<ImplicitSection>>()?.0,
            false => section.newtype_variant::<Keyed<Bare>>().map(|_| ImplicitSection::default())?,
        };
        Ok(PlainScheme(entry, keys))
    }
}

section! {
    /// Schemes with keys of their own. What is left out is as in [`BogackiShampine::TOLERANCE`],
    /// [`DissipationLimit::MOST_DISSIPATION`], [`Splitting::adaptive`] and [`Splitting::adaptive_second_order`].
    pub(super) enum OwnKeys = "one section like [integrator.imex]" {
        BogackiShampine("bogacki-shampine", "a section with tolerance") {
            tolerance["m"]: Option<Positive>,
        },
        GeneralizedAlpha("generalized-alpha", "a section") {
            rho_inf: Option<Dissipation>,
            newton: Option<Keyed<NewtonSection>>,
            once: Option<Spanned<bool>>,
            terms: Option<Terms>,
        },
        Imex("imex", "a section with implicit") {
            implicit: Vec<FamilyName> = FAMILIES,
            newton: Option<Keyed<NewtonSection>>,
            once: Option<Spanned<bool>>,
            terms: Option<Terms>,
        },
        Aimex("aimex", "a section") {
            threshold: Option<Positive>,
            bend: Option<bool>,
            cut_speed["m/s"]: Option<NonNegative>,
            cut_lines: Option<bool>,
            newton: Option<Keyed<NewtonSection>>,
            once: Option<Spanned<bool>>,
            terms: Option<Terms>,
        },
        Sbdf2("sbdf2", "a section with implicit") {
            implicit: Vec<FamilyName> = FAMILIES,
            newton: Option<Keyed<NewtonSection>>,
            once: Option<Spanned<bool>>,
            terms: Option<Terms>,
        },
        AdaptiveSbdf2("adaptive-sbdf2", "a section") {
            modal_factor: Option<Positive>,
            newton: Option<Keyed<NewtonSection>>,
            once: Option<Spanned<bool>>,
            terms: Option<Terms>,
        },
        ProjectiveDynamics("projective-dynamics", "a section") {
            iterations: Option<Iterations>,
            tolerance["m/s"]: Option<Positive>,
            acceleration: Option<Choice<AccelerationSection>>,
        },
    }
}

section! {
    /// Accelerations of projective dynamics by name.
    pub(super) enum AccelerationSection = "one section like [integrator.projective-dynamics.acceleration.l-bfgs]" {
        Chebyshev("chebyshev", "a section") {
            rho: Option<Radius>,
        },
        LBfgs("l-bfgs", "a section") {
            pairs: Option<Pairs>,
        },
    }
}

section! {
    /// What all schemes with linear systems have.
    #[derive(Default)]
    pub(super) struct ImplicitSection = "a section" {
        newton: Option<Keyed<NewtonSection>>,
        once: Option<Spanned<bool>>,
        terms: Option<Terms>,
    }
}

section! {
    pub(super) struct NewtonSection = "a section { tolerance, limit, line_search }" {
        tolerance["m/s"]: Positive,
        limit: Option<Iterations>,
        line_search: Option<Spanned<bool>>,
    }
}

impl NewtonSection {
    /// Until the tolerance is met, by whole ways or by a line search.
    fn iterations(&self) -> Newton {
        let (tolerance, limit) = (self.tolerance.get(), self.limit.map_or(NEWTON_LIMIT, |Iterations(limit)| limit as usize));
        match is_set(self.line_search.as_ref()) {
            true => Newton::Descending { tolerance, limit },
            false => Newton::Converged { tolerance, limit },
        }
    }
}

fn is_set(flag: Option<&Spanned<bool>>) -> bool {
    flag.is_some_and(|flag| *flag.get_ref())
}

/// A scheme of cloth that touches something: those that damp little converge where nothing is said of Newton iterations. A single
/// linear solve takes springs that do not push as they are when it begins, slack or taut; each that changes in the step gains energy,
/// and along a solid, where cloth is neither, nothing takes it away. Dampers of such springs switch on with a jump: where a step ends at
/// it, no velocity solves its equation, iterations go round, and the step is taken in shorter parts.
pub(super) fn touching(scheme: Scheme) -> Scheme {
    let damps_little = match scheme {
        Scheme::GeneralizedAlpha(..) | Scheme::Sbdf2(..) => true,
        Scheme::Plain(entry, _) => [ImplicitMidpoint::ENTRY.name, Bdf2::ENTRY.name].contains(&entry.name),
        _ => false,
    };
    let says_nothing = scheme.settings().is_some_and(|settings| settings.newton == Newton::WATCHED);
    let newton = Newton::Converged { tolerance: TOUCHING, limit: NEWTON_LIMIT };
    match damps_little && says_nothing {
        true => scheme.with(|settings| Settings { newton, ..settings }).unwrap_or(scheme),
        false => scheme,
    }
}

/// Change of velocities that ends these iterations \[m/s\].
const TOUCHING: f64 = 1e-4;

/// Newton iterations at most, if nothing is said.
const NEWTON_LIMIT: usize = 50;

/// What a list of families of springs is.
const FAMILIES: &str = "a list of \"stretch\", \"shear\" and \"bend\"";

named!(FamilyName, Terms);

#[derive(Clone, Copy, Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub(super) enum FamilyName {
    Stretch,
    Shear,
    Bend,
}

section! {
    pub(super) struct AdaptiveSection = "a section with stretch_limit" {
        stretch_limit: Stretch,
        successes: Option<Count>,
    }
}

impl IntegratorSection {
    /// What it says of Newton iterations.
    fn newton(&self) -> (Option<&NewtonSection>, Option<&Spanned<bool>>) {
        let (newton, once) = match self {
            Listed::Plain(PlainScheme(_, ImplicitSection { newton, once, .. }))
            | Listed::Own(
                OwnKeys::GeneralizedAlpha { newton, once, .. }
                | OwnKeys::Imex { newton, once, .. }
                | OwnKeys::Aimex { newton, once, .. }
                | OwnKeys::Sbdf2 { newton, once, .. }
                | OwnKeys::AdaptiveSbdf2 { newton, once, .. },
            ) => (newton, once),
            Listed::Own(OwnKeys::BogackiShampine { .. } | OwnKeys::ProjectiveDynamics { .. }) => return (None, None),
        };
        (newton.as_ref().map(|Keyed(newton)| newton), once.as_ref())
    }

    /// Where a line search is asked for.
    pub fn line_search(&self) -> Option<usize> {
        let search = self.newton().0?.line_search.as_ref()?;
        search.get_ref().then_some(search.span().start)
    }

    /// Where a single linear system is asked for beside iterations.
    pub fn once_beside_newton(&self) -> Option<usize> {
        let (newton, once) = self.newton();
        once.filter(|once| newton.is_some() && *once.get_ref()).map(|once| once.span().start)
    }

    /// The scheme, with a solver if it has linear systems.
    pub fn scheme(self, solver: Solver, precision: Precision) -> Scheme {
        let settings = |newton: Option<Keyed<NewtonSection>>, once: Option<Spanned<bool>>, terms: Option<Terms>| Settings {
            solver,
            newton: newton.map_or_else(
                || if is_set(once.as_ref()) { Newton::Once } else { Newton::WATCHED },
                |Keyed(newton)| newton.iterations(),
            ),
            terms: terms.unwrap_or_default(),
            precision,
            ..Settings::default()
        };
        match self {
            Listed::Plain(PlainScheme(entry, ImplicitSection { newton, once, terms })) => {
                Scheme::Plain(entry, settings(newton, once, terms))
            }
            Listed::Own(OwnKeys::BogackiShampine { tolerance }) => {
                Scheme::BogackiShampine(tolerance.unwrap_or(BogackiShampine::TOLERANCE))
            }
            Listed::Own(OwnKeys::GeneralizedAlpha { rho_inf, newton, once, terms }) => {
                let limit = rho_inf.map_or(DissipationLimit::MOST_DISSIPATION, |Dissipation(limit)| limit);
                Scheme::GeneralizedAlpha(limit, settings(newton, once, terms))
            }
            Listed::Own(OwnKeys::Imex { implicit, newton, once, terms }) => {
                Scheme::BackwardEuler(families(&implicit), settings(newton, once, terms))
            }
            Listed::Own(OwnKeys::Aimex { threshold, bend, cut_speed, cut_lines, newton, once, terms }) => {
                let speed = cut_speed.map_or(0.0, NonNegative::get);
                let cuts = (speed > 0.0).then_some(Cuts { speed, separating: cut_lines.unwrap_or(false) });
                Scheme::BackwardEuler(adaptive(threshold, bend), Settings { cuts, ..settings(newton, once, terms) })
            }
            Listed::Own(OwnKeys::Sbdf2 { implicit, newton, once, terms }) => {
                Scheme::Sbdf2(families(&implicit), settings(newton, once, terms))
            }
            Listed::Own(OwnKeys::AdaptiveSbdf2 { modal_factor, newton, once, terms }) => {
                let given = |factor: Positive| Splitting::AdaptiveSecondOrder { modal_factor: factor.get() };
                let splitting = modal_factor.map_or_else(Splitting::adaptive_second_order, given);
                Scheme::Sbdf2(splitting, settings(newton, once, terms))
            }
            Listed::Own(OwnKeys::ProjectiveDynamics { iterations, tolerance, acceleration }) => {
                let plain = integrators::Iterations::default();
                Scheme::ProjectiveDynamics(integrators::Iterations {
                    limit: iterations.map_or(plain.limit, |Iterations(limit)| limit as usize),
                    tolerance: tolerance.map(Positive::get),
                    acceleration: acceleration.map_or(Acceleration::None, |Choice(section)| section.acceleration()),
                })
            }
        }
    }
}

impl AccelerationSection {
    /// Spectral radius of an iteration \[-\], if nothing is said.
    const RHO: f64 = 0.9;
    /// Pairs that L-BFGS keeps, if nothing is said.
    const PAIRS: usize = 5;

    fn acceleration(self) -> Acceleration {
        match self {
            AccelerationSection::Chebyshev { rho } => {
                Acceleration::Chebyshev { rho: rho.map_or(AccelerationSection::RHO, |Radius(rho)| rho) }
            }
            AccelerationSection::LBfgs { pairs } => {
                Acceleration::QuasiNewton { pairs: pairs.map_or(AccelerationSection::PAIRS, |Pairs(pairs)| pairs) }
            }
        }
    }
}

/// The families of a list implicit, the others explicit.
fn families(implicit: &[FamilyName]) -> Splitting {
    let has = |family| implicit.contains(&family);
    Splitting::Families { stretch: has(FamilyName::Stretch), shear: has(FamilyName::Shear), bend: has(FamilyName::Bend) }
}

/// The splitting per spring and step.
fn adaptive(threshold: Option<Positive>, bend: Option<bool>) -> Splitting {
    let mut splitting = Splitting::adaptive();
    if let Splitting::Adaptive { threshold: most, bend: bending } = &mut splitting {
        *most = threshold.map_or(*most, Positive::get);
        *bending = bend.unwrap_or(*bending);
    }
    splitting
}

impl AdaptiveSection {
    /// How steps are adapted.
    pub fn limit(self) -> StretchLimit {
        let successes = self.successes.map_or(Adaptation::PATIENCE, |Count(successes)| successes);
        StretchLimit { limit: self.stretch_limit.0, successes }
    }
}

#[cfg(test)]
mod tests;
