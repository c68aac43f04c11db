//! The sheet folded in four of `cargo bench --package clothlab-collision`, for the peers that `tests/peers/times` times beside us.
//!
//! `folded state SIDE FILE` writes a sheet of SIDE x SIDE particles and a step of it, little-endian: the numbers of particles and
//! of faces as integers of 8 bytes, how much larger than what they hold boxes are, the positions at the start, those at the end,
//! all of 8 bytes, the corners of the faces as integers of 4 bytes. `folded pairs SIDE FILE` writes what meets by exact boxes over
//! the step, each list behind its length: pairs of faces in their order, a vertex and a face that is not around it, and edges
//! without a particle in common, both in no order. `folded time SIDE SECONDS` searches for at least so long and prints, a line a
//! repetition, how long the search took, how long the continuous tests of what it found, and how much each found.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write, stdout};
use std::time::Instant;

use collision::{Bounds, Candidates, Tree, Vec3};
use sheet::{THICKNESS, folded};

mod sheet;

/// How much larger than what they hold boxes are here and with the peers \[m\]: what the search takes for coordinates below 1 m.
const BEYOND: f64 = 0.5 * THICKNESS + 3.5e-9;
/// Least repetitions.
const REPETITIONS: u32 = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["state", side, file] => state(side.parse()?, &mut BufWriter::new(File::create(file)?)),
        ["pairs", side, file] => pairs(side.parse()?, &mut BufWriter::new(File::create(file)?)),
        ["time", side, seconds] => time(side.parse()?, seconds.parse()?),
        _ => Err("say `state SIDE FILE`, `pairs SIDE FILE`, or `time SIDE SECONDS`".into()),
    }
}

fn state(side: u32, file: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let (surface, start, end) = folded(side);
    for count in [surface.particle_count(), surface.faces().len()] {
        file.write_all(&(count as u64).to_le_bytes())?;
    }
    file.write_all(&BEYOND.to_le_bytes())?;
    for q in start.iter().chain(&end).flatten() {
        file.write_all(&q.to_le_bytes())?;
    }
    for corner in surface.faces().iter().flatten() {
        file.write_all(&corner.to_le_bytes())?;
    }
    Ok(file.flush()?)
}

fn pairs(side: u32, file: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let (surface, start, end) = folded(side);
    let over = |particles: &[u32]| -> Bounds {
        let at = |x: &[Vec3]| particles.iter().map(|k| x[*k as usize]).collect::<Vec<Vec3>>();
        Bounds::of(at(&start).iter().chain(&at(&end)), BEYOND)
    };
    let vertices: Vec<Bounds> = (0..surface.particle_count() as u32).map(|vertex| over(&[vertex])).collect();
    let edges: Vec<Bounds> = surface.edges().iter().map(|ends| over(ends)).collect();
    let faces: Vec<Bounds> = surface.faces().iter().map(|corners| over(corners)).collect();
    let meet = |a: &[Bounds], b: &[Bounds], [i, j]: [u32; 2]| a[i as usize].meets(&b[j as usize]);

    let tree = Tree::new(&faces);
    let mut of_faces = vec![];
    tree.pairs(|one, other| of_faces.extend(Some([one, other]).filter(|pair| meet(&faces, &faces, *pair))));
    of_faces.sort_unstable();
    let mut of_vertices = vec![];
    Tree::new(&vertices).pairs_with(&tree, |vertex, face| {
        let around = surface.faces()[face as usize].contains(&vertex);
        of_vertices.extend(Some([vertex, face]).filter(|pair| !around && meet(&vertices, &faces, *pair)));
    });
    let mut of_edges = vec![];
    Tree::new(&edges).pairs(|one, other| {
        let [a, b] = [one, other].map(|edge| surface.edges()[edge as usize]);
        let share = a.iter().any(|end| b.contains(end));
        let ends = Some([a, b].concat()).filter(|_| !share && meet(&edges, &edges, [one, other]));
        of_edges.extend(ends);
    });
    write_all(file, &of_faces.concat(), 2)?;
    write_all(file, &of_vertices.concat(), 2)?;
    write_all(file, &of_edges.concat(), 4)?;
    Ok(file.flush()?)
}

/// Writes numbers behind how many lists of so many of them there are.
fn write_all(file: &mut impl Write, numbers: &[u32], each: usize) -> Result<(), Box<dyn Error>> {
    file.write_all(&((numbers.len() / each) as u64).to_le_bytes())?;
    numbers.iter().try_for_each(|number| file.write_all(&number.to_le_bytes()))?;
    Ok(())
}

fn time(side: u32, seconds: f64) -> Result<(), Box<dyn Error>> {
    let (surface, start, end) = folded(side);
    let mut candidates = Candidates::new(surface);
    let begin = Instant::now();
    let mut repetitions = 0;
    while repetitions < REPETITIONS || begin.elapsed().as_secs_f64() < seconds {
        repetitions += 1;
        let from = Instant::now();
        let pairs = candidates.find(&start, &end, THICKNESS);
        let search = from.elapsed().as_secs_f64();
        let from = Instant::now();
        let met = pairs.iter().filter(|pair| pair.impact(&start, &end, THICKNESS).is_some()).count();
        let tests = from.elapsed().as_secs_f64();
        writeln!(stdout(), "{search} {tests} {} {met}", pairs.len())?;
    }
    Ok(())
}
