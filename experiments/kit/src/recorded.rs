//! Frames of the runs of a case, kept while somebody wants to look at them.
//!
//! Every [`RunWatch`](crate::run_watch::RunWatch) shows its states here. Nothing is kept but inside [`films_of`], on its thread.

use std::cell::{Cell, RefCell};

use cloth::contact::Solid;
use cloth::run::Surface;
use cloth::triangles::TriangleMesh;
use cloth::{State, System};
use scene::formats::Look;
use viewer::{Film, View};

use crate::pictures::{body, halves, solid};

/// Runs of a case that are kept: one that searches has hundreds.
const MOST: usize = 6;
/// Frames of a run.
const FRAMES: u64 = 100;
/// How long a run plays whose steps have no length that is known \[s\].
const SECONDS: f64 = 5.0;

/// What the runs that begin next have in common.
#[derive(Default)]
pub struct Surroundings {
    /// Length of a step \[s\], where it is known.
    pub dt: Option<f64>,
    /// What cloth falls onto.
    pub solids: Vec<Solid>,
}

#[derive(Default)]
struct Recorder {
    around: Surroundings,
    kept: Vec<Kept>,
    begun: usize,
}

struct Kept {
    film: Film,
    /// None where rest lengths are not known.
    look: Option<Look>,
    /// Of cloth that tears, the particle that each particle was split from, or itself.
    parents: Vec<usize>,
    dt: f64,
}

/// What a state is of.
#[derive(Clone, Copy)]
enum Shown<'a> {
    System(&'a dyn System),
    /// A mesh that tears, as it is, and the particles that those behind the whole mesh were split from.
    Tearing(&'a TriangleMesh, &'a [usize]),
}

thread_local! {
    static IS_ON: Cell<bool> = const { Cell::new(false) };
    static RECORDER: RefCell<Recorder> = RefCell::default();
}

/// The runs that `measure` follows on this thread, the first few of them, and how many there are in all.
pub fn films_of<T>(measure: impl FnOnce() -> T) -> (T, Vec<Film>, usize) {
    RECORDER.take();
    IS_ON.set(true);
    let measured = measure();
    IS_ON.set(false);
    let Recorder { kept, begun, .. } = RECORDER.take();
    (measured, kept.into_iter().map(Kept::film).collect(), begun)
}

/// Says what surrounds the runs that begin from now on.
pub fn surround(around: impl FnOnce() -> Surroundings) {
    if IS_ON.get() {
        RECORDER.with_borrow_mut(|recorder| recorder.around = around());
    }
}

/// Whether somebody wants to look at runs.
pub fn is_on() -> bool {
    IS_ON.get()
}

/// A run that shows itself step by step.
#[derive(Clone, Copy, Debug)]
pub struct FilmRecorder {
    steps: u64,
    taken: u64,
    number: Option<usize>,
}

impl FilmRecorder {
    /// A run of so many steps.
    pub fn new(steps: u64) -> FilmRecorder {
        FilmRecorder { steps, taken: 0, number: None }
    }

    /// Shows the state after another step.
    pub fn step(&mut self, system: &dyn System, state: &State) {
        self.show(Shown::System(system), state);
    }

    /// Shows the state after another step of a mesh that tears, as it is now, with the particle that each particle behind those of
    /// the whole mesh was split from.
    pub fn tearing(&mut self, mesh: &TriangleMesh, parents: &[usize], state: &State) {
        self.show(Shown::Tearing(mesh, parents), state);
    }

    fn show(&mut self, of: Shown<'_>, state: &State) {
        self.taken += 1;
        if !IS_ON.get() || !state.is_finite() {
            return;
        }
        let FilmRecorder { steps, taken, number } = self;
        RECORDER.with_borrow_mut(|recorder| {
            let number = *number.get_or_insert_with(|| recorder.begin(*steps, of, state));
            let is_due = *taken == 1 || taken == steps || taken.is_multiple_of(steps.div_ceil(FRAMES).max(1));
            if let (true, Some(kept)) = (is_due, recorder.kept.get_mut(number)) {
                kept.take(*taken, of, state);
            }
        });
    }
}

impl Recorder {
    fn begin(&mut self, steps: u64, of: Shown<'_>, state: &State) -> usize {
        self.begun += 1;
        if self.begun <= MOST {
            let Surroundings { dt, solids } = &self.around;
            let look = of.surface().map(Look::of_surface);
            let (faces, edges) = match (&look, of) {
                (None, Shown::System(system)) => squares(&system.pairs(), system.particle_count()),
                (look, _) => look.as_ref().map(parts).unwrap_or_default(),
            };
            let centre = state.x.iter().sum::<cloth::Vec3>() / state.x.len().max(1) as f64;
            let reach = state.x.iter().map(|x| (x - centre).norm()).fold(0.0, f64::max);
            let view = View { azimuth: -60.0, elevation: 20.0 };
            let film = Film::new(format!("run {}", self.begun), view, halves(faces.iter().map(Vec::as_slice), |at| *at), edges);
            let film = film.with_solids(solids.iter().map(|of| body(&solid(of, centre.into(), 1.5 * reach))).collect());
            let film = if dt.is_some() { film } else { film.of_steps(steps as f64 / SECONDS) };
            self.kept.push(Kept { film, look, parents: vec![], dt: dt.unwrap_or(1.0) });
        }
        self.begun - 1
    }
}

impl Shown<'_> {
    /// Its faces, where they are known.
    fn surface(&self) -> Option<Surface<'_>> {
        match self {
            Shown::System(system) => {
                let sheet = system.sheet().map(|cloth| Surface::Grid(cloth.grid()));
                sheet.or_else(|| system.triangles().map(Surface::Triangles))
            }
            Shown::Tearing(mesh, _) => Some(Surface::Triangles(mesh)),
        }
    }
}

