//! The linear system of fast projection on square sheets pinned at two corners, phase by phase: analysis of the pattern, filling
//! in, factorisation column by column and in panels, solve; and a whole iteration. `cargo bench --package clothlab-sim --bench
//! constraint_solves`.

use cloth::inextensible::{ConstraintMethod, EdgeConstraints, FastProjection, Limits, Step};
use cloth::{Grid, Vec3};
use divan::Bencher;
use linsolve::scalar::{ScalarCholesky, ScalarPattern};

const SIDES: [usize; 4] = [32, 71, 100, 200];

fn main() {
    divan::main();
}

/// A wavy sheet of 1 m: (grad C) M⁻¹ (grad C)ᵀ of its warp and weft edges.
struct Sheet {
    constraints: EdgeConstraints,
    x: Vec<Vec3>,
    /// Edges that share a particle, with their signs.
    couplings: Vec<(usize, usize, usize, f64)>,
    pattern: ScalarPattern,
    places: Vec<usize>,
}

impl Sheet {
    fn new(side: usize) -> Sheet {
        let h = 1.0 / (side - 1) as f64;
        let grid = Grid::new(side, side, h).expect("a grid");
        let count = side * side;
        let pinned: Vec<bool> = (0..count).map(|k| k == 0 || k == side - 1).collect();
        let constraints = EdgeConstraints::new(&EdgeConstraints::edges_of_grid(&grid), &vec![0.1 / count as f64; count], &pinned);
        let constraints = constraints.expect("edges of a grid");
        let wave = |k: usize| ((k % side) as f64 * h, (k / side) as f64 * h);
        let bent = |(u, v): (f64, f64)| {
            Vec3::new(u + 0.01 * h * libm::sin(7.0 * v), v, 0.15 * libm::sin(6.0 * u) * libm::cos(4.0 * v + 0.3))
        };
        let mut ends = vec![Vec::new(); count];
        for (k, edge) in constraints.edges().iter().enumerate() {
            ends[edge.i].push((k, -1.0));
            ends[edge.j].push((k, 1.0));
        }
        let mut couplings = Vec::new();
        for (particle, ends) in ends.iter().enumerate().filter(|(particle, _)| !pinned[*particle]) {
            for (place, (edge, sign)) in ends.iter().enumerate() {
                couplings.extend(ends[..place].iter().map(|(other, of_other)| (*edge, *other, particle, sign * of_other)));
            }
        }
        let pairs: Vec<_> = couplings.iter().map(|(edge, other, _, _)| (*edge, *other)).collect();
        let pattern = ScalarPattern::lower(constraints.edges().len(), &pairs);
        let places = pairs.iter().map(|(edge, other)| pattern.place(*edge, *other).expect("an entry")).collect();
        Sheet { x: (0..count).map(wave).map(bent).collect(), constraints, couplings, pattern, places }
    }

    fn fill(&self, values: &mut [f64]) {
        let w = self.constraints.inverse_masses();
        for (k, edge) in self.constraints.edges().iter().enumerate() {
            let place = self.pattern.place(k, k).expect("a diagonal");
            values[place] = (w[edge.i] + w[edge.j]) * edge.gradient(&self.x).norm_squared();
        }
        let edges = self.constraints.edges();
        for ((edge, other, particle, sign), place) in self.couplings.iter().zip(&self.places) {
            values[*place] = sign * w[*particle] * edges[*edge].gradient(&self.x).dot(&edges[*other].gradient(&self.x));
        }
    }

    fn filled(&self) -> ScalarCholesky {
        let mut solver = ScalarCholesky::new(&self.pattern);
        self.fill(solver.values_mut());
        solver
    }
}

#[divan::bench(args = SIDES)]
fn pattern(bencher: Bencher, side: usize) {
    let sheet = Sheet::new(side);
    bencher.bench_local(|| ScalarCholesky::new(&sheet.pattern));
}

#[divan::bench(args = SIDES)]
fn fill(bencher: Bencher, side: usize) {
    let sheet = Sheet::new(side);
    let mut values = vec![0.0; sheet.pattern.entries()];
    bencher.bench_local(|| sheet.fill(&mut values));
}

#[divan::bench(args = SIDES)]
fn factorisation(bencher: Bencher, side: usize) {
    let mut solver = Sheet::new(side).filled();
    bencher.bench_local(|| solver.factor());
}

#[divan::bench(args = SIDES)]
fn factorisation_and_solve(bencher: Bencher, side: usize) {
    let sheet = Sheet::new(side);
    let mut solver = sheet.filled();
    let mut b = vec![1.0; sheet.pattern.unknowns()];
    bencher.bench_local(|| {
        b.fill(1.0);
        solver.factor().expect("a definite matrix");
        solver.solve(&mut b);
    });
}

#[divan::bench(args = SIDES)]
fn solve(bencher: Bencher, side: usize) {
    let sheet = Sheet::new(side);
    let mut solver = sheet.filled();
    solver.factor().expect("a definite matrix");
    let mut b = vec![1.0; sheet.pattern.unknowns()];
    bencher.bench_local(|| {
        b.fill(1.0);
        solver.solve(&mut b);
    });
}

/// Gradients, filling in, factorisation, solve, correction, strain.
#[divan::bench(args = SIDES)]
fn iteration(bencher: Bencher, side: usize) {
    let sheet = Sheet::new(side);
    let once = Limits::new(1e-11, 1).expect("limits");
    let mut method = FastProjection::new(sheet.constraints.clone(), once);
    let mut x = sheet.x.clone();
    bencher.bench_local(|| {
        x.copy_from_slice(&sheet.x);
        method.project(&Step { dt: 0.01, start: &sheet.x, candidate: &sheet.x }, &mut x)
    });
}
