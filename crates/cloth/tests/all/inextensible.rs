//! Constraint methods with direct solvers against each other, and in the configurations that make them fail.

use cloth::contact::{Friction, RigidMotion, Solid};
use cloth::inextensible::{
    ConstraintMethod, EdgeConstraints, FailureCase, FastProjection, FilterReport, FilterStop, Icd, Limits, MethodKind, Shake,
    Step, StepAndProject, residual_of_motion,
};
use cloth::integrators::ForwardBackwardEuler;
use cloth::run::{LengthConstraint, Run, Scenario, SolidContact};
use cloth::{Cloth, Elastic, Grid, Material, Pin, System, Vec3};

fn limits(strain: f64, iterations: u64) -> Limits {
    Limits::new(strain, iterations).expect("limits")
}

fn filtered(method: &mut dyn ConstraintMethod, start: &[Vec3], candidate: &[Vec3]) -> (FilterReport, Vec<Vec3>) {
    let mut x = candidate.to_vec();
    let report = method.project(&Step { dt: 0.01, start, candidate }, &mut x);
    (report, x)
}

fn distance(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
}

/// A sheet of 6 x 5 particles of different masses, at rest but for a bend, and a random candidate for each seed.
struct Sheet {
    constraints: EdgeConstraints,
    masses: Vec<f64>,
    start: Vec<Vec3>,
}

impl Sheet {
    fn new(pins: &[usize]) -> Sheet {
        let grid = Grid::new(6, 5, 0.1).expect("a grid");
        let masses: Vec<f64> = (0..30).map(|k| 0.1 + 0.03 * f64::from(k % 4)).collect();
        let pinned: Vec<bool> = (0..30).map(|k| pins.contains(&k)).collect();
        let constraints = EdgeConstraints::new(&EdgeConstraints::edges_of_grid(&grid), &masses, &pinned);
        let constraints = constraints.expect("edges of a grid");
        // rolled on a cylinder of radius 0.2: edges of the first direction are chords of its rest length
        let angle = 2.0 * libm::asin(0.25);
        let place = |k: usize| (angle * (k % 6) as f64, 0.1 * (k / 6) as f64);
        let start = (0..30).map(place).map(|(a, y)| Vec3::new(0.2 * libm::sin(a), y, 0.2 - 0.2 * libm::cos(a))).collect();
        Sheet { constraints, masses, start }
    }

    fn candidate(&self, seed: usize, size: f64) -> Vec<Vec3> {
        let number = |k: usize| ((k * 7919 + 104_729 * (seed + 1)) * 6271 % 10_007) as f64 / 5003.5 - 1.0;
        let free = |k: usize| if self.constraints.inverse_masses()[k] > 0.0 { size } else { 0.0 };
        let moved = |k: usize, x: &Vec3| x + free(k) * Vec3::new(number(3 * k), number(3 * k + 1), number(3 * k + 2));
        self.start.iter().enumerate().map(|(k, x)| moved(k, x)).collect()
    }

    /// dxᵀ M dx.
    fn length(&self, x: &[Vec3], candidate: &[Vec3]) -> f64 {
        (0..30).map(|k| self.masses[k] * (x[k] - candidate[k]).norm_squared()).sum()
    }
}

