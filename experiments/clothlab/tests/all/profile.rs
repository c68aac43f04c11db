//! Profiles: what is read, and what is refused in one line.

use clothlab::PROGRAM;
use driver::profile::{Profile, REMEDY, SHIPPED};
use kit::units::{behind, unit};
use lab::judge::criterion::FEWEST;
use toml::{Table, Value};

fn refused(from: &str, to: &str) -> String {
    let text = SHIPPED[0].1.replacen(from, to, 1);
    assert_ne!(text, SHIPPED[0].1);
    let refused = Profile::parse(&PROGRAM, "my.toml", &text).err().expect("a mistake").to_string();
    assert!(!refused.contains('\n'), "{refused}");
    refused
}

#[test]
fn shipped_profiles_are_read() {
    for (name, _) in SHIPPED {
        assert!(Profile::load(&PROGRAM, name).is_ok(), "{name}");
    }
}

#[test]
fn samples_that_verdicts_take_an_interval_of_are_large_enough() {
    let paper: Table = SHIPPED[0].1.parse().unwrap();
    let order_statistics = 6; // the fewest values whose extremes are a 95 % interval of the median
    let samples = [
        ("fast-projection", "chain", "repeats", order_statistics),
        ("fast-projection", "drape", "repeats", order_statistics),
        ("impulse-strips", "times", "repeats", order_statistics),
        ("generalized-alpha", "map", "nudges", order_statistics),
        ("generalized-alpha", "swings", "sets", FEWEST as i64),
        ("generalized-alpha", "swings", "seeds", order_statistics),
        ("aimex", "runs", "laws", FEWEST as i64),
        ("aimex", "runs", "frictions", FEWEST as i64),
    ];
    for (study, group, key, fewest) in samples {
        let sample = paper[study][group][key].as_integer().unwrap();
        assert!(sample >= fewest, "[{study}.{group}] {key} = {sample}, {fewest} are needed");
    }
}

/// Every value that is no section, by its key and once for each that a list holds.
fn values(key: &str, value: &Value, found: &mut Vec<(String, Value)>) {
    let below = |name: &String| if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
    match value {
        Value::Table(table) => table.iter().for_each(|(name, value)| values(&below(name), value, found)),
        Value::Array(list) => list.iter().for_each(|value| values(key, value, found)),
        value => found.push((key.to_owned(), value.clone())),
    }
}

#[test]
fn every_number_has_a_unit_or_counts() {
    for (name, text) in SHIPPED {
        let mut found = vec![];
        values("", &Value::Table(text.parse().unwrap()), &mut found);
        assert!(found.len() > 500, "{name}: {}", found.len());
        for (key, value) in found {
            assert!(!value.is_float() || unit(&key).is_some(), "{name}: {key} = {value} has no unit");
            assert!(!value.is_str() || unit(&key).is_none(), "{name}: {key} = {value} has a unit");
            // what is a whole number and no count is one of these
            let whole = ["1/s", "s"].contains(&unit(&key).unwrap_or("1/s"));
            assert!(!value.is_integer() || whole, "{name}: {key} = {value} is a count");
        }
    }
}

#[test]
fn shipped_profiles_state_the_units_beside_their_numbers() {
    for (name, text) in SHIPPED {
        let mut section = "";
        let mut stated = 0;
        for line in text.lines() {
            if let Some(header) = line.strip_prefix('[') {
                section = header.trim_start_matches('[').trim_end_matches(']');
            }
            let Some((key, value)) = line.split_once(" = ").filter(|(_, value)| !value.contains(['{', '"'])) else {
                continue;
            };
            let unit = behind(&format!("{section}.{key}"));
            if value.ends_with(|c: char| c != '[') && !unit.is_empty() {
                assert!(value.ends_with(&format!(" #{unit}")), "{name}, [{section}]: `{line}` has no {unit}");
                stated += 1;
            }
        }
        assert!(stated > 200, "{name}: {stated}");
    }
}

