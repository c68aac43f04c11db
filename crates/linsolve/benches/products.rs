//! Products of a matrix and a vector for a sheet of 40 x 40 rows with 16 couplings each, of which all, a quarter or none are
//! filled: beside the textbook form, which multiplies every block of the pattern. `cargo bench --package clothlab-linsolve`.

use divan::Bencher;
use linsolve::{BlockPattern, BlockRows, Mat3, Operator, Vec3};

const SIDE: usize = 40;

/// One of how many couplings is filled; none for 0.
const SHARES: [usize; 3] = [1, 4, 0];

fn main() {
    divan::main();
}

/// To the eight neighbours and to the eight second neighbours, each pair once.
fn edges() -> Vec<(usize, usize)> {
    let steps = [(1, 0), (0, 1), (1, 1), (-1, 1), (2, 0), (0, 2), (2, 2), (-2, 2)];
    let inside = |u: isize, v: isize| u >= 0 && u < SIDE as isize && v < SIDE as isize;
    let all = (0..SIDE * SIDE).flat_map(|row| steps.map(|step| ((row % SIDE) as isize, (row / SIDE) as isize, step)));
    let kept = all.filter(|&(u, v, (du, dv))| inside(u + du, v + dv));
    kept.map(|(u, v, (du, dv))| (u as usize + v as usize * SIDE, (u + du) as usize + (v + dv) as usize * SIDE)).collect()
}

fn block(edge: usize) -> Mat3 {
    let d = Vec3::new(1.0, 0.1 * (edge % 7) as f64, 0.2);
    -d * d.transpose()
}

fn is_filled(edge: usize, share: usize) -> bool {
    share > 0 && edge.is_multiple_of(share)
}

fn matrix(share: usize) -> BlockRows {
    let edges = edges();
    let mut matrix = BlockRows::new(BlockPattern::new(SIDE * SIDE, &edges));
    fill(&mut matrix, share);
    matrix
}

fn fill(matrix: &mut BlockRows, share: usize) {
    matrix.clear();
    for row in 0..SIDE * SIDE {
        matrix.add_diagonal(row, &(20.0 * Mat3::identity()));
    }
    for edge in (0..matrix.pattern().edge_count()).filter(|&edge| is_filled(edge, share)) {
        matrix.add_pair(edge, &block(edge));
    }
}

fn vectors() -> (Vec<Vec3>, Vec<Vec3>) {
    let x = (0..SIDE * SIDE).map(|row| Vec3::new(1.0, row as f64, -0.5)).collect();
    (x, vec![Vec3::zeros(); SIDE * SIDE])
}

#[divan::bench(args = SHARES)]
fn product(bencher: Bencher, share: usize) {
    let (matrix, (x, mut y)) = (matrix(share), vectors());
    bencher.bench_local(|| matrix.apply(&x, &mut y));
}

/// Compressed rows with both triangles, zero or not.
#[divan::bench(args = SHARES)]
fn textbook_product(bencher: Bencher, share: usize) {
    let (mut rows, (x, mut y)) = (vec![Vec::new(); SIDE * SIDE], vectors());
    for (row, blocks) in rows.iter_mut().enumerate() {
        blocks.push((row, 20.0 * Mat3::identity()));
    }
    for (edge, (i, j)) in edges().into_iter().enumerate() {
        let block = if is_filled(edge, share) { block(edge) } else { Mat3::zeros() };
        rows[i].push((j, block));
        rows[j].push((i, block.transpose()));
    }
    rows.iter_mut().for_each(|blocks| blocks.sort_unstable_by_key(|&(column, _)| column));
    let starts: Vec<usize> = (0..=rows.len()).map(|row| rows[..row].iter().map(Vec::len).sum()).collect();
    let (columns, blocks): (Vec<u32>, Vec<Mat3>) =
        rows.concat().into_iter().map(|(column, block)| (column as u32, block)).unzip();
    bencher.bench_local(|| {
        for (slots, y) in starts.windows(2).zip(&mut y) {
            let slots = slots[0]..slots[1];
            *y = columns[slots.clone()].iter().zip(&blocks[slots]).fold(Vec3::zeros(), |sum, (&j, a)| sum + a * x[j as usize]);
        }
    });
}

#[divan::bench(args = SHARES)]
fn assembly(bencher: Bencher, share: usize) {
    let mut matrix = matrix(share);
    bencher.bench_local(|| fill(&mut matrix, share));
}
