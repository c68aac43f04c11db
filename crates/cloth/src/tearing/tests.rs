use proptest::prelude::*;

use super::*;
use crate::triangles::{Fabric, SpringMaterial, Triangle, TriangleCloth, TriangleMesh, Vec2};
use crate::{Elastic, Grid, Net, NetSpring, State, System, Vec3};

/// Two squares side by side, 1 m each, cut along a diagonal each: particles 0 to 2 below, 3 to 5 above.
fn squares() -> TriangleMesh {
    let at = |k: usize| Vec2::new((k % 3) as f64, (k / 3) as f64);
    let triangle = |corners: [usize; 3]| Triangle { corners, material: corners.map(at) };
    let triangles = [[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4]].map(triangle).to_vec();
    TriangleMesh::new((0..6).map(|k| Vec3::new(at(k).x, at(k).y, 0.0)).collect(), triangles).unwrap()
}

/// Their positions with the right side drawn away by `way` \[m\].
fn drawn(way: f64) -> Vec<Vec3> {
    squares().positions().iter().map(|x| if x.x > 1.5 { x + way * Vec3::x() } else { *x }).collect()
}

fn corners(mesh: &TriangleMesh) -> Vec<[usize; 3]> {
    mesh.triangles().iter().map(|triangle| triangle.corners).collect()
}

fn limits(limit: f64) -> TearLimits {
    TearLimits::new(limit).unwrap()
}

#[test]
fn four_triangles_are_torn_by_hand() {
    let (mesh, free) = (squares(), [false; 6]);
    let mut tearing = Tearing::new(&mesh, limits(1.5));
    assert!(tearing.tear(&mesh, &free, &drawn(0.49)).is_none());
    // 1-2 and 4-5 are 2 m long, 1-5 is sqrt(5 / 2) L: 1 is split first, and 1-5 waits; 4 is split behind it
    let opening = tearing.tear(&mesh, &free, &drawn(1.0)).unwrap();
    assert_eq!(corners(&opening.mesh), [[0, 1, 4], [0, 4, 3], [6, 2, 5], [6, 5, 7]]);
    assert_eq!((&opening.parents[..], tearing.origins()), (&[1, 4][..], &[0, 1, 2, 3, 4, 5, 1, 4][..]));
    assert_eq!(opening.mesh.pieces(), 2);
    let masses = opening.mesh.masses(6.0); // 1 kg a corner
    assert!(masses.iter().zip([2.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 1.0]).all(|(m, by_hand)| (m - by_hand).abs() < 1e-15));
    let mut state = State { x: drawn(1.0), v: (0..6).map(|k| f64::from(k) * Vec3::z()).collect() };
    opening.carry(&mut state);
    assert_eq!((state.x[6..].to_vec(), state.v[6..].to_vec()), (vec![state.x[1], state.x[4]], vec![state.v[1], state.v[4]]));
    // 2 is drawn away from the copies: at 2 and 5 all lies on one side of the planes, at 6 one triangle on either
    state.x[2].y = -5.0;
    let again = tearing.tear(&opening.mesh, &[false; 8], &state.x).unwrap();
    assert_eq!(corners(&again.mesh), [[0, 1, 4], [0, 4, 3], [8, 2, 5], [6, 5, 7]]);
    assert_eq!((tearing.parents(), tearing.origins()[8]), (&[1, 4, 6][..], 1));
}

#[test]
fn two_triangles_come_apart_at_the_corner_that_has_both() {
    let square = [Vec2::zeros(), Vec2::x(), Vec2::new(1.0, 1.0), Vec2::y()];
    let triangle = |corners: [usize; 3]| Triangle { corners, material: corners.map(|k| square[k]) };
    let x = square.map(|at| Vec3::new(at.x, at.y, 0.0)).to_vec();
    let mesh = TriangleMesh::new(x.clone(), vec![triangle([0, 1, 2]), triangle([0, 2, 3])]).unwrap();
    let mut long = x;
    long[1].x = 3.0; // 0-1 is 3 L, 1-2 sqrt(5) L long; 1 has one triangle, 0 both
    let opening = Tearing::new(&mesh, limits(1.2)).tear(&mesh, &[false; 4], &long).unwrap();
    // beyond 0 towards 1 both lie: 0 is not split, 1 neither; at 2 the plane normal to 1-2 has one on either side
    assert_eq!((corners(&opening.mesh), opening.parents), (vec![[0, 1, 4], [0, 2, 3]], vec![2]));
    assert_eq!(opening.mesh.pieces(), 1); // they hang together in 0
}