impl Kept {
    fn take(&mut self, taken: u64, of: Shown<'_>, state: &State) {
        if let Shown::Tearing(_, split) = of {
            self.look = of.surface().map(Look::of_surface);
            self.parents = (0..state.x.len() - split.len()).chain(split.iter().copied()).collect();
        }
        let x: Vec<[f64; 3]> = state.x.iter().map(|x| [x.x, x.y, x.z]).collect();
        let stretch = self.look.as_ref().map_or_else(|| vec![0.0; x.len()], |look| look.stretch(&state.x));
        self.film.take(taken as f64 * self.dt, &x, &stretch);
        if let Shown::System(system) = of {
            self.film.strained(system.largest_stretch(&state.x) - 1.0);
        }
    }

    /// Its frames, those of cloth that tears on the mesh that it ended with.
    fn film(mut self) -> Film {
        if let (Some(look), false) = (&self.look, self.parents.is_empty()) {
            let (faces, edges) = parts(look);
            self.film.torn(halves(faces.iter().map(Vec::as_slice), |at| *at), edges, &self.parents);
        }
        self.film
    }
}

/// Faces, and edges by their ends.
type Parts = (Vec<Vec<u32>>, Vec<[u32; 2]>);

fn parts(look: &Look) -> Parts {
    (look.faces().map(<[u32]>::to_vec).collect(), look.edges.iter().map(|(ends, _)| *ends).collect())
}

/// Cells and sides of a square of particles row by row, where no pair joins what lies farther apart than two rows or columns:
/// edges that keep their length are no pairs. Of any others all pairs.
fn squares(pairs: &[(usize, usize)], count: usize) -> Parts {
    let side = count.isqrt();
    let is_near = |&(i, j): &(usize, usize)| (i / side).abs_diff(j / side) <= 2 && (i % side).abs_diff(j % side) <= 2;
    if side < 2 || side * side != count || !pairs.iter().all(is_near) {
        return (vec![], pairs.iter().map(|&(i, j)| [i as u32, j as u32]).collect());
    }
    let starts = || (0..count).filter(move |k| k % side + 1 < side);
    let sides = starts().map(|k| [k, k + 1]).chain((0..count - side).map(|k| [k, k + side]));
    let cells = starts().filter(|k| k + side < count).map(|k| [k, k + 1, k + side + 1, k + side]);
    let faces = cells.map(|cell| cell.map(|corner| corner as u32).to_vec()).collect();
    (faces, sides.map(|ends| ends.map(|end| end as u32)).collect())
}

#[cfg(test)]
mod tests {
    use cloth::tearing::{TearLimits, Tearing};
    use cloth::{Cloth, Grid, Material};

    use super::*;
    use crate::run_watch::RunWatch;

    #[test]
    fn a_square_whose_pairs_are_near_has_cells() {
        let square = (vec![vec![0, 1, 3, 2]], vec![[0, 1], [2, 3], [0, 2], [1, 3]]);
        assert_eq!(squares(&[(0, 3), (2, 1)], 4), square);
        assert_eq!(squares(&[], 4), square);
        let chain: Vec<(usize, usize)> = (0..15).map(|k| (k, k + 1)).collect();
        let (cells, links) = squares(&chain, 16);
        assert_eq!((cells.len(), links.len()), (0, 15));
        assert_eq!(squares(&[], 0), (vec![], vec![]));
    }

    #[test]
    fn runs_are_kept_only_where_they_are_wanted() {
        let cloth = Cloth::new(Grid::new(3, 3, 0.1).unwrap(), Material::default(), &[]).unwrap();
        let start = cloth.at_rest();
        let follow = || {
            for _ in 0..MOST + 2 {
                let mut course = RunWatch::new(&cloth, &start, 1000);
                (0..1000).for_each(|_| course.watch(&cloth, &start));
            }
        };
        follow();
        let ((), films, begun) = films_of(follow);
        assert_eq!((films.len(), begun), (MOST, MOST + 2));
        assert!(films.iter().all(|film| film.frames() == 101), "the first and every tenth");
        assert_eq!(films_of(|| ()).2, 0);
    }

    #[test]
    fn cloth_that_tears_is_shown_on_its_last_mesh() {
        let whole = TriangleMesh::of_grid(&Grid::new(3, 2, 1.0).unwrap()).unwrap();
        let drawn: Vec<cloth::Vec3> =
            whole.positions().iter().map(|x| if x.x > 1.5 { x + cloth::Vec3::x() } else { *x }).collect();
        let mut tearing = Tearing::new(&whole, TearLimits::new(1.5).unwrap());
        let opening = tearing.tear(&whole, &[false; 6], &drawn).unwrap();
        let mut torn = State::at_rest(drawn);
        let whole_yet = torn.clone();
        opening.carry(&mut torn);
        let film = |last: bool| {
            let ((), films, _) = films_of(|| {
                let mut filmed = FilmRecorder::new(2);
                filmed.tearing(&whole, &[], &whole_yet);
                if last {
                    filmed.tearing(&opening.mesh, tearing.parents(), &torn);
                }
            });
            let packed: serde_json::Value = serde_json::from_str(&films[0].packed()).unwrap();
            ["positions", "triangles", "edges"].map(|key| packed[key].as_str().unwrap().len() * 3 / 4)
        };
        let bytes = |frames: usize, particles: usize, edges: usize| [frames * particles * 6, 4 * 12, edges * 8];
        for (found, by_hand) in [(film(false), bytes(1, 6, 9)), (film(true), bytes(2, 8, 10))] {
            assert!(found.iter().zip(by_hand).all(|(found, by_hand)| found.abs_diff(by_hand) < 4), "{found:?} {by_hand:?}");
        }
    }
}
