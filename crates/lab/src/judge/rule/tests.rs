//! Rules against small tables whose answers are found by hand.

use rand::RngExt;
use tempfile::TempDir;

use super::entry::{Kind, RULE_KEYS, Rule};
use super::keys::KEYS;
use super::outcome::{Judgement, NoOutcome};
use super::prose::readings_in_words;
use super::tables::{Groups, Tables};
use crate::judge::criterion::Answer;
use crate::judge::statistics::{Miss, share_interval};
use crate::measure::streams::{ChaCha8Rng, stream};
use crate::results::Results;
use crate::study::Study;
use crate::{Group, table};

/// A group of draws, or of a list.
struct Sets<const DRAWN: bool>;

crate::row! {
    /// Of a table that is written by hand.
    struct Nothing {
        /// never written
        cell: bool,
    }
}

impl<const DRAWN: bool> Group for Sets<DRAWN> {
    const NAME: &'static str = if DRAWN { "runs" } else { "listed" };
    const ABOUT: &'static str = "";
    const SAMPLED: bool = DRAWN;
    type Case = ();
    type Row = Nothing;

    fn sets(&self) -> u64 {
        1
    }

    fn case(&self, _set: u64, _stream: &mut ChaCha8Rng) {}

    fn measure(&self, _case: &()) -> Vec<Nothing> {
        vec![]
    }
}

/// Eight sheets by two methods: the second takes half the iterations on small sheets and a quarter on large ones; of the last sheet
/// it is lost.
fn cases() -> String {
    let mut text = String::from("set,side,method,status,iterations\n");
    for set in 0..8 {
        let side = if set < 4 { 10 } else { 20 };
        let [all, some] = [40, if set < 4 { 20 } else { 10 }];
        let status = if set == 7 { "not finite" } else { "finished" };
        text += &format!("{set},{side},plain,finished,{all}\n{set},{side},new,{status},{some}\n");
    }
    text
}

const LISTED: &str = "set,n,law,off\n0,10,a,0.08\n1,20,a,0.02\n2,10,b,0.3\n3,20,b,0.15\n";

const TIMINGS: &str =
    "group,set,repeat,seconds\nlisted,0,0,9\nlisted,0,1,1\nlisted,0,2,3\nlisted,0,3,2\nlisted,1,1,4\nlisted,1,2,4\n";

struct Folder {
    _folder: TempDir,
    groups: Groups,
    results: Results,
}

fn folder() -> Folder {
    folder_of(&cases())
}

fn folder_of(cases: &str) -> Folder {
    let folder = tempfile::tempdir().unwrap();
    for (file, text) in [("cases.csv", cases), ("listed.csv", LISTED), ("timings.csv", TIMINGS)] {
        std::fs::write(folder.path().join(file), text).unwrap();
    }
    let study = Study::of_groups(vec![table(Sets::<true>), table(Sets::<false>)]);
    let results = study.results(folder.path());
    Folder { _folder: folder, groups: study.tables(), results }
}

fn judge(text: &str) -> Result<Judgement, String> {
    let folder = folder();
    let rule = Rule::read("X", toml::from_str(text).unwrap()).map_err(|error| error.to_string())?;
    rule.judge("X", &Tables::new(&folder.groups, &folder.results)).map_err(|error| error.to_string())
}

/// Value, interval, cases and lost cases of the first number.
fn first(text: &str) -> (f64, Option<[f64; 2]>, usize, usize) {
    let judgement = judge(text).unwrap_or_else(|error| panic!("{error}"));
    let found = judgement.views[0].numbers[0].found;
    let estimate = found.estimate;
    (estimate.value, estimate.interval.map(|ends| [ends.low, ends.high]), estimate.cases, found.lost)
}

const PAIRED: &str = "rows = { plain = \"method == 'plain'\", new = \"method == 'new'\" }\nfinished = \"status == 'finished'\"\n\
                      quantity = \"new.iterations / plain.iterations\"\n";

/// The seven sheets that both methods finish.
const ALONE: &str = "filter = \"set < 7\"\nrows = { plain = \"method == 'plain'\", new = \"method == 'new'\" }\n\
                     quantity = \"new.iterations / plain.iterations\"\n";

