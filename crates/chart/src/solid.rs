//! Solids: meshes of the bodies that stand in a scene.

use std::f64::consts::TAU;

use super::palette::Color;
use super::snapshot::{Mesh, Surface, Wires};

/// Parts of a circle, and of half a circle from pole to pole.
const AROUND: usize = 32;
const POLE_TO_POLE: usize = 16;
/// Lines of a ground plane along its longer side.
const GROUND_LINES: f64 = 10.0;

/// Bodies, as meshes without labels.
pub enum Solid {}

impl Solid {
    /// Sphere of a centre and radius.
    pub fn sphere(centre: [f64; 3], radius: f64, color: Color) -> Mesh {
        let mut vertices = vec![along(centre, [0.0, 0.0, 1.0], radius), along(centre, [0.0, 0.0, -1.0], radius)];
        for ring in 1..POLE_TO_POLE {
            let (sin, cos) = libm::sincos(TAU / 2.0 * ring as f64 / POLE_TO_POLE as f64);
            vertices.extend(circle().map(|[x, y]| along(centre, [sin * x, sin * y, cos], radius)));
        }
        closed(vertices, color, globe(POLE_TO_POLE - 1), Vec::new())
    }

    /// Box with sides along the axes, from its lowest to its highest corner.
    pub fn cuboid(low: [f64; 3], high: [f64; 3], color: Color) -> Mesh {
        let corner = |k: usize| [0, 1, 2].map(|axis| if k >> axis & 1 == 0 { low[axis] } else { high[axis] });
        let vertices = (0..8).map(corner).collect();
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let edges = (0..8).flat_map(|k| [1, 2, 4].map(|bit| [k, k | bit])).filter(|[from, to]| from < to).collect();
        closed(vertices, color, faces.iter().map(|face| face.to_vec()).collect(), edges)
    }

    /// Cylinder with round ends, from the centre of one to that of the other.
    pub fn capsule(from: [f64; 3], to: [f64; 3], radius: f64, color: Color) -> Mesh {
        let [across, third, axis] = frame(from, to);
        let half = POLE_TO_POLE / 2;
        // rings of the end beyond `to`, then of that before `from`, each with the widest one
        let rings = (1..=half).map(|ring| (to, ring)).chain((half..POLE_TO_POLE).map(|ring| (from, ring)));
        let mut vertices = vec![along(to, axis, radius), along(from, axis, -radius)];
        for (centre, ring) in rings {
            let (sin, cos) = libm::sincos(TAU / 2.0 * ring as f64 / POLE_TO_POLE as f64);
            let place = |[x, y]: [f64; 2]| [0, 1, 2].map(|k| sin * (x * across[k] + y * third[k]) + cos * axis[k]);
            vertices.extend(circle().map(|at| along(centre, place(at), radius)));
        }
        closed(vertices, color, globe(POLE_TO_POLE), Vec::new())
    }

    /// Cylinder with flat ends, from the centre of one to that of the other.
    pub fn cylinder(from: [f64; 3], to: [f64; 3], radius: f64, color: Color) -> Mesh {
        let [across, third, _] = frame(from, to);
        let rim =
            |centre: [f64; 3]| circle().map(move |[x, y]| along(centre, [0, 1, 2].map(|k| x * across[k] + y * third[k]), radius));
        let vertices = rim(from).chain(rim(to)).collect();
        let next = |k: usize| (k + 1) % AROUND;
        let mut faces: Vec<Vec<usize>> = (0..AROUND).map(|k| vec![k, next(k), AROUND + next(k), AROUND + k]).collect();
        faces.push((0..AROUND).rev().collect());
        faces.push((AROUND..2 * AROUND).collect());
        let rims = (0..AROUND).flat_map(|k| [[k, next(k)], [AROUND + k, AROUND + next(k)]]).collect();
        closed(vertices, color, faces, rims)
    }

    /// Level ground at a height, from the lowest to the highest x and y, with some lines along x and y;
    /// from below it cannot be seen.
    pub fn ground([x0, y0]: [f64; 2], [x1, y1]: [f64; 2], height: f64, color: Color) -> Mesh {
        let mut vertices = vec![[x0, y0, height], [x1, y0, height], [x1, y1, height], [x0, y1, height]];
        let longest = (x1 - x0).abs().max((y1 - y0).abs());
        let parts = |length: f64| (GROUND_LINES * (length / longest).abs()).round().max(1.0) as usize;
        let (columns, rows) = (parts(x1 - x0), parts(y1 - y0));
        for k in 0..=columns {
            let x = x0 + (x1 - x0) * k as f64 / columns as f64;
            vertices.extend([[x, y0, height], [x, y1, height]]);
        }
        for k in 0..=rows {
            let y = y0 + (y1 - y0) * k as f64 / rows as f64;
            vertices.extend([[x0, y, height], [x1, y, height]]);
        }
        let lines = (4..vertices.len()).step_by(2).map(|k| [k, k + 1]).collect();
        let wires = Wires::new("", darker(color, 0.85), lines).width(0.6);
        Mesh { closed: true, ..Mesh::new(vertices).surface("", color, &[[0, 1, 2, 3]]).wires(wires) }
    }
}

