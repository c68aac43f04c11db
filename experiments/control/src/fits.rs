//! Constants of the material that are found again from noisy positions.

use cloth::adjoint::{Adjoint, Constant, Forces, KeyFrame, NoGradient, Part};
use cloth::run::Model;
use kit::prelude::*;
use kit::search::Search;

use super::sheets::{LENGTH, Made, Sheet, Sheets, free};

ranges!(FitRanges {
    //! Sheets, recordings and searches.
    /// Number of sheets.
    sets: Count,
    /// What they are drawn from.
    sheets: Sheets,
    /// Root mean square of the noise of each coordinate over the side \[-\].
    noise: List<NonNegative>,
    /// Most runs with their gradients.
    runs: Count,
});

row! {
    /// A constant that was looked for, with others, from positions with noise.
    pub struct FitRow {
        /// springs on a grid, springs on triangles, or a continuum
        pub made: Made,
        /// as a scene names it
        pub constant: String,
        /// root mean square of the noise of each coordinate over the side
        pub noise: f64,
        /// the value that the search began with over the true one
        pub start: f64,
        /// finished, or refused: the run that was to be recorded, or that with the first values, has no gradient
        pub status: Status,
        /// the value that was found over the true one
        pub found: Option<f64>,
        /// runs with their gradients
        pub runs: Option<u64>,
        /// root mean square of the distances left over that of the noise
        pub left: Option<f64>,
    }
}

/// A sheet, what the first values are off by, and noise of unit variance.
#[derive(Clone, Debug)]
pub struct Case {
    sheet: Sheet,
    /// Factors.
    off: [f64; 3],
    noise: Vec<f64>,
}

/// Random sheets that were recorded.
pub struct Fits(pub FitRanges);

/// First values lie within this factor of the true ones.
const OFF: f64 = 3.0;

/// The constants that are looked for.
fn constants(made: Made) -> [Constant; 3] {
    match made {
        Made::Grid => [Constant::Stiffness(Part::Stretch), Constant::Stiffness(Part::Shear), Constant::Damping(Part::Stretch)],
        Made::Springs => [Constant::Stiffness(Part::Stretch), Constant::Stiffness(Part::Bend), Constant::Damping(Part::Stretch)],
        Made::Continuum => [Part::Warp, Part::Weft, Part::Shear].map(Constant::Stiffness),
    }
}

/// What was recorded of a sheet: where its free particles were after each step.
fn recorded(sheet: &Sheet, model: &Model) -> Result<Vec<KeyFrame>, NoGradient> {
    let (free, mut frames) = (free(model), vec![]);
    let weight = 1.0 / (sheet.steps * free.len()) as f64; // phi is half of the mean square
    let task = sheet.task(model, Forces::default(), vec![], 0.0);
    Adjoint::new(model.differentiable(), task)?.run(model.differentiable(), &[], |state| {
        let places = free.iter().map(|particle| (*particle, state.x[*particle])).collect();
        frames.push(KeyFrame { step: frames.len(), places, weight });
    })?;
    Ok(frames.split_off(1)) // the start tells nothing
}

impl Fits {
    fn rows(&self, case: &Case, noise: f64) -> Vec<FitRow> {
        let Case { sheet, off, .. } = case;
        let row = |(constant, off): (Constant, &f64)| FitRow {
            made: sheet.made,
            constant: constant.to_string(),
            noise,
            start: *off,
            status: Status::Refused,
            ..FitRow::default()
        };
        let rows = constants(sheet.made).into_iter().zip(off).map(row);
        let Ok((found, runs, value)) = self.fit(case, noise) else { return rows.collect() };
        let scale = 3.0_f64.sqrt() * noise * LENGTH; // of the three coordinates of a particle
        let left = (noise > 0.0).then(|| (2.0 * value).sqrt() / scale);
        let fitted = |(row, found)| FitRow { status: Status::Finished, found: Some(found), runs: Some(runs), left, ..row };
        rows.zip(found).map(fitted).collect()
    }

