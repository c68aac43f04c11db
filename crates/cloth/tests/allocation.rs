//! Once everything is set up, a step allocates nothing: counted by the allocator itself, thread by thread.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System as SystemAllocator};
use std::cell::Cell;

use cloth::contact::{Contacts, Friction, Repulsion, RepulsionLaw, Solid};
use cloth::implicit::{ConjugateGradients, Cuts, Newton, Settings, Solver, Splitting, Tolerance};
use cloth::inextensible::{Directions, Division, Edge, EdgeConstraints, Limits, MethodKind, Schedule, StripSettings};
use cloth::integrators::{
    BackwardEuler, Ballistic, BogackiShampine, DissipationLimit, ForwardBackwardEuler, GeneralizedAlpha, Integrator, Iterations,
    PLAIN, ProjectiveDynamics, Sbdf2,
};
use cloth::lanes::{InstructionSet, Sheet, Trial, sweep};
use cloth::projective::Acceleration;
use cloth::quantity::{NonNegative, Positive};
use cloth::run::Filter;
use cloth::triangles::TriangleMesh;
use cloth::{
    Bend, Chain, Cloth, DampingForm, Drag, Elastic, End, Fabric, Grid, GridSprings, Linearisation, Masses, Material, Net, Pin,
    State, System, Terms, TriangleCloth, Vec3,
};
use linsolve::grid::GridOperator;
use linsolve::{Decompose, IncompleteCholesky, PreconditionerKind};

/// The system's allocator, with a count of what each thread asks of it.
struct Counting;

thread_local! {
    // constant and without a destructor: reading it allocates nothing
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    ASKED.set(ASKED.get() + 1);
}

// SAFETY: every call is passed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: as the caller promises.
        unsafe { SystemAllocator.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: as the caller promises.
        unsafe { SystemAllocator.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as the caller promises.
        unsafe { SystemAllocator.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { SystemAllocator.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How often `work` asks for memory on this thread.
fn allocations(work: impl FnOnce()) -> u64 {
    let before = ASKED.get();
    work();
    ASKED.get() - before
}

#[test]
fn the_count_sees_boxes_vectors_and_their_growth() {
    assert_eq!(allocations(|| ()), 0);
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(3)))), 1);
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![0_u8; 100]))), 1);
    let mut vector = vec![1];
    assert_eq!(allocations(|| vector.reserve_exact(std::hint::black_box(1000))), 1);
    let elsewhere = std::thread::spawn(|| drop(std::hint::black_box(Box::new(3))));
    assert_eq!(allocations(|| elsewhere.join().expect("a thread without trouble")), 0, "another thread counts for itself");
}

/// A scheme for a system.
type Maker = fn(&dyn System) -> Box<dyn Integrator>;

/// Schemes with parameters of their own.
const OTHERS: [(&str, Maker); 10] = [
    ("Bogacki-Shampine", |system| Box::new(BogackiShampine::new(system.particle_count(), BogackiShampine::TOLERANCE))),
    ("AIMEX", |system| Box::new(BackwardEuler::split(system, Settings::default(), Splitting::adaptive()))),
    ("AIMEX, decomposed", |system| Box::new(BackwardEuler::split(system, decomposed(), Splitting::adaptive()))),
    ("AIMEX, cut", |system| {
        let settings = Settings { cuts: Some(Cuts { speed: 0.1, separating: true }), ..decomposed() };
        Box::new(BackwardEuler::split(system, settings, Splitting::Adaptive { threshold: 1e-9, bend: true }))
    }),
    ("generalized-alpha", |system| {
        Box::new(GeneralizedAlpha::new(system, Settings::default(), DissipationLimit::MOST_DISSIPATION))
    }),
    ("SBDF2", |system| Box::new(Sbdf2::new(system, Settings::default(), Splitting::adaptive()))),
    ("projective dynamics", |system| Box::new(projective(system, Acceleration::None))),
    ("projective dynamics, Chebyshev", |system| Box::new(projective(system, Acceleration::Chebyshev { rho: 0.9 }))),
    ("projective dynamics, L-BFGS", |system| Box::new(projective(system, Acceleration::QuasiNewton { pairs: 3 }))),
    ("adaptive SBDF2", |system| Box::new(Sbdf2::new(system, Settings::default(), Splitting::adaptive_second_order()))),
];

fn projective(system: &dyn System, acceleration: Acceleration) -> ProjectiveDynamics {
    ProjectiveDynamics::new(system, Iterations { limit: 4, tolerance: None, acceleration })
}

