//! Random streams: what a parameter set is depends on its study, its group, the base seed and its index, and on nothing
//! else.

use rand::{RngExt, SeedableRng};
pub use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};

/// The stream of one set: ChaCha8 with the SHA-256 of (study, scenes, seed) as its key and the set as its stream.
pub fn stream(study: &str, scenes: &str, seed: u64, set: u64) -> ChaCha8Rng {
    let key = Sha256::digest(format!("{study}\n{scenes}\n{seed}"));
    let mut stream = ChaCha8Rng::from_seed(key.into());
    stream.set_stream(set);
    stream
}

/// One of the values of a list, all equally likely.
///
/// # Panics
/// On an empty list.
pub fn pick<T: Copy>(stream: &mut ChaCha8Rng, values: &[T]) -> T {
    assert!(!values.is_empty(), "nothing to pick from");
    values[stream.random_range(0..values.len())]
}

/// A number between two ends above zero, whose logarithm is equally distributed.
pub fn log_uniform(stream: &mut ChaCha8Rng, [low, high]: [f64; 2]) -> f64 {
    let share: f64 = stream.random();
    low * libm::pow(high / low, share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_what_they_were() {
        // golden values: another version of a dependency that draws other sets must not go unnoticed
        let mut first = stream("study", "scenes", 1, 137);
        let drawn: [u64; 3] = std::array::from_fn(|_| first.random());
        assert_eq!(drawn, [7_449_514_726_896_517_210, 3_153_277_397_205_924_336, 14_998_521_379_514_482_099]);
        let mut second = stream("study", "scenes", 1, 137);
        let picked: Vec<u8> = (0..12).map(|_| pick(&mut second, &[1, 2, 3, 4, 5])).collect();
        assert_eq!(picked, [4, 3, 1, 1, 4, 5, 2, 5, 3, 1, 4, 5]);
        assert_eq!(log_uniform(&mut second, [1e-3, 10.0]).to_bits(), 4_581_672_528_655_260_246);
    }

    #[test]
    fn every_part_of_the_key_matters() {
        let draw = |study, scenes, seed, set| stream(study, scenes, seed, set).random::<u64>();
        let draws =
            [draw("a", "b", 1, 1), draw("x", "b", 1, 1), draw("a", "x", 1, 1), draw("a", "b", 2, 1), draw("a", "b", 1, 2)];
        for (k, draw) in draws.iter().enumerate() {
            assert!(!draws[..k].contains(draw));
        }
    }

    #[test]
    fn picks_cover_the_list_evenly() {
        let mut counts = [0; 5];
        for set in 0..5000 {
            counts[pick(&mut stream("study", "even", 3, set), &[0, 1, 2, 3, 4])] += 1;
        }
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
    }
}
