//! Springs that are cut where their ends hardly move relative to each other: what that saves, and what it costs.

use cloth::implicit::Cuts as Cut;
use kit::prelude::*;

use super::assumptions::{Assumption, Scene, USUAL};
use super::changes::signed;
use super::schwarz::{SCENES, draw};

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
/// None, but systems that are solved as a whole: how far two runs drift apart that solve the same systems in two ways.
const WHOLE: &str = "no cuts, systems as a whole";

row! {
    /// A sheet with cuts, beside the same without.
    pub struct CutRow {
        /// what the sheet is held by or falls onto, and its contact
        pub scene: String,
        /// what decides which springs are cut: their relative speed, this along lines that separate components, kappa, or nothing
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
        pub usual_status: Status,
        /// of the run with cuts
        pub status: Status,
        /// RV count without cuts, decomposed
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
        self.usual_status == Status::Finished
    }

    fn is_stable(&self) -> bool {
        self.status == Status::Finished
    }
}

/// Both runs of a sheet are solved by components, but for one that shows how much that matters.
const DECOMPOSED: Option<Decompose> = Some(Decompose::Serial);

/// What is cut, and how systems are solved.
#[derive(Clone, Copy)]
struct Measure {
    name: &'static str,
    limit: f64,
    assumption: Assumption,
    /// kappa up to which springs are explicit.
    threshold: f64,
    decompose: Option<Decompose>,
}

/// A run that came to its end, one way or another.
struct Ended {
    run: Run,
    status: Status,
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
        sheet.weight()
    }

    fn parts(&self, _sheet: &Sheet) -> usize {
        SCENES.len()
    }

    fn measure_part(&self, sheet: &Sheet, part: usize) -> Vec<CutRow> {
        let scene = &SCENES[part];
        self.in_scene(&Sheet { configuration: scene.configuration, ..*sheet }, scene)
    }
}

impl CutSheets {
    /// Measures and their limits, in the order of the rows.
    fn measures(&self) -> Vec<Measure> {
        let CutRanges { speeds, kappas, threshold, .. } = &self.0;
        let cut = |name, separating| {
            let of = move |speed: &Positive| {
                let speed = speed.get();
                let assumption = Assumption { cuts: Some(Cut { speed, separating }), ..USUAL };
                Measure { name, limit: speed, assumption, threshold: threshold.get(), decompose: DECOMPOSED }
            };
            speeds.values().iter().map(of)
        };
        let usual = Measure { name: WHOLE, limit: 0.0, assumption: USUAL, threshold: threshold.get(), decompose: None };
        let soft = kappas.values().iter().map(|kappa| {
            let kappa = kappa.get();
            Measure { name: KAPPA, limit: kappa, threshold: kappa, decompose: DECOMPOSED, ..usual }
        });
        cut(SPEED, false).chain(cut(LINES, true)).chain(soft).chain([usual]).collect()
    }

    fn in_scene(&self, sheet: &Sheet, scene: &Scene) -> Vec<CutRow> {
        let usual =
            Measure { name: WHOLE, limit: 0.0, assumption: USUAL, threshold: self.0.threshold.get(), decompose: DECOMPOSED };
        let usual = self.ended(sheet, scene.friction, &usual);
        let of = |measure: Measure| {
            let row = CutRow {
                scene: scene.name.into(),
                measure: measure.name.into(),
                limit: measure.limit,
                side: sheet.side,
                spacing: sheet.spacing,
                makeup: sheet.makeup(),
                step: sheet.step,
                usual_status: Status::Refused,
                status: Status::Refused,
                ..CutRow::default()
            };
            let (Ok(usual), Ok(cut)) = (&usual, self.ended(sheet, scene.friction, &measure)) else { return row };
            let both = [usual, &cut].iter().all(|ended| ended.status == Status::Finished);
            let work = cut.run.work();
            CutRow {
                usual_status: usual.status,
                status: cut.status,
                usual_rows: usual.run.work().rows,
                rows: work.rows,
                usual_components: usual.components(),
                components: cut.components(),
                cut: measure.assumption.cuts.map(|_| work.cut as f64 / (work.cut + work.linearised).max(1) as f64),
                difference: both.then(|| largest_difference(&usual.run.state, &cut.run.state) / sheet.spacing),
                ..row
            }
        };
        self.measures().into_iter().map(of).collect()
    }

    fn ended(&self, sheet: &Sheet, friction: Friction, measure: &Measure) -> Result<Ended, ModelError> {
        let mut run = measure.assumption.run(sheet, friction, measure.threshold, measure.decompose)?;
        let status = RunWatch::followed(&mut run, sheet.step, self.0.duration.get()).status();
        Ok(Ended { run, status })
    }
}

/// Distance over h from the run without cuts.
const APART: Claimed<'static> = Claimed::of("B-CUTS", "apart");

/// How far away runs are that are lost, over h: farther than any other.
const LOST: f64 = 1e9;

/// What cuts by a measure at a limit come to.
struct Outcome {
    measure: String,
    limit: f64,
    /// Of the runs that are stable without cuts, those that stay so.
    stable: Estimate,
    /// Change of the RV count of those.
    change: Estimate,
    /// Differences over h, and the share of those that are small enough; runs that are lost lie [`LOST`] away.
    difference: Estimate,
    near: Estimate,
}

