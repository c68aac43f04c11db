//! Regions of stability, and orbits that spiral outward.

use cloth::implicit::{Settings, Solver, Splitting};
use cloth::integrators::{BackwardEuler, Bdf2, ForwardBackwardEuler, ForwardEuler, ImplicitMidpoint, Integrator, Rk4, Sbdf2};
use cloth::oscillator::{Oscillator, theory};
use cloth::quantity::{Finite, Positive};
use cloth::{State, Vec3};
use lab::finite;
use lab::prelude::*;

use crate::ranges::{Count, Ends, read_exactly};

/// Grids in two planes.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RegionRanges {
    /// Plane of the test equation y' = lambda y, z = dt lambda; its lower half mirrors the upper one.
    pub test_equation: Plane,
    /// The same plane for implicit schemes, which are unstable in its right half.
    pub implicit_test_equation: Plane,
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
    #[serde(deserialize_with = "read_exactly")]
    x: [Finite; 2],
    /// Ends along y.
    #[serde(deserialize_with = "read_exactly")]
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
            let exact = (to - from) / cell;
            let cells = exact.round();
            if (exact - cells).abs() > 1e-6 {
                return Err(format!(
                    "{axis} must be a whole number of cells, not {exact:.3} from {from} to {to} in cells of {cell}"
                ));
            }
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

/// Where each scheme is stable.
pub struct Regions(pub RegionRanges);

/// A scheme whose region is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scheme {
    ForwardEuler,
    Rk4,
    FbEuler,
    BackwardEuler,
    ImplicitMidpoint,
    Bdf2,
    /// With an explicit spring.
    Sbdf2,
}

impl Scheme {
    /// All of them, in the order of the rows.
    pub const ALL: [Scheme; 7] = [
        Scheme::ForwardEuler,
        Scheme::Rk4,
        Scheme::FbEuler,
        Scheme::BackwardEuler,
        Scheme::ImplicitMidpoint,
        Scheme::Bdf2,
        Scheme::Sbdf2,
    ];

    /// As in the rows.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::ForwardEuler => "forward Euler",
            Scheme::Rk4 => "RK4",
            Scheme::FbEuler => "FB Euler",
            Scheme::BackwardEuler => "backward Euler",
            Scheme::ImplicitMidpoint => "implicit midpoint",
            Scheme::Bdf2 => "BDF2",
            Scheme::Sbdf2 => "SBDF2",
        }
    }

    /// Whether it treats x and v differently and so has a region in the plane of the oscillator only.
    pub fn splits(self) -> bool {
        matches!(self, Scheme::FbEuler | Scheme::Sbdf2)
    }

    /// Largest |lambda| of a step of 1 s, found by stepping.
    fn measured(self, oscillator: &Oscillator) -> f64 {
        // a 3x3 system: solved exactly, and with the same bits on every machine
        let exact = Settings { solver: Solver::Direct, ..Settings::default() };
        let one_step = |scheme: &mut dyn Integrator| oscillator.amplification(scheme, 1.0).spectral_radius();
        let two_step = |step: &mut dyn FnMut(&State, &mut State)| oscillator.two_step_amplification(step).spectral_radius();
        match self {
            Scheme::ForwardEuler => one_step(&mut ForwardEuler::new(1)),
            Scheme::Rk4 => one_step(&mut Rk4::new(1)),
            Scheme::FbEuler => one_step(&mut ForwardBackwardEuler::new(1)),
            Scheme::BackwardEuler => one_step(&mut BackwardEuler::new(oscillator, exact)),
            Scheme::ImplicitMidpoint => one_step(&mut ImplicitMidpoint::new(oscillator, exact)),
            Scheme::Bdf2 => {
                let mut bdf2 = Bdf2::new(oscillator, exact);
                two_step(&mut |before, state| {
                    bdf2.follow(before);
                    bdf2.step(oscillator, 1.0, state);
                })
            }
            Scheme::Sbdf2 => {
                let explicit = Splitting::Families { stretch: false, shear: false, bend: false };
                let mut sbdf2 = Sbdf2::new(oscillator, exact, explicit);
                two_step(&mut |before, state| {
                    sbdf2.follow(before);
                    sbdf2.step(oscillator, 1.0, state);
                })
            }
        }
    }

    /// Largest |lambda| in the centre of a cell: measured, and in theory.
    fn radii(self, x: f64, y: f64) -> (f64, f64) {
        // z = dt (-zeta omega ± i omega sqrt(1 - zeta²)) with dt = 1: omega = |z| and zeta = -Re z / |z|
        let (omega, zeta) = if self.splits() { (x, y) } else { (libm::hypot(x, y), -x / libm::hypot(x, y)) };
        let measured = self.measured(&Oscillator::with_damping_ratio(omega, zeta));
        let theory = match self {
            Scheme::ForwardEuler => libm::hypot(1.0 + x, y), // |1 + z|
            Scheme::Rk4 => rk4_factor(x, y),
            Scheme::FbEuler => theory::forward_backward_euler(x * x, 2.0 * x * y).spectral_radius(),
            Scheme::BackwardEuler => 1.0 / modulus(1.0 - x, y), // 1 / |1 - z|
            Scheme::ImplicitMidpoint => modulus(2.0 + x, y) / modulus(2.0 - x, y), // |1 + z/2| / |1 - z/2|
            Scheme::Bdf2 => bdf2_factor(x, y),
            Scheme::Sbdf2 => theory::sbdf2([x * x, 0.0], [2.0 * x * y, 0.0]).spectral_radius(),
        };
        (measured, theory)
    }
}

