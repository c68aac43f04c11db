use crate::Vec3;
use crate::contact::Friction;

/// What a contact asks of the motion of its particles: that two points of them do not come nearer along a normal than allowed, and
/// that friction brakes them along it.
///
/// Its impulses are those of projected Gauss-Seidel: of one contact at a time, added up, never pulling. For a motion u and one
/// contact they are the solution of n · (sum of w_i u_i - b) >= least with the least change of kinetic energy, and Coulomb's law
/// beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Row {
    /// Up to four particles; those of weight zero do not matter.
    pub particles: [u32; 4],
    /// Weights w \[-\]: those of the first point sum to 1, those of the second one, where it is of particles, to -1.
    pub weights: [f64; 4],
    /// n, a unit vector from the second point to the first.
    pub normal: Vec3,
    /// b, the way of the second point over the step where it belongs to a solid \[m\].
    pub body: Vec3,
    /// The way of the next step less that one \[m\].
    pub gain: Vec3,
    /// Friction that brakes its points beside each other.
    pub friction: Friction,
    /// How far the points are to move apart along the normal at least over the step \[m\]; below zero where there is room.
    pub least: f64,
    /// 1 / sum of w² / m \[kg\]; infinite where nothing gives way.
    pub mass: f64,
}

/// Impulses of a contact, in units of mass times motion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Impulse {
    /// Along the normal, >= 0.
    pub normal: f64,
    /// Across it.
    pub along: Vec3,
}

impl Row {
    /// Of particles with `inverse_masses` \[1/kg\].
    pub fn new(particles: [u32; 4], weights: [f64; 4], normal: Vec3, friction: Friction, inverse_masses: &[f64]) -> Row {
        let gives = particles.iter().zip(weights).map(|(&i, w)| w * w * inverse_masses[i as usize]).sum::<f64>();
        Row { particles, weights, normal, body: Vec3::zeros(), gain: Vec3::zeros(), friction, least: 0.0, mass: 1.0 / gives }
    }

    /// Whether any of its particles is free.
    pub fn gives_way(&self) -> bool {
        self.mass.is_finite()
    }

    /// True of cloth and a solid; two points of meshes have four particles.
    pub fn is_of_solid(&self) -> bool {
        self.particles[2] == self.particles[3]
    }

    /// From its second point to the first one \[m\], with particles at x \[m\].
    #[inline]
    pub fn between(&self, x: &[Vec3]) -> Vec3 {
        let mut sum = Vec3::zeros();
        for (w, x) in self.weights.into_iter().zip(self.particles.map(|i| x[i as usize])) {
            sum += w * x;
        }
        sum
    }

    /// The motion of its first point against that of its second one, in the unit of `motion`; `body` is that of a solid.
    #[inline]
    fn relative(&self, motion: &[Vec3], body: Vec3) -> Vec3 {
        self.between(motion) - body
    }

    /// How much farther apart than it asks for its points come in a motion \[m\].
    pub fn room(&self, motion: &[Vec3]) -> f64 {
        self.normal.dot(&self.relative(motion, self.body)) - self.least
    }

    #[inline]
    fn push(&self, impulse: Vec3, inverse_masses: &[f64], motion: &mut [Vec3]) {
        for (&i, w) in self.particles.iter().zip(self.weights) {
            motion[i as usize] += w * inverse_masses[i as usize] * impulse;
        }
    }

    /// Work of an impulse by what moves by itself, a solid of that motion and particles that are held, in units of the impulse by the
    /// motion.
    pub fn work(&self, impulse: &Impulse, body: Vec3, motion: &[Vec3], inverse_masses: &[f64]) -> f64 {
        let held = self.particles.iter().zip(self.weights).filter(|(i, _)| inverse_masses[**i as usize] == 0.0);
        let way = held.fold(body, |way, (&i, w)| way - w * motion[i as usize]);
        (impulse.normal * self.normal + impulse.along).dot(&way)
    }

    /// Changes the impulse along the normal so that the points move apart by `least`, and returns the change of their motion.
    pub fn solve(&self, impulse: &mut Impulse, motion: &mut [Vec3], inverse_masses: &[f64], least: f64, body: Vec3) -> f64 {
        let short = least - self.normal.dot(&self.relative(motion, body));
        let wanted = (impulse.normal + self.mass * short).max(0.0);
        let change = wanted - impulse.normal;
        if change != 0.0 {
            impulse.normal = wanted;
            self.push(change * self.normal, inverse_masses, motion);
        }
        change.abs() / self.mass
    }

