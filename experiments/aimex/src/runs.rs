//! The random sheets by AIMEX and fully implicit, side by side: how far apart they get, and what each costs.

use kit::prelude::*;
use kit::sheets::SheetRow;

use super::assumptions::{Assumption, FRICTIONS, LAWS, USUAL};
use super::charts;

ranges!(RunRanges {
    //! Lists that sets are drawn from, and how they are run.
    sets: Count,
    /// Sets that are run under other readings of the tolerance and of bending too: the first ones.
    laws: Count,
    /// Sets that are run with other friction too: the first ones, of the others at most all.
    frictions: Count,
    /// Sets of each splitting that are drawn from other seeds.
    seeds: Count,
    /// What they are drawn from.
    lists: Lists,
    /// Simulated time \[s\].
    duration: Positive,
    /// kappa up to which a spring is explicit \[-\].
    threshold: Positive,
});

row! {
    /// A set, and what came of its two runs.
    pub struct RunRow {
        /// what the runs assume
        pub reading: String,
        /// corners (two are pinned), table or sphere (it falls onto it)
        pub configuration: Configuration,
        /// the sheet at its step
        pub sheet: SheetRow,
        /// finished, AIMEX unstable, implicit unstable, both unstable, or refused
        pub status: Status,
        /// what went wrong, in the linear systems too
        pub reason: Option<String>,
        /// largest difference of a coordinate between the two runs, over h
        pub difference: Option<f64>,
        /// when it occurred \[s\]
        pub differs_at: Option<f64>,
        /// iterations of conjugate gradients, AIMEX
        pub aimex_iterations: u64,
        /// iterations of conjugate gradients, fully implicit
        pub implicit_iterations: u64,
        /// most iterations in one step, AIMEX
        pub aimex_most: u64,
        /// largest energy gain in the last tenth over a fall by the sheet's length, AIMEX
        pub aimex_gain: f64,
        /// the same, fully implicit
        pub implicit_gain: f64,
        /// largest |x|/L of the implicit run at its end
        pub stretch: Option<f64>,
        /// particle steps of both runs in which cloth passed the solid
        pub passed: u64,
    }
}

impl RunRow {
    /// A set before it is run.
    fn new(sheet: &Sheet, threshold: f64, reading: &str) -> RunRow {
        RunRow {
            reading: reading.into(),
            configuration: sheet.configuration,
            sheet: sheet.row(threshold),
            status: Status::Finished,
            ..RunRow::default()
        }
    }

    /// Whether both runs came to their end in a stable way.
    pub fn is_finished(&self) -> bool {
        self.status == Status::Finished
    }

    /// CG iterations of AIMEX over those of the implicit scheme, where both came to their end.
    pub fn iteration_ratio(&self) -> Option<f64> {
        let measured = self.is_finished() && self.implicit_iterations > 0;
        measured.then(|| self.aimex_iterations as f64 / self.implicit_iterations as f64)
    }
}

/// Runs a sheet by both schemes, step by step side by side, or by one where they are the same.
pub fn side_by_side(sheet: &Sheet, ranges: &RunRanges, assumption: &Assumption) -> RunRow {
    let threshold = ranges.threshold.get();
    let row = RunRow::new(sheet, threshold, assumption.name);
    match assumption.pair(sheet, threshold) {
        Ok([aimex, implicit]) => {
            let aimex = (!assumption.is_implicit(sheet, threshold)).then_some(aimex);
            compare(aimex, implicit, sheet, ranges.duration.get(), row)
        }
        Err(invalid) => RunRow { status: Status::Refused, reason: Some(invalid.to_string()), ..row },
    }
}

