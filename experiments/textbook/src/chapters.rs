//! Which claims judge each chapter of the textbook, from the ledger, and why there are none of some.

use std::collections::BTreeSet;

use kit::prelude::*;
use kit::published::{ledgers, sections};
use lab::judge::claims::Claim;

/// The chapters that state something, in order.
const CHAPTERS: std::ops::RangeInclusive<usize> = 1..=10;

/// Chapters that no claim judges, and why.
const WITHOUT: [(usize, &str); 3] = [
    (1, "what cloth simulation is for, and how films are made: nothing is stated that could be measured"),
    (2, "definitions of triangles, particles and forces, which all other chapters build on"),
    (10, "known by its contents alone: pointers to methods of others, none of which it explains"),
];

/// A chapter and what judges it.
struct Chapter {
    number: usize,
    title: String,
    claims: Vec<Claim>,
}

/// Chapters of the sections that a place names: 4 and 7 of "4.7, 7.4-7.5".
fn chapters_of(place: &str) -> BTreeSet<usize> {
    let numbers = place.split(|c: char| !c.is_ascii_digit() && c != '.');
    numbers.filter_map(|number| number.split('.').next()?.parse().ok()).collect()
}

/// The chapters in order.
fn chapters() -> Result<Vec<Chapter>, ResultsError> {
    let unread = |error: kit::Failure| too_few(error.to_string());
    let (ledgers, sections) = (ledgers().map_err(unread)?, sections().map_err(unread)?);
    let claims = || ledgers.iter().filter(|ledger| ledger.paper == "Stuyck 2018").flat_map(|ledger| &ledger.claims);
    let chapter = |number: usize| Chapter {
        number,
        title: sections
            .iter()
            .find(|section| section.paper == STUYCK && section.place == number.to_string())
            .map_or_else(String::new, |section| section.title.clone()),
        claims: claims().filter(|claim| chapters_of(&claim.place).contains(&number)).cloned().collect(),
    };
    Ok(CHAPTERS.map(chapter).collect())
}

/// A line a chapter: its claims by the studies that judge them, or why there are none.
///
/// # Errors
/// A ledger or a list of sections that cannot be read.
pub fn lines() -> Result<Vec<Vec<String>>, ResultsError> {
    let line = |Chapter { number, title, claims }: Chapter| {
        let why = WITHOUT.iter().find(|(chapter, _)| *chapter == number).map_or("", |(_, why)| *why);
        let by_study = grouped(claims.iter().map(|claim| (claim.study.as_str(), claim.id.as_str())));
        let by_study = by_study.into_iter().map(|(study, claims)| format!("`{study}`: {}", claims.join(", ")));
        let judged = by_study.collect::<Vec<_>>().join("; ");
        vec![number.to_string(), title, if claims.is_empty() { format!("none: {why}") } else { judged }]
    };
    Ok(chapters()?.into_iter().map(line).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_name_their_chapters() {
        let of = |place| chapters_of(place).into_iter().collect::<Vec<_>>();
        assert_eq!((of("4.3.1-4.3.2"), of("3.3 fig 3.2"), of("4.7, 7.4-7.5")), (vec![4], vec![3], vec![4, 7]));
        assert_eq!((of("8"), of("abstract")), (vec![8], vec![]));
    }

    #[test]
    fn every_chapter_is_judged_or_says_why_it_is_not() {
        for Chapter { number, title, claims } in chapters().unwrap() {
            let why = WITHOUT.iter().find(|(chapter, _)| *chapter == number);
            assert!(!title.is_empty(), "chapter {number} is not in places.csv");
            assert!(claims.is_empty() == why.is_some(), "chapter {number}: {} claims, and {why:?}", claims.len());
        }
        let claims: BTreeSet<String> =
            chapters().unwrap().into_iter().flat_map(|chapter| chapter.claims).map(|claim| claim.id).collect();
        let ledgers = ledgers().unwrap();
        let ledger = ledgers.iter().find(|ledger| ledger.paper == "Stuyck 2018").unwrap();
        assert!(ledger.claims.iter().all(|claim| claims.contains(&claim.id)), "a claim has no chapter");
    }
}
