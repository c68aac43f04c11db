//! Systems on a grid against the general form.

use crate::systems::{constraint, relative_difference, vector};
use linsolve::grid::{
    Coupling as Eightfold, Couplings, GridAssembly, GridBlockDiagonal, GridCg, GridChoice, GridOperator, GridShape, GridVector,
    STEPS,
};
use linsolve::lanes::{Eight, InstructionSet};
use linsolve::{
    BlockDiagonal, BlockPattern, BlockRows, Breakdown, ConstrainedSystem, Constraint, Decompose, DecomposedCg, DecomposedReport,
    DiagonalKind, Identity, Mat3, Operator, Preconditioner, PreconditionerKind, ProjectedCg, Settings, SolveReport, SolveStop,
    Start, Vec3,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree;

const KINDS: [Option<DiagonalKind>; 4] =
    [None, Some(DiagonalKind::Diagonal), Some(DiagonalKind::ABlock), Some(DiagonalKind::Constrained)];

/// One system in both forms.
#[derive(Clone, Debug)]
struct Pair {
    shape: GridShape,
    grid: GridOperator,
    general: BlockRows,
    b: Vec<Vec3>,
    constraints: Vec<Constraint>,
    z: Vec<Vec3>,
    guess: Vec<Vec3>,
}

/// A coupling: whether it acts, a, and m.
type Coupling = (bool, f64, Vec3);

impl Pair {
    /// With a coupling for each row and step, of which those that leave the grid are left out.
    fn new(
        shape: GridShape,
        masses: &[f64],
        couplings: &[Coupling],
        vectors: [Vec<Vec3>; 3],
        constraints: Vec<Constraint>,
    ) -> Pair {
        let inside = (0..shape.rows() * STEPS.len())
            .filter_map(|k| Some((k / STEPS.len(), shape.after(k / STEPS.len(), k % STEPS.len())?, couplings[k])));
        let inside: Vec<_> = inside.collect();
        let edges: Vec<_> = inside.iter().map(|&(i, j, _)| (i, j)).collect();
        let mut general = BlockRows::new(BlockPattern::new(shape.rows(), &edges));
        let mut grid = GridOperator::new(shape, InstructionSet::best());
        for (row, mass) in masses.iter().enumerate() {
            general.add_diagonal(row, &(*mass * Mat3::identity()));
            grid.set_diagonal(row, *mass);
        }
        for (edge, &(i, j, (acts, a, m))) in inside.iter().enumerate() {
            if acts {
                let place = shape.place(j, i).expect("a step of the grid");
                let a = if place.is_near() { a } else { 0.0 };
                let block = a * Mat3::identity() + m * m.transpose();
                general.add_diagonal(i, &block);
                general.add_diagonal(j, &block);
                general.add_pair(edge, &-block);
                grid.set_coupling(place, a, &m);
            }
        }
        let [b, z, guess] = vectors;
        Pair { shape, grid, general, b, constraints, z, guess }
    }

    fn system<'a, O>(&'a self, operator: &'a O) -> ConstrainedSystem<'a, O> {
        ConstrainedSystem { operator, b: &self.b, constraints: &self.constraints, z: &self.z }
    }

    fn solve(&self, kind: Option<DiagonalKind>, settings: &Settings) -> (Vec<Vec3>, SolveReport) {
        let mut preconditioner = GridBlockDiagonal::new(kind, self.shape);
        preconditioner.factor(&self.grid, &self.constraints).expect("a positive definite matrix");
        let mut x = self.guess.clone();
        let report = GridCg::new(self.shape).solve(&self.system(&self.grid), &mut x, &preconditioner, settings);
        (x, report)
    }

    fn solve_generally(&self, kind: Option<DiagonalKind>, settings: &Settings) -> (Vec<Vec3>, SolveReport) {
        let mut blocks = BlockDiagonal::new(kind.unwrap_or(DiagonalKind::Diagonal));
        blocks.factor(&self.general, &self.constraints).expect("a positive definite matrix");
        let preconditioner: &dyn Preconditioner = if kind.is_some() { &blocks } else { &Identity };
        let mut x = self.guess.clone();
        let report = ProjectedCg::new(x.len()).solve(&self.system(&self.general), &mut x, preconditioner, settings);
        (x, report)
    }

    /// A x by lanes on an instruction set.
    fn product(&self, set: InstructionSet, x: &[Vec3]) -> Vec<Vec3> {
        let mut operator = self.grid.clone();
        operator.run_on(set);
        let [mut from, mut to] = [GridVector::new(self.shape), GridVector::new(self.shape)];
        from.set(x.iter().copied());
        operator.product().apply(&operator, &from, &mut to);
        to.iter().collect()
    }
}

/// Couplings of which rounding in the order of sums grows little: a few iterations solve the system.
const SOFT: f64 = 0.1;
/// Couplings that rule the system.
const STIFF: f64 = 16.0;

/// Grids of `nx` x `ny` rows with random couplings, half of which act, all times `stiffness`.
fn pair(nx: usize, ny: usize, stiffness: f64) -> impl Strategy<Value = Pair> {
    thinned(nx, ny, stiffness, 0.5)
}

/// A pair of which a `share` of the couplings act.
fn thinned(nx: usize, ny: usize, stiffness: f64, share: f64) -> impl Strategy<Value = Pair> {
    let rows = nx * ny;
    let vectors = || prop::collection::vec(vector(), rows);
    (
        prop::collection::vec(0.5..2.0, rows),
        prop::collection::vec((prop::bool::weighted(share), 0.0..0.2, vector()), STEPS.len() * rows),
        [vectors(), vectors(), vectors()],
        prop::collection::vec(prop_oneof![4 => Just(Constraint::Free), 1 => constraint()], rows),
    )
        .prop_map(move |(masses, couplings, vectors, constraints)| {
            let scaled = couplings.into_iter().map(|(acts, a, m)| (acts, stiffness * a, stiffness.sqrt() * m));
            Pair::new(GridShape::new(nx, ny), &masses, &scaled.collect::<Vec<Coupling>>(), vectors, constraints)
        })
}

fn starts() -> impl Strategy<Value = Start> {
    prop_oneof![Just(Start::Original), Just(Start::Corrected), Just(Start::FirstResidual)]
}

fn pairs(stiffness: f64) -> impl Strategy<Value = Pair> {
    (1..20_usize, 1..9_usize).prop_flat_map(move |(nx, ny)| pair(nx, ny, stiffness))
}

/// More rows than two chunks hold, the last one not full.
fn large_pair() -> Pair {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    pair(37, 31, STIFF).new_tree(&mut runner).expect("a system").current()
}

fn dot(u: &[Vec3], v: &[Vec3]) -> f64 {
    u.iter().zip(v).map(|(u, v)| u.dot(v)).sum()
}

proptest! {
    #[test]
    fn systems_in_components_are_solved_as_in_the_general_form(
        pair in (1..20_usize, 1..9_usize, 0.02..0.5).prop_flat_map(|(nx, ny, share)| thinned(nx, ny, SOFT, share)),
    ) {
        for (k, start) in [Start::Corrected, Start::Original, Start::FirstResidual].into_iter().enumerate() {
            for (kind, decompose) in KINDS.into_iter().zip([Decompose::Serial, Decompose::Threaded].into_iter().cycle().skip(k)) {
                let kind = kind.map_or(PreconditionerKind::None, PreconditionerKind::BlockDiagonal);
                let settings = Settings { start, tolerance_squared: 1e-10, error: None, iteration_limit: 500 };
                let [mut grid, mut general] = [decompose; 2].map(|decompose| DecomposedCg::new(kind, decompose));
                let (mut x, mut expected) = (pair.guess.clone(), pair.guess.clone());
                let report = grid.solve_on_grid(&pair.system(&pair.grid), &mut x, &settings);
                let general_report = general.solve(&pair.system(&pair.general), &mut expected, &settings);
                let counts = |report: &DecomposedReport| {
                    let SolveReport { stop, iterations, products, row_vector_count, row_vector_count_free, .. } = report.total;
                    (stop, iterations, products, [row_vector_count, row_vector_count_free], report.components, report.largest)
                };
                prop_assert_eq!(counts(&report), counts(&general_report), "{:?} {:?}", kind, start);
                prop_assert_eq!(grid.groups(), general.groups());
                let apart = x.iter().zip(&expected).map(|(x, y)| (x - y).amax()).fold(0.0, f64::max);
                prop_assert!(apart < 1e-11, "{kind:?} {start:?}: {apart}");
            }
        }
    }
}

#[test]
fn a_breakdown_in_a_large_component_is_told_with_its_row() {
    let mut pair = large_pair();
    pair.grid.set_diagonal(100, f64::NAN);
    pair.constraints[100] = Constraint::Free;
    let settings = Settings { start: Start::Corrected, tolerance_squared: 1e-10, error: None, iteration_limit: 500 };
    let mut solver = DecomposedCg::new(PreconditionerKind::BlockDiagonal(DiagonalKind::ABlock), Decompose::Serial);
    let mut x = pair.guess.clone();
    let report = solver.solve_on_grid(&pair.system(&pair.grid), &mut x, &settings);
    assert_eq!(report.breakdown, Some(Breakdown::NotFinite { row: 100 }));
    assert_eq!((report.total.stop, report.unsolved), (SolveStop::NotFinite, 1));
}

proptest! {
    #[test]
    fn couplings_to_neighbours_alone_give_the_bits_of_all_steps(pair in pairs(STIFF), far in any::<prop::sample::Index>()) {
        let mut near = pair.grid.clone();
        let all = pair.shape.pairs().into_iter().map(|(i, j)| pair.shape.place(i, j).expect("a step of the grid"));
        let far_places: Vec<_> = all.filter(|place| !place.is_near()).collect();
        prop_assume!(!far_places.is_empty());
        near.clear();
        for row in 0..pair.shape.rows() {
            near.set_diagonal(row, 1.0 + row as f64);
        }
        for (k, &(i, j)) in pair.shape.pairs().iter().enumerate() {
            let place = pair.shape.place(i, j).expect("a step of the grid");
            if place.is_near() && k % 3 > 0 {
                near.set_coupling(place, 0.1, &pair.b[i]);
            }
        }
        let mut by_all = near.clone();
        let place = far_places[far.index(far_places.len())];
        by_all.set_coupling(place, 0.0, &Vec3::x());
        by_all.set_coupling(place, 0.0, &Vec3::zeros()); // which leaves the matrix as it was, but one of all steps
        prop_assert_ne!(format!("{near:?}"), format!("{by_all:?}"));
        let settings = Settings { start: Start::Corrected, tolerance_squared: 1e-12, error: None, iteration_limit: 100 };
        for set in InstructionSet::supported() {
            let solutions = [&near, &by_all].map(|grid| {
                let mut pair = Pair { grid: grid.clone(), ..pair.clone() };
                pair.grid.run_on(set);
                let product = pair.product(set, &pair.z);
                (product, KINDS.map(|kind| pair.solve(kind, &settings)))
            });
            prop_assert_eq!(&solutions[0], &solutions[1], "{}", set);
        }
    }

    #[test]
    fn products_agree_with_the_general_form(pair in pairs(STIFF)) {
        let mut expected = vec![Vec3::zeros(); pair.b.len()];
        pair.general.apply(&pair.b, &mut expected);
        let mut textbook = vec![Vec3::repeat(f64::NAN); pair.b.len()];
        pair.grid.apply(&pair.b, &mut textbook);
        prop_assert!(relative_difference(&textbook, &expected) < 1e-13, "{textbook:?} {expected:?}");
        let lanes = pair.product(InstructionSet::best(), &pair.b);
        prop_assert!(relative_difference(&lanes, &expected) < 1e-13, "{lanes:?} {expected:?}");
    }

    #[test]
    fn products_are_symmetric(pair in pairs(STIFF)) {
        let [au, av] = [&pair.b, &pair.z].map(|v| pair.product(InstructionSet::best(), v));
        let (one, other) = (dot(&pair.z, &au), dot(&pair.b, &av));
        prop_assert!((one - other).abs() < 1e-13 * dot(&au, &au).max(dot(&av, &av)).max(1.0), "{one} {other}");
    }

    #[test]
    fn diagonal_blocks_agree_with_the_general_form(pair in pairs(STIFF)) {
        let mut blocks = vec![Mat3::zeros(); pair.b.len()];
        pair.grid.diagonal_blocks(&mut blocks);
        for (row, block) in blocks.iter().enumerate() {
            let expected = pair.general.diagonal(row);
            prop_assert!((block - expected).amax() < 1e-13 * expected.amax(), "row {row}: {block} {expected}");
        }
    }

    #[test]
    fn solves_agree_with_the_general_form(pair in pairs(SOFT), start in starts(), limit in prop_oneof![Just(3), Just(1000)]) {
        let settings = Settings { start, tolerance_squared: 1e-16, error: None, iteration_limit: limit };
        for kind in KINDS {
            let ((x, report), (expected, general)) = (pair.solve(kind, &settings), pair.solve_generally(kind, &settings));
            prop_assert!(relative_difference(&x, &expected) < 1e-11, "{kind:?} {report:?} {general:?}");
            let counts = |report: &SolveReport| {
                (report.stop, report.iterations, report.products, report.row_vector_count, report.row_vector_count_free)
            };
            prop_assert_eq!(counts(&report), counts(&general), "{:?}", kind);
        }
    }

    #[test]
    fn tight_solves_meet_their_equations_and_constraints(pair in pairs(STIFF)) {
        let settings = Settings { start: Start::Corrected, tolerance_squared: 1e-24, error: None, iteration_limit: 10_000 };
        for kind in KINDS {
            let (x, report) = pair.solve(kind, &settings);
            prop_assert!(report.stop.is_solved(), "{kind:?} {report:?}");
            let mut left = vec![Vec3::zeros(); x.len()];
            pair.system(&pair.grid).unprojected_residual(&x, &mut left);
            for (row, constraint) in pair.constraints.iter().enumerate() {
                constraint.project(&mut left[row]);
                let mut imposed = x[row];
                constraint.impose(&pair.z[row], &mut imposed);
                prop_assert!((imposed - x[row]).amax() < 1e-14, "row {row}, {kind:?}");
            }
            prop_assert!(left.iter().all(|left| left.amax() < 1e-9), "{kind:?} {report:?}");
        }
    }
}

#[test]
fn every_instruction_set_gives_the_same_bits() {
    let mut pair = large_pair();
    let settings = Settings { start: Start::Corrected, tolerance_squared: 1e-12, error: None, iteration_limit: 1000 };
    let portable = (pair.product(InstructionSet::Portable, &pair.b), {
        pair.grid.run_on(InstructionSet::Portable);
        pair.solve(Some(DiagonalKind::Constrained), &settings)
    });
    assert!(portable.1.1.iterations > 10, "{:?}", portable.1.1);
    for set in InstructionSet::supported() {
        let product = pair.product(set, &pair.b);
        pair.grid.run_on(set);
        assert_eq!((product, pair.solve(Some(DiagonalKind::Constrained), &settings)), portable, "{set}");
    }
}

#[test]
fn solves_over_several_chunks_agree_with_the_general_form() {
    let pair = large_pair();
    assert!(pair.shape.rows() > 2 * 512 && !pair.shape.rows().is_multiple_of(8));
    let settings = Settings { start: Start::Original, tolerance_squared: 1e-12, error: None, iteration_limit: 1000 };
    for kind in KINDS {
        let ((x, report), (expected, general)) = (pair.solve(kind, &settings), pair.solve_generally(kind, &settings));
        assert!(relative_difference(&x, &expected) < 1e-6, "{kind:?} {report:?} {general:?}");
        assert!(
            report.stop == SolveStop::Converged && report.iterations.abs_diff(general.iterations) <= 1,
            "{report:?} {general:?}"
        );
    }
}

#[test]
fn a_zero_right_side_takes_no_iteration() {
    let mut pair = large_pair();
    for vector in [&mut pair.b, &mut pair.z, &mut pair.guess] {
        vector.fill(Vec3::zeros());
    }
    for start in [Start::Original, Start::Corrected] {
        let settings = Settings { start, tolerance_squared: 0.0, error: None, iteration_limit: 10 };
        let solved = pair.solve(None, &settings);
        assert_eq!(solved, pair.solve_generally(None, &settings));
        assert_eq!((solved.1.stop, solved.1.products), (SolveStop::ZeroRightSide, 0));
    }
}

#[test]
fn a_workspace_can_be_used_again_whatever_it_held() {
    let mut pair = large_pair();
    pair.constraints.fill(Constraint::Free);
    let settings = Settings { start: Start::Corrected, tolerance_squared: 1e-10, error: None, iteration_limit: 1000 };
    let mut preconditioner = GridBlockDiagonal::new(Some(DiagonalKind::ABlock), pair.shape);
    preconditioner.factor(&pair.grid, &pair.constraints).unwrap();
    let mut solver = GridCg::new(pair.shape);
    let expected = pair.solve(Some(DiagonalKind::ABlock), &settings);
    let last = pair.shape.rows() - 1;
    let [mut b, mut guess] = [pair.b.clone(), pair.guess.clone()];
    b[5].x = f64::NAN;
    guess[last] = Vec3::repeat(f64::NAN); // which reaches what lies behind the last row
    for (b, guess) in [(&b, &pair.guess), (&pair.b, &guess)] {
        let mut x = guess.clone();
        let system = ConstrainedSystem { b, ..pair.system(&pair.grid) };
        assert_eq!(solver.solve(&system, &mut x, &preconditioner, &settings).stop, SolveStop::NotFinite);
    }
    let mut x = pair.guess.clone();
    let report = solver.solve(&pair.system(&pair.grid), &mut x, &preconditioner, &settings);
    assert_eq!((x, report), expected);
}

#[test]
fn indefinite_and_infinite_matrices_are_told() {
    let shape = GridShape::new(3, 2);
    let free = vec![Constraint::Free; 6];
    let settings = Settings { start: Start::Corrected, tolerance_squared: 1e-12, error: None, iteration_limit: 100 };
    for (value, stop, breakdown) in [
        (-1.0, SolveStop::NotPositiveDefinite, Breakdown::NotPositiveDefinite { row: 0 }),
        (f64::NAN, SolveStop::NotFinite, Breakdown::NotFinite { row: 0 }),
    ] {
        let mut grid = GridOperator::new(shape, InstructionSet::best());
        (0..6).for_each(|row| grid.set_diagonal(row, value));
        let mut preconditioner = GridBlockDiagonal::new(Some(DiagonalKind::ABlock), shape);
        assert_eq!(preconditioner.factor(&grid, &free), Err(breakdown)); // and is I
        let zeros = [Vec3::zeros(); 6];
        let system = ConstrainedSystem { operator: &grid, b: &[Vec3::x(); 6], constraints: &free, z: &zeros };
        let report = GridCg::new(shape).solve(&system, &mut zeros.clone(), &preconditioner, &settings);
        assert_eq!((report.stop, report.iterations, report.products), (stop, 0, 1));
        grid.clear();
        (0..6).for_each(|row| grid.set_diagonal(row, 2.0));
        let system = ConstrainedSystem { operator: &grid, b: &[Vec3::x(); 6], constraints: &free, z: &zeros };
        let mut x = zeros;
        let report = GridCg::new(shape).solve(&system, &mut x, &preconditioner, &settings);
        assert_eq!((report.stop, report.iterations, x), (SolveStop::Converged, 1, [0.5 * Vec3::x(); 6]));
    }
}

#[test]
#[should_panic(expected = "shapes of the operator and of the workspace")]
fn a_workspace_of_another_shape_is_refused() {
    let pair = large_pair();
    let preconditioner = GridBlockDiagonal::new(None, pair.shape);
    let settings = Settings { start: Start::Corrected, tolerance_squared: 1e-12, error: None, iteration_limit: 1 };
    let turned = GridShape::new(pair.shape.ny(), pair.shape.nx());
    GridCg::new(turned).solve(&pair.system(&pair.grid), &mut pair.guess.clone(), &preconditioner, &settings);
}

#[test]
fn what_stands_in_fixed_rows_of_the_right_side_does_not_matter() {
    let mut pair = large_pair();
    pair.constraints[40] = Constraint::Fixed;
    let settings = Settings { start: Start::Corrected, tolerance_squared: 1e-12, error: None, iteration_limit: 1000 };
    let expected = pair.solve(Some(DiagonalKind::Constrained), &settings);
    pair.b[40] = Vec3::repeat(f64::NAN);
    assert_eq!(pair.solve(Some(DiagonalKind::Constrained), &settings), expected);
}

#[test]
#[should_panic(expected = "a = 0.5 of rows that are no neighbours")]
fn what_a_coupling_beyond_neighbours_cannot_keep_is_refused() {
    let shape = GridShape::new(3, 1);
    let mut grid = GridOperator::new(shape, InstructionSet::best());
    grid.set_coupling(shape.place(0, 1).expect("a neighbour"), 0.5, &Vec3::x());
    let place = shape.place(0, 2).expect("one that is none");
    grid.set_coupling(place, 0.0, &Vec3::x());
    grid.set_coupling(place, 0.5, &Vec3::x());
}

/// Couplings of numbers that any row and step have, some of which do not act and are no numbers.
struct Numbers;

/// a, m and the force of a coupling.
const PARTS: usize = 7;

fn number(row: usize, step: usize, part: usize) -> f64 {
    if part == 0 && [1, 5, 6, 7].contains(&step) {
        return 0.0; // a, beyond neighbours
    }
    ((row * 7919 + step * 613 + part * 97) % 1009) as f64 / 100.0 - 3.0
}

fn acts(row: usize, step: usize) -> bool {
    step < 7 && !(row + step).is_multiple_of(5)
}

impl Couplings for Numbers {
    #[inline(always)]
    fn diagonal<E: Eight>(&self, row: usize) -> (E, [E; 3]) {
        let part = |part| E::load(&std::array::from_fn(|lane| number(row + lane, 8, part)));
        (part(0), [part(1), part(2), part(3)])
    }

    #[inline(always)]
    fn coupling<E: Eight>(&self, step: usize, row: usize, other: usize, _chosen: u8) -> Option<Eightfold<E>> {
        let (columns, lines) = STEPS[step];
        assert!(other >= row && other - row <= 2 * lines * 80 + 2, "{columns} columns, {lines} lines: {row} to {other}");
        if step == 7 {
            return None;
        }
        let mut lanes = 0;
        (0..8).for_each(|lane| lanes |= u8::from(acts(row + lane, step)) << lane);
        let part = |part| {
            let number = |lane| if acts(row + lane, step) { number(row + lane, step, part) } else { f64::NAN };
            E::load(&std::array::from_fn(number))
        };
        Some(Eightfold { acts: lanes, a: part(0), m: [part(1), part(2), part(3)], force: [part(4), part(5), part(6)] })
    }
}

#[test]
fn what_is_assembled_eight_at_a_time_is_what_is_set_one_by_one() {
    let shapes = [(1, 1), (1, 9), (9, 1), (2, 2), (2, 30), (3, 7), (8, 8), (17, 5), (40, 40)];
    for ((nx, ny), only_neighbours) in shapes.into_iter().flat_map(|shape| [(shape, false), (shape, true)]) {
        let shape = GridShape::new(nx, ny);
        let mut expected = GridOperator::new(shape, InstructionSet::best());
        let [mut choice, mut everything] = [GridChoice::new(shape), GridChoice::new(shape)];
        let start: Vec<Vec3> = (0..shape.rows()).map(|row| Vec3::repeat(row as f64)).collect();
        let mut forces = start.clone();
        for row in 0..shape.rows() {
            for step in 0..8 {
                let Some(other) = shape.after(row, step) else { continue };
                let place = shape.place(row, other).expect("a step of the grid");
                let chosen = !(row * 3 + step).is_multiple_of(4) && (place.is_near() || !only_neighbours);
                choice.add(place, chosen);
                everything.add(place, true);
                if chosen && acts(row, step) {
                    let [a, x, y, z, fx, fy, fz] = std::array::from_fn::<f64, PARTS, _>(|part| number(row, step, part));
                    expected.set_coupling(place, a, &Vec3::new(x, y, z));
                    forces[row] += Vec3::new(fx, fy, fz);
                    forces[other] -= Vec3::new(fx, fy, fz);
                }
            }
            expected.set_diagonal(row, number(row, 8, 0));
        }
        let own = (0..shape.rows()).map(|row| Vec3::new(number(row, 8, 1), number(row, 8, 2), number(row, 8, 3)));
        let sums: Vec<Vec3> = forces.iter().zip(own).map(|(force, own)| force + own).collect();

        let mut assembly = GridAssembly::new(shape);
        for set in InstructionSet::supported() {
            let mut assembled = GridOperator::new(shape, set);
            assembly.assemble(&Numbers, &everything, &mut assembled, &mut start.clone()); // of which nothing stays
            for _ in 0..2 {
                let mut b = start.clone();
                assembled.run_on(set);
                assembly.assemble(&Numbers, &choice, &mut assembled, &mut b);
                assembled.run_on(InstructionSet::best());
                assert_eq!(format!("{assembled:?}"), format!("{expected:?}"), "{nx} x {ny} on {set}");
                assert!(relative_difference(&b, &sums) < 1e-14, "{nx} x {ny} on {set}");
            }
            let mut f = start.clone();
            assembly.add_forces(&Numbers, &choice, set, &mut f);
            assert!(relative_difference(&f, &forces) < 1e-14, "{nx} x {ny} on {set}");
        }
    }
}
