//! The patch of figure 1: held at two corners and relaxed under gravity, by permissible strain.

use cloth::Family;
use cloth::inextensible::{Edge, MethodKind};
use kit::prelude::*;

use super::relaxed_chart;
use super::scenes::{DENSITY, DIAGONAL};

ranges!(RelaxedRanges {
    //! The patch, its strains and its steps.
    /// Particles a side.
    side: Side,
    /// Distance of the two pins \[m\], below 1 by the slack of the row between them.
    span: Positive,
    /// Permissible strains \[-\].
    strains: List<Positive>,
    /// Steps a second.
    rate: Count,
    /// Simulated time \[s\].
    duration: Positive,
    /// Resistance of the air \[1/s\], about what brings it to rest fastest.
    air: Positive,
    /// Permissible strains of the patches of springs \[-\].
    rest_strains: List<Positive>,
    /// Step by which springs come to rest \[s\].
    settling: Positive,
    /// Largest speed of a particle at rest \[m/s\].
    still: Positive,
    /// Every so many particles are in the pictures.
    stride: Count,
});

row! {
    /// What came of a permissible strain.
    pub struct RelaxedRow {
        /// particles a side
        pub side: usize,
        /// permissible abs(strain) of warp and weft
        pub strain: f64,
        /// why the method ended in the last step; refused: means nothing
        pub status: Status,
        /// when the run ended early, or why it was refused
        pub reason: Option<String>,
        /// simulated time \[s\]
        pub time: f64,
        /// lowest point below the pins, its mean over the last second; none of a run that did not come to it \[m\]
        pub lowest: Option<f64>,
        /// its least in the last second \[m\]
        pub least: Option<f64>,
        /// its greatest in the last second \[m\]
        pub most: Option<f64>,
        /// largest kinetic energy in the last second \[J\]
        pub kinetic: Option<f64>,
        /// largest abs(strain) at the end
        pub largest: Option<f64>,
        /// 99th percentile of abs(strain) at the end
        pub percentile99: Option<f64>,
        /// median of abs(strain) at the end
        pub median: Option<f64>,
        /// mean of abs(strain) at the end
        pub mean: Option<f64>,
        /// iterations of fast projection
        pub iterations: u64,
        /// numeric factorisations
        pub factorisations: u64,
    }
}

row! {
    /// A particle of a patch of springs at rest, or why there is none.
    pub struct PatchRow {
        /// permissible abs(strain) of warp and weft
        pub strain: f64,
        /// particles of a row of the picture
        pub across: usize,
        /// at rest, or not at rest; refused: means nothing
        pub status: Status,
        /// what did not come to an end, or why it was refused
        pub reason: Option<String>,
        /// of the springs of warp and weft \[N/m\]
        pub stiffness: Option<f64>,
        /// largest abs(strain) at rest
        pub largest: Option<f64>,
        /// largest speed of a particle there \[m/s\]
        pub speed: Option<f64>,
        /// lowest point below the pins \[m\]
        pub lowest: Option<f64>,
        /// place of a particle at rest, to a tenth of a millimetre, row by row \[m\]
        pub x: Option<f64>,
        /// the same \[m\]
        pub y: Option<f64>,
        /// the same \[m\]
        pub z: Option<f64>,
    }
}

impl PatchRow {
    /// Its place \[m\].
    pub fn place(&self) -> Option<[f64; 3]> {
        Some([self.x?, self.y?, self.z?])
    }
}

/// Most iterations of a step: the taut upper border is met slowly.
const ITERATIONS: u64 = 100;

/// The patch under way.
struct Patch {
    net: Net,
    forces: ForwardBackwardEuler,
    filter: Filter,
    state: State,
}

impl Patch {
    /// A sheet of 1 m whose rows hang as arcs between the two ends of the last one, which are held `span` \[m\] apart; all edges
    /// have their length.
    fn new(ranges: &RelaxedRanges, limits: Limits) -> Result<Patch, ModelError> {
        let side = ranges.side.get() as usize;
        let grid = Grid::new(side, side, 1.0 / (side - 1) as f64)?;
        let arc = arc(side, ranges.span.get().min(1.0));
        let x = (0..side * side).map(|k| arc[k % side] + (k / side) as f64 * grid.spacing() * Vec3::y()).collect();
        let (masses, pinned) = corners(side);
        let edges: Vec<Edge> = EdgeConstraints::edges_of_grid(&grid);
        let constraints = EdgeConstraints::new(&edges, &masses, &pinned)?;
        let shear = grid.springs().into_iter().filter(|spring| spring.family == Family::Shear);
        let elastic = Elastic { stiffness: DIAGONAL, damping: 0.0 };
        let diagonals = shear.map(|spring| NetSpring { i: spring.i, j: spring.j, rest: spring.rest, elastic });
        let mut net = Net::new(masses, pinned, diagonals.collect())?;
        net.air = ranges.air.get();
        let method = MethodKind::FastProjection.build(constraints, limits);
        let (forces, filter) = (ForwardBackwardEuler::new(side * side), Filter::new(method));
        Ok(Patch { net, forces, filter, state: State::at_rest(x) })
    }
}

