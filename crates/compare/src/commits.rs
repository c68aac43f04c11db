//! Commits one after the other, along first parents.

use serde::Serialize;

use crate::Mistake;
use crate::git::Repository;

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Commit {
    pub hash: String,
    /// Day on which it was committed.
    pub date: String,
    pub subject: String,
}

/// Two revisions with two dots between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range<'a> {
    pub from: &'a str,
    pub to: &'a str,
}

const FORMAT: &str = "--format=%H%x09%cs%x09%s";

impl<'a> Range<'a> {
    /// `A..B`, or `A..` for all up to HEAD; nothing where the text is no range.
    pub fn parse(text: &'a str) -> Option<Range<'a>> {
        let (from, to) = text.split_once("..")?;
        let is_path = from.is_empty() || from.contains('/') && std::path::Path::new(text).exists();
        let to = if to.is_empty() { "HEAD" } else { to };
        (!is_path && !to.starts_with('.') && !to.contains("..")).then_some(Range { from, to })
    }
}

impl Commit {
    /// From a line of git's log; its fields are apart by tabulators.
    fn parse(line: &str) -> Option<Commit> {
        let mut fields = line.splitn(3, '\t').map(str::to_owned);
        Some(Commit { hash: fields.next()?, date: fields.next()?, subject: fields.next()? })
    }

    pub fn short(&self) -> &str {
        self.hash.get(..9).unwrap_or(&self.hash)
    }
}

impl Repository {
    /// The commit of a revision with its day and subject.
    pub fn described(&self, revision: &str) -> Result<Commit, Mistake> {
        let commit = self.commit(revision).ok_or_else(|| Mistake::Unknown(revision.into()))?;
        let line = self.ask(&["log", "-1", FORMAT, &commit, "--"])?;
        Commit::parse(line.trim_end_matches('\n')).ok_or_else(|| Mistake::Internal(format!("git says nothing of {commit}")))
    }

    /// Commits that changed `results/` on the way from `from`, or from the first one, to `to` along first parents; oldest first.
    pub fn changes_of_results(&self, from: Option<&str>, to: &str) -> Result<Vec<Commit>, Mistake> {
        let peeled = |revision: &str| self.commit(revision).ok_or_else(|| Mistake::Unknown(revision.into()));
        let commits = match from {
            Some(from) => format!("{}..{}", peeled(from)?, peeled(to)?),
            None => peeled(to)?,
        };
        let log = self.ask(&["log", "--first-parent", "--reverse", FORMAT, &commits, "--", ":/results"])?;
        Ok(log.lines().filter_map(Commit::parse).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_told_from_revisions_and_folders() {
        assert_eq!(Range::parse("v0.1..main"), Some(Range { from: "v0.1", to: "main" }));
        assert_eq!(Range::parse("HEAD~3.."), Some(Range { from: "HEAD~3", to: "HEAD" }));
        for text in ["main", "../results", "..", "..main", "a...b", "src/..", "a..b..c"] {
            assert_eq!(Range::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_subject_may_hold_tabulators() {
        let commit = Commit::parse("0123456789abcdef\t2026-01-02\tone\ttwo").unwrap();
        assert_eq!((commit.short(), commit.date.as_str(), commit.subject.as_str()), ("012345678", "2026-01-02", "one\ttwo"));
        assert_eq!(Commit::parse("0123456789abcdef"), None);
    }
}
