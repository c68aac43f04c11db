//! Solves by multigrid on a grid.

use crate::systems::relative_difference;
use linsolve::grid::{GridBlockDiagonal, GridCg, GridMultigrid, GridOperator, GridShape, MultigridReport, STEPS};
use linsolve::lanes::InstructionSet;
use linsolve::{
    BlockDiagonal, BlockPattern, BlockRows, Breakdown, ConstrainedSystem, Constraint, DiagonalKind, Mat3, Operator, ProjectedCg,
    Settings, SolveReport, SolveStop, Start, Vec3,
};

const TIGHT: Settings = Settings { start: Start::Corrected, tolerance_squared: 1e-16, error: None, iteration_limit: 20_000 };

/// A bent sheet that hangs from its first line and leans on planes in a corner, in both forms. Its springs are `kappa` times as
/// stiff as a row is heavy.
struct Sheet {
    shape: GridShape,
    grid: GridOperator,
    general: BlockRows,
    b: Vec<Vec3>,
    constraints: Vec<Constraint>,
    z: Vec<Vec3>,
}

/// A number of -1..1 that looks random.
fn noise(row: usize, factor: usize) -> f64 {
    ((row * factor) % 1009) as f64 / 504.0 - 1.0
}

impl Sheet {
    /// Stretched by two percent.
    fn taut(nx: usize, ny: usize, kappa: f64) -> Sheet {
        Sheet::new(nx, ny, kappa, 1.02, 0.005)
    }

    /// More than half of the springs are slack, here and there.
    fn slack(nx: usize, ny: usize, kappa: f64) -> Sheet {
        Sheet::new(nx, ny, kappa, 0.99, 0.05)
    }

    fn new(nx: usize, ny: usize, kappa: f64, stretch: f64, rough: f64) -> Sheet {
        let shape = GridShape::new(nx, ny);
        let rows = shape.rows();
        let position = |row: usize| {
            let (u, v) = ((row % nx) as f64, (row / nx) as f64);
            let bent = 0.05 * nx as f64 * libm::sin(6.0 * u / nx as f64) * libm::cos(4.0 * v / ny as f64);
            stretch * Vec3::new(u, 0.0, -v) + bent * Vec3::y() + rough * Vec3::new(noise(row, 37), noise(row, 53), noise(row, 71))
        };
        let mut grid = GridOperator::new(shape, InstructionSet::best());
        let couplings =
            (0..rows).flat_map(|row| (0..STEPS.len()).filter_map(move |step| Some((row, shape.after(row, step)?, step))));
        let couplings: Vec<_> = couplings.collect();
        let mut general = BlockRows::new(BlockPattern::new(rows, &couplings.iter().map(|&(i, j, _)| (i, j)).collect::<Vec<_>>()));
        for row in 0..rows {
            grid.set_diagonal(row, 1.0);
            general.add_diagonal(row, &Mat3::identity());
        }
        for (k, &(i, j, step)) in couplings.iter().enumerate() {
            let d = position(j) - position(i);
            let (columns, lines) = (STEPS[step].0 as f64, STEPS[step].1 as f64);
            let (length, rest) = (d.norm(), libm::sqrt(columns * columns + lines * lines));
            let (across, along) = match columns.abs().max(lines) {
                2.0 => (0.0, 1e-5 * kappa), // bending
                _ if length <= rest => (0.0, 0.0),
                _ => (kappa * (1.0 - rest / length), kappa),
            };
            let m = (along - across).sqrt() * d / length;
            grid.set_coupling(shape.place(i, j).expect("a step of the grid"), across, &m);
            let block = across * Mat3::identity() + m * m.transpose();
            general.add_diagonal(i, &block);
            general.add_diagonal(j, &block);
            general.add_pair(k, &-block);
        }
        let mut constraints = vec![Constraint::Free; rows];
        constraints[..nx].fill(Constraint::Fixed);
        for (row, constraint) in constraints.iter_mut().enumerate().skip(3 * rows / 4) {
            if row % nx < nx / 2 {
                *constraint = Constraint::plane(Vec3::new(0.1 * noise(row, 29), 1.0, 0.2)).expect("a direction");
            }
        }
        let b = |row: usize| Vec3::new(libm::sin(0.1 * row as f64), noise(row, 41), noise(row, 59) - 1.0);
        let z = |row: usize| 0.1 * Vec3::new(noise(row, 19), noise(row, 23), noise(row, 31));
        Sheet { shape, grid, general, b: (0..rows).map(b).collect(), constraints, z: (0..rows).map(z).collect() }
    }

