//! Whole figures.

mod layout;
mod snapshots;

use super::*;

/// One layer of every kind, each with a colour of its own.
fn every_kind() -> Vec<Layer> {
    vec![
        Layer::band("band", Color(1, 2, 3), Direction::Vertical, 2.0, 3.0),
        Layer::cells("cells", Color(4, 5, 6), [1.0, 1.0], vec![[1.0, 1.0], [2.0, 1.0]]),
        Layer::bars("bars", Color(7, 8, 9), vec![1.0, 2.0, 4.0], vec![3.0, 5.0]),
        Layer::line("line", Color(10, 11, 12), vec![[0.0, 0.0], [5.0, 5.0]]).dash(Dash::DashDot),
        Layer::rule("rule", Color(13, 14, 15), Direction::Horizontal, 4.0),
        Layer::error_bars("error bars", Color(16, 17, 18), vec![[1.0, 2.0, 1.0, 3.0]]),
        Layer::points("points", Color(19, 20, 21), vec![[1.0, 2.0], [2.0, 2.5]]).marker(Marker::OpenSquare),
        Layer::entries("entries", Color(22, 23, 24), vec![(0, 0), (3, 1)]),
    ]
}

fn figure(x: Axis, y: Axis, layers: Vec<Layer>) -> Figure {
    Figure::new("test", "Title", "Caption.", vec![Panel::new(x, y, layers)])
}

#[test]
fn the_same_figure_gives_the_same_bytes() {
    let draw = || figure(Axis::linear("x"), Axis::linear("y"), every_kind()).svg().expect("drawn");
    assert_eq!(draw(), draw());
}

#[test]
fn every_kind_of_layer_is_drawn_and_named() {
    let kinds = every_kind();
    let page = figure(Axis::linear("x"), Axis::linear("y"), kinds.clone()).drawn().expect("drawn");
    for (k, layer) in kinds.iter().enumerate() {
        let color = format!("#{:02X}{:02X}{:02X}", 3 * k + 1, 3 * k + 2, 3 * k + 3);
        let mut without = kinds.clone();
        without[k] = Layer::points(layer.label(), Palette::BLACK, vec![]);
        let others = figure(Axis::linear("x"), Axis::linear("y"), without).drawn().expect("drawn");
        assert!(page.matches(&color).count() >= 2, "{layer:?}: once in the legend, once in the frame");
        assert!(page.contains(&format!(">\n{}\n<", layer.label())), "{layer:?}: label");
        assert!(!others.contains(&color), "{layer:?}: colour of another layer");
    }
}

#[test]
fn a_layer_without_a_label_is_not_in_the_legend() {
    let draw = |label: &str| {
        let points = Layer::points(label, Color(19, 20, 21), vec![[1.0, 2.0], [2.0, 2.5]]);
        figure(Axis::linear("x"), Axis::linear("y"), vec![points]).drawn().expect("drawn").matches("#131415").count()
    };
    assert_eq!((draw(""), draw("named")), (2, 3));
}

#[test]
fn a_rule_without_a_label_is_one_line_and_others_are_dashed() {
    let draw = |label: &str| {
        let points = Layer::points("", Palette::BLUE, vec![[0.0, 0.0], [1.0, 2.0]]);
        let rule = Layer::rule(label, Color(13, 14, 15), Direction::Horizontal, 1.0);
        figure(Axis::linear("x"), Axis::linear("y"), vec![points, rule]).drawn().expect("drawn").matches("#0D0E0F").count()
    };
    assert_eq!(draw(""), 1);
    assert!(draw("named") > 10);
}

#[test]
fn outside_is_counted_and_noted() {
    let points = vec![[0.5, 0.5], [2.0, 0.5], [0.5, -1.0], [f64::NAN, 0.5]];
    let layers = vec![Layer::points("", Palette::BLUE, points)];
    let inside = figure(Axis::linear("x"), Axis::linear("y"), layers.clone());
    assert_eq!(inside.outside(), 1);
    assert!(inside.svg().expect("drawn").contains("1 point outside"));
    let cut = figure(Axis::linear("x").range(0.0, 1.0), Axis::linear("y").range(0.0, 1.0), layers.clone());
    assert_eq!(cut.outside(), 3);
    let page = cut.svg().expect("drawn");
    assert!(page.contains("3 points outside"));
    assert_eq!(page.matches("<circle").count(), 1);
    assert_eq!(figure(Axis::log("x"), Axis::log("y"), layers).outside(), 2);
}

