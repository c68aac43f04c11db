//! What it takes to come near by the gradient of the adjoint state, by differences, and without a gradient.

use cloth::adjoint::{Adjoint, Forces, NoGradient};
use kit::prelude::*;
use kit::search::Search;

use super::sheets::{Made, Sheet, Sheets, free};
use super::simplex::simplex;
use super::steering::vectors;
use super::wishes::{looks, wanted_at};

ranges!(SearchRanges {
    //! Sheets and searches.
    /// Number of sheets.
    sets: Count,
    /// What they are drawn from.
    sheets: Sheets,
    /// Particles that are forced, over as many intervals: three parameters each.
    forced: List<Count>,
    /// Most runs of a search, those for differences and those back in time included.
    runs: Count,
});

words! {
    /// How forces are looked for.
    pub enum Method {
        /// L-BFGS by the gradient of the adjoint state.
        Adjoint = "adjoint state",
        /// L-BFGS by one-sided differences.
        Differences = "differences",
        /// The simplex of Nelder & Mead, without gradients.
        Simplex = "Nelder & Mead",
    }
}

row! {
    /// A sheet that is led by a search.
    pub struct SearchRow {
        /// adjoint state, differences, or Nelder & Mead
        pub method: Method,
        /// springs on a grid, springs on triangles, or a continuum
        pub made: Made,
        /// particles a side
        pub side: usize,
        /// numbers that are looked for
        pub parameters: usize,
        /// finished, or refused: a run without forces, or under those that are not told, does not converge
        pub status: Status,
        /// matrices factored in a run without forces
        pub run: Option<u64>,
        /// runs, with or without a way back in time
        pub runs: u64,
        /// matrices factored
        pub work: u64,
        /// matrices factored until the distance at the key frames was a tenth of that without forces, where it came to be
        pub tenth: Option<u64>,
        /// matrices factored until it was a hundredth
        pub hundredth: Option<u64>,
        /// least distance at the key frames over that without forces
        pub distance: Option<f64>,
    }
}

/// A sheet, and random numbers from -1 to 1 for the forces that are not told.
#[derive(Clone, Debug)]
pub struct Case {
    sheet: Sheet,
    numbers: Vec<f64>,
}

/// Random sheets, each by every method with every number of parameters.
pub struct Searches(pub SearchRanges);

/// Scale of the forces: those that are not told, all together, over the weight of the sheet \[-\].
const SCALE: f64 = 0.5;

/// Differences are taken over this share of the scale \[-\].
const DIFFERENCE: f64 = 1e-6;

/// What a run counts with that does not converge, where a method needs a number: much more than the first value of 1/2.
const FAR: f64 = 1e6;

/// Distances over the first one that searches are to come to \[-\].
const TENTH: f64 = 0.1;
const HUNDREDTH: f64 = 0.01;

/// A goal of half the square of the distance, and what has been spent on it.
struct Spent {
    adjoint: Adjoint,
    model: cloth::run::Model,
    row: SearchRow,
}

impl Spent {
    /// Factored so far by runs.
    fn work(&self) -> u64 {
        self.adjoint.work().solves
    }

    /// Notes a distance, by its goal.
    fn note(&mut self, value: f64) {
        let (distance, row) = ((2.0 * value).sqrt(), &mut self.row);
        let least = row.distance.get_or_insert(f64::INFINITY);
        *least = least.min(distance);
        for (mark, bound) in [(&mut row.tenth, TENTH), (&mut row.hundredth, HUNDREDTH)] {
            if distance <= bound {
                mark.get_or_insert(row.work);
            }
        }
    }

    /// The goal under forces.
    fn value(&mut self, numbers: &[f64]) -> Result<f64, NoGradient> {
        let before = self.work();
        let value = self.adjoint.run(self.model.differentiable(), &vectors(numbers), |_| {});
        self.row.runs += 1;
        self.row.work += self.work() - before;
        value
    }

    /// The goal with its gradient by the adjoint state.
    fn by_adjoint(&mut self, numbers: &[f64]) -> Result<(f64, Vec<f64>), NoGradient> {
        let before = self.work();
        let gradient = self.adjoint.gradient(self.model.differentiable(), &vectors(numbers));
        self.row.runs += 1;
        self.row.work += self.work() - before;
        let gradient = gradient?;
        self.row.work += gradient.cost.factorisations;
        self.note(gradient.value);
        Ok((gradient.value, gradient.by_force.iter().flatten().copied().collect()))
    }

