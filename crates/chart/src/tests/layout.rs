//! Panels on a page: narrow drawings, one legend, one range, dark pages.

use super::*;

fn panel(label: &str, most: f64) -> Panel {
    let points = Layer::marked_line(label, Palette::BLUE, vec![[1.0, 1.0], [2.0, most]]);
    Panel::new(Axis::linear("x"), Axis::log("y"), points.into()).titled(label)
}

/// Sizes of texts [px].
fn font_sizes(page: &str) -> Vec<f64> {
    let size = |tag: &str| attribute(tag, "font-size").and_then(|text| text.parse::<f64>().ok());
    page.split("<text ").skip(1).filter_map(size).map(|size| size / 10.0).collect()
}

#[test]
fn a_narrow_drawing_stacks_its_panels_and_keeps_its_text_readable() {
    let names = ["as in the main group", "threshold of 1 %", "without bending", "half the time"];
    let points = Layer::points(
        "of a long entry in the legend, which breaks",
        Palette::BLUE,
        (1..=4).map(|k| [f64::from(k), 2.0]).collect(),
    );
    let named = Panel::new(Axis::categories("reading", names), Axis::linear("y"), vec![points]);
    let solid = Panel::snapshot(Snapshot::new(View::default(), vec![Solid::cuboid([0.0; 3], [1.0, 2.0, 3.0], Palette::GREY)]));
    let panels = vec![
        panel("some method", 1e4),
        named.legend_outside(),
        solid.titled("a title that is far too long for one line of a phone"),
    ];
    let figure = Figure { columns: 3, ..Figure::new("test", "A title that is far too long for one line of a phone", "", panels) };
    let narrow = page::svg(&figure, true, &Pictures::Drawn).expect("drawn");
    let ([width, height], [_, wide]) = (size(&narrow), size(&figure.drawn().expect("drawn")));
    assert!(width == 390.0 && height > 2.0 * wide, "{width} x {height}");
    for (line, [left, top, right, bottom]) in texts(&narrow) {
        assert!(left >= 0.0 && right <= width && top >= 0.0 && bottom <= height, "{line}");
    }
    let sizes = font_sizes(&narrow);
    assert!(sizes.len() > 20 && sizes.iter().all(|size| *size >= 10.99), "{sizes:?}");
}

#[test]
fn many_names_stand_one_below_the_other_where_it_is_narrow() {
    let names: Vec<String> = (1..=30).map(|k| format!("reading {k}, with a few words more")).collect();
    let bars = Layer::error_bars("bars", Color(1, 2, 3), (1..=30).map(|k| [f64::from(k), 2.0, 1.0, 4.0]).collect());
    let rule = Layer::rule("rule", Color(4, 5, 6), Direction::Horizontal, 3.0);
    let panel = Panel::new(Axis::categories("", names), Axis::linear("y"), vec![bars, rule]);
    let figure = Figure::new("test", "", "", vec![panel]);
    let narrow = page::svg(&figure, true, &Pictures::Drawn).expect("drawn");
    assert!(font_sizes(&narrow).iter().all(|size| *size >= 10.99), "{:?}", font_sizes(&narrow));
    let found = texts(&narrow);
    let top = |word: &str| found.iter().find(|(line, _)| line.starts_with(word)).map(|(_, area)| area[1]).expect("a name");
    assert!(top("reading 1,") < top("reading 2,") && top("reading 2,") < top("reading 30,"));
    for (k, (line, area)) in found.iter().enumerate() {
        let apart = |other: &[f64; 4]| area[0] >= other[2] || area[2] <= other[0] || area[1] >= other[3] || area[3] <= other[1];
        assert!(found[..k].iter().all(|(_, other)| apart(other)), "{line} covers another label");
    }
    let lines = corners(&narrow, "polyline", "#010203");
    let level = lines.iter().filter(|line| line[0][1] == line[1][1] && line[0][0] != line[1][0]).count();
    assert_eq!(level, 2 * 30 + 1, "two halves of every bar, and the one of the legend");
}

/// Corners of the lines of a colour [px].
fn corners(page: &str, kind: &str, color: &str) -> Vec<Vec<[f64; 2]>> {
    let pair = |text: &str| {
        let (x, y) = text.split_once(',').expect("pair");
        [x, y].map(|number| number.parse::<f64>().expect("number") / 10.0)
    };
    let start = format!("<{kind} ");
    let shapes = page.split(&start).skip(1).filter(|tag| attribute(tag, "stroke") == Some(color));
    shapes.filter_map(|tag| attribute(tag, "points")).map(|points| points.split_whitespace().map(pair).collect()).collect()
}

