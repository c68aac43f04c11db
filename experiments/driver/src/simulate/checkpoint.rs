//! What a simulation goes on from: `checkpoint.toml`, which says from when on, and `checkpoint.bin`, the memory of the run. Both are
//! written while it goes on, so that a run that was killed goes on too.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use cloth::run::Run;
use kit::Failure;
use lab::files::{FileError, is_unfinished, read_bytes, read_text, write_whole};
use lab::measure::identity::sha256;
use lab::measure::run::is_held;
use race::input::Input;
use serde::{Deserialize, Serialize};

use super::copied::{ExtraFiles, copied};
use super::folder::{CHECKPOINT, Folder, MEMORY, SCENE};
use super::summary::{given, unrounded};

/// The layout of both files.
const FORMAT: u32 = 1;
/// Bytes of the checksum in front of the memory.
const SUM: usize = 64;

/// checkpoint.toml.
#[derive(Deserialize, Serialize)]
struct Description {
    format: u32,
    /// Steps taken.
    step: u64,
    /// \[s\]
    time: f64,
    particles: usize,
    /// Checksum of the scene beside it and of the files that it names.
    scene: String,
}

/// Writes the checkpoints of a run.
pub(super) struct Checkpoints {
    /// Time between two of them \[s\].
    every: f64,
    scene: String,
    last: Instant,
}

impl Checkpoints {
    /// Of a run whose scene is in `folder`, with copies of the files that it names, `every` so many seconds.
    ///
    /// # Errors
    /// One of these files that cannot be read.
    pub fn begin(folder: &Folder, copies: &[String], every: f64) -> Result<Checkpoints, FileError> {
        let files = copies.iter().map(|name| folder.file(name));
        Ok(Checkpoints { every, scene: checksum(&folder.file(SCENE), files)?, last: Instant::now() })
    }

    /// Writes one where the last one is old, or the run `ends`; none of a run that failed.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn watch(&mut self, simulation: &mut Run, ends: bool, folder: &Folder) -> Result<(), FileError> {
        if simulation.failed().is_some() || !(ends || self.last.elapsed().as_secs_f64() >= self.every) {
            return Ok(());
        }
        let memory: Vec<u8> = simulation.memory().words().iter().flat_map(|word| word.to_le_bytes()).collect();
        write_whole(&folder.file(MEMORY), &[sha256(&memory).into_bytes(), memory].concat())?;
        let description = Description {
            format: FORMAT,
            step: simulation.steps(),
            time: simulation.time(),
            particles: simulation.state().particle_count(),
            scene: self.scene.clone(),
        };
        let path = folder.file(CHECKPOINT);
        let text = toml::to_string(&description).map_err(|error| FileError::write(&path, std::io::Error::other(error)))?;
        write_whole(&path, text.as_bytes())?;
        self.last = Instant::now();
        Ok(())
    }
}

/// Checksum of a scene file and of others.
fn checksum(scene: &Path, files: impl Iterator<Item = PathBuf>) -> Result<String, FileError> {
    let all = std::iter::once(scene.to_owned()).chain(files);
    let sums: Result<Vec<String>, FileError> = all.map(|file| Ok(sha256(read_bytes(&file, u64::MAX)?))).collect();
    Ok(sha256(sums?.concat()))
}

/// A simulation that is to go on.
pub struct Former {
    /// As it was named.
    named: PathBuf,
    /// Where its scene and its checkpoint are.
    place: PathBuf,
}

impl Former {
    /// The simulation in a folder: the one that was stopped there last, or the one that came to its end.
    ///
    /// # Errors
    /// [`Failure::Usage`] where there is none, and where it is still at work.
    pub fn find(folder: &Path) -> Result<Former, Failure> {
        let named = folder.display();
        if !folder.is_dir() {
            return Err(Failure::Usage(format!("{named} is no folder; --continue takes the folder of a simulation")));
        }
        if is_held(folder) {
            return Err(Failure::Usage(format!("{named}: a run is at work there; wait for its end, or stop it")));
        }
        let entries = fs::read_dir(folder).map_err(|source| FileError::read(folder, source))?;
        let stopped = entries.flatten().filter(|entry| entry.file_name().to_str().is_some_and(is_unfinished));
        let newest = |place: &PathBuf| place.join(CHECKPOINT).metadata().and_then(|file| file.modified()).ok();
        let begun = stopped.map(|entry| entry.path()).filter(|place| newest(place).is_some()).max_by_key(newest);
        let place = begun.unwrap_or_else(|| folder.to_owned());
        if [CHECKPOINT, MEMORY].iter().any(|file| !place.join(file).exists()) {
            return Err(Failure::Usage(format!(
                "{named} holds no {CHECKPOINT} with {MEMORY}, which a simulation leaves at its end, and from time to time before (--checkpoint-every); run \
                 its scene again"
            )));
        }
        Ok(Former { named: folder.to_owned(), place })
    }

    /// Its scene.
    pub fn scene(&self) -> PathBuf {
        self.place.join(SCENE)
    }

    /// Where the rest of it goes if nothing is said.
    pub fn folder(&self) -> PathBuf {
        let mut name = self.named.file_name().unwrap_or("simulation".as_ref()).to_owned();
        name.push("-continued");
        self.named.with_file_name(name)
    }

    /// Takes a run that was read from its scene to where it was left.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a checkpoint that is damaged or of another scene, and where nothing is left to do.
    pub fn recall(&self, input: &mut Input) -> Result<(), Failure> {
        let named = self.named.display();
        let again = "run its scene again";
        let refused = |why: String| Failure::Usage(format!("{named}: {why}"));
        let text = read_text(&self.place.join(CHECKPOINT))?;
        let description: Description = toml::from_str(&text).map_err(|_| refused(format!("{CHECKPOINT} is damaged; {again}")))?;
        if description.format != FORMAT {
            let format = description.format;
            return Err(refused(format!("{CHECKPOINT} has the format {format}, and this program knows {FORMAT}; {again}")));
        }
        let (_, files) = copied(&read_text(&self.scene())?, ExtraFiles::Nothing);
        if checksum(&self.scene(), files.iter().map(|(file, _)| self.place.join(file)))? != description.scene {
            return Err(refused(format!("{SCENE}, or a file that it names, has changed since the run; {again}")));
        }
        let bytes = read_bytes(&self.place.join(MEMORY), u64::MAX)?;
        let damaged = || refused(format!("{MEMORY} is damaged; {again}"));
        let (sum, memory) = bytes.split_at_checked(SUM).ok_or_else(damaged)?;
        let (words, rest) = memory.as_chunks::<8>();
        if sum != sha256(memory).as_bytes() || !rest.is_empty() {
            return Err(damaged());
        }
        let words = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
        input.simulation.recall(words).map_err(|invalid| refused(format!("{invalid}; {again}")))?;
        let (steps, asked) = (input.simulation.steps(), input.scene.steps());
        if steps >= asked {
            let time = given(unrounded(input.simulation.time()));
            return Err(refused(format!("this run is at {time} s; say with --until when it is to end, beyond that")));
        }
        Ok(())
    }
}
