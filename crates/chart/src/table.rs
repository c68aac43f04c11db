//! Table of what a figure shows, for readers who want the numbers.

use super::layer::{Dash, Direction, Layer};
use super::page::Shown;
use super::scene::Scene;
use super::snapshot::Snapshot;
use super::theme::hex;
use super::{Body, ChartError, Figure};

/// The last three are for snapshots only.
const HEADER: [&str; 12] = ["panel", "layer", "label", "kind", "x", "y", "x2", "y2", "inside", "z", "vertices", "look"];
/// Columns of a figure without snapshots.
const FLAT: usize = 9;

/// Coordinates of a datum: x, y, x2, y2.
type Row = [Option<f64>; 4];

/// The table as CSV text.
pub(super) fn csv(figure: &Figure) -> Result<String, ChartError> {
    let flat = figure.panels.iter().all(|panel| matches!(panel.body, Body::Chart(_)));
    let columns = if flat { FLAT } else { HEADER.len() };
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(&HEADER[..columns])?;
    for (p, panel) in figure.panels.iter().enumerate() {
        let mut records = Vec::new();
        match (&panel.body, Shown::new(panel)?) {
            (Body::Chart(chart), Shown::Plot(plot)) => {
                for (l, (layer, seen)) in chart.layers.iter().zip(plot.layers()).enumerate() {
                    let (kind, rows) = rows(layer);
                    let record = |(k, (row, inside)): (usize, (Row, &bool))| {
                        let label = if let Layer::Texts { points } = layer { &points[k].1 } else { layer.label() };
                        Record { row, inside: *inside, ..Record::new(l, label, kind) }
                    };
                    records.extend(rows.into_iter().zip(&seen.inside).enumerate().map(record));
                }
            }
            (Body::Snapshot(snapshot), Shown::Scene(scene)) => records = of_snapshot(snapshot, &scene),
            _ => {} // a panel shows its body
        }
        for record in records {
            table.write_record(&record.fields(p)[..columns])?;
        }
    }
    let bytes = table.into_inner().map_err(|error| ChartError::Table(error.into_error().into()))?;
    String::from_utf8(bytes).map_err(|error| ChartError::Drawing { cause: error.to_string() })
}

/// A row of the table.
struct Record {
    layer: usize,
    label: String,
    kind: &'static str,
    row: Row,
    inside: bool,
    z: Option<f64>,
    vertices: Vec<usize>,
    look: String,
}

impl Record {
    fn new(layer: usize, label: &str, kind: &'static str) -> Self {
        let (row, inside, vertices) = ([None; 4], true, Vec::new());
        Self { layer, label: label.into(), kind, row, inside, z: None, vertices, look: String::new() }
    }

    /// The row as text, in the order of the columns.
    fn fields(self, panel: usize) -> [String; 12] {
        let number = |value: Option<f64>| value.map_or(String::new(), digits);
        let [x, y, x2, y2] = self.row.map(number);
        let vertices: Vec<_> = self.vertices.iter().map(usize::to_string).collect();
        let (panel, layer) = ((panel + 1).to_string(), (self.layer + 1).to_string());
        let kind = self.kind.to_owned();
        let inside = self.inside.to_string();
        [panel, layer, self.label, kind, x, y, x2, y2, inside, number(self.z), vertices.join(" "), self.look]
    }
}

/// A number to nine digits, more than a picture shows or a redrawn one will.
fn digits(value: f64) -> String {
    match format!("{value:.8e}").parse::<f64>() {
        Ok(rounded) => format!("{rounded:?}"),
        Err(_) => format!("{value:?}"),
    }
}

