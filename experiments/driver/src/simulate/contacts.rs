use std::path::PathBuf;

use cloth::contact::{ContactState, Contacts, Touch};
use cloth::run::Run;
use kit::table::Table;
use lab::files::FileError;
use lab::finite;
use scene::Scene;

/// How many particles touch solids after a step.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Touching {
    /// Particles that are held.
    pub sticking: u64,
    /// Particles that are held along the normal.
    pub sliding: u64,
    /// Particles that were let go.
    pub released: u64,
    /// Particle steps since the start in which cloth went through a solid.
    pub passed: u64,
}

impl Touching {
    /// Counts contacts.
    pub(super) fn of(contacts: &Contacts) -> Touching {
        let count = |state| contacts.touches().iter().filter(|touch| touch.state == state).count() as u64;
        Touching {
            sticking: count(ContactState::Sticking),
            sliding: count(ContactState::Sliding),
            released: count(ContactState::Released),
            passed: contacts.passed(),
        }
    }
}

/// Columns of contacts.csv: time \[s\], outward unit normal of the solid, force of the solid on the particle \[N\].
const COLUMNS: [&str; 10] =
    ["step", "time", "particle", "state", "normal_x", "normal_y", "normal_z", "force_x", "force_y", "force_z"];

/// contacts.csv while it is written; there is none without solids, and none where they come after a
/// constraint method.
pub(super) struct ContactTable(Option<Table>);

impl ContactTable {
    pub fn create(path: PathBuf, scene: &Scene) -> Result<ContactTable, FileError> {
        let wanted = scene.has_contacts();
        Ok(ContactTable(if wanted { Some(Table::create(path, &COLUMNS)?) } else { None }))
    }

    /// Adds a row for each particle that touches a solid after the present step.
    pub fn record(&mut self, simulation: &Run) -> Result<(), FileError> {
        let (Some(table), Some(contacts)) = (&mut self.0, simulation.contacts()) else { return Ok(()) };
        for (particle, touch) in contacts.touches().iter().enumerate() {
            let Some(state) = name(touch) else { continue };
            let components = [touch.normal.x, touch.normal.y, touch.normal.z, touch.force.x, touch.force.y, touch.force.z];
            table.add((simulation.steps(), simulation.time(), particle, state, components.map(finite)))?;
        }
        Ok(())
    }

    /// Ends the table.
    pub fn finish(self) -> Result<(), FileError> {
        self.0.map_or(Ok(()), Table::finish)
    }
}

/// The state of a contact, none without contact.
fn name(touch: &Touch) -> Option<&'static str> {
    match touch.state {
        ContactState::Free => None,
        ContactState::Sticking => Some("sticking"),
        ContactState::Sliding => Some("sliding"),
        ContactState::Released => Some("released"),
    }
}
