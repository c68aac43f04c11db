//! The master curve: how far a strip hangs that is clamped level, by law of bending, mesh and heaviness. N-CANTILEVER,
//! N-CANTILEVER-FREE, N-CANTILEVER-GRID, N-CANTILEVER-TURNED, N-CANTILEVER-SHEET, N-CANTILEVER-ANY-MESH, N-CANTILEVER-DEFAULTS.

use analytic::elastica::Cantilever;
use kit::prelude::*;

use super::ladder::{Ladder, StripRow, listed, panel, rungs, without_stretch};
use super::meshes::Cut;
use super::strips::{Law, Making, Method, Motion, Strip};

ranges!(CantileverRanges {
    //! Strips.
    /// G = rho g L³/D \[-\], rising.
    heaviness: List<Positive>,
    /// Elements along the strip, rising.
    elements: List<Count>,
    /// Elements along strips of triangles that are free to twist, which are as many across as their width asks for, by hinges.
    free: List<Count>,
    /// Elements along such strips by the curvature of triangles.
    sheet: List<Count>,
    /// Stretch stiffness over the weight of the strip a width \[-\], as [`without_stretch`] has it.
    tautness: Positive,
});

/// Largest ratio of two G, one of which begins where the other one ended.
const RATIO: f64 = 3.0;

/// Laws of bending on their meshes, by the number of elements.
pub struct Cantilevers(pub CantileverRanges);

impl Cantilevers {
    /// On long ladders.
    fn methods() -> Vec<Method> {
        let on_grid = Method::new(Law::Grid, Cut::Squares, Motion::Free);
        Method::RIGID.into_iter().chain([on_grid]).chain(Method::DEFAULTS).collect()
    }

    /// On those of strips that are free to twist, by hinges.
    fn free() -> Vec<Method> {
        let of = |cut: Cut| [Law::Shells, Law::Quadratic].map(|law| Method::new(law, cut, Motion::Free));
        [Cut::Left, Cut::Right, Cut::Alternating, Cut::Equilateral, Cut::Turned].into_iter().flat_map(of).collect()
    }

    /// On those of strips that are free to twist, by the curvature of triangles.
    fn sheets() -> [Method; 6] {
        [Cut::Left, Cut::Right, Cut::Alternating, Cut::Equilateral, Cut::Turned, Cut::Scattered]
            .map(|cut| Method::new(Law::Curvature, cut, Motion::Free))
    }
}

impl Group for Cantilevers {
    const NAME: &'static str = "cantilever";
    const ABOUT: &'static str = "strips that are clamped level and hang by their weight";
    type Case = (Method, usize);
    type Row = StripRow;

    fn listed(&self) -> Vec<(Method, usize)> {
        let ladders = [
            listed(&Cantilevers::methods(), &self.0.elements),
            listed(&Cantilevers::free(), &self.0.free),
            listed(&Cantilevers::sheets(), &self.0.sheet),
        ];
        ladders.concat()
    }

    fn kin(&self, &(_, elements): &(Method, usize)) -> u64 {
        elements as u64
    }

    fn measure(&self, &(method, elements): &(Method, usize)) -> Vec<StripRow> {
        let coarsest = self.0.elements.values()[0].get() as usize;
        let all: Vec<f64> = self.0.heaviness.values().iter().map(|value| value.get()).collect();
        without_stretch(self.0.tautness.get(), |tautness| {
            let making = |heaviness| Making { elements, coarsest, ..Making::of_a_meter(heaviness, tautness).by(method) };
            let mut shown = FilmRecorder::new(all.len() as u64);
            hung(making, &all, |_, strip, x| shown.step(&*strip.system, &State::at_rest(x.to_vec())))
        })
    }
}

/// Strips from one G to the next, each of which begins where the last one ended, and is looked at where it comes to rest.
pub fn hung(making: impl Fn(f64) -> Making, all: &[f64], mut look: impl FnMut(f64, &Strip, &[Vec3])) -> Vec<StripRow> {
    let (mut x, mut last): (Option<Vec<Vec3>>, f64) = (None, all[0]);
    let row = |&heaviness: &f64| {
        let mut row = StripRow::new(&making(heaviness), "H/W", heaviness, Cantilever::new(heaviness, 0.0).drop_over_reach());
        let steps = libm::ceil(libm::log(heaviness / last) / libm::log(RATIO)).max(1.0);
        let mut found = None;
        for step in 1..=steps as u32 {
            let share = f64::from(step) / steps;
            let at = libm::pow(last, 1.0 - share) * libm::pow(heaviness, share);
            let Ok(strip) = making(at).strip() else { break };
            let x = x.get_or_insert_with(|| strip.flat.clone());
            let Ok(rest) = strip.settle(x) else { break };
            row = row.after(&rest);
            found = rest.is_settled().then(|| strip.drop_over_reach(x));
            if f64::from(step) == steps && found.is_some() {
                look(heaviness, &strip, x);
            }
        }
        last = heaviness;
        row.found(found)
    };
    all.iter().map(row).collect()
}

