//! The table of a race: a row a contestant and a rung.

use kit::prelude::*;

use crate::reference::Reference;
use crate::runs::{Measures, Outcome, distances, velocity_distance};

row! {
    /// Distances of particles to the reference at the times of comparison, rms over particles and over the size of the cloth.
    #[derive(Copy)]
    pub struct Errors {
        /// distance of particles to the reference, rms over particles and over the size of the cloth, at a fourth of the time
        pub error_1: Option<f64>,
        /// the same at a half
        pub error_2: Option<f64>,
        /// at three fourths
        pub error_3: Option<f64>,
        /// at the end
        pub error_4: Option<f64>,
    }
}

impl Errors {
    /// From distances and the size of the cloth \[m\].
    pub fn of(distances: &[f64], size: f64) -> Errors {
        let at = |k: usize| distances.get(k).and_then(|distance| finite(distance / size));
        Errors { error_1: at(0), error_2: at(1), error_3: at(2), error_4: at(3) }
    }

    /// The largest up to one of the times of comparison, counted from 1; none where one of them is none.
    pub fn until(&self, times: usize) -> Option<f64> {
        let Errors { error_1, error_2, error_3, error_4 } = *self;
        let mut until = [error_1, error_2, error_3, error_4].into_iter().take(times.max(1));
        until.try_fold(0.0, |most: f64, error| Some(most.max(error?)))
    }
}

row! {
    /// A run of a contestant.
    pub struct RaceRow {
        /// integrator or constraint method with its parameters, or the command of a rival
        pub contestant: String,
        /// dt, time step, the longest of adaptive steps; none for a contestant that was refused \[s\]
        pub step: Option<f64>,
        /// `tolerance` of the solver of linear systems where the race gives one
        pub tolerance: Option<f64>,
        /// finished, gains energy or not finite; costs more: nothing is wrong, but it is beyond the budget; refused: did not run,
        /// or ended at collisions that could not be resolved
        pub status: Status,
        /// what went wrong, in linear systems, Newton iterations and constraint methods too
        pub reason: Option<String>,
        /// steps of dt taken
        pub steps: u64,
        /// evaluations of forces, of all couplings or of the explicit ones
        pub evaluations: u64,
        /// linear systems solved
        pub solves: u64,
        /// iterations of conjugate gradients
        pub iterations: u64,
        /// steps, or parts of them, that were rejected
        pub rejected: u64,
        /// nominal floating-point operations of forces, linear systems, constraint methods and collisions
        pub operations: f64,
        /// distances to the reference
        pub errors: Errors,
        /// difference of velocities to the reference, rms over particles, the largest at any time of comparison \[m/s\]
        pub velocity_error: Option<f64>,
        /// largest |x| / L - 1 at any time of comparison
        pub strain: Option<f64>,
        /// that less the one of the reference
        pub strain_error: Option<f64>,
        /// energy at the end less that of the reference, over what a fall by the size of the cloth gains and what it has in motion and
        /// springs at the start; without weight over at least mass (size / duration)² / 2
        pub energy_drift: Option<f64>,
    }
}

impl RaceRow {
    /// Whether the run came to its end.
    pub fn is_finished(&self) -> bool {
        self.status == Status::Finished
    }
}

/// The row of a run, with what its states are compared with.
pub fn compared(begun: RaceRow, outcome: &Outcome, reference: Option<&Reference>, measures: &Measures) -> RaceRow {
    let Outcome { status, reason, steps, operations, evaluations, work, states, energies, strains } = outcome;
    let strain =
        strains.iter().copied().fold(None, |most: Option<f64>, strain| Some(most.map_or(strain, |most| most.max(strain))));
    let is_finished = *status == Status::Finished;
    let reference = reference.filter(|_| is_finished);
    let most = |strains: &[f64]| strains.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let row = RaceRow {
        status: *status,
        reason: reason.clone(),
        steps: *steps,
        evaluations: evaluations + work.evaluations,
        solves: work.solves,
        iterations: work.iterations,
        rejected: work.rejected,
        operations: finite(*operations).unwrap_or_default(),
        strain: strain.filter(|_| is_finished).and_then(finite),
        ..begun
    };
    let Some(reference) = reference else { return row };
    let has_velocities = !energies.is_empty(); // a rival has positions alone
    RaceRow {
        errors: distances(states, &reference.states).map_or(Errors::default(), |all| Errors::of(&all, measures.size)),
        velocity_error: velocity_distance(states, &reference.states).filter(|_| has_velocities).and_then(finite),
        strain_error: strain.map(|strain| strain - most(&reference.strains)).and_then(finite),
        energy_drift: energies
            .last()
            .zip(reference.energies.last())
            .map(|(end, other)| (end - other) / measures.fall)
            .and_then(finite),
        ..row
    }
}
