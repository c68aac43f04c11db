use std::fs;
use std::path::Path;

use super::*;
use crate::judge::claims::{Ledger, Reading};
use crate::judge::criterion::{Answer, Estimate};
use crate::judge::published::{Picture, read};
use crate::judge::rule::bound::Ends;
use crate::judge::rule::found::Found;
use crate::judge::rule::outcome::NumberFound;
use crate::judge::rule::verdict::Answers;
use crate::judge::statistics::Interval;
use crate::provenance::{GroupCount, Provenance, Sources};
use crate::results::Results;
use crate::study::{Judge, Plot, Study};
use chart::vision::{Eyes, apart, contrast};
use chart::{Axis, Color, Figure, Layer, Palette, Panel};

fn line(_: &Results) -> Result<Figure, ResultsError> {
    let points = vec![[0.0, 0.0], [1.0, 2.0]];
    let panel = Panel::new(Axis::linear("x"), Axis::linear("y"), vec![Layer::line("", Palette::BLUE, points)]);
    Ok(Figure::new("line", "A <line>", "Its *caption*.", vec![panel]))
}

fn held(_: &Results) -> Result<Finding, ResultsError> {
    let reading = |k| Reading { name: format!("reading {k}"), measured: "0.7".into(), verdict: Some(Verdict::NotReproduced) };
    let found = Finding::new(Verdict::DirectionOnly, "0.9 < 1", "so & so").value(0.9).interval(Interval { low: 0.8, high: 0.95 });
    Ok(found.cases(10).left_out(1).readings((0..9).map(reading).collect()))
}

fn lost(_: &Results) -> Result<Finding, ResultsError> {
    Err(ResultsError::Missing { group: "sheets".into(), folder: "/a/folder/of/this/machine".into() })
}

fn study() -> Study {
    Study {
        name: "study",
        title: "A study of a < b",
        source: "Somebody 2003",
        about: "Is it so?",
        plots: vec![Plot::new("line", line)],
        judges: vec![Judge { of_times: true, ..Judge::of_counts("X-1", held) }, Judge::of_counts("X-2", lost)],
        discussion: |_| Ok("It is.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n".into()),
        ..Study::of(vec![], String::new())
    }
}

const HEADLINE: &str = "In {X-1} it is {X-1.value}, *more* than {published.claims}.\n\nIt was {X-1.measured}.\n";

/// Two figures of the paper, one of which is drawn again.
fn pictures() -> Vec<Picture> {
    let text = "paper,figure,shows,status,chart,why\n\
         some-&-body-2003,1,a < b,drawn again,study/line,no | number\nsome-&-body-2003,table 1,c,comparable,study/gone,\n";
    read("figures", text).unwrap()
}

const LEDGER: &str = "paper = 'Some & Body 2003'\ncitation = 'c'\n\
    [[claim]]\nid = 'X-1'\nwhere = '1'\nquantity = 'q < \"1\"'\npublished = ''\nstudy = 'study'\ncriterion = 'a > b'\nassumptions = ['flat']\n\
    [[claim]]\nid = 'X-2'\nwhere = '2'\nquantity = 'q'\npublished = '2'\nstudy = 'study'\n\
    [[claim]]\nid = 'X-3'\nwhere = '3'\nquantity = 'q'\npublished = '3'\nstudy = 'another'\n";

fn page() -> String {
    page_of(1)
}

/// Results of a study in the folder of a report, measured with a base seed.
fn folder_of(seed: u64) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("results/study");
    fs::create_dir_all(&folder).unwrap();
    let run = Provenance {
        identity: crate::measure::identity::Identity { study: "study".into(), seed, ranges: String::new(), code: String::new() },
        profile: "paper".into(),
        arguments: vec![],
        threads: 2,
        sources: Sources { commit: Some("0123456789abcdef".into()), ..Sources::default() },
        machine: crate::provenance::Machine::default(),
        groups: vec![GroupCount { group: "sheets".into(), cases: 500, rows: 1500, resumed: 20 }],
        start: "2026-01-01T00:00:00Z".into(),
        end: "2026-01-01T00:01:00Z".into(),
        seconds: 60.0,
        peak_memory: Some(10.0),
        times_of: None,
        charts: None,
        machines: vec![],
    };
    fs::write(folder.join("run.json"), run.json()).unwrap();
    fs::write(folder.join("claims.csv"), "").unwrap();
    root
}

