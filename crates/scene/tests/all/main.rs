//! Scenes that are run, changed at random, or made of quads.

mod collisions;
mod continuing;
mod mutations;
mod quads;
mod ties;
