//! What is judged of the patch at rest and how it is drawn.

use chart::Surface;
use kit::pictures;
use kit::prelude::*;

use super::relaxed::{PatchRow, Patches, Relaxed, RelaxedAlways, RelaxedRow};
use super::samples::{percent, same, word};

/// G-RELAX: the distance of lowest points up to which patches are alike, in sides.
const ALIKE: f64 = 0.01;
/// G-RELAX.
pub fn judged(results: &Results) -> Result<Finding, ResultsError> {
    let patches = results.rows::<Patches>()?;
    let swung = results.rows::<Relaxed>()?;
    at_rest(&patches, &swung, &results.rows::<RelaxedAlways>()?)
}

/// Whether the patch at 1 % is like the finest one and that at 10 % is not, and whether it is at least nearer; open where one is
/// missing.
pub fn alike(lowest: &[(f64, f64)]) -> [Answer; 2] {
    let finest = lowest.iter().min_by(|a, b| a.0.total_cmp(&b.0));
    let away = |strain: f64| {
        let found = lowest.iter().find(|(at, _)| same(*at, strain))?;
        Some((found.1 - finest?.1).abs())
    };
    match away(0.01).zip(away(0.1)).filter(|_| finest.is_some_and(|finest| finest.0 < 0.01)) {
        None => [Answer::Open; 2],
        Some((one, ten)) => {
            let near = Estimate::exact(one, 1).lies_below(ALIKE);
            let far = Answer::from(ten > ALIKE);
            [near.and(far), far.and(Answer::from(one < ten))]
        }
    }
}

fn at_rest(patches: &[Row<PatchRow>], swung: &[Row<RelaxedRow>], always: &[Row<RelaxedRow>]) -> Result<Finding, ResultsError> {
    let patches: Vec<&PatchRow> = patches.chunk_by(|a, b| a.set == b.set).map(|patch| &patch[0].row).collect();
    let rest = |row: &&&PatchRow| row.status == Status::AtRest;
    let lowest: Vec<(f64, f64)> = patches.iter().filter(rest).filter_map(|row| Some((row.strain, row.lowest?))).collect();
    if lowest.is_empty() {
        return Err(too_few("no patch came to rest"));
    }
    let [holds, direction] = alike(&lowest);
    let finest = lowest.iter().map(|(strain, _)| *strain).fold(f64::INFINITY, f64::min);
    let words = |pick: &dyn Fn(&PatchRow) -> String| {
        patches.iter().map(|row| format!("{} at {}", pick(row), percent(row.strain))).collect::<Vec<_>>().join(", ")
    };
    let by_projection = |name: &str, swung: &[Row<RelaxedRow>], pick: fn(&RelaxedRow) -> Option<f64>| {
        let ended = swung.iter().filter(|row| row.row.status == Status::Converged);
        let lowest: Vec<(f64, f64)> = ended.filter_map(|row| Some((row.row.strain, pick(&row.row)?))).collect();
        let [holds, direction] = alike(&lowest);
        let words = swung.iter().map(|row| format!("{} at {}", word(pick(&row.row), short), percent(row.row.strain)));
        Reading::new(name, words.collect::<Vec<_>>().join(", "), verdict(holds, direction))
    };
    let moves = swung.iter().map(|row| format!("{} at {}", word(row.row.kinetic, short), percent(row.row.strain)));
    let reading = |name: &str, measured: String| Reading::new(name, measured, None);
    let lost = patches.len() - lowest.len();
    let one = lowest.iter().find(|(strain, _)| same(*strain, 0.01)).zip(lowest.iter().find(|(strain, _)| same(*strain, finest)));
    let measured = format!("lowest points below the pins at rest {} m", words(&|row| word(row.lowest, short)));
    let (finest, all) = (percent(finest), patches.len());
    let reason = format!(
        "named patches, compared with that at {finest}; {lost} of {all} did not come to rest. Another pattern of strain at the same \
         largest one, as of strain limiting, could overturn it"
    );
    Ok(Finding::new(verdict(holds, direction), measured, reason)
        .value(one.map(|(one, finest)| (one.1 - finest.1).abs()))
        .cases(lowest.len())
        .left_out(lost)
        .readings(vec![
            reading("stiffness of the springs [N/m]", words(&|row| word(row.stiffness, short))),
            reading("largest speed at rest [m/s]", words(&|row| word(row.speed, short))),
            by_projection(
                "fast projection at that permissible strain, pins 0.98 m apart, mean of the last second [m]",
                swung,
                |row| row.lowest,
            ),
            by_projection("the same, the lowest in the last second [m]", swung, |row| row.most),
            by_projection("the same, the highest in the last second [m]", swung, |row| row.least),
            by_projection("the same, projected in every step, mean of the last second [m]", always, |row| row.lowest),
            reading("largest kinetic energy in the last second there [J]", moves.collect::<Vec<_>>().join(", ")),
        ]))
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patches_are_compared_with_the_finest() {
        assert_eq!(alike(&[(0.1, 1.10), (0.01, 1.015), (0.001, 1.01)]), [Answer::Yes, Answer::Yes]);
        assert_eq!(alike(&[(0.1, 1.10), (0.01, 1.03), (0.001, 1.01)]), [Answer::No, Answer::Yes]);
        assert_eq!(alike(&[(0.1, 1.012), (0.01, 1.011), (0.001, 1.01)]), [Answer::No, Answer::No]);
        assert_eq!(alike(&[(0.1, 1.10), (0.01, 1.01)]), [Answer::Open; 2], "nothing finer");
        assert_eq!(alike(&[]), [Answer::Open; 2]);
    }
}
