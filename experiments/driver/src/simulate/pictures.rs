//! What a run looks like: a sheet of pictures, a chart of energies, and a page that plays it.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::Path;
use std::sync::Arc;

use chart::{Axis, Figure, Layer, Mesh, Palette, Panel, Snapshot};
use cloth::Vec3;
use cloth::contact::{RigidMotion, Sequence};
use cloth::run::{Model, Run, Surface};
use cloth::triangles::Triangle;
use kit::pictures::{self, halves};
use kit::prelude::short;
use lab::files::{FileError, write_whole};
use race::memory::most_frames;
use scene::Scene;
use scene::formats::Look;
use viewer::{Film, View};

use super::folder::{self, Folder};
use super::summary::Measured;

/// Pictures of a sheet.
const MOMENTS: u64 = 6;
/// Particles that take about as much of a page as a vertex of a body that changes its shape: 32 bits a coordinate.
const SHAPED: usize = 2;
/// Points of a line of energies.
const POINTS: u64 = 400;
/// Cells along a side of a sheet as it is drawn: more would not be seen.
const CELLS: usize = 14;
/// Triangles that are drawn as they are, and of cloth that tears, whose sides coarser ones would join again.
const FACES: usize = 2500;
const TORN_FACES: usize = 20_000;
/// Letters of a step in the name of a run, beyond which it is rounded.
const MOST_DIGITS: usize = 8;
/// Cloth that is this many times as large as at the start comes apart.
const BEYOND: f64 = 20.0;

/// What a picture shows of the cloth.
struct Moment {
    /// \[s\]
    time: f64,
    /// The particles that pictures show \[m\], and until it is settled which ones these are of cloth that tears all.
    x: Vec<[f64; 3]>,
    /// The faces between them, where they are others than in other pictures: of cloth that tears.
    faces: Option<Vec<Vec<usize>>>,
}

/// What a run shows while it goes on.
pub(super) struct Pictures {
    name: String,
    film: Film,
    view: View,
    /// Whether the cloth tears.
    tears: bool,
    /// The particles that pictures show, and the faces between them.
    drawn: Vec<usize>,
    faces: Vec<Vec<usize>>,
    solids: Vec<Mesh>,
    /// How they move.
    motions: Vec<RigidMotion>,
    /// Shapes of those that change them.
    shapes: Vec<Option<Arc<Sequence>>>,
    /// Steps at the start, and at the end.
    begun: u64,
    steps: u64,
    /// Steps between frames of the page.
    every: u64,
    /// Rows of energies from one that is drawn to the next.
    stride: u64,
    rows: u64,
    moments: Vec<Moment>,
    energies: Vec<Measured>,
    /// Longest side of the box that the cloth lies in at the start \[m\].
    size: f64,
    /// When particles left each other \[s\].
    left: Option<f64>,
}

impl Pictures {
    /// Of a run that begins among `solids`.
    pub fn new(scene: &Scene, simulation: &Run, look: &Look, solids: Vec<Mesh>) -> Pictures {
        let kept = scene.inextensible.map_or_else(String::new, |kept| format!(" behind {}", kept.method.name()));
        let (particles, step) = (simulation.state().particle_count(), super::summary::given(scene.step));
        let step = if step.len() > MOST_DIGITS { short(scene.step) } else { step };
        let name = format!("{particles} particles, {}{kept}, {step} s", scene.scheme.name());
        let (model, steps) = (simulation.model(), scene.steps());
        let edges = look.edges.iter().map(|(ends, _)| *ends).collect();
        let view = View { azimuth: scene.view.azimuth, elevation: scene.view.elevation };
        let film = Film::new(name.as_str(), view, halves(look.faces(), |corner| *corner), edges)
            .with_solids(solids.iter().map(pictures::body).collect());
        let begun = simulation.steps();
        let rows = (steps - begun) / scene.output.energies_every;
        let changing: usize = scene.shapes().flatten().map(|shapes| shapes.vertex_count()).sum();
        let (drawn, faces) = joined(&faces(model, scene.tearing.is_some()));
        Pictures {
            name,
            film,
            view,
            tears: scene.tearing.is_some(),
            drawn,
            faces,
            solids,
            motions: scene.moves().cloned().collect(),
            shapes: scene.shapes().map(Option::<&Arc<Sequence>>::cloned).collect(),
            begun,
            steps,
            every: (steps - begun).div_ceil(most_frames((particles + SHAPED * changing) as u64)).max(1),
            stride: (rows / POINTS).max(1),
            rows: 0,
            moments: vec![],
            energies: vec![],
            size: extent(&places(simulation)),
            left: None,
        }
    }

