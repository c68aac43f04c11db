//! Boxes along the axes, exact ones and rough ones.

use crate::Vec3;

/// A box along the axes \[m\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Least coordinates.
    pub low: [f64; 3],
    /// Greatest coordinates.
    pub high: [f64; 3],
}

impl Bounds {
    /// What holds nothing.
    pub const NONE: Bounds = Bounds { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };

    /// The box of points, `beyond` \[m\] larger on every side.
    pub fn of<'a>(points: impl IntoIterator<Item = &'a Vec3>, beyond: f64) -> Bounds {
        let all = points.into_iter().fold(Bounds::NONE, |Bounds { low, high }, x| Bounds {
            low: [0, 1, 2].map(|k| low[k].min(x[k])),
            high: [0, 1, 2].map(|k| high[k].max(x[k])),
        });
        Bounds { low: all.low.map(|q| q - beyond), high: all.high.map(|q| q + beyond) }
    }

    /// Whether two boxes have a point in common.
    #[inline]
    pub fn meets(&self, other: &Bounds) -> bool {
        (0..3).all(|k| self.low[k] <= other.high[k] && other.low[k] <= self.high[k])
    }
}

/// How coordinates become numbers of single precision: about a centre, and of a size that neither overflows nor underflows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    pub centre: Vec3,
    pub scale: f64,
}

impl Frame {
    /// Of places that are not to be moved.
    pub const IDENTITY: Frame = Frame { centre: Vec3::new(0.0, 0.0, 0.0), scale: 1.0 };

    /// For coordinates within a box.
    pub fn about(all: &Bounds) -> Frame {
        let [low, high] = [all.low, all.high].map(Vec3::from);
        let (centre, extent) = (0.5 * (low + high), (high - low).amax());
        let frame = Frame { centre, scale: 1.0 / extent };
        if frame.scale.is_normal() && centre.iter().all(|q| q.is_finite()) { frame } else { Frame::IDENTITY }
    }
}

/// A box in single precision: its least coordinates, and the greatest ones with their signs changed. Rounding never changes the
/// order of two numbers, and boxes are told apart by the order of their coordinates alone: rough boxes meet wherever the exact
/// ones do.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Rough([f32; 8]);

impl Rough {
    /// What holds nothing.
    pub const NONE: Rough = Rough([f32::INFINITY; 8]);

    /// The rough form of a box.
    #[inline(always)]
    pub fn of(exact: &Bounds, Frame { centre, scale }: &Frame) -> Rough {
        let rough = |q: f64, k: usize| ((q - centre[k]) * scale) as f32;
        let ([a, b, c], [x, y, z]) = (exact.low, exact.high);
        Rough([rough(a, 0), rough(b, 1), rough(c, 2), 0.0, -rough(x, 0), -rough(y, 1), -rough(z, 2), 0.0])
    }

    /// The box of two boxes.
    #[inline(always)]
    pub fn with(&self, other: &Rough) -> Rough {
        let mut both = self.0;
        for k in 0..8 {
            both[k] = if other.0[k] < both[k] { other.0[k] } else { both[k] };
        }
        Rough(both)
    }

    /// What another box is compared with, number by number.
    #[inline(always)]
    pub fn limits(&self) -> Limits {
        let mut limits = [0.0; 8];
        for k in 0..8 {
            limits[k] = -self.0[(k + 4) % 8];
        }
        Limits(limits)
    }

    /// Whether it has a point in common with the box of these limits.
    #[inline(always)]
    pub fn meets(&self, limits: &Limits) -> bool {
        let mut all = true;
        for k in 0..8 {
            all &= self.0[k] <= limits.0[k];
        }
        all
    }
}

/// The greatest coordinates of a rough box, and the least ones with their signs changed.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(crate) struct Limits([f32; 8]);

/// Eight rough boxes, number by number.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(crate) struct Eight([[f32; 8]; 6]);

impl Eight {
    /// What holds nothing.
    pub const NONE: Eight = Eight([[f32::INFINITY; 8]; 6]);

