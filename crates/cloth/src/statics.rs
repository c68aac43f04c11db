//! Cloth at rest: the least of its potential under dead loads, by damped Newton, not by waiting.

mod load;
#[cfg(test)]
mod tests;

use linsolve::{BlockPattern, BlockRows, ConstrainedSystem, Constraint, SparseCholesky};
use thiserror::Error;

pub use load::Moment;

use crate::{Linearisation, Mat3, System, Terms, Vec3};

/// When a search for rest ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Until {
    /// Largest force that is left on a particle over the sum of all loads, or of the reactions where there are none \[-\], > 0.
    pub residual: f64,
    /// Newton steps, > 0.
    pub iterations: u32,
}

impl Default for Until {
    /// Down to 1e-10 of the loads.
    fn default() -> Until {
        Until { residual: 1e-10, iterations: 300 }
    }
}

/// Why a search for rest ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Stop {
    /// Forces are as small as was asked for.
    Settled,
    /// Forces fall no more, and are no larger than places make them by being rounded, eps Σ_j |K_ij| |x_j|
    /// \[Oettli & Prager 1964\]: where bending is stiff beside loads, that is more than is asked for.
    Rounded,
    /// They are not after as many steps as were allowed.
    Iterations,
    /// No step along the way of Newton lowers the energy, nor the forces, which are larger than that.
    Stuck,
    /// A force or an energy is not a finite number.
    NotFinite,
}

/// What a search for rest came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rest {
    /// Why it ended.
    pub stop: Stop,
    /// Newton steps taken.
    pub iterations: u32,
    /// Matrices factored: more than steps where some were not definite.
    pub factorisations: u32,
    /// Largest force that is left on a particle over the sum of all loads \[-\].
    pub residual: f64,
}

impl Rest {
    /// True at rest: as near as was asked for, or as rounding lets it.
    pub fn is_settled(&self) -> bool {
        matches!(self.stop, Stop::Settled | Stop::Rounded)
    }
}

/// Why there is no rest to search for.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum NoStatics {
    /// Some force has no potential.
    #[error("a force of the system has no potential: take out the dampers along springs and triangles")]
    NoPotential,
    /// A moment that turns a pair of particles which nothing couples.
    #[error("a moment turns the particles {} and {}, which nothing couples: name two ends of an edge", .0[0], .0[1])]
    Apart([usize; 2]),
}

/// h of the linear system and g = 1/h, powers of two, so that -h D - h g K is -K but for dampers of no weight.
const SMALL: f64 = 1.0 / (1_u64 << 40) as f64;

/// Share of the slope that a step must gain \[-\] \[Nocedal & Wright 2006, 3.1\].
const GAIN: f64 = 1e-4;

/// Share of its parts by which a sum of energies may be wrong \[-\].
const ROUNDING: f64 = 1e-14;

/// How often a step is halved.
const HALVINGS: u32 = 30;

/// Smallest and largest shift over the largest stiffness of a particle by its mass \[-\].
const SHIFTS: [f64; 2] = [1e-10, 1e4];

/// By how much a shift grows where it is too small, and falls where a step is taken whole.
const GROWTH: f64 = 100.0;

/// Steps in which energies are all rounding and forces do not fall to a half, after which there is no more to gain: where forces
/// are as small as rounding makes them, and where they are not.
const PATIENCE: [u32; 2] = [4, 40];

/// A search for rest: pinned particles stay where they are, all others take the place of least
///
/// E(x) = U(x) - Σ p_i·x_i - Σ M phi(x),
///
/// with the loads p \[N\], at first those of gravity, and the moments M \[N m\] about the angles phi of edges.
pub struct Statics<'a> {
    system: &'a dyn System,
    /// p \[N\], shape \[particle_count\].
    pub loads: Vec<Vec3>,
    /// Moments on edges.
    pub moments: Vec<Moment>,
    /// When it ends.
    pub until: Until,
    /// How particles are held, shape \[particle_count\]: at first those that the system pins and guides.
    pub constraints: Vec<Constraint>,
    implicit: Vec<bool>,
    pairs: Vec<(usize, usize)>,
    stiffness: BlockRows,
    cholesky: SparseCholesky,
    zeros: Vec<Vec3>,
    force: Vec<Vec3>,
    way: Vec<Vec3>,
    trial: Vec<Vec3>,
    /// Sum of the forces on what is held \[N\].
    reactions: f64,
}

