use std::ops::Range;

use linsolve::lanes::{Eight, InstructionSet, Kernel};

use crate::invalid::positive;
use crate::{Family, Grid, ModelError, Vec3};

/// An edge that keeps its length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// First particle.
    pub i: usize,
    /// Second particle.
    pub j: usize,
    /// Rest length l \[m\], > 0.
    pub rest: f64,
}

impl Edge {
    /// x_j - x_i \[m\].
    #[inline]
    pub fn vector(&self, x: &[Vec3]) -> Vec3 {
        x[self.j] - x[self.i]
    }

    /// Strain abs(d)/l - 1 \[-\].
    #[inline]
    pub fn strain(&self, x: &[Vec3]) -> f64 {
        self.vector(x).norm() / self.rest - 1.0
    }

    /// Unit vector d/abs(d) from i to j and the length abs(d) \[m\]; none where the particles are at the same place.
    #[inline]
    pub fn direction(&self, x: &[Vec3]) -> Option<(Vec3, f64)> {
        let d = self.vector(x);
        let length = d.norm();
        (length != 0.0).then(|| (d / length, length))
    }

    /// Pulls the ends towards each other, `y` being positions or velocities and `w` inverse masses \[1/kg\]:
    /// y_i += w_i p, y_j -= w_j p.
    #[inline]
    pub fn pull(&self, p: Vec3, w: &[f64], y: &mut [Vec3]) {
        y[self.i] += w[self.i] * p;
        y[self.j] -= w[self.j] * p;
    }

    /// C = abs(d)²/l - l \[m\], about twice the strain times l \[Goldenthal 2007, eq. 1\].
    #[inline]
    pub fn value(&self, x: &[Vec3]) -> f64 {
        self.vector(x).norm_squared() / self.rest - self.rest
    }

    /// Gradient of C by x_j, 2 d/l \[-\]; by x_i it is the negative \[Goldenthal 2007, eq. 2\].
    #[inline]
    pub fn gradient(&self, x: &[Vec3]) -> Vec3 {
        2.0 / self.rest * self.vector(x)
    }
}

/// Edges that keep their lengths, and the inverse masses of the particles that they move.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeConstraints {
    edges: Vec<Edge>,
    inverse_masses: Vec<f64>,
}

impl EdgeConstraints {
    /// `edges` among particles of `masses` \[kg\], those `pinned` held. An edge between two held particles is left out: nothing can
    /// move it.
    ///
    /// # Errors
    /// An edge that names no two particles of the mesh, joins a pair that another one joins, or has no length; a mass that is not
    /// above zero.
    ///
    /// # Panics
    /// Where `masses` and `pinned` differ in length.
    pub fn new(edges: &[Edge], masses: &[f64], pinned: &[bool]) -> Result<EdgeConstraints, ModelError> {
        assert_eq!(masses.len(), pinned.len(), "particles");
        for &mass in masses {
            positive("the mass of a particle", mass)?;
        }
        let mut pairs = std::collections::HashSet::with_capacity(edges.len());
        for edge in edges {
            let Edge { i, j, rest } = *edge;
            if i == j || i.max(j) >= masses.len() || !pairs.insert((i.min(j), i.max(j))) {
                return Err(ModelError::Edge { i, j, particles: masses.len() });
            }
            positive("the rest length of an inextensible edge", rest)?;
        }
        let inverse_masses: Vec<f64> = masses.iter().zip(pinned).map(|(m, pinned)| if *pinned { 0.0 } else { 1.0 / m }).collect();
        let movable = |edge: &&Edge| inverse_masses[edge.i] + inverse_masses[edge.j] > 0.0;
        Ok(EdgeConstraints { edges: edges.iter().filter(movable).copied().collect(), inverse_masses })
    }

    /// The warp and weft edges of a sheet: those of its stretch springs, in their order.
    pub fn edges_of_grid(grid: &Grid) -> Vec<Edge> {
        let springs = grid.springs();
        let stretch = springs.iter().filter(|spring| spring.family == Family::Stretch);
        stretch.map(|spring| Edge { i: spring.i, j: spring.j, rest: spring.rest }).collect()
    }

