//! Drawings in a third of the bytes that plotters takes.
//!
//! Lines become paths of differences, opaque lines of one style that follow each other become one path, attributes that neighbours
//! share are said once, and those that say what holds anyway are left out. Nothing is moved or rounded but numbers with more than
//! two decimals, a thousandth of a pixel.

use std::borrow::Cow;
use std::fmt::Write;

use rayon::prelude::*;

use super::canvas::{CLOSE, OPEN, USE};

/// A picture in fewer bytes.
pub(super) fn compact(svg: &str) -> String {
    let pieces: Vec<&str> = svg.split('<').skip(1).collect();
    let parts: Vec<Part> = pieces.into_par_iter().filter_map(Part::of).collect();
    let mut drawing = String::new();
    let mut shapes: Vec<Shape> = vec![];
    for part in parts {
        match part {
            Part::Drawing(opening) => drawing = opening,
            Part::Shape(shape) => match shapes.last_mut() {
                Some(last) if last.joins && shape.joins && last.style == shape.style => last.place += &shape.place,
                _ => shapes.push(shape),
            },
        }
    }
    for run in shapes.chunk_by(|a, b| a.style == b.style && !a.is_alone() && !b.is_alone()) {
        match run {
            [shape] => shape.write(&mut drawing, &shape.style),
            _ => {
                drawing += &format!("<g{}>\n", run[0].style);
                run.iter().for_each(|shape| shape.write(&mut drawing, ""));
                drawing += "</g>\n";
            }
        }
    }
    drawing + "</svg>\n"
}

/// What is between one `<` and the next.
enum Part<'a> {
    /// The opening tag of the drawing.
    Drawing(String),
    Shape(Shape<'a>),
}

impl<'a> Part<'a> {
    /// None for what says nothing of its own, as closing tags.
    fn of(piece: &'a str) -> Option<Part<'a>> {
        let (tag, content) = piece.split_once('>').unwrap_or((piece, ""));
        let (name, attributes) = tag.trim_end_matches('/').split_once(' ').unwrap_or((tag, ""));
        if name == "svg" {
            return Some(Part::Drawing(format!("<svg {attributes} fill=\"none\" font-family=\"sans-serif\">\n")));
        }
        if let Some(group) = group(content.trim()) {
            return Some(Part::Shape(group));
        }
        let is_shape = !name.starts_with(['/', '?', '!']);
        is_shape.then(|| Part::Shape(Shape::new(name, &attributes_of(attributes), content.trim())))
    }
}

/// The begin or the end of a group, or a reference to one.
fn group(content: &str) -> Option<Shape<'_>> {
    let place = match content.chars().next()? {
        OPEN => format!("<g id=\"{}\">\n", &content[OPEN.len_utf8()..]),
        CLOSE => "</g>\n".to_owned(),
        USE => {
            let (name, transform) = content[USE.len_utf8()..].split_once(' ')?;
            format!("<use href=\"#{name}\" transform=\"{transform}\"/>\n")
        }
        _ => return None,
    };
    Some(Shape { name: "", place, style: String::new(), content: "", joins: false })
}

/// A shape of a drawing.
struct Shape<'a> {
    /// Its tag; none of the ends of groups.
    name: &'a str,
    /// Where it is: attributes, or the commands of a path.
    place: String,
    /// How it looks: attributes that a group may hold for it.
    style: String,
    content: &'a str,
    /// Whether it may be one path with its neighbours: it covers, so that it does not matter where lines cross.
    joins: bool,
}

impl<'a> Shape<'a> {
    fn new(name: &'a str, attributes: &[(&'a str, &'a str)], content: &'a str) -> Shape<'a> {
        let value = |wanted| attributes.iter().find(|(name, _)| *name == wanted).map(|(_, value)| *value);
        let is_stroked = value("stroke").is_some_and(|stroke| stroke != "none");
        let is_filled = value("fill") != Some("none");
        let path = value("points").and_then(|points| path(points, name == "polygon"));
        let is_path = path.is_some();
        let joins = name == "polyline" && is_path && !is_filled && value("opacity").is_none_or(|opacity| opacity == "1");
        let mut place = path.unwrap_or_default();
        let mut style = String::new();
        for &(name, value) in attributes {
            match name {
                "points" if is_path => {}
                "x" | "y" | "dy" | "cx" | "cy" | "r" | "width" | "height" | "points" => add(&mut place, name, value),
                "font-family" => {}
                "fill" | "stroke" if value == "none" => {}
                "stroke-width" if !is_stroked => {}
                "opacity" if value == "1" => {}
                "opacity" if !is_stroked => add(&mut style, "fill-opacity", value),
                "opacity" if !is_filled => add(&mut style, "stroke-opacity", value),
                name => add(&mut style, name, value),
            }
        }
        if is_filled && value("fill").is_none() {
            style += " fill=\"#000\"";
        }
        Shape { name: if is_path { "path" } else { name }, place, style, content, joins }
    }

    /// Whether it stands alone: it is blended as a whole, which a group would do to all of its shapes together, or it is no shape.
    fn is_alone(&self) -> bool {
        self.name.is_empty() || self.style.contains(" opacity=")
    }

    fn write(&self, drawing: &mut String, style: &str) {
        let Shape { name, place, content, .. } = self;
        let parts: &[&str] = match *name {
            "" => &[place],
            "path" => &["<path d=\"", place, "\"", style, "/>\n"],
            _ if content.is_empty() => &["<", name, place, style, "/>\n"],
            _ => &["<", name, place, style, ">", content, "</", name, ">\n"],
        };
        drawing.extend(parts.iter().copied());
    }
}

/// Adds an attribute to others.
fn add(attributes: &mut String, name: &str, value: &str) {
    attributes.extend([" ", name, "=\"", &rounded(value), "\""]);
}

