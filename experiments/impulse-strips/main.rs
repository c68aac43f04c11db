//! What do strips of inextensible edges, solved directly and in turn, cost, and do they hold? \[Bender 2008\]

use std::process::ExitCode;

fn main() -> ExitCode {
    clothlab::study(&[clothlab::studies::IMPULSE_STRIPS])
}
