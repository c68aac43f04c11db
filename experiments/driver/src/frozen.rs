//! Files of what was frozen, one for each study.

use std::path::PathBuf;

use kit::Failure;
use lab::files::read_text;
use lab::judge::frozen::Frozen;

use crate::workspace::root;

/// The file of a study.
pub fn file(study: &str) -> PathBuf {
    root().join("experiments/frozen").join(format!("{study}.toml"))
}

/// The frozen hashes of a study, if there are any.
///
/// # Errors
/// A file that is damaged.
pub fn frozen(study: &str) -> Result<Option<Frozen>, Failure> {
    let file = file(study);
    if !file.exists() {
        return Ok(None);
    }
    let frozen = Frozen::read(&read_text(&file)?);
    let damaged = |why| Failure::Usage(format!("{}: {why}; take it from the commit that froze it", file.display()));
    frozen.map(Some).map_err(damaged)
}
