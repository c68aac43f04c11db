//! A scene of the sections of its file.

use std::collections::HashSet;
use std::path::PathBuf;

use toml::Spanned;

use super::document::Document;
use super::friction::FrictionKey;
use super::guide::{Guided, guides};
use super::inextensible::InextensibleSection;
use super::keyframes::{KeyframesFile, Mover};
use super::material::MaterialSection;
use super::mesh::{Mesh, MeshSection};
use super::method::{IntegratorSection, touching};
use super::mistake::{Place, Problem, SceneError};
use super::motion::MotionSection;
use super::pins::{Named, Naming, index};
use super::range::{Azimuth, Count, Elevation};
use super::read_obj::ObjMesh;
use super::repulsion::RepulsionSection;
use super::section::{Choice, Keyed};
use super::sewing::Seams;
use super::solids::{BodyMesh, SolidOrMesh, SolidSection};
use super::solver::SolverSection;
use super::subject::{MeshSource, Subject};
use super::tearing::TearingSection;
use super::{Initial, NamedFile, Output, Scene, View};
use cloth::contact::{Friction, RepulsionLaw, RigidMotion, Solid};
use cloth::implicit::{PreconditionerKind, Settings, Solver};
use cloth::inextensible::Division;
use cloth::quantity::NonNegative;
use cloth::run::{LengthConstraint, Motion, PinTerms, Scheme, Sheet, SolidContact, Tear, TearMode, TriangleMaterial, Triangles};
use cloth::triangles::TriangleMesh;
use cloth::{Pin, Terms};

