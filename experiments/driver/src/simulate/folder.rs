use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use kit::Failure;
use lab::files::{
    FileError, UNFINISHED, WholeFile, is_unfinished, make_folder, read_bytes, read_text, remove_file, sweep, write_whole,
};
use lab::measure::run::{Hold, hold};
use lab::part_files;
use lab::sums::{SUMS, sum_line};
use rayon::prelude::*;
use scene::Scene;
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::copied;

pub(super) const ENERGIES: &str = "energies.csv";
pub(super) const POSITIONS: &str = "positions.csv";
pub(super) const VELOCITIES: &str = "velocities.csv";
pub(super) const CONTACTS: &str = "contacts.csv";
pub(super) const STRAIN: &str = "strain.csv";
pub(crate) const CONTROL: &str = "control.csv";
pub(crate) const CONVERGENCE: &str = "convergence.csv";
pub(super) const PICTURES: &str = "pictures.svg";
pub(super) const ENERGY_CHART: &str = "energies.svg";
pub(crate) const PAGE: &str = "view.html";
pub(super) const REST: &str = "rest.obj";
pub(super) const SOLIDS: &str = "solids.obj";
pub(super) const CACHE: &str = "cloth.pc2";
pub(super) const STAGE: &str = "cloth.usda";
pub(crate) const SCENE: &str = "scene.toml";
pub(super) const CHECKPOINT: &str = "checkpoint.toml";
pub(super) const MEMORY: &str = "checkpoint.bin";
/// What a simulation wrote.
pub(crate) const DESCRIPTION: &str = "simulation.toml";
/// What every simulation has.
const ALWAYS: [&str; 5] = [ENERGIES, POSITIONS, VELOCITIES, SCENE, DESCRIPTION];
const FRAMES: &str = "frames";
/// While files get their places: the folder that they come from, and below it those that are no longer made.
pub(crate) const REPLACING: &str = ".replacing";

/// What a simulation wrote, by which a file is missed that is gone with its checksum.
#[derive(Default, Deserialize, Serialize)]
struct Description {
    /// Number of the first frame: above zero of a run that went on from another.
    #[serde(default)]
    first_frame: u64,
    /// Frames as OBJ, from that on.
    frames: u64,
    /// Frames as VTK.
    #[serde(default)]
    vtk_frames: u64,
    /// Frames of solids that move, as OBJ and as VTK.
    #[serde(default)]
    solids_frames: u64,
    #[serde(default)]
    vtk_solids_frames: u64,
    /// The other files, but for this description and the checksums.
    files: Vec<PathBuf>,
}

/// The files of the simulation in a folder, by its own description; without one those that every simulation has.
pub(crate) fn described(path: &Path) -> Vec<String> {
    let text = read_text(&path.join(DESCRIPTION)).unwrap_or_default();
    let Description { first_frame: first, frames, vtk_frames, solids_frames, vtk_solids_frames, files } =
        toml::from_str(&text).unwrap_or_default();
    let always = ALWAYS.iter().map(PathBuf::from);
    let mut all: Vec<String> = always.chain(files).map(|file| file.display().to_string()).collect();
    let mut add = |count: u64, name: fn(u64) -> String| {
        all.extend((first..first.saturating_add(count.min(Scene::FRAME_LIMIT))).map(name));
    };
    add(frames, frame);
    add(vtk_frames, vtk_frame);
    add(solids_frames, solids_frame);
    add(vtk_solids_frames, vtk_solids_frame);
    all.sort();
    all.dedup();
    all
}

/// Frame `k`; the names sort in time.
fn frame(k: u64) -> String {
    format!("{FRAMES}/frame_{k:05}.obj")
}

/// Frame `k` as VTK.
pub(super) fn vtk_frame(k: u64) -> String {
    format!("{FRAMES}/frame_{k:05}.vtk")
}

/// Frame `k` of solids that move.
pub(super) fn solids_frame(k: u64) -> String {
    format!("{FRAMES}/solids_{k:05}.obj")
}

/// Frame `k` of them as VTK.
pub(super) fn vtk_solids_frame(k: u64) -> String {
    format!("{FRAMES}/solids_{k:05}.vtk")
}

/// The cache of solid `k`, which moves.
pub(super) fn solid_cache(k: usize) -> String {
    format!("solid_{k}.pc2")
}

fn is_solid_cache(name: &str) -> bool {
    let number = name.strip_prefix("solid_").and_then(|rest| rest.strip_suffix(".pc2"));
    number.and_then(|number| number.parse().ok()).is_some_and(|k| solid_cache(k) == name)
}

