//! Constrained incomplete Cholesky and SSOR, against their formulas as dense matrices.

use crate::systems::solving::inverse;
use crate::systems::{
    Problem, dense, dense_projected, dense_projection, dense_ssor, hanging_sheet, problem, relative_difference,
};
use linsolve::{
    AnyPreconditioner, BlockPattern, BlockRows, Breakdown, Constraint, DiagonalKind, IncompleteCholesky, Mat3, Preconditioner,
    PreconditionerKind, ProjectedCg, Settings, SolveStop, SparseCholesky, Ssor, Start, Vec3,
};
use nalgebra::DMatrix;
use proptest::prelude::*;

const BOTH: [PreconditionerKind; 2] =
    [PreconditionerKind::Triangular(&Ssor::ENTRY), PreconditionerKind::Triangular(&IncompleteCholesky::ENTRY)];

/// The preconditioner of a problem, and how many shifts it took.
fn factored(problem: &Problem, kind: PreconditionerKind) -> (AnyPreconditioner, usize) {
    let mut preconditioner = AnyPreconditioner::new(kind);
    let shifts = preconditioner.factor(&problem.matrix, &problem.constraints).expect("a positive definite matrix");
    (preconditioner, shifts)
}

/// Iterations of a solve from zero.
fn iterations(problem: &Problem, kind: PreconditionerKind) -> usize {
    let settings = Settings { start: Start::Corrected, tolerance_squared: 1e-20, error: None, iteration_limit: 1000 };
    let mut x = vec![Vec3::zeros(); problem.rows()];
    let (preconditioner, _) = factored(problem, kind);
    let report = ProjectedCg::new(problem.rows()).solve(&problem.system(), &mut x, &preconditioner, &settings);
    assert!(report.stop.is_solved(), "{report:?}");
    let mut expected = x.clone();
    SparseCholesky::new(problem.matrix.pattern()).solve(&problem.system(), &mut expected).expect("a positive definite matrix");
    assert!(relative_difference(&x, &expected) < 1e-8);
    report.iterations
}

