//! Parts of the summary of a run: mesh, seams, tears, collisions.

use std::fmt;

use cloth::contact::CollisionError;
use cloth::run::{CollisionWork, Collisions, Run, TearMode};
use scene::Scene;

use super::summary::three_digits;

/// Tears at the end.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Torn {
    pub mode: TearMode,
    /// Particles that were split, or springs that left.
    pub count: u64,
    /// Pieces that nothing joins.
    pub pieces: usize,
}

impl fmt::Display for Torn {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Torn { mode, count, pieces } = self;
        let (what, several) = match mode {
            TearMode::Open => ("times a particle was split", "pieces"),
            TearMode::Simple => ("springs left", "parts"),
        };
        let several = if *pieces == 1 { several.trim_end_matches('s') } else { several };
        write!(f, "torn: {count} {what}, {pieces} {several} at the end")
    }
}

/// Seams at the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sewn {
    /// Pairs of particles.
    pub pairs: usize,
    /// The largest distance of a pair \[m\].
    pub apart: f64,
}

impl Sewn {
    pub(super) fn of(simulation: &Run) -> Option<Sewn> {
        let ties = simulation.ties();
        Some(Sewn { pairs: ties.stitches().len(), apart: ties.farthest(&simulation.state().x)? })
    }
}

impl fmt::Display for Sewn {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Sewn { pairs, apart } = self;
        let pairs = if *pairs == 1 { "1 pair".to_owned() } else { format!("{pairs} pairs") };
        write!(f, "sewing: {pairs}, at most {} mm apart at the end", three_digits(1000.0 * apart))
    }
}

/// Work of collisions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collided {
    /// True where the cloth meets itself.
    pub itself: bool,
    pub work: CollisionWork,
    /// Why those of the last step were not resolved, if so.
    pub caught: Option<CollisionError>,
}

impl Collided {
    pub(super) fn of(scene: &Scene, collisions: &Collisions) -> Collided {
        let (itself, work) = (scene.self_collision.is_some(), collisions.collision_work());
        Collided { itself, work, caught: collisions.last().err() }
    }
}

impl fmt::Display for Collided {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let CollisionWork { changed, contacts, zoned, .. } = self.work;
        let kind = if self.itself { "collisions" } else { "collisions with solids" };
        write!(f, "{kind}: {changed} steps led around {contacts} contacts")?;
        if zoned > 0 {
            write!(f, ", {zoned} of them with particles that moved as one body")?;
        }
        Ok(())
    }
}

/// A mesh of triangles in numbers.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Triangles {
    pub particles: usize,
    pub triangles: usize,
    /// Pieces that no triangle joins.
    pub pieces: usize,
    /// Pieces that sewing does not join either.
    pub sewn: usize,
    /// Triangles without texture coordinates.
    pub untextured: usize,
}

impl fmt::Display for Triangles {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Triangles { particles, triangles, pieces, sewn, untextured } = self;
        write!(f, "mesh of {particles} particles and {triangles} triangles")?;
        match (pieces, sewn) {
            (1, _) => {}
            (_, 1) => write!(f, " in {pieces} pieces that are sewn together")?,
            _ if pieces == sewn => write!(f, " in {pieces} pieces that nothing joins")?,
            _ => write!(f, " in {pieces} pieces, sewn to {sewn} that nothing joins")?,
        }
        if *untextured > 0 {
            write!(
                f,
                "; {untextured} of them have no texture coordinates and are taken as they are in space, with the warp along x as seen \
                 in their plane"
            )?;
        }
        Ok(())
    }
}
