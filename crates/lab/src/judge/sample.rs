//! How results relate to the published sample: away from its sizes, ranges and base seed every verdict is a preview.

use std::fmt;

use crate::judge::verdict::Verdict;
use crate::provenance::Provenance;
use crate::study::Study;

/// Base seed of published results.
pub const PUBLISHED_SEED: u64 = 1;

/// Whether results are those that a claim is judged by.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Sample {
    /// Measured at the published sample sizes, ranges and base seed.
    Published,
    /// Measured at the sizes of a short reproduction, with the published ranges and base seed.
    Short,
    /// Measured at the published sizes and ranges on sets of a frozen seed, which nobody has seen before.
    HeldOut,
    /// Measured otherwise, and how: such verdicts judge no paper.
    Preview(String),
}

impl Sample {
    /// Of results of a study with their record, if there is one; `published` are all studies at the published sample sizes and
    /// ranges.
    pub fn of(run: Option<&Provenance>, study: &Study, published: &[Study]) -> Sample {
        let Some(run) = run else { return Sample::Preview("no record of the run".into()) };
        let published = published.iter().find(|published| published.name == study.name).unwrap_or(study);
        let mut differences = vec![];
        if run.identity.ranges != published.ranges {
            differences.push("other ranges".to_owned());
        }
        let (mut resized, mut missing) = (vec![], vec![]);
        let is_short = published.groups.iter().all(|group| {
            let count = run.groups.iter().find(|count| count.group == group.name()).map_or(0, |count| count.cases as u64);
            count == published.short.of(group.name(), group.sets())
        });
        if is_short && !published.short.sets.is_empty() && differences.is_empty() && run.identity.seed == PUBLISHED_SEED {
            return Sample::Short;
        }
        for (k, group) in published.groups.iter().enumerate() {
            match run.groups.iter().find(|count| count.group == group.name()) {
                None => missing.push(group.name()),
                Some(count) if count.cases as u64 != group.sets() => {
                    resized.push(resized_words(count.cases as u64, group.sets(), (k > 0).then(|| group.name())));
                }
                Some(_) => {}
            }
        }
        // groups follow the main one, so the first says it all
        differences.extend(resized.into_iter().next());
        if !missing.is_empty() {
            differences.push(format!("without {}", missing.join(", ")));
        }
        let is_held_out = published.frozen.as_ref().is_some_and(|frozen| run.identity.seed == frozen.seed());
        if is_held_out && differences.is_empty() {
            return Sample::HeldOut;
        }
        if run.identity.seed != PUBLISHED_SEED {
            differences.push(format!("seed {}", run.identity.seed));
        }
        if differences.is_empty() { Sample::Published } else { Sample::Preview(differences.join(", ")) }
    }

    /// Whether verdicts from it judge nothing.
    pub fn is_preview(&self) -> bool {
        matches!(self, Sample::Preview(_))
    }

    /// A verdict in words, which say where it is a preview.
    pub fn verdict(&self, verdict: Verdict) -> String {
        if self.is_preview() { format!("preview: {verdict}") } else { verdict.to_string() }
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Sample::Published => f.write_str("published"),
            Sample::Short => f.write_str("short"),
            Sample::HeldOut => f.write_str("held out"),
            Sample::Preview(difference) => write!(f, "preview: {difference}"),
        }
    }
}

