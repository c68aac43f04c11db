use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicU8, Ordering};

use thiserror::Error;

/// What a kernel of lanes runs on. All give the same bits.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum InstructionSet {
    /// One lane at a time, where a kernel has such a form.
    Plain,
    /// Eight lanes on whatever every processor of the target has.
    Portable,
    /// Eight lanes as two registers of 256 bits.
    Avx2,
    /// Eight lanes in one register of 512 bits.
    Avx512,
}

/// What [`InstructionSet::limit`] was told last.
static WIDEST: AtomicU8 = AtomicU8::new(InstructionSet::Avx512 as u8);

/// A name or a kind that this machine does not have.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("this machine does not run `{0}`; it has {names}", names = supported_names())]
pub struct UnknownInstructionSet(String);

impl InstructionSet {
    /// All, narrowest first.
    pub const ALL: [InstructionSet; 4] =
        [InstructionSet::Plain, InstructionSet::Portable, InstructionSet::Avx2, InstructionSet::Avx512];

    /// Those that this machine runs, narrowest first.
    pub fn supported() -> impl Iterator<Item = InstructionSet> {
        InstructionSet::ALL.into_iter().filter(|set| set.is_supported())
    }

    /// The widest that this machine runs and [`InstructionSet::limit`] lets it take.
    pub fn best() -> InstructionSet {
        let widest = WIDEST.load(Ordering::Relaxed);
        let within = |set: &InstructionSet| *set as u8 <= widest;
        InstructionSet::supported().filter(within).last().unwrap_or(InstructionSet::Portable)
    }

    /// Lets [`InstructionSet::best`] be nothing wider from now on, in the whole process: what is made after that runs on this.
    pub fn limit(self) {
        WIDEST.store(self as u8, Ordering::Relaxed);
    }

    /// Whether this machine runs it.
    pub fn is_supported(self) -> bool {
        match self {
            InstructionSet::Plain | InstructionSet::Portable => true,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
            }
            #[cfg(not(target_arch = "x86_64"))]
            InstructionSet::Avx2 | InstructionSet::Avx512 => false,
        }
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            InstructionSet::Plain => "plain",
            InstructionSet::Portable => "portable",
            InstructionSet::Avx2 => "avx2",
            InstructionSet::Avx512 => "avx512",
        }
    }
}

fn supported_names() -> String {
    InstructionSet::supported().map(InstructionSet::name).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for InstructionSet {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for InstructionSet {
    type Err = UnknownInstructionSet;

    fn from_str(name: &str) -> Result<InstructionSet, UnknownInstructionSet> {
        InstructionSet::supported().find(|set| set.name() == name).ok_or_else(|| UnknownInstructionSet(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_others_are_refused() {
        for set in InstructionSet::supported() {
            assert_eq!(set.name().parse(), Ok(set));
        }
        let refused = "neon".parse::<InstructionSet>().unwrap_err().to_string();
        assert!(refused.starts_with("this machine does not run `neon`; it has plain, portable"), "{refused}");
    }
}
