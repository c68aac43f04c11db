//! Numbers and findings as words, and text of files as Markdown shows it.

use crate::judge::claims::Finding;
use crate::judge::statistics::Interval;

/// What was measured, in words; with the interval only where they have a single number, which is the value that it belongs to.
pub(crate) fn measured(finding: &Finding) -> String {
    let words = &finding.measured;
    let (Some(value), Some(interval)) = (finding.value, finding.interval) else { return words.clone() };
    let numbers: Vec<&str> = words.split([' ', ',', ';', ':', '(', ')']).filter(|word| word.contains(char::is_numeric)).collect();
    match numbers[..] {
        [number] if number == short(value) && !words.contains('%') => {
            format!("{words} (95 %: {} to {})", short(interval.low), short(interval.high))
        }
        [number] if words.contains(&percent(value)) && percent(value).starts_with(number) => {
            format!("{words} (95 %: {:.1} to {:.1} %)", 100.0 * interval.low, 100.0 * interval.high)
        }
        _ => words.clone(),
    }
}

/// Characters of what was measured after which the table of all claims leaves the rest to the section of the claim.
const BRIEF: usize = 160;

/// The beginning of what was measured, up to the last comma or semicolon among its first [`BRIEF`] characters, or to a space where there is
/// none; all of it where it is no longer.
pub(crate) fn in_brief(words: &str) -> String {
    let Some((end, _)) = words.char_indices().nth(BRIEF) else { return words.into() };
    let start = &words[..end];
    let cut = [", ", "; "].iter().filter_map(|mark| start.rfind(mark)).max().or_else(|| start.rfind(' ')).unwrap_or(end);
    format!("{} …", &start[..cut])
}

/// The number on which the verdict rests, with its interval, where it has one.
pub(crate) fn number_judged(finding: &Finding) -> Option<String> {
    Some(short_within(finding.value?, Some(finding.interval?)))
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

/// A share with its interval, in per cent.
pub fn percent_within(share: f64, interval: Option<Interval>) -> String {
    let ends = interval.map_or_else(String::new, |i| format!(" (95 %: {:.1} to {:.1} %)", 100.0 * i.low, 100.0 * i.high));
    percent(share) + &ends
}

/// A number with its interval, to three significant digits.
pub fn short_within(value: f64, interval: Option<Interval>) -> String {
    let ends = interval.map_or_else(String::new, |i| format!(" (95 %: {} to {})", short(i.low), short(i.high)));
    short(value) + &ends
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
    use crate::judge::claims::Verdict;

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

    #[test]
    fn an_interval_stands_only_behind_the_number_that_it_belongs_to() {
        let finding = |words: &str, value: f64, [low, high]: [f64; 2]| Finding {
            verdict: Verdict::Reproduced,
            measured: words.into(),
            value: Some(value),
            interval: Some(Interval { low, high }),
            cases: 10,
            left_out: 0,
            reason: String::new(),
            readings: vec![],
        };
        for (words, value, interval) in [
            ("above 700 particles -10.5 %; below -5.1 % and -33.7 %", -0.10514, [-0.119, -0.0915]),
            ("0.938 times as dense", -0.0642, [-0.501, 0.453]),
            ("+1.1 % time in the median sheet", 1.0113, [0.905, 1.03]),
            ("0.256 (95 %: 0.216 to 0.289); 0.242", 0.2556, [0.216, 0.289]),
            ("-1.2 % (95 %: -3.7 to -0.7 %) longer", -0.0118, [-0.0373, -0.00746]),
            ("0.177 at 10.0 %, 0.347 at 5.00 %", 0.0463, [-0.0745, 0.157]),
            ("41.1 % of the sets; median 0.213 h, largest 25.2 h", 0.4115, [0.362, 0.461]),
            ("1.4 % fewer", -0.014, [-0.021, -0.009]),
            ("0.500 % fewer", 0.5, [0.4, 0.6]),
        ] {
            let finding = finding(words, value, interval);
            assert_eq!(measured(&finding), words);
            assert!(number_judged(&finding).unwrap().starts_with(&short(value)));
        }
        let times = finding("1.91 times as fast, in the median over sheets", 1.9146, [1.61, 2.35]);
        assert_eq!(measured(&times), "1.91 times as fast, in the median over sheets (95 %: 1.61 to 2.35)");
        let share = finding("saves 75.6 % of the runs", 0.7556, [0.644, 0.867]);
        assert_eq!(measured(&share), "saves 75.6 % of the runs (95 %: 64.4 to 86.7 %)");
        let rows = finding("-1.4 % rows multiplied", -0.01437, [-0.0209, -0.00869]);
        assert_eq!(measured(&rows), "-1.4 % rows multiplied (95 %: -2.1 to -0.9 %)");
    }
}
