//! Who takes part: the scene as each integrator or constraint method would run it, or why that one cannot.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cloth::State;
use cloth::run::{LengthConstraint, Run};
use kit::Failure;
use scene::Scene;
use toml::{Table, Value};

use crate::choice::{Choice, Named};
use crate::input::{Input, read_as};

/// A scene file that contestants change.
pub struct Template {
    path: PathBuf,
    table: Table,
    /// What is left out of it.
    beside: Table,
    /// Whether solids are met in one way by all, since the scene does not say how.
    pub one_contact: bool,
}

/// A contestant.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// As it was asked for.
    pub name: String,
    /// What it changes, or why it does not take part.
    pub entry: Result<Choice, String>,
}

/// A scene by a contestant, read and ready to run.
#[derive(Debug)]
pub struct Prepared {
    pub scene: Scene,
    pub start: State,
}

/// How linear systems are solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solves {
    /// As the scene says.
    AsTheScene,
    /// By conjugate gradients, with this `tolerance` in place of the scene's.
    To(f64),
    /// To this residual, whatever the step, for a reference.
    Tight(f64),
}

/// Sections that say nothing of how cloth moves.
const WITHOUT: [&str; 3] = ["output", "control", "fit"];
const INTEGRATOR: &str = "integrator";
const INEXTENSIBLE: &str = "inextensible";
const SOLVER: &str = "solver";
const CONTACT: &str = "contact";

impl Template {
    /// Of the `text` of a scene, as if it were that of a file at `path`.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a file that `simulate` refuses too, and for cloth that tears.
    pub fn of(path: &Path, text: String) -> Result<(Template, Input), Failure> {
        let whole = read_as(path, text.clone(), false)?;
        if whole.scene.tearing.is_some() {
            let path = path.display();
            return Err(Failure::Usage(format!(
                "{path}: cloth that tears has other particles by each integrator, which cannot be compared; take [tearing] out"
            )));
        }
        let unread = |error: toml::de::Error| Failure::Usage(format!("{}: {}", path.display(), error.message()));
        let mut table: Table = toml::from_str(&text).map_err(unread)?;
        let beside = WITHOUT.iter().filter_map(|section| table.remove_entry(*section)).collect();
        let one_contact = !whole.scene.solids.is_empty() && !table.contains_key(CONTACT);
        if one_contact {
            table.insert(CONTACT.into(), "positions".into());
        }
        Ok((Template { path: path.to_owned(), table, beside, one_contact }, whole))
    }

    /// Whether the scene has a constraint method of its own.
    pub fn is_inextensible(&self) -> bool {
        self.table.contains_key(INEXTENSIBLE)
    }

    /// The text of the scene by a choice.
    fn text(&self, choice: &Choice, solves: Solves) -> String {
        written(&self.changed(choice, solves))
    }

    /// The text of a scene file that runs by a choice in steps of `dt` \[s\], and writes what the scene does.
    pub fn text_in_steps(&self, choice: &Choice, solves: Solves, dt: f64) -> String {
        let mut table = self.changed(choice, solves);
        table.extend(self.beside.clone());
        table.insert("step".into(), dt.into());
        written(&table)
    }

    /// The scene by a choice.
    fn changed(&self, choice: &Choice, solves: Solves) -> Table {
        let mut table = self.table.clone();
        if let Some(named) = &choice.integrator {
            choose(&mut table, INTEGRATOR, named);
        }
        if let Some(named) = &choice.method {
            choose(&mut table, INEXTENSIBLE, named);
            if let Some(Value::Table(material)) = table.get_mut("material") {
                ["stretch", "warp", "weft"].iter().for_each(|key| _ = material.remove(*key));
            }
        }
        let solver = table.remove(SOLVER);
        let is_implicit = |table: &Table| Scene::parse(&written(table)).is_ok_and(|scene| scene.scheme.is_implicit());
        if is_implicit(&table) {
            let solver = match solves {
                Solves::AsTheScene => solver,
                Solves::To(tolerance) => Some(with_tolerance(solver, tolerance)),
                Solves::Tight(residual) => Some(tight(residual)),
            };
            solver.map(|solver| table.insert(SOLVER.into(), solver));
        }
        table
    }

