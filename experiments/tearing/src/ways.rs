//! Ways along springs: how far apart particles are, and which hang together.

use std::collections::VecDeque;

use kit::prelude::*;

/// Neighbours of each particle along some springs.
pub struct Ways {
    /// Those of one particle behind those of the other, and where each begins.
    neighbours: Vec<usize>,
    begins: Vec<usize>,
}

impl Ways {
    /// Between `count` particles, along springs.
    pub fn new<'a>(count: usize, springs: impl Iterator<Item = &'a NetSpring> + Clone) -> Ways {
        let ends = || springs.clone().flat_map(|spring| [(spring.i, spring.j), (spring.j, spring.i)]);
        let mut begins = vec![0; count + 1];
        ends().for_each(|(end, _)| begins[end + 1] += 1);
        (0..count).for_each(|k| begins[k + 1] += begins[k]);
        let (mut neighbours, mut next) = (vec![0; begins[count]], begins.clone());
        for (end, other) in ends() {
            neighbours[next[end]] = other;
            next[end] += 1;
        }
        Ways { neighbours, begins }
    }

    fn around(&self, particle: usize) -> &[usize] {
        &self.neighbours[self.begins[particle]..self.begins[particle + 1]]
    }

    /// Springs on the shortest way between two particles; none where there is none of at most `most`.
    pub fn between(&self, from: usize, to: usize, most: usize) -> Option<usize> {
        let (mut reached, mut edge) = (vec![from], vec![from]);
        for length in 0..=most {
            if edge.contains(&to) {
                return Some(length);
            }
            let mut next: Vec<usize> = edge.iter().flat_map(|particle| self.around(*particle)).copied().collect();
            next.retain(|particle| !reached.contains(particle));
            next.sort_unstable();
            next.dedup();
            reached.extend(&next);
            edge = next;
        }
        None
    }

    /// The piece that each particle belongs to, numbered in the order of their first particles, and how many pieces there are.
    pub fn pieces(&self) -> (Vec<usize>, usize) {
        let count = self.begins.len() - 1;
        let (mut pieces, mut number, mut queue) = (vec![usize::MAX; count], 0, VecDeque::new());
        for first in 0..count {
            if pieces[first] != usize::MAX {
                continue;
            }
            pieces[first] = number;
            queue.push_back(first);
            while let Some(particle) = queue.pop_front() {
                for &beside in self.around(particle) {
                    if pieces[beside] == usize::MAX {
                        pieces[beside] = number;
                        queue.push_back(beside);
                    }
                }
            }
            number += 1;
        }
        (pieces, number)
    }
}

/// Ties across the tears of a net: along all of its springs, and along its sides alone.
pub struct Ties {
    pub all: Ways,
    pub sides: Ways,
    /// Along sides and the other springs whose own ends sides join no more as they did.
    cut: Ways,
}

/// Sides between the ends of any other spring of whole cloth.
const BETWEEN: usize = 2;

impl Ties {
    pub fn of(net: &Net) -> Ties {
        let (count, springs, sides) = (net.particle_count(), net.springs(), net.stretch_springs());
        let along = Ways::new(count, sides.iter());
        let others = springs[sides.len()..].iter().filter(|spring| along.between(spring.i, spring.j, BETWEEN).is_none());
        let cut: Vec<&NetSpring> = sides.iter().chain(others).collect();
        Ties { all: Ways::new(count, springs.iter()), cut: Ways::new(count, cut.into_iter()), sides: along }
    }

    /// Whether two particles are joined by at most `most` springs, by a way that is shorter than every way along sides.
    pub fn tie(&self, i: usize, j: usize, most: usize) -> bool {
        self.is_shorter(&self.all, i, j, most)
    }

    /// Whether they are joined so along sides and springs that lie across a tear themselves.
    pub fn tie_by_cut(&self, i: usize, j: usize, most: usize) -> bool {
        self.is_shorter(&self.cut, i, j, most)
    }

    fn is_shorter(&self, ways: &Ways, i: usize, j: usize, most: usize) -> bool {
        ways.between(i, j, most).is_some_and(|length| self.sides.between(i, j, length).is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn springs(pairs: &[(usize, usize)]) -> Vec<NetSpring> {
        let elastic = Elastic { stiffness: 1.0, damping: 0.0 };
        pairs.iter().map(|&(i, j)| NetSpring { i, j, rest: 1.0, elastic }).collect()
    }

    #[test]
    fn ways_of_a_square_and_a_pair() {
        let ways = Ways::new(6, springs(&[(0, 1), (1, 3), (3, 2), (4, 5)]).iter());
        let lengths = [(0, 0), (0, 1), (0, 2), (0, 4)].map(|(from, to)| ways.between(from, to, 3));
        assert_eq!(lengths, [Some(0), Some(1), Some(3), None]);
        assert_eq!(ways.between(0, 2, 2), None);
        assert_eq!(ways.pieces(), (vec![0, 0, 0, 0, 1, 1], 2));
    }

    #[test]
    fn a_diagonal_ties_what_a_side_no_longer_does() {
        // a square 0 1 / 2 3 without 0-1 and its diagonal 0-3, of which 2-3 leaves as well
        let net = |sides: &[(usize, usize)]| {
            let families = [springs(sides), springs(&[(0, 3)]), vec![]];
            Net::of_families(vec![1.0; 4], vec![false; 4], families, true).unwrap()
        };
        let whole = Ties::of(&net(&[(0, 2), (1, 3), (2, 3)]));
        assert!(whole.tie(0, 1, 2), "by 0-3-1, and by three sides");
        assert!(!whole.tie(0, 2, 3), "a side");
        assert!(!whole.tie_by_cut(0, 1, 3), "two sides still join the ends of the diagonal");
        let torn = Ties::of(&net(&[(0, 2), (1, 3)]));
        assert!(torn.tie(2, 3, 2) && torn.tie(2, 1, 3) && !torn.tie(2, 1, 2) && torn.tie_by_cut(2, 3, 2));
        assert_eq!((torn.all.pieces().1, torn.sides.pieces().1), (1, 2));
    }
}
