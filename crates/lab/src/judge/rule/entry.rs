//! The rule of a claim as its ledger states it.

use serde::Deserialize;
use toml::{Table, Value};

use super::keys::{ByStratum, KEYS, Keys, Lost, RuleError};
use crate::judge::terms::terms;

terms! {
    /// Which kind of statement a rule decides.
    #[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq)]
    #[serde(rename_all = "kebab-case")]
    pub enum Kind {
        #[default]
        Claim = "claim": "what a paper reports that it measured or saw",
        Check = "check": "an identity, which no sample can refute: a test of the program",
        Conjecture = "conjecture": "what a paper or book expects and does not measure",
        Criterion = "criterion": "what methods must reach where the answer is known without a simulation",
    }
}

/// A number that a claim rests on.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// Its name.
    pub called: String,
    pub keys: Keys,
}

/// A rule with other keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    pub name: String,
    /// Keys that win over those of all numbers.
    pub keys: Keys,
    /// Keys that win over those of a number.
    pub numbers: Vec<(String, Keys)>,
}

/// Views that take a number's cases apart.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    View(View),
    /// One for each value of a column, with other keys.
    Each(String, View),
}

/// The rule of a claim.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rule {
    pub kind: Kind,
    /// Keys of all numbers.
    pub keys: Keys,
    pub numbers: Vec<Number>,
    /// Forms of what is claimed: as it is printed, as it may be meant.
    pub variants: Vec<View>,
    /// A setting that the paper does not state, and what it may be.
    pub unstated: Option<String>,
    pub settings: Vec<View>,
    /// True where each stratum is a setting too.
    pub strata_are_settings: bool,
    /// True where one stratum that meets all numbers is enough.
    pub one_stratum: bool,
    /// Numbers that have to meet their direction; all, if nothing is said.
    pub directions: Option<usize>,
    /// True where its size is one of a machine of its time, which another one cannot decide.
    pub machine: bool,
    /// Views that decide nothing.
    pub readings: Vec<Reading>,
}

/// Keys of a rule beside those of its numbers.
pub const RULE_KEYS: [(&str, &str); 10] = [
    ("kind", "what is decided: claim, check, conjecture or criterion"),
    ("number", "the numbers that it rests on, each with its own keys and its name, `called`"),
    ("variant", "views by `name` of what the paper may mean, as printed first"),
    ("unstated", "a setting that the paper does not state, in words"),
    ("setting", "views by `name` of what that setting may be: where they disagree it decides"),
    ("strata_are_settings", "whether each stratum is such a setting"),
    ("one_stratum", "whether one stratum in which all numbers hold is enough"),
    ("directions", "how many numbers have to meet their direction"),
    ("machine", "whether the size is one of a machine of its time, which stays open on another"),
    ("reading", "views by `name` that decide nothing; `each` makes one of each value of a column"),
];

/// The claim and the place that are read, for messages.
struct Reader<'a> {
    claim: &'a str,
    place: String,
}

