//! Runs of what moves, looked at on the way, each beside its exact solution.

use analytic::swings::{Pendulum, chain_frequency};
use analytic::{beam, car_axis, falls};
use cloth::inextensible::MethodKind;
use kit::prelude::*;
use std::f64::consts::TAU;

use super::super::car_axis::Reduced;
use super::super::meshes::Cut;
use super::super::moving::angles::Beam;
use super::super::moving::constrained::filtered;
use super::super::moving::modes::Mode;
use super::super::strips::{self, Law, Motion};
use super::super::waves::{self, Make, Taut, Wave};
use super::super::{folded_chain, hanging_chain, pendulum, strip_modes};
use super::{MovingShapeRanges, Scene};

/// What is seen at a moment: of every particle where it is, and where it should be.
pub struct Look {
    pub moment: f64,
    pub places: Vec<[[f64; 2]; 2]>,
}

/// What is seen of a scene.
///
/// # Errors
/// What makes no scene.
pub fn looks(scene: Scene, ranges: &MovingShapeRanges) -> Result<Vec<Look>, ModelError> {
    let [elements, links] = [ranges.elements.get(), ranges.links.get()];
    match scene {
        Scene::Pendulum => swing(),
        Scene::Chain1 => chain(1, elements),
        Scene::Chain2 => chain(2, elements),
        Scene::Chain3 => chain(3, elements),
        Scene::Folded => fall(links),
        Scene::Axis => axis(),
        Scene::Beam => Ok(bend()),
        Scene::Bar => wave((Wave::Bar(2), Make::Line), elements),
        Scene::Strip => wave((Wave::Strip(1), Make::Regular), elements),
        Scene::Membrane => wave((Wave::Square([1, 2]), Make::Regular), elements),
        Scene::Clamped1 => clamped(1, elements),
        Scene::Clamped2 => clamped(2, elements),
    }
}

/// Looks at a run of steps dt at the ends of those steps that are listed, in rising order, as far as it comes; 0 is the start.
fn seen(stepper: &mut Stepper, system: &dyn System, dt: f64, state: State, at: &[u32]) -> Vec<State> {
    let (mut state, mut done) = (state, 0);
    let after = |&k: &u32| {
        let ended = (done..k).try_for_each(|_| stepper.step(system, dt, &mut state));
        done = k;
        ended.is_ok().then(|| state.clone())
    };
    at.iter().map_while(after).collect()
}

fn by_rk4(particle_count: usize) -> Stepper {
    Stepper::new(Box::new(Rk4::new(particle_count)))
}

/// Parts of a period at which a swing and vibrations are looked at, up to half of it.
const PARTS: u32 = 16;

/// From [`pendulum::LENGTH`] at 150°, by RATTLE.
fn swing() -> Result<Vec<Look>, ModelError> {
    const STEPS: u32 = 512;
    let exact = Pendulum { length: pendulum::LENGTH, gravity: GRAVITY, amplitude: 150.0_f64.to_radians() };
    let (net, edges, start) = pendulum::rod(exact.amplitude)?;
    let mut scheme = filtered(MethodKind::Rattle, &net, &edges)?;
    let at: Vec<u32> = (0..=PARTS / 2).map(|k| k * STEPS / PARTS).collect();
    let states = seen(&mut scheme, &net, exact.period() / f64::from(STEPS), start, &at);
    let look = |(k, state): (&u32, State)| {
        let moment = f64::from(*k) / f64::from(STEPS);
        let beside = [[0.0; 2], exact.place(moment * exact.period())];
        Look { moment, places: state.x.iter().zip(beside).map(|(x, exact)| [[x.x, x.z], exact]).collect() }
    };
    Ok(at.iter().zip(states).map(look).collect())
}

