//! The charts of the study, each from its tables alone.

use chart::{Axis, Body, Color, Corner, Direction, Figure, Layer, Marker, Mesh, Palette, Panel, Snapshot, Solid, View, Wires};
use lab::judge::statistics::{Interval, mean};
use lab::prelude::*;

use super::assumptions::{AS_PRINTED, CONVERGED, GROUND, SCENES, Scene, USUAL};
use super::runs::{Counting, RunRow};
use super::scenes::{BlockRow, LENGTH, PATTERN_SIDE, Particle, ParticleRow, Particles, Pattern, SHOWN};
use super::time_verdicts::{PUBLISHED_TIMES, on_sphere, overheads};
use super::verdicts::{Compared, by_reading, changes, in_scene};
use crate::published::{BOXERMAN, Curve};
use crate::sheets::Configuration;

/// A value for each size of sheet: n and the mean of what the sets that finished give.
fn by_size(rows: &[RunRow], value: impl Fn(&RunRow) -> Option<f64>) -> Vec<[f64; 2]> {
    let mut sides: Vec<usize> = rows.iter().map(|row| row.side).collect();
    sides.sort_unstable();
    sides.dedup();
    let of = |side: usize| {
        let rows = rows.iter().filter(|row| row.side == side && row.is_finished());
        Some([(side * side) as f64, mean(&rows.filter_map(&value).collect::<Vec<_>>())?])
    };
    sides.into_iter().filter_map(of).collect()
}

/// A panel for each scene.
fn panels(results: &Results, panel: impl Fn(&Scene, Vec<RunRow>) -> Panel) -> Result<Vec<Panel>, ResultsError> {
    SCENES.iter().map(|scene| Ok(panel(scene, in_scene(results, scene)?).titled(scene.name))).collect()
}

fn particles() -> Axis {
    Axis::log("n, particles")
}

/// Figure 6.9: RV count against n.
pub fn counts(results: &Results) -> Result<Figure, ResultsError> {
    let panel = |scene: &Scene, rows: Vec<RunRow>| {
        let of = |count: fn(&RunRow) -> u64| by_size(&rows, |row| Some(count(row) as f64).filter(|count| *count > 0.0));
        let free = of(|row| row.full_free_rows);
        let mut layers = vec![
            Layer::line("full, all rows", Palette::BLACK, of(|row| row.full_rows)),
            Layer::points("full, without fully constrained rows", Palette::ORANGE, free).marker(Marker::OpenCircle),
            Layer::line("decomposing", Palette::BLUE, of(|row| row.decomposed_rows)),
        ];
        if scene.configuration == Configuration::OffCentreSphere {
            let from = Curve::new(BOXERMAN, "6.9", "particles from which decomposing pays");
            let label = format!("{}: decomposing pays from about here on", from.label());
            layers.extend(from.rules(Direction::Vertical, |n| n).into_iter().map(|rule| rule.labelled(label.clone())));
        }
        Panel::new(particles(), Axis::log("RV count of a run"), layers).legend_outside()
    };
    let figure = Figure::new(
        "rv-count",
        "Figure 6.9: rows multiplied by vectors, against the number of particles",
        "Means over the sets of each size that finished. A fully constrained row needs no product in the decomposing solver.",
        panels(results, panel)?,
    );
    Ok(Figure { columns: 2, ..figure })
}

/// Figure 6.10: ratio of the RV counts against n.
pub fn ratios(results: &Results) -> Result<Figure, ResultsError> {
    let panel = |scene: &Scene, rows: Vec<RunRow>| {
        let finished = rows.iter().filter(|row| row.is_finished());
        let sets = finished.filter_map(|row| Some([row.particles() as f64, row.ratio(Counting::AllRows)?]));
        let mut layers = vec![];
        match scene.configuration {
            Configuration::OffCentreSphere => {
                layers.extend(Curve::new(BOXERMAN, "6.10", "ratio of RV counts above 700 particles").lines(|point| point));
            }
            Configuration::Corners => {
                let name = "RV count of the decomposing solver where nothing decomposes, over full, less one";
                let change = Curve::new(BOXERMAN, "", name);
                layers.extend(change.rules(Direction::Horizontal, |percent| 1.0 + 0.01 * percent));
            }
            _ => {}
        }
        layers.extend([
            Layer::rule("", Palette::GREY, Direction::Horizontal, 1.0),
            Layer::points("sets", Palette::SKY, sets.collect::<Vec<_>>()).marker(Marker::OpenCircle),
            Layer::line("mean", Palette::BLUE, by_size(&rows, |row| row.ratio(Counting::AllRows))),
            Layer::line(
                "mean, without fully constrained rows",
                Palette::ORANGE,
                by_size(&rows, |row| row.ratio(Counting::FreeRows)),
            ),
        ]);
        Panel::new(particles(), Axis::linear("RV count, decomposing / full").range(0.0, 1.3), layers).legend_outside()
    };
    let figure = Figure::new(
        "ratio",
        "Figure 6.10: what decomposing saves, against the number of particles",
        "Each set by the ratio of its RV counts over one second, on the ground until it rests; the orange line leaves fully constrained rows out of the full count too.",
        panels(results, panel)?,
    );
    Ok(Figure { columns: 2, ..figure })
}

