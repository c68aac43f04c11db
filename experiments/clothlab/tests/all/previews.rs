//! Verdicts away from the published sample are previews wherever a verdict stands.

use crate::common::{Desk, STUDY, Said};
use lab::judge::judged::Judged;

/// Lines of verdicts on the console.
fn verdicts(said: &Said) -> Vec<&str> {
    said.out.lines().filter(|line| line.starts_with("  B-") || line.starts_with("  S-")).collect()
}

#[test]
fn a_small_sample_is_judged_in_previews_only() {
    const SAMPLE: &str = "other ranges, 10 of 500 sets, seed 7";
    let desk = Desk::new();
    let out = format!("results/{STUDY}");
    let said = desk.run("tiny.toml", &out, &["--seed", "7"]);
    let again = desk.clothlab(&["claims", STUDY]);
    for said in [&said, &again] {
        assert!(said.out.contains(&format!("  previews, which judge no paper: {SAMPLE}\n")), "{}{}", said.out, said.err);
        let verdicts = verdicts(said);
        assert!(verdicts.len() > 3 && verdicts.iter().all(|line| line.contains(" preview: ")), "{}", said.out);
    }
    let table = desk.read(&format!("{out}/claims.csv"));
    let lines: Vec<Judged> =
        csv::Reader::from_reader(table.as_bytes()).into_deserialize().collect::<Result<_, _>>().expect("verdicts");
    assert!(lines.len() > 3 && lines.iter().all(|line| line.sample == format!("preview: {SAMPLE}")), "{table}");

    let said = desk.clothlab(&["report"]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    let [text, page] = ["REPORT.md", "REPORT.html"].map(|file| desk.read(file));
    let part = desk.read(&format!("{out}/REPORT.md"));
    let title = "# clothlab: the literature on cloth time integration, reproduced";
    assert!(text.starts_with(&format!("{title}\n\n> **Preview.** ")), "{text:.200}");
    assert!(part.starts_with(&format!("# Report on `{STUDY}`\n\n> **Preview.** ")), "{part:.200}");
    assert!(text.contains(&format!("> - {STUDY}: {SAMPLE}\n")) && page.contains(&format!("<li>{STUDY}: {SAMPLE}</li>")));
    let firm = |line: &&str| line.starts_with("| [") && line.contains("| **") && !line.contains("| **preview: ");
    assert_eq!(text.lines().filter(firm).collect::<Vec<_>>(), [""; 0]);
    assert_eq!(part.lines().filter(|line| line.starts_with("**") && !line.starts_with("**preview: ")).count(), 0, "{part}");
}