fn page_of(seed: u64) -> String {
    let root = folder_of(seed);
    let ledgers = [Ledger::parse("ledger", LEDGER).unwrap()];
    let studies = [study()];
    let pictures = pictures();
    let of = Report { ledgers: &ledgers, pictures: &pictures, headline: HEADLINE, ..Report::of_studies(&studies) };
    let report = Report { root: root.path(), command: "cargo repro", ..of };
    let page = report.page(&report.sections()).unwrap();
    assert_eq!(report.page(&report.sections()).unwrap(), page, "the same results give the same bytes");
    assert!(!page.contains(&*root.path().to_string_lossy()));
    page
}

#[test]
fn every_claim_is_a_row_with_what_the_filters_look_at() {
    let page = page();
    for (id, verdict) in [("X-1", "direction-only"), ("X-2", "not-measured"), ("X-3", "not-yet-studied")] {
        let start = format!("<tr role=\"row\" data-paper=\"some---body-2003\" data-verdict=\"{verdict}\">");
        let row = page.split(&start).nth(1).unwrap_or_else(|| panic!("{id} has no row: {start}"));
        assert!(row.split("</tr>").next().unwrap().contains(&format!(">{id}<")), "{id}");
        assert!(page.contains(&format!("<option value=\"{verdict}\">")), "{id}");
    }
    assert!(page.contains("<option value=\"some---body-2003\">Some &amp; Body 2003</option>"));
    assert!(!page.contains("<option value=\"reproduced\">"), "a verdict that no claim has");
    assert!(page.contains(
        "<li><b>1</b> <span class=\"badge direction-only\" data-sign=\"~\">direction only</span> the effect is there, with another size than published</li>"
    ));
    assert!(page.contains("<li><b>1</b> <span class=\"badge not-yet-studied\" data-sign=\"·\">not yet studied</span></li>"));
}

#[test]
fn a_claim_says_everything_that_is_known_of_it() {
    let page = page();
    let claim = page.split("id=\"claim-x-1\"").nth(1).unwrap().split("</article>").next().unwrap();
    for part in [
        "X-1: q &lt; &quot;1&quot;</h4>",
        "<span class=\"badge direction-only\" data-sign=\"~\">direction only</span>, by times of this machine: so &amp; so.",
        "<dt>published</dt><dd>-</dd>",
        "<dt>measured</dt><dd>0.9 &lt; 1</dd>",
        "<dt>number judged</dt><dd>0.900 (95 %: 0.800 to 0.950)</dd>",
        "<dt>cases</dt><dd>10</dd>",
        "<dt>left out</dt><dd>1</dd>",
        "<dt>criterion, fixed before its study ran</dt><dd>a &gt; b</dd>",
        "<li>flat</li>",
        "<code>cargo clothlab run study --profile paper --seed 1</code>",
        "<details><summary>9 other readings of X-1</summary>",
    ] {
        assert!(claim.contains(part), "{part} is not in {claim}");
    }
    assert!(page.contains("not measured</span>: there are no results of the group sheets.</p>"));
}

/// The report on a claim that was not reproduced with a base seed: the whole, the part on its study, the page.
fn missed_of(seed: u64) -> [String; 3] {
    let below = |_: &Results| Ok(Finding { verdict: Verdict::NotReproduced, ..held(&Results::new(Path::new(""), ""))? });
    let study = Study { judges: vec![Judge::of_counts("X-1", below)], ..study() };
    let ledger = "paper = 'p'\ncitation = 'c'\n[[claim]]\nid = 'X-1'\nwhere = '1'\nquantity = 'q'\nstudy = 'study'\n\
        published = 'alike'\nlisted_criterion = 'a < b'\ncriterion = 'a > b'\namended = 'on a day'\nknown = 'a is 3'\ncontradiction = '2 elsewhere'\n";
    let (studies, ledgers) = ([study], [Ledger::parse("ledger", ledger).unwrap()]);
    let (folder, pictures) = (folder_of(seed), pictures());
    let of = Report { ledgers: &ledgers, pictures: &pictures, headline: HEADLINE, ..Report::of_studies(&studies) };
    let report = Report { root: folder.path(), ..of };
    let sections = report.sections();
    [report.markdown(&sections), report.markdown_of(&sections[0]), report.page(&sections).unwrap()]
}

