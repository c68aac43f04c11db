//! `clothlab validate`: a quick selection of the study `validation`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use driver::commands::validate::Request;
use driver::output::{say, say_json};
use driver::profile::Profile;
use kit::Failure;
use kit::ranges::Ranged;
use kit::text_table::{TextTable, wrapped};
use lab::Progress;
use lab::terminal::columns;
use validation::boards::{AT_REST, Boards, Cases, MOVING, groups};
use validation::selection::Selection;
use validation::{Kind, Ranges};

use crate::PROGRAM;

/// The sections of `validation` at the sizes of the command.
const QUICK: [&str; 2] = ["experiments/profiles/validate.toml", include_str!("../../profiles/validate.toml")];

/// Sample sizes and ranges of the command.
fn ranges() -> Result<Ranges, Failure> {
    let [name, text] = QUICK;
    let table = Profile::parse(&PROGRAM, name, text)?.table;
    Ranges::read(&table["validation"]).map_err(|unfit| Failure::Internal(format!("{name}: `{}` {}", unfit.key, unfit.why)))
}

/// Holds methods and laws against exact solutions in a quick selection of the study `validation`, and shows the boards. Methods
/// that do not pass are results.
///
/// # Errors
/// A name that is not known, or names that have no case in common; a measurement that panics.
pub fn validate(request: Request) -> Result<(), Failure> {
    let Request { methods, laws, cases, json, machine } = request;
    machine.instruction_set();
    let mut groups = groups(&ranges()?);
    let selection = Selection { methods, laws, cases };
    let known: Vec<_> = groups.iter().map(|group| (group.name(), group.subjects())).collect();
    selection.check(&known).map_err(|unknown| Failure::Usage(unknown.to_string()))?;
    groups.iter_mut().for_each(|group| group.keep(&selection));
    groups.retain(|group| group.count() > 0);
    if groups.is_empty() {
        let named = [&selection.methods[..], &selection.laws].concat().join(", ");
        let cases = selection.cases.join(", ");
        return Err(Failure::Usage(format!("{cases} has nothing by {named}; leave --case out to see where there is something")));
    }
    measure(&groups, machine.jobs())?;
    let mut boards = Boards::default();
    groups.iter().for_each(|group| group.add_to(&mut boards));
    if json { say_json(&boards.as_json()) } else { show(&boards) }
}

/// Measures all cases on so many threads.
fn measure(groups: &[Box<dyn Cases>], jobs: usize) -> Result<(), Failure> {
    // chains and what vibrates take longest, and stand last
    let cases: Vec<_> = groups.iter().rev().flat_map(|group| (0..group.count()).map(move |case| (group, case))).collect();
    let progress = Progress::new("validate", "cases", cases.len() as u64);
    let (next, panicked) = (AtomicUsize::new(0), Mutex::new(None));
    let worker = || {
        while let Some((group, case)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            progress.begin(group.name());
            if catch_unwind(AssertUnwindSafe(|| group.measure(*case))).is_err() {
                next.store(cases.len(), Ordering::Relaxed);
                panicked.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(group.subjects()[*case].name(group.name()));
            }
            progress.end(group.name(), 0.0);
            progress.advance();
        }
    };
    thread::scope(|scope| (0..jobs).for_each(|_| _ = scope.spawn(worker)));
    progress.finish();
    match panicked.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(case) => Err(Failure::Internal(format!("the measurement of {case} panicked"))),
        None => Ok(()),
    }
}

/// The boards, and what does not pass.
fn show(boards: &Boards) -> Result<(), Failure> {
    let most = columns().unwrap_or(usize::MAX);
    let paragraph = |text: &str| say(wrapped(text, most).join("\n"));
    let table =
        |table: TextTable| if table.is_empty() { Ok(()) } else { say(table.without_empty_columns().aligned(most) + "\n") };
    let at_rest = boards.at_rest();
    if !at_rest.is_empty() {
        paragraph(&format!("At rest. {AT_REST}"))?;
        say("")?;
        table(at_rest)?;
    }
    let moving = [Kind::Integrator, Kind::ConstraintMethod, Kind::Mesh].map(|kind| boards.moving(kind));
    if moving.iter().any(|board| !board.is_empty()) {
        paragraph(&format!("In motion. {MOVING}"))?;
        say("")?;
        moving.into_iter().try_for_each(table)?;
    }
    table(boards.lacks())?;
    let [passed, all] = boards.passed();
    paragraph(&format!("{passed} of {all} pass, in a quick selection; `clothlab run validation` measures the whole study"))
}
