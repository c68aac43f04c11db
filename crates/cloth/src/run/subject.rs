use std::collections::HashSet;

use super::Model;
use crate::triangles::{Fabric, SpringMaterial, TriangleCloth, TriangleMesh};
use crate::{Cloth, Elastic, Grid, Material, ModelError, Pin, System, Vec3};

/// A mesh, what it is made of, and the particles that are held: all that a [`Model`] is made from, and made from anew when cloth
/// tears or pins let go. `Mesh` is the mesh of triangles, or what stands for one that is still to be read.
#[derive(Clone, Debug, PartialEq)]
pub enum MeshAndMaterial<Mesh = TriangleMesh> {
    /// Springs on a grid.
    Sheet(Sheet),
    /// Triangles.
    Triangles(Triangles<Mesh>),
}

/// A sheet of springs on a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// Its mesh.
    pub grid: Grid,
    /// What it is made of and what acts on it.
    pub material: Material,
    /// The particles that are held.
    pub pins: Vec<Pin>,
}

/// Cloth of triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct Triangles<Mesh = TriangleMesh> {
    /// Its mesh.
    pub mesh: Mesh,
    /// What it is made of and what acts on it.
    pub material: TriangleMaterial,
    /// The particles that are held, by their indices.
    pub pins: Vec<usize>,
}

/// What triangles are made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TriangleMaterial {
    /// Springs along the edges and across them, under gravity.
    Springs {
        /// The springs and the mass.
        springs: SpringMaterial,
        /// Gravity \[m/s²\].
        gravity: Vec3,
    },
    /// Stretch, shear and bending of its triangles.
    Continuum(Fabric),
}

impl MeshAndMaterial {
    /// The cloth itself.
    ///
    /// # Errors
    /// A pin outside the mesh, a quantity outside its range.
    pub fn model(&self) -> Result<Model, ModelError> {
        match self {
            MeshAndMaterial::Sheet(Sheet { grid, material, pins }) => Ok(Model::Grid(Cloth::new(*grid, *material, pins)?)),
            MeshAndMaterial::Triangles(Triangles { mesh, material, pins }) => match material {
                TriangleMaterial::Springs { springs, gravity } => {
                    let mut net = mesh.springs(springs, pins)?;
                    net.gravity = *gravity;
                    Ok(Model::Springs(net, mesh.clone()))
                }
                TriangleMaterial::Continuum(fabric) => Ok(Model::Continuum(TriangleCloth::new(mesh.clone(), *fabric, pins)?)),
            },
        }
    }

    /// Whether it is made of triangles.
    pub fn is_triangles(&self) -> bool {
        matches!(self, MeshAndMaterial::Triangles(_))
    }

    /// Whether it is made of springs along the edges of triangles.
    pub fn is_woven(&self) -> bool {
        matches!(self, MeshAndMaterial::Triangles(Triangles { material: TriangleMaterial::Springs { .. }, .. }))
    }
}

