use linsolve::scalar::{PivotError, Tridiagonal};

use super::field::Field;
use super::tree::Tree;
use crate::Vec3;
use crate::inextensible::sweeps::EDGE_OPERATIONS;
use crate::inextensible::{Edge, EdgeConstraints, FilterStop};

/// How the impulses of a part are found.
#[derive(Clone, Debug)]
enum Solver {
    /// Edges one after the other, each sharing a particle with the next.
    Chain(Tridiagonal<true>),
    /// Any tree.
    Tree(Tree),
}

/// Costs of a part; exact on any machine, floating-point operations nominal as in [`FilterReport`](crate::inextensible::FilterReport).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartWork {
    /// Edges.
    pub edges: usize,
    /// Numbers of its factor.
    pub entries: u64,
    /// Operations of a factorisation.
    pub factor: u64,
    /// Operations of a solve.
    pub solve: u64,
}

/// An acyclic part of a mesh with its own copy of the positions or velocities of its particles.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) particles: Vec<usize>, // of the mesh
    numbers: Vec<usize>,              // of the edges in the mesh
    pub(super) edges: Vec<Edge>,      // between places in `particles`
    pub(super) w: Vec<f64>,           // [1/kg]
    u: Vec<Vec3>,                     // directions that the factor is of
    impulses: Vec<f64>,               // errors, then impulses
    pub(super) y: Vec<Vec3>,          // positions or velocities
    work: PartWork,
    solver: Solver,
}

impl Part {
    /// Edges `numbers` of the mesh, each sharing a particle with the next one.
    pub(super) fn chain(constraints: &EdgeConstraints, numbers: Vec<usize>) -> Part {
        Part::new(constraints, numbers, |edges, _| Solver::Chain(Tridiagonal::new(edges.len())))
    }

    /// Edges `numbers` of the mesh, which form a tree.
    pub(super) fn tree(constraints: &EdgeConstraints, numbers: Vec<usize>) -> Part {
        Part::new(constraints, numbers, |edges, w| Solver::Tree(Tree::new(edges, w)))
    }

    fn new(constraints: &EdgeConstraints, numbers: Vec<usize>, solver: impl FnOnce(&[Edge], &[f64]) -> Solver) -> Part {
        let of = |k: &usize| constraints.edges()[*k];
        let mut particles: Vec<usize> = numbers.iter().map(of).flat_map(|edge| [edge.i, edge.j]).collect();
        particles.sort_unstable();
        particles.dedup();
        let place = |particle: usize| particles.partition_point(|p| *p < particle);
        let edges: Vec<Edge> = numbers.iter().map(of).map(|edge| Edge { i: place(edge.i), j: place(edge.j), ..edge }).collect();
        let w: Vec<f64> = particles.iter().map(|p| constraints.inverse_masses()[*p]).collect();
        let solver = solver(&edges, &w);
        let work = work_of(&solver, edges.len());
        let zeros = vec![Vec3::zeros(); particles.len()];
        let (u, impulses) = (vec![Vec3::zeros(); edges.len()], vec![0.0; edges.len()]);
        Part { particles, numbers, edges, w, u, impulses, y: zeros, work, solver }
    }

    /// What it costs.
    pub(super) fn work(&self) -> PartWork {
        self.work
    }

    /// Takes the directions from positions `x` \[m\] of the mesh and factors A.
    pub(super) fn aim(&mut self, x: &[Vec3]) -> Result<(), FilterStop> {
        self.gather(|particle| x[particle]);
        self.aim_here()
    }

    /// Moves positions by impulses that bring every edge to its rest length to first order, along the directions that it was aimed
    /// at or, `anew`, those of `x` itself. A p = e with e = abs(d) - l and p = dt times the impulse \[kg m\].
    pub(super) fn correct_positions(&mut self, x: &Field, anew: bool) -> Result<(), FilterStop> {
        self.gather(|particle| x.get(particle));
        if anew {
            self.aim_here()?;
        }
        for (error, edge) in self.impulses.iter_mut().zip(&self.edges) {
            *error = edge.vector(&self.y).norm() - edge.rest;
        }
        self.apply();
        self.scatter(x);
        Ok(())
    }

    /// Changes velocities by impulses after which no edge changes its length: A p = e with e = (v_j - v_i)·u \[m/s\].
    pub(super) fn correct_velocities(&mut self, v: &Field) {
        self.gather(|particle| v.get(particle));
        for ((error, edge), u) in self.impulses.iter_mut().zip(&self.edges).zip(&self.u) {
            *error = edge.vector(&self.y).dot(u);
        }
        self.apply();
        self.scatter(v);
    }

