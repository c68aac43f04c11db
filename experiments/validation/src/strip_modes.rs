//! A clamped strip that vibrates: its first two frequencies over the mesh, by law of bending, by RK4 in small steps.

use analytic::waves::{strip_frequency, strip_mode};
use kit::prelude::*;

use super::moving::modes::Mode;
use super::moving::{Kind, Outcome, Resolution, Rung, climb, figure};
use super::strips::{Making, Method, Strip};

ranges!(StripRanges {
    //! Meshes.
    /// Elements along the strip, each after fewer.
    elements: List<Count>,
    /// Steps of a period of the first mode over the square of the elements.
    steps: Count,
});

/// Density \[kg/m²\] and rigidity \[N m\].
const DENSITY: f64 = 0.2;
const RIGIDITY: f64 = 1e-3;

/// Stiffness of stretch and shear \[N/m\], which small bends do not see, so small that it does not limit steps.
const STIFFNESS: f64 = 0.1;

/// Amplitude at the tip \[m\].
pub const AMPLITUDE: f64 = 1e-4;

/// Frequencies by every law.
pub struct StripModes(pub StripRanges);

/// A strip by a method.
///
/// # Errors
/// What makes no cloth.
pub fn strip(method: Method, elements: usize) -> Result<Strip, ModelError> {
    let gravity = Vec3::zeros();
    let sheet = Making { rigidity: RIGIDITY, stiffness: STIFFNESS, density: DENSITY, gravity, ..Making::of_a_meter(1.0, 1.0) };
    Making { elements, ..sheet }.by(method).strip()
}

/// The shape of a mode, of size one at the tip, where [`strip_mode`] is 2 or -2.
pub fn shape(mode: usize, Strip { flat, clamp, .. }: &Strip) -> Vec<Vec3> {
    flat.iter().map(|x| 0.5 * strip_mode(mode, (x.x - clamp).max(0.0)) * Vec3::z()).collect()
}

/// omega of a mode \[1/s\].
pub fn frequency(mode: usize) -> f64 {
    strip_frequency(mode, 1.0, RIGIDITY, DENSITY)
}

fn run((mode, method): (usize, Method), elements: u32, steps: u32) -> Result<Outcome, ModelError> {
    let strip = strip(method, elements as usize)?;
    let (shape, frequency) = (shape(mode, &strip), frequency(mode));
    let (rest, system) = (&strip.flat, &*strip.system);
    let mode = Mode { rest, shape: &shape, masses: system.masses(), frequency, amplitude: AMPLITUDE };
    Ok(mode.swing(&mut Rk4::new(rest.len()), system, steps))
}

impl Group for StripModes {
    const NAME: &'static str = "strip-modes";
    const ABOUT: &'static str = "vibrations of a clamped strip over a period, by law of bending";
    type Case = (usize, Method);
    type Row = Rung;

    fn listed(&self) -> Vec<(usize, Method)> {
        [1, 2].into_iter().flat_map(|mode| Method::RIGID.map(|method| (mode, method))).collect()
    }

    fn measure(&self, &(mode, method): &(usize, Method)) -> Vec<Rung> {
        let case = format!("clamped strip, mode {mode}");
        let begin = Rung { case, kind: Kind::Mesh, method: method.to_string(), expected: 2, ..Rung::default() };
        let [period, first] = [mode, 1].map(|mode| std::f64::consts::TAU / frequency(mode));
        let resolution = |elements: u32| {
            let steps = libm::ceil(f64::from(elements * elements * self.0.steps.get()) * period / first) as u32;
            Resolution { steps, elements, step: period / f64::from(steps) }
        };
        let resolutions = self.0.elements.values().iter().map(|elements| resolution(elements.get()));
        climb(&begin, resolutions, |Resolution { steps, elements, .. }| run((mode, method), elements, steps))
    }
}

fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let caption = "Distance from where a vibration was a period ago, in the plane of displacement and velocity and over the \
                   amplitude, against the size of elements: 2 pi times the error of the frequency.";
    Ok(figure(&results.without_sets::<StripModes>()?, ["strip-modes", "A clamped strip that vibrates", caption], &[]))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(StripModes(ranges.strip_modes.clone())).plot("strip-modes", chart)
}
