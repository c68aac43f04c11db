use std::collections::BTreeMap;

use cloth::triangles::Triangle;
use cloth::{Measured, Vec3};
use scene::{ObjMesh, Texture, Unit, Up, corners};

use super::borders::borders;
use super::choices::{Choices, short};

/// The fabric of a draft: woven, so that it stretches little, and of middle weight.
const FABRIC: &str = "trousers";

/// A sheet that hangs by an edge.
pub(super) const SHEET: &str = r#"# A square sheet that swings down from an edge, written by `clothlab init`: change any line; `clothlab keys` shows all keys.

step = 2e-3                      # [s]; backward Euler holds at any step, a shorter one shows finer motion
duration = 2.0                   # [s]
integrator = "backward-euler"    # implicit: no step is too long for it
pins = ["top"]                   # the edge of the largest y

[mesh]
nx = 41                          # particles a side
ny = 41
spacing = 0.025                  # [m]: a metre in all

[material]
fabric = "trousers"              # cotton and polyester, as it was measured
"#;

/// Words of groups by which cloth is held.
const HELD: [&str; 9] = ["pin", "waist", "collar", "neck", "shoulder", "hang", "rail", "hook", "top"];

/// Strain along the pins that the weight of the cloth may cause at rest \[-\].
const STRAIN: f64 = 0.02;

/// Sag of pins that are springs, over the size of the cloth \[-\].
const SAG: f64 = 0.02;

/// Gravity \[m/s²\].
const GRAVITY: f64 = 9.81;

/// The text of a scene of a mesh that is read by `choices`; the file is called `name`.
pub(super) fn draft(name: &str, choices: &Choices, obj: &ObjMesh) -> String {
    let x = obj.mesh.positions();
    let [low, high] = corners(x);
    let lies = high.z - low.z < 0.02 * (high - low).max();
    let pins: Vec<Held> = held(obj, lies);
    let mut lines = vec![
        format!("# Cloth of {}, written by `clothlab init`: change any line; `clothlab keys` shows all keys.", one_line(name)),
        String::new(),
        line("step = 2e-3", "[s]; backward Euler holds at any step, a shorter one shows finer motion"),
        line("duration = 2.0", "[s]"),
        line("integrator = \"backward-euler\"", "implicit: no step is too long for it"),
    ];
    lines.push("pins = [".to_owned());
    lines.extend(pins.iter().map(|Held { pin, why }| line(&format!("    {{ {pin} }},"), why)));
    lines.push("]".to_owned());
    lines.extend([String::new(), "[mesh.obj]".to_owned(), format!("file = {}", quoted(name))]);
    let unit: Unit = choices.unit.0;
    lines.push(line(&format!("unit = \"{}\"", unit.name()), &choices.unit.1));
    let up = if choices.up.0 == Up::Y { "y" } else { "z" };
    lines.push(line(&format!("up = \"{up}\""), &choices.up.1));
    lines.extend(choices.scale.map(|scale| line(&format!("scale = {scale:e}"), "one metre in all")));
    match &choices.texture {
        Some((Texture::Ignored, why)) => lines.push(line("texture = \"ignore\"", why)),
        Some((Texture::Pattern(scale), why)) => {
            lines.push(line("texture = \"pattern\"", why));
            lines.push(line(&format!("texture_scale = {scale:?}"), "[m], size of a unit of texture"));
        }
        None => {}
    }
    lines.extend(choices.merge.as_ref().map(|(merge, why)| line(&format!("merge = {merge:e}"), why)));
    let about = Measured::named(FABRIC).map_or("", |fabric| fabric.about);
    lines.extend([
        String::new(),
        "[material]".to_owned(),
        line(&format!("fabric = \"{FABRIC}\""), &format!("{about}, as it was measured; `clothlab keys` names nine others")),
    ]);
    if !lies {
        lines.push(line(
            "drag = { wind = [0.0, 1.5, 0.0] }",
            "[m/s], a breeze, for it would hang still; take it out for still air",
        ));
    }
    if !obj.sewn.is_empty() {
        let pairs = obj.sewn.len();
        lines.extend([
            String::new(),
            "[sewing]".to_owned(),
            line("time = 0.5", &format!("[s], by then its {pairs} pairs of vertices joined by lines `l` are together")),
        ]);
    }
    lines.push(String::new());
    lines.join("\n")
}

/// A key with its reason.
fn line(key: &str, why: &str) -> String {
    if why.is_empty() { key.to_owned() } else { format!("{key:<32} # {}", one_line(why)) }
}

/// A piece of text on one line.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// A string of TOML.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// A pin of a draft.
struct Held {
    pin: String,
    why: String,
}

