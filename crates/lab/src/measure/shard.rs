//! What a folder with a share of the cases says of itself: `shard.json`.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::files::{FileError, read_text, write_whole};
use crate::measure::group::Table;
use crate::measure::identity::Identity;
use crate::measure::parts::{file_of, read};
use crate::measure::run::set_count;
use crate::measure::run_error::RunError;
use crate::measure::share::{Share, deal};
use crate::provenance::Provenance;

/// A share of the cases of a study, finished or not.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Shard {
    format: u32,
    /// Which share it is.
    pub share: Share,
    /// What the rows depend on.
    pub identity: Identity,
    /// Name of the profile.
    pub profile: String,
    /// The groups that are measured, with all of their sets.
    pub groups: Vec<Planned>,
    /// The run that finished it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Provenance>,
}

/// A group of which shards measure parts.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Planned {
    /// Its name.
    pub group: String,
    /// Sets of all shards together.
    pub sets: u64,
}

const FORMAT: u32 = 1;

/// Most sets of a group: a plan lists them one by one.
pub const MOST_SETS: u64 = 1_000_000;

/// The name of the file.
pub const SHARD: &str = "shard.json";

impl Shard {
    /// The plan of a share of the given groups, with `sets` in place of the profile's as in [`set_count`].
    pub fn plan(wanted: &[&dyn Table], sets: Option<u64>, share: Share, identity: &Identity, profile: &str) -> Shard {
        let planned = |group: &&dyn Table| Planned { group: group.name().into(), sets: set_count(wanted, *group, sets) };
        let groups = wanted.iter().map(planned).collect();
        Shard { format: FORMAT, share, identity: identity.clone(), profile: profile.into(), groups, run: None }
    }

    /// The sets of the groups that are in this share, in the order of the groups.
    pub fn sets(&self) -> impl Iterator<Item = (&str, Vec<u64>)> {
        let sets = deal(Some(self.share), self.groups.iter().map(|planned| planned.sets));
        self.groups.iter().map(|planned| planned.group.as_str()).zip(sets)
    }

    /// Why a folder of this shard cannot go on as another one, or merge with it; nothing if it can.
    pub fn difference(&self, other: &Shard) -> Option<String> {
        if let Some(difference) = self.identity.difference(&other.identity) {
            return Some(difference);
        }
        if self.share.of != other.share.of {
            return Some(format!("one of {} shards, not of {}", self.share.of, other.share.of));
        }
        (self.groups != other.groups).then(|| "of other groups or numbers of sets".into())
    }

    /// Reads the plan of a folder; nothing where there is none.
    ///
    /// # Errors
    /// A plan that cannot be read, or is of another version.
    pub fn of(folder: &Path) -> Result<Option<Shard>, RunError> {
        let path = folder.join(SHARD);
        if !path.exists() {
            return Ok(None);
        }
        let shard: Option<Shard> = serde_json::from_str(&read_text(&path)?).ok();
        let sound = |shard: &Shard| {
            let is_listable = shard.groups.iter().all(|planned| planned.sets <= MOST_SETS);
            shard.format == FORMAT && is_listable && shard.share.to_string().parse() == Ok(shard.share)
        };
        shard.filter(sound).map(Some).ok_or(RunError::NoShard { path })
    }

    /// How many of its cases are finished in a folder.
    ///
    /// # Errors
    /// A part file that is damaged before its last line, or that cannot be read.
    pub fn done(&self, folder: &Path) -> Result<usize, RunError> {
        let mut done = 0;
        for (group, sets) in self.sets() {
            let path = file_of(&parts_of(folder), group);
            if path.exists() {
                let finished = read(&path, group)?.finished;
                done += sets.iter().filter(|set| finished.contains_key(set)).count();
            }
        }
        Ok(done)
    }

    /// Writes the plan into its folder.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), FileError> {
        let text = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        write_whole(&folder.join(SHARD), text.as_bytes())
    }
}

/// Where the part files of a shard are.
pub fn parts_of(folder: &Path) -> PathBuf {
    folder.join("parts")
}
