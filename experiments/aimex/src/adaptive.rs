//! Whether steps adapted to stretch save a user from starting a run again with a smaller step.

use cloth::run::Adaptation;
use kit::prelude::*;

ranges!(AdaptiveRanges {
    //! Lists that sets are drawn from, and how steps are adapted.
    sets: Count,
    /// What they are drawn from; the configuration is always two corners, since FB Euler knows no contact.
    lists: Lists,
    /// Largest |x|/L of an accepted step \[-\].
    limits: List<Positive>,
    /// Simulated time \[s\].
    duration: Positive,
});

/// The schemes whose steps are adapted.
const SCHEMES: [&str; 2] = ["FB Euler", "semi-implicit Euler"];

/// Sheets with fixed and with adapted steps.
pub struct Adaptive(pub AdaptiveRanges);

row! {
    /// What came of a sheet with one scheme and one limit; without a limit the steps are fixed.
    pub struct AdaptiveRow {
        /// FB Euler or semi-implicit Euler
        pub scheme: String,
        /// largest |x|/L of an accepted step; none for fixed steps
        pub limit: Option<f64>,
        /// n, particles a side
        pub side: usize,
        /// h, mesh spacing \[m\]
        pub spacing: f64,
        /// rho, areal density \[kg/m²\]
        pub density: f64,
        /// ks1, of the springs to the nearest neighbours \[N/m\]
        pub stretch_stiffness: f64,
        /// ks2, of the springs to the diagonal neighbours \[N/m\]
        pub shear_stiffness: f64,
        /// kd1, of the springs to the nearest neighbours \[N s/m\]
        pub stretch_damping: f64,
        /// kd2, of the springs to the diagonal neighbours \[N s/m\]
        pub shear_damping: f64,
        /// dt, the fixed or the largest time step \[s\]
        pub step: f64,
        /// stable, gains energy, not finite or refused
        pub status: Status,
        /// why it would have to be started again
        pub reason: Option<String>,
        /// largest energy gain in the last tenth over a fall by the sheet's length
        pub energy_gain: f64,
        /// largest |x|/L at the end of any step of dt
        pub stretch: Option<f64>,
        /// steps rejected
        pub rejected: u64,
        /// steps accepted beyond the limit, since they could not be halved any more
        pub beyond: u64,
    }
}

/// A scheme, with fixed or with adapted steps.
fn stepper(name: &str, cloth: &Cloth, limit: Option<f64>) -> Stepper {
    let count = cloth.particle_count();
    let scheme: Box<dyn Integrator> = match name == SCHEMES[0] {
        true => Box::new(ForwardBackwardEuler::new(count)),
        false => Box::new(BackwardEuler::new(cloth, Settings::default())),
    };
    match limit {
        Some(limit) => Stepper::new(scheme).adapted(Adaptation::new(limit, count)),
        None => Stepper::new(scheme),
    }
}

impl Adaptive {
    fn run(&self, sheet: &Sheet, name: &str, limit: Option<f64>) -> AdaptiveRow {
        let row = AdaptiveRow {
            scheme: name.into(),
            limit,
            side: sheet.side,
            spacing: sheet.spacing,
            density: sheet.density,
            stretch_stiffness: sheet.stretch.stiffness,
            shear_stiffness: sheet.shear.stiffness,
            stretch_damping: sheet.stretch.damping,
            shear_damping: sheet.shear.damping,
            step: sheet.step,
            status: Status::Stable,
            ..AdaptiveRow::default()
        };
        let cloth = match sheet.cloth() {
            Ok(cloth) => cloth,
            Err(invalid) => return AdaptiveRow { status: Status::Refused, reason: Some(invalid.to_string()), ..row },
        };
        let (mut stepper, mut state) = (stepper(name, &cloth, limit), cloth.at_rest());
        let steps = (self.0.duration.get() / sheet.step).round() as u64;
        let mut course = RunWatch::new(&cloth, &state, steps);
        let mut stretch = 1.0_f64;
        while course.goes_on() {
            let ended = stepper.step(&cloth, sheet.step, &mut state);
            course.watch_step(ended, &cloth, &state, || cloth.energies(&state).total());
            if ended.is_ok() {
                stretch = stretch.max(cloth.largest_stretch(&state.x));
            }
        }
        let Work { rejected, accepted_beyond: beyond, .. } = stepper.work();
        AdaptiveRow {
            status: if course.status() == Status::Finished { Status::Stable } else { course.status() },
            reason: course.reason(),
            energy_gain: course.gain(),
            stretch: stretch.is_finite().then_some(stretch),
            rejected,
            beyond,
            ..row
        }
    }
}

impl Group for Adaptive {
    const NAME: &'static str = "adaptive";
    const ABOUT: &'static str = "sheets held at two corners, with fixed steps and with steps adapted to stretch";
    type Case = Sheet;
    type Row = AdaptiveRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Sheet {
        Sheet { configuration: Configuration::Corners, ..Sheet::draw(&self.0.lists, stream) }
    }

    fn parts(&self, _sheet: &Sheet) -> usize {
        SCHEMES.len() * (1 + self.0.limits.values().len())
    }

    fn measure_part(&self, sheet: &Sheet, part: usize) -> Vec<AdaptiveRow> {
        let limits = self.0.limits.values();
        let (scheme, place) = (part / (1 + limits.len()), part % (1 + limits.len()));
        // fixed steps first
        let limit = place.checked_sub(1).map(|place| limits[place].get());
        vec![self.run(sheet, SCHEMES[scheme], limit)]
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let checked = check_list("adaptive.duration", ranges.adaptive.duration, &ranges.adaptive.lists.step);
    Topic::of(Adaptive(ranges.adaptive.clone())).checked(checked)
}
