//! Sheets at the ends of what can be decomposed: nothing free, nothing joined, no time to converge.

use kit::prelude::*;

use super::assumptions::{Assumption, PINNED, USUAL};
use super::runs::{RunRow, compare};

/// A sheet of 6 x 6 particles with a name for what is special about it.
#[derive(Clone, Copy, Debug)]
pub struct Extreme {
    name: &'static str,
    sheet: Sheet,
    pins: fn(usize) -> bool,
    iteration_limit: usize,
}

const ELASTIC: Elastic = Elastic { stiffness: 1000.0, damping: 0.1 };

const SHEET: Sheet = Sheet {
    configuration: Configuration::Corners,
    side: 6,
    spacing: 0.25,
    density: 0.2,
    stretch: ELASTIC,
    shear: ELASTIC,
    bend: 0.001,
    air: 0.001,
    step: 0.01,
};

const SOFT: Elastic = Elastic { stiffness: 10.0, damping: 0.01 };

const EXTREMES: [Extreme; 3] = [
    Extreme { name: "no free particle", sheet: SHEET, pins: |_| true, iteration_limit: 10_000 },
    Extreme {
        name: "every particle alone: all springs explicit",
        sheet: Sheet { stretch: SOFT, shear: SOFT, ..SHEET },
        pins: |_| false,
        iteration_limit: 10_000,
    },
    Extreme { name: "at most two iterations", sheet: SHEET, pins: |k| k == 0, iteration_limit: 2 },
];

impl Extreme {
    fn run(&self, threshold: f64, decompose: Option<Decompose>) -> Result<Run, ModelError> {
        let Sheet { side, spacing, density, stretch, shear, bend, air, .. } = self.sheet;
        let material = Material { density, stretch, shear, bend, air, ..Material::default() };
        let pins: Vec<Pin> = (0..side * side).filter(|&k| (self.pins)(k)).map(Pin::index).collect();
        let cloth = Cloth::new(Grid::new(side, side, spacing)?, material, &pins)?;
        let assumption = Assumption { iteration_limit: self.iteration_limit, ..USUAL };
        let scheme = BackwardEuler::split(&cloth, assumption.settings(decompose), Splitting::Adaptive { threshold, bend: false });
        Ok(Run::of(cloth.at_rest(), cloth, scheme))
    }

    fn row(&self, threshold: f64, duration: f64) -> RunRow {
        let row = RunRow::new(&self.sheet, threshold, self.name, PINNED.name);
        match (self.run(threshold, None), self.run(threshold, Some(Decompose::Serial))) {
            (Ok(full), Ok(decomposed)) => compare(full, decomposed, self.sheet.step, duration, false, row),
            (Err(invalid), _) | (_, Err(invalid)) => RunRow { status: Status::Refused, reason: Some(invalid.to_string()), ..row },
        }
    }
}

/// Each of the extremes.
#[derive(Clone)]
pub struct Extremes {
    /// Simulated time \[s\].
    pub duration: Positive,
    /// kappa up to which a spring is explicit \[-\].
    pub threshold: Positive,
}

impl Group for Extremes {
    const NAME: &'static str = "extremes";
    const ABOUT: &'static str =
        "a sheet without a free particle, one without implicit springs, one whose solver may not converge";
    type Case = Extreme;
    type Row = RunRow;

    fn listed(&self) -> Vec<Self::Case> {
        EXTREMES.to_vec()
    }

    fn measure(&self, extreme: &Extreme) -> Vec<RunRow> {
        vec![extreme.row(self.threshold.get(), self.duration.get())]
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let extremes = Extremes { duration: ranges.runs.duration, threshold: ranges.runs.threshold };
    Topic::of(extremes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runs::Counting;

    fn row(name: &str) -> RunRow {
        let extreme = EXTREMES.iter().find(|extreme| extreme.name.starts_with(name)).unwrap();
        extreme.row(0.2, 0.1)
    }

    #[test]
    fn without_a_free_particle_there_is_nothing_to_solve() {
        let row = row("no free particle");
        assert_eq!((row.decomposed_rows, row.full_free_rows, row.decomposed_iterations), (0, 0, 0));
        assert_eq!((row.components, row.most_components, row.held), (Some(0.0), 0, Some(1.0)));
        assert_eq!(row.ratio(Counting::FreeRows), None);
        assert!(row.is_finished() && row.reason.is_none());
    }

    #[test]
    fn a_particle_alone_takes_one_iteration() {
        let row = row("every particle alone");
        assert_eq!((row.components, row.steps), (Some(36.0), 10));
        // one a step: air slows the fall a little, so that the last solution is not quite the next one
        assert_eq!((row.decomposed_iterations, row.full_iterations), (36 * 10, 10));
        assert_eq!(row.largest, Some(1.0 / 36.0));
        assert!(row.difference.unwrap() < 1e-12);
    }

    #[test]
    fn systems_at_their_limit_are_told() {
        let row = row("at most two iterations");
        let reason = row.reason.unwrap();
        assert!(reason.contains("full: ") && reason.contains("decomposed: "), "{reason}");
        assert_eq!(reason.matches("systems hit the limit of iterations").count(), 2, "{reason}");
    }
}
