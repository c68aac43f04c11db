//! Does fast projection make inextensible cloth cheap? \[Goldenthal 2007\]

use std::process::ExitCode;

fn main() -> ExitCode {
    clothlab::study(&[clothlab::studies::FAST_PROJECTION])
}
