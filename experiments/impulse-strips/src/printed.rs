//! Where directions of the start of the step, as printed, carry a sheet to its end.

use kit::prelude::*;

use super::scene::{Hanging, Pins, Pushes, RunRow, STEP, Size, Tolerance, Way};
use super::verdicts::{per_cent, word};

ranges!(PrintedRanges {
    //! The grid of settings.
    /// Particles a side.
    sides: List<Side>,
    /// Sides of the sheet \[m\].
    lengths: List<Positive>,
    /// Angles of the arc that it starts as \[rad\]: its slack.
    arcs: List<NonNegative>,
    /// What is held.
    pins: List<Pins>,
    /// Time steps.
    rates: List<Rate>,
    /// Permissible strain.
    tolerance: Tolerance,
    /// Most iterations a step.
    iterations: Count,
});

ranges!(Rate {
    //! A time step, and how many of them.
    #![derive(Copy)]
    /// Steps a second.
    rate: Count,
    steps: Count,
});

row! {
    /// How far a sheet came.
    pub struct PrintedRow {
        /// particles a side
        pub side: usize,
        /// side of the sheet \[m\]
        pub length: f64,
        /// angle of the arc that the sheet starts as; flat if zero \[rad\]
        pub arc: f64,
        /// held corners: two of a row, two opposite ones, or one
        pub pins: String,
        /// steps a second
        pub rate: u32,
        /// permissible abs(strain)
        pub tolerance: f64,
        /// free fall of a step from rest, over the length of an edge
        pub fall: f64,
        /// finished with every step within the tolerance, or with some at the iteration limit; lost: gains energy or not finite
        pub status: Status,
        /// why it is lost, and how the strips ended in its last step
        pub reason: Option<String>,
        /// steps until the end, or until it is lost
        pub steps: u32,
        /// steps until the end
        pub of: u32,
        /// iterations a step, mean
        pub iterations: f64,
        /// largest energy of all steps above that of the start, in falls by the side; empty where not finite
        pub gain: Option<f64>,
    }
}

impl PrintedRow {
    /// Whether it came to its end, every step within the tolerance.
    pub fn is_finished(&self) -> bool {
        self.status == Status::Finished
    }
}

/// Hanging sheets by directions of the start of the step.
#[derive(Clone)]
pub struct Printed(pub PrintedRanges);

impl Printed {
    fn all(&self) -> Vec<(Hanging, u32)> {
        let ranges = &self.0;
        let usual = |side: Side, steps: Count| Hanging::usual(Size { side, steps }, ranges.tolerance, ranges.iterations);
        let mut all = vec![];
        for side in ranges.sides.values() {
            for Rate { rate, steps } in ranges.rates.values() {
                let way = Way::Strips(Directions::Frozen);
                let run = Hanging { way, step: 1.0 / f64::from(rate.get()), ..usual(*side, *steps) };
                for length in ranges.lengths.values() {
                    for pins in ranges.pins.values() {
                        for arc in ranges.arcs.values() {
                            all.push((Hanging { length: length.get(), pins: *pins, arc: arc.get(), ..run }, rate.get()));
                        }
                    }
                }
            }
        }
        all
    }
}

impl Group for Printed {
    const NAME: &'static str = "printed";
    const ABOUT: &'static str = "hanging sheets by directions as printed: start, pins, side and step";
    const SAMPLED: bool = false;
    type Case = (Hanging, u32, Pushes);
    type Row = PrintedRow;

    fn sets(&self) -> u64 {
        self.all().len() as u64
    }

