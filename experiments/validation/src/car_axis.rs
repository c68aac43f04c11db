//! The car axis of the Test Set for IVP Solvers, of index 3: constraint methods over a bumpy road, and its accelerations without
//! constraints under explicit schemes.
//!
//! The left wheel is held to a line through its foot, across the line of both feet, which the road turns. No edge does that; in
//! axes that turn with the feet it is the line x = 0, and beside a mirror image of the right wheel, on an edge of its own, nothing
//! draws the left one, of twice its mass, from there. Turning axes add forces that depend on velocities,
//! -2 w × v - w' × r - w × (w × r), beside which no method has an order but the first, RATTLE included.

use analytic::car_axis::{self, AXLE, END_TIME, GRAVITY as WEIGHT, MASS, PUBLISHED_PLACES, REST_LENGTH, START};
use cloth::inextensible::Edge;
use linsolve::BlockRows;

use super::moving::way::Way;
use super::moving::{Outcome, Resolution, Rung, climb, constrained, figure};
use cloth::Linearisation;
use kit::prelude::*;

ranges!(AxisRanges {
    //! Runs.
    /// Steps of a run, each after fewer.
    steps: List<Count>,
});

/// Particles: left wheel, right wheel, its mirror image, and time, the x of a particle that is held and moves at speed one.
const LEFT: usize = 0;
const RIGHT: usize = 1;
const IMAGE: usize = 2;
const TIME: usize = 3;

/// The axis: integrators follow accelerations that keep the constraints, g'' = 0, constraint methods keep edges in turning axes.
pub struct Axes(pub AxisRanges);

/// Where the feet point: the unit vector along them, and w and w' of their turn \[1/s, 1/s²\].
fn turn(t: f64) -> ([f64; 2], f64, f64) {
    let [[x, y], [x1, y1], [x2, y2]] = car_axis::road(t); // of length one
    ([x, y], x * y1 - y * x1, x * y2 - y * x2)
}

/// Accelerations that no scheme may take implicitly.
pub struct Accelerations {
    masses: &'static [f64],
    pinned: &'static [bool],
    of: fn(&[Vec3], &[Vec3], &mut [Vec3]),
}

impl System for Accelerations {
    fn accelerate(&self, x: &[Vec3], v: &[Vec3], a: &mut [Vec3]) {
        (self.of)(x, v, a);
    }

    fn masses(&self) -> &[f64] {
        self.masses
    }

    fn pinned(&self) -> &[bool] {
        self.pinned
    }

    fn coupling_count(&self) -> usize {
        0
    }

    fn pairs(&self) -> Vec<(usize, usize)> {
        vec![]
    }

    fn choose_implicit(&self, _splitting: &Splitting, _dt: f64, _state: &State, _implicit: &mut [bool]) {}

    /// All of them are.
    fn add_explicit_forces(&self, _implicit: &[bool], x: &[Vec3], v: &[Vec3], f: &mut [Vec3]) {
        let mut a = vec![Vec3::zeros(); f.len()];
        self.accelerate(x, v, &mut a);
        for ((f, a), m) in f.iter_mut().zip(a).zip(self.masses) {
            *f += *m * a;
        }
    }

    fn add_linearised(&self, _at: &Linearisation, _implicit: &[bool], _a: &mut BlockRows, _b: &mut [Vec3]) {}

    fn add_curvatures(&self, _h: f64, _add: &mut dyn FnMut(usize, usize, f64)) {}
}

/// Forces on the wheels in turning axes.
struct Turning;

impl Turning {
    const SYSTEM: Accelerations =
        Accelerations { masses: &[2.0 * MASS, MASS, MASS, 1.0], pinned: &[false, false, false, true], of: Turning::accelerate };

    /// The start, on the constraints: q' - w × q in the axes.
    fn start() -> State {
        let [xl, yl, xr, yr] = START.places;
        let [ul, vl, ur, vr] = START.velocities;
        let (_, w, _) = turn(0.0);
        let across = |x: f64, y: f64, u: f64, v: f64| Vec3::new(u + w * y, v - w * x, 0.0);
        let mirrored = |a: Vec3| Vec3::new(-a.x, a.y, 0.0);
        let (right, speed) = (Vec3::new(xr, yr, 0.0), across(xr, yr, ur, vr));
        State {
            x: vec![Vec3::new(xl, yl, 0.0), right, mirrored(right), Vec3::zeros()],
            v: vec![across(xl, yl, ul, vl), speed, mirrored(speed), Vec3::x()],
        }
    }

