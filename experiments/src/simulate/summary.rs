use std::fmt;
use std::path::PathBuf;

use cloth::scene::{Scene, Scheme};
use cloth::stability::Linearised;
use cloth::{Cloth, Energies, System};

/// The energies at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Time simulated \[s\].
    pub time: f64,
    /// Energies \[J\].
    pub energies: Energies,
}

/// How a simulation went; its text is several lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Where the results are.
    pub folder: PathBuf,
    /// dt \[s\].
    pub step: f64,
    /// Steps taken.
    pub steps: u64,
    /// Time that was asked for \[s\].
    pub asked: f64,
    /// Whether the next step would have left the finite numbers.
    pub blew_up: bool,
    /// At the start.
    pub start: Measured,
    /// At the end, or in the last finite state.
    pub end: Measured,
    /// Largest |x| / L over the stretch and shear springs in the rows of energies.csv.
    pub largest_stretch: f64,
    /// Meshes written.
    pub frames: u64,
    /// A step of FB Euler above the thesis' bound.
    pub excess: Option<Excess>,
}

/// A numerical stiffness kappa = dt/m (ks dt + 2 kd) above 1/2 \[Boxerman 2003, eq. 4.8\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Excess {
    /// kappa \[-\] of the stiffer family and the lightest particle.
    pub kappa: f64,
    /// The step \[s\] at which kappa is 1/2.
    pub bound: f64,
}

/// The excess of a scene that is integrated by FB Euler.
pub(super) fn excess(scene: &Scene, cloth: &Cloth) -> Option<Excess> {
    if scene.scheme != Scheme::FbEuler {
        return None;
    }
    let free = cloth.masses().iter().zip(cloth.pinned()).filter(|(_, pinned)| !**pinned).map(|(mass, _)| *mass);
    let mass = free.fold(f64::INFINITY, f64::min);
    let material = scene.material;
    let sheet = Linearised { mass, stretch: material.stretch, shear: material.shear, damping: material.damping };
    let kappa = sheet.numerical_stiffness(scene.step);
    (kappa > 0.5).then(|| Excess { kappa, bound: sheet.thesis_step() })
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Energies { kinetic, gravitational, stretch, shear, bend } = self.energies;
        let total = self.energies.total();
        write!(
            f,
            "{total:.6e} J: kinetic {kinetic:.3e}, gravitational {gravitational:.3e}, stretch {stretch:.3e}, shear {shear:.3e}, \
             bend {bend:.3e}"
        )
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Summary { folder, step, steps, asked, start, end, largest_stretch, frames, .. } = self;
        let time = end.time;
        if self.blew_up {
            writeln!(f, "blew up in step {}: {steps} steps of {step} s, {time:.6} s of {asked} s simulated", steps + 1)?;
        } else if (time - asked).abs() > 1e-9 * asked {
            writeln!(f, "{steps} steps of {step} s, {time} s simulated: the {asked} s asked for are no whole number of steps")?;
        } else {
            writeln!(f, "{steps} steps of {step} s, {asked} s simulated")?;
        }
        writeln!(f, "energy at the start {start}")?;
        writeln!(f, "energy at the end   {end}")?;
        writeln!(f, "largest stretch {largest_stretch:.6}")?;
        let filmed = if *frames > 0 { format!(", {frames} frames") } else { String::new() };
        write!(f, "wrote energies.csv, positions.csv, velocities.csv, scene.toml{filmed} to {}", folder.display())?;
        if let Some(Excess { kappa, bound }) = self.excess {
            write!(
                f,
                "\nwarning: the numerical stiffness kappa = {kappa:.3} is above 1/2, where FB Euler may be unstable; \
                 it is below with a step under {bound:.3e} s"
            )?;
        }
        Ok(())
    }
}
