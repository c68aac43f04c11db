//! Additive Schwarz against its formula as a dense matrix.

use crate::systems::solving::{CP, constraint_error, exactly, inverse, solve, solve_directly};
use crate::systems::{
    Problem, add_springs, dense_projected, dense_projection, hanging_sheet, problem, relative_difference, sheet_edges,
};
use linsolve::{
    AnyPreconditioner, BlockPattern, BlockRows, Breakdown, Constraint, Decompose, DecomposedCg, Mat3, Operator, Parts,
    Preconditioner, PreconditionerKind, Schwarz, Settings, SolveStop, Start, Vec3,
};
use nalgebra::DMatrix;
use proptest::prelude::*;

const WHOLE: Parts = Parts { rows: Parts::MOST_ROWS, overlap: 0, coarse: false };

fn factored(problem: &Problem, parts: Parts) -> Schwarz {
    let mut schwarz = Schwarz::new(parts);
    schwarz.factor(&problem.matrix, &problem.constraints).expect("a positive definite matrix");
    schwarz
}

/// Rᵀ (R A Rᵀ)⁻¹ R for some rows of a matrix of scalars.
fn of_part(a: &DMatrix<f64>, rows: &[usize]) -> DMatrix<f64> {
    let unknowns: Vec<usize> = rows.iter().flat_map(|row| 3 * row..3 * row + 3).collect();
    let part = a.select_rows(&unknowns).select_columns(&unknowns).try_inverse().expect("a regular part");
    let mut whole = DMatrix::zeros(a.nrows(), a.nrows());
    for (i, &row) in unknowns.iter().enumerate() {
        for (j, &column) in unknowns.iter().enumerate() {
            whole[(row, column)] = part[(i, j)];
        }
    }
    whole
}

/// A chain whose links are masses and springs of one.
fn chain(rows: usize) -> Problem {
    let edges: Vec<_> = (1..rows).map(|row| (row - 1, row)).collect();
    let mut matrix = BlockRows::new(BlockPattern::new(rows, &edges));
    (0..rows).for_each(|row| matrix.add_diagonal(row, &Mat3::identity()));
    add_springs(&mut matrix, &edges, |edge| (1.0 + edge as f64) * Mat3::identity());
    Problem::free(matrix, vec![Vec3::x(); rows])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn it_is_symmetric_positive_definite_on_the_range(
        problem in problem(1.0), rows in 1..6_usize, overlap in 0..3_usize, coarse in any::<bool>(),
    ) {
        let schwarz = factored(&problem, Parts { rows, overlap, coarse });
        let inverse = inverse(&schwarz, problem.rows());
        let (s, size) = (dense_projection(&problem.constraints), inverse.amax());
        prop_assert!((&inverse - inverse.transpose()).amax() < 1e-12 * size);
        prop_assert!(coarse || (&s * &inverse - &inverse * &s).amax() < 1e-12 * size, "S P⁻¹ = P⁻¹ S");
        // (R A Rᵀ)⁻¹ is no smaller than R A⁻¹ Rᵀ: no eigenvalue of P⁻¹ A lies below that of one part alone
        let smallest = inverse.symmetric_eigenvalues().min();
        let largest = dense_projected(&problem).symmetric_eigenvalues().max();
        prop_assert!(smallest > 0.99 / largest, "the smallest eigenvalue is {smallest}, the largest of A {largest}");
    }

    #[test]
    fn one_part_is_the_inverse(problem in problem(1.0)) {
        let schwarz = factored(&problem, WHOLE);
        let product = inverse(&schwarz, problem.rows()) * dense_projected(&problem);
        let fixed = problem.constraints.iter().all(|constraint| constraint.ndof() == 0);
        prop_assert_eq!(schwarz.part_count(), usize::from(!fixed));
        prop_assert!((&product - DMatrix::identity(product.nrows(), product.nrows())).amax() < 1e-9);
    }

    #[test]
    fn parts_of_one_row_are_the_constrained_blocks(problem in problem(1.0)) {
        let found = inverse(&factored(&problem, Parts { rows: 1, overlap: 0, coarse: false }), problem.rows());
        let mut blocks = AnyPreconditioner::new(CP);
        blocks.factor(&problem.matrix, &problem.constraints)?;
        let expected = inverse(&blocks, problem.rows());
        prop_assert!((&found - &expected).amax() < 1e-12 * expected.amax());
    }

    #[test]
    fn what_stands_in_fixed_rows_does_not_matter(problem in problem(1.0), fixed in 0..2_usize) {
        let mut problem = problem;
        problem.constraints[fixed] = Constraint::Fixed;
        let mut heavy = problem.clone();
        heavy.matrix.add_diagonal(fixed, &(1e6 * Mat3::identity()));
        let parts = Parts { rows: 3, overlap: 1, coarse: false };
        let [light, heavy] = [&problem, &heavy].map(|problem| inverse(&factored(problem, parts), problem.rows()));
        prop_assert_eq!(&light, &heavy);
        prop_assert_eq!(light.view((3 * fixed, 3 * fixed), (3, 3)).into_owned(), DMatrix::identity(3, 3));
    }
}