/// Faces between two poles, the first vertices, and so many rings.
fn globe(rings: usize) -> Vec<Vec<usize>> {
    let at = |ring: usize, k: usize| 2 + (ring - 1) * AROUND + k % AROUND;
    let mut faces = Vec::new();
    for k in 0..AROUND {
        faces.push(vec![0, at(1, k), at(1, k + 1)]);
        faces.push(vec![1, at(rings, k + 1), at(rings, k)]);
        faces.extend((1..rings).map(|ring| vec![at(ring, k), at(ring + 1, k), at(ring + 1, k + 1), at(ring, k + 1)]));
    }
    faces
}

/// Unit vectors across the way from one point to another, and along it; along z where the points are one.
fn frame(from: [f64; 3], to: [f64; 3]) -> [[f64; 3]; 3] {
    let way = [0, 1, 2].map(|k| to[k] - from[k]);
    let axis = if dot(way, way) > 0.0 { unit(way) } else { [0.0, 0.0, 1.0] };
    let aside = if axis[2].abs() < 0.9 { [0.0, 0.0, 1.0] } else { [1.0, 0.0, 0.0] };
    let across = unit(cross(aside, axis));
    [across, cross(axis, across), axis]
}

fn closed(vertices: Vec<[f64; 3]>, color: Color, faces: Vec<Vec<usize>>, edges: Vec<[usize; 2]>) -> Mesh {
    let surfaces = vec![Surface { label: String::new(), color, faces }];
    let wires = if edges.is_empty() { Vec::new() } else { vec![Wires::new("", darker(color, 0.6), edges).width(0.8)] };
    Mesh { vertices, surfaces, wires, closed: true }
}

/// Points of the unit circle, counterclockwise.
fn circle() -> impl Iterator<Item = [f64; 2]> {
    (0..AROUND).map(|k| {
        let (sin, cos) = libm::sincos(TAU * k as f64 / AROUND as f64);
        [cos, sin]
    })
}

fn along(from: [f64; 3], direction: [f64; 3], length: f64) -> [f64; 3] {
    [0, 1, 2].map(|k| from[k] + length * direction[k])
}

/// The colour with a share of its brightness.
pub(super) fn darker(color: Color, share: f64) -> Color {
    let [r, g, b] = [color.0, color.1, color.2].map(|channel| (share * f64::from(channel)).round() as u8);
    Color(r, g, b)
}

/// Product of two vectors, at right angles to both.
pub(super) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The vector at length one; as it is when it has none.
pub(super) fn unit(a: [f64; 3]) -> [f64; 3] {
    let length = dot(a, a).sqrt();
    if length > 0.0 { a.map(|part| part / length) } else { a }
}

#[cfg(test)]
mod tests {
    use super::super::Palette;
    use super::*;

    /// Volume that the faces of a mesh enclose, positive when they run counterclockwise as seen from outside.
    fn volume(mesh: &Mesh) -> f64 {
        let faces = mesh.surfaces.iter().flat_map(|surface| &surface.faces);
        let fans = faces.flat_map(|face| (2..face.len()).map(|k| [face[0], face[k - 1], face[k]].map(|at| mesh.vertices[at])));
        fans.map(|[a, b, c]| dot(a, cross(b, c)) / 6.0).sum()
    }

    #[test]
    fn solids_enclose_their_volume_from_outside() {
        let color = Palette::GREY;
        let cuboid = Solid::cuboid([1.0, 2.0, 3.0], [2.0, 4.0, 6.0], color);
        assert!((volume(&cuboid) - 6.0).abs() < 1e-12);
        assert_eq!(cuboid.wires[0].segments.len(), 12);
        let sphere = volume(&Solid::sphere([3.0, -1.0, 2.0], 2.0, color)) / (TAU * 16.0 / 3.0);
        assert!((0.98..1.0).contains(&sphere), "{sphere}");
        for to in [[0.0, 0.0, 5.0], [3.0, 4.0, 0.0], [0.0, -5.0, 0.0]] {
            let cylinder = volume(&Solid::cylinder([0.0; 3], to, 2.0, color)) / (TAU / 2.0 * 20.0);
            assert!((0.99..1.0).contains(&cylinder), "{to:?}: {cylinder}");
            let capsule = volume(&Solid::capsule([0.0; 3], to, 2.0, color)) / (TAU / 2.0 * 20.0 + TAU * 16.0 / 3.0);
            assert!((0.98..1.0).contains(&capsule), "{to:?}: {capsule}");
        }
        let ball = volume(&Solid::capsule([1.0; 3], [1.0; 3], 2.0, color)) / (TAU * 16.0 / 3.0);
        assert!((0.98..1.0).contains(&ball), "{ball}");
    }

    #[test]
    fn every_vertex_of_a_sphere_is_a_radius_away() {
        for vertex in Solid::sphere([1.0, 2.0, 3.0], 0.5, Palette::GREY).vertices {
            let away = [0, 1, 2].map(|k| vertex[k] - [1.0, 2.0, 3.0][k]);
            assert!((dot(away, away).sqrt() - 0.5).abs() < 1e-14);
        }
    }
}
