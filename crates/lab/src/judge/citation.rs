//! What a work wants to be cited as: the lines of its `CITATION.cff` that an archive and an article repeat.

use thiserror::Error;

/// A work, in its own words.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Citation {
    pub title: String,
    /// Names of those who made it.
    pub authors: Vec<String>,
    pub version: String,
    /// As SPDX names it.
    pub license: String,
    pub keywords: Vec<String>,
}

/// A citation without one of its lines.
#[derive(Debug, Error)]
#[error("CITATION.cff has no {0}")]
pub struct CitationError(&'static str);

impl Citation {
    /// From the text of a `CITATION.cff`, of which the lines at its left margin and the lists below them are read.
    ///
    /// # Errors
    /// The first of these lines that is not there.
    pub fn parse(text: &str) -> Result<Citation, CitationError> {
        let value = |key: &'static str| {
            let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
            line.map(plain).filter(|value| !value.is_empty()).ok_or(CitationError(key))
        };
        let authors = listed(text, "authors").iter().filter_map(|line| line.strip_prefix("name:")).map(plain).collect::<Vec<_>>();
        if authors.is_empty() {
            return Err(CitationError("authors"));
        }
        let keywords = listed(text, "keywords").into_iter().map(plain).collect();
        Ok(Citation { title: value("title")?, authors, version: value("version")?, license: value("license")?, keywords })
    }
}

/// A value without the quotes around it.
fn plain(value: &str) -> String {
    value.trim().trim_matches(['"', '\'']).to_owned()
}

/// The items of a list, each by its first line.
fn listed<'a>(text: &'a str, key: &str) -> Vec<&'a str> {
    let lines = text.lines().skip_while(|line| line.strip_prefix(key) != Some(":")).skip(1);
    let below = lines.take_while(|line| line.starts_with([' ', '-']));
    below.filter_map(|line| Some(line.trim_start().strip_prefix("- ")?.trim())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "cff-version: 1.2.0\ntitle: \"A work: one\"\nauthors:\n  - name: The authors\n  - name: Another\nversion: 0.2.0\n\
                        license: MIT\nkeywords:\n  - cloth\nreferences:\n  - type: book\n    title: Another work\n";

    #[test]
    fn a_work_is_cited_in_its_own_words() {
        let work = Citation::parse(TEXT).unwrap();
        assert_eq!((work.title.as_str(), work.version.as_str(), work.license.as_str()), ("A work: one", "0.2.0", "MIT"));
        assert_eq!((work.authors, work.keywords), (vec!["The authors".to_owned(), "Another".into()], vec!["cloth".to_owned()]));
    }

    #[test]
    fn what_is_missing_is_named() {
        for (line, key) in [("title", "title"), ("authors", "authors"), ("version", "version"), ("license", "license")] {
            let text = TEXT.replace(&format!("\n{line}:"), "\nnothing:");
            assert_eq!(Citation::parse(&text).unwrap_err().to_string(), format!("CITATION.cff has no {key}"));
        }
    }
}
