use super::{NodeMatrix, NodePanels};
use crate::lanes::{Kernel, Lanes, Number};
use crate::panels::factorisation::{add_to_columns, add_to_left, factor_panel, leave};
use crate::panels::{LANES, Pivots};

/// What a factorisation overwrites.
#[derive(Clone, Debug)]
pub(super) struct Work<S> {
    /// The panel under way, and L D of it.
    panel: Vec<S>,
    scaled: Vec<S>,
    /// Lower triangles of what panels leave for their parents.
    left: Vec<S>,
}

impl<S> Default for Work<S> {
    fn default() -> Work<S> {
        Work { panel: Vec::new(), scaled: Vec::new(), left: Vec::new() }
    }
}

/// A factorisation in the precision of S, for panels whose unknowns and couplings are those of the matrix; gives the unknown whose
/// pivot ended it.
pub(super) struct NodeFactorisation<'a, S> {
    pub panels: &'a mut NodePanels,
    pub work: &'a mut Work<S>,
    pub matrix: NodeMatrix<'a>,
}

impl<S: Number> Kernel<S> for NodeFactorisation<'_, S> {
    type Output = Result<(), usize>;

    #[inline(always)]
    fn run<E: Lanes<Number = S>>(self) -> Result<(), usize> {
        let NodeFactorisation { panels, work: Work { panel: values, scaled, left }, matrix } = self;
        values.resize(panels.plan.scaled_size, S::ZERO);
        scaled.resize(panels.plan.scaled_size, S::ZERO);
        left.resize(panels.plan.left_size, S::ZERO);
        for number in 0..panels.plan.panels.len() {
            let panel = &panels.plan.panels[number];
            let height = panel.height();
            if height == 0 {
                continue;
            }
            let values = &mut values[..panel.width * height];
            panels.fill(number, matrix, values);
            let NodePanels { plan, lower, units, inverses, .. } = &mut *panels;
            let panel = &plan.panels[number];
            for child in plan.children(panel) {
                add_to_columns(plan, child, panel, left, values);
            }
            let pivots = &mut inverses[panel.start..panel.end()];
            factor_panel::<E, true>(height, values, scaled, pivots, Pivots::Positive).map_err(|k| panel.start + k)?;
            leave::<E>(panel, values, scaled, left);
            for child in plan.children(panel) {
                add_to_left(plan, child, panel, left);
            }
            pivots.iter_mut().for_each(|pivot| *pivot = 1.0 / *pivot);
            let kept = lower[panel.factor..][..panel.width * height].chunks_exact_mut(height);
            for ((kept, column), unit) in kept.zip(values.chunks_exact(height)).zip(&mut units[panel.start..]) {
                *unit = rounded::<E>(column, kept);
            }
        }
        Ok(())
    }
}

/// Overwrites `kept` by the multiples of a unit that are nearest to the numbers of a column, finite ones, and gives the unit.
#[inline(always)]
pub(super) fn rounded<E: Lanes>(column: &[E::Number], kept: &mut [i16]) -> f64 {
    let mut largest = E::splat(0.0);
    for row in (0..column.len()).step_by(LANES) {
        let numbers = E::load_from(column, row);
        largest = largest.max(numbers).max(-numbers);
    }
    let mut lanes = [E::Number::ZERO; LANES];
    largest.store(&mut lanes);
    let largest = lanes.map(Into::into).into_iter().fold(0.0, f64::max);
    if largest == 0.0 {
        kept.fill(0);
        return 0.0;
    }
    let per_unit = UNITS / largest;
    for (kept, number) in kept.iter_mut().zip(column) {
        let number: f64 = (*number).into();
        *kept = (number * per_unit + WHOLE).to_bits() as i16;
    }
    largest / UNITS
}

/// Units of the largest number of a column.
const UNITS: f64 = 32767.0;

/// 3/2 2⁵²: the lowest bits of a small number and this are those of the nearest integer, which no instruction set has to look up.
const WHOLE: f64 = 6_755_399_441_055_744.0;
