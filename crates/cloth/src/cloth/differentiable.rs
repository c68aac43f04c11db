use crate::adjoint::{Constant, Differentiable, Obstacle, Part};
use crate::{Cloth, Elastic, Material, ModelError, SpringJacobian, System, Terms, Vec3};

impl Material {
    /// Where a constant is; none for one of other materials.
    fn constant_mut(&mut self, constant: Constant) -> Option<&mut f64> {
        match constant {
            Constant::Density => Some(&mut self.density),
            Constant::Air => Some(&mut self.air),
            Constant::Stiffness(Part::Stretch) => Some(&mut self.stretch.stiffness),
            Constant::Damping(Part::Stretch) => Some(&mut self.stretch.damping),
            Constant::Stiffness(Part::Shear) => Some(&mut self.shear.stiffness),
            Constant::Damping(Part::Shear) => Some(&mut self.shear.damping),
            Constant::Stiffness(Part::Bend) if self.rigidity.is_none() => Some(&mut self.bend),
            Constant::Stiffness(_) | Constant::Damping(_) => None,
        }
    }
}

impl Cloth {
    /// Of another material, with its pins.
    fn made_of(&self, material: Material) -> Result<Cloth, ModelError> {
        let cloth = Cloth::new(self.grid, material, &[])?;
        Ok(Cloth { pinned: self.pinned.clone(), ..cloth })
    }
}

impl Differentiable for Cloth {
    fn obstacle(&self) -> Option<Obstacle> {
        self.material.drag.map(|_| Obstacle::Drag)
    }

    fn add_transposed(&self, x: &[Vec3], v: &[Vec3], q: &[Vec3], by_position: &mut [Vec3], by_velocity: &mut [Vec3]) {
        for spring in &self.springs {
            let (i, j) = (spring.i, spring.j);
            let SpringJacobian { position, velocity } = self.spring_jacobian(spring, x, v, Terms::Exact);
            let apart = q[j] - q[i];
            let (position, velocity) = (position.tr_mul(&apart), velocity.tr_mul(&apart));
            by_position[i] += position;
            by_position[j] -= position;
            by_velocity[i] += velocity;
            by_velocity[j] -= velocity;
        }
        self.flexure.add_transposed(x, v, q, by_position, by_velocity);
        by_velocity.iter_mut().zip(q).for_each(|(by_velocity, q)| *by_velocity -= self.material.air * q);
    }

    fn constant(&self, constant: Constant) -> Option<f64> {
        let mut material = self.material;
        material.constant_mut(constant).copied()
    }

    fn with_constant(&self, constant: Constant, value: f64) -> Result<Cloth, ModelError> {
        let mut material = self.material;
        *material.constant_mut(constant).expect("a constant of the material") = value;
        self.made_of(material)
    }

    fn unit(&self, constant: Constant) -> Result<Box<dyn System>, ModelError> {
        let none = Elastic { stiffness: 0.0, damping: 0.0 };
        let mut material =
            Material { stretch: none, shear: none, bend: 0.0, rigidity: None, air: 0.0, drag: None, ..self.material };
        if constant != Constant::Density {
            material.gravity = Vec3::zeros();
        }
        *material.constant_mut(constant).expect("a constant of the material") = 1.0;
        Ok(Box::new(self.made_of(material)?))
    }
}
