//! A tree of boxes, built once and refitted as what it holds moves.

use crate::Vec3;

/// A box along the axes \[m\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Least coordinates.
    pub low: [f64; 3],
    /// Greatest coordinates.
    pub high: [f64; 3],
}

impl Bounds {
    /// What holds nothing.
    pub const NONE: Bounds = Bounds { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };

    /// The box of points, `beyond` \[m\] larger on every side.
    pub fn of<'a>(points: impl IntoIterator<Item = &'a Vec3>, beyond: f64) -> Bounds {
        let all = points.into_iter().fold(Bounds::NONE, |Bounds { low, high }, x| Bounds {
            low: [0, 1, 2].map(|k| low[k].min(x[k])),
            high: [0, 1, 2].map(|k| high[k].max(x[k])),
        });
        Bounds { low: all.low.map(|q| q - beyond), high: all.high.map(|q| q + beyond) }
    }

    /// The box of two boxes.
    pub fn with(&self, other: &Bounds) -> Bounds {
        Bounds { low: [0, 1, 2].map(|k| self.low[k].min(other.low[k])), high: [0, 1, 2].map(|k| self.high[k].max(other.high[k])) }
    }

    /// Whether two boxes have a point in common.
    #[inline]
    pub fn meets(&self, other: &Bounds) -> bool {
        // all six, without a branch for each
        (self.low[0] <= other.high[0])
            & (other.low[0] <= self.high[0])
            & (self.low[1] <= other.high[1])
            & (other.low[1] <= self.high[1])
            & (self.low[2] <= other.high[2])
            & (other.low[2] <= self.high[2])
    }
}

/// Most items of a leaf.
const LEAF: usize = 4;

/// A node; its first child is the next one, nodes stand before all that is below them.
#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Bounds,
    /// Of a leaf, its first place among the items; of others, the number of its second child.
    at: u32,
    /// Items of a leaf; 0 of others.
    count: u32,
}

/// Boxes of items, halved along their longest extent until few are left.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    /// Items, those of a leaf side by side.
    items: Vec<u32>,
    /// Their boxes, in the same order.
    boxes: Vec<Bounds>,
}

impl Tree {
    /// The tree of items in these boxes, shape \[items\]; of equal places the order decides.
    pub fn new(boxes: &[Bounds]) -> Tree {
        let mut items: Vec<u32> = (0..boxes.len() as u32).collect();
        let mut nodes = vec![];
        if !items.is_empty() {
            split(&mut nodes, &mut items, 0, boxes);
        }
        let mut tree = Tree { nodes, items, boxes: vec![Bounds::NONE; boxes.len()] };
        tree.refit(boxes);
        tree
    }

    /// The same halves about other boxes of the items.
    pub fn refit(&mut self, boxes: &[Bounds]) {
        self.boxes.iter_mut().zip(&self.items).for_each(|(own, &item)| *own = boxes[item as usize]);
        for number in (0..self.nodes.len()).rev() {
            let Node { at, count, .. } = self.nodes[number];
            self.nodes[number].bounds = match count {
                0 => self.nodes[number + 1].bounds.with(&self.nodes[at as usize].bounds),
                _ => self.leaf(at, count).iter().fold(Bounds::NONE, |all, own| all.with(own)),
            };
        }
    }

    fn leaf(&self, at: u32, count: u32) -> &[Bounds] {
        &self.boxes[at as usize..(at + count) as usize]
    }

    /// Shows each pair of items whose boxes meet, once, in an order that depends on the tree alone.
    pub fn pairs(&self, mut show: impl FnMut(u32, u32)) {
        let mut open = vec![];
        if !self.nodes.is_empty() {
            open.push((0, 0));
        }
        while let Some((a, b)) = open.pop() {
            let (one, other) = (&self.nodes[a as usize], &self.nodes[b as usize]);
            if a == b {
                match one.count {
                    0 => open.extend([(a + 1, one.at), (one.at, one.at), (a + 1, a + 1)]),
                    count => {
                        for k in one.at..one.at + count {
                            self.meet(k, k + 1, one.at + count, &mut show);
                        }
                    }
                }
            } else if one.bounds.meets(&other.bounds) {
                match (one.count, other.count) {
                    (0, _) if other.count > 0 || larger(one, other) => open.extend([(one.at, b), (a + 1, b)]),
                    (_, 0) => open.extend([(a, other.at), (a, b + 1)]),
                    (count, _) => {
                        for k in one.at..one.at + count {
                            self.meet(k, other.at, other.at + other.count, &mut show);
                        }
                    }
                }
            }
        }
    }

    /// Shows each pair of an item here and one there whose boxes meet.
    pub fn pairs_with(&self, there: &Tree, mut show: impl FnMut(u32, u32)) {
        let mut open = vec![];
        if !self.nodes.is_empty() && !there.nodes.is_empty() {
            open.push((0, 0));
        }
        while let Some((a, b)) = open.pop() {
            let (one, other) = (&self.nodes[a as usize], &there.nodes[b as usize]);
            if !one.bounds.meets(&other.bounds) {
                continue;
            }
            match (one.count, other.count) {
                (0, _) if other.count > 0 || larger(one, other) => open.extend([(one.at, b), (a + 1, b)]),
                (_, 0) => open.extend([(a, other.at), (a, b + 1)]),
                (count, _) => {
                    for k in one.at..one.at + count {
                        for (item, own) in (other.at..).zip(there.leaf(other.at, other.count)) {
                            if self.boxes[k as usize].meets(own) {
                                show(self.items[k as usize], there.items[item as usize]);
                            }
                        }
                    }
                }
            }
        }
    }

    fn meet(&self, k: u32, from: u32, to: u32, show: &mut impl FnMut(u32, u32)) {
        let own = &self.boxes[k as usize];
        for j in from..to {
            if own.meets(&self.boxes[j as usize]) {
                let [one, other] = [k, j].map(|place| self.items[place as usize]);
                show(one.min(other), one.max(other));
            }
        }
    }
}

/// Which of two nodes is opened first.
fn larger(one: &Node, other: &Node) -> bool {
    let size = |bounds: &Bounds| (0..3).map(|k| bounds.high[k] - bounds.low[k]).sum::<f64>();
    size(&one.bounds) >= size(&other.bounds)
}

/// Adds the nodes of items, whose first one has the place `first`.
fn split(nodes: &mut Vec<Node>, items: &mut [u32], first: usize, boxes: &[Bounds]) {
    let number = nodes.len();
    nodes.push(Node { bounds: Bounds::NONE, at: first as u32, count: items.len() as u32 });
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
    let middle = items.len() / 2;
    items.select_nth_unstable_by(middle, |&a, &b| centre(a, axis).total_cmp(&centre(b, axis)).then(a.cmp(&b)));
    let (before, after) = items.split_at_mut(middle);
    split(nodes, before, first, boxes);
    nodes[number].at = nodes.len() as u32;
    nodes[number].count = 0;
    split(nodes, after, first + middle, boxes);
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
