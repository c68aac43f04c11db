use linsolve::lanes::{Eight, InstructionSet, Kernel, dot, minus};

use super::sweeps::{EDGE_OPERATIONS, MARGIN};
use super::{EdgeConstraints, FilterReport, FilterStop, Limits};
use crate::Vec3;

/// Edges at a time.
const LANES: usize = 8;

/// How a sweep moves an edge, of length abs(d), by p = (abs(d) - l) / ((w_i + w_j) abs(d)) d, which takes one quotient: these and
/// roots are most of a sweep.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sweep {
    /// At once.
    InTurn,
    /// After the sweep, with all others, `factor` times where abs(strain) is above `bound`.
    Together {
        /// omega \[-\].
        factor: f64,
        /// Permissible abs(strain) \[-\].
        bound: f64,
    },
}

/// The edges of a sweep in waves: those of a wave share no particle, and a wave comes after all whose edges share one and come
/// earlier in the mesh. Eight edges of a wave at a time give the bits of one edge after the other.
///
/// Particles are stored in an order in which both ends of most groups are neighbours in memory: the two places of an edge of wave
/// n, counted in waves, are as far before as behind n + 1/2. On a sheet these places are the same along its diagonals.
#[derive(Clone, Debug)]
pub(super) struct Waves {
    set: InstructionSet,
    groups: Vec<Group>,
    edges: usize,
    /// Particles in the order in which they are stored.
    order: Vec<usize>,
    /// Positions and moves by coordinate; behind those of the mesh stand two particles that rest, for lanes without an edge, and
    /// what is loaded with the last ones.
    x: [Vec<f64>; 3],
    moves: [Vec<f64>; 3],
}

/// Edges of a wave.
#[derive(Clone, Debug)]
struct Group {
    numbers: [u32; LANES],
    ends: [Ends; 2],
    rest: [f64; LANES],
    /// A bit for each lane that has an edge.
    lanes: u8,
}

#[derive(Clone, Debug)]
struct Ends {
    particles: [u32; LANES],
    /// Whether those of edges are neighbours in memory.
    in_a_row: bool,
    w: [f64; LANES],
}

impl Ends {
    /// What lanes without an edge hold means nothing.
    #[inline(always)]
    fn load<E: Eight>(&self, y: &[Vec<f64>; 3]) -> [E; 3] {
        let mut loaded = [E::splat(0.0); 3];
        for q in 0..3 {
            loaded[q] = match self.in_a_row {
                true => E::load_from(&y[q], self.particles[0] as usize),
                false => {
                    let mut lanes = [0.0; LANES];
                    for lane in 0..LANES {
                        lanes[lane] = y[q][self.particles[lane] as usize];
                    }
                    E::load(&lanes)
                }
            };
        }
        loaded
    }

    /// Leaves particles as they are in all but these lanes.
    #[inline(always)]
    fn store<E: Eight>(&self, values: [E; 3], lanes: u8, y: &mut [Vec<f64>; 3]) {
        for q in 0..3 {
            if self.in_a_row {
                let first = self.particles[0] as usize;
                let values = if lanes == u8::MAX { values[q] } else { E::load_from(&y[q], first).replaced(lanes, values[q]) };
                values.store_to(&mut y[q], first);
            } else {
                let mut stored = [0.0; LANES];
                values[q].store(&mut stored);
                for lane in 0..LANES {
                    y[q][self.particles[lane] as usize] = stored[lane];
                }
            }
        }
    }
}

/// Edges that are fewer than this in a row are not worth a group of their own.
const ROW: usize = 3;