#[test]
fn cases_are_paired_and_the_lost_ones_may_be_anything() {
    // of 1/2 four times and 1/4 three times; the eighth may be anything, so that order statistics of eight hold it
    assert_eq!(first(&format!("{PAIRED}number = [{{}}]")), (0.5, Some([f64::NEG_INFINITY, f64::INFINITY]), 7, 1));
    assert_eq!(first(&format!("{PAIRED}lost = [0, 1]\nnumber = [{{}}]")), (0.5, Some([0.0, 1.0]), 7, 1));
    let alone = judge(&format!("{PAIRED}lost = \"out\"\nnumber = [{{}}]")).unwrap_err();
    assert!(alone.starts_with("X: `lost`: cases that are left out decide nothing"), "{alone}");
    let share = format!("{PAIRED}statistic = \"share\"\nnumber = [{{ quantity = \"new.iterations < plain.iterations / 2\" }}]");
    let (value, interval, cases, lost) = first(&share);
    assert_eq!((value, cases, lost), (3.0 / 7.0, 7, 1));
    let [low, high] = interval.unwrap();
    let ends = [3, 4].map(|hits| share_interval(hits, 8, Miss::ONE).unwrap());
    assert_eq!([low, high], [ends[0].low, ends[1].high]);
    assert_eq!(first(&share.replace("share", "count")), (3.0, Some([3.0, 4.0]), 7, 1));
}

#[test]
fn the_median_of_twenty_cases_holds_whatever_four_lost_ones_came_to() {
    let of = |lost: usize| {
        let rows: String = (0..20 + lost).map(|set| format!("{set},{},{}\n", set + 1, set < 20)).collect();
        let folder = folder_of(&format!("set,value,whole\n{rows}"));
        let text = "quantity = \"value\"\nfinished = \"whole\"\nlost = [0, inf]\nnumber = [{}]";
        let rule = Rule::read("X", toml::from_str(text).unwrap()).unwrap();
        let judged = rule.judge("X", &Tables::new(&folder.groups, &folder.results)).unwrap();
        let estimate = judged.views[0].numbers[0].found.estimate;
        (estimate.value, estimate.interval.map(|ends| [ends.low, ends.high]).unwrap())
    };
    assert_eq!(of(0), (10.5, [6.0, 15.0]));
    // of 24 cases the 7th smallest and the 7th largest
    assert_eq!(of(4), (10.5, [3.0, 18.0]));
    assert_eq!(of(20), (10.5, [0.0, f64::INFINITY]), "half of them are unknown");
}

#[test]
fn the_greatest_and_the_least_know_what_a_lost_case_may_be() {
    let of = |statistic: &str| first(&format!("{PAIRED}lost = [0.1, 0.9]\nstatistic = \"{statistic}\"\nnumber = [{{}}]")).1;
    assert_eq!(of("max"), Some([0.5, 0.9]));
    assert_eq!(of("min"), Some([0.1, 0.25]));
    assert_eq!(of("range"), Some([0.1, 0.9]));
}

#[test]
fn an_interval_of_any_statistic_holds_it_for_every_filling_of_lost_cases() {
    // exact, so that the interval is that of the lost case alone
    let rule = |statistic: &str| format!("{PAIRED}exact = true\nlost = [0.1, 0.9]\nstatistic = \"{statistic}\"\nnumber = [{{}}]");
    for statistic in ["mean", "mean(x | side == 20) - mean(x | side == 10)", "max(x) / min(x)", "exponent(side, x)"] {
        let (_, Some([low, high]), ..) = first(&rule(statistic)) else { panic!("{statistic} has no interval") };
        assert!(low < high);
        for filling in [0.1, 0.3, 0.5, 0.7, 0.9] {
            let filled = rule(statistic).replace("finished = \"status == 'finished'\"\n", "").replace(
                "new.iterations / plain.iterations",
                &format!("if(set == 7, {filling}, new.iterations / plain.iterations)"),
            );
            let filled = filled.replace("if(set == 7", "if(only(set) == 7");
            let value = first(&filled).0;
            assert!((low..=high).contains(&value), "{statistic} with {filling}: {value} is not within {low} to {high}");
        }
    }
}

#[test]
fn strata_each_have_to_hold_unless_one_is_enough() {
    let rule = |more: &str| format!("{ALONE}strata = \"side\"\nexact = true\n{more}\nnumber = [{{ direction = \"< 0.4\" }}]");
    let judged = judge(&rule("")).unwrap();
    let strata: Vec<(&str, f64)> =
        judged.views[0].numbers.iter().map(|number| (number.stratum.as_str(), number.found.estimate.value)).collect();
    assert_eq!(strata, [("10", 0.5), ("20", 0.25)]);
    assert_eq!(judged.answers.direction, Some(Answer::No));
    assert_eq!(judge(&rule("any_stratum = true")).unwrap().answers.direction, Some(Answer::Yes));
    assert_eq!(judge(&rule("one_stratum = true")).unwrap().answers.direction, Some(Answer::Yes));
    let settings = judge(&rule("unstated = \"the side\"\nstrata_are_settings = true")).unwrap();
    assert_eq!((settings.verdict().as_str(), settings.views.len()), ("open: the side decides", 2));
}

