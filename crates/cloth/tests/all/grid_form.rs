//! Steps of a sheet with systems on its grid against the same steps with block compressed rows.

use cloth::contact::{Contacts, Coulomb, Friction, Solid};
use cloth::implicit::{
    ConjugateGradients, DiagonalKind, LinearSystem, MatrixForm, Precision, PreconditionerKind, Settings, SolvedSystem, Solver,
    Splitting, Start, Tolerance,
};
use cloth::integrators::{BackwardEuler, Bdf2, ImplicitMidpoint, Integrator};
use cloth::{Cloth, DampingForm, Elastic, Grid, Material, Pin, State, System, Vec3};
use linsolve::Ssor;

const DT: f64 = 0.01;

/// A scheme with matrices of a form.
type Made<'a> = &'a dyn Fn(MatrixForm) -> Box<dyn Integrator>;

fn sheet(pins: &[Pin]) -> Cloth {
    let elastic = |stiffness, damping| Elastic { stiffness, damping };
    let material = Material {
        stretch: elastic(400.0, 0.03),
        shear: elastic(90.0, 0.02),
        bend: 0.003,
        air: 1e-4,
        damping: DampingForm::Projected,
        ..Material::default()
    };
    Cloth::new(Grid::new(13, 9, 0.05).expect("a grid"), material, pins).expect("a sheet")
}

/// To a tolerance at which a different order of sums moves nothing that is seen here.
fn settings(kind: Option<DiagonalKind>, start: Start) -> Settings {
    let preconditioner = kind.map_or(PreconditionerKind::None, PreconditionerKind::BlockDiagonal);
    Settings::from(ConjugateGradients { preconditioner, start, ..ConjugateGradients::to(Tolerance::Fixed(1e-11)) })
}

/// Largest distance of a particle between both runs \[m\], and how far the sheet moved at most.
fn distance(cloth: &Cloth, start: &State, steps: usize, scheme: Made) -> [f64; 2] {
    let [grid, blocks] = [MatrixForm::Fastest, MatrixForm::BlockRows].map(|form| {
        let (mut scheme, mut state) = (scheme(form), start.clone());
        (0..steps).for_each(|_| scheme.step(cloth, DT, &mut state));
        (state, scheme.work())
    });
    let apart = |one: &State, other: &State| one.x.iter().zip(&other.x).map(|(p, q)| (p - q).norm()).fold(0.0, f64::max);
    assert_eq!((grid.1.solves, grid.1.limited, grid.1.indefinite), (blocks.1.solves, 0, 0));
    let [counted, expected] = [grid.1.iterations, blocks.1.iterations];
    assert!(expected > 0 && counted.abs_diff(expected) <= expected / 50, "{counted} iterations against {expected}");
    [apart(&grid.0, &blocks.0), apart(&grid.0, start)]
}

#[test]
fn hanging_sheets_move_alike_in_both_forms() {
    let cloth = sheet(&[Pin::index(0), Pin::index(12)]);
    let mut start = cloth.at_rest();
    start.v.iter_mut().enumerate().for_each(|(i, v)| v.z = 0.3 * libm::sin((i * i) as f64));
    start.v[0] = Vec3::new(0.0, 0.2, 0.0); // a pin that moves
    let cp = settings(Some(DiagonalKind::Constrained), Start::Corrected);
    let a_block = settings(Some(DiagonalKind::ABlock), Start::Corrected);
    let schemes: [Made; 6] = [
        &|form| Box::new(BackwardEuler::new(&cloth, Settings { form, ..cp })),
        &|form| Box::new(BackwardEuler::new(&cloth, Settings { form, ..settings(None, Start::Original) })),
        &|form| Box::new(BackwardEuler::new(&cloth, Settings { form, ..a_block })),
        &|form| Box::new(BackwardEuler::split(&cloth, Settings { form, ..cp }, Splitting::adaptive())),
        &|form| Box::new(ImplicitMidpoint::new(&cloth, Settings { form, ..cp })),
        &|form| Box::new(Bdf2::new(&cloth, Settings { form, ..cp })),
    ];
    for (k, scheme) in schemes.iter().enumerate() {
        let [apart, moved] = distance(&cloth, &start, 30, scheme);
        assert!(moved > 0.1 && apart < 1e-8, "scheme {k}: {apart} of {moved}");
    }
}