#[test]
fn a_study_alone_is_a_profile() {
    let section = SHIPPED[0].1.split_once("[preconditioners.systems]").map(|(_, rest)| rest).unwrap();
    let end = section.find("\n[decomposition").or_else(|| section.find("\n# Goldenthal")).unwrap();
    let text = format!("[preconditioners.systems]{}", section[..end].replacen("duration = 1.0", "duration = 0.5", 1));
    let profile = Profile::parse(&PROGRAM, "my.toml", &text).unwrap_or_else(|failure| panic!("{failure}"));
    let paper = Profile::load(&PROGRAM, "paper").unwrap_or_else(|failure| panic!("{failure}"));
    let shown = |profile: &Profile| toml::to_string(&profile.table).unwrap();
    assert_ne!(shown(&profile), shown(&paper));
    assert_eq!(shown(&profile).replacen("duration = 0.5", "duration = 1.0", 1).len(), shown(&paper).len());
    assert!(Profile::parse(&PROGRAM, "my.toml", "").is_err(), "no study at all");
    let mistaken = Profile::parse(&PROGRAM, "my.toml", "\n[aimex.runs]\nsets = 0\n").err().unwrap().to_string();
    assert!(mistaken.contains("line 3"), "{mistaken}");
}

#[test]
fn a_profile_names_what_differs_and_the_rest_is_as_published() {
    let paper = Profile::load(&PROGRAM, "paper").unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(paper.told("aimex"), None, "nothing differs");
    let one = Profile::parse(&PROGRAM, "my.toml", "[aimex.runs]\nsets = 20\n").unwrap_or_else(|failure| panic!("{failure}"));
    let mut expected = paper.table.clone();
    expected["aimex"]["runs"]["sets"] = 20.into();
    assert_eq!(one.table, expected);
    assert_eq!(one.told("aimex").as_deref(), Some("as published but for runs.sets = 20"));
    assert_eq!(one.told("preconditioners"), None);
    let slip = Profile::parse(&PROGRAM, "my.toml", "[aimex.runs]\nset = 20\n").err().unwrap().to_string();
    assert!(slip.starts_with("my.toml, line 2, `set = 20`: `aimex.runs.set` is an unknown key; here may be sets, "), "{slip}");
    assert!(slip.ends_with("see experiments/profiles/paper.toml; did you mean `sets`?"), "{slip}");
}

#[test]
fn settings_are_keys_of_a_study_and_stand_in_the_name() {
    let with = |settings: &[&str], studies: &[&str]| {
        let settings: Vec<String> = settings.iter().map(|text| (*text).to_owned()).collect();
        Profile::with(&PROGRAM, "paper", &settings, studies)
    };
    let set = with(&["sets=20", "stability.steps = [1e-4, 0.02]"], &["aimex"]).unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(set.name, "paper --set aimex.runs.sets=20 --set aimex.stability.steps=[0.0001, 0.02]");
    assert_eq!(set.told("aimex").unwrap(), "as published but for runs.sets = 20, stability.steps = [0.0001, 0.02]");
    let again = Profile::load(&PROGRAM, &set.name).unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(toml::to_string(&again.table).unwrap(), toml::to_string(&set.table).unwrap());
    for (settings, studies, why) in [
        (&["sets"][..], &["aimex"][..], "`--set sets` has no value"),
        (&["sets="], &["aimex"], "has no value"),
        (&["=1"], &["aimex"], "has no key"),
        (&["sets=1 2"], &["aimex"], "has a value that is no number, list or word"),
        (&["setz=1"], &["aimex"], "there is no key `setz` in aimex; see experiments/profiles/paper.toml; did you mean `sets`?"),
        (&["sets=20", "sets=-1"], &["aimex"], "`--set aimex.runs.sets=-1`: `aimex.runs.sets` must be a whole number"),
        (
            &["sets=1"],
            &["aimex", "projected-damping"],
            "several studies have `sets`; name one, as in `--set aimex.runs.sets=...`",
        ),
    ] {
        let refused = with(settings, studies).err().unwrap_or_else(|| panic!("{settings:?}")).to_string();
        assert!(refused.contains(why) && !refused.contains('\n'), "{refused}");
    }
}

