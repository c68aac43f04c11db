use std::ops::Range;

use super::envelope::{Envelope, Factorisation, Solution};
use crate::block::is_finite;
use crate::lanes::{Eight, InstructionSet, Kernel};
use crate::symmetric_rows::SymmetricRows;
use crate::{Breakdown, Constraint, Preconditioner, Vec3};

/// Most rows of a part with those by which it overlaps others: what a solve keeps on the stack.
const MOST: usize = 512;

/// In no part, in no place.
const NONE: u32 = u32::MAX;

/// Overlapping parts of a constrained matrix with a factor L Lᵀ of each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Subdomains {
    joined: Joined,
    /// Rows of one part after the other, ascending within each.
    rows: Vec<u32>,
    /// Where the rows of each part end.
    ends: Vec<usize>,
    /// The [`Envelope`] of each part, for the same rows.
    firsts: Vec<u32>,
    begins: Vec<usize>,
    /// L of each part, its diagonal inverted.
    lower: Vec<f64>,
    /// Rows that are not fully constrained, behind the parts that they belong to.
    divided: Vec<(u32, u32)>,
    /// The place of each row in the part under way.
    places: Vec<u32>,
    is_factored: bool,
}

impl Subdomains {
    /// Number of parts.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// Entries of all factors.
    pub fn entries(&self) -> usize {
        self.lower.len()
    }

    /// Σ n_i² over the entries n_i of the rows of all factors.
    pub fn squares(&self) -> u64 {
        let of_row = |(place, first): (usize, &u32)| {
            let before = 3 * (place as u64 - u64::from(*first));
            (1..=3).map(|q| (before + q) * (before + q)).sum::<u64>()
        };
        ranges(&self.ends).flat_map(|part| self.firsts[part].iter().enumerate().map(of_row)).sum()
    }

    /// Factors the parts of a matrix, which grow `overlap` times along what is filled; `part_of` tells the part of a row before
    /// that. Where one breaks down, P = I.
    ///
    /// # Panics
    /// Unless there are as many constraints as rows.
    pub fn factor(
        &mut self,
        matrix: &impl SymmetricRows,
        constraints: &[Constraint],
        part_of: impl Fn(usize) -> u32,
        overlap: usize,
    ) -> Result<(), Breakdown> {
        assert_eq!(constraints.len(), matrix.row_count(), "one constraint for each row");
        self.joined.find(matrix, constraints);
        self.grow(constraints, part_of, overlap);
        self.lay_out();
        let factored = self.fill(matrix, constraints).and_then(|()| self.eliminate());
        self.is_factored = factored.is_ok();
        factored
    }

    /// Lists the rows of all parts.
    fn grow(&mut self, constraints: &[Constraint], part_of: impl Fn(usize) -> u32, overlap: usize) {
        let Subdomains { joined, rows, ends, divided, places, .. } = self;
        let free = (0..constraints.len()).filter(|row| constraints[*row].ndof() > 0);
        divided.clear();
        divided.reserve(constraints.len());
        divided.extend(free.map(|row| (part_of(row), row as u32)));
        divided.sort_unstable();
        rows.clear();
        ends.clear();
        ends.reserve(constraints.len());
        places.clear();
        places.resize(constraints.len(), NONE);
        for part in divided.chunk_by(|(part, _), (other, _)| part == other) {
            let start = rows.len();
            rows.extend(part.iter().map(|(_, row)| *row));
            rows[start..].iter().for_each(|row| places[*row as usize] = 0);
            let mut layer = start;
            for _ in 0..overlap {
                let end = rows.len();
                for at in layer..end {
                    for &other in joined.with(rows[at]) {
                        if places[other as usize] == NONE && rows.len() - start < MOST {
                            places[other as usize] = 0;
                            rows.push(other);
                        }
                    }
                }
                layer = end;
            }
            rows[start..].sort_unstable();
            rows[start..].iter().for_each(|row| places[*row as usize] = NONE);
            ends.push(rows.len());
        }
    }

    /// Finds the envelope of every part.
    fn lay_out(&mut self) {
        let Subdomains { joined, rows, ends, firsts, begins, lower, places, .. } = self;
        firsts.clear();
        begins.clear();
        let mut entries = 0;
        for part in ranges(ends) {
            let rows = &rows[part];
            for (place, row) in (0..).zip(rows) {
                places[*row as usize] = place; // of the rows before this one
                let first = joined.with(*row).iter().map(|other| places[*other as usize]).fold(place, u32::min);
                firsts.push(first);
                begins.push(entries);
                entries += Envelope::entries(place as usize, first);
            }
            rows.iter().for_each(|row| places[*row as usize] = NONE);
        }
        lower.clear();
        lower.resize(entries, 0.0);
    }

