//! Assembly, factorisation and solve allocate nothing once they are warm.

#![allow(unsafe_code)] // an allocator cannot be written without

#[path = "all/systems/mod.rs"]
mod systems;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use linsolve::{
    Aggregation, AnyPreconditioner, ConstrainedSystem, Constraint, Decompose, DecomposedCg, DiagonalKind, IncompleteCholesky,
    Mat3, Parts, PreconditionerKind, ProjectedCg, Settings, SolveStop, SparseCholesky, Ssor, Start, Vec3,
};
use systems::{fill_sheet, hanging_sheet};

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// Counts the allocations of each thread.
struct Counting;

fn count() {
    // a thread that is ending has no counter any more
    let _ = ALLOCATIONS.try_with(|allocations| allocations.set(allocations.get() + 1));
}

// SAFETY: every call is passed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations_of(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.with(Cell::get);
    work();
    ALLOCATIONS.with(Cell::get) - before
}

#[test]
fn the_counter_counts() {
    let mut kept = Vec::new();
    assert_eq!(allocations_of(|| kept = vec![1_u8; 100]), 1);
    assert_eq!(allocations_of(|| kept.reserve_exact(1000)), 1);
    assert_eq!(allocations_of(|| kept.push(2)), 0);
}

#[test]
fn a_warm_solve_allocates_nothing() {
    const SIDE: usize = 6;
    let mut problem = hanging_sheet(SIDE);
    let edges = systems::sheet_edges(SIDE);
    let mut solver = ProjectedCg::new(SIDE * SIDE);
    let mut cholesky = SparseCholesky::new(problem.matrix.pattern());
    for kind in [
        PreconditionerKind::BlockDiagonal(DiagonalKind::Diagonal),
        PreconditionerKind::BlockDiagonal(DiagonalKind::Constrained),
        PreconditionerKind::Triangular(&Ssor::ENTRY),
        PreconditionerKind::Triangular(&IncompleteCholesky::ENTRY),
        PreconditionerKind::Schwarz(Parts { rows: 8, overlap: 1, coarse: true }),
        PreconditionerKind::Aggregation,
    ] {
        let mut preconditioner = AnyPreconditioner::new(kind);
        preconditioner.factor(&problem.matrix, &problem.constraints).unwrap();
        for (start, kappa) in [(Start::Original, 5.0), (Start::Corrected, 50.0)] {
            let mut x = problem.guess.clone();
            let (mut directly, mut force) = (problem.guess.clone(), problem.guess.clone());
            let settings = Settings { start, tolerance_squared: 1e-20, error: None, iteration_limit: 1000 };
            let mut stop = None;
            let allocations = allocations_of(|| {
                fill_sheet(&mut problem.matrix, SIDE, &edges, kappa);
                preconditioner.factor(&problem.matrix, &problem.constraints).unwrap();
                stop = Some(solver.solve(&problem.system(), &mut x, &preconditioner, &settings).stop);
                cholesky.solve(&problem.system(), &mut directly).unwrap();
                problem.system().unprojected_residual(&directly, &mut force);
            });
            assert_eq!((allocations, stop), (0, Some(SolveStop::Converged)), "{kind:?} {start:?}");
            assert!(systems::relative_difference(&x, &directly) < 1e-8);
        }
    }
}

#[test]
fn a_warm_aggregation_of_several_levels_allocates_nothing() {
    let problem = hanging_sheet(24);
    let mut aggregation = Aggregation::new();
    aggregation.factor(&problem.matrix, &problem.constraints).unwrap();
    assert!(aggregation.unknowns().count() > 1);
    let mut solver = ProjectedCg::new(problem.rows());
    let mut x = problem.guess.clone();
    let settings = Settings { start: Start::Corrected, tolerance_squared: 1e-20, error: None, iteration_limit: 1000 };
    let mut stop = None;
    let allocations = allocations_of(|| {
        aggregation.factor(&problem.matrix, &problem.constraints).unwrap();
        stop = Some(solver.solve(&problem.system(), &mut x, &aggregation, &settings).stop);
    });
    assert_eq!((allocations, stop), (0, Some(SolveStop::Converged)));
}

#[test]
fn a_warm_decomposed_solve_allocates_nothing() {
    const SIDE: usize = 6;
    let edges = systems::sheet_edges(SIDE);
    for kind in [
        PreconditionerKind::BlockDiagonal(DiagonalKind::Constrained),
        PreconditionerKind::Triangular(&Ssor::ENTRY),
        PreconditionerKind::Triangular(&IncompleteCholesky::ENTRY),
    ] {
        let mut problem = hanging_sheet(SIDE);
        let all_free = problem.constraints.clone();
        // warm with most rows held and few blocks filled; then there are more of both
        problem.constraints[4..].fill(Constraint::Fixed);
        problem.matrix.clear();
        (0..SIDE * SIDE).for_each(|row| problem.matrix.add_diagonal(row, &Mat3::identity()));
        let mut solver = DecomposedCg::new(kind, Decompose::Serial);
        let settings = Settings { start: Start::Corrected, tolerance_squared: 1e-20, error: None, iteration_limit: 1000 };
        let mut x = problem.guess.clone();
        assert_eq!(solver.solve(&problem.system(), &mut x, &settings).components, 3);
        problem.constraints.copy_from_slice(&all_free);
        let mut report = None;
        let allocations = allocations_of(|| {
            fill_sheet(&mut problem.matrix, SIDE, &edges, 20.0);
            report = Some(solver.solve(&problem.system(), &mut x, &settings));
        });
        let (stop, components) = report.map(|report| (report.total.stop, report.components)).unzip();
        assert_eq!((allocations, stop, components), (0, Some(SolveStop::Converged), Some(1)), "{kind:?}");
    }
}