    /// Those of which an end can move.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Directions of motion that are left where no constraint depends on others: three of each free particle, less one an edge.
    pub fn freedom(&self) -> i64 {
        3 * self.free() as i64 - self.edges.len() as i64
    }

    /// Whether cloth locks: less than half a direction a free particle is left. Quads have one each, triangles next to none but at
    /// their borders \[Goldenthal 2007, 3\].
    pub fn locks(&self) -> bool {
        2 * self.freedom() < self.free() as i64
    }

    /// Particles that can move.
    fn free(&self) -> usize {
        self.inverse_masses.iter().filter(|w| **w > 0.0).count()
    }

    /// Particles, held ones included.
    pub fn particle_count(&self) -> usize {
        self.inverse_masses.len()
    }

    /// M⁻¹ \[1/kg\], shape \[particle_count\], zero for a held particle.
    pub fn inverse_masses(&self) -> &[f64] {
        &self.inverse_masses
    }

    /// Largest abs(strain) \[-\]; not a number where one is not, zero without edges.
    pub fn largest_strain(&self, x: &[Vec3]) -> f64 {
        let largest = self.largest_strain_of(0..self.edges.len(), |particle| x[particle]);
        if largest.is_finite() {
            return largest;
        }
        let mut largest: f64 = 0.0;
        for edge in &self.edges {
            let strain = edge.strain(x).abs();
            if strain > largest || strain.is_nan() {
                largest = strain; // a NaN stays: nothing is above it
                if strain.is_nan() {
                    break;
                }
            }
        }
        largest
    }

    /// Largest strain of an edge that is too long \[-\], zero without one; not a number where one is not.
    pub fn largest_stretch(&self, x: &[Vec3]) -> f64 {
        let strains = self.edges.iter().map(|edge| edge.strain(x));
        strains.fold(0.0, |largest, strain| if strain > largest || strain.is_nan() { strain } else { largest })
    }

    /// Largest abs(strain) \[-\] of some of the edges between particles at `x`; not a number where one is not finite.
    pub(super) fn largest_strain_of(&self, edges: Range<usize>, x: impl Fn(usize) -> Vec3) -> f64 {
        InstructionSet::best().run(LargestStrain { edges: &self.edges[edges], x })
    }

    /// The first edge without any length, whose direction is undefined.
    pub fn coincident(&self, x: &[Vec3]) -> Option<usize> {
        self.edges.iter().position(|edge| edge.vector(x) == Vec3::zeros())
    }

    /// Edges that turn by more than a right angle from `start` to `x`.
    pub fn turned_over(&self, start: &[Vec3], x: &[Vec3]) -> u64 {
        self.edges.iter().map(|edge| u64::from(edge.vector(start).dot(&edge.vector(x)) < 0.0)).sum()
    }
}

/// Largest abs(strain) of some edges \[-\]; not a number where one is not finite.
struct LargestStrain<'a, X> {
    edges: &'a [Edge],
    x: X,
}

