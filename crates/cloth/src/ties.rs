use linsolve::BlockRows;

use crate::implicit::{Splitting, add_coupling};
use crate::invalid::{non_negative, positive};
use crate::{Elastic, Linearisation, Mat3, ModelError, Potential, State, System, Terms, Vec3, axial_jacobian};

/// A spring that draws two particles together and holds them there. It resists both ways, and its damper is plain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stitch {
    /// First particle.
    pub i: usize,
    /// Second particle.
    pub j: usize,
    /// L0, its rest length at time 0 \[m\], >= 0.
    pub start: f64,
    /// Its rest length in the end \[m\], >= 0.
    pub end: f64,
    /// T, when the rest length is that of the end \[s\], > 0; linear in time until then.
    pub time: f64,
    /// ks \[N/m\], > 0, and kd \[N s/m\].
    pub elastic: Elastic,
}

impl Stitch {
    /// L(t) = L0 + (L1 - L0) t / T until T, then L1 \[m\].
    pub fn rest(&self, t: f64) -> f64 {
        if t < self.time { self.start + (self.end - self.start) * (t / self.time) } else { self.end }
    }
}

/// A particle that a spring of rest length zero and a plain damper tie to a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftPin {
    /// The particle.
    pub particle: usize,
    /// The place \[m\].
    pub place: Vec3,
    /// Velocity of the place \[m/s\].
    pub velocity: Vec3,
    /// ks \[N/m\], > 0, and kd \[N s/m\].
    pub elastic: Elastic,
}

/// Springs beside those of a system: stitches between its particles, whose rest lengths change in time, and soft pins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ties {
    stitches: Vec<Stitch>,
    /// Rest lengths now \[m\], one a stitch.
    rests: Vec<f64>,
    soft: Vec<SoftPin>,
    /// Couplings of the system itself.
    couplings: usize,
    /// Pairs of the system itself.
    pairs: usize,
}

impl Ties {
    /// Ties particles of a `system`, at time 0.
    ///
    /// # Errors
    /// A particle that the system does not have, a stitch of a particle to itself, and a number outside its range.
    pub fn new(system: &dyn System, stitches: Vec<Stitch>, soft: Vec<SoftPin>) -> Result<Ties, ModelError> {
        let particles = system.particle_count();
        for &Stitch { i, j, start, end, time, elastic } in &stitches {
            if i == j || i.max(j) >= particles {
                return Err(ModelError::Edge { i, j, particles });
            }
            non_negative("the length of a stitch", start)?;
            non_negative("the length of a stitch", end)?;
            positive("the time of sewing", time)?;
            positive("the stiffness of a stitch", elastic.stiffness)?;
            non_negative("the damping of a stitch", elastic.damping)?;
        }
        for &SoftPin { particle, elastic, .. } in &soft {
            if particle >= particles {
                return Err(ModelError::PinOfMesh { pin: particle, particles });
            }
            positive("the stiffness of a pin", elastic.stiffness)?;
            non_negative("the damping of a pin", elastic.damping)?;
        }
        let rests = stitches.iter().map(|stitch| stitch.rest(0.0)).collect();
        Ok(Ties { stitches, rests, soft, couplings: system.coupling_count(), pairs: system.pairs().len() })
    }

    /// True where nothing is tied.
    pub fn is_empty(&self) -> bool {
        self.stitches.is_empty() && self.soft.is_empty()
    }

    /// The stitches.
    pub fn stitches(&self) -> &[Stitch] {
        &self.stitches
    }

    /// Gives the stitches their rest lengths at a time `t` \[s\].
    pub fn set_time(&mut self, t: f64) {
        self.rests.iter_mut().zip(&self.stitches).for_each(|(rest, stitch)| *rest = stitch.rest(t));
    }

    /// Energy of all ties now \[J\]: 1/2 ks (|x_j - x_i| - L)² of a stitch, 1/2 ks |x - p|² of a pin.
    pub fn energy(&self, x: &[Vec3]) -> f64 {
        let of_stitch = |(stitch, rest): (&Stitch, &f64)| {
            let extension = (x[stitch.j] - x[stitch.i]).norm() - rest;
            0.5 * stitch.elastic.stiffness * extension * extension
        };
        let of_pin = |pin: &SoftPin| 0.5 * pin.elastic.stiffness * (pin.place - x[pin.particle]).norm_squared();
        self.stitches.iter().zip(&self.rests).map(of_stitch).sum::<f64>() + self.soft.iter().map(of_pin).sum::<f64>()
    }

