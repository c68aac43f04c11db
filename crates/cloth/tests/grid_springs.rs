//! Linear systems of a sheet on a grid against those in block rows.

use cloth::{
    Cloth, DampingForm, Elastic, Family, Grid, GridSprings, Linearisation, Mat3, Material, State, Stiffening, System, Terms, Vec3,
};
use linsolve::grid::GridOperator;
use linsolve::lanes::InstructionSet;
use linsolve::{BlockPattern, BlockRows, Operator};
use proptest::prelude::*;

const SIZE: [usize; 2] = [7, 5];

fn sheet(damping: DampingForm, compression: bool, stiffening: Option<Stiffening>) -> Cloth {
    let material = Material {
        stretch: Elastic { stiffness: 80.0, damping: 3.0 },
        shear: Elastic { stiffness: 30.0, damping: 2.0 },
        bend: 2.0,
        damping,
        compression,
        stiffening,
        air: 0.3,
        ..Material::default()
    };
    Cloth::new(Grid::new(SIZE[0], SIZE[1], 0.1).expect("a valid grid"), material, &[]).expect("a valid material")
}

fn vectors(size: f64) -> impl Strategy<Value = Vec<Vec3>> {
    let vector = (-size..size, -size..size, -size..size).prop_map(|(x, y, z)| Vec3::new(x, y, z));
    prop::collection::vec(vector, SIZE[0] * SIZE[1])
}

/// Crumpled, so that some springs of every family act and others do not.
fn state() -> impl Strategy<Value = State> {
    (vectors(0.06), vectors(1.0)).prop_map(|(shifts, v)| {
        let flat = Grid::new(SIZE[0], SIZE[1], 0.1).expect("a valid grid").flat();
        State { x: flat.into_iter().zip(shifts).map(|(x, shift)| x + shift).collect(), v }
    })
}

/// Largest difference over the largest entry.
fn difference(x: &[Vec3], y: &[Vec3]) -> f64 {
    let largest = x.iter().map(|x| x.amax()).fold(0.0, f64::max);
    x.iter().zip(y).map(|(x, y)| (x - y).amax()).fold(0.0, f64::max) / largest
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_sheet_gives_the_same_system_on_a_grid_as_in_block_rows(
        state in state(), w in vectors(0.01), p in vectors(1.0), start in vectors(0.1), plain in any::<bool>(),
        compression in any::<bool>(), explicit in prop::collection::vec(prop::bool::weighted(0.2), 500),
    ) {
        let damping = if plain { DampingForm::Plain } else { DampingForm::Projected };
        let cloth = sheet(damping, compression, Some(Stiffening { strain: 0.05, factor: 4.0 }));
        let implicit: Vec<bool> = explicit[..cloth.coupling_count()].iter().map(|explicit| !explicit).collect();
        for family in [Family::Stretch, Family::Shear, Family::Bend] {
            let acts = cloth.springs().iter().filter(|spring| spring.family == family).any(|spring| cloth.is_active(spring, &state.x));
            prop_assert!(acts, "no spring of {family:?} acts");
        }
        let at = Linearisation { x: &state.x, v: &state.v, w: &w, h: 0.02, g: 0.03, terms: Terms::Filtered };
        let mut general = BlockRows::new(BlockPattern::new(cloth.particle_count(), &cloth.pairs()));
        for (i, m) in cloth.masses().iter().enumerate() {
            general.add_diagonal(i, &(*m * Mat3::identity()));
        }
        let mut expected = start.clone();
        cloth.add_linearised(&at, &implicit, &mut general, &mut expected);

        let mut springs = GridSprings::new(&cloth, Terms::Filtered).expect("springs that stiffen");
        let mut grid = GridOperator::new(springs.shape(), InstructionSet::best());
        let flat = cloth.at_rest().x;
        let stale = Linearisation { x: &flat, ..at };
        springs.linearise(&cloth, &stale, &vec![true; implicit.len()], &mut grid, &mut start.clone()); // to be overwritten
        let mut b = start;
        springs.linearise(&cloth, &at, &implicit, &mut grid, &mut b);
        prop_assert!(difference(&expected, &b) < 1e-13, "{expected:?} {b:?}");

        let [mut left, mut right] = [p.clone(), p.clone()];
        general.apply(&p, &mut left);
        grid.apply(&p, &mut right);
        prop_assert!(difference(&left, &right) < 1e-13, "{left:?} {right:?}");
    }
}

#[test]
fn what_has_no_such_form_is_refused() {
    let softening = Some(Stiffening { strain: 0.05, factor: 0.5 });
    assert!(GridSprings::new(&sheet(DampingForm::Plain, false, softening), Terms::Filtered).is_none());
    let sheet = sheet(DampingForm::Projected, false, None);
    for terms in [Terms::Exact, Terms::DampingByPosition] {
        assert!(GridSprings::new(&sheet, terms).is_none(), "{terms:?}");
    }
    assert!(GridSprings::new(&sheet, Terms::Filtered).is_some());
}
