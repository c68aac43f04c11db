use std::collections::HashSet;
use std::f64::consts::{PI, TAU};
use std::ops::Range;

use crate::inextensible::{Edge, EdgeConstraints};
use crate::invalid::{positive, within};
use crate::{Elastic, ModelError, Net, NetSpring, Vec3};

/// Trousers for a [`Figure`](crate::Figure): two tubes of quads that merge at the crotch into one up to the waist, as one mesh of
/// warp and weft edges. The waist fits the figure above its hips and is narrower than these, so that it passes them only
/// where it stretches.
#[derive(Clone, Debug, PartialEq)]
pub struct Trousers {
    rest: Vec<Vec3>,
    quads: Vec<[usize; 4]>,
    edges: Vec<Edge>,
    masses: Vec<f64>,
    waist: Range<usize>,
    /// Of each tube its rows, neighbours beside each other, each from the front on, and whether counter-clockwise from above.
    tubes: Vec<(Vec<Vec<usize>>, bool)>,
}

/// A closed curve at a height: half the straight sides along x and the radius of the round ends \[m\].
#[derive(Clone, Copy)]
struct Outline {
    half: f64,
    radius: f64,
}

/// Heights of hem, crotch, hips and waist \[m\].
const HEIGHTS: [f64; 4] = [0.10, 0.85, 0.96, 1.02];
/// From the crotch to the hips, 0.885 m around: 1.06 of those of the figure.
const HIPS: Outline = Outline { half: 0.0745, radius: 0.0935 };
/// 0.77 m around; the figure's hips are 1.08 of it.
const WAIST: Outline = Outline { half: 0.06, radius: 0.0844 };
/// Radius of a leg below the crotch and at the hem \[m\].
const LEG: [f64; 2] = [0.088, 0.075];
/// Distance of its axis from the middle below the crotch and at the hem \[m\].
const LEG_AXIS: [f64; 2] = [0.088, 0.105];
/// Way down from the crotch on which the round leg forms \[m\].
const ROUNDING: f64 = 0.15;
/// Share of the edges around a leg that lie on the seam at the crotch \[-\].
const SEAM: f64 = 0.3;

impl Trousers {
    /// Fewest edges around a leg.
    pub const FEWEST: usize = 8;

    /// A mesh with `around` edges around a leg, and quads about as high as wide, of cloth of `density` \[kg/m²\], > 0.
    ///
    /// # Errors
    /// Fewer edges than [`Trousers::FEWEST`], more than 2000, or a density that is not a finite number above zero.
    pub fn new(around: usize, density: f64) -> Result<Trousers, ModelError> {
        let (is_within, range) = ((Trousers::FEWEST..=2000).contains(&around), "a whole number from 8 to 2000");
        within(is_within, "the number of edges around a leg", range, around as f64)?;
        positive("the density", density)?;
        let seam = (SEAM * around as f64).round() as usize;
        let half = around - seam; // edges of the crotch row on each side
        let spacing = TAU * LEG[0] / around as f64;
        let rows = |height: f64| ((height / spacing).round() as usize).max(2);
        let [hem, crotch, _, waist] = HEIGHTS;

        // the crotch row: front, back, right side, left side, seam from back to front
        let (front, back) = (Vec3::new(0.0, -HIPS.radius, crotch), Vec3::new(0.0, HIPS.radius, crotch));
        let mut mesh = Mesh { rest: vec![front, back], quads: Vec::new(), tubes: Vec::new() };
        let side = |mesh: &mut Mesh, sign: f64| {
            let point = |q| HIPS.half_way(q as f64 / half as f64);
            mesh.ring((1..half).map(|q| Vec3::new(sign * point(q)[0], point(q)[1], crotch)))
        };
        let (right, left) = (side(&mut mesh, 1.0), side(&mut mesh, -1.0));
        let between = mesh.ring((1..seam).map(|q| back + q as f64 / seam as f64 * (front - back)));

        for (sign, outer) in [(1.0, &right), (-1.0, &left)] {
            let crotch_ring: Vec<usize> = [&[0][..], outer.as_slice(), &[1][..], between.as_slice()].concat();
            let shape: Vec<Vec3> = crotch_ring.iter().map(|&index| mesh.rest[index]).collect();
            let count = rows(crotch - hem);
            let mut tube = vec![crotch_ring];
            for row in 1..=count {
                let z = crotch - row as f64 / count as f64 * (crotch - hem);
                let down = (crotch - z) / (crotch - hem);
                let round = smooth((crotch - z) / ROUNDING);
                let [radius, axis] = [LEG, LEG_AXIS].map(|[top, bottom]| top + down * (bottom - top));
                let below = mesh.ring((0..around).map(|q| {
                    let angle = PI + TAU * (q as f64 + 0.5 * seam as f64) / around as f64; // the seam inside
                    let circle = Vec3::new(sign * (axis + radius * libm::cos(angle)), radius * libm::sin(angle), z);
                    let kept = Vec3::new(shape[q].x, shape[q].y, z);
                    kept + round * (circle - kept)
                }));
                tube.push(below);
            }
            tube.reverse(); // from the hem up
            mesh.sew(tube, sign > 0.0);
        }

        let mut crotch_row: Vec<usize> = [&[0][..], right.as_slice(), &[1][..]].concat();
        crotch_row.extend(left.iter().rev());
        let mut tube = vec![crotch_row];
        let count = rows(waist - crotch);
        for row in 1..=count {
            let z = crotch + row as f64 / count as f64 * (waist - crotch);
            let taper = ((z - HEIGHTS[2]) / (waist - HEIGHTS[2])).max(0.0);
            let outline = Outline {
                half: HIPS.half + taper * (WAIST.half - HIPS.half),
                radius: HIPS.radius + taper * (WAIST.radius - HIPS.radius),
            };
            let above = mesh.ring((0..2 * half).map(|q| {
                let (sign, q) = if q <= half { (1.0, q) } else { (-1.0, 2 * half - q) };
                let [x, y] = outline.half_way(q as f64 / half as f64);
                Vec3::new(sign * x, y, z)
            }));
            tube.push(above);
        }
        mesh.sew(tube, true);
        let waist = mesh.rest.len() - 2 * half..mesh.rest.len();
        Ok(mesh.trousers(density, waist))
    }

