//! A chain between two points: of springs, to rest by damped Newton, and of rigid links, damped until it rests. N-CATENARY,
//! N-CATENARY-CONSTRAINTS.

use analytic::catenary::{Catenary, ElasticCatenary};
use cloth::inextensible::{Edge, MethodKind};
use cloth::statics::{Rest, Statics};
use kit::prelude::*;

use super::board::{Entry, Rungs, bound_line};
use super::selection::{Held, Subject};

ranges!(CatenaryRanges {
    //! Chains.
    /// Links of a chain, rising.
    links: List<Count>,
    /// Strain of springs by the weight of the chain, mu g L/EA \[-\].
    softness: List<Positive>,
    /// Step of the methods that keep links at their length \[s\].
    step: Positive,
    /// Resistance of the air to them \[1/s\], about what brings a chain to rest fastest.
    air: Positive,
    /// Time at which they must rest \[s\].
    duration: Positive,
});

/// L \[m\], mu \[kg/m\], and the second point, beside and above the first one \[m\].
pub const LENGTH: f64 = 1.0;
const MASS: f64 = 0.2;
pub const SPAN: f64 = 0.6;
pub const RISE: f64 = 0.2;
/// The largest error of a chain \[L\], in the ledger.
const ERROR: Claimed<'static> = Claimed::of("N-CATENARY", "error");
/// Strain that the methods permit \[-\], and the solves or sweeps that they may take.
const STRAIN: f64 = 1e-10;
const SOLVES: u64 = 1000;
/// Speed below which a chain rests \[m/s\].
const STILL: f64 = 1e-9;

words! {
    /// What keeps links at their length.
    pub enum Keeper {
        Springs = "springs",
        FastProjection = "fast projection",
        Icd = "icd",
        Shake = "shake",
        Rattle = "rattle",
    }
}

impl Keeper {
    fn method(self) -> Option<MethodKind> {
        Some(match self {
            Keeper::Springs => return None,
            Keeper::FastProjection => MethodKind::FastProjection,
            Keeper::Icd => MethodKind::Icd,
            Keeper::Shake => MethodKind::Shake,
            Keeper::Rattle => MethodKind::Rattle,
        })
    }
}

row! {
    /// A chain at rest.
    pub struct CatenaryRow {
        /// springs, or the method that keeps links at their length
        pub keeper: Keeper,
        /// links of the chain
        pub links: u32,
        /// strain of springs by the weight of the chain; none of rigid links
        pub softness: Option<f64>,
        /// largest distance of a particle from its place, over the length
        pub off: Option<f64>,
        /// Newton steps of springs, steps in time of methods
        pub steps: u64,
        /// largest force that is left over the weight, of springs
        pub residual: Option<f64>,
        /// largest speed at the end, of methods \[m/s\]
        pub speed: Option<f64>,
    }
}

/// A chain of a kind.
#[derive(Clone, Copy)]
pub struct Chain {
    keeper: Keeper,
    softness: Option<f64>,
    links: usize,
}

impl Held for Chain {
    fn subject(&self) -> Subject {
        let name = |method: MethodKind| Subject::Method([method.name().into(), self.keeper.to_string()]);
        self.keeper.method().map_or(Subject::Other, name)
    }
}

impl Chain {
    fn h(&self) -> f64 {
        LENGTH / self.links as f64
    }

    /// Masses, half at the ends, which are held, and springs between them.
    fn net(&self) -> Result<Net, ModelError> {
        let (links, h) = (self.links, self.h());
        let mass = |i: usize| MASS * h * if i == 0 || i == links { 0.5 } else { 1.0 };
        let stiffness = self.softness.map(|softness| MASS * GRAVITY * LENGTH / softness / h); // EA/h
        let spring =
            |j: usize| Some(NetSpring { i: j, j: j + 1, rest: h, elastic: Elastic { stiffness: stiffness?, damping: 0.0 } });
        Net::new(
            (0..=links).map(mass).collect(),
            (0..=links).map(|i| i == 0 || i == links).collect(),
            (0..links).filter_map(spring).collect(),
        )
    }

    /// Links on a zigzag of rods that hangs from the two points: two straight parts of which each link keeps its length.
    fn start(&self) -> Vec<Vec3> {
        let (links, h) = (self.links, self.h());
        let end = Vec3::new(SPAN, 0.0, RISE);
        let reach = end.norm();
        let down = Vec3::new(RISE, 0.0, -SPAN) / reach; // across the line between the points, below it
        // two parts of lengths a and b meet below the line at a distance t along it: t² + d² = a², (reach - t)² + d² = b²
        let first = links / 2;
        let [a, b] = [first as f64 * h, (links - first) as f64 * h];
        let along = (reach * reach + a * a - b * b) / (2.0 * reach);
        let lowest = along * end / reach + libm::sqrt(a * a - along * along) * down;
        let at = |i: usize| {
            if i <= first {
                i as f64 / first as f64 * lowest
            } else {
                lowest + (i - first) as f64 / (links - first) as f64 * (end - lowest)
            }
        };
        (0..=links).map(at).collect()
    }

    /// Springs at rest, or where they are when no step leads on.
    fn at_rest(&self) -> Option<(Vec<Vec3>, Rest)> {
        let net = self.net().ok()?;
        let mut x = self.start();
        let rest = Statics::new(&net, &x).and_then(|mut statics| statics.settle(&mut x)).ok()?;
        Some((x, rest))
    }

    /// Places of springs at rest, of a softness and a number of links.
    pub fn hung(softness: f64, links: usize) -> Option<Vec<Vec3>> {
        let (x, rest) = Chain { keeper: Keeper::Springs, softness: Some(softness), links }.at_rest()?;
        rest.is_settled().then_some(x)
    }

