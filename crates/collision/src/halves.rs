//! An order of faces in which those side by side on the surface are close: halves of halves of the mesh.

use crate::Surface;
use crate::tree::{LEAF, middle};

/// Faces of a surface, halved by their distance on it from one at its border, and the halves again, down to leaves of a tree. It
/// tells layers of folded cloth apart wherever they lie, and stays good as cloth moves: it depends on the mesh alone.
pub(crate) fn halves(surface: &Surface, around: &[Vec<u32>]) -> Vec<u32> {
    let mut items: Vec<u32> = (0..surface.faces().len() as u32).collect();
    let mut walk = Walk {
        surface,
        around,
        part: vec![0; items.len()],
        parts: 0,
        seen_faces: vec![0; items.len()],
        seen_particles: vec![0; surface.particle_count()],
        walks: 0,
    };
    walk.halve(&mut items);
    items
}

/// Walks over parts of a surface from face to face that have a particle in common.
struct Walk<'a> {
    surface: &'a Surface,
    around: &'a [Vec<u32>],
    /// Which part a face belongs to.
    part: Vec<u32>,
    parts: u32,
    /// The last walk that has come by.
    seen_faces: Vec<u32>,
    seen_particles: Vec<u32>,
    walks: u32,
}

impl Walk<'_> {
    fn halve(&mut self, items: &mut [u32]) {
        if items.len() <= LEAF {
            return;
        }
        self.parts += 1;
        items.iter().for_each(|face| self.part[*face as usize] = self.parts);
        self.sort(items);
        items.reverse(); // from one of the farthest
        self.sort(items);
        let (before, after) = items.split_at_mut(middle(items.len()));
        self.halve(before);
        self.halve(after);
    }

    /// Sorts a part by how far its faces are from the first one; pieces that are not connected follow each other.
    fn sort(&mut self, items: &mut [u32]) {
        self.walks += 1;
        let part = self.part[items[0] as usize];
        let mut sorted: Vec<u32> = Vec::with_capacity(items.len());
        for &first in items.iter() {
            if std::mem::replace(&mut self.seen_faces[first as usize], self.walks) == self.walks {
                continue;
            }
            let mut next = sorted.len();
            sorted.push(first);
            while let Some(&face) = sorted.get(next) {
                next += 1;
                for corner in self.surface.faces()[face as usize].map(|corner| corner as usize) {
                    if std::mem::replace(&mut self.seen_particles[corner], self.walks) != self.walks {
                        for &other in &self.around[corner] {
                            let seen = &mut self.seen_faces[other as usize];
                            if self.part[other as usize] == part && std::mem::replace(seen, self.walks) != self.walks {
                                sorted.push(other);
                            }
                        }
                    }
                }
            }
        }
        items.copy_from_slice(&sorted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad::tests::grid;

    #[test]
    fn leaves_are_patches_of_the_mesh() {
        let surface = Surface::new(grid(40), 1600).unwrap();
        let order = halves(&surface, &surface.around());
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..order.len() as u32), "each face once");
        // sides of the square about a leaf, in cells, whose area is four
        let side = |leaf: &[u32]| {
            let corners = || leaf.iter().flat_map(|face| surface.faces()[*face as usize]);
            let extent = |of: fn(u32) -> u32| corners().map(of).max().unwrap() - corners().map(of).min().unwrap();
            extent(|k| k % 40).max(extent(|k| k / 40))
        };
        let sides: Vec<u32> = order.chunks(LEAF).map(side).collect();
        assert!(f64::from(sides.iter().sum::<u32>()) < 3.7 * sides.len() as f64, "{sides:?}");
    }

    #[test]
    fn pieces_follow_each_other() {
        let strip = |first: u32| (0..8).map(move |k| [first + k, first + k + 1, first + k + 2]);
        let faces = strip(0).zip(strip(10)).flat_map(|(one, other)| [one, other]).collect();
        let surface = Surface::new(faces, 20).unwrap();
        let order = halves(&surface, &surface.around());
        assert!(order.chunks(LEAF).all(|leaf| leaf.iter().all(|face| face % 2 == leaf[0] % 2)), "{order:?}");
    }
}