/// An energy, and the size of its parts, of which rounding is a share \[J\].
#[derive(Clone, Copy)]
struct Value {
    energy: f64,
    size: f64,
}

impl<'a> Statics<'a> {
    /// Of a system under its own weight. Its drag is that of cloth at rest at the places of `x`, and stays what it is there.
    ///
    /// # Errors
    /// A force that has no potential.
    ///
    /// # Panics
    /// Where `x` has another length than the system has particles.
    pub fn new(system: &'a dyn System, x: &[Vec3]) -> Result<Statics<'a>, NoStatics> {
        let particles = system.particle_count();
        assert_eq!(x.len(), particles, "places of particles");
        let zeros = vec![Vec3::zeros(); particles];
        if system.potential(x, &zeros).is_none() {
            return Err(NoStatics::NoPotential);
        }
        let implicit = vec![true; system.coupling_count()];
        let mut loads = zeros.clone();
        system.add_explicit_forces(&implicit, x, &zeros, &mut loads);
        let held = |pinned: &bool| if *pinned { Constraint::Fixed } else { Constraint::Free };
        let mut constraints: Vec<Constraint> = system.pinned().iter().map(held).collect();
        for (particle, guide) in system.guides() {
            constraints[*particle] = *guide;
        }
        let pairs = system.pairs();
        let pattern = BlockPattern::new(particles, &pairs);
        Ok(Statics {
            system,
            loads,
            moments: vec![],
            until: Until::default(),
            implicit,
            constraints,
            pairs,
            cholesky: SparseCholesky::new(&pattern),
            stiffness: BlockRows::new(pattern),
            force: zeros.clone(),
            way: zeros.clone(),
            trial: zeros.clone(),
            zeros,
            reactions: 0.0,
        })
    }

    /// Moves `x`, shape \[particle_count\], to rest; held particles stay.
    ///
    /// # Errors
    /// A moment on an edge that the system does not have.
    pub fn settle(&mut self, x: &mut [Vec3]) -> Result<Rest, NoStatics> {
        self.settle_under(1.0, x)
    }

    /// [`Statics::settle`] under loads that grow to what they are by `increments` of equal size; what it reports is of the last
    /// one,
    /// but for its work, which is that of all.
    ///
    /// # Errors
    /// As [`Statics::settle`].
    pub fn settle_by(&mut self, increments: u32, x: &mut [Vec3]) -> Result<Rest, NoStatics> {
        let mut all: Option<Rest> = None;
        for k in 1..=increments.max(1) {
            let rest = self.settle_under(f64::from(k) / f64::from(increments.max(1)), x)?;
            let [iterations, factorisations] = all.map_or([0; 2], |all| [all.iterations, all.factorisations]);
            let (iterations, factorisations) = (iterations + rest.iterations, factorisations + rest.factorisations);
            all = Some(Rest { iterations, factorisations, ..rest });
        }
        Ok(all.unwrap_or(Rest { stop: Stop::Settled, iterations: 0, factorisations: 0, residual: 0.0 }))
    }

    /// Whether `x` is a place of least energy among its neighbours: -K is positive definite there.
    ///
    /// # Errors
    /// As [`Statics::settle`].
    pub fn is_stable_at(&mut self, x: &[Vec3]) -> Result<bool, NoStatics> {
        self.linearise(1.0, x)?;
        Ok(self.solve(0.0, 0.0))
    }

    /// Largest force on a particle that is free to move at `x`, over the sum of all loads \[-\].
    ///
    /// # Errors
    /// As [`Statics::settle`].
    pub fn residual_at(&mut self, x: &[Vec3]) -> Result<f64, NoStatics> {
        self.linearise(1.0, x)?;
        Ok(self.residual(self.scale(1.0, x)))
    }

    /// Newton's method with a line search along energies; where -K is not definite, a share of the masses is added, as by
    /// Levenberg and Marquardt.
    fn settle_under(&mut self, share: f64, x: &mut [Vec3]) -> Result<Rest, NoStatics> {
        let Until { residual: wanted, iterations: limit } = self.until;
        let mut rest = Rest { stop: Stop::Iterations, iterations: 0, factorisations: 0, residual: f64::INFINITY };
        let (mut shift, mut idle, mut least) = (0.0, 0, f64::INFINITY);
        let mut value = self.value(share, x);
        loop {
            self.linearise(share, x)?;
            least = least.min(rest.residual);
            let scale = self.scale(share, x);
            rest.residual = self.residual(scale);
            let is_rounded = rest.residual * scale <= self.rounding(x);
            let (patience, end) = if is_rounded { (PATIENCE[0], Stop::Rounded) } else { (PATIENCE[1], Stop::Stuck) };
            if !(rest.residual + value.energy).is_finite() {
                return Ok(Rest { stop: Stop::NotFinite, ..rest });
            }
            if rest.residual <= wanted {
                return Ok(Rest { stop: Stop::Settled, ..rest });
            }
            if rest.iterations == limit {
                return Ok(rest);
            }
            let largest = self.largest_stiffness();
            let (next, halvings) = loop {
                rest.factorisations += 1;
                if self.solve(shift, largest) {
                    let slope: f64 = self.force.iter().zip(&self.way).fold(0.0, |sum, (f, way)| sum + f.dot(way));
                    idle = if slope < ROUNDING * value.size && rest.residual > 0.5 * least { idle + 1 } else { 0 };
                    if idle >= patience {
                        return Ok(Rest { stop: end, ..rest });
                    }
                    if let Some(found) = self.searched(share, x, value, slope) {
                        break found;
                    }
                }
                shift = (GROWTH * shift).max(SHIFTS[0]); // what is in the matrix stays there: it is a hundredth of this
                if shift > SHIFTS[1] {
                    return Ok(Rest { stop: end, ..rest });
                }
            };
            x.copy_from_slice(&self.trial);
            value = next;
            rest.iterations += 1;
            if halvings == 0 {
                shift = if shift <= SHIFTS[0] { 0.0 } else { shift / GROWTH };
            }
        }
    }

    /// Overwrites the trial with the longest of halved steps that gains enough; its energy, and how often it was halved.
    fn searched(&mut self, share: f64, x: &[Vec3], begin: Value, slope: f64) -> Option<(Value, u32)> {
        let mut length = 1.0;
        for halvings in 0..=HALVINGS {
            for (trial, (x, way)) in self.trial.iter_mut().zip(x.iter().zip(&self.way)) {
                *trial = x + length * way;
            }
            let value = self.value(share, &self.trial);
            if value.energy <= begin.energy - GAIN * length * slope + ROUNDING * begin.size.max(value.size) {
                return Some((value, halvings));
            }
            length *= 0.5;
        }
        None
    }

    /// E at `x` under a share of the loads.
    fn value(&self, share: f64, x: &[Vec3]) -> Value {
        let energy = self.system.potential(x, &self.zeros).map_or(f64::NAN, |potential| potential.energy);
        let (mut work, mut worked) = (0.0, 0.0);
        for ((load, x), constraint) in self.loads.iter().zip(x).zip(&self.constraints) {
            if *constraint != Constraint::Fixed {
                let along = share * load.dot(x);
                work += along;
                worked += along.abs();
            }
        }
        for moment in &self.moments {
            let along = share * moment.moment * moment.angle(x);
            let ends = moment.edge.iter().map(|i| x[*i].norm()).sum::<f64>();
            work += along;
            worked += along.abs() + share * moment.pull(x) * ends; // an angle rounds as the ends of its edge do
        }
        Value { energy: energy - work, size: energy.abs() + worked }
    }

    /// Overwrites the matrix with -K and the force with f at `x`, which is zero where particles are held.
    fn linearise(&mut self, share: f64, x: &[Vec3]) -> Result<(), NoStatics> {
        self.stiffness.clear();
        self.force.fill(Vec3::zeros());
        let at = Linearisation { x, v: &self.zeros, w: &self.zeros, h: SMALL, g: 1.0 / SMALL, terms: Terms::Exact };
        self.system.add_linearised(&at, &self.implicit, &mut self.stiffness, &mut self.force);
        for (force, load) in self.force.iter_mut().zip(&self.loads) {
            *force = *force / SMALL + share * load;
        }
        for moment in &self.moments {
            moment.add(share, x, &self.pairs, &mut self.stiffness, &mut self.force)?;
        }
        self.reactions = 0.0;
        for (force, constraint) in self.force.iter_mut().zip(&self.constraints) {
            let whole = *force;
            constraint.project(force);
            self.reactions += (whole - *force).norm();
        }
        Ok(())
    }

    /// Overwrites the way with (-K + shift largest M)⁻¹ f; whether that matrix is positive definite.
    fn solve(&mut self, shift: f64, largest: f64) -> bool {
        if shift > 0.0 {
            for (i, m) in self.system.masses().iter().enumerate() {
                self.stiffness.add_diagonal(i, &Mat3::from_diagonal_element(shift * largest * m));
            }
        }
        let Statics { stiffness, force, constraints, zeros, way, .. } = self;
        let system = ConstrainedSystem { operator: &*stiffness, b: &force[..], constraints: &constraints[..], z: &zeros[..] };
        self.cholesky.solve(&system, way).is_ok()
    }

    /// Largest force that rounding of `x` leaves on a particle that is not held \[N\]; overwrites the trial.
    fn rounding(&mut self, x: &[Vec3]) -> f64 {
        let sums = &mut self.trial;
        sums.fill(Vec3::zeros());
        for i in 0..x.len() {
            sums[i] += self.stiffness.diagonal(i).abs() * x[i].abs();
            for (j, block) in self.stiffness.filled_above(i) {
                sums[i] += block.abs() * x[j].abs();
                sums[j] += block.abs().transpose() * x[i].abs();
            }
        }
        let free = sums.iter().zip(&self.constraints).filter(|(_, constraint)| **constraint != Constraint::Fixed);
        free.fold(0.0, |most, (sum, _)| f64::max(most, f64::EPSILON * sum.norm()))
    }

    /// Largest stiffness of a particle over its mass \[1/s²\].
    fn largest_stiffness(&self) -> f64 {
        let masses = self.system.masses().iter().enumerate();
        masses.map(|(i, m)| self.stiffness.diagonal(i).amax() / m).fold(0.0, f64::max)
    }

    /// Sum of all loads \[N\], those of moments by their edges; of the reactions at what is held where there are none.
    fn scale(&self, share: f64, x: &[Vec3]) -> f64 {
        let free = self.loads.iter().zip(&self.constraints).filter(|(_, constraint)| **constraint != Constraint::Fixed);
        let loads = free.fold(0.0, |sum, (load, _)| sum + load.norm());
        let loads = share * self.moments.iter().fold(loads, |sum, moment| sum + moment.pull(x));
        if loads > 0.0 { loads } else { self.reactions }
    }

    /// Zero where there is no force at all.
    fn residual(&self, scale: f64) -> f64 {
        let largest = self.force.iter().map(|force| force.norm()).fold(0.0, f64::max);
        if largest == 0.0 { 0.0 } else { largest / scale }
    }
}
