use std::path::PathBuf;

use clap::Args;
use cloth::lanes::InstructionSet;
use lab::measure::shard::MOST_SETS;
use lab::measure::share::Share;

use crate::whole::Whole;
use crate::workspace::default_jobs;

/// How a study is measured.
#[derive(Args)]
pub struct Options {
    /// Parameter sets of the main group, or of --only; other sampled groups take the same share of theirs, at most as many
    #[arg(long, value_name = "N", value_parser = Whole(1..=MOST_SETS), allow_negative_numbers = true)]
    pub sets: Option<u64>,
    /// Base seed of all random sets
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = Whole(0..=u64::MAX), allow_negative_numbers = true)]
    pub seed: u64,
    /// Measure the sets that were held out when the study was frozen, by `clothlab claims freeze`
    #[arg(long, conflicts_with_all = ["sets", "seed", "only", "case", "profile", "settings"])]
    pub held_out: bool,
    /// Measure one group only
    #[arg(long, value_name = "GROUP")]
    pub only: Option<String>,
    /// Measure the I-th of N parts of the cases, for `clothlab merge`; they may be measured anywhere
    #[arg(long, value_name = "I/N", conflicts_with = "case")]
    pub shard: Option<Share>,
    /// Print the rows of one parameter set of the main group (or of --only), and write nothing
    #[arg(long, value_name = "I", value_parser = Whole(0..=u64::MAX), allow_negative_numbers = true)]
    pub case: Option<u64>,
    /// paper, smoke, or a file that ends in .toml
    #[arg(long, value_name = "P", default_value = "paper")]
    pub profile: String,
    /// Another value at a key of the study's profile, as in sets=20 or steps=\[10,30\]; may be given more than once
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub settings: Vec<String>,
    /// Folder of the output [default: out/STUDY]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Forget what is in that folder, instead of going on from it
    #[arg(long)]
    pub fresh: bool,
    /// Take times too, of the groups that ask for them: each case several times more, alone
    #[arg(long, conflicts_with_all = ["shard", "case"])]
    pub times: bool,
    /// Say what would be measured, and do nothing
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub machine: Machine,
}

/// What rows do not depend on.
#[derive(Args)]
pub struct Machine {
    /// Threads [default: all cores]
    #[arg(long, value_name = "J", value_parser = Whole(1..=1024), allow_negative_numbers = true)]
    pub jobs: Option<u64>,
    /// Kernels: plain, portable, avx2 or avx512 [default: the widest]
    #[arg(long, value_name = "SET")]
    pub simd: Option<InstructionSet>,
}

impl Machine {
    /// Threads.
    pub fn jobs(&self) -> usize {
        self.jobs.map_or_else(default_jobs, |jobs| jobs as usize)
    }

    /// What all kernels of this process run on from now on.
    pub fn instruction_set(&self) -> InstructionSet {
        let set = self.simd.unwrap_or_else(InstructionSet::best);
        set.limit();
        set
    }
}
