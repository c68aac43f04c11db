//! Text as a terminal may show it.

use std::env;
use std::io::{IsTerminal, stderr, stdout};
use std::sync::atomic::{AtomicBool, Ordering};

use console::{Style, Term};

/// Most characters of a message that no terminal shows, as in a pipe or a file.
const MOST: usize = 480;

/// Columns of a terminal that does not tell its width.
const COLUMNS: usize = 120;

/// Columns below which a terminal breaks a message in two: less of it would say nothing.
const FEWEST: usize = 80;

/// Fewest characters that a value in a message is shortened to.
const VALUE: usize = 16;

/// What stands before the message of an error.
const ERROR: &str = "error: ";

static QUIET: AtomicBool = AtomicBool::new(false);

/// From now on this process shows neither progress nor notes; results and errors stay.
pub fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// True if neither progress nor notes are to be shown.
pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Colours of words on a terminal.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Ink {
    /// Green, for what holds.
    Good,
    /// Yellow, for what holds in part or cannot be told, and for warnings.
    Fair,
    /// Red, for what does not hold, and for errors.
    Bad,
}

/// Text in a colour, where the standard output shows colours.
pub fn inked(text: &str, ink: Ink) -> String {
    dyed(text, ink, is_coloured(stdout().is_terminal(), |name| env::var(name).ok()))
}

fn dyed(text: &str, ink: Ink, coloured: bool) -> String {
    let style = match ink {
        Ink::Good => Style::new().green(),
        Ink::Fair => Style::new().yellow(),
        Ink::Bad => Style::new().red().bold(),
    };
    if coloured { style.force_styling(true).apply_to(text).to_string() } else { text.to_owned() }
}

/// True if a stream shows colours: on a terminal that has them, unless NO_COLOR asks for none (no-color.org).
fn is_coloured(terminal: bool, variable: impl Fn(&str) -> Option<String>) -> bool {
    terminal && variable("NO_COLOR").is_none_or(|text| text.is_empty()) && variable("TERM").is_none_or(|term| term != "dumb")
}

/// The message of an error as one line that fits the terminal of the standard error, whatever stood in a name or a file.
pub fn error_line(message: &str) -> String {
    let most = if stderr().is_terminal() { width(&Term::stderr()) } else { MOST };
    let coloured = is_coloured(stderr().is_terminal(), |name| env::var(name).ok());
    let error = dyed(ERROR.trim_end(), Ink::Bad, coloured);
    format!("{error} {}", fitted(&without_control(&message.replace(['\n', '\t'], " ")), most - ERROR.len()))
}

/// Columns of the terminal that shows the standard output; none in a pipe or a file.
pub fn columns() -> Option<usize> {
    stdout().is_terminal().then(|| width(&Term::stdout()))
}

/// Columns that text on a terminal may have.
fn width(terminal: &Term) -> usize {
    let stated = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let measured = || terminal.size_checked().map(|(_, columns)| columns.into()).filter(|columns| *columns > 0);
    stated.or_else(measured).unwrap_or(COLUMNS).max(FEWEST)
}

/// A mistake on the command line, as clap tells it in several lines, in one with its remedy.
pub fn mistake_line(told: &str) -> String {
    let lines = told.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"));
    // that an option could be meant as a value is hardly ever so
    let is_told = |line: &&str| !line.is_empty() && !line.starts_with("tip: to pass");
    let line = lines.filter(is_told).collect::<Vec<_>>().join(" ").replace(" tip: ", "; ");
    format!("{}; --help shows what can be given", line.trim_start_matches(ERROR))
}

/// A message as a terminal may show it: lines of text, whatever stood in a name or a file.
pub fn printable(message: &str) -> String {
    shortened(&without_control(message), MOST)
}

/// A message of at most so many characters: a place, what is wrong, and behind the last semicolon the remedy, which stays. Values
/// in the rest are shortened first, the longest before all others; other words only where that is not enough.
fn fitted(message: &str, most: usize) -> String {
    let fits = |text: &String| text.chars().count() <= most;
    if fits(&message.to_owned()) {
        return message.to_owned();
    }
    let (said, remedy) = message.rfind("; ").map_or((message, ""), |end| message.split_at(end));
    let said = narrowed(said, most);
    let shown = (VALUE..=most).rev().map(|limit| narrowed(&said, limit) + remedy).find(fits);
    shown.unwrap_or_else(|| {
        let said = narrowed(&said, VALUE);
        let beside = |remedy: &str| most.checked_sub(remedy.chars().count()).filter(|room| *room >= VALUE);
        // a remedy that names a path, and one that lists all that there is
        for remedy in [remedy.to_owned(), narrowed(remedy, VALUE)] {
            if let Some(room) = beside(&remedy) {
                return shortened(&said, room) + &remedy;
            }
        }
        shortened(&(said + remedy), most)
    })
}