impl Waves {
    /// Of these edges in their order.
    pub fn new(constraints: &EdgeConstraints) -> Waves {
        let (edges, w) = (constraints.edges(), constraints.inverse_masses());
        let particles = constraints.particle_count();
        let mut next = vec![0_usize; particles]; // the first wave that a particle is free in
        let mut waves: Vec<Vec<usize>> = vec![];
        let mut places: Vec<Option<i64>> = vec![None; particles]; // in waves
        for (k, edge) in edges.iter().enumerate() {
            let wave = next[edge.i].max(next[edge.j]);
            if wave == waves.len() {
                waves.push(vec![]);
            }
            waves[wave].push(k);
            (next[edge.i], next[edge.j]) = (wave + 1, wave + 1);
            let first = *places[edge.i].get_or_insert(wave as i64);
            places[edge.j].get_or_insert(2 * wave as i64 + 1 - first);
        }
        let mut order: Vec<usize> = (0..particles).collect();
        order.sort_by_key(|particle| places[*particle]);
        let mut stored = vec![0; particles];
        order.iter().enumerate().for_each(|(place, particle)| stored[*particle] = place);
        let ends = |k: usize| [stored[edges[k].i], stored[edges[k].j]];

        let group = |members: &[usize], in_a_row: bool| {
            let lanes: [usize; LANES] = std::array::from_fn(|lane| lane);
            let of = |end: usize| {
                let of_lane = |lane: usize| members.get(lane).map(|k| ends(*k)[end]);
                Ends {
                    particles: lanes.map(|lane| of_lane(lane).unwrap_or(particles + end) as u32),
                    in_a_row,
                    w: lanes.map(|lane| of_lane(lane).map_or(1.0, |place| w[order[place]])),
                }
            };
            Group {
                numbers: lanes.map(|lane| members.get(lane).map_or(u32::MAX, |k| *k as u32)),
                ends: [of(0), of(1)],
                rest: lanes.map(|lane| members.get(lane).map_or(1.0, |k| edges[*k].rest)),
                lanes: lanes.iter().filter(|lane| **lane < members.len()).fold(0, |bits, lane| bits | 1 << lane),
            }
        };
        let mut groups = vec![];
        for wave in &mut waves {
            wave.sort_by_key(|k| {
                let [i, j] = ends(*k);
                (j as i64 - i as i64, i)
            });
            let mut scattered = vec![];
            for row in wave.chunk_by(|a, b| ends(*b) == ends(*a).map(|end| end + 1)) {
                match row.len() < ROW {
                    true => scattered.extend(row),
                    false => groups.extend(row.chunks(LANES).map(|members| group(members, true))),
                }
            }
            groups.extend(scattered.chunks(LANES).map(|members| group(members, false)));
        }
        let zeros = || std::array::from_fn(|_| vec![0.0; particles + 2 + LANES]);
        Waves { set: InstructionSet::best(), groups, edges: edges.len(), order, x: zeros(), moves: zeros() }
    }

    /// Runs on this instruction set; the bits stay.
    #[cfg(test)]
    pub fn run_on(&mut self, set: InstructionSet) {
        self.set = set;
    }

    /// Improves `x` \[m\] by sweeps until no edge is strained beyond the bound, as
    /// [`sweep_until`](super::sweeps::sweep_until) does.
    pub fn sweep_until(&mut self, constraints: &EdgeConstraints, limits: Limits, sweep: Sweep, x: &mut [Vec3]) -> FilterReport {
        let mut report = FilterReport::begin(constraints.largest_strain(x));
        for q in 0..3 {
            for (here, particle) in self.x[q].iter_mut().zip(&self.order) {
                *here = x[*particle][q];
            }
        }
        let rest = x.len();
        (self.x[0][rest + 1], self.x[1][rest + 1], self.x[2][rest + 1]) = (1.0, 0.0, 0.0);
        let set = self.set;
        report.stop = set.run(Sweeps { waves: self, limits, sweep, report: &mut report });
        for (place, particle) in self.order.iter().enumerate() {
            x[*particle] = Vec3::new(self.x[0][place], self.x[1][place], self.x[2][place]);
        }
        if report.after.is_nan() || report.after.is_infinite() {
            report.after = constraints.largest_strain(x);
        }
        report
    }
}

