//! The named scenes of figures 6.1, 6.4 to 6.6 and 6.8, each particle with its component, and the matrix of figure 6.2.

use cloth::contact::Solid;
use kit::prelude::*;

use super::assumptions::{Assumption, GROUND, PINNED, SPHERE, STICKING_SPHERE, USUAL, slack};
use super::figure_charts;

ranges!(FigureRanges {
    //! How fine the sheets of the figures are.
    #![derive(Copy)]
    /// Particles a side.
    side: Side,
});

/// What holds the sheet of a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Held {
    /// A table; shear is explicit and stretch implicit, whatever their stiffness, and springs at rest are slack.
    Table,
    /// A pin at its middle particle; springs as on the table.
    Centre,
    /// The sphere beside its centre, all as in the main group.
    Sphere(Friction),
    /// A table, all as in the main group.
    Tablecloth,
}

/// A sheet at some time.
#[derive(Clone, Copy, Debug)]
pub struct Gallery {
    /// Number of the figure in the thesis.
    pub figure: &'static str,
    /// What is seen.
    pub title: &'static str,
    /// When \[s\].
    pub time: f64,
    held: Held,
}

/// Side of the sheets \[m\], as in the thesis' experiments.
pub const LENGTH: f64 = 1.5;

/// kappa up to which a spring is explicit \[Boxerman 2003, 4.4.1\].
const THRESHOLD: f64 = 0.2;

/// Time step \[s\].
const STEP: f64 = 0.005;

const fn on_sphere(friction: Friction, title: &'static str, time: f64) -> Gallery {
    Gallery { figure: "6.8", title, time, held: Held::Sphere(friction) }
}

/// All, in the order of their sets.
pub const SHOWN: [Gallery; 10] = [
    Gallery { figure: "6.4", title: "a tablecloth", time: 0.6, held: Held::Table },
    Gallery { figure: "6.5", title: "just begun to fall", time: 0.05, held: Held::Centre },
    Gallery { figure: "6.6", title: "moments later", time: 0.12, held: Held::Centre },
    on_sphere(SPHERE.friction, "Coulomb contact", 0.2),
    on_sphere(SPHERE.friction, "Coulomb contact", 0.5),
    on_sphere(SPHERE.friction, "Coulomb contact", 1.0),
    on_sphere(STICKING_SPHERE.friction, "sticking contact", 0.2),
    on_sphere(STICKING_SPHERE.friction, "sticking contact", 0.5),
    on_sphere(STICKING_SPHERE.friction, "sticking contact", 1.0),
    Gallery { figure: "6.1", title: "a tablecloth", time: 1.0, held: Held::Tablecloth },
];

impl Gallery {
    /// Its sheet, `side` particles a side; one more where that has no middle particle. The thesis gives no parameters: these are
    /// middling values of its lists, and shear springs soft enough to be explicit.
    fn sheet(&self, side: usize) -> Sheet {
        let stiff = Elastic { stiffness: 1000.0, damping: 0.01 };
        let soft = Elastic { stiffness: 0.5, damping: 0.0005 };
        let (configuration, shear, side) = match self.held {
            Held::Table => (Configuration::Table, soft, side),
            Held::Centre => (Configuration::Table, soft, side | 1), // without pins of its own
            Held::Sphere(_) => (Configuration::OffCentreSphere, stiff, side),
            Held::Tablecloth => (Configuration::Table, stiff, side),
        };
        let spacing = LENGTH / side as f64;
        Sheet { configuration, side, spacing, density: 0.2, stretch: stiff, shear, bend: 0.001, air: 0.001, step: STEP }
    }

    /// What it falls onto.
    pub fn solid(&self, side: usize) -> Option<Solid> {
        self.held_on(&self.sheet(side))
    }

    fn held_on(&self, sheet: &Sheet) -> Option<Solid> {
        if self.held == Held::Centre { None } else { sheet.solid() }
    }

