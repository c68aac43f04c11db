//! The lists of the main group drawn again: what of a range of critical kappa is chance.

use kit::prelude::*;

use super::fringe::{Bounds, Pace};
use super::search::{Critical, Search};
use super::sheets::{Case, KAPPA, Makeup, RANGE, Sheets, kappas};

ranges!(Ranges {
    //! Further draws.
    /// Their number, each with as many sets as the main group.
    draws: Count,
});

/// Sets drawn from the lists of the main group by streams of their own, in turn for each draw.
pub struct Draws {
    pub ranges: Ranges,
    /// Of which sheets.
    pub sheets: Sheets,
}

row! {
    /// A set of a further draw and what came of its search.
    pub struct DrawRow {
        /// which further draw, from 1
        pub draw: u64,
        /// what it is made of
        pub makeup: Makeup,
        /// measured, skipped, stable throughout or unstable throughout
        pub status: Status,
        /// dt/m (ks dt + 2 kd) of the stiffer family at the critical step
        pub critical_kappa: Option<f64>,
        /// what the walk about it found
        pub bounds: Bounds,
        /// largest |x|/L of any spring in the last stable run
        pub stretch: Option<f64>,
    }
}

/// A drawn sheet and its draw.
#[derive(Clone, Debug)]
pub struct Drawn {
    draw: u64,
    case: Case,
}

impl Group for Draws {
    const NAME: &'static str = "draws";
    const ABOUT: &'static str = "critical kappa of sheets of further draws from the same lists";
    const BLOCK: usize = Sheets::BLOCK;
    type Case = Drawn;
    type Row = DrawRow;

    fn sets(&self) -> u64 {
        u64::from(self.ranges.draws.get()) * self.sheets.sets()
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Drawn {
        Drawn { draw: set % u64::from(self.ranges.draws.get()) + 1, case: self.sheets.case(set, stream) }
    }

    fn kin(&self, drawn: &Drawn) -> u64 {
        self.sheets.kin(&drawn.case)
    }

    fn measure(&self, case: &Drawn) -> Vec<DrawRow> {
        self.measure_alone(case)
    }

    fn measure_block(&self, drawn: &[Drawn], done: &mut dyn FnMut(usize, Vec<DrawRow>)) {
        let row = |Drawn { draw, case }: &Drawn, search: Option<&Search>| {
            let Critical { status, critical_kappa, bounds, stretch, .. } = case.critical(search);
            DrawRow { draw: *draw, makeup: case.makeup(), status, critical_kappa, bounds, stretch }
        };
        let (skipped, searched): (Vec<_>, Vec<_>) =
            drawn.iter().enumerate().partition(|(_, drawn)| drawn.case.skipped().is_some());
        for (k, drawn) in skipped {
            done(k, vec![row(drawn, None)]);
        }
        let trials = searched.iter().map(|(k, drawn)| (*k, self.sheets.trial(&drawn.case)));
        self.sheets.search(drawn[0].case.side, trials, Pace::Coarse, |search| {
            done(search.index, vec![row(&drawn[search.index], Some(&search))]);
        });
    }
}

/// Both ends of the range of critical kappa, a draw of the lists each.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let mut draws = vec![kappas(&results.rows::<Sheets>()?)];
    for Row { row, .. } in results.rows::<Draws>()? {
        let place = row.draw as usize;
        draws.resize(draws.len().max(place + 1), vec![]);
        draws[place].extend(row.critical_kappa);
    }
    let points = |p: f64| -> Vec<[f64; 2]> {
        draws.iter().enumerate().filter_map(|(draw, sample)| Some([draw as f64 + 1.0, quantile(sample, p)?])).collect()
    };
    let names: Vec<String> = (1..=draws.len()).map(|draw| format!("draw {draw}")).collect();
    let mut layers: Vec<Layer> = RANGE.iter().filter_map(|end| end.size_band(Direction::Horizontal)).collect();
    layers.extend(RANGE.iter().flat_map(|end| end.rules(Direction::Horizontal)));
    layers.extend([
        Layer::points("smallest", Palette::VERMILLION, points(0.0)),
        Layer::points("1st percentile", Palette::VERMILLION, points(0.01)).marker(Marker::OpenCircle),
        Layer::points("99th percentile", Palette::BLUE, points(0.99)).marker(Marker::OpenCircle),
        Layer::points("largest", Palette::BLUE, points(1.0)),
    ]);
    let panel = Panel::new(Axis::categories("", names), Axis::log(KAPPA), layers).legend_outside();
    let caption = "Smallest and largest critical kappa and the middle 98 %, of as many sheets in each draw. The first is that of the main group.";
    Ok(Figure::new("draws", "The range of critical stiffness, by draws of the lists", caption, vec![panel]))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let sheets = Sheets { ranges: ranges.sheets.clone() };
    Topic::of(Draws { ranges: ranges.draws.clone(), sheets }).plot("draws", chart)
}
