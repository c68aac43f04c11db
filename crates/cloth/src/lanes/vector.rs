use std::ops::{Add, Mul, Sub};

/// W independent numbers. Plain arrays: the compiler turns them into registers of the instruction set in force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Vector<const W: usize>(pub [f64; W]);

impl<const W: usize> Vector<W> {
    pub const ZERO: Vector<W> = Vector([0.0; W]);

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let mut lanes = [0.0; W];
        for i in 0..W {
            lanes[i] = f(self.0[i], other.0[i]);
        }
        Vector(lanes)
    }

    #[inline(always)]
    pub fn sqrt(self) -> Self {
        self.zip(self, |a, _| a.sqrt())
    }

    #[inline(always)]
    pub fn recip(self) -> Self {
        self.zip(self, |a, _| 1.0 / a)
    }

    /// The larger number; `other` where either is not a number.
    #[inline(always)]
    pub fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }

    /// All bits set where `self >= other`, none elsewhere.
    #[inline(always)]
    pub fn at_least(self, other: Self) -> Mask<W> {
        let mut mask = [0; W];
        for i in 0..W {
            mask[i] = u64::from(self.0[i] >= other.0[i]).wrapping_neg();
        }
        Mask(mask)
    }

    /// `self` where the mask is set, else zero.
    #[inline(always)]
    pub fn masked(self, mask: Mask<W>) -> Self {
        let mut lanes = [0.0; W];
        for i in 0..W {
            lanes[i] = f64::from_bits(self.0[i].to_bits() & mask.0[i]);
        }
        Vector(lanes)
    }
}

/// A choice of lanes.
#[derive(Clone, Copy)]
pub(crate) struct Mask<const W: usize>([u64; W]);

macro_rules! operator {
    ($trait:ident, $method:ident, $op:tt) => {
        impl<const W: usize> $trait for Vector<W> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.zip(other, |a, b| a $op b)
            }
        }
    };
}
operator!(Add, add, +);
operator!(Sub, sub, -);
operator!(Mul, mul, *);

/// W vectors in space.
pub(crate) type Triple<const W: usize> = [Vector<W>; 3];

/// a·b
#[inline(always)]
pub(crate) fn dot<const W: usize>(a: Triple<W>, b: Triple<W>) -> Vector<W> {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a + b
#[inline(always)]
pub(crate) fn plus<const W: usize>(a: Triple<W>, b: Triple<W>) -> Triple<W> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// a - b
#[inline(always)]
pub(crate) fn minus<const W: usize>(a: Triple<W>, b: Triple<W>) -> Triple<W> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
