//! Systems solved component by component, against the same systems solved as a whole.

use crate::systems::{Problem, hanging_sheet, problem, relative_difference, sheet_edges};
use linsolve::{
    AnyPreconditioner, BlockPattern, BlockRows, Breakdown, Constraint, Decompose, DecomposedCg, DecomposedReport, DiagonalKind,
    IncompleteCholesky, Mat3, Parts, PreconditionerKind, ProjectedCg, Settings, SolveReport, SolveStop, SparseCholesky, Ssor,
    Start, Vec3,
};
use proptest::prelude::*;

const CP: PreconditionerKind = PreconditionerKind::BlockDiagonal(DiagonalKind::Constrained);

const KINDS: [PreconditionerKind; 6] = [
    PreconditionerKind::None,
    PreconditionerKind::BlockDiagonal(DiagonalKind::Diagonal),
    CP,
    PreconditionerKind::Triangular(&Ssor::ENTRY),
    PreconditionerKind::Triangular(&IncompleteCholesky::ENTRY),
    PreconditionerKind::Schwarz(Parts { rows: 4, overlap: 1, coarse: false }),
];

/// Far below what the thesis asks for.
const EXACTLY: Settings = Settings { start: Start::Corrected, tolerance_squared: 1e-26, error: None, iteration_limit: 1000 };

fn solve_in(solver: &mut DecomposedCg, problem: &Problem, settings: &Settings) -> (DecomposedReport, Vec<Vec3>) {
    let mut x = problem.guess.clone();
    let report = solver.solve(&problem.system(), &mut x, settings);
    (report, x)
}

/// The solution from the guess of the problem, component by component.
fn solve(problem: &Problem, kind: PreconditionerKind, settings: &Settings) -> (DecomposedReport, Vec<Vec3>) {
    solve_in(&mut DecomposedCg::new(kind, Decompose::Serial), problem, settings)
}

/// Solves a problem as a whole.
fn solve_whole(problem: &Problem, kind: PreconditionerKind, settings: &Settings) -> (SolveReport, Vec<Vec3>) {
    let mut x = problem.guess.clone();
    let mut preconditioner = AnyPreconditioner::new(kind);
    preconditioner.factor(&problem.matrix, &problem.constraints).expect("a positive definite matrix");
    (ProjectedCg::new(problem.rows()).solve(&problem.system(), &mut x, &preconditioner, settings), x)
}

fn solve_directly(problem: &Problem) -> Vec<Vec3> {
    let mut x = problem.guess.clone();
    SparseCholesky::new(problem.matrix.pattern()).solve(&problem.system(), &mut x).expect("a positive definite matrix");
    x
}

/// Largest |(I - S)(x - z)|.
fn constraint_error(problem: &Problem, x: &[Vec3]) -> f64 {
    let rows = problem.constraints.iter().zip(x.iter().zip(&problem.z));
    rows.map(|(constraint, (x, z))| ((Mat3::identity() - constraint.projection()) * (x - z)).amax()).fold(0.0, f64::max)
}

