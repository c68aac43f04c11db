//! `clothlab init` on meshes as people have them: what it writes runs to its end without editing, and no edge is strained beyond 30 %.

use std::f64::consts::TAU;
use std::fmt::Write as _;

use crate::common::{Desk, is_full};

/// A mesh under construction, counted from 1 as the format does.
#[derive(Default)]
struct Obj {
    text: String,
    vertices: usize,
}

impl Obj {
    fn of(head: &str) -> Obj {
        Obj { text: head.to_owned(), vertices: 0 }
    }

    fn vertex(&mut self, [x, y, z]: [f64; 3]) -> usize {
        _ = writeln!(self.text, "v {x:.6} {y:.6} {z:.6}");
        self.vertices += 1;
        self.vertices
    }

    /// A strip of quads between points by column and row, closed around where it is a tube.
    fn cloth(&mut self, [columns, rows]: [usize; 2], closed: bool, at: impl Fn(usize, usize) -> [f64; 3], textured: Option<f64>) {
        let first = self.vertices + 1;
        for j in 0..=rows {
            for i in 0..columns + usize::from(!closed) {
                self.vertex(at(i, j));
            }
        }
        let width = columns + usize::from(!closed);
        if let Some(scale) = textured {
            for j in 0..=rows {
                for i in 0..width {
                    let [x, y, _] = at(i, j);
                    _ = writeln!(self.text, "vt {:.6} {:.6}", scale * x, scale * y);
                }
            }
        }
        let index = |i: usize, j: usize| first + j * width + i % width;
        let corner = |k: usize| if textured.is_some() { format!("{k}/{k}") } else { k.to_string() };
        for j in 0..rows {
            for i in 0..columns {
                let face = [index(i, j), index(i + 1, j), index(i + 1, j + 1), index(i, j + 1)].map(corner);
                _ = writeln!(self.text, "f {}", face.join(" "));
            }
        }
    }
}

/// A disc of radius `radius` as rings of quads about a fan of triangles.
fn disc(radius: f64) -> String {
    let mut obj = Obj::default();
    let (rings, around) = (8, 24);
    let hub = obj.vertex([0.0, 0.0, 0.0]);
    for ring in 1..=rings {
        for k in 0..around {
            let (sine, cosine) = libm::sincos(TAU * k as f64 / around as f64);
            let r = radius * ring as f64 / rings as f64;
            obj.vertex([r * cosine, r * sine, 0.0]);
        }
    }
    let index = |ring: usize, k: usize| hub + 1 + (ring - 1) * around + k % around;
    for k in 0..around {
        _ = writeln!(obj.text, "f {hub} {} {}", index(1, k), index(1, k + 1));
        for ring in 1..rings {
            let [a, b, c, d] = [index(ring, k), index(ring + 1, k), index(ring + 1, k + 1), index(ring, k + 1)];
            _ = writeln!(obj.text, "f {a} {b} {c} {d}");
        }
    }
    obj.text
}

/// A circle as one face of so many corners.
fn polygon(corners: usize) -> String {
    let mut obj = Obj::default();
    for k in 0..corners {
        let (sine, cosine) = libm::sincos(TAU * k as f64 / corners as f64);
        obj.vertex([0.4 * cosine, 0.4 * sine, 0.0]);
    }
    let face: Vec<String> = (1..=corners).map(|k| k.to_string()).collect();
    obj.text + &format!("f {}\n", face.join(" "))
}

/// A skirt, wider at its hem, with its axis along y or z, in a unit that is so many metres.
fn skirt(axis: usize, metres: f64, head: &str) -> String {
    let mut obj = Obj::of(head);
    let at = |i: usize, j: usize| {
        let (sine, cosine) = libm::sincos(TAU * i as f64 / 40.0);
        let (radius, height) = (0.35 - 0.2 * j as f64 / 20.0, 0.6 + 0.5 * j as f64 / 20.0);
        let [x, y, z] = [radius * cosine, radius * sine, height].map(|q| q / metres);
        if axis == 2 { [x, y, z] } else { [x, z, -y] }
    };
    obj.cloth([40, 20], true, at, None);
    obj.text
}

/// A flat panel with texture coordinates `textured` times as large.
fn panel(metres: f64, textured: Option<f64>) -> String {
    let mut obj = Obj::of("# OBJ Exporter v1.2, CLO Virtual Fashion\n");
    obj.cloth([12, 18], false, |i, j| [0.05 * i as f64, 0.05 * j as f64, 0.0].map(|q| q / metres), textured);
    obj.text
}

