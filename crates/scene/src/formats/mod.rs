//! Files of cloth in motion that other programs open.

mod look;
mod pc2;
mod read_pc2;
mod rest;
mod usda;
mod vtk;

pub use look::{Body, Look, texture};
pub use pc2::{Pc2, begin_pc2};
pub use read_pc2::{Pc2Error, read_pc2};
pub use rest::{write_rest, write_solids};
pub use usda::Usda;
pub use vtk::{write_solids_vtk, write_vtk};

use std::fmt::Display;
use std::io::{self, Write};

/// A line of words, each behind a space but the first.
fn write_line<T: Display>(first: impl Display, others: impl IntoIterator<Item = T>, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{first}")?;
    others.into_iter().try_for_each(|word| write!(out, " {word}"))?;
    writeln!(out)
}
