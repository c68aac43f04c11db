use std::io::{self, Read, Write};

use thiserror::Error;

use cloth::Vec3;

/// Columns of a table of vectors.
const COLUMNS: [&str; 4] = ["particle", "x", "y", "z"];

/// Why a table is not one of a vector a particle; lines are counted from 1, and rows and cells are as they stand.
#[derive(Debug, Error)]
#[allow(missing_docs)] // messages say what their numbers are
pub enum TableError {
    /// The first line names other columns.
    #[error("line 1, `{got}`: the columns must be particle,x,y,z")]
    Columns { got: String },
    /// A row with another number of cells.
    #[error("line {line}, `{row}`: a row has the 4 cells particle,x,y,z, this one {got}")]
    Cells { line: u64, row: String, got: usize },
    /// Particles that are left out, repeated or not in order.
    #[error("line {line}, `{row}`: the rows go by particle from 0 on, and this one must be of particle {expected}")]
    Particle { line: u64, row: String, expected: usize },
    /// A cell that is no finite number.
    #[error("line {line}, `{row}`: `{column}` must be a finite number, not `{cell}`")]
    Number { line: u64, row: String, column: &'static str, cell: String },
    /// Fewer or more particles than the mesh has.
    #[error("the table must have {expected} rows, one for each particle of the mesh, not {got}")]
    Rows { expected: usize, got: usize },
    /// Reading failed, or the text is not UTF-8.
    #[error("cannot read it: {0}")]
    Read(#[from] csv::Error),
}

impl TableError {
    /// Line in the file from 1, where the mistake is on a line.
    pub fn line(&self) -> Option<u64> {
        match *self {
            TableError::Columns { .. } => Some(1),
            TableError::Cells { line, .. } | TableError::Particle { line, .. } | TableError::Number { line, .. } => Some(line),
            TableError::Rows { .. } | TableError::Read(_) => None,
        }
    }
}

/// Reads a vector a particle from a CSV table with the columns particle, x, y, z, its rows in the order of the particles;
/// shape \[count\].
///
/// # Errors
/// [`TableError`], with the line.
pub fn read_vectors(source: impl Read, count: usize) -> Result<Vec<Vec3>, TableError> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).trim(csv::Trim::All).from_reader(source);
    let mut record = csv::StringRecord::new();
    if !reader.read_record(&mut record)? || record != COLUMNS[..] {
        return Err(TableError::Columns { got: row(&record) });
    }
    let mut vectors = Vec::with_capacity(count);
    let mut got = 0;
    while reader.read_record(&mut record)? {
        if got < count {
            vectors.push(vector(&record, got)?);
        }
        got += 1;
    }
    if got == count { Ok(vectors) } else { Err(TableError::Rows { expected: count, got }) }
}

/// Writes a vector a particle with 17 significant digits, so that [`read_vectors`] gives the same bits.
///
/// # Errors
/// What `out` refuses.
pub fn write_vectors(vectors: &[Vec3], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", COLUMNS.join(","))?;
    for (particle, q) in vectors.iter().enumerate() {
        writeln!(out, "{particle},{:.16e},{:.16e},{:.16e}", q.x, q.y, q.z)?;
    }
    Ok(())
}

/// The vector of a row that must be of `particle`.
fn vector(record: &csv::StringRecord, particle: usize) -> Result<Vec3, TableError> {
    let line = record.position().map_or(0, csv::Position::line);
    if record.len() != COLUMNS.len() {
        return Err(TableError::Cells { line, row: row(record), got: record.len() });
    }
    if record[0].parse() != Ok(particle) {
        return Err(TableError::Particle { line, row: row(record), expected: particle });
    }
    let mut q = Vec3::zeros();
    for component in 0..3 {
        let cell = &record[component + 1];
        q[component] = cell.parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(|| TableError::Number {
            line,
            row: row(record),
            column: COLUMNS[component + 1],
            cell: super::mistake::one_line(cell),
        })?;
    }
    Ok(q)
}

/// A row as one line of text.
fn row(record: &csv::StringRecord) -> String {
    super::mistake::one_line(&record.iter().collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn refused(text: &str) -> String {
        read_vectors(text.as_bytes(), 2).unwrap_err().to_string()
    }

    fn finite() -> impl Strategy<Value = f64> {
        any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |number| number.is_finite())
    }

    fn vectors() -> impl Strategy<Value = Vec<Vec3>> {
        prop::collection::vec([finite(), finite(), finite()].prop_map(Vec3::from), 1..9)
    }

    proptest! {
        #[test]
        fn what_is_written_and_read_back_has_the_same_bits(vectors in vectors()) {
            let mut bytes = Vec::new();
            write_vectors(&vectors, &mut bytes).unwrap();
            let back = read_vectors(bytes.as_slice(), vectors.len()).unwrap();
            let bits = |q: &[Vec3]| q.iter().flat_map(|q| q.iter().map(|c| c.to_bits()).collect::<Vec<_>>()).collect::<Vec<_>>();
            prop_assert_eq!(bits(&vectors), bits(&back));
        }
    }

    #[test]
    fn a_table_by_hand() {
        let read = read_vectors("particle,x,y,z\r\n0, 1, -2.5,3e-1\n\n1,0,-0,7\n".as_bytes(), 2).unwrap();
        assert_eq!(read, [Vec3::new(1.0, -2.5, 0.3), Vec3::new(0.0, 0.0, 7.0)]);
        assert!(read[1].y.is_sign_negative());
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let head = "particle,x,y,z\n";
        for (text, expected) in [
            (String::new(), "line 1, ``: the columns must be particle,x,y,z"),
            ("i,x,y,z\n0,1,2,3".into(), "line 1, `i,x,y,z`: the columns must be particle,x,y,z"),
            (format!("{head}0,1,2\n"), "line 2, `0,1,2`: a row has the 4 cells particle,x,y,z, this one 3"),
            (
                format!("{head}0,1,2,3\n0,1,2,3\n"),
                "line 3, `0,1,2,3`: the rows go by particle from 0 on, and this one must be of particle 1",
            ),
            (format!("{head}0,1,2,3\n1,1,two,3\n"), "line 3, `1,1,two,3`: `y` must be a finite number, not `two`"),
            (format!("{head}0,1,2,nan\n"), "line 2, `0,1,2,nan`: `z` must be a finite number, not `nan`"),
            (format!("{head}0,1,2,1e999\n"), "line 2, `0,1,2,1e999`: `z` must be a finite number, not `1e999`"),
            (format!("{head}0,1,2,3\n"), "the table must have 2 rows, one for each particle of the mesh, not 1"),
            (
                format!("{head}0,1,2,3\n1,1,2,3\n2,1,2,3\n"),
                "the table must have 2 rows, one for each particle of the mesh, not 3",
            ),
        ] {
            assert_eq!(refused(&text), expected);
        }
        assert!(read_vectors(&b"particle,x,y,z\n0,\xff,1,1\n"[..], 2).is_err());
    }
}
