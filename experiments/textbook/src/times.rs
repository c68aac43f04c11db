//! Sheets by explicit and by implicit Euler, timed alone and in turn. S-BE-WORTH, S-NEWTON-TRADE.

use kit::prelude::*;

use super::ends::{EndRow, Ends as Reached};
use super::implicit::{RATES, TO_TOLERANCE};
use super::weave::{Weave, Weaves, symplectic_limit};

ranges!(TimeRanges {
    //! Sheets and runs.
    sheets: Count,
    /// What they are drawn from.
    weaves: Weaves,
    /// Damping ratio of the fastest mode \[-\], log-uniform.
    zeta: Ends,
    /// Simulated time \[s\].
    duration: Positive,
    /// Measurements of each.
    repeats: Count,
});

/// Explicit Euler.
pub const EXPLICIT: &str = "explicit Euler";
/// Forward-backward Euler.
pub const SYMPLECTIC: &str = "FB Euler";
/// Linearised backward Euler.
pub const ONCE: &str = "backward Euler, once";
/// Backward Euler.
pub const CONVERGED: &str = "backward Euler, converged";

pub const METHODS: [&str; 4] = [EXPLICIT, SYMPLECTIC, ONCE, CONVERGED];

impl TimeRanges {
    /// A sheet and its damping ratio.
    fn of(&self, stream: &mut ChaCha8Rng) -> (Weave, f64) {
        let weave = Weave::draw(&self.weaves, stream);
        (weave, log_uniform(stream, self.zeta.get()))
    }

    /// A damped sheet.
    pub fn draw(&self, stream: &mut ChaCha8Rng) -> Weave {
        let (weave, zeta) = self.of(stream);
        weave.damped(zeta)
    }
}

/// Share of the largest step that explicit schemes take \[-\].
const SAFE: f64 = 0.7;

row! {
    /// A sheet by a method.
    pub struct TimeRow {
        /// the scheme, and how often it is linearised
        pub method: String,
        /// particles a side
        pub side: usize,
        /// areal density \[kg/m²\]
        pub density: f64,
        /// of stretch springs \[N/m\]
        pub stiffness: f64,
        /// damping ratio of the fastest mode, about
        pub zeta: f64,
        /// dt \[s\]
        pub step: f64,
        /// steps taken
        pub steps: u64,
        /// linear systems solved
        pub solves: u64,
        /// iterations of conjugate gradients
        pub iterations: u64,
    }
}