    /// The rest shape \[m\], shape \[particle_count\], around a figure at rest.
    pub fn rest(&self) -> &[Vec3] {
        &self.rest
    }

    /// Corners of the quads, counter-clockwise as seen from outside.
    pub fn quads(&self) -> &[[usize; 4]] {
        &self.quads
    }

    /// Warp and weft edges, each once.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Masses \[kg\], a quarter of each quad's to each of its corners.
    pub fn masses(&self) -> &[f64] {
        &self.masses
    }

    /// The particles of the row at the waist.
    pub fn waist(&self) -> Range<usize> {
        self.waist.clone()
    }

    /// A coarse picture: quads over every `stride`-th row and column, `stride` >= 1, the borders kept, with some cracks.
    pub fn coarse(&self, stride: usize) -> Vec<[usize; 4]> {
        let mut quads = Vec::new();
        for (rows, counter_clockwise) in &self.tubes {
            let last = rows.len() - 1;
            let kept: Vec<usize> = (0..last).step_by(stride.max(1)).chain([last]).collect();
            let thin = |row: &Vec<usize>| row.iter().step_by(stride.max(1)).copied().collect::<Vec<usize>>();
            for pair in kept.windows(2) {
                quads.extend(between(&thin(&rows[pair[0]]), &thin(&rows[pair[1]]), *counter_clockwise));
            }
        }
        quads
    }

    /// The edges as constraints, no particle held.
    ///
    /// # Errors
    /// As [`EdgeConstraints::new`]; never for trousers.
    pub fn constraints(&self) -> Result<EdgeConstraints, ModelError> {
        EdgeConstraints::new(&self.edges, &self.masses, &vec![false; self.rest.len()])
    }

    /// The particles with `shear` springs on both diagonals of each quad.
    ///
    /// # Errors
    /// As [`Net::new`].
    pub fn net(&self, shear: Elastic) -> Result<Net, ModelError> {
        let spring = |i: usize, j: usize| NetSpring { i, j, rest: (self.rest[j] - self.rest[i]).norm(), elastic: shear };
        let springs = self.quads.iter().flat_map(|&[a, b, c, d]| [spring(a, c), spring(b, d)]).collect();
        Net::new(self.masses.clone(), vec![false; self.rest.len()], springs)
    }
}

/// The quads between a closed row and the one above; `counter_clockwise` as seen from above.
fn between(below: &[usize], above: &[usize], counter_clockwise: bool) -> Vec<[usize; 4]> {
    let quad = |q: usize| {
        let next = (q + 1) % below.len();
        match counter_clockwise {
            true => [below[q], below[next], above[next], above[q]],
            false => [below[next], below[q], above[q], above[next]],
        }
    };
    (0..below.len()).map(quad).collect()
}

/// s² (3 - 2 s) of a number cut to 0 and 1.
fn smooth(s: f64) -> f64 {
    let s = s.clamp(0.0, 1.0);
    s * s * (3.0 - 2.0 * s)
}

