//! The known name that a misspelt one was meant to be.

use strsim::jaro_winkler;

/// Similarity of Jaro and Winkler from which on a name is taken for another one.
const NEAR: f64 = 0.85;

/// The most similar one of the known names, if it is similar enough.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |text: &str| text.to_lowercase().replace(['_', ' '], "-");
    let asked = plain(name);
    let likely = known.into_iter().filter(|known| *known != name).map(|known| (jaro_winkler(&asked, &plain(known)), known));
    // the first one of equally similar ones
    let best = likely.reduce(|best, next| if best.0 >= next.0 { best } else { next });
    best.filter(|(similarity, _)| *similarity >= NEAR).map(|(_, known)| known)
}

/// A question for the end of a message, or nothing where no known name is similar.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, known).map_or_else(String::new, |known| format!("; did you mean `{known}`?"))
}

/// The remedy of an unknown name: the known one that is similar, or all of them.
pub fn remedy<'a>(name: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match nearest(name, known.clone()) {
        Some(known) => format!("did you mean `{known}`?"),
        None => format!("there is {}", known.into_iter().collect::<Vec<_>>().join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 4] = ["aimex", "fb-euler-stability", "tearing", "textbook"];

    #[test]
    fn a_slip_is_found_and_another_word_is_not() {
        for (name, meant) in [
            ("aimx", Some("aimex")),
            ("fb-eular", Some("fb-euler-stability")),
            ("FB_Euler stability", Some("fb-euler-stability")),
            ("txetbook", Some("textbook")),
            ("cloth", None),
            ("", None),
        ] {
            assert_eq!(nearest(name, KNOWN), meant, "{name}");
        }
        assert_eq!(nearest("aimex", KNOWN), None, "a known name is no slip of another one");
        assert_eq!(nearest("x", []), None);
    }

    #[test]
    fn a_remedy_is_one_name_or_all() {
        assert_eq!(remedy("aimx", KNOWN), "did you mean `aimex`?");
        assert_eq!(remedy("cloth", KNOWN), "there is aimex, fb-euler-stability, tearing, textbook");
        assert_eq!(did_you_mean("tear", KNOWN), "; did you mean `tearing`?");
        assert_eq!(did_you_mean("cloth", KNOWN), "");
    }
}
