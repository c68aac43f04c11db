//! Linearised backward Euler on springs of triangles: stability, accuracy, where its gradients point, one Newton step against many.
//! S-BE-STABLE, S-BE-ACCURACY, S-BE-BACK, S-NEWTON-CLOSE.

use cloth::triangles::{SpringMaterial, TriangleMesh};
use kit::prelude::*;
use kit::sheets::UNSTABLE;

use super::frames::{self, Frames};
use super::weave::{Weave, Weaves, course, mean_distance, reference, watch};
use super::{can_decide, share_words};

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
            residual: is_finished.then_some(lab::judge::statistics::median(&residuals).unwrap_or(f64::NAN)),
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

/// A sheet's rows at a rate: once and converged.
type Pair<'a> = [&'a ImplicitRow; 2];

fn pairs(rows: &[Row<ImplicitRow>], rate: u32) -> Vec<Pair<'_>> {
    let mut pairs = vec![];
    for sheet in rows.chunk_by(|a, b| a.set == b.set) {
        let of = |newton: &str| sheet.iter().map(|row| &row.row).find(|row| row.rate == rate && row.newton == newton);
        pairs.extend(of(ONCE).zip(of(CONVERGED)).map(|(once, converged)| [once, converged]));
    }
    pairs
}

/// How many runs are not finished, and what came of them.
fn lost(rows: &[Row<ImplicitRow>]) -> String {
    left_out(rows.iter().map(|row| row.row.status))
}

fn none() -> ResultsError {
    too_few("no sheet has a value")
}

fn over_sheets(estimate: &Estimate) -> String {
    format!("{} over {} sheets", estimate, estimate.cases)
}

/// S-BE-STABLE.
pub fn stable(results: &Results) -> Result<Finding, ResultsError> {
    let rows = results.rows::<Implicit>()?;
    let share = |rate: u32, newton: usize, damped: Option<bool>| {
        let kept = pairs(&rows, rate).into_iter().filter(|pair| damped.is_none_or(|damped| (pair[0].damping > 0.0) == damped));
        share_of(kept.map(|pair| pair[newton].status == Status::Finished))
    };
    let judged = |share: &Estimate| verdict(share.lies_above(0.95), share.lies_above(0.5));
    let main = share(RATES[0], 0, None).ok_or_else(none)?;
    let strict = share_of(pairs(&rows, RATES[0]).iter().map(|[once, _]| once.gain.is_some_and(|gain| gain <= UNSTABLE)));
    let mut all = vec![
        ("damped sheets".to_owned(), share(RATES[0], 0, Some(true))),
        ("undamped sheets".into(), share(RATES[0], 0, Some(false))),
        ("Newton steps to convergence".into(), share(RATES[0], 1, None)),
        ("after no step more energy gained than that of a fall".into(), strict),
    ];
    all.extend(RATES[1..].iter().map(|&rate| (format!("steps of 1/{rate} s"), share(rate, 0, None))));
    all.extend(frames::shares(&results.rows::<Frames>()?));
    let measured = format!("{} of the sheets stay stable at steps of 1/{} s", percent(main.value), RATES[0]);
    let reason = "every drawn sheet counts, and one that is not finished is not stable; these are runs of a second, of springs that act \
                  both ways, solved directly: longer runs, slack springs and conjugate gradients are readings; B-BDF-STABLE follows the \
                  thesis' sheets at steps up to 20 ms; sheets that gain energy at this step would overturn it";
    Ok(Finding::new(judged(&main), measured, reason)
        .rests_on(&main)
        .readings(readings(all, share_words, |share| can_decide(share.cases, 0.95).then(|| judged(share)))))
}

