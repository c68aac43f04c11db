use super::edge_system::{EdgeSystem, fill_values};
use super::{EdgeConstraints, FilterReport};
use crate::Vec3;

/// Solves Newton's systems of the implicit constraint direction by conjugate gradients that stay on the linearised constraints
/// \[Gould, Hribar & Nocedal 2001\], preconditioned with the masses: each product with M + H takes one solve with (grad C) M⁻¹
/// (grad C)ᵀ, the matrix of fast projection, which is factored once a system. H is as large against M as the candidate's strain,
/// so that few suffice.
pub(super) struct ProjectedNewton {
    system: EdgeSystem,
    /// Right sides and solutions of the edges' system, shape \[edges\].
    mu: Vec<f64>,
    /// Shape \[particle_count\]: the correction dx, r = (M + H) dx + M F, its projection g, the direction p, and (M + H) p.
    dx: Vec<Vec3>,
    r: Vec<Vec3>,
    g: Vec<Vec3>,
    p: Vec<Vec3>,
    product: Vec<Vec3>,
}

impl ProjectedNewton {
    /// Share of the first residual along the constraints at which iterations end, and their limit.
    const SOLVED: f64 = 1e-8;
    const LIMIT: usize = 60;
    /// Nominal operations of an iteration for each edge and each particle, besides the solve: the product, the projection's two
    /// gradients, three updates and two dot products.
    const EDGE_OPERATIONS: u64 = 40;
    const PARTICLE_OPERATIONS: u64 = 30;

    pub fn new(constraints: &EdgeConstraints) -> ProjectedNewton {
        let (edges, zeros) = (constraints.edges().len(), vec![Vec3::zeros(); constraints.particle_count()]);
        let [dx, r, g, p] = [zeros.clone(), zeros.clone(), zeros.clone(), zeros.clone()];
        ProjectedNewton { system: EdgeSystem::new(constraints), mu: vec![0.0; edges], dx, r, g, p, product: zeros }
    }

    /// One step of Newton's method on `x` \[m\] and `mu` \[kg m\] from F in `residual`; returns the relative residual of its
    /// system. None, and nothing changed, where the matrix is rank-deficient, M + H is not positive definite along the
    /// constraints, or the iterations do not suffice.
    pub fn correct(
        &mut self,
        constraints: &EdgeConstraints,
        residual: &[Vec3],
        x: &mut [Vec3],
        mu: &mut [f64],
        report: &mut FilterReport,
    ) -> Option<f64> {
        self.system.factor_at(constraints, x, report).ok()?;
        fill_values(constraints, x, &mut self.mu);
        self.system.solve(&mut self.mu, report);
        self.dx.fill(Vec3::zeros());
        self.system.correct(constraints, &self.mu, &mut self.dx); // the step of fast projection: grad C dx = -C
        multiply(constraints, mu, &self.dx, &mut self.r);
        for ((r, f), w) in self.r.iter_mut().zip(residual).zip(constraints.inverse_masses()) {
            *r = if *w > 0.0 { *r + f / *w } else { Vec3::zeros() }; // (M + H) dx + M F
        }
        let mut square = self.project(constraints, report); // rᵀ g
        let enough = ProjectedNewton::SOLVED * ProjectedNewton::SOLVED * square;
        let first = square;
        self.p.iter_mut().zip(&self.g).for_each(|(p, g)| *p = -g);
        let mut iterations = 0;
        while square > enough {
            if iterations == ProjectedNewton::LIMIT {
                return None;
            }
            iterations += 1;
            multiply(constraints, mu, &self.p, &mut self.product);
            let curvature = dot(&self.p, &self.product);
            if curvature.is_nan() || curvature <= 0.0 {
                return None;
            }
            let alpha = square / curvature;
            for k in 0..self.dx.len() {
                self.dx[k] += alpha * self.p[k];
                self.r[k] += alpha * self.product[k];
            }
            let next = self.project(constraints, report);
            let beta = next / square;
            self.p.iter_mut().zip(&self.g).for_each(|(p, g)| *p = beta * *p - g);
            square = next;
        }
        x.iter_mut().zip(&self.dx).for_each(|(x, dx)| *x += dx);
        mu.iter_mut().zip(&self.mu).for_each(|(mu, y)| *mu -= y); // (grad C)ᵀ dmu = -r up to what is left along the constraints
        Some(if first > 0.0 { (square.max(0.0) / first).sqrt() } else { 0.0 })
    }

