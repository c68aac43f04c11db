//! `clothlab simulate` with a constraint method: strain.csv, what the summary says of the bound, runs that the method ends, and
//! input that is refused.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::common::{Desk, Said, differing};
use scene::{Scene, read_vectors};

/// A scene of 3 x 2 particles 1 m apart, a tenth of a second in steps of 10 ms, with lines of its own at the top and sections of
/// its own.
fn scene(top: &str, sections: &str) -> String {
    format!("step = 0.01\nduration = 0.1\n{top}\n[mesh]\nnx = 3\nny = 2\nspacing = 1.0\n{sections}")
}

/// Springs that FB Euler bears.
const SOFT: &str = "[material]\nshear = { stiffness = 1 }\nbend = 0\n";

/// No forces but gravity.
const LIMP: &str = "[material]\nshear = { stiffness = 0, damping = 0 }\nbend = 0\n";

/// Runs a scene that must be right.
fn run(desk: &Desk, text: &str, out: &str) -> Said {
    desk.write("a.toml", text);
    let said = desk.clothlab(&["simulate", "a.toml", "--out", out]);
    let mut others = said.err.lines().filter(|line| !line.contains(", meets particles alone, which are "));
    assert_eq!((said.code, others.next()), (Some(0), None), "{text}{}", said.out);
    said
}

/// The rows of strain.csv, by column.
fn strains(desk: &Desk, out: &str) -> Vec<BTreeMap<String, String>> {
    let text = desk.read(&format!("{out}/strain.csv"));
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned));
    let names: Vec<String> = lines.next().expect("a header").collect();
    lines.map(|cells| names.iter().cloned().zip(cells).collect()).collect()
}

fn number(row: &BTreeMap<String, String>, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column}: {row:?}"))
}

#[test]
fn strain_is_kept_and_written_before_and_after_collisions() {
    let desk = Desk::new();
    // a sheet that moves to the ball under its middle, held at two corners
    let ball = "[[solid]]\nsphere = { centre = [1, 0.5, -0.2], radius = 0.3 }\n[output]\nenergies_every = 4\n";
    let top = "integrator = \"fb-euler\"\ninextensible = \"fast-projection\"\npins = [0, 5]";
    let said = run(&desk, &scene(top, &format!("{SOFT}{ball}")), "out");
    let header = "step,time,stop,iterations,limited,turned_over,candidate_largest,before_largest,before_percentile99,before_median,\
                  before_mean,after_largest,after_percentile99,after_median,after_mean,touched";
    assert_eq!(desk.read("out/strain.csv").lines().next(), Some(header));
    let rows = strains(&desk, "out");
    assert_eq!(rows.iter().map(|row| row["step"].as_str()).collect::<Vec<_>>(), ["4", "8", "10"]);
    for row in &rows {
        let order = ["before_median", "before_percentile99", "before_largest"].map(|column| number(row, column));
        assert!(order.is_sorted() && order[2] <= 0.01 && row["stop"] == "converged", "{row:?}");
        assert!(number(row, "after_median") <= number(row, "after_largest") && number(row, "time") == 0.01 * number(row, "step"));
    }
    assert!(!desk.path("out/contacts.csv").exists(), "contacts of the solver of linear systems only");
    let header = "step,time,kinetic,gravitational,stretch,shear,bend,total,largest_stretch";
    assert_eq!(desk.read("out/energies.csv").lines().next(), Some(header));
    assert!(
        said.out.contains("\nfast-projection: ") && said.out.contains("; 0 of 10 steps missed the bound of 0.01\n"),
        "{}",
        said.out
    );
    assert!(said.out.contains("velocities.csv, strain.csv, scene.toml to out") && !said.out.contains("warning"), "{}", said.out);
}

#[test]
fn steps_that_miss_the_bound_are_counted_and_told() {
    let desk = Desk::new();
    let few = "pins = [0]";
    let section = "[inextensible.jacobi-limiting]\nstrain = 1e-9\niterations = 1\n";
    let said = run(&desk, &scene(few, &format!("{SOFT}{section}")), "out");
    let rows = strains(&desk, "out");
    let missed: f64 = rows.iter().map(|row| number(row, "limited")).sum();
    assert!(missed > 0.0 && rows.last().is_some_and(|row| row["stop"] == "iteration limit"), "{rows:?}");
    assert!(said.out.contains(&format!("; {missed} of 10 steps missed the bound of 0.000000001\n")), "{}", said.out);
    let warning =
        format!("\nwarning: {missed} steps ended at the limit of iterations with edges strained beyond the bound: raise");
    assert!(said.out.contains(&warning), "{}", said.out);
}

