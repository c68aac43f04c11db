use super::EdgeConstraints;
use crate::Vec3;

/// abs(strain) of all edges in a state \[-\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Strain {
    pub largest: f64,
    /// The 99th percentile: the smallest that at least 99 % of the edges do not exceed.
    pub percentile99: f64,
    /// The smallest that at least half of the edges do not exceed.
    pub median: f64,
    pub mean: f64,
}

/// Strains of states, with the memory to sort them.
#[derive(Clone, Debug, Default)]
pub struct StrainOf {
    strains: Vec<f64>,
}

impl StrainOf {
    /// Of the positions `x` \[m\]; all zero without edges.
    pub fn state(&mut self, constraints: &EdgeConstraints, x: &[Vec3]) -> Strain {
        self.strains.clear();
        self.strains.extend(constraints.edges().iter().map(|edge| edge.strain(x).abs()));
        let count = self.strains.len();
        if count == 0 {
            return Strain::default();
        }
        let mean = self.strains.iter().sum::<f64>() / count as f64;
        self.strains.sort_unstable_by(f64::total_cmp);
        let at = |percent: usize| self.strains[(percent * count).div_ceil(100).max(1) - 1];
        Strain { largest: at(100), percentile99: at(99), median: at(50), mean }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inextensible::Edge;

    #[test]
    fn quantiles_by_hand() {
        // 200 edges of rest length 1 with strains 0, 0.01, ... 1.99
        let edges: Vec<Edge> = (0..200).map(|k| Edge { i: k, j: k + 1, rest: 1.0 }).collect();
        let constraints = EdgeConstraints::new(&edges, &[1.0; 201], &[false; 201]).unwrap();
        let mut x = vec![Vec3::zeros()];
        for k in 0..200 {
            x.push(x[k] + (1.0 + 0.01 * k as f64) * Vec3::x());
        }
        let strain = StrainOf::default().state(&constraints, &x);
        for (found, expected) in
            [(strain.largest, 1.99), (strain.percentile99, 1.97), (strain.median, 0.99), (strain.mean, 0.995)]
        {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        assert_eq!(StrainOf::default().state(&EdgeConstraints::new(&[], &[1.0], &[false]).unwrap(), &x), Strain::default());
    }
}
