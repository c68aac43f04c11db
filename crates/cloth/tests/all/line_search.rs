//! Newton's iterations as a descent: the energy that they lower, the solution that they share with whole ways, and what takes whole ways.

use cloth::implicit::{Newton, Settings};
use cloth::integrators::{BackwardEuler, Bdf2, Integrator};
use cloth::triangles::TriangleMesh;
use cloth::{
    Bend, Cloth, DampingForm, Elastic, Fabric, Grid, Material, Net, NetSpring, Pin, State, System, Terms, TriangleCloth, Vec3,
};

const H: f64 = 0.02;

fn descending(terms: Terms, limit: usize) -> Settings {
    Settings { newton: Newton::Descending { tolerance: 1e-11, limit }, terms, ..Settings::converged() }
}

fn whole(limit: usize) -> Settings {
    Settings { newton: Newton::Converged { tolerance: 1e-11, limit }, ..Settings::converged() }
}

/// A place off the flat sheet that looks like nothing.
fn rumpled(x: &[Vec3], by: f64) -> State {
    let wave = |k: usize| {
        let k = k as f64;
        Vec3::new(libm::sin(3.1 * k), libm::cos(5.3 * k), libm::sin(7.7 * k * k))
    };
    let v = (0..x.len()).map(|k| 3.0 * by * wave(k + 7)).collect();
    State { x: x.iter().enumerate().map(|(k, x)| x + by * wave(k)).collect(), v }
}

fn sheet(stiffness: f64, damping: f64, compression: bool, form: DampingForm) -> Cloth {
    let elastic = Elastic { stiffness, damping };
    let material =
        Material { stretch: elastic, shear: elastic, bend: 0.5, compression, air: 0.01, damping: form, ..Material::default() };
    Cloth::new(Grid::new(7, 6, 0.1).expect("a grid"), material, &[Pin::At(0, 5), Pin::At(6, 5)]).expect("a material")
}

fn net() -> Net {
    let spring = |i: usize, j: usize| NetSpring { i, j, rest: 0.1, elastic: Elastic { stiffness: 300.0, damping: 0.2 } };
    let springs = (0..9).map(|i| spring(i, i + 1)).chain([spring(0, 5), spring(2, 9)]).collect();
    let mut pinned = vec![false; 10];
    pinned[0] = true;
    let mut net = Net::of_families(vec![0.02; 10], pinned, [springs, vec![], vec![]], true).expect("a net");
    (net.air, net.resistance) = (0.4, 0.003);
    net
}

fn fabric() -> TriangleCloth {
    let elastic = |stiffness| Elastic { stiffness, damping: 0.0 };
    let bend = Bend { stiffness: 1e-3, damping: 0.0 };
    let material = Fabric { warp: elastic(40.0), weft: elastic(30.0), shear: elastic(5.0), bend, air: 0.01, ..Fabric::default() };
    TriangleCloth::new(TriangleMesh::centred(4, 5, 0.5, 0.6).expect("a mesh"), material, &[0, 3]).expect("a material")
}

/// The cloth of these tests, each with a state that is far from rest by some amount.
fn all(by: f64, test: impl Fn(&str, &dyn System, State)) {
    let [two_sided, one_sided] = [(0.05, true), (0.0, false)].map(|(kd, both)| sheet(200.0, kd, both, DampingForm::Plain));
    let line: Vec<Vec3> = (0..10).map(|k| Vec3::new(0.1 * f64::from(k), 0.0, 0.0)).collect();
    let [net, fabric] = [&net() as &dyn System, &fabric()];
    test("sheet", &two_sided, rumpled(&two_sided.at_rest().x, by));
    test("one-sided sheet", &one_sided, rumpled(&one_sided.at_rest().x, by));
    test("net", net, rumpled(&line, by));
    test("triangles", fabric, rumpled(&self::fabric().at_rest().x, by));
}

/// E of backward Euler at the velocities of `end`, by its definition: 1/2 |v - v_n|²_M + U(x_n + h v) + h R(v) - h m g·v.
fn energy(system: &dyn System, begin: &State, end: &State) -> f64 {
    let x: Vec<Vec3> = begin.x.iter().zip(&end.v).map(|(x, v)| x + H * v).collect();
    let potential = system.potential(&x, &end.v).expect("forces with a potential");
    let (mut explicit, none) = (vec![Vec3::zeros(); x.len()], vec![true; system.coupling_count()]);
    system.add_explicit_forces(&none, &begin.x, &begin.v, &mut explicit);
    let of = |i: usize| 0.5 * system.masses()[i] * (end.v[i] - begin.v[i]).norm_squared() - H * explicit[i].dot(&end.v[i]);
    potential.energy + H * potential.dissipation + (0..x.len()).map(of).sum::<f64>()
}