    /// The soft pins.
    pub fn soft(&self) -> &[SoftPin] {
        &self.soft
    }

    /// Moves the soft pins of a particle to a place \[m\] in a step of `dt` \[s\]: their velocity is that of the step.
    pub fn carry(&mut self, particle: usize, place: Vec3, dt: f64) {
        for pin in self.soft.iter_mut().filter(|pin| pin.particle == particle) {
            pin.velocity = (place - pin.place) / dt;
            pin.place = place;
        }
    }

    /// Lets go of the soft pins of some particles.
    pub fn release(&mut self, particles: &[usize]) {
        self.soft.retain(|pin| !particles.contains(&pin.particle));
    }

    /// Largest distance between the particles of a stitch \[m\]; none without stitches.
    pub fn farthest(&self, x: &[Vec3]) -> Option<f64> {
        self.stitches.iter().map(|stitch| (x[stitch.j] - x[stitch.i]).norm()).reduce(f64::max)
    }

    /// A `system` with these ties, in place of that which they were made for.
    pub fn of<'a>(&'a self, system: &'a dyn System) -> Tied<'a> {
        Tied { system, ties: self }
    }

    /// Force \[N\] of stitch `k` on its first particle, ks (|d| - L) d/|d| + kd (v_j - v_i); a spring of length zero has no direction
    /// to push along.
    fn force(&self, k: usize, x: &[Vec3], v: &[Vec3]) -> Vec3 {
        let Stitch { i, j, elastic, .. } = self.stitches[k];
        let (d, rest) = (x[j] - x[i], self.rests[k]);
        let length = d.norm();
        let pull = match length > 0.0 {
            true => elastic.stiffness * ((length - rest) / length) * d,
            false => Vec3::zeros(),
        };
        pull + elastic.damping * (v[j] - v[i])
    }

    /// Derivative of the same force by the position of the second particle: ks I where L = 0.
    fn stiffness(&self, k: usize, x: &[Vec3], terms: Terms) -> Mat3 {
        let Stitch { i, j, elastic: Elastic { stiffness, .. }, .. } = self.stitches[k];
        let (d, rest) = (x[j] - x[i], self.rests[k]);
        let length = d.norm();
        match rest > 0.0 && length > 0.0 {
            true => axial_jacobian(stiffness * (length - rest), stiffness, d, terms),
            false => stiffness * Mat3::identity(),
        }
    }
}

/// Force of a soft pin \[N\], ks (p - x) + kd (u - v).
fn hold(pin: &SoftPin, x: &[Vec3], v: &[Vec3]) -> Vec3 {
    let SoftPin { particle, place, velocity, elastic } = pin;
    elastic.stiffness * (place - x[*particle]) + elastic.damping * (velocity - v[*particle])
}

/// A system with ties. Its stitches are couplings behind its own ones, and act as stretch springs where schemes tell families apart;
/// soft pins are implicit wherever anything is.
pub struct Tied<'a> {
    system: &'a dyn System,
    ties: &'a Ties,
}

