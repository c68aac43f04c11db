use crate::{
    Elastic, Energies, Family, Grid, Invalid, Masses, Material, Pin, Spring, State, System, Vec3, bend_energy, bend_force,
    damping, strain_energy, tension,
};

/// A sheet: mesh, material, masses and pins. The textbook form of the model, spring by spring.
#[derive(Clone, Debug)]
pub struct Cloth {
    grid: Grid,
    material: Material,
    springs: Vec<Spring>,
    masses: Vec<f64>,
    pinned: Vec<bool>,
}

impl Cloth {
    /// A sheet of `material` on `grid`, held at `pins`.
    ///
    /// # Errors
    /// A pin outside the mesh, or a quantity of the material outside the range that its documentation gives.
    pub fn new(grid: Grid, material: Material, pins: &[Pin]) -> Result<Cloth, Invalid> {
        check(&material)?;
        let mut pinned = vec![false; grid.particle_count()];
        for &pin in pins {
            pinned[grid.pinned(pin)?] = true;
        }
        let masses = (0..grid.particle_count()).map(|index| mass(&grid, &material, index)).collect();
        Ok(Cloth { grid, material, springs: grid.springs(), masses, pinned })
    }

    /// The mesh.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// What it is made of.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// Particle masses \[kg\], shape \[particle_count\].
    pub fn masses(&self) -> &[f64] {
        &self.masses
    }

    /// Which particles are held, shape \[particle_count\].
    pub fn pinned(&self) -> &[bool] {
        &self.pinned
    }

    /// The flat sheet in the plane z = 0, at rest.
    pub fn at_rest(&self) -> State {
        State::at_rest(self.grid.flat())
    }

    /// Adds to `f` \[N\] the forces of all springs and their dampers.
    pub fn add_spring_forces(&self, x: &[Vec3], v: &[Vec3], f: &mut [Vec3]) {
        for spring in &self.springs {
            let force = self.spring_force(spring, x, v);
            f[spring.i] += force;
            f[spring.j] -= force;
        }
    }

    /// Adds to `f` \[N\] gravity, air resistance and drag.
    pub fn add_external_forces(&self, x: &[Vec3], v: &[Vec3], f: &mut [Vec3]) {
        let Material { density, air, drag, gravity, .. } = self.material;
        for (index, f) in f.iter_mut().enumerate() {
            *f += self.masses[index] * gravity - air * v[index];
            if let Some(drag) = drag {
                let area = match self.material.masses {
                    Masses::ByArea => self.masses[index] / density,
                    Masses::Equal | Masses::Hem(_) => self.grid.spacing() * self.grid.spacing(),
                };
                *f += drag.force(area, self.grid.normal(x, index), v[index]);
            }
        }
    }

    /// Energies of a state.
    pub fn energies(&self, state: &State) -> Energies {
        let mut energies = Energies::default();
        for ((x, v), m) in state.x.iter().zip(&state.v).zip(&self.masses) {
            energies.kinetic += 0.5 * m * v.norm_squared();
            energies.gravitational -= m * self.material.gravity.dot(x);
        }
        for spring in &self.springs {
            let length = (state.x[spring.j] - state.x[spring.i]).norm();
            let elastic = match self.elastic(spring.family) {
                Some(elastic) if self.acts(spring, length) => {
                    strain_energy(elastic.stiffness, spring.rest, length - spring.rest, self.material.stiffening)
                }
                Some(_) => 0.0,
                None => self.material.bend * spring.rest * spring.rest * bend_energy(length / spring.rest), // kb L² F(s)
            };
            match spring.family {
                Family::Stretch => energies.stretch += elastic,
                Family::Shear => energies.shear += elastic,
                Family::Bend => energies.bend += elastic,
            }
        }
        energies
    }

    /// Largest |x| / L over the stretch and shear springs.
    pub fn largest_stretch(&self, x: &[Vec3]) -> f64 {
        let structural = self.springs.iter().filter(|spring| spring.family != Family::Bend);
        structural.map(|spring| (x[spring.j] - x[spring.i]).norm() / spring.rest).fold(0.0, f64::max)
    }

    /// Force \[N\] of a spring and its damper on its first particle.
    fn spring_force(&self, spring: &Spring, x: &[Vec3], v: &[Vec3]) -> Vec3 {
        let xij = x[spring.j] - x[spring.i];
        let length = xij.norm();
        match self.elastic(spring.family) {
            Some(Elastic { stiffness, damping: kd }) if self.acts(spring, length) && length > 0.0 => {
                let pull = tension(stiffness, spring.rest, length - spring.rest, self.material.stiffening);
                pull / length * xij + damping(self.material.damping, kd, xij, v[spring.j] - v[spring.i])
            }
            None if length > 0.0 => self.material.bend * spring.rest * bend_force(length / spring.rest) / length * xij, // kb L f(s)  [Boxerman 2003, eq. 3.8]
            _ => Vec3::zeros(),
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

    /// Whether a stretch or shear spring of this length acts.
    fn acts(&self, spring: &Spring, length: f64) -> bool {
        self.material.compression || length >= spring.rest * (1.0 - self.material.extension_tolerance)
    }
}

impl System for Cloth {
    fn particle_count(&self) -> usize {
        self.grid.particle_count()
    }

    fn accelerate(&self, x: &[Vec3], v: &[Vec3], a: &mut [Vec3]) {
        a.fill(Vec3::zeros());
        self.add_spring_forces(x, v, a);
        self.add_external_forces(x, v, a);
        for ((a, m), pinned) in a.iter_mut().zip(&self.masses).zip(&self.pinned) {
            *a = if *pinned { Vec3::zeros() } else { *a / *m };
        }
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
fn check(material: &Material) -> Result<(), Invalid> {
    let positive = |quantity, value: f64| {
        let range = "a finite number above zero";
        if value.is_finite() && value > 0.0 { Ok(()) } else { Err(Invalid::OutOfRange { quantity, range, value }) }
    };
    let non_negative = |quantity, value: f64| {
        let range = "a finite number, zero or above";
        if value.is_finite() && value >= 0.0 { Ok(()) } else { Err(Invalid::OutOfRange { quantity, range, value }) }
    };
    positive("the areal density", material.density)?;
    for (elastic, stiffness, damping) in [
        (material.stretch, "the stretch stiffness", "the stretch damping"),
        (material.shear, "the shear stiffness", "the shear damping"),
    ] {
        non_negative(stiffness, elastic.stiffness)?;
        non_negative(damping, elastic.damping)?;
    }
    non_negative("the bending stiffness", material.bend)?;
    non_negative("the air resistance", material.air)?;
    if let Some(stiffening) = material.stiffening {
        positive("the strain at which springs stiffen", stiffening.strain)?;
        non_negative("the factor by which springs stiffen", stiffening.factor)?;
    }
    if let Some(drag) = material.drag {
        non_negative("the density of air", drag.air_density)?;
        non_negative("the drag coefficient", drag.coefficient)?;
    }
    if let Masses::Hem(factor) = material.masses {
        positive("the factor of the hem", factor)?;
    }
    if !(-1.0..1.0).contains(&material.extension_tolerance) {
        return Err(Invalid::OutOfRange {
            quantity: "the extension tolerance",
            range: "between -1 and 1",
            value: material.extension_tolerance,
        });
    }
    Ok(())
}