#[test]
fn a_chain_in_two_halves_by_its_formula() {
    let problem = chain(8);
    let a = dense_projected(&problem);
    let halves = |first: usize, second: usize| -> DMatrix<f64> {
        of_part(&a, &(0..first).collect::<Vec<_>>()) + of_part(&a, &(second..8).collect::<Vec<_>>())
    };
    for (overlap, expected) in [(0, halves(4, 4)), (1, halves(5, 3)), (2, halves(6, 2))] {
        let schwarz = factored(&problem, Parts { rows: 4, overlap, coarse: false });
        assert_eq!(schwarz.part_count(), 2);
        assert!((inverse(&schwarz, 8) - expected).amax() < 1e-14, "{overlap}");
        // a row of blocks has one of nine numbers before its diagonal, but for the first one of a part, and six on it
        let rows = 2 * (4 + overlap);
        assert_eq!(schwarz.factor_entries(), 6 * rows + 9 * (rows - 2), "{overlap}");
        assert_eq!(schwarz.factor_operations(), ((16 + 25 + 36) * (rows - 2) + 2 * (1 + 4 + 9)) as u64, "{overlap}");
    }
}

#[test]
fn a_coarse_level_moves_each_part_as_a_whole() {
    let problem = chain(8);
    let a = dense_projected(&problem);
    // R_0 sums rows 0 to 3 and rows 4 to 7
    let whole = DMatrix::from_fn(6, 24, |cell, unknown| f64::from(u8::from(cell == unknown / 12 * 3 + unknown % 3)));
    let coarse = whole.transpose() * (&whole * &a * whole.transpose()).try_inverse().expect("a regular level") * &whole;
    let expected = of_part(&a, &[0, 1, 2, 3, 4]) + of_part(&a, &[3, 4, 5, 6, 7]) + coarse;
    let [one, two] = [false, true].map(|coarse| factored(&problem, Parts { rows: 4, overlap: 1, coarse }));
    assert!((inverse(&two, 8) - expected).amax() < 1e-14);
    assert_eq!(two.factor_entries(), one.factor_entries() + 2 * 6 + 9);
    assert_eq!(two.factor_operations(), one.factor_operations() + 1 + 4 + 9 + 16 + 25 + 36);
}

#[test]
fn a_coarse_level_halves_the_growth_of_iterations() {
    let iterations = |side: usize, coarse: bool| {
        let sheet = hanging_sheet(side);
        let kind = PreconditionerKind::Schwarz(Parts { rows: 16, overlap: 1, coarse });
        let (report, x) = solve(&sheet, kind, &exactly(Start::Corrected));
        assert!(report.stop.is_solved() && relative_difference(&x, &solve_directly(&sheet)) < 1e-10, "{report:?}");
        assert!(constraint_error(&sheet, &x) <= 1e-15);
        report.iterations
    };
    let [one, two] = [false, true].map(|coarse| [12, 36].map(|side| iterations(side, coarse)));
    let growth = |[small, large]: [usize; 2]| large - small;
    assert!(two[0] < one[0] && 2 * growth(two) < growth(one), "{one:?} {two:?}");
}

#[test]
fn parts_overlap_along_what_is_filled() {
    // nothing is filled between 2 and 3, where the half behind the cut between 3 and 4 ends
    let whole = chain(8);
    let mut matrix = BlockRows::new(whole.matrix.pattern().clone());
    (0..8).for_each(|row| matrix.add_diagonal(row, whole.matrix.diagonal(row)));
    (0..7).filter(|edge| *edge != 2).for_each(|edge| matrix.add_pair(edge, &-Mat3::identity()));
    let problem = Problem { matrix, ..whole };
    let a = dense_projected(&problem);
    let expected = of_part(&a, &[0, 1, 2, 3, 4, 5]) + of_part(&a, &[3, 4, 5, 6, 7]);
    assert!((inverse(&factored(&problem, Parts { rows: 4, overlap: 2, coarse: false }), 8) - expected).amax() < 1e-14);
}

