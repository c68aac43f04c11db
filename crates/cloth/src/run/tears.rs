use super::{MeshAndMaterial, Model, Scenario, Stepper, Triangles};
use crate::tearing::{TearLimits, Tearing, exceeds, snap};
use crate::{Memory, ModelError, State, Ties};

/// How cloth tears.
#[derive(Clone, Debug, PartialEq)]
pub struct Tear {
    /// How far its edges may be stretched.
    pub limits: TearLimits,
    /// What becomes of them beyond.
    pub mode: TearMode,
}

/// What becomes of an edge that is stretched too far.
#[derive(Clone, Copy, Debug, Default, serde::Deserialize, Eq, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum TearMode {
    /// The mesh opens at one of its ends.
    #[default]
    Open,
    /// Its spring leaves, and nothing else \[Stuyck 2018, 4.5\].
    Simple,
}

/// Cloth that tears while it is simulated, and what its model and its scheme are made of anew.
pub(super) struct Tears {
    /// What the run was made of, its mesh as it is now.
    scenario: Scenario,
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
pub(super) struct Rebuilt {
    pub model: Model,
    pub stepper: Stepper,
    pub state: State,
}

impl Tears {
    /// Of a `model` of a scenario, both whole.
    pub fn new(scenario: &Scenario, tear: &Tear, model: &Model) -> Tears {
        let rule = match (tear.mode, model.triangles()) {
            (TearMode::Open, Some(mesh)) => Rule::Open(Tearing::new(mesh, tear.limits.clone())),
            _ => Rule::Simple(tear.limits.clone()),
        };
        Tears { scenario: scenario.clone(), rule, count: 0 }
    }

    /// What goes on where some cloth of `model` is too long in `state`, after `stepper` took the steps so far; none where nothing is.
    /// Schemes begin anew, and linear systems have the pattern of the torn cloth.
    ///
    /// # Errors
    /// Why the torn cloth could not go on: it stays whole.
    pub fn tear(&mut self, model: &Model, state: &State, stepper: &Stepper) -> Result<Option<Rebuilt>, ModelError> {
        match &self.rule {
            Rule::Open(tearing) if tearing.exceeds(&state.x) => self.open(tearing.clone(), model, state, stepper),
            Rule::Simple(limits) => {
                let Model::Springs(net, mesh) = model else { return Ok(None) };
                if !exceeds(net, limits, &state.x) {
                    return Ok(None);
                }
                let mut net = net.clone();
                let left = snap(&mut net, limits, &state.x) as u64;
                let model = Model::Springs(net, mesh.clone());
                let stepper = self.scenario.stepper(&model, &Ties::default(), (0.0, &state.x), Some(stepper))?;
                self.count += left;
                Ok(Some(Rebuilt { model, stepper, state: state.clone() }))
            }
            Rule::Open(_) => Ok(None),
        }
    }

    /// What goes on where the mesh opens.
    fn open(
        &mut self,
        mut tearing: Tearing,
        model: &Model,
        state: &State,
        stepper: &Stepper,
    ) -> Result<Option<Rebuilt>, ModelError> {
        let Some(mesh) = model.triangles() else { return Ok(None) };
        let Some(opening) = tearing.tear(mesh, model.system().pinned(), &state.x) else { return Ok(None) };
        let mut torn = state.clone();
        opening.carry(&mut torn);
        let MeshAndMaterial::Triangles(Triangles { material, pins, .. }) = &self.scenario.cloth else { return Ok(None) };
        let cloth = MeshAndMaterial::from(Triangles { mesh: opening.mesh, material: *material, pins: pins.clone() });
        let model = cloth.model()?;
        let stepper = self.scenario.stepper(&model, &Ties::default(), (0.0, &torn.x), Some(stepper))?;
        self.count += opening.parents.len() as u64;
        (self.rule, self.scenario.cloth) = (Rule::Open(tearing), cloth);
        Ok(Some(Rebuilt { model, stepper, state: torn }))
    }

    /// Writes down, or reads back, how the `model` is torn; read, the model and what takes its steps, which begins at a state that the
    /// memory holds next.
    ///
    /// # Errors
    /// Words that are not of a tear of this cloth.
    pub fn remember(&mut self, model: &Model, memory: &mut Memory) -> Result<Option<Model>, ModelError> {
        memory.count(&mut self.count);
        let torn = match &mut self.rule {
            Rule::Open(tearing) => {
                let Some(mesh) = model.triangles() else { return Ok(None) };
                let Some(opened) = tearing.remember(mesh, memory)? else { return Ok(None) };
                let MeshAndMaterial::Triangles(Triangles { mesh, .. }) = &mut self.scenario.cloth else { return Ok(None) };
                *mesh = opened;
                self.scenario.cloth.model()?
            }
            Rule::Simple(_) => {
                let (Model::Springs(net, mesh), Model::Springs(whole, _)) = (model, self.scenario.cloth.model()?) else {
                    return Ok(None);
                };
                let mut left = net.springs().iter().peekable();
                let mut stays: Vec<bool> =
                    whole.springs().iter().map(|spring| left.next_if(|left| *left == spring).is_some()).collect();
                stays.iter_mut().for_each(|stays| memory.flag(stays));
                let (mut torn, mut stays) = (whole, stays.into_iter());
                torn.retain_springs(|_| stays.next() == Some(true));
                Model::Springs(torn, mesh.clone())
            }
        };
        Ok(memory.is_read().then_some(torn))
    }

    /// What takes the steps of the torn `model` from `state` on.
    ///
    /// # Errors
    /// As [`Scenario::run`].
    pub fn stepper(&self, model: &Model, state: &State) -> Result<Stepper, ModelError> {
        // the time says where bodies are, beside which cloth does not tear
        self.scenario.stepper(model, &Ties::default(), (0.0, &state.x), None)
    }

    /// What is torn so far.
    pub fn torn(&self) -> Torn<'_> {
        match &self.rule {
            Rule::Open(tearing) => Torn { mode: TearMode::Open, count: self.count, parents: tearing.parents() },
            Rule::Simple(_) => Torn { mode: TearMode::Simple, count: self.count, parents: &[] },
        }
    }
}
