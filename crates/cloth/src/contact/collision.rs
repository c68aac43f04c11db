use super::solid::along_segment;
use super::{Friction, Solid};
use crate::Vec3;

/// What a [`CollisionPass`] meets.
pub trait Obstacle {
    /// Signed distance \[m\] of a point to the surface at the end of the step, negative inside, and the outward unit normal there.
    fn distance(&self, x: Vec3) -> (f64, Vec3);

    /// Velocity \[m/s\] of the material of the obstacle at a point, zero at rest.
    fn velocity(&self, x: Vec3) -> Vec3;

    /// Whether a point lies outside by more than rounding could hide: what can be said of most points without a root or a quotient.
    /// Where it is not said, the distance decides.
    #[inline]
    fn is_clearly_outside(&self, _x: Vec3) -> bool {
        false
    }
}

impl Obstacle for Solid {
    #[inline]
    fn distance(&self, x: Vec3) -> (f64, Vec3) {
        Solid::distance(self, x)
    }

    #[inline]
    fn velocity(&self, _: Vec3) -> Vec3 {
        Vec3::zeros()
    }
}

/// A capsule that moves: a limb.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovingCapsule {
    /// An end of its axis \[m\] and its velocity \[m/s\].
    pub from: (Vec3, Vec3),
    /// The other end and its velocity.
    pub to: (Vec3, Vec3),
    /// Its radius \[m\], > 0.
    pub radius: f64,
}

impl MovingCapsule {
    /// Where it is.
    pub fn solid(&self) -> Solid {
        Solid::Capsule { from: self.from.0, to: self.to.0, radius: self.radius }
    }
}

impl Obstacle for MovingCapsule {
    #[inline]
    fn distance(&self, x: Vec3) -> (f64, Vec3) {
        self.solid().distance(x)
    }

    /// That of the point of the axis nearest to x, between those of the ends, and the turn of the axis about it,
    /// omega = d x d' / d² with d from end to end; without a spin about its own axis.
    fn velocity(&self, x: Vec3) -> Vec3 {
        let (d, rate) = (self.to.0 - self.from.0, self.to.1 - self.from.1);
        let s = along_segment(self.from.0, self.to.0, x);
        let square = d.norm_squared();
        let turn = if square > 0.0 { d.cross(&rate) / square } else { Vec3::zeros() };
        self.from.1 + s * rate + turn.cross(&(x - (self.from.0 + s * d)))
    }

    /// By the square of the distance to the axis, times that of its length beside it.
    #[inline]
    fn is_clearly_outside(&self, x: Vec3) -> bool {
        const ROUNDING: f64 = 1e-9; // far above what happens to squares and to what is left of their difference
        let (d, away) = (self.to.0 - self.from.0, x - self.from.0);
        let (along, length, reach) = (away.dot(&d), d.norm_squared(), self.radius * self.radius * (1.0 + ROUNDING));
        let beside = away.norm_squared() * length;
        if along <= 0.0 {
            away.norm_squared() > reach
        } else if along >= length {
            (x - self.to.0).norm_squared() > reach
        } else {
            beside * (1.0 - ROUNDING) - along * along > reach * length
        }
    }
}

/// Response to solids after a step: what is inside is moved to the surface, and what it lost of its motion along the normal brakes
/// it along the surface by Coulomb's law, both relative to the solid: the last of the velocity filters of \[Bridson 2002;
/// Goldenthal 2007, 4.4\].
#[derive(Clone, Debug, PartialEq)]
pub struct CollisionPass<S = Solid> {
    /// The solids; moving ones where they are at the end of the step.
    pub solids: Vec<S>,
    /// Friction along their surfaces.
    pub friction: Friction,
}

