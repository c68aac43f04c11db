//! `clothlab simulate` with implicit schemes, adapted steps and solids: what it counts, what it writes of contacts, and that no
//! numerical failure ends in more than a count and a warning.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::common::{Desk, Said, differing};
use cloth::Vec3;
use cloth::contact::Solid;
use scene::{Scene, read_vectors};

/// A scene of 3 x 2 particles of 0.5 kg, ten steps of 1 ms, with lines of its own at the top and sections of its own.
fn scene(top: &str, sections: &str) -> String {
    format!("step = 1e-3\nduration = 0.01\n{top}\n[mesh]\nnx = 3\nny = 2\nspacing = 1.0\n{sections}")
}

/// A floor on which the sheet lies from the start.
const FLOOR: &str = "[[solid]]\nplane = { point = [0, 0, 0], normal = [0, 0, 2] }\n";

/// Runs a scene whose numbers may be wrong, which is not what is asked here.
fn run(desk: &Desk, text: &str, out: &str) -> Said {
    desk.write("a.toml", text);
    let said = desk.clothlab(&["simulate", "a.toml", "--out", out, "--keep-going"]);
    // steps beyond a limit are told at once, and solids that faces do not see, and nothing else is
    let unseen = ", meets particles alone, which are ";
    let told = [" was accepted beyond its limit, being the shortest there is: raise", "warning: step = ", unseen];
    let others = said.err.lines().filter(|line| !told.iter().any(|told| line.contains(told)));
    assert_eq!((said.code, others.count()), (Some(0), 0), "{text}\n{}", said.err);
    said
}

/// The rows of energies.csv, by column.
fn energies(desk: &Desk, out: &str) -> Vec<BTreeMap<String, f64>> {
    let text = desk.read(&format!("{out}/energies.csv"));
    let mut lines = text.lines().map(|line| line.split(','));
    let names: Vec<String> = lines.next().expect("a header").map(str::to_owned).collect();
    let row = |cells: std::str::Split<'_, char>| {
        let numbers: Vec<f64> = cells.map(|cell| cell.parse().expect("a number")).collect();
        assert_eq!(numbers.len(), names.len());
        names.iter().cloned().zip(numbers).collect()
    };
    lines.map(row).collect()
}

/// The sum of a column.
fn sum(rows: &[BTreeMap<String, f64>], column: &str) -> f64 {
    rows.iter().map(|row| row[column]).sum()
}

const PLAIN: &str = "step,time,kinetic,gravitational,stretch,shear,bend,total,largest_stretch";
const SOLVING: &str = "solves,iterations,limited,indefinite,not_finite,newton_limited";

#[test]
fn every_integrator_runs_and_counts_its_work() {
    let desk = Desk::new();
    for (k, (integrator, solves)) in [
        ("[integrator.backward-euler]", 10.0),
        ("[integrator.bdf2]", 10.0),
        ("[integrator.implicit-midpoint]", 10.0),
        ("[integrator.generalized-alpha]\nrho_inf = 0.5", 10.0),
        ("[integrator.imex]\nimplicit = [\"stretch\"]", 10.0),
        ("[integrator.aimex]", 10.0),
        ("[integrator.sbdf2]\nimplicit = [\"stretch\", \"bend\"]", 10.0),
        // at least two each: one that changes velocities and one that finds that they change no more
        ("[integrator.backward-euler]\nnewton = { tolerance = 1e-4 }", 20.0),
    ]
    .into_iter()
    .enumerate()
    {
        let out = format!("out-{k}");
        let said = run(&desk, &format!("{}{integrator}\n", scene("pins = [0]", "[output]\nenergies_every = 4\n")), &out);
        let adapting = if integrator.contains("newton") { ",rejected,accepted_beyond" } else { "" };
        let header = format!("{PLAIN},{SOLVING}{adapting}");
        assert_eq!(desk.read(&format!("{out}/energies.csv")).lines().next(), Some(header.as_str()));
        assert!(!desk.path(&format!("{out}/contacts.csv")).exists());
        let rows = energies(&desk, &out);
        assert_eq!(rows.iter().map(|row| row["step"]).collect::<Vec<_>>(), [0.0, 4.0, 8.0, 10.0]);
        let (found, iterations) = (sum(&rows, "solves"), sum(&rows, "iterations"));
        assert!(if solves > 10.0 { found >= solves } else { found == solves }, "{integrator}: {found}");
        assert!(rows[0]["solves"] == 0.0 && rows[1]["solves"] >= 4.0 && iterations >= 1.0, "{integrator}: {rows:?}");
        let line = format!("\n{found} linear systems, {iterations} iterations of conjugate gradients; each left");
        assert!(said.out.contains(&line) && !said.out.contains("warning"), "{}", said.out);
        assert!(rows[3]["gravitational"] < 0.0 && rows[3]["kinetic"] > 0.0);
    }
    let said = run(&desk, &scene("integrator = \"bdf2\"\nsolver = \"direct\"", ""), "out-direct");
    assert!(said.out.contains("\n10 linear systems, solved directly\n"), "{}", said.out);
}

