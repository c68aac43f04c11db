//! Keys of a scene that a command line replaces: `--set step=1e-3`, in the text of the scene, before that is read.

use std::mem;
use std::path::Path;
use std::str::FromStr;

use clap::Args;
use kit::Failure;
use race::choice;
use scene::Scene;
use toml_edit::{DocumentMut, InlineTable, Item, Key, TableLike, Value};

/// The changes that a command line makes in a scene.
#[derive(Args, Clone, Debug, Default)]
pub struct Overrides {
    /// Replace a key of the scene, or add it: step=1e-3, integrator=bdf2, material.stretch.stiffness=100, solid.0.sphere.radius=0.2;
    /// may be given more than once
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<Override>,
}

/// A key of a scene and the value that it gets.
#[derive(Clone, Debug)]
pub struct Override {
    /// The dotted key as it was given.
    pub key: String,
    /// The value as it was given.
    pub given: String,
    path: Vec<String>,
    value: Value,
}

/// Sections that hold one of several things, by its name.
const CHOICES: [&str; 5] = ["integrator", "solver", "inextensible", "friction", "acceleration"];
/// Lists of such sections.
const LISTS: [&str; 1] = ["solid"];
/// The section in whose place the name of a fabric may stand.
const NAMED: &str = "material";

impl Override {
    /// Reads a dotted key, and its value as TOML has it or as a word without quotes.
    ///
    /// # Errors
    /// A key that is none, or no value, in words.
    pub fn of(key: &str, given: &str) -> Result<Override, String> {
        let (key, given) = (key.trim(), given.trim());
        let path = Key::parse(key).map_err(|_| format!("`{key}` is no key of TOML, such as material.stretch.stiffness"))?;
        if given.is_empty() {
            return Err(format!("`{key}` gets no value: write one behind ="));
        }
        if given.contains(char::is_control) {
            return Err(format!("the value of `{key}` goes over more than a line: write it on one"));
        }
        let worded = || choice::value_of(given).to_string();
        let value = given.parse().or_else(|_| worded().parse()).unwrap_or_else(|_| Value::from(given));
        let path = path.iter().map(|key| key.get().to_owned()).collect();
        Ok(Override { key: key.to_owned(), given: given.to_owned(), path, value })
    }

    /// The option as it was given.
    pub fn words(&self) -> String {
        format!("{}={}", self.key, self.given)
    }

    /// True where the value of `other` and this one cannot both stand in a scene: one key holds the other, or they are of two things in a
    /// section that holds one.
    pub fn excludes(&self, other: &Override) -> bool {
        let shared = self.path.iter().zip(&other.path).take_while(|(own, its)| own == its).count();
        let is_among = |names: &[&str], back: usize| {
            shared.checked_sub(back).and_then(|k| self.path.get(k)).is_some_and(|name| names.contains(&name.as_str()))
        };
        shared == self.path.len().min(other.path.len()) || is_among(&CHOICES, 1) || is_among(&LISTS, 2)
    }

    /// Gives the key its value in a scene.
    fn put(&self, document: &mut DocumentMut) -> Result<(), Failure> {
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        put_into(document.as_table_mut(), &path, false, &self.value)
            .map_err(|why| Failure::Usage(format!("--set {}: {why}", self.words())))
    }
}

impl FromStr for Override {
    type Err = String;

    fn from_str(text: &str) -> Result<Override, String> {
        let (key, given) = text.split_once('=').ok_or("this is no key=value, such as step=1e-3")?;
        Override::of(key, given)
    }
}

impl Overrides {
    /// These with more behind them.
    pub fn and(&self, more: &[Override]) -> Overrides {
        Overrides { set: [&self.set, more].concat() }
    }

    /// The options as they were given, behind "with"; empty where there are none.
    pub fn words(&self) -> String {
        let each: String = self.set.iter().map(|one| format!(" --set {}", one.words())).collect();
        if each.is_empty() { each } else { format!(" with{each}") }
    }

    /// The text of a scene with its keys replaced. Comments stay, and so does a text that is no TOML, which is refused where it is
    /// read.
    ///
    /// # Errors
    /// [`Failure::Usage`] that names the first option with which the scene has a mistake that it ends with.
    pub fn applied(&self, text: String) -> Result<String, Failure> {
        let Ok(mut document) = text.parse::<DocumentMut>() else { return Ok(text) };
        if self.set.is_empty() {
            return Ok(text);
        }
        let mut texts = vec![text];
        for one in &self.set {
            one.put(&mut document)?;
            texts.push(document.to_string());
        }
        let problem = |text: &String| Scene::parse(text).err().map(|mistake| mistake.problem);
        let changed = texts.last().cloned().unwrap_or_default();
        let Some(last) = problem(&changed) else { return Ok(changed) };
        let first = texts.iter().position(|text| problem(text).as_ref() == Some(&last)).unwrap_or_default();
        match first.checked_sub(1).and_then(|k| self.set.get(k)) {
            Some(one) => Err(Failure::Usage(format!("--set {}: {last}", one.words()))),
            None => Ok(changed),
        }
    }