/// Values in rising order against the share of values up to each.
fn cumulative(mut values: Vec<f64>) -> Vec<[f64; 2]> {
    values.sort_by(f64::total_cmp);
    let count = values.len() as f64;
    values.into_iter().enumerate().map(|(k, value)| [value, (k + 1) as f64 / count]).collect()
}

/// A colour for each scene.
const SCENE_COLORS: [Color; 4] = [Palette::BLACK, Palette::SKY, Palette::BLUE, Palette::VERMILLION];

/// How the ratio is distributed, in all scenes and on the ground.
pub fn distribution(results: &Results) -> Result<Figure, ResultsError> {
    let axes = || (Axis::linear("RV count, decomposing / full").range(0.0, 1.2), Axis::linear("share of sets").range(0.0, 1.0));
    let ratios = |rows: &[RunRow], counting| changes(rows, counting, |_| true).iter().map(|change| 1.0 + change).collect();
    let mut layers = vec![];
    for (scene, color) in SCENES.iter().zip(SCENE_COLORS) {
        let rows = in_scene(results, scene)?;
        layers.push(Layer::line(scene.name, color, cumulative(ratios(&rows, Counting::AllRows))));
    }
    let (x, y) = axes();
    let mut scenes = Panel::new(x, y, layers).titled("scenes, all rows");
    let rows = in_scene(results, &GROUND)?;
    let tenths = rows.iter().filter(|row| row.is_finished()).filter_map(|row| row.best_tenth).collect();
    let (x, y) = axes();
    let mut ground = Panel::new(
        x,
        y,
        vec![
            Layer::band("published as typical (Boxerman 2003, 6.4.3)", Palette::GREY, Direction::Vertical, 0.6, 0.7),
            Layer::rule("published at times (Boxerman 2003, 6.4.3)", Palette::GREY, Direction::Vertical, 0.2),
            Layer::line("all rows", Palette::VERMILLION, cumulative(ratios(&rows, Counting::AllRows))),
            Layer::line("without fully constrained rows", Palette::ORANGE, cumulative(ratios(&rows, Counting::FreeRows))),
            Layer::line("best tenth of the run, all rows", Palette::PURPLE, cumulative(tenths)),
        ],
    )
    .titled("ground");
    (scenes.legend, ground.legend) = (Corner::Outside, Corner::Outside);
    Ok(Figure::new(
        "distribution",
        "How many sets save how much",
        "Share of the sets that finished whose RV count stays below a part of that of the full solver.",
        vec![scenes, ground],
    ))
}

/// Mean change under each reading, in each scene.
pub fn readings(results: &Results) -> Result<Figure, ResultsError> {
    let panel = |scene: &Scene| -> Result<Panel, ResultsError> {
        let mut readings = by_reading(results, scene)?;
        if let Some(usual) = readings.first().map(|compared| compared.usual.clone()) {
            readings.insert(0, Compared { name: USUAL.name.into(), rows: usual, usual: vec![] });
        }
        let bars = |counting, shift: f64| {
            let bars = readings.iter().enumerate().filter_map(|(k, Compared { rows, .. })| {
                let sample: Vec<f64> = changes(rows, counting, |_| true).iter().map(|change| 1.0 + change).collect();
                let Estimate { value, interval, .. } = Estimate::median(&sample)?;
                let Interval { low, high } = interval.unwrap_or(Interval { low: value, high: value });
                Some([(k + 1) as f64 + shift, value, low, high])
            });
            bars.collect::<Vec<_>>()
        };
        let names = readings.iter().map(|compared| compared.name.clone());
        let panel = Panel::new(
            Axis::categories("", names),
            Axis::linear("RV count, decomposing / full").range(0.0, 1.2),
            vec![
                Layer::rule("", Palette::GREY, Direction::Horizontal, 1.0),
                Layer::error_bars("all rows", Palette::BLUE, bars(Counting::AllRows, -0.1)),
                Layer::error_bars("without fully constrained rows", Palette::ORANGE, bars(Counting::FreeRows, 0.1)),
            ],
        )
        .legend_outside();
        Ok(panel.titled(scene.name))
    };
    let figure = Figure::new(
        "readings",
        "What decomposing saves under other assumptions",
        "Medians over the first sets of the main group with 95 % intervals; one assumption is varied at a time.",
        SCENES.iter().map(panel).collect::<Result<_, _>>()?,
    );
    Ok(Figure { columns: 2, ..figure })
}

