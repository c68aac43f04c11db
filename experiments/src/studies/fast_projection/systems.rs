//! The linear systems of fast projection and of the implicit constraint direction: their sizes and pivots, first iterations, and the
//! points that they lead to.

use cloth::inextensible::{ConstraintMethod, FastProjection, Icd, Limits, Report, Step, StepAndProject, Stop};
use cloth::integrators::{Filtered, ForwardBackwardEuler, Integrator};
use cloth::quantity::Positive;
use cloth::{Invalid, Vec3};
use lab::claims::{Finding, Reading};
use lab::criterion::{Answer, Estimate, verdict};
use lab::report::{percent, short};
use lab::results::{Results, ResultsError, Row};
use lab::statistics::mean;
use lab::streams::ChaCha8Rng;
use lab::{Column, Group};
use serde::{Deserialize, Serialize};

use super::scenes::{REFUSED, Scene};
use crate::ranges::{Count, List, Side};

/// Sheets and steps.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SystemRanges {
    /// Particles a side.
    pub sides: List<Side>,
    /// Steps a second.
    pub rate: Count,
    /// Times of the steps that are solved again \[s\].
    pub times: List<Positive>,
    /// Permissible strain of the steps that are solved again \[-\].
    pub strain: Positive,
    /// Linear systems that a step may take then.
    pub solves: Count,
}

/// A step of a sheet, or why it was not reached.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct SystemRow {
    pub side: usize,
    pub time: f64,
    pub status: String,
    pub reason: Option<String>,
    pub projection_unknowns: Option<usize>,
    pub projection_entries: Option<usize>,
    pub projection_factor: Option<u64>,
    pub projection_status: Option<String>,
    pub projection_pivot: Option<f64>,
    pub implicit_unknowns: Option<usize>,
    pub implicit_entries: Option<usize>,
    pub implicit_factor: Option<u64>,
    pub implicit_status: Option<String>,
    pub implicit_iterations: Option<u64>,
    pub implicit_negative: Option<usize>,
    pub implicit_replaced: Option<usize>,
    pub implicit_residual: Option<f64>,
    pub sap_status: Option<String>,
    pub sap_iterations: Option<u64>,
    pub strain: Option<f64>,
    pub correction: Option<f64>,
    pub first_distance: Option<f64>,
    pub root_distance: Option<f64>,
}

const COLUMNS: &[Column] = &[
    Column::integer("side", "particles a side"),
    Column::number("time", "s", "when the step ends, or would have"),
    Column::text(
        "status",
        "how fast projection ended in the step before; a run in which it does not converge has no further steps, as one that is refused",
    ),
    Column::text("reason", "when the run ended early, or why it was refused: the cells that follow are empty then"),
    Column::number("projection_unknowns", "-", "unknowns of fast projection"),
    Column::number("projection_entries", "-", "entries of its matrix, both triangles"),
    Column::number("projection_factor", "-", "entries of its Cholesky factor"),
    Column::text("projection_status", "how fast projection ends"),
    Column::number("projection_pivot", "-", "its smallest pivot in the last iteration, relative to the diagonal"),
    Column::number("implicit_unknowns", "-", "unknowns of the implicit constraint direction"),
    Column::number("implicit_entries", "-", "entries of its matrix, both triangles"),
    Column::number("implicit_factor", "-", "entries of its factor L D Lᵀ"),
    Column::text("implicit_status", "how the implicit constraint direction ends"),
    Column::number("implicit_iterations", "-", "its iterations"),
    Column::number("implicit_negative", "-", "pivots below zero in its last iteration"),
    Column::number("implicit_replaced", "-", "pivots replaced there because they were rounding"),
    Column::number("implicit_residual", "-", "largest relative residual of its linear solves; empty where one is not finite"),
    Column::text("sap_status", "how step and project ends"),
    Column::number("sap_iterations", "-", "its iterations"),
    Column::number("strain", "-", "largest strain where the step leads without constraints"),
    Column::number("correction", "m", "largest correction of a particle by the first iteration of fast projection"),
    Column::number("first_distance", "m", "largest distance of a particle between the first iterates; empty where one has none"),
    Column::number(
        "root_distance",
        "m",
        "the same between the roots of the implicit constraint direction and step and project; empty without both",
    ),
];