/// Runs both for a duration \[s\], and fills in their row; without AIMEX the implicit run stands for both.
fn compare(mut aimex: Option<Run>, mut implicit: Run, sheet: &Sheet, duration: f64, row: RunRow) -> RunRow {
    let mut courses = [RunWatch::of(&implicit, sheet.step, duration); 2];
    let (mut difference, mut differs_at) = (0.0, 0.0);
    // where one is lost, the other one goes on alone
    while courses.iter().any(RunWatch::goes_on) {
        let both = courses.iter().all(RunWatch::goes_on);
        if courses[1].goes_on() {
            implicit.step(sheet.step);
            courses[1].watch(&implicit.cloth, &implicit.state);
        }
        match &mut aimex {
            Some(aimex) if courses[0].goes_on() => {
                aimex.step(sheet.step);
                courses[0].watch(&aimex.cloth, &aimex.state);
            }
            Some(_) => {}
            None => courses[0] = courses[1],
        }
        let now = aimex.as_ref().filter(|_| both).map_or(0.0, |aimex| largest_difference(&aimex.state, &implicit.state));
        if now > difference {
            (difference, differs_at) = (now, implicit.steps as f64 * sheet.step);
        }
    }
    let aimex = aimex.as_ref().unwrap_or(&implicit);
    let statuses = courses.map(|course| course.status());
    let status = match statuses.map(|status| status == Status::Finished) {
        [true, true] => Status::Finished,
        [false, true] => Status::AimexUnstable,
        [true, false] => Status::ImplicitUnstable,
        [false, false] => Status::BothUnstable,
    };
    let reasons = [("AIMEX", aimex), ("implicit", &implicit)].into_iter().zip(courses);
    let reasons = reasons
        .flat_map(|((name, run), course)| [course.reason(), run.trouble()].map(|why| why.map(|why| format!("{name}: {why}"))));
    let reasons: Vec<String> = reasons.flatten().collect();
    let relative = difference / sheet.spacing;
    let measured = !statuses.contains(&Status::NotFinite) && relative.is_finite();
    RunRow {
        status,
        reason: (!reasons.is_empty()).then(|| reasons.join("; ")),
        difference: measured.then_some(relative),
        differs_at: measured.then_some(differs_at),
        aimex_iterations: aimex.work().iterations,
        implicit_iterations: implicit.work().iterations,
        aimex_most: aimex.most_iterations(),
        aimex_gain: courses[0].gain(),
        implicit_gain: courses[1].gain(),
        stretch: Some(implicit.cloth.largest_stretch(&implicit.state.x)).filter(|stretch| stretch.is_finite()),
        passed: aimex.passed() + implicit.passed(),
        ..row
    }
}

/// The main group: every set by both schemes.
pub struct Runs(pub RunRanges);

impl Group for Runs {
    const NAME: &'static str = "runs";
    const ABOUT: &'static str = "random sheets by AIMEX and fully implicit, side by side";
    type Case = Sheet;
    type Row = RunRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Sheet {
        Sheet::draw(&self.0.lists, stream)
    }

    fn kin(&self, case: &Sheet) -> u64 {
        case.weight()
    }

    fn measure(&self, sheet: &Sheet) -> Vec<RunRow> {
        vec![side_by_side(sheet, &self.0, &USUAL)]
    }
}

/// Particle steps a second beyond which a set is in the main group alone: those of 40 x 40 particles at steps of 0.1 ms, one set in
/// fifteen, take three quarters of the time of all.
const HEAVY: u64 = 10_000_000;

/// A sheet, and whether it is run with other friction too.
#[derive(Clone, Copy, Debug)]
pub struct Read {
    sheet: Sheet,
    frictions: bool,
}

/// The first sets again, under each other assumption.
pub struct Readings(pub RunRanges);

impl Group for Readings {
    const NAME: &'static str = "readings";
    const ABOUT: &'static str = "the first sets of the main group under other readings of the tolerance and of bending, the first of these with other friction, on solids only; without sets of more than ten million particle steps a second";
    const SCENES: &'static str = Runs::NAME;
    type Case = Read;
    type Row = RunRow;

    fn sets(&self) -> u64 {
        self.0.laws.get().into()
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Read {
        Read { sheet: Sheet::draw(&self.0.lists, stream), frictions: set < u64::from(self.0.frictions.get()) }
    }

    fn kin(&self, case: &Read) -> u64 {
        case.sheet.weight()
    }

    fn parts(&self, read: &Read) -> usize {
        read.readings().count()
    }

    fn measure_part(&self, read: &Read, part: usize) -> Vec<RunRow> {
        read.readings().nth(part).map(|reading| side_by_side(&read.sheet, &self.0, reading)).into_iter().collect()
    }
}

impl Read {
    /// The readings that it is run under.
    fn readings(&self) -> impl Iterator<Item = &'static Assumption> {
        let Read { sheet, frictions } = self;
        let laws = LAWS.iter().filter(|_| sheet.weight() <= HEAVY);
        laws.chain(FRICTIONS.iter().filter(|reading| *frictions && sheet.weight() <= HEAVY && !reading.is_idle(sheet)))
    }
}

