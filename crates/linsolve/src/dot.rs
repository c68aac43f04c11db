use crate::Vec3;

/// Rows that a dot product sums before it sums these sums.
const CHUNK: usize = 512;

/// uᵀ v: in chunks of rows, each coordinate for itself, then the chunks in their order.
pub(crate) fn dot(u: &[Vec3], v: &[Vec3]) -> f64 {
    let chunks = u.chunks(CHUNK).zip(v.chunks(CHUNK));
    chunks.fold(0.0, |total, (u, v)| {
        let sums = u.iter().zip(v).fold(Vec3::zeros(), |sums, (u, v)| sums + u.component_mul(v));
        total + (sums.x + sums.y + sums.z)
    })
}

/// [`dot`] row by row, beside other work.
#[derive(Default)]
pub(crate) struct RunningDot {
    /// Of the chunks before.
    total: f64,
    /// Of the rows of this chunk, each coordinate for itself.
    sums: Vec3,
    rows: usize,
}

impl RunningDot {
    /// Takes the next row.
    #[inline(always)]
    pub fn add(&mut self, u: &Vec3, v: &Vec3) {
        if self.rows == CHUNK {
            *self = RunningDot { total: self.total(), ..RunningDot::default() };
        }
        self.sums += u.component_mul(v);
        self.rows += 1;
    }

    /// uᵀ v
    #[inline(always)]
    pub fn total(&self) -> f64 {
        self.total + (self.sums.x + self.sums.y + self.sums.z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dot_product_is_summed_in_chunks_of_512_rows() {
        let ones = vec![Vec3::x(); 1024];
        let mut u = ones.clone();
        u[0].x = 9_007_199_254_740_992.0; // 2^53, to which a single 1 adds nothing
        assert_eq!(dot(&u, &ones), 9_007_199_254_740_992.0 + 512.0);
    }

    #[test]
    fn a_dot_product_row_by_row_has_the_same_bits() {
        let number = |k: usize| libm::sin(k as f64) * libm::exp2((k % 40) as f64);
        for rows in [0, 1, 511, 512, 513, 1024, 1500] {
            let u: Vec<Vec3> =
                (0..rows).map(|row| Vec3::new(number(3 * row), number(3 * row + 1), number(3 * row + 2))).collect();
            let v: Vec<Vec3> = u.iter().rev().map(|u| u.zyx()).collect();
            let mut running = RunningDot::default();
            u.iter().zip(&v).for_each(|(u, v)| running.add(u, v));
            assert_eq!(running.total().to_bits(), dot(&u, &v).to_bits(), "{rows} rows");
        }
    }
}