#[test]
fn a_miss_that_decides_alone_asks_more_where_there_are_several_numbers() {
    // of nine sets the interval of the median goes from the second to the eighth; beside another number from the first to the ninth
    let rows: String = (0..18).map(|set| format!("{set},{}\n", if set < 9 { set + 1 } else { 0 })).collect();
    let folder = folder_of(&format!("set,value\n{rows}"));
    let judge = |numbers: &str, more: &str| {
        let text = format!(
            "{more}filter = \"set < 9\"\nquantity = \"value\"\nnumber = [{{ published = 1, size = \"<= 1.5\" }}{numbers}]"
        );
        let rule = Rule::read("X", toml::from_str(&text).unwrap()).unwrap();
        rule.judge("X", &Tables::new(&folder.groups, &folder.results)).unwrap()
    };
    assert_eq!(judge("", "").answers.size, Some(Answer::No));
    let beside = judge(", { published = 1, size = \"<= 9\" }", "");
    assert_eq!(beside.answers.size, Some(Answer::Open));
    let words = beside.in_words().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("size open, firm by itself, and open as one of 2"), "{words}");
    assert_eq!(judge(", { published = 1, size = \"<= 9\" }", "exact = true\n").answers.size, Some(Answer::No), "no chance in it");
    assert_eq!(
        judge(", { quantity = \"-value\" }", "").answers.size,
        Some(Answer::No),
        "a number without a bound is no other answer"
    );
    let direction = |more: &str| {
        let text = format!("quantity = \"value\"\n{more}\nnumber = [{{ direction = \"> 1.5\" }}]");
        let rule = Rule::read("X", toml::from_str(&text).unwrap()).unwrap();
        rule.judge("X", &Tables::new(&folder.groups, &folder.results)).unwrap().answers.direction
    };
    assert_eq!(direction("filter = \"set < 9\""), Some(Answer::Yes));
    let best_of_two = "strata = \"set < 9\"\nany_stratum = true";
    assert_eq!(direction(best_of_two), Some(Answer::Open), "the best of two is met too easily");
}

#[test]
fn ladders_and_times_of_listed_cases_are_exact() {
    let order = "table = \"listed\"\ncase = \"law\"\nnumber = [{ quantity = \"order(n, off)\", statistic = \"range\", direction = \"0.9 to 2.1\" }]";
    assert_eq!(first(order), (2.0, Some([1.0, 2.0]), 2, 0));
    assert_eq!(judge(order).unwrap().answers.direction, Some(Answer::Yes));
    assert_eq!(judge(&order.replace("0.9", "1.5")).unwrap().answers.direction, Some(Answer::No), "one of two is without");
    let time = "table = \"listed\"\nfilter = \"law == 'a'\"\nnumber = [{ quantity = \"seconds\", statistic = \"sum(x)\" }]";
    assert_eq!(first(time), (6.0, Some([6.0, 6.0]), 2, 0));
    let repeats =
        "table = \"listed\"\ncase = \"set, repeat\"\nnumber = [{ quantity = \"seconds\", statistic = \"count(x >= 2)\" }]";
    assert_eq!(first(repeats), (4.0, None, 5, 0));
}

#[test]
fn variants_and_settings_are_told_apart() {
    let number = "number = [{ called = \"half\", direction = \"<= 0.4\" }]\nexact = true\n";
    let variants = format!(
        "{ALONE}{number}[[variant]]\nname = \"as printed\"\n[[variant]]\nname = \"on large sheets\"\nfilter = \"side > 10\"\n"
    );
    let judged = judge(&variants).unwrap();
    assert_eq!(judged.verdict(), "as printed: not reproduced; on large sheets: direction met");
    let settings = format!(
        "unstated = \"the side\"\n{ALONE}{number}[[setting]]\nname = \"small\"\nnumbers = {{ half = {{ filter = \"side == 10\" }} }}\n\
         [[setting]]\nname = \"large\"\nfilter = \"side == 20\"\n"
    );
    let judged = judge(&settings).unwrap();
    assert_eq!((judged.verdict().as_str(), judged.answers.direction), ("open: the side decides", Some(Answer::Open)));
    assert!(judged.in_words().contains("small: not reproduced") && judged.in_words().contains("large: direction met"));
}

