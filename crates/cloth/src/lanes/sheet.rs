use linsolve::lanes::{Lanes, Triple, Vector, dot, minus, plus};

use crate::stability::Linearised;
use crate::{DampingForm, Elastic, GRAVITY};

/// A square sheet of n x n particles without bending, held at the two corners of its first row and falling from the
/// horizontal: the scene of \[Boxerman 2003, 4.1.3\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sheet {
    /// h \[m\], > 0.
    pub spacing: f64,
    /// rho \[kg/m²\], > 0.
    pub density: f64,
    /// Springs to the nearest neighbours.
    pub stretch: Elastic,
    /// Springs to the diagonal neighbours.
    pub shear: Elastic,
    /// How they are damped.
    pub damping: DampingForm,
    /// A spring counts as extended where |x| >= L (1 - tolerance) \[-\].
    pub extension_tolerance: f64,
    /// Half masses on the borders, quarters in the corners, instead of equal ones.
    pub mass_by_area: bool,
}

impl Sheet {
    /// m = rho h² \[kg\], of a particle inside the sheet.
    pub fn mass(&self) -> f64 {
        self.density * self.spacing * self.spacing
    }

    /// L \[m\] of stretch and shear springs.
    pub(super) fn rest_lengths(&self) -> [f64; FAMILIES] {
        [self.spacing, std::f64::consts::SQRT_2 * self.spacing]
    }

    /// What its stability depends on.
    pub fn linearised(&self) -> Linearised {
        Linearised { mass: self.mass(), stretch: self.stretch, shear: self.shear, damping: self.damping }
    }
}

/// Stretch and shear in the order of the kernel's arrays.
const FAMILIES: usize = 2;

/// Constants of W sheets.
struct Constants<const W: usize> {
    rest: [Vector<W>; FAMILIES],
    acts_from: [Vector<W>; FAMILIES],
    ks: [Vector<W>; FAMILIES],
    kd_projected: [Vector<W>; FAMILIES],
    kd_plain: [Vector<W>; FAMILIES],
    dt: Vector<W>,
    dt_gravity: Vector<W>,
    /// Mass over that of an inner particle, by the number of borders that a particle lies on.
    share: [Vector<W>; 3],
    /// dt / m by the number of borders.
    dt_per_mass: [Vector<W>; 3],
}

/// Positions and velocities of W sheets, shape \[n n\]\[3\]\[W\], with their constants.
pub(super) struct Sheets<const W: usize> {
    n: usize,
    x: Vec<Triple<W>>,
    v: Vec<Triple<W>>,
    /// Forces on the row in hand from the row before it, shape \[n\]\[3\]\[W\].
    from_above: Vec<Triple<W>>,
    constants: Constants<W>,
}

/// What a step sees of the states it starts from, a lane a sheet; sums without their constant factors.
pub(super) struct Sums<const W: usize> {
    /// sum of share v²
    pub kinetic: Vector<W>,
    /// sum of share z
    pub height: Vector<W>,
    /// sum of ks (|x| - L)², twice the energy of all springs \[J\]
    pub twice_springs: Vector<W>,
    /// largest |x| \[m\] of stretch and of shear springs
    pub longest: [Vector<W>; FAMILIES],
}

impl<const W: usize> Sheets<W> {
    /// W empty lanes for sheets of n x n particles.
    pub fn new(n: usize) -> Sheets<W> {
        let zeros = [Vector::ZERO; 3];
        let none = [Vector::ZERO; FAMILIES];
        let constants = Constants {
            rest: none,
            acts_from: none,
            ks: none,
            kd_projected: none,
            kd_plain: none,
            dt: Vector::ZERO,
            dt_gravity: Vector::ZERO,
            share: zeros,
            dt_per_mass: zeros,
        };
        Sheets { n, x: vec![zeros; n * n], v: vec![zeros; n * n], from_above: vec![zeros; n], constants }
    }

    /// Puts a sheet at rest into a lane, to be stepped by `dt` \[s\].
    pub fn load(&mut self, lane: usize, sheet: &Sheet, dt: f64) {
        let c = &mut self.constants;
        for (family, (elastic, length)) in [sheet.stretch, sheet.shear].into_iter().zip(sheet.rest_lengths()).enumerate() {
            let (projected, plain) = match sheet.damping {
                DampingForm::Projected => (elastic.damping, 0.0),
                DampingForm::Plain => (0.0, elastic.damping),
            };
            c.rest[family].0[lane] = length;
            c.acts_from[family].0[lane] = length * (1.0 - sheet.extension_tolerance);
            c.ks[family].0[lane] = elastic.stiffness;
            c.kd_projected[family].0[lane] = projected;
            c.kd_plain[family].0[lane] = plain;
        }
        c.dt.0[lane] = dt;
        c.dt_gravity.0[lane] = dt * -GRAVITY;
        let shares = if sheet.mass_by_area { [1.0, 0.5, 0.25] } else { [1.0; 3] };
        for (borders, share) in shares.into_iter().enumerate() {
            c.share[borders].0[lane] = share;
            c.dt_per_mass[borders].0[lane] = dt / (sheet.mass() * share);
        }
        for i in 0..self.n * self.n {
            let rest = [(i % self.n) as f64 * sheet.spacing, (i / self.n) as f64 * sheet.spacing, 0.0];
            for q in 0..3 {
                self.x[i][q].0[lane] = rest[q];
                self.v[i][q].0[lane] = 0.0;
            }
        }
    }

