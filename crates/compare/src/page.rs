//! Text for people: aligned for a terminal, in colour where it has some, or Markdown.

use lab::terminal::{printable, shortened, without_control};

use crate::outcome::Outcome;

/// A part of a page.
pub enum Block {
    /// What the page is about.
    Title(String),
    /// A line of the summary, or a reason.
    Item(Tone, String),
    Line(String),
    Grid(Vec<&'static str>, Vec<Vec<String>>),
    /// Details under a heading, which Markdown folds.
    Part(String, Vec<Block>),
}

/// How good a line is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Tone {
    Plain,
    Good,
    Mixed,
    Bad,
}

impl Tone {
    pub fn of(outcome: Outcome) -> Tone {
        match outcome {
            Outcome::Same => Tone::Good,
            Outcome::NoRegression => Tone::Mixed,
            Outcome::Regression | Outcome::DeterminismBroken => Tone::Bad,
        }
    }

    fn escape(self) -> &'static str {
        match self {
            Tone::Plain => "",
            Tone::Good => "\u{1b}[32m",
            Tone::Mixed => "\u{1b}[33m",
            Tone::Bad => "\u{1b}[31m",
        }
    }
}

const BOLD: &str = "\u{1b}[1m";
const END: &str = "\u{1b}[0m";

/// Most characters of a cell on a terminal.
const WIDEST: usize = 60;

/// The page for a terminal, which nothing that stood in a file commands.
pub fn text(blocks: &[Block], colour: bool) -> String {
    let line = |text: &str| printable(&text.replace('\n', " "));
    let cell = |text: &String| shortened(&without_control(&text.replace(['\n', '\t'], " ")), WIDEST);
    let painted = |escape: &str, text: String| if colour && !escape.is_empty() { format!("{escape}{text}{END}") } else { text };
    let mut page = String::new();
    for block in blocks {
        match block {
            Block::Title(text) => page += &format!("{}\n", painted(BOLD, line(text))),
            Block::Item(tone, text) => page += &format!("  {}\n", painted(tone.escape(), line(text))),
            Block::Line(text) => page += &format!("  {}\n", line(text)),
            Block::Grid(header, rows) => {
                let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(cell).collect()).collect();
                page += &aligned(header, &rows);
            }
            Block::Part(title, blocks) => {
                page += &format!("\n{}\n", painted(BOLD, line(title)));
                page += &text(blocks, colour);
            }
        }
    }
    page
}

/// The page as Markdown, as a comment of a pull request shows it: parts are folded.
pub fn markdown(blocks: &[Block]) -> String {
    let cell = |text: &str| text.replace(char::is_control, " ").replace('|', "\\|").replace('&', "&amp;").replace('<', "&lt;");
    let mut page = String::new();
    let mut in_list = false;
    for block in blocks {
        if in_list && !matches!(block, Block::Item(..)) {
            page.push('\n');
        }
        in_list = matches!(block, Block::Item(..));
        match block {
            Block::Title(line) => page += &format!("# {}\n\n", cell(line)),
            Block::Item(_, line) => page += &format!("- {}\n", cell(line)),
            Block::Line(line) => page += &format!("{}\n\n", cell(line)),
            Block::Grid(header, rows) => {
                page += &format!("| {} |\n|{}\n", header.join(" | "), " --- |".repeat(header.len()));
                for row in rows {
                    page += &format!("| {} |\n", row.iter().map(|text| cell(text)).collect::<Vec<_>>().join(" | "));
                }
                page.push('\n');
            }
            Block::Part(title, blocks) => {
                let inside = markdown(blocks);
                page += &format!("<details>\n<summary>{}</summary>\n\n{inside}\n</details>\n\n", cell(title));
            }
        }
    }
    page.trim_end().to_owned() + "\n"
}

fn aligned(header: &[&str], rows: &[Vec<String>]) -> String {
    let length = |text: &str| text.chars().count();
    let widths: Vec<usize> = (0..header.len())
        .map(|k| rows.iter().map(|row| length(&row[k])).chain([length(header[k])]).max().unwrap_or_default())
        .collect();
    let line = |cells: Vec<&str>| {
        let cells = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell}{}", " ".repeat(width - length(cell))));
        format!("    {}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    let body: String = rows.iter().map(|row| line(row.iter().map(String::as_str).collect())).collect();
    line(header.to_vec()) + &body
}

/// Lines of a summary, the first one on an outcome.
pub fn summary(outcome: Outcome, lines: [String; 3]) -> impl Iterator<Item = Block> {
    [Tone::of(outcome), Tone::Plain, Tone::Plain].into_iter().zip(lines).map(|(tone, line)| Block::Item(tone, line))
}

/// Numbers above zero with their words, in a list; nothing where all are zero.
pub fn counts_in_words(counts: [(usize, &str); 5]) -> Option<String> {
    let told: Vec<String> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    (!told.is_empty()).then(|| told.join(", "))
}

/// A line on what has these names, where there are any.
pub fn add_names(blocks: &mut Vec<Block>, what: &str, names: &[String]) {
    if !names.is_empty() {
        blocks.push(Block::Line(format!("{what}: {}", names.join(", "))));
    }
}

/// A relative change.
pub fn percent(change: f64) -> String {
    let percent = change * 100.0;
    match percent.abs() {
        0.0 => "0 %".into(),
        small if small < 0.01 => format!("{percent:+.1e} %"),
        large if large >= 1e4 => format!("{percent:+.1e} %"),
        _ => format!("{percent:+.2} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Vec<Block> {
        let grid = Block::Grid(vec!["column", "rows"], vec![vec!["a|b".into(), "2".into()]]);
        let items = [Block::Item(Tone::Bad, "worse \u{1b}[31m<b>".into()), Block::Item(Tone::Plain, "rows: 2".into())];
        let part = Block::Part("study".into(), vec![Block::Line("a line".into()), grid]);
        [Block::Title("A against B".into())].into_iter().chain(items).chain([part]).collect()
    }

    #[test]
    fn colour_is_ours_alone() {
        let plain = text(&page(), false);
        assert_eq!(plain, "A against B\n  worse \\u{1b}[31m<b>\n  rows: 2\n\nstudy\n  a line\n    column  rows\n    a|b     2\n");
        let coloured = text(&page(), true);
        assert!(coloured.starts_with("\u{1b}[1mA against B\u{1b}[0m\n  \u{1b}[31mworse \\u{1b}[31m<b>\u{1b}[0m\n  rows: 2\n"));
    }

    #[test]
    fn parts_are_folded_in_markdown() {
        let expected = "# A against B\n\n- worse  [31m&lt;b>\n- rows: 2\n\n<details>\n<summary>study</summary>\n\na line\n\n\
                        | column | rows |\n| --- | --- |\n| a\\|b | 2 |\n\n</details>\n";
        assert_eq!(markdown(&page()), expected);
    }

    #[test]
    fn changes_are_shown_with_their_sign() {
        assert_eq!([0.0, 1.0, -0.5, 1e-6, 200.0].map(percent), ["0 %", "+100.00 %", "-50.00 %", "+1.0e-4 %", "+2.0e4 %"]);
    }
}
