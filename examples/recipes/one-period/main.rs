//! The distance of a mass on a spring from its start, after one period of forward-backward Euler \[Boxerman 2003, 4.1.3\]

use std::process::ExitCode;

fn main() -> ExitCode {
    clothlab::study(&[clothlab::studies::ONE_PERIOD])
}
