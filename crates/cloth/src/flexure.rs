use linsolve::BlockRows;
use linsolve::lanes::{Eight, InstructionSet, Kernel, plus, scaled};

use crate::triangles::{Hinge, TriangleMesh, blocks};
use crate::{Elastic, Grid, Linearisation, Mat3, Rigidity, Vec3};

/// Most particles of a stencil: those of a triangle, of its neighbours and of theirs.
const MOST: usize = 12;

/// Particles, at most [`MOST`], whose weighted positions make a curvature: the energy is k/2 |Σ w_i x_i|², its damper's
/// kd/2 |Σ w_i v_i|².
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stencil {
    /// Each once, with its w, whose sum is zero; \[1/m\] where k is an energy, \[1/m²\] where it is a rigidity times an area.
    pub terms: Vec<(usize, f64)>,
    /// k and kd, k times a time.
    pub elastic: Elastic,
}

impl Stencil {
    /// Those of a sheet on a grid: second differences along its rows and columns, which stand for half as much on its borders, and
    /// the twist of its cells. D/2 h² |x_i-1 - 2 x_i + x_i+1|²/h⁴, and D h² |x_i,j - x_i+1,j - x_i,j+1 + x_i+1,j+1|²/h⁴.
    pub fn of_grid(grid: &Grid, rigidity: &Rigidity) -> Vec<Stencil> {
        let (nx, ny, per) = (grid.nx(), grid.ny(), 1.0 / grid.spacing());
        let elastic = |factor: f64, d: f64| Elastic { stiffness: factor * d, damping: factor * rigidity.damping };
        let share = |line: usize, lines: usize| if line == 0 || line + 1 == lines { 0.5 } else { 1.0 };
        let row = |[a, b, c]: [usize; 3], elastic: Elastic| Stencil { terms: vec![(a, per), (b, -2.0 * per), (c, per)], elastic };
        let mut stencils = vec![];
        for j in 0..ny {
            let along = (1..nx - 1).map(|i| [i - 1, i, i + 1].map(|i| grid.index(i, j)));
            stencils.extend(along.map(|particles| row(particles, elastic(share(j, ny), rigidity.warp))));
        }
        for i in 0..nx {
            let along = (1..ny - 1).map(|j| [j - 1, j, j + 1].map(|j| grid.index(i, j)));
            stencils.extend(along.map(|particles| row(particles, elastic(share(i, nx), rigidity.weft))));
        }
        for (i, j) in (0..ny - 1).flat_map(|j| (0..nx - 1).map(move |i| (i, j))) {
            let corners = [(i, j, per), (i + 1, j, -per), (i, j + 1, -per), (i + 1, j + 1, per)];
            stencils.push(Stencil {
                terms: corners.map(|(i, j, weight)| (grid.index(i, j), weight)).to_vec(),
                elastic: elastic(2.0, rigidity.twist), // w_xy and w_yx
            });
        }
        stencils.retain(|Stencil { elastic, .. }| elastic.stiffness > 0.0 || elastic.damping > 0.0);
        stencils
    }

    /// That of a hinge, the angle of nearly flat triangles times the unit normal \[Bergou et al. 2006\]: its energy is
    /// D/2 |e|²/A |Σ c_i x_i|², with A of both triangles.
    pub fn of_hinge(mesh: &TriangleMesh, hinge: &Hinge, elastic: Elastic) -> Stencil {
        let slenderness = mesh.slenderness(hinge);
        let particles = [hinge.edge[0], hinge.edge[1], hinge.wings[0], hinge.wings[1]];
        Stencil {
            terms: particles.into_iter().zip(mesh.flat_gradient(hinge)).collect(),
            elastic: Elastic { stiffness: slenderness * elastic.stiffness, damping: slenderness * elastic.damping },
        }
    }
}

/// The pairs of a stencil's terms.
fn pairs<T: Copy>(terms: &[T]) -> impl Iterator<Item = (T, T)> {
    terms.iter().enumerate().flat_map(|(k, one)| terms[k + 1..].iter().map(|other| (*one, *other)))
}

/// Eight stencils; further lanes repeat the last one. Those of fewer particles than the longest name one of theirs again, with a
/// weight of zero.
#[derive(Clone, Debug)]
struct Batch {
    count: usize,
    particles: Vec<[u32; 8]>,
    weights: Vec<[f64; 8]>,
    stiffness: [f64; 8],
    damping: [f64; 8],
}