    /// Whether its edges are one after the other.
    pub(super) fn is_chain(&self) -> bool {
        matches!(self.solver, Solver::Chain(_))
    }

    /// A_kk \[1/kg\].
    pub(super) fn weight(&self, k: usize) -> f64 {
        self.w[self.edges[k].i] + self.w[self.edges[k].j]
    }

    /// B of edge k of a chain and the next one \[1/kg\].
    pub(super) fn coupling(&self, k: usize) -> f64 {
        coupling(&self.edges[k], &self.edges[k + 1], &self.w)
    }

    /// Largest abs(strain) that a time of `dt` \[s\] at velocities `v` \[m/s\] adds, along the directions that it was aimed at.
    pub(super) fn largest_rate(&self, v: &Field, dt: f64) -> f64 {
        self.largest_rate_along(v, dt, |k| self.u[k])
    }

    /// Largest abs(strain) that a time of `dt` \[s\] at velocities `v` \[m/s\] adds along directions `u`.
    pub(super) fn largest_rate_along(&self, v: &Field, dt: f64, u: impl Fn(usize) -> Vec3) -> f64 {
        let rate = |(k, edge): (usize, &Edge)| {
            let relative = v.get(self.particles[edge.j]) - v.get(self.particles[edge.i]);
            (relative.dot(&u(k)) * dt / edge.rest).abs()
        };
        self.edges.iter().enumerate().map(rate).fold(0.0, |most, rate| if rate > most || rate.is_nan() { rate } else { most })
    }

    fn gather(&mut self, y: impl Fn(usize) -> Vec3) {
        for (here, particle) in self.y.iter_mut().zip(&self.particles) {
            *here = y(*particle);
        }
    }

    /// Writes its positions or velocities back.
    fn scatter(&self, y: &Field) {
        for (particle, changed) in self.particles.iter().zip(&self.y) {
            y.put(*particle, changed);
        }
    }

    pub(super) fn aim_here(&mut self) -> Result<(), FilterStop> {
        for (k, (u, edge)) in self.u.iter_mut().zip(&self.edges).enumerate() {
            *u = edge.direction(&self.y).ok_or(FilterStop::Coincident { edge: self.numbers[k] })?.0;
        }
        let (edges, w, u) = (&self.edges, &self.w, &self.u);
        let weight = |k: usize| w[edges[k].i] + w[edges[k].j]; // A_kk
        let factored = match &mut self.solver {
            Solver::Chain(matrix) => {
                let factored = matrix.factor(weight, |k| coupling(&edges[k], &edges[k + 1], w) * u[k].dot(&u[k + 1]));
                let column = |error| match error {
                    PivotError::Deficient { column } | PivotError::NotFinite { column } => column,
                };
                factored.map(drop).map_err(column)
            }
            Solver::Tree(tree) => tree.factor(u, weight),
        };
        factored.map_err(|k| FilterStop::Singular { edge: self.numbers[k] })
    }

    fn apply(&mut self) {
        match &mut self.solver {
            Solver::Chain(matrix) => matrix.solve(&mut self.impulses),
            Solver::Tree(tree) => tree.solve(&mut self.impulses),
        }
        for ((edge, u), p) in self.edges.iter().zip(&self.u).zip(&self.impulses) {
            edge.pull(*p * u, &self.w, &mut self.y);
        }
    }
}

/// B of two edges that share a particle \[Bender 2008, eq. 5\] \[1/kg\]: its inverse mass, negative where it is the first of one
/// and the second of the other.
fn coupling(one: &Edge, other: &Edge, w: &[f64]) -> f64 {
    if one.i == other.i {
        w[one.i]
    } else if one.j == other.j {
        w[one.j]
    } else if one.i == other.j {
        -w[one.i]
    } else {
        -w[one.j]
    }
}

/// What a part of so many edges costs. Of a chain the published counts are those of its rows as if another one followed the last:
/// three operations of a factorisation and four of a solve more than [`Tridiagonal`] counts.
fn work_of(solver: &Solver, edges: usize) -> PartWork {
    let [entries, factor, solve] = match solver {
        Solver::Chain(chain) => [chain.factor_entries(), chain.factor_operations() + 3, chain.solve_operations() + 4],
        Solver::Tree(tree) => [tree.entries(), tree.factor_operations(), tree.solve_operations()],
    };
    PartWork { edges, entries, factor, solve: solve + EDGE_OPERATIONS * edges as u64 }
}
