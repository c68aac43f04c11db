use crate::constraint::project;
use crate::dot::dot;
use crate::{Constraint, Operator, Preconditioner, Vec3};

/// The smallest and the largest eigenvalue of P⁻¹ A on range(S), as `steps` iterations of Lanczos see them from a `start` vector,
/// shape \[rows\]: those of conjugate gradients, whose coefficients make a tridiagonal matrix \[Golub & Van Loan, 10.2\]. Both lie
/// within the spectrum, and come near its ends from inside as steps grow. None where a number is not finite or A or P not positive
/// definite.
///
/// Rounding costs the vectors their orthogonality, which repeats eigenvalues that have been found but moves none.
///
/// # Panics
/// Where a length differs from the number of rows.
pub fn extreme_eigenvalues(
    operator: &(impl Operator + ?Sized),
    constraints: &[Constraint],
    preconditioner: &(impl Preconditioner + ?Sized),
    start: &[Vec3],
    steps: usize,
) -> Option<[f64; 2]> {
    let rows = operator.rows();
    assert_eq!([constraints.len(), start.len()], [rows; 2], "constraints and start of {rows} rows");
    let mut r = start.to_vec();
    let (mut h, mut s) = (vec![Vec3::zeros(); rows], vec![Vec3::zeros(); rows]);
    project(constraints, &mut r);
    preconditioner.apply(&r, &mut h);
    project(constraints, &mut h);
    let mut p = h.clone();
    let mut delta = dot(&r, &h);
    let first = delta;
    let (mut diagonal, mut squares) = (vec![], vec![]);
    let mut carried = 0.0; // beta / alpha of the iteration before
    for _ in 0..steps {
        if delta <= first * f64::EPSILON * f64::EPSILON {
            break; // the vectors span an invariant subspace
        }
        operator.apply(&p, &mut s);
        project(constraints, &mut s);
        let curvature = dot(&p, &s);
        if !(curvature.is_finite() && curvature > 0.0) {
            return None;
        }
        let alpha = delta / curvature;
        diagonal.push(1.0 / alpha + carried); // 1 / alpha_k + beta_k / alpha_{k-1}
        for i in 0..rows {
            r[i] -= alpha * s[i];
        }
        preconditioner.apply(&r, &mut h);
        project(constraints, &mut h);
        let next = dot(&r, &h);
        if !next.is_finite() || next < 0.0 {
            return None;
        }
        let beta = next / delta;
        squares.push(beta / (alpha * alpha)); // the square of sqrt(beta_{k+1}) / alpha_k
        carried = beta / alpha;
        for i in 0..rows {
            p[i] = h[i] + beta * p[i];
        }
        delta = next;
    }
    squares.pop();
    let last = diagonal.len().checked_sub(1)?;
    Some([eigenvalue(&diagonal, &squares, 0), eigenvalue(&diagonal, &squares, last)])
}

/// Bisections of an eigenvalue: more than a double has bits.
const BISECTIONS: u32 = 60;

/// The eigenvalue of that number, from the smallest as 0, of a symmetric tridiagonal matrix by its diagonal and the squares of the
/// entries beside it, by bisection with Sturm sequences.
fn eigenvalue(diagonal: &[f64], squares: &[f64], number: usize) -> f64 {
    let beside = |k: usize| squares.get(k).map_or(0.0, |square| square.sqrt());
    let reach = |k: usize| beside(k) + if k > 0 { beside(k - 1) } else { 0.0 };
    let circles = diagonal.iter().enumerate().map(|(k, d)| (d - reach(k), d + reach(k))); // of Gershgorin
    let (mut low, mut high) = circles.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (a, b)| (low.min(a), high.max(b)));
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (low + high);
        if count_below(diagonal, squares, middle) > number { high = middle } else { low = middle }
    }
    0.5 * (low + high)
}

