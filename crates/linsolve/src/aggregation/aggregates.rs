use super::level::{Level, add};

/// The aggregate of every node, and what couples it with others: the sum of E_ii over the couplings of each node i with nodes
/// outside of its aggregate.
#[derive(Clone, Debug, Default)]
pub(super) struct Aggregates {
    of_nodes: Vec<u32>,
    sums: Vec<f64>,
    /// Where the sum of each node stands, and the end.
    places: Vec<usize>,
}

impl Aggregates {
    pub fn new(of_nodes: Vec<u32>) -> Aggregates {
        Aggregates { of_nodes, ..Aggregates::default() }
    }

    /// That of a node.
    #[inline(always)]
    pub fn of(&self, node: usize) -> usize {
        self.of_nodes[node] as usize
    }

    /// Whether two nodes are in different ones.
    #[inline(always)]
    pub fn separate(&self, [one, other]: [usize; 2]) -> bool {
        self.of_nodes[one] != self.of_nodes[other]
    }

    /// Sums of zero for nodes whose unknowns begin there, and end.
    pub fn clear_sums(&mut self, begins: &[usize]) {
        let Aggregates { sums, places, .. } = self;
        places.clear();
        places.push(0);
        let mut entries = 0;
        for own in begins.windows(2) {
            entries += (own[1] - own[0]).pow(2);
            places.push(entries);
        }
        sums.clear();
        sums.resize(entries, 0.0);
    }

    /// Overwrites the sums by those of a level that has its energies.
    pub fn sum_outside(&mut self, level: &Level) {
        self.clear_sums(&level.begins);
        for node in 0..level.nodes() {
            for coupling in level.couplings(node) {
                let other = level.columns[coupling] as usize;
                if self.separate([node, other]) {
                    let [own, theirs] = level.energies(coupling, [node, other]);
                    self.add_outside(node, own);
                    self.add_outside(other, theirs);
                }
            }
        }
    }

    /// Adds the energy of a coupling to the sum of a node.
    #[inline(always)]
    pub fn add_outside(&mut self, node: usize, energy: &[f64]) {
        add(1.0, energy, &mut self.sums[self.places[node]..self.places[node + 1]]);
    }

    /// The sum of a node, shape \[unknowns, unknowns\].
    #[inline(always)]
    pub fn outside(&self, node: usize) -> &[f64] {
        &self.sums[self.places[node]..self.places[node + 1]]
    }
}
