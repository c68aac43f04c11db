//! `clothlab` with one more integrator: write yours in place of `heun.rs`, and all commands know it.
//!
//!     cargo run --release -p own-integrator -- validate --method heun
//!     cargo run --release -p own-integrator -- race scenes/flag.toml --with heun,rk4,bdf2

mod heun;

use std::process::ExitCode;

use heun::Heun;

static OWN: [cloth::integrators::IntegratorEntry; 1] = [Heun::ENTRY];

fn main() -> ExitCode {
    clothlab::driver_with(&OWN)
}
