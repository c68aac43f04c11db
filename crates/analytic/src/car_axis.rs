//! The car axis of the Test Set for IVP Solvers \[Mazzia & Magherini 2008\]: a bumpy road moves a differential-algebraic system
//! of index 3 that is not stiff. Without units.
//!
//! An axle of length 1 between two wheels, at \[x_l, y_l\] and \[x_r, y_r\], each of mass kappa = M eps²/2 and on a spring of
//! stiffness 1 and rest length 1/2: the left one's foot is fixed at the origin, the right one's goes over the road, \[x_b, y_b\]
//! with y_b = sin(10 t)/10 and x_b² + y_b² = 1. The left spring is kept normal to the line of both feet. q = \[x_l, y_l, x_r,
//! y_r\]:
//!
//! kappa q'' = f(t, q) + Gᵀ lambda, g(t, q) = 0, G = dg/dq.

use crate::numerics::extrapolation::advance;

/// kappa = M eps²/2 \[-\], with M = 10, eps = 0.01.
pub const MASS: f64 = 10.0 * 0.01 * 0.01 / 2.0;
/// Rest length of both springs, whose stiffness is 1 \[-\].
pub const REST_LENGTH: f64 = 0.5;
/// Length of the axle, and between the feet \[-\].
pub const AXLE: f64 = 1.0;
/// Acceleration of gravity \[-\].
pub const GRAVITY: f64 = 1.0;
/// Amplitude of the road \[-\].
pub const AMPLITUDE: f64 = 0.1;
/// Its angular frequency, 2 pi over a period of pi/5 \[-\].
pub const FREQUENCY: f64 = 10.0;
/// Where the solution is printed \[-\].
pub const END_TIME: f64 = 3.0;
/// q that is printed there, y_1 to y_4 of the set.
pub const PUBLISHED_PLACES: [f64; 4] = [0.04934557842755629, 0.4969894602303324, 1.0417425248854, 0.3739110272652214];

/// Places and velocities of the wheels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// q, \[x_l, y_l, x_r, y_r\].
    pub places: [f64; 4],
    /// q'.
    pub velocities: [f64; 4],
}

/// At t = 0, on g = 0 and G q' + g_t = 0.
pub const START: State =
    State { places: [0.0, REST_LENGTH, AXLE, REST_LENGTH], velocities: [-REST_LENGTH / AXLE, 0.0, -REST_LENGTH / AXLE, 0.0] };

/// \[x_b, y_b\], its velocity and its acceleration.
pub fn road(t: f64) -> [[f64; 2]; 3] {
    let (sin, cos) = libm::sincos(FREQUENCY * t);
    let [y, y1, y2] = [AMPLITUDE * sin, AMPLITUDE * FREQUENCY * cos, -AMPLITUDE * FREQUENCY * FREQUENCY * sin];
    let x = libm::sqrt(AXLE * AXLE - y * y);
    let x1 = -y * y1 / x; // x x' + y y' = 0
    let x2 = -(x1 * x1 + y1 * y1 + y * y2) / x; // x x'' + x'² + y y'' + y'² = 0
    [[x, y], [x1, y1], [x2, y2]]
}

/// f: springs (L0 - l) d / l and weight kappa g.
pub fn forces(t: f64, [xl, yl, xr, yr]: [f64; 4]) -> [f64; 4] {
    let [[xb, yb], ..] = road(t);
    let spring = |x: f64, y: f64| {
        let length = libm::hypot(x, y);
        [x, y].map(|side| (REST_LENGTH - length) * side / length)
    };
    let ([left_x, left_y], [right_x, right_y]) = (spring(xl, yl), spring(xr - xb, yr - yb));
    [left_x, left_y - MASS * GRAVITY, right_x, right_y - MASS * GRAVITY]
}

/// g: \[x_b x_l + y_b y_l, (x_l - x_r)² + (y_l - y_r)² - 1\].
pub fn constraints(t: f64, [xl, yl, xr, yr]: [f64; 4]) -> [f64; 2] {
    let [[xb, yb], ..] = road(t);
    let (dx, dy) = (xl - xr, yl - yr);
    [xb * xl + yb * yl, dx * dx + dy * dy - AXLE * AXLE]
}

/// G = dg/dq, a row a constraint.
pub fn constraint_jacobian(t: f64, [xl, yl, xr, yr]: [f64; 4]) -> [[f64; 4]; 2] {
    let [[xb, yb], ..] = road(t);
    let (dx, dy) = (2.0 * (xl - xr), 2.0 * (yl - yr));
    [[xb, yb, 0.0, 0.0], [dx, dy, -dx, -dy]]
}

