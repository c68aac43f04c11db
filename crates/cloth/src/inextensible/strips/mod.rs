//! Impulse strips \[Bender 2008\]: acyclic parts of the mesh, each solved directly in linear time, in turn until all agree.

mod chains;
mod division;
mod field;
mod part;
mod team;
mod tree;
mod unit;

pub use division::Division;
pub use part::PartWork;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use serde::Deserialize;

use self::field::Field;
use self::team::{Round, Team};
use self::unit::{Group, Unit};
use super::sweeps::sweep_until_strain;
use super::{ConstraintMethod, EdgeConstraints, FilterReport, FilterStop, Limits, Step};
use crate::Vec3;
use crate::quantity::Positive;

/// Along which directions impulses act.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum Directions {
    /// Those of the preview, taken anew before every solve.
    #[default]
    Preview,
    /// Those of the start of the step, as printed: one factorisation a part and step.
    Frozen,
}

/// On how many threads the parts of a group are solved. Results have the same bits.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Schedule {
    /// One after the other.
    Serial,
    /// Over the threads of rayon.
    Threaded,
}

/// What impulse strips may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StripSettings {
    /// What the mesh is divided into.
    pub division: Division,
    /// Which way impulses act.
    pub directions: Directions,
    /// Where velocities are corrected too: the abs(strain) \[-\] that a step at these velocities may add to first order. It has
    /// the same limit of iterations as the positions.
    pub velocities: Option<Positive>,
    /// Who solves the parts.
    pub schedule: Schedule,
}

/// Equal to no position.
const NOWHERE: Vec3 = Vec3::new(f64::NAN, f64::NAN, f64::NAN);

/// Impulse strips \[Bender 2008, 3.3-3.4\]. Each group of parts in turn moves x = x~ + dt dv, dv = M⁻¹ Cᵀ p with A p = e / dt,
/// until the preview of every edge is within the bound; then, where asked for, velocities lose what changes lengths in the same
/// way.
///
/// The unit directions are our reading: with the printed ones, of the length of the edge, impulses would be off by that length.
#[derive(Clone, Debug)]
pub struct ImpulseStrips {
    constraints: EdgeConstraints,
    limits: Limits,
    settings: StripSettings,
    groups: Vec<Group>,
    field: Field,        // positions or velocities while they are worked on
    aimed_at: Vec<Vec3>, // positions that all factors are of, not numbers where there are none
}

impl ImpulseStrips {
    /// For `constraints`, within `limits`.
    pub fn new(constraints: EdgeConstraints, limits: Limits, settings: StripSettings) -> ImpulseStrips {
        let groups = settings.division.groups(&constraints).into_iter().map(Group::new).collect();
        let field = Field::new(constraints.particle_count());
        let aimed_at = vec![NOWHERE; constraints.particle_count()];
        ImpulseStrips { constraints, limits, settings, groups, field, aimed_at }
    }

    /// What its parts cost, group by group.
    pub fn parts(&self) -> impl Iterator<Item = PartWork> {
        self.groups.iter().flat_map(|group| &group.units).flat_map(|unit| unit.lock().works())
    }
}

/// What threads share while they correct positions or velocities.
struct Correction<'a> {
    groups: &'a [Group],
    /// The first unit of a round that failed, if there is one.
    failed: AtomicUsize,
    /// The largest number that was measured in a round, as bits; all of them are zero or above.
    largest: AtomicU64,
}

impl Correction<'_> {
    fn of(groups: &[Group]) -> Correction<'_> {
        Correction { groups, failed: AtomicUsize::new(usize::MAX), largest: AtomicU64::new(0) }
    }

    /// Does `work` on some units.
    fn with(&self, group: usize, units: Range<usize>, work: impl Fn(&mut Unit) -> Result<(), FilterStop>) {
        for number in units {
            let mut unit = self.groups[group].units[number].lock();
            unit.outcome = work(&mut unit);
            if unit.outcome.is_err() {
                self.failed.fetch_min(number, Ordering::Relaxed);
            }
        }
    }

    /// Does a round on every part of a group; the first failure in their order.
    fn each(&self, team: &Team<'_>, round: impl Fn(usize) -> Round, number: usize) -> Result<(), FilterStop> {
        let units = &self.groups[number].units;
        team.each(round(number), units.len());
        match units.get(self.failed.load(Ordering::Relaxed)) {
            None => Ok(()),
            Some(failed) => failed.lock().outcome,
        }
    }

    /// Takes factors of all parts at positions `x`, unless they are there already: those of the velocities serve the next step.
    fn aim(&self, team: &Team<'_>, aimed_at: &mut [Vec3], x: &[Vec3], report: &mut FilterReport) -> Result<(), FilterStop> {
        if *aimed_at == *x {
            return Ok(());
        }
        aimed_at.fill(NOWHERE);
        for (number, group) in self.groups.iter().enumerate() {
            self.each(team, Round::Aim, number)?;
            report.factorisations += group.count;
            report.operations += group.factor;
        }
        aimed_at.copy_from_slice(x);
        Ok(())
    }

    /// Changes positions or velocities group by group.
    fn correct(&self, team: &Team<'_>, report: &mut FilterReport) -> Result<(), FilterStop> {
        for (number, group) in self.groups.iter().enumerate() {
            self.each(team, Round::Correct, number)?;
            report.operations += group.solve;
            report.solves += group.count;
        }
        Ok(())
    }

    /// Takes a number that was measured; infinity and what is no number are above all others.
    fn take(&self, measured: f64) {
        self.largest.fetch_max(measured.abs().to_bits(), Ordering::Relaxed);
    }

    /// The largest that was taken since the last time.
    fn largest(&self) -> f64 {
        f64::from_bits(self.largest.swap(0, Ordering::Relaxed))
    }
}

