//! Linearised backward Euler on springs of triangles: stability, accuracy, where its gradients point, one Newton step against many.
//! S-BE-STABLE, S-BE-ACCURACY, S-BE-BACK, S-NEWTON-CLOSE.

use cloth::triangles::{SpringMaterial, TriangleMesh};
use kit::prelude::*;

use super::weave::{Weave, Weaves, course, mean_distance, reference, watch};

ranges!(ImplicitRanges {
    //! Sheets and runs.
    /// Number of sheets; every other one is damped.
    sets: Count,
    /// What they are drawn from; shear does not matter.
    weaves: Weaves,
    /// Damping of springs over their stiffness, for every other sheet \[s\], log-uniform.
    damping: Ends,
    /// Simulated time after which errors are taken \[s\]: whole steps at all rates.
    compared: Positive,
    /// Simulated time \[s\].
    duration: Positive,
});

row! {
    /// A sheet by a number of Newton steps and a time step.
    pub struct ImplicitRow {
        /// particles a side
        pub side: usize,
        /// areal density \[kg/m²\]
        pub density: f64,
        /// of the springs along edges \[N/m\]
        pub stiffness: f64,
        /// plain damping of a spring over its stiffness \[s\]
        pub damping: f64,
        /// steps a second
        pub rate: u32,
        /// once or converged
        pub newton: String,
        /// finished, gains energy or not finite
        pub status: Status,
        /// largest energy gained after any step over that of a fall; none where not finite
        pub gain: Option<f64>,
        /// mean distance of particles to the reference; none where the run or the reference is not finished \[m\]
        pub error: Option<f64>,
        /// mean distance of particles between one Newton step and converged ones \[m\]
        pub apart: Option<f64>,
        /// share of steps whose new acceleration has a positive product with the change of velocity; none where not finished
        pub back: Option<f64>,
        /// median over steps of the change of velocity that the new acceleration does not explain; likewise
        pub residual: Option<f64>,
        /// linear systems solved
        pub solves: u64,
        /// steps whose Newton iteration hit its limit
        pub unconverged: u64,
    }
}

/// Steps a second.
pub const RATES: [u32; 3] = [24, 60, 240];

const ONCE: &str = "once";
const CONVERGED: &str = "converged";

/// Newton iterations to the tolerance of the claims.
pub const TO_TOLERANCE: Newton = Newton::Converged { tolerance: 1e-9, limit: 100 };

/// Random sheets of triangles.
pub struct Implicit(pub ImplicitRanges);

/// A sheet of triangles that is held at two corners; without `compression` the springs along its edges are slack in compression.
///
/// # Errors
/// A quantity outside its range.
pub fn triangles(weave: &Weave, compression: bool) -> Result<(Net, State), ModelError> {
    let mesh = TriangleMesh::regular(weave.side, weave.side, 1.0, 1.0)?;
    let elastic = |stiffness: f64| Elastic { stiffness, damping: weave.damping * stiffness };
    let (stretch, bend) = (elastic(weave.stretch), elastic(weave.bend));
    let material = SpringMaterial { density: weave.density, stretch, bend, compression, ..SpringMaterial::default() };
    Ok((mesh.springs(&material, &weave.corners())?, State::at_rest(mesh.positions().to_vec())))
}

impl Implicit {
    /// A run with what it came to by itself, and where it was after the time of comparison if it is finished.
    fn run(&self, net: &Net, start: &State, rate: u32, newton: Newton) -> (ImplicitRow, Option<Vec<Vec3>>) {
        let settings = Settings { solver: Solver::Direct, newton, ..Settings::default() };
        let (mut scheme, mut state, dt) = (BackwardEuler::new(net, settings), start.clone(), 1.0 / f64::from(rate));
        let mut a = vec![Vec3::zeros(); net.particle_count()];
        let compared_at = (self.0.compared.get() * f64::from(rate)).round() as u64;
        let steps = (self.0.duration.get() * f64::from(rate)).round() as u64;
        let (mut course, energy) = (course(net, start, steps), net.energy(start));
        let fall = net.masses().iter().sum::<f64>() * GRAVITY;
        let (mut compared, mut back, mut taken, mut residuals, mut gain) = (None, 0_u64, 0_u64, vec![], 0.0_f64);
        while course.goes_on() {
            let before = state.v.clone();
            scheme.step(net, dt, &mut state);
            watch(&mut course, net, &state);
            if course.status() == Status::NotFinite {
                gain = f64::INFINITY;
                break;
            }
            gain = gain.max((net.energy(&state) - energy) / fall);
            net.accelerate(&state.x, &state.v, &mut a);
            let (mut product, mut missing, mut change) = (0.0, 0.0, 0.0);
            for (((v, former), a), m) in state.v.iter().zip(&before).zip(&a).zip(net.masses()) {
                let dv = v - former;
                product += m * dv.dot(a);
                missing += m * (dv - dt * a).norm_squared();
                change += m * dv.norm_squared();
            }
            taken += 1;
            back += u64::from(product > 0.0);
            residuals.push((missing / change).sqrt());
            if taken == compared_at {
                compared = Some(state.x.clone());
            }
        }
        let (work, is_finished) = (scheme.work(), course.status() == Status::Finished);
        let row = ImplicitRow {
            rate,
            status: course.status(),
            gain: finite(gain),
            back: is_finished.then_some(back as f64 / taken.max(1) as f64),
            residual: is_finished.then_some(median(&residuals).unwrap_or(f64::NAN)),
            solves: work.solves,
            unconverged: work.newton_limited,
            ..ImplicitRow::default()
        };
        (row, compared.filter(|_| is_finished))
    }
}