    /// g = M⁻¹ (r - (grad C)ᵀ y) with y in `mu` such that grad C g = 0; returns rᵀ g.
    fn project(&mut self, constraints: &EdgeConstraints, report: &mut FilterReport) -> f64 {
        let w = constraints.inverse_masses();
        for ((y, edge), gradient) in self.mu.iter_mut().zip(constraints.edges()).zip(&self.system.gradients) {
            *y = gradient.dot(&(w[edge.j] * self.r[edge.j] - w[edge.i] * self.r[edge.i])); // grad C M⁻¹ r
        }
        self.system.solve(&mut self.mu, report);
        self.g.iter_mut().zip(&self.r).zip(w).for_each(|((g, r), w)| *g = *w * r);
        self.system.correct(constraints, &self.mu, &mut self.g);
        report.operations += ProjectedNewton::EDGE_OPERATIONS * self.mu.len() as u64;
        report.operations += ProjectedNewton::PARTICLE_OPERATIONS * self.g.len() as u64;
        dot(&self.r, &self.g)
    }
}

/// Overwrites `product` with (M + H) y, H = Σ 2 mu/l \[I -I; -I I\], for particles that can move, and with zero for others.
fn multiply(constraints: &EdgeConstraints, mu: &[f64], y: &[Vec3], product: &mut [Vec3]) {
    let w = constraints.inverse_masses();
    for ((product, y), w) in product.iter_mut().zip(y).zip(w) {
        *product = if *w > 0.0 { y / *w } else { Vec3::zeros() };
    }
    for (edge, mu) in constraints.edges().iter().zip(mu) {
        let force = 2.0 * mu / edge.rest * edge.vector(y);
        for (end, sign) in [(edge.i, -1.0), (edge.j, 1.0)] {
            if w[end] > 0.0 {
                product[end] += sign * force;
            }
        }
    }
}

fn dot(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(b)).sum()
}

#[cfg(test)]
mod tests {
    use crate::Grid;
    use crate::inextensible::fixtures::{projected, scrambled};
    use crate::inextensible::{EdgeConstraints, FilterStop, Icd, Limits};

    #[test]
    fn newton_by_projected_gradients_is_newton_by_a_factor() {
        let grid = Grid::new(6, 6, 0.2).unwrap();
        let mut pinned = [false; 36];
        pinned[7] = true;
        let masses: Vec<f64> = (0..36).map(|k| 0.1 + 0.01 * f64::from(k % 7)).collect();
        let constraints = EdgeConstraints::new(&EdgeConstraints::edges_of_grid(&grid), &masses, &pinned).unwrap();
        let candidate = scrambled(&grid, 0.01);
        for iterations in [1, 2, 20] {
            let limits = Limits::new(1e-9, iterations).unwrap();
            let (mut direct, mut iterative) =
                (Icd::new(constraints.clone(), limits), Icd::projected(constraints.clone(), limits));
            let (one, x) = projected(&mut direct, &candidate);
            let (other, y) = projected(&mut iterative, &candidate);
            let apart = x.iter().zip(&y).map(|(x, y)| (x - y).norm()).fold(0.0, f64::max);
            assert!(apart < 1e-9 && one.iterations == other.iterations, "{apart} {one:?} {other:?}");
            let multipliers = direct.multipliers().iter().zip(iterative.multipliers());
            assert!(multipliers.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) < 1e-8);
            assert!(iterative.worst_residual() < 1e-8 && y[7] == candidate[7]);
            assert_eq!(other.factorisations, other.iterations, "one factor a system: none was solved directly");
            assert_eq!(one.stop == FilterStop::Converged, iterations == 20);
        }
    }
}
