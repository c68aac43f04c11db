//! The first sheets again under every tolerance, with more preconditioners and other starts.

use kit::method_colors::color;
use kit::prelude::*;

use super::charts::{PARTICLES, RATIO, TOLERANCE, bar};
use super::contest::{Contest, contest};
use super::drift::drift;
use super::method::{A_BLOCK, COLD, DIAGONAL, IC, MULTIGRID, Method, NONE, ORIGINAL, SSOR};
use super::samples::{first, tolerances};
use super::scenes::{FRICTIONLESS, PINNED, ROOT, Reading, SLIDING, STICKING, Scene, THESIS, kappa};
use super::systems::{SystemRanges, Systems};

ranges!(ToleranceRanges {
    //! Which sheets, and to which tolerances.
    /// Number of sets: the first ones of the main group, where those are not too large.
    sets: Count,
    /// How many of them are run to every tolerance in every scene; the others take the c of the thesis, pinned and in sliding
    /// contact.
    every: Count,
    /// Most particles a side: larger sheets are drawn again.
    largest_side: Side,
    /// c of tol = c dt of pinned sheets and of those in sliding contact \[1/s\]; tol² = c dt with the c of the thesis besides.
    tolerances: List<Positive>,
    /// c in sticking and in frictionless contact \[1/s\].
    contact_tolerances: List<Positive>,
});

/// The scenes, that without friction too.
pub const SCENES: [Scene; 4] = [PINNED, SLIDING, STICKING, FRICTIONLESS];

const MOST_DRAWS: u32 = 100_000;

/// What solves the systems of CP's trajectory.
const OTHERS: [Method; 8] = [NONE, DIAGONAL, A_BLOCK, SSOR, IC, ORIGINAL, COLD, MULTIGRID];

row! {
    /// A set in a scene to a tolerance, and the iterations of each method.
    pub struct ToleranceRow {
        /// pinned (two corners), or on a sphere sliding (Coulomb friction), sticking or frictionless
        pub scene: String,
        /// tol = c dt, or tol = sqrt(c dt)
        pub rule: String,
        /// c \[1/s\]
        pub tolerance: f64,
        /// particles a side
        pub side: usize,
        /// dt, time step \[s\]
        pub step: f64,
        /// dt/m (ks dt + 2 kd), the larger of stretch and shear
        pub kappa: f64,
        /// finished, gains energy, not finite, or refused
        pub status: Status,
        /// what went wrong, in the linear systems too
        pub reason: Option<String>,
        /// linear systems, one a step
        pub solves: u64,
        /// iterations of conjugate gradients on all systems, without preconditioner
        pub none: u64,
        /// the same with the diagonal
        pub diagonal: u64,
        /// the same with A-Block, the diagonal blocks
        pub a_block: u64,
        /// the same with CP, the constrained diagonal blocks, whose trajectory it is
        pub cp: u64,
        /// the same with constrained symmetric Gauss-Seidel
        pub ssor: u64,
        /// the same with constrained incomplete Cholesky without fill
        pub ic: u64,
        /// shifts of the diagonal that incomplete Cholesky took
        pub ic_shifts: u64,
        /// iterations with CP, start and stopping rule of Baraff & Witkin
        pub cp_original: u64,
        /// iterations with CP, corrected start without the previous solution
        pub cp_cold: u64,
        /// iterations with constrained multigrid, those with CP after it stalled included
        pub multigrid: u64,
        /// systems in which multigrid stalled
        pub stalled: u64,
        /// iterations in the second half of the run, without preconditioner
        pub none_late: u64,
        /// the same with A-Block
        pub a_block_late: u64,
        /// the same with CP
        pub cp_late: u64,
        /// particles that slide on the sphere, mean over the steps
        pub sliding: f64,
        /// largest energy gain in the last tenth of the run over a fall by the sheet's length
        pub energy_gain: f64,
        /// speed that what CP leaves wrong has given the sheet as a whole, none with a direct solver \[m/s\]
        pub drift: Option<f64>,
    }
}

impl ToleranceRow {
    /// Whether the run came to its end without gaining energy.
    pub fn is_finished(&self) -> bool {
        self.status == Status::Finished
    }
}

/// A sheet, and whether it is run to every tolerance and in every scene.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    sheet: Sheet,
    every: bool,
}

/// The first sets of the main group; those of it that are too large are drawn again.
pub struct Tolerances(pub SystemRanges, pub ToleranceRanges);

impl Tolerances {
    /// Scenes, with the rule of the tolerance and its c.
    fn runs(&self, case: &Case) -> Vec<(Scene, Reading, f64)> {
        if !case.every {
            return [PINNED, SLIDING].map(|scene| (scene, Reading::step(THESIS), THESIS)).into();
        }
        let mut runs = vec![];
        for scene in SCENES {
            let is_main = [PINNED, SLIDING].contains(&scene);
            let tolerances = if is_main { &self.1.tolerances } else { &self.1.contact_tolerances };
            runs.extend(tolerances.values().iter().map(|c| (scene, Reading::step(c.get()), c.get())));
            runs.extend(is_main.then_some((scene, ROOT, THESIS)));
        }
        runs
    }

