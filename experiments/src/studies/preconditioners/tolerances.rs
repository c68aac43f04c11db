//! The first sheets again under every tolerance, with more preconditioners and other starts.

use cloth::quantity::Positive;
use lab::streams::ChaCha8Rng;
use lab::{Column, Group};
use serde::{Deserialize, Serialize};

use super::method::{A_BLOCK, COLD, DIAGONAL, IC, MULTIGRID, Method, NONE, ORIGINAL, SSOR};
use super::systems::{Contest, FINISHED, FRICTIONLESS, GAINS, PINNED, SLIDING, STICKING, Scene, SystemRanges, Systems};
use super::systems::{contest, kappa, weight};
use crate::ranges::{Count, List, Side};
use crate::sheets::{Configuration, Sheet};

/// Which sheets, and to which tolerances.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ToleranceRanges {
    /// Number of sets: the first ones of the main group, where those are not too large.
    pub sets: Count,
    /// Most particles a side: larger sheets are drawn again.
    pub largest_side: Side,
    /// c of tol² = c dt of pinned sheets and of those in sliding contact \[1/s\].
    pub tolerances: List<Positive>,
    /// c in sticking and in frictionless contact \[1/s\].
    pub contact_tolerances: List<Positive>,
}

/// The scenes, that without friction too.
pub const SCENES: [Scene; 4] = [PINNED, SLIDING, STICKING, FRICTIONLESS];

const MOST_DRAWS: u32 = 100_000;

/// What solves the systems of CP's trajectory.
const OTHERS: [Method; 8] = [NONE, DIAGONAL, A_BLOCK, SSOR, IC, ORIGINAL, COLD, MULTIGRID];

/// A set in a scene to a tolerance, and the iterations of each method.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct ToleranceRow {
    pub scene: String,
    pub tolerance: f64,
    pub side: usize,
    pub step: f64,
    pub kappa: f64,
    pub status: String,
    pub reason: Option<String>,
    pub solves: u64,
    pub none: u64,
    pub diagonal: u64,
    pub a_block: u64,
    pub cp: u64,
    pub ssor: u64,
    pub ic: u64,
    pub ic_shifts: u64,
    pub cp_original: u64,
    pub cp_cold: u64,
    pub multigrid: u64,
    pub stalled: u64,
    pub none_late: u64,
    pub a_block_late: u64,
    pub cp_late: u64,
    pub sliding: f64,
    pub sticking: f64,
    pub energy_gain: f64,
    pub kinetic: Option<f64>,
    pub height: Option<f64>,
}

impl ToleranceRow {
    /// Whether its counts are those of a whole run.
    pub fn is_counted(&self) -> bool {
        self.status == FINISHED || self.status == GAINS
    }
}

const COLUMNS: &[Column] = &[
    Column::text("scene", "pinned (two corners), or on a sphere sliding (Coulomb friction), sticking or frictionless"),
    Column::number("tolerance", "1/s", "c of tol² = c dt"),
    Column::integer("side", "particles a side"),
    Column::number("step", "s", "dt, time step"),
    Column::number("kappa", "-", "dt/m (ks dt + 2 kd), the larger of stretch and shear"),
    Column::text("status", "finished, gains energy (more than a fall by its length), not finite, or refused"),
    Column::text("reason", "what went wrong, in the linear systems too"),
    Column::integer("solves", "linear systems, one a step"),
    Column::integer("none", "iterations of conjugate gradients on all systems, without preconditioner"),
    Column::integer("diagonal", "the same with the diagonal"),
    Column::integer("a_block", "the same with A-Block, the diagonal blocks"),
    Column::integer("cp", "the same with CP, the constrained diagonal blocks, whose trajectory it is"),
    Column::integer("ssor", "the same with constrained symmetric Gauss-Seidel"),
    Column::integer("ic", "the same with constrained incomplete Cholesky without fill"),
    Column::integer("ic_shifts", "shifts of the diagonal that incomplete Cholesky took"),
    Column::integer("cp_original", "iterations with CP, start and stopping rule of Baraff & Witkin"),
    Column::integer("cp_cold", "iterations with CP, corrected start without the previous solution"),
    Column::integer("multigrid", "iterations with constrained multigrid, those with CP after it stalled included"),
    Column::integer("stalled", "systems in which multigrid stalled"),
    Column::integer("none_late", "iterations in the second half of the run, without preconditioner"),
    Column::integer("a_block_late", "the same with A-Block"),
    Column::integer("cp_late", "the same with CP"),
    Column::number("sliding", "-", "particles that slide on the sphere, mean over the steps"),
    Column::number("sticking", "-", "particles that stick to it, mean over the steps"),
    Column::number("energy_gain", "-", "largest energy gain in the last tenth of the run over a fall by the sheet's length"),
    Column::number("kinetic", "-", "kinetic energy at the end over a fall by the sheet's length"),
    Column::number("height", "-", "height of the centre of mass at the end over the sheet's length, from 0 at the start"),
];