#[test]
fn single_precision_multigrid_and_aggregation_say_what_they_did() {
    let desk = Desk::new();
    let sheet = |solver: &str| {
        let top = "step = 5e-3\nduration = 0.05\nintegrator = \"backward-euler\"\npins = [0, 11]\n[mesh]\nnx = 12\nny = 12\nspacing = 0.1\n";
        format!("{top}[solver.conjugate-gradients]\ntolerance = 1e-6\n{solver}\n")
    };
    let line = |said: &Said| {
        let line = said.out.lines().find(|line| line.contains("linear systems")).map(str::to_owned);
        line.expect("a line of the solver")
    };
    let number = |text: &str| text.split(' ').next().and_then(|number| number.parse::<u64>().ok()).expect("a number");
    let single = line(&run(&desk, &sheet("precision = \"single\""), "single"));
    let (_, corrections) = single.split_once(" iterations of conjugate gradients in single precision, ").expect("its precision");
    assert!(corrections.contains(" corrections in double") && number(corrections) >= 10, "{single}");
    let multigrid = line(&run(&desk, &sheet("preconditioner = \"multigrid\""), "multigrid"));
    let (_, cycles) = multigrid.split_once(" iterations of conjugate gradients, ").expect("its cycles");
    assert!(cycles.contains(" cycles of multigrid") && number(cycles) >= 10, "{multigrid}");
    for (stiffness, is_stiff) in [("1e6", true), ("100", false)] {
        let top = "step = 0.01\nduration = 0.05\nintegrator = \"backward-euler\"\npins = [\"left\"]\n";
        let mesh = "[mesh.regular]\nnx = 8\nny = 8\nwidth = 0.5\nheight = 0.5\n";
        let scene = format!("{top}{mesh}[material]\nstretch = {{ stiffness = {stiffness} }}\n");
        let triangles = line(&run(&desk, &scene, stiffness));
        assert!(triangles.contains(" iterations of conjugate gradients"), "{triangles}");
        assert_eq!(triangles.contains(" iterations of conjugate gradients by aggregation; each left"), is_stiff, "{triangles}");
    }
}

