//! Verdicts on the range of critical kappa, and on who violates the criterion.

use kit::prelude::*;

use super::draws::{DrawRow, Draws};
use super::raggedness::ragged_readings;
use super::readings::Readings;
use super::sheets::{Makeup, PUBLISHED, SheetRow, Sheets};

/// Strain beyond which a sheet "stretches wildly"; half of it and twice it are readings.
const WILD_STRAIN: f64 = 0.2;

/// Strain below which a sheet hardly moved.
const STILL_STRAIN: f64 = 0.01;

/// A kappa of a set, if it has one: of the main group, and of the further draws.
#[derive(Clone, Copy)]
struct Kappa {
    main: fn(&SheetRow) -> Option<f64>,
    further: fn(&DrawRow) -> Option<f64>,
}

const CRITICAL: Kappa = Kappa { main: |row| row.critical_kappa, further: |row| row.critical_kappa };

/// Those at both ends of the zone in which stability is not monotone in the step.
const FRINGE: [(&str, Kappa); 2] = [
    (
        "at the smallest unstable step",
        Kappa { main: SheetRow::least_unstable_kappa, further: |row| row.smallest_unstable.map(|dt| row.makeup.kappa(dt)) },
    ),
    (
        "at the largest stable step",
        Kappa { main: SheetRow::most_stable_kappa, further: |row| row.largest_stable.map(|dt| row.makeup.kappa(dt)) },
    ),
];

/// A kappa with the stretch at the critical one, of the sets of one draw that have one.
type Draw = Vec<(f64, f64)>;

/// The draw of the main group, and the further ones in their order.
fn draws(results: &Results, kappa: Kappa) -> Result<Vec<Draw>, ResultsError> {
    let main = results.rows::<Sheets>()?.iter().filter_map(|row| Some(((kappa.main)(&row.row)?, row.row.stretch?))).collect();
    let mut all: Vec<Draw> = vec![main];
    for Row { row, .. } in results.rows::<Draws>()? {
        let place = row.draw as usize;
        all.resize(all.len().max(place + 1), vec![]);
        all[place].extend((kappa.further)(&row).zip(row.stretch));
    }
    Ok(all)
}

/// Critical kappa by reading, in the order of the table.
fn by_reading(results: &Results) -> Result<Vec<(String, Vec<f64>)>, ResultsError> {
    let rows = results.without_sets::<Readings>()?.into_iter();
    let readings = grouped(rows.map(|row| (row.reading, row.critical_kappa))).into_iter();
    Ok(readings.map(|(name, kappas)| (name, kappas.into_iter().flatten().collect())).collect())
}

/// Smallest and largest of a range, each with its interval.
struct Ends([Estimate; 2]);

impl Ends {
    /// Of single ranges as they are.
    fn exact([low, high]: [f64; 2], cases: usize) -> Ends {
        Ends([low, high].map(|end| Estimate::exact(end, cases)))
    }

    /// Medians over draws, of the sets for which something holds.
    fn over(draws: &[Draw], holds: impl Fn(f64) -> bool) -> Option<Ends> {
        let of_draw = |draw: &Draw| {
            extremes(&draw.iter().filter(|(_, stretch)| holds(*stretch)).map(|(kappa, _)| *kappa).collect::<Vec<_>>())
        };
        let ends: Vec<[f64; 2]> = draws.iter().filter_map(of_draw).collect();
        let median_of = |k: usize| Estimate::median(&ends.iter().map(|ends| ends[k]).collect::<Vec<_>>());
        Some(Ends([median_of(0)?, median_of(1)?]))
    }

    /// Quantiles of a sample, with their intervals by bootstrap.
    fn quantiles(name: &str, sample: &[f64], p: f64) -> Option<Ends> {
        let of = |p: f64| Estimate::of(&format!("{name}, {p}"), sample, |sample| quantile(sample, p));
        Some(Ends([of(p)?, of(1.0 - p)?]))
    }

