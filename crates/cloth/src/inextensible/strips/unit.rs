use super::chains::Chains;
use super::part::{Part, PartWork};
use crate::Vec3;
use crate::inextensible::Stop;

/// What is solved by one thread at once.
#[derive(Clone, Debug)]
enum Kind {
    /// A part.
    One(Box<Part>),
    /// Some chains in lanes.
    Some(Box<Chains>),
}

/// A part of a group, or several that are worked on together.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    kind: Kind,
    /// Sums over its parts.
    pub count: u64,
    pub factor: u64,
    pub solve: u64,
    /// What became of its last work.
    pub outcome: Result<(), Stop>,
}

impl Unit {
    /// The units of a group: chains by eight as far as they are alike, in their order.
    pub fn group(parts: Vec<Part>) -> Vec<Unit> {
        let units = |parts: &[Part]| match Chains::of(parts) {
            Some(chains) => vec![Unit::new(Kind::Some(Box::new(chains)))],
            None => parts.iter().map(|part| Unit::new(Kind::One(Box::new(part.clone())))).collect(),
        };
        parts.chunks(8).flat_map(units).collect()
    }

    fn new(kind: Kind) -> Unit {
        let mut unit = Unit { kind, count: 0, factor: 0, solve: 0, outcome: Ok(()) };
        for work in unit.works() {
            unit.count += 1;
            unit.factor += work.factor;
            unit.solve += work.solve;
        }
        unit
    }

    /// What its parts cost.
    pub fn works(&self) -> Vec<PartWork> {
        match &self.kind {
            Kind::One(part) => vec![part.work()],
            Kind::Some(chains) => chains.works().collect(),
        }
    }

    /// As [`Part::aim`].
    pub fn aim(&mut self, x: &[Vec3]) -> Result<(), Stop> {
        match &mut self.kind {
            Kind::One(part) => part.aim(x),
            Kind::Some(chains) => chains.aim(x),
        }
    }

    /// As [`Part::correct_positions`].
    pub fn correct_positions(&mut self, x: &[Vec3], anew: bool) -> Result<(), Stop> {
        match &mut self.kind {
            Kind::One(part) => part.correct_positions(x, anew),
            Kind::Some(chains) => chains.correct_positions(x, anew),
        }
    }

    /// As [`Part::correct_velocities`].
    pub fn correct_velocities(&mut self, v: &[Vec3]) {
        match &mut self.kind {
            Kind::One(part) => part.correct_velocities(v),
            Kind::Some(chains) => chains.correct_velocities(v),
        }
    }

    /// As [`Part::largest_rate`], the largest of its parts; not a number where one is not.
    pub fn largest_rate(&self, v: &[Vec3], dt: f64) -> f64 {
        match &self.kind {
            Kind::One(part) => part.largest_rate(v, dt),
            Kind::Some(chains) => {
                chains.largest_rates(v, dt).fold(0.0, |most, rate| if rate > most || rate.is_nan() { rate } else { most })
            }
        }
    }

    /// Writes positions or velocities back.
    pub fn scatter(&self, y: &mut [Vec3]) {
        match &self.kind {
            Kind::One(part) => part.scatter(y),
            Kind::Some(chains) => chains.scatter(y),
        }
    }
}
