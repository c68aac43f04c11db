use super::stage::Weights;
use crate::{Potential, State, System, Vec3};

/// What a stage minimises where all of its forces have a potential, over velocities \[J\]:
///
/// E(v) = 1/2 |v - V|²_M + h/g U(X + g v) + h R(v) - h e·v,
///
/// whose slope M (v - V) - h (f + e) is zero where the equation of the stage holds: for backward Euler, up to
/// a constant, the function of x = x_n + h v in \[Liu, Bargteil, O'Brien & Kavan 2013; Stuyck 2018, 6.3\].
pub(super) struct Merit<'a> {
    pub system: &'a dyn System,
    pub weights: Weights,
    /// V, in its velocities.
    pub base: &'a State,
    /// e \[N\], shape \[particle_count\].
    pub explicit: &'a [Vec3],
}

/// A value of [`Merit`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    /// E \[J\].
    pub energy: f64,
    /// Sum of the sizes of its parts \[J\]: what rounding is a share of.
    size: f64,
}

/// Share of the slope that a way must gain \[-\], as is usual \[Nocedal & Wright 2006, 3.1\].
const GAIN: f64 = 1e-4;

/// Share of its parts by which a sum of energies may be wrong \[-\].
const ROUNDING: f64 = 1e-13;

/// How often a way is halved.
pub(super) const HALVINGS: u32 = 40;

impl Merit<'_> {
    /// E at a state with x = X + g v; none where some force has no potential.
    pub fn at(&self, state: &State) -> Option<Value> {
        let Weights { h, g } = self.weights;
        let Potential { energy, dissipation } = self.system.potential(&state.x, &state.v)?;
        let (mut inertial, mut work, mut worked) = (0.0, 0.0, 0.0);
        let particles = self.system.masses().iter().zip(&state.v).zip(&self.base.v).zip(self.explicit);
        for (((m, v), start), force) in particles {
            inertial += 0.5 * m * (v - start).norm_squared();
            let along = h * force.dot(v);
            work += along;
            worked += along.abs();
        }
        let inner = h / g * energy + h * dissipation;
        Some(Value { energy: inertial + inner - work, size: inertial + inner.abs() + worked })
    }
}

impl Value {
    /// Whether a way of which this is the end is short enough: E falls by its share of `slope` \[J\], below zero, from its `begin`.
    pub fn is_below(self, begin: Value, slope: f64) -> bool {
        self.energy <= begin.energy + GAIN * slope + ROUNDING * begin.size.max(self.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cloth, DampingForm, Elastic, Grid, Material};

    #[test]
    fn its_slope_is_what_the_equation_of_a_stage_leaves() {
        let elastic = Elastic { stiffness: 80.0, damping: 0.3 };
        let material = Material {
            stretch: elastic,
            shear: elastic,
            compression: true,
            damping: DampingForm::Plain,
            air: 0.02,
            ..Material::default()
        };
        let cloth = Cloth::new(Grid::new(3, 3, 0.1).unwrap(), material, &[]).unwrap();
        let wave = |i: usize, shift: f64| Vec3::new(libm::sin(3.0 * i as f64 + shift), libm::cos(5.0 * i as f64), shift);
        let base = State {
            x: cloth.at_rest().x.iter().enumerate().map(|(i, x)| x + 0.02 * wave(i, 0.1)).collect(),
            v: (0..9).map(|i| wave(i, 0.7)).collect(),
        };
        let explicit: Vec<Vec3> = (0..9).map(|i| 0.1 * wave(i, 0.4)).collect();
        let weights = Weights { h: 0.02, g: 0.05 };
        let at = |v: &[Vec3]| State { x: base.x.iter().zip(v).map(|(x, v)| x + weights.g * v).collect(), v: v.to_vec() };
        let merit = Merit { system: &cloth, weights, base: &base, explicit: &explicit };
        let v: Vec<Vec3> = (0..9).map(|i| 0.5 * wave(i, 0.9)).collect();
        let (state, mut a) = (at(&v), vec![Vec3::zeros(); 9]);
        cloth.accelerate(&state.x, &v, &mut a);
        for i in 0..9 {
            let m = cloth.masses()[i];
            let f = m * (a[i] - material.gravity);
            let left = m * (v[i] - base.v[i]) - weights.h * (f + explicit[i]); // M (v - V) - h (f + e)
            for axis in 0..3 {
                let along = |by: f64| {
                    let mut v = v.clone();
                    v[i][axis] += by;
                    merit.at(&at(&v)).unwrap().energy
                };
                let slope = (along(1e-6) - along(-1e-6)) / 2e-6;
                assert!((slope - left[axis]).abs() < 1e-7, "{i} {axis}: {slope} {}", left[axis]);
            }
        }
    }

    #[test]
    fn a_way_must_gain_a_share_of_its_slope() {
        let value = |energy: f64| Value { energy, size: 1.0 };
        assert!(value(-0.5).is_below(value(0.0), -1.0));
        assert!(!value(-0.5e-4).is_below(value(0.0), -1.0), "half of the share");
        assert!(value(1e-14).is_below(value(0.0), 0.0) && !value(1e-12).is_below(value(0.0), 0.0), "rounding");
    }
}
