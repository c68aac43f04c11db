use cloth::contact::{Contacts, Repulsion};
use cloth::implicit::{Newton, Settings, Solver, Splitting};
use cloth::integrators::{
    AdaptiveSteps, BackwardEuler, Bdf2, DissipationLimit, ForwardBackwardEuler, ForwardEuler, GeneralizedAlpha, ImplicitMidpoint,
    Integrator, Rk4, Sbdf2,
};
use cloth::{Invalid, System};

/// The scheme that a scene names.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Scheme {
    /// `"forward-euler"`, [`ForwardEuler`].
    ForwardEuler,
    /// `"fb-euler"`, [`ForwardBackwardEuler`].
    #[default]
    FbEuler,
    /// `"rk4"`, [`Rk4`].
    Rk4,
    /// `"backward-euler"`, and with a splitting `imex` and `"aimex"`, [`BackwardEuler`].
    BackwardEuler(Splitting, Settings),
    /// `"bdf2"`, [`Bdf2`].
    Bdf2(Settings),
    /// `"implicit-midpoint"`, [`ImplicitMidpoint`].
    ImplicitMidpoint(Settings),
    /// `"generalized-alpha"`, [`GeneralizedAlpha`].
    GeneralizedAlpha(DissipationLimit, Settings),
    /// `sbdf2`, and with its own criterion `"adaptive-sbdf2"`, [`Sbdf2`].
    Sbdf2(Splitting, Settings),
}

/// The schemes that meet solids and under which cloth repels itself.
const TOUCHING: &str = "backward-euler, imex and aimex";

/// The schemes whose steps a constraint method can filter: those of one step. The others start from positions that no constraint has
/// moved since.
const FILTERED: &str = "forward-euler, fb-euler, rk4, backward-euler, implicit-midpoint, generalized-alpha, imex and aimex";

/// Steps that are halved where the sheet stretches too far or Newton does not converge, [`AdaptiveSteps`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StretchLimit {
    /// Largest |x| / L that is accepted \[-\], > 1; infinite where only Newton iterations are watched.
    pub limit: f64,
    /// Successes after which a step is doubled, >= 1.
    pub successes: u32,
}

impl StretchLimit {
    /// Any stretch: steps are halved for Newton iterations alone.
    pub const NONE: StretchLimit = StretchLimit { limit: f64::INFINITY, successes: AdaptiveSteps::PATIENCE };
}

