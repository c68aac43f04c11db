//! What reading a mesh takes is what is told beforehand, and a step of a simulation takes nothing: counted by the allocator
//! itself, thread by thread.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System as SystemAllocator};
use std::cell::Cell;

use cloth::implicit::Settings;
use cloth::integrators::{BackwardEuler, ForwardBackwardEuler, Integrator};
use cloth::run::{Run, Stepper, Surface};
use cloth::triangles::TriangleMesh;
use cloth::{Cloth, Drive, Grid, Material, Pin, Sinusoid, State, Vec3};
use scene::{Reading, Scene, obj_memory, read_obj, write_obj};

/// The system's allocator, with a count of what each thread asks for, the bytes that it holds and the most that it held.
struct Counting;

thread_local! {
    // constant and without a destructor: reading it allocates nothing
    static HELD: Cell<i64> = const { Cell::new(0) };
    static PEAK: Cell<i64> = const { Cell::new(0) };
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

fn count(bytes: i64) {
    HELD.set(HELD.get() + bytes);
    PEAK.set(PEAK.get().max(HELD.get()));
}

// SAFETY: every call is passed on to the system's allocator as it came; growth is a new piece beside the old one, as it may be.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ASKED.set(ASKED.get() + 1);
        count(layout.size() as i64);
        // SAFETY: as the caller promises.
        unsafe { SystemAllocator.alloc(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ASKED.set(ASKED.get() + 1);
        count(size as i64);
        count(-(layout.size() as i64));
        // SAFETY: as the caller promises.
        unsafe { SystemAllocator.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        // SAFETY: as the caller promises.
        unsafe { SystemAllocator.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Most bytes that reading a text takes beside it.
fn measured(text: &str) -> f64 {
    let before = HELD.get();
    PEAK.set(before);
    drop(read_obj(text, &Reading::default()).expect("a mesh"));
    (PEAK.get() - before) as f64
}

/// A sheet as this program writes it, whose coordinates have many digits.
fn written(side: usize) -> String {
    let sheet = TriangleMesh::regular(side, side, 1.0, 1.0).expect("a mesh");
    let mut bytes = vec![];
    write_obj(Surface::Triangles(&sheet), sheet.positions(), &mut bytes).expect("a vector");
    String::from_utf8(bytes).expect("text")
}

/// A sheet in as few bytes as can be: whole coordinates, no texture, faces of four corners.
fn terse(side: usize) -> String {
    let points = (0..side * side).map(|k| format!("v {} {} 0\n", k % side, k / side));
    let cells = (0..(side - 1) * (side - 1)).map(|k| k / (side - 1) * side + k % (side - 1) + 1);
    let faces = cells.map(|k| format!("f {k} {} {} {}\n", k + 1, k + side + 1, k + side));
    points.chain(faces).collect()
}

/// Triangles without a neighbour.
fn apart(count: usize) -> String {
    (0..count).map(|k| format!("v {k} 0 0\nv {k} 1 0\nv {k} 0 1\nf -3 -2 -1\n")).collect()
}

#[test]
fn reading_takes_what_is_told_beforehand() {
    for text in [written(60), written(300), terse(60), terse(300), apart(3000), apart(50_000)] {
        let (peak, told) = (measured(&text), obj_memory(&text) as f64);
        eprintln!("{} bytes of text: {peak} at most, {told} told", text.len());
        assert!((1.0..2.0).contains(&(told / peak)), "{peak} bytes, and {told} were told");
    }
}

#[test]
fn a_step_of_a_simulation_and_its_energies_allocate_nothing() {
    let cloth = || Cloth::new(Grid::new(12, 9, 0.05).expect("a grid"), Material::default(), &[Pin::At(0, 0)]).expect("a sheet");
    let explicit: Box<dyn Integrator> = Box::new(ForwardBackwardEuler::new(12 * 9));
    for scheme in [explicit, Box::new(BackwardEuler::new(&cloth(), Settings::default()))] {
        let (cloth, start) = (cloth(), cloth().at_rest());
        let path = Sinusoid { amplitude: Vec3::new(0.0, 0.0, 0.01), period: 0.1, until: 1.0 };
        let drive = Drive::new(&cloth, &start, &[0], path).expect("a pin");
        let mut simulation = Run::new(cloth, Stepper::new(scheme), 1e-4, start).expect("a valid step").with_drives(vec![drive]);
        simulation.step().unwrap();
        let (before, mut total) = (ASKED.get(), 0.0);
        for _ in 0..20 {
            simulation.step().unwrap();
            total += simulation.energies().gravitational + simulation.largest_stretch();
        }
        assert_eq!((ASKED.get() - before, simulation.steps()), (0, 21));
        assert!(total.is_finite() && total != 0.0);
    }
}

#[test]
fn a_step_of_cloth_that_might_tear_and_does_not_allocates_nothing() {
    for mode in ["open", "simple"] {
        let scene = format!(
            "step = 1e-4\nduration = 1\nintegrator = \"backward-euler\"\npins = [\"top\"]\n\
             [mesh]\nnx = 12\nny = 9\nspacing = 0.05\n[tearing]\nlimit = 1.5\nmode = \"{mode}\"\n[[tearing.seam]]\nlimit = 1.4\nrow = 3\n"
        );
        let scene = Scene::parse(&scene).expect("a scene");
        let start = State::at_rest(scene.model().expect("a model").rest());
        let mut simulation = scene.run(start).expect("a run");
        simulation.step().unwrap();
        let before = ASKED.get();
        (0..20).for_each(|_| drop(simulation.step().unwrap()));
        assert_eq!((ASKED.get() - before, simulation.torn().map(|torn| torn.count)), (0, Some(0)), "{mode}");
    }
}
