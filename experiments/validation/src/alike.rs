//! Sheets that are bent to cylinders: particles that lie in one line across move alike.

use std::cell::RefCell;

use cloth::implicit::Splitting;
use cloth::{Linearisation, Mat3, Potential};
use kit::prelude::*;
use linsolve::{BlockPattern, BlockRows};

/// A system whose particles move as those of another one that stand for lines of its particles.
pub struct Alike {
    inner: Box<dyn System>,
    /// The line of each particle, and where it lies on it \[m\].
    lines: Vec<(usize, Vec3)>,
    masses: Vec<f64>,
    pinned: Vec<bool>,
    pairs: Vec<(usize, usize)>,
    /// Places of pairs of lines among these.
    places: HashMap<(usize, usize), usize>,
    /// The matrix of the particles.
    matrix: RefCell<BlockRows>,
}

impl Alike {
    /// Lines of particles at `flat` that have one x, in the order of x; a line is held where its particles are.
    pub fn new(inner: Box<dyn System>, flat: &[Vec3]) -> Alike {
        let xs = distinct(flat.iter().map(|x| x.x));
        let line_of = |x: &Vec3| xs.iter().position(|known| *known == x.x).unwrap_or(0);
        let lines: Vec<(usize, Vec3)> = flat.iter().map(|x| (line_of(x), Vec3::new(0.0, x.y, 0.0))).collect();
        let (mut masses, mut pinned) = (vec![0.0; xs.len()], vec![false; xs.len()]);
        for (((line, _), m), held) in lines.iter().zip(inner.masses()).zip(inner.pinned()) {
            masses[*line] += m;
            pinned[*line] |= *held;
        }
        let of_particles = inner.pairs();
        let coupled = of_particles.iter().map(|&(i, j)| (lines[i].0.min(lines[j].0), lines[i].0.max(lines[j].0)));
        let pairs = distinct(coupled.filter(|(a, b)| a != b));
        let places = pairs.iter().enumerate().map(|(place, pair)| (*pair, place)).collect();
        let matrix = RefCell::new(BlockRows::new(BlockPattern::new(inner.particle_count(), &of_particles)));
        Alike { inner, lines, masses, pinned, pairs, places, matrix }
    }

    /// Places of its lines where particles are at `x`.
    pub fn lines_at(&self, x: &[Vec3]) -> Vec<Vec3> {
        let mut at = vec![Vec3::zeros(); self.masses.len()];
        self.lines.iter().zip(x).for_each(|((line, beside), x)| at[*line] = x - beside);
        at
    }

    /// What each particle has of a field of lines.
    fn of_lines(&self, field: &[Vec3]) -> Vec<Vec3> {
        self.lines.iter().map(|(line, _)| field[*line]).collect()
    }

    /// Places of particles.
    fn particles_at(&self, x: &[Vec3]) -> Vec<Vec3> {
        self.lines.iter().map(|(line, beside)| x[*line] + beside).collect()
    }

    /// Adds what particles have to what their lines have.
    fn add_to_lines(&self, particles: &[Vec3], lines: &mut [Vec3]) {
        self.lines.iter().zip(particles).for_each(|((line, _), of_particle)| lines[*line] += of_particle);
    }
}

impl System for Alike {
    fn accelerate(&self, x: &[Vec3], v: &[Vec3], a: &mut [Vec3]) {
        let mut forces = vec![Vec3::zeros(); self.lines.len()];
        self.inner.accelerate(&self.particles_at(x), &self.of_lines(v), &mut forces);
        forces.iter_mut().zip(self.inner.masses()).for_each(|(force, m)| *force *= *m);
        a.fill(Vec3::zeros());
        self.add_to_lines(&forces, a);
        a.iter_mut().zip(&self.masses).for_each(|(a, m)| *a /= *m);
    }

    fn masses(&self) -> &[f64] {
        &self.masses
    }

    fn pinned(&self) -> &[bool] {
        &self.pinned
    }

    fn coupling_count(&self) -> usize {
        self.inner.coupling_count()
    }

    fn pairs(&self) -> Vec<(usize, usize)> {
        self.pairs.clone()
    }

    fn choose_implicit(&self, splitting: &Splitting, dt: f64, state: &State, implicit: &mut [bool]) {
        let state = State { x: self.particles_at(&state.x), v: self.of_lines(&state.v) };
        self.inner.choose_implicit(splitting, dt, &state, implicit);
    }

