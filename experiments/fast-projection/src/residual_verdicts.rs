//! Orders of the residual of the equation of motion, as a rule reads them.

use kit::prelude::*;

use super::residual::{After, DRAPE, GARMENT, ResidualRow, Residuals, SWING, by_step};

row! {
    /// A step of a scene against its half.
    pub struct OrderRow {
        /// drape, swing or garment
        pub scene: String,
        /// of frames: their median, their worst, or the median of those with or without collisions
        pub frames: String,
        /// steps a second of the longer step
        pub rate: u32,
        /// order of the residual after the first iteration
        pub first: Option<f64>,
        /// the same after the last iteration
        pub last: Option<f64>,
    }
}

/// A statistic over the frames of a step, and whether of those in which something collides.
type Statistic = (&'static str, fn(&[f64]) -> Option<f64>, Option<bool>);

const STATISTICS: [Statistic; 4] = [
    ("median", median, None),
    ("worst", |residuals| quantile(residuals, 1.0), None),
    ("median of those with collisions", median, Some(true)),
    ("median of those without", median, Some(false)),
];

/// Orders between neighbouring steps.
pub fn orders(results: &Results) -> Result<Vec<OrderRow>, ResultsError> {
    let rows = results.rows::<Residuals>()?;
    let mut orders = vec![];
    for (frames, statistic, collides) in STATISTICS {
        let is_meant = |row: &&Row<ResidualRow>| collides.is_none_or(|collides| (row.row.touched > 0) == collides);
        let meant: Vec<Row<ResidualRow>> = rows.iter().filter(is_meant).cloned().collect();
        for scene in [DRAPE, SWING, GARMENT] {
            let of = |after: After| {
                by_step(&meant, scene, |frames| statistic(&frames.iter().map(|frame| after.of(*frame)).collect::<Vec<_>>()))
            };
            let (first, last) = (of(After::First), of(After::Last));
            orders.extend(first.windows(2).zip(last.windows(2)).map(|(first, last)| OrderRow {
                scene: scene.into(),
                frames: frames.into(),
                rate: (1.0 / first[0][0]).round() as u32,
                first: order(first),
                last: order(last),
            }));
        }
    }
    Ok(orders)
}

/// The order between two points of a step and a residual.
fn order(points: &[[f64; 2]]) -> Option<f64> {
    finite(libm::log(points[1][1] / points[0][1]) / libm::log(points[1][0] / points[0][0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_a_square_is_two() {
        assert_eq!(order(&[[1.0, 3.0], [0.5, 0.75]]), Some(2.0));
        assert_eq!(order(&[[1.0, 0.0], [0.5, 0.75]]), None);
    }
}
