//! What happens where a user, a shell or a scheduler stops the program: one line, and the exit code that they expect.

#[cfg(unix)]
use std::io::{Write, stderr};

#[cfg(unix)]
use crate::children;

/// What is left where a command is stopped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Left {
    /// Finished cases: the same command goes on from them.
    Cases,
    /// Finished cases that the same command would forget.
    FreshCases,
    /// Cases that nothing goes on from.
    Nothing,
    /// Files without a name that the next command in their folder removes; named ones are whole.
    Unfinished,
    /// What was there: the command writes nothing.
    All,
}

impl Left {
    /// In words for the user.
    fn words(self) -> &'static str {
        match self {
            Left::Cases => "stopped; the same command goes on where it was",
            Left::FreshCases => "stopped; the same command without --fresh goes on where it was",
            Left::Nothing => "stopped; the same command begins anew",
            Left::Unfinished => "stopped; the next command into the same folder removes what was not finished",
            Left::All => "stopped; nothing was written",
        }
    }
}

/// From now on SIGINT, SIGTERM and SIGHUP end the program with a line and the exit codes 130, 143 and 129, and a file that grows
/// beyond its limit is a write that fails, as on a full disk. A signal that the parent ignores, as nohup does, stays ignored.
#[cfg(unix)]
pub fn watch(left: Left) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;

    // without a handler of its own the signal would end the process before the write fails
    _ = signal_hook::flag::register(SIGXFSZ, Default::default());
    let ignored = ignored();
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored & (1 << (signal - 1)) == 0);
    let Ok(mut signals) = Signals::new(wanted) else { return };
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            // nothing more can be done where even this cannot be written
            _ = writeln!(stderr().lock(), "\n{}", left.words());
            children::end_all();
            std::process::exit(128 + signal);
        }
    });
}

/// The signals that are ignored, a bit each; none where the system does not say.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Elsewhere signals do what the system does with them.
#[cfg(not(unix))]
pub fn watch(_left: Left) {}