#[test]
fn a_sheet_moves_alike_by_multigrid() {
    let cloth = sheet(&[Pin::index(0), Pin::index(12)]);
    let mut start = cloth.at_rest();
    // no spring at its rest length, where it acts or not by rounding
    start.v.iter_mut().enumerate().for_each(|(i, v)| *v = 0.2 * Vec3::new(libm::sin(i as f64), libm::cos((i * i) as f64), 0.0));
    start.v[12] = Vec3::zeros();
    let run = |preconditioner| {
        let gradients = ConjugateGradients { preconditioner, ..ConjugateGradients::to(Tolerance::Fixed(1e-11)) };
        let mut scheme = BackwardEuler::new(&cloth, Settings::from(gradients));
        let mut state = start.clone();
        (0..10).for_each(|_| scheme.step(&cloth, DT, &mut state));
        (state, scheme.work())
    };
    let (state, work) = run(PreconditionerKind::Multigrid);
    let (expected, by_blocks) = run(PreconditionerKind::BlockDiagonal(DiagonalKind::Constrained));
    let apart = state.x.iter().zip(&expected.x).map(|(p, q)| (p - q).norm()).fold(0.0, f64::max);
    assert!(apart < 1e-8 && work.cycles > 20 && work.indefinite == 0, "{apart}, {work:?}");
    assert_eq!((by_blocks.cycles, by_blocks.stalled), (0, 0));
}

#[test]
fn a_sheet_moves_alike_in_single_precision() {
    let cloth = sheet(&[Pin::index(0), Pin::index(12)]);
    let mut start = cloth.at_rest();
    // no spring at its rest length, where it acts or not by rounding
    start.v.iter_mut().enumerate().for_each(|(i, v)| *v = 0.2 * Vec3::new(libm::sin(i as f64), libm::cos((i * i) as f64), 0.0));
    start.v[12] = Vec3::zeros();
    let run = |settings: Settings| {
        let (mut scheme, mut state) = (BackwardEuler::new(&cloth, settings), start.clone());
        (0..10).for_each(|_| scheme.step(&cloth, DT, &mut state));
        (state, scheme.work())
    };
    for kind in [None, Some(DiagonalKind::Constrained)] {
        let double = settings(kind, Start::Corrected);
        let (expected, in_double) = run(double);
        let (state, work) = run(Settings { precision: Precision::Single, ..double });
        let apart = state.x.iter().zip(&expected.x).map(|(p, q)| (p - q).norm()).fold(0.0, f64::max);
        assert!(apart < 1e-8 && work.corrections > work.solves, "{apart}, {work:?}");
        assert_eq!((work.fell_back, work.limited, in_double.corrections), (0, 0, 0), "{work:?}");
    }
    // systems of other forms are solved in double precision
    let blocks = Settings { form: MatrixForm::BlockRows, ..settings(None, Start::Corrected) };
    assert_eq!(run(blocks), run(Settings { precision: Precision::Single, ..blocks }));
}

#[test]
fn a_sheet_slides_over_a_ball_alike_in_both_forms() {
    let cloth = sheet(&[]);
    let mut start = cloth.at_rest();
    start.x.iter_mut().for_each(|x| *x += Vec3::new(-0.3, -0.17, 0.212));
    // no spring at its rest length, where it acts or not by rounding
    start.v.iter_mut().enumerate().for_each(|(i, v)| *v = 0.2 * Vec3::new(libm::sin(i as f64), libm::cos((i * i) as f64), 0.0));
    let ball = Solid::Sphere { centre: Vec3::zeros(), radius: 0.2 };
    let friction = Friction::Coulomb(Coulomb { still: 0.5, sliding: 0.3, threshold: 0.02 });
    let scheme = |form| -> Box<dyn Integrator> {
        let contacts = Contacts::new(cloth.particle_count(), vec![ball], friction);
        let settings = Settings { form, ..settings(Some(DiagonalKind::Constrained), Start::Corrected) };
        Box::new(BackwardEuler::new(&cloth, settings).with_contacts(contacts))
    };
    let [apart, moved] = distance(&cloth, &start, 20, &scheme);
    assert!(moved > 0.05 && apart < 1e-8, "{apart} of {moved}");
}

#[test]
fn what_a_grid_cannot_hold_is_solved_in_block_rows() {
    let cloth = sheet(&[Pin::index(0)]);
    let is_grid = |settings| {
        let (mut scheme, mut state) = (BackwardEuler::new(&cloth, settings), cloth.at_rest());
        assert!(scheme.last_system().is_none(), "a system before the first step");
        scheme.step(&cloth, 1e-3, &mut state);
        matches!(scheme.last_system(), Some(SolvedSystem { system: LinearSystem::Grid(_), .. }))
    };
    assert!(is_grid(Settings::default()));
    let exact = Settings { terms: cloth::Terms::Exact, ..Settings::default() };
    let direct = Settings { solver: Solver::Direct, ..Settings::default() };
    let preconditioner = PreconditionerKind::Triangular(&Ssor::ENTRY);
    let sweeps = ConjugateGradients { preconditioner, ..ConjugateGradients::default() };
    let rows = Settings { form: MatrixForm::BlockRows, ..Settings::default() };
    assert!(![exact, direct, rows, Settings::from(sweeps)].into_iter().any(is_grid));
}
