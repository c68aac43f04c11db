use nalgebra::{DMatrix, DVector, SymmetricEigen};

use super::aggregates::Aggregates;
use super::finest::FinestMemory;
use super::*;
use crate::{BlockPattern, ConstrainedSystem, ProjectedCg, Settings, Start};

/// A sheet of unit masses whose springs are `kappa` times as stiff, those of which `acts` says so, by row and step.
fn sheet(side: usize, kappa: f64, acts: impl Fn(usize, usize, [i64; 2]) -> bool) -> BlockRows {
    let mut springs = vec![];
    for row in 0..side * side {
        let (column, line) = (row % side, row / side);
        for step in [[1, 0], [0, 1], [1, 1], [-1, 1]] {
            let (x, y) = (column as i64 + step[0], line as i64 + step[1]);
            if (0..side as i64).contains(&x) && y < side as i64 {
                springs.push((row, x as usize + side * y as usize, step));
            }
        }
    }
    let edges: Vec<(usize, usize)> = springs.iter().map(|(i, j, _)| (*i, *j)).collect();
    let mut matrix = BlockRows::new(BlockPattern::new(side * side, &edges));
    (0..side * side).for_each(|row| matrix.add_diagonal(row, &Mat3::identity()));
    for (edge, (i, j, step)) in springs.into_iter().enumerate() {
        if acts(i % side, i / side, step) {
            let along = Vec3::new(step[0] as f64, 0.0, step[1] as f64).normalize();
            let block = kappa * along * along.transpose();
            matrix.add_diagonal(i, &block);
            matrix.add_diagonal(j, &block);
            matrix.add_pair(edge, &-block);
        }
    }
    matrix
}

/// As a sheet that is let go hanging from its corners: taut in the middle of the lower half, threads across below the upper edge,
/// slanted ones beside, and next to them columns of which every third is slack.
fn partly_slack(side: usize) -> BlockRows {
    partly_slack_by(side, (side * side) as f64 / 2.0)
}

/// The same one of another stiffness.
fn partly_slack_by(side: usize, kappa: f64) -> BlockRows {
    sheet(side, kappa, |column, line, step| {
        let from_middle = (2 * column).abs_diff(side);
        match (line < side / 2, from_middle < line, step) {
            (true, true, step) => step == [1, 0],
            (true, false, [x, y]) => y == 1 && x.signum() == if 2 * column < side { 1 } else { -1 } || step == [0, 1],
            (false, true, _) => true,
            (false, false, [x, y]) => y == 1 && (x != 0 || column % 3 > 0),
        }
    })
}

/// The matrix of a level.
fn dense(level: &Level) -> DMatrix<f64> {
    let mut dense = DMatrix::identity(level.unknowns(), level.unknowns());
    for node in 0..level.nodes() {
        for coupling in level.couplings(node) {
            let other = level.of(level.columns[coupling] as usize);
            let places = level.of(node).flat_map(|i| other.clone().map(move |j| (i, j)));
            for ((i, j), entry) in places.zip(level.block(coupling)) {
                (dense[(i, j)], dense[(j, i)]) = (*entry, *entry);
            }
        }
    }
    dense
}

fn constraints_of_all_kinds(rows: usize) -> Vec<Constraint> {
    let mut constraints = vec![Constraint::Free; rows];
    constraints[0] = Constraint::Fixed;
    for row in (rows / 2..rows).step_by(5) {
        constraints[row] = Constraint::plane(Vec3::new(1.0, row as f64, -3.0)).expect("a direction");
    }
    constraints[rows - 1] = Constraint::line(Vec3::x(), Vec3::new(1.0, 2.0, 0.0)).expect("two directions");
    constraints
}

/// P⁻¹ as a matrix of scalars.
fn inverse(aggregation: &Aggregation) -> DMatrix<f64> {
    let rows = aggregation.rows;
    let mut inverse = DMatrix::zeros(3 * rows, 3 * rows);
    let (mut r, mut h) = (vec![Vec3::zeros(); rows], vec![Vec3::zeros(); rows]);
    for k in 0..3 * rows {
        r[k / 3][k % 3] = 1.0;
        aggregation.apply(&r, &mut h);
        r[k / 3][k % 3] = 0.0;
        inverse.set_column(k, &DVector::from_iterator(3 * rows, h.iter().flat_map(|h| [h.x, h.y, h.z])));
    }
    inverse
}

