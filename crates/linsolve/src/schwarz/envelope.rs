use crate::lanes::{Eight, Kernel};
use crate::{Mat3, Vec3};

/// Numbers that are multiplied at a time.
const LANES: usize = 8;

/// Where the factor L of a part is kept: by rows of 3, each from the first column on in which something may stand, up to its
/// diagonal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Envelope<'a> {
    /// For each row of the part the first one that stands in its rows of L, shape \[rows of the part\].
    pub firsts: &'a [u32],
    /// Where its three rows of L begin.
    pub begins: &'a [usize],
}

/// A row of L: its first column, and where it is kept.
struct Place {
    first: usize,
    begin: usize,
    /// Entries, the diagonal included.
    count: usize,
}

impl Envelope<'_> {
    /// Entries of the three rows of L of a row of the part.
    pub fn entries(place: usize, first: u32) -> usize {
        9 * (place - first as usize) + 6
    }

    fn unknowns(&self) -> usize {
        3 * self.firsts.len()
    }

    /// Where row `k` of L is.
    #[inline(always)]
    fn row(&self, k: usize) -> Place {
        let (place, q) = (k / 3, k % 3);
        let first = 3 * self.firsts[place] as usize;
        let before = 3 * place - first;
        Place { first, begin: self.begins[place] + q * before + q * (q + 1) / 2, count: before + q + 1 }
    }

    /// Writes a block on or below the diagonal.
    pub fn set(&self, row: usize, column: usize, block: &Mat3, lower: &mut [f64]) {
        for p in 0..3 {
            let Place { first, begin, .. } = self.row(3 * row + p);
            for q in 0..if row == column { p + 1 } else { 3 } {
                lower[begin + 3 * column + q - first] = block[(p, q)];
            }
        }
    }
}

/// Replaces the lower triangle of A by L of A = L Lᵀ, with the inverse of its diagonal in place of it. The error is the first
/// unknown whose pivot is not a number or not positive beyond rounding.
pub(super) struct Factorisation<'a> {
    pub envelope: Envelope<'a>,
    pub lower: &'a mut [f64],
}

impl Kernel for Factorisation<'_> {
    type Output = Result<(), usize>;

    #[inline(always)]
    fn run<E: Eight>(self) -> Result<(), usize> {
        let Factorisation { envelope, lower } = self;
        for k in 0..envelope.unknowns() {
            let Place { first, begin, count } = envelope.row(k);
            let (above, here) = lower.split_at_mut(begin);
            let here = &mut here[..count];
            for j in first..k {
                let other = envelope.row(j);
                let row = &above[other.begin..other.begin + other.count];
                let from = first.max(other.first);
                let sum = dot::<E>(&row[from - other.first..j - other.first], &here[from - first..j - first]);
                here[j - first] = (here[j - first] - sum) * row[j - other.first]; // L_kj = (A_kj - sum_i L_ki L_ji) / L_jj
            }
            let (before, entry) = (&here[..count - 1], here[count - 1]);
            let pivot = entry - dot::<E>(before, before);
            // not so where it is not a number either
            let is_positive = pivot > f64::EPSILON * count as f64 * entry.abs();
            if !is_positive || !pivot.is_finite() {
                return Err(k);
            }
            here[count - 1] = 1.0 / pivot.sqrt();
        }
        Ok(())
    }
}

/// Adds (L Lᵀ)⁻¹ r to `h`, for the rows of a part.
pub(super) struct Solution<'a> {
    pub envelope: Envelope<'a>,
    pub lower: &'a [f64],
    pub rows: &'a [u32],
    /// Three numbers for each row of the part, or more.
    pub local: &'a mut [f64],
}

impl Solution<'_> {
    #[inline(always)]
    pub fn add<E: Eight>(self, r: &[Vec3], h: &mut [Vec3]) {
        let Solution { envelope, lower, rows, local } = self;
        let y = &mut local[..envelope.unknowns()];
        for (y, row) in y.chunks_exact_mut(3).zip(rows) {
            y.copy_from_slice(r[*row as usize].as_slice());
        }
        for k in 0..y.len() {
            let Place { first, begin, count } = envelope.row(k);
            let row = &lower[begin..begin + count];
            y[k] = (y[k] - dot::<E>(&row[..count - 1], &y[first..k])) * row[count - 1]; // L y = R r
        }
        for k in (0..y.len()).rev() {
            let Place { first, begin, count } = envelope.row(k);
            let row = &lower[begin..begin + count];
            let found = y[k] * row[count - 1]; // Lᵀ x = y
            subtract::<E>(&row[..count - 1], found, &mut y[first..k]);
            y[k] = found;
        }
        for (y, row) in y.chunks_exact(3).zip(rows) {
            h[*row as usize] += Vec3::new(y[0], y[1], y[2]);
        }
    }
}

