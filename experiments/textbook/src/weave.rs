//! The textbook's cloth: particles on a grid joined by linear springs that act both ways, damped plainly \[Stuyck 2018, 4\].

use std::f64::consts::PI;

use kit::prelude::*;

ranges!(Weaves {
    //! What square sheets of 1 m are drawn from.
    /// Particles a side.
    side: List<Side>,
    /// Areal density \[kg/m²\], log-uniform.
    density: Ends,
    /// Stiffness of stretch springs \[N/m\], log-uniform.
    stiffness: Ends,
    /// Stiffness of shear springs over that of stretch \[-\].
    shear: Positive,
    /// Stiffness of bend springs over that of stretch \[-\], log-uniform.
    bend: Ends,
});

/// Which particles of a cell the shear springs join.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Diagonals {
    Both,
    One,
    None,
}

/// A hem on all borders.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hem {
    None,
    /// The particles weigh as if the outermost cells had so many layers.
    ByMass(u8),
    /// The outermost cells have so many layers, masses and springs.
    Layers(u8),
}

impl Hem {
    /// Mass of the outermost cells over that of a single layer, and stiffness and damping of their springs likewise.
    fn factors(self) -> [f64; 2] {
        match self {
            Hem::None => [1.0, 1.0],
            Hem::ByMass(layers) => [f64::from(layers), 1.0],
            Hem::Layers(layers) => [f64::from(layers); 2],
        }
    }
}

/// A square sheet of 1 m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weave {
    /// Particles a side.
    pub side: usize,
    /// Areal density \[kg/m²\].
    pub density: f64,
    /// Stiffness of stretch springs \[N/m\].
    pub stretch: f64,
    /// Stiffness of shear springs \[N/m\].
    pub shear: f64,
    /// Stiffness of bend springs, to every other particle of a row or column \[N/m\].
    pub bend: f64,
    /// tau: damping of every spring over its stiffness \[s\].
    pub damping: f64,
    pub diagonals: Diagonals,
    pub hem: Hem,
}

/// How a mode of the test equation y' = lambda y moves: its two eigenvalues at a wave vector come from l² + d l + k = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mode {
    /// d \[1/s\].
    pub damping: f64,
    /// k \[1/s²\].
    pub stiffness: f64,
}

impl Mode {
    /// The largest step for which explicit Euler does not grow, |1 + h lambda| <= 1 \[s\] \[Stuyck 2018, eq. 3.13\]; infinite for a
    /// mode that does not move, zero for one that is not damped.
    pub fn limit(self) -> f64 {
        let Mode { damping: d, stiffness: k } = self;
        let root = d * d - 4.0 * k;
        if root < 0.0 {
            d / k // -2 Re / abs² of a pair
        } else if d == 0.0 {
            f64::INFINITY
        } else {
            4.0 / (d + root.sqrt()) // 2 over the faster one
        }
    }

    /// Real part of the eigenvalue that is farther to the left \[1/s\].
    pub fn real(self) -> f64 {
        let root = self.damping * self.damping - 4.0 * self.stiffness;
        -0.5 * (self.damping + root.max(0.0).sqrt())
    }

    /// Magnitude of the same eigenvalue \[1/s\].
    pub fn magnitude(self) -> f64 {
        let root = self.damping * self.damping - 4.0 * self.stiffness;
        if root < 0.0 { self.stiffness.sqrt() } else { -self.real() }
    }
}

/// Springs of an infinite sheet at rest: what joins a particle to another one (steps along x and y), its ks and its kd.
pub type Bond = ([i32; 2], Elastic);

/// Modes of an infinite sheet at rest at wave vectors between 0 and pi in `resolution` steps: two in the plane and one out of it
/// each. Plain dampers act in all directions, springs along their axis.
pub fn modes(mass: f64, bonds: &[Bond], resolution: usize) -> Vec<Mode> {
    let angles = || (0..=2 * resolution).map(move |k| (k as f64 / resolution as f64 - 1.0) * PI);
    let waves = angles().flat_map(|u| angles().map(move |v| [u, v])).filter(|wave| *wave != [0.0; 2]);
    let of = |[u, v]: [f64; 2]| {
        let (mut damping, mut k) = (0.0, [0.0; 3]); // xx, yy, xy
        for ([i, j], Elastic { stiffness, damping: kd }) in bonds {
            let (i, j) = (f64::from(*i), f64::from(*j));
            let symbol = 2.0 * (1.0 - libm::cos(i * u + j * v)) / mass;
            let square = i * i + j * j;
            damping += kd * symbol;
            for (k, share) in k.iter_mut().zip([i * i, j * j, i * j]) {
                *k += stiffness * symbol * share / square;
            }
        }
        let (mean, half) = (0.5 * (k[0] + k[1]), 0.5 * (k[0] - k[1]));
        let apart = (half * half + k[2] * k[2]).sqrt();
        [mean + apart, (mean - apart).max(0.0), 0.0].map(|stiffness| Mode { damping, stiffness })
    };
    waves.flat_map(of).collect()
}

