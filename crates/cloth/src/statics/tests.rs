use super::*;
use crate::{Cloth, Elastic, Grid, Masses, Material, Net, NetSpring, Pin, Rigidity};

/// A chain from the origin along x, of springs of a length and a stiffness, held at one end.
fn chain(count: usize, stiffness: f64) -> (Net, Vec<Vec3>) {
    let elastic = Elastic { stiffness, damping: 0.0 };
    let springs = (1..count).map(|j| NetSpring { i: j - 1, j, rest: 0.5, elastic }).collect();
    let net = Net::new(vec![0.2; count], (0..count).map(|i| i == 0).collect(), springs).unwrap();
    (net, (0..count).map(|i| Vec3::new(0.5 * i as f64, 0.0, 0.0)).collect())
}

#[test]
fn a_chain_by_hand() {
    let (net, mut x) = chain(3, 40.0);
    let mut statics = Statics::new(&net, &x).unwrap();
    let rest = statics.settle(&mut x).unwrap();
    assert!(rest.is_settled() && rest.residual <= 1e-10 && rest.iterations > 1, "{rest:?}");
    // the upper spring holds two particles, the lower one
    let weight = 0.2 * crate::GRAVITY;
    let expected = [0.0, -0.5 - 2.0 * weight / 40.0, -1.0 - 3.0 * weight / 40.0];
    for (x, z) in x.iter().zip(expected) {
        assert!((x - Vec3::new(0.0, 0.0, z)).norm() < 1e-9, "{x}");
    }
    assert!(statics.is_stable_at(&x).unwrap());
    statics.loads[2] += Vec3::new(0.0, 0.0, 5.0 * weight); // up, beyond the weight
    assert!(
        !statics.is_stable_at(&[Vec3::zeros(), 0.4 * Vec3::z(), 0.8 * Vec3::z()]).unwrap(),
        "pressed together, though pulled up"
    );
    x[2].x += 0.1; // out of the balance that it is in
    assert!(statics.settle(&mut x).unwrap().is_settled());
    // springs are pulled up by 5 - 2 and 5 - 1 weights, and the uppermost particle by gravity too
    assert!((x[2] - Vec3::new(0.0, 0.0, 1.0 + (3.0 + 4.0) * weight / 40.0)).norm() < 1e-9, "{}", x[2]);
}

#[test]
fn what_has_no_potential_is_refused() {
    let damped = Elastic { stiffness: 10.0, damping: 0.1 };
    let cloth = Cloth::new(Grid::new(3, 3, 0.1).unwrap(), Material { stretch: damped, ..Material::default() }, &[]).unwrap();
    assert_eq!(Statics::new(&cloth, &cloth.at_rest().x).err(), Some(NoStatics::NoPotential));
    let (net, mut x) = chain(3, 40.0);
    let mut statics = Statics::new(&net, &x).unwrap();
    statics.moments.push(Moment::new([0, 2], [Vec3::x(), Vec3::z()], 1.0));
    assert_eq!(statics.settle(&mut x), Err(NoStatics::Apart([0, 2])));
}

/// A strip of cells that lies along x, whose first two columns are held, on a grid.
fn sheet(rigidity: f64, length: f64, gravity: Vec3) -> Cloth {
    sheet_of(20, rigidity, length, gravity)
}

/// [`sheet`] of a number of elements.
fn sheet_of(elements: usize, rigidity: f64, length: f64, gravity: Vec3) -> Cloth {
    let stiff = Elastic { stiffness: 2e3, damping: 0.0 };
    let material = Material {
        density: 0.2,
        stretch: stiff,
        shear: stiff,
        compression: true,
        bend: 0.0,
        rigidity: Some(Rigidity::isotropic(rigidity)),
        masses: Masses::ByArea,
        gravity,
        ..Material::default()
    };
    let pins: Vec<Pin> = (0..2).flat_map(|i| (0..2).map(move |j| Pin::At(i, j))).collect();
    Cloth::new(Grid::new(elements + 2, 2, length / (elements as f64 + 0.5)).unwrap(), material, &pins).unwrap()
}