/// S A S + c (I - S) as a matrix of scalars.
fn projected(matrix: &BlockRows, constraints: &[Constraint]) -> DMatrix<f64> {
    let mut dense = DMatrix::zeros(3 * constraints.len(), 3 * constraints.len());
    for (row, constraint) in constraints.iter().enumerate() {
        dense.fixed_view_mut::<3, 3>(3 * row, 3 * row).copy_from(&constraint.project_block(matrix.diagonal(row)));
        for (column, block) in matrix.above(row) {
            let block = constraint.projection() * block * constraints[column].projection();
            dense.fixed_view_mut::<3, 3>(3 * row, 3 * column).copy_from(&block);
            dense.fixed_view_mut::<3, 3>(3 * column, 3 * row).copy_from(&block.transpose());
        }
    }
    dense
}

/// With levels down to so many unknowns.
fn factored(matrix: &BlockRows, constraints: &[Constraint], coarsest: usize) -> Aggregation {
    let mut aggregation = Aggregation::with(InstructionSet::best(), coarsest, 0);
    aggregation.factor(matrix, constraints).expect("a positive definite matrix");
    aggregation
}

#[test]
fn it_is_symmetric_and_no_eigenvalue_of_what_it_leaves_is_above_one() {
    let matrices = [partly_slack(9), sheet(9, 100.0, |_, _, _| true), sheet(9, 100.0, |_, _, [x, _]| x != 0)];
    for (matrix, levels) in matrices.iter().flat_map(|matrix| [(matrix, 2), (matrix, 3)]) {
        let constraints = constraints_of_all_kinds(81);
        let mut aggregation = Aggregation::with(InstructionSet::best(), 12, if levels == 2 { WORK } else { 0 });
        aggregation.factor(matrix, &constraints).expect("a positive definite matrix");
        assert!(aggregation.unknowns().count() == 2 || levels > 2 && aggregation.unknowns().count() > 2);
        let inverse = inverse(&aggregation);
        assert!((&inverse - inverse.transpose()).amax() < 1e-13 * inverse.amax());
        let lower = projected(matrix, &constraints).cholesky().expect("a positive definite matrix").l();
        let eigenvalues = SymmetricEigen::new(lower.transpose() * inverse * lower).eigenvalues;
        // none is above 1 but by what the 16 bits of the last factor leave
        assert!(eigenvalues.min() > 0.04 && eigenvalues.max() < 1.0 + 2e-5, "{} {}", eigenvalues.min(), eigenvalues.max());
    }
}

#[test]
fn a_single_level_is_the_inverse() {
    let (matrix, constraints) = (partly_slack(6), constraints_of_all_kinds(36));
    let aggregation = factored(&matrix, &constraints, 108);
    assert_eq!(aggregation.unknowns().collect::<Vec<_>>(), [108]);
    let product = inverse(&aggregation) * projected(&matrix, &constraints);
    assert!((product - DMatrix::identity(108, 108)).amax() < 1e-3); // its factor is kept in 16 bits
}

