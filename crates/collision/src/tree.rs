//! A tree of boxes, built once and refitted as what it holds moves.

use std::ops::ControlFlow;

use crate::bounds::{Bounds, Eight, Frame, Rough};
use crate::kept::Kept;

/// Most items of a leaf: as many as there are in all of them but the last.
pub(crate) const LEAF: usize = 8;

/// A node; its first child is the next one, nodes stand before all that is below them.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Of a leaf, its number; of others, the number of its second child.
    at: u32,
    is_leaf: bool,
}

/// Boxes of items, halved along their longest extent until few are left.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    /// Boxes of nodes.
    bounds: Vec<Rough>,
    /// Items, those of a leaf side by side.
    items: Vec<u32>,
    /// Their boxes, leaf by leaf.
    leaves: Vec<Eight>,
}

impl Tree {
    /// The tree of items in these boxes, shape \[items\]; of equal places the order decides.
    pub fn new(boxes: &[Bounds]) -> Tree {
        let mut items: Vec<u32> = (0..boxes.len() as u32).collect();
        halve(&mut items, boxes);
        let mut tree = Tree::of_halves(items);
        tree.refit(boxes);
        tree
    }

    /// The tree of items of which those side by side are close, without boxes yet.
    pub(crate) fn of_halves(items: Vec<u32>) -> Tree {
        let mut nodes = vec![];
        if !items.is_empty() {
            add_nodes(&mut nodes, 0, items.len());
        }
        let leaves = vec![Eight::NONE; items.len().div_ceil(LEAF)];
        Tree { bounds: vec![Rough::NONE; nodes.len()], leaves, nodes, items }
    }

    /// The same halves about other boxes of the items.
    pub fn refit(&mut self, boxes: &[Bounds]) {
        self.refit_with(|item| Rough::of(&boxes[item as usize], &Frame::IDENTITY));
    }

    /// The same halves about other boxes, which `of` tells of an item.
    #[inline(always)]
    pub(crate) fn refit_with(&mut self, of: impl Fn(u32) -> Rough) {
        for number in (0..self.nodes.len()).rev() {
            let Node { at, is_leaf } = self.nodes[number];
            let at = at as usize;
            self.bounds[number] = if is_leaf {
                let (leaf, mut all) = (&mut self.leaves[at], Rough::NONE);
                for (lane, &item) in self.items.iter().skip(at * LEAF).take(LEAF).enumerate() {
                    let own = of(item);
                    leaf.set(lane, &own);
                    all = all.with(&own);
                }
                all
            } else {
                self.bounds[number + 1].with(&self.bounds[at])
            };
        }
    }

    /// Items leaf by leaf; the number of a leaf is its place here.
    pub(crate) fn leaves(&self) -> impl Iterator<Item = &[u32]> {
        self.items.chunks(LEAF)
    }

    /// Shows each pair of items whose boxes meet, in single precision, once: in an order that depends on the tree alone.
    pub fn pairs(&self, mut show: impl FnMut(u32, u32)) {
        _ = self.pairs_but(
            |_, _| 0,
            |one, other| {
                show(one, other);
                ControlFlow::Continue(())
            },
        );
    }

    /// Shows pairs as [`Tree::pairs`] does, but those of two leaves, the second one not before the first, that `but` tells: bit
    /// 8 i + j for item i of the first leaf and j of the second one. Ends behind the leaves of which a pair breaks it.
    #[inline(always)]
    pub(crate) fn pairs_but(
        &self,
        but: impl Fn(usize, usize) -> u64,
        mut show: impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut flow = ControlFlow::Continue(());
        let mut open = Kept::default();
        open.offer([0, 0], !self.nodes.is_empty());
        while let Some([a, b]) = open.pop() {
            let [one, other] = [a, b].map(|number| self.nodes[number as usize]);
            if one.is_leaf && other.is_leaf {
                let after = if a == b { 0x0080_c0e0_f0f8_fcfe } else { u64::MAX }; // of a leaf with itself, j > i
                let wanted = after & !but(one.at as usize, other.at as usize);
                self.show(wanted, one.at, self, other.at, |i, j| flow = show(i.min(j), i.max(j)));
                flow?;
            } else if a == b {
                open.offer([one.at, one.at], true);
                open.offer([a + 1, a + 1], true);
                open.offer([a + 1, one.at], self.meet(a + 1, self, one.at));
            } else {
                self.open([a, b], self, &mut open);
            }
        }
        flow
    }

    /// Shows each pair of an item here and one there whose boxes meet, in single precision.
    pub fn pairs_with(&self, there: &Tree, mut show: impl FnMut(u32, u32)) {
        let mut open = Kept::default();
        open.offer([0, 0], !self.nodes.is_empty() && !there.nodes.is_empty());
        while let Some([a, b]) = open.pop() {
            let (one, other) = (self.nodes[a as usize], there.nodes[b as usize]);
            if one.is_leaf && other.is_leaf {
                self.show(u64::MAX, one.at, there, other.at, &mut show);
            } else {
                self.open([a, b], there, &mut open);
            }
        }
    }

