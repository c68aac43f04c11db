use std::fmt;
use std::io::{IsTerminal, Write, stderr};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

/// What is done of long work, its rate and the time left: a bar on a terminal, a plain line now and then elsewhere, both on
/// stderr.
pub struct Progress {
    what: String,
    unit: &'static str,
    total: u64,
    start: Instant,
    shown: Shown,
}

enum Shown {
    Bar(ProgressBar),
    Lines(Mutex<Line>),
}

struct Line {
    done: u64,
    last: Instant,
}

/// Time between two plain lines.
const PAUSE: Duration = Duration::from_secs(10);

impl Progress {
    /// For `what`, counted in `total` of a `unit`.
    pub fn new(what: &str, unit: &'static str, total: u64) -> Progress {
        let start = Instant::now();
        let shown = if stderr().is_terminal() {
            let style = ProgressStyle::with_template("{prefix} {wide_bar} {pos}/{len} {msg}, {rate}, {eta} left");
            let bar = ProgressBar::new(total).with_prefix(what.to_owned()).with_message(unit);
            let rate = |state: &ProgressState, out: &mut dyn fmt::Write| _ = write!(out, "{:.1}/s", state.per_sec());
            Shown::Bar(bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).with_key("rate", rate)))
        } else {
            Shown::Lines(Mutex::new(Line { done: 0, last: start }))
        };
        Progress { what: what.into(), unit, total, start, shown }
    }

    /// One more is done.
    pub fn advance(&self) {
        match &self.shown {
            Shown::Bar(bar) => bar.inc(1),
            Shown::Lines(line) => {
                let Ok(mut line) = line.lock() else { return };
                line.done += 1;
                if line.last.elapsed() >= PAUSE {
                    line.last = Instant::now();
                    self.say(line.done);
                }
            }
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }

    fn say(&self, done: u64) {
        let rate = done as f64 / self.start.elapsed().as_secs_f64();
        let left = (self.total - done) as f64 / rate;
        // a message that nobody can read is no reason to stop
        let _ = writeln!(stderr(), "{}: {done}/{} {}, {rate:.1}/s, {left:.0} s left", self.what, self.total, self.unit);
    }
}
