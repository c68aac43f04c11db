//! Linear systems and forces of a sheet on a grid, eight springs at a time, against those in block rows, spring by spring.

use cloth::{
    BendLaw, Cloth, DampingForm, Drag, Elastic, Family, Grid, GridSprings, Linearisation, Mat3, Material, Spring, State,
    Stiffening, System, Terms, Vec3,
};
use linsolve::grid::GridOperator;
use linsolve::lanes::InstructionSet;
use linsolve::{BlockPattern, BlockRows, Operator};
use proptest::prelude::*;

const SIZES: [[usize; 2]; 6] = [[2, 2], [2, 9], [9, 2], [3, 7], [7, 5], [17, 5]];

/// Particles of the largest of them.
const MOST: usize = 85;

fn sheet([nx, ny]: [usize; 2], bend: f64, damping: DampingForm, compression: bool, stiffening: Option<Stiffening>) -> Cloth {
    let material = Material {
        stretch: Elastic { stiffness: 80.0, damping: 3.0 },
        shear: Elastic { stiffness: 30.0, damping: 2.0 },
        bend,
        damping,
        compression,
        stiffening,
        air: 0.3,
        drag: Some(Drag { air_density: 1.2, coefficient: 1.0, wind: Vec3::x() }),
        ..Material::default()
    };
    Cloth::new(Grid::new(nx, ny, 0.1).expect("a valid grid"), material, &[]).expect("a valid material")
}

fn vectors(size: f64) -> impl Strategy<Value = Vec<Vec3>> {
    let vector = (-size..size, -size..size, -size..size).prop_map(|(x, y, z)| Vec3::new(x, y, z));
    prop::collection::vec(vector, MOST)
}

/// A sheet longer than at rest by a factor, with its particles shifted, and some of them where the one before is.
fn state(cloth: &Cloth, stretch: f64, shifts: &[Vec3], coincident: &[bool], v: &[Vec3]) -> State {
    let mut state = cloth.at_rest();
    for i in 0..state.particle_count() {
        let x = stretch * state.x[i] + shifts[i];
        state.x[i] = if coincident[i] && i > 0 { state.x[i - 1] } else { x };
        state.v[i] = v[i];
    }
    state
}

/// Largest difference over the largest entry.
fn difference(x: &[Vec3], y: &[Vec3]) -> f64 {
    let largest = x.iter().map(|x| x.amax()).fold(f64::MIN_POSITIVE, f64::max);
    x.iter().zip(y).map(|(x, y)| (x - y).amax()).fold(0.0, f64::max) / largest
}

/// Asserts that both forms agree, on every instruction set and whatever was assembled before; p is any vector, and what b and f
/// hold before.
fn compare(cloth: &Cloth, state: &State, w: &[Vec3], p: &[Vec3], implicit: &[bool]) {
    let State { x, v } = state;
    let at = Linearisation { x, v, w, h: 0.02, g: 0.03, terms: Terms::Filtered };
    let count = cloth.particle_count();
    let mut general = BlockRows::new(BlockPattern::new(count, &cloth.pairs()));
    for (i, m) in cloth.masses().iter().enumerate() {
        general.add_diagonal(i, &(*m * Mat3::identity()));
    }
    let mut expected = p.to_vec();
    cloth.add_linearised(&at, implicit, &mut general, &mut expected);
    let mut product = p.to_vec();
    general.apply(p, &mut product);
    let mut forces = p.to_vec();
    cloth.add_explicit_forces(implicit, x, v, &mut forces);

    let flat = cloth.at_rest().x;
    let stale = Linearisation { x: &flat, ..at };
    let everything = vec![true; implicit.len()];
    let results: Vec<_> = InstructionSet::supported()
        .map(|set| {
            let mut springs = GridSprings::new(cloth, Terms::Filtered).expect("springs that stiffen");
            let mut a = GridOperator::new(springs.shape(), set);
            springs.linearise(cloth, &stale, &everything, &mut a, &mut p.to_vec());
            let (mut b, mut f) = (p.to_vec(), p.to_vec());
            springs.linearise(cloth, &at, implicit, &mut a, &mut b);
            springs.add_explicit_forces(cloth, state, implicit, set, &mut f);
            a.run_on(InstructionSet::best());
            (a, b, f)
        })
        .collect();
    let (a, b, f) = &results[0];
    let mut left = p.to_vec();
    a.apply(p, &mut left);
    for (name, expected, found) in [("b", &expected, b), ("A p", &product, &left), ("f", &forces, f)] {
        let difference = difference(expected, found);
        assert!(difference < 1e-13, "{name} differs by {difference}: {expected:?} {found:?}");
    }
    let first = format!("{:?}", results[0]); // all digits of all coefficients
    assert!(results.iter().all(|result| format!("{result:?}") == first), "other bits on another instruction set");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn the_largest_stretch_is_that_of_a_spring_to_the_bit(
        size in prop::sample::select(SIZES.to_vec()), stretch in prop::sample::select(vec![0.5, 1.0, 1.3]), shifts in vectors(0.04),
    ) {
        let cloth = sheet(size, 2.0, DampingForm::Plain, false, None);
        let x = state(&cloth, stretch, &shifts, &[false; MOST], &[Vec3::zeros(); MOST]).x;
        let structural = cloth.springs().iter().filter(|spring| spring.family != Family::Bend);
        let largest = structural.map(|spring| (x[spring.j] - x[spring.i]).norm() / spring.rest).fold(0.0, f64::max);
        prop_assert_eq!(cloth.largest_stretch(&x).to_bits(), largest.to_bits());
    }

    #[test]
    fn a_sheet_gives_the_same_on_a_grid_as_in_block_rows(
        size in prop::sample::select(SIZES.to_vec()), bend in prop::sample::select(vec![0.0, 2.0]),
        stretch in prop::sample::select(vec![0.5, 0.8, 1.0, 1.3]),
        shifts in vectors(0.04), coincident in prop::collection::vec(prop::bool::weighted(0.05), MOST), v in vectors(1.0),
        w in vectors(0.01), p in vectors(1.0), plain in any::<bool>(), compression in any::<bool>(),
        factor in prop::sample::select(vec![None, Some(1.0), Some(4.0)]), line_from in prop::sample::select(vec![0.9, 0.6, 0.0]), share in prop::sample::select(vec![0.0, 0.2, 1.0]),
        dice in prop::collection::vec(0.0..1.0, 8 * MOST),
    ) {
        let damping = if plain { DampingForm::Plain } else { DampingForm::Projected };
        let cloth = sheet(size, bend, damping, compression, factor.map(|factor| Stiffening { strain: 0.05, factor }));
        let material = Material { bend_law: BendLaw::line_from(line_from).expect("a ratio"), ..*cloth.material() };
        let cloth = Cloth::new(*cloth.grid(), material, &[]).expect("a valid material");
        let state = state(&cloth, stretch, &shifts, &coincident, &v);
        let implicit: Vec<bool> = dice[..cloth.coupling_count()].iter().map(|dice| *dice >= share).collect();
        let count = cloth.particle_count();
        compare(&cloth, &state, &w[..count], &p[..count], &implicit);
    }
}