    fn system<'a, O>(&'a self, operator: &'a O) -> ConstrainedSystem<'a, O> {
        ConstrainedSystem { operator, b: &self.b, constraints: &self.constraints, z: &self.z }
    }

    fn by_multigrid(&self, settings: &Settings) -> (Vec<Vec3>, MultigridReport) {
        self.by(GridMultigrid::new(self.shape), settings)
    }

    fn by(&self, mut multigrid: GridMultigrid, settings: &Settings) -> (Vec<Vec3>, MultigridReport) {
        multigrid.factor(&self.grid, &self.constraints).expect("a positive definite matrix");
        let mut x = vec![Vec3::zeros(); self.b.len()];
        let report = GridCg::new(self.shape).solve_by_multigrid(&self.system(&self.grid), &mut x, &mut multigrid, settings);
        (x, report)
    }

    fn by_blocks(&self, settings: &Settings) -> (Vec<Vec3>, SolveReport) {
        let mut blocks = GridBlockDiagonal::new(Some(DiagonalKind::Constrained), self.shape);
        blocks.factor(&self.grid, &self.constraints).expect("a positive definite matrix");
        let mut x = vec![Vec3::zeros(); self.b.len()];
        let report = GridCg::new(self.shape).solve(&self.system(&self.grid), &mut x, &blocks, settings);
        (x, report)
    }
}

#[test]
fn iterations_hardly_grow_with_the_rows_of_taut_cloth() {
    for kappa in [10.0, 1e3, 1e4] {
        let counts = [16, 32, 64, 128].map(|side| {
            let (_, report) = Sheet::taut(side, side, kappa).by_multigrid(&TIGHT);
            assert_eq!((report.total.stop, report.stalled_after), (SolveStop::Converged, None), "{side} {kappa} {report:?}");
            report.total.iterations
        });
        assert!(counts.iter().all(|count| *count <= 20), "{kappa}: {counts:?}");
        assert!(counts[3] <= counts[1] + 3, "{kappa}: {counts:?}");
    }
    let sheet = Sheet::taut(64, 64, 1e4);
    let (blocks, cycles) = (sheet.by_blocks(&TIGHT).1.iterations, sheet.by_multigrid(&TIGHT).1.total.iterations);
    assert!(blocks > 20 * cycles, "{blocks} {cycles}");
}

#[test]
fn solutions_are_those_of_the_general_form() {
    for (nx, ny) in [(24, 24), (17, 30), (1, 40), (40, 1), (2, 33), (3, 3), (1, 1)] {
        for sheet in [Sheet::taut(nx, ny, 100.0), Sheet::slack(nx, ny, 100.0)] {
            for start in [Start::Original, Start::Corrected] {
                let settings = Settings { start, tolerance_squared: 1e-26, ..TIGHT };
                let (x, report) = sheet.by_multigrid(&settings);
                assert!(report.total.stop.is_solved(), "{nx} x {ny}: {report:?}");
                let mut blocks = BlockDiagonal::new(DiagonalKind::Constrained);
                blocks.factor(&sheet.general, &sheet.constraints).unwrap();
                let mut expected = vec![Vec3::zeros(); x.len()];
                ProjectedCg::new(x.len()).solve(&sheet.system(&sheet.general), &mut expected, &blocks, &settings);
                assert!(relative_difference(&x, &expected) < 1e-10, "{nx} x {ny}: {report:?}");
                for ((constraint, z), x) in sheet.constraints.iter().zip(&sheet.z).zip(&x) {
                    let mut imposed = *x;
                    constraint.impose(z, &mut imposed);
                    assert!((imposed - x).amax() < 1e-14, "constraints are kept");
                }
            }
        }
    }
}