/// Reads the text of a scene file, on the mesh of the OBJ file that it names where that is read.
pub(super) fn read(text: &str, obj: Option<&ObjMesh>) -> Result<Scene, SceneError> {
    let document: Document = toml::from_str(text).map_err(|error| SceneError::of_toml(text, error))?;
    let mistake = |offset: usize, problem| SceneError { place: Some(Place::at(text, offset)), problem };
    let misplaced = |(offset, problem)| mistake(offset, problem);
    let tears = document.tearing.as_ref().map(|section| section.span().start);
    let material = MaterialSection::of(document.material);
    let Held { mut subject, naming, terms } = subject(text, document.mesh, obj, &material, document.pins, tears.is_some())?;
    let gusts = material.gusts(text).map_err(misplaced)?;
    let keeping = [
        (document.self_collision.as_ref().map(|section| section.span().start), Problem::TearingBeside { key: "self_collision" }),
        (document.repulsion.as_ref().map(|section| section.span().start), Problem::TearingBeside { key: "repulsion" }),
        (document.guide.first().map(|section| section.span().start), Problem::TearingAnew { key: "guide" }),
        (material.hem_place(), Problem::TearingAnew { key: "material.masses" }),
    ];
    let tearing = tearing(text, &subject, &naming, document.tearing, keeping)?;
    let sewing = Seams { chains: document.seam, lines: obj.map_or(&[], |obj| &obj.sewn) }.sewing(
        text,
        &subject,
        &naming,
        document.sewing,
    )?;
    if let (Some(place), Some(key)) = (tears, sewing.as_ref().map(|_| "seam").or_else(|| terms.first().map(|_| "pins"))) {
        return Err(mistake(place, Problem::TearingTied { key }));
    }
    let soft: HashSet<usize> =
        terms.iter().filter(|(_, terms)| terms.stiffness.is_some()).map(|(particle, _)| *particle).collect();
    let (motions, mut keyframes) = motions(&subject, &soft, text, &naming, document.motion)?;
    let Guided { tracks: guides, place: guided } = guides(&subject, text, &naming, document.guide)?;
    let name = |path: Spanned<PathBuf>| NamedFile { place: Place::at(text, path.span().start), path: path.into_inner() };
    let initial = Initial {
        positions: document.initial.positions.map(name),
        velocities: document.initial.velocities.map(name),
        time: document.initial.time.map_or(0.0, NonNegative::get),
    };
    let rate = document.output.frames_per_second;
    let mut output = Output { frames_per_second: rate.as_ref().map(|rate| rate.get_ref().get()), ..Output::default() };
    if let Some(Count(steps)) = document.output.energies_every {
        output.energies_every = steps.into();
    }
    if let Some(Count(steps)) = document.output.contacts_every {
        output.contacts_every = steps.into();
    }
    let view = View {
        azimuth: document.view.azimuth.map_or(View::default().azimuth, |Azimuth(degrees)| degrees),
        elevation: document.view.elevation.map_or(View::default().elevation, |Elevation(degrees)| degrees),
    };
    let (step, duration) = (document.step.get_ref().get(), document.duration.get_ref().get());
    let search = document.integrator.as_ref().and_then(|Choice(section)| section.line_search());
    if let Some(place) = document.integrator.as_ref().and_then(|Choice(section)| section.once_beside_newton()) {
        return Err(mistake(place, Problem::OnceBesideNewton));
    }
    let (scheme, single) = scheme(document.integrator, document.solver).map_err(misplaced)?;
    if let (Some(place), Some(settings)) = (single, scheme.settings())
        && let Some(beside) = beside_single(&settings, &subject)
    {
        return Err(mistake(place, Problem::SinglePrecision { beside }));
    }
    if scheme.settings().is_some_and(|settings| settings.cuts.is_some()) && is_continuum(&subject) {
        return Err(SceneError { place: None, problem: Problem::CutContinuum });
    }
    let beside = Beside { stretch: material.stretch_place(), adaptive_steps: document.adaptive_steps.is_some() };
    let inextensible = inextensible(scheme, document.inextensible, &subject, &beside).map_err(misplaced)?;
    let filtered = inextensible.is_some();
    if filtered {
        subject.keep_edges();
    }
    let collides = document.self_collision.is_some();
    let SolidSections { solids, solid_friction, bodies, keyframes: of_solids, friction, solid_contact } = touched(
        text,
        scheme,
        Treated { filtered, collides, tears: tears.is_some() },
        document.solid,
        document.friction,
        document.contact,
    )
    .map_err(misplaced)?;
    keyframes.extend(of_solids);
    let scheme = if collides || !solids.is_empty() { touching(scheme) } else { scheme };
    let solid_reach = document.self_collision.as_ref().and_then(|section| section.get_ref().0.solids).unwrap_or_default();
    let self_collision = document.self_collision.map(|section| section.into_inner().0.thickness(friction));
    let moved_by = [
        (filtered, "`inextensible`"),
        (matches!(scheme, Scheme::ProjectiveDynamics(_)), "`integrator = \"projective-dynamics\"`"),
        (self_collision.is_some(), "[self_collision]"),
        (!solids.is_empty() && solid_contact == SolidContact::Positions, "`contact = \"positions\"`"),
    ];
    if let (Some(place), Some((_, beside))) = (guided, moved_by.into_iter().find(|(moves, _)| *moves)) {
        return Err(mistake(place, Problem::GuideBeside { beside }));
    }
    let repulsion = repelling(scheme, document.repulsion, &subject).map_err(misplaced)?;
    let adaptive_steps = document.adaptive_steps.map(|Keyed(section)| section.limit());
    let mut scene = Scene {
        subject,
        pin_terms: terms,
        sewing,
        motions,
        guides,
        scheme,
        adaptive_steps,
        inextensible,
        solids,
        bodies,
        keyframes,
        gusts,
        friction,
        solid_friction,
        solid_contact,
        self_collision,
        solid_reach,
        repulsion,
        tearing,
        step,
        duration,
        initial,
        control: None,
        fit: document.fit.map(|Keyed(section)| section.fit(text)).transpose()?,
        output,
        view,
    };
    if let (Some(place), Some(beside)) = (search, scene.without_energy()) {
        return Err(mistake(place, Problem::LineSearchBeside { beside }));
    }
    let steps = duration / step;
    if !(0.5..=Scene::STEP_LIMIT as f64).contains(&steps) {
        return Err(mistake(document.duration.span().start, Problem::StepCount { step, duration, steps }));
    }
    if let Some(section) = document.control {
        let start = section.span().start;
        let named = |list| naming.pins(text, "control.particles", list);
        scene.control = Some(section.into_inner().0.control(text, start, named)?);
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

/// The scheme, and its solver, with the place where single precision is asked for. A problem comes with its place in the text, as
/// below.
fn scheme(
    integrator: Option<Choice<IntegratorSection>>,
    solver: Option<Spanned<Choice<SolverSection>>>,
) -> Result<(Scheme, Option<usize>), (usize, Problem)> {
    let place = solver.as_ref().map(|solver| solver.span().start);
    if let Some((place, key)) = solver.as_ref().and_then(|solver| solver.get_ref().0.unused_parts()) {
        return Err((place, Problem::Parts { key }));
    }
    let (precision, single) = solver.as_ref().map_or_else(Default::default, |solver| solver.get_ref().0.precision());
    let solver = solver.map_or(Solver::automatic(), |solver| solver.into_inner().0.solver());
    let scheme = integrator.map_or(Scheme::default(), |Choice(section)| section.scheme(solver, precision));
    match place {
        Some(place) if !scheme.is_implicit() => {
            Err((place, Problem::Solver { scheme: scheme.name(), why: scheme.without_solver() }))
        }
        _ => Ok((scheme, single)),
    }
}

/// Beside what single precision would not be used, see [`Precision::Single`](cloth::implicit::Precision::Single).
fn beside_single(settings: &Settings, subject: &Subject) -> Option<String> {
    let Solver::ConjugateGradients(gradients) = settings.solver else { return None };
    let beside = match (subject, gradients.preconditioner) {
        (Subject::Triangles(_), _) => Some("a mesh of triangles"),
        (
            _,
            kind @ (PreconditionerKind::Triangular(_)
            | PreconditionerKind::Schwarz(_)
            | PreconditionerKind::Aggregation
            | PreconditionerKind::Automatic),
        ) => {
            return Some(format!("`preconditioner = \"{}\"`", kind.name()));
        }
        (Subject::Sheet(_), _) if gradients.decompose.is_some() => Some("`decompose = true`"),
        (Subject::Sheet(_), _) if settings.terms != Terms::Filtered => Some("`terms` that are not \"filtered\""),
        (Subject::Sheet(sheet), _) if sheet.material.rigidity.is_some() => Some("a rigidity"),
        (Subject::Sheet(sheet), _) if sheet.material.softens() => Some("springs that soften"),
        (Subject::Sheet(_), PreconditionerKind::None | PreconditionerKind::BlockDiagonal(_) | PreconditionerKind::Multigrid) => {
            None
        }
    };
    beside.map(str::to_owned)
}

/// The cloth of a scene, the names of its particles, and the terms on which some of them are held.
struct Held<'a> {
    subject: Subject,
    naming: Naming<'a>,
    terms: Vec<(usize, PinTerms)>,
}

/// The cloth of a scene, on the mesh of its file where that is read.
fn subject<'a>(
    text: &str,
    mesh: Spanned<Keyed<MeshSection>>,
    obj: Option<&'a ObjMesh>,
    material: &MaterialSection,
    pins: Vec<Spanned<toml::Value>>,
    tears: bool,
) -> Result<Held<'a>, SceneError> {
    let misplaced = |(offset, problem)| SceneError { place: Some(Place::at(text, offset)), problem };
    let start = mesh.span().start;
    let (mesh, points, is_grid) = match mesh.into_inner().0.mesh(text, start, obj)? {
        Mesh::Grid(grid) if !tears => {
            let naming = Naming::Grid(grid);
            let named = naming.held(text, "pins", pins)?;
            let terms = terms(&named, |pin| grid.pinned(pin).ok());
            let pins = named.into_iter().filter(|named| named.terms.stiffness.is_none()).map(|named| named.pin).collect();
            let sheet = Sheet { grid, material: material.of_grid().map_err(misplaced)?, pins };
            return Ok(Held { subject: Subject::Sheet(sheet), naming, terms });
        }
        Mesh::Grid(grid) => {
            let mesh = TriangleMesh::of_grid(&grid).map_err(|invalid| misplaced((start, Problem::Mesh(invalid))))?;
            (MeshSource::Mesh(mesh), Some(grid), true)
        }
        Mesh::Triangles(mesh, points) => (mesh, points, false),
    };
    let naming = match (&mesh, obj) {
        (MeshSource::Obj(_), _) => Naming::Unread,
        (MeshSource::Mesh(_), Some(obj)) => Naming::File(obj),
        (MeshSource::Mesh(mesh), None) => Naming::Triangles(points, mesh.positions().to_vec()),
    };
    let named = naming.held(text, "pins", pins)?;
    let terms = terms(&named, index);
    let pins = named.into_iter().filter(|named| named.terms.stiffness.is_none()).filter_map(|named| index(named.pin)).collect();
    let of_file = matches!(naming, Naming::Unread | Naming::File(_)); // which may have quads
    let made_of = if is_grid { material.of_torn_grid() } else { material.of_triangles(of_file) }.map_err(misplaced)?;
    if let (Naming::File(obj), TriangleMaterial::Springs { .. }, Some(shear)) = (&naming, &made_of, material.shear_place())
        && !obj.mesh.has_quads()
    {
        return Err(misplaced((shear, Problem::ShearOfTriangles)));
    }
    Ok(Held { subject: Subject::Triangles(Triangles { mesh, material: made_of, pins }), naming, terms })
}

