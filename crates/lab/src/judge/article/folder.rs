//! The folder of an article: its files get their names together, and nothing of somebody else is replaced.

use std::path::{Path, PathBuf};

use crate::files::{FileError, read_text};
use crate::judge::article::{Article, BEGINS, PDF, SOURCE};
use crate::places::PublishError;
use crate::staged::Staged;

/// The folder of an article, while it is written.
pub struct Folder {
    path: PathBuf,
    staged: Staged,
    /// Files of a former article.
    former: Vec<String>,
}

impl Folder {
    /// Writes an article into a folder, made if need be; its files have no names there as yet.
    ///
    /// # Errors
    /// A file of somebody else where one of them would be, a folder that cannot be written.
    pub fn write(path: &Path, article: &Article) -> Result<Folder, PublishError> {
        let source = path.join(SOURCE);
        let former = if source.symlink_metadata().is_ok() {
            let text = read_text(&source).ok().filter(|text| text.starts_with(BEGINS));
            files(&text.ok_or_else(|| PublishError::ForeignReport { path: source.clone() })?)
        } else {
            vec![]
        };
        let wanted = article.figures.iter().map(|(name, _)| name.as_str()).chain([PDF]);
        let mut others = wanted.filter(|name| !former.iter().any(|file| file == name)).map(|name| path.join(name));
        if let Some(path) = others.find(|path| path.symlink_metadata().is_ok()) {
            return Err(PublishError::ForeignReport { path });
        }
        let mut staged = Staged::new(path)?;
        for (name, picture) in &article.figures {
            staged.write(name, picture)?;
        }
        staged.write(SOURCE, &article.source)?;
        Ok(Folder { path: path.into(), staged, former })
    }

    /// Where its files are so far.
    pub fn unnamed(&self) -> PathBuf {
        self.staged.staged()
    }

    /// Takes what a typesetter made of it, so that it gets its name with the others.
    pub fn typeset(&mut self) {
        self.staged.take(PDF);
    }

    /// Gives all files their names and removes those of a former article that are no longer made; where the source is.
    ///
    /// # Errors
    /// A folder that cannot be written.
    pub fn publish(self) -> Result<PathBuf, FileError> {
        self.staged.publish(self.former.iter().map(String::as_str))?;
        Ok(self.path.join(SOURCE))
    }
}

/// The files of a former article by its own words: plain names alone, so that nothing outside of its folder is among them.
fn files(source: &str) -> Vec<String> {
    let line = source.strip_prefix(BEGINS).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let named = line.split_whitespace().filter(|name| name.ends_with(".svg") && !name.contains(['/', '\\']));
    named.map(str::to_owned).chain([PDF.to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn article(name: &str) -> Article {
        Article { source: format!("{BEGINS} {name}\n\ntext\n"), figures: vec![(name.to_owned(), "<svg/>".into())] }
    }

    #[test]
    fn an_article_replaces_a_former_one_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let names = || {
            let mut names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            names.sort();
            names
        };
        let write = |name| Folder::write(folder.path(), &article(name)).map(|written| written.publish().unwrap());
        fs::write(folder.path().join("mine.svg"), "mine").unwrap();
        write("a.svg").unwrap();
        fs::write(folder.path().join(PDF), "of the former one").unwrap();
        write("b.svg").unwrap();
        assert_eq!(names(), [SOURCE, "b.svg", "mine.svg"], "what was made of the former one is gone with it");
        let refused = write("mine.svg").unwrap_err().to_string();
        assert!(refused.contains("mine.svg is there, and was not written by this program; "), "{refused}");
        fs::write(folder.path().join(SOURCE), "= Mine\n").unwrap();
        let refused = write("b.svg").unwrap_err().to_string();
        assert!(refused.contains("article.typ is there, and was not written by this program; "), "{refused}");
        assert_eq!(names(), [SOURCE, "b.svg", "mine.svg"]);
        assert_eq!(fs::read_to_string(folder.path().join("mine.svg")).unwrap(), "mine");
    }

    #[test]
    fn nothing_outside_of_the_folder_is_among_its_files() {
        assert_eq!(files(&format!("{BEGINS} a.svg ../b.svg c\\d.svg e.txt\n")), ["a.svg", PDF]);
    }
}