#[test]
fn a_pair_has_its_pictures_once() {
    let solid = || Panel::snapshot(Snapshot::new(View::default(), vec![Solid::sphere([0.0; 3], 1.0, Palette::ORANGE)]));
    let figure = Figure::new("test", "", "", vec![solid(), panel("a", 10.0), solid()]);
    let [wide, narrow] = figure.svg_pair("study-test").expect("drawn");
    for k in 0..2 {
        assert_eq!(wide.matches(&format!("<g id=\"study-test-{k}\">")).count(), 1);
        assert_eq!(narrow.matches(&format!("<use href=\"#study-test-{k}\" transform=\"matrix(0.")).count(), 1);
    }
    let plain = figure.svg().expect("drawn");
    assert!(wide.len() < plain.len() + 100 && 2 * narrow.len() < plain.len(), "{} {} {}", plain.len(), wide.len(), narrow.len());
    assert_eq!(wide.matches("<g").count(), wide.matches("</g>").count());
    let without: Vec<&str> = wide.lines().filter(|line| !line.starts_with("<g id") && *line != "</g>").collect();
    let of_plain: Vec<&str> = plain.lines().filter(|line| *line != "</g>").collect();
    assert_eq!(without, of_plain, "nothing but the groups differs");
}

#[test]
fn one_legend_names_each_entry_once_in_the_room_that_panels_leave() {
    let figure = |panels: Vec<Panel>| Figure { columns: 2, ..Figure::new("test", "", "", panels) }.with_one_legend();
    let draw = |panels: Vec<Panel>| figure(panels).drawn().expect("drawn");
    let entries =
        |page: &str| texts(page).into_iter().filter(|(line, _)| line == "shared" || line == "other").collect::<Vec<_>>();
    let untitled = |label: &str| panel(label, 10.0).titled("");
    let full = draw(vec![untitled("shared"), untitled("shared")]);
    assert_eq!(entries(&full).len(), 1);
    let three = draw(vec![untitled("shared"), untitled("shared"), untitled("other")]);
    let found = entries(&three);
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|(_, [left, ..])| *left > 480.0), "beside the last panel: {found:?}");
    let apart = Figure { one_legend: false, ..figure(vec![untitled("shared"), untitled("shared")]) };
    assert_eq!(entries(&apart.drawn().expect("drawn")).len(), 2);
    assert!(size(&three)[1] < size(&draw(vec![untitled("shared"); 4]))[1], "which has it below");
}

#[test]
fn one_range_holds_the_data_of_all_panels() {
    let picture = Panel::snapshot(Snapshot::default());
    let figure = Figure::new("test", "", "", vec![panel("a", 1e2), picture, panel("b", 1e4)]).with_one_y();
    let range = |panel: &Panel| match &panel.body {
        Body::Chart(chart) => chart.y.range,
        Body::Snapshot(_) => None,
    };
    let ranges: Vec<(f64, f64)> = figure.panels.iter().filter_map(range).collect();
    assert!(ranges.len() == 2 && ranges[0] == ranges[1] && ranges[0].1 > 1e4, "{ranges:?}");
    assert_eq!(figure.outside(), 0);
}

#[test]
fn a_dark_page_has_other_colours_for_all_but_what_is_lit() {
    let page = Figure::new("test", "", "", vec![panel("a", 10.0)]).svg().expect("drawn");
    let style = page.split_once("<style>").and_then(|(_, rest)| rest.split_once("</style>")).expect("a style sheet").0;
    assert!(style.starts_with("@media screen and (prefers-color-scheme:dark){"));
    let blue = theme::hex(Palette::BLUE);
    for property in ["fill", "stroke"] {
        assert!(style.contains(&format!("[{property}=\"{blue}\"]")), "{property}: {style}");
    }
    let lit = Mesh::new(vec![[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]])
        .surface("", Color(255, 255, 255), &[[0, 1, 2]])
        .wires(Wires::new("", Palette::BLACK, vec![[0, 1], [1, 2]]));
    let bare = Mesh { surfaces: vec![], ..lit.clone() };
    let styled = |mesh: Mesh| {
        Figure::new("test", "", "", vec![Panel::snapshot(Snapshot::new(View::new(0.0, 90.0), vec![mesh]))]).svg().expect("drawn")
    };
    assert!(!styled(lit).contains("[stroke=\"#000000\"]"), "wires on faces stay dark");
    assert!(styled(bare).contains("[stroke=\"#000000\"]"), "wires alone would not be seen");
}

#[test]
fn texts_stand_where_they_are_put() {
    let words = vec![([1.0, 1.0], "1.5".to_owned()), ([2.0, 2.0], "2.5".to_owned()), ([9.0, 1.0], "gone".to_owned())];
    let cells = Layer::cells("cells", Palette::SCALE[2], [1.0, 1.0], vec![[1.0, 1.0], [2.0, 2.0]]);
    let figure = figure(Axis::linear("x").range(0.5, 2.5), Axis::linear("y").range(0.5, 2.5), vec![cells, Layer::texts(words)]);
    let places = texts(&figure.drawn().expect("drawn"));
    let of = |word: &str| places.iter().find(|(line, _)| line == word).map(|(_, area)| *area);
    let [first, second] = ["1.5", "2.5"].map(|word| of(word).expect("drawn"));
    assert!(first[0] < second[0] && first[1] > second[1] && of("gone").is_none());
    assert_eq!(figure.outside(), 1);
    let table = figure.points_csv().expect("table");
    assert!(table.contains("1,2,2.5,text,2.0,2.0,,,true") && table.contains("1,2,gone,text,9.0,1.0,,,false"), "{table}");
}
