//! Which triangles intersect at one moment: for checks of what a step has left, by predicates that rounding does not mislead
//! \[Shewchuk 1997\].

use robust::{Coord, Coord3D, orient2d, orient3d};

use crate::separated::are_separated;
use crate::{Bounds, Surface, Tree, Unfit, Vec3};

/// Pairs of faces that have more in common than the particles they share, at places x \[m\], shape \[particle_count\], in the
/// order of their numbers. Faces that only touch count; two that share an edge do not, however they are folded.
pub fn crossings(surface: &Surface, x: &[Vec3]) -> Vec<[u32; 2]> {
    let x = &raised(x);
    let most = largest(x);
    let faces = surface.faces();
    let corners = |face: u32| faces[face as usize].map(|corner| x[corner as usize]);
    let boxes: Vec<Bounds> = (0..faces.len() as u32).map(|face| Bounds::of(&corners(face), 0.0)).collect();
    let mut found = vec![];
    Tree::new(&boxes).pairs(|one, other| {
        let [a, b] = [one, other].map(|face| faces[face as usize]);
        let shared = a.iter().filter(|corner| b.contains(corner)).count();
        let cross = match shared {
            0 => {
                let (one, other) = (corners(one), corners(other));
                !are_separated(&one, &other, most) && triangles_cross(&one, &other)
            }
            1 => meets_beyond_corner(&a, &b, x, most),
            _ => false,
        };
        if cross {
            found.push([one, other]);
        }
    });
    found.sort_unstable();
    found
}

/// Coordinates over the largest one that count as zero: predicates are exact only where products of their differences do not
/// underflow.
const NOTHING: f64 = 1e-60;

/// The places without coordinates that are next to nothing.
fn raised(x: &[Vec3]) -> Vec<Vec3> {
    let least = NOTHING * largest(x);
    x.iter().map(|x| x.map(|q| if q.abs() < least { 0.0 } else { q })).collect()
}

/// The largest coordinate.
fn largest(x: &[Vec3]) -> f64 {
    x.iter().map(Vec3::amax).fold(0.0, f64::max)
}

/// Whether faces that share a corner meet elsewhere: the side of one of them that lies opposite to it crosses the other.
fn meets_beyond_corner(a: &[u32; 3], b: &[u32; 3], x: &[Vec3], most: f64) -> bool {
    let crosses = |one: &[u32; 3], other: &[u32; 3]| {
        let mut opposite = one.iter().filter(|corner| !other.contains(corner)).map(|corner| x[*corner as usize]);
        let (from, to) = (opposite.next(), opposite.next());
        let face = other.map(|corner| x[corner as usize]);
        from.zip(to).is_some_and(|(from, to)| !are_separated(&[from, to], &face, most) && segment_crosses(from, to, &face))
    };
    crosses(a, b) || crosses(b, a)
}

fn triangles_cross(a: &[Vec3; 3], b: &[Vec3; 3]) -> bool {
    let sides = |of: &[Vec3; 3]| [0, 1, 2].map(|k| (of[k], of[(k + 1) % 3]));
    sides(a).iter().any(|(from, to)| segment_crosses(*from, *to, b))
        || sides(b).iter().any(|(from, to)| segment_crosses(*from, *to, a))
}

/// On which side of the plane of a, b, c a point lies: exact in its sign.
fn side(a: Vec3, b: Vec3, c: Vec3, point: Vec3) -> f64 {
    let [a, b, c, point] = [a, b, c, point].map(|x| Coord3D { x: x.x, y: x.y, z: x.z });
    orient3d(a, b, c, point)
}

/// Whether a segment and a triangle have a point in common.
fn segment_crosses(from: Vec3, to: Vec3, face @ &[a, b, c]: &[Vec3; 3]) -> bool {
    let (start, end) = (side(a, b, c, from), side(a, b, c, to));
    if start == 0.0 && end == 0.0 {
        return segment_crosses_in_plane(from, to, face);
    }
    if start > 0.0 && end > 0.0 || start < 0.0 && end < 0.0 {
        return false;
    }
    let turns = [side(from, to, a, b), side(from, to, b, c), side(from, to, c, a)];
    turns.iter().all(|turn| *turn >= 0.0) || turns.iter().all(|turn| *turn <= 0.0)
}

/// In the plane of a triangle, seen along the axis that it faces most.
fn segment_crosses_in_plane(from: Vec3, to: Vec3, &[a, b, c]: &[Vec3; 3]) -> bool {
    let axis = (b - a).cross(&(c - a)).iamax();
    let seen = |x: Vec3| Coord { x: x[(axis + 1) % 3], y: x[(axis + 2) % 3] };
    let [from, to, a, b, c] = [from, to, a, b, c].map(seen);
    let inside = |point: Coord<f64>| {
        let turns = [orient2d(a, b, point), orient2d(b, c, point), orient2d(c, a, point)];
        turns.iter().all(|turn| *turn >= 0.0) || turns.iter().all(|turn| *turn <= 0.0)
    };
    let crosses = |(p, q): (Coord<f64>, Coord<f64>)| {
        let apart = |one: f64, other: f64| one > 0.0 && other > 0.0 || one < 0.0 && other < 0.0;
        let [one, other] = [[p, q, from, to], [from, to, p, q]].map(|[a, b, c, d]| apart(orient2d(a, b, c), orient2d(a, b, d)));
        let spans = |pick: fn(Coord<f64>) -> f64| {
            pick(p).max(pick(q)) >= pick(from).min(pick(to)) && pick(from).max(pick(to)) >= pick(p).min(pick(q))
        };
        !one && !other && spans(|at| at.x) && spans(|at| at.y)
    };
    inside(from) || inside(to) || [(a, b), (b, c), (c, a)].into_iter().any(crosses)
}

