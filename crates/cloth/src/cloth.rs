mod differentiable;
mod grid_forces;

use std::collections::HashMap;

use linsolve::BlockRows;
use linsolve::lanes::InstructionSet;

use self::grid_forces::GridForces;
use crate::flexure::{Flexure, Stencil};
use crate::implicit::{Splitting, add_air, add_coupling};
use crate::invalid::{non_negative, normal, within};
use crate::spring::steepest_slope;
use crate::stability::ExplicitMode;
use crate::unforeseen::Springs;
use crate::{
    DampingForm, Elastic, Energies, Family, Grid, Linearisation, Masses, Mat3, Material, ModelError, Pin, Potential, Spring,
    SpringJacobian, State, System, Terms, Vec3, axial_jacobian, damping, damping_jacobian, strain_energy, tension, tension_slope,
};

/// A sheet: mesh, material, masses and pins. The textbook form of the model, spring by spring.
#[derive(Clone, Debug)]
pub struct Cloth {
    grid: Grid,
    material: Material,
    springs: Vec<Spring>,
    /// What resists bending by rigidity: couplings behind the springs.
    flexure: Flexure,
    masses: Vec<f64>,
    pinned: Vec<bool>,
}

impl Cloth {
    /// A sheet of `material` on `grid`, held at `pins`.
    ///
    /// # Errors
    /// A pin outside the mesh, or a quantity of the material outside the range that its documentation gives.
    pub fn new(grid: Grid, material: Material, pins: &[Pin]) -> Result<Cloth, ModelError> {
        check(&material)?;
        let mut pinned = vec![false; grid.particle_count()];
        for &pin in pins {
            pinned[grid.pinned(pin)?] = true;
        }
        let masses: Vec<f64> = (0..grid.particle_count()).map(|index| mass(&grid, &material, index)).collect();
        for &mass in &masses {
            normal("the mass of a particle", mass)?;
        }
        let springs = grid.springs();
        let flexure = material.rigidity.map_or_else(Flexure::none, |rigidity| {
            let pairs: HashMap<(usize, usize), usize> =
                springs.iter().enumerate().map(|(k, spring)| ((spring.i.min(spring.j), spring.i.max(spring.j)), k)).collect();
            Flexure::new(Stencil::of_grid(&grid, &rigidity), material.damping, |i, j| pairs[&(i.min(j), i.max(j))] as u32)
        });
        Ok(Cloth { grid, material, springs, flexure, masses, pinned })
    }

    /// The mesh.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// What it is made of.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// Changes the wind of its drag \[m/s\], if it has any.
    pub fn set_wind(&mut self, wind: Vec3) {
        self.material.drag.iter_mut().for_each(|drag| drag.wind = wind);
    }

    /// All springs, each once.
    pub fn springs(&self) -> &[Spring] {
        &self.springs
    }

    /// The flat sheet in the plane z = 0, at rest.
    pub fn at_rest(&self) -> State {
        State::at_rest(self.grid.flat())
    }

    /// Adds to `f` \[N\] the forces of all springs and their dampers.
    pub fn add_spring_forces(&self, x: &[Vec3], v: &[Vec3], f: &mut [Vec3]) {
        InstructionSet::best().run(GridForces { cloth: self, x, v, f });
    }

    /// Adds to `f` \[N\] gravity, air resistance and drag.
    pub fn add_external_forces(&self, x: &[Vec3], v: &[Vec3], f: &mut [Vec3]) {
        self.add_gravity_and_drag(x, v, f);
        for (f, v) in f.iter_mut().zip(v) {
            *f -= self.material.air * v;
        }
    }

    /// Adds to `f` \[N\] the external forces but air resistance, which implicit schemes treat implicitly.
    pub(crate) fn add_gravity_and_drag(&self, x: &[Vec3], v: &[Vec3], f: &mut [Vec3]) {
        for (f, m) in f.iter_mut().zip(&self.masses) {
            *f += *m * self.material.gravity;
        }
        self.add_drag(x, v, f);
    }

