//! Random sheets by every method, and the work of each.

use kit::prelude::*;
use kit::sheets::with_bend_law;

use super::charts;
use super::methods::{Assumption, METHODS, Method, READ, READINGS, SCENES, Scene, USUAL};

ranges!(RunRanges {
    //! Lists that sets are drawn from, and how long they run.
    /// Number of sets; the scenes take turns.
    sets: Count,
    /// Sets that are run under other readings too: the first ones.
    readings: Count,
    /// Sets from other seeds.
    seeds: Count,
    /// What they are drawn from.
    lists: LengthLists,
    /// Simulated time \[s\].
    duration: Positive,
});

/// A sheet in a scene.
#[derive(Clone, Copy, Debug)]
pub struct SheetInScene {
    pub scene: Scene,
    pub sheet: Sheet,
}

row! {
    /// A sheet by a method.
    pub struct WorkRow {
        /// what the runs assume
        pub reading: String,
        /// where the sheet is, and how it touches: Coulomb friction unless sticking is said
        pub scene: String,
        /// n, particles a side
        pub side: usize,
        /// rho, areal density \[kg/m²\]
        pub density: f64,
        /// ks3, of the springs to the second neighbours \[N/m\]
        pub bend: f64,
        /// dt, time step \[s\]
        pub step: f64,
        /// dt/m (ks dt + 2 kd) of stretch
        pub stretch_kappa: f64,
        /// dt/m (ks dt + 2 kd) of shear
        pub shear_kappa: f64,
        /// 32.1 kb dt²/m: explicit bending is unstable above about 1
        pub bending_number: f64,
        /// how it is simulated
        pub method: String,
        /// finished, gains energy, not finite or refused
        pub status: Status,
        /// what went wrong, in the linear systems too
        pub reason: Option<String>,
        /// steps taken
        pub steps: u64,
        /// iterations of conjugate gradients; of each component, where the system is decomposed
        pub iterations: u64,
        /// products of a matrix and a vector
        pub products: u64,
        /// rows of a matrix multiplied by a vector; decomposition passes over fully constrained ones
        pub rows: u64,
        /// the same without rows of fully constrained particles
        pub free_rows: u64,
        /// components solved
        pub components: u64,
        /// largest energy gain in the last tenth, or when given up, over a fall by the sheet's length
        pub gain: f64,
    }
}

impl WorkRow {
    /// Whether the run came to its end in a stable way.
    pub fn is_finished(&self) -> bool {
        self.status == Status::Finished
    }
}

impl SheetInScene {
    /// The sheet of a set.
    pub fn draw(ranges: &RunRanges, set: u64, stream: &mut ChaCha8Rng) -> SheetInScene {
        let scene = SCENES[(set % SCENES.len() as u64) as usize];
        SheetInScene { scene, sheet: Sheet::of_length(&ranges.lists, scene.configuration, stream) }
    }

    /// Particle steps a second, so that long runs come first.
    pub fn weight(&self) -> u64 {
        ((self.sheet.side * self.sheet.side) as u64).saturating_mul((1.0 / self.sheet.step) as u64)
    }

    /// Runs it by some of the methods; those that come down to the same for it are run once.
    pub fn run_by(&self, methods: &[usize], assumption: &Assumption, duration: f64) -> Vec<WorkRow> {
        let in_effect: Vec<Method> = methods.iter().map(|&at| METHODS[at].in_effect(&self.scene, &self.sheet)).collect();
        let mut rows: Vec<WorkRow> = Vec::with_capacity(methods.len());
        for (k, &at) in methods.iter().enumerate() {
            let method = &METHODS[at];
            rows.push(match in_effect[..k].iter().position(|before| *before == in_effect[k]) {
                Some(same) => WorkRow { method: method.name.into(), ..rows[same].clone() },
                None => self.run(method, assumption, duration, MatrixForm::Fastest),
            });
        }
        rows
    }

    fn start(&self, method: &Method, assumption: &Assumption, form: MatrixForm) -> Result<Run, ModelError> {
        let SheetInScene { scene, sheet } = self;
        let cloth = with_bend_law(&sheet.cloth()?, BendLaw::line_from(assumption.line_from)?)?;
        let settings = Settings { form, ..method.settings(assumption) };
        let mut scheme = BackwardEuler::split(&cloth, settings, method.splitting());
        if let Some(solid) = sheet.solid() {
            scheme = scheme.with_contacts(Contacts::new(cloth.particle_count(), vec![solid], scene.friction));
        }
        Ok(Run::of(sheet.start(&cloth), cloth, scheme))
    }

    /// Runs it by a method.
    pub fn run(&self, method: &Method, assumption: &Assumption, duration: f64, form: MatrixForm) -> WorkRow {
        let SheetInScene { scene, sheet } = self;
        let [stretch_kappa, shear_kappa] = sheet.kappas(sheet.step);
        let row = WorkRow {
            reading: assumption.name.into(),
            scene: scene.name.into(),
            side: sheet.side,
            density: sheet.density,
            bend: sheet.bend,
            step: sheet.step,
            stretch_kappa,
            shear_kappa,
            bending_number: sheet.bending_number(sheet.step),
            method: method.name.into(),
            status: Status::Refused,
            ..WorkRow::default()
        };
        match self.start(method, assumption, form) {
            Ok(run) => stepped(run, sheet, duration, row),
            Err(invalid) => WorkRow { reason: Some(invalid.to_string()), ..row },
        }
    }
}

