//! Faces, edges and particles of cloth that come within the thickness of a solid.

use rayon::prelude::*;

use super::super::pose::Pose;
use super::super::{Friction, Solid};
use super::detect::{DEPTH, Solids};
use super::nearest::{Nearest, meeting, nearest};
use super::row::Row;
use super::{Impacts, RECOVERY};
use crate::Vec3;

/// Faces a thread takes at a time.
const TOGETHER: usize = 64;
/// Share of a place up to which free particles bear nothing of it: what is held would throw them far.
const ROUNDED: f64 = 1e-3;

/// A particle in the frame of a solid.
#[derive(Clone, Copy, Debug)]
struct Seen {
    /// Its places at both ends of the step \[m\].
    ends: [Vec3; 2],
    /// The distance at the start \[m\], and the normal there.
    distance: f64,
    normal: Vec3,
}

impl Seen {
    /// True where the tangent here keeps particles farther from the solid than `distance` \[m\].
    fn keeps_off(&self, particles: &[Seen], distance: f64) -> bool {
        let height = |x: &Vec3| self.distance + self.normal.dot(&(x - self.ends[0]));
        particles.iter().flat_map(|particle| &particle.ends).all(|x| height(x) > distance)
    }
}

/// Corners of a face that a solid may meet, thrice the same where it is a particle.
#[derive(Clone, Copy, Debug)]
struct Near {
    solid: u32,
    corners: [u32; 3],
    /// Their places in the frame of the solid, at both ends \[m\].
    ends: [[Vec3; 3]; 2],
}

/// A place of a face that meets a solid.
#[derive(Clone, Copy, Debug)]
struct Met {
    solid: u32,
    corners: [u32; 3],
    /// Its distance at the start of the step \[m\].
    before: f64,
    place: Nearest,
}

/// Distances by which faces meet solids.
#[derive(Clone, Copy, Debug)]
struct Asked {
    /// The distance that is kept \[m\], > 0.
    thickness: f64,
    /// The share of it within which a motion that was changed meets; 1 of one that was not.
    share: f64,
    /// A length that is as good as nothing \[m\].
    settled: f64,
}

impl Asked {
    /// The distance within which a face that was so far `before` counts as met \[m\].
    fn within(&self, before: f64) -> f64 {
        let kept = before.min(self.thickness);
        if self.share < 1.0 { (self.share * kept).min(kept - 10.0 * self.settled) } else { kept }
    }
}

/// Particles and faces that solids meet. No face passes a plane between its corners: planes are met by particles, elsewhere.
#[derive(Clone, Debug, Default)]
pub(super) struct Faces {
    /// The square of the longest side of each face, at either end of the step \[m²\].
    sides: Vec<f64>,
    seen: Vec<Seen>,
    near: Vec<Near>,
    met: Vec<Option<Met>>,
}

/// Cloth and its way in a step.
#[derive(Clone, Copy, Debug)]
struct Way<'a> {
    faces: &'a [[u32; 3]],
    /// From start to end \[m\].
    ends: [&'a [Vec3]; 2],
    inverse_masses: &'a [f64],
}

impl Impacts {
    /// Adds rows for what meets solids on the present motion, within `share` of the distances that are kept.
    pub(super) fn look_at_solids(&mut self, share: f64) {
        let settled = self.settled();
        let ends = [&self.start[..self.cloth], &self.end[..self.cloth]];
        let inverse_masses = &self.inverse_masses[..self.cloth];
        let before = self.rows.len();
        let tolerated = (share < 1.0).then_some(10.0 * settled); // sweeps end before
        self.solids.look(ends, inverse_masses, tolerated, self.faces.is_some(), &mut self.rows);
        self.met.extend(before..self.rows.len());
        let (Some(faces), Some((candidates, thickness))) = (&mut self.faces, &self.surface) else { return };
        let all = candidates.surface().faces();
        let of_cloth = &all[..all.partition_point(|corners| (corners[0] as usize) < self.cloth)];
        let asked = Asked { thickness: thickness.distance, share, settled };
        for met in faces.find(&self.solids, Way { faces: of_cloth, ends, inverse_masses }, &asked) {
            let last = self.row_of.entry(met.key()).or_insert(usize::MAX);
            if self.rows.get(*last).is_none_or(|row| row.room(&self.motion) >= -settled) {
                let Some(row) = met.row(&self.solids, &self.start, &asked, inverse_masses) else { continue };
                *last = self.rows.len();
                self.rows.push(row);
            }
            self.met.push(*last);
        }
    }
}

impl Faces {
    /// Particles and faces that meet solids on their way.
    fn find(&mut self, solids: &Solids, way: Way, asked: &Asked) -> impl Iterator<Item = &Met> {
        self.near.clear();
        self.sides.clear();
        self.sides.extend(way.faces.iter().map(|corners| longest_square(corners, way.ends)));
        for (number, ((solid, ..), (poses, _))) in (0..).zip(solids.all.iter().zip(&solids.poses)) {
            if !matches!(solid, Solid::Plane { .. }) {
                self.look(number, solid, poses, way, asked);
            }
        }
        let meets = |near: &Near| met(&solids.all[near.solid as usize].0, near, asked);
        self.near.par_iter().with_min_len(TOGETHER).map(meets).collect_into_vec(&mut self.met);
        self.met.iter().flatten()
    }

