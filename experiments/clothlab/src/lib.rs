//! The list of studies, and the driver of all of them or of one.

mod validate;

use std::process::ExitCode;

use cloth::integrators::IntegratorEntry;
use driver::cli;
use driver::program::{Build, Listed, Program};
use lab::judge::report::Answer;

/// Studies in the order in which they are run, a constant each; `build.rs` makes it of the binaries in Cargo.toml.
pub mod studies {
    use driver::program::Listed;

    include!(concat!(env!("OUT_DIR"), "/studies.rs"));
}

const BUILD: Build = Build {
    sources: env!("BUILD_SOURCES"),
    lock: env!("BUILD_LOCK"),
    compiler: env!("BUILD_COMPILER"),
    flags: env!("BUILD_FLAGS"),
};

/// The program of all studies.
pub const PROGRAM: Program = Program {
    studies: studies::ALL,
    build: BUILD,
    answers: &[Answer { study: "which-integrator", title: "Which integrator to take", answer: which_integrator::first_page }],
};

/// The driver.
pub fn driver() -> ExitCode {
    cli::driver(&PROGRAM, validate::validate)
}

/// The driver with integrators of another crate, see [`cloth::integrators::add`]; one line where they cannot be added.
pub fn driver_with(own: &'static [IntegratorEntry]) -> ExitCode {
    cli::driver_with(&PROGRAM, validate::validate, own)
}

/// The binary of one study: `clothlab run STUDY` with the same options.
pub fn study(study: &'static [Listed; 1]) -> ExitCode {
    cli::study(&Program { studies: study, build: BUILD, answers: &[] }, study[0].name)
}
