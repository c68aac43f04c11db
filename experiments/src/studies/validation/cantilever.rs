//! The master curve: how far a strip hangs that is clamped level, by law of bending, mesh and heaviness. N-CANTILEVER.

use analytic::elastica::Cantilever;
use cloth::statics::Statics;

use super::board::{Entry, order};
use super::strips::{Cut, Law, Making};
use crate::prelude::*;

ranges!(CantileverRanges {
    //! Strips.
    /// G = rho g L³/D \[-\], rising.
    heaviness: List<Positive>,
    /// Elements along the strip.
    elements: List<Count>,
    /// Stretch stiffness over the weight of the strip a width \[-\].
    tautness: Positive,
});

/// Largest error that passes \[-\].
const BOUND: f64 = 0.005;
/// rho \[kg/m²\]; all else follows from G.
const DENSITY: f64 = 0.2;
/// Largest ratio of two loads, one of which begins where the other one ended.
const RATIO: f64 = 3.0;

row! {
    /// A strip at rest.
    pub struct CantileverRow {
        /// what resists bending
        pub law: Law,
        /// how cells are cut
        pub cut: Cut,
        /// elements along the strip
        pub elements: u32,
        /// G = rho g L³/D
        pub heaviness: f64,
        /// H/W of the elastica
        pub exact: f64,
        /// H/W that was found
        pub found: Option<f64>,
        /// Newton steps
        pub iterations: u32,
        /// largest force that is left over the weight
        pub residual: Option<f64>,
    }
}

/// Laws of bending on their meshes, by the number of elements.
pub struct Cantilevers(pub CantileverRanges);

const METHODS: [(Law, Cut); 3] =
    [(Law::Grid, Cut::Squares), (Law::Shells, Cut::Alternating), (Law::Quadratic, Cut::Alternating)];

impl Group for Cantilevers {
    const NAME: &'static str = "cantilever";
    const ABOUT: &'static str = "strips that are clamped level and hang by their weight";
    type Case = (Law, Cut, u32);
    type Row = CantileverRow;

    fn listed(&self) -> Vec<(Law, Cut, u32)> {
        let elements = self.0.elements.values();
        METHODS.iter().flat_map(|&(law, cut)| elements.iter().map(move |count| (law, cut, count.get()))).collect()
    }

    fn measure(&self, &(law, cut, elements): &(Law, Cut, u32)) -> Vec<CantileverRow> {
        let weight = DENSITY * GRAVITY; // of a strip of 1 m x 1 m [N]
        let (mut x, mut last): (Option<Vec<Vec3>>, f64) = (None, f64::INFINITY);
        let row = |&heaviness: &Positive| {
            let heaviness = heaviness.get();
            let making = |heaviness: f64| Making {
                law,
                cut,
                elements: elements as usize,
                rigidity: weight / heaviness,
                stiffness: self.0.tautness.get() * weight,
                density: DENSITY,
                gravity: Vec3::new(0.0, 0.0, -GRAVITY),
            };
            let steps = libm::ceil(libm::log(heaviness / last) / libm::log(RATIO)).max(1.0);
            let mut row = CantileverRow { law, cut, elements, heaviness, ..CantileverRow::default() };
            row.exact = Cantilever::new(heaviness, 0.0).drop_over_reach();
            for step in 1..=steps as u32 {
                let share = f64::from(step) / steps;
                let at = if last.is_finite() { libm::pow(last, 1.0 - share) * libm::pow(heaviness, share) } else { heaviness };
                let Ok(strip) = making(at).strip() else { break };
                let x = x.get_or_insert_with(|| strip.flat.clone());
                let Ok(rest) = Statics::new(&*strip.system, x).and_then(|mut statics| statics.settle(x)) else { break };
                row.iterations += rest.iterations;
                row.residual = finite(rest.residual);
                row.found = (step as f64 == steps && rest.is_settled()).then(|| strip.drop_over_reach(x)).and_then(finite);
            }
            last = heaviness;
            row
        };
        self.0.heaviness.values().iter().map(row).collect()
    }
}

