//! Cloth hung from two corners with one choice of springs after another: shear, connections, bending, hems, and whether it ends in
//! a minimum of energy.

use kit::prelude::*;

use super::drape_charts;
use super::weave::{Diagonals, Hem, Weave, Weaves, follow, mean_distance};

ranges!(DrapeRanges {
    //! Sheets and how they come to rest.
    /// Number of sheets.
    sets: Count,
    /// What they are drawn from.
    weaves: Weaves,
    /// Resistance of the air per mass \[1/s\].
    air: Positive,
    /// Simulated time \[s\].
    duration: Positive,
    /// Steps a second.
    rate: Count,
});

row! {
    /// A sheet with one of the choices of springs, at rest.
    pub struct DrapeRow {
        /// what differs from the base: shear springs a tenth as stiff as those of stretch, both diagonals, no hem
        pub variant: String,
        /// particles a side
        pub side: usize,
        /// areal density \[kg/m²\]
        pub density: f64,
        /// of stretch springs of the base \[N/m\]
        pub stiffness: f64,
        /// of bend springs of the base \[N/m\]
        pub bend: f64,
        /// finished, gains energy, not finite or refused
        pub status: Status,
        /// mean distance of particles to the base; none where one of the two is not finished \[m\]
        pub from_base: Option<f64>,
        /// mean distance of particles to the opposite choice \[m\]
        pub from_partner: Option<f64>,
        /// mean angle between neighbouring cells \[rad\]
        pub fold: Option<f64>,
        /// height of the lowest particle over the corners \[m\]
        pub lowest: Option<f64>,
        /// largest force of a free particle over the mean weight of one
        pub residual: Option<f64>,
        /// energy lost since the start \[J\]
        pub lost: Option<f64>,
        /// random perturbations of 20 that lower the energy
        pub lower: u32,
    }
}

const BASE: &str = "base";
const PERTURBED: &str = "perturbed start";
pub const STIFF_SHEAR: &str = "shear x 10";
const SOFT_SHEAR: &str = "shear / 10";
const STIFF_STRETCH: &str = "stretch x 10";
const SOFT_STRETCH: &str = "stretch / 10";
pub const ONE_DIAGONAL: &str = "one diagonal";
const NO_DIAGONAL: &str = "no diagonal";
const STIFF_BEND: &str = "bend x 10";
const NO_BEND: &str = "no bend springs";
pub const HEM_BY_MASS: &str = "hem by mass";
pub const DOUBLE_HEM: &str = "double hem";
pub const HEM_BY_TRIPLE_MASS: &str = "hem by the mass of three layers";
const TRIPLE_HEM: &str = "hem of three layers";

/// The choices, each with the one that it is also compared with.
pub const VARIANTS: [(&str, &str); 14] = [
    (BASE, BASE),
    (PERTURBED, BASE),
    (STIFF_SHEAR, SOFT_SHEAR),
    (SOFT_SHEAR, STIFF_SHEAR),
    (STIFF_STRETCH, SOFT_STRETCH),
    (SOFT_STRETCH, STIFF_STRETCH),
    (ONE_DIAGONAL, NO_DIAGONAL),
    (NO_DIAGONAL, ONE_DIAGONAL),
    (STIFF_BEND, NO_BEND),
    (NO_BEND, STIFF_BEND),
    (HEM_BY_MASS, DOUBLE_HEM),
    (DOUBLE_HEM, HEM_BY_MASS),
    (HEM_BY_TRIPLE_MASS, TRIPLE_HEM),
    (TRIPLE_HEM, HEM_BY_TRIPLE_MASS),
];

/// Those that hems are judged by.
const HEMS: [(&str, &str); 4] = [(BASE, BASE), (PERTURBED, BASE), (HEM_BY_MASS, DOUBLE_HEM), (DOUBLE_HEM, HEM_BY_MASS)];

/// Distance of the held corners over the side \[-\].
const APART: f64 = 0.9;
/// Perturbations of a state, and the largest change of a coordinate \[m\].
const TRIES: usize = 20;
const SMALL: f64 = 1e-4;

/// A sheet, and the numbers from -1 to 1 that perturb it.
#[derive(Clone, Debug)]
pub struct Case {
    weave: Weave,
    noise: Vec<Vec3>,
}

/// Random sheets with choices of springs.
pub struct Drapes {
    ranges: DrapeRanges,
    variants: &'static [(&'static str, &'static str)],
}

