//! Freezing what decides claims, and the sets that follow, which nobody has seen.

use kit::Failure;
use kit::published::ledgers;
use lab::files::write_whole;
use lab::judge::frozen::{Decides, Frozen};
use lab::provenance::now;
use lab::study::Study;

use crate::frozen::file;
use crate::output::{relative, say};
use crate::program::Program;
use crate::workspace::find;

fn decides(program: &Program, study: &Study) -> Result<Decides, Failure> {
    let claims = ledgers()?.iter().flat_map(|ledger| &ledger.claims);
    Ok(study.decides(claims, program.deciding(study.name)))
}

/// The base seed of held-out sets of a study.
///
/// # Errors
/// A study that is not frozen, or of which something that decides has changed since.
pub fn seed(program: &Program, study: &Study) -> Result<u64, Failure> {
    let name = study.name;
    let Some(frozen) = &study.frozen else {
        let remedy = format!("`clothlab claims freeze {name}`, and commit the file that it writes");
        return Err(Failure::Usage(format!("{name} is not frozen, so that no sets are held out: {remedy}")));
    };
    match frozen.decides.difference(&decides(program, study)?) {
        None => Ok(frozen.seed()),
        Some(what) => {
            let file = relative(&file(name));
            let remedy =
                format!("go back to what was frozen, or remove {} and freeze {name} anew, for other sets", file.display());
            Err(Failure::Usage(format!("{what} changed since {name} was frozen on {}: {remedy}", frozen.on)))
        }
    }
}

/// Freezes what decides the claims of studies, by name.
///
/// # Errors
/// A study that does not exist or is frozen, a file that cannot be written.
pub fn freeze(program: &Program, names: &[String]) -> Result<(), Failure> {
    let studies = program.published()?;
    let chosen = names.iter().map(|name| find(&studies, name)).collect::<Result<Vec<_>, _>>()?;
    if let Some(study) = chosen.iter().find(|study| study.frozen.is_some()) {
        let file = relative(&file(study.name));
        return Err(Failure::Usage(format!(
            "{} is frozen in {}; who removes that file gives up the sets that were held out for it",
            study.name,
            file.display()
        )));
    }
    for study in chosen {
        let frozen = Frozen::new(study.name, now().chars().take(10).collect(), decides(program, study)?);
        let text = toml::to_string(&frozen).map_err(|error| Failure::Internal(error.to_string()))?;
        let file = file(study.name);
        write_whole(&file, text.as_bytes())?;
        let (count, seed) = (frozen.decides.claims.len(), &frozen.seed);
        say(format!("{}: {count} claims frozen, seed {seed}, in {}", study.name, relative(&file).display()))?;
    }
    say("commit this before `clothlab run STUDY --held-out`: the commit shows that nothing was chosen afterwards")
}
