use proptest::prelude::*;

use super::coarse_tile::CoarseTile;
use super::coarsen_pass::{CoarsenMemory, CoarsenPass};
use super::coarsening::Coarsening;
use super::smoothing::{DAMPING, DefectPass, Smoothed};
use super::transfer::{Prolongation, Restriction, line_memory};
use crate::grid::constrained_tiles::ConstrainedTiles;
use crate::grid::residual_pass::ResidualPass;
use crate::grid::stencil::{By, Pending};
use crate::grid::tile::SymmetricTile;
use crate::grid::{GridMultigrid, GridOperator, GridShape, GridVector, LANES, STEPS};
use crate::lanes::InstructionSet;
use crate::{Constraint, Mat3, Operator, Vec3};

fn vector() -> impl Strategy<Value = Vec3> {
    (-1.0..1.0, -1.0..1.0, -1.0..1.0).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn constraint() -> impl Strategy<Value = Constraint> {
    (0..8, vector(), vector()).prop_filter_map("directions", |(ndof, first, second)| match ndof {
        0 => Some(Constraint::Fixed),
        1 => Constraint::line(first, second).ok(),
        2 => Constraint::plane(first).ok(),
        _ => Some(Constraint::Free),
    })
}

/// A matrix with two vectors and constraints of as many rows.
#[derive(Debug)]
struct Case {
    operator: GridOperator,
    constraints: Vec<Constraint>,
    vectors: [Vec<Vec3>; 2],
}

/// Couplings that are there or not and differ in stiffness by as much as `stiffest`, on a diagonal `mass`.
fn cases(mass: f64, stiffest: f64, sides: std::ops::Range<usize>) -> impl Strategy<Value = Case> {
    (sides.clone(), sides).prop_flat_map(move |(nx, ny)| {
        let shape = GridShape::new(nx, ny);
        let rows = shape.rows();
        let couplings = prop::collection::vec((any::<bool>(), 0.0..0.2, vector(), 0.0..1.0), STEPS.len() * rows);
        let vectors = || prop::collection::vec(vector(), rows);
        (couplings, prop::collection::vec(constraint(), rows), [vectors(), vectors()]).prop_map(
            move |(couplings, constraints, vectors)| {
                let mut operator = GridOperator::new(shape, InstructionSet::best());
                for row in 0..rows {
                    operator.set_diagonal(row, mass);
                    for step in 0..STEPS.len() {
                        let (acts, a, m, stiffness) = couplings[STEPS.len() * row + step];
                        let Some(other) = shape.after(row, step).filter(|_| acts) else { continue };
                        let stiffness: f64 = stiffest * stiffness;
                        let place = shape.place(row, other).unwrap();
                        let a = if place.is_near() { stiffness * a } else { 0.0 };
                        operator.set_coupling(place, a, &(stiffness.sqrt() * m));
                    }
                }
                Case { operator, constraints, vectors }
            },
        )
    })
}

fn dot(u: &[Vec3], v: &[Vec3]) -> f64 {
    u.iter().zip(v).map(|(u, v)| u.dot(v)).sum()
}

fn grid_vector(shape: GridShape, rows: &[Vec3]) -> GridVector {
    let mut vector = GridVector::new(shape);
    vector.set(rows.iter().copied());
    vector
}

/// S P⁻¹ S u.
fn preconditioned(case: &Case, multigrid: &mut GridMultigrid, u: &[Vec3]) -> Vec<Vec3> {
    let shape = multigrid.shape();
    let mut constrained = ConstrainedTiles::new(shape);
    constrained.fill(&case.constraints);
    let [mut r, mut h] = [grid_vector(shape, u), GridVector::new(shape)];
    let inverses = multigrid.inverses();
    let pass = ResidualPass { inverses, constrained: &constrained, alpha: 0.0, r: &mut r, h: &mut h };
    InstructionSet::best().run(pass);
    let delta = multigrid.cycle(&case.operator, &constrained, &r, &mut h);
    let (r, h): (Vec<_>, Vec<_>) = (r.iter().collect(), h.iter().collect());
    assert!((delta - dot(&r, &h)).abs() <= 1e-12 * delta.abs(), "{delta} {}", dot(&r, &h));
    h
}

/// P e.
fn prolonged(coarsening: &Coarsening, e: &[Vec3]) -> Vec<Vec3> {
    let coarse = grid_vector(coarsening.coarse, e);
    let mut fine = grid_vector(coarsening.fine, &vec![Vec3::repeat(1.0); coarsening.fine.rows()]);
    let line = &mut line_memory(coarsening);
    InstructionSet::best().run(Prolongation { coarsening, coarse: &coarse, factor: 0.0, fine: &mut fine, line });
    fine.iter().collect()
}

/// A motion that is linear, on rows that stand `spacing` apart along columns and lines.
fn linear(shape: GridShape, spacing: [usize; 2], by: &[Vec3; 3]) -> Vec<Vec3> {
    let place = |row: usize| ((row % shape.nx() * spacing[0]) as f64, (row / shape.nx() * spacing[1]) as f64);
    (0..shape.rows()).map(place).map(|(u, v)| by[0] + by[1] * u + by[2] * v).collect()
}

fn spacing(coarsening: &Coarsening) -> [usize; 2] {
    coarsening.halved.map(|halved| 1 + usize::from(halved))
}

/// uᵀ A u of the coarse matrix of an operator, without what holds it.
fn coarse_energy(coarsening: &Coarsening, operator: &GridOperator, u: &[Vec3]) -> f64 {
    let free = vec![Constraint::Free; coarsening.fine.rows()];
    held_energy(coarsening, operator, &free, &[], u)
}

/// uᵀ A u of the coarse matrix of an operator and of what holds it; `blocks` are the diagonal blocks of the operator.
fn held_energy(
    coarsening: &Coarsening,
    operator: &GridOperator,
    constraints: &[Constraint],
    blocks: &[SymmetricTile],
    u: &[Vec3],
) -> f64 {
    let shape = coarsening.coarse;
    let mut tiles = vec![CoarseTile::ZERO; shape.tiles()];
    let memory = &mut CoarsenMemory::new(coarsening);
    operator.run(CoarsenPass { coarsening, tiles: operator.tiles(), memory, coarse: &mut tiles });
    coarsening.hold(constraints, blocks, &mut tiles);
    let [r, x, mut t] = [GridVector::new(shape), grid_vector(shape, u), GridVector::new(shape)];
    let of = Smoothed { shape, tiles: &tiles, inverses: &[], constrained: &[] };
    InstructionSet::best().run(By::<_, false>(DefectPass {
        of: &of,
        pending: &mut Pending::new(shape),
        r: &r,
        x: &x,
        t: &mut t,
    }));
    -dot(u, &t.iter().collect::<Vec<_>>()) / DAMPING
}

proptest! {
    #[test]
    fn interpolation_reproduces_constants_and_linear_motions(
        nx in 1..20_usize, ny in 1..20_usize, by in prop::array::uniform3(vector()),
    ) {
        let coarsening = Coarsening::new(GridShape::new(nx, ny));
        let fine = prolonged(&coarsening, &linear(coarsening.coarse, spacing(&coarsening), &by));
        for (fine, expected) in fine.iter().zip(linear(coarsening.fine, [1, 1], &by)) {
            prop_assert!((fine - expected).amax() < 1e-13, "{fine} {expected}");
        }
    }

    #[test]
    fn restriction_is_the_transpose_of_interpolation(case in cases(1.0, 1.0, 1..20)) {
        let coarsening = &Coarsening::new(case.operator.shape());
        let [fine, e] = &case.vectors;
        let e = &e[..coarsening.coarse.rows()];
        let mut restricted = GridVector::new(coarsening.coarse);
        let fine_vector = grid_vector(coarsening.fine, fine);
        let line = &mut line_memory(coarsening);
        InstructionSet::best().run(Restriction { coarsening, fine: &fine_vector, coarse: &mut restricted, line });
        let restricted: Vec<_> = restricted.iter().collect();
        let (one, other) = (dot(&restricted, e), dot(fine, &prolonged(coarsening, e)));
        prop_assert!((one - other).abs() < 1e-12, "{one} {other}");
    }

    #[test]
    fn coarse_matrices_have_the_energy_of_linear_motions(
        case in cases(0.0, 1.0, 3..20), by in prop::array::uniform3(vector()),
    ) {
        let coarsening = Coarsening::new(case.operator.shape());
        let fine = linear(coarsening.fine, [1, 1], &by);
        let mut product = fine.clone();
        case.operator.apply(&fine, &mut product);
        let coarse = coarse_energy(&coarsening, &case.operator, &linear(coarsening.coarse, [2, 2], &by));
        prop_assert!((coarse - dot(&fine, &product)).abs() < 1e-9 * (1.0 + coarse), "{coarse} {}", dot(&fine, &product));
    }

    #[test]
    fn coarse_matrices_have_the_mass_of_fine_ones(nx in 1..20_usize, ny in 1..20_usize, mass in 0.1..2.0, u in vector()) {
        let shape = GridShape::new(nx, ny);
        let mut operator = GridOperator::new(shape, InstructionSet::best());
        (0..shape.rows()).for_each(|row| operator.set_diagonal(row, mass));
        let coarsening = Coarsening::new(shape);
        let coarse = coarse_energy(&coarsening, &operator, &vec![u; coarsening.coarse.rows()]);
        let expected = mass * shape.rows() as f64 * u.norm_squared();
        prop_assert!((coarse - expected).abs() < 1e-12 * expected, "{coarse} {expected}");
    }

    #[test]
    fn coarse_rows_are_held_by_the_energy_of_what_is_prescribed(case in cases(1.0, 1.0, 1..20), u in vector()) {
        let Case { operator, constraints, .. } = &case;
        let coarsening = Coarsening::new(operator.shape());
        let mut diagonal = vec![Mat3::zeros(); constraints.len()];
        operator.diagonal_blocks(&mut diagonal);
        let mut blocks = vec![SymmetricTile::ZERO; operator.shape().tiles()];
        diagonal.iter().enumerate().for_each(|(row, block)| blocks[row / LANES].set(row % LANES, block));
        let shift = vec![u; coarsening.coarse.rows()];
        let held = held_energy(&coarsening, operator, constraints, &blocks, &shift) - coarse_energy(&coarsening, operator, &shift);
        let energies = constraints.iter().zip(&diagonal).map(|(constraint, block)| {
            let prescribed = u - constraint.projection() * u;
            prescribed.dot(&(block * prescribed)) // ((I - S) u)·D (I - S) u
        });
        let expected = energies.sum::<f64>();
        prop_assert!((held - expected).abs() < 1e-10 * (1.0 + expected), "{held} {expected}");
    }

    #[test]
    fn it_is_symmetric_positive_definite_on_the_range(case in cases(1.0, 1e3, 1..16)) {
        let mut multigrid = GridMultigrid::new(case.operator.shape());
        multigrid.factor(&case.operator, &case.constraints)?;
        let [u, v] = &case.vectors;
        let [pu, pv] = [u, v].map(|u| preconditioned(&case, &mut multigrid, u));
        let (one, other) = (dot(v, &pu), dot(u, &pv));
        let scale = (dot(u, &pu) * dot(v, &pv)).sqrt();
        prop_assert!((one - other).abs() <= 1e-11 * scale, "{one} {other}");
        let mut range = u.clone();
        crate::project(&case.constraints, &mut range);
        // P⁻¹ is at least what two steps of smoothing make of D⁻¹: (2 - 2 DAMPING) DAMPING D⁻¹
        let blocks = (0..range.len()).map(|row| {
            let inverse = multigrid.inverses()[row / LANES].block(row % LANES);
            range[row].dot(&(inverse * range[row]))
        });
        let least = (2.0 - 2.0 * DAMPING) * DAMPING * blocks.sum::<f64>();
        prop_assert!(dot(u, &pu) >= (1.0 - 1e-9) * least, "{} {least}", dot(u, &pu));
        for (row, constraint) in case.constraints.iter().enumerate() {
            let mut projected = pu[row];
            constraint.project(&mut projected);
            prop_assert!((projected - pu[row]).amax() < 1e-13, "row {row} leaves the range");
        }
    }

    #[test]
    fn what_cannot_be_coarsened_is_solved(case in cases(1.0, 10.0, 1..3)) {
        let free = Case { constraints: vec![Constraint::Free; case.constraints.len()], ..case };
        let mut multigrid = GridMultigrid::new(free.operator.shape());
        multigrid.factor(&free.operator, &free.constraints)?;
        let h = preconditioned(&free, &mut multigrid, &free.vectors[0]);
        let mut product = h.clone();
        free.operator.apply(&h, &mut product);
        for (product, r) in product.iter().zip(&free.vectors[0]) {
            prop_assert!((product - r).amax() < 1e-12, "{product} {r}");
        }
    }
}

#[test]
fn grids_of_any_size_come_down_to_a_few_rows() {
    for (nx, ny, levels) in
        [(1, 1, 2), (2, 2, 2), (3, 3, 2), (1, 9, 2), (4, 4, 2), (5, 1, 2), (40, 40, 6), (3, 100, 7), (320, 320, 9)]
    {
        let multigrid = GridMultigrid::new(GridShape::new(nx, ny));
        assert_eq!(multigrid.levels(), levels, "{nx} x {ny}");
    }
}

#[test]
fn couplings_to_neighbours_alone_give_the_bits_of_all_steps() {
    let shape = GridShape::new(21, 14);
    let mut near = GridOperator::new(shape, InstructionSet::best());
    for row in 0..shape.rows() {
        near.set_diagonal(row, 0.1);
        for step in [0, 2, 3, 4] {
            let Some(other) = shape.after(row, step) else { continue };
            let along = Vec3::new(libm::sin((row + step) as f64), 0.3, libm::cos((3 * row) as f64));
            near.set_coupling(shape.place(row, other).unwrap(), 0.2, &along);
        }
    }
    let mut all = near.clone();
    let far = shape.place(0, 2).unwrap();
    for length in [1.0, 0.0] {
        all.set_coupling(far, 0.0, &(length * Vec3::x()));
    }
    let constraints: Vec<Constraint> =
        (0..shape.rows()).map(|row| if row == 5 { Constraint::Fixed } else { Constraint::Free }).collect();
    let u: Vec<Vec3> = (0..shape.rows()).map(|row| Vec3::new(1.0, row as f64, libm::sin(row as f64))).collect();
    let [near, all] = [near, all].map(|operator| {
        let mut multigrid = GridMultigrid::new(shape);
        multigrid.factor(&operator, &constraints).unwrap();
        preconditioned(&Case { operator, constraints: constraints.clone(), vectors: [vec![], vec![]] }, &mut multigrid, &u)
    });
    assert_eq!(near, all);
    assert!(near.iter().any(|row| row.norm() > 0.1));
}
