//! Runs that fail are rows with a status and a reason, and the study comes to its end with them.

use std::collections::BTreeMap;

use crate::common::{Desk, changed};

/// A row by its columns.
type Cells = BTreeMap<String, String>;

/// A study measured with a changed smoke profile.
fn measured(study: &str, changes: &[(&str, &str)]) -> Desk {
    let desk = Desk::new();
    desk.write("failing.toml", changed(changes));
    let said = desk.clothlab(&["run", study, "--profile", "failing.toml", "--out", "out"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    desk
}

/// Rows of a table.
fn rows(desk: &Desk, table: &str) -> Vec<Cells> {
    let text = desk.read(&format!("out/{table}.csv"));
    let lines = csv::Reader::from_reader(text.as_bytes()).into_deserialize();
    lines.collect::<Result<_, _>>().expect("a table")
}

/// Rows whose status is `status`: there are some, and each has a reason, and nothing in the cells of what it has not measured.
fn told(desk: &Desk, table: &str, status: &str, unmeasured: &[&str]) -> Vec<Cells> {
    let (failed, others): (Vec<Cells>, Vec<Cells>) = rows(desk, table).into_iter().partition(|row| row["status"] == status);
    assert!(!failed.is_empty(), "{table} has no row that is {status}");
    for row in &failed {
        assert!(!row["reason"].is_empty() && unmeasured.iter().all(|column| row[*column].is_empty()), "{table}: {row:?}");
    }
    let finished = others.iter().filter(|row| row["reason"].is_empty());
    for row in finished {
        assert!(unmeasured.iter().all(|column| !row[*column].is_empty()), "{table}: {row:?}");
    }
    failed
}

#[test]
fn flags_and_chains_that_blow_up_are_told() {
    let desk = measured(
        "generalized-alpha",
        &[
            ("amplitude = 0.01\nperiod", "amplitude = 1e20\nperiod"),
            ("mass = 0.1\nstiffness = 100.0\ndamping = 0.05", "mass = 0.1\nstiffness = 1e20\ndamping = 0.05"),
        ],
    );
    // a flag from either start and at rest, by each scheme at each step, and by the reference
    assert_eq!(told(&desk, "courses", "unstable", &["energy", "swing"]).len(), 10);
    assert_eq!(told(&desk, "frames", "unstable", &["particle", "x", "y", "z"]).len(), 5);
    told(&desk, "systems", "unstable", &["condition"]);
    told(&desk, "cost", "unstable", &[]);
    told(&desk, "orders", "unstable", &["position", "velocity"]);
}

#[test]
fn a_time_before_the_first_step_has_no_system_and_a_lost_reference_no_errors() {
    let desk = measured(
        "generalized-alpha",
        &[
            ("times = [0.3, 0.9]\nlanczos", "times = [0.001, 0.9]\nlanczos"),
            ("limits = [0.0, 0.25, 0.5, 0.75, 1.0]\nsteps = [16, 32, 64]\nfiner = 16", "limits = [0.0]\nsteps = [64]\nfiner = 1"),
            ("finer = 1\nduration = 0.5", "finer = 1\nduration = 5000.0"),
        ],
    );
    assert_eq!(told(&desk, "systems", "refused", &["condition", "condition_blocks"]).len(), 4);
    let orders = rows(&desk, "orders");
    let without_reference = orders.iter().filter(|row| row["status"] == "finished" && row["reason"].contains("reference"));
    assert!(without_reference.clone().count() > 0 && without_reference.clone().all(|row| row["position"].is_empty()));
}

#[test]
fn constraints_that_are_not_met_or_mean_nothing_are_told() {
    let desk = measured(
        "fast-projection",
        &[
            ("strains = [0.01]\nrates = [60, 240]", "strains = [0.01, 1e-12]\nrates = [60, 240]"),
            ("strains = [0.1, 0.01, 0.001]\nsides = [7]", "strains = [0.1, 0.01, 1e-12]\nsides = [7]"),
            ("[fast-projection.chain]\nstrains = [0.1,", "[fast-projection.chain]\nstrains = [1e-12, 0.1,"),
            ("strains = [0.1, 0.01]\nelastic", "strains = [0.1, 1e-12]\nelastic"),
            ("strains = [0.1, 0.01, 1e-4]\nrate", "strains = [0.1, 0.01, 1e-12]\nrate"),
            ("rest_strains = [0.1, 0.01, 0.001]", "rest_strains = [0.1, 0.01, 1e-12]"),
            ("strain = 0.01\nrate = 120\ntimes", "strain = 1e-12\nrate = 120\ntimes"),
            ("strain = 1e-10\nsolves = 100", "strain = 1e-10\nsolves = 1"),
            ("strain = 1e-9\nsolves = 50", "strain = 1e-9\nsolves = 1"),
            ("strain = 0.001\nsolves = 30", "strain = 1e-12\nsolves = 30"),
        ],
    );
    let of_cases = ["gain", "largest", "percentile99", "mean", "largest_collided", "median_collided", "lowest"];
    let of_frames = ["largest", "typical_largest", "typical99", "typical_median", "worst_largest", "worst99"];
    // fourteen methods at three rates; two rates
    for (table, refusals, measured) in [("cases", 42, &of_cases[..]), ("collided", 2, &of_frames)] {
        let (refused, ran): (Vec<Cells>, Vec<Cells>) = rows(&desk, table).into_iter().partition(|row| row["status"] == "refused");
        assert_eq!(refused.len(), refusals, "{table}");
        assert!(refused.iter().all(|row| measured.iter().all(|column| row[*column].is_empty())), "{table}: {refused:?}");
        assert!(ran.iter().all(|row| measured.iter().all(|column| !row[*column].is_empty())), "{table}: {ran:?}");
    }
    told(&desk, "chain", "refused", &["largest"]);
    assert_eq!(told(&desk, "looks", "not reached", &["particle", "x", "other_x"]).len(), 1);
    told(&desk, "relaxed", "refused", &["lowest", "largest"]);
    assert_eq!(told(&desk, "patches", "not at rest", &[]).len(), 16); // of one patch, where it is left
    for table in ["drift", "drift-accelerations"] {
        assert_eq!(told(&desk, table, "refused", &["strain", "gain"]).len(), 4, "{table}");
    }
    assert_eq!(told(&desk, "systems", "iteration limit", &["projection_unknowns", "implicit_status", "strain"]).len(), 2);
    assert_eq!(told(&desk, "residual", "iteration limit", &["first", "last"]).len(), 9);
    assert_eq!(told(&desk, "garment", "refused", &["waist", "largest", "mean_collided"]).len(), 3);
    let said = desk.clothlab(&["run", "fast-projection", "--profile", "failing.toml", "--only", "garment-times", "--out", "out"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    told(&desk, "garment-times", "refused", &["waist"]);
    assert_eq!(told(&desk, "worn", "refused", &["particle", "x"]).len(), 2);
}

#[test]
fn references_that_are_not_finished_are_told() {
    let soft = "side = 4, coarse_steps = 2, steps = [5, 9, 12]";
    let desk = measured("work-precision", &[(soft, "side = 4, coarse_steps = 40, steps = [1, 4, 5]")]);
    let failed = told(&desk, "references", "no reference", &["distance", "velocity_distance"]);
    assert_eq!(failed.len(), 8); // at each of four times by each of two checks
    assert!(failed.iter().all(|row| row["scene"] == "soft sheet" && row["stretch"].is_empty()));
    let runs = rows(&desk, "cases");
    let lost = runs.iter().filter(|row| row["scene"] == "soft sheet" && row["status"] == "finished");
    assert!(lost.clone().count() > 0 && lost.clone().all(|row| row["error"].is_empty() && row["reason"].contains("reference")));
}
