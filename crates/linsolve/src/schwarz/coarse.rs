use super::envelope::{Envelope, Factorisation, solve};
use super::subdomains::{MOST, NONE};
use crate::lanes::{Eight, InstructionSet};
use crate::symmetric_rows::SymmetricRows;
use crate::{Breakdown, Constraint, Mat3, Vec3};

/// The coarse level of additive Schwarz \[Nicolaides 1987\]: R_0ᵀ (R_0 (S A S + c (I - S)) R_0ᵀ)⁻¹ R_0, where R_0 sums the rows of
/// each part before it overlaps others: its parts move as a whole. Where there are more than [`MOST`], neighbours move together.
#[derive(Clone, Debug, Default)]
pub(super) struct Coarse {
    /// The coarse row of each row; none of fully constrained ones.
    cells: Vec<u32>,
    firsts: Vec<u32>,
    begins: Vec<usize>,
    lower: Vec<f64>,
}

impl Coarse {
    /// Entries of its factor.
    pub fn entries(&self) -> usize {
        self.lower.len()
    }

    /// The envelope of its factor.
    pub fn envelope(&self) -> Envelope<'_> {
        Envelope { firsts: &self.firsts, begins: &self.begins }
    }

    /// Leaves it out.
    pub fn clear(&mut self) {
        [&mut self.cells, &mut self.firsts].into_iter().for_each(Vec::clear);
        self.begins.clear();
        self.lower.clear();
    }

    /// Factors it for a matrix whose blocks on and above the diagonal `block` projects, for rows that `divided` lists behind their
    /// parts, ascending.
    pub fn factor(
        &mut self,
        matrix: &impl SymmetricRows,
        constraints: &[Constraint],
        divided: &[(u32, u32)],
        block: impl Fn(usize, usize, &Mat3) -> Mat3,
    ) -> Result<(), Breakdown> {
        let Coarse { cells, firsts, begins, lower } = self;
        let parts = || divided.chunk_by(|(part, _), (other, _)| part == other);
        let count = parts().count();
        let shared = count.div_ceil(MOST).max(1); // parts that move together
        cells.clear();
        cells.resize(constraints.len(), NONE);
        for (number, part) in parts().enumerate() {
            part.iter().for_each(|(_, row)| cells[*row as usize] = (number / shared) as u32);
        }
        let is_free = |row: &usize| cells[*row] != NONE;
        let free = || (0..constraints.len()).filter(is_free);
        firsts.clear();
        firsts.extend(0..count.div_ceil(shared) as u32);
        for row in free() {
            for other in matrix.joined(row).filter(is_free) {
                let (one, other) = (cells[row].min(cells[other]), cells[row].max(cells[other]));
                firsts[other as usize] = firsts[other as usize].min(one);
            }
        }
        begins.clear();
        let mut entries = 0;
        for (place, first) in firsts.iter().enumerate() {
            begins.push(entries);
            entries += Envelope::entries(place, *first);
        }
        lower.clear();
        lower.resize(entries, 0.0);
        let envelope = Envelope { firsts, begins };
        for row in free() {
            let cell = cells[row] as usize;
            envelope.add(cell, cell, &block(row, row, &matrix.diagonal_block(row)), lower);
            for (column, coupling) in matrix.couplings(row, |column| cells[column] != NONE) {
                let (coupling, other) = (block(row, column, &coupling), cells[column] as usize);
                match cell.cmp(&other) {
                    std::cmp::Ordering::Less => envelope.add(other, cell, &coupling.transpose(), lower),
                    std::cmp::Ordering::Equal => envelope.add(cell, cell, &(coupling + coupling.transpose()), lower),
                    std::cmp::Ordering::Greater => envelope.add(cell, other, &coupling, lower),
                }
            }
        }
        let factored = InstructionSet::best().run(Factorisation { envelope, lower });
        factored.map_err(|unknown| {
            let row = cells.iter().position(|cell| *cell as usize == unknown / 3).unwrap_or(0);
            Breakdown::NotPositiveDefinite { row }
        })
    }

    /// Adds R_0ᵀ (...)⁻¹ R_0 r to `h`; `local` has three numbers for each coarse row, or more.
    #[inline(always)]
    pub fn add<E: Eight>(&self, r: &[Vec3], h: &mut [Vec3], local: &mut [f64]) {
        let y = &mut local[..3 * self.firsts.len()];
        y.fill(0.0);
        let cell = |cell: u32| (cell != NONE).then_some(3 * cell as usize);
        for (r, place) in r.iter().zip(&self.cells) {
            if let Some(place) = cell(*place) {
                (0..3).for_each(|q| y[place + q] += r[q]);
            }
        }
        solve::<E>(self.envelope(), &self.lower, y);
        for (h, place) in h.iter_mut().zip(&self.cells) {
            if let Some(place) = cell(*place) {
                *h += Vec3::new(y[place], y[place + 1], y[place + 2]);
            }
        }
    }
}
