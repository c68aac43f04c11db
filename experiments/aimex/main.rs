//! How does adaptive implicit-explicit integration fare against the fully implicit scheme? \[Boxerman 2003, 4.4\]

use std::process::ExitCode;

fn main() -> ExitCode {
    clothlab::study(&[clothlab::studies::AIMEX])
}
