use cloth::lanes::InstructionSet;
use lab::publish::{Places, redraw};

use crate::output::say;
use crate::profile::Profile;
use crate::workspace::{self, chosen, finished, hold_results};
use crate::{Failure, studies};

/// Draws the charts of a study, or of all, anew from the results at hand, and renews their checksums.
///
/// # Errors
/// A study that does not exist, results that cannot be read or are being written, a folder that cannot be written.
pub fn plot(study: Option<&str>) -> Result<(), Failure> {
    let root = workspace::root();
    let studies = studies::all(&Profile::load("paper")?.ranges, InstructionSet::best());
    let chosen = chosen(&studies, study)?;
    for study in &chosen {
        finished(&root, study)?;
    }
    let _hold = hold_results(&root)?;
    for study in chosen {
        let folder = root.join("plots").join(study.name);
        let results = root.join("results").join(study.name);
        let above = format!("../../plots/{}/", study.name);
        redraw(study, &Places { results: &results, plots: &folder, plots_from_results: &above })?;
        say(format!("{}: charts in {}", study.name, folder.display()))?;
    }
    Ok(())
}
