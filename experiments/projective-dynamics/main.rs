//! Local and global steps against Newton \[Stuyck 2018, 6\]

use std::process::ExitCode;

fn main() -> ExitCode {
    clothlab::study(&[clothlab::studies::PROJECTIVE_DYNAMICS])
}
