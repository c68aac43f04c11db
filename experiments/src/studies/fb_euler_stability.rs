//! Up to which step is forward-backward Euler stable? \[Boxerman 2003, 4.1.3, with 3.1.3 and 4.1.4; Stuyck 2018, 3.3\]
//!
//! The thesis derives a limit on the numerical stiffness, kappa = dt/m (ks dt + 2 kd) <= 1/2, and tests it by bisection on
//! 500 random sheets. So do we, and look at every step near each limit, since stability is not always monotone; and we ask which of
//! three predictions the limit follows, what the verdict owes to chance, to its threshold, to the extension gate, to the damping form and to the masses, and check the smaller statements around it:
//! the chain in one dimension, the bar against its differential equation, the amplification of one spring, the regions of
//! stability.
//!
//! About two minutes and a half at paper scale on two cores.

mod amplification;
mod bar;
mod chain;
mod charts;
mod draws;
mod fringe;
mod kappa_verdicts;
mod raggedness;
mod readings;
mod regions;
mod search;
mod sheets;
mod verdicts;

use cloth::lanes::InstructionSet;
use lab::measure::identity::hash_of_ranges;
use lab::prelude::*;
use lab::study::{Judge, Plot, Study};
use lab::table;

/// Sample sizes and ranges, a section a group.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Ranges {
    /// Random sheets, their search, and how the limit moves with its assumptions.
    pub sheets: sheets::SheetRanges,
    /// Coarse scans of the whole bracket.
    pub scans: sheets::ScanRanges,
    /// Further draws from the same lists.
    pub draws: draws::Ranges,
    /// Chains in one dimension.
    pub chains: chain::Ranges,
    /// Bars against their differential equation.
    pub bars: bar::Ranges,
    /// Random springs.
    pub springs: amplification::Ranges,
    /// Planes of the test equations.
    pub regions: regions::RegionRanges,
    /// Circular orbits.
    pub spirals: regions::SpiralRanges,
}

pub fn study(ranges: &Ranges, set: InstructionSet) -> Study {
    let hash = hash_of_ranges(ranges);
    let ranges = ranges.clone();
    let sheets = sheets::Sheets { ranges: ranges.sheets, set };
    Study {
        name: "fb-euler-stability",
        title: "Stability of forward-backward Euler",
        source: "Boxerman 2003, sections 3.1.3, 4.1.3, 4.1.4; Stuyck 2018, section 3.3",
        about: "A square sheet, held at two corners, falls from the horizontal for a fixed number of steps. For random sets of mesh, \
                density, stiffness and damping, bisection finds the largest step with which forward-backward Euler stays stable; the \
                numerical stiffness there is compared with the thesis' bound of one half. Steps of 0.5 % near it show how sharp it is, \
                and five further draws what is chance. The bracket spans many decades whatever the \
                theory says.",
        groups: vec![
            table(sheets.clone()),
            table(readings::Readings(sheets.clone())),
            table(sheets::Scans { ranges: ranges.scans, sheets: sheets.clone() }),
            table(draws::Draws { ranges: ranges.draws, sheets }),
            table(chain::Chains(ranges.chains)),
            table(bar::Bars(ranges.bars)),
            table(amplification::Springs(ranges.springs)),
            table(regions::Regions(ranges.regions)),
            table(regions::Spirals(ranges.spirals)),
        ],
        plots: vec![
            Plot { name: "critical-stiffness", draw: charts::critical_stiffness },
            Plot { name: "predictions", draw: charts::predictions },
            Plot { name: "violators", draw: charts::violators },
            Plot { name: "fringe", draw: charts::fringe },
            Plot { name: "draws", draw: charts::draws },
            Plot { name: "readings", draw: charts::readings },
            Plot { name: "regions", draw: charts::regions },
            Plot { name: "bar", draw: charts::bar },
            Plot { name: "amplification", draw: charts::amplification },
        ],
        judges: vec![
            Judge::of_counts("B-KAPPA-RANGE", kappa_verdicts::range),
            Judge::of_counts("B-KAPPA-HOLDS", kappa_verdicts::holds),
            Judge::of_counts("B-1D", verdicts::one_dimension),
            Judge::of_counts("B-CONT", verdicts::continuum),
            Judge::of_counts("B-AMP", verdicts::amplification),
            Judge::of_counts("S-REGION", verdicts::region),
            Judge::of_counts("S-SPIRAL", verdicts::spiral),
        ],
        discussion: verdicts::discussion,
        expected_seconds: 145.0,
        code: env!("CODE_OF_FB_EULER_STABILITY"),
        ranges: hash,
    }
}
