//! The named scenes of figures 4.8 to 4.13, and the sparsity patterns of figures 4.3, 4.7 and 4.11.

use cloth::contact::Solid;
use cloth::implicit::Splitting;
use cloth::{Cloth, Elastic, Family, Spring, State, System};
use lab::streams::ChaCha8Rng;
use lab::{Column, Group};
use serde::{Deserialize, Serialize};

use super::runs::USUAL;
use super::stability::Schedule;
use crate::sheets::{Configuration, Run, Sheet, largest_difference};

/// kappa up to which a spring is explicit \[Boxerman 2003, 4.4.1\].
const THRESHOLD: f64 = 0.2;

/// The scene of figures 4.8 to 4.10. The thesis does not give it; this one has a wide gap between the thresholds of its families.
fn varied() -> Sheet {
    Sheet {
        configuration: Configuration::Corners,
        side: 20,
        spacing: 0.05,
        density: 0.3,
        stretch: Elastic { stiffness: 1000.0, damping: 0.01 },
        shear: Elastic { stiffness: 10.0, damping: 0.01 },
        bend: 0.001,
        air: 0.0,
        step: 0.01,
    }
}

/// Ends of its step \[s\], steps of a swing from one to the other and back, and when it is looked at.
const STEPS: [f64; 2] = [1e-4, 0.01];
const PERIOD: u64 = 60;
const LOOK: f64 = 0.6;

/// Springs of a sheet under a large, a modest and a small step.
pub struct Wireframes;

/// A spring in a picture.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct SpringRow {
    pub figure: String,
    pub time: f64,
    pub step: f64,
    pub family: String,
    pub treatment: String,
    pub ax: f64,
    pub ay: f64,
    pub az: f64,
    pub bx: f64,
    pub by: f64,
    pub bz: f64,
}

/// How the step treats a spring.
fn treatment(cloth: &Cloth, spring: &Spring, implicit: bool, state: &State) -> &'static str {
    match (cloth.is_active(spring, &state.x), implicit) {
        (false, _) => "inactive",
        (true, true) => "implicit",
        (true, false) => "explicit",
    }
}

impl Wireframes {
    /// The first step after [`LOOK`] whose splitting is the wanted one.
    fn rows(figure: &str, wanted: &str) -> Vec<SpringRow> {
        let sheet = varied();
        let Ok(mut run) = USUAL.run(&sheet, THRESHOLD, true) else { return vec![] };
        let mut time = 0.0;
        loop {
            let dt = Schedule::Smooth.step(run.steps, STEPS, PERIOD);
            if time >= LOOK && sheet.splitting(dt, THRESHOLD) == wanted {
                return Self::springs(figure, &run, time, dt);
            }
            if !run.step(dt) || time > 2.0 * LOOK {
                return vec![];
            }
            time += dt;
        }
    }

    fn springs(figure: &str, run: &Run, time: f64, step: f64) -> Vec<SpringRow> {
        let (cloth, x) = (&run.cloth, &run.state.x);
        let mut implicit = vec![false; cloth.coupling_count()];
        cloth.choose_implicit(&Splitting::Adaptive { threshold: THRESHOLD, bend: false }, step, &run.state, &mut implicit);
        let shown = cloth.springs().iter().zip(implicit).filter(|(spring, _)| spring.family != Family::Bend);
        let row = |(spring, implicit): (&Spring, bool)| SpringRow {
            figure: figure.into(),
            time,
            step,
            family: if spring.family == Family::Stretch { "stretch" } else { "shear" }.into(),
            treatment: treatment(cloth, spring, implicit, &run.state).into(),
            ax: x[spring.i].x,
            ay: x[spring.i].y,
            az: x[spring.i].z,
            bx: x[spring.j].x,
            by: x[spring.j].y,
            bz: x[spring.j].z,
        };
        shown.map(row).collect()
    }
}

/// Figures and the splitting that each shows.
pub const WIREFRAMES: [(&str, &str); 3] =
    [("4.8", "implicit/implicit"), ("4.9", "implicit/explicit"), ("4.10", "explicit/explicit")];

