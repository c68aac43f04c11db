//! What became of rows, verdicts and times, a line each.

use serde::Serialize;

use crate::difference::{StudyDifference, counted};
use crate::page::counts_in_words;
use crate::times::{BuiltTime, Decision, Times};

/// Counts over all studies that both sides have.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    pub rows_equal: usize,
    pub rows_bits: usize,
    pub rows_rounding: usize,
    pub rows_real: usize,
    pub rows_added: usize,
    pub rows_removed: usize,
    pub rows_left_out: usize,
    pub tables_added: usize,
    pub tables_removed: usize,
    pub verdicts_worse: usize,
    /// Verdicts that changed and are not worse.
    pub verdicts_changed: usize,
    /// The same verdicts on other numbers.
    pub verdicts_restated: usize,
    pub verdicts_added: usize,
    pub verdicts_removed: usize,
}

impl Summary {
    pub fn of(studies: &[StudyDifference]) -> Summary {
        let mut of = Summary::default();
        for study in studies {
            for table in &study.tables {
                of.rows_equal += table.rows_equal();
                of.rows_bits += table.rows_bits;
                of.rows_rounding += table.rows_rounding;
                of.rows_real += table.rows_real;
                of.rows_added += table.rows_added;
                of.rows_removed += table.rows_removed;
                of.rows_left_out += table.rows_left_out;
            }
            of.tables_added += study.tables_added.len();
            of.tables_removed += study.tables_removed.len();
            let worse = study.verdicts.changed.iter().filter(|change| change.is_worse()).count();
            of.verdicts_worse += worse;
            of.verdicts_changed += study.verdicts.changed.len() - worse;
            of.verdicts_restated += study.verdicts.restated.len();
            of.verdicts_added += study.verdicts.added.len();
            of.verdicts_removed += study.verdicts.removed.len();
        }
        of
    }

    /// Whether both sides have the same rows.
    pub fn is_quiet(&self) -> bool {
        let differing = self.rows_bits + self.rows_rounding + self.rows_real + self.rows_added + self.rows_removed;
        differing + self.rows_left_out + self.tables_added + self.tables_removed == 0
    }

    /// What became of the rows.
    pub fn rows(&self) -> String {
        let rows = [
            (self.rows_equal, "equal"),
            (self.rows_bits, "in last bits"),
            (self.rows_rounding, "by rounding"),
            (self.rows_real, "really changed"),
            (self.rows_added, "added"),
            (self.rows_removed, "removed"),
        ];
        let mut line = format!("rows: {}", rows.map(|(count, what)| format!("{count} {what}")).join(", "));
        if self.rows_left_out > 0 {
            line += &format!(", {} of sets not in both", self.rows_left_out);
        }
        for (tables, what) in [(self.tables_added, "added"), (self.tables_removed, "removed")] {
            if tables > 0 {
                line += &format!("; {} {what}", counted(tables, "table"));
            }
        }
        line
    }

    /// What became of the verdicts.
    pub fn verdicts(&self) -> String {
        let counts = [
            (self.verdicts_worse, "worse"),
            (self.verdicts_changed, if self.verdicts_worse > 0 { "otherwise changed" } else { "changed, none for the worse" }),
            (self.verdicts_restated, "the same on other numbers"),
            (self.verdicts_added, "judged now"),
            (self.verdicts_removed, "no longer judged"),
        ];
        format!("verdicts: {}", counts_in_words(counts).unwrap_or_else(|| "all the same".into()))
    }
}

/// What became of times.
pub fn times(studies: &[StudyDifference]) -> String {
    let built: Vec<&BuiltTime> = studies.iter().filter_map(|study| study.times.built()).flatten().collect();
    if !built.is_empty() {
        let count = |decision: Decision| built.iter().filter(|time| time.decision == decision).count();
        let decisions = [
            (Decision::Slower, "slower"),
            (Decision::Faster, "faster"),
            (Decision::Same, "unchanged"),
            (Decision::Inconclusive, "inconclusive"),
            (Decision::Withheld, "withheld, since the machine itself changed"),
        ];
        return counts_in_words(decisions.map(|(decision, word)| (count(decision), word))).unwrap_or_default();
    }
    let mut ratios: Vec<f64> = studies
        .iter()
        .filter_map(|study| if let Times::Committed(groups) = &study.times { Some(groups) } else { None })
        .flatten()
        .map(|time| time.ratio)
        .collect();
    ratios.sort_by(f64::total_cmp);
    match ratios[..] {
        [] => "not compared".into(),
        [first, .., last] => {
            format!("{} of one machine, ratios {first:.3} to {last:.3}, which decide nothing", counted(ratios.len(), "group"))
        }
        [only] => format!("1 group of one machine, ratio {only:.3}, which decides nothing"),
    }
}
