//! Multigrid against diagonal blocks on sheets of N x N rows, held along a line and lying partly on a plane: iterations and times
//! of factorisation and solve, on one thread. `cargo bench --package linsolve --bench grid_multigrid`.

#![allow(clippy::print_stdout)] // a table is what it is for

use std::hint::black_box;
use std::time::Instant;

use linsolve::grid::{GridBlockDiagonal, GridCg, GridMultigrid, GridOperator, GridShape, STEPS};
use linsolve::lanes::InstructionSet;
use linsolve::{ConstrainedSystem, Constraint, DiagonalKind, Settings, Start, Vec3};

const ROUNDS: usize = 5;

fn main() {
    let sides: Vec<usize> =
        std::env::var("SIDES").map(|s| s.split(',').map(|s| s.parse().unwrap()).collect()).unwrap_or(vec![40, 80, 160, 320]);
    println!(
        "| cloth | kappa | tolerance | N | CP its | CP ms | MG its | MG ms | factor ms | CP factor | flat its | flat ms | stalled |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for cloth in [Cloth::Taut, Cloth::Slack, Cloth::Crumpled] {
        for kappa in [10.0, 1e3, 1e4] {
            for tolerance in [1e-2, 1e-8] {
                for &side in &sides {
                    println!("{}", line(cloth, kappa, tolerance, side));
                }
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Cloth {
    Taut,
    Slack,
    Crumpled,
}

fn line(cloth: Cloth, kappa: f64, tolerance: f64, side: usize) -> String {
    let sheet = Sheet::new(cloth, kappa, side);
    let shape = sheet.shape;
    let settings = Settings { start: Start::Corrected, tolerance_squared: tolerance * tolerance, iteration_limit: 20_000 };
    let mut blocks = GridBlockDiagonal::new(Some(DiagonalKind::Constrained), shape);
    let mut multigrid = GridMultigrid::new(shape);
    let mut flat = GridMultigrid::new(shape);
    let mut solver = GridCg::new(shape);
    let mut x = sheet.z.clone();
    let system = ConstrainedSystem { operator: &sheet.a, b: &sheet.b, constraints: &sheet.constraints, z: &sheet.z };
    let mut samples = [(); 5].map(|()| Vec::new());
    let mut reports = None;
    for _ in 0..ROUNDS {
        let mut clock = Instant::now();
        let mut lap = |k: usize| {
            let now = Instant::now();
            samples[k].push(1e3 * (now - clock).as_secs_f64());
            clock = now;
        };
        blocks.factor(&sheet.a, &sheet.constraints).expect("a positive definite matrix");
        lap(0);
        x.fill(Vec3::zeros());
        let by_blocks = solver.solve(&system, &mut x, &blocks, &settings);
        lap(1);
        multigrid.factor(&sheet.a, &sheet.constraints).expect("a positive definite matrix");
        lap(2);
        x.fill(Vec3::zeros());
        let by_cycles = solver.solve_by_multigrid(&system, &mut x, &mut multigrid, &settings);
        lap(3);
        flat.factor_from(&sheet.a, &sheet.rest, &sheet.constraints).expect("a positive definite matrix");
        x.fill(Vec3::zeros());
        let clock = Instant::now();
        let by_flat = solver.solve_by_multigrid(&system, &mut x, &mut flat, &settings);
        samples[4].push(1e3 * clock.elapsed().as_secs_f64());
        reports = Some((by_blocks, by_cycles, by_flat));
    }
    black_box(&x);
    let [blocks_factor, blocks_solve, factor, solve, flat_solve] = samples.map(|mut samples| {
        samples.sort_by(f64::total_cmp);
        samples[ROUNDS / 2]
    });
    let (by_blocks, by_cycles, by_flat) = reports.expect("a round");
    format!(
        "| {cloth:?} | {kappa} | {tolerance:e} | {side} | {} | {blocks_solve:.3} | {} | {solve:.3} | {factor:.3} | {blocks_factor:.3} | {} | {flat_solve:.3} | {:?} {:?} {:?}",
        by_blocks.iterations,
        by_cycles.total.iterations,
        by_flat.total.iterations,
        by_cycles.total.stop,
        by_cycles.stalled_after,
        by_flat.stalled_after
    )
}

struct Sheet {
    shape: GridShape,
    a: GridOperator,
    rest: GridOperator,
    b: Vec<Vec3>,
    constraints: Vec<Constraint>,
    z: Vec<Vec3>,
}

/// A number of -1..1 for each row.
fn noise(row: usize, stream: u64) -> f64 {
    let mut z = (row as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(stream.wrapping_mul(0xD1B5_4A32_D192_ED03));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    2.0 * ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64 - 1.0
}

impl Sheet {
    fn new(cloth: Cloth, kappa: f64, side: usize) -> Sheet {
        let shape = GridShape::new(side, side);
        let rows = shape.rows();
        let (stretch_x, stretch_z, rough) = match cloth {
            Cloth::Taut => (1.02, 1.02, 0.005),
            Cloth::Slack => (1.0, 0.995, 0.02),
            Cloth::Crumpled => (0.95, 0.98, 0.15),
        };
        let position = |row: usize| {
            let (u, v) = ((row % side) as f64, (row / side) as f64);
            let bent = 0.05 * side as f64 * libm::sin(6.0 * u / side as f64) * libm::cos(4.0 * v / side as f64);
            let rough = rough * Vec3::new(noise(row, 1), noise(row, 2), noise(row, 3));
            Vec3::new(stretch_x * u, bent, -stretch_z * v) + rough
        };
        let mut a = GridOperator::new(shape, InstructionSet::best());
        let mut rest = GridOperator::new(shape, InstructionSet::best());
        let mut active = 0;
        for row in 0..rows {
            a.set_diagonal(row, 1.0);
            rest.set_diagonal(row, 1.0);
            for (step, (columns, lines)) in STEPS.into_iter().enumerate() {
                let Some(other) = shape.after(row, step) else { continue };
                let place = shape.place(row, other).expect("a step of the grid");
                let d = position(other) - position(row);
                let (length, from) = (d.norm(), libm::sqrt((columns * columns) as f64 + (lines * lines) as f64));
                let n = d / length;
                let flat = Vec3::new(columns as f64, 0.0, -(lines as f64)) / from;
                if columns.abs().max(lines as isize) == 2 {
                    a.set_coupling(place, 0.0, &(libm::sqrt(1e-5 * kappa) * n));
                    rest.set_coupling(place, 0.0, &(libm::sqrt(1e-5 * kappa) * flat));
                    continue;
                }
                rest.set_coupling(place, 0.02 * kappa, &(libm::sqrt(kappa * 0.98) * flat));
                if length > from {
                    active += 1;
                    let across = kappa * (1.0 - from / length);
                    a.set_coupling(place, across, &(libm::sqrt(kappa - across) * n));
                }
            }
        }
        let b = (0..rows).map(|row| {
            let (u, v) = ((row % side) as f64 / side as f64, (row / side) as f64 / side as f64);
            let smooth = Vec3::new(0.3 * libm::sin(5.0 * v), libm::cos(4.0 * u), -1.0 + 0.5 * libm::sin(3.0 * u + 2.0 * v));
            smooth + kappa * 0.01 * Vec3::new(noise(row, 4), noise(row, 5), noise(row, 6))
        });
        let b = b.collect();
        let mut constraints = vec![Constraint::Free; rows];
        constraints[..side].fill(Constraint::Fixed);
        for row in rows * 3 / 4..rows {
            if row % side < side / 2 {
                constraints[row] = Constraint::plane(Vec3::new(noise(row, 7) * 0.1, 1.0, 0.2)).expect("a direction");
            }
        }
        if std::env::var("FREE").is_ok() {
            constraints.fill(Constraint::Free);
            constraints[0] = Constraint::Fixed;
            constraints[side - 1] = Constraint::Fixed;
        }
        if side == 40 {
            eprintln!("active {:.2}", active as f64 / (4 * rows) as f64);
        }
        Sheet { shape, a, rest, b, constraints, z: vec![Vec3::zeros(); rows] }
    }
}
