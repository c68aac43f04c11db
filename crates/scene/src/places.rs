//! Tables of where particles are wanted, and of where they were at times.

use thiserror::Error;

use super::mistake::{Place, one_line};
use cloth::Vec3;
use cloth::quantity::MAGNITUDES;

/// Columns of a table of places, and of a recorded motion.
const OF_PLACES: [&str; 4] = ["particle", "x", "y", "z"];
const OF_MOTION: [&str; 5] = ["t", "particle", "x", "y", "z"];

/// Why a table is not one of places.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // messages say what their numbers are
pub enum PlacesError {
    /// The first line names other columns.
    #[error("{place}: the columns must be {expected}")]
    Columns { place: Place, expected: String },
    /// A row with another number of cells.
    #[error("{place}: a row has a cell a column, {expected} of them, this one {got}")]
    Cells { place: Place, expected: usize, got: usize },
    /// A cell that is no finite number, or beyond [`MAGNITUDES`].
    #[error("{place}: `{column}` must be a finite number of at most 1e20 in magnitude, not `{cell}`")]
    Number { place: Place, column: &'static str, cell: String },
    /// A particle that the mesh does not have.
    #[error("{place}: `particle` must be a whole number from 0 to {last}, as the mesh has them, not `{cell}`")]
    Particle { place: Place, last: usize, cell: String },
    /// A particle that has two places.
    #[error("{place}: particle {particle} has a place already{at}; leave one of them out")]
    Twice { place: Place, particle: usize, at: String },
    /// No row.
    #[error("it has no place: add a row below the columns")]
    Empty,
}

impl PlacesError {
    /// The line that is wrong, where one is.
    pub fn place(&self) -> Option<&Place> {
        match self {
            PlacesError::Columns { place, .. }
            | PlacesError::Cells { place, .. }
            | PlacesError::Number { place, .. }
            | PlacesError::Particle { place, .. }
            | PlacesError::Twice { place, .. } => Some(place),
            PlacesError::Empty => None,
        }
    }
}

/// A row of a table: a time \[s\], zero where the table has none, a particle, its place \[m\], and the number of its line from 0.
struct Row {
    time: f64,
    particle: usize,
    place: Vec3,
    line: usize,
}

/// Reads places \[m\] from the text of a CSV table with the columns particle, x, y, z, in any order of `count` particles, each of
/// which is named once or not at all.
///
/// # Errors
/// [`PlacesError`], with the line.
pub fn read_places(text: &str, count: usize) -> Result<Vec<(usize, Vec3)>, PlacesError> {
    let rows = rows(text, &OF_PLACES, count)?;
    refuse_twice(text, rows.iter(), |_| String::new())?;
    Ok(rows.into_iter().map(|row| (row.particle, row.place)).collect())
}

/// Frames of a motion, by time: when \[s\], and the places \[m\] of some particles.
pub type Recorded = Vec<(f64, Vec<(usize, Vec3)>)>;

/// Reads a recorded motion from the text of a CSV table with the columns t \[s\], particle, x, y, z \[m\], its rows in any order of
/// `count` particles, each of which is named once at a time or not at all.
///
/// # Errors
/// [`PlacesError`], with the line.
pub fn read_motion(text: &str, count: usize) -> Result<Recorded, PlacesError> {
    let mut rows = rows(text, &OF_MOTION, count)?;
    rows.sort_by(|a, b| a.time.total_cmp(&b.time)); // stable
    let mut frames = Recorded::new();
    for frame in rows.chunk_by(|a, b| a.time == b.time) {
        refuse_twice(text, frame.iter(), |row| format!(" at {} s", row.time))?;
        let time = frame.first().map_or(0.0, |row| row.time);
        frames.push((time, frame.iter().map(|row| (row.particle, row.place)).collect()));
    }
    Ok(frames)
}

/// Refuses a particle that comes twice.
fn refuse_twice<'a>(text: &str, rows: impl Iterator<Item = &'a Row>, at: impl Fn(&Row) -> String) -> Result<(), PlacesError> {
    let mut known = std::collections::BTreeSet::new();
    for row in rows {
        if !known.insert(row.particle) {
            let place = Place::of_line(text, row.line);
            return Err(PlacesError::Twice { place, particle: row.particle, at: at(row) });
        }
    }
    Ok(())
}

