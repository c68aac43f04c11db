//! What moves, held against its motion: a case by a method at ever finer resolution, and the order that its errors show.

pub mod angles;
pub mod constrained;
pub mod modes;
pub mod schemes;

use crate::prelude::*;

words! {
    /// What is held against a motion.
    #[derive(Ord, PartialOrd)]
    pub enum Kind {
        /// A scheme for the forces.
        Integrator = "integrator",
        /// What keeps edges at their length.
        ConstraintMethod = "constraint method",
        /// A mesh with its law, by a scheme whose own error does not show.
        Mesh = "mesh",
    }
}

row! {
    /// A case by a method at one resolution.
    pub struct Rung {
        /// what moves
        pub case: String,
        /// integrator, constraint method, or mesh by RK4
        pub kind: Kind,
        /// its name
        pub method: String,
        /// order that it should show: its declared one, at most 2 where a mesh is refined with the step; 0 where none is known
        pub expected: u32,
        /// error that the finest rung may have, below that of the coarsest, where no order is known
        pub bound: Option<f64>,
        /// steps of the run, or of a period
        pub steps: u32,
        /// elements along the length where these are refined; 0 where there is nothing to refine
        pub elements: u32,
        /// dt \[s\]
        pub step: f64,
        /// finished; not finite; otherwise why it ended
        pub status: String,
        /// what else went wrong
        pub reason: Option<String>,
        /// what is measured over its reference: a frequency, a time
        pub ratio: Option<f64>,
        /// distance from the reference over a length or an amplitude that the case has
        pub error: Option<f64>,
        /// observed order: how fast the error falls from the rung before to this one
        pub order: Option<f64>,
    }
}

/// What came of a run.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Measured over reference; not a number where the run was lost.
    pub ratio: Option<f64>,
    /// Not a number where the run was lost.
    pub error: f64,
    /// Why a run that was lost ended, if that is known.
    pub stop: Option<&'static str>,
    /// What went wrong in a run that came to its end.
    pub reason: Option<String>,
}

/// Resolution of a run: steps, elements, dt \[s\].
#[derive(Clone, Copy, Debug)]
pub struct Resolution {
    pub steps: u32,
    pub elements: u32,
    pub step: f64,
}

/// Errors beyond which a run is no approximation of anything \[-\].
const LOST: f64 = 1e6;

/// A case by a method at ever finer resolutions, with the orders between neighbours.
pub fn climb(
    begin: &Rung,
    resolutions: impl IntoIterator<Item = Resolution>,
    mut run: impl FnMut(Resolution) -> Result<Outcome, Invalid>,
) -> Vec<Rung> {
    let mut rungs: Vec<Rung> = vec![];
    for resolution in resolutions {
        let Resolution { steps, elements, step } = resolution;
        let begin = Rung { steps, elements, step, ..begin.clone() };
        let rung = match run(resolution) {
            Err(invalid) => Rung { status: REFUSED.into(), reason: Some(invalid.to_string()), ..begin },
            Ok(Outcome { error, stop, reason, .. }) if !(error < LOST) => {
                Rung { status: stop.unwrap_or(NOT_FINITE).into(), reason, ..begin }
            }
            Ok(Outcome { ratio, error, reason, .. }) => {
                let before = rungs.last().and_then(|before| Some((before.error?, before.steps)));
                let order = before.map(|(before, n)| libm::log(before / error) / libm::log(f64::from(steps) / f64::from(n)));
                let ratio = ratio.and_then(finite);
                Rung { status: FINISHED.into(), ratio, error: Some(error), order: order.and_then(finite), reason, ..begin }
            }
        };
        rungs.push(rung);
    }
    rungs
}

/// By how much an observed order may fall short \[-\].
pub const SLACK: f64 = 0.2;

/// Errors that what is not the step's may make: the bound of constraints, the end of Newton iterations, rounding \[-\].
pub const FLOOR: f64 = 1e-9;

/// A case by a method, from the coarsest rung to the finest.
#[derive(Clone, Copy, Debug)]
pub struct Ladder<'a>(pub &'a [Rung]);

impl<'a> Ladder<'a> {
    /// Those of a table, in its order.
    pub fn all(rungs: &'a [Rung]) -> impl Iterator<Item = Ladder<'a>> {
        rungs.chunk_by(|a, b| (&a.case, a.kind, &a.method) == (&b.case, b.kind, &b.method)).map(Ladder)
    }

    pub fn first(&self) -> &'a Rung {
        &self.0[0]
    }

