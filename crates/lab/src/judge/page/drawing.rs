use super::markup::escaped;

/// The drawing of a chart file as an element of the page, under its title, which stands in the picture; its width \[px\] and
/// height \[px\].
pub(super) fn inline(svg: &str, title: &str) -> (String, [f64; 2]) {
    let (head, shapes) = svg.split_once('>').unwrap_or((svg, ""));
    // the page has one style sheet for all drawings
    let shapes = shapes.split_once("<style>").and_then(|(_, rest)| rest.split_once("</style>")).map_or(shapes, |(_, rest)| rest);
    let value = |name: &str| {
        let (_, rest) = head.split_once(&format!(" {name}=\""))?;
        Some(rest.split_once('"')?.0)
    };
    let size = ["width", "height"].map(|side| value(side).and_then(|length| length.parse().ok()).unwrap_or(0.0));
    let mut element = format!("<svg role=\"img\" aria-label=\"{}\"", escaped(title));
    for name in ["viewBox", "stroke-linejoin", "fill", "font-family"] {
        element += &value(name).map_or(String::new(), |value| format!(" {name}=\"{value}\""));
    }
    (element + ">" + shapes.trim_end(), size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_is_named_and_knows_its_size() {
        let svg = "<svg xmlns=\"x\" width=\"96\" height=\"41\" viewBox=\"0 0 960 410\" fill=\"none\">\n<style>a{}</style>\n<path d=\"M1 2l3 4\"/>\n</svg>\n";
        let (drawing, size) = inline(svg, "title");
        assert_eq!(size, [96.0, 41.0]);
        let head = "<svg role=\"img\" aria-label=\"title\" viewBox=\"0 0 960 410\" fill=\"none\">";
        assert_eq!(drawing, format!("{head}\n<path d=\"M1 2l3 4\"/>\n</svg>"));
    }
}
