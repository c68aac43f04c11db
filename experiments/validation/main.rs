//! Whether cloth bends, hangs, buckles and stretches as closed forms say

use std::process::ExitCode;

fn main() -> ExitCode {
    clothlab::study(&[clothlab::studies::VALIDATION])
}
