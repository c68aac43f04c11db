use std::cell::Cell;
use std::fmt;
use std::io::{IsTerminal, Write, stderr};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

use crate::terminal::is_quiet;

/// What is done of long work, its rate and the time left: a bar on a terminal, a plain line now and then elsewhere, both on
/// stderr.
pub struct Progress {
    shown: Shown,
}

enum Shown {
    Nothing,
    Bar {
        bar: ProgressBar,
        known: Arc<Mutex<Known>>,
    },
    /// Lines of a thread of their own, until the sender is dropped.
    Lines {
        count: Arc<Mutex<Count>>,
        _end: Sender<()>,
    },
}

/// Times of work when it was done before, of all of it and of what is done now \[s\]; 0 where they are not known.
#[derive(Clone, Copy, Default)]
struct Known {
    all: f64,
    done: f64,
}

impl Known {
    /// Time left, once a hundredth of what was known is done \[s\].
    fn left(self, elapsed: Duration) -> Option<f64> {
        let Known { all, done } = self;
        (SHARE as f64 * done >= all && done > 0.0).then(|| elapsed.as_secs_f64() * (all - done).max(0.0) / done)
    }
}

/// What plain lines tell.
struct Count {
    what: String,
    unit: &'static str,
    total: u64,
    done: u64,
    known: Known,
    /// Parts of the work that threads are at.
    under_way: Vec<String>,
}

thread_local! {
    /// True while work of this thread shows nothing of its own.
    static HIDDEN: Cell<bool> = const { Cell::new(false) };
}

/// Does a part of work whose progress is shown as a whole: of the part itself this thread shows nothing.
pub fn unshown<T>(part: impl FnOnce() -> T) -> T {
    let before = HIDDEN.replace(true);
    let done = part();
    HIDDEN.set(before);
    done
}

/// Time between two plain lines.
const PAUSE: Duration = Duration::from_secs(10);
/// Pauses between two of them while nothing more is done.
const PATIENCE: u32 = 6;
/// Nothing is said of the time left before one of so many is done: the first ones may take the longest.
const SHARE: u64 = 100;

impl Progress {
    /// For `what`, counted in `total` of a `unit`.
    pub fn new(what: &str, unit: &'static str, total: u64) -> Progress {
        let shown = if is_quiet() || HIDDEN.get() {
            Shown::Nothing
        } else if stderr().is_terminal() {
            let style = ProgressStyle::with_template("{prefix} {wide_bar} {pos}/{len} {msg}, {rate}{left}");
            let bar = ProgressBar::new(total).with_prefix(what.to_owned()).with_message(unit);
            let rate = |state: &ProgressState, out: &mut dyn fmt::Write| _ = write!(out, "{:.1}/s", state.per_sec());
            let known: Arc<Mutex<Known>> = Arc::default();
            let of_known = Arc::clone(&known);
            let left = move |state: &ProgressState, out: &mut dyn fmt::Write| {
                let known = *of_known.lock().unwrap_or_else(PoisonError::into_inner);
                let by_count = || state.len().is_some_and(|total| tells(state.pos(), total)).then(|| state.eta());
                let by_times = || known.left(state.elapsed()).map(Duration::from_secs_f64);
                if let Some(left) = if known.all > 0.0 { by_times() } else { by_count() } {
                    _ = write!(out, ", {:#} left", HumanDuration(left));
                }
            };
            let style = style.unwrap_or_else(|_| ProgressStyle::default_bar()).with_key("rate", rate).with_key("left", left);
            Shown::Bar { bar: bar.with_style(style), known }
        } else {
            // a message that nobody can read is no reason to stop
            lines(what, unit, total, PAUSE, |line| _ = writeln!(stderr(), "{line}"))
        };
        Progress { shown }
    }

    /// Shows nothing.
    pub fn silent() -> Progress {
        Progress { shown: Shown::Nothing }
    }

    /// Tells what is done under another name from now on.
    pub fn rename(&self, what: &str) {
        match &self.shown {
            Shown::Nothing => {}
            Shown::Bar { bar, .. } => bar.set_prefix(what.to_owned()),
            Shown::Lines { count, .. } => locked(count, |count| what.clone_into(&mut count.what)),
        }
    }

    /// One more is done.
    pub fn advance(&self) {
        match &self.shown {
            Shown::Nothing => {}
            Shown::Bar { bar, .. } => bar.inc(1),
            Shown::Lines { count, .. } => locked(count, |count| count.done += 1),
        }
    }

    /// So many more are to be done than was said.
    pub fn expect(&self, more: u64) {
        match &self.shown {
            Shown::Nothing => {}
            Shown::Bar { bar, .. } => bar.inc_length(more),
            Shown::Lines { count, .. } => locked(count, |count| count.total += more),
        }
    }

    /// All of it took so long before \[s\], by which the time left is told.
    pub fn took(&self, seconds: f64) {
        self.of_known(|known| known.all += seconds);
    }

