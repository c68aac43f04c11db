//! Springs that are cut where their ends hardly move relative to each other: what that saves, and what it costs.

use cloth::implicit::Cuts as Cut;

use super::assumptions::{Assumption, USUAL};
use super::schwarz::{SCENES, draw};
use super::verdicts::signed;
use crate::prelude::*;

ranges!(CutRanges {
    //! Lists that sheets are drawn from, and where they are cut.
    /// Sheets, each in three scenes.
    sets: Count,
    /// What they are drawn from, until explicit bending is stable.
    lists: LengthLists,
    /// Simulated time \[s\].
    duration: Positive,
    /// kappa up to which a spring is explicit without cuts \[-\].
    threshold: Positive,
    /// Relative speeds below which a spring is cut \[m/s\].
    speeds: List<Positive>,
    /// kappa up to which a spring is explicit, as another measure of what to cut \[-\].
    kappas: List<Positive>,
});

/// Every spring that is slow enough.
const SPEED: &str = "relative speed";
/// Those among them whose cutting separates components.
const LINES: &str = "relative speed, along lines";
/// Every spring that is soft enough.
const KAPPA: &str = "kappa";

row! {
    /// A sheet with cuts, beside the same without.
    pub struct CutRow {
        /// what the sheet is held by or falls onto, and its contact
        pub scene: String,
        /// what decides which springs are cut: their relative speed, this along lines that separate components, or kappa
        pub measure: String,
        /// below which they are cut, a speed \[m/s\] or kappa \[-\]
        pub limit: f64,
        /// particles a side; n is their square
        pub side: usize,
        /// h, mesh spacing \[m\]
        pub spacing: f64,
        /// what it is made of
        pub makeup: Makeup,
        /// dt, time step \[s\]
        pub step: f64,
        /// of the run without cuts: finished, gains energy, not finite or refused
        pub usual_status: String,
        /// of the run with cuts
        pub status: String,
        /// RV count without cuts, both runs decomposed
        pub usual_rows: u64,
        /// RV count with cuts
        pub rows: u64,
        /// components of a system without cuts, mean over the steps
        pub usual_components: f64,
        /// components of a system with cuts, mean over the steps
        pub components: f64,
        /// share of the springs that would be implicit that is cut, mean over the steps; none where kappa decides
        pub cut: Option<f64>,
        /// largest difference of a coordinate at the end from the run without cuts, over h
        pub difference: Option<f64>,
    }
}

impl CutRow {
    /// Whether the run without cuts says what one with cuts could keep.
    fn counts(&self) -> bool {
        self.usual_status == FINISHED
    }

    fn is_stable(&self) -> bool {
        self.status == FINISHED
    }
}

/// A run that came to its end, one way or another.
struct Ended {
    run: Run,
    fate: Fate,
}

impl Ended {
    fn components(&self) -> f64 {
        self.run.work().components as f64 / self.run.steps as f64
    }
}

/// Every sheet in three scenes by every measure.
pub struct CutSheets(pub CutRanges);

impl Group for CutSheets {
    const NAME: &'static str = "cuts";
    const ABOUT: &'static str = "random sheets in three scenes, decomposed, with springs cut where their ends move slowly relative to each other, or up to larger kappas";
    type Case = Sheet;
    type Row = CutRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Sheet {
        draw(&self.0.lists, stream)
    }

    fn kin(&self, sheet: &Sheet) -> u64 {
        ((sheet.side * sheet.side) as u64).saturating_mul((1.0 / sheet.step) as u64)
    }

    fn measure(&self, sheet: &Sheet) -> Vec<CutRow> {
        SCENES.iter().flat_map(|scene| self.in_scene(&Sheet { configuration: scene.configuration, ..*sheet }, scene)).collect()
    }
}

impl CutSheets {
    /// Measures and their limits, in the order of the rows, as what is assumed and up to which kappa springs are explicit.
    fn measures(&self) -> Vec<(&'static str, f64, Assumption, f64)> {
        let CutRanges { speeds, kappas, threshold, .. } = &self.0;
        let cut = |name, separating| {
            let of = move |speed: &Positive| {
                let speed = speed.get();
                (name, speed, Assumption { cuts: Some(Cut { speed, separating }), ..USUAL }, threshold.get())
            };
            speeds.values().iter().map(of)
        };
        let soft = kappas.values().iter().map(|kappa| (KAPPA, kappa.get(), USUAL, kappa.get()));
        cut(SPEED, false).chain(cut(LINES, true)).chain(soft).collect()
    }

