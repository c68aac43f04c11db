//! What git is asked: revisions, committed files, the state of a checkout.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lab::provenance::BUT_RESULTS;

use crate::Mistake;
use crate::contents::{Blobs, Contents, Files};

/// A checkout.
#[derive(Clone, Debug)]
pub struct Repository {
    /// Its top folder.
    pub root: PathBuf,
}

impl Repository {
    /// The checkout around a folder.
    pub fn around(folder: &Path) -> Result<Repository, Mistake> {
        let root = ask(folder, &["rev-parse", "--show-toplevel"])?;
        Ok(Repository { root: root.trim_end_matches(['\n', '\r']).into() })
    }

    /// The commit of a revision, if there is such a one.
    pub fn commit(&self, revision: &str) -> Option<String> {
        let peeled = format!("{revision}^{{commit}}");
        let commit = self.ask(&["rev-parse", "--verify", "--quiet", "--end-of-options", &peeled]).ok()?;
        Some(commit.trim().to_owned())
    }

    /// The first of the changes that are not committed, results, plots and the report aside.
    pub fn first_change(&self) -> Result<Option<String>, Mistake> {
        let status = self.ask(&[&["status", "--porcelain", "--"], &BUT_RESULTS[..]].concat())?;
        Ok(status.lines().next().map(|line| line.trim().to_owned()))
    }

    /// The committed files below a folder for which `wanted` holds, by their path inside it.
    pub fn files(&self, commit: &str, folder: &str, blobs: &mut Blobs, wanted: impl Fn(&str) -> bool) -> Result<Files, Mistake> {
        let listed = self.ask(&["ls-tree", "-r", "-z", "--full-tree", commit, "--", &format!("{folder}/")])?;
        let entry = |line: &str| {
            let (about, path) = line.split_once('\t')?;
            let path = path.strip_prefix(folder)?.strip_prefix('/')?;
            let [_, "blob", object] = about.split(' ').collect::<Vec<_>>()[..] else { return None };
            wanted(path).then(|| (path.to_owned(), object.to_owned()))
        };
        let entries: Vec<(String, String)> = listed.split('\0').filter_map(entry).collect();
        let unknown: BTreeSet<&str> =
            entries.iter().map(|(_, object)| object.as_str()).filter(|object| blobs.get(object).is_none()).collect();
        self.read(unknown, blobs)?;
        Ok(entries.into_iter().filter_map(|(path, object)| Some((path, blobs.get(&object)?))).collect())
    }

    /// Reads objects into `blobs`.
    fn read(&self, objects: BTreeSet<&str>, blobs: &mut Blobs) -> Result<(), Mistake> {
        if objects.is_empty() {
            return Ok(());
        }
        let fail = |reason: String| Mistake::Git { folder: self.root.clone(), reason };
        let mut child = Command::new("git")
            .arg("-C")
            .arg(&self.root)
            .args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| fail(error.to_string()))?;
        let asked: String = objects.iter().map(|object| format!("{object}\n")).collect();
        let (Some(mut stdin), Some(mut stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Mistake::Internal("git cat-file has no pipes".into()));
        };
        // git answers while it is asked; a write that fails leaves the answer short, which is seen below
        let writer = std::thread::spawn(move || stdin.write_all(asked.as_bytes()));
        let mut answer = vec![];
        stdout.read_to_end(&mut answer).map_err(|error| fail(error.to_string()))?;
        _ = writer.join();
        child.wait().map_err(|error| fail(error.to_string()))?;
        let mut rest = &answer[..];
        for object in objects {
            // "<object> blob <size>\n<contents>\n"
            let blob = || {
                let end = rest.iter().position(|byte| *byte == b'\n')?;
                let size: usize = std::str::from_utf8(&rest[..end]).ok()?.rsplit(' ').next()?.parse().ok()?;
                Some((rest.get(end + 1..end + 1 + size)?, rest.get(end + 2 + size..)?))
            };
            let (contents, after) = blob().ok_or_else(|| fail(format!("object {object} cannot be read")))?;
            blobs.keep(object.to_owned(), Contents::new(contents.to_vec()));
            rest = after;
        }
        Ok(())
    }

    /// The answer of git in this checkout.
    pub fn ask(&self, arguments: &[&str]) -> Result<String, Mistake> {
        ask(&self.root, arguments)
    }
}

fn ask(folder: &Path, arguments: &[&str]) -> Result<String, Mistake> {
    let fail = |reason: String| Mistake::Git { folder: folder.to_owned(), reason };
    let output = Command::new("git").arg("-C").arg(folder).args(arguments).output();
    let output = output.map_err(|error| fail(error.to_string()))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let line = said.lines().next().unwrap_or("no answer");
        return Err(fail(line.trim_start_matches("fatal: ").to_owned()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn results_plots_and_both_forms_of_the_report_are_no_changes() {
        let folder = tempfile::tempdir().unwrap();
        let git = |arguments: &[&str]| ask(folder.path(), arguments).unwrap();
        let files = ["results/study/cases.csv", "plots/study/chart.svg", "REPORT.md", "REPORT.html", "README.md"];
        let write = |text: &str, files: &[&str]| {
            for file in files {
                let path = folder.path().join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
        };
        git(&["init", "--quiet"]);
        write("former", &files);
        git(&["add", "."]);
        git(&["-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false", "commit", "--quiet", "-m", "all"]);
        let repository = Repository { root: folder.path().into() };
        write("new", &files[..4]);
        assert_eq!(repository.first_change().unwrap(), None);
        write("new", &files);
        assert_eq!(repository.first_change().unwrap().as_deref(), Some("M README.md"));
    }
}