/// q'' and lambda that keep g'' = G q'' + c = 0, c what g'' has besides: G Gᵀ lambda = -(G f + kappa c).
pub fn acceleration(t: f64, State { places, velocities }: State) -> ([f64; 4], [f64; 2]) {
    let [_, [xb1, yb1], [xb2, yb2]] = road(t);
    let [xl, yl, ..] = places;
    let [ul, vl, ur, vr] = velocities;
    let (du, dv) = (ul - ur, vl - vr);
    let besides = [xb2 * xl + yb2 * yl + 2.0 * (xb1 * ul + yb1 * vl), 2.0 * (du * du + dv * dv)];

    let f = forces(t, places);
    let rows = constraint_jacobian(t, places);
    let dot = |a: &[f64; 4], b: &[f64; 4]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    let [aa, ab, bb] = [dot(&rows[0], &rows[0]), dot(&rows[0], &rows[1]), dot(&rows[1], &rows[1])];
    let [p, q] = [0, 1].map(|k| -(dot(&rows[k], &f) + MASS * besides[k]));
    let determinant = aa * bb - ab * ab;
    let lambda = [(bb * p - ab * q) / determinant, (aa * q - ab * p) / determinant];
    (std::array::from_fn(|i| (f[i] + rows[0][i] * lambda[0] + rows[1][i] * lambda[1]) / MASS), lambda)
}

/// The state at t, 0 <= t, by [`acceleration`] in steps of at most 1/320: to 1e-12 at the end.
pub fn solution(t: f64) -> State {
    in_steps(t, 320.0)
}

fn in_steps(t: f64, steps_per_unit: f64) -> State {
    let steps = libm::ceil(t * steps_per_unit).max(1.0) as usize;
    let of = |y: &[f64; 8]| {
        let [xl, yl, xr, yr, ul, vl, ur, vr] = *y;
        State { places: [xl, yl, xr, yr], velocities: [ul, vl, ur, vr] }
    };
    let State { places: [xl, yl, xr, yr], velocities: [ul, vl, ur, vr] } = START;
    let y = advance([0.0, t], steps, [xl, yl, xr, yr, ul, vl, ur, vr], |t, y| {
        let state = of(y);
        let ([al, bl, ar, br], _) = acceleration(t, state);
        let [ul, vl, ur, vr] = state.velocities;
        [ul, vl, ur, vr, al, bl, ar, br]
    });
    of(&y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_the_published_one() {
        let found = solution(END_TIME);
        let coarse = in_steps(END_TIME, 160.0);
        for k in 0..4 {
            assert!((found.places[k] - PUBLISHED_PLACES[k]).abs() < 1e-12, "{k}: {found:?}");
            assert!((found.places[k] - coarse.places[k]).abs() < 1e-12, "{k}: {found:?} {coarse:?}");
        }
        let drift = constraints(END_TIME, found.places);
        assert!(drift[0].abs().max(drift[1].abs()) < 1e-11, "{drift:?}");
    }

    #[test]
    fn the_start_is_consistent() {
        assert_eq!(constraints(0.0, START.places), [0.0; 2]);
        let rows = constraint_jacobian(0.0, START.places);
        let [_, road_velocity, _] = road(0.0);
        let rate = |row: [f64; 4]| -> f64 { row.iter().zip(START.velocities).map(|(g, v)| g * v).sum() };
        let by_time = road_velocity[0] * START.places[0] + road_velocity[1] * START.places[1];
        assert_eq!([rate(rows[0]) + by_time, rate(rows[1])], [0.0; 2]);
    }

    #[test]
    fn derivatives_are_those_by_differences() {
        let (t, q, d) = (0.4, [0.02, 0.51, 1.03, 0.44], 1e-6);
        let rows = constraint_jacobian(t, q);
        for k in 0..4 {
            let moved = |sign: f64| constraints(t, std::array::from_fn(|i| q[i] + if i == k { sign * d } else { 0.0 }));
            let (after, before) = (moved(1.0), moved(-1.0));
            for c in 0..2 {
                assert!(((after[c] - before[c]) / (2.0 * d) - rows[c][k]).abs() < 1e-9, "{c} by {k}");
            }
        }
        let ([after, after_velocity, _], [before, before_velocity, _]) = (road(t + d), road(t - d));
        let [_, velocity, acceleration] = road(t);
        for k in 0..2 {
            assert!(((after[k] - before[k]) / (2.0 * d) - velocity[k]).abs() < 1e-9);
            assert!(((after_velocity[k] - before_velocity[k]) / (2.0 * d) - acceleration[k]).abs() < 1e-8);
        }
    }
}
