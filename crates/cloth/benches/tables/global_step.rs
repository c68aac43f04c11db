//! The matrix of the global step, factored and solved for three right sides: panels beside the sparse Cholesky of faer.

use cloth::{Cloth, Material, System, Vec3};
use faer::linalg::solvers::SolveCore;
use faer::sparse::linalg::solvers::{Llt, SymbolicLlt};
use faer::sparse::{SparseColMat, Triplet};
use faer::{Conj, Mat, Par, Side};
use linsolve::scalar::{ScalarCholesky, ScalarPattern};

use crate::clock::medians;
use crate::sheets::{DT, canonical_pins, canonical_sheet};

const SIDES: [usize; 3] = [32, 64, 128];

/// The lower triangle of M/h² + L over the particles that are free: rows, columns and values, each place once.
fn matrix(side: usize) -> (usize, Vec<(usize, usize, f64)>) {
    let cloth = canonical_sheet(side, &canonical_pins(side));
    let material = Material { compression: true, ..*cloth.material() };
    let cloth = Cloth::new(*cloth.grid(), material, &canonical_pins(side)).expect("a material");
    let free: Vec<usize> = (0..cloth.particle_count()).filter(|i| !cloth.pinned()[*i]).collect();
    let mut unknowns = vec![None; cloth.particle_count()];
    free.iter().enumerate().for_each(|(k, i)| unknowns[*i] = Some(k));
    let mut entries = std::collections::BTreeMap::new();
    for (k, i) in free.iter().enumerate() {
        *entries.entry((k, k)).or_insert(0.0) += cloth.masses()[*i] / (DT * DT);
    }
    cloth.add_curvatures(DT, &mut |i, j, w| {
        let ends = [unknowns[i], unknowns[j]];
        ends.into_iter().flatten().for_each(|k| *entries.entry((k, k)).or_insert(0.0) += w);
        if let [Some(k), Some(l)] = ends {
            *entries.entry((k.max(l), k.min(l))).or_insert(0.0) -= w;
        }
    });
    (free.len(), entries.into_iter().map(|((row, column), value)| (row, column, value)).collect())
}

/// Prints the table.
pub fn print() {
    faer::set_global_parallelism(Par::Seq);
    println!("## The global step's matrix");
    println!();
    println!("| N | entries | factor, panels [ms] | faer | solve, panels [ms] | faer |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for side in SIDES {
        let (unknowns, entries) = matrix(side);
        let pairs: Vec<(usize, usize)> = entries.iter().map(|(row, column, _)| (*row, *column)).collect();
        let pattern = ScalarPattern::lower(unknowns, &pairs);
        let mut ours = ScalarCholesky::new(&pattern);
        ours.values_mut().fill(0.0);
        for &(row, column, value) in &entries {
            let place = pattern.place(row, column).expect("a place of the pattern");
            ours.values_mut()[place] = value;
        }
        let triplets: Vec<_> = entries.iter().map(|&(row, column, value)| Triplet::new(row, column, value)).collect();
        let sparse = SparseColMat::<usize, f64>::try_new_from_triplets(unknowns, unknowns, &triplets).expect("a matrix");
        let symbolic = SymbolicLlt::try_new(sparse.symbolic(), Side::Lower).expect("enough memory");
        let theirs = |symbolic: &SymbolicLlt<usize>| {
            Llt::try_new_with_symbolic(symbolic.clone(), sparse.as_ref(), Side::Lower).expect("a definite matrix")
        };
        let factor = theirs(&symbolic);
        ours.factor().expect("a definite matrix");
        let right: Vec<Vec3> = (0..unknowns).map(|k| Vec3::new((k % 7) as f64, 1.0, -((k % 3) as f64))).collect();
        let columns = Mat::from_fn(unknowns, 3, |row, axis| right[row][axis]);
        let mut x = columns.clone();
        factor.solve_in_place_with_conj(Conj::No, x.as_mut());
        let mut b = right.clone();
        ours.solve_vectors(&mut b);
        let apart = (0..unknowns)
            .map(|row| (0..3).map(|axis| (b[row][axis] - x[(row, axis)]).abs()).fold(0.0, f64::max))
            .fold(0.0, f64::max);
        assert!(apart < 1e-10, "both solve the system: {apart}");
        let entries = ours.factor_entries();
        let mut again = ScalarCholesky::new(&pattern);
        again.values_mut().copy_from_slice(ours.values_mut());
        let [panels, faer, solve, solve_of_faer] = medians([
            &mut || {
                let _pivot = std::hint::black_box(again.factor());
            },
            &mut || drop(std::hint::black_box(theirs(&symbolic))),
            &mut || {
                b.copy_from_slice(&right);
                ours.solve_vectors(&mut b);
            },
            &mut || {
                x.copy_from(&columns);
                factor.solve_in_place_with_conj(Conj::No, x.as_mut());
            },
        ])
        .map(|seconds| 1e3 * seconds);
        println!("| {side} | {entries} | {panels:.2} | {faer:.2} | {solve:.3} | {solve_of_faer:.3} |");
    }
}