impl Scheme {
    /// Its name in scene files.
    pub fn name(&self) -> &'static str {
        match self {
            Scheme::ForwardEuler => "forward-euler",
            Scheme::FbEuler => "fb-euler",
            Scheme::Rk4 => "rk4",
            Scheme::BackwardEuler(Splitting::Implicit, _) => "backward-euler",
            Scheme::BackwardEuler(Splitting::Families { .. }, _) => "imex",
            Scheme::BackwardEuler(Splitting::Adaptive { .. } | Splitting::AdaptiveSecondOrder { .. }, _) => "aimex",
            Scheme::Bdf2(_) => "bdf2",
            Scheme::ImplicitMidpoint(_) => "implicit-midpoint",
            Scheme::GeneralizedAlpha(..) => "generalized-alpha",
            Scheme::Sbdf2(Splitting::AdaptiveSecondOrder { .. }, _) => "adaptive-sbdf2",
            Scheme::Sbdf2(..) => "sbdf2",
        }
    }

    /// How it solves its linear systems; none for an explicit scheme.
    pub fn solver(&self) -> Option<Solver> {
        self.settings().map(|settings| settings.solver)
    }

    /// Settings of an implicit scheme.
    pub fn settings(&self) -> Option<Settings> {
        match *self {
            Scheme::ForwardEuler | Scheme::FbEuler | Scheme::Rk4 => None,
            Scheme::Bdf2(settings)
            | Scheme::ImplicitMidpoint(settings)
            | Scheme::GeneralizedAlpha(_, settings)
            | Scheme::BackwardEuler(_, settings)
            | Scheme::Sbdf2(_, settings) => Some(settings),
        }
    }

    /// Whether it takes Newton iterations until they converge.
    pub fn converges(&self) -> bool {
        self.settings().is_some_and(|settings| settings.newton != Newton::Once)
    }

    /// Whether it solves linear systems.
    pub fn is_implicit(&self) -> bool {
        self.solver().is_some()
    }

    /// Whether it meets solids.
    pub fn meets_solids(&self) -> bool {
        matches!(self, Scheme::BackwardEuler(..))
    }

    /// Why it does not meet solids.
    pub(super) fn refuse_solids(&self) -> Invalid {
        Invalid::Contact { scheme: self.name(), meeting: TOUCHING }
    }

    /// Whether cloth can repel itself under it.
    pub fn repels(&self) -> bool {
        self.meets_solids()
    }

    /// Why cloth does not repel itself under it.
    pub(super) fn refuse_repulsion(&self) -> Invalid {
        Invalid::Repulsion { scheme: self.name(), having: TOUCHING }
    }

    /// Whether a constraint method can filter its steps.
    pub fn is_filtered(&self) -> bool {
        !matches!(self, Scheme::Bdf2(_) | Scheme::Sbdf2(..))
    }

    /// Why no constraint method filters its steps.
    pub(super) fn refuse_inextensible(&self) -> Invalid {
        Invalid::Inextensible { scheme: self.name(), having: FILTERED }
    }

    /// The scheme with the memory for `system`.
    ///
    /// # Errors
    /// [`Invalid::Contact`] and [`Invalid::Repulsion`] where there are `contacts` or `repulsion` and it does not have them.
    pub fn integrator(
        &self,
        system: &dyn System,
        contacts: Option<Contacts>,
        repulsion: Option<Repulsion>,
    ) -> Result<Box<dyn Integrator>, Invalid> {
        if repulsion.is_some() && !self.repels() {
            return Err(self.refuse_repulsion());
        }
        if contacts.is_some() && !self.meets_solids() {
            return Err(self.refuse_solids());
        }
        let count = system.particle_count();
        Ok(match *self {
            Scheme::ForwardEuler => Box::new(ForwardEuler::new(count)),
            Scheme::FbEuler => Box::new(ForwardBackwardEuler::new(count)),
            Scheme::Rk4 => Box::new(Rk4::new(count)),
            Scheme::BackwardEuler(splitting, settings) => {
                let mut scheme = BackwardEuler::split(system, settings, splitting);
                if let Some(contacts) = contacts {
                    scheme = scheme.with_contacts(contacts);
                }
                if let Some(repulsion) = repulsion {
                    scheme = scheme.with_repulsion(repulsion);
                }
                Box::new(scheme)
            }
            Scheme::Bdf2(settings) => Box::new(Bdf2::new(system, settings)),
            Scheme::ImplicitMidpoint(settings) => Box::new(ImplicitMidpoint::new(system, settings)),
            Scheme::GeneralizedAlpha(limit, settings) => Box::new(GeneralizedAlpha::new(system, settings, limit)),
            Scheme::Sbdf2(splitting, settings) => Box::new(Sbdf2::new(system, settings, splitting)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cloth::contact::{Friction, RepulsionLaw};
    use cloth::oscillator::Oscillator;
    use cloth::{Cloth, DampingForm, Grid, Material, Pin, State, Vec3};

    #[test]
    fn names_give_their_schemes() {
        // x'' = -4 x from (1, 0.5) with dt = 0.1, a = -4: the schemes differ in the first step
        let oscillator = Oscillator { mass: 1.0, ks: 4.0, kd: 0.0 };
        let x = |scheme: Scheme| {
            let mut state = State { x: vec![Vec3::x()], v: vec![0.5 * Vec3::x()] };
            scheme.integrator(&oscillator, None, None).unwrap().step(&oscillator, 0.1, &mut state);
            state.x[0].x
        };
        assert!((x(Scheme::ForwardEuler) - 1.05).abs() < 1e-15); // x + 0.1 * 0.5
        assert!((x(Scheme::FbEuler) - 1.01).abs() < 1e-15); //      x + 0.1 (0.5 - 0.4)
        assert!((x(Scheme::Rk4) - (libm::cos(0.2) + 0.25 * libm::sin(0.2))).abs() < 1e-5);
    }
    #[test]
    fn implicit_names_give_their_schemes() {
        let families = Splitting::Families { stretch: true, shear: false, bend: false };
        let settings = Settings::default();
        let material = Material { damping: DampingForm::Plain, ..Material::default() };
        let cloth = Cloth::new(Grid::new(4, 4, 0.1).unwrap(), material, &[Pin::At(0, 0)]).unwrap();
        let second_order = Splitting::AdaptiveSecondOrder { modal_factor: 1e-3 };
        let [most, half] = [DissipationLimit::MOST_DISSIPATION, DissipationLimit::new(0.5).unwrap()];
        let named: [(Scheme, Box<dyn Integrator>); 9] = [
            (Scheme::BackwardEuler(Splitting::Implicit, settings), Box::new(BackwardEuler::new(&cloth, settings))),
            (Scheme::BackwardEuler(families, settings), Box::new(BackwardEuler::split(&cloth, settings, families))),
            (Scheme::BackwardEuler(Splitting::adaptive(), settings), {
                Box::new(BackwardEuler::split(&cloth, settings, Splitting::adaptive()))
            }),
            (Scheme::Bdf2(settings), Box::new(Bdf2::new(&cloth, settings))),
            (Scheme::ImplicitMidpoint(settings), Box::new(ImplicitMidpoint::new(&cloth, settings))),
            (Scheme::GeneralizedAlpha(most, settings), Box::new(GeneralizedAlpha::new(&cloth, settings, most))),
            (Scheme::GeneralizedAlpha(half, settings), Box::new(GeneralizedAlpha::new(&cloth, settings, half))),
            (Scheme::Sbdf2(families, settings), Box::new(Sbdf2::new(&cloth, settings, families))),
            (Scheme::Sbdf2(second_order, settings), Box::new(Sbdf2::new(&cloth, settings, second_order))),
        ];
        let mut ends: Vec<State> = Vec::new();
        for (scheme, mut expected) in named {
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
        let refused = Scheme::Rk4.integrator(&oscillator, contacts(), None).err().map(|invalid| invalid.to_string());
        assert_eq!(refused.as_deref(), Some("solids are met by the integrators backward-euler, imex and aimex, not by rk4"));
        let scheme = Scheme::BackwardEuler(Splitting::Implicit, Settings::default());
        assert!(scheme.integrator(&oscillator, contacts(), None).unwrap().contacts().is_some());
        let repulsion = || Some(Repulsion::new(&oscillator, RepulsionLaw::of_mesh(0.1)));
        assert!(matches!(Scheme::Rk4.integrator(&oscillator, None, repulsion()), Err(Invalid::Repulsion { scheme: "rk4", .. })));
        assert!(scheme.integrator(&oscillator, None, repulsion()).unwrap().repulsion().is_some());
    }
}
