//! Registers of x86. The compiler makes such code of arrays only where lanes stay where they are, and of a product on a grid it
//! makes one that is half as fast.
//!
//! Nothing but [`InstructionSet::run`](super::InstructionSet::run) makes these types, and only for processors that have the
//! instructions; that is what every call below rests on.

#![allow(unsafe_code)]

use std::arch::x86_64::*;
use std::ops::{Add, Div, Mul, Neg, Sub};

use super::Lanes;

/// Two registers of four.
#[derive(Clone, Copy)]
pub struct Avx2(__m256d, __m256d);

/// One of eight.
#[derive(Clone, Copy)]
pub struct Avx512(__m512d);

/// One of eight in single precision, on AVX2 and on AVX-512.
#[derive(Clone, Copy)]
pub struct Single(__m256);

/// An operator that is one instruction on each register.
macro_rules! operator {
    ($trait:ident, $method:ident, $lanes:ident($($register:tt),+), $instruction:ident) => {
        impl $trait for $lanes {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: the processor has the instruction, see above.
                unsafe { $lanes($($instruction(self.$register, other.$register)),+) }
            }
        }
    };
}

macro_rules! arithmetic {
    ($lanes:ident $registers:tt: $add:ident, $sub:ident, $mul:ident, $div:ident) => {
        operator!(Add, add, $lanes $registers, $add);
        operator!(Sub, sub, $lanes $registers, $sub);
        operator!(Mul, mul, $lanes $registers, $mul);
        operator!(Div, div, $lanes $registers, $div);
        impl Neg for $lanes {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                Self::splat(-0.0) - self // to the sign of zeros
            }
        }
    };
}
arithmetic!(Avx2(0, 1): _mm256_add_pd, _mm256_sub_pd, _mm256_mul_pd, _mm256_div_pd);
arithmetic!(Avx512(0): _mm512_add_pd, _mm512_sub_pd, _mm512_mul_pd, _mm512_div_pd);
arithmetic!(Single(0): _mm256_add_ps, _mm256_sub_ps, _mm256_mul_ps, _mm256_div_ps);

/// What is one instruction on each register, with the lane at which each of these begins.
macro_rules! one_instruction {
    ($number:ident, ($($register:tt from $lane:literal),+), $load:ident, $store:ident, $sqrt:ident, $max:ident) => {
        type Number = $number;

        #[inline(always)]
        fn load(numbers: &[$number; 8]) -> Self {
            // SAFETY: the processor has the instruction, see above; all loads are inside the array.
            unsafe { Self($($load(numbers.as_ptr().add($lane))),+) }
        }

        #[inline(always)]
        fn store(self, numbers: &mut [$number; 8]) {
            // SAFETY: the processor has the instruction, see above; all stores are inside the array.
            unsafe { $($store(numbers.as_mut_ptr().add($lane), self.$register);)+ }
        }

        #[inline(always)]
        fn sqrt(self) -> Self {
            // SAFETY: the processor has the instruction, see above.
            unsafe { Self($($sqrt(self.$register)),+) }
        }

        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // SAFETY: the processor has the instruction, see above.
            unsafe { Self($($max(self.$register, other.$register)),+) }
        }
    };
}

impl Lanes for Avx2 {
    one_instruction!(f64, (0 from 0, 1 from 4), _mm256_loadu_pd, _mm256_storeu_pd, _mm256_sqrt_pd, _mm256_max_pd);

    #[inline(always)]
    fn shifted<const N: usize>(self, before: Self) -> Self {
        const { assert!(N == 1 || N == 2, "by one or two") };
        // SAFETY: the processor has AVX2, see above.
        unsafe {
            let low = _mm256_permute2f128_pd::<0x21>(before.1, self.0); // the last two of `before`, the first two of `self`
            let high = _mm256_permute2f128_pd::<0x21>(self.0, self.1);
            if N == 2 {
                return Avx2(low, high);
            }
            Avx2(_mm256_shuffle_pd::<0b0101>(low, self.0), _mm256_shuffle_pd::<0b0101>(high, self.1))
        }
    }