/// Checks all schemes on a system that begins as `start`.
fn all_schemes_allocate_nothing(system: &dyn System, start: &State) {
    for entry in PLAIN {
        steps_allocate_nothing(entry.name, system, start, |system| entry.integrator(system, Settings::default()));
    }
    for (name, make) in OTHERS {
        steps_allocate_nothing(name, system, start, make);
    }
}

/// Constraint methods that filter a step.
const FILTERS: [MethodKind; 7] = [
    MethodKind::FastProjection,
    MethodKind::Icd,
    MethodKind::StepAndProject,
    MethodKind::Shake,
    MethodKind::Rattle,
    MethodKind::Linearised,
    MethodKind::Pbd,
];

/// Each component by itself, after an incomplete Cholesky factorisation.
fn decomposed() -> Settings {
    Settings::from(ConjugateGradients {
        preconditioner: PreconditionerKind::Triangular(&IncompleteCholesky::ENTRY),
        decompose: Some(Decompose::Serial),
        ..ConjugateGradients::to(Tolerance::RootOfStep(0.01))
    })
}

/// A sheet on which everything acts: stretch, shear, bending, both kinds of damping and of air, a hem.
fn sheet(damping: DampingForm) -> Cloth {
    let drag = Drag { air_density: 1.2, coefficient: 0.5, wind: Vec3::new(3.0, 0.0, 1.0) };
    let material = Material { bend: 0.05, damping, air: 1e-4, drag: Some(drag), masses: Masses::Hem(2.0), ..Material::default() };
    let grid = Grid::new(12, 9, 0.05).expect("a valid grid");
    Cloth::new(grid, material, &[Pin::At(0, 0), Pin::At(11, 0)]).expect("a valid material")
}

fn steps_allocate_nothing(name: &str, system: &dyn System, start: &State, make: impl Fn(&dyn System) -> Box<dyn Integrator>) {
    let mut scheme = make(system);
    let mut state = start.clone();
    for _ in 0..3 {
        scheme.step(system, 1e-4, &mut state);
    }
    let warm = state.clone();
    let counted = allocations(|| {
        for _ in 0..20 {
            scheme.step(system, 1e-4, &mut state);
        }
    });
    assert_eq!(counted, 0, "{name}");
    assert!(state.is_finite() && state != warm, "{name}: nothing moves");
}

#[test]
fn a_step_of_a_sheet_allocates_nothing() {
    for damping in [DampingForm::Projected, DampingForm::Plain] {
        let cloth = sheet(damping);
        let mut start = cloth.at_rest();
        for (k, x) in start.x.iter_mut().enumerate() {
            x.z = 0.01 * (k % 5) as f64; // crumpled: springs on both sides of their rest length
        }
        all_schemes_allocate_nothing(&cloth, &start);
    }
}

#[test]
fn a_step_that_descends_allocates_nothing() {
    let both_ways = Material { compression: true, drag: None, ..*sheet(DampingForm::Plain).material() };
    let cloth = Cloth::new(Grid::new(12, 9, 0.05).expect("a valid grid"), both_ways, &[Pin::At(0, 0)]).expect("a material");
    let mut start = cloth.at_rest();
    for (k, x) in start.x.iter_mut().enumerate() {
        x.z = 0.03 * (k % 5) as f64;
    }
    assert!(cloth.potential(&start.x, &start.v).is_some());
    for (solver, terms) in [(Solver::Direct, Terms::Exact), (Settings::default().solver, Terms::Filtered)] {
        let newton = Newton::Descending { tolerance: 1e-9, limit: 5 };
        let settings = Settings { solver, newton, terms, ..Settings::default() };
        let descending = |system: &dyn System| -> Box<dyn Integrator> { Box::new(BackwardEuler::new(system, settings)) };
        steps_allocate_nothing("backward Euler, line search", &cloth, &start, descending);
    }
}

#[test]
fn a_step_of_triangles_allocates_nothing() {
    let damped = |stiffness, damping| Elastic { stiffness, damping };
    let fabric = Fabric {
        warp: damped(100.0, 0.1),
        weft: damped(80.0, 0.1),
        shear: damped(10.0, 0.05),
        bend: Bend { stiffness: 1e-3, damping: 1e-5 },
        air: 1e-4,
        drag: Some(Drag { air_density: 1.2, coefficient: 0.5, wind: Vec3::new(3.0, 0.0, 1.0) }),
        ..Fabric::default()
    };
    let cloth = TriangleCloth::new(TriangleMesh::centred(6, 5, 1.0, 1.0).expect("a mesh"), fabric, &[0, 5]).expect("a material");
    let mut start = cloth.at_rest();
    for (k, x) in start.x.iter_mut().enumerate() {
        x.z = 0.01 * (k % 5) as f64;
    }
    all_schemes_allocate_nothing(&cloth, &start);
    let exact = |system: &dyn System| -> Box<dyn Integrator> {
        Box::new(BackwardEuler::new(system, Settings { terms: Terms::Exact, ..Settings::default() }))
    };
    steps_allocate_nothing("backward Euler with exact terms", &cloth, &start, exact);
}

