//! What does solving each connected component of the system by itself save? \[Boxerman 2003, ch. 6\]

use std::process::ExitCode;

fn main() -> ExitCode {
    clothlab::study(&[clothlab::studies::DECOMPOSITION])
}