impl<X: Fn(usize) -> Vec3> Kernel for LargestStrain<'_, X> {
    type Output = f64;

    #[inline(always)]
    fn run<E: Eight>(self) -> f64 {
        let LargestStrain { edges, x } = self;
        let (one, mut largest, mut all_finite) = (E::splat(1.0), E::splat(0.0), E::splat(0.0));
        for edges in edges.chunks(8) {
            let (mut squares, mut rests) = ([1.0; 8], [1.0; 8]); // no strain where there is no edge
            for (k, edge) in edges.iter().enumerate() {
                let [a, b] = [x(edge.i), x(edge.j)];
                let d = [b.x - a.x, b.y - a.y, b.z - a.z];
                squares[k] = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
                rests[k] = edge.rest;
            }
            let strain = E::load(&squares).sqrt() / E::load(&rests) - one;
            largest = strain.max(largest).max(-strain);
            all_finite = all_finite + strain * E::splat(0.0);
        }
        let (mut lanes, mut probes) = ([0.0; 8], [0.0; 8]);
        largest.store(&mut lanes);
        all_finite.store(&mut probes);
        match probes.iter().all(|probe| *probe == 0.0) {
            true => lanes.iter().copied().fold(0.0, f64::max),
            false => f64::NAN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(i: usize, j: usize) -> Edge {
        Edge { i, j, rest: 2.0 }
    }

    #[test]
    fn constraint_and_gradient_by_hand_and_by_differences() {
        let mut x = vec![Vec3::zeros(), Vec3::new(1.0, 2.0, -2.0)];
        let edge = edge(0, 1);
        assert_eq!((edge.value(&x), edge.strain(&x)), (2.5, 0.5)); // 9/2 - 2, 3/2 - 1
        let step = 1e-6;
        for q in 0..3 {
            let mut at = |by: f64| {
                x[1][q] += by;
                let value = edge.value(&x);
                x[1][q] -= by;
                value
            };
            let slope = (at(step) - at(-step)) / (2.0 * step);
            assert!((slope - edge.gradient(&x)[q]).abs() < 1e-8 && slope.abs() > 0.5);
        }
    }

    #[test]
    fn mistakes_are_refused_and_immovable_edges_left_out() {
        let new = |edges: &[Edge]| EdgeConstraints::new(edges, &[1.0, 2.0, 4.0], &[true, true, false]);
        let constraints = new(&[edge(0, 1), edge(1, 2)]).unwrap();
        assert_eq!((constraints.edges(), constraints.inverse_masses()), (&[edge(1, 2)][..], &[0.0, 0.0, 0.25][..]));
        for wrong in [&[edge(1, 1)][..], &[edge(1, 3)], &[edge(1, 2), edge(2, 1)]] {
            assert!(matches!(new(wrong), Err(ModelError::Edge { .. })), "{wrong:?}");
        }
        assert!(matches!(new(&[Edge { rest: 0.0, ..edge(1, 2) }]), Err(ModelError::OutOfRange { .. })));
        assert!(EdgeConstraints::new(&[], &[0.0], &[false]).is_err());
    }

    #[test]
    fn the_largest_strain_has_the_bits_of_one_edge_after_the_other_on_every_instruction_set() {
        let edges: Vec<Edge> = (0..21).map(|k| Edge { i: k, j: k + 1, rest: 0.9 + 0.01 * k as f64 }).collect();
        for count in 0..edges.len() {
            let x: Vec<Vec3> = (0..22).map(f64::from).map(|k| Vec3::new(k, libm::sin(3.0 * k), 0.1 * (k % 3.0))).collect();
            let expected = edges[..count].iter().map(|edge| edge.strain(&x).abs()).fold(0.0, f64::max);
            for set in InstructionSet::supported() {
                assert_eq!(
                    set.run(LargestStrain { edges: &edges[..count], x: |particle: usize| x[particle] }),
                    expected,
                    "{set} {count}"
                );
            }
        }
    }

    #[test]
    fn strains_that_are_no_numbers_are_not_lost() {
        let constraints = EdgeConstraints::new(&[edge(0, 1), edge(1, 2)], &[1.0; 3], &[false; 3]).unwrap();
        let mut x = vec![Vec3::zeros(), 3.0 * Vec3::x(), 4.0 * Vec3::x()];
        assert_eq!(constraints.largest_strain(&x), 0.5);
        assert_eq!(constraints.turned_over(&[Vec3::zeros(), -Vec3::x(), Vec3::zeros()], &x), 1);
        x[0].y = f64::NAN;
        assert!(constraints.largest_strain(&x).is_nan());
        x[2] = x[1];
        assert_eq!(constraints.coincident(&x), Some(1));
    }

    #[test]
    fn edges_of_a_sheet_are_its_warp_and_weft() {
        let edges = EdgeConstraints::edges_of_grid(&Grid::new(4, 3, 0.5).unwrap());
        assert_eq!(edges.len(), 3 * 3 + 4 * 2);
        assert!(edges.iter().all(|edge| edge.rest == 0.5));
    }
}
