//! A step of a sheet as every way solves it, kept since several groups ask for it.

use std::hash::Hash;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use kit::costs::{OperationModel, SPRINGS, TRIANGLES};
use kit::prelude::*;

use super::sheets::{Kind, Sheet};
use super::solvers::Way;

/// A sheet when it is caught, and its next step.
pub struct Problem {
    pub sheet: Sheet,
    pub cloth: Box<dyn System + Send + Sync>,
    pub begin: State,
    costs: OperationModel,
    /// Explicit forces \[N\].
    explicit: Vec<Vec3>,
    /// x at the end of the step.
    end: Vec<Vec3>,
    /// E there \[J\].
    least: f64,
    /// Distance of x_n + h v_n from there \[m\], and E at that \[J\].
    far: f64,
    high: f64,
}

words! {
    /// By what it is told how far a way has come.
    pub enum Measure {
        /// Distance to the converged step.
        Distance = "distance",
        /// Energy of the step above its least.
        Energy = "energy",
    }
}

/// What a way has come to after some iterations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Iterations.
    pub iterations: usize,
    /// Distance to the end of the step over that of x_n + h v_n \[-\].
    pub left: f64,
    /// E above its least value, over that of x_n + h v_n \[-\].
    pub above: f64,
    /// Operations over those of an evaluation of all forces, without the factorisation that all steps share \[-\].
    pub work: f64,
}

impl Look {
    /// What is left by a measure; less than nothing where the energy is below that of the converged step, in another minimum.
    pub fn by(&self, measure: Measure) -> f64 {
        match measure {
            Measure::Distance => self.left,
            Measure::Energy => self.above,
        }
    }
}

/// Change of velocities at which the reference has converged \[m/s\], and its most iterations.
const CONVERGED: f64 = 1e-11;
const MOST: usize = 1000;

impl Problem {
    /// None where the reference does not converge.
    ///
    /// # Errors
    /// A quantity outside its range.
    pub fn new(sheet: &Sheet) -> Result<Option<Problem>, ModelError> {
        let (cloth, begin) = sheet.caught()?;
        let newton = Newton::Descending { tolerance: CONVERGED, limit: MOST };
        let settings = Settings { solver: Solver::Direct, newton, ..Settings::default() };
        let (mut scheme, mut state) = (BackwardEuler::new(&*cloth, settings), begin.clone());
        scheme.step(&*cloth, sheet.step, &mut state);
        let work = scheme.work();
        if !begin.is_finite() || !state.is_finite() || work.newton_limited + work.indefinite + work.not_finite > 0 {
            return Ok(None);
        }
        drop(scheme);
        let coupling = if sheet.kind == Kind::Triangles { TRIANGLES } else { SPRINGS };
        let mut explicit = vec![Vec3::zeros(); begin.x.len()];
        cloth.add_explicit_forces(&vec![true; cloth.coupling_count()], &begin.x, &begin.v, &mut explicit);
        let mut problem = Problem {
            sheet: *sheet,
            costs: OperationModel::new(&*cloth, coupling),
            cloth,
            explicit,
            end: state.x,
            least: 0.0,
            far: 1.0,
            high: 1.0,
            begin,
        };
        let ahead: Vec<Vec3> = problem.begin.x.iter().zip(&problem.begin.v).map(|(x, v)| x + sheet.step * v).collect();
        problem.least = problem.energy(&problem.end);
        (problem.far, problem.high) = (problem.distance(&ahead), problem.energy(&ahead) - problem.least);
        Ok((problem.far > 0.0).then_some(problem))
    }

    /// Distance of places from the end of the step, rms over mass \[m\].
    fn distance(&self, x: &[Vec3]) -> f64 {
        let (mut sum, mut mass) = (0.0, 0.0);
        for ((m, x), end) in self.cloth.masses().iter().zip(x).zip(&self.end) {
            sum += m * (x - end).norm_squared();
            mass += m;
        }
        (sum / mass).sqrt()
    }

    /// E = 1/2 |v - v_n|²_M + U(x) - h e·v with v = (x - x_n)/h, whose least value is the step \[J\].
    fn energy(&self, x: &[Vec3]) -> f64 {
        let (h, zeros) = (self.sheet.step, vec![Vec3::zeros(); x.len()]);
        let mut energy = self.cloth.potential(x, &zeros).map_or(f64::NAN, |potential| potential.energy);
        for i in (0..x.len()).filter(|i| !self.cloth.pinned()[*i]) {
            let v = (x[i] - self.begin.x[i]) / h;
            energy += 0.5 * self.cloth.masses()[i] * (v - self.begin.v[i]).norm_squared() - h * self.explicit[i].dot(&v);
        }
        energy
    }

    /// The step with so many iterations, looked at.
    pub fn look(&self, way: Way, iterations: usize) -> Look {
        let (mut scheme, mut state) = (way.with(&*self.cloth, iterations), self.begin.clone());
        scheme.step(&*self.cloth, self.sheet.step, &mut state);
        Look {
            iterations,
            left: self.distance(&state.x) / self.far,
            above: (self.energy(&state.x) - self.least) / self.high,
            work: self.costs.work(0, &scheme.work()),
        }
    }

    /// What a way comes to, until so much of the way is left or it has had its most iterations.
    pub fn course(&self, way: Way, until: f64, most: usize) -> Vec<Look> {
        let mut looks = vec![];
        for iterations in way.looks(most) {
            let look = self.look(way, iterations);
            looks.push(look);
            if look.left <= until || !look.left.is_finite() {
                break;
            }
        }
        looks
    }
}

/// Values by key, each made once, by whoever asks first.
pub struct Kept<K, V>(Mutex<HashMap<K, Arc<OnceLock<V>>>>);

impl<K: Eq + Hash, V> Kept<K, V> {
    pub fn new() -> Kept<K, V> {
        Kept(Mutex::new(HashMap::new()))
    }

    pub fn get(&self, key: K, make: impl FnOnce() -> V) -> Arc<OnceLock<V>> {
        let cell = self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default().clone();
        cell.get_or_init(make);
        cell
    }
}

/// Sheets by their scenes, and their courses.
#[derive(Clone)]
pub struct Solved {
    most: usize,
    problems: Arc<Kept<u64, Option<Problem>>>,
    courses: Arc<Kept<(u64, Way), Vec<Look>>>,
}

/// What is left of the way where a course ends \[-\].
pub const TIGHT: f64 = 1e-6;

impl Solved {
    pub fn new(most: usize) -> Solved {
        Solved { most, problems: Arc::new(Kept::new()), courses: Arc::new(Kept::new()) }
    }

    /// The problem of a scene whose sheet is known.
    pub fn problem<T>(&self, scene: u64, sheet: &Sheet, of: impl FnOnce(&Problem) -> T) -> Option<T> {
        let cell = self.problems.get(scene, || Problem::new(sheet).ok().flatten());
        cell.get()?.as_ref().map(of)
    }

    /// The course of a way on it, empty where there is no reference.
    pub fn course(&self, scene: u64, sheet: &Sheet, way: Way) -> Vec<Look> {
        let course = || self.problem(scene, sheet, |problem| problem.course(way, TIGHT, self.most)).unwrap_or_default();
        self.courses.get((scene, way), course).get().cloned().unwrap_or_default()
    }
}
