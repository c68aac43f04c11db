use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use lab::files::{FileError, UNFINISHED, make_folder};

use crate::Failure;

pub(super) const ENERGIES: &str = "energies.csv";
pub(super) const POSITIONS: &str = "positions.csv";
pub(super) const VELOCITIES: &str = "velocities.csv";
pub(super) const CONTACTS: &str = "contacts.csv";
pub(super) const STRAIN: &str = "strain.csv";
pub(super) const SCENE: &str = "scene.toml";
const FRAMES: &str = "frames";

/// The folder of a simulation's results.
pub(super) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Takes a folder, made if need be, for a run that reads `inputs`. With `force` the files of a former simulation go.
    ///
    /// # Errors
    /// It holds a former simulation, one of its files would take the place of an input, or it cannot be written to.
    pub fn claim(path: &Path, force: bool, inputs: &[PathBuf]) -> Result<Folder, Failure> {
        let folder = Folder { path: path.to_owned() };
        let former = folder.former()?;
        check(path, "simulation", &former, force, inputs)?;
        make_folder(path)?;
        for file in former {
            fs::remove_file(&file).map_err(|source| FileError::write(&file, source))?;
        }
        Ok(folder)
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The file of frame `k`; the names sort in time.
    pub fn frame(&self, k: u64) -> PathBuf {
        self.path.join(FRAMES).join(format!("frame_{k:05}.obj"))
    }

    /// The files that a former simulation left here, those that it was stopped in last.
    fn former(&self) -> Result<Vec<PathBuf>, FileError> {
        let tables = [ENERGIES, POSITIONS, VELOCITIES, CONTACTS, STRAIN, SCENE].map(|name| self.file(name));
        let mut former: Vec<PathBuf> = tables.into_iter().filter(|file| file.exists()).collect();
        let frames = self.path.join(FRAMES);
        former.extend(files_named(&frames, is_frame)?);
        for folder in [&self.path, &frames] {
            former.extend(files_named(folder, |name| name.starts_with(UNFINISHED))?);
        }
        Ok(former)
    }
}

/// The files of a folder, if it is there, whose names are `wanted`.
fn files_named(folder: &Path, wanted: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>, FileError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => return Ok(vec![]),
        entries => entries.map_err(|source| FileError::read(folder, source))?,
    };
    let mut files = vec![];
    for entry in entries {
        let entry = entry.map_err(|source| FileError::read(folder, source))?;
        if entry.file_name().to_str().is_some_and(&wanted) {
            files.push(entry.path());
        }
    }
    Ok(files)
}

/// Refuses a place for the results of a run that reads `inputs`, where it would replace `former` files, those of a `kind` of run.
///
/// # Errors
/// It is a file, or an input is one of these files; without `force` also where there are any.
pub(crate) fn check(path: &Path, kind: &str, former: &[PathBuf], force: bool, inputs: &[PathBuf]) -> Result<(), Failure> {
    if path.exists() && !path.is_dir() {
        return Err(Failure::Usage(format!("{} is a file; choose a folder with --out", path.display())));
    }
    if let Some(input) = inputs.iter().find(|input| former.iter().any(|file| same(file, input))) {
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

/// Whether two paths lead to one file.
fn same(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_files_of_a_simulation_are_replaced() {
        let place = tempfile::tempdir().expect("a folder");
        let out = place.path().join("out");
        let folder = Folder::claim(&out, false, &[]).expect("a new folder");
        fs::create_dir(out.join(FRAMES)).expect("a folder");
        let mine = [
            folder.file(ENERGIES),
            folder.file(CONTACTS),
            folder.file(STRAIN),
            folder.file(SCENE),
            folder.frame(0),
            folder.frame(12345),
            folder.file(".unfinished-a1B2c3"),
            out.join("frames/.unfinished-d4E5f6"),
        ];
        let foreign = [folder.file("notes.txt"), out.join("frames/frame_1.obj"), out.join("frames/frame_00000.png")];
        for file in mine.iter().chain(&foreign) {
            fs::write(file, "").expect("a file");
        }
        let refused = Folder::claim(&out, false, &[]).err().map(|failure| failure.to_string()).unwrap_or_default();
        assert!(refused.contains("energies.csv is there from a former simulation; add --force"), "{refused}");
        assert!(mine.iter().chain(&foreign).all(|file| file.exists()));
        Folder::claim(&out, true, &[]).expect("forced");
        assert!(mine.iter().all(|file| !file.exists()) && foreign.iter().all(|file| file.exists()));
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
        assert!(input.exists());
    }
}
