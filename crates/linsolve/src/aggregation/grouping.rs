use std::cmp::Reverse;
use std::collections::BinaryHeap;

use faer::sparse::SymbolicSparseColMat;

use crate::panels::NodePanels;
use crate::scalar::cholesky::node_panels;

/// In no aggregate.
pub(super) const NONE: u32 = u32::MAX;

/// Nodes of a graph in compact aggregates of nearly equal size, grown one beside the other \[Farhat 1988\]: each begins at the node
/// that has the fewest neighbours left and takes in that neighbour which has the most couplings with it.
#[derive(Clone, Debug, Default)]
pub(super) struct Grouping {
    /// The aggregate of every node.
    pub aggregates: Vec<u32>,
    /// Number of aggregates.
    pub count: usize,
}

/// A graph whose edges have weights.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    starts: Vec<usize>,
    neighbours: Vec<(u32, u32)>,
}

impl Graph {
    /// Of nodes and of pairs of them with their weights.
    pub fn new(nodes: usize, pairs: impl Iterator<Item = (u32, u32, u32)> + Clone) -> Graph {
        let mut starts = vec![0; nodes + 1];
        let both = |(one, other, weight)| [(one, other, weight), (other, one, weight)];
        pairs.clone().flat_map(both).for_each(|(one, _, _)| starts[one as usize + 1] += 1);
        (0..nodes).for_each(|node| starts[node + 1] += starts[node]);
        let mut next = starts.clone();
        let mut neighbours = vec![(0, 0); starts[nodes]];
        for (one, other, weight) in pairs.flat_map(both) {
            neighbours[next[one as usize]] = (other, weight);
            next[one as usize] += 1;
        }
        Graph { starts, neighbours }
    }

    pub fn nodes(&self) -> usize {
        self.starts.len() - 1
    }

    /// The factor of matrices with such couplings, analysed for an order of minimum degree.
    pub fn analysed(&self) -> NodePanels {
        let nodes = self.nodes();
        let (mut starts, mut rows) = (vec![0], vec![]);
        for node in 0..nodes {
            let first = rows.len();
            rows.push(node);
            rows.extend(self.with(node as u32).iter().map(|(other, _)| *other as usize).filter(|other| *other > node));
            rows[first..].sort_unstable();
            starts.push(rows.len());
        }
        let lower = SymbolicSparseColMat::new_checked(nodes, nodes, starts, None, rows);
        node_panels(&lower)
    }

    fn with(&self, node: u32) -> &[(u32, u32)] {
        &self.neighbours[self.starts[node as usize]..self.starts[node as usize + 1]]
    }

    /// The graph of aggregates, whose weights are the sums of those between them.
    pub fn coarsened(&self, grouping: &Grouping) -> Graph {
        let mut pairs = vec![];
        for node in 0..self.nodes() as u32 {
            let one = grouping.aggregates[node as usize];
            let others = self.with(node).iter().map(|(other, weight)| (one, grouping.aggregates[*other as usize], *weight));
            pairs.extend(others.filter(|(one, other, _)| one < other));
        }
        pairs.sort_unstable();
        pairs.dedup_by(|(one, other, weight), (before, with, sum)| {
            let same = (*one, *other) == (*before, *with);
            *sum += if same { *weight } else { 0 };
            same
        });
        Graph::new(grouping.count, pairs.into_iter())
    }
}

impl Grouping {
    /// Groups the nodes of a graph by `most` at most.
    pub fn new(graph: &Graph, most: usize) -> Grouping {
        let nodes = graph.nodes();
        let mut aggregates = vec![NONE; nodes];
        let mut left: Vec<usize> = (0..nodes as u32).map(|node| graph.with(node).len()).collect();
        let mut seeds: BinaryHeap<_> = (0..nodes as u32).map(|node| Reverse((left[node as usize], node))).collect();
        let mut links = vec![0_u64; nodes];
        let (mut members, mut border) = (vec![], vec![]);
        let mut sizes = vec![];
        while let Some(Reverse((count, seed))) = seeds.pop() {
            if aggregates[seed as usize] != NONE || left[seed as usize] != count {
                continue;
            }
            let number = sizes.len() as u32;
            members.clear();
            border.clear();
            border.push(seed);
            while members.len() < most && !border.is_empty() {
                let key = |node: &u32| (links[*node as usize], Reverse(left[*node as usize]), Reverse(*node));
                let Some(place) = (0..border.len()).max_by_key(|place| key(&border[*place])) else { break };
                let node = border.swap_remove(place);
                aggregates[node as usize] = number;
                members.push(node);
                for (other, weight) in graph.with(node) {
                    left[*other as usize] -= 1;
                    if aggregates[*other as usize] == NONE {
                        if links[*other as usize] == 0 && *other != seed {
                            border.push(*other);
                        }
                        links[*other as usize] += u64::from(*weight);
                    }
                }
            }
            for node in &border {
                links[*node as usize] = 0;
                seeds.push(Reverse((left[*node as usize], *node)));
            }
            // what is left over joins the neighbour that it has the most couplings with
            if 3 * members.len() < most {
                let mut sums: Vec<(u32, u64)> = vec![];
                for (other, weight) in members.iter().flat_map(|node| graph.with(*node)) {
                    let other = aggregates[*other as usize];
                    if other != number && other != NONE {
                        match sums.iter_mut().find(|(one, _)| *one == other) {
                            Some((_, sum)) => *sum += u64::from(*weight),
                            None => sums.push((other, u64::from(*weight))),
                        }
                    }
                }
                if let Some((other, _)) = sums.into_iter().max_by_key(|(one, sum)| (*sum, Reverse(*one))) {
                    members.iter().for_each(|node| aggregates[*node as usize] = other);
                    sizes[other as usize] += members.len();
                    continue;
                }
            }
            sizes.push(members.len());
        }
        Grouping { aggregates, count: sizes.len() }
    }
}
