/// A constraint method without parameters of its own, as scenes and their documentation know it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MethodEntry {
    /// Its name in tables and scene files.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// Most iterations of a step where a scene says nothing; none for a method of one solve a step.
    pub iterations: Option<u32>,
}

impl MethodEntry {
    /// Most solves of linear systems in a step, if nothing is said.
    pub const SOLVES: Option<u32> = Some(50);

    /// Most sweeps over all edges in a step, if nothing is said.
    pub const SWEEPS: Option<u32> = Some(1000);
}
