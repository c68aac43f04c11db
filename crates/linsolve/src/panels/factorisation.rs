use super::plan::{Panel, Plan, padded};
use super::solution::subtract;
use super::{LANES, Pivots};
use crate::lanes::{Eight, Kernel};

/// Columns that are worked on together.
const BLOCK: usize = 4;

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
pub(super) fn factor_panel<E: Eight, const SYMMETRIC: bool>(
    height: usize,
    lower: &mut [f64],
    upper: &mut [f64],
    pivots: &mut [f64],
    policy: Pivots,
) -> Result<(), usize> {
    let width = pivots.len();
    for first in (0..width).step_by(BLOCK) {
        let begin = first - first % LANES;
        let block = BLOCK.min(width - first);
        if first > 0 {
            let (l, of_l) = lower.split_at_mut(first * height);
            let (u, of_u) = upper.split_at_mut(first * height);
            let both = [(&*l, &*u, of_l), (&*u, &*l, of_u)];
            for (known, factors, target) in both.into_iter().take(if SYMMETRIC { 1 } else { 2 }) {
                match block {
                    BLOCK => {
                        subtract_products::<E, BLOCK>(known, factors, first, height, target, height, [begin, begin, first]);
                    }
                    _ => {
                        for k in 0..block {
                            let column = &mut target[k * height..];
                            subtract_products::<E, 1>(known, factors, first, height, column, height, [begin, begin, first + k]);
                        }
                    }
                }
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
            let pivot = checked(if SYMMETRIC { column[k] } else { row[k] }, policy).ok_or(k)?;
            pivots[k] = pivot;
            column[begin..=k].fill(0.0); // what stands above the diagonals means nothing
            if !SYMMETRIC {
                row[begin..=k].fill(0.0);
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
        Pivots::Positive => (pivot > 0.0).then_some(pivot),
        Pivots::NotZero => (pivot != 0.0 && pivot.is_finite()).then_some(pivot),
        Pivots::Replaced { smallest, replacement } if pivot.abs() <= smallest => {
            Some(if pivot < 0.0 { -replacement } else { replacement })
        }
        Pivots::Replaced { .. } => pivot.is_finite().then_some(pivot),
    }
}

/// Subtracts Σ_k l_k s_kj from N columns, k over the first `count` columns of `l` and of `scaled`, both of `height` rows. Rows of
/// the target from the first of `places` on stand at the second in `l`; s_kj of its first column at the third in `scaled`.
#[inline(always)]
fn subtract_products<E: Eight, const N: usize>(
    l: &[f64],
    scaled: &[f64],
    count: usize,
    height: usize,
    target: &mut [f64],
    stride: usize,
    places: [usize; 3],
) {
    let [begin, of_l, of_scaled] = places;
    let (l, scaled) = (&l[..count * height], &scaled[..count * height]);
    let mut row = begin;
    while row + 2 * LANES <= stride {
        let mut sums = [[E::splat(0.0); 2]; N];
        for j in 0..N {
            sums[j] = [E::load_from(target, j * stride + row), E::load_from(target, j * stride + row + LANES)];
        }
        let from = row - begin + of_l;
        for (l, s) in l.chunks_exact(height).zip(scaled.chunks_exact(height)) {
            let l = [E::load_from(l, from), E::load_from(l, from + LANES)];
            let s = &s[of_scaled..of_scaled + N];
            for j in 0..N {
                let s = E::splat(s[j]);
                sums[j] = [sums[j][0] - l[0] * s, sums[j][1] - l[1] * s];
            }
        }
        for j in 0..N {
            sums[j][0].store_to(target, j * stride + row);
            sums[j][1].store_to(target, j * stride + row + LANES);
        }
        row += 2 * LANES;
    }
    if row < stride {
        let mut sums = [E::splat(0.0); N];
        for j in 0..N {
            sums[j] = E::load_from(target, j * stride + row);
        }
        let from = row - begin + of_l;
        for (l, s) in l.chunks_exact(height).zip(scaled.chunks_exact(height)) {
            let l = E::load_from(l, from);
            let s = &s[of_scaled..of_scaled + N];
            for j in 0..N {
                sums[j] = sums[j] - l * E::splat(s[j]);
            }
        }
        for j in 0..N {
            sums[j].store_to(target, j * stride + row);
        }
    }
}

/// Overwrites what a panel leaves of its rows below by -L D Lᵀ, its lower triangle.
#[inline(always)]
pub(super) fn leave<E: Eight>(panel: &Panel, values: &[f64], scaled: &[f64], left: &mut [f64]) {
    let (height, stride) = (panel.height(), padded(panel.below));
    let left = &mut left[panel.left..panel.left + stride * stride];
    for first in (0..panel.below).step_by(BLOCK) {
        let begin = first - first % LANES;
        let columns = &mut left[first * stride..(first + BLOCK) * stride];
        let places = [begin, panel.first_below() + begin, panel.first_below() + first];
        columns.chunks_exact_mut(stride).for_each(|column| column[begin..].fill(0.0));
        subtract_products::<E, BLOCK>(values, scaled, panel.width, height, columns, stride, places);
    }
}

/// Adds what a child has left in the columns of its parent.
#[inline(always)]
pub(super) fn add_to_columns(plan: &Plan, child: &Panel, parent: &Panel, left: &[f64], values: &mut [f64]) {
    let (places, stride, height) = (plan.places_in_parent(child), padded(child.below), parent.height());
    for (j, place) in places.iter().enumerate().take_while(|(_, place)| (**place as usize) < parent.width) {
        let column = &mut values[*place as usize * height..][..height];
        add(&left[child.left + j * stride..][j..child.below], &places[j..], 0, column);
    }
}

/// Adds the rest of it to what the parent leaves.
#[inline(always)]
pub(super) fn add_to_left(plan: &Plan, child: &Panel, parent: &Panel, left: &mut [f64]) {
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
fn add(source: &[f64], places: &[u32], first: usize, target: &mut [f64]) {
    let begin = places[0] as usize - first;
    if places[places.len() - 1] as usize - first - begin + 1 == places.len() {
        target[begin..begin + source.len()].iter_mut().zip(source).for_each(|(target, source)| *target += source);
    } else {
        source.iter().zip(places).for_each(|(source, place)| target[*place as usize - first] += source);
    }
}
