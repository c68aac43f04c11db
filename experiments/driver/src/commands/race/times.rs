//! Times of runs, each alone on one thread and in turn with the others.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use cloth::run::Unwatched;
use kit::Failure;
use lab::Progress;
use race::ladder::SAMPLES;
use race::ranking::Time;
use rayon::ThreadPoolBuilder;

use super::field::{Field, Task};

/// Time after which a race takes no times that it need not, and beyond which it takes fewer of those that it should.
const ENOUGH: Duration = Duration::from_secs(90);
const LONGEST: Duration = Duration::from_secs(115);
/// Times of each run that is ranked, and most of them, where nothing is asked for.
const LEAST: u32 = 3;
const MOST: u32 = 9;

/// Times by the places of runs among all tasks.
pub type Times = BTreeMap<usize, Vec<Time>>;

/// Takes the times of `ranked` runs, in turn and three times, or as often as asked for, and as long as the race, which began at
/// `begun`, has not taken long once those of `others`, and more of them. Where three would lead far beyond that, there are fewer.
///
/// # Errors
/// A thread that cannot be started.
pub fn measure(
    field: &Field,
    ranked: &[usize],
    others: &[usize],
    repeats: Option<u32>,
    begun: Instant,
) -> Result<Times, Failure> {
    let pool = ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.map_err(|error| Failure::Internal(format!("a thread cannot be started: {error}")))?;
    let (least, most) = repeats.map_or((LEAST, MOST), |repeats| (repeats, repeats));
    let progress = Progress::new("race, times", "runs", u64::from(least) * ranked.len() as u64 + others.len() as u64);
    let mut times = Times::new();
    pool.install(|| {
        let mut take = |k: usize| {
            times.entry(k).or_default().extend(time(field, &field.tasks[k]));
            progress.advance();
        };
        let first = Instant::now();
        ranked.iter().for_each(|k| take(*k));
        let round = first.elapsed();
        let is_affordable = || repeats.is_some() || begun.elapsed() + round < LONGEST;
        (1..least).take_while(|_| is_affordable()).for_each(|_| ranked.iter().for_each(|k| take(*k)));
        others.iter().take_while(|_| begun.elapsed() < ENOUGH).for_each(|k| take(*k));
        (least..most).take_while(|_| begun.elapsed() < ENOUGH).for_each(|_| {
            progress.expect(ranked.len() as u64);
            ranked.iter().for_each(|k| take(*k));
        });
    });
    progress.finish();
    Ok(times)
}

/// One run for its time; none of one that cannot be run, which has no rung.
fn time(field: &Field, task: &Task) -> Option<Time> {
    let (rung, prepared) = task.rung.as_ref()?;
    let begun = Instant::now();
    let mut simulation = prepared.simulation(rung.step(field.duration)).ok()?;
    let setup = begun.elapsed().as_secs_f64();
    let begun = Instant::now();
    simulation.follow(SAMPLES * rung.between, &mut Unwatched);
    Some(Time { setup, seconds: begun.elapsed().as_secs_f64() })
}