    /// Adds the pairs that meet of what is below two nodes.
    #[inline(always)]
    fn open(&self, [a, b]: [u32; 2], there: &Tree, open: &mut Kept) {
        let (one, other) = (self.nodes[a as usize], there.nodes[b as usize]);
        let here = if one.is_leaf { [a, a] } else { [a + 1, one.at] };
        let across = if other.is_leaf { [b, b] } else { [b + 1, other.at] };
        for &i in &here[usize::from(one.is_leaf)..] {
            for &j in &across[usize::from(other.is_leaf)..] {
                open.offer([i, j], self.meet(i, there, j));
            }
        }
    }

    /// Whether the boxes of a node here and of one there meet.
    #[inline(always)]
    fn meet(&self, a: u32, there: &Tree, b: u32) -> bool {
        self.bounds[a as usize].meets(&there.bounds[b as usize].limits())
    }

    /// Shows pairs of items of a leaf here and one there whose boxes meet, where they are wanted.
    #[inline(always)]
    fn show(&self, wanted: u64, a: u32, there: &Tree, b: u32, mut show: impl FnMut(u32, u32)) {
        if wanted == 0 {
            return;
        }
        let (one, other) = (&self.leaves[a as usize], &there.leaves[b as usize]);
        let mut met = 0;
        for lane in 0..LEAF {
            met |= other.meeting(one, lane) << (LEAF * lane);
        }
        met &= wanted;
        let [a, b] = [a, b].map(|leaf| leaf as usize * LEAF);
        while met != 0 {
            let bit = met.trailing_zeros() as usize;
            if let (Some(i), Some(j)) = (self.items.get(a + bit / LEAF), there.items.get(b + bit % LEAF)) {
                show(*i, *j);
            }
            met &= met - 1;
        }
    }
}

/// How many of so many items are in the first half: whole leaves.
pub(crate) fn middle(count: usize) -> usize {
    count.div_ceil(LEAF).div_ceil(2) * LEAF
}

/// Adds the nodes of so many items, whose first one has the place `first`.
fn add_nodes(nodes: &mut Vec<Node>, first: usize, count: usize) {
    let number = nodes.len();
    nodes.push(Node { at: (first / LEAF) as u32, is_leaf: true });
    if count > LEAF {
        let middle = middle(count);
        add_nodes(nodes, first, middle);
        nodes[number] = Node { at: nodes.len() as u32, is_leaf: false };
        add_nodes(nodes, first + middle, count - middle);
    }
}

/// Sorts items into halves of halves by the places of their boxes.
fn halve(items: &mut [u32], boxes: &[Bounds]) {
    if items.len() <= LEAF {
        return;
    }
    let centre = |item: u32, k: usize| boxes[item as usize].low[k] + boxes[item as usize].high[k];
    let extent = |k: usize| {
        let ends = items
            .iter()
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], &item| [low.min(centre(item, k)), high.max(centre(item, k))]);
        ends[1] - ends[0]
    };
    let [x, y, z] = [0, 1, 2].map(extent);
    let axis = if x >= y && x >= z {
        0
    } else if y >= z {
        1
    } else {
        2
    };
    let middle = middle(items.len());
    items.select_nth_unstable_by(middle, |&a, &b| centre(a, axis).total_cmp(&centre(b, axis)).then(a.cmp(&b)));
    let (before, after) = items.split_at_mut(middle);
    halve(before, boxes);
    halve(after, boxes);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn boxes() -> impl Strategy<Value = Vec<Bounds>> {
        let one = (prop::array::uniform3(-10..10_i32), prop::array::uniform3(0..4_i32)).prop_map(|(low, size)| {
            let low = low.map(f64::from);
            Bounds { low, high: [0, 1, 2].map(|k| low[k] + f64::from(size[k])) }
        });
        prop::collection::vec(one, 0..60)
    }

    proptest! {
        #[test]
        fn pairs_are_those_of_all_against_all(built in boxes(), moved in boxes(), others in boxes()) {
            let count = built.len().min(moved.len());
            let mut tree = Tree::new(&built[..count]);
            tree.refit(&moved[..count]);
            let mut found = vec![];
            tree.pairs(|a, b| found.push((a, b)));
            found.sort_unstable();
            let moved = &moved[..count];
            let all = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
            let expected: Vec<(u32, u32)> =
                all.filter(|&(a, b)| moved[a].meets(&moved[b])).map(|(a, b)| (a as u32, b as u32)).collect();
            prop_assert_eq!(found, expected);

            let mut found = vec![];
            tree.pairs_with(&Tree::new(&others), |a, b| found.push((a, b)));
            found.sort_unstable();
            let all = (0..count).flat_map(|a| (0..others.len()).map(move |b| (a, b)));
            let expected: Vec<(u32, u32)> =
                all.filter(|&(a, b)| moved[a].meets(&others[b])).map(|(a, b)| (a as u32, b as u32)).collect();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_tree_of_equal_boxes_ends() {
        let tree = Tree::new(&[Bounds { low: [0.0; 3], high: [1.0; 3] }; 100]);
        let mut count = 0;
        tree.pairs(|_, _| count += 1);
        assert_eq!(count, 100 * 99 / 2);
    }
}
