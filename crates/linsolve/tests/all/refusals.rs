//! What solvers report and refuse.

use crate::systems::solving::{NONE, STARTS, block_diagonal, constraint_error, exactly, solve, solve_directly};
use crate::systems::{Problem, hanging_sheet, relative_difference};
use linsolve::{
    BlockPattern, BlockRows, Breakdown, ConstrainedSystem, Constraint, Identity, Mat3, Preconditioner, ProjectedCg, Settings,
    SolveStop, SparseCholesky, Start, Vec3,
};

#[test]
fn an_indefinite_matrix_is_reported() {
    let mut problem = hanging_sheet(4);
    problem.matrix.add_diagonal(9, &(-1e3 * Mat3::identity()));
    for start in STARTS {
        let (report, x) = solve(&problem, NONE, &exactly(start));
        assert_eq!(report.stop, SolveStop::NotPositiveDefinite, "{start:?}");
        assert!(!report.stop.is_solved() && report.products >= report.iterations + 2, "{start:?}: {report:?}");
        assert!(constraint_error(&problem, &x) <= 1e-15, "{start:?}");
    }
    let mut x = vec![Vec3::zeros(); 16];
    let broken = SparseCholesky::new(problem.matrix.pattern()).solve(&problem.system(), &mut x);
    assert!(matches!(broken, Err(Breakdown::NotPositiveDefinite { .. })), "{broken:?}");
    // as long as the bad row is held, neither sees it
    problem.constraints[9] = Constraint::Fixed;
    let (report, x) = solve(&problem, NONE, &exactly(Start::Corrected));
    assert_eq!(report.stop, SolveStop::Converged);
    assert!(relative_difference(&x, &solve_directly(&problem)) < 1e-10);
}

#[test]
fn the_row_of_a_bad_pivot_is_named() {
    let sound = hanging_sheet(4);
    let mut cholesky = SparseCholesky::new(sound.matrix.pattern());
    for row in 0..16 {
        let mut problem = Problem { constraints: vec![Constraint::Free; 16], ..sound.clone() };
        problem.matrix.add_diagonal(row, &Mat3::from_diagonal(&Vec3::new(0.0, -1e4, 0.0)));
        let broken = cholesky.solve(&problem.system(), &mut problem.guess.clone());
        assert_eq!(broken, Err(Breakdown::NotPositiveDefinite { row }));
    }
}

#[test]
fn a_preconditioner_that_is_not_positive_is_reported() {
    struct Negative;
    impl Preconditioner for Negative {
        fn apply(&self, r: &[Vec3], h: &mut [Vec3]) {
            for (r, h) in r.iter().zip(h) {
                *h = -r;
            }
        }
    }
    let problem = hanging_sheet(4);
    let mut x = problem.guess.clone();
    let report = ProjectedCg::new(16).solve(&problem.system(), &mut x, &Negative, &exactly(Start::Corrected));
    assert_eq!((report.stop, report.iterations), (SolveStop::NotPositiveDefinite, 0));
}

#[test]
fn singular_matrices() {
    // a loose chain: solvable, as nothing pulls it away, and then not
    let edges = [(0, 1), (1, 2), (2, 3)];
    let mut matrix = BlockRows::new(BlockPattern::new(4, &edges));
    crate::systems::add_springs(&mut matrix, &edges, |_| Mat3::identity());
    let pulled = vec![Vec3::x(), Vec3::zeros(), Vec3::zeros(), -Vec3::x()];
    let mut chain = Problem::free(matrix, pulled);
    let (report, x) = solve(&chain, NONE, &exactly(Start::Corrected));
    assert_eq!(report.stop, SolveStop::Converged);
    let expected = [1.5, 0.5, -0.5, -1.5].map(|x| x * Vec3::x());
    assert!(relative_difference(&x, &expected) < 1e-14);

    // curvature exactly zero after the first iteration: p = b, pᵀ A p = 2, then r = (-1/2, -1/2, 1), p = (0, 0, 3/2)
    let flat = block_diagonal(&[Mat3::from_diagonal(&Vec3::new(1.0, 1.0, 0.0))]);
    let problem = Problem::free(flat, vec![Vec3::repeat(1.0)]);
    let (report, x) = solve(&problem, NONE, &exactly(Start::Corrected));
    assert_eq!((report.stop, report.iterations, report.products), (SolveStop::NotPositiveDefinite, 1, 2));
    assert_eq!((report.residual, x), (0.5, vec![Vec3::repeat(1.5)]));
    let mut x = vec![Vec3::zeros()];
    let broken = SparseCholesky::new(problem.matrix.pattern()).solve(&problem.system(), &mut x);
    assert_eq!(broken, Err(Breakdown::NotPositiveDefinite { row: 0 }));

    // pushed along its kernel the chain never gives a solution
    chain.b.fill(Vec3::x());
    let (report, _) = solve(&chain, NONE, &exactly(Start::Corrected));
    assert!(!report.stop.is_solved(), "{report:?}");
}

