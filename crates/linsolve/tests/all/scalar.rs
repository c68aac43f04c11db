//! Direct solvers of sparse scalar systems against dense ones, on matrices that fail, and on matrices that change.

use linsolve::scalar::{PivotError, ScalarCholesky, ScalarLdl, ScalarLu, ScalarOrderedLu, ScalarPattern, Tridiagonal};
use nalgebra::{DMatrix, DVector, SymmetricEigen};

/// Numbers in -1..1 that look like nothing.
fn number(k: usize) -> f64 {
    ((k * 7919 + 104_729) * 6271 % 10_007) as f64 / 5003.5 - 1.0
}

/// Pairs of neighbours of a square of side `side`.
fn mesh(side: usize) -> Vec<(usize, usize)> {
    let right = (0..side * side).filter(|k| (k + 1) % side > 0).map(|k| (k, k + 1));
    right.chain((0..side * (side - 1)).map(|k| (k + side, k))).collect()
}

/// A symmetric matrix on these pairs, its diagonal this much above what makes it definite.
fn symmetric(unknowns: usize, pairs: &[(usize, usize)], above: f64) -> DMatrix<f64> {
    let mut a = DMatrix::zeros(unknowns, unknowns);
    for (k, &(i, j)) in pairs.iter().enumerate() {
        let value = number(k);
        (a[(i, j)], a[(j, i)]) = (value, value);
        a[(i, i)] += value.abs();
        a[(j, j)] += value.abs();
    }
    (0..unknowns).for_each(|k| a[(k, k)] += above);
    a
}

fn fill(pattern: &ScalarPattern, a: &DMatrix<f64>, values: &mut [f64]) {
    for (column, row) in (0..a.ncols()).flat_map(|column| (0..a.nrows()).map(move |row| (column, row))) {
        match pattern.place(row, column) {
            Some(place) => values[place] = a[(row, column)],
            None => assert!(row < column || a[(row, column)] == 0.0, "an entry outside the pattern"),
        }
    }
}

fn error(a: &DMatrix<f64>, solution: &[f64], x: &DVector<f64>) -> f64 {
    assert_eq!(a.ncols(), x.len());
    (DVector::from_column_slice(solution) - x).amax()
}

#[test]
fn cholesky_solves_refilled_matrices() {
    let pairs = mesh(9);
    let pattern = ScalarPattern::lower(81, &pairs);
    let mut solver = ScalarCholesky::new(&pattern);
    for above in [0.1, 3.0] {
        let a = symmetric(81, &pairs, above);
        fill(&pattern, &a, solver.values_mut());
        let smallest = solver.factor().unwrap();
        let x = DVector::from_fn(81, |k, _| number(k));
        let mut b = (&a * &x).as_slice().to_vec();
        solver.solve(&mut b);
        assert!(error(&a, &b, &x) < 1e-12);
        // every pivot relative to its diagonal is at least 1 / (A⁻¹)_jj A_jj of the column that comes last
        let inverse = a.clone().try_inverse().unwrap();
        let bound = (0..81).map(|k| 1.0 / (inverse[(k, k)] * a[(k, k)])).fold(1.0, f64::min);
        assert!(smallest.relative >= bound * (1.0 - 1e-9) && smallest.relative < 1.0, "{smallest:?} {bound}");
    }
    assert_eq!(solver.solve_operations(), 4 * solver.factor_entries());
}

#[test]
fn work_of_a_chain_by_hand() {
    // a chain fills nothing in: columns of two entries and one of one
    let pairs: Vec<_> = (1..50).map(|k| (k, k - 1)).collect();
    let solver = ScalarCholesky::new(&ScalarPattern::lower(50, &pairs));
    assert_eq!((solver.factor_entries(), solver.factor_operations(), solver.solve_operations()), (99, 49 * 4 + 1, 396));
    let empty = ScalarCholesky::new(&ScalarPattern::lower(0, &[])).factor();
    assert_eq!(empty.map(|smallest| smallest.relative), Ok(1.0));
}

#[test]
fn matrices_without_a_cholesky_factor_are_told_with_their_column() {
    let pairs = mesh(4);
    let pattern = ScalarPattern::lower(16, &pairs);
    let mut solver = ScalarCholesky::new(&pattern);
    // a graph Laplacian: the sum of its rows is zero, up to rounding
    let mut a = DMatrix::<f64>::zeros(16, 16);
    for &(i, j) in &pairs {
        (a[(i, j)], a[(j, i)]) = (-0.1, -0.1);
        a[(i, i)] += 0.1;
        a[(j, j)] += 0.1;
    }
    fill(&pattern, &a, solver.values_mut());
    assert!(matches!(solver.factor(), Err(PivotError::Deficient { .. })));
    a[(5, 5)] = -1.0;
    fill(&pattern, &a, solver.values_mut());
    assert!(matches!(solver.factor(), Err(PivotError::Deficient { .. })));
    a[(5, 5)] = f64::INFINITY;
    fill(&pattern, &a, solver.values_mut());
    assert_eq!(solver.factor(), Err(PivotError::NotFinite { column: 5 }));
    a[(5, 5)] = 1.0; // and it goes on after a failure
    fill(&pattern, &a, solver.values_mut());
    assert!(solver.factor().is_ok());
}

