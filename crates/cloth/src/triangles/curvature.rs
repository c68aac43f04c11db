//! Curvatures of triangles, each told by the triangle and those around it.
//!
//! Of a sheet that leaves its plane by w the mean curvature tensor of a triangle is kappa = 1/A Σ l s n nᵀ, over its sides of length
//! l and outward normal n, where s is what the slope of w across the side, at its middle, has beside that of the plane through the
//! corners. Slopes have to be two things. Both triangles of a side must have the same one, so that an even moment is in balance on any
//! mesh; and it must be that of w where w is a polynomial of degree two, so that an even curvature is told on any mesh. So each
//! triangle fits such a polynomial to its corners and to what lies opposite its sides, and a side has the mean of the slopes of both
//! polynomials. Two triangles that are each other's image in the middle of their side need no more than their four particles for
//! it: a triangle of a lattice has six particles, one of another mesh up to twelve.
//!
//! The slope across a free side is the one of least energy, since no moment acts there; this condition takes the place of the
//! missing neighbour in a fit, too.
//!
//! Sheets that bend without stretching have second derivatives of their positions that are kappa times the normal. With positions
//! in place of w the energy D/2 A |kappa|² is theirs, and quadratic.

use std::collections::BTreeMap;
use std::f64::consts::SQRT_2;

use super::{Bend, Shares, Triangle, TriangleMesh, Vec2};
use crate::flexure::Stencil;
use crate::{Elastic, Mat3, Vec3};

/// Volume that the conditions of a fit, each of length one, span at least: others are left out of slopes \[-\].
const LEAST_VOLUME: f64 = 0.02;

/// What is left of the square of a direction beside another one, below which both are one \[-\].
const LEAST_REST: f64 = 1e-3;

/// Weights below this share of the largest one are rounding \[-\].
const ROUNDING: f64 = 1e-11;

/// A symmetric tensor as a vector of its own norm, (t_xx, sqrt(2) t_xy, t_yy).
type Tensor = Vec3;

/// What is linear in the positions of particles, by their weights.
type Weights<T> = BTreeMap<usize, T>;

/// x xᵀ
fn square(x: Vec2) -> Tensor {
    Tensor::new(x.x * x.x, SQRT_2 * x.x * x.y, x.y * x.y)
}

/// A triangle in the plane of its material, with its sides, each opposite the corner of its number.
struct Flat {
    corners: [usize; 3],
    area: f64,
    sides: [Side; 3],
}

/// A side of a triangle.
struct Side {
    /// l \[m\].
    length: f64,
    /// n, of length one.
    normal: Vec2,
    /// Where the corners are from its middle \[m\].
    corners: [Vec2; 3],
    /// None where it is free.
    neighbour: Option<Neighbour>,
}

/// The triangle beyond a side.
struct Neighbour {
    triangle: usize,
    /// The number of their common side there.
    side: usize,
    /// The corner opposite that.
    particle: usize,
    /// Where it is from the middle of the side, with both triangles in one plane \[m\].
    at: Vec2,
}

/// Stencils of the bending of a mesh: D/2 A kappa_xx², D/2 A 2 kappa_xy² and D/2 A kappa_yy² of each triangle, with shares of the
/// rigidity D along the warp, against twist and along the weft. Free sides go by these shares alone, whatever D.
pub(super) fn stencils(mesh: &TriangleMesh, Shares { warp, weft, twist }: Shares, bend: Bend) -> Vec<Stencil> {
    let by_direction = Tensor::new(warp, twist, weft);
    let flats = flattened(mesh);
    let fits: Vec<_> = flats.iter().map(|flat| flat.fit(by_direction)).collect();
    let slope_on = |triangle: usize, side: usize| flats[triangle].slope(side, fits[triangle].as_ref());
    let mut stencils = vec![];
    for (triangle, flat) in flats.iter().enumerate() {
        let mut curvature = Weights::<Tensor>::new();
        for (k, side) in flat.sides.iter().enumerate() {
            let Some(Neighbour { triangle: there, side: other, .. }) = side.neighbour else { continue };
            let mut add = |slope: Weights<f64>, factor: f64| {
                let factor = factor * side.length / flat.area; // l s n nᵀ / A
                for (particle, weight) in slope {
                    *curvature.entry(particle).or_insert_with(Tensor::zeros) += factor * weight * square(side.normal);
                }
            };
            match [fits[triangle].is_some(), fits[there].is_some()] {
                [true, false] => add(slope_on(triangle, k), 1.0),
                [false, true] => add(slope_on(there, other), -1.0),
                _ => {
                    add(slope_on(triangle, k), 0.5);
                    add(slope_on(there, other), -0.5);
                }
            }
            add(flat.slope(k, None), -1.0);
        }
        flat.release(by_direction, &mut curvature);
        let least = ROUNDING * curvature.values().map(Tensor::amax).fold(0.0, f64::max);
        for (k, share) in by_direction.iter().enumerate() {
            let elastic = Elastic { stiffness: flat.area * share * bend.stiffness, damping: flat.area * bend.damping };
            let weights = curvature.iter().map(|(particle, weight)| (*particle, weight[k]));
            let terms: Vec<(usize, f64)> = weights.filter(|(_, weight)| weight.abs() > least).collect();
            if !terms.is_empty() && (elastic.stiffness > 0.0 || elastic.damping > 0.0) {
                stencils.push(Stencil { terms, elastic });
            }
        }
    }
    stencils
}

