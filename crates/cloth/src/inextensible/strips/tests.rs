use super::*;
use crate::inextensible::fixtures::{chain, momentum_moved, projected, scrambled};
use crate::inextensible::{Edge, Pbd};
use crate::integrators::Ballistic;
use crate::run::Filter;
use crate::{Grid, Net, State};

const PREVIEW: StripSettings =
    StripSettings { division: Division::Forests, directions: Directions::Preview, velocities: None, schedule: Schedule::Serial };

fn strips(nx: usize) -> StripSettings {
    StripSettings { division: Division::Strips { nx }, ..PREVIEW }
}

fn limits(strain: f64, iterations: u64) -> Limits {
    Limits::new(strain, iterations).unwrap()
}

fn sheet(grid: &Grid, held: &[usize]) -> EdgeConstraints {
    let count = grid.particle_count();
    let pinned: Vec<bool> = (0..count).map(|k| held.contains(&k)).collect();
    EdgeConstraints::new(&EdgeConstraints::edges_of_grid(grid), &vec![0.1; count], &pinned).unwrap()
}

#[test]
fn a_strip_of_two_edges_by_hand() {
    // 0 (held) at 0, 1 at 1.5, 2 at 3.5: A = [[1, -1], [-1, 2]], e = (0.5, 1), p = (2, 1.5); x1 += (p2 - p1) = -0.5, x2 -= 1.5
    let candidate = [0.0, 1.5, 3.5].map(|x| Vec3::new(x, 0.0, 0.0));
    for settings in [PREVIEW, strips(3)] {
        let constraints = chain(&[1.0; 3], &[true, false, false]);
        let (report, x) = projected(&mut ImpulseStrips::new(constraints, limits(1e-9, 5), settings), &candidate);
        assert!((x[1] - Vec3::x()).norm() < 1e-15 && (x[2] - 2.0 * Vec3::x()).norm() < 1e-15, "{x:?}");
        assert_eq!((report.stop, report.iterations, report.factorisations, report.solves), (FilterStop::Converged, 1, 1, 1));
    }
    // a bent one, the second edge upright and 0.5 too long: A = [[1, 0], [0, 2]], p = (0, 0.25)
    let candidate = [Vec3::zeros(), Vec3::x(), Vec3::new(1.0, 1.5, 0.0)];
    let mut method = ImpulseStrips::new(chain(&[1.0; 3], &[true, false, false]), limits(1e-9, 1), PREVIEW);
    let (_, x) = projected(&mut method, &candidate);
    assert!((x[1] - Vec3::new(1.0, 0.25, 0.0)).norm() < 1e-15 && (x[2] - Vec3::new(1.0, 1.25, 0.0)).norm() < 1e-15, "{x:?}");
}

#[test]
fn a_chain_is_solved_in_one_iteration_to_first_order() {
    // what is left after one iteration falls with the square of the error
    let error = |size: f64| {
        let candidate: Vec<Vec3> = (0..20)
            .map(|k| {
                let k = f64::from(k);
                Vec3::new(0.8 * k, 0.6 * (k % 2.0), 0.0)
                    + size * Vec3::new(libm::sin(3.0 * k), libm::cos(5.0 * k), libm::sin(7.0 * k))
            })
            .collect();
        let mut method = ImpulseStrips::new(chain(&[0.3; 20], &[false; 20]), limits(1e-11, 1), PREVIEW);
        projected(&mut method, &candidate).0
    };
    let (coarse, fine) = (error(1e-2), error(1e-3));
    let order = libm::log10(coarse.after / fine.after);
    assert!((order - 2.0).abs() < 0.15 && fine.before > 1e-3, "{order}");
    let candidate: Vec<Vec3> = (0..20).map(|k| (1.0 + 1e-3 * libm::sin(f64::from(k))) * f64::from(k) * Vec3::x()).collect();
    let pbd = projected(&mut Pbd::new(chain(&[0.3; 20], &[false; 20]), limits(1e-11, 1)), &candidate).0;
    let direct = projected(&mut ImpulseStrips::new(chain(&[0.3; 20], &[false; 20]), limits(1e-11, 1), PREVIEW), &candidate).0;
    assert!(direct.stop == FilterStop::Converged && pbd.after > 1e-3, "one sweep over single edges is not: {pbd:?} {direct:?}");
}

