//! A scene as programs of others are told of it: scene.json, in SI units.

use cloth::contact::{Friction, RigidMotion, Solid};
use cloth::run::{Model, Surface};
use cloth::triangles::{Fabric, FoldLaw};
use cloth::{BendLaw, Cloth, DampingForm, Drag, Elastic, Family, Masses, Net, State, Vec3};
use race::ladder::{Rung, SAMPLES};
use scene::Scene;
use serde_json::{Value, json};

/// Version of the protocol.
pub const PROTOCOL: u64 = 1;

/// Force of bend springs over kb L by powers of |x| / L, and from where on it is a line to zero \[Boxerman 2003, eq. 3.9\].
const BEND_LAW: ([f64; 5], f64) = ([-9.713, 23.116, -39.083, 34.193, -11.541], 0.9);

/// The scene of a model that begins as `start`, in the steps of a rung.
pub fn told(scene: &Scene, name: &str, model: &Model, start: &State, rung: Rung) -> Value {
    let step = rung.step(scene.duration);
    let times: Vec<f64> = (1..=SAMPLES).map(|k| (k * rung.between) as f64 * step).collect();
    let system = model.system();
    let held = system.pinned().iter().enumerate().filter(|(_, held)| **held);
    let mut lacks = lacking(scene);
    let cloth = match model {
        Model::Grid(cloth) => of_grid(cloth, &mut lacks),
        Model::Springs(net, _) => of_net(net, scene, &mut lacks),
        Model::Continuum(cloth) => of_continuum(cloth.material(), &mut lacks),
    };
    let solids: Vec<Value> = scene.solids.iter().filter_map(|(solid, _)| of_solid(solid, &mut lacks)).collect();
    let friction = match scene.friction {
        _ if scene.solids.is_empty() => Value::Null,
        Friction::Coulomb(law) => json!({"static": law.still, "kinetic": law.sliding}),
        Friction::Sticking => {
            lacks.push("what touches a solid sticks to it".into());
            Value::Null
        }
    };
    let mut all = json!({
        "protocol": PROTOCOL,
        "name": name,
        "step": step,
        "duration": scene.duration,
        "sample_times": times,
        "grid": match model.surface() {
            Surface::Grid(grid) => json!({"nx": grid.nx(), "ny": grid.ny(), "spacing": grid.spacing()}),
            Surface::Triangles(_) => Value::Null,
        },
        "positions": vectors(&start.x),
        "velocities": vectors(&start.v),
        "rest_positions": vectors(&model.rest()),
        "masses": system.masses(),
        "triangles": triangles(model),
        "pins": held.map(|(k, _)| k).collect::<Vec<_>>(),
        "solids": solids,
        "friction": friction,
        "lacks": lacks,
    });
    if let (Value::Object(all), Value::Object(cloth)) = (&mut all, cloth) {
        all.extend(cloth);
    }
    all
}

fn vectors(all: &[Vec3]) -> Vec<[f64; 3]> {
    all.iter().map(|x| [x.x, x.y, x.z]).collect()
}

/// Triangles by their corners, the cells of a grid halved.
fn triangles(model: &Model) -> Vec<[usize; 3]> {
    match model.surface() {
        Surface::Triangles(mesh) => mesh.triangles().iter().map(|triangle| triangle.corners).collect(),
        Surface::Grid(grid) => {
            let cells = (0..grid.ny() - 1).flat_map(|j| (0..grid.nx() - 1).map(move |i| (i, j)));
            let halves = |(i, j): (usize, usize)| {
                let [a, b, c, d] = [(i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1)].map(|(i, j)| grid.index(i, j));
                [[a, b, d], [a, d, c]]
            };
            cells.flat_map(halves).collect()
        }
    }
}

/// What of a scene has no place in the file, whatever its cloth is.
fn lacking(scene: &Scene) -> Vec<String> {
    let moves = scene.solids.iter().any(|(_, motion)| *motion != RigidMotion::STILL);
    let lacks = [
        (!scene.solid_friction.is_empty(), "solids have friction of their own"),
        (!scene.motions.is_empty(), "pins move"),
        (!scene.guides.is_empty(), "particles are held to lines and planes"),
        (moves, "solids move"),
        (!scene.bodies.is_empty(), "it meets meshes"),
        (scene.gusts.is_some(), "wind changes in time"),
        (scene.self_collision.is_some(), "it collides with itself"),
        (scene.repulsion.is_some(), "it repels itself"),
        (scene.inextensible.is_some(), "its edges keep their length"),
    ];
    lacks.into_iter().filter(|(is_so, _)| *is_so).map(|(_, words)| words.to_owned()).collect()
}

fn of_drag(drag: Option<Drag>) -> Value {
    drag.map_or(Value::Null, |Drag { air_density, coefficient, wind }| {
        json!({"air_density": air_density, "coefficient": coefficient, "wind": [wind.x, wind.y, wind.z]})
    })
}

/// 0 as nothing.
fn above_zero(value: f64) -> Value {
    if value > 0.0 { value.into() } else { Value::Null }
}

fn damping_form(form: DampingForm) -> &'static str {
    match form {
        DampingForm::Plain => "plain",
        DampingForm::Projected => "projected",
    }
}

/// Which ways a spring resists.
struct Resists {
    /// Being shorter than at rest.
    pushes: bool,
    /// Being longer.
    pulls: bool,
}

fn spring((i, j, rest): (usize, usize, f64), elastic: Elastic, kind: &str, resists: Resists) -> Value {
    let Resists { pushes, pulls } = resists;
    json!({
        "i": i, "j": j, "rest": rest, "stiffness": elastic.stiffness, "damping": elastic.damping, "kind": kind, "pushes": pushes,
        "pulls": pulls,
    })
}