    /// Adds drag to `f` \[N\].
    pub(crate) fn add_drag(&self, x: &[Vec3], v: &[Vec3], f: &mut [Vec3]) {
        let Material { density, drag: Some(drag), .. } = self.material else { return };
        for (index, f) in f.iter_mut().enumerate() {
            let area = match self.material.masses {
                Masses::ByArea => self.masses[index] / density,
                Masses::Equal | Masses::Hem(_) => self.grid.spacing() * self.grid.spacing(),
            };
            *f += drag.force(area, self.grid.normal(x, index), v[index]);
        }
    }

    /// Kinetic, gravitational and elastic energies \[J\].
    pub fn energies(&self, state: &State) -> Energies {
        let mut energies = Energies::of_particles(state, &self.masses, &self.material.gravity);
        for spring in &self.springs {
            let elastic = self.elastic_energy(spring, (state.x[spring.j] - state.x[spring.i]).norm());
            match spring.family {
                Family::Stretch => energies.stretch += elastic,
                Family::Shear => energies.shear += elastic,
                Family::Bend => energies.bend += elastic,
            }
        }
        energies.bend += self.flexure.energy(&state.x);
        energies
    }

    /// Energy \[J\] of a spring by its length.
    #[inline]
    fn elastic_energy(&self, spring: &Spring, length: f64) -> f64 {
        match self.elastic(spring.family) {
            Some(elastic) if self.acts(spring, length) => {
                strain_energy(elastic.stiffness, spring.rest, length - spring.rest, self.material.stiffening)
            }
            Some(_) => 0.0,
            None => self.material.bend * spring.rest * spring.rest * self.material.bend_law.energy(length / spring.rest), // kb L² F(s)
        }
    }

    /// Force \[N\] of a spring and its damper on its first particle.
    #[inline]
    pub fn spring_force(&self, spring: &Spring, x: &[Vec3], v: &[Vec3]) -> Vec3 {
        let xij = x[spring.j] - x[spring.i];
        self.force_along(spring, xij, xij.norm(), v[spring.j] - v[spring.i])
    }

    /// [`Cloth::spring_force`] by x_ij, its length, and v_ij.
    #[inline]
    fn force_along(&self, spring: &Spring, xij: Vec3, length: f64, vij: Vec3) -> Vec3 {
        match self.elastic(spring.family) {
            Some(Elastic { stiffness, damping: kd }) if self.acts(spring, length) && length > 0.0 => {
                let pull = tension(stiffness, spring.rest, length - spring.rest, self.material.stiffening);
                pull / length * xij + damping(self.material.damping, kd, xij, vij)
            }
            None if length > 0.0 => {
                let force = self.material.bend_law.force(length / spring.rest);
                self.material.bend * spring.rest * force / length * xij // kb L f(s)  [Boxerman 2003, eq. 3.8]
            }
            _ => Vec3::zeros(),
        }
    }

    /// Derivatives of [`Cloth::spring_force`].
    #[inline]
    pub fn spring_jacobian(&self, spring: &Spring, x: &[Vec3], v: &[Vec3], terms: Terms) -> SpringJacobian {
        let xij = x[spring.j] - x[spring.i];
        self.jacobian_along(spring, xij, xij.norm(), v[spring.j] - v[spring.i], terms)
    }

    /// [`Cloth::spring_jacobian`] by x_ij, its length, and v_ij.
    #[inline]
    fn jacobian_along(&self, spring: &Spring, xij: Vec3, length: f64, vij: Vec3, terms: Terms) -> SpringJacobian {
        let Material { bend, bend_law, damping, stiffening, .. } = self.material;
        match self.elastic(spring.family) {
            Some(elastic) if self.acts(spring, length) && length > 0.0 => {
                let extension = length - spring.rest;
                let tension = tension(elastic.stiffness, spring.rest, extension, stiffening);
                let slope = tension_slope(elastic.stiffness, spring.rest, extension, stiffening);
                let damped = damping_jacobian(damping, elastic.damping, xij, vij, terms);
                SpringJacobian { position: axial_jacobian(tension, slope, xij, terms) + damped.position, ..damped }
            }
            None if length > 0.0 && length < spring.rest => {
                let s = length / spring.rest;
                let (tension, slope) = (bend * spring.rest * bend_law.force(s), bend * bend_law.slope(s)); // kb f'(s) n nᵀ  [Boxerman 2003, eq. 3.10]
                SpringJacobian { position: axial_jacobian(tension, slope, xij, terms), velocity: Mat3::zeros() }
            }
            _ => SpringJacobian::zero(),
        }
    }

