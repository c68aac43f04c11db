//! What is simulated. Forces are smooth so that a scheme's order can show, but for one sheet of the thesis' model.

use cloth::triangles::{Fabric, TriangleCloth, TriangleMesh};
use kit::costs::{OperationModel, SPRINGS, TRIANGLES};
use kit::prelude::*;

use super::ball::{Ball, Drape};

words! {
    /// Scenes by name.
    pub enum Kind {
        /// A sheet of soft springs swings down, held at two corners.
        SoftSheet = "soft-sheet",
        /// A sheet of springs a thousand times as stiff swings down.
        StiffSheet = "stiff-sheet",
        /// A sheet of the thesis' springs, which act in extension only, with its damping.
        SlackSheet = "slack-sheet",
        /// A sheet falls over a ball, in air.
        Drape = "drape",
        /// The flag of Parks & Forsyth swings down, held at two corners.
        Flag = "flag",
        /// A chain swings down from the horizontal.
        Chain = "chain",
    }
}

/// A scene ready to run.
pub struct Scene {
    model: Model,
    /// Where it starts.
    pub start: State,
    /// Length that errors are relative to \[m\].
    pub length: f64,
    /// Stretch |x| / L at which adaptive steps are halved \[-\].
    pub stretch: f64,
    /// Terms of its Jacobians at their most exact: all, or with projected damping all but what is not symmetric.
    pub exact: Terms,
    /// Operations of its force evaluations and of its linear systems.
    pub costs: OperationModel,
}

enum Model {
    Sheet(Cloth),
    Drape(Drape),
    Flag(TriangleCloth),
    Net(Net),
}

impl Model {
    fn system(&self) -> &dyn System {
        match self {
            Model::Sheet(cloth) => cloth,
            Model::Drape(drape) => drape,
            Model::Flag(flag) => flag,
            Model::Net(net) => net,
        }
    }
}

/// Length of every sheet and of the chain \[m\].
const LENGTH: f64 = 1.0;

/// Sheets: areal density \[kg/m²\]; ks \[N/m\] and kd \[N s/m\] of stretch and shear, plain dampers; springs that act in
/// compression too, and little bending, kb \[N/m\].
const DENSITY: f64 = 0.2;
const SOFT: Elastic = Elastic { stiffness: 100.0, damping: 0.02 };
const STIFF: Elastic = Elastic { stiffness: 1e5, damping: 0.6 };
const BEND: f64 = 0.01;

/// Resistance of the air to a particle of the drape over its mass \[1/s\].
const AIR: f64 = 1.0;

/// The ball: radius \[m\], how far its centre is beside that of the sheet \[m\], height of the sheet above it \[m\], k \[N/m²\].
const RADIUS: f64 = 0.3;
const BESIDE: [f64; 2] = [0.05, 0.03];
const GAP: f64 = 0.002;
const PUSH: f64 = 5000.0;

/// Y of the flag \[N/m\], its shear a tenth of it; ten times that of Parks & Forsyth, whose would stretch to nearly twice its
/// length here.
const FLAG_STIFFNESS: f64 = 100.0;

/// The chain: mass \[kg\], ks \[N/m\] of a link times the number of links, and kd \[N s/m\].
const CHAIN_MASS: f64 = 1.0;
const CHAIN_STIFFNESS: f64 = 1000.0;
const CHAIN_DAMPING: f64 = 0.1;

impl Kind {
    /// Its name in the tables.
    pub fn label(self) -> String {
        self.name().replace('-', " ")
    }

    /// The scene with `side` particles along an edge, or in a chain.
    ///
    /// # Errors
    /// A quantity outside its range.
    pub fn scene(self, side: usize) -> Result<Scene, ModelError> {
        match self {
            Kind::SoftSheet => Ok(Scene::held(sheet(side, SOFT, 0.0, &corners(side))?, 1.3)),
            Kind::StiffSheet => Ok(Scene::held(sheet(side, STIFF, 0.0, &corners(side))?, 1.02)),
            Kind::SlackSheet => Ok(Scene::held(slack(side)?, 1.3)),
            Kind::Drape => Scene::drape(side),
            Kind::Flag => Scene::flag(side),
            Kind::Chain => Scene::chain(side),
        }
    }
}

fn corners(side: usize) -> [Pin; 2] {
    [Pin::At(0, 0), Pin::At(side - 1, 0)]
}

