//! Does what the textbook asserts of cloth hold? \[Stuyck 2018, 3-5\]
//!
//! Its chapters on explicit integration, mass-spring models and implicit integration state in words what this study measures: which
//! steps are stable, what damping does, how springs shape cloth, what one Newton step is worth. Three statements of the thesis that no
//! experiment of its own tests are judged beside them: the area that slack springs keep, the criterion of stability of triangles, and
//! decomposition on clothing.
//!
//! About two minutes at paper scale on two cores.

mod area;
mod charts;
mod clothing;
mod damping;
mod discussion;
mod drape_verdicts;
mod drapes;
mod elements;
mod ends;
mod explicit;
mod frames;
mod hanging;
mod implicit;
mod springs;
mod stiff;
mod swing;
mod times;
mod weave;

use lab::measure::identity::hash_of_ranges;
use lab::prelude::*;
use lab::study::{Judge, Plot, Study};
use lab::table;

use crate::ranges::{Unfit, check_list};

/// Sample sizes and ranges, a section a group.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Ranges {
    /// Sheets hung from two corners with other springs.
    pub drapes: drapes::DrapeRanges,
    /// Single springs.
    pub springs: springs::SpringRanges,
    /// Eigenvalues of the thesis' sheets.
    pub stiffness: stiff::StiffRanges,
    /// Sheets by explicit Euler.
    pub explicit: explicit::ExplicitRanges,
    /// Sheets with plain and projected dampers.
    pub damping: damping::DampingRanges,
    /// Soft sheets hung from a row.
    pub hanging: hanging::HangingRanges,
    /// Swings of irregular meshes.
    pub swing: swing::SwingRanges,
    /// Sheets by backward Euler.
    pub implicit: implicit::ImplicitRanges,
    /// Those sheets for longer.
    pub frames: frames::FrameRanges,
    /// Sheets that are timed.
    pub times: times::TimeRanges,
    /// Surfaces of the thesis' sheets.
    pub areas: area::AreaRanges,
    /// Continua of triangles.
    pub elements: elements::ElementRanges,
    /// Trousers.
    pub clothing: clothing::ClothingRanges,
}

impl Ranges {
    /// Refuses values that do not go together.
    ///
    /// # Errors
    /// The first one, its key in the section of the study.
    pub fn check(&self) -> Result<(), Unfit> {
        check_list("areas.duration", self.areas.duration, &self.areas.lists.step)?;
        check_list("clothing.duration", self.clothing.duration, &self.clothing.step)
    }
}

/// Whether a share of so many cases could exceed a bound by its interval; where it could not if all of them agreed, there is no
/// verdict.
fn can_decide(cases: usize, bound: f64) -> bool {
    Estimate::share(cases, cases).is_some_and(|all| all.lies_above(bound) == Answer::Yes)
}

pub fn study(ranges: &Ranges) -> Study {
    let hash = hash_of_ranges(ranges);
    let ranges = ranges.clone();
    Study {
        name: "textbook",
        title: "What the textbook says of cloth, put to the test",
        source: "Stuyck 2018, chapters 3 to 5; Boxerman 2003, sections 3.2, 4.4.1 and 6.4.3",
        about: "Random sheets of the textbook's mass-spring model, each statement with the runs that can tell: explicit and \
                backward Euler, with and without damping, other springs and masses; and three conjectures of the thesis, on \
                surfaces, triangles and trousers.",
        groups: vec![
            table(drapes::Drapes(ranges.drapes.clone())),
            table(drapes::Seeds(ranges.drapes)),
            table(springs::Springs(ranges.springs)),
            table(stiff::Stiff(ranges.stiffness)),
            table(explicit::Explicit(ranges.explicit)),
            table(damping::Damping(ranges.damping)),
            table(hanging::Hanging(ranges.hanging)),
            table(swing::Swing(ranges.swing)),
            table(implicit::Implicit(ranges.implicit.clone())),
            table(frames::Frames(implicit::Implicit(ranges.implicit), ranges.frames)),
            table(times::Times(ranges.times.clone())),
            table(ends::Ends(ranges.times)),
            table(area::Areas(ranges.areas)),
            table(elements::Elements(ranges.elements)),
            table(clothing::Clothing(ranges.clothing)),
        ],
        plots: vec![
            Plot { name: "springs", draw: charts::springs },
            Plot { name: "damping", draw: charts::damping },
            Plot { name: "newton", draw: charts::newton },
        ],
        judges: vec![
            Judge::of_counts("S-STIFF", stiff::stiff),
            Judge::of_counts("S-TEST-EQUATION", explicit::test_equation),
            Judge::of_counts("S-DAMPING-NEEDED", explicit::damping_needed),
            Judge::of_counts("S-MASS", swing::mass),
            Judge::of_counts("S-HEM", drape_verdicts::hem),
            Judge::of_counts("S-SHEAR-LOOK", drape_verdicts::shear),
            Judge::of_counts("S-CONNECT", drape_verdicts::connections),
            Judge::of_counts("S-BEND-FOLDS", drape_verdicts::folds),
            Judge::of_counts("S-SHEAR-STRETCH", hanging::shear),
            Judge::of_counts("S-MINIMUM", drape_verdicts::minimum),
            Judge::of_counts("S-QUADRATIC", springs::quadratic),
            Judge::of_counts("S-PATH", springs::path),
            Judge::of_counts("S-DAMPING-ROTATION", damping::rotation),
            Judge::of_counts("S-DAMPING-BENDING", damping::bending),
            Judge::of_counts("S-UNDERWATER", damping::underwater),
            Judge::of_counts("S-STIFFENING", hanging::stiffening),
            Judge::of_counts("S-BE-STABLE", implicit::stable),
            Judge::of_counts("S-BE-ACCURACY", implicit::accuracy),
            Judge::of_times("S-BE-WORTH", times::worth),
            Judge::of_counts("S-BE-BACK", implicit::back),
            Judge::of_counts("S-NEWTON-CLOSE", implicit::close),
            Judge::of_times("S-NEWTON-TRADE", times::trade),
            Judge::of_counts("B-AREA", area::preserved),
            Judge::of_counts("B-AIMEX-TRIANGLE", elements::criterion),
            Judge::of_counts("B-DEC-CLOTHING", clothing::clothing),
        ],
        discussion: discussion::discussion,
        expected_seconds: 113.0,
        code: env!("CODE_OF_TEXTBOOK"),
        ranges: hash,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_samples_cannot_decide() {
        assert!(
            !can_decide(60, 0.95) && can_decide(74, 0.95) && !can_decide(29, 0.9) && can_decide(40, 0.9) && !can_decide(0, 0.5)
        );
    }
}
