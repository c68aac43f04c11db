//! Units of the numbers in a profile.

/// The unit of the numbers at a key of a profile, "-" where they have none; nothing of words and of counts.
pub fn unit(key: &str) -> Option<&'static str> {
    let sections = key.split('.').map(|name| name.split('[').next().unwrap_or_default());
    let sections: Vec<&str> = sections.collect();
    Some(match sections.as_slice() {
        // where a word means something else than elsewhere
        ["fb-euler-stability", "bars", "density"] => "kg/m",
        ["fb-euler-stability", "bars", "stiffness"] => "N",
        ["fb-euler-stability", "bars", "damping"] => "N s",
        ["fb-euler-stability", "springs", "stiffness" | "damping"] | ["fb-euler-stability", "spirals", "step"] => "-",
        ["generalized-alpha", "flag" | "settings", "bend"] => "J",
        ["generalized-alpha", "flag" | "settings", "side"] => "m",
        ["generalized-alpha", "flag", "tolerance"] => "1/s",
        ["generalized-alpha", "orders", "limits"] => "-",
        ["generalized-alpha", "systems", "tolerances", "fixed"] => "-",
        ["generalized-alpha", "systems", "tolerances", _] => "1/s",
        ["generalized-alpha", "flag", "period"] => "s",
        ["generalized-alpha", "paper" | "swings" | "courses", "reference"] => "s",
        ["fast-projection", "drape" | "chain", "reference"] => "1/s",
        ["fast-projection", "drape", "budget" | "budget_of_icd"] => "1e6 operations a particle",
        ["fast-projection", "relaxed", "air"] | ["impulse-strips", .., "air"] | ["textbook", "drapes", "air"] => "1/s",
        ["projected-damping", "readings" | "scene", "tolerances" | "tolerance"] => "1/s",
        ["preconditioners", "tolerances", "tolerances" | "contact_tolerances"] => "1/s",
        ["textbook", _, "weaves", "bend"] | ["tearing", _, "sheets", "bend"] => "-",
        ["textbook", "implicit", "damping"] | ["control", _, "sheets", "damping"] => "s",
        ["control", _, "share" | "noise"] | ["textbook", "turning", "ratio"] => "-",
        ["validation", "catenary", "air"] => "1/s",
        ["validation", "drape", "rigidity"] => "N m",
        ["validation", _, "heaviness" | "tautness" | "softness" | "stretches"] => "-",
        // counts of the same name
        ["aimex", "stability", "period"] | ["fb-euler-stability" | "impulse-strips", .., "steps"] => return None,
        ["preconditioners", "order" | "multigrid", "steps"] | ["preconditioners", "order", "reference"] => return None,
        ["which-integrator", "runs", .., "draws" | "budget" | "reference_budget"] => return None,
        ["work-precision", "runs", ..] | ["generalized-alpha", "orders", "steps"] | ["tearing", "costs", "steps"] => return None,
        ["control", _, "sheets", "steps"] | ["validation", _, "steps"] => return None,
        ["impulse-strips", "interrupted", "limits"] | ["decomposition", "runs", "tolerances"] => return None,
        ["impulse-strips", "linear", "projected"] | ["generalized-alpha", "orders", "finer"] => return None,
        // everywhere else
        [.., "density"] => "kg/m²",
        [.., "mass"] => "kg",
        [.., "spacing" | "length" | "lengths" | "span" | "beside" | "amplitude" | "rest" | "accuracy" | "accuracies"] => "m",
        [.., "step" | "steps" | "further" | "bracket" | "duration" | "compared" | "compared_at" | "longest_fall"] => "s",
        [.., "times" | "settling" | "sample" | "driven" | "from" | "caught"] => "s",
        [.., "rate" | "rates" | "other_rates"] => "1/s",
        [.., "stiffness" | "bend" | "bends"] => "N/m",
        [.., "damping" | "plain" | "projected" | "air"] => "N s/m",
        [.., "still" | "newton_tolerance" | "speeds"] => "m/s",
        [.., "arcs"] => "rad",
        ["tearing", "paths" | "tracks", "angles"] => "degrees",
        [.., "shear" | "energy_margin" | "growth" | "resolution" | "threshold" | "margin" | "zeta" | "ratios" | "limits"] => "-",
        [.., "strain" | "strains" | "rest_strains" | "friction" | "shares" | "kappas" | "irregular" | "height" | "omega_dt"] => {
            "-"
        }
        ["tearing", _, "sheets", "allowed" | "overload" | "held"] => "-",
        [.., "x" | "y" | "cell" | "tolerance" | "tolerances" | "tight_tolerance" | "tight" | "loose" | "finer"] => "-",
        _ => return None,
    })
}

/// The unit of a key as it stands behind it in a message; nothing where there is none.
pub fn behind(key: &str) -> String {
    unit(key).filter(|unit| *unit != "-").map_or_else(String::new, |unit| format!(" [{unit}]"))
}