/// How many sets there are instead of how many; `group` names a group other than the main one.
fn resized_words(cases: u64, published: u64, group: Option<&str>) -> String {
    let of = group.map_or_else(String::new, |group| format!(" of {group}"));
    if cases < published { format!("{cases} of {published} sets{of}") } else { format!("{cases} sets{of} for {published}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::frozen::Frozen;
    use crate::measure::identity::Identity;
    use crate::measure::streams::ChaCha8Rng;
    use crate::provenance::{GroupCount, Machine, Sources};
    use crate::{Group, table};

    /// A group whose name and number of sets are parts of its type.
    struct Sets<const SECOND: bool>;

    crate::row! {
        /// Of a table that stays empty.
        struct Nothing {
            /// never written
            cell: bool,
        }
    }

    impl<const SECOND: bool> Group for Sets<SECOND> {
        const NAME: &'static str = if SECOND { "second" } else { "main" };
        const ABOUT: &'static str = "";
        type Case = ();
        type Row = Nothing;

        fn sets(&self) -> u64 {
            if SECOND { 40 } else { 500 }
        }

        fn case(&self, _set: u64, _stream: &mut ChaCha8Rng) {}

        fn measure(&self, _case: &()) -> Vec<Nothing> {
            vec![]
        }
    }

    fn sample(seed: u64, ranges: &str, groups: &[(&str, usize)]) -> String {
        let published = Study { ranges: "r".into(), ..Study::of_groups(vec![table(Sets::<false>), table(Sets::<true>)]) };
        Sample::of(Some(&record(seed, ranges, groups)), &published, &[]).to_string()
    }

    fn record(seed: u64, ranges: &str, groups: &[(&str, usize)]) -> Provenance {
        let count = |&(group, cases): &(&str, usize)| GroupCount { group: group.into(), cases, rows: cases, resumed: 0 };
        Provenance {
            identity: Identity { study: "study".into(), seed, ranges: ranges.into(), code: String::new() },
            profile: String::new(),
            arguments: vec![],
            threads: 1,
            sources: Sources::default(),
            machine: Machine::default(),
            groups: groups.iter().map(count).collect(),
            start: String::new(),
            end: String::new(),
            seconds: 0.0,
            peak_memory: None,
            times_of: None,
            charts: None,
            machines: vec![],
        }
    }

    #[test]
    fn sets_of_the_frozen_seed_alone_are_held_out() {
        let study = || Study { ranges: "r".into(), ..Study::of_groups(vec![table(Sets::<true>)]) };
        let frozen = Frozen::new("study", String::new(), study().decides([], "s"));
        let seed = frozen.seed();
        let published = Study { frozen: Some(frozen), ..study() };
        let sample = |seed, ranges| Sample::of(Some(&record(seed, ranges, &[("second", 40)])), &published, &[]).to_string();
        assert_eq!([sample(seed, "r"), sample(1, "r")], ["held out", "published"]);
        assert_eq!(sample(2, "r"), "preview: seed 2");
        assert_eq!(sample(seed, "x"), format!("preview: other ranges, seed {seed}"));
        assert_eq!(
            Sample::of(Some(&record(seed, "r", &[("second", 40)])), &study(), &[]).to_string(),
            format!("preview: seed {seed}")
        );
    }

    #[test]
    fn only_the_whole_published_sample_is_published() {
        assert_eq!(sample(1, "r", &[("main", 500), ("second", 40)]), "published");
        assert_eq!(sample(1, "r", &[("main", 5), ("second", 5)]), "preview: 5 of 500 sets");
        assert_eq!(sample(1, "r", &[("main", 600), ("second", 40)]), "preview: 600 sets for 500");
        assert_eq!(sample(1, "r", &[("main", 500), ("second", 39)]), "preview: 39 of 40 sets of second");
        assert_eq!(sample(1, "r", &[("main", 500)]), "preview: without second");
        assert_eq!(sample(7, "r", &[("main", 500), ("second", 40)]), "preview: seed 7");
        assert_eq!(sample(1, "x", &[("main", 500), ("second", 40)]), "preview: other ranges");
        assert_eq!(sample(7, "x", &[("main", 24)]), "preview: other ranges, 24 of 500 sets, without second, seed 7");
        assert_eq!(Sample::of(None, &Study::of_groups(vec![]), &[]).to_string(), "preview: no record of the run");
    }

    #[test]
    fn a_preview_is_never_said_as_a_verdict() {
        assert_eq!(Sample::Published.verdict(Verdict::NotReproduced), "not reproduced");
        assert_eq!(Sample::Preview("seed 7".into()).verdict(Verdict::NotReproduced), "preview: not reproduced");
    }
}
