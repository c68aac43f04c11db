//! Iterations, work and strains of hanging sheets.

use cloth::inextensible::Directions;
use cloth::quantity::Positive;
use lab::prelude::*;

use super::scene::{Hanging, Pushes, RunRow, Size, Tolerance, Way};
use crate::ranges::{Count, List, Side};

/// Sizes, tolerances and what else is varied.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct StepRanges {
    /// Grids.
    pub sizes: List<Size>,
    /// Permissible strains.
    pub tolerances: List<Tolerance>,
    /// Most iterations a step.
    pub iterations: Count,
    /// The tolerance at which the rest is varied, one thing at a time.
    pub tolerance: Tolerance,
    /// The largest grid with which it is.
    pub largest: Side,
    /// Other sides of the sheet \[m\].
    pub lengths: List<Positive>,
    /// Other angles of the arc that it starts as \[rad\].
    pub arcs: List<Positive>,
    /// Few iterations a step: the limit and the tolerance.
    pub few: Few,
    /// Permissible strains below those of the paper.
    pub finer: List<Tolerance>,
    /// The largest grid that has them.
    pub finest: Side,
}

/// Few iterations a step.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Few {
    /// Most iterations a step.
    pub iterations: Count,
    /// Permissible strain.
    pub tolerance: Tolerance,
}

impl StepRanges {
    fn runs(&self, size: Size) -> Vec<Hanging> {
        let usual = |tolerance: Tolerance| Hanging::usual(size, tolerance, self.iterations);
        let mut runs: Vec<Hanging> = self.tolerances.values().iter().map(|tolerance| usual(*tolerance)).collect();
        let varied = usual(self.tolerance);
        let frozen = Hanging { way: Way::Strips(Directions::Frozen), ..varied };
        runs.extend([frozen, Hanging { velocities: true, ..frozen }]);
        let few = Hanging { iterations: self.few.iterations, ..usual(self.few.tolerance) };
        runs.push(few);
        runs.extend(self.lengths.values().iter().map(|length| Hanging { length: length.get(), ..few }));
        if size.side.get() <= self.finest.get() {
            let printed = |tolerance: &Tolerance| Hanging { way: frozen.way, ..usual(*tolerance) };
            runs.extend(self.finer.values().iter().flat_map(|tolerance| [usual(*tolerance), printed(tolerance)]));
        }
        if size.side.get() <= self.largest.get() {
            runs.push(Hanging { velocities: true, ..varied });
            runs.extend(self.lengths.values().iter().map(|length| Hanging { length: length.get(), ..varied }));
            runs.extend(self.arcs.values().iter().map(|arc| Hanging { arc: arc.get(), ..varied }));
        }
        runs
    }

    /// All runs, each with the place of its size.
    fn all(&self) -> Vec<(u64, Hanging)> {
        let sizes = (0..).zip(self.sizes.values());
        sizes.flat_map(|(place, size)| self.runs(*size).into_iter().map(move |run| (place, run))).collect()
    }
}

/// Hanging sheets; runs of one size share their pushes.
#[derive(Clone)]
pub struct Steps(pub StepRanges);

impl Group for Steps {
    const NAME: &'static str = "steps";
    const ABOUT: &'static str =
        "hanging sheets by grid, tolerance, directions, velocity pass, size, slack and limit of iterations";
    const SAMPLED: bool = false;
    type Case = (Hanging, Pushes);
    type Row = RunRow;

    fn sets(&self) -> u64 {
        self.0.all().len() as u64
    }

    fn scene(&self, set: u64) -> u64 {
        self.0.all()[set as usize].0
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Self::Case {
        (self.0.all()[set as usize].1, Pushes::draw(stream))
    }

    fn kin(&self, case: &Self::Case) -> u64 {
        case.0.weight()
    }

    fn measure(&self, (run, pushes): &Self::Case) -> Vec<RunRow> {
        vec![run.run(Some(pushes), |_, _| ())]
    }
}