impl<S: Obstacle> CollisionPass<S> {
    /// Moves the particles of a step of `dt` \[s\] from `start` that are inside a solid, one solid after the other: positions `x`
    /// \[m\] and velocities `v` \[m/s\]. Held ones, whose inverse mass is zero, stay. Returns how many touched. All shapes
    /// \[particle_count\].
    pub fn apply(&self, dt: f64, inverse_masses: &[f64], start: &[Vec3], x: &mut [Vec3], v: &mut [Vec3]) -> u64 {
        let mut touched = 0;
        for i in 0..x.len() {
            if inverse_masses[i] == 0.0 {
                continue;
            }
            let before = x[i];
            for solid in &self.solids {
                if solid.is_clearly_outside(x[i]) {
                    continue;
                }
                let (distance, normal) = solid.distance(x[i]);
                if distance < 0.0 {
                    let way = x[i] - start[i] - dt * solid.velocity(x[i]);
                    let along = way - way.dot(&normal) * normal;
                    let kept = match along.norm() {
                        length if length > 0.0 => 1.0 - self.friction.against(length, -distance) / length, // 1 - mu |dv_n| / |v_t|
                        _ => 1.0,
                    };
                    x[i] += -distance * normal - (1.0 - kept) * along;
                }
            }
            if x[i] != before {
                v[i] += (x[i] - before) / dt;
                touched += 1;
            }
        }
        touched
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::contact::Coulomb;

    proptest! {
        #[test]
        fn what_is_clearly_outside_a_limb_is_at_a_distance_and_nearly_all_that_is_outside_is_so_clearly(
            ends in prop::array::uniform2([-1.0..1.0, -1.0..1.0, -1.0..1.0].prop_map(Vec3::from)),
            is_ball in any::<bool>(),
            radius in 0.01..0.5,
            x in [-1.5..1.5, -1.5..1.5, -1.5..1.5].prop_map(Vec3::from),
            off in -1e-8..1e-8,
        ) {
            let to = if is_ball { ends[0] } else { ends[1] };
            let limb = MovingCapsule { from: (ends[0], Vec3::zeros()), to: (to, Vec3::zeros()), radius };
            let (distance, normal) = limb.distance(x);
            for x in [x, x + (off - distance) * normal] {
                let (distance, _) = limb.distance(x);
                prop_assert!(distance > 0.0 || !limb.is_clearly_outside(x), "{distance}");
                prop_assert!(distance < 1e-6 || limb.is_clearly_outside(x), "{distance}");
            }
        }
    }

    #[test]
    fn a_particle_is_stopped_by_a_floor_and_braked_by_hand() {
        let floor = Solid::Plane { point: Vec3::zeros(), normal: Vec3::z() };
        let apply = |friction: Friction, inverse_mass: f64| {
            let (start, mut v) = ([Vec3::zeros()], [Vec3::new(2.0, 0.0, -1.0)]);
            let mut x = [start[0] + 0.1 * v[0]];
            let touched = CollisionPass { solids: vec![floor], friction }.apply(0.1, &[inverse_mass], &start, &mut x, &mut v);
            (touched, x[0], v[0])
        };
        let near = |a: Vec3, b: Vec3| (a - b).norm() < 1e-15;
        // it loses 1 m/s along the normal, so mu times that along the floor
        let (touched, x, v) = apply(Friction::even(0.5), 1.0);
        assert!(touched == 1 && near(x, 0.15 * Vec3::x()) && near(v, 1.5 * Vec3::x()), "{x} {v}");
        let (_, x, v) = apply(Friction::even(3.0), 1.0);
        assert!(near(x, Vec3::zeros()) && near(v, Vec3::zeros()), "it sticks");
        // and what static friction holds, though the motion would go on against kinetic friction
        let law = Friction::Coulomb(Coulomb { still: 2.0, sliding: 0.5, threshold: 0.0 });
        assert!(near(apply(law, 1.0).1, Vec3::zeros()), "it sticks by mu_s");
        assert_eq!(apply(Friction::even(0.5), 0.0).0, 0);
    }

    #[test]
    fn friction_acts_on_the_motion_relative_to_the_solid() {
        // a rod along y that moves along x and turns about z: 1 m/s at one end, 3 m/s at the other
        let rod = MovingCapsule { from: (Vec3::zeros(), Vec3::x()), to: (2.0 * Vec3::y(), 3.0 * Vec3::x()), radius: 0.5 };
        assert!((rod.velocity(Vec3::new(0.0, 1.0, 0.5)) - 2.0 * Vec3::x()).norm() < 1e-15);
        // omega = -1 about z: at x = 0.5 the side moves along -y
        assert!((rod.velocity(Vec3::new(0.5, 1.0, 0.0)) - Vec3::new(2.0, -0.5, 0.0)).norm() < 1e-15);
        let (start, mut v) = ([Vec3::new(0.0, 1.0, 0.5)], [Vec3::new(0.5, 0.0, -1.0)]);
        let mut x = [start[0] + 0.1 * v[0]];
        let pass = CollisionPass { solids: vec![rod], friction: Friction::Sticking };
        pass.apply(0.1, &[1.0], &start, &mut x, &mut v);
        // it sticks: what is left of its motion relative to the rod is along the normal where it met it
        let met = Vec3::new(0.05, 1.0, 0.4);
        let (_, normal) = rod.distance(met);
        let relative = v[0] - rod.velocity(met);
        assert!((relative - relative.dot(&normal) * normal).norm() < 1e-14 && rod.velocity(met).norm() > 1.9, "{relative}");
        assert!((x[0] - start[0] - 0.1 * v[0]).norm() < 1e-15);
        // where cloth and solid move as one there is nothing to brake
        let still = MovingCapsule { from: (Vec3::zeros(), Vec3::x()), to: (2.0 * Vec3::y(), Vec3::x()), radius: 0.5 };
        let (mut x, mut v) = ([start[0] + 0.1 * Vec3::new(1.0, 0.0, -1.0)], [Vec3::new(1.0, 0.0, -1.0)]);
        let mut along = CollisionPass { solids: vec![still], friction: Friction::even(0.9) };
        along.solids[0].from.0.x = 0.1;
        along.solids[0].to.0.x = 0.1;
        along.apply(0.1, &[1.0], &start, &mut x, &mut v);
        assert!((v[0] - Vec3::x()).norm() < 1e-14, "{}", v[0]);
    }

    #[test]
    fn what_is_outside_or_pinned_is_left_alone() {
        let ball = Solid::Sphere { centre: Vec3::zeros(), radius: 1.0 };
        let pass = CollisionPass { solids: vec![ball], friction: Friction::even(0.3) };
        let (mut x, mut v) = ([2.0 * Vec3::x(), 0.5 * Vec3::x()], [Vec3::y(); 2]);
        let touched = pass.apply(0.1, &[1.0, 0.0], &[Vec3::x(); 2], &mut x, &mut v);
        assert_eq!((touched, x, v), (0, [2.0 * Vec3::x(), 0.5 * Vec3::x()], [Vec3::y(); 2]));
    }
}