/// `count` points in the plane of x and z, 1 / (count - 1) apart, on an arc that hangs between two points `span` \[m\] apart, <= 1.
fn arc(count: usize, span: f64) -> Vec<Vec3> {
    let edges = (count - 1) as f64;
    let chord = |turn: f64| {
        let half = 0.5 * turn; // an edge turns by `turn` against the one before
        if half > 0.0 { libm::sin(edges * half) / (edges * libm::sin(half)) } else { 1.0 }
    };
    let (mut low, mut high) = (0.0, std::f64::consts::PI / edges);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if chord(middle) > span { low = middle } else { high = middle }
    }
    let mut points = vec![Vec3::new(0.5 * (1.0 - span), 0.0, 0.0)];
    for k in 0..count - 1 {
        let angle = (k as f64 - 0.5 * (edges - 1.0)) * low;
        let step = Vec3::new(libm::cos(angle), 0.0, libm::sin(angle)) / edges;
        points.push(points[k] + step);
    }
    points
}

/// How near the largest strain comes to the permissible one \[-\], stiffnesses that are tried, and steps of each.
const NEAR: f64 = 0.01;
const TRIES: u32 = 20;
const STEPS: u32 = 4000;

/// A patch of springs at rest.
struct AtRest {
    stiffness: f64,
    largest: f64,
    speed: f64,
    x: Vec<Vec3>,
}

impl RelaxedRanges {
    /// The sheet between pins exactly 1 m apart, at rest with springs of the stiffness at which its largest strain is `strain`;
    /// the last one tried, and what did not come to an end.
    ///
    /// # Errors
    /// A sheet or a stiffness that means nothing.
    fn at_rest(&self, strain: f64) -> Result<(AtRest, Option<&'static str>), ModelError> {
        let side = self.side.get() as usize;
        let grid = Grid::new(side, side, 1.0 / (side - 1) as f64)?;
        let (masses, pinned) = corners(side);
        let constraints = EdgeConstraints::new(&EdgeConstraints::edges_of_grid(&grid), &masses, &pinned)?;
        let mut state = State::at_rest(grid.flat());
        let weight = masses.iter().sum::<f64>() * GRAVITY;
        let mut stiffness = weight / (strain * grid.spacing()); // of two edges, each of which carries about all of it
        for tried in 0..TRIES {
            let mut net = Net::new(masses.clone(), pinned.clone(), springs(&grid, stiffness))?;
            net.air = self.air.get();
            let settings = Settings { solver: Solver::Direct, ..Settings::default() };
            let mut scheme = BackwardEuler::new(&net, settings);
            let mut speed = f64::INFINITY;
            for _ in 0..STEPS {
                scheme.step(&net, self.settling.get(), &mut state);
                speed = state.v.iter().map(|v| v.norm()).fold(0.0, f64::max);
                if speed <= self.still.get() || !state.is_finite() {
                    break;
                }
            }
            let largest = constraints.largest_strain(&state.x);
            let trouble = match () {
                () if !largest.is_finite() => Some("no finite number"),
                () if speed > self.still.get() => Some("the patch still moves"),
                () if (largest / strain - 1.0).abs() > NEAR => Some("no stiffness gives the strain"),
                () => None,
            };
            if trouble.is_none() || !largest.is_finite() || tried + 1 == TRIES {
                return Ok((AtRest { stiffness, largest, speed, x: state.x }, trouble));
            }
            stiffness *= (largest / strain).clamp(0.1, 10.0); // strain goes about with the inverse of stiffness
        }
        unreachable!("the last try returns")
    }
}

/// Masses of a sheet \[kg\], and the two ends of its last row held.
fn corners(side: usize) -> (Vec<f64>, Vec<bool>) {
    let mut pinned = vec![false; side * side];
    pinned[side * (side - 1)] = true;
    pinned[side * side - 1] = true;
    (vec![DENSITY / (side * side) as f64; side * side], pinned)
}

