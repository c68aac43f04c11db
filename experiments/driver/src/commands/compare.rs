use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use kit::Failure;

use crate::workspace;

/// The question that `compare` is asked.
#[derive(clap::Args)]
pub struct Request {
    /// Revisions, folders and options, as `cargo compare --help` shows them
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

/// Runs the program `compare` where it is built.
///
/// # Errors
/// A program that is not built, with how to build it; its own exit code where that is not zero.
pub fn compare(request: &Request) -> Result<(), Failure> {
    let Some(program) = program() else {
        return Err(Failure::Usage(
            "`compare` is a program of its own, and not built here; `cargo compare ...` in the checkout builds it, which takes some \
             minutes once, and runs it"
                .into(),
        ));
    };
    let status = Command::new(&program).args(&request.arguments).status();
    let status = status.map_err(|error| Failure::Usage(format!("{} cannot be run: {error}", program.display())))?;
    match status.code() {
        Some(0) => Ok(()),
        // one that a signal ended has no code
        code => Err(Failure::Told(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))),
    }
}

/// The program beside this one, or where `cargo compare` builds it.
fn program() -> Option<PathBuf> {
    let name = format!("compare{}", env::consts::EXE_SUFFIX);
    let beside = env::current_exe().ok().and_then(|this| Some(this.parent()?.to_owned()));
    let built = ["target/debug", "target/release"].map(|folder| workspace::root().join(folder));
    beside.into_iter().chain(built).map(|folder| folder.join(&name)).find(|program| program.is_file())
}
