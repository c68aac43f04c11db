use std::ops::AddAssign;

/// Work of an implicit scheme since it was made, exact on any machine.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Work {
    /// Linear systems solved.
    pub solves: u64,
    /// Iterations of conjugate gradients.
    pub iterations: u64,
    /// Products of a matrix and a vector.
    pub products: u64,
    /// Rows of a matrix multiplied by a vector.
    pub rows: u64,
    /// The same without rows of fully constrained particles.
    pub free_rows: u64,
    /// Linear systems that hit the limit of iterations.
    pub limited: u64,
    /// Linear systems whose matrix was found not to be positive definite.
    pub indefinite: u64,
    /// Linear systems that met a number that is not finite.
    pub not_finite: u64,
    /// Newton iterations that ended without converging.
    pub newton_limited: u64,
    /// Steps that were rejected.
    pub rejected: u64,
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Work) {
        let Work { solves, iterations, products, rows, free_rows, limited, indefinite, not_finite, newton_limited, rejected } =
            other;
        self.solves += solves;
        self.iterations += iterations;
        self.products += products;
        self.rows += rows;
        self.free_rows += free_rows;
        self.limited += limited;
        self.indefinite += indefinite;
        self.not_finite += not_finite;
        self.newton_limited += newton_limited;
        self.rejected += rejected;
    }
}
