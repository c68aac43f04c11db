use linsolve::BlockRows;
use linsolve::lanes::{Eight, InstructionSet, Kernel, dot, plus, scaled};

use crate::triangles::{Hinge, TriangleMesh, blocks};
use crate::{DampingForm, Elastic, Grid, Linearisation, Mat3, Rigidity, Terms, Vec3};

/// Most particles of a stencil: those of a triangle, of its neighbours and of theirs.
const MOST: usize = 12;

/// Particles, at most [`MOST`], whose weighted positions make a curvature c = Σ w_i x_i: the energy is k/2 |c|². A projected damper,
/// f_i = -kd w_i c (c · c') / |c|² with c' = Σ w_i v_i, resists the rate of |c| and so no turn of bent cloth; a plain one, of the
/// energy kd/2 |c'|², resists that too.
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

/// Largest square of a curvature that is rounding, over Σ w_i² |x_i|²: flat cloth has no direction in which it is bent.
const FLAT: f64 = 1e-26;

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
    /// True where there are dampers, and these are projected.
    projected: bool,
    set: InstructionSet,
}

impl Flexure {
    /// Of stencils whose pairs of particles have a `place` among those of a system.
    pub fn new(stencils: Vec<Stencil>, damping: DampingForm, mut place: impl FnMut(usize, usize) -> u32) -> Flexure {
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
        let projected = damping == DampingForm::Projected && stencils.iter().any(|stencil| stencil.elastic.damping > 0.0);
        Flexure { batches, stencils, places, projected, set: InstructionSet::best() }
    }

    /// None at all.
    pub fn none() -> Flexure {
        Flexure::new(vec![], DampingForm::Plain, |_, _| 0)
    }

    /// Number of stencils, each of which is a coupling.
    pub fn count(&self) -> usize {
        self.stencils.len()
    }

    /// Energy \[J\].
    pub fn energy(&self, x: &[Vec3]) -> f64 {
        self.stencils
            .iter()
            .fold(0.0, |energy, stencil| energy + 0.5 * stencil.elastic.stiffness * sum(&stencil.terms, x).norm_squared())
    }

    /// Half the rate at which its dampers, plain ones, take energy \[W\].
    pub fn dissipation(&self, v: &[Vec3]) -> f64 {
        self.stencils
            .iter()
            .fold(0.0, |rate, stencil| rate + 0.5 * stencil.elastic.damping * sum(&stencil.terms, v).norm_squared())
    }

    /// Adds the forces -w_i (k c + kd c'), or of a projected damper the part of c' along c, to `f` \[N\], of those stencils whose flag in `implicit` is `those`; eight at a
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
            if !self.projected {
                let factor = h * (elastic.damping + g * elastic.stiffness); // K = -k w_i w_j I, D = -kd w_i w_j I
                add_blocks(a, terms, places, |weight| Mat3::from_diagonal_element(factor * weight));
                continue;
            }
            let damper = Damper::of(terms, x, v);
            let mut block = h * g * elastic.stiffness * Mat3::identity() + h * elastic.damping * damper.along;
            if at.terms != Terms::Filtered {
                let by_position = elastic.damping * damper.by_position();
                let pulled = h * (by_position * sum(terms, w));
                terms.iter().for_each(|(particle, weight)| b[*particle] -= *weight * pulled);
                block += h * g * by_position;
            }
            add_blocks(a, terms, places, |weight| weight * block);
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

    /// Adds Kᵀ q to `by_position` and Dᵀ q to `by_velocity`, at positions x and velocities v.
    pub fn add_transposed(&self, x: &[Vec3], v: &[Vec3], q: &[Vec3], by_position: &mut [Vec3], by_velocity: &mut [Vec3]) {
        for Stencil { terms, elastic } in &self.stencils {
            let sum = sum(terms, q);
            let (mut pulled, mut damped) = (elastic.stiffness * sum, elastic.damping * sum);
            if self.projected {
                let damper = Damper::of(terms, x, v);
                pulled += elastic.damping * damper.exact_by_position().tr_mul(&sum);
                damped = elastic.damping * damper.along * sum;
            }
            for (particle, weight) in terms {
                by_position[*particle] -= *weight * pulled;
                by_velocity[*particle] -= *weight * damped;
            }
        }
    }
}

/// Adds the block of each product of two weights of a stencil.
fn add_blocks(a: &mut BlockRows, terms: &[(usize, f64)], places: &[u32], block: impl Fn(f64) -> Mat3) {
    for (particle, weight) in terms {
        a.add_diagonal(*particle, &block(weight * weight));
    }
    for (((_, first), (_, second)), place) in pairs(terms).zip(places) {
        a.add_pair(*place as usize, &block(first * second));
    }
}

/// Σ w_i y_i
fn sum(terms: &[(usize, f64)], y: &[Vec3]) -> Vec3 {
    terms.iter().fold(Vec3::zeros(), |sum, (particle, weight)| sum + *weight * y[*particle])
}

