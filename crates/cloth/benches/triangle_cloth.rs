//! The flag of Parks & Forsyth, 116 particles, 200 triangles and 285 hinges, crumpled: forces, one linearisation of everything,
//! and one step of backward Euler. `cargo bench --package clothlab-sim --bench triangle_cloth`.

use cloth::implicit::{Settings, Solver};
use cloth::integrators::{BackwardEuler, Integrator};
use cloth::triangles::TriangleMesh;
use cloth::{Fabric, Linearisation, State, System, Terms, TriangleCloth, Vec3};
use divan::Bencher;
use linsolve::{BlockPattern, BlockRows};

const TERMS: [Terms; 2] = [Terms::Exact, Terms::Filtered];

fn main() {
    divan::main();
}

fn flag() -> (TriangleCloth, State) {
    let mesh = TriangleMesh::centred(6, 11, 1.0, 1.0).expect("a mesh");
    let cloth = TriangleCloth::new(mesh, Fabric::default(), &[0, 5]).expect("a material");
    let mut state = cloth.at_rest();
    for (x, v) in state.x.iter_mut().zip(&mut state.v) {
        x.z = 0.05 * libm::sin(9.0 * x.x + 4.0 * x.y);
        *v = Vec3::new(0.1 * x.y, 0.2, x.x);
    }
    state.v[0] = Vec3::zeros();
    state.v[5] = Vec3::zeros();
    (cloth, state)
}

#[divan::bench]
fn forces(bencher: Bencher) {
    let (cloth, state) = flag();
    let mut a = vec![Vec3::zeros(); cloth.particle_count()];
    bencher.bench_local(|| cloth.accelerate(&state.x, &state.v, &mut a));
}

#[divan::bench(args = TERMS)]
fn linearisation(bencher: Bencher, terms: Terms) {
    let (cloth, State { x, v }) = flag();
    let count = cloth.particle_count();
    let mut matrix = BlockRows::new(BlockPattern::new(count, &cloth.pairs()));
    let (mut b, implicit) = (vec![Vec3::zeros(); count], vec![true; cloth.coupling_count()]);
    let at = Linearisation { x: &x, v: &v, w: &v, h: 0.005, g: 0.005, terms };
    bencher.bench_local(|| {
        matrix.clear();
        cloth.add_linearised(&at, &implicit, &mut matrix, &mut b);
    });
}

fn step(bencher: Bencher, terms: Terms, solver: Solver) {
    let (cloth, begin) = flag();
    let mut scheme = BackwardEuler::new(&cloth, Settings { terms, solver, ..Settings::default() });
    let mut state = begin.clone();
    bencher.bench_local(|| {
        state.copy_from(&begin);
        scheme.step(&cloth, 0.005, &mut state);
    });
}

#[divan::bench(args = TERMS)]
fn step_by_conjugate_gradients(bencher: Bencher, terms: Terms) {
    step(bencher, terms, Solver::default());
}

#[divan::bench(args = TERMS)]
fn step_by_cholesky(bencher: Bencher, terms: Terms) {
    step(bencher, terms, Solver::Direct);
}
