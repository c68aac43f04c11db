//! Memory that a scene needs, told before it is taken.

use std::fs;
use std::path::Path;

use cloth::implicit::{ConjugateGradients, Parts, PreconditionerKind, Solver};
use cloth::run::{Scheme, SolidContact, TriangleMaterial};
use cloth::triangles::FoldLaw;
use cloth::{Fabric, Terms};
use scene::{MeshSource, Scene, Subject};
use toml::de::DeTable;

/// Bytes that a particle takes: the peak of two steps of sheets of 150 x 150 and 300 x 300 particles over their number, the program
/// itself included, rounded up. Explicit schemes; systems on a grid, multigrid among them; systems in block rows, for triangles,
/// components and preconditioners that sweep over rows or divide them into parts, 820 of them for blocks that are packed.
const EXPLICIT: u64 = 700;
const ON_GRID: u64 = 1_700;
const IN_BLOCK_ROWS: u64 = 4_300;
const CONSTRAINED: u64 = 3_500;

/// Bytes that a particle takes more by aggregation, rounded up from peaks: of hanging sheets, before all systems were packed, 6450
/// altogether in 15 steps of 640 x 640 particles and 6880 in 60 steps of 320 x 320, of which more is slack by then, so that more
/// unknowns are kept; of triangles 8530 in 40 steps of 300 x 300 particles that fall from two corners, and 10310 in 60 of 200 x 200
/// that drape over a ball. Of each of eight couplings a block, its place and the block in single precision are 1000; the rest is what
/// aggregates keep, the factor of the second level and what its panels leave.
const AGGREGATED: u64 = 6_500;

/// Bytes that a particle of a continuum takes more that bends by the curvature of its triangles: stencils of up to twelve particles,
/// and pairs of these. By sheets of 110 and 220 points a side, with and without centres, 2300 to 3350.
const CURVED: u64 = 3_350;

/// Particles that a page still plays.
pub const PARTICLES: usize = 1_000_000;
/// Frames of a page, where they fit.
const FRAMES: u64 = 100;
/// Coordinates of all frames of a page, 4 MB in all.
const COORDINATES: u64 = 1_300_000;

/// Most frames of a page of so many particles.
pub fn most_frames(particles: u64) -> u64 {
    (COORDINATES / (3 * particles).max(1)).clamp(2, FRAMES)
}

/// Bytes that pictures and the page take of a particle, and of a particle in a frame of the page.
const PICTURED: u64 = 300;
const FILMED: u64 = 55;

/// Bytes that collisions take beside that, of a particle of the cloth or a vertex of a mesh: the surface and how it was made, its
/// tree, its boxes and its places; and of a particle that meets solids alone. By sheets of 100 x 100 and 200 x 200 particles, 1090
/// to 1210 and 270, and meshes of up to 300 x 300 vertices, 1310 to 1350.
const COLLIDING: u64 = 1_350;
const MEETING: u64 = 300;

/// Bytes that a particle takes more where it lies on others: pairs that may meet and their rows. By such sheets folded in four
/// whose layers come within the thickness, 20 contacts a particle: 12700 to 13200; 25300 where they pass each other in a step.
const LYING: u64 = 13_000;

/// Bytes that a particle takes more before a step is refused as crowded: 500 rows of 450 bytes with what finds them, and three lists of
/// 1000 pairs of boxes of 8 bytes, which double as they grow.
const CROWDED: u64 = 500 * 450 + 3 * 1000 * 8 * 2;

/// Bytes that a particle takes for each doubling of the particles, where factors fill in as n log n: of sparse Cholesky, and of
/// the implicit constraint direction, by the peaks of 300 x 300, 27000 and 10000 bytes a particle.
const DIRECT: u64 = 1_650;
const PROJECTIVE: u64 = 250;
const ICD: u64 = 610;

