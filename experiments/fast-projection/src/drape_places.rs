//! What the verdicts on the drape read from its tables: which runs stand at a permissible strain on a sheet, and what they cost.

use kit::prelude::*;

use super::drape_run::Forces;
use super::rivals::Rival;
use super::samples::{DrapeRun, Which, chosen, percent, same, time_ratio, widest_ratio};

/// Particles a side and permissible strain \[-\].
pub type Place = (usize, f64);

/// A place in words.
pub fn of_place((side, strain): Place) -> String {
    format!("at {} on {side} x {side}", percent(strain))
}

/// What is compared.
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

/// A method against fast projection at a place.
#[derive(Clone, Debug, PartialEq)]
pub enum Standing {
    /// Its cost over that of fast projection.
    Ratio(Estimate),
    /// It holds the bound with no step that was tried; how the finest ended.
    Unfinished(String),
    /// It was not tried there, or nothing was timed.
    NotTried,
    /// It finishes where fast projection does not.
    Without,
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
        let timed: Vec<u64> = rows.iter().filter(|row| row.row.cheapest_accurate).map(|row| row.set).collect();
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

    /// How the finest step of a method at a place ended.
    pub fn ended(&self, rival: Rival, place: Place) -> String {
        let held = self.runs(rival, place).any(|run| run.row.holds());
        let last = self.runs(rival, place).last().map_or("not tried", |run| run.row.status.name());
        if held { format!("far from the reference, then {last}") } else { last.into() }
    }

    /// A method against fast projection.
    pub fn standing(&self, rival: Rival, place: Place, cost: Cost) -> Standing {
        if self.runs(rival, place).next().is_none() || self.runs(Rival::FastProjection, place).next().is_none() {
            return Standing::NotTried;
        }
        if self.run(rival, place, cost.which()).is_none() {
            return Standing::Unfinished(self.ended(rival, place));
        }
        if self.run(Rival::FastProjection, place, cost.which()).is_none() {
            return Standing::Without;
        }
        self.ratio(rival, Rival::FastProjection, place, cost).map_or(Standing::NotTried, Standing::Ratio)
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
            if !known && rivals.iter().all(|rival| self.runs(*rival, place).next().is_some()) {
                places.push(place);
            }
        }
        places
    }

    /// Permissible strains tried on a sheet.
    pub fn strains(&self, side: usize) -> Vec<f64> {
        self.places().into_iter().filter(|place| place.0 == side).map(|place| place.1).collect()
    }

    /// The sheet on which `rivals` were tried at most strains, and the largest on which they were tried at more than one, or else
    /// that sheet again.
    ///
    /// # Errors
    /// No such sheet.
    pub fn common(&self, rivals: &[Rival]) -> Result<(usize, usize), ResultsError> {
        let places = self.tried(rivals);
        let count = |side: usize| places.iter().filter(|place| place.0 == side).count();
        let sides = || places.iter().map(|place| place.0);
        let most = sides().max_by_key(|side| (count(*side), *side));
        let most = most.ok_or_else(|| too_few("no sheet was draped by all methods"))?;
        Ok((most, sides().filter(|side| count(*side) > 1).max().unwrap_or(most)))
    }
}