    fn verdict(&self) -> Verdict {
        let [low, high] = &self.0;
        let near = |end: &Estimate, published: f64| end.lies_within(0.75 * published, 1.25 * published);
        let holds = near(low, PUBLISHED[0]).and(near(high, PUBLISHED[1]));
        verdict(holds, low.lies_below(0.5).and(high.lies_above(1.0)))
    }

    fn words(&self) -> String {
        self.0.map(|end| short_within(end.value, end.interval.filter(|interval| interval.low < interval.high))).join(" to ")
    }

    fn reading(&self, name: impl Into<String>) -> Reading {
        Reading::new(name, self.words(), self.verdict())
    }
}

/// B-KAPPA-RANGE.
pub fn range(results: &Results) -> Result<Finding, ResultsError> {
    let rows = results.rows::<Sheets>()?;
    let draws = draws(results, CRITICAL)?;
    let main: Vec<f64> = draws[0].iter().map(|(kappa, _)| *kappa).collect();
    let one = extremes(&main).ok_or_else(|| too_few("no set has a critical step"))?;
    let ends = Ends::over(&draws, |_| true).ok_or_else(|| too_few("no set has a critical step"))?;
    let all: Vec<f64> = draws.iter().flatten().map(|(kappa, _)| *kappa).collect();
    let mut readings = vec![Ends::exact(one, main.len()).reading("one draw")];
    for (name, kappa) in FRINGE {
        let sample: Vec<f64> = rows.iter().filter_map(|row| (kappa.main)(&row.row)).collect();
        readings.extend(extremes(&sample).map(|ends| Ends::exact(ends, sample.len()).reading(format!("one draw, {name}"))));
        let ends = Ends::over(&self::draws(results, kappa)?, |_| true);
        readings.extend(ends.map(|ends| ends.reading(format!("draws, {name}, the further ones in steps of 2 %"))));
    }
    for (p, name) in [(0.01, "1st to 99th percentile of all draws"), (0.05, "5th to 95th percentile of all draws")] {
        readings.extend(Ends::quantiles(name, &all, p).map(|ends| ends.reading(name)));
    }
    let strained = Ends::over(&draws, |stretch| stretch >= 1.0 + STILL_STRAIN);
    readings.extend(strained.as_ref().map(|ends| ends.reading("draws, without sheets that stretch by less than 1 %")));
    let cloth = Ends::over(&draws, |stretch| stretch <= 1.0 + WILD_STRAIN);
    readings.extend(cloth.map(|ends| ends.reading("draws, without sheets that stretch by more than 20 %")));
    let mut others = vec![];
    for (name, sample) in by_reading(results)? {
        if let Some(ends) = extremes(&sample) {
            readings.push(Ends::exact(ends, sample.len()).reading(format!("one draw, {name}")));
            others.push((name.clone(), ends));
        }
        let name = format!("one draw, {name}, 1st to 99th percentile");
        readings.extend(Ends::quantiles(&name, &sample, 0.01).map(|ends| ends.reading(name)));
    }
    let (met, judged) = (readings.iter().filter(|reading| reading.verdict == Some(Verdict::Reproduced)).count(), readings.len());
    readings.extend(ragged_readings(results)?);
    let drawn = rows.len() + results.rows::<Draws>()?.len();
    let reach = |holds: &dyn Fn(f64) -> bool| draws.iter().filter(|draw| draw.iter().any(|(kappa, _)| holds(*kappa))).count();
    let still = |holds: &dyn Fn(f64) -> bool| {
        let chosen: Vec<f64> = draws.iter().flatten().filter(|(kappa, _)| holds(*kappa)).map(|(_, stretch)| *stretch).collect();
        (chosen.iter().filter(|stretch| **stretch < 1.0 + STILL_STRAIN).count(), chosen.len())
    };
    let ((still_low, low), (still_high, high)) = (still(&|kappa| kappa < 0.5), still(&|kappa| kappa > 1.0));
    let without = strained.map_or_else(String::new, |ends| format!(", and without those the range is {}", ends.words()));
    let measured = format!("{}, medians over {} draws", ends.words(), draws.len());
    let (low_reached, all_draws, low_end) = (reach(&|kappa| kappa <= PUBLISHED[0]), draws.len(), PUBLISHED[0]);
    let (high_reached, high_end) = (reach(&|kappa| kappa >= PUBLISHED[1]), PUBLISHED[1]);
    let (spans, unlimited) = (spans(&others).unwrap_or_default(), drawn - all.len());
    let reason = format!(
        "{low_reached} of {all_draws} draws reach below {low_end} and {high_reached} above {high_end}; {spans}sheets that stretch by less \
         than 1 % make {still_high} of the {high} above 1 and {still_low} of the {low} below 1/2{without}. {met} of {judged} readings meet \
         the criterion. Of {drawn} drawn {unlimited} have no stiffness, and so no limit. Another margin of energy or extension gate in the \
         thesis would overturn the verdict on the end that it moves"
    );
    Ok(Finding::new(ends.verdict(), measured, reason).cases(all.len()).left_out(drawn - all.len()).readings(readings))
}

