//! Random sheets.

use kit::prelude::*;

use super::fall::{Damping, Fall, LATE};
use super::runs::{RunRow, row, weight};
use super::scene::{COLORS, LINE_FROM, SceneRanges};
use super::trio::{DAMPINGS, LOSS, Measure, trios};

ranges!(SetRanges {
    //! Lists that random sheets are drawn from.
    sets: Count,
    /// n, particles a side.
    side: List<Side>,
    /// h \[m\].
    spacing: List<Positive>,
    /// rho \[kg/m²\].
    density: List<Positive>,
    /// ks of stretch and of shear \[N/m\].
    stiffness: List<NonNegative>,
    /// kb \[N/m\].
    bend: List<NonNegative>,
    /// kd of both dampings \[N s/m\].
    damping: List<NonNegative>,
    /// dt \[s\].
    step: List<Positive>,
});

/// Random sheets, each without damping and with both dampings of equal kd, with both readings of the tolerance.
pub struct Sets {
    /// The printed scene.
    pub scene: SceneRanges,
    /// What is drawn.
    pub ranges: SetRanges,
}

impl Group for Sets {
    const NAME: &'static str = "sets";
    const ABOUT: &'static str = "random sheets without damping and with both dampings of equal coefficient, a run a row";
    type Case = Fall;
    type Row = RunRow;

    fn sets(&self) -> u64 {
        self.ranges.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Fall {
        let ranges = &self.ranges;
        let side = pick(stream, ranges.side.values()).get() as usize;
        let spacing = pick(stream, ranges.spacing.values()).get();
        let density = pick(stream, ranges.density.values()).get();
        let stiffness = [(); 2].map(|()| pick(stream, ranges.stiffness.values()).get());
        let bend = pick(stream, ranges.bend.values()).get();
        let damping = Damping::Projected(pick(stream, ranges.damping.values()).get());
        let step = pick(stream, ranges.step.values()).get();
        let time_scale = (spacing * (side - 1) as f64).sqrt(); // as a pendulum of the side's length, over 1 m
        let settings = self.scene.settings();
        Fall {
            side,
            spacing,
            density,
            stiffness,
            bend,
            line_from: LINE_FROM,
            damping,
            step,
            time_scale,
            settings,
            bends_explicitly: false,
            heights: vec![],
        }
    }

    fn kin(&self, case: &Fall) -> u64 {
        weight(case)
    }

    fn measure(&self, fall: &Fall) -> Vec<RunRow> {
        let kd = fall.damping.coefficient();
        let mut rows = vec![];
        for settings in [fall.settings, self.scene.printed_settings()] {
            for damping in [Damping::None, Damping::Plain(kd), Damping::Projected(kd)] {
                let run = Fall { damping, settings, ..fall.clone() };
                rows.push(row("kd", &format!("{kd} N s/m"), &run, self.scene.energy_margin.get()));
            }
        }
        rows
    }
}

/// Random sheets: loss and oscillation with both dampings over those without.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Sets>()?;
    let trios = trios(&rows);
    let solver = trios.first().map_or("", |([first, ..], _)| first.solver.as_str());
    let carrying: Vec<_> = trios.iter().filter(|([first, ..], _)| first.solver == solver).collect();
    let panel = |y: Axis, value: fn(&Measure) -> f64, band: Option<Layer>| {
        let rule = Layer::rule("as without damping", Palette::GREY, Direction::Horizontal, 1.0).dash(Dash::Dotted);
        let mut layers: Vec<Layer> = band.into_iter().chain([rule]).collect();
        for (k, damping) in DAMPINGS.iter().enumerate().skip(1) {
            let points = carrying.iter().filter_map(|(rows, trio)| {
                let (row, runs) = (rows[k], trio.finished()?);
                let scheme = row.step * row.stretch_stiffness.max(row.shear_stiffness);
                Some([row.coefficient / scheme, value(&runs[k]) / value(&runs[0])])
            });
            let marker = if k == 1 { Marker::OpenTriangle } else { Marker::OpenCircle };
            layers.push(Layer::points(*damping, COLORS[k], points.collect()).marker(marker));
        }
        Panel::new(Axis::log("coefficient over that of the scheme,  kd / (dt ks)  [–]"), y, layers).legend_outside()
    };
    let caption = "Each set of which all three runs finished, with tol = c dt. Backward Euler damps a spring as a damper of dt ks does. \
                   Where plain damping loses less than none the sheet hardly falls.";
    let panels = vec![
        panel(
            Axis::log("loss, damped / undamped  [–]"),
            |run| run.late,
            LOSS.direction_band(Direction::Horizontal, |ratio| ratio),
        ),
        panel(
            Axis::log("oscillation, damped / undamped  [–]").range(2e-3, 20.0),
            |run| run.oscillation,
            Claimed::of("B-DAMP-PROJ", "oscillation").size_band(Direction::Horizontal),
        ),
    ];
    Ok(Figure::new("sets", "Random sheets with both dampings of equal coefficient", caption, panels))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let SetRanges { spacing, side, step, .. } = &ranges.sets;
    let spacing = spacing.values().iter().map(|spacing| spacing.get()).fold(0.0, f64::max);
    let side = side.values().iter().map(|side| side.get() - 1).max().unwrap_or(1);
    let time = LATE * (spacing * f64::from(side)).sqrt(); // as a pendulum of the side's length
    let checked = [("sets.step", LATE), ("sets.spacing", time)]
        .into_iter()
        .map(|(key, time)| step.values().iter().try_for_each(|step| check_steps(key, time, step.get())));
    Topic::of(Sets { scene: ranges.scene.clone(), ranges: ranges.sets.clone() }).plot("sets", chart).checked(checked.collect())
}
