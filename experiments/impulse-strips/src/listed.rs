//! Lists of hanging sheets, each a group.

use kit::prelude::*;

use super::scene::{Hanging, Pushes, RunRow};

/// A list of hanging sheets.
pub trait SheetList: Send + Sync {
    /// Name of its group.
    const NAME: &'static str;
    /// What is measured.
    const ABOUT: &'static str;
    /// The stream that pushes are drawn from.
    const SCENES: &'static str = Self::NAME;
    /// True where its rows are there for their times alone.
    const TIMES_ALONE: bool = false;

    /// All sheets, each with the number of its pushes, which several may share.
    fn all(&self) -> Vec<(u64, Hanging)>;

    /// How often each is measured once more for its time.
    fn repeats(&self) -> u32 {
        0
    }

    /// Time that the repeats of a sheet may take, that of other groups unless said \[s\].
    fn enough(&self) -> f64 {
        0.3
    }
}

/// The sheets of a list, each a set.
pub struct Listed<L>(pub L);

impl<L: SheetList> Group for Listed<L> {
    const NAME: &'static str = L::NAME;
    const ABOUT: &'static str = L::ABOUT;
    const SCENES: &'static str = L::SCENES;
    const SAMPLED: bool = false;
    const TIMES_ALONE: bool = L::TIMES_ALONE;
    type Case = (Hanging, Pushes);
    type Row = RunRow;

    fn sets(&self) -> u64 {
        self.0.all().len() as u64
    }

    fn repeats(&self) -> u32 {
        self.0.repeats()
    }

    fn enough(&self) -> f64 {
        self.0.enough()
    }

    fn scene(&self, set: u64) -> u64 {
        self.0.all()[set as usize].0
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Self::Case {
        (self.0.all()[set as usize].1, Pushes::draw(stream))
    }

    fn kin(&self, case: &Self::Case) -> u64 {
        case.0.weight()
    }

    fn measure(&self, (run, pushes): &Self::Case) -> Vec<RunRow> {
        vec![run.run(Some(pushes), |_, _| ())]
    }
}