#[test]
fn forces_are_the_slopes_of_the_potential() {
    all(0.02, |name, system, state| {
        let mut a = vec![Vec3::zeros(); state.x.len()];
        system.accelerate(&state.x, &state.v, &mut a);
        let mut outer = a.clone();
        system.accelerate(&state.x, &vec![Vec3::zeros(); a.len()], &mut outer); // without dampers and air
        let gravity = Material::default().gravity;
        let at = |x: &[Vec3], v: &[Vec3]| system.potential(x, v).expect("a potential");
        for i in (0..a.len()).filter(|i| !system.pinned()[*i]) {
            for axis in 0..3 {
                let step = 1e-6;
                let moved = |place: &[Vec3], by: f64| {
                    let mut place = place.to_vec();
                    place[i][axis] += by;
                    place
                };
                let [above, below] = [step, -step].map(|by| at(&moved(&state.x, by), &state.v).energy);
                let [faster, slower] = [step, -step].map(|by| at(&state.x, &moved(&state.v, by)).dissipation);
                let (m, twice) = (system.masses()[i], 2.0 * step);
                let elastic = m * (outer[i][axis] - gravity[axis]);
                let resisting = m * (a[i][axis] - outer[i][axis]);
                assert!(
                    (elastic + (above - below) / twice).abs() < 2e-6 * elastic.abs().max(1.0),
                    "{name}: {i} {axis} {elastic}"
                );
                assert!((resisting + (faster - slower) / twice).abs() < 1e-8, "{name}: {i} {axis} {resisting}");
            }
        }
    });
}

#[test]
fn a_descent_ends_where_whole_ways_do() {
    all(0.01, |name, system, begin| {
        let mut expected = begin.clone();
        BackwardEuler::new(system, Settings { terms: Terms::Filtered, ..whole(5000) }).step(system, H, &mut expected);
        for terms in [Terms::Filtered, Terms::Exact] {
            let (mut found, mut scheme) = (begin.clone(), BackwardEuler::new(system, descending(terms, 5000)));
            scheme.step(system, H, &mut found);
            let apart = found.x.iter().zip(&expected.x).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max);
            assert!(apart < 1e-9, "{name}, {terms:?}: {apart} m");
            assert_eq!(scheme.work().newton_limited, 0, "{name}, {terms:?}");
        }
    });
}

#[test]
fn every_way_lowers_the_energy_however_far_from_rest() {
    all(0.3, |name, system, begin| {
        for terms in [Terms::Filtered, Terms::Exact] {
            let mut before = f64::INFINITY;
            for limit in 1..12 {
                let (mut end, mut scheme) = (begin.clone(), BackwardEuler::new(system, descending(terms, limit)));
                scheme.step(system, H, &mut end);
                let reached = energy(system, &begin, &end);
                assert!(reached <= before * (1.0 + 1e-12), "{name}, {terms:?}: {reached} after {before} J at {limit}");
                before = reached;
            }
        }
    });
}

#[test]
fn it_converges_where_whole_ways_do_not() {
    let cloth = sheet(1e5, 0.0, true, DampingForm::Plain);
    let begin = rumpled(&cloth.at_rest().x, 0.3);
    let work = |settings: Settings| {
        let (mut end, mut scheme) = (begin.clone(), BackwardEuler::new(&cloth, settings));
        scheme.step(&cloth, H, &mut end);
        (scheme.work(), end)
    };
    let (whole_ways, _) = work(whole(200));
    let (halved, end) = work(descending(Terms::Exact, 200));
    assert_eq!((whole_ways.newton_limited, whole_ways.halvings), (1, 0));
    assert_eq!(halved.newton_limited, 0);
    assert!(halved.halvings > 0 && halved.filtered > 0 && halved.indefinite == 0 && halved.solves < 200, "{halved:?}");
    let mut a = vec![Vec3::zeros(); end.x.len()];
    cloth.accelerate(&end.x, &end.v, &mut a);
    for i in (0..a.len()).filter(|i| !cloth.pinned()[*i]) {
        let left = end.v[i] - begin.v[i] - H * a[i]; // v = v_n + h M⁻¹ f
        assert!(left.amax() < 1e-7 * H * 1e5, "{i}: {left}");
    }
}

#[test]
fn forces_without_a_potential_take_whole_ways() {
    let cloth = sheet(200.0, 0.05, true, DampingForm::Projected);
    assert_eq!(cloth.potential(&cloth.at_rest().x, &cloth.at_rest().v), None);
    let ends = [whole(20), descending(Terms::Exact, 20)].map(|settings| {
        let mut state = rumpled(&cloth.at_rest().x, 0.01);
        let mut scheme = Bdf2::new(&cloth, Settings { terms: Terms::Filtered, ..settings });
        (0..5).for_each(|_| scheme.step(&cloth, 0.005, &mut state));
        state
    });
    assert_eq!(ends[0], ends[1]);
}

#[test]
fn the_two_steps_of_bdf2_descend_too() {
    let cloth = sheet(2000.0, 0.1, true, DampingForm::Plain);
    let ends = [whole(500), descending(Terms::Exact, 500)].map(|settings| {
        let mut state = rumpled(&cloth.at_rest().x, 0.003);
        let mut scheme = Bdf2::new(&cloth, Settings { terms: Terms::Filtered, ..settings });
        (0..5).for_each(|_| scheme.step(&cloth, 0.002, &mut state));
        assert_eq!(scheme.work().newton_limited, 0);
        state
    });
    let apart = ends[0].x.iter().zip(&ends[1].x).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max);
    assert!(apart < 1e-9, "{apart}");
}
