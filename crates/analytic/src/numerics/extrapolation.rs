/// Columns of the extrapolation.
const COLUMNS: usize = 6;

/// The order of [`advance`].
#[cfg(test)]
const ORDER: i32 = 2 * COLUMNS as i32;

/// Advances y of y' = f(t, y) from `start` to `end` in `steps` equal steps, by extrapolation of the explicit midpoint rule over
/// 2, 4 ... 12 substeps \[Gragg 1965; Hairer, Nørsett & Wanner 1993, II.9\]: of order 12. f is to be smooth over each step.
pub fn advance<const N: usize>(
    [start, end]: [f64; 2],
    steps: usize,
    mut y: [f64; N],
    mut f: impl FnMut(f64, &[f64; N]) -> [f64; N],
) -> [f64; N] {
    let h = (end - start) / steps as f64;
    for step in 0..steps {
        y = extrapolated(start + h * step as f64, h, &y, &mut f);
    }
    y
}

/// One step of length H: T_j,1 by n_j substeps, and T_j,k+1 = T_j,k + (T_j,k - T_j-1,k) / ((n_j / n_j-k)² - 1).
fn extrapolated<const N: usize>(t: f64, h: f64, y: &[f64; N], f: &mut impl FnMut(f64, &[f64; N]) -> [f64; N]) -> [f64; N] {
    let slope = f(t, y);
    let mut table = [[0.0; N]; COLUMNS];
    for j in 0..COLUMNS {
        table[j] = midpoint(t, h, 2 * (j + 1), y, &slope, f);
        for k in (0..j).rev() {
            let ratio = (j + 1) as f64 / (k + 1) as f64; // n_j / n_j-k
            let factor = 1.0 / (ratio * ratio - 1.0);
            for i in 0..N {
                table[k][i] = table[k + 1][i] + factor * (table[k + 1][i] - table[k][i]);
            }
        }
    }
    table[0]
}

/// The explicit midpoint rule over n substeps, n even: z_1 = z_0 + h f_0, z_m+1 = z_m-1 + 2 h f_m; its error is a series in h².
fn midpoint<const N: usize>(
    t: f64,
    h: f64,
    n: usize,
    y: &[f64; N],
    slope: &[f64; N],
    f: &mut impl FnMut(f64, &[f64; N]) -> [f64; N],
) -> [f64; N] {
    let h = h / n as f64;
    let mut before = *y;
    let mut z: [f64; N] = std::array::from_fn(|i| y[i] + h * slope[i]);
    for m in 1..n {
        let slope = f(t + h * m as f64, &z);
        for i in 0..N {
            (before[i], z[i]) = (z[i], before[i] + 2.0 * h * slope[i]);
        }
    }
    z
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Error at t = 8 of y' = y cos t, y = exp(sin t).
    fn error(steps: usize) -> f64 {
        let [y] = advance([0.0, 8.0], steps, [1.0], |t, [y]| [y * libm::cos(t)]);
        (y - libm::exp(libm::sin(8.0))).abs()
    }

    #[test]
    fn the_order_is_twelve() {
        let ratio = error(8) / error(16);
        let least = libm::pow(2.0, f64::from(ORDER) - 1.0);
        assert!(ratio > least, "{ratio}");
        assert!(error(64) < 1e-13, "{}", error(64));
    }

    #[test]
    fn two_columns_by_hand() {
        // y' = y: two substeps of h/2 give 1 + h + h²/2, and order 2; the whole table is the series of exp up to its order
        let slope = [1.0];
        let [two] = midpoint(0.0, 0.5, 2, &[1.0], &slope, &mut |_, y| *y);
        assert!((two - (1.0 + 0.5 + 0.125)).abs() < 1e-15);
        let [y] = advance([0.0, 0.5], 1, [1.0], |_, y| *y);
        assert!((y - libm::exp(0.5)).abs() < 1e-13, "{}", y - libm::exp(0.5));
    }
}
