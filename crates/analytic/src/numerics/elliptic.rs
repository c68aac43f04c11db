use std::f64::consts::FRAC_PI_2;

/// The arithmetic-geometric mean of a, b > 0.
pub fn mean(mut a: f64, mut b: f64) -> f64 {
    while (a - b).abs() > 1e-15 * a {
        (a, b) = (0.5 * (a + b), libm::sqrt(a * b));
    }
    a
}

/// K, a quarter of the period of sn, of the complementary modulus k' = sqrt(1 - k²) > 0: K = pi / (2 M(1, k')).
pub fn quarter(complement: f64) -> f64 {
    FRAC_PI_2 / mean(1.0, complement)
}

/// F(phi, k), the integral of 1 / sqrt(1 - k² sin²), for 0 <= phi <= pi/2 and k² < 1: sin R_F(cos², 1 - k² sin², 1).
pub fn first(phi: f64, k: f64) -> f64 {
    let (sin, cos) = libm::sincos(phi);
    sin * carlson_first(cos * cos, 1.0 - k * k * sin * sin)
}

/// E(phi, k), the integral of sqrt(1 - k² sin²), for 0 <= phi <= pi/2 and k² <= 1: F - k²/3 sin³ R_D(cos², 1 - k² sin², 1).
pub fn second(phi: f64, k: f64) -> f64 {
    let (sin, cos) = libm::sincos(phi);
    let y = 1.0 - k * k * sin * sin;
    first(phi, k) - k * k / 3.0 * sin * sin * sin * carlson_second(cos * cos, y)
}

/// R_F(x, y, 1) by doubling until its arguments are equal \[Carlson 1995\].
fn carlson_first(x: f64, y: f64) -> f64 {
    let [mut x, mut y, mut z] = [x, y, 1.0];
    loop {
        let middle = (x + y + z) / 3.0;
        let [dx, dy, dz] = [1.0 - x / middle, 1.0 - y / middle, 1.0 - z / middle];
        if dx.abs().max(dy.abs()).max(dz.abs()) < 1e-3 {
            let (e2, e3) = (dx * dy - dz * dz, dx * dy * dz);
            return (1.0 - e2 / 10.0 + e3 / 14.0 + e2 * e2 / 24.0 - 3.0 * e2 * e3 / 44.0) / libm::sqrt(middle);
        }
        [x, y, z] = doubled([x, y, z]).0;
    }
}

/// R_D(x, y, 1) by doubling, as [`carlson_first`].
fn carlson_second(x: f64, y: f64) -> f64 {
    let [mut x, mut y, mut z] = [x, y, 1.0];
    let (mut sum, mut weight) = (0.0, 1.0);
    loop {
        let middle = (x + y + 3.0 * z) / 5.0;
        let [dx, dy, dz] = [1.0 - x / middle, 1.0 - y / middle, 1.0 - z / middle];
        if dx.abs().max(dy.abs()).max(dz.abs()) < 1e-3 {
            let (xy, zz) = (dx * dy, dz * dz);
            let (e2, e3) = (xy - 6.0 * zz, (3.0 * xy - 8.0 * zz) * dz);
            let (e4, e5) = (3.0 * (xy - zz) * zz, xy * zz * dz);
            let series = 1.0 - 3.0 / 14.0 * e2 + e3 / 6.0 + 9.0 / 88.0 * e2 * e2 - 3.0 / 22.0 * e4 - 9.0 / 52.0 * e2 * e3
                + 3.0 / 26.0 * e5;
            return 3.0 * sum + weight * series / (middle * libm::sqrt(middle));
        }
        let (next, lambda) = doubled([x, y, z]);
        sum += weight / (libm::sqrt(z) * (z + lambda));
        weight *= 0.25;
        [x, y, z] = next;
    }
}

/// (x + lambda) / 4 of each, with lambda = sqrt(x y) + sqrt(x z) + sqrt(y z).
fn doubled(xyz: [f64; 3]) -> ([f64; 3], f64) {
    let [x, y, z] = xyz.map(libm::sqrt);
    let lambda = x * y + x * z + y * z;
    (xyz.map(|x| 0.25 * (x + lambda)), lambda)
}

/// Jacobi's sn, cn and dn of u for 0 <= k < 1, by the descending Landen transformation \[Abramowitz & Stegun 1964, 16.4\].
pub fn jacobi(u: f64, k: f64) -> [f64; 3] {
    let (mut a, mut b, mut c) = (1.0, libm::sqrt((1.0 - k) * (1.0 + k)), k);
    let mut ratios = [0.0; 16];
    let mut count = 0;
    while c.abs() > 1e-16 * a && count < ratios.len() {
        (a, b, c) = (0.5 * (a + b), libm::sqrt(a * b), 0.5 * (a - b));
        ratios[count] = c / a;
        count += 1;
    }
    let mut phi = libm::ldexp(a * u, count as i32); // 2^N a_N u
    for ratio in ratios[..count].iter().rev() {
        phi = 0.5 * (phi + libm::asin(ratio * libm::sin(phi))); // sin(2 phi_n-1 - phi_n) = c_n / a_n sin phi_n
    }
    let (sn, cn) = libm::sincos(phi);
    [sn, cn, libm::sqrt(1.0 - k * k * sn * sn)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::integral::integral;

    #[test]
    fn integrals_are_those_by_a_rule() {
        for k in [0.0, 0.3, 0.9, 0.999] {
            for phi in [0.1, 0.8, 1.5, FRAC_PI_2] {
                let root = |u: f64| {
                    let sin = libm::sin(phi * u);
                    libm::sqrt(1.0 - k * k * sin * sin)
                };
                let (f, e) = (phi * integral(|u, _| 1.0 / root(u)), phi * integral(|u, _| root(u)));
                assert!((first(phi, k) - f).abs() < 2e-14 * f, "F({phi}, {k}) = {} {f}", first(phi, k));
                assert!((second(phi, k) - e).abs() < 2e-14, "E({phi}, {k}) = {} {e}", second(phi, k));
            }
            let complement = libm::sqrt(1.0 - k * k);
            assert!((quarter(complement) - first(FRAC_PI_2, k)).abs() < 1e-14, "K({k})");
        }
    }

    #[test]
    fn sn_inverts_the_integral() {
        for k in [0.0, 0.2, 0.7, 0.99] {
            for phi in [0.0, 0.4, 1.2, FRAC_PI_2] {
                let [sn, cn, dn] = jacobi(first(phi, k), k);
                assert!((sn - libm::sin(phi)).abs() < 1e-14 && (cn - libm::cos(phi)).abs() < 2e-14, "{phi} {k}: {sn} {cn}");
                assert!((dn * dn + k * k * sn * sn - 1.0).abs() < 1e-15);
            }
        }
    }
}
