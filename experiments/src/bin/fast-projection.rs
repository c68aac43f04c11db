//! Does fast projection make inextensible cloth cheap? \[Goldenthal 2007\]

use std::process::ExitCode;

fn main() -> ExitCode {
    experiments::cli::study("fast-projection")
}