impl Group for Wireframes {
    const NAME: &'static str = "wireframes";
    const ABOUT: &'static str = "stretch and shear springs of figures 4.8 to 4.10, with how the step treats them";
    const COLUMNS: &'static [Column] = &[
        Column::text("figure", "number in the thesis"),
        Column::number("time", "s", "when it is seen"),
        Column::number("step", "s", "the step that is about to be taken"),
        Column::text("family", "stretch or shear"),
        Column::text("treatment", "implicit, explicit, or inactive for a spring that is compressed"),
        Column::number("ax", "m", "x of its first particle"),
        Column::number("ay", "m", "y of its first particle"),
        Column::number("az", "m", "z of its first particle"),
        Column::number("bx", "m", "x of its second particle"),
        Column::number("by", "m", "y of its second particle"),
        Column::number("bz", "m", "z of its second particle"),
    ];
    const SAMPLED: bool = false;
    type Case = (&'static str, &'static str);
    type Row = SpringRow;

    fn sets(&self) -> u64 {
        WIREFRAMES.len() as u64
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> Self::Case {
        WIREFRAMES[set as usize]
    }

    fn measure_block(&self, cases: &[Self::Case], done: &mut dyn FnMut(usize, Vec<SpringRow>)) {
        for (k, (figure, splitting)) in cases.iter().enumerate() {
            done(k, Self::rows(figure, splitting));
        }
    }
}

/// A scene whose difference the thesis shows.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// Number of the figure.
    pub figure: &'static str,
    /// Largest difference over h that it states.
    pub published: f64,
    sheet: Sheet,
}

impl Shown {
    /// What its sheet falls onto.
    pub fn solid(&self) -> Option<Solid> {
        self.sheet.solid()
    }
}

/// Figures 4.12, the worst case, and 4.13, "an average case".
pub const SHOWN: [Shown; 2] = [
    Shown {
        figure: "4.12",
        published: 1.68,
        sheet: Sheet {
            configuration: Configuration::Corners,
            side: 40,
            spacing: 0.03,
            density: 10.0,
            stretch: Elastic { stiffness: 100.0, damping: 1.0 },
            shear: Elastic { stiffness: 1000.0, damping: 0.0 },
            bend: 0.001,
            air: 0.001,
            step: 0.001,
        },
    },
    Shown {
        figure: "4.13",
        published: 0.63,
        sheet: Sheet {
            configuration: Configuration::Table,
            side: 20,
            spacing: 0.1,
            density: 0.1,
            stretch: Elastic { stiffness: 1000.0, damping: 1.0 },
            shear: Elastic { stiffness: 1000.0, damping: 1.0 },
            bend: 0.001,
            air: 0.003,
            step: 0.01,
        },
    },
];

/// The scenes of figures 4.12 and 4.13 at the time of their largest difference.
pub struct Differences;

/// A particle in both runs.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct ParticleRow {
    pub figure: String,
    pub time: f64,
    pub difference: f64,
    pub side: usize,
    pub particle: usize,
    pub aimex_x: f64,
    pub aimex_y: f64,
    pub aimex_z: f64,
    pub implicit_x: f64,
    pub implicit_y: f64,
    pub implicit_z: f64,
}

impl Differences {
    fn rows(shown: &Shown) -> Vec<ParticleRow> {
        let sheet = &shown.sheet;
        let Ok([mut aimex, mut implicit]) = USUAL.pair(sheet, THRESHOLD) else { return vec![] };
        let (mut difference, mut time) = (0.0, 0.0);
        let mut apart = [aimex.state.clone(), implicit.state.clone()];
        for step in 1..=(1.0 / sheet.step).round() as u64 {
            if !(aimex.step(sheet.step) && implicit.step(sheet.step)) {
                break;
            }
            let now = largest_difference(&aimex.state, &implicit.state) / sheet.spacing;
            if now > difference {
                (difference, time) = (now, step as f64 * sheet.step);
                apart[0].copy_from(&aimex.state);
                apart[1].copy_from(&implicit.state);
            }
        }
        let row = |particle: usize| {
            let [a, i] = [apart[0].x[particle], apart[1].x[particle]];
            ParticleRow {
                figure: shown.figure.into(),
                time,
                difference,
                side: sheet.side,
                particle,
                aimex_x: a.x,
                aimex_y: a.y,
                aimex_z: a.z,
                implicit_x: i.x,
                implicit_y: i.y,
                implicit_z: i.z,
            }
        };
        (0..sheet.side * sheet.side).map(row).collect()
    }
}

