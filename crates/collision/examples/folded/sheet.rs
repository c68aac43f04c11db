//! A sheet folded in four whose layers come together: what the search is timed on, here and beside others.

use collision::{Surface, Vec3};

/// Half the distance of the layers of a sheet of 1 m \[m\].
const GAP: f64 = 6e-4;
/// How near is too near \[m\].
pub const THICKNESS: f64 = 1e-3;

/// A sheet of 1 m folded in four, its layers a little apart and a little wavy, and where a step takes it: the layers come together.
pub fn folded(n: u32) -> (Surface, Vec<Vec3>, Vec<Vec3>) {
    let cells = (0..n - 1).flat_map(|j| (0..n - 1).map(move |i| j * n + i));
    let faces = cells.flat_map(|k| [[k, k + 1, k + n], [k + 1, k + n + 1, k + n]]).collect();
    let surface = Surface::new(faces, (n * n) as usize).expect("a grid");
    let spacing = 1.0 / f64::from(n - 1);
    // an arc of radius r joins two layers
    let fold = |s: f64, r: f64| {
        let past = s - 0.5;
        let arc = std::f64::consts::PI * r;
        if past <= 0.0 {
            [s, 0.0]
        } else if past < arc {
            let (sin, cos) = libm::sincos(past / r);
            [0.5 + r * sin, r - r * cos]
        } else {
            [0.5 - (past - arc), 2.0 * r]
        }
    };
    let place = |k: u32, gap: f64| {
        let (u, v) = (f64::from(k % n) * spacing, f64::from(k / n) * spacing);
        let [x, layer] = fold(u, gap);
        let [y, double] = fold(v, 3.0 * gap);
        let wave = 0.1 * gap * libm::sin(40.0 * x) * libm::sin(40.0 * y);
        let z = if v <= 0.5 { layer } else { double - layer };
        Vec3::new(x, y, z + wave)
    };
    let all = |gap: f64| (0..n * n).map(|k| place(k, gap)).collect();
    (surface, all(GAP), all(0.9 * GAP))
}
