use std::collections::HashMap;

use serde::de::IgnoredAny;
use serde_json::{Map, Value};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("viewer.js");

const BEFORE: &str = "<script type=\"application/json\" class=\"run\">";
const AFTER: &str = "</script>\n";
/// A character that begins an element, in a string of JSON.
const ESCAPED: &str = "\\u003c";

/// A page that plays runs, given as [`Film::packed`](crate::Film::packed), side by side; `sheet`, a picture as SVG, stands there
/// until the script runs, and where it cannot.
pub fn page(title: &str, runs: &[String], sheet: &str) -> String {
    let title = escaped(title);
    let data: String = runs.iter().map(|run| format!("{BEFORE}{run}{AFTER}")).collect();
    let mut page = String::with_capacity(PAGE.len() + STYLE.len() + SCRIPT.len() + data.len() + sheet.len());
    let mut rest = PAGE;
    for (mark, text) in
        [("{{title}}", title.as_str()), ("{{style}}", STYLE), ("{{sheet}}", sheet), ("{{runs}}", &data), ("{{script}}", SCRIPT)]
    {
        let (before, after) = rest.split_once(mark).unwrap_or((rest, ""));
        page.push_str(before);
        page.push_str(text);
        rest = after;
    }
    page + rest
}

/// True if a page has this title.
pub fn is_titled(page: &str, title: &str) -> bool {
    page.contains(&format!("<title>{}</title>", escaped(title)))
}

fn escaped(title: &str) -> String {
    title.replace('&', "&amp;").replace('<', "&lt;")
}

/// The runs that a page holds, as they were given to [`page`], as far as they can be read: none where it is no such page. What a
/// browser would take for an element is escaped.
pub fn runs(page: &str) -> Vec<String> {
    let runs = pieces(page).filter(|run| serde_json::from_str::<HashMap<String, IgnoredAny>>(run).is_ok());
    runs.map(|run| run.replace('<', ESCAPED)).collect()
}

/// Number of runs in a page, those that cannot be read too.
pub fn count(page: &str) -> usize {
    pieces(page).count()
}

fn pieces(page: &str) -> impl Iterator<Item = &str> {
    page.split(BEFORE).skip(1).filter_map(|rest| Some(rest.split_once(AFTER)?.0))
}

/// A run, as [`runs`] gives it, under a name before its own.
pub fn named(run: &str, name: &str) -> String {
    match serde_json::from_str::<Map<String, Value>>(run) {
        Ok(mut read) => {
            let own = read.get("name").and_then(Value::as_str).unwrap_or_default();
            read.insert("name".into(), format!("{name}: {own}").into());
            Value::Object(read).to_string().replace('<', ESCAPED)
        }
        Err(_) => run.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_holds_its_runs_and_nothing_of_its_template() {
        let html = page("a < b", &["{\"name\":\"{{script}}\"}".into(), "{}".into()], "<svg></svg>");
        assert_eq!(runs(&html), ["{\"name\":\"{{script}}\"}", "{}"]);
        assert!(html.contains("<title>a &lt; b</title>") && html.contains("<figure id=\"sheet\"><svg></svg></figure>"));
        assert!(["title", "style", "sheet", "runs"].iter().all(|mark| !html.contains(&format!("{{{{{mark}}}}}"))));
        assert!(runs("<html></html>").is_empty());
    }

    #[test]
    fn a_run_is_named_before_its_own_name() {
        assert_eq!(named("{\"name\":\"b\"}", "</a>"), "{\"name\":\"\\u003c/a>: b\"}");
        assert_eq!(named("{}", "a"), "{\"name\":\"a: \"}");
        assert_eq!([named("damaged", "a"), named("7", "a")], ["damaged", "7"]);
    }

    #[test]
    fn runs_that_are_no_objects_are_left_out_and_elements_in_them_escaped() {
        let all = ["7", "[]", "null", "{", "{\"a\":\"</script ><img src=x>\"}", "{</script ><img src=x>"];
        let html = page("", &all.map(str::to_owned), "");
        assert_eq!((runs(&html), count(&html)), (vec!["{\"a\":\"\\u003c/script >\\u003cimg src=x>\"}".into()], all.len()));
    }

    #[test]
    fn a_page_asks_for_nothing_from_elsewhere() {
        let html = page("", &[], "");
        assert!(["src=", "href=", "http://", "https://", "@import", "url("].iter().all(|asks| !html.contains(asks)));
    }
}
