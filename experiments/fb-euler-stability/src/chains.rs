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

/// B-1D.
pub fn one_dimension(results: &Results) -> Result<Finding, ResultsError> {
    let rows = results.rows::<Chains>()?;
    let measured = rows.iter().filter_map(|row| Some((row.row.particles, row.row.critical_kappa?, row.row.finite_kappa)));
    let measured: Vec<(usize, f64, f64)> = measured.collect();
    let worst = measured.iter().map(|(_, kappa, exact)| (kappa / exact - 1.0).abs()).fold(0.0, f64::max);
    let longest =
        measured.iter().map(|(particles, ..)| *particles).max().ok_or_else(|| too_few("no chain has a critical step"))?;
    if measured.iter().any(|(particles, _, exact)| *particles == longest && (exact - 1.0).abs() >= 0.01) {
        return Err(too_few("no chain is long enough for the limit of long ones"));
    }
    let long: Vec<f64> = measured.iter().filter(|(particles, ..)| *particles == longest).map(|(_, kappa, _)| *kappa).collect();
    let at_length = median(&long).ok_or_else(|| too_few("no long chain"))?;
    let mut readings = vec![];
    let mut by_length: BTreeMap<usize, (Vec<f64>, f64)> = BTreeMap::new();
    for (particles, kappa, exact) in &measured {
        by_length.entry(*particles).or_insert((vec![], *exact)).0.push(*kappa);
    }
    for (particles, (kappas, exact)) in by_length {
        if let Some([low, high]) = extremes(&kappas) {
            let measured = format!("{low:.4} to {high:.4}, exact {exact:.4}");
            readings.push(Reading::new(format!("chains of {particles} particles"), measured, None));
        }
    }
    let missing = rows.len() - measured.len();
    let exact = |value: f64| Estimate::exact(value, rows.len());
    let of_each = exact(worst).lies_below(0.01).and((missing == 0).into());
    let (critical, chains, worst) = (measured.len(), rows.len(), short(worst));
    let reason = format!(
        "{critical} of {chains} chains have a critical step, and agree with the exact value of their length, 1 / sin²(π/2 N/(N+1)), to \
         {worst} of it; that value tends to 1 as chains grow. An exact result has no interval; one chain off by more than a hundredth \
         would overturn it"
    );
    Ok(Finding::new(
        verdict(of_each.and(exact((at_length - 1.0).abs()).lies_below(0.01)), Answer::No),
        format!("{at_length:.4} on chains of {longest} particles"),
        reason,
    )
    .value(at_length)
    .cases(measured.len())
    .left_out(missing)
    .readings(readings))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Chains(ranges.chains.clone())).judge("B-1D", one_dimension)
}