    fn run(&self, sheet: &Sheet) -> Result<Run, ModelError> {
        let decompose = Some(Decompose::Serial);
        match self.held {
            Held::Sphere(friction) => return USUAL.run(sheet, friction, THRESHOLD, decompose),
            Held::Tablecloth => return USUAL.run(sheet, GROUND.friction, THRESHOLD, decompose),
            Held::Table | Held::Centre => {}
        }
        let flat = sheet.cloth()?;
        let pins: &[Pin] = if self.held == Held::Centre { &[Pin::At(sheet.side / 2, sheet.side / 2)] } else { &[] };
        let cloth = slack(&Cloth::new(*flat.grid(), *flat.material(), pins)?)?;
        let splitting = Splitting::Families { stretch: true, shear: false, bend: false };
        let mut scheme = BackwardEuler::split(&cloth, USUAL.settings(decompose), splitting);
        if let Some(solid) = self.held_on(sheet) {
            scheme = scheme.with_contacts(Contacts::new(cloth.particle_count(), vec![solid], GROUND.friction));
        }
        Ok(Run::of(cloth.at_rest(), cloth, scheme))
    }

    /// Each particle of a sheet at its time; `component` is that of the step which ends there.
    fn rows(&self, sheet: &Sheet) -> Vec<ParticleRow> {
        let seen = ParticleRow {
            figure: self.figure.into(),
            title: self.title.into(),
            status: Status::Refused,
            side: sheet.side,
            ..ParticleRow::default()
        };
        let mut run = match self.run(sheet) {
            Ok(run) => run,
            Err(invalid) => return vec![ParticleRow { reason: Some(invalid.to_string()), ..seen }],
        };
        let steps = (self.time / STEP).round() as u64;
        let mut moving = FilmRecorder::new(steps);
        while run.steps < steps && run.lost().is_none() {
            run.step(STEP);
            moving.step(&run.cloth, &run.state);
        }
        let seen = ParticleRow { time: run.steps as f64 * STEP, ..seen };
        if let Some(reason) = run.lost() {
            return vec![ParticleRow { status: Status::Unstable, reason: Some(reason), ..seen }];
        }
        let seen = ParticleRow { reason: run.trouble(), ..seen };
        let groups = run.scheme.groups().unwrap_or_default();
        let row = |(particle, (x, &component)): (usize, (&Vec3, &u32))| ParticleRow {
            status: Status::Finished,
            particle: Some(particle),
            component: Some(component),
            x: Some(x.x),
            y: Some(x.y),
            z: Some(x.z),
            ..seen.clone()
        };
        run.state.x.iter().zip(groups).enumerate().map(row).collect()
    }
}

row! {
    /// A particle in a picture, or why there is no picture.
    pub struct ParticleRow {
        /// number in the thesis
        pub figure: String,
        /// what is seen
        pub title: String,
        /// finished; otherwise the only row of a sheet without particles: unstable or refused
        pub status: Status,
        /// what went wrong, in the linear systems too
        pub reason: Option<String>,
        /// when it is seen, or its run ended early \[s\]
        pub time: f64,
        /// particles a side
        pub side: usize,
        /// index, row by row
        pub particle: Option<usize>,
        /// component in the step that ended then, from 1; 0 for a fully constrained particle
        pub component: Option<u32>,
        /// x \[m\]
        pub x: Option<f64>,
        /// y \[m\]
        pub y: Option<f64>,
        /// z \[m\]
        pub z: Option<f64>,
    }
}

/// A particle's component and place \[m\].
#[derive(Clone, Copy, Debug)]
pub struct Particle {
    pub component: u32,
    pub place: [f64; 3],
}

impl ParticleRow {
    /// The particle; none where the run failed.
    pub fn particle(&self) -> Option<Particle> {
        Some(Particle { component: self.component?, place: [self.x?, self.y?, self.z?] })
    }
}

