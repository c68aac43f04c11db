use crate::Vec3;

/// A rigid body at rest, given by its signed distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solid {
    /// All points below a plane.
    Plane {
        /// A point of the plane \[m\].
        point: Vec3,
        /// Its outward unit normal.
        normal: Vec3,
    },
    /// A box with its sides along the axes: a table.
    Cuboid {
        /// Its centre \[m\].
        centre: Vec3,
        /// Half its sides \[m\], > 0.
        half: Vec3,
    },
    /// A ball.
    Sphere {
        /// Its centre \[m\].
        centre: Vec3,
        /// Its radius \[m\], > 0.
        radius: f64,
    },
    /// A circular cylinder with flat ends.
    Cylinder {
        /// Its centre \[m\].
        centre: Vec3,
        /// Unit vector along its axis.
        axis: Vec3,
        /// Its radius \[m\], > 0.
        radius: f64,
        /// Half its length \[m\], > 0.
        half_length: f64,
    },
    /// All points near a segment: a cylinder with round ends, a ball where the ends are one.
    Capsule {
        /// An end of its axis \[m\].
        from: Vec3,
        /// The other end \[m\].
        to: Vec3,
        /// Its radius \[m\], > 0.
        radius: f64,
    },
}

impl Solid {
    /// Signed distance \[m\] of a point to the surface, negative inside, and the outward unit normal there.
    #[inline]
    pub fn distance(&self, x: Vec3) -> (f64, Vec3) {
        match *self {
            Solid::Plane { point, normal } => ((x - point).dot(&normal), normal),
            Solid::Sphere { centre, radius } => {
                let away = x - centre;
                let normal = away.try_normalize(0.0).unwrap_or_else(Vec3::z);
                (away.dot(&normal) - radius, normal)
            }
            Solid::Cuboid { centre, half } => {
                let away = x - centre;
                let beyond = away.abs() - half;
                let outward = Vec3::from_fn(|q, _| if away[q] < 0.0 { -1.0 } else { 1.0 });
                let outside = Vec3::from_fn(|q, _| if beyond[q] > 0.0 { beyond[q] * outward[q] } else { 0.0 });
                nearest(outside, beyond.as_slice(), |q| Vec3::ith(q, outward[q]))
            }
            Solid::Cylinder { centre, axis, radius, half_length } => {
                let away = x - centre;
                let along = away.dot(&axis);
                let across = away - along * axis;
                let side = across.try_normalize(0.0).unwrap_or_else(|| any_across(axis));
                let end = if along < 0.0 { -axis } else { axis };
                let beyond = [across.dot(&side) - radius, along.abs() - half_length];
                let normals = [side, end];
                let outside = (0..2).map(|q| beyond[q].max(0.0) * normals[q]).sum();
                nearest(outside, &beyond, |q| normals[q])
            }
            Solid::Capsule { from, to, radius } => {
                let away = x - (from + along_segment(from, to, x) * (to - from));
                let across = || (to - from).try_normalize(0.0).map_or_else(Vec3::z, any_across);
                let normal = away.try_normalize(0.0).unwrap_or_else(across);
                (away.dot(&normal) - radius, normal)
            }
        }
    }
}

/// Where on the segment from `from` to `to` a point is nearest, from 0 to 1.
pub(super) fn along_segment(from: Vec3, to: Vec3, x: Vec3) -> f64 {
    let way = to - from;
    let square = way.norm_squared();
    if square > 0.0 { ((x - from).dot(&way) / square).clamp(0.0, 1.0) } else { 0.0 }
}

/// Distance and normal of a convex body that is the intersection of slabs whose normals are at right angles: `beyond` is how
/// far a point lies outside each of them, `outside` the sum of what is positive of it along their normals.
#[inline]
fn nearest(outside: Vec3, beyond: &[f64], normal: impl Fn(usize) -> Vec3) -> (f64, Vec3) {
    let distance = outside.norm();
    if distance <= 0.0 {
        let face = (1..beyond.len()).fold(0, |face, q| if beyond[q] > beyond[face] { q } else { face });
        return (beyond[face], normal(face));
    }
    (distance, outside / distance)
}

