use cloth::lanes::InstructionSet;
use lab::publish::{Places, redraw};

use super::verify::intact;
use crate::output::say;
use crate::profile::Profile;
use crate::workspace::{self, chosen, hold_results, measured};
use crate::{Failure, studies};

/// Draws the charts of a study, or of all, anew from the results at hand, and renews their checksums.
///
/// # Errors
/// A study that does not exist, results that are damaged or are being written, a folder that cannot be written.
pub fn plot(study: Option<&str>) -> Result<(), Failure> {
    let root = workspace::root();
    let studies = studies::all(&Profile::load("paper")?.ranges, InstructionSet::best());
    let chosen = measured(&root, chosen(&studies, study)?)?;
    let _hold = hold_results(&root)?;
    intact(&root, chosen.iter().copied(), false)?;
    for study in chosen {
        let folder = root.join("plots").join(study.name);
        let results = root.join("results").join(study.name);
        let above = format!("../../plots/{}/", study.name);
        redraw(study, &Places { results: &results, plots: &folder, plots_from_results: &above })?;
        say(format!("{}: charts in {}", study.name, folder.display()))?;
    }
    Ok(())
}
