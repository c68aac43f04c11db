//! The studies of the papers and the commands of the driver.

mod failure;

pub use failure::Failure;
