use std::ops::Range;

use crate::adjoint::{Constant, Differentiable, Obstacle, Part};
use crate::{Elastic, ModelError, Net, NetSpring, SpringJacobian, System, Terms, Vec3};

impl Net {
    /// The springs of a family.
    fn springs_of(&self, part: Part) -> Range<usize> {
        let [stretch, shear] = self.ends;
        match part {
            Part::Stretch => 0..stretch,
            Part::Shear => stretch..shear,
            Part::Bend => shear..self.springs.len(),
            Part::Warp | Part::Weft => 0..0,
        }
    }

    /// Overwrites a constant of all springs of its family.
    fn set(&mut self, constant: Constant, value: f64) {
        let (part, place): (_, fn(&mut NetSpring) -> &mut f64) = match constant {
            Constant::Density => return,
            Constant::Air => {
                self.resistance = value;
                return;
            }
            Constant::Stiffness(part) => (part, |spring| &mut spring.elastic.stiffness),
            Constant::Damping(part) => (part, |spring| &mut spring.elastic.damping),
        };
        let springs = self.springs_of(part);
        self.springs[springs].iter_mut().for_each(|spring| *place(spring) = value);
    }
}

impl Differentiable for Net {
    fn obstacle(&self) -> Option<Obstacle> {
        self.drag.map(|_| Obstacle::Drag)
    }

    fn add_transposed(&self, x: &[Vec3], v: &[Vec3], q: &[Vec3], by_position: &mut [Vec3], by_velocity: &mut [Vec3]) {
        for (k, spring) in self.springs.iter().enumerate().filter(|(k, _)| self.acts(*k, x)) {
            let (i, j) = (spring.i, spring.j);
            let SpringJacobian { position, velocity } = self.jacobian(k, x, v, Terms::Exact);
            let apart = q[j] - q[i];
            let (position, velocity) = (position.tr_mul(&apart), velocity.tr_mul(&apart));
            by_position[i] += position;
            by_position[j] -= position;
            by_velocity[i] += velocity;
            by_velocity[j] -= velocity;
        }
        for ((by_velocity, q), m) in by_velocity.iter_mut().zip(q).zip(&self.masses) {
            *by_velocity -= (self.air * *m + self.resistance) * q;
        }
    }

    /// A net has masses, but no density.
    fn constant(&self, constant: Constant) -> Option<f64> {
        let (part, of): (_, fn(&NetSpring) -> f64) = match constant {
            Constant::Density => return None,
            Constant::Air => return Some(self.resistance),
            Constant::Stiffness(part) => (part, |spring| spring.elastic.stiffness),
            Constant::Damping(part) => (part, |spring| spring.elastic.damping),
        };
        let springs = &self.springs[self.springs_of(part)];
        let value = of(springs.first()?);
        springs.iter().all(|spring| of(spring) == value).then_some(value)
    }

    fn with_constant(&self, constant: Constant, value: f64) -> Result<Net, ModelError> {
        assert!(self.constant(constant).is_some(), "a constant of the net");
        crate::invalid::non_negative("a constant of the springs", value)?;
        let mut net = self.clone();
        net.set(constant, value);
        Ok(net)
    }

    fn unit(&self, constant: Constant) -> Result<Box<dyn System>, ModelError> {
        assert!(self.constant(constant).is_some(), "a constant of the net");
        let mut net = Net { gravity: Vec3::zeros(), air: 0.0, resistance: 0.0, drag: None, ..self.clone() };
        let none = Elastic { stiffness: 0.0, damping: 0.0 };
        net.springs.iter_mut().for_each(|spring| spring.elastic = none);
        net.set(constant, 1.0);
        Ok(Box::new(net))
    }
}
