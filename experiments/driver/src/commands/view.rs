use std::path::{Path, PathBuf};

use clap::Args;
use kit::Failure;
use kit::recorded;
use lab::files::{FileError, LARGEST, read_bytes, write_whole};
use lab::judge::sample::PUBLISHED_SEED;
use lab::measure::run::{groups, one_case};
use lab::part_files;
use lab::study::Study;
use lab::sums::SUMS;
use viewer::Film;

use crate::output::{self, say};
use crate::profile::Profile;
use crate::program::Program;
use crate::simulate::PAGE;
use crate::whole::Whole;
use crate::workspace;

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
    /// The page [default: out/view-NAMES.html, by what is shown]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace a page of other runs
    #[arg(long)]
    force: bool,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
}

/// Most characters that names give to the name of a page.
const LONGEST: usize = 100;

/// Writes a page that plays runs side by side.
///
/// # Errors
/// A folder without a page, a page without runs, a study or case that there is not or that follows no cloth, a place where
/// something else is, or one that cannot be written.
pub fn view(program: &Program, request: &Request) -> Result<(), Failure> {
    if request.runs.iter().any(|path| !path.exists()) {
        let studies = Profile::load(program, &request.profile)?.studies;
        let named = |path: &PathBuf| studies.iter().find(|study| path.as_os_str() == study.name && !path.exists());
        match (request.runs.as_slice(), request.runs.iter().find_map(named)) {
            ([_], Some(study)) => return view_case(study, request),
            (_, Some(Study { name, .. })) => {
                return Err(Failure::Usage(format!("{name} is a study, whose cases are looked at one by one; name it alone")));
            }
            (_, None) => {}
        }
    }
    if request.only.is_some() || request.case.is_some() {
        return Err(Failure::Usage("--only and --case choose a case of a study; name the study in place of folders".into()));
    }
    let shown: Vec<String> = request.runs.iter().map(|path| path.display().to_string()).collect();
    let names: Vec<String> = request.runs.iter().map(|path| name_of(path)).collect();
    let page = Page::of(request, format!("{} - clothlab", shown.join(", ")), &names.join("-"))?;
    let mut all = vec![];
    for path in &request.runs {
        let page = if path.is_dir() { path.join(PAGE) } else { path.clone() };
        let text = if page.exists() { text(&page)? } else { String::new() };
        let (found, page) = (viewer::runs(&text), page.display());
        if found.len() < viewer::count(&text) {
            return Err(Failure::Usage(format!("{page} is damaged: it holds a run that cannot be read; write it anew")));
        }
        if found.is_empty() {
            return Err(Failure::Usage(format!("{page} holds no run; name a folder that `clothlab simulate` wrote, or a study")));
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        all.extend(found.iter().map(|run| if path.is_dir() { viewer::named(run, &name) } else { run.clone() }));
    }
    page.write(&all)?;
    say(format!("{} in {}", runs_in_words(all.len()), page.file.display()))?;
    page.open(request);
    Ok(())
}

/// A page that is to be written, where nothing else is in its place.
struct Page {
    file: PathBuf,
    title: String,
}

impl Page {
    /// The file that is asked for, or one by the names of what is shown.
    ///
    /// # Errors
    /// A file that is no page of runs, or without `--force` one of other runs.
    fn of(request: &Request, title: String, names: &str) -> Result<Page, Failure> {
        let plain = |c: char| if c.is_alphanumeric() || c == '.' { c } else { '-' };
        let stem: String = names.chars().map(plain).take(LONGEST).collect();
        let unnamed = || workspace::root().join("out").join(format!("view-{stem}.html"));
        let file = request.out.clone().unwrap_or_else(unnamed);
        if file.symlink_metadata().is_ok() {
            let (text, named) = (text(&file)?, file.display());
            let folder = file.parent().unwrap_or(Path::new(""));
            let is_of_run = file.file_name().is_some_and(|name| name == PAGE)
                && (folder.join(SUMS).exists() || !part_files(&folder.join("parts")).is_empty());
            if is_of_run {
                return Err(Failure::Usage(format!("{named} is the page of a run itself; choose another file with --out")));
            }
            if viewer::count(&text) == 0 {
                return Err(Failure::Usage(format!("{named} is no page of runs; choose another file with --out")));
            }
            if !request.force && !viewer::is_titled(&text, &title) {
                return Err(Failure::Usage(format!(
                    "{named} shows other runs; choose another file with --out, or replace it with --force"
                )));
            }
        }
        Ok(Page { file, title })
    }

    /// Shows it, where that is asked for.
    fn open(&self, request: &Request) {
        if request.open {
            output::open(&self.file);
        }
    }

    fn write(&self, runs: &[String]) -> Result<(), FileError> {
        write_whole(&self.file, viewer::page(&self.title, runs, "").as_bytes())
    }
}

/// A run by the name of its folder, or of its page.
fn name_of(path: &Path) -> String {
    let page = path.file_name().is_some_and(|name| name == PAGE);
    let named = path.parent().filter(|_| page).unwrap_or(path);
    named.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn runs_in_words(count: usize) -> String {
    if count == 1 { "1 run".to_owned() } else { format!("{count} runs") }
}

/// Runs a case of a study, and writes a page that plays the runs that it follows.
fn view_case(study: &Study, request: &Request) -> Result<(), Failure> {
    let group = groups(study, request.only.as_deref())?[0];
    let set = request.case.unwrap_or(0);
    let case = format!("{} {}, case {set}", study.name, group.name());
    let mut shown = case.clone();
    if request.profile != "paper" {
        shown += &format!(", profile {}", request.profile);
    }
    if request.seed != PUBLISHED_SEED {
        shown += &format!(", seed {}", request.seed);
    }
    let names = shown.replace([',', ' '], "-").replace("--", "-");
    let page = Page::of(request, format!("{shown} - clothlab"), &names)?;
    let (rows, films, begun) = recorded::films_of(|| one_case(study, group, request.seed, set));
    let rows = rows?;
    if films.is_empty() {
        return Err(Failure::Usage(format!("{case} follows no cloth from step to step; choose another group with --only")));
    }
    let films: Vec<String> = films.iter().map(Film::packed).collect();
    page.write(&films)?;
    let columns: Vec<&str> = group.columns().iter().map(|column| column.name).collect();
    say(columns.join(","))?;
    rows.iter().try_for_each(say)?;
    let count = match films.len() {
        shown if shown == begun => runs_in_words(shown),
        shown => format!("the first {shown} of {begun} runs"),
    };
    say(format!("{count} of {case} in {}", page.file.display()))?;
    page.open(request);
    Ok(())
}

fn text(page: &Path) -> Result<String, FileError> {
    Ok(String::from_utf8_lossy(&read_bytes(page, LARGEST)?).into_owned())
}
