//! Text and Markdown as Typst, whatever they hold.

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

/// Text as Typst shows it: nothing in it is markup, at the start of a line neither.
pub(super) fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len() + text.len() / 8);
    // behind digits alone a full stop would make an item of a list
    let mut numbered = text.trim_start().starts_with(|letter: char| letter.is_ascii_digit());
    for letter in text.chars() {
        match letter {
            '\\' | '`' | '#' | '$' | '*' | '_' | '@' | '<' | '>' | '[' | ']' | '{' | '}' | '~' | '=' | '-' | '+' | '/' => {
                shown.extend(['\\', letter]);
            }
            '.' | ')' if numbered => shown.extend(['\\', letter]),
            letter if letter.is_whitespace() || letter.is_control() => shown.push(' '),
            letter => shown.push(letter),
        }
        numbered &= letter.is_ascii_digit() || letter.is_whitespace();
    }
    shown
}

/// Text as a string of Typst code.
pub(super) fn quoted(text: &str) -> String {
    let mut string = String::from("\"");
    for letter in text.chars() {
        match letter {
            '\\' | '"' => string.extend(['\\', letter]),
            '\n' => string += "\\n",
            letter if letter.is_control() => string.push(' '),
            letter => string.push(letter),
        }
    }
    string + "\""
}

/// Text as it is typed, in letters of one width.
pub(super) fn raw(text: &str) -> String {
    format!("#raw({});", quoted(text))
}

/// Markdown of paragraphs, lists, emphasis, code and links. Raw HTML in it is text; of links between files the words are kept.
pub(super) fn prose(markdown: &str) -> String {
    let (mut text, mut tight, mut linked) = (String::new(), 0_usize, vec![]);
    for event in Parser::new(markdown) {
        match event {
            Event::Text(words) | Event::Html(words) | Event::InlineHtml(words) => text += &escaped(&words),
            Event::Code(code) => text += &raw(&code),
            Event::SoftBreak => text.push(' '),
            Event::HardBreak => text += " #linebreak();",
            Event::Start(Tag::Emphasis) => text += "#emph[",
            Event::Start(Tag::Strong | Tag::Heading { .. }) => text += "#strong[",
            Event::Start(Tag::List(None)) => text += "#list(",
            Event::Start(Tag::List(Some(_))) => text += "#enum(",
            Event::Start(Tag::Item) => {
                text.push('[');
                tight += 1;
            }
            Event::Start(Tag::Link { dest_url, .. }) => {
                linked.push(dest_url.starts_with("https://"));
                if dest_url.starts_with("https://") {
                    text += &format!("#link({})[", quoted(&dest_url));
                }
            }
            Event::End(TagEnd::Link) if linked.pop() == Some(true) => text += "];",
            Event::End(TagEnd::Emphasis | TagEnd::Strong) => text += "];",
            Event::End(TagEnd::Heading(_)) => text += "];\n\n",
            Event::End(TagEnd::Item) => {
                text += "],";
                tight -= 1;
            }
            Event::End(TagEnd::List(_)) => text += ");\n\n",
            Event::End(TagEnd::Paragraph) if tight == 0 => text += "\n\n",
            _ => {}
        }
    }
    text.truncate(text.trim_end().len());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_text_is_markup() {
        for (text, shown) in [
            ("#let x = 1", r"\#let x \= 1"),
            ("$x_1 * y$", r"\$x\_1 \* y\$"),
            ("a@b <label> `code`", r"a\@b \<label\> \`code\`"),
            (r"\u{41} C:\n", r"\\u\{41\} C:\\n"),
            ("[a]{b}~c", r"\[a\]\{b\}\~c"),
            ("// no comment, /* nor here */", r"\/\/ no comment, \/\* nor here \*\/"),
            ("a -- b --- c -? d", r"a \-\- b \-\-\- c \-? d"),
            ("= title", r"\= title"),
            ("- item\n+ item\n/ term: what", r"\- item \+ item \/ term: what"),
            ("12. item", r"12\. item"),
            ("1) item", r"1\) item"),
            ("at 1.5 m (95 %: 1.2 to 1.8)", "at 1.5 m (95 %: 1.2 to 1.8)"),
            ("https://example.org", r"https:\/\/example.org"),
            ("tab\tbell\u{7}", "tab bell "),
            ("κ ≤ ½ «ü»", "κ ≤ ½ «ü»"),
        ] {
            assert_eq!(escaped(text), shown, "{text}");
        }
    }

    #[test]
    fn nothing_of_a_string_ends_it() {
        assert_eq!(quoted("a\"b\\c\nd\u{1b}"), r#""a\"b\\c\nd ""#);
        assert_eq!(raw("`#x`"), "#raw(\"`#x`\");");
    }

    #[test]
    fn markdown_becomes_typst() {
        for (markdown, shown) in [
            ("The *method* of **all**(x), `a_b`.", "The #emph[method]; of #strong[all];(x), #raw(\"a_b\");."),
            ("One\nline.\n\nTwo #2.", "One line.\n\nTwo \\#2."),
            ("- a\n- *b*\n\nend", "#list([a],[#emph[b];],);\n\nend"),
            ("1. a\n2. b", "#enum([a],[b],);"),
            ("[X-1](results/a/REPORT.md#x-1), [b](https://b.org/a)", "X\\-1, #link(\"https://b.org/a\")[b];"),
            ("a <b>c</b> \\*d", "a \\<b\\>c\\<\\/b\\> \\*d"),
        ] {
            assert_eq!(prose(markdown), shown, "{markdown}");
        }
    }
}
