use super::shape::is_near;
use super::{GridPlace, GridShape, LANES};

/// Some of the couplings of a grid.
#[derive(Clone, Debug)]
pub struct GridChoice {
    shape: GridShape,
    /// Whether none of them leads further than to a neighbour.
    pub(super) only_neighbours: bool,
    /// Shape \[tiles\]\[steps\], a bit for each row.
    pub(super) tiles: Vec<[u8; 8]>,
}

impl GridChoice {
    /// None of them.
    pub fn new(shape: GridShape) -> GridChoice {
        GridChoice { shape, only_neighbours: true, tiles: vec![[0; 8]; shape.tiles()] }
    }

    /// Its grid.
    pub fn shape(&self) -> GridShape {
        self.shape
    }

    /// Chooses none.
    pub fn clear(&mut self) {
        self.tiles.fill([0; 8]);
        self.only_neighbours = true;
    }

    /// Chooses one more, where `chosen` says so.
    ///
    /// # Panics
    /// Where the place is one of a larger grid.
    #[inline]
    pub fn add(&mut self, place: GridPlace, chosen: bool) {
        let row = place.row as usize;
        self.tiles[row / LANES][place.step()] |= u8::from(chosen) << (row % LANES);
        self.only_neighbours &= !chosen || is_near(place.step());
    }
}