/// Between which values both ends of a range lie under other readings, in words, with the readings; none without any.
fn spans(readings: &[(String, [f64; 2])]) -> Option<String> {
    let span = |end: usize| {
        let by_end = |a: &&(String, [f64; 2]), b: &&(String, [f64; 2])| a.1[end].total_cmp(&b.1[end]);
        let [least, most] = [readings.iter().min_by(by_end)?, readings.iter().max_by(by_end)?];
        let [least, most] = [least, most].map(|(name, ends)| format!("{} ({name})", short(ends[end])));
        Some(format!("{least} to {most}"))
    };
    Some(format!("under other assumptions the lower end is from {}, the upper one from {}; ", span(0)?, span(1)?))
}

/// The logarithm to base 10, zero as one decade below the smallest value above it.
fn decades(values: &[f64]) -> Vec<f64> {
    let smallest = values.iter().copied().filter(|value| *value > 0.0).fold(f64::INFINITY, f64::min);
    values.iter().map(|value| if *value > 0.0 { libm::log10(*value) } else { libm::log10(smallest) - 1.0 }).collect()
}

/// What of a sheet the words of the thesis are about.
#[derive(Clone, Copy)]
struct Make {
    density: f64,
    /// Of stretch and of shear.
    stiffness: [f64; 2],
    damping: [f64; 2],
    stretch: Option<f64>,
}

impl Make {
    fn new(makeup: &Makeup, stretch: Option<f64>) -> Make {
        let Makeup { density, stretch_stiffness, shear_stiffness, stretch_damping, shear_damping, .. } = *makeup;
        let (stiffness, damping) = ([stretch_stiffness, shear_stiffness], [stretch_damping, shear_damping]);
        Make { density, stiffness, damping, stretch }
    }
}

/// Decades of a quantity of two families: of both, in the mean.
fn of_both(makes: &[Make], families: fn(&Make) -> [f64; 2]) -> Vec<f64> {
    let both: Vec<f64> = [0, 1].iter().flat_map(|&k| makes.iter().map(move |make| families(make)[k])).collect();
    let both = decades(&both);
    let (first, second) = both.split_at(makes.len());
    first.iter().zip(second).map(|(first, second)| 0.5 * (first + second)).collect()
}

/// A number of a sheet.
type Quantity = fn(&Make) -> f64;

fn of_one(makes: &[Make], value: Quantity) -> Vec<f64> {
    decades(&makes.iter().map(value).collect::<Vec<_>>())
}

/// By how many decades violators differ from the other sheets in the mean.
fn difference(name: &str, violates: &[bool], decades: &[f64]) -> Option<Estimate> {
    let cases: Vec<(bool, f64)> = violates.iter().copied().zip(decades.iter().copied()).collect();
    Estimate::of(name, &cases, |sample| {
        let of = |violators: bool| {
            let mine = sample.iter().filter(|(violates, _)| *violates == violators).map(|(_, decade)| *decade);
            mean(&mine.collect::<Vec<_>>())
        };
        Some(of(true)? - of(false)?)
    })
}

/// A word for the violators, what of them it is judged by, and whether it holds.
struct Word {
    name: &'static str,
    measured: String,
    holds: Answer,
}