/// A projected damper of kd = 1 and w = 1, by its curvature c and the rate c'.
struct Damper {
    /// c cᵀ / |c|², the derivative of c (c · c') / |c|² by c'; the identity where the cloth is flat.
    along: Mat3,
    /// c / |c| and 1 / |c|; zero where it is.
    direction: Vec3,
    per: f64,
    rate: Vec3,
}

impl Damper {
    fn of(terms: &[(usize, f64)], x: &[Vec3], v: &[Vec3]) -> Damper {
        let (c, rate) = (sum(terms, x), sum(terms, v));
        let size = terms.iter().fold(0.0, |size, (particle, weight)| size + (*weight * x[*particle]).norm_squared());
        let square = c.norm_squared();
        if square > FLAT * size {
            let per = 1.0 / square.sqrt();
            Damper { along: c * c.transpose() / square, direction: per * c, per, rate }
        } else {
            Damper { along: Mat3::identity(), direction: Vec3::zeros(), per: 0.0, rate }
        }
    }

    /// Its derivative by c: with n = c / |c| and Q = (I - n nᵀ) / |c|, (n · c') Q + n (Q c')ᵀ.
    fn exact_by_position(&self) -> Mat3 {
        let Damper { along, direction, per, rate } = self;
        let across = *per * (Mat3::identity() - along);
        direction.dot(rate) * across + direction * (across * rate).transpose()
    }