#[test]
fn a_sheet_on_the_floor_presses_with_its_weight() {
    let desk = Desk::new();
    let said = run(&desk, &scene("integrator = \"backward-euler\"", &format!("{FLOOR}[output]\ncontacts_every = 4\n")), "out");
    let text = desk.read("out/contacts.csv");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("step,time,particle,state,normal_x,normal_y,normal_z,force_x,force_y,force_z"));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let places: Vec<(&str, &str)> = rows.iter().map(|row| (row[0], row[2])).collect();
    let expected: Vec<(&str, &str)> =
        ["4", "8", "10"].iter().flat_map(|step| ["0", "1", "2", "3", "4", "5"].map(|particle| (*step, particle))).collect();
    assert_eq!(places, expected);
    for row in rows {
        let number = |k: usize| row[k].parse::<f64>().expect("a number");
        assert_eq!((row[3], number(4), number(5), number(6)), ("sticking", 0.0, 0.0, 1.0));
        assert!((number(9) - 0.5 * 9.81).abs() < 1e-9 && number(7).abs() + number(8).abs() < 1e-9, "{row:?}");
        assert!((number(1) - 1e-3 * number(0)).abs() < 1e-15);
    }
    let rows = energies(&desk, "out");
    assert_eq!(
        desk.read("out/energies.csv").lines().next(),
        Some(format!("{PLAIN},{SOLVING},sticking,sliding,released,passed").as_str())
    );
    assert_eq!((rows[0]["sticking"], rows[1]["sticking"], rows[10]["sticking"]), (0.0, 6.0, 6.0));
    assert!(said.out.contains("\ncontacts at the end: 6 particles stick, 0 slide, 0 are released\n"), "{}", said.out);
    assert!(said.out.contains("velocities.csv, contacts.csv, scene.toml to out") && !said.out.contains("warning"));
    // the same without friction: every particle slides, none is held along the floor
    let slippery = format!("{FLOOR}[friction.coulomb]\nmu_s = 0\nmu_k = 0\n");
    run(&desk, &scene("integrator = \"aimex\"", &slippery), "slippery");
    assert_eq!(energies(&desk, "slippery")[10]["sliding"], 6.0);
}