    fn add_explicit_forces(&self, implicit: &[bool], x: &[Vec3], v: &[Vec3], f: &mut [Vec3]) {
        let mut forces = vec![Vec3::zeros(); self.lines.len()];
        self.inner.add_explicit_forces(implicit, &self.particles_at(x), &self.of_lines(v), &mut forces);
        self.add_to_lines(&forces, f);
    }

    fn add_linearised(&self, at: &Linearisation, implicit: &[bool], a: &mut BlockRows, b: &mut [Vec3]) {
        let (x, v, w) = (self.particles_at(at.x), self.of_lines(at.v), self.of_lines(at.w));
        let mut matrix = self.matrix.borrow_mut();
        matrix.clear();
        let mut impulses = vec![Vec3::zeros(); self.lines.len()];
        let of_particles = Linearisation { x: &x, v: &v, w: &w, ..*at };
        self.inner.add_linearised(&of_particles, implicit, &mut matrix, &mut impulses);
        self.add_to_lines(&impulses, b);
        for (row, &(line, _)) in self.lines.iter().enumerate() {
            a.add_diagonal(line, matrix.diagonal(row));
            for (column, block) in matrix.filled_above(row) {
                let other = self.lines[column].0;
                if other == line {
                    a.add_diagonal(line, &(block + block.transpose()));
                } else {
                    let block: Mat3 = if line < other { *block } else { block.transpose() };
                    a.add_pair(self.places[&(line.min(other), line.max(other))], &block);
                }
            }
        }
    }

    fn add_curvatures(&self, h: f64, add: &mut dyn FnMut(usize, usize, f64)) {
        self.inner.add_curvatures(h, &mut |i, j, weight| {
            let [a, b] = [i, j].map(|particle| self.lines[particle].0);
            if a != b {
                add(a, b, weight);
            }
        });
    }

    fn potential(&self, x: &[Vec3], v: &[Vec3]) -> Option<Potential> {
        self.inner.potential(&self.particles_at(x), &self.of_lines(v))
    }
}

#[cfg(test)]
mod tests {
    use super::super::meshes::Cut;
    use super::super::strips::{Law, Making, Method, Motion};
    use super::*;

    #[test]
    fn forces_are_slopes_of_the_energy_and_the_matrix_is_theirs() {
        let making =
            Making { method: Method::new(Law::Shells, Cut::Left, Motion::Alike), elements: 4, ..Making::of_a_meter(2.0, 50.0) };
        let strip = making.strip().unwrap();
        let (system, count) = (&*strip.system, strip.flat.len());
        let wave = |k: usize, shift: f64| Vec3::new(libm::sin(2.0 * k as f64 + shift), 0.0, libm::cos(3.0 * k as f64 - shift));
        let x: Vec<Vec3> = strip.flat.iter().enumerate().map(|(k, x)| x + 0.02 * wave(k, 0.3)).collect();
        let zeros = vec![Vec3::zeros(); count];
        let forces = |x: &[Vec3]| {
            let mut a = BlockRows::new(BlockPattern::new(count, &system.pairs()));
            let mut f = zeros.clone();
            let at = Linearisation { x, v: &zeros, w: &zeros, h: 1.0, g: 1.0, terms: Terms::Exact };
            system.add_linearised(&at, &vec![true; system.coupling_count()], &mut a, &mut f);
            (a, f)
        };
        let (matrix, f) = forces(&x);
        let size = f.iter().map(|f| f.amax()).fold(0.0, f64::max);
        let way: Vec<Vec3> = (0..count).map(|k| wave(k, 1.1)).collect();
        let moved = |by: f64| -> Vec<Vec3> { x.iter().zip(&way).map(|(x, way)| x + by * way).collect() };
        let energy = |by: f64| system.potential(&moved(by), &zeros).unwrap().energy;
        let slope = (energy(1e-6) - energy(-1e-6)) / 2e-6;
        let along: f64 = f.iter().zip(&way).map(|(f, way)| f.dot(way)).sum();
        assert!(size > 1e-3 && (slope + along).abs() < 1e-6 * slope.abs(), "{slope} {along}");
        let mut product = zeros.clone();
        linsolve::Operator::apply(&matrix, &way, &mut product);
        let [above, below] = [1e-6, -1e-6].map(|by| forces(&moved(by)).1);
        for k in 0..count {
            let change = (above[k] - below[k]) / 2e-6;
            assert!((change + product[k]).norm() < 1e-5 * product[k].norm().max(size), "{k}: {change} {}", product[k]);
        }
    }
}
