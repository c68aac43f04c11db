//! The scene file as it is written: sections and keys, each with its range.

use std::ops::Range;
use std::path::PathBuf;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::mistake::{Mistake, Place, Problem};
use super::{Initial, Output, Scene, Scheme, TableName};
use crate::quantity::{Finite, NonNegative, Positive};
use crate::{DampingForm, Drag, Elastic, Grid, Invalid, Masses, Material, Pin, Stiffening, Vec3};

/// Every key, by its path, and what it takes. Sections stand before their keys.
pub(super) const KEYS: [(&str, &str); 36] = [
    ("step", "a finite number above zero"),
    ("duration", "a finite number above zero"),
    ("integrator", "\"forward-euler\", \"fb-euler\" or \"rk4\""),
    ("pins", "a list of whole numbers from 0, pairs [i, j], corners like \"top-left\" and edges like \"left\""),
    ("mesh", "a section with nx, ny and spacing"),
    ("mesh.nx", "a whole number from 2 to 3000"),
    ("mesh.ny", "a whole number from 2 to 3000"),
    ("mesh.spacing", "a finite number above zero"),
    ("material", "a section"),
    ("material.density", "a finite number above zero"),
    ("material.stretch", "a section { stiffness, damping }"),
    ("material.stretch.stiffness", "a finite number, zero or above"),
    ("material.stretch.damping", "a finite number, zero or above"),
    ("material.shear", "a section { stiffness, damping }"),
    ("material.shear.stiffness", "a finite number, zero or above"),
    ("material.shear.damping", "a finite number, zero or above"),
    ("material.bend", "a finite number, zero or above"),
    ("material.damping", "\"projected\" or \"plain\""),
    ("material.extension_tolerance", "a number from -1 to below 1"),
    ("material.compression", "true or false"),
    ("material.stiffening", "a section { strain, factor }"),
    ("material.stiffening.strain", "a finite number above zero"),
    ("material.stiffening.factor", "a finite number, zero or above"),
    ("material.masses", "\"equal\", \"by-area\" or { hem = 2.0 } with a number above zero"),
    ("material.air", "a finite number, zero or above"),
    ("material.drag", "a section { air_density, coefficient, wind }"),
    ("material.drag.air_density", "a finite number, zero or above"),
    ("material.drag.coefficient", "a finite number, zero or above"),
    ("material.drag.wind", "three finite numbers [x, y, z]"),
    ("material.gravity", "three finite numbers [x, y, z]"),
    ("initial", "a section"),
    ("initial.positions", "the name of a table in quotes"),
    ("initial.velocities", "the name of a table in quotes"),
    ("output", "a section"),
    ("output.energies_every", "a whole number from 1 to 1000000000"),
    ("output.frames_per_second", "a finite number above zero"),
];

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    step: Spanned<Positive>,
    duration: Spanned<Positive>,
    #[serde(default)]
    integrator: Scheme,
    #[serde(default)]
    pins: Vec<Spanned<toml::Value>>, // each read on its own, so that a mistake is found on its line
    #[serde(deserialize_with = "section")]
    mesh: Mesh,
    #[serde(default, deserialize_with = "section")]
    material: MaterialSection,
    #[serde(default, deserialize_with = "section")]
    initial: InitialSection,
    #[serde(default, deserialize_with = "section")]
    output: OutputSection,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mesh {
    nx: Side,
    ny: Side,
    spacing: Positive,
}