    /// The goal with its gradient by one-sided differences over `h` \[N\].
    fn by_differences(&mut self, numbers: &[f64], h: f64) -> Result<(f64, Vec<f64>), NoGradient> {
        let value = self.value(numbers)?;
        self.note(value);
        let mut moved = numbers.to_vec();
        let slope = |q: usize| {
            moved[q] = numbers[q] + h;
            let beside = self.value(&moved);
            moved[q] = numbers[q];
            Ok::<f64, NoGradient>((beside? - value) / h) // (phi(u + h e_q) - phi(u)) / h
        };
        Ok((value, (0..numbers.len()).map(slope).collect::<Result<_, _>>()?))
    }
}

impl Searches {
    /// A sheet by all methods, with forces on some particles over as many intervals.
    fn rows(&self, Case { sheet, numbers }: &Case, count: usize) -> Vec<SearchRow> {
        let parameters = 3 * count * count;
        let row = |method| SearchRow { method, made: sheet.made, side: sheet.side, parameters, ..SearchRow::default() };
        let refused = |method| SearchRow { status: Status::Refused, ..row(method) };
        let Ok((spent, scale)) = self.spent(sheet, &numbers[..parameters], count) else {
            return Method::ALL.map(refused).into();
        };
        let search = |method: Method| {
            let Ok(adjoint) = Adjoint::new(spent.model.differentiable(), spent.adjoint.task().clone()) else {
                return refused(method);
            };
            let row = SearchRow { status: Status::Finished, run: Some(spent.work()), ..row(method) };
            let mut spent = Spent { adjoint, model: spent.model.clone(), row };
            let (enough, runs) = (0.5 * HUNDREDTH * HUNDREDTH, u64::from(self.0.runs.get()));
            let of = |runs: u64| Search { runs, enough, ..Search::of(u32::MAX, parameters) };
            match method {
                // a search that cannot begin has noted nothing
                Method::Adjoint => drop(of(runs).minimise(|u| spent.by_adjoint(u), || {})),
                Method::Differences => {
                    let gradients = runs / (1 + parameters as u64);
                    drop(of(gradients.max(1)).minimise(|u| spent.by_differences(u, DIFFERENCE * scale), || {}));
                }
                Method::Simplex => simplex(parameters, scale, runs, enough, |u| {
                    let value = spent.value(u).unwrap_or(FAR);
                    spent.note(value);
                    value
                }),
            }
            spent.row
        };
        Method::ALL.map(search).into()
    }

    /// The goal after one run without forces, and the scale of these \[N\].
    fn spent(&self, sheet: &Sheet, numbers: &[f64], count: usize) -> Result<(Spent, f64), NoGradient> {
        let model = sheet.model()?;
        let (free, system) = (free(&model), model.system());
        let particles: Vec<usize> = (0..count).map(|k| free[(2 * k + 1) * free.len() / (2 * count)]).collect();
        let weight = GRAVITY * free.iter().map(|particle| system.masses()[*particle]).sum::<f64>();
        let scale = SCALE * weight / count as f64;
        let forces = sheet.forces(particles, count).unwrap_or_default();
        let (steps, u) = ([sheet.steps / 2, sheet.steps], vectors(numbers).into_iter().map(|u| scale * u).collect::<Vec<_>>());
        let wanted = looks(sheet, &model, forces.clone(), &u, steps)?;
        let alone = looks(sheet, &model, Forces::default(), &[], steps)?;
        let keyframes = wanted_at(steps, &wanted, &free, &alone);
        let task = sheet.task(&model, forces, keyframes, 0.0);
        let mut spent = Spent { adjoint: Adjoint::new(model.differentiable(), task)?, model, row: SearchRow::default() };
        spent.value(&vec![0.0; numbers.len()])?;
        Ok((spent, scale))
    }
}

impl Group for Searches {
    const NAME: &'static str = "searches";
    const ABOUT: &'static str = "random sheets led to where forces took them that are not told, by three searches";
    type Case = Case;
    type Row = SearchRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Case {
        let sheet = Sheet::draw(&self.0.sheets, stream);
        let most = self.0.forced.values().iter().map(|count| count.get()).max().unwrap_or_default();
        Case { sheet, numbers: (0..3 * most * most).map(|_| 2.0 * stream.random::<f64>() - 1.0).collect() }
    }

