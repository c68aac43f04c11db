//! Costs of the methods of the drape over each other's, each at the cheapest step that holds the bound and lies near the
//! reference: as rules read them, and in words.

use kit::prelude::*;

use super::drape::Drape;
use super::drape_places::{Cost, Drapes, Place};
use super::rivals::Rival;
use super::samples::{Which, chosen, ends, exponent, percent, word};

/// The methods of the paper, fast projection first.
pub const PAPER: [Rival; 5] =
    [Rival::FastProjection, Rival::Icd, Rival::Shake, Rival::JacobiLimiting, Rival::GaussSeidelLimiting];

/// Methods that others are held against.
const OVER: [Rival; 4] = [Rival::FastProjection, Rival::Icd, Rival::IcdProjected, Rival::Shake];

/// Costs by name.
const COSTS: [(&str, Cost); 3] = [
    ("time", Cost::Times),
    ("operations", Cost::Operations(Which::Accurate)),
    ("operations, however far", Cost::Operations(Which::Cheapest)),
];

row! {
    /// A method over another on a sheet at a permissible strain.
    pub struct StandingRow {
        /// the method
        pub method: String,
        /// the other
        pub over: String,
        /// particles a side
        pub side: usize,
        /// permissible strain
        pub strain: f64,
        /// time or nominal operations near the reference, or operations however far from it
        pub cost: String,
        /// cost of the method over that of the other; none where one of the two holds the bound with no step
        pub ratio: Option<f64>,
        /// lower end of its interval
        pub low: Option<f64>,
        /// upper end
        pub high: Option<f64>,
        /// steps a second of the method; none where it holds the bound with no step
        pub rate: Option<u32>,
        /// steps a second of the other
        pub over_rate: Option<u32>,
        /// place among the paper's methods by the lower end, from one
        pub rank: Option<u64>,
        /// methods of the paper that were tried here
        pub paper: usize,
        /// strains at which all of the paper's methods were tried on this sheet
        pub strains: usize,
        /// widest ratio of two times of one run, which times with too few repeats are given as their scatter
        pub widest: Option<f64>,
    }
}

row! {
    /// The power law of a method's cost over that of another on a sheet, over 1/strain.
    pub struct LawRow {
        /// the method
        pub method: String,
        /// the other
        pub over: String,
        /// particles a side
        pub side: usize,
        /// as in the standings
        pub cost: String,
        /// strains that both hold
        pub strains: usize,
        /// exponent over 1/strain
        pub exponent: f64,
        /// the least exponent with any one strain left out
        pub low: f64,
        /// the greatest
        pub high: f64,
    }
}

fn drapes(results: &Results) -> Result<Drapes, ResultsError> {
    Ok(Drapes::new(results.rows::<Drape>()?, seconds::<Drape>(results)?))
}

/// Every method over those that others are held against.
pub fn standings(results: &Results) -> Result<Vec<StandingRow>, ResultsError> {
    Ok(standings_of(&drapes(results)?))
}

fn standings_of(drapes: &Drapes) -> Vec<StandingRow> {
    let (of_paper, mut places, mut rows) = (drapes.tried(&PAPER), drapes.places(), vec![]);
    places.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    for place in places {
        let strains = of_paper.iter().filter(|other| other.0 == place.0).count();
        let tried =
            |rivals: &[Rival]| -> Vec<Rival> { rivals.iter().copied().filter(|rival| drapes.is_tried(*rival, place)).collect() };
        for ((name, cost), over) in COSTS.into_iter().flat_map(|cost| tried(&OVER).into_iter().map(move |over| (cost, over))) {
            let others: Vec<Rival> = tried(&Rival::ALL).into_iter().filter(|rival| *rival != over).collect();
            let low = |rival: Rival| Some(ends(&drapes.ratio(rival, over, place, cost)?)[0]);
            let lows: Vec<f64> = others.iter().filter(|rival| PAPER.contains(rival)).filter_map(|rival| low(*rival)).collect();
            let rank = |low: f64| 1 + lows.iter().filter(|other| **other < low).count() as u64;
            let row = |rival: Rival| {
                let rate = |rival: Rival| drapes.run(rival, place, cost.which()).map(|run| run.row.rate);
                let ratio = drapes.ratio(rival, over, place, cost);
                let [low, high] = ratio.map_or([None; 2], |ratio| ends(&ratio).map(Some));
                StandingRow {
                    method: rival.name().into(),
                    over: over.name().into(),
                    side: place.0,
                    strain: place.1,
                    cost: name.into(),
                    ratio: ratio.map(|ratio| ratio.value),
                    low,
                    high,
                    rate: rate(rival),
                    over_rate: rate(over),
                    rank: low.filter(|_| PAPER.contains(&rival)).map(rank),
                    paper: tried(&PAPER).len(),
                    strains,
                    widest: drapes.widest(),
                }
            };
            rows.extend(others.iter().map(|rival| row(*rival)));
        }
    }
    rows
}

/// Power laws over strains that both hold, of at least three.
pub fn laws(results: &Results) -> Result<Vec<LawRow>, ResultsError> {
    let drapes = drapes(results)?;
    let places = drapes.places();
    let mut rows = vec![];
    let sides = first_of_each(places.iter().map(|place| place.0));
    for (side, (name, cost)) in sides.into_iter().flat_map(|side| COSTS.map(|cost| (side, cost))) {
        let of = |rival: Rival, over: Rival| {
            let point =
                |place: &Place| Some([1.0 / place.1, drapes.cost(rival, *place, cost)? / drapes.cost(over, *place, cost)?]);
            let points: Vec<[f64; 2]> = places.iter().filter(|place| place.0 == side).filter_map(point).collect();
            let fit = exponent(&points).filter(|_| points.len() > 2)?;
            let [low, high] = ends(&fit);
            let (method, over, cost) = (rival.name().into(), over.name().into(), name.into());
            Some(LawRow { method, over, side, cost, strains: points.len(), exponent: fit.value, low, high })
        };
        for over in OVER {
            rows.extend(Rival::ALL.into_iter().filter(|rival| *rival != over).filter_map(|rival| of(rival, over)));
        }
    }
    Ok(rows)
}

