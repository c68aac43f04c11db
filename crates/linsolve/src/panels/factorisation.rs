use super::plan::{Panel, Plan, padded};
use super::products::{BLOCK, Products};
use super::solution::subtract;
use super::{LANES, Pivots};
use crate::lanes::{Eight, Kernel, Lanes, Number};

/// Columns of a panel that take those before them together.
const GROUP: usize = 32;

/// A factorisation of a matrix whose values are in their places; gives the column whose pivot ended it.
pub(super) struct Factorisation<'a, const SYMMETRIC: bool> {
    pub plan: &'a Plan,
    pub lower: &'a mut [f64],
    pub upper: &'a mut [f64],
    pub pivots: &'a mut [f64],
    pub left: &'a mut [Vec<f64>; 2],
    pub policy: Pivots,
}

impl<const SYMMETRIC: bool> Kernel for Factorisation<'_, SYMMETRIC> {
    type Output = Result<(), usize>;

    #[inline(always)]
    fn run<E: Eight>(self) -> Result<(), usize> {
        let Factorisation { plan, lower, upper, pivots, left: [left, left_transposed], policy } = self;
        for panel in &plan.panels {
            let height = panel.height();
            let of_panel = panel.factor..panel.factor + panel.width * height;
            let upper = &mut upper[if SYMMETRIC { 0..of_panel.len() } else { of_panel.clone() }];
            let lower = &mut lower[of_panel];
            for child in plan.children(panel) {
                add_to_columns(plan, child, panel, left, lower);
                if !SYMMETRIC {
                    add_to_columns(plan, child, panel, left_transposed, upper);
                }
            }
            let pivots = &mut pivots[panel.start..panel.end()];
            factor_panel::<E, SYMMETRIC>(height, lower, upper, pivots, policy).map_err(|k| panel.start + k)?;
            leave::<E>(panel, lower, upper, left);
            if !SYMMETRIC {
                leave::<E>(panel, upper, lower, left_transposed);
            }
            for child in plan.children(panel) {
                add_to_left(plan, child, panel, left);
                if !SYMMETRIC {
                    add_to_left(plan, child, panel, left_transposed);
                }
            }
        }
        Ok(())
    }
}

/// Overwrites the columns of a panel by those of L and of Uᵀ, which is L D where the matrix is symmetric.
#[inline(always)]
pub(super) fn factor_panel<E: Lanes, const SYMMETRIC: bool>(
    height: usize,
    lower: &mut [E::Number],
    upper: &mut [E::Number],
    pivots: &mut [f64],
    policy: Pivots,
) -> Result<(), usize> {
    let width = pivots.len();
    for first in (0..width).step_by(BLOCK) {
        let begin = first - first % LANES;
        let block = BLOCK.min(width - first);
        // a group as a whole takes the columns before it, and then each block those before it in the group
        let group = first - first % GROUP;
        let (known, end) = if first == group { (0..group, width.min(group + GROUP)) } else { (group..first, first + block) };
        if !known.is_empty() {
            let products = Products { count: known.len(), height, origin: 0, columns: first..end };
            let known = known.start * height..known.end * height;
            let (l, of_l) = lower.split_at_mut(first * height);
            let (u, of_u) = upper.split_at_mut(first * height);
            let (l, u) = (&l[known.clone()], &u[known]);
            products.subtract::<E>([l, u], of_l, height);
            if !SYMMETRIC {
                products.subtract::<E>([u, l], of_u, height);
            }
        }
        for k in first..first + block {
            let (l, column) = lower[first * height..(k + 1) * height].split_at_mut((k - first) * height);
            let (u, row) = upper[first * height..(k + 1) * height].split_at_mut((k - first) * height);
            for (l, u) in l.chunks_exact(height).zip(u.chunks_exact(height)) {
                subtract::<E>(l, u[k], begin, column);
                if !SYMMETRIC {
                    subtract::<E>(u, l[k], begin, row);
                }
            }
            let pivot = checked(if SYMMETRIC { column[k] } else { row[k] }.into(), policy).ok_or(k)?;
            pivots[k] = pivot;
            column[begin..=k].fill(E::Number::ZERO); // what stands above the diagonals means nothing
            if !SYMMETRIC {
                row[begin..=k].fill(E::Number::ZERO);
            }
            let inverse = E::splat(1.0 / pivot);
            for at in (begin..height).step_by(LANES) {
                let value = E::load_from(column, at);
                if SYMMETRIC {
                    value.store_to(row, at);
                }
                (value * inverse).store_to(column, at);
            }
        }
    }
    Ok(())
}

