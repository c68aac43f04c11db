/// p = (n² - 1) D / R³ \[Pa\], at which a tube of radius R \[m\] and rigidity D \[N m\] that does not stretch along its circle
/// buckles in n waves, n >= 2, under pressure from outside that stays normal to it \[Bresse 1866; Lévy 1884\]; 3 D / R³ comes
/// first.
///
/// Of its radial displacement w over the angle, D/R⁴ (w'''' + 2 w'' + w) + p/R (w'' + w) = const with w periodic: the pressure
/// works by the area that is lost to second order.
///
/// # Panics
/// For fewer than two waves.
pub fn ring_pressure(rigidity: f64, radius: f64, waves: usize) -> f64 {
    assert!(waves >= 2, "{waves} waves move a ring as a whole");
    let n = waves as f64;
    (n * n - 1.0) * rigidity / (radius * radius * radius)
}

/// kappa_0 R \[-\], the overcurvature at which a closed ring of radius R leaves its plane, of a rod that would be curved by
/// kappa_0 in it, as a tent that folds to three loops; its rigidities \[N m²\] are EI against bending in the plane and out of it,
/// GJ against twist. Manning & Hoffman 2001 treat such rings. For a band, stiff out of the plane of its ring, it tends to
/// 1 + 3 GJ / EI.
///
/// Frames are turned by the vector psi from those of the ring, R = 1, which has a moment M = EI (1 - kappa_0) and no force in it:
///
/// - strains are u = (psi_1' + psi_3, psi_2', psi_3' - psi_1) to first order and u x psi / 2 to second;
/// - with psi_1 = a cos(n angle), psi_3 = b sin(n angle), A_1 the rigidity out of the plane and C that against twist, the energy is
///   A_1 (b - n a)² + C (n b - a)² + M (2 n a b - a² - b²);
/// - it is singular where A_1 C (n² - 1) + M (A_1 + C) - M² = 0, first for n = 2.
pub fn ring_overcurvature(in_plane: f64, out_of_plane: f64, twist: f64) -> f64 {
    let (sum, difference) = (out_of_plane + twist, out_of_plane - twist);
    let moment = 0.5 * (sum - libm::sqrt(difference * difference + 16.0 * out_of_plane * twist));
    1.0 - moment / in_plane
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

    /// Product of rotations as \[w, x, y, z\].
    fn times([a, b, c, d]: [f64; 4], [e, f, g, h]: [f64; 4]) -> [f64; 4] {
        [
            a * e - b * f - c * g - d * h,
            a * f + b * e + c * h - d * g,
            a * g - b * h + c * e + d * f,
            a * h + b * g - c * f + d * e,
        ]
    }

    fn turned([x, y, z]: [f64; 3]) -> [f64; 4] {
        let angle = libm::sqrt(x * x + y * y + z * z);
        let factor = if angle > 0.0 { libm::sin(0.5 * angle) / angle } else { 0.5 };
        [libm::cos(0.5 * angle), x * factor, y * factor, z * factor]
    }

    /// Energy of a ring of radius 1 with rigidities \[out of plane, in plane, twist\] and kappa_0, its frames turned by
    /// \[a cos 2 angle, 0, b sin 2 angle\].
    fn energy(rigidities: [f64; 3], natural: f64, [a, b]: [f64; 2]) -> f64 {
        let count = 2000;
        let h = TAU / count as f64;
        let frame = |k: usize| {
            let angle = h * k as f64;
            times(turned([0.0, angle, 0.0]), turned([a * libm::cos(2.0 * angle), 0.0, b * libm::sin(2.0 * angle)]))
        };
        let mut total = 0.0;
        for k in 0..count {
            let [w, x, y, z] = frame(k);
            let [w, x, y, z] = times([w, -x, -y, -z], frame(k + 1));
            let sine = libm::sqrt(x * x + y * y + z * z);
            let factor = 2.0 * libm::atan2(sine, w) / (sine * h);
            let strains = [x * factor, y * factor - natural, z * factor];
            total += h * (0..3).map(|i| 0.5 * rigidities[i] * strains[i] * strains[i]).sum::<f64>();
        }
        total
    }

    #[test]
    fn an_overcurved_ring_gains_nothing_by_bending_aside_until_it_buckles() {
        for [out_of_plane, in_plane, twist] in [[1.0, 1.0, 1.0], [1.0, 1.0, 0.7], [40.0, 1.0, 2.0]] {
            let critical = ring_overcurvature(in_plane, out_of_plane, twist);
            let moment = in_plane * (1.0 - critical);
            // the singular direction of the quadratic form, n = 2
            let (a, b) = (2.0 * (out_of_plane + twist - moment), 4.0 * out_of_plane + twist - moment);
            let size = 1e-2 / libm::hypot(a, b);
            let gain = |natural: f64| {
                let rigidities = [out_of_plane, in_plane, twist];
                energy(rigidities, natural, [a * size, b * size]) - energy(rigidities, natural, [0.0; 2])
            };
            let [below, at, above] = [critical - 0.05, critical, critical + 0.05].map(gain);
            assert!(below > 0.0 && above < 0.0 && at.abs() < 0.02 * below, "{below} {at} {above}");
        }
        assert_eq!(ring_overcurvature(1.0, 1.0, 1.0), 2.0);
        assert!((ring_overcurvature(1.0, 1e6, 2.0) - 7.0).abs() < 1e-4, "a band");
    }
}
