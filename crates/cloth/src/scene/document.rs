//! The scene file as it is written: sections and keys, each with its range.

use std::collections::HashSet;
use std::ops::Range;
use std::path::PathBuf;

use serde::Deserialize;
use toml::Spanned;

use super::inextensible::{Inextensible, InextensibleSection};
use super::method::{AdaptiveSection, IntegratorSection, SolverSection};
use super::mistake::{Mistake, Place, Problem};
use super::motion::{Motion, MotionSection};
use super::range::{Count, Side, Tolerance, Triple};
use super::repulsion::RepulsionSection;
use super::section::{Choice, Keyed, optional_section, section};
use super::solids::{FrictionSection, SolidSection};
use super::{Initial, Output, Scene, Scheme, TableName};
use crate::contact::{Friction, RepulsionLaw, Solid};
use crate::implicit::Solver;
use crate::quantity::{NonNegative, Positive};
use crate::{DampingForm, Drag, Elastic, Grid, Invalid, Masses, Material, Pin, Stiffening, Vec3};

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    step: Spanned<Positive>,
    duration: Spanned<Positive>,
    integrator: Option<Choice<IntegratorSection>>,
    solver: Option<Spanned<Choice<SolverSection>>>,
    #[serde(default, deserialize_with = "optional_section")]
    adaptive_steps: Option<AdaptiveSection>,
    inextensible: Option<Spanned<Choice<InextensibleSection>>>,
    #[serde(default)]
    solid: Vec<Spanned<Choice<SolidSection>>>,
    friction: Option<Spanned<Choice<FrictionSection>>>,
    repulsion: Option<Spanned<Keyed<RepulsionSection>>>,
    #[serde(default)]
    pins: Vec<Spanned<toml::Value>>, // each read on its own, so that a mistake is found on its line
    #[serde(default)]
    motion: Vec<Keyed<MotionSection>>,
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
    stretch: Option<Spanned<Keyed<ElasticSection>>>,
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
    energies_every: Option<Count>,
    contacts_every: Option<Count>,
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

/// Reads the text of a scene file.
pub(super) fn read(text: &str) -> Result<Scene, Mistake> {
    let document: Document = toml::from_str(text).map_err(|error| Mistake::of_toml(text, error))?;
    let mistake = |offset: usize, problem| Mistake { place: Some(Place::at(text, offset)), problem };
    let Mesh { nx: Side(nx), ny: Side(ny), spacing } = document.mesh;
    let grid = Grid::new(nx, ny, spacing.get()).map_err(|invalid| Mistake { place: None, problem: Problem::Mesh(invalid) })?;
    let pins: Vec<Pin> = pins(&grid, text, "pins", document.pins)?.into_iter().map(|(pin, _)| pin).collect();
    let held: HashSet<usize> = pins.iter().filter_map(|&pin| grid.pinned(pin).ok()).collect();
    let motions = motions(&grid, text, &held, document.motion)?;
    let name = |path: Spanned<PathBuf>| TableName { place: Place::at(text, path.span().start), path: path.into_inner() };
    let initial = Initial { positions: document.initial.positions.map(name), velocities: document.initial.velocities.map(name) };
    let rate = document.output.frames_per_second;
    let mut output = Output { frames_per_second: rate.as_ref().map(|rate| rate.get_ref().get()), ..Output::default() };
    if let Some(Count(steps)) = document.output.energies_every {
        output.energies_every = steps.into();
    }
    if let Some(Count(steps)) = document.output.contacts_every {
        output.contacts_every = steps.into();
    }
    let (step, duration) = (document.step.get_ref().get(), document.duration.get_ref().get());
    let misplaced = |(offset, problem)| mistake(offset, problem);
    let scheme = scheme(document.integrator, document.solver).map_err(misplaced)?;
    let beside = Beside {
        stretch: document.material.stretch.as_ref(),
        adaptive_steps: document.adaptive_steps.is_some(),
        all_held: held.len() == grid.particle_count(),
        columns: grid.nx(),
    };
    let inextensible = inextensible(scheme, document.inextensible, &beside).map_err(misplaced)?;
    let filtered = inextensible.is_some();
    let (solids, friction) = touched(scheme, filtered, document.solid, document.friction).map_err(misplaced)?;
    let repulsion = repelling(scheme, document.repulsion, spacing.get()).map_err(misplaced)?;
    let adaptive_steps = document.adaptive_steps.map(AdaptiveSection::limit);
    let mut material = material(document.material);
    if filtered {
        material.stretch = Elastic { stiffness: 0.0, damping: 0.0 };
    }
    let scene = Scene {
        grid,
        material,
        pins,
        motions,
        scheme,
        adaptive_steps,
        inextensible,
        solids,
        friction,
        repulsion,
        step,
        duration,
        initial,
        output,
    };
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

/// The pins of a list at `key`, each with the place of its name in the text.
fn pins(grid: &Grid, text: &str, key: &str, list: Vec<Spanned<toml::Value>>) -> Result<Vec<(Pin, usize)>, Mistake> {
    let mut pins = Vec::new();
    for pin in list {
        let Range { start, end } = pin.span();
        let mistake = |problem| Mistake { place: Some(Place::at(text, start)), problem };
        let words = |_| mistake(Problem::value(key, &text[start..end]));
        let named = named_pins(grid, &Held::deserialize(pin.into_inner()).map_err(words)?);
        let outside = |invalid: Invalid| mistake(Problem::Pin(invalid));
        named.iter().try_for_each(|&pin| grid.pinned(pin).map(|_| ())).map_err(outside)?;
        pins.extend(named.into_iter().map(|pin| (pin, start)));
    }
    Ok(pins)
}

/// How some of the particles that are `held` move.
fn motions(grid: &Grid, text: &str, held: &HashSet<usize>, sections: Vec<Keyed<MotionSection>>) -> Result<Vec<Motion>, Mistake> {
    let mut moved = HashSet::new();
    let mut motions = Vec::new();
    for Keyed(section) in sections {
        let path = section.path();
        let mut particles = Vec::new();
        for (pin, place) in pins(grid, text, "motion.pins", section.pins)? {
            let mistake = |problem| Err(Mistake { place: Some(Place::at(text, place)), problem });
            let Ok(particle) = grid.pinned(pin) else { continue }; // each of them is on the mesh
            if !held.contains(&particle) {
                return mistake(Problem::MotionOfFree { pin });
            }
            if !moved.insert(particle) {
                return mistake(Problem::MotionTwice { pin });
            }
            particles.push(pin);
        }
        motions.push(Motion { pins: particles, path });
    }
    Ok(motions)
}

/// The scheme, and its solver. A problem comes with its place in the text, as below.
fn scheme(
    integrator: Option<Choice<IntegratorSection>>,
    solver: Option<Spanned<Choice<SolverSection>>>,
) -> Result<Scheme, (usize, Problem)> {
    let place = solver.as_ref().map(|solver| solver.span().start);
    let solver = solver.map_or(Solver::default(), |solver| solver.into_inner().0.solver());
    let scheme = integrator.map_or(Scheme::default(), |Choice(section)| section.scheme(solver));
    match place {
        Some(place) if !scheme.is_implicit() => Err((place, Problem::Solver { scheme: scheme.name() })),
        _ => Ok(scheme),
    }
}

/// What a constraint method stands beside: what may not go with it, and the sheet.
struct Beside<'a> {
    stretch: Option<&'a Spanned<Keyed<ElasticSection>>>,
    adaptive_steps: bool,
    all_held: bool,
    columns: usize,
}

