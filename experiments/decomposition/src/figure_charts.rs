//! The charts of sheets that are shown, each from its table alone.

use chart::{Body, Solid, Wires};
use kit::prelude::*;

use super::figures::{BlockRow, LENGTH, PATTERN_SIDE, Particle, ParticleRow, Particles, Pattern, SHOWN};

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
    let caption = format!(
        "Stretch implicit and shear explicit, as in the thesis, which gives no other parameters; springs at their rest \
         length are slack. White particles are fully constrained; colours are repeated. The table is drawn half a mesh \
         spacing smaller. In the thesis the decomposition of figure 6.5 is regular and that of figure 6.6, moments later, \
         thorough. Here it is the other way round: every particle falls by itself at first, and tension from the pin joins \
         them; figure 6.6 shows them when they have parted again, with {share} of them in the largest component."
    );
    let panels = pictures(results, View::new(-60.0, 35.0), |figure| !["6.1", "6.8"].contains(&figure))?;
    Ok(Figure::new("components", "Figures 6.4 to 6.6: particles in the colours of their components", caption, panels))
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
    let caption = "A sheet of 1.5 m over a table of 0.9 m, Coulomb friction, stretch and shear implicit; the thesis gives no parameters. \
                   Particles in the colours of their components; white ones are fully constrained. The table is drawn half a mesh spacing \
                   smaller.";
    Ok(Figure::new("tablecloth", "Figure 6.1: a tablecloth over a square table", caption, panels))
}

/// Figure 6.8, with components.
pub fn draping(results: &Results) -> Result<Figure, ResultsError> {
    let caption = "Particles in the colours of their components, under Coulomb and under sticking contact; white ones are fully constrained. \
                   Colours are repeated.";
    let panels = pictures(results, View::new(-60.0, 25.0), |figure| figure == "6.8")?;
    let figure = Figure::new("draping", "Figure 6.8: a sheet drapes over a sphere beside its centre", caption, panels);
    Ok(Figure { columns: 3, ..figure })
}

/// Figure 6.2: the blocks of the matrix before and after the components are put one after the other.
pub fn sparsity(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.without_sets::<Pattern>()?;
    let failed = rows.iter().find(|row| row.row.is_none());
    let panel = |title: &str, place: fn(&BlockRow) -> Option<(usize, usize)>| {
        let blocks: Vec<(usize, usize)> = rows.iter().filter_map(place).collect();
        let title = failed.map_or(title, |row| row.status.name());
        Panel::sparsity(title, PATTERN_SIDE * PATTERN_SIDE, &blocks)
    };
    let time = rows.first().map_or(0.0, |row| row.time);
    let caption = format!(
        "Each mark is a 3x3 block. The sheet hangs from two corners, and springs at their rest length are slack. It is the step after {} \
         s, in which the second largest component is largest. Rows of fully constrained particles, the last ones on the right, are joined \
         to nothing.",
        short(time)
    );
    let panels = vec![
        panel("as the particles come", |row| row.row.zip(row.column)),
        panel("one component after the other", |row| row.ordered_row.zip(row.ordered_column)),
    ];
    Ok(Figure::new("sparsity", "Figure 6.2: the matrix of a sheet of 10 x 10 particles, reordered", caption, panels))
}
