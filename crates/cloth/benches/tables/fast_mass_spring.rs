//! The loops of a textbook solver of projective dynamics \[Liu, Bargteil, O'Brien & Kavan 2013\], written out: springs one by one, a
//! matrix of three rows a particle, and a sparse factor column by column, in double or single precision. What the solver of this project
//! is measured beside.

use cloth::{Cloth, Family, State, System};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholeskyRaw, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMat, Triplet};
use faer::{Par, Side};
use nalgebra::{RealField, Vector3};

/// A spring, which acts both ways.
struct Spring<T> {
    ends: [usize; 2],
    rest: T,
    stiffness: T,
}

/// Positions of two steps, and what moves them on.
pub struct FastMassSpring<T> {
    springs: Vec<Spring<T>>,
    pinned: Vec<bool>,
    /// M / h² \[N/m\].
    inertia: Vec<T>,
    /// Gravity, which acts on every particle that is not held \[N\].
    weight: Vec<Vector3<T>>,
    q: Vec<Vector3<T>>,
    before: Vec<Vector3<T>>,
    /// L of L Lᵀ for three rows a free particle, in compressed columns, the diagonal first.
    starts: Vec<usize>,
    rows: Vec<u32>,
    values: Vec<T>,
    /// Rows of a particle in the factor; none where it is held.
    places: Vec<Option<usize>>,
    b: Vec<T>,
}

fn real<T: RealField + Copy>(x: f64) -> T {
    nalgebra::convert(x)
}

