//! What a simulation shows: pictures, a page that plays it, frames for other programs.

#![allow(clippy::unwrap_used)]

use crate::common::Desk;

const SCENE: &str = "step = 1e-2\nduration = 0.2\nintegrator = 'backward-euler'\n[mesh]\nnx = 4\nny = 3\nspacing = 0.1\n\
                     [[solid]]\nsphere = { centre = [0.15, 0.1, -0.2], radius = 0.1 }\n\
                     [[solid]]\ncapsule = { from = [0.0, 0.0, -0.5], to = [0.3, 0.0, -0.5], radius = 0.05 }\n";

fn simulated(options: &[&str]) -> Desk {
    let desk = Desk::new();
    desk.write("ball.toml", SCENE);
    let said = desk.clothlab(&[&["simulate", "ball.toml", "--out", "out"], options].concat());
    // a ball and a capsule that faces do not see
    assert!(said.code == Some(0) && said.err.lines().all(|line| line.contains(", meets particles alone, ")), "{}", said.err);
    desk
}

#[test]
fn every_simulation_has_pictures_and_a_page_unless_they_are_not_wanted() {
    let desk = simulated(&[]);
    assert_eq!(viewer::runs(&desk.read("out/view.html")).len(), 1);
    let moments = desk.read("out/pictures.svg");
    assert!(["0 s", "0.04 s", "0.08 s", "0.12 s", "0.16 s", "0.2 s"].iter().all(|title| moments.contains(&format!(">{title}<"))));
    assert!(desk.read("out/energies.svg").contains("kinetic"));
    let verified = desk.clothlab(&["verify", "out"]);
    assert_eq!(verified.code, Some(0), "{}", verified.err);

    let desk = simulated(&["--no-pictures"]);
    assert!(["view.html", "pictures.svg", "energies.svg"].iter().all(|file| !desk.path(&format!("out/{file}")).exists()));
}

#[test]
fn runs_are_put_side_by_side_and_nothing_of_somebodys_is_replaced() {
    let desk = simulated(&[]);
    let view = |arguments: &[&str]| desk.clothlab(&[&["view"], arguments].concat());
    for _ in 0..2 {
        let said = view(&["out", "out/view.html", "--out", "both.html"]); // the second time it replaces its own
        assert_eq!((said.code, said.out.as_str()), (Some(0), "2 runs in both.html\n"), "{}", said.err);
    }
    let page = desk.read("both.html");
    assert!(viewer::is_titled(&page, "out, out/view.html - clothlab"));
    assert!(view(&["out", "--out", "both.html"]).err.contains("both.html shows other runs; choose another file with --out, or"));
    assert_eq!(desk.read("both.html"), page);
    assert_eq!(view(&["out"]).out, format!("1 run in {}\n", desk.path("out/view-out.html").display()));
    assert_eq!(view(&["out", "out/view.html"]).code, Some(0));
    assert!(desk.path("out/view-out-out.html").exists(), "a page by what it shows");
    let runs = viewer::runs(&desk.read("both.html"));
    assert!(runs[0].contains("\"name\":\"out: 12 particles, backward-euler, 0.01 s\""), "{}", &runs[0][..200]);
    desk.write("mine.html", "<p>mine</p>");
    let marked = |run: &str| format!("<script type=\"application/json\" class=\"run\">{run}</script>\n");
    desk.write("damaged.html", page.replace("</body>", &(marked("{</script ><img src=x>") + "</body>")));
    desk.write("number.html", marked("7"));
    for (arguments, why) in [
        (["damaged.html", "--out", "a.html"], "damaged.html is damaged: it holds a run that cannot be read; write it anew"),
        (["number.html", "--out", "a.html"], "number.html is damaged: it holds a run that cannot be read; write it anew"),
        (["mine.html", "--out", "out/view.html"], "out/view.html is the page of a run itself; choose another file with --out"),
        (["out", "--out", "mine.html"], "mine.html is no page of runs; choose another file with --out"),
        (["mine.html", "--out", "a.html"], "mine.html holds no run; name a folder that `clothlab simulate` wrote"),
        (["out", "--case", "3"], "--only and --case choose a case of a study; name the study in place of folders"),
        (["nowhere", "--out", "a.html"], "nowhere holds no run; name a folder that `clothlab simulate` wrote"),
    ] {
        let said = view(&arguments);
        assert_eq!(said.code, Some(2), "{arguments:?}");
        assert!(said.err.contains(why), "{}", said.err);
    }
    assert_eq!(desk.read("mine.html"), "<p>mine</p>");
    assert!(!desk.path("a.html").exists());
}

