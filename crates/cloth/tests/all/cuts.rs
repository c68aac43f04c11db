//! Springs that are cut from the implicit system: what falls apart is solved by itself, and what is not cut stays what it was.

use cloth::implicit::{ConjugateGradients, Cuts, Decompose, MatrixForm, Settings, Tolerance, Work};
use cloth::integrators::{BackwardEuler, ForwardBackwardEuler, Integrator};
use cloth::{Cloth, Elastic, Grid, Material, Net, NetSpring, Pin, State, System, Vec3};

/// Component by component, to far below what the thesis asks for.
fn settings(cuts: Option<Cuts>, form: MatrixForm) -> Settings {
    let gradients = ConjugateGradients { decompose: Some(Decompose::Serial), ..ConjugateGradients::to(Tolerance::Fixed(1e-13)) };
    Settings { cuts, form, ..Settings::from(gradients) }
}

/// A state after some steps of a system from a start, what they took, and the groups of the last one.
fn run(system: &dyn System, settings: Settings, start: &State, steps: usize) -> (State, Work, Vec<u32>) {
    let mut scheme = BackwardEuler::new(system, settings);
    let mut state = start.clone();
    (0..steps).for_each(|_| scheme.step(system, 0.01, &mut state));
    let groups = scheme.groups().expect("a decomposed solve").to_vec();
    (state, scheme.work(), groups)
}

/// A sheet under way, that hangs from two corners.
fn sheet() -> (Cloth, State) {
    let elastic = Elastic { stiffness: 30.0, damping: 0.02 };
    let material = Material { density: 0.3, stretch: elastic, shear: elastic, bend: 0.005, air: 0.001, ..Material::default() };
    let cloth = Cloth::new(Grid::new(7, 6, 0.1).expect("a grid"), material, &[Pin::At(0, 0), Pin::At(6, 0)]).expect("a sheet");
    let mut state = cloth.at_rest();
    let mut scheme = ForwardBackwardEuler::new(42);
    (0..400).for_each(|_| scheme.step(&cloth, 5e-4, &mut state));
    (cloth, state)
}

#[test]
fn a_speed_of_zero_cuts_nothing_to_the_bit() {
    let (cloth, start) = sheet();
    for form in [MatrixForm::Fastest, MatrixForm::BlockRows] {
        for separating in [false, true] {
            let [(plain, work, groups), cut] =
                [None, Some(Cuts { speed: 0.0, separating })].map(|cuts| run(&cloth, settings(cuts, form), &start, 20));
            assert_eq!(cut, (plain, work, groups), "{form:?}");
            assert!(cut.1.cut == 0 && cut.1.iterations > 100);
        }
    }
}

#[test]
fn a_speed_that_nothing_reaches_cuts_all_that_acts() {
    let (cloth, start) = sheet();
    let cuts = Some(Cuts { speed: f64::INFINITY, separating: false });
    let (_, work, groups) = run(&cloth, settings(cuts, MatrixForm::BlockRows), &start, 1);
    let acts = cloth.springs().iter().filter(|spring| cloth.is_active(spring, &start.x)).count();
    assert_eq!((work.cut, work.components), (acts as u64, 40));
    assert_eq!(groups.iter().filter(|group| **group == 0).count(), 2, "the pins");
    // all forces are explicit but those of air: forward-backward Euler
    let still_air = Cloth::new(*cloth.grid(), Material { air: 0.0, ..*cloth.material() }, &[Pin::At(0, 0), Pin::At(6, 0)]);
    let still_air = still_air.expect("a sheet");
    let (cut, ..) = run(&still_air, settings(cuts, MatrixForm::BlockRows), &start, 1);
    let mut explicit = start.clone();
    ForwardBackwardEuler::new(42).step(&still_air, 0.01, &mut explicit);
    assert!(cut.x.iter().zip(&explicit.x).all(|(a, b)| (a - b).norm() < 1e-14));
}

#[test]
fn both_forms_of_the_matrix_cut_alike() {
    let (cloth, start) = sheet();
    for separating in [false, true] {
        let cuts = Some(Cuts { speed: 0.2, separating });
        let forms = [MatrixForm::Fastest, MatrixForm::BlockRows].map(|form| run(&cloth, settings(cuts, form), &start, 3));
        let [(grid, on_grid, groups), (rows, in_rows, groups_in_rows)] = &forms;
        assert!(grid.x.iter().zip(&rows.x).all(|(a, b)| (a - b).norm() < 1e-12));
        assert_eq!((on_grid.cut, on_grid.components, groups), (in_rows.cut, in_rows.components, groups_in_rows));
        assert!(on_grid.cut > 3 && on_grid.components > 6, "{on_grid:?}");
    }
}

#[test]
fn what_is_cut_off_is_solved_by_itself() {
    // two pairs of particles that move towards each other, joined by a spring whose ends move alike
    let springs = (1..4).map(|j| NetSpring { i: j - 1, j, rest: 1.0, elastic: Elastic { stiffness: 100.0, damping: 0.1 } });
    let net = Net::new(vec![1.0; 4], vec![false; 4], springs.collect()).expect("a net");
    let mut start = State::at_rest((0..4).map(|k| Vec3::new(1.1 * f64::from(k), 0.0, 0.0)).collect());
    (start.v[0].x, start.v[3].x) = (1.0, -1.0);
    let mut other = start.clone();
    other.v[3].x = -2.0;
    let first = |cuts: Option<Cuts>, start: &State| {
        let (state, work, groups) = run(&net, settings(cuts, MatrixForm::BlockRows), start, 1);
        (state.v[..2].to_vec(), work.components, groups)
    };
    let whole = first(None, &start);
    assert_eq!((whole.1, &whole.2[..]), (1, &[1, 1, 1, 1][..]));
    assert_ne!(first(None, &other).0, whole.0, "what is joined is moved by what moves at its other end");
    for separating in [false, true] {
        let cuts = Some(Cuts { speed: 0.5, separating });
        let cut = first(cuts, &start);
        assert_eq!((cut.1, &cut.2[..]), (2, &[1, 1, 2, 2][..]));
        assert_eq!(first(cuts, &other), cut, "{separating}: to the bit");
    }
}
