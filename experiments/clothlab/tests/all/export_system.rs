//! `clothlab export-system`: what other programs read from its files is the system that the step solved, and bad input is refused.

use std::fs;

use crate::common::{Desk, Said, Working};
use cloth::Vec3;
use linsolve::{
    BlockDiagonal, BlockPattern, BlockRows, ConstrainedSystem, Constraint, DiagonalKind, Mat3, ProjectedCg, Settings, Start,
};
use scene::read_vectors;

/// A scene of 6 x 5 particles, 20 steps of 5 ms, with lines of its own at the top and sections of its own.
fn scene(top: &str, sections: &str) -> String {
    format!("step = 5e-3\nduration = 0.1\n{top}\n[mesh]\nnx = 6\nny = 5\nspacing = 0.1\n{sections}")
}

/// Solves to rounding.
const TIGHT: &str = "[solver.conjugate-gradients]\ntolerance = 1e-20\n";

/// A slope that a sheet falls onto within a few steps, its first corner first, and along which it slides.
const SLOPE: &str =
    "[[solid]]\nplane = { point = [0, 0, -0.001], normal = [0.02, 0.01, 1] }\n[friction.coulomb]\nmu_s = 0\nmu_k = 0\n";

/// Some springs that the adaptive schemes take for explicit in such steps, and some that they do not.
const MIXED: &str = "[material]\nstretch = { stiffness = 500.0 }\nshear = { stiffness = 1.0, damping = 0.01 }\n";

/// These points as a continuum of triangles.
const TRIANGLES: &str = "[mesh.regular]\nnx = 6\nny = 5\nwidth = 0.5\nheight = 0.4\n[material]\nmodel = \"continuum\"\nstretch = { stiffness = 300 }\n";