/// A small vibration over half a period of its reference: of the particles `shown`, displacements along `way` over the amplitude.
/// `place` says from them where each is seen.
fn vibration(
    mode: &Mode,
    system: &dyn System,
    parts: u32,
    (shown, way): (&[usize], Vec3),
    place: impl Fn(usize, f64) -> [f64; 2],
) -> Vec<Look> {
    let steps = parts * PARTS;
    let at: Vec<u32> = (0..=PARTS / 2).step_by(2).map(|k| k * parts).collect();
    let states = seen(&mut by_rk4(mode.rest.len()), system, mode.period() / f64::from(steps), mode.start(), &at);
    let look = |(k, state): (&u32, State)| {
        let moment = f64::from(*k) / f64::from(steps);
        let both = |i: &usize| {
            let found = way.dot(&(state.x[*i] - mode.rest[*i])) / mode.amplitude;
            [place(*i, found), place(*i, way.dot(&mode.shape[*i]) * libm::cos(TAU * moment))]
        };
        Look { moment, places: shown.iter().map(both).collect() }
    };
    at.iter().zip(states).map(look).collect()
}

/// A hanging chain of springs in a mode.
fn chain(mode: usize, links: u32) -> Result<Vec<Look>, ModelError> {
    let hanging = hanging_chain::Hanging::new(links, true)?;
    let (net, shape) = (&hanging.net, hanging.shape(mode));
    let frequency = chain_frequency(mode, hanging_chain::LENGTH, GRAVITY);
    let rest = &hanging.rest;
    let mode = Mode { rest, shape: &shape, masses: net.masses(), frequency, amplitude: hanging_chain::AMPLITUDE };
    let all: Vec<usize> = (0..rest.len()).collect();
    Ok(vibration(&mode, net, 4 * links, (&all, Vec3::x()), |i, found| [found, rest[i].z / hanging_chain::LENGTH]))
}

/// Where a folded chain is at `s` from its held end, after a fall x of the other one: before its bend, which is (L + x)/2 below, and
/// behind it on the other arm, drawn so far `apart`.
fn folded(length: f64, fallen: f64, apart: f64, s: f64) -> [f64; 2] {
    if s <= 0.5 * (length + fallen) { [0.0, -s] } else { [apart, s - length - fallen] }
}

/// Up to the time at which the exact end is lowest, in shares of it, by RATTLE. The exact chain is two arms and a bend of no width,
/// drawn as far apart as the arms of the other one.
fn fall(links: u32) -> Result<Vec<Look>, ModelError> {
    const TENTHS: [u32; 6] = [0, 4, 6, 8, 9, 10];
    let (net, edges, start) = folded_chain::chain(links, false)?;
    let mut scheme = filtered(MethodKind::Rattle, &net, &edges)?;
    let (steps, lowest) = (40 * links, falls::fall_time_ratio() * folded_chain::free_fall());
    let at = TENTHS.map(|tenth| tenth * steps / 10);
    let states = seen(&mut scheme, &net, lowest / f64::from(steps), start, &at);
    let (length, apart) = (folded_chain::LENGTH, folded_chain::LENGTH / f64::from(links));
    let look = |(k, state): (u32, State)| {
        let moment = f64::from(k) / f64::from(steps);
        let fallen = falls::fall(length, GRAVITY, moment * lowest);
        let both = |(i, x): (usize, &Vec3)| {
            [[x.x, x.z], folded(length, fallen, apart, i as f64 * apart)].map(|at| at.map(|along| along / length))
        };
        Look { moment, places: state.x.iter().enumerate().map(both).collect() }
    };
    Ok(at.into_iter().zip(states).map(look).collect())
}

/// The car axis by RK4 and the accelerations that keep both constraints: left foot, left wheel, right wheel, right foot.
fn axis() -> Result<Vec<Look>, ModelError> {
    const STEPS: u32 = 3000;
    const LOOKS: u32 = 100;
    let at: Vec<u32> = (0..=LOOKS).map(|k| k * STEPS / LOOKS).collect();
    let states = seen(&mut by_rk4(3), &Reduced::SYSTEM, car_axis::END_TIME / f64::from(STEPS), Reduced::start(), &at);
    let look = |(k, state): (&u32, State)| {
        let moment = f64::from(*k) / f64::from(STEPS) * car_axis::END_TIME;
        let [road, ..] = car_axis::road(moment);
        let [xl, yl, xr, yr] = car_axis::solution(moment).places;
        let [left, right] = [state.x[0], state.x[1]].map(|x| [x.x, x.y]);
        Look { moment, places: vec![[[0.0; 2]; 2], [left, [xl, yl]], [right, [xr, yr]], [road; 2]] }
    };
    Ok(at.iter().zip(states).map(look).collect())
}

