//! The charts of the study, each from its tables alone.

use lab::prelude::*;
use std::collections::BTreeMap;

use chart::{Axis, Corner, Dash, Direction, Figure, Layer, Marker, Palette, Panel};
use cloth::stability::{least_damping, stability_boundary};
use lab::judge::statistics::{power_law, quantile};

use super::amplification::Row as SpringRow;
use super::amplification::Springs;
use super::bar::Bars;
use super::bar::Row as BarRow;
use super::draws::Draws;
use super::readings::Readings;
use super::regions::{Cell, Regions, Scheme};
use super::sheets::{SheetRow, Sheets};
use crate::published::{Curve, STUYCK};

/// Ends of the published range of critical kappa \[Boxerman 2003, 4.1.3\].
pub const PUBLISHED: [f64; 2] = [0.35, 2.69];

const KAPPA: &str = "critical numerical stiffness  κ  [–]";

/// Critical kappa of the sets that have one.
pub fn kappas(rows: &[Row<SheetRow>]) -> Vec<f64> {
    rows.iter().filter_map(|row| row.row.critical_kappa).collect()
}

/// Heights of a histogram over equal parts of the logarithm, with its edges.
fn log_histogram(values: &[f64], from: f64, to: f64, bins: usize) -> (Vec<f64>, Vec<f64>) {
    let edge = |k: usize| from * libm::pow(to / from, k as f64 / bins as f64);
    let edges: Vec<f64> = (0..=bins).map(edge).collect();
    let count = |pair: &[f64]| values.iter().filter(|value| (pair[0]..pair[1]).contains(value)).count() as f64;
    let heights = edges.windows(2).map(count).collect();
    (edges, heights)
}

/// Smallest and largest.
fn extent(values: impl Iterator<Item = f64>) -> [f64; 2] {
    values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| [value.min(low), value.max(high)])
}

/// Histogram of critical kappa.
pub fn critical_stiffness(results: &Results) -> Result<Figure, ResultsError> {
    let kappas = kappas(&results.rows::<Sheets>()?);
    let (edges, heights) = log_histogram(&kappas, 0.1, 10.0, 60);
    let panel = Panel::new(
        Axis::log(KAPPA).range(0.1, 10.0),
        Axis::linear("sets"),
        vec![
            Layer::band("published (Boxerman 2003, 4.1.3)", Palette::GREY, Direction::Vertical, PUBLISHED[0], PUBLISHED[1]),
            Layer::bars("measured", Palette::BLUE, edges, heights),
            Layer::rule("criterion of the thesis, κ = 1/2", Palette::VERMILLION, Direction::Vertical, 0.5),
        ],
    );
    Ok(Figure::new(
        "critical-stiffness",
        "Numerical stiffness at the largest stable step",
        "How many of the random sheets become unstable at which numerical stiffness. The criterion of the thesis promises \
         stability to the left of the dashed line.",
        vec![panel],
    ))
}

/// Critical against predicted step, a panel a prediction.
pub fn predictions(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Sheets>()?;
    let panel = |title: &str, predicted: fn(&SheetRow) -> Option<f64>| {
        let points = rows.iter().filter_map(|row| Some([predicted(&row.row)?, row.row.critical_step?]));
        let points: Vec<[f64; 2]> = points.collect();
        let ends = extent(points.iter().map(|point| point[0]));
        let layers = vec![
            Layer::points("sets", Palette::BLUE, points),
            Layer::line("measured = predicted", Palette::VERMILLION, ends.map(|x| [x, x]).to_vec()),
        ];
        let mut panel =
            Panel::new(Axis::log("predicted step  [s]"), Axis::log("critical step, measured  [s]"), layers).titled(title);
        panel.legend = Corner::UpperLeft;
        panel
    };
    Ok(Figure::new(
        "predictions",
        "Critical step against three predictions",
        "The criterion of the thesis, and the linear limits of a sheet whose springs act along their axis only, at rest and at \
         the stretch that was measured.",
        vec![
            panel("thesis: largest κ ≤ 1/2", |row| row.thesis_step),
            panel("linear, at rest: sum of κ ≤ 1", |row| row.rest_step),
            panel("linear, at the measured stretch", |row| row.stretched_step),
        ],
    ))
}