#[test]
fn a_step_of_a_chain_allocates_nothing() {
    let chain = Chain::new(40, 0.1, 0.02, 50.0, 0.01, [End::Fixed, End::Free]);
    let start = chain.displaced(|j| 0.01 * (j % 3) as f64);
    all_schemes_allocate_nothing(&chain, &start);
}

#[test]
fn a_step_with_contacts_allocates_nothing() {
    let cloth = sheet(DampingForm::Projected);
    let table = Solid::Plane { point: Vec3::new(0.0, 0.0, 0.001), normal: Vec3::z() };
    let contacts = Contacts::new(cloth.particle_count(), vec![table], Friction::default());
    let mut scheme = BackwardEuler::new(&cloth, Settings::default()).with_contacts(contacts);
    let mut state = cloth.at_rest();
    scheme.step(&cloth, 1e-3, &mut state);
    let touching =
        scheme.contacts().map_or(0, |contacts| contacts.touches().iter().filter(|touch| touch.force != Vec3::zeros()).count());
    assert!(touching > 50, "{touching} particles touch");
    let counted = allocations(|| {
        for _ in 0..20 {
            scheme.step(&cloth, 1e-3, &mut state);
        }
    });
    assert_eq!(counted, 0);
}

#[test]
fn a_step_with_repulsion_allocates_nothing_however_many_pairs_there_are() {
    let cloth = sheet(DampingForm::Projected);
    let law = RepulsionLaw::of_mesh(cloth.grid().spacing());
    let mut scheme = BackwardEuler::new(&cloth, Settings::default()).with_repulsion(Repulsion::new(&cloth, law));
    let mut state = cloth.at_rest();
    scheme.step(&cloth, 1e-4, &mut state); // flat: no pair
    let pairs = |scheme: &BackwardEuler| scheme.repulsion().map_or(0, Repulsion::pair_count);
    assert_eq!(pairs(&scheme), 0);
    for x in &mut state.x {
        *x *= 0.1; // every particle near every other one
    }
    let mut most = 0;
    let counted = allocations(|| {
        for _ in 0..20 {
            scheme.step(&cloth, 1e-4, &mut state);
            most = pairs(&scheme).max(most);
        }
    });
    assert!(most > 1000, "{most} pairs");
    assert_eq!(counted, 0);
}

/// Allocations of a sweep over `trials` runs of `steps` steps, and the steps that it took.
fn swept(set: InstructionSet, trials: usize, steps: u32) -> (u64, u64) {
    let elastic = Elastic { stiffness: 40.0, damping: 0.02 };
    let sheet = Sheet {
        spacing: 0.05,
        density: 0.3,
        stretch: elastic,
        shear: elastic,
        damping: DampingForm::Projected,
        extension_tolerance: 1e-12,
        mass_by_area: true,
    };
    let (mut given, mut stable, mut useful_steps) = (0, 0, 0);
    let counted = allocations(|| {
        let occupancy = sweep(set, 7, |ended| {
            stable += usize::from(ended.is_some_and(|((), outcome)| outcome.stable));
            given += 1;
            (given <= trials).then_some(((), Trial { sheet, dt: 1e-4, steps, energy_margin: 0.1 }))
        });
        useful_steps = occupancy.useful_steps;
    });
    assert_eq!(stable, trials, "{set}");
    (counted, useful_steps)
}

#[test]
fn a_sweep_allocates_for_its_lanes_only() {
    for set in InstructionSet::supported() {
        let (few, short) = swept(set, 8, 10);
        assert!(few > 0, "{set}: the lanes must lie somewhere");
        let (more_steps, long) = swept(set, 8, 1000);
        assert!(long > 90 * short, "{set}: {long} steps after {short}");
        assert_eq!(more_steps, few, "{set}: steps allocate");
        assert_eq!(swept(set, 50, 10).0, few, "{set}: refilling a lane allocates");
    }
}

