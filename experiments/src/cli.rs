//! The command line of the driver and of the binary of each study.

use std::ffi::OsString;
use std::io::{Write, stderr, stdout};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use cloth::lanes::InstructionSet;
use lab::terminal::error_line;

use crate::commands::run::Run;
use crate::commands::{list, plot, report, repro, run, smoke, verify, view};
use crate::interrupts::{Left, watch};
use crate::output::say;
use crate::whole::Whole;
use crate::workspace::default_jobs;
use crate::{Failure, export_system, simulate};

/// Studies of cloth time integration: run them, judge the published numbers, draw the charts.
#[derive(Parser)]
#[command(name = "clothlab", version, after_help = EXAMPLES)]
struct Driver {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "Examples:
  clothlab repro                                            every study at paper scale, and the report
  clothlab smoke                                            the same in seconds, on small samples
  clothlab run fb-euler-stability --sets 20 --out out/mine  one study, fewer sets
  clothlab run fb-euler-stability --case 137                the rows of one parameter set
  clothlab simulate scenes/hanging-sheet.toml --out out/sheet";

const SCENES: &str = "Examples:
  clothlab simulate scenes/hanging-sheet.toml --out out/sheet  explicit, FB Euler
  clothlab simulate scenes/hanging-sheet.toml --dry-run        what would run, its memory and its time
  clothlab simulate scenes/sphere.toml --out out/sphere        AIMEX, a ball, Coulomb friction
  clothlab simulate scenes/table.toml --out out/table --force  backward Euler, a table and the floor
  clothlab simulate scenes/inextensible.toml --out out/inextensible  fast projection, a sheet that does not stretch on a ball

A scene is a TOML file: mesh, material, pins, step, duration, one of eleven integrators, how linear systems are solved, steps
adapted to the stretch, inextensible cloth, solids and friction, repulsion, output. Every key with its default: crates/scene/src/every_key.toml.
Numbers that a run counts (iterations, failed systems, rejected steps, contacts) are columns of energies.csv and lines of
the summary; contacts.csv has a row for each particle that touches a solid, strain.csv the strain of inextensible
cloth before and after collisions.";

const SYSTEMS: &str = "Examples:
  clothlab export-system scenes/table.toml --step 100 --out out/system          a sheet of 1600 particles, many in contact
  clothlab export-system scenes/table.toml --step 250 --out out/system --force  the same later, in the same folder

A step of an implicit integrator ends with S A x = S b, (I - S) x = (I - S) z for the changes x of all velocities, where S says
which motion is free. The folder gets A.mtx, b.mtx, z.mtx, constraints.mtx (S), x.mtx (the solution as this program found it),
x_prev.mtx (what its solver began with) and system.toml, which says what they are and what the solve took.";

#[derive(Subcommand)]
enum Command {
    /// Show studies, their groups and claims, and how long they take
    #[command(after_help = "Examples:
  clothlab list")]
    List,
    /// Measure one study
    #[command(after_help = "Examples:
  clothlab run fb-euler-stability --sets 20 --out out/mine
  clothlab run fb-euler-stability --only chains --seed 7
  clothlab run fb-euler-stability --case 137
  clothlab run fb-euler-stability --profile my.toml --dry-run")]
    Run {
        /// The study, as `clothlab list` names it
        study: String,
        #[command(flatten)]
        options: Options,
    },
    /// Measure every study at paper scale, or the named ones, and write results/, plots/, REPORT.md and REPORT.html
    #[command(after_help = "Examples:
  clothlab repro                          everything; where it was interrupted, the next one goes on
  clothlab repro speedup impulse-strips   these two studies, and the report of all
  clothlab repro speedup --fresh --jobs 1")]
    Repro {
        /// Studies to measure; all of them if none is named
        studies: Vec<String>,
        #[command(flatten)]
        machine: Machine,
        /// Forget the cases of an interrupted run
        #[arg(long)]
        fresh: bool,
    },
    /// Measure every study on a small sample, and check that rows depend neither on threads nor on the processor
    #[command(after_help = "Examples:
  clothlab smoke
  clothlab smoke --out out/again --jobs 2")]
    Smoke {
        #[command(flatten)]
        machine: Machine,
        /// Folder of the output [default: out/smoke]
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Run a scene: a page that plays it, pictures, energies, final state and frames
    #[command(after_help = SCENES)]
    Simulate(simulate::Request),
    /// Write a page that plays runs of scenes side by side
    #[command(after_help = "Examples:
  clothlab view out/sphere out/table                what `clothlab simulate` wrote there, in out/view.html
  clothlab view out/sphere --out sphere.html")]
    View(view::Request),
    /// Write the linear system that a step of a scene solves, as Matrix Market files
    #[command(after_help = SYSTEMS)]
    ExportSystem(export_system::Request),
    /// Draw the charts of a study, or of all, anew from results/
    #[command(after_help = "Examples:
  clothlab plot
  clothlab plot fb-euler-stability
  clothlab plot out/mine             what `clothlab run` wrote there")]
    Plot {
        /// The study, or a folder that `clothlab run` wrote
        study: Option<String>,
    },
    /// Judge the claims of a study, or of all, anew from results/, and renew the verdicts there
    #[command(after_help = "Examples:
  clothlab claims
  clothlab claims fb-euler-stability
  clothlab claims out/mine             what `clothlab run` wrote there")]
    Claims {
        /// The study, or a folder that `clothlab run` wrote
        study: Option<String>,
    },
    /// Write REPORT.md, REPORT.html and the verdicts in results/ anew from results/
    #[command(after_help = "Examples:
  clothlab report
  clothlab report out/mine   on what `clothlab run` wrote there")]
    Report {
        /// A folder that `clothlab run` wrote
        folder: Option<String>,
    },
    /// Compare results with their checksums
    #[command(after_help = "Examples:
  clothlab verify
  clothlab verify results/fb-euler-stability
  clothlab verify out/mine                    what `clothlab run` wrote there")]
    Verify {
        /// A folder with SHA256SUMS, or one with such folders [default: results]
        folder: Option<PathBuf>,
    },
}

/// How a study is measured.
#[derive(Args)]
struct Options {
    /// Parameter sets of the main group; other sampled groups take at most as many
    #[arg(long, value_name = "N", value_parser = Whole(1..=1_000_000), allow_negative_numbers = true)]
    sets: Option<u64>,
    /// Base seed of all random sets
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = Whole(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,
    /// Measure one group only
    #[arg(long, value_name = "GROUP")]
    only: Option<String>,
    /// Print the rows of one parameter set of the main group (or of --only), and write nothing
    #[arg(long, value_name = "I", value_parser = Whole(0..=u64::MAX), allow_negative_numbers = true)]
    case: Option<u64>,
    /// paper, smoke, or a file that ends in .toml
    #[arg(long, value_name = "P", default_value = "paper")]
    profile: String,
    /// Folder of the output [default: out/STUDY]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Forget what is in that folder, instead of going on from it
    #[arg(long)]
    fresh: bool,
    /// Say what would be measured, and do nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    machine: Machine,
}

/// What rows do not depend on.
#[derive(Args)]
struct Machine {
    /// Threads [default: all cores]
    #[arg(long, value_name = "J", value_parser = Whole(1..=1024), allow_negative_numbers = true)]
    jobs: Option<u64>,
    /// Kernels: plain, portable, avx2 or avx512 [default: the widest]
    #[arg(long, value_name = "SET")]
    simd: Option<InstructionSet>,
}

impl Machine {
    fn jobs(&self) -> usize {
        self.jobs.map_or_else(default_jobs, |jobs| jobs as usize)
    }

