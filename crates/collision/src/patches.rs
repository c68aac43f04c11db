//! Patches of a few faces side by side, and planes that keep them apart.

use crate::apart::{least_of, most_of};
use crate::{Surface, Vec3};

/// Particles that are projected at a time.
const W: usize = 4;

/// Twice an area \[m²\] whose square underflows, so that it has no direction.
const NO_AREA: f64 = 1e-150;

/// A patch over a step: the plane beside it, and where it lies across that at both ends.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Slab {
    /// Of length one; zero where the patch has no area.
    normal: Vec3,
    /// Least and largest places along the normal \[m\] at both ends.
    ends: [[f64; 2]; 2],
}

/// Patches, whose particles are stored once more side by side.
#[derive(Clone, Debug)]
pub(crate) struct Patches {
    /// Faces of each patch, from a number on.
    faces: Vec<[u32; 3]>,
    first_face: Vec<u32>,
    /// Particles of each patch in groups of W, from a group on; the last one repeats one of them.
    particles: Vec<[u32; W]>,
    first_group: Vec<u32>,
    /// Coordinates of groups \[m\] at both ends.
    places: Vec<[[[f64; W]; 3]; 2]>,
    slabs: Vec<Slab>,
    /// Of each patch, from a number on, patches that share a particle with it, it and those after it, and which faces do so: bit
    /// 8 i + j for face i of it and j of the other one.
    beside: Vec<(u32, u64)>,
    first_beside: Vec<u32>,
}

