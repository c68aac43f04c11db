//! Sheets by every preconditioner, timed alone and in turn.

use kit::prelude::*;

use super::method::{A_BLOCK, CP, DIAGONAL, IC, MULTIGRID, Method, NONE, SSOR};
use super::published;
use super::scenes::{PINNED, SLIDING, STEP, Scene, run};

ranges!(TimeRanges {
    //! Lists that sheets are drawn from, and how often they are timed.
    /// Sheets of each scene.
    sheets: Count,
    /// Measurements of each.
    repeats: Count,
    /// What they are drawn from.
    lists: LengthLists,
    /// Simulated time \[s\].
    duration: Positive,
});

/// What is compared, in the order of the sets: A-Block and CP in turn.
pub const METHODS: [Method; 7] = [A_BLOCK, CP, NONE, DIAGONAL, SSOR, IC, MULTIGRID];

/// The scenes, in turn.
pub const SCENES: [Scene; 2] = [PINNED, SLIDING];

/// A sheet in a scene by one method.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    sheet: Sheet,
    scene: Scene,
    method: Method,
}

/// Sheets of each scene, each by every method.
pub struct Times(pub TimeRanges);

row! {
    /// What was timed.
    pub struct TimeRow {
        /// preconditioner by which the trajectory is run, with the corrected start
        pub method: String,
        /// pinned (two corners) or sliding (sphere, Coulomb friction)
        pub scene: String,
        /// particles a side
        pub side: usize,
        /// dt, time step \[s\]
        pub step: f64,
        /// steps taken
        pub steps: u64,
        /// iterations of conjugate gradients
        pub iterations: u64,
        /// finished, gains energy, not finite or refused
        pub status: Status,
    }
}

impl Group for Times {
    const NAME: &'static str = "times";
    const ABOUT: &'static str = "sheets by every preconditioner: their times stand in timings.csv";
    const SAMPLED: bool = false;
    const TIMES_ALONE: bool = true;
    type Case = Case;
    type Row = TimeRow;

    fn sets(&self) -> u64 {
        (SCENES.len() * METHODS.len()) as u64 * u64::from(self.0.sheets.get())
    }

    fn repeats(&self) -> u32 {
        self.0.repeats.get()
    }

    fn scene(&self, set: u64) -> u64 {
        set / METHODS.len() as u64
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Case {
        let sheet = Sheet::of_length(&self.0.lists, Configuration::Corners, stream);
        let scene = SCENES[(self.scene(set) % SCENES.len() as u64) as usize];
        Case { sheet, scene, method: METHODS[(set % METHODS.len() as u64) as usize] }
    }

    fn measure(&self, case: &Case) -> Vec<TimeRow> {
        vec![self.row(case)]
    }
}

impl Times {
    fn row(&self, Case { sheet, scene, method }: &Case) -> TimeRow {
        let row = TimeRow {
            method: method.name.into(),
            scene: scene.name.into(),
            side: sheet.side,
            step: sheet.step,
            status: Status::Refused,
            ..TimeRow::default()
        };
        let Ok(mut run) = run(sheet, scene, method, &STEP) else { return row };
        let course = RunWatch::followed(&mut run, sheet.step, self.0.duration.get());
        let status = course.status();
        TimeRow { steps: run.steps, iterations: run.work().iterations, status, ..row }
    }
}

/// Times of all preconditioners.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let names: Vec<&str> = METHODS.iter().map(|method| method.name).collect();
    let mut panels = vec![];
    for scene in SCENES {
        let [mut seconds, mut iterations] = [vec![], vec![]];
        for (k, name) in names.iter().enumerate() {
            let ratios = time_ratios(results, name, scene.name)?;
            seconds.extend(ratios.iter().map(|(ratio, _)| [k as f64 + 1.1, *ratio]));
            let counted = ratios.iter().filter(|(_, [_, blocks])| blocks.iterations > 0);
            let counted = counted.map(|(_, [other, blocks])| other.iterations as f64 / blocks.iterations as f64);
            iterations.extend(counted.map(|ratio| [k as f64 + 0.9, ratio]));
        }
        let mut layers = vec![
            Layer::rule("", Palette::GREY, Direction::Horizontal, 1.0),
            Layer::points("CG iterations", Palette::ORANGE, iterations).marker(Marker::OpenDiamond),
            Layer::points("time", Palette::BLUE, seconds).marker(Marker::OpenCircle),
        ];
        let cp = names.iter().position(|name| *name == CP.name).filter(|_| scene == PINNED);
        layers.extend(cp.and_then(|k| published::cost_of_cp(k as f64 + 1.3)));
        let y = Axis::log("ratio to A-Block");
        panels.push(Panel::new(Axis::categories("preconditioner", names.clone()), y, layers).titled(scene.name));
    }
    let caption = format!(
        "Each sheet by the ratio of the median time of a whole run, and of its iterations, to those with A-Block; tol = 0.01 dt, measured \
         alone and in turn on one machine. The thesis gives the time of CP on pinned sheets alone, {} more on average.",
        percent(Claimed::of("B-CP-COST", "extra time").published())
    );
    Ok(Figure { of_times: true, ..Figure::new("times", "Times by preconditioner", caption, panels) })
}

/// Ratio of the median times of a method and of A-Block for every sheet of a scene; what matters of both rows with it.
fn time_ratios(results: &Results, method: &str, scene: &str) -> Result<Vec<(f64, [TimeRow; 2])>, ResultsError> {
    let rows = results.rows::<Times>()?;
    let seconds = median_seconds::<Times>(results)?;
    let sheets = rows.chunk_by(|a, b| a.set / METHODS.len() as u64 == b.set / METHODS.len() as u64);
    let ratio = |sheet: &[Row<TimeRow>]| {
        let by = |name: &str| sheet.iter().find(|row| row.row.method == name && row.row.scene == scene);
        let (other, blocks) = (by(method)?, by(A_BLOCK.name)?);
        let finished = [other, blocks].iter().all(|row| row.row.status == Status::Finished);
        finished.then_some((seconds.get(&other.set)? / seconds.get(&blocks.set)?, [other.row.clone(), blocks.row.clone()]))
    };
    Ok(sheets.filter_map(ratio).collect())
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Times(ranges.times.clone())).plot("times", chart).places(&[("times", 2)]).checked(check_list(
        "times.duration",
        ranges.times.duration,
        &ranges.times.lists.step,
    ))
}