/// Largest distance of a particle \[m\].
fn distance(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
}

/// A number; none where it is not finite.
fn finite(value: f64) -> Option<f64> {
    Some(value).filter(|value| value.is_finite())
}

fn project(method: &mut dyn ConstraintMethod, step: &Step<'_>) -> (Report, Vec<Vec3>) {
    let mut x = step.candidate.to_vec();
    (method.project(step, &mut x), x)
}

/// Steps of the drape, solved again.
pub struct Systems(pub SystemRanges);

impl Systems {
    fn row(&self, scene: &Scene, side: usize, time: f64, step: &Step<'_>) -> Result<SystemRow, Invalid> {
        let constraints = || scene.constraints.clone();
        let once = Limits::new(self.0.strain.get(), 1)?;
        let limits = Limits::new(self.0.strain.get(), self.0.solves.get().into())?;
        let (of_first, first) = project(&mut FastProjection::new(constraints(), once), step);
        let (of_implicit, of_newton) = project(&mut Icd::new(constraints(), once), step);
        let iterated = of_first.iterations == 1 && of_implicit.iterations == 1;
        let mut projection = FastProjection::new(constraints(), limits);
        let mut implicit = Icd::new(constraints(), limits);
        let (of_projection, _) = project(&mut projection, step);
        let (of_icd, root) = project(&mut implicit, step);
        let (of_sap, other) = project(&mut StepAndProject::new(constraints(), limits), step);
        let both = of_icd.stop == Stop::Converged && of_sap.stop == Stop::Converged;
        let (size, size_of_icd) = (projection.system_size(), implicit.system_size());
        Ok(SystemRow {
            side,
            time,
            status: Stop::Converged.name().into(),
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

    fn rows(&self, side: usize) -> Vec<SystemRow> {
        let mut rows = vec![];
        if let Err(invalid) = self.follow(side, &mut rows) {
            let time = self.0.times.values().get(rows.len()).map_or(0.0, |time| time.get());
            rows.push(SystemRow {
                side,
                time,
                status: REFUSED.into(),
                reason: Some(invalid.to_string()),
                ..SystemRow::default()
            });
        }
        rows
    }

    /// Adds the steps of a sheet to `rows`, and where its drape ended if that was early.
    ///
    /// # Errors
    /// A scene or a bound that means nothing.
    fn follow(&self, side: usize, rows: &mut Vec<SystemRow>) -> Result<(), Invalid> {
        let scene = Scene::drape(side)?;
        let limits = Limits::new(self.0.strain.get(), self.0.solves.get().into())?;
        let forces = ForwardBackwardEuler::new(scene.constraints.particle_count());
        let mut filtered = Filtered::new(Box::new(forces), Box::new(FastProjection::new(scene.constraints.clone(), limits)));
        if let Some(collisions) = scene.collisions.clone() {
            filtered = filtered.with_collisions(collisions);
        }
        let (mut state, rate) = (scene.start.clone(), f64::from(self.0.rate.get()));
        let mut start = state.x.clone();
        for time in self.0.times.values() {
            while filtered.filter_work().steps < (time.get() * rate).round() as u64 {
                start.copy_from_slice(&state.x);
                filtered.step(&scene.net, 1.0 / rate, &mut state);
                if !filtered.converged() {
                    let (status, reason) =
                        (filtered.last().stop.name().into(), format!("after {} steps", filtered.filter_work().steps));
                    rows.push(SystemRow { side, time: time.get(), status, reason: Some(reason), ..SystemRow::default() });
                    return Ok(());
                }
            }
            let step = Step { dt: 1.0 / rate, start: &start, candidate: filtered.candidate() };
            rows.push(self.row(&scene, side, time.get(), &step)?);
        }
        Ok(())
    }
}

impl Group for Systems {
    const NAME: &'static str = "systems";
    const ABOUT: &'static str = "linear systems, first iterations and roots of steps of the drape, solved again by three methods";
    const COLUMNS: &'static [Column] = COLUMNS;
    const SAMPLED: bool = false;
    type Case = usize;
    type Row = SystemRow;

    fn sets(&self) -> u64 {
        self.0.sides.values().len() as u64
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> usize {
        self.0.sides.values()[set as usize].get() as usize
    }

    fn kin(&self, side: &usize) -> u64 {
        *side as u64
    }

    fn measure_block(&self, sides: &[usize], done: &mut dyn FnMut(usize, Vec<SystemRow>)) {
        for (k, side) in sides.iter().enumerate() {
            done(k, self.rows(*side));
        }
    }
}

/// Steps that were reached, and the number of runs that ended early.
fn rows(results: &Results) -> Result<(Vec<Row<SystemRow>>, usize), ResultsError> {
    let rows: Vec<Row<SystemRow>> = results.rows("systems")?;
    let (rows, ended): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.row.projection_status.is_some());
    if rows.is_empty() {
        return Err(ResultsError::TooFew("no step of a sheet was reached".into()));
    }
    Ok((rows, ended.len()))
}

/// Distance of the roots that counts as none \[m\], and that of first iterates over the largest correction \[-\].
const SAME_ROOT: f64 = 1e-8;
const SAME_ITERATE: f64 = 1e-9;

/// Whether something holds in all cases, and whether in more than half; open of none.
fn graded(held: usize, of: usize) -> [Answer; 2] {
    if of == 0 { [Answer::Open; 2] } else { [Answer::from(held == of), Answer::from(2 * held > of)] }
}

/// G-ICD-SAP.
pub fn roots(results: &Results) -> Result<Finding, ResultsError> {
    let (rows, ended) = rows(results)?;
    let distances: Vec<f64> = rows.iter().filter_map(|row| row.row.root_distance).collect();
    let largest = distances.iter().copied().fold(0.0, f64::max);
    let held = distances.iter().filter(|distance| **distance < SAME_ROOT).count();
    let [all, most] = graded(held, distances.len());
    let enough = if 2 * distances.len() > rows.len() { Answer::Yes } else { Answer::Open };
    let lost = rows.len() - distances.len() + ended;
    let iterations = |of: fn(&SystemRow) -> Option<u64>| {
        let converged = rows.iter().filter(|row| row.row.root_distance.is_some()).filter_map(|row| of(&row.row));
        converged.max().map_or_else(|| "none".into(), |most| most.to_string())
    };
    let count = |name: &str, of: fn(&SystemRow) -> &Option<String>| {
        let converged = rows.iter().filter(|row| of(&row.row).as_deref() == Some(Stop::Converged.name())).count();
        Reading { name: name.into(), measured: format!("converges in {converged} of {} steps", rows.len()), verdict: None }
    };
    Ok(Finding {
        verdict: verdict(all.and(enough), most.and(enough)),
        measured: format!(
            "at most {} m apart where both converge, ICD in at most {} iterations, step and project in {}",
            short(largest),
            iterations(|row| row.implicit_iterations),
            iterations(|row| row.sap_iterations)
        ),
        value: Some(largest),
        interval: None,
        cases: distances.len(),
        left_out: lost,
        reason: format!(
            "an extreme over named steps; of {} steps {} are left out, in which one of the two does not converge: nothing is known of them. A step \
             with two roots, where the methods find one each, would overturn it",
            rows.len() + ended,
            lost
        ),
        readings: vec![
            count("ICD", |row| &row.implicit_status),
            count("step and project", |row| &row.sap_status),
            count("fast projection", |row| &row.projection_status),
            Reading {
                name: "steps in which one does not converge counted against it".into(),
                measured: format!("the same root in {held} of {} steps", rows.len() + ended),
                verdict: {
                    let [all, most] = graded(held, rows.len() + ended);
                    Some(verdict(all, most))
                },
            },
        ],
    })
}

/// G-FIRST.
pub fn first(results: &Results) -> Result<Finding, ResultsError> {
    let (rows, ended) = rows(results)?;
    let relative = rows.iter().filter_map(|row| Some(row.row.first_distance? / row.row.correction?));
    let relative: Vec<f64> = relative.filter(|relative| relative.is_finite()).collect();
    let largest = relative.iter().copied().fold(0.0, f64::max);
    let [all, most] = graded(relative.iter().filter(|relative| **relative < SAME_ITERATE).count(), relative.len());
    Ok(Finding {
        verdict: verdict(all, most),
        measured: format!("at most {} of the largest correction apart", short(largest)),
        value: Some(largest),
        interval: None,
        cases: relative.len(),
        left_out: rows.len() - relative.len() + ended,
        reason: "an extreme over named steps; steps that need no iteration and runs that end early are left out. Other first multipliers of ICD than zero would \
                 overturn it"
            .into(),
        readings: vec![],
    })
}

/// The systems of a step by fast projection and by the implicit constraint direction, with the pivots of the latter.
struct Sizes {
    side: usize,
    unknowns: [usize; 2],
    entries: [usize; 2],
    factors: [u64; 2],
    negative: usize,
    replaced: usize,
}

impl SystemRow {
    fn sizes(&self) -> Option<Sizes> {
        Some(Sizes {
            side: self.side,
            unknowns: [self.projection_unknowns?, self.implicit_unknowns?],
            entries: [self.projection_entries?, self.implicit_entries?],
            factors: [self.projection_factor?, self.implicit_factor?],
            negative: self.implicit_negative?,
            replaced: self.implicit_replaced?,
        })
    }
}

/// Unknowns for each particle as published, and how near counts.
const UNKNOWNS: [f64; 2] = [2.0, 5.0];
const NEAR: [f64; 2] = [0.05, 0.15];

/// G-SIZE.
pub fn size(results: &Results) -> Result<Finding, ResultsError> {
    let (rows, ended) = rows(results)?;
    let sizes: Vec<Sizes> = rows.iter().filter_map(|row| row.row.sizes()).collect();
    let largest =
        sizes.iter().max_by_key(|row| row.side).ok_or_else(|| ResultsError::TooFew("no step of a sheet was reached".into()))?;
    let particles = (largest.side * largest.side) as f64;
    let each = largest.unknowns.map(|unknowns| unknowns as f64 / particles);
    let near = |within: f64| {
        let pairs = each.iter().zip(UNKNOWNS);
        Answer::all(pairs.map(|(found, published)| {
            Estimate::exact(*found, 1).lies_within(published * (1.0 - within), published * (1.0 + within))
        }))
    };
    let singular = Stop::Singular { edge: 0 }.name();
    let definite = rows.iter().filter(|row| row.row.projection_status.as_deref() != Some(singular)).count();
    let indefinite = |row: &&Sizes| row.negative > 0 && row.negative < row.unknowns[1] && row.replaced == 0;
    let indefinite = sizes.iter().filter(indefinite).count();
    let kinds = Answer::from(definite == rows.len() && indefinite == rows.len());
    let share = largest.negative as f64 / largest.unknowns[1] as f64;
    let ratio = |of: fn(&Sizes) -> [f64; 2]| {
        let ratios: Vec<f64> = sizes.iter().map(of).map(|[one, other]| other / one).collect();
        mean(&ratios).map_or_else(|| "none".into(), short)
    };
    Ok(Finding {
        verdict: verdict(near(NEAR[0]).and(kinds), near(NEAR[1])),
        measured: format!("{} and {} unknowns for each particle at {2} x {2}", short(each[0]), short(each[1]), largest.side),
        value: Some(each[1] / each[0]),
        interval: None,
        cases: rows.len(),
        left_out: ended,
        reason: format!(
            "exact counts; {definite} of {0} steps of fast projection had Cholesky factors to the end, and {indefinite} of {0} of ICD pivots of both \
             signs without any replaced. A mesh with another ratio of edges to vertices would overturn it",
            rows.len()
        ),
        readings: vec![
            Reading {
                name: "pivots of the implicit constraint direction".into(),
                measured: format!("{} of them below zero", percent(share)),
                verdict: None,
            },
            Reading {
                name: "entries of its matrix and of its factor over those of fast projection".into(),
                measured: format!(
                    "{} and {} on average",
                    ratio(|row| row.entries.map(|entries| entries as f64)),
                    ratio(|row| row.factors.map(|entries| entries as f64))
                ),
                verdict: None,
            },
        ],
    })
}
