//! Random scenes of the swing, each with its reference: both schemes at both steps beside Runge-Kutta runs.

use cloth::quantity::Positive;
use lab::prelude::*;

use super::flag::{Begin, FlagRanges, Scheme, Setting};
use super::runs::{FlagRow, Runs, between, compared, rows};
use crate::ranges::{Count, Ends, List};

/// What scenes are drawn from, and their runs.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SwingRanges {
    /// Number of scenes.
    pub sets: Count,
    /// Number of those that are drawn from another base seed.
    pub seeds: Count,
    /// Y \[N/m\]; this and the amplitude are drawn evenly in their logarithm.
    pub stiffness: Ends,
    /// Amplitude of the driven corners \[m\].
    pub amplitude: Ends,
    /// Time steps \[s\].
    pub steps: List<Positive>,
    /// Step of the reference, which is checked by twice of it \[s\].
    pub reference: Positive,
}

/// Stiffness and amplitude drawn, started at rest a micrometre aside.
#[derive(Clone)]
pub struct Swings {
    pub flag: FlagRanges,
    pub ranges: SwingRanges,
}

impl Swings {
    fn draw(&self, set: u64, stream: &mut ChaCha8Rng) -> Setting {
        Setting {
            stiffness: between(self.ranges.stiffness, stream),
            amplitude: between(self.ranges.amplitude, stream),
            start: Begin::Resting,
            nudge: set as u32 + 1,
            ..self.flag.setting()
        }
    }

    /// Both schemes at both steps, the reference, and its check.
    fn runs(&self) -> Runs {
        let references = [1.0, 2.0].map(|times| (Scheme::Rk4, times * self.ranges.reference.get()));
        compared(self.ranges.steps.values()).into_iter().chain(references).collect()
    }
}

impl Group for Swings {
    const NAME: &'static str = "swings";
    const ABOUT: &'static str = "random stiffness and amplitude, started at rest a micrometre aside, by both schemes at both steps and by a reference with its check";
    type Case = Setting;
    type Row = FlagRow;

    fn sets(&self) -> u64 {
        self.ranges.sets.get().into()
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Setting {
        self.draw(set, stream)
    }

    fn measure(&self, setting: &Setting) -> Vec<FlagRow> {
        rows(&self.flag, setting, &self.runs())
    }
}

/// Scenes of the swing from another base seed.
#[derive(Clone)]
pub struct SwingSeeds(pub Swings);

impl Group for SwingSeeds {
    const NAME: &'static str = "swing-seeds";
    const ABOUT: &'static str = "scenes of the swing drawn from another base seed, otherwise as in their group";
    type Case = Setting;
    type Row = FlagRow;

    fn sets(&self) -> u64 {
        self.0.ranges.seeds.get().into()
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Setting {
        self.0.draw(set, stream)
    }

    fn measure(&self, setting: &Setting) -> Vec<FlagRow> {
        self.0.measure(setting)
    }
}
