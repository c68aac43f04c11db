use std::ops::{Add, Div, Mul, Neg, Sub};

use super::Vector;

/// Eight independent numbers, in the registers of some instruction set. Operators work lane by lane, and every implementation
/// rounds every operation: nothing is fused.
pub trait Eight:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// The numbers of an array.
    fn load(numbers: &[f64; 8]) -> Self;

    /// Overwrites an array.
    fn store(self, numbers: &mut [f64; 8]);

    /// The lanes of `before` and of `self` in one row, read from N places before `self` on; N is 1 or 2.
    fn shifted<const N: usize>(self, before: Self) -> Self;

    /// The square root of each lane.
    fn sqrt(self) -> Self;

    /// The larger number of each lane; `other` where either is not a number.
    fn max(self, other: Self) -> Self;

    /// Eight times the same number.
    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self::load(&[value; 8])
    }

    /// The numbers from place `first` on.
    ///
    /// # Panics
    /// Where there are fewer than eight.
    #[inline(always)]
    fn load_from(numbers: &[f64], first: usize) -> Self {
        Self::load(&numbers[first..first + 8].as_chunks().0[0])
    }

    /// Overwrites the numbers from place `first` on.
    ///
    /// # Panics
    /// Where there are fewer than eight.
    #[inline(always)]
    fn store_to(self, numbers: &mut [f64], first: usize) {
        self.store(&mut numbers[first..first + 8].as_chunks_mut().0[0]);
    }

    /// The sum of all lanes, in a tree: the first half and the second half lane by lane, and so on.
    #[inline(always)]
    fn sum(self) -> f64 {
        let mut a = [0.0; 8];
        self.store(&mut a);
        ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]))
    }
}

impl Eight for Vector<8> {
    #[inline(always)]
    fn sqrt(self) -> Self {
        Vector::sqrt(self)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Vector::max(self, other)
    }

    #[inline(always)]
    fn load(numbers: &[f64; 8]) -> Self {
        Vector(*numbers)
    }

    #[inline(always)]
    fn store(self, numbers: &mut [f64; 8]) {
        *numbers = self.0;
    }

    #[inline(always)]
    fn shifted<const N: usize>(self, before: Self) -> Self {
        let mut lanes = [0.0; 8];
        for i in 0..8 {
            lanes[i] = if i < N { before.0[8 - N + i] } else { self.0[i - N] };
        }
        Vector(lanes)
    }
}
