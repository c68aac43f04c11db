mod differentiable;
mod eight_springs;

use linsolve::BlockRows;
use linsolve::lanes::InstructionSet;

use eight_springs::EightSprings;

use crate::implicit::{Splitting, add_air, add_coupling};
use crate::invalid::{non_negative, normal};
use crate::sets::Sets;
use crate::spring::steepest_slope;
use crate::system::median_energy;
use crate::unforeseen::Springs;
use crate::{
    DampingForm, Drag, Elastic, Energies, Family, Linearisation, ModelError, Potential, SpringJacobian, State, Stiffening,
    System, Terms, Vec3, axial_jacobian, damping, damping_jacobian, strain_energy, tension, tension_slope,
};

/// A spring of a net.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetSpring {
    /// First particle.
    pub i: usize,
    /// Second particle.
    pub j: usize,
    /// Rest length L \[m\], > 0.
    pub rest: f64,
    /// ks \[N/m\] and kd \[N s/m\].
    pub elastic: Elastic,
}

/// A spring that may be slack counts as extended where |d| >= L (1 - this) \[-\].
const SLACK: f64 = 1e-12;

/// Particles of any masses joined by springs in any way, under gravity and a resistance in proportion to mass: the chains and
/// garments whose edges are inextensible, and mass-spring cloth on triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    masses: Vec<f64>,
    pinned: Vec<bool>,
    springs: Vec<NetSpring>,
    /// Where the families of stretch and of shear end; the other springs are of the bend family.
    ends: [usize; 2],
    /// Whether springs of stretch and of shear act in compression too; the others always do.
    compression: bool,
    /// Gravity \[m/s²\].
    pub gravity: Vec3,
    /// Resistance of the air per mass, f = -air m v \[1/s\], >= 0.
    pub air: f64,
    /// How dampers act; plain if nothing is said.
    pub damping: DampingForm,
    /// A knee in the stiffness of stretch and shear.
    pub stiffening: Option<Stiffening>,
    /// ka, resistance of the air of a particle, f = -ka v \[N s/m\], >= 0.
    pub resistance: f64,
    /// Drag on its faces.
    pub drag: Option<Drag>,
    /// Triangles between particles, which bear the drag.
    pub(crate) faces: Vec<[usize; 3]>,
}

impl Net {
    /// Particles of `masses` \[kg\], those `pinned` held, under standard gravity and without air, joined by springs of one family,
    /// which act in extension and in compression.
    ///
    /// # Errors
    /// A mass or a rest length that is not a finite number above zero, a stiffness or damping below zero, a spring that joins no
    /// two particles of the net.
    ///
    /// # Panics
    /// Where `masses` and `pinned` differ in length.
    pub fn new(masses: Vec<f64>, pinned: Vec<bool>, springs: Vec<NetSpring>) -> Result<Net, ModelError> {
        Net::of_families(masses, pinned, [springs, vec![], vec![]], true)
    }

    /// A net as [`Net::new`] makes it with springs of three families: stretch and shear, in `compression` too or in extension only,
    /// and bend, which act both ways.
    ///
    /// # Errors
    /// As [`Net::new`].
    ///
    /// # Panics
    /// As [`Net::new`].
    pub fn of_families(
        masses: Vec<f64>,
        pinned: Vec<bool>,
        families: [Vec<NetSpring>; 3],
        compression: bool,
    ) -> Result<Net, ModelError> {
        let ends = [families[0].len(), families[0].len() + families[1].len()];
        let springs: Vec<NetSpring> = families.into_iter().flatten().collect();
        assert_eq!(masses.len(), pinned.len(), "particles");
        for &mass in &masses {
            normal("the mass of a particle", mass)?;
        }
        for &NetSpring { i, j, rest, elastic } in &springs {
            if i == j || i.max(j) >= masses.len() {
                return Err(ModelError::Edge { i, j, particles: masses.len() });
            }
            normal("the rest length of a spring", rest)?;
            non_negative("the stiffness of a spring", elastic.stiffness)?;
            non_negative("the damping of a spring", elastic.damping)?;
        }
        Ok(Net {
            masses,
            pinned,
            springs,
            ends,
            compression,
            gravity: Vec3::new(0.0, 0.0, -crate::GRAVITY),
            air: 0.0,
            damping: DampingForm::Plain,
            stiffening: None,
            resistance: 0.0,
            drag: None,
            faces: vec![],
        })
    }

