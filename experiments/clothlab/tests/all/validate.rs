//! `clothlab validate`: what is named is measured, by the criterion of the study, and nothing else.

use crate::common::Desk;
use lab::prelude::short;

/// What the command shows.
fn boards(desk: &Desk, arguments: &[&str]) -> String {
    let said = desk.clothlab(&[&["validate"], arguments].concat());
    assert_eq!(said.code, Some(0), "{}", said.err);
    said.out
}

/// Cells of the lines of a board, by its first head.
fn cells<'a>(boards: &'a str, head: &str) -> Vec<Vec<&'a str>> {
    let lines = boards.lines().skip_while(|line| !line.starts_with(head)).take_while(|line| !line.is_empty());
    lines.map(|line| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect()).collect()
}

/// A row of a table as its cells, by the names of these columns.
fn columns<'a>(table: &'a str, names: &[&str]) -> Vec<Vec<&'a str>> {
    let mut rows = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = rows.next().expect("a head");
    let places: Vec<usize> = names.iter().map(|name| head.iter().position(|of| of == name).expect("a column")).collect();
    rows.map(|row| places.iter().map(|place| row[*place]).collect()).collect()
}

#[test]
fn unknown_names_are_refused_in_one_line_with_those_that_there_are() {
    let desk = Desk::new();
    for (arguments, expected) in [
        (&["--method", "rk5"][..], "there is no method `rk5`; there is forward-euler, fb-euler, rk4, "),
        (&["--law", "shell"], "there is no law `shell`; did you mean `shells`?"),
        (&["--case", "drape"], "there is no case `drape`; there is cantilever, bending-length, "),
        (&["--method", "shells"], "there is no method `shells`; "),
        (&["--method", "rk4", "--case", "roll-up"], "roll-up has nothing by rk4; leave --case out"),
        (&["--method"], "'--method <M>'"),
    ] {
        let message = desk.refused(&[&["validate"], arguments].concat());
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
    for name in ["impulse-strips", "projective-dynamics"] {
        assert!(desk.refused(&["validate", "--method", ""]).contains(name));
    }
}

#[test]
fn a_method_has_its_own_rows_alone_and_those_that_fail_say_why() {
    let desk = Desk::new();
    let boards = boards(&desk, &["--method", "RK4", "--method", "forward-euler", "--case", "beam", "--case", "car-axis"]);
    let integrators = cells(&boards, "integrator ");
    assert_eq!(integrators[0], ["integrator", "car axis", "beam"], "{boards}");
    assert_eq!(integrators[1..].iter().map(|line| line[0]).collect::<Vec<_>>(), ["forward Euler", "RK4"], "{boards}");
    assert_eq!(cells(&boards, "does not pass")[1..], [["beam", "forward Euler", "not finite"]], "{boards}");
    assert!(
        boards.contains("\n3 of 4 pass, in a quick selection; `clothlab run validation` measures the whole study\n"),
        "{boards}"
    );
    assert!(!boards.contains("constraint method  ") && !boards.contains("At rest") && !desk.path("out").exists(), "{boards}");
}

/// The entries of a scheme and of a law, by the rows of the study at the same sizes.
#[test]
fn entries_are_those_of_the_study() {
    let desk = Desk::new();
    desk.write("validate.toml", include_str!("../../../profiles/validate.toml"));
    for group in ["car-axis", "standing-strip"] {
        let arguments = ["run", "validation", "--profile", "validate.toml", "--only", group, "--out", group];
        assert_eq!(desk.clothlab(&arguments).code, Some(0));
    }
    let rows = desk.read("car-axis/car-axis.csv");
    let rk4: Vec<Vec<&str>> = columns(&rows, &["method", "error", "order"]).into_iter().filter(|row| row[0] == "RK4").collect();
    let [error, order] = [1, 2].map(|k| rk4.last().expect("a rung")[k].parse::<f64>().expect("a number"));
    let shown = boards(&desk, &["--method", "rk4", "--case", "car axis"]);
    assert_eq!(cells(&shown, "integrator ")[1], ["RK4", &format!("✓ order {order:.1}, {}", short(error))], "{shown}");

    let rows = desk.read("standing-strip/standing-strip.csv");
    let off = |cut: &str, elements: &str| -> f64 {
        let rows = columns(&rows, &["law", "cut", "elements", "off"]);
        let row = rows.iter().find(|row| row[..3] == ["discrete shells", cut, elements]);
        row.expect("a row")[3].parse().expect("a number")
    };
    let shown = boards(&desk, &["--law", "shells", "--case", "standing-strip"]);
    let lines = cells(&shown, "case ");
    assert_eq!(lines.len(), 4, "{shown}");
    for (line, cut) in lines[1..].iter().zip(["diagonals to the left", "diagonals to the right", "diagonals that alternate"]) {
        let [coarse, fine] = ["40", "80"].map(|elements| off(cut, elements));
        let (finest, order) = (format!("{} %", short(100.0 * fine)), format!("{:.1}", libm::log2(coarse / fine)));
        let method = format!("discrete shells, {cut}");
        assert_eq!(*line, ["standing-strip", &method, "yes", &finest, "0.500 %", &order], "{shown}");
    }
}
