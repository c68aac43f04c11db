//! The studies, a file each.

pub mod aimex;
pub mod decomposition;
pub mod fast_projection;
pub mod fb_euler_stability;
pub mod generalized_alpha;
pub mod impulse_strips;
pub mod preconditioners;
pub mod projected_damping;
pub mod speedup;
pub mod textbook;
pub mod work_precision;

use lab::prelude::*;
use lab::study::Study;

use crate::ranges::Unfit;

/// Sample sizes and ranges of every study: a profile file.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Ranges {
    /// Of the study of that name.
    pub fb_euler_stability: fb_euler_stability::Ranges,
    /// Of the study of that name.
    pub projected_damping: projected_damping::Ranges,
    /// Of the study of that name.
    pub aimex: aimex::Ranges,
    /// Of the study of that name.
    pub preconditioners: preconditioners::Ranges,
    /// Of the study of that name.
    pub decomposition: decomposition::Ranges,
    /// Of the study of that name.
    pub speedup: speedup::Ranges,
    /// Of the study of that name.
    pub fast_projection: fast_projection::Ranges,
    /// Of the study of that name.
    pub impulse_strips: impulse_strips::Ranges,
    /// Of the study of that name.
    pub generalized_alpha: generalized_alpha::Ranges,
    /// Of the study of that name.
    pub textbook: textbook::Ranges,
    /// Of the study of that name.
    pub work_precision: work_precision::Ranges,
}

impl Ranges {
    /// Refuses values that do not go together.
    ///
    /// # Errors
    /// The first one.
    pub fn check(&self) -> Result<(), Unfit> {
        let within = |study: &str, checked: Result<(), Unfit>| {
            checked.map_err(|unfit| Unfit { key: format!("{study}.{}", unfit.key), ..unfit })
        };
        within("fb-euler-stability", self.fb_euler_stability.check())?;
        within("projected-damping", self.projected_damping.check())?;
        within("aimex", self.aimex.check())?;
        within("preconditioners", self.preconditioners.check())?;
        within("decomposition", self.decomposition.check())?;
        within("speedup", self.speedup.check())?;
        within("fast-projection", self.fast_projection.check())?;
        within("impulse-strips", self.impulse_strips.check())?;
        within("generalized-alpha", self.generalized_alpha.check())?;
        within("textbook", self.textbook.check())?;
        within("work-precision", self.work_precision.check())
    }
}

/// All studies, in the order in which they are run.
pub fn all(ranges: &Ranges) -> Vec<Study> {
    vec![
        fb_euler_stability::study(&ranges.fb_euler_stability),
        projected_damping::study(&ranges.projected_damping),
        aimex::study(&ranges.aimex),
        preconditioners::study(&ranges.preconditioners),
        decomposition::study(&ranges.decomposition),
        speedup::study(&ranges.speedup),
        fast_projection::study(&ranges.fast_projection),
        impulse_strips::study(&ranges.impulse_strips),
        generalized_alpha::study(&ranges.generalized_alpha),
        textbook::study(&ranges.textbook),
        work_precision::study(&ranges.work_precision),
    ]
}
