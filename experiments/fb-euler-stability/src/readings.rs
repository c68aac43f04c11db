//! The sheets of the main group under other thresholds and assumptions.

use cloth::lanes::Trial;
use kit::prelude::*;

use super::fringe::Pace;
use super::search::{Critical, Search};
use super::sheets::{Case, KAPPA, Sheets, kappas};

/// The sets of the main group, each under every reading.
pub struct Readings(pub Sheets);

/// What a reading changes.
struct Reading {
    name: &'static str,
    change: fn(&mut Trial),
}

const READINGS: [Reading; 9] = [
    Reading { name: "energy margin 0.01", change: |trial| trial.energy_margin = 0.01 },
    Reading { name: "energy margin 0.03", change: |trial| trial.energy_margin = 0.03 },
    Reading { name: "energy margin 0.3", change: |trial| trial.energy_margin = 0.3 },
    Reading { name: "energy margin 1", change: |trial| trial.energy_margin = 1.0 },
    Reading { name: "extension tolerance 0", change: |trial| trial.sheet.extension_tolerance = 0.0 },
    Reading { name: "extension tolerance 1e-9", change: |trial| trial.sheet.extension_tolerance = 1e-9 },
    Reading { name: "extension tolerance -1e-12", change: |trial| trial.sheet.extension_tolerance = -1e-12 },
    Reading { name: "plain damping", change: |trial| trial.sheet.damping = DampingForm::Plain },
    Reading { name: "masses by area", change: |trial| trial.sheet.mass_by_area = true },
];

row! {
    /// A set's critical step under one reading.
    pub struct ReadingRow {
        /// what differs from the main group
        pub reading: String,
        /// its critical step
        pub critical: Critical,
    }
}

impl Group for Readings {
    const NAME: &'static str = "readings";
    const ABOUT: &'static str = "the same sheets under other thresholds and assumptions";
    const SCENES: &'static str = Sheets::NAME;
    const BLOCK: usize = 20;
    type Case = Case;
    type Row = ReadingRow;

    fn sets(&self) -> u64 {
        self.0.sets()
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Case {
        self.0.case(set, stream)
    }

    fn kin(&self, case: &Case) -> u64 {
        self.0.kin(case)
    }

    fn measure(&self, case: &Case) -> Vec<ReadingRow> {
        self.measure_alone(case)
    }

    fn measure_block(&self, cases: &[Case], done: &mut dyn FnMut(usize, Vec<ReadingRow>)) {
        // reading by reading, since lanes with plain damping slow down the others
        let mut trials = vec![];
        for reading in &READINGS {
            for case in cases {
                let mut trial = self.0.trial(case);
                (reading.change)(&mut trial);
                trials.push(trial);
            }
        }
        let wanted = |index: usize| cases[index % cases.len()].skipped().is_none();
        let mut found: Vec<Option<Search>> = trials.iter().map(|_| None).collect();
        let wanted = trials.iter().copied().enumerate().filter(|(index, _)| wanted(*index));
        self.0.search(cases[0].side, wanted, Pace::Coarse, |search| {
            let index = search.index;
            found[index] = Some(search);
        });
        for (k, case) in cases.iter().enumerate() {
            let rows = READINGS.iter().enumerate().map(|(reading_index, reading)| {
                let search = found[reading_index * cases.len() + k].as_ref();
                ReadingRow { reading: reading.name.into(), critical: case.critical(search) }
            });
            done(k, rows.collect());
        }
    }
}

/// Critical kappa under each reading: median and the middle 98 %.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let main = kappas(&results.rows::<Sheets>()?);
    let readings = grouped(results.without_sets::<Readings>()?.into_iter().map(|row| (row.reading, row.critical.critical_kappa)));
    let readings = readings.into_iter().map(|(name, kappas)| (name, kappas.into_iter().flatten().collect::<Vec<f64>>()));
    let readings = std::iter::once(("as in the main group".to_owned(), main)).chain(readings);
    let (mut names, mut middles, mut ends) = (vec![], vec![], vec![]);
    for (name, sample) in readings {
        names.push(name);
        let x = names.len() as f64;
        if let [Some(least), Some(low), Some(middle), Some(high), Some(most)] =
            [0.0, 0.01, 0.5, 0.99, 1.0].map(|p| quantile(&sample, p))
        {
            middles.push([x, middle, low, high]);
            ends.extend([[x, least], [x, most]]);
        }
    }
    let layers = vec![
        Layer::rule("criterion of the thesis, κ = 1/2", Palette::VERMILLION, Direction::Horizontal, 0.5),
        Layer::error_bars("median and middle 98 %", Palette::BLUE, middles),
        Layer::points("extremes", Palette::BLUE, ends).marker(Marker::OpenCircle),
    ];
    let panel = Panel::new(Axis::categories("reading", names), Axis::log(KAPPA), layers);
    let caption = "Median and the middle 98 % of critical kappa under each reading; open circles are the extremes.";
    Ok(Figure::new("readings", "How the range moves with thresholds and assumptions", caption, vec![panel]))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let sheets = Sheets { ranges: ranges.sheets.clone() };
    Topic::of(Readings(sheets)).plot("readings", chart).places(&[("readings", 1)])
}
