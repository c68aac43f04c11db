//! The beam of the Test Set for IVP Solvers \[Hairer & Wanner 1996, IV.1; Mazzia & Magherini 2008\]: an elastic beam of length 1
//! that does not stretch, clamped at one end and upright at first, in 40 links, with 80 unknowns; oscillations up to 6,400 make
//! it stiff. Without units.
//!
//! With theta_l the angles of the links, n = 40, theta_0 = -theta_1, theta_n+1 = theta_n and a force \[F_x, F_y\] at the free
//! end:
//!
//! - v_l = n⁴ (theta_l-1 - 2 theta_l + theta_l+1) + n² (F_y cos theta_l - F_x sin theta_l)
//! - C u = D v + theta'²
//! - theta'' = C v + D u
//!
//! C is symmetric and tridiagonal, with 1, 2 ... 2, 3 on its diagonal and -cos(theta_l - theta_k) beside it; D has zeros there
//! and -sin(theta_l - theta_k) beside them. C + i D is the inverse of what the masses of links do to each other,
//! (n + 1/2 - max(l, k)) exp(i (theta_l - theta_k)).

use std::f64::consts::PI;

use crate::numerics::extrapolation::advance;

/// n, links of the beam.
pub const LINKS: usize = 40;
/// Where the solution is printed \[-\].
pub const END_TIME: f64 = 5.0;
/// theta_1, theta_40 and theta'_40 that are printed there, y_1, y_40 and y_80 of the set; at t = 0 all are zero.
pub const PUBLISHED: [f64; 3] = [-5.792366591285007e-3, -0.1767201761075488, 1.186724615113034];

/// Angles of the links and their velocities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// theta.
    pub angles: [f64; LINKS],
    /// theta'.
    pub velocities: [f64; LINKS],
}

/// At rest on a line, at t = 0.
pub const START: State = State { angles: [0.0; LINKS], velocities: [0.0; LINKS] };

/// \[F_x, F_y\] = \[-1, 1\] 3/2 sin² t up to t = pi, and zero from then on.
pub fn end_force(t: f64) -> [f64; 2] {
    let sin = if t < PI { libm::sin(t) } else { 0.0 };
    [-1.5 * sin * sin, 1.5 * sin * sin]
}

/// theta'' under the force F at the free end.
pub fn acceleration([force_x, force_y]: [f64; 2], State { angles, velocities }: &State) -> [f64; LINKS] {
    const N: f64 = LINKS as f64;
    let last = LINKS - 1;
    let mut beside = [[0.0; 2]; LINKS - 1]; // [sin, cos] of theta_l+1 - theta_l
    for l in 0..last {
        let (sin, cos) = libm::sincos(angles[l + 1] - angles[l]);
        beside[l] = [sin, cos];
    }
    let v: [f64; LINKS] = std::array::from_fn(|l| {
        let before = if l == 0 { -angles[0] } else { angles[l - 1] };
        let after = if l == last { angles[last] } else { angles[l + 1] };
        let (sin, cos) = libm::sincos(angles[l]);
        N * N * N * N * (before - 2.0 * angles[l] + after) + N * N * (force_y * cos - force_x * sin)
    });
    let diagonal = |l: usize| {
        if l == 0 {
            1.0
        } else if l == last {
            3.0
        } else {
            2.0
        }
    };
    // (D x)_l = sin(theta_l+1 - theta_l) x_l+1 - sin(theta_l - theta_l-1) x_l-1
    let by_sines = |x: &[f64; LINKS], l: usize| {
        let after = if l < last { beside[l][0] * x[l + 1] } else { 0.0 };
        let before = if l > 0 { beside[l - 1][0] * x[l - 1] } else { 0.0 };
        after - before
    };
    let by_cosines = |x: &[f64; LINKS], l: usize| {
        let after = if l < last { beside[l][1] * x[l + 1] } else { 0.0 };
        let before = if l > 0 { beside[l - 1][1] * x[l - 1] } else { 0.0 };
        diagonal(l) * x[l] - after - before
    };

    let mut u: [f64; LINKS] = std::array::from_fn(|l| by_sines(&v, l) + velocities[l] * velocities[l]);
    let mut pivots = [diagonal(last); LINKS];
    for l in (0..last).rev() {
        let factor = beside[l][1] / pivots[l + 1]; // C by elimination from its end
        pivots[l] = diagonal(l) - beside[l][1] * factor;
        u[l] += factor * u[l + 1];
    }
    u[0] /= pivots[0];
    for l in 1..LINKS {
        u[l] = (u[l] + beside[l - 1][1] * u[l - 1]) / pivots[l];
    }
    std::array::from_fn(|l| by_cosines(&v, l) + by_sines(&u, l))
}