    fn scene(&self, set: u64) -> u64 {
        self.all()[set as usize].0.size.side.get().into()
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Self::Case {
        let (run, rate) = self.all()[set as usize];
        (run, rate, Pushes::draw(stream))
    }

    fn kin(&self, case: &Self::Case) -> u64 {
        case.0.weight()
    }

    fn measure(&self, (run, rate, pushes): &Self::Case) -> Vec<PrintedRow> {
        let row = run.run(Some(pushes), |_, _| ());
        let RunRow { side, length, arc, pins, step, tolerance, status, reason, steps, iterations, gain, .. } = row;
        let fall = 0.5 * GRAVITY * step * step / (length / (side - 1) as f64);
        let of = run.size.steps.get();
        let rate = *rate;
        let row = PrintedRow { side, length, arc, pins, rate, tolerance, fall, status, reason, steps, of, iterations, gain };
        vec![row]
    }
}

/// How many runs of the map of printed directions come to their end on its largest grid, by step.
pub fn of_map(runs: &[PrintedRow]) -> String {
    let Some(side) = runs.iter().map(|row| row.side).max() else { return "no other setting was run".into() };
    let of = |rate: u32| runs.iter().filter(move |row| row.side == side && row.rate == rate);
    let finished = |rate: u32| of(rate).filter(|row| row.is_finished()).count();
    let rates: Vec<u32> = distinct(runs.iter().filter(|row| row.side == side).map(|row| row.rate));
    let counts: Vec<String> =
        rates.iter().map(|rate| format!("{} of {} runs with steps of 1/{rate} s", finished(*rate), of(*rate).count())).collect();
    let tolerance = runs.first().map_or(0.0, |row| row.tolerance);
    let paper = (1.0 / STEP).round() as u32;
    let rest = if finished(paper) == 0 {
        format!("A side, a start or pins with which one does at 1/{paper} s would make it reproduced as printed")
    } else {
        format!("Those at 1/{paper} s are of other sides, starts or pins than the sheet that is judged")
    };
    let (tolerance, counts) = (per_cent(tolerance), counts.join(", "));
    format!("over all sides, starts and pins of the map, sheets of {side} x {side} at {tolerance} do in {counts}. {rest}")
}

/// Where directions as printed carry a sheet to its end.
pub fn printed_map(runs: &[PrintedRow]) -> Vec<Reading> {
    let kinds: Vec<(usize, u32)> = distinct(runs.iter().map(|row| (row.side, row.rate)));
    let mut readings = vec![];
    for (side, rate) in kinds {
        let of: Vec<&PrintedRow> = runs.iter().filter(|row| row.side == side && row.rate == rate).collect();
        let finished = of.iter().filter(|row| row.is_finished()).count();
        let mut lengths: Vec<f64> = of.iter().map(|row| row.length).collect();
        lengths.dedup();
        let by_length = lengths.iter().map(|length| {
            let here = || of.iter().filter(|row| row.length == *length);
            format!("{} of {} at {} m", here().filter(|row| row.is_finished()).count(), here().count(), short(*length))
        });
        let by_length: Vec<String> = by_length.collect();
        let name = format!("as printed, {side} x {side}, 1/{rate} s, by start and pins: runs that come to their end");
        readings.push(Reading::new(name, format!("{finished} of {}: {}", of.len(), by_length.join(", ")), None));
    }
    let falls = |finished: bool| runs.iter().filter(move |row| row.is_finished() == finished).map(|row| row.fall);
    let all_below = falls(false).fold(f64::INFINITY, f64::min);
    let none_above = falls(true).fold(0.0, f64::max);
    let (shortest, longest) = (word(Some(all_below).filter(|fall| fall.is_finite())), short(none_above));
    let measured = format!("the shortest at which a run fails {shortest}, the longest at which one came to its end {longest}");
    readings.push(Reading::new("as printed, free fall of a step over the length of an edge", measured, None));
    readings
}

/// How far sheets come with directions as printed.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let runs = results.without_sets::<Printed>()?;
    let sides: Vec<usize> = distinct(runs.iter().map(|row| row.side));
    let panel = |side: usize| {
        let mut layers = vec![];
        for (k, pins) in [Pins::Row, Pins::Opposite, Pins::One].into_iter().enumerate() {
            let of = runs.iter().filter(|row| row.side == side && row.pins == pins.label());
            // apart by pins, so that points do not hide each other
            let place = |row: &PrintedRow| [row.fall * (0.9 + 0.1 * k as f64), f64::from(row.steps) / f64::from(row.of)];
            layers.push(Layer::points(pins.label(), Palette::series(k), of.map(place).collect()));
        }
        let axis = Axis::log("free fall of a step / length of an edge");
        Panel::new(axis, Axis::linear("share of the steps until one fails"), layers)
            .titled(format!("{side} x {side}"))
            .legend_outside()
    };
    let caption = "Directions of the start of the step, one factorisation a part and step; by side, step, slack, and \
                   what is held. At 1 every step was done; at 0 the first one failed.";
    Ok(Figure::new("printed", "Where the method as printed carries a sheet", caption, sides.into_iter().map(panel).collect()))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Printed(ranges.printed.clone())).plot("printed", chart)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_is_counted_by_step_on_its_largest_grid() {
        let row = |side: usize, rate: u32, status: Status| PrintedRow {
            side,
            length: 1.0,
            pins: "one".into(),
            rate,
            tolerance: 0.01,
            fall: 0.1,
            status,
            steps: 1,
            of: 1,
            iterations: 1.0,
            ..PrintedRow::default()
        };
        let mut runs = vec![
            row(10, 30, Status::Finished),
            row(41, 30, Status::NotFinite),
            row(41, 480, Status::Finished),
            row(41, 480, Status::NotFinite),
        ];
        let words = of_map(&runs);
        let counts = "41 x 41 at 1 % do in 0 of 1 runs with steps of 1/30 s, 1 of 2 runs with steps of 1/480 s. A side";
        assert!(words.contains(counts), "{words}");
        runs.push(row(41, 30, Status::Finished));
        assert!(of_map(&runs).contains("1 of 2 runs with steps of 1/30 s") && of_map(&runs).ends_with("that is judged"));
    }
}
