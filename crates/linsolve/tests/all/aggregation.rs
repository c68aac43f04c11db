//! Multigrid by aggregation, of sheets on solids and of nets without an order.

use crate::systems::solving::{CP, constraint_error, factored, solve, solve_directly};
use crate::systems::{Problem, add_springs, hanging_sheet, relative_difference};
use linsolve::{
    Aggregation, AnyPreconditioner, BlockPattern, BlockRows, Mat3, Preconditioner, PreconditionerKind, Settings, Start, Vec3,
};

const TIGHT: Settings = Settings { start: Start::Corrected, tolerance_squared: 1e-24, error: None, iteration_limit: 1000 };

#[test]
fn it_solves_a_sheet_on_a_solid_and_keeps_its_constraints() {
    let problem = hanging_sheet(24);
    let (report, x) = solve(&problem, PreconditionerKind::Aggregation, &TIGHT);
    assert!(report.stop.is_solved(), "{report:?}");
    assert!(relative_difference(&x, &solve_directly(&problem)) < 1e-9);
    assert!(constraint_error(&problem, &x) < 1e-15);
    let (by_blocks, _) = solve(&problem, CP, &TIGHT);
    assert!(2 * report.iterations < by_blocks.iterations, "{} and {}", report.iterations, by_blocks.iterations);
}

/// A ring of rows, each coupled with some that lie anywhere, by springs of any direction; a third of them slack.
fn net(rows: usize) -> Problem {
    let number = |k: usize| (k * 7919 % 1009) as f64 / 504.5 - 1.0;
    let edges: Vec<(usize, usize)> = (0..rows).flat_map(|row| [1, 7, 31].map(|step| (row, (row + step) % rows))).collect();
    let mut matrix = BlockRows::new(BlockPattern::new(rows, &edges));
    (0..rows).for_each(|row| matrix.add_diagonal(row, &Mat3::identity()));
    add_springs(&mut matrix, &edges, |edge| {
        let along = Vec3::new(number(edge), number(3 * edge + 1), number(5 * edge + 2)).normalize();
        if edge % 3 == 1 { Mat3::zeros() } else { 2000.0 * along * along.transpose() }
    });
    Problem::free(matrix, (0..rows).map(|row| Vec3::new(number(row), number(2 * row), 1.0)).collect())
}

#[test]
fn it_solves_nets_of_any_pattern() {
    let problem = net(500);
    let (report, x) = solve(&problem, PreconditionerKind::Aggregation, &TIGHT);
    assert!(report.stop.is_solved(), "{report:?}");
    assert!(relative_difference(&x, &solve_directly(&problem)) < 1e-9);
    let (by_blocks, _) = solve(&problem, CP, &TIGHT);
    assert!(report.iterations < by_blocks.iterations, "{} and {}", report.iterations, by_blocks.iterations);
}

#[test]
fn it_is_the_preconditioner_of_its_name() {
    let problem = hanging_sheet(12);
    let mut by_itself = Aggregation::new();
    by_itself.factor(&problem.matrix, &problem.constraints).expect("a positive definite matrix");
    let named: AnyPreconditioner = factored(&problem, PreconditionerKind::Aggregation);
    let mut both = [problem.b.clone(), problem.b.clone()];
    by_itself.apply(&problem.b, &mut both[0]);
    named.apply(&problem.b, &mut both[1]);
    assert_eq!(both[0], both[1]);
    assert_eq!(PreconditionerKind::Aggregation.name(), "aggregation");
}

#[test]
#[should_panic(expected = "that are factored")]
fn it_must_be_factored_first() {
    Aggregation::new().apply(&[Vec3::x()], &mut [Vec3::x()]);
}
