//! The cases of one or several studies, on threads that are at work until no case is left.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{Write, stderr};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::ThreadPoolBuilder;

use crate::files::{FileError, sweep};
use crate::measure::group::{RowError, Table};
use crate::measure::parts::{self, Finished, Measured, Parts};
use crate::measure::progress::Progress;
use crate::measure::run::{Request, check, groups, sizes};
use crate::measure::run_error::RunError;
use crate::measure::share::deal;
use crate::measure::times;
use crate::provenance::ThreadClock;
use crate::study::Study;
use crate::terminal::{is_quiet, printable};

/// A study under way.
pub struct Job<'a> {
    study: &'a Study,
    request: &'a Request<'a>,
    groups: Vec<&'a dyn Table>,
    open: Vec<Open>,
    blocks: Vec<Block>,
}

/// A group under way.
struct Open {
    resumed: usize,
    sets: u64,
    parts: Mutex<Parts>,
    /// Parts of cases that are not all measured.
    unfinished: Mutex<BTreeMap<u64, Vec<Option<Part>>>>,
}

/// Rows of a part of a case, and what it took \[s\].
type Part = (Vec<String>, f64);

/// Cases that are measured together, or a part of one.
struct Block {
    /// Place of the group.
    group: usize,
    /// Place among the blocks of its group, heavy ones first.
    place: usize,
    sets: Vec<u64>,
    /// Which part of its case it is, of how many.
    part: [usize; 2],
    /// Time of its cases in the published run \[s\]; 0 where that is not known.
    seconds: f64,
}

impl<'a> Job<'a> {
    /// Opens the part files of what a request asks for, and finds what is left of it.
    ///
    /// # Errors
    /// A part file that is damaged, or of another identity.
    pub fn open(study: &'a Study, request: &'a Request) -> Result<Job<'a>, RunError> {
        let all = groups(study, request.only)?;
        sweep(request.parts)?;
        check(study, request)?;
        if request.fresh {
            parts::remove(request.parts, all.iter().map(|group| group.name()))?;
        }
        let (groups, counts): (Vec<_>, Vec<_>) = sizes(study, request)?.into_iter().unzip();
        let (mut open, mut blocks) = (vec![], vec![]);
        let shares = deal(request.share, counts.iter().copied());
        for (index, ((group, sets), asked)) in groups.iter().zip(counts).zip(shares).enumerate() {
            let path = parts::file_of(request.parts, group.name());
            let parts = Parts::open(&path, group.name(), request.identity)?;
            let pending: Vec<u64> = asked.iter().copied().filter(|set| !parts.finished.contains_key(set)).collect();
            let seed = request.identity.seed;
            for (place, sets) in group.blocks(study.name, seed, &pending).into_iter().enumerate() {
                let count = if let [set] = sets[..] { group.parts(study.name, seed, set) } else { 1 };
                let part = |part| Block { group: index, place, sets: sets.clone(), part: [part, count], seconds: 0.0 };
                blocks.extend((0..count).map(part));
            }
            if parts.torn && !request.quiet && !is_quiet() {
                let path = printable(&path.display().to_string());
                // a message that nobody can read is no reason to stop
                _ = writeln!(stderr(), "{path}: the last line was torn; its case is measured again");
            }
            let resumed = asked.len() - pending.len();
            open.push(Open { resumed, sets, parts: Mutex::new(parts), unfinished: Mutex::default() });
        }
        let mut job = Job { study, request, groups, open, blocks };
        job.sort();
        Ok(job)
    }

    /// Cases that are left.
    pub fn pending(&self) -> usize {
        self.blocks.iter().filter(|block| block.part[0] == 0).map(|block| block.sets.len()).sum()
    }

    /// The longest block of each scene first, longest first, so that no two threads wait for what the cases of a scene share; then
    /// the others, longest first, so that no thread is left with a long one. Where times are not known, the heavy blocks of all
    /// groups.
    fn sort(&mut self) {
        self.blocks.sort_by_key(|block| (block.place, block.group));
        let Some(results) = self.request.known.map(|folder| self.study.results(folder)) else { return };
        let mut seconds: Vec<BTreeMap<u64, f64>> = vec![];
        for group in &self.groups {
            let Ok(times) = results.all_times(group.name()) else { return };
            seconds.push(times.iter().filter(|time| time.repeat == 0).map(|time| (time.set, time.seconds)).collect());
        }
        let mean = |times: &BTreeMap<u64, f64>| times.values().sum::<f64>() / times.len().max(1) as f64;
        let means: Vec<f64> = seconds.iter().map(mean).collect();
        let time = |block: &Block| {
            let of_set = |set: &u64| seconds[block.group].get(set).copied().unwrap_or(means[block.group]);
            block.sets.iter().map(of_set).sum::<f64>() / block.part[1] as f64
        };
        self.blocks.iter_mut().for_each(|block| block.seconds = time(&*block));
        // stable, so that equal ones stay as they were
        self.blocks.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
        let mut scenes = BTreeMap::new();
        let first = |block: &Block| {
            let group = self.groups[block.group];
            let set = block.sets.first().copied();
            // all parts of that case
            *scenes.entry((group.scenes(), set.map(|set| group.scene(set)))).or_insert((block.group, set)) == (block.group, set)
        };
        let is_first: Vec<bool> = self.blocks.iter().map(first).collect();
        let (mut firsts, mut others) = (vec![], vec![]);
        for (block, is_first) in self.blocks.drain(..).zip(is_first) {
            if is_first { &mut firsts } else { &mut others }.push(block);
        }
        self.blocks = firsts;
        self.blocks.append(&mut others);
    }

    /// Takes the times of the groups that ask for it, where these are wanted, and returns what was measured.
    ///
    /// # Errors
    /// Rows that are not what they were when they are measured again.
    pub fn finish(mut self) -> Result<Vec<Measured>, RunError> {
        if self.request.times {
            for (group, open) in self.groups.iter().zip(&mut self.open) {
                let parts = open.parts.get_mut().unwrap_or_else(PoisonError::into_inner);
                let (study, seed, quiet) = (self.study.name, self.request.identity.seed, self.request.quiet);
                times::measure_alone(study, seed, *group, open.sets, parts, quiet)?;
            }
        }
        let measured = self.groups.iter().zip(self.open).map(|(group, open)| {
            let mut cases = open.parts.into_inner().unwrap_or_else(PoisonError::into_inner).finished;
            cases.retain(|set, _| *set < open.sets);
            Measured { group: group.name(), cases, resumed: open.resumed }
        });
        Ok(measured.collect())
    }
}