/// Bytes that a particle of a scene of so many takes.
fn each(scene: &Scene, particles: u64) -> u64 {
    let doublings = u64::from(particles.max(2).ilog2()) + 1;
    let of_scheme = match scene.scheme.solver() {
        None if matches!(scene.scheme, Scheme::ProjectiveDynamics(_)) => doublings * PROJECTIVE,
        None => EXPLICIT,
        Some(Solver::Direct) => doublings * DIRECT,
        Some(Solver::ConjugateGradients(ConjugateGradients {
            preconditioner:
                PreconditionerKind::None
                | PreconditionerKind::BlockDiagonal(_)
                | PreconditionerKind::Multigrid
                | PreconditionerKind::Automatic,
            decompose: None,
            ..
        })) if has_grid(scene) => ON_GRID,
        Some(Solver::ConjugateGradients(ConjugateGradients { preconditioner: PreconditionerKind::Schwarz(parts), .. })) => {
            IN_BLOCK_ROWS + of_parts(parts)
        }
        Some(Solver::ConjugateGradients(
            ConjugateGradients { preconditioner: PreconditionerKind::Aggregation, .. }
            | ConjugateGradients { preconditioner: PreconditionerKind::Automatic, decompose: None, .. }, // where it is stiff
        )) => IN_BLOCK_ROWS + AGGREGATED,
        Some(Solver::ConjugateGradients(_)) => IN_BLOCK_ROWS,
    };
    let of_method = match scene.inextensible.map(|kept| kept.method.name()) {
        None => 0,
        Some("icd") => doublings * ICD,
        Some(_) => CONSTRAINED,
    };
    let of_bending = match &scene.subject {
        Subject::Triangles(triangles) => match &triangles.material {
            TriangleMaterial::Continuum(Fabric { fold_law: FoldLaw::Curvature(_), .. }) => CURVED,
            _ => 0,
        },
        Subject::Sheet(_) => 0,
    };
    of_scheme.max(of_method) + of_bending
}

/// Whether its systems are on a grid: of a sheet that bends by springs that do not soften, with filtered terms.
fn has_grid(scene: &Scene) -> bool {
    let is_filtered = scene.scheme.settings().is_none_or(|settings| settings.terms == Terms::Filtered);
    is_filtered && scene.sheet().is_some_and(|sheet| sheet.material.rigidity.is_none() && !sheet.material.softens())
}

/// Bytes that the factors of additive Schwarz take of a particle: a part of s x s particles has g = s + 4 a side with a layer of
/// second neighbours, and its factor 9 g² (g + 2) numbers; as many again while its memory grows.
fn of_parts(Parts { rows, overlap, .. }: Parts) -> u64 {
    let side = (rows as f64).sqrt() + 4.0 * overlap as f64;
    (16.0 * 9.0 * side * side * (side + 2.0) / rows as f64) as u64
}

/// Bytes of a state, of a particle; and those that a search takes of a force: its steps and slopes, remembered and at hand.
const STATE: u64 = 48;
const SEARCHED: u64 = 800;

/// States of a run that fill no more than this are all kept \[bytes\].
const KEPT: u64 = 1 << 30;

/// What a search by gradients is expected to take \[bytes\], beside a run with one more factor, with so many `forces` on a mesh of so
/// many particles: states, all or twice the root of their number.
pub fn searching(scene: &Scene, particles: usize, forces: u64) -> Option<u64> {
    let of_states = |states: u64| states.saturating_mul(STATE * particles as u64);
    let all = of_states(scene.steps());
    let states = if all <= KEPT { all } else { of_states(2 * scene.steps().isqrt()) };
    Some((2 * expected(scene, false)?).saturating_add(states).saturating_add(forces.saturating_mul(SEARCHED)))
}

/// What a run is expected to take \[bytes\], with pictures or without; none where the mesh is still to be read.
pub fn expected(scene: &Scene, pictured: bool) -> Option<u64> {
    let particles = match &scene.subject {
        Subject::Sheet(sheet) => sheet.grid.particle_count(),
        Subject::Triangles(triangles) => match &triangles.mesh {
            MeshSource::Mesh(mesh) => mesh.particle_count(),
            MeshSource::Obj(_) => return None,
        },
    } as u64;
    let of_bodies: u64 = scene.bodies.iter().map(|body| body.vertices.len() as u64).sum();
    let of_collisions = match scene.self_collision {
        Some(_) => COLLIDING * (particles + of_bodies),
        None if scene.solid_contact == SolidContact::Positions && !scene.solids.is_empty() => MEETING * particles,
        None => 0,
    };
    let of_pictures = PICTURED + FILMED * most_frames(particles).min(scene.steps() + 1);
    let of_pictures = if pictured && particles <= PARTICLES as u64 { of_pictures } else { 0 };
    Some(particles * (each(scene, particles) + of_pictures) + of_collisions)
}

