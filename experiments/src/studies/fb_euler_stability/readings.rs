//! The sheets of the main group under other thresholds and assumptions.

use cloth::DampingForm;
use cloth::lanes::Trial;
use lab::streams::ChaCha8Rng;
use lab::{Column, Group};
use serde::{Deserialize, Serialize};

use super::fringe::Pace;
use super::search::{COARSE, Search};
use super::sheets::{Case, Sheets};

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

/// A set's critical step under one reading.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub struct ReadingRow {
    pub reading: String,
    pub status: String,
    pub reason: Option<String>,
    pub critical_step: Option<f64>,
    pub critical_kappa: Option<f64>,
    pub smallest_unstable: Option<f64>,
    pub largest_stable: Option<f64>,
    pub bounded: Option<bool>,
    pub stretch: Option<f64>,
}

impl Group for Readings {
    const NAME: &'static str = "readings";
    const ABOUT: &'static str = "the same sheets under other thresholds and assumptions";
    const COLUMNS: &'static [Column] = &[
        Column::text("reading", "what differs from the main group"),
        Column::text("status", "measured, skipped, stable throughout or unstable throughout"),
        Column::text("reason", "why there is no critical step"),
        Column::number("critical_step", "s", "largest stable step, to the resolution of the search"),
        Column::number("critical_kappa", "-", "dt/m (ks dt + 2 kd) of the stiffer family at the critical step"),
        COARSE[0],
        COARSE[1],
        COARSE[2],
        Column::number("stretch", "-", "largest |x|/L of any spring in the last stable run"),
    ];
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
                let search = found[reading_index * cases.len() + k].take();
                let (status, reason, critical_step) = search.as_ref().map_or(("skipped", case.skipped(), None), Search::status);
                let bounds = search.as_ref().and_then(Search::bounds);
                ReadingRow {
                    reading: reading.name.into(),
                    status: status.into(),
                    reason: reason.map(Into::into),
                    critical_step,
                    critical_kappa: critical_step.map(|dt| case.kappa(dt)),
                    smallest_unstable: bounds.and_then(|bounds| bounds.smallest_unstable),
                    largest_stable: bounds.and_then(|bounds| bounds.largest_stable),
                    bounded: bounds.map(|bounds| bounds.is_bounded),
                    stretch: search.and_then(|search| search.stretch),
                }
            });
            done(k, rows.collect());
        }
    }
}
