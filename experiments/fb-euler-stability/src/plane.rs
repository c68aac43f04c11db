//! Rectangles of a profile that are cut into cells.

use cloth::quantity::Finite;
use kit::prelude::*;
use kit::ranges::Ranged;

/// A rectangle, cut into at least one and at most 1000 square cells a side.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Plane(Rectangle);

ranges!(Rectangle {
    //! A rectangle as a profile gives it.
    /// Ends along x.
    x: [Finite; 2],
    /// Ends along y.
    y: [Finite; 2],
    /// Side of a cell.
    cell: Positive,
});

impl Ranged for Plane {
    fn read(value: &toml::Value) -> Result<Plane, RangeError> {
        let plane = Plane(Rectangle::read(value)?);
        for (axis, [from, to]) in [("x", plane.0.x), ("y", plane.0.y)] {
            let (from, to, cell) = (from.get(), to.get(), plane.0.cell.get());
            let exact = (to - from) / cell;
            let cells = exact.round();
            if (exact - cells).abs() > 1e-6 {
                return Err(RangeError::here(format!(
                    "{axis} must be a whole number of cells, not {exact:.3} from {from} to {to} in cells of {cell}"
                )));
            }
            if !(1.0..=1000.0).contains(&cells) || from.abs().max(to.abs()) > 1000.0 {
                return Err(RangeError::here(format!(
                    "{axis} must rise between -1000 and 1000 over 1 to 1000 cells, not from {from} to {to} in cells of {cell}"
                )));
            }
        }
        Ok(plane)
    }
}

impl Plane {
    /// Numbers of columns and rows.
    pub fn shape(&self) -> [usize; 2] {
        [self.0.x, self.0.y].map(|[from, to]| ((to.get() - from.get()) / self.0.cell.get()).round() as usize)
    }

    /// Centre of the cell in a column and a row.
    pub fn centre(&self, column: usize, row: usize) -> [f64; 2] {
        [(self.0.x, column), (self.0.y, row)].map(|(axis, k)| axis[0].get() + (k as f64 + 0.5) * self.0.cell.get())
    }
}