/// Critical kappa against stretch: who violates the criterion.
pub fn violators(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Sheets>()?;
    let points = |violates: bool| -> Vec<[f64; 2]> {
        let measured = rows.iter().filter_map(|row| Some([row.row.stretch? - 1.0, row.row.critical_kappa?]));
        measured.filter(|point| (point[1] < 0.5) == violates).collect()
    };
    let panel = Panel::new(
        Axis::log("largest strain in the last stable run  [–]"),
        Axis::log(KAPPA),
        vec![
            Layer::rule("criterion of the thesis, κ = 1/2", Palette::GREY, Direction::Horizontal, 0.5),
            Layer::rule("strain of 20 %", Palette::GREY, Direction::Vertical, 0.2).dash(Dash::Dotted),
            Layer::points("criterion holds", Palette::BLUE, points(false)),
            Layer::points("criterion violated", Palette::VERMILLION, points(true)).marker(Marker::Triangle),
        ],
    );
    Ok(Figure::new(
        "violators",
        "Sheets that violate the criterion are those that stretch",
        "Each set by the largest strain of any of its springs in its last stable run. Sheets at the left hardly moved; those without any \
         strain have no place on the axis.",
        vec![panel],
    ))
}

/// How far from each limit a step is unstable below it or stable above.
pub fn fringe(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Sheets>()?;
    let points = |step: fn(&SheetRow) -> Option<f64>| -> Vec<[f64; 2]> {
        let ragged = rows.iter().map(|row| &row.row).filter(|row| row.is_ragged() == Some(true));
        ragged.filter_map(|row| Some([row.critical_kappa?, step(row)? / row.critical_step?])).collect()
    };
    let even = rows.iter().map(|row| &row.row).filter(|row| row.is_ragged() == Some(false));
    let even: Vec<[f64; 2]> = even.filter_map(|row| Some([row.critical_kappa?, 1.0])).collect();
    let panel = Panel::new(
        Axis::log(KAPPA),
        Axis::log("step over the critical one  [–]"),
        vec![
            Layer::rule("criterion of the thesis, κ = 1/2", Palette::GREY, Direction::Vertical, 0.5),
            Layer::points("limit sharp to 0.5 %", Palette::BLACK, even).marker(Marker::OpenCircle),
            Layer::points("largest stable step", Palette::BLUE, points(|row| row.largest_stable)),
            Layer::points("smallest unstable step", Palette::VERMILLION, points(|row| row.smallest_unstable))
                .marker(Marker::Triangle),
        ],
    );
    Ok(Figure::new(
        "fringe",
        "How sharp the limits are",
        "Steps of 0.5 % about each critical step. Where stability is monotone in the step the two bounds meet; elsewhere some step above is \
         stable or some step below is not, and bisection finds one of several limits.",
        vec![panel],
    ))
}

/// Both ends of the range of critical kappa, a draw of the lists each.
pub fn draws(results: &Results) -> Result<Figure, ResultsError> {
    let mut draws = vec![kappas(&results.rows::<Sheets>()?)];
    for Row { row, .. } in results.rows::<Draws>()? {
        let place = row.draw as usize;
        draws.resize(draws.len().max(place + 1), vec![]);
        draws[place].extend(row.critical_kappa);
    }
    let points = |p: f64| -> Vec<[f64; 2]> {
        draws.iter().enumerate().filter_map(|(draw, sample)| Some([draw as f64 + 1.0, quantile(sample, p)?])).collect()
    };
    let names: Vec<String> = (1..=draws.len()).map(|draw| format!("draw {draw}")).collect();
    let layers = vec![
        Layer::band("within 25 % of 0.35", Palette::SKY, Direction::Horizontal, 0.75 * PUBLISHED[0], 1.25 * PUBLISHED[0]),
        Layer::band("within 25 % of 2.69", Palette::SKY, Direction::Horizontal, 0.75 * PUBLISHED[1], 1.25 * PUBLISHED[1]),
        Layer::rule("published, 0.35 and 2.69", Palette::GREY, Direction::Horizontal, PUBLISHED[0]),
        Layer::rule("published, 0.35 and 2.69", Palette::GREY, Direction::Horizontal, PUBLISHED[1]),
        Layer::points("smallest", Palette::VERMILLION, points(0.0)),
        Layer::points("1st percentile", Palette::VERMILLION, points(0.01)).marker(Marker::OpenCircle),
        Layer::points("99th percentile", Palette::BLUE, points(0.99)).marker(Marker::OpenCircle),
        Layer::points("largest", Palette::BLUE, points(1.0)),
    ];
    let panel = Panel::new(Axis::categories("", names), Axis::log(KAPPA), layers).legend_outside();
    Ok(Figure::new(
        "draws",
        "The range of critical stiffness in six draws of the lists",
        "Smallest and largest critical kappa and the middle 98 %, of as many sheets in each draw. The first is that of the main group.",
        vec![panel],
    ))
}

