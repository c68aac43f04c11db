use std::collections::BTreeMap;

use crate::Vec3;

/// A vector in the plane of the cloth: along the warp, along the weft \[m\].
pub type Vec2 = nalgebra::Vector2<f64>;

/// A triangle of cloth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    /// Its corners, counter-clockwise seen from its front.
    pub corners: [usize; 3],
    /// Where its corners are in the cloth as it was cut \[m\].
    pub material: [Vec2; 3],
}

impl Triangle {
    /// Area of the cloth as it was cut \[m²\].
    pub fn area(&self) -> f64 {
        let [a, b, c] = self.material;
        0.5 * (b - a).perp(&(c - a)).abs()
    }
}

/// An edge between two triangles, about which the cloth bends.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Hinge {
    /// The edge, in the direction in which it runs round its first triangle.
    pub edge: [usize; 2],
    /// The third corner of the first triangle and that of the second one.
    pub wings: [usize; 2],
}

/// Particles joined by triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct TriangleMesh {
    positions: Vec<Vec3>,
    triangles: Vec<Triangle>,
    edges: Vec<[usize; 2]>,
    hinges: Vec<Hinge>,
}

impl TriangleMesh {
    /// The mesh of `triangles` between particles at `positions` \[m\].
    pub fn new(positions: Vec<Vec3>, triangles: Vec<Triangle>) -> TriangleMesh {
        // each edge, ends ascending, with its direction in its first triangle and the third corners so far
        let mut found: BTreeMap<[usize; 2], ([usize; 2], Vec<usize>)> = BTreeMap::new();
        for &Triangle { corners: [a, b, c], .. } in &triangles {
            for (edge, wing) in [([a, b], c), ([b, c], a), ([c, a], b)] {
                let ends = [edge[0].min(edge[1]), edge[0].max(edge[1])];
                found.entry(ends).or_insert((edge, Vec::new())).1.push(wing);
            }
        }
        let hinge = |(edge, wings): &([usize; 2], Vec<usize>)| match wings[..] {
            [first, second] => Some(Hinge { edge: *edge, wings: [first, second] }),
            _ => None,
        };
        let hinges = found.values().filter_map(hinge).collect();
        TriangleMesh { positions, triangles, edges: found.into_keys().collect(), hinges }
    }

    /// Where the particles are at the start \[m\].
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// The triangles.
    pub fn triangles(&self) -> &[Triangle] {
        &self.triangles
    }

    /// The edges, each once, ends ascending.
    pub fn edges(&self) -> &[[usize; 2]] {
        &self.edges
    }

    /// The edges between two triangles.
    pub fn hinges(&self) -> &[Hinge] {
        &self.hinges
    }

    /// Number of particles.
    pub fn particle_count(&self) -> usize {
        self.positions.len()
    }
}
