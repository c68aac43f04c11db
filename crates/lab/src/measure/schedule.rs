//! Times of a run on any number of cores, predicted from those of its cases.

use std::path::Path;

use crate::measure::run::{Request, sizes};
use crate::measure::run_error::RunError;
use crate::study::Study;

/// Cases that are measured together, by one thread.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Its study, its group and its first set.
    pub name: String,
    /// Time of its cases \[s\]; the mean of their group where that is not known.
    pub seconds: f64,
}

/// The pieces of a request by the times of the run published in `folder`, the longest first; none where there are no times.
///
/// # Errors
/// [`RunError::UnknownGroup`].
pub fn pieces(study: &Study, request: &Request, folder: &Path) -> Result<Option<Vec<Piece>>, RunError> {
    let results = study.results(folder);
    let mut pieces = vec![];
    for (group, sets) in sizes(study, request)? {
        let Ok(known) = results.times_among_others(group.name()) else { return Ok(None) };
        let mean = known.values().sum::<f64>() / known.len().max(1) as f64;
        let sets: Vec<u64> = (0..sets).collect();
        let seed = request.identity.seed;
        for block in group.blocks(study.name, seed, &sets) {
            let seconds: f64 = block.iter().map(|set| known.get(set).copied().unwrap_or(mean)).sum();
            let parts = if let [set] = block[..] { group.parts(study.name, seed, set) } else { 1 };
            let name = format!("{}/{}, case {}", study.name, group.name(), block.first().copied().unwrap_or_default());
            pieces.extend(std::iter::repeat_n(Piece { name, seconds: seconds / parts as f64 }, parts));
        }
    }
    pieces.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    Ok(Some(pieces))
}

/// When the last of so many cores is done \[s\], where each takes the next piece of a list as soon as it is free.
pub fn makespan(pieces: &[Piece], cores: usize) -> f64 {
    let mut busy = vec![0.0; cores.max(1)];
    for piece in pieces {
        if let Some(first) = busy.iter_mut().min_by(|a: &&mut f64, b| a.total_cmp(b)) {
            *first += piece.seconds;
        }
    }
    busy.into_iter().fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_piece_or_the_sum_over_cores_decides() {
        let of =
            |seconds: &[f64]| -> Vec<Piece> { seconds.iter().map(|&seconds| Piece { name: String::new(), seconds }).collect() };
        assert_eq!(makespan(&of(&[5.0, 3.0, 2.0, 2.0]), 2), 7.0);
        assert_eq!(makespan(&of(&[9.0, 1.0, 1.0]), 16), 9.0);
        assert_eq!((makespan(&of(&[4.0, 3.0]), 1), makespan(&[], 3)), (7.0, 0.0));
    }
}
