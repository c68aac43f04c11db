use crate::Vec3;

/// A voxel by its column, row and layer.
type Voxel = [i64; 3];

/// Voxels are this much wider than the distance that is asked for, so that rounding parts no pair by two voxels.
const MARGIN: f64 = 1.0 + 1e-9;

/// Columns, rows and layers end here on both sides, so that there is always a next one; points farther out share the last.
const OUTERMOST: f64 = 9e15;

/// The points of a cloud sorted by the cubic voxels in which they lie: a uniform grid of which only the voxels that hold a point
/// are kept. Finds pairs that are near each other in time proportional to their number, after the sort.
#[derive(Clone, Debug)]
pub struct Voxels {
    /// Voxel and index of every point, ascending.
    sorted: Vec<(Voxel, u32)>,
}

impl Voxels {
    /// For up to `point_count` points, without allocating later.
    pub fn new(point_count: usize) -> Voxels {
        Voxels { sorted: Vec::with_capacity(point_count) }
    }

    /// Calls `found(i, j)` once for every pair of points less than `distance` \[m\] apart, i and j in either order. Which pairs
    /// come first depends on the points alone. A point with a coordinate that is not a number is near none.
    ///
    /// # Panics
    /// Beyond 2³² points.
    pub fn each_pair(&mut self, x: &[Vec3], distance: f64, mut found: impl FnMut(usize, usize)) {
        self.each_candidate(x, MARGIN * distance, |i, j| {
            if (x[j] - x[i]).norm_squared() < distance * distance {
                found(i, j);
            }
        });
    }

    /// Calls `found(i, j)` once for every pair in the same voxel or in two that touch, their sides `side` \[m\] long.
    fn each_candidate(&mut self, x: &[Vec3], side: f64, mut found: impl FnMut(usize, usize)) {
        self.sorted.clear();
        self.sorted.extend(x.iter().enumerate().map(|(i, x)| {
            let voxel = [x.x, x.y, x.z].map(|q| (q / side).floor().clamp(-OUTERMOST, OUTERMOST) as i64); // not a number: 0
            (voxel, u32::try_from(i).expect("fewer than 2^32 points"))
        }));
        self.sorted.sort_unstable();
        let sorted = &self.sorted;
        let mut found = |i: u32, j: u32| found(i as usize, j as usize);
        // Half of the 26 neighbours of a voxel and itself: the rest of its own line along z, and four lines beside it. While
        // voxels ascend, so do the places at which these lines begin.
        let beside = [(0, 1), (1, -1), (1, 0), (1, 1)];
        let mut places = [0; 4];
        for (own, &(voxel, i)) in sorted.iter().enumerate() {
            let [column, row, layer] = voxel;
            let last = [column, row, layer + 1];
            for &(_, j) in sorted[own + 1..].iter().take_while(|(other, _)| *other <= last) {
                found(i, j);
            }
            for ((columns, rows), place) in beside.into_iter().zip(&mut places) {
                let line = |layer| [column + columns, row + rows, layer];
                let (first, last) = (line(layer - 1), line(layer + 1));
                while sorted.get(*place).is_some_and(|(other, _)| *other < first) {
                    *place += 1;
                }
                for &(_, j) in sorted[*place..].iter().take_while(|(other, _)| *other <= last) {
                    found(i, j);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn near(x: &[Vec3], distance: f64) -> Vec<(usize, usize)> {
        let mut pairs = vec![];
        Voxels::new(x.len()).each_pair(x, distance, |i, j| pairs.push((i.min(j), i.max(j))));
        pairs.sort_unstable();
        pairs
    }

    fn near_by_force(x: &[Vec3], distance: f64) -> Vec<(usize, usize)> {
        let pairs = (0..x.len()).flat_map(|i| (i + 1..x.len()).map(move |j| (i, j)));
        pairs.filter(|&(i, j)| (x[j] - x[i]).norm_squared() < distance * distance).collect()
    }

    proptest! {
        #[test]
        fn pairs_are_those_of_brute_force(
            points in prop::collection::vec([-1.0..1.0, -1.0..1.0, -1.0..1.0].prop_map(Vec3::from), 0..120),
            distance in 0.01..1.5,
        ) {
            prop_assert_eq!(near(&points, distance), near_by_force(&points, distance));
        }

        #[test]
        fn pairs_of_a_lattice_with_rounding_at_every_face_are_those_of_brute_force(
            places in prop::collection::vec([-4_i32..4, -4..4, -4..4], 0..120),
            side in 0.01..1.5,
        ) {
            let points: Vec<Vec3> = places.iter().map(|place| Vec3::from(place.map(|k| f64::from(k) * side))).collect();
            for distance in [side, side * (1.0 + 1e-12), 1.42 * side] {
                prop_assert_eq!(near(&points, distance), near_by_force(&points, distance));
            }
        }
    }

    #[test]
    fn points_far_out_and_no_numbers_disturb_nobody() {
        let points = [
            [0.0, 0.0, 0.0],
            [1e300, 0.0, 0.0],
            [f64::NAN, 0.0, 0.0],
            [0.5, 0.0, 0.0],
            [-f64::INFINITY, 0.0, 1e30],
            [1e300, 1e299, 0.0],
        ];
        assert_eq!(near(&points.map(Vec3::from), 1.0), [(0, 3)]);
        assert_eq!(near(&[], 1.0), []);
    }

    #[test]
    fn candidates_grow_with_the_points_not_with_their_square() {
        // a lattice with a point a voxel: 13 of the 26 neighbours for each of them, less at the borders
        for side in [10_usize, 20, 40] {
            let place = |k: usize| Vec3::from([k % side, k / side % side, k / side / side].map(|q| 0.5 + q as f64));
            let points: Vec<Vec3> = (0..side * side * side).map(place).collect();
            let mut candidates = 0;
            Voxels::new(points.len()).each_candidate(&points, 1.0, |_, _| candidates += 1);
            let (inner, points) = (3 * side - 2, points.len());
            assert_eq!(candidates, (inner * inner * inner - points) / 2);
            assert!(candidates < 13 * points && candidates > 10 * points, "{candidates} of {points}");
        }
    }

    #[test]
    fn the_same_points_give_the_same_pairs_in_the_same_order() {
        let points: Vec<Vec3> = (0..200).map(|k| Vec3::from([7, 11, 13].map(|q| f64::from(q * k % 17) / 17.0))).collect();
        let order = |voxels: &mut Voxels| {
            let mut pairs = vec![];
            voxels.each_pair(&points, 0.3, |i, j| pairs.push((i, j)));
            pairs
        };
        let mut voxels = Voxels::new(points.len());
        let first = order(&mut voxels);
        assert!(first.len() > 100);
        voxels.each_pair(&points[..50], 0.9, |_, _| ()); // others in between
        assert_eq!(order(&mut voxels), first);
    }
}
