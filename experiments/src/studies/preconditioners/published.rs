//! What the thesis gives of its figures 5.3 to 5.10 in numbers, for the panels that are titled by them.

use lab::chart::Layer;
use lab::statistics::PowerLaw;

use crate::published::{BOXERMAN, Curve};

/// The number of the figure that a panel's title begins with: "figure 5.4, all sizes".
fn figure_of(title: &str) -> &str {
    let named = title.strip_prefix("figure ").unwrap_or("");
    named.split([',', ' ']).next().unwrap_or("")
}

/// Ratios of iterations to those without preconditioner.
pub fn ratios(title: &str) -> Vec<Layer> {
    let names = [
        "ratio of A-Block and of CP to none",
        "ratio of CP to none",
        "ratio of CP to none at typical parameters",
        "ratio of A-Block to none at typical parameters",
    ];
    names.into_iter().flat_map(|name| Curve::new(BOXERMAN, figure_of(title), name).lines(|point| point)).collect()
}

/// The exponent of a preconditioner, through the middle of the law that was measured: the thesis gives no heights.
pub fn law(title: &str, preconditioner: &str, law: &PowerLaw, [low, high]: [f64; 2]) -> Vec<Layer> {
    let name = match preconditioner {
        "none" => "exponent without preconditioner",
        "CP" => "exponent with CP",
        _ => return vec![],
    };
    let middle = (low * high).sqrt();
    Curve::new(BOXERMAN, figure_of(title), name).power_law([middle, law.at(middle)], [low, high])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_found_by_title() {
        assert_eq!(ratios("figure 5.4").len(), 1);
        assert_eq!(ratios("figure 5.6, 20 x 20 particles").len(), 2, "the ends of a range");
        assert_eq!(ratios("figure 5.10, all sizes").len(), 2);
        assert!(ratios("pinned").is_empty() && ratios("figure 5.3").is_empty());
        let measured = PowerLaw { exponent: 0.5, factor: 2.0, interval: None };
        let [Layer::Line { points, .. }] = &law("figure 5.7, Coulomb friction", "CP", &measured, [25.0, 6400.0])[..] else {
            panic!("one line")
        };
        let [low, high] = [points[0], points[1]];
        assert!((libm::log(high[1] / low[1]) / libm::log(high[0] / low[0]) - 0.436).abs() < 1e-12);
        assert!(low[1] > measured.at(25.0) && high[1] < measured.at(6400.0), "it is less steep, through the same middle");
        assert!(law("figure 5.7", "A-Block", &measured, [25.0, 6400.0]).is_empty());
    }
}
