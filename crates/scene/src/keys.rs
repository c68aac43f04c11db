//! The keys of a scene file: what each takes, and where it belongs.

use std::sync::LazyLock;

use cloth::MEASURED;
use cloth::inextensible::MethodKind;
use cloth::integrators::{IntegratorEntry, entries};
use linsolve::PreconditionerKind;

use super::nearest::did_you_mean;

/// Keys by their paths, what they take, and the unit of their numbers, empty where they have none: without the sections of
/// registries and the keys that several sections share, which are below. Sections stand before their keys. Where one is chosen of
/// several sections, their names come before what is said here.
const KEYS: &[(&str, &str, &str)] = &[
    ("step", "a finite number above zero", "s"),
    ("duration", "a finite number above zero", "s"),
    ("integrator", "one section like [integrator.imex]", ""),
    ("integrator.bogacki-shampine", FOLLOWING, ""),
    ("integrator.bogacki-shampine.tolerance", "a finite number above zero", "m"),
    ("integrator.generalized-alpha", "a section", ""),
    ("integrator.generalized-alpha.rho_inf", "a number from 0 to 1", ""),
    ("integrator.imex", "a section with implicit", ""),
    ("integrator.imex.implicit", FAMILIES, ""),
    ("integrator.aimex", "a section", ""),
    ("integrator.aimex.threshold", "a finite number above zero", ""),
    ("integrator.aimex.bend", "true or false", ""),
    ("integrator.aimex.cut_speed", "a finite number, zero or above", "m/s"),
    ("integrator.aimex.cut_lines", "true or false", ""),
    ("integrator.sbdf2", "a section with implicit", ""),
    ("integrator.sbdf2.implicit", FAMILIES, ""),
    ("integrator.adaptive-sbdf2", "a section", ""),
    ("integrator.adaptive-sbdf2.modal_factor", "a finite number above zero", ""),
    (PROJECTIVE, "a section", ""),
    ("integrator.projective-dynamics.iterations", "a whole number from 1 to 10000", ""),
    ("integrator.projective-dynamics.tolerance", "a finite number above zero", "m/s"),
    ("integrator.projective-dynamics.acceleration", "one section like [integrator.projective-dynamics.acceleration.l-bfgs]", ""),
    ("integrator.projective-dynamics.acceleration.chebyshev", "a section", ""),
    ("integrator.projective-dynamics.acceleration.chebyshev.rho", "a number above 0 and below 1", ""),
    ("integrator.projective-dynamics.acceleration.l-bfgs", "a section", ""),
    ("integrator.projective-dynamics.acceleration.l-bfgs.pairs", "a whole number from 1 to 100", ""),
    ("solver", "one section like [solver.conjugate-gradients]", ""),
    ("solver.automatic", "a section", ""),
    ("solver.automatic.strain", "a finite number above zero", ""),
    ("solver.conjugate-gradients", "a section", ""),
    ("solver.conjugate-gradients.tolerance", "a finite number above zero", ""),
    (PRECONDITIONER, "", ""),
    ("solver.conjugate-gradients.part_rows", "a whole number from 1 to 128", ""),
    ("solver.conjugate-gradients.part_overlap", "a whole number from 0 to 4", ""),
    ("solver.conjugate-gradients.part_coarse", "true or false", ""),
    ("solver.conjugate-gradients.rule", "\"step\", \"root-of-step\" or \"fixed\"", ""),
    ("solver.conjugate-gradients.start", "\"original\", \"corrected\" or \"first-residual\"", ""),
    ("solver.conjugate-gradients.iteration_limit", "a whole number from 1 to 1000000000", ""),
    ("solver.conjugate-gradients.decompose", "true or false", ""),
    ("solver.conjugate-gradients.precision", "\"double\" or \"single\"", ""),
    ("solver.direct", "a section without keys", ""),
    ("adaptive_steps", "a section with stretch_limit", ""),
    ("adaptive_steps.stretch_limit", "a finite number above 1", ""),
    ("adaptive_steps.successes", "a whole number from 1 to 1000000000", ""),
    ("inextensible", "one section like [inextensible.fast-projection]", ""),
    ("inextensible.gauss-seidel-limiting", "a section", ""),
    ("inextensible.gauss-seidel-limiting.seed", "a whole number, zero or above", ""),
    ("inextensible.xpbd", "a section", ""),
    ("inextensible.xpbd.compliance", "a finite number, zero or above", "m/N"),
    ("inextensible.baumgarte", "a section", ""),
    ("inextensible.baumgarte.rate", "a finite number, zero or above", "1/s"),
    ("inextensible.impulse-strips", "a section", ""),
    ("inextensible.impulse-strips.directions", "\"preview\" or \"frozen\"", ""),
    ("inextensible.impulse-strips.velocity_strain", "a finite number above zero", ""),
    ("inextensible.impulse-strips.threads", "true or false", ""),
    ("tearing", "a section with limit", ""),
    ("tearing.limit", "a finite number above 1", ""),
    ("tearing.mode", "\"open\" or \"simple\"", ""),
    ("tearing.seam", "[[tearing.seam]] sections, each with limit and particles, a row or a column", ""),
    ("tearing.seam.limit", "a finite number above 1", ""),
    ("tearing.seam.particles", NAMES, ""),
    ("tearing.seam.row", "a whole number, zero or above", ""),
    ("tearing.seam.column", "a whole number, zero or above", ""),
    ("pins", NAMES, ""),
    ("motion", "[[motion]] sections, each with pins, amplitude and period", ""),
    ("motion.pins", NAMES, ""),
    ("guide", "[[guide]] sections, each with pins, and line or plane", ""),
    ("guide.pins", NAMES, ""),
    ("guide.line", "three finite numbers [x, y, z], not all zero", ""),
    ("guide.plane", "three finite numbers [x, y, z], not all zero", ""),
    ("sewing", "a section with time, stiffness and damping", ""),
    ("sewing.time", "a finite number above zero", "s"),
    ("sewing.stiffness", "a finite number above zero", "N/m"),
    ("sewing.damping", "a finite number, zero or above", "N s/m"),
    ("seam", "[[seam]] sections, each with first and second", ""),
    ("seam.first", NAMES, ""),
    ("seam.second", NAMES, ""),
    ("friction", "\"coulomb\" or \"sticking\", or a section [friction.coulomb]", ""),
    ("friction.coulomb", "a section", ""),
    ("friction.coulomb.mu_s", "a finite number, zero or above", ""),
    ("friction.coulomb.mu_k", "a finite number, zero or above", ""),
    ("friction.coulomb.threshold", "a finite number above zero", "m/s"),
    ("friction.sticking", "a section without keys", ""),
    ("mesh", "a section with nx, ny and spacing, or one section like [mesh.centred]", ""),
    ("mesh.nx", "a whole number from 2 to 3000", ""),
    ("mesh.ny", "a whole number from 2 to 3000", ""),
    ("mesh.spacing", "a finite number above zero", "m"),
    ("mesh.obj", "a section with file", ""),
    ("mesh.obj.file", "the name of an OBJ file in quotes", ""),
    ("mesh.obj.unit", "\"m\", \"cm\", \"mm\" or \"in\"", ""),
    ("mesh.obj.up", "\"z\" or \"y\"", ""),
    ("mesh.obj.scale", "a finite number above zero", ""),
    ("mesh.obj.rotate", "three finite numbers [x, y, z]", "degrees"),
    ("mesh.obj.at", "three finite numbers [x, y, z]", "m"),
    ("mesh.obj.texture", "\"pattern\" or \"ignore\"", ""),
    ("mesh.obj.texture_scale", "a finite number above zero", "m"),
    ("mesh.obj.merge", "a finite number above zero", "m"),
    ("mesh.regular", POINTS, ""),
    ("mesh.centred", POINTS, ""),
    ("mesh.disk", "a section with rings and radius", ""),
    ("mesh.disk.rings", "a whole number from 1 to 1000000000", ""),
    ("mesh.disk.radius", "a finite number above zero", "m"),
    ("material", "a section", ""),
    ("material.fabric", "", ""),
    ("material.model", "\"continuum\" or \"springs\"", ""),
    ("material.density", "a finite number above zero", "kg/m²"),
    ("material.stretch", ELASTIC, ""),
    ("material.warp", ELASTIC, ""),
    ("material.weft", ELASTIC, ""),
    ("material.shear", ELASTIC, ""),
    (
        "material.bend",
        "a finite number, zero or above, or a section { rigidity, damping }, on triangles also { stiffness, damping }",
        "N/m, on a continuum J",
    ),
    ("material.bend.stiffness", "a finite number, zero or above", "J, of springs N/m"),
    ("material.bend.damping", "a finite number, zero or above", "J s, of springs N s/m"),
    ("material.bend.rigidity", "a finite number, zero or above, or a section { warp, weft, twist }", "N m"),
    ("material.bend.rigidity.warp", "a finite number, zero or above", "N m"),
    ("material.bend.rigidity.weft", "a finite number, zero or above", "N m"),
    ("material.bend.rigidity.twist", "a finite number, zero or above", "N m"),
    ("material.bend.law", "\"curvature\", \"quadratic\" or \"shells\"", ""),
    ("material.damping", "\"projected\" or \"plain\"", ""),
    ("material.extension_tolerance", "a number from -1 to below 1", ""),
    ("material.compression", "true or false", ""),
    ("material.stiffening", "a section { strain, factor }", ""),
    ("material.stiffening.strain", "a finite number above zero", ""),
    ("material.stiffening.factor", "a finite number, zero or above", ""),
    ("material.masses", "\"equal\", \"by-area\" or { hem = 2.0 } with a number above zero", ""),
    ("material.air", "a finite number, zero or above", "N s/m"),
    ("material.drag", "a section { air_density, coefficient, wind or gusts }", ""),
    ("material.drag.air_density", "a finite number, zero or above", "kg/m³"),
    ("material.drag.coefficient", "a finite number, zero or above", ""),
    ("material.drag.wind", "three finite numbers [x, y, z]", "m/s"),
    ("material.drag.gusts", "the name of a table of wind in quotes", ""),
    ("material.gravity", "three finite numbers [x, y, z]", "m/s²"),
    ("solid", "[[solid]] sections, each with a plane, a cuboid, a sphere, a cylinder, a capsule or a mesh", ""),
    ("solid.plane", "a section with point and normal", ""),
    ("solid.plane.point", "three finite numbers [x, y, z]", "m"),
    ("solid.plane.normal", "three finite numbers [x, y, z], not all zero", ""),
    ("solid.plane.motion", MOVING, ""),
    ("solid.cuboid", "a section with centre and sides", ""),
    ("solid.cuboid.centre", "three finite numbers [x, y, z]", "m"),
    ("solid.cuboid.sides", "three finite numbers [x, y, z] above zero", "m"),
    ("solid.cuboid.motion", MOVING, ""),
    ("solid.sphere", "a section with centre and radius", ""),
    ("solid.sphere.centre", "three finite numbers [x, y, z]", "m"),
    ("solid.sphere.radius", "a finite number above zero", "m"),
    ("solid.sphere.motion", MOVING, ""),
    ("solid.cylinder", "a section with centre, axis, radius and length", ""),
    ("solid.cylinder.centre", "three finite numbers [x, y, z]", "m"),
    ("solid.cylinder.axis", "three finite numbers [x, y, z], not all zero", ""),
    ("solid.cylinder.radius", "a finite number above zero", "m"),
    ("solid.cylinder.length", "a finite number above zero", "m"),
    ("solid.cylinder.motion", MOVING, ""),
    ("solid.capsule", "a section with from, to and radius", ""),
    ("solid.capsule.from", "three finite numbers [x, y, z]", "m"),
    ("solid.capsule.to", "three finite numbers [x, y, z]", "m"),
    ("solid.capsule.radius", "a finite number above zero", "m"),
    ("solid.capsule.motion", MOVING, ""),
    ("solid.mesh", "a section with file", ""),
    ("solid.mesh.file", "the name of an OBJ file in quotes", ""),
    ("solid.mesh.unit", "\"m\", \"cm\", \"mm\" or \"in\"", ""),
    ("solid.mesh.up", "\"z\" or \"y\"", ""),
    ("solid.mesh.scale", "a finite number above zero", ""),
    ("solid.mesh.rotate", "three finite numbers [x, y, z]", "degrees"),
    ("solid.mesh.sequence", "the name of a PC2 file in quotes", ""),
    ("solid.mesh.frames_per_second", "a finite number above zero", "1/s"),
    ("solid.mesh.at", "three finite numbers [x, y, z]", "m"),
    ("solid.mesh.motion", MOVING, ""),
    ("contact", "\"constraints\" or \"positions\"", ""),
    ("self_collision", "a section with thickness", ""),
    ("self_collision.thickness", "a finite number above zero", "m"),
    ("self_collision.friction", "a finite number, zero or above", ""),
    ("repulsion", "a section", ""),
    ("repulsion.distance", "a finite number above zero", ""),
    ("repulsion.stiffness", "a finite number, zero or above", "N/m"),
    ("repulsion.damping", "a finite number, zero or above", "N s/m"),
    ("repulsion.limit", "a finite number above zero", ""),
    ("initial", "a section", ""),
    ("initial.positions", "the name of a table in quotes", ""),
    ("initial.velocities", "the name of a table in quotes", ""),
    ("control", "a section with [[control.keyframe]] sections", ""),
    ("control.particles", NAMES, ""),
    ("control.interval", "a finite number above zero", "s"),
    ("control.effort", "a finite number, zero or above", "1/N²"),
    ("control.iterations", "a whole number from 1 to 1000000000", ""),
    ("control.keyframe", "[[control.keyframe]] sections, each with time and places", ""),
    ("control.keyframe.time", "a finite number above zero", "s"),
    ("control.keyframe.places", "the name of a table of places or of an OBJ file in quotes", ""),
    ("control.keyframe.weight", "a finite number, zero or above", "1/m²"),
    ("fit", "a section with motion and parameters", ""),
    ("fit.motion", "the name of a table or of a PC2 file in quotes", ""),
    ("fit.frames_per_second", "a finite number above zero", "1/s"),
    ("fit.parameters", "a list of constants of the material like \"stretch.stiffness\"", ""),
    ("fit.iterations", "a whole number from 1 to 1000000000", ""),
    ("output", "a section", ""),
    ("output.energies_every", "a whole number from 1 to 1000000000", ""),
    ("output.contacts_every", "a whole number from 1 to 1000000000", ""),
    ("output.frames_per_second", "a finite number above zero", "1/s"),
    ("view", "a section", ""),
    ("view.azimuth", "a number from -360 to 360", "degrees"),
    ("view.elevation", "a number from -89 to 89", "degrees"),
];