/// Bending as a quadratic form of positions: forces are linear in them, Jacobians constant and definite, so that one matrix of
/// [projective dynamics](crate::projective) has it whole.
#[derive(Clone, Debug)]
pub(crate) struct Flexure {
    batches: Vec<Batch>,
    stencils: Vec<Stencil>,
    /// Places of their [`pairs`] among the pairs of a system.
    places: Vec<Box<[u32]>>,
    set: InstructionSet,
}

impl Flexure {
    /// Of stencils whose pairs of particles have a `place` among those of a system.
    pub fn new(stencils: Vec<Stencil>, mut place: impl FnMut(usize, usize) -> u32) -> Flexure {
        let batch = |batch: &[Stencil]| {
            let lane = |lane: usize| &batch[lane.min(batch.len() - 1)];
            let longest = batch.iter().map(|stencil| stencil.terms.len()).max().unwrap_or(0);
            let term = |k: usize, l: usize| *lane(l).terms.get(k).unwrap_or(&(lane(l).terms[0].0, 0.0));
            Batch {
                count: batch.len(),
                particles: (0..longest).map(|k| std::array::from_fn(|l| term(k, l).0 as u32)).collect(),
                weights: (0..longest).map(|k| std::array::from_fn(|l| term(k, l).1)).collect(),
                stiffness: std::array::from_fn(|l| lane(l).elastic.stiffness),
                damping: std::array::from_fn(|l| lane(l).elastic.damping),
            }
        };
        let batches = stencils.chunks(8).map(batch).collect();
        let of_stencil = |stencil: &Stencil| pairs(&stencil.terms).map(|((i, _), (j, _))| place(i, j)).collect();
        let places = stencils.iter().map(of_stencil).collect();
        Flexure { batches, stencils, places, set: InstructionSet::best() }
    }

    /// None at all.
    pub fn none() -> Flexure {
        Flexure::new(vec![], |_, _| 0)
    }

    /// Number of stencils, each of which is a coupling.
    pub fn count(&self) -> usize {
        self.stencils.len()
    }

    /// Energy \[J\].
    pub fn energy(&self, x: &[Vec3]) -> f64 {
        self.stencils
            .iter()
            .fold(0.0, |energy, stencil| energy + 0.5 * stencil.elastic.stiffness * sum(stencil, x).norm_squared())
    }

    /// Half the rate at which its dampers take energy \[W\].
    pub fn dissipation(&self, v: &[Vec3]) -> f64 {
        self.stencils.iter().fold(0.0, |rate, stencil| rate + 0.5 * stencil.elastic.damping * sum(stencil, v).norm_squared())
    }

    /// Adds the forces -w_i (k Σ w_j x_j + kd Σ w_j v_j) to `f` \[N\], of those stencils whose flag in `implicit` is `those`; eight at a
    /// time, with the same bits on each instruction set.
    pub fn add_forces(&self, (implicit, those): (&[bool], bool), x: &[Vec3], v: &[Vec3], f: &mut [Vec3]) {
        self.set.run(Forces { flexure: self, implicit: Some((implicit, those)), x, v, way: None, h: 1.0, f });
    }

    /// Adds the forces of all of them.
    pub fn add_all_forces(&self, x: &[Vec3], v: &[Vec3], f: &mut [Vec3]) {
        self.set.run(Forces { flexure: self, implicit: None, x, v, way: None, h: 1.0, f });
    }

    /// Adds h (f + K w) to `b` and -h D - h g K to `a`, of the stencils that are implicit.
    pub fn add_linearised(&self, at: &Linearisation, implicit: &[bool], a: &mut BlockRows, b: &mut [Vec3]) {
        let &Linearisation { x, v, w, h, g, .. } = at;
        self.set.run(Forces { flexure: self, implicit: Some((implicit, true)), x, v, way: Some(w), h, f: b });
        for ((Stencil { terms, elastic }, places), _) in
            self.stencils.iter().zip(&self.places).zip(implicit).filter(|(_, implicit)| **implicit)
        {
            let factor = h * (elastic.damping + g * elastic.stiffness); // K = -k w_i w_j I, D = -kd w_i w_j I
            for (particle, weight) in terms {
                a.add_diagonal(*particle, &Mat3::from_diagonal_element(factor * weight * weight));
            }
            for (((_, first), (_, second)), place) in pairs(terms).zip(places) {
                a.add_pair(*place as usize, &Mat3::from_diagonal_element(factor * first * second));
            }
        }
    }

