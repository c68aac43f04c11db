//! Pictures that several studies draw alike.

use std::collections::{BTreeMap, BTreeSet};

use chart::{Color, Mesh, Palette, Solid, Surface, Wires};
use cloth::Vec3;
use cloth::contact;

/// Cloth as pale faces with the sides of all of them as thin lines.
pub fn cloth(vertices: Vec<[f64; 3]>, faces: &[impl AsRef<[usize]>]) -> Mesh {
    let mut sides = BTreeSet::new();
    for face in faces.iter().map(AsRef::as_ref) {
        for (k, a) in face.iter().enumerate() {
            let b = &face[(k + 1) % face.len()];
            sides.insert([*a.min(b), *a.max(b)]);
        }
    }
    let wires = Wires::new("", Palette::BLUE, sides.into_iter().collect()).width(0.6);
    let faces = faces.iter().map(|face| face.as_ref().to_vec()).collect();
    let surfaces = vec![Surface { label: String::new(), color: Color(235, 240, 246), faces }];
    Mesh { surfaces, ..Mesh::new(vertices) }.wires(wires)
}

/// A solid in grey; of a plane what lies within `reach` \[m\] of the point that is nearest to `centre`.
pub fn solid(solid: &contact::Solid, centre: [f64; 3], reach: f64) -> Mesh {
    let color = Palette::GREY;
    let place = |x: Vec3| [x.x, x.y, x.z];
    match *solid {
        contact::Solid::Sphere { centre, radius } => Solid::sphere(place(centre), radius, color),
        contact::Solid::Cuboid { centre, half } => Solid::cuboid(place(centre - half), place(centre + half), color),
        contact::Solid::Cylinder { centre, axis, radius, half_length } => {
            Solid::cylinder(place(centre - half_length * axis), place(centre + half_length * axis), radius, color)
        }
        contact::Solid::Capsule { from, to, radius } => Solid::capsule(place(from), place(to), radius, color),
        contact::Solid::Plane { point, normal } => {
            let centre = Vec3::from(centre);
            let middle = centre - (centre - point).dot(&normal) * normal;
            let aside = if normal.x.abs() < 0.9 { Vec3::x() } else { Vec3::y() };
            let along = (aside - aside.dot(&normal) * normal).normalize();
            let across = normal.cross(&along);
            let corner = |a: f64, b: f64| place(middle + reach * (a * along + b * across));
            let corners = vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
            Mesh { closed: true, ..Mesh::new(corners).surface("", Color(222, 222, 218), &[[0, 1, 2, 3]]) }
        }
    }
}

/// A body of triangles in grey; of one that is open both sides are seen.
pub fn triangles(vertices: &[Vec3], faces: &[[u32; 3]]) -> Mesh {
    let mut sides: BTreeMap<[u32; 2], usize> = BTreeMap::new();
    for face in faces {
        for (k, &a) in face.iter().enumerate() {
            let b = face[(k + 1) % 3];
            *sides.entry([a.min(b), a.max(b)]).or_default() += 1;
        }
    }
    let closed = sides.values().all(|count| *count == 2);
    let faces: Vec<[usize; 3]> = faces.iter().map(|face| face.map(|corner| corner as usize)).collect();
    Mesh { closed, ..Mesh::new(vertices.iter().map(|x| [x.x, x.y, x.z]).collect()).surface("", Palette::GREY, &faces) }
}

/// Cloth of a grid with so many particles a row.
pub fn sheet(vertices: Vec<[f64; 3]>, columns: usize) -> Mesh {
    let count = vertices.len();
    let cells = (0..count).filter(|k| k % columns + 1 < columns && k + columns < count);
    let faces: Vec<[usize; 4]> = cells.map(|k| [k, k + 1, k + columns + 1, k + columns]).collect();
    cloth(vertices, &faces)
}

/// Faces as fans of triangles.
pub fn halves<'a, T: 'a>(faces: impl Iterator<Item = &'a [T]>, index: impl Fn(&T) -> u32 + Copy) -> Vec<[u32; 3]> {
    let fan = |face: &'a [T]| (2..face.len()).map(move |k| [0, k - 1, k].map(|corner| index(&face[corner])));
    faces.flat_map(fan).collect()
}

/// A solid as a page plays it.
pub fn body(solid: &Mesh) -> viewer::Body {
    let faces = solid.surfaces.iter().flat_map(|surface| &surface.faces).map(Vec::as_slice);
    viewer::Body { vertices: solid.vertices.clone(), triangles: halves(faces, |corner| *corner as u32) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_side_of_a_grid_is_drawn_once() {
        let vertices = (0..12).map(|k| [f64::from(k % 4), f64::from(k / 4), 0.0]).collect();
        let mesh = sheet(vertices, 4);
        assert_eq!(mesh.surfaces[0].faces.len(), 6);
        assert_eq!(mesh.wires[0].segments.len(), 3 * 3 + 2 * 4);
        assert!(sheet(vec![], 4).wires[0].segments.is_empty());
    }
}
