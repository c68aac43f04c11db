//! Groups that are measured again over sets of another base seed.

use crate::measure::group::Group;
use crate::measure::streams::ChaCha8Rng;

/// A group that [`Seeds`] measures again.
pub trait Reseeded: Group {
    /// The name of that group, and its stream.
    const SEEDS: &'static str;
    /// One line: what is measured.
    const ABOUT_SEEDS: &'static str;
}

/// A group over as many sets, drawn from a stream of its own: a reading of what another base seed gives.
#[derive(Clone)]
pub struct Seeds<G>(pub G);

impl<G: Reseeded> Group for Seeds<G> {
    const NAME: &'static str = G::SEEDS;
    const ABOUT: &'static str = G::ABOUT_SEEDS;
    const SAMPLED: bool = G::SAMPLED;
    const TIMES_ALONE: bool = G::TIMES_ALONE;
    const BLOCK: usize = G::BLOCK;
    type Case = G::Case;
    type Row = G::Row;

    fn sets(&self) -> u64 {
        self.0.sets()
    }

    fn scene(&self, set: u64) -> u64 {
        self.0.scene(set)
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> G::Case {
        self.0.case(set, stream)
    }

    fn repeats(&self) -> u32 {
        self.0.repeats()
    }

    fn enough(&self) -> f64 {
        self.0.enough()
    }

    fn kin(&self, case: &G::Case) -> u64 {
        self.0.kin(case)
    }

    fn parts(&self, case: &G::Case) -> usize {
        self.0.parts(case)
    }

    fn measure_part(&self, case: &G::Case, part: usize) -> Vec<G::Row> {
        self.0.measure_part(case, part)
    }

    fn measure(&self, case: &G::Case) -> Vec<G::Row> {
        self.0.measure(case)
    }

    fn measure_block(&self, cases: &[G::Case], done: &mut dyn FnMut(usize, Vec<G::Row>)) {
        self.0.measure_block(cases, done);
    }

    fn repeat(&self, case: &G::Case, known: &[G::Row]) -> Vec<G::Row> {
        self.0.repeat(case, known)
    }
}
