//! Charts and pictures of the trousers.

use cloth::Trousers;
use cloth::contact::MovingCapsule;
use kit::pictures;
use kit::prelude::*;
use std::collections::hash_map::Entry;
use std::f64::consts::{PI, TAU};

use super::drape_run::Forces;
use super::garment::{FRAMES, Garment, GarmentRow, Worn, WornRow};
use super::samples::percent;

/// Heights of the waist that are drawn \[m\]: below them the trousers are lost.
const LOST: f64 = -0.05;
const HIGHEST: f64 = 0.06;
/// The waist over time, and the strain before and after collisions.
pub fn waist(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Garment>()?;
    let runs: Vec<&[Row<GarmentRow>]> = rows.chunk_by(|a, b| a.set == b.set).collect();
    let time = |row: &GarmentRow| f64::from(row.frame) / f64::from(FRAMES);
    let curve = |run: &[Row<GarmentRow>], label: String, color: usize, dash: Dash, pick: &dyn Fn(&GarmentRow) -> Option<f64>| {
        let points = run.iter().filter_map(|row| Some([time(&row.row), pick(&row.row)?]));
        Layer::line(label, Palette::series(color), points.collect()).dash(dash)
    };
    let finest = rows.iter().map(|row| row.row.substeps).max().unwrap_or(0);
    let heights = |elastic: Forces| {
        let of = runs.iter().filter(|run| run[0].row.elastic == elastic).enumerate().map(|(k, run)| {
            let GarmentRow { strain, substeps, .. } = run[0].row;
            let dash = if substeps == finest { Dash::Solid } else { Dash::Dashed };
            curve(run, format!("{}, {substeps} steps a frame", percent(strain)), k % 2, dash, &|row| row.waist)
        });
        let (x, y) = (Axis::linear("time [s]"), Axis::linear("waist above the middle of the hips [m]").range(LOST, HIGHEST));
        Panel::new(x, y, of.collect()).titled(format!("elastic forces {elastic}")).legend_outside()
    };
    let fine = runs.iter().filter(|run| run[0].row.substeps == finest && run[0].row.elastic == Forces::Implicit);
    let strains = fine.enumerate().flat_map(|(k, run)| {
        let strain = percent(run[0].row.strain);
        [
            curve(run, format!("{strain}, before collisions"), k, Dash::Dashed, &|row| Some(row.largest?.max(FLOOR))),
            curve(run, format!("{strain}, after"), k, Dash::Solid, &|row| Some(row.largest_collided?.max(FLOOR))),
        ]
    });
    let strains = strains.collect();
    let strained = Panel::new(Axis::linear("time [s]"), Axis::log("largest strain"), strains)
        .titled(format!("elastic forces implicit, {finest} steps a frame"))
        .legend_outside();
    let caption = "Mean height of the waist of the trousers over the middle of the pelvis, where the hips are widest, and strain at the \
                   ends of frames. A line that leaves the picture is of trousers that slide off.";
    let panels = vec![heights(Forces::Implicit), heights(Forces::Explicit), strained];
    Ok(Figure::new("garment-waist", "Trousers on a figure that dances", caption, panels))
}

/// Strain below which nothing is told apart.
const FLOOR: f64 = 1e-6;
/// The trousers with the figure.
pub fn garment(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Worn>()?;
    let mut panels = vec![];
    for run in rows.chunk_by(|a, b| a.set == b.set) {
        let WornRow { strain, around, stride, time, .. } = run[0].row;
        let elastic = &run[0].row.elastic;
        let worn: Vec<(usize, [f64; 3])> = run.iter().filter_map(|row| row.row.place()).collect();
        let Ok(trousers) = Trousers::new(around, 1.0) else { continue };
        let place = |particle: usize| worn.binary_search_by_key(&particle, |(particle, _)| *particle).ok();
        let faces = seamless(&trousers, stride, place);
        let vertices = worn.iter().map(|(_, place)| *place).collect();
        let mut meshes = vec![pictures::cloth(vertices, &faces)];
        meshes.extend(
            cloth::Figure::default().capsules(time).iter().enumerate().filter(|(k, _)| *k != TORSO).map(|(_, at)| limb(at)),
        );
        let snapshot = Snapshot::new(View::new(-75.0, 12.0), meshes);
        let ended = if worn.is_empty() { format!(": {}", run[0].row.status) } else { String::new() };
        panels.push(Panel::snapshot(snapshot).titled(format!("{}, {elastic}, {time:.2} s{ended}", percent(strain))));
    }
    let title = "Trousers on a figure that dances, by permissible strain and how elastic forces are integrated";
    let caption = "In place of figure 7 of the paper, whose garment and dancer belong to a company: every few rows and columns of the \
                   mesh, on a figure of capsules, a tenth thinner than they are, whose torso is left out.";
    Ok(Figure::new("garment", title, caption, panels))
}

