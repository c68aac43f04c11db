use std::path::PathBuf;

use cloth::Energies;
use cloth::implicit::Work;
use cloth::run::Run;
use kit::table::Table;
use lab::files::FileError;
use lab::finite;
use scene::Scene;

use super::contacts::Touching;
use super::summary::{Measured, Strained};

/// Columns of energies.csv: time \[s\], energies \[J\] of motion, in gravity (zero at the origin), in the springs of each family
/// and their sum, and the largest |x| / L over stretch and shear springs.
const ENERGIES: [&str; 9] = ["step", "time", "kinetic", "gravitational", "stretch", "shear", "bend", "total", "largest_stretch"];

/// Columns of a run that solves linear systems: their number since the row before, iterations of conjugate gradients, systems
/// that hit the limit of iterations, were not positive definite or not finite, and steps whose Newton iteration did not converge.
const SOLVING: [&str; 6] = ["solves", "iterations", "limited", "indefinite", "not_finite", "newton_limited"];

/// Columns of a run that adapts its steps: steps, or parts of them, since the row before that were rejected, or accepted beyond the
/// limit.
const ADAPTING: [&str; 2] = ["rejected", "accepted_beyond"];

/// Columns of a run with solids that no constraint method comes before: particles that touch them now, and particle steps since
/// the row before that went through one.
const TOUCHING: [&str; 4] = ["sticking", "sliding", "released", "passed"];

/// What a scheme has done up to a step.
#[derive(Clone, Copy, Default)]
pub(super) struct Course {
    work: Work,
    /// Contacts after the step.
    pub touching: Touching,
}

impl Course {
    pub fn of(simulation: &Run) -> Course {
        Course { work: simulation.work(), touching: simulation.contacts().map(Touching::of).unwrap_or_default() }
    }
}

/// energies.csv while it is written. What is too large for a number is an empty cell.
pub(super) struct EnergyTable {
    table: Table,
    solving: bool,
    adapting: bool,
    touching: bool,
    last: Option<(u64, Measured)>,
    course: Course,
    strained: Strained,
}

impl EnergyTable {
    pub fn create(path: PathBuf, scene: &Scene) -> Result<EnergyTable, FileError> {
        let (solving, adapting) = (scene.scheme.is_implicit(), scene.may_reject());
        let touching = scene.has_contacts();
        let chosen = [(true, &ENERGIES[..]), (solving, &SOLVING), (adapting, &ADAPTING), (touching, &TOUCHING)];
        let columns = chosen.into_iter().filter(|(chosen, _)| *chosen).flat_map(|(_, columns)| columns);
        let (table, course) = (Table::create(path, columns)?, Course::default());
        Ok(EnergyTable { table, solving, adapting, touching, last: None, course, strained: Strained::default() })
    }

    /// Adds a row for the present step, unless it is there; `course` leads to this step.
    pub fn record(&mut self, simulation: &Run, course: Course) -> Result<Measured, FileError> {
        let step = simulation.steps();
        if let Some((last, measured)) = self.last
            && last == step
        {
            return Ok(measured);
        }
        let (energies, largest) = (simulation.energies(), simulation.largest_stretch());
        let Energies { kinetic, gravitational, stretch, shear, bend } = energies;
        let values = [kinetic, gravitational, stretch, shear, bend, energies.total(), largest].map(finite);
        let counts = self.counts(&course);
        self.table.add((step, simulation.time(), values, counts))?;
        self.strained.take(simulation.time(), largest - 1.0);
        let measured = Measured { time: simulation.time(), energies };
        self.last = Some((step, measured));
        self.course = course;
        Ok(measured)
    }

    /// The columns of counts.
    fn counts(&self, course: &Course) -> Vec<u64> {
        let Work { solves, iterations, limited, indefinite, not_finite, newton_limited, rejected, accepted_beyond, .. } =
            course.work - self.course.work;
        let Touching { sticking, sliding, released, passed } = course.touching;
        let mut counts = Vec::new();
        if self.solving {
            counts.extend([solves, iterations, limited, indefinite, not_finite, newton_limited]);
        }
        if self.adapting {
            counts.extend([rejected, accepted_beyond]);
        }
        if self.touching {
            counts.extend([sticking, sliding, released, passed - self.course.touching.passed]);
        }
        counts
    }

    /// Ends the table; the strain in its rows.
    pub fn finish(self) -> Result<Strained, FileError> {
        self.table.finish()?;
        Ok(self.strained)
    }
}