/// The constraint method that filters the steps of a scheme.
fn inextensible(
    scheme: Scheme,
    section: Option<Spanned<Choice<InextensibleSection>>>,
    beside: &Beside,
) -> Result<Option<Inextensible>, (usize, Problem)> {
    let Some(section) = section else { return Ok(None) };
    let place = section.span().start;
    if !scheme.is_filtered() {
        return Err((place, Problem::Inextensible(scheme.refuse_inextensible())));
    }
    if let Some(stretch) = beside.stretch {
        return Err((stretch.span().start, Problem::StretchBeside));
    }
    if beside.adaptive_steps {
        return Err((place, Problem::AdaptiveBeside));
    }
    if beside.all_held {
        return Err((place, Problem::AllHeld));
    }
    section.into_inner().0.inextensible(beside.columns).map(Some).map_err(|invalid| (place, Problem::Inextensible(invalid)))
}

/// The solids that a scheme, `filtered` by a constraint method or not, is to meet, and their friction.
fn touched(
    scheme: Scheme,
    filtered: bool,
    solids: Vec<Spanned<Choice<SolidSection>>>,
    friction: Option<Spanned<Choice<FrictionSection>>>,
) -> Result<(Vec<Solid>, Friction), (usize, Problem)> {
    match (solids.first(), &friction) {
        (Some(first), _) if !filtered && !scheme.meets_solids() => {
            return Err((first.span().start, Problem::Contact(scheme.refuse_solids())));
        }
        (None, Some(friction)) => return Err((friction.span().start, Problem::FrictionAlone)),
        _ => {}
    }
    let solids = solids.into_iter().map(|solid| solid.into_inner().0.solid()).collect();
    Ok((solids, friction.map_or(Friction::default(), |friction| friction.into_inner().0.friction())))
}

/// How the cloth of a mesh of `spacing` \[m\] repels itself under a scheme.
fn repelling(
    scheme: Scheme,
    repulsion: Option<Spanned<Keyed<RepulsionSection>>>,
    spacing: f64,
) -> Result<Option<RepulsionLaw>, (usize, Problem)> {
    match repulsion {
        Some(section) if !scheme.repels() => Err((section.span().start, Problem::Repulsion(scheme.refuse_repulsion()))),
        section => Ok(section.map(|section| section.into_inner().0.law(spacing))),
    }
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
    let stretch = section.stretch.map_or_else(ElasticSection::default, |stretch| stretch.into_inner().0);
    let elastic = |section: ElasticSection, default: Elastic| Elastic {
        stiffness: section.stiffness.map_or(default.stiffness, NonNegative::get),
        damping: section.damping.map_or(default.damping, NonNegative::get),
    };
    Material {
        density: section.density.map_or(default.density, Positive::get),
        stretch: elastic(stretch, default.stretch),
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