/// The ends of the links of a beam that is clamped along x at the origin.
fn ends(angles: &[f64; beam::LINKS]) -> Vec<[f64; 2]> {
    let mut at = [0.0; 2];
    let end = |angle: &f64| {
        let (sin, cos) = libm::sincos(*angle);
        at = [at[0] + cos / beam::LINKS as f64, at[1] + sin / beam::LINKS as f64];
        at
    };
    std::iter::once([0.0; 2]).chain(angles.iter().map(end).collect::<Vec<_>>()).collect()
}

/// The beam by RK4, once a unit of time.
fn bend() -> Vec<Look> {
    const STEPS: u32 = 4000; // of a unit of time: oscillations of up to 6,400 ask for more than 2,300
    let beam = Beam::new();
    let at: Vec<u32> = (0..=beam::END_TIME as u32).map(|t| t * STEPS).collect();
    let states = seen(&mut by_rk4(beam::LINKS + 1), &beam, 1.0 / f64::from(STEPS), beam.start(), &at);
    let look = |(k, state): (&u32, State)| {
        let moment = f64::from(*k / STEPS);
        let [found, exact] = [Beam::angles(&state.x), beam::solution(moment).angles].map(|angles| ends(&angles));
        Look { moment, places: found.into_iter().zip(exact).map(|(found, exact)| [found, exact]).collect() }
    };
    at.iter().zip(states).map(look).collect()
}

/// A bar, a taut strip or a membrane along a line of its particles; the membrane across its middle.
fn wave((wave, make): (Wave, Make), cells: u32) -> Result<Vec<Look>, ModelError> {
    let Taut { system, places, tension } = waves::taut((wave, make), cells)?;
    let rest: Vec<Vec3> = places.iter().map(|place| waves::SIDE * place).collect();
    let shape: Vec<Vec3> = places.iter().map(|place| wave.shape(*place)).collect();
    let frequency = wave.frequency(tension);
    let mode = Mode { rest: &rest, shape: &shape, masses: system.masses(), frequency, amplitude: waves::AMPLITUDE };
    let is_membrane = matches!(wave, Wave::Square(_));
    let (line, along): (f64, fn(&Vec3) -> [f64; 2]) =
        if is_membrane { (0.5, |at| [at.x, at.y]) } else { (0.0, |at| [at.y, at.x]) };
    let shown: Vec<usize> = (0..places.len()).filter(|i| (along(&places[*i])[0] - line).abs() < 1e-9).collect();
    let way = if matches!(wave, Wave::Bar(_)) { Vec3::x() } else { Vec3::z() };
    Ok(vibration(&mode, &*system, 4 * cells, (&shown, way), |i, found| [along(&places[i])[1], found]))
}

/// A clamped strip by quadratic bending.
fn clamped(number: usize, elements: u32) -> Result<Vec<Look>, ModelError> {
    let method = strips::Method::new(Law::Quadratic, Cut::Alternating, Motion::Alike);
    let strip = strip_modes::strip(method, elements as usize)?;
    let (shape, frequency) = (strip_modes::shape(number, &strip), strip_modes::frequency(number));
    let (rest, masses) = (&strip.flat, strip.system.masses());
    let mode = Mode { rest, shape: &shape, masses, frequency, amplitude: strip_modes::AMPLITUDE };
    let all: Vec<usize> = (0..rest.len()).collect();
    Ok(vibration(&mode, &*strip.system, 3 * elements * elements, (&all, Vec3::z()), |i, found| [rest[i].x - strip.clamp, found]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folded_chain_by_hand() {
        let at = |s: f64| folded(2.0, 1.0, 0.1, s); // its bend is at 1.5
        assert_eq!([at(0.0), at(1.5), at(1.75), at(2.0)], [[0.0, 0.0], [0.0, -1.5], [0.1, -1.25], [0.1, -1.0]]);
    }

    #[test]
    fn links_of_the_beam_are_as_long_as_they_should_be() {
        let ends = ends(&std::array::from_fn(|l| 0.1 * l as f64));
        let long = |pair: &[[f64; 2]]| libm::hypot(pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]);
        assert!(ends.windows(2).all(|pair| (long(pair) - 1.0 / 40.0).abs() < 1e-15) && ends.len() == beam::LINKS + 1);
        assert_eq!(ends[1], [1.0 / 40.0, 0.0]); // clamped along x
    }
}
