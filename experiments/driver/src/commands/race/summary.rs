//! What a race found, in words and as a table: for the terminal and for race.md.

use std::path::Path;

use kit::prelude::short;
use kit::text_table::TextTable;
use lab::TableRow;
use lab::finite;
use lab::judge::words::literal;
use race::ladder::SAMPLES;
use race::ranking::{Standing, Target, interval, ties};
use race::reference::{Candidate, Reference};
use race::rows::RaceRow;
use serde_json::{Value, json};

use crate::simulate::{given, percent};

/// What is told of a race.
pub struct Summary<'a> {
    /// Name of the scene file.
    pub scene: &'a str,
    pub particles: usize,
    /// Size of the cloth \[m\], and how long it moves \[s\].
    pub size: f64,
    pub duration: f64,
    pub runs: usize,
    pub target: Target,
    pub reference: Result<&'a Reference, &'a [Candidate]>,
    pub standings: &'a [Standing],
    /// What was decided for all contestants.
    pub notes: &'a [String],
}

impl Summary<'_> {
    /// Which scene, by how many.
    pub fn head(&self) -> String {
        let Summary { scene, particles, size, duration, runs, standings, .. } = self;
        let (size, duration) = (short(*size), given(*duration));
        format!("{scene}: {particles} particles, {size} m across, {duration} s, {} contestants, {runs} runs", standings.len())
    }

    /// What errors are measured against.
    pub fn reference(&self) -> String {
        let reference = match self.reference {
            Ok(reference) => reference,
            Err(candidates) => {
                let why = |candidate: &Candidate| {
                    let reason = candidate.reason.as_deref().unwrap_or("did not come to its end");
                    format!("{}: {reason}", candidate.name)
                };
                let why: Vec<String> = candidates.iter().map(why).collect();
                let is_dear = |candidate: &Candidate| candidate.reason.as_ref().is_some_and(|why| why.contains("--budget"));
                let remedy = match candidates.iter().any(is_dear) {
                    true => format!(" A shorter race costs less: --set duration={}.", short(0.25 * self.duration)),
                    false => String::new(),
                };
                return format!("There is no reference, so that nobody has an error: {}.{remedy}", why.join("; "));
            }
        };
        let Candidate { name, step, own, other, .. } = reference.candidate();
        let step = step.map_or_else(String::new, |step| format!(" in steps of {} s", short(step)));
        let own = own.map_or_else(String::new, |own| format!(" {} to itself at twice the step", short(own)));
        let other = match other {
            Some(other) => format!(" and {} to another scheme", short(*other)),
            None => ", and no other scheme came to its end beside it".into(),
        };
        let estimate = short(reference.estimate());
        let told = format!(
            "Errors are distances to {name}{step}, rms over particles and over {} m, the largest of four times. That reference is known \
             to {estimate}: its distance is{own}{other}.",
            short(self.size)
        );
        let [asked, used] = [self.target.asked, self.target.error].map(short);
        let until = given(self.duration * self.target.times as f64 / SAMPLES as f64);
        match (self.target.is_asked(), self.target.times == SAMPLES as usize) {
            (true, true) => told,
            (true, false) => format!(
                "{told} It can tell an error of {asked} up to {until} s and not beyond, where the motion hangs on what schemes do differently, as \
                 folds and contacts do: errors count up to then."
            ),
            (false, is_whole) => {
                let until = if is_whole { String::new() } else { format!(" up to {until} s") };
                format!(
                    "{told} An error of {asked} cannot be told at any time: the motion hangs on what schemes do differently, as folds and contacts do, \
                     or the reference needs shorter steps. What can still be said is who comes within {used}{until}."
                )
            }
        }
    }

    /// The answer.
    pub fn answer(&self) -> String {
        let error = short(self.target.error);
        let Some(Standing { name, best: Some(best), reaches, .. }) = self.standings.first() else {
            return "No contestant came to its end with an error.".into();
        };
        let step = best.row.step.map_or_else(String::new, |step| format!(" with a step of {}", in_ms(step)));
        let tolerance =
            best.row.tolerance.map_or_else(String::new, |tolerance| format!(" and a tolerance of {}", given(tolerance)));
        let found = self.error_of(&best.row);
        if !reaches {
            return format!("Nobody reaches an error of {error}. The most accurate is {name}{step}{tolerance}: error {found}.");
        }
        let time = interval(&best.times).map_or_else(String::new, |[median, ..]| format!(" in {} s", short(median)));
        let tied = match ties(self.standings)[..] {
            [] => String::new(),
            [one] => format!(" {one} ties with it: their times overlap."),
            ref several => format!(" {} tie with it: their times overlap.", several.join(", ")),
        };
        format!("Take {name}{step}{tolerance}: error {found}{time}.{tied}")
    }

    /// An error, or that it is below what the reference can tell.
    pub fn error_of(&self, row: &RaceRow) -> String {
        let estimates = self.reference.map_or(&[][..], |reference| &reference.estimates);
        let estimate = estimates.get(self.target.times - 1).copied().unwrap_or_default();
        match self.target.error_of(row) {
            None => String::new(),
            Some(error) if error < estimate => format!("below {}", short(estimate)),
            Some(error) => short(error),
        }
    }

    /// The contestants from first to last.
    pub fn table(&self) -> TextTable {
        let heads = [
            "",
            "contestant",
            "step [s]",
            "tolerance",
            "error",
            "time [s]",
            "fastest to slowest",
            "strain",
            "energy drift",
            "note",
        ];
        let tied = ties(self.standings);
        let line = |(k, standing): (usize, &Standing)| {
            let place = match standing.reaches {
                true if tied.contains(&standing.name.as_str()) => "1 =".into(),
                true if k == 0 && !tied.is_empty() => "1 =".into(),
                true => (k + 1).to_string(),
                false => String::new(),
            };
            let note = standing.note.clone();
            let Some(best) = &standing.best else {
                return [vec![place, standing.name.clone()], vec![String::new(); 7], vec![note]].concat();
            };
            let row = &best.row;
            let number = |value: Option<f64>| value.and_then(finite).map_or_else(String::new, short);
            let (time, range) = match interval(&best.times) {
                Some([median, low, high]) if best.times.len() > 1 => {
                    (short(median), format!("{} to {}", short(low), short(high)))
                }
                Some([median, ..]) => (short(median), "once".into()),
                None => Default::default(),
            };
            let tolerance = row.tolerance.map_or_else(String::new, given);
            vec![
                place,
                standing.name.clone(),
                number(row.step),
                tolerance,
                self.error_of(row),
                time,
                range,
                row.strain.map_or_else(String::new, percent),
                number(row.energy_drift),
                note,
            ]
        };
        TextTable::new(&heads, self.standings.iter().enumerate().map(line)).without_empty_columns()
    }

    /// All that is told, as JSON, with the files that were written to a folder.
    pub fn json(&self, folder: &Path, files: &[&str]) -> Value {
        let tied = ties(self.standings);
        let standing = |(k, standing): (usize, &Standing)| {
            let row = standing.best.as_ref().map(|best| &best.row);
            let number = |of: fn(&RaceRow) -> Option<f64>| row.and_then(of).and_then(finite);
            let seconds = standing.best.as_ref().and_then(|best| interval(&best.times));
            json!({
                "contestant": standing.name,
                "place": standing.reaches.then(|| if tied.contains(&standing.name.as_str()) { 1 } else { k + 1 }),
                "reaches": standing.reaches,
                "step": number(|row| row.step),
                "tolerance": number(|row| row.tolerance),
                "error": row.and_then(|row| self.target.error_of(row)).and_then(finite),
                "seconds": seconds.map(|[median, fastest, slowest]| json!({"median": median, "fastest": fastest, "slowest": slowest})),
                "operations": number(|row| Some(row.operations)),
                "strain": number(|row| row.strain),
                "energy_drift": number(|row| row.energy_drift),
                "note": standing.note,
            })
        };
        let estimates = self.reference.map_or(&[][..], |reference| &reference.estimates);
        json!({
            "scene": self.scene,
            "particles": self.particles,
            "size": self.size,
            "duration": self.duration,
            "runs": self.runs,
            "error": {
                "asked": self.target.asked,
                "used": finite(self.target.error),
                "until": self.duration * self.target.times as f64 / SAMPLES as f64,
                "reference_known_to": estimates.get(self.target.times - 1).copied().and_then(finite),
            },
            "reference": self.reference(),
            "notes": self.notes,
            "contestants": self.standings.iter().enumerate().map(standing).collect::<Vec<_>>(),
            "verdict": self.answer(),
            "folder": folder.display().to_string(),
            "files": files,
        })
    }

    /// race.md.
    pub fn markdown(&self, files: &[&str]) -> String {
        let columns = RaceRow::columns().into_iter().map(|column| {
            let unit = if column.unit == "-" { String::new() } else { format!(" [{}]", column.unit) };
            format!("- `{}`{unit}: {}\n", column.name, column.about)
        });
        let notes: String = self.notes.iter().map(|note| format!("{note}\n\n")).collect();
        let named =
            |standing: &Standing| Standing { name: literal(&standing.name), note: literal(&standing.note), ..standing.clone() };
        let (scene, standings) = (literal(self.scene), self.standings.iter().map(named).collect::<Vec<_>>());
        let told = Summary { scene: &scene, standings: &standings, ..*self };
        format!(
            "# Race of {}\n\n{}\n\n{}\n\n{}\n\n{notes}{}\n\n{TIMES}\n\n## Files\n\n{}\n## Columns of race.csv\n\n- `set`: number of the \
             row\n{}",
            scene,
            told.answer(),
            told.head(),
            self.reference(),
            told.table().markdown(),
            files.iter().map(|file| format!("- {file}\n")).collect::<String>(),
            columns.collect::<String>()
        )
    }
}

/// How times were taken.
const TIMES: &str = "Times are medians of the stepping alone, without reading and setting up, each run alone on one thread and in turn with the \
                     others, three times or more, fewer where that would lead far beyond two minutes. A contestant stands for the step with which it reaches the error in the least time; one that does not reach it, for \
                     its most accurate. A rival tells the processor time of its steps, once. Energy drift is the energy at the end less that of the reference, over what a fall by the size gains and what the cloth has in motion and springs at the start; without weight over at least mass (size / duration)² / 2.";

/// A step in milliseconds.
fn in_ms(step: f64) -> String {
    format!("{} ms", short(1e3 * step))
}
