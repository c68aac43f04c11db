//! Shards put together again: the cases of all of them, as if one run had measured them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::measure::identity::Identity;
use crate::measure::parts::{self, Finished, Measured};
use crate::measure::run::groups;
use crate::measure::run_error::RunError;
use crate::measure::shard::{SHARD, Shard, parts_of};
use crate::study::Study;

/// A folder with its plan.
pub struct Source {
    pub folder: PathBuf,
    pub plan: Shard,
}

/// The cases of shards.
#[derive(Default)]
pub struct Merged {
    /// The groups, in the order of the study.
    pub groups: Vec<Measured>,
    /// What is not there, a line each; nothing where all is.
    pub missing: Vec<String>,
}

/// A folder of a shard, or those of shards in a folder, by their names.
fn shards_in(folder: &Path) -> Vec<PathBuf> {
    if folder.join(SHARD).exists() {
        return vec![folder.into()];
    }
    let below = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut shards: Vec<PathBuf> = below.filter(|path| path.join(SHARD).exists()).collect();
    shards.sort();
    if shards.is_empty() { vec![folder.into()] } else { shards }
}

/// The plans of folders, or of those that lie in them.
///
/// # Errors
/// Each folder without a plan that can be read, or of another sweep than the first one: a line each.
pub fn sources(folders: &[PathBuf]) -> Result<Vec<Source>, Vec<String>> {
    let (mut sources, mut wrong): (Vec<Source>, Vec<String>) = (vec![], vec![]);
    for folder in &folders.iter().flat_map(|folder| shards_in(folder)).collect::<Vec<_>>() {
        let name = folder.display();
        match Shard::of(folder) {
            Ok(Some(plan)) => {
                let different = sources.first().and_then(|first| plan.difference(&first.plan).map(|what| (first, what)));
                match different {
                    Some((first, what)) => wrong.push(format!("{name} is {what}, other than {}", first.folder.display())),
                    None => sources.push(Source { folder: folder.clone(), plan }),
                }
            }
            Ok(None) => wrong.push(format!("{name} holds no shard; `clothlab run STUDY --shard I/N --out {name}` measures one")),
            Err(error) => wrong.push(error.to_string()),
        }
    }
    if wrong.is_empty() { Ok(sources) } else { Err(wrong) }
}