/// aᵀ b, in lanes and then what is left of them one by one.
#[inline(always)]
fn dot<E: Eight>(a: &[f64], b: &[f64]) -> f64 {
    let b = &b[..a.len()];
    let whole = a.len() - a.len() % LANES;
    let mut sums = E::splat(0.0);
    for k in (0..whole).step_by(LANES) {
        sums = sums + E::load_from(a, k) * E::load_from(b, k);
    }
    let mut sum = sums.sum();
    for k in whole..a.len() {
        sum += a[k] * b[k];
    }
    sum
}

/// y <- y - factor a.
#[inline(always)]
fn subtract<E: Eight>(a: &[f64], factor: f64, y: &mut [f64]) {
    let y = &mut y[..a.len()];
    let whole = a.len() - a.len() % LANES;
    let factors = E::splat(factor);
    for k in (0..whole).step_by(LANES) {
        (E::load_from(y, k) - E::load_from(a, k) * factors).store_to(y, k);
    }
    for k in whole..a.len() {
        y[k] -= a[k] * factor;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::InstructionSet;

    /// Factors a part and solves with it.
    struct Both<'a>(Envelope<'a>, &'a mut [f64], &'a mut [Vec3]);

    impl Kernel for Both<'_> {
        type Output = Result<(), usize>;

        #[inline(always)]
        fn run<E: Eight>(self) -> Result<(), usize> {
            let Both(envelope, lower, h) = self;
            Factorisation { envelope, lower }.run::<E>()?;
            let rows: Vec<u32> = (0..h.len() as u32).collect();
            let r: Vec<Vec3> = (0..h.len()).map(|row| Vec3::new(1.0, row as f64, -0.3)).collect();
            Solution { envelope, lower, rows: &rows, local: &mut vec![0.0; 3 * rows.len()] }.add::<E>(&r, h);
            Ok(())
        }
    }

    #[test]
    fn every_instruction_set_gives_the_bits_of_a_solution() {
        // rows of L of many lengths: every third row reaches back to the first one
        let firsts: Vec<u32> = (0..14_u32).map(|row| if row % 3 == 0 { 0 } else { row - 1 }).collect();
        let mut begins = vec![0];
        (0..14).for_each(|row| begins.push(begins[row] + Envelope::entries(row, firsts[row])));
        let envelope = Envelope { firsts: &firsts, begins: &begins[..14] };
        let number = |k: usize| (k * 7919 % 1009) as f64 / 504.5 - 1.0;
        let mut lower = vec![0.0; begins[14]];
        let mut dense = nalgebra::DMatrix::zeros(42, 42);
        for (row, &first) in firsts.iter().enumerate() {
            for column in first as usize..=row {
                let mut block = Mat3::from_fn(|p, q| number(100 * row + 10 * column + 3 * p + q));
                if row == column {
                    block = 20.0 * Mat3::identity() + 0.5 * (block + block.transpose());
                }
                envelope.set(row, column, &block, &mut lower);
                dense.fixed_view_mut::<3, 3>(3 * row, 3 * column).copy_from(&block);
                dense.fixed_view_mut::<3, 3>(3 * column, 3 * row).copy_from(&block.transpose());
            }
        }
        let solved = |set: InstructionSet| {
            let (mut lower, mut h) = (lower.clone(), vec![Vec3::zeros(); 14]);
            set.run(Both(envelope, &mut lower, &mut h)).map(|()| h)
        };
        let expected = solved(InstructionSet::Plain).expect("a positive definite matrix");
        for set in InstructionSet::supported() {
            assert_eq!(solved(set).as_ref(), Ok(&expected), "{set}");
        }
        let x = nalgebra::DVector::from_iterator(42, expected.iter().flat_map(|x| x.iter().copied()));
        let right = dense * x;
        (0..14).for_each(|row| assert!((right.fixed_rows::<3>(3 * row) - Vec3::new(1.0, row as f64, -0.3)).amax() < 1e-13));
        // the pivot of unknown 20 is what no factor has
        let Place { begin, count, .. } = envelope.row(20);
        lower[begin + count - 1] = -1.0;
        let broken = |set: InstructionSet| set.run(Both(envelope, &mut lower.clone(), &mut [Vec3::zeros(); 14]));
        InstructionSet::supported().for_each(|set| assert_eq!(broken(set), Err(20)));
    }
}