/// What the reading of the tolerance changes: runs that are lost, and what decomposing saves.
pub fn tolerance(results: &Results) -> Result<Figure, ResultsError> {
    let names = [USUAL.name, AS_PRINTED, CONVERGED];
    let (mut lost, mut saved) = (vec![], vec![Layer::rule("", Palette::GREY, Direction::Horizontal, 0.0)]);
    for (k, (scene, color)) in SCENES.iter().zip(SCENE_COLORS).enumerate() {
        let readings = by_reading(results, scene)?;
        let found = |name: &str| readings.iter().find(|compared| compared.name == name);
        let of = |name: &str| match name == USUAL.name {
            true => found(AS_PRINTED).map(|compared| &compared.usual),
            false => found(name).map(|compared| &compared.rows),
        };
        let at = |place: usize| place as f64 + 1.0 + 0.12 * (k as f64 - 1.5);
        let bar = |place: usize, found: Estimate| {
            let Interval { low, high } = found.interval.unwrap_or(Interval { low: found.value, high: found.value });
            [at(place), found.value, low, high]
        };
        let shares = names.iter().enumerate().filter_map(|(place, name)| {
            let rows = of(name)?;
            Some(bar(place, Estimate::share(rows.iter().filter(|row| !row.is_finished()).count(), rows.len())?))
        });
        lost.push(Layer::error_bars(scene.name, color, shares.collect::<Vec<_>>()));
        let medians = names
            .iter()
            .enumerate()
            .filter_map(|(place, name)| Some(bar(place, Estimate::median(&changes(of(name)?, Counting::AllRows, |_| true))?)));
        saved.push(Layer::error_bars(scene.name, color, medians.collect::<Vec<_>>()));
    }
    let axis = || Axis::categories("", ["tol = c dt", "tol² = c dt", "tol = 1e-8"]);
    let mut lost =
        Panel::new(axis(), Axis::linear("share of sets that are lost").range(0.0, 1.0), lost).titled("runs that gain energy");
    let mut saved = Panel::new(axis(), Axis::linear("change of the RV count"), saved).titled("what decomposing saves");
    (lost.legend, saved.legend) = (Corner::Outside, Corner::Outside);
    Ok(Figure::new(
        "tolerance",
        "What the reading of the tolerance changes",
        "The first sets by conjugate gradients to tol = c dt, to tol² = c dt as printed, c = 0.01, and to 1e-8: the share of sets of which \
         either solver gains energy, and the median change of the RV count over the others, each with its 95 % interval.",
        vec![lost, saved],
    ))
}

/// Times: pinned sheets, and some that decompose well.
pub fn times(results: &Results) -> Result<Figure, ResultsError> {
    let overheads = overheads(results)?;
    let caption = format!(
        "Times of whole runs with matrices in block rows, measured alone and in turn on one machine: {} pinned sheets, and others on the sphere \
         whose contact sticks, with the median over sheets and its interval by order statistics.",
        overheads.len()
    );
    let pinned = Panel::new(
        particles(),
        Axis::linear("time, decomposing / full").range(0.0, 1.4),
        vec![
            Layer::rule("published (Boxerman 2003, 6.4.1)", Palette::GREY, Direction::Horizontal, 1.023),
            Layer::points("pinned sheets", Palette::BLUE, overheads).marker(Marker::OpenCircle),
        ],
    )
    .titled("nothing decomposes");
    let bars = on_sphere(results)?.into_iter().take(2).enumerate().map(|(k, Estimate { value, interval, .. })| {
        let Interval { low, high } = interval.unwrap_or(Interval { low: value, high: value });
        [k as f64 + 1.1, value, low, high]
    });
    let published = PUBLISHED_TIMES.iter().enumerate().map(|(k, ratio)| [k as f64 + 0.9, *ratio]);
    let sphere = Panel::new(
        Axis::categories("", ["DS1, serial", "DS2, threads"]),
        Axis::linear("time / time of the full solver").range(0.0, 1.4),
        vec![
            Layer::rule("", Palette::GREY, Direction::Horizontal, 1.0),
            Layer::points("published (Boxerman 2003, 6.4.2)", Palette::GREY, published.collect::<Vec<_>>())
                .marker(Marker::Diamond),
            Layer::error_bars("median, 95 % interval", Palette::BLUE, bars.collect::<Vec<_>>()),
        ],
    )
    .titled("sheets that decompose well");
    Ok(Figure { of_times: true, ..Figure::new("times", "Time of the decomposing solver", caption, vec![pinned, sphere]) })
}