    /// Stiffness and damping of a family, none for bending.
    fn elastic(&self, family: Family) -> Option<Elastic> {
        match family {
            Family::Stretch => Some(self.material.stretch),
            Family::Shear => Some(self.material.shear),
            Family::Bend => None,
        }
    }

    /// Whether a spring acts at all: stretch and shear in extension, bend in compression.
    #[inline]
    pub fn is_active(&self, spring: &Spring, x: &[Vec3]) -> bool {
        self.is_active_at(spring, (x[spring.j] - x[spring.i]).norm())
    }

    /// [`Cloth::is_active`] by the spring's length.
    #[inline]
    fn is_active_at(&self, spring: &Spring, length: f64) -> bool {
        match spring.family {
            Family::Bend => length < spring.rest,
            Family::Stretch | Family::Shear => self.acts(spring, length),
        }
    }

    /// Whether SBDF2 may treat a spring explicitly in a step from `state`: its damper acts, and the criterion of
    /// [`ExplicitMode`] holds along the spring and across it, where its stiffness is T / |x|.
    fn may_be_explicit(&self, spring: &Spring, modal_factor: f64, dt: f64, state: &State) -> bool {
        let (x, v) = (state.x[spring.j] - state.x[spring.i], state.v[spring.j] - state.v[spring.i]);
        let length = x.norm();
        let Some(Elastic { stiffness, damping: kd }) = self.elastic(spring.family) else { return false };
        let (along, across) = match self.material.damping {
            DampingForm::Plain => (kd, kd),
            DampingForm::Projected => (if x.dot(&v) >= 0.0 { kd } else { 0.0 }, 0.0),
        };
        if !(self.acts(spring, length) && length > 0.0 && along > 0.0) {
            return false;
        }
        let (extension, stiffening) = (length - spring.rest, self.material.stiffening);
        let masses = [self.masses[spring.i], self.masses[spring.j]];
        let mode = |stiffness: f64, damping: f64| {
            ExplicitMode::of_springs(modal_factor, dt, masses[0].min(masses[1]), Elastic { stiffness, damping })
        };
        let air = dt * self.material.air / masses[0].max(masses[1]);
        let transverse = (tension(stiffness, spring.rest, extension, stiffening) / length).max(0.0);
        mode(tension_slope(stiffness, spring.rest, extension, stiffening), along).is_stable()
            && ExplicitMode { implicit_damping: air, ..mode(transverse, across) }.is_stable()
    }

    /// Whether a stretch or shear spring of this length acts.
    fn acts(&self, spring: &Spring, length: f64) -> bool {
        self.material.compression || length >= spring.rest * (1.0 - self.material.extension_tolerance)
    }
}

impl System for Cloth {
    fn accelerate(&self, x: &[Vec3], v: &[Vec3], a: &mut [Vec3]) {
        a.fill(Vec3::zeros());
        self.add_spring_forces(x, v, a);
        self.flexure.add_all_forces(x, v, a);
        self.add_external_forces(x, v, a);
        for ((a, m), pinned) in a.iter_mut().zip(&self.masses).zip(&self.pinned) {
            *a = if *pinned { Vec3::zeros() } else { *a / *m };
        }
    }

