//! Random sheets that are let go, held along an edge or at two corners.

use cloth::adjoint::{Forces, Goal, InvalidForces, KeyFrame, Task};
use cloth::run::Model;
use cloth::triangles::{Bend, Fabric, SpringMaterial, TriangleCloth, TriangleMesh};
use kit::prelude::*;

/// Length of the sides of a sheet \[m\].
pub const LENGTH: f64 = 0.4;

/// Stiffness of bend springs over that of stretch \[-\].
const BEND: f64 = 0.01;

/// Change of velocities at which Newton ends \[m/s\], and most of its iterations.
const TOLERANCE: f64 = 1e-9;
const LIMIT: usize = 100;

words! {
    /// What a sheet is made of.
    pub enum Made {
        /// Springs on a grid.
        Grid = "springs on a grid",
        /// Springs along and across the edges of triangles.
        Springs = "springs on triangles",
        /// Stretch, shear and bending of triangles.
        Continuum = "continuum",
    }
}

words! {
    /// Where a sheet is held.
    pub enum Hold {
        /// All of one edge.
        Edge = "an edge",
        /// Two corners of it.
        Corners = "two corners",
    }
}

ranges!(Sheets {
    //! What square sheets are drawn from, and their runs.
    /// What they are made of.
    made: List<Made>,
    /// Particles a side.
    side: List<Side>,
    /// Areal density \[kg/m²\], log-uniform.
    density: Ends,
    /// Stiffness of stretch springs, or of warp and weft \[N/m\], log-uniform.
    stiffness: Ends,
    /// Stiffness of shear over that of stretch \[-\], log-uniform.
    shear: Ends,
    /// Damping over stiffness \[s\], log-uniform.
    damping: Ends,
    /// dt \[s\].
    step: Positive,
    /// Steps of a run.
    steps: Count,
});

impl Sheets {
    /// Refuses runs of fewer steps than the intervals of their forces, `least` of them.
    ///
    /// # Errors
    /// The key of the steps, in the section of a topic.
    pub fn check(&self, topic: &str, least: usize) -> Result<(), RangeError> {
        let steps = self.steps.get() as usize;
        if steps >= least {
            return Ok(());
        }
        let why = format!("is {steps}, and forces change in {least} intervals: take {least} steps at least");
        Err(RangeError::here(why).within("steps").within("sheets").within(topic))
    }
}

/// A sheet and its run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sheet {
    pub made: Made,
    pub hold: Hold,
    /// Particles a side.
    pub side: usize,
    /// \[kg/m²\].
    pub density: f64,
    /// Of stretch springs, or of warp and weft \[N/m\].
    pub stiffness: f64,
    /// Of shear \[N/m\].
    pub shear: f64,
    /// Damping over stiffness \[s\].
    pub damping: f64,
    /// dt \[s\].
    pub step: f64,
    pub steps: usize,
}

impl Sheet {
    /// A sheet from the ranges.
    pub fn draw(ranges: &Sheets, stream: &mut ChaCha8Rng) -> Sheet {
        let made = pick(stream, ranges.made.values());
        let hold = pick(stream, &Hold::ALL);
        let side = pick(stream, ranges.side.values()).get() as usize;
        let density = log_uniform(stream, ranges.density.get());
        let stiffness = log_uniform(stream, ranges.stiffness.get());
        let shear = log_uniform(stream, ranges.shear.get()) * stiffness;
        let damping = log_uniform(stream, ranges.damping.get());
        let (step, steps) = (ranges.step.get(), ranges.steps.get() as usize);
        Sheet { made, hold, side, density, stiffness, shear, damping, step, steps }
    }

