//! The documentation of scenes holds every key, and its sections the defaults.

use std::collections::BTreeSet;

use cloth::Terms;
use cloth::contact::{Friction, RepulsionLaw};
use cloth::implicit::{ConjugateGradients, Solver, Splitting};
use cloth::integrators::{BogackiShampine, DissipationLimit};
use cloth::run::{Adaptation, Scheme};

use crate::keys::{self, names};
use crate::{Scene, Subject, reference};

const TOP: &str = "step = 1e-3\nduration = 0.5\n";
const MESH: &str = "[mesh]\nnx = 4\nny = 3\nspacing = 0.1\n";

/// The documentation in its paragraphs, with every key there.
fn documentation() -> Vec<String> {
    let key = |line: &str| line.strip_prefix('#').filter(|rest| !rest.starts_with(' ')).unwrap_or(line).to_owned();
    let paragraph = |lines: &str| lines.lines().map(key).collect::<Vec<_>>().join("\n");
    reference().split("\n\n").map(paragraph).collect()
}

#[test]
fn the_table_of_keys_is_that_of_the_documentation() {
    // sections of which a file has one
    let choices = ["integrator", "solver", "inextensible", "friction"];
    let (options, plain): (Vec<String>, Vec<String>) = documentation()
        .into_iter()
        .partition(|paragraph| choices.iter().any(|choice| paragraph.starts_with(&format!("[{choice}."))));
    // a mesh of triangles, and what that is made of
    let kinds = |lines: &String| lines.starts_with("[mesh.") || lines.contains("\nmodel = ");
    let (triangles, plain): (Vec<String>, Vec<String>) = plain.into_iter().partition(kinds);
    // in place of a stiffness
    let (rigid, plain): (Vec<String>, Vec<String>) = plain.into_iter().partition(|lines| lines.starts_with("[material.bend]"));
    // what does not stand beside cloth that meets itself
    let (tearing, plain): (Vec<String>, Vec<String>) = plain.into_iter().partition(|lines| lines.starts_with("[tearing]"));
    // sections of some schemes only
    let touching = |lines: &String| ["[[solid]]", "[repulsion]"].iter().any(|beginning| lines.starts_with(beginning));
    let (touching, plain): (Vec<String>, Vec<String>) = plain.into_iter().partition(touching);
    let named = plain.join("\n\n");
    Scene::parse(&named).expect("without sections to choose from");
    let bare = named.replace("integrator = \"backward-euler\"", "");
    let of = |choice: &str| options.iter().filter(|lines| lines.starts_with(&format!("[{choice}."))).collect::<Vec<_>>();
    let mut paths = BTreeSet::from(["integrator", "contact"].map(str::to_owned));
    let mut read = |parts: &[&str]| {
        let text = parts.join("\n");
        let scene = Scene::parse(&text).unwrap_or_else(|mistake| panic!("{mistake}\n{text}"));
        collect(&text.parse().expect("TOML"), "", &mut paths);
        scene.scheme
    };
    let mut schemes = Vec::new();
    for integrator in of("integrator") {
        let scheme = read(&[&bare, integrator]);
        schemes.push(scheme.name());
        for solver in of("solver").into_iter().filter(|_| scheme.is_implicit()) {
            read(&[&bare, integrator, solver]);
        }
        for friction in of("friction").into_iter().filter(|_| scheme.meets_solids()) {
            read(&[&bare, integrator, friction, &touching.join("\n")]);
        }
    }
    assert_eq!(schemes.iter().copied().collect::<BTreeSet<_>>(), names("integrator").collect());
    // without what does not stand beside a constraint method
    let unstretched: Vec<&str> = bare.split("\n\n").filter(|lines| !lines.starts_with("[adaptive_steps]")).collect();
    let unstretched: Vec<String> = unstretched.iter().map(|lines| without(lines, "stretch =")).collect();
    let unstretched = unstretched.join("\n\n");
    for method in of("inextensible") {
        read(&[&unstretched, method]);
    }
    read(&[TOP, MESH, &tearing.join("\n")]);
    assert_eq!(rigid.len(), 2);
    read(&[TOP, MESH, &rigid[0]]);
    let top: Vec<&str> = bare.split("\n\n").filter(|lines| !lines.starts_with("[m")).collect();
    let (meshes, materials): (Vec<&String>, Vec<&String>) = triangles.iter().partition(|lines| lines.starts_with("[mesh."));
    assert_eq!((meshes.len(), materials.len()), (4, 2));
    read(&[TOP, meshes[0], &rigid[1]]);
    for mesh in meshes {
        for material in &materials {
            let sheared = mesh.starts_with("[mesh.obj]") || !material.contains("springs\"");
            let material = if sheared { (*material).clone() } else { without(material, "shear =") }; // of quads
            read(&[&top.join("\n\n"), mesh, &material]);
        }
    }
    // keys of a motion are explained for some kinds of solids, and all have them
    let of_motion = |path: &String| Some(path.strip_prefix("solid.")?.split_once(".motion")?.1.to_owned());
    let motion: Vec<String> = paths.iter().filter_map(of_motion).collect();
    paths.extend(names("solid").flat_map(|kind| motion.iter().map(move |key| format!("solid.{kind}.motion{key}"))));
    let table: BTreeSet<String> = keys::paths().map(str::to_owned).collect();
    assert_eq!(table, paths);
}

