use std::path::{Path, PathBuf};

use clap::Args;
use lab::files::{FileError, LARGEST, read_bytes, write_whole};

use crate::Failure;
use crate::output::say;
use crate::simulate::PAGE;

/// Runs that are looked at together.
#[derive(Args, Clone, Debug)]
pub struct Request {
    /// Folders that `clothlab simulate` wrote, or pages
    #[arg(required = true, value_name = "DIR")]
    runs: Vec<PathBuf>,
    /// The page [default: out/view.html]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Writes a page that plays runs side by side.
///
/// # Errors
/// A folder without a page, a page without runs, a place where something else is, or one that cannot be written.
pub fn view(request: &Request) -> Result<(), Failure> {
    let out = request.out.clone().unwrap_or_else(|| crate::workspace::root().join("out").join(PAGE));
    if out.symlink_metadata().is_ok() && runs(&out)?.is_empty() {
        let out = out.display();
        return Err(Failure::Usage(format!("{out} is no page of runs; choose another file with --out")));
    }
    let mut all = vec![];
    for path in &request.runs {
        let page = if path.is_dir() { path.join(PAGE) } else { path.clone() };
        let found = if page.exists() { runs(&page)? } else { vec![] };
        if found.is_empty() {
            return Err(Failure::Usage(format!("{} holds no run; name a folder that `clothlab simulate` wrote", page.display())));
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        all.extend(found.iter().map(|run| if path.is_dir() { viewer::named(run, &name) } else { run.clone() }));
    }
    write_whole(&out, viewer::page("clothlab", &all, "").as_bytes())?;
    say(format!("{} runs in {}", all.len(), out.display()))
}

fn runs(page: &Path) -> Result<Vec<String>, FileError> {
    Ok(viewer::runs(&String::from_utf8_lossy(&read_bytes(page, LARGEST)?)))
}
