use std::path::PathBuf;

use kit::Failure;
use kit::published::{citation_of, ledgers, pictures};
use lab::files::{make_folder, write_whole};
use lab::judge::claims::Claim;
use lab::judge::published::{Picture, Status, name_of};
use lab::study::Study;

use super::list::verdicts;
use super::verify::intact;
use crate::output::say;
use crate::program::Program;
use crate::workspace::{self, find};

/// A figure or table of a paper.
#[derive(clap::Args)]
pub struct Request {
    /// The paper and the number, as in `boxerman 5.3` or `boxerman table 4.1`; without a number, all of the paper
    #[arg(value_name = "PAPER NUMBER")]
    figure: Vec<String>,
    /// Folder of the chart [default: out/figures]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Draws a figure of a paper from the results at hand, or lists those that there are.
///
/// # Errors
/// A paper or number that there is not, results that are missing or damaged, a folder that cannot be written.
pub fn figure(program: &Program, request: &Request) -> Result<(), Failure> {
    let pictures = pictures()?;
    let words = request.figure.join(" ").to_lowercase();
    let (paper, number) = words.trim().split_once(char::is_whitespace).unwrap_or((words.trim(), ""));
    let of_paper = chosen(&pictures, paper)?;
    let number = number.trim_start_matches("figure").trim_start_matches("fig").trim_start_matches('.').trim();
    if number.is_empty() {
        return of_paper.into_iter().try_for_each(|picture| {
            let named = format!("{} {}", author(picture), picture.figure);
            say(format!("{named:<22} {:<14} {}", picture.status.to_string(), picture.shows))
        });
    }
    let Some(picture) = of_paper.iter().find(|picture| picture.figure == number) else {
        let remedy = scene::remedy(number, of_paper.iter().map(|picture| picture.figure.as_str()));
        return Err(Failure::Usage(format!("there is no figure `{number}` of {}; {remedy}", citation_of(&of_paper[0].paper))));
    };
    draw(program, picture, request)
}

/// The name of the first author, in small letters, as a paper is called here.
fn author(picture: &Picture) -> &str {
    picture.paper.split('-').next().unwrap_or_default()
}

/// The figures of a paper, or all of them.
fn chosen<'a>(pictures: &'a [Picture], paper: &str) -> Result<Vec<&'a Picture>, Failure> {
    let is_asked = |picture: &&Picture| paper.is_empty() || author(picture) == paper || picture.paper == paper;
    let found: Vec<&Picture> = pictures.iter().filter(is_asked).collect();
    if found.is_empty() {
        let mut papers: Vec<&str> = pictures.iter().map(author).collect();
        papers.dedup();
        return Err(Failure::Usage(format!("there is no paper `{paper}`; {}", scene::remedy(paper, papers.iter().copied()))));
    }
    Ok(found)
}

fn draw(program: &Program, picture: &Picture, request: &Request) -> Result<(), Failure> {
    let head = format!("{}, {}: {}", citation_of(&picture.paper), name_of(&picture.figure), picture.shows);
    let status = format!("{}: {}", picture.status, picture.why);
    let Some((study, name)) = picture.chart.split_once('/') else {
        say(head)?;
        return say(status);
    };
    let studies = program.published()?;
    let study = find(&studies, study)?;
    let root = workspace::root();
    let results = root.join("results").join(study.name);
    if !results.join("run.json").exists() {
        let results = results.display();
        return Err(Failure::Usage(format!(
            "{results} holds no results; go to the checkout, or make them with `clothlab repro --full`"
        )));
    }
    intact(&root, [study], false)?;
    let plot = study.plots.iter().find(|plot| plot.name == name);
    let plot = plot.ok_or_else(|| Failure::Internal(format!("the study {} has no chart {name}", study.name)))?;
    let chart = (plot.draw)(&study.results(&results))?;
    let texts = chart.svg().and_then(|svg| Ok([svg, chart.points_csv()?]));
    let [svg, csv] = texts.map_err(|error| Failure::Internal(format!("the chart {name}: {error}")))?;
    let folder = request.out.clone().unwrap_or_else(|| root.join("out/figures"));
    let stem = format!("{}-{}", picture.paper, picture.figure.replace(' ', "-"));
    let [drawn, points] = ["svg", "csv"].map(|kind| folder.join(format!("{stem}.{kind}")));
    make_folder(&folder)?;
    write_whole(&drawn, svg.as_bytes())?;
    write_whole(&points, csv.as_bytes())?;
    say(head)?;
    say(status)?;
    let beside = if picture.status == Status::DrawnAgain { "drawn in" } else { "beside it" };
    say(format!("{beside} {}, its points in {}", drawn.display(), points.display()))?;
    say_claims(picture, study)?;
    say(format!("measured again by `clothlab run {}`", study.name))
}

/// The claims that name the figure, with their verdicts.
fn say_claims(picture: &Picture, study: &Study) -> Result<(), Failure> {
    let verdicts = verdicts(study);
    let ledgers = ledgers()?;
    let of_paper = ledgers.iter().filter(|ledger| ledger.paper == citation_of(&picture.paper)).flat_map(|ledger| &ledger.claims);
    for claim in of_paper.filter(|claim| names(claim, &picture.figure)) {
        let verdict = verdicts.get(&claim.id).map_or("no verdict", String::as_str).replace('-', " ");
        say(format!("  {:<15} {verdict}: {}", claim.id, claim.quantity))?;
    }
    Ok(())
}

/// True if a claim is printed at a figure: alone, or in a range of figures.
fn names(claim: &Claim, figure: &str) -> bool {
    let place = claim.place.to_lowercase();
    let numbers = |text: &str| text.split_whitespace().next().unwrap_or_default().trim_end_matches([',', ';']).to_owned();
    if let Some(table) = figure.strip_prefix("table ") {
        return place.split("table ").skip(1).any(|after| numbers(after) == table);
    }
    let parts = |number: &str| number.rsplit_once('.').map(|(chapter, last)| (chapter.to_owned(), last.parse::<u32>().ok()));
    place.split("fig").skip(1).map(|after| numbers(after.trim_start_matches(['s', 'u', 'r', 'e', '.', ' ']))).any(|named| {
        let Some((first, last)) = named.split_once('-') else { return named == figure };
        match (parts(first), parts(figure), parts(last)) {
            (Some((a, low)), Some((b, asked)), Some((c, high))) => a == b && b == c && low <= asked && asked <= high,
            _ => first == figure || last == figure,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_names_figures_alone_and_in_ranges() {
        let mut claim = ledgers().unwrap()[0].claims[0].clone();
        for (place, figure, expected) in [
            ("5.3.1 figs 5.7-5.10", "5.9", true),
            ("5.3.1 figs 5.7-5.10", "5.1", false),
            ("4.2.4 fig 4.5", "4.5", true),
            ("5.3", "5.3", false),
            ("table 4.1 note 18", "table 4.1", true),
            ("table 4.1", "4.1", false),
        ] {
            claim.place = place.into();
            assert_eq!(names(&claim, figure), expected, "{place}: {figure}");
        }
    }

    #[test]
    fn papers_are_called_by_their_first_authors() {
        let pictures = pictures().unwrap();
        assert!(chosen(&pictures, "boxerman").unwrap().len() > 30);
        assert_eq!(chosen(&pictures, "").unwrap().len(), pictures.len());
        let refused = chosen(&pictures, "boxermann").unwrap_err().to_string();
        assert_eq!(refused, "there is no paper `boxermann`; did you mean `boxerman`?");
    }
}
