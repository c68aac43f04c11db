//! Regions of stability of the explicit schemes, and orbits that spiral outward.

use cloth::integrators::{ForwardBackwardEuler, ForwardEuler, Integrator, Rk4};
use cloth::oscillator::{Oscillator, theory};
use cloth::quantity::{Finite, Positive};
use cloth::{State, Vec3};
use lab::streams::ChaCha8Rng;
use lab::{Column, Group, finite};
use serde::{Deserialize, Serialize};

use crate::ranges::{Count, Ends};

/// Grids in two planes.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RegionRanges {
    /// Plane of the test equation y' = lambda y, z = dt lambda; its lower half mirrors the upper one.
    pub test_equation: Plane,
    /// Plane of x'' = -omega² x - 2 zeta omega x': omega dt along x, zeta along y.
    pub oscillator: Plane,
}

/// A rectangle, cut into at least one and at most 1000 square cells a side.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(try_from = "Rectangle", into = "Rectangle")]
pub struct Plane(Rectangle);

/// A rectangle as a profile gives it.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Rectangle {
    /// Ends along x.
    x: [Finite; 2],
    /// Ends along y.
    y: [Finite; 2],
    /// Side of a cell.
    cell: Positive,
}

impl TryFrom<Rectangle> for Plane {
    type Error = String;
    fn try_from(rectangle: Rectangle) -> Result<Plane, String> {
        let plane = Plane(rectangle);
        for (axis, [from, to]) in [("x", plane.0.x), ("y", plane.0.y)] {
            let (from, to, cell) = (from.get(), to.get(), plane.0.cell.get());
            let cells = ((to - from) / cell).round();
            if !(1.0..=1000.0).contains(&cells) || from.abs().max(to.abs()) > 1000.0 {
                return Err(format!(
                    "{axis} must rise between -1000 and 1000 over 1 to 1000 cells, not from {from} to {to} in cells of {cell}"
                ));
            }
        }
        Ok(plane)
    }
}

impl From<Plane> for Rectangle {
    fn from(plane: Plane) -> Rectangle {
        plane.0
    }
}

impl Plane {
    /// Numbers of columns and rows.
    pub fn shape(&self) -> [usize; 2] {
        [self.0.x, self.0.y].map(|[from, to]| ((to.get() - from.get()) / self.0.cell.get()).round() as usize)
    }

    /// Centre of the cell in a column and a row.
    fn centre(&self, column: usize, row: usize) -> [f64; 2] {
        [(self.0.x, column), (self.0.y, row)].map(|(axis, k)| axis[0].get() + (k as f64 + 0.5) * self.0.cell.get())
    }
}

/// Where forward Euler, RK4 and FB Euler are stable.
pub struct Regions(pub RegionRanges);

/// A row of cells of one scheme's plane.
#[derive(Clone, Debug)]
pub struct Case {
    scheme: usize,
    row: usize,
}

/// A cell.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub struct Cell {
    pub scheme: String,
    pub x: f64,
    pub y: f64,
    pub radius: Option<f64>,
    pub theory: f64,
}

/// Schemes and their names, as in the rows.
pub const SCHEMES: [&str; 3] = ["forward Euler", "RK4", "FB Euler"];

impl Regions {
    fn plane(&self, scheme: usize) -> &Plane {
        if scheme < 2 { &self.0.test_equation } else { &self.0.oscillator }
    }

    /// Largest |lambda| of the scheme in the centre of a cell: measured by stepping, and in theory.
    fn cell(scheme: usize, x: f64, y: f64) -> (f64, f64) {
        // z = dt (-zeta omega ± i omega sqrt(1 - zeta²)) with dt = 1: omega = |z| and zeta = -Re z / |z|
        let (omega, zeta) = if scheme < 2 { (libm::hypot(x, y), -x / libm::hypot(x, y)) } else { (x, y) };
        let oscillator = Oscillator::with_damping_ratio(omega, zeta);
        let measured = |scheme: &mut dyn Integrator| oscillator.amplification(scheme, 1.0).spectral_radius();
        match scheme {
            0 => (measured(&mut ForwardEuler::new(1)), libm::hypot(1.0 + x, y)), // |1 + z|
            1 => (measured(&mut Rk4::new(1)), rk4_factor(x, y)),
            _ => (
                measured(&mut ForwardBackwardEuler::new(1)),
                theory::forward_backward_euler(x * x, 2.0 * x * y).spectral_radius(),
            ),
        }
    }
}

/// |1 + z + z²/2 + z³/6 + z⁴/24| for z = x + i y, by Horner's rule.
fn rk4_factor(x: f64, y: f64) -> f64 {
    let (mut re, mut im) = (1.0, 0.0);
    for divisor in [4.0, 3.0, 2.0, 1.0] {
        (re, im) = (1.0 + (re * x - im * y) / divisor, (re * y + im * x) / divisor);
    }
    libm::hypot(re, im)
}