impl Ladder for Cantilevers {
    const ERROR: Claimed<'static> = Claimed::of("N-CANTILEVER", "error");
}

fn is_turned(cut: Cut) -> bool {
    matches!(cut, Cut::Equilateral | Cut::Turned | Cut::Scattered)
}

/// Errors by the number of elements.
fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let all = rungs(&results.without_sets::<Cantilevers>()?);
    let panel = |title: &str, is_shown: fn(&Method) -> bool| {
        panel(title, all.iter().filter(|rungs| is_shown(&rungs.method)), Cantilevers::ERROR)
    };
    let panels = vec![
        panel("bent to cylinders", |method| {
            method.motion == Motion::Alike && method.law != Law::BendSprings && method.law != Law::PerHinge
        }),
        panel("free to twist", |method| method.motion == Motion::Free && !is_turned(method.cut) && method.law != Law::Curvature),
        panel("free to twist, turned against the strip", |method| is_turned(method.cut) && method.law != Law::Curvature),
        panel("free to twist, by curvature", |method| method.motion == Motion::Free && method.law == Law::Curvature),
        panel("springs and hinges of one stiffness", |method| matches!(method.law, Law::PerHinge | Law::BendSprings)),
    ];
    let caption = "How far drop over reach is from the master curve, at the worst of all G, by the number of elements. Strips \
                   whose \
                   particles across move alike follow it by all laws with a rigidity; by hinges those that are free are too soft, by the \
                   curvature of triangles they follow it on any mesh. Bend springs have no point \
                   where \
                   a strip did not come to rest under some load: they do not resist a little bending.";
    Ok(Figure { columns: 2, ..Figure::new("cantilever", "Cantilevers beside the elastica", caption, panels) })
}

/// The master curve itself.
fn curve(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.without_sets::<Cantilevers>()?;
    let finest = |method: &Method| {
        let own = rows.iter().filter(|row| row.method == *method);
        own.map(|row| row.elements).max().unwrap_or(0)
    };
    let [low, high] = extent(rows.iter().map(|row| row.load));
    let at = |k: u32| low * libm::pow(high / low, f64::from(k) / 100.0);
    let exact = (0..=100).map(|k| [at(k), Cantilever::new(at(k), 0.0).drop_over_reach()]).collect();
    let shown = [
        (Law::Grid, Cut::Squares, Motion::Alike, Marker::OpenCircle),
        (Law::Shells, Cut::Alternating, Motion::Alike, Marker::OpenTriangle),
        (Law::Quadratic, Cut::Alternating, Motion::Alike, Marker::OpenSquare),
        (Law::Shells, Cut::Left, Motion::Free, Marker::Triangle),
        (Law::Curvature, Cut::Scattered, Motion::Free, Marker::OpenDiamond),
        (Law::PerHinge, Cut::Alternating, Motion::Alike, Marker::Diamond),
        (Law::BendSprings, Cut::Squares, Motion::Alike, Marker::Cross),
    ];
    let points = shown.into_iter().enumerate().map(|(k, (law, cut, motion, marker))| {
        let method = Method { law, cut, motion };
        let finest = finest(&method);
        let own = rows.iter().filter(|row| row.method == method && row.elements == finest);
        let points = own.filter_map(|row| Some([row.load, row.found?])).collect();
        Layer::points(format!("{method}, {finest}"), Palette::series(k), points).marker(marker)
    });
    let layers = [Layer::line("elastica", Palette::BLACK, exact)].into_iter().chain(points).collect();
    let panel = Panel::new(Axis::log("G = rho g L³/D"), Axis::log("drop over reach, H/W"), layers).legend_outside();
    let caption = "Strips on the master curve of cantilevers, each by its law of bending, mesh and number of elements.";
    Ok(Figure::new("master-curve", "The master curve of cantilevers", caption, vec![panel]))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Cantilevers(ranges.cantilever.clone())).plot("master-curve", curve).plot("cantilever", chart)
}