/// Measures what a request asks for, each finished case kept at once in its group's part file.
///
/// # Errors
/// The first that occurs; finished cases stay in the part files, and the next run goes on from them.
pub fn measure(study: &Study, request: &Request) -> Result<Vec<Measured>, RunError> {
    let job = Job::open(study, request)?;
    let quiet = || if request.quiet { Progress::silent() } else { Progress::new(study.name, "cases", job.pending() as u64) };
    work(std::slice::from_ref(&job), request.jobs, quiet())?;
    job.finish()
}

/// Measures what is left of the jobs, on so many threads; a thread that finds nothing left of one goes on with the next.
///
/// # Errors
/// The first that occurs; finished cases stay in the part files.
pub fn work(jobs: &[Job], threads: usize, progress: Progress) -> Result<(), RunError> {
    progress.took(jobs.iter().flat_map(|job| &job.blocks).map(|block| block.seconds).sum());
    let queue = jobs.iter().flat_map(|job| job.blocks.iter().map(move |block| (job, block))).collect();
    let work = Work { queue: Mutex::new(queue), failed: Mutex::new(None), progress };
    let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
    pool.scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|_| work.worker());
        }
    });
    work.progress.finish();
    work.failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

/// What the threads share.
struct Work<'a> {
    queue: Mutex<VecDeque<(&'a Job<'a>, &'a Block)>>,
    failed: Mutex<Option<RunError>>,
    progress: Progress,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Work<'_> {
    /// Takes blocks until there are none left or something has failed.
    fn worker(&self) {
        loop {
            let block = locked(&self.queue).pop_front();
            let Some((job, block)) = block else { return };
            if let Err(error) = self.block(job, block) {
                locked(&self.queue).clear();
                locked(&self.failed).get_or_insert(error);
            }
        }
    }

    fn block(&self, job: &Job, block: &Block) -> Result<(), RunError> {
        let Block { group: index, sets, part: of_case, .. } = block;
        let group = job.groups[*index];
        if let ([part, count], [set]) = (*of_case, &sets[..])
            && count > 1
        {
            return self.part(job, block, *set, part, count);
        }
        let mut last = ThreadClock::start();
        let mut kept = Ok(());
        let mut unreported = BTreeSet::from_iter(sets);
        let mut done = |set, rows| {
            unreported.remove(&set);
            let seconds = last.seconds();
            last = ThreadClock::start();
            if kept.is_ok() {
                kept = self.keep(&job.open[*index], Finished { set, seconds, rows, alone: vec![] });
            }
        };
        self.watched(job, block, || group.measure(job.study.name, job.request.identity.seed, sets, &mut done))?;
        kept?;
        match unreported.first() {
            Some(&&set) => Err(RunError::Unreported { group: group.name(), set }),
            None => Ok(()),
        }
    }

    /// Measures what a block holds, its progress told and a panic caught.
    fn watched<T>(&self, job: &Job, block: &Block, measure: impl FnOnce() -> Result<T, RowError>) -> Result<T, RunError> {
        let group = job.groups[block.group].name();
        let name = format!("{}/{group}", job.study.name);
        self.progress.begin(&name);
        let measured = catch_unwind(AssertUnwindSafe(measure));
        self.progress.end(&name, block.seconds);
        Ok(measured.map_err(|_| RunError::Panicked { group, sets: block.sets.clone() })??)
    }

    /// Measures a part of a case, which is kept with the last of its parts.
    fn part(&self, job: &Job, block: &Block, set: u64, part: usize, count: usize) -> Result<(), RunError> {
        let (group, open, clock) = (job.groups[block.group], &job.open[block.group], ThreadClock::start());
        let seed = job.request.identity.seed;
        let rows = self.watched(job, block, || group.measure_part(job.study.name, seed, set, part))?;
        let mut unfinished = locked(&open.unfinished);
        let parts = unfinished.entry(set).or_insert_with(|| vec![None; count]);
        parts[part] = Some((rows, clock.seconds()));
        if parts.iter().any(Option::is_none) {
            return Ok(());
        }
        let parts = unfinished.remove(&set).unwrap_or_default();
        drop(unfinished);
        let (rows, seconds): (Vec<Vec<String>>, Vec<f64>) = parts.into_iter().flatten().unzip();
        Ok(self.keep(open, Finished { set, seconds: seconds.iter().sum(), rows: rows.concat(), alone: vec![] })?)
    }

    fn keep(&self, open: &Open, finished: Finished) -> Result<(), FileError> {
        let mut parts = locked(&open.parts);
        parts.append(&finished)?;
        parts.finished.insert(finished.set, finished);
        self.progress.advance();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::measure::identity::Identity;
    use crate::measure::run::one_case;
    use crate::measure::streams::ChaCha8Rng;
    use crate::{Group, table};

    /// Four cases: no row for the first, one for each of the others, but nothing at all for set 2 where it forgets.
    struct Cases {
        forgets: bool,
    }

    crate::row! {
        /// A number.
        struct Row {
            /// the set
            number: u64,
        }
    }

    impl Group for Cases {
        const NAME: &'static str = "numbers";
        const ABOUT: &'static str = "numbers";
        const BLOCK: usize = 4;
        const SAMPLED: bool = false;
        type Case = u64;
        type Row = Row;

        fn sets(&self) -> u64 {
            4
        }

        fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> u64 {
            set
        }

        fn measure(&self, &number: &u64) -> Vec<Row> {
            if number == 0 { vec![] } else { vec![Row { number }] }
        }

        fn measure_block(&self, cases: &[u64], done: &mut dyn FnMut(usize, Vec<Row>)) {
            let reported = cases.iter().enumerate().filter(|(_, number)| !self.forgets || **number != 2);
            reported.for_each(|(k, number)| done(k, self.measure(number)));
        }
    }

    fn study(forgets: bool) -> Study {
        Study::of_groups(vec![table(Cases { forgets })])
    }

    #[test]
    fn a_set_that_is_not_reported_is_an_error_and_the_others_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let identity = Identity { study: "study".into(), seed: 1, ranges: "r".into(), code: "c".into() };
        let request = Request { times: true, ..Request::all(&identity, folder.path(), 1) };
        let refused = measure(&study(true), &request).err().unwrap().to_string();
        assert_eq!(refused, "group numbers, set 2: its measurement came to no report");
        let alone = one_case(&study(true), study(true).groups[0].as_ref(), 1, 2).unwrap_err();
        assert!(matches!(alone, RunError::Unreported { set: 2, .. }), "{alone}");
        let measured = measure(&study(false), &request).unwrap();
        assert_eq!((measured[0].case_count(), measured[0].row_count(), measured[0].resumed), (4, 3, 3));
    }

    /// Four sets in three parts each, the last of which has two rows, and fails where it is told to.
    struct InParts {
        fails: bool,
    }

    impl Group for InParts {
        const NAME: &'static str = "in-parts";
        const ABOUT: &'static str = "sets in parts";
        const SAMPLED: bool = false;
        type Case = u64;
        type Row = Row;

        fn sets(&self) -> u64 {
            4
        }

        fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> u64 {
            set
        }

        fn parts(&self, _case: &u64) -> usize {
            3
        }

        fn measure_part(&self, &set: &u64, part: usize) -> Vec<Row> {
            assert!(!(self.fails && set == 1 && part == 2), "a part that fails");
            let number = 10 * set + part as u64;
            if part == 2 { vec![Row { number }, Row { number: number + 1 }] } else { vec![Row { number }] }
        }
    }

    #[test]
    fn the_parts_of_a_case_follow_each_other_on_any_number_of_threads() {
        let identity = Identity { study: "study".into(), seed: 1, ranges: "r".into(), code: "c".into() };
        let study = |fails| Study::of_groups(vec![table(InParts { fails })]);
        for threads in [1, 3] {
            let folder = tempfile::tempdir().unwrap();
            let request = Request::all(&identity, folder.path(), threads);
            assert_eq!(Job::open(&study(false), &request).unwrap().pending(), 4);
            assert!(measure(&study(true), &request).is_err());
            // a case whose parts are not all there is measured again, and no other one
            let measured = measure(&study(false), &request).unwrap();
            assert!(measured[0].resumed < 4, "{}", measured[0].resumed);
            for (set, case) in &measured[0].cases {
                let rows = [0, 1, 2, 3].map(|number| format!("{set},{}", 10 * set + number));
                assert_eq!(case.rows, rows);
                assert_eq!(one_case(&study(false), study(false).groups[0].as_ref(), 1, *set).unwrap(), rows);
            }
        }
    }

    /// Six sets of three scenes.
    struct Scenes;

    impl Group for Scenes {
        const NAME: &'static str = "scenes";
        const ABOUT: &'static str = "scenes by two methods";
        const SAMPLED: bool = false;
        type Case = u64;
        type Row = Row;

        fn sets(&self) -> u64 {
            6
        }

        fn scene(&self, set: u64) -> u64 {
            set / 2
        }

        fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> u64 {
            set
        }

        fn measure(&self, &number: &u64) -> Vec<Row> {
            vec![Row { number }]
        }
    }

    /// The sets of a study in the order in which threads take them.
    fn order(study: &Study, known: Option<&Path>) -> Vec<u64> {
        let folder = tempfile::tempdir().unwrap();
        let identity = Identity { study: "study".into(), seed: 1, ranges: "r".into(), code: "c".into() };
        let request = Request { times: true, known, ..Request::all(&identity, folder.path(), 1) };
        Job::open(study, &request).unwrap().blocks.iter().flat_map(|block| block.sets.clone()).collect()
    }

    #[test]
    fn the_longest_of_each_scene_comes_first_and_then_the_others_by_their_times() {
        let study = Study::of_groups(vec![table(Scenes)]);
        let results = tempfile::tempdir().unwrap();
        assert_eq!(order(&study, Some(results.path())), [0, 1, 2, 3, 4, 5], "nothing is known");
        let times = [3, 4, 9, 8, 1, 2].iter().enumerate().map(|(set, seconds)| format!("scenes,{set},0,{seconds}\n"));
        // a case alone counts nothing here
        let text = times.fold("group,set,repeat,seconds\n".to_owned(), |text, line| text + &line) + "scenes,0,1,100\n";
        fs::write(results.path().join("timings.csv"), text).unwrap();
        assert_eq!(order(&study, Some(results.path())), [2, 1, 5, 3, 0, 4]);
        assert_eq!(order(&study, None), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn threads_go_on_with_the_next_job_and_cases_know_how_long_they_took() {
        let studies = [false, true].map(|_| study(false));
        let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let identity = Identity { study: "study".into(), seed: 1, ranges: "r".into(), code: "c".into() };
        let requests = folders.each_ref().map(|folder| Request::all(&identity, folder.path(), 2));
        let jobs: Vec<Job> = studies.iter().zip(&requests).map(|(study, request)| Job::open(study, request).unwrap()).collect();
        assert_eq!(jobs.iter().map(Job::pending).sum::<usize>(), 8);
        work(&jobs, 2, Progress::silent()).unwrap();
        for job in jobs {
            let measured = job.finish().unwrap();
            assert!(measured[0].case_count() == 4 && measured[0].seconds() > 0.0);
        }
    }
}