    /// Positions of a lane, shape \[n n\].
    #[cfg(test)]
    pub fn positions(&self, lane: usize) -> Vec<[f64; 3]> {
        self.x.iter().map(|x| [x[0].0[lane], x[1].0[lane], x[2].0[lane]]).collect()
    }

    /// One forward-backward Euler step of every lane, with the sums of the states before it.
    #[inline(always)]
    pub fn step(&mut self) -> Sums<W> {
        if self.constants.kd_plain.iter().flat_map(|kd| kd.0).any(|kd| kd > 0.0) {
            self.advance::<true>()
        } else {
            self.advance::<false>()
        }
    }

    /// Particle by particle: its four forward springs are the last ones to act on it, so it can be moved at once. Forces
    /// on the row below are gathered in registers until the last of the three springs that reach a particle from above.
    #[inline(always)]
    fn advance<const PLAIN: bool>(&mut self) -> Sums<W> {
        let Sheets { n, x, v, from_above, constants } = self;
        let n = *n;
        let mut sums =
            Sums { kinetic: Vector::ZERO, height: Vector::ZERO, twice_springs: Vector::ZERO, longest: [Vector::ZERO; 2] };
        from_above.fill([Vector::ZERO; 3]);
        for row in 0..n {
            let (x, x_below) = x[row * n..].split_at_mut(n);
            let (v, v_below) = v[row * n..].split_at_mut(n);
            let mut from_left = [Vector::ZERO; 3];
            let [mut below_left, mut below, mut below_right] = [[Vector::ZERO; 3]; 3];
            for column in 0..n {
                let here = (x[column], v[column]);
                let (first, last) = (column == 0, column + 1 == n);
                let mut force = plus(from_above[column], from_left);
                from_left = [Vector::ZERO; 3];
                if !last {
                    let there = (x[column + 1], v[column + 1]);
                    constants.pull::<PLAIN>(0, here, there, &mut force, &mut from_left, &mut sums);
                }
                if !x_below.is_empty() {
                    constants.pull::<PLAIN>(0, here, (x_below[column], v_below[column]), &mut force, &mut below, &mut sums);
                    if !last {
                        let there = (x_below[column + 1], v_below[column + 1]);
                        constants.pull::<PLAIN>(1, here, there, &mut force, &mut below_right, &mut sums);
                    }
                    if !first {
                        let there = (x_below[column - 1], v_below[column - 1]);
                        constants.pull::<PLAIN>(1, here, there, &mut force, &mut below_left, &mut sums);
                        from_above[column - 1] = below_left;
                    }
                    (below_left, below, below_right) = (below, below_right, [Vector::ZERO; 3]);
                }
                let borders = usize::from(first || last) + usize::from(row == 0 || x_below.is_empty());
                let share = constants.share[borders];
                sums.kinetic = sums.kinetic + share * dot(here.1, here.1);
                sums.height = sums.height + share * here.0[2];
                let pinned = row == 0 && (first || last);
                if !pinned {
                    let dt_per_mass = constants.dt_per_mass[borders];
                    for q in 0..3 {
                        let mut velocity = here.1[q] + dt_per_mass * force[q]; // v += dt f / m  [Boxerman 2003, eq. 4.5]
                        if q == 2 {
                            velocity = velocity + constants.dt_gravity;
                        }
                        v[column][q] = velocity;
                        x[column][q] = here.0[q] + constants.dt * velocity; // x += dt v
                    }
                }
            }
            from_above[n - 1] = below_left;
        }
        sums
    }
}

impl<const W: usize> Constants<W> {
    /// Adds the force of a spring to `force`, of its first particle, and to `reaction`, of its second; its energy and
    /// length to `sums`. Particles are given by position and velocity.
    #[inline(always)]
    fn pull<const PLAIN: bool>(
        &self,
        family: usize,
        here: (Triple<W>, Triple<W>),
        there: (Triple<W>, Triple<W>),
        force: &mut Triple<W>,
        reaction: &mut Triple<W>,
        sums: &mut Sums<W>,
    ) {
        let (d, e) = (minus(there.0, here.0), minus(there.1, here.1));
        let length = dot(d, d).sqrt();
        let inverse = length.recip();
        let extension = length - self.rest[family];
        let acts = length.at_least(self.acts_from[family]);
        let elastic = self.ks[family] * extension; //                                      ks (|x| - L)  [Boxerman 2003, eq. 3.6]
        let damped = self.kd_projected[family] * dot(d, e).max(Vector::ZERO) * inverse; // kd v·x / |x|  [Boxerman 2003, eq. 3.14]
        let along = ((elastic + damped) * inverse).masked(acts);
        for q in 0..3 {
            let mut pull = along * d[q];
            if PLAIN {
                pull = pull + self.kd_plain[family].masked(acts) * e[q]; // kd v      [Boxerman 2003, eq. 3.12]
            }
            force[q] = force[q] + pull;
            reaction[q] = reaction[q] - pull;
        }
        sums.twice_springs = sums.twice_springs + (elastic * extension).masked(acts);
        sums.longest[family] = sums.longest[family].max(length);
    }
}
