//! Files that are whole or absent.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use thiserror::Error;

/// A file or folder that cannot be read or written.
#[derive(Debug, Error)]
pub enum FileError {
    /// Reading failed.
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    /// Writing failed: no permission, no space, not a folder.
    #[error("cannot write {}: {source}; {}", path.display(), remedy(source))]
    Write { path: PathBuf, source: io::Error },
}

/// What helps against an error of writing.
fn remedy(source: &io::Error) -> &'static str {
    const TOO_MANY_FILES: [i32; 2] = [23, 24]; // ENFILE and EMFILE, for which there is no kind
    match source.kind() {
        ErrorKind::StorageFull | ErrorKind::FileTooLarge | ErrorKind::QuotaExceeded | ErrorKind::WriteZero => {
            "free some space or choose another place with --out"
        }
        _ if source.raw_os_error().is_some_and(|code| TOO_MANY_FILES.contains(&code)) => {
            "let this process hold more files open, as `ulimit -n` does"
        }
        _ => "choose another place with --out",
    }
}

/// The link in a path that leads nowhere, if there is one.
pub fn dangling(path: &Path) -> Option<&Path> {
    path.ancestors().find(|path| path.is_symlink() && !path.exists())
}

/// What the system said, or that a path is a link that leads nowhere, of which it says something else.
fn reason(path: &Path, source: io::Error) -> io::Error {
    match dangling(path) {
        Some(link) => io::Error::new(source.kind(), format!("{} is a link that leads nowhere", link.display())),
        None => source,
    }
}

impl FileError {
    /// An error of reading `path`.
    pub fn read(path: &Path, source: io::Error) -> FileError {
        FileError::Read { path: path.to_owned(), source: reason(path, source) }
    }

    /// An error of writing `path`; a path that the system's error names besides is left out.
    pub fn write(path: &Path, source: io::Error) -> FileError {
        let words = source.to_string();
        let source = match words.split_once(" at path ") {
            Some((words, _)) => io::Error::new(source.kind(), words),
            None => source,
        };
        FileError::Write { path: path.to_owned(), source: reason(path, source) }
    }
}

/// Largest file that is read whole, if nothing else is said \[bytes\].
pub const LARGEST: u64 = 1_000_000_000;

/// Folders of files of the system, some of which never end.
const OF_SYSTEM: [&str; 2] = ["/proc", "/sys"];

/// True for what may never end: a pipe, a device, or a file of the system.
pub fn is_stream(path: &Path) -> bool {
    let is_of_system = || path.canonicalize().is_ok_and(|path| OF_SYSTEM.iter().any(|folder| path.starts_with(folder)));
    fs::metadata(path).is_ok_and(|found| !found.is_dir() && (!found.is_file() || is_of_system()))
}

/// Opens a file to be read.
///
/// # Errors
/// [`FileError::Read`], of a pipe or a device too, which are not opened, since some only open with a writer.
pub fn open(path: &Path) -> Result<File, FileError> {
    let opened = match is_stream(path) {
        true => Err(io::Error::new(ErrorKind::InvalidInput, "it is a pipe or a device, no file")),
        false => File::open(path),
    };
    opened.map_err(|source| FileError::read(path, source))
}

/// What a file of at most `most` bytes holds.
///
/// # Errors
/// As [`open`], and where it is larger.
pub fn read_bytes(path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    let mut file = open(path)?;
    let mut read = || {
        let mut bytes = vec![];
        if file.metadata()?.len() <= most {
            (&mut file).take(most).read_to_end(&mut bytes)?;
        }
        if file.read(&mut [0])? > 0 {
            return Err(io::Error::new(ErrorKind::FileTooLarge, format!("it is larger than {} MB", most / 1_000_000)));
        }
        Ok(bytes)
    };
    read().map_err(|source| FileError::read(path, source))
}

/// The text of a file.
///
/// # Errors
/// As [`read_bytes`], and where it is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    read_text_within(path, LARGEST)
}