#[test]
fn strips_take_few_iterations_but_those_of_two_rows_stall() {
    for (nx, ny) in [(1, 400), (300, 5), (10, 300)] {
        let (_, report) = Sheet::taut(nx, ny, 1e4).by_multigrid(&TIGHT);
        assert_eq!((report.total.stop, report.stalled_after), (SolveStop::Converged, None), "{nx} x {ny}");
        assert!(report.total.iterations <= 30, "{nx} x {ny}: {report:?}");
    }
    let (_, report) = Sheet::taut(2, 200, 1e4).by_multigrid(&TIGHT); // coarse cells of 1 x 2, 1 x 4, ... do not bend in their plane
    assert!(report.total.stop == SolveStop::Converged && report.stalled_after.is_some(), "{report:?}");
}

#[test]
fn cycles_that_stall_give_way_to_diagonal_blocks() {
    let sheet = Sheet::slack(48, 48, 1e4);
    let (x, report) = sheet.by_multigrid(&TIGHT);
    let (expected, by_blocks) = sheet.by_blocks(&TIGHT);
    let stalled = report.stalled_after.expect("a stall");
    assert_eq!(report.total.stop, SolveStop::Converged);
    assert_eq!(report.cycles, stalled + 1, "{report:?}"); // one for the right side
    assert!(report.total.iterations > stalled && report.total.iterations < by_blocks.iterations, "{report:?} {by_blocks:?}");
    assert!(relative_difference(&x, &expected) < 1e-5, "{}", relative_difference(&x, &expected));
    // a limit before the stall, and one after it
    for iteration_limit in [stalled - 1, stalled + 1] {
        let (_, report) = sheet.by_multigrid(&Settings { iteration_limit, ..TIGHT });
        assert_eq!((report.total.stop, report.total.iterations), (SolveStop::IterationLimit, iteration_limit));
        assert_eq!(report.stalled_after, (iteration_limit > stalled).then_some(stalled));
    }
}

#[test]
fn every_instruction_set_gives_the_same_bits() {
    for mut sheet in [Sheet::taut(37, 31, 1e3), Sheet::slack(37, 31, 1e3), Sheet::taut(2, 77, 1e3)] {
        sheet.grid.run_on(InstructionSet::Portable);
        let portable = sheet.by_multigrid(&TIGHT);
        for set in InstructionSet::supported() {
            sheet.grid.run_on(set);
            assert_eq!(sheet.by_multigrid(&TIGHT), portable, "{set}");
        }
    }
}

#[test]
fn nothing_to_solve_takes_no_iteration() {
    let mut sheet = Sheet::taut(20, 20, 100.0);
    sheet.z.fill(Vec3::zeros());
    let right_side = std::mem::replace(&mut sheet.b, vec![Vec3::zeros(); 400]);
    for start in [Start::Original, Start::Corrected] {
        let (x, report) = sheet.by_multigrid(&Settings { start, ..TIGHT });
        assert_eq!((report.total.stop, report.total.products), (SolveStop::ZeroRightSide, 0));
        assert!(x.iter().all(|x| *x == Vec3::zeros()));
    }
    sheet.b = right_side;
    sheet.constraints.fill(Constraint::Fixed);
    sheet.z.fill(Vec3::x());
    let (x, report) = sheet.by_multigrid(&TIGHT);
    assert_eq!((report.total.stop, report.total.iterations), (SolveStop::ZeroRightSide, 0));
    assert!(x.iter().all(|x| *x == Vec3::x()));
}

