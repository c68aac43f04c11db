//! What was not reproduced, with what was found instead, why, and what would overturn it; and what has another size than published.

use std::fmt::Write;

use crate::judge::article::name_of;
use crate::judge::article::typeset::escaped;
use crate::judge::claims::{Claim, Finding, Kind, Verdict};
use crate::judge::report::section::Section;
use crate::judge::report::{Report, published_cell};
use crate::judge::words::in_brief;

impl Report<'_> {
    /// Claims that were not reproduced, of each kind; nothing where there are none.
    pub(super) fn failed(&self, sections: &[Section]) -> String {
        let mut text = String::new();
        for (kind, count) in self.kinds() {
            let missed = self.not_reproduced(kind, sections);
            if missed.is_empty() {
                continue;
            }
            _ = writeln!(
                text,
                "Of {count} {} {} {} {}:\n",
                escaped(&kind.to_string()),
                missed.len(),
                if missed.len() == 1 { "is" } else { "are" },
                Verdict::NotReproduced
            );
            for (claim, finding) in missed {
                let parts = [
                    ("name", name_of(&claim.id)),
                    ("place", escaped(&self.place_of(claim))),
                    ("quantity", escaped(&claim.quantity)),
                    ("reference", escaped(kind.reference())),
                    ("published", escaped(&published_cell(claim))),
                    ("measured", escaped(&finding.measured)),
                    ("reason", escaped(&finding.reason)),
                ];
                let parts: String = parts.iter().map(|(name, words)| format!("  {name}: [{words}],\n")).collect();
                _ = writeln!(text, "#missed(\n{parts})\n");
            }
        }
        text
    }

    /// A table of published claims whose effect is there with another size; nothing where there are none.
    pub(super) fn resized(&self, sections: &[Section]) -> String {
        let found = self.claims_of(Kind::Published).filter_map(|claim| Some((claim, self.finding(&claim.id, sections)?)));
        let rows = found.filter(|(_, (finding, section))| finding.verdict == Verdict::DirectionOnly && !section.is_preview());
        let row = |(claim, (finding, _)): (&Claim, (&Finding, &Section))| {
            let [published, measured] = [&published_cell(claim), &finding.measured].map(|words| escaped(&in_brief(words)));
            format!("  ([{}], [{}], [{published}], [{measured}]),\n", name_of(&claim.id), escaped(&claim.quantity))
        };
        let rows: String = rows.map(row).collect();
        let caption =
            "Claims whose effect is there with another size than published. What is long is cut, and stands whole in the report.";
        if rows.is_empty() { rows } else { format!("#resized(\n{rows}  caption: [{}],\n)", escaped(caption)) }
    }
}