/// Runs an export that must be right.
fn export(desk: &Desk, text: &str, step: u64, out: &str) -> Said {
    desk.write("a.toml", text);
    let said = desk.clothlab(&["export-system", "a.toml", "--step", &step.to_string(), "--out", out]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{text}");
    said
}

/// A matrix that any reader of the format could have read.
struct Dense(Vec<Vec<f64>>);

impl Dense {
    /// Reads a symmetric coordinate file or a vector.
    fn read(desk: &Desk, name: &str) -> Dense {
        let text = desk.read(name);
        let mut lines = text.lines();
        let kind = lines.next().expect("a first line").strip_prefix("%%MatrixMarket matrix ").expect("its mark");
        let mut numbers = lines
            .filter(|line| !line.starts_with('%'))
            .map(|line| line.split_whitespace().map(|word| word.parse::<f64>().expect("a number")).collect::<Vec<f64>>());
        let size = numbers.next().expect("a size");
        let (rows, columns) = (size[0] as usize, size[1] as usize);
        let mut dense = vec![vec![0.0; columns]; rows];
        let entries: Vec<Vec<f64>> = numbers.collect();
        match kind {
            "coordinate real symmetric" => {
                assert_eq!((rows, entries.len()), (columns, size[2] as usize), "{name}");
                let places: Vec<[usize; 2]> =
                    entries.iter().map(|entry| [entry[1] as usize - 1, entry[0] as usize - 1]).collect();
                assert!(places.is_sorted_by(|a, b| a < b) && places.iter().all(|[column, row]| row >= column), "{name}");
                for ([column, row], entry) in places.into_iter().zip(entries) {
                    dense[row][column] = entry[2];
                    dense[column][row] = entry[2];
                }
            }
            "array real general" => {
                assert_eq!((columns, entries.len()), (1, rows), "{name}");
                dense = entries;
            }
            _ => panic!("{name}: {kind}"),
        }
        Dense(dense)
    }

    fn vector(desk: &Desk, name: &str) -> Vec<f64> {
        Dense::read(desk, name).0.into_iter().map(|row| row[0]).collect()
    }

    fn times(&self, v: &[f64]) -> Vec<f64> {
        self.0.iter().map(|row| row.iter().zip(v).map(|(a, v)| a * v).sum()).collect()
    }

    /// A B.
    fn product(&self, other: &Dense) -> Dense {
        let columns: Vec<Vec<f64>> =
            (0..other.0.len()).map(|k| self.times(&other.0.iter().map(|row| row[k]).collect::<Vec<_>>())).collect();
        Dense((0..self.0.len()).map(|row| columns.iter().map(|column| column[row]).collect()).collect())
    }

    /// The solution of A x = b for a positive definite A, by Cholesky's factorisation in place.
    fn solve(mut self, b: &[f64]) -> Vec<f64> {
        let (a, mut x) = (&mut self.0, b.to_vec());
        for k in 0..x.len() {
            let root = (a[k][k] - (0..k).map(|m| a[k][m] * a[k][m]).sum::<f64>()).sqrt();
            assert!(root > 0.0, "not positive definite at {k}");
            a[k][k] = root;
            for i in k + 1..x.len() {
                a[i][k] = (a[i][k] - (0..k).map(|m| a[i][m] * a[k][m]).sum::<f64>()) / root;
            }
            x[k] = (x[k] - (0..k).map(|m| a[k][m] * x[m]).sum::<f64>()) / root;
        }
        for k in (0..x.len()).rev() {
            x[k] = (x[k] - (k + 1..x.len()).map(|i| a[i][k] * x[i]).sum::<f64>()) / a[k][k];
        }
        x
    }
}

/// Solves an exported system as system.toml says that it can be: (S A S + I - S) x = S (b - A (I - S) z) + (I - S) z.
fn solved(desk: &Desk, out: &str) -> Vec<f64> {
    let read = |name: &str| Dense::vector(desk, &format!("{out}/{name}"));
    let [a, s] = ["A.mtx", "constraints.mtx"].map(|name| Dense::read(desk, &format!("{out}/{name}")));
    let (b, z) = (read("b.mtx"), read("z.mtx"));
    let prescribed: Vec<f64> = z.iter().zip(s.times(&z)).map(|(z, free)| z - free).collect();
    let left: Vec<f64> = b.iter().zip(a.times(&prescribed)).map(|(b, product)| b - product).collect();
    let right: Vec<f64> = s.times(&left).iter().zip(&prescribed).map(|(left, z)| left + z).collect();
    let mut matrix = s.product(&a).product(&s);
    for (i, row) in matrix.0.iter_mut().enumerate() {
        for (j, entry) in row.iter_mut().enumerate() {
            *entry += f64::from(u8::from(i == j)) - s.0[i][j];
        }
    }
    matrix.solve(&right)
}

/// The largest difference, and the largest number.
fn difference(a: &[f64], b: &[f64]) -> [f64; 2] {
    assert_eq!(a.len(), b.len());
    let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, |largest: f64, value| largest.max(value.abs()));
    [largest(&mut a.iter().zip(b).map(|(a, b)| a - b)), largest(&mut a.iter().copied())]
}

/// The value of a key of system.toml, under `table` or at the top.
fn described(desk: &Desk, out: &str, table: Option<&str>, key: &str) -> toml::Value {
    let document: toml::Table = desk.read(&format!("{out}/system.toml")).parse().expect("TOML");
    let table = table.map_or(&document, |table| document[table].as_table().expect("a table"));
    table[key].clone()
}

/// How far velocities come in step `step` of a scene that is simulated.
fn taken(desk: &Desk, text: &str, step: u64) -> Vec<f64> {
    let count = Dense::vector(desk, "out/b.mtx").len() / 3;
    let [before, after] = [step - 1, step].map(|steps| {
        if steps == 0 {
            return vec![Vec3::zeros(); count];
        }
        let duration = format!("duration = {}", 5e-3 * steps as f64);
        desk.write("b.toml", text.replacen("duration = 0.1", &duration, 1));
        let out = format!("run-{steps}");
        let said = desk.clothlab(&["simulate", "b.toml", "--out", &out, "--force"]);
        assert_eq!(said.code, Some(0), "{}", said.err);
        read_vectors(fs::File::open(desk.path(&format!("{out}/velocities.csv"))).expect("a table"), count).expect("vectors")
    });
    after.iter().zip(before).flat_map(|(after, before)| [0, 1, 2].map(|q| after[q] - before[q])).collect()
}

