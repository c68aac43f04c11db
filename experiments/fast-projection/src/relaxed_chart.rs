//! How the patch at rest is drawn.

use chart::Surface;
use kit::pictures;
use kit::prelude::*;

use super::relaxed::{PatchRow, Patches};
use super::samples::percent;

/// Strains of the sides of faces up to which they have a colour.
const STRAINS: [(f64, &str, Color); 4] = [
    (0.005, "strain below 0.5 %", Palette::SCALE[0]),
    (0.02, "0.5 to 2 %", Palette::SCALE[2]),
    (0.05, "2 to 5 %", Palette::SCALE[3]),
    (f64::INFINITY, "above 5 %", Palette::SCALE[5]),
];
/// A square sheet of 1 m with its faces by the largest strain of their sides.
fn by_strain(vertices: Vec<[f64; 3]>, across: usize) -> Mesh {
    let mut sheet = pictures::sheet(vertices, across);
    let rest = 1.0 / (across - 1) as f64;
    let strain = |face: &[usize]| {
        let length = |k: usize| {
            let [a, b] = [k, (k + 1) % face.len()].map(|corner| sheet.vertices[face[corner]]);
            libm::sqrt((0..3).map(|axis| (a[axis] - b[axis]) * (a[axis] - b[axis])).sum())
        };
        (0..face.len()).map(|k| (length(k) / rest - 1.0).abs()).fold(0.0, f64::max)
    };
    let bin = |face: &Vec<usize>| STRAINS.iter().position(|(to, ..)| strain(face) < *to);
    let faces: Vec<(Option<usize>, Vec<usize>)> =
        sheet.surfaces.iter().flat_map(|surface| &surface.faces).map(|face| (bin(face), face.clone())).collect();
    let surface = |(k, (_, label, color)): (usize, (f64, &str, Color))| {
        let faces = faces.iter().filter(|(bin, _)| *bin == Some(k)).map(|(_, face)| face.clone()).collect();
        Surface { label: label.into(), color, faces }
    };
    sheet.surfaces = STRAINS.into_iter().enumerate().map(surface).collect();
    sheet
}

/// The patches of figure 1.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Patches>()?;
    let picture = |patch: &[Row<PatchRow>]| {
        let PatchRow { across, strain, status, reason, .. } = &patch[0].row;
        let vertices: Vec<[f64; 3]> = patch.iter().filter_map(|row| row.row.place()).collect();
        let sheet = by_strain(vertices, (*across).max(2));
        let room = vec![[0.0, 0.7, -1.15], [1.0, 1.3, 0.0]];
        let ended = if reason.is_some() { format!(": {status}") } else { String::new() };
        Panel::snapshot(Snapshot::new(View::new(-80.0, 8.0), vec![sheet]).keeping(room))
            .titled(percent(*strain) + &ended)
            .legend_outside()
    };
    let caption = "In place of figure 1 of the paper: springs at rest, of the stiffness at which the largest strain is the permissible \
                   one; nothing is projected. Of every face of the rows and columns in the table the largest strain of its sides.";
    let panels = rows.chunk_by(|a, b| a.set == b.set).map(picture).collect();
    Ok(Figure::new("relaxed", "A patch of 1 m held at two corners 1 m apart, at rest, by permissible strain", caption, panels))
}
