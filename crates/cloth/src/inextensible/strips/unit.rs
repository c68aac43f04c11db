use std::sync::{Mutex, MutexGuard, PoisonError};

use super::chains::Chains;
use super::field::Field;
use super::part::{Part, PartWork};
use crate::Vec3;
use crate::inextensible::FilterStop;

/// What is solved by one thread at once.
#[derive(Clone, Debug)]
enum Kind {
    One(Box<Part>),
    /// Some chains in lanes.
    Some(Box<Chains>),
}

/// A part of a group, or several that are worked on together.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    kind: Kind,
    /// What became of its last work.
    pub outcome: Result<(), FilterStop>,
}

/// A unit that is worked on by one thread at a time.
#[derive(Debug)]
pub(super) struct Shared(Mutex<Unit>);

impl Shared {
    fn new(kind: Kind) -> Shared {
        Shared(Mutex::new(Unit { kind, outcome: Ok(()) }))
    }

    pub fn lock(&self) -> MutexGuard<'_, Unit> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clone for Shared {
    fn clone(&self) -> Shared {
        Shared(Mutex::new(self.lock().clone()))
    }
}

/// Parts that share no movable particle, so that they may be solved at the same time.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// Chains by eight as far as they are alike, all in their order.
    pub units: Vec<Shared>,
    /// Number of its parts, and sums of what they cost.
    pub count: u64,
    pub factor: u64,
    pub solve: u64,
}

impl Group {
    pub fn new(parts: Vec<Part>) -> Group {
        let units = |parts: &[Part]| match Chains::of(parts) {
            Some(chains) => vec![Shared::new(Kind::Some(Box::new(chains)))],
            None => parts.iter().map(|part| Shared::new(Kind::One(Box::new(part.clone())))).collect(),
        };
        let works = || parts.iter().map(Part::work);
        Group {
            units: parts.chunks(8).flat_map(units).collect(),
            count: parts.len() as u64,
            factor: works().map(|work| work.factor).sum(),
            solve: works().map(|work| work.solve).sum(),
        }
    }
}

impl Unit {
    /// What its parts cost.
    pub fn works(&self) -> Vec<PartWork> {
        match &self.kind {
            Kind::One(part) => vec![part.work()],
            Kind::Some(chains) => chains.works().collect(),
        }
    }

    /// As [`Part::aim`].
    pub fn aim(&mut self, x: &[Vec3]) -> Result<(), FilterStop> {
        match &mut self.kind {
            Kind::One(part) => part.aim(x),
            Kind::Some(chains) => chains.aim(x),
        }
    }

    /// As [`Part::correct_positions`].
    pub fn correct_positions(&mut self, x: &Field, anew: bool) -> Result<(), FilterStop> {
        match &mut self.kind {
            Kind::One(part) => part.correct_positions(x, anew),
            Kind::Some(chains) => chains.correct_positions(x, anew),
        }
    }

    /// As [`Part::correct_velocities`].
    pub fn correct_velocities(&mut self, v: &Field) {
        match &mut self.kind {
            Kind::One(part) => part.correct_velocities(v),
            Kind::Some(chains) => chains.correct_velocities(v),
        }
    }

    /// As [`Part::largest_rate`], the largest of its parts; not a number where one is not.
    pub fn largest_rate(&self, v: &Field, dt: f64) -> f64 {
        match &self.kind {
            Kind::One(part) => part.largest_rate(v, dt),
            Kind::Some(chains) => {
                chains.largest_rates(v, dt).fold(0.0, |most, rate| if rate > most || rate.is_nan() { rate } else { most })
            }
        }
    }
}
