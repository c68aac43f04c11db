//! The distance of a mass on a spring from its start, after one period of forward-backward Euler \[Boxerman 2003, 4.1.3\]

use cloth::oscillator::Oscillator;
use kit::prelude::*;
use kit::ranges::{Ranged, Value};
use lab::table;

ranges!(Ranges {
    //! Sample sizes and ranges.
    /// Periods.
    sets: Count,
    /// Steps of a period, drawn from these.
    steps: List<Count>,
});

struct Periods(Ranges);

row! {
    /// A period.
    struct Period {
        /// steps of the period
        steps: u32,
        /// distance from the start \[m\]
        distance: f64,
    }
}

impl Group for Periods {
    const NAME: &'static str = "periods";
    const ABOUT: &'static str = "periods of random numbers of steps";
    type Case = u32;
    type Row = Period;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> u32 {
        pick(stream, self.0.steps.values()).get()
    }

    fn measure(&self, &steps: &u32) -> Vec<Period> {
        let oscillator = Oscillator::with_damping_ratio(std::f64::consts::TAU, 0.0); // its period is 1 s
        let (mut scheme, mut state) = (ForwardBackwardEuler::new(1), State::at_rest(vec![Vec3::x()]));
        for _ in 0..steps {
            scheme.step(&oscillator, 1.0 / f64::from(steps), &mut state);
        }
        vec![Period { steps, distance: (state.x[0] - Vec3::x()).norm() }]
    }
}

/// The study by its section of a profile.
///
/// # Errors
/// The first value that is none.
pub fn read(section: &Value) -> Result<Study, RangeError> {
    let ranges = Ranges::read(section)?;
    Ok(Study {
        name: "one-period",
        title: "A mass on a spring after one period",
        source: "Boxerman 2003, section 4.1.3",
        about: "A mass of 1 kg on an undamped spring is let go 1 m from its rest, and should be there again after a period of 1 s.",
        discussion: |_| Ok("The distance falls with the step.".into()),
        ..Study::of(vec![table(Periods(ranges.clone()))], hash_of_ranges(&ranges))
    })
}
