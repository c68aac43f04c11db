//! What is read off a course: how fast energy decays, and how the flag swings.

use kit::prelude::*;

use super::flag_run::{Course, Sample};

/// A decay of energy, exp(-sigma t).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decay {
    /// sigma \[1/s\], of the line of least squares through the logarithms.
    pub rate: f64,
    /// sigma of the least squares in the energies themselves \[1/s\].
    pub rate_of_energies: f64,
}

/// A swing in a window of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Swing {
    /// Time between two crossings of the middle in the same direction \[s\].
    pub period: f64,
    /// Half of the way from end to end \[m\].
    pub amplitude: f64,
}

/// Energies below this are not told from the rest's \[J\].
const FLOOR: f64 = 1e-13;

/// Samples of a course from `from` to `to` \[s\].
fn window(course: &Course, from: f64, to: f64) -> Vec<Sample> {
    course.samples.iter().copied().filter(|sample| sample.time >= from - 1e-9 && sample.time <= to + 1e-9).collect()
}

/// The decay of the energy over that at rest, `resting` \[J\], between two times \[s\]; none where the run blew up or too little
/// energy is left.
pub fn decay(course: &Course, resting: f64, [from, to]: [f64; 2]) -> Option<Decay> {
    if course.blown.is_some() {
        return None;
    }
    let over = |sample: Sample| Sample { energy: sample.energy - resting, ..sample };
    let samples: Vec<Sample> = window(course, from, to).into_iter().map(over).filter(|sample| sample.energy > FLOOR).collect();
    let points: Vec<[f64; 2]> = samples.iter().map(|sample| [sample.time, libm::log(sample.energy)]).collect();
    let rate = -line(&points)?.slope;
    Some(Decay { rate, rate_of_energies: rate_of_energies(&samples, rate) })
}

/// Rates are sought within this factor of the first guess.
const SPREAD: f64 = 8.0;

/// sigma of the least squares of A exp(-sigma t) in the energies, A being the best one for each sigma, by golden sections in log
/// sigma.
fn rate_of_energies(samples: &[Sample], guess: f64) -> f64 {
    let start = samples.first().map_or(0.0, |sample| sample.time);
    let left = |log_rate: f64| {
        let rate = libm::exp(log_rate);
        let (mut ee, mut ey, mut yy) = (0.0, 0.0, 0.0);
        for sample in samples {
            let e = libm::exp(-rate * (sample.time - start));
            ee += e * e;
            ey += e * sample.energy;
            yy += sample.energy * sample.energy;
        }
        yy - ey * ey / ee
    };
    let golden = 0.5 * (5.0_f64.sqrt() - 1.0);
    let middle = libm::log(guess.abs().max(1e-9));
    let (mut low, mut high) = (middle - libm::log(SPREAD), middle + libm::log(SPREAD));
    for _ in 0..60 {
        let (a, b) = (high - golden * (high - low), low + golden * (high - low));
        if left(a) < left(b) { high = b } else { low = a }
    }
    libm::exp(0.5 * (low + high))
}

/// The swing between `from` and `to` \[s\], about its mean there; none where it crosses that less than three times or the run
/// ended before.
pub fn swing(course: &Course, from: f64, to: f64) -> Option<Swing> {
    let samples = window(course, from, to);
    if course.blown.is_some() || samples.is_empty() {
        return None;
    }
    let mean = samples.iter().map(|sample| sample.swing).sum::<f64>() / samples.len() as f64;
    let mut crossings = vec![];
    for pair in samples.windows(2) {
        let [a, b] = [pair[0].swing - mean, pair[1].swing - mean];
        if (a < 0.0) != (b < 0.0) {
            crossings.push(pair[0].time + (pair[1].time - pair[0].time) * a / (a - b));
        }
    }
    let (first, last) = (crossings.first()?, crossings.last()?);
    let (low, high) =
        samples.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), s| (low.min(s.swing), high.max(s.swing)));
    let halves = crossings.len() - 1;
    (halves >= 2).then(|| Swing { period: 2.0 * (last - first) / halves as f64, amplitude: 0.5 * (high - low) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course(energy: impl Fn(f64) -> f64, swing: impl Fn(f64) -> f64) -> Course {
        let sample = |k: u32| {
            let time = f64::from(k) * 0.05;
            Sample { time, energy: energy(time), swing: swing(time) }
        };
        Course {
            samples: (0..=1200).map(sample).collect(),
            blown: None,
            end: State::at_rest(vec![]),
            work: Work::default(),
            steps: 1200,
            conditions: [None; 2],
        }
    }

    #[test]
    fn a_decay_that_ripples_has_its_rate() {
        let course = course(|t| 3.0 * libm::exp(-0.07 * t) * (1.0 + 0.2 * libm::sin(9.0 * t)), |_| 0.0);
        let decay = decay(&course, 0.0, [30.0, 60.0]).unwrap();
        assert!((decay.rate - 0.07).abs() < 1e-3, "{decay:?}");
        assert!((decay.rate_of_energies - 0.07).abs() < 2e-3, "{decay:?}");
    }

    #[test]
    fn two_decays_are_told_apart_by_the_two_fits() {
        // the fit in the energies sees what is large, that in their logarithms what lasts
        let course = course(|t| libm::exp(-0.5 * (t - 30.0)) + 0.1 * libm::exp(-0.02 * (t - 30.0)), |_| 0.0);
        let decay = decay(&course, 0.0, [30.0, 60.0]).unwrap();
        assert!(decay.rate_of_energies > 2.0 * decay.rate, "{decay:?}");
    }

    #[test]
    fn a_swing_has_its_period_and_amplitude() {
        let course = course(|_| 1.0, |t| 0.3 + 0.02 * libm::sin(std::f64::consts::TAU * t / 1.6));
        let swing = swing(&course, 50.0, 60.0).unwrap();
        assert!((swing.period - 1.6).abs() < 2e-3 && (swing.amplitude - 0.02).abs() < 1e-4, "{swing:?}");
    }

    #[test]
    fn what_does_not_swing_has_no_period() {
        assert_eq!(swing(&course(|_| 1.0, |t| t), 50.0, 60.0), None);
    }
}