/// Sheets whose components are shown.
#[derive(Clone)]
pub struct Particles(pub FigureRanges);

impl Group for Particles {
    const NAME: &'static str = "particles";
    const ABOUT: &'static str = "particles of figures 6.1, 6.4 to 6.6 and 6.8, each with its component";
    type Case = Gallery;
    type Row = ParticleRow;

    fn listed(&self) -> Vec<Self::Case> {
        SHOWN.to_vec()
    }

    fn measure(&self, shown: &Gallery) -> Vec<ParticleRow> {
        shown.rows(&shown.sheet(self.0.side.get() as usize))
    }
}

/// Particles a side of the sheet whose matrix is shown \[Boxerman 2003, figs. 4.11 and 6.2\].
pub const PATTERN_SIDE: usize = 10;

/// A sheet that hangs from two corners, springs at rest slack, and the step of its first second in which the second largest
/// component is largest. The thesis gives no parameters.
pub struct Pattern;

row! {
    /// A 3x3 block of the matrix, or why there is none.
    pub struct BlockRow {
        /// finished; otherwise the only row: unstable or refused
        pub status: Status,
        /// what went wrong, in the linear systems too
        pub reason: Option<String>,
        /// when the step begins, or the run ended early \[s\]
        pub time: f64,
        /// row of the block, a particle
        pub row: Option<usize>,
        /// column of the block, a particle
        pub column: Option<usize>,
        /// row with the components one after the other, the largest first
        pub ordered_row: Option<usize>,
        /// column in that order
        pub ordered_column: Option<usize>,
        /// component of the row, from 1; 0 for a fully constrained particle
        pub component: Option<u32>,
    }
}

/// A linear system of the run: its blocks and the groups of its particles.
struct Blocks {
    time: f64,
    second: usize,
    pairs: Vec<(usize, usize)>,
    groups: Vec<u32>,
}

impl Pattern {
    fn sheet() -> Sheet {
        let stiff = Elastic { stiffness: 3000.0, damping: 0.1 };
        Sheet {
            configuration: Configuration::Corners,
            side: PATTERN_SIDE,
            spacing: 0.1,
            density: 0.1,
            stretch: stiff,
            shear: stiff,
            bend: 0.001,
            air: 0.0,
            step: 0.01,
        }
    }

    fn rows(sheet: &Sheet) -> Vec<BlockRow> {
        let failed = |status: Status, reason: String, time: f64| {
            vec![BlockRow { status, reason: Some(reason), time, ..BlockRow::default() }]
        };
        let assumption = Assumption { slack: true, ..USUAL };
        let mut run = match assumption.run(sheet, PINNED.friction, THRESHOLD, Some(Decompose::Serial)) {
            Ok(run) => run,
            Err(invalid) => return failed(Status::Refused, invalid.to_string(), 0.0),
        };
        let mut shown: Option<Blocks> = None;
        let mut before = run.state.clone();
        let steps = (1.0 / sheet.step) as u64;
        let mut moving = FilmRecorder::new(steps);
        while run.steps < steps {
            run.step(sheet.step);
            moving.step(&run.cloth, &run.state);
            if let Some(reason) = run.lost() {
                return failed(Status::Unstable, reason, run.steps as f64 * sheet.step);
            }
            let blocks = Blocks::of(&run, &before, sheet.step);
            if shown.as_ref().is_none_or(|shown| blocks.second > shown.second) {
                shown = Some(blocks);
            }
            before.copy_from(&run.state);
        }
        match shown {
            Some(blocks) => blocks.rows(run.trouble()),
            None => failed(Status::Refused, "its step is longer than the run".into(), 0.0),
        }
    }
}