#[test]
fn cycles_in_single_precision_lead_to_the_same_solution_by_the_same_bits_everywhere() {
    for mut sheet in [Sheet::taut(41, 33, 1e3), Sheet::taut(2, 37, 1e2), Sheet::slack(33, 41, 1e2)] {
        let (x, double) = sheet.by_multigrid(&TIGHT);
        let (expected, single) = sheet.by(GridMultigrid::in_single(sheet.shape), &TIGHT);
        assert_eq!(single.total.stop, SolveStop::Converged);
        assert!(relative_difference(&x, &expected) < 1e-6, "{}", relative_difference(&x, &expected));
        let [double, single] = [double.total.iterations, single.total.iterations];
        assert!(single.abs_diff(double) <= 2 + double / 10, "{double} and {single} iterations");
        for set in InstructionSet::supported() {
            sheet.grid.run_on(set);
            assert_eq!(sheet.by(GridMultigrid::in_single(sheet.shape), &TIGHT).0, expected, "{set}");
        }
    }
    let mut nothing = Sheet::taut(9, 8, 1e3);
    nothing.b.fill(Vec3::zeros());
    nothing.z.fill(Vec3::zeros());
    let (x, report) = nothing.by(GridMultigrid::in_single(nothing.shape), &TIGHT);
    assert_eq!((x, report.total.stop), (nothing.z, SolveStop::ZeroRightSide));
}

#[test]
fn what_is_not_stiff_is_left_to_the_blocks_of_the_diagonal() {
    let soft = Sheet::taut(24, 24, 2.0);
    let (x, report) = soft.by(GridMultigrid::where_stiff(soft.shape), &TIGHT);
    let (expected, blocks) = soft.by_blocks(&TIGHT);
    assert_eq!((x, report.total, report.cycles), (expected, blocks, 0));
    let stiff = Sheet::taut(24, 24, 1e3);
    let (x, report) = stiff.by(GridMultigrid::where_stiff(stiff.shape), &TIGHT);
    assert_eq!((x, report), stiff.by(GridMultigrid::in_single(stiff.shape), &TIGHT));
    assert!(report.cycles > 0);
}

#[test]
fn the_error_comes_down_to_what_is_asked_for() {
    for sheet in [Sheet::taut(40, 40, 1e3), Sheet::slack(40, 40, 1e3), Sheet::taut(24, 24, 2.0)] {
        let (exact, _) = sheet.by_blocks(&Settings { tolerance_squared: 1e-26, ..TIGHT });
        let energy = |x: &[Vec3]| {
            let error: Vec<Vec3> = x.iter().zip(&exact).map(|(x, exact)| x - exact).collect();
            let mut product = error.clone();
            sheet.grid.apply(&error, &mut product);
            error.iter().zip(&product).map(|(u, v)| u.dot(v)).sum::<f64>()
        };
        let whole = energy(&vec![Vec3::zeros(); exact.len()]);
        for share in [1e-2, 1e-4, 1e-8] {
            let settings = Settings { tolerance_squared: 1.0, error: Some(share * whole), ..TIGHT };
            let (by_blocks, blocks) = sheet.by_blocks(&settings);
            let (by_cycles, cycles) = sheet.by(GridMultigrid::in_single(sheet.shape), &settings);
            for (x, report) in [(by_blocks, blocks), (by_cycles, cycles.total)] {
                let (left, estimate) = (energy(&x), report.error.expect("iterations"));
                assert_eq!(report.stop, SolveStop::Converged);
                assert!(estimate <= share * whole && left <= 2.0 * share * whole, "{left} {estimate} of {whole}, {report:?}");
            }
        }
    }
}