/// The terms of the pins that have some, by their particles.
fn terms(named: &[Named], particle: impl Fn(Pin) -> Option<usize>) -> Vec<(usize, PinTerms)> {
    let with_terms = named.iter().filter(|named| named.terms != PinTerms::default());
    with_terms.filter_map(|named| Some((particle(named.pin)?, named.terms))).collect()
}

/// True where the cloth is a continuum, which has no springs.
fn is_continuum(subject: &Subject) -> bool {
    matches!(subject, Subject::Triangles(Triangles { material: TriangleMaterial::Continuum(_), .. }))
}

/// How the cloth tears, and beside what it does not; `keeping` says where something stands that does not go with it, and why.
fn tearing(
    text: &str,
    subject: &Subject,
    naming: &Naming<'_>,
    section: Option<Spanned<Keyed<TearingSection>>>,
    keeping: [(Option<usize>, Problem); 4],
) -> Result<Option<Tear>, SceneError> {
    let Some(section) = section else { return Ok(None) };
    let refused = |offset: usize, problem| SceneError { place: Some(Place::at(text, offset)), problem };
    let start = section.span().start;
    if let Some((place, problem)) = keeping.into_iter().find_map(|(place, problem)| Some((place?, problem))) {
        return Err(refused(place, problem));
    }
    let tear = section.into_inner().0.tear(text, naming)?;
    if tear.mode == TearMode::Simple && is_continuum(subject) {
        return Err(refused(start, Problem::SimpleContinuum));
    }
    Ok(Some(tear))
}

