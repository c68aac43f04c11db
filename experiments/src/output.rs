use std::env;
use std::io::{ErrorKind, Write, stderr, stdout};
use std::path::{Path, PathBuf};

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

/// A path as it is reached from the current folder, where it lies below that.
pub fn relative(path: &Path) -> PathBuf {
    let below = env::current_dir().ok().and_then(|here| path.strip_prefix(here).ok().map(Path::to_path_buf));
    below.filter(|below| !below.as_os_str().is_empty()).unwrap_or_else(|| path.to_owned())
}

/// Opens a page with the program of the desktop; where there is none, a warning says so.
pub fn open(page: &Path) {
    if let Err(error) = open::that_detached(page) {
        // a message that nobody can read is no reason to stop
        _ = writeln!(stderr(), "warning: cannot open {}: {error}; open it in a browser", relative(page).display());
    }
}