    /// What all kernels of this process run on from now on.
    fn instruction_set(&self) -> InstructionSet {
        let set = self.simd.unwrap_or_else(InstructionSet::best);
        set.limit();
        set
    }
}

impl Options {
    /// What is left where they are stopped.
    fn left(&self) -> Left {
        if self.dry_run || self.case.is_some() { Left::All } else { left_of_cases(self.fresh) }
    }

    fn run(self, study: String) -> Run {
        Run {
            study,
            jobs: self.machine.jobs(),
            instruction_set: self.machine.instruction_set(),
            sets: self.sets,
            seed: self.seed,
            only: self.only,
            case: self.case,
            profile: self.profile,
            out: self.out,
            fresh: self.fresh,
            dry_run: self.dry_run,
        }
    }
}

impl Command {
    /// What is left where it is stopped.
    fn left(&self) -> Left {
        match self {
            Command::Run { options, .. } => options.left(),
            Command::Repro { fresh, .. } => left_of_cases(*fresh),
            Command::Smoke { .. } => Left::Nothing,
            Command::Simulate(request) if request.dry_run => Left::All,
            Command::List | Command::Verify { .. } => Left::All,
            Command::Simulate(_)
            | Command::View(_)
            | Command::ExportSystem(_)
            | Command::Plot { .. }
            | Command::Claims { .. }
            | Command::Report { .. } => Left::Unfinished,
        }
    }
}

/// What is left of measurements: a command that forgets what there is would forget them too.
fn left_of_cases(fresh: bool) -> Left {
    if fresh { Left::FreshCases } else { Left::Cases }
}

/// The driver.
pub fn driver() -> ExitCode {
    let driver = parse::<Driver>(Driver::command(), std::env::args_os());
    finish(driver.inspect(|driver| watch(driver.command.left())).and_then(|driver| match driver.command {
        Command::List => list::list(),
        Command::Run { study, options } => run::run(&options.run(study)),
        Command::Repro { studies, machine, fresh } => repro::repro(&studies, machine.jobs(), fresh, machine.instruction_set()),
        Command::Smoke { machine, out } => smoke::smoke(machine.jobs(), out, machine.instruction_set()),
        Command::Simulate(request) if request.dry_run => simulate::dry_run(&request).and_then(say),
        Command::Simulate(request) => simulate::simulate(&request).and_then(|summary| say(summary.to_string())),
        Command::View(request) => view::view(&request),
        Command::ExportSystem(request) => export_system::export_system(&request).and_then(|summary| say(summary.to_string())),
        Command::Plot { study } => plot::plot(study.as_deref()),
        Command::Claims { study } => report::claims(study.as_deref()),
        Command::Report { folder } => report::report(folder.as_deref()),
        Command::Verify { folder } => verify::verify(folder),
    }))
}

/// The binary of one study: `clothlab run STUDY` with the same options.
pub fn study(name: &str) -> ExitCode {
    #[derive(Parser)]
    #[command(version, about = "Measures one study")]
    struct Study {
        #[command(flatten)]
        options: Options,
    }
    let command = Study::command().after_help(format!(
        "Examples:
  {name} --sets 20 --out out/mine   fewer parameter sets
  {name} --case 3                   the rows of one of them
  {name} --profile my.toml --dry-run

`clothlab list` names the groups of the study."
    ));
    let study = parse::<Study>(command, std::env::args_os());
    finish(study.inspect(|study| watch(study.options.left())).and_then(|study| run::run(&study.options.run(name.to_owned()))))
}

/// Help and version are printed; a mistake becomes one line.
fn parse<P: FromArgMatches>(command: clap::Command, arguments: impl Iterator<Item = OsString>) -> Result<P, Failure> {
    let parsed = command.try_get_matches_from(arguments).and_then(|matches| P::from_arg_matches(&matches));
    parsed.map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // help that nobody reads is no failure
            _ = write!(stdout().lock(), "{error}");
            Failure::ReaderGone
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Failure::Usage("no command given; `clothlab --help` shows them, `clothlab repro` runs everything".into())
        }
        _ => {
            let text = error.to_string();
            let lines =
                text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"));
            let line = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ").replace(" tip: ", "; ");
            Failure::Usage(format!("{}; --help shows what can be given", line.trim_start_matches("error: ")))
        }
    })
}

fn finish(outcome: Result<(), Failure>) -> ExitCode {
    let Err(failure) = outcome else { return ExitCode::SUCCESS };
    let message = failure.to_string();
    if !message.is_empty() {
        // nothing more can be done where even this cannot be written
        _ = writeln!(stderr().lock(), "{}", error_line(&message));
    }
    failure.exit_code()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_can_be_given() {
        let driver = Driver::command();
        for command in driver.get_subcommands().chain([&driver]) {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let examples: Vec<&str> = help.lines().filter(|line| line.starts_with("  clothlab ")).collect();
            assert!(!examples.is_empty(), "{} has no examples", command.get_name());
            for example in examples {
                let given = example.trim_start().split("  ").next().unwrap_or_default();
                let parsed = Driver::command().try_get_matches_from(given.split_whitespace());
                assert!(parsed.is_ok(), "{given}: {}", parsed.err().map(|error| error.to_string()).unwrap_or_default());
            }
        }
    }
}
