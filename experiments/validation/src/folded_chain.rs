//! A folded chain falls \[Calkin & March 1989\]: hung by one end, its other end let go beside it, faster than a stone.

use analytic::falls::fall_time_ratio;
use cloth::inextensible::Edge;
use kit::prelude::*;

use super::moving::schemes::trouble;
use super::moving::way::Way;
use super::moving::{Kind, Outcome, Resolution, Rung, climb, constrained, figure};

ranges!(FoldedRanges {
    //! Chains.
    /// Links, odd, each after fewer.
    links: List<Count>,
    /// Steps of free fall per link.
    steps: Count,
});

/// Length \[m\] and mass per length \[kg/m\].
pub const LENGTH: f64 = 1.0;
const DENSITY: f64 = 0.1;

/// Axial stiffness EA of springs over the weight of the chain \[-\].
const STIFFNESS: f64 = 1e4;

/// Steps of chains of springs over those of chains of edges, by explicit schemes, which have to resolve the springs.
const FINER: u32 = 6;

/// Change of velocities at which Newton's method ends \[m/s\].
const NEWTON: f64 = 1e-9;

/// How near the fall comes to energy that is kept, on the finest chain \[-\].
const NEAR: f64 = 0.01;

/// Free falls after which a chain has missed its lowest point \[-\].
const LATEST: f64 = 1.2;

/// Falls of chains of springs by every integrator, of edges by every constraint method.
pub struct Folded(pub FoldedRanges);

/// The time of a fall by the length \[s\].
pub fn free_fall() -> f64 {
    libm::sqrt(2.0 * LENGTH / GRAVITY)
}

/// A chain with an odd number of links that hangs from its first particle: half of it down, a link across, and up again.
pub fn chain(links: u32, springs: bool) -> Result<(Net, Vec<Edge>, State), ModelError> {
    let (h, half) = (LENGTH / f64::from(links), links / 2);
    let place = |i: u32| match i <= half {
        true => Vec3::new(0.0, 0.0, -h * f64::from(i)),
        false => Vec3::new(h, 0.0, -h * f64::from(links - i)),
    };
    let elastic = Elastic { stiffness: STIFFNESS * DENSITY * GRAVITY * LENGTH / h, damping: 0.0 };
    let edges: Vec<Edge> = (0..links as usize).map(|k| Edge { i: k, j: k + 1, rest: h }).collect();
    let spring = |edge: &Edge| NetSpring { i: edge.i, j: edge.j, rest: h, elastic };
    let springs = if springs { edges.iter().map(spring).collect() } else { vec![] };
    let mass = |i: u32| DENSITY * h * if i == links { 0.5 } else { 1.0 };
    let net = Net::new((0..=links).map(mass).collect(), (0..=links).map(|i| i == 0).collect(), springs)?;
    Ok((net, edges, State::at_rest((0..=links).map(place).collect())))
}

/// When the free end is lowest \[s\], by the parabola through the heights of three steps; none where that is not seen, or a step
/// comes to no end.
fn lowest(mut step: impl FnMut(f64, &mut State) -> bool, state: &mut State, dt: f64) -> Option<f64> {
    let end = state.x.len() - 1;
    let mut heights = [f64::INFINITY, f64::INFINITY, state.x[end].z];
    let steps = libm::ceil(LATEST * free_fall() / dt) as u32;
    for k in 1..=steps {
        if !step(dt, state) {
            return None;
        }
        heights = [heights[1], heights[2], state.x[end].z];
        let [a, b, c] = heights;
        if b < a && b <= c {
            return Some((f64::from(k - 1) + 0.5 * (a - c) / (a - 2.0 * b + c)) * dt);
        }
    }
    None
}