/// Faces of every few rows and columns of trousers, by the places of their particles, with those between their corners too where
/// there are any: legs and hips keep different particles of the seam that they share, along which their faces would stand apart.
fn seamless(trousers: &Trousers, stride: usize, place: impl Fn(usize) -> Option<usize>) -> Vec<Vec<usize>> {
    let sides = |quad: &[usize; 4]| (0..4).map(|k| (quad[k], quad[(k + 1) % 4])).collect::<Vec<_>>();
    let mut beside: HashMap<usize, Vec<usize>> = HashMap::new();
    for (a, b) in trousers.coarse(1).iter().flat_map(sides) {
        beside.entry(a).or_default().push(b);
        beside.entry(b).or_default().push(a);
    }
    // particles on the shortest way from one to another, without the last
    let way = |(from, to): (usize, usize)| -> Vec<usize> {
        let mut before = HashMap::from([(to, to)]);
        let mut reached = vec![to];
        for _ in 0..stride {
            for at in std::mem::take(&mut reached) {
                for &next in beside.get(&at).into_iter().flatten() {
                    if let Entry::Vacant(vacant) = before.entry(next) {
                        vacant.insert(at);
                        reached.push(next);
                    }
                }
            }
        }
        let next = |at: &usize| before.get(at).copied().filter(|next| *next != to);
        std::iter::successors(Some(from), next).collect()
    };
    let face = |quad: &[usize; 4]| {
        quad.iter().try_for_each(|corner| place(*corner).map(|_| ()))?;
        Some(sides(quad).into_iter().flat_map(way).filter_map(&place).collect::<Vec<usize>>())
    };
    trousers.coarse(stride).iter().filter_map(face).collect()
}

/// The capsule of the figure that stands above the trousers.
const TORSO: usize = 1;
/// Parts of a circle and of a quarter of it, coarse enough for small files.
const AROUND: usize = 12;
const QUARTER: usize = 3;
/// Share of its radius with which a limb is drawn, since the sides of coarse quads cut into it.
const THINNER: f64 = 0.9;
/// A limb as it is drawn.
fn limb(capsule: &MovingCapsule) -> Mesh {
    let (from, to) = (capsule.from.0, capsule.to.0);
    let axis = (to - from).try_normalize(0.0).unwrap_or_else(Vec3::z);
    let across = axis.cross(&if axis.x.abs() < 0.5 { Vec3::x() } else { Vec3::y() }).normalize();
    let third = axis.cross(&across);
    let mut vertices: Vec<[f64; 3]> = vec![];
    for ring in 0..2 * (QUARTER + 1) {
        let (end, step) = if ring <= QUARTER { (from, ring as f64) } else { (to, (ring - 1) as f64) };
        let (sin, cos) = libm::sincos(PI * step / (2 * QUARTER) as f64);
        let radius = THINNER * capsule.radius;
        let (wide, along) = (radius * sin.max(1e-3), -radius * cos);
        vertices.extend((0..AROUND).map(|k| {
            let (y, x) = libm::sincos(TAU * k as f64 / AROUND as f64);
            let place = end + along * axis + wide * (x * across + y * third);
            <[f64; 3]>::from(place)
        }));
    }
    let at = |ring: usize, k: usize| ring * AROUND + k % AROUND;
    let faces: Vec<[usize; 4]> = (0..2 * QUARTER + 1)
        .flat_map(|ring| (0..AROUND).map(move |k| [at(ring, k), at(ring, k + 1), at(ring + 1, k + 1), at(ring + 1, k)]))
        .collect();
    Mesh { closed: true, ..Mesh::new(vertices).surface("", Palette::GREY, &faces).rounded(1e-4) }
}