/// Two panels of a shirt, apart along z, that lines join at their sides so many rows up and at the shoulders, as Blender has them for sewing.
fn sewn_shirt(rows: usize) -> String {
    let mut obj = Obj::of("# Blender 4.2.0\n# www.blender.org\n");
    for z in [0.12, -0.12] {
        _ = writeln!(obj.text, "o panel{}", if z > 0.0 { "front" } else { "back" });
        let turned = if z > 0.0 { 1.0 } else { -1.0 };
        obj.cloth([10, 12], false, |i, j| [turned * (0.05 * i as f64 - 0.25), 1.0 + 0.05 * j as f64, z], None);
    }
    let index = |panel: usize, i: usize, j: usize| 1 + panel * 143 + j * 11 + i;
    for j in 0..=rows {
        for i in [0, 10] {
            _ = writeln!(obj.text, "l {} {}", index(0, i, j), index(1, 10 - i, j));
        }
    }
    for i in [0, 1, 2, 8, 9, 10] {
        _ = writeln!(obj.text, "l {} {}", index(0, i, 12), index(1, 10 - i, 12));
    }
    obj.text
}

/// A scan: a bowl with noise in its heights, triangles, in millimetres, y up.
fn scan() -> String {
    let mut obj = Obj::default();
    let (n, mut state) = (40_usize, 12345_u64);
    let mut noise = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f64 / f64::from(1_u32 << 24) - 0.5
    };
    for j in 0..=n {
        for i in 0..=n {
            let [x, z] = [i, j].map(|k| 1600.0 * (k as f64 / n as f64 - 0.5));
            obj.vertex([x + 4.0 * noise(), 900.0 + 2e-4 * (x * x + z * z) + 3.0 * noise(), z + 4.0 * noise()]);
        }
    }
    for j in 0..n {
        for i in 0..n {
            let [a, b, c, d] = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]].map(|[i, j]| 1 + j * (n + 1) + i);
            let cut = if (i + j) % 2 == 0 { [[a, c, b], [a, d, c]] } else { [[a, d, b], [b, d, c]] };
            cut.iter().for_each(|[a, b, c]| _ = writeln!(obj.text, "f {a} {b} {c}"));
        }
    }
    obj.text
}

/// A panel with a V neck as one face, which begins at any of its corners; a corner of it lies in the middle of a side.
fn neck(first: usize) -> String {
    let points = [[0.0, 0.0], [0.4, 0.0], [0.8, 0.0], [0.8, 1.2], [0.6, 1.2], [0.4, 0.8], [0.2, 1.2], [0.0, 1.2]];
    let mut obj = Obj::default();
    points.iter().for_each(|[x, z]| _ = obj.vertex([*x, 0.0, *z]));
    let face: Vec<String> = (0..8).map(|k| ((first + k) % 8 + 1).to_string()).collect();
    obj.text + &format!("f {}\n", face.join(" "))
}

/// Two squares whose vertices along their common side are there twice.
fn doubled_seam() -> String {
    let mut obj = Obj::default();
    for piece in [0.0, 0.5] {
        obj.cloth([10, 10], false, |i, j| [piece + 0.05 * i as f64, 0.0, 0.05 * j as f64], None);
    }
    obj.text
}

/// The meshes, by a name that says what they are.
fn meshes() -> Vec<(&'static str, String)> {
    vec![
        ("disc", disc(0.5)),
        ("disc-in-cm", disc(12.0)),
        ("polygon", polygon(32)),
        ("skirt", skirt(2, 1.0, "")),
        ("skirt-of-blender", skirt(1, 1.0, "# Blender 3.6.5\n")),
        ("skirt-in-mm", skirt(1, 0.001, "")),
        ("skirt-in-cm", skirt(2, 0.01, "")),
        ("pattern-in-mm", panel(1.0, Some(1000.0))),
        ("panel-in-mm", panel(0.001, Some(0.001))),
        ("atlas", panel(1.0, Some(1.0)).replace("vt 0.3", "vt 0.9")),
        ("sewn-shirt", sewn_shirt(9)),
        ("sewn-to-the-top", sewn_shirt(11)),
        ("scan", scan()),
        ("neck", neck(0)),
        ("neck-from-its-side", neck(1)),
        ("doubled-seam", doubled_seam()),
        ("continued", "\u{feff}v 0 0 0\nv 1 0 \\\n 0\nv 1 1 0\nv 0 1 0\nvt 0\nvt 1\nf 1/1 2/2 \\\n3/2 4/1\n".to_owned()),
    ]
}

