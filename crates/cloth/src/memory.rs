use crate::{State, Vec3};

/// Numbers that a run goes on from beside its scenario, bit for bit: written down in one order, and read back in the same one. Each
/// type names its numbers once, for both ways.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    words: Vec<u64>,
    /// The next word to read; none where words are written.
    next: Option<usize>,
    is_short: bool,
}

impl Memory {
    /// Nothing yet, to be written.
    pub fn new() -> Memory {
        Memory::default()
    }

    /// The words that [`Memory::words`] gave, to be read.
    pub fn of(words: Vec<u64>) -> Memory {
        Memory { words, next: Some(0), is_short: false }
    }

    /// The words that were written.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Whether what was read were all words, and no more than there are.
    pub fn fits(&self) -> bool {
        !self.is_short && self.next.is_none_or(|next| next == self.words.len())
    }

    /// Whether words are read.
    pub fn is_read(&self) -> bool {
        self.next.is_some()
    }

    /// Writes a count, or reads it; it stays where there are no words left.
    pub fn count(&mut self, count: &mut u64) {
        let Some(next) = &mut self.next else { return self.words.push(*count) };
        match self.words.get(*next) {
            Some(word) => (*count, *next) = (*word, *next + 1),
            None => self.is_short = true,
        }
    }

    /// Writes the length of a list, or reads it: never more than there are words left.
    pub fn length(&mut self, length: usize) -> usize {
        let mut count = length as u64;
        self.count(&mut count);
        let left = self.next.map_or(usize::MAX, |next| self.words.len() - next) as u64;
        self.is_short |= count > left;
        count.min(left) as usize
    }

    /// Writes a number, or reads it.
    pub fn number(&mut self, number: &mut f64) {
        let mut bits = number.to_bits();
        self.count(&mut bits);
        *number = f64::from_bits(bits);
    }

    /// Writes whether something is so, or reads it.
    pub fn flag(&mut self, flag: &mut bool) {
        let mut count = u64::from(*flag);
        self.count(&mut count);
        *flag = count != 0;
    }

    /// Writes indices, or reads as many as there were.
    pub fn indices(&mut self, indices: &mut Vec<usize>) {
        let length = self.length(indices.len());
        indices.resize(length, 0);
        for index in indices {
            let mut count = *index as u64;
            self.count(&mut count);
            *index = count as usize;
        }
    }

    /// Writes vectors, or reads as many as there are.
    pub fn vectors(&mut self, vectors: &mut [Vec3]) {
        vectors.iter_mut().flat_map(Vec3::iter_mut).for_each(|number| self.number(number));
    }

    /// Writes a state, or reads one of as many particles.
    pub fn state(&mut self, State { x, v }: &mut State) {
        self.vectors(x);
        self.vectors(v);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All that a memory holds, written or read.
    fn pass(memory: &mut Memory, (count, flag, indices, state): &mut (u64, bool, Vec<usize>, State)) {
        memory.count(count);
        memory.flag(flag);
        memory.indices(indices);
        memory.state(state);
    }

    #[test]
    fn words_come_back_as_they_were_and_no_others_fit() {
        let state = State { x: vec![Vec3::new(-0.0, f64::MIN_POSITIVE, 1.0 / 3.0)], v: vec![Vec3::new(1e300, 2.0, -7.0)] };
        let mut whole = (u64::MAX, true, vec![4, 0], state);
        let mut memory = Memory::new();
        pass(&mut memory, &mut whole);
        let words = memory.words().to_vec();
        let read = |words: Vec<u64>| {
            let (mut memory, mut found) = (Memory::of(words), (0, false, vec![], State::at_rest(vec![Vec3::zeros()])));
            pass(&mut memory, &mut found);
            (memory.fits(), found)
        };
        let (fits, found) = read(words.clone());
        assert!(fits && memory.fits() && format!("{found:?}") == format!("{whole:?}"));
        assert!(!read(words[1..].to_vec()).0 && !read([words.clone(), vec![0]].concat()).0 && !read(vec![]).0);
        let mut huge = words;
        huge[2] = u64::MAX; // a length that nobody should take memory for
        assert!(!read(huge).0);
    }
}
