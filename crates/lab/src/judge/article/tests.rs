use super::manuscript::Shown;
use super::*;
use crate::judge::claims::{Finding, Ledger, Verdict};
use crate::judge::sample::Sample;
use crate::results::{Results, ResultsError};
use crate::study::{Judge, Plot, Study};
use chart::{Axis, Figure, Layer, Palette, Panel};

const LEDGER: &str = "paper = 'A #1 & b_c'\ncitation = 'A, On *stars*, 2001'\n\
    [[claim]]\nid = 'X-1'\nwhere = '$2'\nquantity = 'what [is]'\npublished = '@all'\nstudy = 'study'\ncriterion = 'a > b'\n\
    [[claim]]\nid = 'X-2'\nwhere = '3'\nquantity = 'q'\npublished = '2'\nstudy = 'study'\n";

fn manuscript() -> Manuscript {
    Manuscript {
        title: "[Re] \"A\" #b".into(),
        summary: "Of {published.claims} claims {published.reproduced} hold.".into(),
        introduction: "No *number*.\n\nThe value {X-2.value}.".into(),
        methods: "m".into(),
        discussion: String::new(),
        limits: String::new(),
        again: "`a b`".into(),
        figures: vec![
            Shown { charts: vec!["study/line".into()], width: 0.5 },
            Shown { charts: vec!["study/line".into(), "study/gone".into()], width: 1.0 },
            Shown { charts: vec!["another/line".into()], width: 1.0 },
        ],
    }
}

fn work() -> Citation {
    let [title, version, license] = ["A work", "1.0", "MIT"].map(str::to_owned);
    Citation { title, authors: vec!["The \"authors\"".into()], version, license, keywords: vec![] }
}

fn line(_: &Results) -> Result<Figure, ResultsError> {
    let layers = vec![Layer::line("", Palette::BLUE, vec![[0.0, 0.0], [1.0, 1.0]])];
    Ok(Figure::new("line", "A line", "Of <nothing>.", vec![Panel::new(Axis::linear("x"), Axis::linear("y"), layers)]))
}

fn missed(_: &Results) -> Result<Finding, ResultsError> {
    Ok(Finding::new(Verdict::NotReproduced, "1 of #2", "it ~ is; a // b would overturn it"))
}

fn resized(_: &Results) -> Result<Finding, ResultsError> {
    Ok(Finding::new(Verdict::DirectionOnly, "4", "").value(4.0))
}

fn article(sample: Sample) -> Article {
    let judges = vec![Judge::of_counts("X-1", missed), Judge::of_counts("X-2", resized)];
    let studies = [Study { judges, plots: vec![Plot::new("line", line)], ..Study::of_groups(vec![]) }];
    let ledgers = [Ledger::parse("p", LEDGER).unwrap()];
    let report = Report { ledgers: &ledgers, headline: "So it is ({X-1}).", ..Report::of_studies(&studies) };
    let mut sections = report.sections();
    sections[0].sample = sample;
    report.article(&sections, &manuscript(), &work()).unwrap()
}

#[test]
fn an_article_holds_what_was_found_and_nothing_of_it_is_markup() {
    let Article { source, figures } = article(Sample::Published);
    for part in [
        "// Written from results by `clothlab article`, which replaces it.\n// Beside it: study-line.svg study-line.svg\n",
        "  title: \"[Re] \\\"A\\\" #b\",\n  authors: (\"The \\\"authors\\\"\",),\n",
        "#summary[\nOf 2 claims 0 hold.\n]\n",
        "= Introduction\n\nNo #emph[number];.\n\nThe value 4.00.\n",
        "== What was found\n\n#enum(\n  [So it is (#raw(\"X-1\");).],\n)\n",
        "  (\"direction only\", \"not reproduced\", ),\n  ([A \\#1 & b\\_c], (1, 1, )),\n",
        "(\"X-1\", \"not reproduced\", [✗]), (\"X-2\", \"direction only\", [\\~]), ",
        "#resized(\n  ([#raw(\"X-2\");], [q], [2], [4]),\n",
        "#chart(\"study-line.svg\", width: 50%, caption: [Of \\<nothing\\>. ",
        "Of 2 published claims 1 is not reproduced:\n",
        "  place: [A \\#1 & b\\_c, \\$2],\n  quantity: [what \\[is\\]],\n  reference: [published],\n  published: [\\@all],\n  measured: [1 of \\#2],\n",
        "  reason: [it \\~ is; a \\/\\/ b would overturn it],\n",
        "= How to do it again\n\n#raw(\"a b\");\n",
        "#references(\n  [#strong[A \\#1 & b\\_c];: A, On #emph[stars];, 2001.],\n)",
    ] {
        assert!(source.contains(part), "{part}\n\n{}", source.split("#show: article").last().unwrap_or_default());
    }
    assert!(!source.contains("= Limits") && !source.contains("#preview["), "what is empty has no title");
    assert!(figures.iter().all(|(name, svg)| name == "study-line.svg" && svg.starts_with("<svg")));
    assert_eq!(article(Sample::Published), article(Sample::Published));
}

#[test]
fn an_article_of_previews_finds_nothing() {
    let Article { source, figures } = article(Sample::Preview("3 of 5 sets".into()));
    let text = source.split("#show: article").last().unwrap();
    assert!(text.contains("#preview[#strong[Preview.]; ") && text.contains("#list([study: 3 of 5 sets],)]"), "{text}");
    assert!(
        text.contains("= Results\n\nWhat was measured is drawn below; nothing follows from it for any claim.\n\n#chart("),
        "{text}"
    );
    assert!(text.contains("No #emph[number];.") && !text.contains("#summary[") && !text.contains("The value"), "{text}");
    for part in ["X-1", "#counts(", "#missed(", "#resized(", "#every-claim("] {
        assert!(!text.contains(part), "{part}: {text}");
    }
    assert!(!figures.is_empty());
}