/// All sweeps of a step.
struct Sweeps<'a> {
    waves: &'a mut Waves,
    limits: Limits,
    sweep: Sweep,
    report: &'a mut FilterReport,
}

impl Kernel for Sweeps<'_> {
    type Output = FilterStop;

    #[inline(always)]
    fn run<E: Eight>(self) -> FilterStop {
        let Sweeps { waves, limits, sweep, report } = self;
        let Waves { groups, edges, x, moves, .. } = waves;
        while report.after.is_finite() && report.after > limits.strain() {
            if report.iterations == limits.iterations() {
                return FilterStop::IterationLimit;
            }
            report.operations += EDGE_OPERATIONS * *edges as u64;
            let coincident = match sweep {
                Sweep::InTurn => in_turn::<E>(groups, x),
                Sweep::Together { factor, bound } => together::<E>(groups, [factor, bound], x, moves),
            };
            if let Some(edge) = coincident {
                report.after = largest_strain::<E>(groups, x);
                return FilterStop::Coincident { edge };
            }
            report.iterations += 1;
            if report.iterations == limits.iterations() || !is_clearly_beyond::<E>(groups, x, limits.strain()) {
                report.after = largest_strain::<E>(groups, x);
            }
        }
        if report.after.is_finite() { FilterStop::Converged } else { FilterStop::NotFinite }
    }
}

/// Every edge to its rest length; the first in the mesh that has no length.
#[inline(always)]
fn in_turn<E: Eight>(groups: &[Group], x: &mut [Vec<f64>; 3]) -> Option<usize> {
    let mut coincident = u32::MAX;
    for Group { numbers, ends: [first, second], rest, lanes } in groups {
        let (mut x_i, mut x_j) = (first.load::<E>(x), second.load::<E>(x));
        let d = minus(x_j, x_i);
        let length = dot(d, d).sqrt();
        coincident = coincident.min(without_length(length, numbers));
        let (w_i, w_j) = (E::load(&first.w), E::load(&second.w));
        let factor = (length - E::load(rest)) / ((w_i + w_j) * length);
        for q in 0..3 {
            let p = factor * d[q];
            x_i[q] = x_i[q] + w_i * p;
            x_j[q] = x_j[q] - w_j * p;
        }
        first.store(x_i, *lanes, x);
        second.store(x_j, *lanes, x);
    }
    (coincident < u32::MAX).then_some(coincident as usize)
}

/// Every edge beyond the bound towards its rest length, all from the same positions.
#[inline(always)]
fn together<E: Eight>(
    groups: &[Group],
    [factor, bound]: [f64; 2],
    x: &mut [Vec<f64>; 3],
    moves: &mut [Vec<f64>; 3],
) -> Option<usize> {
    moves.iter_mut().for_each(|moves| moves.fill(0.0));
    let mut coincident = u32::MAX;
    for Group { numbers, ends: [first, second], rest, lanes } in groups {
        let d = minus(second.load::<E>(x), first.load::<E>(x));
        let length = dot(d, d).sqrt();
        coincident = coincident.min(without_length(length, numbers));
        let rest = E::load(rest);
        let strain = length / rest - E::splat(1.0);
        let beyond = lanes & !E::splat(bound).reaching(strain.max(-strain));
        if beyond == 0 {
            continue;
        }
        let (w_i, w_j) = (E::load(&first.w), E::load(&second.w));
        let factor = (E::splat(factor) * (length - rest) / ((w_i + w_j) * length)).kept(beyond);
        let (mut of_i, mut of_j) = (first.load::<E>(moves), second.load::<E>(moves));
        for q in 0..3 {
            let p = factor * d[q];
            of_i[q] = of_i[q] + w_i * p;
            of_j[q] = of_j[q] - w_j * p;
        }
        first.store(of_i, *lanes, moves);
        second.store(of_j, *lanes, moves);
    }
    for (x, moves) in x.iter_mut().zip(moves) {
        x.iter_mut().zip(moves).for_each(|(x, by)| *x += *by);
    }
    (coincident < u32::MAX).then_some(coincident as usize)
}