/// The integrator whose linear systems are its own.
const PROJECTIVE: &str = "integrator.projective-dynamics";

/// The key whose words are the names of all preconditioners.
pub(super) const PRECONDITIONER: &str = "solver.conjugate-gradients.preconditioner";

/// Words for a list of particles.
const NAMES: &str = "a list of whole numbers from 0, pairs [i, j], corners like \"top-left\", edges like \"left\" and tables like { group = \"waist\" }";

/// What a list of families of springs is.
const FAMILIES: &str = "a list of \"stretch\", \"shear\" and \"bend\"";

/// What the sections of integrators and constraint methods without keys take.
const BARE: &str = "a section without keys";

/// What the section of the explicit integrator that follows its error takes.
const FOLLOWING: &str = "a section with tolerance";

/// Keys of every integrator that solves linear systems.
const OF_IMPLICIT: &[(&str, &str, &str)] = &[
    ("newton", "a section { tolerance, limit, line_search }", ""),
    ("newton.tolerance", "a finite number above zero", "m/s"),
    ("newton.limit", "a whole number from 1 to 10000", ""),
    ("newton.line_search", "true or false", ""),
    ("terms", "\"filtered\", \"exact\" or \"damping-by-position\"", ""),
];

/// Keys of every constraint method, the second one but for those of one solve a step.
const OF_METHODS: &[(&str, &str, &str)] =
    &[("strain", "a number from 1e-11 to below 1", ""), ("iterations", "a whole number from 1 to 1000000000", "")];

