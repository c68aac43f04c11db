//! Up to which step is forward-backward Euler stable? \[Boxerman 2003, 4.1.3\]

use std::process::ExitCode;

fn main() -> ExitCode {
    experiments::cli::study("fb-euler-stability")
}
