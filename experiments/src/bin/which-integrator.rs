//! Which integrator should I use, for which cloth, size and accuracy?

use std::process::ExitCode;

fn main() -> ExitCode {
    experiments::cli::study("which-integrator")
}
