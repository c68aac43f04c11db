//! The named scenes of figures 4.8 to 4.13, and the sparsity patterns of figures 4.3, 4.7 and 4.11.

use cloth::contact::Solid;
use cloth::{Family, Spring};
use kit::prelude::*;

use super::assumptions::USUAL;
use super::scene_charts;
use super::stability::Schedule;

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
pub struct Wireframes(f64);

row! {
    /// A spring in a picture, or why there is no picture.
    pub struct SpringRow {
        /// number in the thesis
        pub figure: String,
        /// finished; otherwise the only row of a figure without springs: unstable, refused, not found
        pub status: Status,
        /// what went wrong, in the linear systems too
        pub reason: Option<String>,
        /// when it is seen \[s\]
        pub time: f64,
        /// the step that is about to be taken \[s\]
        pub step: f64,
        /// stretch or shear
        pub family: Option<String>,
        /// implicit, explicit, or inactive for a spring that is compressed
        pub treatment: Option<String>,
        /// x of its first particle \[m\]
        pub ax: Option<f64>,
        /// y of its first particle \[m\]
        pub ay: Option<f64>,
        /// z of its first particle \[m\]
        pub az: Option<f64>,
        /// x of its second particle \[m\]
        pub bx: Option<f64>,
        /// y of its second particle \[m\]
        pub by: Option<f64>,
        /// z of its second particle \[m\]
        pub bz: Option<f64>,
    }
}

impl SpringRow {
    /// Its two ends \[m\].
    pub fn ends(&self) -> Option<[[f64; 3]; 2]> {
        Some([[self.ax?, self.ay?, self.az?], [self.bx?, self.by?, self.bz?]])
    }
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
    fn rows(&self, sheet: &Sheet, figure: &str, wanted: Treatment) -> Vec<SpringRow> {
        let row = SpringRow { figure: figure.into(), status: Status::Refused, ..SpringRow::default() };
        let mut run = match USUAL.run(sheet, self.0, true) {
            Ok(run) => run,
            Err(invalid) => return vec![SpringRow { reason: Some(invalid.to_string()), ..row }],
        };
        let (mut time, mut shown) = (0.0, FilmRecorder::new((2.0 * LOOK / STEPS[0]) as u64));
        loop {
            let dt = Schedule::Smooth.step(run.steps, STEPS, PERIOD);
            let failed =
                |status: Status, reason: String| vec![SpringRow { status, reason: Some(reason), time, step: dt, ..row.clone() }];
            if time >= LOOK && sheet.treatment(dt, self.0) == wanted {
                return self.springs(&run, &SpringRow { status: Status::Finished, time, step: dt, ..row });
            }
            if time > 2.0 * LOOK {
                return failed(Status::NotFound, format!("no step after {LOOK} s is {wanted}"));
            }
            run.step(dt);
            shown.step(&run.cloth, &run.state);
            if let Some(reason) = run.lost() {
                return failed(Status::Unstable, reason);
            }
            time += dt;
        }
    }

    /// The springs of a picture, whose time and step are those of a row.
    fn springs(&self, run: &Run, seen: &SpringRow) -> Vec<SpringRow> {
        let (cloth, x) = (&run.cloth, &run.state.x);
        let mut implicit = vec![false; cloth.coupling_count()];
        cloth.choose_implicit(&Splitting::Adaptive { threshold: self.0, bend: false }, seen.step, &run.state, &mut implicit);
        let shown = cloth.springs().iter().zip(implicit).filter(|(spring, _)| spring.family != Family::Bend);
        let seen = SpringRow { reason: run.trouble(), ..seen.clone() };
        let row = |(spring, implicit): (&Spring, bool)| SpringRow {
            family: Some(if spring.family == Family::Stretch { "stretch" } else { "shear" }.into()),
            treatment: Some(treatment(cloth, spring, implicit, &run.state).into()),
            ax: Some(x[spring.i].x),
            ay: Some(x[spring.i].y),
            az: Some(x[spring.i].z),
            bx: Some(x[spring.j].x),
            by: Some(x[spring.j].y),
            bz: Some(x[spring.j].z),
            ..seen.clone()
        };
        shown.map(row).collect()
    }
}

