//! Shards of a study, measured apart, killed, retried, on other kernels and threads, and put together to the bytes of one run.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{Desk, Working};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The study, which has groups of lists and of samples.
const STUDY: &str = crate::common::STUDY;

/// Measures a share, after which its folder is complete.
fn shard(desk: &Desk, share: &str, out: &str, options: &[&str]) {
    let command = ["run", STUDY, "--profile", "tiny.toml", "--shard", share, "--out", out];
    let said = desk.clothlab(&[&command[..], options].concat());
    assert_eq!(said.code, Some(0), "{}", said.err);
}

/// A desk with the whole study in `whole`.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.run("tiny.toml", "whole", &[]);
    desk
}

#[test]
fn schedules_of_kills_and_kernels_give_the_checksums_of_one_run() {
    let desk = desk();
    let whole = desk.read("whole/SHA256SUMS");
    let mut kills = 0;
    // more of them where somebody asks for it
    let schedules = std::env::var("SCHEDULES").ok().and_then(|number| number.parse().ok()).unwrap_or(5);
    for seed in 0..schedules {
        let mut draw = ChaCha8Rng::seed_from_u64(seed);
        let of = draw.random_range(2..6);
        let mut left: Vec<u64> = (1..=of).collect();
        left.shuffle(&mut draw);
        while let Some(number) = left.pop() {
            let (share, out) = (format!("{number}/{of}"), format!("{seed}/{number}"));
            let simd = ["plain", "portable", "avx2"][draw.random_range(0..3)];
            let jobs = draw.random_range(1..4).to_string();
            let command =
                ["run", STUDY, "--profile", "tiny.toml", "--shard", &share, "--out", &out, "--simd", simd, "--jobs", &jobs];
            let mut working = Working::start(desk.program(&command));
            let (begun, after) = (Instant::now(), Duration::from_millis(draw.random_range(0..120)));
            let killed = draw.random_range(0..2) == 0
                && working.wait_until_or_end(|| {
                    thread::sleep(Duration::from_micros(200));
                    begun.elapsed() >= after
                });
            if killed {
                working.kill_if_there();
                kills += 1;
                left.insert(0, number);
            } else {
                working.wait_until_or_end(|| {
                    thread::sleep(Duration::from_millis(1));
                    false
                });
            }
        }
        let (folder, merged) = (seed.to_string(), format!("merged-{seed}"));
        let said = desk.clothlab(&["merge", &folder, "--out", &merged]);
        assert_eq!(said.code, Some(0), "seed {seed}: {}", said.err);
        assert_eq!(desk.read(&format!("{merged}/SHA256SUMS")), whole, "seed {seed}");
        let verified = desk.clothlab(&["verify", &merged]);
        assert_eq!(verified.code, Some(0), "seed {seed}: {}", verified.err);
    }
    eprintln!("{schedules} schedules, {kills} kills");
    assert!(kills > 0, "nothing was killed");
}