/// The pivot to go on with.
#[inline(always)]
fn checked(pivot: f64, policy: Pivots) -> Option<f64> {
    match policy {
        Pivots::Positive => (pivot > 0.0 && pivot.is_finite()).then_some(pivot),
        Pivots::NotZero => (pivot != 0.0 && pivot.is_finite()).then_some(pivot),
        Pivots::Replaced { smallest, replacement } if pivot.abs() <= smallest => {
            Some(if pivot < 0.0 { -replacement } else { replacement })
        }
        Pivots::Replaced { .. } => pivot.is_finite().then_some(pivot),
    }
}

/// Overwrites what a panel leaves of its rows below by -L D Lᵀ, its lower triangle.
#[inline(always)]
pub(super) fn leave<E: Lanes>(panel: &Panel, values: &[E::Number], scaled: &[E::Number], left: &mut [E::Number]) {
    let stride = padded(panel.below);
    let left = &mut left[panel.left..panel.left + stride * stride];
    for (column, values) in left.chunks_exact_mut(stride.max(1)).enumerate() {
        values[column - column % LANES..].fill(E::Number::ZERO);
    }
    let columns = 0..panel.below.next_multiple_of(BLOCK);
    let products = Products { count: panel.width, height: panel.height(), origin: panel.first_below(), columns };
    products.subtract::<E>([values, scaled], left, stride);
}

/// Adds what a child has left in the columns of its parent.
#[inline(always)]
pub(super) fn add_to_columns<S: Number>(plan: &Plan, child: &Panel, parent: &Panel, left: &[S], values: &mut [S]) {
    let (places, stride, height) = (plan.places_in_parent(child), padded(child.below), parent.height());
    for (j, place) in places.iter().enumerate().take_while(|(_, place)| (**place as usize) < parent.width) {
        let column = &mut values[*place as usize * height..][..height];
        add(&left[child.left + j * stride..][j..child.below], &places[j..], 0, column);
    }
}

/// Adds the rest of it to what the parent leaves.
#[inline(always)]
pub(super) fn add_to_left<S: Number>(plan: &Plan, child: &Panel, parent: &Panel, left: &mut [S]) {
    let (places, stride, of_parent) = (plan.places_in_parent(child), padded(child.below), padded(parent.below));
    let first = places.partition_point(|place| (*place as usize) < parent.first_below());
    for j in first..places.len() {
        let target = parent.left + (places[j] as usize - parent.first_below()) * of_parent;
        let source = child.left + j * stride;
        // the two are apart, since a child keeps what it left until its parent has all of it
        let (source, column) = if source < target {
            let (before, after) = left.split_at_mut(target);
            (&before[source..source + stride], &mut after[..of_parent])
        } else {
            let (before, after) = left.split_at_mut(source);
            (&after[..stride], &mut before[target..target + of_parent])
        };
        add(&source[j..child.below], &places[j..], parent.first_below(), column);
    }
}

/// Adds numbers at their places, counted from `first` on.
#[inline(always)]
fn add<S: Number>(source: &[S], places: &[u32], first: usize, target: &mut [S]) {
    let begin = places[0] as usize - first;
    if places[places.len() - 1] as usize - first - begin + 1 == places.len() {
        target[begin..begin + source.len()].iter_mut().zip(source).for_each(|(target, source)| *target = *target + *source);
    } else {
        for (source, place) in source.iter().zip(places) {
            let target = &mut target[*place as usize - first];
            *target = *target + *source;
        }
    }
}