    fn measure(&self, case: &Case) -> Vec<SearchRow> {
        self.0.forced.values().iter().flat_map(|count| self.rows(case, count.get() as usize)).collect()
    }
}

/// A ratio of works, and whether it is a lower bound.
type Bounded = (f64, bool);

/// The median of ratios of which some are lower bounds: its interval ends at infinity where these may lie at its upper end.
fn median_of(ratios: &[Bounded]) -> Option<Estimate> {
    let with = |unknown: fn(f64) -> f64| {
        let values: Vec<f64> = ratios.iter().map(|(ratio, bound)| if *bound { unknown(*ratio) } else { *ratio }).collect();
        Estimate::median(&values)
    };
    let (least, most) = (with(|ratio| ratio)?, with(|_| f64::INFINITY)?);
    let interval = least.interval.zip(most.interval).map(|(low, high)| Interval { low: low.low, high: high.high });
    Some(Estimate { interval, ..least })
}

/// Work of a method until a tenth of the distance with so many parameters over that by the adjoint state, sheet by sheet; those
/// that neither brings there are left out.
fn ratios(rows: &[Row<SearchRow>], parameters: usize, method: Method) -> Vec<Bounded> {
    let of = |sheet: &[Row<SearchRow>]| {
        let row = |method| {
            let rows = sheet.iter().map(|row| &row.row).filter(|row| row.parameters == parameters);
            rows.filter(|row| row.status == Status::Finished).find(|row| row.method == method)
        };
        let (adjoint, other) = (row(Method::Adjoint)?, row(method)?);
        match (adjoint.tenth, other.tenth) {
            (Some(least), Some(work)) => Some((work as f64 / least as f64, false)),
            (Some(least), None) => Some((other.work as f64 / least as f64, true)),
            (None, Some(_)) => Some((0.0, false)),
            (None, None) => None,
        }
    };
    rows.chunk_by(|a, b| a.set == b.set).filter_map(of).collect()
}

/// What other searches take at the largest number of parameters over that by the adjoint state, in words.
pub fn saved(results: &Results) -> Result<String, ResultsError> {
    let rows = results.rows::<Searches>()?;
    let most = rows.iter().map(|row| row.row.parameters).max().unwrap_or_default();
    let of = |method: Method| {
        let ratios = ratios(&rows, most, method);
        let found = median_of(&ratios).ok_or_else(|| too_few("no search came to a tenth of the distance"))?;
        let value = short(found.value);
        let within = match found.interval {
            Some(Interval { low, high }) if high.is_infinite() => format!("95 %: above {}", short(low)),
            Some(Interval { low, high }) => format!("95 %: {} to {}", short(low), short(high)),
            None => "too few for an interval".into(),
        };
        Ok::<_, ResultsError>(match ratios.iter().filter(|(_, is_bound)| *is_bound).count() {
            0 => format!("{value} times the work ({within})"),
            bounds => format!("at least {value} times the work ({within}; {bounds} of {} are lower bounds)", found.cases),
        })
    };
    let (differences, simplex) = (of(Method::Differences)?, of(Method::Simplex)?);
    Ok(format!("differences take {differences}, {} {simplex}, in the median", Method::Simplex))
}

/// Work until a mark where it was come to, work in all, and that of a run.
type Works = (Option<u64>, f64, f64);

