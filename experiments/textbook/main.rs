//! What the textbook asserts of explicit and implicit integration and of mass-spring cloth, put to the test \[Stuyck 2018, 3-5\]

use std::process::ExitCode;

fn main() -> ExitCode {
    clothlab::study(&[clothlab::studies::TEXTBOOK])
}
