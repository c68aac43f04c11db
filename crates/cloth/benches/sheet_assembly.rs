//! A sheet of N x N particles, taut, and crumpled, where any spring may act: springs a second of its implicit system, in block
//! rows and on a grid with each instruction set, and of its explicit forces. `cargo bench --package clothlab-sim --bench sheet_assembly`.

use cloth::lanes::InstructionSet;
use cloth::{Cloth, Grid, GridSprings, Linearisation, Material, State, System, Terms, Vec3};
use divan::Bencher;
use divan::counter::ItemsCount;
use linsolve::grid::GridOperator;
use linsolve::{BlockPattern, BlockRows};

const SIDES: [usize; 3] = [32, 64, 256];

fn main() {
    divan::main();
}

/// A sheet, longer than at rest by `stretch`, and out of place by up to `shift` of its spacing.
fn sheet(side: usize, stretch: f64, shift: f64) -> (Cloth, State) {
    let spacing = 1.0 / side as f64;
    let cloth = Cloth::new(Grid::new(side, side, spacing).expect("a sheet"), Material::default(), &[]).expect("a material");
    let mut state = cloth.at_rest();
    for (k, (x, v)) in state.x.iter_mut().zip(&mut state.v).enumerate() {
        let random = |prime: usize| (k * prime % 101) as f64 / 50.0 - 1.0;
        let shifts = Vec3::new(random(37), random(53), random(71));
        *x = stretch * *x + shift * spacing * shifts;
        *v = 0.3 * shifts.yzx();
    }
    (cloth, state)
}

fn taut(side: usize) -> (Cloth, State) {
    sheet(side, 1.05, 0.01)
}

fn crumpled(side: usize) -> (Cloth, State) {
    sheet(side, 0.9, 0.3)
}

fn block_rows(bencher: Bencher, (cloth, state): (Cloth, State)) {
    let count = cloth.particle_count();
    let mut matrix = BlockRows::new(BlockPattern::new(count, &cloth.pairs()));
    let (mut b, implicit) = (vec![Vec3::zeros(); count], vec![true; cloth.coupling_count()]);
    let at = Linearisation { x: &state.x, v: &state.v, w: &state.v, h: 0.005, g: 0.005, terms: Terms::Filtered };
    bencher.counter(ItemsCount::new(cloth.coupling_count())).bench_local(|| {
        matrix.clear();
        cloth.add_linearised(&at, &implicit, &mut matrix, &mut b);
    });
}

fn grid(bencher: Bencher, set: InstructionSet, (cloth, state): (Cloth, State)) {
    if !set.is_supported() {
        return;
    }
    let mut springs = GridSprings::new(&cloth, Terms::Filtered).expect("springs that do not soften");
    let mut matrix = GridOperator::new(springs.shape(), set);
    let (mut b, implicit) = (vec![Vec3::zeros(); cloth.particle_count()], vec![true; cloth.coupling_count()]);
    let at = Linearisation { x: &state.x, v: &state.v, w: &state.v, h: 0.005, g: 0.005, terms: Terms::Filtered };
    bencher
        .counter(ItemsCount::new(cloth.coupling_count()))
        .bench_local(|| springs.linearise(&cloth, &at, &implicit, &mut matrix, &mut b));
}

#[divan::bench(args = SIDES)]
fn taut_in_block_rows(bencher: Bencher, side: usize) {
    block_rows(bencher, taut(side));
}

#[divan::bench(args = SIDES)]
fn crumpled_in_block_rows(bencher: Bencher, side: usize) {
    block_rows(bencher, crumpled(side));
}

#[divan::bench(args = SIDES)]
fn taut_portable(bencher: Bencher, side: usize) {
    grid(bencher, InstructionSet::Portable, taut(side));
}

#[divan::bench(args = SIDES)]
fn crumpled_portable(bencher: Bencher, side: usize) {
    grid(bencher, InstructionSet::Portable, crumpled(side));
}

#[divan::bench(args = SIDES)]
fn taut_avx2(bencher: Bencher, side: usize) {
    grid(bencher, InstructionSet::Avx2, taut(side));
}

#[divan::bench(args = SIDES)]
fn crumpled_avx2(bencher: Bencher, side: usize) {
    grid(bencher, InstructionSet::Avx2, crumpled(side));
}

#[divan::bench(args = SIDES)]
fn taut_avx512(bencher: Bencher, side: usize) {
    grid(bencher, InstructionSet::Avx512, taut(side));
}

#[divan::bench(args = SIDES)]
fn crumpled_avx512(bencher: Bencher, side: usize) {
    grid(bencher, InstructionSet::Avx512, crumpled(side));
}

#[divan::bench(args = SIDES)]
fn forces_spring_by_spring(bencher: Bencher, side: usize) {
    let (cloth, State { x, v }) = crumpled(side);
    let (mut f, implicit) = (vec![Vec3::zeros(); cloth.particle_count()], vec![false; cloth.coupling_count()]);
    bencher.counter(ItemsCount::new(cloth.coupling_count())).bench_local(|| cloth.add_explicit_forces(&implicit, &x, &v, &mut f));
}

#[divan::bench(args = SIDES)]
fn forces_in_order(bencher: Bencher, side: usize) {
    let (cloth, State { x, v }) = crumpled(side);
    let mut f = vec![Vec3::zeros(); cloth.particle_count()];
    bencher.counter(ItemsCount::new(cloth.coupling_count())).bench_local(|| cloth.add_spring_forces(&x, &v, &mut f));
}

#[divan::bench(args = SIDES)]
fn forces_avx512(bencher: Bencher, side: usize) {
    let (cloth, state) = crumpled(side);
    if !InstructionSet::Avx512.is_supported() {
        return;
    }
    let mut springs = GridSprings::new(&cloth, Terms::Filtered).expect("springs that do not soften");
    let (mut f, implicit) = (vec![Vec3::zeros(); cloth.particle_count()], vec![false; cloth.coupling_count()]);
    bencher
        .counter(ItemsCount::new(cloth.coupling_count()))
        .bench_local(|| springs.add_explicit_forces(&cloth, &state, &implicit, InstructionSet::Avx512, &mut f));
}