impl Group for Regions {
    const NAME: &'static str = "regions";
    const ABOUT: &'static str = "amplification over the planes of the test equation and of the oscillator";
    const COLUMNS: &'static [Column] = &[
        Column::text("scheme", "forward Euler and RK4 in the plane of the test equation, FB Euler in that of the oscillator"),
        Column::number("x", "-", "real part of dt lambda; omega dt for FB Euler"),
        Column::number("y", "-", "imaginary part of dt lambda; zeta for FB Euler"),
        Column::number("radius", "-", "largest |lambda| of the matrix found by stepping"),
        Column::number("theory", "-", "the same from the scheme's polynomial"),
    ];
    const SAMPLED: bool = false;
    type Case = Case;
    type Row = Cell;

    fn sets(&self) -> u64 {
        (0..SCHEMES.len()).map(|scheme| self.plane(scheme).shape()[1] as u64).sum()
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> Case {
        let mut row = set as usize;
        for scheme in 0..SCHEMES.len() {
            let rows = self.plane(scheme).shape()[1];
            if row < rows {
                return Case { scheme, row };
            }
            row -= rows;
        }
        Case { scheme: SCHEMES.len() - 1, row }
    }

    fn measure_block(&self, cases: &[Case], done: &mut dyn FnMut(usize, Vec<Cell>)) {
        for (k, &Case { scheme, row }) in cases.iter().enumerate() {
            let plane = self.plane(scheme);
            let cells = (0..plane.shape()[0]).map(|column| {
                let [x, y] = plane.centre(column, row);
                let (radius, theory) = Regions::cell(scheme, x, y);
                Cell { scheme: SCHEMES[scheme].into(), x, y, radius: finite(radius), theory }
            });
            done(k, cells.collect());
        }
    }
}

/// Steps of circular orbits.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SpiralRanges {
    /// Number of steps, equally spaced in their logarithm.
    pub count: Count,
    /// Ends of omega dt \[-\].
    pub step: Ends,
}

/// Circular orbits under forward Euler.
pub struct Spirals(pub SpiralRanges);

/// An orbit.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub struct Orbit {
    pub step: f64,
    pub growth: Option<f64>,
    pub theory: f64,
    pub outward: bool,
}

/// Steps that an orbit is followed for.
const ORBIT_STEPS: u32 = 100;

impl Group for Spirals {
    const NAME: &'static str = "spirals";
    const ABOUT: &'static str = "a circular orbit under forward Euler, for steps from minute to huge";
    const COLUMNS: &'static [Column] = &[
        Column::number("step", "-", "omega dt"),
        Column::number("growth", "-", "growth of the radius in a step, mean over 100 steps, less 1"),
        Column::number("theory", "-", "sqrt(1 + omega² dt²) - 1"),
        Column::boolean("outward", "whether every step led outward"),
    ];
    const SAMPLED: bool = false;
    type Case = f64;
    type Row = Orbit;

    fn sets(&self) -> u64 {
        self.0.count.get().into()
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> f64 {
        let [low, high] = self.0.step.get();
        let last = (self.0.count.get() - 1).max(1);
        low * libm::pow(high / low, set as f64 / f64::from(last))
    }

    fn measure_block(&self, cases: &[f64], done: &mut dyn FnMut(usize, Vec<Orbit>)) {
        let circle = Oscillator { mass: 1.0, ks: 1.0, kd: 0.0 };
        for (k, &step) in cases.iter().enumerate() {
            let mut state = State { x: vec![Vec3::new(1.0, 0.0, 0.0)], v: vec![Vec3::new(0.0, 1.0, 0.0)] };
            let mut scheme = ForwardEuler::new(1);
            let mut outward = true;
            for _ in 0..ORBIT_STEPS {
                let before = state.x[0].norm();
                scheme.step(&circle, step, &mut state);
                outward &= state.x[0].norm() > before;
            }
            let growth = libm::expm1(libm::log(state.x[0].norm()) / f64::from(ORBIT_STEPS));
            // sqrt(1 + s) - 1 without cancellation
            let theory = step * step / ((1.0 + step * step).sqrt() + 1.0);
            done(k, vec![Orbit { step, growth: finite(growth), theory, outward }]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_polynomial_of_rk4_by_hand() {
        // z = -2: 1 - 2 + 2 - 4/3 + 2/3 = 1/3; z = i: (1 - 1/2 + 1/24) + i (1 - 1/6)
        assert!((rk4_factor(-2.0, 0.0) - 1.0 / 3.0).abs() < 1e-15);
        assert!((rk4_factor(0.0, 1.0) - libm::hypot(13.0 / 24.0, 5.0 / 6.0)).abs() < 1e-15);
    }

    #[test]
    fn cells_measure_the_schemes_themselves() {
        for (scheme, x, y) in [(0, -1.3, 0.6), (1, -1.0, 2.4), (2, 1.4, 0.3)] {
            let (measured, theory) = Regions::cell(scheme, x, y);
            assert!((measured - theory).abs() < 1e-12, "{}: {measured} {theory}", SCHEMES[scheme]);
        }
    }
}
