use crate::State;
use crate::contact::{CollisionError, CollisionReport, Impacts};

/// Collisions of the steps of a run, be its scheme explicit or implicit, of one step or two, filtered or not: all that a step made
/// is taken as a straight way, which is led around them, see [`Impacts`]. They are of first order, whatever the scheme is.
pub struct Collisions {
    impacts: Impacts,
    /// The time before the first step \[s\].
    begins: f64,
    steps: u64,
    last: Result<CollisionReport, CollisionError>,
    work: CollisionWork,
}

/// Work of collisions so far.
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

impl Collisions {
    /// From time 0 on, with steps of one length.
    pub fn new(impacts: Impacts) -> Collisions {
        Collisions { impacts, begins: 0.0, steps: 0, last: Ok(CollisionReport::default()), work: CollisionWork::default() }
    }

    /// From another time on \[s\].
    pub(super) fn begin_at(self, begins: f64) -> Collisions {
        Collisions { begins, ..self }
    }

    /// Goes on after steps of `former`, with other particles: from its time on, and with its counts.
    pub(super) fn go_on(&mut self, former: &Collisions) {
        (self.steps, self.work) = (former.steps, former.work);
    }

    /// Goes on after so many steps.
    pub(super) fn after(&mut self, steps: u64) {
        self.steps = steps;
    }

    /// The collisions, as the last step left them.
    pub fn impacts(&self) -> &Impacts {
        &self.impacts
    }

    /// Report of the last step, or why its collisions were not resolved.
    pub fn last(&self) -> Result<CollisionReport, CollisionError> {
        self.last
    }

    /// What they took so far.
    pub fn collision_work(&self) -> CollisionWork {
        self.work
    }

    /// Notes where a step of `dt` \[s\] starts.
    pub fn begin(&mut self, dt: f64, start: &State) {
        self.impacts.begin(self.begins + self.steps as f64 * dt, dt, &start.x, &start.v);
        self.steps += 1;
        self.last = Ok(CollisionReport::default());
    }

    /// Leads a step of `dt` \[s\] that ends in `state`, whose numbers are finite; true where it was changed.
    ///
    /// # Errors
    /// Why its collisions cannot be resolved: the state is then of no use.
    pub fn finish(&mut self, dt: f64, state: &mut State) -> Result<bool, CollisionError> {
        self.last = self.impacts.resolve(dt, &mut state.x, &mut state.v);
        let CollisionReport { contacts, rounds, in_zones, .. } = self.last?;
        let changed = contacts > 0 || in_zones > 0;
        self.work.rounds += u64::from(rounds);
        self.work.contacts += contacts as u64;
        self.work.zoned += u64::from(in_zones > 0);
        self.work.changed += u64::from(changed);
        Ok(changed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{Friction, RigidMotion, SelfCollision, Solid};
    use crate::implicit::Settings;
    use crate::integrators::PLAIN;
    use crate::run::{Cause, Stepper};
    use crate::{Net, System, Vec3};

    /// A particle of 2 kg that falls on a plane.
    fn falling() -> (Net, State) {
        (Net::new(vec![2.0], vec![false], vec![]).unwrap(), State::at_rest(vec![0.5 * Vec3::z()]))
    }

    #[test]
    fn every_scheme_comes_to_rest_on_a_plane() {
        let (net, start) = falling();
        let plane = Solid::Plane { point: Vec3::zeros(), normal: Vec3::z() };
        for entry in PLAIN {
            let impacts =
                Impacts::without(net.masses(), net.pinned()).with_solids(vec![(plane, RigidMotion::STILL)], Friction::even(0.5));
            let scheme = entry.integrator(&net, Settings::converged());
            let mut stepper = Stepper::new(scheme).colliding(Collisions::new(impacts));
            let mut state = start.clone();
            for _ in 0..50 {
                stepper.step(&net, 0.01, &mut state).unwrap();
                assert!(state.x[0].z >= -1e-15, "{}: {}", entry.name, state.x[0].z);
            }
            assert!(state.x[0].z.abs() < 1e-12 && state.v[0].norm() < 1e-12, "{}: {state:?}", entry.name);
            assert!(stepper.collisions().unwrap().collision_work().changed > 10);
        }
    }

    #[test]
    fn a_step_that_is_refused_tells_why() {
        let net = Net::new(vec![1.0; 6], vec![false, false, false, true, true, true], vec![]).unwrap();
        let at = |z: f64| [Vec3::new(0.0, 0.0, z), Vec3::new(1.0, 0.0, z), Vec3::new(0.0, 1.0, z)];
        let x = [at(0.0), at(0.1)].concat();
        let thickness = SelfCollision { distance: 1e-3, friction: Friction::even(0.0) };
        let ceiling = |z: f64, rises: f64| crate::contact::MovingMesh {
            vertices: [Vec3::new(-5.0, -5.0, z), Vec3::new(9.0, -5.0, z), Vec3::new(-5.0, 9.0, z)].to_vec(),
            faces: vec![[0, 1, 2]],
            sequence: None,
            motion: RigidMotion { velocity: rises * Vec3::z(), ..RigidMotion::STILL },
            friction: Friction::even(0.0),
        };
        let bodies = vec![ceiling(-0.05, 20.0)];
        let impacts = Impacts::between(net.masses(), net.pinned(), vec![[0, 1, 2], [3, 4, 5]], &x, thickness, bodies).unwrap();
        let scheme = PLAIN[0].integrator(&net, Settings::converged());
        let mut stepper = Stepper::new(scheme).colliding(Collisions::new(impacts));
        let mut state = State::at_rest(x);
        let ended = stepper.step(&net, 0.01, &mut state);
        assert!(matches!(ended, Err(Cause::Collisions(CollisionError::Pinched { .. }))), "{ended:?}");
        assert!(stepper.collisions().unwrap().last().is_err());
    }
}