#[test]
fn what_was_not_reproduced_stands_before_the_table() {
    let [text, _, page] = missed_of(1);
    let line = "- [X-1](results/study/REPORT.md#x-1): q. Published: alike (the paper contradicts itself). Measured: 0.9 < 1.\n";
    assert!(text.find(line).unwrap() < text.find("| claim |").unwrap(), "{text}");
    let line =
        "<li><a href=\"#claim-x-1\">X-1</a>: q. Published: alike (the paper contradicts itself). Measured: 0.9 &lt; 1.</li>";
    assert!(page.find(line).unwrap() < page.find("<table class=\"overview\"").unwrap());
    let meaning = "the effect is not there, or not as large as published where a size is all that is";
    assert!(text.contains(&format!("- **1** not reproduced: {meaning}\n")), "{text}");
    assert!(page.contains(&format!("not reproduced</span> {meaning}</li>")));
}

#[test]
fn the_first_screen_says_what_was_found() {
    let [text, _, page] = missed_of(1);
    let found = "## What the reproduction found\n\n1. In [X-1](results/study/REPORT.md#x-1) it is 0.900, *more* than 1.\n2. It was 0.9 < 1.\n\nOf 1 published claims, ";
    assert!(text.contains(found), "{text}");
    let found = page.find("<li><p>In <a href=\"#claim-x-1\">X-1</a> it is 0.900, <em>more</em> than 1.</p>\n</li>").unwrap();
    assert!(found < page.find("published claims</h2>").unwrap());
    assert!(page.contains("<li><p>It was 0.9 &lt; 1.</p>"));
    assert!(missed_of(7).iter().all(|form| !form.contains("What the reproduction found")), "a preview finds nothing");
}

#[test]
fn figures_of_the_papers_lead_to_our_charts() {
    let page = page();
    let part = page.split("<details class=\"study\" id=\"pictures\"").nth(1).unwrap().split("</details>").next().unwrap();
    assert!(
        part.contains("Of 2 figures and tables: 1 drawn again (the same picture, from what was measured here); 1 comparable"),
        "{part}"
    );
    let row = "<tr><td>Some &amp; Body 2003</td><th scope=\"row\">fig. 1</th><td>a &lt; b</td><td>drawn again</td>\
        <td><a href=\"#chart-study-line\">study/line</a></td><td>no | number</td></tr>";
    assert!(part.contains(row), "{part}");
    assert!(
        part.contains("<th scope=\"row\">table 1</th><td>c</td><td>comparable</td><td>study/gone</td>"),
        "no link to what is not drawn"
    );
    let [text, ..] = missed_of(1);
    assert!(
        text.contains("| some-&-body-2003 | fig. 1 | a < b | drawn again | [study/line](plots/study/line.svg) | no \\| number |"),
        "{text}"
    );
}

#[test]
fn readings_stand_beside_the_verdicts_that_they_share() {
    let [text, _, page] = missed_of(1);
    assert!(text.contains("## How often readings agree\n\nA reading is"), "{text}");
    assert!(text.contains("Of 9 readings with a verdict 9 (100.0 %) have that of their claim."), "{text}");
    assert!(text.contains("| [X-1](results/study/REPORT.md#x-1) | not reproduced | 9 | 9 |  |"), "{text}");
    assert!(page.contains("not reproduced</span></td><td>9</td><td>9</td><td></td></tr>"));
    assert!(page.find("id=\"readings\"").unwrap() < page.find("id=\"study-study\"").unwrap());
}

#[test]
fn a_preview_says_so_at_the_top_and_at_every_verdict() {
    for form in missed_of(1) {
        assert!(!form.contains("preview: ") && !form.contains("Preview."), "{form}");
    }
    let [text, part, page] = missed_of(7);
    for (form, title) in
        [(&text, "# clothlab: the literature on cloth time integration, reproduced\n\n"), (&part, "# Report on `study`\n\n")]
    {
        assert!(form.starts_with(&format!("{title}> **Preview.** Some results are not")), "{form}");
        assert!(form.contains("\n> - study: seed 7\n"), "{form}");
    }
    for said in ["- **1** preview: not reproduced: ", "| **preview: not reproduced** |"] {
        assert!(text.contains(said), "{said} is not in {text}");
    }
    assert!(part.contains("**preview: not reproduced**: so & so.\n\nJudged away from the published sample: seed 7."), "{part}");
    let banner = page.find("<aside class=\"banner\"").unwrap();
    assert!(banner < page.find("<h2").unwrap());
    for part in [
        "<li>study: seed 7</li>",
        "judged away from the published sample: seed 7</dd>",
        "<option value=\"preview--not-reproduced\">",
    ] {
        assert!(page.contains(part), "{part}");
    }
    let page = page.replace("<span class=\"preview\">preview: </span>", "preview: ");
    for form in [text, part, page] {
        assert!(!form.contains("Not reproduced"), "a preview is not reproduced or missed");
        let firm =
            form.rsplit("</style>").next().unwrap().replace("preview: not reproduced", "").replace("preview--not-reproduced", "");
        assert!(!firm.contains("not reproduced") && !firm.contains("not-reproduced"), "{firm}");
    }
}

