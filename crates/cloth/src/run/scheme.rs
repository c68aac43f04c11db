use super::Adaptation;
use crate::contact::{Contacts, Repulsion};
use crate::implicit::{Newton, Settings, Solver, Splitting};
use crate::integrators::{
    BackwardEuler, BogackiShampine, DissipationLimit, GeneralizedAlpha, ImplicitDamping, Integrator, IntegratorEntry, Iterations,
    Make, ProjectiveDynamics, Sbdf2, entries,
};
use crate::quantity::Positive;
use crate::{ModelError, System};

/// The scheme that a scene names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scheme {
    /// One of [`entries`], with the settings of its linear systems if it has any.
    Plain(&'static IntegratorEntry, Settings),
    /// `"bogacki-shampine"`, [`BogackiShampine`] with its tolerance \[m\].
    BogackiShampine(Positive),
    /// `imex` and `"aimex"`, [`BackwardEuler`].
    BackwardEuler(Splitting, Settings),
    /// `"generalized-alpha"`, [`GeneralizedAlpha`].
    GeneralizedAlpha(DissipationLimit, Settings),
    /// `sbdf2`, and with its own criterion `"adaptive-sbdf2"`, [`Sbdf2`].
    Sbdf2(Splitting, Settings),
    /// `"projective-dynamics"`, [`ProjectiveDynamics`].
    ProjectiveDynamics(Iterations),
}

impl From<&'static IntegratorEntry> for Scheme {
    /// With the automatic solver, where it solves linear systems.
    fn from(entry: &'static IntegratorEntry) -> Scheme {
        Scheme::Plain(entry, Settings { solver: Solver::automatic(), newton: Newton::WATCHED, ..Settings::default() })
    }
}

impl Default for Scheme {
    /// Backward Euler, which holds for any mesh and step, with the automatic solver.
    fn default() -> Scheme {
        Scheme::from(&BackwardEuler::ENTRY)
    }
}

/// The schemes that meet solids and under which cloth repels itself.
fn touching() -> String {
    list(|entry| matches!(entry.make, Make::WithContacts(_)), &["imex", "aimex"])
}

/// The schemes whose steps a constraint method can filter: those of one step. The others start from positions that no constraint
/// has moved since.
fn filtered() -> String {
    list(|entry| entry.one_step, &["bogacki-shampine", "generalized-alpha", "imex", "aimex", ProjectiveDynamics::NAME])
}

/// The schemes of the registry that are so, and others, in words.
fn list(is_so: fn(&IntegratorEntry) -> bool, others: &[&str]) -> String {
    let mut names: Vec<&str> = entries().filter(|entry| is_so(entry)).map(|entry| entry.name).collect();
    names.extend(others);
    let last = names.pop().unwrap_or_default();
    format!("{} and {last}", names.join(", "))
}

/// Steps that are halved where the sheet stretches too far or Newton does not converge, [`Adaptation`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StretchLimit {
    /// Largest |x| / L that is accepted \[-\], > 1; infinite where only Newton iterations are watched.
    pub limit: f64,
    /// Successes after which a step is doubled, >= 1.
    pub successes: u32,
}

impl StretchLimit {
    /// Any stretch: steps are halved for Newton iterations alone.
    pub const NONE: StretchLimit = StretchLimit { limit: f64::INFINITY, successes: Adaptation::PATIENCE };
}

