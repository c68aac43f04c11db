//! What comes of cloth that tears \[Stuyck 2018, 4.5\]

use std::process::ExitCode;

fn main() -> ExitCode {
    clothlab::study(&[clothlab::studies::TEARING])
}
