//! Who takes part: every integrator and constraint method of the registries, and some of their variants.

use race::choice::Choice;

use super::scenes::{Draw, Kind};

/// Somebody who takes part, as `clothlab race --with` names it.
#[derive(Clone, Debug, PartialEq)]
pub struct Contestant {
    /// Its name in tables: without what a draw decides.
    pub name: String,
    /// What it asks for.
    pub asks: String,
    /// How many times half the shortest step of the others it may take, since it takes short ones.
    pub shorter: u32,
}

/// Variants of integrators: Newton's method to its end, with a line search for backward Euler, and projective dynamics with L-BFGS.
const VARIANTS: [(&str, &str); 4] = [
    ("backward-euler, line search", "backward-euler:terms=exact:newton={ tolerance = 1e-4, line_search = true }"),
    ("bdf2, converged", "bdf2:terms=exact:newton={ tolerance = 1e-4 }"),
    ("implicit-midpoint, converged", "implicit-midpoint:terms=exact:newton={ tolerance = 1e-4 }"),
    ("projective-dynamics, l-bfgs", "projective-dynamics:acceleration=l-bfgs"),
];

/// The constraint method that has a compliance.
const XPBD: &str = "xpbd";
/// By how many halves small steps are shorter.
const SHORTER: u32 = 3;

/// All that take part in a scene, with linear systems solved as where a scene says nothing.
pub fn contestants(kind: Kind, draw: &Draw) -> Vec<Contestant> {
    let plain = |name: &str, asks: &str| Contestant { name: name.into(), asks: asks.into(), shorter: 0 };
    let integrators = scene::integrators().map(|name| plain(name, name));
    let mut all: Vec<Contestant> = integrators.chain(VARIANTS.map(|(name, asks)| plain(name, asks))).collect();
    let compliance = kind.stiffness().map_or(0.0, |stiffness| 1.0 / (stiffness * draw.stiffness));
    for method in scene::constraint_methods() {
        let is_xpbd = method == XPBD;
        let takes_part = match kind {
            Kind::StiffSheet | Kind::Drape | Kind::Trousers => true,
            Kind::SoftSheet => is_xpbd,
            Kind::Flag | Kind::Ribbon => false,
        };
        if takes_part {
            let name = format!("fb-euler+{method}");
            let asks = if is_xpbd { format!("{name}:compliance={compliance:?}") } else { name.clone() };
            all.push(Contestant { shorter: if is_xpbd { SHORTER } else { 0 }, ..plain(&name, &asks) });
        }
    }
    all
}

impl Contestant {
    /// What it changes in a scene.
    ///
    /// # Errors
    /// A name that nobody has, which a test keeps from happening.
    pub fn choice(&self) -> Result<Choice, String> {
        Choice::read(&self.asks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_of_the_registries_takes_part_somewhere() {
        let draw = Draw { stiffness: 0.5, density: 1.0 };
        let names: Vec<String> =
            Kind::ALL.iter().flat_map(|kind| contestants(*kind, &draw)).map(|contestant| contestant.asks).collect();
        for known in scene::integrators() {
            assert!(names.iter().any(|name| name == known), "{known}");
        }
        for known in scene::constraint_methods() {
            assert!(names.iter().any(|name| name.starts_with(&format!("fb-euler+{known}"))), "{known}");
        }
        for kind in Kind::ALL {
            assert!(contestants(kind, &draw).iter().all(|contestant| contestant.choice().is_ok()), "{kind}");
        }
        let xpbd =
            contestants(Kind::StiffSheet, &draw).into_iter().find(|contestant| contestant.name == "fb-euler+xpbd").unwrap();
        assert_eq!(xpbd.asks, "fb-euler+xpbd:compliance=0.0002");
    }
}