#[test]
fn a_strip_hangs_as_the_elastica_does() {
    let weight = 0.2 * crate::GRAVITY * 0.2 * 0.2 * 0.2;
    for (heaviness, expected) in [(1.0, 0.124562), (10.0, 1.066802), (50.0, 3.705561)] {
        let cloth = sheet(weight / heaviness, 0.2, Vec3::new(0.0, 0.0, -crate::GRAVITY));
        let mut x = cloth.at_rest().x;
        let mut statics = Statics::new(&cloth, &x).unwrap();
        let rest = statics.settle_by(4, &mut x).unwrap();
        assert!(rest.is_settled() && rest.iterations < 400, "{rest:?}");
        let tip = x[21] - Vec3::new(0.5 * cloth.grid().spacing(), 0.0, 0.0);
        let found = -tip.z / tip.x;
        assert!((found / expected - 1.0).abs() < 0.01, "{heaviness}: {found}, {expected}, {rest:?}");
        assert!(statics.residual_at(&x).unwrap() <= 1e-10 && statics.is_stable_at(&x).unwrap());
    }
}

#[test]
fn a_moment_rolls_a_strip_up() {
    let cloth = sheet(1e-2, 1.0, Vec3::zeros());
    let mut x = cloth.at_rest().x;
    let mut statics = Statics::new(&cloth, &x).unwrap();
    let whole = std::f64::consts::TAU * 1e-2 / 20.5; // 2 pi D b / L
    let edges = [[20, 21], [42, 43]];
    let plane = Constraint::plane(Vec3::y()).unwrap(); // a narrow ring would turn aside
    statics.constraints.iter_mut().filter(|constraint| **constraint == Constraint::Free).for_each(|free| *free = plane);
    statics.moments = edges.map(|edge| Moment::new(edge, [Vec3::x(), Vec3::z()], 0.0)).into();
    for step in 1..=8 {
        for moment in &mut statics.moments {
            moment.moment = 0.5 * whole * f64::from(step) / 8.0;
            moment.follow(&x);
        }
        assert!(statics.settle(&mut x).unwrap().is_settled(), "{step}");
    }
    // a circle but for the half of a cell on either side of its clamp, and for the moment D sin theta of a bend of theta
    let [middle, end] = [0.5 * (x[0] + x[1]), x[21]];
    assert!((end - middle).norm() < 0.05, "{end}");
    let turned = statics.moments[0].angle(&x) / std::f64::consts::TAU;
    let bend = libm::asin(std::f64::consts::TAU / 20.5);
    assert!((turned * std::f64::consts::TAU / (20.0 * bend) - 1.0).abs() < 1e-3, "{turned}");
}

#[test]
fn a_stiff_strip_rests_as_near_as_rounding_lets_it() {
    for (elements, heaviness) in [(90, 0.02), (140, 0.05), (200, 0.1)] {
        let weight = 0.2 * crate::GRAVITY;
        let cloth = sheet_of(elements, weight / heaviness, 1.0, Vec3::new(0.0, 0.0, -crate::GRAVITY));
        let mut x = cloth.at_rest().x;
        let rest = Statics::new(&cloth, &x).unwrap().settle(&mut x).unwrap();
        let n = elements as f64;
        let forces = n * n * n * 16.0 * f64::EPSILON / heaviness; // D/h³ (1 + 4 + 6 + 4 + 1) eps, over rho g L
        assert!(rest.stop == Stop::Rounded && rest.is_settled(), "{rest:?}");
        assert!(rest.residual > 1e-10 && rest.residual < forces, "{rest:?}, {forces}");
        let drop = -x[elements + 1].z * 8.0 / heaviness; // rho g L⁴/(8 D) of a beam that hardly bends
        assert!((drop - 1.0).abs() < 1e-3, "{drop}");
    }
}

#[test]
fn a_moment_on_an_edge_that_turns_freely_has_no_rest() {
    let (net, mut x) = chain(3, 40.0);
    let mut statics = Statics::new(&net, &x).unwrap();
    statics.loads.fill(Vec3::zeros());
    statics.moments.push(Moment::new([1, 2], [Vec3::x(), Vec3::z()], 1.0));
    assert!(!statics.settle(&mut x).unwrap().is_settled());
}
