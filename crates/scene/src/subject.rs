//! What a scene's cloth is: springs on a grid, or triangles.

use std::collections::HashSet;

use super::{NamedFile, Reading};
use crate::Model;
use cloth::triangles::{Fabric, SpringMaterial, Triangle, TriangleCloth, TriangleMesh};
use cloth::{Cloth, Elastic, Grid, Invalid, Material, Pin, Vec3};

/// What a scene simulates.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// Springs on a grid.
    Sheet(Sheet),
    /// Triangles.
    Triangles(Triangles),
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
pub struct Triangles {
    /// Its mesh.
    pub mesh: MeshSource,
    /// What it is made of and what acts on it.
    pub material: TriangleMaterial,
    /// The particles that are held, by their indices.
    pub pins: Vec<usize>,
}

/// Where a mesh of triangles comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum MeshSource {
    /// From an OBJ file that is still to be read: see [`Scene::parse_on`](super::Scene::parse_on).
    Obj(ObjFile),
    /// It is here.
    Mesh(TriangleMesh),
}

/// An OBJ file that holds a scene's mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjFile {
    /// Its name.
    pub file: NamedFile,
    /// The way from its coordinates to those of the scene.
    pub reading: Reading,
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

impl Subject {
    /// The cloth itself.
    ///
    /// # Errors
    /// A mesh that is still to be read, a pin outside the mesh, a quantity outside its range.
    pub(super) fn model(&self) -> Result<Model, Invalid> {
        match self {
            Subject::Sheet(Sheet { grid, material, pins }) => Ok(Model::Grid(Cloth::new(*grid, *material, pins)?)),
            Subject::Triangles(Triangles { mesh: MeshSource::Obj(_), .. }) => Err(Invalid::MeshUnread),
            Subject::Triangles(Triangles { mesh: MeshSource::Mesh(mesh), material, pins }) => match material {
                TriangleMaterial::Springs { springs, gravity } => {
                    let mut net = mesh.springs(springs, pins)?;
                    net.gravity = *gravity;
                    Ok(Model::Springs(net, mesh.clone()))
                }
                TriangleMaterial::Continuum(fabric) => Ok(Model::Continuum(TriangleCloth::new(mesh.clone(), *fabric, pins)?)),
            },
        }
    }

    /// The particle of a pin.
    ///
    /// # Errors
    /// A pin outside the mesh, or one by column and row on triangles.
    pub(super) fn particle(&self, pin: Pin) -> Result<usize, Invalid> {
        match (self, pin) {
            (Subject::Sheet(sheet), pin) => sheet.grid.pinned(pin),
            (Subject::Triangles(_), Pin::Index(particle)) => Ok(particle),
            (Subject::Triangles(_), Pin::At(i, j)) => Err(Invalid::PinByRow { i, j }),
        }
    }

    /// The particles that are held.
    pub(super) fn held(&self) -> HashSet<usize> {
        match self {
            Subject::Sheet(Sheet { grid, pins, .. }) => pins.iter().filter_map(|&pin| grid.pinned(pin).ok()).collect(),
            Subject::Triangles(Triangles { pins, .. }) => pins.iter().copied().collect(),
        }
    }

    /// Whether all of its dampers have a potential: see [`System::potential`](cloth::System::potential).
    pub(super) fn has_potential(&self) -> bool {
        match self {
            Subject::Sheet(sheet) => sheet.material.has_potential(),
            Subject::Triangles(Triangles { material: TriangleMaterial::Springs { springs, .. }, .. }) => springs.has_potential(),
            Subject::Triangles(Triangles { material: TriangleMaterial::Continuum(fabric), .. }) => !fabric.is_damped(),
        }
    }

    /// Takes away what resists stretch: a constraint method stands in its place.
    pub(super) fn keep_edges(&mut self) {
        const NONE: Elastic = Elastic { stiffness: 0.0, damping: 0.0 };
        match self {
            Subject::Sheet(sheet) => sheet.material.stretch = NONE,
            Subject::Triangles(Triangles { material, .. }) => match material {
                TriangleMaterial::Springs { springs, .. } => springs.stretch = NONE,
                TriangleMaterial::Continuum(fabric) => (fabric.warp, fabric.weft) = (NONE, NONE),
            },
        }
    }

    /// ks against stretch \[N/m\], the larger of warp and weft.
    pub(super) fn stretch_stiffness(&self) -> f64 {
        match self {
            Subject::Sheet(sheet) => sheet.material.stretch.stiffness,
            Subject::Triangles(Triangles { material: TriangleMaterial::Springs { springs, .. }, .. }) => {
                springs.stretch.stiffness
            }
            Subject::Triangles(Triangles { material: TriangleMaterial::Continuum(fabric), .. }) => {
                fabric.warp.stiffness.max(fabric.weft.stiffness)
            }
        }
    }

    /// Lets go of some of the particles that are held.
    pub(super) fn release(&mut self, particles: &[usize]) {
        match self {
            Subject::Sheet(Sheet { grid, pins, .. }) => {
                pins.retain(|&pin| grid.pinned(pin).is_ok_and(|particle| !particles.contains(&particle)));
            }
            Subject::Triangles(Triangles { pins, .. }) => pins.retain(|particle| !particles.contains(particle)),
        }
    }

    /// Length of its shortest edge as it was cut \[m\], > 0: the spacing of a grid.
    pub(super) fn spacing(&self) -> Option<f64> {
        match self {
            Subject::Sheet(sheet) => Some(sheet.grid.spacing()),
            Subject::Triangles(Triangles { mesh: MeshSource::Obj(_), .. }) => None,
            Subject::Triangles(Triangles { mesh: MeshSource::Mesh(mesh), .. }) => {
                let shortest = |triangle: &Triangle| {
                    let [a, b, c] = triangle.material;
                    (b - a).norm().min((c - b).norm()).min((a - c).norm())
                };
                Some(mesh.triangles().iter().map(shortest).fold(f64::INFINITY, f64::min))
            }
        }
    }
}