impl Blocks {
    /// Of the last step of a run, which began at a state.
    fn of(run: &Run, before: &State, dt: f64) -> Blocks {
        let groups = run.scheme.groups().unwrap_or_default().to_vec();
        let joined = run.cloth.springs().iter().zip(run.scheme.implicit());
        let joined = joined.filter(|(spring, implicit)| **implicit && run.cloth.is_active(spring, &before.x));
        let joined = joined.filter(|(spring, _)| groups[spring.i] > 0 && groups[spring.j] > 0);
        let mut sizes = sizes(&groups);
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        let pairs = joined.map(|(spring, _)| (spring.i, spring.j)).collect();
        Blocks { time: (run.steps - 1) as f64 * dt, second: sizes.get(1).copied().unwrap_or(0), pairs, groups }
    }

    /// Components by falling size, then what is fully constrained; `trouble` in words.
    fn rows(&self, trouble: Option<String>) -> Vec<BlockRow> {
        let Blocks { time, pairs, groups, .. } = self;
        let sizes = sizes(groups);
        let size = |k: usize| groups[k].checked_sub(1).map_or(0, |component| sizes[component as usize]);
        let mut order: Vec<usize> = (0..groups.len()).collect();
        order.sort_by_key(|&k| (std::cmp::Reverse(size(k)), groups[k], k));
        let mut places = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, &k)| places[k] = place);
        let mut blocks: Vec<(usize, usize)> = (0..groups.len()).map(|k| (k, k)).collect();
        blocks.extend(pairs.iter().flat_map(|&(i, j)| [(i, j), (j, i)]));
        blocks.sort_unstable();
        let row = |(row, column): (usize, usize)| BlockRow {
            status: Status::Finished,
            reason: trouble.clone(),
            time: *time,
            row: Some(row),
            column: Some(column),
            ordered_row: Some(places[row]),
            ordered_column: Some(places[column]),
            component: Some(groups[row]),
        };
        blocks.into_iter().map(row).collect()
    }
}

/// Particles of each component, from the first.
fn sizes(groups: &[u32]) -> Vec<usize> {
    let mut sizes = vec![0; groups.iter().max().map_or(0, |most| *most as usize)];
    groups.iter().filter(|group| **group > 0).for_each(|&group| sizes[group as usize - 1] += 1);
    sizes
}

impl Group for Pattern {
    const NAME: &'static str = "pattern";
    const ABOUT: &'static str =
        "3x3 blocks of the matrix of figure 6.2, as the particles come and with one component after the other";
    type Case = ();
    type Row = BlockRow;

    fn listed(&self) -> Vec<Self::Case> {
        vec![()]
    }

    fn measure(&self, _case: &()) -> Vec<BlockRow> {
        Pattern::rows(&Pattern::sheet())
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Particles(ranges.figures))
        .table(Pattern)
        .plot("components", figure_charts::components)
        .plot("tablecloth", figure_charts::tablecloth)
        .plot("draping", figure_charts::draping)
        .plot("sparsity", figure_charts::sparsity)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_whose_run_fails_is_a_row_that_says_so() {
        let exploding = 1e300; // explicit bending beyond all numbers
        for shown in [SHOWN[0], SHOWN[1], SHOWN[3]] {
            let sheet = shown.sheet(6);
            for (sheet, status) in
                [(Sheet { bend: exploding, ..sheet }, Status::Unstable), (Sheet { spacing: 0.0, ..sheet }, Status::Refused)]
            {
                let rows = shown.rows(&sheet);
                assert!(rows.len() == 1 && rows[0].particle().is_none() && rows[0].reason.is_some(), "{rows:?}");
                assert_eq!((rows[0].status, rows[0].figure.as_str()), (status, shown.figure));
            }
        }
        let sheet = Pattern::sheet();
        for (sheet, status) in
            [(Sheet { bend: exploding, ..sheet }, Status::Unstable), (Sheet { spacing: 0.0, ..sheet }, Status::Refused)]
        {
            let rows = Pattern::rows(&sheet);
            assert!(rows.len() == 1 && rows[0].row.is_none() && rows[0].reason.is_some(), "{rows:?}");
            assert_eq!(rows[0].status, status);
        }
    }
}