    fn in_scene(&self, sheet: &Sheet, scene: &super::assumptions::Scene) -> Vec<CutRow> {
        let usual = self.ended(sheet, scene.friction, &USUAL, self.0.threshold.get());
        let of = |(measure, limit, assumption, threshold): (&str, f64, Assumption, f64)| {
            let row = CutRow {
                scene: scene.name.into(),
                measure: measure.into(),
                limit,
                side: sheet.side,
                spacing: sheet.spacing,
                makeup: sheet.makeup(),
                step: sheet.step,
                usual_status: REFUSED.into(),
                status: REFUSED.into(),
                ..CutRow::default()
            };
            let (Ok(usual), Ok(cut)) = (&usual, self.ended(sheet, scene.friction, &assumption, threshold)) else { return row };
            let both = [usual, &cut].iter().all(|ended| ended.fate == Fate::Finished);
            let work = cut.run.work();
            CutRow {
                usual_status: usual.fate.name().into(),
                status: cut.fate.name().into(),
                usual_rows: usual.run.work().rows,
                rows: work.rows,
                usual_components: usual.components(),
                components: cut.components(),
                cut: assumption.cuts.map(|_| work.cut as f64 / (work.cut + work.linearised).max(1) as f64),
                difference: both.then(|| largest_difference(&usual.run.state, &cut.run.state) / sheet.spacing),
                ..row
            }
        };
        self.measures().into_iter().map(of).collect()
    }

    fn ended(&self, sheet: &Sheet, friction: Friction, assumption: &Assumption, threshold: f64) -> Result<Ended, Invalid> {
        let mut run = assumption.run(sheet, friction, threshold, Some(Decompose::Serial))?;
        let fate = Course::followed(&mut run, sheet.step, self.0.duration.get()).fate();
        Ok(Ended { run, fate })
    }
}

/// What cuts by a measure at a limit come to.
struct Outcome {
    measure: String,
    limit: f64,
    /// Of the runs that are stable without cuts, those that stay so.
    stable: Estimate,
    /// Change of the RV count of those.
    change: Estimate,
    /// Differences over h; runs that are lost lie infinitely far away.
    difference: Estimate,
    /// Components with cuts over those without, and the share of springs that is cut.
    components: f64,
    cut: Option<f64>,
}

impl Outcome {
    fn of(measure: &str, limit: f64, rows: &[CutRow]) -> Option<Outcome> {
        let counted = || rows.iter().filter(|row| row.counts());
        let stable = || counted().filter(|row| row.is_stable());
        let changes = stable().filter(|row| row.usual_rows > 0).map(|row| row.rows as f64 / row.usual_rows as f64 - 1.0);
        let differences: Vec<f64> = counted().map(|row| row.difference.unwrap_or(f64::INFINITY)).collect();
        let cut: Vec<f64> = stable().filter_map(|row| row.cut).collect();
        Some(Outcome {
            measure: measure.into(),
            limit,
            stable: share_of(counted().map(CutRow::is_stable))?,
            change: Estimate::median(&changes.collect::<Vec<_>>())?,
            difference: Estimate::median(&differences)?,
            components: median(&stable().map(|row| row.components / row.usual_components).collect::<Vec<_>>())?,
            cut: median(&cut),
        })
    }

    /// It saves, keeps nine tenths of the sheets, and moves most of them by less than 0.1 h; or saves and keeps half of them.
    fn answers(&self) -> [Answer; 2] {
        let saves = self.change.lies_below(0.0);
        let holds = saves.and(self.stable.lies_above(0.9)).and(self.difference.lies_below(0.1));
        [holds, saves.and(self.stable.lies_above(0.5))]
    }

    fn name(&self) -> String {
        let unit = if self.measure == KAPPA { "" } else { " m/s" };
        format!("{} {}{unit}", self.measure, self.limit)
    }

    fn words(&self) -> String {
        let Outcome { stable, change, difference, components, cut, .. } = self;
        let cut = cut.map_or_else(String::new, |cut| format!("; {} of the springs cut", percent(cut)));
        let apart = if difference.value.is_finite() { format!("{} h", short(difference.value)) } else { "no number".into() };
        format!(
            "rows {}; {} stay stable; {apart} apart in the median; {} times the components{cut}",
            signed(change.value, change.interval),
            stable.percent(),
            short(*components)
        )
    }
}

/// Every measure at every limit, in the order of the rows.
fn outcomes(rows: &[CutRow]) -> Vec<Outcome> {
    let grouped = grouped(rows.iter().map(|row| ((row.measure.clone(), row.limit), row.clone())));
    grouped.into_iter().filter_map(|((measure, limit), rows)| Outcome::of(&measure, limit, &rows)).collect()
}

