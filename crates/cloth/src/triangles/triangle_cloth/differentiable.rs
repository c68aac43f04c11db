use super::TriangleCloth;
use crate::adjoint::{Constant, Differentiable, Obstacle, Part};
use crate::triangles::{Bend, Fabric};
use crate::{Elastic, ModelError, System, Vec3};

impl Fabric {
    /// Where a constant is; none for one of other materials.
    fn constant_mut(&mut self, constant: Constant) -> Option<&mut f64> {
        match constant {
            Constant::Density => Some(&mut self.density),
            Constant::Air => Some(&mut self.air),
            Constant::Stiffness(Part::Warp) => Some(&mut self.warp.stiffness),
            Constant::Damping(Part::Warp) => Some(&mut self.warp.damping),
            Constant::Stiffness(Part::Weft) => Some(&mut self.weft.stiffness),
            Constant::Damping(Part::Weft) => Some(&mut self.weft.damping),
            Constant::Stiffness(Part::Shear) => Some(&mut self.shear.stiffness),
            Constant::Damping(Part::Shear) => Some(&mut self.shear.damping),
            Constant::Stiffness(Part::Bend) => Some(&mut self.bend.stiffness),
            Constant::Damping(Part::Bend) => Some(&mut self.bend.damping),
            Constant::Stiffness(Part::Stretch) | Constant::Damping(Part::Stretch) => None,
        }
    }
}

impl TriangleCloth {
    /// Of another material, with its pins.
    fn made_of(&self, material: Fabric) -> Result<TriangleCloth, ModelError> {
        let cloth = TriangleCloth::new(self.mesh.clone(), material, &[])?;
        Ok(TriangleCloth { pinned: self.pinned.clone(), ..cloth })
    }
}

impl Differentiable for TriangleCloth {
    fn obstacle(&self) -> Option<Obstacle> {
        self.material.drag.map(|_| Obstacle::Drag)
    }

    fn add_transposed(&self, x: &[Vec3], v: &[Vec3], q: &[Vec3], by_position: &mut [Vec3], by_velocity: &mut [Vec3]) {
        for membrane in &self.elements.membranes {
            membrane.add_transposed(&self.material, x, v, q, by_position, by_velocity);
        }
        for fold in self.elements.folds.iter().filter(|_| self.material.bends()) {
            fold.add_transposed(self.material.bend, x, v, q, by_position, by_velocity);
        }
        self.flexure.add_transposed(x, v, q, by_position, by_velocity);
        by_velocity.iter_mut().zip(q).for_each(|(by_velocity, q)| *by_velocity -= self.material.air * q);
    }

    fn constant(&self, constant: Constant) -> Option<f64> {
        let mut material = self.material;
        material.constant_mut(constant).copied()
    }

    fn with_constant(&self, constant: Constant, value: f64) -> Result<TriangleCloth, ModelError> {
        let mut material = self.material;
        *material.constant_mut(constant).expect("a constant of the material") = value;
        self.made_of(material)
    }

    fn unit(&self, constant: Constant) -> Result<Box<dyn System>, ModelError> {
        let none = Elastic { stiffness: 0.0, damping: 0.0 };
        let bend = Bend { stiffness: 0.0, damping: 0.0 };
        let mut material = Fabric { warp: none, weft: none, shear: none, bend, air: 0.0, drag: None, ..self.material };
        if constant != Constant::Density {
            material.gravity = Vec3::zeros();
        }
        *material.constant_mut(constant).expect("a constant of the material") = 1.0;
        Ok(Box::new(self.made_of(material)?))
    }
}