#[test]
fn what_moves_with_little_energy_is_kept() {
    let (side, free) = (12, vec![Constraint::Free; 144]);
    let kept = |acts: fn(usize, usize, [i64; 2]) -> bool| {
        let aggregation = factored(&sheet(side, 1e6, acts), &free, 30);
        let aggregates = aggregation.levels[1].nodes();
        let unknowns = aggregation.unknowns().nth(1);
        (unknowns, aggregates, aggregation)
    };
    // in its plane a taut aggregate moves as a rigid body; across it each row moves by itself
    let (unknowns, aggregates, taut) = kept(|_, _, _| true);
    assert_eq!((unknowns, aggregates), (Some(48), 16));
    // rigid motions of the whole cost what they do: P (Pᵀ A P)⁻¹ Pᵀ A leaves them
    for motion in [|_: f64, _: f64| [1.0, 0.0], |_, _| [0.0, 1.0], |x: f64, y: f64| [-y, x]] {
        let (fine, coarse) = (&taut.levels[0], &taut.levels[1]);
        let place = |row: usize| ((row % side) as f64 - 5.5, (row / side) as f64 - 5.5);
        let v: Vec<f64> = (0..144)
            .flat_map(|row| {
                let (x, y) = place(row);
                let [u, w] = motion(x, y);
                let scaled = taut.scales[row].try_inverse().expect("a triangle").transpose() * Vec3::new(u, 0.0, w);
                [scaled.x, scaled.y, scaled.z]
            })
            .collect();
        let mut product = vec![0.0; 432];
        fine.subtract_product(&v, &mut product);
        let mut right = vec![0.0; 48];
        taut.transfers[0].restrict(fine, coarse, &product, &mut right);
        let solved = dense(coarse).lu().solve(&DVector::from_vec(right));
        let mut left: Vec<f64> = v.clone();
        taut.transfers[0].prolong(fine, coarse, solved.expect("a regular matrix").as_slice(), &mut left);
        let energy = |v: &[f64]| {
            let mut product = vec![0.0; 432];
            fine.subtract_product(v, &mut product);
            -v.iter().zip(&product).map(|(v, product)| v * product).sum::<f64>()
        };
        assert!(energy(&left) < 1e-4 * energy(&v), "{} of {}", energy(&left), energy(&v));
    }
    // aggregates of 3 x 3 rows are crossed by three threads, and where both families act by six
    let (unknowns, aggregates, _) = kept(|_, _, step| step == [1, 0]);
    assert_eq!((unknowns, aggregates), (Some(48), 16));
    let (unknowns, aggregates, _) = kept(|_, _, [x, y]| x == 0 || y == 0);
    assert_eq!((unknowns, aggregates), (Some(96), 16));
    // nothing acts: each row is solved by itself
    let (unknowns, _, _) = kept(|_, _, _| false);
    assert_eq!(unknowns, Some(0));
}

#[test]
fn what_couples_aggregates_is_summed_as_the_matrix_is_taken_in() {
    let (matrix, constraints) = (partly_slack(9), constraints_of_all_kinds(81));
    let mut aggregation = Aggregation::new();
    aggregation.group(&matrix);
    let Aggregation { levels, transfers, scales, .. } = &mut aggregation;
    let (level, aggregates) = (&mut levels[0], &mut transfers[0].aggregates);
    level.fill(&matrix, &constraints, scales, Some(aggregates)).expect("a positive definite matrix");
    assert!(level.energies.is_empty());
    let sums = |aggregates: &Aggregates| (0..81).flat_map(|node| aggregates.outside(node).to_vec()).collect::<Vec<_>>();
    let as_taken_in = sums(aggregates);
    // the same of energies that are kept, each of which is E_ii = -G⁻¹ S A_ij S G⁻ᵀ of a spring
    level.fill_energies(&matrix, &constraints, scales);
    aggregates.sum_outside(level);
    assert_eq!(sums(aggregates), as_taken_in);
    assert!(as_taken_in.iter().filter(|entry| **entry != 0.0).count() > 100);
    let (row, column) = (30, level.columns[level.couplings(30).start] as usize);
    let block = matrix.above(row).find(|(other, _)| *other == column).expect("a coupling").1;
    let [own, theirs] = level.energies(level.couplings(row).start, [row, column]);
    for (energy, row) in [(own, row), (theirs, column)] {
        let expected = -(scales[row] * block * scales[row].transpose());
        assert!((Mat3::from_row_slice(energy) - expected).amax() < 1e-15);
    }
}

/// Iterations from zero to 1e-8.
fn iterations(matrix: &BlockRows, constraints: &[Constraint]) -> usize {
    let rows = constraints.len();
    let b: Vec<Vec3> = (0..rows).map(|row| Vec3::new((row % 7) as f64 - 3.0, (row % 5) as f64, -9.81)).collect();
    let z = vec![Vec3::zeros(); rows];
    let system = ConstrainedSystem { operator: matrix, b: &b, constraints, z: &z };
    let settings = Settings { start: Start::Corrected, tolerance_squared: 1e-16, error: None, iteration_limit: 1000 };
    let mut aggregation = Aggregation::new();
    aggregation.factor(matrix, constraints).expect("a positive definite matrix");
    let report = ProjectedCg::new(rows).solve(&system, &mut z.clone(), &aggregation, &settings);
    assert!(report.stop.is_solved(), "{report:?}");
    report.iterations
}

