//! The charts of single scenes, each from its table alone.

use chart::{Solid, Wires};
use kit::prelude::*;

use super::scenes::{Differences, PATTERN_SIDE, PATTERNS, ParticleRow, Patterns, SHOWN, SpringRow, WIREFRAMES, Wireframes};

/// Figures 4.8 to 4.10: springs by treatment.
pub fn wireframes(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.without_sets::<Wireframes>()?;
    let panels = WIREFRAMES.iter().map(|(figure, splitting)| {
        let springs: Vec<&SpringRow> = rows.iter().filter(|row| row.figure == *figure).collect();
        let mut vertices: Vec<[f64; 3]> = vec![];
        let mut segments = [vec![], vec![]];
        for spring in &springs {
            let Some(ends) = spring.ends() else { continue };
            let ends = ends.map(|end| {
                // springs share their particles
                vertices.iter().position(|vertex| *vertex == end).unwrap_or_else(|| {
                    vertices.push(end);
                    vertices.len() - 1
                })
            });
            match spring.treatment.as_deref() {
                Some("implicit") => segments[0].push(ends),
                Some("explicit") => segments[1].push(ends),
                _ => {}
            }
        }
        let [implicit, explicit] = segments;
        let mesh = Mesh::new(vertices)
            .rounded(MICROMETRE)
            .wires(Wires::new("explicit", Palette::VERMILLION, explicit))
            .wires(Wires::new("implicit", Palette::BLUE, implicit));
        let step = springs.first().map_or(0.0, |spring| spring.step);
        Panel::snapshot(Snapshot::new(View::new(-105.0, 15.0), vec![mesh]))
            .titled(match springs.first() {
                Some(failed) if failed.status != Status::Finished => format!("figure {figure}: {}", failed.status),
                _ => format!("figure {figure}: {splitting}, dt = {} s", short(step)),
            })
            .legend_outside()
    });
    let title = "Stretch and shear springs by treatment, under a large, a modest and a small step";
    let caption = "A sheet that hangs from two corners while its step swings between 0.1 and 10 ms; the titles say how it treats \
                   stretch/shear. Springs that are compressed do not act and are not drawn; bending is not drawn either. The thesis does \
                   not give the parameters of its figures 4.8 to 4.10.";
    Ok(Figure::new("wireframes", title, caption, panels.collect()))
}

/// Figures 4.12 and 4.13: both sheets when they are furthest apart.
pub fn scenes(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.without_sets::<Differences>()?;
    let panels = SHOWN.iter().filter_map(|shown| {
        let particles: Vec<&ParticleRow> = rows.iter().filter(|row| row.figure == shown.figure).collect();
        let first = particles.first()?;
        let view = View::new(-120.0, 20.0);
        let Some(difference) = first.difference else {
            let title = format!("figure {}: {}", shown.figure, first.status);
            return Some(Panel::snapshot(Snapshot::new(view, vec![])).titled(title));
        };
        let n = first.side;
        let edges = (0..n * n).flat_map(|k| [(k % n + 1 < n).then_some([k, k + 1]), (k + n < n * n).then_some([k, k + n])]);
        let edges: Vec<[usize; 2]> = edges.flatten().collect();
        let sheet = |at: fn(&ParticleRow) -> Option<[f64; 3]>, name: &str, color| {
            let vertices = particles.iter().filter_map(|particle| at(particle)).collect();
            Mesh::new(vertices).rounded(MICROMETRE).wires(Wires::new(name, color, edges.clone()))
        };
        let mut meshes =
            vec![sheet(ParticleRow::implicit, "implicit", Palette::BLUE), sheet(ParticleRow::aimex, "AIMEX", Palette::ORANGE)];
        if let Some(cloth::contact::Solid::Cuboid { centre, half }) = shown.solid() {
            // the upper end of the table is all that is seen of it
            let low = [centre.x - half.x, centre.y - half.y, centre.z + 0.8 * half.z];
            let high = [centre.x + half.x, centre.y + half.y, centre.z + half.z];
            meshes.push(Solid::cuboid(low, high, Palette::YELLOW));
        }
        let (figure, apart, time, published) = (shown.figure, short(difference), short(first.time), shown.published());
        let title = format!("figure {figure}: {apart} h after {time} s, published {published} h");
        Some(Panel::snapshot(Snapshot::new(view, meshes)).titled(title).legend_outside())
    });
    let caption = "The worst case shown in the thesis and its average case, with the parameters that it prints.";
    let panels = panels.collect();
    Ok(Figure::new("scenes", "The scenes of figures 4.12 and 4.13 when both schemes are furthest apart", caption, panels))
}

/// Figures 4.3, 4.7 and 4.11: where the matrix has blocks.
pub fn sparsity(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.without_sets::<Patterns>()?;
    let titles = ["all springs implicit", "stretch implicit only", "AIMEX, active springs only"];
    let panels = PATTERNS.iter().zip(titles).map(|(figure, title)| {
        let blocks: Vec<(usize, usize)> =
            rows.iter().filter(|row| row.figure == *figure).filter_map(|row| Some((row.row?, row.column?))).collect();
        let failed = rows.iter().find(|row| row.figure == *figure && row.status != Status::Finished);
        let title = failed.map_or(title, |row| row.status.name());
        Panel::sparsity(format!("figure {figure}: {title}"), PATTERN_SIDE * PATTERN_SIDE, &blocks)
    });
    let caption = "Each mark is a 3x3 block. The last pattern is that of a sheet that hangs from two corners after half a second, stretch \
                   and shear implicit: springs that are compressed leave no block.";
    Ok(Figure::new("sparsity", "Blocks of the matrix of a sheet of 10 x 10 particles", caption, panels.collect()))
}

/// To which places are drawn \[m\].
const MICROMETRE: f64 = 1e-6;
