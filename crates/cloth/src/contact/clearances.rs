use linsolve::lanes::{Eight, InstructionSet, Kernel, dot, minus};

use super::Solid;
use crate::Vec3;

/// What particles are at a time.
const LANES: usize = 8;

/// Signed distances of particles to the nearest of some solids, and the outward unit normals there: those of [`Solid::distance`] to
/// the bit, eight particles at a time.
#[derive(Clone, Debug)]
pub(super) struct Clearances {
    set: InstructionSet,
    /// Distance \[m\] and the coordinates of the normal, shape \[tiles\]\[4\]\[8\].
    tiles: Vec<[[f64; LANES]; 4]>,
}

impl Clearances {
    /// Far from everything, for `particle_count` particles.
    pub fn new(particle_count: usize) -> Clearances {
        let far = [[f64::INFINITY; LANES], [0.0; LANES], [0.0; LANES], [1.0; LANES]];
        Clearances { set: InstructionSet::best(), tiles: vec![far; particle_count.div_ceil(LANES)] }
    }

    /// Takes those of particles at `x`, shape \[particle_count\]; the first of solids that are equally near counts.
    pub fn fill(&mut self, solids: &[Solid], x: &[Vec3]) {
        self.set.run(Nearest { solids, x, tiles: &mut self.tiles });
    }

    /// Distance \[m\] and normal of a particle.
    #[inline]
    pub fn of(&self, particle: usize) -> (f64, Vec3) {
        let [distance, x, y, z] = &self.tiles[particle / LANES];
        let lane = particle % LANES;
        (distance[lane], Vec3::new(x[lane], y[lane], z[lane]))
    }
}

struct Nearest<'a> {
    solids: &'a [Solid],
    x: &'a [Vec3],
    tiles: &'a mut [[[f64; LANES]; 4]],
}

impl Kernel for Nearest<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let zero = E::splat(0.0);
        for (points, tile) in self.x.chunks(LANES).zip(self.tiles) {
            let mut lanes = [[0.0; LANES]; 3];
            for (lane, point) in points.iter().enumerate() {
                (lanes[0][lane], lanes[1][lane], lanes[2][lane]) = (point.x, point.y, point.z);
            }
            let x = [E::load(&lanes[0]), E::load(&lanes[1]), E::load(&lanes[2])];
            let (mut least, mut normal) = (E::splat(f64::INFINITY), [zero, zero, E::splat(1.0)]);
            for solid in self.solids {
                let (distance, direction) = match *solid {
                    Solid::Plane { point, normal } => {
                        let normal = splat(normal);
                        (dot(minus(x, splat(point)), normal), normal)
                    }
                    Solid::Sphere { centre, radius } => sphere(minus(x, splat(centre)), E::splat(radius)),
                    Solid::Cuboid { centre, half } => cuboid(minus(x, splat(centre)), splat(half)),
                    Solid::Cylinder { .. } | Solid::Capsule { .. } => one_by_one(solid, &lanes),
                };
                let nearer = least.reaching(distance) & !distance.reaching(least);
                least = least.replaced(nearer, distance);
                for q in 0..3 {
                    normal[q] = normal[q].replaced(nearer, direction[q]);
                }
            }
            least.store(&mut tile[0]);
            for q in 0..3 {
                normal[q].store(&mut tile[q + 1]);
            }
        }
    }
}

#[inline(always)]
fn splat<E: Eight>(v: Vec3) -> [E; 3] {
    [E::splat(v.x), E::splat(v.y), E::splat(v.z)]
}

/// The smallest number above zero: what reaches it is positive.
const ANY: f64 = f64::from_bits(1);

/// Of a ball, from its centre.
#[inline(always)]
fn sphere<E: Eight>(away: [E; 3], radius: E) -> (E, [E; 3]) {
    let length = dot(away, away).sqrt();
    let somewhere = length.reaching(E::splat(ANY));
    let mut normal = [E::splat(0.0), E::splat(0.0), E::splat(1.0)];
    for q in 0..3 {
        normal[q] = normal[q].replaced(somewhere, away[q] / length);
    }
    (dot(away, normal) - radius, normal)
}

