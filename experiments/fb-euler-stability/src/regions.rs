//! Regions of stability, and orbits that spiral outward.

use cloth::integrators::Sbdf2;
use cloth::oscillator::{Oscillator, theory};
use cloth::stability::{least_damping, stability_boundary};
use kit::prelude::*;

use super::plane::Plane;

ranges!(RegionRanges {
    //! Grids in two planes.
    /// Plane of the test equation y' = lambda y, z = dt lambda; its lower half mirrors the upper one.
    test_equation: Plane,
    /// Plane of the test equation for implicit schemes, which are unstable in its right half.
    implicit_test_equation: Plane,
    /// Plane of x'' = -omega² x - 2 zeta omega x': omega dt along x, zeta along y.
    oscillator: Plane,
});

/// Where each scheme is stable.
pub struct Regions(pub RegionRanges);

words! {
    /// A scheme whose region is measured.
    pub enum Scheme {
        ForwardEuler = "forward Euler",
        Rk4 = "RK4",
        FbEuler = "FB Euler",
        BackwardEuler = "backward Euler",
        ImplicitMidpoint = "implicit midpoint",
        Bdf2 = "BDF2",
        /// With an explicit spring.
        Sbdf2 = "SBDF2",
    }
}

impl Scheme {
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

/// The larger |lambda| of (3/2 - z) lambda² - 2 lambda + 1/2 = 0 for z = x + i y: 1 / |2 - sqrt(1 + 2 z)|, the root in the right
/// half.
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

/// Order of the panels of regions: explicit springs above, implicit schemes below.
const PANELS: [Scheme; 7] = [
    Scheme::ForwardEuler,
    Scheme::Rk4,
    Scheme::FbEuler,
    Scheme::Sbdf2,
    Scheme::BackwardEuler,
    Scheme::ImplicitMidpoint,
    Scheme::Bdf2,
];

/// A panel of cells a scheme, with what is known of its boundary.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Regions>()?;
    let panels = PANELS.into_iter().map(|scheme| {
        let cells: Vec<&Cell> = rows.iter().map(|row| &row.row).filter(|cell| cell.scheme == scheme.name()).collect();
        let size = cells.windows(2).map(|pair| pair[1].x - pair[0].x).find(|size| *size > 0.0).unwrap_or(1.0);
        let stable = cells.iter().filter(|cell| cell.radius.is_some_and(|radius| radius <= 1.0 + 1e-9));
        let mirrored = !scheme.splits();
        let centres = stable.flat_map(|cell| [[cell.x, cell.y], [cell.x, if mirrored { -cell.y } else { cell.y }]]);
        let mut centres: Vec<[f64; 2]> = centres.collect();
        centres.sort_by(|a, b| a[1].total_cmp(&b[1]).then(a[0].total_cmp(&b[0])));
        centres.dedup();
        let ends = |pick: fn(&Cell) -> f64| {
            let [low, high] = extent(cells.iter().map(|cell| pick(cell)));
            (low - 0.5 * size, high + 0.5 * size)
        };
        let (mut x, mut y) = (ends(|cell| cell.x), ends(|cell| cell.y));
        if mirrored {
            y.0 = -y.1;
        }
        let labels =
            if mirrored { ["Re(λ dt)  [–]", "Im(λ dt)  [–]"] } else { ["ω dt  [–]", "damping ratio  ζ  [–]"] };
        let color = if mirrored { Palette::BLUE } else { Palette::GREEN };
        let mut layers = vec![Layer::cells("stable", color, [size, size], centres)];
        layers.extend(boundaries(scheme, y.1));
        if let (Scheme::ForwardEuler, Some(of_book)) =
            (scheme, Curve::new(STUYCK, "3.2", "real axis of the picture").values().first())
        {
            // the book's picture reaches further to the right
            let measured = x.1;
            x.1 = x.1.max(of_book.y.high);
            layers.push(Layer::band("not measured", Palette::GREY, Direction::Vertical, measured, x.1));
        }
        let [x, y] = [(labels[0], x), (labels[1], y)].map(|(label, (from, to))| Axis::linear(label).range(from, to));
        let mut panel = Panel::new(x, y, layers).titled(scheme.name());
        panel.equal_aspect = true;
        panel.legend = Corner::Outside;
        panel
    });
    let caption = "Where the amplification matrix, found by stepping the scheme itself, has no eigenvalue beyond one: in the plane of the \
                   test equation, or, for forward-backward Euler and SBDF2 with an explicit spring, which have no region there, in the \
                   plane of the damped oscillator. The dashed line is the criterion of the adaptive SBDF2: a spring whose stiffest mode \
                   lies above it may be explicit. Figure 3.2 of Stuyck is that of forward Euler, its real axis from -3 to 3.";
    let mut figure = Figure::new("regions", "Regions of stability", caption, panels.collect());
    figure.columns = 2;
    Ok(figure)
}

