//! Outlines of regions made of grid cells, so that a region is filled as one shape, without seams between its cells.

use std::collections::{BTreeMap, BTreeSet};

/// Cells of a grid, by column and row.
pub(super) type Cells = BTreeSet<(i64, i64)>;

/// Closed outline of every connected part, as grid corners; corner (i, j) is the lower left of cell (i, j).
///
/// A part with holes is one outline too: the holes, which run the other way round, hang on bridges of no width.
pub(super) fn outlines(mut cells: Cells) -> Vec<Vec<(i64, i64)>> {
    let mut outlines = Vec::new();
    while let Some(first) = cells.pop_first() {
        let part = connected(first, &mut cells);
        let mut loops = loops(&part).into_iter();
        let Some(mut outline) = loops.next() else { continue };
        let anchor = outline[0]; // leftmost, hence on the outer boundary
        for hole in loops {
            outline.push(anchor);
            outline.extend_from_slice(&hole);
            outline.push(hole[0]);
        }
        outlines.push(outline);
    }
    outlines
}

/// Takes all cells connected to `first` by their sides.
fn connected(first: (i64, i64), cells: &mut Cells) -> Cells {
    let mut part = Cells::from([first]);
    let mut open = vec![first];
    while let Some((i, j)) = open.pop() {
        for next in [(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)] {
            if cells.remove(&next) {
                part.insert(next);
                open.push(next);
            }
        }
    }
    part
}

/// Boundaries of a part, inside to the left, the one with the leftmost corner first.
fn loops(part: &Cells) -> Vec<Vec<(i64, i64)>> {
    let mut sides: BTreeMap<(i64, i64), Vec<(i64, i64)>> = BTreeMap::new();
    for &(i, j) in part {
        let around = [
            ((i, j - 1), (i, j), (i + 1, j)),
            ((i + 1, j), (i + 1, j), (i + 1, j + 1)),
            ((i, j + 1), (i + 1, j + 1), (i, j + 1)),
            ((i - 1, j), (i, j + 1), (i, j)),
        ];
        for (neighbour, from, to) in around {
            if !part.contains(&neighbour) {
                sides.entry(from).or_default().push(to);
            }
        }
    }
    let mut loops = Vec::new();
    while let Some((&start, _)) = sides.first_key_value() {
        let mut corners = vec![start];
        let mut at = start;
        while let Some(next) = take(&mut sides, at) {
            let turns = corners.len() < 2 || !straight(corners[corners.len() - 2], at, next);
            if !turns {
                corners.pop();
            }
            corners.push(next);
            at = next;
        }
        corners.pop(); // the start, met again
        loops.push(corners);
    }
    loops
}

fn take(sides: &mut BTreeMap<(i64, i64), Vec<(i64, i64)>>, from: (i64, i64)) -> Option<(i64, i64)> {
    let ends = sides.get_mut(&from)?;
    let to = ends.pop();
    if ends.is_empty() {
        sides.remove(&from);
    }
    to
}

fn straight(a: (i64, i64), b: (i64, i64), c: (i64, i64)) -> bool {
    (a.0 == b.0 && b.0 == c.0) || (a.1 == b.1 && b.1 == c.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Signed area of a closed polygon [cells].
    fn area(outline: &[(i64, i64)]) -> i64 {
        let next = outline.iter().cycle().skip(1);
        outline.iter().zip(next).map(|(a, b)| a.0 * b.1 - a.1 * b.0).sum::<i64>() / 2
    }

    #[test]
    fn a_row_is_one_rectangle() {
        let row: Cells = (0..5).map(|i| (i, 2)).collect();
        assert_eq!(outlines(row), [[(0, 2), (5, 2), (5, 3), (0, 3)]]);
    }

    #[test]
    fn a_ring_keeps_its_hole() {
        let ring: Cells = (0..9).map(|k| (k % 3, k / 3)).filter(|&cell| cell != (1, 1)).collect();
        let found = outlines(ring);
        assert_eq!(found.len(), 1);
        assert_eq!(area(&found[0]), 8);
        assert!(found[0].contains(&(2, 2)), "{found:?}");
    }

    #[test]
    fn cells_that_touch_at_a_corner_are_apart() {
        let found = outlines(Cells::from([(0, 0), (1, 1)]));
        assert_eq!(found.iter().map(|outline| area(outline)).collect::<Vec<_>>(), [1, 1]);
    }

    #[test]
    fn area_is_the_number_of_cells() {
        let disk: Cells =
            (0..900).map(|k| (k % 30 - 15, k / 30 - 15)).filter(|(i, j)| (40..200).contains(&(i * i + j * j))).collect();
        let count = disk.len() as i64;
        assert_eq!(outlines(disk).iter().map(|outline| area(outline)).sum::<i64>(), count);
    }
}
