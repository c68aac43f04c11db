//! The verdict of the study. Its criterion stands in `claims/*.toml`, with what was known when it was fixed.

use kit::lost_runs::weighted_median;
use kit::prelude::*;

use super::methods::{
    AS_PRINTED, BLOCKS_AT, CONVERGED, METHODS, PLAIN_AT, READ, SCENES, Scene, THRESHOLD, TIMED, TOGETHER_AT, TOGETHER_BEND_AT,
};
use super::runs::{Readings, Runs, WorkRow};
use super::times::{TimeSeeds, Times};

/// The published speed-up.
pub const PUBLISHED: [f64; 2] = [2.0, 3.0];

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

    /// How many sheets at least one of two methods does not finish.
    fn unpaired(&self, method: usize, over: usize) -> usize {
        self.pairs(method, over).filter(|pair| pair.iter().any(|row| !row.row.is_finished())).count()
    }

    /// How many sheets are lost by one of two methods, in words.
    fn lost(&self, method: usize, over: usize) -> String {
        let (mut drawn, mut lost) = (0, [0; 2]);
        for [one, other] in self.pairs(method, over) {
            drawn += 1;
            lost[0] += usize::from(!one.row.is_finished());
            lost[1] += usize::from(!other.row.is_finished());
        }
        format!("of {drawn} sheets {} lost by the techniques, {} by the plain simulator", lost[0], lost[1])
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

/// Two to three times, or faster at least.
fn judge(found: &Estimate) -> Verdict {
    verdict(found.lies_within(PUBLISHED[0], PUBLISHED[1]), found.lies_above(1.0))
}

/// The median gain, whatever the sheets that are lost would have gained.
fn gain_of(ratios: &[f64], lost: usize) -> Option<Estimate> {
    Estimate::median_despite(ratios, lost, [0.0, f64::INFINITY])
}

/// A median with its interval and the number of sheets, and what is to be added, with its verdict.
fn judged(name: String, ratios: &[f64], more: &str) -> Option<Reading> {
    let found = Estimate::median(ratios)?;
    let sheets = if found.cases == 1 { "1 sheet".into() } else { format!("{} sheets", found.cases) };
    let measured = format!("{} over {sheets}{more}", found);
    Some(Reading::new(name, measured, judge(&found)))
}

/// B-TOTAL.
pub fn total(results: &Results) -> Result<Finding, ResultsError> {
    let times = |method, over| time_gains(results, method, over);
    let timed = times(TOGETHER_AT, PLAIN_AT)?;
    let table = Table { rows: results.rows::<Times>()?, methods: &TIMED };
    let lost = table.unpaired(TOGETHER_AT, PLAIN_AT);
    let found = gain_of(&ratios(&timed, None), lost).ok_or_else(|| too_few("no timed sheet finishes by both methods"))?;
    let (mut readings, mut late) = (vec![], vec![]);
    let mut add = |name: String, ratios: &[f64], more: &str| readings.extend(judged(name, ratios, more));
    let bend = times(TOGETHER_BEND_AT, PLAIN_AT)?;
    add("the sheets that both finish, time".into(), &ratios(&timed, None), &format!("; {}", table.lost(TOGETHER_AT, PLAIN_AT)));
    add("bending implicit, time".into(), &ratios(&bend, None), &format!("; {}", table.lost(TOGETHER_BEND_AT, PLAIN_AT)));
    let another = Table { rows: results.rows::<TimeSeeds>()?, methods: &READ };
    for (method, name) in
        [(TOGETHER_AT, "another base seed, time"), (TOGETHER_BEND_AT, "another base seed, bending implicit, time")]
    {
        let gains = gains_of_times::<TimeSeeds>(results, &READ, method, PLAIN_AT)?;
        add(name.into(), &ratios(&gains, None), &format!("; {}", another.lost(method, PLAIN_AT)));
    }
    add("over 3x3 blocks in place of the diagonal, time".into(), &ratios(&times(TOGETHER_AT, BLOCKS_AT)?, None), "");
    for (large, name) in [(true, "and more"), (false, "at most")] {
        let part = timed.iter().filter(|gain| (gain.side >= LARGE) == large).map(|gain| gain.ratio);
        let side = if large { LARGE } else { LARGE - 1 };
        add(format!("sheets of {side} x {side} particles {name}, time"), &part.collect::<Vec<_>>(), "");
    }
    for (k, scene) in SCENES.iter().enumerate() {
        add(format!("{}, time", scene.name), &ratios(&timed, Some(k)), "");
        add(format!("bending implicit, {}, time", scene.name), &ratios(&bend, Some(k)), "");
    }
    let rows = |row: &Row<WorkRow>| Some(row.row.rows as f64);
    let main = main_group(results)?;
    let seeds = Table { rows: results.rows::<Seeds<Runs>>()?, methods: &READ };
    let readings_of = by_reading(results)?;
    for (method, name) in [(TOGETHER_AT, "all together"), (TOGETHER_BEND_AT, "bending implicit")] {
        let work = main.gains(method, PLAIN_AT, rows);
        let lost = |table: &Table| format!("; {}", table.lost(method, PLAIN_AT));
        add(format!("{name}, work in place of time: rows multiplied in the main group"), &ratios(&work, None), &lost(&main));
        for (k, scene) in SCENES.iter().enumerate() {
            add(format!("{name}, {}, rows multiplied", scene.name), &ratios(&work, Some(k)), "");
        }
        let free = main.gains(method, PLAIN_AT, |row| Some(row.row.free_rows as f64));
        let words = "rows of fully constrained particles left out, over which decomposition alone passes";
        add(format!("{name}, rows multiplied, {words}"), &ratios(&free, None), "");
        let strata = main.pairs(method, PLAIN_AT).map(|[one, other]| {
            let finished = one.row.is_finished() && other.row.is_finished();
            let ratio = other.row.rows as f64 / one.row.rows.max(1) as f64;
            ((one.row.side >= LARGE, (1e4 * one.row.bend) as u64, (1e4 * one.row.step) as u64), finished.then_some(ratio))
        });
        let weighted = Weighted::new(strata);
        if let Some(found) = Estimate::of(name, &weighted.values, weighted_median) {
            let name = format!("{name}, rows multiplied, weighted for lost sheets by size, bending and step");
            let unseen = format!("; {} sheets in strata of which none finishes", weighted.unseen);
            let measured = format!("{}{unseen}", found);
            late.push(Reading::new(name, measured, judge(&found)));
        }
        add(
            format!("{name}, rows multiplied, another base seed"),
            &ratios(&seeds.gains(method, PLAIN_AT, rows), None),
            &lost(&seeds),
        );
        for (reading, table) in &readings_of {
            let gains = ratios(&table.gains(method, PLAIN_AT, rows), None);
            add(format!("{name}, rows multiplied, the first sets, {reading}"), &gains, &lost(table));
        }
    }
    readings.extend(late);
    let drawn = table.pairs(TOGETHER_AT, PLAIN_AT).count();
    let measured = format!("{} times as fast, in the median over sheets", short(found.value));
    let reason = format!(
        "times of this machine, all methods in turn, matrices in block rows; {}, and the interval holds whatever these would have \
         gained; the thesis gives no experiment, and a plain simulator \
         that does more than Baraff and Witkin's would overturn it",
        table.lost(TOGETHER_AT, PLAIN_AT)
    );
    Ok(Finding::new(judge(&found), measured, reason)
        .rests_on(&found)
        .form(Form::Number)
        .left_out(drawn - found.cases)
        .readings(readings))
}

/// Particles a side from which on a sheet is large: about the 700 particles of the thesis' chapter 6.
const LARGE: usize = 27;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gain_is_judged_by_all_of_its_interval() {
        let of = |low: f64, step: f64| {
            let ratios: Vec<f64> = (0..36).map(|k| low + step * f64::from(k)).collect();
            judged(String::new(), &ratios, "").and_then(|reading| reading.verdict)
        };
        assert_eq!(of(2.1, 0.02), Some(Verdict::Reproduced));
        assert_eq!(of(1.1, 0.02), Some(Verdict::DirectionOnly));
        assert_eq!(of(1.6, 0.02), Some(Verdict::Inconclusive));
        assert_eq!(of(0.2, 0.01), Some(Verdict::NotReproduced));
        let ratios: Vec<f64> = (0..20).map(|k| 2.1 + 0.02 * f64::from(k)).collect();
        assert_eq!(gain_of(&ratios, 0).map(|found| judge(&found)), Some(Verdict::Reproduced));
        assert_eq!(gain_of(&ratios, 10).map(|found| judge(&found)), Some(Verdict::Inconclusive), "a third is lost");
        assert_eq!(
            judged(String::new(), &[2.5; 5], "").and_then(|reading| reading.verdict),
            Some(Verdict::Inconclusive),
            "too few"
        );
    }
}
