//! Impulse strips \[Bender 2008\]: acyclic parts of the mesh, each solved directly in linear time, in turn until all agree.

mod chains;
mod division;
mod part;
mod tree;
mod tridiagonal;
mod unit;

pub use division::Division;
pub use part::PartWork;

use rayon::prelude::*;

use self::unit::Unit;
use super::sweeps::sweep_until;
use super::{ConstraintMethod, EdgeConstraints, Limits, Report, Step, Stop};
use crate::Vec3;
use crate::quantity::Positive;

/// Along which directions impulses act.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Directions {
    /// Those of the start of the step, as printed: one factorisation a part and step.
    Frozen,
    /// Those of the preview, taken anew before every solve.
    Preview,
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
    /// The parts.
    pub division: Division,
    /// The directions.
    pub directions: Directions,
    /// Where velocities are corrected too: the abs(strain) \[-\] that a step at these velocities may add to first order. It has the same
    /// limit of iterations as the positions.
    pub velocities: Option<Positive>,
    /// The threads.
    pub schedule: Schedule,
}

/// Equal to no position.
const NOWHERE: Vec3 = Vec3::new(f64::NAN, f64::NAN, f64::NAN);

/// Impulse strips \[Bender 2008, 3.3-3.4\]. Each group of parts in turn moves x = x~ + dt dv, dv = M⁻¹ Cᵀ p with A p = e / dt, until the
/// preview of every edge is within the bound; then, where asked for, velocities lose what changes lengths in the same way.
///
/// The unit directions are our reading: with the printed ones, of the length of the edge, impulses would be off by that length.
#[derive(Clone, Debug)]
pub struct ImpulseStrips {
    constraints: EdgeConstraints,
    limits: Limits,
    settings: StripSettings,
    groups: Vec<Vec<Unit>>,
    aimed_at: Vec<Vec3>, // positions that all factors are of, not numbers where there are none
}

impl ImpulseStrips {
    /// For `constraints`, within `limits`.
    pub fn new(constraints: EdgeConstraints, limits: Limits, settings: StripSettings) -> ImpulseStrips {
        let groups = settings.division.groups(&constraints).into_iter().map(Unit::group).collect();
        let aimed_at = vec![NOWHERE; constraints.particle_count()];
        ImpulseStrips { constraints, limits, settings, groups, aimed_at }
    }

    /// What its parts cost, group by group.
    pub fn parts(&self) -> impl Iterator<Item = PartWork> {
        self.groups.iter().flatten().flat_map(Unit::works)
    }
}

/// Does `work` on every part of a group; the first failure in their order.
fn each(group: &mut [Unit], schedule: Schedule, work: impl Fn(&mut Unit) -> Result<(), Stop> + Sync) -> Result<(), Stop> {
    match schedule {
        Schedule::Serial => group.iter_mut().try_for_each(work),
        Schedule::Threaded => {
            let share = group.len().div_ceil(rayon::current_num_threads());
            // As many chunks as threads: a least length of pieces would leave three units, or five, in one piece.
            group.par_chunks_mut(share).for_each(|units| units.iter_mut().for_each(|unit| unit.outcome = work(unit)));
            group.iter().try_for_each(|unit| unit.outcome)
        }
    }
}

/// Does `work` where its groups are worked on: a threaded one on a thread of rayon, since one from outside would have to be woken
/// after every group.
fn on_threads<R: Send>(schedule: Schedule, work: impl FnOnce() -> R + Send) -> R {
    match schedule {
        Schedule::Serial => work(),
        Schedule::Threaded => rayon::scope(|_| work()),
    }
}

/// Changes positions or velocities `y` group by group.
fn correct(
    groups: &mut [Vec<Unit>],
    schedule: Schedule,
    y: &mut [Vec3],
    report: &mut Report,
    work: impl Fn(&mut Unit, &[Vec3]) -> Result<(), Stop> + Sync,
) -> Result<(), Stop> {
    for group in groups {
        let before = &*y;
        each(group, schedule, |unit| work(unit, before))?;
        for unit in &*group {
            unit.scatter(y);
            report.operations += unit.solve;
            report.solves += unit.count;
        }
    }
    Ok(())
}

/// Factors of all parts at positions `x`, unless they are there already: those of the velocities serve the next step.
fn aim(groups: &mut [Vec<Unit>], schedule: Schedule, aimed_at: &mut [Vec3], x: &[Vec3], report: &mut Report) -> Result<(), Stop> {
    if *aimed_at == *x {
        return Ok(());
    }
    aimed_at.fill(NOWHERE);
    for group in groups {
        each(group, schedule, |unit| unit.aim(x))?;
        report.factorisations += group.iter().map(|unit| unit.count).sum::<u64>();
        report.operations += group.iter().map(|unit| unit.factor).sum::<u64>();
    }
    aimed_at.copy_from_slice(x);
    Ok(())
}

impl ConstraintMethod for ImpulseStrips {
    fn constraints(&self) -> &EdgeConstraints {
        &self.constraints
    }

    fn project(&mut self, step: &Step<'_>, x: &mut [Vec3]) -> Report {
        let ImpulseStrips { constraints, limits, settings, groups, aimed_at } = self;
        let (schedule, anew) = (settings.schedule, settings.directions == Directions::Preview);
        let sweep = |x: &mut [Vec3], report: &mut Report| {
            if anew {
                aimed_at.fill(NOWHERE);
                report.factorisations += groups.iter().flatten().map(|unit| unit.count).sum::<u64>();
                report.operations += groups.iter().flatten().map(|unit| unit.factor).sum::<u64>();
            } else if report.iterations == 0 {
                aim(groups, schedule, aimed_at, step.start, report)?;
            }
            correct(groups, schedule, x, report, |unit, x| unit.correct_positions(x, anew))
        };
        on_threads(schedule, || sweep_until(constraints, *limits, x, sweep))
    }

    fn correct_velocities(&mut self, step: &Step<'_>, x: &[Vec3], v: &mut [Vec3], report: &mut Report) {
        let Some(tolerance) = self.settings.velocities.map(Positive::get) else { return };
        let ImpulseStrips { limits, settings, groups, aimed_at, .. } = self;
        let schedule = settings.schedule;
        let pass = || {
            aim(groups, schedule, aimed_at, x, report)?;
            for iteration in 0.. {
                let rates = groups.iter().flatten().map(|unit| unit.largest_rate(v, step.dt));
                let largest = rates.fold(0.0, |most: f64, rate| if rate > most || rate.is_nan() { rate } else { most });
                if !largest.is_finite() {
                    return Err(Stop::NotFinite);
                }
                if largest <= tolerance {
                    break;
                }
                if iteration == limits.iterations() {
                    return Err(Stop::IterationLimit);
                }
                correct(groups, schedule, v, report, |unit, v| {
                    unit.correct_velocities(v);
                    Ok(())
                })?;
            }
            Ok(())
        };
        if let Err(stop) = on_threads(schedule, pass) {
            report.stop = stop;
        }
    }
}

#[cfg(test)]
mod tests;
