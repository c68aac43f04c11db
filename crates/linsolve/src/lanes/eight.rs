use super::{Arithmetic, Number, Vector};

/// W independent numbers, one to eight, and eight in the registers of some instruction set. Operators work lane by lane, and every
/// implementation rounds every operation: nothing is fused.
pub trait Lanes<const W: usize = 8>: Arithmetic {
    /// What a lane holds.
    type Number: Number;

    /// The numbers of an array.
    fn load(numbers: &[Self::Number; W]) -> Self;

    /// Overwrites an array.
    fn store(self, numbers: &mut [Self::Number; W]);

    /// The lanes of `before` and of `self` in one row, read from N places before `self` on; N is 1 or 2.
    fn shifted<const N: usize>(self, before: Self) -> Self;

    /// The square root of each lane.
    fn sqrt(self) -> Self;

    /// The larger number; `other` where either is not a number.
    fn max(self, other: Self) -> Self;

    /// A bit for each lane, the lowest for the first: whether `self >= other` there.
    fn reaching(self, other: Self) -> u8;

    /// `other` in the lanes whose bits are set, `self` in the rest.
    fn replaced(self, lanes: u8, other: Self) -> Self;

    /// `self` in the lanes whose bits are set, zero in the rest.
    #[inline(always)]
    fn kept(self, lanes: u8) -> Self {
        Self::splat(0.0).replaced(lanes, self)
    }

    /// A number, rounded, in each lane.
    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self::load(&[Self::Number::rounded(value); W])
    }

    /// The numbers from place `first` on.
    ///
    /// # Panics
    /// Where there are fewer than W.
    #[inline(always)]
    fn load_from(numbers: &[Self::Number], first: usize) -> Self {
        Self::load(&numbers[first..first + W].as_chunks().0[0])
    }

    /// Overwrites the numbers from place `first` on.
    ///
    /// # Panics
    /// Where there are fewer than W.
    #[inline(always)]
    fn store_to(self, numbers: &mut [Self::Number], first: usize) {
        self.store(&mut numbers[first..first + W].as_chunks_mut().0[0]);
    }

    /// The numbers from place `first` on, of which the caller knows that they are there: a load and nothing else.
    ///
    /// # Safety
    /// There are at least `first + W` numbers.
    #[allow(unsafe_code)]
    #[inline(always)]
    unsafe fn load_within(numbers: &[Self::Number], first: usize) -> Self {
        debug_assert!(first + W <= numbers.len(), "{W} of {} from {first} on", numbers.len());
        // SAFETY: they are there; W numbers in a row are an array.
        unsafe { Self::load(&*numbers.as_ptr().add(first).cast()) }
    }

    /// Overwrites the numbers from place `first` on, of which the caller knows that they are there.
    ///
    /// # Safety
    /// There are at least `first + W` numbers.
    #[allow(unsafe_code)]
    #[inline(always)]
    unsafe fn store_within(self, numbers: &mut [Self::Number], first: usize) {
        debug_assert!(first + W <= numbers.len(), "{W} of {} from {first} on", numbers.len());
        // SAFETY: they are there; W numbers in a row are an array.
        unsafe { self.store(&mut *numbers.as_mut_ptr().add(first).cast()) }
    }

    /// The sum of all lanes in double precision, in a tree: the first half and the second half lane by lane, and so on.
    #[inline(always)]
    fn sum(self) -> f64 {
        let mut stored = [Self::Number::ZERO; W];
        self.store(&mut stored);
        let mut a: [f64; W] = stored.map(Into::into);
        let mut half = W / 2;
        while half > 0 {
            for lane in 0..half {
                a[lane] += a[lane + half];
            }
            half /= 2;
        }
        a[0]
    }
}

/// Eight numbers of double precision.
pub trait Eight: Lanes<Number = f64> {}

impl<E: Lanes<Number = f64>> Eight for E {}

impl<const W: usize, S: Number> Lanes<W> for Vector<W, S> {
    type Number = S;

    #[inline(always)]
    fn load(numbers: &[S; W]) -> Self {
        Vector(*numbers)
    }