/// The least number of an edge without length.
#[inline(always)]
fn without_length<E: Eight>(length: E, numbers: &[u32; LANES]) -> u32 {
    if E::splat(0.0).reaching(length) == 0 {
        return u32::MAX;
    }
    let mut lengths = [0.0; LANES];
    length.store(&mut lengths);
    numbers.iter().zip(lengths).filter(|(_, length)| *length == 0.0).map(|(number, _)| *number).min().unwrap_or(u32::MAX)
}

/// Whether an edge is strained beyond the bound by more than rounding and all have finite lengths: what most sweeps need to know,
/// without a root or a quotient. Most often one of the first edges tells.
#[inline(always)]
fn is_clearly_beyond<E: Eight>(groups: &[Group], x: &[Vec<f64>; 3], bound: f64) -> bool {
    let (largest, mut within) = (E::splat(1e150), u8::MAX); // of coordinates whose squares are finite
    for x in x.iter().flat_map(|x| x.as_chunks().0) {
        let x = E::load(x);
        within &= largest.reaching(x.max(-x));
    }
    if within != u8::MAX {
        return false;
    }
    let [long, short] = [1.0 + bound, (1.0 - bound).max(0.0)];
    let (long, short) = (E::splat(long * long * (1.0 + MARGIN)), E::splat(short * short * (1.0 - MARGIN)));
    groups.iter().any(|Group { ends: [first, second], rest, lanes, .. }| {
        let d = minus(second.load::<E>(x), first.load::<E>(x));
        let (square, rest) = (dot(d, d), E::load(rest));
        let of_rest = rest * rest;
        lanes & (square.reaching(of_rest * long) | !square.reaching(of_rest * short)) != 0
    })
}

