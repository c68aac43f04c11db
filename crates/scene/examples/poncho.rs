//! Writes scenes/poncho.obj: a round poncho of triangles, flat around the neck, with texture coordinates in centimetres.
//!
//!     cargo run --package clothlab-scene --example poncho

use std::f64::consts::TAU;
use std::fmt::Write;
use std::path::Path;

/// Radius of the hole and of the hem \[m\], and the height at which it begins \[m\].
const HOLE: f64 = 0.11;
const HEM: f64 = 0.56;
const HEIGHT: f64 = 1.53;
/// Rings of triangles, and particles around each.
const RINGS: usize = 15;
const AROUND: usize = 72;

fn main() -> std::io::Result<()> {
    let mut text =
        String::from("# a round poncho, by cargo run --package clothlab-scene --example poncho; texture coordinates in cm\n");
    let points = (0..=RINGS).flat_map(|ring| (0..AROUND).map(move |k| (ring, k)));
    for (ring, k) in points {
        let radius = HOLE + (HEM - HOLE) * ring as f64 / RINGS as f64;
        let (sin, cos) = libm::sincos(TAU * k as f64 / AROUND as f64);
        let [x, y] = [radius * cos, radius * sin];
        _ = writeln!(text, "v {x:.6} {y:.6} {HEIGHT}\nvt {:.4} {:.4}", 100.0 * x, 100.0 * y);
    }
    let corner = |ring: usize, k: usize| ring * AROUND + k % AROUND + 1;
    for (ring, k) in (0..RINGS).flat_map(|ring| (0..AROUND).map(move |k| (ring, k))) {
        let [a, b, c, d] = [corner(ring, k), corner(ring + 1, k), corner(ring + 1, k + 1), corner(ring, k + 1)];
        let cut = if (ring + k) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
        for [a, b, c] in cut {
            _ = writeln!(text, "f {a}/{a} {b}/{b} {c}/{c}");
        }
    }
    std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/poncho.obj"), text)
}
