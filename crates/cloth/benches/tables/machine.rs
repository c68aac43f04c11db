//! What times depend on.

use std::fs;
use std::process::Command;

use cloth::lanes::InstructionSet;

/// Processor, cores, instruction set, compiler, load.
pub fn line() -> String {
    let processors = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = processors.lines().find(|line| line.starts_with("model name")).and_then(|line| line.split_once(':'));
    let model = model.map_or(std::env::consts::ARCH, |(_, name)| name.trim());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let compiler = Command::new(std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into())).arg("--version").output();
    let compiler = compiler.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split_whitespace().next().unwrap_or("unknown");
    format!("{model}, {cores} cores, {}, {compiler}, load {load} at the start", InstructionSet::best())
}
