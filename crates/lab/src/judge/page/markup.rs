//! Text and names as HTML.

use crate::judge::verdict::Verdict;

/// A text as the content of an element or of a quoted attribute.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\'' => safe += "&#39;",
            letter => safe.push(letter),
        }
    }
    safe
}

/// A name as a part of ids, classes and attributes: lower-case letters, digits and hyphens.
pub(super) fn slug(name: &str) -> String {
    name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' }).collect()
}

/// A table that scrolls where it is wider than the page, up to its rows.
pub(super) fn table(columns: &[&str]) -> String {
    let columns: String = columns.iter().map(|column| format!("<th scope=\"col\">{column}</th>")).collect();
    format!("<div class=\"scroll\"><table>\n<thead><tr>{columns}</tr></thead>\n<tbody>\n")
}

/// The end of such a table.
pub(super) const TABLE_ENDS: &str = "</tbody></table></div>\n";

/// The sign of a verdict, or of what stands in its place.
pub(super) fn sign(verdict: &str) -> &'static str {
    let verdict = verdict.trim_start_matches("preview: ");
    Verdict::ALL.into_iter().find(|known| known.to_string() == verdict).map_or("·", Verdict::sign)
}

/// A verdict, or what stands in its place, by colour, sign and words. That it is a preview is a part of its own: on paper the readings
/// of a claim that says so go without.
pub(super) fn badge(verdict: &str) -> String {
    let (preview, words) = match verdict.strip_prefix("preview: ") {
        Some(words) => ("<span class=\"preview\">preview: </span>", words),
        None => ("", verdict),
    };
    format!("<span class=\"badge {}\" data-sign=\"{}\">{preview}{}</span>", slug(verdict), sign(verdict), escaped(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_leave_its_element_or_attribute() {
        assert_eq!(escaped("a < b & \"c\" > 'd'"), "a &lt; b &amp; &quot;c&quot; &gt; &#39;d&#39;");
        assert_eq!(badge("<b>"), "<span class=\"badge -b-\" data-sign=\"·\">&lt;b&gt;</span>");
        let preview =
            "<span class=\"badge preview---b-\" data-sign=\"·\"><span class=\"preview\">preview: </span>&lt;b&gt;</span>";
        assert_eq!(badge("preview: <b>"), preview);
    }

    #[test]
    fn names_are_safe_in_ids() {
        assert_eq!(slug("B-KAPPA-RANGE"), "b-kappa-range");
        assert_eq!(slug("inconsistent in the paper"), "inconsistent-in-the-paper");
    }
}
