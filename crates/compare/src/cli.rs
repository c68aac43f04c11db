//! The command line of `compare`.

use std::ffi::OsString;
use std::io::{ErrorKind, Write, stderr, stdout};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::{CommandFactory, FromArgMatches, Parser, ValueEnum};

use lab::terminal::{error_line, mistake_line, without_control};

use crate::builds::compare_builds;
use crate::git::Repository;
use crate::runs::Measurement;
use crate::side::{Side, Wanted};
use crate::{Comparison, Mistake, charts, compare, page, report};

/// Compare the results of two commits: rows exactly, times statistically.
///
/// Results are read from git, without a checkout. OLD and NEW are revisions, or folders such as `results` or `out/mine`; a
/// revision is tried first.
#[derive(Parser)]
#[command(name = "compare", version, after_help = include_str!("help.txt"))]
struct Request {
    /// Revision or folder of the old side
    old: String,
    /// Revision or folder of the new side [default: results/ as it lies in the checkout; with --build HEAD]
    new: Option<String>,
    /// Compare this study only; may be given more than once
    #[arg(long = "study", value_name = "NAME")]
    studies: Vec<String>,
    /// Leave times alone: rows and the verdicts that rest on them
    #[arg(long)]
    counts_only: bool,
    /// How the comparison is printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Folder for charts, old against new, of the columns that changed
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Check both revisions out, build them and measure the studies in turn, instead of reading committed results
    #[arg(long)]
    build: bool,
    /// With --build: parameter sets of the main group
    #[arg(long, value_name = "N", requires = "build", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    sets: Option<u64>,
    /// With --build: sample sizes and ranges [default: smoke]
    #[arg(long, value_parser = ["smoke", "paper"], requires = "build")]
    profile: Option<String>,
    /// With --build: rounds of old, new and old once more [default: 5]
    #[arg(long, value_name = "N", requires = "build", value_parser = clap::value_parser!(u16).range(2..=1000))]
    rounds: Option<u16>,
    /// With --build: threads of a measurement [default: 1]
    #[arg(long, value_name = "J", requires = "build", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Table,
    Markdown,
    Json,
}

pub fn main() -> ExitCode {
    match parse(std::env::args_os()).and_then(|request| request.map_or(Ok(0), |request| run(&request))) {
        Ok(code) => ExitCode::from(code),
        Err(mistake) => {
            // nothing more can be done where even this cannot be written
            _ = writeln!(stderr().lock(), "{}", error_line(&mistake.to_string()));
            ExitCode::from(mistake.exit_code())
        }
    }
}

/// The request, or none where help was printed.
fn parse(arguments: impl Iterator<Item = OsString>) -> Result<Option<Request>, Mistake> {
    let parsed = Request::command().try_get_matches_from(arguments).and_then(|matches| Request::from_arg_matches(&matches));
    match parsed {
        Ok(request) => Ok(Some(request)),
        Err(error) if matches!(error.kind(), clap::error::ErrorKind::DisplayHelp | clap::error::ErrorKind::DisplayVersion) => {
            // help that nobody reads is no failure
            _ = write!(stdout().lock(), "{error}");
            Ok(None)
        }
        Err(error) => Err(Mistake::Usage(mistake_line(&error.to_string()))),
    }
}

fn run(request: &Request) -> Result<u8, Mistake> {
    let begin = Instant::now();
    let here = std::env::current_dir().map_err(|error| Mistake::Internal(error.to_string()))?;
    let repository = Repository::around(&here);
    let comparison = if request.build { built(request, &repository?)? } else { committed(request, repository.ok().as_ref())? };
    let printed = match request.format {
        Format::Table => page::text(&report::blocks(&comparison), false),
        Format::Markdown => page::markdown(&report::blocks(&comparison)),
        Format::Json => {
            let json = serde_json::to_string_pretty(&comparison).map_err(|error| Mistake::Internal(error.to_string()))?;
            json + "\n"
        }
    };
    if let Some(folder) = &request.out {
        let drawn = charts::draw(&comparison, folder)?;
        match drawn {
            0 => say("no numbers changed, so that there is nothing to draw"),
            _ => say(&format!("{drawn} charts in {}", folder.display())),
        }
    }
    let written = stdout().lock().write_all(printed.as_bytes());
    written
        .or_else(|error| if error.kind() == ErrorKind::BrokenPipe { Ok(()) } else { Err(error) })
        .map_err(|error| Mistake::Usage(format!("cannot write to the standard output: {error}")))?;
    if matches!(request.format, Format::Table) {
        say(&format!("compared in {:.1} s", begin.elapsed().as_secs_f64()));
    }
    Ok(comparison.outcome.exit_code())
}

fn committed(request: &Request, repository: Option<&Repository>) -> Result<Comparison, Mistake> {
    let wanted = Wanted { studies: &request.studies, times: !request.counts_only };
    let mut blobs = crate::contents::Blobs::default();
    let old = Side::open(&request.old, repository, &mut blobs, wanted)?;
    let new = match (&request.new, repository) {
        (Some(new), _) => Side::open(new, repository, &mut blobs, wanted)?,
        (None, Some(repository)) => {
            let folder = repository.root.join("results");
            if !folder.is_dir() {
                return Err(Mistake::NoResults(folder.display().to_string()));
            }
            Side::of_folder("results/", &folder, wanted)?
        }
        (None, None) => return Err(Mistake::Usage("outside a checkout, name two folders".into())),
    };
    Ok(compare(&old, &new, !request.counts_only))
}

fn built(request: &Request, repository: &Repository) -> Result<Comparison, Mistake> {
    let new = match &request.new {
        Some(new) => new.as_str(),
        None => match repository.first_change()? {
            Some(first) => return Err(Mistake::Dirty { root: repository.root.clone(), first }),
            None => "HEAD",
        },
    };
    let how = Measurement {
        sets: request.sets,
        profile: request.profile.clone().unwrap_or_else(|| "smoke".into()),
        jobs: request.jobs.unwrap_or(1),
        rounds: (!request.counts_only).then(|| usize::from(request.rounds.unwrap_or(5))),
    };
    compare_builds(repository, [&request.old, new], &request.studies, &how, &say)
}

/// A line on progress.
fn say(line: &str) {
    // a standard error that nobody reads stops nothing
    _ = writeln!(stderr().lock(), "{}", without_control(line));
}
