use super::part::Part;
use crate::inextensible::EdgeConstraints;
use crate::sets::Sets;

/// How a mesh is divided into groups of acyclic parts. Parts of a group share no movable particle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Division {
    /// The rows and the columns of a sheet of `nx` particles a row, numbered row by row \[Bender 2008, fig. 3\]; edges that belong
    /// to neither as in [`Division::Forests`].
    Strips {
        /// Particles a row.
        nx: usize,
    },
    /// Spanning forests of any mesh, one taken away after the other until no edge is left; the parts are their trees. Held
    /// particles count as one, the ground, so that no tree is over-determined.
    Forests,
}

impl Division {
    /// The groups, none empty.
    pub(super) fn groups(self, constraints: &EdgeConstraints) -> Vec<Vec<Part>> {
        let (mut groups, mut rest) = (vec![], vec![]);
        match self {
            Division::Strips { nx } => {
                let mut lines = [vec![], vec![]]; // (line, place in it, edge)
                for (k, edge) in constraints.edges().iter().enumerate() {
                    let (i, j) = (edge.i.min(edge.j), edge.i.max(edge.j));
                    let place = |particle: usize| (particle.checked_rem(nx).unwrap_or(0), particle.checked_div(nx).unwrap_or(0));
                    let ((xi, yi), (xj, yj)) = (place(i), place(j));
                    match (xj.wrapping_sub(xi), yj.wrapping_sub(yi)) {
                        (1, 0) => lines[0].push((yi, xi, k)),
                        (0, 1) => lines[1].push((xi, yi, k)),
                        _ => rest.push(k),
                    }
                }
                for mut lines in lines {
                    lines.sort_unstable();
                    let chains = lines.chunk_by(|a, b| a.0 == b.0 && a.1 + 1 == b.1);
                    groups
                        .push(chains.map(|chain| Part::chain(constraints, chain.iter().map(|(_, _, k)| *k).collect())).collect());
                }
            }
            Division::Forests => rest = (0..constraints.edges().len()).collect(),
        }
        while !rest.is_empty() {
            let (trees, left) = spanning_forest(constraints, &rest);
            groups.push(trees.into_iter().map(|tree| Part::tree(constraints, tree)).collect());
            rest = left;
        }
        groups.retain(|group: &Vec<Part>| !group.is_empty());
        groups
    }
}

/// A maximal acyclic set among the edges `numbers`, by trees, and the edges that are left.
fn spanning_forest(constraints: &EdgeConstraints, numbers: &[usize]) -> (Vec<Vec<usize>>, Vec<usize>) {
    let w = constraints.inverse_masses();
    let ground = w.len();
    let (mut with_ground, mut without) = (Sets::new(ground + 1), Sets::new(ground));
    let (mut taken, mut left) = (vec![], vec![]);
    for &k in numbers {
        let edge = constraints.edges()[k];
        let [i, j] = [edge.i, edge.j].map(|p| if w[p] > 0.0 { p } else { ground });
        if with_ground.join(i, j) {
            taken.push(k);
            if i != ground && j != ground {
                without.join(i, j);
            }
        } else {
            left.push(k);
        }
    }
    let movable = |k: usize| {
        let edge = constraints.edges()[k];
        if w[edge.i] > 0.0 { edge.i } else { edge.j }
    };
    let mut of: Vec<(usize, usize)> = taken.into_iter().map(|k| (without.root(movable(k)), k)).collect();
    of.sort_unstable();
    (of.chunk_by(|a, b| a.0 == b.0).map(|tree| tree.iter().map(|(_, k)| *k).collect()).collect(), left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Grid;
    use crate::inextensible::Edge;

    fn sheet(nx: usize, ny: usize, held: &[usize]) -> EdgeConstraints {
        let grid = Grid::new(nx, ny, 0.1).unwrap();
        let count = grid.particle_count();
        let pinned: Vec<bool> = (0..count).map(|k| held.contains(&k)).collect();
        EdgeConstraints::new(&EdgeConstraints::edges_of_grid(&grid), &vec![1.0; count], &pinned).unwrap()
    }

    fn sizes(groups: &[Vec<Part>]) -> Vec<Vec<usize>> {
        groups.iter().map(|group| group.iter().map(|part| part.work().edges).collect()).collect()
    }

    #[test]
    fn a_sheet_has_rows_and_columns() {
        let constraints = sheet(5, 3, &[]);
        assert_eq!(sizes(&Division::Strips { nx: 5 }.groups(&constraints)), [vec![4; 3], vec![2; 5]]);
        assert_eq!(sizes(&Division::Strips { nx: 1 }.groups(&sheet(2, 2, &[]))).concat().iter().sum::<usize>(), 4);
        assert_eq!(sizes(&Division::Strips { nx: 0 }.groups(&constraints)).concat().iter().sum::<usize>(), 22);
    }

    #[test]
    fn a_torn_row_is_two_chains_and_a_diagonal_is_a_tree_of_its_own() {
        let whole = sheet(5, 3, &[]);
        let mut edges: Vec<Edge> = whole.edges().iter().filter(|edge| (edge.i, edge.j) != (1, 2)).copied().collect();
        edges.push(Edge { i: 0, j: 6, rest: 0.14 });
        let torn = EdgeConstraints::new(&edges, &[1.0; 15], &[false; 15]).unwrap();
        assert_eq!(sizes(&Division::Strips { nx: 5 }.groups(&torn)), [vec![1, 2, 4, 4], vec![2; 5], vec![1]]);
    }

    #[test]
    fn forests_hold_every_edge_once_and_have_no_cycle_through_the_ground() {
        let constraints = sheet(7, 6, &[0, 6]);
        let edges = constraints.edges();
        let mut rest: Vec<usize> = (0..edges.len()).collect();
        let mut seen = vec![];
        while !rest.is_empty() {
            let (trees, left) = spanning_forest(&constraints, &rest);
            let w = constraints.inverse_masses();
            let mut of = vec![None; w.len()];
            for (tree, numbers) in trees.iter().enumerate() {
                let mut ends: Vec<usize> = numbers.iter().flat_map(|k| [edges[*k].i, edges[*k].j]).collect();
                ends.sort_unstable();
                ends.dedup();
                let held = numbers.iter().filter(|k| w[edges[**k].i] * w[edges[**k].j] == 0.0).count();
                assert!(held <= 1, "a tree hangs on the ground by one edge");
                assert_eq!(ends.len(), numbers.len() + 1, "a tree has a particle more than edges");
                for end in ends.into_iter().filter(|end| w[*end] > 0.0) {
                    assert_eq!(of[end].replace(tree), None, "parts of a group share no movable particle");
                }
            }
            seen.extend(trees.concat());
            rest = left;
        }
        seen.sort_unstable();
        assert_eq!(seen, (0..edges.len()).collect::<Vec<_>>());
    }
}