    /// Takes what is due after a step.
    pub fn watch(&mut self, simulation: &Run, look: &Look) {
        let step = simulation.steps();
        let last = step == self.steps;
        let moment = self.begun + self.moments.len() as u64 * (self.steps - self.begun) / (MOMENTS - 1);
        let [moment, frame] = [step >= moment, (step - self.begun).is_multiple_of(self.every) || last];
        if self.left.is_some() || !(moment || frame) {
            return;
        }
        let x = places(simulation);
        if extent(&x) > BEYOND * self.size {
            self.left = Some(simulation.time());
            return;
        }
        if frame {
            self.film.take(simulation.time(), &x, &look.stretch(&simulation.state().x));
            self.film.strained(simulation.largest_stretch() - 1.0);
            for (body, shapes) in self.shapes.iter().enumerate() {
                if let Some(shapes) = shapes {
                    self.film.shape(body, shapes.places(simulation.time()).map(Into::into));
                }
            }
            if self.motions.iter().any(|motion| *motion != RigidMotion::STILL) {
                let columns = |motion: &RigidMotion| motion.pose(simulation.time()).columns().map(Into::into);
                self.film.place(self.motions.iter().map(columns));
            }
        }
        if moment {
            let shown = if self.tears { x } else { self.drawn.iter().map(|&particle| x[particle]).collect() };
            self.moments.push(Moment { time: simulation.time(), x: shown, faces: None });
        }
    }

    /// Takes what cloth that tears has become by the end: frames are completed to that, and each picture has the faces of its
    /// moment. Comes before anything is drawn.
    pub fn settle(&mut self, simulation: &Run, look: &Look) {
        let Some(torn) = simulation.torn() else { return };
        let whole = simulation.state().particle_count() - torn.parents.len();
        let parents: Vec<usize> = (0..whole).chain(torn.parents.iter().copied()).collect();
        let edges = look.edges.iter().map(|(ends, _)| *ends).collect();
        self.film.torn(halves(look.faces(), |corner| *corner), edges, &parents);
        let last = faces(simulation.model(), true);
        for Moment { x, faces, .. } in &mut self.moments {
            let split_later =
                |&corner: &usize| std::iter::successors(Some(corner), |at| Some(parents[*at])).find(|at| *at < x.len());
            let then = last.iter().map(|face| face.iter().filter_map(split_later).collect()).collect::<Vec<Vec<usize>>>();
            let (drawn, then) = joined(&then);
            *x = drawn.iter().map(|&particle| x[particle]).collect();
            *faces = Some(then);
        }
    }

    /// Takes a row of energies.
    pub fn record(&mut self, measured: Measured) {
        if self.rows.is_multiple_of(self.stride) {
            self.energies.push(measured);
        }
        self.rows += 1;
    }

    /// The page that plays the run, with its pictures where it cannot.
    pub fn page(&self, sheet: &str) -> String {
        viewer::page(&self.name, &[self.film.packed()], sheet)
    }

    /// The run as a page holds it.
    pub fn packed(&self) -> String {
        self.film.packed()
    }

    /// Writes all of it.
    pub fn write(mut self, simulation: &Run, folder: &Folder) -> Result<(), FileError> {
        if simulation.failed().is_some() || self.left.is_some() {
            let time = self.left.unwrap_or_else(|| simulation.time());
            let caught = simulation.collisions().is_some_and(|colliding| colliding.last().is_err());
            let how = if caught { "collisions are not resolved" } else { "comes apart" };
            self.film.ended(format!("{how} at {} s", super::summary::given(super::summary::unrounded(time))));
        }
        let drawn = |path: &Path, figure: Figure| -> Result<String, FileError> {
            figure.svg().map_err(|error| FileError::write(path, io::Error::other(error)))
        };
        let [sheet, energies, page] = [folder::PICTURES, folder::ENERGY_CHART, folder::PAGE].map(|name| folder.file(name));
        // drawing the pictures takes as long as everything else
        let (pictures, (chart, film)) = rayon::join(
            || drawn(&sheet, self.sheet(self.moments.len())),
            || {
                let film = self.film.packed();
                (drawn(&energies, self.chart()).and_then(|chart| write_whole(&energies, chart.as_bytes())), film)
            },
        );
        let pictures = chart.and(pictures)?;
        let (drawings, player) = rayon::join(
            || write_whole(&sheet, pictures.as_bytes()),
            || write_whole(&page, viewer::page(&self.name, &[film], &pictures).as_bytes()),
        );
        drawings.and(player)
    }

