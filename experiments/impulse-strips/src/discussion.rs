//! What a reader of the paper would want to know, in words and tables.

use kit::prelude::*;

use super::scene::{ARC, LENGTH, RunRow, STRIPS, is_usual, usual};
use super::steps::Steps;
use super::words::per_cent;

/// A table with a column for each grid of `sides` and a line for each of `lines`: its name, and its cell for a grid.
fn by_grid(corner: &str, sides: &[usize], lines: Vec<(String, Vec<String>)>) -> String {
    let grids: Vec<String> = sides.iter().map(|side| format!("{side} x {side}")).collect();
    let heads: Vec<&str> = [corner].into_iter().chain(grids.iter().map(String::as_str)).collect();
    table(&heads, lines.into_iter().map(|(name, cells)| [vec![name], cells].concat()))
}

/// From the tables alone.
pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let all = results.without_sets::<Steps>()?;
    let most = all.iter().map(|row| row.limit).max().unwrap_or(0);
    let full = |row: &&RunRow| usual(row) && row.limit == most;
    let mut tolerances: Vec<f64> = all.iter().filter(full).map(|row| row.tolerance).collect();
    tolerances.sort_by(|a, b| b.total_cmp(a));
    tolerances.dedup();
    let mut sides: Vec<usize> = all.iter().filter(full).map(|row| row.side).collect();
    sides.dedup();
    let cells = |wanted: &dyn Fn(&RunRow) -> bool, sides: &[usize]| -> Vec<String> {
        let cell = |side: &usize| {
            let Some(row) = all.iter().find(|row| row.side == *side && row.limit == most && wanted(row)) else {
                return String::new();
            };
            match (row.strain, row.status) {
                (None, status) => format!("{status} after {} steps", row.steps),
                (_, Status::IterationLimit) => {
                    format!("{} ({} of {} steps at the limit)", short(row.iterations), row.limited, row.steps)
                }
                _ => short(row.iterations),
            }
        };
        sides.iter().map(cell).collect()
    };
    let mut lines: Vec<(String, Vec<String>)> = vec![];
    for tolerance in tolerances {
        lines.push((per_cent(tolerance), cells(&|row| usual(row) && row.tolerance == tolerance, &sides)));
    }
    let varied = all.iter().find(|row| row.velocities).map_or(0.0, |row| row.tolerance);
    let frozen = |row: &RunRow| row.method != STRIPS.name() && !row.velocities && row.tolerance == varied;
    lines.push((format!("{}, directions as printed", per_cent(varied)), cells(&frozen, &sides)));
    let counts = by_grid("tolerance", &sides, lines);

    let strips = |row: &RunRow| row.method == STRIPS.name() && row.tolerance == varied;
    let others = all.iter().filter(|row| strips(row) && row.limit == most && !usual(row) && !row.velocities);
    let others: Vec<(f64, f64)> = first_of_each(others.map(|row| (row.length, row.arc)));
    let mut small = sides;
    small.retain(|side| all.iter().any(|row| row.side == *side && strips(row) && row.velocities));
    let mut lines =
        vec![(format!("{} m, an arc of {} rad", short(LENGTH), short(ARC)), cells(&|row| usual(row) && strips(row), &small))];
    for (length, arc) in others {
        let name = if is_usual(length) { format!("an arc of {} rad", short(arc)) } else { format!("{} m", short(length)) };
        lines.push((name, cells(&|row| strips(row) && row.is_sized(length, arc) && !row.velocities, &small)));
    }
    lines.push(("velocities corrected too".into(), cells(&|row| strips(row) && row.velocities, &small)));
    let open = by_grid("one thing changed", &small, lines);
    Ok(format!(
        "Iterations a step with directions of the preview, by tolerance and grid; an iteration solves all rows and then all \
         columns. With directions as printed, from the start of the step, a sheet fails after so many steps.\n\n{counts}\n\n\
         The paper leaves open what else the count may hang on, here one thing at a time at {}: the side of the sheet, since a \
         step of 1/30 s drops a particle by 5 mm whatever the mesh; how much closer the pins are than the row between them is \
         long, since a nearly taut row is nearly over-determined; and the velocity pass, in iterations of the positions.\n\n{open}",
        per_cent(varied)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_a_cell_for_every_grid() {
        let lines = vec![("1 %".to_owned(), vec!["16.1".to_owned(), String::new()])];
        assert_eq!(
            by_grid("tolerance", &[10, 20], lines),
            "| tolerance | 10 x 10 | 20 x 20 |\n| --- | --- | --- |\n| 1 % | 16.1 |  |"
        );
    }
}