/// Largest error over all loads \[-\] by the number of elements, of each law on each mesh; none where a strip did not come to rest.
fn errors(rows: &[CantileverRow]) -> Vec<((Law, Cut), Vec<(u32, Option<f64>)>)> {
    let of = |row: &CantileverRow| row.found.map(|found| (found / row.exact - 1.0).abs());
    let by_method = grouped(rows.iter().map(|row| ((row.law, row.cut), row)));
    let largest = |rows: Vec<&CantileverRow>| {
        let by_size = grouped(rows.into_iter().map(|row| (row.elements, of(row))));
        by_size.into_iter().map(|(elements, errors)| (elements, errors.into_iter().try_fold(0.0, |most, e| Some(f64::max(most, e?)))))
    };
    by_method.into_iter().map(|(method, rows)| (method, largest(rows).collect())).collect()
}

/// What each law came to on each mesh.
pub fn entries(results: &Results) -> Result<Vec<Entry>, ResultsError> {
    let rows = results.without_sets::<Cantilevers>()?;
    let entry = |((law, cut), errors): ((Law, Cut), Vec<(u32, Option<f64>)>)| {
        let points: Option<Vec<[f64; 2]>> = errors.iter().map(|&(count, error)| Some([1.0 / f64::from(count), error?])).collect();
        Entry {
            case: "cantilever",
            method: format!("{law}, {cut}"),
            error: errors.last().and_then(|(_, error)| *error),
            order: points.and_then(|points| order(&points)),
            bound: BOUND,
        }
    };
    Ok(errors(&rows).into_iter().map(entry).collect())
}

/// N-CANTILEVER.
pub fn judge(results: &Results) -> Result<Finding, ResultsError> {
    let entries = entries(results)?;
    let own: Vec<&Entry> = entries.iter().filter(|entry| !entry.method.starts_with(Law::Grid.name())).collect();
    let is_second = |entry: &&Entry| entry.order.is_some_and(|order| (1.7..=2.3).contains(&order));
    let passes = own.iter().all(|entry| entry.passes());
    let holds = passes && own.iter().all(is_second);
    let words = |entry: &Entry| {
        let [error, order] = [entry.error.map_or_else(|| "none".into(), percent), entry.order.map_or_else(String::new, |order| format!("{order:.2}"))];
        format!("{error}, order {order}")
    };
    let worst = own.iter().filter_map(|entry| entry.error).fold(0.0, f64::max);
    let found = own.iter().map(|entry| Reading::new(entry.method.clone(), words(entry), None)).collect();
    let reason = "a mesh with edges in other directions, or a strip that is free to twist, could overturn it";
    Ok(Finding::new(verdict(holds.into(), passes.into()), format!("at most {} off", percent(worst)), reason)
        .value(worst)
        .cases(own.len())
        .readings(found))
}

/// Errors by the number of elements.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.without_sets::<Cantilevers>()?;
    let layers = errors(&rows).into_iter().enumerate().flat_map(|(k, ((law, cut), errors))| {
        let points = errors.into_iter().filter_map(|(count, error)| Some([f64::from(count), error?])).collect();
        Layer::marked_line(format!("{law}, {cut}"), Palette::series(k), points)
    });
    let bound = Layer::rule("0.5 %", Palette::GREY, Direction::Horizontal, BOUND);
    let panel = Panel::new(
        Axis::log("elements"),
        Axis::log("largest error of H/W over all G"),
        layers.chain([bound]).collect(),
    );
    let caption = "How far the drop of the tip over its reach is from the master curve, at the worst of all G.";
    Ok(Figure::new("cantilever", "Cantilevers beside the elastica", caption, vec![panel.legend_outside()]))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Cantilevers(ranges.cantilever.clone())).plot("cantilever", chart).judge("N-CANTILEVER", judge)
}