/// What springs of a family take, and their keys.
const ELASTIC: &str = "a section { stiffness, damping }";
const OF_ELASTIC: &[(&str, &str, &str)] =
    &[("stiffness", "a finite number, zero or above", "N/m"), ("damping", "a finite number, zero or above", "N s/m")];

/// What meshes of triangles over a grid of points take, and their keys.
const POINTS: &str = "a section with nx, ny, width and height";
const OF_POINTS: &[(&str, &str, &str)] = &[
    ("nx", "a whole number from 2 to 3000", ""),
    ("ny", "a whole number from 2 to 3000", ""),
    ("width", "a finite number above zero", "m"),
    ("height", "a finite number above zero", "m"),
];

/// What says how pins and a solid move, and the keys of both.
const MOVING: &str = "a section of amplitude and period, turn and about, velocity, and until, or of keyframes and about";
const OF_MOVING: &[(&str, &str, &str)] = &[
    ("amplitude", "three finite numbers [x, y, z]", "m"),
    ("period", "a finite number above zero", "s"),
    ("turn", "three finite numbers [x, y, z]", "rad/s"),
    ("about", "three finite numbers [x, y, z]", "m"),
    ("velocity", "three finite numbers [x, y, z]", "m/s"),
    ("until", "a finite number, zero or above", "s"),
    ("keyframes", "the name of a table of key frames in quotes", ""),
];

