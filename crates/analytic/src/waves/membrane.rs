use std::f64::consts::PI;

use crate::numerics::bessel::zero;

/// omega = sqrt((T k² + D k⁴) / rho) \[1/s\], of a plane wave of wave number k \[1/m\] across a sheet of tension T \[N/m\],
/// rigidity D \[N m\] and density rho \[kg/m²\]: rho w_tt = T lap w - D lap² w.
pub fn wave_frequency(wave_number: f64, tension: f64, rigidity: f64, density: f64) -> f64 {
    wave_number * libm::sqrt((tension + rigidity * wave_number * wave_number) / density)
}

/// omega of the mode \[m, n\], both from 1, of a membrane with sides a and b \[m\] and a fixed border:
/// pi sqrt(T/rho) sqrt((m/a)² + (n/b)²) \[1/s\], where D = 0; a border that is hinged keeps its modes with D above zero.
pub fn rectangle_frequency([m, n]: [usize; 2], [a, b]: [f64; 2], tension: f64, rigidity: f64, density: f64) -> f64 {
    wave_frequency(PI * libm::hypot(m as f64 / a, n as f64 / b), tension, rigidity, density)
}

/// w = sin(m pi x/a) sin(n pi y/b) \[-\], its shape at \[x/a, y/b\].
pub fn rectangle_mode([m, n]: [usize; 2], [x, y]: [f64; 2]) -> f64 {
    libm::sin(m as f64 * PI * x) * libm::sin(n as f64 * PI * y)
}

/// omega = j_m,k / R sqrt(T/rho) \[1/s\], of the mode with m nodal diameters and k nodal circles, the border of radius R \[m\]
/// among them.
///
/// # Panics
/// For no circle.
pub fn disk_frequency(diameters: usize, circles: usize, radius: f64, tension: f64, density: f64) -> f64 {
    wave_frequency(zero(diameters, circles) / radius, tension, 0.0, density)
}

/// w = J_m(j_m,k r/R) cos(m angle) \[-\], its shape at r/R and the angle \[rad\].
pub fn disk_mode(diameters: usize, circles: usize, share: f64, angle: f64) -> f64 {
    libm::jn(diameters as i32, zero(diameters, circles) * share) * libm::cos(diameters as f64 * angle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_by_hand_and_of_tables() {
        assert_eq!(wave_frequency(3.0, 4.0, 0.0, 1.0), 6.0);
        assert_eq!(wave_frequency(3.0, 0.0, 4.0, 1.0), 18.0);
        assert!((rectangle_frequency([1, 1], [1.0, 1.0], 1.0, 0.0, 1.0) - PI * libm::sqrt(2.0)).abs() < 1e-15);
        assert!((rectangle_frequency([3, 4], [1.0, 1.0], 2.0, 0.0, 0.5) - 10.0 * PI).abs() < 1e-14);
        // overtones of a drum over its first tone
        for (diameters, circles, ratio) in [(1, 1, 1.5933), (2, 1, 2.1355), (0, 2, 2.2954), (3, 1, 2.6531)] {
            let found = disk_frequency(diameters, circles, 0.3, 5.0, 0.2) / disk_frequency(0, 1, 0.3, 5.0, 0.2);
            assert!((found - ratio).abs() < 5e-5, "{found}");
        }
    }

    #[test]
    fn shapes_obey_the_wave_equation() {
        let h = 1e-3;
        let laplacian = |w: &dyn Fn(f64, f64) -> f64, x: f64, y: f64| {
            (w(x + h, y) + w(x - h, y) + w(x, y + h) + w(x, y - h) - 4.0 * w(x, y)) / (h * h)
        };
        let (x, y) = (0.31, 0.22);
        let square = |x: f64, y: f64| rectangle_mode([2, 3], [x, y]);
        let omega = rectangle_frequency([2, 3], [1.0, 1.0], 1.0, 0.0, 1.0);
        assert!((laplacian(&square, x, y) / (omega * omega * square(x, y)) + 1.0).abs() < 1e-4);
        for (diameters, circles) in [(0, 1), (1, 2), (2, 1)] {
            let disk = |x: f64, y: f64| disk_mode(diameters, circles, libm::hypot(x, y), libm::atan2(y, x));
            let omega = disk_frequency(diameters, circles, 1.0, 1.0, 1.0);
            let found = laplacian(&disk, x, y) + omega * omega * disk(x, y);
            assert!(found.abs() < 1e-4, "{found} of {diameters}, {circles}");
            assert!(disk(0.6, 0.8).abs() < 1e-14);
        }
    }
}