#[test]
fn a_case_of_every_study_can_be_looked_at() {
    let desk = Desk::new();
    for study in crate::common::studies_of("smoke") {
        let said = desk.clothlab(&["view", study.name, "--profile", "smoke", "--out", "case.html", "--force"]);
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{}", study.name);
        let runs = viewer::runs(&desk.read("case.html"));
        assert!(!runs.is_empty() && runs[0].contains("\"name\":\"run 1\""), "{}", study.name);
        // the rows of the case are those of `run --case`
        let rows = desk.clothlab(&["run", study.name, "--profile", "smoke", "--case", "0", "--out", "none"]).out;
        let last = said.out.trim_end().rsplit_once('\n').expect("rows, and where the page is").1;
        assert_eq!(said.out, format!("{rows}{last}\n"), "{}", study.name);
    }
    let refused = |arguments: &[&str]| desk.refused(&[&["view"], arguments].concat());
    let study = crate::common::STUDY;
    assert!(refused(&[study, "--profile", "smoke", "--only", "springs"]).contains("follows no cloth from step to step"));
    assert!(refused(&[study, "case.html"]).contains("is a study, whose cases are looked at one by one"));
    assert!(refused(&[study, "--only", "none"]).contains("has no group `none`"));
}

#[test]
fn frames_are_written_in_each_format_at_their_own_rate() {
    let desk = simulated(&["--frames", "obj,pc2,usda,vtk"]);
    // 24 a second for 0.2 s, the first at the start
    for k in 0..5 {
        let vertices: Vec<String> = desk
            .read(&format!("out/frames/frame_0000{k}.obj"))
            .lines()
            .filter(|line| line.starts_with("v "))
            .map(str::to_owned)
            .collect();
        let vtk = desk.read(&format!("out/frames/frame_0000{k}.vtk"));
        assert!(vertices.len() == 12 && vertices.iter().all(|vertex| vtk.contains(&format!("\n{}\n", &vertex[2..]))), "{k}");
    }
    assert!(!desk.path("out/frames/frame_00005.obj").exists());
    let cache = std::fs::read(desk.path("out/cloth.pc2")).unwrap();
    assert_eq!((cache.len(), cache[16], cache[28]), (32 + 5 * 12 * 12, 12, 5));
    let stage = desk.read("out/cloth.usda");
    assert!(stage.contains("endTimeCode =          4\n") && stage.contains("timeCodesPerSecond = 24\n"));
    assert_eq!(desk.read("out/solids.obj").lines().filter(|line| line.starts_with("o ")).count(), 2);
    assert!(desk.read("out/rest.obj").contains("\nvt 1.0 "));
    let verified = desk.clothlab(&["verify", "out"]);
    assert_eq!(verified.code, Some(0), "{}", verified.err);
    // a frame that is gone with its checksum is missed by the description
    std::fs::remove_file(desk.path("out/frames/frame_00003.vtk")).unwrap();
    let sums: Vec<String> = desk.read("out/SHA256SUMS").lines().map(str::to_owned).collect();
    let left: Vec<&String> = sums.iter().filter(|line| !line.ends_with("frame_00003.vtk")).collect();
    assert_eq!(left.len() + 1, sums.len());
    desk.write("out/SHA256SUMS", left.iter().map(|line| format!("{line}\n")).collect::<String>());
    let said = desk.clothlab(&["verify", "out"]);
    assert!(said.code == Some(4) && said.err.contains("frame_00003.vtk"), "{}{}", said.out, said.err);
}

#[test]
fn a_run_that_comes_apart_is_shown_as_far_as_it_goes() {
    let desk = Desk::new();
    desk.write(
        "wild.toml",
        "step = 1e-1\nduration = 5\nintegrator = \"fb-euler\"\n[mesh]\nnx = 4\nny = 3\nspacing = 0.1\n[initial]\nvelocities = 'v.csv'\n",
    );
    desk.write("v.csv", format!("particle,x,y,z\n{}", (0..12).map(|k| format!("{k},{},0,0\n", k % 3)).collect::<String>()));
    let said = desk.clothlab(&["simulate", "wild.toml", "--out", "out"]);
    assert_eq!(said.code, Some(5), "{}", said.err);
    let runs = viewer::runs(&desk.read("out/view.html"));
    assert!(runs[0].contains("\"end\":\"comes apart at "), "{}", &runs[0][..200]);
    assert!(!runs[0].contains("null"), "all numbers are finite");
}

#[test]
fn cloth_that_falls_far_is_shown_to_the_end() {
    let desk = Desk::new();
    desk.write("fall.toml", "step = 1e-2\nduration = 5\nintegrator = 'backward-euler'\n[mesh]\nnx = 4\nny = 3\nspacing = 0.1\n"); // 120 m
    let said = desk.clothlab(&["simulate", "fall.toml", "--out", "out"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let runs = viewer::runs(&desk.read("out/view.html"));
    assert!(runs[0].contains("\"end\":\"\"") && runs[0].contains(",5.0]"), "{}", runs[0]);
}

#[test]
fn a_dry_run_counts_frames_and_pictures() {
    let desk = Desk::new();
    desk.write("ball.toml", SCENE.replace("nx = 4\nny = 3", "nx = 100\nny = 100"));
    let told = |options: &[&str]| desk.clothlab(&[&["simulate", "ball.toml", "--dry-run"], options].concat()).out;
    assert!(told(&[]).contains(" 0 frames") && told(&["--frames", "usda"]).contains(" 5 frames"), "{}", told(&[]));
    let memory = |said: String| -> f64 {
        let words = said.split("about ").nth(1).expect("memory").split(' ').next().expect("a number").to_owned();
        words.parse().expect("a number of GB")
    };
    assert!(memory(told(&[])) > memory(told(&["--no-pictures"])));
}