impl Outcome {
    fn of(measure: &str, limit: f64, rows: &[CutRow]) -> Option<Outcome> {
        let counted = || rows.iter().filter(|row| row.counts());
        let stable = || counted().filter(|row| row.is_stable());
        let changes = stable().filter(|row| row.usual_rows > 0).map(|row| row.rows as f64 / row.usual_rows as f64 - 1.0);
        let near = APART.ours()?;
        let differences: Vec<f64> = counted().map(|row| row.difference.unwrap_or(LOST)).collect();
        Some(Outcome {
            measure: measure.into(),
            limit,
            stable: share_of(counted().map(CutRow::is_stable))?,
            change: Estimate::median(&changes.collect::<Vec<_>>())?,
            difference: Estimate::median(&differences)?,
            near: share_of(differences.iter().map(|apart| *apart < near))?,
        })
    }
}

/// Every measure at every limit, in the order of the rows.
fn outcomes(rows: &[CutRow]) -> Vec<Outcome> {
    let grouped = grouped(rows.iter().map(|row| ((row.measure.clone(), row.limit), row.clone())));
    grouped.into_iter().filter_map(|((measure, limit), rows)| Outcome::of(&measure, limit, &rows)).collect()
}

/// What cuts come to, in a paragraph.
pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let outcomes = outcomes(&results.without_sets::<CutSheets>()?);
    let words = |Outcome { limit, stable, change, difference, .. }: &Outcome| {
        let apart = if difference.value < 0.5 * LOST { format!("{} h", short(difference.value)) } else { "lost".into() };
        format!("{limit} m/s {} of the rows, {} of the runs stable, {apart}", signed(change.value), percent(stable.value))
    };
    let speeds: Vec<String> = outcomes.iter().filter(|outcome| outcome.measure == SPEED).map(words).collect();
    let speeds = speeds.join("; ");
    let drift = outcomes.iter().find(|outcome| outcome.measure == WHOLE).map_or(LOST, |outcome| outcome.difference.value);
    Ok(format!(
        "Springs whose ends move at less than a speed relative to each other may be cut, explicit in that step: {speeds}, the \
         last number the median distance from the run without cuts; two runs without cuts that solve the same systems as a whole \
         and by components end {} h apart. What is slow is not what is soft: a sheet in free fall and one at rest are cut \
         throughout, and a stiff spring that is cut at rest grows unstable until its ends are fast enough, when it is joined \
         again, so that the speed bounds the noise that is left. Cutting along lines only, where something is separated, changes \
         little.",
        short(drift)
    ))
}

/// Stability, savings, differences and components against the threshold.
fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let outcomes = outcomes(&results.without_sets::<CutSheets>()?);
    let panels =
        [([SPEED, LINES].as_slice(), "relative speed [m/s]"), ([KAPPA].as_slice(), "kappa up to which springs are explicit")];
    let colors = [(SPEED, Palette::BLUE), (LINES, Palette::ORANGE), (KAPPA, Palette::GREEN)];
    let panel = |measures: &[&str], x: &str, y: Axis, value: fn(&Outcome) -> Estimate, at: f64| {
        let mut layers = vec![Layer::rule("", Palette::GREY, Direction::Horizontal, at)];
        for (measure, color) in colors.into_iter().filter(|(measure, _)| measures.contains(measure)) {
            let bars =
                outcomes.iter().filter(|outcome| outcome.measure == measure).map(|outcome| value(outcome).bar(outcome.limit));
            layers.extend(Layer::line_with_bars(measure, color, bars.collect()));
        }
        Panel::new(Axis::log(x), y, layers)
    };
    let numbers = [Claimed::of("B-CUTS", "stable"), Claimed::of("B-CUTS", "rows"), APART];
    let [least_stable, most_rows, near] = numbers.map(|number| number.ours().unwrap_or(f64::NAN));
    let mut all = vec![];
    for (measures, x) in panels {
        let stable = Axis::linear("share of sheets that stay stable").range(0.0, 1.0);
        all.push(panel(measures, x, stable, |outcome| outcome.stable, least_stable));
        all.push(panel(measures, x, Axis::linear("change of the RV count"), |outcome| outcome.change, most_rows));
        let share = Axis::linear(format!("share of sheets within {near} h")).range(0.0, 1.0);
        all.push(panel(measures, x, share, |outcome| outcome.near, 0.5));
    }
    let caption = format!(
        "Sheets in three scenes, decomposed, with springs cut in every step at whose start their ends move more slowly than so relative \
         to each other, or where they are softer than so: the share that stays stable, the median change of the RV count over these, and \
         the share that ends within {near} h of the run without cuts, each with its 95 % interval. Along lines springs stay implicit \
         where cutting them separates nothing. Grey: what the criterion asks for."
    );
    let figure = Figure::new("cuts", "Springs that are cut", caption, all);
    Ok(Figure { columns: 3, ..figure.with_one_legend() })
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let ranges = &ranges.cuts;
    Topic::of(CutSheets(ranges.clone())).plot("cuts", chart).checked(check_list(
        "cuts.duration",
        ranges.duration,
        &ranges.lists.step,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lost_lies_far_away() {
        let outcome = |lost: fn(usize) -> bool| {
            let row = |k: usize| {
                let row = CutRow { usual_status: Status::Finished, usual_rows: 100, rows: 80, ..CutRow::default() };
                let status = if lost(k) { Status::NotFinite } else { Status::Finished };
                CutRow { status, difference: (!lost(k)).then_some(0.05), ..row }
            };
            Outcome::of(SPEED, 0.1, &(0..40).map(row).collect::<Vec<_>>()).expect("rows that count")
        };
        let quarter = outcome(|k| k % 4 == 0);
        assert_eq!((quarter.stable.value, quarter.near.value, quarter.difference.value), (0.75, 0.75, 0.05));
        assert_eq!(outcome(|k| k % 4 > 0).difference.value, LOST);
    }
}
