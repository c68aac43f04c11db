//! A program against itself, sixty times: `cargo run --release --package clothlab-compare --example itself -- PROGRAM [STUDY] [ROUNDS]`.
//!
//! Nothing may be called slower, faster or different. It is no test, since it takes minutes on a machine that does nothing else.

use std::path::PathBuf;

use compare::{Build, Decision, Measurement, Mistake, Times, decide, take_turns};

const COMPARISONS: usize = 60;

fn main() -> Result<(), Mistake> {
    let usage = || Mistake::Usage("name a program: target/release/clothlab [STUDY] [ROUNDS]".into());
    let mut arguments = std::env::args().skip(1);
    let program = arguments.next().map(PathBuf::from).and_then(|program| program.canonicalize().ok()).ok_or_else(usage)?;
    let study = arguments.next().unwrap_or_else(|| "fb-euler-stability".into());
    let rounds = arguments.next().map_or(Ok(5), |rounds| rounds.parse().map_err(|_| usage()))?;
    let how = Measurement { sets: None, profile: "smoke".into(), jobs: 1, rounds: Some(rounds) };
    let folder = tempfile::tempdir().map_err(|error| Mistake::Internal(error.to_string()))?;
    let build = Build { revision: "itself", program: &program, checkout: folder.path() };
    let (mut alarms, mut withheld) = (0, 0);
    for number in 1..=COMPARISONS {
        let mut found = take_turns(&study, [&build, &build], &how, folder.path(), &|_| ())?;
        if let Times::Built(times) = &mut found.times {
            decide(&mut times.iter_mut().collect::<Vec<_>>());
        }
        let called = |time: &&compare::BuiltTime| matches!(time.decision, Decision::Slower | Decision::Faster);
        let rank = found.times.built().unwrap_or_default().iter().filter(called).count();
        found.heed_control();
        withheld += usize::from(found.control.as_ref().is_some_and(|control| control.moved));
        let told = found.times.built().unwrap_or_default().iter().filter(called).count() + usize::from(!found.is_same());
        alarms += told;
        eprintln!(
            "{number} of {COMPARISONS}: {told} alarms, {rank} without the control; {alarms} alarms and {withheld} withheld so far"
        );
    }
    if alarms == 0 { Ok(()) } else { Err(Mistake::Internal(format!("{alarms} alarms in {COMPARISONS} comparisons"))) }
}