    /// Over the stretch and shear springs.
    fn largest_stretch(&self, x: &[Vec3]) -> f64 {
        // springs of a family have one rest length: one root and one quotient each, which round as those of every spring do
        let mut longest = [(0.0_f64, 1.0); 2];
        for spring in self.springs.iter().filter(|spring| spring.family != Family::Bend) {
            let (square, rest) = &mut longest[usize::from(spring.family == Family::Shear)];
            (*square, *rest) = (square.max((x[spring.j] - x[spring.i]).norm_squared()), spring.rest);
        }
        longest.into_iter().map(|(square, rest)| square.sqrt() / rest).fold(0.0, f64::max)
    }

    fn strain_energy(&self) -> Option<f64> {
        let spacing = self.grid.spacing();
        Some(self.material.stretch.stiffness * spacing * spacing).filter(|energy| *energy > 0.0)
    }

    fn unforeseen_strain(&self, hg: f64, x: &[Vec3], next: &[Vec3], enough: f64) -> f64 {
        let springs = self.springs.iter();
        let springs = springs.filter_map(|s| Some(([s.i, s.j], s.rest, self.elastic(s.family)?.stiffness)));
        let pushes = self.material.compression;
        Springs { masses: &self.masses, pinned: &self.pinned, pushes, x, next }.largest(hg, enough, springs)
    }

    fn masses(&self) -> &[f64] {
        &self.masses
    }

    fn pinned(&self) -> &[bool] {
        &self.pinned
    }

    fn resistance(&self, _particle: usize) -> Option<f64> {
        Some(self.material.air)
    }

    fn coupling_count(&self) -> usize {
        self.springs.len() + self.flexure.count()
    }

    fn pairs(&self) -> Vec<(usize, usize)> {
        self.springs.iter().map(|spring| (spring.i, spring.j)).collect()
    }

    fn choices_follow(&self, splitting: &Splitting) -> bool {
        splitting.follows_the_state(self.material.stiffening)
    }

    fn choose_implicit(&self, splitting: &Splitting, dt: f64, state: &State, implicit: &mut [bool]) {
        let (of_springs, of_flexure) = implicit.split_at_mut(self.springs.len());
        of_flexure.fill(splitting.chooses_bending());
        let follows = self.choices_follow(splitting);
        for (spring, implicit) in self.springs.iter().zip(of_springs) {
            let mass = self.masses[spring.i].min(self.masses[spring.j]);
            let mut elastic = self.elastic(spring.family).unwrap_or(Elastic { stiffness: 0.0, damping: 0.0 }); // of bending no matter
            if follows {
                let (x, v) = (state.x[spring.j] - state.x[spring.i], state.v[spring.j] - state.v[spring.i]);
                elastic.stiffness = steepest_slope(elastic.stiffness, spring.rest, self.material.stiffening, dt, x, v);
            }
            *implicit = splitting
                .chooses(spring.family, dt, mass, elastic, |modal_factor| self.may_be_explicit(spring, modal_factor, dt, state));
        }
    }

    fn joined_by(&self, coupling: usize, x: &[Vec3]) -> Option<(usize, usize)> {
        let spring = self.springs.get(coupling)?;
        self.is_active(spring, x).then_some((spring.i, spring.j))
    }

    fn add_explicit_forces(&self, implicit: &[bool], x: &[Vec3], v: &[Vec3], f: &mut [Vec3]) {
        for (spring, implicit) in self.springs.iter().zip(implicit) {
            if !implicit {
                let force = self.spring_force(spring, x, v);
                f[spring.i] += force;
                f[spring.j] -= force;
            }
        }
        self.flexure.add_forces((&implicit[self.springs.len()..], false), x, v, f);
        self.add_gravity_and_drag(x, v, f);
    }

    fn add_linearised(&self, at: &Linearisation, implicit: &[bool], a: &mut BlockRows, b: &mut [Vec3]) {
        let &Linearisation { x, v, w, h, g, terms } = at;
        for (k, spring) in self.springs.iter().enumerate() {
            if !implicit[k] {
                continue;
            }
            let (i, j) = (spring.i, spring.j);
            let xij = x[j] - x[i];
            let length = xij.norm();
            if self.is_active_at(spring, length) {
                let vij = v[j] - v[i];
                let SpringJacobian { position, velocity } = self.jacobian_along(spring, xij, length, vij, terms);
                let impulse = h * (self.force_along(spring, xij, length, vij) + position * (w[j] - w[i])); // h (f + K w)
                b[i] += impulse;
                b[j] -= impulse;
                add_coupling(a, k, (i, j), &(h * velocity + h * g * position));
            }
        }
        self.flexure.add_linearised(at, &implicit[self.springs.len()..], a, b);
        add_air(a, b, self.material.air, at);
    }

