use super::Cause;
use super::observer::Midway;
use crate::contact::{CollisionPass, MovingCapsule};
use crate::inextensible::{ConstraintMethod, FilterReport, FilterStop, FilterWork, Step};
use crate::integrators::Integrator;
use crate::{Memory, State, System, Vec3};

/// Passes behind the step of a scheme: forces have led to a candidate, a constraint method keeps edges at their length, then come
/// collisions \[Goldenthal 2007, 4.4\]. Each pass moves positions and lets the velocities follow.
///
/// Filtered schemes are of first order but behind a method that leaves them more, [`Rattle`](crate::inextensible::Rattle). Where a
/// scheme's candidate is not x_n + dt v~, as those of RK4 and of the midpoint rule, velocities still follow by (x - x~) / dt:
/// second differences of positions are then those of the scheme's accelerations and the constraints', while (x - x_n) / dt would
/// lose half of the weight in free fall.
pub struct Filter {
    method: Box<dyn ConstraintMethod>,
    collisions: Vec<CollisionPass>,
    body: Option<CollisionPass<MovingCapsule>>,
    rounds: u64,
    start: Vec<Vec3>,
    candidate: Vec<Vec3>,
    projected: Vec<Vec3>,
    last: FilterReport,
    work: FilterWork,
    touched: u64,
}

impl Filter {
    /// Filters by `method`.
    pub fn new(method: Box<dyn ConstraintMethod>) -> Filter {
        let zeros = vec![Vec3::zeros(); method.constraints().particle_count()];
        let (start, candidate, projected) = (zeros.clone(), zeros.clone(), zeros);
        let (last, work) = (FilterReport::begin(0.0), FilterWork::default());
        Filter { method, collisions: vec![], body: None, rounds: 1, start, candidate, projected, last, work, touched: 0 }
    }

    /// Goes on with the counts of a filter whose edges were others.
    pub(super) fn go_on(&mut self, former: &Filter) {
        self.work = former.work;
    }

    /// Meets these solids too after the constraint method.
    pub fn with_collisions(mut self, collisions: CollisionPass) -> Filter {
        self.collisions.push(collisions);
        self
    }

    /// Meets a body of limbs that move, after the other solids. Before each step the limbs are to be put where they
    /// are at its end, see [`Filter::body_mut`].
    pub fn with_body(mut self, body: CollisionPass<MovingCapsule>) -> Filter {
        self.body = Some(body);
        self
    }

    /// The body, to move it between steps.
    pub fn body_mut(&mut self) -> Option<&mut CollisionPass<MovingCapsule>> {
        self.body.as_mut()
    }

    /// Takes constraints and collisions in turn, at most `rounds` times a step, until the constraints hold after the
    /// collisions: contact inside the iteration \[Bender 2008, 3.4\]. At least one.
    pub fn with_rounds(mut self, rounds: u64) -> Filter {
        self.rounds = rounds.max(1);
        self
    }

    /// Writes down, or reads back, what the method remembers.
    pub(super) fn remember(&mut self, memory: &mut Memory) {
        self.method.remember(memory);
    }

    /// What corrects the candidate of every step.
    pub fn method(&self) -> &dyn ConstraintMethod {
        &*self.method
    }

    /// What it did in the last step.
    pub fn last(&self) -> &FilterReport {
        &self.last
    }

    /// What it did so far.
    pub fn filter_work(&self) -> &FilterWork {
        &self.work
    }

    /// Candidate positions of the last step \[m\]: where forces alone led, or with further rounds the collisions of the last but
    /// one.
    pub fn candidate(&self) -> &[Vec3] {
        &self.candidate
    }

    /// Positions of the last step before collisions \[m\].
    pub fn projected(&self) -> &[Vec3] {
        &self.projected
    }

    /// Particles moved by collisions in the last step, in the round that moved most.
    pub fn touched(&self) -> u64 {
        self.touched
    }

    /// Whether the last step kept the bound.
    pub fn converged(&self) -> bool {
        self.last.stop == FilterStop::Converged
    }

    /// Takes a step of `dt` \[s\] under `forces`, a scheme of one step without solids of its own, and filters it.
    ///
    /// # Errors
    /// As [`Filter::finish`].
    ///
    /// # Panics
    /// As [`Integrator::step`].
    pub fn step(
        &mut self,
        forces: &mut dyn Integrator,
        system: &dyn System,
        dt: f64,
        state: &mut State,
    ) -> Result<(), FilterStop> {
        self.begin(state);
        forces.step(system, dt, state); // x~, v~
        self.finish(dt, state)
    }

