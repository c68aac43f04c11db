//! How many iterations of conjugate gradients do preconditioners and starts save? \[Boxerman 2003, 5.2 and 5.3\]

use std::process::ExitCode;

fn main() -> ExitCode {
    clothlab::study(&[clothlab::studies::PRECONDITIONERS])
}