#[test]
fn overlap_saves_iterations_and_constraints_hold_to_rounding() {
    let sheet = hanging_sheet(12);
    let expected = solve_directly(&sheet);
    let mut before = solve(&sheet, CP, &exactly(Start::Corrected)).0.iterations;
    for overlap in 0..3 {
        let kind = PreconditionerKind::Schwarz(Parts { rows: 24, overlap, coarse: false });
        let (report, x) = solve(&sheet, kind, &exactly(Start::Corrected));
        assert!(report.stop.is_solved() && relative_difference(&x, &expected) < 1e-10, "{report:?}");
        assert!(constraint_error(&sheet, &x) <= 1e-15);
        assert!(report.iterations < before, "{overlap}: {} after {before}", report.iterations);
        before = report.iterations;
    }
    let (report, x) =
        solve(&sheet, PreconditionerKind::Schwarz(Parts { rows: 128, overlap: 4, coarse: false }), &exactly(Start::Corrected));
    assert!(report.iterations < 12 && relative_difference(&x, &expected) < 1e-10, "{report:?}");
}

#[test]
fn a_component_has_the_parts_that_the_whole_has_there() {
    // two halves of a sheet that nothing joins: as a whole and by components the iterations of the slower one decide
    let mut problem = hanging_sheet(10);
    let edges = sheet_edges(10);
    problem.matrix.clear();
    (0..100).for_each(|row| problem.matrix.add_diagonal(row, &Mat3::identity()));
    for (edge, &(i, j)) in edges.iter().enumerate().filter(|(_, (i, j))| (i % 10 < 4) == (j % 10 < 4)) {
        problem.matrix.add_diagonal(i, &(9.0 * Mat3::identity()));
        problem.matrix.add_diagonal(j, &(9.0 * Mat3::identity()));
        problem.matrix.add_pair(edge, &(-9.0 * Mat3::identity()));
    }
    let kind = PreconditionerKind::Schwarz(Parts { rows: 16, overlap: 1, coarse: false });
    let mut x = problem.guess.clone();
    let parts = DecomposedCg::new(kind, Decompose::Serial).solve(&problem.system(), &mut x, &exactly(Start::Corrected));
    assert_eq!((parts.components, parts.unsolved), (2, 0));
    let (whole, expected) = solve(&problem, kind, &exactly(Start::Corrected));
    assert!(relative_difference(&x, &expected) < 1e-10);
    assert!(parts.total.iterations <= 2 * whole.iterations && parts.total.iterations > whole.iterations, "{parts:?} {whole:?}");
    // P⁻¹ of the whole has no entry between them
    let inverse = inverse(&factored(&problem, Parts { rows: 16, overlap: 1, coarse: false }), 100);
    let between = (0..100).flat_map(|i| (0..100).map(move |j| (i, j))).filter(|(i, j)| (i % 10 < 4) != (j % 10 < 4));
    between.for_each(|(i, j)| assert_eq!(inverse.fixed_view::<3, 3>(3 * i, 3 * j).amax(), 0.0, "{i} {j}"));
}

#[test]
fn it_is_used_again_for_other_matrices() {
    let [small, large] = [hanging_sheet(5), hanging_sheet(9)];
    let parts = Parts { rows: 8, overlap: 1, coarse: false };
    let mut used = Schwarz::new(parts);
    for problem in [&large, &small, &large] {
        used.factor(&problem.matrix, &problem.constraints).unwrap();
        assert_eq!(inverse(&used, problem.rows()), inverse(&factored(problem, parts), problem.rows()));
    }
    let mut broken = small.matrix.clone();
    broken.add_diagonal(6, &(-1e3 * Mat3::identity()));
    assert_eq!(used.factor(&broken, &small.constraints), Err(Breakdown::NotPositiveDefinite { row: 6 }));
    assert_eq!(inverse(&used, broken.rows()), DMatrix::identity(75, 75), "the identity");
    broken.add_diagonal(6, &Mat3::from_element(f64::NAN));
    assert_eq!(used.factor(&broken, &small.constraints), Err(Breakdown::NotFinite { row: 6 }));
    used.factor(&small.matrix, &small.constraints).unwrap();
    assert_eq!(inverse(&used, small.rows()), inverse(&factored(&small, parts), small.rows()));
}

#[test]
fn nothing_that_moves_is_no_part() {
    let mut problem = hanging_sheet(4);
    problem.constraints.fill(Constraint::Fixed);
    let schwarz = factored(&problem, Parts::default());
    assert_eq!((schwarz.part_count(), schwarz.factor_entries(), schwarz.factor_operations()), (0, 0, 0));
    let settings = Settings { start: Start::Corrected, tolerance_squared: 1e-20, error: None, iteration_limit: 10 };
    let (report, x) = solve(&problem, PreconditionerKind::Schwarz(Parts::default()), &settings);
    assert_eq!((report.stop, x), (SolveStop::ZeroRightSide, problem.z));
}

#[test]
#[should_panic(expected = "no such parts")]
fn parts_without_rows_are_refused() {
    Schwarz::new(Parts { rows: 0, overlap: 1, coarse: false });
}

#[test]
#[should_panic(expected = "that are factored")]
fn it_must_be_factored_first() {
    Schwarz::new(Parts::default()).apply(&[Vec3::x()], &mut [Vec3::x()]);
}