/// Critical kappa under each reading: median and the middle 98 %.
pub fn readings(results: &Results) -> Result<Figure, ResultsError> {
    let main = kappas(&results.rows::<Sheets>()?);
    let mut names = vec!["as in the main group".to_owned()];
    let mut samples = BTreeMap::from([(names[0].clone(), main)]);
    for row in results.rows::<Readings>()? {
        if !names.contains(&row.row.reading) {
            names.push(row.row.reading.clone());
        }
        samples.entry(row.row.reading).or_default().extend(row.row.critical_kappa);
    }
    let (mut middles, mut ends) = (vec![], vec![]);
    for (place, name) in names.iter().enumerate() {
        let sample = samples.get(name).map_or(&[][..], Vec::as_slice);
        let x = place as f64 + 1.0;
        if let [Some(least), Some(low), Some(middle), Some(high), Some(most)] =
            [0.0, 0.01, 0.5, 0.99, 1.0].map(|p| quantile(sample, p))
        {
            middles.push([x, middle, low, high]);
            ends.extend([[x, least], [x, most]]);
        }
    }
    let layers = vec![
        Layer::rule("criterion of the thesis, κ = 1/2", Palette::VERMILLION, Direction::Horizontal, 0.5),
        Layer::error_bars("median and middle 98 %", Palette::BLUE, middles),
        Layer::points("extremes", Palette::BLUE, ends).marker(Marker::OpenCircle),
    ];
    let panel = Panel::new(Axis::categories("reading", names), Axis::log(KAPPA), layers);
    Ok(Figure::new(
        "readings",
        "How the range moves with thresholds and assumptions",
        "Median and the middle 98 % of critical kappa under each reading; open circles are the extremes.",
        vec![panel],
    ))
}

/// Order of the panels of regions: explicit springs above, implicit schemes below.
const PANELS: [Scheme; 7] = [
    Scheme::ForwardEuler,
    Scheme::Rk4,
    Scheme::FbEuler,
    Scheme::Sbdf2,
    Scheme::BackwardEuler,
    Scheme::ImplicitMidpoint,
    Scheme::Bdf2,
];

/// A panel of cells a scheme, with what is known of its boundary.
pub fn regions(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Regions>()?;
    let panels = PANELS.into_iter().map(|scheme| {
        let cells: Vec<&Cell> = rows.iter().map(|row| &row.row).filter(|cell| cell.scheme == scheme.name()).collect();
        let size = cells.windows(2).map(|pair| pair[1].x - pair[0].x).find(|size| *size > 0.0).unwrap_or(1.0);
        let stable = cells.iter().filter(|cell| cell.radius.is_some_and(|radius| radius <= 1.0 + 1e-9));
        let mirrored = !scheme.splits();
        let centres = stable.flat_map(|cell| [[cell.x, cell.y], [cell.x, if mirrored { -cell.y } else { cell.y }]]);
        let mut centres: Vec<[f64; 2]> = centres.collect();
        centres.sort_by(|a, b| a[1].total_cmp(&b[1]).then(a[0].total_cmp(&b[0])));
        centres.dedup();
        let ends = |pick: fn(&Cell) -> f64| {
            let [low, high] = extent(cells.iter().map(|cell| pick(cell)));
            (low - 0.5 * size, high + 0.5 * size)
        };
        let (mut x, mut y) = (ends(|cell| cell.x), ends(|cell| cell.y));
        if mirrored {
            y.0 = -y.1;
        }
        let labels =
            if mirrored { ["Re(λ dt)  [–]", "Im(λ dt)  [–]"] } else { ["ω dt  [–]", "damping ratio  ζ  [–]"] };
        let color = if mirrored { Palette::BLUE } else { Palette::GREEN };
        let mut layers = vec![Layer::cells("stable", color, [size, size], centres)];
        layers.extend(boundaries(scheme, y.1));
        if let (Scheme::ForwardEuler, Some(of_book)) =
            (scheme, Curve::new(STUYCK, "3.2", "real axis of the picture").values().first())
        {
            // the book's picture reaches further to the right
            let measured = x.1;
            x.1 = x.1.max(of_book.y.high);
            layers.push(Layer::band("not measured", Palette::GREY, Direction::Vertical, measured, x.1));
        }
        let [x, y] = [(labels[0], x), (labels[1], y)].map(|(label, (from, to))| Axis::linear(label).range(from, to));
        let mut panel = Panel::new(x, y, layers).titled(scheme.name());
        panel.equal_aspect = true;
        panel.legend = Corner::Outside;
        panel
    });
    let mut figure = Figure::new(
        "regions",
        "Regions of stability",
        "Where the amplification matrix, found by stepping the scheme itself, has no eigenvalue beyond one: in the plane of the test \
         equation, or, for forward-backward Euler and SBDF2 with an explicit spring, which have no region there, in the plane of the \
         damped oscillator. The dashed line is the criterion of the adaptive SBDF2: a spring whose stiffest mode lies above it may be \
         explicit. Figure 3.2 of Stuyck is that of forward Euler, its real axis from -3 to 3.",
        panels.collect(),
    );
    figure.columns = 2;
    Ok(figure)
}