/// The rows of a table with these columns.
fn rows(text: &str, columns: &[&'static str], count: usize) -> Result<Vec<Row>, PlacesError> {
    let text = text.trim_start_matches('\u{feff}'); // as spreadsheets put it there
    let cells = |line: &'_ str| line.split(',').map(|cell| cell.trim().to_owned()).collect::<Vec<String>>();
    if cells(text.lines().next().unwrap_or_default()) != columns {
        return Err(PlacesError::Columns { place: Place::of_line(text, 0), expected: columns.join(",") });
    }
    let lines = text.lines().enumerate().skip(1).filter(|(_, words)| !words.trim().is_empty());
    let row = |(line, words): (usize, &str)| {
        let (cells, place) = (cells(words), || Place::of_line(text, line));
        if cells.len() != columns.len() {
            return Err(PlacesError::Cells { place: place(), expected: columns.len(), got: cells.len() });
        }
        let mut row = Row { time: 0.0, particle: 0, place: Vec3::zeros(), line };
        for (&column, cell) in columns.iter().zip(&cells) {
            if column == "particle" {
                let known = cell.parse().ok().filter(|particle| *particle < count);
                let outside = || PlacesError::Particle { place: place(), last: count.saturating_sub(1), cell: one_line(cell) };
                row.particle = known.ok_or_else(outside)?;
                continue;
            }
            let finite = cell.parse().ok().filter(|number: &f64| number.abs() <= MAGNITUDES[1]);
            let number = finite.ok_or_else(|| PlacesError::Number { place: place(), column, cell: one_line(cell) })?;
            *match column {
                "t" => &mut row.time,
                "x" => &mut row.place.x,
                "y" => &mut row.place.y,
                _ => &mut row.place.z,
            } = number;
        }
        Ok(row)
    };
    let rows = lines.map(row).collect::<Result<Vec<Row>, PlacesError>>()?;
    if rows.is_empty() { Err(PlacesError::Empty) } else { Ok(rows) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_motions_by_hand() {
        let places = read_places("\u{feff}particle, x,y,z\r\n3,1,2,-0.5\n\n0,0,1e-3,0\n", 4);
        assert_eq!(places.unwrap(), [(3, Vec3::new(1.0, 2.0, -0.5)), (0, Vec3::new(0.0, 1e-3, 0.0))]);
        let motion = read_motion("t,particle,x,y,z\n0.2,1,1,0,0\n0.1,1,2,0,0\n0.2,0,3,0,0\n", 2).unwrap();
        assert_eq!(motion, [(0.1, vec![(1, 2.0 * Vec3::x())]), (0.2, vec![(1, Vec3::x()), (0, 3.0 * Vec3::x())])]);
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (text, expected) in [
            ("", "line 1, ``: the columns must be particle,x,y,z"),
            ("particle,x,y\n", "line 1, `particle,x,y`: the columns must be particle,x,y,z"),
            ("particle,x,y,z\n", "it has no place: add a row below the columns"),
            ("particle,x,y,z\n0,1,2\n", "line 2, `0,1,2`: a row has a cell a column, 4 of them, this one 3"),
            (
                "particle,x,y,z\n4,1,2,3\n",
                "line 2, `4,1,2,3`: `particle` must be a whole number from 0 to 3, as the mesh has them, not `4`",
            ),
            ("particle,x,y,z\n-1,1,2,3\n", "line 2, `-1,1,2,3`: `particle` must be a whole number from 0 to 3"),
            (
                "particle,x,y,z\n1,1,nan,3\n",
                "line 2, `1,1,nan,3`: `y` must be a finite number of at most 1e20 in magnitude, not `nan`",
            ),
            ("particle,x,y,z\n1,1,2,3\n1,1,2,4\n", "line 3, `1,1,2,4`: particle 1 has a place already; leave one of them out"),
        ] {
            let error = read_places(text, 4).unwrap_err();
            assert!(error.to_string().starts_with(expected), "{error}\nis not\n{expected}");
            assert_eq!(error.place().is_some(), expected.starts_with("line"));
        }
        let twice = read_motion("t,particle,x,y,z\n1,0,1,2,3\n2,0,1,2,3\n1,0,9,9,9\n", 4).unwrap_err();
        assert_eq!(twice.to_string(), "line 4, `1,0,9,9,9`: particle 0 has a place already at 1 s; leave one of them out");
    }
}
