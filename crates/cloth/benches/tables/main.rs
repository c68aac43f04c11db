//! How fast it is on this machine, as Markdown tables; `BENCHMARKS.md` explains them and holds those of one machine.
//!
//! `cargo tables` prints all of them, `cargo tables roofline job` those that are named. One thread, in double precision. Without
//! the `--bench` that `cargo bench` passes it ends at once, so that `cargo test --all-targets` only builds it.

#![allow(clippy::print_stdout)] // tables are what it is for

mod canonical_job;
mod clock;
mod fast_mass_spring;
mod global_step;
mod gradients;
mod hanging;
mod instructions;
mod kernels;
mod machine;
mod projective;
mod roofline;
mod sheets;
mod step_cost;
mod systems;
mod triangles;

use std::process::ExitCode;

/// Every table by its name, in the order in which they are printed.
const TABLES: [(&str, fn()); 9] = [
    ("roofline", roofline::print),
    ("job", canonical_job::print),
    ("projective", projective::print),
    ("global", global_step::print),
    ("cost", step_cost::print),
    ("hanging", hanging::print),
    ("triangles", triangles::print),
    ("control", gradients::print),
    ("kernels", kernels::print),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, rest @ ..] = arguments.as_slice()
        && flag == instructions::RUN
    {
        return kernels::run(rest);
    }
    if !arguments.iter().any(|argument| argument == "--bench") {
        return ExitCode::SUCCESS;
    }
    let names: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with("--")).collect();
    if let Some(unknown) = names.iter().find(|name| !TABLES.iter().any(|(table, _)| table == *name)) {
        eprintln!("there is no table `{unknown}`; there are {}", TABLES.map(|(table, _)| table).join(", "));
        return ExitCode::from(2);
    }
    println!("{}", machine::line());
    for (table, print) in TABLES {
        if names.is_empty() || names.iter().any(|name| *name == table) {
            println!();
            print();
        }
    }
    ExitCode::SUCCESS
}
