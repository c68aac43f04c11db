use std::collections::BTreeMap;

use super::super::pose::rotated;
use super::CollisionError;
use super::row::Row;
use crate::Vec3;

/// Impact zones: particles that move as one rigid body for the rest of a step \[Provot 1997; Bridson, Fedkiw & Anderson 2002,
/// 7.3\].
#[derive(Clone, Debug, Default)]
pub(super) struct Zones {
    /// The zone of each particle that is in one, by a number that is the least of its particles.
    zone: BTreeMap<usize, usize>,
    /// Ways of solids that zones touch \[m\], by zone.
    solids: Vec<(usize, Vec3)>,
}

/// Mass, momentum and angular momentum of a zone, or the way that what is held in it goes.
struct Body {
    centre: Vec3,
    /// Motion of the centre.
    way: Vec3,
    /// Turn, as a vector.
    turn: Vec3,
}

impl Zones {
    pub fn clear(&mut self) {
        self.zone.clear();
        self.solids.clear();
    }

    pub fn particle_count(&self) -> usize {
        self.zone.len()
    }

    /// All particles of zones.
    pub fn particles(&self) -> impl Iterator<Item = usize> + '_ {
        self.zone.keys().copied()
    }

    /// Makes one zone of the particles of a row and the zones that they are in.
    pub fn join(&mut self, row: &Row) {
        let members = row.particles.map(|particle| particle as usize);
        let zone_of = |zones: &Zones, particle: usize| zones.zone.get(&particle).copied().unwrap_or(particle);
        let into = members.iter().map(|&particle| zone_of(self, particle)).fold(usize::MAX, usize::min);
        for particle in members {
            let former = zone_of(self, particle);
            self.zone.values_mut().filter(|zone| **zone == former).for_each(|zone| *zone = into);
            self.solids.iter_mut().filter(|(zone, _)| *zone == former).for_each(|(zone, _)| *zone = into);
            self.zone.insert(particle, into);
        }
        if row.is_of_solid() {
            self.solids.push((into, row.body));
        }
    }

    /// Particles by zone.
    fn members(&self) -> BTreeMap<usize, Vec<usize>> {
        let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        self.zone.iter().for_each(|(&particle, &zone)| members.entry(zone).or_default().push(particle));
        members
    }

    /// Changes the motion of all zones to rigid ones with the same momentum and, where nothing in them is held, angular momentum.
    pub fn move_rigidly(&self, inverse_masses: &[f64], start: &[Vec3], motion: &mut [Vec3]) -> Result<(), CollisionError> {
        for (zone, members) in self.members() {
            let ways = members.iter().filter(|&&i| inverse_masses[i] == 0.0).map(|&i| motion[i]);
            let ways: Vec<Vec3> = ways.chain(self.solids.iter().filter(|(of, _)| *of == zone).map(|(_, way)| *way)).collect();
            if let Some(&way) = ways.first() {
                let size = way.amax();
                if ways.iter().any(|other| (other - way).amax() > 1e-9 * size) {
                    return Err(CollisionError::Pinched { particle: members[0] });
                }
                members.iter().filter(|&&i| inverse_masses[i] > 0.0).for_each(|&i| motion[i] = way);
                continue;
            }
            let Body { centre, way, turn } = body(&members, inverse_masses, start, motion);
            let angle = turn.norm();
            let axis = if angle > 0.0 { turn / angle } else { Vec3::z() };
            let (sin, cos) = libm::sincos(angle);
            for &i in &members {
                let arm = start[i] - centre;
                motion[i] = way + rotated(arm, axis, sin, cos) - arm;
            }
        }
        Ok(())
    }

    /// Changes velocities \[m/s\] in all zones to those of rigid bodies at places x \[m\], with the same momentum and angular
    /// momentum; where something is held, to those of the motion over `dt` \[s\]. What is held does work on the others \[J\]: it is
    /// returned.
    pub fn slow(&self, inverse_masses: &[f64], x: &[Vec3], dt: f64, motion: &[Vec3], velocities: &mut [Vec3]) -> f64 {
        let mut work = 0.0;
        for (zone, members) in self.members() {
            let is_held = members.iter().any(|&i| inverse_masses[i] == 0.0) || self.solids.iter().any(|(of, _)| *of == zone);
            if is_held {
                for &i in members.iter().filter(|&&i| inverse_masses[i] > 0.0) {
                    let v = motion[i] / dt;
                    work += (v - velocities[i]).dot(&v) / inverse_masses[i];
                    velocities[i] = v;
                }
                continue;
            }
            let Body { centre, way, turn } = body(&members, inverse_masses, x, velocities);
            members.iter().for_each(|&i| velocities[i] = way + turn.cross(&(x[i] - centre)));
        }
        work
    }
}

