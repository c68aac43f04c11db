//! The random sheets: their critical steps, and whether stability is monotone.

use cloth::lanes::{Sheet, Trial};
use kit::prelude::*;
use kit::ranges::Resolution;

use super::fringe::Pace;
use super::search::{Critical, Search};

ranges!(SheetRanges {
    //! Lists that sets are drawn from, and how they are searched.
    sets: Count,
    /// n, particles a side.
    side: List<Side>,
    /// h \[m\].
    spacing: List<Positive>,
    /// rho \[kg/m²\].
    density: List<Positive>,
    /// ks of stretch and of shear \[N/m\].
    stiffness: List<NonNegative>,
    /// kd of stretch and of shear \[N s/m\].
    damping: List<NonNegative>,
    /// Steps of a run.
    steps: Count,
    /// eta, the energy gain over the largest gravitational drop that counts as unstable \[-\].
    energy_margin: Positive,
    /// Ends of the search \[s\].
    bracket: Ends,
    /// Ratio of the ends at which the search stops \[-\].
    resolution: Resolution,
});

/// A random sheet.
#[derive(Clone, Debug)]
pub struct Case {
    pub side: usize,
    pub sheet: Sheet,
}

impl Case {
    /// Why there is no limit to look for, if so.
    pub fn skipped(&self) -> Option<&'static str> {
        let Sheet { stretch, shear, .. } = self.sheet;
        (stretch.stiffness == 0.0 && shear.stiffness == 0.0).then_some("no spring has any stiffness")
    }

    /// What it is made of, for a table.
    pub fn makeup(&self) -> Makeup {
        let sheet = &self.sheet;
        Makeup {
            density: sheet.density,
            stretch_stiffness: sheet.stretch.stiffness,
            shear_stiffness: sheet.shear.stiffness,
            stretch_damping: sheet.stretch.damping,
            shear_damping: sheet.shear.damping,
            mass: sheet.mass(),
        }
    }
}

/// The main group: the critical step of every set.
#[derive(Clone)]
pub struct Sheets {
    pub ranges: SheetRanges,
}

row! {
    /// What a sheet is made of.
    pub struct Makeup {
        /// rho, areal density \[kg/m²\]
        pub density: f64,
        /// ks of the springs to the nearest neighbours \[N/m\]
        pub stretch_stiffness: f64,
        /// ks of the springs to the diagonal neighbours \[N/m\]
        pub shear_stiffness: f64,
        /// kd of the springs to the nearest neighbours \[N s/m\]
        pub stretch_damping: f64,
        /// kd of the springs to the diagonal neighbours \[N s/m\]
        pub shear_damping: f64,
        /// m = rho h², mass of a particle \[kg\]
        pub mass: f64,
    }
}

row! {
    /// A set and its critical step.
    pub struct SheetRow {
        /// n, particles a side
        pub side: usize,
        /// h, mesh spacing \[m\]
        pub spacing: f64,
        /// what it is made of
        pub makeup: Makeup,
        /// its critical step
        pub critical: Critical,
        /// step at which the stiffer family's kappa is 1/2 \[s\]
        pub thesis_step: Option<f64>,
        /// step at which the sum of both families' kappa is 1: linear limit at rest \[s\]
        pub rest_step: Option<f64>,
        /// linear limit with all springs at the measured stretch \[s\]
        pub stretched_step: Option<f64>,
        /// runs of the bisection
        pub trials: u32,
    }
}

impl Sheets {
    /// A run of a set, its step open.
    pub fn trial(&self, case: &Case) -> Trial {
        Trial { sheet: case.sheet, dt: 0.0, steps: self.ranges.steps.get(), energy_margin: self.ranges.energy_margin.get() }
    }

    fn row(&self, case: &Case, search: Option<&Search>) -> SheetRow {
        let sheet = &case.sheet;
        let (critical, linearised) = (case.critical(search), sheet.linearised());
        let has_limit = search.is_some();
        SheetRow {
            side: case.side,
            spacing: sheet.spacing,
            makeup: case.makeup(),
            thesis_step: has_limit.then(|| linearised.thesis_step()),
            rest_step: has_limit.then(|| linearised.rest_step()),
            stretched_step: critical.stretch.map(|stretch| linearised.stretched_step(stretch.max(1.0))),
            critical,
            trials: search.map_or(0, |search| search.trials),
        }
    }
}

