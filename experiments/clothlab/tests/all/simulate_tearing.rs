//! `clothlab simulate` on cloth that tears: what is said of it, its frames in each format, its page, and what is refused.

use crate::common::Desk;
use scene::{Reading, read_obj};

/// Two squares of quads between pins, the right one drawn away: they come apart along the middle column.
const SCENE: &str = "step = 1e-3\nduration = 0.4\nintegrator = \"backward-euler\"\npins = [\"left\", \"right\"]\n\
                     [mesh]\nnx = 5\nny = 3\nspacing = 0.1\n[tearing]\nlimit = 1.5\n\
                     [[motion]]\npins = [\"right\"]\nvelocity = [1.0, 0.0, 0.0]\n[output]\nframes_per_second = 10\n\
                     [[tearing.seam]]\ncolumn = 2\nlimit = 1.2\n";

/// Corners of the faces in an OBJ file.
fn corners(text: &str) -> Vec<[usize; 3]> {
    read_obj(text, &Reading::default()).expect("a mesh").mesh.triangles().iter().map(|triangle| triangle.corners).collect()
}

#[test]
fn frames_carry_the_mesh_as_it_is() {
    let desk = Desk::new();
    desk.write("a.toml", SCENE);
    let said = desk.clothlab(&["simulate", "a.toml", "--out", "torn", "--frames", "obj,vtk,usda"]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    assert!(
        said.out.contains("mesh of 15 particles and 16 triangles\ntorn: 3 times a particle was split, 2 pieces at the end\n"),
        "{}",
        said.out
    );
    let [first, last] = [0, 4].map(|frame| desk.read(&format!("torn/frames/frame_0000{frame}.obj")));
    let [first, last] = [corners(&first), corners(&last)];
    let joints = |corners: &[[usize; 3]]| corners.iter().flatten().copied().max();
    assert_eq!((first.len(), last.len(), joints(&first), joints(&last)), (16, 16, Some(14), Some(17)));
    let vtk = desk.read("torn/frames/frame_00004.vtk");
    assert!(vtk.contains("\nPOINTS 18 double\n") && vtk.contains("\nCELLS 16 64\n"));
    let usda = desk.read("torn/cloth.usda");
    let written = |corners: &[[usize; 3]]| corners.iter().flatten().map(usize::to_string).collect::<Vec<_>>().join(", ");
    for corners in [first, last] {
        assert!(usda.contains(&format!(": [{}],\n", written(&corners))), "{usda}");
    }
    assert!(usda.contains("faceVertexIndices.timeSamples"));
    let table = desk.read("torn/positions.csv");
    assert_eq!(table.lines().count(), 1 + 18);
}

#[test]
fn a_page_shows_the_torn_mesh_in_all_frames() {
    let desk = Desk::new();
    desk.write("a.toml", SCENE);
    assert_eq!(desk.clothlab(&["simulate", "a.toml", "--out", "torn"]).code, Some(0));
    let run = viewer::runs(&desk.read("torn/view.html")).pop().expect("a run");
    let read: serde_json::Value = serde_json::from_str(&run).expect("JSON");
    let bytes = |key: &str| read[key].as_str().expect("text").len() * 3 / 4;
    let frames = read["times"].as_array().expect("a list").len();
    assert!(bytes("positions").abs_diff(frames * 18 * 3 * 2) < 4, "{} bytes of {frames} frames", bytes("positions"));
    assert!(bytes("triangles").abs_diff(16 * 3 * 4) < 4);
    assert!(desk.read("torn/pictures.svg").contains("</svg>"));
}

#[test]
fn springs_that_leave_are_told() {
    let desk = Desk::new();
    desk.write("a.toml", SCENE.replace("limit = 1.5", "limit = 1.5\nmode = \"simple\""));
    let said = desk.clothlab(&["simulate", "a.toml", "--out", "torn", "--frames", "pc2"]); // its particles stay the same
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    assert!(said.out.contains(" springs left, ") && said.out.contains(" at the end\n"), "{}", said.out);
}

#[test]
fn what_cannot_be_is_refused_with_a_line_and_nothing_written() {
    let desk = Desk::new();
    desk.write("a.toml", SCENE);
    for extra in [&[][..], &["--dry-run"]] {
        let command = [&["simulate", "a.toml", "--out", "torn", "--frames", "obj,pc2"], extra].concat();
        let expected = "a.toml: cloth that tears gets more particles, and PC2 has room for those of the start only: take --frames usda, obj or vtk";
        assert_eq!(desk.refused(&command), expected);
    }
    desk.write("a.toml", SCENE.replace("limit = 1.5", "limit = 0.99"));
    let below = desk.refused(&["simulate", "a.toml", "--out", "torn"]);
    assert_eq!(below, "a.toml, line 10, `limit = 0.99`: `tearing.limit` must be a finite number above 1, not 0.99");
    assert!(!desk.path("torn").exists());
}