#[test]
fn what_lies_beyond_what_could_be_measured_counts_as_that_or_more() {
    let rule = "filter = \"method == 'plain'\"\nquantity = \"side\"\ncensored = \"side == 20\"\nnumber = [{ size = \">= 15\", published = 20 }]";
    assert_eq!(first(rule), (15.0, Some([10.0, f64::INFINITY]), 8, 0));
    let mostly = rule.replace("15\"", "10\"").replace("side == 20", "side >= 10");
    assert_eq!(first(&mostly), (15.0, Some([10.0, f64::INFINITY]), 8, 0), "the median of the upper ends is no number");
    assert_eq!(judge(&mostly).unwrap().answers.size, Some(Answer::Yes));
    let off = "filter = \"method == 'plain'\"\nquantity = \"side\"\nerror = \"side / 10\"\nnumber = [{}]";
    assert_eq!(first(off).1, Some([9.0, 22.0]));
    let between = off.replace("error = \"side / 10\"", "between = \"side - 2, side + 1\"\nstatistic = \"max\"");
    assert_eq!(first(&between).1, Some([18.0, 21.0]));
    let unknown = between.replace("side - 2", "if(side > 10, missing, side)");
    assert_eq!(first(&unknown).1, Some([20.0, 20.0]), "without both ends it is what it is");
}

#[test]
fn a_size_of_a_machine_of_its_time_stays_open() {
    let rule = "filter = \"method == 'plain'\"\nquantity = \"side\"\nstatistic = \"max\"\nnumber = [{ size = \"<= 30\", published = 30, direction = \"> 1\" }]";
    assert_eq!(judge(rule).unwrap().verdict(), "reproduced");
    assert_eq!(judge(&format!("machine = true\n{rule}")).unwrap().verdict(), "direction met, size open");
}

#[test]
fn readings_are_views_that_decide_nothing() {
    let folder = folder();
    let text = format!(
        "{ALONE}exact = true\nnumber = [{{ direction = \"< 0.4\" }}]\n[[reading]]\nname = \"mean\"\nstatistic = \"mean\"\n\
         [[reading]]\neach = \"side\"\n"
    );
    let rule = Rule::read("X", toml::from_str(&text).unwrap()).unwrap();
    let readings = rule.readings("X", &Tables::new(&folder.groups, &folder.results)).unwrap();
    let words = readings_in_words(&readings);
    let lines: Vec<&str> = words.lines().collect();
    assert_eq!(lines[0], "  mean: direction met: number 1: 0.393 of 7 cases");
    assert!(lines[1].starts_with("  side 10: not reproduced") && lines[2].starts_with("  side 20: direction met"), "{words}");
    let none = text.replace("each = \"side\"", "name = \"other\"\nquantity = \"plain.iterations\"\ndirection = \"none\"");
    let rule = Rule::read("X", toml::from_str(&none).unwrap()).unwrap();
    let readings = rule.readings("X", &Tables::new(&folder.groups, &folder.results)).unwrap();
    assert_eq!(readings[1].answers.direction, None, "a reading of another number has another bound, or none");
}

#[test]
fn mistakes_name_the_claim_the_key_and_the_remedy() {
    for (text, message) in [
        ("", "X: `number`: a rule needs at least one"),
        (
            "number = [{ quantiy = \"1\" }]",
            "X: number `number 1`, `quantiy`: there is no such key; there are called, table, filter",
        ),
        (
            "number = [{ statistic = \"medain\" }]",
            "X: number `number 1`, `statistic`: there is no statistic `medain`; there are median, mean",
        ),
        ("number = [{ size = \"about 3\" }]", "X: number `number 1`, `size`: `about 3` is no bound: say"),
        ("number = [{ size = \"± 0.1\" }]", "X: number `number 1`, `size`: `± 0.1` needs what is published: say `published`"),
        ("number = [{ size = \"> 1\" }]", "X: number `number 1`, `size`: a claim has a size where a number is published"),
        ("number = [{ filter = \"a / / b\" }]", "X: number `number 1`, `filter`: `a / / b`: `/` is out of place"),
        ("kind = \"wish\"\nnumber = [{}]", "X: `kind`: there are claim, check, conjecture, criterion"),
        ("number = [{}]\nunstated = \"friction\"", "X: `unstated`: it says what is not stated"),
        ("number = [{}]\n[[variant]]\nfilter = \"a\"", "X: variant 1, `name`: a view needs a name"),
        (
            "number = [{}]\n[[reading]]\nname = \"r\"\nnumbers = { b = {} }",
            "X: reading 1, `numbers`: no number is called `b`; there are number 1",
        ),
        ("number = [{}]\ndirections = 2", "X: `directions`: from 1 to 1 are wanted"),
        ("number = [{ called = \"a\" }, { called = \"a\" }]", "X: number `a`, `called`: another number has this name"),
    ] {
        let error = judge(text).unwrap_err();
        assert!(error.starts_with(message), "{error}");
    }
    // what only tables show
    for (text, message) in [
        (
            "number = [{ quantity = \"iteration\" }]",
            "X: number `number 1`, `quantity`: no column `iteration`; there are iterations, method, set, side, status",
        ),
        (
            "number = [{ quantity = \"iterations\", case = \"set\" }]",
            "X: number `number 1`, `quantity`: a case has 2 rows with several values of `iterations`: name one",
        ),
        ("table = \"run\"\nnumber = [{}]", "no results of the group run in "),
        (
            "strata = \"side\"\nnumber = [{ quantity = \"iterations\", published = { 10 = 1 }, size = \"± 0.1\" }]",
            "X: number `number 1`, `size`: nothing is published for `20` of `strata`",
        ),
    ] {
        let error = judge(text).unwrap_err();
        assert!(error.starts_with(message), "{error}");
    }
}

