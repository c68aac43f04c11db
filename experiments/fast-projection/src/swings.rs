//! A chain and a sheet that swing from where they are held.

use kit::prelude::*;

use super::scenes::Scene;

ranges!(SwingRanges {
    //! Scenes and steps.
    /// Particles of the chain.
    vertices: Side,
    /// Particles a side of the sheet.
    side: Side,
    /// Steps a second, multiples of ten where tenths of a second are told.
    rates: List<Count>,
    /// Simulated time \[s\].
    duration: Positive,
    /// Permissible strain \[-\].
    strain: Positive,
    /// Linear systems a step may take.
    solves: Count,
});

/// The scenes, by name.
pub const CHAIN: &str = "chain";
pub const SHEET: &str = "sheet";

impl SwingRanges {
    /// A scene by its name.
    ///
    /// # Errors
    /// A number of particles that means nothing.
    pub fn scene(&self, name: &str) -> Result<Scene, ModelError> {
        match name {
            CHAIN => Scene::chain(self.vertices.get() as usize),
            _ => Scene::held(self.side.get() as usize),
        }
    }

    /// The limits of a method.
    ///
    /// # Errors
    /// A strain that means nothing.
    pub fn limits(&self) -> Result<Limits, ModelError> {
        Limits::new(self.strain.get(), self.solves.get().into())
    }
}
