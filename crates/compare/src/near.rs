//! Names that are near another one.

/// Names that are told.
const TOLD: usize = 4;

/// Number of letters that are put in, left out or replaced between two names, whatever their case.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.to_lowercase().chars().collect(), b.to_lowercase().chars().collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// The nearest of many names, those that hold the given one first.
pub fn near<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let holds = |other: &str| other.to_lowercase().contains(&name.to_lowercase());
    let mut ranked: Vec<(bool, usize, &str)> = names.map(|other| (!holds(other), distance(name, other), other)).collect();
    ranked.sort_unstable();
    ranked.into_iter().take(TOLD).map(|(.., name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_ranked_by_what_separates_them() {
        assert_eq!(distance("B-1D", "b-2d"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        let names = ["B-KAPPA-HOLDS", "B-1D", "B-KAPPA-RANGE", "GF-COST"];
        assert_eq!(near("B-2D", names.into_iter())[0], "B-1D");
        assert_eq!(near("kappa", names.into_iter())[..2], ["B-KAPPA-HOLDS", "B-KAPPA-RANGE"]);
    }
}
