use super::{GridPlace, GridShape, LANES};

/// Some of the couplings of a grid.
#[derive(Clone, Debug)]
pub struct GridChoice {
    shape: GridShape,
    /// Shape \[tiles\]\[steps\], a bit for each row.
    tiles: Vec<[u8; 8]>,
}

impl GridChoice {
    /// None of them.
    pub fn new(shape: GridShape) -> GridChoice {
        GridChoice { shape, tiles: vec![[0; 8]; shape.tiles()] }
    }

    /// Its grid.
    pub fn shape(&self) -> GridShape {
        self.shape
    }

    /// Chooses none.
    pub fn clear(&mut self) {
        self.tiles.fill([0; 8]);
    }

    /// Chooses one more, where `chosen` says so.
    ///
    /// # Panics
    /// Where the place is one of a larger grid.
    #[inline]
    pub fn add(&mut self, place: GridPlace, chosen: bool) {
        let row = place.row as usize;
        self.tiles[row / LANES][place.step as usize] |= u8::from(chosen) << (row % LANES);
    }

    pub(super) fn tiles(&self) -> &[[u8; 8]] {
        &self.tiles
    }
}
