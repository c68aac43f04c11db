//! Solves on a grid with iterations in single precision.

use crate::systems::{constraint, relative_difference, vector};
use linsolve::grid::{GridBlockDiagonal, GridCg, GridOperator, GridShape, GridSingle, RefinementReport, STEPS};
use linsolve::lanes::InstructionSet;
use linsolve::{ConstrainedSystem, Constraint, DiagonalKind, Settings, SolveReport, SolveStop, Start, Vec3};
use proptest::prelude::*;

const KINDS: [Option<DiagonalKind>; 4] =
    [None, Some(DiagonalKind::Diagonal), Some(DiagonalKind::ABlock), Some(DiagonalKind::Constrained)];

/// A system with random couplings, all times `stiffness`, half of which act.
#[derive(Clone, Debug)]
struct Sheet {
    shape: GridShape,
    /// No less than the condition of the matrix: the least eigenvalue is the least mass or more, the largest one no more
    /// than the largest mass and twice what the 16 couplings of a row can be.
    condition: f64,
    operator: GridOperator,
    b: Vec<Vec3>,
    constraints: Vec<Constraint>,
    z: Vec<Vec3>,
    guess: Vec<Vec3>,
}

fn sheet(nx: usize, ny: usize, stiffness: f64) -> impl Strategy<Value = Sheet> {
    let shape = GridShape::new(nx, ny);
    let rows = shape.rows();
    let vectors = || prop::collection::vec(vector(), rows);
    (
        prop::collection::vec(0.5..2.0, rows),
        prop::collection::vec((any::<bool>(), 0.0..0.2, vector()), STEPS.len() * rows),
        [vectors(), vectors(), vectors()],
        prop::collection::vec(prop_oneof![4 => Just(Constraint::Free), 1 => constraint()], rows),
    )
        .prop_map(move |(masses, couplings, [b, z, guess], constraints)| {
            let mut operator = GridOperator::new(shape, InstructionSet::best());
            for (row, &mass) in masses.iter().enumerate() {
                operator.set_diagonal(row, mass);
                for (step, (acts, a, m)) in couplings[8 * row..8 * row + 8].iter().enumerate() {
                    if let (Some(other), true) = (shape.after(row, step), acts) {
                        let place = shape.place(row, other).expect("a step of the grid");
                        let a = if place.is_near() { stiffness * a } else { 0.0 };
                        operator.set_coupling(place, a, &(stiffness.sqrt() * m));
                    }
                }
            }
            let condition = (2.0 + 32.0 * stiffness * (0.2 + 3.0)) / 0.5;
            Sheet { shape, condition, operator, b, constraints, z, guess }
        })
}

fn sheets() -> impl Strategy<Value = Sheet> {
    (1..20_usize, 1..9_usize, prop_oneof![Just(0.1), Just(16.0), Just(1e3)])
        .prop_flat_map(|(nx, ny, stiffness)| sheet(nx, ny, stiffness))
}

/// More rows than two chunks hold, the last one not full.
fn large_sheet() -> Sheet {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    proptest::strategy::ValueTree::current(&sheet(37, 31, 100.0).new_tree(&mut runner).expect("a system"))
}

fn settings(start: Start, tolerance: f64) -> Settings {
    Settings { start, tolerance_squared: tolerance * tolerance, error: None, iteration_limit: 10_000 }
}

impl Sheet {
    fn system(&self) -> ConstrainedSystem<'_, GridOperator> {
        ConstrainedSystem { operator: &self.operator, b: &self.b, constraints: &self.constraints, z: &self.z }
    }

    fn preconditioner(&self, kind: Option<DiagonalKind>) -> GridBlockDiagonal {
        let mut preconditioner = GridBlockDiagonal::new(kind, self.shape);
        preconditioner.factor(&self.operator, &self.constraints).expect("a positive definite matrix");
        preconditioner
    }

    fn in_single(&self, kind: Option<DiagonalKind>, settings: &Settings) -> (Vec<Vec3>, RefinementReport) {
        let mut x = self.guess.clone();
        let mut single = GridSingle::new(self.shape);
        let mut solver = GridCg::new(self.shape);
        let report = solver.solve_in_single(&self.system(), &mut x, &self.preconditioner(kind), &mut single, settings);
        (x, report)
    }

    fn in_double(&self, kind: Option<DiagonalKind>, settings: &Settings) -> (Vec<Vec3>, SolveReport) {
        let mut x = self.guess.clone();
        let report = GridCg::new(self.shape).solve(&self.system(), &mut x, &self.preconditioner(kind), settings);
        (x, report)
    }

    /// rᵀ P⁻¹ r of x over what the stopping rule compares it with, found by a solve that starts there.
    fn residual(&self, kind: Option<DiagonalKind>, x: &[Vec3]) -> f64 {
        let from = Sheet { guess: x.to_vec(), ..self.clone() };
        from.in_double(kind, &Settings { start: Start::Corrected, tolerance_squared: 0.0, error: None, iteration_limit: 0 })
            .1
            .residual
    }
}