/// The problem without its couplings.
fn uncoupled(problem: &Problem) -> Problem {
    let mut matrix = BlockRows::new(BlockPattern::new(problem.rows(), &[]));
    for row in 0..problem.rows() {
        matrix.add_diagonal(row, problem.matrix.diagonal(row));
    }
    Problem { matrix, ..problem.clone() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn both_are_symmetric_positive_definite_on_the_range(problem in problem(1.0)) {
        let s = dense_projection(&problem.constraints);
        for kind in BOTH {
            let inverse = inverse(&factored(&problem, kind).0, problem.rows());
            let size = inverse.amax();
            prop_assert!((&inverse - inverse.transpose()).amax() < 1e-12 * size, "{kind:?}");
            prop_assert!((&s * &inverse - &inverse * &s).amax() < 1e-12 * size, "{kind:?}: S P⁻¹ = P⁻¹ S");
            let smallest = inverse.symmetric_eigenvalues().min();
            prop_assert!(smallest > 1e-4, "{kind:?}: the smallest eigenvalue is {smallest}");
        }
    }

    #[test]
    fn ssor_is_its_formula(problem in problem(1.0), omega in 0.2..1.8) {
        let mut ssor = Ssor::new(omega);
        ssor.factor(&problem.matrix, &problem.constraints)?;
        let p = dense_ssor(&problem, omega);
        // eigenvalues of P may be large, those of its inverse not
        let product = inverse(&ssor, problem.rows()) * p;
        prop_assert!((&product - DMatrix::identity(product.nrows(), product.nrows())).amax() < 1e-9);
    }

    #[test]
    fn incomplete_cholesky_is_the_matrix_wherever_that_has_a_block(problem in problem(1.0)) {
        let (factor, shifts) = factored(&problem, PreconditionerKind::Triangular(&IncompleteCholesky::ENTRY));
        prop_assume!(shifts == 0);
        let (p, a) = (inverse(&factor, problem.rows()).try_inverse().expect("regular"), dense_projected(&problem));
        let size = a.amax();
        for i in 0..problem.rows() {
            for j in 0..problem.rows() {
                let block = a.fixed_view::<3, 3>(3 * i, 3 * j);
                if block.amax() > 0.0 {
                    prop_assert!((p.fixed_view::<3, 3>(3 * i, 3 * j) - block).amax() < 1e-9 * size, "block ({i}, {j})");
                }
            }
        }
    }

    #[test]
    fn both_solve_a_matrix_of_blocks_in_one_iteration(problem in problem(1.0)) {
        let uncoupled = uncoupled(&problem);
        for kind in BOTH {
            prop_assert!(iterations(&uncoupled, kind) <= 1, "{kind:?}");
        }
    }

    #[test]
    fn fully_constrained_rows_take_no_part(problem in problem(1.0), fixed in 0..2_usize) {
        // whatever stands in them, P is the same on the others
        let mut problem = problem;
        problem.constraints[fixed] = Constraint::Fixed;
        let mut heavy = problem.clone();
        heavy.matrix.add_diagonal(fixed, &(1e6 * Mat3::identity()));
        for kind in BOTH {
            let [light, heavy] = [&problem, &heavy].map(|problem| inverse(&factored(problem, kind).0, problem.rows()));
            prop_assert_eq!(&light, &heavy);
            prop_assert_eq!(light.view((3 * fixed, 3 * fixed), (3, 3)).into_owned(), DMatrix::identity(3, 3));
        }
    }
}

#[test]
fn incomplete_cholesky_of_a_chain_is_complete() {
    let edges: Vec<_> = (0..9).map(|row| (row + 1, row)).collect();
    let mut matrix = BlockRows::new(BlockPattern::new(10, &edges));
    for row in 0..10 {
        matrix.add_diagonal(row, &Mat3::identity());
    }
    crate::systems::add_springs(&mut matrix, &edges, |edge| {
        let d = Vec3::new(1.0, 0.3 * edge as f64, -0.5);
        5.0 * d * d.transpose() + Mat3::identity()
    });
    let mut chain = Problem::free(matrix, hanging_sheet(4).b[..10].to_vec());
    chain.constraints[4] = Constraint::plane(Vec3::new(1.0, 2.0, 3.0)).unwrap();
    chain.constraints[7] = Constraint::line(Vec3::x(), Vec3::y()).unwrap();
    assert_eq!(iterations(&chain, PreconditionerKind::Triangular(&IncompleteCholesky::ENTRY)), 1);
    assert!(iterations(&chain, PreconditionerKind::Triangular(&Ssor::ENTRY)) > 5);
    chain.constraints[2] = Constraint::Fixed;
    assert_eq!(iterations(&chain, PreconditionerKind::Triangular(&IncompleteCholesky::ENTRY)), 1);
}

/// The positive definite matrix [3 -2 0 2; -2 3 -2 0; 0 -2 3 -2; 2 0 -2 3] of Kershaw 1978, each entry times a block.
fn kershaw() -> Problem {
    let mut matrix = BlockRows::new(BlockPattern::new(4, &[(0, 1), (1, 2), (2, 3), (0, 3)]));
    let block = Mat3::new(1.0, 0.1, 0.0, 0.1, 1.0, 0.2, 0.0, 0.2, 1.0);
    for row in 0..4 {
        matrix.add_diagonal(row, &(3.0 * block));
    }
    for (edge, entry) in [-2.0, -2.0, -2.0, 2.0].into_iter().enumerate() {
        matrix.add_pair(edge, &(entry * block));
    }
    Problem::free(matrix, vec![Vec3::x(), Vec3::y(), Vec3::z(), Vec3::repeat(1.0)])
}

#[test]
fn a_breakdown_is_shifted_until_there_is_none() {
    let problem = kershaw();
    assert!(dense(&problem.matrix).cholesky().is_some(), "positive definite");
    // by hand, with d = 3 (1 + sigma): the pivots are d, d - 4 / d, d - 4 / d2, d - 4 / d - 4 / d3
    let last_pivot = |sigma: f64| {
        let d = 3.0 * (1.0 + sigma);
        let d2 = d - 4.0 / d;
        d - 4.0 / d - 4.0 / (d - 4.0 / d2)
    };
    assert!(last_pivot(0.0) < 0.0 && last_pivot(0.128) < 0.0 && last_pivot(0.256) > 0.0);
    let (_, shifts) = factored(&problem, PreconditionerKind::Triangular(&IncompleteCholesky::ENTRY));
    assert_eq!(shifts, 9, "0.001 doubled eight times is 0.256");
    // the eigenvalues are 3 - 2 sqrt(2) and 3 + 2 sqrt(2): two iterations, which a preconditioner that mixes them does not keep
    let a_block = PreconditionerKind::BlockDiagonal(DiagonalKind::ABlock);
    assert_eq!([a_block, BOTH[0], BOTH[1]].map(|kind| iterations(&problem, kind)), [2, 4, 4]);
    // held at one row the ring is a chain, whose elimination fills nothing unless it begins in the middle
    for row in [0, 1, 3] {
        let mut held = problem.clone();
        held.constraints[row] = Constraint::Fixed;
        assert_eq!(factored(&held, PreconditionerKind::Triangular(&IncompleteCholesky::ENTRY)).1, 0);
        assert_eq!(iterations(&held, PreconditionerKind::Triangular(&IncompleteCholesky::ENTRY)), 1);
    }
}

#[test]
fn matrices_without_a_factorisation_are_reported_and_leave_the_identity() {
    let sound = hanging_sheet(4);
    let spoilt = |spoil: &dyn Fn(&mut BlockRows)| {
        let mut matrix = sound.matrix.clone();
        spoil(&mut matrix);
        matrix
    };
    let negative = spoilt(&|matrix| matrix.add_diagonal(6, &(-1e3 * Mat3::identity())));
    let nan = spoilt(&|matrix| matrix.add_pair(5, &Mat3::from_element(f64::NAN)));
    let infinite = spoilt(&|matrix| matrix.add_diagonal(9, &Mat3::from_diagonal_element(f64::INFINITY)));
    let first = (0..16).find(|&row| nan.filled_above(row).any(|(_, block)| block.m11.is_nan())).unwrap();
    let free = [Constraint::Free; 16];
    for (matrix, broken) in [
        (negative, Breakdown::NotPositiveDefinite { row: 6 }),
        (nan, Breakdown::NotFinite { row: first }),
        (infinite, Breakdown::NotFinite { row: 9 }),
    ] {
        for kind in BOTH {
            let mut preconditioner = factored(&sound, kind).0;
            assert_eq!(preconditioner.factor(&matrix, &free), Err(broken), "{kind:?}");
            assert_eq!(inverse(&preconditioner, 16), DMatrix::identity(48, 48), "{kind:?}");
            // and the next matrix is factored as if nothing had been
            preconditioner.factor(&sound.matrix, &sound.constraints).unwrap();
            assert_eq!(inverse(&preconditioner, 16), inverse(&factored(&sound, kind).0, 16), "{kind:?}");
        }
    }
    // beyond what shifts can do
    let mut matrix = BlockRows::new(BlockPattern::new(2, &[(0, 1)]));
    matrix.add_diagonal(0, &Mat3::identity());
    matrix.add_diagonal(1, &Mat3::identity());
    matrix.add_pair(0, &(1e6 * Mat3::identity()));
    let broken = AnyPreconditioner::new(PreconditionerKind::Triangular(&IncompleteCholesky::ENTRY)).factor(&matrix, &free[..2]);
    assert_eq!(broken, Err(Breakdown::NotPositiveDefinite { row: 1 }));
    // a fixed row may hold anything
    let mut constraints = sound.constraints.clone();
    constraints[6] = Constraint::Fixed;
    for kind in BOTH {
        let matrix = spoilt(&|matrix| matrix.add_diagonal(6, &Mat3::from_element(f64::NAN)));
        assert_eq!(AnyPreconditioner::new(kind).factor(&matrix, &constraints), Ok(0), "{kind:?}");
    }
}

#[test]
fn an_indefinite_matrix_that_can_be_factored_is_still_reported_by_the_solver() {
    let mut matrix = BlockRows::new(BlockPattern::new(2, &[(0, 1)]));
    matrix.add_diagonal(0, &Mat3::identity());
    matrix.add_diagonal(1, &Mat3::identity());
    matrix.add_pair(0, &(2.0 * Mat3::identity()));
    let problem = Problem::free(matrix, vec![Vec3::x(), -Vec3::x()]);
    let settings = Settings { start: Start::Corrected, tolerance_squared: 1e-20, error: None, iteration_limit: 10 };
    for kind in BOTH {
        let (preconditioner, shifts) = factored(&problem, kind);
        assert_eq!(shifts > 0, kind == PreconditionerKind::Triangular(&IncompleteCholesky::ENTRY));
        let mut x = vec![Vec3::zeros(); 2];
        let report = ProjectedCg::new(2).solve(&problem.system(), &mut x, &preconditioner, &settings);
        assert_eq!(report.stop, SolveStop::NotPositiveDefinite, "{kind:?}");
    }
}

#[test]
#[should_panic(expected = "omega = 2 is not between 0 and 2")]
fn a_relaxation_that_diverges_is_refused() {
    Ssor::new(2.0);
}

#[test]
#[should_panic(expected = "that are factored")]
fn they_must_be_factored_first() {
    Ssor::default().apply(&[Vec3::x()], &mut [Vec3::x()]);
}