/// A sheet with smooth forces.
fn sheet(side: usize, elastic: Elastic, air: f64, pins: &[Pin]) -> Result<Cloth, ModelError> {
    let spacing = LENGTH / (side - 1) as f64;
    let material = Material {
        density: DENSITY,
        stretch: elastic,
        shear: elastic,
        bend: BEND,
        damping: DampingForm::Plain,
        compression: true,
        air: air * DENSITY * spacing * spacing,
        ..Material::default()
    };
    Cloth::new(Grid::new(side, side, spacing)?, material, pins)
}

/// A sheet of the thesis' model.
fn slack(side: usize) -> Result<Cloth, ModelError> {
    let material = Material { density: DENSITY, stretch: SOFT, shear: SOFT, bend: BEND, ..Material::default() };
    Cloth::new(Grid::new(side, side, LENGTH / (side - 1) as f64)?, material, &corners(side))
}

impl Scene {
    fn new(model: Model, start: State, stretch: f64) -> Scene {
        let exact = match &model {
            Model::Sheet(cloth) if cloth.material().damping == DampingForm::Projected => Terms::DampingByPosition,
            _ => Terms::Exact,
        };
        let coupling = if let Model::Flag(_) = model { TRIANGLES } else { SPRINGS };
        let costs = OperationModel::new(model.system(), coupling);
        Scene { model, start, length: LENGTH, stretch, exact, costs }
    }

    fn held(cloth: Cloth, stretch: f64) -> Scene {
        let start = cloth.at_rest();
        Scene::new(Model::Sheet(cloth), start, stretch)
    }

    fn drape(side: usize) -> Result<Scene, ModelError> {
        let cloth = sheet(side, SOFT, AIR, &[])?;
        let start = cloth.at_rest();
        let [x, y] = BESIDE.map(|beside| 0.5 * LENGTH + beside);
        let ball = Ball { centre: Vec3::new(x, y, -GAP - RADIUS), radius: RADIUS, stiffness: PUSH };
        Ok(Scene::new(Model::Drape(Drape { cloth, ball }), start, 1.1))
    }

    /// With `side` columns of points and twice as many rows less one, and a point in each cell between.
    fn flag(side: usize) -> Result<Scene, ModelError> {
        let mesh = TriangleMesh::centred(side, 2 * side - 1, LENGTH, LENGTH)?;
        let [warp, weft, shear] = [1.0, 1.0, 0.1].map(|share| Elastic { stiffness: share * FLAG_STIFFNESS, damping: 0.0 });
        let flag = TriangleCloth::new(mesh, Fabric { warp, weft, shear, ..Fabric::default() }, &[0, side - 1])?;
        let start = flag.at_rest();
        Ok(Scene::new(Model::Flag(flag), start, 1.3))
    }

    fn chain(count: usize) -> Result<Scene, ModelError> {
        let links = count - 1;
        let rest = LENGTH / links as f64;
        let elastic = Elastic { stiffness: CHAIN_STIFFNESS * links as f64, damping: CHAIN_DAMPING };
        let springs = (0..links).map(|i| NetSpring { i, j: i + 1, rest, elastic }).collect();
        let masses = vec![CHAIN_MASS / count as f64; count];
        let net = Net::new(masses, (0..count).map(|i| i == 0).collect(), springs)?;
        let start = State::at_rest((0..count).map(|i| Vec3::new(i as f64 * rest, 0.0, 0.0)).collect());
        Ok(Scene::new(Model::Net(net), start, 1.1))
    }

    /// What moves.
    pub fn system(&self) -> &dyn System {
        self.model.system()
    }

    /// Energy of a state \[J\].
    pub fn energy(&self, state: &State) -> f64 {
        match &self.model {
            Model::Sheet(cloth) => cloth.energies(state).total(),
            Model::Flag(flag) => flag.energies(state).total(),
            Model::Drape(drape) => drape.energy(state),
            Model::Net(net) => net.energy(state),
        }
    }

    /// Energy that a fall by its own length sets free \[J\].
    pub fn fall(&self) -> f64 {
        self.system().masses().iter().sum::<f64>() * GRAVITY * self.length
    }

    /// Whether all of its forces are slopes of a potential.
    pub fn has_potential(&self) -> bool {
        self.system().potential(&self.start.x, &self.start.v).is_some()
    }

    /// Whether a splitting can leave some of its couplings explicit and others implicit: a chain has springs of one kind, and
    /// SBDF2 chooses by dampers, which the flag has none of.
    pub fn is_split_by(&self, splitting: &Splitting) -> bool {
        match splitting {
            Splitting::Families { .. } => !matches!(self.model, Model::Net(_)),
            Splitting::AdaptiveSecondOrder { .. } => matches!(self.model, Model::Sheet(_) | Model::Drape(_)),
            Splitting::Implicit | Splitting::Adaptive { .. } => true,
        }
    }
}
