//! Pairs that are kept or not, without a branch for each.

/// Pairs of numbers, of which those that were offered last may still be overwritten.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    pairs: Vec<[u32; 2]>,
    count: usize,
}

impl Kept {
    /// None.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds a pair, or leaves it out.
    #[inline(always)]
    pub fn offer(&mut self, pair: [u32; 2], keep: bool) {
        if self.count == self.pairs.len() {
            self.pairs.resize(2 * self.count + 64, [0; 2]);
        }
        self.pairs[self.count] = pair;
        self.count += usize::from(keep);
    }

    /// How many were kept.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Takes the last one away.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<[u32; 2]> {
        self.count = self.count.checked_sub(1)?;
        Some(self.pairs[self.count])
    }

    /// Those that were kept.
    pub fn iter(&self) -> std::slice::Iter<'_, [u32; 2]> {
        self.pairs[..self.count].iter()
    }

    /// Those that were kept, to be kept once more or not.
    pub fn again(&mut self) -> (&mut [[u32; 2]], &mut usize) {
        (&mut self.pairs[..self.count], &mut self.count)
    }
}