    /// The symmetric part of that.
    fn by_position(&self) -> Mat3 {
        let exact = self.exact_by_position();
        0.5 * (exact + exact.transpose())
    }
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
            let projected = self.flexure.projected;
            let mut moment = [E::splat(0.0); 3]; // k Σ w_i (x_i + way_i) + kd Σ w_i v_i
            let ([mut curvature, mut rate], mut size) = ([[E::splat(0.0); 3]; 2], E::splat(0.0));
            for (particles, weights) in batch.particles.iter().zip(&batch.weights) {
                let mut pulled = scaled(stiffness, blocks::gathered(self.x, particles));
                if let Some(way) = self.way {
                    pulled = plus(pulled, scaled(stiffness, blocks::gathered(way, particles)));
                }
                if projected {
                    let place = scaled(E::load(weights), blocks::gathered(self.x, particles));
                    (curvature, size) = (plus(curvature, place), size + dot(place, place));
                    rate = plus(rate, scaled(E::load(weights), blocks::gathered(self.v, particles)));
                } else {
                    pulled = plus(pulled, scaled(damping, blocks::gathered(self.v, particles)));
                }
                moment = plus(moment, scaled(E::load(weights), pulled));
            }
            if projected {
                let square = dot(curvature, curvature);
                let is_flat = (E::splat(FLAT) * size).reaching(square);
                let along = scaled(dot(curvature, rate) / square, curvature);
                for q in 0..3 {
                    moment[q] = moment[q] + damping * along[q].replaced(is_flat, rate[q]);
                }
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
    fn sheet(damping: DampingForm) -> (Flexure, Vec<(usize, usize)>) {
        let grid = Grid::new(5, 4, 0.1).unwrap();
        let pairs: Vec<(usize, usize)> = grid.springs().iter().map(|spring| (spring.i, spring.j)).collect();
        let place = |i: usize, j: usize| pairs.iter().position(|pair| *pair == (i.min(j), i.max(j))).unwrap() as u32;
        let rigidity = Rigidity { warp: 2e-3, weft: 3e-3, twist: 1e-3, damping: 4e-5 };
        (Flexure::new(Stencil::of_grid(&grid, &rigidity), damping, place), pairs)
    }

    #[test]
    fn a_row_by_hand() {
        let grid = Grid::new(3, 2, 0.5).unwrap();
        let stencils = Stencil::of_grid(&grid, &Rigidity { warp: 6.0, weft: 0.0, twist: 0.0, damping: 0.0 });
        let flexure = Flexure::new(stencils, DampingForm::Plain, |_, _| 0);
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
        let (flexure, pairs) = sheet(DampingForm::Plain);
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
        let at = Linearisation { x: &x, v: &v, w: &w, h, g, terms: Terms::Exact };
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
        flexure.add_transposed(&x, &v, &w, &mut by_position, &mut by_velocity);
        for ((k, d), f) in by_position.iter().zip(&by_velocity).zip(&expected) {
            assert!((g * k + d - f).amax() < 1e-12 * largest, "symmetric");
        }
    }

    /// Forces of the dampers alone.
    fn damped(flexure: &Flexure, x: &[Vec3], v: &[Vec3]) -> Vec<Vec3> {
        let [mut f, mut resting] = [vec![Vec3::zeros(); x.len()], vec![Vec3::zeros(); x.len()]];
        flexure.add_all_forces(x, v, &mut f);
        flexure.add_all_forces(x, &vec![Vec3::zeros(); x.len()], &mut resting);
        f.iter().zip(&resting).map(|(f, resting)| f - resting).collect()
    }

    #[test]
    fn projected_dampers_have_no_torque_and_let_bent_cloth_turn() {
        let [x, v] = [0.1, 0.4].map(|shift| wave(20, shift));
        let torque = |f: &[Vec3]| x.iter().zip(f).map(|(x, f)| x.cross(f)).sum::<Vec3>().norm();
        let size = |f: &[Vec3]| x.iter().zip(f).map(|(x, f)| x.norm() * f.norm()).sum::<f64>();
        let (turn, way) = (Vec3::new(0.7, -1.3, 2.1), Vec3::new(3.0, 1.0, -2.0));
        let turning: Vec<Vec3> = x.iter().map(|x| way + turn.cross(x)).collect();
        for (damping, is_free) in [(DampingForm::Projected, true), (DampingForm::Plain, false)] {
            let (flexure, _) = sheet(damping);
            let f = damped(&flexure, &x, &v);
            assert_eq!(torque(&f) < 1e-13 * size(&f), is_free, "{damping:?}: {} of {}", torque(&f), size(&f));
            let power: f64 = f.iter().zip(&v).map(|(f, v)| f.dot(v)).sum();
            assert!(power < 0.0 && f.iter().sum::<Vec3>().norm() < 1e-13 * f.iter().map(|f| f.norm()).sum::<f64>());
            let braking = damped(&flexure, &x, &turning);
            assert_eq!(size(&braking) < 1e-12 * size(&f), is_free, "{damping:?}: {}", size(&braking));
        }
        // where nothing is bent yet its rate is resisted whole, and has no torque either
        let grid = Grid::new(5, 4, 0.1).unwrap();
        let rises: Vec<Vec3> = v.iter().map(|v| v.z * Vec3::z()).collect();
        let [projected, plain] = [DampingForm::Projected, DampingForm::Plain].map(|form| sheet(form).0);
        let [projected, plain] = [projected, plain].map(|flexure| damped(&flexure, &grid.flat(), &rises));
        assert!(projected.iter().zip(&plain).all(|(a, b)| (a - b).norm() < 1e-15) && projected.iter().any(|f| f.norm() > 1e-6));
    }

    #[test]
    fn derivatives_of_projected_dampers_are_those_of_their_forces() {
        let (flexure, pairs) = sheet(DampingForm::Projected);
        let [x, v, w, q] = [0.1, 0.4, 0.9, 1.7].map(|shift| wave(20, shift));
        let moved = |of: &[Vec3], by: f64| -> Vec<Vec3> { of.iter().zip(&w).map(|(of, w)| of + by * w).collect() };
        let force = |x: &[Vec3], v: &[Vec3]| {
            let mut f = vec![Vec3::zeros(); 20];
            flexure.add_all_forces(x, v, &mut f);
            f
        };
        let along = |f: &[Vec3], q: &[Vec3]| f.iter().zip(q).map(|(f, q)| f.dot(q)).sum::<f64>();
        let step = 1e-5;
        let by_position = (along(&force(&moved(&x, step), &v), &q) - along(&force(&moved(&x, -step), &v), &q)) / (2.0 * step);
        let by_velocity = (along(&force(&x, &moved(&v, 1.0)), &q) - along(&force(&x, &moved(&v, -1.0)), &q)) / 2.0; // linear
        let [mut k, mut d] = [vec![Vec3::zeros(); 20], vec![Vec3::zeros(); 20]];
        flexure.add_transposed(&x, &v, &q, &mut k, &mut d);
        assert!((along(&k, &w) / by_position - 1.0).abs() < 1e-7, "{} {by_position}", along(&k, &w));
        assert!((along(&d, &w) / by_velocity - 1.0).abs() < 1e-12, "{} {by_velocity}", along(&d, &w));
        // the matrix has the symmetric part of the same: wᵀ A w = -h wᵀ (D + g K) w
        let (h, g) = (0.01, 0.02);
        let slope = |terms| {
            let mut a = BlockRows::new(BlockPattern::new(20, &pairs));
            let (mut b, mut product) = (vec![Vec3::zeros(); 20], vec![Vec3::zeros(); 20]);
            let at = Linearisation { x: &x, v: &v, w: &w, h, g, terms };
            flexure.add_linearised(&at, &vec![true; flexure.count()], &mut a, &mut b);
            a.apply(&w, &mut product);
            (along(&product, &w), along(&b, &w))
        };
        let [mut k, mut d] = [vec![Vec3::zeros(); 20], vec![Vec3::zeros(); 20]];
        flexure.add_transposed(&x, &v, &w, &mut k, &mut d);
        let (k, d) = (along(&k, &w), along(&d, &w));
        let (exact, pulled) = slope(Terms::Exact);
        assert!((exact + h * (d + g * k)).abs() < 1e-10 * exact.abs(), "{exact} {}", -h * (d + g * k));
        let expected = h * (along(&force(&x, &v), &w) + k);
        assert!((pulled - expected).abs() < 1e-10 * expected.abs(), "{pulled} {expected}");
        assert!(slope(Terms::Filtered).0 > 0.0, "definite");
    }

    #[test]
    fn every_instruction_set_gives_the_same_bits() {
        for damping in [DampingForm::Plain, DampingForm::Projected] {
            let (flexure, _) = sheet(damping);
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
}