    /// Places of both wheels in axes that do not turn, as \[x_l, y_l, x_r, y_r\].
    fn places(state: &State) -> [f64; 4] {
        let ([c, s], ..) = turn(state.x[TIME].x);
        let [left, right] = [LEFT, RIGHT].map(|i| state.x[i]);
        [c * left.x - s * left.y, s * left.x + c * left.y, c * right.x - s * right.y, s * right.x + c * right.y]
    }

    fn accelerate(x: &[Vec3], v: &[Vec3], a: &mut [Vec3]) {
        let ([c, s], w, w1) = turn(x[TIME].x);
        let up = Vec3::new(s, c, 0.0);
        let mirrored = |a: Vec3| Vec3::new(-a.x, a.y, 0.0);
        let left = wheel(x[LEFT], v[LEFT], Vec3::zeros(), up, w, w1);
        a[LEFT] = Vec3::new(0.0, left.y, 0.0); // the line takes what acts across it
        a[RIGHT] = wheel(x[RIGHT], v[RIGHT], AXLE * Vec3::x(), up, w, w1);
        a[IMAGE] = mirrored(wheel(mirrored(x[IMAGE]), mirrored(v[IMAGE]), AXLE * Vec3::x(), up, w, w1));
        a[TIME] = Vec3::zeros();
    }
}

/// Acceleration of a wheel of mass kappa in turning axes on its spring from `foot`, where down is -`up`.
fn wheel(x: Vec3, v: Vec3, foot: Vec3, up: Vec3, w: f64, w1: f64) -> Vec3 {
    let d = x - foot;
    let length = d.norm();
    let spring = (REST_LENGTH - length) / length / MASS * d;
    let coriolis = 2.0 * w * Vec3::new(v.y, -v.x, 0.0); // -2 w × v
    spring - WEIGHT * up + coriolis + w1 * Vec3::new(x.y, -x.x, 0.0) + w * w * x
}

/// Both wheels by the accelerations that keep the constraints, and time.
pub struct Reduced;

impl Reduced {
    pub const SYSTEM: Accelerations = Accelerations { masses: &[1.0; 3], pinned: &[false, false, true], of: Reduced::accelerate };

    pub fn start() -> State {
        let [xl, yl, xr, yr] = START.places;
        let [ul, vl, ur, vr] = START.velocities;
        State {
            x: vec![Vec3::new(xl, yl, 0.0), Vec3::new(xr, yr, 0.0), Vec3::zeros()],
            v: vec![Vec3::new(ul, vl, 0.0), Vec3::new(ur, vr, 0.0), Vec3::x()],
        }
    }

    fn accelerate(x: &[Vec3], v: &[Vec3], a: &mut [Vec3]) {
        let state = car_axis::State { places: [x[0].x, x[0].y, x[1].x, x[1].y], velocities: [v[0].x, v[0].y, v[1].x, v[1].y] };
        let ([al, bl, ar, br], _) = car_axis::acceleration(x[2].x, state);
        a.copy_from_slice(&[Vec3::new(al, bl, 0.0), Vec3::new(ar, br, 0.0), Vec3::zeros()]);
    }
}

/// Largest difference from the places that are printed, in lengths of the axle.
fn outcome(places: [f64; 4]) -> Outcome {
    let differences = places.iter().zip(PUBLISHED_PLACES).map(|(found, published)| (found - published).abs());
    let error = differences.fold(0.0, |largest: f64, d| if d > largest || d.is_nan() { d } else { largest });
    Outcome { error, ..Outcome::default() }
}

fn edges() -> [Edge; 2] {
    [RIGHT, IMAGE].map(|j| Edge { i: LEFT, j, rest: AXLE })
}

fn run(way: Way, steps: u32) -> Result<Outcome, ModelError> {
    let dt = END_TIME / f64::from(steps);
    Ok(match way {
        Way::Integrator(scheme) => {
            let (mut integrator, mut state) = (scheme.integrator(&Reduced::SYSTEM, 1.0)?, Reduced::start());
            (0..steps).for_each(|_| integrator.step(&Reduced::SYSTEM, dt, &mut state));
            outcome([state.x[0].x, state.x[0].y, state.x[1].x, state.x[1].y])
        }
        Way::Edges(method) => {
            let (axis, mut state) = (Turning::SYSTEM, Turning::start());
            let mut scheme = constrained::filtered(method, &axis, &edges())?;
            let outcome = match (0..steps).try_for_each(|_| scheme.step(&axis, dt, &mut state)) {
                Ok(()) => outcome(Turning::places(&state)),
                Err(_) => Outcome { error: f64::NAN, ..Outcome::default() },
            };
            constrained::told(&scheme, outcome)
        }
    })
}

