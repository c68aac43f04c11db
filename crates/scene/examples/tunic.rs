//! Writes scenes/tunic.obj: the front and the back of a tunic as they are cut, apart, and lines that sew them together.
//!
//!     cargo run --package clothlab-scene --example tunic

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Side of a cell of the pattern before it is given its shape \[m\].
const CELL: f64 = 0.025;
/// Half of the width of the body, of the opening at the neck, and the reach of a sleeve, in cells.
const BODY: i32 = 11;
const NECK: i32 = 5;
const REACH: i32 = 22;
/// Depth of the sleeves and of the body, in cells.
const SLEEVE: i32 = 9;
const DEPTH: i32 = 27;
/// Height of the shoulders, and distance of a panel from the middle of the body \[m\].
const HEIGHT: f64 = 1.5;
const APART: f64 = 0.2;
/// Fall of the shoulders, and widening of the body toward its hem \[-\].
const SLOPE: f64 = 0.3;
const FLARE: f64 = 0.2;

/// A point of the pattern, so many cells across and down: x to the right, z up \[m\].
fn point(i: i32, k: i32) -> [f64; 2] {
    let [across, down] = [i, k].map(|cells| CELL * f64::from(cells));
    let beyond = (across.abs() - CELL * f64::from(NECK)).max(0.0);
    let below = (down - CELL * f64::from(SLEEVE)).max(0.0);
    let fall = SLOPE * (1.0 - below / (CELL * f64::from(DEPTH - SLEEVE)));
    [across * (1.0 + FLARE * below), -down - fall * beyond]
}

/// True where the cell to the right of a point, and below it, is cloth.
fn is_cloth(i: i32, k: i32) -> bool {
    let is_body = (-BODY..BODY).contains(&i) && (0..DEPTH).contains(&k);
    is_body || (-REACH..REACH).contains(&i) && (0..SLEEVE).contains(&k)
}

/// True for points of a seam: at the shoulders, under a sleeve, or at a side.
fn is_sewn(i: i32, k: i32) -> bool {
    let shoulder = k == 0 && i.abs() >= NECK;
    let under = k == SLEEVE && i.abs() >= BODY;
    shoulder || under || i.abs() == BODY && k >= SLEEVE
}

fn main() -> std::io::Result<()> {
    let mut text =
        String::from("# a tunic of two panels, by cargo run --package clothlab-scene --example tunic; lines l are sewn\n");
    let points: Vec<(i32, i32)> = (0..=DEPTH).flat_map(|k| (-REACH..=REACH).map(move |i| (i, k))).collect();
    let touches = |&&(i, k): &&(i32, i32)| [(i, k), (i - 1, k), (i, k - 1), (i - 1, k - 1)].iter().any(|&(i, k)| is_cloth(i, k));
    let cut: Vec<(i32, i32)> = points.iter().filter(touches).copied().collect();
    for side in ["front", "back"] {
        let (away, turned) = if side == "front" { (-APART, 1.0) } else { (APART, -1.0) };
        for &(i, k) in &cut {
            let [x, z] = point(i, k);
            _ = writeln!(text, "v {x:.6} {away} {:.6}\nvt {:.6} {z:.6}", HEIGHT + z, turned * x);
        }
    }
    let number: BTreeMap<(i32, i32), usize> = cut.iter().enumerate().map(|(n, &point)| (point, n + 1)).collect();
    for side in ["front", "back"] {
        _ = writeln!(text, "g {side}");
        for &(i, k) in cut.iter().filter(|&&(i, k)| is_cloth(i, k)) {
            let [a, b, c, d] = [(i, k), (i, k + 1), (i + 1, k + 1), (i + 1, k)].map(|point| number[&point]);
            let halves = if (i + k) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
            for [a, b, c] in halves {
                let [a, b, c] = if side == "front" { [a, b, c] } else { [a, c, b].map(|corner| corner + cut.len()) };
                _ = writeln!(text, "f {a}/{a} {b}/{b} {c}/{c}");
            }
        }
    }
    for n in cut.iter().filter(|&&(i, k)| is_sewn(i, k)).map(|point| number[point]) {
        _ = writeln!(text, "l {n} {}", n + cut.len());
    }
    for n in cut.iter().filter(|&&(_, k)| k == 0).map(|point| number[point]) {
        _ = writeln!(text, "vg top {n} {}", n + cut.len());
    }
    std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/tunic.obj"), text)
}
