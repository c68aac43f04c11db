use super::Integrator;
use crate::contact::{Caught, Impacts, Resolved};
use crate::{State, System};

/// A scheme whose steps are led around collisions, be it explicit or implicit, of one step or two, or filtered by a constraint
/// method: whatever it made of a step is taken as a straight way, see [`Impacts`].
///
/// A scheme of two steps begins anew after a step that was changed. Collisions are of first order, whatever the scheme is.
pub struct Colliding {
    scheme: Box<dyn Integrator>,
    impacts: Impacts,
    steps: u64,
    last: Result<Resolved, Caught>,
    work: CollisionWork,
}

/// What collisions took so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CollisionWork {
    /// Steps that were changed.
    pub changed: u64,
    /// Times that a motion was looked at and something met.
    pub rounds: u64,
    /// Contacts that pushed, over all steps.
    pub contacts: u64,
    /// Steps with impact zones.
    pub zoned: u64,
}

impl Colliding {
    /// `scheme`, from time 0 on, with steps of one length.
    pub fn new(scheme: Box<dyn Integrator>, impacts: Impacts) -> Colliding {
        let (last, work) = (Ok(Resolved::default()), CollisionWork::default());
        Colliding { scheme, impacts, steps: 0, last, work }
    }

    /// Goes on after steps of `former`, with other particles: from its time on, and with its counts.
    pub fn after(self, former: &Colliding) -> Colliding {
        Colliding { steps: former.steps, work: former.work, ..self }
    }

    /// The collisions, as the last step left them.
    pub fn impacts(&self) -> &Impacts {
        &self.impacts
    }

    /// What was done about those of the last step, or why nothing could be.
    pub fn last(&self) -> Result<Resolved, Caught> {
        self.last
    }

    /// What they took so far.
    pub fn collision_work(&self) -> CollisionWork {
        self.work
    }
}

impl Integrator for Colliding {
    fn order(&self) -> u32 {
        1
    }

    /// A step whose collisions are not resolved leaves no finite positions: it has blown up, for a reason that [`Colliding::last`]
    /// tells.
    fn step(&mut self, system: &dyn System, dt: f64, state: &mut State) {
        self.impacts.begin(self.steps as f64 * dt, dt, &state.x);
        self.scheme.step(system, dt, state);
        self.steps += 1;
        self.last = Ok(Resolved::default());
        if !state.is_finite() {
            return;
        }
        self.last = self.impacts.resolve(dt, &mut state.x, &mut state.v);
        match self.last {
            Ok(resolved) => {
                self.work.rounds += u64::from(resolved.rounds);
                self.work.contacts += resolved.contacts as u64;
                self.work.zoned += u64::from(resolved.in_zones > 0);
                if resolved.contacts > 0 || resolved.in_zones > 0 {
                    self.work.changed += 1;
                    self.scheme.restart();
                }
            }
            Err(_) => state.x.fill(crate::Vec3::repeat(f64::NAN)),
        }
    }

    fn restart(&mut self) {
        self.scheme.restart();
    }

    fn change_step(&mut self) {
        self.scheme.change_step();
    }

    fn tell_beyond(&mut self, tell: Box<dyn FnOnce()>) {
        self.scheme.tell_beyond(tell);
    }

    fn inner(&self) -> Option<&dyn Integrator> {
        Some(&*self.scheme)
    }

    fn colliding(&self) -> Option<&Colliding> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{RigidMotion, Solid, Thickness};
    use crate::implicit::Settings;
    use crate::integrators::PLAIN;
    use crate::{Net, Vec3};

    /// A particle of 2 kg that falls on a plane.
    fn falling() -> (Net, State) {
        (Net::new(vec![2.0], vec![false], vec![]).unwrap(), State::at_rest(vec![0.5 * Vec3::z()]))
    }

    #[test]
    fn every_scheme_comes_to_rest_on_a_plane() {
        let (net, start) = falling();
        let plane = Solid::Plane { point: Vec3::zeros(), normal: Vec3::z() };
        for entry in PLAIN {
            let impacts = Impacts::without(net.masses(), net.pinned()).with_solids(vec![(plane, RigidMotion::STILL)], 0.5);
            let mut colliding = Colliding::new(entry.integrator(&net, Settings::converged()), impacts);
            let mut state = start.clone();
            for _ in 0..50 {
                colliding.step(&net, 0.01, &mut state);
                assert!(state.x[0].z >= -1e-15, "{}: {}", entry.name, state.x[0].z);
            }
            assert!(state.x[0].z.abs() < 1e-12 && state.v[0].norm() < 1e-12, "{}: {state:?}", entry.name);
            assert!(colliding.collision_work().changed > 10);
        }
    }

    #[test]
    fn a_step_that_is_refused_blows_up_and_tells_why() {
        let net = Net::new(vec![1.0; 6], vec![false, false, false, true, true, true], vec![]).unwrap();
        let at = |z: f64| [Vec3::new(0.0, 0.0, z), Vec3::new(1.0, 0.0, z), Vec3::new(0.0, 1.0, z)];
        let x = [at(0.0), at(0.1)].concat();
        let thickness = Thickness { distance: 1e-3, friction: 0.0 };
        let ceiling = |z: f64, rises: f64| crate::contact::MovingMesh {
            vertices: [Vec3::new(-5.0, -5.0, z), Vec3::new(9.0, -5.0, z), Vec3::new(-5.0, 9.0, z)].to_vec(),
            faces: vec![[0, 1, 2]],
            sequence: None,
            motion: RigidMotion { velocity: rises * Vec3::z(), ..RigidMotion::STILL },
        };
        let bodies = vec![ceiling(-0.05, 20.0)];
        let impacts = Impacts::between(net.masses(), net.pinned(), vec![[0, 1, 2], [3, 4, 5]], &x, thickness, bodies).unwrap();
        let mut colliding = Colliding::new(PLAIN[0].integrator(&net, Settings::converged()), impacts);
        let mut state = State::at_rest(x);
        colliding.step(&net, 0.01, &mut state);
        assert!(!state.is_finite() && matches!(colliding.last(), Err(Caught::Pinched { .. })), "{:?}", colliding.last());
    }
}
