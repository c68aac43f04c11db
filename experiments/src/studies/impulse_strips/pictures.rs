//! The pictures of the study, each from its tables alone.

use chart::{Figure, Palette, Panel, Snapshot, Solid, View};
use lab::prelude::*;

use super::contact::{DrapeRow, Drapes, RADIUS, centre};
use super::relaxed::{ParticleRow, Relaxed};
use crate::pictures::sheet as cloth;

/// Figure 4: shapes.
pub fn relaxed(results: &Results) -> Result<Figure, ResultsError> {
    let particles = results.without_sets::<Relaxed>()?;
    let sheets = particles.chunk_by(|a, b| a.tolerance == b.tolerance && a.method == b.method);
    let picture = |sheet: &[ParticleRow]| {
        let first = sheet.first()?;
        let vertices: Option<Vec<[f64; 3]>> = sheet.iter().map(|p| Some([p.x?, p.y?, p.z?])).collect();
        let columns = sheet.iter().take_while(|p| p.row == 0).count();
        let mesh = cloth(vertices?, columns);
        let title = format!("tolerance {}: {}", first.tolerance, first.status);
        Some(Panel::snapshot(Snapshot::new(View::new(-60.0, 12.0), vec![mesh])).titled(title))
    };
    let figure = Figure::new(
        "relaxed",
        "Figure 4: sheets pinned at two corners, after some seconds",
        "41 x 41 particles and 3280 edges at paper scale, of which every fourth row and column is drawn. There is no resistance \
         of the air, no shear and no bending: the sheets still swing. A sheet that fails has no picture.",
        sheets.filter_map(picture).collect(),
    );
    Ok(Figure { columns: 2, ..figure })
}

/// Figure 6: the sheet on the sphere.
pub fn drapes(results: &Results) -> Result<Figure, ResultsError> {
    let particles = results.without_sets::<Drapes>()?;
    let picture = |sheet: &[DrapeRow]| {
        let first = sheet.first()?;
        let columns = sheet.iter().take_while(|p| p.row == 0).count();
        let mesh = cloth(sheet.iter().map(|p| [p.x, p.y, p.z]).collect(), columns);
        let ball = Solid::sphere(centre(first.beside).into(), RADIUS, Palette::GREY).rounded(1e-4);
        let title = format!("{} s, sphere {} m beside", short(first.time), short(first.beside));
        let keep = [-0.6, 0.6].map(|q| [0.5 + q, 0.5 + q, if q < 0.0 { -0.9 } else { 0.0 }]); // all at one scale
        Some(Panel::snapshot(Snapshot::new(View::new(-60.0, 20.0), vec![mesh, ball]).keeping(keep.into())).titled(title))
    };
    let sheets = particles.chunk_by(|a, b| a.beside == b.beside && a.time == b.time);
    let figure = Figure::new(
        "drapes",
        "Figure 6: a sheet with contact inside the iteration",
        "A free sheet of 1 m falls onto a sphere with friction, strips and collisions in turn until both hold; every second row and column is \
         drawn. There is no bending and no contact of the sheet with itself.",
        sheets.filter_map(picture).collect(),
    );
    Ok(Figure { columns: 4, ..figure })
}
