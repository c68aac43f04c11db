use std::io::{ErrorKind, Write, stdout};

use lab::terminal::without_control;

use crate::Failure;

/// Writes a line, or several, to the standard output.
///
/// # Errors
/// [`Failure::ReaderGone`] where nobody reads on, as behind `| head`.
pub fn say(line: impl AsRef<str>) -> Result<(), Failure> {
    writeln!(stdout().lock(), "{}", without_control(line.as_ref())).map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => Failure::ReaderGone,
        _ => Failure::Usage(format!("cannot write to the standard output: {error}")),
    })
}
