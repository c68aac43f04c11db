use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Time between two plain lines.
const PAUSE: Duration = Duration::from_secs(10);

/// Steps done, on stderr: a bar on a terminal, a plain line now and then elsewhere.
pub(super) struct Progress {
    total: u64,
    done: u64,
    bar: Option<ProgressBar>,
    last: Instant,
}

impl Progress {
    pub fn new(total: u64) -> Progress {
        let bar = stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} steps, {per_sec}, {eta} left");
            ProgressBar::new(total).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        Progress { total, done: 0, bar, last: Instant::now() }
    }

    /// One more step is done.
    pub fn advance(&mut self) {
        self.done += 1;
        match &self.bar {
            Some(bar) => bar.inc(1),
            None if self.last.elapsed() >= PAUSE => {
                self.last = Instant::now();
                // a message that nobody can read is no reason to stop
                let _ = writeln!(stderr(), "{} of {} steps", self.done, self.total);
            }
            None => {}
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