/// A sheet with a choice of springs.
fn varied(base: &Weave, variant: &str) -> Weave {
    match variant {
        STIFF_SHEAR => Weave { shear: 10.0 * base.shear, ..*base },
        SOFT_SHEAR => Weave { shear: 0.1 * base.shear, ..*base },
        STIFF_STRETCH => Weave { stretch: 10.0 * base.stretch, ..*base },
        SOFT_STRETCH => Weave { stretch: 0.1 * base.stretch, ..*base },
        ONE_DIAGONAL => Weave { diagonals: Diagonals::One, ..*base },
        NO_DIAGONAL => Weave { diagonals: Diagonals::None, ..*base },
        STIFF_BEND => Weave { bend: 10.0 * base.bend, ..*base },
        NO_BEND => Weave { bend: 0.0, ..*base },
        HEM_BY_MASS => Weave { hem: Hem::ByMass(2), ..*base },
        DOUBLE_HEM => Weave { hem: Hem::Layers(2), ..*base },
        HEM_BY_TRIPLE_MASS => Weave { hem: Hem::ByMass(3), ..*base },
        TRIPLE_HEM => Weave { hem: Hem::Layers(3), ..*base },
        _ => *base,
    }
}

/// A sheet at the end.
struct Rest {
    x: Vec<Vec3>,
    /// Largest force of a free particle over the mean weight of one, and energy lost \[J\].
    residual: f64,
    lost: f64,
    /// Perturbations that lower the energy.
    lower: u32,
}

impl Drapes {
    fn start(case: &Case, variant: &str) -> State {
        let mut x = case.weave.flat();
        for (x, noise) in x.iter_mut().zip(&case.noise) {
            // the row between the corners sags, so that it is not pressed together
            let sag = (1.0 - APART * APART).sqrt() * (1.0 - (2.0 * x.x - 1.0).abs()) * 0.5;
            *x = Vec3::new(0.5 + APART * (x.x - 0.5), x.y, -sag) + 1e-3 * noise;
            if variant == PERTURBED {
                *x += 1e-6 * Vec3::new(noise.y, noise.z, noise.x);
            }
        }
        for (corner, place) in case.weave.corners().into_iter().zip([-0.5, 0.5]) {
            x[corner] = Vec3::new(0.5 + APART * place, 0.0, 0.0);
        }
        State::at_rest(x)
    }

    /// Where a run ends, or what came of it instead.
    fn rest(&self, case: &Case, variant: &str) -> Result<Rest, Status> {
        let weave = varied(&case.weave, variant);
        let mut net = weave.net(&weave.corners()).map_err(|_| Status::Refused)?;
        net.air = self.ranges.air.get();
        let mut state = Drapes::start(case, variant);
        let (start, dt) = (net.energy(&state), 1.0 / f64::from(self.ranges.rate.get()));
        let mut scheme = BackwardEuler::new(&net, Settings { solver: Solver::Direct, ..Settings::default() });
        let steps = ((self.ranges.duration.get() / dt).round() as u64).max(1);
        let course = follow(&net, &mut scheme, dt, steps, &mut state);
        if course.status() != Status::Finished {
            return Err(course.status());
        }
        let end = State::at_rest(state.x);
        let mut a = vec![Vec3::zeros(); net.particle_count()];
        net.accelerate(&end.x, &end.v, &mut a);
        let force = a.iter().zip(net.masses()).map(|(a, m)| m * a.norm()).fold(0.0, f64::max);
        let weight = net.masses().iter().sum::<f64>() * GRAVITY / net.particle_count() as f64;
        let energy = net.energy(&end);
        let lower = (0..TRIES).filter(|k| net.energy(&nudged(&net, &end, case, *k)) < energy).count() as u32;
        Ok(Rest { x: end.x, residual: force / weight, lost: start - energy, lower })
    }
}

/// A state whose free particles are moved at random, another one for each `k`.
fn nudged(net: &Net, state: &State, case: &Case, k: usize) -> State {
    let mut nudged = state.clone();
    let count = nudged.x.len();
    for (i, x) in nudged.x.iter_mut().enumerate().filter(|(i, _)| !net.pinned()[*i]) {
        let noise = case.noise[(i * 7 + k * 13 + 1) % count];
        let turned = [noise, Vec3::new(noise.y, noise.z, -noise.x), Vec3::new(-noise.z, noise.x, noise.y)][k % 3];
        *x += SMALL * turned;
    }
    nudged
}

