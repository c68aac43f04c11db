/// p = (n² - 1) D / R³ \[Pa\], at which a tube of radius R \[m\] and rigidity D \[N m\] that does not stretch along its circle
/// buckles in n waves, n >= 2, under pressure from outside that stays normal to it \[Bresse 1866; Lévy 1884\]; 3 D / R³ comes
/// first.
///
/// Of its radial displacement w over the angle, D/R⁴ (w'''' + 2 w'' + w) + p/R (w'' + w) = const with w periodic: the pressure
/// works by the area that is lost to second order.
pub fn ring_pressure(rigidity: f64, radius: f64, waves: usize) -> f64 {
    assert!(waves >= 2, "{waves} waves move a ring as a whole");
    let n = waves as f64;
    (n * n - 1.0) * rigidity / (radius * radius * radius)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    /// Bending energy of a closed polygon of unit length for D = 1, its turning angles over the sides at their corners, and its
    /// area.
    fn energy_and_area(angles: &[f64]) -> [f64; 2] {
        let n = angles.len();
        let side = 1.0 / n as f64;
        let (mut energy, mut area, mut place) = (0.0, 0.0, [0.0; 2]);
        for k in 0..n {
            let turn = if k + 1 < n { angles[k + 1] - angles[k] } else { angles[0] + TAU - angles[k] };
            energy += 0.5 * turn * turn / side;
            let (sin, cos) = libm::sincos(angles[k]);
            let next = [place[0] + side * cos, place[1] + side * sin];
            area += 0.5 * (place[0] * next[1] - place[1] * next[0]);
            place = next;
        }
        [energy, area]
    }

    #[test]
    fn energy_over_lost_area_is_the_pressure() {
        // a ring that keeps its length: direction phi + a sin(n phi); at p of buckling, d²(energy) + p d²(area) = 0
        let sides = 2000;
        for waves in [2, 3, 5] {
            let polygon = |a: f64| {
                let angle = |k: usize| TAU * k as f64 / sides as f64;
                energy_and_area(&(0..sides).map(|k| angle(k) + a * libm::sin(waves as f64 * angle(k))).collect::<Vec<_>>())
            };
            let [round, bent] = [polygon(0.0), polygon(1e-2)];
            let pressure = (bent[0] - round[0]) / (round[1] - bent[1]);
            let exact = ring_pressure(1.0, 1.0 / TAU, waves);
            assert!((pressure / exact - 1.0).abs() < 1e-4, "{waves} waves: {pressure} {exact}");
        }
    }
}