    /// The values found over the true ones, the runs that it took, and the goal in the end.
    fn fit(&self, Case { sheet, off, noise: numbers }: &Case, noise: f64) -> Result<([f64; 3], u64, f64), NoGradient> {
        let (model, constants) = (sheet.model()?, constants(sheet.made));
        let mut keyframes = recorded(sheet, &model)?;
        let coordinates = keyframes.iter_mut().flat_map(|keyframe| &mut keyframe.places).flat_map(|(_, place)| place.iter_mut());
        coordinates.zip(numbers).for_each(|(coordinate, number)| *coordinate += noise * LENGTH * number);
        let mut task = sheet.task(&model, Forces::default(), keyframes, 0.0);
        task.constants = constants.into();
        let mut adjoint = Adjoint::new(model.differentiable(), task)?;
        let truth = constants.map(|constant| model.differentiable().constant(constant).unwrap_or_default());
        let values = |logarithms: &[f64]| [0, 1, 2].map(|k| off[k] * truth[k] * libm::exp(logarithms[k]));
        let search = Search { runs: self.0.runs.get().into(), ..Search::of(u32::MAX, constants.len()) };
        let found = search.minimise(
            |logarithms| {
                let values = values(logarithms);
                let of = constants.iter().zip(values);
                let model =
                    of.clone().try_fold(model.clone(), |model, (constant, value)| model.with_constant(*constant, value))?;
                let gradient = adjoint.gradient(model.differentiable(), &[])?;
                let slopes = gradient.by_constant.iter().zip(values).map(|(slope, value)| slope * value); // dp/dq = p of p = exp q
                Ok((gradient.value, slopes.collect()))
            },
            || {},
        )?;
        let values = values(&found.point);
        Ok(([0, 1, 2].map(|k| values[k] / truth[k]), found.runs, found.values()[1]))
    }
}

impl Group for Fits {
    const NAME: &'static str = "fits";
    const ABOUT: &'static str = "constants of the material found from positions of all particles after each step, with noise";
    type Case = Case;
    type Row = FitRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Case {
        let sheet = Sheet::draw(&self.0.sheets, stream);
        let off = [(); 3].map(|()| log_uniform(stream, [1.0 / OFF, OFF]));
        let numbers = 3 * sheet.side * sheet.side * sheet.steps;
        let noise = (0..numbers).map(|_| 3.0_f64.sqrt() * (2.0 * stream.random::<f64>() - 1.0)).collect(); // of unit variance
        Case { sheet, off, noise }
    }

    fn measure(&self, case: &Case) -> Vec<FitRow> {
        self.0.noise.values().iter().flat_map(|noise| self.rows(case, noise.get())).collect()
    }
}

/// How far what was found is off, over the true value \[-\].
fn error(row: &FitRow) -> Option<f64> {
    Some((row.found? - 1.0).abs())
}

/// Errors by the noise.
type ByNoise = Vec<(f64, Vec<f64>)>;

/// Errors of each constant by the noise, of one kind of sheet.
fn errors(rows: &[FitRow], made: Made) -> Vec<(String, ByNoise)> {
    let of = rows.iter().filter(|row| row.made == made);
    let by_constant = grouped(of.filter_map(|row| Some((row.constant.clone(), (row.noise, error(row)?)))));
    by_constant.into_iter().map(|(constant, errors)| (constant, grouped(errors))).collect()
}

/// Least error that is drawn \[-\].
const FLOOR: f64 = 1e-6;

/// Errors against noise, a panel a kind of sheet.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.without_sets::<Fits>()?;
    let panel = |made: Made| {
        let layers = errors(&rows, made).into_iter().enumerate().map(|(k, (constant, by_noise))| {
            let point = |(noise, errors): &(f64, Vec<f64>)| {
                let at = |p: f64| Some(quantile(errors, p)?.max(FLOOR));
                (*noise > 0.0).then_some([*noise * (1.0 + 0.06 * k as f64), at(0.5)?, at(0.25)?, at(0.75)?])
            };
            let bars: Vec<[f64; 4]> = by_noise.iter().filter_map(point).collect();
            let line = bars.iter().map(|[x, y, ..]| [*x, *y]).collect();
            [Layer::line(constant.clone(), Palette::series(k), line), Layer::error_bars(constant, Palette::series(k), bars)]
        });
        let (x, y) = (Axis::log("noise over the side"), Axis::log("error over the true value").range(FLOOR, 10.0));
        Panel::new(x, y, layers.flatten().collect()).titled(made.name()).legend_outside()
    };
    let caption = "What constants that were found are off by, over their true values, against the root mean square of the noise of each \
                   coordinate over the side: medians and quartiles over sheets.";
    let figure = Figure::new("fits", "Materials found from noisy positions", caption, Made::ALL.map(panel).into());
    Ok(Figure { columns: 3, ..figure })
}

