use crate::Vec3;

/// A point by the column, row and layer of its voxel and by its index: four numbers of 32 bits in one, so that they sort as one.
type Place = u128;

/// Voxels are this much wider than the distance that is asked for, so that rounding parts no pair by two voxels.
const MARGIN: f64 = 1.0 + 1e-9;

/// Columns, rows and layers end here on both sides, so that there is always a next one; points farther out share the last.
const OUTERMOST: i64 = 1 << 30;

/// The points of a cloud sorted by the cubic voxels in which they lie: a uniform grid of which only the voxels that hold a point
/// are kept. Finds pairs that are near each other in time proportional to their number, after the sort.
#[derive(Clone, Debug)]
pub struct Voxels {
    /// Of every point, ascending.
    sorted: Vec<Place>,
    /// The points in the order of the last time, in which most of them still are.
    order: Vec<u32>,
}

impl Voxels {
    /// For up to `point_count` points, without allocating later.
    pub fn new(point_count: usize) -> Voxels {
        Voxels { sorted: Vec::with_capacity(point_count), order: Vec::with_capacity(point_count) }
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
        let Voxels { sorted, order } = self;
        if order.len() != x.len() {
            order.clear();
            order.extend((0..x.len()).map(|i| u32::try_from(i).expect("fewer than 2^32 points")));
        }
        sorted.clear();
        sorted.extend(order.iter().map(|&i| {
            let x = x[i as usize];
            place([x.x, x.y, x.z].map(|q| floor(q / side)), i)
        }));
        sort(sorted);
        order.iter_mut().zip(sorted.iter()).for_each(|(i, place)| *i = index(*place) as u32);
        let mut found = |i: Place, j: Place| found(index(i), index(j));
        // Half of the 26 neighbours of a voxel and itself: the rest of its own line along z, and four lines beside it, each from
        // the layer below to the one above. While voxels ascend, so do the places at which these lines begin.
        let beside = [(0, 1), (1, -1), (1, 0), (1, 1)].map(|(columns, rows)| (columns << 96) + (rows << 64));
        let mut places = [0; 4];
        for (own, &i) in sorted.iter().enumerate() {
            let (first, last) = ((i & !INDEX) - LAYER, (i | INDEX) + LAYER);
            for &j in sorted[own + 1..].iter().take_while(|other| **other <= last) {
                found(i, j);
            }
            for (way, begins) in beside.into_iter().zip(&mut places) {
                let [first, last] = [first, last].map(|end| end.wrapping_add_signed(way));
                while sorted.get(*begins).is_some_and(|other| *other < first) {
                    *begins += 1;
                }
                for &j in sorted[*begins..].iter().take_while(|other| **other <= last) {
                    found(i, j);
                }
            }
        }
    }
}

/// The bits of a place that hold the index, and one layer.
const INDEX: Place = u32::MAX as Place;
const LAYER: Place = 1 << 32;

/// Sorts places of which most are where they belong: by insertion, unless that takes too long.
fn sort(places: &mut [Place]) {
    let mut moves = 8 * places.len();
    for k in 1..places.len() {
        let place = places[k];
        let mut to = k;
        while to > 0 && places[to - 1] > place {
            places[to] = places[to - 1];
            to -= 1;
        }
        places[to] = place;
        match moves.checked_sub(k - to) {
            Some(left) => moves = left,
            None => return places.sort_unstable(),
        }
    }
}

/// The largest whole number that is not above `value`, up to [`OUTERMOST`].
#[inline]
fn floor(value: f64) -> i64 {
    let value = value.clamp(-OUTERMOST as f64, OUTERMOST as f64);
    let towards_zero = value as i64; // not a number: 0
    if towards_zero as f64 > value { towards_zero - 1 } else { towards_zero }
}

#[inline]
fn place(voxel: [i64; 3], index: u32) -> Place {
    let [column, row, layer] = voxel.map(|along| Place::from((along + 2 * OUTERMOST) as u32));
    column << 96 | row << 64 | layer << 32 | Place::from(index)
}

#[inline]
fn index(place: Place) -> usize {
    place as u32 as usize
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
