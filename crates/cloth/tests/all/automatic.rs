//! Solvers that are chosen by the matrix, to a strain that a solve may leave wrong.

use cloth::implicit::{ConjugateGradients, MatrixForm, Newton, Settings, Solver};
use cloth::integrators::{BackwardEuler, Integrator};
use cloth::triangles::{SpringMaterial, TriangleMesh};
use cloth::{Bend, Cloth, Elastic, Fabric, Family, Grid, Material, Pin, Spring, State, System, TriangleCloth, Vec3};

const DT: f64 = 0.01;

/// The sheet of the benchmarks' canonical job: 1 m, N x N particles of 0.2 / N² kg, held by two adjacent corners.
fn canonical_sheet(side: usize) -> Cloth {
    let n = side as f64;
    let spacing = 1.0 / (n - 1.0);
    let elastic = Elastic { stiffness: 1000.0, damping: 0.0 };
    let density = 0.2 / (n * n * spacing * spacing);
    let material = Material { density, stretch: elastic, shear: elastic, bend: 0.01, ..Material::default() };
    let grid = Grid::new(side, side, spacing).expect("a grid");
    Cloth::new(grid, material, &[Pin::At(0, 0), Pin::At(side - 1, 0)]).expect("a sheet")
}

/// |x| / L - 1 of the stretch springs.
fn strains(cloth: &Cloth, state: &State) -> Vec<f64> {
    let stretch = cloth.springs().iter().filter(|spring| spring.family == Family::Stretch);
    stretch.map(|spring| (state.x[spring.j] - state.x[spring.i]).norm() / spring.rest - 1.0).collect()
}

/// Largest difference of strains after a step from `start`, to first order, of stretch springs that act in it.
fn largest_error(cloth: &Cloth, start: &State, one: &State, other: &State) -> f64 {
    let stretch = cloth.springs().iter().filter(|spring| spring.family == Family::Stretch);
    let error = |spring: &Spring| {
        let d = start.x[spring.j] - start.x[spring.i];
        let [at_j, at_i] = [spring.j, spring.i].map(|particle| one.x[particle] - other.x[particle]);
        let acts = d.norm() >= spring.rest * (1.0 + 1e-9);
        if acts { d.normalize().dot(&(at_j - at_i)).abs() / spring.rest } else { 0.0 }
    };
    stretch.map(error).fold(0.0, f64::max)
}

fn automatic(strain: f64) -> Settings {
    Settings::from(ConjugateGradients::automatic(strain))
}

#[test]
fn sheets_of_any_size_are_cloth_by_default() {
    // the largest strain after a second of steps solved to 1e-8
    for (side, converged) in [(32, 0.0097), (64, 0.0197), (128, 0.0466)] {
        let cloth = canonical_sheet(side);
        let settings = Settings { solver: Solver::automatic(), ..Settings::default() };
        let (mut scheme, mut state) = (BackwardEuler::new(&cloth, settings), cloth.at_rest());
        let mut left: f64 = 0.0;
        for _ in 0..100 {
            scheme.step(&cloth, DT, &mut state);
            left = left.max(scheme.last_system().and_then(|solved| solved.strain_left).expect("an estimate"));
        }
        let largest = strains(&cloth, &state).into_iter().fold(0.0, f64::max);
        assert!((largest / converged - 1.0).abs() < 0.05, "N = {side}: {largest}");
        assert!(left <= ConjugateGradients::STRAIN && scheme.work().cycles > 0, "N = {side}: {left}");
        assert_eq!(scheme.work().limited, 0);
    }
}

#[test]
fn no_strain_is_left_more_wrong_than_asked_for() {
    let cloth = canonical_sheet(24);
    for strain in [1e-2, 1e-3, 1e-5] {
        for form in [MatrixForm::Fastest, MatrixForm::BlockRows] {
            let mut scheme = BackwardEuler::new(&cloth, Settings { form, ..automatic(strain) });
            let mut state = cloth.at_rest();
            let mut worst: f64 = 0.0;
            for _ in 0..60 {
                let mut exact = state.clone();
                let direct = Settings { solver: Solver::Direct, ..Settings::default() };
                BackwardEuler::new(&cloth, direct).step(&cloth, DT, &mut exact);
                let start = state.clone();
                scheme.step(&cloth, DT, &mut state);
                worst = worst.max(largest_error(&cloth, &start, &state, &exact));
                let left = scheme.last_system().and_then(|solved| solved.strain_left);
                assert!(left.is_some_and(|left| left <= strain), "{left:?} of {strain}");
            }
            assert!(worst <= strain, "{worst} of {strain}, {form:?}");
        }
    }
}

#[test]
fn what_is_stiff_is_solved_anew_in_each_step() {
    let cloth = canonical_sheet(24);
    for (dt, is_stiff) in [(DT, true), (1e-3, false)] {
        let (mut scheme, mut state) = (BackwardEuler::new(&cloth, automatic(1e-2)), cloth.at_rest());
        let mut same = 0;
        for step in 0..30 {
            let mut alone = state.clone();
            BackwardEuler::new(&cloth, automatic(1e-2)).step(&cloth, dt, &mut alone); // has no change of velocities to start from
            scheme.step(&cloth, dt, &mut state);
            same += usize::from((alone.x, alone.v) == (state.x.clone(), state.v.clone()));
            let starts_anew = scheme.last_system().map(|solved| solved.starts_anew);
            assert_eq!(starts_anew, Some(is_stiff), "step {step} of {dt} s");
        }
        assert!(if is_stiff { same == 30 } else { same < 5 }, "{same} of 30 steps of {dt} s");
        assert_eq!(scheme.work().cycles > 0, is_stiff);
    }
}