impl Group for Differences {
    const NAME: &'static str = "differences";
    const ABOUT: &'static str = "particles of figures 4.12 and 4.13 by both schemes, when they are furthest apart";
    const COLUMNS: &'static [Column] = &[
        Column::text("figure", "number in the thesis"),
        Column::number("time", "s", "when the difference is largest"),
        Column::number("difference", "-", "the largest difference of a coordinate, over h"),
        Column::integer("side", "n, particles a side"),
        Column::integer("particle", "index, row by row"),
        Column::number("aimex_x", "m", "x by AIMEX"),
        Column::number("aimex_y", "m", "y by AIMEX"),
        Column::number("aimex_z", "m", "z by AIMEX"),
        Column::number("implicit_x", "m", "x by the implicit scheme"),
        Column::number("implicit_y", "m", "y by the implicit scheme"),
        Column::number("implicit_z", "m", "z by the implicit scheme"),
    ];
    const SAMPLED: bool = false;
    type Case = Shown;
    type Row = ParticleRow;

    fn sets(&self) -> u64 {
        SHOWN.len() as u64
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> Shown {
        SHOWN[set as usize]
    }

    fn measure_block(&self, cases: &[Shown], done: &mut dyn FnMut(usize, Vec<ParticleRow>)) {
        for (k, shown) in cases.iter().enumerate() {
            done(k, Self::rows(shown));
        }
    }
}

/// Figures of sparsity patterns.
pub const PATTERNS: [&str; 3] = ["4.3", "4.7", "4.11"];

/// Sheets of ten by ten particles whose matrix is shown.
pub struct Patterns;

/// A stored 3x3 block of the matrix.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct BlockRow {
    pub figure: String,
    pub row: usize,
    pub column: usize,
}

/// Particles a side of the patterns \[Boxerman 2003, fig. 4.3\].
pub const PATTERN_SIDE: usize = 10;

impl Patterns {
    /// Figure 4.11 is a sheet held at two corners after half a second: what is compressed then has no block.
    fn rows(figure: &str) -> Vec<BlockRow> {
        let sheet = Sheet { side: PATTERN_SIDE, spacing: 0.1, shear: varied().stretch, ..varied() };
        let Ok(mut run) = USUAL.run(&sheet, THRESHOLD, true) else { return vec![] };
        let cloth = run.cloth.clone();
        let splitting = match figure {
            "4.3" => Splitting::Implicit,
            "4.7" => Splitting::Families { stretch: true, shear: false, bend: false },
            _ => {
                while run.steps < 50 && run.step(sheet.step) {}
                Splitting::Adaptive { threshold: THRESHOLD, bend: false }
            }
        };
        let moved = figure == PATTERNS[2];
        let mut implicit = vec![false; cloth.coupling_count()];
        cloth.choose_implicit(&splitting, sheet.step, &run.state, &mut implicit);
        let coupled = cloth.springs().iter().zip(implicit);
        let coupled = coupled.filter(|(spring, implicit)| *implicit && (!moved || cloth.is_active(spring, &run.state.x)));
        let mut blocks: Vec<(usize, usize)> = (0..cloth.particle_count()).map(|i| (i, i)).collect();
        blocks.extend(coupled.flat_map(|(spring, _)| [(spring.i, spring.j), (spring.j, spring.i)]));
        blocks.sort_unstable();
        blocks.into_iter().map(|(row, column)| BlockRow { figure: figure.into(), row, column }).collect()
    }
}

impl Group for Patterns {
    const NAME: &'static str = "patterns";
    const ABOUT: &'static str =
        "3x3 blocks of the matrix of figures 4.3 (all springs), 4.7 (stretch only) and 4.11 (AIMEX, active ones)";
    const COLUMNS: &'static [Column] = &[
        Column::text("figure", "number in the thesis"),
        Column::integer("row", "row of the block, a particle"),
        Column::integer("column", "column of the block, a particle"),
    ];
    const SAMPLED: bool = false;
    type Case = &'static str;
    type Row = BlockRow;

    fn sets(&self) -> u64 {
        PATTERNS.len() as u64
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> &'static str {
        PATTERNS[set as usize]
    }

    fn measure_block(&self, cases: &[&'static str], done: &mut dyn FnMut(usize, Vec<BlockRow>)) {
        for (k, figure) in cases.iter().enumerate() {
            done(k, Self::rows(figure));
        }
    }
}
