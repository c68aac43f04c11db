//! What moves, held against its motion: a case by a method at ever finer resolution, and the order that its errors show.

pub mod angles;
pub mod constrained;
pub mod modes;
pub mod schemes;
pub mod way;

use kit::prelude::*;

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
        pub status: Status,
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

impl Rung {
    /// What errors fall with: the size of elements over the length where these are refined, dt \[s\] elsewhere.
    fn size(&self) -> f64 {
        if self.elements > 0 { 1.0 / f64::from(self.elements) } else { self.step }
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
    pub stop: Option<Status>,
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
pub const LOST: f64 = 1e6;

/// A case by a method at ever finer resolutions, with the orders between neighbours.
pub fn climb(
    begin: &Rung,
    resolutions: impl IntoIterator<Item = Resolution>,
    mut run: impl FnMut(Resolution) -> Result<Outcome, ModelError>,
) -> Vec<Rung> {
    let mut rungs: Vec<Rung> = vec![];
    for resolution in resolutions {
        let Resolution { steps, elements, step } = resolution;
        let begin = Rung { steps, elements, step, ..begin.clone() };
        let rung = match run(resolution) {
            Err(invalid) => Rung { status: Status::Refused, reason: Some(invalid.to_string()), ..begin },
            Ok(Outcome { error, stop, reason, .. }) if error.is_nan() || error >= LOST => {
                Rung { status: stop.unwrap_or(Status::NotFinite), reason, ..begin }
            }
            Ok(Outcome { ratio, error, reason, .. }) => {
                let before = rungs.last().and_then(|before| Some((before.error?, before.size())));
                let order = before.map(|(before, size)| libm::log(before / error) / libm::log(size / begin.size()));
                let ratio = ratio.and_then(finite);
                Rung { status: Status::Finished, ratio, error: Some(error), order: order.and_then(finite), reason, ..begin }
            }
        };
        rungs.push(rung);
    }
    rungs
}

/// By how much an observed order may fall short \[-\].
pub const SLACK: f64 = 0.2;

/// Errors that what is not the step's may make: the bound of constraints, the end of Newton iterations, rounding \[-\].
pub const FLOOR: f64 = 1e-10;

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

    /// The order between the finest two rungs whose errors are above [`FLOOR`].
    pub fn order(&self) -> Option<f64> {
        let above = |rung: &Rung| rung.error.is_some_and(|error| error > FLOOR);
        self.0.windows(2).rev().find(|pair| pair.iter().all(above)).and_then(|pair| pair[1].order)
    }

    /// The error of the finest rung; none where that is lost.
    pub fn finest(&self) -> Option<f64> {
        self.0.last()?.error
    }

    /// Whether the finest run came to its end, and errors above [`FLOOR`] fall as they should, or are below it from the second rung
    /// on, or the last one is within its bound.
    pub fn passes(&self) -> bool {
        let Some(finest) = self.finest() else { return false };
        let Rung { bound, expected, error, .. } = self.first();
        if let Some(bound) = bound {
            return finest <= *bound && error.is_none_or(|first| finest < first);
        }
        match self.order() {
            Some(order) => order >= f64::from(*expected) - SLACK,
            None => finest <= FLOOR,
        }
    }

    /// Rises from ladders that pass, by their finest errors, to those that do not, to those whose finest run is lost.
    fn badness(&self) -> f64 {
        self.finest().map_or(f64::INFINITY, |error| if self.passes() { error } else { LOST + error })
    }

    /// Whether it passes, with what order and error.
    fn words(&self) -> String {
        let sign = if self.passes() { Verdict::Reproduced } else { Verdict::NotReproduced }.sign();
        match (self.finest(), self.order()) {
            (None, _) => format!("{sign} lost"),
            (Some(error), Some(order)) if self.first().bound.is_none() => format!("{sign} order {order:.1}, {}", short(error)),
            (Some(error), _) => format!("{sign} {}", short(error)),
        }
    }

    /// Why it does not pass, in a few words.
    pub fn lack(&self) -> String {
        let lost = self.0.iter().rev().find(|rung| rung.status != Status::Finished);
        let Rung { expected, bound, .. } = self.first();
        match (self.finest(), bound, self.order()) {
            (None, ..) => lost.map_or("no run".into(), |lost| lost.status.to_string()),
            (Some(finest), Some(_), _) => format!("{} off", percent(finest)),
            (_, _, Some(order)) => format!("order {order:.2} of {expected}"),
            (_, _, None) => "no order".into(),
        }
    }

    /// What else went wrong on the finest rung.
    pub fn trouble(&self) -> Option<&'a str> {
        self.0.last()?.reason.as_deref()
    }
}

/// Methods of a kind by cases, a cell each: whether all of its ladders in a group pass, the order of the worst one and its finest
/// error; empty where a method has no part in a group.
pub fn board(kind: Kind, cases: &[(&str, Vec<Rung>)]) -> TextTable {
    let mut methods: Vec<&str> = vec![];
    for ladder in cases.iter().flat_map(|(_, rungs)| Ladder::all(rungs)).filter(|ladder| ladder.first().kind == kind) {
        let method = ladder.first().method.as_str();
        if !methods.contains(&method) {
            methods.push(method);
        }
    }
    let heads: Vec<&str> = std::iter::once(kind.name()).chain(cases.iter().map(|(case, _)| *case)).collect();
    let lines = methods.iter().map(|method| {
        let cell = |(_, rungs): &(&str, Vec<Rung>)| {
            let own = Ladder::all(rungs).filter(|ladder| ladder.first().kind == kind && ladder.first().method == *method);
            let worst = own.max_by(|a, b| a.badness().total_cmp(&b.badness()));
            worst.map_or_else(String::new, |ladder| ladder.words())
        };
        std::iter::once((*method).to_owned()).chain(cases.iter().map(cell)).collect()
    });
    TextTable::new(&heads, lines)
}