#[test]
fn what_is_there_of_shards_is_put_together_and_a_run_goes_on_from_it() {
    let desk = desk();
    shard(&desk, "1/3", "a", &[]);
    shard(&desk, "3/3", "c", &[]);
    let said = desk.clothlab(&["merge", "a", "c", "--out", "all"]);
    assert_eq!(said.code, Some(2), "{}", said.out);
    assert!(said.out.contains("missing: shard 2 of 3: not among the folders"), "{}", said.out);
    assert!(!desk.path("all").exists(), "a merge that is refused writes nothing");
    let said = desk.clothlab(&["merge", "a", "c", "--out", "all", "--partial"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(!desk.path("all/SHA256SUMS").exists(), "verdicts of a part of the sample are none");
    assert!(
        said.out.contains("`clothlab run fb-euler-stability --profile tiny.toml --out all` measures what is missing"),
        "{}",
        said.out
    );
    desk.run("tiny.toml", "all", &[]);
    assert_eq!(desk.read("all/SHA256SUMS"), desk.read("whole/SHA256SUMS"));
}

#[test]
fn folders_that_do_not_go_together_are_refused() {
    let desk = Desk::new();
    shard(&desk, "1/2", "a", &[]);
    shard(&desk, "2/2", "b", &[]);
    shard(&desk, "2/2", "other-seed", &["--seed", "2"]);
    shard(&desk, "2/2", "other-sets", &["--sets", "4"]);
    fs::create_dir(desk.path("empty")).expect("a folder");
    for (folders, told) in [
        (&["a", "empty"][..], "empty holds no shard; `clothlab run STUDY --shard I/N --out empty` measures one"),
        (&["a", "gone"], "gone holds no shard"),
        (&["a", "other-seed"], "other-seed is of the seed 2, this run has 1, other than a"),
        (&["a", "other-sets"], "other-sets is of other groups or numbers of sets, other than a"),
        (&["a", "b", "a"], "a and a overlap: both are shard 1/2"),
    ] {
        let refused = desk.refused(&[&["merge"], folders, &["--out", "all"]].concat());
        assert!(refused.contains(told), "{refused}");
    }
    let refused = desk.refused(&["merge", "a", "b", "--out", "a"]);
    assert!(refused.ends_with("is the folder of a shard; choose another --out"), "{refused}");
    assert!(!desk.path("all").exists());
    assert_eq!(desk.clothlab(&["merge", "a", "b", "--out", "all"]).code, Some(0));
    let refused = desk.refused(&["merge", "a", "b", "--out", "all"]);
    assert!(refused.ends_with("holds a run; choose another --out, or replace it with --fresh"), "{refused}");
    assert_eq!(desk.clothlab(&["merge", "a", "b", "--out", "all", "--fresh"]).code, Some(0));
}

#[test]
fn a_folder_holds_one_shard_and_nothing_else() {
    let desk = desk();
    shard(&desk, "1/2", "a", &[]);
    let command =
        |share: &'static str, out: &'static str| ["run", STUDY, "--profile", "tiny.toml", "--shard", share, "--out", out];
    for (share, out, told) in [
        ("2/2", "a", "a holds shard 1/2 of fb-euler-stability, not 2/2; choose another --out"),
        ("1/2", "whole", "whole holds finished results; choose another --out"),
        ("3/2", "b", "a shard is I/N with 1 <= I <= N"),
        ("0/2", "b", "a shard is I/N with 1 <= I <= N"),
    ] {
        let refused = desk.refused(&command(share, out));
        assert!(refused.contains(told), "{refused}");
    }
    let refused = desk.refused(&[&command("1/2", "a")[..], &["--seed", "2"]].concat());
    assert!(refused.ends_with("a holds a shard of the seed 1, this run has 2; choose another --out"), "{refused}");
    let refused = desk.refused(&["run", STUDY, "--profile", "tiny.toml", "--out", "a"]);
    assert!(refused.ends_with("a holds shard 1/2 of fb-euler-stability; choose another --out"), "{refused}");
    let plan = desk.read("a/shard.json");
    let sets = plan.lines().find(|line| line.contains("\"sets\"")).expect("a number of sets");
    for damaged in
        [plan.replacen("\"format\": 1", "\"format\": 9", 1), plan.replacen(sets, &format!("\"sets\": {}", u64::MAX), 1)]
    {
        desk.write("a/shard.json", damaged);
        for command in [&command("1/2", "a")[..], &["status", "a"][..]] {
            let refused = desk.refused(command);
            assert!(refused.contains("shard.json is no plan of a shard of this version"), "{refused}");
        }
    }
    shard(&desk, "1/2", "a", &["--fresh"]);
}

#[test]
fn status_tells_how_far_shards_are() {
    let desk = Desk::new();
    let said = desk.clothlab(&["status"]);
    assert!(said.code == Some(0) && said.out.contains("neither shards nor sweeps"), "{}{}", said.out, said.err);
    shard(&desk, "1/2", "out/a", &[]);
    let said = desk.clothlab(&["status"]);
    assert!(said.out.contains("fb-euler-stability, shard 1/2: finished, "), "{}{}", said.out, said.err);
    desk.edit("out/a/shard.json", "\"number\": 1", "\"number\": 2");
    let said = desk.clothlab(&["status", "out/a"]);
    assert!(said.out.contains("shard 2/2: not running here, 0 of "), "{}{}", said.out, said.err);
    let refused = desk.refused(&["status", "tiny.toml"]);
    assert!(refused.contains("cannot read tiny.toml"), "{refused}");
    fs::create_dir(desk.path("empty")).expect("a folder");
    let refused = desk.refused(&["status", "empty"]);
    assert!(refused.contains("empty holds neither shards nor a sweep"), "{refused}");
}

#[test]
fn a_sweep_is_written_with_scripts_that_measure_and_merge_it() {
    let desk = Desk::new();
    let sample = ["--seed", "3", "--sets", "4"];
    desk.run("tiny.toml", "whole", &sample);
    for engine in ["slurm", "hyperqueue", "parallel"] {
        let command = ["submit", STUDY, "--engine", engine, "--shards", "3", "--profile", "tiny.toml", "--out", engine];
        let command = [&command[..], &sample].concat();
        let said = desk.clothlab(&command);
        assert_eq!(said.code, Some(0), "{}", said.err);
        let refused = desk.refused(&command);
        assert!(refused.contains("holds a sweep; `"), "{refused}");
        for script in ["shard", "merge", "submit"] {
            let text = desk.read(&format!("{engine}/{script}"));
            assert!(!text.contains('@') || text.contains("@parallel"), "something was not filled in: {text}");
        }
        let said = desk.clothlab(&["status", engine]);
        assert!(said.out.starts_with("fb-euler-stability: 0 of 3 shards finished"), "{}", said.out);
    }
    // what an engine does, one after the other
    let call = |script: &str, argument: &str| {
        let mut command = std::process::Command::new(desk.path(script));
        let output = command.arg(argument).output().expect("a script that starts");
        assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
    };
    ["1", "2", "3"].into_iter().for_each(|number| call("slurm/shard", number));
    call("slurm/merge", "");
    assert_eq!(desk.read("slurm/merged/SHA256SUMS"), desk.read("whole/SHA256SUMS"));
    let said = desk.clothlab(&["status", "slurm"]);
    assert!(said.out.contains("3 of 3 shards finished, 0 running") && said.out.contains("; merged; "), "{}", said.out);
    let refused = desk.refused(&["submit", STUDY, "--engine", "hyperqueue", "--pass", "--x", "--out", "x"]);
    assert!(refused.contains("--pass goes with slurm and parallel"), "{refused}");
    let mut without = desk.program(&["submit", STUDY, "--engine", "slurm", "--go", "--out", "x"]);
    let said = crate::common::Said::from(without.env("PATH", "").output().expect("the program starts"));
    assert!(said.refusal(2).contains("sbatch is not on the PATH; leave --go out"), "{}", said.err);
}
