use std::ops::{AddAssign, Sub};

/// Work of an implicit scheme since it was made, exact on any machine.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Work {
    /// Linear systems solved.
    pub solves: u64,
    /// Iterations of conjugate gradients.
    pub iterations: u64,
    /// Products of a matrix and a vector.
    pub products: u64,
    /// Rows of a matrix multiplied by a vector; a decomposed solve passes over those of fully constrained particles.
    pub rows: u64,
    /// The same without rows of fully constrained particles.
    pub free_rows: u64,
    /// Components solved by decomposed solves.
    pub components: u64,
    /// Shifts of the diagonal that incomplete factorisations took.
    pub shifts: u64,
    /// Multigrid cycles.
    pub cycles: u64,
    /// Linear systems in which they stalled, so that diagonal blocks went on.
    pub stalled: u64,
    /// Corrections by iterations in single precision.
    pub corrections: u64,
    /// Linear systems that went on in double precision after these.
    pub fell_back: u64,
    /// Linear systems that hit the limit of iterations, in one of their components at least.
    pub limited: u64,
    /// Linear systems whose matrix was found not to be positive definite.
    pub indefinite: u64,
    /// Linear systems that met a number that is not finite.
    pub not_finite: u64,
    /// Newton iterations that ended without converging.
    pub newton_limited: u64,
    /// Steps that were rejected.
    pub rejected: u64,
    /// Steps that were accepted beyond the limit of stretch, or though Newton did not converge, since they could not be halved any more.
    pub accepted_beyond: u64,
}

impl Work {
    /// Each number made of that of `self` and that of `other`.
    fn each(self, other: Work, made: impl Fn(u64, u64) -> u64) -> Work {
        Work {
            solves: made(self.solves, other.solves),
            iterations: made(self.iterations, other.iterations),
            products: made(self.products, other.products),
            rows: made(self.rows, other.rows),
            free_rows: made(self.free_rows, other.free_rows),
            components: made(self.components, other.components),
            shifts: made(self.shifts, other.shifts),
            cycles: made(self.cycles, other.cycles),
            stalled: made(self.stalled, other.stalled),
            corrections: made(self.corrections, other.corrections),
            fell_back: made(self.fell_back, other.fell_back),
            limited: made(self.limited, other.limited),
            indefinite: made(self.indefinite, other.indefinite),
            not_finite: made(self.not_finite, other.not_finite),
            newton_limited: made(self.newton_limited, other.newton_limited),
            rejected: made(self.rejected, other.rejected),
            accepted_beyond: made(self.accepted_beyond, other.accepted_beyond),
        }
    }
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Work) {
        *self = self.each(other, |a, b| a + b);
    }
}

impl Sub for Work {
    type Output = Work;

    /// The work since `earlier`.
    fn sub(self, earlier: Work) -> Work {
        self.each(earlier, |now, then| now - then)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_since_a_step_is_what_was_added_after_it() {
        let earlier = Work { solves: 3, iterations: 50, rejected: 1, ..Work::default() };
        let since = Work { solves: 2, iterations: 7, accepted_beyond: 4, ..Work::default() };
        let mut now = earlier;
        now += since;
        assert_eq!((now.solves, now.iterations, now.rejected), (5, 57, 1));
        assert_eq!(now - earlier, since);
    }
}