#[test]
fn a_filtered_step_allocates_nothing() {
    let sheet = (Grid::new(7, 6, 0.05).expect("a grid"), vec![0]);
    let chain_of = |count: usize| (1..count).map(|j| Edge { i: j - 1, j, rest: 0.05 }).collect::<Vec<_>>();
    for (name, edges, count) in [("sheet", EdgeConstraints::edges_of_grid(&sheet.0), 42), ("chain", chain_of(12), 12)] {
        let net = Net::new(vec![0.01; count], (0..count).map(|k| sheet.1.contains(&k)).collect(), vec![]).expect("a net");
        let start: Vec<Vec3> = match name {
            "sheet" => (0..count).map(|k| 0.05 * Vec3::new((k % 7) as f64, (k / 7) as f64, 0.0)).collect(),
            _ => (0..count).map(|k| 0.05 * k as f64 * Vec3::x()).collect(),
        };
        for method in FILTERS {
            let constraints = EdgeConstraints::new(&edges, net.masses(), net.pinned()).expect("edges of the net");
            let filter = method.build(constraints, Limits::new(1e-6, 500).expect("limits"));
            let (mut forces, mut filter) = (ForwardBackwardEuler::new(count), Filter::new(filter));
            let mut state = State::at_rest(start.clone());
            for _ in 0..10 {
                filter.step(&mut forces, &net, 1e-3, &mut state).expect("a step");
            }
            let warm = filter.filter_work().iterations;
            let counted = allocations(|| {
                for _ in 0..20 {
                    filter.step(&mut forces, &net, 1e-3, &mut state).expect("a step");
                }
            });
            assert_eq!(counted, 0, "{} of a {name}", method.name());
            assert!(state.is_finite() && filter.filter_work().iterations > warm, "{} of a {name}: nothing to do", method.name());
        }
    }
}

#[test]
fn a_step_with_inextensible_edges_allocates_nothing() {
    let grid = Grid::new(9, 7, 0.1).expect("a valid grid");
    let pinned: Vec<bool> = (0..63).map(|k| k == 0).collect();
    let net = Net::new(vec![0.1; 63], pinned.clone(), vec![]).expect("a valid net");
    let constraints = EdgeConstraints::new(&EdgeConstraints::edges_of_grid(&grid), net.masses(), &pinned).expect("valid edges");
    let strips = |division, directions| {
        let velocities = Positive::try_from(1e-3).ok();
        MethodKind::ImpulseStrips(StripSettings { division, directions, velocities, schedule: Schedule::Serial })
    };
    let methods = [
        MethodKind::Pbd,
        MethodKind::JacobiLimiting,
        MethodKind::GaussSeidelLimiting { seed: 1 },
        MethodKind::Xpbd { compliance: NonNegative::try_from(0.0).expect("a compliance"), sweeps: 1 },
        strips(Division::Strips { nx: 9 }, Directions::Preview),
        strips(Division::Forests, Directions::Preview),
        strips(Division::Forests, Directions::Frozen),
    ];
    for method in methods {
        let limits = Limits::new(1e-4, 50).expect("valid limits");
        let (mut forces, mut filter) = (Ballistic::new(63), Filter::new(method.build(constraints.clone(), limits)));
        let mut state = State::at_rest(grid.flat());
        let mut step = || filter.step(&mut forces, &net, 1e-3, &mut state).expect("a step");
        step();
        let counted = allocations(|| (0..20).for_each(|_| step()));
        assert!(state.is_finite() && filter.filter_work().iterations > 0, "{method:?}: {:?}", filter.last());
        assert_eq!(counted, 0, "{method:?}");
    }
}

#[test]
fn a_sheet_is_assembled_on_a_grid_without_allocating() {
    let cloth = Cloth::new(Grid::new(20, 15, 0.1).unwrap(), Material::default(), &[]).unwrap();
    let state = cloth.at_rest();
    let at = Linearisation { x: &state.x, v: &state.v, w: &state.v, h: 0.01, g: 0.01, terms: Terms::Filtered };
    let mut springs = GridSprings::new(&cloth, Terms::Filtered).unwrap();
    let mut a = GridOperator::new(springs.shape(), InstructionSet::best());
    let (mut b, mut implicit) = (state.v.clone(), vec![true; cloth.coupling_count()]);
    let asked = allocations(|| {
        for k in 0..3 {
            implicit[k] = false;
            springs.linearise(&cloth, &at, &implicit, &mut a, &mut b);
            springs.add_explicit_forces(&cloth, &state, &implicit, InstructionSet::best(), &mut b);
        }
    });
    assert_eq!(asked, 0);
}
