//! Whole figures.

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
    let page = figure(Axis::linear("x"), Axis::linear("y"), kinds.clone()).svg().expect("drawn");
    for (k, layer) in kinds.iter().enumerate() {
        let color = format!("#{:02X}{:02X}{:02X}", 3 * k + 1, 3 * k + 2, 3 * k + 3);
        let mut without = kinds.clone();
        without[k] = Layer::points(layer.label(), Palette::BLACK, vec![]);
        let others = figure(Axis::linear("x"), Axis::linear("y"), without).svg().expect("drawn");
        assert!(page.matches(&color).count() >= 2, "{layer:?}: once in the legend, once in the frame");
        assert!(page.contains(&format!(">\n{}\n<", layer.label())), "{layer:?}: label");
        assert!(!others.contains(&color), "{layer:?}: colour of another layer");
    }
}

#[test]
fn a_layer_without_a_label_is_not_in_the_legend() {
    let draw = |label: &str| {
        let points = Layer::points(label, Color(19, 20, 21), vec![[1.0, 2.0], [2.0, 2.5]]);
        figure(Axis::linear("x"), Axis::linear("y"), vec![points]).svg().expect("drawn").matches("#131415").count()
    };
    assert_eq!((draw(""), draw("named")), (2, 3));
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
        let page = figure.svg().expect("drawn");
        let number =
            |name: &str| page.split(&format!("{name}=\"")).nth(1).and_then(|rest| rest.split('"').next().map(String::from));
        [number("width"), number("height")].map(|text| text.expect("attribute").parse::<u32>().expect("number"))
    };
    let ([row, low], [two, high]) = (head(0), head(2));
    assert_eq!((row, two), (1440, 960));
    assert_eq!(high, 2 * low);
}

#[test]
fn labels_stay_on_the_page() {
    let wide = Layer::points("a", Palette::BLUE, vec![[-123_456.0, -0.000_125], [123_456.0, 0.000_125]]);
    let page = figure(Axis::linear("x"), Axis::linear("y"), vec![wide]).svg().expect("drawn");
    let mut labels = 0;
    for text in page.split("<text ").skip(1) {
        let value = |name: &str| text.split(&format!("{name}=\"")).nth(1).and_then(|rest| rest.split('"').next());
        let x: f64 = value("x").expect("x").parse().expect("number");
        let line = text.split(">\n").nth(1).and_then(|rest| rest.split('\n').next()).expect("text");
        let width = 10.0 * 1.1 / 1.06 * text::Type::new(12.0).width(line).expect("font");
        let left = match value("text-anchor") {
            Some("end") => x - width,
            Some("middle") => x - width / 2.0,
            _ => x,
        };
        assert!(left >= 0.0 && left + width <= 7200.0, "{line}: {left} to {}", left + width);
        labels += 1;
    }
    assert!(labels > 10);
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
