//! Faces with more than three corners, cut into triangles in their plane.

use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

use cloth::Vec3;

/// A face as triangles, each of three of its corners, counted from 0 as the face has them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cut {
    pub triangles: Vec<[usize; 3]>,
    /// True where they are a fan about their first corner, so that the face can stay whole.
    pub is_fan: bool,
}

/// Least height of a triangle of a fan over the longest of its sides \[-\].
const LEAST_HEIGHT: f64 = 1e-6;

/// Coordinates over the size of a face that are rounding \[-\].
const ROUNDING: f64 = 1e-14;

/// Cuts a face of three corners or more \[m\], whichever of them comes first: as a fan about its first corner where that lies within
/// it, a quad otherwise about its second corner, and triangulated in its plane where there is no fan. None where its corners enclose
/// nothing or its sides cross.
pub(super) fn cut(corners: &[Vec3]) -> Option<Cut> {
    let count = corners.len();
    let fan =
        |hub: usize| -> Vec<[usize; 3]> { (1..count - 1).map(|k| [hub, (hub + k) % count, (hub + k + 1) % count]).collect() };
    if count == 3 {
        return Some(Cut { triangles: fan(0), is_fan: true });
    }
    let normal = normal(corners);
    let area = |[a, b, c]: [usize; 3]| (corners[b] - corners[a]).cross(&(corners[c] - corners[a]));
    let longest = |[a, b, c]: [usize; 3]| [[a, b], [b, c], [c, a]].map(|[i, j]| (corners[i] - corners[j]).norm_squared());
    let stands = |triangle: &[usize; 3]| {
        let square = longest(*triangle).into_iter().fold(0.0, f64::max);
        area(*triangle).dot(&normal) > LEAST_HEIGHT * square * normal.norm()
    };
    let hubs = if count == 4 { 2 } else { 1 };
    if let Some(triangles) = (0..hubs).map(fan).find(|triangles| triangles.iter().all(stands)) {
        return Some(Cut { triangles, is_fan: true });
    }
    if count == 4 && normal == Vec3::zeros() {
        return Some(Cut { triangles: fan(0), is_fan: true }); // refused as triangles without area
    }
    triangulated(corners, normal).map(|triangles| Cut { triangles, is_fan: false })
}

/// Sum of the areas of a face as a vector, across its best plane \[m²\], twice as long.
fn normal(corners: &[Vec3]) -> Vec3 {
    let origin = corners[0];
    let pairs = corners.windows(2).map(|pair| (pair[0] - origin).cross(&(pair[1] - origin)));
    pairs.sum()
}