/// What a run takes beside [`expected`] where all of the cloth lies on itself, and where a step is refused as crowded \[bytes\], of so
/// many particles; none where it passes through itself.
pub fn lying(scene: &Scene, particles: usize) -> Option<[u64; 2]> {
    scene.self_collision.map(|_| [LYING, CROWDED].map(|each| each * particles as u64))
}

/// What the mesh of triangles in a scene file takes at least \[bytes\], by the numbers in its text, which making a scene of it
/// makes too; none where there is no such mesh.
pub fn least_of_text(text: &str) -> Option<u64> {
    let document = DeTable::parse(text).ok()?;
    let mesh = document.get_ref().get("mesh")?.get_ref().as_table()?;
    if document.get_ref().contains_key("tearing")
        && let Some(quads) = least_of_points(mesh, false)
    {
        return Some(quads); // of a grid that tears
    }
    ["regular", "centred"].into_iter().find_map(|name| least_of_points(mesh.get(name)?.get_ref().as_table()?, name == "centred"))
}

/// What triangles over a grid of points take at least \[bytes\], by the keys of its section.
fn least_of_points(points: &DeTable<'_>, centred: bool) -> Option<u64> {
    let side = |key| points.get(key)?.get_ref().as_integer().and_then(|number| number.as_str().parse::<u64>().ok());
    let (nx, ny) = (side("nx")?, side("ny")?);
    let centres = if centred { nx.saturating_sub(1).saturating_mul(ny.saturating_sub(1)) } else { 0 };
    Some(nx.saturating_mul(ny).saturating_add(centres).saturating_mul(EXPLICIT))
}

/// What the text of a file takes \[bytes\]; none where it is not there.
pub fn of_text(path: &Path) -> Option<u64> {
    Some(fs::metadata(path).ok()?.len())
}

/// What this process may still take \[bytes\]: the least of the memory that the machine has left, its own limit, and what the
/// control groups leave that it is in; none where nothing is known.
pub fn available() -> Option<u64> {
    let of = |text: &str, name: &str| text.lines().find_map(|line| line.strip_prefix(name).and_then(first_number));
    let left = of(&read("/proc/meminfo"), "MemAvailable:").map(|kilobytes| 1024 * kilobytes);
    let limit = of(&read("/proc/self/limits"), "Max address space");
    let used = of(&read("/proc/self/status"), "VmSize:").map_or(0, |kilobytes| 1024 * kilobytes);
    let limit = limit.map(|limit| limit.saturating_sub(used));
    let grouped = left_in_groups(&read("/proc/self/cgroup"), Path::new("/sys/fs/cgroup"));
    left.into_iter().chain(limit).chain(grouped).min()
}

/// What a file says, nothing where it is not there.
fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

fn first_number(line: &str) -> Option<u64> {
    line.split_whitespace().find_map(|word| word.parse().ok())
}

/// What control groups leave, of those in the lines of /proc/self/cgroup and those above them: the limit less what cannot be given
/// back, in the files of both versions.
fn left_in_groups(lines: &str, root: &Path) -> Option<u64> {
    let left = |folder: &Path, [limit, used]: [&str; 2]| {
        let limit = first_number(&read(folder.join(limit)))?; // "max" is none
        let stat = read(folder.join("memory.stat"));
        let held = stat.lines().find_map(|line| line.strip_prefix(used).and_then(first_number));
        Some(limit.saturating_sub(held.unwrap_or(0)))
    };
    let of_line = |line: &str| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?);
        let (root, files) = match controllers {
            "" => (root.to_owned(), ["memory.max", "anon "]),
            _ if controllers.split(',').any(|name| name == "memory") => {
                (root.join("memory"), ["memory.limit_in_bytes", "total_rss "])
            }
            _ => return None,
        };
        // within a container the path is that outside of it, and only the root is there
        let groups = Path::new(path).ancestors().filter_map(|group| group.strip_prefix("/").ok());
        groups.filter_map(|group| left(&root.join(group), files)).min()
    };
    lines.lines().filter_map(of_line).min()
}

