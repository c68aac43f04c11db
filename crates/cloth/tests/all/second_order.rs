//! The adaptive form of SBDF2: its criterion against the scheme itself, and sheets of which it treats some springs explicitly.

use cloth::implicit::{Settings, Solver, Splitting};
use cloth::integrators::{Integrator, Rk4, Sbdf2};
use cloth::oscillator::Oscillator;
use cloth::stability::stability_boundary;
use cloth::{Cloth, DampingForm, Elastic, Family, Grid, Material, Pin, State, System, Vec3};

const EXPLICIT: Splitting = Splitting::Families { stretch: false, shear: false, bend: false };

/// The criterion on the spring itself.
const UNIT: Splitting = Splitting::AdaptiveSecondOrder { modal_factor: 1.0 };

/// One Newton step with an exact solution of its linear system.
fn exact() -> Settings {
    Settings { solver: Solver::Direct, ..Settings::default() }
}

/// Largest |λ| of SBDF2 with an explicit spring, by stepping it: dt = 1, so that omega is omega dt.
fn radius(scheme: &mut Sbdf2, omega: f64, zeta: f64) -> f64 {
    let oscillator = Oscillator::with_damping_ratio(omega, zeta);
    let amplification = oscillator.two_step_amplification(|before, state| {
        scheme.follow(before);
        scheme.step(&oscillator, 1.0, state);
    });
    amplification.spectral_radius()
}

fn explicit_scheme() -> Sbdf2 {
    Sbdf2::new(&Oscillator::with_damping_ratio(1.0, 0.0), exact(), EXPLICIT)
}

/// How far (omega dt)² and 2 zeta omega dt lie inside the stable region of theory: above its curve, below its line.
fn inside(omega: f64, zeta: f64) -> f64 {
    let (a, b) = (omega * omega, 2.0 * zeta * omega);
    let (mut low, mut high) = (0.0, 2.0); // a grows with c
    for _ in 0..60 {
        let c = 0.5 * (low + high);
        if stability_boundary(c)[0] < a { low = c } else { high = c }
    }
    (b - stability_boundary(high)[1]).min(16.0 / 3.0 - a - 4.0 * b)
}

/// Cells of the plane of omega dt and zeta.
fn plane() -> impl Iterator<Item = (f64, f64)> {
    (1..=125).flat_map(|i| (0..=125).map(move |j| (0.02 * f64::from(i), 0.01 * f64::from(j))))
}

#[test]
fn the_boundary_is_that_of_the_scheme_over_the_plane() {
    let mut scheme = explicit_scheme();
    let (mut stable, mut unstable) = (0, 0);
    for (omega, zeta) in plane() {
        let (radius, inside) = (radius(&mut scheme, omega, zeta), inside(omega, zeta));
        if inside.abs() > 1e-9 {
            assert_eq!(radius <= 1.0, inside > 0.0, "omega dt = {omega}, zeta = {zeta}: {radius}, {inside}");
            if inside > 0.0 { stable += 1 } else { unstable += 1 }
        }
    }
    assert!(stable > 3000 && unstable > 3000, "{stable} {unstable}");
}

#[test]
fn five_limits_are_those_of_the_table_and_of_long_runs() {
    let mut scheme = explicit_scheme();
    for (zeta, expected, by_criterion) in
        [(0.01, 0.374, 0.342), (0.05, 0.880, 0.872), (0.1, 1.944, 1.638), (0.5, 1.055, 1.055), (1.0, 0.619, 0.619)]
    {
        // the first step of a thousandth that is not stable, and the first that is not explicit
        let first = |unstable: &mut dyn FnMut(f64) -> bool| {
            (1..2500).map(|k| 0.001 * f64::from(k)).find(|omega| unstable(*omega)).expect("a limit below 2.5")
        };
        let limit = first(&mut |omega| radius(&mut scheme, omega, zeta) > 1.0);
        let criterion = first(&mut |omega| {
            let system = Oscillator::with_damping_ratio(omega, zeta);
            let mut implicit = [false];
            system.choose_implicit(&UNIT, 1.0, &State::at_rest(vec![Vec3::x()]), &mut implicit);
            implicit[0]
        });
        assert!((limit - expected).abs() < 0.0015, "zeta = {zeta}: {limit}");
        assert!((criterion - by_criterion).abs() < 0.0015, "zeta = {zeta}: {criterion}");
        let end = |omega: f64| {
            let system = Oscillator::with_damping_ratio(omega, zeta);
            let mut scheme = Sbdf2::new(&system, exact(), EXPLICIT);
            let mut state = State::at_rest(vec![Vec3::x()]);
            (0..60_000).for_each(|_| scheme.step(&system, 1.0, &mut state));
            state.x[0].x.abs()
        };
        let (below, above) = (end(0.98 * limit), end(1.02 * limit));
        assert!(below < 1e-3 && (above > 10.0 || !above.is_finite()), "zeta = {zeta}: {below} {above}");
    }
}

