//! Gains of methods over the plain simulator, for the charts and in words. What decides stands in `claims/*.toml`.

use kit::prelude::*;

use super::methods::{
    AS_PRINTED, CONVERGED, METHODS, PLAIN_AT, READ, SCENES, Scene, THRESHOLD, TIMED, TOGETHER_AT, TOGETHER_BEND_AT,
};
use super::runs::{Readings, Runs, WorkRow};
use super::times::Times;

/// What a sheet gains by one method over another.
#[derive(Clone, Copy, Debug)]
pub struct Gain {
    /// Place of its scene in [`SCENES`].
    pub scene: usize,
    /// Particles a side.
    pub side: usize,
    /// Work or time of the other method over that of the one.
    pub ratio: f64,
}

/// Rows of each sheet in a table: by some methods, of places in [`METHODS`], one after the other.
struct Table<'a> {
    rows: Vec<Row<WorkRow>>,
    methods: &'a [usize],
}

impl Table<'_> {
    /// Rows of a sheet by two methods.
    fn pairs(&self, one: usize, other: usize) -> impl Iterator<Item = [&Row<WorkRow>; 2]> {
        let place = |method: usize| self.methods.iter().position(|at| *at == method);
        let places = place(one).zip(place(other));
        let sheets = self.rows.chunks_exact(self.methods.len());
        sheets.filter_map(move |sheet| places.map(|(one, other)| [&sheet[one], &sheet[other]]))
    }

    /// Gains of all sheets for which both methods finish.
    fn gains(&self, method: usize, over: usize, amount: impl Fn(&Row<WorkRow>) -> Option<f64>) -> Vec<Gain> {
        let gain = |[one, other]: [&Row<WorkRow>; 2]| {
            let ratio = amount(other)? / amount(one)?;
            let finished = one.row.is_finished() && other.row.is_finished() && ratio.is_finite() && ratio > 0.0;
            let scene = SCENES.iter().position(|scene| scene.name == one.row.scene)?;
            finished.then_some(Gain { scene, side: one.row.side, ratio })
        };
        self.pairs(method, over).filter_map(gain).collect()
    }
}

/// Places of all methods.
const ALL: [usize; METHODS.len()] = {
    let mut all = [0; METHODS.len()];
    let mut k = 0;
    while k < all.len() {
        all[k] = k;
        k += 1;
    }
    all
};

fn main_group(results: &Results) -> Result<Table<'static>, ResultsError> {
    Ok(Table { rows: results.rows::<Runs>()?, methods: &ALL })
}

/// Tables of the other readings, by reading in the order of the table.
fn by_reading(results: &Results) -> Result<Vec<(String, Table<'static>)>, ResultsError> {
    let mut readings: Vec<(String, Table)> = vec![];
    for row in results.rows::<Readings>()? {
        match readings.iter_mut().find(|(name, _)| *name == row.row.reading) {
            Some((_, table)) => table.rows.push(row),
            None => readings.push((row.row.reading.clone(), Table { rows: vec![row], methods: &READ })),
        }
    }
    Ok(readings)
}

/// Gains in an amount of work over the sets of the main group.
pub fn work_gains(
    results: &Results,
    method: usize,
    over: usize,
    amount: impl Fn(&WorkRow) -> u64,
) -> Result<Vec<Gain>, ResultsError> {
    Ok(main_group(results)?.gains(method, over, |row| Some(amount(&row.row) as f64)))
}

/// Gains in the medians of times.
pub fn time_gains(results: &Results, method: usize, over: usize) -> Result<Vec<Gain>, ResultsError> {
    gains_of_times::<Times>(results, &TIMED, method, over)
}

fn gains_of_times<G: Group<Row = WorkRow>>(
    results: &Results,
    methods: &[usize],
    method: usize,
    over: usize,
) -> Result<Vec<Gain>, ResultsError> {
    let seconds = median_seconds::<G>(results)?;
    let table = Table { rows: results.rows::<G>()?, methods };
    Ok(table.gains(method, over, |row| seconds.get(&row.set).copied()))
}

/// Ratios of a scene, or of all.
pub fn ratios(gains: &[Gain], scene: Option<usize>) -> Vec<f64> {
    gains.iter().filter(|gain| scene.is_none_or(|scene| gain.scene == scene)).map(|gain| gain.ratio).collect()
}

/// Shares of sets that each method does not finish, in words.
fn unstable(table: &Table) -> String {
    let of = |(k, method): (usize, &usize)| {
        let rows = table.rows.iter().skip(k).step_by(table.methods.len());
        let finished: Vec<bool> = rows.map(|row| row.row.is_finished()).collect();
        share(&finished, |finished| !finished).map(|share| format!("{} {}", METHODS[*method].name, percent(share)))
    };
    table.methods.iter().enumerate().filter_map(of).collect::<Vec<_>>().join("; ")
}

/// What a reader of the thesis would want to know.
pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let main = main_group(results)?;
    let word = |gains: &[Gain], scene: Option<usize>| median(&ratios(gains, scene)).map_or_else(|| "none".into(), short);
    let work = |method: usize| main.gains(method, PLAIN_AT, |row| Some(row.row.rows as f64));
    let scenes = |gains: &[Gain]| {
        let of = |(k, scene): (usize, &Scene)| format!("{} {}", scene.name, word(gains, Some(k)));
        SCENES.iter().enumerate().map(of).collect::<Vec<_>>().join("; ")
    };
    let kappas = main.rows.iter().map(|row| row.row.stretch_kappa.min(row.row.shear_kappa));
    let explicit: Vec<bool> = kappas.map(|kappa| kappa <= THRESHOLD).step_by(METHODS.len()).collect();
    let (together, bend) = (work(TOGETHER_AT), work(TOGETHER_BEND_AT));
    let alone = METHODS.iter().enumerate().filter(|(k, _)| !READ.contains(k));
    let alone: Vec<String> = alone.map(|(k, method)| format!("{} {}", method.name, word(&work(k), None))).collect();
    let readings = by_reading(results)?;
    let lost = |name: &str| readings.iter().find(|(of, _)| of == name).map_or_else(String::new, |(_, table)| unstable(table));
    let (explicit_bend, implicit_bend, alone) = (word(&together, None), word(&bend, None), alone.join("; "));
    let aimex = percent(share(&explicit, |explicit| *explicit).unwrap_or(0.0));
    let (scenes, of_bend) = (scenes(&together), scenes(&bend));
    let (lost, printed, converged) = (unstable(&main), lost(AS_PRINTED), lost(CONVERGED));
    Ok(format!(
        "The thesis gives no experiment for its conclusion, so the plain simulator is our choice: Baraff and Witkin's start, stopping \
         rule and diagonal preconditioner. All numbers here are rows of the matrix multiplied by the plain simulator over those by the \
         method, in the median over the sets that finish by both: {explicit_bend} by all techniques together with bending explicit, as the \
         thesis has it, and {implicit_bend} with bending implicit. Added one at a time: {alone}. A row costs less where springs are \
         explicit, since it holds fewer blocks; rows do not show that, times do. AIMEX treats stretch or shear explicitly in {aimex} of \
         the sets; in the others it saves nothing but the blocks of bending.\n\n\
         By scene, all together with bending explicit: {scenes}. With bending implicit: {of_bend}.\n\n\
         What is gained must also hold: sets that are lost are, by method, {lost}. Of the first sets they are {printed} with tol² = c dt \
         as printed, and {converged} with systems solved to 1e-8."
    ))
}