#[test]
fn figures_without_data_say_so() {
    let none = Figure::new("none", "", "", vec![]);
    assert!(none.svg().expect("drawn").contains("no data"));
    let rule = Layer::rule("published", Palette::GREY, Direction::Horizontal, 1.0);
    let empty = [Layer::points("a", Palette::BLUE, vec![]), Layer::bars("b", Palette::BLUE, vec![], vec![]), rule];
    assert!(figure(Axis::log("x"), Axis::linear("y"), empty.to_vec()).svg().expect("drawn").contains("no data"));
    assert!(!figure(Axis::linear("x"), Axis::linear("y"), every_kind()).svg().expect("drawn").contains("no data"));
}

#[test]
fn text_is_escaped() {
    let points = Layer::points("r < 1 & s", Palette::BLUE, vec![[1.0, 1.0]]);
    let page = figure(Axis::linear("<x>"), Axis::linear("y"), vec![points]).svg().expect("drawn");
    assert!(page.contains("r &lt; 1 &amp; s") && page.contains("&lt;x&gt;") && !page.contains("<x>"));
}

#[test]
fn panels_wrap_after_the_given_columns() {
    let panel = Panel::new(Axis::linear("x"), Axis::linear("y"), every_kind());
    let head = |columns| {
        let figure = Figure { columns, ..Figure::new("test", "", "", vec![panel.clone(); 3]) };
        size(&figure.drawn().expect("drawn"))
    };
    let ([row, low], [two, high]) = (head(0), head(2));
    assert_eq!((row, two), (1440.0, 960.0));
    assert_eq!(high, 2.0 * low);
}

/// Value of an attribute in the text after its tag's name.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    tag.split('>').next()?.split(&format!("{name}=\"")).nth(1)?.split('"').next()
}

/// Texts of a page with their left, top, right and bottom [px].
fn texts(page: &str) -> Vec<(String, [f64; 4])> {
    let place = |tag: &str| {
        let number = |name: &str| attribute(tag, name).and_then(|text| text.parse::<f64>().ok()).expect("number") / 10.0;
        let line = tag.split(">\n").nth(1).and_then(|rest| rest.split('\n').next()).expect("text");
        let (x, y, size) = (number("x"), number("y"), number("font-size"));
        let width = text::Type::new(size).width(line).expect("font") * 1.1 / 1.06;
        let before = match attribute(tag, "text-anchor") {
            Some("end") => width,
            Some("middle") => width / 2.0,
            _ => 0.0,
        };
        let half = size / 2.0;
        let area = match attribute(tag, "transform") {
            Some(_) => [x - half, y - width + before, x + half, y + before], // it reads upward
            None => [x - before, y - half, x - before + width, y + half],
        };
        (line.to_owned(), area)
    };
    page.split("<text ").skip(1).map(place).collect()
}

/// Width and height of a page [px].
fn size(page: &str) -> [f64; 2] {
    ["width", "height"].map(|name| attribute(page, name).and_then(|text| text.parse().ok()).expect("number"))
}

#[test]
fn labels_stay_on_the_page() {
    let wide = Layer::points("a", Palette::BLUE, vec![[-123_456.0, -0.000_125], [123_456.0, 0.000_125]]);
    let page = figure(Axis::linear("x"), Axis::linear("y"), vec![wide]).drawn().expect("drawn");
    let labels = texts(&page);
    for (line, [left, _, right, _]) in &labels {
        assert!(*left >= 0.0 && *right <= 720.0, "{line}: {left} to {right}");
    }
    assert!(labels.len() > 10);
}