#[test]
fn a_pin_clasps_the_cloth_around_it() {
    let mesh = squares();
    let mut held = [false; 6];
    (held[1], held[4]) = (true, true);
    assert!(Tearing::new(&mesh, limits(1.5)).tear(&mesh, &held, &drawn(1.0)).is_none()); // at 2 and 5 all lies on one side
    // three squares in a row: the edges beside the pins tear at their other ends
    let mesh = TriangleMesh::of_grid(&Grid::new(4, 2, 1.0).unwrap()).unwrap();
    let x: Vec<Vec3> = mesh.positions().iter().map(|x| if x.x > 1.5 { x + Vec3::x() } else { *x }).collect();
    let held = [false, true, false, false, false, true, false, false];
    let opening = Tearing::new(&mesh, limits(1.5)).tear(&mesh, &held, &x).unwrap();
    assert_eq!((opening.parents, opening.mesh.pieces()), (vec![2, 6], 2));
}

#[test]
fn the_worst_edge_comes_first_whatever_its_index() {
    let mesh = squares();
    let mut x = drawn(1.0);
    x[5].x += 0.5; // 4-5 is 2.5 L, 1-5 about 1.9, 1-2 2.0
    let opening = Tearing::new(&mesh, limits(1.5)).tear(&mesh, &[false; 6], &x).unwrap();
    assert_eq!(opening.parents, [4, 1]);
}

#[test]
fn a_seam_tears_before_the_cloth_and_at_its_own_particles() {
    let mesh = TriangleMesh::regular(5, 5, 1.0, 1.0).unwrap();
    let seam: Vec<usize> = (0..5).map(|row| 5 * row + 2).collect();
    let limits = limits(1.5).with_seam(seam.clone(), 1.1).unwrap();
    let pulled: Vec<Vec3> = mesh.positions().iter().map(|x| Vec3::new(1.2 * x.x, x.y, x.z)).collect();
    let mut tearing = Tearing::new(&mesh, limits);
    let opening = tearing.tear(&mesh, &[false; 25], &pulled).unwrap();
    let mut parents = opening.parents.clone();
    parents.sort_unstable();
    assert_eq!(parents, seam);
    assert_eq!(opening.mesh.pieces(), 2);
    let mut state = State::at_rest(pulled);
    opening.carry(&mut state);
    assert!(tearing.tear(&opening.mesh, &[false; 30], &state.x).is_none()); // its two sides are as strong as the cloth
    // along it the cloth is as strong as elsewhere
    let along: Vec<Vec3> = mesh.positions().iter().map(|x| Vec3::new(x.x, 1.05 * x.y, x.z)).collect();
    assert!(tearing_of(&mesh, &seam).tear(&mesh, &[false; 25], &along).is_none());
}

fn tearing_of(mesh: &TriangleMesh, seam: &[usize]) -> Tearing {
    Tearing::new(mesh, limits(1.5).with_seam(seam.iter().copied(), 1.04).unwrap())
}

#[test]
fn limits_have_their_ranges() {
    for limit in [1.0, 0.5, -2.0, f64::NAN, f64::INFINITY] {
        assert!(TearLimits::new(limit).is_err(), "{limit}");
    }
    for limit in [1.0, 1.5, 2.0, f64::NAN] {
        assert!(limits(1.5).with_seam([0], limit).is_err(), "{limit}");
    }
    let limits = limits(2.0).with_seam([1, 2], 1.5).unwrap().with_seam([2, 3], 1.2).unwrap();
    let found = [(0, 4), (0, 1), (1, 2), (2, 3), (3, 4)].map(|(i, j)| limits.of(i, j));
    assert_eq!(found, [2.0, 1.5, 1.2, 2.0, 1.2]); // 2 lies on the weaker seam
}

#[test]
fn springs_that_are_too_long_leave_and_what_crosses_the_tear_stays() {
    // a row of four with bend springs over two: 1-2 is torn, 0-2 and 1-3 go on tying it
    let spring = |i: usize, j: usize| NetSpring { i, j, rest: (j - i) as f64, elastic: Elastic { stiffness: 1.0, damping: 0.0 } };
    let families = [vec![spring(0, 1), spring(1, 2), spring(2, 3)], vec![], vec![spring(0, 2), spring(1, 3)]];
    let mut net = Net::of_families(vec![1.0; 4], vec![false; 4], families, false).unwrap();
    let x: Vec<Vec3> = [0.0, 1.0, 2.4, 3.4].map(|at| at * Vec3::x()).to_vec();
    assert_eq!(snap(&mut net, &limits(1.3), &x), 1);
    assert_eq!((net.pairs(), net.parts()), (vec![(0, 1), (2, 3), (0, 2), (1, 3)], 1));
    let farther: Vec<Vec3> = [0.0, 1.0, 2.8, 3.8].map(|at| at * Vec3::x()).to_vec();
    assert_eq!((snap(&mut net, &limits(1.3), &farther), net.parts()), (2, 2));
    assert_eq!(snap(&mut net, &limits(1.3), &farther), 0);
}

