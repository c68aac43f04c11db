//! Charts of the committed results: beside what is published, and on narrow screens.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::common::studies_of;
use kit::published::{citation_of, pictures};
use lab::judge::published::{Picture, Status};

fn results() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../results")
}

#[test]
fn every_chart_beside_a_figure_is_one_of_ours() {
    let studies = studies_of("paper");
    let charts: BTreeSet<String> =
        studies.iter().flat_map(|study| study.plots.iter().map(|plot| format!("{}/{}", study.name, plot.name))).collect();
    let pictures = pictures().unwrap();
    let keys: BTreeSet<String> = pictures.iter().map(|picture| format!("{} {}", picture.paper, picture.figure)).collect();
    assert_eq!(keys.len(), pictures.len(), "a figure stands twice");
    for picture in &pictures {
        let Picture { paper, figure, shows, status, chart, why } = picture;
        assert!(citation_of(paper) != *paper, "{paper}");
        assert!(!shows.is_empty() && !why.is_empty(), "{paper}, {figure}");
        assert!(chart.is_empty() || charts.contains(chart), "{paper}, {figure}: there is no chart {chart}");
        assert!(!chart.is_empty() || matches!(status, Status::NotComparable | Status::NotDrawn), "{paper}, {figure}: no chart");
    }
}

/// Charts in which something published stands, with its entry in a legend.
const OVERLAID: [(&str, &str); 22] = [
    ("aimex/difference", "published (Boxerman 2003, 4.4.3)"),
    ("aimex/table-4-1", "published (Boxerman 2003, table 4.1)"),
    ("aimex/times", "published (Boxerman 2003, table 4.1)"),
    ("decomposition/ratio", "published (Boxerman 2003, fig. 6.10)"),
    ("decomposition/ratio", "published (Boxerman 2003, 6.4.1)"),
    ("decomposition/rv-count", "published (Boxerman 2003, fig. 6.9): decomposing pays from about here on"),
    ("decomposition/times", "published (Boxerman 2003, 6.4.1)"),
    ("fast-projection/chain-times", "published (Goldenthal 2007, fig. 4b): 25 x ours"),
    ("fast-projection/residual", "published (Goldenthal 2007, fig. 3): order 2 at least, height ours"),
    ("fb-euler-stability/critical-stiffness", "published (Boxerman 2003, 4.1.3)"),
    ("generalized-alpha/energy", "published (Parks 2002, fig. 2)"),
    ("generalized-alpha/orders", "published (Parks 2002, 3): order 1, height ours"),
    ("generalized-alpha/radii", "published (Parks 2002, fig. 1): at times a factor of four"),
    ("generalized-alpha/steps", "published (Parks 2002, fig. 2)"),
    ("impulse-strips/linear", "published (Bender 2008, 3.3): O(n), height ours"),
    ("impulse-strips/times", "published (Bender 2008, fig. 5)"),
    ("preconditioners/exponents", "published (Boxerman 2003, fig. 5.7): CP, 0.436"),
    ("preconditioners/pinned-size", "published (Boxerman 2003, fig. 5.4)"),
    ("preconditioners/pinned-stiffness", "published (Boxerman 2003, fig. 5.6)"),
    ("preconditioners/sphere-size", "published (Boxerman 2003, fig. 5.7): CP, 0.436, height ours"),
    ("preconditioners/sphere-stiffness", "published (Boxerman 2003, fig. 5.10): A-Block"),
    ("preconditioners/times", "published (Boxerman 2003, fig. 5.3): time of CP"),
];

#[test]
fn what_is_published_stands_in_our_charts() {
    let studies = studies_of("paper");
    for (chart, label) in OVERLAID {
        let (study, name) = chart.split_once('/').unwrap();
        let study = studies.iter().find(|known| known.name == study).unwrap();
        let plot = study.plots.iter().find(|plot| plot.name == name).unwrap();
        let figure = (plot.draw)(&study.results(&results().join(study.name))).unwrap();
        let points = figure.points_csv().unwrap();
        assert!(points.contains(label), "{chart} does not show {label}");
    }
}

#[test]
fn every_chart_has_a_narrow_drawing_with_text_that_can_be_read() {
    for study in studies_of("paper") {
        let results = study.results(&results().join(study.name));
        for plot in &study.plots {
            let narrow = (plot.draw)(&results).unwrap().svg_narrow().unwrap();
            assert!(narrow.contains(" width=\"390\" "), "{}/{}", study.name, plot.name);
            let sizes = narrow.split("font-size=\"").skip(1).filter_map(|rest| rest.split('"').next()?.parse::<f64>().ok());
            let least = sizes.fold(f64::INFINITY, f64::min);
            assert!(least > 109.0, "{}/{}: {least} tenths of a pixel", study.name, plot.name);
        }
    }
}