impl<Mesh> MeshAndMaterial<Mesh> {
    /// The same with the mesh that `read` makes of what stands for it.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn with_mesh<Other, E>(&self, read: impl FnOnce(&Mesh) -> Result<Other, E>) -> Result<MeshAndMaterial<Other>, E> {
        Ok(match self {
            MeshAndMaterial::Sheet(sheet) => MeshAndMaterial::Sheet(sheet.clone()),
            MeshAndMaterial::Triangles(Triangles { mesh, material, pins }) => {
                MeshAndMaterial::Triangles(Triangles { mesh: read(mesh)?, material: *material, pins: pins.clone() })
            }
        })
    }

    /// The particle of a pin.
    ///
    /// # Errors
    /// A pin outside the mesh, or one by column and row on triangles.
    pub fn particle(&self, pin: Pin) -> Result<usize, ModelError> {
        match (self, pin) {
            (MeshAndMaterial::Sheet(sheet), pin) => sheet.grid.pinned(pin),
            (MeshAndMaterial::Triangles(_), Pin::Index(particle)) => Ok(particle),
            (MeshAndMaterial::Triangles(_), Pin::At(i, j)) => Err(ModelError::PinByRow { i, j }),
        }
    }

    /// The particles that are held.
    pub fn held(&self) -> HashSet<usize> {
        match self {
            MeshAndMaterial::Sheet(Sheet { grid, pins, .. }) => pins.iter().filter_map(|&pin| grid.pinned(pin).ok()).collect(),
            MeshAndMaterial::Triangles(Triangles { pins, .. }) => pins.iter().copied().collect(),
        }
    }

    /// Whether all of its dampers have a potential: see [`System::potential`](crate::System::potential).
    pub fn has_potential(&self) -> bool {
        match self {
            MeshAndMaterial::Sheet(sheet) => sheet.material.has_potential(),
            MeshAndMaterial::Triangles(Triangles { material: TriangleMaterial::Springs { springs, .. }, .. }) => {
                springs.has_potential()
            }
            MeshAndMaterial::Triangles(Triangles { material: TriangleMaterial::Continuum(fabric), .. }) => !fabric.is_damped(),
        }
    }

    /// Takes away what resists stretch: a constraint method stands in its place.
    pub fn keep_edges(&mut self) {
        const NONE: Elastic = Elastic { stiffness: 0.0, damping: 0.0 };
        match self {
            MeshAndMaterial::Sheet(sheet) => sheet.material.stretch = NONE,
            MeshAndMaterial::Triangles(Triangles { material, .. }) => match material {
                TriangleMaterial::Springs { springs, .. } => springs.stretch = NONE,
                TriangleMaterial::Continuum(fabric) => (fabric.warp, fabric.weft) = (NONE, NONE),
            },
        }
    }

    /// ks against stretch \[N/m\], the larger of warp and weft.
    pub fn stretch_stiffness(&self) -> f64 {
        match self {
            MeshAndMaterial::Sheet(sheet) => sheet.material.stretch.stiffness,
            MeshAndMaterial::Triangles(Triangles { material: TriangleMaterial::Springs { springs, .. }, .. }) => {
                springs.stretch.stiffness
            }
            MeshAndMaterial::Triangles(Triangles { material: TriangleMaterial::Continuum(fabric), .. }) => {
                fabric.warp.stiffness.max(fabric.weft.stiffness)
            }
        }
    }

    /// Lets go of some of the particles that are held.
    pub fn release(&mut self, particles: &[usize]) {
        match self {
            MeshAndMaterial::Sheet(Sheet { grid, pins, .. }) => {
                pins.retain(|&pin| grid.pinned(pin).is_ok_and(|particle| !particles.contains(&particle)));
            }
            MeshAndMaterial::Triangles(Triangles { pins, .. }) => pins.retain(|particle| !particles.contains(particle)),
        }
    }
}

impl From<Sheet> for MeshAndMaterial {
    fn from(sheet: Sheet) -> MeshAndMaterial {
        MeshAndMaterial::Sheet(sheet)
    }
}

impl From<Triangles> for MeshAndMaterial {
    fn from(triangles: Triangles) -> MeshAndMaterial {
        MeshAndMaterial::Triangles(triangles)
    }
}

/// The indices of the particles that are held.
fn held(pinned: &[bool]) -> impl Iterator<Item = usize> {
    pinned.iter().enumerate().filter_map(|(particle, pinned)| pinned.then_some(particle))
}

impl From<Cloth> for MeshAndMaterial {
    fn from(cloth: Cloth) -> MeshAndMaterial {
        let pins = held(cloth.pinned()).map(Pin::Index).collect();
        MeshAndMaterial::Sheet(Sheet { grid: *cloth.grid(), material: *cloth.material(), pins })
    }
}

impl From<TriangleCloth> for MeshAndMaterial {
    fn from(cloth: TriangleCloth) -> MeshAndMaterial {
        let pins = held(cloth.pinned()).collect();
        let material = TriangleMaterial::Continuum(*cloth.material());
        MeshAndMaterial::Triangles(Triangles { mesh: cloth.mesh().clone(), material, pins })
    }
}
