//! The commit of a run is told where the program is built from its sources alone.

use std::path::Path;
use std::process::Command;

use cloth::lanes::InstructionSet;
use clothlab::PROGRAM;
use driver::sources;
use driver::workspace::Beginning;
use lab::provenance::checkout;

fn commit(root: &Path) -> Option<String> {
    Beginning::now(&PROGRAM, root, InstructionSet::Portable).sources.commit
}

#[test]
fn only_a_checkout_of_these_sources_gives_its_commit() {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    assert_eq!(sources::hash_of_program(&ours), PROGRAM.build.sources);
    assert_eq!(commit(&ours), checkout(&ours).0);
    let other = tempfile::tempdir().expect("a folder");
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
        let output = Command::new("git").arg("-C").arg(other.path()).args(identity).args(arguments).output();
        assert!(output.expect("git").status.success(), "{arguments:?}");
    };
    std::fs::write(other.path().join("Cargo.lock"), "").expect("a file");
    git(&["init", "--quiet"]);
    git(&["add", "Cargo.lock"]);
    git(&["commit", "--quiet", "--message", "another program"]);
    assert!(checkout(other.path()).0.is_some());
    assert_eq!(commit(other.path()), None);
}