/// A text without the lines that begin so.
fn without(text: &str, beginning: &str) -> String {
    text.lines().filter(|line| !line.starts_with(beginning)).map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_sections_of_the_documentation_give_the_defaults() {
    let paragraphs = documentation();
    let section = |name: &str| {
        let found = paragraphs.iter().find(|lines| lines.starts_with(&format!("[{name}]")));
        found.unwrap_or_else(|| panic!("no [{name}]")).clone()
    };
    let read = |sections: &[&str]| Scene::parse(&format!("{TOP}{MESH}{}", sections.join("\n"))).expect("a scene");
    let solver = read(&["[integrator.bdf2]", &section("solver.conjugate-gradients")]).scheme.solver();
    let papers = ConjugateGradients { momentum: true, ..ConjugateGradients::default() };
    assert_eq!(solver, Some(Solver::ConjugateGradients(papers)));
    let Scheme::BackwardEuler(splitting, settings) = read(&[&section("integrator.aimex")]).scheme else { panic!("no AIMEX") };
    assert_eq!((splitting, settings.terms), (Splitting::adaptive(), Terms::default()));
    let following = read(&[&section("integrator.bogacki-shampine")]).scheme;
    assert_eq!(following, Scheme::BogackiShampine(BogackiShampine::TOLERANCE));
    let alpha = read(&[&section("integrator.generalized-alpha")]).scheme;
    assert_eq!(alpha.name(), "generalized-alpha");
    assert!(matches!(alpha, Scheme::GeneralizedAlpha(DissipationLimit::MOST_DISSIPATION, _)));
    let Scheme::Sbdf2(splitting, _) = read(&[&section("integrator.adaptive-sbdf2")]).scheme else { panic!("no SBDF2") };
    assert_eq!(splitting, Splitting::adaptive_second_order());
    for method in names("inextensible") {
        let section = without(&section(&format!("inextensible.{method}")), "velocity_strain"); // which has no default
        let named = Scene::parse(&format!("inextensible = \"{method}\"\n{TOP}{MESH}")).expect("a scene").inextensible;
        assert_eq!(read(&[&section]).inextensible, named);
        let found = named.map(|inextensible| (inextensible.method.name(), inextensible.limits.strain()));
        assert_eq!(found, Some((method, 0.01)));
    }
    let solid = "[[solid]]\nsphere = { centre = [0, 0, -9], radius = 1 }";
    let rubbed = read(&["[integrator.aimex]", solid, &section("friction.coulomb")]);
    assert_eq!(rubbed.friction, Friction::default());
    let repelled = read(&["[integrator.aimex]", &section("repulsion")]);
    assert_eq!(repelled.repulsion, Some(RepulsionLaw::of_mesh(0.1)));
    for material in paragraphs.iter().filter(|lines| lines.contains("\nmodel = ")) {
        let of = |material: &str| {
            let subject = Scene::parse(&format!("{TOP}{}\n{material}", section("mesh.obj"))).expect("a scene").subject;
            if let Subject::Triangles(triangles) = subject { triangles.material } else { panic!("a grid") }
        };
        let model = material.lines().find(|line| line.starts_with("model")).expect("a model");
        let still = without(&without(material, "drag"), "stiffening"); // there is none without the section
        assert_eq!(of(&still), of(&format!("[material]\n{model}")));
    }
    let successes = read(&[&section("adaptive_steps")]).adaptive_steps.map(|steps| steps.successes);
    assert_eq!(successes, Some(Adaptation::PATIENCE));
}

fn collect(section: &toml::Table, above: &str, paths: &mut BTreeSet<String>) {
    for (key, value) in section {
        let path = if above.is_empty() { key.clone() } else { format!("{above}.{key}") };
        let below = match value {
            toml::Value::Array(several) => several.iter().filter_map(toml::Value::as_table).collect(),
            one => Vec::from_iter(one.as_table()),
        };
        below.into_iter().for_each(|below| collect(below, &path, paths));
        paths.insert(path);
    }
}
