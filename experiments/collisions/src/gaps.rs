//! How far apart are layers of cloth at rest?

use collision::{Candidates, Pair, Surface, crossings};
use kit::prelude::*;
use kit::recorded::{Surroundings, surround};

use super::drapes::{Drape, Drapes, Fall, LENGTH, faces, status_of};
use super::treatments::Treatment;

ranges!(GapRanges {
    //! Folded sheets.
    /// Number of sheets.
    sets: Count,
    /// What they are drawn from.
    drapes: Drapes,
    /// dt \[s\].
    step: Positive,
    /// Simulated time \[s\].
    duration: Positive,
});

/// Treatments that leave a gap.
const TREATMENTS: [Treatment; 3] = [Treatment::Particles, Treatment::Explicit, Treatment::Exact];

/// How far layers may be apart to be said to lie on each other \[h\], and how far from the fold the gap is measured \[m\].
const NEAR: f64 = 1.5;
const OFF_THE_FOLD: f64 = 0.1 * LENGTH;

row! {
    /// A folded sheet by a treatment, at its end.
    pub struct GapRow {
        /// particles, particles explicit, exact
        pub treatment: Treatment,
        /// particles a side
        pub side: usize,
        /// h \[m\]
        pub spacing: f64,
        /// areal density \[kg/m²\]
        pub density: f64,
        /// of the fold from the middle of the sheet \[m\]
        pub beside: f64,
        /// finished, or gains energy, not finite, refused: collisions of a step were not resolved
        pub status: Status,
        /// height of particles of the upper layer above the faces of the lower one, the median of those within 1.5 h \[m\]
        pub gap: Option<f64>,
        /// share of the particles of the upper layer within 1.5 h
        pub share: f64,
        /// pairs of triangles that cross
        pub crossing: usize,
    }
}

/// Folded sheets.
pub struct Gaps(pub GapRanges);

impl Gaps {
    fn row(&self, drape: &Drape, treatment: Treatment) -> Option<GapRow> {
        let net = drape.net().ok()?;
        let (mut stepper, mut state) = (treatment.stepper(drape, &net).ok()?, drape.start().ok()?);
        let step = self.0.step.get();
        surround(|| Surroundings { dt: Some(step), solids: drape.solids() });
        let steps = (self.0.duration.get() / step).round() as u64;
        let mut course = RunWatch::of_energy(net.energy(&state), drape.fall_energy(), steps);
        while course.goes_on() {
            let ended = stepper.step(&net, step, &mut state);
            course.watch_step(ended, &net, &state, || net.energy(&state));
        }
        let (status, _) = status_of(&course, stepper.collisions());
        let surface = Surface::new(faces(drape.side), drape.side * drape.side).ok()?;
        let is_whole = course.status() == Status::Finished;
        let crossing = if is_whole { crossings(&surface, &state.x).len() } else { 0 };
        let heights = if is_whole { heights(drape, surface, &state.x)? } else { vec![] };
        let lying: Vec<f64> = heights.iter().copied().flatten().collect();
        Some(GapRow {
            treatment,
            side: drape.side,
            spacing: drape.spacing(),
            density: drape.density,
            beside: drape.beside,
            status,
            gap: median(&lying),
            share: lying.len() as f64 / heights.len().max(1) as f64,
            crossing,
        })
    }
}

/// Height of each particle of the upper layer, off the fold, above the nearest face of the lower one \[m\], below zero where it
/// has passed through; none where that is farther than [`NEAR`].
fn heights(drape: &Drape, surface: Surface, x: &[Vec3]) -> Option<Vec<Option<f64>>> {
    let (rest, near) = (drape.grid().ok()?.flat(), NEAR * drape.spacing());
    let fold = 0.5 * LENGTH + drape.beside;
    let upper = fold + std::f64::consts::PI * drape.spacing() + OFF_THE_FOLD;
    let is_upper = |particle: usize| rest[particle].x > upper;
    let mut nearest: Vec<Option<Vec3>> = vec![None; x.len()];
    for pair in Candidates::new(surface).find(x, x, near) {
        let Pair::VertexFace([particle, corners @ ..]) = *pair else { continue };
        if is_upper(particle as usize) && corners.iter().all(|&corner| rest[corner as usize].x < fold) {
            let (apart, known) = (pair.closest(x).apart, &mut nearest[particle as usize]);
            if apart.norm() <= known.map_or(near, |known| known.norm()) {
                *known = Some(apart);
            }
        }
    }
    let heights = nearest.iter().map(|apart| apart.map(|apart| apart.norm().copysign(apart.z)));
    Some(heights.enumerate().filter(|(particle, _)| is_upper(*particle)).map(|(_, height)| height).collect())
}