/// Colours of components, again and again; white is what is fully constrained.
const COLORS: [Color; 7] =
    [Palette::BLUE, Palette::ORANGE, Palette::GREEN, Palette::PURPLE, Palette::SKY, Palette::VERMILLION, Palette::YELLOW];
const WHITE: Color = Color(255, 255, 255);

/// A sheet of n x n particles with the part around each particle in the colour of its component.
fn colored(n: usize, particles: &[Particle]) -> Mesh {
    // corner (a, b) of the parts lies amid the particles around it
    let corner = |a: usize, b: usize| {
        let around = [a.saturating_sub(1), a.min(n - 1)].into_iter();
        let around = around.flat_map(|i| [b.saturating_sub(1), b.min(n - 1)].map(|j| &particles[j * n + i]));
        let places = around.map(|particle| particle.place);
        let sum = places.fold([0.0; 3], |[x, y, z], [px, py, pz]| [x + px, y + py, z + pz]);
        sum.map(|sum| sum / 4.0)
    };
    let vertices = (0..=n).flat_map(|b| (0..=n).map(move |a| (a, b))).map(|(a, b)| corner(a, b));
    let mut faces = vec![vec![]; COLORS.len() + 1];
    for (k, particle) in particles.iter().enumerate() {
        let at = (k / n) * (n + 1) + k % n;
        let color = particle.component.checked_sub(1).map_or(COLORS.len(), |component| component as usize % COLORS.len());
        faces[color].push([at, at + 1, at + n + 2, at + n + 1]);
    }
    let colors = COLORS.iter().copied().chain([WHITE]);
    colors.zip(faces).fold(Mesh::new(vertices.collect()), |mesh, (color, faces)| mesh.surface("", color, &faces))
}

/// A solid as it is drawn: of a table, only the upper end, and that smaller by a gap \[m\], since flat faces of the cloth cut its
/// edges.
fn drawn(solid: cloth::contact::Solid, gap: f64) -> Option<Mesh> {
    match solid {
        cloth::contact::Solid::Sphere { centre, radius } => {
            Some(Solid::sphere([centre.x, centre.y, centre.z], radius, Palette::GREY))
        }
        cloth::contact::Solid::Cuboid { centre, half } => {
            let (x, y) = (half.x - gap, half.y - gap);
            let low = [centre.x - x, centre.y - y, centre.z + 0.8 * half.z];
            let high = [centre.x + x, centre.y + y, centre.z + half.z - 0.5 * gap];
            Some(Solid::cuboid(low, high, Palette::GREY))
        }
        _ => None,
    }
}

/// Pictures of the sheets of some figures.
fn pictures(results: &Results, view: View, wanted: impl Fn(&str) -> bool) -> Result<Vec<Panel>, ResultsError> {
    let rows = results.rows::<Particles>()?;
    let sheets = rows.chunk_by(|a, b| a.set == b.set);
    let picture = |sheet: &[Row<ParticleRow>]| {
        let first = sheet.first()?;
        let shown = SHOWN.get(first.set as usize).filter(|shown| wanted(shown.figure))?;
        let ParticleRow { figure, title, time, side, status, .. } = &first.row;
        let particles: Vec<Particle> = sheet.iter().filter_map(|row| row.row.particle()).collect();
        if particles.len() < side * side {
            let title = format!("figure {figure}: {title}, {time:.2} s, {status}");
            return Some(Panel::snapshot(Snapshot::new(view, vec![])).titled(title));
        }
        let components = particles.iter().map(|particle| particle.component).max().unwrap_or(0);
        let gap = 0.5 * LENGTH / *side as f64;
        let mut meshes: Vec<Mesh> = shown.solid(*side).and_then(|solid| drawn(solid, gap)).into_iter().collect();
        meshes.push(colored(*side, &particles));
        let meshes = meshes.into_iter().map(|mesh| mesh.rounded(1e-6)).collect(); // to the micrometre
        let title = format!("figure {figure}: {title}, {time:.2} s, {components} components");
        Some(Panel::snapshot(Snapshot::new(view, meshes)).titled(title))
    };
    Ok(sheets.filter_map(picture).collect())
}

