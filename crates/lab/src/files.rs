//! Files that are whole or absent.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use thiserror::Error;

/// A file or folder that cannot be read or written.
#[derive(Debug, Error)]
pub enum FileError {
    /// Reading failed.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Writing failed: no permission, no space, not a folder.
    #[error("cannot write {}: {source}; free some space or choose another place with --out", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl FileError {
    /// An error of reading `path`.
    pub fn read(path: &Path, source: io::Error) -> FileError {
        FileError::Read { path: path.to_owned(), source }
    }

    /// An error of writing `path`; a path that the system's error names besides is left out.
    pub fn write(path: &Path, source: io::Error) -> FileError {
        let words = source.to_string();
        let source = match words.split_once(" at path ") {
            Some((words, _)) => io::Error::new(source.kind(), words),
            None => source,
        };
        FileError::Write { path: path.to_owned(), source }
    }
}

/// The text of a file.
///
/// # Errors
/// [`FileError::Read`].
pub fn read_text(path: &Path) -> Result<String, FileError> {
    fs::read_to_string(path).map_err(|source| FileError::read(path, source))
}

/// Makes a folder and those above it.
///
/// # Errors
/// [`FileError::Write`].
pub fn make_folder(path: &Path) -> Result<(), FileError> {
    fs::create_dir_all(path).map_err(|source| FileError::write(path, source))
}

/// Writes a file whole: under a temporary name in the same folder, synced, then renamed. The folder is made if need be.
///
/// # Errors
/// [`FileError::Write`]; an older file of that name is then as it was.
pub fn write_whole(path: &Path, contents: &[u8]) -> Result<(), FileError> {
    let mut file = WholeFile::create(path)?;
    file.write_all(contents).map_err(|source| FileError::write(path, source))?;
    file.finish()
}

/// How the names of files begin that are still being written; one that is stopped leaves them.
pub const UNFINISHED: &str = ".unfinished-";

/// A file that is written piece by piece and appears under its name when it is finished, or not at all.
pub struct WholeFile {
    path: PathBuf,
    temporary: BufWriter<NamedTempFile>,
}

impl WholeFile {
    /// Starts a file beside its final name. The folder is made if need be.
    ///
    /// # Errors
    /// [`FileError::Write`].
    pub fn create(path: &Path) -> Result<WholeFile, FileError> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        make_folder(folder)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(UNFINISHED);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
        let temporary = builder.tempfile_in(folder).map_err(|source| FileError::write(path, source))?;
        Ok(WholeFile { path: path.to_owned(), temporary: BufWriter::new(temporary) })
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// [`FileError::Write`].
    pub fn finish(self) -> Result<(), FileError> {
        let WholeFile { path, temporary } = self;
        let fail = |source| FileError::write(&path, source);
        let temporary = temporary.into_inner().map_err(|error| fail(error.into_error()))?;
        File::sync_all(temporary.as_file()).map_err(fail)?;
        temporary.persist(&path).map_err(|error| fail(error.error))?;
        Ok(())
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.temporary.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.temporary.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b.txt");
        let mut unfinished = WholeFile::create(&path).unwrap();
        unfinished.write_all(b"half").unwrap();
        drop(unfinished);
        assert_eq!(fs::read_dir(folder.path().join("a")).unwrap().count(), 0);
        write_whole(&path, b"whole").unwrap();
        assert_eq!(read_text(&path).unwrap(), "whole");
        #[cfg(unix)]
        assert_eq!(std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&path).unwrap().permissions()) & 0o777, 0o644);
    }

    #[test]
    fn a_folder_that_is_a_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        write_whole(&folder.path().join("file"), b"").unwrap();
        let refused = write_whole(&folder.path().join("file/below"), b"").unwrap_err().to_string();
        assert!(refused.starts_with("cannot write ") && refused.contains("/file"), "{refused}");
    }
}