/// Names and values of `a="1" b="2"`.
fn attributes_of(text: &str) -> Vec<(&str, &str)> {
    let mut attributes = vec![];
    let mut rest = text;
    while let Some((name, (value, after))) = rest.split_once("=\"").and_then(|(name, rest)| Some((name, rest.split_once('"')?))) {
        attributes.push((name.trim(), value));
        rest = after;
    }
    attributes
}

/// Points in whole units as commands of a path; none where they are not.
fn path(points: &str, closed: bool) -> Option<String> {
    let mut commands = String::new();
    let mut former: Option<[i64; 2]> = None;
    for (number, point) in points.split_ascii_whitespace().enumerate() {
        let (x, y) = point.split_once(',')?;
        let [x, y]: [i64; 2] = [x.parse().ok()?, y.parse().ok()?];
        let steps = former.map_or([x, y], |[former_x, former_y]| [x - former_x, y - former_y]);
        match number {
            0 => commands.push('M'),
            1 => commands.push('l'),
            _ => {}
        }
        for (axis, step) in steps.into_iter().enumerate() {
            if step >= 0 && (axis == 1 || number > 1) {
                commands.push(' ');
            }
            let _ = write!(commands, "{step}"); // a string takes all
        }
        former = Some([x, y]);
    }
    if closed {
        commands.push('z');
    }
    former.map(|_| commands)
}

/// A number to two decimals; anything else as it is.
fn rounded(value: &str) -> Cow<'_, str> {
    match value.parse::<f64>() {
        Ok(number) if value.contains('.') => format!("{number:.2}").trim_end_matches('0').trim_end_matches('.').to_owned().into(),
        _ => value.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shapes of a drawing as they are written, in one line.
    fn drawn(shapes: &str) -> String {
        let head = "<svg xmlns=\"x\" width=\"96\" height=\"41\" viewBox=\"0 0 960 410\" stroke-linejoin=\"round\"";
        let drawing = compact(&format!("{head}>\n{shapes}</svg>\n"));
        let rest = drawing.strip_prefix(&format!("{head} fill=\"none\" font-family=\"sans-serif\">\n")).unwrap();
        rest.strip_suffix("</svg>\n").unwrap().replace('\n', "")
    }

    #[test]
    fn neighbouring_lines_of_one_style_are_one_path() {
        let line = |points, color| {
            format!("<polyline fill=\"none\" opacity=\"1\" stroke=\"{color}\" stroke-width=\"9\" points=\"{points} \"/>\n")
        };
        let lines = [line("10,20 30,5 30,7", "#111"), line("1,2 0,0", "#111"), line("-4,-5 6,7", "#222")].concat();
        assert_eq!(
            drawn(&lines),
            "<path d=\"M10 20l20-15 0 2M1 2l-1-2\" stroke=\"#111\" stroke-width=\"9\"/>\
             <path d=\"M-4-5l10 12\" stroke=\"#222\" stroke-width=\"9\"/>"
        );
    }

    #[test]
    fn lines_that_let_others_through_stay_apart() {
        let line = "<polyline fill=\"none\" opacity=\"0.5\" stroke=\"#111\" stroke-width=\"9\" points=\"1,2 3,4 \"/>\n";
        assert_eq!(
            drawn(&line.repeat(2)),
            "<g stroke-opacity=\"0.5\" stroke=\"#111\" stroke-width=\"9\"><path d=\"M1 2l2 2\"/><path d=\"M1 2l2 2\"/></g>"
        );
    }

    #[test]
    fn faces_close_and_points_share_their_style() {
        let circle = "<circle cx=\"5\" cy=\"6\" r=\"2\" opacity=\"0.6\" fill=\"#0072B2\" stroke=\"none\" stroke-width=\"1\"/>\n";
        let face = "<polygon opacity=\"1\" fill=\"#CECECE\" points=\"0,0 4,0 4,4 \"/>\n";
        assert_eq!(
            drawn(&(face.to_owned() + &circle.repeat(2))),
            "<path d=\"M0 0l4 0 0 4z\" fill=\"#CECECE\"/><g fill-opacity=\"0.6\" fill=\"#0072B2\">\
             <circle cx=\"5\" cy=\"6\" r=\"2\"/><circle cx=\"5\" cy=\"6\" r=\"2\"/></g>"
        );
    }

    #[test]
    fn text_keeps_what_it_says_and_where() {
        let text = "<text x=\"6658\" y=\"3902\" dy=\"0.5ex\" font-family=\"sans-serif\" font-size=\"120.00000000000001\" opacity=\"1\" fill=\"#222\">\na &lt; b\n</text>\n";
        let place = "<text x=\"6658\" y=\"3902\" dy=\"0.5ex\"";
        assert_eq!(drawn(text), format!("{place} font-size=\"120\" fill=\"#222\">a &lt; b</text>"));
        // a group cannot hold a shift for its texts
        let two = format!("<g font-size=\"120\" fill=\"#222\">{place}>a &lt; b</text>{place}>a &lt; b</text></g>");
        assert_eq!(drawn(&text.repeat(2)), two);
    }

    #[test]
    fn what_is_blended_as_a_whole_is_not_grouped() {
        let both = "<circle cx=\"5\" cy=\"6\" r=\"2\" opacity=\"0.6\" fill=\"#111\" stroke=\"#222\"/>\n";
        assert!(!drawn(&both.repeat(2)).contains("<g"));
        assert_eq!(
            drawn("<polyline points=\"0.5,1 2,3\" stroke=\"#111\"/>"),
            "<polyline points=\"0.5,1 2,3\" stroke=\"#111\" fill=\"#000\"/>"
        );
    }
}
