use super::coarsening::Coarsening;
use crate::grid::GridVector;
use crate::lanes::{Kernel, Lanes, Number};

/// Overwrites `coarse` with Pᵀ `fine`, where P interpolates between coarse rows.
pub(super) struct Restriction<'a, S = f64> {
    pub coarsening: &'a Coarsening,
    pub fine: &'a GridVector<S>,
    pub coarse: &'a mut GridVector<S>,
    /// A line, see [`line_memory`].
    pub line: &'a mut [S],
}

/// Overwrites `fine` with `factor` times itself plus P `coarse`.
pub(super) struct Prolongation<'a, S = f64> {
    pub coarsening: &'a Coarsening,
    pub coarse: &'a GridVector<S>,
    pub factor: f64,
    pub fine: &'a mut GridVector<S>,
    pub line: &'a mut [S],
}

/// Memory for a line of fine rows and one that is not there on either side, two behind.
pub(super) fn line_memory<S: Number>(coarsening: &Coarsening) -> Vec<S> {
    vec![S::ZERO; coarsening.fine.nx() + 3]
}

impl<S: Number> Kernel<S> for Restriction<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<E: Lanes<Number = S>>(self) {
        let Restriction { coarsening, fine, coarse, line } = self;
        let half = S::rounded(0.5);
        let (nx, ny) = (coarsening.fine.nx(), coarsening.fine.ny());
        let [halve_x, halve_y] = coarsening.halved;
        let coarse_nx = coarsening.coarse.nx();
        for (fine, coarse) in fine.arrays().into_iter().zip(coarse.arrays_mut()) {
            for (number, coarse) in coarse.chunks_exact_mut(coarse_nx).take(coarsening.coarse.ny()).enumerate() {
                line.fill(S::ZERO);
                let sum = &mut line[1..=nx];
                if halve_y {
                    let middle = 2 * number;
                    for (number, weight) in [(middle.wrapping_sub(1), half), (middle, S::rounded(1.0)), (middle + 1, half)] {
                        if number < ny {
                            let fine = &fine[number * nx..(number + 1) * nx];
                            sum.iter_mut().zip(fine).for_each(|(sum, fine)| *sum = *sum + weight * *fine);
                        }
                    }
                } else {
                    sum.copy_from_slice(&fine[number * nx..(number + 1) * nx]);
                }
                if halve_x {
                    for (column, coarse) in coarse.iter_mut().enumerate() {
                        let place = 2 * column;
                        *coarse = line[place + 1] + half * (line[place] + line[place + 2]);
                    }
                } else {
                    coarse.copy_from_slice(sum);
                }
            }
        }
    }
}

impl<S: Number> Kernel<S> for Prolongation<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<E: Lanes<Number = S>>(self) {
        let Prolongation { coarsening, coarse, factor, fine, line } = self;
        let [half, factor] = [0.5, factor].map(S::rounded);
        let (nx, ny) = (coarsening.fine.nx(), coarsening.fine.ny());
        let [halve_x, halve_y] = coarsening.halved;
        let coarse_nx = coarsening.coarse.nx();
        for (coarse, fine) in coarse.arrays().into_iter().zip(fine.arrays_mut()) {
            for (number, fine) in fine.chunks_exact_mut(nx).take(ny).enumerate() {
                let line = &mut line[..coarse_nx];
                let before = if halve_y { number / 2 } else { number };
                line.copy_from_slice(&coarse[before * coarse_nx..(before + 1) * coarse_nx]);
                if halve_y && number % 2 == 1 {
                    let after = &coarse[(before + 1) * coarse_nx..(before + 2) * coarse_nx];
                    line.iter_mut().zip(after).for_each(|(line, after)| *line = half * (*line + *after));
                }
                if !halve_x {
                    fine.iter_mut().zip(line.iter()).for_each(|(fine, line)| *fine = factor * *fine + *line);
                    continue;
                }
                let (pairs, last) = fine.as_chunks_mut::<2>();
                for ([even, odd], ends) in pairs.iter_mut().zip(line.windows(2)) {
                    *even = factor * *even + ends[0];
                    *odd = factor * *odd + half * (ends[0] + ends[1]);
                }
                if let [last] = last {
                    *last = factor * *last + line[coarse_nx - 1];
                }
            }
        }
    }
}
