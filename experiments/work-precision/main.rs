//! Which integrator reaches which error for the least work, and in the least time?

use std::process::ExitCode;

fn main() -> ExitCode {
    clothlab::study(&[clothlab::studies::WORK_PRECISION])
}