proptest! {
    #[test]
    fn solutions_meet_the_tolerance_and_the_constraints(sheet in sheets(), original in any::<bool>()) {
        let start = if original { Start::Original } else { Start::Corrected };
        for (kind, tolerance) in KINDS.into_iter().zip([1e-10, 1e-8, 1e-11, 1e-2].into_iter().cycle()) {
            let (x, report) = sheet.in_single(kind, &settings(start, tolerance));
            prop_assert!(report.total.stop.is_solved() && !report.fell_back, "{kind:?} {report:?}");
            prop_assert_eq!(report.single_iterations, report.total.iterations);
            if start == Start::Corrected && report.total.stop == SolveStop::Converged {
                let residual = sheet.residual(kind, &x);
                prop_assert!(residual <= 1.01 * tolerance * tolerance, "{kind:?} {report:?}: {residual}");
            }
            for (row, constraint) in sheet.constraints.iter().enumerate() {
                let mut imposed = x[row];
                constraint.impose(&sheet.z[row], &mut imposed);
                prop_assert!((imposed - x[row]).amax() < 1e-14, "row {row}, {kind:?}");
                prop_assert!(*constraint != Constraint::Fixed || x[row] == sheet.z[row], "row {row}");
            }
            // An error is no more than the residual over the least eigenvalue. The root of the rows: one value may hold all of it.
            let (expected, _) = sheet.in_double(kind, &settings(start, 1e-13));
            let apart = relative_difference(&x, &expected);
            let bound = sheet.condition * (sheet.b.len() as f64).sqrt() * tolerance;
            prop_assert!(apart < bound, "{kind:?} {report:?}: {apart}, not below {bound}");
        }
    }
}

#[test]
fn it_takes_about_the_iterations_of_double_precision_and_a_product_a_correction() {
    let sheet = large_sheet();
    for kind in KINDS {
        let settings = settings(Start::Corrected, 1e-8);
        let ((x, report), (expected, double)) = (sheet.in_single(kind, &settings), sheet.in_double(kind, &settings));
        assert!(relative_difference(&x, &expected) < 1e-6, "{kind:?} {report:?}");
        let extra = report.total.iterations.saturating_sub(double.iterations);
        assert!(double.iterations > 50 && extra <= double.iterations / 10, "{kind:?} {report:?} {double:?}");
        assert!((2..=6).contains(&report.corrections), "{report:?}");
        let products = report.total.iterations + report.corrections + 2; // two of the start
        assert_eq!((report.total.products, report.total.row_vector_count), (products, products * sheet.b.len()));
    }
}

#[test]
fn every_instruction_set_gives_the_same_bits() {
    let mut sheet = large_sheet();
    let kind = Some(DiagonalKind::Constrained);
    sheet.operator.run_on(InstructionSet::Portable);
    let portable = sheet.in_single(kind, &settings(Start::Corrected, 1e-10));
    assert!(portable.1.corrections > 2 && portable.1.single_iterations > 10, "{:?}", portable.1);
    for set in InstructionSet::supported() {
        sheet.operator.run_on(set);
        assert_eq!(sheet.in_single(kind, &settings(Start::Corrected, 1e-10)), portable, "{set}");
    }
}

#[test]
fn coefficients_beyond_single_precision_are_left_to_double_precision() {
    let mut sheet = large_sheet();
    sheet.constraints[500] = Constraint::Free;
    sheet.operator.set_diagonal(500, 1e39);
    for kind in KINDS.into_iter().skip(1) {
        let settings = settings(Start::Corrected, 1e-8);
        let ((x, report), (expected, double)) = (sheet.in_single(kind, &settings), sheet.in_double(kind, &settings));
        assert_eq!((report.fell_back, report.single_iterations, report.corrections), (true, 0, 0), "{kind:?}");
        assert_eq!(
            (x, report.total.iterations, report.total.stop),
            (expected, double.iterations, SolveStop::Converged),
            "{kind:?}"
        );
    }
}

