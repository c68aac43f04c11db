//! A rank test, and many of them at once; medians of pairs.

use lab::judge::statistics::median;

/// Largest sample for which all orders are counted.
const COUNTED: usize = 20;

/// Two-sided p of the Mann-Whitney test that values of `a` and `b` come from one distribution; none where one of them is empty.
/// Exact up to 20 values a side without ties; otherwise the normal approximation with its corrections for ties and continuity
/// [Mann & Whitney 1947; Lehmann 1975].
pub fn mann_whitney(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let mut values: Vec<(f64, bool)> = a.iter().map(|v| (*v, true)).chain(b.iter().map(|v| (*v, false))).collect();
    values.sort_by(|x, y| x.0.total_cmp(&y.0));
    let (n, m) = (a.len() as f64, b.len() as f64);
    let total = n + m;
    // mid-ranks of equal values; sum of t³ - t over groups of t equal ones
    let (mut rank_sum, mut ties, mut first) = (0.0, 0.0, 0);
    for group in values.chunk_by(|x, y| x.0 == y.0) {
        let t = group.len() as f64;
        let rank = first as f64 + (t + 1.0) / 2.0;
        rank_sum += rank * group.iter().filter(|(_, of_a)| *of_a).count() as f64;
        ties += t * t * t - t;
        first += group.len();
    }
    let u = rank_sum - n * (n + 1.0) / 2.0;
    if ties == 0.0 && a.len().max(b.len()) <= COUNTED {
        let smaller = u.min(n * m - u) as usize;
        return Some((2.0 * share_up_to(a.len(), b.len(), smaller)).min(1.0));
    }
    let variance = n * m / 12.0 * (total + 1.0 - ties / (total * (total - 1.0)));
    if variance <= 0.0 {
        return Some(1.0);
    }
    let z = ((u - n * m / 2.0).abs() - 0.5).max(0.0) / variance.sqrt();
    Some(libm::erfc(z / std::f64::consts::SQRT_2))
}

/// Share of all orders of n and m values with a rank statistic of at most u.
fn share_up_to(n: usize, m: usize, u: usize) -> f64 {
    // orders[i][j][k]: of i and j values with the statistic k, by whether the largest is of the first or of the second sample
    let mut orders = vec![vec![vec![0.0; n * m + 1]; m + 1]; n + 1];
    for i in 0..=n {
        for j in 0..=m {
            if i == 0 || j == 0 {
                orders[i][j][0] = 1.0;
                continue;
            }
            for k in 0..=i * j {
                let of_first = if k >= j { orders[i - 1][j][k - j] } else { 0.0 };
                orders[i][j][k] = of_first + orders[i][j - 1][k];
            }
        }
    }
    let counts = &orders[n][m];
    counts[..=u].iter().sum::<f64>() / counts.iter().sum::<f64>()
}

/// Adjusted p of each of a family of tests: below q it holds that at most a share q of all so found is found by chance
/// [Benjamini & Hochberg 1995].
pub fn benjamini_hochberg(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut adjusted = vec![1.0; p.len()];
    let mut smallest: f64 = 1.0;
    for (rank, &k) in order.iter().enumerate().rev() {
        smallest = smallest.min(p[k] * p.len() as f64 / (rank + 1) as f64);
        adjusted[k] = smallest;
    }
    adjusted
}

/// Median of the old sides of pairs, 0, or of the new ones, 1.
pub fn median_of(pairs: &[[f64; 2]], side: usize) -> Option<f64> {
    median(&pairs.iter().map(|pair| pair[side]).collect::<Vec<_>>())
}

/// New over old.
pub fn ratio_of_medians(pairs: &[[f64; 2]]) -> Option<f64> {
    Some(median_of(pairs, 1)? / median_of(pairs, 0)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(range: std::ops::Range<u32>) -> Vec<f64> {
        range.map(f64::from).collect()
    }

    #[test]
    fn exact_for_small_samples() {
        // all orders counted by hand: 2 of C(10, 5) = 252, 2 of C(14, 7) = 3432
        assert!((mann_whitney(&numbers(0..5), &numbers(5..10)).unwrap() - 2.0 / 252.0).abs() < 1e-15);
        assert!((mann_whitney(&numbers(7..14), &numbers(0..7)).unwrap() - 2.0 / 3432.0).abs() < 1e-15);
        // U = 2 of 3 and 3 values: 1 + 1 + 2 of 20 orders
        assert!((mann_whitney(&[1.0, 2.0, 5.0], &[3.0, 4.0, 6.0]).unwrap() - 0.4).abs() < 1e-15);
        assert_eq!(mann_whitney(&[], &[1.0]), None);
        assert_eq!(mann_whitney(&[2.0; 9], &[2.0; 9]), Some(1.0));
    }

    #[test]
    fn the_approximation_meets_the_count_and_a_published_example() {
        let (a, b): (Vec<f64>, Vec<f64>) = (0..40).map(f64::from).partition(|k| (k * 7.0) % 11.0 < 5.0);
        let exact = mann_whitney(&a, &b).unwrap();
        // one tie, far from the middle of the order, leaves the approximation
        let tied: Vec<f64> = a.iter().map(|k| if *k == 1.0 { 0.0 } else { *k }).collect();
        assert!((mann_whitney(&tied, &b).unwrap() - exact).abs() < 0.03, "{exact}");
        // ties throughout: 1, 1, 2 against 2, 3, 3 by hand: ranks 1.5 1.5 3.5, U = 0.5, variance 9/12 (7 - 18/30) = 4.8
        let z = (4.5f64 - 0.5 - 0.5) / 4.8f64.sqrt();
        let expected = libm::erfc(z / 2.0f64.sqrt());
        assert!((mann_whitney(&[1.0, 1.0, 2.0], &[2.0, 3.0, 3.0]).unwrap() - expected).abs() < 1e-12);
    }

    #[test]
    fn under_the_null_hypothesis_p_is_uniform() {
        use lab::measure::streams::stream;
        let draws: Vec<f64> = (0..2000)
            .map(|set| {
                let mut stream = stream("compare", "null", 1, set);
                let mut draw =
                    || (0..30).map(|_| lab::measure::streams::log_uniform(&mut stream, [1.0, 2.0])).collect::<Vec<_>>();
                mann_whitney(&draw(), &draw()).unwrap()
            })
            .collect();
        for level in [0.05, 0.2, 0.5] {
            let share = draws.iter().filter(|p| **p < level).count() as f64 / draws.len() as f64;
            assert!((share - level).abs() < 4.0 * (level * (1.0 - level) / 2000.0).sqrt(), "{level}: {share}");
        }
    }

    #[test]
    fn adjusted_by_hand() {
        // 0.01 * 4 / 1, 0.02 * 4 / 2, 0.03 * 4 / 3, 0.5 * 4 / 4, each at most the next
        let adjusted = benjamini_hochberg(&[0.03, 0.01, 0.5, 0.02]);
        let expected = [0.04, 0.04, 0.5, 0.04];
        assert!(adjusted.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{adjusted:?}");
        assert!(benjamini_hochberg(&[]).is_empty());
    }
}