impl ConstraintMethod for ImpulseStrips {
    fn constraints(&self) -> &EdgeConstraints {
        &self.constraints
    }

    fn project(&mut self, step: &Step<'_>, x: &mut [Vec3]) -> FilterReport {
        let ImpulseStrips { constraints, limits, settings, groups, field, aimed_at } = self;
        let (positions, correction) = (&*field, Correction::of(groups));
        let anew = settings.directions == Directions::Preview;
        let work = |round: Round, items: Range<usize>| match round {
            Round::Aim(group) => correction.with(group, items, |unit| unit.aim(step.start)),
            Round::Correct(group) => correction.with(group, items, |unit| unit.correct_positions(positions, anew)),
            Round::Measure(_) => correction.take(constraints.largest_strain_of(items, |particle| positions.get(particle))),
        };
        let largest_strain = |team: &&Team<'_>| {
            team.each(Round::Measure(0), constraints.edges().len());
            correction.largest()
        };
        let sweep = |team: &mut &Team<'_>, report: &mut FilterReport| {
            if anew {
                aimed_at.fill(NOWHERE);
                report.factorisations += groups.iter().map(|group| group.count).sum::<u64>();
                report.operations += groups.iter().map(|group| group.factor).sum::<u64>();
            } else if report.iterations == 0 {
                correction.aim(team, aimed_at, step.start, report)?;
            }
            correction.correct(team, report)
        };
        positions.set(x);
        let sweeps = |mut team: &Team<'_>| sweep_until_strain(*limits, &mut team, largest_strain, sweep);
        let report = Team::gather(settings.schedule, &work, sweeps);
        positions.give(x);
        if report.stop == FilterStop::NotFinite {
            let after = constraints.largest_strain(x); // infinite or not a number
            return FilterReport { before: if report.iterations == 0 { after } else { report.before }, after, ..report };
        }
        report
    }

    fn correct_velocities(&mut self, step: &Step<'_>, x: &[Vec3], v: &mut [Vec3], report: &mut FilterReport) {
        let Some(tolerance) = self.settings.velocities.map(Positive::get) else { return };
        let ImpulseStrips { limits, settings, groups, field, aimed_at, .. } = self;
        let (velocities, correction) = (&*field, Correction::of(groups));
        let work = |round: Round, items: Range<usize>| match round {
            Round::Aim(group) => correction.with(group, items, |unit| unit.aim(x)),
            Round::Correct(group) => correction.with(group, items, |unit| {
                unit.correct_velocities(velocities);
                Ok(())
            }),
            Round::Measure(group) => correction.with(group, items, |unit| {
                correction.take(unit.largest_rate(velocities, step.dt));
                Ok(())
            }),
        };
        let pass = |team: &Team<'_>| {
            correction.aim(team, aimed_at, x, report)?;
            for iteration in 0.. {
                (0..groups.len()).try_for_each(|number| correction.each(team, Round::Measure, number))?;
                let largest = correction.largest();
                if !largest.is_finite() {
                    return Err(FilterStop::NotFinite);
                }
                if largest <= tolerance {
                    break;
                }
                if iteration == limits.iterations() {
                    return Err(FilterStop::IterationLimit);
                }
                correction.correct(team, report)?;
            }
            Ok(())
        };
        velocities.set(v);
        let outcome = Team::gather(settings.schedule, &work, pass);
        velocities.give(v);
        if let Err(stop) = outcome {
            report.stop = stop;
        }
    }
}

#[cfg(test)]
mod tests;