#[test]
fn the_files_hold_the_system_that_the_step_solved() {
    let triangles = |top: &str| format!("step = 5e-3\nduration = 0.1\n{top}\n{TRIANGLES}");
    let solid = "integrator = \"backward-euler\"\npins = [29]";
    for (text, step) in [
        (scene(solid, &format!("{TIGHT}{SLOPE}")), 4), // some particles have just met the slope
        (scene(solid, &format!("{TIGHT}{SLOPE}")), 8),
        (scene(&format!("{solid}\nsolver = \"direct\""), SLOPE), 8), // and some have not
        (triangles(&format!("integrator = \"backward-euler\"\npins = [0]\n{TIGHT}")), 7),
        (scene("integrator = \"backward-euler\"", TIGHT), 1),
    ] {
        let desk = Desk::new();
        export(&desk, &text, step, "out");
        let x = solved(&desk, "out");
        let [apart, largest] = difference(&x, &Dense::vector(&desk, "out/x.mtx"));
        assert!(apart < 1e-9 * largest && largest > 1e-3, "{apart} of {largest}: {text}");
        let [apart, _] = difference(&x, &taken(&desk, &text, step));
        assert!(apart < 1e-9 * largest, "{apart} of {largest}: {text}");
        if text.contains("solid") {
            let s = Dense::read(&desk, "out/constraints.mtx");
            let ndof: Vec<u64> = (0..30).map(|i| (0..3).map(|q| s.0[3 * i + q][3 * i + q]).sum::<f64>().round() as u64).collect();
            assert!(ndof[0] == 2 && ndof[29] == 0 && ndof.contains(&3), "{ndof:?}");
            let free = described(&desk, "out", None, "degrees_of_freedom").as_integer();
            assert_eq!(free, Some(ndof.iter().sum::<u64>() as i64));
            assert!(step > 4 || Dense::vector(&desk, "out/z.mtx").iter().any(|z| z.abs() > 1e-3), "nothing is prescribed");
        }
    }
}

#[test]
fn every_implicit_scheme_has_a_system_whose_solution_is_its_own() {
    let desk = Desk::new();
    let mut matrices: Vec<String> = vec![];
    for (k, (integrator, others)) in [
        ("backward-euler", ""),
        ("implicit-midpoint", ""),
        ("generalized-alpha", "rho_inf = 0.5"),
        ("bdf2", ""),
        ("imex", "implicit = [\"stretch\", \"bend\"]"),
        ("sbdf2", "implicit = [\"shear\"]"),
        ("aimex", ""),
        ("adaptive-sbdf2", ""),
    ]
    .into_iter()
    .enumerate()
    {
        let out = format!("out-{k}");
        export(
            &desk,
            &format!("{}[integrator.{integrator}]\n{others}\n", scene("pins = [0]", &format!("{TIGHT}{MIXED}"))),
            8,
            &out,
        );
        let [apart, largest] = difference(&solved(&desk, &out), &Dense::vector(&desk, &format!("{out}/x.mtx")));
        assert!(apart < 1e-9 * largest && largest > 1e-3, "{integrator}: {apart} of {largest}");
        assert_eq!(described(&desk, &out, None, "integrator").as_str(), Some(integrator));
        matrices.push(desk.read(&format!("{out}/A.mtx")));
    }
    for (k, matrix) in matrices.iter().enumerate() {
        assert!(!matrices[..k].contains(matrix), "scheme {k} has the matrix of another one");
    }
}

