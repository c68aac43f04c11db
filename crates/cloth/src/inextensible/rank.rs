use nalgebra::DMatrix;

use super::EdgeConstraints;
use crate::Vec3;

/// Rank of grad C at `x`, shape \[edges, 3 x particles that can move\]: its singular values above `tolerance` of the largest, by a
/// dense decomposition.
pub fn rank_of_gradient(constraints: &EdgeConstraints, x: &[Vec3], tolerance: f64) -> usize {
    let mut free = 0;
    let columns: Vec<Option<usize>> = constraints
        .inverse_masses()
        .iter()
        .map(|w| {
            let column = (*w > 0.0).then_some(free);
            free += if column.is_some() { 3 } else { 0 };
            column
        })
        .collect();
    let mut gradient = DMatrix::zeros(constraints.edges().len(), free);
    for (row, edge) in constraints.edges().iter().enumerate() {
        let g = edge.gradient(x);
        for (end, sign) in [(edge.i, -1.0), (edge.j, 1.0)] {
            if let Some(column) = columns[end] {
                (0..3).for_each(|q| gradient[(row, column + q)] = sign * g[q]);
            }
        }
    }
    if gradient.is_empty() {
        return 0;
    }
    let values = gradient.singular_values();
    values.iter().filter(|value| **value > tolerance * values.max()).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inextensible::Edge;

    #[test]
    fn a_triangle_and_a_row_between_pins() {
        let edges = [(0, 1), (1, 2), (2, 0)].map(|(i, j)| Edge { i, j, rest: 1.0 });
        let free = EdgeConstraints::new(&edges, &[1.0; 3], &[false; 3]).unwrap();
        assert_eq!(rank_of_gradient(&free, &[Vec3::zeros(), Vec3::x(), Vec3::y()], 1e-9), 3);
        assert_eq!(rank_of_gradient(&free, &[Vec3::zeros(), Vec3::x(), 3.0 * Vec3::x()], 1e-9), 2); // on a line
        let held = EdgeConstraints::new(&edges[..2], &[1.0; 3], &[true, false, true]).unwrap();
        assert_eq!(rank_of_gradient(&held, &[Vec3::zeros(), Vec3::x(), 2.0 * Vec3::x()], 1e-9), 1); // taut
        assert_eq!(rank_of_gradient(&held, &[Vec3::zeros(), Vec3::x(), Vec3::y()], 1e-9), 2);
        let nothing = EdgeConstraints::new(&[], &[1.0], &[true]).unwrap();
        assert_eq!(rank_of_gradient(&nothing, &[Vec3::zeros()], 1e-9), 0);
    }
}