#[test]
fn a_run_that_the_method_ends_says_where_and_keeps_its_last_state() {
    let desk = Desk::new();
    // two corners held as far apart as their row is long
    let taut = format!("{LIMP}[initial]\npositions = \"x.csv\"\n");
    let positions = "particle,x,y,z\n0,0,0,0\n1,1,0,0\n2,2,0,0\n3,0,1,0\n4,1,1,0\n5,2,1,0\n";
    desk.write("x.csv", positions);
    let said = run(&desk, &scene("inextensible = \"fast-projection\"\npins = [0, 1, 2]", &taut), "held");
    assert!(!said.out.contains("stopped"), "no edge of that row can move: {}", said.out);
    // stretched along the row, and so not only by gravity: its two edges ask the one particle between for opposite things
    desk.write("v.csv", "particle,x,y,z\n0,0,0,0\n1,5,0,0\n2,0,0,0\n3,0,0,0\n4,0,0,0\n5,0,0,0\n");
    let taut = format!("{taut}velocities = \"v.csv\"\n[inextensible.fast-projection]\n");
    let flat = scene("pins = [0, 2]", &taut).replace("bend = 0\n", "bend = 0\ngravity = [0, 0, 0]\n");
    desk.write("a.toml", flat);
    let said = desk.clothlab(&["simulate", "a.toml", "--out", "out"]);
    assert!(said.code == Some(5), "{}", said.err);
    let first = said.out.lines().next().unwrap_or_default();
    assert!(
        first.starts_with("stopped in step 1: fast-projection ended as singular at the edge of the particles ")
            && first.contains("bring the pins closer or free one of them")
            && first.ends_with(": 0 steps of 0.01 s, 0.000000 s of 0.1 s simulated"),
        "{}",
        said.out
    );
    let rows = strains(&desk, "out");
    assert_eq!((rows.len(), rows[0]["step"].as_str(), rows[0]["stop"].as_str()), (1, "1", "singular"));
    assert!(rows[0]["before_largest"].is_empty() && rows[0]["after_mean"].is_empty());
    assert_eq!(read_vectors(desk.read("out/positions.csv").as_bytes(), 6).expect("a table")[1], cloth::Vec3::x());
    assert!(!desk.read("out/energies.csv").contains("NaN"));
    // an edge without direction
    desk.write("x.csv", positions.replace("1,1,0,0", "1,0,0,0"));
    let close = scene("pins = [0, 1]", &format!("{SOFT}[initial]\npositions = \"x.csv\"\n[inextensible.fast-projection]\n"));
    desk.write("a.toml", close);
    let said = desk.clothlab(&["simulate", "a.toml", "--out", "b"]);
    assert!(!said.out.starts_with("stopped"), "both are held: {}", said.out);
    let together = format!("{LIMP}gravity = [0, 0, 0]\n[initial]\npositions = \"x.csv\"\n[inextensible.pbd]\n");
    desk.write("a.toml", scene("", &together));
    let said = desk.clothlab(&["simulate", "a.toml", "--out", "c"]);
    assert_eq!(said.code, Some(5), "{}", said.err);
    let first = said.out.lines().next().unwrap_or_default();
    assert!(
        first.starts_with("stopped in step 1: pbd ended as coincident particles at the edge of the particles 0 and 1; they are"),
        "{first}"
    );
}

#[test]
fn triangles_are_said_to_lock_and_quads_are_not() {
    let desk = Desk::new();
    let top = "step = 1e-3\nduration = 0.01\ninextensible = \"pbd\"\npins = [0]\n";
    let side = 8;
    let triangles = format!("{top}[mesh.regular]\nnx = {side}\nny = {side}\nwidth = 1\nheight = 1\n");
    let said = run(&desk, &triangles, "triangles");
    let edges = 2 * side * (side - 1) + (side - 1) * (side - 1);
    let freedom = 3 * (side * side - 1) - edges; // a particle is held
    let warning = format!(
        "\nwarning: {edges} edges that keep their length leave {} particles {freedom} directions of motion: triangles lock; take a mesh \
         of quads, or take `inextensible` out",
        side * side
    );
    assert!(said.out.contains(&warning), "{}", said.out);
    let said = desk.clothlab(&["simulate", "a.toml", "--out", "dry", "--dry-run"]);
    assert!(said.out.ends_with(&format!("{warning}\n")), "{}", said.out);
    let points = (0..side * side).map(|k| format!("v {} {} 0\n", k % side, k / side));
    let cells = (0..side * side).filter(|k| k % side > 0 && *k >= side);
    let faces = cells.map(|k| format!("f {} {} {} {}\n", k - side, k - side + 1, k + 1, k));
    desk.write("quads.obj", points.chain(faces).collect::<String>());
    let springs = "[material]\nmodel = \"springs\"\nshear = { stiffness = 1 }\n";
    let said = run(&desk, &format!("{top}[mesh.obj]\nfile = \"quads.obj\"\n{springs}"), "quads");
    assert!(!said.out.contains("warning") && said.out.contains("; 0 of 10 steps missed the bound"), "{}", said.out);
    assert_eq!(strains(&desk, "quads").len(), 10);
}