/// Mean angle between the normals of neighbouring cells \[rad\].
fn fold(side: usize, x: &[Vec3]) -> f64 {
    let normal = |i: usize, j: usize| {
        let at = |i: usize, j: usize| x[j * side + i];
        (at(i + 1, j + 1) - at(i, j)).cross(&(at(i, j + 1) - at(i + 1, j)))
    };
    let angle = |a: Vec3, b: Vec3| libm::atan2(a.cross(&b).norm(), a.dot(&b));
    let (mut sum, mut count) = (0.0, 0.0);
    for (i, j) in (0..side - 1).flat_map(|j| (0..side - 1).map(move |i| (i, j))) {
        for (p, q) in [(i + 1, j), (i, j + 1)] {
            if p < side - 1 && q < side - 1 {
                sum += angle(normal(i, j), normal(p, q));
                count += 1.0;
            }
        }
    }
    sum / count
}

impl Group for Drapes {
    const NAME: &'static str = "drapes";
    const ABOUT: &'static str = "sheets hung from two corners with other springs, at rest";
    type Case = Case;
    type Row = DrapeRow;

    fn sets(&self) -> u64 {
        self.ranges.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Case {
        let weave = Weave::draw(&self.ranges.weaves, stream);
        let mut number = || 2.0 * stream.random::<f64>() - 1.0;
        let noise = (0..weave.side * weave.side).map(|_| Vec3::new(number(), number(), number())).collect();
        Case { weave, noise }
    }

    fn measure(&self, case: &Case) -> Vec<DrapeRow> {
        let rests: Vec<Result<Rest, Status>> = self.variants.iter().map(|(variant, _)| self.rest(case, variant)).collect();
        let named =
            |name: &str| self.variants.iter().position(|(variant, _)| *variant == name).and_then(|k| rests[k].as_ref().ok());
        let row = |((variant, partner), end): (&(&str, &str), &Result<Rest, Status>)| {
            let rest = end.as_ref().ok();
            let from = |other: &str| rest.zip(named(other)).map(|(a, b)| mean_distance(&a.x, &b.x));
            DrapeRow {
                variant: (*variant).into(),
                side: case.weave.side,
                density: case.weave.density,
                stiffness: case.weave.stretch,
                bend: case.weave.bend,
                status: end.as_ref().err().copied().unwrap_or(Status::Finished),
                from_base: from(BASE),
                from_partner: from(partner),
                fold: rest.map(|rest| fold(case.weave.side, &rest.x)),
                lowest: rest.map(|rest| rest.x.iter().map(|x| x.z).fold(f64::INFINITY, f64::min)),
                residual: rest.map(|rest| rest.residual),
                lost: rest.map(|rest| rest.lost),
                lower: rest.map_or(0, |rest| rest.lower),
            }
        };
        self.variants.iter().zip(&rests).map(row).collect()
    }
}

impl Reseeded for Drapes {
    const SEEDS: &'static str = "seeds";
    const ABOUT_SEEDS: &'static str = "hems of sheets drawn from another base seed, otherwise as in the main group";
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let of = |variants: &'static [(&str, &str)]| Drapes { ranges: ranges.drapes.clone(), variants };
    Topic::of(of(&VARIANTS)).table(Seeds(of(&HEMS))).plot("springs", drape_charts::chart)
}

#[cfg(test)]
mod tests {
    use super::super::weave::tests::weave;
    use super::*;

    #[test]
    fn folds_of_a_flat_and_of_a_bent_sheet() {
        let flat = weave().flat();
        assert_eq!(fold(5, &flat), 0.0);
        // bent by a right angle along the middle row of particles: 4 of 24 pairs of cells
        let bent: Vec<Vec3> = flat.iter().map(|x| if x.y > 0.5 { Vec3::new(x.x, 0.5, x.y - 0.5) } else { *x }).collect();
        assert!((fold(5, &bent) - 4.0 / 24.0 * std::f64::consts::FRAC_PI_2).abs() < 1e-12, "{}", fold(5, &bent));
    }

    #[test]
    fn variants_differ_from_the_base_but_for_two() {
        let same = VARIANTS.iter().filter(|(variant, _)| varied(&weave(), variant) == weave()).count();
        assert_eq!(same, 2, "the base and the perturbed start");
    }
}
