//! A scene by many contestants: who takes part, in which steps, against which reference, and who is ranked first.
#![allow(missing_docs)] // of programs alone: what a name says by itself is not said again

pub mod choice;
pub mod contestants;
pub mod input;
pub mod ladder;
pub mod memory;
pub mod ranking;
pub mod reference;
pub mod rows;
pub mod runs;