/// All triangles, with their neighbours.
fn flattened(mesh: &TriangleMesh) -> Vec<Flat> {
    let mut flats: Vec<Flat> = mesh.triangles().iter().map(Flat::alone).collect();
    for hinge in mesh.hinges() {
        let [first, second] = hinge.triangles;
        let side = |triangle: usize, wing: usize| flats[triangle].number(hinge.wings[wing]);
        let (of_first, of_second) = (side(first, 0), side(second, 1));
        for (here, side, there, other) in [(first, of_first, second, of_second), (second, of_second, first, of_first)] {
            let at = flats[here].unfolded(side, &flats[there], other);
            let particle = flats[there].corners[other];
            flats[here].sides[side].neighbour = Some(Neighbour { triangle: there, side: other, particle, at });
        }
    }
    flats
}

impl Flat {
    /// Without neighbours.
    fn alone(triangle: &Triangle) -> Flat {
        let &Triangle { corners, material } = triangle;
        let turn = (material[1] - material[0]).perp(&(material[2] - material[0])).signum(); // material may run against the corners
        let sides = [0, 1, 2].map(|k: usize| {
            let (begin, end) = (material[(k + 1) % 3], material[(k + 2) % 3]);
            let (middle, way) = (0.5 * (begin + end), end - begin);
            let length = way.norm();
            let normal = turn / length * Vec2::new(way.y, -way.x);
            Side { length, normal, corners: material.map(|corner| corner - middle), neighbour: None }
        });
        Flat { corners, area: triangle.area(), sides }
    }

    /// The number of a particle that is a corner.
    fn number(&self, particle: usize) -> usize {
        self.corners.iter().position(|corner| *corner == particle).expect("a corner of the triangle")
    }

    /// Where the corner opposite the side `other` of `there` is, from the middle of the `side` that it shares.
    fn unfolded(&self, side: usize, there: &Flat, other: usize) -> Vec2 {
        let end = (side + 1) % 3;
        let (here, beyond) = (&self.sides[side], &there.sides[other]);
        let towards_end = beyond.corners[there.number(self.corners[end])].normalize();
        let place = beyond.corners[other];
        towards_end.dot(&place) * here.corners[end].normalize() - beyond.normal.dot(&place) * here.normal
    }

    /// The slope of a function that is one at a corner, zero at the others and linear between them \[1/m\].
    fn gradient(&self, corner: usize) -> Vec2 {
        let Side { length, normal, .. } = self.sides[corner];
        -0.5 * length / self.area * normal
    }

    /// Second derivatives of the polynomial of degree two that has the values of w at the corners and at what lies opposite the
    /// sides, and no moment across free sides; none where these hardly tell one.
    fn fit(&self, by_direction: Tensor) -> Option<Weights<Tensor>> {
        let mut conditions = [Tensor::zeros(); 3];
        let mut values = [const { Weights::new() }; 3];
        for ((side, condition), values) in self.sides.iter().zip(&mut conditions).zip(&mut values) {
            let Some(Neighbour { particle, at, .. }) = side.neighbour else {
                *condition = by_direction.component_mul(&square(side.normal)); // nᵀ M n = 0
                continue;
            };
            // H : (p pᵀ - Σ lambda_k(p) x_k x_kᵀ) / 2 = w(p) - Σ lambda_k(p) w_k
            *condition = 0.5 * square(at);
            values.insert(particle, 1.0);
            for (k, corner) in side.corners.iter().enumerate() {
                let lambda = 1.0 + self.gradient(k).dot(&(at - corner));
                *condition -= 0.5 * lambda * square(*corner);
                *values.entry(self.corners[k]).or_insert(0.0) -= lambda;
            }
        }
        let lengths = conditions.map(|condition| condition.norm());
        let matrix = Mat3::from_columns(&[0, 1, 2].map(|k: usize| conditions[k] / lengths[k])).transpose();
        let is_told = matrix.determinant().abs() >= LEAST_VOLUME; // not so without a length
        let inverse = matrix.try_inverse().filter(|_| is_told)?;
        let mut fit = Weights::new();
        for (k, values) in values.into_iter().enumerate() {
            for (particle, value) in values {
                *fit.entry(particle).or_insert_with(Tensor::zeros) += value / lengths[k] * inverse.column(k);
            }
        }
        Some(fit)
    }

