use std::ops::{Add, Div, Mul, Neg, Sub};

/// What vectors are made of: numbers, or lanes of them.
pub trait Arithmetic:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
}

impl<T> Arithmetic for T where T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Div<Output = T> + Neg<Output = T> {}

/// W independent numbers. Plain arrays: the compiler turns them into registers of the instruction set in force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vector<const W: usize, S = f64>(pub [S; W]);

impl<const W: usize, S: Copy> Vector<W, S> {
    #[inline(always)]
    pub(super) fn zip(self, other: Self, f: impl Fn(S, S) -> S) -> Self {
        let mut lanes = self.0;
        for i in 0..W {
            lanes[i] = f(self.0[i], other.0[i]);
        }
        Vector(lanes)
    }
}

impl<const W: usize> Vector<W> {
    /// Nothing but zeros.
    pub const ZERO: Vector<W> = Vector([0.0; W]);

    /// One over each lane.
    #[inline(always)]
    pub fn recip(self) -> Self {
        self.zip(self, |a, _| 1.0 / a)
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
pub struct Mask<const W: usize>([u64; W]);

macro_rules! operator {
    ($trait:ident, $method:ident, $op:tt) => {
        impl<const W: usize, S: Copy + $trait<Output = S>> $trait for Vector<W, S> {
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
operator!(Div, div, /);

impl<const W: usize, S: Copy + Neg<Output = S>> Neg for Vector<W, S> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.zip(self, |a, _| -a)
    }
}

/// W vectors in space.
pub type Triple<const W: usize> = [Vector<W>; 3];

/// a·b
#[inline(always)]
pub fn dot<T: Arithmetic>(a: [T; 3], b: [T; 3]) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a + b
#[inline(always)]
pub fn plus<T: Arithmetic, const C: usize>(mut a: [T; C], b: [T; C]) -> [T; C] {
    for q in 0..C {
        a[q] = a[q] + b[q];
    }
    a
}

/// a - b
#[inline(always)]
pub fn minus<T: Arithmetic, const C: usize>(mut a: [T; C], b: [T; C]) -> [T; C] {
    for q in 0..C {
        a[q] = a[q] - b[q];
    }
    a
}

/// s a
#[inline(always)]
pub fn scaled<T: Arithmetic, const C: usize>(s: T, mut a: [T; C]) -> [T; C] {
    for q in 0..C {
        a[q] = s * a[q];
    }
    a
}
