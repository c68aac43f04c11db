//! The stability criterion of springs on a continuum of triangles, triangle by triangle. B-AIMEX-TRIANGLE.

use cloth::triangles::{Bend, Fabric, Triangle, TriangleCloth, TriangleMesh, Vec2};
use kit::prelude::*;

ranges!(ElementRanges {
    //! Sheets.
    /// Number of sheets.
    sets: Count,
    /// Points of the regular grid a side.
    side: List<Side>,
    /// Areal density \[kg/m²\], log-uniform.
    density: Ends,
    /// Stiffness of warp and weft, force per width \[N/m\], log-uniform each.
    stiffness: Ends,
    /// Stiffness of shear over that of the warp \[-\], log-uniform.
    shear: Ends,
    /// Largest move of a point over the width of a cell \[-\].
    irregular: Positive,
    /// Simulated time \[s\].
    duration: Positive,
});

row! {
    /// What came of a sheet.
    pub struct ElementRow {
        /// regular or centred
        pub mesh: String,
        /// points of the grid a side
        pub side: usize,
        /// whether its points are moved at random
        pub irregular: bool,
        /// damping ratio of the stiffest triangles, about
        pub zeta: f64,
        /// dt at which the largest kappa of a triangle is 1/2, with its eigenvalue as the stiffness \[s\]
        pub step: f64,
        /// what came of FB Euler at this step: finished, gains energy or not finite
        pub status: Status,
        /// largest kappa, likewise, at the smallest step that is not finished, in ratios of 2^(1/4) of the step; none up to 8 of
        /// it
        pub critical: Option<f64>,
        /// share of triangles' couplings that are explicit at twice the step, by a threshold of 1/2
        pub explicit: f64,
        /// what came of that splitting at twice the step
        pub mixed: Status,
        /// what came of the implicit scheme at twice the step
        pub implicit: Status,
    }
}

/// A mesh and its cloth.
#[derive(Clone, Debug)]
pub struct Case {
    side: usize,
    centred: bool,
    irregular: bool,
    moves: Vec<[f64; 2]>,
    density: f64,
    warp: f64,
    weft: f64,
    shear: f64,
    zeta: f64,
}

/// Random sheets of triangles.
pub struct Elements(pub ElementRanges);

/// The bound of the thesis on kappa \[-\].
const BOUND: f64 = 0.5;
/// Largest kappa of the scan over the bound, in steps of 2^(1/4) of dt.
const SCAN: i32 = 12;

/// Whether a kappa of some triangle exceeds a threshold at a step.
fn exceeds(cloth: &TriangleCloth, state: &State, dt: f64, threshold: f64, implicit: &mut [bool]) -> bool {
    cloth.choose_implicit(&Splitting::Adaptive { threshold, bend: false }, dt, state, implicit);
    implicit.iter().any(|implicit| *implicit)
}

/// The largest value for which a rising condition does not hold, by bisection of logarithms.
fn last(mut holds_from: impl FnMut(f64) -> bool) -> f64 {
    let [mut low, mut high] = [1e-9_f64, 1e9];
    for _ in 0..60 {
        let middle = (low * high).sqrt();
        if holds_from(middle) { high = middle } else { low = middle }
    }
    low
}

impl Elements {
    fn cloth(&self, case: &Case) -> Option<TriangleCloth> {
        let n = case.side;
        let regular = if case.centred { TriangleMesh::centred(n, n, 1.0, 1.0) } else { TriangleMesh::regular(n, n, 1.0, 1.0) };
        let regular = regular.ok()?;
        let h = if case.irregular { self.0.irregular.get() / (n - 1) as f64 } else { 0.0 };
        let inside = |x: &Vec3| [x.x, x.y].into_iter().all(|q| q > 1e-9 && q < 1.0 - 1e-9);
        let plane = regular.positions().iter().zip(case.moves.iter().cycle());
        let plane: Vec<Vec2> =
            plane.map(|(x, [a, b])| if inside(x) { Vec2::new(x.x + h * a, x.y + h * b) } else { Vec2::new(x.x, x.y) }).collect();
        let cut = |triangle: &Triangle| Triangle { corners: triangle.corners, material: triangle.corners.map(|k| plane[k]) };
        let triangles = regular.triangles().iter().map(cut).collect();
        let mesh = TriangleMesh::new(plane.iter().map(|x| Vec3::new(x.x, x.y, 0.0)).collect(), triangles).ok()?;
        // tau of a triangle whose omega is that of a spring of this stiffness between such masses
        let mass = case.density / ((n - 1) * (n - 1)) as f64;
        let tau = 2.0 * case.zeta / (8.0 * case.warp.max(case.weft) / mass).sqrt();
        let elastic = |stiffness: f64| Elastic { stiffness, damping: tau * stiffness };
        let fabric = Fabric {
            density: case.density,
            warp: elastic(case.warp),
            weft: elastic(case.weft),
            shear: elastic(case.shear),
            bend: Bend { stiffness: 0.0, damping: 0.0 },
            ..Fabric::default()
        };
        TriangleCloth::new(mesh, fabric, &[0, n - 1]).ok()
    }