    /// The slope across a side at its middle: that of w linear between the corners, and what a polynomial of second derivatives H
    /// has beside it, -Σ (n · grad lambda_k) H : x_k x_kᵀ / 2.
    fn slope(&self, side: usize, fit: Option<&Weights<Tensor>>) -> Weights<f64> {
        let Side { normal, corners, .. } = &self.sides[side];
        let across = [0, 1, 2].map(|k| normal.dot(&self.gradient(k)));
        let mut slope: Weights<f64> = self.corners.into_iter().zip(across).collect();
        let beside = corners.iter().zip(across).fold(Tensor::zeros(), |sum, (x, across)| sum - 0.5 * across * square(*x));
        for (particle, second) in fit.into_iter().flatten() {
            *slope.entry(*particle).or_insert(0.0) += beside.dot(second);
        }
        slope
    }

    /// Gives free sides the slopes of least energy.
    fn release(&self, by_direction: Tensor, curvature: &mut Weights<Tensor>) {
        let product = |a: &Tensor, b: &Tensor| a.dot(&by_direction.component_mul(b));
        let without = |a: Tensor, b: &Tensor| a - product(&a, b) / product(b, b) * b;
        let mut free: Vec<Tensor> = vec![];
        for side in self.sides.iter().filter(|side| side.neighbour.is_none()) {
            let whole = square(side.normal);
            let rest = free.iter().fold(whole, without);
            if product(&rest, &rest) > LEAST_REST * product(&whole, &whole) {
                free.push(rest);
            }
        }
        curvature.values_mut().for_each(|curvature| *curvature = free.iter().fold(*curvature, without));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triangles::TriangleMesh;

    const D: f64 = 0.7;

    fn bent(mesh: &TriangleMesh, shares: Shares) -> Vec<Stencil> {
        stencils(mesh, shares, Bend { stiffness: D, damping: 0.0 })
    }

    /// A sheet of squares of 0.1 m, cut in two one way or by turns, whose inner particles are moved by up to a third of a side.
    fn sheet(side: usize, moved: f64, by_turns: bool, turned: impl Fn(usize) -> f64) -> TriangleMesh {
        let at = |k: usize| {
            let (i, j) = (k % side, k / side);
            let is_inner = |q: usize| q > 0 && q + 1 < side;
            let by = if is_inner(i) && is_inner(j) { moved } else { 0.0 };
            let k = k as f64;
            0.1 * Vec2::new(i as f64 + by * libm::sin(2.9 * k * k), j as f64 + by * libm::cos(1.7 * k * k))
        };
        let cell = |(i, j): (usize, usize)| {
            let a = j * side + i;
            let [b, c, d] = [a + 1, a + 1 + side, a + side];
            if by_turns && !(i + j).is_multiple_of(2) { [[a, b, d], [b, c, d]] } else { [[a, b, c], [a, c, d]] }
        };
        let cells = (0..side - 1).flat_map(|j| (0..side - 1).map(move |i| (i, j)));
        let triangle = |(k, corners): (usize, [usize; 3])| {
            let (sine, cosine) = libm::sincos(turned(k));
            let material = corners.map(at).map(|x| Vec2::new(cosine * x.x - sine * x.y, sine * x.x + cosine * x.y));
            Triangle { corners, material }
        };
        let triangles = cells.flat_map(cell).enumerate().map(triangle).collect();
        let positions = (0..side * side).map(|k| Vec3::new(at(k).x, at(k).y, 0.0)).collect();
        TriangleMesh::new(positions, triangles).unwrap()
    }

    fn is_inside(x: &Vec3, side: usize, margin: f64) -> bool {
        let last = 0.1 * (side - 1) as f64;
        x.xy().iter().all(|q| *q > margin && *q < last - margin)
    }

    /// Energy and forces of w.
    fn energy_and_forces(stencils: &[Stencil], w: &[f64]) -> (f64, Vec<f64>) {
        let (mut energy, mut f) = (0.0, vec![0.0; w.len()]);
        for Stencil { terms, elastic } in stencils {
            let sum: f64 = terms.iter().map(|(particle, weight)| weight * w[*particle]).sum();
            energy += 0.5 * elastic.stiffness * sum * sum;
            terms.iter().for_each(|(particle, weight)| f[*particle] -= elastic.stiffness * weight * sum);
        }
        (energy, f)
    }

    #[test]
    fn an_even_curvature_is_told_and_its_moment_is_in_balance_on_any_mesh() {
        let side = 14;
        let shapes: [fn(&Vec3) -> f64; 4] =
            [|x| x.x * x.x, |x| x.y * x.y, |x| x.x * x.y, |x| 1.0 + x.x - 2.0 * x.y + (x.x - 2.0 * x.y) * (x.x + 0.5 * x.y)];
        let hessians = [[2.0, 0.0, 0.0], [0.0, 0.0, 2.0], [0.0, 1.0, 0.0], [2.0, -1.5, -2.0]];
        for (moved, by_turns) in [(0.0, false), (0.0, true), (0.3, false), (0.3, true)] {
            let mesh = sheet(side, moved, by_turns, |_| 0.0);
            let all = bent(&mesh, Shares { warp: 1.0, weft: 2.0, twist: 0.5 });
            for (shape, [xx, xy, yy]) in shapes.into_iter().zip(hessians) {
                let w: Vec<f64> = mesh.positions().iter().map(shape).collect();
                // where no particle of a stencil is near the border its part is that of the continuum
                let inner = |stencil: &Stencil| stencil.terms.iter().all(|(i, _)| is_inside(&mesh.positions()[*i], side, 0.15));
                let of_inner: Vec<Stencil> = all.iter().filter(|stencil| inner(stencil)).cloned().collect();
                for Stencil { terms, elastic } in &of_inner {
                    let sum: f64 = terms.iter().map(|(particle, weight)| weight * w[*particle]).sum();
                    let is_one = [xx, SQRT_2 * xy, yy].into_iter().any(|expected| (sum - expected).abs() < 1e-10);
                    assert!(is_one && elastic.stiffness > 0.0, "{moved} {by_turns}: {sum}");
                }
                let (energy, f) = energy_and_forces(&all, &w);
                let largest = f.iter().fold(0.0, |most: f64, f| most.max(f.abs()));
                for (x, f) in mesh.positions().iter().zip(&f).filter(|(x, _)| is_inside(x, side, 0.35)) {
                    assert!(f.abs() < 1e-10 * largest, "{moved} {by_turns}: {f} of {largest} at {x}");
                }
                assert!(energy > 0.1 * D * 1.69 && of_inner.len() > all.len() / 10);
            }
        }
    }

    #[test]
    fn stencils_of_lattices_are_those_of_single_hinges() {
        let count = |mesh: &TriangleMesh| {
            let all = bent(mesh, Shares::ALIKE);
            all.iter().map(|stencil| stencil.terms.len()).max().unwrap()
        };
        assert_eq!(
            [(0.0, false), (0.0, true), (0.3, true)].map(|(moved, turns)| count(&sheet(9, moved, turns, |_| 0.0))),
            [4, 6, 10]
        );
    }

    #[test]
    fn pieces_of_cloth_may_be_laid_out_in_any_direction() {
        let w: Vec<f64> = (0..81).map(|k| libm::sin(0.3 * f64::from(k * k))).collect();
        let of = |turned: fn(usize) -> f64| energy_and_forces(&bent(&sheet(9, 0.3, true, turned), Shares::ALIKE), &w);
        let ((energy, f), (turned, of_turned)) = (of(|_| 0.0), of(|k| 0.1 * (k % 7) as f64));
        assert!((energy / turned - 1.0).abs() < 1e-12);
        assert!(f.iter().zip(&of_turned).all(|(f, turned)| (f - turned).abs() < 1e-9 * energy));
    }

    #[test]
    fn free_sides_bear_no_moment() {
        // a strip of one row of cells bent along its length, by which its free sides tell nothing of the curvature across them
        let mesh = TriangleMesh::regular(9, 2, 0.8, 0.1).unwrap();
        let w: Vec<f64> = mesh.positions().iter().map(|x| 0.5 * x.x * x.x).collect();
        let (energy, _) = energy_and_forces(&bent(&mesh, Shares::ALIKE), &w);
        // D/2 on the area but that at the two ends, where there is no moment
        let expected = 0.5 * D * 0.1;
        let found = [0.6 * expected, 0.8 * expected];
        assert!(energy > found[0] && energy < found[1] * (1.0 + 1e-12), "{energy} {found:?}");
        // they are where they are whatever resists: dampers alone have the weights of springs
        let damped = stencils(&mesh, Shares::ALIKE, Bend { stiffness: 0.0, damping: D });
        let weights = |all: Vec<Stencil>| all.into_iter().map(|stencil| stencil.terms).collect::<Vec<_>>();
        assert_eq!(weights(damped), weights(bent(&mesh, Shares::ALIKE)));
        assert_eq!(stencils(&mesh, Shares::ALIKE, Bend { stiffness: 0.0, damping: 0.0 }), []);
    }
}
