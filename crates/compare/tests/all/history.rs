//! Many commits: tables, pages, classes of change, smaller samples, and where a verdict flipped.

use std::fs;

use crate::repository::Repository;
use crate::results::Results;

/// Five commits of results, with one in between that leaves them alone: the first ones; other last bits and rounding; counts of
/// sets 3 and 7 and a worse verdict; the verdict again, by another judge; and a row more.
fn five() -> Repository {
    let gains = |gain: &dyn Fn(u32) -> String| {
        let header = "set,side,iterations,gain\n".to_owned();
        (0..12).fold(header, |text, set| text + &format!("{set},{},{},{}\n", 10 + set, 100 + set, gain(set)))
    };
    let columns = vec!["set", "side", "iterations", "gain"];
    let plain = Results { columns, cases: gains(&|_| "0.5".into()), verdict: "reproduced", ..Results::default() };
    let rounded = gains(&|set| {
        if set < 4 {
            "0.50"
        } else if set < 6 {
            "0.5000000001"
        } else {
            "0.5"
        }
        .into()
    });
    let rounded = Results { code: "rounded", cases: rounded, ..plain.clone() };
    let other = Results {
        code: "other",
        verdict: "inconclusive",
        measured: "5 %",
        ..rounded.with(",103,", ",206,").with(",107,", ",214,")
    };
    let judged = Results { verdict: "reproduced", measured: "5 % <b>bold</b>", ..other.clone() };
    let more = Results { cases: judged.cases.clone() + "12,22,112,0.5\n", sets: 13, ..judged.clone() };
    let repository = Repository::new();
    let commit = |results: &Results, subject: &str| {
        results.write(&repository.path("results/study"), "study");
        repository.commit_as(subject);
    };
    commit(&plain, "First results");
    commit(&rounded, "Sums in another order");
    repository.write("README.md", "a change that measures nothing\n");
    repository.commit_as("Words");
    commit(&other, "Other counts <script>alert(1)</script>");
    commit(&judged, "Another judge");
    commit(&more, "One more set");
    repository
}

#[test]
fn a_range_is_a_history_of_the_commits_that_changed_results() {
    let repository = five();
    let said = repository.compare(&["HEAD~5..HEAD"]).exits(3).lacks(&["Words"]);
    said.has(&[
        "5 commits from",
        "last against first: a regression",
        "rows: 5 equal, 3 in last bits, 2 by rounding, 2 really changed, 1 added, 0 removed",
        "1 of 4 steps left all rows alone",
        "1 the same on other numbers; 2 changes on the way",
        "  First results ",
        // bits, rounding, real, added, removed
        "Sums in another order                   4     2         ·     ·      ·        ·",
        "·     ·         2     ·      ·        1 worse    +16.",
        "·     ·         ·     ·      ·        1 changed  ·",
        "·     ·         ·     1      ·        ·",
        "X-1    ✓ reproduced: 2 %  ? open: 5 %",
    ]);
    // the base need not have changed results
    repository.compare(&["HEAD~3..HEAD~2"]).exits(3).has(&["2 commits from", "Words"]);
    repository.compare(&["HEAD~5..HEAD~4", "--counts-only"]).exits(0).has(&["last against first: no regression"]);
}

#[test]
fn a_merge_is_one_commit_of_its_branch() {
    let repository = Repository::new();
    Results::default().commit(&repository);
    repository.git(&["switch", "--quiet", "--create", "aside"]);
    for (code, cell, subject) in [("other", ",206\n", "Aside"), ("another", ",207\n", "Aside again")] {
        Results { code, ..Results::default().with(",103\n", cell) }.write(&repository.path("results/study"), "study");
        repository.commit_as(subject);
    }
    repository.git(&["switch", "--quiet", "main"]);
    repository.git(&["merge", "--quiet", "--no-ff", "--message", "Merge it", "aside"]);
    repository.compare(&["HEAD~1..HEAD"]).exits(3).has(&["2 commits from", "Merge it"]).lacks(&["Aside"]);
    repository.compare(&["HEAD~1..aside"]).exits(3).has(&["3 commits from", "Aside again"]);
}

#[test]
fn three_names_are_a_history_in_their_order() {
    let repository = five();
    let said = repository.compare(&["HEAD", "HEAD~4", "HEAD~5", "--format", "json"]).exits(3);
    let json: serde_json::Value = serde_json::from_str(&said.out()).unwrap();
    let subjects = |k: usize| json["entries"][k]["commit"]["subject"].as_str().unwrap().to_owned();
    assert_eq!([subjects(0), subjects(2)], ["One more set", "First results"]);
    let step = &json["entries"][2]["step"]["comparison"]["summary"];
    assert_eq!((&step["rows_bits"], &step["rows_rounding"], &step["rows_real"]), (&4.into(), &2.into(), &0.into()));
    Results { code: "mine", ..Results::default() }.write(&repository.path("out/mine"), "study");
    repository.compare(&["HEAD~5", "HEAD", "out/mine"]).exits(3).has(&["3 places from", "to out/mine"]);
    repository.compare(&["HEAD~5", "HEAD", "HEAD"]).exits(3).has(&["1 of 2 steps left all rows alone"]);
}