/// |x + i y|.
fn modulus(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

/// |1 + z + z²/2 + z³/6 + z⁴/24| for z = x + i y, by Horner's rule.
fn rk4_factor(x: f64, y: f64) -> f64 {
    let (mut re, mut im) = (1.0, 0.0);
    for divisor in [4.0, 3.0, 2.0, 1.0] {
        (re, im) = (1.0 + (re * x - im * y) / divisor, (re * y + im * x) / divisor);
    }
    libm::hypot(re, im)
}

/// The larger |lambda| of (3/2 - z) lambda² - 2 lambda + 1/2 = 0 for z = x + i y: 1 / |2 - sqrt(1 + 2 z)|, the root in the right half.
fn bdf2_factor(x: f64, y: f64) -> f64 {
    let (re, im) = (1.0 + 2.0 * x, 2.0 * y);
    let larger = (0.5 * (modulus(re, im) + re.abs())).sqrt(); // the larger part of the square root
    let smaller = 0.5 * im / larger;
    let root = if re >= 0.0 { [larger, smaller] } else { [smaller.abs(), larger] };
    1.0 / modulus(2.0 - root[0], root[1])
}

/// A row of cells of one scheme's plane.
#[derive(Clone, Debug)]
pub struct Case {
    scheme: Scheme,
    row: usize,
}

row! {
    /// A cell.
    #[derive(Debug, PartialEq)]
    pub struct Cell {
        /// FB Euler and SBDF2 in the plane of the oscillator, the others in that of the test equation
        pub scheme: String,
        /// real part of dt lambda; omega dt for FB Euler and SBDF2
        pub x: f64,
        /// imaginary part of dt lambda; zeta for FB Euler and SBDF2
        pub y: f64,
        /// largest |lambda| of the matrix found by stepping
        pub radius: Option<f64>,
        /// the same from the scheme's polynomial
        pub theory: f64,
    }
}

impl Regions {
    fn plane(&self, scheme: Scheme) -> &Plane {
        match scheme {
            Scheme::ForwardEuler | Scheme::Rk4 => &self.0.test_equation,
            Scheme::BackwardEuler | Scheme::ImplicitMidpoint | Scheme::Bdf2 => &self.0.implicit_test_equation,
            Scheme::FbEuler | Scheme::Sbdf2 => &self.0.oscillator,
        }
    }
}

impl Group for Regions {
    const NAME: &'static str = "regions";
    const ABOUT: &'static str = "amplification over the planes of the test equation and of the oscillator";
    const SAMPLED: bool = false;
    type Case = Case;
    type Row = Cell;

    fn sets(&self) -> u64 {
        Scheme::ALL.map(|scheme| self.plane(scheme).shape()[1] as u64).iter().sum()
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> Case {
        let mut row = set as usize;
        let last = Scheme::ALL.len() - 1;
        for scheme in &Scheme::ALL[..last] {
            let rows = self.plane(*scheme).shape()[1];
            if row < rows {
                return Case { scheme: *scheme, row };
            }
            row -= rows;
        }
        Case { scheme: Scheme::ALL[last], row }
    }

    fn measure(&self, &Case { scheme, row }: &Case) -> Vec<Cell> {
        let plane = self.plane(scheme);
        let cells = (0..plane.shape()[0]).map(|column| {
            let [x, y] = plane.centre(column, row);
            let (radius, theory) = scheme.radii(x, y);
            Cell { scheme: scheme.name().into(), x, y, radius: finite(radius), theory }
        });
        cells.collect()
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

row! {
    /// An orbit.
    #[derive(Debug, PartialEq)]
    pub struct Orbit {
        /// omega dt
        pub step: f64,
        /// growth of the radius in a step, mean over 100 steps, less 1
        pub growth: Option<f64>,
        /// sqrt(1 + omega² dt²) - 1
        pub theory: f64,
        /// whether every step led outward
        pub outward: bool,
    }
}

/// Steps that an orbit is followed for.
const ORBIT_STEPS: u32 = 100;

impl Group for Spirals {
    const NAME: &'static str = "spirals";
    const ABOUT: &'static str = "a circular orbit under forward Euler, for steps from minute to huge";
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

    fn measure(&self, &step: &f64) -> Vec<Orbit> {
        let circle = Oscillator { mass: 1.0, ks: 1.0, kd: 0.0 };
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
        vec![Orbit { step, growth: finite(growth), theory, outward }]
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
    fn the_factor_of_bdf2_by_hand() {
        // z = -4: 11/2 r² - 2 r + 1/2 has |r|² = 1/11; z = 0: r = 1 and 1/3; z = 1.5: one root, r = 1/4, the other at infinity
        assert!((bdf2_factor(-4.0, 0.0) - libm::sqrt(1.0 / 11.0)).abs() < 1e-15);
        assert!((bdf2_factor(0.0, 0.0) - 1.0).abs() < 1e-15);
        assert_eq!(bdf2_factor(1.5, 0.0), f64::INFINITY);
        // z = -5 + i: r from (13/2 - i) r² - 2 r + 1/2, whose roots have the product 1 / (13 - 2 i)
        let (mut re, mut im) = (0.3, -0.3);
        for _ in 0..50 {
            // Newton on p = (6.5 - i) r² - 2 r + 1/2
            let (square_re, square_im) = (re * re - im * im, 2.0 * re * im);
            let p = [6.5 * square_re + square_im - 2.0 * re + 0.5, 6.5 * square_im - square_re - 2.0 * im];
            let d = [13.0 * re + 2.0 * im - 2.0, 13.0 * im - 2.0 * re];
            let norm = d[0] * d[0] + d[1] * d[1];
            (re, im) = (re - (p[0] * d[0] + p[1] * d[1]) / norm, im - (p[1] * d[0] - p[0] * d[1]) / norm);
        }
        let [one, product] = [modulus(re, im), 1.0 / modulus(13.0, 2.0)];
        assert!((bdf2_factor(-5.0, 1.0) - one.max(product / one)).abs() < 1e-14);
    }

    #[test]
    fn cells_measure_the_schemes_themselves() {
        for (scheme, x, y) in [
            (Scheme::ForwardEuler, -1.3, 0.6),
            (Scheme::Rk4, -1.0, 2.4),
            (Scheme::FbEuler, 1.4, 0.3),
            (Scheme::BackwardEuler, 0.4, 1.7),
            (Scheme::BackwardEuler, -3.0, 0.1),
            (Scheme::ImplicitMidpoint, 0.3, 2.0),
            (Scheme::Bdf2, -0.4, 2.2),
            (Scheme::Bdf2, 3.1, 0.7),
            (Scheme::Sbdf2, 0.8, 0.02),
        ] {
            let (measured, theory) = scheme.radii(x, y);
            assert!((measured - theory).abs() < 1e-10 && (measured - 1.0).abs() > 1e-3, "{scheme:?}: {measured} {theory}");
        }
    }

    /// Points of the left half plane, and of the right one.
    fn half_plane(sign: f64) -> impl Iterator<Item = (f64, f64)> {
        (0..40).flat_map(move |i| (0..40).map(move |j| (sign * (0.05 + 0.2 * f64::from(i)), 0.05 + 0.2 * f64::from(j))))
    }

    #[test]
    fn backward_euler_is_unstable_in_the_unit_disk_about_one_only() {
        for (x, y) in half_plane(-1.0).chain(half_plane(1.0)) {
            let (measured, distance) = (Scheme::BackwardEuler.radii(x, y).0, modulus(x - 1.0, y));
            assert!((distance - 1.0).abs() > 1e-9 && (measured > 1.0) == (distance < 1.0), "{x} + {y} i: {measured}");
        }
    }

    #[test]
    fn bdf2_and_the_midpoint_rule_are_stable_in_the_left_half_plane() {
        for (x, y) in half_plane(-1.0) {
            for scheme in [Scheme::Bdf2, Scheme::ImplicitMidpoint] {
                let measured = scheme.radii(x, y).0;
                assert!(measured < 1.0, "{scheme:?} at {x} + {y} i: {measured}");
            }
        }
        // to the right the midpoint rule is nowhere stable, and BDF2 outside a bounded region that reaches to 4
        assert!(half_plane(1.0).all(|(x, y)| Scheme::ImplicitMidpoint.radii(x, y).0 > 1.0));
        assert!(half_plane(1.0).all(|(x, y)| x < 4.0 || Scheme::Bdf2.radii(x, y).0 < 1.0));
        assert!(Scheme::Bdf2.radii(3.9, 0.05).0 > 1.0);
    }

    #[test]
    fn sbdf2_is_stable_up_to_five_known_limits() {
        for (zeta, limit) in [(0.01, 0.374), (0.05, 0.880), (0.1, 1.944), (0.5, 1.055), (1.0, 0.619)] {
            let [below, above] = [0.995, 1.005].map(|factor| Scheme::Sbdf2.radii(factor * limit, zeta).0);
            assert!(below < 1.0 && above > 1.0, "zeta = {zeta}: {below} {above}");
        }
        assert!(Scheme::Sbdf2.radii(0.1, 0.0).0 > 1.0, "undamped");
    }
}