/// A in block rows, S as constraints, and the vectors of an export.
fn system(desk: &Desk, out: &str) -> (BlockRows, Vec<Constraint>, [Vec<Vec3>; 4]) {
    let a = Dense::read(desk, &format!("{out}/A.mtx")).0;
    let count = a.len() / 3;
    let block = |i: usize, j: usize| Mat3::from_fn(|p, q| a[3 * i + p][3 * j + q]);
    let pairs = (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j)));
    let pairs: Vec<(usize, usize)> = pairs.filter(|&(i, j)| block(i, j) != Mat3::zeros()).collect();
    let mut matrix = BlockRows::new(BlockPattern::new(count, &pairs));
    (0..count).for_each(|i| matrix.add_diagonal(i, &block(i, i)));
    (0..pairs.len()).for_each(|k| matrix.add_pair(k, &block(pairs[k].0, pairs[k].1)));
    let s = Dense::read(desk, &format!("{out}/constraints.mtx")).0;
    let held = |i: usize| (0..3).all(|q| s[3 * i + q][3 * i + q] == 0.0);
    let constraints = (0..count).map(|i| if held(i) { Constraint::Fixed } else { Constraint::Free }).collect();
    let vectors = ["b.mtx", "z.mtx", "x_prev.mtx", "x.mtx"].map(|name| {
        let values = Dense::vector(desk, &format!("{out}/{name}"));
        values.chunks(3).map(|v| Vec3::new(v[0], v[1], v[2])).collect()
    });
    (matrix, constraints, vectors)
}

#[test]
fn the_solve_can_be_done_again_from_where_it_began() {
    // a file has the lower triangle, and blocks on the diagonal of triangles have another upper one by rounding in some rows: the bits
    // of the step come back where that does not show, as by this solver
    let triangles = format!(
        "step = 5e-3\nduration = 0.1\nintegrator = \"backward-euler\"\nsolver = \"conjugate-gradients\"\npins = [\"left\"]\n{TRIANGLES}"
    );
    for (text, to_the_bit) in [(scene("integrator = \"backward-euler\"\npins = [0, 5]", ""), false), (triangles, true)] {
        let desk = Desk::new();
        let said = export(&desk, &text, 9, "out");
        let (matrix, constraints, [b, z, mut x, expected]) = system(&desk, "out");
        assert!(x.iter().any(|x| x.norm() > 1e-3) && x != expected);
        let mut preconditioner = BlockDiagonal::new(DiagonalKind::Constrained);
        preconditioner.factor(&matrix, &constraints).expect("positive blocks");
        let tolerance_squared = described(&desk, "out", Some("solver"), "tolerance_squared").as_float().expect("a number");
        let is_automatic = !text.contains("conjugate-gradients");
        let error = is_automatic.then(|| described(&desk, "out", Some("solver"), "error").as_float().expect("a number"));
        let settings = Settings { start: Start::Corrected, tolerance_squared, error, iteration_limit: 1000 };
        let system = ConstrainedSystem { operator: &matrix, b: &b, constraints: &constraints, z: &z };
        let report = ProjectedCg::new(x.len()).solve(&system, &mut x, &preconditioner, &settings);
        let iterations = described(&desk, "out", Some("solver"), "iterations").as_integer().expect("a number");
        assert!(iterations > 2 && report.iterations as i64 == iterations, "{report:?}, {iterations} in the step");
        assert!(said.out.contains(&format!(" {iterations} iterations of conjugate gradients\n")), "{}", said.out);
        let apart = x.iter().zip(&expected).map(|(x, expected)| (x - expected).amax()).fold(0.0, f64::max);
        assert!(if to_the_bit { apart == 0.0 } else { apart < 1e-12 }, "{apart}");
    }
}

#[test]
fn the_precision_of_the_iterations_is_named() {
    let desk = Desk::new();
    let text = |precision: &str| {
        let solver = format!("[solver.conjugate-gradients]\ntolerance = 1e-6\nprecision = \"{precision}\"\n");
        scene("integrator = \"backward-euler\"\npins = [0, 5]", &solver)
    };
    let named = |out: &str| described(&desk, out, Some("solver"), "precision").as_str().map(str::to_owned);
    let said = export(&desk, &text("double"), 9, "double");
    assert_eq!(named("double").as_deref(), Some("double"));
    assert!(!said.out.contains("precision") && !desk.read("double/system.toml").contains("corrections"), "{}", said.out);
    let said = export(&desk, &text("single"), 9, "single");
    assert_eq!(named("single").as_deref(), Some("single"));
    let corrections = described(&desk, "single", Some("solver"), "corrections").as_integer().expect("a number");
    assert!(corrections >= 1, "{corrections}");
    assert!(said.out.contains(&format!(" in single precision, {corrections} corrections in double")), "{}", said.out);
}