    /// The net with further springs, which act both ways.
    ///
    /// # Errors
    /// As [`Net::new`], for these springs.
    pub fn with_springs(&self, springs: impl IntoIterator<Item = NetSpring>) -> Result<Net, ModelError> {
        let [stretch, shear] = self.ends;
        let bend = self.springs[shear..].iter().copied().chain(springs).collect();
        let families = [self.springs[..stretch].to_vec(), self.springs[stretch..shear].to_vec(), bend];
        let net = Net::of_families(self.masses.clone(), self.pinned.clone(), families, self.compression)?;
        Ok(Net { springs: net.springs, ends: net.ends, ..self.clone() })
    }

    /// The springs: stretch, shear, bend.
    pub fn springs(&self) -> &[NetSpring] {
        &self.springs
    }

    /// The springs of stretch.
    pub fn stretch_springs(&self) -> &[NetSpring] {
        &self.springs[..self.ends[0]]
    }

    /// Takes out the springs that are not to be kept; allocates nothing.
    pub fn retain_springs(&mut self, mut keep: impl FnMut(&NetSpring) -> bool) {
        let (ends, mut left, mut number) = (self.ends, self.ends, 0);
        self.springs.retain(|spring| {
            let kept = keep(spring);
            for (end, left) in ends.iter().zip(&mut left) {
                *left -= usize::from(!kept && number < *end);
            }
            number += 1;
            kept
        });
        self.ends = left;
    }

    /// Number of parts that no spring joins.
    pub fn parts(&self) -> usize {
        let mut parts = Sets::new(self.masses.len());
        self.masses.len() - self.springs.iter().filter(|spring| parts.join(spring.i, spring.j)).count()
    }

    /// Kinetic, gravitational and elastic energy \[J\].
    pub fn energy(&self, state: &State) -> f64 {
        let of = |((x, v), m): ((&Vec3, &Vec3), &f64)| 0.5 * m * v.norm_squared() - m * self.gravity.dot(x);
        let particles: f64 = state.x.iter().zip(&state.v).zip(&self.masses).map(of).sum();
        particles + (0..self.springs.len()).map(|k| self.elastic_energy(k, &state.x)).sum::<f64>()
    }

    /// Energies of a state, those of the springs by family.
    pub fn energies(&self, state: &State) -> Energies {
        let mut energies = Energies::of_particles(state, &self.masses, &self.gravity);
        for k in 0..self.springs.len() {
            let family = match self.family(k) {
                Family::Stretch => &mut energies.stretch,
                Family::Shear => &mut energies.shear,
                Family::Bend => &mut energies.bend,
            };
            *family += self.elastic_energy(k, &state.x);
        }
        energies
    }

    /// What spring `k` resists.
    fn family(&self, k: usize) -> Family {
        match self.ends {
            [stretch, _] if k < stretch => Family::Stretch,
            [_, shear] if k < shear => Family::Shear,
            _ => Family::Bend,
        }
    }

    /// The knee in the stiffness of spring `k`, if it has one.
    #[inline]
    fn knee(&self, k: usize) -> Option<Stiffening> {
        self.stiffening.filter(|_| k < self.ends[1])
    }

    /// Energy \[J\] of spring `k`, 1/2 ks (|d| - L)² up to its knee, where it acts.
    fn elastic_energy(&self, k: usize, x: &[Vec3]) -> f64 {
        let spring = &self.springs[k];
        let extension = (x[spring.j] - x[spring.i]).norm() - spring.rest;
        if self.acts(k, x) { strain_energy(spring.elastic.stiffness, spring.rest, extension, self.knee(k)) } else { 0.0 }
    }

    /// Whether spring `k` acts: one of stretch or shear without compression is slack below its rest length, which must not flip with
    /// rounding.
    #[inline]
    fn acts(&self, k: usize, x: &[Vec3]) -> bool {
        if self.compression || k >= self.ends[1] {
            return true;
        }
        let spring = &self.springs[k];
        (x[spring.j] - x[spring.i]).norm() >= spring.rest * (1.0 - SLACK)
    }

