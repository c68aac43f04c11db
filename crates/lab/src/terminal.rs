//! Text as a terminal may show it.

/// Most characters of a message: some lines of a terminal. What is cut is its middle, since it begins with the place and ends with the
/// remedy.
const MOST: usize = 480;

/// A message as a terminal may show it: whole lines of text, whatever stood in a name or a file.
pub fn printable(message: &str) -> String {
    shortened(&without_control(message), MOST)
}

/// A text of at most so many characters, three of them for what is cut out of its middle; a third of the others stays at its end.
pub fn shortened(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let kept = most - 3;
    let begin: String = text.chars().take(kept - kept / 3).collect();
    let end: String = text.chars().skip(count - kept / 3).collect();
    format!("{begin} … {end}")
}

/// Text whose control characters, but for the ends of lines and tabulators, are written out.
pub fn without_control(text: &str) -> String {
    let written = |c: char| match c {
        '\n' | '\t' => c.to_string(),
        c if c.is_control() => c.escape_default().to_string(),
        c => c.to_string(),
    };
    if text.chars().any(char::is_control) { text.chars().map(written).collect() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_message_commands_the_terminal() {
        assert_eq!(printable("a\u{1b}[31mb\u{7}"), "a\\u{1b}[31mb\\u{7}");
        assert_eq!(printable("two\nlines"), "two\nlines");
    }

    #[test]
    fn a_long_message_keeps_its_place_and_its_remedy() {
        let long = format!("scene.toml, line 3: {}; shorten it", "x".repeat(10_000));
        let shown = printable(&long);
        assert!(shown.starts_with("scene.toml, line 3: ") && shown.ends_with("; shorten it"), "{shown}");
        assert!(shown.chars().count() < 500);
    }
}
