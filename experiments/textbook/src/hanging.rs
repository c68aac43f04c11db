//! Soft cloth hung from its upper row: what shear springs do to its stretch, and a knee in the stiffness. S-SHEAR-STRETCH,
//! S-STIFFENING.

use cloth::Stiffening;
use kit::prelude::*;

ranges!(HangingRanges {
    //! Sheets.
    /// Number of sheets.
    sets: Count,
    /// Particles a side.
    side: List<Side>,
    /// Areal density \[kg/m²\], log-uniform.
    density: Ends,
    /// Strain of the uppermost springs by the sheet's own weight if those of stretch bore it alone \[-\], log-uniform.
    strain: Ends,
    /// Simulated time \[s\].
    duration: Positive,
});

row! {
    /// A sheet with some springs, at rest.
    pub struct HangingRow {
        /// the springs
        pub variant: String,
        /// particles a side
        pub side: usize,
        /// areal density \[kg/m²\]
        pub density: f64,
        /// of the upper springs if those of stretch bore the weight alone, and were linear
        pub strain: f64,
        /// finished, gains energy, not finite or refused
        pub status: Status,
        /// mean elongation of the columns; none where not finished \[m\]
        pub elongation: Option<f64>,
        /// largest strain of a stretch spring
        pub largest: Option<f64>,
        /// least width of the sheet \[m\]
        pub narrowest: Option<f64>,
        /// largest acceleration at the end over that of gravity
        pub residual: Option<f64>,
    }
}

const NO_SHEAR: &str = "no shear springs";
const SOFT_SHEAR: &str = "shear a tenth as stiff";
const SHEAR: &str = "shear as stiff";
const KNEE: &str = "no shear springs, knee";
const KNEE_WITH_SHEAR: &str = "shear a tenth as stiff, knee";

const VARIANTS: [&str; 5] = [NO_SHEAR, SOFT_SHEAR, SHEAR, KNEE, KNEE_WITH_SHEAR];

/// The knee of the claim.
const STIFFENING: Stiffening = Stiffening { strain: 0.05, factor: 10.0 };

/// A sheet of 1 m.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    side: usize,
    density: f64,
    strain: f64,
}

/// Random sheets.
pub struct Hanging(pub HangingRanges);

impl Case {
    fn cloth(&self, variant: &str) -> Result<Cloth, ModelError> {
        let spacing = 1.0 / (self.side - 1) as f64;
        let stiffness = self.density * GRAVITY / self.strain; // weight of a column of 1 m, rho h g, over the elongation of a spring, strain h
        let share = match variant {
            SHEAR => 1.0,
            SOFT_SHEAR | KNEE_WITH_SHEAR => 0.1,
            _ => 0.0,
        };
        let elastic = |stiffness: f64| Elastic { stiffness, damping: 0.0 };
        let material = Material {
            density: self.density,
            stretch: elastic(stiffness),
            shear: elastic(share * stiffness),
            bend: 0.0,
            compression: true,
            stiffening: [KNEE, KNEE_WITH_SHEAR].contains(&variant).then_some(STIFFENING),
            air: 4.0 * self.density * spacing * spacing,
            ..Material::default()
        };
        let pins: Vec<Pin> = (0..self.side).map(|i| Pin::At(i, 0)).collect();
        Cloth::new(Grid::new(self.side, self.side, spacing)?, material, &pins)
    }

    fn row(&self, variant: &str, duration: f64) -> HangingRow {
        let &Case { side, density, strain } = self;
        let [elongation, largest, narrowest, residual] = [None; 4];
        let (name, status) = (variant.into(), Status::Refused);
        let row = HangingRow { variant: name, side, density, strain, status, elongation, largest, narrowest, residual };
        let Ok(cloth) = self.cloth(variant) else { return row };
        let hung = |x: &Vec3| Vec3::new(x.x, 0.0, -x.y);
        let mut state = State::at_rest(cloth.at_rest().x.iter().map(hung).collect());
        let mut scheme = BackwardEuler::new(&cloth, Settings { solver: Solver::Direct, ..Settings::default() });
        let dt = 1.0 / 30.0;
        let mut course = RunWatch::new(&cloth, &state, ((duration / dt).round() as u64).max(1));
        while course.goes_on() {
            scheme.step(&cloth, dt, &mut state);
            course.watch(&cloth, &state);
        }
        let row = HangingRow { status: course.status(), ..row };
        if course.status() != Status::Finished {
            return row;
        }
        let n = side;
        let columns = (0..n).map(|i| -state.x[(n - 1) * n + i].z - 1.0);
        let elongation = columns.sum::<f64>() / n as f64;
        let widths = (0..n).map(|j| (state.x[j * n + n - 1] - state.x[j * n]).norm());
        let mut a = vec![Vec3::zeros(); cloth.particle_count()];
        cloth.accelerate(&state.x, &vec![Vec3::zeros(); cloth.particle_count()], &mut a);
        HangingRow {
            elongation: Some(elongation),
            largest: Some(largest_strain(&cloth, &state.x)),
            narrowest: Some(widths.fold(f64::INFINITY, f64::min)),
            residual: Some(a.iter().map(|a| a.norm()).fold(0.0, f64::max) / GRAVITY),
            ..row
        }
    }
}

/// Largest strain of a stretch spring \[-\].
fn largest_strain(cloth: &Cloth, x: &[Vec3]) -> f64 {
    let stretch = cloth.springs().iter().filter(|spring| spring.family == cloth::Family::Stretch);
    stretch.map(|spring| (x[spring.j] - x[spring.i]).norm() / spring.rest - 1.0).fold(0.0, f64::max)
}

impl Group for Hanging {
    const NAME: &'static str = "hanging";
    const ABOUT: &'static str =
        "soft sheets hung from their upper row, with and without shear springs and a knee in the stiffness";
    type Case = Case;
    type Row = HangingRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Case {
        let side = pick(stream, self.0.side.values()).get() as usize;
        let density = log_uniform(stream, self.0.density.get());
        Case { side, density, strain: log_uniform(stream, self.0.strain.get()) }
    }

    fn measure(&self, case: &Case) -> Vec<HangingRow> {
        VARIANTS.iter().map(|variant| case.row(variant, self.0.duration.get())).collect()
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Hanging(ranges.hanging.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_of_columns_hangs_as_springs_under_their_loads() {
        // 4 rows of springs; the one above the k-th particle from below bears k particles: 4 + 3 + 2 + 1 of m g / ks
        let case = Case { side: 5, density: 0.2, strain: 0.1 };
        let row = case.row(NO_SHEAR, 12.0);
        let [elongation, largest, residual] = [row.elongation, row.largest, row.residual].map(Option::unwrap);
        let each = 0.1 / 4.0 * 0.25; // m g / ks: a quarter of a column's weight strains a spring by a quarter of 0.1, times h
        assert!((elongation - 10.0 * each).abs() < 1e-4 && residual < 1e-2, "{row:?}");
        assert!((largest - 0.1).abs() < 1e-3, "{row:?}");
        let stiffened = case.row(KNEE, 12.0);
        // the load of the uppermost is 0.1 of its linear strain: 0.05 + 0.05 / 10
        assert!((stiffened.largest.unwrap() - 0.055).abs() < 1e-3, "{stiffened:?}");
    }
}