    /// Force \[N\] of spring `k` and its damper on its first particle where it acts: T(|d| - L) d/|d|, which is ks (|d| - L) d/|d|
    /// up to its knee, and kd (v_j - v_i) or its part along d. Without a direction there is plain damping only.
    #[inline]
    fn force(&self, k: usize, x: &[Vec3], v: &[Vec3]) -> Vec3 {
        if !self.acts(k, x) {
            return Vec3::zeros();
        }
        let NetSpring { i, j, rest, elastic } = self.springs[k];
        let (d, relative) = (x[j] - x[i], v[j] - v[i]);
        let length = d.norm();
        if length > 0.0 {
            let pull = tension(elastic.stiffness, rest, length - rest, self.knee(k)) / length * d;
            pull + damping(self.damping, elastic.damping, d, relative)
        } else {
            damping(DampingForm::Plain, self.undirected(elastic), d, relative)
        }
    }

    /// Derivatives of the same force by position and velocity of the second particle.
    fn jacobian(&self, k: usize, x: &[Vec3], v: &[Vec3], terms: Terms) -> SpringJacobian {
        let NetSpring { i, j, rest, elastic } = self.springs[k];
        let (d, relative) = (x[j] - x[i], v[j] - v[i]);
        let length = d.norm();
        if length > 0.0 {
            let (extension, knee) = (length - rest, self.knee(k));
            let damped = damping_jacobian(self.damping, elastic.damping, d, relative, terms);
            let pulled = tension(elastic.stiffness, rest, extension, knee);
            let slope = tension_slope(elastic.stiffness, rest, extension, knee);
            SpringJacobian { position: axial_jacobian(pulled, slope, d, terms) + damped.position, ..damped }
        } else {
            damping_jacobian(DampingForm::Plain, self.undirected(elastic), d, relative, terms)
        }
    }

    /// kd of a spring without a direction \[N s/m\]: none where damping is along it.
    fn undirected(&self, elastic: Elastic) -> f64 {
        if self.damping == DampingForm::Plain { elastic.damping } else { 0.0 }
    }

    /// Adds drag on its faces to `f` \[N\].
    pub(crate) fn add_drag(&self, x: &[Vec3], v: &[Vec3], f: &mut [Vec3]) {
        if let Some(drag) = self.drag {
            self.faces.iter().for_each(|&corners| drag.add_to_triangle(corners, x, v, f));
        }
    }
}

impl System for Net {
    fn accelerate(&self, x: &[Vec3], v: &[Vec3], a: &mut [Vec3]) {
        a.fill(Vec3::zeros());
        InstructionSet::best().run(EightSprings { net: self, flags: None, x, v, f: a });
        self.add_drag(x, v, a);
        for (i, a) in a.iter_mut().enumerate() {
            let resisted = self.air + self.resistance / self.masses[i];
            *a = if self.pinned[i] { Vec3::zeros() } else { *a / self.masses[i] + self.gravity - resisted * v[i] };
        }
    }

    /// Over stretch and shear.
    fn largest_stretch(&self, x: &[Vec3]) -> f64 {
        self.springs[..self.ends[1]].iter().map(|spring| (x[spring.j] - x[spring.i]).norm() / spring.rest).fold(0.0, f64::max)
    }

    fn strain_energy(&self) -> Option<f64> {
        median_energy(self.stretch_springs().iter().map(|spring| spring.elastic.stiffness * spring.rest * spring.rest))
    }

    fn unforeseen_strain(&self, hg: f64, x: &[Vec3], next: &[Vec3], enough: f64) -> f64 {
        let springs = self.springs[..self.ends[1]].iter().map(|s| ([s.i, s.j], s.rest, s.elastic.stiffness));
        Springs { masses: &self.masses, pinned: &self.pinned, pushes: self.compression, x, next }.largest(hg, enough, springs)
    }

    fn masses(&self) -> &[f64] {
        &self.masses
    }

    fn pinned(&self) -> &[bool] {
        &self.pinned
    }

    fn resistance(&self, particle: usize) -> Option<f64> {
        Some(self.resistance + self.air * self.masses[particle])
    }