/// Work until a tenth and a hundredth of the distance, in runs, against the parameters.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.without_sets::<Searches>()?;
    let panel = |(mark, title): (fn(&SearchRow) -> Option<u64>, &str)| {
        let layers = Method::ALL.into_iter().enumerate().flat_map(|(k, method)| {
            let of = rows.iter().filter(|row| row.method == method);
            let works = of.filter_map(|row| Some((row.parameters, (mark(row), row.work as f64, row.run? as f64))));
            let by_count = grouped(works);
            let points = |comes: bool| {
                let of = |(count, works): &(usize, Vec<Works>)| {
                    let runs = |(mark, work, run): &Works| mark.map_or(*work, |mark| mark as f64) / run;
                    let came = works.iter().filter(|(mark, ..)| mark.is_some()).count();
                    let middle = median(&works.iter().map(runs).collect::<Vec<_>>())?;
                    ((2 * came > works.len()) == comes).then_some([*count as f64, middle])
                };
                by_count.iter().filter_map(of).collect::<Vec<_>>()
            };
            let color = Palette::series(k);
            let (known, bounds) = (points(true), points(false));
            let bound = || Layer::points(format!("{method}: a lower bound"), color, bounds.clone()).marker(Marker::OpenTriangle);
            let bound = (!bounds.is_empty()).then(bound);
            let layers = [Layer::line(method.name(), color, known.clone()), Layer::points(method.name(), color, known)];
            layers.into_iter().chain(bound)
        });
        let (x, y) = (Axis::log("parameters"), Axis::log("work [runs without forces]"));
        Panel::new(x, y, layers.collect()).titled(title).legend_outside()
    };
    let caption = "Matrices factored until the distance at the key frames is a tenth or a hundredth of that without forces, over those of \
                   a run: medians over sheets. Where half of the sheets or more do not come there in the runs that there are, what was \
                   spent on them is a lower bound.";
    let panels = [panel((|row| row.tenth, "to a tenth")), panel((|row| row.hundredth, "to a hundredth"))];
    let figure = Figure::new("searches", "What a search takes, by its number of parameters", caption, panels.into());
    Ok(Figure { columns: 2, ..figure.with_one_legend() })
}

/// Runs of a method that come to a hundredth of the distance, by its number of parameters, as lines of a table.
pub fn lines(results: &Results) -> Result<Vec<Vec<String>>, ResultsError> {
    let rows = results.without_sets::<Searches>()?;
    let by = grouped(rows.iter().map(|row| ((row.parameters, row.method), row)));
    let line = |((parameters, method), rows): ((usize, Method), Vec<&SearchRow>)| {
        let count = |mark: fn(&SearchRow) -> bool| rows.iter().filter(|row| mark(row)).count().to_string();
        let least: Vec<f64> = rows.iter().filter_map(|row| row.distance).collect();
        let tenth = count(|row| row.tenth.is_some());
        let hundredth = count(|row| row.hundredth.is_some());
        let least = median(&least).map_or_else(String::new, short);
        vec![parameters.to_string(), method.to_string(), rows.len().to_string(), tenth, hundredth, least]
    };
    Ok(by.into_iter().map(line).collect())
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let SearchRanges { sheets, forced, .. } = &ranges.searches;
    let most = forced.values().iter().map(|count| count.get() as usize).max().unwrap_or_default();
    let fewest = forced.values().iter().map(|count| count.get() as usize).min().unwrap_or_default();
    let side = sheets.side.values().iter().map(|side| side.get() as usize).min().unwrap_or_default();
    let enough = if most <= side * (side - 1) && fewest > 0 {
        Ok(())
    } else {
        let why = format!("has {most} particles, and a sheet of {side} a side has {} that are free", side * (side - 1));
        Err(RangeError::here(why).within("forced").within("searches"))
    };
    Topic::of(Searches(ranges.searches.clone())).plot("searches", chart).checked(sheets.check("searches", most)).checked(enough)
}

#[cfg(test)]
mod tests {
    use super::super::sheets::tests::SHEET;
    use super::*;

    #[test]
    fn all_methods_come_to_forces_that_are_not_told() {
        let text = "sets = 1\nforced = [1]\nruns = 400\n[sheets]\nmade = ['springs on a grid']\nside = [5]\ndensity = [0.1, 0.2]\n\
                    stiffness = [50.0, 60.0]\nshear = [0.3, 0.5]\ndamping = [5e-4, 6e-4]\nstep = 0.02\nsteps = 12\n";
        let searches = Searches(kit::ranges::stated(text));
        let rows = searches.rows(&Case { sheet: SHEET, numbers: vec![0.5, -0.7, 0.9] }, 1);
        let [adjoint, differences, simplex] = &rows[..] else { panic!("three methods") };
        for row in &rows {
            assert!(row.status == Status::Finished && row.parameters == 3 && row.run.unwrap() >= 24, "{row:?}");
            assert!(
                row.distance.unwrap() <= HUNDREDTH && row.tenth <= row.hundredth && row.hundredth <= Some(row.work),
                "{row:?}"
            );
        }
        // the way back factors a matrix a step, and both go the same way but for the error of differences
        assert!(adjoint.work < differences.work && differences.runs == 4 * adjoint.runs, "{adjoint:?} {differences:?}");
        assert!(adjoint.hundredth < simplex.hundredth, "{adjoint:?} {simplex:?}");
    }
}