#[test]
fn equal_results_are_never_a_difference() {
    let repository = Repository::new();
    for subject in ["a", "b", "c", "d"] {
        Results::default().write(&repository.path("results/study"), "study");
        repository.write("README.md", subject);
        repository.commit_as(subject);
    }
    for (arguments, words) in [
        (
            &["HEAD~3", "HEAD"][..],
            "rows: 24 equal, 0 in last bits, 0 by rounding, 0 really changed, 0 added, 0 removed\n  verdicts: all the same",
        ),
        (&["HEAD", "results"], "the same: every row and every verdict"),
        (&["HEAD~3", "HEAD~2", "HEAD~1", "HEAD"], "3 of 3 steps left all rows alone"),
        (&["HEAD~3..HEAD"], "1 commit from"),
        (&["HEAD", "HEAD", "--markdown"], "- the same: every row and every verdict\n"),
    ] {
        repository.compare(arguments).exits(0).has(&[words]);
    }
}

#[test]
fn equal_code_that_rounds_differently_breaks_determinism() {
    let old = Results { columns: vec!["set", "gain"], cases: "set,gain\n0,0.5\n1,0.5\n".into(), sets: 2, ..Results::default() };
    let new = old.with("1,0.5", "1,0.5000000001");
    let repository = Repository::new();
    old.commit(&repository);
    Results { code: "other", ..new.clone() }.commit(&repository);
    new.commit(&repository);
    repository.compare(&["HEAD~2", "HEAD~1"]).exits(0).has(&["1 of 2 rows changed (1 rounding)", "no regression"]);
    repository.compare(&["HEAD~2", "HEAD"]).exits(4).has(&["1 of 2 rows changed (1 rounding)", "determinism broken"]);
    let other = Results { code: "other", ..old.with("1,0.5", "1,0.50") };
    other.commit(&repository);
    repository.compare(&["HEAD~3", "HEAD"]).exits(0).has(&["1 of 2 rows changed (1 last bits)"]);
    // a break on the way is told, even where the ends are alike in it
    Results { code: "third", ..new.clone() }.commit(&repository);
    repository.compare(&["HEAD~4", "HEAD~2", "HEAD"]).exits(4).has(&["determinism broken", "at "]);
}

/// The first sets alone, as `--sets` measures them.
fn first(sets: usize, of: &Results) -> Results {
    let of_set = |line: &str| line.split(',').next().and_then(|set| set.parse::<usize>().ok());
    let cases = of.cases.lines().filter(|line| of_set(line).is_none_or(|set| set < sets));
    let cases = cases.map(|line| line.to_owned() + "\n").collect();
    Results { cases, sets, arguments: vec!["run", "study", "--sets", "5"], ..of.clone() }
}

#[test]
fn a_smaller_sample_is_a_subset() {
    let published = Results::default();
    let small = first(5, &published);
    let repository = Repository::new();
    published.write(&repository.path("results/another"), "another"); // of which the run of one study says nothing
    published.commit(&repository);
    let out = repository.path("out/small");
    let against = |results: &Results| {
        results.write(&out, "study");
        repository.compare(&["HEAD", "out/small"])
    };
    against(&small).exits(0).has(&[
        "  no regression in the sets of the new side, a subset",
        "rows: 10 equal, 0 in last bits, 0 by rounding, 0 really changed, 0 added, 0 removed, 14 of sets not in both",
        "the new side is a subset: 7 sets with 14 rows are not in both",
    ]);
    repository.compare(&["HEAD", "HEAD", "out/small"]).exits(0).has(&["14 of sets not in both"]);
    // a row that is gone within a set that was measured
    let lost = Results { cases: small.cases.replace("4,14,plain,finished,104\n", ""), ..small.clone() };
    against(&lost).exits(4).has(&["1 row removed; in 1 set: 4", "7 sets with 14 rows"]);
    against(&Results { code: "other", ..lost }).exits(3).has(&["1 row removed; in 1 set: 4"]);
    // a set in the middle
    let hole: String = small.cases.lines().filter(|line| !line.starts_with("2,")).map(|line| line.to_owned() + "\n").collect();
    against(&Results { cases: hole, ..small.clone() }).exits(3).has(&["2 rows removed; in 1 set: 2"]);
    // nobody asked for less
    against(&Results { arguments: vec![], ..small.clone() }).exits(3).has(&["14 rows removed; in 7 sets: 5, 6"]);
    // and the other way round more sets are added
    small.write(&out, "study");
    repository.compare(&["out/small", "HEAD"]).exits(0).has(&["14 rows added; in 7 sets: 5, 6"]);
}

