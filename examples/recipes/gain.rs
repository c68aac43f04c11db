//! The gain of a mass on a spring in a period of forward Euler \[Stuyck 2018, 3.3\]

use cloth::oscillator::Oscillator;
use kit::prelude::*;

/// Steps of the period.
const STEPS: [u32; 3] = [100, 1000, 10_000];

row! {
    /// A period.
    struct GainRow {
        /// steps of the period
        steps: u32,
        /// amplitude of the circle in the plane of x and v over that at the start
        gain: f64,
    }
}

/// A swing in ever shorter steps.
struct Gains;

impl Group for Gains {
    const NAME: &'static str = "gains";
    const ABOUT: &'static str = "a period of a swing by forward Euler";
    type Case = u32;
    type Row = GainRow;

    fn listed(&self) -> Vec<u32> {
        STEPS.to_vec()
    }

    fn measure(&self, &steps: &u32) -> Vec<GainRow> {
        let oscillator = Oscillator::with_damping_ratio(1.0, 0.0); // its period is 2 pi s
        let (mut scheme, mut state) = (ForwardEuler::new(1), State::at_rest(vec![Vec3::x()]));
        for _ in 0..steps {
            scheme.step(&oscillator, std::f64::consts::TAU / f64::from(steps), &mut state);
        }
        vec![GainRow { steps, gain: libm::hypot(state.x[0].x, state.v[0].x) }]
    }
}

fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let points = results.without_sets::<Gains>()?.iter().map(|row| [f64::from(row.steps), row.gain - 1.0]).collect();
    let layers = vec![Layer::points("forward Euler", Palette::BLUE, points)];
    let panel = Panel::new(Axis::log("steps a period"), Axis::log("growth of the amplitude in a period"), layers);
    Ok(Figure::new("gain", "What a swing gains in a period", "A mass on an undamped spring by forward Euler.", vec![panel]))
}

pub fn topic(_: &super::Ranges) -> Topic {
    Topic::of(Gains).plot("gain", chart)
}