impl Group for Implicit {
    const NAME: &'static str = "implicit";
    const ABOUT: &'static str =
        "springs on triangles, held at two corners, by backward Euler with one Newton step and with converged ones";
    type Case = Weave;
    type Row = ImplicitRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Weave {
        let weave = Weave::draw(&self.0.weaves, stream);
        let damping = log_uniform(stream, self.0.damping.get());
        Weave { damping: if set % 2 == 1 { damping } else { 0.0 }, ..weave }
    }

    fn measure(&self, weave: &Weave) -> Vec<ImplicitRow> {
        let Ok((net, start)) = triangles(weave, true) else { return vec![] };
        let reference = reference(weave, &net, &start, self.0.compared.get());
        let row = |rate: u32| {
            let runs = [Newton::Once, TO_TOLERANCE].map(|newton| self.run(&net, &start, rate, newton));
            let apart = runs[0].1.as_ref().zip(runs[1].1.as_ref()).map(|(a, b)| mean_distance(a, b));
            let of = |((run, compared), newton): ((ImplicitRow, Option<Vec<Vec3>>), &str)| ImplicitRow {
                side: weave.side,
                density: weave.density,
                stiffness: weave.stretch,
                damping: weave.damping,
                newton: newton.into(),
                error: compared.zip(reference.as_ref()).map(|(a, b)| mean_distance(&a, b)),
                apart,
                ..run
            };
            runs.into_iter().zip([ONCE, CONVERGED]).map(of).collect::<Vec<_>>()
        };
        RATES.into_iter().flat_map(row).collect()
    }
}

/// Least distance that is shown \[m\].
const LEAST: f64 = 1e-8;
/// One Newton step against many, by the error of the time step.
pub fn newton(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Implicit>()?;
    let markers = [Marker::Circle, Marker::OpenCircle, Marker::Triangle];
    let mut layers: Vec<Layer> = vec![];
    for (k, (rate, marker)) in RATES.into_iter().zip(markers).enumerate() {
        let converged = rows.iter().filter(|row| row.row.rate == rate && row.row.newton == "converged");
        let points = converged.filter_map(|row| Some([row.row.error?.max(LEAST), row.row.apart?.max(LEAST)])).collect();
        layers.push(Layer::points(format!("steps of 1/{rate} s"), Palette::series(k), points).marker(marker));
    }
    layers.push(Layer::line("as far as the error", Palette::GREY, vec![[1e-5, 1e-5], [1.0, 1.0]]));
    let x = Axis::log("error of converged steps  [m]").range(1e-5, 1.0);
    let panel = Panel::new(x, Axis::log("distance of one Newton step from them  [m]").range(1e-7, 1.0), layers).legend_outside();
    let caption = "Backward Euler on springs of triangles: the distance between one Newton step and converged ones after half a second, \
                   against the error of the converged ones. Below the line linearising once costs less accuracy than the time step itself.";
    Ok(Figure::new("newton", "One Newton step against converged ones", caption, vec![panel]))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Implicit(ranges.implicit.clone())).plot("newton", newton)
}

#[cfg(test)]
mod tests {
    use super::super::weave::tests::weave;
    use super::*;

    fn implicit() -> Implicit {
        let text = "sets = 2\ndamping = [1e-4, 1e-3]\ncompared = 0.25\nduration = 0.25\n\
                    [weaves]\nside = [4]\ndensity = [0.1, 0.2]\nstiffness = [50.0, 60.0]\nshear = 0.1\nbend = [0.01, 0.02]\n";
        Implicit(kit::ranges::stated(text))
    }

    #[test]
    fn converged_steps_explain_themselves_and_solve_more() {
        let rows = implicit().measure(&Weave { side: 4, ..weave() });
        assert_eq!(rows.len(), 6);
        for pair in rows.chunks(2) {
            assert!(pair[1].residual.unwrap() < 1e-6 && pair[1].residual < pair[0].residual, "{pair:?}");
            assert!(pair[1].solves > pair[0].solves && pair[1].back == Some(1.0), "{pair:?}");
            assert_eq!(pair[0].solves, u64::from(pair[0].rate / 4));
        }
        assert!(rows[0].error > rows[4].error, "{rows:?}");
    }
}
