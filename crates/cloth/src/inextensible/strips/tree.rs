use nalgebra::Matrix3;

use crate::Vec3;
use crate::inextensible::Edge;

/// Smallest pivot of a constraint, relative to the inverse masses of its ends, above what rounding leaves of zero.
const SMALLEST_PIVOT: f64 = 1e-12;

/// What a node of the graph stands for, by its place in the part.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Particle(usize),
    Edge(usize),
}

/// The way from a node to its parent: a particle and an edge that ends at it.
#[derive(Clone, Copy, Debug)]
struct Up {
    parent: Kind,
    edge: usize,
    sign: f64, // 1 where the particle is the first end, -1 where it is the second
}

#[derive(Clone, Copy, Debug)]
struct Node {
    kind: Kind,
    up: Option<Up>,
}

/// H = \[\[M, -Cᵀ\], \[-C, 0\]\] of a tree of edges factored as L D Lᵀ without fill, in linear time and space
/// \[Bender 2008, algorithms 1 and 2; Baraff 1996\]. Rows alternate between particles and edges, each after its children.
///
/// Held particles are in no row. One of the edges of a tree, and no more, may end at one: it is the root, so that every edge has a
/// particle below it and no pivot is zero.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    masses: Vec<f64>,                    // of the particles [kg], infinite for a held one
    particle_inverse: Vec<Matrix3<f64>>, // D⁻¹
    edge_inverse: Vec<f64>,              // D⁻¹
    links: Vec<Vec3>,                    // row of L to the parent, of each node
    y: Vec<Vec3>,                        // solution, particles
}

impl Tree {
    /// Of `edges` among particles of inverse masses `w` \[1/kg\], which form one tree.
    pub fn new(edges: &[Edge], w: &[f64]) -> Tree {
        let mut edges_of: Vec<Vec<usize>> = vec![vec![]; w.len()];
        for (k, edge) in edges.iter().enumerate() {
            edges_of[edge.i].push(k);
            edges_of[edge.j].push(k);
        }
        let held = edges.iter().position(|edge| w[edge.i] == 0.0 || w[edge.j] == 0.0);
        let root = held.map_or(Kind::Particle(0), Kind::Edge);
        let mut nodes = vec![Node { kind: root, up: None }];
        let mut next = 0;
        while next < nodes.len() {
            let Node { kind, up } = nodes[next];
            let above = up.map(|up| up.parent);
            match kind {
                Kind::Particle(p) => {
                    for &k in edges_of[p].iter().filter(|k| above != Some(Kind::Edge(**k))) {
                        let sign = if edges[k].i == p { 1.0 } else { -1.0 };
                        nodes.push(Node { kind: Kind::Edge(k), up: Some(Up { parent: kind, edge: k, sign }) });
                    }
                }
                Kind::Edge(k) => {
                    for (p, sign) in [(edges[k].i, 1.0), (edges[k].j, -1.0)] {
                        if w[p] > 0.0 && above != Some(Kind::Particle(p)) {
                            nodes.push(Node { kind: Kind::Particle(p), up: Some(Up { parent: kind, edge: k, sign }) });
                        }
                    }
                }
            }
            next += 1;
        }
        nodes.reverse(); // children before their parents
        Tree {
            masses: w.iter().map(|w| 1.0 / w).collect(),
            particle_inverse: vec![Matrix3::zeros(); w.len()],
            edge_inverse: vec![0.0; edges.len()],
            links: vec![Vec3::zeros(); nodes.len()],
            y: vec![Vec3::zeros(); w.len()],
            nodes,
        }
    }

    /// Numbers of the factor: a symmetric block a particle, a number an edge, a row of L for every node but the root.
    pub fn entries(&self) -> u64 {
        self.sum(6, 1) + 3 * (self.nodes.len() as u64 - 1)
    }

    /// Floating-point operations of a factorisation.
    pub fn factor_operations(&self) -> u64 {
        self.sum(45 + 15 + 6, 1 + 3 + 18) // inverse, row of L, taken from the parent
    }

    /// Floating-point operations of a solve.
    pub fn solve_operations(&self) -> u64 {
        self.sum(6 + 15 + 6, 6 + 1 + 6) // forward, diagonal, backward
    }

    fn sum(&self, a_particle: u64, an_edge: u64) -> u64 {
        let of = |node: &Node| if matches!(node.kind, Kind::Particle(_)) { a_particle } else { an_edge };
        self.nodes.iter().map(of).sum()
    }

    /// Algorithm 1, with unit directions `u` of the edges as C; `weight` gives the inverse masses of both ends of an edge together
    /// \[1/kg\].
    ///
    /// # Errors
    /// The edge whose pivot is not below rounding.
    pub fn factor(&mut self, u: &[Vec3], weight: impl Fn(usize) -> f64) -> Result<(), usize> {
        for (inverse, mass) in self.particle_inverse.iter_mut().zip(&self.masses) {
            *inverse = Matrix3::from_diagonal_element(*mass); // H_ii, until its turn comes
        }
        self.edge_inverse.fill(0.0);
        for (node, link) in self.nodes.iter().zip(&mut self.links) {
            let beside = node.up.map(|up| (-up.sign * u[up.edge], up.parent)); // H_{i,parent}
            match node.kind {
                Kind::Particle(p) => {
                    let Some(inverse) = self.particle_inverse[p].try_inverse() else {
                        return Err(node.up.map_or(0, |up| up.edge));
                    };
                    self.particle_inverse[p] = inverse;
                    if let Some((h, Kind::Edge(k))) = beside {
                        *link = inverse * h; //                           H_ip = H_ii⁻¹ H_ip
                        self.edge_inverse[k] -= h.dot(link); //           H_pp -= H_ipᵀ H_ii H_ip
                    }
                }
                Kind::Edge(k) => {
                    let pivot = self.edge_inverse[k];
                    if pivot.is_nan() || -pivot <= SMALLEST_PIVOT * weight(k) {
                        return Err(k);
                    }
                    self.edge_inverse[k] = 1.0 / pivot;
                    if let Some((h, Kind::Particle(p))) = beside {
                        *link = h / pivot;
                        self.particle_inverse[p] -= h * link.transpose();
                    }
                }
            }
        }
        Ok(())
    }

