//! Small repositories, made with git in a temporary folder.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use tempfile::TempDir;

/// A repository in a folder of its own.
pub struct Repository {
    folder: TempDir,
}

impl Repository {
    pub fn new() -> Repository {
        let repository = Repository { folder: tempfile::tempdir().expect("a temporary folder") };
        repository.git(&["init", "--quiet", "--initial-branch=main"]);
        repository.write("README.md", "a repository\n");
        repository
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a file in a folder")).expect("a writable folder");
        fs::write(path, text).expect("a writable folder");
    }

    pub fn git(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("git");
        command.current_dir(self.folder.path()).args(["-c", "user.name=n", "-c", "user.email=e@x", "-c", "commit.gpgsign=false"]);
        let output = command.args(arguments).output().expect("git");
        assert!(output.status.success(), "git {arguments:?}: {output:?}");
        String::from_utf8(output.stdout).expect("text").trim().to_owned()
    }

    /// Commits everything and gives the commit.
    pub fn commit(&self) -> String {
        self.commit_as("m")
    }

    /// Commits everything with a subject.
    pub fn commit_as(&self, subject: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", subject]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Runs compare in the repository.
    pub fn compare(&self, arguments: &[&str]) -> Said {
        let mut command = Command::new(env!("CARGO_BIN_EXE_compare"));
        let output =
            command.current_dir(self.folder.path()).env_remove("CARGO_TARGET_DIR").args(arguments).output().expect("compare");
        Said(output)
    }
}

/// What compare said.
pub struct Said(Output);

impl Said {
    #[track_caller]
    pub fn exits(self, code: i32) -> Said {
        assert_eq!(self.0.status.code(), Some(code), "{}{}", self.out(), self.err());
        self
    }

    #[track_caller]
    pub fn has(self, words: &[&str]) -> Said {
        words.iter().for_each(|word| assert!(self.out().contains(word), "no {word:?} in\n{}", self.out()));
        self
    }

    #[track_caller]
    pub fn lacks(self, words: &[&str]) -> Said {
        words.iter().for_each(|word| assert!(!self.out().contains(word), "{word:?} in\n{}", self.out()));
        self
    }

    /// Refused with exit code 2 and one line that has these words.
    #[track_caller]
    pub fn refuses(self, words: &[&str]) {
        let said = self.exits(2);
        let error = said.err();
        let line: Vec<&str> = error.lines().filter(|line| line.starts_with("error: ")).collect();
        assert!(line.len() == 1 && error.trim_end().ends_with(line[0]), "{error}");
        words.iter().for_each(|word| assert!(line[0].contains(word), "no {word:?} in {error}"));
        assert!(said.out().is_empty());
    }

    pub fn out(&self) -> String {
        String::from_utf8_lossy(&self.0.stdout).into_owned()
    }

    pub fn err(&self) -> String {
        String::from_utf8_lossy(&self.0.stderr).into_owned()
    }
}
