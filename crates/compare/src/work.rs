//! Work that rows count: operations, iterations, products, evaluations.

use serde::Serialize;

use crate::table::{Field, Table};

/// Sums of a column that counts work, over rows that both sides have.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Work {
    pub column: String,
    pub old: f64,
    pub new: f64,
}

impl Work {
    /// New over old.
    pub fn ratio(&self) -> f64 {
        self.new / self.old
    }
}

/// Whether a column counts work, by its name: `iterations`, `full_iterations`.
fn counts_work(field: &Field) -> bool {
    let last = field.name.rsplit('_').next();
    field.is_number()
        && field.unit == "-"
        && last.is_some_and(|word| matches!(word, "operations" | "iterations" | "products" | "evaluations" | "work"))
}

/// The work of pairs of rows, by column, where its sum differs and both are positive.
pub fn work(old: &Table, new: &Table, pairs: &[[usize; 2]]) -> Vec<Work> {
    let sums = |field: &Field| {
        let (before, after) = (old.cells(&field.name)?, new.cells(&field.name)?);
        let number = |cell: &str| cell.parse::<f64>().ok().filter(|value| value.is_finite());
        let both = pairs.iter().filter_map(|pair| number(before.get(pair[0])).zip(number(after.get(pair[1]))));
        let (old, new) = both.fold((0.0, 0.0), |(old, new), (a, b)| (old + a, new + b));
        (old != new && old > 0.0 && new > 0.0).then(|| Work { column: field.name.clone(), old, new })
    };
    old.fields.iter().filter(|field| counts_work(field)).filter_map(sums).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Table {
        let field = |name: &str| Field {
            name: name.into(),
            kind: "number".into(),
            unit: if name.contains("damper") { "J" } else { "-" }.into(),
        };
        let fields = text.lines().next().unwrap().split(',').map(field).collect();
        Table::parse("runs", "cases.csv", text.as_bytes(), fields).unwrap()
    }

    #[test]
    fn work_is_summed_over_rows_of_both_sides() {
        let old = table("set,full_iterations,damper_work,products,steps\n0,10,1,5,1\n1,30,1,5,1\n2,,1,5,1\n");
        let new = table("set,full_iterations,damper_work,products,steps\n0,20,2,5,2\n1,40,2,5,2\n2,99,2,5,2\n");
        let found = work(&old, &new, &[[0, 0], [1, 1], [2, 2]]);
        assert_eq!(found, [Work { column: "full_iterations".into(), old: 40.0, new: 60.0 }]);
        assert_eq!(found[0].ratio(), 1.5);
    }
}