/// As many sheets of each splitting, from other seeds than those of the main group.
pub struct Seeds(pub RunRanges);

/// Draws until a sheet has the wanted splitting.
const MOST_DRAWS: u32 = 100_000;

/// A sheet of a splitting; the last one that was drawn where none has it.
pub fn draw_split(lists: &Lists, threshold: f64, wanted: Treatment, stream: &mut ChaCha8Rng) -> Sheet {
    let mut sheet = Sheet::draw(lists, stream);
    for _ in 0..MOST_DRAWS {
        if sheet.treatment(sheet.step, threshold) == wanted {
            break;
        }
        sheet = Sheet::draw(lists, stream);
    }
    sheet
}

impl Group for Seeds {
    const NAME: &'static str = "seeds";
    const ABOUT: &'static str = "sheets of each splitting in turn, from other seeds than those of the main group";
    type Case = Sheet;
    type Row = RunRow;

    fn sets(&self) -> u64 {
        Treatment::ALL.len() as u64 * u64::from(self.0.seeds.get())
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Sheet {
        let wanted = Treatment::ALL[(set % Treatment::ALL.len() as u64) as usize];
        draw_split(&self.0.lists, self.0.threshold.get(), wanted, stream)
    }

    fn kin(&self, case: &Sheet) -> u64 {
        case.weight()
    }

    fn measure(&self, sheet: &Sheet) -> Vec<RunRow> {
        vec![side_by_side(sheet, &self.0, &USUAL)]
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let threshold = ranges.runs.threshold.get();
    Topic::of(Runs(ranges.runs.clone()))
        .table(Readings(ranges.runs.clone()))
        .table(Seeds(ranges.runs.clone()))
        .plot("difference", charts::difference)
        .plot("table-4-1", move |results| charts::table(results, threshold))
        .plot("readings", charts::readings)
        .plot("tolerance", charts::tolerance)
        .places(&[("difference", -2), ("table-4-1", -2), ("readings", 1), ("tolerance", 1)])
        .checked(check_list("runs.duration", ranges.runs.duration, &ranges.runs.lists.step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_implicit_run_stands_for_both_schemes_where_no_spring_is_explicit() {
        let elastic = Elastic { stiffness: 1000.0, damping: 0.01 };
        let bend_implicit = Assumption { bend: true, ..USUAL };
        for configuration in [Configuration::Corners, Configuration::Table, Configuration::Sphere] {
            let sheet = Sheet {
                configuration,
                side: 8,
                spacing: 0.1,
                density: 0.3,
                stretch: elastic,
                shear: elastic,
                bend: 0.01,
                air: 0.0,
                step: 0.01,
            };
            let row = |assumption: &Assumption, alone: bool| {
                let [aimex, implicit] = assumption.pair(&sheet, 0.2).expect("a sheet");
                compare((!alone).then_some(aimex), implicit, &sheet, 0.3, RunRow::new(&sheet, 0.2, assumption.name))
            };
            assert!(bend_implicit.is_implicit(&sheet, 0.2) && !USUAL.is_implicit(&sheet, 0.2));
            assert_eq!(row(&bend_implicit, true), row(&bend_implicit, false));
            assert_ne!(row(&USUAL, true), row(&USUAL, false));
            let soft = Sheet { shear: Elastic { stiffness: 1.0, damping: 0.0 }, ..sheet };
            assert!(!bend_implicit.is_implicit(&soft, 0.2));
        }
    }

    #[test]
    fn the_implicit_run_goes_on_alone_where_aimex_is_lost() {
        let elastic = Elastic { stiffness: 1000.0, damping: 0.01 };
        let sheet = Sheet {
            configuration: Configuration::Corners,
            side: 8,
            spacing: 0.01,
            density: 0.03,
            stretch: elastic,
            shear: elastic,
            bend: 10.0, // explicit beyond all bounds
            air: 0.0,
            step: 0.01,
        };
        let [aimex, implicit] = USUAL.pair(&sheet, 0.2).expect("a sheet");
        let row = compare(Some(aimex), implicit, &sheet, 0.5, RunRow::new(&sheet, 0.2, USUAL.name));
        assert_eq!(row.status, Status::AimexUnstable, "{row:?}");
        let mut implicit = USUAL.run(&sheet, 0.2, false).expect("a sheet");
        for _ in 0..50 {
            implicit.step(sheet.step);
        }
        assert_eq!(row.implicit_iterations, implicit.work().iterations);
    }
}