/// The view, the points kept in view, and of every mesh, which is a layer here, its vertices, faces and segments.
fn of_snapshot(snapshot: &Snapshot, scene: &Scene<'_>) -> Vec<Record> {
    let place = |[x, y, z]: [f64; 3], record: Record| Record { row: [Some(x), Some(y), None, None], z: Some(z), ..record };
    let view = [Some(snapshot.view.azimuth), Some(snapshot.view.elevation), None, None];
    let mut records = vec![Record { row: view, ..Record::new(0, "", "view") }];
    records.extend(snapshot.keep.iter().map(|&point| place(point, Record::new(0, "", "kept in view"))));
    for (m, mesh) in snapshot.meshes.iter().enumerate() {
        let inside = scene.inside(m);
        let vertices = mesh.vertices.iter().zip(&inside);
        records.extend(vertices.map(|(&vertex, &inside)| place(vertex, Record { inside, ..Record::new(m, "", "vertex") })));
        let mut add = |label: &str, kind: &'static str, look: &str, vertices: &[usize]| {
            let inside = vertices.iter().all(|&vertex| inside[vertex]);
            records.push(Record { inside, vertices: vertices.to_vec(), look: look.into(), ..Record::new(m, label, kind) });
        };
        for surface in &mesh.surfaces {
            let look = hex(surface.color);
            let kind = if mesh.closed { "face of a solid" } else { "face" };
            surface.faces.iter().for_each(|face| add(&surface.label, kind, &look, face));
        }
        for wires in &mesh.wires {
            let dash = match wires.dash {
                Dash::Solid => "solid",
                Dash::Dashed => "dashed",
                Dash::Dotted => "dotted",
                Dash::DashDot => "dash-dot",
            };
            let look = format!("{} {:?} {dash}", hex(wires.color), wires.width);
            wires.segments.iter().for_each(|ends| add(&wires.label, "segment", &look, ends));
        }
    }
    records
}

