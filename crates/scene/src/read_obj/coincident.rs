//! Vertices that lie on each other.

use std::collections::HashMap;

use super::lengths::{Doubt, extent};
use cloth::Vec3;
use cloth::triangles::TriangleMesh;

/// Positions without those that lie at most `distance` \[m\] from one before them, > 0, and the number of each of `x` among them.
pub(super) fn merged(x: &[Vec3], distance: f64) -> (Vec<Vec3>, Vec<usize>) {
    let mut cells: HashMap<[i64; 3], Vec<usize>> = HashMap::new();
    let (mut kept, mut number_of) = (Vec::with_capacity(x.len()), Vec::with_capacity(x.len()));
    for x in x {
        let cell: [i64; 3] = std::array::from_fn(|axis| (x[axis] / distance).floor() as i64);
        let near = (0..27_i64).filter_map(|k| {
            let beside = [k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1];
            cells.get(&std::array::from_fn(|axis| cell[axis].saturating_add(beside[axis])))
        });
        let found = near.flatten().copied().filter(|&other| {
            let other: &Vec3 = &kept[other];
            (other - x).norm() <= distance
        });
        number_of.push(found.min().unwrap_or_else(|| {
            cells.entry(cell).or_default().push(kept.len());
            kept.push(*x);
            kept.len() - 1
        }));
    }
    (kept, number_of)
}

/// Largest distance of vertices that are told to lie on each other, over the extent of the mesh \[-\].
const TOUCHING: f64 = 1e-6;

/// The particles that lie on one of another piece, where there are any.
pub(super) fn coincidence(mesh: &TriangleMesh) -> Option<Doubt> {
    let piece_of = mesh.piece_of(&[]);
    if piece_of.iter().all(|piece| *piece == piece_of[0]) {
        return None;
    }
    let x = mesh.positions();
    let distance = TOUCHING * extent(x);
    if distance <= 0.0 {
        return None;
    }
    let (kept, number_of) = merged(x, distance);
    let mut pieces: Vec<Option<usize>> = vec![None; kept.len()];
    let mut shared = vec![false; kept.len()];
    for (&number, &piece) in number_of.iter().zip(&piece_of) {
        shared[number] |= *pieces[number].get_or_insert(piece) != piece;
    }
    let count = number_of.iter().filter(|number| shared[**number]).count();
    (count > 0).then_some(Doubt::Coincident { count, merge: round_up(distance) })
}

/// The next power of ten.
fn round_up(length: f64) -> f64 {
    format!("1e{}", libm::ceil(libm::log10(length))).parse().unwrap_or(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_near_each_other_are_one_also_across_cells() {
        let points = [0.0, 0.95, 1.05, 5.0, -0.05, 0.9].map(|x| Vec3::new(x, 0.0, 0.0));
        let (kept, number_of) = merged(&points, 0.2);
        assert_eq!((kept.len(), number_of), (3, vec![0, 1, 1, 2, 0, 1]));
        let (kept, _) = merged(&[Vec3::zeros(), Vec3::repeat(1e300)], 1e-6);
        assert_eq!(kept.len(), 2);
    }
}
