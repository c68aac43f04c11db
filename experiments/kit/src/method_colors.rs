//! Colours of methods: one table for the charts of all studies.

use chart::{Color, Palette};

/// Methods by how their names begin, the first that fits; methods of one kind, which meet in charts, have different colours.
const METHODS: [(&str, Color); 48] = [
    // integrators
    ("backward euler", Palette::BLUE),
    ("fb euler", Palette::VERMILLION),
    ("bdf2", Palette::GREEN),
    ("aimex", Palette::ORANGE),
    ("midpoint", Palette::PURPLE),
    ("implicit midpoint", Palette::PURPLE),
    ("sbdf2 fixed", Palette::INDIGO),
    ("sbdf2", Palette::SKY),
    ("rk4", Palette::BLACK),
    ("reference", Palette::BLACK),
    ("generalized alpha 0.25", Palette::OLIVE),
    ("generalized alpha 0.5", Palette::BROWN),
    ("generalized alpha 0.75", Palette::ORANGE),
    ("generalized alpha 1", Palette::INDIGO),
    ("generalized alpha", Palette::CRIMSON),
    ("imex", Palette::OLIVE),
    ("forward euler", Palette::BROWN),
    ("projective dynamics", Palette::CRIMSON),
    // solutions of a step
    ("local global", Palette::CRIMSON),
    ("chebyshev", Palette::ORANGE),
    ("l bfgs", Palette::PURPLE),
    ("newton filtered", Palette::GREEN),
    ("newton exact", Palette::BLUE),
    ("newton inexact", Palette::SKY),
    // constraint methods
    ("fast projection", Palette::BLUE),
    ("icd", Palette::VERMILLION),
    ("shake", Palette::GREEN),
    ("jacobi limiting", Palette::ORANGE),
    ("gauss seidel limiting", Palette::PURPLE),
    ("stretch limiting", Palette::CRIMSON),
    ("pbd", Palette::SKY),
    ("soft pbd", Palette::SKY),
    ("xpbd", Palette::BLACK),
    ("impulse strips", Palette::INDIGO),
    ("strips directions frozen", Palette::CRIMSON),
    ("strips", Palette::INDIGO),
    ("spanning forests", Palette::GREEN),
    ("single constraints", Palette::PURPLE),
    ("step and project", Palette::BROWN),
    ("springs one newton step", Palette::VERMILLION),
    ("springs converged", Palette::GREEN),
    // preconditioners
    ("cp", Palette::BLUE),
    ("a block", Palette::VERMILLION),
    ("ssor", Palette::GREEN),
    ("diagonal", Palette::ORANGE),
    ("ic", Palette::PURPLE),
    ("multigrid", Palette::SKY),
    ("none", Palette::BLACK),
];

/// Colour of a method or of a variant of it, by a name of charts or of tables; grey where it is none of the table.
pub fn color(name: &str) -> Color {
    let name = name.to_lowercase().replace(", rho_inf =", "").replace(',', "").replace(['-', '_'], " ");
    let begins = |method: &str| name.strip_prefix(method).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ':']));
    METHODS.iter().find(|(method, _)| begins(method)).map_or(Palette::GREY, |(_, color)| *color)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_has_one_colour_by_all_its_names() {
        assert_eq!(color("backward-euler"), color("backward Euler, converged"));
        assert_eq!(color("generalized-alpha, rho_inf = 0.5"), color("generalized-alpha 0.5, exact"));
        assert_eq!(color("generalized-alpha, rho_inf = 0"), color("generalized-alpha"));
        assert_eq!(color("xpbd-16"), color("xpbd"));
        assert_eq!(color("SBDF2, fixed, exact"), Palette::INDIGO);
        assert!(color("ic") != color("icd") && color("imex") != color("AIMEX") && color("another") == Palette::GREY);
    }

    #[test]
    fn every_entry_is_met() {
        for (method, wanted) in METHODS {
            assert_eq!(color(method), wanted, "{method} stands behind one that it begins with");
        }
    }
}