/// The rigid body with the momentum and the angular momentum of free particles at places x \[m\]. What lies on a line does not
/// turn.
fn body(members: &[usize], inverse_masses: &[f64], x: &[Vec3], motion: &[Vec3]) -> Body {
    let mass = |i: usize| 1.0 / inverse_masses[i];
    let total: f64 = members.iter().map(|&i| mass(i)).sum();
    let mean = |of: &[Vec3]| members.iter().map(|&i| mass(i) * of[i]).sum::<Vec3>() / total;
    let (centre, way) = (mean(x), mean(motion));
    let (mut inertia, mut momentum) = (nalgebra::Matrix3::zeros(), Vec3::zeros());
    for &i in members {
        let arm = x[i] - centre;
        inertia += mass(i) * (arm.norm_squared() * nalgebra::Matrix3::identity() - arm * arm.transpose());
        momentum += mass(i) * arm.cross(&(motion[i] - way));
    }
    let size = inertia.trace();
    let least = 1e-9 * size * size * size;
    let turn = if inertia.determinant() > least {
        inertia.try_inverse().map_or_else(Vec3::zeros, |inverse| inverse * momentum)
    } else {
        Vec3::zeros()
    };
    Body { centre, way, turn }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::Friction;

    fn row(particles: [u32; 4], inverse_masses: &[f64]) -> Row {
        Row::new(particles, [0.5, 0.5, -0.5, -0.5], Vec3::z(), Friction::even(0.0), inverse_masses)
    }

    #[test]
    fn a_zone_keeps_its_momenta() {
        let inverse_masses = [1.0, 0.5, 2.0, 1.0, 0.25, 1.0];
        let at = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
        let x =
            [at(0.0, 0.0, 0.0), at(1.0, 0.1, 0.0), at(0.2, 1.0, 0.3), at(0.1, 0.4, 1.0), at(-0.5, 0.3, 0.2), at(7.0, 7.0, 7.0)];
        let mut motion = [0.01, -0.02, 0.005, 0.03, 0.015, 0.5].map(|q| at(q, 2.0 * q, -q));
        motion[2] = at(0.0, -0.03, 0.01);
        let (before, aside) = (motion, motion[5]);
        let mut zones = Zones::default();
        zones.join(&row([0, 1, 2, 3], &inverse_masses));
        zones.join(&row([4, 3, 2, 1], &inverse_masses));
        assert_eq!((zones.particle_count(), zones.members().len()), (5, 1));
        let mut velocities = motion;
        zones.move_rigidly(&inverse_masses, &x, &mut motion).unwrap();
        zones.slow(&inverse_masses, &x, 0.1, &motion, &mut velocities);
        let momentum = |of: &[Vec3]| (0..5).map(|i| of[i] / inverse_masses[i]).sum::<Vec3>();
        let angular = |of: &[Vec3]| (0..5).map(|i| x[i].cross(&of[i]) / inverse_masses[i]).sum::<Vec3>();
        let energy = |of: &[Vec3]| (0..5).map(|i| of[i].norm_squared() / inverse_masses[i]).sum::<f64>();
        assert!((momentum(&motion) - momentum(&before)).norm() < 1e-15 && motion[5] == aside);
        assert!((momentum(&velocities) - momentum(&before)).norm() < 1e-15);
        assert!((angular(&velocities) - angular(&before)).norm() < 1e-15);
        assert!(energy(&velocities) < energy(&before));
        for (i, j) in [(0, 1), (0, 2), (1, 3), (2, 4)] {
            let length = |of: &[Vec3]| (x[i] + of[i] - x[j] - of[j]).norm();
            assert!((length(&motion) - (x[i] - x[j]).norm()).abs() < 1e-15, "{i} {j}");
        }
    }

    #[test]
    fn a_zone_goes_with_what_is_held_in_it_or_is_pinched() {
        let inverse_masses = [1.0, 0.0, 0.0, 1.0];
        let x = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
        let mut zones = Zones::default();
        zones.join(&row([0, 1, 2, 3], &inverse_masses));
        let up = 0.1 * Vec3::z();
        let mut motion = [Vec3::x(), up, up, Vec3::y()];
        zones.move_rigidly(&inverse_masses, &x, &mut motion).unwrap();
        assert_eq!(motion, [up; 4]);
        motion[2] = Vec3::zeros();
        assert_eq!(zones.move_rigidly(&inverse_masses, &x, &mut motion), Err(CollisionError::Pinched { particle: 0 }));
    }
}