#[test]
fn right_sides_of_any_size_fit() {
    let sheet = large_sheet();
    let kind = Some(DiagonalKind::Constrained);
    let solved = |size: f64| {
        let scaled = |v: &[Vec3]| v.iter().map(|v| v * size).collect::<Vec<_>>();
        let sheet = Sheet { b: scaled(&sheet.b), z: scaled(&sheet.z), guess: scaled(&sheet.guess), ..sheet.clone() };
        let (x, report) = sheet.in_single(kind, &settings(Start::Corrected, 1e-8));
        (x.iter().map(|x| x / size).collect::<Vec<_>>(), report)
    };
    let expected = solved(1.0);
    assert!(!expected.1.fell_back, "{:?}", expected.1);
    let beyond = 8.0 * (1_u128 << 127) as f64; // 2^130
    for size in [beyond, 1.0 / beyond] {
        assert_eq!(solved(size), expected, "{size:e}");
    }
}

#[test]
fn tolerances_beyond_rounding_are_left_to_double_precision() {
    let sheet = large_sheet();
    let kind = Some(DiagonalKind::Constrained);
    let (x, report) = sheet.in_single(kind, &settings(Start::Corrected, 1e-25));
    assert!(report.fell_back && report.total.stop == SolveStop::Converged, "{report:?}");
    assert!(report.corrections > 5 && report.single_iterations < report.total.iterations, "{report:?}");
    let (expected, _) = sheet.in_double(kind, &settings(Start::Corrected, 1e-25));
    assert!(relative_difference(&x, &expected) < 1e-11);
}

#[test]
fn the_limit_counts_iterations_of_both_precisions() {
    let sheet = large_sheet();
    let kind = Some(DiagonalKind::Constrained);
    let limited = Settings { iteration_limit: 7, ..settings(Start::Corrected, 1e-8) };
    let (x, report) = sheet.in_single(kind, &limited);
    assert_eq!((report.total.stop, report.total.iterations, report.fell_back), (SolveStop::IterationLimit, 7, false));
    let [sixth, seventh] = [6, 7].map(|limit| sheet.in_double(kind, &Settings { iteration_limit: limit, ..limited }).0);
    let (rounding, iteration) = (relative_difference(&x, &seventh), relative_difference(&sixth, &seventh));
    assert!(rounding < 1e-3 * iteration, "{rounding} {iteration}");
}

#[test]
fn a_zero_right_side_takes_no_iteration_and_indefinite_matrices_are_told() {
    let mut sheet = large_sheet();
    for vector in [&mut sheet.b, &mut sheet.z, &mut sheet.guess] {
        vector.fill(Vec3::zeros());
    }
    let (_, report) = sheet.in_single(None, &settings(Start::Corrected, 1e-8));
    assert_eq!((report.total.stop, report.total.products, report.corrections), (SolveStop::ZeroRightSide, 0, 0));
    let mut indefinite = large_sheet();
    (0..indefinite.b.len()).for_each(|row| indefinite.operator.set_diagonal(row, -1e4));
    let (_, report) = indefinite.in_single(None, &settings(Start::Corrected, 1e-8));
    assert_eq!((report.total.stop, report.fell_back), (SolveStop::NotPositiveDefinite, true));
}

#[test]
fn a_workspace_can_be_used_again_whatever_it_held() {
    let mut sheet = large_sheet();
    sheet.constraints.fill(Constraint::Free);
    let kind = Some(DiagonalKind::ABlock);
    let settings = settings(Start::Corrected, 1e-8);
    let expected = sheet.in_single(kind, &settings);
    let (mut solver, mut single) = (GridCg::new(sheet.shape), GridSingle::new(sheet.shape));
    let preconditioner = sheet.preconditioner(kind);
    let mut broken = sheet.clone();
    broken.operator.set_diagonal(7, 1e39);
    broken.b[5].x = f64::NAN;
    for (system, stop) in [(&broken, SolveStop::NotFinite), (&sheet, SolveStop::Converged)] {
        let mut x = sheet.guess.clone();
        let report = solver.solve_in_single(&system.system(), &mut x, &preconditioner, &mut single, &settings);
        assert_eq!(report.total.stop, stop);
        assert!(stop == SolveStop::NotFinite || (x, report) == expected);
    }
}

#[test]
#[should_panic(expected = "shapes of the operator and of what is kept in single precision")]
fn single_precision_of_another_shape_is_refused() {
    let sheet = large_sheet();
    let mut single = GridSingle::new(GridShape::new(31, 37));
    let settings = settings(Start::Corrected, 1e-8);
    let preconditioner = sheet.preconditioner(None);
    GridCg::new(sheet.shape).solve_in_single(&sheet.system(), &mut sheet.guess.clone(), &preconditioner, &mut single, &settings);
}