/// The diagonal springs of the protocol, and springs of `stiffness` \[N/m\] along warp and weft.
fn springs(grid: &Grid, stiffness: f64) -> Vec<NetSpring> {
    let of = |spring: cloth::Spring| {
        let stiffness = match spring.family {
            Family::Stretch => stiffness,
            Family::Shear => DIAGONAL,
            _ => return None,
        };
        Some(NetSpring { i: spring.i, j: spring.j, rest: spring.rest, elastic: Elastic { stiffness, damping: 0.0 } })
    };
    grid.springs().into_iter().filter_map(of).collect()
}

/// Every permissible strain.
pub struct Relaxed(pub RelaxedRanges);

/// Every permissible strain, each step corrected.
pub struct RelaxedAlways(pub RelaxedRanges);

/// The patches of springs.
pub struct Patches(pub RelaxedRanges);

impl RelaxedRanges {
    fn strain(&self, set: u64) -> f64 {
        self.strains.values()[set as usize].get()
    }

    /// What came of a strain, with steps beyond it corrected alone or, where they are to be, all.
    fn run(&self, strain: f64, every_step: bool) -> RelaxedRow {
        let row = RelaxedRow { side: self.side.get() as usize, strain, status: Status::Refused, ..RelaxedRow::default() };
        let limits = Limits::new(strain, ITERATIONS).map(|limits| if every_step { limits.in_every_step() } else { limits });
        let Patch { net, mut forces, mut filter, mut state } = match limits.and_then(|limits| Patch::new(self, limits)) {
            Ok(patch) => patch,
            Err(invalid) => return RelaxedRow { reason: Some(invalid.to_string()), ..row },
        };
        let rate = f64::from(self.rate.get());
        let steps = (self.duration.get() * rate).round() as u64;
        let last_second = steps - (rate as u64).min(steps);
        let (mut sum, mut count) = (0.0, 0.0);
        let (mut least, mut most, mut kinetic) = (f64::INFINITY, 0.0_f64, 0.0_f64);
        let (mut kept, mut shown) = (state.clone(), FilmRecorder::new(steps));
        for step in 1..=steps {
            let ended = filter.step(&mut forces, &net, 1.0 / rate, &mut state);
            if ended.is_err() {
                break;
            }
            shown.step(&net, &state);
            kept.copy_from(&state);
            if step > last_second {
                let lowest = -state.x.iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
                (sum, count) = (sum + lowest, count + 1.0);
                (least, most) = (least.min(lowest), most.max(lowest));
                let energy = |(v, m): (&Vec3, &f64)| 0.5 * m * v.norm_squared();
                kinetic = kinetic.max(state.v.iter().zip(net.masses()).map(energy).sum());
            }
        }
        let strains = StrainOf::default().state(filter.method().constraints(), &kept.x);
        let work = filter.filter_work();
        let done = work.steps - work.failed;
        let stop = filter.last().stop;
        let in_the_last_second = |value: f64| (count > 0.0).then_some(value);
        RelaxedRow {
            status: stop.into(),
            reason: (!stop.is_usable()).then(|| format!("after {} steps", work.steps)),
            time: done as f64 / rate,
            lowest: in_the_last_second(sum / count),
            least: in_the_last_second(least),
            most: in_the_last_second(most),
            kinetic: in_the_last_second(kinetic),
            largest: Some(strains.largest),
            percentile99: Some(strains.percentile99),
            median: Some(strains.median),
            mean: Some(strains.mean),
            iterations: work.iterations,
            factorisations: work.factorisations,
            ..row
        }
    }
}

impl Group for Relaxed {
    const NAME: &'static str = "relaxed";
    const ABOUT: &'static str = "a patch held at two corners and relaxed under gravity, by permissible strain of fast projection";
    const SAMPLED: bool = false;
    type Case = f64;
    type Row = RelaxedRow;

    fn sets(&self) -> u64 {
        self.0.strains.values().len() as u64
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> f64 {
        self.0.strain(set)
    }

    fn measure(&self, strain: &f64) -> Vec<RelaxedRow> {
        vec![self.0.run(*strain, false)]
    }
}

impl Group for RelaxedAlways {
    const NAME: &'static str = "relaxed-always";
    const ABOUT: &'static str = "the patches of the group relaxed, by fast projection that corrects every step";
    type Case = f64;
    type Row = RelaxedRow;