impl<T: RealField + Copy> FastMassSpring<T> {
    /// Of a sheet in steps of h \[s\]: its stretch and shear springs, and bend springs along warp and weft.
    pub fn new(cloth: &Cloth, h: f64) -> FastMassSpring<T> {
        let material = cloth.material();
        let stiffness = |family| match family {
            Family::Stretch => material.stretch.stiffness,
            Family::Shear => material.shear.stiffness,
            Family::Bend => material.bend,
        };
        let straight = 2.1 * cloth.grid().spacing();
        let springs: Vec<_> = cloth.springs().iter().filter(|spring| spring.rest < straight).collect();
        let pinned = cloth.pinned().to_vec();
        let free: Vec<usize> = (0..pinned.len()).filter(|i| !pinned[*i]).collect();
        let mut unknowns = vec![usize::MAX; pinned.len()];
        free.iter().enumerate().for_each(|(k, i)| unknowns[*i] = k);
        let mut entries: Vec<Triplet<usize, usize, f64>> =
            free.iter().enumerate().map(|(k, i)| Triplet::new(k, k, cloth.masses()[*i] / (h * h))).collect();
        for spring in &springs {
            let w = stiffness(spring.family);
            let [i, j] = [unknowns[spring.i], unknowns[spring.j]];
            entries.extend([i, j].into_iter().filter(|k| *k != usize::MAX).map(|k| Triplet::new(k, k, w)));
            if i != usize::MAX && j != usize::MAX {
                entries.push(Triplet::new(i.max(j), i.min(j), -w));
            }
        }
        let matrix = SparseColMat::<usize, f64>::try_new_from_triplets(free.len(), free.len(), &entries).expect("a matrix");
        let parameters = CholeskySymbolicParams {
            supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SIMPLICIAL,
            ..Default::default()
        };
        let symbolic = factorize_symbolic_cholesky(matrix.symbolic(), Side::Lower, SymmetricOrdering::Amd, parameters)
            .expect("enough memory");
        let mut factor = vec![0.0; symbolic.len_val()];
        let mut memory = MemBuffer::new(symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default()));
        symbolic
            .factorize_numeric_llt(
                &mut factor,
                matrix.as_ref(),
                Side::Lower,
                Default::default(),
                Par::Seq,
                MemStack::new(&mut memory),
                Default::default(),
            )
            .expect("a positive definite matrix");
        let SymbolicCholeskyRaw::Simplicial(raw) = symbolic.raw() else { unreachable!("simplicial was asked for") };
        let (mut starts, mut rows, mut values) = (vec![0], Vec::<u32>::new(), vec![]);
        for column in raw.col_ptr().windows(2) {
            for q in 0..3 {
                for entry in column[0]..column[1] {
                    rows.push((3 * raw.row_idx()[entry] + q) as u32);
                    values.push(real(factor[entry]));
                }
                starts.push(rows.len());
            }
        }
        let mut places = vec![None; pinned.len()];
        match symbolic.perm() {
            Some(order) => order.arrays().0.iter().enumerate().for_each(|(place, k)| places[free[*k]] = Some(3 * place)),
            None => free.iter().enumerate().for_each(|(k, i)| places[*i] = Some(3 * k)),
        }
        let q: Vec<Vector3<T>> = cloth.at_rest().x.iter().map(|x| x.map(real)).collect();
        FastMassSpring {
            springs: springs
                .iter()
                .map(|spring| Spring {
                    ends: [spring.i, spring.j],
                    rest: real(spring.rest),
                    stiffness: real(stiffness(spring.family)),
                })
                .collect(),
            inertia: cloth.masses().iter().map(|m| real(m / (h * h))).collect(),
            weight: cloth.masses().iter().map(|m| (*m * material.gravity).map(real)).collect(),
            before: q.clone(),
            q,
            b: vec![T::zero(); 3 * free.len()],
            pinned,
            starts,
            rows,
            values,
            places,
        }
    }

    /// A step of so many iterations.
    pub fn step(&mut self, iterations: usize) {
        let y: Vec<Vector3<T>> = self.q.iter().zip(&self.before).map(|(q, before)| q + q - before).collect();
        self.before.copy_from_slice(&self.q);
        for _ in 0..iterations {
            for (i, place) in self.places.iter().enumerate() {
                if let Some(place) = place {
                    let b = y[i] * self.inertia[i] + self.weight[i];
                    self.b[*place..*place + 3].copy_from_slice(b.as_slice());
                }
            }
            for &Spring { ends: [i, j], rest, stiffness } in &self.springs {
                let x = self.q[i] - self.q[j];
                let d = x * (stiffness * rest / x.norm()); // k times the projection
                for (end, other, sign) in [(i, j, T::one()), (j, i, -T::one())] {
                    if let Some(place) = self.places[end] {
                        let held = if self.pinned[other] { self.q[other] * stiffness } else { Vector3::zeros() };
                        for q in 0..3 {
                            self.b[place + q] += sign * d[q] + held[q];
                        }
                    }
                }
            }
            self.solve();
            for (i, place) in self.places.iter().enumerate() {
                if let Some(place) = place {
                    self.q[i] = Vector3::from_column_slice(&self.b[*place..*place + 3]);
                }
            }
        }
    }

    /// Forward by columns, backward by their products.
    fn solve(&mut self) {
        let columns = self.starts.len() - 1;
        for column in 0..columns {
            let (start, end) = (self.starts[column], self.starts[column + 1]);
            let x = self.b[column] / self.values[start];
            self.b[column] = x;
            for entry in start + 1..end {
                self.b[self.rows[entry] as usize] -= self.values[entry] * x;
            }
        }
        for column in (0..columns).rev() {
            let (start, end) = (self.starts[column], self.starts[column + 1]);
            let mut x = self.b[column];
            for entry in start + 1..end {
                x -= self.values[entry] * self.b[self.rows[entry] as usize];
            }
            self.b[column] = x / self.values[start];
        }
    }

    /// Entries of the factor of one coordinate.
    pub fn entries(&self) -> usize {
        self.values.len() / 3
    }

    /// Positions, and no velocities.
    pub fn state(&self) -> State {
        State::at_rest(self.q.iter().map(|q| q.map(|q| nalgebra::try_convert(q).unwrap_or(f64::NAN))).collect())
    }
}