impl Group for Gaps {
    const NAME: &'static str = "gaps";
    const ABOUT: &'static str = "sheets folded in two, at rest: how far apart their layers are";
    type Case = Drape;
    type Row = GapRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Drape {
        Drape { fall: Fall::Folded, ..Drape::draw(&self.0.drapes, stream) }
    }

    fn kin(&self, drape: &Drape) -> u64 {
        drape.side as u64
    }

    fn parts(&self, _drape: &Drape) -> usize {
        TREATMENTS.len()
    }

    fn measure_part(&self, drape: &Drape, part: usize) -> Vec<GapRow> {
        self.row(drape, TREATMENTS[part]).into_iter().collect()
    }
}

/// Gap of the finished sheets by a treatment \[m\].
fn of(rows: &[Row<GapRow>], treatment: Treatment) -> impl Iterator<Item = (&GapRow, f64)> {
    let rows = rows.iter().map(|row| &row.row).filter(move |row| row.treatment == treatment && row.status == Status::Finished);
    rows.filter_map(|row| Some((row, row.gap?)))
}

/// Gaps against the spacing.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Gaps>()?;
    let series = TREATMENTS.iter().enumerate().map(|(k, &treatment)| {
        let points = of(&rows, treatment).map(|(row, gap)| [row.spacing, gap.max(1e-4)]).collect();
        Layer::points(treatment.name(), Palette::series(k), points)
    });
    let spacings = extent(rows.iter().map(|row| row.row.spacing));
    let thesis = Layer::line("0.6 h", Palette::GREY, spacings.map(|h| [h, 0.6 * h]).into());
    let layers = [thesis].into_iter().chain(series).collect();
    let panel = Panel::new(Axis::log("h [m]"), Axis::log("gap [m]"), layers).legend_outside();
    let caption = "Height of the upper layer of sheets of 1 m that are folded in two, above the lower one, at rest: the median of the \
                   particles that lie on it. Sheets of which half or more has passed through stand at 1e-4.";
    Ok(Figure::new("gaps", "How far apart layers lie", caption, vec![panel]))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let GapRanges { duration, step, .. } = &ranges.gaps;
    Topic::of(Gaps(ranges.gaps.clone())).plot("gaps", chart).checked(check_steps("gaps.duration", duration.get(), step.get()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_by_hand() {
        let drape = Drape { fall: Fall::Folded, side: 21, density: 0.2, stiffness: 100.0, beside: 0.0, tilt: 0.0 };
        let x = drape.start().unwrap().x; // layers 2 h apart: too far to count
        let measured = |x: &[Vec3]| heights(&drape, Surface::new(faces(21), 441).unwrap(), x).unwrap();
        assert!(measured(&x).len() > 50 && measured(&x).iter().all(Option::is_none));
        let near: Vec<Vec3> = x.iter().map(|x| Vec3::new(x.x, x.y, 0.3 * x.z)).collect();
        let is = |height: f64| move |found: &Option<f64>| found.is_some_and(|found| (found - height).abs() < 1e-12);
        assert!(measured(&near).iter().all(is(0.6 * 0.05)), "{:?}", measured(&near));
        let through: Vec<Vec3> = x.iter().map(|x| Vec3::new(x.x, x.y, -0.1 * x.z)).collect();
        assert!(measured(&through).iter().all(is(-0.2 * 0.05)));
    }
}