#[test]
fn categories_are_named_side_by_side() {
    let names = ["as in the main group", "threshold of 1 %", "without bending", "accumulation of forces", "half the time"];
    let points = || Layer::points("", Palette::BLUE, (1..=5).map(|k| [f64::from(k), 2.0]).collect());
    let across = Panel::new(Axis::categories("reading", names), Axis::linear("y"), vec![points()]);
    let swapped = Layer::points("", Palette::BLUE, (1..=5).map(|k| [2.0, f64::from(k)]).collect());
    let beside = Panel::new(Axis::linear("x"), Axis::categories("reading", names).reversed(), vec![swapped]);
    let upright = vec![across.clone(), across.clone(), across.clone()];
    let long: Vec<String> = names.iter().map(|name| name.replace(' ', "_")).collect();
    let Body::Chart(chart) = &across.body else { panic!("a chart") };
    let long = Panel::new(Axis::categories("reading", long), chart.y.clone(), vec![points()]);
    for panels in [vec![across], vec![beside], upright, vec![long.clone(), long]] {
        let figure = Figure::new("test", "", "", panels);
        let page = figure.drawn().expect("drawn");
        let ([width, height], found) = (size(&page), texts(&page));
        let all = found.iter().map(|(line, _)| line.replace('_', " ")).collect::<Vec<_>>().join(" ");
        for word in names.iter().flat_map(|name| name.split(' ')) {
            assert!(all.contains(word), "{word}: {all}");
        }
        for (k, (line, [left, top, right, bottom])) in found.iter().enumerate() {
            assert!(*left >= 0.0 && *top >= 0.0 && *right <= width && *bottom <= height, "{line}");
            let apart = |other: &[f64; 4]| *left >= other[2] || *right <= other[0] || *top >= other[3] || *bottom <= other[1];
            assert!(found[..k].iter().all(|(_, other)| apart(other)), "{line} covers another label");
        }
        assert_eq!(page.matches("<circle").count(), 5 * figure.panels.len());
    }
}

#[test]
fn the_first_row_of_a_matrix_is_on_top() {
    let squares = |rows: usize, entries: &[(usize, usize)]| -> Vec<[f64; 4]> {
        let page = Figure::new("test", "", "", vec![Panel::sparsity("pattern", rows, entries)]).drawn().expect("drawn");
        let color = theme::hex(Palette::BLUE);
        let tags = page.split("<rect ").skip(1).filter(|tag| attribute(tag, "fill") == Some(&color));
        let number = |tag: &str, name: &str| attribute(tag, name).and_then(|text| text.parse::<f64>().ok()).expect("number");
        tags.map(|tag| ["x", "y", "width", "height"].map(|name| number(tag, name) / 10.0)).collect()
    };
    let found = squares(3, &[(0, 0), (0, 2), (2, 0), (0, 2), (3, 0)]);
    assert_eq!(found.len(), 3, "once each, none beyond the matrix");
    let [first, right, below] = [found[0], found[1], found[2]];
    assert!(right[0] > first[0] && right[1] == first[1], "{found:?}");
    assert!(below[0] == first[0] && below[1] > first[1], "{found:?}");
    assert_eq!(right[0] - first[0], below[1] - first[1]);
    let sides: Vec<f64> = squares(7, &[(0, 0), (3, 4), (6, 6)]).into_iter().flat_map(|square| [square[2], square[3]]).collect();
    assert!(sides.len() == 6 && sides.iter().all(|side| *side == sides[0]), "{sides:?}");

    let panel = Panel::sparsity("pattern", 3, &[(0, 0), (3, 0)]);
    let figure = Figure::new("test", "", "", vec![panel]);
    assert_eq!(figure.outside(), 1);
    let labels = texts(&figure.drawn().expect("drawn"));
    for tick in ["0", "1", "2"] {
        assert_eq!(labels.iter().filter(|(line, _)| line == tick).count(), 2, "{tick}");
    }
    assert!(!labels.iter().any(|(line, _)| line.contains("0.5")));
}

#[test]
fn two_thousand_points_stay_small() {
    let points: Vec<_> = (1..=2000).map(|k| [f64::from(k), f64::from(k * 7919 % 2000)]).collect();
    for marker in [Marker::Circle, Marker::Cross, Marker::OpenDiamond] {
        let layer = Layer::points("", Palette::BLUE, points.clone()).marker(marker);
        let size = figure(Axis::linear("x"), Axis::linear("y"), vec![layer]).svg().expect("drawn").len();
        assert!(size < 400_000, "{marker:?}: {size} bytes");
    }
}