    /// Largest distance from where particles should be \[L\].
    fn off(&self, x: &[Vec3]) -> Option<f64> {
        let place: Box<dyn Fn(f64) -> [f64; 2]> = match self.softness {
            Some(softness) => {
                let chain = ElasticCatenary::new(LENGTH, softness / LENGTH, SPAN, RISE).ok()?;
                Box::new(move |s| chain.place(s))
            }
            None => {
                let chain = Catenary::new(LENGTH, SPAN, RISE).ok()?;
                Box::new(move |s| chain.place(s))
            }
        };
        let off = x.iter().enumerate().map(|(i, x)| {
            let [across, up] = place(i as f64 * self.h());
            libm::hypot(x.x - across, x.z - up)
        });
        finite(off.fold(0.0, f64::max) / LENGTH)
    }
}

/// Chains by the number of links.
pub struct Chains(pub CatenaryRanges);

impl Chains {
    fn by_springs(chain: &Chain) -> Option<CatenaryRow> {
        let (x, rest) = chain.at_rest()?;
        let off = rest.is_settled().then(|| chain.off(&x)).flatten();
        Some(CatenaryRow { off, steps: rest.iterations.into(), residual: finite(rest.residual), ..CatenaryRow::default() })
    }

    fn by_method(&self, chain: &Chain, method: MethodKind) -> Option<CatenaryRow> {
        let mut net = chain.net().ok()?;
        net.air = self.0.air.get();
        let edge = |j: usize| Edge { i: j, j: j + 1, rest: chain.h() };
        let edges: Vec<Edge> = (0..chain.links).map(edge).collect();
        let constraints = EdgeConstraints::new(&edges, net.masses(), net.pinned()).ok()?;
        let method = method.build(constraints, Limits::new(STRAIN, SOLVES).ok()?);
        let (mut forces, mut filter) = (ForwardBackwardEuler::new(net.particle_count()), Filter::new(method));
        let mut state = State::at_rest(chain.start());
        let (dt, mut speed, mut taken) = (self.0.step.get(), f64::INFINITY, 0);
        let steps = (self.0.duration.get() / dt).round() as u64;
        while taken < steps && speed > STILL {
            let ended = filter.step(&mut forces, &net, dt, &mut state);
            taken += 1;
            speed = state.v.iter().map(|v| v.norm()).fold(0.0, f64::max);
            if ended.is_err() || !speed.is_finite() || !filter.converged() {
                break;
            }
        }
        let off = (speed <= STILL && filter.converged()).then(|| chain.off(&state.x)).flatten();
        Some(CatenaryRow { off, steps: taken, speed: finite(speed), ..CatenaryRow::default() })
    }
}

impl Group for Chains {
    const NAME: &'static str = "catenary";
    const ABOUT: &'static str = "chains between two points";
    type Case = Chain;
    type Row = CatenaryRow;

    fn listed(&self) -> Vec<Chain> {
        let springs = self.0.softness.values().iter().map(|softness| (Keeper::Springs, Some(softness.get())));
        let methods = Keeper::ALL.into_iter().filter(|keeper| keeper.method().is_some()).map(|keeper| (keeper, None));
        let kinds = springs.chain(methods);
        let of = |(keeper, softness)| {
            self.0.links.values().iter().map(move |links| Chain { keeper, softness, links: links.get() as usize })
        };
        kinds.flat_map(of).collect()
    }

    fn kin(&self, chain: &Chain) -> u64 {
        chain.links as u64
    }

    fn measure(&self, chain: &Chain) -> Vec<CatenaryRow> {
        let row = match chain.keeper.method() {
            None => Chains::by_springs(chain),
            Some(method) => self.by_method(chain, method),
        };
        let &Chain { keeper, softness, links } = chain;
        vec![CatenaryRow { keeper, softness, links: links as u32, ..row.unwrap_or_default() }]
    }
}

/// Chains of one kind, by the number of links.
fn kinds(rows: &[CatenaryRow]) -> Vec<Rungs<String>> {
    let by_kind = grouped(rows.iter().map(|row| ((row.keeper, row.softness), (row.links, row.off))));
    let of = |((keeper, softness), errors): ((Keeper, Option<f64>), Vec<_>)| {
        let method = softness.map_or_else(|| keeper.to_string(), |softness| format!("{keeper}, strain {softness:e}"));
        Rungs { method, errors }
    };
    by_kind.into_iter().map(of).collect()
}

pub fn entries(rows: &[CatenaryRow]) -> Vec<Entry> {
    kinds(rows).iter().map(|kind| kind.entry(Chains::NAME, ERROR)).collect()
}

fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let layers = kinds(&results.without_sets::<Chains>()?).into_iter().enumerate().flat_map(|(k, kind)| {
        let points = kind.errors.iter().filter_map(|(links, off)| Some([f64::from(*links), (*off)?])).collect();
        Layer::marked_line(kind.method, Palette::series(k), points)
    });
    let panel = Panel::new(
        Axis::log("links"),
        Axis::log("largest distance over the length"),
        layers.chain([bound_line(ERROR)]).collect(),
    );
    let caption = "How far particles of a chain that hangs between two points are from their places, by the number of links.";
    Ok(Figure::new("catenary", "Chains beside the catenary", caption, vec![panel.legend_outside()]))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let CatenaryRanges { duration, step, .. } = &ranges.catenary;
    Topic::of(Chains(ranges.catenary.clone())).plot("catenary", chart).checked(check_steps(
        "catenary.duration",
        duration.get(),
        step.get(),
    ))
}