#[test]
fn the_criterion_never_calls_an_unstable_spring_explicit() {
    let mut scheme = explicit_scheme();
    let (mut stable, mut explicit) = (0, 0);
    for (omega, zeta) in plane() {
        let system = Oscillator::with_damping_ratio(omega, zeta);
        let mut implicit = [false];
        system.choose_implicit(&UNIT, 1.0, &State::at_rest(vec![Vec3::x()]), &mut implicit);
        let radius = radius(&mut scheme, omega, zeta);
        assert!(implicit[0] || radius <= 1.0, "omega dt = {omega}, zeta = {zeta}: {radius}");
        assert!(implicit[0] || zeta > 0.0, "an undamped spring is explicit");
        stable += u32::from(radius <= 1.0);
        explicit += u32::from(!implicit[0]);
    }
    assert!(f64::from(explicit) > 0.95 * f64::from(stable), "{explicit} explicit of {stable} stable");
}

/// A sheet of 10 x 10 that hangs from two corners: stiff along its threads, soft in shear.
fn mixed(damping: DampingForm, air: f64) -> Cloth {
    let material = Material {
        density: 0.3,
        stretch: Elastic { stiffness: 2000.0, damping: 0.05 },
        shear: Elastic { stiffness: 5.0, damping: 0.005 },
        bend: 0.01,
        damping,
        air,
        ..Material::default()
    };
    Cloth::new(Grid::new(10, 10, 0.05).expect("a grid"), material, &[Pin::At(0, 0), Pin::At(9, 0)]).expect("a sheet")
}

#[test]
fn a_sheet_of_mixed_stiffness_stays_bounded_with_some_springs_explicit() {
    let dt = 2e-3;
    for (damping, air) in [(DampingForm::Plain, 0.0), (DampingForm::Projected, 1e-3)] {
        let cloth = mixed(damping, air);
        let shear = cloth.springs().iter().filter(|spring| spring.family == Family::Shear).count() as u64;
        // everything explicit: beyond ten rest lengths within a second
        let mut state = cloth.at_rest();
        let mut scheme = Sbdf2::new(&cloth, Settings::default(), EXPLICIT);
        (0..500).for_each(|_| scheme.step(&cloth, dt, &mut state));
        let torn = cloth.largest_stretch(&state.x);
        assert!(torn > 10.0 || !state.is_finite(), "{damping:?}: {torn}");

        let mut state = cloth.at_rest();
        let start = cloth.energies(&state).total();
        let mut scheme = Sbdf2::new(&cloth, Settings::default(), Splitting::adaptive_second_order());
        let (mut explicit, mut stretch, mut gain) = (0, 0.0_f64, 0.0_f64);
        for _ in 0..5000 {
            let before = state.clone();
            scheme.step(&cloth, dt, &mut state);
            for (spring, implicit) in cloth.springs().iter().zip(scheme.implicit()) {
                assert!(*implicit || spring.family == Family::Shear && cloth.is_active(spring, &before.x));
                explicit += u64::from(!implicit);
            }
            stretch = stretch.max(cloth.largest_stretch(&state.x));
            gain = gain.max(cloth.energies(&state).total() - start);
        }
        let share = explicit as f64 / (5000 * shear) as f64;
        assert!(share > 0.1, "{damping:?}: a share of {share} of the shear springs is explicit");
        assert!(stretch < 1.6 && gain < 1e-3, "{damping:?}: stretch {stretch}, gain {gain} J");
    }
}

