use super::Solid;
use crate::Vec3;

/// Response to solids after a step: what is inside is moved to the surface, and what it lost of its motion along the normal brakes
/// it along the surface by Coulomb's law: the last of the velocity filters of \[Bridson 2002; Goldenthal 2007, 4.4\].
#[derive(Clone, Debug, PartialEq)]
pub struct CollisionPass {
    /// The solids.
    pub solids: Vec<Solid>,
    /// mu, friction \[-\], >= 0.
    pub friction: f64,
}

impl CollisionPass {
    /// Moves the particles of a step of `dt` \[s\] from `start` that are inside a solid, one solid after the other: positions `x` \[m\]
    /// and velocities `v` \[m/s\]. Held ones, whose inverse mass is zero, stay. Returns how many touched. All shapes \[particle_count\].
    pub fn apply(&self, dt: f64, inverse_masses: &[f64], start: &[Vec3], x: &mut [Vec3], v: &mut [Vec3]) -> u64 {
        let mut touched = 0;
        for i in 0..x.len() {
            if inverse_masses[i] == 0.0 {
                continue;
            }
            let before = x[i];
            for solid in &self.solids {
                let (distance, normal) = solid.distance(x[i]);
                if distance < 0.0 {
                    let way = x[i] - start[i];
                    let along = way - way.dot(&normal) * normal;
                    let kept = match along.norm() {
                        length if length > 0.0 => (1.0 + self.friction * distance / length).max(0.0), // 1 - mu |dv_n| / |v_t|
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
    use super::*;

    #[test]
    fn a_particle_is_stopped_by_a_floor_and_braked_by_hand() {
        let floor = Solid::Plane { point: Vec3::zeros(), normal: Vec3::z() };
        let apply = |friction: f64, inverse_mass: f64| {
            let (start, mut v) = ([Vec3::zeros()], [Vec3::new(2.0, 0.0, -1.0)]);
            let mut x = [start[0] + 0.1 * v[0]];
            let touched = CollisionPass { solids: vec![floor], friction }.apply(0.1, &[inverse_mass], &start, &mut x, &mut v);
            (touched, x[0], v[0])
        };
        let near = |a: Vec3, b: Vec3| (a - b).norm() < 1e-15;
        // it loses 1 m/s along the normal, so mu times that along the floor
        let (touched, x, v) = apply(0.5, 1.0);
        assert!(touched == 1 && near(x, 0.15 * Vec3::x()) && near(v, 1.5 * Vec3::x()), "{x} {v}");
        let (_, x, v) = apply(3.0, 1.0);
        assert!(near(x, Vec3::zeros()) && near(v, Vec3::zeros()), "it sticks");
        assert_eq!(apply(0.5, 0.0).0, 0);
    }

    #[test]
    fn what_is_outside_or_pinned_is_left_alone() {
        let ball = Solid::Sphere { centre: Vec3::zeros(), radius: 1.0 };
        let pass = CollisionPass { solids: vec![ball], friction: 0.3 };
        let (mut x, mut v) = ([2.0 * Vec3::x(), 0.5 * Vec3::x()], [Vec3::y(); 2]);
        let touched = pass.apply(0.1, &[1.0, 0.0], &[Vec3::x(); 2], &mut x, &mut v);
        assert_eq!((touched, x, v), (0, [2.0 * Vec3::x(), 0.5 * Vec3::x()], [Vec3::y(); 2]));
    }
}