#[test]
fn a_deficient_column_alone_is_named() {
    let mut solver = ScalarCholesky::new(&ScalarPattern::lower(5, &[]));
    solver.values_mut().copy_from_slice(&[1.0, 1.0, 1.0, 0.0, 1.0]);
    assert_eq!(solver.factor(), Err(PivotError::Deficient { column: 3 }));
}

#[test]
fn tridiagonal_and_sparse_factors_agree() {
    let pairs: Vec<_> = (1..30).map(|k| (k, k - 1)).collect();
    let a = symmetric(30, &pairs, 0.3);
    let mut chain = Tridiagonal::<false>::new(30);
    assert!(chain.factor(|k| a[(k, k)], |k| a[(k + 1, k)]).unwrap().relative > 0.1);
    let x = DVector::from_fn(30, |k, _| number(k + 3));
    let mut b = (&a * &x).as_slice().to_vec();
    chain.solve(&mut b);
    assert!(error(&a, &b, &x) < 1e-13);
}

/// A matrix, the pairs that it couples, and the groups of its unknowns.
type Saddle = (DMatrix<f64>, Vec<(usize, usize)>, Vec<Option<usize>>);

/// A saddle point \[A Bᵀ; B 0\] over a chain: three unknowns for each of `count` particles, and a row of B for each neighbours.
fn saddle(count: usize) -> Saddle {
    let free = 3 * count;
    let mut a = DMatrix::zeros(free + count - 1, free + count - 1);
    let mut pairs = Vec::new();
    (0..free).for_each(|k| a[(k, k)] = 1.0 + 0.1 * number(k));
    for edge in 0..count - 1 {
        for q in 0..3 {
            let g = number(3 * edge + q) + 0.2;
            for (unknown, value) in [(3 * edge + q, -g), (3 * edge + 3 + q, g)] {
                (a[(free + edge, unknown)], a[(unknown, free + edge)]) = (value, value);
                pairs.push((free + edge, unknown));
            }
            let (i, j) = (3 * edge + q, 3 * edge + 3 + q);
            let curvature = 0.2 * number(edge);
            pairs.push((i, j));
            a[(i, i)] += curvature;
            a[(j, j)] += curvature;
            (a[(i, j)], a[(j, i)]) = (-curvature, -curvature);
        }
    }
    let groups = (0..free).map(|k| Some(k / 3)).chain((1..count).map(|_| None)).collect();
    (a, pairs, groups)
}

#[test]
fn saddle_points_are_solved_without_a_pivot_replaced() {
    let (a, pairs, groups) = saddle(12);
    let unknowns = a.ncols();
    let pattern = ScalarPattern::lower(unknowns, &pairs);
    let mut solver = ScalarLdl::new(&pattern, &groups);
    fill(&pattern, &a, solver.values_mut());
    let factors = solver.factor().unwrap();
    let eigenvalues = SymmetricEigen::new(a.clone()).eigenvalues;
    assert_eq!(factors.negative, eigenvalues.iter().filter(|value| **value < 0.0).count());
    assert_eq!((factors.negative, factors.replaced), (11, 0));
    assert!(factors.smallest.relative > 1e-3);
    let x = DVector::from_fn(unknowns, |k, _| number(k + 1));
    let mut b = (&a * &x).as_slice().to_vec();
    let (residual, _) = solver.solve(&mut b);
    assert!(residual < 1e-13 && error(&a, &b, &x) < 1e-12, "{residual}");
    let mut zeros = vec![0.0; unknowns];
    assert_eq!((solver.solve(&mut zeros), zeros), ((0.0, 0), vec![0.0; unknowns]));
}

#[test]
fn refinement_makes_up_for_replaced_pivots() {
    let (a, pairs, _) = saddle(12);
    let unknowns = a.ncols();
    // one group in the reverse order, constraints before what they act on: their pivots are zero and are replaced
    let last = unknowns - 1;
    let a = DMatrix::from_fn(unknowns, unknowns, |i, j| a[(last - i, last - j)]);
    let pairs: Vec<_> = pairs.iter().map(|(i, j)| (last - i, last - j)).collect();
    let pattern = ScalarPattern::lower(unknowns, &pairs);
    let mut solver = ScalarLdl::new(&pattern, &vec![Some(0); unknowns]);
    fill(&pattern, &a, solver.values_mut());
    let factors = solver.factor().unwrap();
    let x = DVector::from_fn(unknowns, |k, _| number(k + 1));
    let mut b = (&a * &x).as_slice().to_vec();
    let (residual, refinements) = solver.solve(&mut b);
    assert!(factors.replaced > 0 && refinements > 0, "{factors:?} {refinements}");
    assert!(residual < 1e-9 && error(&a, &b, &x) < 1e-8, "{residual}");
}