#[test]
fn chains_by_tridiagonals_and_as_trees_agree_to_rounding() {
    let grid = Grid::new(12, 2, 0.2).unwrap();
    let whole = sheet(&grid, &[0]);
    let rows: Vec<Edge> = whole.edges().iter().filter(|edge| edge.j == edge.i + 1).copied().collect();
    let constraints = EdgeConstraints::new(&rows, &[0.1; 24], &std::array::from_fn::<bool, 24, _>(|k| k == 0)).unwrap();
    let candidate = scrambled(&grid, 0.05);
    for directions in [Directions::Preview, Directions::Frozen] {
        let run = |division: Division| {
            let settings = StripSettings { division, directions, ..PREVIEW };
            projected(&mut ImpulseStrips::new(constraints.clone(), limits(1e-10, 3), settings), &candidate)
        };
        let ((one, x), (other, y)) = (run(Division::Strips { nx: 12 }), run(Division::Forests));
        assert!(one.before > 0.2 && one.after < 0.1 && one.iterations == other.iterations, "{one:?} {other:?}");
        let apart = x.iter().zip(&y).map(|(x, y)| (x - y).norm()).fold(0.0, f64::max);
        assert!(apart < 1e-13, "{apart}");
    }
}

#[test]
fn torn_and_scrambled_sheets_are_pulled_together() {
    let grid = Grid::new(10, 10, 0.1).unwrap();
    let mut candidate = scrambled(&grid, 0.3);
    candidate[55] += Vec3::new(0.0, 0.0, 5.0);
    for settings in [strips(10), PREVIEW] {
        let mut method = ImpulseStrips::new(sheet(&grid, &[]), limits(0.01, 3000), settings);
        let (report, x) = projected(&mut method, &candidate);
        assert!(report.stop == FilterStop::Converged && report.before > 20.0, "{report:?}");
        assert!(momentum_moved(&[0.1; 100], &candidate, &x).norm() < 1e-12);
    }
}

#[test]
fn threads_give_the_same_bits() {
    let grid = Grid::new(15, 11, 0.1).unwrap();
    let candidate = scrambled(&grid, 0.04);
    for (division, directions) in [
        (Division::Strips { nx: 15 }, Directions::Preview),
        (Division::Forests, Directions::Preview),
        (Division::Forests, Directions::Frozen),
    ] {
        let run = |schedule: Schedule| {
            let velocities = Positive::try_from(0.02).ok();
            let settings = StripSettings { division, directions, velocities, schedule };
            let mut method = ImpulseStrips::new(sheet(&grid, &[0, 14]), limits(0.01, 20), settings);
            let (mut x, mut v) = (candidate.clone(), vec![Vec3::zeros(); 165]);
            let report = method.filter(&Step { dt: 0.1, start: &grid.flat(), candidate: &candidate }, &mut x, &mut v);
            (report, x, v)
        };
        let (report, x, v) = run(Schedule::Serial);
        assert!(report.iterations > 3, "{report:?}");
        assert_eq!((report, x, v), run(Schedule::Threaded));
    }
}

#[test]
fn a_taut_row_between_two_pins_is_singular() {
    let grid = Grid::new(30, 2, 0.1).unwrap();
    let mut candidate = grid.flat();
    candidate[5].x += 0.01;
    let (report, _) = projected(&mut ImpulseStrips::new(sheet(&grid, &[0, 29]), limits(1e-3, 10), strips(30)), &candidate);
    assert_eq!(report.stop, FilterStop::Singular { edge: 56 }, "the last edge of the row");
    let forests = projected(&mut ImpulseStrips::new(sheet(&grid, &[0, 29]), limits(1e-3, 500), PREVIEW), &candidate).0;
    assert_eq!(forests.stop, FilterStop::Converged, "no tree of a forest is over-determined");
}

#[test]
fn what_cannot_be_projected_is_a_status() {
    let new = |limit| ImpulseStrips::new(chain(&[1.0; 3], &[true, false, false]), limits(1e-3, limit), PREVIEW);
    assert_eq!(projected(&mut new(5), &[Vec3::zeros(), Vec3::zeros(), Vec3::x()]).0.stop, FilterStop::Coincident { edge: 0 });
    assert_eq!(projected(&mut new(5), &[Vec3::zeros(), f64::NAN * Vec3::x(), Vec3::x()]).0.stop, FilterStop::NotFinite);
    let bent = [Vec3::zeros(), Vec3::new(0.3, 0.5, 0.0), Vec3::new(0.0, 1.5, 0.8)];
    assert_eq!(projected(&mut new(1), &bent).0.stop, FilterStop::IterationLimit);
}

