//! The linear systems of fast projection and of the implicit constraint direction: their sizes and pivots, first iterations, and
//! the points that they lead to.

use cloth::inextensible::{FastProjection, FilterReport, FilterStop, Icd, Step, StepAndProject};
use kit::prelude::*;

use super::scenes::Scene;

ranges!(SystemRanges {
    //! Sheets and steps.
    /// Particles a side.
    sides: List<Side>,
    /// Steps a second.
    rate: Count,
    /// Times of the steps that are solved again \[s\].
    times: List<Positive>,
    /// Permissible strain of the steps that are solved again \[-\].
    strain: Positive,
    /// Linear systems that a step may take then.
    solves: Count,
});

row! {
    /// A step of a sheet, or why it was not reached.
    pub struct SystemRow {
        /// particles a side
        pub side: usize,
        /// when the step ends, or would have \[s\]
        pub time: f64,
        /// how fast projection ended in the step before; a run in which it does not converge has no further steps, as one that is
        /// refused
        pub status: Status,
        /// when the run ended early, or why it was refused: the cells that follow are empty then
        pub reason: Option<String>,
        /// unknowns of fast projection
        pub projection_unknowns: Option<usize>,
        /// entries of its matrix, both triangles
        pub projection_entries: Option<usize>,
        /// entries of its Cholesky factor
        pub projection_factor: Option<u64>,
        /// how fast projection ends
        pub projection_status: Option<String>,
        /// its smallest pivot in the last iteration, relative to the diagonal
        pub projection_pivot: Option<f64>,
        /// unknowns of the implicit constraint direction
        pub implicit_unknowns: Option<usize>,
        /// entries of its matrix, both triangles
        pub implicit_entries: Option<usize>,
        /// entries of its factor L D Lᵀ
        pub implicit_factor: Option<u64>,
        /// how the implicit constraint direction ends
        pub implicit_status: Option<String>,
        /// its iterations
        pub implicit_iterations: Option<u64>,
        /// pivots below zero in its last iteration
        pub implicit_negative: Option<usize>,
        /// pivots replaced there because they were rounding
        pub implicit_replaced: Option<usize>,
        /// largest relative residual of its linear solves; empty where one is not finite
        pub implicit_residual: Option<f64>,
        /// how step and project ends
        pub sap_status: Option<String>,
        /// its iterations
        pub sap_iterations: Option<u64>,
        /// largest strain where the step leads without constraints
        pub strain: Option<f64>,
        /// largest correction of a particle by the first iteration of fast projection \[m\]
        pub correction: Option<f64>,
        /// largest distance of a particle between the first iterates; empty where one has none \[m\]
        pub first_distance: Option<f64>,
        /// the same between the roots of the implicit constraint direction and step and project; empty without both \[m\]
        pub root_distance: Option<f64>,
    }
}

/// Largest distance of a particle \[m\].
fn distance(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
}

/// A number; none where it is not finite.
fn finite(value: f64) -> Option<f64> {
    Some(value).filter(|value| value.is_finite())
}

fn project(method: &mut dyn ConstraintMethod, step: &Step<'_>) -> (FilterReport, Vec<Vec3>) {
    let mut x = step.candidate.to_vec();
    (method.project(step, &mut x), x)
}

/// Steps of the drape, solved again.
pub struct Systems(pub SystemRanges);