impl Scheme {
    /// Its name in scene files.
    pub fn name(&self) -> &'static str {
        match self {
            Scheme::Plain(entry, _) => entry.name,
            Scheme::BogackiShampine(_) => "bogacki-shampine",
            Scheme::BackwardEuler(Splitting::Implicit, _) => BackwardEuler::ENTRY.name,
            Scheme::BackwardEuler(Splitting::Families { .. }, _) => "imex",
            Scheme::BackwardEuler(..) => "aimex",
            Scheme::GeneralizedAlpha(..) => "generalized-alpha",
            Scheme::Sbdf2(Splitting::AdaptiveSecondOrder { .. }, _) => "adaptive-sbdf2",
            Scheme::Sbdf2(..) => "sbdf2",
            Scheme::ProjectiveDynamics(_) => ProjectiveDynamics::NAME,
        }
    }

    /// How it solves its linear systems; none for an explicit scheme, and where no solver is chosen.
    pub fn solver(&self) -> Option<Solver> {
        self.settings().map(|settings| settings.solver)
    }

    /// Settings of an implicit scheme, but for projective dynamics, which has its own.
    pub fn settings(&self) -> Option<Settings> {
        match *self {
            Scheme::Plain(entry, settings) => entry.is_implicit().then_some(settings),
            Scheme::BogackiShampine(_) => None,
            Scheme::GeneralizedAlpha(_, settings) | Scheme::BackwardEuler(_, settings) | Scheme::Sbdf2(_, settings) => {
                Some(settings)
            }
            Scheme::ProjectiveDynamics(_) => None,
        }
    }

    /// The scheme with other settings; none of one that has none.
    pub fn with(self, change: impl FnOnce(Settings) -> Settings) -> Option<Scheme> {
        let settings = change(self.settings()?);
        Some(match self {
            Scheme::Plain(entry, _) => Scheme::Plain(entry, settings),
            Scheme::GeneralizedAlpha(limit, _) => Scheme::GeneralizedAlpha(limit, settings),
            Scheme::BackwardEuler(splitting, _) => Scheme::BackwardEuler(splitting, settings),
            Scheme::Sbdf2(splitting, _) => Scheme::Sbdf2(splitting, settings),
            Scheme::BogackiShampine(_) | Scheme::ProjectiveDynamics(_) => return None,
        })
    }

    /// Whether it takes Newton iterations until they converge.
    pub fn converges(&self) -> bool {
        self.settings().is_some_and(|settings| settings.newton.converges())
    }

    /// Whether some couplings may be explicit beside implicit ones.
    pub fn splits(&self) -> bool {
        match self {
            Scheme::BackwardEuler(splitting, _) | Scheme::Sbdf2(splitting, _) => *splitting != Splitting::Implicit,
            Scheme::Plain(entry, _) => entry.name == ImplicitDamping::ENTRY.name,
            Scheme::BogackiShampine(_) | Scheme::GeneralizedAlpha(..) | Scheme::ProjectiveDynamics(_) => false,
        }
    }

    /// Whether its steps follow their error, so that parts of them may be rejected.
    pub fn follows_its_error(&self) -> bool {
        matches!(self, Scheme::BogackiShampine(_))
    }

    /// Whether it is explicit, with steps that are taken as they are: the longest stable one bounds them.
    pub fn is_explicit(&self) -> bool {
        matches!(self, Scheme::Plain(entry, _) if !entry.is_implicit())
    }

    /// Whether it solves linear systems by a solver that is chosen.
    pub fn is_implicit(&self) -> bool {
        self.solver().is_some()
    }

    /// Why no solver is chosen for it.
    pub fn without_solver(&self) -> &'static str {
        match self {
            Scheme::ProjectiveDynamics(_) => "factors a matrix of its own",
            _ => "solves no linear systems",
        }
    }

    /// Whether it meets solids.
    pub fn meets_solids(&self) -> bool {
        matches!(self, Scheme::Plain(IntegratorEntry { make: Make::WithContacts(_), .. }, _) | Scheme::BackwardEuler(..))
    }

    /// Why it does not meet solids.
    pub fn refuse_solids(&self) -> ModelError {
        ModelError::Contact { scheme: self.name(), meeting: touching() }
    }

    /// Whether cloth can repel itself under it.
    pub fn repels(&self) -> bool {
        self.meets_solids()
    }

    /// Why cloth does not repel itself under it.
    pub fn refuse_repulsion(&self) -> ModelError {
        ModelError::Repulsion { scheme: self.name(), having: touching() }
    }

    /// Whether a constraint method can filter its steps.
    pub fn is_filtered(&self) -> bool {
        match self {
            Scheme::Plain(entry, _) => entry.one_step,
            Scheme::BogackiShampine(_)
            | Scheme::BackwardEuler(..)
            | Scheme::GeneralizedAlpha(..)
            | Scheme::ProjectiveDynamics(_) => true,
            Scheme::Sbdf2(..) => false,
        }
    }

    /// Why no constraint method filters its steps.
    pub fn refuse_inextensible(&self) -> ModelError {
        ModelError::Inextensible { scheme: self.name(), having: filtered() }
    }

    /// The scheme with the memory for `system`.
    ///
    /// # Errors
    /// [`ModelError::Contact`] and [`ModelError::Repulsion`] where there are `contacts` or `repulsion` and it does not have them.
    pub fn integrator(
        &self,
        system: &dyn System,
        contacts: Option<Contacts>,
        repulsion: Option<Repulsion>,
    ) -> Result<Box<dyn Integrator>, ModelError> {
        if repulsion.is_some() && !self.repels() {
            return Err(self.refuse_repulsion());
        }
        if contacts.is_some() && !self.meets_solids() {
            return Err(self.refuse_solids());
        }
        Ok(match *self {
            Scheme::Plain(IntegratorEntry { make: Make::WithContacts(make), .. }, settings) => {
                make(system, settings, contacts, repulsion)
            }
            Scheme::Plain(entry, settings) => entry.integrator(system, settings),
            Scheme::BogackiShampine(tolerance) => Box::new(BogackiShampine::new(system.particle_count(), tolerance)),
            Scheme::BackwardEuler(splitting, settings) => {
                Box::new(BackwardEuler::split(system, settings, splitting).touching(contacts, repulsion))
            }
            Scheme::GeneralizedAlpha(limit, settings) => Box::new(GeneralizedAlpha::new(system, settings, limit)),
            Scheme::Sbdf2(splitting, settings) => Box::new(Sbdf2::new(system, settings, splitting)),
            Scheme::ProjectiveDynamics(iterations) => Box::new(ProjectiveDynamics::new(system, iterations)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{Friction, RepulsionLaw};
    use crate::integrators::{PLAIN, Rk4};
    use crate::oscillator::Oscillator;
    use crate::{Cloth, DampingForm, Grid, Material, Pin, State};

    #[test]
    fn names_give_their_schemes() {
        let families = Splitting::Families { stretch: true, shear: false, bend: false };
        let settings = Settings::default();
        let material = Material { damping: DampingForm::Plain, ..Material::default() };
        let cloth = Cloth::new(Grid::new(4, 4, 0.1).unwrap(), material, &[Pin::At(0, 0)]).unwrap();
        let second_order = Splitting::AdaptiveSecondOrder { modal_factor: 1e-3 };
        let [most, half] = [DissipationLimit::MOST_DISSIPATION, DissipationLimit::new(0.5).unwrap()];
        let iterations = Iterations { limit: 3, ..Iterations::default() };
        let tolerance = Positive::try_from(1e-6).unwrap();
        let others: [(Scheme, Box<dyn Integrator>); 8] = [
            (Scheme::BogackiShampine(tolerance), Box::new(BogackiShampine::new(16, tolerance))),
            (Scheme::BackwardEuler(families, settings), Box::new(BackwardEuler::split(&cloth, settings, families))),
            (Scheme::BackwardEuler(Splitting::adaptive(), settings), {
                Box::new(BackwardEuler::split(&cloth, settings, Splitting::adaptive()))
            }),
            (Scheme::GeneralizedAlpha(most, settings), Box::new(GeneralizedAlpha::new(&cloth, settings, most))),
            (Scheme::GeneralizedAlpha(half, settings), Box::new(GeneralizedAlpha::new(&cloth, settings, half))),
            (Scheme::Sbdf2(families, settings), Box::new(Sbdf2::new(&cloth, settings, families))),
            (Scheme::Sbdf2(second_order, settings), Box::new(Sbdf2::new(&cloth, settings, second_order))),
            (Scheme::ProjectiveDynamics(iterations), Box::new(ProjectiveDynamics::new(&cloth, iterations))),
        ];
        let plain = PLAIN.iter().map(|entry| (Scheme::Plain(entry, settings), entry.integrator(&cloth, settings)));
        let mut ends: Vec<State> = Vec::new();
        for (scheme, mut expected) in plain.chain(others) {
            let mut found = scheme.integrator(&cloth, None, None).unwrap();
            let [mut a, mut b] = [cloth.at_rest(), cloth.at_rest()];
            for _ in 0..5 {
                found.step(&cloth, 5e-3, &mut a);
                expected.step(&cloth, 5e-3, &mut b);
            }
            assert_eq!(a, b, "{}", scheme.name());
            assert!(ends.iter().all(|end| *end != a), "{} is another one", scheme.name());
            ends.push(a);
        }
    }

    #[test]
    fn a_scheme_refuses_solids_and_repulsion_that_it_does_not_have() {
        let oscillator = Oscillator { mass: 1.0, ks: 4.0, kd: 0.0 };
        let contacts = || Some(Contacts::new(1, vec![], Friction::default()));
        let explicit = Scheme::Plain(&Rk4::ENTRY, Settings::default());
        let refused = explicit.integrator(&oscillator, contacts(), None).err().map(|invalid| invalid.to_string());
        assert_eq!(
            refused.as_deref(),
            Some("solids are met by constraints under the integrators backward-euler, imex and aimex, not under rk4")
        );
        let scheme = Scheme::Plain(&BackwardEuler::ENTRY, Settings::default());
        assert!(scheme.integrator(&oscillator, contacts(), None).unwrap().contacts().is_some());
        let repulsion = || Some(Repulsion::new(&oscillator, RepulsionLaw::of_mesh(0.1)));
        assert!(matches!(explicit.integrator(&oscillator, None, repulsion()), Err(ModelError::Repulsion { scheme: "rk4", .. })));
        assert!(scheme.integrator(&oscillator, None, repulsion()).unwrap().repulsion().is_some());
    }
}