    /// Adds what no tangent keeps farther from a solid than is asked for.
    fn look(&mut self, number: u32, solid: &Solid, poses: &[Pose; 2], way: Way, asked: &Asked) {
        let Way { faces, ends: [start, end], inverse_masses } = way;
        let distance = asked.share * asked.thickness;
        let unseen = unseen_up_to(solid, asked.thickness);
        self.seen.clear();
        self.seen.extend(start.iter().zip(end).map(|(start, end)| {
            let ends = [poses[0].back(*start), poses[1].back(*end)];
            let (distance, normal) = solid.distance(ends[0]);
            Seen { ends, distance, normal }
        }));
        let is_free = |i: u32| inverse_masses[i as usize] > 0.0;
        let particles = (0..start.len() as u32).map(|i| [i; 3]);
        let long = faces.iter().zip(&self.sides).filter(|(_, side)| **side > unseen); // corners keep others off
        for corners in particles.chain(long.map(|(corners, _)| *corners)) {
            let three = corners.map(|corner| self.seen[corner as usize]);
            if corners.into_iter().any(is_free) && !three.iter().any(|seen| seen.keeps_off(&three, distance)) {
                let ends = [0, 1].map(|k| three.map(|seen| seen.ends[k]));
                self.near.push(Near { solid: number, corners, ends });
            }
        }
    }
}

/// The square of the longest side \[m²\] of faces that stay off a solid as long as their corners are `thickness` \[m\] from it. By
/// Jung's theorem some circle of radius e / sqrt(3) holds a face with sides up to e, so that its places are no nearer to the middle of
/// a ball, or to the axis of a capsule, than sqrt((R + thickness)² - e²/3): outside up to e² = 3 (2 R + thickness) thickness. Solids with
/// edges have no such faces.
fn unseen_up_to(solid: &Solid, thickness: f64) -> f64 {
    match *solid {
        Solid::Sphere { radius, .. } | Solid::Capsule { radius, .. } => 3.0 * (2.0 * radius + thickness) * thickness,
        Solid::Plane { .. } | Solid::Cuboid { .. } | Solid::Cylinder { .. } => 0.0,
    }
}

/// The square of the longest side of a face at either end of a step \[m²\].
fn longest_square(corners: &[u32; 3], ends: [&[Vec3]; 2]) -> f64 {
    let sides = ends.map(|x| {
        let [a, b, c] = corners.map(|corner| x[corner as usize]);
        [b - a, c - b, a - c].map(|side| side.norm_squared())
    });
    sides.into_iter().flatten().fold(0.0, f64::max)
}

/// The place of a face that meets a solid; none where it is a corner, which is met as a particle.
fn met(solid: &Solid, near: &Near, asked: &Asked) -> Option<Met> {
    let size = near.ends.iter().flatten().map(|x| x.amax()).fold(0.0, f64::max);
    let slack = asked.settled + DEPTH * size;
    let is_enough = |distance: f64, bound: f64| bound >= asked.thickness || distance - bound <= slack;
    let first = nearest(solid, &near.ends[0], is_enough);
    let before = first.bound;
    let mut place = meeting(solid, &near.ends, first, asked.within(before), slack)?;
    let [i, j, _] = near.corners;
    if i == j {
        place.weights = [1.0, 0.0, 0.0];
    } else if place.weights.contains(&1.0) {
        return None;
    }
    Some(Met { solid: near.solid, corners: near.corners, before, place })
}

impl Met {
    /// Its particles and the solid, by which it is known from one look to the next.
    fn key(&self) -> [u32; 4] {
        let [mut a, mut b, mut c] = [0, 1, 2].map(|k| if self.place.weights[k] > 0.0 { self.corners[k] } else { u32::MAX });
        (a, b) = (a.min(b), a.max(b));
        (b, c) = (b.min(c), b.max(c));
        (a, b) = (a.min(b), a.max(b));
        [u32::MAX - self.solid, a, b, c]
    }

    /// Its row: to keep the distance that there was, up to the thickness, and some of what is missing to it. A particle comes out
    /// of a solid at once. None where free particles bear nothing of the place.
    fn row(&self, solids: &Solids, start: &[Vec3], asked: &Asked, inverse_masses: &[f64]) -> Option<Row> {
        let Met { solid, corners, before, place: Nearest { weights, point, normal, .. } } = *self;
        let borne: f64 = (0..3).filter(|k| inverse_masses[corners[*k] as usize] > 0.0).map(|k| weights[k]).sum();
        if borne <= ROUNDED {
            return None;
        }
        let (poses, later) = &solids.poses[solid as usize];
        let friction: Friction = solids.all[solid as usize].2;
        let [from, to] = poses.each_ref().map(|pose| pose.moved(point));
        let normal = poses[1].turned(normal);
        let [i, j, k] = corners;
        let row = Row::new([i, j, k, k], [weights[0], weights[1], weights[2], 0.0], normal, friction, inverse_masses);
        let gain = later.moved(point) - 2.0 * to + from;
        let recovered = before + RECOVERY * (asked.thickness - before).max(0.0);
        let kept = if i == j { recovered.max(0.0) } else { recovered }.min(asked.thickness);
        Some(Row { body: to - from, gain, least: kept + normal.dot(&(from - row.between(start))), ..row })
    }
}
