//! What keeps a sheet from passing through itself.

use cloth::contact::{Impacts, Repulsion, RepulsionLaw, SelfCollision};
use cloth::run::Collisions;
use kit::prelude::*;

use super::drapes::{Drape, FRICTION, THICKNESS, faces};

words! {
    /// A treatment of cloth-cloth contact.
    pub enum Treatment {
        /// None.
        Nothing = "nothing",
        /// Springs between particles that are nearer than 0.6 h, implicit \[Boxerman 2003, 3.4.2\].
        Particles = "particles",
        /// Ten times as stiff.
        Stiffer = "particles, ten times as stiff",
        /// Explicit, softened to be stable.
        Explicit = "particles, explicit",
        /// Continuous tests, impulses, impact zones.
        Exact = "exact",
    }
}

/// Conjugate gradients of all sheets: a residual below this share of the first one \[-\].
const TOLERANCE: f64 = 1e-4;

fn settings() -> Settings {
    Settings::from(ConjugateGradients { tolerance: Tolerance::Fixed(TOLERANCE), ..ConjugateGradients::default() })
}

impl Treatment {
    /// Backward Euler for a sheet that is treated so; solids are met alike by all, by constraints as in the thesis.
    ///
    /// # Errors
    /// A sheet that means nothing.
    pub fn stepper(self, drape: &Drape, net: &Net) -> Result<Stepper, ModelError> {
        let law = RepulsionLaw::of_mesh(drape.spacing());
        let contacts = Contacts::new(net.particle_count(), drape.solids(), Friction::default());
        let scheme = BackwardEuler::new(net, settings()).with_contacts(contacts.clone());
        let stepper = |scheme: BackwardEuler| Stepper::new(Box::new(scheme));
        Ok(match self {
            Treatment::Nothing => stepper(scheme),
            Treatment::Exact => stepper(scheme).colliding(Collisions::new(exact(drape)?)),
            Treatment::Explicit => stepper(scheme.with_repulsion(Repulsion::new(net, law))),
            Treatment::Particles => Stepper::new(Box::new(Repelling::new(net, law, contacts))),
            Treatment::Stiffer => {
                let Elastic { stiffness, damping } = law.spring;
                let spring = Elastic { stiffness: 10.0 * stiffness, damping: 10.0 * damping };
                Stepper::new(Box::new(Repelling::new(net, RepulsionLaw { spring, ..law }, contacts)))
            }
        })
    }
}

/// Exact collisions of a sheet with itself.
///
/// # Errors
/// A sheet that means nothing.
pub fn exact(drape: &Drape) -> Result<Impacts, ModelError> {
    let (masses, held) = drape.particles();
    let thickness = SelfCollision { distance: THICKNESS, friction: Friction::even(FRICTION) };
    Impacts::between(&masses, &held, faces(drape.side), &drape.start()?.x, thickness, vec![])
}

/// Backward Euler of a net and of springs between the particles that are near each other when a step begins, all of them implicit.
/// Pairs come and go, and the pattern of its linear systems with them.
struct Repelling {
    law: RepulsionLaw,
    near: Repulsion,
    /// Without pairs.
    sheet: Net,
    pairs: Vec<(usize, usize)>,
    net: Net,
    scheme: BackwardEuler,
}

impl Repelling {
    fn new(sheet: &Net, law: RepulsionLaw, contacts: Contacts) -> Repelling {
        let scheme = BackwardEuler::new(sheet, settings()).with_contacts(contacts);
        let near = Repulsion::new(sheet, law);
        Repelling { law, near, sheet: sheet.clone(), pairs: vec![], net: sheet.clone(), scheme }
    }

    /// Joins the particles that are near each other now.
    fn join(&mut self, x: &[Vec3]) {
        let mut pairs = vec![];
        self.near.each_pair(x, |i, j| pairs.push((i.min(j), i.max(j))));
        pairs.sort_unstable();
        if pairs == self.pairs {
            return;
        }
        let spring = |&(i, j): &(usize, usize)| NetSpring { i, j, rest: self.law.distance, elastic: self.law.spring };
        if let Ok(net) = self.sheet.with_springs(pairs.iter().map(spring)) {
            let mut scheme = BackwardEuler::new(&net, settings());
            if let Some(contacts) = self.scheme.contacts() {
                scheme = scheme.with_contacts(contacts.clone());
            }
            (self.scheme, self.net, self.pairs) = (scheme, net, pairs);
        }
    }
}

impl Integrator for Repelling {
    fn order(&self) -> u32 {
        1
    }

    /// Of its own net, whatever the system.
    fn step(&mut self, _: &dyn System, dt: f64, state: &mut State) {
        self.join(&state.x);
        self.scheme.step(&self.net, dt, state);
    }

    fn contacts(&self) -> Option<&Contacts> {
        self.scheme.contacts()
    }

    fn work(&self) -> Work {
        self.scheme.work()
    }
}

#[cfg(test)]
mod tests {
    use super::super::drapes::Fall;
    use super::*;

    /// Two particles of a sheet that are pushed together: 0.3 h apart, they are driven to 0.6 h by the implicit spring of the pair,
    /// v = h f / (m + h (h k + d)) each way, halved since both move.
    #[test]
    fn a_pair_by_hand() {
        let drape = Drape { fall: Fall::Bar, side: 6, density: 0.2, stiffness: 1e-9, beside: 0.0, tilt: 0.0 };
        let mut net = drape.net().unwrap();
        (net.gravity, net.air) = (Vec3::zeros(), 0.0);
        let law = RepulsionLaw::of_mesh(drape.spacing());
        let mut scheme = Repelling::new(&net, law, Contacts::new(36, vec![], Friction::default()));
        let mut state = drape.start().unwrap();
        let (one, other, apart) = (0, 21, 0.3 * drape.spacing());
        state.x[one] = state.x[other] + apart * Vec3::z();
        let dt = 5e-3;
        scheme.step(&net, dt, &mut state);
        assert_eq!(scheme.pairs, [(one, other)]);
        let Elastic { stiffness, damping } = law.spring;
        let force = stiffness * (law.distance - apart);
        let speed = dt * force / (net.masses()[0] + 2.0 * dt * (damping + dt * stiffness));
        assert!((state.v[one].z / speed - 1.0).abs() < 1e-3 && (state.v[other].z / speed + 1.0).abs() < 1e-3, "{speed}");
        state.x[one].z += 1.0;
        scheme.step(&net, dt, &mut state);
        assert_eq!(scheme.pairs, []);
    }
}
