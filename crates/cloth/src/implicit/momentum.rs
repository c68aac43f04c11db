use linsolve::Constraint;

use crate::sets::Sets;
use crate::{System, Vec3};

/// Pieces of a system that nothing ties to a place. The matrix M - h D - h g K of a stage turns a translation t of one into its
/// masses, and what its linear resistance adds to these, times t; so what is left of a solution has no part in the momentum of a
/// piece once the piece is moved by the sum of its residuals over the sum of those.
#[derive(Clone, Debug)]
pub(super) struct FreePieces {
    /// The piece of each particle.
    piece: Vec<usize>,
    /// By piece.
    sums: Vec<Sum>,
    /// Linear resistance of each particle \[N s/m\]; none where it is tied to a place.
    resistance: Vec<Option<f64>>,
}

/// Sums over the particles of a piece.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    /// Of the residuals, then the translation that takes them out.
    left: Vec3,
    /// Of masses and h times resistance \[kg\].
    mass: f64,
    tracks: Tracks,
}

/// The translations that the constraints of a piece allow.
#[derive(Clone, Copy, Debug, Default)]
enum Tracks {
    /// All.
    #[default]
    All,
    /// Those across a unit normal.
    Across(Vec3),
    /// None, or few.
    None,
}

/// Largest sine between normals that are one.
const ALIKE: f64 = 1e-14;

impl FreePieces {
    /// The pieces of a `system`, none where each of them has a particle that is held.
    pub fn of(system: &dyn System) -> Option<FreePieces> {
        let count = system.particle_count();
        let mut sets = Sets::new(count);
        for (i, j) in system.pairs() {
            sets.join(i, j);
        }
        let roots: Vec<usize> = (0..count).map(|i| sets.root(i)).collect();
        let resistance: Vec<Option<f64>> = (0..count).map(|i| system.resistance(i)).collect();
        let mut is_free = vec![true; count]; // by root
        for i in (0..count).filter(|i| system.pinned()[*i] || resistance[*i].is_none()) {
            is_free[roots[i]] = false;
        }
        let firsts: Vec<usize> = (0..count).filter(|i| roots[*i] == *i).collect();
        let piece = roots.iter().map(|root| firsts.partition_point(|first| first < root)).collect();
        let any = firsts.iter().any(|first| is_free[*first]);
        any.then(|| FreePieces { piece, sums: vec![Sum::default(); firsts.len()], resistance })
    }

    /// Moves each piece so that the residuals b - A dv of its particles add up to nothing, along what its constraints allow.
    pub fn correct(&mut self, masses: &[f64], h: f64, b: &[Vec3], constraints: &[Constraint], dv: &mut [Vec3]) {
        self.sums.fill(Sum::default());
        for i in 0..dv.len() {
            let sum = &mut self.sums[self.piece[i]];
            let mass = masses[i] + h * self.resistance[i].unwrap_or(0.0);
            sum.left += b[i] - mass * dv[i];
            sum.mass += mass;
            sum.tracks = match (sum.tracks, &constraints[i]) {
                _ if self.resistance[i].is_none() => Tracks::None,
                (tracks, Constraint::Free) => tracks,
                (Tracks::All, Constraint::Plane(normal)) => Tracks::Across(**normal),
                (Tracks::Across(first), Constraint::Plane(normal)) if first.cross(normal).norm() <= ALIKE => {
                    Tracks::Across(first)
                }
                _ => Tracks::None,
            };
        }
        for Sum { left, mass, tracks } in &mut self.sums {
            *left = match tracks {
                Tracks::None => Vec3::zeros(),
                Tracks::All => *left / *mass,
                Tracks::Across(normal) => (*left - left.dot(normal) * *normal) / *mass,
            };
        }
        if self.sums.iter().all(|sum| sum.left.sum().is_finite()) {
            dv.iter_mut().zip(&self.piece).for_each(|(dv, piece)| *dv += self.sums[*piece].left);
        }
    }
}