impl Surface {
    /// Refuses places \[m\], shape \[particle_count\], at which nothing can be found.
    ///
    /// # Errors
    /// A place that is no number, a face without area, faces that pass through each other.
    pub fn check(&self, x: &[Vec3]) -> Result<(), Unfit> {
        if let Some(particle) = x.iter().position(|x| !x.iter().all(|q| q.is_finite())) {
            return Err(Unfit::Place { particle });
        }
        for (face, corners) in self.faces().iter().enumerate() {
            let [a, b, c] = corners.map(|corner| x[corner as usize]);
            if (b - a).cross(&(c - a)).norm_squared() == 0.0 {
                return Err(Unfit::Degenerate { face });
            }
        }
        match crossings(self, x).first() {
            Some(&[first, second]) => Err(Unfit::Crossing { first: first as usize, second: second as usize }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::distance::{of_edges, of_vertex};

    const FLAT: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

    fn cross(a: [[f64; 3]; 3], b: [[f64; 3]; 3]) -> bool {
        triangles_cross(&a.map(Vec3::from), &b.map(Vec3::from))
    }

    #[test]
    fn what_is_flat_but_for_numbers_that_underflow_does_not_cross() {
        let surface = Surface::new(vec![[0, 1, 2], [3, 4, 5]], 6).unwrap();
        let x = [
            [0.02518359192848815, -0.050846267079001355, -1.01644e-319],
            [0.03770109363575854, -0.062358358121768945, 0.0],
            [0.025171351485169885, -0.06240092522810799, 0.0],
            [0.037693584315502064, -0.05077213339855343, -3.4815e-319],
            [0.05020359637451774, -0.05074849997303927, -3.54556e-319],
            [0.05023508313659378, -0.062295663147236904, 0.0],
        ];
        assert_eq!(crossings(&surface, &x.map(Vec3::from)), Vec::<[u32; 2]>::new());
    }

    #[test]
    fn triangles_by_hand() {
        let through = |x: f64, y: f64| segment_crosses(Vec3::new(x, y, -1.0), Vec3::new(x, y, 1.0), &FLAT.map(Vec3::from));
        assert!(through(1.0, 1.0) && through(2.0, 2.0) && through(0.0, 0.0), "inside, on a side, at a corner");
        assert!(!through(2.1, 2.0) && !through(-1e-15, 0.0));
        assert!(!cross(FLAT, FLAT.map(|[x, y, _]| [x, y, 1e-300])), "parallel, however near");
        assert!(cross(FLAT, [[1.0, 1.0, 0.0], [9.0, 1.0, 0.0], [9.0, 2.0, 0.0]]), "in one plane");
        assert!(!cross(FLAT, [[5.0, 1.0, 0.0], [9.0, 1.0, 0.0], [9.0, 2.0, 0.0]]), "in one plane, beside it");
        assert!(cross(FLAT, [[1.0, 0.5, 0.0], [1.5, 0.5, 0.0], [1.0, 1.0, 0.0]]), "in one plane, inside");
    }

    #[test]
    fn faces_that_share_a_corner_cross_only_beyond_it() {
        let surface = Surface::new(vec![[0, 1, 2], [0, 3, 4]], 5).unwrap();
        let crossings = |z: f64| {
            let x = [FLAT[0], FLAT[1], FLAT[2], [1.0, 1.0, 1.0], [1.0, 1.0, z]].map(Vec3::from);
            crossings(&surface, &x)
        };
        assert_eq!(crossings(2.0), [[0_u32; 2]; 0]);
        assert_eq!(crossings(-1.0), [[0, 1]]);
    }

    proptest! {
        /// Triangles cross where, and only where, nothing lies between a corner and a face or between two sides.
        #[test]
        fn what_crosses_has_no_distance(points in prop::array::uniform6(prop::array::uniform3((-3..=3_i32).prop_map(f64::from)))) {
            let [a, b] = [[points[0], points[1], points[2]], [points[3], points[4], points[5]]].map(|of| of.map(Vec3::from));
            let has_area = |[a, b, c]: [Vec3; 3]| (b - a).cross(&(c - a)).norm() > 0.0;
            prop_assume!(has_area(a) && has_area(b));
            let vertices = (0..3).map(|k| of_vertex(&[a[k], b[0], b[1], b[2]]).distance.min(of_vertex(&[b[k], a[0], a[1], a[2]]).distance));
            let sides = (0..9).map(|k| of_edges(&[a[k % 3], a[(k + 1) % 3], b[k / 3], b[(k / 3 + 1) % 3]]).distance);
            let near = vertices.chain(sides).fold(f64::INFINITY, f64::min);
            let through = triangles_cross(&a, &b);
            // whole numbers that do not touch are farther apart than rounding; those that pass through each other may be far from
            // touching
            prop_assert!(near > 1e-9 || through, "they touch: {a:?} {b:?}");
            prop_assert_eq!(through, triangles_cross(&b, &a));
        }
    }
}