/// Each key that is left out has its value in [`Material::default`].
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct MaterialSection {
    density: Option<Positive>,
    #[serde(deserialize_with = "section")]
    stretch: ElasticSection,
    #[serde(deserialize_with = "section")]
    shear: ElasticSection,
    bend: Option<NonNegative>,
    damping: Option<DampingName>,
    extension_tolerance: Option<Tolerance>,
    compression: Option<bool>,
    #[serde(deserialize_with = "optional_section")]
    stiffening: Option<StiffeningSection>,
    masses: Option<MassesName>,
    air: Option<NonNegative>,
    #[serde(deserialize_with = "optional_section")]
    drag: Option<DragSection>,
    gravity: Option<Triple>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ElasticSection {
    stiffness: Option<NonNegative>,
    damping: Option<NonNegative>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StiffeningSection {
    strain: Positive,
    factor: NonNegative,
}

/// Without further keys: a plate across a flow of air at sea level that is at rest.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct DragSection {
    air_density: Option<NonNegative>, // 1.2 kg/m³
    coefficient: Option<NonNegative>, // 1
    wind: Option<Triple>,             // none
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct InitialSection {
    positions: Option<Spanned<PathBuf>>,
    velocities: Option<Spanned<PathBuf>>,
}

/// A row a step and no frames, if nothing is said.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct OutputSection {
    energies_every: Option<Interval>,
    frames_per_second: Option<Spanned<Positive>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum DampingName {
    Projected,
    Plain,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum MassesName {
    Equal,
    ByArea,
    Hem(Positive),
}

/// What a pin names.
#[derive(Deserialize)]
#[serde(untagged)]
enum Held {
    Index(usize),
    At([usize; 2]),
    Border(Border),
}

/// A corner or an edge of the sheet, x to the right and y up.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Border {
    BottomLeft,
    BottomRight,
    TopLeft,
    TopRight,
    Left,
    Right,
    Bottom,
    Top,
}

/// Particles a side.
#[derive(Deserialize)]
#[serde(try_from = "i128")]
struct Side(usize);

impl TryFrom<i128> for Side {
    type Error = String;
    fn try_from(value: i128) -> Result<Side, String> {
        let limit = Grid::LIMIT;
        let side = usize::try_from(value).ok().filter(|side| (2..=limit).contains(side));
        side.map(Side).ok_or_else(|| format!("must be a whole number from 2 to {limit}, not {value}"))
    }
}

/// Steps between two rows.
#[derive(Deserialize)]
#[serde(try_from = "i128")]
struct Interval(u64);

impl TryFrom<i128> for Interval {
    type Error = String;
    fn try_from(value: i128) -> Result<Interval, String> {
        let limit = Scene::STEP_LIMIT;
        let interval = u64::try_from(value).ok().filter(|interval| (1..=limit).contains(interval));
        interval.map(Interval).ok_or_else(|| format!("must be a whole number from 1 to {limit}, not {value}"))
    }
}

#[derive(Deserialize)]
#[serde(try_from = "f64")]
struct Tolerance(f64);

impl TryFrom<f64> for Tolerance {
    type Error = String;
    fn try_from(value: f64) -> Result<Tolerance, String> {
        let holds = (-1.0..1.0).contains(&value);
        if holds { Ok(Tolerance(value)) } else { Err(format!("must be a number from -1 to below 1, not {value}")) }
    }
}

/// A vector in space.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "Vec<Finite>")]
struct Triple(Vec3);

impl TryFrom<Vec<Finite>> for Triple {
    type Error = String;
    fn try_from(numbers: Vec<Finite>) -> Result<Triple, String> {
        let [x, y, z] = numbers[..] else {
            return Err(format!("must be three finite numbers [x, y, z], not {}", numbers.len()));
        };
        Ok(Triple(Vec3::new(x.get(), y.get(), z.get())))
    }
}

/// A section, and nothing else: serde would take a list for it too, key by key.
fn section<'de, D: Deserializer<'de>, T: Deserialize<'de>>(source: D) -> Result<T, D::Error> {
    struct Keys<T>(std::marker::PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Keys<T> {
        type Value = T;

        fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
            write!(f, "a section")
        }

        fn visit_map<A: MapAccess<'de>>(self, keys: A) -> Result<T, A::Error> {
            T::deserialize(MapAccessDeserializer::new(keys))
        }
    }

    source.deserialize_map(Keys(std::marker::PhantomData))
}

/// A section that may be left out.
fn optional_section<'de, D: Deserializer<'de>, T: Deserialize<'de>>(source: D) -> Result<Option<T>, D::Error> {
    section(source).map(Some)
}

