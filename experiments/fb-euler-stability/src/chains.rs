//! The chain in one dimension, where the criterion is exact.

use cloth::{Chain, End};
use kit::prelude::*;
use kit::ranges::Resolution;
use lab::measure::bisection::{Found, LogBisection};

ranges!(Ranges {
    //! Lists that chains are drawn from, and how they are searched.
    sets: Count,
    /// Particles between the fixed ends.
    particles: List<Count>,
    /// Mass of a particle \[kg\].
    mass: List<Positive>,
    /// ks \[N/m\].
    stiffness: List<Positive>,
    /// kd \[N s/m\].
    damping: List<NonNegative>,
    /// Steps of a run.
    steps: Count,
    /// Energy over the initial one that counts as unstable \[-\].
    growth: Positive,
    /// Ends of the search \[s\].
    bracket: Ends,
    /// Ratio of the ends at which the search stops \[-\].
    resolution: Resolution,
});

/// Critical steps of chains.
pub struct Chains(pub Ranges);

/// A chain between fixed ends.
#[derive(Clone, Debug)]
pub struct Case {
    particles: usize,
    mass: f64,
    elastic: Elastic,
}

row! {
    /// A chain and its critical step.
    pub struct ChainRow {
        /// N, between the fixed ends
        pub particles: usize,
        /// m, of a particle \[kg\]
        pub mass: f64,
        /// ks \[N/m\]
        pub stiffness: f64,
        /// kd \[N s/m\]
        pub damping: f64,
        /// measured, stable throughout or unstable throughout
        pub status: Status,
        /// largest stable step, to the resolution of the search \[s\]
        pub critical_step: Option<f64>,
        /// dt/m (ks dt + 2 kd) at the critical step
        pub critical_kappa: Option<f64>,
        /// its exact value on a chain of N particles, 1 / sin²(pi/2 N/(N+1))
        pub finite_kappa: f64,
    }
}

impl Chains {
    /// Whether a chain that starts from a zigzag keeps its energy within bounds.
    fn is_stable(&self, case: &Case, dt: f64) -> bool {
        let count = case.particles + 2;
        let chain = Chain::new(count, 1.0, case.mass, case.elastic.stiffness, case.elastic.damping, [End::Fixed; 2]);
        // all modes, the fastest one most
        let zigzag = |j: usize| if j.is_multiple_of(2) { 1e-3 } else { -1e-3 } * (1.0 + j as f64 / count as f64);
        let mut state = chain.displaced(|j| if j == 0 || j + 1 == count { 0.0 } else { zigzag(j) });
        let mut scheme = ForwardBackwardEuler::new(count);
        let limit = self.0.growth.get() * chain.energy(&state);
        let mut shown = FilmRecorder::new(self.0.steps.get().into());
        (0..self.0.steps.get()).all(|_| {
            scheme.step(&chain, dt, &mut state);
            shown.step(&chain, &state);
            chain.energy(&state) <= limit
        })
    }
}

impl Group for Chains {
    const NAME: &'static str = "chains";
    const ABOUT: &'static str = "critical step of chains in one dimension, by bisection";
    type Case = Case;
    type Row = ChainRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Case {
        let particles = pick(stream, self.0.particles.values()).get() as usize;
        let mass = pick(stream, self.0.mass.values()).get();
        let elastic = Elastic {
            stiffness: pick(stream, self.0.stiffness.values()).get(),
            damping: pick(stream, self.0.damping.values()).get(),
        };
        Case { particles, mass, elastic }
    }

    fn kin(&self, case: &Case) -> u64 {
        case.particles as u64
    }

    fn measure(&self, case: &Case) -> Vec<ChainRow> {
        let [low, high] = self.0.bracket.get();
        let mut bisection = LogBisection::new(low, high, self.0.resolution.get());
        while let Some(dt) = bisection.next() {
            bisection.tell(self.is_stable(case, dt));
        }
        let (status, critical_step) = match bisection.found() {
            Found::At(step) => (Status::Measured, Some(step)),
            Found::HoldsThroughout => (Status::StableThroughout, None),
            Found::FailsThroughout => (Status::UnstableThroughout, None),
        };
        let n = case.particles as f64;
        let sine = libm::sin(std::f64::consts::FRAC_PI_2 * n / (n + 1.0));
        let row = ChainRow {
            particles: case.particles,
            mass: case.mass,
            stiffness: case.elastic.stiffness,
            damping: case.elastic.damping,
            status,
            critical_step,
            critical_kappa: critical_step.map(|dt| numerical_stiffness(dt, case.mass, case.elastic)),
            finite_kappa: 1.0 / (sine * sine),
        };
        vec![row]
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Chains(ranges.chains.clone()))
}