    fn status(&self, cloth: &TriangleCloth, scheme: &mut dyn Integrator, dt: f64) -> Status {
        let mut state = cloth.at_rest();
        let energy = |state: &State| cloth.energies(state).total();
        let fall = cloth.masses().iter().sum::<f64>() * GRAVITY;
        let steps = ((self.0.duration.get() / dt).ceil() as u64).max(1);
        let mut course = RunWatch::of_energy(energy(&state), fall, steps);
        while course.goes_on() {
            scheme.step(cloth, dt, &mut state);
            course.watch_system(cloth, &state, || energy(&state));
        }
        course.status()
    }

    fn row(&self, case: &Case) -> Option<ElementRow> {
        let cloth = self.cloth(case)?;
        let (count, rest) = (cloth.particle_count(), cloth.at_rest());
        let mut implicit = vec![false; cloth.coupling_count()];
        let step = last(|dt| exceeds(&cloth, &rest, dt, BOUND, &mut implicit));
        let explicit = |dt: f64| self.status(&cloth, &mut ForwardBackwardEuler::new(count), dt);
        let at_step = explicit(step);
        // from a quarter of the step on, whatever it is at the bound itself
        let unstable = (-8..=SCAN).map(|k| step * libm::exp2(f64::from(k) / 4.0)).find(|dt| explicit(*dt) != Status::Finished);
        let critical = unstable.map(|dt| last(|kappa| !exceeds(&cloth, &rest, dt, kappa, &mut implicit)));
        let split =
            |splitting| self.status(&cloth, &mut BackwardEuler::split(&cloth, Settings::default(), splitting), 2.0 * step);
        let adaptive = Splitting::Adaptive { threshold: BOUND, bend: true };
        cloth.choose_implicit(&adaptive, 2.0 * step, &rest, &mut implicit);
        let membranes = 2 * cloth.mesh().triangles().len();
        let of_membranes = implicit[..membranes].iter().filter(|implicit| !**implicit).count();
        Some(ElementRow {
            mesh: if case.centred { "centred" } else { "regular" }.into(),
            side: case.side,
            irregular: case.irregular,
            zeta: case.zeta,
            step,
            status: at_step,
            critical,
            explicit: of_membranes as f64 / membranes as f64,
            mixed: split(adaptive),
            implicit: split(Splitting::Implicit),
        })
    }
}

impl Group for Elements {
    const NAME: &'static str = "elements";
    const ABOUT: &'static str =
        "a continuum of triangles held at two corners, by FB Euler about the step at which the largest kappa is 1/2";
    type Case = Case;
    type Row = ElementRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Case {
        let ElementRanges { side, density, stiffness, shear, .. } = &self.0;
        let side = pick(stream, side.values()).get() as usize;
        let density = log_uniform(stream, density.get());
        let [warp, weft] = [(); 2].map(|()| log_uniform(stream, stiffness.get()));
        let shear = log_uniform(stream, shear.get()) * warp;
        let zeta = if set.is_multiple_of(2) { 0.0 } else { 0.5 * stream.random::<f64>() };
        let moves = (0..2 * side * side).map(|_| [(); 2].map(|()| 2.0 * stream.random::<f64>() - 1.0)).collect();
        Case { side, centred: set / 2 % 2 == 1, irregular: set / 4 % 2 == 1, moves, density, warp, weft, shear, zeta }
    }

    fn measure(&self, case: &Case) -> Vec<ElementRow> {
        self.row(case).into_iter().collect()
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Elements(ranges.elements.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_of_a_square_cell_by_hand() {
        let text = "sets = 1\nside = [3]\ndensity = [0.1, 0.2]\nstiffness = [1.0, 2.0]\nshear = [0.1, 0.2]\nirregular = 0.2\nduration = 0.1\n";
        let elements = Elements(kit::ranges::stated(text));
        let case = Case {
            side: 3,
            centred: false,
            irregular: false,
            moves: vec![[0.0; 2]; 9],
            density: 0.2,
            warp: 10.0,
            weft: 5.0,
            shear: 1.0,
            zeta: 0.0,
        };
        let cloth = elements.cloth(&case).unwrap();
        let mut implicit = vec![false; cloth.coupling_count()];
        let step = last(|dt| exceeds(&cloth, &cloth.at_rest(), dt, BOUND, &mut implicit));
        // a triangle of area 1/8 with legs of 1/2: k a (1/a² + 1/a²) = 10 / 8 · 8 = 10 N/m; its lightest corner stands alone
        let lightest = cloth.masses().iter().copied().fold(f64::INFINITY, f64::min);
        let kappa = step * step * 10.0 / lightest;
        assert!((kappa / BOUND - 1.0).abs() < 1e-9, "{kappa}");
        assert_eq!(last(|q| q >= 3.0).round(), 3.0);
    }
}
