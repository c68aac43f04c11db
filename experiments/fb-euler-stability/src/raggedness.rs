//! How ragged limits are, in words.

use kit::prelude::*;

use super::sheets::SheetRow;

/// The zone about a limit in which stability is not monotone in the step.
#[derive(Clone, Copy)]
struct Zone {
    smallest_unstable: f64,
    largest_stable: f64,
    bounded: Option<bool>,
}

impl Zone {
    fn of(smallest_unstable: Option<f64>, largest_stable: Option<f64>, bounded: Option<bool>) -> Option<Zone> {
        Some(Zone { smallest_unstable: smallest_unstable?, largest_stable: largest_stable?, bounded })
    }

    /// The largest stable step over the smallest unstable one.
    fn width(&self) -> f64 {
        self.largest_stable / self.smallest_unstable
    }
}

/// How ragged the limits of the main group are, in words.
pub fn raggedness(rows: &[Row<SheetRow>]) -> String {
    let zone = |row: &Row<SheetRow>| Zone::of(row.row.smallest_unstable, row.row.largest_stable, row.row.bounded);
    zones_in_words(&rows.iter().filter_map(zone).collect::<Vec<_>>())
}

fn zones_in_words(zones: &[Zone]) -> String {
    let widths: Vec<f64> = zones.iter().map(Zone::width).filter(|width| *width > 1.0).collect();
    let open = zones.iter().filter(|zone| zone.bounded == Some(false)).count();
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
        let zone = |unstable: f64, stable: f64| Zone::of(Some(unstable), Some(stable), Some(true)).unwrap();
        let sharp = zones_in_words(&[zone(1.01, 0.99); 3]);
        assert_eq!(sharp, "near the limit stability is monotone in the step in all of 3 sheets");
        let open = Zone { bounded: Some(false), ..zone(0.5, 2.0) };
        assert_eq!(
            zones_in_words(&[zone(1.01, 0.99), zone(0.9, 1.8), open]),
            "near the limit stability is not monotone in the step in 2 of 3 sheets, whose largest stable step is 3.00 times their smallest \
             unstable one in the median and 4.00 times at most; 1 go on beyond a factor of two"
        );
        assert!(Zone::of(None, Some(1.0), Some(true)).is_none());
    }
}