    /// A failure whose line begins with the file at `path`, with the options that changed it.
    pub fn told(&self, path: &Path, failure: Failure) -> Failure {
        match failure {
            Failure::Usage(line) => Failure::Usage(match line.strip_prefix(&path.display().to_string()) {
                Some(rest) if rest.starts_with([':', ',']) => format!("{}{}{rest}", path.display(), self.words()),
                _ => line,
            }),
            other => other,
        }
    }
}

/// Puts a value behind a path of keys into a table, which is one of a choice or not.
fn put_into(table: &mut dyn TableLike, path: &[&str], is_choice: bool, value: &Value) -> Result<(), String> {
    let [key, rest @ ..] = path else { return Ok(()) }; // no key is empty
    if is_choice && !table.contains_key(key) {
        let others: Vec<String> = table.iter().map(|(other, _)| other.to_owned()).collect();
        others.iter().for_each(|other| _ = table.remove(other));
    }
    match table.get_mut(key) {
        Some(item) => put(item, key, rest, value),
        None => {
            let mut item = Item::None;
            put(&mut item, key, rest, value)?;
            table.insert(key, item);
            Ok(())
        }
    }
}

/// Puts a value in the place of an item called `name`, or behind a path of keys into it. What is no section becomes one.
fn put(item: &mut Item, name: &str, path: &[&str], value: &Value) -> Result<(), String> {
    let [key, rest @ ..] = path else {
        replace(item, value.clone());
        return Ok(());
    };
    let is_list = LISTS.contains(&name);
    match item {
        Item::ArrayOfTables(tables) => {
            let place = index(name, key, tables.len())?;
            match tables.get_mut(place) {
                Some(table) if !rest.is_empty() => put_into(table, rest, is_list, value),
                _ => Err(format!("`{name}.{key}` is a section: set its keys, such as {name}.{key}.KEY=VALUE")),
            }
        }
        Item::Value(Value::Array(values)) => {
            let place = index(name, key, values.len())?;
            let Some(held) = values.get_mut(place) else { return Ok(()) }; // the index was found right
            let mut one = Item::Value(mem::replace(held, Value::from(0)));
            let done = match one.as_table_like_mut() {
                Some(table) if !rest.is_empty() => put_into(table, rest, is_list, value),
                _ => put(&mut one, key, rest, value),
            };
            if let Ok(value) = one.into_value() {
                *held = value;
            }
            done
        }
        _ => {
            if !item.is_table_like() {
                let mut section = InlineTable::new();
                if let (NAMED, Some(fabric)) = (name, item.as_str()) {
                    section.insert("fabric", fabric.into());
                }
                replace(item, Value::InlineTable(section));
            }
            match item.as_table_like_mut() {
                Some(table) => put_into(table, path, CHOICES.contains(&name), value),
                None => Ok(()), // it is one now
            }
        }
    }
}

/// A value in the place of an item, with the spaces and the comment of the value that it replaces.
fn replace(item: &mut Item, mut value: Value) {
    if let Some(old) = item.as_value() {
        *value.decor_mut() = old.decor().clone();
    }
    *item = Item::Value(value);
}