    /// Its matrix for [`System::add_curvatures`](crate::System::add_curvatures), exactly: w_i sum to zero.
    pub fn add_curvatures(&self, h: f64, add: &mut dyn FnMut(usize, usize, f64)) {
        for Stencil { terms, elastic } in &self.stencils {
            let stiffness = elastic.stiffness + elastic.damping / h;
            for ((i, first), (j, second)) in pairs(terms) {
                add(i, j, -stiffness * first * second);
            }
        }
    }

    /// Adds Kᵀ q to `by_position` and Dᵀ q to `by_velocity`.
    pub fn add_transposed(&self, q: &[Vec3], by_position: &mut [Vec3], by_velocity: &mut [Vec3]) {
        for stencil in &self.stencils {
            let sum = sum(stencil, q);
            for (particle, weight) in &stencil.terms {
                by_position[*particle] -= *weight * stencil.elastic.stiffness * sum;
                by_velocity[*particle] -= *weight * stencil.elastic.damping * sum;
            }
        }
    }
}

/// Σ w_i y_i
fn sum(stencil: &Stencil, y: &[Vec3]) -> Vec3 {
    stencil.terms.iter().fold(Vec3::zeros(), |sum, (particle, weight)| sum + *weight * y[*particle])
}

/// Adds h (f + K way).
struct Forces<'a> {
    flexure: &'a Flexure,
    implicit: Option<(&'a [bool], bool)>,
    x: &'a [Vec3],
    v: &'a [Vec3],
    way: Option<&'a [Vec3]>,
    h: f64,
    f: &'a mut [Vec3],
}