/// The first sets of the main group in every scene to every tolerance; those of it that are too large are drawn again.
#[derive(Clone)]
pub struct Tolerances(pub SystemRanges, pub ToleranceRanges);

impl Tolerances {
    fn row(&self, sheet: &Sheet, scene: &Scene, tolerance: f64) -> ToleranceRow {
        let Contest { status, reason, solves, tallies, sliding, sticking, gain, kinetic, height } =
            contest(sheet, scene, tolerance, self.0.duration.get(), &OTHERS);
        let [own, none, diagonal, a_block, ssor, ic, original, cold, multigrid] = std::array::from_fn(|k| tallies[k]);
        ToleranceRow {
            scene: scene.name.into(),
            tolerance,
            side: sheet.side,
            step: sheet.step,
            kappa: kappa(sheet),
            status,
            reason,
            solves,
            none: none.iterations,
            diagonal: diagonal.iterations,
            a_block: a_block.iterations,
            cp: own.iterations,
            ssor: ssor.iterations,
            ic: ic.iterations,
            ic_shifts: ic.shifts,
            cp_original: original.iterations,
            cp_cold: cold.iterations,
            multigrid: multigrid.iterations,
            stalled: multigrid.stalled,
            none_late: none.late,
            a_block_late: a_block.late,
            cp_late: own.late,
            sliding,
            sticking,
            energy_gain: gain,
            kinetic,
            height,
        }
    }
}

impl Group for Tolerances {
    const NAME: &'static str = "tolerances";
    const ABOUT: &'static str =
        "sets of the main group up to a size under other tolerances, with more preconditioners and starts";
    const COLUMNS: &'static [Column] = COLUMNS;
    const SCENES: &'static str = Systems::NAME;
    type Case = Sheet;
    type Row = ToleranceRow;

    fn sets(&self) -> u64 {
        self.1.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Sheet {
        let largest = self.1.largest_side.get() as usize;
        let mut sheet = Sheet::of_length(&self.0.lists, Configuration::Corners, stream);
        for _ in 0..MOST_DRAWS {
            if sheet.side <= largest {
                break;
            }
            sheet = Sheet::of_length(&self.0.lists, Configuration::Corners, stream);
        }
        sheet
    }

    fn kin(&self, case: &Sheet) -> u64 {
        weight(case)
    }

    fn measure_block(&self, cases: &[Sheet], done: &mut dyn FnMut(usize, Vec<ToleranceRow>)) {
        for (k, sheet) in cases.iter().enumerate() {
            let tolerances = |scene: &Scene| {
                if [PINNED, SLIDING].contains(scene) { self.1.tolerances.values() } else { self.1.contact_tolerances.values() }
            };
            let pairs = SCENES.iter().flat_map(|scene| tolerances(scene).iter().map(move |tolerance| (scene, tolerance.get())));
            done(k, pairs.map(|(scene, tolerance)| self.row(sheet, scene, tolerance)).collect());
        }
    }
}