#[test]
fn both_forms_say_how_a_criterion_came_about_and_what_was_judged() {
    let [text, part, page] = missed_of(1);
    for (name, line) in [
        ("published", "alike"),
        ("criterion, changed after first results", "a > b"),
        ("what was changed", "on a day"),
        ("known when it was fixed", "a is 3"),
        ("the paper contradicts itself", "2 elsewhere"),
        ("criterion of the list of claims", "a < b"),
        ("measured", "0.9 < 1"),
        ("number judged", "0.900 (95 %: 0.800 to 0.950)"),
    ] {
        assert!(part.contains(&format!("| {name} | {line} |")), "{name}: {part}");
        assert!(page.contains(&format!("<dt>{name}</dt><dd>{}</dd>", escaped(line))), "{name}");
    }
    assert!(!part.contains("fixed before its study ran"));
    for form in [text, page] {
        assert!(!form.contains("fixed before its study ran"), "no criterion is, and no label of none is explained");
        assert_eq!(form.matches("results were seen before it got its present words").count(), 1);
    }
}

#[test]
fn the_part_on_a_study_lies_beside_its_results() {
    let [text, part, _] = missed_of(1);
    assert!(
        !text.contains("### X-1") && text.contains("\n- [A study of a < b](results/study/REPORT.md) - `study`, Somebody 2003\n")
    );
    let head = "# Report on `study`\n\nWritten from `results/` by `c`; every number below was measured.\n\
        All studies: [REPORT.md](../../REPORT.md).\n\n## A study of a < b\n\n*Somebody 2003* - `study`\n";
    assert!(part.starts_with(head), "{part}");
    assert!(
        part.contains("![A <line>](../../plots/study/line.svg)") && part.contains("| [sheets](sheets.csv) | 500 |"),
        "{part}"
    );
    assert!(part.contains("\n### X-1\n") && part.ends_with(" --seed 1`.\n"), "{part}");
}

#[test]
fn every_row_of_every_table_is_reachable() {
    let page = page();
    assert!(page.contains("<p>Tables in <code>results/study/</code>:</p>"));
    assert!(page.contains("sheets (<code>sheets.csv</code>)</th><td>1500</td><td>500</td>"));
    assert!(
        page.contains("<code>cargo clothlab run study --profile paper --seed 1 --only sheets --case N</code>, N from 0 to 499")
    );
    assert!(page.contains("<li><code>claims.csv</code>: verdicts</li>"));
    assert!(!page.contains("timings.csv"), "a file that is not there");
    assert!(page.contains("20 of 500 cases are of a run that was interrupted before"));
}

#[test]
fn a_chart_stands_in_the_page_with_its_caption_and_files() {
    let page = page();
    let chart = page.split("<figure id=\"chart-study-line\">").nth(1).unwrap().split("</figure>").next().unwrap();
    assert!(chart.contains("role=\"img\" aria-label=\"A &lt;line&gt;\""), "{chart}");
    assert_eq!(chart.matches("A &lt;line&gt;").count(), 4, "the title is the name of each drawing, and stands in it: {chart}");
    assert!(chart.contains("<div class=\"drawing narrow\" style=\"--width:390px;"), "{chart}");
    assert!(!chart.contains("<style") && page.contains("[fill=\"#FFFFFF\"]{fill:#15171A}"), "one style sheet for all drawings");
    assert!(chart.contains("<figcaption><p>Its <em>caption</em>.</p>"), "{chart}");
    assert!(chart.contains("<code>plots/study/line.svg</code>, its points <code>.csv</code>"), "{chart}");
}