/// A key by its path, what it takes, and the unit of its numbers, empty where they have none.
struct Key {
    path: String,
    words: String,
    unit: &'static str,
}

/// Every key.
static TABLE: LazyLock<Vec<Key>> = LazyLock::new(|| {
    let key = |path: String, words: &str, unit| Key { path, words: words.to_owned(), unit };
    let of_scheme = |entry: &IntegratorEntry| {
        key(format!("integrator.{}", entry.name), if entry.is_implicit() { "a section" } else { BARE }, "")
    };
    let mut table: Vec<Key> = entries().map(of_scheme).collect();
    table.extend(MethodKind::PLAIN.iter().map(|(_, entry)| key(format!("inextensible.{}", entry.name), "a section", "")));
    let add = |table: &mut Vec<Key>, section: &str, keys: &[(&str, &str, &'static str)]| {
        table.extend(keys.iter().map(|(name, words, unit)| key(format!("{section}.{name}"), words, unit)));
    };
    for &(path, words, unit) in KEYS {
        table.push(key(path.to_owned(), words, unit));
        match words {
            ELASTIC => add(&mut table, path, OF_ELASTIC),
            POINTS => add(&mut table, path, OF_POINTS),
            MOVING => add(&mut table, path, OF_MOVING),
            _ if path == "motion.pins" => add(&mut table, "motion", OF_MOVING), // behind the pins
            _ => {}
        }
    }
    for k in 0..table.len() {
        let Key { path, words, .. } = &table[k];
        let keys = match parted(path) {
            ("integrator", _) if words != BARE && words != FOLLOWING && path != PROJECTIVE => OF_IMPLICIT,
            ("inextensible", "baumgarte") => &OF_METHODS[..1],
            ("inextensible", name)
                if MethodKind::PLAIN.iter().any(|(_, entry)| entry.name == name && entry.iterations.is_none()) =>
            {
                &OF_METHODS[..1]
            }
            ("inextensible", _) => OF_METHODS,
            _ => continue,
        };
        let path = path.clone();
        add(&mut table, &path, keys);
    }
    for k in 0..table.len() {
        let Key { path, words, .. } = &table[k];
        let names: Vec<&str> = match path.as_str() {
            "material" | "material.fabric" => MEASURED.iter().map(|fabric| fabric.name).collect(),
            PRECONDITIONER => PreconditionerKind::all().map(PreconditionerKind::name).collect(),
            choice if words.starts_with("one section like ") => below(&table, choice).collect(),
            _ => continue,
        };
        table[k].words = if words.is_empty() { one_of(&names) } else { format!("{}, or {words}", one_of(&names)) };
    }
    table
});

/// The keys of a section in a table.
fn below<'a>(table: &'a [Key], section: &'a str) -> impl Iterator<Item = &'a str> {
    table.iter().map(|key| parted(&key.path)).filter(move |(of, _)| *of == section).map(|(_, key)| key)
}

/// Several names in quotes, of which one is taken.
fn one_of(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    match &quoted[..] {
        [all @ .., last] if !all.is_empty() => format!("{} or {last}", all.join(", ")),
        _ => quoted.concat(),
    }
}

/// The keys of a section.
pub(super) fn names(section: &'static str) -> impl Iterator<Item = &'static str> {
    below(&TABLE, section)
}

/// The paths of all keys.
#[cfg(test)]
pub(super) fn paths() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|key| key.path.as_str())
}

