use linsolve::lanes::Lanes;

/// Angles of W points at a time, from -pi to pi, to the bits of `libm::atan2(y, x)`: the method of FreeBSD's `e_atan2.c` and
/// `s_atan.c` without their branches. Points of which one is special, on an axis, far from all others in size or not finite, and
/// one point alone are left to libm.
#[inline(always)]
pub(super) fn angle<const W: usize, E: Lanes<W, Number = f64>>(y: E, x: E) -> E {
    let (zero, one) = (E::splat(0.0), E::splat(1.0));
    let (below, left) = (zero.reaching(y), zero.reaching(x)); // y < 0, x < 0
    let (height, width) = ((-y).max(y), (-x).max(x));
    let ratio = height / width;
    let usual = height.reaching(E::splat(LEAST)) & E::splat(MOST).reaching(height);
    let usual = usual & width.reaching(E::splat(LEAST)) & E::splat(MOST).reaching(width);
    let usual = usual & ratio.reaching(E::splat(SMALL_RATIO)) & E::splat(1.0 / SMALL_RATIO).reaching(ratio);
    if W == 1 || usual != u8::MAX {
        return one_at_a_time(y, x);
    }
    // arc tangent of the ratio q: that of t = (q - c) / (1 + c q), and of c
    let mut rise = ratio;
    let mut run = one;
    let (mut high, mut low) = (zero, zero);
    let ranges = [
        (0.4375, E::splat(2.0) * ratio - one, E::splat(2.0) + ratio, OF_HALF),
        (0.6875, ratio - one, ratio + one, OF_ONE),
        (1.1875, ratio - E::splat(1.5), one + E::splat(1.5) * ratio, OF_THREE_HALVES),
        (2.4375, -one, ratio, OF_INFINITY),
    ];
    for (from, rise_here, run_here, [high_here, low_here]) in ranges {
        let lanes = ratio.reaching(E::splat(from));
        rise = rise.replaced(lanes, rise_here);
        run = run.replaced(lanes, run_here);
        high = high.replaced(lanes, E::splat(high_here));
        low = low.replaced(lanes, E::splat(low_here));
    }
    let t = rise / run;
    let z = t * t;
    let w = z * z;
    let (mut odd, mut even) = (E::splat(SERIES[10]), E::splat(SERIES[9]));
    for k in [8, 6, 4, 2, 0] {
        odd = E::splat(SERIES[k]) + w * odd;
    }
    for k in [7, 5, 3, 1] {
        even = E::splat(SERIES[k]) + w * even;
    }
    let bent = t * (z * odd + w * even);
    let angle = (high - ((bent - low) - t)).replaced(!ratio.reaching(E::splat(0.4375)), t - bent);
    let turned = angle - E::splat(PI_LOW);
    let (right, left_above) = (angle, E::splat(PI) - turned);
    right.replaced(below, -right).replaced(left, left_above.replaced(below, turned - E::splat(PI)))
}

/// Sizes that are not special \[-\].
const LEAST: f64 = 1e-150;
const MOST: f64 = 1e150;

/// 2⁻²⁶ \[-\]: ratios below half of it are their own arc tangents, and about as far above 1 the width hardly matters.
const SMALL_RATIO: f64 = 1.0 / 67_108_864.0;

const PI: f64 = std::f64::consts::PI;

/// What pi has beyond [`PI`].
const PI_LOW: f64 = 1.224_646_799_147_353_2e-16;

/// Arc tangents of 1/2, 1, 3/2 and infinity, each as a number and what it has beyond that.
const OF_HALF: [f64; 2] = [0.463_647_609_000_806_1, 2.269_877_745_296_168_7e-17];
const OF_ONE: [f64; 2] = [std::f64::consts::FRAC_PI_4, 3.061_616_997_868_383e-17];
const OF_THREE_HALVES: [f64; 2] = [0.982_793_723_247_329, 1.390_331_103_123_099_8e-17];
const OF_INFINITY: [f64; 2] = [std::f64::consts::FRAC_PI_2, 6.123_233_995_736_766e-17];

/// 1/3, -1/5, 1/7 and so on, but for what the ends of the series lack.
const SERIES: [f64; 11] = [
    0.333_333_333_333_329_3,
    -0.199_999_999_998_764_83,
    0.142_857_142_725_034_66,
    -0.111_111_104_054_623_56,
    0.090_908_871_334_365_07,
    -0.076_918_762_050_448_3,
    0.066_610_731_373_875_31,
    -0.058_335_701_337_905_735,
    0.049_768_779_946_159_324,
    -0.036_531_572_744_216_916,
    0.016_285_820_115_365_782,
];

/// Angles by libm.
#[inline(never)]
fn one_at_a_time<const W: usize, E: Lanes<W, Number = f64>>(y: E, x: E) -> E {
    let (mut ys, mut xs) = ([0.0; W], [0.0; W]);
    y.store(&mut ys);
    x.store(&mut xs);
    for (y, x) in ys.iter_mut().zip(xs) {
        *y = libm::atan2(*y, x);
    }
    E::load(&ys)
}

#[cfg(test)]
mod tests {
    use super::*;
    use linsolve::lanes::{Eight, InstructionSet, Kernel};

    /// Angles of points in rows of eight.
    struct Angles<'a>(&'a [[[f64; 8]; 2]]);

    impl Kernel for Angles<'_> {
        type Output = Vec<[f64; 8]>;

        #[inline(always)]
        fn run<E: Eight>(self) -> Vec<[f64; 8]> {
            let mut angles = vec![[0.0; 8]; self.0.len()];
            for ([y, x], angles) in self.0.iter().zip(&mut angles) {
                angle(E::load(y), E::load(x)).store(angles);
            }
            angles
        }
    }

    #[test]
    fn angles_have_the_bits_of_libm_all_around_and_where_they_are_special() {
        let mut points = vec![];
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        for spread in [0.0, 1.0, 8.0, 25.0, 40.0, 400.0] {
            for _ in 0..5000 {
                let mut row = [[0.0; 8]; 2];
                row.as_flattened_mut().iter_mut().for_each(|c| *c = random() * libm::exp2(spread * random()));
                points.push(row);
            }
        }
        // about the ends of the ranges, and on the axes
        let edges = [0.4375, 0.6875, 1.0, 1.1875, 2.4375, SMALL_RATIO, 1.0 / SMALL_RATIO];
        for edge in edges {
            let near = |edge: f64, k: usize| f64::from_bits(edge.to_bits() + k as u64 - 4);
            points.push([std::array::from_fn(|k| near(edge, k)), [1.0; 8]]);
            points.push([std::array::from_fn(|k| near(-edge, k)), [-1.0; 8]]);
        }
        for special in [0.0, -0.0, 1e-320, 1e-200, 1e200, f64::INFINITY, -f64::INFINITY] {
            for other in [0.0, -0.0, 1.0, -1.0, 1e-320, 1e300, f64::INFINITY, -f64::INFINITY] {
                let mut row = [[0.3; 8], [0.7; 8]];
                (row[0][3], row[1][3], row[0][5], row[1][5]) = (special, other, other, special);
                points.push(row);
            }
        }
        for set in InstructionSet::supported() {
            for ([y, x], angles) in points.iter().zip(set.run(Angles(&points))) {
                for k in 0..8 {
                    assert_eq!(angles[k].to_bits(), libm::atan2(y[k], x[k]).to_bits(), "{set}: {} over {}", y[k], x[k]);
                }
            }
        }
    }
}