/// Of a box, from its centre.
#[inline(always)]
fn cuboid<E: Eight>(away: [E; 3], half: [E; 3]) -> (E, [E; 3]) {
    let (zero, one) = (E::splat(0.0), E::splat(1.0));
    let (mut beyond, mut outward, mut outside) = ([zero; 3], [zero; 3], [zero; 3]);
    for q in 0..3 {
        beyond[q] = away[q].max(-away[q]) - half[q];
        outward[q] = one.replaced(!away[q].reaching(zero), -one);
        outside[q] = (beyond[q] * outward[q]).kept(beyond[q].reaching(E::splat(ANY)));
    }
    let length = dot(outside, outside).sqrt();
    // inside, the first of the faces that are nearest
    let second = !beyond[0].reaching(beyond[1]);
    let depth = beyond[0].replaced(second, beyond[1]);
    let third = !depth.reaching(beyond[2]);
    let faces = [!second & !third, second & !third, third];
    let is_outside = length.reaching(E::splat(ANY));
    let mut normal = [zero; 3];
    for q in 0..3 {
        normal[q] = outward[q].kept(faces[q]).replaced(is_outside, outside[q] / length);
    }
    (depth.replaced(third, beyond[2]).replaced(is_outside, length), normal)
}

/// Of solids that are rare.
#[inline(always)]
fn one_by_one<E: Eight>(solid: &Solid, lanes: &[[f64; LANES]; 3]) -> (E, [E; 3]) {
    let (mut distances, mut normals) = ([0.0; LANES], [[0.0; LANES]; 3]);
    for lane in 0..LANES {
        let (distance, normal) = solid.distance(Vec3::new(lanes[0][lane], lanes[1][lane], lanes[2][lane]));
        distances[lane] = distance;
        (normals[0][lane], normals[1][lane], normals[2][lane]) = (normal.x, normal.y, normal.z);
    }
    (E::load(&distances), [E::load(&normals[0]), E::load(&normals[1]), E::load(&normals[2])])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::contact::state::deepest;

    fn solids() -> Vec<Solid> {
        let centre = Vec3::new(0.5, -0.25, 0.25);
        vec![
            Solid::Plane { point: centre, normal: Vec3::new(0.6, 0.0, 0.8) },
            Solid::Cuboid { centre, half: Vec3::new(0.5, 0.25, 0.75) },
            Solid::Sphere { centre, radius: 0.5 },
            Solid::Cylinder { centre, axis: Vec3::new(0.0, 0.6, 0.8), radius: 0.4, half_length: 0.5 },
            Solid::Capsule { from: centre, to: Vec3::new(-0.3, 0.4, 0.1), radius: 0.3 },
        ]
    }

    /// Distances and normals as bits: of each point by itself, and of all by eights.
    fn both(solids: &[Solid], x: &[Vec3], set: InstructionSet) -> [Vec<[u64; 4]>; 2] {
        let bits = |(distance, normal): (f64, Vec3)| [distance, normal.x, normal.y, normal.z].map(f64::to_bits);
        let mut clearances = Clearances { set, ..Clearances::new(x.len()) };
        clearances.fill(solids, x);
        [x.iter().map(|x| bits(deepest(solids, *x))).collect(), (0..x.len()).map(|i| bits(clearances.of(i))).collect()]
    }

    proptest! {
        #[test]
        fn eight_points_are_as_far_away_as_each_by_itself_to_the_bit(
            // many of them on axes, faces, edges and centres
            points in prop::collection::vec([-8_i32..9, -8..9, -8..9].prop_map(|x| Vec3::from(x.map(|x| 0.25 * f64::from(x)))), 0..30),
            others in prop::collection::vec([-1.5..1.5, -1.5..1.5, -1.5..1.5].prop_map(Vec3::from), 0..30),
        ) {
            let points = [points, others].concat();
            for set in InstructionSet::ALL.into_iter().filter(|set| set.is_supported()) {
                for solid in solids() {
                    let [alone, by_eights] = both(&[solid], &points, set);
                    prop_assert_eq!(alone, by_eights, "{:?} {}", solid, set);
                }
                let [alone, by_eights] = both(&solids(), &points, set);
                prop_assert_eq!(alone, by_eights);
            }
        }
    }
}