#[test]
fn the_first_iterations_of_icd_step_and_project_and_fast_projection_are_one() {
    for pins in [&[][..], &[0], &[0, 3, 29]] {
        let sheet = Sheet::new(pins);
        for seed in 0..5 {
            let candidate = sheet.candidate(seed, 0.02);
            let once = limits(1e-10, 1);
            let (of_fp, fast) = filtered(&mut FastProjection::new(sheet.constraints.clone(), once), &sheet.start, &candidate);
            for mut other in
                [MethodKind::Icd, MethodKind::StepAndProject].map(|method| method.build(sheet.constraints.clone(), once))
            {
                let (report, x) = filtered(&mut *other, &sheet.start, &candidate);
                assert!(distance(&x, &fast) < 1e-14 && distance(&x, &candidate) > 1e-3, "{}", distance(&x, &fast));
                assert_eq!((report.stop, report.iterations), (FilterStop::IterationLimit, 1));
                assert!((report.after - of_fp.after).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn icd_and_step_and_project_find_the_same_closest_point() {
    for pins in [&[][..], &[0], &[0, 3]] {
        let sheet = Sheet::new(pins);
        for seed in 0..6 {
            let candidate = sheet.candidate(seed, 0.015);
            let tight = limits(1e-11, 400);
            let mut icd = Icd::new(sheet.constraints.clone(), tight);
            let (of_icd, x) = filtered(&mut icd, &sheet.start, &candidate);
            let (of_sap, y) = filtered(&mut StepAndProject::new(sheet.constraints.clone(), tight), &sheet.start, &candidate);
            assert_eq!(
                (of_icd.stop, of_sap.stop),
                (FilterStop::Converged, FilterStop::Converged),
                "{seed} {of_icd:?} {of_sap:?}"
            );
            assert!(distance(&x, &y) < 1e-9, "{seed} {}", distance(&x, &y));
            assert!(of_icd.iterations < 12 && of_sap.iterations > of_icd.iterations, "{of_icd:?} {of_sap:?}");
            assert!(icd.worst_residual() < 1e-12, "{}", icd.worst_residual());
            // a root of F and C indeed, and closer than where fast projection ends
            let mut f = vec![Vec3::zeros(); 30];
            assert!(residual_of_motion(&sheet.constraints, &candidate, &x, icd.multipliers(), &mut f) < 1e-11);
            let mut fast = FastProjection::new(sheet.constraints.clone(), tight);
            let (_, z) = filtered(&mut fast, &sheet.start, &candidate);
            assert!(sheet.length(&x, &candidate) < sheet.length(&z, &candidate));
            assert!(residual_of_motion(&sheet.constraints, &candidate, &z, fast.multipliers(), &mut f) > 1e-6);
        }
    }
}

#[test]
fn step_and_project_shortens_its_way_where_curvature_is_large() {
    // far from the constraints the projections overshoot each other
    let sheet = Sheet::new(&[0]);
    let mut shortened = 0;
    for seed in 0..4 {
        let candidate = sheet.candidate(seed, 0.03);
        let tight = limits(1e-11, 2000);
        let (of_icd, x) = filtered(&mut Icd::new(sheet.constraints.clone(), tight), &sheet.start, &candidate);
        let (of_sap, y) = filtered(&mut StepAndProject::new(sheet.constraints.clone(), tight), &sheet.start, &candidate);
        assert_eq!(of_sap.stop, FilterStop::Converged, "{of_sap:?}");
        shortened += of_sap.solves - of_sap.iterations; // a second solve where the way is shortened
        if of_icd.stop == FilterStop::Converged {
            assert!(sheet.length(&y, &candidate) < sheet.length(&x, &candidate) * (1.0 + 1e-9), "{seed} {}", distance(&x, &y));
        }
    }
    assert!(shortened > 0);
}

#[test]
fn icd_has_as_many_negative_pivots_as_constraints() {
    let sheet = Sheet::new(&[0]);
    let mut icd = Icd::new(sheet.constraints.clone(), limits(1e-10, 20));
    let (report, _) = filtered(&mut icd, &sheet.start, &sheet.candidate(1, 0.01));
    let size = icd.system_size();
    let edges = sheet.constraints.edges().len();
    assert_eq!((size.unknowns, icd.factors().negative, icd.factors().replaced), (29 * 3 + edges, edges, 0));
    assert_eq!((report.stop, report.factorisations), (FilterStop::Converged, report.iterations));
    let fast = FastProjection::new(sheet.constraints.clone(), limits(1e-10, 20)).system_size();
    assert!(fast.unknowns == edges && fast.entries < size.entries);
}

#[test]
fn every_method_keeps_the_momentum_of_a_free_sheet() {
    let sheet = Sheet::new(&[]);
    let candidate = sheet.candidate(2, 0.004);
    for method in
        [MethodKind::FastProjection, MethodKind::Icd, MethodKind::StepAndProject, MethodKind::Shake, MethodKind::Linearised]
    {
        let (report, x) = filtered(&mut *method.build(sheet.constraints.clone(), limits(1e-9, 200)), &sheet.start, &candidate);
        let moved = (0..30).fold(Vec3::zeros(), |sum, k| sum + sheet.masses[k] * (x[k] - candidate[k]));
        assert!(moved.norm() < 1e-14 && distance(&x, &candidate) > 1e-4, "{} {moved}", method.name());
        assert!(report.after < report.before && report.operations > 0 && report.solves >= report.iterations, "{report:?}");
        assert!(method == MethodKind::Linearised || report.stop == FilterStop::Converged, "{} {report:?}", method.name());
    }
}

#[test]
fn shake_moves_along_the_directions_of_the_start() {
    let case = FailureCase::RightAngle; // its edge, another candidate
    let start = case.candidate(0.0);
    let mut shake = Shake::new(case.constraints(None), limits(1e-10, 30));
    let (report, x) = filtered(&mut shake, &start, &[Vec3::zeros(), Vec3::new(1.1, 0.2, 0.0)]);
    assert_eq!((report.stop, report.factorisations, shake.rebuilt()), (FilterStop::Converged, 1, 0));
    assert!((x[1] - Vec3::new(0.96_f64.sqrt(), 0.2, 0.0)).norm() < 1e-10);
    // a step that the matrix of the start does not do: it falls by 0.514 at first
    let (report, x) = filtered(&mut shake, &start, &[Vec3::zeros(), Vec3::new(0.3, 0.6, 0.0)]);
    assert!(report.stop == FilterStop::Converged && shake.rebuilt() > 0, "{report:?}");
    assert_eq!(report.factorisations, 1 + shake.rebuilt());
    assert!((x[1] - Vec3::new(0.8, 0.6, 0.0)).norm() < 1e-10);
}

#[test]
fn shake_on_a_sheet_finds_a_root_in_its_directions() {
    let sheet = Sheet::new(&[0]);
    let candidate = sheet.candidate(3, 0.006);
    let (report, x) = filtered(&mut Shake::new(sheet.constraints.clone(), limits(1e-10, 100)), &sheet.start, &candidate);
    assert_eq!(report.stop, FilterStop::Converged, "{report:?}");
    // projected onto the directions of the start, the correction leaves nothing: J P dx = 0 for the rest P dx of it
    let dx: Vec<Vec3> = x.iter().zip(&candidate).map(|(x, c)| x - c).collect();
    let moved: Vec<Vec3> = sheet.start.iter().zip(&dx).map(|(x, dx)| x + dx).collect();
    let mut linear = MethodKind::Linearised.build(sheet.constraints.clone(), limits(1e-10, 1));
    let (_, rest) = filtered(&mut *linear, &sheet.start, &moved);
    assert!(distance(&rest, &sheet.start) < 1e-12 && distance(&moved, &sheet.start) > 1e-3, "{}", distance(&rest, &sheet.start));
}

/// How fast projection, ICD and SHAKE end in a case, at a fraction of its step.
fn outcomes(case: FailureCase, fraction: f64, held: Option<&[usize]>) -> [(FilterStop, u64); 3] {
    let start = case.candidate(0.0);
    [MethodKind::FastProjection, MethodKind::Icd, MethodKind::Shake].map(|method| {
        let mut method = method.build(case.constraints(held), limits(1e-10, 50));
        let (report, x) = filtered(&mut *method, &start, &case.candidate(fraction));
        assert!(x.iter().all(|x| x.iter().all(|x| x.is_finite())), "{case:?}");
        (report.stop, report.iterations)
    })
}

fn singular(stop: FilterStop) -> bool {
    matches!(stop, FilterStop::Singular { .. })
}

#[test]
fn q1_has_no_root_along_the_old_direction() {
    let [fast, icd, shake] = outcomes(FailureCase::NoRoot, 1.0, None);
    assert_eq!((fast.0, icd.0, shake.0), (FilterStop::Converged, FilterStop::Converged, FilterStop::IterationLimit));
    assert!(outcomes(FailureCase::NoRoot, 0.5, None).iter().all(|(stop, _)| *stop == FilterStop::Converged));
}

#[test]
fn q2_an_edge_at_a_right_angle_is_singular_for_shake_alone() {
    let [fast, icd, shake] = outcomes(FailureCase::RightAngle, 1.0, None);
    assert_eq!((fast.0, icd.0, shake.0), (FilterStop::Converged, FilterStop::Converged, FilterStop::Singular { edge: 0 }));
    assert!(outcomes(FailureCase::RightAngle, 0.5, None).iter().all(|(stop, _)| *stop == FilterStop::Converged));
}

#[test]
fn q2_three_free_particles_are_singular_for_shake_until_one_is_held() {
    let [fast, icd, shake] = outcomes(FailureCase::ThreeFree, 1.0, None);
    assert!(fast.0 == FilterStop::Converged && icd.0 == FilterStop::Converged && singular(shake.0), "{fast:?} {icd:?} {shake:?}");
    let [_, _, held] = outcomes(FailureCase::ThreeFree, 1.0, Some(&[0]));
    assert!(!singular(held.0), "{held:?}");
}

#[test]
fn q3_is_singular_for_all_until_the_step_is_halved() {
    for (stop, _) in outcomes(FailureCase::LineAtTheEnd, 1.0, None) {
        assert!(singular(stop), "{stop:?}");
    }
    for (stop, _) in outcomes(FailureCase::LineAtTheEnd, 0.5, None) {
        assert_eq!(stop, FilterStop::Converged);
    }
}

#[test]
fn q4_is_singular_for_shake_at_any_step_and_takes_the_others_five_iterations() {
    let [fast, icd, shake] = outcomes(FailureCase::LineAtTheStart, 1.0, None);
    assert_eq!((fast, icd), ((FilterStop::Converged, 5), (FilterStop::Converged, 5)));
    assert!(singular(shake.0));
    assert!(singular(outcomes(FailureCase::LineAtTheStart, 0.5, None)[2].0));
}

#[test]
fn what_cannot_be_projected_is_a_status_of_every_method() {
    let sheet = Sheet::new(&[0]);
    let mut lost = sheet.candidate(0, 0.01);
    lost[7].y = f64::NAN;
    let mut far = sheet.candidate(0, 0.01);
    far[7].y = 1e200;
    let strained = sheet.candidate(0, 0.01);
    let mut together = strained.clone();
    together[8] = together[7];
    for method in
        [MethodKind::FastProjection, MethodKind::Icd, MethodKind::StepAndProject, MethodKind::Shake, MethodKind::Linearised]
    {
        let stop = |start: &[Vec3], candidate: &[Vec3]| {
            let mut method = method.build(sheet.constraints.clone(), limits(1e-9, 20));
            filtered(&mut *method, start, candidate).0.stop
        };
        assert_eq!(stop(&sheet.start, &lost), FilterStop::NotFinite, "{}", method.name());
        assert!(!matches!(stop(&sheet.start, &far), FilterStop::Converged), "{}", method.name());
        let at_the_start = matches!(method, MethodKind::Shake | MethodKind::Linearised); // whose gradients are those of the start
        let coincident = if at_the_start { stop(&together, &strained) } else { stop(&sheet.start, &together) };
        assert!(matches!(coincident, FilterStop::Coincident { .. }), "{} {coincident:?}", method.name());
        assert_eq!(stop(&together, &lost), FilterStop::NotFinite);
        let all: Vec<usize> = (0..30).collect();
        let mut idle = method.build(Sheet::new(&all).constraints, limits(1e-9, 20)); // nothing can move
        assert_eq!(filtered(&mut *idle, &sheet.start, &far).0.stop, FilterStop::Converged, "{}", method.name());
    }
}

/// A sheet without stretch that swings from a corner for .3 s, by steps of dt \[s\]: its energy at the end over what it has to spend.
fn swung(limits: Limits, dt: f64) -> f64 {
    let none = Elastic { stiffness: 0.0, damping: 0.0 };
    let material = Material {
        density: 0.2,
        stretch: none,
        shear: Elastic { stiffness: 0.1, damping: 0.0 },
        bend: 0.0,
        ..Material::default()
    };
    let cloth = Cloth::new(Grid::new(8, 8, 0.05).expect("a grid"), material, &[Pin::At(0, 7)]).expect("a sheet");
    let kept = LengthConstraint { method: MethodKind::FastProjection, limits };
    let weight = cloth.masses().iter().sum::<f64>() * 9.81 * 0.35;
    let scenario = Scenario::new(cloth.clone()).scheme(&ForwardBackwardEuler::ENTRY).step(dt).keep_lengths(kept);
    let mut run: Run = scenario.run().expect("a run");
    while run.time() < 0.3 {
        run.step().expect("a step");
    }
    cloth.energies(run.state()).total() / weight
}

#[test]
fn strain_that_gathers_gains_energy_in_short_steps_and_what_goes_in_every_step_does_not() {
    let limits = limits(0.01, 100);
    let gathered = [1.0 / 240.0, 1.0 / 7680.0].map(|dt| swung(limits, dt));
    let every = [1.0 / 240.0, 1.0 / 1920.0, 1.0 / 7680.0].map(|dt| swung(limits.in_every_step(), dt));
    assert!(gathered[0] < 0.0 && gathered[1] > 0.1, "{gathered:?}");
    assert!(every.iter().all(|energy| *energy < 1e-6) && every[2] > every[0] && every[2] > -0.02, "{every:?}");
}

#[test]
fn a_taut_row_within_the_bound_needs_no_correction_in_every_step() {
    let grid = Grid::new(4, 2, 0.1).expect("a grid");
    let held: Vec<bool> = (0..8).map(|k| k == 4 || k == 7).collect();
    let constraints = EdgeConstraints::new(&EdgeConstraints::edges_of_grid(&grid), &[0.1; 8], &held).expect("edges");
    let (start, mut candidate) = (grid.flat(), grid.flat());
    candidate[5].x += 1e-4;
    for method in [MethodKind::FastProjection, MethodKind::Icd, MethodKind::StepAndProject] {
        let mut method = method.build(constraints.clone(), limits(0.01, 50).in_every_step());
        let (report, x) = filtered(&mut *method, &start, &candidate);
        assert!(report.stop == FilterStop::Converged && distance(&x, &candidate) < 1e-3, "{report:?}");
    }
}

#[test]
fn icd_keeps_a_loose_bound_in_short_steps() {
    let none = Elastic { stiffness: 0.0, damping: 0.0 };
    let shear = Elastic { stiffness: 0.1, damping: 1e-4 };
    let material = Material { density: 0.2, stretch: none, shear, bend: 0.0, ..Material::default() };
    let cloth = Cloth::new(Grid::new(24, 24, 0.042).expect("a grid"), material, &[]).expect("a sheet");
    let ball = Solid::Sphere { centre: Vec3::new(0.483, 0.483, -0.302), radius: 0.3 };
    let kept = LengthConstraint { method: MethodKind::Icd, limits: limits(0.1, 50) };
    let scenario = Scenario::new(cloth).scheme(&ForwardBackwardEuler::ENTRY).step(1.0 / 1920.0).keep_lengths(kept);
    let scenario =
        scenario.solid(ball, RigidMotion::STILL).solid_contact(SolidContact::Constraints).friction(Friction::even(0.3));
    let mut run = scenario.run().expect("a run");
    for _ in 0..500 {
        let report = run.step().expect("a step").filter.expect("a filter");
        assert!(report.stop == FilterStop::Converged, "step {}: {report:?}", run.steps());
    }
}
