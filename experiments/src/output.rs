use std::io::{ErrorKind, Write, stdout};

use crate::Failure;

/// Writes a line, or several, to the standard output.
///
/// # Errors
/// [`Failure::ReaderGone`] where nobody reads on, as behind `| head`.
pub fn say(line: impl AsRef<str>) -> Result<(), Failure> {
    writeln!(stdout().lock(), "{}", without_control(line.as_ref())).map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => Failure::ReaderGone,
        _ => Failure::Usage(format!("cannot write to the standard output: {error}")),
    })
}

/// Most characters of a message: some lines of a terminal. What is cut is its middle, since it begins with the place and ends with the
/// remedy.
const MOST: usize = 480;

/// Characters that stay at its end.
const END: usize = 160;

/// A message as a terminal may show it: whole lines of text, whatever stood in a name or a file.
pub fn printable(message: &str) -> String {
    let message = without_control(message);
    let count = message.chars().count();
    if count <= MOST {
        return message;
    }
    let begin: String = message.chars().take(MOST - END).collect();
    let end: String = message.chars().skip(count - END).collect();
    format!("{begin} … {end}")
}

/// Text whose control characters, but for the ends of lines and tabulators, are written out.
fn without_control(text: &str) -> String {
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