    fn of_known(&self, change: impl FnOnce(&mut Known)) {
        match &self.shown {
            Shown::Nothing => {}
            Shown::Bar { known, .. } => change(&mut known.lock().unwrap_or_else(PoisonError::into_inner)),
            Shown::Lines { count, .. } => locked(count, |count| change(&mut count.known)),
        }
    }

    /// A thread begins with a part of the work.
    pub fn begin(&self, part: &str) {
        match &self.shown {
            Shown::Nothing => {}
            Shown::Bar { bar, .. } => bar.set_prefix(part.to_owned()),
            Shown::Lines { count, .. } => locked(count, |count| count.under_way.push(part.to_owned())),
        }
    }

    /// A thread that had begun with a part is through with it, which took so long before \[s\].
    pub fn end(&self, part: &str, took: f64) {
        self.of_known(|known| known.done += took);
        if let Shown::Lines { count, .. } = &self.shown {
            locked(count, |count| {
                let place = count.under_way.iter().position(|other| *other == part);
                place.map(|place| count.under_way.remove(place));
            });
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Shown::Bar { bar, .. } = &self.shown {
            bar.finish_and_clear();
        }
    }
}

/// Whether what is done tells how long the rest takes.
fn tells(done: u64, total: u64) -> bool {
    done > 0 && SHARE * done >= total
}

fn locked<T>(count: &Mutex<Count>, change: impl FnOnce(&mut Count) -> T) -> T {
    change(&mut count.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Says a line after each `pause` in which something was done, after the first one in any case, and after [`PATIENCE`] of them.
fn lines(what: &str, unit: &'static str, total: u64, pause: Duration, say: impl Fn(String) + Send + 'static) -> Shown {
    let count =
        Arc::new(Mutex::new(Count { what: what.into(), unit, total, done: 0, known: Known::default(), under_way: vec![] }));
    let (sender, end): (Sender<()>, Receiver<()>) = channel();
    let (told, start) = (Arc::clone(&count), Instant::now());
    // where no thread can be had the work goes on without a word
    _ = thread::Builder::new().spawn(move || {
        let (mut said, mut waited) = (None, 0);
        while end.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
            let (done, line) = locked(&told, |count| (count.done, count.line(start.elapsed())));
            waited += 1;
            if said != Some(done) || waited >= PATIENCE {
                (said, waited) = (Some(done), 0);
                say(line);
            }
        }
    });
    Shown::Lines { count, _end: sender }
}

impl Count {
    fn line(&self, elapsed: Duration) -> String {
        let Count { what, unit, total, done, .. } = self;
        let seconds = elapsed.as_secs_f64();
        let is_known = self.known.all > 0.0;
        if !is_known && tells(*done, *total) {
            let rate = *done as f64 / seconds;
            let left = total.saturating_sub(*done) as f64 / rate;
            return format!("{what}: {done}/{total} {unit}, {rate:.1}/s, {left:.0} s left");
        }
        let left = self.known.left(elapsed).filter(|_| is_known).map_or(String::new(), |left| format!(", {left:.0} s left"));
        let mut parts = self.under_way.clone();
        parts.sort_unstable();
        parts.dedup();
        let parts = if parts.is_empty() { String::new() } else { format!(", at work on {}", parts.join(", ")) };
        format!("{what}: {done}/{total} {unit} after {seconds:.0} s{left}{parts}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_does_not_wait_for_the_first_case() {
        let (sender, said) = channel();
        let send = move |line| _ = sender.send(line);
        let progress = Progress { shown: lines("all", "cases", 40, Duration::from_millis(20), send) };
        progress.rename("aimex");
        for part in ["runs", "adaptive", "runs"] {
            progress.begin(part);
        }
        let wait = || said.recv_timeout(Duration::from_secs(60));
        assert_eq!(wait().unwrap(), "aimex: 0/40 cases after 0 s, at work on adaptive, runs");
        progress.end("adaptive", 0.0);
        // again where nothing comes for a while
        assert_eq!(wait().unwrap(), "aimex: 0/40 cases after 0 s, at work on runs");
        progress.advance();
        let line = wait().unwrap();
        assert!(line.starts_with("aimex: 1/40 cases, ") && line.ends_with(" s left"), "{line}");
        progress.expect(5);
        progress.advance();
        let lines = std::iter::from_fn(|| wait().ok()).find(|line| line.starts_with("aimex: 2/"));
        assert!(lines.unwrap().starts_with("aimex: 2/45 cases, "));
        progress.expect(160); // two are too few of 205
        let lines = std::iter::from_fn(|| wait().ok()).find(|line| line.starts_with("aimex: 2/205"));
        let line = lines.unwrap();
        assert!(line.starts_with("aimex: 2/205 cases after ") && line.ends_with(" s, at work on runs"), "{line}");
        progress.took(1e3);
        progress.end("runs", 10.0);
        let left = std::iter::from_fn(|| wait().ok()).take(200).find(|line| line.contains(" s left")).unwrap();
        assert!(left.starts_with("aimex: 2/205 cases after ") && left.ends_with(" s left, at work on runs"), "{left}");
        drop(progress);
        while wait().is_ok() {} // the thread ends with the work
    }
}