impl Weave {
    /// A sheet from the ranges, undamped, without a hem.
    pub fn draw(ranges: &Weaves, stream: &mut ChaCha8Rng) -> Weave {
        let side = pick(stream, ranges.side.values()).get() as usize;
        let density = log_uniform(stream, ranges.density.get());
        let stretch = log_uniform(stream, ranges.stiffness.get());
        let bend = log_uniform(stream, ranges.bend.get()) * stretch;
        let shear = ranges.shear.get() * stretch;
        Weave { side, density, stretch, shear, bend, damping: 0.0, diagonals: Diagonals::Both, hem: Hem::None }
    }

    /// Mesh spacing \[m\].
    pub fn spacing(&self) -> f64 {
        1.0 / (self.side - 1) as f64
    }

    /// Mass of a particle inside \[kg\].
    pub fn mass(&self) -> f64 {
        self.density * self.spacing() * self.spacing()
    }

    fn elastic(&self, stiffness: f64) -> Elastic {
        Elastic { stiffness, damping: self.damping * stiffness }
    }

    /// What joins a particle to those before it in the order of rows.
    fn bonds(&self) -> Vec<Bond> {
        let [stretch, shear, bend] = [self.stretch, self.shear, self.bend].map(|stiffness| self.elastic(stiffness));
        let mut bonds = vec![([1, 0], stretch), ([0, 1], stretch), ([2, 0], bend), ([0, 2], bend)];
        match self.diagonals {
            Diagonals::Both => bonds.extend([([1, 1], shear), ([-1, 1], shear)]),
            Diagonals::One => bonds.push(([1, 1], shear)),
            Diagonals::None => {}
        }
        bonds
    }

    /// Modes of the sheet at rest.
    pub fn modes(&self) -> Vec<Mode> {
        modes(self.mass(), &self.bonds(), 12)
    }

    /// omega of the fastest mode without damping \[1/s\].
    pub fn fastest(&self) -> f64 {
        self.modes().iter().map(|mode| mode.stiffness.sqrt()).fold(0.0, f64::max)
    }

    /// This sheet with dampers that give the fastest mode about the damping ratio zeta: tau = 2 zeta / omega.
    pub fn damped(&self, zeta: f64) -> Weave {
        Weave { damping: 2.0 * zeta / self.fastest(), ..*self }
    }

    /// The largest step of explicit Euler by the test equation \[s\].
    pub fn limit(&self) -> f64 {
        self.modes().iter().map(|mode| mode.limit()).fold(f64::INFINITY, f64::min)
    }

    /// The flat sheet \[m\].
    pub fn flat(&self) -> Vec<Vec3> {
        let h = self.spacing();
        (0..self.side * self.side).map(|k| Vec3::new((k % self.side) as f64 * h, (k / self.side) as f64 * h, 0.0)).collect()
    }

