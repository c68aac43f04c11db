//! Markdown of discussions and captions as HTML.

use pulldown_cmark::html::push_html;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Characters of a row, and columns, that together would be too many for a column of a printed page.
const LONG: usize = 150;
const MANY: usize = 7;

/// Paragraphs, lists and tables as HTML. Raw HTML in it is text; a heading is a bold line, since those of the page are its own; a
/// table scrolls where it is wider than the page, and takes the whole width of a printed one where a row of it is long.
pub(super) fn prose(markdown: &str) -> String {
    let mut events = vec![];
    let (mut table, mut columns, mut row, mut longest) = (0, 0, 0, 0);
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Html(text) | Event::InlineHtml(text) => events.push(Event::Text(text)),
            Event::Start(Tag::Heading { .. }) => events.push(Event::Html("<p><strong>".into())),
            Event::End(TagEnd::Heading(_)) => events.push(Event::Html("</strong></p>\n".into())),
            Event::Start(Tag::Table(alignments)) => {
                (table, columns, row, longest) = (events.len(), alignments.len(), 0, 0);
                events.extend([Event::Html("<div class=\"scroll\">".into()), Event::Start(Tag::Table(alignments))]);
            }
            Event::End(TagEnd::Table) => {
                if longest > LONG && columns >= MANY {
                    events[table] = Event::Html("<div class=\"scroll wide\">".into());
                }
                events.extend([Event::End(TagEnd::Table), Event::Html("</div>\n".into())]);
            }
            event => {
                match &event {
                    Event::Start(Tag::TableRow) => row = 0,
                    Event::Text(text) | Event::Code(text) => row += text.chars().count(),
                    _ => {}
                }
                longest = longest.max(row);
                events.push(event);
            }
        }
    }
    let mut html = String::new();
    push_html(&mut html, events.into_iter());
    // text is escaped, so these are the header cells and nothing else
    html.replace("<th>", "<th scope=\"col\">").replace("<th style", "<th scope=\"col\" style")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_and_tables_are_elements() {
        let html = prose("The *method* of `a < b`.\n\n| name | n |\n| --- | --: |\n| a & b | 2 \\| 3 |\n");
        assert_eq!(
            html,
            "<p>The <em>method</em> of <code>a &lt; b</code>.</p>\n<div class=\"scroll\"><table><thead><tr><th scope=\"col\">name</th>\
             <th scope=\"col\" style=\"text-align: right\">n</th></tr></thead><tbody>\n<tr><td>a &amp; b</td>\
             <td style=\"text-align: right\">2 | 3</td></tr>\n</tbody></table>\n</div>\n"
        );
    }

    #[test]
    fn a_table_of_many_columns_with_a_long_row_is_wide_and_one_after_long_text_is_not() {
        let long = "word ".repeat(LONG / 4);
        let wide = |columns: usize, cell: &str, before: &str| {
            let line = |cell: &str| format!("|{}\n", format!(" {cell} |").repeat(columns));
            let [head, rule] = ["a", "---"].map(line);
            let row = format!("| {cell} |{}\n", " x |".repeat(columns - 1));
            prose(&format!("{before}\n\n{head}{rule}{row}")).contains("\"scroll wide\"")
        };
        assert!(wide(MANY, &long, "") && !wide(MANY - 1, &long, "") && !wide(MANY, "short", "") && !wide(MANY, "short", &long));
    }

    #[test]
    fn raw_html_is_text_and_headings_are_bold_lines() {
        let html = prose("# Title\n\nno <script>alert(1)</script> here\n\n<div onclick=\"x\">\n");
        assert!(html.starts_with("<p><strong>Title</strong></p>"), "{html}");
        assert!(!html.contains("<script") && !html.contains("<div"), "{html}");
        assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "{html}");
    }
}
