//! What the thesis gives of its figures 5.3 to 5.10 in numbers, for the panels that are titled by them.

use kit::prelude::*;

/// The number of the figure that a panel's title begins with: "figure 5.4, all sizes".
fn figure_of(title: &str) -> &str {
    let named = title.strip_prefix("figure ").unwrap_or("");
    named.split([',', ' ']).next().unwrap_or("")
}

/// Ratios of iterations to those without preconditioner.
pub fn ratios(title: &str) -> Vec<Layer> {
    let names = [
        ("ratio of A-Block and of CP to none", "A-Block and CP", Dash::Dashed),
        ("ratio of CP to none", "CP", Dash::Dashed),
        ("ratio of CP to none at typical parameters", "CP", Dash::Dashed),
        ("ratio of A-Block to none at typical parameters", "A-Block", Dash::Dotted),
    ];
    let curve = |(name, of, dash): (&str, &str, Dash)| -> Vec<Layer> {
        let curve = Curve::new(BOXERMAN, figure_of(title), name);
        let label = format!("{}: {of}", curve.label());
        curve.lines(|point| point).into_iter().map(|line| line.labelled(label.clone()).dash(dash)).collect()
    };
    names.into_iter().flat_map(curve).collect()
}

/// An exponent of figure 5.7 with the curve it is in, its entry in a legend, and how it is drawn.
fn exponent(preconditioner: &str) -> Option<(Curve<'static>, String, Dash)> {
    let (name, dash) = match preconditioner {
        "none" => ("exponent without preconditioner", Dash::Dotted),
        "CP" => ("exponent with CP", Dash::DashDot),
        _ => return None,
    };
    let curve = Curve::new(BOXERMAN, "5.7", name);
    let label = format!("{}: {preconditioner}, {}", curve.label(), short(curve.number()?));
    Some((curve, label, dash))
}

/// The exponent of a preconditioner across a panel of exponents.
pub fn exponent_rule(preconditioner: &str) -> Option<Layer> {
    let (curve, label, dash) = exponent(preconditioner)?;
    Some(Layer::rule(label, Palette::GREY, Direction::Horizontal, curve.number()?).dash(dash))
}

/// The time of CP over that of A-Block, at a place among the preconditioners; the thesis gives it of pinned sheets.
pub fn cost_of_cp(place: f64) -> Option<Layer> {
    let cost = Curve::new(BOXERMAN, "5.3", "time of CP over A-Block, less one");
    let mark = cost.mark(place, |percent| 1.0 + 0.01 * percent)?;
    Some(mark.labelled(format!("{}: time of CP", cost.label())).marker(Marker::Diamond))
}

/// The exponent of a preconditioner, through the middle of the law that was measured: the thesis gives no heights.
pub fn law(title: &str, preconditioner: &str, law: &PowerLaw, [low, high]: [f64; 2]) -> Vec<Layer> {
    let Some((curve, label, dash)) = exponent(preconditioner).filter(|(curve, _, _)| curve.figure == figure_of(title)) else {
        return vec![];
    };
    let middle = (low * high).sqrt();
    let lines = curve.power_law([middle, law.at(middle)], [low, high]).into_iter();
    lines.map(|line| line.labelled(format!("{label}, height ours")).dash(dash)).collect()
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
        assert!(law("figure 5.3", "CP", &measured, [25.0, 6400.0]).is_empty());
    }

    #[test]
    fn two_curves_of_one_figure_are_told_apart() {
        let measured = PowerLaw { exponent: 0.5, factor: 2.0, interval: None };
        let laws = ["none", "CP"].map(|name| law("figure 5.7", name, &measured, [25.0, 6400.0]).remove(0));
        let exponents = ["none", "CP"].map(|name| exponent_rule(name).unwrap());
        let ratios: [Layer; 2] = ratios("figure 5.10").try_into().unwrap();
        let dash = |layer: &Layer| match layer {
            Layer::Line { dash, .. } | Layer::Rule { dash, .. } => *dash,
            _ => panic!("a line"),
        };
        for [one, other] in [laws, exponents, ratios] {
            assert!(one.label() != other.label() && dash(&one) != dash(&other), "{}", one.label());
        }
        let Some(Layer::Points { points, .. }) = cost_of_cp(2.9) else { panic!("a mark") };
        assert_eq!(points, [[2.9, 1.008]]);
    }
}
