//! The options of `clothlab validate`; the command itself comes with the study whose cases it measures.

use clap::Args;

use super::options::Machine;

/// Methods, laws and cases that are held against exact solutions.
#[derive(Args)]
pub struct Request {
    /// An integrator or a constraint method, as scenes or tables name it; may be given more than once
    #[arg(long = "method", value_name = "M")]
    pub methods: Vec<String>,
    /// A law of bending: rigidity, shells, quadratic, ...; may be given more than once
    #[arg(long = "law", value_name = "L")]
    pub laws: Vec<String>,
    /// A case: cantilever, pendulum, ...; may be given more than once
    #[arg(long = "case", value_name = "C")]
    pub cases: Vec<String>,
    /// Write one JSON document, whose keys the end of this help names
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub machine: Machine,
}
