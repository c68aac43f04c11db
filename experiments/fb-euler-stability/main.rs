//! Up to which step is forward-backward Euler stable? \[Boxerman 2003, 4.1.3\]

use std::process::ExitCode;

fn main() -> ExitCode {
    clothlab::study(&[clothlab::studies::FB_EULER_STABILITY])
}
