//! Figures with snapshots.

use super::*;

const NEAR: Color = Color(250, 0, 0);
const FAR: Color = Color(0, 250, 0);

/// Square in the x-z plane at a y, seen from the front by `FRONT`.
fn square(y: f64, color: Color) -> Mesh {
    let vertices = vec![[-1.0, y, -1.0], [1.0, y, -1.0], [1.0, y, 1.0], [-1.0, y, 1.0]];
    Mesh::new(vertices).surface("", color, &[[0, 1, 2, 3]])
}

const FRONT: View = View::new(-90.0, 0.0);

fn picture(view: View, meshes: Vec<Mesh>) -> Figure {
    Figure::new("test", "", "", vec![Panel::snapshot(Snapshot::new(view, meshes))])
}

/// Fill of every polygon in the order drawn, the larger of red and green alone, which shading keeps apart.
fn fills(page: &str) -> Vec<&'static str> {
    let fill = |tag: &str| attribute(tag, "fill").map(|fill| if fill[1..3] > fill[3..5] { "near" } else { "far" });
    page.split("<polygon ").skip(1).filter_map(fill).collect()
}

/// Corners of every shape of a kind [px].
fn corners(page: &str, kind: &str) -> Vec<Vec<[f64; 2]>> {
    let pair = |text: &str| {
        let (x, y) = text.split_once(',').expect("pair");
        [x, y].map(|number| number.parse::<f64>().expect("number") / 10.0)
    };
    let start = format!("<{kind} ");
    let shapes = page.split(&start).skip(1).filter_map(|tag| attribute(tag, "points"));
    shapes.map(|points| points.split_whitespace().map(pair).collect()).collect()
}

/// Sheet of n by n vertices that waves, with quads and the wires of stretch and shear.
fn sheet(n: usize) -> Mesh {
    let vertices = (0..n * n).map(|k| [(k % n) as f64, (k / n) as f64].map(|index| index / (n - 1) as f64));
    let vertices = vertices.map(|[x, y]| [x, y, 0.1 * libm::sin(7.0 * x) * libm::cos(5.0 * y)]).collect();
    let cells: Vec<usize> = (0..n * n).filter(|k| k % n + 1 < n && k / n + 1 < n).collect();
    let quads: Vec<[usize; 4]> = cells.iter().map(|&k| [k, k + 1, k + n + 1, k + n]).collect();
    let along = (0..n * n).filter(|k| k % n + 1 < n).map(|k| [k, k + 1]);
    let stretch: Vec<_> = along.chain((0..n * n - n).map(|k| [k, k + n])).collect();
    let shear = cells.iter().flat_map(|&k| [[k, k + n + 1], [k + 1, k + n]]).collect();
    let wires = [Wires::new("implicit", Palette::BLACK, stretch), Wires::new("explicit", Palette::GREY, shear)];
    let [stretch, shear] = wires;
    Mesh::new(vertices).surface("", Color(240, 240, 240), &quads).wires(stretch).wires(shear)
}

#[test]
fn the_same_snapshot_gives_the_same_bytes() {
    let draw = || {
        let solids = vec![sheet(9), Solid::sphere([0.5, 0.5, -0.4], 0.35, Palette::ORANGE)];
        picture(View::default(), solids).svg().expect("drawn")
    };
    assert_eq!(draw(), draw());
}

#[test]
fn a_near_face_is_drawn_over_a_far_one() {
    for meshes in [vec![square(-1.0, NEAR), square(1.0, FAR)], vec![square(1.0, FAR), square(-1.0, NEAR)]] {
        let page = picture(FRONT, meshes.clone()).drawn().expect("drawn");
        assert_eq!(fills(&page), ["far", "near"]);
        let behind = picture(View::new(90.0, 0.0), meshes).drawn().expect("drawn");
        assert_eq!(fills(&behind), ["near", "far"]);
    }
}

#[test]
fn wires_are_hidden_by_faces_in_front_of_them() {
    let wire = |y: f64| {
        let ends = vec![[-1.0, y, 0.0], [1.0, y, 0.0]];
        Mesh::new(ends).wires(Wires::new("", Palette::BLACK, vec![[0, 1]]))
    };
    let order = |y: f64| {
        let page = picture(FRONT, vec![wire(y), square(0.0, NEAR)]).drawn().expect("drawn");
        page.find("<polyline ").expect("wire") < page.find("<polygon ").expect("face")
    };
    assert_eq!((order(1.0), order(-1.0)), (true, false));
}

#[test]
fn faces_of_solids_that_look_away_are_not_drawn() {
    let cuboid = Solid::cuboid([0.0; 3], [1.0, 2.0, 3.0], Palette::BLUE);
    let drawn = |view: View, mesh: &Mesh| corners(&picture(view, vec![mesh.clone()]).drawn().expect("drawn"), "polygon").len();
    assert_eq!(drawn(FRONT, &cuboid), 1);
    assert_eq!(drawn(View::new(-60.0, 0.0), &cuboid), 2);
    assert_eq!(drawn(View::new(-60.0, 25.0), &cuboid), 3);
    assert_eq!(drawn(View::new(-60.0, 25.0), &Mesh { closed: false, ..cuboid }), 6);
    let ground = Solid::ground([0.0; 2], [1.0; 2], 0.0, Palette::GREY);
    assert_eq!((drawn(View::new(0.0, 10.0), &ground), drawn(View::new(0.0, -10.0), &ground)), (1, 0));
}

