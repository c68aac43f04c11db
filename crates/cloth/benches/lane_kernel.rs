//! Particle-steps per second of one core: explicit sweeps on every instruction set, beside the plain path and the
//! textbook form. `cargo bench --package clothlab-sim --bench lane_kernel`.

use cloth::integrators::{ForwardBackwardEuler, Integrator};
use cloth::lanes::{InstructionSet, Sheet, Trial, sweep};
use cloth::{Cloth, DampingForm, Elastic, Grid, Material, Pin};
use divan::Bencher;
use divan::counter::ItemsCount;

const SIDES: [usize; 3] = [10, 20, 30];
const STEPS: u32 = 200;

fn main() {
    divan::main();
}

fn sheet() -> Sheet {
    let elastic = Elastic { stiffness: 100.0, damping: 0.01 };
    Sheet {
        spacing: 0.05,
        density: 0.1,
        stretch: elastic,
        shear: elastic,
        damping: DampingForm::Projected,
        extension_tolerance: 1e-12,
        mass_by_area: false,
    }
}

/// Eight whole stable runs, whatever the number of lanes.
fn eight_runs(bencher: Bencher, set: InstructionSet, n: usize) {
    if !set.is_supported() {
        return;
    }
    bencher.counter(ItemsCount::new(8 * STEPS as usize * n * n)).bench_local(|| {
        let mut left = 8;
        sweep(set, n, |_| {
            left -= 1;
            (left >= 0).then(|| ((), Trial { sheet: sheet(), dt: 1e-4, steps: STEPS, energy_margin: 0.1 }))
        })
    });
}

#[divan::bench(args = SIDES)]
fn plain(bencher: Bencher, n: usize) {
    eight_runs(bencher, InstructionSet::Plain, n);
}

#[divan::bench(args = SIDES)]
fn portable(bencher: Bencher, n: usize) {
    eight_runs(bencher, InstructionSet::Portable, n);
}

#[divan::bench(args = SIDES)]
fn avx2(bencher: Bencher, n: usize) {
    eight_runs(bencher, InstructionSet::Avx2, n);
}

#[divan::bench(args = SIDES)]
fn avx512(bencher: Bencher, n: usize) {
    eight_runs(bencher, InstructionSet::Avx512, n);
}

/// One run of the textbook form: spring by spring, energies in a pass of their own.
#[divan::bench(args = SIDES)]
fn textbook(bencher: Bencher, n: usize) {
    let sheet = sheet();
    let material =
        Material { density: sheet.density, stretch: sheet.stretch, shear: sheet.shear, bend: 0.0, ..Material::default() };
    let grid = Grid::new(n, n, sheet.spacing).expect("a valid sheet");
    let cloth = Cloth::new(grid, material, &[Pin::At(0, 0), Pin::At(n - 1, 0)]).expect("a valid sheet");
    bencher.counter(ItemsCount::new(STEPS as usize * n * n)).bench_local(|| {
        let mut state = cloth.at_rest();
        let mut scheme = ForwardBackwardEuler::new(n * n);
        let mut energy = 0.0;
        for _ in 0..STEPS {
            energy += cloth.energies(&state).total();
            scheme.step(&cloth, 1e-4, &mut state);
        }
        energy
    });
}