/// Lines on the boundary of a scheme's region, up to the damping ratio `most`.
fn boundaries(scheme: Scheme, most: f64) -> Vec<Layer> {
    let turn = || (0..=180).map(|k| f64::from(k) * std::f64::consts::PI / 90.0).map(|t| [libm::cos(t), libm::sin(t)]);
    let line = |label: &str, points: Vec<[f64; 2]>| Layer::line(label, Palette::BLACK, points);
    // (omega dt, zeta) of a = (omega dt)², b = 2 zeta omega dt
    let place = |[a, b]: [f64; 2]| [a.sqrt(), 0.5 * b / a.sqrt()];
    match scheme {
        Scheme::ForwardEuler => vec![line("unit disk about −1", turn().map(|[c, s]| [c - 1.0, s]).collect())],
        Scheme::BackwardEuler => vec![line("unit disk about 1", turn().map(|[c, s]| [c + 1.0, s]).collect())],
        Scheme::ImplicitMidpoint => {
            vec![Layer::rule("imaginary axis", Palette::BLACK, Direction::Vertical, 0.0).dash(Dash::Solid)]
        }
        Scheme::Rk4 => vec![],
        // 3/2 - 2 / λ + 1 / (2 λ²) for |λ| = 1
        Scheme::Bdf2 => {
            let locus = turn().map(|[c, s]| [1.5 - 2.0 * c + 0.5 * (c * c - s * s), 2.0 * s - c * s]);
            vec![line("3/2 − 2/λ + 1/(2 λ²), |λ| = 1", locus.collect())]
        }
        // a + 2 b = 4; where it meets b = 2 too
        Scheme::FbEuler => {
            let limit = (40..=200).map(|k| f64::from(k) * 0.01).map(|s| [s, (4.0 - s * s) / (4.0 * s)]);
            vec![line("(ω dt)² + 4 ζ ω dt = 4", limit.filter(|[_, zeta]| *zeta <= most).collect())]
        }
        Scheme::Sbdf2 => {
            let below = (0..=200).map(|k| place(stability_boundary(1e-6 + (2.0 - 1e-6) * f64::from(k) / 200.0)));
            // then a + 4 b = 16/3 to the left, from a = 112/27
            let above = (1..=100).map(|k| 112.0 / 27.0 * libm::pow(0.95, f64::from(k)));
            let above = above.map(|a| place([a, (16.0 / 3.0 - a) / 4.0])).filter(|[_, zeta]| *zeta <= most);
            // H(a) as far as that line, which it meets where (a - 1/16) / 8 = (16/3 - a) / 4
            let end = (32.0 / 3.0 + 1.0 / 16.0) / 3.0;
            let criterion = (1..=200).map(|k| end * f64::from(k) / 200.0).map(|a| place([a, least_damping(a)]));
            vec![line("|λ| = 1", below.chain(above).collect()), line("criterion", criterion.collect()).dash(Dash::Dashed)]
        }
    }
}

