//! Files that get their names together.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::files::{FileError, UNFINISHED, make_folder, read_bytes, remove_file, write_whole};
use crate::sums::sum_line;

/// Files that get their names together, once all of them are written; where that fails, nothing is left of those without one.
pub struct Staged {
    folder: PathBuf,
    staging: TempDir,
    names: Vec<String>,
}

impl Staged {
    /// For files of `folder`, which is made if need be.
    ///
    /// # Errors
    /// A folder that cannot be written.
    pub fn new(folder: &Path) -> Result<Staged, FileError> {
        make_folder(folder)?;
        let staging = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(folder);
        let staging = staging.map_err(|source| FileError::write(folder, source))?;
        Ok(Staged { folder: folder.into(), staging, names: vec![] })
    }

    /// The folder of files without a name, as the user gave it: that of `tempfile` begins at the root.
    pub(crate) fn staged(&self) -> PathBuf {
        self.folder.join(self.staging.path().file_name().unwrap_or_default())
    }

    /// Writes a file.
    ///
    /// # Errors
    /// A full disk, and the like.
    pub fn write(&mut self, name: &str, contents: impl AsRef<[u8]>) -> Result<(), FileError> {
        write_whole(&self.staged().join(name), contents.as_ref())?;
        self.names.push(name.into());
        Ok(())
    }

    /// Takes a file that another program wrote among those without a name.
    pub fn take(&mut self, name: &str) {
        self.names.push(name.into());
    }

    /// Names of the files so far.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Lines of SHA256SUMS for the named files, as they will be seen from `base`.
    ///
    /// # Errors
    /// A staged file that cannot be read.
    pub fn sums(&self, prefix: &str, names: &[String]) -> Result<String, FileError> {
        let mut lines = String::new();
        for name in names {
            lines += &sum_line(read_bytes(&self.staged().join(name), u64::MAX)?, &format!("{prefix}{name}"));
        }
        Ok(lines)
    }

    /// Gives all files their names, and removes those of `former` that are no longer made.
    ///
    /// # Errors
    /// A folder that cannot be written.
    pub fn publish<'a>(self, former: impl Iterator<Item = &'a str>) -> Result<(), FileError> {
        for name in former.filter(|name| !self.names.iter().any(|made| made == name)) {
            remove_file(&self.folder.join(name))?;
        }
        for name in &self.names {
            let path = self.folder.join(name);
            fs::rename(self.staged().join(name), &path).map_err(|source| FileError::write(&path, source))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::read_text;

    #[test]
    fn files_that_are_not_published_leave_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cases.csv");
        write_whole(&path, b"former").unwrap();
        let names = || fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
        let mut staged = Staged::new(folder.path()).unwrap();
        staged.write("cases.csv", "new").unwrap();
        assert_eq!(names().len(), 2);
        drop(staged);
        assert_eq!((names(), read_text(&path).unwrap()), (vec!["cases.csv".into()], "former".into()));
        let mut staged = Staged::new(folder.path()).unwrap();
        staged.write("cases.csv", "new").unwrap();
        staged.publish(std::iter::empty()).unwrap();
        assert_eq!((names(), read_text(&path).unwrap()), (vec!["cases.csv".into()], "new".into()));
    }
}