    #[inline(always)]
    fn store(self, numbers: &mut [S; W]) {
        *numbers = self.0;
    }

    #[inline(always)]
    fn shifted<const N: usize>(self, before: Self) -> Self {
        let mut lanes = self.0;
        for i in 0..W {
            lanes[i] = if i < N { before.0[W - N + i] } else { self.0[i - N] };
        }
        Vector(lanes)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        self.zip(self, |a, _| a.sqrt())
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn reaching(self, other: Self) -> u8 {
        let mut lanes = 0;
        for i in 0..W {
            lanes |= u8::from(self.0[i] >= other.0[i]) << i;
        }
        lanes
    }

    #[inline(always)]
    fn replaced(self, lanes: u8, other: Self) -> Self {
        let mut replaced = self.0;
        for i in 0..W {
            replaced[i] = self.0[i].replaced(lanes >> i & 1 == 1, other.0[i]);
        }
        Vector(replaced)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{InstructionSet, Kernel};

    /// All operations on pairs of eight numbers, as bits in double precision.
    struct Operations<S> {
        pairs: [[[S; 8]; 2]; 3],
    }

    impl<S: Number> Kernel<S> for Operations<S> {
        type Output = Vec<u64>;

        #[inline(always)]
        fn run<E: Lanes<Number = S>>(self) -> Vec<u64> {
            let mut bits = Vec::new();
            for [a, b] in self.pairs {
                let (a, b) = (E::load(&a), E::load(&b));
                let lanes = a.reaching(b);
                bits.push(u64::from(lanes));
                let results = [a + b, a - b, a * b, a / b, -a, a.sqrt(), a.max(b), a.replaced(lanes, b), a.kept(0b0101_1010)];
                for result in results.into_iter().chain([a.shifted::<1>(b), a.shifted::<2>(b)]) {
                    let mut stored = [S::ZERO; 8];
                    result.store(&mut stored);
                    let numbers: [f64; 8] = stored.map(Into::into);
                    bits.extend(numbers.map(|number| if number.is_nan() { u64::MAX } else { number.to_bits() }));
                }
                bits.push(a.kept(0b0111_0110).sum().to_bits());
            }
            bits
        }
    }

    fn rounded(bits: u64) -> u64 {
        f64::from(f64::from_bits(bits) as f32).to_bits()
    }

    #[test]
    fn every_operation_has_the_same_bits_on_every_instruction_set() {
        let (nan, inf) = (f64::NAN, f64::INFINITY);
        let pairs = [
            [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [8.0, 7.0, 6.0, 5.0, 4.0, 6.0, -2.0, 0.1]],
            [[0.0, -0.0, nan, 1.0, inf, -inf, 5e-324, 1e300], [-0.0, 0.0, 1.0, nan, inf, inf, 5e-324, 1e-300]],
            [[0.1, 0.2, 0.3, -0.4, 1e-310, 1e308, 3.0, nan], [0.3, 0.2, 0.1, 3.0, 3.0, 1e308, -inf, nan]],
        ];
        let expected = InstructionSet::Plain.run(Operations { pairs });
        let first = |operation: usize, lane: usize| f64::from_bits(expected[1 + 8 * operation + lane]);
        assert_eq!(expected[0], 0b1111_0000, "5 >= 4, 6 >= 6, 7 >= -2, 8 >= 0.1");
        assert_eq!([first(3, 0), first(5, 3), first(6, 1), first(7, 6)], [0.125, 2.0, 7.0, -2.0]);
        assert_eq!([first(8, 0), first(8, 1), first(9, 0), first(10, 1)], [0.0, 2.0, 0.1, 0.1]);
        let single = pairs.map(|pair| pair.map(|numbers| numbers.map(|number| number as f32)));
        let expected_single = InstructionSet::Plain.run(Operations { pairs: single });
        assert_eq!(expected_single[1..9], expected[1..9].iter().map(|&bits| rounded(bits)).collect::<Vec<_>>(), "a + b");
        for set in InstructionSet::supported() {
            assert_eq!(set.run(Operations { pairs }), expected, "{set}");
            assert_eq!(set.run(Operations { pairs: single }), expected_single, "{set} in single precision");
        }
    }
}
