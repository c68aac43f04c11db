//! A commit checked out beside the checkout, for as long as it is needed.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use lab::files::{FileError, make_folder, read_text};

use crate::Mistake;
use crate::git::Repository;

/// Set when the program is asked to stop; whatever runs then is stopped, and worktrees are removed.
static STOPPED: AtomicBool = AtomicBool::new(false);

/// From now on an interrupt ends what runs, not this program, so that worktrees are removed.
pub fn outlive_interrupts() -> Result<(), Mistake> {
    match ctrlc::set_handler(|| STOPPED.store(true, Ordering::SeqCst)) {
        Ok(()) | Err(ctrlc::Error::MultipleHandlers) => Ok(()),
        Err(error) => Err(Mistake::Internal(error.to_string())),
    }
}

/// The folder of worktrees and their builds, held against other comparisons.
pub struct Workshop {
    folder: PathBuf,
    _lock: File,
}

impl Workshop {
    /// `compare/` in the folder of builds.
    pub fn open(repository: &Repository) -> Result<Workshop, Mistake> {
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
        let folder = repository.root.join(target).join("compare");
        make_folder(&folder)?;
        let path = folder.join("lock");
        let lock = File::create(&path).map_err(|source| FileError::write(&path, source))?;
        if lock.try_lock().is_err() {
            let folder = folder.display();
            return Err(Mistake::Usage(format!("another comparison builds in {folder}; wait for it, or set CARGO_TARGET_DIR")));
        }
        Ok(Workshop { folder, _lock: lock })
    }

    /// A place in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Checks a commit out. What a killed comparison left there is removed first.
    pub fn worktree<'a>(&self, repository: &'a Repository, name: &str, commit: &str) -> Result<Worktree<'a>, Mistake> {
        let worktree = Worktree { repository, path: self.path(name) };
        worktree.remove();
        let path = worktree.path.to_string_lossy().into_owned();
        let added = repository.ask(&["worktree", "add", "--quiet", "--force", "--detach", &path, commit]);
        // an interrupt from the keyboard ends git as well
        if STOPPED.load(Ordering::SeqCst) {
            return Err(Mistake::Interrupted);
        }
        added.map(|_| worktree)
    }
}

/// A commit checked out; removed when dropped.
pub struct Worktree<'a> {
    repository: &'a Repository,
    path: PathBuf,
}

impl Worktree<'_> {
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn remove(&self) {
        if self.path.exists() {
            let path = self.path.to_string_lossy();
            // a folder that git no longer knows is removed all the same
            _ = self.repository.ask(&["worktree", "remove", "--force", "--force", &path]);
            _ = fs::remove_dir_all(&self.path);
        }
    }
}

impl Drop for Worktree<'_> {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Runs a program to its end. Inside, an error is what it wrote to its standard error.
pub fn finish(command: &mut Command) -> Result<Result<(), String>, Mistake> {
    let internal = |error: std::io::Error| Mistake::Internal(error.to_string());
    let said = tempfile::NamedTempFile::new().map_err(internal)?;
    let program = command.get_program().to_string_lossy().into_owned();
    let spawned = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(said.reopen().map_err(internal)?).spawn();
    let mut child = match spawned {
        Ok(child) => child,
        Err(error) => return Ok(Err(format!("{program} cannot be run: {error}"))),
    };
    loop {
        if STOPPED.load(Ordering::SeqCst) {
            // it may have ended by itself
            _ = child.kill();
            _ = child.wait();
            return Err(Mistake::Interrupted);
        }
        if let Some(status) = child.try_wait().map_err(internal)? {
            return Ok(if status.success() { Ok(()) } else { Err(read_text(said.path()).unwrap_or_default()) });
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}