#[test]
fn the_first_screen_holds_name_finding_verdicts_film_and_origin() {
    let root = folder_of(1);
    let ledger = LEDGER.replacen("citation", "finding = 'It is {X-1.value} ({X-1}).'\ncitation", 1);
    let ledgers = [Ledger::parse("ledger", &ledger).unwrap()];
    let studies = [study()];
    let report = Report { ledgers: &ledgers, film: "<b title=\"a & b\">", root: root.path(), ..Report::of_studies(&studies) };
    let sections = report.sections();
    let page = report.page(&sections).unwrap();
    let screen = page.split("<header id=\"top\">").nth(1).unwrap().split("</header>").next().unwrap();
    for part in [
        "<h1>clothlab</h1>\n<p class=\"what\">One study, A study of a &lt; b (Somebody 2003): 3 published claims, measured anew and judged.</p>",
        "<li><p><strong>Some &amp; Body 2003</strong> It is 0.900 (<a href=\"#claim-x-1\">X-1</a>).</p>\n<span class=\"strip\">",
        "<a class=\"cell direction-only\" href=\"#claim-x-1\" title=\"X-1, q &lt; &quot;1&quot;: direction only\"",
        "<span class=\"cell not-yet-studied\" title=\"X-3, q: not yet studied\">·</span>",
        "srcdoc=\"<b title=&quot;a &amp; b&quot;>\"></iframe>",
        "<li title=\"the effect is there, with another size than published\">1 <span class=\"badge direction-only\"",
        "<p class=\"source\">Measured 2026-01-01 on  with 0 cores, in 1 minutes, at commit 0123456.</p>",
    ] {
        assert!(screen.contains(part), "{part} is not in {screen}");
    }
    let text = report.markdown(&sections);
    let found = "- **Some & Body 2003**: It is 0.900 ([X-1](results/study/REPORT.md#x-1)).\n\nMeasured 2026-01-01 on";
    assert!(text.contains(found), "{text}");
}

#[test]
fn both_answers_and_every_number_of_a_rule_are_told() {
    let answers = Answers { direction: Some(Answer::Yes), size: Some(Answer::Open) };
    let found = Found { estimate: Estimate { value: 0.9, interval: None, cases: 7 }, own: None, lost: 2, is_range: false };
    let number = NumberFound {
        called: "a < b".into(),
        stratum: "large".into(),
        found,
        published: Some([1.0, 2.5]),
        answers,
        ends: Ends::default(),
        ours: None,
        one_of: None,
    };
    let open = move |_: &Results| {
        let finding = Finding::new(answers.verdict(), "0.9", "few");
        Ok(Finding { answers: Some(answers), numbers: vec![(String::new(), number.clone())], ..finding })
    };
    let studies = [Study { judges: vec![Judge::of_counts("X-1", open)], ..study() }];
    let (ledgers, root) = ([Ledger::parse("ledger", LEDGER).unwrap()], folder_of(1));
    let report = Report { root: root.path(), ledgers: &ledgers, ..Report::of_studies(&studies) };
    let sections = report.sections();
    let [text, part, page] = [report.markdown(&sections), report.markdown_of(&sections[0]), report.page(&sections).unwrap()];
    assert!(text.contains(" | met | open | **direction met, size open** |"), "{text}");
    assert!(part.contains("| direction | met |\n| size | open |\n"), "{part}");
    let row = "| number | measured | cases | published | direction | size |\n| --- | --- | --- | --- | --- | --- |\n\
               | a < b, large | 0.900 (no interval) | 7, 2 lost | 1 to 2.5 | met | open |\n";
    assert!(part.contains(row), "{part}");
    assert!(page.contains("<small>direction met; size open</small>"));
    assert!(
        page.contains("<th scope=\"row\">a &lt; b, large</th><td>0.900 (no interval)</td><td>7, 2 lost</td><td>1 to 2.5</td>")
    );
}