/// The state at t, 0 <= t, in explicit steps of at most 1/3200, which are stable: angles to 1e-12, velocities to 1e-9, for
/// rounding feeds oscillations that nothing damps.
pub fn solution(t: f64) -> State {
    in_steps(t, 3200.0)
}

fn in_steps(t: f64, steps_per_unit: f64) -> State {
    let of =
        |y: &[f64; 2 * LINKS]| State { angles: std::array::from_fn(|l| y[l]), velocities: std::array::from_fn(|l| y[LINKS + l]) };
    let mut y = [0.0; 2 * LINKS];
    for [start, end] in [[0.0, t.min(PI)], [PI, t.max(PI)]] {
        // the second derivative of the force jumps at pi
        let steps = libm::ceil((end - start) * steps_per_unit) as usize;
        y = advance([start, end], steps, y, |t, y| {
            let state = of(y);
            let acceleration = acceleration(if start < PI { end_force(t) } else { [0.0; 2] }, &state);
            std::array::from_fn(|k| if k < LINKS { state.velocities[k] } else { acceleration[k - LINKS] })
        });
    }
    of(&y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_the_published_one() {
        let [coarse, fine] = [2400.0, 3200.0].map(|rate| in_steps(END_TIME, rate));
        let printed = |state: &State| [state.angles[0], state.angles[39], state.velocities[39]];
        for (k, limit) in [1e-12, 1e-12, 1e-9].into_iter().enumerate() {
            let [coarse, fine] = [&coarse, &fine].map(|state| printed(state)[k]);
            assert!((fine - PUBLISHED[k]).abs() < limit, "{k}: {fine} {}", PUBLISHED[k]);
            assert!((fine - coarse).abs() < limit, "{k}: {fine} {coarse}");
        }
    }

    /// Sum over k of g_lk (cos(theta_l - theta_k) theta''_k + sin(theta_l - theta_k) theta'_k²) with g_lk = n + 1/2 - max(l, k):
    /// what the masses of links beyond both do, a dense system.
    #[test]
    fn accelerations_obey_the_equation_of_the_links() {
        let wave = |l: usize, k: f64| libm::sin(k * (l as f64 + 0.3));
        let angles: [f64; LINKS] = std::array::from_fn(|l| 0.3 * wave(l, 0.1) + 0.02 * wave(l, 0.9));
        let velocities = std::array::from_fn(|l| 2.0 * wave(l, 0.2) - wave(l, 0.07));
        let force = [-0.7, 1.1];
        let n = LINKS as f64;
        let found = acceleration(force, &State { angles, velocities });
        for l in 0..LINKS {
            let inertia: f64 = (0..LINKS)
                .map(|k| {
                    let (sin, cos) = libm::sincos(angles[l] - angles[k]);
                    (n - 0.5 - l.max(k) as f64) * (cos * found[k] + sin * velocities[k] * velocities[k]) // l, k from 0
                })
                .sum();
            let before = if l == 0 { -angles[0] } else { angles[l - 1] };
            let after = if l == LINKS - 1 { angles[l] } else { angles[l + 1] };
            let (sin, cos) = libm::sincos(angles[l]);
            let applied = n * n * n * n * (before - 2.0 * angles[l] + after) + n * n * (force[1] * cos - force[0] * sin);
            assert!((inertia - applied).abs() < 1e-5, "{inertia} {applied} of link {l}");
        }
    }

    #[test]
    fn the_force_ends_at_pi() {
        assert_eq!(end_force(0.0), [0.0; 2]);
        assert_eq!(end_force(0.5 * PI), [-1.5, 1.5]);
        assert_eq!(end_force(4.0), [0.0; 2]);
    }
}
