use kit::Failure;
use lab::publish::redraw;

use super::folder::Folder;
use super::verify::intact;
use crate::output::{relative, say};
use crate::program::Program;
use crate::workspace::{self, chosen, hold_results, measured, with_places};

/// Draws the charts of a study, or of all, anew from the results at hand, or those of a folder that `clothlab run` wrote.
///
/// # Errors
/// A study that does not exist, results that are damaged or are being written, a folder that cannot be written.
pub fn plot(program: &Program, wanted: Option<&str>) -> Result<(), Failure> {
    let root = workspace::root();
    let studies = program.published()?;
    if let Some(folder) = Folder::of(wanted, &studies)? {
        redraw(folder.study, &folder.places())?;
        return say(format!("{}: charts in {}", folder.study.name, folder.places().plots.display()));
    }
    let chosen = measured(&root, chosen(&studies, wanted)?)?;
    let _hold = hold_results(&root, &studies)?;
    intact(&root, chosen.iter().copied(), false)?;
    for study in chosen {
        with_places(&root, study, |places| redraw(study, places))?;
        say(format!("{}: charts in {}", study.name, relative(&root.join("plots").join(study.name)).display()))?;
    }
    Ok(())
}