    /// Its cloth, held.
    ///
    /// # Errors
    /// A quantity outside its range.
    pub fn model(&self) -> Result<Model, ModelError> {
        let (n, spacing) = (self.side, LENGTH / (self.side - 1) as f64);
        let elastic = |stiffness: f64| Elastic { stiffness, damping: self.damping * stiffness };
        let [stretch, shear] = [self.stiffness, self.shear].map(elastic);
        let density = self.density;
        let pins: Vec<usize> = match self.hold {
            Hold::Edge => (0..n).collect(),
            Hold::Corners => vec![0, n - 1],
        };
        let mesh = || TriangleMesh::regular(n, n, LENGTH, LENGTH);
        Ok(match self.made {
            Made::Grid => {
                let bend = BEND * self.stiffness;
                let damping = DampingForm::Plain;
                let material = Material { density, stretch, shear, bend, damping, compression: true, ..Material::default() };
                let pins: Vec<Pin> = pins.into_iter().map(Pin::Index).collect();
                Model::Grid(Cloth::new(Grid::new(n, n, spacing)?, material, &pins)?)
            }
            Made::Springs => {
                let bend = elastic(BEND * self.stiffness);
                let material = SpringMaterial { density, stretch, shear, bend, compression: true, ..SpringMaterial::default() };
                let mesh = mesh()?;
                Model::Springs(mesh.springs(&material, &pins)?, mesh)
            }
            Made::Continuum => {
                let hinge = BEND * self.stiffness * spacing * spacing; // [N/m] by an arm that is squared
                let bend = Bend { stiffness: hinge, damping: self.damping * hinge };
                let fabric = Fabric { density, warp: stretch, weft: stretch, shear, bend, ..Fabric::default() };
                Model::Continuum(TriangleCloth::new(mesh()?, fabric, &pins)?)
            }
        })
    }

    /// Forces on particles over a number of intervals, about as long as each other.
    ///
    /// # Errors
    /// More intervals than steps.
    pub fn forces(&self, particles: Vec<usize>, intervals: usize) -> Result<Forces, InvalidForces> {
        let bound = |k: usize| k * self.steps / intervals;
        Forces::new(particles, (0..intervals).map(|k| bound(k)..bound(k + 1)).collect())
    }

    /// Its run under forces as one that is differentiated.
    pub fn task(&self, model: &Model, forces: Forces, keyframes: Vec<KeyFrame>, effort: f64) -> Task {
        Task {
            start: State::at_rest(model.rest()),
            drives: vec![],
            dt: self.step,
            steps: self.steps,
            settings: Settings { newton: Newton::Converged { tolerance: TOLERANCE, limit: LIMIT }, ..Settings::converged() },
            goal: Goal { keyframes, effort },
            forces,
            constants: vec![],
            keep_every: 1,
        }
    }
}

/// The particles that are not held.
pub fn free(model: &Model) -> Vec<usize> {
    let pinned = model.system().pinned();
    (0..pinned.len()).filter(|particle| !pinned[*particle]).collect()
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub const SHEET: Sheet = Sheet {
        made: Made::Grid,
        hold: Hold::Edge,
        side: 5,
        density: 0.2,
        stiffness: 80.0,
        shear: 40.0,
        damping: 5e-4,
        step: 0.02,
        steps: 12,
    };

    #[test]
    fn sheets_of_all_kinds_have_their_particles_and_weigh_alike() {
        for made in Made::ALL {
            for (hold, held) in [(Hold::Edge, 5), (Hold::Corners, 2)] {
                let model = Sheet { made, hold, ..SHEET }.model().unwrap();
                assert_eq!((model.rest().len(), free(&model).len()), (25, 25 - held));
                assert!(model.rest()[24] == Vec3::new(LENGTH, LENGTH, 0.0) && model.system().pinned()[0]);
                let mass: f64 = model.system().masses().iter().sum();
                let expected = 0.2 * LENGTH * LENGTH * if made == Made::Grid { 25.0 / 16.0 } else { 1.0 }; // rho h² each on a grid
                assert!((mass / expected - 1.0).abs() < 1e-12, "{made}: {mass} kg");
            }
        }
    }

    #[test]
    fn intervals_cover_a_run() {
        let forces = SHEET.forces(vec![7], 5).unwrap();
        assert_eq!(forces.intervals(), [0..2, 2..4, 4..7, 7..9, 9..12]);
        assert!(SHEET.forces(vec![7], 13).is_err());
    }
}
