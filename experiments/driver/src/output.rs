use std::env;
use std::io::{ErrorKind, Write, stderr, stdout};
use std::path::{Path, PathBuf};

use kit::Failure;
use lab::judge::claims::Verdict;
use lab::measure::run::Measured;
use lab::terminal::{Ink, inked, is_quiet, without_control};

/// Writes a line, or several, to the standard output.
///
/// # Errors
/// [`Failure::ReaderGone`] where nobody reads on, as behind `| head`.
pub fn say(line: impl AsRef<str>) -> Result<(), Failure> {
    write(&without_control(line.as_ref()))
}

/// Writes a line that is no result: nothing with `--quiet`.
///
/// # Errors
/// As [`say`].
pub fn note(line: impl AsRef<str>) -> Result<(), Failure> {
    if is_quiet() { Ok(()) } else { say(line) }
}

/// Writes a line in three parts, the middle one a verdict, which a terminal shows in its colour.
///
/// # Errors
/// As [`say`].
pub fn say_verdict(before: &str, verdict: Verdict, words: &str, after: &str) -> Result<(), Failure> {
    let [before, words, after] = [before, words, after].map(without_control);
    write(&format!("{before}{}{after}", inked(&words, ink(verdict))))
}

fn ink(verdict: Verdict) -> Ink {
    match verdict {
        verdict if verdict.holds() => Ink::Good,
        Verdict::NotReproduced | Verdict::Inconsistent => Ink::Bad,
        _ => Ink::Fair,
    }
}

/// Writes one JSON document, and nothing else.
///
/// # Errors
/// As [`say`].
pub fn say_json(document: &serde_json::Value) -> Result<(), Failure> {
    write(&format!("{document:#}"))
}

fn write(line: &str) -> Result<(), Failure> {
    writeln!(stdout().lock(), "{line}").map_err(|error| match error.kind() {
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

/// How many cases each group has, and how many of them were there already.
pub fn say_measured(measured: &[Measured]) -> Result<(), Failure> {
    for group in measured {
        let resumed = if group.resumed > 0 { format!(", {} of them from an earlier run", group.resumed) } else { String::new() };
        say(format!("  {:<10} {:>5} cases, {} rows{resumed}", group.group, group.case_count(), group.row_count()))?;
    }
    Ok(())
}
