//! The ends of `clothlab simulate`: its words of runs that fail, as text and as JSON, and frames between its steps.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use crate::common::{Desk, is_full};
use serde_json::Value;

const STIFF: &str = "step = 0.01\nduration = 3\nintegrator = \"fb-euler\"\npins = [\"top-left\", \"top-right\"]\n\
                     [mesh]\nnx = 8\nny = 8\nspacing = 0.05\n";

#[test]
fn an_explicit_step_beyond_its_limit_is_told_before_and_its_remedy_after_the_run() {
    let desk = Desk::new();
    desk.write("stiff.toml", STIFF);
    let planned = desk.clothlab(&["simulate", "stiff.toml", "--dry-run"]);
    assert_eq!(planned.code, Some(0), "{}", planned.err);
    let limit = "\nwarning: step = 0.01 s is unstable for fb-euler here (limit about 0.0007";
    assert!(planned.out.contains(limit) && planned.out.contains("use integrator = \"backward-euler\""), "{}", planned.out);

    let said = desk.clothlab(&["simulate", "stiff.toml", "--out", "out"]);
    assert_eq!(said.code, Some(5), "{}", said.err);
    assert!(said.err.contains(limit.trim_start()), "{}", said.err);
    let remedy = "use integrator = \"backward-euler\": tried, and it held for ";
    assert!(said.err.contains("error: the run blew up in step ") && said.err.contains(remedy), "{}", said.err);
    assert!(said.out.contains(&format!("warning: the run blew up; {remedy}")), "{}", said.out);
    assert!(!said.out.contains("inf") && !said.out.contains("NaN"), "{}", said.out);
    assert!(said.out.lines().last().unwrap().starts_with("failed: "), "{}", said.out);

    // the remedy is one
    desk.write("mended.toml", STIFF.replace("fb-euler", "backward-euler").replace("duration = 3", "duration = 0.5"));
    let said = desk.clothlab(&["simulate", "mended.toml", "--out", "mended"]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{}", said.out);
    let last = said.out.lines().last().unwrap();
    assert!(
        last.starts_with("done: 50 steps (0.5 s of cloth) in ") && last.ends_with("Open mended/view.html to watch."),
        "{last}"
    );
}

#[test]
fn the_summary_is_one_object_of_json_where_that_is_asked_for() {
    let desk = Desk::new();
    desk.write("stiff.toml", STIFF);
    let said = desk.clothlab(&["simulate", "stiff.toml", "--out", "out", "--json", "--keep-going"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let all: Value = serde_json::from_str(&said.out).expect("JSON and nothing else");
    assert_eq!((all["outcome"].as_str(), all["step"].as_f64(), all["asked"].as_f64()), (Some("blew up"), Some(0.01), Some(3.0)));
    assert!(all["energies"]["end"]["total"].is_f64() && all["remedy"].is_string(), "{all}");
    for file in all["files"].as_array().unwrap() {
        assert!(desk.path("out").join(file.as_str().unwrap()).exists(), "{file}");
    }

    desk.write("sound.toml", STIFF.replace("fb-euler", "backward-euler").replace("duration = 3", "duration = 0.05"));
    let said = desk.clothlab(&["simulate", "sound.toml", "--out", "sound", "--json"]);
    let all: Value = serde_json::from_str(&said.out).expect("JSON and nothing else");
    assert_eq!((said.code, all["outcome"].as_str(), all["steps"].as_u64()), (Some(0), Some("done"), Some(5)));
    assert!(all["remedy"].is_null() && all["solves"].as_u64() == Some(5), "{all}");
    let table = desk.read("sound/energies.csv");
    let stretch = table.lines().last().and_then(|row| row.split(',').nth(8)).and_then(|cell| cell.parse::<f64>().ok()).unwrap();
    assert_eq!(all["largest_strain"]["end"].as_f64(), Some(stretch - 1.0));
    let page = viewer::runs(&desk.read("sound/view.html"));
    let film: Value = serde_json::from_str(&page[0]).unwrap();
    let shown = film["largest"].as_array().unwrap().last().and_then(Value::as_f64).unwrap();
    assert_eq!(shown as f32, (stretch - 1.0) as f32, "the page shows the strain of the table");

    for (flags, why) in [(["--json", "--dry-run"], "--dry-run"), (["--open", "--no-pictures"], "--no-pictures")] {
        let said = desk.clothlab(&[&["simulate", "sound.toml", "--out", "never"], &flags[..]].concat());
        assert!(said.refusal(2).contains(why), "{}", said.err);
    }
}

/// Places of the first particle in a frame of OBJ.
fn first(desk: &Desk, frame: usize) -> f64 {
    let text = desk.read(&format!("out/frames/frame_{frame:05}.obj"));
    let line = text.lines().find(|line| line.starts_with("v ")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn cloth_at_two_metres_a_second_moves_a_twelfth_of_a_metre_from_frame_to_frame() {
    let desk = Desk::new();
    let table = |row: fn(usize) -> String| {
        let rows: String = (0..9).map(|k| format!("{k},{}\n", row(k))).collect();
        format!("particle,x,y,z\n{rows}")
    };
    desk.write("x.csv", table(|k| format!("{},{},0", 0.1 * (k % 3) as f64, 0.1 * (k / 3) as f64)));
    desk.write("v.csv", table(|_| "2,0,0".into()));
    desk.write(
        "thrown.toml",
        "step = 0.01\nduration = 1.0\nintegrator = \"rk4\"\n[mesh]\nnx = 3\nny = 3\nspacing = 0.1\n\
         [initial]\npositions = \"x.csv\"\nvelocities = \"v.csv\"\n\
         [material]\nstretch = { stiffness = 10.0 }\nshear = { stiffness = 5.0 }\ngravity = [0.0, 0.0, 0.0]\n\
         [output]\nframes_per_second = 24.0\n",
    );
    let said = desk.clothlab(&["simulate", "thrown.toml", "--out", "out", "--frames", "obj,pc2,usda,vtk"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.out.contains("25 frames") && !desk.path("out/frames/frame_00025.obj").exists(), "{}", said.out);
    for frame in 0..25 {
        assert!((first(&desk, frame) - 2.0 * frame as f64 / 24.0).abs() < 1e-12, "{frame}");
    }
    // frames 0, 6, 12, ... fall on steps, and the last of them on the final state
    let end = desk.read("out/positions.csv");
    let end: f64 = end.lines().nth(1).and_then(|row| row.split(',').nth(1)).unwrap().parse().unwrap();
    assert_eq!(first(&desk, 24), end);
}

/// Scenes that take a second, with what can do work on cloth or leave it alone: pins, wind, a tear, free flight.
const QUICK: [&str; 5] = ["driven-flag", "flag-in-wind", "torn-banner", "thrown-sheet", "hanging-sheet"];

#[test]
fn every_shipped_scene_is_watched_to_its_end_and_right() {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let names = fs::read_dir(&scenes).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let all: Vec<String> = names.filter_map(|name| Some(name.strip_suffix(".toml")?.to_owned())).collect();
    assert!(QUICK.iter().all(|name| all.iter().any(|known| known == name)), "{all:?}");
    let desk = Desk::new();
    for name in all.iter().filter(|name| is_full() || QUICK.contains(&name.as_str())) {
        let path = scenes.join(format!("{name}.toml"));
        let said = desk.clothlab(&["simulate", path.to_str().unwrap(), "--json", "--no-pictures", "--out", name]);
        let summary: Value = serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{name}: {error}: {}", said.err));
        assert_eq!((&summary["outcome"], &summary["unwatched"]), (&"done".into(), &Value::Null), "{name}: {summary}");
        assert_eq!(summary["simulated"].as_f64().unwrap(), summary["asked"].as_f64().unwrap(), "{name}");
    }
}