#[test]
fn what_is_not_a_number_is_reported() {
    let sound = hanging_sheet(4);
    let spoilt = |spoil: &dyn Fn(&mut Problem)| {
        let mut problem = sound.clone();
        spoil(&mut problem);
        problem
    };
    let nan = Mat3::from_element(f64::NAN);
    let in_the_matrix = [
        spoilt(&|problem| problem.matrix.add_diagonal(6, &nan)),
        spoilt(&|problem| problem.matrix.add_pair(5, &nan)),
        spoilt(&|problem| problem.matrix.add_diagonal(6, &Mat3::from_diagonal_element(f64::INFINITY))),
    ];
    let in_the_vectors = [
        spoilt(&|problem| problem.b[7].y = f64::NAN),
        spoilt(&|problem| problem.b[7].y = f64::NEG_INFINITY),
        spoilt(&|problem| problem.z[0].x = f64::NAN),
        spoilt(&|problem| problem.b[7].y = 1e200), // its square overflows
    ];
    for problem in in_the_matrix.iter().chain(&in_the_vectors) {
        for start in STARTS {
            let (report, _) = solve(problem, NONE, &exactly(start));
            assert_eq!(report.stop, SolveStop::NotFinite, "{start:?}: {report:?}");
        }
    }
    for problem in in_the_matrix.iter().chain(&in_the_vectors[..3]) {
        let mut x = sound.guess.clone();
        let broken = SparseCholesky::new(problem.matrix.pattern()).solve(&problem.system(), &mut x);
        assert!(matches!(broken, Err(Breakdown::NotFinite { .. })), "{broken:?}");
    }
    let guess = spoilt(&|problem| problem.guess[8].z = f64::NAN);
    assert_eq!(solve(&guess, NONE, &exactly(Start::Corrected)).0.stop, SolveStop::NotFinite);
    // a fixed row that touches nothing still ends up in x
    let mut alone = Problem::free(block_diagonal(&[Mat3::identity(); 2]), vec![Vec3::x(); 2]);
    alone.constraints[1] = Constraint::Fixed;
    alone.z[1].y = f64::NAN;
    assert_eq!(solve(&alone, NONE, &exactly(Start::Corrected)).0.stop, SolveStop::NotFinite);
    // pᵀ A p overflows, though nothing else does
    let large = Problem::free(block_diagonal(&[1e20 * Mat3::identity()]), vec![1e150 * Vec3::x()]);
    let report = solve(&large, NONE, &exactly(Start::Corrected)).0;
    assert_eq!((report.stop, report.iterations), (SolveStop::NotFinite, 0));
    // and the force on a fixed row is nobody's business
    let held = spoilt(&|problem| problem.b[0].x = f64::NAN);
    assert_eq!(solve(&held, NONE, &exactly(Start::Corrected)), solve(&sound, NONE, &exactly(Start::Corrected)));
}

#[test]
fn the_iteration_limit() {
    let problem = hanging_sheet(6);
    for start in STARTS {
        let needed = solve(&problem, NONE, &exactly(start)).0;
        let mut last = f64::INFINITY;
        for iteration_limit in [0, 5, needed.iterations - 1] {
            let (report, x) = solve(&problem, NONE, &Settings { iteration_limit, ..exactly(start) });
            assert_eq!((report.stop, report.iterations), (SolveStop::IterationLimit, iteration_limit), "{start:?}");
            assert!(report.residual > 1e-26 && report.residual < last, "{start:?}: the residual is that of the last iterate");
            last = report.residual;
            assert!(constraint_error(&problem, &x) <= 1e-15, "{start:?}");
        }
        let enough = Settings { iteration_limit: needed.iterations, ..exactly(start) };
        assert_eq!(solve(&problem, NONE, &enough).0, needed, "{start:?}");
    }
    // a tolerance that cannot be met ends too
    let tolerance_squared = f64::NAN;
    let settings = Settings { tolerance_squared, error: None, iteration_limit: 20, start: Start::Corrected };
    assert_eq!(solve(&problem, NONE, &settings).0.stop, SolveStop::IterationLimit);
}

#[test]
#[should_panic(expected = "another pattern")]
fn a_matrix_of_another_pattern_is_refused() {
    let problem = hanging_sheet(4);
    let mut x = problem.guess.clone();
    let _ = SparseCholesky::new(&BlockPattern::new(16, &[(0, 1)])).solve(&problem.system(), &mut x);
}

#[test]
#[should_panic(expected = "a system of 16 rows in a workspace of 15")]
fn a_workspace_that_is_too_small_is_refused() {
    let problem = hanging_sheet(4);
    let mut x = problem.guess.clone();
    ProjectedCg::new(15).solve(&problem.system(), &mut x, &Identity, &exactly(Start::Corrected));
}

#[test]
#[should_panic(expected = "rows of b, of the constraints and of z, in a system of 16")]
fn a_right_side_of_another_length_is_refused() {
    let problem = hanging_sheet(4);
    let system = ConstrainedSystem { b: &problem.b[1..], ..problem.system() };
    ProjectedCg::new(16).solve(&system, &mut problem.guess.clone(), &Identity, &exactly(Start::Corrected));
}
