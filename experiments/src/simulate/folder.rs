use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use lab::files::{FileError, UNFINISHED, WholeFile, make_folder};
use lab::run::{Hold, hold};
use tempfile::TempDir;

use super::copied;
use crate::Failure;

pub(super) const ENERGIES: &str = "energies.csv";
pub(super) const POSITIONS: &str = "positions.csv";
pub(super) const VELOCITIES: &str = "velocities.csv";
pub(super) const CONTACTS: &str = "contacts.csv";
pub(super) const STRAIN: &str = "strain.csv";
pub(super) const SCENE: &str = "scene.toml";
const FRAMES: &str = "frames";

/// The folder of a simulation's results, held against other runs. Its files are written to a folder in it and get their places
/// together; where a run fails, nothing is left of them.
pub(super) struct Folder {
    path: PathBuf,
    /// The files of a former simulation.
    former: Vec<PathBuf>,
    staging: TempDir,
    _hold: Hold,
}

impl Folder {
    /// Takes a folder, made if need be, for a run that reads `inputs`. The files of a former simulation stay until
    /// [`Folder::publish`], which replaces them with `force`.
    ///
    /// # Errors
    /// It holds a former simulation, one of its files would take the place of an input, another run is at work in it, or it
    /// cannot be written to.
    pub fn claim(path: &Path, force: bool, inputs: &[PathBuf]) -> Result<Folder, Failure> {
        // before a lock is left there; what is there from a run at work is not from a former one
        check(path, "simulation", &former(path)?, true, inputs)?;
        let hold = hold(path)?;
        let former = former(path)?;
        check(path, "simulation", &former, force, inputs)?;
        let frames = path.join(FRAMES);
        if frames.exists() {
            WholeFile::create(&frames.join("frame"))?; // frames that cannot be put there are no reason to simulate
        }
        let staging = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(path);
        let staging = staging.map_err(|source| FileError::write(path, source))?;
        Ok(Folder { path: path.to_owned(), former, staging, _hold: hold })
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where one of its files is written.
    pub fn file(&self, name: &str) -> PathBuf {
        self.staging.path().join(name)
    }

    /// Where frame `k` is written; the names sort in time.
    pub fn frame(&self, k: u64) -> PathBuf {
        self.file(FRAMES).join(format!("frame_{k:05}.obj"))
    }

    /// Gives all files their places, and removes those of a former simulation that are no longer made.
    ///
    /// # Errors
    /// A folder that cannot be written.
    pub fn publish(self) -> Result<(), FileError> {
        if self.file(FRAMES).exists() {
            make_folder(&self.path.join(FRAMES))?;
        }
        let mut made = vec![];
        for file in files(self.staging.path())? {
            let path = self.path.join(&file);
            fs::rename(self.staging.path().join(&file), &path).map_err(|source| FileError::write(&path, source))?;
            made.push(path);
        }
        for stale in self.former.iter().filter(|file| !made.contains(file)) {
            let staged = stale.is_dir() && is_unfinished(&stale.file_name().unwrap_or_default().to_string_lossy());
            let removed = if staged { fs::remove_dir_all(stale) } else { fs::remove_file(stale) };
            removed.map_err(|source| FileError::write(stale, source))?;
        }
        Ok(())
    }
}

/// What former simulations left in a folder, those that were stopped last.
fn former(path: &Path) -> Result<Vec<PathBuf>, FileError> {
    let mut former = files(path)?;
    former.extend(named(path, "", is_unfinished)?);
    former.extend(named(path, FRAMES, is_unfinished)?);
    Ok(former.iter().map(|file| path.join(file)).collect())
}

/// The files of a simulation in a folder, by their paths in it.
fn files(path: &Path) -> Result<Vec<PathBuf>, FileError> {
    let tables = [ENERGIES, POSITIONS, VELOCITIES, CONTACTS, STRAIN, SCENE, copied::POSITIONS, copied::VELOCITIES, copied::MESH]
        .map(PathBuf::from);
    let mut files: Vec<PathBuf> = tables.into_iter().filter(|file| path.join(file).exists()).collect();
    files.extend(named(path, FRAMES, is_frame)?);
    Ok(files)
}

/// What is in `below` a folder, if that is there, with names that are `wanted`, by paths in the folder.
fn named(folder: &Path, below: &str, wanted: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>, FileError> {
    let searched = folder.join(below);
    let entries = match fs::read_dir(&searched) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => return Ok(vec![]),
        entries => entries.map_err(|source| FileError::read(&searched, source))?,
    };
    let mut found = vec![];
    for entry in entries {
        let name = entry.map_err(|source| FileError::read(&searched, source))?.file_name();
        if name.to_str().is_some_and(&wanted) {
            found.push(Path::new(below).join(name));
        }
    }
    Ok(found)
}

/// Refuses a place for the results of a run that reads `inputs`, where it would replace `former` files, those of a `kind` of run.
///
/// # Errors
/// It is a file, or an input is one of these files; without `force` also where there are any.
pub(crate) fn check(path: &Path, kind: &str, former: &[PathBuf], force: bool, inputs: &[PathBuf]) -> Result<(), Failure> {
    if path.exists() && !path.is_dir() {
        return Err(Failure::Usage(format!("{} is a file; choose a folder with --out", path.display())));
    }
    if let Some(input) = inputs.iter().find(|input| former.iter().any(|file| leads_to(input, file))) {
        let (input, out) = (input.display(), path.display());
        return Err(Failure::Usage(format!(
            "{input} is read by this run and would be replaced by it in {out}; choose another folder with --out"
        )));
    }
    if let (Some(first), false) = (former.first(), force) {
        let first = first.display();
        return Err(Failure::Usage(format!(
            "{first} is there from a former {kind}; add --force to replace it, or choose another folder with --out"
        )));
    }
    Ok(())
}

/// Whether a name is that of a frame.
fn is_frame(name: &str) -> bool {
    let number = name.strip_prefix("frame_").and_then(|rest| rest.strip_suffix(".obj"));
    number.is_some_and(|number| number.len() == 5 && number.bytes().all(|digit| digit.is_ascii_digit()))
}

/// Whether a name is that of something that a run was stopped in.
fn is_unfinished(name: &str) -> bool {
    name.starts_with(UNFINISHED)
}

/// Whether a path leads to a file, or below a folder.
fn leads_to(path: &Path, file: &Path) -> bool {
    matches!((path.canonicalize(), file.canonicalize()), (Ok(path), Ok(file)) if path.starts_with(&file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_files_of_a_simulation_are_replaced() {
        let place = tempfile::tempdir().expect("a folder");
        let out = place.path().join("out");
        let stopped = out.join(".unfinished-g7H8i9");
        for folder in [out.join(FRAMES), stopped.join(FRAMES)] {
            fs::create_dir_all(folder).expect("a folder");
        }
        let in_out = |names: &[&str]| names.iter().map(|name| out.join(name)).collect::<Vec<_>>();
        let mine = in_out(&[
            ENERGIES,
            CONTACTS,
            STRAIN,
            SCENE,
            "frames/frame_00000.obj",
            "frames/frame_12345.obj",
            ".unfinished-a1B2c3",
            "frames/.unfinished-d4E5f6",
            ".unfinished-g7H8i9/frames/frame_00000.obj",
        ]);
        let foreign = in_out(&["notes.txt", "frames/frame_1.obj", "frames/frame_00000.png"]);
        let all = || mine.iter().chain(&foreign);
        for file in all() {
            fs::write(file, "").expect("a file");
        }
        let refused = Folder::claim(&out, false, &[]).err().map(|failure| failure.to_string()).unwrap_or_default();
        assert!(refused.contains("energies.csv is there from a former simulation; add --force"), "{refused}");
        drop(Folder::claim(&out, true, &[]).expect("forced"));
        assert!(all().all(|file| file.exists()), "a run that failed has replaced something");
        Folder::claim(&out, true, &[]).expect("forced").publish().expect("a writable folder");
        assert!(mine.iter().all(|file| !file.exists()) && foreign.iter().all(|file| file.exists()));
        assert!(!stopped.exists());
        Folder::claim(&out, false, &[]).expect("foreign files are no simulation");
    }

    #[test]
    fn a_run_never_replaces_what_it_reads() {
        let place = tempfile::tempdir().expect("a folder");
        let input = place.path().join("positions.csv");
        fs::write(&input, "").expect("a file");
        let detour = place.path().join("a/../positions.csv");
        fs::create_dir(place.path().join("a")).expect("a folder");
        let refused = Folder::claim(place.path(), true, &[detour]).err().map(|failure| failure.to_string()).unwrap_or_default();
        assert!(refused.contains("is read by this run"), "{refused}");
        let stopped = place.path().join("b/.unfinished-a1B2c3");
        fs::create_dir_all(&stopped).expect("a folder");
        fs::rename(&input, stopped.join("input.csv")).expect("a file");
        let refused = Folder::claim(&place.path().join("b"), true, &[stopped.join("input.csv")]).err();
        assert!(refused.is_some_and(|failure| failure.to_string().contains("is read by this run")));
    }
}
