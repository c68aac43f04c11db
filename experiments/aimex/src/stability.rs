//! Whether AIMEX stays stable while springs switch between explicit and implicit.

use cloth::stability::step_at_stiffness;
use kit::prelude::*;

use super::assumptions::{Assumption, LAWS, USUAL};

ranges!(StabilityRanges {
    //! Lists that sets are drawn from, and how their steps vary.
    sets: Count,
    /// Sets that are run under other readings of the tolerance and of bending too: the first ones.
    laws: Count,
    /// What they are drawn from; the step is not.
    lists: Lists,
    /// Smallest and largest step \[s\]: a set that needs others to have both families explicit at one end and implicit at the
    /// other is drawn again.
    steps: Ends,
    /// How far beyond the thresholds of the families the two ends lie \[-\], > 1.
    margin: Positive,
    /// Steps of a whole swing of the smooth schedule.
    period: Count,
    /// kappa up to which a spring is explicit \[-\].
    threshold: Positive,
    /// Simulated time \[s\].
    duration: Positive,
});

words! {
    /// How the step varies \[Boxerman 2003, 4.4.3\].
    pub enum Schedule {
        /// Smallest and largest in turn.
        Alternating = "alternating",
        /// Between both and back, evenly in the logarithm.
        Smooth = "smooth",
    }
}

impl Schedule {
    /// Length \[s\] of a step, counted from 0; the first is the largest.
    pub fn step(self, number: u64, [smallest, largest]: [f64; 2], period: u64) -> f64 {
        match self {
            Schedule::Alternating => [largest, smallest][(number % 2) as usize],
            Schedule::Smooth => {
                let turn = std::f64::consts::TAU * (number % period) as f64 / period as f64;
                let share = 0.5 + 0.5 * libm::cos(turn);
                smallest * libm::pow(largest / smallest, share)
            }
        }
    }
}

/// A sheet and the ends between which its step varies.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    sheet: Sheet,
    ends: [f64; 2],
}

/// Sheets whose step varies across the thresholds of both families.
pub struct Stability(pub StabilityRanges);

row! {
    /// What came of a sheet under one schedule.
    pub struct StabilityRow {
        /// what the runs assume
        pub reading: String,
        /// alternating between the smallest and the largest step, or smooth
        pub schedule: Schedule,
        /// AIMEX as in the thesis, AIMEX with implicit bending, or fully implicit
        pub scheme: String,
        /// corners (two are pinned), table or sphere (it falls onto it)
        pub configuration: Configuration,
        /// n, particles a side
        pub side: usize,
        /// h, mesh spacing \[m\]
        pub spacing: f64,
        /// what it is made of
        pub makeup: Makeup,
        /// step at which both families are explicit \[s\]
        pub smallest_step: f64,
        /// step at which both families are implicit \[s\]
        pub largest_step: f64,
        /// 32.1 kb dt²/m at the largest step
        pub bending_number: f64,
        /// steps taken
        pub steps: u64,
        /// steps treated in another way than the one before
        pub switches: u64,
        /// stable, gains energy, not finite or refused
        pub status: Status,
        /// what went wrong, in the linear systems too
        pub reason: Option<String>,
        /// largest energy gain in the last tenth over a fall by the sheet's length
        pub energy_gain: f64,
        /// largest |x|/L at the end
        pub stretch: Option<f64>,
    }
}

/// AIMEX as in the thesis.
pub const AIMEX: &str = "AIMEX";
/// What is unstable here too is not for AIMEX to answer for.
pub const CONTROL: &str = "implicit";
/// The schemes, in the order of their rows.
const SCHEMES: [&str; 3] = [AIMEX, "AIMEX, bending implicit", CONTROL];

/// Draws until a sheet fits.
const MOST_DRAWS: u32 = 100_000;

impl StabilityRanges {
    /// Steps below and above which both families are explicit and implicit.
    fn ends(&self, sheet: &Sheet) -> [f64; 2] {
        let [stretch, shear] =
            [sheet.stretch, sheet.shear].map(|elastic| step_at_stiffness(self.threshold.get(), sheet.mass(), elastic));
        [stretch.min(shear) / self.margin.get(), stretch.max(shear) * self.margin.get()]
    }

    fn run(&self, case: &Case, schedule: Schedule, scheme: &str, assumption: &Assumption) -> StabilityRow {
        let Case { sheet, ends } = case;
        let row = StabilityRow {
            reading: assumption.name.into(),
            schedule,
            scheme: scheme.into(),
            configuration: sheet.configuration,
            side: sheet.side,
            spacing: sheet.spacing,
            makeup: sheet.makeup(),
            smallest_step: ends[0],
            largest_step: ends[1],
            bending_number: sheet.bending_number(ends[1]),
            status: Status::Stable,
            ..StabilityRow::default()
        };
        let splitting = match scheme {
            CONTROL => Splitting::Implicit,
            scheme => Splitting::Adaptive { threshold: self.threshold.get(), bend: scheme != AIMEX },
        };
        let mut run = match assumption.split(sheet, splitting) {
            Ok(run) => run,
            Err(invalid) => return StabilityRow { status: Status::Refused, reason: Some(invalid.to_string()), ..row },
        };
        let step = |number: u64| schedule.step(number, *ends, self.period.get().into());
        let mut course = RunWatch::new(&run.cloth, &run.state, self.steps_of(step));
        let mut switches = 0;
        let mut before = sheet.treatment(ends[1], self.threshold.get());
        while course.goes_on() {
            let dt = step(run.steps);
            let now = sheet.treatment(dt, self.threshold.get());
            switches += u64::from(now != before);
            before = now;
            run.step(dt);
            course.watch(&run.cloth, &run.state);
        }
        let reasons: Vec<String> = [course.reason(), run.trouble()].into_iter().flatten().collect();
        StabilityRow {
            steps: run.steps,
            switches,
            status: if course.status() == Status::Finished { Status::Stable } else { course.status() },
            reason: (!reasons.is_empty()).then(|| reasons.join("; ")),
            energy_gain: course.gain(),
            stretch: Some(System::largest_stretch(&run.cloth, &run.state.x)).filter(|stretch| stretch.is_finite()),
            ..row
        }
    }