impl Reader<'_> {
    fn wrong(&self, key: &str, problem: impl Into<String>) -> RuleError {
        RuleError { claim: self.claim.into(), place: format!("{}`{key}`: ", self.place), problem: problem.into() }
    }

    fn within(&self, place: &str) -> Self {
        Self { claim: self.claim, place: format!("{}{place}, ", self.place) }
    }

    fn keys(&self, table: &mut Table) -> Result<Keys, RuleError> {
        Keys::take(table).map_err(|(key, problem)| self.wrong(key, problem))
    }

    fn text(&self, table: &mut Table, key: &str) -> Result<Option<String>, RuleError> {
        match table.remove(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.wrong(key, format!("a text is wanted, not {}", other.type_str()))),
        }
    }

    fn truth(&self, table: &mut Table, key: &str) -> Result<bool, RuleError> {
        match table.remove(key) {
            None => Ok(false),
            Some(Value::Boolean(truth)) => Ok(truth),
            Some(other) => Err(self.wrong(key, format!("true or false is wanted, not {}", other.type_str()))),
        }
    }

    /// The tables of a list of tables.
    fn tables(&self, table: &mut Table, key: &str) -> Result<Vec<Table>, RuleError> {
        let refused = || self.wrong(key, "a list of tables is wanted");
        match table.remove(key) {
            None => Ok(vec![]),
            Some(Value::Array(list)) => list.into_iter().map(|one| one.try_into::<Table>().map_err(|_| refused())).collect(),
            Some(_) => Err(refused()),
        }
    }

    /// Nothing may be left.
    fn done(&self, table: &Table, known: &[(&str, &str)]) -> Result<(), RuleError> {
        let Some(key) = table.keys().next() else { return Ok(()) };
        let known: Vec<&str> = known.iter().chain(&KEYS).map(|(key, _)| *key).collect();
        Err(self.wrong(key, format!("there is no such key; there are {}", known.join(", "))))
    }

    fn view(&self, table: &mut Table, numbers: &[Number]) -> Result<View, RuleError> {
        let name = self.text(table, "name")?.unwrap_or_default();
        let mut of_numbers = vec![];
        if let Some(all) = table.remove("numbers") {
            let all: Table = all.try_into().map_err(|_| self.wrong("numbers", "a table of keys by number is wanted"))?;
            for (called, keys) in all {
                if !numbers.iter().any(|number| number.called == called) {
                    let known: Vec<&str> = numbers.iter().map(|number| number.called.as_str()).collect();
                    return Err(self.wrong("numbers", format!("no number is called `{called}`; there are {}", known.join(", "))));
                }
                let mut keys: Table = keys.try_into().map_err(|_| self.wrong(&called, "a table of keys is wanted"))?;
                let inner = self.within(&format!("number `{called}`"));
                of_numbers.push((called, inner.keys(&mut keys)?));
                inner.done(&keys, &[])?;
            }
        }
        Ok(View { name, keys: self.keys(table)?, numbers: of_numbers })
    }

    fn views(&self, table: &mut Table, key: &str, numbers: &[Number]) -> Result<Vec<View>, RuleError> {
        let mut views = vec![];
        for (k, mut one) in self.tables(table, key)?.into_iter().enumerate() {
            let inner = self.within(&format!("{key} {}", k + 1));
            let view = inner.view(&mut one, numbers)?;
            if view.name.is_empty() {
                return Err(inner.wrong("name", "a view needs a name"));
            }
            inner.done(&one, &[("name", ""), ("numbers", "")])?;
            views.push(view);
        }
        Ok(views)
    }
}

impl Rule {
    /// Reads the rule of a claim.
    ///
    /// # Errors
    /// The first key that is wrong, with what it may be.
    pub fn read(claim: &str, mut table: Table) -> Result<Rule, RuleError> {
        let reader = Reader { claim, place: String::new() };
        let kind = match table.remove("kind") {
            None => Kind::default(),
            Some(kind) => kind
                .try_into()
                .map_err(|_| reader.wrong("kind", format!("there are {}", Kind::ALL.map(|kind| kind.to_string()).join(", "))))?,
        };
        let mut numbers: Vec<Number> = vec![];
        for (k, mut one) in reader.tables(&mut table, "number")?.into_iter().enumerate() {
            let called = reader.text(&mut one, "called")?.unwrap_or_else(|| format!("number {}", k + 1));
            let inner = reader.within(&format!("number `{called}`"));
            if numbers.iter().any(|number| number.called == called) {
                return Err(inner.wrong("called", "another number has this name"));
            }
            let keys = inner.keys(&mut one)?;
            inner.done(&one, &[("called", "")])?;
            numbers.push(Number { called, keys });
        }
        if numbers.is_empty() {
            return Err(reader.wrong("number", "a rule needs at least one"));
        }
        let variants = reader.views(&mut table, "variant", &numbers)?;
        let settings = reader.views(&mut table, "setting", &numbers)?;
        let mut readings = vec![];
        for (k, mut one) in reader.tables(&mut table, "reading")?.into_iter().enumerate() {
            let inner = reader.within(&format!("reading {}", k + 1));
            let each = inner.text(&mut one, "each")?;
            let view = inner.view(&mut one, &numbers)?;
            inner.done(&one, &[("name", ""), ("numbers", ""), ("each", "")])?;
            match each {
                Some(column) => readings.push(Reading::Each(column, view)),
                None if view.name.is_empty() => return Err(inner.wrong("name", "a reading needs a name, or `each`")),
                None => readings.push(Reading::View(view)),
            }
        }
        let directions = match table.remove("directions") {
            None => None,
            Some(count) => {
                let count = count.as_integer().and_then(|count| usize::try_from(count).ok());
                let count = count.filter(|count| (1..=numbers.len()).contains(count));
                Some(count.ok_or_else(|| reader.wrong("directions", format!("from 1 to {} are wanted", numbers.len())))?)
            }
        };
        let rule = Rule {
            kind,
            numbers,
            variants,
            unstated: reader.text(&mut table, "unstated")?,
            settings,
            machine: reader.truth(&mut table, "machine")?,
            strata_are_settings: reader.truth(&mut table, "strata_are_settings")?,
            one_stratum: reader.truth(&mut table, "one_stratum")?,
            directions,
            readings,
            keys: reader.keys(&mut table)?,
        };
        reader.done(&table, &RULE_KEYS)?;
        rule.check(&reader)?;
        Ok(rule)
    }