/// Puts shards together. Nothing is written.
///
/// # Errors
/// Overlaps, damaged part files and those of other runs: a line each.
pub fn merge(study: &Study, sources: &[Source]) -> Result<Merged, Vec<String>> {
    let Some(first) = sources.first() else { return Ok(Merged::default()) };
    let mut wrong = vec![];
    let mut by_share: BTreeMap<u64, &Source> = BTreeMap::new();
    for source in sources {
        if let Some(other) = by_share.insert(source.plan.share.number, source) {
            let [a, b] = [other, source].map(|source| source.folder.display());
            wrong.push(format!("{a} and {b} overlap: both are shard {}", source.plan.share));
        }
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let mut merged = Merged::default();
    let absent: Vec<u64> = (1..=first.plan.share.of).filter(|number| !by_share.contains_key(number)).collect();
    if !absent.is_empty() {
        merged.missing.push(format!("shard {} of {}: not among the folders", ranges(&absent), first.plan.share.of));
    }
    let mut cases: BTreeMap<String, BTreeMap<u64, Finished>> = BTreeMap::new();
    for Source { folder, plan } in by_share.values() {
        for (group, sets) in plan.sets() {
            let all = cases.entry(group.to_owned()).or_default();
            match held(folder, group, &plan.identity) {
                Ok(mut held) => {
                    let lacks: Vec<u64> = sets.iter().copied().filter(|set| !held.contains_key(set)).collect();
                    if !lacks.is_empty() {
                        merged.missing.push(format!(
                            "shard {}, {}: group {group}, set {}",
                            plan.share,
                            folder.display(),
                            ranges(&lacks)
                        ));
                    }
                    held.retain(|set, _| sets.binary_search(set).is_ok());
                    all.extend(held);
                }
                Err(line) => wrong.push(line),
            }
        }
    }
    for planned in &first.plan.groups {
        match groups(study, Some(&planned.group)) {
            Ok(known) => {
                let cases = cases.remove(&planned.group).unwrap_or_default();
                merged.groups.extend(known.first().map(|group| Measured { group: group.name(), cases, resumed: 0 }));
            }
            Err(error) => wrong.push(error.to_string()),
        }
    }
    if wrong.is_empty() { Ok(merged) } else { Err(wrong) }
}

/// The cases of a group in a folder; none where it was not begun.
fn held(folder: &Path, group: &str, identity: &Identity) -> Result<BTreeMap<u64, Finished>, String> {
    let path = parts::file_of(&parts_of(folder), group);
    if !path.exists() {
        return Ok(BTreeMap::new());
    }
    match parts::read(&path, group) {
        Ok(held) if held.identity == *identity => Ok(held.finished),
        Ok(_) => {
            Err(format!("{} is of another run than the plan beside it; measure this shard anew with --fresh", path.display()))
        }
        Err(RunError::Damaged { path, line }) => {
            Err(format!("{} is damaged at line {line}; measure this shard anew with --fresh", path.display()))
        }
        Err(error) => Err(error.to_string()),
    }
}

/// Writes part files with the cases of all shards, from which a run can go on, in place of those of a former run of the study.
///
/// # Errors
/// A file that cannot be written, or one that is no part file of the study.
pub fn write_parts(study: &Study, folder: &Path, identity: &Identity, measured: &[Measured]) -> Result<(), RunError> {
    let known: Vec<&str> = study.groups.iter().map(|group| group.name()).collect();
    parts::check_owners(folder, identity, &known, true)?;
    parts::remove(folder, known.into_iter())?;
    for group in measured {
        parts::write(&parts::file_of(folder, group.group), group, identity)?;
    }
    Ok(())
}

/// Numbers in ascending order as ranges: "1, 3 to 5".
pub fn ranges(numbers: &[u64]) -> String {
    let runs = numbers.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
        [one] => one.to_string(),
        [first, .., last] => format!("{first} to {last}"),
        [] => String::new(),
    });
    runs.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;

    use rand::RngExt;

    use super::*;
    use crate::files::read_text;
    use crate::measure::run::Request;
    use crate::measure::share::Share;
    use crate::measure::streams::{ChaCha8Rng, stream};
    use crate::measure::work::measure;
    use crate::tables::table_csv;
    use crate::{Group, table};

    /// Numbers drawn at random, in blocks or one by one, with two rows for some and none for others.
    struct Drawn<const LISTED: bool>;

    crate::row! {
        /// A number.
        struct Row {
            /// drawn
            number: f64,
        }
    }

    impl<const LISTED: bool> Group for Drawn<LISTED> {
        const NAME: &'static str = if LISTED { "listed" } else { "drawn" };
        const ABOUT: &'static str = "numbers";
        const BLOCK: usize = 3;
        const SAMPLED: bool = !LISTED;
        type Case = f64;
        type Row = Row;

        fn sets(&self) -> u64 {
            if LISTED { 7 } else { 23 }
        }

        fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> f64 {
            stream.random::<f64>() + set as f64
        }

        fn measure(&self, &number: &f64) -> Vec<Row> {
            (0..(10.0 * number) as usize % 3).map(|k| Row { number: number / (k + 1) as f64 }).collect()
        }
    }

    fn study() -> Study {
        Study { name: "study", ..Study::of_groups(vec![table(Drawn::<false>), table(Drawn::<true>)]) }
    }

    fn identity() -> Identity {
        Identity { study: "study".into(), seed: 1, ranges: "r".into(), code: "c".into() }
    }

    fn request<'a>(identity: &'a Identity, parts: &'a Path, share: Option<Share>) -> Request<'a> {
        Request { share, ..Request::all(identity, parts, 2) }
    }

    fn plan(share: Share) -> Shard {
        let study = study();
        Shard::plan(&groups(&study, None).unwrap(), None, share, &identity(), "paper")
    }

    /// Measures a share in a folder, or what of it is not there yet.
    fn run(folder: &Path, share: Share) {
        plan(share).write(folder).unwrap();
        fs::create_dir_all(parts_of(folder)).unwrap();
        measure(&study(), &request(&identity(), &parts_of(folder), Some(share))).unwrap();
    }

    fn tables(measured: &[Measured]) -> Vec<String> {
        let study = study();
        measured.iter().map(|group| table_csv(groups(&study, Some(group.group)).unwrap()[0], group)).collect()
    }

    /// The tables of one run that measures all.
    fn whole() -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        tables(&measure(&study(), &request(&identity(), folder.path(), None)).unwrap())
    }

    /// Tears the end off a part file, as a kill in the middle of a line does.
    fn kill(folder: &Path, draw: &mut ChaCha8Rng) {
        let path = parts::file_of(&parts_of(folder), if draw.random() { "drawn" } else { "listed" });
        let header = read_text(&path).unwrap().find('\n').unwrap() as u64 + 1;
        let length = fs::metadata(&path).unwrap().len();
        OpenOptions::new().write(true).open(&path).unwrap().set_len(draw.random_range(header..=length)).unwrap();
    }

    #[test]
    fn a_hundred_random_schedules_give_the_bytes_of_one_run() {
        let whole = whole();
        for schedule in 0..100 {
            let draw = &mut stream("merge", "schedules", 1, schedule);
            let sweep = tempfile::tempdir().unwrap();
            let of = draw.random_range(1..12);
            let mut left: Vec<u64> = (1..=of).collect();
            while !left.is_empty() {
                let number = left.swap_remove(draw.random_range(0..left.len()));
                let folder = sweep.path().join(number.to_string());
                run(&folder, Share { number, of });
                // one of three is killed, and comes again later
                if draw.random_range(0..3) == 0 {
                    kill(&folder, draw);
                    left.push(number);
                }
            }
            let found = sources(&[sweep.path().into()]).unwrap();
            let merged = merge(&study(), &found).unwrap();
            assert_eq!((merged.missing, tables(&merged.groups)), (vec![], whole.clone()), "schedule {schedule}");
        }
    }

    #[test]
    fn a_run_goes_on_from_what_is_there_of_shards() {
        let folder = tempfile::tempdir().unwrap();
        let [a, all] = ["a", "all"].map(|name| folder.path().join(name));
        run(&a, Share { number: 2, of: 3 });
        let merged = merge(&study(), &sources(&[a]).unwrap()).unwrap();
        assert_eq!(merged.missing, ["shard 1, 3 of 3: not among the folders"]);
        fs::create_dir_all(&all).unwrap();
        let former = parts::file_of(&all, "listed");
        fs::write(&former, "mine\n").unwrap();
        let refused = write_parts(&study(), &all, &identity(), &merged.groups).unwrap_err();
        assert!(matches!(refused, RunError::NoJournal { .. }) && former.exists(), "{refused}");
        fs::remove_file(&former).unwrap();
        write_parts(&study(), &all, &identity(), &merged.groups[..1]).unwrap();
        write_parts(&study(), &all, &identity(), &merged.groups).unwrap();
        let measured = measure(&study(), &request(&identity(), &all, None)).unwrap();
        assert_eq!(measured.iter().map(|group| group.resumed).sum::<usize>(), 10);
        assert_eq!(tables(&measured), whole());
    }

    #[test]
    fn what_does_not_go_together_is_refused_in_a_line_each() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b, again, none] = ["a", "b", "again", "none"].map(|name| folder.path().join(name));
        run(&a, Share { number: 1, of: 2 });
        run(&b, Share { number: 2, of: 2 });
        run(&again, Share { number: 1, of: 2 });
        let told = |folders: &[&PathBuf]| {
            let folders: Vec<PathBuf> = folders.iter().map(|&folder| folder.clone()).collect();
            let found = sources(&folders).and_then(|found| merge(&study(), &found)).map(|merged| merged.missing);
            let lines = found.unwrap_or_else(|wrong| wrong);
            lines.iter().map(|line| line.replace(&format!("{}/", folder.path().display()), "")).collect::<Vec<_>>()
        };
        assert!(told(&[&a, &b]).is_empty());
        assert_eq!(told(&[&a]), ["shard 2 of 2: not among the folders"]);
        assert_eq!(told(&[&a, &b, &again]), ["a and again overlap: both are shard 1/2"]);
        let nothing = &told(&[&none, &a])[0];
        assert!(nothing.starts_with("none holds no shard; `clothlab run STUDY --shard I/N"), "{nothing}");
        plan(Share { number: 2, of: 4 }).write(&none).unwrap();
        assert_eq!(told(&[&a, &none]), ["none is one of 4 shards, not of 2, other than a"]);
        let mut other = plan(Share { number: 2, of: 2 });
        other.identity.seed = 2;
        other.write(&none).unwrap();
        assert_eq!(told(&[&a, &none]), ["none is of the seed 2, this run has 1, other than a"]);
        // the plan of one run beside the cases of another
        other.write(&b).unwrap();
        let mixed = told(&[&b]);
        assert!(mixed[0].starts_with("b/parts/drawn.part is of another run than the plan beside it"), "{mixed:?}");
        plan(Share { number: 2, of: 2 }).write(&b).unwrap();
        let path = parts::file_of(&parts_of(&b), "drawn");
        let text = read_text(&path).unwrap();
        fs::write(&path, &text[..text.len() - 3]).unwrap();
        let gap = told(&[&a, &b]);
        assert!(gap.len() == 1 && gap[0].starts_with("shard 2/2, b: group drawn, set "), "{gap:?}");
        fs::write(&path, text.replacen("\"set\":", "\"set\": 1", 1)).unwrap();
        let damaged = told(&[&a, &b]);
        assert_eq!(damaged, ["b/parts/drawn.part is damaged at line 2; measure this shard anew with --fresh"]);
    }

    #[test]
    fn plans_that_cannot_be_read_are_told() {
        let folder = tempfile::tempdir().unwrap();
        for text in ["", "{}", "{\"format\": 7}"] {
            fs::write(folder.path().join(SHARD), text).unwrap();
            let wrong = sources(&[folder.path().into()]).err().unwrap();
            assert!(wrong[0].contains("shard.json is no plan of a shard of this version"), "{wrong:?}");
        }
    }

    #[test]
    fn numbers_are_told_as_ranges() {
        assert_eq!(ranges(&[1, 3, 4, 5, 9]), "1, 3 to 5, 9");
    }
}
