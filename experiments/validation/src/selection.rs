//! Cases by what they hold against an exact solution: chosen by the names of methods, laws and cases.

use kit::prelude::*;

use super::meshes::Cut;
use super::strips::{Law, Method};
use super::waves::{Make, Wave};

/// What is held against an exact solution, with its name in scenes and that in tables.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// An integrator or a constraint method.
    Method([String; 2]),
    /// A law of bending.
    Law([String; 2]),
    /// Springs and meshes, which no name chooses.
    Other,
}

impl Subject {
    /// Its name in tables, and the case in which it is.
    pub fn name(&self, case: &str) -> String {
        match self {
            Subject::Method([_, label]) | Subject::Law([_, label]) => format!("{label} in the case {case}"),
            Subject::Other => format!("the case {case}"),
        }
    }
}

/// A case that holds something against an exact solution.
pub trait Held {
    /// The method or law, where it has one that a name chooses.
    fn subject(&self) -> Subject {
        Subject::Other
    }
}

/// The name of a law in scenes, where they have one.
fn name_of(law: Law) -> &'static str {
    match law {
        Law::Grid => "rigidity",
        Law::Shells => "shells",
        Law::Quadratic => "quadratic",
        Law::Curvature => "curvature",
        Law::PerHinge => "hinges",
        Law::BendSprings => "bend-springs",
    }
}

impl Held for Method {
    fn subject(&self) -> Subject {
        Subject::Law([name_of(self.law).into(), self.law.to_string()])
    }
}

/// With a number of elements.
impl Held for (Method, usize) {
    fn subject(&self) -> Subject {
        self.0.subject()
    }
}

/// With an amplitude, or a mode.
impl<M, H: Held> Held for (M, H) {
    fn subject(&self) -> Subject {
        self.1.subject()
    }
}

impl Held for (Cut, u32) {}

impl Held for (Wave, Make) {}

/// What is asked for: everything where nothing is named; methods and laws beside each other, within the cases that are named.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Integrators and constraint methods.
    pub methods: Vec<String>,
    /// Laws of bending.
    pub laws: Vec<String>,
    /// Cases.
    pub cases: Vec<String>,
}

impl Selection {
    /// Whether a case of a group is asked for.
    pub fn takes(&self, group: &str, subject: &Subject) -> bool {
        let everything = self.methods.is_empty() && self.laws.is_empty();
        let is_named = match subject {
            Subject::Method(names) => meets(&self.methods, names),
            Subject::Law(names) => meets(&self.laws, names),
            Subject::Other => false,
        };
        (everything || is_named) && (self.cases.is_empty() || meets(&self.cases, &[group]))
    }

    /// Whether every name is known among these groups and subjects.
    ///
    /// # Errors
    /// The first one that is not, with those that are.
    pub fn check(&self, known: &[(&'static str, Vec<Subject>)]) -> Result<(), Unknown> {
        // the last groups have all integrators, then all constraint methods
        let subjects = || known.iter().rev().flat_map(|(_, subjects)| subjects);
        let named = |of: fn(&Subject) -> Option<&[String; 2]>| first_of_each(subjects().filter_map(of).cloned());
        let methods = named(|subject| if let Subject::Method(names) = subject { Some(names) } else { None });
        let laws = named(|subject| if let Subject::Law(names) = subject { Some(names) } else { None });
        let cases = known.iter().map(|(case, _)| [(*case).to_owned(), (*case).to_owned()]).collect();
        let asked = [("method", &self.methods, methods), ("law", &self.laws, laws), ("case", &self.cases, cases)];
        for (kind, names, known) in asked {
            if let Some(name) = names.iter().find(|name| !known.iter().any(|known| meets(&[(*name).clone()], known))) {
                let known = first_of_each(known.into_iter().map(|[name, _]| name));
                return Err(Unknown { kind, name: name.clone(), known });
            }
        }
        Ok(())
    }
}

/// A name that nothing has.
#[derive(Clone, Debug, PartialEq)]
pub struct Unknown {
    /// What it should be a name of.
    pub kind: &'static str,
    /// The name that was given.
    pub name: String,
    /// Names that there are.
    pub known: Vec<String>,
}

impl std::fmt::Display for Unknown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let remedy = scene::remedy(&self.name, self.known.iter().map(String::as_str));
        write!(f, "there is no {} `{}`; {remedy}", self.kind, self.name)
    }
}

/// Whether some name is one of those that were given, in small letters or large ones, with hyphens or spaces.
fn meets(given: &[String], names: &[impl AsRef<str>]) -> bool {
    let plain = |name: &str| name.to_lowercase().replace([' ', '_'], "-");
    names.iter().any(|name| given.iter().any(|given| plain(given) == plain(name.as_ref())))
}

#[cfg(test)]
mod tests {
    use super::super::moving::way::Way;
    use super::super::strips::Motion;
    use super::*;

    fn selection(methods: &[&str], laws: &[&str], cases: &[&str]) -> Selection {
        let [methods, laws, cases] = [methods, laws, cases].map(|names| names.iter().map(|name| (*name).to_owned()).collect());
        Selection { methods, laws, cases }
    }

    #[test]
    fn names_choose_their_cases_alone() {
        let schemes: Vec<Subject> = Way::all().map(|way| way.subject()).collect();
        let shells = Method::new(Law::Shells, Cut::Left, Motion::Free).subject();
        let taken = |selection: &Selection| schemes.iter().filter(|subject| selection.takes("pendulum", subject)).count();
        assert_eq!(taken(&Selection::default()), schemes.len());
        for (methods, count) in [
            (&["rk4"][..], 1),
            (&["RK4"], 1),
            (&["fb-euler"], 1),
            (&["FB Euler"], 1),
            (&["generalized-alpha"], 3),
            (&["generalized-alpha 0.5", "fast-projection"], 2),
        ] {
            let selection = selection(methods, &[], &[]);
            assert_eq!(taken(&selection), count, "{methods:?}");
            assert!(!selection.takes("cantilever", &shells) && !selection.takes("waves", &Subject::Other));
        }
        for law in ["shells", "Discrete Shells", "discrete-shells"] {
            let selection = selection(&[], &[law], &[]);
            assert!(selection.takes("cantilever", &shells) && taken(&selection) == 0, "{law}");
        }
        let both = selection(&["rk4"], &["shells"], &["cantilever"]);
        assert!(both.takes("cantilever", &shells) && taken(&both) == 0);
    }

    #[test]
    fn unknown_names_are_told_with_those_that_there_are() {
        let method = |name: &str, label: &str| Subject::Method([name.into(), label.into()]);
        let known = [
            ("pendulum", vec![method("alpha", "alpha 0"), method("alpha", "alpha 1"), method("pbd", "pbd")]),
            ("waves", vec![Subject::Other]),
            ("pinched", vec![Subject::Law(["shells".into(), "discrete shells".into()])]),
        ];
        let check = |methods: &[&str], laws: &[&str], cases: &[&str]| selection(methods, laws, cases).check(&known);
        assert_eq!(check(&["alpha 1", "pbd"], &["discrete shells"], &["Waves"]), Ok(()));
        let told = |methods: &[&str], laws: &[&str], cases: &[&str]| check(methods, laws, cases).unwrap_err().to_string();
        assert_eq!(told(&["pbd", "shells"], &[], &[]), "there is no method `shells`; there is alpha, pbd");
        assert_eq!(told(&[], &["pbd"], &[]), "there is no law `pbd`; there is shells");
        assert_eq!(told(&[], &[], &["shells"]), "there is no case `shells`; there is pendulum, waves, pinched");
    }
}
