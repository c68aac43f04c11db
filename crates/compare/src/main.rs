//! Results of two commits side by side.

fn main() -> std::process::ExitCode {
    compare::cli::main()
}