/// Largest abs(strain) \[-\]; not a number where one is not finite.
#[inline(always)]
fn largest_strain<E: Eight>(groups: &[Group], x: &[Vec<f64>; 3]) -> f64 {
    let (one, mut largest, mut all_finite) = (E::splat(1.0), E::splat(0.0), E::splat(0.0));
    for Group { ends: [first, second], rest, lanes, .. } in groups {
        let d = minus(second.load::<E>(x), first.load::<E>(x));
        let strain = (dot(d, d).sqrt() / E::load(rest) - one).kept(*lanes);
        largest = strain.max(largest).max(-strain);
        all_finite = all_finite + strain * E::splat(0.0);
    }
    let (mut lanes, mut probes) = ([0.0; LANES], [0.0; LANES]);
    largest.store(&mut lanes);
    all_finite.store(&mut probes);
    match probes.iter().all(|probe| *probe == 0.0) {
        true => lanes.iter().copied().fold(0.0, f64::max),
        false => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Grid;
    use crate::inextensible::fixtures::scrambled;
    use crate::inextensible::sweeps::sweep_until;

    fn sheet(pinned: bool) -> (EdgeConstraints, Vec<Vec3>) {
        let grid = Grid::new(13, 11, 0.2).unwrap();
        let masses: Vec<f64> = (0..143).map(|k| 0.1 + 0.02 * f64::from(k % 4)).collect();
        let held: Vec<bool> = (0..143).map(|k| pinned && k % 50 == 0).collect();
        (EdgeConstraints::new(&EdgeConstraints::edges_of_grid(&grid), &masses, &held).unwrap(), scrambled(&grid, 0.05))
    }

    #[test]
    fn waves_have_the_bits_of_one_edge_after_the_other() {
        for (pinned, strain, iterations) in [(false, 1e-3, 400), (true, 1e-9, 30)] {
            let (constraints, candidate) = sheet(pinned);
            let limits = Limits::new(strain, iterations).unwrap();
            let (edges, w) = (constraints.edges(), constraints.inverse_masses());
            let mut expected = candidate.clone();
            let report = sweep_until(&constraints, limits, &mut expected, |x, report| {
                report.operations += EDGE_OPERATIONS * edges.len() as u64;
                for (k, edge) in edges.iter().enumerate() {
                    let (_, length) = edge.direction(x).ok_or(FilterStop::Coincident { edge: k })?;
                    let factor = (length - edge.rest) / ((w[edge.i] + w[edge.j]) * length);
                    edge.pull(factor * edge.vector(x), w, x);
                }
                Ok(())
            });
            assert!(report.iterations > 20);
            for set in InstructionSet::supported() {
                let (mut waves, mut x) = (Waves::new(&constraints), candidate.clone());
                waves.run_on(set);
                assert_eq!(waves.sweep_until(&constraints, limits, Sweep::InTurn, &mut x), report, "{set}");
                assert_eq!(x, expected, "{set}");
            }
        }
    }

    #[test]
    fn sweeps_together_have_the_same_bits_on_every_instruction_set() {
        let (constraints, candidate) = sheet(true);
        let (edges, w) = (constraints.edges(), constraints.inverse_masses());
        let (limits, factor, bound) = (Limits::new(1e-3, 200).unwrap(), 0.5, 1e-3);
        let mut expected = candidate.clone();
        let report = sweep_until(&constraints, limits, &mut expected, |x, report| {
            let mut moves = vec![Vec3::zeros(); x.len()];
            for (k, edge) in edges.iter().enumerate() {
                let (_, length) = edge.direction(x).ok_or(FilterStop::Coincident { edge: k })?;
                if (length / edge.rest - 1.0).abs() > bound {
                    let factor = factor * (length - edge.rest) / ((w[edge.i] + w[edge.j]) * length);
                    edge.pull(factor * edge.vector(x), w, &mut moves);
                }
            }
            x.iter_mut().zip(&moves).for_each(|(x, by)| *x += by);
            report.operations += EDGE_OPERATIONS * edges.len() as u64;
            Ok(())
        });
        for set in InstructionSet::supported() {
            let (mut waves, mut x) = (Waves::new(&constraints), candidate.clone());
            waves.run_on(set);
            let found = waves.sweep_until(&constraints, limits, Sweep::Together { factor, bound }, &mut x);
            assert_eq!((found, &x), (report, &expected), "{set}");
        }
    }

    #[test]
    fn ends_of_a_sheet_are_neighbours_in_memory() {
        for side in [31, 71] {
            let grid = Grid::new(side, side, 0.1).unwrap();
            let count = side * side;
            let edges = EdgeConstraints::edges_of_grid(&grid);
            let waves = Waves::new(&EdgeConstraints::new(&edges, &vec![1.0; count], &vec![false; count]).unwrap());
            let edges_of = |in_a_row: bool| {
                let groups = waves.groups.iter().filter(|group| group.ends[0].in_a_row == in_a_row);
                groups.map(|group| group.lanes.count_ones() as usize).sum::<usize>()
            };
            assert_eq!(edges_of(true) + edges_of(false), edges.len());
            assert!(8 * edges_of(false) < edges_of(true), "{side}: {} of {}", edges_of(false), edges.len());
        }
    }

    #[test]
    fn the_first_edge_without_length_is_told_and_so_is_what_is_not_finite() {
        let (constraints, mut x) = sheet(false);
        let edges = constraints.edges();
        for k in [70, 200] {
            x[edges[k].j] = x[edges[k].i];
        }
        let limits = Limits::new(1e-3, 5).unwrap();
        let sweep = Sweep::Together { factor: 0.5, bound: 1e-3 };
        let stop = Waves::new(&constraints).sweep_until(&constraints, limits, sweep, &mut x.clone()).stop;
        assert_eq!(stop, FilterStop::Coincident { edge: 70 });
        x[5].x = f64::NAN;
        assert_eq!(Waves::new(&constraints).sweep_until(&constraints, limits, sweep, &mut x).stop, FilterStop::NotFinite);
    }
}
