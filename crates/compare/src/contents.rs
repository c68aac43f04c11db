//! The contents of a file, and what was read from them once.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use lab::measure::identity::sha256;
use lab::results::Timing;

use crate::Mistake;
use crate::table::{Field, Table};

/// Files by their path.
pub type Files = BTreeMap<String, Rc<Contents>>;

#[derive(Debug, Default)]
pub struct Contents {
    pub bytes: Vec<u8>,
    sum: OnceCell<String>,
    table: OnceCell<(Vec<Field>, Rc<Table>)>,
    timings: OnceCell<Rc<Vec<Timing>>>,
}

impl Contents {
    pub fn new(bytes: Vec<u8>) -> Rc<Contents> {
        Rc::new(Contents { bytes, ..Contents::default() })
    }

    /// SHA-256.
    pub fn sum(&self) -> &str {
        self.sum.get_or_init(|| sha256(&self.bytes))
    }

    /// The table that they are: the same one whenever its description is the same.
    pub fn table(&self, group: &str, place: &str, fields: Vec<Field>) -> Result<Rc<Table>, Mistake> {
        if let Some((described, table)) = self.table.get()
            && *described == fields
            && table.group == group
        {
            return Ok(table.clone());
        }
        let table = Rc::new(Table::parse(group, place, &self.bytes, fields.clone())?);
        // of two descriptions the first one is kept
        _ = self.table.set((fields, table.clone()));
        Ok(table)
    }

    /// The times that they are, read by `read`.
    pub fn timings(&self, read: impl FnOnce(&[u8]) -> Result<Vec<Timing>, Mistake>) -> Result<Rc<Vec<Timing>>, Mistake> {
        if let Some(timings) = self.timings.get() {
            return Ok(timings.clone());
        }
        let timings = Rc::new(read(&self.bytes)?);
        Ok(self.timings.get_or_init(|| timings).clone())
    }
}

/// Contents by the object that git has them in: what does not change from commit to commit is read once.
#[derive(Debug, Default)]
pub struct Blobs(HashMap<String, Rc<Contents>>);

impl Blobs {
    pub fn get(&self, object: &str) -> Option<Rc<Contents>> {
        self.0.get(object).cloned()
    }

    pub fn keep(&mut self, object: String, contents: Rc<Contents>) {
        self.0.insert(object, contents);
    }

    /// Forgets what nobody holds.
    pub fn sweep(&mut self) {
        self.0.retain(|_, contents| Rc::strong_count(contents) > 1);
    }
}
