//! What the cases look like: strips and chains at rest on the curves that they should lie on.

use analytic::catenary::ElasticCatenary;
use analytic::elastica::{Cantilever, Pinched, roll_up};
use kit::prelude::*;

use super::cantilever::hung;
use super::catenary::{Chain, LENGTH, RISE, SPAN};
use super::meshes::Cut;
use super::moving_shapes::plane;
use super::pinched::Pinches;
use super::roll_up::rolled;
use super::strips::{Law, Making, Method, Motion, Strip};

ranges!(ShapeRanges {
    //! Strips and chains.
    /// Elements along a strip, links of a chain.
    elements: Count,
    /// Stretch stiffness over the weight of the strip a width \[-\].
    tautness: Positive,
});

words! {
    /// A case that has a shape.
    pub enum Scene {
        Cantilever = "cantilever",
        RollUp = "roll-up",
        Pinched = "pinched",
        Catenary = "catenary",
    }
}

/// By which strips bend here.
const METHOD: Method = Method::new(Law::Quadratic, Cut::Alternating, Motion::Alike);
/// G of cantilevers and strains of chains by their weight that are shown.
const HEAVINESS: [f64; 5] = [1.0, 5.0, 20.0, 100.0, 1000.0];
const SOFTNESS: [f64; 3] = [0.0001, 0.3, 1.0];

row! {
    /// A particle at rest, seen from the side.
    pub struct ShapeRow {
        /// cantilever, roll-up, pinched, catenary
        pub scene: Scene,
        /// what the case varies: G, the share of the closing moment, the distance of the ends, the strain by the weight
        pub load: f64,
        /// out from the clamp, over the length
        pub x: f64,
        /// upward, over the length
        pub z: f64,
    }
}

/// Shapes of each case.
pub struct Shapes(pub ShapeRanges);

impl Group for Shapes {
    const NAME: &'static str = "shapes";
    const ABOUT: &'static str = "particles at rest, a case a set";
    type Case = Scene;
    type Row = ShapeRow;

    fn listed(&self) -> Vec<Scene> {
        Scene::ALL.into()
    }

    fn measure(&self, &scene: &Scene) -> Vec<ShapeRow> {
        let elements = self.0.elements.get() as usize;
        let making = |heaviness: f64| Making { elements, ..Making::of_a_meter(heaviness, self.0.tautness.get()).by(METHOD) };
        let light = Making { gravity: Vec3::zeros(), ..making(1.0) };
        let mut rows = vec![];
        let look = |load: f64, strip: &Strip, x: &[Vec3]| {
            let row = |x: &Vec3| ShapeRow { scene, load, x: x.x - strip.clamp, z: x.z };
            rows.extend(x.iter().map(row));
        };
        match scene {
            Scene::Cantilever => _ = hung(making, &HEAVINESS, look),
            Scene::RollUp => _ = rolled(&light, look),
            Scene::Pinched => _ = Pinches::pinched(&Making { both_ends: true, ..light }, look),
            Scene::Catenary => {
                let chains = SOFTNESS.iter().filter_map(|&load| Some((load, Chain::hung(load, elements)?)));
                let row = |load: f64, x: &Vec3| ShapeRow { scene, load, x: x.x / LENGTH, z: x.z / LENGTH };
                rows = chains.flat_map(|(load, x)| x.iter().map(|x| row(load, x)).collect::<Vec<_>>()).collect();
            }
        }
        rows
    }
}

/// The curve that a shape should lie on; of strips that are brought together its highest point alone.
fn exact(scene: Scene, load: f64) -> Vec<[f64; 2]> {
    let along = |k: u32| f64::from(k) / 200.0;
    match scene {
        Scene::Cantilever => Cantilever::new(load, 0.0).shape(200).iter().map(|place| [place.x, place.z]).collect(),
        Scene::RollUp => {
            let place = |s: f64| (s, roll_up(1.0, load, s));
            (0..=200).map(along).map(place).map(|(s, tip)| [s - tip.back, tip.across]).collect()
        }
        Scene::Pinched => vec![[0.5 * load, Pinched::new(load).rise]],
        Scene::Catenary => {
            let chain = ElasticCatenary::new(LENGTH, load / LENGTH, SPAN, RISE);
            chain.map_or_else(|_| vec![], |chain| (0..=200).map(|k| chain.place(along(k) * LENGTH)).collect())
        }
    }
}

fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.without_sets::<Shapes>()?;
    let panel = |scene: Scene, what: &str| {
        let own: Vec<&ShapeRow> = rows.iter().filter(|row| row.scene == scene).collect();
        let mut layers = vec![];
        for (k, load) in first_of_each(own.iter().map(|row| row.load)).into_iter().enumerate() {
            let points = own.iter().filter(|row| row.load == load).map(|row| [row.x, row.z]).collect();
            layers.push(match (scene, exact(scene, load)) {
                (Scene::Pinched, top) => Layer::points("exact", Palette::BLACK, top).marker(Marker::Cross),
                (_, curve) => Layer::line("exact", Palette::BLACK, curve),
            });
            layers.push(Layer::points(format!("{what}{load}"), Palette::series(k), points).marker(Marker::OpenCircle));
        }
        plane(scene.name(), layers)
    };
    let panels = vec![
        panel(Scene::Cantilever, "G = "),
        panel(Scene::RollUp, "share of the moment "),
        panel(Scene::Pinched, "distance of the ends "),
        panel(Scene::Catenary, "strain by the weight "),
    ];
    let caption = "Particles at rest, by quadratic bending on triangles and by springs, and the curves that they should lie on; \
                   of strips \
                   whose ends are brought together the highest point.";
    Ok(Figure { columns: 2, ..Figure::new("shapes", "What the cases look like", caption, panels) })
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Shapes(ranges.shapes.clone())).plot("shapes", chart).places(&[("shapes", -1)])
}
