//! What do adaptive integration, the constrained preconditioner, the warm start and decomposition gain together? \[Boxerman 2003,
//! 7\]

use std::process::ExitCode;

fn main() -> ExitCode {
    clothlab::study(&[clothlab::studies::GENERALIZED_ALPHA])
}