    /// Algorithm 2: replaces errors Delta v of the edges by their impulses, C M⁻¹ Cᵀ x = Delta v.
    ///
    /// Deviation from the print, which has x_i -= H_ijᵀ x_j over the children j of i: here it is H_jiᵀ x_j. Algorithm 1 divides by the
    /// pivot in the child's row, H_ji. The block H_ij of the parent's row keeps its first value, and its transpose has the wrong
    /// shape where a particle meets an edge.
    pub fn solve(&mut self, errors: &mut [f64]) {
        let (x, y) = (errors, &mut self.y);
        y.fill(Vec3::zeros());
        x.iter_mut().for_each(|x| *x = -*x); // b = (0, -Delta v)
        for (node, link) in self.nodes.iter().zip(&self.links) {
            match (node.kind, node.up.map(|up| up.parent)) {
                (Kind::Particle(p), Some(Kind::Edge(k))) => x[k] -= link.dot(&y[p]), // x_i -= H_jiᵀ x_j
                (Kind::Edge(k), Some(Kind::Particle(p))) => y[p] -= link * x[k],
                _ => {}
            }
        }
        for (node, link) in self.nodes.iter().zip(&self.links).rev() {
            match (node.kind, node.up.map(|up| up.parent)) {
                (Kind::Particle(p), up) => {
                    y[p] = self.particle_inverse[p] * y[p]; //            x_i = H_ii⁻¹ x_i
                    if let Some(Kind::Edge(k)) = up {
                        y[p] -= link * x[k]; //                           x_i -= H_ip x_p
                    }
                }
                (Kind::Edge(k), up) => {
                    x[k] *= self.edge_inverse[k];
                    if let Some(Kind::Particle(p)) = up {
                        x[k] -= link.dot(&y[p]);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::DMatrix;

    use super::*;

    /// A tree of seven particles, the first held or free, its directions oblique.
    fn tree(held: bool) -> (Vec<Edge>, Vec<f64>, Vec<Vec3>) {
        let pairs = [(1, 0), (1, 2), (3, 1), (3, 4), (5, 3), (2, 6)];
        let edges = pairs.map(|(i, j)| Edge { i, j, rest: 1.0 }).to_vec();
        let mut w: Vec<f64> = (0..7).map(|k| 0.5 + f64::from(k)).collect();
        if held {
            w[0] = 0.0;
        }
        let u = (0..6).map(|k| Vec3::new(1.0, 0.3 * f64::from(k) - 0.5, 0.8 - 0.2 * f64::from(k * k)).normalize()).collect();
        (edges, w, u)
    }

    /// C M⁻¹ Cᵀ.
    fn matrix(edges: &[Edge], w: &[f64], u: &[Vec3]) -> DMatrix<f64> {
        let row = |k: usize, p: usize| f64::from(i8::from(edges[k].i == p)) - f64::from(i8::from(edges[k].j == p));
        DMatrix::from_fn(edges.len(), edges.len(), |k, l| {
            (0..w.len()).map(|p| row(k, p) * row(l, p) * w[p] * u[k].dot(&u[l])).sum()
        })
    }

    #[test]
    fn impulses_solve_the_dense_system() {
        for held in [false, true] {
            let (edges, w, u) = tree(held);
            let mut tree = Tree::new(&edges, &w);
            assert_eq!(tree.nodes.len(), 13 - usize::from(held));
            tree.factor(&u, |k| w[edges[k].i] + w[edges[k].j]).unwrap();
            let errors = [0.3, -0.1, 0.2, 0.05, -0.4, 0.15];
            let mut x = errors;
            tree.solve(&mut x);
            let product = matrix(&edges, &w, &u) * DMatrix::from_column_slice(6, 1, &x);
            for k in 0..6 {
                assert!((product[k] - errors[k]).abs() < 1e-14, "held {held}: {product}");
            }
        }
    }

    #[test]
    fn every_row_comes_after_its_children() {
        let (edges, w, _) = tree(true);
        let tree = Tree::new(&edges, &w);
        let place = |kind: Kind| tree.nodes.iter().position(|node| node.kind == kind).unwrap();
        for (at, node) in tree.nodes.iter().enumerate() {
            assert!(node.up.is_none_or(|up| place(up.parent) > at));
        }
        assert_eq!(tree.nodes.last().map(|node| node.kind), Some(Kind::Edge(0)), "the edge at the held particle is the root");
    }

    #[test]
    fn the_factor_is_linear_in_the_number_of_edges() {
        let line = |count: usize| {
            let edges: Vec<Edge> = (0..count).map(|k| Edge { i: k, j: k + 1, rest: 1.0 }).collect();
            let tree = Tree::new(&edges, &vec![1.0; count + 1]);
            [tree.entries(), tree.factor_operations(), tree.solve_operations()]
        };
        let [small, middle, large] = [10, 20, 30].map(line);
        for q in 0..3 {
            assert_eq!(large[q] - middle[q], middle[q] - small[q]);
        }
    }
}