#[test]
fn iterations_hardly_grow_with_the_rows_of_partly_slack_cloth() {
    let counts = [16, 32, 64].map(|side| {
        let mut constraints = vec![Constraint::Free; side * side];
        constraints[0] = Constraint::Fixed;
        constraints[side - 1] = Constraint::Fixed;
        iterations(&partly_slack(side), &constraints)
    });
    assert!(counts[2] <= 30 && 4 * counts[2] <= 5 * counts[1], "{counts:?}");
}

#[test]
fn iterations_hardly_grow_with_stiffness() {
    let counts = [1e3, 1e5, 1e7, 1e9, 1e11].map(|kappa| {
        let mut constraints = vec![Constraint::Free; 40 * 40];
        constraints[0] = Constraint::Fixed;
        constraints[39] = Constraint::Fixed;
        iterations(&partly_slack_by(40, kappa), &constraints)
    });
    assert!(counts[..4].iter().all(|count| *count <= 25), "{counts:?}");
    assert!(counts[4] <= 60, "{counts:?}"); // 16 bits no longer keep energies of 1e-11 of the diagonal
}

#[test]
fn every_instruction_set_and_every_use_gives_the_same_bits() {
    let (matrix, constraints) = (partly_slack(12), constraints_of_all_kinds(144));
    let r: Vec<Vec3> = (0..144).map(|row| Vec3::new(1.0 / (f64::from(row) + 1.0), 0.3, -0.7)).collect();
    let bits = |aggregation: &Aggregation| {
        let mut h = vec![Vec3::zeros(); 144];
        aggregation.apply(&r, &mut h);
        h.into_iter().map(|h| [h.x.to_bits(), h.y.to_bits(), h.z.to_bits()]).collect::<Vec<_>>()
    };
    for (coarsest, work) in [(40, 0), (40, WORK), (500, 0)] {
        let mut by_itself = Aggregation::with(InstructionSet::best(), coarsest, work);
        by_itself.factor(&matrix, &constraints).expect("a positive definite matrix");
        let expected = bits(&by_itself);
        for set in InstructionSet::supported() {
            let mut aggregation = Aggregation::with(set, coarsest, work);
            // of other matrices before, of the same pattern and of another one
            for before in [sheet(12, 10.0, |_, _, _| true), sheet(5, 10.0, |_, _, _| true), matrix.clone()] {
                let constraints = &constraints[..before.pattern().rows()];
                aggregation.factor(&before, constraints).expect("a positive definite matrix");
            }
            assert_eq!(bits(&aggregation), expected, "{set}");
        }
    }
}

#[test]
fn a_matrix_that_breaks_down_leaves_the_identity() {
    let free = vec![Constraint::Free; 64];
    let mut matrix = sheet(8, 100.0, |_, _, _| true);
    let mut aggregation = factored(&matrix, &free, 20);
    matrix.add_diagonal(9, &(-1e3 * Mat3::identity()));
    assert_eq!(aggregation.factor(&matrix, &free), Err(Breakdown::NotPositiveDefinite { row: 9 }));
    let mut h = vec![Vec3::zeros(); 64];
    aggregation.apply(&[Vec3::x(); 64], &mut h);
    assert_eq!(h, [Vec3::x(); 64]);
    matrix.add_diagonal(3, &Mat3::from_element(f64::NAN));
    assert_eq!(aggregation.factor(&matrix, &free), Err(Breakdown::NotFinite { row: 3 }));
    // positive definite in each row, indefinite among them
    let mut matrix = sheet(8, 100.0, |_, _, _| true);
    (0..64).for_each(|row| matrix.add_diagonal(row, &(-2.0 * Mat3::from_diagonal(&Vec3::new(1.0, 0.0, 1.0)))));
    assert!(matches!(aggregation.factor(&matrix, &free), Err(Breakdown::NotPositiveDefinite { row }) if row < 64));
}

