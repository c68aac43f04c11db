//! What do plain and projected damping do to a falling sheet? \[Boxerman 2003, 4.2.4\]

use std::process::ExitCode;

fn main() -> ExitCode {
    clothlab::study(&[clothlab::studies::PROJECTED_DAMPING])
}