    fn listed(&self) -> Vec<f64> {
        self.0.strains.values().iter().map(|value| value.get()).collect()
    }

    fn measure(&self, strain: &f64) -> Vec<RelaxedRow> {
        vec![self.0.run(*strain, true)]
    }
}

impl Group for Patches {
    const NAME: &'static str = "patches";
    const ABOUT: &'static str = "a patch of springs held at two corners, at rest, every few particles";
    type Case = f64;
    type Row = PatchRow;

    fn listed(&self) -> Vec<Self::Case> {
        self.0.rest_strains.values().iter().map(|value| value.get()).collect()
    }

    fn measure(&self, &strain: &f64) -> Vec<PatchRow> {
        self.0.patch(strain)
    }
}

impl RelaxedRanges {
    fn patch(&self, strain: f64) -> Vec<PatchRow> {
        let side = self.side.get() as usize;
        let kept: Vec<usize> = (0..side - 1).step_by(self.stride.get() as usize).chain([side - 1]).collect();
        let row = PatchRow { strain, across: kept.len(), status: Status::Refused, ..PatchRow::default() };
        let (AtRest { stiffness, largest, speed, x }, trouble) = match self.at_rest(strain) {
            Ok(found) => found,
            Err(invalid) => return vec![PatchRow { reason: Some(invalid.to_string()), ..row }],
        };
        let status = if trouble.is_none() { Status::AtRest } else { Status::NotAtRest };
        let row = PatchRow { status, reason: trouble.map(str::to_owned), stiffness: Some(stiffness), ..row };
        if !largest.is_finite() {
            return vec![row];
        }
        let lowest = -x.iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
        let row = PatchRow { largest: Some(largest), speed: Some(speed), lowest: Some(lowest), ..row };
        let tenth = |q: f64| Some((q * 1e4).round() / 1e4);
        let shown = kept.iter().flat_map(|j| kept.iter().map(move |i| j * side + i)).filter_map(|index| x.get(index));
        shown.map(|x| PatchRow { x: tenth(x.x), y: tenth(x.y), z: tenth(x.z), ..row.clone() }).collect()
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Relaxed(ranges.relaxed.clone()))
        .table(Patches(ranges.relaxed.clone()))
        .table(RelaxedAlways(ranges.relaxed.clone()))
        .plot("relaxed", relaxed_chart::chart)
        .checked(check_rates("relaxed.duration", ranges.relaxed.duration.get(), [ranges.relaxed.rate.get()]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn springs_come_to_rest_with_the_strain_that_is_asked_for() {
        let ranges = r#"
            side = 6
            span = 0.98
            strains = [0.1]
            rate = 60
            duration = 1.0
            air = 8.0
            rest_strains = [0.1, 0.01]
            settling = 0.05
            still = 1e-5
            stride = 1
        "#;
        let ranges: RelaxedRanges = kit::ranges::stated(ranges);
        let [soft, stiff] = [0.1, 0.01].map(|strain| ranges.patch(strain));
        assert!(soft.len() == 36 && [&soft, &stiff].iter().all(|patch| patch[0].status == Status::AtRest), "{:?}", soft[0]);
        let of = |patch: &[PatchRow], pick: fn(&PatchRow) -> Option<f64>| pick(&patch[0]).expect("a number");
        assert!((of(&soft, |row| row.largest) / 0.1 - 1.0).abs() < NEAR && of(&soft, |row| row.speed) <= 1e-5);
        assert!(of(&soft, |row| row.lowest) > of(&stiff, |row| row.lowest) + 0.01);
        assert!(of(&stiff, |row| row.stiffness) > 5.0 * of(&soft, |row| row.stiffness));
    }

    #[test]
    fn an_arc_keeps_the_length_of_its_edges_and_its_span() {
        let points = arc(21, 0.98);
        assert!(points.windows(2).all(|pair| ((pair[1] - pair[0]).norm() - 0.05).abs() < 1e-15));
        let (first, last) = (points[0], points[20]);
        assert!((last - first - 0.98 * Vec3::x()).norm() < 1e-12 && (first.x - 0.01).abs() < 1e-15, "{last}");
        assert!(points[10].z < -0.05 && points[10].x - 0.5 < 1e-12);
        let taut = arc(5, 1.0);
        assert!(taut.iter().all(|x| x.z.abs() < 1e-12) && (taut[4] - Vec3::x()).norm() < 1e-12);
    }
}