    /// The last of the six moments, at most so many, from one place at one scale.
    pub fn sheet(&self, most: usize) -> Figure {
        let all: Vec<[f64; 3]> = self.moments.iter().flat_map(|moment| &moment.x).copied().collect();
        let (low, high) = box_of(&all);
        let keep = (0..8).map(|k| [0, 1, 2].map(|axis| if k >> axis & 1 == 0 { low[axis] } else { high[axis] })).collect();
        let keep: Vec<[f64; 3]> = if all.is_empty() { vec![] } else { keep };
        let moments = &self.moments[self.moments.len().saturating_sub(most)..];
        let panel = |Moment { time, x, faces }: &Moment| {
            let mut meshes = self.solids.clone();
            for (mesh, (motion, shapes)) in meshes.iter_mut().zip(self.motions.iter().zip(&self.shapes)) {
                if let Some(shapes) = shapes {
                    mesh.vertices = shapes.places(*time).map(Into::into).collect();
                }
                let pose = motion.pose(*time);
                mesh.vertices.iter_mut().for_each(|vertex| *vertex = pose.moved(Vec3::from(*vertex)).into());
            }
            meshes.push(pictures::cloth(x.clone(), faces.as_ref().unwrap_or(&self.faces)));
            let view = chart::View::new(self.view.azimuth, self.view.elevation);
            Panel::snapshot(Snapshot::new(view, meshes).keeping(keep.clone()))
                .titled(format!("{} s", super::summary::given((time * 1e9).round() / 1e9))) // without the rounding of steps
        };
        let figure = Figure::new("pictures", self.name.clone(), "", moments.iter().map(panel).collect());
        Figure { columns: 3, ..figure }
    }

    /// Energies over time, gravitational energy and the sum against their values at the start.
    fn chart(&self) -> Figure {
        type Part = fn(&Measured) -> f64;
        let parts: [(&str, Part); 6] = [
            ("kinetic", |at| at.energies.kinetic),
            ("gravitational, change", |at| at.energies.gravitational),
            ("stretch", |at| at.energies.stretch),
            ("shear", |at| at.energies.shear),
            ("bend", |at| at.energies.bend),
            ("total, change", |at| at.energies.total()),
        ];
        let layer = |(k, (name, part)): (usize, &(&str, Part))| {
            let start = self.energies.first().map_or(0.0, |first| if name.ends_with("change") { part(first) } else { 0.0 });
            let color = if k == 5 { Palette::BLACK } else { Palette::series(k) };
            Layer::line(*name, color, self.energies.iter().map(|at| [at.time, part(at) - start]).collect())
        };
        let layers = parts.iter().enumerate().map(layer).collect();
        let panel = Panel::new(Axis::linear("time  [s]"), Axis::linear("energy  [J]"), layers).legend_outside();
        Figure::new("energies", self.name.clone(), "", vec![panel])
    }
}

fn places(simulation: &Run) -> Vec<[f64; 3]> {
    simulation.state().x.iter().map(|x| [x.x, x.y, x.z]).collect()
}

/// Lowest and highest coordinates.
fn box_of(x: &[[f64; 3]]) -> ([f64; 3], [f64; 3]) {
    x.iter().fold(([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]), |(low, high), x| {
        ([0, 1, 2].map(|k| low[k].min(x[k])), [0, 1, 2].map(|k| high[k].max(x[k])))
    })
}

/// Longest side of a box.
fn extent(x: &[[f64; 3]]) -> f64 {
    let (low, high) = box_of(x);
    (0..3).map(|k| high[k] - low[k]).fold(0.0, f64::max)
}