/// Where the polynomial of RK4, p = 1 + z + z²/2 + z³/6 + z⁴/24, has the value exp(i t), t from 0 to 8 pi: by Newton's method from
/// the place before.
fn rk4_boundary() -> Vec<[f64; 2]> {
    let product = |a: [f64; 2], b: [f64; 2]| [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
    let mut z = [0.0, 0.0];
    let mut places = vec![z];
    for k in 1..=400 {
        let (sin, cos) = libm::sincos(8.0 * std::f64::consts::PI * f64::from(k) / 400.0);
        for _ in 0..6 {
            let (mut slope, mut power) = ([1.0, 0.0], [1.0, 0.0]); // p' = 1 + z + z²/2 + z³/6, and z³/6
            for divisor in [1.0, 2.0, 3.0] {
                power = product(power, z).map(|part| part / divisor);
                slope = [slope[0] + power[0], slope[1] + power[1]];
            }
            let last = product(power, z).map(|part| part / 4.0);
            let left = [slope[0] + last[0] - cos, slope[1] + last[1] - sin];
            let square = slope[0] * slope[0] + slope[1] * slope[1];
            let change = product(left, [slope[0] / square, -slope[1] / square]);
            z = [z[0] - change[0], z[1] - change[1]];
        }
        places.push(z);
    }
    places
}

/// Lines on the boundary of a scheme's region, up to the damping ratio `most`.
fn boundaries(scheme: Scheme, most: f64) -> Vec<Layer> {
    let turn = || (0..=180).map(|k| f64::from(k) * std::f64::consts::PI / 90.0).map(|t| [libm::cos(t), libm::sin(t)]);
    let line = |label: &str, points: Vec<[f64; 2]>| Layer::line(label, Palette::BLACK, points);
    // (omega dt, zeta) of a = (omega dt)², b = 2 zeta omega dt
    let place = |[a, b]: [f64; 2]| [a.sqrt(), 0.5 * b / a.sqrt()];
    match scheme {
        Scheme::ForwardEuler => vec![line("unit disk about −1", turn().map(|[c, s]| [c - 1.0, s]).collect())],
        Scheme::BackwardEuler => vec![line("unit disk about 1", turn().map(|[c, s]| [c + 1.0, s]).collect())],
        Scheme::ImplicitMidpoint => {
            vec![Layer::rule("imaginary axis", Palette::BLACK, Direction::Vertical, 0.0).dash(Dash::Solid)]
        }
        Scheme::Rk4 => vec![line("|1 + z + z²/2 + z³/6 + z⁴/24| = 1", rk4_boundary())],
        // 3/2 - 2 / λ + 1 / (2 λ²) for |λ| = 1
        Scheme::Bdf2 => {
            let locus = turn().map(|[c, s]| [1.5 - 2.0 * c + 0.5 * (c * c - s * s), 2.0 * s - c * s]);
            vec![line("3/2 − 2/λ + 1/(2 λ²), |λ| = 1", locus.collect())]
        }
        // a + 2 b = 4; where it meets b = 2 too
        Scheme::FbEuler => {
            let limit = (40..=200).map(|k| f64::from(k) * 0.01).map(|s| [s, (4.0 - s * s) / (4.0 * s)]);
            vec![line("(ω dt)² + 4 ζ ω dt = 4", limit.filter(|[_, zeta]| *zeta <= most).collect())]
        }
        Scheme::Sbdf2 => {
            let below = (0..=200).map(|k| place(stability_boundary(1e-6 + (2.0 - 1e-6) * f64::from(k) / 200.0)));
            // then a + 4 b = 16/3 to the left, from a = 112/27
            let above = (1..=100).map(|k| 112.0 / 27.0 * libm::pow(0.95, f64::from(k)));
            let above = above.map(|a| place([a, (16.0 / 3.0 - a) / 4.0])).filter(|[_, zeta]| *zeta <= most);
            // H(a) as far as that line, which it meets where (a - 1/16) / 8 = (16/3 - a) / 4
            let end = (32.0 / 3.0 + 1.0 / 16.0) / 3.0;
            let criterion = (1..=200).map(|k| end * f64::from(k) / 200.0).map(|a| place([a, least_damping(a)]));
            vec![line("|λ| = 1", below.chain(above).collect()), line("criterion", criterion.collect()).dash(Dash::Dashed)]
        }
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Regions(ranges.regions.clone())).plot("regions", chart).places(&[("regions", 2)])
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
    fn the_boundary_of_rk4_is_closed_and_meets_its_known_ends() {
        let places = rk4_boundary();
        assert!(places.iter().all(|[x, y]| (rk4_factor(*x, *y) - 1.0).abs() < 1e-12));
        let [x, y] = places[places.len() - 1];
        assert!(libm::hypot(x, y) < 1e-6, "{x} + {y} i");
        let [least, _] = extent(places.iter().map(|place| place[0]));
        assert!((least + 2.785_293_563).abs() < 1e-3, "{least}");
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
