//! Pairs of swept triangles whose boxes meet, by parry's tree of boxes: `peer-parry FILE SECONDS PAIRS`.
//!
//! FILE is what the example `folded state` of the crate collision writes. For at least so many seconds the tree is built, which is
//! timed, given the boxes of the faces over the step, refitted, and asked for all pairs that meet; a line a repetition says how
//! long building took, how long the rest, and how many pairs there are. PAIRS is written as by `folded pairs`, of faces alone.

use std::error::Error;
use std::fs;
use std::time::Instant;

use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};

/// Least repetitions.
const REPETITIONS: u32 = 5;

/// The numbers of a file, one by one.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Box<dyn Error>> {
        let (first, rest) = self.0.split_first_chunk().ok_or("the file ends too soon")?;
        self.0 = rest;
        Ok(*first)
    }

    fn count(&mut self) -> Result<usize, Box<dyn Error>> {
        Ok(u64::from_le_bytes(self.take()?) as usize)
    }

    fn number(&mut self) -> Result<f64, Box<dyn Error>> {
        Ok(f64::from_le_bytes(self.take()?))
    }

    fn places(&mut self, count: usize) -> Result<Vec<Vector>, Box<dyn Error>> {
        (0..count).map(|_| Ok(Vector::new(self.number()?, self.number()?, self.number()?))).collect()
    }
}

/// A step of a sheet.
struct State {
    beyond: f64,
    start: Vec<Vector>,
    end: Vec<Vector>,
    faces: Vec<[u32; 3]>,
}

impl State {
    fn read(bytes: &[u8]) -> Result<State, Box<dyn Error>> {
        let mut numbers = Numbers(bytes);
        let (particles, faces) = (numbers.count()?, numbers.count()?);
        let beyond = numbers.number()?;
        let (start, end) = (numbers.places(particles)?, numbers.places(particles)?);
        let mut corner = || numbers.take().map(u32::from_le_bytes);
        let faces = (0..faces).map(|_| Ok([corner()?, corner()?, corner()?])).collect::<Result<_, Box<dyn Error>>>()?;
        Ok(State { beyond, start, end, faces })
    }

    /// Boxes of faces, at the start alone or over the step.
    fn boxes<'a>(&'a self, over_step: bool) -> impl Iterator<Item = Aabb> + 'a {
        self.faces.iter().map(move |corners| {
            let mut all = Aabb::new_invalid();
            for corner in corners.map(|corner| corner as usize) {
                all.take_point(self.start[corner]);
                if over_step {
                    all.take_point(self.end[corner]);
                }
            }
            Aabb::new(all.mins - Vector::splat(self.beyond), all.maxs + Vector::splat(self.beyond))
        })
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, seconds, pairs] = &arguments[..] else {
        return Err("say FILE SECONDS PAIRS".into());
    };
    let (state, seconds) = (State::read(&fs::read(file)?)?, seconds.parse::<f64>()?);
    let mut found: Vec<[u32; 2]> = vec![];
    let mut workspace = BvhWorkspace::default();
    let (begin, mut repetitions) = (Instant::now(), 0);
    while repetitions < REPETITIONS || begin.elapsed().as_secs_f64() < seconds {
        repetitions += 1;
        let from = Instant::now();
        let mut tree = Bvh::from_iter(BvhBuildStrategy::Binned, state.boxes(false).enumerate());
        let building = from.elapsed().as_secs_f64();
        let from = Instant::now();
        for (face, own) in (0..).zip(state.boxes(true)) {
            tree.insert_or_update_partially(own, face, 0.0);
        }
        tree.refit(&mut workspace);
        found.clear();
        tree.traverse_bvtt_single_tree::<false>(&mut workspace, &mut |one, other| found.push([one.min(other), one.max(other)]));
        println!("{building} {} {}", from.elapsed().as_secs_f64(), found.len());
    }
    found.sort_unstable();
    let mut bytes = (found.len() as u64).to_le_bytes().to_vec();
    bytes.extend(found.iter().flatten().flat_map(|face| face.to_le_bytes()));
    Ok(fs::write(pairs, bytes)?)
}