/// Mass, momentum, angular momentum about the origin and kinetic energy.
fn invariants(masses: &[f64], state: &State) -> [f64; 8] {
    let (mut mass, mut energy, mut momentum, mut angular) = (0.0, 0.0, Vec3::zeros(), Vec3::zeros());
    for ((m, x), v) in masses.iter().zip(&state.x).zip(&state.v) {
        mass += m;
        energy += 0.5 * m * v.norm_squared();
        momentum += *m * v;
        angular += *m * x.cross(v);
    }
    [mass, energy, momentum.x, momentum.y, momentum.z, angular.x, angular.y, angular.z]
}

/// A mesh of each kind: triangles, triangles with centres, quads.
fn any_mesh(kind: usize) -> TriangleMesh {
    match kind {
        0 => TriangleMesh::regular(5, 4, 1.0, 0.8).unwrap(),
        1 => TriangleMesh::centred(4, 4, 0.9, 1.1).unwrap(),
        _ => TriangleMesh::of_grid(&Grid::new(5, 5, 0.2).unwrap()).unwrap(),
    }
}

fn vectors(size: f64) -> impl Strategy<Value = Vec<[f64; 3]>> {
    prop::collection::vec([-size..size, -size..size, -size..size], 40)
}

proptest! {
    #[test]
    fn tearing_keeps_mass_momenta_and_kinetic_energy(
        kind in 0..3_usize,
        moves in vectors(0.3),
        speeds in vectors(2.0),
        held in prop::collection::vec(prop::bool::weighted(0.1), 40),
        limit in 1.05..2.0,
    ) {
        let mut mesh = any_mesh(kind);
        let count = mesh.particle_count();
        let moved = |(x, by): (&Vec3, &[f64; 3])| x + Vec3::from(*by);
        let mut state = State {
            x: mesh.positions().iter().zip(&moves).map(moved).collect(),
            v: speeds[..count].iter().map(|v| Vec3::from(*v)).collect(),
        };
        let mut pinned = held[..count].to_vec();
        let mut tearing = Tearing::new(&mesh, limits(limit));
        let area: f64 = mesh.triangles().iter().map(Triangle::area).sum();
        for _ in 0..4 {
            let before = invariants(&mesh.masses(0.7), &state);
            let Some(opening) = tearing.tear(&mesh, &pinned, &state.x) else { break };
            prop_assert!(opening.parents.iter().all(|parent| !pinned[*parent] && *parent < mesh.particle_count()));
            let mut once = opening.parents.clone();
            once.sort_unstable();
            once.dedup();
            prop_assert_eq!(once.len(), opening.parents.len()); // none twice in a step
            opening.carry(&mut state);
            pinned.resize(state.particle_count(), false);
            prop_assert_eq!(opening.mesh.triangles().len(), mesh.triangles().len());
            for (old, new) in mesh.triangles().iter().zip(opening.mesh.triangles()) {
                prop_assert_eq!(old.material, new.material);
                prop_assert_eq!(old.corners.map(|k| state.x[k]), new.corners.map(|k| state.x[k])); // where it was
            }
            mesh = opening.mesh;
            let after = invariants(&mesh.masses(0.7), &state);
            for (before, after) in before.iter().zip(after) {
                prop_assert!((before - after).abs() < 1e-13, "{before} {after}");
            }
            prop_assert!((before[0] - 0.7 * area).abs() < 1e-13);
            // springs, and triangles with their hinges, are made of it, as heavy as it is
            let net = mesh.springs(&SpringMaterial { density: 0.7, ..SpringMaterial::default() }, &[]).unwrap();
            let masses = mesh.masses(0.7);
            prop_assert_eq!(net.masses(), &masses[..]);
            if kind < 2 {
                let cloth = TriangleCloth::new(mesh.clone(), Fabric { density: 0.7, ..Fabric::default() }, &[]).unwrap();
                prop_assert!(cloth.masses().iter().zip(&masses).all(|(one, other)| (one - other).abs() < 1e-15));
            }
            prop_assert_eq!(tearing.origins().len(), state.particle_count());
        }
        prop_assert_eq!(tearing.parents().len(), state.particle_count() - count);
        prop_assert!(tearing.origins().iter().all(|origin| *origin < count));
    }

    #[test]
    fn what_is_torn_far_enough_ends_as_single_faces(kind in 0..3_usize) {
        let (mut mesh, mut tearing) = (any_mesh(kind), Tearing::new(&any_mesh(kind), limits(1.5)));
        let mut state = State::at_rest(mesh.positions().iter().map(|x| 4.0 * x).collect());
        let mut steps = 0;
        while let Some(opening) = tearing.tear(&mesh, &vec![false; state.particle_count()], &state.x) {
            opening.carry(&mut state);
            mesh = opening.mesh;
            steps += 1;
            prop_assert!(steps < 100);
        }
        prop_assert!(mesh.pieces() > 5, "{} pieces after {steps} steps", mesh.pieces());
    }
}
