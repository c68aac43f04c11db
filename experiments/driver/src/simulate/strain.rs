use std::fmt;
use std::path::PathBuf;

use cloth::inextensible::{FilterStop, FilterWork, Strain, StrainOf};
use cloth::run::{LengthConstraint, Run};
use kit::table::Table;
use lab::files::FileError;
use lab::finite;
use scene::Scene;

/// How a constraint method kept the strain of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrainSummary {
    /// The method and its bound.
    pub inextensible: LengthConstraint,
    /// Its work, that of a step that failed included.
    pub work: FilterWork,
    /// Largest abs(strain) after any step before collisions \[-\].
    pub before: f64,
    /// Largest abs(strain) after any step and its collisions \[-\].
    pub after: f64,
    /// How the run ended where the method failed.
    pub failure: Option<Failed>,
    /// Edges that leave the cloth next to no motion.
    pub locked: Option<Locked>,
}

/// Edges that leave cloth less than half a direction of motion a free particle, as all edges of triangles do.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Locked {
    pub edges: usize,
    pub particles: usize,
    /// What would be left if no edge depended on others.
    pub freedom: i64,
}

impl Locked {
    /// Of a run at its start, where it locks.
    pub(super) fn of(simulation: &Run) -> Option<Locked> {
        let constraints = simulation.filter()?.method().constraints();
        let (edges, particles, freedom) = (constraints.edges().len(), constraints.particle_count(), constraints.freedom());
        constraints.locks().then_some(Locked { edges, particles, freedom })
    }
}

impl fmt::Display for Locked {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Locked { edges, particles, freedom } = self;
        write!(
            f,
            "{edges} edges that keep their length leave {particles} particles {freedom} directions of motion: triangles lock; take a mesh of \
             quads, or take `inextensible` out"
        )
    }
}

/// A step after which there is no state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Failed {
    /// Why.
    pub stop: FilterStop,
    /// The particles of the edge that it failed at, where there is one.
    pub particles: Option<(usize, usize)>,
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.stop.name())?;
        if let Some((i, j)) = self.particles {
            write!(f, " at the edge of the particles {i} and {j}")?;
        }
        let remedy = match self.stop {
            FilterStop::Singular { .. } => {
                "constraints depend on each other: where a row is taut between two pins bring the pins closer or free one of them, \
                 otherwise shorten `step`"
            }
            FilterStop::Coincident { .. } => "they are at one place: set them apart at the start, or shorten `step`",
            FilterStop::Inaccurate => "a linear system could not be solved: shorten `step`",
            FilterStop::NotFinite => "forces leave the finite numbers: shorten `step` or soften the springs",
            FilterStop::TooDear => "a step may not take as much: choose another method, or fewer particles",
            FilterStop::Converged | FilterStop::IterationLimit => return Ok(()),
        };
        write!(f, "; {remedy}")
    }
}

/// Columns of strain.csv: why the method ended in this step; its iterations, the steps that it ended at their limit and the edges
/// that turned by more than a right angle in a step, all since the row before; abs(strain) of the edges \[-\], the largest where
/// forces alone led, then all four before and after collisions; and the particles that solids moved in this step.
const COLUMNS: [&str; 16] = [
    "step",
    "time",
    "stop",
    "iterations",
    "limited",
    "turned_over",
    "candidate_largest",
    "before_largest",
    "before_percentile99",
    "before_median",
    "before_mean",
    "after_largest",
    "after_percentile99",
    "after_median",
    "after_mean",
    "touched",
];

/// strain.csv while it is written; there is none without a constraint method.
pub(super) struct StrainTable(Option<Rows>);

struct Rows {
    table: Table,
    strains: StrainOf,
    written: FilterWork,
    kept: StrainSummary,
}

impl StrainTable {
    pub fn create(path: PathBuf, scene: &Scene, simulation: &Run) -> Result<StrainTable, FileError> {
        let Some(inextensible) = scene.inextensible else { return Ok(StrainTable(None)) };
        let (table, written, strains) = (Table::create(path, &COLUMNS)?, FilterWork::default(), StrainOf::default());
        let kept =
            StrainSummary { inextensible, work: written, before: 0.0, after: 0.0, failure: None, locked: Locked::of(simulation) };
        Ok(StrainTable(Some(Rows { table, strains, written, kept })))
    }

    /// Takes note of the present step, and adds a row for it where one is `due`; a step that failed always has one, without
    /// strains.
    pub fn record(&mut self, simulation: &Run, due: bool) -> Result<(), FileError> {
        let (Some(rows), Some(filtered)) = (&mut self.0, simulation.filter()) else { return Ok(()) };
        let (last, constraints) = (filtered.last(), filtered.method().constraints());
        rows.kept.work = *filtered.filter_work();
        if simulation.failed().is_some() {
            let particles = match last.stop {
                FilterStop::Singular { edge } | FilterStop::Coincident { edge } => {
                    constraints.edges().get(edge).map(|edge| (edge.i, edge.j))
                }
                _ => None,
            };
            rows.kept.failure = (!last.stop.is_usable()).then_some(Failed { stop: last.stop, particles });
            return rows.write(simulation.steps() + 1, simulation, [[None; 4]; 2], 0);
        }
        rows.kept.before = rows.kept.before.max(last.after);
        rows.kept.after = rows.kept.after.max(constraints.largest_strain(&simulation.state().x));
        if due && rows.written.steps < rows.kept.work.steps {
            let numbers = |Strain { largest, percentile99, median, mean }| [largest, percentile99, median, mean].map(finite);
            let before = numbers(rows.strains.state(constraints, filtered.projected()));
            let after = numbers(rows.strains.state(constraints, &simulation.state().x));
            rows.write(simulation.steps(), simulation, [before, after], filtered.touched())?;
        }
        Ok(())
    }

    /// Ends the table; how the strain was kept.
    pub fn finish(self) -> Result<Option<StrainSummary>, FileError> {
        let Some(Rows { table, kept, .. }) = self.0 else { return Ok(None) };
        table.finish()?;
        Ok(Some(kept))
    }
}

impl Rows {
    fn write(&mut self, step: u64, simulation: &Run, strains: [[Option<f64>; 4]; 2], touched: u64) -> Result<(), FileError> {
        let Some(filtered) = simulation.filter() else { return Ok(()) };
        let (work, written, last) = (&self.kept.work, &self.written, filtered.last());
        let counts =
            [work.iterations - written.iterations, work.limited - written.limited, work.turned_over - written.turned_over];
        let time = step as f64 * simulation.step_length();
        self.table.add((step, time, last.stop.name(), counts, finite(last.before), strains, touched))?;
        self.written = self.kept.work;
        Ok(())
    }
}
