//! The charts of the relaxed patch and of the garment, each from its table alone.

use lab::prelude::*;
use std::f64::consts::{PI, TAU};

use chart::{Axis, Dash, Figure, Layer, Mesh, Palette, Panel, Snapshot, View};
use cloth::contact::MovingCapsule;
use cloth::{Trousers, Vec3};

use super::garment::{FRAMES, Garment, GarmentRow, Worn, WornRow};
use super::moving_verdicts::percent;
use super::relaxed::{PatchRow, Patches};
use crate::pictures;

/// The patches of figure 1.
pub fn relaxed(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Patches>()?;
    let picture = |patch: &[Row<PatchRow>]| {
        let PatchRow { across, strain, status, reason, .. } = &patch[0].row;
        let vertices: Vec<[f64; 3]> = patch.iter().filter_map(|row| row.row.place()).collect();
        let sheet = pictures::sheet(vertices, (*across).max(1));
        let room = vec![[0.0, 0.7, -1.15], [1.0, 1.3, 0.0]];
        let ended = if reason.is_some() { format!(": {status}") } else { String::new() };
        Panel::snapshot(Snapshot::new(View::new(-80.0, 8.0), vec![sheet]).keeping(room)).titled(percent(*strain) + &ended)
    };
    Ok(Figure::new(
        "relaxed",
        "A patch of 1 m held at two corners 1 m apart, at rest, by permissible strain",
        "In place of figure 1 of the paper: springs at rest, of the stiffness at which the largest strain is the permissible one; nothing is \
         projected.",
        rows.chunk_by(|a, b| a.set == b.set).map(picture).collect(),
    ))
}

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
    let heights = |elastic: &str| {
        let of = runs.iter().filter(|run| run[0].row.elastic == elastic).enumerate().map(|(k, run)| {
            let GarmentRow { strain, substeps, .. } = run[0].row;
            let dash = if substeps == finest { Dash::Solid } else { Dash::Dashed };
            curve(run, format!("{}, {substeps} steps a frame", percent(strain)), k % 2, dash, &|row| row.waist)
        });
        let (x, y) = (Axis::linear("time [s]"), Axis::linear("waist above the middle of the hips [m]").range(LOST, HIGHEST));
        Panel::new(x, y, of.collect()).titled(format!("elastic forces {elastic}")).legend_outside()
    };
    let fine = runs.iter().filter(|run| run[0].row.substeps == finest && run[0].row.elastic == "implicit");
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
    Ok(Figure::new(
        "garment-waist",
        "Trousers on a figure that dances",
        "Mean height of the waist of the trousers over the middle of the pelvis, where the hips are widest, and strain at the ends of frames. \
         A line that leaves the picture is of trousers that slide off.",
        vec![heights("implicit"), heights("explicit"), strained],
    ))
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
        let place = |particle: &usize| worn.binary_search_by_key(particle, |(particle, _)| *particle).ok();
        let quad = |quad: &[usize; 4]| {
            let [a, b, c, d] = quad.each_ref().map(place);
            Some([a?, b?, c?, d?])
        };
        let faces: Vec<[usize; 4]> = trousers.coarse(stride).iter().filter_map(quad).collect();
        let vertices = worn.iter().map(|(_, place)| *place).collect();
        let mut meshes = vec![pictures::cloth(vertices, &faces)];
        meshes.extend(
            cloth::Figure::default().capsules(time).iter().enumerate().filter(|(k, _)| *k != TORSO).map(|(_, at)| limb(at)),
        );
        let snapshot = Snapshot::new(View::new(-75.0, 12.0), meshes);
        let ended = if worn.is_empty() { format!(": {}", run[0].row.status) } else { String::new() };
        panels.push(Panel::snapshot(snapshot).titled(format!("{}, {elastic}, {time:.2} s{ended}", percent(strain))));
    }
    Ok(Figure::new(
        "garment",
        "Trousers on a figure that dances, by permissible strain and how elastic forces are integrated",
        "In place of figure 7 of the paper, whose garment and dancer belong to a company: every few rows and columns of the mesh, on a figure \
         of capsules, whose torso is left out.",
        panels,
    ))
}

/// The capsule of the figure that stands above the trousers.
const TORSO: usize = 1;

/// Parts of a circle and of a quarter of it, coarse enough for small files.
const AROUND: usize = 12;
const QUARTER: usize = 3;

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
        let (wide, along) = (capsule.radius * sin.max(1e-3), -capsule.radius * cos);
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