/// Medians of the errors by noise, a line of a table for each constant.
pub fn lines(results: &Results) -> Result<(Vec<String>, Vec<Vec<String>>), ResultsError> {
    let rows = results.without_sets::<Fits>()?;
    let noises = distinct(rows.iter().map(|row| row.noise));
    let line = |made: Made, (constant, by_noise): (String, ByNoise)| {
        let cell = |noise: &f64| {
            let errors = by_noise.iter().find(|(of, _)| of == noise);
            errors.and_then(|(_, errors)| median(errors)).map_or_else(String::new, short)
        };
        [made.to_string(), constant].into_iter().chain(noises.iter().map(cell)).collect()
    };
    let lines = Made::ALL.into_iter().flat_map(|made| errors(&rows, made).into_iter().map(move |errors| (made, errors)));
    let heads = ["sheet".to_owned(), "constant".to_owned()];
    let heads = heads.into_iter().chain(noises.iter().map(|noise| format!("noise {}", short(*noise))));
    Ok((heads.collect(), lines.map(|(made, errors)| line(made, errors)).collect()))
}

/// The constants that are found best and worst at the largest noise, with the medians of what they are off by.
pub fn certain(results: &Results) -> Result<[String; 2], ResultsError> {
    let rows = results.without_sets::<Fits>()?;
    let of = |made: Made| {
        let last = move |(constant, by_noise): (String, ByNoise)| {
            let (_, errors) = by_noise.into_iter().max_by(|(a, _), (b, _)| a.total_cmp(b))?;
            Some((median(&errors)?, format!("`{constant}` of {made}")))
        };
        errors(&rows, made).into_iter().filter_map(last)
    };
    let mut found: Vec<(f64, String)> = Made::ALL.into_iter().flat_map(of).collect();
    found.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let words = |(error, name): &(f64, String)| format!("{name} (off by {})", percent(*error));
    match (found.first(), found.last()) {
        (Some(best), Some(worst)) => Ok([words(best), words(worst)]),
        _ => Err(too_few("no constant was found")),
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Fits(ranges.fits.clone())).plot("fits", chart)
}

#[cfg(test)]
mod tests {
    use super::super::sheets::tests::SHEET;
    use super::*;

    #[test]
    fn constants_are_found_and_noise_is_left() {
        let text = "sets = 1\nnoise = [0.0]\nruns = 60\n[sheets]\nmade = ['continuum']\nside = [5]\ndensity = [0.1, 0.2]\n\
                    stiffness = [50.0, 60.0]\nshear = [0.3, 0.5]\ndamping = [5e-4, 6e-4]\nstep = 0.02\nsteps = 12\n";
        let fits = Fits(kit::ranges::stated(text));
        for made in Made::ALL {
            let mut stream = lab::measure::streams::stream("control", "tests", 1, 2);
            let sheet = Sheet { made, hold: super::super::sheets::Hold::Corners, ..SHEET };
            let noise = (0..900).map(|_| 3.0_f64.sqrt() * (2.0 * stream.random::<f64>() - 1.0)).collect();
            let case = Case { sheet, off: [1.5, 0.6, 1.3], noise };
            for row in fits.rows(&case, 0.0) {
                assert!(row.status == Status::Finished && (row.found.unwrap() - 1.0).abs() < 1e-3, "{row:?}");
            }
            for row in fits.rows(&case, 1e-3) {
                assert!((row.left.unwrap() - 1.0).abs() < 0.1 && row.found.unwrap() != 1.0, "{row:?}");
            }
        }
    }
}
