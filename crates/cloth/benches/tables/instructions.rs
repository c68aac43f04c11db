//! Instructions of this program, counted while it runs a kernel in a process of its own: a figure that repeats on a busy machine.

use std::process::Command;

/// The argument by which this program runs a kernel alone: what it runs and how often follow.
pub const RUN: &str = "--run-kernel";

/// The exit code of such a process where the processor that it sees lacks the instruction set.
pub const LACKING: u8 = 3;

/// What counts.
#[derive(Clone, Copy)]
pub enum Counter {
    /// The counters of the processor, through `perf stat`.
    Perf,
    /// `valgrind --tool=cachegrind`, which knows fewer instructions than some processors.
    Valgrind,
}

impl Counter {
    /// The first that works here.
    pub fn find() -> Option<Counter> {
        let starts = |counter: &Counter| counter.of(Command::new("true")).is_ok();
        [Counter::Perf, Counter::Valgrind].into_iter().find(starts)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Counter::Perf => "perf",
            Counter::Valgrind => "valgrind",
        }
    }

    /// Instructions of a kernel on one unit of work, from runs of `few` and of `many`.
    ///
    /// # Errors
    /// Why they are not counted.
    pub fn per_unit(self, kernel: &[&str], [few, many]: [usize; 2]) -> Result<f64, String> {
        let count = |units: usize| {
            let program = std::env::current_exe().map_err(|error| error.to_string())?;
            let mut command = Command::new(program);
            command.arg(RUN).args(kernel).arg(units.to_string());
            self.of(command)
        };
        Ok((count(many)? as f64 - count(few)? as f64) / (many - few) as f64)
    }

    /// Instructions of a whole process.
    fn of(self, command: Command) -> Result<u64, String> {
        let mut counted = Command::new(self.name());
        match self {
            Counter::Perf => counted.args(["stat", "--field-separator", ",", "--event", "instructions:u", "--"]),
            Counter::Valgrind => counted.args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]),
        };
        counted.arg(command.get_program()).args(command.get_args());
        let output = counted.output().map_err(|error| format!("{}: {error}", self.name()))?;
        if output.status.code() == Some(LACKING.into()) {
            return Err(format!("{} does not run it", self.name()));
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let number = match self {
            Counter::Perf => said.lines().find(|line| line.contains("instructions")).and_then(|line| line.split(',').next()),
            Counter::Valgrind => said.lines().find_map(|line| line.split_once("refs:")).map(|(_, number)| number),
        };
        let count = number.and_then(|number| number.trim().replace(',', "").parse().ok());
        count.filter(|_| output.status.success()).ok_or_else(|| format!("{} gave no count", self.name()))
    }
}
