//! Numbers in words.

/// A tolerance in per cent, without digits that it does not have.
pub fn per_cent(tolerance: f64) -> String {
    format!("{} %", (1e9 * tolerance).round() / 1e7)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tolerance_has_no_digits_too_many() {
        assert_eq!((per_cent(1e-8), per_cent(0.01)), ("0.000001 %".into(), "1 %".into()));
    }
}
