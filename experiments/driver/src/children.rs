//! Programs of others that this one runs: they end with it, and what they started ends with them.

use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The process groups of those at work, each by its first process.
static AT_WORK: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn at_work() -> MutexGuard<'static, BTreeSet<u32>> {
    AT_WORK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A program at work. Where this is dropped, it ends, and with it all of its process group.
pub struct Working(Child);

impl Working {
    /// Starts a program in a process group of its own.
    ///
    /// # Errors
    /// A program that cannot be started.
    pub fn start(command: &mut Command) -> io::Result<Working> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        // held meanwhile, so that a signal misses none
        let mut known = at_work();
        let child = command.spawn()?;
        known.insert(child.id());
        Ok(Working(child))
    }

    /// Its exit status, once it has ended.
    ///
    /// # Errors
    /// A status that the system does not tell.
    pub fn ended(&mut self) -> io::Result<Option<ExitStatus>> {
        self.0.try_wait()
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        let id = self.0.id();
        end(id);
        // it may have ended before
        _ = self.0.kill();
        _ = self.0.wait();
        at_work().remove(&id);
    }
}

/// Ends all programs at work: for the moment before this one ends.
pub fn end_all() {
    at_work().iter().for_each(|id| end(*id));
}

/// Ends a process group; there may be nothing left of it.
#[cfg(unix)]
fn end(id: u32) {
    let group = format!("-{id}");
    let mut kill = Command::new("kill");
    kill.args(["-KILL", "--", &group]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    _ = kill.status();
}

/// Elsewhere the program alone ends.
#[cfg(not(unix))]
fn end(_id: u32) {}

#[cfg(all(test, unix))]
mod tests {
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn a_program_that_is_given_up_ends_with_what_it_started() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("child");
        let script = format!("sleep 600 & echo $! > {0}.part && mv {0}.part {0}; wait", place.display());
        let working = Working::start(Command::new("sh").args(["-c", &script])).unwrap();
        let begun = Instant::now();
        while !place.exists() && begun.elapsed() < Duration::from_secs(60) {
            sleep(Duration::from_millis(5));
        }
        let child = std::fs::read_to_string(&place).unwrap();
        // a zombie that nobody has waited for yet has ended
        let is_alive = || {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.trim())).unwrap_or_default();
            stat.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.trim().starts_with('Z'))
        };
        assert!(is_alive());
        drop(working);
        while is_alive() && begun.elapsed() < Duration::from_secs(60) {
            sleep(Duration::from_millis(5));
        }
        assert!(!is_alive());
    }
}
