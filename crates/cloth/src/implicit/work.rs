use std::ops::{AddAssign, Sub};

macro_rules! counts {
    ($(#[$of:meta])* pub struct Work { $($(#[$doc:meta])* pub $count:ident: u64,)* }) => {
        $(#[$of])*
        pub struct Work { $($(#[$doc])* pub $count: u64,)* }

        impl Work {
            /// Each number made of that of `self` and that of `other`.
            fn each(self, other: Work, made: impl Fn(u64, u64) -> u64) -> Work {
                Work { $($count: made(self.$count, other.$count),)* }
            }
        }
    };
}

counts! {
    /// Work of an implicit scheme, or of one that adapts its steps, since it was made, exact on any machine.
    #[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
    pub struct Work {
        /// Evaluations of explicit forces.
        pub evaluations: u64,
        /// Forces of couplings in them.
        pub forces: u64,
        /// Linearisations of the implicit couplings.
        pub linearisations: u64,
        /// Couplings in them.
        pub linearised: u64,
        /// Implicit couplings that were cut, explicit in a step all the same.
        pub cut: u64,
        /// Factorisations of a matrix that is kept from step to step.
        pub factorisations: u64,
        /// Linear systems solved.
        pub solves: u64,
        /// Floating-point operations of direct solvers and of aggregation, nominally: solves by factors, and factorisations but for those
        /// of a matrix that is kept.
        pub direct: u64,
        /// Iterations of conjugate gradients.
        pub iterations: u64,
        /// Products of a matrix and a vector.
        pub products: u64,
        /// Rows of a matrix multiplied by a vector; a decomposed solve passes over those of fully constrained particles.
        pub rows: u64,
        /// Rows of a matrix multiplied by a vector, but for those of fully constrained particles.
        pub free_rows: u64,
        /// Components solved by decomposed solves.
        pub components: u64,
        /// Shifts of the diagonal that incomplete factorisations took.
        pub shifts: u64,
        /// Multigrid cycles.
        pub cycles: u64,
        /// Linear systems in which they stalled, so that diagonal blocks went on.
        pub stalled: u64,
        /// Linear systems that were preconditioned by aggregation.
        pub aggregated: u64,
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
        /// Matrices of all terms, not positive definite, that gave way to filtered ones.
        pub filtered: u64,
        /// Halvings of the ways of Newton iterations.
        pub halvings: u64,
        /// Newton iterations that ended without converging.
        pub newton_limited: u64,
        /// Steps that were solved again with other contacts.
        pub revised: u64,
        /// Steps that were rejected.
        pub rejected: u64,
        /// Steps that were accepted beyond the limit of stretch or of their error, or though Newton did not converge, since they
        /// could not be shortened any more.
        pub accepted_beyond: u64,
    }
}

impl Work {
    /// Adds an evaluation of the forces of all `couplings`, explicit ones.
    pub(crate) fn count_all_forces(&mut self, couplings: usize) {
        self.evaluations += 1;
        self.forces += couplings as u64;
    }

    /// Adds an evaluation of the forces of the couplings that are not implicit.
    pub(crate) fn count_forces(&mut self, implicit: &[bool]) {
        self.evaluations += 1;
        self.forces += (implicit.len() - chosen(implicit)) as u64;
    }

    /// Adds a linearisation of those that are.
    pub(crate) fn count_linearised(&mut self, implicit: &[bool]) {
        self.linearisations += 1;
        self.linearised += chosen(implicit) as u64;
    }
}

fn chosen(implicit: &[bool]) -> usize {
    implicit.iter().filter(|implicit| **implicit).count()
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
