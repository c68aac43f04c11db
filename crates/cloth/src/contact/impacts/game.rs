//! The best that one of two players can do who choose at the same time: a linear program of few choices each.

/// Most choices of a player.
pub(super) const MOST: usize = 8;

/// Shares of the choices of a player, which sum to 1.
pub(super) type Mix = [f64; MOST];

/// The mix of `own` choices that pays least, whichever of the `others` is chosen: the sum of shares times `pays(own, other)`. One
/// choice makes it, two that pay two of the others alike, or three that pay three alike; of equal mixes it is the first.
pub(super) fn least_mix(own: usize, others: usize, pays: impl Fn(usize, usize) -> f64) -> Mix {
    let mut best = (f64::INFINITY, Mix::default());
    let mut offer = |choices: &[usize], shares: &[f64]| {
        let sum: f64 = shares.iter().sum();
        let mixed = shares.iter().all(|share| share / sum >= 0.0); // no choice is taken back; none of NaN
        if !mixed {
            return;
        }
        let paid = |other: usize| choices.iter().zip(shares).map(|(&choice, share)| share / sum * pays(choice, other)).sum();
        let most = (0..others).map(paid).fold(f64::NEG_INFINITY, f64::max);
        if most < best.0 {
            best = (most, Mix::default());
            choices.iter().zip(shares).for_each(|(&choice, share)| best.1[choice] = share / sum);
        }
    };
    for i in 0..own {
        offer(&[i], &[1.0]);
    }
    for (k, l) in pairs(others) {
        let off = |i: usize| pays(i, k) - pays(i, l);
        for (i, j) in pairs(own) {
            offer(&[i, j], &[-off(j), off(i)]);
        }
        for m in 0..l {
            let beside = |i: usize| pays(i, k) - pays(i, m);
            let of = |i: usize, j: usize| off(i) * beside(j) - off(j) * beside(i);
            for (a, b) in pairs(own) {
                (0..b).for_each(|c| offer(&[a, b, c], &[of(b, c), of(c, a), of(a, b)]));
            }
        }
    }
    best.1
}

/// Two of so many, the greater first.
fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(|i| (0..i).map(move |j| (i, j)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn mixes_by_hand() {
        let stone = [[0.0, 1.0, -1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.0]];
        let mix = least_mix(3, 3, |i, j| stone[i][j]);
        assert!(mix[..3].iter().all(|share| (share - 1.0 / 3.0).abs() < 1e-15), "{mix:?}");
        assert_eq!(least_mix(2, 2, |i, j| [[3.0, -1.0], [-1.0, 1.0]][i][j])[..3], [1.0 / 3.0, 2.0 / 3.0, 0.0]);
        assert_eq!(least_mix(3, 1, |i, _| [2.0, 1.0, 1.0][i])[..3], [0.0, 1.0, 0.0]);
    }

    proptest! {
        /// Neither player can do better than the other one lets it.
        #[test]
        fn both_players_reach_the_value_of_the_game(
            paid in prop::array::uniform8(prop::array::uniform3(prop_oneof![(-2..=2_i32).prop_map(f64::from), -1.0..1.0])),
            choices in 1_usize..=8,
        ) {
            let pays = |i: usize, k: usize| paid[k][i];
            let low = least_mix(3, choices, pays);
            let high = least_mix(choices, 3, |k, i| -pays(i, k));
            let most = (0..choices).map(|k| (0..3).map(|i| low[i] * pays(i, k)).sum::<f64>()).fold(f64::NEG_INFINITY, f64::max);
            let least = (0..3).map(|i| (0..choices).map(|k| high[k] * pays(i, k)).sum::<f64>()).fold(f64::INFINITY, f64::min);
            prop_assert!((most - least).abs() < 1e-12, "{most} {least}: {low:?} {high:?}");
            prop_assert!((low.iter().sum::<f64>() - 1.0).abs() < 1e-15 && low.iter().all(|share| *share >= 0.0));
        }
    }
}