    fn coupling_count(&self) -> usize {
        self.springs.len()
    }

    fn pairs(&self) -> Vec<(usize, usize)> {
        self.springs.iter().map(|spring| (spring.i, spring.j)).collect()
    }

    fn choices_follow(&self, splitting: &Splitting) -> bool {
        splitting.follows_the_state(self.stiffening)
    }

    fn choose_implicit(&self, splitting: &Splitting, dt: f64, state: &State, implicit: &mut [bool]) {
        let follows = self.choices_follow(splitting);
        for (k, (spring, implicit)) in self.springs.iter().zip(implicit).enumerate() {
            let family = self.family(k);
            let mass = self.masses[spring.i].min(self.masses[spring.j]);
            let mut elastic = spring.elastic;
            if follows {
                let (x, v) = (state.x[spring.j] - state.x[spring.i], state.v[spring.j] - state.v[spring.i]);
                elastic.stiffness = steepest_slope(elastic.stiffness, spring.rest, self.knee(k), dt, x, v);
            }
            *implicit = splitting.chooses(family, dt, mass, elastic, |_| false);
        }
    }

    fn joined_by(&self, coupling: usize, x: &[Vec3]) -> Option<(usize, usize)> {
        let spring = &self.springs[coupling];
        self.acts(coupling, x).then_some((spring.i, spring.j))
    }

    fn add_explicit_forces(&self, implicit: &[bool], x: &[Vec3], v: &[Vec3], f: &mut [Vec3]) {
        InstructionSet::best().run(EightSprings { net: self, flags: Some((implicit, false)), x, v, f });
        for (f, m) in f.iter_mut().zip(&self.masses) {
            *f += *m * self.gravity;
        }
        self.add_drag(x, v, f);
    }

    fn add_linearised(&self, at: &Linearisation, implicit: &[bool], a: &mut BlockRows, b: &mut [Vec3]) {
        let &Linearisation { x, v, w, h, g, terms } = at;
        for (k, &NetSpring { i, j, .. }) in self.springs.iter().enumerate() {
            if implicit[k] && self.acts(k, x) {
                let SpringJacobian { position, velocity } = self.jacobian(k, x, v, terms);
                let impulse = h * (self.force(k, x, v) + position * (w[j] - w[i])); // h (f + K w)
                b[i] += impulse;
                b[j] -= impulse;
                add_coupling(a, k, (i, j), &(h * velocity + h * g * position));
            }
        }
        add_air(a, b, self.resistance, at);
        if self.air > 0.0 {
            for (i, m) in self.masses.iter().enumerate() {
                b[i] -= h * self.air * *m * v[i];
                a.add_diagonal(i, &(h * self.air * *m * crate::Mat3::identity()));
            }
        }
    }

    fn add_curvatures(&self, h: f64, add: &mut dyn FnMut(usize, usize, f64)) {
        for (k, &NetSpring { i, j, elastic, .. }) in self.springs.iter().enumerate() {
            let steepest = self.knee(k).map_or(1.0, |stiffening| stiffening.factor.max(1.0));
            add(i, j, steepest * elastic.stiffness + elastic.damping / h);
        }
    }

