//! The runs of the drape by place, a permissible strain on a sheet, and their costs.

use kit::prelude::*;

use super::drape_run::Forces;
use super::rivals::Rival;
use super::samples::{DrapeRun, Which, chosen, same, time_ratio, widest_ratio};

/// Particles a side and permissible strain \[-\].
pub type Place = (usize, f64);

/// The cost that is compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cost {
    /// Times of the cheapest accurate runs.
    Times,
    /// Nominal operations of the chosen runs.
    Operations(Which),
}

impl Cost {
    /// Which runs it is of.
    pub fn which(self) -> Which {
        match self {
            Cost::Times => Which::Accurate,
            Cost::Operations(which) => which,
        }
    }
}

/// Times of each set, several where they were repeated.
type Times = HashMap<u64, Vec<f64>>;

/// Runs of the drape and their times.
pub struct Drapes {
    rows: Vec<DrapeRun>,
    times: Times,
    widest: Option<f64>,
}

impl Drapes {
    /// Of these rows.
    pub fn new(rows: Vec<DrapeRun>, times: Times) -> Drapes {
        let timed: Vec<u64> = rows.iter().filter(|row| row.row.chosen.cheapest_accurate).map(|row| row.set).collect();
        let times: Times = times.into_iter().filter(|(set, _)| timed.contains(set)).collect(); // nothing was run for the others
        Drapes { widest: widest_ratio(&times), rows, times }
    }

    /// The widest ratio of two times of one run.
    pub fn widest(&self) -> Option<f64> {
        self.widest
    }

    /// The chosen run of a method at a place.
    pub fn run(&self, rival: Rival, (side, strain): Place, which: Which) -> Option<&DrapeRun> {
        let mut of = chosen(&self.rows, which).filter(|row| row.row.method == rival.name() && row.row.side == side);
        of.find(|row| same(row.row.strain, strain))
    }

    /// What a method costs at a place; the median of times.
    pub fn cost(&self, rival: Rival, place: Place, cost: Cost) -> Option<f64> {
        let run = self.run(rival, place, cost.which())?;
        match cost {
            Cost::Times => median(self.times.get(&run.set)?),
            Cost::Operations(_) => Some(run.row.operations as f64),
        }
    }

    /// The cost of a method over that of another.
    pub fn ratio(&self, rival: Rival, other: Rival, place: Place, cost: Cost) -> Option<Estimate> {
        let [a, b] = [rival, other].map(|rival| self.run(rival, place, cost.which()));
        let (a, b) = a.zip(b)?;
        match cost {
            Cost::Times => time_ratio(self.times.get(&a.set)?, self.times.get(&b.set)?, self.widest),
            Cost::Operations(_) => Some(Estimate::exact(a.row.operations as f64 / b.row.operations as f64, 1)),
        }
    }

    /// Every run of a method at a place.
    fn runs(&self, rival: Rival, (side, strain): Place) -> impl Iterator<Item = &DrapeRun> {
        let explicit = self.rows.iter().filter(|row| row.row.elastic == Forces::Explicit);
        explicit.filter(move |row| row.row.method == rival.name() && row.row.side == side && same(row.row.strain, strain))
    }

    /// True where a method was tried at a place.
    pub fn is_tried(&self, rival: Rival, place: Place) -> bool {
        self.runs(rival, place).next().is_some()
    }

    /// The method of least median time at a place, and that time \[s\].
    pub fn first(&self, rivals: &[Rival], place: Place) -> Option<(Rival, f64)> {
        let of = |rival: &Rival| Some((*rival, self.cost(*rival, place, Cost::Times)?));
        rivals.iter().filter_map(of).min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Places at which fast projection was tried.
    pub fn places(&self) -> Vec<Place> {
        self.tried(&[Rival::FastProjection])
    }

    /// Places at which all of `rivals` were tried.
    pub fn tried(&self, rivals: &[Rival]) -> Vec<Place> {
        let mut places: Vec<Place> = vec![];
        for row in self.rows.iter().filter(|row| row.row.elastic == Forces::Explicit) {
            let place = (row.row.side, row.row.strain);
            let known = places.iter().any(|(side, strain)| *side == place.0 && same(*strain, place.1));
            if !known && rivals.iter().all(|rival| self.is_tried(*rival, place)) {
                places.push(place);
            }
        }
        places
    }
}