/// Frequency and decay of the bar's modes against the continuum.
pub fn bar(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Bars>()?;
    let mut by_mesh: BTreeMap<usize, Vec<&BarRow>> = BTreeMap::new();
    for row in &rows {
        by_mesh.entry(row.row.segments).or_default().push(&row.row);
    }
    let panel = |label: &str, pair: fn(&BarRow) -> Option<[f64; 2]>| {
        let mut layers = vec![];

        for (k, (segments, rows)) in by_mesh.iter().enumerate() {
            let points: Vec<[f64; 2]> = rows.iter().filter_map(|row| pair(row)).collect();

            let marker = [Marker::Circle, Marker::Triangle, Marker::Square, Marker::Diamond][k % 4];
            layers.push(Layer::points(format!("{segments} segments"), Palette::series(k), points).marker(marker));
        }
        let ends = extent(rows.iter().filter_map(|row| Some(pair(&row.row)?[0])));
        layers.insert(0, Layer::line("particles = continuum", Palette::GREY, ends.map(|x| [x, x]).to_vec()));
        Panel::new(
            Axis::log(format!("{label} of the continuum  [1/s]")),
            Axis::log(format!("{label} of the particles  [1/s]")),
            layers,
        )
    };
    let error = {
        let mut layers = vec![];
        for (k, ends) in ["fixed-fixed", "fixed-free", "free-free"].into_iter().enumerate() {
            let first = rows.iter().map(|row| &row.row).filter(|row| row.ends == ends && row.mode == 1);
            let points = first
                .filter_map(|row| Some([1.0 / row.segments as f64, (row.frequency? / row.continuum_frequency? - 1.0).abs()]));
            let marker = [Marker::Circle, Marker::OpenTriangle, Marker::OpenSquare][k];
            let points: Vec<[f64; 2]> = points.collect();
            if let Some(law) = power_law("bar chart", &points) {
                let ends = extent(points.iter().map(|point| point[0]));
                let line = ends.map(|x| [x, law.at(x)]).to_vec();
                layers.push(Layer::line(format!("power {:.2} of h", law.exponent), Palette::BLACK, line).dash(Dash::Dashed));
            }
            layers.push(Layer::points(format!("{ends}, mode 1"), Palette::series(k), points).marker(marker));
        }
        Panel::new(Axis::log("mesh spacing over length  h / L  [–]"), Axis::log("relative error of the frequency  [–]"), layers)
    };
    Ok(Figure::new(
        "bar",
        "The chain of particles and the bar that it stands for",
        "Damped frequency and decay of the slowest modes of a bar cut into springs with EA = ks h and beta = kd h, against the \
         differential equation, and how the error of the slowest mode falls with the mesh.",
        vec![
            panel("frequency", |row| Some([row.continuum_frequency?, row.frequency?])),
            panel("decay", |row| Some([row.continuum_decay, row.decay?])),
            error,
        ],
    ))
}

/// Amplification of one spring: measured against the corrected and the printed formulas.
pub fn amplification(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Springs>()?;
    let panels = ["forward Euler", "FB Euler", "backward Euler"].into_iter().map(|scheme| {
        let points = |value: fn(&SpringRow) -> f64| -> Vec<[f64; 2]> {
            let pairs = rows.iter().map(|row| &row.row).filter(|row| row.scheme == scheme && row.oscillates);
            pairs.map(|row| [row.measured, value(row)]).collect()
        };
        let ends = extent(points(|row| row.theory).into_iter().map(|point| point[0]));
        let layers = vec![
            Layer::points("as printed, m = 1", Palette::ORANGE, points(|row| row.printed)).marker(Marker::Cross),
            Layer::points("corrected", Palette::BLUE, points(|row| row.theory)).marker(Marker::OpenCircle),
            Layer::line("formula = measured", Palette::GREY, ends.map(|x| [x, x]).to_vec()),
        ];
        let margin = 0.05 * (ends[1] - ends[0]).max(0.1);
        let axis = |label: &str| Axis::linear(label).range(ends[0] - margin, ends[1] + margin);
        Panel::new(axis("measured amplification  |λ|  [–]"), axis("formula  [–]"), layers).titled(scheme).legend_outside()
    });
    Ok(Figure::new(
        "amplification",
        "Amplification of one mass on one spring",
        "Each random spring that oscillates: the amplification of a step as measured, against the thesis' expression as printed \
         and against the corrected one (masses restored, square root taken).",
        panels.collect(),
    ))
}