#[test]
fn contacts_of_a_former_simulation_go_with_it() {
    let desk = Desk::new();
    run(&desk, &scene("integrator = \"aimex\"", FLOOR), "out");
    fs::remove_file(desk.path("out/energies.csv")).expect("a file");
    for file in ["positions.csv", "velocities.csv", "scene.toml"] {
        fs::remove_file(desk.path(&format!("out/{file}"))).expect("a file");
    }
    let refused = desk.refused(&["simulate", "a.toml", "--out", "out"]);
    assert!(refused.starts_with("out/contacts.csv is there from a former simulation; add --force"), "{refused}");
    desk.write("a.toml", scene("", ""));
    let said = desk.clothlab(&["simulate", "a.toml", "--out", "out", "--force"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(!desk.path("out/contacts.csv").exists());
}

#[test]
fn numerical_failures_are_counted_and_told() {
    let desk = Desk::new();
    let positions = |scale: f64| {
        let row = |particle: usize| format!("{particle},{},{},0\n", scale * (particle % 3) as f64, scale * (particle / 3) as f64);
        format!("particle,x,y,z\n{}", (0..6).map(row).collect::<String>())
    };
    desk.write("x.csv", positions(1.1));
    let stretched = "[initial]\npositions = \"x.csv\"\n";

    let capped = format!("{stretched}[solver.conjugate-gradients]\niteration_limit = 1\ntolerance = 1e-9\n");
    let said = run(&desk, &scene("integrator = \"backward-euler\"\npins = [0]", &capped), "capped");
    let rows = energies(&desk, "capped");
    assert_eq!((sum(&rows, "limited"), sum(&rows, "iterations")), (10.0, 10.0));
    assert!(said.out.contains("\nwarning: 10 linear systems ended at the limit of iterations: raise"), "{}", said.out);

    let newton = format!("{stretched}[integrator.backward-euler]\nnewton = {{ tolerance = 1e-14, limit = 2 }}\n");
    let said = run(&desk, &scene("", &newton), "newton");
    let rows = energies(&desk, "newton");
    // the first step is halved ten times, and the halved ones are accepted as they are, but for those that were doubled before
    let [limited, rejected, beyond] = ["newton_limited", "rejected", "accepted_beyond"].map(|column| sum(&rows, column));
    assert!(rejected >= 10.0 && beyond > 512.0 && limited == rejected + beyond, "{limited} {rejected} {beyond}");
    assert!(said.err.starts_with("warning: in step 1 a part was accepted"), "at once, not at the end alone: {}", said.err);
    assert!(
        said.out.contains(&format!(
            "\nwarning: {beyond} steps were accepted beyond the stretch limit or the tolerance of their error"
        )),
        "{}",
        said.out
    );

    // springs that push are linearised with their negative transverse stiffness: W = M - h² K has negative directions
    desk.write("x.csv", positions(0.5));
    let pushed = format!(
        "{stretched}[material]\ncompression = true\ngravity = [0, 0, 0]\n[integrator.backward-euler]\nterms = \"exact\"\n"
    );
    for solver in ["conjugate-gradients", "direct"] {
        let out = format!("pushed-{solver}");
        let text = scene(&format!("solver = \"{solver}\""), &pushed).replace("1e-3", "0.1").replace("0.01", "0.1");
        let said = run(&desk, &text, &out);
        let indefinite = sum(&energies(&desk, &out), "indefinite");
        assert!(indefinite >= 1.0, "{solver}");
        let warning = format!("\nwarning: {indefinite} linear systems were not positive definite: take `terms = \"filtered\"`");
        assert!(said.out.contains(&warning), "{}", said.out);
    }

    // the drag of what is as fast as numbers go overflows
    let fast: String = (0..6).map(|particle| format!("{particle},0,0,1e153\n")).collect();
    desk.write("v.csv", format!("particle,x,y,z\n{fast}"));
    let wild = "[material]\ndrag = { air_density = 1e3 }\n[initial]\nvelocities = \"v.csv\"\n[integrator.imex]\nimplicit = []\n";
    let said = run(&desk, &scene("", wild), "wild");
    let text = desk.read("wild/energies.csv");
    let column =
        text.lines().next().and_then(|header| header.split(',').position(|name| name == "not_finite")).expect("a column");
    let cells = text.lines().skip(1).filter_map(|line| line.split(',').nth(column));
    let lost: u32 = cells.map(|cell| cell.parse::<u32>().expect("a count")).sum();
    assert!(lost > 0 && said.out.contains(&format!("\nwarning: {lost} linear systems met a number that is not finite")));

    // all springs explicit, with steps far too long
    let long = format!("{stretched}[integrator.imex]\nimplicit = []\n");
    let said = run(&desk, &scene("", &long).replace("1e-3", "10").replace("0.01", "10000"), "long");
    assert!(said.err.contains("is unstable for imex here (limit about "), "{}", said.err);
}

#[test]
fn cloth_that_passes_a_solid_is_counted_and_told() {
    let desk = Desk::new();
    let rows: String = (0..6).map(|particle| format!("{particle},0,0,-100\n")).collect();
    desk.write("v.csv", format!("particle,x,y,z\n{rows}"));
    let board = "[[solid]]\ncuboid = { centre = [1, 0, -0.05], sides = [9, 9, 0.02] }\n[initial]\nvelocities = \"v.csv\"\n";
    let said = run(&desk, &scene("integrator = \"backward-euler\"", board), "out");
    let passed: Vec<f64> = energies(&desk, "out").iter().map(|row| row["passed"]).collect();
    assert_eq!((passed[1], passed.iter().sum::<f64>()), (6.0, 6.0));
    assert!(said.err.starts_with("warning: solid 1, a cuboid, meets particles alone, which are 1 m apart: "), "{}", said.err);
    assert!(said.out.contains("\nwarning: 6 times a particle passed a solid within a step: shorten `step`"), "{}", said.out);
    assert_eq!(desk.read("out/contacts.csv").lines().count(), 1, "nothing touches it");
}

#[test]
fn rejected_steps_are_counted_and_told() {
    let desk = Desk::new();
    let sheet = "integrator = \"fb-euler\"\npins = [\"bottom-left\", \"bottom-right\"]";
    let springs = "[material]\ndensity = 0.3\nstretch = { stiffness = 200, damping = 0.1 }\n\
                   shear = { stiffness = 200, damping = 0.1 }\n[adaptive_steps]\nstretch_limit = 1.3\n";
    let long = |text: String| {
        text.replace("nx = 3", "nx = 5")
            .replace("ny = 2", "ny = 5")
            .replace("spacing = 1.0", "spacing = 0.1")
            .replace("step = 1e-3", "step = 0.02")
            .replace("0.01", "1")
    };
    let said = run(&desk, &long(scene(sheet, springs)), "out");
    let rows = energies(&desk, "out");
    assert_eq!(
        desk.read("out/energies.csv").lines().next(),
        Some(format!("{PLAIN},rejected,accepted_beyond").as_str()),
        "an explicit scheme solves nothing"
    );
    assert!(rows.len() == 51 && rows.iter().all(|row| row["largest_stretch"] <= 1.3 || row["accepted_beyond"] > 0.0));
    let (rejected, beyond) = (sum(&rows, "rejected"), sum(&rows, "accepted_beyond"));
    assert!(rejected > 0.0 && said.out.contains(&format!("\n{rejected} steps rejected and shortened\n")), "{}", said.out);
    let warning = format!("\nwarning: {beyond} steps were accepted beyond the stretch limit");
    assert_eq!(said.out.contains(&warning), beyond > 0.0, "{}", said.out);
    // around an implicit scheme that meets solids
    let floor = format!("[adaptive_steps]\nstretch_limit = 1.01\nsuccesses = 2\n{FLOOR}");
    run(&desk, &scene("integrator = \"aimex\"", &floor), "floor");
    let header = format!("{PLAIN},{SOLVING},rejected,accepted_beyond,sticking,sliding,released,passed");
    assert_eq!(desk.read("floor/energies.csv").lines().next(), Some(header.as_str()));
    assert_eq!(energies(&desk, "floor")[10]["sticking"], 6.0);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let desk = Desk::new();
    for (top, sections, expected) in [
        (
            "integrator = \"rk4\"\ncontact = \"constraints\"",
            FLOOR,
            "line 4, `contact = \"constraints\"`: solids are met by constraints under the integrators backward-euler, imex and aimex, not",
        ),
        (
            "solver = \"direct\"\nintegrator = \"fb-euler\"",
            "",
            "line 3, `solver = \"direct\"`: `solver` has no use beside \"fb-euler\"",
        ),
        ("friction = \"sticking\"", "", "line 3, `friction = \"sticking\"`: `friction` needs something to touch"),
        (
            "",
            "[friction.coulomb]\nmu_s = -1\n",
            "line 9, `mu_s = -1`: `friction.coulomb.mu_s` must be a finite number, zero or above",
        ),
        (
            "integrator = \"aimex\"",
            "[[solid]]\nsphere = { centre = [0, 0, 0], radius = -1 }\n",
            "line 9, `sphere = { centre = [0, 0, 0], radius = -1 }`: `solid.sphere.radius` [m] must be a finite number above zero, not -1",
        ),
    ] {
        desk.write("a.toml", scene(top, sections));
        let message = desk.refused(&["simulate", "a.toml", "--out", "out"]);
        assert!(message.starts_with(&format!("a.toml, {expected}")), "{message}\nis not\n{expected}");
        assert!(!desk.path("out").exists());
    }
}

#[test]
fn cloth_meets_meshes_that_move_and_its_copy_runs_from_the_results() {
    let desk = Desk::new();
    desk.write("a/plate.obj", "v -9 -9 0\nv 9 -9 0\nv 9 9 0\nv -9 9 0\nf 1 2 3 4\n");
    let plate = "[[solid]]\nmesh = { file = 'a/plate.obj', at = [0, 0, -0.02], motion = { velocity = [0, 0, 3] } }\n";
    let output = "[output]\nframes_per_second = 100\n";
    desk.write("a.toml", scene("integrator = \"fb-euler\"", &format!("{plate}[self_collision]\nthickness = 0.01\n{output}")));
    let said = desk.clothlab(&["simulate", "a.toml", "--out", "out"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.out.contains("\ncollisions: ") && said.out.contains("scene.toml, scene-solid-0.obj"), "{}", said.out);
    assert!(positions(&desk, "out", 6).iter().all(|x| x.z > 0.015), "the plate has lifted it");
    moves_in_frames(&desk);
    assert_eq!(desk.clothlab(&["simulate", "out/scene.toml", "--out", "again"]).code, Some(0));
    assert_eq!(desk.read("out/positions.csv"), desk.read("again/positions.csv"));
    for (file, thickness, expected) in [
        ("v 0 0 0\nf 1 1 1\n", 0.01, "plate.obj, line 2"),
        (
            "v 0 -1 -1\nv 0 1 -1\nv 0 0 2\nf 1 2 3\n",
            0.01,
            "cloth begins across a body; move the body or the cloth until they are apart; the faces at triangle 0 of the cloth and at line 4",
        ),
        (
            "v -9 -9 0\nv 9 -9 0\nv 9 9 0\nf 1 2 3\n",
            0.6,
            "a thickness of 0.6 m must be below half of the shortest edge, which is 1 m long",
        ),
    ] {
        desk.write("a/plate.obj", file);
        let at = if file.contains("-1") { "[0.5, 0.5, 0]" } else { "[0, 0, -0.02]" };
        let sections = format!("{}[self_collision]\nthickness = {thickness}\n", plate.replace("[0, 0, -0.02]", at));
        desk.write("a.toml", scene("integrator = \"fb-euler\"", &sections));
        let message = desk.refused(&["simulate", "a.toml", "--out", "other"]);
        assert!(message.contains(expected) && !desk.path("other").exists(), "{message}\nis not\n{expected}");
    }
}

#[test]
fn cloth_is_moved_by_key_frames_and_its_copy_runs_from_the_results() {
    let desk = Desk::new();
    desk.write("a/plate.obj", "v -9 -9 0\nv 9 -9 0\nv 9 9 0\nv -9 9 0\nf 1 2 3 4\n");
    desk.write("a/lift.csv", "t,x,y,z,rx,ry,rz\n0,0,0,0,0,0,0\n0.01,0,0,0.03,0,0,0\n");
    let plate = |motion: &str| {
        let plate = format!("[[solid]]\nmesh = {{ file = 'a/plate.obj', at = [0, 0, -0.02], motion = {{ {motion} }} }}\n");
        scene(
            "integrator = \"fb-euler\"\npins = [0]",
            &format!("{plate}[[motion]]\npins = [0]\n{motion}\n[self_collision]\nthickness = 0.01\n"),
        )
    };
    let keyed = plate("keyframes = 'a/lift.csv'");
    desk.write("steady.toml", plate("velocity = [0, 0, 3]\nuntil = 0.01").replace("3]\nuntil = 0.01 }", "3], until = 0.01 }"));
    desk.write("a.toml", keyed.as_str());
    let said = desk.clothlab(&["simulate", "a.toml", "--out", "out"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.out.contains("scene.toml, scene-solid-0.obj, scene-solid-0.csv, scene-motion-0.csv"), "{}", said.out);
    assert_eq!(desk.clothlab(&["simulate", "steady.toml", "--out", "steady"]).code, Some(0));
    let (by, steady) = (positions(&desk, "out", 6), positions(&desk, "steady", 6));
    assert!(by.iter().zip(&steady).all(|(a, b)| (a - b).norm() < 1e-9), "{by:?} {steady:?}");
    assert!((by[0].z - 0.03).abs() < 1e-9, "{}", by[0]);
    assert_eq!(desk.clothlab(&["simulate", "out/scene.toml", "--out", "again"]).code, Some(0));
    assert_eq!(desk.read("out/positions.csv"), desk.read("again/positions.csv"));
    assert_eq!(desk.clothlab(&["verify", "out"]).code, Some(0));
    desk.write("out/scene-motion-0.csv", "t,x,y,z\n0,0,0,0\n");
    assert_eq!(desk.clothlab(&["verify", "out"]).code, Some(4), "a copy was changed");
    for (table, expected) in [
        ("t,x,y,z\n0,0,0,0\n0,0,0,1\n", "a/lift.csv, line 3, `0,0,0,1`: `t` must increase"),
        ("t,x,y,z\n", "a/lift.csv: it has no key frame"),
        ("t,x,y,z\n0,0,0,1\n", "a.toml, line 13, `keyframes = 'a/lift.csv'`: pins are moved from where they start"),
    ] {
        desk.write("a/lift.csv", table);
        let message = desk.refused(&["simulate", "a.toml", "--out", "other"]);
        assert!(message.starts_with(expected) && !desk.path("other").exists(), "{message}\nis not\n{expected}");
    }
    fs::remove_file(desk.path("a/lift.csv")).expect("a table");
    let absent = desk.refused(&["simulate", "a.toml", "--out", "other"]);
    assert!(absent.contains("there is no file a/lift.csv; the name is relative to the scene file"), "{absent}");
}

#[test]
fn cloth_that_was_simulated_is_met_by_other_cloth() {
    let desk = Desk::new();
    desk.write("falls.toml", scene("integrator = \"fb-euler\"", "[output]\nframes_per_second = 500\n"));
    assert_eq!(desk.clothlab(&["simulate", "falls.toml", "--out", "falls", "--frames", "pc2"]).code, Some(0));
    let met = "[[solid]]\nmesh = { file = 'falls/rest.obj', sequence = 'falls/cloth.pc2', \
               frames_per_second = 500, at = [0, 0, -0.02], \
               motion = { velocity = [0, 0, 3] } }\n[self_collision]\nthickness = 0.01\n";
    desk.write("a.toml", scene("integrator = \"fb-euler\"", met));
    let said = desk.clothlab(&["simulate", "a.toml", "--out", "out"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.out.contains("scene.toml, scene-solid-0.obj, scene-solid-0.pc2"), "{}", said.out);
    let page = desk.read("out/view.html");
    assert!(page.contains("\"shapes\":\"AAAA"), "the page has the shapes of the sequence, from x = 0 on");
    let fallen = read_vectors(desk.read("falls/positions.csv").as_bytes(), 6).expect("a table");
    let borne = positions(&desk, "out", 6);
    // it fell by less than 1 mm on its own; at the end the cloth lies where that is, lifted
    assert!(borne.iter().zip(&fallen).all(|(x, below)| x.z > below.z + 0.01), "{borne:?} {fallen:?}");
    assert_eq!(desk.clothlab(&["simulate", "out/scene.toml", "--out", "again"]).code, Some(0));
    assert_eq!(desk.read("out/positions.csv"), desk.read("again/positions.csv"));
    let cache = fs::read(desk.path("falls/cloth.pc2")).expect("a cache");
    for (bytes, expected) in [
        (&cache[..200], "falls/cloth.pc2: it has 200 bytes, and 6 samples of its vertices take 464; it was cut or not finished"),
        (&b"v 0 0 0"[..], "falls/cloth.pc2: it is no PC2 point cache of version 1"),
    ] {
        fs::write(desk.path("falls/cloth.pc2"), bytes).expect("a file");
        let message = desk.refused(&["simulate", "a.toml", "--out", "other"]);
        assert!(message.starts_with(expected) && !desk.path("other").exists(), "{message}\nis not\n{expected}");
    }
    fs::write(desk.path("falls/cloth.pc2"), &cache).expect("a file");
    desk.write("falls/rest.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let other = desk.refused(&["simulate", "a.toml", "--out", "other"]);
    assert!(other.starts_with("falls/cloth.pc2: it has 6 vertices a sample, and the mesh has 3"), "{other}");
}

/// Frames of the scene in a.toml, whose plate rises at 3 m/s for 0.01 s, show it moving in every format.
fn moves_in_frames(desk: &Desk) {
    let said = desk.clothlab(&["simulate", "a.toml", "--out", "framed", "--frames", "obj,pc2,usda,vtk"]);
    assert!(said.code == Some(0) && !said.out.contains("warning: frames"), "{}", said.out);
    assert!(said.out.contains("2 frames, rest.obj, solids.obj, cloth.pc2, solid_0.pc2, cloth.usda to framed"), "{}", said.out);
    let heights = |file: &str, begins: &str| -> Vec<f64> {
        let text = desk.read(file);
        let lines = text.lines().filter_map(|line| line.strip_prefix(begins));
        let points = lines.map(|line| line.split_whitespace().map(str::parse).collect::<Result<Vec<f64>, _>>());
        points.filter_map(|point| point.ok().filter(|point| point.len() == 3)).map(|point| point[2]).collect()
    };
    let near = |found: Vec<f64>, expected: f64| {
        assert!(found.len() == 4 && found.iter().all(|z| (z - expected).abs() < 1e-7), "{found:?} {expected}");
    };
    for (k, z) in [(0, -0.02), (1, 0.01)] {
        near(heights(&format!("framed/frames/solids_0000{k}.obj"), "v "), z);
        near(heights(&format!("framed/frames/solids_0000{k}.vtk"), ""), z);
    }
    let cache = fs::read(desk.path("framed/solid_0.pc2")).expect("a cache");
    let shapes = scene::formats::read_pc2(&cache, 4, 100.0).expect("a cache");
    [(0.0, -0.02), (0.01, 0.01)].into_iter().for_each(|(t, z)| near(shapes.places(t).map(|x| x.z).collect(), z));
    let stage = desk.read("framed/cloth.usda");
    let last = stage.lines().rfind(|line| line.trim_start().starts_with("1: ((1, 0, 0, 0), ")).expect("a transform");
    assert!(last.contains("(0, 0, 0.03, 1)"), "{last}");
    assert_eq!(desk.clothlab(&["verify", "framed"]).code, Some(0));
    fs::remove_file(desk.path("framed/frames/solids_00001.vtk")).expect("a frame");
    let sums = desk.read("framed/SHA256SUMS");
    let left: Vec<&str> = sums.lines().filter(|line| !line.ends_with("solids_00001.vtk")).collect();
    desk.write("framed/SHA256SUMS", left.iter().map(|line| format!("{line}\n")).collect::<String>());
    let gone = desk.clothlab(&["verify", "framed"]);
    assert!(gone.code == Some(4) && gone.err.contains("solids_00001.vtk"), "{}", gone.err);
}

/// The scene of a shipped file.
fn shipped(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The last positions of a run.
fn positions(desk: &Desk, out: &str, count: usize) -> Vec<Vec3> {
    read_vectors(desk.read(&format!("{out}/positions.csv")).as_bytes(), count).expect("a table")
}

#[test]
fn the_sheets_of_the_shipped_scenes_lie_on_their_solids() {
    for (name, most_below) in [("sphere.toml", 0.6), ("table.toml", 0.4)] {
        let desk = Desk::new();
        let text = shipped(name);
        let said = run(&desk, &text, "out");
        assert!(!said.out.contains("warning"), "{name}: {}", said.out);
        let scene = Scene::parse(&text).expect("a shipped scene");
        let grid = scene.sheet().expect("a grid").grid;
        let x = positions(&desk, "out", grid.particle_count());
        let spacing = grid.spacing();
        let depth = |solid: &Solid| x.iter().map(|x| -solid.distance(*x).0).fold(f64::NEG_INFINITY, f64::max);
        for (solid, _) in &scene.solids {
            assert!(depth(solid) < 0.1 * spacing, "{name}: {} m inside {solid:?}", depth(solid));
        }
        let middle = x[grid.index(grid.nx() / 2, grid.ny() / 2)];
        assert!(middle.z.abs() < spacing, "{name}: the middle is at {middle}");
        let corners = [(0, 0), (grid.nx() - 1, 0), (0, grid.ny() - 1), (grid.nx() - 1, grid.ny() - 1)];
        for (i, j) in corners {
            let z = x[grid.index(i, j)].z;
            assert!(-most_below < z && z < -0.15, "{name}: a corner is at {z} m");
        }
        let rows = energies(&desk, "out");
        let last = &rows[rows.len() - 1];
        assert!(last["sticking"] > 400.0 && last["largest_stretch"] < 1.2, "{name}: {last:?}");
        assert!(rows.iter().all(|row| row["limited"] + row["indefinite"] + row["not_finite"] + row["passed"] == 0.0), "{name}");
        let held = desk.read("out/contacts.csv").lines().filter(|line| line.starts_with(&format!("{},", scene.steps()))).count();
        assert_eq!(held as f64, last["sticking"] + last["sliding"] + last["released"], "{name}");
    }
}

#[test]
fn a_run_with_contacts_gives_the_same_files_again() {
    let desk = Desk::new();
    let short = shipped("sphere.toml").replace("duration = 1.5", "duration = 0.2");
    run(&desk, &short, "a");
    run(&desk, &short, "b");
    assert_eq!(differing(&desk.files("a"), &desk.files("b")), Vec::<String>::new());
    assert!(desk.read("a/contacts.csv").lines().count() > 100);
}