/// Share of the particles of a figure that are in its largest component.
fn largest_share(results: &Results, figure: &str) -> Result<Option<f64>, ResultsError> {
    let rows = results.rows::<Particles>()?.into_iter().filter(|row| row.row.figure == figure);
    let components: Vec<u32> = rows.filter_map(|row| row.row.component).collect();
    let size = |component: u32| components.iter().filter(|of| **of == component).count();
    let largest = components.iter().filter(|component| **component > 0).map(|component| size(*component)).max();
    Ok(largest.map(|largest| largest as f64 / components.len() as f64))
}

/// Figures 6.4 to 6.6.
pub fn components(results: &Results) -> Result<Figure, ResultsError> {
    let share = largest_share(results, "6.6")?.map_or_else(|| "none".into(), percent);
    Ok(Figure::new(
        "components",
        "Figures 6.4 to 6.6: particles in the colours of their components",
        format!(
            "Stretch implicit and shear explicit, as in the thesis, which gives no other parameters; springs at their rest \
             length are slack. White particles are fully constrained; colours are repeated. The table is drawn half a mesh \
             spacing smaller. In the thesis the decomposition of figure 6.5 is regular and that of figure 6.6, moments later, \
             thorough. Here it is the other way round: every particle falls by itself at first, and tension from the pin joins \
             them; figure 6.6 shows them when they have parted again, with {share} of them in the largest component."
        ),
        pictures(results, View::new(-60.0, 35.0), |figure| !["6.1", "6.8"].contains(&figure))?,
    ))
}

/// Lines between the parts of a sheet of n x n particles.
fn seams(n: usize) -> Wires {
    let corners = (0..=n).flat_map(|b| (0..=n).map(move |a| (a, b)));
    let from = |(a, b): (usize, usize)| {
        let at = b * (n + 1) + a;
        [(a < n).then_some([at, at + 1]), (b < n).then_some([at, at + n + 1])]
    };
    Wires::new("", Palette::BLACK, corners.flat_map(from).flatten().collect()).width(0.3)
}

/// Figure 6.1, with components.
pub fn tablecloth(results: &Results) -> Result<Figure, ResultsError> {
    let mut panels = pictures(results, View::new(-60.0, 25.0), |figure| figure == "6.1")?;
    for panel in &mut panels {
        // the title of the figure names it
        if let Some((_, when)) = panel.title.split_once(", ") {
            panel.title = when.to_owned();
        }
        if let Body::Snapshot(Snapshot { meshes, .. }) = &mut panel.body
            && let Some(sheet) = meshes.last_mut()
        {
            sheet.wires.push(seams(sheet.vertices.len().isqrt().saturating_sub(1)));
        }
    }
    Ok(Figure::new(
        "tablecloth",
        "Figure 6.1: a tablecloth over a square table",
        "A sheet of 1.5 m over a table of 0.9 m, Coulomb friction, stretch and shear implicit; the thesis gives no parameters. Particles in \
         the colours of their components; white ones are fully constrained. The table is drawn half a mesh spacing smaller.",
        panels,
    ))
}

/// Figure 6.8, with components.
pub fn draping(results: &Results) -> Result<Figure, ResultsError> {
    let figure = Figure::new(
        "draping",
        "Figure 6.8: a sheet drapes over a sphere beside its centre",
        "Particles in the colours of their components, under Coulomb and under sticking contact; white ones are fully constrained. \
         Colours are repeated.",
        pictures(results, View::new(-60.0, 25.0), |figure| figure == "6.8")?,
    );
    Ok(Figure { columns: 3, ..figure })
}

/// Figure 6.2: the blocks of the matrix before and after the components are put one after the other.
pub fn sparsity(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.without_sets::<Pattern>()?;
    let failed = rows.iter().find(|row| row.row.is_none());
    let panel = |title: &str, place: fn(&BlockRow) -> Option<(usize, usize)>| {
        let blocks: Vec<(usize, usize)> = rows.iter().filter_map(place).collect();
        let title = failed.map_or(title, |row| &row.status);
        Panel::sparsity(title, PATTERN_SIDE * PATTERN_SIDE, &blocks)
    };
    let time = rows.first().map_or(0.0, |row| row.time);
    Ok(Figure::new(
        "sparsity",
        "Figure 6.2: the matrix of a sheet of 10 x 10 particles, reordered",
        format!(
            "Each mark is a 3x3 block. The sheet hangs from two corners, and springs at their rest length are slack. It is the step after {} s, in which \
             the second largest component is largest. Rows of fully constrained particles, the last ones on the right, are joined to nothing.",
            short(time)
        ),
        vec![
            panel("as the particles come", |row| row.row.zip(row.column)),
            panel("one component after the other", |row| row.ordered_row.zip(row.ordered_column)),
        ],
    ))
}
