//! A sheet, what is wanted of it, and the search for forces that lead it there.

use cloth::adjoint::{Adjoint, NoGradient};
use cloth::run::Model;
use kit::prelude::*;
use kit::recorded::{self, Surroundings};
use kit::search::Search;

use super::sheets::Sheet;
use super::wishes::{INTERVALS, Where, Wished};

/// The best point that a search has come to so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Best {
    /// Runs with their gradients until it was known.
    pub runs: u64,
    /// Root mean square distance at the key frames over that without forces \[-\].
    pub distance: f64,
    /// Root mean square of the forces over that of the weights of their particles \[-\].
    pub effort: f64,
}

/// What a search came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Sought {
    /// The best points in the order in which they were found, the first of them where it began.
    pub course: Vec<Best>,
    /// The forces of the last of them \[N\], three numbers each.
    pub forces: Vec<f64>,
    /// Why it could go no farther, where a run that it tried has no gradient.
    pub ended: Option<NoGradient>,
}

/// A sheet that is steered.
pub struct Steering {
    model: Model,
    adjoint: Adjoint,
    /// r \[1/N²\].
    effort: f64,
    /// Sum of the squares of the weights of forced particles over all intervals \[N²\].
    weights: f64,
    /// Root mean square distance at the key frames without forces \[m\].
    pub first: f64,
}

impl Steering {
    /// A sheet that is to come to where it is wished by forces on some particles; forces of the weights of their particles cost a
    /// `share` of what the key frames cost without forces.
    ///
    /// # Errors
    /// A run without forces that does not converge.
    pub fn new(sheet: &Sheet, wished: &Wished, forced: Where, share: f64) -> Result<Steering, NoGradient> {
        let model = sheet.model()?;
        let (keyframes, first) = wished.keyframes(sheet, &model)?;
        let particles = forced.particles(sheet, &model);
        let weights = particles.iter().map(|particle| GRAVITY * model.system().masses()[*particle]);
        let weights = INTERVALS as f64 * weights.map(|weight| weight * weight).sum::<f64>();
        let effort = forced.price() * share / weights; // r/2 |u|² = share/2 where |u|² is that of the weights
        let forces = sheet.forces(particles, INTERVALS).unwrap_or_default();
        let adjoint = Adjoint::new(model.differentiable(), sheet.task(&model, forces, keyframes, effort))?;
        Ok(Steering { model, adjoint, effort, weights, first })
    }

    /// Looks for forces by L-BFGS in so many runs with their gradients, from some or from none.
    ///
    /// # Errors
    /// The run where it begins has no gradient.
    pub fn seek(&mut self, runs: u32, start: Option<&[f64]>) -> Result<Sought, NoGradient> {
        let Steering { model, adjoint, effort, weights, .. } = self;
        let (system, mut taken, mut least, mut course) = (model.differentiable(), 0, f64::INFINITY, vec![]);
        let mut search = Search { runs: runs.into(), ..Search::of(runs, 3 * adjoint.task().forces.count()) };
        if let Some(start) = start {
            search.start.copy_from_slice(start);
        }
        let found = search.minimise(
            |numbers| {
                taken += 1;
                let gradient = adjoint.gradient(system, &vectors(numbers))?;
                if gradient.value < least {
                    least = gradient.value;
                    let square = numbers.iter().fold(0.0, |sum, u| sum + u * u);
                    let distance = (2.0 * least - *effort * square).max(0.0).sqrt(); // w sum |x - x*|² = 2 phi - r |u|²
                    course.push(Best { runs: taken, distance, effort: (square / *weights).sqrt() });
                }
                Ok((gradient.value, gradient.by_force.iter().flatten().copied().collect()))
            },
            || {},
        )?;
        self.show(&vectors(&found.point));
        Ok(Sought { course, forces: found.point, ended: found.obstacle })
    }

    /// Shows the run under forces to whoever looks at it.
    fn show(&mut self, u: &[Vec3]) {
        if recorded::is_on() {
            let (dt, steps) = (self.adjoint.task().dt, self.adjoint.task().steps as u64);
            recorded::surround(|| Surroundings { dt: Some(dt), solids: vec![] });
            let mut filmed = FilmRecorder::new(steps + 1);
            let model = &self.model;
            // a run that the search has taken already
            let _ = self.adjoint.run(model.differentiable(), u, |state| filmed.step(model.system(), state));
        }
    }
}

/// Numbers as vectors.
pub fn vectors(numbers: &[f64]) -> Vec<Vec3> {
    numbers.chunks_exact(3).map(Vec3::from_column_slice).collect()
}

/// The last of the best points that were known after so many runs.
pub fn after(course: &[Best], runs: u64) -> Option<&Best> {
    course.iter().take_while(|best| best.runs <= runs).last()
}

#[cfg(test)]
mod tests {
    use super::super::sheets::tests::SHEET;
    use super::super::sheets::{Hold, Made};
    use super::super::wishes::Wish;
    use super::*;

    #[test]
    fn sheets_come_nearer_to_where_they_are_wished() {
        let mut stream = lab::measure::streams::stream("control", "tests", 1, 1);
        for (made, wish) in Made::ALL.into_iter().zip([Wish::Hidden, Wish::Shifted, Wish::Turned]) {
            let sheet = Sheet { made, hold: Hold::Corners, ..SHEET };
            let mut wished = Wished::draw(&mut stream);
            wished.wish = wish;
            let course = Steering::new(&sheet, &wished, Where::All, 1e-3).unwrap().seek(12, None).unwrap().course;
            let (first, last) = (course[0], course[course.len() - 1]);
            assert!((first.runs, first.effort) == (1, 0.0) && (first.distance - 1.0).abs() < 1e-9, "{first:?}");
            assert!(last.runs <= 12 && last.distance < 0.9 && last.effort > 0.01, "{made}, {}: {last:?}", wished.wish);
            assert_eq!(after(&course, 0), None);
            assert_eq!(after(&course, last.runs), Some(&last));
        }
    }

    #[test]
    fn a_search_goes_on_from_where_another_one_ended() {
        let mut wished = Wished::draw(&mut lab::measure::streams::stream("control", "tests", 1, 3));
        wished.wish = Wish::Hidden;
        let mut steering = Steering::new(&SHEET, &wished, Where::All, 1e-2).unwrap();
        let first = steering.seek(8, None).unwrap();
        let second = steering.seek(8, Some(&first.forces)).unwrap();
        assert_eq!(first.course.last().map(|best| best.effort), second.course.first().map(|best| best.effort));
        assert!(second.course.len() > 1 && second.forces != first.forces);
    }
}