/// A sheet, its damping ratio and a method.
pub type Case = (Weave, f64, &'static str);

/// Sheets, each by every method.
pub struct Times(pub TimeRanges);

/// A scheme for a sheet.
pub fn scheme(net: &Net, method: &str) -> Box<dyn Integrator> {
    let implicit = |newton: Newton| Box::new(BackwardEuler::new(net, Settings { newton, ..Settings::default() }));
    match method {
        EXPLICIT => Box::new(ForwardEuler::new(net.particle_count())),
        SYMPLECTIC => Box::new(ForwardBackwardEuler::new(net.particle_count())),
        ONCE => implicit(Newton::Once),
        _ => implicit(TO_TOLERANCE),
    }
}

/// The step that a method takes \[s\].
pub fn step(damped: &Weave, net: &Net, method: &str) -> f64 {
    match method {
        EXPLICIT => SAFE * damped.limit(),
        SYMPLECTIC => SAFE * symplectic_limit(net, &damped.flat()),
        _ => 1.0 / f64::from(RATES[1]),
    }
}

impl Times {
    /// Over a known step, or that of the method \[s\].
    fn row(&self, &(weave, zeta, method): &Case, known: Option<f64>) -> Option<TimeRow> {
        let damped = weave.damped(zeta);
        let net = damped.net(&damped.corners()).ok()?;
        let step = known.unwrap_or_else(|| step(&damped, &net, method));
        let (mut scheme, mut state) = (scheme(&net, method), State::at_rest(damped.flat()));
        let steps = (self.0.duration.get() / step).ceil() as u64;
        (0..steps).for_each(|_| scheme.step(&net, step, &mut state));
        let work = scheme.work();
        Some(TimeRow {
            method: method.into(),
            side: weave.side,
            density: weave.density,
            stiffness: weave.stretch,
            zeta,
            step,
            steps,
            solves: work.solves,
            iterations: work.iterations,
        })
    }
}

impl Group for Times {
    const NAME: &'static str = "times";
    const ABOUT: &'static str = "sheets by explicit and by implicit schemes, a set a method: their times stand in timings.csv";
    const SAMPLED: bool = false;
    type Case = Case;
    type Row = TimeRow;

    fn sets(&self) -> u64 {
        METHODS.len() as u64 * u64::from(self.0.sheets.get())
    }

    fn repeats(&self) -> u32 {
        self.0.repeats.get()
    }

    fn times_alone(&self) -> bool {
        true
    }

    fn scene(&self, set: u64) -> u64 {
        set / METHODS.len() as u64
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Case {
        let (weave, zeta) = self.0.of(stream);
        (weave, zeta, METHODS[set as usize % METHODS.len()])
    }

    fn measure(&self, case: &Case) -> Vec<TimeRow> {
        self.row(case, None).into_iter().collect()
    }

    /// The run alone: its step is known.
    fn repeat(&self, case: &Case, known: &[TimeRow]) -> Vec<TimeRow> {
        self.row(case, known.first().map(|row| row.step)).into_iter().collect()
    }
}

/// A sheet's row by a method with the median of its times \[s\].
type Timed = (TimeRow, f64);

/// Sheets that were timed, and what became of them.
struct Timings {
    rows: Vec<Row<TimeRow>>,
    /// Median of the times of each set \[s\].
    medians: HashMap<u64, f64>,
    ends: Vec<Row<EndRow>>,
}

impl Timings {
    fn of(results: &Results) -> Result<Timings, ResultsError> {
        let medians = median_seconds::<Times>(results)?;
        Ok(Timings { rows: results.rows::<Times>()?, medians, ends: results.rows::<Reached>()? })
    }

    /// Sheets drawn.
    fn drawn(&self) -> usize {
        self.rows.iter().filter(|row| row.row.method == ONCE).count()
    }

    /// Ends of a sheet by a method, that of its longest step first.
    fn ends(&self, sheet: u64, method: &str) -> impl Iterator<Item = &EndRow> {
        self.ends.iter().filter(move |row| row.set == sheet).map(|row| &row.row).filter(move |row| row.method == method)
    }

    /// Sheets that two methods both finish, each with its number.
    fn pairs(&self, [one, other]: [&str; 2]) -> Vec<(u64, [Timed; 2])> {
        let number = |row: &Row<TimeRow>| row.set / METHODS.len() as u64;
        let each = self.rows.chunk_by(|a, b| number(a) == number(b)).filter_map(|rows| {
            let sheet = number(rows.first()?);
            let named = |name: &str| {
                let row = rows.iter().find(|row| row.row.method == name)?;
                let is_stable = self.ends(sheet, name).next()?.status == Status::Finished;
                is_stable.then_some((row.row.clone(), *self.medians.get(&row.set)?))
            };
            Some((sheet, [named(one)?, named(other)?]))
        });
        each.collect()
    }

    /// Time of backward Euler over that of an explicit scheme at the same error \[-\], of each sheet from below and from above:
    /// steps are as short as they have to be, and each takes as much less time than the timed ones as it has fewer iterations, or
    /// as long as they do.
    fn at_equal_error(&self, explicit: &str) -> Vec<[f64; 2]> {
        let of = |(sheet, [(_, seconds), (once, others)]): &(u64, [Timed; 2])| {
            let error = self.ends(*sheet, explicit).next()?.error?;
            let ends: Vec<(f64, f64, f64)> = self
                .ends(*sheet, ONCE)
                .filter_map(|end| Some((end.step, end.error?, end.iterations as f64 / end.steps as f64)))
                .collect();
            let (step, iterations) = step_at(&ends, error)?;
            let share = iterations / (once.iterations as f64 / once.steps as f64);
            let above = others / seconds * once.step / step;
            Some([above * share.min(1.0), above])
        };
        self.pairs([explicit, ONCE]).iter().filter_map(of).collect()
    }

    /// Medians of both bounds at equal errors.
    fn bounds_at_equal_error(&self, explicit: &str) -> Option<[Estimate; 2]> {
        let ratios = self.at_equal_error(explicit);
        let bound = |k: usize| Estimate::median(&ratios.iter().map(|ratio| ratio[k]).collect::<Vec<f64>>());
        Some([bound(0)?, bound(1)?])
    }
}

/// The step at which a scheme has an error, between (step, error, iterations a step) of falling steps, on a straight line between
/// logarithms, and the iterations of the next shorter one; the longest step where that has less error, the shortest where all
/// have more.
fn step_at(ends: &[(f64, f64, f64)], error: f64) -> Option<(f64, f64)> {
    let Some(k) = ends.iter().position(|end| end.1 <= error) else { return ends.last().map(|end| (end.0, end.2)) };
    let [from, to] = [ends[k.saturating_sub(1)], ends[k]];
    let share = if k == 0 || to.1 <= 0.0 { 1.0 } else { libm::log(error / from.1) / libm::log(to.1 / from.1) };
    Some((from.0 * libm::pow(to.0 / from.0, share), to.2))
}

fn none() -> ResultsError {
    too_few("no sheet is finished by both methods")
}

fn words(estimate: &Estimate) -> String {
    format!("{} over {} sheets", estimate, estimate.cases)
}

/// S-BE-WORTH.
pub fn worth(results: &Results) -> Result<Finding, ResultsError> {
    let timings = Timings::of(results)?;
    let ratios = |explicit: &str, each: bool, stiff: Option<bool>| {
        let of = |(_, [(one, seconds), (other, others)]): &(u64, [Timed; 2])| {
            let kept = stiff.is_none_or(|stiff| (one.stiffness > MIDDLE) == stiff);
            let steps = if each { one.steps as f64 / other.steps as f64 } else { 1.0 };
            kept.then_some(others / seconds * steps)
        };
        Estimate::median(&timings.pairs([explicit, ONCE]).iter().filter_map(of).collect::<Vec<f64>>())
    };
    let judged = |step: &Estimate, whole: &Estimate| {
        let dearer = step.lies_above(1.0);
        verdict(dearer.and(whole.lies_below(1.0)), dearer.and(whole.lies_below(2.0)))
    };
    let both = |explicit: &str, stiff: Option<bool>| ratios(explicit, true, stiff).zip(ratios(explicit, false, stiff));
    let (step, whole) = both(EXPLICIT, None).ok_or_else(none)?;
    let others = [
        ("against FB Euler", both(SYMPLECTIC, None)),
        ("stretch stiffness above 1000 N/m", both(EXPLICIT, Some(true))),
        ("stretch stiffness up to 1000 N/m", both(EXPLICIT, Some(false))),
        ("against FB Euler, stretch stiffness above 1000 N/m", both(SYMPLECTIC, Some(true))),
    ];
    let measured = |(step, whole): &(Estimate, Estimate)| format!("a step {}, simulated time {}", words(step), words(whole));
    let drawn = timings.drawn();
    let mut readings = readings(others, measured, |(step, whole)| judged(step, whole));
    let ends = |bounds: &[Estimate; 2]| bounds.each_ref().map(|end| end.to_string()).join(" to ");
    let matched = timings.bounds_at_equal_error(EXPLICIT).ok_or_else(none)?;
    for explicit in [EXPLICIT, SYMPLECTIC] {
        readings.extend(timings.bounds_at_equal_error(explicit).map(|bounds| {
            let measured = format!("simulated time {} over {} sheets", ends(&bounds), bounds[0].cases);
            Reading::new(format!("at the error that {explicit} has at the end"), measured, between(&bounds))
        }));
    }
    let ends = ends(&matched);
    let measured = format!(
        "a step takes {step} times as long, a second of simulation {whole} times, in the median; at matched accuracy {ends}"
    );
    let lost = left_out(timings.ends.iter().map(|row| row.row.status));
    let reason = format!(
        "times of this machine, methods in turn; sheets are left out that one of the two did not finish, by all methods and \
         steps {lost}; the number is of steps that are stable, not of results that are as accurate: at matched accuracy, of which \
         two bounds are given, nothing is gained for sure; cloth on which both bounds lie below 1 would overturn it"
    );
    Ok(Finding::new(judge_worth(judged(&step, &whole), between(&matched)), measured, reason)
        .rests_on(&whole)
        .left_out(drawn - whole.cases)
        .readings(readings))
}

/// The verdict from that on stable steps and that at matched accuracy: without the latter it is a direction.
fn judge_worth(stable: Verdict, matched: Verdict) -> Verdict {
    match (stable, matched) {
        (Verdict::Reproduced, Verdict::Reproduced) => Verdict::Reproduced,
        (Verdict::Reproduced, _) => Verdict::DirectionOnly,
        (other, _) => other,
    }
}

/// Whether simulated time takes less, from bounds of its ratio: the lower one refuses, the upper one agrees.
fn between([low, high]: &[Estimate; 2]) -> Verdict {
    let below = |bound: f64| match (low.lies_below(bound), high.lies_below(bound)) {
        (Answer::No, _) => Answer::No,
        (_, Answer::Yes) => Answer::Yes,
        _ => Answer::Open,
    };
    verdict(below(1.0), below(2.0))
}

/// Stiffness that divides soft cloth from stiff \[N/m\].
const MIDDLE: f64 = 1000.0;

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Times(ranges.times.clone())).judge_of_times("S-BE-WORTH", worth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_at_an_error_lie_on_lines_between_logarithms() {
        let ends = [(1.0, 0.1, 30.0), (0.25, 0.025, 10.0), (0.0625, 0.0025, 5.0)];
        assert_eq!(step_at(&ends, 0.2), Some((1.0, 30.0)), "the longest step is as accurate");
        let (step, iterations) = step_at(&ends, 0.05).unwrap();
        assert!((step - 0.5).abs() < 1e-12 && iterations == 10.0, "{step}");
        assert_eq!(step_at(&ends, 1e-4), Some((0.0625, 5.0)), "no step is");
        assert_eq!(step_at(&[], 1.0), None);
    }

    #[test]
    fn bounds_decide_from_their_sides() {
        let at = |value: f64| Estimate::exact(value, 24);
        assert_eq!(between(&[at(0.2), at(0.5)]), Verdict::Reproduced);
        assert_eq!(between(&[at(0.5), at(1.5)]), Verdict::Open);
        assert_eq!(between(&[at(3.0), at(9.0)]), Verdict::NotReproduced);
    }
}