/// Which method takes the least time at each strain and size, in words, with the one that comes next; of runs near the reference.
pub fn cheapest(results: &Results) -> Result<String, ResultsError> {
    let drapes = drapes(results)?;
    let mut places = drapes.places();
    places.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    let at = |place: Place| {
        let (best, least) = drapes.first(&Rival::ALL, place)?;
        let others: Vec<Rival> = Rival::ALL.into_iter().filter(|rival| *rival != best).collect();
        let next = drapes.first(&others, place).map_or_else(
            || "alone".into(),
            |(rival, time)| format!("{} takes {} times as long", rival.name(), short(time / least)),
        );
        Some(format!("at {} {} ({next})", percent(place.1), best.name()))
    };
    let of_side = |sheet: &[Place]| {
        let words: Vec<String> = sheet.iter().filter_map(|place| at(*place)).collect();
        format!("on {0} x {0} {1}", sheet[0].0, words.join(", "))
    };
    let firsts: Vec<Rival> = places.iter().filter_map(|place| Some(drapes.first(&Rival::ALL, *place)?.0)).collect();
    let count = |rival: &Rival| firsts.iter().filter(|first| *first == rival).count();
    let counts = Rival::ALL.iter().filter(|rival| count(rival) > 0);
    let counts = counts.map(|rival| format!("{} at {} of {}", rival.name(), count(rival), firsts.len()));
    let sheets = places.chunk_by(|a, b| a.0 == b.0).map(of_side);
    Ok(format!("{}. One by one: {}", counts.collect::<Vec<_>>().join(", "), sheets.collect::<Vec<_>>().join("; ")))
}

/// The cheapest accurate step of every method, in words.
pub fn table(results: &Results) -> Result<String, ResultsError> {
    let rows = results.rows::<Drape>()?;
    let (all, times) = (seconds::<Drape>(results)?, median_seconds::<Drape>(results)?);
    let mut lines = vec![
        "| sheet | strain | method | steps a second | iterations | largest strain | distance [m] | nominal operations | time [s] | timed runs |"
            .to_owned(),
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |".to_owned(),
    ];
    for run in chosen(&rows, Which::Accurate) {
        let row = &run.row;
        lines.push(format!(
            "| {} x {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            row.side,
            row.side,
            percent(row.strain),
            row.method,
            row.rate,
            row.iterations,
            word(row.largest, percent),
            word(row.error, short),
            short(row.operations as f64),
            times.get(&run.set).map_or_else(|| "-".into(), |time| short(*time)),
            all.get(&run.set).map_or(0, Vec::len)
        ));
    }
    Ok(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drape::DrapeRow;
    use crate::drape_run::{Forces, Task};
    use crate::samples::DrapeRun;
    use crate::search::Chosen;

    /// Drapes of 11 and 21 particles a side at 1 %, each method of the paper timed six times around so many seconds; of 0 it holds
    /// nothing.
    fn drapes(sheets: [[f64; 5]; 2]) -> Drapes {
        let (mut rows, mut times) = (vec![], HashMap::new());
        for (side, sheet) in [11, 21].into_iter().zip(sheets) {
            for (k, (rival, seconds)) in PAPER.into_iter().zip(sheet).enumerate() {
                let task = Task { rival, strain: 0.01, side, elastic: Forces::Explicit };
                let (set, holds) = (rows.len() as u64, seconds > 0.0);
                let begun = DrapeRow::refused(&task, if k == 2 { 960 } else { 60 });
                let status = if holds { Status::Finished } else { Status::Budget };
                let chosen = Chosen { cheapest: holds, cheapest_accurate: holds };
                let row = DrapeRow { chosen, status, operations: 1 + set, ..begun };
                rows.push(DrapeRun { set, row });
                times.insert(set, (0..6).map(|k| seconds * (1.0 + 0.05 * f64::from(k % 3))).collect());
            }
        }
        Drapes::new(rows, times)
    }

    #[test]
    fn standings_are_costs_over_those_of_another_by_their_intervals() {
        let rows = standings_of(&drapes([[1.0, 9.0, 3.0, 2.5, 0.0], [0.0, 9.0, 3.0, 2.5, 1.0]]));
        let of = |side: usize, method: &str, over: &str| {
            let row = rows.iter().find(|row| row.side == side && row.method == method && row.over == over && row.cost == "time");
            row.unwrap().clone()
        };
        let icd = of(11, "icd", "fast-projection");
        assert_eq!((icd.ratio, icd.low, icd.high, icd.rank), (Some(9.0), Some(9.0), Some(9.0), Some(3)));
        assert_eq!((icd.paper, icd.strains), (5, 1));
        assert_eq!(of(11, "jacobi-limiting", "fast-projection").rank, Some(1));
        let unfinished = of(11, "gauss-seidel-limiting", "fast-projection");
        assert_eq!((unfinished.ratio, unfinished.rate, unfinished.over_rate, unfinished.rank), (None, None, Some(60), None));
        let shake = of(11, "shake", "icd");
        assert_eq!((shake.rate, shake.over_rate, shake.ratio), (Some(960), Some(60), Some(3.0 / 9.0)));
        assert_eq!(of(21, "icd", "fast-projection").over_rate, None, "fast projection holds nothing there");
    }
}