/// Medians over the sheets for which there is a value.
fn median(rows: &[Row<ImplicitRow>], rate: u32, of: impl Fn(Pair<'_>) -> Option<f64>) -> Option<Estimate> {
    Estimate::median(&pairs(rows, rate).into_iter().filter_map(of).filter(|value| value.is_finite()).collect::<Vec<f64>>())
}

/// S-BE-ACCURACY.
pub fn accuracy(results: &Results) -> Result<Finding, ResultsError> {
    let rows = results.rows::<Implicit>()?;
    let ratio = |newton: usize, damped: Option<bool>| {
        let (coarse, fine) = (pairs(&rows, RATES[0]), pairs(&rows, RATES[2]));
        let each = coarse.iter().zip(&fine).filter(|(pair, _)| damped.is_none_or(|damped| (pair[0].damping > 0.0) == damped));
        let ratios = each.filter_map(|(coarse, fine)| Some(coarse[newton].error? / fine[newton].error?));
        Estimate::median(&ratios.collect::<Vec<f64>>())
    };
    let judged = |ratio: &Estimate| verdict(ratio.lies_above(2.0), ratio.lies_above(1.0));
    let main = ratio(0, None).ok_or_else(none)?;
    let drawn = pairs(&rows, RATES[0]).len();
    let errors = |rate: u32| median(&rows, rate, |pair| pair[0].error);
    let others = [
        ("damped sheets", ratio(0, Some(true))),
        ("undamped sheets", ratio(0, Some(false))),
        ("Newton steps to convergence", ratio(1, None)),
    ];
    let mut readings = readings(others, over_sheets, judged);
    for rate in RATES {
        let measured = errors(rate).map_or("none".into(), |error| error.to_string());
        readings.push(Reading::new(format!("median error at steps of 1/{rate} s, in m"), measured, None));
    }
    let measured = format!("{} times the error at ten times the step, in the median", main);
    let reason = format!(
        "of all drawn sheets those are left out that did not finish at one of the steps, with all steps {}; a scheme of order \
         one would make it 10 where oscillations are resolved, which they are not; sheets that move chaotically would \
         overturn it",
        lost(&rows)
    );
    Ok(Finding::new(judged(&main), measured, reason).rests_on(&main).left_out(drawn - main.cases).readings(readings))
}

/// Share of steps of a sheet that have to point back \[-\].
const NEARLY_ALL: f64 = 0.99;

/// S-BE-BACK.
pub fn back(results: &Results) -> Result<Finding, ResultsError> {
    let rows = results.rows::<Implicit>()?;
    let shares = |rate: u32, newton: usize| pairs(&rows, rate).iter().filter_map(|pair| pair[newton].back).collect::<Vec<f64>>();
    let of = |rate: u32, newton: usize| {
        let shares = shares(rate, newton);
        let least = shares.iter().copied().reduce(f64::min)?;
        Some((share_of(shares.iter().map(|share| *share > NEARLY_ALL))?, least))
    };
    let residual =
        |rate: u32, newton: usize| median(&rows, rate, |pair| pair[newton].residual).map_or("none".into(), |r| r.to_string());
    let judged = |share: &Estimate| verdict(share.lies_above(0.95), share.lies_above(0.5));
    let words = |rate: u32, newton: usize, (share, least): &(Estimate, f64)| {
        let (back, sheets, nearly_all, worst) = (percent(share.value), share.cases, percent(NEARLY_ALL), percent(*least));
        let residual = residual(rate, newton);
        format!(
            "in {back} of {sheets} sheets more than {nearly_all} of the steps point back, in the worst {worst}; the new acceleration \
             misses the change of velocity by {residual} of it, in the median"
        )
    };
    let main = of(RATES[1], 0).ok_or_else(none)?;
    let others = RATES.into_iter().flat_map(|rate| [0, 1].map(|newton| (rate, newton))).filter(|which| *which != (RATES[1], 0));
    let reading = |(rate, newton): (u32, usize)| {
        let of = of(rate, newton)?;
        Some(Reading::new(
            format!("steps of 1/{rate} s, Newton {}", [ONCE, CONVERGED][newton]),
            words(rate, newton, &of),
            (newton == 0).then(|| judged(&of.0)), // converged steps solve dv = dt a: they point back by identity
        ))
    };
    let reason = format!(
        "a product below zero means that the new forces push further away from the prior state; a residual above 1 that they \
         point back by their sign only; with all steps {}; stiffer sheets or larger steps could overturn it",
        lost(&rows)
    );
    Ok(Finding::new(judged(&main.0), words(RATES[1], 0, &main), reason)
        .rests_on(&main.0)
        .left_out(pairs(&rows, RATES[1]).len() - main.0.cases)
        .readings(others.filter_map(reading).collect()))
}

/// S-NEWTON-CLOSE.
pub fn close(results: &Results) -> Result<Finding, ResultsError> {
    let rows = results.rows::<Implicit>()?;
    let relative = |rate: u32| median(&rows, rate, |[once, converged]| Some(once.apart? / converged.error?));
    let judged = |ratio: &Estimate| verdict(ratio.lies_below(1.0), ratio.lies_below(3.0));
    let main = relative(RATES[1]).ok_or_else(none)?;
    let other_steps = [RATES[0], RATES[2]].map(|rate| (format!("steps of 1/{rate} s"), relative(rate)));
    let distance = |rate: u32| median(&rows, rate, |[once, _]| once.apart);
    let visibly = |rate: u32| format!("distance in m, steps of 1/{rate} s: visually close below 0.01 of the side");
    let visible = |apart: &Estimate| verdict(apart.lies_below(0.01), Answer::No);
    let by_damping = [("damped sheets", true), ("undamped sheets", false)].map(|(name, damped)| {
        let of = |[once, converged]: Pair<'_>| ((once.damping > 0.0) == damped).then_some(once.apart? / converged.error?);
        (name, median(&rows, RATES[1], of))
    });
    let mut all = readings(other_steps, over_sheets, judged);
    all.extend(readings(RATES.map(|rate| (visibly(rate), distance(rate))), over_sheets, visible));
    all.extend(readings(by_damping, over_sheets, judged));
    let apart = |rate: u32| distance(rate).map_or("nothing".into(), |apart| percent(apart.value));
    let drawn = pairs(&rows, RATES[1]);
    let limited = drawn.iter().filter(|pair| pair[1].unconverged > 0).count();
    let measured = format!("one Newton step is {} of the error of converged ones away from these, in the median", main);
    let ([slow, fast, _], lost) = (RATES, lost(&rows));
    let (coarse, fine) = (apart(slow), apart(fast));
    let reason = format!(
        "close enough is read as: not further than the error of the time step itself, which is large; to the eye it is not close: {coarse} \
         of the side at steps of 1/{slow} s and {fine} at 1/{fast} s, in the median; with all steps {lost}; steps in which Newton did \
         not converge: in {limited} of the sheets; motions that buckle otherwise would overturn it"
    );
    Ok(Finding::new(judged(&main), measured, reason).rests_on(&main).left_out(drawn.len() - main.cases).readings(all))
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
    Topic::of(Implicit(ranges.implicit.clone()))
        .plot("newton", newton)
        .judge("S-BE-STABLE", stable)
        .judge("S-BE-ACCURACY", accuracy)
        .judge("S-BE-BACK", back)
        .judge("S-NEWTON-CLOSE", close)
        .places(&[("S-BE-BACK", 2), ("S-NEWTON-CLOSE", 2)])
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
