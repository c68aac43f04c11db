//! Finding what meets in a step of a sheet folded in four, and deciding it: `cargo bench --package clothlab-collision`.

use collision::{Candidates, Pair, crossings, edge_edge, vertex_face};
use divan::counter::ItemsCount;
use sheet::{THICKNESS, folded};

fn main() {
    divan::main();
}

#[path = "../examples/folded/sheet.rs"]
mod sheet;

const SIDES: [u32; 3] = [100, 200, 320];

#[divan::bench(args = SIDES)]
fn broad(bencher: divan::Bencher, n: u32) {
    let (surface, start, end) = folded(n);
    let count = surface.faces().len();
    let mut candidates = Candidates::new(surface);
    bencher.counter(ItemsCount::new(count)).bench_local(|| candidates.find(&start, &end, THICKNESS).len());
}

#[divan::bench(args = SIDES)]
fn whole(bencher: divan::Bencher, n: u32) {
    let (surface, start, end) = folded(n);
    let count = surface.faces().len();
    let mut candidates = Candidates::new(surface);
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        let pairs = candidates.find(&start, &end, THICKNESS);
        let meets = |pair: &&Pair| match pair {
            Pair::VertexFace(_) => vertex_face(&pair.motion(&start, &end), THICKNESS).is_some(),
            Pair::EdgeEdge(_) => edge_edge(&pair.motion(&start, &end), THICKNESS).is_some(),
        };
        pairs.iter().filter(meets).count()
    });
}

#[divan::bench(args = SIDES)]
fn check(bencher: divan::Bencher, n: u32) {
    let (surface, start, _) = folded(n);
    let count = surface.faces().len();
    bencher.counter(ItemsCount::new(count)).bench_local(|| crossings(&surface, &start).len());
}