/// The solids of a scene, of planes what lies near the cloth at its start.
pub(super) fn solids(scene: &Scene, simulation: &Run) -> Vec<Mesh> {
    let x = places(simulation);
    let ((low, high), size) = (box_of(&x), extent(&x));
    let centre = [0, 1, 2].map(|k| 0.5 * (low[k] + high[k]));
    let solids = scene.solids.iter().map(|(solid, _)| pictures::solid(solid, centre, 0.9 * size));
    solids.chain(scene.bodies.iter().map(|body| pictures::triangles(&body.vertices, &body.faces))).collect()
}

/// The faces that pictures show: of a fine grid every few cells as one, of a fine mesh triangles between cells of space at rest. Of
/// cloth that `tears` as long as possible all.
fn faces(model: &Model, tears: bool) -> Vec<Vec<usize>> {
    match model.surface() {
        Surface::Triangles(mesh) if tears && mesh.triangles().len() <= TORN_FACES => {
            mesh.faces().map(|face| face.corners().collect()).collect()
        }
        Surface::Triangles(mesh) if mesh.triangles().len() > FACES => coarse(&model.rest(), mesh.triangles()),
        Surface::Triangles(mesh) => mesh.triangles().iter().map(|triangle| triangle.corners.to_vec()).collect(),
        Surface::Grid(grid) => {
            let marks = |n: usize| -> Vec<usize> {
                let cells = (n - 1).min(CELLS);
                (0..=cells).map(|k| k * (n - 1) / cells).collect()
            };
            let (columns, rows) = (marks(grid.nx()), marks(grid.ny()));
            let cells = rows.windows(2).flat_map(|j| columns.windows(2).map(move |i| (i, j)));
            let corners = |(i, j): (&[usize], &[usize])| {
                vec![grid.index(i[0], j[0]), grid.index(i[1], j[0]), grid.index(i[1], j[1]), grid.index(i[0], j[1])]
            };
            cells.map(corners).collect()
        }
    }
}

/// Triangles whose corners lie in different cells of space, each corner as the first particle of its cell.
fn coarse(rest: &[Vec3], triangles: &[Triangle]) -> Vec<Vec<usize>> {
    let [low, high] = scene::corners(rest);
    let width = (high - low).max() / CELLS as f64;
    let mut first = HashMap::new();
    let cells = rest.iter().map(|x| ((x - low) / width).map(|q| q as u32)).enumerate();
    let first: Vec<usize> = cells.map(|(k, cell)| *first.entry([cell.x, cell.y, cell.z]).or_insert(k)).collect();
    let corners: BTreeSet<[usize; 3]> = triangles.iter().map(|triangle| triangle.corners.map(|corner| first[corner])).collect();
    corners.into_iter().filter(|[a, b, c]| a != b && b != c && c != a).map(Vec::from).collect()
}

/// Faces by their places among the particles that they join, and these.
fn joined(faces: &[Vec<usize>]) -> (Vec<usize>, Vec<Vec<usize>>) {
    let particles: Vec<usize> = faces.iter().flatten().copied().collect::<BTreeSet<_>>().into_iter().collect();
    let place = |corner: &usize| particles.partition_point(|particle| particle < corner);
    let faces = faces.iter().map(|face| face.iter().map(place).collect()).collect();
    (particles, faces)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cloth::triangles::{Fabric, TriangleCloth, TriangleMesh};
    use cloth::{Cloth, Grid, Material};

    #[test]
    fn fine_cloth_is_drawn_with_few_faces_over_all_of_it() {
        let sheet: Model = Cloth::new(Grid::new(101, 51, 0.01).unwrap(), Material::default(), &[]).unwrap().into();
        let mesh = TriangleMesh::regular(101, 51, 1.0, 0.5).unwrap();
        let woven = Model::Continuum(TriangleCloth::new(mesh, Fabric::default(), &[]).unwrap());
        for model in [sheet, woven] {
            let (particles, faces) = joined(&faces(&model, false));
            assert!((100..=2 * CELLS * CELLS).contains(&faces.len()), "{}", faces.len());
            assert!(faces.iter().flatten().all(|corner| *corner < particles.len()));
            let rest = model.rest();
            let (low, high) = box_of(&particles.iter().map(|&k| rest[k].into()).collect::<Vec<[f64; 3]>>());
            assert!(high[0] - low[0] > 0.95 && high[1] - low[1] > 0.45, "{low:?} {high:?}");
        }
    }
}