    /// Changes the impulse across the normal so that the points stay beside each other, as far as friction can hold them by the
    /// impulse along the normal, and returns the change of their motion.
    pub fn brake(&self, impulse: &mut Impulse, motion: &mut [Vec3], inverse_masses: &[f64], body: Vec3) -> f64 {
        if impulse.normal <= 0.0 && impulse.along == Vec3::zeros() {
            return 0.0; // nothing holds them, and nothing did
        }
        let relative = self.relative(motion, body);
        let along = relative - self.normal.dot(&relative) * self.normal;
        let mut wanted = impulse.along - self.mass * along;
        let size = wanted.norm();
        let most = self.friction.against(size, impulse.normal);
        if size > most {
            wanted *= most / size;
        }
        let change = wanted - impulse.along;
        if change != Vec3::zeros() {
            impulse.along = wanted;
            self.push(change, inverse_masses, motion);
        }
        change.norm() / self.mass
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A vertex of 1 kg over the middle of a face of 3 kg.
    fn over_a_face(friction: Friction) -> (Row, [f64; 4]) {
        let inverse_masses = [1.0, 1.0, 1.0, 1.0];
        let third = -1.0 / 3.0;
        (Row::new([0, 1, 2, 3], [1.0, third, third, third], Vec3::z(), friction, &inverse_masses), inverse_masses)
    }

    #[test]
    fn an_impulse_by_hand() {
        let (row, inverse_masses) = over_a_face(Friction::even(0.0));
        let mut motion = [Vec3::new(0.0, 0.0, -4.0), Vec3::zeros(), Vec3::zeros(), Vec3::zeros()];
        let mut impulse = Impulse::default();
        // 1 / (1 + 3/9) = 3/4 kg: an impulse of 3 stops the fall of 4 against the face, all go on with -1
        assert!((row.solve(&mut impulse, &mut motion, &inverse_masses, 0.0, Vec3::zeros()) - 4.0).abs() < 1e-15);
        assert!((impulse.normal - 3.0).abs() < 1e-15);
        assert!(motion.iter().all(|u| (u - Vec3::new(0.0, 0.0, -1.0)).norm() < 1e-15), "{motion:?}");
        assert_eq!(row.solve(&mut impulse, &mut motion, &inverse_masses, -9.0, Vec3::zeros()), 4.0, "all of it is taken back");
        assert_eq!((impulse.normal, motion[0].z), (0.0, -4.0));
    }

    #[test]
    fn friction_holds_up_to_its_share_and_brakes_beyond() {
        for (friction, expected) in [(2.0, 0.0), (0.25, 4.0 - 0.25 * 3.0 / 0.75)] {
            let (row, inverse_masses) = over_a_face(Friction::even(friction));
            let mut motion = [Vec3::new(4.0, 0.0, -4.0), Vec3::zeros(), Vec3::zeros(), Vec3::zeros()];
            let mut impulse = Impulse::default();
            row.solve(&mut impulse, &mut motion, &inverse_masses, 0.0, Vec3::zeros());
            row.brake(&mut impulse, &mut motion, &inverse_masses, Vec3::zeros());
            let apart = row.relative(&motion, Vec3::zeros());
            assert!((apart - Vec3::new(expected, 0.0, 0.0)).norm() < 1e-14, "{friction}: {apart}");
            assert!((motion.iter().sum::<Vec3>() - Vec3::new(4.0, 0.0, -4.0)).norm() < 1e-14, "momentum");
        }
    }

    #[test]
    fn what_always_sticks_does_so_only_where_something_presses() {
        let (row, inverse_masses) = over_a_face(Friction::Sticking);
        for (falls, sticks) in [(4.0, true), (0.0, false)] {
            let mut motion = [Vec3::new(4.0, 0.0, -falls), Vec3::zeros(), Vec3::zeros(), Vec3::zeros()];
            let mut impulse = Impulse::default();
            row.solve(&mut impulse, &mut motion, &inverse_masses, 0.0, Vec3::zeros());
            row.brake(&mut impulse, &mut motion, &inverse_masses, Vec3::zeros());
            assert_eq!(row.relative(&motion, Vec3::zeros()).norm() < 1e-14, sticks, "{motion:?}");
        }
    }

    #[test]
    fn what_is_held_takes_no_impulse() {
        let inverse_masses = [1.0, 0.0, 0.0, 0.0];
        let row = Row::new([0, 1, 2, 3], [1.0, -0.5, -0.5, 0.0], Vec3::z(), Friction::even(0.0), &inverse_masses);
        let mut motion = [Vec3::new(0.0, 0.0, -4.0), Vec3::zeros(), Vec3::zeros(), Vec3::zeros()];
        row.solve(&mut Impulse::default(), &mut motion, &inverse_masses, 0.5, Vec3::zeros());
        assert_eq!(motion, [Vec3::new(0.0, 0.0, 0.5), Vec3::zeros(), Vec3::zeros(), Vec3::zeros()]);
        assert!(!Row::new([1, 2, 3, 3], [1.0, -0.5, -0.5, 0.0], Vec3::z(), Friction::even(0.0), &inverse_masses).gives_way());
    }
}
