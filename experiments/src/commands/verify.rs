use std::fs;
use std::path::PathBuf;

use lab::files::FileError;
use lab::results;

use crate::output::say;
use crate::{Failure, workspace};

/// Compares results with their checksums: a folder with SHA256SUMS, or all that lie in a folder.
///
/// # Errors
/// [`Failure::Determinism`] where a file is not what its checksum says.
pub fn verify(folder: Option<PathBuf>) -> Result<(), Failure> {
    let folder = folder.unwrap_or_else(|| workspace::root().join("results"));
    let mut folders = vec![];
    if folder.join("SHA256SUMS").exists() {
        folders.push(folder.clone());
    } else {
        for entry in fs::read_dir(&folder).map_err(|source| FileError::read(&folder, source))? {
            let path = entry.map_err(|source| FileError::read(&folder, source))?.path();
            if path.join("SHA256SUMS").exists() {
                folders.push(path);
            }
        }
    }
    folders.sort();
    if folders.is_empty() {
        return Err(Failure::Usage(format!("there is no SHA256SUMS in {} or in a folder of it", folder.display())));
    }
    let mut wrong = vec![];
    for folder in folders {
        let (files, mismatches) = results::verify(&folder)?;
        say(format!("{}: {} of {files} files as their checksums say", folder.display(), files - mismatches.len()))?;
        for mismatch in mismatches {
            wrong.push(format!(
                "{} {}",
                folder.join(&mismatch.file).display(),
                if mismatch.exists { "differs" } else { "is missing" }
            ));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(Failure::Determinism(wrong.join("; "))) }
}