#[test]
fn springs_whose_damping_does_not_act_are_implicit() {
    let dt = 2e-3;
    // whether all springs of a family are explicit, or none
    let explicit = |cloth: &Cloth, state: &State, family: Family| {
        let mut implicit = vec![false; cloth.springs().len()];
        cloth.choose_implicit(&Splitting::adaptive_second_order(), dt, state, &mut implicit);
        let of =
            |wanted: bool| cloth.springs().iter().zip(&implicit).filter(|(s, i)| s.family == family && **i == wanted).count();
        assert!(of(true) + of(false) > 0);
        match (of(false), of(true)) {
            (_, 0) => Some(true),
            (0, _) => Some(false),
            _ => None,
        }
    };
    // the sheet drawn out by `stretch` in its plane and growing at `rate`
    let drawn = |cloth: &Cloth, stretch: f64, rate: f64| {
        let mut state = cloth.at_rest();
        state.v = state.x.iter().map(|x| rate * x).collect();
        state.x.iter_mut().for_each(|x| *x *= stretch);
        state
    };
    let airy = mixed(DampingForm::Projected, 1e-3);
    let growing = drawn(&airy, 1.01, 0.1);
    assert_eq!(explicit(&airy, &growing, Family::Shear), Some(true), "taut, elongating, in air");
    assert_eq!(explicit(&airy, &growing, Family::Stretch), Some(false), "stiff");
    assert_eq!(explicit(&airy, &growing, Family::Bend), Some(false), "never damped");
    assert_eq!(explicit(&airy, &drawn(&airy, 1.01, -0.1), Family::Shear), Some(false), "contracting");
    assert_eq!(explicit(&airy, &drawn(&airy, 0.99, 0.1), Family::Shear), Some(false), "slack");
    assert_eq!(explicit(&airy, &drawn(&airy, 1.5, 0.1), Family::Shear), Some(false), "pulling hard across its direction");
    let still = mixed(DampingForm::Projected, 0.0);
    assert_eq!(explicit(&still, &drawn(&still, 1.01, 0.1), Family::Shear), Some(false), "undamped across its direction");
    assert_eq!(explicit(&still, &drawn(&still, 1.0, 0.1), Family::Shear), Some(true), "without tension");
    let plain = mixed(DampingForm::Plain, 0.0);
    assert_eq!(explicit(&plain, &drawn(&plain, 1.01, -0.1), Family::Shear), Some(true), "damped in every direction");
}

#[test]
fn order_two_is_kept_with_a_constant_split() {
    // without gates, so that the forces are smooth: springs push too; undamped stretch is implicit, damped shear explicit
    let material = Material {
        density: 0.3,
        stretch: Elastic { stiffness: 40.0, damping: 0.0 },
        shear: Elastic { stiffness: 20.0, damping: 0.02 },
        bend: 0.0,
        damping: DampingForm::Plain,
        compression: true,
        ..Material::default()
    };
    let cloth = Cloth::new(Grid::new(3, 3, 0.1).expect("a grid"), material, &[Pin::At(0, 0), Pin::At(2, 0)]).expect("a sheet");
    let mut start = cloth.at_rest();
    for (i, x) in start.x.iter_mut().enumerate() {
        *x = Vec3::new(1.1 * x.x, 1.05 * x.y, if i % 2 == 0 { 0.02 } else { -0.01 });
    }
    let end = 0.1;
    let mut reference = start.clone();
    let mut rk4 = Rk4::new(9);
    (0..4000).for_each(|_| rk4.step(&cloth, end / 4000.0, &mut reference));
    let error = |splitting: Splitting, steps: u32| {
        let mut scheme = Sbdf2::new(&cloth, Settings::converged(), splitting);
        let mut state = start.clone();
        for _ in 0..steps {
            scheme.step(&cloth, end / f64::from(steps), &mut state);
            for (spring, implicit) in cloth.springs().iter().zip(scheme.implicit()) {
                assert_eq!(*implicit, splitting == Splitting::Implicit || spring.family != Family::Shear, "{spring:?}");
            }
        }
        let pairs = state.x.iter().zip(&reference.x).chain(state.v.iter().zip(&reference.v));
        pairs.map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
    };
    let adaptive = Splitting::adaptive_second_order();
    let order = libm::log2(error(adaptive, 200) / error(adaptive, 400));
    assert!((order - 2.0).abs() < 0.1, "order {order}");
    // the explicit springs make a difference
    assert!((error(adaptive, 200) / error(Splitting::Implicit, 200) - 1.0).abs() > 0.01);
}