    /// Its keys, those of its numbers, and those of the views that decide.
    fn all_keys(&self) -> impl Iterator<Item = &Keys> {
        let views = self.variants.iter().chain(&self.settings);
        let of_views = views.flat_map(|view| std::iter::once(&view.keys).chain(view.numbers.iter().map(|(_, keys)| keys)));
        self.numbers.iter().map(|number| &number.keys).chain([&self.keys]).chain(of_views)
    }

    /// Tables that its keys name.
    pub fn tables(&self) -> impl Iterator<Item = &str> {
        self.all_keys().flat_map(|keys| keys.table.iter().flatten()).map(String::as_str)
    }

    /// True where it rests on times by its own words.
    pub fn is_of_times(&self) -> bool {
        let mut found = false;
        for keys in self.all_keys() {
            keys.walk(&mut |part| found |= part.names("seconds") || part.names("repeat"));
        }
        found
    }

    /// Checks keys against each other.
    fn check(&self, reader: &Reader) -> Result<(), RuleError> {
        if self.unstated.is_some() != (!self.settings.is_empty() || self.strata_are_settings) {
            return Err(reader.wrong("unstated", "it says what is not stated, and `setting` what that may be: both or neither"));
        }
        if !self.variants.is_empty() && self.unstated.is_some() {
            return Err(reader.wrong("variant", "a rule has variants or an unstated setting, not both"));
        }
        if self.all_keys().any(|keys| keys.lost == Some(Lost::Out)) {
            let problem =
                "cases that are left out decide nothing: say in a `reading` that they are, or between which numbers they lie";
            return Err(reader.wrong("lost", problem));
        }
        for number in &self.numbers {
            let keys = number.keys.over(&self.keys);
            let inner = reader.within(&format!("number `{}`", number.called));
            for (key, bounds) in [("size", &keys.size), ("direction", &keys.direction), ("ours", &keys.ours)] {
                let needs = bounds.iter().flat_map(ByStratum::values).find(|bound| bound.needs_published());
                if let (Some(bound), None) = (needs, &keys.published) {
                    return Err(inner.wrong(key, format!("`{bound}` needs what is published: say `published`")));
                }
            }
            if keys.size.is_some() && keys.published.is_none() && self.kind == Kind::Claim {
                return Err(inner.wrong(
                    "size",
                    "a claim has a size where a number is published: say `published`, or `ours` for a bound of our own",
                ));
            }
        }
        Ok(())
    }

    /// Keys of a number by its name, as the rule stands.
    pub fn keys_of_number(&self, called: &str) -> Option<Keys> {
        let number = self.numbers.iter().find(|number| number.called == called)?;
        Some(self.keys_of(number, &View::default()))
    }

    /// Keys of a number in a view.
    pub fn keys_of(&self, number: &Number, view: &View) -> Keys {
        let of_rule = number.keys.over(&self.keys);
        let of_view = view.keys.over(&of_rule);
        match view.numbers.iter().find(|(called, _)| *called == number.called) {
            Some((_, keys)) => keys.over(&of_view),
            None => of_view,
        }
    }
}
