//! Writes what scenes/trousers.toml names: the trousers of the garment study as quads, and the limbs of its figure as key frames.
//!
//!     cargo run --package clothlab-scene --example trousers

#![allow(clippy::print_stdout)]

use std::fmt::Write;
use std::path::Path;
use std::{fs, io};

use cloth::contact::MovingCapsule;
use cloth::{Figure, Trousers, Vec3};

/// Edges around a leg: 2 cm each.
const AROUND: usize = 28;

/// Key frames a second, and in all: the dance comes up in half a second, and goes round once a second.
const RATE: u32 = 100;
const FRAMES: u32 = 250;

/// The limbs in the order of [`Figure::capsules`].
const LIMBS: [&str; Figure::CAPSULES] = ["pelvis", "torso", "right-thigh", "left-thigh", "right-shin", "left-shin"];

fn main() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    fs::write(folder.join("trousers.obj"), trousers())?;
    for (k, limb) in LIMBS.iter().enumerate() {
        fs::write(folder.join(format!("figure-{limb}.csv")), keyframes(k))?;
    }
    Ok(())
}

/// An OBJ file.
fn trousers() -> String {
    let trousers = Trousers::new(AROUND, 1.0).expect("trousers");
    let mut text =
        String::from("# trousers of quads around a figure at rest, by cargo run --package clothlab-scene --example trousers\n");
    for x in trousers.rest() {
        _ = writeln!(text, "v {:.6} {:.6} {:.6}", x.x, x.y, x.z);
    }
    for [a, b, c, d] in trousers.quads().iter().map(|quad| quad.map(|corner| corner + 1)) {
        _ = writeln!(text, "f {a} {b} {c} {d}");
    }
    text
}

/// The table of a limb, which is placed as at time 0 and turns about the first end of its axis; the pelvis, whose axis lies across,
/// about its middle.
fn keyframes(limb: usize) -> String {
    let mut text = String::from("t,x,y,z,rx,ry,rz\n");
    let [middle, axis] = place(limb, 0.0);
    for frame in 0..=FRAMES {
        let t = f64::from(frame) / f64::from(RATE);
        let [moved, along] = place(limb, t);
        // the pelvis rolls about y, legs lift about x: from which way the axis shows, by the right hand
        let turn = if LIMBS[limb] == "pelvis" {
            Vec3::new(0.0, -libm::atan2(along.z, along.x), 0.0)
        } else {
            Vec3::new(libm::atan2(along.y, along.z) - libm::atan2(axis.y, axis.z), 0.0, 0.0)
        };
        let (way, turn) = (moved - middle, Vec3::new(-wrapped(turn.x), turn.y, turn.z));
        let [x, y, z, rx, ry, rz] =
            [way.x, way.y, way.z, turn.x, turn.y, turn.z].map(|number| (number * 1e6).round() / 1e6 + 0.0);
        _ = writeln!(text, "{t},{x},{y},{z},{rx},{ry},{rz}");
    }
    text
}

/// An angle between -pi and pi.
fn wrapped(angle: f64) -> f64 {
    libm::remainder(angle, std::f64::consts::TAU)
}

/// About what a limb turns at time `t`, and its axis.
fn place(limb: usize, t: f64) -> [Vec3; 2] {
    let MovingCapsule { from, to, .. } = Figure::default().capsules(t)[limb];
    let centre = if LIMBS[limb] == "pelvis" { 0.5 * (from.0 + to.0) } else { from.0 };
    [centre, to.0 - from.0]
}