/// A sheet of 9 x 9 whose line u = 4 is held and moves; left of it nothing joins the lines v = 2 and v = 3, right of it nothing
/// is joined at all.
fn cut_sheet() -> Problem {
    const SIDE: usize = 9;
    let whole = hanging_sheet(SIDE);
    let edges = sheet_edges(SIDE);
    let mut matrix = BlockRows::new(BlockPattern::new(SIDE * SIDE, &edges));
    (0..SIDE * SIDE).for_each(|row| matrix.add_diagonal(row, whole.matrix.diagonal(row)));
    for (edge, &(i, j)) in edges.iter().enumerate() {
        let (right, crossing) = (i % SIDE > 4 && j % SIDE > 4, i / SIDE <= 2 && j / SIDE > 2);
        if !(right || crossing && i % SIDE < 4 && j % SIDE < 4) {
            let block = whole.matrix.above(i.min(j)).find(|&(column, _)| column == i.max(j)).map(|(_, block)| *block);
            let block = block.expect("a block for each edge");
            matrix.add_pair(edge, &if i < j { block } else { block.transpose() });
        }
    }
    let mut problem = Problem { matrix, ..whole };
    for v in 0..SIDE {
        problem.constraints[4 + v * SIDE] = Constraint::Fixed;
    }
    problem.constraints[0] = Constraint::Free;
    problem.constraints[SIDE - 1] = Constraint::Free;
    problem
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn the_solution_is_that_of_the_whole_system(problem in problem(1.0)) {
        let expected = solve_directly(&problem);
        for start in [Start::Original, Start::Corrected] {
            let settings = Settings { start, ..EXACTLY };
            for kind in KINDS {
                let (report, x) = solve(&problem, kind, &settings);
                prop_assert!(report.total.stop.is_solved() && report.unsolved == 0, "{start:?} {kind:?}: {report:?}");
                prop_assert!(report.total.residual <= 1e-26);
                let error = relative_difference(&x, &expected);
                prop_assert!(error <= 1e-10, "{start:?} {kind:?}: {error}");
                prop_assert!(constraint_error(&problem, &x) <= 1e-15, "{start:?} {kind:?}");
            }
        }
    }

    #[test]
    fn a_whole_that_does_not_come_apart_is_solved_to_the_bits_of_the_full_solver(problem in problem(1.0)) {
        // joined by a chain, nothing held, z = 0
        let rows = problem.rows();
        let edges: Vec<_> = (1..rows).map(|row| (row - 1, row)).collect();
        let mut matrix = BlockRows::new(BlockPattern::new(rows, &edges));
        (0..rows).for_each(|row| matrix.add_diagonal(row, &(problem.matrix.diagonal(row) + Mat3::identity())));
        (0..rows - 1).for_each(|edge| matrix.add_pair(edge, &(-0.4 * Mat3::identity())));
        let is_held = |constraint: &Constraint| constraint.ndof() == 0;
        let constraints = problem.constraints.iter().map(|c| if is_held(c) { Constraint::Free } else { *c }).collect();
        let problem = Problem { matrix, constraints, z: vec![Vec3::zeros(); rows], ..problem };
        for kind in KINDS {
            let ((decomposed, x), (whole, y)) = (solve(&problem, kind, &EXACTLY), solve_whole(&problem, kind, &EXACTLY));
            prop_assert_eq!((decomposed.components, decomposed.largest), (1, rows));
            prop_assert_eq!((decomposed.total, x), (whole, y), "{:?}", kind);
        }
    }
}

#[test]
fn a_sheet_in_many_components() {
    let problem = cut_sheet();
    let expected = solve_directly(&problem);
    for kind in KINDS {
        let mut solver = DecomposedCg::new(kind, Decompose::Serial);
        let (report, x) = solve_in(&mut solver, &problem, &EXACTLY);
        // left of the held line 3 x 4 and 6 x 4 rows, right of it 9 x 4 single ones
        assert_eq!((report.components, report.largest, report.unsolved), (38, 24, 0), "{kind:?}");
        assert_eq!((report.total.stop, report.shifts, report.breakdown), (SolveStop::Converged, 0, None));
        assert!(relative_difference(&x, &expected) < 1e-10, "{kind:?}");
        assert!(constraint_error(&problem, &x) <= 1e-15, "{kind:?}");
        let groups = solver.groups();
        assert_eq!(groups.iter().filter(|&&group| group == 0).count(), 9);
        assert_eq!((groups[0], groups[4], groups[5], groups[20], groups[27]), (1, 0, 2, 1, groups[28]));
        assert!(groups[27] != 1);
        // the held line moves, and both sides feel it
        let mut still = problem.clone();
        (0..9).for_each(|v| still.z[4 + 9 * v] = Vec3::zeros());
        let (_, unmoved) = solve_in(&mut solver, &still, &EXACTLY);
        assert!((unmoved[3] - x[3]).amax() > 1e-3 && (unmoved[5] - x[5]).amax() > 1e-3, "{kind:?}");
        assert!(relative_difference(&unmoved, &solve_directly(&still)) < 1e-10);
    }
}

#[test]
fn threads_change_no_bit() {
    let problem = cut_sheet();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().expect("a pool of threads");
    for kind in KINDS {
        // loose as well, where components stop early, and cut off
        for settings in [EXACTLY, Settings { tolerance_squared: 1e-4, ..EXACTLY }, Settings { iteration_limit: 3, ..EXACTLY }] {
            let serial = solve(&problem, kind, &settings);
            let mut threaded = DecomposedCg::new(kind, Decompose::Threaded);
            for _ in 0..3 {
                let solved = pool.install(|| solve_in(&mut threaded, &problem, &settings));
                assert_eq!(solved, serial, "{kind:?}");
            }
        }
    }
}