/// Kind of a layer, and its data.
fn rows(layer: &Layer) -> (&'static str, Vec<Row>) {
    let pairs = |points: &[[f64; 2]]| points.iter().map(|&[x, y]| [Some(x), Some(y), None, None]).collect();
    match layer {
        Layer::Points { points, .. } => ("point", pairs(points)),
        Layer::Line { points, .. } => ("line", pairs(points)),
        Layer::Bars { edges, heights, .. } => {
            let bar = |(sides, &height): (&[f64], &f64)| [Some(sides[0]), Some(height), Some(sides[1]), None];
            ("bar", edges.windows(2).zip(heights).map(bar).collect())
        }
        Layer::Cells { size, centres, .. } => {
            ("cell", centres.iter().map(|&[x, y]| [Some(x), Some(y), Some(size[0]), Some(size[1])]).collect())
        }
        Layer::Entries { entries, .. } => {
            ("entry", entries.iter().map(Layer::entry_centre).map(|[x, y]| [Some(x), Some(y), None, None]).collect())
        }
        Layer::Band { axis: Direction::Vertical, from, to, .. } => ("band", vec![[Some(*from), None, Some(*to), None]]),
        Layer::Band { axis: Direction::Horizontal, from, to, .. } => ("band", vec![[None, Some(*from), None, Some(*to)]]),
        Layer::Rule { axis: Direction::Vertical, at, .. } => ("rule", vec![[Some(*at), None, None, None]]),
        Layer::Rule { axis: Direction::Horizontal, at, .. } => ("rule", vec![[None, Some(*at), None, None]]),
        Layer::ErrorBars { points, axis, .. } => {
            let kind = if *axis == Direction::Vertical { "error bar" } else { "error bar in x" };
            (kind, points.iter().map(|point| point.map(Some)).collect())
        }
        Layer::Texts { points } => ("text", points.iter().map(|([x, y], _)| [Some(*x), Some(*y), None, None]).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, Color, Mesh, Palette, Panel, View, Wires};
    use super::*;

    fn records(panels: Vec<Panel>) -> Vec<Vec<String>> {
        let text = csv(&Figure::new("f", "", "", panels)).expect("table");
        let mut table = csv::Reader::from_reader(text.as_bytes());
        table.records().map(|row| row.expect("record").iter().map(String::from).collect()).collect()
    }

    #[test]
    fn every_datum_comes_back_unchanged() {
        let points = vec![[0.1, 1e-300], [1.0 / 3.0, -2.5e17], [f64::NAN, 4.0], [5.0, 0.0]];
        let layers = vec![
            Layer::points("a, \"quoted\"", Palette::BLUE, points.clone()),
            Layer::bars("", Palette::BLUE, vec![0.0, 0.5, 4.0], vec![7.0, 8.0]),
            Layer::rule("r", Palette::BLUE, Direction::Horizontal, 6.5),
            Layer::error_bars("", Palette::BLUE, vec![[1.0, 2.0, 1.5, 2.5]]),
        ];
        let panel = Panel::new(Axis::linear("").range(0.0, 4.0), Axis::linear(""), layers);
        let rows = records(vec![panel]);
        assert_eq!(rows.len(), 4 + 2 + 1 + 1);
        assert!(rows.iter().all(|row| row.len() == 9));
        for (row, point) in rows.iter().zip(&points) {
            assert_eq!(row[..4], ["1", "1", "a, \"quoted\"", "point"]);
            let back = [4, 5].map(|k: usize| row[k].parse::<f64>().expect("number"));
            assert!(back.iter().zip(point).all(|(back, point)| (back - point).abs() <= 5e-9 * point.abs() || point.is_nan()));
            assert_eq!(row[4..6], point.map(digits));
        }
        let inside: Vec<_> = rows[..4].iter().map(|row| row[8].as_str()).collect();
        assert_eq!(inside, ["true", "true", "false", "false"]);
        assert_eq!(rows[5][3..8], ["bar", "0.5", "8.0", "4.0", ""]);
        assert_eq!(rows[6][3..8], ["rule", "", "6.5", "", ""]);
        assert_eq!(rows[7][3..8], ["error bar", "1.0", "2.0", "1.5", "2.5"]);
    }
    #[test]
    fn a_snapshot_comes_back_from_its_table() {
        let sheet = Mesh::new(vec![[0.333_333_333, -2e-300, 5.0], [0.0, 1.0, 2.0], [f64::NAN, 0.0, 0.0], [7.0, 8.0, 0.3]])
            .surface("sheet", Color(1, 2, 255), &[[0, 1, 3], [1, 2, 3]])
            .wires(Wires::new("a, b", Palette::BLACK, vec![[0, 1], [3, 2]]).width(0.1).dash(Dash::DashDot))
            .wires(Wires::new("", Palette::GREY, vec![[1, 3]]));
        let solid = Mesh { closed: true, ..Mesh::new(vec![[0.0; 3]; 4]).surface("", Palette::BLUE, &[[3, 2, 1, 0]]) };
        let picture = Snapshot::new(View::new(12.5, -0.142_857_143), vec![sheet, solid]).keeping(vec![[1.0, 2.0, -1e17]]);
        let chart = Panel::new(Axis::linear(""), Axis::linear(""), vec![Layer::points("p", Palette::BLUE, vec![[1.0, 2.0]])]);
        let rows = records(vec![chart, Panel::snapshot(picture.clone())]);
        assert_eq!(rows[0], ["1", "1", "p", "point", "1.0", "2.0", "", "", "true", "", "", ""]);

        let number = |text: &str| text.parse::<f64>().expect("number");
        let color = |text: &str| [1, 3, 5].map(|k| u8::from_str_radix(&text[k..k + 2], 16).expect("colour"));
        let mut back = Snapshot::new(View::new(number(&rows[1][4]), number(&rows[1][5])), vec![Mesh::default(); 2]);
        for row in &rows[2..] {
            let mesh = &mut back.meshes[row[1].parse::<usize>().expect("layer") - 1];
            let place = || [4, 5, 9].map(|k: usize| number(&row[k]));
            let vertices: Vec<usize> = row[10].split_whitespace().map(|text| text.parse().expect("index")).collect();
            match row[3].as_str() {
                "kept in view" => back.keep.push(place()),
                "vertex" => mesh.vertices.push(place()),
                "segment" => {
                    let look: Vec<&str> = row[11].split(' ').collect();
                    let [r, g, b] = color(look[0]);
                    let dash = if look[2] == "solid" { Dash::Solid } else { Dash::DashDot };
                    let wires = Wires::new(&row[2], Color(r, g, b), vec![]).width(number(look[1])).dash(dash);
                    if mesh.wires.last().is_none_or(|last| Wires { segments: vec![], ..last.clone() } != wires) {
                        mesh.wires.push(wires);
                    }
                    let last = mesh.wires.last_mut().expect("a group");
                    last.segments.push([vertices[0], vertices[1]]);
                }
                kind => {
                    mesh.closed = kind == "face of a solid";
                    let [r, g, b] = color(&row[11]);
                    if mesh.surfaces.is_empty() {
                        *mesh = mesh.clone().surface::<3>(&row[2], Color(r, g, b), &[]);
                    }
                    mesh.surfaces[0].faces.push(vertices);
                }
            }
        }
        assert_eq!(format!("{back:?}"), format!("{picture:?}")); // as text, for the sake of NaN
        let left_out: Vec<_> =
            rows.iter().filter(|row| row[8] == "false").map(|row| (row[3].as_str(), row[10].as_str())).collect();
        assert_eq!(left_out, [("vertex", ""), ("face", "1 2 3"), ("segment", "3 2")]);
    }
}