#[test]
fn a_step_of_several_systems_gives_the_last_one() {
    let desk = Desk::new();
    let newton = format!("{}[integrator.backward-euler]\nnewton = {{ tolerance = 1e-7 }}\n", scene("pins = [0, 5]", TIGHT));
    let said = export(&desk, &newton, 10, "out");
    assert!(described(&desk, "out", None, "systems_of_the_step").as_integer() > Some(1));
    assert!(!desk.path("out/x_prev.mtx").exists() && !said.out.contains("x_prev"), "{}", said.out);
    let x = Dense::vector(&desk, "out/x.mtx");
    let [apart, largest] = difference(&x, &solved(&desk, "out"));
    assert!(largest <= 1e-7 && apart < 1e-15, "{apart} of {largest}: the last change is below the tolerance of Newton");

    let halved = scene("integrator = \"backward-euler\"\npins = [0, 5]\nadaptive_steps = { stretch_limit = 1.005 }", TIGHT);
    export(&desk, &halved, 20, "parts");
    let [systems, dt] = ["systems_of_the_step", "dt"].map(|key| described(&desk, "parts", None, key));
    let parts = 5e-3 / dt.as_float().expect("a number");
    assert!(
        parts > 1.0 && parts.fract() == 0.0 && (parts as u64).is_power_of_two() && systems.as_integer() > Some(1),
        "{systems} systems, the last of {dt} s"
    );
    let [apart, largest] = difference(&Dense::vector(&desk, "parts/x.mtx"), &solved(&desk, "parts"));
    assert!(apart < 1e-9 * largest);
}

#[test]
fn a_former_export_is_replaced_only_by_force() {
    let desk = Desk::new();
    let implicit = scene("integrator = \"backward-euler\"\npins = [0]", "");
    let said = export(&desk, &implicit, 2, "out");
    let all = ["A.mtx", "b.mtx", "constraints.mtx", "system.toml", "x.mtx", "x_prev.mtx", "z.mtx"];
    assert_eq!(desk.files("out").into_keys().collect::<Vec<_>>(), all);
    for name in all {
        assert!(said.out.contains(name), "{}", said.out);
        assert!(described(&desk, "out", Some("files"), name).as_str().is_some_and(|about| !about.is_empty()));
    }
    desk.write("out/notes.txt", "mine");
    let former = desk.files("out");
    desk.write("a.toml", implicit.replace("duration", "solver = \"direct\"\nduration"));
    let arguments = ["export-system", "a.toml", "--step", "3", "--out", "out"];
    let message = desk.refused(&arguments);
    assert_eq!(
        message,
        "out/A.mtx is there from a former export; add --force to replace it, or choose another folder with --out"
    );
    assert_eq!(desk.files("out"), former);
    let said = desk.clothlab(&[&arguments[..], &["--force"]].concat());
    assert_eq!(said.code, Some(0), "{}", said.err);
    let now = desk.files("out");
    assert!(!now.contains_key("x_prev.mtx") && now["A.mtx"] != former["A.mtx"] && now["notes.txt"] == b"mine");
    assert_eq!(described(&desk, "out", Some("solver"), "method").as_str(), Some("direct"));
}