    /// The finest rung whose error, and that of the one before it, is above [`FLOOR`].
    fn last_of_order(&self) -> Option<&'a Rung> {
        let above = |rung: &Rung| rung.error.is_some_and(|error| error > FLOOR);
        self.0.windows(2).rev().find(|pair| pair.iter().all(above)).map(|pair| &pair[1])
    }

    /// The order between the finest two rungs whose errors are above [`FLOOR`].
    pub fn order(&self) -> Option<f64> {
        self.last_of_order()?.order
    }

    /// The error of the finest rung; none where that is lost.
    pub fn finest(&self) -> Option<f64> {
        self.0.last()?.error
    }

    /// What is measured over its reference on the finest rung; none where that is lost.
    pub fn ratio(&self) -> Option<f64> {
        self.0.last()?.ratio
    }

    /// Whether the finest run came to its end, and errors fall as they should, or there are none to speak of, or the last one is
    /// within its bound.
    pub fn passes(&self) -> bool {
        let Some(finest) = self.finest() else { return false };
        let Rung { bound, expected, error, .. } = self.first();
        if let Some(bound) = bound {
            return finest <= *bound && error.is_none_or(|first| finest < first);
        }
        let exact = || self.0.iter().all(|rung| rung.error.is_some_and(|error| error <= FLOOR));
        self.order().is_some_and(|order| order >= f64::from(*expected) - SLACK) || exact()
    }

    /// Why it does not pass, in a few words.
    fn lack(&self) -> String {
        let Rung { method, case, expected, bound, .. } = self.first();
        let lost = self.0.iter().rev().find(|rung| rung.status != FINISHED);
        let why = match (self.finest(), bound, self.order()) {
            (None, ..) => lost.map_or("no run".into(), |lost| lost.status.clone()),
            (Some(finest), Some(_), _) => format!("{} off", percent(finest)),
            (_, _, Some(order)) => format!("order {order:.2} of {expected}"),
            (_, _, None) => "no order".into(),
        };
        format!("{method} ({case}: {why})")
    }
}

/// Whether ladders of a kind pass, all of them: reproduced; at least half: direction only.
pub fn judged(rungs: &[Rung], kind: Kind, overturned: &str) -> Result<Finding, ResultsError> {
    let ladders: Vec<Ladder> = Ladder::all(rungs).filter(|ladder| ladder.first().kind == kind).collect();
    let (cases, passed) = (ladders.len(), ladders.iter().filter(|ladder| ladder.passes()).count());
    let share = Estimate::exact(passed as f64 / cases.max(1) as f64, cases);
    if cases == 0 {
        return Err(too_few("nothing was measured"));
    }
    let worst = ladders.iter().filter(|ladder| ladder.passes()).filter_map(Ladder::finest).fold(0.0, f64::max);
    let lacks: Vec<String> = ladders.iter().filter(|ladder| !ladder.passes()).map(Ladder::lack).collect();
    let measured = format!("{passed} of {cases} pass; their finest errors are at most {}", short(worst));
    let without = if lacks.is_empty() { "all pass".to_owned() } else { format!("not {}", lacks.join(", ")) };
    let found = verdict(share.lies_above(1.0), share.lies_above(0.5));
    Ok(Finding::new(found, measured, format!("{without}; {overturned}")).rests_on(&share).cases(cases))
}

/// Marks of lines in turn, so that eleven colours tell more methods apart.
const MARKERS: [Marker; 3] = [Marker::Circle, Marker::OpenSquare, Marker::Triangle];

/// Errors that are shown \[-\].
const SHOWN: [f64; 2] = [1e-10, 10.0];

/// Errors against the step, a panel for each kind and order in each of the cases `of`, a line a method.
pub fn figure(rungs: &[Rung], [name, title, caption]: [&str; 3], of: &[&str]) -> Figure {
    let mut names: Vec<(Kind, &str)> = Ladder::all(rungs).map(|ladder| (ladder.first().kind, &*ladder.first().method)).collect();
    names.sort_unstable();
    names.dedup();
    let mut panels: Vec<((&str, Kind, u32), Vec<Layer>)> = vec![];
    for ladder in Ladder::all(rungs) {
        let Rung { case, kind, method, expected, .. } = ladder.first();
        if !of.is_empty() && !of.contains(&case.as_str()) {
            continue;
        }
        let within = |error: f64| (SHOWN[0]..SHOWN[1]).contains(&error);
        let points: Vec<[f64; 2]> =
            ladder.0.iter().filter_map(|rung| Some([rung.step, rung.error.filter(|e| within(*e))?])).collect();
        let number = names.iter().position(|name| *name == (*kind, method)).unwrap_or(0);
        let [line, marks] = Layer::marked_line(method, Palette::series(number), points);
        let key = (case.as_str(), *kind, *expected);
        let layers = match panels.iter_mut().find(|(of, _)| *of == key) {
            Some((_, layers)) => layers,
            None => &mut panels.push_mut((key, vec![])).1,
        };
        layers.extend([line, marks.marker(MARKERS[number / 11 % MARKERS.len()])]);
    }
    panels.sort_by_key(|(key, _)| *key);
    let panel = |((case, kind, order), layers): ((&str, Kind, u32), Vec<Layer>)| {
        Panel::new(Axis::log("step [s]"), Axis::log("error"), layers).titled(format!("{case}: {kind}s of order {order}"))
    };
    Figure { columns: 2, ..Figure::new(name, title, caption, panels.into_iter().map(panel).collect()) }
}