/// Largest strain after a step of 3 ms of cloth that turns in its plane by 0.3 rad in it, how many systems that took, and the strain that the
/// last one did not foresee.
fn turned(cloth: &dyn System, places: &[Vec3], newton: Newton) -> (f64, u64, f64) {
    let (dt, rate) = (3e-3, 100.0);
    let settings = Settings { solver: Solver::Direct, newton, ..Settings::default() };
    let (mut scheme, mut state) = (BackwardEuler::new(cloth, settings), State::at_rest(places.to_vec()));
    let middle = places.iter().sum::<Vec3>() / places.len() as f64;
    state.v = places.iter().map(|x| rate * Vec3::z().cross(&(x - middle))).collect();
    scheme.step(cloth, dt, &mut state);
    let unforeseen = scheme.last_system().and_then(|solved| solved.unforeseen);
    (cloth.largest_stretch(&state.x) - 1.0, scheme.work().solves, unforeseen.unwrap_or(0.0))
}

#[test]
fn what_stiff_springs_do_not_foresee_is_solved_again() {
    for (stiffness, is_stiff) in [(1e5, true), (1.0, false)] {
        let elastic = Elastic { stiffness, damping: 0.0 };
        let material = Material { density: 0.2, stretch: elastic, shear: elastic, bend: 0.0, ..Material::default() };
        let sheet = Cloth::new(Grid::new(11, 11, 0.1).unwrap(), material, &[]).unwrap();
        let mesh = TriangleMesh::regular(11, 11, 1.0, 1.0).unwrap();
        let springs = SpringMaterial { density: 0.2, stretch: elastic, shear: elastic, ..SpringMaterial::default() };
        let net = mesh.springs(&springs, &[]).unwrap();
        let fabric = Fabric { density: 0.2, warp: elastic, weft: elastic, shear: elastic, ..Fabric::default() };
        let cloth = TriangleCloth::new(mesh, fabric, &[]).unwrap();
        let flat = cloth.mesh().positions().to_vec();
        let cases: [(&str, &dyn System, Vec<Vec3>); 3] =
            [("grid", &sheet, sheet.at_rest().x), ("net", &net, flat.clone()), ("triangles", &cloth, flat)];
        for (name, cloth, start) in cases {
            let converged = Newton::Converged { tolerance: 1e-6, limit: 100 };
            let [once, watched, exact] = [Newton::Once, Newton::WATCHED, converged].map(|newton| turned(cloth, &start, newton));
            let said = format!("{name}, {stiffness} N/m: {once:?} {watched:?} {exact:?}");
            assert!(once.0 > 0.04 && (watched.0 / exact.0 - 1.0).abs() < 0.06, "{said}");
            assert!(if is_stiff { watched.1 == 2 && watched.2 <= 0.01 } else { once.0 == watched.0 && watched.1 == 1 }, "{said}");
        }
    }
}

/// A sheet of triangles of 1 m with N x N particles and this stiffness \[N/m\], which falls from two adjacent corners.
fn triangles(side: usize, stiffness: f64) -> TriangleCloth {
    let mesh = TriangleMesh::regular(side, side, 1.0, 1.0).expect("a mesh");
    let elastic = Elastic { stiffness, damping: 0.0 };
    let bend = Bend { stiffness: 1e-5, damping: 0.0 };
    let fabric = Fabric { density: 0.2, warp: elastic, weft: elastic, shear: elastic, bend, ..Fabric::default() };
    TriangleCloth::new(mesh, fabric, &[0, side - 1]).expect("a material")
}

#[test]
fn triangles_are_aggregated_where_they_are_stiff() {
    for (stiffness, is_stiff) in [(1e4, true), (100.0, false)] {
        let cloth = triangles(30, stiffness);
        let (mut scheme, mut state) = (BackwardEuler::new(&cloth, automatic(ConjugateGradients::STRAIN)), cloth.at_rest());
        let mut worst: f64 = 0.0;
        for _ in 0..30 {
            let mut exact = state.clone();
            let direct = Settings { solver: Solver::Direct, ..Settings::default() };
            BackwardEuler::new(&cloth, direct).step(&cloth, DT, &mut exact);
            scheme.step(&cloth, DT, &mut state);
            let left = scheme.last_system().and_then(|solved| solved.strain_left);
            assert!(left.is_some_and(|left| left <= ConjugateGradients::STRAIN), "{left:?} of {stiffness} N/m");
            for triangle in cloth.mesh().triangles() {
                let [a, b, _] = triangle.corners;
                let length = |state: &State| (state.x[b] - state.x[a]).norm();
                worst = worst.max((length(&state) / length(&exact) - 1.0).abs());
            }
        }
        assert!(worst <= ConjugateGradients::STRAIN, "{worst} of {stiffness} N/m");
        let work = scheme.work();
        assert_eq!((work.solves, work.aggregated), (30, if is_stiff { 30 } else { 0 }), "{stiffness} N/m");
        assert_eq!(work.direct > 0, is_stiff);
    }
}