impl Outline {
    /// The point \[x, y\] a share `s` of the way from the front over the side x > 0 to the back.
    fn half_way(&self, s: f64) -> [f64; 2] {
        let Outline { half, radius } = *self;
        let way = s * (2.0 * half + PI * radius);
        if way <= half {
            [way, -radius]
        } else if way < half + PI * radius {
            let angle = (way - half) / radius;
            [half + radius * libm::sin(angle), -radius * libm::cos(angle)]
        } else {
            [(2.0 * half + PI * radius - way).max(0.0), radius]
        }
    }
}

/// Trousers while they are sewn.
struct Mesh {
    rest: Vec<Vec3>,
    quads: Vec<[usize; 4]>,
    tubes: Vec<(Vec<Vec<usize>>, bool)>,
}

impl Mesh {
    /// Adds points; their indices.
    fn ring(&mut self, points: impl Iterator<Item = Vec3>) -> Vec<usize> {
        let first = self.rest.len();
        self.rest.extend(points);
        (first..self.rest.len()).collect()
    }

    /// Joins the rows of a tube by quads, each row with the one above.
    fn sew(&mut self, rows: Vec<Vec<usize>>, counter_clockwise: bool) {
        for pair in rows.windows(2) {
            self.quads.extend(between(&pair[0], &pair[1], counter_clockwise));
        }
        self.tubes.push((rows, counter_clockwise));
    }

