//! The sheets of figure 4, with their shapes.

use lab::streams::ChaCha8Rng;
use lab::{Column, Group};
use serde::{Deserialize, Serialize};

use super::scene::{Hanging, RunRow, STATUS, Size, Tolerance, Way};
use crate::ranges::{Count, List};
use cloth::inextensible::Directions;

/// Which sheets, and how they are shown.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RelaxedRanges {
    /// Grid and steps.
    pub size: Size,
    /// Permissible strains.
    pub tolerances: List<Tolerance>,
    /// Most iterations a step.
    pub iterations: Count,
    /// Every how many particles along each side one is kept for the picture.
    pub stride: Count,
}

/// A particle of the last state of a sheet, with what was measured of the sheet.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct ParticleRow {
    pub tolerance: f64,
    pub method: String,
    pub status: String,
    pub steps: u32,
    pub iterations: f64,
    pub strain: Option<f64>,
    pub drop: Option<f64>,
    pub column: usize,
    pub row: usize,
    pub x: Option<f64>,
    pub y: Option<f64>,
    pub z: Option<f64>,
}

/// Each tolerance by directions of the preview, the first one also by frozen ones.
#[derive(Clone)]
pub struct Relaxed(pub RelaxedRanges);

/// To the tenth of a millimetre, which is what a picture shows.
fn rounded(q: f64) -> f64 {
    (q * 1e4).round() / 1e4
}

impl Group for Relaxed {
    const NAME: &'static str = "relaxed";
    const ABOUT: &'static str =
        "the sheets of figure 4 after some seconds of gravity, with every so many particles of their shape";
    const COLUMNS: &'static [Column] = &[
        Column::number("tolerance", "-", "permissible abs(strain)"),
        Column::text("method", "how the edges are held together"),
        STATUS,
        Column::integer("steps", "steps until the end, or until it is lost"),
        Column::number("iterations", "-", "iterations a step, mean"),
        Column::number("strain", "-", "largest abs(strain) of all steps; this and what follows empty where it is lost"),
        Column::number("drop", "m", "how far the lowest particle is below the pins in the last state"),
        Column::integer("column", "of a particle, from 0"),
        Column::integer("row", "of a particle, from 0"),
        Column::number("x", "m", "its position in the last state, to 0.1 mm"),
        Column::number("y", "m", "its position in the last state, to 0.1 mm"),
        Column::number("z", "m", "its position in the last state, to 0.1 mm"),
    ];
    const SAMPLED: bool = false;
    type Case = Hanging;
    type Row = ParticleRow;

    fn sets(&self) -> u64 {
        2 * self.0.tolerances.values().len() as u64
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> Hanging {
        let tolerance = self.0.tolerances.values()[set as usize / 2];
        let way = Way::Strips([Directions::Preview, Directions::Frozen][set as usize % 2]);
        Hanging { way, ..Hanging::usual(self.0.size, tolerance, self.0.iterations) }
    }

    fn measure_block(&self, cases: &[Hanging], done: &mut dyn FnMut(usize, Vec<ParticleRow>)) {
        let stride = self.0.stride.get() as usize;
        for (k, case) in cases.iter().enumerate() {
            let mut places = vec![];
            let RunRow { tolerance, method, status, steps, iterations, strain, drop, .. } = case.run(None, |state, grid| {
                let kept = |n: usize| (0..n).step_by(stride);
                for (row, column) in kept(grid.ny()).flat_map(|row| kept(grid.nx()).map(move |column| (row, column))) {
                    places.push((column, row, state.map(|state| state.x[grid.index(column, row)])));
                }
                if state.is_none() {
                    places.truncate(1); // a sheet without a shape keeps one row
                }
            });
            let of = |(column, row, at): (usize, usize, Option<cloth::Vec3>)| ParticleRow {
                tolerance,
                method: method.clone(),
                status: status.clone(),
                steps,
                iterations,
                strain,
                drop,
                column,
                row,
                x: at.map(|at| rounded(at.x)),
                y: at.map(|at| rounded(at.y)),
                z: at.map(|at| rounded(at.z)),
            };
            done(k, places.into_iter().map(of).collect());
        }
    }
}
