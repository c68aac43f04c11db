use super::tile::SymmetricTile;
use super::{GridShape, LANES};
use crate::Constraint;
use crate::lanes::Number;

/// S in the tiles where a row is constrained; it is I in the others, which are nearly all and cost nothing.
#[derive(Debug)]
pub(super) struct ConstrainedTiles<S = f64> {
    /// Numbers of tiles, ascending, and what is S there.
    pub tiles: Vec<(usize, SymmetricTile<S>)>,
}

impl<S> ConstrainedTiles<S> {
    /// Nothing constrained; with memory for everything.
    pub fn new(shape: GridShape) -> ConstrainedTiles<S> {
        ConstrainedTiles { tiles: Vec::with_capacity(shape.tiles()) }
    }
}

impl ConstrainedTiles<f32> {
    /// Takes what is nearest to the constraints of all rows.
    pub fn round(&mut self, constrained: &ConstrainedTiles) {
        self.tiles.clear();
        for (number, tile) in &constrained.tiles {
            let mut rounded = SymmetricTile::ZERO;
            rounded.round(tile);
            self.tiles.push((*number, rounded));
        }
    }
}

impl<S: Number> ConstrainedTiles<S> {
    /// Takes the constraints of all rows.
    pub fn fill(&mut self, constraints: &[Constraint]) {
        self.tiles.clear();
        for (number, constraints) in constraints.chunks(LANES).enumerate() {
            if constraints.iter().all(|constraint| *constraint == Constraint::Free) {
                continue;
            }
            let mut tile = SymmetricTile::ZERO;
            for (lane, constraint) in constraints.iter().enumerate() {
                tile.set(lane, &constraint.projection());
            }
            self.tiles.push((number, tile));
        }
    }

    /// Of `count` rows those of these tiles: all that are constrained, and few others.
    pub fn rows(&self, count: usize) -> impl Iterator<Item = usize> + '_ {
        self.tiles.iter().flat_map(move |(tile, _)| tile * LANES..count.min((tile + 1) * LANES))
    }
}