    /// The scene by a choice, with all that it names.
    ///
    /// # Errors
    /// Why there is none, in a line.
    pub fn prepare(&self, choice: &Choice, solves: Solves) -> Result<Prepared, String> {
        let text = self.text(choice, solves);
        // its lines are not those of the user's file
        Scene::parse(&text).map_err(|mistake| mistake.problem.to_string())?;
        let prefix = format!("{}: ", self.path.display());
        let said = |failure: Failure| failure.to_string();
        let without_path = |words: String| words.strip_prefix(&prefix).map_or(words.clone(), str::to_owned);
        let Input { scene, simulation, .. } = read_as(&self.path, text, false).map_err(|failure| without_path(said(failure)))?;
        Ok(Prepared { scene, start: simulation.state().clone() })
    }

    /// A contestant by what it changes.
    pub fn contestant(&self, name: String, choice: Choice) -> Contestant {
        let entry = self.prepare(&choice, Solves::AsTheScene).map(|_| choice);
        Contestant { name, entry }
    }

    /// All integrators, and where the scene has a constraint method all of those in its place.
    pub fn all(&self) -> Vec<String> {
        let methods = scene::constraint_methods().filter(|_| self.is_inextensible());
        scene::integrators().chain(methods).map(str::to_owned).collect()
    }
}

impl Prepared {
    /// The run before its first step of `dt` \[s\].
    ///
    /// # Errors
    /// As [`Scene::run`].
    pub fn simulation(&self, dt: f64) -> Result<Run, cloth::ModelError> {
        self.scene_in_steps(dt).run(self.start.clone())
    }

    /// The same, no step of which begins a factorisation that would lead to more than `budget` operations.
    ///
    /// # Errors
    /// As [`Scene::run`].
    pub fn simulation_within(&self, dt: f64, budget: f64) -> Result<Run, cloth::ModelError> {
        let mut scene = self.scene_in_steps(dt);
        if let Some(LengthConstraint { limits, .. }) = &mut scene.inextensible {
            *limits = limits.with_operations(budget as u64); // a cast that saturates
        }
        scene.run(self.start.clone())
    }

    /// The scene in steps of `dt` \[s\].
    pub fn scene_in_steps(&self, dt: f64) -> Scene {
        Scene { step: dt, ..self.scene.clone() }
    }

    /// Shared between runs.
    pub fn shared(self) -> Arc<Prepared> {
        Arc::new(self)
    }
}

/// Chooses a section by its name; without keys the scene's own of that name stays.
fn choose(table: &mut Table, key: &str, named: &Named) {
    let own = match table.get(key) {
        Some(Value::String(name)) => *name == named.name,
        Some(Value::Table(section)) => section.contains_key(&named.name),
        _ => false,
    };
    let asks_nothing = Choice::read(&named.name).is_ok_and(|bare| bare.integrator.or(bare.method).as_ref() == Some(named));
    if !(own && asks_nothing) {
        let section = Table::from_iter([(named.name.clone(), Value::Table(named.keys.clone()))]);
        table.insert(key.into(), Value::Table(section));
    }
}

const GRADIENTS: &str = "conjugate-gradients";

/// A solver with another tolerance; a direct one has none.
fn with_tolerance(solver: Option<Value>, tolerance: f64) -> Value {
    let mut section = match solver {
        Some(Value::Table(mut section)) => match section.remove(GRADIENTS) {
            Some(Value::Table(gradients)) => gradients,
            _ => return Value::Table(section),
        },
        Some(Value::String(name)) if name != GRADIENTS => return Value::String(name),
        _ => Table::new(),
    };
    section.insert("tolerance".into(), tolerance.into());
    Value::Table(Table::from_iter([(GRADIENTS.to_owned(), Value::Table(section))]))
}

/// Conjugate gradients to a residual.
fn tight(residual: f64) -> Value {
    let keys: [(&str, Value); 4] = [
        ("tolerance", residual.into()),
        ("rule", "fixed".into()),
        ("iteration_limit", 3000.into()),
        ("preconditioner", "automatic".into()),
    ];
    let section = Table::from_iter(keys.map(|(key, value)| (key.to_owned(), value)));
    Value::Table(Table::from_iter([(GRADIENTS.to_owned(), Value::Table(section))]))
}

fn written(table: &Table) -> String {
    toml::to_string(table).unwrap_or_default() // what was read can be written
}
