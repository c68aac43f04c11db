use clap_complete::{Shell, generate};
use kit::Failure;

use crate::output::say;

/// The shell that is to complete commands.
#[derive(clap::Args)]
pub struct Request {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Writes what a shell needs to complete the words of a command line.
///
/// # Errors
/// A standard output that cannot be written.
pub fn completions(request: &Request, mut command: clap::Command) -> Result<(), Failure> {
    let mut script = vec![];
    generate(request.shell, &mut command, "clothlab", &mut script);
    say(String::from_utf8_lossy(&script).trim_end())
}
