//! The verdicts of an article: what they mean, how many claims of each paper came to which, and every claim by its name.

use crate::judge::article::typeset::{escaped, quoted};
use crate::judge::claims::{Kind, Ledger};
use crate::judge::report::Report;
use crate::judge::report::section::Section;
use crate::judge::verdict::Verdict;

/// The claims of a ledger that were judged, each with its verdict.
struct Verdicts<'a> {
    ledger: &'a Ledger,
    claims: Vec<(&'a str, Verdict)>,
}

impl Report<'_> {
    /// What verdicts mean, a table of counts with a bar a paper, and a map of all claims; nothing where none was judged.
    pub(super) fn judged(&self, sections: &[Section]) -> String {
        let ledgers = self.ledgers.iter().map(|ledger| self.verdicts_of(ledger, sections));
        let ledgers: Vec<Verdicts> = ledgers.filter(|verdicts| !verdicts.claims.is_empty()).collect();
        if ledgers.is_empty() {
            return String::new();
        }
        let occurs = |verdict: &Verdict| ledgers.iter().any(|verdicts| verdicts.count(*verdict) > 0);
        let verdicts: Vec<Verdict> = Verdict::ALL.into_iter().filter(occurs).collect();
        let names: String = verdicts.iter().map(|verdict| format!("{}, ", quoted(&verdict.to_string()))).collect();
        let meanings: String = verdicts.iter().map(|verdict| meaning(*verdict)).collect();
        let rows: String = ledgers.iter().map(|ledger| ledger.row(&verdicts)).collect();
        let cells: String = ledgers.iter().map(Verdicts::cells).collect();
        let of_map = "Every claim by its name and the sign of its verdict. The report beside the results of a study has a section for each \
             of its claims: criterion, assumptions, what was measured, other readings.";
        format!(
            "#meanings(\n{meanings})\n\n#counts(\n  ({names}),\n{rows}  caption: [{}],\n)\n\n#every-claim(\n{cells}  caption: [{}],\n)",
            of_table(&ledgers),
            escaped(of_map)
        )
    }

    fn verdicts_of<'l>(&self, ledger: &'l Ledger, sections: &[Section]) -> Verdicts<'l> {
        let verdict = |id: &str| Some(self.finding(id, sections)?.0.verdict);
        let claims = ledger.claims.iter().filter_map(|claim| Some((claim.id.as_str(), verdict(&claim.id)?)));
        Verdicts { ledger, claims: claims.collect() }
    }
}

impl Verdicts<'_> {
    fn count(&self, verdict: Verdict) -> usize {
        self.claims.iter().filter(|(_, known)| *known == verdict).count()
    }

    /// How many claims came to each of the verdicts.
    fn row(&self, verdicts: &[Verdict]) -> String {
        let counts: String = verdicts.iter().map(|verdict| format!("{}, ", self.count(*verdict))).collect();
        format!("  ([{}], ({counts})),\n", escaped(&self.ledger.paper))
    }

    /// Every claim with its verdict.
    fn cells(&self) -> String {
        let cell = |(id, verdict): &(&str, Verdict)| {
            format!("({}, {}, [{}]), ", quoted(id), quoted(&verdict.to_string()), escaped(verdict.sign()))
        };
        format!("  ([{}], ({})),\n", escaped(&self.ledger.paper), self.claims.iter().map(cell).collect::<String>())
    }
}

fn meaning(verdict: Verdict) -> String {
    format!("  ({}, [{}], [{}]),\n", quoted(&verdict.to_string()), escaped(verdict.sign()), escaped(verdict.meaning()))
}

/// What the table counts.
fn of_table(ledgers: &[Verdicts]) -> String {
    let criteria = ledgers.iter().filter(|verdicts| verdicts.ledger.kind == Kind::Criteria);
    let criteria = criteria
        .map(|verdicts| format!(" The row {} counts {}: {}.", verdicts.ledger.paper, Kind::Criteria, Kind::Criteria.meaning()));
    escaped(&format!("Verdicts on the claims of each paper.{}", criteria.collect::<String>()))
}