    /// Steps of a schedule that the duration takes.
    fn steps_of(&self, step: impl Fn(u64) -> f64) -> u64 {
        let (mut time, mut steps) = (0.0, 0);
        while time < self.duration.get() {
            time += step(steps);
            steps += 1;
        }
        steps
    }

    /// The first draw whose step can stay within the limits; the last one where none does.
    fn draw(&self, stream: &mut ChaCha8Rng) -> Case {
        let [smallest, largest] = self.steps.get();
        let mut drawn = 0;
        loop {
            let sheet = Sheet::draw(&self.lists, stream);
            let ends = self.ends(&sheet);
            drawn += 1;
            if ends[0] >= smallest && ends[1] <= largest || drawn == MOST_DRAWS {
                return Case { sheet, ends: ends.map(|end| end.clamp(smallest, largest)) };
            }
        }
    }

    /// Both schedules by all schemes.
    fn runs(&self, case: &Case, assumption: &Assumption) -> impl Iterator<Item = StabilityRow> {
        let runs = Schedule::ALL.into_iter().flat_map(|schedule| SCHEMES.map(|scheme| (schedule, scheme)));
        runs.map(move |(schedule, scheme)| self.run(case, schedule, scheme, assumption))
    }
}

impl Group for Stability {
    const NAME: &'static str = "stability";
    const ABOUT: &'static str = "AIMEX under steps that alternate or vary smoothly, so that both families switch, with the fully implicit scheme as the control";
    type Case = Case;
    type Row = StabilityRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Case {
        self.0.draw(stream)
    }

    fn measure(&self, case: &Case) -> Vec<StabilityRow> {
        self.0.runs(case, &USUAL).collect()
    }
}

/// The first sets again, under each other reading.
pub struct StabilityReadings(pub StabilityRanges);

impl Group for StabilityReadings {
    const NAME: &'static str = "stability-readings";
    const ABOUT: &'static str = "the first sets whose springs switch, under other readings of the tolerance and of bending";
    const SCENES: &'static str = Stability::NAME;
    type Case = Case;
    type Row = StabilityRow;

    fn sets(&self) -> u64 {
        self.0.laws.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Case {
        self.0.draw(stream)
    }

    fn measure(&self, case: &Case) -> Vec<StabilityRow> {
        // bending that is implicit is a scheme here
        let laws = || LAWS.iter().filter(|reading| !reading.bend);
        laws().flat_map(|reading| self.0.runs(case, reading)).collect()
    }
}

/// Gains below this are drawn in the middle of a band below it \[falls by its length\].
const NO_GAIN: f64 = 1e-4;
const BELOW: f64 = 3e-5;
/// Sheets whose springs switch: energy gain against the bending number.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.without_sets::<Stability>()?;
    let panel = |scheme: &str| {
        let points = |stable: bool, schedule: Schedule| {
            let of = rows.iter().filter(|row| row.scheme == scheme && row.schedule == schedule);
            let of = of.filter(|row| (row.status == Status::Stable) == stable);
            let shown = |gain: f64| if gain < NO_GAIN { (NO_GAIN * BELOW).sqrt() } else { gain };
            of.map(|row| [row.bending_number, shown(row.energy_gain)]).collect::<Vec<_>>()
        };
        let layers = vec![
            Layer::band("less than 10⁻⁴, or no numbers", Palette::GREY, Direction::Horizontal, BELOW, NO_GAIN),
            Layer::rule("counted as unstable above", Palette::GREY, Direction::Horizontal, 1.0),
            Layer::points(
                "alternating steps",
                Palette::BLUE,
                [points(true, Schedule::Alternating), points(false, Schedule::Alternating)].concat(),
            ),
            Layer::points(
                "smooth steps",
                Palette::ORANGE,
                [points(true, Schedule::Smooth), points(false, Schedule::Smooth)].concat(),
            )
            .marker(Marker::OpenTriangle),
        ];
        let x = Axis::log("bending number at the largest step  32.1 kb dt²/m  [–]");
        Panel::new(x, Axis::log("energy gained at the end  [falls by its length]"), layers).titled(scheme).legend_outside()
    };
    let caption = "Each run by the largest energy that it has gained in its last tenth, in units of a fall by the sheet's own length; the \
                   fully implicit scheme is the control. Gains below 10⁻⁴ are drawn in the grey band; runs that left the finite numbers \
                   stand there too.";
    let panels = vec![panel("AIMEX"), panel("AIMEX, bending implicit"), panel("implicit")];
    Ok(Figure::new("stability", "AIMEX while both families switch between explicit and implicit", caption, panels).with_one_y())
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let StabilityRanges { duration, steps, .. } = &ranges.stability;
    Topic::of(Stability(ranges.stability.clone()))
        .table(StabilityReadings(ranges.stability.clone()))
        .plot("stability", chart)
        .checked(check_steps("stability.duration", duration.get(), steps.get()[0]))
}