/// The pins of a mesh: a group whose name says so, or the top edge of each piece that nothing else holds; the far edge of what `lies`.
fn held(obj: &ObjMesh, lies: bool) -> Vec<Held> {
    let particles = obj.mesh.particle_count();
    let named = obj.groups.iter().find(|(name, of)| {
        let name = name.to_lowercase();
        !of.is_empty() && 2 * of.len() < particles && HELD.iter().any(|word| name.contains(word))
    });
    let mut held: Vec<Held> = vec![];
    let mut is_held = vec![false; particles];
    if let Some((name, of)) = named {
        of.iter().for_each(|&particle| is_held[particle] = true);
        held.push(Held { pin: format!("group = {}", quoted(name)), why: format!("its {} particles, for its name", of.len()) });
    }
    let pieces = obj.mesh.piece_of(&obj.sewn);
    let border: Vec<usize> = borders(&obj.mesh).into_iter().flatten().collect();
    let on_border = {
        let mut on_border = vec![border.is_empty(); particles];
        border.iter().for_each(|&particle| on_border[particle] = true);
        on_border
    };
    let mut of_pieces: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    pieces.iter().enumerate().for_each(|(particle, piece)| of_pieces.entry(*piece).or_default().push(particle));
    for of in of_pieces.into_values() {
        if of.iter().any(|&particle| is_held[particle]) {
            continue;
        }
        let edge = top(obj, &of, &on_border, lies);
        edge.within.iter().for_each(|&particle| is_held[particle] = true);
        let [low, high] = edge.corners.map(|corner| format!("[{:.4}, {:.4}, {:.4}]", corner.x, corner.y, corner.z));
        let side = if lies { "far" } else { "top" };
        let why = format!("the {} particles of its {side} edge, in a box by two corners [m]", edge.within.len());
        held.push(Held { pin: format!("box = [{low}, {high}]"), why });
    }
    if !obj.sewn.is_empty() {
        let (stiffness, [low, high]) =
            (softness(obj, is_held.iter().filter(|held| **held).count()), corners(obj.mesh.positions()));
        let sag = short(100.0 * SAG * (high - low).max());
        held.iter_mut().for_each(|Held { pin, why }| {
            *pin += &format!(", stiffness = {stiffness:?}");
            *why += &format!("; springs [N/m], which give {sag} cm, so that seams close");
        });
    }
    held
}

/// Stiffness of each of so many pins \[N/m\] that bear a mesh and let its seams close.
fn softness(obj: &ObjMesh, pins: usize) -> f64 {
    let [low, high] = corners(obj.mesh.positions());
    let area: f64 = obj.mesh.triangles().iter().map(Triangle::area).sum();
    let density = Measured::named(FABRIC).map_or(0.2, |fabric| fabric.density);
    let stiffness = area * density * GRAVITY / (SAG * (high - low).max() * pins.max(1) as f64);
    format!("{stiffness:.1e}").parse().unwrap_or(stiffness)
}

/// An edge of a piece.
struct Edge {
    corners: [Vec3; 2],
    within: Vec<usize>,
}

/// The top edge of the particles `of` a piece, or its far edge where it `lies`: as deep as its weight asks for.
fn top(obj: &ObjMesh, of: &[usize], on_border: &[bool], lies: bool) -> Edge {
    let x = obj.mesh.positions();
    let axis = if lies { 1 } else { 2 };
    let places: Vec<Vec3> = of.iter().map(|&particle| x[particle]).collect();
    let [low, high] = corners(&places);
    let size = high[axis] - low[axis];
    let fabric =
        Measured::named(FABRIC).map_or((0.2, 1000.0), |fabric| (fabric.density, fabric.stretch[0].min(fabric.stretch[1])));
    let mut is_of = vec![false; x.len()];
    of.iter().for_each(|&particle| is_of[particle] = true);
    let area: f64 =
        obj.mesh.triangles().iter().filter(|triangle| is_of[triangle.corners[0]]).map(|triangle| triangle.area()).sum();
    let needed = (area * fabric.0 * GRAVITY / (STRAIN * fabric.1)).min(0.25 * (high - low).max());
    let slack = 1e-3 * (high - low).max() + 1e-4;
    let mut depth = 0.01;
    loop {
        let bound = high[axis] - depth * size;
        let near = |particle: &&usize| x[**particle][axis] >= bound - 1e-9;
        let mut within: Vec<usize> = of.iter().filter(near).copied().collect();
        let beyond: Vec<Vec3> = within.iter().filter(|particle| on_border[**particle]).map(|&particle| x[particle]).collect();
        let [from, to] = if beyond.is_empty() { [Vec3::zeros(); 2] } else { corners(&beyond) };
        let mut across = to - from;
        across[axis] = 0.0;
        if across.norm() >= needed || depth >= 0.25 {
            within.sort_unstable();
            let kept: Vec<Vec3> = within.iter().map(|&particle| x[particle]).collect();
            let [from, to] = corners(&kept);
            return Edge { corners: [from - Vec3::repeat(slack), to + Vec3::repeat(slack)], within };
        }
        depth += 0.01;
    }
}
