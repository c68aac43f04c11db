//! Orders of accuracy in positions, velocities and accelerations, on a smooth problem: a swinging chain of springs.

use kit::method_colors::color;
use kit::prelude::*;

use super::limits::Limit;
use super::select::named;

ranges!(OrderRanges {
    //! The chain, and the steps.
    /// Free particles of the chain.
    particles: Count,
    /// Mass of each \[kg\].
    mass: Positive,
    /// Stiffness of the springs \[N/m\].
    stiffness: Positive,
    /// Damping of the springs \[N s/m\].
    damping: Positive,
    /// rho_inf of generalized-alpha.
    limits: List<Limit>,
    /// Numbers of steps.
    steps: List<Count>,
    /// Steps of the reference over the most of these.
    finer: Count,
    /// Simulated time \[s\].
    duration: Positive,
});

row! {
    /// A scheme with a number of steps, its errors or why it has none.
    pub struct OrderRow {
        /// the time integrator
        pub scheme: String,
        /// high-frequency dissipation limit of generalized-alpha; none for others
        pub rho_inf: Option<f64>,
        /// Newton steps: once or converged
        pub newton: String,
        /// exact or filtered
        pub hessian: String,
        /// dt, time step \[s\]
        pub step: f64,
        /// finished, unstable or refused
        pub status: Status,
        /// what went wrong
        pub reason: Option<String>,
        /// largest error of a position at the end; none where the run or its reference blew up \[m\]
        pub position: Option<f64>,
        /// largest error of a velocity at the end \[m/s\]
        pub velocity: Option<f64>,
        /// largest error of the acceleration state at the end; none for schemes without \[m/s²\]
        pub acceleration: Option<f64>,
        /// largest error of a position after a single step from the moving chain in the middle of the run \[m\]
        pub first_position: Option<f64>,
        /// largest error of a velocity after that step \[m/s\]
        pub first_velocity: Option<f64>,
    }
}

/// A scheme of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scheme {
    BackwardEuler,
    Bdf2,
    Midpoint,
    GeneralizedAlpha(DissipationLimit),
}

/// A scheme with its Newton steps and Hessian.
pub type Case = (Scheme, Newton, Terms);

const CONVERGED: Newton = Newton::Converged { tolerance: 1e-12, limit: 50 };

/// Every scheme at every step.
pub struct Orders(pub OrderRanges);

impl Orders {
    fn cases(&self) -> Vec<Case> {
        let schemes = Scheme::all(&self.0.limits);
        [(Newton::Once, Terms::Exact), (CONVERGED, Terms::Exact), (Newton::Once, Terms::Filtered)]
            .into_iter()
            .flat_map(|(newton, terms)| schemes.clone().into_iter().map(move |scheme| (scheme, newton, terms)))
            .collect()
    }

    /// A chain that hangs from its first particle, started straight at an angle and stretched.
    ///
    /// # Errors
    /// A quantity that has no meaning.
    fn chain(&self) -> Result<(Net, State), ModelError> {
        let OrderRanges { particles, mass, stiffness, damping, .. } = &self.0;
        let count = particles.get() as usize + 1;
        let elastic = Elastic { stiffness: stiffness.get(), damping: damping.get() };
        let rest = 1.0 / (count - 1) as f64;
        let springs = (1..count).map(|j| NetSpring { i: j - 1, j, rest, elastic }).collect();
        let pinned = (0..count).map(|i| i == 0).collect();
        let net = Net::new(vec![mass.get(); count], pinned, springs)?;
        let place = |i: usize| 1.05 * rest * i as f64 * Vec3::new(0.8, 0.0, -0.6);
        Ok((net, State::at_rest((0..count).map(place).collect())))
    }
}

/// A scheme from a state for some steps: where it ends, or why it does not.
fn run(scheme: &mut dyn Integrator, net: &Net, from: &State, dt: f64, steps: u32) -> Result<State, String> {
    let (mut state, mut shown) = (from.clone(), FilmRecorder::new(steps.into()));
    for step in 1..=steps {
        scheme.step(net, dt, &mut state);
        shown.step(net, &state);
        if !state.is_finite() {
            return Err(format!("not finite after {step} steps"));
        }
    }
    Ok(state)
}

/// A state with what a scheme carries as its acceleration, where it carries one.
type Ended = (State, Option<Vec<Vec3>>);

