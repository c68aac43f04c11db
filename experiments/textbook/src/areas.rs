//! The surface of sheets whose stretch and shear springs are slack in compression. B-AREA.

use kit::prelude::*;

use super::{can_decide, share_words};

ranges!(AreaRanges {
    //! Sheets.
    /// Number of sheets.
    sets: Count,
    /// What they are drawn from.
    lists: Lists,
    /// Simulated time \[s\].
    duration: Positive,
});

row! {
    /// A sheet with and without bend springs.
    pub struct AreaRow {
        /// whether it has bend springs, which alone resist compression
        pub bending: bool,
        /// what it hangs from or falls onto
        pub configuration: Configuration,
        /// n, particles a side
        pub side: usize,
        /// h, mesh spacing \[m\]
        pub spacing: f64,
        /// rho, areal density \[kg/m²\]
        pub density: f64,
        /// ks1 \[N/m\]
        pub stretch_stiffness: f64,
        /// ks2 \[N/m\]
        pub shear_stiffness: f64,
        /// kb, where it has bend springs \[N/m\]
        pub bend: f64,
        /// dt \[s\]
        pub step: f64,
        /// finished, gains energy or not finite
        pub status: Status,
        /// surface over that at rest, mean over the second half; none where not finished
        pub area: Option<f64>,
        /// surface that shrunk triangles lack, over that at rest
        pub shrunk: Option<f64>,
        /// surface that grown triangles have too much, over that at rest
        pub grown: Option<f64>,
    }
}

/// Random sheets.
pub struct Areas(pub AreaRanges);

/// Surface, that which triangles lack and that which they have too much, each over the surface at rest: two triangles a cell.
fn area(grid: &Grid, x: &[Vec3]) -> [f64; 3] {
    let (n, half) = (grid.nx(), 0.5 * grid.spacing() * grid.spacing());
    let (mut sum, mut count) = ([0.0; 3], 0.0);
    for (i, j) in (0..grid.ny() - 1).flat_map(|j| (0..n - 1).map(move |i| (i, j))) {
        let corner = |a: usize, b: usize| x[(j + b) * n + i + a];
        for [p, q, r] in [[(0, 0), (1, 0), (1, 1)], [(0, 0), (1, 1), (0, 1)]].map(|t| t.map(|(a, b)| corner(a, b))) {
            let share = 0.5 * (q - p).cross(&(r - p)).norm() / half;
            for (sum, part) in sum.iter_mut().zip([share, (1.0 - share).max(0.0), (share - 1.0).max(0.0)]) {
                *sum += part;
            }
            count += 1.0;
        }
    }
    sum.map(|sum| sum / count)
}

impl Areas {
    fn row(&self, sheet: &Sheet, bending: bool) -> Option<AreaRow> {
        let bend = if bending { sheet.bend } else { 0.0 };
        let mut run = Run::new(&Sheet { bend, ..*sheet }, Settings::default(), Splitting::Implicit, Friction::default()).ok()?;
        let mut course = RunWatch::of(&run, sheet.step, self.0.duration.get());
        let mut areas = vec![];
        while course.goes_on() {
            run.step(sheet.step);
            course.watch(&run.cloth, &run.state);
            if course.is_late() {
                areas.push(area(run.cloth.grid(), &run.state.x));
            }
        }
        let status = course.status();
        let mean = |part: usize| {
            let all: Vec<f64> = areas.iter().map(|area| area[part]).collect();
            mean(&all).filter(|_| status == Status::Finished)
        };
        Some(AreaRow {
            bending,
            configuration: sheet.configuration,
            side: sheet.side,
            spacing: sheet.spacing,
            density: sheet.density,
            stretch_stiffness: sheet.stretch.stiffness,
            shear_stiffness: sheet.shear.stiffness,
            bend: sheet.bend,
            step: sheet.step,
            status,
            area: mean(0),
            shrunk: mean(1),
            grown: mean(2),
        })
    }
}

impl Group for Areas {
    const NAME: &'static str = "areas";
    const ABOUT: &'static str = "the surface of sheets of the thesis' lists, with and without bend springs";
    type Case = Sheet;
    type Row = AreaRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Sheet {
        Sheet::draw(&self.0.lists, stream)
    }

    fn measure(&self, sheet: &Sheet) -> Vec<AreaRow> {
        [true, false].into_iter().filter_map(|bending| self.row(sheet, bending)).collect()
    }
}

