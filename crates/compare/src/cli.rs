//! The command line of `compare`.

use std::ffi::OsString;
use std::io::{ErrorKind, IsTerminal, Write, stderr, stdout};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::{CommandFactory, FromArgMatches, Parser, ValueEnum};

use lab::files::write_whole;
use lab::terminal::{error_line, mistake_line, without_control};

use crate::bisect::Bisection;
use crate::builds::compare_builds;
use crate::commits::Range;
use crate::contents::Blobs;
use crate::git::Repository;
use crate::history::History;
use crate::page::Block;
use crate::runs::Measurement;
use crate::side::{Side, Wanted};
use crate::{Comparison, Mistake, bisect_report, charts, compare, history_report, page, report, timeline};

/// Compare the results of two commits, or of many: rows exactly, times statistically.
///
/// Results are read from git, without a checkout. OLD and NEW are revisions, or folders such as `results` or `out/mine`; a
/// revision is tried first. Three or more, or a range A..B, give a history, each against the one before.
#[derive(Parser)]
#[command(name = "compare", version, after_help = include_str!("help.txt"))]
struct Request {
    /// Revision or folder of the old side; or A..B: A, and the commits on the way to B along first parents that changed results/
    #[arg(required_unless_present = "bisect")]
    old: Option<String>,
    /// Revision or folder of the new side [default: results/ as it lies in the checkout; with --build HEAD]
    new: Option<String>,
    /// More of them, for a history
    more: Vec<String>,
    /// The commits, of A..B or of all up to HEAD, at which the verdict on a claim flipped, and the smallest set that shows it
    #[arg(long, value_name = "CLAIM", conflicts_with_all = ["new", "build", "studies", "counts_only", "out"])]
    bisect: Option<String>,
    /// Compare this study only; may be given more than once
    #[arg(long = "study", value_name = "NAME")]
    studies: Vec<String>,
    /// Leave times alone: rows and the verdicts that rest on them
    #[arg(long)]
    counts_only: bool,
    /// How the comparison is printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// As Markdown for a pull request, details folded: the same as --format markdown
    #[arg(long, conflicts_with = "format")]
    markdown: bool,
    /// Folder for charts of the columns that changed, old against new and new/old - 1; of a history, for timeline.html
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
    let asked = request.asked()?;
    let (blocks, json, code) = match asked {
        Asked::Bisection(claim, range) => {
            let bisection = Bisection::of(claim, range, &repository?)?;
            (bisect_report::blocks(&bisection), json(request, &bisection)?, 0)
        }
        Asked::Range(range) => histories(request, &History::of_range(range, &repository?, request.wanted())?)?,
        Asked::History(names) => histories(request, &History::of_names(&names, repository.ok().as_ref(), request.wanted())?)?,
        Asked::Pair(old) => {
            let comparison = if request.build {
                built(request, old, &repository?)?
            } else {
                committed(request, old, repository.ok().as_ref())?
            };
            if let Some(folder) = &request.out {
                let drawn = charts::draw(&comparison, folder)?;
                match drawn {
                    0 => say("no numbers changed, so that there is nothing to draw"),
                    _ => say(&format!("{drawn} charts in {}", folder.display())),
                }
            }
            (report::blocks(&comparison), json(request, &comparison)?, comparison.outcome.exit_code())
        }
    };
    let printed = match request.format() {
        Format::Table => page::text(&blocks, has_colour()),
        Format::Markdown => page::markdown(&blocks),
        Format::Json => json,
    };
    let written = stdout().lock().write_all(printed.as_bytes());
    written
        .or_else(|error| if error.kind() == ErrorKind::BrokenPipe { Ok(()) } else { Err(error) })
        .map_err(|error| Mistake::Usage(format!("cannot write to the standard output: {error}")))?;
    if matches!(request.format(), Format::Table) {
        say(&format!("compared in {:.1} s", begin.elapsed().as_secs_f64()));
    }
    Ok(code)
}

/// What is asked for.
enum Asked<'a> {
    Pair(&'a str),
    Range(Range<'a>),
    History(Vec<&'a str>),
    Bisection(&'a str, Option<Range<'a>>),
}

impl Request {
    fn asked(&self) -> Result<Asked<'_>, Mistake> {
        let mistaken = |text: String| Err(Mistake::Usage(text));
        let old = self.old.as_deref().unwrap_or_default();
        let range = Range::parse(old);
        if let Some(claim) = &self.bisect {
            return match range {
                None if !old.is_empty() => {
                    mistaken(format!("`{old}` is no range; with --bisect name one as A..B, or none for all commits"))
                }
                range => Ok(Asked::Bisection(claim, range)),
            };
        }
        let names: Vec<&str> = [old].into_iter().chain(self.new.as_deref()).chain(self.more.iter().map(String::as_str)).collect();
        if names.len() > 1
            && let Some(name) = names.iter().find(|name| Range::parse(name).is_some())
        {
            return mistaken(format!("the range `{name}` stands alone; leave the others out, or name its commits"));
        }
        let asked = match (range, names.len()) {
            (Some(range), _) => Asked::Range(range),
            (None, 1 | 2) => return Ok(Asked::Pair(old)),
            (None, _) => Asked::History(names),
        };
        if self.build {
            return mistaken("--build takes two revisions; name two, or leave --build out".into());
        }
        Ok(asked)
    }

    fn format(&self) -> Format {
        if self.markdown { Format::Markdown } else { self.format }
    }

    fn wanted(&self) -> Wanted<'_> {
        Wanted { studies: &self.studies, times: !self.counts_only }
    }
}

/// A history, written as a page where that is asked for; as blocks, JSON and exit code.
fn histories(request: &Request, history: &History) -> Result<(Vec<Block>, String, u8), Mistake> {
    if let Some(folder) = &request.out {
        let path = folder.join("timeline.html");
        write_whole(&path, timeline::page(history).as_bytes())?;
        say(&format!("wrote {}", path.display()));
    }
    Ok((history_report::blocks(history), json(request, history)?, history.outcome().exit_code()))
}

/// As JSON, where that is asked for.
fn json(request: &Request, value: &impl serde::Serialize) -> Result<String, Mistake> {
    match request.format() {
        Format::Json => Ok(serde_json::to_string_pretty(value).map_err(|error| Mistake::Internal(error.to_string()))? + "\n"),
        _ => Ok(String::new()),
    }
}

/// Whether the standard output is a terminal that shows colours and is not asked to go without them.
fn has_colour() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    stdout().is_terminal() && !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|terminal| terminal != "dumb")
}

fn committed(request: &Request, old: &str, repository: Option<&Repository>) -> Result<Comparison, Mistake> {
    let wanted = request.wanted();
    let mut blobs = Blobs::default();
    let old = Side::open(old, repository, &mut blobs, wanted)?;
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

fn built(request: &Request, old: &str, repository: &Repository) -> Result<Comparison, Mistake> {
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
    compare_builds(repository, [old, new], &request.studies, &how, &say)
}

/// A line on progress.
fn say(line: &str) {
    // a standard error that nobody reads stops nothing
    _ = writeln!(stderr().lock(), "{}", without_control(line));
}
