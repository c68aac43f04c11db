//! Lists of checksums, and files that are not as they say.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::files::{LARGEST, read_bytes};
use crate::measure::identity::sha256;

/// Checksums of what depends on neither time nor machine.
pub const SUMS: &str = "SHA256SUMS";

/// Checksums of the rest: times, verdicts and charts of times, the record of the run. They tell damage, and nothing else.
pub const SUMS_OF_TIMES: &str = "SHA256SUMS-of-times";

/// The line of a file, as it is seen from the folder of the list, with these contents.
pub fn sum_line(contents: impl AsRef<[u8]>, file: &str) -> String {
    format!("{}  {file}\n", sha256(contents))
}

/// The files of a list, each with its checksum; lines that are none are left out.
pub fn entries(list: &str) -> impl Iterator<Item = (&str, &str)> {
    list.lines().filter_map(|line| line.split_once("  "))
}

/// The lines of a list but for those of files that are `gone`.
pub fn without(list: &str, gone: impl Fn(&str) -> bool) -> String {
    let kept = list.lines().filter(|line| !line.split_once("  ").is_some_and(|(_, file)| gone(file)));
    kept.map(|line| format!("{line}\n")).collect()
}

/// What is wrong with a file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Damage {
    /// It is not what its checksum says.
    Differs,
    /// It is not there.
    Missing,
    /// It has no checksum.
    Unlisted,
    /// A list of checksums that covers nothing, or has a line that is none.
    NoList,
}

impl Damage {
    /// In words, behind the name of the file.
    pub fn words(self) -> &'static str {
        match self {
            Damage::Differs => "differs",
            Damage::Missing => "is missing",
            Damage::Unlisted => "has no checksum",
            Damage::NoList => "is no list of checksums",
        }
    }
}

/// A file of a folder of results that is not as it was published.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Mismatch {
    /// The file as seen from the folder.
    pub file: String,
    /// What is wrong with it.
    pub damage: Damage,
}

/// Compares the files of a folder with its checksums: how many they cover, and which differ, are missing or have none. Charts and
/// folders that hold a file with a checksum are looked at too; hidden files and journals are not.
pub fn verify(folder: &Path) -> (usize, Vec<Mismatch>) {
    let (mut listed, mut mismatches) = (BTreeSet::new(), vec![]);
    for name in [SUMS, SUMS_OF_TIMES] {
        let mut tell = |file: &str, damage| mismatches.push(Mismatch { file: file.into(), damage });
        let path = folder.join(name);
        if name == SUMS_OF_TIMES && !path.exists() {
            continue;
        }
        let text = String::from_utf8_lossy(&read_bytes(&path, LARGEST).unwrap_or_default()).into_owned();
        let lines: Vec<Option<(&str, &str)>> = text.lines().map(|line| line.split_once("  ")).collect();
        if lines.is_empty() || lines.contains(&None) {
            tell(name, if path.exists() { Damage::NoList } else { Damage::Missing });
        }
        for (sum, file) in lines.into_iter().flatten() {
            listed.insert(file.to_owned());
            match read_bytes(&folder.join(file), LARGEST) {
                Ok(bytes) if sha256(&bytes) == sum => {}
                read => tell(file, if read.is_ok() { Damage::Differs } else { Damage::Missing }),
            }
        }
    }
    mismatches.extend(unlisted(folder, &listed));
    (listed.len(), mismatches)
}

/// The prefix of charts that lie below the folder of results.
const PLOTS: &str = "plots/";

/// What lies in a folder of results, beside its charts or beside any file with a checksum, and has none.
fn unlisted(folder: &Path, listed: &BTreeSet<String>) -> Vec<Mismatch> {
    let folders = listed.iter().map(|file| file.rfind('/').map_or("", |end| &file[..=end]));
    let folders: BTreeSet<&str> = folders.chain(["", PLOTS]).collect();
    // journals have checksums of their own, and reports are written anew from the rest
    let known = [SUMS, SUMS_OF_TIMES, "REPORT.md", "REPORT.html", "parts/", PLOTS];
    let mut found = vec![];
    for &below in &folders {
        for entry in fs::read_dir(folder.join(below)).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_folder = entry.path().is_dir();
            let file = format!("{below}{name}{}", if is_folder { "/" } else { "" });
            let listed = if is_folder { folders.contains(file.as_str()) } else { listed.contains(&file) };
            if !name.starts_with('.') && !listed && !known.contains(&file.as_str()) {
                found.push(Mismatch { file, damage: Damage::Unlisted });
            }
        }
    }
    found
}
