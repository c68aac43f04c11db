//! Frames of the runs of a case, kept while somebody wants to look at them.
//!
//! Every [`Course`](crate::course::Course) shows its states here. Nothing is kept but inside [`films_of`], on its thread.

use std::cell::{Cell, RefCell};

use cloth::contact::Solid;
use cloth::{State, System};
use scene::Surface;
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
    dt: f64,
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
    (measured, kept.into_iter().map(|kept| kept.film).collect(), begun)
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
pub struct Filmed {
    steps: u64,
    taken: u64,
    number: Option<usize>,
}

impl Filmed {
    /// A run of so many steps.
    pub fn new(steps: u64) -> Filmed {
        Filmed { steps, taken: 0, number: None }
    }

    /// Shows the state after another step.
    pub fn step(&mut self, system: &dyn System, state: &State) {
        self.taken += 1;
        if !IS_ON.get() || !state.is_finite() {
            return;
        }
        let Filmed { steps, taken, number } = self;
        RECORDER.with_borrow_mut(|recorder| {
            let number = *number.get_or_insert_with(|| recorder.begin(*steps, system, state));
            let is_due = *taken == 1 || taken == steps || taken.is_multiple_of(steps.div_ceil(FRAMES).max(1));
            if let (true, Some(kept)) = (is_due, recorder.kept.get_mut(number)) {
                kept.take(*taken, state);
            }
        });
    }
}

impl Recorder {
    fn begin(&mut self, steps: u64, system: &dyn System, state: &State) -> usize {
        self.begun += 1;
        if self.begun <= MOST {
            let Surroundings { dt, solids } = &self.around;
            let surface = system.sheet().map(|cloth| Surface::Grid(cloth.grid()));
            let look = surface.or_else(|| system.triangles().map(Surface::Triangles)).map(Look::of_surface);
            let (faces, edges) = match &look {
                Some(look) => (look.faces().map(<[u32]>::to_vec).collect(), look.edges.iter().map(|(ends, _)| *ends).collect()),
                None => squares(&system.pairs(), system.particle_count()),
            };
            let centre = state.x.iter().sum::<cloth::Vec3>() / state.x.len().max(1) as f64;
            let reach = state.x.iter().map(|x| (x - centre).norm()).fold(0.0, f64::max);
            let view = View { azimuth: -60.0, elevation: 20.0 };
            let film = Film::new(format!("run {}", self.begun), view, halves(faces.iter().map(Vec::as_slice), |at| *at), edges);
            let film = film.with_solids(solids.iter().map(|of| body(&solid(of, centre.into(), 1.5 * reach))).collect());
            let film = if dt.is_some() { film } else { film.of_steps(steps as f64 / SECONDS) };
            self.kept.push(Kept { film, look, dt: dt.unwrap_or(1.0) });
        }
        self.begun - 1
    }
}

impl Kept {
    fn take(&mut self, taken: u64, state: &State) {
        let x: Vec<[f64; 3]> = state.x.iter().map(|x| [x.x, x.y, x.z]).collect();
        let stretch = self.look.as_ref().map_or_else(|| vec![0.0; x.len()], |look| look.stretch(&state.x));
        self.film.take(taken as f64 * self.dt, &x, &stretch);
    }
}

/// Cells and sides of a square of particles row by row, where no pair joins what lies farther apart than two rows or columns:
/// edges that keep their length are no pairs. Of any others all pairs.
fn squares(pairs: &[(usize, usize)], count: usize) -> (Vec<Vec<u32>>, Vec<[u32; 2]>) {
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
    use cloth::{Cloth, Grid, Material};

    use super::*;
    use crate::course::Course;

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
                let mut course = Course::new(&cloth, &start, 1000);
                (0..1000).for_each(|_| course.watch(&cloth, &start));
            }
        };
        follow();
        let ((), films, begun) = films_of(follow);
        assert_eq!((films.len(), begun), (MOST, MOST + 2));
        assert!(films.iter().all(|film| film.frames() == 101), "the first and every tenth");
        assert_eq!(films_of(|| ()).2, 0);
    }
}
