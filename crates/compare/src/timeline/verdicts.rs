//! Claims by commits: the verdict as colour and sign.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use lab::judge::judged::Judged;

use super::markup::escaped;
use crate::history::Entry;

/// What was measured, every text once.
#[derive(Default)]
pub struct Texts {
    pub all: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Texts {
    fn number(&mut self, text: &str) -> usize {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        self.all.push(text.to_owned());
        self.numbers.insert(text.to_owned(), self.all.len() - 1);
        self.all.len() - 1
    }
}

/// Claims whose verdict changed, the latest change first, then the others.
pub fn bodies(entries: &[Entry], texts: &mut Texts) -> String {
    let claims: BTreeSet<(&str, &str)> = entries
        .iter()
        .flat_map(|entry| entry.verdicts.values())
        .map(|judged| (judged.study.as_str(), judged.claim.as_str()))
        .collect();
    // where a verdict changed for the last time
    let last_change = |claim: &str| {
        let verdicts: Vec<_> = entries.iter().map(|entry| entry.verdicts.get(claim).map(|judged| judged.verdict)).collect();
        verdicts.windows(2).rposition(|pair| pair[0].is_some() && pair[0] != pair[1])
    };
    let (mut changed, stayed): (Vec<_>, Vec<_>) = claims.into_iter().partition(|(_, claim)| last_change(claim).is_some());
    changed.sort_by_key(|(_, claim)| std::cmp::Reverse(last_change(claim)));
    let mut body = |class: &str, title: String, claims: &[(&str, &str)]| {
        let width = entries.len() + 1;
        let rows: String = claims.iter().map(|(study, claim)| row(entries, study, claim, texts)).collect();
        format!(
            "<tbody class=\"{class}\"><tr class=\"part\"><th scope=\"rowgroup\" colspan=\"{width}\">{title}</th></tr>\n{rows}</tbody>\n"
        )
    };
    let of_changed = body("changed", format!("<span>verdicts that changed: {}</span>", changed.len()), &changed);
    let toggle = format!(
        "<label><input type=\"checkbox\" id=\"all\"{}> verdicts that stayed: {}</label>",
        if changed.is_empty() { " checked" } else { "" },
        stayed.len()
    );
    of_changed + &body("stayed", toggle, &stayed)
}

fn row(entries: &[Entry], study: &str, claim: &str, texts: &mut Texts) -> String {
    let mut cells = String::new();
    let mut before: Option<&Judged> = None;
    for entry in entries {
        let judged = entry.verdicts.get(claim);
        cells += &match judged {
            None => "<td></td>".into(),
            Some(judged) => cell(judged, before, texts),
        };
        before = judged.or(before);
    }
    format!(
        "<tr><th scope=\"row\">{}<small>{}</small></th>{cells}</tr>\n",
        // an identifier may break behind its hyphens
        escaped(claim).replace('-', "-<wbr>"),
        escaped(study)
    )
}

fn cell(judged: &Judged, before: Option<&Judged>, texts: &mut Texts) -> String {
    let word = judged.verdict.to_string();
    let number = texts.number(&judged.measured);
    let flipped = before.is_some_and(|before| before.verdict != judged.verdict);
    let restated = before.is_some_and(|before| before.measured != judged.measured);
    let class = format!(
        "{}{}{}{}",
        word.replace([' ', ','], "-"),
        if flipped { " flipped" } else { "" },
        if restated && !flipped { " restated" } else { "" },
        if judged.is_preview() { " preview" } else { "" }
    );
    let was = before.filter(|_| flipped).map_or_else(String::new, |before| {
        format!(" data-was=\"{} {}\" data-old=\"{}\"", before.verdict.sign(), before.verdict, texts.number(&before.measured))
    });
    let title = if flipped || before.is_none() {
        format!(" title=\"{}\"", escaped(&format!("{word}: {}", judged.measured)))
    } else {
        String::new()
    };
    format!(
        "<td><button type=\"button\" class=\"{class}\" data-text=\"{number}\"{was} aria-label=\"{word}\"{title}>{}</button></td>",
        judged.verdict.sign()
    )
}

/// What the signs and marks mean, of verdicts that there are.
pub fn legend(entries: &[Entry]) -> String {
    let verdicts: BTreeMap<_, _> = entries
        .iter()
        .flat_map(|entry| entry.verdicts.values())
        .map(|judged| (judged.verdict, judged.verdict.to_string()))
        .collect();
    let sign = |(verdict, word): (lab::judge::claims::Verdict, String)| {
        format!("<li><span class=\"sign {}\">{}</span> {word}</li>\n", word.replace([' ', ','], "-"), verdict.sign())
    };
    let has_previews = entries.iter().flat_map(|entry| entry.verdicts.values()).any(Judged::is_preview);
    let preview =
        if has_previews { "<li><span class=\"sign preview\"></span> a preview, which judges nothing</li>\n" } else { "" };
    let signs: String = verdicts.into_iter().map(sign).collect();
    format!(
        "<ul class=\"legend\">\n{signs}<li><span class=\"sign flipped\"></span> changed here</li>\n\
         <li><span class=\"sign restated\"></span> other numbers</li>\n{preview}</ul>\n"
    )
}