#[test]
fn what_does_not_go_together_or_is_out_of_range_is_refused() {
    let desk = Desk::new();
    let method = "inextensible = \"fast-projection\"";
    for (top, sections, expected) in [
        (
            "",
            "[inextensible.fast-projection]\nstrain = 0\n",
            "line 9, `strain = 0`: `inextensible.fast-projection.strain` must be a number from",
        ),
        (
            "",
            "[inextensible.pbd]\nstrain = 1e-12\n",
            "line 9, `strain = 1e-12`: `inextensible.pbd.strain` must be a number from 1e-11",
        ),
        (
            "",
            "[inextensible.pbd]\nstrain = 1\n",
            "line 9, `strain = 1`: `inextensible.pbd.strain` must be a number from 1e-11 to below 1",
        ),
        ("", "[inextensible.xpbd]\niterations = 0\n", "line 9, `iterations = 0`: `inextensible.xpbd.iterations` must be a whole"),
        ("inextensible = \"springs\"", "", "line 3, `inextensible = \"springs\"`: `inextensible` must be \"fast-projection\", "),
        (
            "inextensible = \"pbd\"\npins = [\"top\", \"bottom\"]",
            "",
            "line 3, `inextensible = \"pbd\"`: `inextensible` has no edge",
        ),
        (method, "[integrator.bdf2]\n", "line 3, `inextensible = \"fast-projection\"`: constraint methods filter the steps of"),
        (
            method,
            "[adaptive_steps]\nstretch_limit = 2\n",
            "line 3, `inextensible = \"fast-projection\"`: `inextensible` keeps the stretch",
        ),
        (
            method,
            "[material]\nstretch = { stiffness = 1 }\n",
            "line 9, `stretch = { stiffness = 1 }`: `material.stretch` has no use beside",
        ),
    ] {
        desk.write("a.toml", scene(top, sections));
        let message = desk.refused(&["simulate", "a.toml", "--out", "out"]);
        assert!(message.starts_with(&format!("a.toml, {expected}")), "{message}\nis not\n{expected}");
        assert!(!desk.path("out").exists());
    }
}

#[test]
fn the_shipped_sheet_drapes_over_its_ball_without_stretching() {
    let desk = Desk::new();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/inextensible.toml");
    let text = fs::read_to_string(path).expect("a shipped scene");
    let said = run(&desk, &text, "out");
    assert!(!said.out.contains("warning") && said.out.contains("; 0 of 600 steps missed the bound of 0.01\n"), "{}", said.out);
    let scene = Scene::parse(&text).expect("a shipped scene");
    let grid = scene.sheet().expect("a grid").grid;
    let x = read_vectors(desk.read("out/positions.csv").as_bytes(), grid.particle_count()).expect("a table");
    let depth = x.iter().map(|x| -scene.solids[0].0.distance(*x).0).fold(f64::NEG_INFINITY, f64::max);
    assert!(depth < 1e-9, "{depth} m inside");
    let side = grid.nx() - 1;
    for (i, j) in [(0, 0), (side, 0), (0, side), (side, side)] {
        assert!((-0.75..-0.3).contains(&x[grid.index(i, j)].z), "a corner is at {} m", x[grid.index(i, j)].z);
    }
    let rows = strains(&desk, "out");
    assert!(rows.iter().all(|row| number(row, "before_largest") <= 0.01) && number(&rows[rows.len() - 1], "touched") > 100.0);
    let short = text.replace("duration = 1.5", "duration = 0.2");
    run(&desk, &short, "a");
    run(&desk, &short, "b");
    assert_eq!(differing(&desk.files("a"), &desk.files("b")), Vec::<String>::new());
}