impl Systems {
    fn row(&self, scene: &Scene, side: usize, time: f64, step: &Step<'_>) -> Result<SystemRow, ModelError> {
        let constraints = || scene.constraints.clone();
        let once = Limits::new(self.0.strain.get(), 1)?;
        let limits = Limits::new(self.0.strain.get(), self.0.solves.get().into())?;
        let (of_first, first) = project(&mut FastProjection::new(constraints(), once), step);
        let (of_implicit, of_newton) = project(&mut Icd::new(constraints(), once).as_printed(), step);
        let iterated = of_first.iterations == 1 && of_implicit.iterations == 1;
        let mut projection = FastProjection::new(constraints(), limits);
        let mut implicit = Icd::new(constraints(), limits);
        let (of_projection, _) = project(&mut projection, step);
        let (of_icd, root) = project(&mut implicit, step);
        let (of_sap, other) = project(&mut StepAndProject::new(constraints(), limits), step);
        let both = of_icd.stop == FilterStop::Converged && of_sap.stop == FilterStop::Converged;
        let (size, size_of_icd) = (projection.system_size(), implicit.system_size());
        Ok(SystemRow {
            side,
            time,
            status: Status::Converged,
            reason: None,
            projection_unknowns: Some(size.unknowns),
            projection_entries: Some(size.entries),
            projection_factor: Some(size.factor_entries),
            projection_status: Some(of_projection.stop.name().into()),
            projection_pivot: finite(projection.smallest_pivot().relative),
            implicit_unknowns: Some(size_of_icd.unknowns),
            implicit_entries: Some(size_of_icd.entries),
            implicit_factor: Some(size_of_icd.factor_entries),
            implicit_status: Some(of_icd.stop.name().into()),
            implicit_iterations: Some(of_icd.iterations),
            implicit_negative: Some(implicit.factors().negative),
            implicit_replaced: Some(implicit.factors().replaced),
            implicit_residual: finite(implicit.worst_residual()),
            sap_status: Some(of_sap.stop.name().into()),
            sap_iterations: Some(of_sap.iterations),
            strain: finite(of_projection.before),
            correction: finite(distance(&first, step.candidate)),
            first_distance: iterated.then(|| distance(&first, &of_newton)),
            root_distance: both.then(|| distance(&root, &other)),
        })
    }

    /// Adds the steps of a sheet to `rows`, and where its drape ended if that was early.
    ///
    /// # Errors
    /// A scene or a bound that means nothing.
    fn follow(&self, side: usize, rows: &mut Vec<SystemRow>) -> Result<(), ModelError> {
        let scene = Scene::drape(side)?;
        let limits = Limits::new(self.0.strain.get(), self.0.solves.get().into())?;
        let mut forces = ForwardBackwardEuler::new(scene.constraints.particle_count());
        let mut filter = scene.filter(Box::new(FastProjection::new(scene.constraints.clone(), limits)));
        let (mut state, rate) = (scene.start.clone(), f64::from(self.0.rate.get()));
        let mut start = state.x.clone();
        for time in self.0.times.values() {
            while filter.filter_work().steps < (time.get() * rate).round() as u64 {
                start.copy_from_slice(&state.x);
                let ended = filter.step(&mut forces, &scene.net, 1.0 / rate, &mut state);
                if ended.is_err() || !filter.converged() {
                    let (status, reason) = (filter.last().stop.into(), format!("after {} steps", filter.filter_work().steps));
                    rows.push(SystemRow { side, time: time.get(), status, reason: Some(reason), ..SystemRow::default() });
                    return Ok(());
                }
            }
            let step = Step { dt: 1.0 / rate, start: &start, candidate: filter.candidate() };
            rows.push(self.row(&scene, side, time.get(), &step)?);
        }
        Ok(())
    }
}

impl Group for Systems {
    const NAME: &'static str = "systems";
    const ABOUT: &'static str = "linear systems, first iterations and roots of steps of the drape, solved again by three methods";
    type Case = usize;
    type Row = SystemRow;

    fn listed(&self) -> Vec<Self::Case> {
        self.0.sides.values().iter().map(|value| value.get() as usize).collect()
    }

    fn kin(&self, side: &usize) -> u64 {
        *side as u64
    }

    fn measure(&self, &side: &usize) -> Vec<SystemRow> {
        let mut rows = vec![];
        if let Err(invalid) = self.follow(side, &mut rows) {
            let time = self.0.times.values().get(rows.len()).map_or(0.0, |time| time.get());
            rows.push(SystemRow {
                side,
                time,
                status: Status::Refused,
                reason: Some(invalid.to_string()),
                ..SystemRow::default()
            });
        }
        rows
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let SystemRanges { times, rate, .. } = &ranges.systems;
    let checked = times.values().iter().map(|time| check_rates("systems.times", time.get(), [rate.get()]));
    Topic::of(Systems(ranges.systems.clone())).checked(checked.collect())
}