    /// The sheet, its `pins` held.
    ///
    /// # Errors
    /// A quantity outside its range.
    pub fn net(&self, pins: &[usize]) -> Result<Net, ModelError> {
        let (n, h) = (self.side as i32, self.spacing());
        let at_border = |k: i32| k == 0 || k == n - 1;
        let [heavier, stiffer] = self.hem.factors();
        let masses = (0..n * n).map(|k| {
            // a quarter of each of its cells, of all their layers
            let cells = [-1, 0].into_iter().flat_map(|a| [-1, 0].map(|b| [k % n + a, k / n + b]));
            let inside = cells.filter(|[i, j]| (0..n - 1).contains(i) && (0..n - 1).contains(j));
            let of = |[i, j]: [i32; 2]| {
                let outermost = [i, j].into_iter().any(|q| q == 0 || q == n - 2);
                if outermost { heavier } else { 1.0 }
            };
            0.25 * self.density * h * h * inside.map(of).sum::<f64>()
        });
        let (mut along, mut across) = (vec![], vec![]);
        for (i, j) in (0..n).flat_map(|j| (0..n).map(move |i| (i, j))) {
            for ([a, b], elastic) in self.bonds() {
                let (p, q) = (i + a, j + b);
                if !((0..n).contains(&p) && (0..n).contains(&q)) {
                    continue;
                }
                // a spring that lies in the outermost cells or on the border
                let near = |k: i32| k <= 1 || k >= n - 2;
                let outermost =
                    (near(i) && near(p) && (a != 0 || at_border(i))) || (near(j) && near(q) && (b != 0 || at_border(j)));
                let factor = if outermost { stiffer } else { 1.0 };
                let rest = h * f64::from(a * a + b * b).sqrt();
                let elastic = Elastic { stiffness: factor * elastic.stiffness, damping: factor * elastic.damping };
                let spring = NetSpring { i: (j * n + i) as usize, j: (q * n + p) as usize, rest, elastic };
                if a.abs().max(b.abs()) == 2 { across.push(spring) } else { along.push(spring) }
            }
        }
        let pinned = (0..self.side * self.side).map(|k| pins.contains(&k)).collect();
        Net::of_families(masses.collect(), pinned, [along, vec![], across], true)
    }

    /// Its two corners with y = 0.
    pub fn corners(&self) -> [usize; 2] {
        [0, self.side - 1]
    }
}

/// The course of a run of a sheet of 1 m over so many steps, by the rule of all studies.
pub fn course(net: &Net, start: &State, steps: u64) -> RunWatch {
    let mass: f64 = net.masses().iter().sum();
    RunWatch::of_energy(net.energy(start), mass * GRAVITY, steps)
}

/// Takes the state after another step into account.
pub fn watch(course: &mut RunWatch, net: &Net, state: &State) {
    course.watch_system(net, state, || net.energy(state));
}

/// The course of so many steps of `dt` \[s\] by `scheme`, or of as many as are worth taking.
pub fn follow(net: &Net, scheme: &mut dyn Integrator, dt: f64, steps: u64, state: &mut State) -> RunWatch {
    let mut course = course(net, state, steps);
    while course.goes_on() {
        scheme.step(net, dt, state);
        watch(&mut course, net, state);
    }
    course
}

/// Whether a run by `scheme` is finished.
pub fn is_stable(net: &Net, start: &State, scheme: &mut dyn Integrator, dt: f64, duration: f64) -> bool {
    let steps = ((duration / dt).ceil() as u64).max(1);
    follow(net, scheme, dt, steps, &mut start.clone()).status() == Status::Finished
}

/// Step of the explicit reference times the largest frequency \[-\].
const FINE: f64 = 0.2;

/// Positions after a duration by an explicit scheme of order 4 with resolved oscillations; none where that run is not finished.
pub fn reference(weave: &Weave, net: &Net, start: &State, duration: f64) -> Option<Vec<Vec3>> {
    let (mut scheme, mut state) = (Rk4::new(net.particle_count()), start.clone());
    let steps = (duration * weave.fastest() / FINE).ceil() as u64;
    let course = follow(net, &mut scheme, duration / steps as f64, steps, &mut state);
    (course.status() == Status::Finished).then_some(state.x)
}

