//! The part of a study's cases that one of several machines measures.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// One of several parts that cases are dealt out to.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub struct Share {
    /// Which one, from 1 on.
    pub number: u64,
    /// How many there are.
    pub of: u64,
}

/// Most shares that cases are dealt out to.
pub const MOST: u64 = 1_000_000;

impl Share {
    /// Whether the case in a place is part of it, counted over all groups that are measured. Each round of the deal begins a share
    /// later than the last: neighbouring sets measure a scene by different methods, and no share is to have one method alone.
    fn holds(self, place: u64) -> bool {
        (place + place / self.of) % self.of == self.number - 1
    }
}

/// The sets of groups with so many of them each that are in a share, or all.
pub fn deal(share: Option<Share>, groups: impl IntoIterator<Item = u64>) -> Vec<Vec<u64>> {
    let mut first = 0;
    let of_group = |sets| {
        let held = (0..sets).filter(|set| share.is_none_or(|share| share.holds(first + set))).collect();
        first += sets;
        held
    };
    groups.into_iter().map(of_group).collect()
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Share, String> {
        let share =
            text.split_once('/').and_then(|(number, of)| Some(Share { number: number.parse().ok()?, of: of.parse().ok()? }));
        share
            .filter(|share| (1..=MOST).contains(&share.of) && (1..=share.of).contains(&share.number))
            .ok_or_else(|| format!("a shard is I/N with 1 <= I <= N <= {MOST}, such as 2/4"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_in_one_share_and_each_round_gives_one_to_all() {
        for of in [1, 2, 3, 4, 7, 13] {
            let shares: Vec<Share> = (1..=of).map(|number| Share { number, of }).collect();
            for place in 0..200 {
                assert_eq!(shares.iter().filter(|share| share.holds(place)).count(), 1, "place {place} of {of}");
            }
            for (share, round) in shares.iter().zip(0..) {
                assert_eq!((round * of..(round + 1) * of).filter(|&place| share.holds(place)).count(), 1);
            }
        }
    }

    #[test]
    fn a_share_of_as_many_methods_has_each_of_them() {
        let share = Share { number: 2, of: 4 };
        let mut methods: Vec<u64> = (0..16).filter(|&place| share.holds(place)).map(|place| place % 4).collect();
        methods.sort_unstable();
        assert_eq!(methods, [0, 1, 2, 3]);
    }

    #[test]
    fn the_deal_goes_on_from_group_to_group() {
        let groups = [1; 4];
        for number in 1..=4 {
            let dealt = deal(Some(Share { number, of: 4 }), groups);
            assert_eq!(dealt.iter().map(Vec::len).sum::<usize>(), 1, "share {number}: {dealt:?}");
        }
        assert_eq!(deal(None, [2, 0, 1]), [vec![0, 1], vec![], vec![0]]);
    }

    #[test]
    fn shares_are_read_as_they_are_written() {
        assert_eq!("2/4".parse(), Ok(Share { number: 2, of: 4 }));
        assert_eq!("2/4".parse::<Share>().map(|share| share.to_string()).as_deref(), Ok("2/4"));
        for wrong in ["", "2", "0/4", "5/4", "1/0", "-1/4", "1/4/4", "a/b", "1/1000001"] {
            assert!(wrong.parse::<Share>().unwrap_err().contains("such as 2/4"), "{wrong}");
        }
    }
}
