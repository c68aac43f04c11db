//! Text as HTML.

use lab::judge::page;
use lab::terminal::without_control;

/// Text that is no markup, in an element or in an attribute; of commits it may hold anything.
pub fn escaped(text: &str) -> String {
    page::escaped(&without_control(text))
}

/// Data that a script reads, which no end of an element can break out of.
pub fn script_data(texts: &[String]) -> String {
    // plain text can always be serialised
    serde_json::to_string(texts).unwrap_or_default().replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_markup() {
        assert_eq!(escaped("<b a=\"x\" c='y'>&\u{1b}[31m"), "&lt;b a=&quot;x&quot; c=&#39;y&#39;&gt;&amp;\\u{1b}[31m");
        assert_eq!(script_data(&["</script><!--".into()]), "[\"\\u003c/script>\\u003c!--\"]");
    }
}
