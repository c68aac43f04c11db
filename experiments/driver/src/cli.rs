//! The command line of the driver and of the binary of each study.

use std::ffi::OsString;
use std::io::{Write, stderr, stdout};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use cloth::integrators::IntegratorEntry;
use kit::Failure;
use lab::terminal::{be_quiet, error_line, mistake_line};

use crate::commands::claim::Asked;
use crate::commands::options::{Machine, Options};
use crate::commands::{
    article, audit, claim, compare, completions, figure, freeze, list, merge, plan, plot, race, report, repro, run, smoke,
    status, submit, validate, verify, view,
};
use crate::control;
use crate::export_system;
use crate::fit;
use crate::init;
use crate::interrupts::{Left, watch};
use crate::output::say;
use crate::program::Program;
use crate::simulate;
use crate::sweep;

/// Studies of cloth time integration: run them, judge the published numbers, draw the charts.
#[derive(Parser)]
#[command(name = "clothlab", version, after_help = include_str!("help/clothlab.txt"))]
struct Driver {
    /// Show neither progress nor notes: results and errors alone
    #[arg(long, global = true)]
    quiet: bool,
    #[command(subcommand)]
    command: Command,
}

/// Commands about claims beside judging and showing them.
#[derive(Subcommand)]
enum ClaimsAct {
    /// Plan the number of cases that would decide each open answer with 90 %
    #[command(after_help = include_str!("help/claims-plan.txt"))]
    Plan {
        /// A study, or the id of a claim, of which every answer is planned
        name: Option<String>,
        /// Write one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Freeze what decides the claims of studies, before sets are measured that nobody has seen
    #[command(after_help = include_str!("help/claims-freeze.txt"))]
    Freeze {
        /// The studies
        #[arg(required = true, value_name = "STUDY")]
        studies: Vec<String>,
    },
}

#[derive(Subcommand)]
enum Command {
    /// Show studies, each with what came of its claims and how long it takes, or the groups and claims of one
    #[command(after_help = include_str!("help/list.txt"))]
    List(list::Request),
    /// Measure one study
    #[command(after_help = include_str!("help/run.txt"))]
    Run {
        /// The study, as `clothlab list` names it
        study: String,
        #[command(flatten)]
        options: Options,
    },
    /// Measure every figure and claim, or those of some studies or papers, hold rows against the published ones, and write a report
    #[command(after_help = include_str!("help/repro.txt"))]
    Repro(repro::Request),
    /// Measure every study on a small sample, and check that rows depend neither on threads nor on the processor
    #[command(after_help = include_str!("help/smoke.txt"))]
    Smoke {
        #[command(flatten)]
        machine: Machine,
        /// Folder of the output [default: out/smoke]
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Hold integrators, constraint methods and laws of bending against exact solutions
    #[command(after_help = include_str!("help/validate.txt"))]
    Validate(validate::Request),
    /// Write a scene that runs, of a mesh of your own or of a sheet, with each choice and its reason
    #[command(after_help = include_str!("help/init.txt"))]
    Init(init::Request),
    /// Run a scene: a page that plays it, pictures, energies, final state and frames
    #[command(after_help = include_str!("help/simulate.txt"))]
    Simulate(simulate::Asked),
    /// Run a scene with every combination of some values: a table, a chart and the runs side by side
    #[command(after_help = include_str!("help/sweep.txt"))]
    Sweep(sweep::Request),
    /// Run a scene by many integrators over a ladder of steps, and rank them for an accuracy
    #[command(after_help = include_str!("help/race.txt"))]
    Race(race::Request),
    /// Look for forces that lead the cloth of a scene to key frames, and run it under them
    #[command(after_help = include_str!("help/control.txt"))]
    Control(simulate::Request),
    /// Look for constants of the material with which a scene moves as it was recorded to
    #[command(after_help = include_str!("help/fit.txt"))]
    Fit(fit::Request),
    /// Write a page that plays runs of scenes side by side
    #[command(after_help = include_str!("help/view.txt"))]
    View(view::Request),
    /// Show every key of a scene with its default, and every integrator and constraint method
    #[command(after_help = include_str!("help/keys.txt"))]
    Keys,
    /// Write the linear system that a step of a scene solves, as Matrix Market files
    #[command(after_help = include_str!("help/export-system.txt"))]
    ExportSystem(export_system::Request),
    /// Draw the charts of a study, or of all, anew from results/
    #[command(after_help = include_str!("help/plot.txt"))]
    Plot {
        /// The study, or a folder that `clothlab run` wrote
        study: Option<String>,
    },
    /// Draw a figure or table of a paper by its number, from results/, with what came of its claims
    #[command(after_help = include_str!("help/figure.txt"))]
    Figure(figure::Request),
    /// Judge the claims of a study, or of all, anew from results/, and renew the verdicts there; or show a claim and what decides it
    #[command(after_help = include_str!("help/claims.txt"))]
    #[command(args_conflicts_with_subcommands = true)]
    Claims {
        #[command(subcommand)]
        act: Option<ClaimsAct>,
        /// The study, a folder that `clothlab run` wrote, or the id of a claim
        study: Option<String>,
        /// Show claims of this ledger, by the published tables, in place of the project's
        #[arg(long, value_name = "FILE")]
        ledger: Option<PathBuf>,
        /// Write one JSON document, whose keys the end of this help names
        #[arg(long)]
        json: bool,
    },
    /// Write REPORT.md, the part on each study, the page REPORT.html and all verdicts anew from results/
    #[command(after_help = include_str!("help/report.txt"))]
    Report {
        /// A folder that `clothlab run` wrote
        folder: Option<String>,
    },
    /// Put the shards of a study together, as if one run had measured all
    #[command(after_help = include_str!("help/merge.txt"))]
    Merge(merge::Request),
    /// Write what Slurm, HyperQueue or GNU parallel needs to measure a study in shards, and submit it
    #[command(after_help = include_str!("help/submit.txt"))]
    Submit(submit::Request),
    /// Show how far shards and sweeps are
    #[command(after_help = include_str!("help/status.txt"))]
    Status {
        /// A folder of a shard or a sweep, or one with such folders [default: out]
        folder: Option<PathBuf>,
    },
    /// Measure published cases again, drawn at random, and compare them byte for byte
    #[command(after_help = include_str!("help/audit.txt"))]
    Audit(audit::Request),
    /// Hold results of two commits, of folders or of many commits against each other
    #[command(after_help = include_str!("help/compare.txt"))]
    Compare(compare::Request),
    /// Write what a shell needs to complete these commands
    #[command(after_help = include_str!("help/completions.txt"))]
    Completions(completions::Request),
    /// Write a short article on the results of all studies, and its PDF where typst is there
    #[command(after_help = include_str!("help/article.txt"))]
    Article(article::Request),
    /// Compare results with their checksums
    #[command(after_help = include_str!("help/verify.txt"))]
    Verify {
        /// A folder with SHA256SUMS, or one with such folders [default: results]
        folder: Option<PathBuf>,
    },
}

impl Options {
    /// What is left where they are stopped.
    fn left(&self) -> Left {
        if self.dry_run || self.case.is_some() { Left::All } else { left_of_cases(self.fresh) }
    }
}

impl Command {
    /// What is left where it is stopped.
    fn left(&self) -> Left {
        match self {
            Command::Run { options, .. } => options.left(),
            Command::Repro(request) => left_of_cases(request.fresh),
            Command::Race(request) => left_of_cases(request.fresh),
            Command::Smoke { .. } => Left::Nothing,
            Command::Simulate(simulate::Asked { request, .. }) | Command::Control(request) if request.dry_run => Left::All,
            Command::Fit(request) if request.dry_run => Left::All,
            Command::Sweep(request) if request.dry_run => Left::All,
            Command::Sweep(_) => Left::Cases,
            Command::List(_)
            | Command::Keys
            | Command::Compare(_)
            | Command::Completions(_)
            | Command::Validate(_)
            | Command::Status { .. }
            | Command::Audit(_)
            | Command::Verify { .. } => Left::All,
            Command::Simulate(_)
            | Command::Init(_)
            | Command::Control(_)
            | Command::Fit(_)
            | Command::View(_)
            | Command::ExportSystem(_)
            | Command::Merge(_)
            | Command::Submit(_)
            | Command::Plot { .. }
            | Command::Figure(_)
            | Command::Claims { .. }
            | Command::Report { .. }
            | Command::Article(_) => Left::Unfinished,
        }
    }
}

/// What is left of measurements: a command that forgets what there is would forget them too.
fn left_of_cases(fresh: bool) -> Left {
    if fresh { Left::FreshCases } else { Left::Cases }
}

/// The command `validate`, which comes with the study whose cases it measures.
pub type Validate = fn(validate::Request) -> Result<(), Failure>;

/// The driver with integrators of another crate, see [`cloth::integrators::add`]; one line where they cannot be added.
pub fn driver_with(program: &Program, validate: Validate, own: &'static [IntegratorEntry]) -> ExitCode {
    match cloth::integrators::add(own) {
        Ok(()) => driver(program, validate),
        Err(refused) => finish(Err(Failure::Usage(refused.to_string()))),
    }
}

/// The driver.
pub fn driver(program: &Program, validate: Validate) -> ExitCode {
    let driver = parse::<Driver>(Driver::command(), std::env::args_os());
    finish(driver.inspect(|driver| begin(driver.command.left(), driver.quiet)).and_then(|driver| match driver.command {
        Command::List(request) => list::list(program, &request),
        Command::Run { study, options } => run::run(program, &study, &options),
        Command::Repro(request) => repro::repro(program, &request),
        Command::Smoke { machine, out } => smoke::smoke(program, &machine, out),
        Command::Validate(request) => validate(request),
        Command::Init(request) => init::init(&request),
        Command::Simulate(asked) => simulate::command(&asked),
        Command::Sweep(request) => sweep::sweep(program, &request),
        Command::Race(request) => race::race(program, &request),
        Command::Control(request) if request.dry_run => control::dry_run(&request).and_then(say),
        Command::Control(request) => control::control(&request).and_then(|summary| say(summary.to_string())),
        Command::Fit(request) if request.dry_run => fit::dry_run(&request).and_then(say),
        Command::Fit(request) => fit::fit(&request).and_then(|summary| say(summary.to_string())),
        Command::Keys => say(scene::reference().trim_end()),
        Command::View(request) => view::view(program, &request),
        Command::ExportSystem(request) => export_system::export_system(&request).and_then(|summary| say(summary.to_string())),
        Command::Plot { study } => plot::plot(program, study.as_deref()),
        Command::Figure(request) => figure::figure(program, &request),
        Command::Claims { act: Some(ClaimsAct::Plan { name, json }), .. } => plan::show(program, name.as_deref(), json),
        Command::Claims { act: Some(ClaimsAct::Freeze { studies }), .. } => freeze::freeze(program, &studies),
        Command::Claims { act: None, study, ledger, json } => match (study.as_deref(), ledger.as_deref()) {
            (id, Some(ledger)) => claim::show(program, &Asked { id, ledger: Some(ledger), json }),
            (Some(id), None) if claim::is_id(id)? => claim::show(program, &Asked { id: Some(id), ledger: None, json }),
            (study, None) => report::claims(program, study, json),
        },
        Command::Report { folder } => report::report(program, folder.as_deref()),
        Command::Merge(request) => merge::merge(program, &request),
        Command::Submit(request) => submit::submit(program, &request),
        Command::Status { folder } => status::status(folder),
        Command::Audit(request) => audit::audit(program, &request),
        Command::Compare(request) => compare::compare(&request),
        Command::Completions(request) => completions::completions(&request, Driver::command()),
        Command::Article(request) => article::article(program, &request),
        Command::Verify { folder } => verify::verify(program, folder),
    }))
}

/// The binary of one study: `clothlab run STUDY` with the same options.
pub fn study(program: &Program, name: &str) -> ExitCode {
    #[derive(Parser)]
    #[command(version, about = "Measures one study")]
    struct Study {
        /// Show neither progress nor notes: results and errors alone
        #[arg(long)]
        quiet: bool,
        #[command(flatten)]
        options: Options,
    }
    let command = Study::command().after_help(include_str!("help/study.txt").replace("STUDY", name));
    let study = parse::<Study>(command, std::env::args_os());
    let begun = study.inspect(|study| begin(study.options.left(), study.quiet));
    finish(begun.and_then(|study| run::run(program, name, &study.options)))
}

/// Beginning of a command: signals are watched from now on, and notes left out where it is `quiet`.
fn begin(left: Left, quiet: bool) {
    watch(left);
    if quiet {
        be_quiet();
    }
}

/// Help and version are printed; a mistake becomes one line.
fn parse<P: FromArgMatches>(command: clap::Command, arguments: impl Iterator<Item = OsString>) -> Result<P, Failure> {
    let parsed = command.try_get_matches_from(arguments).and_then(|matches| P::from_arg_matches(&matches));
    parsed.map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // help that nobody reads is no failure
            // doc comments escape the brackets of units
            let help = error.to_string().replace("\\[", "[").replace("\\]", "]");
            _ = write!(stdout().lock(), "{help}");
            Failure::ReaderGone
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Failure::Usage("no command given; `clothlab --help` shows them, `clothlab repro` runs everything".into())
        }
        _ => Failure::Usage(mistake_line(&error.to_string())),
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

    /// What stands in double quotes is one word, as a shell has it.
    fn shell_words(line: &str) -> impl Iterator<Item = &str> {
        line.split('"').enumerate().flat_map(|(part, text)| match part % 2 {
            0 => text.split_whitespace().collect(),
            _ => vec![text],
        })
    }

    #[test]
    fn every_example_can_be_given() {
        let driver = Driver::command();
        for command in driver.get_subcommands().chain([&driver]) {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let examples: Vec<&str> = help.lines().filter(|line| line.starts_with("  clothlab ")).collect();
            assert!(!examples.is_empty(), "{} has no examples", command.get_name());
            for example in examples {
                let given = example.trim_start().split("  ").next().unwrap_or_default();
                let parsed = Driver::command().try_get_matches_from(shell_words(given));
                assert!(parsed.is_ok(), "{given}: {}", parsed.err().map(|error| error.to_string()).unwrap_or_default());
            }
        }
    }
}
