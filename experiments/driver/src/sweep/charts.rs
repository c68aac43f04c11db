//! The chart of a sweep: largest strain and work against the first key, a line for each value of the second, a row of panels for
//! each value of the others.

use chart::{Axis, ChartError, Color, Figure, Layer, Marker, Palette, Panel};

use super::row::Row;
use super::tables::Found;
use super::vary::{Vary, combinations, words};

/// Most rows of panels.
const MOST: usize = 6;
/// Ratio of numbers from which an axis is logarithmic.
const WIDE: f64 = 8.0;
/// Marks of lines, which tell apart those that share a colour.
const MARKERS: [Marker; 5] = [Marker::Circle, Marker::Square, Marker::Triangle, Marker::OpenCircle, Marker::OpenDiamond];
/// Colours of lines.
const COLORS: usize = 8;

/// The chart as SVG, with how many rows of panels were left out.
///
/// # Errors
/// An error of the drawing.
pub fn draw(found: &Found) -> Result<(String, usize), ChartError> {
    let Some((first, rest)) = found.varied.split_first() else { return Ok(Default::default()) };
    let (second, others) = rest.split_first().map_or((None, rest), |(second, others)| (Some(second), others));
    let places = places(first);
    let rows = combinations(others);
    type Value = fn(&Row) -> Option<f64>;
    let columns: [(&str, &str, Value); 2] = [
        ("largest strain", "largest strain [%]", |row| row.largest_strain.map(|strain| 100.0 * strain)),
        ("work", "nominal operations", |row| Some(row.operations).filter(|operations| *operations > 0.0)),
    ];
    let mut panels = vec![];
    for other in rows.iter().take(MOST) {
        for (title, label, value) in columns {
            let of = |place: usize, series: usize| {
                let wanted = [&[place][..], second.map_or(&[][..], |_| std::slice::from_ref(&series)), other].concat();
                let row = found.runs.iter().find(|(run, _)| run.combination == wanted).map(|(_, row)| *row);
                row.filter(|row| row.is_done()).and_then(value)
            };
            let layers = lines(second, &places, first.numbers().is_some(), of);
            let all = found.runs.iter().filter(|(_, row)| row.is_done()).filter_map(|(_, row)| value(row));
            let title = match others {
                [] => title.to_owned(),
                _ => format!("{title}, {}", words(others, other)),
            };
            panels.push(Panel::new(across(first), axis(label, &all.collect::<Vec<_>>()), layers).titled(title));
        }
    }
    let lost = found.runs.iter().filter(|(_, row)| !row.is_done()).count();
    let title = match lost {
        0 => format!("Sweep of {}", found.scene),
        _ => format!("Sweep of {}: {lost} of {} runs went wrong and are left out", found.scene, found.runs.len()),
    };
    let figure = Figure::new("sweep", title, "Runs that came to their end, a mark a run.", panels);
    let svg = Figure { columns: 2, ..figure }.with_one_legend().svg()?;
    Ok((svg, rows.len().saturating_sub(MOST)))
}

/// Marks for each value of the second key, joined to a line or not.
fn lines(second: Option<&Vary>, places: &[f64], joined: bool, of: impl Fn(usize, usize) -> Option<f64>) -> Vec<Layer> {
    let names: Vec<String> = second.map_or_else(
        || vec![String::new()],
        |vary| vary.values.iter().map(|value| format!("{}={}", vary.short(), value.given)).collect(),
    );
    let mut layers = vec![];
    for (series, name) in names.iter().enumerate() {
        let mut points: Vec<[f64; 2]> =
            places.iter().enumerate().filter_map(|(place, x)| Some([*x, of(place, series)?])).collect();
        points.sort_by(|[a, _], [b, _]| a.total_cmp(b));
        let color: Color = if second.is_some() { Palette::series(series % COLORS) } else { Palette::BLUE };
        let marker = MARKERS[series / COLORS % MARKERS.len()];
        let [line, marks] = Layer::marked_line(name.as_str(), color, points);
        layers.extend(joined.then_some(line));
        layers.push(marks.marker(marker));
    }
    layers
}

/// Places of the values of a key on its axis: the numbers themselves, or categories counted from 1.
fn places(vary: &Vary) -> Vec<f64> {
    vary.numbers().unwrap_or_else(|| (1..=vary.values.len()).map(|k| k as f64).collect())
}

/// The axis of a key.
fn across(vary: &Vary) -> Axis {
    match vary.numbers() {
        Some(numbers) => axis(&vary.key, &numbers),
        None => Axis::categories(vary.key.as_str(), vary.values.iter().map(|value| value.given.as_str())),
    }
}

/// An axis of numbers, logarithmic where they are far apart.
fn axis(label: &str, numbers: &[f64]) -> Axis {
    let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if low > 0.0 && high / low >= WIDE { Axis::log(label) } else { Axis::linear(label) }
}
