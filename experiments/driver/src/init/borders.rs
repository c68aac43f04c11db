use std::collections::HashMap;

use cloth::Vec3;
use cloth::triangles::{Triangle, TriangleMesh};

/// A border of a mesh: its particles in their order around it.
pub(super) type Border = Vec<usize>;

/// The borders of a mesh, in the order of their lowest particles.
pub(super) fn borders(mesh: &TriangleMesh) -> Vec<Border> {
    let sides = || mesh.triangles().iter().flat_map(|&Triangle { corners: [a, b, c], .. }| [[a, b], [b, c], [c, a]]);
    let ends = |[i, j]: [usize; 2]| [i.min(j), i.max(j)];
    let mut counts: HashMap<[usize; 2], u32> = HashMap::new();
    sides().for_each(|side| *counts.entry(ends(side)).or_default() += 1);
    let mut next: HashMap<usize, Vec<usize>> = HashMap::new();
    for side in sides().filter(|side| counts[&ends(*side)] == 1) {
        next.entry(side[0]).or_default().push(side[1]);
    }
    let mut starts: Vec<usize> = next.keys().copied().collect();
    starts.sort_unstable();
    let mut all = vec![];
    for start in starts {
        while let Some(first) = next.get_mut(&start).and_then(Vec::pop) {
            let (mut border, mut at) = (vec![start], first);
            while at != start {
                border.push(at);
                let Some(ahead) = next.get_mut(&at).and_then(Vec::pop) else { break };
                at = ahead;
            }
            all.push(border);
        }
    }
    all
}

/// Length of a border \[m\].
pub(super) fn length(border: &Border, x: &[Vec3]) -> f64 {
    (0..border.len()).map(|k| (x[border[(k + 1) % border.len()]] - x[border[k]]).norm()).sum()
}

/// The area that a border encloses as a vector, twice as long \[m²\].
pub(super) fn enclosed(border: &Border, x: &[Vec3]) -> Vec3 {
    let origin = x[border[0]];
    (0..border.len()).map(|k| (x[border[k]] - origin).cross(&(x[border[(k + 1) % border.len()]] - origin))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use scene::{Reading, read_obj};

    #[test]
    fn a_ring_has_two_borders_and_a_sheet_one() {
        let sheet = TriangleMesh::regular(4, 3, 0.3, 0.2).unwrap();
        let [border] = &borders(&sheet)[..] else { panic!("one border") };
        assert_eq!(border.len(), 10);
        assert!((length(border, sheet.positions()) - 1.0).abs() < 1e-12);
        assert!((enclosed(border, sheet.positions()).z - 0.12).abs() < 1e-12);
        let mut tube = String::new();
        for z in [0, 2] {
            for (x, y) in [(0, 0), (1, 0), (1, 1), (0, 1)] {
                tube += &format!("v {x} {y} {z}\n");
            }
        }
        tube += "f 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
        let tube = read_obj(&tube, &Reading::default()).unwrap().mesh;
        let both = borders(&tube);
        assert_eq!(both.iter().map(Vec::len).collect::<Vec<_>>(), [4, 4]);
        assert!(both.iter().all(|border| enclosed(border, tube.positions()).z.abs() == 2.0));
    }
}