/// What a key takes, none for a key that there is not.
pub(super) fn words(path: &str) -> Option<&'static str> {
    TABLE.iter().find(|key| key.path == path).map(|key| key.words.as_str())
}

/// The unit of the numbers at a key; none where they have none.
pub(super) fn unit(path: &str) -> Option<&'static str> {
    TABLE.iter().find(|key| key.path == path).map(|key| key.unit).filter(|unit| !unit.is_empty())
}

/// The unit of a key as it stands behind it; nothing where there is none.
pub(super) fn in_unit(path: &str) -> String {
    unit(path).map_or_else(String::new, |unit| format!(" [{unit}]"))
}

/// A path split into its section and its key.
fn parted(path: &str) -> (&str, &str) {
    path.rsplit_once('.').unwrap_or(("", path))
}

/// The keys of a section, in words.
pub(super) fn known(section: &str) -> String {
    let keys: Vec<&str> = below(&TABLE, section).collect();
    if keys.is_empty() { "none".to_owned() } else { keys.join(", ") }
}

/// Most places that are named for a key that stands in the wrong one.
const MOST_PLACES: usize = 3;

/// Where a key that stands in the wrong section belongs, as the end of a sentence.
pub(super) fn belongs(section: &str, key: &str) -> String {
    let place = |of: &str| match of.strip_prefix("solid.") {
        Some(kind) => format!("in the {kind} of a [[solid]]"),
        None if ["solid", "motion", "guide", "tearing.seam"].contains(&of) => format!("in a [[{of}]]"),
        None if of.is_empty() => "at the top, before the first [section]".to_owned(),
        None => format!("in [{of}]"),
    };
    let homes = TABLE.iter().map(|key| parted(&key.path)).filter(|(of, known)| *known == key && *of != section);
    let mut places: Vec<String> = homes.map(|(of, _)| place(of)).collect();
    if places.len() > MOST_PLACES {
        places.truncate(MOST_PLACES);
        places.push("elsewhere".to_owned());
    }
    if places.is_empty() { String::new() } else { format!("; `{key}` belongs {}", places.join(" or ")) }
}

