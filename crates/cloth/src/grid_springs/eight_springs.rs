use linsolve::grid::{Coupling, Couplings, GridVector};
use linsolve::lanes::{Eight, dot, minus, scaled};

use crate::{BendLaw, DampingForm, Elastic, Family, Material, Spring};

/// The law of the springs of one step, as lanes take it.
#[derive(Clone, Copy)]
pub(super) struct Law {
    family: Family,
    /// Least and largest |x|² \[m²\] of a spring that acts.
    acts: [f64; 2],
    /// L \[m\]
    rest: f64,
    /// ks \[N/m\] of stretch and shear.
    stiffness: f64,
    /// Extension \[m\] at the knee, the first one beyond it, and what ks grows by there \[N/m\].
    knee: f64,
    beyond_knee: f64,
    stiffened: f64,
    /// kd \[N s/m\] of a plain and of a projected damper, one of which is zero.
    plain: f64,
    projected: f64,
    /// 1 / L \[1/m\] and kb L \[N\] of bending, kb \[N/m\].
    per_rest: f64,
    bend_force: f64,
    bend: f64,
    bend_law: BendLaw,
}

impl Law {
    /// Of springs that never act.
    pub fn none() -> Law {
        Law {
            family: Family::Bend,
            acts: [f64::INFINITY, 0.0],
            rest: 1.0,
            stiffness: 0.0,
            knee: f64::INFINITY,
            beyond_knee: f64::INFINITY,
            stiffened: 0.0,
            plain: 0.0,
            projected: 0.0,
            per_rest: 1.0,
            bend_force: 0.0,
            bend: 0.0,
            bend_law: BendLaw::default(),
        }
    }

    /// Of springs like this one.
    pub fn of(spring: &Spring, material: &Material) -> Law {
        let &Spring { rest, family, .. } = spring;
        let any = f64::from_bits(1); // above zero
        let Elastic { stiffness, damping } = match family {
            Family::Stretch => material.stretch,
            Family::Shear => material.shear,
            Family::Bend if material.bend == 0.0 => return Law::none(),
            Family::Bend => {
                let acts = [any, square_reaching(rest).next_down()]; // |x| < L
                let bend = material.bend;
                return Law {
                    acts,
                    rest,
                    per_rest: 1.0 / rest,
                    bend_force: bend * rest,
                    bend,
                    bend_law: material.bend_law,
                    ..Law::none()
                };
            }
        };
        let least = if material.compression { any } else { square_reaching(rest * (1.0 - material.extension_tolerance)) };
        let (plain, projected) = match material.damping {
            DampingForm::Plain => (damping, 0.0),
            DampingForm::Projected => (0.0, damping),
        };
        let law = Law { family, acts: [least, f64::INFINITY], rest, stiffness, plain, projected, ..Law::none() };
        match material.stiffening {
            None => law,
            Some(stiffening) => {
                let knee = stiffening.strain * rest;
                Law { knee, beyond_knee: knee.next_up(), stiffened: (stiffening.factor - 1.0) * stiffness, ..law }
            }
        }
    }

    /// Tension \[N\] and its slope over the extension \[N/m\], at a length \[m\].
    #[inline(always)]
    fn tension<E: Eight>(&self, length: E) -> [E; 2] {
        if self.family == Family::Bend {
            let [force, slope] = self.bend_law.force_and_slope(length * E::splat(self.per_rest));
            return [E::splat(self.bend_force) * force, E::splat(self.bend) * slope]; // kb L f(s), kb f'(s)  [Boxerman 2003, eq. 3.10]
        }
        let extension = length - E::splat(self.rest);
        let stiffened = E::splat(self.stiffened).kept(extension.reaching(E::splat(self.beyond_knee)));
        let stiffness = E::splat(self.stiffness);
        let beyond = (extension - E::splat(self.knee)).max(E::splat(0.0));
        [stiffness * extension + stiffened * beyond, stiffness + stiffened] // ks (|x| - L), and more beyond the knee
    }
}

/// The smallest number whose square root is `length` or more.
fn square_reaching(length: f64) -> f64 {
    let mut square = length * length;
    while square.next_down().sqrt() >= length {
        square = square.next_down();
    }
    while square.sqrt() < length {
        square = square.next_up();
    }
    square
}

/// The springs of a sheet at a state, to be evaluated eight at a time.
pub(super) struct EightSprings<'a> {
    /// Of each step.
    pub laws: [Law; 8],
    /// h and h g of a [`Linearisation`](crate::Linearisation).
    pub h: f64,
    pub hg: f64,
    /// h ka
    pub h_air: f64,
    /// \[kg\], with numbers behind the last one up to a whole tile.
    pub masses: &'a [f64],
    pub x: &'a GridVector,
    pub v: &'a GridVector,
    pub w: &'a GridVector,
}

impl Couplings for EightSprings<'_> {
    /// m + h ka, and h (-ka v) of air.
    #[inline(always)]
    fn diagonal<E: Eight>(&self, row: usize) -> (E, [E; 3]) {
        let air = E::splat(self.h_air); // -ka v, with D = -ka I
        (E::load_from(self.masses, row) + air, scaled(-air, self.v.eight(row)))
    }

    /// The force of a spring on its first particle is T n + kd (v_j - v_i), or T n + kd (n·(v_j - v_i)) n, with filtered
    /// derivatives across I + (along - across) n nᵀ by position and kd I, or kd n nᵀ, by velocity.
    #[inline(always)]
    fn coupling<E: Eight>(&self, step: usize, row: usize, other: usize, chosen: u8) -> Option<Coupling<E>> {
        if chosen == 0 {
            return None;
        }
        let law = &self.laws[step];
        let xij = minus(self.x.eight::<E>(other), self.x.eight(row));
        let square = dot(xij, xij);
        let acts = chosen & square.reaching(E::splat(law.acts[0])) & E::splat(law.acts[1]).reaching(square);
        if acts == 0 {
            return None;
        }
        let (h, hg, zero) = (E::splat(self.h), E::splat(self.hg), E::splat(0.0));
        let length = square.sqrt();
        let inverse = E::splat(1.0) / length;
        let n = scaled(inverse, xij);
        let way = minus(self.w.eight::<E>(other), self.w.eight(row));
        let [tension, along] = law.tension(length);
        if law.family == Family::Bend {
            let pull = tension + along * dot(n, way); // f + K w, all along n
            let axial = (hg * along).max(zero);
            return Some(Coupling { acts, a: zero, m: scaled(axial.sqrt(), n), force: scaled(h * pull, n) });
        }
        let across = tension.max(zero) * inverse; // T / |x|, dropped where T < 0
        let stretched = minus(self.v.eight::<E>(other), self.v.eight(row));
        let rate = dot(xij, stretched) * inverse;
        let (plain, projected) = (E::splat(law.plain), E::splat(law.projected).kept(rate.reaching(zero)));
        let pull = tension + projected * rate + (along - across) * dot(n, way);
        let mut force = scaled(h * pull, n);
        for q in 0..3 {
            force[q] = force[q] + h * (plain * stretched[q] + across * way[q]); // h (f + K w)
        }
        let axial = (h * projected + hg * (along - across)).max(zero);
        Some(Coupling { acts, a: h * plain + hg * across, m: scaled(axial.sqrt(), n), force })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_compared_as_their_roots_are() {
        for length in [0.1, 0.3, 1.0, 2.0_f64.sqrt(), 1e-9, 7.7e5, 1.0 - 1e-12] {
            let square = square_reaching(length);
            assert!(square.sqrt() >= length && square.next_down().sqrt() < length, "{length}: {square}");
        }
    }
}
