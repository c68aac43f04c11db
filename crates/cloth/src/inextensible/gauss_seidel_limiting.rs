use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::sweeps::{EDGE_OPERATIONS, MARGIN, sweep_until_strain};
use super::{ConstraintMethod, EdgeConstraints, FilterReport, FilterStop, Limits, Step};
use crate::{Memory, Vec3};

/// Strain limiting, one edge after the other \[Provot 1995; Bridson 2002\]: each edge that is beyond the bound when its turn comes
/// is moved to its rest length, in an order that is drawn anew for every sweep. To the bound itself the sweeps would stall. Edges
/// that are too short are beyond the bound as well, as those of every other method here; [`GaussSeidelLimiting::of_stretch`]
/// leaves them.
#[derive(Clone, Debug)]
pub struct GaussSeidelLimiting {
    constraints: EdgeConstraints,
    limits: Limits,
    stream: ChaCha8Rng,
    order: Vec<usize>,
    /// Whether edges that are too short are moved.
    both_ways: bool,
}

impl GaussSeidelLimiting {
    /// For `constraints`, within `limits`, the orders drawn from `seed`: the n-th sweep of two methods of one seed has one order.
    pub fn new(constraints: EdgeConstraints, limits: Limits, seed: u64) -> GaussSeidelLimiting {
        let order = (0..constraints.edges().len()).collect();
        GaussSeidelLimiting { constraints, limits, stream: ChaCha8Rng::seed_from_u64(seed), order, both_ways: true }
    }

    /// Limits edges that are too long alone: the others are neither moved nor counted in the strain of its reports.
    pub fn of_stretch(self) -> GaussSeidelLimiting {
        GaussSeidelLimiting { both_ways: false, ..self }
    }
}

impl ConstraintMethod for GaussSeidelLimiting {
    fn constraints(&self) -> &EdgeConstraints {
        &self.constraints
    }

    /// The orders of sweeps follow from one another.
    fn remember(&mut self, memory: &mut Memory) {
        memory.indices(&mut self.order);
        let place = self.stream.get_word_pos();
        let [mut low, mut high] = [place as u64, (place >> 64) as u64];
        memory.count(&mut low);
        memory.count(&mut high);
        self.stream.set_word_pos(u128::from(high) << 64 | u128::from(low));
    }

    fn project(&mut self, _step: &Step<'_>, x: &mut [Vec3]) -> FilterReport {
        let (edges, w) = (self.constraints.edges(), self.constraints.inverse_masses());
        let (bound, stream, order) = (self.limits.strain(), &mut self.stream, &mut self.order);
        // squares of lengths over rest lengths that are within the bound by more than rounding
        let short = if self.both_ways { (1.0 - bound).max(0.0) } else { -1.0 };
        let within = [short * short.abs() * (1.0 + MARGIN), (1.0 + bound) * (1.0 + bound) * (1.0 - MARGIN)];
        let constraints = &self.constraints;
        let largest = |x: &[Vec3]| match self.both_ways {
            true => constraints.largest_strain(x),
            false => constraints.largest_stretch(x),
        };
        sweep_until_strain(self.limits, x, largest, |x, report| {
            order.shuffle(stream);
            report.operations += EDGE_OPERATIONS * edges.len() as u64;
            order.iter().try_for_each(|&k| {
                let (edge, d) = (&edges[k], edges[k].vector(x));
                let (square, of_rest) = (d.norm_squared(), edge.rest * edge.rest);
                if square > within[0] * of_rest && square < within[1] * of_rest {
                    return Ok(());
                }
                let length = square.sqrt();
                if (length / edge.rest - 1.0).abs() > bound {
                    if length == 0.0 {
                        return Err(FilterStop::Coincident { edge: k });
                    }
                    edge.pull((length - edge.rest) / ((w[edge.i] + w[edge.j]) * length) * d, w, x);
                }
                Ok(())
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Grid;
    use crate::inextensible::fixtures::{chain, momentum_moved, projected, scrambled};

    const STRETCHED: [f64; 3] = [0.0, 1.5, 3.5];

    #[test]
    fn a_sweep_by_hand_in_either_order() {
        let ends = |seed: u64| {
            let constraints = chain(&[1.0; 3], &[true, false, false]);
            let mut method = GaussSeidelLimiting::new(constraints, Limits::new(1e-3, 1).unwrap(), seed);
            let (_, x) = projected(&mut method, &STRETCHED.map(|x| Vec3::new(x, 0.0, 0.0)));
            [x[1].x, x[2].x]
        };
        // first edge first: 1 to 1, then both ends of the second, 2.5 long, by 0.75; second edge first: 2 long, by 0.5, then 1 to 1
        let forward = [1.75, 2.75];
        let backward = [1.0, 3.0];
        let found: Vec<[f64; 2]> = (0..20).map(ends).collect();
        assert!(found.iter().all(|x| *x == forward || *x == backward), "{found:?}");
        assert!(found.contains(&forward) && found.contains(&backward), "{found:?}");
    }

    #[test]
    fn orders_follow_from_the_seed_and_are_drawn_anew() {
        let grid = Grid::new(5, 5, 0.2).unwrap();
        let edges = EdgeConstraints::edges_of_grid(&grid);
        let new = |seed: u64| {
            let constraints = EdgeConstraints::new(&edges, &[0.1; 25], &[false; 25]).unwrap();
            GaussSeidelLimiting::new(constraints, Limits::new(1e-3, 2000).unwrap(), seed)
        };
        let candidate = scrambled(&grid, 0.05);
        let (mut one, mut same, mut other) = (new(1), new(1), new(2));
        let (report, x) = projected(&mut one, &candidate);
        assert_eq!((report, x.clone()), projected(&mut same, &candidate));
        assert_ne!(x, projected(&mut other, &candidate).1);
        assert_ne!(x, projected(&mut one, &candidate).1, "a second call goes on in the stream");
        assert!(report.stop == FilterStop::Converged && report.before > 0.1 && report.iterations > 3, "{report:?}");
        assert!(momentum_moved(&[0.1; 25], &candidate, &x).norm() < 1e-14);
    }

    #[test]
    fn edges_that_are_too_short_may_be_left() {
        let limits = Limits::new(1e-3, 1).unwrap();
        let mut method = GaussSeidelLimiting::new(chain(&[1.0; 3], &[true, false, false]), limits, 7).of_stretch();
        let (report, x) = projected(&mut method, &[0.0, 0.5, 2.5].map(|x| Vec3::new(x, 0.0, 0.0)));
        assert_eq!(x.iter().map(|x| x.x).collect::<Vec<_>>(), [0.0, 1.0, 2.0]);
        assert_eq!((report.before, report.after, report.stop), (1.0, 0.0, FilterStop::Converged));
        let (report, x) = projected(&mut method, &[0.0, 0.5, 1.0].map(|x| Vec3::new(x, 0.0, 0.0)));
        assert_eq!((report.iterations, report.stop, x[2].x), (0, FilterStop::Converged, 1.0));
    }

    #[test]
    fn edges_within_the_bound_are_left_alone() {
        let mut method = GaussSeidelLimiting::new(chain(&[1.0; 3], &[true, false, false]), Limits::new(0.25, 1).unwrap(), 7);
        let (_, x) = projected(&mut method, &[0.0, 0.875, 2.375].map(|x| Vec3::new(x, 0.0, 0.0)));
        assert_eq!(x.iter().map(|x| x.x).collect::<Vec<_>>(), [0.0, 1.125, 2.125]);
    }
}