/// B-CUTS.
fn judge(results: &Results) -> Result<Finding, ResultsError> {
    let rows = results.without_sets::<CutSheets>()?;
    let outcomes = outcomes(&rows);
    let of = |measure: &str| outcomes.iter().filter(|outcome| outcome.measure == measure).collect::<Vec<_>>();
    let judged = |outcomes: &[&Outcome]| {
        let any = |which: usize| outcomes.iter().map(|outcome| outcome.answers()[which]).fold(Answer::No, Answer::or);
        verdict(any(0), any(1))
    };
    let by_speed = of(SPEED);
    // the limit that saves most among those that keep most of the sheets, or the first one
    let keeps = |outcome: &&&Outcome| outcome.stable.value > 0.9;
    let best = by_speed.iter().filter(keeps).min_by(|a, b| a.change.value.total_cmp(&b.change.value)).or(by_speed.first());
    let best = best.ok_or_else(|| too_few("no sheet is stable without cuts"))?;
    let mut readings: Vec<Reading> =
        outcomes.iter().map(|outcome| Reading::new(outcome.name(), outcome.words(), judged(&[outcome]))).collect();
    for measure in [LINES, KAPPA] {
        readings.push(Reading::new(format!("{measure}, at one limit at least"), "as above", judged(&of(measure))));
    }
    for scene in &SCENES {
        let rows: Vec<CutRow> = rows.iter().filter(|row| row.scene == scene.name).cloned().collect();
        if let Some(outcome) = Outcome::of(
            &best.measure,
            best.limit,
            &rows.into_iter().filter(|row| row.measure == best.measure && row.limit == best.limit).collect::<Vec<_>>(),
        ) {
            readings.push(Reading::new(format!("{}, {}", scene.name, outcome.name()), outcome.words(), judged(&[&outcome])));
        }
    }
    let lost = rows.iter().filter(|row| row.measure == best.measure && row.limit == best.limit && !row.counts()).count();
    let measured = format!("at {} m/s {}", best.limit, best.words());
    let reason = "of the speeds that keep nine tenths of the sheets it is the one that saves most; stiff springs at rest are the slowest of \
                  all and the first to be cut, grow unstable until their ends are fast enough, and are joined again; a measure that knows \
                  which springs are stiff, or cuts that stay where they are, would overturn it";
    Ok(Finding::new(judged(&by_speed), measured, reason).rests_on(&best.change).left_out(lost).readings(readings))
}

/// Stability, savings, differences and components against the threshold.
fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let outcomes = outcomes(&results.without_sets::<CutSheets>()?);
    let panels =
        [([SPEED, LINES].as_slice(), "relative speed [m/s]"), ([KAPPA].as_slice(), "kappa up to which springs are explicit")];
    let colors = [Palette::BLUE, Palette::ORANGE];
    let panel = |measures: &[&str], x: &str, y: Axis, value: fn(&Outcome) -> Option<Estimate>, rule: Option<f64>| {
        let mut layers: Vec<Layer> =
            rule.map(|at| Layer::rule("", Palette::GREY, Direction::Horizontal, at)).into_iter().collect();
        for (measure, color) in measures.iter().zip(colors) {
            let bars = outcomes.iter().filter(|outcome| outcome.measure == *measure).filter_map(|outcome| {
                let Estimate { value, interval, .. } = value(outcome).filter(|found| found.value.is_finite())?;
                let ends = interval.filter(|i| i.low.is_finite() && i.high.is_finite());
                let Interval { low, high } = ends.unwrap_or(Interval { low: value, high: value });
                Some([outcome.limit, value, low, high])
            });
            let name = if measures.len() > 1 { *measure } else { "" };
            layers.extend(Layer::line_with_bars(name, color, bars.collect()));
        }
        Panel::new(Axis::log(x), y, layers)
    };
    let mut all = vec![];
    for (measures, x) in panels {
        let stable = Axis::linear("share of sheets that stay stable").range(0.0, 1.0);
        all.push(panel(measures, x, stable, |outcome| Some(outcome.stable), Some(0.9)));
        all.push(panel(measures, x, Axis::linear("change of the RV count"), |outcome| Some(outcome.change), Some(0.0)));
        all.push(panel(measures, x, Axis::log("difference / h after a second"), |outcome| Some(outcome.difference), Some(0.1)));
    }
    let caption = "Sheets in three scenes, decomposed, with springs cut in every step at whose start their ends move more slowly than so \
                   relative to each other, or where they are softer than so: the share that stays stable, the change of the RV count over \
                   these, and by how much all of them differ from the runs without cuts, medians with 95 % intervals. Lines: springs stay \
                   implicit where cutting them separates nothing.";
    let figure = Figure::new("cuts", "Springs that are cut", caption, all);
    Ok(Figure { columns: 3, ..figure.with_one_legend() })
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let ranges = &ranges.cuts;
    Topic::of(CutSheets(ranges.clone())).plot("cuts", chart).judge("B-CUTS", judge).checked(check_list(
        "cuts.duration",
        ranges.duration,
        &ranges.lists.step,
    ))
}
