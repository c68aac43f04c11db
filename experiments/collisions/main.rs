//! What collisions of cloth take, and what they leave \[Boxerman 2003, 3.4.2; Goldenthal 2007, 6; Stuyck 2018, 9\]

use std::process::ExitCode;

fn main() -> ExitCode {
    clothlab::study(&[clothlab::studies::COLLISIONS])
}