/// Triangles of the corners in the plane across `normal`, as regular as its sides allow: Delaunay's, of which those within the face are
/// kept. None where sides cross.
fn triangulated(corners: &[Vec3], normal: Vec3) -> Option<Vec<[usize; 3]>> {
    let normal = normal.try_normalize(0.0)?;
    let arms: Vec<Vec3> = corners.iter().map(|x| x - corners[0]).map(|arm| arm - arm.dot(&normal) * normal).collect();
    let size = arms.iter().map(Vec3::norm).fold(0.0, f64::max);
    let along = arms[1].try_normalize(0.0)?;
    let across = normal.cross(&along);
    let coordinate = |arm: &Vec3, axis: &Vec3| {
        let share = arm.dot(axis) / size;
        if share.abs() < ROUNDING { 0.0 } else { share }
    };
    let mut mesh = ConstrainedDelaunayTriangulation::<Point2<f64>>::new();
    let mut vertices = Vec::with_capacity(corners.len());
    for (k, arm) in arms.iter().enumerate() {
        let vertex = mesh.insert(Point2::new(coordinate(arm, &along), coordinate(arm, &across))).ok()?;
        if vertex.index() != k {
            return None; // where another corner is
        }
        vertices.push(vertex);
    }
    for k in 0..vertices.len() {
        if mesh.try_add_constraint(vertices[k], vertices[(k + 1) % vertices.len()]).is_empty() {
            return None;
        }
    }
    // three corners stand in the order of the border where one of their turns ascends
    let within = |&[a, b, c]: &[usize; 3]| [[a, b, c], [b, c, a], [c, a, b]].iter().any(|turned| turned.is_sorted());
    let triangles: Vec<[usize; 3]> =
        mesh.inner_faces().map(|face| face.vertices().map(|vertex| vertex.fix().index())).filter(within).collect();
    (triangles.len() == corners.len() - 2).then_some(triangles)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn flat(points: &[[f64; 2]]) -> Vec<Vec3> {
        points.iter().map(|[x, y]| Vec3::new(*x, *y, 0.0)).collect()
    }

    /// Area of each triangle above the plane \[m²\].
    fn areas(corners: &[Vec3], cut: &Cut) -> Vec<f64> {
        cut.triangles.iter().map(|t| 0.5 * (corners[t[1]] - corners[t[0]]).cross(&(corners[t[2]] - corners[t[0]])).z).collect()
    }

    /// A panel with a V neck, 0.88 m².
    const PANEL: [[f64; 2]; 7] = [[0.0, 0.0], [0.8, 0.0], [0.8, 1.2], [0.6, 1.2], [0.4, 0.8], [0.2, 1.2], [0.0, 1.2]];

    #[test]
    fn a_face_has_its_area_whichever_corner_comes_first() {
        let notch = [[0.0, 0.0], [2.0, 0.5], [0.0, 1.0], [0.5, 0.5]]; // an arrowhead
        let middle = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]]; // a corner in the middle of a side
        let middles = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 1.0], [2.0, 2.0], [1.0, 2.0], [0.5, 2.0], [0.0, 2.0]];
        for (points, area) in [(&PANEL[..], 0.88), (&notch[..], 0.75), (&middle[..], 4.0), (&middles[..], 4.0)] {
            for first in 0..points.len() {
                let mut points = points.to_vec();
                points.rotate_left(first);
                let corners = flat(&points);
                let cut = cut(&corners).unwrap_or_else(|| panic!("{points:?}"));
                let areas = areas(&corners, &cut);
                assert!(areas.iter().all(|area| *area > 1e-3), "{points:?}: {areas:?}");
                assert_eq!(areas.len(), points.len() - 2);
                assert!((areas.iter().sum::<f64>() - area).abs() < 1e-12, "{points:?}: {areas:?}");
                assert!(points.len() > 4 || cut.is_fan, "a quad stays whole");
            }
        }
    }

    #[test]
    fn a_convex_face_stays_a_fan_and_one_without_an_inside_is_none() {
        let square = flat(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
        assert_eq!(cut(&square), Some(Cut { triangles: vec![[0, 1, 2], [0, 2, 3]], is_fan: true }));
        let crossed = flat(&[[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0], [-1.0, 1.0]]);
        assert_eq!(cut(&crossed), None);
        assert_eq!(cut(&flat(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [4.0, 0.0]])), None);
    }

    proptest! {
        #[test]
        fn any_star_is_cut_into_its_area(radii in prop::collection::vec(0.2f64..2.0, 5..12), first in 0usize..5, lift in -0.2f64..0.2) {
            let count = radii.len();
            let at = |k: usize| {
                let (sine, cosine) = libm::sincos(std::f64::consts::TAU * k as f64 / count as f64);
                Vec3::new(radii[k] * cosine, radii[k] * sine, if k.is_multiple_of(2) { lift } else { 0.0 })
            };
            let corners: Vec<Vec3> = (0..count).map(|k| at((k + first) % count)).collect();
            let cut = cut(&corners).expect("a star");
            let sum: f64 = areas(&corners, &cut).iter().sum();
            let whole: f64 = (0..count).map(|k| 0.5 * at(k).xy().perp(&at((k + 1) % count).xy())).sum();
            prop_assert!((sum - whole).abs() < 1e-9 * whole, "{sum} {whole}");
        }
    }
}