impl System for Tied<'_> {
    fn accelerate(&self, x: &[Vec3], v: &[Vec3], a: &mut [Vec3]) {
        self.system.accelerate(x, v, a);
        let (masses, pinned) = (self.masses(), self.pinned());
        let mut push = |i: usize, force: Vec3| {
            if !pinned[i] {
                a[i] += force / masses[i];
            }
        };
        for (k, &Stitch { i, j, .. }) in self.ties.stitches.iter().enumerate() {
            let force = self.ties.force(k, x, v);
            push(i, force);
            push(j, -force);
        }
        self.ties.soft.iter().for_each(|pin| push(pin.particle, hold(pin, x, v)));
    }

    fn coupling_count(&self) -> usize {
        self.ties.couplings + self.ties.stitches.len()
    }

    fn pairs(&self) -> Vec<(usize, usize)> {
        let mut pairs = self.system.pairs();
        pairs.extend(self.ties.stitches.iter().map(|stitch| (stitch.i, stitch.j)));
        pairs
    }

    fn choose_implicit(&self, splitting: &Splitting, dt: f64, state: &State, implicit: &mut [bool]) {
        let (own, stitches) = implicit.split_at_mut(self.ties.couplings);
        self.system.choose_implicit(splitting, dt, state, own);
        let masses = self.masses();
        for (implicit, &Stitch { i, j, elastic, .. }) in stitches.iter_mut().zip(&self.ties.stitches) {
            *implicit = splitting.is_implicit(dt, masses[i].min(masses[j]), elastic);
        }
    }

    fn joined_by(&self, coupling: usize, x: &[Vec3]) -> Option<(usize, usize)> {
        match coupling.checked_sub(self.ties.couplings) {
            None => self.system.joined_by(coupling, x),
            Some(k) => Some((self.ties.stitches[k].i, self.ties.stitches[k].j)),
        }
    }

    fn add_explicit_forces(&self, implicit: &[bool], x: &[Vec3], v: &[Vec3], f: &mut [Vec3]) {
        let (own, stitches) = implicit.split_at(self.ties.couplings);
        self.system.add_explicit_forces(own, x, v, f);
        for (k, &Stitch { i, j, .. }) in self.ties.stitches.iter().enumerate().filter(|(k, _)| !stitches[*k]) {
            let force = self.ties.force(k, x, v);
            f[i] += force;
            f[j] -= force;
        }
    }

    fn add_linearised(&self, at: &Linearisation, implicit: &[bool], a: &mut BlockRows, b: &mut [Vec3]) {
        let (own, stitches) = implicit.split_at(self.ties.couplings);
        self.system.add_linearised(at, own, a, b);
        let &Linearisation { x, v, w, h, g, terms } = at;
        for (k, &Stitch { i, j, elastic, .. }) in self.ties.stitches.iter().enumerate().filter(|(k, _)| stitches[*k]) {
            let slope = self.ties.stiffness(k, x, terms);
            let impulse = h * (self.ties.force(k, x, v) + slope * (w[j] - w[i])); // h (f + K w)
            b[i] += impulse;
            b[j] -= impulse;
            add_coupling(a, self.ties.pairs + k, (i, j), &(h * elastic.damping * Mat3::identity() + h * g * slope));
        }
        for pin in &self.ties.soft {
            let SoftPin { particle, elastic: Elastic { stiffness, damping }, .. } = *pin;
            b[particle] += h * (hold(pin, x, v) - stiffness * w[particle]);
            a.add_diagonal(particle, &((h * damping + h * g * stiffness) * Mat3::identity()));
        }
    }

    fn add_curvatures(&self, h: f64, add: &mut dyn FnMut(usize, usize, f64)) {
        self.system.add_curvatures(h, add);
        for &Stitch { i, j, elastic, .. } in &self.ties.stitches {
            add(i, j, elastic.stiffness + elastic.damping / h);
        }
        for &SoftPin { particle, elastic, .. } in &self.ties.soft {
            add(particle, particle, elastic.stiffness + elastic.damping / h);
        }
    }

    fn potential(&self, x: &[Vec3], v: &[Vec3]) -> Option<Potential> {
        let mut potential = self.system.potential(x, v)?;
        potential.energy += self.ties.energy(x);
        for &Stitch { i, j, elastic, .. } in &self.ties.stitches {
            potential.dissipation += 0.5 * elastic.damping * (v[j] - v[i]).norm_squared();
        }
        for pin in &self.ties.soft {
            potential.dissipation += 0.5 * pin.elastic.damping * (v[pin.particle] - pin.velocity).norm_squared();
        }
        Some(potential)
    }

    // not its sheet: linear systems on that grid would leave the ties out
    fn resistance(&self, particle: usize) -> Option<f64> {
        let is_soft = self.ties.soft.iter().any(|pin| pin.particle == particle);
        if is_soft { None } else { self.system.resistance(particle) }
    }

    crate::pass_on! {
        system: largest_stretch, strain_energy, unforeseen_strain, masses, pinned, guides, choices_follow, triangles
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implicit::Settings;
    use crate::integrators::{DissipationLimit, GeneralizedAlpha, Integrator, PLAIN};
    use crate::{Cloth, GRAVITY, Grid, Material, Net, NetSpring, Pin};
    use linsolve::Operator;

    const FIRM: Elastic = Elastic { stiffness: 40.0, damping: 0.3 };

    /// Three particles, the first two joined by a spring, the last two to be sewn, the first one on a soft pin.
    fn tied(net: &Net) -> Ties {
        let stitch = Stitch { i: 2, j: 1, start: 1.5, end: 0.25, time: 2.0, elastic: FIRM };
        let pin = SoftPin { particle: 0, place: Vec3::new(0.1, 0.2, -0.1), velocity: Vec3::new(0.5, 0.0, 1.0), elastic: FIRM };
        Ties::new(net, vec![stitch], vec![pin]).unwrap()
    }

    fn net() -> Net {
        let spring = NetSpring { i: 0, j: 1, rest: 1.0, elastic: Elastic { stiffness: 30.0, damping: 0.2 } };
        let mut net = Net::new(vec![1.0, 2.0, 0.5], vec![false; 3], vec![spring]).unwrap();
        net.gravity = Vec3::zeros();
        net
    }

    fn state() -> State {
        let x = vec![Vec3::new(0.0, 0.1, 0.3), Vec3::new(1.2, -0.1, 0.0), Vec3::new(2.0, 0.9, 0.4)];
        State { x, v: vec![Vec3::new(0.1, 0.0, 0.2), Vec3::new(0.0, -0.4, 0.1), Vec3::new(0.3, 0.2, -0.5)] }
    }

    #[test]
    fn rest_lengths_shrink_evenly_and_stay() {
        let net = net();
        let mut ties = tied(&net);
        for (t, expected) in [(0.0, 1.5), (0.5, 1.1875), (2.0, 0.25), (9.0, 0.25)] {
            ties.set_time(t);
            assert!((ties.rests[0] - expected).abs() < 1e-15, "{t}");
        }
    }

    #[test]
    fn forces_are_slopes_of_the_energy_and_jacobians_slopes_of_forces() {
        let net = Net::new(vec![1.0, 2.0, 0.5], vec![false; 3], vec![]).unwrap();
        let mut ties = tied(&net);
        let State { x, v } = state();
        for t in [0.5, 1.9] {
            ties.set_time(t);
            let rest = vec![Vec3::zeros(); 3];
            let force = |x: &[Vec3], v: &[Vec3]| {
                let mut f = vec![Vec3::zeros(); 3];
                ties.of(&net).add_explicit_forces(&[false], x, v, &mut f);
                let air = net.gravity; // of the net alone
                f.iter_mut().zip([1.0, 2.0, 0.5]).for_each(|(f, mass)| *f -= mass * air);
                ties.soft.iter().for_each(|pin| f[pin.particle] += hold(pin, x, v));
                f
            };
            let still = ties.clone();
            let undamped: Vec<Vec3> = {
                let mut f = force(&x, &rest);
                f[0] -= FIRM.damping * still.soft[0].velocity;
                f
            };
            let e = 1e-6;
            for i in 0..3 {
                for axis in 0..3 {
                    let moved = |by: f64| {
                        let mut moved = x.clone();
                        moved[i][axis] += by;
                        moved
                    };
                    let slope = (ties.energy(&moved(e)) - ties.energy(&moved(-e))) / (2.0 * e);
                    assert!((undamped[i][axis] + slope).abs() < 1e-6, "{t} {i} {axis}: {} {slope}", undamped[i][axis]);
                    // the matrix -h D - h g K, column by column
                    let (h, g) = (0.3, 0.7);
                    let mut matrix = BlockRows::new(linsolve::BlockPattern::new(3, &ties.of(&net).pairs()));
                    let mut b = vec![Vec3::zeros(); 3];
                    let at = Linearisation { x: &x, v: &v, w: &rest, h, g, terms: Terms::Exact };
                    ties.of(&net).add_linearised(&at, &[true], &mut matrix, &mut b);
                    let mut column = vec![Vec3::zeros(); 3];
                    let mut unit = vec![Vec3::zeros(); 3];
                    unit[i][axis] = 1.0;
                    matrix.apply(&unit, &mut column);
                    let [ahead, behind] = [e, -e].map(|by| force(&moved(by), &v));
                    let pushed = |by: f64| {
                        let mut pushed = v.clone();
                        pushed[i][axis] += by;
                        force(&x, &pushed)
                    };
                    let [faster, slower] = [e, -e].map(pushed);
                    for k in 0..3 {
                        let expected = -h * g * (ahead[k] - behind[k]) / (2.0 * e) - h * (faster[k] - slower[k]) / (2.0 * e);
                        assert!((column[k] - expected).norm() < 1e-6, "{t} {i} {axis} {k}: {} {expected}", column[k]);
                    }
                    assert!(column.iter().any(|column| column.norm() > 1.0), "nothing to compare");
                    for (b, pull) in b.iter().zip(force(&x, &v)) {
                        assert!((b - h * pull).norm() < 1e-12, "{b} {pull}");
                    }
                }
            }
        }
    }

    #[test]
    fn stitches_keep_the_momentum_under_every_scheme_and_end_together() {
        let net = net();
        let mut start = state();
        start.v.fill(Vec3::zeros());
        let elastic = Elastic { damping: 2.0, ..FIRM };
        let stitch = Stitch { i: 2, j: 1, start: 1.3, end: 0.0, time: 0.5, elastic };
        let mut ties = Ties::new(&net, vec![stitch], vec![]).unwrap();
        let run = |ties: &mut Ties, scheme: &mut dyn Integrator| {
            let mut state = start.clone();
            for step in 0..4000_u32 {
                ties.set_time(f64::from(step + 1) * 1e-3);
                scheme.step(&ties.of(&net), 1e-3, &mut state);
            }
            let momentum: Vec3 = state.v.iter().zip(net.masses()).map(|(v, mass)| *mass * v).sum();
            assert!(momentum.norm() < 1e-6, "{momentum}");
            ties.farthest(&state.x).unwrap()
        };
        for entry in PLAIN {
            let whole = ties.clone();
            let apart = run(&mut ties, &mut *entry.integrator(&whole.of(&net), Settings::converged()));
            assert!(apart < 0.03, "{}: {apart}", entry.name);
        }
        let system = ties.clone();
        let mut alpha = GeneralizedAlpha::new(&system.of(&net), Settings::converged(), DissipationLimit::MOST_DISSIPATION);
        assert!(run(&mut ties, &mut alpha) < 0.03);
    }

    #[test]
    fn a_soft_pin_gives_by_the_weight_over_its_stiffness_also_of_a_grid() {
        let cloth = Cloth::new(Grid::new(4, 3, 0.1).unwrap(), Material::default(), &[] as &[Pin]).unwrap();
        let firm = Elastic { stiffness: 50.0, damping: 2.0 };
        let start = cloth.at_rest();
        let pins = (0..12).map(|particle| SoftPin { particle, place: start.x[particle], velocity: Vec3::zeros(), elastic: firm });
        let mut ties = Ties::new(&cloth, vec![], pins.collect()).unwrap();
        let mut scheme = crate::integrators::BackwardEuler::new(&ties.of(&cloth), Settings::converged());
        let mut state = start.clone();
        (0..2000).for_each(|_| scheme.step(&ties.of(&cloth), 1e-3, &mut state));
        let given = cloth.masses()[0] * GRAVITY / 50.0;
        assert!(state.x.iter().zip(&start.x).all(|(x, at)| (at.z - x.z - given).abs() < 1e-6), "{} {given}", state.x[0].z);
        ties.release(&[0, 1, 2, 3]);
        assert_eq!(ties.soft().len(), 8);
        ties.carry(4, Vec3::new(1.0, 2.0, 3.0), 0.5);
        let pin = ties.soft()[0];
        assert!(pin.place == Vec3::new(1.0, 2.0, 3.0) && (pin.velocity - 2.0 * (pin.place - start.x[4])).norm() < 1e-12);
    }

    #[test]
    fn contradictions_are_refused() {
        let net = net();
        let stitch = Stitch { i: 0, j: 1, start: 1.0, end: 0.0, time: 1.0, elastic: FIRM };
        let refused = |stitch: Stitch| Ties::new(&net, vec![stitch], vec![]).map(drop).unwrap_err();
        assert_eq!(refused(Stitch { j: 0, ..stitch }), ModelError::Edge { i: 0, j: 0, particles: 3 });
        assert_eq!(refused(Stitch { j: 3, ..stitch }), ModelError::Edge { i: 0, j: 3, particles: 3 });
        for wrong in [Stitch { time: 0.0, ..stitch }, Stitch { elastic: Elastic { stiffness: 0.0, damping: 0.0 }, ..stitch }] {
            assert!(matches!(refused(wrong), ModelError::OutOfRange { .. }));
        }
        let pin = SoftPin { particle: 3, place: Vec3::zeros(), velocity: Vec3::zeros(), elastic: FIRM };
        assert_eq!(Ties::new(&net, vec![], vec![pin]).map(drop), Err(ModelError::PinOfMesh { pin: 3, particles: 3 }));
    }
}