#[test]
fn velocities_lose_what_changes_lengths_and_keep_their_momentum() {
    let grid = Grid::new(6, 5, 0.1).unwrap();
    let x: Vec<Vec3> = grid.flat().iter().map(|x| Vec3::new(x.x, x.y, 0.02 * libm::sin(9.0 * x.x + 5.0 * x.y))).collect();
    let constraints = sheet(&grid, &[]);
    let velocities = Positive::try_from(1e-9).ok();
    let mut method = ImpulseStrips::new(constraints, limits(0.5, 5000), StripSettings { velocities, ..strips(6) });
    let before: Vec<Vec3> = scrambled(&grid, 0.3).iter().zip(&grid.flat()).map(|(x, flat)| x - flat).collect();
    let mut v = before.clone();
    let mut report = FilterReport::begin(0.0);
    method.correct_velocities(&Step { dt: 0.1, start: &x, candidate: &x }, &x, &mut v, &mut report);
    assert_eq!(report.stop, FilterStop::Converged);
    for edge in method.constraints().edges() {
        let (u, _) = edge.direction(&x).unwrap();
        assert!((edge.vector(&v).dot(&u) * 0.1 / edge.rest).abs() < 1.1e-9);
    }
    assert!(momentum_moved(&[0.1; 30], &before, &v).norm() < 1e-13);
    let kinetic = |v: &[Vec3]| v.iter().map(Vec3::norm_squared).sum::<f64>();
    assert!(kinetic(&v) < kinetic(&before), "a projection takes energy");
}

/// A hanging sheet of `side` x `side` particles and 1 m, pinned at two corners, as a filtered flight. It starts as an arc of 0.5
/// rad with every edge at its rest length: the pins are 1 % closer than taut.
fn hanging(side: usize, strain: f64, iterations: u64, settings: StripSettings) -> (Net, Filter, State) {
    let grid = Grid::new(side, side, 1.0 / (side - 1) as f64).unwrap();
    let constraints = sheet(&grid, &[0, side - 1]);
    let pinned = constraints.inverse_masses().iter().map(|w| *w == 0.0).collect();
    let net = Net::new(vec![0.1; side * side], pinned, vec![]).unwrap();
    let turn = 0.5 / (side - 1) as f64;
    let radius = 0.5 * grid.spacing() / libm::sin(0.5 * turn);
    let arc = |k: usize| {
        let angle = (k % side) as f64 * turn - 0.25;
        Vec3::new(radius * libm::sin(angle), (k / side) as f64 * grid.spacing(), -radius * libm::cos(angle))
    };
    let state = State::at_rest((0..side * side).map(arc).collect());
    let method = ImpulseStrips::new(constraints, limits(strain, iterations), settings);
    (net, Filter::new(Box::new(method)), state)
}

#[test]
fn directions_of_the_preview_hold_where_frozen_ones_blow_up() {
    let steps = |directions: Directions| {
        let (net, mut filter, mut state) = hanging(10, 0.01, 1000, StripSettings { directions, ..strips(10) });
        let steps = (0..60).take_while(|_| {
            let ended = filter.step(&mut Ballistic::new(100), &net, 1.0 / 30.0, &mut state);
            ended.is_ok() && filter.converged()
        });
        (steps.count(), filter.last().stop)
    };
    assert_eq!(steps(Directions::Preview), (60, FilterStop::Converged));
    let (count, stop) = steps(Directions::Frozen);
    assert!(count < 10 && stop != FilterStop::Converged, "{count} steps, then {stop:?}");
}

#[test]
fn factors_of_the_velocities_serve_the_next_positions() {
    let run = |velocities: Option<f64>| {
        let velocities = velocities.and_then(|tolerance| Positive::try_from(tolerance).ok());
        let settings = StripSettings { velocities, directions: Directions::Frozen, ..strips(8) };
        let (net, mut filter, mut state) = hanging(8, 1e-5, 100, settings);
        for _ in 0..10 {
            filter.step(&mut Ballistic::new(64), &net, 0.002, &mut state).unwrap();
        }
        *filter.filter_work()
    };
    let (without, with) = (run(None), run(Some(1e-3)));
    assert_eq!((without.limited, with.limited), (0, 0));
    // 16 parts; one factorisation a step that needs one, or one for the end of every step that is there at the start of the next
    assert!(without.factorisations <= 160 && without.factorisations > 0, "{without:?}");
    assert_eq!(with.factorisations, 16 * 11, "the first start, and the end of each of ten steps");
}

#[test]
fn strips_need_fewer_iterations_than_single_constraints() {
    let iterations = |single: bool| {
        let (net, filter, mut state) = hanging(20, 0.01, 1000, strips(20));
        let mut filter = match single {
            true => {
                let constraints = filter.method().constraints().clone();
                Filter::new(Box::new(Pbd::new(constraints, limits(0.01, 1000))))
            }
            false => filter,
        };
        for _ in 0..20 {
            filter.step(&mut Ballistic::new(400), &net, 1.0 / 30.0, &mut state).unwrap();
        }
        filter.filter_work().iterations as f64 / 20.0
    };
    let (strips, single) = (iterations(false), iterations(true));
    assert!(strips * 5.0 < single, "{strips} against {single}");
}
