//! Which integrator should I use, for which cloth, size and accuracy?

use std::process::ExitCode;

fn main() -> ExitCode {
    clothlab::study(&[clothlab::studies::WHICH_INTEGRATOR])
}
