//! Times of short works, measured in turn.

use std::sync::LazyLock;
use std::time::Instant;

/// Times that everything is measured.
const ROUNDS: usize = 11;

/// Least time of a measurement \[s\].
const LEAST: f64 = 4e-3;

/// Median times \[s\] of all works, measured in turn.
pub fn medians<const N: usize>(mut works: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut repeats = [1; N];
    for (work, repeats) in works.iter_mut().zip(&mut repeats) {
        work();
        *repeats = (LEAST / time(work, 1)).ceil() as usize;
    }
    let mut samples = [(); N].map(|()| Vec::with_capacity(ROUNDS));
    for _ in 0..ROUNDS {
        for ((work, samples), &repeats) in works.iter_mut().zip(&mut samples).zip(&repeats) {
            work();
            samples.push(time(work, repeats));
        }
    }
    samples.map(|samples| median(&samples))
}

/// Time of one of some repeats \[s\].
fn time(work: &mut dyn FnMut(), repeats: usize) -> f64 {
    let start = Instant::now();
    (0..repeats).for_each(|_| work());
    start.elapsed().as_secs_f64().max(1e-9) / repeats as f64
}

/// The upper one of both in the middle, where there are two.
pub fn median(samples: &[f64]) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

/// Processor time of this thread \[s\], in which others that share the processor do not count; on systems that do not tell it, the
/// time of the day.
pub fn processor_time() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.as_ref().and_then(|line| line.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| BEGINNING.elapsed().as_secs_f64(), |nanoseconds| 1e-9 * nanoseconds)
}

static BEGINNING: LazyLock<Instant> = LazyLock::new(Instant::now);