/// The run to its end, or until it is lost.
fn stepped(mut run: Run, sheet: &Sheet, duration: f64, row: WorkRow) -> WorkRow {
    let course = RunWatch::followed(&mut run, sheet.step, duration);
    let reasons: Vec<String> = course.reason().into_iter().chain(run.trouble()).collect();
    let work = run.work();
    WorkRow {
        status: course.status(),
        reason: (!reasons.is_empty()).then(|| reasons.join("; ")),
        steps: run.steps,
        iterations: work.iterations,
        products: work.products,
        rows: work.rows,
        free_rows: work.free_rows,
        components: work.components,
        gain: course.gain(),
        ..row
    }
}

/// Every set by methods, by their places in [`METHODS`].
pub struct Runs {
    ranges: RunRanges,
    methods: Vec<usize>,
}

impl Group for Runs {
    const NAME: &'static str = "runs";
    const ABOUT: &'static str = "random sheets by every method, each on its own trajectory, with their work";
    type Case = SheetInScene;
    type Row = WorkRow;

    fn sets(&self) -> u64 {
        self.ranges.sets.get().into()
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> SheetInScene {
        SheetInScene::draw(&self.ranges, set, stream)
    }

    fn kin(&self, case: &SheetInScene) -> u64 {
        case.weight()
    }

    fn measure(&self, placed: &SheetInScene) -> Vec<WorkRow> {
        placed.run_by(&self.methods, &USUAL, self.ranges.duration.get())
    }
}

/// The first sets again, under each other reading.
pub struct Readings(pub RunRanges);

impl Group for Readings {
    const NAME: &'static str = "readings";
    const ABOUT: &'static str =
        "the first sets of the main group under other readings of the tolerance and of bending, plain and by all techniques";
    const SCENES: &'static str = Runs::NAME;
    type Case = SheetInScene;
    type Row = WorkRow;

    fn sets(&self) -> u64 {
        self.0.readings.get().into()
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> SheetInScene {
        SheetInScene::draw(&self.0, set, stream)
    }

    fn kin(&self, case: &SheetInScene) -> u64 {
        case.weight()
    }

    fn parts(&self, _placed: &SheetInScene) -> usize {
        READINGS.len()
    }

    fn measure_part(&self, placed: &SheetInScene, part: usize) -> Vec<WorkRow> {
        placed.run_by(&READ, &READINGS[part], self.0.duration.get())
    }
}

impl Reseeded for Runs {
    const SEEDS: &'static str = "seeds";
    const ABOUT_SEEDS: &'static str = "sheets from other seeds than those of the main group, plain and by all techniques";
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let runs = &ranges.runs;
    let others = RunRanges { sets: runs.seeds, ..runs.clone() };
    Topic::of(Runs { ranges: runs.clone(), methods: (0..METHODS.len()).collect() })
        .table(Readings(runs.clone()))
        .table(Seeds(Runs { ranges: others, methods: READ.to_vec() }))
        .plot("work", charts::work)
        .plot("size", charts::size)
        .checked(check_list("runs.duration", ranges.runs.duration, &ranges.runs.lists.step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_by_themselves_give_the_rows_of_those_that_they_come_down_to() {
        let elastic = Elastic { stiffness: 1000.0, damping: 0.01 };
        for scene in SCENES {
            let configuration = scene.configuration;
            let (side, spacing) = (8, 0.1);
            let sheet = Sheet {
                configuration,
                side,
                spacing,
                density: 0.2,
                stretch: elastic,
                shear: elastic,
                bend: 0.01,
                air: 0.0,
                step: 0.01,
            };
            let placed = SheetInScene { scene, sheet };
            let by_itself = |method: &Method| placed.run(method, &USUAL, 0.3, MatrixForm::Fastest);
            let all: Vec<usize> = (0..METHODS.len()).collect();
            assert_eq!(placed.run_by(&all, &USUAL, 0.3), METHODS.iter().map(by_itself).collect::<Vec<_>>(), "{}", scene.name);
            let soft = Sheet { shear: Elastic { stiffness: 1.0, damping: 0.0 }, ..sheet };
            let count = |sheet: &Sheet| {
                let in_effect = METHODS.map(|method| method.in_effect(&scene, sheet));
                (0..METHODS.len()).filter(|&k| !in_effect[..k].contains(&in_effect[k])).count()
            };
            let slides = usize::from(scene.friction != Friction::Sticking && configuration != Configuration::Corners);
            assert_eq!([count(&sheet), count(&soft)], [7 + slides, 8 + slides], "{}", scene.name);
        }
    }
}