#[test]
fn a_component_of_one_row_takes_one_iteration() {
    let mut problem = hanging_sheet(6);
    let diagonal: Vec<Mat3> = (0..36).map(|row| *problem.matrix.diagonal(row)).collect();
    problem.matrix.clear(); // the pattern stays, but nothing is joined
    diagonal.iter().enumerate().for_each(|(row, block)| problem.matrix.add_diagonal(row, block));
    problem.guess.fill(Vec3::zeros());
    for kind in [CP, PreconditionerKind::Triangular(&Ssor::ENTRY), PreconditionerKind::Triangular(&IncompleteCholesky::ENTRY)] {
        let (report, x) = solve(&problem, kind, &Settings { tolerance_squared: 1e-20, ..EXACTLY });
        assert_eq!((report.components, report.largest, report.total.stop), (34, 1, SolveStop::Converged), "{kind:?}");
        assert_eq!(report.total.iterations, 34, "{kind:?}");
        assert!(relative_difference(&x, &solve_directly(&problem)) < 1e-13);
    }
    let more = solve(&problem, PreconditionerKind::None, &EXACTLY).0.total.iterations;
    assert!(more > 60, "without 3x3 blocks it takes more: {more}");
}

#[test]
fn no_row_that_moves() {
    let mut held = hanging_sheet(4);
    held.constraints.fill(Constraint::Fixed);
    held.b.fill(Vec3::repeat(f64::NAN)); // nobody's business
    let mut solver = DecomposedCg::new(CP, Decompose::Serial);
    let (report, x) = solve_in(&mut solver, &held, &EXACTLY);
    assert_eq!((report.components, report.largest, report.unsolved), (0, 0, 0));
    assert_eq!((report.total.stop, report.total.iterations, report.total.row_vector_count), (SolveStop::ZeroRightSide, 0, 0));
    assert_eq!(x, held.z);
    assert_eq!(solver.groups(), [0; 16]);
    held.z[3].y = f64::NAN;
    assert_eq!(solve_in(&mut solver, &held, &EXACTLY).0.total.stop, SolveStop::NotFinite);
    let empty = Problem::free(BlockRows::new(BlockPattern::new(0, &[])), Vec::new());
    assert_eq!(solve_in(&mut solver, &empty, &EXACTLY).0.total.stop, SolveStop::ZeroRightSide);
}

#[test]
fn a_component_at_its_limit_is_reported_and_the_others_are_solved() {
    let problem = cut_sheet();
    let (solved, expected) = solve(&problem, CP, &EXACTLY);
    let (report, x) = solve(&problem, CP, &Settings { iteration_limit: 5, ..EXACTLY });
    assert_eq!((report.total.stop, report.unsolved, report.components), (SolveStop::IterationLimit, 2, 38));
    assert!(report.total.residual > solved.total.residual);
    for (row, (x, expected)) in x.iter().zip(&expected).enumerate() {
        assert_eq!(x == expected, row % 9 >= 4, "row {row}: the single ones, and they to the bit");
    }
    assert!(constraint_error(&problem, &x) <= 1e-15);
}

#[test]
fn what_went_wrong_in_one_component_is_reported_for_all() {
    let sound = cut_sheet();
    let expected = solve(&sound, CP, &EXACTLY).1;
    let spoilt = |row: usize, block: Mat3| {
        let mut problem = sound.clone();
        problem.matrix.add_diagonal(row, &block);
        problem
    };
    let negative = spoilt(33, -1e4 * Mat3::identity());
    let nan = spoilt(33, Mat3::from_element(f64::NAN));
    for kind in KINDS {
        let (report, x) = solve(&negative, kind, &EXACTLY);
        assert_eq!((report.total.stop, report.unsolved), (SolveStop::NotPositiveDefinite, 1), "{kind:?}");
        let expected_breakdown = (kind != PreconditionerKind::None).then_some(Breakdown::NotPositiveDefinite { row: 33 });
        assert_eq!(report.breakdown, expected_breakdown, "{kind:?}");
        assert_eq!(x[0] == expected[0], kind == CP, "other components are solved as before");
        let (report, x) = solve(&nan, kind, &EXACTLY);
        assert_eq!((report.total.stop, report.unsolved), (SolveStop::NotFinite, 1), "{kind:?}");
        assert!(report.total.residual.is_nan() && x[0].x.is_finite(), "{kind:?}");
    }
}