/// Marks of lines in turn, so that eleven colours tell more methods apart.
const MARKERS: [Marker; 3] = [Marker::Circle, Marker::OpenSquare, Marker::Triangle];

/// Errors that are shown \[-\].
const SHOWN: [f64; 2] = [1e-10, 10.0];

/// Errors against the step or the size of elements, a panel for each kind in each of the cases `of`, all of them where none is
/// named, and two of integrators by their order; a line a method.
pub fn figure(rungs: &[Rung], [name, title, caption]: [&str; 3], of: &[&str]) -> Figure {
    let mut names: Vec<(Kind, &str)> = Ladder::all(rungs).map(|ladder| (ladder.first().kind, &*ladder.first().method)).collect();
    names.sort_unstable();
    names.dedup();
    let mut panels: BTreeMap<(&str, Kind, u32), Vec<Layer>> = BTreeMap::new();
    for ladder in Ladder::all(rungs) {
        let Rung { case, kind, method, expected, .. } = ladder.first();
        if !of.is_empty() && !of.contains(&case.as_str()) {
            continue;
        }
        let within = |error: f64| (SHOWN[0]..SHOWN[1]).contains(&error);
        let points: Vec<[f64; 2]> =
            ladder.0.iter().filter_map(|rung| Some([rung.size(), rung.error.filter(|e| within(*e))?])).collect();
        let number = names.iter().position(|name| *name == (*kind, method)).unwrap_or(0);
        let [line, marks] = Layer::marked_line(method, Palette::series(number), points);
        let order = if *kind == Kind::Integrator { (*expected).min(2) } else { 0 };
        let layers = panels.entry((case, *kind, order)).or_default();
        layers.extend([line, marks.marker(MARKERS[number / 11 % MARKERS.len()])]);
    }
    let size = if rungs.iter().any(|rung| rung.elements > 0) { "size of elements over the length" } else { "step [s]" };
    let panel = |((case, kind, order), layers): ((&str, Kind, u32), Vec<Layer>)| {
        let methods = match (kind, order) {
            (Kind::Mesh, _) => "",
            (Kind::ConstraintMethod, _) => ": constraint methods",
            (Kind::Integrator, 0) => ": integrators",
            (Kind::Integrator, 1) => ": integrators of order 1",
            (Kind::Integrator, _) => ": integrators of order 2 and above",
        };
        Panel::new(Axis::log(size), Axis::log("error"), layers).titled(format!("{case}{methods}"))
    };
    Figure { columns: 2, ..Figure::new(name, title, caption, panels.into_iter().map(panel).collect()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ladder whose errors are `error` of the number of steps.
    fn ladder(begin: &Rung, error: impl Fn(u32) -> f64) -> Vec<Rung> {
        let resolution = |steps: u32| Resolution { steps, elements: 0, step: 1.0 / f64::from(steps) };
        let run = |Resolution { steps, .. }: Resolution| Ok(Outcome { error: error(steps), ..Outcome::default() });
        climb(begin, [10, 20, 40].map(resolution), run)
    }

    #[test]
    fn orders_pass_by_their_finest_pair_above_rounding() {
        let begin = Rung { expected: 2, ..Rung::default() };
        let passes = |error: &dyn Fn(u32) -> f64| {
            let rungs = ladder(&begin, error);
            (Ladder(&rungs).passes(), Ladder(&rungs).order())
        };
        let power = |p: f64, scale: f64| move |steps: u32| scale * libm::pow(f64::from(steps), -p);
        let near = |order: Option<f64>, expected: f64| (order.unwrap() - expected).abs() < 1e-9;
        let (second, order) = passes(&power(2.0, 1.0));
        assert!(second && near(order, 2.0));
        assert!(!passes(&power(1.7, 1.0)).0 && passes(&power(1.81, 1.0)).0 && passes(&power(4.0, 1.0)).0);
        let rounded = |steps: u32| if steps == 40 { 5e-11 } else { power(2.0, 1e-5)(steps) };
        assert!(passes(&rounded).0 && near(passes(&rounded).1, 2.0));
        assert_eq!(passes(&|_| 1e-12), (true, None));
        assert!(!passes(&|steps| if steps == 40 { f64::NAN } else { 1.0 / f64::from(steps) }).0);
        let rungs = ladder(&begin, |steps| if steps == 40 { f64::INFINITY } else { 1e-3 });
        assert_eq!((rungs[2].status, rungs[2].error), (Status::NotFinite, None));
    }

    #[test]
    fn where_no_order_is_known_errors_pass_by_their_bound_if_they_fall() {
        let begin = Rung { bound: Some(0.01), ..Rung::default() };
        let passes = |error: &dyn Fn(u32) -> f64| Ladder(&ladder(&begin, error)).passes();
        assert!(passes(&|steps| 0.1 / f64::from(steps)) && !passes(&|steps| 1.0 / f64::from(steps)) && !passes(&|_| 0.005));
    }

    #[test]
    fn a_board_shows_what_passes_and_what_lacks() {
        let of = |method: &str, p: f64| {
            let begin = Rung { case: "a case".into(), method: method.into(), expected: 1, ..Rung::default() };
            ladder(&begin, move |steps| libm::pow(f64::from(steps), -p))
        };
        assert_eq!(Ladder(&of("bad", 0.5)).lack(), "order 0.50 of 1");
        let board =
            board(Kind::Integrator, &[("a case", [of("good", 1.0), of("bad", 0.5)].concat()), ("another", of("bad", 2.0))]);
        let board = board.markdown();
        assert!(board.contains("✓ order 1.0, 0.025") && board.contains("✗ order 0.5"), "{board}");
    }
}