#[test]
fn a_large_sheet_on_which_some_springs_of_every_family_act_and_others_do_not() {
    let cloth = sheet([80, 80], 2.0, DampingForm::Projected, false, Some(Stiffening { strain: 0.05, factor: 4.0 }));
    let random = |seed: usize| (0..6400).map(move |k| [37, 53, 71].map(|q| ((k + seed) * q % 1013) as f64 / 506.5 - 1.0).into());
    let shifts: Vec<Vec3> = random(0).map(|shift: Vec3| 0.04 * shift).collect();
    let (v, p): (Vec<Vec3>, Vec<Vec3>) = (random(100).collect(), random(300).collect());
    let w: Vec<Vec3> = random(200).map(|way: Vec3| 0.01 * way).collect();
    let coincident: Vec<bool> = (0..6400).map(|i: usize| i.is_multiple_of(31)).collect();
    let state = state(&cloth, 0.95, &shifts, &coincident, &v);
    for family in [Family::Stretch, Family::Shear, Family::Bend] {
        let of_family = cloth.springs().iter().filter(|spring| spring.family == family);
        let (acting, others): (Vec<&Spring>, Vec<&Spring>) = of_family.partition(|spring| cloth.is_active(spring, &state.x));
        assert!(acting.len().min(others.len()) > 500, "{family:?}: {} act, {} do not", acting.len(), others.len());
    }
    let implicit: Vec<bool> = (0..cloth.coupling_count()).map(|k| !(k * 7 % 13).is_multiple_of(5)).collect();
    compare(&cloth, &state, &w, &p, &implicit);
}

#[test]
fn at_rest_lengths_and_where_dampers_turn_the_same_springs_act() {
    // flat, where rounding decides whether a bend spring is shorter than at rest, and turning, where it decides the sign of a rate
    for size in SIZES {
        let cloth = sheet(size, 2.0, DampingForm::Projected, false, None);
        for scale in [1.0 - 1e-12, 1.0 - 1e-15, 1.0, 1.0 + 1e-15] {
            let mut state = cloth.at_rest();
            for (x, v) in state.x.iter_mut().zip(&mut state.v) {
                *x = scale * Vec3::new(0.6 * x.x - 0.8 * x.y, 0.8 * x.x + 0.6 * x.y, 0.0);
                *v = Vec3::z().cross(x);
            }
            let zeros = vec![Vec3::zeros(); cloth.particle_count()];
            let p: Vec<Vec3> = (0..zeros.len()).map(|i| Vec3::new((i % 3) as f64, (i % 5) as f64, (i % 7) as f64)).collect();
            compare(&cloth, &state, &zeros, &p, &vec![true; cloth.coupling_count()]);
        }
    }
}

#[test]
fn what_has_no_such_form_is_refused() {
    let softening = Some(Stiffening { strain: 0.05, factor: 0.5 });
    assert!(GridSprings::new(&sheet([7, 5], 2.0, DampingForm::Plain, false, softening), Terms::Filtered).is_none());
    let sheet = sheet([7, 5], 2.0, DampingForm::Projected, false, None);
    for terms in [Terms::Exact, Terms::DampingByPosition] {
        assert!(GridSprings::new(&sheet, terms).is_none(), "{terms:?}");
    }
    assert!(GridSprings::new(&sheet, Terms::Filtered).is_some());
}
