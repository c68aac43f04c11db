//! The random sheets as they are drawn: the main group, other readings, another base seed.

use kit::prelude::*;

use super::assumptions::{Assumption, GROUND, LAWS, OTHERS, SPHERE, Scene, TOLERANCES, USUAL};
use super::runs::{RunRanges, RunRow, SMALL, side_by_side};

/// A sheet, and under which assumptions it is run.
#[derive(Clone, Debug)]
pub struct Case {
    sheet: Sheet,
    pub(super) readings: Vec<Assumption>,
    pub(super) falls: bool,
}

impl Case {
    fn draw(ranges: &RunRanges, readings: Vec<Assumption>, falls: bool, stream: &mut ChaCha8Rng) -> Case {
        Case { sheet: Sheet::of_length(&ranges.lists, Configuration::Corners, stream), readings, falls }
    }

    /// Assumptions, each in the scenes that it concerns.
    fn runs(&self) -> impl Iterator<Item = (&Assumption, &Scene)> {
        let scenes = self.readings.iter().flat_map(|reading| reading.scenes.iter().map(move |scene| (reading, scene)));
        scenes.filter(|(_, scene)| self.falls || **scene != GROUND)
    }

    fn row(&self, ranges: &RunRanges, run: usize) -> Vec<RunRow> {
        self.runs().nth(run).map(|(reading, scene)| side_by_side(&self.sheet, scene, ranges, reading)).into_iter().collect()
    }

    /// Particle steps a second, so that long runs come first.
    fn weight(&self) -> u64 {
        self.sheet.weight()
    }
}

/// Every set in the scenes of an assumption.
pub struct Runs {
    ranges: RunRanges,
    assumption: Assumption,
}

impl Runs {
    /// The main group: in every scene.
    pub fn new(ranges: &RunRanges) -> Runs {
        Runs { ranges: ranges.clone(), assumption: USUAL }
    }

    /// On the sphere and to the ground, for other seeds.
    pub fn on_solids(ranges: &RunRanges) -> Runs {
        let ranges = RunRanges { sets: ranges.seeds, falls: ranges.seeds, ..ranges.clone() };
        Runs { ranges, assumption: Assumption { scenes: &[SPHERE, GROUND], ..USUAL } }
    }
}

impl Group for Runs {
    const NAME: &'static str = "runs";
    const ABOUT: &'static str = "random sheets in four scenes, by the full and the decomposing solver side by side; the first ones only fall to the ground too";
    type Case = Case;
    type Row = RunRow;

    fn sets(&self) -> u64 {
        self.ranges.sets.get().into()
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Case {
        Case::draw(&self.ranges, vec![self.assumption], set < u64::from(self.ranges.falls.get()), stream)
    }

    fn kin(&self, case: &Case) -> u64 {
        case.weight()
    }

    fn parts(&self, case: &Case) -> usize {
        case.runs().count()
    }

    fn measure_part(&self, case: &Case, part: usize) -> Vec<RunRow> {
        case.row(&self.ranges, part)
    }
}

/// The first sets again, under each other assumption.
pub struct Readings(pub RunRanges);

impl Group for Readings {
    const NAME: &'static str = "readings";
    const ABOUT: &'static str = "the first sets of the main group under other assumptions, in the scenes that these concern; other ones than the tolerance for sheets of up to 50 x 50 particles";
    const SCENES: &'static str = Runs::NAME;
    type Case = Case;
    type Row = RunRow;

    fn sets(&self) -> u64 {
        let RunRanges { tolerances, laws, others, .. } = &self.0;
        u64::from(tolerances.get().max(laws.get()).max(others.get()))
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Case {
        let RunRanges { tolerances, laws, others, .. } = &self.0;
        let mut case = Case::draw(&self.0, vec![], true, stream);
        let small = case.sheet.side <= SMALL;
        let lists: [(&Count, &[Assumption], bool); 3] =
            [(tolerances, &TOLERANCES, true), (laws, &LAWS, small), (others, &OTHERS, small)];
        for (sets, list, fits) in lists {
            if fits && set < u64::from(sets.get()) {
                case.readings.extend(list);
            }
        }
        case
    }

    fn kin(&self, case: &Case) -> u64 {
        case.weight()
    }

    fn parts(&self, case: &Case) -> usize {
        case.runs().count()
    }

    fn measure_part(&self, case: &Case, part: usize) -> Vec<RunRow> {
        case.row(&self.0, part)
    }
}

impl Reseeded for Runs {
    const SEEDS: &'static str = "seeds";
    const ABOUT_SEEDS: &'static str =
        "sheets from another base seed than those of the main group, on the sphere with Coulomb contact and to the ground";
}