/// The largest strain that a run tells, in its energies.
fn largest_stretch(desk: &Desk, out: &str) -> f64 {
    let table = desk.read(&format!("{out}/energies.csv"));
    let mut rows = table.lines().map(|row| row.split(',').collect::<Vec<_>>());
    let head = rows.next().expect("a head");
    let column = head.iter().position(|name| *name == "largest_stretch").expect("a column");
    rows.map(|row| row[column].parse::<f64>().expect("a number")).fold(0.0, f64::max)
}

#[test]
fn every_mesh_runs_to_its_end_without_editing_and_hardly_stretches() {
    let desk = Desk::new();
    let (end, shorter) = if is_full() { (2.0, &[][..]) } else { (0.6, &["--set", "duration=0.6"][..]) };
    for (name, mesh) in meshes() {
        desk.write(&format!("{name}.obj"), &mesh);
        let said = desk.clothlab(&["init", &format!("{name}.obj")]);
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{name}");
        let command = ["simulate", &format!("{name}.toml"), "--out", name, "--no-pictures"];
        let said = desk.clothlab(&[&command[..], shorter].concat());
        let scene = desk.read(&format!("{name}.toml"));
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{name}\n{scene}\n{}", said.out);
        assert!(said.out.contains(&format!("{end} s simulated")) && !said.out.contains("run is wrong"), "{name}: {}", said.out);
        let stretch = largest_stretch(&desk, name);
        assert!(stretch < 1.3, "{name}: {stretch}\n{scene}");
        if name != "skirt-in-mm" {
            continue;
        }
        // the cloth of a mesh without a scene is the same
        let direct = ["simulate", &format!("{name}.obj"), "--out", "direct", "--no-pictures", "--force"];
        let direct = desk.clothlab(&[&direct[..], shorter].concat());
        assert_eq!((direct.code, direct.err.as_str()), (Some(0), ""), "{name}");
        assert_eq!(desk.read("direct/positions.csv"), desk.read(&format!("{name}/positions.csv")), "{name}");
    }
}

#[test]
fn choices_are_those_of_the_mesh() {
    let desk = Desk::new();
    let scene = |name: &str, mesh: &str| {
        desk.write(&format!("{name}.obj"), mesh);
        assert_eq!(desk.clothlab(&["init", &format!("{name}.obj"), "--force"]).code, Some(0), "{name}");
        desk.read(&format!("{name}.toml"))
    };
    for (mesh, expected) in [
        (skirt(1, 0.001, ""), ["unit = \"mm\"", "up = \"y\""]),
        (skirt(2, 0.01, ""), ["unit = \"cm\"", "up = \"z\""]),
        (disc(12.0), ["unit = \"cm\"", "up = \"z\""]),
        (panel(1.0, Some(1000.0)), ["texture_scale = 0.001", "up = \"y\""]),
        (panel(1.0, Some(1.0)).replace("vt 0.3", "vt 0.9"), ["texture = \"ignore\"", "unit = \"m\""]),
        (panel(1.0, Some(1.0)) + "vg Waistband 1 2 3\n", ["group = \"Waistband\"", "texture = \"pattern\""]),
        (doubled_seam(), ["merge = 1e-6", "top edge"]),
    ] {
        let text = scene("a", &mesh);
        assert!(expected.iter().all(|key| text.contains(key)), "{expected:?}\n{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 150), "{text}");
    }
    assert!(scene("quoted \" name", &disc(0.5)).contains("file = 'quoted \" name.obj'"));
}

#[test]
fn a_sheet_is_written_without_a_mesh_and_nothing_is_replaced_unasked() {
    let desk = Desk::new();
    assert_eq!(desk.clothlab(&["init"]).code, Some(0));
    let said = desk.clothlab(&["simulate", "sheet.toml", "--out", "sheet", "--no-pictures"]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{}", said.out);
    assert!(largest_stretch(&desk, "sheet") < 1.3);
    let text = desk.read("sheet.toml");
    assert!(desk.refused(&["init"]).contains("sheet.toml is there already; --force replaces it, --out names another file"));
    assert_eq!(desk.read("sheet.toml"), text);
    desk.write("bad.obj", "v 0 0 0\nv 1 0 0\nf 1 2 7\n");
    assert!(desk.refused(&["init", "bad.obj"]).contains("bad.obj, line 3, `f 1 2 7`: `7` names no `v` line"));
    assert!(desk.refused(&["init", "absent.obj"]).contains("absent.obj"));
    assert!(desk.refused(&["init", "sheet.toml"]).contains("sheet.toml does not end in .obj; export the mesh as Wavefront OBJ"));
    assert!(desk.refused(&["init", "bad.obj", "--out", "bad.obj"]).contains("bad.obj is the mesh itself"));
    assert!(!desk.path("bad.toml").exists() && !desk.path("absent.toml").exists());
}