/// The words of the thesis for violators, each by its own test.
fn words(makes: &[Make], violates: &[bool]) -> Vec<Word> {
    let mut words = vec![];
    let mut add = |name: &'static str, decades: &[f64], sign: f64| {
        let estimate = difference(name, violates, decades);
        let signed = estimate.map(|found| if sign > 0.0 { found.lies_above(0.0) } else { found.lies_below(0.0) });
        let measured =
            estimate.map_or("no violators".into(), |found| format!("{} decades{}", short(found.value), interval_words(&found)));
        words.push(Word { name, measured, holds: signed.unwrap_or(Answer::Open) });
    };
    add("dense", &of_one(makes, |make| make.density), 1.0);
    add("soft", &of_both(makes, |make| make.stiffness), -1.0);
    add("lightly damped", &of_both(makes, |make| make.damping), -1.0);
    let wild = stretching(makes, violates, WILD_STRAIN);
    words.push(Word {
        name: "stretching",
        measured: wild.map_or("no violators".into(), |wild| {
            format!("{} by more than {}{}", percent(wild.value), percent(WILD_STRAIN), share_words(&wild))
        }),
        holds: wild.map_or(Answer::Open, |wild| wild.lies_above(0.9)),
    });
    words
}

/// Share of violators that stretch by more than a strain.
fn stretching(makes: &[Make], violates: &[bool], strain: f64) -> Option<Estimate> {
    let violators = makes.iter().zip(violates).filter(|(_, violates)| **violates);
    share_of(violators.map(|(make, _)| make.stretch.is_some_and(|stretch| stretch > 1.0 + strain)))
}

/// What follows a share: its interval.
fn share_words(share: &Estimate) -> String {
    share.interval.map_or_else(String::new, |i| format!(" (95 %: {} to {})", percent(i.low), percent(i.high)))
}

/// A share with its interval.
fn in_percent(share: &Estimate) -> String {
    percent(share.value) + &share_words(share)
}

fn interval_words(estimate: &Estimate) -> String {
    estimate.interval.map_or_else(String::new, |i| format!(" (95 %: {} to {})", short(i.low), short(i.high)))
}

/// Share of sets with kappa of at least one half, and the verdict with the words for those below.
fn judged(sets: impl IntoIterator<Item = (Make, Option<f64>)>) -> Option<(Estimate, Vec<Word>, Verdict)> {
    let known = sets.into_iter().filter_map(|(make, kappa)| Some((make, kappa?)));
    let (makes, kappas): (Vec<Make>, Vec<f64>) = known.unzip();
    let violates: Vec<bool> = kappas.iter().map(|kappa| *kappa < 0.5).collect();
    let share = share_of(violates.iter().map(|violates| !violates))?;
    let words = words(&makes, &violates);
    let most = share.lies_above(0.5);
    let verdict = verdict(Answer::all(words.iter().map(|word| word.holds)).and(most), most);
    Some((share, words, verdict))
}

/// Words that hold, that do not and that are open, with what they are judged by.
fn told(words: &[Word]) -> String {
    let told = words.iter().map(|Word { name, measured, holds }| {
        let holds = match holds {
            Answer::Yes => "holds",
            Answer::No => "does not hold",
            Answer::Open => "is open",
        };
        format!("\"{name}\" {holds}: {measured}")
    });
    told.collect::<Vec<_>>().join("; ")
}