fn run(way: Way, links: u32, dt: f64) -> Result<Outcome, ModelError> {
    let (net, edges, mut state) = chain(links, matches!(way, Way::Integrator(_)))?;
    let outcome = |time: Option<f64>| match time {
        Some(time) => {
            let ratio = time / free_fall() / fall_time_ratio();
            Outcome { ratio: Some(ratio), error: (ratio - 1.0).abs(), ..Outcome::default() }
        }
        None => Outcome { error: f64::NAN, stop: Some(Status::NoTurn), ..Outcome::default() },
    };
    Ok(match way {
        Way::Integrator(scheme) => {
            let mut integrator = scheme.integrator(&net, NEWTON)?;
            let time = lowest(
                |dt, state| {
                    integrator.step(&net, dt, state);
                    true
                },
                &mut state,
                dt,
            );
            Outcome { reason: trouble(&*integrator), ..outcome(time) }
        }
        Way::Edges(method) => {
            let mut scheme = constrained::filtered(method, &net, &edges)?;
            let time = lowest(|dt, state| scheme.step(&net, dt, state).is_ok(), &mut state, dt);
            let seen = outcome(time);
            let told = constrained::told(&scheme, seen.clone());
            Outcome { stop: told.stop.or(seen.stop), ..told }
        }
    })
}

impl Group for Folded {
    const NAME: &'static str = "folded-chain";
    const ABOUT: &'static str = "the fall of a folded chain, by every integrator and every constraint method";
    type Case = Way;
    type Row = Rung;

    fn listed(&self) -> Vec<Way> {
        Way::all().collect()
    }

    fn measure(&self, &way: &Way) -> Vec<Rung> {
        let (kind, method, finer) = match way {
            Way::Integrator(scheme) => (Kind::Integrator, scheme.name(), if scheme.is_explicit() { FINER } else { 1 }),
            Way::Edges(method) => (Kind::ConstraintMethod, method.name().into(), 1),
        };
        let begin = Rung { case: "folded chain".into(), kind, method, bound: Some(NEAR), ..Rung::default() };
        let resolution = |links: u32| {
            let steps = links * self.0.steps.get() * finer;
            Resolution { steps, elements: links, step: free_fall() / f64::from(steps) }
        };
        let resolutions = self.0.links.values().iter().map(|links| resolution(links.get()));
        climb(&begin, resolutions, |Resolution { elements, step, .. }| run(way, elements, step))
    }
}

fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let caption = format!(
        "When the free end of a falling chain is lowest, against {:.6} of the time of free fall, for chains of more and more \
         links; steps become shorter with the links, and are a sixth as long for springs under explicit schemes.",
        fall_time_ratio()
    );
    Ok(figure(&results.without_sets::<Folded>()?, ["folded-chain", "A folded chain falls", &caption], &[]))
}

/// Refuses chains that cannot be folded so.
fn odd(ranges: &FoldedRanges) -> Result<(), RangeError> {
    match ranges.links.values().iter().find(|links| links.get() % 2 == 0 || links.get() < 3) {
        Some(links) => {
            Err(RangeError::here(format!("must be odd and at least 3, not {}", links.get())).within("folded-chain.links"))
        }
        None => Ok(()),
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Folded(ranges.folded_chain.clone())).plot("folded-chain", chart).checked(odd(&ranges.folded_chain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_a_folded_chain_have_their_length() {
        let (_, edges, state) = chain(9, false).unwrap();
        assert!(edges.iter().all(|edge| edge.strain(&state.x).abs() < 1e-14), "{:?}", state.x);
        assert_eq!((state.x[0].z, state.x[9].z), (0.0, 0.0));
    }

    #[test]
    fn a_throw_is_lowest_where_it_turns_and_never_before() {
        let mut up = Net::new(vec![1.0], vec![false], vec![]).unwrap();
        up.gravity = 2.0 * Vec3::z();
        let mut state = State { x: vec![Vec3::zeros()], v: vec![-0.5 * Vec3::z()] };
        let mut step = |dt: f64, state: &mut State| {
            Rk4::new(1).step(&up, dt, state);
            true
        };
        let found = lowest(&mut step, &mut state.clone(), 0.0133).unwrap();
        assert!((found - 0.25).abs() < 1e-12, "{found}");
        state.v[0].z = -5.0;
        assert_eq!(lowest(&mut step, &mut state, 0.0133), None);
    }
}