impl Group for Sheets {
    const NAME: &'static str = "sheets";
    const ABOUT: &'static str = "critical step of random sheets, by bisection, and how ragged it is";
    const BLOCK: usize = 40;
    type Case = Case;
    type Row = SheetRow;

    fn sets(&self) -> u64 {
        self.ranges.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Case {
        let ranges = &self.ranges;
        let side = pick(stream, ranges.side.values()).get() as usize;
        let spacing = pick(stream, ranges.spacing.values()).get();
        let density = pick(stream, ranges.density.values()).get();
        let [stretch_stiffness, shear_stiffness] = [(); 2].map(|()| pick(stream, ranges.stiffness.values()).get());
        let [stretch_damping, shear_damping] = [(); 2].map(|()| pick(stream, ranges.damping.values()).get());
        let sheet = Sheet {
            spacing,
            density,
            stretch: Elastic { stiffness: stretch_stiffness, damping: stretch_damping },
            shear: Elastic { stiffness: shear_stiffness, damping: shear_damping },
            damping: DampingForm::Projected,
            extension_tolerance: 1e-12,
            mass_by_area: false,
        };
        Case { side, sheet }
    }

    fn kin(&self, case: &Case) -> u64 {
        case.side as u64
    }

    fn measure(&self, case: &Case) -> Vec<SheetRow> {
        self.measure_alone(case)
    }

    fn measure_block(&self, cases: &[Case], done: &mut dyn FnMut(usize, Vec<SheetRow>)) {
        let (skipped, searched): (Vec<_>, Vec<_>) = cases.iter().enumerate().partition(|(_, case)| case.skipped().is_some());
        for (k, case) in skipped {
            done(k, vec![self.row(case, None)]);
        }
        let trials = searched.iter().map(|(k, case)| (*k, self.trial(case)));
        self.search(cases[0].side, trials, Pace::Fine, |search| {
            done(search.index, vec![self.row(&cases[search.index], Some(&search))])
        });
    }
}

/// Ends of the range of critical kappa.
pub const RANGE: [Claimed<'static>; 2] = [Claimed::of("B-KAPPA-RANGE", "smallest"), Claimed::of("B-KAPPA-RANGE", "largest")];
pub const KAPPA: &str = "critical numerical stiffness  κ  [–]";
/// Critical kappa of the sets that have one.
pub fn kappas(rows: &[Row<SheetRow>]) -> Vec<f64> {
    rows.iter().filter_map(|row| row.row.critical.critical_kappa).collect()
}

/// Heights of a histogram over equal parts of the logarithm, with its edges.
fn log_histogram(values: &[f64], from: f64, to: f64, bins: usize) -> (Vec<f64>, Vec<f64>) {
    let edge = |k: usize| from * libm::pow(to / from, k as f64 / bins as f64);
    let edges: Vec<f64> = (0..=bins).map(edge).collect();
    let count = |pair: &[f64]| values.iter().filter(|value| (pair[0]..pair[1]).contains(value)).count() as f64;
    let heights = edges.windows(2).map(count).collect();
    (edges, heights)
}

/// Histogram of critical kappa.
pub fn critical_stiffness(results: &Results) -> Result<Figure, ResultsError> {
    let kappas = kappas(&results.rows::<Sheets>()?);
    let (edges, heights) = log_histogram(&kappas, 0.1, 10.0, 60);
    let [least, most] = RANGE.map(Claimed::published);
    let layers = vec![
        Layer::band(RANGE[0].label(), Palette::GREY, Direction::Vertical, least, most),
        Layer::bars("measured", Palette::BLUE, edges, heights),
        Layer::rule("criterion of the thesis, κ = 1/2", Palette::VERMILLION, Direction::Vertical, 0.5),
    ];
    let panel = Panel::new(Axis::log(KAPPA).range(0.1, 10.0), Axis::linear("sets"), layers);
    let caption = "How many of the random sheets become unstable at which numerical stiffness. The criterion of the thesis promises \
                   stability to the left of the dashed line.";
    Ok(Figure::new("critical-stiffness", "Numerical stiffness at the largest stable step", caption, vec![panel]))
}

/// Critical against predicted step, a panel a prediction.
pub fn predictions(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Sheets>()?;
    let panel = |title: &str, predicted: fn(&SheetRow) -> Option<f64>| {
        let points = rows.iter().filter_map(|row| {
            let predicted = predicted(&row.row)?;
            Some([predicted, row.row.critical.critical_step? / predicted])
        });
        let layers = vec![
            Layer::points("sets", Palette::BLUE, points.collect()).marker(Marker::OpenCircle),
            Layer::rule("measured = predicted", Palette::VERMILLION, Direction::Horizontal, 1.0),
        ];
        Panel::new(Axis::log("predicted step  [s]"), Axis::log("critical step, measured / predicted"), layers)
            .titled(title)
            .legend_outside()
    };
    let caption = "What was measured over what was predicted: by the criterion of the thesis, and by the linear limits of a sheet whose \
                   springs act along their axis only, at rest and at the stretch that was measured.";
    let panels = vec![
        panel("thesis: largest κ ≤ 1/2", |row| row.thesis_step),
        panel("linear, at rest: sum of κ ≤ 1", |row| row.rest_step),
        panel("linear, at the measured stretch", |row| row.stretched_step),
    ];
    Ok(Figure::new("predictions", "Critical step against three predictions", caption, panels).with_one_y())
}

/// Critical kappa against stretch: who violates the criterion.
pub fn violators(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Sheets>()?;
    let points = |violates: bool| -> Vec<[f64; 2]> {
        let measured =
            rows.iter().filter_map(|Row { row, .. }| Some([row.critical.stretch? - 1.0, row.critical.critical_kappa?]));
        measured.filter(|point| (point[1] < 0.5) == violates).collect()
    };
    let layers = vec![
        Layer::rule("criterion of the thesis, κ = 1/2", Palette::GREY, Direction::Horizontal, 0.5),
        Layer::rule("strain of 20 %", Palette::GREY, Direction::Vertical, 0.2).dash(Dash::Dotted),
        Layer::points("criterion holds", Palette::BLUE, points(false)),
        Layer::points("criterion violated", Palette::VERMILLION, points(true)).marker(Marker::Triangle),
    ];
    let panel = Panel::new(Axis::log("largest strain in the last stable run  [–]"), Axis::log(KAPPA), layers);
    let caption = "Each set by the largest strain of any of its springs in its last stable run. Sheets at the left hardly moved; those \
                   without any strain have no place on the axis.";
    Ok(Figure::new("violators", "Sheets that violate the criterion are those that stretch", caption, vec![panel]))
}

/// How far from each limit a step is unstable below it or stable above.
pub fn fringe(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Sheets>()?;
    let is_ragged = |row: &Critical| row.bounds.width().map(|width| width > 1.0);
    let points = |step: fn(&Critical) -> Option<f64>| -> Vec<[f64; 2]> {
        let ragged = rows.iter().map(|row| &row.row.critical).filter(|row| is_ragged(row) == Some(true));
        ragged.filter_map(|row| Some([row.critical_kappa?, step(row)? / row.critical_step?])).collect()
    };
    let even = rows.iter().map(|row| &row.row.critical).filter(|row| is_ragged(row) == Some(false));
    let even: Vec<[f64; 2]> = even.filter_map(|row| Some([row.critical_kappa?, 1.0])).collect();
    let layers = vec![
        Layer::rule("criterion of the thesis, κ = 1/2", Palette::GREY, Direction::Vertical, 0.5),
        Layer::points("limit sharp to 0.5 %", Palette::BLACK, even).marker(Marker::OpenCircle),
        Layer::points("largest stable step", Palette::BLUE, points(|row| row.bounds.largest_stable)),
        Layer::points("smallest unstable step", Palette::VERMILLION, points(|row| row.bounds.smallest_unstable))
            .marker(Marker::Triangle),
    ];
    let panel = Panel::new(Axis::log(KAPPA), Axis::log("step over the critical one  [–]"), layers);
    let caption = "Steps of 0.5 % about each critical step. Where stability is monotone in the step the two bounds meet; elsewhere some \
                   step above is stable or some step below is not, and bisection finds one of several limits.";
    Ok(Figure::new("fringe", "How sharp the limits are", caption, vec![panel]))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Sheets { ranges: ranges.sheets.clone() })
        .plot("critical-stiffness", critical_stiffness)
        .plot("predictions", predictions)
        .plot("violators", violators)
        .plot("fringe", fringe)
}
