//! The surface of sheets whose stretch and shear springs are slack in compression. B-AREA.

use kit::prelude::*;

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

pub fn topic(ranges: &super::Ranges) -> Topic {
    let checked = check_list("areas.duration", ranges.areas.duration, &ranges.areas.lists.step);
    Topic::of(Areas(ranges.areas.clone())).checked(checked)
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