/// A scheme of the table from a state for some steps.
fn stepped(scheme: Scheme, settings: Settings, net: &Net, from: &State, dt: f64, steps: u32) -> Result<Ended, String> {
    let without = |state: State| (state, None);
    match scheme {
        Scheme::BackwardEuler => run(&mut BackwardEuler::new(net, settings), net, from, dt, steps).map(without),
        Scheme::Bdf2 => run(&mut Bdf2::new(net, settings), net, from, dt, steps).map(without),
        Scheme::Midpoint => run(&mut ImplicitMidpoint::new(net, settings), net, from, dt, steps).map(without),
        Scheme::GeneralizedAlpha(limit) => {
            let mut scheme = GeneralizedAlpha::new(net, settings, limit);
            let state = run(&mut scheme, net, from, dt, steps)?;
            let mut a = accelerated(net, &state);
            scheme.acceleration(net, &state, &mut a);
            Ok((state, Some(a)))
        }
    }
}

/// Accelerations of a state \[m/s²\].
fn accelerated(net: &Net, state: &State) -> Vec<Vec3> {
    let mut a = vec![Vec3::zeros(); state.particle_count()];
    net.accelerate(&state.x, &state.v, &mut a);
    a
}

/// The largest distance of two lists of vectors; none where one is not finite.
fn largest(a: &[Vec3], b: &[Vec3]) -> Option<f64> {
    let mut distances = a.iter().zip(b).map(|(a, b)| (a - b).norm());
    distances.try_fold(0.0, |most: f64, distance| distance.is_finite().then_some(most.max(distance)))
}

impl Scheme {
    /// All of them, generalized-alpha with every limit.
    pub fn all(limits: &List<Limit>) -> Vec<Scheme> {
        let limits = limits.values().iter().filter_map(|limit| DissipationLimit::new(limit.get()).ok());
        [Scheme::BackwardEuler, Scheme::Bdf2, Scheme::Midpoint].into_iter().chain(limits.map(Scheme::GeneralizedAlpha)).collect()
    }

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::BackwardEuler => "backward-euler",
            Scheme::Bdf2 => "bdf2",
            Scheme::Midpoint => "implicit-midpoint",
            Scheme::GeneralizedAlpha(_) => "generalized-alpha",
        }
    }

    /// rho_inf of generalized-alpha.
    pub fn limit(self) -> Option<f64> {
        match self {
            Scheme::GeneralizedAlpha(limit) => Some(limit.get()),
            _ => None,
        }
    }
}

impl Group for Orders {
    const NAME: &'static str = "orders";
    const ABOUT: &'static str = "errors on a swinging chain over steps, in positions, velocities and accelerations";
    type Case = Case;
    type Row = OrderRow;

    fn listed(&self) -> Vec<Self::Case> {
        self.cases()
    }

    fn measure(&self, &(scheme, newton, terms): &Case) -> Vec<OrderRow> {
        let OrderRanges { steps, finer, duration, .. } = &self.0;
        let steps = || steps.values().iter().map(|steps| steps.get());
        let begun = |steps: u32| OrderRow {
            scheme: scheme.name().into(),
            rho_inf: scheme.limit(),
            newton: super::flag::newton(newton).into(),
            hessian: super::flag::hessian(terms).into(),
            step: duration.get() / f64::from(steps),
            status: Status::Refused,
            ..OrderRow::default()
        };
        let (net, start) = match self.chain() {
            Ok(chain) => chain,
            Err(invalid) => {
                return steps().map(|steps| OrderRow { reason: Some(invalid.to_string()), ..begun(steps) }).collect();
            }
        };
        let settings = Settings { solver: Solver::Direct, newton, terms, ..Settings::default() };
        let fine = |from: &State, dt: f64, steps: u32| run(&mut Rk4::new(net.particle_count()), &net, from, dt, steps);
        let most = steps().max().unwrap_or(1) * finer.get();
        let exact = fine(&start, duration.get() / f64::from(most), most);
        let moving = fine(&start, 0.5 * duration.get() / f64::from(most), most);
        let row = |steps: u32| {
            let with = |status: Status, reason| OrderRow { status, reason, ..begun(steps) };
            let dt = duration.get() / f64::from(steps);
            let (state, acceleration) = match stepped(scheme, settings, &net, &start, dt, steps) {
                Ok(ended) => ended,
                Err(reason) => return with(Status::Unstable, Some(reason)),
            };
            let exact = match &exact {
                Ok(exact) => exact,
                Err(reason) => return with(Status::Finished, Some(format!("the reference is {reason}"))),
            };
            let first = moving.as_ref().ok().and_then(|moving| {
                let (state, _) = stepped(scheme, settings, &net, moving, dt, 1).ok()?;
                Some((state, fine(moving, dt / f64::from(finer.get()), finer.get()).ok()?))
            });
            OrderRow {
                position: largest(&state.x, &exact.x),
                velocity: largest(&state.v, &exact.v),
                acceleration: acceleration.and_then(|a| largest(&a, &accelerated(&net, exact))),
                first_position: first.as_ref().and_then(|(state, exact)| largest(&state.x, &exact.x)),
                first_velocity: first.as_ref().and_then(|(state, exact)| largest(&state.v, &exact.v)),
                ..with(Status::Finished, None)
            }
        };
        steps().map(row).collect()
    }
}