#[test]
fn what_has_no_such_system_is_refused() {
    let desk = Desk::new();
    let refused = |text: &str, step: &str, expected: &str| {
        desk.write("a.toml", text);
        let message = desk.refused(&["export-system", "a.toml", "--step", step, "--out", "out"]);
        assert!(message.contains(expected), "{message}\nis not\n{expected}");
        assert!(!desk.path("out").exists(), "output of an export that was refused");
    };
    let implicit = scene("integrator = \"backward-euler\"\npins = [0]", "");
    refused(
        &scene("integrator = \"rk4\"", ""),
        "1",
        "a.toml: rk4 solves no linear systems; name an `integrator` that has a `solver`",
    );
    refused(&implicit, "0", "a.toml: its steps are 1 to 20; choose one of them with --step, not 0");
    refused(&implicit, "21", "a.toml: its steps are 1 to 20; choose one of them with --step, not 21");
    refused(&implicit, "-1", "invalid value '-1' for '--step <K>': it must be a whole number from 0 on");
    refused(&implicit, "two", "invalid value 'two' for '--step <K>'");
    refused(&implicit.replace("pins", "pints"), "1", "a.toml, line 4, ");
    let wild = "step = 1.0\nduration = 10000\npins = [0]\n[integrator.imex]\nimplicit = []\n";
    let wild = format!("{wild}{}", &implicit[implicit.find("[mesh]").expect("a mesh")..]);
    refused(&wild, "10000", "a.toml: the run fails in step ");
    // two neighbours that edges of some length are to keep apart
    let places =
        (0..30).map(|i| format!("{i},{},{},0\n", if i == 1 { 0.0 } else { 0.1 * f64::from(i % 6) }, 0.1 * f64::from(i / 6)));
    desk.write("x.csv", format!("particle,x,y,z\n{}", places.collect::<String>()));
    let limp =
        "[material]\nshear = { stiffness = 0, damping = 0 }\nbend = 0\n[initial]\npositions = \"x.csv\"\n[inextensible.pbd]\n";
    refused(
        &scene("integrator = \"backward-euler\"", limp),
        "3",
        "a.toml: the run fails in step 1; choose a step before that with --step",
    );
    let message = desk.refused(&["export-system", "absent.toml", "--step", "1", "--out", "out"]);
    assert_eq!(message, "absent.toml: there is no such file; name a scene file, examples are in scenes/");
}

#[test]
fn a_folder_that_cannot_be_written_is_refused() {
    let desk = Desk::new();
    desk.write("a.toml", scene("integrator = \"backward-euler\"", ""));
    desk.write("file", "mine");
    let export = |out: &str| desk.refused(&["export-system", "a.toml", "--step", "1", "--out", out]);
    assert_eq!(export("file"), "file is a file; choose a folder with --out");
    let message = export("file/below");
    assert!(message.starts_with("cannot write file/below") && message.contains("--out"), "{message}");
    desk.write("system.toml", scene("integrator = \"backward-euler\"", ""));
    let message = desk.refused(&["export-system", "system.toml", "--step", "1", "--out", ".", "--force"]);
    assert!(message.starts_with("system.toml is read by this run"), "{message}");
}

#[test]
#[cfg(unix)]
fn a_full_disk_leaves_no_part_of_an_export() {
    let desk = Desk::new();
    desk.write("a.toml", scene("integrator = \"backward-euler\"", ""));
    // no file may grow beyond so many blocks of 512 bytes: A.mtx does
    let limited = "trap '' XFSZ; ulimit -f 16; exec \"$0\" \"$@\"";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", limited, env!("CARGO_BIN_EXE_clothlab"), "export-system", "a.toml", "--step", "1", "--out", "out"]);
    let said: Said = command.current_dir(desk.path("")).output().expect("a shell").into();
    let message = said.refusal(2);
    assert!(message.starts_with("cannot write out/A.mtx") && message.contains("free some space"), "{message}");
    assert!(!desk.path("out").exists(), "output of an export that failed");
}

#[test]
fn two_runs_do_not_write_into_one_folder() {
    let desk = Desk::new();
    let implicit = scene("integrator = \"backward-euler\"\npins = [0]", "");
    desk.write("a.toml", &implicit);
    desk.write("long.toml", implicit.replace("duration = 0.1", "duration = 4000000"));
    let long = ["export-system", "long.toml", "--step", "800000000", "--out", "out"];
    let mut working = Working::start(desk.program(&long));
    working.wait_until(|| desk.path("out/.lock").exists());
    for command in [&["export-system", "a.toml", "--step", "1", "--out", "out"][..], &["simulate", "a.toml", "--out", "out"]] {
        // the lock is taken a moment after it is made
        working.wait_until(|| desk.clothlab(&[&long[..], &["--force"]].concat()).code == Some(2));
        let message = desk.refused(command);
        assert_eq!(message, "another run is writing into out; wait for it, or choose another --out");
    }
    working.kill();
    export(&desk, &implicit, 1, "out");
}