/// A place in a list.
fn index(name: &str, key: &str, count: usize) -> Result<usize, String> {
    let place = key.parse().ok().filter(|place| *place < count);
    place.ok_or_else(|| match count {
        0 => format!("`{name}` is an empty list: give all of it"),
        _ => format!("`{name}` is a list: name one of its entries, {name}.0 to {name}.{}, or give all of it", count - 1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str = "# a sheet\nstep = 0.01 # s\nduration = 0.1\npins = [0, 1]\n\n[integrator.imex]\nimplicit = [\"stretch\"]\n\n[mesh]\nnx = 4 # few\nny = 4\nspacing = 0.1\n\n[material]\ndensity = 0.2\nstretch = { stiffness = 100.0 }\n\n[[solid]]\nsphere = { radius = 0.2, centre = [0.0, 0.0, -1.0] }\n";

    fn set(text: &str, options: &[&str]) -> Result<String, String> {
        let set = options.iter().map(|option| option.parse().expect("an option")).collect();
        Overrides { set }.applied(text.to_owned()).map_err(|failure| failure.to_string())
    }

    #[test]
    fn a_fabric_stays_where_a_key_of_its_material_is_set() {
        let of = |option: &str| {
            let text =
                set("step = 0.01\nduration = 0.1\nmaterial = \"denim\"\n[mesh]\nnx = 4\nny = 4\nspacing = 0.1\n", &[option]);
            Scene::parse(&text.unwrap()).unwrap().subject
        };
        assert_ne!(of("material.density=0.5"), of("material=sweater"));
        assert_eq!(of("material.density=0.5"), of("material={ fabric = 'denim', density = 0.5 }"));
        assert!("step=1\n2".parse::<Override>().unwrap_err().contains("more than a line"));
    }

    #[test]
    fn values_are_replaced_and_the_rest_of_the_text_stays() {
        let changed = set(SCENE, &["step=2e-3", "mesh.nx=5", "material.stretch.stiffness=50", "material.bend=0.1", "pins.1=3"]);
        let expected =
            SCENE.replace("0.01 #", "2e-3 #").replace("nx = 4", "nx = 5").replace("100.0", "50").replace("[0, 1]", "[0, 3]");
        let expected = expected.replace("100.0 }\n", "50 }\n").replace("50 }\n", "50 }\nbend = 0.1\n");
        assert_eq!(changed.expect("a scene"), expected);
        assert_eq!(set(SCENE, &[]).expect("a scene"), SCENE);
    }

    #[test]
    fn one_form_of_a_section_takes_the_place_of_another() {
        for (options, line) in [
            (&["integrator=rk4"][..], "integrator = \"rk4\""),
            (&["integrator.aimex.threshold=0.1"], "aimex = { threshold = 0.1 }"),
            (&["integrator=rk4", "integrator.imex.implicit=[shear]"], "integrator = { imex = { implicit = [\"shear\"] } }"),
            (&["solid.0.sphere.radius=0.3"], "sphere = { radius = 0.3, centre = [0.0, 0.0, -1.0] }"),
            (&["solid.0.plane={ point = [0, 0, -1], normal = [0, 0, 1] }"], "plane = { point = [0, 0, -1], normal = [0, 0, 1] }"),
            (&["output.frames_per_second=24"], "output = { frames_per_second = 24 }"),
        ] {
            let changed = set(SCENE, options);
            let changed = changed.unwrap_or_else(|why| panic!("{options:?}: {why}"));
            assert!(changed.lines().any(|found| found == line), "{options:?}: {changed}");
        }
    }

    #[test]
    fn values_that_cannot_stand_beside_each_other_are_known() {
        for (one, other, expected) in [
            ("step=1", "\"step\"=2", true),
            ("integrator=bdf2", "integrator.aimex.threshold=0.1", true),
            ("material.density=0.3", "material=denim", true),
            ("integrator.aimex.threshold=0.1", "integrator.generalized-alpha.rho_inf=0.5", true),
            ("solid.0.sphere.radius=0.2", "solid.0.plane.point=[0, 0, 0]", true),
            ("step=1", "duration=2", false),
            ("mesh.nx=5", "mesh.ny=5", false),
            ("solid.0.sphere.radius=0.2", "solid.0.sphere.centre=[0, 0, 0]", false),
            ("solid.0.sphere.radius=0.2", "solid.1.sphere.radius=0.2", false),
            ("friction.coulomb.mu_s=0.5", "friction.coulomb.mu_k=0.3", false),
        ] {
            let [one, other] = [one, other].map(|option| option.parse::<Override>().expect("an option"));
            assert_eq!([one.excludes(&other), other.excludes(&one)], [expected; 2], "{} {}", one.words(), other.words());
        }
    }

    #[test]
    fn a_mistake_names_its_option() {
        for (options, expected) in [
            (
                &["step=1e-3", "material.strech.stiffness=100"][..],
                "--set material.strech.stiffness=100: unknown key `strech`; known",
            ),
            (&["step=-1", "mesh.nx=5"], "--set step=-1: `step` [s] must be a finite number above zero, not -1"),
            (&["integrator=rk5"], "--set integrator=rk5: `integrator` must be"),
            (&["solver=direct", "integrator=rk4"], "--set integrator=rk4: `solver` has no use beside \"rk4\""),
            (
                &["solid.1.sphere.radius=1"],
                "--set solid.1.sphere.radius=1: `solid` is a list: name one of its entries, solid.0 to solid.0",
            ),
        ] {
            let refused = set(SCENE, options).expect_err("refused");
            assert!(refused.starts_with(expected), "{options:?}: {refused}");
        }
        let broken = SCENE.replace("0.01", "0");
        assert!(set(&broken, &["mesh.nx=5"]).is_ok(), "a mistake of the file is told with its line where that is read");
        for option in ["step", "=1", "step=", "a b=1"] {
            assert!(option.parse::<Override>().is_err(), "{option}");
        }
    }
}