/// Some unit vector at right angles to a unit vector.
fn any_across(axis: Vec3) -> Vec3 {
    let other = if axis.x.abs() < 0.5 { Vec3::x() } else { Vec3::y() };
    axis.cross(&other).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn solids() -> [Solid; 5] {
        let centre = Vec3::new(0.1, -0.2, 0.3);
        [
            Solid::Plane { point: centre, normal: Vec3::new(0.6, 0.0, 0.8) },
            Solid::Cuboid { centre, half: Vec3::new(0.5, 0.4, 0.3) },
            Solid::Sphere { centre, radius: 0.5 },
            Solid::Cylinder { centre, axis: Vec3::new(0.0, 0.6, 0.8), radius: 0.4, half_length: 0.5 },
            Solid::Capsule { from: centre, to: Vec3::new(-0.3, 0.4, 0.1), radius: 0.3 },
        ]
    }

    proptest! {
        #[test]
        fn the_normal_is_the_gradient_of_the_distance_and_leads_to_the_surface(x in -1.0..1.0, y in -1.0..1.0, z in -1.0..1.0) {
            for solid in solids() {
                let point = Vec3::new(x, y, z);
                let (distance, normal) = solid.distance(point);
                prop_assert!((normal.norm() - 1.0).abs() < 1e-12);
                let step = 1e-7;
                let rises = (solid.distance(point + step * normal).0 - distance) / step;
                prop_assert!((rises - 1.0).abs() < 1e-5, "{solid:?}: {rises}");
                let (left, _) = solid.distance(point - distance * normal);
                prop_assert!(left.abs() < 1e-9, "{solid:?}: {left}");
            }
        }
    }

    #[test]
    fn distances_by_hand() {
        let unit = Vec3::new(1.0, 1.0, 1.0);
        let cube = Solid::Cuboid { centre: Vec3::zeros(), half: unit };
        assert_eq!(cube.distance(Vec3::new(0.0, 0.0, 1.5)), (0.5, Vec3::z()));
        assert_eq!(cube.distance(Vec3::new(-0.9, 0.0, 0.5)), (0.9 - 1.0, -Vec3::x()));
        let (corner, normal) = cube.distance(Vec3::new(4.0, 5.0, 1.0));
        assert!((corner - 5.0).abs() < 1e-15 && (normal - Vec3::new(0.6, 0.8, 0.0)).norm() < 1e-15);
        let can = Solid::Cylinder { centre: Vec3::zeros(), axis: Vec3::z(), radius: 1.0, half_length: 2.0 };
        assert_eq!(can.distance(Vec3::new(0.0, -3.0, 0.0)), (2.0, -Vec3::y()));
        assert_eq!(can.distance(Vec3::new(0.1, 0.0, -1.9)), (1.9 - 2.0, -Vec3::z()));
        let pill = Solid::Capsule { from: Vec3::zeros(), to: 2.0 * Vec3::z(), radius: 1.0 };
        assert_eq!(pill.distance(Vec3::new(0.0, 3.0, 1.0)), (2.0, Vec3::y()));
        assert_eq!(pill.distance(Vec3::new(0.0, 0.0, -1.5)), (0.5, -Vec3::z()));
        let (depth, normal) = pill.distance(Vec3::z());
        assert!(depth == -1.0 && normal.norm() == 1.0 && normal.z == 0.0);
        let point = Solid::Capsule { from: unit, to: unit, radius: 1.0 };
        assert_eq!((point.distance(unit), point.distance(unit + 3.0 * Vec3::x())), ((-1.0, Vec3::z()), (2.0, Vec3::x())));
        assert_eq!(Solid::Sphere { centre: unit, radius: 1.0 }.distance(unit), (-1.0, Vec3::z()));
    }
}
