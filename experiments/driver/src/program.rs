//! The program: its studies, and the sources that it is built from.

use kit::ranges::{RangeError, Value};
use lab::judge::report::Answer;
use lab::measure::identity::Identity;
use lab::study::Study;

/// A study as the program lists it.
#[derive(Clone, Copy)]
pub struct Listed {
    /// Its name, and that of its section in a profile.
    pub name: &'static str,
    /// Hash of the sources that decide its rows.
    pub code: &'static str,
    /// Hash of the sources that decide its rows and its answers.
    pub deciding: &'static str,
    /// Wall time of its published run on two cores \[s\]; 0 where there was none beside the sources.
    pub seconds: f64,
    /// The study by its section of a profile.
    pub read: fn(&Value) -> Result<Study, RangeError>,
}

/// Sources and compiler of the program.
#[derive(Clone, Copy)]
pub struct Build {
    /// Hash of all sources.
    pub sources: &'static str,
    /// Hash of Cargo.lock.
    pub lock: &'static str,
    /// The compiler with its version.
    pub compiler: &'static str,
    /// The profile of Cargo, and flags of the compiler.
    pub flags: &'static str,
}

/// A program of studies, all of them or one.
#[derive(Clone, Copy)]
pub struct Program {
    /// The studies in the order in which they are run.
    pub studies: &'static [Listed],
    /// What it is built from.
    pub build: Build,
    /// What studies answer on the first screen of the report.
    pub answers: &'static [Answer],
}

impl Program {
    /// Hash of the sources that decide the rows of a study.
    pub fn code(&self, study: &str) -> &'static str {
        self.studies.iter().find(|listed| listed.name == study).map_or("", |listed| listed.code)
    }

    /// Hash of the sources that decide rows and answers of a study.
    pub fn deciding(&self, study: &str) -> &'static str {
        self.studies.iter().find(|listed| listed.name == study).map_or("", |listed| listed.deciding)
    }

    /// Wall time of the published run of a study on two cores \[s\]; 0 where it is not known.
    pub fn seconds(&self, study: &str) -> f64 {
        self.studies.iter().find(|listed| listed.name == study).map_or(0.0, |listed| listed.seconds)
    }

    /// All that the rows of a study depend on.
    pub fn identity(&self, study: &Study, seed: u64) -> Identity {
        Identity { study: study.name.into(), seed, ranges: study.ranges.clone(), code: self.code(study.name).into() }
    }
}