#[test]
fn row_vector_counts_by_hand() {
    // 0 - 1 - 2 - 3 - 4, 2 held, and 5 alone: two pairs and a single row
    let edges = [(0, 1), (1, 2), (2, 3), (3, 4)];
    let mut matrix = BlockRows::new(BlockPattern::new(6, &edges));
    (0..6).for_each(|row| matrix.add_diagonal(row, &Mat3::identity()));
    crate::systems::add_springs(&mut matrix, &edges, |_| Mat3::identity());
    let mut problem = Problem::free(matrix, vec![Vec3::x(); 6]);
    problem.constraints[2] = Constraint::Fixed;
    let counts = |problem: &Problem, start| {
        let report = solve(problem, PreconditionerKind::None, &Settings { start, ..EXACTLY }).0;
        assert_eq!((report.total.stop, report.components, report.largest), (SolveStop::Converged, 3, 2));
        assert_eq!(report.total.row_vector_count, report.total.row_vector_count_free);
        (report.total.iterations, report.total.products, report.total.row_vector_count)
    };
    // a pair has two eigenvalues: two iterations of two rows each; the single row one of one
    assert_eq!(counts(&problem, Start::Corrected), (5, 5, 9));
    problem.guess[0] = Vec3::x();
    assert_eq!(counts(&problem, Start::Corrected), (5, 6, 11), "A S x_prev, in the first pair");
    assert_eq!(counts(&problem, Start::Original), (5, 5, 9));
    problem.z[2] = Vec3::x();
    assert_eq!(counts(&problem, Start::Corrected), (5, 7, 16), "A (I - S) z, in all rows that are not held");
    // the whole system multiplies all rows, and needs as many iterations as there are eigenvalues
    let whole = solve_whole(&problem, PreconditionerKind::None, &EXACTLY).0;
    assert_eq!((whole.iterations, whole.products, whole.row_vector_count, whole.row_vector_count_free), (3, 5, 30, 25));
}

#[test]
fn each_component_meets_its_own_stopping_rule() {
    // a stiff pair under a large load, a soft one under a small one: as a whole, the small one would not be touched
    let edges = [(0, 1), (2, 3)];
    let mut matrix = BlockRows::new(BlockPattern::new(4, &edges));
    (0..4).for_each(|row| matrix.add_diagonal(row, &Mat3::identity()));
    crate::systems::add_springs(&mut matrix, &edges, |edge| [10.0, 0.5][edge] * Mat3::identity());
    let problem = Problem::free(matrix, vec![1e3 * Vec3::x(), Vec3::zeros(), 1e-3 * Vec3::x(), Vec3::zeros()]);
    let loose = Settings { tolerance_squared: 1e-6, ..EXACTLY };
    let error = |x: &[Vec3]| relative_difference(&x[2..], &solve_directly(&problem)[2..]);
    let ((report, decomposed), (_, whole)) =
        (solve(&problem, PreconditionerKind::None, &loose), solve_whole(&problem, PreconditionerKind::None, &loose));
    assert!(report.total.stop.is_solved() && error(&decomposed) < 1e-3, "{}", error(&decomposed));
    assert!(error(&whole) > 0.1, "{}", error(&whole));
}

#[test]
fn a_used_solver_gives_the_bits_of_a_fresh_one() {
    let (large, small, cut) = (hanging_sheet(6), hanging_sheet(4), cut_sheet());
    let mut spoilt = large.clone();
    spoilt.b[20] = Vec3::repeat(f64::NAN);
    for kind in KINDS {
        let mut solver = DecomposedCg::new(kind, Decompose::Serial);
        for problem in [&small, &cut, &large, &spoilt, &small, &cut] {
            let (report, x) = solve_in(&mut solver, problem, &EXACTLY);
            let (fresh, expected) = solve(problem, kind, &EXACTLY);
            if std::ptr::eq(problem, &spoilt) {
                assert_eq!(report.total.stop, SolveStop::NotFinite);
            } else {
                assert_eq!((report, x), (fresh, expected), "{kind:?}");
            }
        }
    }
}

#[test]
#[should_panic(expected = "rows of x")]
fn a_solution_of_another_length_is_refused() {
    let problem = hanging_sheet(4);
    DecomposedCg::new(CP, Decompose::Serial).solve(&problem.system(), &mut [Vec3::zeros(); 15], &EXACTLY);
}
