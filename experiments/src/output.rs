use std::io::{ErrorKind, Write, stdout};

use crate::Failure;

/// Writes a line to the standard output.
///
/// # Errors
/// [`Failure::ReaderGone`] where nobody reads on, as behind `| head`.
pub fn say(line: impl AsRef<str>) -> Result<(), Failure> {
    writeln!(stdout().lock(), "{}", line.as_ref()).map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => Failure::ReaderGone,
        _ => Failure::Usage(format!("cannot write to the standard output: {error}")),
    })
}
