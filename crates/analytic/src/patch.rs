//! A square of an elastic sheet, stretched evenly along its sides: s_1, s_2 the new lengths over the old ones \[-\], pulls in N
//! per meter of its old width.

/// What holds a sheet together, its energy per area by s_1 and s_2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// mu (e_1² + e_2²) + lambda/2 (e_1 + e_2)² with e = s - 1: linear elasticity, also corotated.
    Linear,
    /// As linear, with Green's strain, e = (s² - 1)/2 \[Saint-Venant & Kirchhoff\].
    Green,
    /// mu/2 (s_1² + s_2² - 2) - mu (J - 1) + (lambda + mu)/2 (J - 1)² with J = s_1 s_2: stable neo-Hookean \[Smith, de Goes & Kim
    /// 2018, eq. 13\] in two dimensions; lambda + mu makes it linear elasticity where strains are small.
    NeoHookean,
}

/// A sheet by its constants of Lamé in its plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sheet {
    /// How its energy goes by its strains.
    pub law: Law,
    /// lambda \[N/m\].
    pub lambda: f64,
    /// mu \[N/m\].
    pub mu: f64,
}

impl Sheet {
    /// Of Young's modulus times thickness, Y \[N/m\], and Poisson's ratio nu, -1 < nu < 1: mu = Y / (2 + 2 nu), lambda = Y nu /
    /// (1 - nu²).
    pub fn new(law: Law, young: f64, poisson: f64) -> Sheet {
        Sheet { law, lambda: young * poisson / (1.0 - poisson * poisson), mu: 0.5 * young / (1.0 + poisson) }
    }

    /// nu = lambda / (lambda + 2 mu) \[-\].
    pub fn poisson(&self) -> f64 {
        self.lambda / (self.lambda + 2.0 * self.mu)
    }

    /// Energy per area as it was cut \[J/m²\].
    pub fn energy(&self, [s1, s2]: [f64; 2]) -> f64 {
        let &Sheet { law, lambda, mu } = self;
        let of_strains = |e1: f64, e2: f64| mu * (e1 * e1 + e2 * e2) + 0.5 * lambda * (e1 + e2) * (e1 + e2);
        match law {
            Law::Linear => of_strains(s1 - 1.0, s2 - 1.0),
            Law::Green => of_strains(0.5 * (s1 * s1 - 1.0), 0.5 * (s2 * s2 - 1.0)),
            Law::NeoHookean => {
                let growth = s1 * s2 - 1.0; // J - 1
                0.5 * mu * (s1 * s1 + s2 * s2 - 2.0) - mu * growth + 0.5 * (lambda + mu) * growth * growth
            }
        }
    }

    /// \[p_1, p_2\], the pulls at the sides that keep it stretched, the slopes of the energy \[N/m\].
    pub fn pulls(&self, [s1, s2]: [f64; 2]) -> [f64; 2] {
        let &Sheet { law, lambda, mu } = self;
        let of_strains = |a: f64, b: f64| 2.0 * mu * a + lambda * (a + b);
        match law {
            Law::Linear => [of_strains(s1 - 1.0, s2 - 1.0), of_strains(s2 - 1.0, s1 - 1.0)],
            Law::Green => {
                let (e1, e2) = (0.5 * (s1 * s1 - 1.0), 0.5 * (s2 * s2 - 1.0));
                [s1 * of_strains(e1, e2), s2 * of_strains(e2, e1)]
            }
            Law::NeoHookean => {
                let by_area = (lambda + mu) * (s1 * s2 - 1.0) - mu;
                [mu * s1 + by_area * s2, mu * s2 + by_area * s1]
            }
        }
    }

    /// s_2 where it is stretched to s_1 = `stretch` and free at its other sides; NaN beyond what the law can hold.
    pub fn narrowing(&self, stretch: f64) -> f64 {
        let &Sheet { law, lambda, mu } = self;
        match law {
            Law::Linear => 1.0 - self.poisson() * (stretch - 1.0),
            Law::Green => libm::sqrt(1.0 - self.poisson() * (stretch * stretch - 1.0)),
            Law::NeoHookean => stretch * (lambda + 2.0 * mu) / (mu + (lambda + mu) * stretch * stretch),
        }
    }

    /// p_1 \[N/m\], the pull that stretches it to s_1 = `stretch` while its other sides are free: Y e for the linear law.
    pub fn free_pull(&self, stretch: f64) -> f64 {
        self.pulls([stretch, self.narrowing(stretch)])[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAWS: [Law; 3] = [Law::Linear, Law::Green, Law::NeoHookean];

    #[test]
    fn pulls_are_the_slopes_of_the_energy() {
        for law in LAWS {
            let sheet = Sheet::new(law, 30.0, 0.3);
            for [s1, s2] in [[1.3, 0.8], [0.9, 1.6], [1.2, 1.1]] {
                let d = 1e-6;
                let by_s1 = (sheet.energy([s1 + d, s2]) - sheet.energy([s1 - d, s2])) / (2.0 * d);
                let by_s2 = (sheet.energy([s1, s2 + d]) - sheet.energy([s1, s2 - d])) / (2.0 * d);
                let [p1, p2] = sheet.pulls([s1, s2]);
                assert!((p1 - by_s1).abs() < 1e-7 && (p2 - by_s2).abs() < 1e-7, "{law:?} at {s1}, {s2}");
            }
        }
    }

    #[test]
    fn free_sides_are_not_pulled() {
        for law in LAWS {
            for poisson in [0.0, 0.3, 0.5] {
                let sheet = Sheet::new(law, 30.0, poisson);
                for stretch in [0.9, 1.0, 1.2, 1.5] {
                    let [_, side] = sheet.pulls([stretch, sheet.narrowing(stretch)]);
                    assert!(side.abs() < 1e-13, "{law:?}: {side} at {stretch}");
                }
            }
        }
    }

    #[test]
    fn small_strains_are_those_of_young_and_poisson() {
        for law in LAWS {
            let sheet = Sheet::new(law, 30.0, 0.3);
            let d = 1e-6;
            assert!((sheet.free_pull(1.0 + d) / (30.0 * d) - 1.0).abs() < 1e-5, "{law:?}");
            assert!(((1.0 - sheet.narrowing(1.0 + d)) / d - 0.3).abs() < 1e-5, "{law:?}");
            assert!((sheet.poisson() - 0.3).abs() < 1e-15);
        }
        let sheet = Sheet::new(Law::Linear, 30.0, 0.3);
        assert!((sheet.free_pull(1.1) - 3.0).abs() < 1e-14);
        let green = Sheet::new(Law::Green, 30.0, 0.3);
        assert!((green.free_pull(1.2) - 30.0 * 1.2 * 0.22).abs() < 1e-13); // Y s (s² - 1)/2
    }
}