#[test]
fn criteria_are_told_apart_from_published_claims() {
    let below = |_: &Results| Ok(Finding { verdict: Verdict::NotReproduced, ..held(&Results::new(Path::new(""), ""))? });
    let judges = vec![Judge::of_counts("X-1", held), Judge::of_counts("E-1", held), Judge::of_counts("E-2", below)];
    let criteria = "kind = 'criteria'\npaper = 'Exact'\ncitation = 'c'\nfinding = '{criteria.direction-only} of {criteria.claims}.'\n\
        [[claim]]\nid = 'E-1'\nwhere = '1'\nquantity = 'q'\npublished = '1'\nstudy = 'study'\n\
        [[claim]]\nid = 'E-2'\nwhere = '1'\nquantity = 'q'\npublished = '2'\nstudy = 'study'\n";
    let ledgers = [LEDGER, criteria].map(|text| Ledger::parse("ledger", text).unwrap());
    let (studies, root) = ([Study { judges, ..study() }, Study { name: "another", judges: vec![], ..study() }], folder_of(1));
    let of = Report { ledgers: &ledgers, headline: HEADLINE, ..Report::of_studies(&studies) };
    let report = Report { root: root.path(), ..of };
    let sections = report.sections();
    let [text, part, page] = [report.markdown(&sections), report.markdown_of(&sections[0]), report.page(&sections).unwrap()];
    let sentence = "3 published claims of 1 publications on cloth simulation, measured anew and judged by written criteria; \
        2 criteria from exact solutions.";
    for told in [
        &format!("\n\n{sentence}\n\n- **Exact**: 1 of 2.\n"),
        "1. In [X-1](results/study/REPORT.md#x-1) it is 0.900, *more* than 3.\n",
        "Of 3 published claims, numbers and statements of papers and books:\n\n- **1** direction only: the effect is there, with another size",
        "Of 2 criteria from exact solutions, what methods must reach where the answer is known without a simulation:\n\n\
         - **1** direction only: the criterion is met in part, as far as it says under `direction only`\n- **1** not reproduced: ",
        "\nNot reproduced, of criteria from exact solutions:\n\n- [E-2](results/study/REPORT.md#e-2): q. Reference: 2. Measured: 0.9 < 1.\n",
        "| claim | where | published | measured | direction | size | verdict |\n| --- | --- | --- | --- | --- | --- | --- |\n| [X-1]",
        "| claim | where | reference | measured | direction | size | verdict |\n| --- | --- | --- | --- | --- | --- | --- |\n| [E-1]",
    ] {
        assert!(text.contains(told), "{told} is not in {text}");
    }
    assert!(
        part.contains("| published | - |") && part.contains("| reference | 2 |") && !part.contains("| published | 2 |"),
        "{part}"
    );
    let screen = page.split("</header>").next().unwrap();
    for told in [
        sentence,
        "<strong>Exact</strong> 1 of 2.</p>",
        "<li>3 published claims:</li>",
        "<li>2 criteria from exact solutions:</li>",
    ] {
        assert!(screen.contains(told), "{told} is not in {screen}");
    }
    for told in [
        "<h2 class=\"counts\">3 published claims</h2>",
        "<h2 class=\"counts\">2 criteria from exact solutions</h2>",
        "<h2 class=\"counts\">Not reproduced, of criteria from exact solutions</h2>",
        "<dt>published</dt><dd>-</dd>",
        "<dt>reference</dt><dd>2</dd>",
    ] {
        assert!(page.contains(told), "{told} is not in the page");
    }
    assert!(!page.contains("published claims</h2>\n<ul class=\"missed\">"), "no published claim was missed");
}

#[test]
fn the_page_asks_no_network() {
    let page = page();
    for outside in ["http://", "https://", "src=", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn a_study_without_results_says_so() {
    let (studies, ledgers) = ([study()], [Ledger::parse("ledger", LEDGER).unwrap()]);
    let report = Report { ledgers: &ledgers, headline: HEADLINE, ..Report::of_studies(&studies) };
    assert!(report.page(&report.sections()).unwrap().contains("<p>No results yet.</p>"));
}

/// Verdicts are told apart by their words and signs, and by colours for any eyes.
#[test]
fn colours_of_verdicts_are_told_apart_by_all_eyes() {
    let style = include_str!("style.css");
    let color = |class: &str| {
        let rest = style.split_once(&format!("\n.{class} {{ background: #")).unwrap_or_else(|| panic!("no {class}")).1;
        let channel = |k: usize| u8::from_str_radix(&rest[2 * k..2 * k + 2], 16).expect("a colour");
        Color(channel(0), channel(1), channel(2))
    };
    let verdicts: Vec<Verdict> = Verdict::ALL.into_iter().filter(|verdict| style.contains(&slugged(verdict))).collect();
    assert_eq!(verdicts.len(), 10);
    for (k, one) in verdicts.iter().enumerate() {
        let here = color(&slug(&one.to_string()));
        assert!(contrast(here, Color(255, 255, 255)) >= 4.5, "{one}");
        for other in &verdicts[..k] {
            assert_ne!(one.sign(), other.sign());
            for eyes in [Eyes::AllCones, Eyes::Deuteranopia, Eyes::Protanopia] {
                let distance = apart(here, color(&slug(&other.to_string())), eyes);
                assert!(distance >= 12.0, "{one} and {other}: {distance}, {eyes:?}");
            }
        }
    }
}

fn slugged(verdict: &Verdict) -> String {
    format!("\n.{} {{", slug(&verdict.to_string()))
}
