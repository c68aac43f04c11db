//! Pictures that several studies draw alike.

use std::collections::BTreeSet;

use chart::{Color, Mesh, Palette, Wires};

/// Cloth as pale faces with the sides of all of them as thin lines.
pub fn cloth(vertices: Vec<[f64; 3]>, faces: &[[usize; 4]]) -> Mesh {
    let sides = |[a, b, c, d]: &[usize; 4]| [[*a, *b], [*b, *c], [*c, *d], [*d, *a]];
    let sides: BTreeSet<[usize; 2]> = faces.iter().flat_map(sides).map(|[a, b]| [a.min(b), a.max(b)]).collect();
    let wires = Wires::new("", Palette::BLUE, sides.into_iter().collect()).width(0.6);
    Mesh::new(vertices).surface("", Color(235, 240, 246), faces).wires(wires)
}

/// Cloth of a grid with so many particles a row.
pub fn sheet(vertices: Vec<[f64; 3]>, columns: usize) -> Mesh {
    let count = vertices.len();
    let cells = (0..count).filter(|k| k % columns + 1 < columns && k + columns < count);
    let faces: Vec<[usize; 4]> = cells.map(|k| [k, k + 1, k + columns + 1, k + columns]).collect();
    cloth(vertices, &faces)
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