#[test]
fn every_vertex_is_in_the_picture_at_the_same_scale() {
    let lengths = [[3.0, 0.5, 0.2], [0.1, 0.1, 5.0], [1.0, 1.0, 1.0]];
    for (high, view) in
        lengths.into_iter().flat_map(|high| [FRONT, View::default(), View::new(30.0, 80.0)].map(|view| (high, view)))
    {
        let page = picture(view, vec![Solid::cuboid([0.0; 3], high, Palette::BLUE)]).drawn().expect("drawn");
        let [width, height] = size(&page);
        let edges = corners(&page, "polyline");
        assert_eq!(edges.len(), if view == FRONT { 8 } else { 12 }, "those along the view are points");
        for [x, y] in edges.iter().flatten() {
            assert!((12.0..=width - 12.0).contains(x) && (12.0..=height - 12.0).contains(y), "{high:?}, {view:?}: {x}, {y}");
        }
        if view == FRONT {
            let side = |axis: usize| {
                let ends = edges.iter().flatten().map(|corner| corner[axis]);
                ends.clone().fold(f64::NEG_INFINITY, f64::max) - ends.fold(f64::INFINITY, f64::min)
            };
            assert!((side(0) * high[2] - side(1) * high[0]).abs() < 0.2 * (high[0] + high[2]), "{high:?}");
        }
    }
}

#[test]
fn points_kept_in_view_leave_room() {
    let width = |keep: Vec<[f64; 3]>| {
        let snapshot = Snapshot::new(FRONT, vec![square(0.0, NEAR)]).keeping(keep);
        let page = Figure::new("test", "", "", vec![Panel::snapshot(snapshot)]).drawn().expect("drawn");
        let shown = corners(&page, "polygon");
        shown[0][1][0] - shown[0][0][0]
    };
    let (alone, with) = (width(vec![]), width(vec![[0.0, 0.0, 3.0], [f64::NAN, 9.0, 9.0]]));
    assert!((alone / with - 2.0).abs() < 0.02, "{alone}, {with}"); // 4 units high instead of 2
}

#[test]
fn an_empty_snapshot_says_so() {
    let says = |snapshot: Snapshot| {
        let page = Figure::new("test", "", "", vec![Panel::snapshot(snapshot)]).svg().expect("drawn");
        page.contains("no data")
    };
    assert!(says(Snapshot::default()));
    assert!(says(Snapshot::new(FRONT, vec![Mesh::new(vec![[0.0; 3], [1.0; 3]])])), "vertices alone do not show");
    assert!(!says(Snapshot::new(FRONT, vec![square(0.0, NEAR)])));
}

#[test]
fn vertices_without_a_place_are_left_out_and_counted() {
    let mut mesh = square(0.0, NEAR).surface("", NEAR, &[[0, 1, 3]]);
    mesh = mesh.wires(Wires::new("", Palette::BLACK, vec![[0, 1], [1, 2], [2, 3]]));
    mesh.vertices[2][1] = f64::INFINITY;
    let figure = picture(FRONT, vec![mesh]);
    let page = figure.drawn().expect("drawn");
    assert_eq!(figure.outside(), 1);
    assert!(page.contains("1 vertex left out"));
    assert_eq!((corners(&page, "polygon").len(), corners(&page, "polyline").len()), (1, 1));
    let mut two = square(0.0, NEAR);
    two.vertices[0] = [f64::NAN; 3];
    two.vertices[1][0] = 1e301;
    let figure = picture(FRONT, vec![two]);
    assert!(figure.outside() == 2 && figure.drawn().expect("drawn").contains("2 vertices left out"));
}

#[test]
fn meshes_and_views_that_make_no_sense_are_errors() {
    let failing = |figure: Figure| figure.svg().expect_err("no sense");
    let vertex = picture(FRONT, vec![square(0.0, NEAR).wires(Wires::new("w", NEAR, vec![[0, 4]]))]);
    assert!(matches!(failing(vertex), ChartError::Vertex { vertex: 4, vertices: 4, .. }));
    let face = picture(FRONT, vec![square(0.0, NEAR).surface("s", NEAR, &[[0, 1]])]);
    assert!(matches!(failing(face), ChartError::Face { corners: 2, .. }));
    assert!(matches!(failing(picture(View::new(f64::NAN, 0.0), vec![])), ChartError::View { .. }));
}

#[test]
fn groups_are_in_the_legend_beside_charts() {
    let sheet = sheet(5).surface("cloth", Color(1, 2, 3), &[[0, 1, 6, 5]]);
    let chart = Panel::new(Axis::linear("x"), Axis::linear("y"), every_kind());
    let panels = vec![Panel::snapshot(Snapshot::new(View::default(), vec![sheet])).titled("step 7"), chart];
    let page = Figure::new("test", "", "", panels).drawn().expect("drawn");
    let labels: Vec<String> = texts(&page).into_iter().map(|(line, _)| line).collect();
    for label in ["implicit", "explicit", "cloth", "step 7", "error bars"] {
        assert_eq!(labels.iter().filter(|line| *line == label).count(), 1, "{label}");
    }
    assert_eq!(size(&page)[0], 960.0);
}

#[test]
fn a_sheet_of_1600_vertices_stays_small() {
    let sheet = sheet(40);
    let segments: usize = sheet.wires.iter().map(|wires| wires.segments.len()).sum();
    assert_eq!((sheet.vertices.len(), sheet.surfaces[0].faces.len(), segments), (1600, 1521, 6162));
    let page = picture(View::default(), vec![sheet]).drawn().expect("drawn");
    assert_eq!(corners(&page, "polygon").len(), 1521);
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
}