#[test]
fn a_singular_saddle_point_shows_in_its_residual_and_in_the_pivots_of_lu() {
    let (mut a, pairs, groups) = saddle(6);
    let unknowns = a.ncols();
    for k in 0..unknowns {
        (a[(unknowns - 1, k)], a[(k, unknowns - 1)]) = (0.0, 0.0); // a constraint that acts on nothing
    }
    let pattern = ScalarPattern::lower(unknowns, &pairs);
    let mut ldl = ScalarLdl::new(&pattern, &groups);
    fill(&pattern, &a, ldl.values_mut());
    assert_eq!(ldl.factor().unwrap().replaced, 1);
    let mut b: Vec<f64> = (0..unknowns).map(number).collect();
    assert!(ldl.solve(&mut b).0 > 1e-3);
    let full = ScalarPattern::full(unknowns, &pairs);
    let mut lu = ScalarLu::new(&full);
    fill(&full, &a, lu.values_mut());
    assert_eq!(lu.factor(), Err(PivotError::Deficient { column: unknowns - 1 }));
}

#[test]
fn lu_solves_matrices_without_symmetry() {
    let pairs = mesh(7);
    let full = ScalarPattern::full(49, &pairs);
    let mut solver = ScalarLu::new(&full);
    for turn in 0..3 {
        let mut a = symmetric(49, &pairs, 0.0);
        for (k, &(i, j)) in pairs.iter().enumerate() {
            a[(i, j)] = number(k + 50 * turn); // and no sign on the diagonal to lean on
            a[(i, i)] = number(k);
        }
        fill(&full, &a, solver.values_mut());
        assert!(solver.factor().unwrap().relative > 1e-8);
        let x = DVector::from_fn(49, |k, _| number(k + 1));
        let mut b = (&a * &x).as_slice().to_vec();
        let residual = solver.solve(&mut b);
        assert!(residual < 1e-13 && error(&a, &b, &x) < 1e-9, "{residual} {}", error(&a, &b, &x));
        assert!(solver.factor_operations() > 0 && solver.solve_operations() == 2 * solver.factor_entries());
    }
}

#[test]
fn lu_of_two_unknowns_by_hand() {
    let pattern = ScalarPattern::full(2, &[(0, 1)]);
    let mut solver = ScalarLu::new(&pattern);
    solver.values_mut().copy_from_slice(&[0.0, 2.0, 4.0, 0.0]); // by columns: [0 4; 2 0]
    assert!(solver.factor().is_ok());
    let mut b = [4.0, 6.0];
    assert_eq!((solver.solve(&mut b), b), (0.0, [3.0, 1.0]));
    assert_eq!((solver.factor_entries(), solver.factor_operations()), (6, 3)); // full triangles, stored zeros count: a quotient, a pair
    solver.values_mut().copy_from_slice(&[1.0, 0.1, 3.0, 0.3]);
    assert!(matches!(solver.factor(), Err(PivotError::Deficient { .. })));
}

#[test]
fn ordered_lu_solves_what_is_nearly_symmetric_and_tells_where_its_order_does_not_do() {
    let pairs = mesh(9);
    let full = ScalarPattern::full(81, &pairs);
    let (mut solver, mut pivoting) = (ScalarOrderedLu::new(&full), ScalarLu::new(&full));
    for turn in 0..3 {
        let mut a = symmetric(81, &pairs, 0.1);
        for (k, &(i, j)) in pairs.iter().enumerate() {
            a[(i, j)] += 0.3 * number(k + 50 * turn);
        }
        fill(&full, &a, solver.values_mut());
        let smallest = solver.factor().unwrap();
        assert!(smallest.relative > 1e-3 && smallest.relative < 1.0, "{smallest:?}");
        let x = DVector::from_fn(81, |k, _| number(k + 1));
        let mut b = (&a * &x).as_slice().to_vec();
        let mut by_pivoting = b.clone();
        let residual = solver.solve(&mut b);
        assert!(residual < 1e-14 && error(&a, &b, &x) < 1e-11, "{residual} {}", error(&a, &b, &x));
        fill(&full, &a, pivoting.values_mut());
        pivoting.factor().unwrap();
        pivoting.solve(&mut by_pivoting);
        assert!(b.iter().zip(&by_pivoting).all(|(a, b)| (a - b).abs() < 1e-11));
    }
    let pattern = ScalarPattern::full(2, &[(0, 1)]);
    let mut solver = ScalarOrderedLu::new(&pattern);
    assert_eq!((solver.factor_operations(), solver.solve_operations()), (3, 12)); // a quotient and a pair; L and U of three entries
    solver.values_mut().copy_from_slice(&[0.0, 2.0, 4.0, 0.0]); // regular, but not without pivoting
    assert!(matches!(solver.factor(), Err(PivotError::Deficient { .. })));
    solver.values_mut()[3] = f64::NAN;
    assert_eq!(solver.factor(), Err(PivotError::NotFinite { column: 1 }));
}