/// The folder of a simulation's results, held against other runs. Its files are written to a folder in it and get their places
/// together; where a run fails, nothing is left of them.
pub(crate) struct Folder {
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
    /// It holds a former simulation or a run of a study, one of its files would take the place of an input, another run is at work
    /// in it, or it cannot be written to.
    pub fn claim(path: &Path, force: bool, inputs: &[PathBuf]) -> Result<Folder, Failure> {
        refuse_study(path)?;
        // before a lock is left there; what is there from a run at work is not from a former one
        check(path, "simulation", &[former(path)?, unfinished(path)?].concat(), true, inputs)?;
        let hold = hold(path)?;
        complete(path)?;
        [path.to_owned(), path.join(FRAMES)].iter().try_for_each(|folder| sweep(folder))?;
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

    /// Refuses a folder as [`Folder::claim`] would, and leaves it as it is.
    ///
    /// # Errors
    /// It is a file, holds a former simulation, or one of its files would take the place of an input.
    pub fn check(path: &Path, force: bool, inputs: &[PathBuf]) -> Result<(), Failure> {
        check(path, "simulation", &former(path)?, force, inputs)
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where one of its files is written.
    pub fn file(&self, name: &str) -> PathBuf {
        self.staging.path().join(name)
    }

    /// Where frame `k` is written.
    pub fn frame(&self, k: u64) -> PathBuf {
        self.file(&frame(k))
    }

    /// Gives all files their places, and removes those of a former simulation that are no longer made. Where that is stopped, the
    /// next run in the folder completes it before anything else, and until then `verify` tells.
    ///
    /// # Errors
    /// A folder that cannot be written.
    pub fn publish(self) -> Result<(), FileError> {
        let staging = self.staging.path();
        let (frames, others): (Vec<_>, Vec<_>) = files(staging)?.into_iter().partition(|file| file.starts_with(FRAMES));
        let of = |begins: &str, kind: &str| {
            let name = |frame: &PathBuf| frame.file_name().and_then(|name| name.to_str()).map(str::to_owned);
            let named = frames.iter().filter_map(name);
            named.filter(|name| name.starts_with(begins) && name.ends_with(kind)).count() as u64
        };
        let number = |frame: &PathBuf| frame.file_stem()?.to_str()?.rsplit('_').next()?.parse().ok();
        let description = Description {
            first_frame: frames.iter().filter_map(number).min().unwrap_or(0),
            frames: of("frame_", "obj"),
            vtk_frames: of("frame_", "vtk"),
            solids_frames: of("solids_", "obj"),
            vtk_solids_frames: of("solids_", "vtk"),
            files: others,
        };
        let text = toml::to_string(&description).map_err(|error| FileError::write(&self.path, io::Error::other(error)))?;
        write_whole(&staging.join(DESCRIPTION), text.as_bytes())?;
        let made = files(staging)?;
        let sum = |file: &PathBuf| -> Result<String, FileError> {
            Ok(sum_line(read_bytes(&staging.join(file), u64::MAX)?, &file.display().to_string()))
        };
        let sums: Result<Vec<String>, FileError> = made.par_iter().map(sum).collect();
        write_whole(&staging.join(SUMS), sums?.concat().as_bytes())?;
        let stale = self
            .former
            .iter()
            .filter_map(|file| file.strip_prefix(&self.path).ok())
            .filter(|file| !made.iter().any(|made| made == file));
        let names = staging.file_name().into_iter().map(Path::new).chain(stale.filter(|file| *file != Path::new(SUMS)));
        let lines: String = names.map(|name| format!("{}\n", name.display())).collect();
        write_whole(&self.path.join(REPLACING), lines.as_bytes())?;
        let completed = complete(&self.path);
        if completed.is_err() {
            _ = self.staging.keep(); // the next run goes on from it
        }
        completed
    }
}

/// Goes on where files of a simulation were getting their places, if they were.
fn complete(path: &Path) -> Result<(), FileError> {
    let marker = path.join(REPLACING);
    if !marker.exists() {
        return Ok(());
    }
    let text = read_text(&marker)?;
    let mut lines = text.lines();
    let staging = path.join(lines.next().filter(|name| is_unfinished(name)).unwrap_or(UNFINISHED));
    if staging.join(FRAMES).exists() {
        make_folder(&path.join(FRAMES))?;
    }
    for file in files(&staging)? {
        let place = path.join(&file);
        fs::rename(staging.join(&file), &place).map_err(|source| FileError::write(&place, source))?;
    }
    lines.map(Path::new).filter(|file| is_of_simulation(file)).try_for_each(|file| remove_file(&path.join(file)))?;
    remove_file(&marker)?;
    if staging.exists() {
        fs::remove_dir_all(&staging).map_err(|source| FileError::write(&staging, source))?;
    }
    Ok(())
}

/// What runs that were killed left in a folder, which is swept.
fn unfinished(path: &Path) -> Result<Vec<PathBuf>, FileError> {
    let found = [named(path, "", is_unfinished)?, named(path, FRAMES, is_unfinished)?].concat();
    Ok(found.iter().map(|file| path.join(file)).collect())
}

/// The files that former simulations left in a folder.
fn former(path: &Path) -> Result<Vec<PathBuf>, FileError> {
    Ok(files(path)?.iter().map(|file| path.join(file)).collect())
}

/// The tables and pictures of a simulation, the copies of what it read, and what says which of them there are.
const TABLES: [&str; 22] = [
    ENERGIES,
    POSITIONS,
    VELOCITIES,
    CONTACTS,
    STRAIN,
    CONTROL,
    CONVERGENCE,
    PICTURES,
    ENERGY_CHART,
    PAGE,
    REST,
    SOLIDS,
    CACHE,
    STAGE,
    SCENE,
    CHECKPOINT,
    MEMORY,
    copied::POSITIONS,
    copied::VELOCITIES,
    copied::MESH,
    DESCRIPTION,
    SUMS,
];

/// Whether a path in a folder is that of a file of a simulation.
fn is_of_simulation(file: &Path) -> bool {
    let is_frame =
        || file.parent() == Some(Path::new(FRAMES)) && file.file_name().and_then(|name| name.to_str()).is_some_and(is_frame);
    TABLES.iter().any(|table| file == Path::new(table))
        || file.to_str().is_some_and(|name| copied::is_copy(name) || is_solid_cache(name))
        || is_frame()
}

/// The files of a simulation in a folder, by their paths in it.
fn files(path: &Path) -> Result<Vec<PathBuf>, FileError> {
    let mut files: Vec<PathBuf> = TABLES.iter().map(PathBuf::from).filter(|file| path.join(file).exists()).collect();
    files.extend(named(path, "", |name| (copied::is_copy(name) || is_solid_cache(name)) && !TABLES.contains(&name))?);
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
    let number = name.strip_prefix("frame_").or_else(|| name.strip_prefix("solids_"));
    let number = number.and_then(|rest| rest.strip_suffix(".obj").or_else(|| rest.strip_suffix(".vtk")));
    number.is_some_and(|number| number.len() == 5 && number.bytes().all(|digit| digit.is_ascii_digit()))
}

/// Refuses a folder with results of a study or the journals of a run of one: their checksums have the name of ours.
fn refuse_study(path: &Path) -> Result<(), Failure> {
    if path.join("run.json").exists() || !part_files(&path.join("parts")).is_empty() {
        return Err(Failure::Usage(format!("{} holds a run of a study; choose another folder with --out", path.display())));
    }
    Ok(())
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
        fs::create_dir_all(out.join(FRAMES)).expect("a folder");
        let in_out = |names: &[&str]| names.iter().map(|name| out.join(name)).collect::<Vec<_>>();
        let mine =
            in_out(&[ENERGIES, CONTACTS, STRAIN, SCENE, "solid_10.pc2", "frames/frame_00000.obj", "frames/solids_12345.vtk"]);
        let foreign = in_out(&["notes.txt", "solid_01.pc2", "frames/frame_1.obj", "frames/frame_00000.png"]);
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
        for file in [SUMS, DESCRIPTION] {
            fs::remove_file(out.join(file)).expect("a file");
        }
        Folder::claim(&out, false, &[]).expect("foreign files are no simulation");
    }

    #[test]
    fn what_a_killed_run_left_is_swept_and_no_simulation() {
        let place = tempfile::tempdir().expect("a folder");
        let out = place.path().join("out");
        fs::create_dir_all(out.join(FRAMES)).expect("a folder");
        fs::create_dir_all(out.join(".unfinished-g7H8i9/frames")).expect("a folder");
        fs::write(out.join("frames/.unfinished-d4E5f6"), "").expect("a file");
        drop(Folder::claim(&out, false, &[]).expect("no simulation"));
        assert!(!out.join(".unfinished-g7H8i9").exists() && !out.join("frames/.unfinished-d4E5f6").exists());
    }

    #[test]
    fn files_that_were_getting_their_places_get_them_with_the_next_run() {
        let place = tempfile::tempdir().expect("a folder");
        let out = place.path().join("out");
        let staging = out.join(".unfinished-a1B2c3");
        for folder in [out.join(FRAMES), staging.join(FRAMES)] {
            fs::create_dir_all(folder).expect("a folder");
        }
        for (file, text) in [
            ("energies.csv", "new"),
            ("frames/frame_00000.obj", "new"),
            ("frames/frame_00002.obj", "old"),
            ("notes.txt", "mine"),
            (".unfinished-a1B2c3/frames/frame_00001.obj", "new"),
            (".replacing", ".unfinished-a1B2c3\nframes/frame_00002.obj\n../away\nnotes.txt\n"),
        ] {
            fs::write(out.join(file), text).expect("a file");
        }
        let refused = Folder::claim(&out, false, &[]).err().map(|failure| failure.to_string()).unwrap_or_default();
        assert!(refused.contains("from a former simulation"), "{refused}");
        drop(Folder::claim(&out, true, &[]).expect("forced"));
        assert_eq!(fs::read_to_string(out.join("frames/frame_00001.obj")).expect("completed"), "new");
        assert!(!out.join("frames/frame_00002.obj").exists() && !out.join(REPLACING).exists() && !staging.exists());
        assert!(out.join("notes.txt").exists(), "only files of a simulation are removed");
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
        assert!(stopped.join("input.csv").exists());
    }
}
