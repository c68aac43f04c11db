use crate::adjoint::{Constant, Differentiable};
use crate::inextensible::{Edge, EdgeConstraints};
use crate::triangles::{TriangleCloth, TriangleMesh};
use crate::{Cloth, Drag, Energies, Grid, ModelError, Net, NetSpring, State, System, Vec3};

/// Cloth of any kind, as a simulation moves and draws it.
#[derive(Clone, Debug)]
pub enum Model {
    /// Springs on a grid.
    Grid(Cloth),
    /// Springs along and across the edges of triangles.
    Springs(Net, TriangleMesh),
    /// A continuum of triangles.
    Continuum(TriangleCloth),
}

impl Model {
    /// Its particles and forces.
    pub fn system(&self) -> &dyn System {
        match self {
            Model::Grid(cloth) => cloth,
            Model::Springs(net, _) => net,
            Model::Continuum(cloth) => cloth,
        }
    }

    /// Changes the wind of its drag \[m/s\], if it has any.
    pub fn set_wind(&mut self, wind: Vec3) {
        match self {
            Model::Grid(cloth) => cloth.set_wind(wind),
            Model::Springs(net, _) => net.drag.iter_mut().for_each(|drag| drag.wind = wind),
            Model::Continuum(cloth) => cloth.set_wind(wind),
        }
    }

    /// Gravity \[m/s²\].
    pub fn gravity(&self) -> Vec3 {
        match self {
            Model::Grid(cloth) => cloth.material().gravity,
            Model::Springs(net, _) => net.gravity,
            Model::Continuum(cloth) => cloth.material().gravity,
        }
    }

    /// Drag of air on its faces.
    pub fn drag(&self) -> Option<Drag> {
        match self {
            Model::Grid(cloth) => cloth.material().drag,
            Model::Springs(net, _) => net.drag,
            Model::Continuum(cloth) => cloth.material().drag,
        }
    }

    /// Adds drag in a state to `f` \[N\], shape \[particle_count\].
    pub(super) fn add_drag(&self, State { x, v }: &State, f: &mut [Vec3]) {
        match self {
            Model::Grid(cloth) => cloth.add_drag(x, v, f),
            Model::Springs(net, _) => net.add_drag(x, v, f),
            Model::Continuum(cloth) => cloth.add_drag(x, v, f),
        }
    }

    /// Kinetic, gravitational and elastic energies \[J\].
    pub fn energies(&self, state: &State) -> Energies {
        match self {
            Model::Grid(cloth) => cloth.energies(state),
            Model::Springs(net, _) => net.energies(state),
            Model::Continuum(cloth) => cloth.energies(state),
        }
    }

    /// The faces between its particles.
    pub fn surface(&self) -> Surface<'_> {
        match self {
            Model::Grid(cloth) => Surface::Grid(cloth.grid()),
            Model::Springs(_, mesh) => Surface::Triangles(mesh),
            Model::Continuum(cloth) => Surface::Triangles(cloth.mesh()),
        }
    }

    /// The edges that constraint methods keep at their length: the warp and weft of a grid or of quads, all edges of triangles.
    pub fn sides(&self) -> Vec<Edge> {
        match self {
            Model::Grid(cloth) => EdgeConstraints::edges_of_grid(cloth.grid()),
            Model::Springs(net, _) => {
                let side = |spring: &NetSpring| Edge { i: spring.i, j: spring.j, rest: spring.rest };
                net.stretch_springs().iter().map(side).collect() // those that have not left it
            }
            Model::Continuum(cloth) => cloth.mesh().sides(),
        }
    }

    /// Where its particles are if nothing is said \[m\], shape \[particle_count\].
    pub fn rest(&self) -> Vec<Vec3> {
        match self {
            Model::Grid(cloth) => cloth.grid().flat(),
            Model::Springs(_, mesh) => mesh.positions().to_vec(),
            Model::Continuum(cloth) => cloth.mesh().positions().to_vec(),
        }
    }

    /// Number of parts that nothing joins: no spring, or of a continuum no triangle.
    pub fn parts(&self) -> usize {
        match self {
            Model::Grid(_) => 1,
            Model::Springs(net, _) => net.parts(),
            Model::Continuum(cloth) => cloth.mesh().pieces(),
        }
    }

    /// The mesh, where it is one of triangles.
    pub fn triangles(&self) -> Option<&TriangleMesh> {
        match self.surface() {
            Surface::Grid(_) => None,
            Surface::Triangles(mesh) => Some(mesh),
        }
    }

    /// Its particles and forces, with their derivatives.
    pub fn differentiable(&self) -> &dyn Differentiable {
        match self {
            Model::Grid(cloth) => cloth,
            Model::Springs(net, _) => net,
            Model::Continuum(cloth) => cloth,
        }
    }

    /// This cloth with another value of a constant of its material.
    ///
    /// # Errors
    /// A value outside the range that the material gives it.
    ///
    /// # Panics
    /// Where the material does not have the constant.
    pub fn with_constant(&self, constant: Constant, value: f64) -> Result<Model, ModelError> {
        Ok(match self {
            Model::Grid(cloth) => Model::Grid(cloth.with_constant(constant, value)?),
            Model::Springs(net, mesh) => Model::Springs(net.with_constant(constant, value)?, mesh.clone()),
            Model::Continuum(cloth) => Model::Continuum(cloth.with_constant(constant, value)?),
        })
    }

    /// The sheet, where it is springs on a grid.
    pub fn cloth(&self) -> Option<&Cloth> {
        match self {
            Model::Grid(cloth) => Some(cloth),
            Model::Springs(..) | Model::Continuum(_) => None,
        }
    }
}

/// The faces between the particles of cloth.
#[derive(Clone, Copy, Debug)]
pub enum Surface<'a> {
    /// The cells of a sheet.
    Grid(&'a Grid),
    /// Triangles.
    Triangles(&'a TriangleMesh),
}

impl Surface<'_> {
    /// Corners of its triangles, each cell of a sheet as two.
    pub fn corners(&self) -> Vec<[u32; 3]> {
        match self {
            Surface::Grid(grid) => {
                let cell =
                    |i: usize, j: usize| [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)].map(|(i, j)| grid.index(i, j) as u32);
                let cells = (0..grid.ny() - 1).flat_map(|j| (0..grid.nx() - 1).map(move |i| cell(i, j)));
                cells.flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect()
            }
            Surface::Triangles(mesh) => {
                mesh.triangles().iter().map(|triangle| triangle.corners.map(|corner| corner as u32)).collect()
            }
        }
    }
}

impl From<Cloth> for Model {
    fn from(cloth: Cloth) -> Model {
        Model::Grid(cloth)
    }
}