/// The motions of particles that are held, or tied by `soft` pins, with the files of their key frames.
fn motions(
    subject: &Subject,
    soft: &HashSet<usize>,
    text: &str,
    naming: &Naming<'_>,
    sections: Vec<Spanned<Keyed<MotionSection>>>,
) -> Result<(Vec<Motion>, Vec<KeyframesFile>), SceneError> {
    let (held, mut motions, mut keyframes, mut moved) = (subject.held(), Vec::new(), Vec::new(), HashSet::new());
    for section in sections {
        let start = section.span().start;
        let (pins, way) = section.into_inner().0.parted();
        let refused = |problem| SceneError { place: Some(Place::at(text, start)), problem };
        let (motion, file) = way.motion(text, "motion").map_err(refused)?;
        keyframes.extend(file.map(|file| KeyframesFile { file, of: Mover::Pins(motions.len()) }));
        let named = naming.pins(text, "motion.pins", pins)?;
        for &(pin, offset) in &named {
            let mistake = |problem| Err(SceneError { place: Some(Place::at(text, offset)), problem });
            let Ok(particle) = subject.particle(pin) else { continue }; // each of them has one
            if !held.contains(&particle) && !soft.contains(&particle) {
                return mistake(Problem::MotionOfFree { pin });
            }
            if !moved.insert(particle) {
                return mistake(Problem::MotionTwice { pin });
            }
        }
        motions.push(Motion { pins: named.into_iter().map(|(pin, _)| pin).collect(), motion });
    }
    Ok((motions, keyframes))
}