/// By what else violators differ from the other sheets, and how far both stretch.
fn against_others(makes: &[Make], violates: &[bool]) -> Vec<Reading> {
    let others: [(&str, Quantity); 6] = [
        ("larger stiffness", |make| make.stiffness[0].max(make.stiffness[1])),
        ("stretch stiffness", |make| make.stiffness[0]),
        ("shear stiffness", |make| make.stiffness[1]),
        ("larger damping", |make| make.damping[0].max(make.damping[1])),
        ("stretch damping", |make| make.damping[0]),
        ("shear damping", |make| make.damping[1]),
    ];
    let differences = others.into_iter().filter_map(|(name, value)| {
        let found = difference(name, violates, &of_one(makes, value))?;
        let measured = format!("{} decades{}", short(found.value), interval_words(&found));
        Some(Reading::new(format!("violators against others: {name}"), measured, None))
    });
    let holds: Vec<bool> = violates.iter().map(|violates| !violates).collect();
    let stretches = [
        ("violators", violates, 0.5 * WILD_STRAIN),
        ("violators", violates, 2.0 * WILD_STRAIN),
        ("other sheets", &holds, WILD_STRAIN),
    ];
    let stretches = stretches.into_iter().filter_map(|(who, which, strain)| {
        let share = stretching(makes, which, strain)?;
        Some(Reading::new(format!("{who} that stretch by more than {}", percent(strain)), in_percent(&share), None))
    });
    differences.chain(stretches).collect()
}

