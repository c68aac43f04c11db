use super::{Filter, Model};
use crate::ModelError;
use crate::contact::{CollisionPass, Friction, Solid};
use crate::inextensible::{EdgeConstraints, Limits, MethodKind};

/// Edges that keep their length in place of what resists stretch, and how: the warp and weft of a grid or of quads, all edges of
/// triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LengthConstraint {
    /// The constraint method.
    pub method: MethodKind,
    /// When it ends.
    pub limits: Limits,
}

impl LengthConstraint {
    /// Permissible strain if nothing is said \[-\] \[Goldenthal 2007, 5\].
    pub const STRAIN: f64 = 0.01;

    /// The filter for the edges of `model`, then for the `solids`, each with its friction.
    ///
    /// # Errors
    /// [`ModelError::AllHeld`], and [`EdgeConstraints::new`]'s; never the latter for a mesh.
    pub fn filter(&self, model: &Model, solids: &[(Solid, Friction)]) -> Result<Filter, ModelError> {
        let system = model.system();
        let constraints = EdgeConstraints::new(&model.sides(), system.masses(), system.pinned())?;
        if constraints.edges().is_empty() {
            return Err(ModelError::AllHeld);
        }
        let filter = Filter::new(self.method.build(constraints, self.limits));
        let passes = solids.chunk_by(|(_, friction), (_, next)| friction == next);
        Ok(passes.fold(filter, |filter, alike| {
            let solids = alike.iter().map(|(solid, _)| *solid).collect();
            filter.with_collisions(CollisionPass { solids, friction: alike[0].1 })
        }))
    }
}
