//! Shipped scenes in which cloth collides: after every step no two triangles intersect, and the same bits come from any number of
//! threads.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use cloth::State;
use cloth::run::Run;
use collision::crossings;
use scene::{ObjFile, Scene, read_keyframes, read_obj, read_vectors};

fn in_scenes(name: impl AsRef<Path>) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name)
}

/// A shipped scene at its start, with words of it replaced.
pub(crate) fn shipped(name: &str, changes: &[(&str, &str)]) -> Run {
    let read = |path: PathBuf| fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut text = read(in_scenes(name));
    for (from, to) in changes {
        assert!(text.contains(from), "{name} has no {from}");
        text = text.replace(from, to);
    }
    let mut scene = Scene::parse(&text).unwrap_or_else(|mistake| panic!("{mistake}"));
    if let Some(ObjFile { file, reading }) = scene.obj() {
        let obj = read_obj(&read(in_scenes(&file.path)), reading).expect("a mesh");
        scene = Scene::parse_on(&text, &obj).expect("the mesh of the scene");
    }
    for body in &mut scene.bodies {
        let obj = read_obj(&read(in_scenes(&body.file.path)), &body.placement.into()).expect("a mesh");
        body.take(&obj);
    }
    for keyed in scene.keyframes.clone() {
        let keyframes = read_keyframes(&read(in_scenes(&keyed.file.path))).expect("key frames");
        scene.take_keyframes(&keyed, keyframes).expect("what they move");
    }
    let model = scene.model().expect("a model");
    let x = match &scene.initial.positions {
        Some(file) => read_vectors(read(in_scenes(&file.path)).as_bytes(), model.rest().len()).expect("a table"),
        None => model.rest(),
    };
    scene.run_of(model, State::at_rest(x)).expect("a run")
}

/// True where everything is tested at its whole size.
pub(crate) fn is_full() -> bool {
    std::env::var_os("CLOTHLAB_FULL").is_some()
}

/// The run after steps, all of whose triangles were looked at after each tenth and the last one; after each where everything is tested.
fn stepped(name: &str, mut simulation: Run, steps: u32) -> Run {
    let every = if is_full() { 1 } else { 10 };
    for step in 0..steps {
        simulation.step().unwrap_or_else(|failed| panic!("{name}: {failed}"));
        let colliding = simulation.collisions().expect("it collides");
        assert!(simulation.failed().is_none(), "{name}, step {step}: {:?}", colliding.last());
        if step % every != 0 && step + 1 < steps {
            continue;
        }
        let surface = colliding.impacts().surface().expect("triangles");
        let crossed = crossings(surface, colliding.impacts().places());
        assert!(crossed.is_empty(), "{name}, step {step}: {crossed:?}");
        assert_eq!(&colliding.impacts().places()[..simulation.state().x.len()], &simulation.state().x[..], "{name}, step {step}");
    }
    let work = simulation.collisions().expect("it collides").collision_work();
    assert!(work.contacts > 100, "{name}: {work:?}");
    simulation
}

/// A quarter of each run; all of it where everything is tested.
#[test]
fn no_triangles_intersect_after_a_step() {
    let to_its_end = |name: &str| {
        let scene = Scene::parse(&fs::read_to_string(in_scenes(name)).expect("a scene")).expect("a scene");
        let steps = if is_full() { scene.steps() } else { scene.steps().div_ceil(4) };
        stepped(name, shipped(name, &[]), steps.try_into().expect("not that many steps"));
    };
    thread::scope(|scope| {
        for name in ["poncho", "pull", "ribbon", "ring", "spikes", "trousers", "turning-sphere", "twist"] {
            scope.spawn(move || to_its_end(&format!("{name}.toml")));
        }
    });
}

#[test]
fn panels_are_sewn_around_a_body_and_hang_on_it_with_little_strain() {
    let simulation = stepped("tunic.toml", shipped("tunic.toml", &[]), 2500);
    let stretch = simulation.largest_stretch();
    let apart = simulation.ties().farthest(&simulation.state().x).expect("seams");
    assert!(apart < 3e-3 && stretch < 1.3, "{apart} m apart, {stretch}");
    assert_eq!(simulation.ties().soft().len(), 0, "it is let go");
    let low = simulation.state().x.iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
    assert!(low > 0.75, "it is worn: {low}");
}

#[test]
fn nor_under_other_schemes_and_behind_constraint_methods() {
    let [scheme, springs] = ["integrator = \"backward-euler\"", "stretch = { stiffness = 300.0, damping = 0.05 }"];
    let kept = "integrator = \"fb-euler\"\ninextensible = \"fast-projection\"";
    let converging = if is_full() { 150 } else { 50 }; // each step takes some hundred solves
    let short = ("step = 2e-3 ", "step = 2e-4 "); // where shear springs are explicit
    let runs = [
        ("bdf2", &[(scheme, "integrator = \"bdf2\"")][..], converging),
        ("adaptive-sbdf2", &[(scheme, "integrator = \"adaptive-sbdf2\"")], converging),
        ("fast projection", &[(scheme, kept), (springs, ""), short], 1000),
        ("fb-euler", &[(scheme, "integrator = \"fb-euler\""), short], 1000),
    ];
    thread::scope(|scope| {
        for (kind, changes, steps) in runs {
            scope.spawn(move || drop(stepped(kind, shipped("ribbon.toml", changes), steps)));
        }
    });
}

#[test]
fn threads_do_not_change_a_bit() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| {
            let mut simulation = shipped("ribbon.toml", &[]);
            (0..150).for_each(|_| drop(simulation.step().expect("a step")));
            (simulation.state().clone(), simulation.collisions().expect("it collides").collision_work())
        })
    };
    let [one, three] = [1, 3].map(run);
    assert!(one.1.contacts > 500, "{:?}", one.1);
    assert_eq!(one, three);
}
