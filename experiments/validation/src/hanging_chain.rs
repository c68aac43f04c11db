//! A hanging chain that swings a little, in its first three modes: links refined together with the step.

use analytic::swings::{chain_frequency, chain_mode};
use cloth::inextensible::Edge;
use kit::prelude::*;

use super::moving::modes::Mode;
use super::moving::schemes::trouble;
use super::moving::way::Way;
use super::moving::{Outcome, Resolution, Rung, climb, constrained, figure};

ranges!(ChainRanges {
    //! Chains.
    /// Links, each after fewer.
    links: List<Count>,
    /// Steps of a period of the first mode per link.
    steps: Count,
});

/// Length \[m\] and mass per length \[kg/m\].
pub const LENGTH: f64 = 1.0;
const DENSITY: f64 = 0.1;

/// Axial stiffness EA of springs over the weight of the chain \[-\]. Springs are so much shorter at rest that each has its length
/// under its load, so that small swings do not know of it; it limits explicit steps.
const STIFFNESS: f64 = 4.0;

/// Amplitude at the free end \[m\]: it changes frequencies by about its square over the length's, 1e-8.
pub const AMPLITUDE: f64 = 1e-4;

/// Change of velocities at which Newton's method ends \[m/s\].
const NEWTON: f64 = 1e-14;

/// Modes of chains of springs by every integrator, of edges by every constraint method.
pub struct Chains(pub ChainRanges);

/// A chain of links of one length that hangs down from its first particle, with half a mass at its end.
pub struct Hanging {
    pub net: Net,
    pub edges: Vec<Edge>,
    pub rest: Vec<Vec3>,
}

impl Hanging {
    /// With springs, or without.
    pub fn new(links: u32, springs: bool) -> Result<Hanging, ModelError> {
        let h = LENGTH / f64::from(links);
        let (weight, stiffness) = (DENSITY * GRAVITY * LENGTH, STIFFNESS * DENSITY * GRAVITY * LENGTH);
        let mass = |i: u32| DENSITY * h * if i == links { 0.5 } else { 1.0 };
        let spring = |k: u32| {
            let load = weight * (f64::from(links - k) - 0.5) / f64::from(links); // of what hangs below link k, counted from 0
            let rest = h / (1.0 + load / stiffness); // EA (h/rest - 1) is the load
            NetSpring { i: k as usize, j: k as usize + 1, rest, elastic: Elastic { stiffness: stiffness / rest, damping: 0.0 } }
        };
        let springs = if springs { (0..links).map(spring).collect() } else { vec![] };
        let edges = (0..links as usize).map(|k| Edge { i: k, j: k + 1, rest: h }).collect();
        let net = Net::new((0..=links).map(mass).collect(), (0..=links).map(|i| i == 0).collect(), springs)?;
        let rest = (0..=links).map(|i| -h * f64::from(i) * Vec3::z()).collect();
        Ok(Hanging { net, edges, rest })
    }

    /// The swing number `mode` in the plane of x and z.
    pub fn shape(&self, mode: usize) -> Vec<Vec3> {
        self.rest.iter().map(|x| chain_mode(mode, 1.0 + x.z / LENGTH) * Vec3::x()).collect()
    }
}

fn run(mode: usize, way: Way, links: u32, steps: u32) -> Result<Outcome, ModelError> {
    let hanging = Hanging::new(links, matches!(way, Way::Integrator(_)))?;
    let (net, shape) = (&hanging.net, hanging.shape(mode));
    let frequency = chain_frequency(mode, LENGTH, GRAVITY);
    let mode = Mode { rest: &hanging.rest, shape: &shape, masses: net.masses(), frequency, amplitude: AMPLITUDE };
    Ok(match way {
        Way::Integrator(scheme) => {
            let mut integrator = scheme.integrator(net, NEWTON)?;
            let outcome = mode.swing(&mut *integrator, net, steps);
            Outcome { reason: trouble(&*integrator), ..outcome }
        }
        Way::Edges(method) => {
            let mut scheme = constrained::filtered(method, net, &hanging.edges)?;
            let outcome = mode.swing_by(|dt, state| scheme.step(net, dt, state).is_ok(), steps);
            constrained::told(&scheme, outcome)
        }
    })
}

impl Group for Chains {
    const NAME: &'static str = "hanging-chain";
    const ABOUT: &'static str = "small swings of a hanging chain over a period, by every integrator and every constraint method";
    type Case = (usize, Way);
    type Row = Rung;

    fn listed(&self) -> Vec<(usize, Way)> {
        (1..=3).flat_map(|mode| Way::all().map(move |way| (mode, way))).collect()
    }

    fn measure(&self, &(mode, way): &(usize, Way)) -> Vec<Rung> {
        let case = format!("hanging chain, mode {mode}");
        let begin = match (way, Hanging::new(2, false)) {
            (_, Err(_)) => return vec![],
            (Way::Integrator(scheme), Ok(hanging)) => scheme.rung(&case, &hanging.net, 2),
            (Way::Edges(method), Ok(Hanging { net, edges, .. })) => {
                constrained::rung(method, &case, constrained::filtered(method, &net, &edges), 2)
            }
        };
        let [period, longest] = [mode, 1].map(|mode| std::f64::consts::TAU / chain_frequency(mode, LENGTH, GRAVITY));
        let resolution = |links: u32| {
            let steps = libm::ceil(f64::from(links * self.0.steps.get()) * period / longest) as u32;
            Resolution { steps, elements: links, step: period / f64::from(steps) }
        };
        let resolutions = self.0.links.values().iter().map(|links| resolution(links.get()));
        climb(&begin, resolutions, |Resolution { steps, elements, .. }| run(mode, way, elements, steps))
    }
}

fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let caption = "Distance from where a chain in its second mode was a period ago, in the plane of displacement and velocity and \
                   over the amplitude, against the length of links; steps become shorter with them. The period is that of the \
                   continuous chain, by zeros of Bessel functions.";
    Ok(figure(
        &results.without_sets::<Chains>()?,
        ["hanging-chain", "A hanging chain that swings a little", caption],
        &["hanging chain, mode 2"],
    ))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Chains(ranges.hanging_chain.clone())).plot("hanging-chain", chart)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_of_springs_hangs_at_rest() {
        let hanging = Hanging::new(7, true).unwrap();
        let mut a = vec![Vec3::repeat(1.0); 8];
        hanging.net.accelerate(&hanging.rest, &[Vec3::zeros(); 8], &mut a);
        assert!(a.iter().all(|a| a.norm() < 1e-11), "{a:?}");
        assert!((hanging.net.masses()[1..].iter().sum::<f64>() - DENSITY * LENGTH * 6.5 / 7.0).abs() < 1e-15);
    }
}
