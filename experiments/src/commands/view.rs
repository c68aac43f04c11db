use std::path::{Path, PathBuf};

use clap::Args;
use lab::files::{FileError, LARGEST, read_bytes, write_whole};
use lab::measure::run::{groups, one_case};
use lab::study::Study;
use viewer::Film;

use crate::output::{self, say};
use crate::profile::Profile;
use crate::simulate::PAGE;
use crate::whole::Whole;
use crate::workspace;
use crate::{Failure, recorded, studies};

/// Runs that are looked at together.
#[derive(Args, Clone, Debug)]
pub struct Request {
    /// Folders that `clothlab simulate` wrote, or pages; or a study, one of whose cases is run
    #[arg(required = true, value_name = "DIR|STUDY")]
    runs: Vec<PathBuf>,
    /// Group of the study [default: its main group]
    #[arg(long, value_name = "GROUP")]
    only: Option<String>,
    /// Parameter set of that group [default: 0]
    #[arg(long, value_name = "I", value_parser = Whole(0..=u64::MAX), allow_negative_numbers = true)]
    case: Option<u64>,
    /// Base seed of the study's random sets
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = Whole(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,
    /// Ranges of the study: paper, smoke, or a file that ends in .toml
    #[arg(long, value_name = "P", default_value = "paper")]
    profile: String,
    /// The page [default: out/view.html]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
}

/// Writes a page that plays runs side by side, and opens it where that is asked for.
///
/// # Errors
/// As [`write`].
pub fn view(request: &Request) -> Result<(), Failure> {
    let out = request.out.clone().unwrap_or_else(|| workspace::root().join("out").join(PAGE));
    write(request, &out)?;
    if request.open {
        output::open(&out);
    }
    Ok(())
}

/// Writes a page that plays runs side by side.
///
/// # Errors
/// A folder without a page, a page without runs, a study or case that there is not or that follows no cloth, a place where
/// something else is, or one that cannot be written.
fn write(request: &Request, out: &Path) -> Result<(), Failure> {
    if out.symlink_metadata().is_ok() && runs(out)?.is_empty() {
        let out = out.display();
        return Err(Failure::Usage(format!("{out} is no page of runs; choose another file with --out")));
    }
    if request.runs.iter().any(|path| !path.exists()) {
        let studies = studies::all(&Profile::load(&request.profile)?.ranges);
        let named = |path: &PathBuf| studies.iter().find(|study| path.as_os_str() == study.name && !path.exists());
        match (request.runs.as_slice(), request.runs.iter().find_map(named)) {
            ([_], Some(study)) => return view_case(study, request, out),
            (_, Some(Study { name, .. })) => {
                return Err(Failure::Usage(format!("{name} is a study, whose cases are looked at one by one; name it alone")));
            }
            (_, None) => {}
        }
    }
    if request.only.is_some() || request.case.is_some() {
        return Err(Failure::Usage("--only and --case choose a case of a study; name the study in place of folders".into()));
    }
    let mut all = vec![];
    for path in &request.runs {
        let page = if path.is_dir() { path.join(PAGE) } else { path.clone() };
        let found = if page.exists() { runs(&page)? } else { vec![] };
        if found.is_empty() {
            let page = page.display();
            return Err(Failure::Usage(format!("{page} holds no run; name a folder that `clothlab simulate` wrote, or a study")));
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        all.extend(found.iter().map(|run| if path.is_dir() { viewer::named(run, &name) } else { run.clone() }));
    }
    write_whole(out, viewer::page("clothlab", &all, "").as_bytes())?;
    say(format!("{} runs in {}", all.len(), out.display()))
}

/// Runs a case of a study, and writes a page that plays the runs that it follows.
fn view_case(study: &Study, request: &Request, out: &Path) -> Result<(), Failure> {
    let group = groups(study, request.only.as_deref())?[0];
    let set = request.case.unwrap_or(0);
    let (rows, films, begun) = recorded::films_of(|| one_case(study, group, request.seed, set));
    let rows = rows?;
    let case = format!("{} {}, case {set}", study.name, group.name());
    if films.is_empty() {
        return Err(Failure::Usage(format!("{case} follows no cloth from step to step; choose another group with --only")));
    }
    let films: Vec<String> = films.iter().map(Film::packed).collect();
    write_whole(out, viewer::page(&format!("clothlab: {case}"), &films, "").as_bytes())?;
    let columns: Vec<&str> = group.columns().iter().map(|column| column.name).collect();
    say(columns.join(","))?;
    rows.iter().try_for_each(say)?;
    let counted = match films.len() as u64 {
        shown if shown == begun as u64 => format!("{shown} runs"),
        shown => format!("the first {shown} of {begun} runs"),
    };
    say(format!("{counted} of {case} in {}", out.display()))
}

fn runs(page: &Path) -> Result<Vec<String>, FileError> {
    Ok(viewer::runs(&String::from_utf8_lossy(&read_bytes(page, LARGEST)?)))
}
