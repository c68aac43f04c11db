//! Random sheets of a few sizes, every second one of a typical kappa.

use kit::prelude::*;

use super::scenes::{STEP, TYPICAL, kappa};
use super::systems::{SCENES, SystemRanges, SystemRow, row};

ranges!(StiffnessRanges {
    //! Sheets of given sizes from the same lists.
    /// Number of sets; sizes take turns, and every second set of each has a typical kappa.
    sets: Count,
    /// n, particles a side.
    sides: List<Side>,
});

/// Draws until a sheet has a typical kappa.
const MOST_DRAWS: u32 = 100_000;

/// Sheets of fixed sizes; every second one of each has a typical kappa, of which the lists give large sheets few.
pub struct Stiffness(pub SystemRanges, pub StiffnessRanges);
impl Group for Stiffness {
    const NAME: &'static str = "stiffness";
    const ABOUT: &'static str = "random sheets of a few sizes, pinned and sliding, every second one of each with kappa from 100 \
                                 to 1000, else as in the main group";
    type Case = Sheet;
    type Row = SystemRow;

    fn sets(&self) -> u64 {
        self.1.sets.get().into()
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Sheet {
        let (lists, sides) = (&self.0.lists, self.1.sides.values());
        let side = sides[(set % sides.len() as u64) as usize].get() as usize;
        let spacing = lists.length.get() / side as f64;
        let mut draw = || Sheet { side, spacing, ..Sheet::of_length(lists, Configuration::Corners, stream) };
        let mut sheet = draw();
        let typical = set / sides.len() as u64 % 2 == 1;
        for _ in 0..MOST_DRAWS {
            if !typical || TYPICAL.contains(&kappa(&sheet)) {
                break;
            }
            sheet = draw();
        }
        sheet
    }

    fn kin(&self, case: &Sheet) -> u64 {
        case.weight()
    }

    fn measure(&self, sheet: &Sheet) -> Vec<SystemRow> {
        SCENES.iter().map(|scene| row(sheet, scene, &STEP, self.0.duration.get())).collect()
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Stiffness(ranges.systems.clone(), ranges.stiffness.clone()))
}

#[cfg(test)]
mod tests {
    use lab::measure::streams::stream;

    use super::*;
    use kit::ranges::shipped;

    #[test]
    fn every_second_sheet_of_a_size_has_a_typical_kappa() {
        let ranges = shipped::<crate::Ranges>("paper", "preconditioners");
        let group = Stiffness(ranges.systems, ranges.stiffness);
        let (sides, sets) = (group.1.sides.values().len(), group.sets());
        let mut typical = vec![0; sides];
        for set in 0..sets {
            let sheet = group.case(set, &mut stream("preconditioners", Stiffness::NAME, 1, set));
            let (turn, size) = (set as usize / sides, set as usize % sides);
            assert_eq!(sheet.side, group.1.sides.values()[size].get() as usize);
            assert!(turn % 2 == 0 || TYPICAL.contains(&kappa(&sheet)), "{sheet:?}");
            typical[size] += usize::from(TYPICAL.contains(&kappa(&sheet)));
        }
        assert!(typical.iter().all(|typical| (20..sets as usize / sides).contains(typical)), "{typical:?}");
    }
}
