//! A history as one HTML file: claims by commits, rows that changed, work and times. It asks no network, and whatever comes from
//! a file or a commit is escaped.

mod bars;
mod commits;
mod markup;
mod verdicts;

use crate::history::{Entry, History};
use crate::history_report::three_lines;
use crate::page::Tone;
use lab::judge::page::COLOURS;
use markup::{escaped, script_data};
use verdicts::Texts;

/// The page.
pub fn page(history: &History) -> String {
    let entries = &history.entries;
    let title = match (entries.first(), entries.last()) {
        (Some(first), Some(last)) => format!("Results from {} to {}", first.label(), last.label()),
        _ => "Results".into(),
    };
    let mut texts = Texts::default();
    let verdicts = verdicts::bodies(entries, &mut texts);
    let [outcome, rows, judged] = three_lines(history).map(|line| escaped(&line));
    let tone = match Tone::of(history.outcome()) {
        Tone::Good | Tone::Plain => "good",
        Tone::Mixed => "mixed",
        Tone::Bad => "bad",
    };
    let (title, style, script) = (escaped(&title), include_str!("style.css"), include_str!("script.js"));
    let (head, bars, commits, legend) = (head(entries), bars::body(entries), commits::list(entries), verdicts::legend(entries));
    let data = script_data(&texts.all);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>\n{COLOURS}{style}</style>\n</head>\n<body>\n\
         <header>\n<h1>{title}</h1>\n<ul class=\"summary\">\n<li class=\"{tone}\">{outcome}</li>\n<li>{rows}</li>\n<li>{judged}</li>\n\
         </ul>\n</header>\n<main>\n{legend}\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"claims by commits\">\n<table>\n{head}{bars}{verdicts}</table>\n</div>\n\
         <output id=\"detail\" aria-live=\"polite\">Point at a cell, or tap it, for what was measured.</output>\n\
         <h2>Commits</h2>\n{commits}</main>\n\
         <script type=\"application/json\" id=\"texts\">{data}</script>\n<script>\n{script}</script>\n</body>\n</html>\n"
    )
}

/// The commits, a column each.
fn head(entries: &[Entry]) -> String {
    let column = |(k, entry): (usize, &Entry)| {
        let (day, subject) = entry.commit.as_ref().map_or(("", ""), |commit| (commit.date.as_str(), commit.subject.as_str()));
        let short = day.get(5..).unwrap_or(day);
        format!(
            "<th scope=\"col\" title=\"{}\"><a href=\"#commit-{k}\"><code>{}</code></a><span>{}</span></th>",
            escaped(&format!("{day} {subject}")),
            escaped(entry.label().get(..7).unwrap_or(entry.label())),
            escaped(short)
        )
    };
    let columns: String = entries.iter().enumerate().map(column).collect();
    format!("<thead><tr><th scope=\"col\">commit</th>{columns}</tr></thead>\n")
}
