//! Multigrid against diagonal blocks on sheets of N x N rows, which hang from a line and lean on planes in a corner, on one thread:
//! iterations and median times of solves, and of the factorisations before them. `cargo bench --package clothlab-linsolve --bench
//! grid_multigrid`; numbers after `--` choose N.

#![allow(clippy::print_stdout)] // a table is what it is for

use std::time::Instant;

use linsolve::grid::{GridBlockDiagonal, GridCg, GridMultigrid, GridOperator, GridShape, STEPS};
use linsolve::lanes::InstructionSet;
use linsolve::{ConstrainedSystem, Constraint, DiagonalKind, Settings, Start, Vec3};

const SIDES: [usize; 4] = [40, 80, 160, 320];
const KAPPAS: [f64; 4] = [10.0, 100.0, 1e3, 1e4];
const TOLERANCES: [f64; 2] = [1e-2, 1e-8];

/// Times that everything is measured.
const ROUNDS: usize = 3;

fn main() {
    if !std::env::args().any(|argument| argument == "--bench") {
        return; // `cargo test --all-targets` only builds it
    }
    let chosen: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let sides = if chosen.is_empty() { SIDES.to_vec() } else { chosen };
    println!("times in ms; gain: factorisation and solve with diagonal blocks over those with multigrid");
    println!(
        "| cloth | kappa | tolerance | N | blocks: factor | iterations | solve | multigrid: factor | iterations | solve | stalled after | gain |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for cloth in [Cloth::Taut, Cloth::Slack, Cloth::Crumpled] {
        for kappa in KAPPAS {
            for tolerance in TOLERANCES {
                for &side in &sides {
                    println!("{}", line(cloth, kappa, tolerance, side));
                }
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Cloth {
    /// Every spring pulls.
    Taut,
    /// Two springs of three pull, here and there.
    Slack,
    /// Less than half of them, and none of them along its neighbour.
    Crumpled,
}

/// A line of the table.
fn line(cloth: Cloth, kappa: f64, tolerance: f64, side: usize) -> String {
    let sheet = Sheet::new(cloth, kappa, side);
    let settings =
        Settings { start: Start::Corrected, tolerance_squared: tolerance * tolerance, error: None, iteration_limit: 100_000 };
    let mut blocks = GridBlockDiagonal::new(Some(DiagonalKind::Constrained), sheet.shape);
    let mut multigrid = GridMultigrid::new(sheet.shape);
    let mut solver = GridCg::new(sheet.shape);
    let mut x = sheet.z.clone();
    let system = ConstrainedSystem { operator: &sheet.a, b: &sheet.b, constraints: &sheet.constraints, z: &sheet.z };
    let mut samples = [(); 4].map(|()| Vec::with_capacity(ROUNDS));
    let mut counts = (0, 0, None);
    for _ in 0..ROUNDS {
        let factor_blocks = time(|| blocks.factor(&sheet.a, &sheet.constraints).expect("a positive definite matrix"));
        x.fill(Vec3::zeros());
        let solve_by_blocks = time(|| counts.0 = solver.solve(&system, &mut x, &blocks, &settings).iterations);
        let factor_levels = time(|| multigrid.factor(&sheet.a, &sheet.constraints).expect("a positive definite matrix"));
        x.fill(Vec3::zeros());
        let solve_by_multigrid = time(|| {
            let report = solver.solve_by_multigrid(&system, &mut x, &mut multigrid, &settings);
            (counts.1, counts.2) = (report.total.iterations, report.stalled_after);
        });
        let times = [factor_blocks, solve_by_blocks, factor_levels, solve_by_multigrid];
        samples.iter_mut().zip(times).for_each(|(samples, time)| samples.push(time));
    }
    let [factor_blocks, solve_by_blocks, factor_levels, solve_by_multigrid] = samples.map(|mut samples| {
        samples.sort_by(f64::total_cmp);
        samples[ROUNDS / 2]
    });
    let gain = (factor_blocks + solve_by_blocks) / (factor_levels + solve_by_multigrid);
    let (by_blocks, by_multigrid, stalled_after) = counts;
    let stalled_after = stalled_after.map_or_else(String::new, |iterations| iterations.to_string());
    format!(
        "| {cloth:?} | {kappa} | {tolerance:e} | {side} | {factor_blocks:.3} | {by_blocks} | {solve_by_blocks:.3} \
         | {factor_levels:.3} | {by_multigrid} | {solve_by_multigrid:.3} | {stalled_after} | {gain:.2} |"
    )
}

/// Time \[ms\] of a work.
fn time(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    1e3 * start.elapsed().as_secs_f64()
}

/// Springs of unit spacing on masses of 1.
struct Sheet {
    shape: GridShape,
    a: GridOperator,
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
        for row in 0..rows {
            a.set_diagonal(row, 1.0);
            for (step, (columns, lines)) in STEPS.into_iter().enumerate() {
                let Some(other) = shape.after(row, step) else { continue };
                let place = shape.place(row, other).expect("a step of the grid");
                let d = position(other) - position(row);
                let (length, from) = (d.norm(), libm::sqrt((columns * columns) as f64 + (lines * lines) as f64));
                let n = d / length;
                if columns.abs().max(lines as isize) == 2 {
                    // bending
                    a.set_coupling(place, 0.0, &(libm::sqrt(1e-5 * kappa) * n));
                    continue;
                }
                if length > from {
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
        Sheet { shape, a, b, constraints, z: vec![Vec3::zeros(); rows] }
    }
}
