mod division;
mod envelope;
mod subdomains;

pub(crate) use self::division::Division;
pub(crate) use self::subdomains::Subdomains;
use crate::symmetric_rows::SymmetricRows;
use crate::{BlockRows, Breakdown, Constraint, Preconditioner, Vec3};

/// Into which parts additive Schwarz divides a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Most rows of a part before it overlaps others, 1 to [`Parts::MOST_ROWS`].
    pub rows: usize,
    /// How many times a part grows by all rows that are joined to it, 0 to [`Parts::MOST_OVERLAP`].
    pub overlap: usize,
}

impl Parts {
    /// Most rows of a part before it overlaps others.
    pub const MOST_ROWS: usize = 128;

    /// Most layers by which parts overlap.
    pub const MOST_OVERLAP: usize = 4;
}

impl Default for Parts {
    /// 32 rows, which overlap once.
    fn default() -> Parts {
        Parts { rows: 32, overlap: 1 }
    }
}

/// Additive Schwarz \[Dryja & Widlund 1987; Boxerman 2003, 7.1\] in one level, constrained: P⁻¹ = sum over parts p of
/// R_pᵀ (R_p (S A S + c (I - S)) R_pᵀ)⁻¹ R_p, where R_p takes the rows of a part of the mesh, which overlaps its neighbours. Fully
/// constrained rows take no part.
///
/// The mesh is divided once for a pattern. Parts overlap along the blocks that are filled, so that none reaches into another
/// component of the matrix: P of a component by itself is that of the whole. Each part is factored directly. Without a coarse level
/// the iterations grow with the number of parts from one end of what is joined to the other.
#[derive(Clone, Debug)]
pub struct Schwarz {
    parts: Parts,
    division: Division,
    subdomains: Subdomains,
}

impl Schwarz {
    /// Of no rows, until it is factored.
    ///
    /// # Panics
    /// Where the parts are outside their range.
    pub fn new(parts: Parts) -> Schwarz {
        let Parts { rows, overlap } = parts;
        assert!((1..=Parts::MOST_ROWS).contains(&rows) && overlap <= Parts::MOST_OVERLAP, "no such parts: {parts:?}");
        Schwarz { parts, division: Division::default(), subdomains: Subdomains::default() }
    }

    /// Factors the parts of a matrix; allocates only for another pattern than before, and where more is filled than ever before.
    ///
    /// # Errors
    /// [`Breakdown`] at the first row of a part that is not finite or not positive definite. The preconditioner is I then.
    ///
    /// # Panics
    /// Unless there are as many constraints as rows.
    pub fn factor(&mut self, matrix: &BlockRows, constraints: &[Constraint]) -> Result<(), Breakdown> {
        self.division.divide(matrix, self.parts.rows);
        let Schwarz { parts, division, subdomains } = self;
        subdomains.factor(matrix, constraints, |row| division.part(row), parts.overlap)
    }

    /// Number of parts in which there are rows that are not fully constrained.
    pub fn part_count(&self) -> usize {
        self.subdomains.count()
    }

    /// Number of entries of all factors, their diagonals included.
    pub fn factor_entries(&self) -> usize {
        self.subdomains.entries()
    }

    /// Floating-point operations of the last factorisation, nominally the sum of the squares of the numbers of entries of its rows.
    pub fn factor_operations(&self) -> u64 {
        self.subdomains.squares()
    }
}

impl Preconditioner for Schwarz {
    /// Overwrites `h` with P⁻¹ r, part after part.
    ///
    /// # Panics
    /// Unless both have as many rows as were factored.
    fn apply(&self, r: &[Vec3], h: &mut [Vec3]) {
        self.subdomains.apply(r, h);
    }
}

/// Additive Schwarz for each component of a matrix by itself, from parts of the whole.
#[derive(Debug, Default)]
pub(crate) struct ComponentParts {
    division: Division,
    /// Of each component, and of more where there were more.
    subdomains: Vec<Subdomains>,
}

impl ComponentParts {
    /// Divides the mesh of a matrix, with room for so many components: who tells the part of a row of the whole, and their memory.
    pub fn divide(
        &mut self,
        matrix: &impl SymmetricRows,
        parts: Parts,
        components: usize,
    ) -> (&Division, impl Iterator<Item = &mut Subdomains>) {
        self.division.divide(matrix, parts.rows);
        if self.subdomains.len() < components {
            self.subdomains.resize_with(components, Subdomains::default);
        }
        (&self.division, self.subdomains.iter_mut())
    }
}