#[test]
fn a_solve_on_a_grid_allocates_nothing() {
    use linsolve::grid::{GridBlockDiagonal, GridCg, GridMultigrid, GridOperator, GridShape, GridSingle, STEPS};
    use linsolve::lanes::InstructionSet;
    const SIDE: usize = 24; // more rows than a chunk
    let shape = GridShape::new(SIDE, SIDE);
    let hanging = hanging_sheet(SIDE);
    let mut matrix = GridOperator::new(shape, InstructionSet::best());
    let mut preconditioner = GridBlockDiagonal::new(Some(DiagonalKind::Constrained), shape);
    let mut multigrid = GridMultigrid::new(shape);
    let mut rounded = GridMultigrid::in_single(shape);
    let mut solver = GridCg::new(shape);
    let settings = Settings { start: Start::Corrected, tolerance_squared: 1e-20, error: None, iteration_limit: 1000 };
    let mut x = hanging.guess.clone();
    let mut single = GridSingle::new(shape);
    let (mut report, mut by_multigrid, mut by_rounded, mut in_single) = (None, None, None, None);
    let allocations = allocations_of(|| {
        matrix.clear();
        for row in 0..shape.rows() {
            matrix.set_diagonal(row, 1.0);
            for other in (0..STEPS.len()).filter_map(|step| shape.after(row, step)) {
                let m = Vec3::new(1.0, (row % 7) as f64, 2.0);
                let place = shape.place(row, other).expect("a step");
                matrix.set_coupling(place, if place.is_near() { 0.5 } else { 0.0 }, &m);
            }
        }
        let system = ConstrainedSystem { operator: &matrix, b: &hanging.b, constraints: &hanging.constraints, z: &hanging.z };
        preconditioner.factor(&matrix, &hanging.constraints).expect("a positive definite matrix");
        report = Some(solver.solve(&system, &mut x, &preconditioner, &settings));
        x.copy_from_slice(&hanging.guess);
        multigrid.factor(&matrix, &hanging.constraints).expect("a positive definite matrix");
        by_multigrid = Some(solver.solve_by_multigrid(&system, &mut x, &mut multigrid, &settings));
        x.copy_from_slice(&hanging.guess);
        rounded.factor(&matrix, &hanging.constraints).expect("a positive definite matrix");
        by_rounded = Some(solver.solve_by_multigrid(&system, &mut x, &mut rounded, &settings));
        x.copy_from_slice(&hanging.guess);
        in_single = Some(solver.solve_in_single(&system, &mut x, &preconditioner, &mut single, &settings));
    });
    assert_eq!((allocations, report.map(|report| report.stop)), (0, Some(SolveStop::Converged)));
    for report in [by_multigrid, by_rounded] {
        assert_eq!(report.map(|report| report.total.stop), Some(SolveStop::Converged));
    }
    assert!(in_single.is_some_and(|report| report.total.stop == SolveStop::Converged && report.corrections > 1));
}

#[test]
fn direct_solvers_of_scalars_allocate_nothing_once_warm() {
    use linsolve::scalar::{ScalarCholesky, ScalarLdl, ScalarLu, ScalarOrderedLu, ScalarPattern};
    let pairs: Vec<_> = (1..200).map(|k| (k, k - 1)).chain((20..200).map(|k| (k, k - 20))).collect();
    let lower = ScalarPattern::lower(200, &pairs);
    let full = ScalarPattern::full(200, &pairs);
    let fill = |pattern: &ScalarPattern, values: &mut [f64], turn: usize| {
        values.fill(-1.0);
        (0..200).for_each(|k| values[pattern.place(k, k).expect("a diagonal")] = 4.5 + (k % 3 + turn) as f64);
    };
    let mut cholesky = ScalarCholesky::new(&lower);
    let mut ldl = ScalarLdl::new(&lower, &(0..200).map(Some).collect::<Vec<_>>());
    let (mut lu, mut ordered) = (ScalarLu::new(&full), ScalarOrderedLu::new(&full));
    let mut x = vec![0.0; 200];
    let mut work = |turn: usize, x: &mut [f64]| {
        fill(&lower, cholesky.values_mut(), turn);
        x.fill(1.0);
        assert!(cholesky.factor().is_ok());
        cholesky.solve(x);
        fill(&lower, ldl.values_mut(), turn);
        assert!(ldl.factor().is_ok() && ldl.solve(x).0 < 1e-12);
        fill(&full, lu.values_mut(), turn);
        assert!(lu.factor().is_ok() && lu.solve(x) < 1e-12);
        fill(&full, ordered.values_mut(), turn);
        assert!(ordered.factor().is_ok() && ordered.solve(x) < 1e-12);
    };
    work(0, &mut x);
    assert_eq!(allocations_of(|| (1..4).for_each(|turn| work(turn, &mut x))), 0);
    assert!(x[100] > 0.0);
}
