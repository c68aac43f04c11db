//! Can cloth be led through key frames, and what does its gradient cost? \[Stuyck 2018, 8; Wojtan, Mucha & Turk 2006\]

use std::process::ExitCode;

fn main() -> ExitCode {
    clothlab::study(&[clothlab::studies::CONTROL])
}