#[test]
fn indefinite_and_infinite_matrices_are_told() {
    let shape = GridShape::new(9, 7);
    let free = vec![Constraint::Free; 63];
    let zeros = vec![Vec3::zeros(); 63];
    let b = vec![Vec3::x(); 63];
    let mut multigrid = GridMultigrid::new(shape);
    for (value, stop) in [(-1.0, SolveStop::NotPositiveDefinite), (f64::NAN, SolveStop::NotFinite)] {
        let mut grid = GridOperator::new(shape, InstructionSet::best());
        (0..63).for_each(|row| grid.set_diagonal(row, value));
        let expected = match stop {
            SolveStop::NotFinite => Breakdown::NotFinite { row: 0 },
            _ => Breakdown::NotPositiveDefinite { row: 0 },
        };
        assert_eq!(multigrid.factor(&grid, &free), Err(expected)); // and is I
        let system = ConstrainedSystem { operator: &grid, b: &b, constraints: &free, z: &zeros };
        let report = GridCg::new(shape).solve_by_multigrid(&system, &mut zeros.clone(), &mut multigrid, &TIGHT);
        assert_eq!((report.total.stop, report.total.iterations, report.cycles), (stop, 0, 0));
    }
    // one that is indefinite behind positive diagonal blocks: a coupling that pushes
    let mut grid = GridOperator::new(shape, InstructionSet::best());
    (0..63).for_each(|row| grid.set_diagonal(row, 4.0));
    let middle = 4 + 9 * 3;
    for other in [middle + 1, middle + 9] {
        grid.set_coupling(shape.place(middle, other).unwrap(), -1.7, &Vec3::zeros());
    }
    assert_eq!(multigrid.factor(&grid, &free), Ok(()));
    let b: Vec<Vec3> = (0..63).map(|row| if row == middle { Vec3::x() } else { Vec3::zeros() }).collect();
    let system = ConstrainedSystem { operator: &grid, b: &b, constraints: &free, z: &zeros };
    let report = GridCg::new(shape).solve_by_multigrid(&system, &mut zeros.clone(), &mut multigrid, &TIGHT);
    assert_eq!(report.total.stop, SolveStop::NotPositiveDefinite, "{report:?}");
}

#[test]
fn a_hierarchy_can_be_used_again_whatever_it_held() {
    let sheet = Sheet::taut(29, 23, 1e3);
    let expected = sheet.by_multigrid(&TIGHT);
    let mut multigrid = GridMultigrid::new(sheet.shape);
    let mut solver = GridCg::new(sheet.shape);
    multigrid.factor(&sheet.grid, &sheet.constraints).unwrap();
    let mut b = sheet.b.clone();
    (b[300].x, b[28 + 29 * 22]) = (f64::NAN, Vec3::repeat(f64::INFINITY));
    let mut x = vec![Vec3::zeros(); b.len()];
    let broken = ConstrainedSystem { b: &b, ..sheet.system(&sheet.grid) };
    assert_eq!(solver.solve_by_multigrid(&broken, &mut x, &mut multigrid, &TIGHT).total.stop, SolveStop::NotFinite);
    let other = Sheet::slack(29, 23, 50.0);
    multigrid.factor(&other.grid, &vec![Constraint::Free; b.len()]).unwrap();
    multigrid.factor(&sheet.grid, &sheet.constraints).unwrap();
    x.fill(Vec3::zeros());
    let report = solver.solve_by_multigrid(&sheet.system(&sheet.grid), &mut x, &mut multigrid, &TIGHT);
    assert_eq!((x, report), expected);
}

#[test]
#[should_panic(expected = "shapes of the preconditioner and of the workspace")]
fn a_hierarchy_of_another_shape_is_refused() {
    let sheet = Sheet::taut(9, 8, 10.0);
    let mut turned = GridMultigrid::new(GridShape::new(8, 9));
    GridCg::new(sheet.shape).solve_by_multigrid(&sheet.system(&sheet.grid), &mut sheet.z.clone(), &mut turned, &TIGHT);
}