/// A size in words.
pub fn words(bytes: u64) -> String {
    match bytes {
        0..10_000_000 => format!("{} MB", bytes.div_ceil(1_000_000)),
        _ => format!("{:.2} GB", bytes as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tightest_control_group_counts() {
        let root = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("a/memory.max", "3000\n");
        write("a/memory.stat", "anon 500\nfile 2400\n");
        write("a/b/memory.max", "max\n");
        write("memory/c/memory.limit_in_bytes", "2000\n");
        write("memory/c/memory.stat", "rss 1\ntotal_rss 300\n");
        let left = |lines: &str| left_in_groups(lines, root.path());
        assert_eq!(left("0::/a/b\n"), Some(2500));
        assert_eq!(left("5:cpu,memory:/c\n0::/a/b\n"), Some(1700));
        assert_eq!((left("0::/elsewhere\n"), left("4:cpu:/a\n"), left("")), (None, None, None));
    }

    #[test]
    fn meshes_are_counted_before_they_are_made() {
        let centred = "[mesh.centred]\nnx = 3000\nny = 3_000\nwidth = 1\nheight = 1\n";
        assert_eq!(least_of_text(centred), Some((9_000_000 + 2999 * 2999) * EXPLICIT));
        assert_eq!(least_of_text(&centred.replace("centred", "regular")), Some(9_000_000 * EXPLICIT));
        assert_eq!(least_of_text("[mesh]\nnx = 3000\nny = 3000\n"), None);
    }

    #[test]
    fn collisions_take_what_their_surfaces_take() {
        let scene = |sections: &str| {
            let text = format!(
                "step = 0.01\nduration = 1\nintegrator = \"fb-euler\"\n[mesh]\nnx = 20\nny = 30\nspacing = 0.1\n{sections}"
            );
            Scene::parse(&text).unwrap_or_else(|mistake| panic!("{mistake}"))
        };
        let more = |scene: &Scene| expected(scene, true).unwrap() - expected(&bare(scene), true).unwrap();
        let plane = "[[solid]]\nplane = { point = [0, 0, -1], normal = [0, 0, 1] }\n";
        let mesh = "[[solid]]\nmesh = { file = 'a.obj' }\n[self_collision]\nthickness = 0.01";
        assert_eq!(more(&scene(plane)), 600 * MEETING);
        let mut among = scene(mesh);
        assert_eq!((more(&among), lying(&among, 600)), (600 * COLLIDING, Some([600 * LYING, 600 * CROWDED])));
        among.bodies[0].vertices = vec![cloth::Vec3::zeros(); 70];
        assert_eq!((more(&among), lying(&bare(&among), 600)), (670 * COLLIDING, None));
    }

    #[test]
    fn what_is_not_on_a_grid_may_be_aggregated() {
        let each = |keys: &str, sections: &str| {
            let head = "step = 0.01\nduration = 1\n";
            let text = format!("{head}{keys}\n[mesh]\nnx = 20\nny = 20\nspacing = 0.1\n{sections}");
            each(&Scene::parse(&text).unwrap_or_else(|mistake| panic!("{mistake}")), 400)
        };
        let implicit = "integrator = \"backward-euler\"";
        let all = "[integrator.backward-euler]\nterms = \"exact\"";
        let aggregated = IN_BLOCK_ROWS + AGGREGATED;
        assert_eq!((each(implicit, ""), each("", all)), (ON_GRID, aggregated));
        assert_eq!(each(implicit, "[solver.conjugate-gradients]\ndecompose = true"), IN_BLOCK_ROWS);
        assert_eq!(each(implicit, "[material]\nstiffening = { strain = 0.1, factor = 0.5 }"), aggregated);
    }

    /// A scene without anything to meet.
    fn bare(scene: &Scene) -> Scene {
        Scene { self_collision: None, solids: vec![], bodies: vec![], ..scene.clone() }
    }

    #[test]
    fn factors_fill_in_more_the_larger_the_sheet() {
        let scene = |side: u64| {
            let text = format!(
                "step = 0.01\nduration = 1\nintegrator = \"backward-euler\"\nsolver = \"direct\"\n[mesh]\nnx = {side}\nny = {side}\nspacing = 0.1\n"
            );
            expected(&Scene::parse(&text).unwrap_or_else(|mistake| panic!("{mistake}")), false).unwrap() / (side * side)
        };
        assert!((27_000..30_000).contains(&scene(300)) && scene(1200) > scene(300) + 3000, "{} {}", scene(300), scene(1200));
    }
}