#[test]
fn a_flip_is_found_with_the_smallest_set_that_shows_it() {
    let repository = five();
    let said = repository.compare(&["--bisect", "X-1"]).exits(0);
    let said = said.has(&[
        "X-1, a claim of study\n  it flipped 2 times in 5 commits, the last time at",
        ": ✓ reproduced: 2 %\n",
        "Another judge\n  before, at ",
        "the rows of study are equal: the judge, or the ledger, changed",
        "2 rows of study really changed; the smallest set that shows it is 3 of the group runs:\n  cargo clothlab run study --case 3 --only runs",
    ]);
    let out = said.out();
    assert!(out.find("Another judge").unwrap() < out.find("Other counts").unwrap(), "newest first\n{out}");
    let json = repository.compare(&["--bisect", "X-1", "HEAD~5..HEAD~2", "--format", "json"]).exits(0);
    let json: serde_json::Value = serde_json::from_str(&json.out()).unwrap();
    assert_eq!(json["flips"][0]["cause"]["rows"]["set"], 3, "{json}");
    assert_eq!(json["flips"][0]["commit"]["subject"], "Other counts <script>alert(1)</script>");
    repository.compare(&["--bisect", "X-1", "HEAD~1..HEAD"]).exits(0).has(&["it never flipped in 2 commits"]);
    let markdown = repository.compare(&["--bisect", "X-1", "--markdown"]).exits(0);
    markdown.has(&["Other counts &lt;script>"]).lacks(&["<script>"]);
}

#[test]
fn markdown_begins_with_three_lines_and_folds_the_rest() {
    let repository = five();
    let said = repository.compare(&["HEAD~5", "HEAD~2", "--markdown"]).exits(3);
    let out = said.out();
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("# HEAD~5 ("), "{out}");
    assert_eq!(lines[2], "- a regression, or a change that only a person can judge");
    assert_eq!(lines[3], "- rows: 5 equal, 3 in last bits, 2 by rounding, 2 really changed, 0 added, 0 removed");
    assert_eq!(lines[4], "- verdicts: 1 worse; times: not compared");
    assert_eq!(lines[6], "<details>");
    assert_eq!((out.matches("<details>").count(), out.matches("</details>").count()), (2, 2));
    repository
        .compare(&["HEAD~5..HEAD", "--markdown"])
        .exits(3)
        .has(&["| commit | day | subject | bits |", "<summary>verdicts that changed"])
        .lacks(&["<script>"]);
}

#[test]
fn a_page_shows_the_history_and_escapes_what_it_is_made_of() {
    let repository = five();
    let out = repository.path("pages");
    repository.compare(&["HEAD~5..HEAD", "--out", out.to_str().unwrap()]).exits(3);
    let page = fs::read_to_string(out.join("timeline.html")).unwrap();
    for part in [
        "verdicts that changed: 1",
        "Other counts &lt;script&gt;alert(1)&lt;/script&gt;",
        "class=\"open flipped\"",
        "aria-label=\"reproduced\"",
        "data-was=\"✓ reproduced\"",
        "5 % \\u003cb>bold",
        "X-1: ✓ reproduced (2 %) became ? open (5 %)",
        "<rect class=\"real\"",
        "study/cases.csv, iterations: +16.",
    ] {
        assert!(page.contains(part), "no {part:?} in\n{page}");
    }
    assert_eq!(page.matches("<script").count(), 2, "ours");
    for part in ["<b>bold", "http:", "https:", "src="] {
        assert!(!page.contains(part), "{part:?} in the page");
    }
}

#[test]
fn what_no_commit_holds_is_refused() {
    let repository = five();
    repository.compare(&["--bisect", "X-2"]).refuses(&["no commit of HEAD judges the claim `X-2`", "near it are X-1"]);
    repository.compare(&["--bisect", "X-1", "HEAD"]).refuses(&["`HEAD` is no range", "A..B"]);
    repository.compare(&["HEAD~9..HEAD"]).refuses(&["`HEAD~9`", "git log"]);
    repository.compare(&["HEAD~5..HEAD", "HEAD"]).refuses(&["`HEAD~5..HEAD` stands alone"]);
    repository.compare(&["HEAD~5..HEAD", "--build"]).refuses(&["--build takes two revisions"]);
    repository
        .compare(&["HEAD~5..HEAD", "--study", "silk"])
        .refuses(&["no commit of HEAD~5..HEAD holds results of the study `silk`"]);
    repository.compare(&["HEAD", "HEAD~1", "nowhere"]).refuses(&["`nowhere` is neither a revision"]);
    let empty = Repository::new();
    empty.commit();
    empty.commit();
    empty.compare(&["HEAD~1..HEAD"]).refuses(&["no commit of HEAD~1..HEAD holds results", "git log"]);
    empty.compare(&["--bisect", "X-1"]).refuses(&["no commit of HEAD holds results"]);
    empty.compare(&["HEAD~1", "HEAD", "HEAD"]).refuses(&["HEAD~1 holds no results"]);
}

#[test]
fn what_cannot_be_read_is_passed_over_and_told() {
    let repository = five();
    repository.write("results/study/run.json", "{}");
    repository.commit_as("A file of another version");
    repository.compare(&["HEAD~1", "HEAD"]).refuses(&["run.json"]);
    let said = repository.compare(&["HEAD~6..HEAD"]).exits(3);
    said.has(&["6 commits from", "study is passed over: ", "run.json is of another version", "1 added, 0 removed; 2 of 5 steps"]);
}