/// B-KAPPA-HOLDS.
pub fn holds(results: &Results) -> Result<Finding, ResultsError> {
    let rows = results.rows::<Sheets>()?;
    let measured: Vec<&SheetRow> = rows.iter().map(|row| &row.row).filter(|row| row.critical_kappa.is_some()).collect();
    let (share, words, verdict) = judged(measured.iter().map(|row| (Make::new(&row.makeup, row.stretch), row.critical_kappa)))
        .ok_or_else(|| too_few("no set has a critical step"))?;
    let violates: Vec<bool> = measured.iter().map(|row| row.critical_kappa.is_some_and(|kappa| kappa < 0.5)).collect();
    let violators = violates.iter().filter(|violates| **violates).count();
    let makes: Vec<Make> = measured.iter().map(|row| Make::new(&row.makeup, row.stretch)).collect();
    let mut readings = vec![];
    let drawn = results.rows::<Draws>()?;
    let of_draws = drawn.iter().map(|row| (Make::new(&row.row.makeup, row.row.stretch), row.row.critical_kappa));
    let of_main = measured.iter().map(|row| (Make::new(&row.makeup, row.stretch), row.critical_kappa));
    let sense = |name: &str, (share, words, verdict): (Estimate, Vec<Word>, Verdict)| {
        let measured = format!("{} of {}{}; {}", percent(share.value), share.cases, share_words(&share), told(&words));
        Reading::new(name, measured, verdict)
    };
    readings.extend(judged(of_main.chain(of_draws)).map(|found| sense("all draws together", found)));
    for (name, kappa) in FRINGE {
        let of_main = || measured.iter().map(|row| (Make::new(&row.makeup, row.stretch), (kappa.main)(row)));
        readings.extend(judged(of_main()).map(|found| sense(&format!("kappa {name}"), found)));
        let of_draws = drawn.iter().map(|row| (Make::new(&row.row.makeup, row.row.stretch), (kappa.further)(&row.row)));
        readings
            .extend(judged(of_main().chain(of_draws)).map(|found| sense(&format!("all draws together, kappa {name}"), found)));
    }
    readings.extend(against_others(&makes, &violates));
    let all: Vec<f64> = draws(results, CRITICAL)?.iter().flatten().map(|(kappa, _)| *kappa).collect();
    let mut samples = vec![("all draws".to_owned(), all)];
    samples.extend(by_reading(results)?);
    let alone = |(name, sample): (String, Vec<f64>)| {
        (format!("share alone, {name}"), share_of(sample.into_iter().map(|kappa| kappa >= 0.5)))
    };
    let most = |share: &Estimate| lab::judge::criterion::verdict(share.lies_above(0.5), Answer::No);
    readings.extend(kit::judging::readings(samples.into_iter().map(alone), in_percent, most));
    let one = share_of(measured.iter().map(|row| row.critical_kappa >= Some(1.0)));
    readings.extend(
        one.map(|share| {
            Reading::new("share with kappa at least 1, as the one-dimensional criterion", percent(share.value), None)
        }),
    );
    let (sets, words, all) = (measured.len(), told(&words), rows.len());
    let (without, kept) = (rows.len() - measured.len(), percent((measured.len() - violators) as f64 / rows.len() as f64));
    let reason = format!(
        "{violators} of {sets} sets violate it. Violators against the others: {words}. Of {all} drawn, {without} have no stiffness and no \
         limit; counted against the claim they leave {kept} of all drawn. Violators that differ from the others in each word would \
         overturn it"
    );
    Ok(Finding::new(verdict, format!("{} of the sets are stable up to kappa = 1/2", percent(share.value)), reason)
        .rests_on(&share)
        .cases(measured.len())
        .left_out(rows.len() - measured.len())
        .readings(readings))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readings_that_move_an_end_furthest_are_named() {
        let readings = [("margin", [0.02, 2.6]), ("tolerance", [0.2, 41.0]), ("damping", [0.24, 2.0])];
        let readings = readings.map(|(name, ends)| (name.to_owned(), ends));
        assert_eq!(
            spans(&readings).unwrap(),
            "under other assumptions the lower end is from 0.0200 (margin) to 0.240 (damping), the upper one from 2.00 (damping) to 41.0 \
             (tolerance); "
        );
        assert_eq!(spans(&[]), None);
    }

    #[test]
    fn ends_are_judged_by_their_medians_over_draws() {
        let draws = |low: [f64; 6], high: f64| -> Vec<Draw> { low.map(|low| vec![(low, 1.5), (high, 1.0)]).to_vec() };
        let verdict = |low, high| Ends::over(&draws(low, high), |_| true).unwrap().verdict();
        assert_eq!(verdict([0.3, 0.31, 0.32, 0.33, 0.34, 0.35], 2.5), Verdict::Reproduced);
        assert_eq!(verdict([0.2, 0.31, 0.32, 0.33, 0.34, 0.35], 2.5), Verdict::Inconclusive, "one draw straddles");
        assert_eq!(verdict([0.2; 6], 2.5), Verdict::DirectionOnly);
        assert_eq!(verdict([0.3; 6], 0.9), Verdict::NotReproduced);
        let moving = Ends::over(&draws([0.3; 6], 2.5), |stretch| stretch > 1.1).unwrap();
        assert_eq!(moving.0.map(|end| end.value), [0.3, 0.3]);
    }

    #[test]
    fn zero_is_a_decade_below_the_smallest() {
        assert_eq!(decades(&[0.0, 10.0, 1000.0, 100.0]), [0.0, 1.0, 3.0, 2.0]);
    }

    #[test]
    fn words_are_judged_over_whatever_sets_there_are() {
        // every third set violates: dense and lightly damped, and softer by a fifth of a decade
        let sets = |count: u32| {
            (0..count).map(|k| {
                let violates = k.is_multiple_of(3);
                let stiffness = [[10.0, 100.0, 1000.0][(k / 3 % 3) as usize] * if violates { 0.6 } else { 1.0 }; 2];
                let [density, damping] = if violates { [100.0, 0.1] } else { [1.0, 1.0] };
                let make = Make { density, stiffness, damping: [damping; 2], stretch: Some(2.0) };
                (make, Some(if violates { 0.3 } else { 1.5 }))
            })
        };
        assert_eq!(judged(sets(45)).unwrap().2, Verdict::Inconclusive, "soft is open");
        assert_eq!(judged(sets(900)).unwrap().2, Verdict::Reproduced);
        assert!(judged([]).is_none());
    }

    #[test]
    fn a_word_holds_where_violators_differ() {
        // every third sheet violates; dense ones do, stiffness has nothing to do with it
        let violates: Vec<bool> = (0..60).map(|k| k % 3 == 0).collect();
        let dense: Vec<f64> = (0..60).map(|k| if k % 3 == 0 { 1.0 } else { 0.2 * f64::from(k % 5) }).collect();
        let stiff: Vec<f64> = (0..60).map(|k| f64::from(k % 4)).collect();
        let [dense, stiff] = [dense, stiff].map(|decades| difference("test", &violates, &decades).unwrap());
        assert_eq!((dense.lies_above(0.0), stiff.lies_above(0.0)), (Answer::Yes, Answer::Open));
        assert!(difference("test", &[false; 60], &[1.0; 60]).is_none(), "no violators");
    }
}
