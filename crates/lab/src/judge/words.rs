//! Numbers as words, and text of files as Markdown shows it.

use crate::judge::statistics::Interval;

/// Characters of what was measured after which the table of all claims leaves the rest to the section of the claim.
const BRIEF: usize = 160;

/// The beginning of what was measured, up to the last comma or semicolon among its first [`BRIEF`] characters, or to a space where
/// there is none; all of it where it is no longer.
pub(crate) fn in_brief(words: &str) -> String {
    let Some((end, _)) = words.char_indices().nth(BRIEF) else { return words.into() };
    let start = &words[..end];
    let cut = [", ", "; "].iter().filter_map(|mark| start.rfind(mark)).max().or_else(|| start.rfind(' ')).unwrap_or(end);
    format!("{} …", &start[..cut])
}

/// A number to three significant digits.
pub fn short(value: f64) -> String {
    let magnitude = value.abs();
    if magnitude == 0.0 {
        "0".into()
    } else if (1e-3..1e4).contains(&magnitude) {
        let decimals = 2 - libm::floor(libm::log10(magnitude)) as i32;
        format!("{value:.*}", decimals.max(0) as usize)
    } else {
        format!("{value:.2e}")
    }
}

/// A share in per cent, to one decimal.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A share with its 95 % interval, in per cent.
pub fn percent_within(share: f64, interval: Option<Interval>) -> String {
    let ends = interval.map(|Interval { low, high }| format!(" (95 %: {:.1} to {:.1} %)", 100.0 * low, 100.0 * high));
    percent(share) + &ends.unwrap_or_default()
}

/// A number with its 95 % interval, to three significant digits.
pub fn short_within(value: f64, interval: Option<Interval>) -> String {
    let ends = interval.map(|Interval { low, high }| format!(" (95 %: {} to {})", short(low), short(high)));
    short(value) + &ends.unwrap_or_default()
}

/// Text of a file as Markdown shows it, whatever it holds: nothing in it is markup.
pub fn literal(text: &str) -> String {
    let shown = |c: char| match c {
        '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' => format!("\\{c}"),
        '<' => "&lt;".into(),
        '&' => "&amp;".into(),
        c if c.is_control() => " ".into(),
        c => c.into(),
    };
    text.chars().map(shown).collect()
}

/// Text of a file within backticks, which nothing in it can end.
pub(crate) fn in_code(text: &str) -> String {
    text.chars().map(|c| if c == '`' || c.is_control() { ' ' } else { c }).collect()
}

/// Text of a file, which may hold Markdown, without what would be read as HTML: `<` where it begins a tag.
pub(crate) fn without_tags(text: &str) -> String {
    let mut shown = String::new();
    let mut parts = text.split('<');
    shown += parts.next().unwrap_or_default();
    for part in parts {
        let begins = part.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'));
        shown += if begins { "&lt;" } else { "<" };
        shown += part;
    }
    shown
}

/// A cell of a table in Markdown.
pub(crate) fn cell(text: &str) -> String {
    without_tags(text).replace('|', "\\|").replace('\n', " ")
}

/// Where the section of a claim is found.
pub(crate) fn anchor(id: &str) -> String {
    id.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_file_is_markup() {
        assert_eq!(cell("a <= b < c <script>|</b>"), "a <= b < c &lt;script>\\|&lt;/b>");
        assert_eq!(literal("a|b`c`<script>*x*\n[l](u)"), "a\\|b\\`c\\`&lt;script>\\*x\\* \\[l\\](u)");
        assert_eq!(literal("Intel(R) Xeon(R), 2.66 GHz"), "Intel(R) Xeon(R), 2.66 GHz");
        assert_eq!(in_code("my`.toml\n"), "my .toml ");
    }

    #[test]
    fn numbers_are_short() {
        for (value, text) in
            [(0.3456, "0.346"), (2.6912, "2.69"), (137.2, "137"), (1e-5, "1.00e-5"), (0.0, "0"), (-12.34, "-12.3"), (1.0, "1.00")]
        {
            assert_eq!(short(value), text);
        }
    }

    #[test]
    fn long_words_are_cut_between_their_parts() {
        let brief = "0.93 at 5 %, of 12";
        assert_eq!(in_brief(brief), brief);
        let exact = "x".repeat(BRIEF);
        assert_eq!(in_brief(&exact), exact);
        let part = "ü".repeat(60);
        assert_eq!(in_brief(&format!("{part}, {part}; {part}, {part}")), format!("{part}, {part} …"));
        assert_eq!(in_brief(&format!("{part} {part} {part} {part}")), format!("{part} {part} …"));
        assert_eq!(in_brief(&"x".repeat(BRIEF + 1)), format!("{exact} …"));
    }
}