    /// Writes R (S A S + c (I - S)) Rᵀ into the place of every factor.
    fn fill(&mut self, matrix: &impl SymmetricRows, constraints: &[Constraint]) -> Result<(), Breakdown> {
        let Subdomains { rows, ends, firsts, begins, lower, places, .. } = self;
        for part in ranges(ends) {
            let envelope = Envelope { firsts: &firsts[part.clone()], begins: &begins[part.clone()] };
            let rows = &rows[part];
            (0..).zip(rows).for_each(|(place, row)| places[*row as usize] = place);
            for (place, row) in rows.iter().map(|row| *row as usize).enumerate() {
                let diagonal = constraints[row].project_block(&matrix.diagonal_block(row));
                let mut finite = is_finite(&diagonal);
                envelope.set(place, place, &diagonal, lower);
                for (column, block) in matrix.couplings(row, |column| places[column] != NONE) {
                    let block = match (&constraints[row], &constraints[column]) {
                        (Constraint::Free, Constraint::Free) => block,
                        (one, other) => one.projection() * block * other.projection(),
                    };
                    finite &= is_finite(&block);
                    envelope.set(places[column] as usize, place, &block.transpose(), lower);
                }
                if !finite {
                    return Err(Breakdown::NotFinite { row });
                }
            }
            rows.iter().for_each(|row| places[*row as usize] = NONE);
        }
        Ok(())
    }

    /// Replaces what is filled by its factors.
    fn eliminate(&mut self) -> Result<(), Breakdown> {
        let Subdomains { rows, ends, firsts, begins, lower, .. } = self;
        let set = InstructionSet::best();
        for part in ranges(ends) {
            let envelope = Envelope { firsts: &firsts[part.clone()], begins: &begins[part.clone()] };
            set.run(Factorisation { envelope, lower }).map_err(|unknown| {
                let row = rows[part.start + unknown / 3] as usize;
                Breakdown::NotPositiveDefinite { row }
            })?;
        }
        Ok(())
    }
}

impl Preconditioner for Subdomains {
    /// Overwrites `h` with P⁻¹ r, part after part; fully constrained rows keep r.
    ///
    /// # Panics
    /// Unless both have as many rows as were factored.
    fn apply(&self, r: &[Vec3], h: &mut [Vec3]) {
        let rows = self.places.len();
        assert_eq!([r.len(), h.len()], [rows; 2], "rows of r and h, of {rows} that are factored");
        h.copy_from_slice(r);
        if self.is_factored {
            self.divided.iter().for_each(|(_, row)| h[*row as usize] = Vec3::zeros());
            InstructionSet::best().run(Application { subdomains: self, r, h });
        }
    }
}

/// Adds what every part gives.
struct Application<'a> {
    subdomains: &'a Subdomains,
    r: &'a [Vec3],
    h: &'a mut [Vec3],
}

impl Kernel for Application<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let Application { subdomains: Subdomains { rows, ends, firsts, begins, lower, .. }, r, h } = self;
        let mut local = [0.0; 3 * MOST];
        let mut start = 0;
        for &end in ends {
            let envelope = Envelope { firsts: &firsts[start..end], begins: &begins[start..end] };
            Solution { envelope, lower, rows: &rows[start..end], local: &mut local }.add::<E>(r, h);
            start = end;
        }
    }
}

/// Where the rows of each part stand.
fn ranges(ends: &[usize]) -> impl Iterator<Item = Range<usize>> + '_ {
    [0].into_iter().chain(ends.iter().copied()).zip(ends).map(|(start, end)| start..*end)
}

/// For each row those that it is joined to, before it and behind it; fully constrained rows are joined to none.
#[derive(Clone, Debug, Default)]
struct Joined {
    /// Where those of each row begin, and the end.
    starts: Vec<usize>,
    others: Vec<u32>,
}

impl Joined {
    fn find(&mut self, matrix: &impl SymmetricRows, constraints: &[Constraint]) {
        let rows = matrix.row_count();
        let is_free = |row: &usize| constraints[*row].ndof() > 0;
        let pairs = || {
            let free = (0..rows).filter(is_free);
            free.flat_map(|row| matrix.joined(row).filter(is_free).map(move |other| [row, other]))
        };
        self.starts.clear();
        self.starts.resize(rows + 1, 0);
        pairs().flatten().for_each(|row| self.starts[row] += 1);
        let mut total = 0;
        for start in &mut self.starts {
            total += *start;
            *start = total; // the end of a row, until all of its others are written from there on down
        }
        self.others.clear();
        self.others.reserve(2 * matrix.above_count());
        self.others.resize(total, 0);
        for [row, other] in pairs() {
            for (row, other) in [(row, other), (other, row)] {
                self.starts[row] -= 1;
                self.others[self.starts[row]] = other as u32;
            }
        }
    }

    fn with(&self, row: u32) -> &[u32] {
        &self.others[self.starts[row as usize]..self.starts[row as usize + 1]]
    }
}