impl Patches {
    /// Patches of at most eight faces of a surface, of whose particles `around` tells the faces.
    pub fn new<'a>(surface: &Surface, around: &[Vec<u32>], patches: impl Iterator<Item = &'a [u32]>) -> Patches {
        let mut place_of = vec![(0, 0); surface.faces().len()]; // its patch, and which it is there
        let mut all = Patches {
            faces: vec![],
            first_face: vec![0],
            particles: vec![],
            first_group: vec![0],
            places: vec![],
            slabs: vec![],
            beside: vec![],
            first_beside: vec![],
        };
        for (number, patch) in (0..).zip(patches) {
            (0..).zip(patch).for_each(|(k, face)| place_of[*face as usize] = (number, k));
            let faces = || patch.iter().map(|face| surface.faces()[*face as usize]);
            let mut particles: Vec<u32> = faces().flatten().collect();
            particles.sort_unstable();
            particles.dedup();
            all.faces.extend(faces());
            all.first_face.push(all.faces.len() as u32);
            all.particles.extend(particles.chunks(W).map(|group| [0, 1, 2, 3].map(|k| group[k.min(group.len() - 1)])));
            all.first_group.push(all.particles.len() as u32);
        }
        all.add_beside(surface, around, &place_of);
        all.places = vec![[[[0.0; W]; 3]; 2]; all.particles.len()];
        all.slabs = vec![Slab { normal: Vec3::zeros(), ends: [[0.0; 2]; 2] }; all.first_face.len() - 1];
        all
    }

    /// `place_of`: of a face, its patch, and which it is there.
    fn add_beside(&mut self, surface: &Surface, around: &[Vec<u32>], place_of: &[(u32, u32)]) {
        let mut sharing: Vec<[u32; 3]> = vec![]; // two patches, and a bit
        for (corners, (own, i)) in surface.faces().iter().zip(place_of) {
            for other in corners.iter().flat_map(|corner| &around[*corner as usize]) {
                let (across, j) = place_of[*other as usize];
                if across >= *own {
                    sharing.push([*own, across, 8 * i + j]);
                }
            }
        }
        sharing.sort_unstable();
        for patch in 0..self.first_face.len() as u32 {
            self.first_beside.push(self.beside.len() as u32);
            let from = sharing.partition_point(|[own, ..]| *own < patch);
            for same in sharing[from..].chunk_by(|a, b| a[..2] == b[..2]).take_while(|same| same[0][0] == patch) {
                self.beside.push((same[0][1], same.iter().fold(0, |bits, [.., bit]| bits | 1 << bit)));
            }
        }
    }

    /// Puts them where they are in a step.
    #[inline(always)]
    pub fn place(&mut self, ways: [&[Vec3]; 2]) {
        for (places, group) in self.places.iter_mut().zip(&self.particles) {
            for end in 0..2 {
                for lane in 0..W {
                    let x = &ways[end][group[lane] as usize];
                    for k in 0..3 {
                        places[end][k][lane] = x[k];
                    }
                }
            }
        }
        for patch in 0..self.slabs.len() {
            let mut normal = Vec3::zeros();
            for face in &self.faces[self.first_face[patch] as usize..self.first_face[patch + 1] as usize] {
                let [a, b, c] = face.map(|corner| ways[0][corner as usize] + ways[1][corner as usize]);
                normal += (b - a).cross(&(c - a));
            }
            let normal = normal.try_normalize(NO_AREA).unwrap_or_default();
            self.slabs[patch] = Slab { normal, ends: self.spans(patch, &normal) };
        }
    }

    /// Least and largest places of a patch along a normal, at both ends.
    #[inline(always)]
    fn spans(&self, patch: usize, normal: &Vec3) -> [[f64; 2]; 2] {
        let (mut low, mut high) = ([[f64::INFINITY; W]; 2], [[f64::NEG_INFINITY; W]; 2]);
        for places in &self.places[self.first_group[patch] as usize..self.first_group[patch + 1] as usize] {
            for end in 0..2 {
                let [x, y, z] = &places[end];
                for lane in 0..W {
                    let along = normal.x * x[lane] + normal.y * y[lane] + normal.z * z[lane];
                    low[end][lane] = least_of(along, low[end][lane]);
                    high[end][lane] = most_of(along, high[end][lane]);
                }
            }
        }
        [0, 1].map(|end| {
            let ([a, b, c, d], [p, q, r, s]) = (low[end], high[end]);
            [least_of(least_of(a, b), least_of(c, d)), most_of(most_of(p, q), most_of(r, s))]
        })
    }

    /// Which faces of two patches, the second one not before the first, are more than `least` \[m\] apart over the whole step or
    /// share a particle: bit 8 i + j for face i of the first one and j of the second one.
    #[inline(always)]
    pub fn apart_or_sharing(&self, one: usize, other: usize, least: f64) -> u64 {
        let [from, to] = [one, one + 1].map(|patch| self.first_beside[patch] as usize);
        for &(patch, sharing) in &self.beside[from..to] {
            if patch as usize == other {
                return sharing;
            }
        }
        if self.is_off(one, other, least) || self.is_off(other, one, least) { u64::MAX } else { 0 }
    }

    /// Whether the plane beside a patch keeps another one apart over the whole step: gaps change linearly between its ends.
    #[inline(always)]
    fn is_off(&self, one: usize, other: usize, least: f64) -> bool {
        let Slab { normal, ends: mine } = &self.slabs[one];
        let theirs = self.spans(other, normal);
        (mine[0][0] - theirs[0][1] > least && mine[1][0] - theirs[1][1] > least)
            || (theirs[0][0] - mine[0][1] > least && theirs[1][0] - mine[1][1] > least)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::broad::tests::grid;

    fn places(count: usize) -> impl Strategy<Value = Vec<Vec3>> {
        prop::collection::vec(prop::array::uniform3(-1.0..1.0).prop_map(Vec3::from), count)
    }

    proptest! {
        /// Two sheets, one above the other, with a patch of their own each and one of both.
        #[test]
        fn patches_are_apart_only_where_all_their_particles_are(
            start in places(18),
            end in places(18),
            above in -3.0..3.0,
            least in 0.0..0.5,
        ) {
            let faces = grid(3).into_iter().chain(grid(3).into_iter().map(|face| face.map(|k| k + 9))).collect();
            let surface = Surface::new(faces, 18).unwrap();
            let lifted = |x: Vec<Vec3>| -> Vec<Vec3> {
                let flat = |(k, x): (usize, Vec3)| Vec3::new(x.x, x.y, 0.1 * x.z + if k < 9 { 0.0 } else { above });
                x.into_iter().enumerate().map(flat).collect()
            };
            let ways = [lifted(start), lifted(end)];
            let leaves: [Vec<u32>; 3] = [(0..6).collect(), [6, 7, 8, 9].into(), (10..16).collect()];
            let mut patches = Patches::new(&surface, &surface.around(), leaves.iter().map(Vec::as_slice));
            patches.place([&ways[0], &ways[1]]);
            for (one, other) in [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)] {
                let told = patches.apart_or_sharing(one, other, least);
                let mut sharing = 0_u64;
                for (i, a) in leaves[one].iter().enumerate() {
                    for (j, b) in leaves[other].iter().enumerate() {
                        let [a, b] = [a, b].map(|face| surface.faces()[*face as usize]);
                        sharing |= u64::from(a.iter().any(|k| b.contains(k))) << (8 * i + j);
                    }
                }
                if sharing != 0 {
                    prop_assert_eq!(told, sharing);
                } else if told != 0 {
                    prop_assert_eq!(told, u64::MAX);
                    for x in &ways {
                        let distance = |a: u32, b: u32| (x[a as usize] - x[b as usize]).norm();
                        let of = |leaf: usize| leaves[leaf].iter().flat_map(|face| surface.faces()[*face as usize]);
                        prop_assert!(of(one).all(|a| of(other).all(|b| distance(a, b) > least)));
                    }
                }
            }
        }
    }

    #[test]
    fn sheets_above_each_other_are_apart_until_one_passes() {
        let faces: Vec<[u32; 3]> = grid(3).into_iter().chain(grid(3).into_iter().map(|face| face.map(|k| k + 9))).collect();
        let surface = Surface::new(faces, 18).unwrap();
        let lower: Vec<u32> = (0..8).collect();
        let upper: Vec<u32> = (8..16).collect();
        let at = |z: f64| -> Vec<Vec3> {
            let tilted =
                |k: u32| Vec3::new(f64::from(k % 3), f64::from(k % 9 / 3), f64::from(k % 3) + if k < 9 { 0.0 } else { z });
            (0..18).map(tilted).collect()
        };
        let mut patches = Patches::new(&surface, &surface.around(), [lower.as_slice(), &upper].into_iter());
        let height = 2.0_f64.sqrt(); // of 2 along z across the tilted plane
        for (from, to, least, apart) in
            [(2.0, 2.0, height - 1e-9, true), (2.0, 2.0, height + 1e-9, false), (2.0, -2.0, 0.0, false), (-2.0, -3.0, 1.0, true)]
        {
            let ways = [at(from), at(to)];
            patches.place([&ways[0], &ways[1]]);
            assert_eq!(patches.apart_or_sharing(0, 1, least), if apart { u64::MAX } else { 0 }, "{from} {to}");
        }
        // normals whose squares have few digits
        for scale in (1..100).map(|k| 1e-81 * f64::from(k)) {
            let x: Vec<Vec3> = at(2.0).into_iter().map(|x| scale * x).collect();
            patches.place([&x, &x]);
            assert_eq!(patches.apart_or_sharing(0, 1, scale * (height + 1e-6)), 0, "{scale}");
        }
    }
}