    #[inline(always)]
    fn reaching(self, other: Self) -> u8 {
        // SAFETY: the processor has AVX2, see above.
        let [low, high] = unsafe {
            [
                _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GE_OQ>(self.0, other.0)),
                _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GE_OQ>(self.1, other.1)),
            ]
        };
        (low | high << 4) as u8
    }

    #[inline(always)]
    fn replaced(self, lanes: u8, other: Self) -> Self {
        // SAFETY: the processor has AVX2, see above.
        unsafe {
            // No closure for both halves: it would not be compiled for AVX2, nor inlined.
            let lanes = _mm256_set1_epi64x(i64::from(lanes));
            let (low, high) = (_mm256_setr_epi64x(1, 2, 4, 8), _mm256_setr_epi64x(16, 32, 64, 128));
            let low = _mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_and_si256(lanes, low), low));
            let high = _mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_and_si256(lanes, high), high));
            Avx2(_mm256_blendv_pd(self.0, other.0, low), _mm256_blendv_pd(self.1, other.1, high))
        }
    }
}

impl Lanes for Avx512 {
    one_instruction!(f64, (0 from 0), _mm512_loadu_pd, _mm512_storeu_pd, _mm512_sqrt_pd, _mm512_max_pd);

    #[inline(always)]
    fn shifted<const N: usize>(self, before: Self) -> Self {
        const { assert!(N == 1 || N == 2, "by one or two") };
        // SAFETY: the processor has AVX-512, see above.
        unsafe {
            let (before, after) = (_mm512_castpd_si512(before.0), _mm512_castpd_si512(self.0));
            let shifted = if N == 1 { _mm512_alignr_epi64::<7>(after, before) } else { _mm512_alignr_epi64::<6>(after, before) };
            Avx512(_mm512_castsi512_pd(shifted))
        }
    }

    #[inline(always)]
    fn reaching(self, other: Self) -> u8 {
        // SAFETY: the processor has AVX-512, see above.
        unsafe { _mm512_cmp_pd_mask::<_CMP_GE_OQ>(self.0, other.0) }
    }

    #[inline(always)]
    fn replaced(self, lanes: u8, other: Self) -> Self {
        // SAFETY: the processor has AVX-512, see above.
        unsafe { Avx512(_mm512_mask_mov_pd(self.0, lanes, other.0)) }
    }
}

impl Lanes for Single {
    one_instruction!(f32, (0 from 0), _mm256_loadu_ps, _mm256_storeu_ps, _mm256_sqrt_ps, _mm256_max_ps);

    #[inline(always)]
    fn shifted<const N: usize>(self, before: Self) -> Self {
        const { assert!(N == 1 || N == 2, "by one or two") };
        // SAFETY: the processor has AVX2, see above.
        unsafe {
            let (before, after) = (_mm256_castps_si256(before.0), _mm256_castps_si256(self.0));
            let between = _mm256_permute2x128_si256::<0x21>(before, after); // the last four of `before`, the first four of `self`
            let shifted = if N == 1 { _mm256_alignr_epi8::<12>(after, between) } else { _mm256_alignr_epi8::<8>(after, between) };
            Single(_mm256_castsi256_ps(shifted))
        }
    }

    #[inline(always)]
    fn reaching(self, other: Self) -> u8 {
        // SAFETY: the processor has AVX2, see above.
        unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GE_OQ>(self.0, other.0)) as u8 }
    }

    #[inline(always)]
    fn replaced(self, lanes: u8, other: Self) -> Self {
        // SAFETY: the processor has AVX2, see above.
        unsafe {
            let bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
            let lanes = _mm256_and_si256(_mm256_set1_epi32(i32::from(lanes)), bits);
            Single(_mm256_blendv_ps(self.0, other.0, _mm256_castsi256_ps(_mm256_cmpeq_epi32(lanes, bits))))
        }
    }
}