/// The section that an unknown key belongs to, or the key of its section that it may be meant to be, as the end of a sentence.
pub(super) fn instead(section: &str, key: &str) -> String {
    let place = belongs(section, key);
    if place.is_empty() { did_you_mean(key, below(&TABLE, section)) } else { place }
}

/// The words in quotes among what a key takes.
pub(super) fn meant(words: &str) -> impl Iterator<Item = &str> {
    words.split('"').skip(1).step_by(2)
}

/// How to put right that a key is missing.
pub(super) fn missing(section: &str, key: &str) -> String {
    let path = if section.is_empty() { key.to_owned() } else { format!("{section}.{key}") };
    let (words, unit) = (words(&path).unwrap_or("a value"), in_unit(&path));
    match (section, words.starts_with("a section")) {
        ("", true) => format!("the section `[{key}]` is missing; add it: {words}"),
        ("", false) => format!("the key `{key}` is missing; add it at the top, before the first [section]: {words}{unit}"),
        _ => format!("the key `{key}` is missing in [{section}]; add it: {words}{unit}"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_documentation_states_the_units_of_the_keys() {
        let named = |line: &&str, key: &str| line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == key);
        let documented = |key: &str| -> BTreeSet<&str> {
            let lines = include_str!("every_key.toml").lines().filter(|line| named(line, key));
            lines.flat_map(|line| line.split('[').skip(1)).filter_map(|rest| Some(rest.split_once(']')?.0)).collect()
        };
        let units: Vec<(&str, &str)> = TABLE.iter().filter_map(|key| Some((key.path.as_str(), unit(&key.path)?))).collect();
        assert!(units.len() > 40, "{}", units.len());
        for (path, unit) in units {
            let documented = documented(parted(path).1);
            let all =
                unit.split([',']).map(|unit| unit.trim_start_matches(" on a continuum ").trim_start_matches(" of springs "));
            assert!(all.into_iter().all(|unit| documented.contains(unit)), "{path} [{unit}]: {documented:?}");
        }
    }
}
