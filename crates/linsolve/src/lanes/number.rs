use std::fmt::Debug;

#[cfg(target_arch = "x86_64")]
use super::x86::{Avx2, Avx512, Single};
use super::{Arithmetic, Vector};

/// What a lane holds: f64, or f32 where the bytes of memory matter more than digits.
pub trait Number: Arithmetic + Debug + PartialOrd + Into<f64> + registers::Registers {
    /// Zero.
    const ZERO: Self;

    /// The nearest one.
    fn rounded(number: f64) -> Self;

    /// Its square root, not a number for one below zero.
    fn sqrt(self) -> Self;

    /// `other` where `chosen`, else `self`; not a branch.
    fn replaced(self, chosen: bool, other: Self) -> Self;
}

/// Eight of a number on each instruction set, out of reach of who has not asked whether the machine has it.
pub(super) mod registers {
    use crate::lanes::Lanes;

    pub trait Registers: Sized {
        type Portable: Lanes<Number = Self>;
        #[cfg(target_arch = "x86_64")]
        type Avx2: Lanes<Number = Self>;
        #[cfg(target_arch = "x86_64")]
        type Avx512: Lanes<Number = Self>;
    }
}

impl registers::Registers for f64 {
    type Portable = Vector<8>;
    #[cfg(target_arch = "x86_64")]
    type Avx2 = Avx2;
    #[cfg(target_arch = "x86_64")]
    type Avx512 = Avx512;
}

impl registers::Registers for f32 {
    type Portable = Vector<8, f32>;
    #[cfg(target_arch = "x86_64")]
    type Avx2 = Single;
    #[cfg(target_arch = "x86_64")]
    type Avx512 = Single;
}

macro_rules! number {
    ($number:ident, $bits:ident) => {
        impl Number for $number {
            const ZERO: $number = 0.0;

            #[inline(always)]
            fn rounded(number: f64) -> Self {
                number as $number
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                $number::sqrt(self)
            }

            #[inline(always)]
            fn replaced(self, chosen: bool, other: Self) -> Self {
                let (old, new) = (self.to_bits(), other.to_bits());
                $number::from_bits(old ^ (old ^ new) & $bits::from(chosen).wrapping_neg())
            }
        }
    };
}
number!(f64, u64);
number!(f32, u32);