/// What a constraint method may not stand beside.
struct Beside {
    /// Where stretch is given, and by which key.
    stretch: Option<(usize, &'static str)>,
    adaptive_steps: bool,
}

/// The constraint method that filters the steps of a scheme.
fn inextensible(
    scheme: Scheme,
    section: Option<Spanned<Choice<InextensibleSection>>>,
    subject: &Subject,
    beside: &Beside,
) -> Result<Option<LengthConstraint>, (usize, Problem)> {
    let Some(section) = section else { return Ok(None) };
    let place = section.span().start;
    if !scheme.is_filtered() {
        return Err((place, Problem::Inextensible(scheme.refuse_inextensible())));
    }
    if let Some((stretch, key)) = beside.stretch {
        return Err((stretch, Problem::StretchBeside { key }));
    }
    if beside.adaptive_steps {
        return Err((place, Problem::AdaptiveBeside));
    }
    let (particles, division) = match subject {
        Subject::Sheet(Sheet { grid, .. }) => (Some(grid.particle_count()), Division::Strips { nx: grid.nx() }),
        Subject::Triangles(Triangles { mesh, .. }) => (mesh.mesh().map(TriangleMesh::particle_count), Division::Forests),
    };
    if particles.is_some_and(|particles| subject.held().len() == particles) {
        return Err((place, Problem::AllHeld));
    }
    section.into_inner().0.inextensible(division).map(Some).map_err(|invalid| (place, Problem::Inextensible(invalid)))
}

/// What cloth touches, and how.
struct SolidSections {
    solids: Vec<(Solid, RigidMotion)>,
    solid_friction: Vec<(usize, Friction)>,
    bodies: Vec<BodyMesh>,
    keyframes: Vec<KeyframesFile>,
    friction: Friction,
    solid_contact: SolidContact,
}

/// What else happens to cloth that meets solids.
struct Treated {
    /// A constraint method filters its steps.
    filtered: bool,
    /// It collides with itself.
    collides: bool,
    tears: bool,
}

/// The solids that a scheme, `filtered` by a constraint method or not, is to meet, their friction, and how they are met. Cloth that
/// `collides` with itself meets them together with that, if nothing is said; only such cloth meets meshes. Cloth that `tears` meets
/// them by positions.
fn touched(
    text: &str,
    scheme: Scheme,
    Treated { filtered, collides, tears }: Treated,
    solids: Vec<Spanned<Choice<SolidSection>>>,
    friction: Option<Spanned<FrictionKey>>,
    contact: Option<Spanned<SolidContact>>,
) -> Result<SolidSections, (usize, Problem)> {
    match (solids.is_empty(), &friction, &contact) {
        (true, Some(friction), _) if !collides => return Err((friction.span().start, Problem::TouchAlone { key: "friction" })),
        (true, _, Some(contact)) => return Err((contact.span().start, Problem::TouchAlone { key: "contact" })),
        _ => {}
    }
    let (sections, mut solids, mut solid_friction, mut bodies, mut keyframes) = (solids, vec![], vec![], vec![], vec![]);
    for section in sections {
        let start = section.span().start;
        let (read, file) = section.into_inner().0.read(text).map_err(|problem| (start, problem))?;
        let of = match read {
            SolidOrMesh::Solid(whole) => {
                let (solid, motion, friction) = *whole;
                solid_friction.extend(friction.map(|friction| (solids.len(), friction)));
                solids.push((solid, motion));
                Mover::Solid(solids.len() - 1)
            }
            SolidOrMesh::Mesh(_) if !collides => return Err((start, Problem::MeshAlone)),
            SolidOrMesh::Mesh(body) => {
                bodies.push(*body);
                Mover::Body(bodies.len() - 1)
            }
        };
        keyframes.extend(file.map(|file| KeyframesFile { file, of }));
    }
    let (constrained, moving) =
        (filtered || scheme.meets_solids(), solids.iter().any(|(_, motion)| *motion != RigidMotion::STILL));
    let solid_contact = match contact {
        Some(contact) if *contact.get_ref() == SolidContact::Alterations && filtered => {
            return Err((contact.span().start, Problem::AlteredBeside));
        }
        Some(contact) if contact.get_ref().is_by_constraints() && tears => {
            return Err((contact.span().start, Problem::ContactOfTearing));
        }
        Some(contact) if contact.get_ref().is_by_constraints() && moving => {
            return Err((contact.span().start, Problem::ContactOfMoving));
        }
        Some(contact) if contact.get_ref().is_by_constraints() && !constrained => {
            return Err((contact.span().start, Problem::Contact(scheme.refuse_solids())));
        }
        Some(contact) => contact.into_inner(),
        None if moving || collides || tears || !constrained => SolidContact::Positions,
        None => SolidContact::Constraints,
    };
    let friction = friction.map_or(Friction::default(), |friction| friction.into_inner().0);
    Ok(SolidSections { solids, solid_friction, bodies, keyframes, friction, solid_contact })
}

/// How the cloth of a `subject` repels itself under a scheme; where the mesh is still to be read, its distance is in spacings.
fn repelling(
    scheme: Scheme,
    repulsion: Option<Spanned<Keyed<RepulsionSection>>>,
    subject: &Subject,
) -> Result<Option<RepulsionLaw>, (usize, Problem)> {
    match repulsion {
        Some(section) if !scheme.repels() => Err((section.span().start, Problem::Repulsion(scheme.refuse_repulsion()))),
        section => Ok(section.map(|section| section.into_inner().0.law(super::subject::spacing(subject).unwrap_or(1.0)))),
    }
}