/// Number of eigenvalues below `x`: the negative pivots of T - x I.
fn count_below(diagonal: &[f64], squares: &[f64], x: f64) -> usize {
    let mut below = 0;
    let mut pivot = 1.0;
    for (k, d) in diagonal.iter().enumerate() {
        let carried = if k > 0 { squares[k - 1] / pivot } else { 0.0 };
        pivot = d - x - carried;
        if pivot == 0.0 {
            pivot = f64::MIN_POSITIVE;
        }
        below += usize::from(pivot < 0.0);
    }
    below
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockDiagonal, BlockPattern, BlockRows, DiagonalKind, Identity, Mat3};

    const ROWS: usize = 20;

    /// I + c L for the Laplacian L of a chain, its first row held.
    fn chain(c: f64) -> (BlockRows, Vec<Constraint>) {
        let edges: Vec<(usize, usize)> = (1..ROWS).map(|i| (i - 1, i)).collect();
        let mut matrix = BlockRows::new(BlockPattern::new(ROWS, &edges));
        for row in 0..ROWS {
            matrix.add_diagonal(row, &Mat3::identity());
        }
        for (edge, &(i, j)) in edges.iter().enumerate() {
            matrix.add_diagonal(i, &(c * Mat3::identity()));
            matrix.add_diagonal(j, &(c * Mat3::identity()));
            matrix.add_pair(edge, &(-c * Mat3::identity()));
        }
        let mut constraints = vec![Constraint::Free; ROWS];
        constraints[0] = Constraint::Fixed;
        (matrix, constraints)
    }

    fn start() -> Vec<Vec3> {
        (0..ROWS).map(|i| Vec3::new(1.0, 0.3 + i as f64, ((7 * i) % 5) as f64 - 2.0)).collect()
    }

    #[test]
    fn a_chain_has_the_eigenvalues_of_its_sines() {
        let (matrix, constraints) = chain(50.0);
        let [low, high] = extreme_eigenvalues(&matrix, &constraints, &Identity, &start(), 200).unwrap();
        // held at one end and free at the other: 1 + 4 c sin²((2 k - 1) pi / (4 n + 2)), n free rows
        let n = (ROWS - 1) as f64;
        let exact = |k: f64| {
            let sine = libm::sin((2.0 * k - 1.0) * std::f64::consts::PI / (4.0 * n + 2.0));
            1.0 + 200.0 * sine * sine
        };
        assert!((low / exact(1.0) - 1.0).abs() < 1e-8, "{low} {}", exact(1.0));
        assert!((high / exact(n) - 1.0).abs() < 1e-8, "{high} {}", exact(n));
    }

    #[test]
    fn few_steps_stay_inside_the_spectrum() {
        let (matrix, constraints) = chain(50.0);
        let all = extreme_eigenvalues(&matrix, &constraints, &Identity, &start(), 200).unwrap();
        let few = extreme_eigenvalues(&matrix, &constraints, &Identity, &start(), 5).unwrap();
        assert!(few[0] > all[0] && few[1] < all[1] && few[0] < few[1], "{few:?} {all:?}");
    }

    #[test]
    fn a_perfect_preconditioner_leaves_one() {
        let (mut matrix, constraints) = chain(0.0);
        for row in 0..ROWS {
            matrix.add_diagonal(row, &((row + 1) as f64 * Mat3::identity()));
        }
        let mut blocks = BlockDiagonal::new(DiagonalKind::Constrained);
        blocks.factor(&matrix, &constraints).unwrap();
        let [low, high] = extreme_eigenvalues(&matrix, &constraints, &blocks, &start(), 50).unwrap();
        assert!((low - 1.0).abs() < 1e-12 && (high - 1.0).abs() < 1e-12);
    }

    #[test]
    fn an_indefinite_matrix_has_none() {
        let (mut matrix, constraints) = chain(1.0);
        matrix.add_diagonal(5, &(-100.0 * Mat3::identity()));
        assert_eq!(extreme_eigenvalues(&matrix, &constraints, &Identity, &start(), 50), None);
    }
}
