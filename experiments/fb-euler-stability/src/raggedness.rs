//! How ragged limits are, in words.

use kit::prelude::*;

use super::fringe::Bounds;
use super::sheets::SheetRow;

/// How ragged the limits of the main group are, in words.
pub fn raggedness(rows: &[Row<SheetRow>]) -> String {
    zones_in_words(rows.iter().map(|row| &row.row.critical.bounds))
}

fn zones_in_words<'a>(zones: impl Iterator<Item = &'a Bounds>) -> String {
    let zones: Vec<(f64, Option<bool>)> = zones.filter_map(|zone| Some((zone.width()?, zone.bounded))).collect();
    let widths: Vec<f64> = zones.iter().map(|(width, _)| *width).filter(|width| *width > 1.0).collect();
    let open = zones.iter().filter(|(_, bounded)| *bounded == Some(false)).count();
    let (Some(middle), Some(most)) = (median(&widths), quantile(&widths, 1.0)) else {
        return format!("near the limit stability is monotone in the step in all of {} sheets", zones.len());
    };
    let open = if open == 0 { String::new() } else { format!("; {open} go on beyond a factor of two") };
    let (ragged, sheets, middle, most) = (widths.len(), zones.len(), short(middle), short(most));
    format!(
        "near the limit stability is not monotone in the step in {ragged} of {sheets} sheets, whose largest stable step is {middle} times \
         their smallest unstable one in the median and {most} times at most{open}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_can_be_ragged_and_sharp() {
        let zone = |unstable: f64, stable: f64| Bounds {
            smallest_unstable: Some(unstable),
            largest_stable: Some(stable),
            bounded: Some(true),
        };
        let sharp = zones_in_words([zone(1.01, 0.99), zone(1.01, 0.99), zone(1.01, 0.99)].iter());
        assert_eq!(sharp, "near the limit stability is monotone in the step in all of 3 sheets");
        let open = Bounds { bounded: Some(false), ..zone(0.5, 2.0) };
        let endless = Bounds { smallest_unstable: None, ..zone(0.5, 1.0) };
        assert_eq!(
            zones_in_words([zone(1.01, 0.99), zone(0.9, 1.8), open, endless].iter()),
            "near the limit stability is not monotone in the step in 2 of 3 sheets, whose largest stable step is 3.00 times their smallest \
             unstable one in the median and 4.00 times at most; 1 go on beyond a factor of two"
        );
    }
}
