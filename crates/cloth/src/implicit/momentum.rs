use linsolve::Constraint;

use super::linear::Form;
use crate::sets::Sets;
use crate::{Mat3, System, Vec3};

/// Pieces of a system that nothing ties to a place. The matrix A = M - h D - h g K of a stage turns a translation t of one into its
/// masses, and what its linear resistance adds to these, times t; so what is left of a solution has no part in the momentum of a
/// piece once the piece is moved by the sum of its residuals over the sum of those. Turns R about the centre are taken out
/// likewise, by R (Rᵀ A R)⁻¹ Rᵀ (b - A dv).
#[derive(Clone, Debug)]
pub(super) struct FreePieces {
    /// The piece of each particle.
    piece: Vec<usize>,
    /// By piece.
    sums: Vec<Sum>,
    /// True where no particle of a piece is tied to a place; by piece.
    is_free: Vec<bool>,
    /// Linear resistance of each particle \[N s/m\].
    resistance: Vec<f64>,
    /// Turns, by piece.
    turns: Vec<Turn>,
    /// A turn of all pieces, and what A makes of it, each of shape \[particle_count\].
    turn: Vec<Vec3>,
    product: Vec<Vec3>,
}

/// The turns of a piece.
#[derive(Clone, Copy, Debug, Default)]
struct Turn {
    centre: Vec3,
    /// Rᵀ A R \[kg m²\] of turns about the three axes.
    inertia: Mat3,
    /// Rᵀ (b - A dv), then the turn that takes it out.
    left: Vec3,
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

/// Largest determinant of turns of what lies on a line, in its trace cubed.
const THIN: f64 = 1e-9;

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
        let is_free: Vec<bool> = firsts.iter().map(|first| is_free[*first]).collect();
        let piece = roots.iter().map(|root| firsts.partition_point(|first| first < root)).collect();
        let zeros = vec![Vec3::zeros(); count];
        is_free.contains(&true).then(|| FreePieces {
            piece,
            sums: vec![Sum::default(); firsts.len()],
            is_free,
            resistance: resistance.iter().map(|resistance| resistance.unwrap_or(0.0)).collect(),
            turns: vec![Turn::default(); firsts.len()],
            turn: zeros.clone(),
            product: zeros,
        })
    }

    /// Moves each piece so that the residuals b - A dv of its particles add up to nothing, along what its constraints allow.
    pub fn correct(&mut self, masses: &[f64], h: f64, b: &[Vec3], constraints: &[Constraint], dv: &mut [Vec3]) {
        self.sums.fill(Sum::default());
        for i in 0..dv.len() {
            let sum = &mut self.sums[self.piece[i]];
            let mass = masses[i] + h * self.resistance[i];
            sum.left += b[i] - mass * dv[i];
            sum.mass += mass;
        }
        for (sum, is_free) in self.sums.iter_mut().zip(&self.is_free) {
            sum.tracks = if *is_free { Tracks::All } else { Tracks::None };
        }
        for (constraint, piece) in
            constraints.iter().zip(&self.piece).filter(|(constraint, _)| !matches!(constraint, Constraint::Free))
        {
            let tracks = &mut self.sums[*piece].tracks;
            *tracks = match (*tracks, constraint) {
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

    /// Turns each piece at places `x` \[m\] about its centre, so that the residuals of its particles have no torque; a piece under
    /// constraints is left. Follows [`FreePieces::correct`]; the number of products with A.
    pub fn turn(
        &mut self,
        (masses, h): (&[f64], f64),
        (x, b): (&[Vec3], &[Vec3]),
        form: &mut dyn Form,
        dv: &mut [Vec3],
    ) -> usize {
        let FreePieces { piece, sums, resistance, turns, turn, product, .. } = self;
        if !sums.iter().any(|sum| matches!(sum.tracks, Tracks::All)) {
            return 0;
        }
        turns.fill(Turn::default());
        for (i, x) in x.iter().enumerate() {
            turns[piece[i]].centre += (masses[i] + h * resistance[i]) * x;
        }
        for (turn, sum) in turns.iter_mut().zip(&*sums) {
            turn.centre /= sum.mass;
        }
        form.apply(dv, product);
        for (i, product) in product.iter().enumerate() {
            let of = &mut turns[piece[i]];
            of.left += (x[i] - of.centre).cross(&(b[i] - product));
        }
        for axis in 0..3 {
            let e = Vec3::ith(axis, 1.0);
            for (i, turn) in turn.iter_mut().enumerate() {
                *turn = e.cross(&(x[i] - turns[piece[i]].centre));
            }
            form.apply(turn, product);
            for (i, product) in product.iter().enumerate() {
                let of = &mut turns[piece[i]];
                let column = of.inertia.column(axis) + (x[i] - of.centre).cross(product);
                of.inertia.set_column(axis, &column);
            }
        }
        for (Turn { inertia, left, .. }, sum) in turns.iter_mut().zip(&*sums) {
            let is_a_line = inertia.determinant() <= THIN * inertia.trace() * inertia.trace() * inertia.trace();
            *left = match (sum.tracks, inertia.try_inverse()) {
                (Tracks::All, Some(inverse)) if !is_a_line => inverse * *left,
                _ => Vec3::zeros(),
            };
        }
        if turns.iter().all(|turn| turn.left.sum().is_finite()) {
            for (i, dv) in dv.iter_mut().enumerate() {
                let Turn { centre, left, .. } = turns[piece[i]];
                *dv += left.cross(&(x[i] - centre));
            }
        }
        4
    }
}