#[test]
fn the_finest_level_is_relaxed_as_any_other_one() {
    let (matrix, constraints) = (partly_slack(12), constraints_of_all_kinds(144));
    let aggregation = factored(&matrix, &constraints, 40);
    let (level, coarse, transfer) = (&aggregation.levels[0], &aggregation.levels[1], &aggregation.transfers[0]);
    let r: Vec<Vec3> = (0..144).map(|row| Vec3::new(1.0 / (f64::from(row) + 1.0), 0.3, -0.7)).collect();
    let b: Vec<f64> = r.iter().zip(&aggregation.scales).flat_map(|(r, scale)| <[f64; 3]>::from(scale * r)).collect();
    let coarse_x: Vec<f64> = (0..coarse.unknowns()).map(|k| ((37 * k) % 11) as f64 / 5.0 - 1.0).collect();
    let difference = |one: &[f64], other: &[f64]| one.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);

    let (mut x, mut left, mut expected) = (vec![0.0; 432], vec![0.0; 432], vec![0.0; coarse.unknowns()]);
    level.relax_first(&b, &mut x, &mut left);
    transfer.restrict(level, coarse, &left, &mut expected);
    let (finest, set) = (&aggregation.finest, InstructionSet::best());
    let (mut memory, mut to, mut h) = (FinestMemory::default(), vec![0.0; coarse.unknowns()], vec![Vec3::zeros(); 144]);
    memory.resize(144);
    set.run(FinestBefore { finest, transfer, coarse, r: &r, memory: &mut memory, to: &mut to });
    assert!(difference(&to, &expected) < 1e-6, "{}", difference(&to, &expected));

    transfer.prolong(level, coarse, &coarse_x, &mut x);
    level.relax_last(&b, &mut x, &mut left);
    let expected = x.as_chunks::<3>().0.iter().zip(&aggregation.scales);
    let expected: Vec<f64> = expected.flat_map(|(x, scale)| <[f64; 3]>::from(scale.transpose() * Vec3::from(*x))).collect();
    set.run(FinestAfter { finest, transfer, coarse, r: &r, from: &coarse_x, memory: &mut memory, h: &mut h });
    let h: Vec<f64> = h.iter().flat_map(|h| [h.x, h.y, h.z]).collect();
    assert!(difference(&h, &expected) < 1e-6, "{}", difference(&h, &expected));
}

#[test]
fn operations_by_hand() {
    let mut aggregation = Aggregation::new();
    assert_eq!((aggregation.factor_operations(), aggregation.apply_operations()), (0, 0));
    let free = vec![Constraint::Free; 4];
    aggregation.factor(&sheet(2, 1.0, |_, _, _| true), &free).unwrap();
    // a panel of 12 columns, stored to 16 rows, and six couplings
    assert_eq!((aggregation.factor_operations(), aggregation.apply_operations()), (12 * 12 * 12, 72 * 6 + 4 * 12 * 16));

    let free = vec![Constraint::Free; 20 * 20];
    aggregation.factor(&sheet(20, 100.0, |_, _, _| true), &free).unwrap();
    assert_eq!(aggregation.unknowns().count(), 2);
    let couplings = 2 * 20 * 19 + 2 * 19 * 19;
    let [of_p, of_l] = [aggregation.transfers[0].entries(), aggregation.factors[1].entries()];
    assert_eq!(aggregation.apply_operations(), (72 * couplings + 4 * (of_p + of_l)) as u64);
    let kept = aggregation.unknowns().nth(1).unwrap();
    assert!(of_p > 3 * kept && of_l > kept, "{of_p} and {of_l} entries for {kept} unknowns");

    let mut broken = sheet(2, 1.0, |_, _, _| true);
    broken.add_diagonal(1, &(f64::NAN * Mat3::identity()));
    aggregation.factor(&broken, &[Constraint::Free; 4]).unwrap_err();
    let operations = (aggregation.factor_operations(), aggregation.apply_operations());
    assert_eq!((operations, aggregation.unknowns().count()), ((0, 0), 0), "of a smaller pattern that cannot be factored");
}