/// The order that the paper gives of what a panel shows, through the end of a measured line.
fn published_order(title: &str, measured: &[[f64; 2]]) -> Vec<Layer> {
    let name = format!("order in {title}");
    let curve = Curve::new(PARKS, "", &name);
    let mut points = measured.to_vec();
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let (Some(order), [finest, .., coarsest]) = (curve.number(), &points[..]) else { return vec![] };
    let label = format!("{}: order {order}, height ours", curve.label());
    curve.power_law(*coarsest, [finest[0], coarsest[0]]).into_iter().map(|line| line.labelled(label.clone())).collect()
}

/// Errors over the step.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Orders>()?;
    let runs: Vec<&[Row<OrderRow>]> =
        rows.chunk_by(|a, b| a.set == b.set).filter(|run| run[0].row.newton == "converged").collect();
    let panel = |title: &str, unit: &str, pick: fn(&OrderRow) -> Option<f64>| {
        let points = |run: &[Row<OrderRow>]| -> Vec<[f64; 2]> {
            run.iter().filter_map(|row| Some([row.row.step, pick(&row.row)?])).collect()
        };
        let layers = runs.iter().filter_map(|run| {
            let points = points(run);
            let OrderRow { scheme, rho_inf, .. } = &run[0].row;
            let name = named(scheme, *rho_inf);
            (!points.is_empty()).then(|| Layer::marked_line(name.clone(), color(&name), points))
        });
        let mut layers: Vec<Layer> = layers.flatten().collect();
        let of_paper = runs.iter().find(|run| run[0].row.scheme == "generalized-alpha" && run[0].row.rho_inf == Some(0.0));
        layers.extend(of_paper.into_iter().flat_map(|run| published_order(title, &points(run))));
        Panel::new(Axis::log("dt [s]"), Axis::log(format!("largest error [{unit}]")), layers).titled(title)
    };
    let caption = "A swinging chain of springs against a much finer Runge-Kutta run: slopes are orders. The paper gives orders of \
                   generalized-alpha and no heights: the grey lines meet that of rho_inf = 0 at its largest step.";
    let panels = vec![
        panel("positions", "m", |row| row.position),
        panel("velocities", "m/s", |row| row.velocity),
        panel("accelerations", "m/s²", |row| row.acceleration),
    ];
    Ok(Figure::new("orders", "Errors over the step, Newton converged", caption, panels).with_one_legend())
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let OrderRanges { steps, finer, .. } = &ranges.orders;
    let most = steps.values().iter().map(|steps| steps.get()).max().unwrap_or(1);
    Topic::of(Orders(ranges.orders.clone())).plot("orders", chart).checked(check_steps(
        "orders.finer",
        f64::from(finer.get()),
        1.0 / f64::from(most),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_step_is_of_lower_order_in_velocities_below_rho_inf_of_one() {
        let ranges = "particles = 3\nmass = 0.1\nstiffness = 100.0\ndamping = 0.05\nlimits = [0.0, 1.0]\nsteps = [512, 1024]\nfiner = 16\n\
                      duration = 0.5";
        let orders = Orders(kit::ranges::stated(ranges));
        let exponents = |limit: f64| {
            let scheme = Scheme::GeneralizedAlpha(DissipationLimit::new(limit).unwrap());
            let rows = orders.measure(&(scheme, CONVERGED, Terms::Exact));
            let of = |pick: fn(&OrderRow) -> Option<f64>| libm::log2(pick(&rows[0]).unwrap() / pick(&rows[1]).unwrap());
            [of(|row| row.first_position), of(|row| row.first_velocity), of(|row| row.velocity)]
        };
        for (limit, expected) in [(0.0, [3.0, 2.0, 2.0]), (1.0, [3.0, 3.0, 2.0])] {
            let found = exponents(limit);
            assert!(found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 0.15), "{limit}: {found:?}");
        }
    }
}
