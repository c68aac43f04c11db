//! The scene file as it is written: its sections and keys. Each section is declared where it is read.

use std::path::PathBuf;

use toml::Spanned;

use super::collisions::SelfCollisionSection;
use super::control::{ControlSection, FitSection};
use super::friction::FrictionKey;
use super::guide::GuideSection;
use super::inextensible::InextensibleSection;
use super::key::{named, section};
use super::material::MaterialKey;
use super::mesh::MeshSection;
use super::method::{AdaptiveSection, IntegratorSection};
use super::motion::MotionSection;
use super::range::{Azimuth, Count, Elevation};
use super::repulsion::RepulsionSection;
use super::section::{Choice, Keyed, section};
use super::sewing::{SeamSection, SewingSection};
use super::solids::SolidSection;
use super::solver::SolverSection;
use super::tearing::TearingSection;
use cloth::quantity::{NonNegative, Positive};
use cloth::run::SolidContact;

section! {
    pub(super) struct Document = "" {
        pub step["s"]: Spanned<Positive>,
        pub duration["s"]: Spanned<Positive>,
        pub integrator: Option<Choice<IntegratorSection>>,
        pub solver: Option<Spanned<Choice<SolverSection>>>,
        pub adaptive_steps: Option<Keyed<AdaptiveSection>>,
        pub inextensible: Option<Spanned<Choice<InextensibleSection>>>,
        pub tearing: Option<Spanned<Keyed<TearingSection>>>,
        #[serde(default)]
        pub pins: Vec<Spanned<toml::Value>>, // each read on its own, so that a mistake is found on its line
        #[serde(default)]
        pub motion: Vec<Spanned<Keyed<MotionSection>>>,
        #[serde(default)]
        pub guide: Vec<Spanned<Keyed<GuideSection>>>,
        pub sewing: Option<Keyed<SewingSection>>,
        #[serde(default)]
        pub seam: Vec<Spanned<Keyed<SeamSection>>>,
        pub friction: Option<Spanned<FrictionKey>>,
        pub mesh: Spanned<Keyed<MeshSection>>,
        pub material: Option<Spanned<MaterialKey>>,
        #[serde(default)]
        pub solid: Vec<Spanned<Choice<SolidSection>>>
            = "[[solid]] sections, each with a plane, a cuboid, a sphere, a cylinder, a capsule or a mesh",
        pub contact: Option<Spanned<SolidContact>>,
        pub self_collision: Option<Spanned<Keyed<SelfCollisionSection>>>,
        pub repulsion: Option<Spanned<Keyed<RepulsionSection>>>,
        #[serde(default, deserialize_with = "section")]
        pub initial: InitialSection,
        pub control: Option<Spanned<Keyed<ControlSection>>>,
        pub fit: Option<Keyed<FitSection>>,
        #[serde(default, deserialize_with = "section")]
        pub output: OutputSection,
        #[serde(default, deserialize_with = "section")]
        pub view: ViewSection,
    }
}

section! {
    #[derive(Default)]
    pub(super) struct InitialSection = "a section" {
        pub positions: Option<Spanned<PathBuf>> = "the name of a table in quotes",
        pub velocities: Option<Spanned<PathBuf>> = "the name of a table in quotes",
        pub time["s"]: Option<NonNegative>,
    }
}

section! {
    /// A row a step and no frames, if nothing is said.
    #[derive(Default)]
    pub(super) struct OutputSection = "a section" {
        pub energies_every: Option<Count>,
        pub contacts_every: Option<Count>,
        pub frames_per_second["1/s"]: Option<Spanned<Positive>>,
    }
}

section! {
    /// The direction from which pictures are seen.
    #[derive(Default)]
    pub(super) struct ViewSection = "a section" {
        pub azimuth["degrees"]: Option<Azimuth>,
        pub elevation["degrees"]: Option<Elevation>,
    }
}

named!(SolidContact);
