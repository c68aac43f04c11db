//! Decomposition on trousers that are worn, and on a sheet on a sphere. B-DEC-CLOTHING.

use cloth::contact::Solid;
use cloth::{Figure, Trousers};
use kit::prelude::*;
use linsolve::Decompose;

ranges!(ClothingRanges {
    //! Materials and sizes.
    /// Number of materials.
    sets: Count,
    /// Edges around a leg of the trousers.
    around: Whole<8, 60>,
    /// Particles a side of the sheet.
    side: Side,
    /// Areal density \[kg/m²\], log-uniform.
    density: Ends,
    /// Stiffness along warp and weft \[N/m\], log-uniform.
    stiffness: Ends,
    /// Steps \[s\].
    step: List<Positive>,
    /// Simulated time \[s\].
    duration: Positive,
});

row! {
    /// A material on one of the two, by one treatment of the diagonals and one friction.
    pub struct ClothingRow {
        /// trousers, or sheet on a sphere
        pub scene: String,
        /// explicit, or implicit and slack in compression as warp and weft are
        pub diagonals: String,
        /// Coulomb or sticking
        pub friction: String,
        /// particles
        pub particles: usize,
        /// areal density \[kg/m²\]
        pub density: f64,
        /// along warp and weft \[N/m\]
        pub stiffness: f64,
        /// dt \[s\]
        pub step: f64,
        /// finished by both runs, or the worse: gains energy or not finite
        pub status: Status,
        /// rows multiplied without decomposition
        pub whole_rows: u64,
        /// rows multiplied component by component
        pub rows: u64,
        /// components solved, in all
        pub components: u64,
        /// linear systems
        pub solves: u64,
    }
}

const TROUSERS: &str = "trousers";
const SPHERE: &str = "sheet on a sphere";
const EXPLICIT: &str = "explicit";
const SLACK: &str = "implicit, slack in compression";
const COULOMB: &str = "Coulomb";
const STICKING: &str = "sticking";

/// kappa of explicit diagonals \[-\], and the stiffness of implicit ones over that along warp and weft \[-\].
const EXPLICIT_KAPPA: f64 = 0.1;
const SHEAR: f64 = 0.1;

/// A material and a step.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    density: f64,
    stiffness: f64,
    step: f64,
}

/// Random materials.
pub struct Clothing(pub ClothingRanges);

/// Particles, what joins them, and what they meet.
struct Scene {
    rest: Vec<Vec3>,
    masses: Vec<f64>,
    edges: Vec<[usize; 2]>,
    diagonals: Vec<[usize; 2]>,
    solids: Vec<Solid>,
}

impl Scene {
    /// Trousers on a figure that stands still.
    fn trousers(around: usize, density: f64) -> Result<Scene, ModelError> {
        let trousers = Trousers::new(around, density)?;
        Ok(Scene {
            rest: trousers.rest().to_vec(),
            masses: trousers.masses().to_vec(),
            edges: trousers.edges().iter().map(|edge| [edge.i, edge.j]).collect(),
            diagonals: trousers.quads().iter().flat_map(|&[a, b, c, d]| [[a, c], [b, d]]).collect(),
            solids: Figure::still().capsules(0.0).iter().map(|limb| limb.solid()).collect(),
        })
    }

    /// A sheet of 1.5 m above a sphere of 0.4 m beside its centre \[Boxerman 2003, 6.4.2\].
    fn sphere(side: usize, density: f64) -> Result<Scene, ModelError> {
        let grid = Grid::new(side, side, 1.5 / (side - 1) as f64)?;
        let of = |family: cloth::Family| {
            grid.springs().iter().filter(|spring| spring.family == family).map(|spring| [spring.i, spring.j]).collect()
        };
        Ok(Scene {
            rest: grid.flat(),
            masses: vec![density * grid.spacing() * grid.spacing(); grid.particle_count()],
            edges: of(cloth::Family::Stretch),
            diagonals: of(cloth::Family::Shear),
            solids: vec![Solid::Sphere { centre: Vec3::new(0.75 + 0.15, 0.75 + 0.10, -0.403), radius: 0.4 }],
        })
    }