/// A message with values of at most `limit` characters. Values are quotations, and words so long that they are paths or keys.
fn narrowed(message: &str, limit: usize) -> String {
    let (mut shown, mut rest) = (String::new(), message);
    while let Some(first) = rest.chars().next() {
        let quoted = matches!(first, '`' | '\'' | '"').then(|| rest[1..].find(first)).flatten();
        let end = quoted.map_or_else(|| rest.find(' ').unwrap_or(rest.len()).max(1), |end| end + 2);
        let (value, others) = rest.split_at(end);
        shown += &cut(value, limit, "…");
        rest = others;
    }
    shown
}

/// A text of at most so many characters, three of them for what is cut out of its middle; a third of the others stays at its end.
pub fn shortened(text: &str, most: usize) -> String {
    cut(text, most, " … ")
}

/// A text of at most so many characters, some of which `mark` what is cut out of its middle; a third of the others stays at its
/// end.
fn cut(text: &str, most: usize, mark: &str) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let kept = most - mark.chars().count();
    let begin: String = text.chars().take(kept - kept / 3).collect();
    let end: String = text.chars().skip(count - kept / 3).collect();
    format!("{begin}{mark}{end}")
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

/// A text of others in one line of at most so many characters.
pub fn in_a_line(text: &str, most: usize) -> String {
    shortened(&without_control(&text.split_whitespace().collect::<Vec<_>>().join(" ")), most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_others_stand_in_one_line() {
        assert_eq!(in_a_line(" a\r\n\tb \u{1b}[31m", 99), "a b \\u{1b}[31m");
        assert_eq!(in_a_line(&"x".repeat(999), 20).chars().count(), 20);
    }

    #[test]
    fn colours_are_for_terminals_that_are_not_asked_to_do_without() {
        let told = |no_color: Option<&str>, term: &str, terminal| {
            let variable = |name: &str| if name == "TERM" { Some(term.to_owned()) } else { no_color.map(str::to_owned) };
            is_coloured(terminal, variable)
        };
        assert!(told(None, "xterm", true) && told(Some(""), "xterm", true));
        assert!(!told(Some("1"), "xterm", true) && !told(None, "dumb", true) && !told(None, "xterm", false));
        assert_eq!(dyed("error:", Ink::Bad, false), "error:");
        assert_eq!(dyed("holds", Ink::Good, true), "\u{1b}[32mholds\u{1b}[0m");
    }

    #[test]
    fn nobody_is_told_to_pass_an_option_as_a_value() {
        let told = "error: unexpected argument '--json' found\n\n  tip: to pass '--json' as a value, use '-- --json'\n\nUsage: x";
        assert_eq!(mistake_line(told), "unexpected argument '--json' found; --help shows what can be given");
    }

    #[test]
    fn nothing_of_a_message_commands_the_terminal() {
        assert_eq!(error_line("a\u{1b}[31mb\u{7}"), "error: a\\u{1b}[31mb\\u{7}");
        assert_eq!(error_line("two\nlines\tof text"), "error: two lines of text");
    }

    #[test]
    fn values_are_shortened_before_words_and_the_remedy_never() {
        let path = format!("/home/{}/my.toml", "folder/".repeat(30));
        let line = format!("density = [{}]", "0.01, ".repeat(40));
        let message = format!(
            "{path}, line 9, `{line}`: `fb-euler-stability.sheets.density` must be above zero, not -0.01; copy paper.toml and change it"
        );
        let short = fitted(&message, 160);
        assert!((155..=160).contains(&short.chars().count()), "{short}");
        for part in ["/home/fol", "/my.toml, line 9, `density", "must be above zero, not -0.01; copy paper.toml and change it"] {
            assert!(short.contains(part), "{part}: {short}");
        }
        let shorter = fitted(&message, 80);
        assert_eq!(shorter.chars().count(), 80, "{shorter}");
        assert!(shorter.starts_with("/home/fold") && shorter.ends_with("; copy paper.toml and change it"), "{shorter}");
        assert_eq!(fitted(&message, message.chars().count()), message);
    }

    #[test]
    fn every_message_fits_every_width() {
        let long = "ä".repeat(1000);
        for message in [
            format!("there is no study `{long}`; there is {}", "fb-euler-stability, ".repeat(30)),
            format!("unknown key `{long}`; known here: {}; `nx` belongs in [mesh]", "spacing, ".repeat(90)),
            format!("it's {long} ' \" ` {long}: wrong"),
            format!("a `quotation without end {long}"),
            format!("{long}; {long}; {long}"),
            long,
        ] {
            for most in [FEWEST - ERROR.len(), 80, 113, 480] {
                let shown = fitted(&message, most);
                assert!(shown.chars().count() <= most && shown.contains('…'), "{most}: {shown}");
            }
        }
    }
}
