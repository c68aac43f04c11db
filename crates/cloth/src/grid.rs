use std::fmt;

use crate::invalid::positive;
use crate::{ModelError, Vec3};

/// A rectangular sheet of nx x ny particles with spacing h; particle (i, j) has index j nx + i.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    nx: usize,
    ny: usize,
    spacing: f64,
}

/// What a spring resists \[Boxerman 2003, fig. 3.4\].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Family {
    /// To the 4 nearest neighbours, L = h.
    Stretch,
    /// To the 4 diagonal neighbours, L = sqrt(2) h.
    Shear,
    /// To the 8 second neighbours, L = 2 h and 2 sqrt(2) h.
    Bend,
}

/// A spring between the particles `i` and `j`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// First particle.
    pub i: usize,
    /// Second particle.
    pub j: usize,
    /// Rest length L \[m\].
    pub rest: f64,
    /// What it resists.
    pub family: Family,
}

/// A particle that is held where it is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Pin {
    /// Counted from zero, row by row.
    Index(usize),
    /// By its column i and row j.
    At(usize, usize),
}

impl Pin {
    /// A pin by the particle's index.
    pub fn index(index: usize) -> Pin {
        Pin::Index(index)
    }
}

impl fmt::Display for Pin {
    /// As in a scene file.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Pin::Index(index) => write!(f, "{index}"),
            Pin::At(i, j) => write!(f, "[{i}, {j}]"),
        }
    }
}

impl Grid {
    /// Most particles a side: ten million particles at the most.
    pub const LIMIT: usize = 3000;

    /// A sheet of `nx` x `ny` particles, `spacing` h \[m\] apart.
    ///
    /// # Errors
    /// Fewer than 2 or more than [`Grid::LIMIT`] particles a side, or a spacing that is not a finite number above zero.
    pub fn new(nx: usize, ny: usize, spacing: f64) -> Result<Grid, ModelError> {
        let limit = Grid::LIMIT;
        if !(2..=limit).contains(&nx) || !(2..=limit).contains(&ny) {
            return Err(ModelError::GridSize { nx, ny, limit });
        }
        Ok(Grid { nx, ny, spacing: positive("the mesh spacing", spacing)? })
    }

    /// Particles along x.
    pub fn nx(&self) -> usize {
        self.nx
    }

    /// Particles along y.
    pub fn ny(&self) -> usize {
        self.ny
    }

    /// Mesh spacing h \[m\].
    pub fn spacing(&self) -> f64 {
        self.spacing
    }

    /// Particles of all lines, nx times ny.
    pub fn particle_count(&self) -> usize {
        self.nx * self.ny
    }

    /// Index of the particle in column `i` and row `j`.
    pub fn index(&self, i: usize, j: usize) -> usize {
        j * self.nx + i
    }

    /// Index of a pinned particle.
    ///
    /// # Errors
    /// [`ModelError::PinOutside`] where the mesh has no such particle.
    pub fn pinned(&self, pin: Pin) -> Result<usize, ModelError> {
        let (nx, ny) = (self.nx, self.ny);
        let held = match pin {
            Pin::Index(index) => (index < nx * ny).then_some(index),
            Pin::At(i, j) => (i < nx && j < ny).then(|| self.index(i, j)),
        };
        held.ok_or_else(|| ModelError::PinOutside { pin: pin.to_string(), nx, ny })
    }

    /// Positions of the flat sheet in the plane z = 0 \[m\], shape \[particle_count\].
    pub fn flat(&self) -> Vec<Vec3> {
        let at = |index: usize| Vec3::new((index % self.nx) as f64 * self.spacing, (index / self.nx) as f64 * self.spacing, 0.0);
        (0..self.particle_count()).map(at).collect()
    }

    /// Number of borders of the sheet on which a particle lies: 0 inside, 1 on an edge, 2 in a corner.
    pub fn borders(&self, index: usize) -> usize {
        let (i, j) = (index % self.nx, index / self.nx);
        usize::from(i == 0 || i + 1 == self.nx) + usize::from(j == 0 || j + 1 == self.ny)
    }

    /// The springs that lead on from a particle: columns, rows, rest length \[m\], family, first neighbours before second ones.
    pub(crate) fn steps(&self) -> [(isize, usize, f64, Family); 8] {
        let h = self.spacing;
        let diagonal = std::f64::consts::SQRT_2 * h;
        [
            (1, 0, h, Family::Stretch),
            (0, 1, h, Family::Stretch),
            (1, 1, diagonal, Family::Shear),
            (-1, 1, diagonal, Family::Shear),
            (2, 0, 2.0 * h, Family::Bend),
            (0, 2, 2.0 * h, Family::Bend),
            (2, 2, 2.0 * diagonal, Family::Bend),
            (-2, 2, 2.0 * diagonal, Family::Bend),
        ]
    }

    /// All springs of the sheet, each once, ordered by first particle and then +x, +y, diagonal, antidiagonal, first
    /// neighbours before second ones.
    pub fn springs(&self) -> Vec<Spring> {
        let steps = self.steps();
        let mut springs = Vec::with_capacity(steps.len() * self.particle_count());
        for j in 0..self.ny {
            for i in 0..self.nx {
                for (columns, rows, rest, family) in steps {
                    let Some(column) = i.checked_add_signed(columns) else { continue };
                    if column < self.nx && j + rows < self.ny {
                        springs.push(Spring { i: self.index(i, j), j: self.index(column, j + rows), rest, family });
                    }
                }
            }
        }
        springs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn springs_of_a_sheet_are_counted_by_family() {
        let grid = Grid::new(4, 3, 0.5).unwrap();
        let springs = grid.springs();
        let count = |family| springs.iter().filter(|s| s.family == family).count();
        assert_eq!(count(Family::Stretch), 3 * 3 + 4 * 2);
        assert_eq!(count(Family::Shear), 2 * 3 * 2);
        assert_eq!(count(Family::Bend), 2 * 3 + 4 + 2 * 2);
    }

    #[test]
    fn every_spring_is_at_its_rest_length_in_the_flat_sheet() {
        let grid = Grid::new(7, 5, 0.3).unwrap();
        let x = grid.flat();
        for spring in grid.springs() {
            let length = (x[spring.j] - x[spring.i]).norm();
            assert!((length / spring.rest - 1.0).abs() < 1e-14, "{spring:?}");
        }
    }

    #[test]
    fn a_pin_outside_is_refused_by_name() {
        let grid = Grid::new(4, 3, 0.5).unwrap();
        assert_eq!(grid.pinned(Pin::At(3, 2)), Ok(11));
        let refused = grid.pinned(Pin::At(4, 0)).unwrap_err().to_string();
        assert_eq!(refused, "the pin [4, 0] lies outside the mesh of 4 x 3 particles");
        assert!(grid.pinned(Pin::Index(12)).is_err());
    }

    #[test]
    fn sizes_are_checked() {
        assert!(Grid::new(1, 5, 0.1).is_err());
        assert!(Grid::new(5, 3001, 0.1).is_err());
        assert!(Grid::new(5, 5, f64::NAN).is_err());
    }

    #[test]
    fn borders_are_told_apart() {
        let grid = Grid::new(3, 3, 1.0).unwrap();
        let borders: Vec<usize> = (0..9).map(|index| grid.borders(index)).collect();
        assert_eq!(borders, [2, 1, 2, 1, 0, 1, 2, 1, 2]);
    }
}
