//! Texts of others, as they can stand in what we write.

use lab::terminal::{shortened, without_control};

/// A text in one line of at most so many characters.
pub fn in_a_line(text: &str, most: usize) -> String {
    shortened(&without_control(&text.split_whitespace().collect::<Vec<_>>().join(" ")), most)
}

/// A text as Markdown that says the same: no element, link, code or cell begins in it.
pub fn markdown(text: &str) -> String {
    let written = |c: char| match c {
        '&' => "&amp;".into(),
        '<' => "&lt;".into(),
        '\\' | '`' | '[' | ']' | '|' | '*' | '_' | '#' | '!' => format!("\\{c}"),
        c if c.is_control() => " ".into(),
        c => c.to_string(),
    };
    text.chars().map(written).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_others_begin_nothing() {
        assert_eq!(markdown("<script>`a|b`\n[c](d) & \\"), "&lt;script>\\`a\\|b\\` \\[c\\](d) &amp; \\\\");
        assert_eq!(markdown("rk4 + 0.5: fast-projection"), "rk4 + 0.5: fast-projection");
        assert_eq!(in_a_line(" a\r\n\tb \u{1b}[31m", 99), "a b \\u{1b}[31m");
        assert_eq!(in_a_line(&"x".repeat(999), 20).chars().count(), 20);
    }
}
