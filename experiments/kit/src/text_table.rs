//! Tables of text, as Markdown for reports and in columns for a terminal.

use crate::judging::table;

/// Between two columns.
const GAP: &str = "  ";

/// Heads, and lines of as many cells.
#[derive(Clone, Debug, PartialEq)]
pub struct TextTable {
    heads: Vec<String>,
    lines: Vec<Vec<String>>,
}

impl TextTable {
    pub fn new(heads: &[&str], lines: impl IntoIterator<Item = Vec<String>>) -> TextTable {
        TextTable { heads: heads.iter().map(|head| (*head).to_owned()).collect(), lines: lines.into_iter().collect() }
    }

    /// Whether it has heads alone.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Without columns in which no line has a word.
    pub fn without_empty_columns(mut self) -> TextTable {
        let kept: Vec<bool> = (0..self.heads.len()).map(|k| self.lines.iter().any(|line| !line[k].is_empty())).collect();
        for line in self.lines.iter_mut().chain([&mut self.heads]) {
            let mut kept = kept.iter();
            line.retain(|_| kept.next() == Some(&true));
        }
        self
    }

    pub fn markdown(&self) -> String {
        let heads: Vec<&str> = self.heads.iter().map(String::as_str).collect();
        table(&heads, self.lines.iter().cloned())
    }

    /// Columns under each other, at most so many characters wide where their longest words let them: the cells of the widest
    /// columns go on below.
    pub fn aligned(&self, most: usize) -> String {
        let rows = || std::iter::once(&self.heads).chain(&self.lines);
        let longest = |k: usize, of: fn(&str) -> usize| rows().map(|row| of(&row[k])).max().unwrap_or(0);
        let least: Vec<usize> = (0..self.heads.len()).map(|k| longest(k, longest_word)).collect();
        let mut widths: Vec<usize> = (0..self.heads.len()).map(|k| longest(k, length)).collect();
        let room = most.saturating_sub(GAP.len() * widths.len().saturating_sub(1));
        while widths.iter().sum::<usize>() > room {
            let wider = (0..widths.len()).filter(|k| widths[*k] > least[*k]);
            let Some(widest) = wider.max_by_key(|k| widths[*k]) else { break };
            widths[widest] -= 1;
        }
        rows().flat_map(|row| under_each_other(row, &widths)).collect::<Vec<_>>().join("\n")
    }
}

/// A row of cells in lines of these widths.
fn under_each_other(row: &[String], widths: &[usize]) -> Vec<String> {
    let cells: Vec<Vec<String>> = row.iter().zip(widths).map(|(cell, width)| wrapped(cell, *width)).collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    let line = |k: usize| {
        let padded = cells.iter().zip(widths).map(|(lines, width)| {
            let text = lines.get(k).map_or("", String::as_str);
            format!("{text}{}", " ".repeat(width - length(text)))
        });
        padded.collect::<Vec<_>>().join(GAP).trim_end().to_owned()
    };
    (0..height).map(line).collect()
}

/// A text in lines of at most so many characters, but for words that are longer; at least one.
pub fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => *line += word,
            Some(line) if length(line) + 1 + length(word) <= most => *line += &format!(" {word}"),
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

fn length(text: &str) -> usize {
    text.chars().count()
}

fn longest_word(text: &str) -> usize {
    text.split(' ').map(length).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> TextTable {
        let line = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        TextTable::new(&["method", "passes", "of"], [line(["a rather long name", "✓ 2 %", ""]), line(["b", "no", ""])])
    }

    #[test]
    fn columns_stand_under_each_other() {
        let wide = sample().without_empty_columns().aligned(usize::MAX);
        assert_eq!(wide, "method              passes\na rather long name  ✓ 2 %\nb                   no");
        assert_eq!(sample().aligned(usize::MAX).lines().next(), Some("method              passes  of"));
    }

    #[test]
    fn cells_that_are_too_wide_go_on_below() {
        let table = sample().without_empty_columns();
        assert_eq!(table.aligned(20), "method        passes\na rather      ✓ 2 %\nlong name\nb             no");
        let narrowest = table.aligned(1);
        assert_eq!(narrowest.lines().map(length).max(), Some("rather  passes".len()), "{narrowest}");
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("", 7), [""]);
    }

    #[test]
    fn markdown_has_all_columns() {
        assert_eq!(sample().markdown().lines().last(), Some("| b | no |  |"));
    }
}
