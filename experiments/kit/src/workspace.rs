//! The checkout, and the threads of the machine.

use std::env;
use std::path::{Path, PathBuf};

/// Folder of the checkout: the nearest one above that holds the experiments; elsewhere the folder that we are in.
pub fn root() -> PathBuf {
    let here = env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    let checkout = here.ancestors().find(|folder| folder.join("experiments/profiles").is_dir());
    checkout.map_or(here.clone(), Path::to_owned)
}

/// Threads that the machine offers.
pub fn default_jobs() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
