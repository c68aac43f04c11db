//! Systems in the Matrix Market format \[Boisvert, Pozo & Remington 1996\], which most packages for sparse matrices read.
//!
//! Unknown 3 i + q, from 0, is coordinate q of row i; indices in a file count from 1. Numbers have as many digits as lead back to
//! the same bits.

use std::io::{self, Write};

use crate::{BlockRows, Constraint, Mat3, Operator, Vec3};

/// Writes a matrix as `coordinate real symmetric`, 3 rows x 3 rows, with a comment: the lower triangle by ascending columns and
/// rows, every block to which something was added whole, its zeros included.
///
/// # Errors
/// Of `out`.
pub fn write_matrix(matrix: &BlockRows, comment: &str, out: &mut impl Write) -> io::Result<()> {
    let below = (0..matrix.rows()).map(|row| matrix.filled_above(row).len());
    write_symmetric(matrix.rows(), 6 * matrix.rows() + 9 * below.sum::<usize>(), comment, out)?;
    for row in 0..matrix.rows() {
        for q in 0..3 {
            write_lower_column(row, q, matrix.diagonal(row), out)?;
            for (other, block) in matrix.filled_above(row) {
                for p in 0..3 {
                    write_entry(3 * other + p, 3 * row + q, block[(q, p)], out)?; // A_ji = A_ijᵀ
                }
            }
        }
    }
    Ok(())
}

/// Writes the projection S \[Boxerman 2003, eq. 5.1\] in the same way, a block on the diagonal for each row; none for a fully
/// constrained one.
///
/// # Errors
/// Of `out`.
pub fn write_projection(constraints: &[Constraint], comment: &str, out: &mut impl Write) -> io::Result<()> {
    let entries = |constraint: &Constraint| match constraint {
        Constraint::Free => 3,
        Constraint::Plane(_) | Constraint::Line(_) => 6,
        Constraint::Fixed => 0,
    };
    write_symmetric(constraints.len(), constraints.iter().map(entries).sum(), comment, out)?;
    for (row, constraint) in constraints.iter().enumerate() {
        for q in 0..3 {
            match constraint {
                Constraint::Free => write_entry(3 * row + q, 3 * row + q, 1.0, out)?,
                Constraint::Plane(_) | Constraint::Line(_) => write_lower_column(row, q, &constraint.projection(), out)?,
                Constraint::Fixed => {}
            }
        }
    }
    Ok(())
}

/// Writes a vector as `array real general`, 3 rows x 1, with a comment.
///
/// # Errors
/// Of `out`.
pub fn write_vector(vector: &[Vec3], comment: &str, out: &mut impl Write) -> io::Result<()> {
    write_head("array real general", comment, out)?;
    writeln!(out, "{} 1", 3 * vector.len())?;
    vector.iter().flatten().try_for_each(|value| writeln!(out, "{value:e}"))
}

fn write_symmetric(rows: usize, entries: usize, comment: &str, out: &mut impl Write) -> io::Result<()> {
    write_head("coordinate real symmetric", comment, out)?;
    writeln!(out, "{0} {0} {entries}", 3 * rows)
}

fn write_head(kind: &str, comment: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "%%MatrixMarket matrix {kind}")?;
    comment.lines().try_for_each(|line| writeln!(out, "% {line}"))
}

/// Writes column `q` of a block on the diagonal from the diagonal on.
fn write_lower_column(row: usize, q: usize, block: &Mat3, out: &mut impl Write) -> io::Result<()> {
    (q..3).try_for_each(|p| write_entry(3 * row + p, 3 * row + q, block[(p, q)], out))
}

fn write_entry(row: usize, column: usize, value: f64, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{} {} {value:e}", row + 1, column + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BlockPattern;

    fn text(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
        let mut out = vec![];
        write(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_matrix_by_hand() {
        let mut matrix = BlockRows::new(BlockPattern::new(3, &[(1, 0), (1, 2)]));
        (0..3).for_each(|row| matrix.add_diagonal(row, &Mat3::new(4.0, 0.1, 0.0, 0.1, 5.0, -1e-300, 0.0, -1e-300, 6.0)));
        matrix.add_pair(0, &Mat3::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0)); // at (1, 0); nothing at (1, 2)
        let text = text(|out| write_matrix(&matrix, "two\nlines", out));
        let lines: Vec<&str> = text.lines().collect();
        let head = ["%%MatrixMarket matrix coordinate real symmetric", "% two", "% lines", "9 9 27"];
        assert_eq!(lines[..4], head);
        let first = ["1 1 4e0", "2 1 1e-1", "3 1 0e0", "4 1 1e0", "5 1 4e0", "6 1 7e0"];
        let second = ["2 2 5e0", "3 2 -1e-300", "4 2 2e0", "5 2 5e0", "6 2 8e0"];
        let third = ["3 3 6e0", "4 3 3e0", "5 3 6e0", "6 3 9e0", "4 4 4e0"];
        assert_eq!(lines[4..20], [&first[..], &second, &third].concat());
        assert_eq!(lines.len(), 4 + 27);
    }

    #[test]
    fn projections_by_hand() {
        let plane = Constraint::plane(Vec3::z()).unwrap();
        let text = text(|out| write_projection(&[Constraint::Free, Constraint::Fixed, plane], "S", out));
        let plane = "7 7 1e0\n8 7 0e0\n9 7 0e0\n8 8 1e0\n9 8 0e0\n9 9 0e0\n";
        let expected =
            "%%MatrixMarket matrix coordinate real symmetric\n% S\n9 9 9\n1 1 1e0\n2 2 1e0\n3 3 1e0\n".to_owned() + plane;
        assert_eq!(text.replace("-0e0", "0e0"), expected);
    }

    #[test]
    fn a_vector_keeps_its_bits() {
        let vector = [Vec3::new(0.1 + 0.2, 5e-324, -0.0), Vec3::new(f64::MAX, -1.0 / 3.0, 1.0)];
        let text = text(|out| write_vector(&vector, "b [kg m/s]", out));
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("%%MatrixMarket matrix array real general"));
        assert_eq!([lines.next(), lines.next()], [Some("% b [kg m/s]"), Some("6 1")]);
        let bits = |value: f64| value.to_bits();
        let found: Vec<u64> = lines.map(|line| bits(line.parse().unwrap())).collect();
        assert_eq!(found, vector.iter().flatten().copied().map(bits).collect::<Vec<_>>());
    }
}