impl Kernel for Forces<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let mut forces = [[[0.0; 8]; 3]; MOST];
        for (k, batch) in self.flexure.batches.iter().enumerate() {
            let (stiffness, damping) = (E::load(&batch.stiffness), E::load(&batch.damping));
            let mut moment = [E::splat(0.0); 3]; // k Σ w_i (x_i + way_i) + kd Σ w_i v_i
            for (particles, weights) in batch.particles.iter().zip(&batch.weights) {
                let mut pulled = scaled(stiffness, blocks::gathered(self.x, particles));
                if let Some(way) = self.way {
                    pulled = plus(pulled, scaled(stiffness, blocks::gathered(way, particles)));
                }
                pulled = plus(pulled, scaled(damping, blocks::gathered(self.v, particles)));
                moment = plus(moment, scaled(E::load(weights), pulled));
            }
            for (weights, force) in batch.weights.iter().zip(&mut forces) {
                blocks::store(scaled(-(E::splat(self.h) * E::load(weights)), moment), force);
            }
            for lane in 0..batch.count {
                if self.implicit.is_none_or(|(implicit, those)| implicit[8 * k + lane] == those) {
                    for (force, particles) in forces.iter().zip(&batch.particles) {
                        self.f[particles[lane] as usize] += blocks::vector(force, lane);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linsolve::{BlockPattern, Operator};

    fn wave(count: usize, shift: f64) -> Vec<Vec3> {
        let at = |i: usize| {
            let i = i as f64;
            Vec3::new(libm::sin(3.1 * i + shift), libm::cos(5.3 * i), libm::sin(7.7 * i - shift))
        };
        (0..count).map(at).collect()
    }

    /// A sheet of 5 x 4 particles, and the pairs of its springs.
    fn sheet() -> (Flexure, Vec<(usize, usize)>) {
        let grid = Grid::new(5, 4, 0.1).unwrap();
        let pairs: Vec<(usize, usize)> = grid.springs().iter().map(|spring| (spring.i, spring.j)).collect();
        let place = |i: usize, j: usize| pairs.iter().position(|pair| *pair == (i.min(j), i.max(j))).unwrap() as u32;
        let rigidity = Rigidity { warp: 2e-3, weft: 3e-3, twist: 1e-3, damping: 4e-5 };
        (Flexure::new(Stencil::of_grid(&grid, &rigidity), place), pairs)
    }

    #[test]
    fn a_row_by_hand() {
        let grid = Grid::new(3, 2, 0.5).unwrap();
        let stencils = Stencil::of_grid(&grid, &Rigidity { warp: 6.0, weft: 0.0, twist: 0.0, damping: 0.0 });
        let flexure = Flexure::new(stencils, |_, _| 0);
        let mut x = grid.flat();
        x[1].z = 0.1;
        // half of D/2 h² (2 · 0.1)² / h⁴, since the row is a border
        assert!((flexure.energy(&x) - 0.5 * 6.0 / 2.0 * 0.04 / 0.25).abs() < 1e-12);
        let mut f = vec![Vec3::zeros(); 6];
        flexure.add_all_forces(&x, &[Vec3::zeros(); 6], &mut f);
        // -dE/dz of the middle: -(D/2) 4 · 0.1 · 2 / h² · 1/2
        let expected = [1.2 * 2.0, -1.2 * 4.0, 1.2 * 2.0, 0.0, 0.0, 0.0];
        for (f, z) in f.iter().zip(expected) {
            assert!((f - Vec3::new(0.0, 0.0, z)).norm() < 1e-12, "{f}");
        }
    }

    #[test]
    fn forces_are_slopes_of_the_energy_and_the_matrix_is_theirs() {
        let (flexure, pairs) = sheet();
        let [x, v, w] = [0.1, 0.4, 0.9].map(|shift| wave(20, shift));
        let (mut f, mut resting) = (vec![Vec3::zeros(); 20], vec![Vec3::zeros(); 20]);
        flexure.add_all_forces(&x, &v, &mut f);
        flexure.add_all_forces(&x, &[Vec3::zeros(); 20], &mut resting);
        let largest = f.iter().map(|f| f.amax()).fold(0.0, f64::max);
        let moved = |by: f64| -> Vec<Vec3> { x.iter().zip(&w).map(|(x, w)| x + by * w).collect() };
        // the energy is a square: central differences are exact
        let slope = (flexure.energy(&moved(1.0)) - flexure.energy(&moved(-1.0))) / 2.0;
        let along: f64 = resting.iter().zip(&w).map(|(f, w)| f.dot(w)).sum();
        assert!((slope + along).abs() < 1e-12 * slope.abs());
        let work: f64 = f.iter().zip(&resting).zip(&v).map(|((f, resting), v)| (f - resting).dot(v)).sum();
        assert!((work + 2.0 * flexure.dissipation(&v)).abs() < 1e-12 * work.abs());
        let total = f.iter().fold(Vec3::zeros(), |total, f| total + f);
        assert!(total.amax() < 1e-12 * largest, "momentum is kept");

        let (h, g) = (0.01, 0.02);
        let mut a = BlockRows::new(BlockPattern::new(20, &pairs));
        let mut b = vec![Vec3::zeros(); 20];
        let at = Linearisation { x: &x, v: &v, w: &w, h, g, terms: crate::Terms::Exact };
        flexure.add_linearised(&at, &vec![true; flexure.count()], &mut a, &mut b);
        let mut followed = vec![Vec3::zeros(); 20];
        flexure.add_all_forces(&moved(1.0), &v, &mut followed);
        for (b, f) in b.iter().zip(&followed) {
            assert!((b - h * f).amax() < 1e-12 * h * largest, "h (f + K w)");
        }
        // f is linear: K g w + D w is that of positions g w at velocities w
        let mut product = vec![Vec3::zeros(); 20];
        a.apply(&w, &mut product);
        let mut expected = vec![Vec3::zeros(); 20];
        flexure.add_all_forces(&w.iter().map(|w| g * w).collect::<Vec<_>>(), &w, &mut expected);
        for (product, f) in product.iter().zip(&expected) {
            assert!((product + h * f).amax() < 1e-12 * h * largest, "-h (D + g K)");
        }
        let (mut by_position, mut by_velocity) = (vec![Vec3::zeros(); 20], vec![Vec3::zeros(); 20]);
        flexure.add_transposed(&w, &mut by_position, &mut by_velocity);
        for ((k, d), f) in by_position.iter().zip(&by_velocity).zip(&expected) {
            assert!((g * k + d - f).amax() < 1e-12 * largest, "symmetric");
        }
    }

    #[test]
    fn every_instruction_set_gives_the_same_bits() {
        let (flexure, _) = sheet();
        let [x, v] = [0.1, 0.4].map(|shift| wave(20, shift));
        let implicit: Vec<bool> = (0..flexure.count()).map(|k| k % 3 == 0).collect();
        let bits = |set| {
            let mut f = vec![Vec3::zeros(); 20];
            Flexure { set, ..flexure.clone() }.add_forces((&implicit, true), &x, &v, &mut f);
            f.iter().flatten().map(|number| number.to_bits()).collect::<Vec<_>>()
        };
        let expected = bits(InstructionSet::Portable);
        assert!(InstructionSet::supported().all(|set| bits(set) == expected));
    }
}
