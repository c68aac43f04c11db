//! The first sheets again under every tolerance, with more preconditioners and other starts.

use cloth::quantity::Positive;
use lab::streams::ChaCha8Rng;
use lab::{Column, Group};
use serde::{Deserialize, Serialize};

use super::contest::{Contest, contest};
use super::method::{A_BLOCK, COLD, DIAGONAL, IC, MULTIGRID, Method, NONE, ORIGINAL, SSOR};
use super::scenes::{FRICTIONLESS, PINNED, ROOT, Reading, SLIDING, STICKING, Scene, THESIS, kappa, weight};
use super::systems::{SystemRanges, Systems};
use crate::course::Fate;
use crate::ranges::{Count, List, Side};
use crate::sheets::{Configuration, Sheet};

/// Which sheets, and to which tolerances.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ToleranceRanges {
    /// Number of sets: the first ones of the main group, where those are not too large.
    pub sets: Count,
    /// How many of them are run to every tolerance in every scene; the others take the c of the thesis, pinned and in sliding
    /// contact.
    pub every: Count,
    /// Most particles a side: larger sheets are drawn again.
    pub largest_side: Side,
    /// c of tol = c dt of pinned sheets and of those in sliding contact \[1/s\]; tol² = c dt with the c of the thesis besides.
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
    pub rule: String,
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
    pub energy_gain: f64,
}

impl ToleranceRow {
    /// Whether the run came to its end without gaining energy.
    pub fn is_finished(&self) -> bool {
        self.status == Fate::Finished.name()
    }
}

const COLUMNS: &[Column] = &[
    Column::text("scene", "pinned (two corners), or on a sphere sliding (Coulomb friction), sticking or frictionless"),
    Column::text("rule", "tol = c dt, or tol = sqrt(c dt)"),
    Column::number("tolerance", "1/s", "c"),
    Column::integer("side", "particles a side"),
    Column::number("step", "s", "dt, time step"),
    Column::number("kappa", "-", "dt/m (ks dt + 2 kd), the larger of stretch and shear"),
    Column::text("status", "finished, gains energy, not finite, or refused"),
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
    Column::number("energy_gain", "-", "largest energy gain in the last tenth of the run over a fall by the sheet's length"),
];

/// A sheet, and whether it is run to every tolerance and in every scene.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    sheet: Sheet,
    every: bool,
}

/// The first sets of the main group; those of it that are too large are drawn again.
#[derive(Clone)]
pub struct Tolerances(pub SystemRanges, pub ToleranceRanges);

impl Tolerances {
    fn row(&self, sheet: &Sheet, scene: &Scene, reading: &Reading, tolerance: f64) -> ToleranceRow {
        let Contest { status, reason, solves, tallies, sliding, gain } =
            contest(sheet, scene, reading, self.0.duration.get(), &OTHERS);
        let [own, none, diagonal, a_block, ssor, ic, original, cold, multigrid] = std::array::from_fn(|k| tallies[k]);
        ToleranceRow {
            scene: scene.name.into(),
            rule: reading.name.into(),
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
            energy_gain: gain,
        }
    }
}

impl Group for Tolerances {
    const NAME: &'static str = "tolerances";
    const ABOUT: &'static str =
        "sets of the main group up to a size with more preconditioners and starts, the first of them to other tolerances too";
    const COLUMNS: &'static [Column] = COLUMNS;
    const SCENES: &'static str = Systems::NAME;
    type Case = Case;
    type Row = ToleranceRow;

    fn sets(&self) -> u64 {
        self.1.sets.get().into()
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Case {
        let largest = self.1.largest_side.get() as usize;
        let mut sheet = Sheet::of_length(&self.0.lists, Configuration::Corners, stream);
        for _ in 0..MOST_DRAWS {
            if sheet.side <= largest {
                break;
            }
            sheet = Sheet::of_length(&self.0.lists, Configuration::Corners, stream);
        }
        Case { sheet, every: set < u64::from(self.1.every.get()) }
    }

    fn kin(&self, case: &Case) -> u64 {
        weight(&case.sheet).saturating_mul(if case.every { 10 } else { 2 })
    }

    fn measure_block(&self, cases: &[Case], done: &mut dyn FnMut(usize, Vec<ToleranceRow>)) {
        for (k, Case { sheet, every }) in cases.iter().enumerate() {
            if !every {
                let row = |scene| self.row(sheet, scene, &Reading::step(THESIS), THESIS);
                done(k, [PINNED, SLIDING].iter().map(row).collect());
                continue;
            }
            let mut rows = vec![];
            for scene in &SCENES {
                let is_main = [PINNED, SLIDING].contains(scene);
                let tolerances = if is_main { &self.1.tolerances } else { &self.1.contact_tolerances };
                let tolerances = tolerances.values().iter().map(|c| c.get());
                rows.extend(tolerances.map(|c| self.row(sheet, scene, &Reading::step(c), c)));
                rows.extend(is_main.then(|| self.row(sheet, scene, &ROOT, THESIS)));
            }
            done(k, rows);
        }
    }
}

#[cfg(test)]
mod tests {
    use lab::streams::stream;

    use super::*;
    use crate::profile::Profile;

    #[test]
    fn the_first_sets_are_run_to_every_tolerance_and_the_others_to_that_of_the_thesis() {
        let ranges = Profile::load("smoke").unwrap().ranges.preconditioners;
        let group = Tolerances(ranges.systems, ranges.tolerances);
        let (every, largest) = (u64::from(group.1.every.get()), group.1.largest_side.get() as usize);
        let case = |set| group.case(set, &mut stream("preconditioners", Tolerances::SCENES, 1, set));
        let cases = [case(every - 1), case(every)];
        assert!(cases[0].every && !cases[1].every && cases.iter().all(|case| case.sheet.side <= largest));
        let mut found = vec![];
        group.measure_block(&cases, &mut |_, rows| {
            found.push(rows.into_iter().map(|row| (row.scene, row.rule, row.tolerance)).collect::<Vec<_>>());
        });
        assert_eq!(found[0].len(), 2 * (group.1.tolerances.values().len() + 1) + 2 * group.1.contact_tolerances.values().len());
        let of = |scene: &Scene| (scene.name.to_owned(), Reading::step(THESIS).name.to_owned(), THESIS);
        assert_eq!(found[1], [of(&PINNED), of(&SLIDING)]);
    }
}
