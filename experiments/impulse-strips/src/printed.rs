//! Where directions of the start of the step, as printed, carry a sheet to its end.

use kit::prelude::*;

use super::scene::{Hanging, Pins, Pushes, RunRow, Size, Tolerance, Way};

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