    /// Notes where a step starts.
    pub fn begin(&mut self, state: &State) {
        self.start.copy_from_slice(&state.x);
        self.method.begin(&state.v);
    }

    /// Filters the candidate `state` of a step of `dt` \[s\] from where [`Filter::begin`] was called.
    ///
    /// # Errors
    /// Why the method ended, where that was in another way than converged or at its limit: positions are then of no use.
    pub fn finish(&mut self, dt: f64, state: &mut State) -> Result<(), FilterStop> {
        self.touched = 0;
        for round in 0..self.rounds {
            self.candidate.copy_from_slice(&state.x);
            let step = Step { dt, start: &self.start, candidate: &self.candidate };
            let report = self.method.filter(&step, &mut state.x, &mut state.v);
            self.last = if round == 0 { report } else { self.last.and_then(&report) };
            self.projected.copy_from_slice(&state.x);
            let nothing_to_do = round > 0 && report.iterations == 0;
            if nothing_to_do || !report.stop.is_usable() {
                break;
            }
            let inverse_masses = self.method.constraints().inverse_masses();
            let mut touched = 0;
            for collisions in &self.collisions {
                touched += collisions.apply(dt, inverse_masses, &self.start, &mut state.x, &mut state.v);
            }
            if let Some(body) = &self.body {
                touched += body.apply(dt, inverse_masses, &self.start, &mut state.x, &mut state.v);
            }
            self.touched = self.touched.max(touched);
            if touched == 0 {
                break;
            }
        }
        let usable = self.last.stop.is_usable();
        let constraints = self.method.constraints();
        self.work.add(&self.last, if usable { constraints.turned_over(&self.start, &self.projected) } else { 0 });
        if usable { Ok(()) } else { Err(self.last.stop) }
    }
}

