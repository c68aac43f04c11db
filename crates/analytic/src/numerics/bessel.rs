use super::root::root;

/// The first zero above 0 of J_nu, for nu > -1, by its series J_nu(x) ~ sum of (-y)^k / (k! (nu + 1) ... (nu + k)), y = x²/4.
///
/// Rayleigh's sums over all zeros, of 1/j² and 1/j⁴, bound it: nu + 1 < y < (nu + 1) (nu + 2) \[Watson 1944, 15.51\].
pub fn first_zero(nu: f64) -> f64 {
    assert!(nu > -1.0, "J of order {nu} has zeros that are not real");
    let series = |y: f64| {
        let (mut sum, mut term, mut k) = (1.0, 1.0_f64, 1.0);
        while term.abs() > 1e-18 {
            term *= -y / (k * (nu + k));
            sum += term;
            k += 1.0;
        }
        sum
    };
    2.0 * libm::sqrt(root(nu + 1.0, (nu + 1.0) * (nu + 2.0), series))
}

/// The zero above 0 of J_n number `count`, from 1.
pub fn zero(n: usize, count: usize) -> f64 {
    assert!(count > 0, "zeros are counted from 1");
    let value = |x: f64| libm::jn(n as i32, x);
    let step = 0.5; // zeros are more than 2 apart
    let mut x = n as f64 + step; // below the first one
    let mut left = count;
    loop {
        if value(x) * value(x + step) <= 0.0 {
            left -= 1;
            if left == 0 {
                return root(x, x + step, value);
            }
        }
        x += step;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    #[test]
    fn zeros_are_those_of_tables() {
        // [Abramowitz & Stegun 1964, table 9.5]
        for (n, count, table) in [
            (0, 1, 2.404_825_557_7),
            (0, 2, 5.520_078_110_3),
            (0, 3, 8.653_727_912_9),
            (1, 1, 3.831_705_970_2),
            (1, 2, 7.015_586_669_8),
            (2, 1, 5.135_622_301_8),
            (8, 1, 12.225_092_264_0),
        ] {
            assert!((zero(n, count) - table).abs() < 6e-11, "j_{n},{count} = {}", zero(n, count));
        }
    }

    #[test]
    fn the_series_has_the_zeros_of_whole_and_half_orders() {
        assert!((first_zero(0.0) - zero(0, 1)).abs() < 1e-14);
        assert!((first_zero(1.0) - zero(1, 1)).abs() < 1e-14);
        assert!((first_zero(-0.5) - FRAC_PI_2).abs() < 1e-15); // J_-1/2 ~ cos x / sqrt x
        assert!((first_zero(0.5) - PI).abs() < 1e-14); // J_1/2 ~ sin x / sqrt x
    }
}
