//! Kinds of statements that claims are, with how many of each hold.

use crate::judge::report::Report;
use crate::judge::report::section::Section;
use crate::judge::rule::entry::Kind;

/// The heading of their list.
pub(crate) const STATEMENTS: &str = "What kind of statements they are";

impl Report<'_> {
    /// A line for each kind: how many there are, what they are, and how many hold.
    pub(crate) fn statements(&self, sections: &[Section]) -> Vec<String> {
        let kinds: Vec<(&str, Kind)> =
            self.claims().filter_map(|(_, claim)| Some((claim.id.as_str(), claim.rule().ok()??.kind))).collect();
        let of = |kind: Kind| {
            let claims: Vec<&str> = kinds.iter().filter(|(_, of)| *of == kind).map(|(id, _)| *id).collect();
            let found = sections.iter().filter(|section| !section.is_preview()).flat_map(|section| &section.findings);
            let holds = found
                .filter(|(id, finding)| claims.contains(id) && finding.as_ref().is_ok_and(|finding| finding.verdict.holds()));
            let count = claims.len();
            (count > 0).then(|| format!("**{count}** of the kind *{kind}*: {}; {} of them hold", kind.meaning(), holds.count()))
        };
        Kind::ALL.into_iter().filter_map(of).collect()
    }
}