    /// What a bend spring adds goes to the two springs that lead past the particle in its middle m, twice each, since
    /// |x_i - x_j|² <= 2 |x_i - x_m|² + 2 |x_m - x_j|²: the matrix couples neighbours only.
    fn add_curvatures(&self, h: f64, add: &mut dyn FnMut(usize, usize, f64)) {
        let steepest = self.material.stiffening.map_or(1.0, |stiffening| stiffening.factor.max(1.0));
        for &Spring { i, j, family, .. } in &self.springs {
            match self.elastic(family) {
                Some(Elastic { stiffness, damping }) => add(i, j, steepest * stiffness + damping / h),
                None => {
                    let w = 2.0 * self.material.bend * self.material.bend_law.steepest();
                    let m = (i + j) / 2;
                    add(i, m, w);
                    add(m, j, w);
                }
            }
        }
        self.flexure.add_curvatures(h, add);
    }

    fn potential(&self, x: &[Vec3], v: &[Vec3]) -> Option<Potential> {
        if !self.material.has_potential() {
            return None;
        }
        let mut potential = Potential::of_air(self.material.air, v);
        for spring in &self.springs {
            potential.energy += self.elastic_energy(spring, (x[spring.j] - x[spring.i]).norm());
            let damping = self.elastic(spring.family).map_or(0.0, |elastic| elastic.damping);
            if damping > 0.0 {
                potential.dissipation += 0.5 * damping * (v[spring.j] - v[spring.i]).norm_squared(); // kd/2 |v_j - v_i|²
            }
        }
        potential.energy += self.flexure.energy(x);
        potential.dissipation += self.flexure.dissipation(v);
        Some(potential)
    }

    fn sheet(&self) -> Option<&Cloth> {
        (self.flexure.count() == 0).then_some(self) // otherwise it is not springs alone
    }
}

/// m of a particle \[kg\]: rho h² times its share.
fn mass(grid: &Grid, material: &Material, index: usize) -> f64 {
    let whole = material.density * grid.spacing() * grid.spacing();
    match (material.masses, grid.borders(index)) {
        (Masses::ByArea, 1) => 0.5 * whole,
        (Masses::ByArea, 2) => 0.25 * whole,
        (Masses::Hem(factor), 1 | 2) => factor * whole,
        _ => whole,
    }
}

/// Refuses what has no meaning.
fn check(material: &Material) -> Result<(), ModelError> {
    let finite = |quantity, value: f64| within(value.is_finite(), quantity, "a finite number", value).map(drop);
    normal("the areal density", material.density)?;
    for (elastic, stiffness, damping) in [
        (material.stretch, "the stretch stiffness", "the stretch damping"),
        (material.shear, "the shear stiffness", "the shear damping"),
    ] {
        non_negative(stiffness, elastic.stiffness)?;
        non_negative(damping, elastic.damping)?;
    }
    non_negative("the bending stiffness", material.bend)?;
    material.rigidity.map_or(Ok(()), |rigidity| rigidity.check())?;
    non_negative("the air resistance", material.air)?;
    material.stiffening.map_or(Ok(()), |stiffening| stiffening.check())?;
    material.drag.map_or(Ok(()), |drag| drag.check())?;
    material.gravity.iter().try_for_each(|&gravity| finite("gravity", gravity))?;
    if let Masses::Hem(factor) = material.masses {
        normal("the factor of the hem", factor)?;
    }
    let tolerance = material.extension_tolerance;
    within((-1.0..1.0).contains(&tolerance), "the extension tolerance", "between -1 and 1", tolerance).map(drop)
}