/// Figures and the splitting that each shows.
pub const WIREFRAMES: [(&str, Treatment); 3] =
    [("4.8", Treatment::AllImplicit), ("4.9", Treatment::ShearExplicit), ("4.10", Treatment::AllExplicit)];

impl Group for Wireframes {
    const NAME: &'static str = "wireframes";
    const ABOUT: &'static str = "stretch and shear springs of figures 4.8 to 4.10, with how the step treats them";
    type Case = (&'static str, Treatment);
    type Row = SpringRow;

    fn listed(&self) -> Vec<Self::Case> {
        WIREFRAMES.to_vec()
    }

    fn measure(&self, &(figure, splitting): &Self::Case) -> Vec<SpringRow> {
        self.rows(&varied(), figure, splitting)
    }
}

/// A scene whose difference the thesis shows.
#[derive(Clone, Copy, Debug)]
pub struct Gallery {
    pub figure: &'static str,
    sheet: Sheet,
}

impl Gallery {
    /// Largest difference over h that the thesis states.
    pub fn published(&self) -> f64 {
        Curve::new(BOXERMAN, self.figure, "largest difference").number().unwrap_or(f64::NAN)
    }

    /// What its sheet falls onto.
    pub fn solid(&self) -> Option<Solid> {
        self.sheet.solid()
    }
}

/// Figures 4.12, the worst case, and 4.13, "an average case".
pub const SHOWN: [Gallery; 2] = [
    Gallery {
        figure: "4.12",
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
    Gallery {
        figure: "4.13",
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
pub struct Differences(f64);

row! {
    /// A particle in both runs, or why they are not compared.
    pub struct ParticleRow {
        /// number in the thesis
        pub figure: String,
        /// finished; otherwise the only row of a figure whose runs are not compared: which is unstable, or refused
        pub status: Status,
        /// what went wrong, in the linear systems too
        pub reason: Option<String>,
        /// when the difference is largest, or a run ended early \[s\]
        pub time: f64,
        /// the largest difference of a coordinate, over h
        pub difference: Option<f64>,
        /// n, particles a side
        pub side: usize,
        /// index, row by row
        pub particle: Option<usize>,
        /// x by AIMEX \[m\]
        pub aimex_x: Option<f64>,
        /// y by AIMEX \[m\]
        pub aimex_y: Option<f64>,
        /// z by AIMEX \[m\]
        pub aimex_z: Option<f64>,
        /// x by the implicit scheme \[m\]
        pub implicit_x: Option<f64>,
        /// y by the implicit scheme \[m\]
        pub implicit_y: Option<f64>,
        /// z by the implicit scheme \[m\]
        pub implicit_z: Option<f64>,
    }
}

impl ParticleRow {
    /// Its place by AIMEX \[m\].
    pub fn aimex(&self) -> Option<[f64; 3]> {
        Some([self.aimex_x?, self.aimex_y?, self.aimex_z?])
    }

    /// Its place by the implicit scheme \[m\].
    pub fn implicit(&self) -> Option<[f64; 3]> {
        Some([self.implicit_x?, self.implicit_y?, self.implicit_z?])
    }
}

/// What is said of AIMEX and of the implicit scheme, in words.
fn both(words: [Option<String>; 2]) -> Option<String> {
    let named = ["AIMEX", "implicit"].into_iter().zip(words);
    let words: Vec<String> = named.filter_map(|(name, words)| Some(format!("{name}: {}", words?))).collect();
    (!words.is_empty()).then(|| words.join("; "))
}

impl Differences {
    fn rows(&self, shown: &Gallery) -> Vec<ParticleRow> {
        let sheet = &shown.sheet;
        let begun =
            ParticleRow { figure: shown.figure.into(), status: Status::Refused, side: sheet.side, ..ParticleRow::default() };
        let [mut aimex, mut implicit] = match USUAL.pair(sheet, self.0) {
            Ok(pair) => pair,
            Err(invalid) => return vec![ParticleRow { reason: Some(invalid.to_string()), ..begun }],
        };
        let (mut difference, mut time) = (0.0, 0.0);
        let mut apart = [aimex.state.clone(), implicit.state.clone()];
        let steps = (1.0 / sheet.step).round() as u64;
        let mut films = [FilmRecorder::new(steps); 2];
        for step in 1..=steps {
            let lost = [&mut aimex, &mut implicit].map(|run| {
                run.step(sheet.step);
                run.lost()
            });
            films[0].step(&aimex.cloth, &aimex.state);
            films[1].step(&implicit.cloth, &implicit.state);
            let status = match lost.each_ref().map(Option::is_some) {
                [false, false] => Status::Finished,
                [true, false] => Status::AimexUnstable,
                [false, true] => Status::ImplicitUnstable,
                [true, true] => Status::BothUnstable,
            };
            if status != Status::Finished {
                let (reason, time) = (both(lost), step as f64 * sheet.step);
                return vec![ParticleRow { status, reason, time, ..begun }];
            }
            let now = largest_difference(&aimex.state, &implicit.state) / sheet.spacing;
            if now > difference {
                (difference, time) = (now, step as f64 * sheet.step);
                apart[0].copy_from(&aimex.state);
                apart[1].copy_from(&implicit.state);
            }
        }
        let begun = ParticleRow { reason: both([aimex.trouble(), implicit.trouble()]), ..begun };
        let row = |particle: usize| {
            let [a, i] = [apart[0].x[particle], apart[1].x[particle]];
            ParticleRow {
                status: Status::Finished,
                time,
                difference: Some(difference),
                particle: Some(particle),
                aimex_x: Some(a.x),
                aimex_y: Some(a.y),
                aimex_z: Some(a.z),
                implicit_x: Some(i.x),
                implicit_y: Some(i.y),
                implicit_z: Some(i.z),
                ..begun.clone()
            }
        };
        (0..sheet.side * sheet.side).map(row).collect()
    }
}

impl Group for Differences {
    const NAME: &'static str = "differences";
    const ABOUT: &'static str = "particles of figures 4.12 and 4.13 by both schemes, when they are furthest apart";
    type Case = Gallery;
    type Row = ParticleRow;

    fn listed(&self) -> Vec<Self::Case> {
        SHOWN.to_vec()
    }

    fn measure(&self, shown: &Gallery) -> Vec<ParticleRow> {
        self.rows(shown)
    }
}

/// Figures of sparsity patterns.
pub const PATTERNS: [&str; 3] = ["4.3", "4.7", "4.11"];

/// Sheets of ten by ten particles whose matrix is shown.
pub struct Patterns(f64);

row! {
    /// A stored 3x3 block of the matrix, or why there is none.
    pub struct BlockRow {
        /// number in the thesis
        pub figure: String,
        /// finished; otherwise the only row of a figure without blocks: unstable or refused
        pub status: Status,
        /// what went wrong, in the linear systems too
        pub reason: Option<String>,
        /// row of the block, a particle
        pub row: Option<usize>,
        /// column of the block, a particle
        pub column: Option<usize>,
    }
}

/// Particles a side of the patterns \[Boxerman 2003, fig. 4.3\].
pub const PATTERN_SIDE: usize = 10;

impl Patterns {
    /// Figure 4.11 is a sheet held at two corners after half a second: what is compressed then has no block.
    fn rows(&self, like: &Sheet, figure: &str) -> Vec<BlockRow> {
        let sheet = Sheet { side: PATTERN_SIDE, spacing: 0.1, shear: like.stretch, ..*like };
        let row = BlockRow { figure: figure.into(), status: Status::Refused, reason: None, row: None, column: None };
        let mut run = match USUAL.run(&sheet, self.0, true) {
            Ok(run) => run,
            Err(invalid) => return vec![BlockRow { reason: Some(invalid.to_string()), ..row }],
        };
        let cloth = run.cloth.clone();
        let splitting = match figure {
            "4.3" => Splitting::Implicit,
            "4.7" => Splitting::Families { stretch: true, shear: false, bend: false },
            _ => {
                let mut shown = FilmRecorder::new(50);
                while run.steps < 50 && run.lost().is_none() {
                    run.step(sheet.step);
                    shown.step(&run.cloth, &run.state);
                }
                Splitting::Adaptive { threshold: self.0, bend: false }
            }
        };
        if let Some(reason) = run.lost() {
            return vec![BlockRow { status: Status::Unstable, reason: Some(reason), ..row }];
        }
        let moved = figure == PATTERNS[2];
        let mut implicit = vec![false; cloth.coupling_count()];
        cloth.choose_implicit(&splitting, sheet.step, &run.state, &mut implicit);
        let coupled = cloth.springs().iter().zip(implicit);
        let coupled = coupled.filter(|(spring, implicit)| *implicit && (!moved || cloth.is_active(spring, &run.state.x)));
        let mut blocks: Vec<(usize, usize)> = (0..cloth.particle_count()).map(|i| (i, i)).collect();
        blocks.extend(coupled.flat_map(|(spring, _)| [(spring.i, spring.j), (spring.j, spring.i)]));
        blocks.sort_unstable();
        let row = BlockRow { status: Status::Finished, reason: run.trouble(), ..row };
        blocks.into_iter().map(|(i, j)| BlockRow { row: Some(i), column: Some(j), ..row.clone() }).collect()
    }
}

impl Group for Patterns {
    const NAME: &'static str = "patterns";
    const ABOUT: &'static str =
        "3x3 blocks of the matrix of figures 4.3 (all springs), 4.7 (stretch only) and 4.11 (AIMEX, active ones)";
    type Case = &'static str;
    type Row = BlockRow;

    fn listed(&self) -> Vec<Self::Case> {
        PATTERNS.to_vec()
    }

    fn measure(&self, figure: &&'static str) -> Vec<BlockRow> {
        self.rows(&varied(), figure)
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let threshold = ranges.runs.threshold.get();
    Topic::of(Wireframes(threshold))
        .table(Differences(threshold))
        .table(Patterns(threshold))
        .plot("wireframes", scene_charts::wireframes)
        .plot("scenes", scene_charts::scenes)
        .plot("sparsity", scene_charts::sparsity)
        .places(&[("wireframes", 2), ("scenes", 2), ("sparsity", 2)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sheet whose explicit bending exceeds all numbers at once.
    fn exploding() -> Sheet {
        Sheet { bend: 1e300, ..varied() }
    }

    /// A sheet that means nothing.
    fn meaningless() -> Sheet {
        Sheet { density: -1.0, ..varied() }
    }

    #[test]
    fn a_figure_whose_run_fails_is_a_row_that_says_so() {
        for (sheet, status) in [(exploding(), Status::Unstable), (meaningless(), Status::Refused)] {
            let springs = Wireframes(0.2).rows(&sheet, "4.8", WIREFRAMES[0].1);
            assert!(springs.len() == 1 && springs[0].ends().is_none(), "{springs:?}");
            assert!(springs[0].status == status && springs[0].reason.is_some(), "{springs:?}");
            let blocks = Patterns(0.2).rows(&sheet, PATTERNS[2]);
            assert!(blocks.len() == 1 && blocks[0].row.is_none(), "{blocks:?}");
        }
        let springs = Wireframes(0.0).rows(&varied(), "4.8", Treatment::AllExplicit);
        assert!(springs.len() == 1 && springs[0].status == Status::NotFound && springs[0].time > LOOK, "{springs:?}");
    }

    #[test]
    fn runs_that_are_not_compared_are_a_row_that_says_why() {
        for (sheet, statuses) in [
            (exploding(), &[Status::AimexUnstable, Status::ImplicitUnstable, Status::BothUnstable][..]),
            (meaningless(), &[Status::Refused]),
        ] {
            let particles = Differences(0.2).rows(&Gallery { sheet, ..SHOWN[1] });
            assert!(particles.len() == 1 && statuses.contains(&particles[0].status), "{particles:?}");
            assert!(particles[0].reason.is_some() && particles[0].difference.is_none(), "{particles:?}");
        }
    }
}
