use cloth::integrators::Integrator;
use cloth::tearing::{TearLimits, Tearing, exceeds, snap};
use cloth::{State, Ties};

use super::subject::{MeshSource, Subject, Triangles};
use super::{Model, Scene, Tear, TearMode};

/// Cloth that tears while it is simulated, and what its model and its scheme are made of anew.
pub(super) struct Tears {
    /// The scene, its mesh as it is now.
    scene: Scene,
    rule: Rule,
    count: u64,
}

enum Rule {
    Open(Tearing),
    Simple(TearLimits),
}

/// What is torn so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Torn<'a> {
    /// How.
    pub mode: TearMode,
    /// Particles that were split, or springs that left.
    pub count: u64,
    /// The particle that each particle behind those of the whole mesh was split from, which comes before it.
    pub parents: &'a [usize],
}

/// What goes on after a tear.
type Anew = (Model, Box<dyn Integrator>, State);

impl Tears {
    /// Of a `model` of a scene, both whole.
    pub fn new(scene: &Scene, tear: &Tear, model: &Model) -> Tears {
        let rule = match (tear.mode, model.triangles()) {
            (TearMode::Open, Some(mesh)) => Rule::Open(Tearing::new(mesh, tear.limits.clone())),
            _ => Rule::Simple(tear.limits.clone()),
        };
        Tears { scene: scene.clone(), rule, count: 0 }
    }

    /// What goes on where some cloth of `model` is too long in `state`, after `scheme` took the steps so far; none where nothing
    /// is, or where without it nothing could go on. Schemes begin anew, and linear systems have the pattern of the torn cloth.
    pub fn tear(&mut self, model: &Model, state: &State, scheme: &dyn Integrator) -> Option<Anew> {
        match &self.rule {
            Rule::Open(tearing) if tearing.exceeds(&state.x) => self.open(tearing.clone(), model, state, scheme),
            Rule::Simple(limits) => {
                let Model::Springs(net, mesh) = model else { return None };
                if !exceeds(net, limits, &state.x) {
                    return None;
                }
                let mut net = net.clone();
                let left = snap(&mut net, limits, &state.x) as u64;
                let anew = Model::Springs(net, mesh.clone());
                let scheme = self.scene.scheme_of(&anew, &Ties::default(), &state.x, Some(scheme)).ok()?;
                self.count += left;
                Some((anew, scheme, state.clone()))
            }
            Rule::Open(_) => None,
        }
    }

    /// What goes on where the mesh opens.
    fn open(&mut self, mut tearing: Tearing, model: &Model, state: &State, scheme: &dyn Integrator) -> Option<Anew> {
        let opening = tearing.tear(model.triangles()?, model.system().pinned(), &state.x)?;
        let mut torn = state.clone();
        opening.carry(&mut torn);
        let Subject::Triangles(Triangles { mesh, .. }) = &mut self.scene.subject else { return None };
        let whole = std::mem::replace(mesh, MeshSource::Mesh(opening.mesh));
        let anew =
            self.scene.model().and_then(|anew| Ok((self.scene.scheme_of(&anew, &Ties::default(), &torn.x, Some(scheme))?, anew)));
        match anew {
            Ok((scheme, anew)) => {
                self.count += opening.parents.len() as u64;
                self.rule = Rule::Open(tearing);
                Some((anew, scheme, torn))
            }
            Err(_) => {
                if let Subject::Triangles(Triangles { mesh, .. }) = &mut self.scene.subject {
                    *mesh = whole;
                }
                None
            }
        }
    }

    /// What is torn so far.
    pub fn torn(&self) -> Torn<'_> {
        match &self.rule {
            Rule::Open(tearing) => Torn { mode: TearMode::Open, count: self.count, parents: tearing.parents() },
            Rule::Simple(_) => Torn { mode: TearMode::Simple, count: self.count, parents: &[] },
        }
    }
}
