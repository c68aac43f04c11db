use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use kit::Failure;
use kit::published::{citation, ledgers};
use lab::files::sweep;
use lab::judge::article::folder::Folder;
use lab::judge::article::manuscript::Manuscript;
use lab::judge::article::{PDF, SOURCE};
use lab::judge::claims::Ledger;
use lab::judge::report::{Place, Report};
use lab::measure::run::hold;
use lab::study::Study;

use super::verify::intact;
use crate::output::say;
use crate::program::Program;
use crate::workspace::{self, HEADLINE, chosen, measured};

/// What an article is written from, and where.
#[derive(Args, Clone, Debug)]
pub struct Request {
    /// Folder that holds results/ [default: the checkout]
    folder: Option<PathBuf>,
    /// Folder of the article [default: out/article]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

const MANUSCRIPT: &str = include_str!("article.toml");

/// The program that makes a PDF.
const TYPST: &str = "typst";

/// Writes an article on the results of all studies, in Typst, and its PDF where typst is there.
///
/// # Errors
/// No results, damaged ones, or some that are being written; a folder that cannot be written or holds files of somebody else.
pub fn article(program: &Program, request: &Request) -> Result<(), Failure> {
    let root = request.folder.clone().unwrap_or_else(workspace::root);
    let out = request.out.clone().unwrap_or_else(|| workspace::root().join("out/article"));
    let studies = program.published()?;
    intact(&root, measured(&root, chosen(&studies, None)?)?, false)?;
    let (ledgers, manuscript) = (ledgers()?, manuscript()?);
    let report = report(&root, &studies, ledgers);
    let article = report.article(&report.sections(), &manuscript, &citation()?)?;
    let _hold = hold(&out)?;
    sweep(&out)?;
    let mut folder = Folder::write(&out, &article)?;
    let typeset = typeset(&folder.unnamed());
    if matches!(typeset, Ok(true)) {
        folder.typeset();
    }
    let source = folder.publish()?;
    let shown = source.display();
    match typeset {
        Ok(true) => say(format!("the article is {}, its source {SOURCE} beside it", source.with_file_name(PDF).display())),
        Ok(false) => say(format!(
            "the article is {shown}; `{TYPST} compile --ignore-system-fonts {shown}` makes a PDF of it, and so does this command where \
             {TYPST} is on the PATH"
        )),
        Err(reason) => Err(Failure::Usage(format!("{TYPST} makes no PDF of {shown}: {reason}"))),
    }
}

/// The report that an article is taken from, without what only pages show.
pub fn report<'a>(root: &'a Path, studies: &'a [Study], ledgers: &'a [Ledger]) -> Report<'a> {
    Report {
        studies,
        published: studies,
        ledgers,
        pictures: &[],
        headline: HEADLINE,
        answers: &[],
        film: "",
        root,
        place: Place::Above,
        command: "cargo repro --full",
    }
}

/// What the article says in words of its own.
pub fn manuscript() -> Result<Manuscript, Failure> {
    Manuscript::parse(MANUSCRIPT).map_err(|error| Failure::Internal(error.to_string()))
}

/// Makes a PDF of the source in a folder, with the fonts of the program alone; whether the program is there.
fn typeset(folder: &Path) -> Result<bool, String> {
    let made = Command::new(TYPST).args(["compile", "--ignore-system-fonts", SOURCE, PDF]).current_dir(folder).output();
    match made {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error.to_string()),
        Ok(output) if output.status.success() => Ok(true),
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let reason = said.lines().find(|line| line.starts_with("error")).or(said.lines().next());
            Err(reason.unwrap_or("it ended without a word").to_owned())
        }
    }
}