/// A rule with every key.
const EVERY_KEY: &str = r#"
kind = "check"
table = ["runs", "listed"]
filter = "side > 5 and method != 'other'"
case = "set // 2, side"
rows = { plain = "method == 'plain'", new = "method ~ 'new'" }
include = "plain.iterations > 0"
finished = "status == 'finished'"
quantity = { a = "new.iterations / plain.iterations", b = "median(iterations | has(iterations))" }
statistic = "mean(a | side <= 10) - quantile(b, 0.9)"
strata = "side"
published = { 10 = 1, 20 = [1, 2] }
size = "± 25 %"
direction = { 10 = "< 1", 20 = "-1 to 1" }
ours = "factor 1.5"
lost = [0, 1]
censored = "new.iterations > 30"
error = "0.1 * new.iterations"
between = "new.iterations - 1, new.iterations + 1"
cluster = "side"
exact = true
any_stratum = true
one_stratum = false
directions = 1
machine = false
unstated = "the side"
strata_are_settings = true
number = [ { called = "one" }, { called = "other", statistic = "share", quantity = "new.iterations < 20" } ]
[[setting]]
name = "small"
filter = "side == 10"
numbers = { one = { statistic = "max" } }
[[reading]]
each = "side"
"#;

#[test]
fn a_rule_with_every_key_comes_to_something() {
    for (key, meaning) in RULE_KEYS.iter().chain(&KEYS) {
        let is_used = EVERY_KEY.contains(&format!("{key} =")) || EVERY_KEY.contains(&format!("[[{key}]]")) || *key == "variant";
        assert!(is_used && !meaning.is_empty(), "{key}");
    }
    let judged = judge(EVERY_KEY).unwrap();
    assert!(judged.views.iter().all(|view| view.numbers.len() == 2), "{}", judged.in_words());
    assert_eq!(Rule::read("X", toml::from_str(EVERY_KEY).unwrap()).unwrap().kind, Kind::Check);
}

#[test]
fn ten_thousand_rules_with_a_mistake_give_a_message_or_an_answer() {
    let folder = folder();
    let tables = Tables::new(&folder.groups, &folder.results);
    let mut stream = stream("rules", "mutations", 1, 0);
    let words: Vec<&str> = EVERY_KEY.split_inclusive([' ', '\n', '"', '(', ',']).collect();
    let [mut refused, mut judged] = [0; 2];
    // those that are TOML at all
    while refused + judged < 10_000 {
        let mut mutated = words.clone();
        for _ in 0..stream.random_range(1..3) {
            let [one, other] = [(); 2].map(|()| stream.random_range(0..mutated.len()));
            match stream.random_range(0..4) {
                0 => drop(mutated.remove(one)),
                1 => mutated.insert(one, mutated[other]),
                2 => mutated.swap(one, other),
                _ => mutated[one] = ["-1", "\"", "inf", "missing ", "'x'", "1e308 ", "^", "x", "]"][stream.random_range(0..9)],
            }
        }
        let text = mutated.concat();
        let Ok(table) = toml::from_str(&text) else { continue };
        match Rule::read("X", table).map_err(NoOutcome::from).and_then(|rule| {
            let readings = rule.readings("X", &tables)?;
            Ok((rule.judge("X", &tables)?.in_words(), readings_in_words(&readings), rule.in_words()))
        }) {
            Ok(_) => judged += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 1000 && judged > 1000, "{refused} refused, {judged} judged");
}