/// The largest step of FB Euler for the sheet near its rest \[s\]: that up to which 4 M - 2 h D - h² K has no negative eigenvalue,
/// where M, D and K hold the masses, dampers and springs of the free particles.
///
/// The root z = -1 of z² M - z (2 M - h D - h² K) + M - h D leaves the unit circle first. Every vector u gives an upper bound,
/// 4 u'Mu = 2 h u'Du + h² u'Ku; power iteration for the largest eigenvalue of 2 h D + h² K over M finds a better one at each bound.
pub fn symplectic_limit(net: &Net, rest: &[Vec3]) -> f64 {
    let free = |i: usize| !net.pinned()[i];
    // K u and D u, plain dampers
    let apply = |u: &[Vec3], k: &mut [Vec3], d: &mut [Vec3]| {
        k.fill(Vec3::zeros());
        d.fill(Vec3::zeros());
        for spring in net.springs() {
            let (i, j) = (spring.i, spring.j);
            let (axis, apart) = ((rest[j] - rest[i]).normalize(), u[j] - u[i]);
            let pull = spring.elastic.stiffness * axis.dot(&apart) * axis;
            let drag = spring.elastic.damping * apart;
            (k[i], k[j], d[i], d[j]) = (k[i] - pull, k[j] + pull, d[i] - drag, d[j] + drag);
        }
        for i in (0..u.len()).filter(|i| !free(*i)) {
            (k[i], d[i]) = (Vec3::zeros(), Vec3::zeros());
        }
    };
    let dot = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.dot(b)).sum::<f64>();
    let mut u: Vec<Vec3> = (0..rest.len())
        .map(|i| {
            let at = 1.0 + i as f64;
            if free(i) { Vec3::new(libm::sin(2.3 * at), libm::sin(3.1 * at), libm::sin(2.9 * at)) } else { Vec3::zeros() }
        })
        .collect();
    let (mut k, mut d) = (vec![Vec3::zeros(); u.len()], vec![Vec3::zeros(); u.len()]);
    let mut h = f64::INFINITY;
    for _ in 0..BOUNDS {
        apply(&u, &mut k, &mut d);
        let m: f64 = u.iter().zip(net.masses()).map(|(u, m)| m * u.norm_squared()).sum();
        let (stiff, damped) = (dot(&u, &k), dot(&u, &d));
        // the root of h² k + 2 h d = 4 m
        h = h.min(4.0 * m / (damped + (damped * damped + 4.0 * m * stiff).sqrt()));
        for _ in 0..POWERS {
            apply(&u, &mut k, &mut d);
            for (((u, k), d), m) in u.iter_mut().zip(&k).zip(&d).zip(net.masses()) {
                *u = (h * h * k + 2.0 * h * d) / *m;
            }
            let length = dot(&u, &u).sqrt();
            u.iter_mut().for_each(|u| *u /= length);
        }
    }
    h
}

/// Bounds of [`symplectic_limit`] that are improved in turn, and power iterations for each.
const BOUNDS: usize = 8;
const POWERS: usize = 100;

