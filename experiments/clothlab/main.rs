//! The driver of all studies.

use std::process::ExitCode;

fn main() -> ExitCode {
    clothlab::driver()
}