/// Share of sheets whose surface is to be preserved \[-\].
const MOST: f64 = 0.9;

/// B-AREA.
pub fn preserved(results: &Results) -> Result<Finding, ResultsError> {
    let rows = results.rows::<Areas>()?;
    let with = |bending: bool| rows.iter().map(|row| &row.row).filter(move |row| row.bending == bending);
    let judged = |share: &Estimate| verdict(share.lies_above(MOST), share.lies_above(0.5));
    let share = |rows: Vec<&AreaRow>, holds: &dyn Fn(&AreaRow) -> bool| share_of(rows.into_iter().map(holds));
    let stable = |bending: bool| with(bending).filter(|row| row.status == Status::Finished).collect::<Vec<_>>();
    let within = |slack: f64| move |row: &AreaRow| row.area.is_some_and(|area| (area - 1.0).abs() <= slack);
    let main = share(stable(true), &within(0.1)).ok_or_else(|| too_few("no sheet is stable"))?;
    let (drawn, kept) = (with(true).count(), stable(true).len());
    let of = |configuration: Configuration| {
        stable(true).into_iter().filter(|row| row.configuration == configuration).collect::<Vec<_>>()
    };
    let stiff = stable(true).into_iter().filter(|row| row.stretch_stiffness >= 300.0 && row.shear_stiffness >= 300.0).collect();
    let others = vec![
        ("within 5 %".to_owned(), share(stable(true), &within(0.05))),
        (
            "what shrunk triangles lack alone, at most 10 %".into(),
            share(stable(true), &|row| row.shrunk.is_some_and(|s| s <= 0.1)),
        ),
        (
            "what grown triangles have too much alone, at most 10 %".into(),
            share(stable(true), &|row| row.grown.is_some_and(|g| g <= 0.1)),
        ),
        ("without bend springs".into(), share(stable(false), &within(0.1))),
        ("stretch and shear of 300 N/m and more".into(), share(stiff, &within(0.1))),
        ("unfinished runs counted against it".into(), share(with(true).collect(), &within(0.1))),
        (
            "unfinished runs counted for it".into(),
            share(with(true).collect(), &|row| row.status != Status::Finished || within(0.1)(row)),
        ),
        ("held at two corners".into(), share(of(Configuration::Corners), &within(0.1))),
        ("on a table".into(), share(of(Configuration::Table), &within(0.1))),
        ("on a sphere".into(), share(of(Configuration::Sphere), &within(0.1))),
    ];
    let areas: Vec<f64> = with(true).filter_map(|row| row.area).collect();
    let [share, surface] = [main.value, median(&areas).unwrap_or(f64::NAN)].map(percent);
    let measured = format!("{share} of the stable sheets; their surface is {surface} of that at rest, in the median");
    let lost = left_out(with(true).map(|row| row.status));
    let reason = format!(
        "no verdict is given of parts of the sample that could not decide if all sheets in them agreed; {lost}; the lists hold soft \
         springs, whose stretch changes the surface as compression does; stiffer cloth would overturn a share that is too low"
    );
    Ok(Finding::new(judged(&main), measured, reason).rests_on(&main).left_out(drawn - kept).readings(readings(
        others,
        share_words,
        |share| can_decide(share.cases, MOST).then(|| judged(share)),
    )))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let checked = check_list("areas.duration", ranges.areas.duration, &ranges.areas.lists.step);
    Topic::of(Areas(ranges.areas.clone())).judge("B-AREA", preserved).places(&[("B-AREA", 4)]).checked(checked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surfaces_of_a_flat_and_of_a_squeezed_sheet() {
        let grid = Grid::new(4, 3, 0.5).unwrap();
        assert_eq!(area(&grid, &grid.flat()), [1.0, 0.0, 0.0]);
        // its last column comes nearer by half a cell: a third of the cells have half their surface
        let squeezed: Vec<Vec3> = grid.flat().iter().map(|x| Vec3::new(x.x.min(1.25), x.y, 0.0)).collect();
        let [whole, shrunk, grown] = area(&grid, &squeezed);
        assert!((whole - 5.0 / 6.0).abs() < 1e-15 && (shrunk - 1.0 / 6.0).abs() < 1e-15 && grown == 0.0, "{whole} {shrunk}");
    }
}