/// Mean distance of the particles of two sheets \[m\].
pub fn mean_distance(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).norm()).sum::<f64>() / a.len() as f64
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A sheet for tests.
    pub fn weave() -> Weave {
        Weave {
            side: 5,
            density: 0.2,
            stretch: 100.0,
            shear: 10.0,
            bend: 1.0,
            damping: 0.0,
            diagonals: Diagonals::Both,
            hem: Hem::None,
        }
    }

    #[test]
    fn the_limit_of_one_mode_by_hand() {
        // -1 and -9: 2/9; a pair with real part -1 and square 5: 2/5
        assert!((Mode { damping: 10.0, stiffness: 9.0 }.limit() - 2.0 / 9.0).abs() < 1e-15);
        assert!((Mode { damping: 2.0, stiffness: 5.0 }.limit() - 0.4).abs() < 1e-15);
        assert_eq!(Mode { damping: 0.0, stiffness: 5.0 }.limit(), 0.0);
        assert_eq!(Mode { damping: 0.0, stiffness: 0.0 }.limit(), f64::INFINITY);
        assert_eq!(Mode { damping: 10.0, stiffness: 9.0 }.real(), -9.0);
        assert!((Mode { damping: 2.0, stiffness: 5.0 }.magnitude() - 5.0_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn modes_of_a_row_by_hand() {
        // springs along x only, at the wave length of two cells: 4 ks / m along x, nothing across
        let modes = modes(0.5, &[([1, 0], Elastic { stiffness: 3.0, damping: 0.2 })], 2);
        let fastest = modes.iter().map(|mode| mode.stiffness).fold(0.0, f64::max);
        assert!((fastest - 4.0 * 3.0 / 0.5).abs() < 1e-12, "{fastest}");
        assert!(modes.iter().any(|mode| (mode.damping - 4.0 * 0.2 / 0.5).abs() < 1e-12 && mode.stiffness == 0.0));
    }

    #[test]
    fn a_sheet_without_gravity_is_damped_below_its_limit_and_grows_beyond() {
        let weave = weave().damped(0.2);
        let mut net = weave.net(&[]).unwrap();
        net.gravity = Vec3::zeros();
        let energy_after = |dt: f64| {
            let mut state = State::at_rest(weave.flat());
            for (k, v) in state.v.iter_mut().enumerate() {
                *v = 1e-6 * Vec3::new(f64::from(k as u32 % 2) - 0.5, 0.3 * f64::from(k as u32 % 3) - 0.3, 0.0);
            }
            let start = net.energy(&state);
            let mut scheme = ForwardEuler::new(net.particle_count());
            (0..3000).for_each(|_| scheme.step(&net, dt, &mut state));
            if state.is_finite() { net.energy(&state) / start } else { f64::INFINITY }
        };
        let limit = weave.limit();
        assert!(energy_after(0.8 * limit) < 1.0 && energy_after(1.5 * limit) > 10.0, "{limit}");
    }

    #[test]
    fn hems_weigh_as_much_by_mass_as_double_cloth() {
        let mass =
            |hem| weave().net(&[]).map(|_| Weave { hem, ..weave() }.net(&[]).unwrap().masses().iter().sum::<f64>()).unwrap();
        assert!((mass(Hem::None) - 0.2).abs() < 1e-15);
        // 12 of the 16 cells are outermost
        assert!((mass(Hem::ByMass(2)) - 0.2 * 28.0 / 16.0).abs() < 1e-15);
        assert!((mass(Hem::Layers(3)) - 0.2 * 40.0 / 16.0).abs() < 1e-15);
        assert_eq!(mass(Hem::ByMass(2)), mass(Hem::Layers(2)));
        let springs = |hem| Weave { hem, ..weave() }.net(&[]).unwrap().springs().to_vec();
        let doubled = springs(Hem::None).iter().zip(springs(Hem::Layers(2))).filter(|(a, b)| a.elastic != b.elastic).count();
        // of the inner 3 x 3 particles only the springs between the four inner cells' sides are single, and bend springs that lie
        // inside
        assert!(doubled > 40 && doubled < springs(Hem::None).len(), "{doubled} of {}", springs(Hem::None).len());
        assert_eq!(springs(Hem::ByMass(2)), springs(Hem::None));
    }

    #[test]
    fn the_limit_of_fb_euler_is_that_of_the_finite_sheet() {
        for zeta in [0.05, 0.5] {
            let weave = weave().damped(zeta);
            let mut net = weave.net(&weave.corners()).unwrap();
            net.gravity = Vec3::zeros();
            let limit = symplectic_limit(&net, &weave.flat());
            let stays = |dt: f64| {
                let mut state = State::at_rest(weave.flat());
                for (k, v) in state.v.iter_mut().enumerate().skip(1).filter(|(k, _)| *k != 4) {
                    *v = 1e-6 * Vec3::new(libm::sin(2.0 * k as f64), libm::sin(3.0 * k as f64), libm::sin(5.0 * k as f64));
                }
                let (start, mut scheme) = (net.energy(&state), ForwardBackwardEuler::new(net.particle_count()));
                (0..2000).for_each(|_| scheme.step(&net, dt, &mut state));
                state.is_finite() && net.energy(&state) < 10.0 * start
            };
            assert!(stays(0.99 * limit) && !stays(1.02 * limit), "zeta {zeta}: {limit} s");
            // the infinite sheet allows longer steps: its particles are twice as heavy as those of the border
            let infinite = 2.0 * ((1.0 + zeta * zeta).sqrt() - zeta) / weave.fastest();
            assert!(limit < 0.95 * infinite, "zeta {zeta}: {limit} s of {infinite} s");
        }
    }

    #[test]
    fn the_limit_of_one_free_particle_by_hand() {
        // 4 m = 2 h d + h² k with m = 0.5, d = 2, k = 12: h = (-4 + sqrt(16 + 4 · 12 · 2)) / 24
        let spring = NetSpring { i: 0, j: 1, rest: 1.0, elastic: Elastic { stiffness: 12.0, damping: 2.0 } };
        let net = Net::new(vec![0.5; 2], vec![true, false], vec![spring]).unwrap();
        let limit = symplectic_limit(&net, &[Vec3::zeros(), Vec3::x()]);
        assert!((limit - (112.0_f64.sqrt() - 4.0) / 24.0).abs() < 1e-12, "{limit}");
    }
}