    fn potential(&self, x: &[Vec3], v: &[Vec3]) -> Option<Potential> {
        let mut potential = Potential::of_air(self.resistance, v);
        for (m, v) in self.masses.iter().zip(v).filter(|_| self.air > 0.0) {
            potential.dissipation += 0.5 * self.air * m * v.norm_squared();
        }
        for (k, spring) in self.springs.iter().enumerate() {
            potential.energy += self.elastic_energy(k, x);
            if spring.elastic.damping > 0.0 {
                if self.damping != DampingForm::Plain || !(self.compression || k >= self.ends[1]) {
                    return None;
                }
                potential.dissipation += 0.5 * spring.elastic.damping * (v[spring.j] - v[spring.i]).norm_squared(); // kd/2 |v_j - v_i|²
            }
        }
        Some(potential)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implicit::Settings;
    use crate::integrators::{BackwardEuler, Integrator};

    fn net() -> Net {
        let elastic = Elastic { stiffness: 30.0, damping: 0.5 };
        let spring = |i, j| NetSpring { i, j, rest: 1.0, elastic };
        let mut net =
            Net::new(vec![1.0, 2.0, 0.5], vec![true, false, false], vec![spring(0, 1), spring(1, 2), spring(0, 2)]).unwrap();
        net.air = 0.3;
        net
    }

    fn state() -> State {
        let x = vec![Vec3::zeros(), Vec3::new(1.2, 0.1, -0.3), Vec3::new(0.4, 0.7, 0.2)];
        State { x, v: vec![Vec3::zeros(), Vec3::new(0.1, 0.2, 0.3), Vec3::new(-0.4, 0.0, 0.5)] }
    }

    #[test]
    fn accelerations_are_the_slope_of_the_energy() {
        let net = Net {
            air: 0.0,
            springs: net().springs.iter().map(|s| NetSpring { elastic: Elastic { damping: 0.0, ..s.elastic }, ..*s }).collect(),
            ..net()
        };
        let mut a = vec![Vec3::zeros(); 3];
        net.accelerate(&state().x, &state().v, &mut a);
        assert_eq!(a[0], Vec3::zeros());
        for i in 1..3 {
            for q in 0..3 {
                let energy = |by: f64| {
                    let mut moved = state();
                    moved.x[i][q] += by;
                    net.energy(&moved)
                };
                let slope = (energy(1e-6) - energy(-1e-6)) / 2e-6;
                assert!((slope + net.masses[i] * a[i][q]).abs() < 1e-6 && slope.abs() > 0.1, "{slope}");
            }
        }
    }

    #[test]
    fn a_converged_backward_euler_step_satisfies_its_equation() {
        let (net, dt) = (net(), 0.05);
        let mut end = state();
        BackwardEuler::new(&net, Settings { terms: Terms::Exact, ..Settings::converged() }).step(&net, dt, &mut end);
        let mut a = vec![Vec3::zeros(); 3];
        net.accelerate(&end.x, &end.v, &mut a);
        for i in 0..3 {
            assert!((end.v[i] - state().v[i] - dt * a[i]).norm() < 1e-9, "{i}");
            assert!((end.x[i] - state().x[i] - dt * end.v[i]).norm() < 1e-12);
        }
    }

    #[test]
    fn springs_that_are_taken_out_leave_the_families_as_they_were() {
        let spring = |i, j| NetSpring { i, j, rest: 1.0, elastic: Elastic { stiffness: 1.0, damping: 0.0 } };
        let families = [vec![spring(0, 1), spring(1, 2), spring(2, 3)], vec![spring(0, 2), spring(1, 3)], vec![spring(0, 3)]];
        let mut net = Net::of_families(vec![1.0; 4], vec![false; 4], families, false).unwrap();
        net.retain_springs(|spring| spring.i + spring.j != 3); // (1, 2) of stretch, (0, 3) of bend
        let pairs: Vec<(usize, usize, Family)> =
            net.springs.iter().enumerate().map(|(k, spring)| (spring.i, spring.j, net.family(k))).collect();
        let [stretch, shear] = [Family::Stretch, Family::Shear];
        assert_eq!(pairs, [(0, 1, stretch), (2, 3, stretch), (0, 2, shear), (1, 3, shear)]);
        assert_eq!((net.stretch_springs().len(), net.parts()), (2, 1));
        net.retain_springs(|spring| spring.i == 0);
        assert_eq!((net.springs.len(), net.ends, net.parts()), (2, [1, 2], 2));
    }

    #[test]
    fn mistakes_are_refused() {
        let spring = NetSpring { i: 0, j: 1, rest: 1.0, elastic: Elastic { stiffness: 1.0, damping: 0.0 } };
        let new = |mass: f64, spring| Net::new(vec![mass, 1.0], vec![false; 2], vec![spring]);
        assert!(new(1.0, spring).is_ok());
        assert!(new(0.0, spring).is_err() && new(f64::NAN, spring).is_err());
        assert!(matches!(new(1.0, NetSpring { j: 2, ..spring }), Err(ModelError::Edge { i: 0, j: 2, particles: 2 })));
        assert!(new(1.0, NetSpring { rest: 0.0, ..spring }).is_err());
    }
}
