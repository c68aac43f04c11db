use crate::Vec3;
use crate::contact::InvalidKeyframes;

/// Wind that changes in time \[m/s\]: along straight lines between its rows, and as in the first or the last row before and after
/// them.
#[derive(Clone, Debug, PartialEq)]
pub struct Gusts {
    /// Times \[s\], ascending, and the wind then \[m/s\].
    rows: Vec<(f64, Vec3)>,
}

impl Gusts {
    /// Of the wind at some times.
    ///
    /// # Errors
    /// [`InvalidKeyframes`] without a row, for numbers that are not finite and for times that do not increase.
    pub fn new(rows: Vec<(f64, Vec3)>) -> Result<Gusts, InvalidKeyframes> {
        if rows.is_empty() {
            return Err(InvalidKeyframes::Empty);
        }
        if let Some(row) = rows.iter().position(|(time, wind)| !time.is_finite() || !wind.iter().all(|w| w.is_finite())) {
            return Err(InvalidKeyframes::NotFinite { row });
        }
        for (row, pair) in rows.windows(2).enumerate() {
            let [(before, _), (time, _)] = [pair[0], pair[1]];
            if time <= before {
                return Err(InvalidKeyframes::Order { row: row + 1, time, before });
            }
        }
        Ok(Gusts { rows })
    }

    /// The wind at time `t` \[s\], in m/s.
    pub fn at(&self, t: f64) -> Vec3 {
        let after = self.rows.partition_point(|(time, _)| *time <= t);
        let (from, wind) = self.rows[after.saturating_sub(1)];
        match self.rows.get(after) {
            Some((to, next)) if after > 0 => wind + (t - from) / (to - from) * (next - wind),
            _ => wind,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wind_before_between_and_after_its_rows_by_hand() {
        let gusts = Gusts::new(vec![(1.0, Vec3::x()), (3.0, Vec3::new(5.0, -2.0, 0.0)), (4.0, Vec3::zeros())]).unwrap();
        for (t, expected) in [
            (-7.0, Vec3::x()),
            (1.0, Vec3::x()),
            (1.5, Vec3::new(2.0, -0.5, 0.0)),
            (3.0, Vec3::new(5.0, -2.0, 0.0)),
            (3.75, Vec3::new(1.25, -0.5, 0.0)),
            (4.0, Vec3::zeros()),
            (9.0, Vec3::zeros()),
        ] {
            assert!((gusts.at(t) - expected).norm() < 1e-15, "{t}: {}", gusts.at(t));
        }
        assert_eq!(Gusts::new(vec![(1.0, Vec3::y())]).unwrap().at(0.0), Vec3::y());
    }

    #[test]
    fn rows_without_meaning_are_refused() {
        let at = |time: f64| (time, Vec3::zeros());
        assert_eq!(Gusts::new(vec![]), Err(InvalidKeyframes::Empty));
        assert_eq!(Gusts::new(vec![at(0.0), at(1.0), at(1.0)]), Err(InvalidKeyframes::Order { row: 2, time: 1.0, before: 1.0 }));
        assert_eq!(Gusts::new(vec![at(0.0), at(f64::NAN)]), Err(InvalidKeyframes::NotFinite { row: 1 }));
        assert_eq!(Gusts::new(vec![(0.0, f64::INFINITY * Vec3::z())]), Err(InvalidKeyframes::NotFinite { row: 0 }));
    }
}