/// The text of a file of at most `most` bytes.
///
/// # Errors
/// As [`read_text`].
pub fn read_text_within(path: &Path, most: u64) -> Result<String, FileError> {
    let not_text = |_| FileError::read(path, io::Error::new(ErrorKind::InvalidData, "stream did not contain valid UTF-8"));
    String::from_utf8(read_bytes(path, most)?).map_err(not_text)
}

/// Makes a folder and those above it.
///
/// # Errors
/// [`FileError::Write`].
pub fn make_folder(path: &Path) -> Result<(), FileError> {
    fs::create_dir_all(path).map_err(|source| FileError::write(path, source))
}

/// Removes a file, if it is there.
///
/// # Errors
/// [`FileError::Write`].
pub fn remove_file(path: &Path) -> Result<(), FileError> {
    let removed = if path.exists() { fs::remove_file(path) } else { Ok(()) };
    removed.map_err(|source| FileError::write(path, source))
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

/// How the names of files and folders begin that are still being written; one that is stopped leaves them.
pub const UNFINISHED: &str = ".unfinished-";

/// Whether a name is one that we give to what is still being written: six letters or digits after [`UNFINISHED`].
pub fn is_unfinished(name: &str) -> bool {
    let drawn = name.strip_prefix(UNFINISHED);
    drawn.is_some_and(|drawn| drawn.len() == 6 && drawn.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// Removes what was left unfinished in a folder, if that is there, by a process that was killed: nobody else may be at work in it.
///
/// # Errors
/// [`FileError::Write`].
pub fn sweep(folder: &Path) -> Result<(), FileError> {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(is_unfinished) {
            let path = entry.path();
            let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            removed.map_err(|source| FileError::write(&path, source))?;
        }
    }
    Ok(())
}

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

impl Seek for WholeFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.temporary.seek(to)
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
    fn what_was_left_unfinished_is_swept_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let mine = [".unfinished-a1B2c", ".unfinished-a1B2c34", ".unfinished-a1_2c3", ".unfinished-thoughts", "mine.csv"];
        for name in mine.iter().chain(&[".unfinished-a1B2c3"]) {
            fs::write(folder.path().join(name), "").unwrap();
        }
        fs::create_dir_all(folder.path().join(".unfinished-d4E5f6/below")).unwrap();
        sweep(folder.path()).unwrap();
        let mut left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, mine);
        sweep(&folder.path().join("nowhere")).unwrap();
    }

    #[test]
    fn a_remedy_fits_its_error() {
        let written = |source| FileError::write(Path::new("out/a"), source).to_string();
        assert!(written(io::Error::from(ErrorKind::StorageFull)).ends_with("free some space or choose another place with --out"));
        assert!(written(io::Error::from(ErrorKind::PermissionDenied)).ends_with("denied; choose another place with --out"));
        assert!(written(io::Error::from_raw_os_error(24)).ends_with("hold more files open, as `ulimit -n` does"));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_nowhere_is_called_that() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("out");
        std::os::unix::fs::symlink(folder.path().join("gone"), &link).unwrap();
        let refused = [make_folder(&link), write_whole(&link.join("a.csv"), b""), read_text(&link).map(|_| ())];
        for refused in refused.map(|refused| refused.unwrap_err().to_string()) {
            assert!(refused.contains("out is a link that leads nowhere"), "{refused}");
        }
    }

    #[test]
    fn what_is_too_large_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sparse");
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        let refused = read_text(&path).unwrap_err().to_string();
        assert!(refused.ends_with("sparse: it is larger than 1000 MB"), "{refused}");
        fs::write(&path, "whole").unwrap();
        assert_eq!(read_text_within(&path, 5).unwrap(), "whole");
        assert!(read_text_within(&path, 4).is_err());
    }

    #[test]
    fn a_folder_that_is_a_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        write_whole(&folder.path().join("file"), b"").unwrap();
        let refused = write_whole(&folder.path().join("file/below"), b"").unwrap_err().to_string();
        assert!(refused.starts_with("cannot write ") && refused.contains("/file"), "{refused}");
    }
}