    fn net(&self, case: &Case, diagonals: &str) -> Result<Net, ModelError> {
        let lightest = self.masses.iter().copied().fold(f64::INFINITY, f64::min);
        let springs = |pairs: &[[usize; 2]], stiffness: f64| -> Vec<NetSpring> {
            let elastic = Elastic { stiffness, damping: 0.0 };
            pairs.iter().map(|&[i, j]| NetSpring { i, j, rest: (self.rest[j] - self.rest[i]).norm(), elastic }).collect()
        };
        let (mut slack, mut rigid) = (springs(&self.edges, case.stiffness), vec![]);
        match diagonals {
            EXPLICIT => rigid = springs(&self.diagonals, EXPLICIT_KAPPA * lightest / (case.step * case.step)),
            _ => slack.extend(springs(&self.diagonals, SHEAR * case.stiffness)),
        }
        Net::of_families(self.masses.clone(), vec![false; self.rest.len()], [slack, vec![], rigid], false)
    }
}

impl Clothing {
    fn row(&self, case: &Case, scene: &Scene, [name, diagonals, friction]: [&str; 3]) -> Option<ClothingRow> {
        let net = scene.net(case, diagonals).ok()?;
        let kind = if friction == STICKING { Friction::Sticking } else { Friction::default() };
        let fall = scene.masses.iter().sum::<f64>() * GRAVITY;
        let steps = ((self.0.duration.get() / case.step).round() as u64).max(1);
        let run = |decompose| {
            let splitting = Splitting::Families { stretch: true, shear: false, bend: false };
            let contacts = Contacts::new(net.particle_count(), scene.solids.clone(), kind);
            let settings = Settings::from(ConjugateGradients { decompose, ..ConjugateGradients::default() });
            let mut scheme = BackwardEuler::split(&net, settings, splitting).with_contacts(contacts);
            let mut state = State::at_rest(scene.rest.clone());
            let mut course = RunWatch::of_energy(net.energy(&state), fall, steps);
            while course.goes_on() {
                scheme.step(&net, case.step, &mut state);
                course.watch_system(&net, &state, || net.energy(&state));
            }
            (scheme.work(), course.status())
        };
        let ((whole, one), (parts, other)) = (run(None), run(Some(Decompose::Serial)));
        Some(ClothingRow {
            scene: name.into(),
            diagonals: diagonals.into(),
            friction: friction.into(),
            particles: scene.rest.len(),
            density: case.density,
            stiffness: case.stiffness,
            step: case.step,
            status: one.max(other),
            whole_rows: whole.rows,
            rows: parts.rows,
            components: parts.components,
            solves: parts.solves,
        })
    }
}

impl Group for Clothing {
    const NAME: &'static str = "clothing";
    const ABOUT: &'static str =
        "decomposition on trousers on a standing figure and on a sheet on a sphere, of the same materials";
    type Case = Case;
    type Row = ClothingRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Case {
        let density = log_uniform(stream, self.0.density.get());
        let stiffness = log_uniform(stream, self.0.stiffness.get());
        Case { density, stiffness, step: pick(stream, self.0.step.values()).get() }
    }

    fn measure(&self, case: &Case) -> Vec<ClothingRow> {
        let scenes = [
            (TROUSERS, Scene::trousers(self.0.around.get() as usize, case.density)),
            (SPHERE, Scene::sphere(self.0.side.get() as usize, case.density)),
        ];
        let scenes = scenes.iter().filter_map(|(name, scene)| Some((*name, scene.as_ref().ok()?)));
        let rows = scenes.flat_map(|(name, scene)| {
            let kinds = [(EXPLICIT, COULOMB), (EXPLICIT, STICKING), (SLACK, COULOMB), (SLACK, STICKING)];
            kinds.map(|(diagonals, friction)| self.row(case, scene, [name, diagonals, friction]))
        });
        rows.flatten().collect()
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Clothing(ranges.clothing.clone())).checked(check_list(
        "clothing.duration",
        ranges.clothing.duration,
        &ranges.clothing.step,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explicit_diagonals_are_as_stiff_as_their_kappa() {
        let case = Case { density: 0.1, stiffness: 500.0, step: 0.01 };
        let scene = Scene::sphere(6, case.density).unwrap();
        let net = scene.net(&case, EXPLICIT).unwrap();
        let springs = net.springs();
        assert_eq!((scene.edges.len(), scene.diagonals.len(), springs.len()), (60, 50, 110));
        let mass = 0.1 * 0.3 * 0.3;
        assert!((springs[109].elastic.stiffness * 1e-4 / mass - EXPLICIT_KAPPA).abs() < 1e-12);
        assert_eq!(scene.net(&case, SLACK).unwrap().springs()[109].elastic.stiffness, 50.0);
        let trousers = Scene::trousers(8, 0.1).unwrap();
        assert_eq!((trousers.solids.len(), trousers.masses.len()), (Figure::CAPSULES, trousers.rest.len()));
    }
}