#[test]
fn damaged_profiles_are_read_or_refused_in_one_line() {
    let text = SHIPPED[1].1;
    let lines: Vec<&str> = text.lines().collect();
    let mut state = 1_u64;
    let mut draw = |end: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % end
    };
    let values = ["0", "-1", "1e308", "nan", "\"\"", "[]", "[1e-300]", "9223372036854775808", "{}", "\u{1b}", "true", "1.5"];
    for case in 0..500 {
        let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        let at = draw(lines.len());
        match draw(4) {
            0 => _ = lines.remove(at),
            1 => lines.truncate(at),
            2 => lines[at] = lines[at].chars().rev().collect(),
            _ => {
                lines[at] =
                    lines[at].split_once('=').map_or("?".into(), |(key, _)| format!("{key}= {}", values[draw(values.len())]))
            }
        }
        let refused = Profile::parse(&PROGRAM, "my.toml", &lines.join("\n")).err().map(|failure| failure.to_string());
        assert!(refused.is_none_or(|message| message.starts_with("my.toml, line ") && !message.contains('\n')), "case {case}");
    }
}

#[test]
fn mistakes_name_line_and_key() {
    let negative = refused("density = [0.01", "density = [-0.01");
    assert!(negative.contains("line 9, `density = [-0.01, 0.1, 1.0, 10.0, 100.0] # [kg/m²]`"), "{negative}");
    assert!(negative.contains("`fb-euler-stability.sheets.density") && negative.contains("above zero, not -0.01"), "{negative}");
    let none = refused("sets = 500", "sets = 0");
    assert!(none.contains("line 6, `sets = 0`") && none.contains("a whole number from 1 to 1000000, not 0"), "{none}");
    let unknown = refused("steps = 1000", "stepz = 1000");
    assert!(unknown.contains(".stepz` is an unknown key") && unknown.contains("line 12"), "{unknown}");
    assert!(
        refused("[fb-euler-stability.scans]", "[fb-euler-stability.scan]")
            .contains("`fb-euler-stability.scan` is an unknown key")
    );
}

/// The refusal of the shipped paper profile with `line` in place of the line of its key in `[section]`.
fn refused_in(section: &str, line: &str) -> String {
    let text = SHIPPED[0].1;
    let key = format!("\n{} = ", line.split(" = ").next().unwrap_or_default());
    let header = format!("[{section}]\n");
    let start = text.find(&header).expect("the section");
    let first = start + text[start..].find(&key).expect("the key") + 1;
    let last = first + text[first..].find('\n').expect("its end");
    refused(&text[start..last], &format!("{}{line}", &text[start..first]))
}

#[test]
fn values_without_reach_and_endless_runs_are_refused_with_their_key() {
    for (section, line, key, why) in [
        ("fb-euler-stability.sheets", "spacing = [1e300, 0.01]", "spacing", "must be at most 1e20 in magnitude"),
        ("fb-euler-stability.bars", "damping = 1e-300", "damping", "must be at least 1e-20 in magnitude"),
        ("impulse-strips.steps", "lengths = [1e200, 3.0]", "lengths", "must be at most 1e20 in magnitude"),
        ("aimex.runs", "duration = 1e12", "duration", "1.0e16 steps of 1e-4 s"),
        ("projected-damping.sets", "spacing = [1e20, 0.025]", "spacing", "steps of 5e-3 s"),
        ("fast-projection.drape", "compared_at = 1e6", "compared_at", "a run may have 1e7"),
        ("generalized-alpha.orders", "finer = 1000000", "finer", "a run may have 1e7"),
        ("fast-projection.residual", "halvings = 40", "halvings", "a whole number from 1 to 10"),
    ] {
        let message = refused_in(section, line);
        assert!(message.contains(&format!("`{line}`")) && message.contains(&format!("`{section}.{key}` ")), "{message}");
        assert!(message.contains(why) && message.ends_with(REMEDY), "{message}");
    }
}