/// Takes a step of a scheme, and filters it where there is a filter.
pub(super) fn filtered_step(
    scheme: &mut dyn Integrator,
    filter: &mut Option<Filter>,
    system: &dyn System,
    dt: f64,
    state: &mut State,
    midway: &mut Midway,
) -> Result<(), Cause> {
    match filter {
        Some(filter) => filter.step(scheme, system, dt, state).map_err(Cause::Filter),
        None => {
            scheme.step_telling(system, dt, state, &mut || midway.beyond_limit());
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Net;
    use crate::contact::{Friction, Solid};
    use crate::inextensible::{Edge, EdgeConstraints, Limits, Pbd};
    use crate::integrators::ForwardBackwardEuler;

    /// A pendulum of one edge of 1 m, started horizontal.
    fn pendulum() -> (Net, Filter, State) {
        let net = Net::new(vec![1.0; 2], vec![true, false], vec![]).unwrap();
        let edges = [Edge { i: 0, j: 1, rest: 1.0 }];
        let constraints = EdgeConstraints::new(&edges, net.masses(), net.pinned()).unwrap();
        let method = Pbd::new(constraints, Limits::new(1e-9, 100).unwrap());
        (net, Filter::new(Box::new(method)), State::at_rest(vec![Vec3::zeros(), Vec3::x()]))
    }

    #[test]
    fn a_step_by_hand() {
        let (net, mut filter, mut state) = pendulum();
        filter.step(&mut ForwardBackwardEuler::new(2), &net, 0.1, &mut state).unwrap();
        let candidate = Vec3::new(1.0, 0.0, -0.0981);
        assert!((filter.candidate()[1] - candidate).norm() < 1e-15);
        let expected = candidate / candidate.norm();
        assert!((state.x[1] - expected).norm() < 1e-14);
        assert!((state.v[1] - (expected - Vec3::x()) / 0.1).norm() < 1e-12); // (x_{n+1} - x_n) / dt
        assert_eq!((filter.last().iterations, filter.filter_work().steps, filter.converged()), (1, 1, true));
    }

    #[test]
    fn a_pendulum_falls_in_its_time() {
        // from horizontal to vertical in K(1/2) sqrt(L/g) with the complete elliptic integral K(m = 1/2) = 1.8540746773
        let expected = 1.8540746773 / crate::GRAVITY.sqrt();
        let (net, mut filter, mut state) = pendulum();
        let dt = 1e-5;
        let mut steps = 0;
        while state.x[1].x > 0.0 && steps < 100_000 {
            filter.step(&mut ForwardBackwardEuler::new(2), &net, dt, &mut state).unwrap();
            steps += 1;
        }
        assert!((f64::from(steps) * dt / expected - 1.0).abs() < 1e-4, "{steps}");
    }

    #[test]
    fn schemes_of_one_step_fall_in_that_time_too() {
        use crate::implicit::Settings;
        use crate::integrators::{DissipationLimit, ForwardEuler, GeneralizedAlpha, ImplicitMidpoint, Rk4};
        let expected = 1.8540746773 / crate::GRAVITY.sqrt();
        let net = pendulum().0;
        let schemes: [(&str, Box<dyn Integrator>); 4] = [
            ("forward Euler", Box::new(ForwardEuler::new(2))),
            ("RK4", Box::new(Rk4::new(2))),
            ("midpoint", Box::new(ImplicitMidpoint::new(&net, Settings::default()))),
            ("alpha", Box::new(GeneralizedAlpha::new(&net, Settings::default(), DissipationLimit::new(0.5).unwrap()))),
        ];
        for (name, mut forces) in schemes {
            let (_, mut filter, mut state) = pendulum();
            let dt = 1e-4;
            let mut steps = 0;
            while state.x[1].x > 0.0 && steps < 10_000 {
                filter.step(&mut *forces, &net, dt, &mut state).unwrap();
                steps += 1;
            }
            assert!((f64::from(steps) * dt / expected - 1.0).abs() < 2e-3, "{name} {steps}");
            assert!((state.v[1].norm_squared() / (2.0 * crate::GRAVITY) - 1.0).abs() < 5e-3, "{name} {}", state.v[1]);
        }
    }

    #[test]
    fn collisions_come_last() {
        let (net, filter, mut state) = pendulum();
        let floor = Solid::Plane { point: Vec3::new(0.0, 0.0, -0.05), normal: Vec3::z() };
        let mut filter = filter.with_collisions(CollisionPass { solids: vec![floor], friction: Friction::even(0.0) });
        filter.step(&mut ForwardBackwardEuler::new(2), &net, 0.1, &mut state).unwrap();
        assert!(filter.projected()[1].z < -0.09 && (state.x[1].z + 0.05).abs() < 1e-15);
        assert_eq!(filter.touched(), 1);
    }

    #[test]
    fn rounds_end_where_constraints_and_solids_both_hold() {
        // a pendulum let down onto a slope: the pass alone leaves it too long or too short
        let run = |rounds: u64| {
            let (net, filter, mut state) = pendulum();
            let normal = Vec3::new(0.6, 0.0, 0.8);
            let slope = Solid::Plane { point: Vec3::new(0.9, 0.0, -0.3), normal };
            let pass = CollisionPass { solids: vec![slope], friction: Friction::even(0.0) };
            let mut filter = filter.with_collisions(pass).with_rounds(rounds);
            for _ in 0..4 {
                filter.step(&mut ForwardBackwardEuler::new(2), &net, 0.1, &mut state).unwrap();
            }
            let edge = filter.method().constraints().edges()[0];
            (edge.strain(&state.x).abs(), slope.distance(state.x[1]).0, filter.filter_work().iterations)
        };
        let (once, many) = (run(1), run(200));
        assert!(once.0 > 1e-3 && once.1 > -1e-12, "{once:?}");
        assert!(many.0 < 1e-8 && many.1 > -1e-12 && many.2 > once.2, "{many:?}");
    }

    #[test]
    fn a_step_that_fails_tells_why() {
        let (net, mut filter, _) = pendulum();
        let mut state = State::at_rest(vec![Vec3::zeros(); 2]);
        state.v[1].z = 0.1 * crate::GRAVITY; // gravity leads it back to the pin
        let ended = filter.step(&mut ForwardBackwardEuler::new(2), &net, 0.1, &mut state);
        assert_eq!((ended, filter.last().stop), (Err(FilterStop::Coincident { edge: 0 }), FilterStop::Coincident { edge: 0 }));
        assert_eq!(filter.filter_work().failed, 1);
    }
}