fn of_grid(cloth: &Cloth, lacks: &mut Vec<String>) -> Value {
    let material = cloth.material();
    let told = [
        (material.stiffening.is_some(), "springs become stiffer beyond a strain"),
        (material.rigidity.is_some(), "bending by rigidity stands in `sheet` alone"),
        (material.masses != Masses::Equal && material.drag.is_some(), "drag by areas of particles"),
        (material.bend > 0.0 && material.bend_law != BendLaw::default(), "another law of bend springs"),
    ];
    lacks.extend(told.into_iter().filter(|(is_so, _)| *is_so).map(|(_, words)| words.to_owned()));
    let of = |of: &cloth::Spring| {
        let ends = (of.i, of.j, of.rest);
        match of.family {
            Family::Stretch => spring(ends, material.stretch, "stretch", Resists { pushes: material.compression, pulls: true }),
            Family::Shear => spring(ends, material.shear, "shear", Resists { pushes: material.compression, pulls: true }),
            Family::Bend => {
                spring(ends, Elastic { stiffness: material.bend, damping: 0.0 }, "bend", Resists { pushes: true, pulls: false })
            }
        }
    };
    let [stretch, shear] = [material.stretch.stiffness, material.shear.stiffness];
    // threads across a strip go slack where springs do not push
    let membrane =
        if material.compression && stretch + shear > 0.0 { stretch + shear - shear * shear / (stretch + shear) } else { stretch };
    json!({
        "gravity": [material.gravity.x, material.gravity.y, material.gravity.z],
        "springs": cloth.springs().iter().map(of).collect::<Vec<_>>(),
        "damping_form": damping_form(material.damping),
        "bend_law": {"polynomial": BEND_LAW.0, "line_from": BEND_LAW.1},
        "continuum": null,
        "sheet": {
            "density": material.density,
            "membrane": membrane,
            "bending_rigidity": material.rigidity.map_or(0.0, |rigidity| rigidity.warp),
        },
        "air": above_zero(material.air),
        "drag": of_drag(material.drag),
    })
}

fn of_net(net: &Net, scene: &Scene, lacks: &mut Vec<String>) -> Value {
    if net.stiffening.is_some() {
        lacks.push("springs become stiffer beyond a strain".into());
    }
    let made_of = match &scene.subject {
        scene::Subject::Triangles(cloth::run::Triangles {
            material: cloth::run::TriangleMaterial::Springs { springs, .. },
            ..
        }) => Some(*springs),
        _ => None,
    };
    let stretch = net.stretch_springs().len();
    let compression = made_of.is_some_and(|springs| springs.compression);
    let of = |(k, of): (usize, &cloth::NetSpring)| {
        let is_bend = made_of.is_some_and(|springs| k >= stretch && of.elastic == springs.bend && springs.bend != springs.shear);
        let kind = if k < stretch {
            "stretch"
        } else if is_bend {
            "bend"
        } else {
            "shear"
        };
        spring((of.i, of.j, of.rest), of.elastic, kind, Resists { pushes: compression || is_bend, pulls: true })
    };
    let sheet = made_of.map(|springs| {
        lacks.push("`sheet.membrane` is the stiffness of single springs".into());
        json!({"density": springs.density, "membrane": springs.stretch.stiffness, "bending_rigidity": 0.0})
    });
    json!({
        "gravity": [net.gravity.x, net.gravity.y, net.gravity.z],
        "springs": net.springs().iter().enumerate().map(of).collect::<Vec<_>>(),
        "damping_form": damping_form(net.damping),
        "continuum": null,
        "sheet": sheet,
        "air": above_zero(net.resistance),
        "drag": of_drag(net.drag),
    })
}

fn of_continuum(fabric: &Fabric, lacks: &mut Vec<String>) -> Value {
    let told = [
        (fabric.warp != fabric.weft, "warp and weft are not alike: `stretch` is that of the warp"),
        (!matches!(fabric.fold_law, FoldLaw::Curvature(_)), "bending is that of hinges, no rigidity"),
        (fabric.is_damped(), "triangles and hinges are damped"),
    ];
    lacks.extend(told.into_iter().filter(|(is_so, _)| *is_so).map(|(_, words)| words.to_owned()));
    let [density, stretch, shear, bend] = [fabric.density, fabric.warp.stiffness, fabric.shear.stiffness, fabric.bend.stiffness];
    json!({
        "gravity": [fabric.gravity.x, fabric.gravity.y, fabric.gravity.z],
        "springs": null,
        "continuum": {"density": density, "stretch": stretch, "shear": shear, "bending_rigidity": bend},
        "sheet": {"density": density, "membrane": stretch, "bending_rigidity": bend},
        "air": above_zero(fabric.air),
        "drag": of_drag(fabric.drag),
    })
}

fn of_solid(solid: &Solid, lacks: &mut Vec<String>) -> Option<Value> {
    let three = |x: &Vec3| [x.x, x.y, x.z];
    match solid {
        Solid::Sphere { centre, radius } => Some(json!({"kind": "sphere", "centre": three(centre), "radius": radius})),
        Solid::Plane { point, normal } => Some(json!({"kind": "plane", "point": three(point), "normal": three(normal)})),
        Solid::Cuboid { .. } | Solid::Cylinder { .. } | Solid::Capsule { .. } => {
            lacks.push("solids other than spheres and planes".into());
            None
        }
    }
}