    /// The mesh with its edges and masses.
    fn trousers(self, density: f64, waist: Range<usize>) -> Trousers {
        let Mesh { rest, quads, tubes } = self;
        let mut masses = vec![0.0; rest.len()];
        let (mut seen, mut edges) = (HashSet::new(), Vec::new());
        for &[a, b, c, d] in &quads {
            let area = 0.5 * (rest[c] - rest[a]).cross(&(rest[d] - rest[b])).norm();
            for (i, j) in [(a, b), (b, c), (c, d), (d, a)] {
                masses[i] += 0.25 * density * area;
                if seen.insert((i.min(j), i.max(j))) {
                    edges.push(Edge { i, j, rest: (rest[j] - rest[i]).norm() });
                }
            }
        }
        Trousers { rest, quads, edges, masses, waist, tubes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Figure;
    use crate::contact::Obstacle;
    use std::collections::HashMap;

    fn trousers(around: usize) -> Trousers {
        Trousers::new(around, 0.2).unwrap()
    }

    #[test]
    fn the_mesh_is_an_oriented_surface_with_three_holes() {
        for around in [8, 9, 20] {
            let trousers = trousers(around);
            let mut sides: HashMap<(usize, usize), usize> = HashMap::new();
            for quad in trousers.quads() {
                for k in 0..4 {
                    *sides.entry((quad[k], quad[(k + 1) % 4])).or_default() += 1;
                }
            }
            assert!(
                sides.values().all(|count| *count == 1),
                "each side of an edge in one quad: oriented, at most two quads an edge"
            );
            let borders: Vec<(usize, usize)> = sides.keys().filter(|(i, j)| !sides.contains_key(&(*j, *i))).copied().collect();
            // the borders are three closed curves: two hems and the waist
            let next: HashMap<usize, usize> = borders.iter().copied().collect();
            assert_eq!(next.len(), borders.len());
            let (mut left, mut curves) = (next.clone(), Vec::new());
            while let Some(&start) = left.keys().min() {
                let (mut at, mut length) = (start, 0);
                while let Some(to) = left.remove(&at) {
                    (at, length) = (to, length + 1);
                }
                assert_eq!(at, start);
                curves.push(length);
            }
            curves.sort_unstable();
            let waist = trousers.waist().len();
            assert_eq!(curves.len(), 3);
            assert!(curves.iter().filter(|length| **length == around).count() >= 2 && curves.contains(&waist), "{curves:?}");
            let characteristic = trousers.rest().len() as i64 - trousers.edges().len() as i64 + trousers.quads().len() as i64;
            assert_eq!(characteristic, -1, "a pair of pants");
            assert_eq!(trousers.edges().len(), (sides.len() + borders.len()) / 2);
            // around each particle its quads form one fan
            let mut quads_at = vec![0; trousers.rest().len()];
            trousers.quads().iter().flatten().for_each(|&corner| quads_at[corner] += 1);
            let mut edges_at = vec![0; trousers.rest().len()];
            trousers.edges().iter().for_each(|edge| [edge.i, edge.j].iter().for_each(|&end| edges_at[end] += 1));
            for particle in 0..trousers.rest().len() {
                let open = usize::from(next.contains_key(&particle));
                assert_eq!(edges_at[particle], quads_at[particle] + open, "{particle}");
            }
        }
    }

    #[test]
    fn quads_look_outside_and_masses_are_the_area() {
        let trousers = trousers(20);
        let mut area = 0.0;
        let figure = Figure::still().capsules(0.0);
        for &[a, b, c, d] in trousers.quads() {
            let x = trousers.rest();
            let across = 0.5 * (x[c] - x[a]).cross(&(x[d] - x[b]));
            area += across.norm();
            let middle = 0.25 * (x[a] + x[b] + x[c] + x[d]);
            let near = figure.iter().map(|limb| limb.distance(middle)).min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
            assert!(near.1.dot(&across) > 0.0 || middle.x.abs() < 0.03, "{middle}");
        }
        let mass: f64 = trousers.masses().iter().sum();
        assert!((mass - 0.2 * area).abs() < 1e-12 && (0.9..1.2).contains(&area), "{area} m²");
        assert!(trousers.masses().iter().all(|mass| *mass > 0.0));
    }

    #[test]
    fn it_fits_the_figure_and_its_waist_is_narrower_than_the_hips() {
        let trousers = trousers(56);
        assert!((9_000..11_000).contains(&trousers.rest().len()), "{}", trousers.rest().len());
        let waist: Vec<Vec3> = trousers.waist().map(|index| trousers.rest()[index]).collect();
        let around: f64 = (0..waist.len()).map(|k| (waist[(k + 1) % waist.len()] - waist[k]).norm()).sum();
        assert!((around - 0.77).abs() < 2e-3 && waist.iter().all(|x| (x.z - HEIGHTS[3]).abs() < 1e-12), "{around}");
        let hips = 4.0 * 0.07 + TAU * 0.088; // of the figure
        assert!(hips > 1.07 * around && hips < 1.1 * around);
        let deepest =
            |x: &Vec3| Figure::still().capsules(0.0).iter().map(|limb| limb.distance(*x).0).fold(f64::INFINITY, f64::min);
        let depth = trousers.rest().iter().map(deepest).fold(f64::INFINITY, f64::min);
        assert!(depth > -2e-3, "{depth}");
        let longest = trousers.edges().iter().map(|edge| edge.rest).fold(0.0, f64::max);
        let shortest = trousers.edges().iter().map(|edge| edge.rest).fold(f64::INFINITY, f64::min);
        assert!(longest < 2.5 * shortest, "{shortest} to {longest}");
    }

    #[test]
    fn the_constraints_do_not_depend_on_each_other() {
        let trousers = trousers(8);
        let constraints = trousers.constraints().unwrap();
        let (edges, x) = (constraints.edges(), trousers.rest());
        let gradient = |k: usize, i: usize| {
            let edge = &edges[k];
            if edge.j == i { edge.gradient(x) } else { -edge.gradient(x) }
        };
        let gram = nalgebra::DMatrix::from_fn(edges.len(), edges.len(), |k, l| {
            let shared = [edges[k].i, edges[k].j].into_iter().filter(|&i| edges[l].i == i || edges[l].j == i);
            shared.map(|i| gradient(k, i).dot(&gradient(l, i))).sum::<f64>()
        });
        let eigenvalues = gram.symmetric_eigenvalues();
        assert!(eigenvalues.min() > 1e-4 * eigenvalues.max(), "{} to {}", eigenvalues.min(), eigenvalues.max());
        let net = trousers.net(Elastic { stiffness: 1.0, damping: 0.0 }).unwrap();
        assert_eq!(net.springs().len(), 2 * trousers.quads().len());
        assert!(crate::System::largest_stretch(&net, x) == 1.0);
    }

    #[test]
    fn a_coarse_picture_has_fewer_quads_of_the_same_particles() {
        let trousers = trousers(20);
        let mut all = trousers.coarse(1);
        all.sort_unstable();
        let mut quads = trousers.quads().to_vec();
        quads.sort_unstable();
        assert_eq!(all, quads);
        let coarse = trousers.coarse(4);
        assert!(coarse.len() * 8 < quads.len() && coarse.iter().flatten().all(|&index| index < trousers.rest().len()));
        assert!(coarse.iter().any(|quad| quad.iter().any(|index| trousers.waist().contains(index))));
    }

    #[test]
    fn meshes_that_are_no_trousers_are_refused() {
        for (around, density) in [(7, 0.2), (3000, 0.2), (20, 0.0), (20, f64::NAN)] {
            assert!(matches!(Trousers::new(around, density), Err(ModelError::OutOfRange { .. })));
        }
    }
}
