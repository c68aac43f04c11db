//! What all cases of strips share: a row for each load on each mesh, errors from mesh to mesh, the chart.

use cloth::statics::Rest;
use kit::prelude::*;

use super::board::{Entry, Rungs, bound_line};
use super::strips::{Making, Method};

ranges!(LadderRanges {
    //! Strips.
    /// Elements along the strip, rising.
    elements: List<Count>,
    /// Stretch stiffness over the weight of the strip a width, over the largest load there, or over D/L² where it has neither \[-\]:
    /// see [`without_stretch`].
    tautness: Positive,
});

row! {
    /// A strip at rest.
    pub struct StripRow {
        /// by which it bends
        pub method: Method,
        /// elements along the strip
        pub elements: u32,
        /// what is compared
        pub quantity: String,
        /// what the case varies: G, a share of the moment, a force, a distance, an angle
        pub load: f64,
        /// what it comes to exactly
        pub exact: f64,
        /// what was found
        pub found: Option<f64>,
        /// its error, over the exact value or, where that is zero, over the length
        pub off: Option<f64>,
        /// Newton steps
        pub iterations: u32,
        /// largest force that is left over the loads
        pub residual: Option<f64>,
    }
}

impl StripRow {
    /// Of a quantity under a load, with its exact value; nothing is found so far.
    pub fn new(making: &Making, quantity: &str, load: f64, exact: f64) -> StripRow {
        let &Making { method, elements, .. } = making;
        StripRow { method, elements: elements as u32, quantity: quantity.into(), load, exact, ..StripRow::default() }
    }

    /// With the work of a search for rest, and what it left.
    pub fn after(self, rest: &Rest) -> StripRow {
        StripRow { iterations: self.iterations + rest.iterations, residual: finite(rest.residual), ..self }
    }

    /// With a distance from where it should be that was found, over a length.
    pub fn missed(self, distance: Option<f64>, length: f64) -> StripRow {
        let found = distance.and_then(finite);
        StripRow { found, off: found.map(|found| found / length), ..self }
    }

    /// With what was found, and its error over the exact value.
    pub fn found(self, found: Option<f64>) -> StripRow {
        let found = found.and_then(finite);
        StripRow { found, off: found.map(|found| (found / self.exact - 1.0).abs()), ..self }
    }
}

/// What strips come to that do not stretch, to second order in the strain of those that are measured: f(2 T) + (f(2 T) - f(T)) of
/// strips of stretch stiffnesses T and 2 T, since stiffer ones leave forces that rounding hides.
pub fn without_stretch(tautness: f64, measure: impl Fn(f64) -> Vec<StripRow>) -> Vec<StripRow> {
    let [slack, taut] = [tautness, 2.0 * tautness].map(measure);
    let row = |(slack, taut): (StripRow, StripRow)| {
        let found = slack.found.zip(taut.found).map(|(slack, taut)| 2.0 * taut - slack);
        let residual = slack.residual.zip(taut.residual).map(|(slack, taut)| slack.max(taut));
        StripRow { iterations: slack.iterations + taut.iterations, residual, ..taut }.found(found)
    };
    slack.into_iter().zip(taut).map(row).collect()
}

/// A case: its rows are those of methods on meshes.
pub trait Ladder: Group<Row = StripRow> {
    /// The largest error over its loads, in the ledger.
    const ERROR: Claimed<'static>;
}

/// Every method by every number of elements.
pub fn listed(methods: &[Method], elements: &List<Count>) -> Vec<(Method, usize)> {
    let by_size = |method: &Method| elements.values().iter().map(|count| (*method, count.get() as usize)).collect::<Vec<_>>();
    methods.iter().flat_map(by_size).collect()
}

/// Errors of all methods.
pub fn rungs(rows: &[StripRow]) -> Vec<Rungs<Method>> {
    let by_method = grouped(rows.iter().map(|row| (row.method, row)));
    let of = |(method, rows): (Method, Vec<&StripRow>)| {
        let by_size = grouped(rows.into_iter().map(|row| (row.elements, row.off)));
        let largest = |offs: Vec<Option<f64>>| offs.into_iter().try_fold(0.0, |most, off| Some(f64::max(most, off?)));
        Rungs { method, errors: by_size.into_iter().map(|(count, offs)| (count, largest(offs))).collect() }
    };
    by_method.into_iter().map(of).collect()
}

/// What methods came to, for the board.
pub fn entries<L: Ladder>(rows: &[StripRow]) -> Vec<Entry> {
    rungs(rows).iter().map(|rungs| rungs.entry(L::NAME, L::ERROR)).collect()
}

/// Marks of methods that can be seen through each other.
const MARKERS: [Marker; 5] = [Marker::OpenCircle, Marker::OpenTriangle, Marker::OpenSquare, Marker::OpenDiamond, Marker::Cross];

/// A line a method: the largest error by the number of elements.
pub fn panel<'a>(title: &str, rungs: impl IntoIterator<Item = &'a Rungs<Method>>, error: Claimed) -> Panel {
    let line = |(k, rungs): (usize, &Rungs<Method>)| {
        let points =
            rungs.errors.iter().filter_map(|(count, error)| Some([f64::from(*count), error.filter(|error| *error > 0.0)?]));
        let marked = Layer::marked_line(rungs.method.to_string(), Palette::series(k), points.collect());
        marked.map(|layer| layer.marker(MARKERS[k % MARKERS.len()])) // lines lie on each other where laws agree
    };
    let lines = rungs.into_iter().enumerate().flat_map(line);
    let (x, y) = (Axis::log("elements along the strip"), Axis::log("error"));
    Panel::new(x, y, lines.chain([bound_line(error)]).collect()).titled(title).legend_outside()
}

/// The panel of a case.
pub fn figure<L: Ladder>(results: &Results, title: &str, caption: &str) -> Result<Figure, ResultsError> {
    let panel = panel("", &rungs(&results.without_sets::<L>()?), L::ERROR);
    Ok(Figure::new(L::NAME, title, caption, vec![panel]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(errors: &[(u32, Option<f64>)]) -> Vec<StripRow> {
        let row = |&(elements, off): &(u32, Option<f64>)| StripRow { elements, off, ..StripRow::default() };
        errors.iter().map(row).collect()
    }

    #[test]
    fn the_worst_load_of_a_mesh_counts_and_one_that_is_lost_takes_it_away() {
        let found = rungs(&rows(&[(10, Some(0.04)), (10, Some(0.01)), (20, Some(0.01))]));
        assert_eq!(found[0].errors, [(10, Some(0.04)), (20, Some(0.01))]);
        assert!((found[0].order().unwrap() - 2.0).abs() < 1e-12);
        let lost = rungs(&rows(&[(10, Some(0.04)), (20, Some(0.01)), (20, None)]));
        assert!(lost[0].finest().is_none() && lost[0].order().is_none());
    }
}
