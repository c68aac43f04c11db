use std::fs;

use cloth::implicit::{PreconditionerKind, Solver};
use cloth::scene::{MeshSource, Scene, Subject};

/// Bytes that a particle takes: the peak of two steps of sheets of 150 x 150 and 300 x 300 particles over their number, the program
/// itself included, rounded up. Explicit schemes; systems on a grid, multigrid among them; systems in block rows, for triangles, components
/// and preconditioners that sweep over rows; sparse Cholesky of 300 x 300, which takes more the larger the sheet.
const EXPLICIT: u64 = 700;
const ON_GRID: u64 = 1_700;
const IN_BLOCK_ROWS: u64 = 3_500;
const DIRECT: u64 = 27_000;

/// The same of constraint methods: of the implicit constraint direction, whose factors are the largest, and of the others.
const ICD: u64 = 10_000;
const CONSTRAINED: u64 = 3_500;

/// Bytes that a particle of a scene takes.
fn each(scene: &Scene) -> u64 {
    let of_scheme = match scene.scheme.solver() {
        None => EXPLICIT,
        Some(Solver::Direct) => DIRECT,
        Some(Solver::ConjugateGradients {
            preconditioner: PreconditionerKind::None | PreconditionerKind::BlockDiagonal(_) | PreconditionerKind::Multigrid,
            decompose: None,
            ..
        }) if scene.sheet().is_some() => ON_GRID,
        Some(Solver::ConjugateGradients { .. }) => IN_BLOCK_ROWS,
    };
    let of_method = match scene.inextensible.map(|kept| kept.method.name()) {
        None => 0,
        Some("icd") => ICD,
        Some(_) => CONSTRAINED,
    };
    of_scheme.max(of_method)
}

/// What a run is expected to take \[bytes\]; none where the mesh is still to be read.
pub(super) fn expected(scene: &Scene) -> Option<u64> {
    let particles = match &scene.subject {
        Subject::Sheet(sheet) => sheet.grid.particle_count(),
        Subject::Triangles(triangles) => match &triangles.mesh {
            MeshSource::Mesh(mesh) => mesh.particle_count(),
            MeshSource::Obj(_) => return None,
        },
    };
    Some(particles as u64 * each(scene))
}

/// What this process may still take \[bytes\]: the memory that the machine has left, and its own limit; none where neither is known.
pub(super) fn available() -> Option<u64> {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let first_number = |line: &str| line.split_whitespace().find_map(|word| word.parse::<u64>().ok());
    let of = |text: &str, name: &str| text.lines().find_map(|line| line.strip_prefix(name).and_then(first_number));
    let left = of(&read("/proc/meminfo"), "MemAvailable:").map(|kilobytes| 1024 * kilobytes);
    let limit = of(&read("/proc/self/limits"), "Max address space");
    let used = of(&read("/proc/self/status"), "VmSize:").map_or(0, |kilobytes| 1024 * kilobytes);
    left.into_iter().chain(limit.map(|limit| limit.saturating_sub(used))).min()
}

/// A size in words.
pub(super) fn words(bytes: u64) -> String {
    match bytes {
        0..10_000_000 => "less than 0.01 GB".into(),
        _ => format!("{:.2} GB", bytes as f64 / 1e9),
    }
}