/// Reads the text of a scene file.
pub(super) fn read(text: &str) -> Result<Scene, Mistake> {
    let document: Document = toml::from_str(text).map_err(|error| Mistake::of_toml(text, error))?;
    let mistake = |offset: usize, problem| Mistake { place: Some(Place::at(text, offset)), problem };
    let Mesh { nx: Side(nx), ny: Side(ny), spacing } = document.mesh;
    let grid = Grid::new(nx, ny, spacing.get()).map_err(|invalid| Mistake { place: None, problem: Problem::Mesh(invalid) })?;
    let mut pins = Vec::new();
    for pin in document.pins {
        let Range { start, end } = pin.span();
        let words = |_| mistake(start, Problem::value("pins", &text[start..end]));
        let named = named_pins(&grid, &Held::deserialize(pin.into_inner()).map_err(words)?);
        let outside = |invalid: Invalid| mistake(start, Problem::Pin(invalid));
        named.iter().try_for_each(|&pin| grid.pinned(pin).map(|_| ())).map_err(outside)?;
        pins.extend(named);
    }
    let name = |path: Spanned<PathBuf>| TableName { place: Place::at(text, path.span().start), path: path.into_inner() };
    let initial = Initial { positions: document.initial.positions.map(name), velocities: document.initial.velocities.map(name) };
    let rate = document.output.frames_per_second;
    let mut output = Output { frames_per_second: rate.as_ref().map(|rate| rate.get_ref().get()), ..Output::default() };
    if let Some(Interval(steps)) = document.output.energies_every {
        output.energies_every = steps;
    }
    let (step, duration) = (document.step.get_ref().get(), document.duration.get_ref().get());
    let (material, scheme) = (material(document.material), document.integrator);
    let scene = Scene { grid, material, pins, scheme, step, duration, initial, output };
    let steps = duration / step;
    if !(0.5..=Scene::STEP_LIMIT as f64).contains(&steps) {
        return Err(mistake(document.duration.span().start, Problem::StepCount { step, duration, steps }));
    }
    if let Some(rate) = rate {
        let (span, rate) = (rate.span(), rate.into_inner().get());
        if rate * step > 1.0 + 1e-9 || rate * duration >= Scene::FRAME_LIMIT as f64 {
            let most = (1.0 / step).min(Scene::FRAME_LIMIT as f64 / duration);
            return Err(mistake(span.start, Problem::FrameRate { rate, most }));
        }
    }
    Ok(scene)
}

/// The pins that a name stands for.
fn named_pins(grid: &Grid, held: &Held) -> Vec<Pin> {
    let (right, top) = (grid.nx() - 1, grid.ny() - 1);
    let column = |i| (0..grid.ny()).map(|j| Pin::At(i, j)).collect();
    let row = |j| (0..grid.nx()).map(|i| Pin::At(i, j)).collect();
    match *held {
        Held::Index(index) => vec![Pin::Index(index)],
        Held::At([i, j]) => vec![Pin::At(i, j)],
        Held::Border(Border::BottomLeft) => vec![Pin::At(0, 0)],
        Held::Border(Border::BottomRight) => vec![Pin::At(right, 0)],
        Held::Border(Border::TopLeft) => vec![Pin::At(0, top)],
        Held::Border(Border::TopRight) => vec![Pin::At(right, top)],
        Held::Border(Border::Left) => column(0),
        Held::Border(Border::Right) => column(right),
        Held::Border(Border::Bottom) => row(0),
        Held::Border(Border::Top) => row(top),
    }
}

/// The material of a section.
fn material(section: MaterialSection) -> Material {
    let default = Material::default();
    let elastic = |section: ElasticSection, default: Elastic| Elastic {
        stiffness: section.stiffness.map_or(default.stiffness, NonNegative::get),
        damping: section.damping.map_or(default.damping, NonNegative::get),
    };
    Material {
        density: section.density.map_or(default.density, Positive::get),
        stretch: elastic(section.stretch, default.stretch),
        shear: elastic(section.shear, default.shear),
        bend: section.bend.map_or(default.bend, NonNegative::get),
        damping: match section.damping {
            None => default.damping,
            Some(DampingName::Projected) => DampingForm::Projected,
            Some(DampingName::Plain) => DampingForm::Plain,
        },
        extension_tolerance: section.extension_tolerance.map_or(default.extension_tolerance, |Tolerance(tolerance)| tolerance),
        compression: section.compression.unwrap_or(default.compression),
        stiffening: match section.stiffening {
            None => default.stiffening,
            Some(knee) => Some(Stiffening { strain: knee.strain.get(), factor: knee.factor.get() }),
        },
        masses: match section.masses {
            None => default.masses,
            Some(MassesName::Equal) => Masses::Equal,
            Some(MassesName::ByArea) => Masses::ByArea,
            Some(MassesName::Hem(factor)) => Masses::Hem(factor.get()),
        },
        air: section.air.map_or(default.air, NonNegative::get),
        drag: match section.drag {
            None => default.drag,
            Some(drag) => Some(Drag {
                air_density: drag.air_density.map_or(1.2, NonNegative::get),
                coefficient: drag.coefficient.map_or(1.0, NonNegative::get),
                wind: drag.wind.map_or(Vec3::zeros(), |Triple(wind)| wind),
            }),
        },
        gravity: section.gravity.map_or(default.gravity, |Triple(gravity)| gravity),
    }
}
