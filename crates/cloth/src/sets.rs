/// Disjoint sets of numbers from 0 on.
pub(crate) struct Sets {
    parents: Vec<usize>,
}

impl Sets {
    /// A set for each number.
    pub fn new(count: usize) -> Sets {
        Sets { parents: (0..count).collect() }
    }

    /// Makes each number a set of its own again.
    pub fn part(&mut self) {
        self.parents.iter_mut().enumerate().for_each(|(k, parent)| *parent = k);
    }

    /// The number that stands for the set of `k`, its first one; the way to it becomes shorter.
    pub fn root(&mut self, mut k: usize) -> usize {
        while self.parents[k] != k {
            self.parents[k] = self.parents[self.parents[k]];
            k = self.parents[k];
        }
        k
    }

    /// Joins two sets; whether they were two.
    pub fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b)] = a.min(b);
        a != b
    }
}