    fn row(&self, sheet: &Sheet, scene: &Scene, reading: &Reading, tolerance: f64) -> ToleranceRow {
        let Contest { status, reason, solves, tallies, sliding, gain, drift } =
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
            drift,
        }
    }
}

impl Group for Tolerances {
    const NAME: &'static str = "tolerances";
    const ABOUT: &'static str =
        "sets of the main group up to a size with more preconditioners and starts, the first of them to other tolerances too";
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
        case.sheet.weight().saturating_mul(if case.every { 10 } else { 2 })
    }

    fn parts(&self, case: &Case) -> usize {
        self.runs(case).len()
    }

    fn measure_part(&self, case: &Case, part: usize) -> Vec<ToleranceRow> {
        let (scene, reading, c) = &self.runs(case)[part];
        vec![self.row(&case.sheet, scene, reading, *c)]
    }
}

/// A preconditioner of the first sets, with its iterations.
type Kind = (&'static str, Marker, fn(&ToleranceRow) -> u64);
const KINDS: [Kind; 6] = [
    ("diagonal", Marker::OpenCircle, |row| row.diagonal),
    ("A-Block", Marker::Triangle, |row| row.a_block),
    ("CP", Marker::Circle, |row| row.cp),
    ("SSOR", Marker::Square, |row| row.ssor),
    ("IC", Marker::Diamond, |row| row.ic),
    ("multigrid", Marker::OpenSquare, |row| row.multigrid),
];

/// All preconditioners by tolerance.
pub fn preconditioners(results: &Results) -> Result<Figure, ResultsError> {
    let tolerances = tolerances(results)?;
    let mut panels = vec![];
    for scene in SCENES {
        let mut layers = vec![Layer::rule("none", super::charts::NONE.color, Direction::Horizontal, 1.0)];
        for (k, (name, marker, iterations)) in KINDS.into_iter().enumerate() {
            let mut bars = vec![];
            for (group, tolerance) in tolerances.iter().enumerate() {
                let rows = first(results, &scene, *tolerance)?;
                let ratios = rows.iter().filter(|row| row.none > 0).map(|row| iterations(row) as f64 / row.none as f64);
                let ratios: Vec<f64> = ratios.collect();
                let place = group as f64 + 1.0 + 0.13 * (k as f64 - 2.5);
                bars.extend(Estimate::median(&ratios).and_then(|estimate| bar(place, &estimate)));
            }
            layers.push(Layer::error_bars(name, color(name), bars).marker(marker));
        }
        let axis = Axis::categories(TOLERANCE, tolerances.iter().map(f64::to_string));
        panels.push(Panel::new(axis, Axis::linear(RATIO).range(0.0, 1.3), layers).titled(scene.name).legend_outside());
    }
    let caption = "Median ratio of iterations to those without preconditioner with its 95 % interval, over the sheets that are solved \
                   by all, more of them with the c of the thesis; SSOR and incomplete Cholesky are constrained like CP, and an \
                   iteration of theirs costs more than two; one of multigrid costs about four.";
    Ok(Figure { columns: 2, ..Figure::new("preconditioners", "All preconditioners by tolerance", caption, panels) })
}

/// Original and corrected start.
pub fn start(results: &Results) -> Result<Figure, ResultsError> {
    let mut panels = vec![];
    for scene in [PINNED, SLIDING] {
        let published = Claimed::of("B-GUESS", "median").band(Direction::Horizontal);
        let mut layers: Vec<Layer> = published.into_iter().collect();
        layers.push(Layer::rule("", Palette::GREY, Direction::Horizontal, 1.0));
        let markers = [Marker::OpenSquare, Marker::Circle, Marker::OpenTriangle, Marker::OpenDiamond];
        for ((k, tolerance), marker) in tolerances(results)?.into_iter().enumerate().zip(markers.into_iter().cycle()) {
            let rows = first(results, &scene, tolerance)?;
            let started = rows.iter().filter(|row| row.cp_original > 0);
            let points = started.map(|row| [(row.side * row.side) as f64, row.cp as f64 / row.cp_original as f64]);
            let layer = Layer::points(format!("c = {tolerance}"), Palette::series(k), points.collect());
            layers.push(layer.marker(marker));
        }
        let y = Axis::linear("CG iterations, corrected / original start").range(0.0, 1.6);
        panels.push(Panel::new(Axis::log(PARTICLES), y, layers).titled(scene.name).legend_outside());
    }
    let caption = "CP on the same systems, started from the previous solution with the corrected stopping rule, over the start and \
                   stopping rule of Baraff & Witkin.";
    Ok(Figure::new("start", "Iterations with the corrected start against the original one", caption, panels))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Tolerances(ranges.systems.clone(), ranges.tolerances.clone()))
        .plot("preconditioners", preconditioners)
        .plot("start", start)
        .plot("drift", drift)
}

#[cfg(test)]
mod tests {
    use lab::measure::streams::stream;

    use super::*;
    use kit::ranges::shipped;

    #[test]
    fn the_first_sets_are_run_to_every_tolerance_and_the_others_to_that_of_the_thesis() {
        let ranges = shipped::<crate::Ranges>("smoke", "preconditioners");
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