    /// Overwrites a box.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, Rough([x, y, z, _, u, v, w, _]): &Rough) {
        for (row, q) in self.0.iter_mut().zip([x, y, z, u, v, w]) {
            row[lane] = *q;
        }
    }

    /// A bit for each box, the lowest for the first one: whether it meets a box of `other`.
    #[inline(always)]
    pub fn meeting(&self, other: &Eight, lane: usize) -> u64 {
        let mut meets = [1_u8; 8];
        for k in 0..6 {
            let limit = -other.0[(k + 3) % 6][lane];
            for own in 0..8 {
                meets[own] &= u8::from(self.0[k][own] <= limit);
            }
        }
        u64::from_le_bytes(meets).wrapping_mul(0x0102_0408_1020_4080) >> 56 // one bit of each byte
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn coordinate() -> impl Strategy<Value = f64> {
        // many that are equal, or differ by what single precision does not tell
        (-3..=3_i32, -2..=2_i32).prop_map(|(whole, rest)| f64::from(whole) + 1e-9 * f64::from(rest))
    }

    fn boxes() -> impl Strategy<Value = Vec<Bounds>> {
        let corner = || prop::array::uniform3(coordinate()).prop_map(Vec3::from);
        prop::collection::vec((corner(), corner()).prop_map(|(a, b)| Bounds::of([&a, &b], 0.0)), 8)
    }

    proptest! {
        #[test]
        fn rough_boxes_meet_where_exact_ones_do(
            boxes in boxes(),
            scale in prop_oneof![Just(1.0), Just(1e-50), Just(1e60)],
            offset in prop_oneof![Just(0.0), Just(1e3)],
        ) {
            let moved = |q: [f64; 3]| q.map(|q| scale * (q + offset));
            let boxes: Vec<Bounds> = boxes.iter().map(|all| Bounds { low: moved(all.low), high: moved(all.high) }).collect();
            let all = Bounds::of(&boxes.iter().flat_map(|own| [own.low, own.high].map(Vec3::from)).collect::<Vec<Vec3>>(), 0.0);
            for frame in [Frame::about(&all), Frame::IDENTITY] {
                let rough: Vec<Rough> = boxes.iter().map(|exact| Rough::of(exact, &frame)).collect();
                let mut eight = Eight::NONE;
                (0..8).for_each(|k| eight.set(k, &rough[k]));
                for j in 0..8 {
                    let bits = eight.meeting(&eight, j);
                    for i in 0..8 {
                        let meets = rough[i].meets(&rough[j].limits());
                        prop_assert!(meets || !boxes[i].meets(&boxes[j]), "{:?} {:?}", boxes[i], boxes[j]);
                        prop_assert_eq!(meets, bits >> i & 1 == 1);
                        prop_assert!(rough[i].with(&rough[j]).meets(&rough[j].limits()));
                    }
                }
            }
            // about their centre, rough boxes tell all that lies a millionth of their extent apart
            let frame = Frame::about(&all);
            let beyond = 1e-6 / frame.scale;
            for i in 0..8 {
                let larger = Bounds { low: boxes[i].low.map(|q| q - beyond), high: boxes[i].high.map(|q| q + beyond) };
                for j in 0..8 {
                    let meets = Rough::of(&boxes[i], &frame).meets(&Rough::of(&boxes[j], &frame).limits());
                    prop_assert!(!meets || larger.meets(&boxes[j]));
                }
            }
        }
    }

    #[test]
    fn what_holds_nothing_meets_nothing() {
        let everything = Rough::of(&Bounds { low: [-1e30; 3], high: [1e30; 3] }, &Frame::IDENTITY);
        assert!(everything.meets(&everything.limits()));
        assert!(!Rough::NONE.meets(&everything.limits()) && !everything.meets(&Rough::NONE.limits()));
        let mut eight = Eight::NONE;
        eight.set(3, &everything);
        assert_eq!([0, 3].map(|lane| eight.meeting(&eight, lane)), [0, 0b1000]);
        assert_eq!(Frame::about(&Bounds::NONE), Frame::IDENTITY);
        assert_eq!(Frame::about(&Bounds { low: [0.5; 3], high: [0.5; 3] }), Frame::IDENTITY);
    }
}