impl Group for Axes {
    const NAME: &'static str = "car-axis";
    const ABOUT: &'static str = "the car axis up to t = 3, by every constraint method and every explicit integrator";
    type Case = Way;
    type Row = Rung;

    /// Without implicit schemes: the accelerations that keep constraints have no symmetric derivatives, as their systems need.
    fn listed(&self) -> Vec<Way> {
        Way::all().filter(|way| !matches!(way, Way::Integrator(scheme) if !scheme.is_explicit())).collect()
    }

    fn measure(&self, &way: &Way) -> Vec<Rung> {
        const CASE: &str = "car axis";
        let begin = match way {
            Way::Integrator(scheme) => scheme.rung(CASE, &Reduced::SYSTEM, u32::MAX),
            Way::Edges(method) => constrained::rung(method, CASE, constrained::filtered(method, &Turning::SYSTEM, &edges()), 1),
        };
        let resolution = |steps: u32| Resolution { steps, elements: 0, step: END_TIME / f64::from(steps) };
        let resolutions = self.0.steps.values().iter().map(|steps| resolution(steps.get()));
        climb(&begin, resolutions, |Resolution { steps, .. }| run(way, steps))
    }
}

fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let caption = "Largest difference of a wheel's coordinate at t = 3 from the published one, in lengths of the axle. Constraint \
                   methods keep the axle in axes that turn with the road; explicit integrators follow accelerations that keep both \
                   constraints.";
    Ok(figure(&results.without_sets::<Axes>()?, ["car-axis", "The car axis", caption], &[]))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Axes(ranges.car_axis.clone())).plot("car-axis", chart)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axes_turn_with_the_road() {
        let (t, d) = (0.37, 1e-5);
        let angle = |t: f64| libm::atan2(turn(t).0[1], turn(t).0[0]);
        let (_, w, w1) = turn(t);
        assert!((w - (angle(t + d) - angle(t - d)) / (2.0 * d)).abs() < 1e-8 && w.abs() > 0.1);
        assert!((w1 - (turn(t + d).1 - turn(t - d).1) / (2.0 * d)).abs() < 1e-7 && w1.abs() > 0.1);
    }

    /// Forces in turning axes, with those of the constraints, are the accelerations of the test set.
    #[test]
    fn turning_axes_change_no_motion() {
        let t = 0.37;
        let state = car_axis::solution(t);
        let ([c, s], w, w1) = turn(t);
        let into = |x: f64, y: f64| Vec3::new(c * x + s * y, c * y - s * x, 0.0);
        let across = |r: Vec3| Vec3::new(-r.y, r.x, 0.0); // one × r
        let ([al, bl, ar, br], lambda) = car_axis::acceleration(t, state);
        let rows = car_axis::constraint_jacobian(t, state.places);
        let [xl, yl, xr, yr] = state.places;
        let [ul, vl, ur, vr] = state.velocities;
        let mirrored = |a: Vec3| Vec3::new(-a.x, a.y, 0.0);
        let place = [into(xl, yl), into(xr, yr)];
        let speed = [into(ul, vl) - w * across(place[0]), into(ur, vr) - w * across(place[1])];
        let x = [place[0], place[1], mirrored(place[1]), t * Vec3::x()];
        let v = [speed[0], speed[1], mirrored(speed[1]), Vec3::x()];
        let mut a = [Vec3::zeros(); 4];
        Turning::accelerate(&x, &v, &mut a);
        for (i, inertial) in [into(al, bl), into(ar, br)].into_iter().enumerate() {
            let held: [f64; 2] =
                std::array::from_fn(|k| (rows[0][2 * i + k] * lambda[0] + rows[1][2 * i + k] * lambda[1]) / MASS);
            let turned =
                inertial - into(held[0], held[1]) - w1 * across(place[i]) - 2.0 * w * across(speed[i]) + w * w * place[i];
            let along = |a: Vec3| if i == 0 { Vec3::new(0.0, a.y, 0.0) } else { a };
            assert!((along(turned) - a[i]).norm() < 1e-9, "{i}: {turned} {}", a[i]);
        }
        assert!((mirrored(a[IMAGE]) - a[RIGHT]).norm() < 1e-12 && a[LEFT].y != 0.0, "{a:?}");
        assert!(place[0].x.abs() < 1e-10, "{}", place[0]);
    }
}
