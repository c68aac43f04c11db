use std::io::{self, Write};

use cloth::Vec3;
use cloth::run::Surface;

/// Writes cloth at the positions `x` \[m\] as a Wavefront OBJ mesh: a vertex a particle in the order of their indices, a triangle a
/// triangle, or a quadrilateral a cell, counter-clockwise as seen from +z while the sheet lies flat.
///
/// # Panics
/// Where `x` has another number of particles than the mesh.
///
/// # Errors
/// What `out` refuses.
pub fn write_obj(surface: Surface<'_>, x: &[Vec3], out: &mut dyn Write) -> io::Result<()> {
    let particles = match surface {
        Surface::Grid(grid) => grid.particle_count(),
        Surface::Triangles(mesh) => mesh.particle_count(),
    };
    assert_eq!(x.len(), particles, "a position for every particle");
    for x in x {
        writeln!(out, "v {:?} {:?} {:?}", x.x, x.y, x.z)?;
    }
    match surface {
        Surface::Grid(grid) => {
            for j in 1..grid.ny() {
                for i in 1..grid.nx() {
                    let vertex = |i, j| grid.index(i, j) + 1; // OBJ counts from 1
                    let corners = [vertex(i - 1, j - 1), vertex(i, j - 1), vertex(i, j), vertex(i - 1, j)];
                    writeln!(out, "f {} {} {} {}", corners[0], corners[1], corners[2], corners[3])?;
                }
            }
        }
        Surface::Triangles(mesh) => {
            for [a, b, c] in mesh.triangles().iter().map(|triangle| triangle.corners) {
                writeln!(out, "f {} {} {}", a + 1, b + 1, c + 1)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use cloth::Grid;

    #[test]
    fn a_sheet_has_a_vertex_a_particle_and_a_face_a_cell() {
        let grid = Grid::new(5, 4, 0.1).unwrap();
        let mut bytes = Vec::new();
        write_obj(Surface::Grid(&grid), &grid.flat(), &mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let (vertices, faces): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with("v "));
        assert_eq!((vertices.len(), faces.len()), (20, 12));
        assert_eq!(vertices[7], "v 0.2 0.1 0.0");
        assert_eq!(faces[0], "f 1 2 7 6");
        assert_eq!(faces[11], "f 14 15 20 19");
    }

    #[test]
    fn faces_look_along_z() {
        let grid = Grid::new(3, 3, 0.5).unwrap();
        let x = grid.flat();
        let mut bytes = Vec::new();
        write_obj(Surface::Grid(&grid), &x, &mut bytes).unwrap();
        for face in String::from_utf8(bytes).unwrap().lines().filter_map(|line| line.strip_prefix("f ")) {
            let corner: Vec<Vec3> = face.split(' ').map(|vertex| x[vertex.parse::<usize>().unwrap() - 1]).collect();
            let area = (corner[1] - corner[0]).cross(&(corner[3] - corner[0]));
            assert_eq!(area, Vec3::new(0.0, 0.0, 0.25), "{face}");
        }
    }
}
